/* SPDX-License-Identifier: MIT */
/* Running one case of each kind with machine and judge together. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

#include "sequence.h"

static void attempt_facts(struct wcts_session *session, const struct wcts_case *test,
                          const struct wcts_fact *facts, int count, struct wcts_attempt *attempt)
{
    struct wcts_world world;
    *attempt = (struct wcts_attempt){.end = WCTS_ATTEMPT_NO_BOOT};
    if (wcts_case_world(&world, &session->eval, test, facts, count))
        wcts_attempt_make(session, &world, attempt);
    wcts_world_release(&world);
}

/* Makes the call; if it is refused also the twin or, without one, the base. The evidence in words
 * is that of the call itself. */
static void run_kernel(struct wcts_session *session, const struct wcts_case *test,
                       struct wcts_finding *finding)
{
    struct wcts_kernel_evidence evidence = {.twin_made = false};
    char *text = NULL;
    session->in_test_call = true;
    attempt_facts(session, test, test->facts, test->fact_count, &evidence.attempt);
    session->in_test_call = false;
    if (session->options.trace)
        wcts_exchange_print(session->options.trace, session->spec, &session->exchange, 0);
    if (wcts_judge_breach(&session->exchange, finding)) {
        finding->detail = wcts_evidence_text(session->plan, test, &session->exchange);
        return;
    }
    text = wcts_evidence_text(session->plan, test, &session->exchange);
    enum wcts_answer answer = wcts_answer_of(evidence.attempt.status);
    if (evidence.attempt.end != WCTS_ATTEMPT_NO_BOOT &&
        (answer == WCTS_ANSWER_REFUSED || answer == WCTS_ANSWER_MISSING)) {
        if (test->twin_count >= 0) {
            evidence.twin_made = true;
            attempt_facts(session, test, test->twin, test->twin_count, &evidence.twin);
        } else if (test->fact_count > 0) {
            evidence.base_made = true;
            attempt_facts(session, test, NULL, 0, &evidence.base);
        }
    }
    wcts_judge_kernel(session->plan, test, &session->claims, &session->strictness, &evidence,
                      finding);
    if (finding->found == WCTS_FOUND_BROKEN && test->strict == WCTS_EXPECT_REFUSE) {
        const struct wcts_gap *gap = wcts_session_rounds(session, test);
        if (gap) /* accepted where the kernel's own size of the allocation allows it */
            wcts_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "no document says %s", gap->missing);
    }
    if (finding->found == WCTS_FOUND_KEPT || finding->found == WCTS_FOUND_NOTHING)
        free(text);
    else
        finding->detail = text;
}

static void run_driver(struct wcts_session *session, const struct wcts_case *test,
                       struct wcts_finding *finding)
{
    struct wcts_attempt attempt;
    struct wcts_world answers;
    wcts_situation_make(session, test->version, test->page_size, &attempt);
    if (session->options.trace)
        wcts_exchange_print(session->options.trace, session->spec, &session->exchange, 0);
    if (wcts_judge_breach(&session->exchange, finding))
        return;
    if (!wcts_world_of_answers(&answers, &session->eval, test->version, test->page_size,
                               &session->exchange))
        wcts_finding_set(finding, WCTS_FOUND_TROUBLE, "no memory for the driver's answers");
    else
        wcts_judge_driver(session->plan, test, &answers, &attempt, finding);
    wcts_session_decline_owed(session);
    wcts_judge_declined(&session->exchange, finding);
    wcts_world_release(&answers);
    if (finding->found != WCTS_FOUND_KEPT && finding->found != WCTS_FOUND_NOTHING &&
        !finding->detail)
        finding->detail = wcts_evidence_text(session->plan, test, &session->exchange);
}

/* The content of a DMA buffer before a driver patches it. */
#define UNPATCHED 0xEE

/* Fills the DMA buffer of a DRIVER_PATCH request. */
static void fill_dma_buffer(struct wcts_session *session)
{
    const struct wcts_driver_patch_request *in = (const void *)session->request.bytes;
    const struct wcts_DXGKARG_PATCH *patch = &in->Patch;
    struct wcts_machine_memory_request *write;
    size_t size = sizeof *write + patch->DmaBufferSize;
    struct wcts_none reply;
    uint32_t reply_size;
    write = calloc(1, size);
    if (!write)
        return;
    *write = (struct wcts_machine_memory_request){.size = sizeof *write,
                                                  .Address = patch->pDmaBuffer,
                                                  .Length = patch->DmaBufferSize,
                                                  .pData = sizeof *write};
    memset(write + 1, UNPATCHED, patch->DmaBufferSize);
    wcts_machine_call(session->machine, WCTS_MACHINE_WRITE, write, (uint32_t)size, &reply,
                      sizeof reply, &reply_size);
    free(write);
}

/* The reply with its content afterwards, which the caller frees; NULL if it could not be read. */
static struct wcts_machine_memory_reply *read_dma_buffer(struct wcts_session *session)
{
    const struct wcts_driver_patch_request *in = (const void *)session->request.bytes;
    const struct wcts_machine_memory_request read = {
        .size = sizeof read, .Address = in->Patch.pDmaBuffer, .Length = in->Patch.DmaBufferSize};
    uint32_t room = (uint32_t)sizeof(struct wcts_machine_memory_reply) + in->Patch.DmaBufferSize;
    struct wcts_machine_memory_reply *reply = calloc(1, room);
    uint32_t reply_size;
    if (!reply || wcts_succeeded(wcts_machine_call(session->machine, WCTS_MACHINE_READ, &read,
                                                   sizeof read, reply, room, &reply_size)))
        return reply;
    free(reply);
    return NULL;
}

/* A call of the suite itself to the driver: the memory afterwards is judged. */
static void run_driver_call(struct wcts_session *session, const struct wcts_case *test,
                            struct wcts_finding *finding)
{
    const struct wcts_cases *cases = session->spec->cases;
    const struct wcts_step *step = &cases->steps[cases->bases[test->base].step];
    struct wcts_attempt attempt = {.end = WCTS_ATTEMPT_NO_BOOT};
    struct wcts_machine_memory_reply *patched;
    struct wcts_world world;
    uint32_t reply_size;
    if (wcts_case_world(&world, &session->eval, test, test->facts, test->fact_count) &&
        wcts_session_boot(session, test->version, test->page_size) &&
        wcts_session_ensure_needs(session, step, &world, &attempt) &&
        wcts_message_build(&session->request, session->spec,
                           &session->spec->messages[step->message], &world, world.adapter_count,
                           &session->symbols)) {
        attempt.end = WCTS_ATTEMPT_ANSWERED;
        attempt.operation = wcts_step_operation(session->spec, step);
        fill_dma_buffer(session);
        memset(session->reply, 0, WCTS_REPLY_ROOM);
        attempt.status = wcts_session_to_driver(session, attempt.operation, session->request.bytes,
                                                (uint32_t)session->request.size, session->reply,
                                                WCTS_REPLY_ROOM, &reply_size);
        patched = read_dma_buffer(session);
        wcts_judge_patch(session->plan, test, &session->claims, &attempt, &session->request,
                         &session->exchange, patched ? (const uint8_t *)(patched + 1) : NULL,
                         finding);
        free(patched);
    } else {
        wcts_judge_no_answer(&attempt, "set-up", finding);
    }
    wcts_session_shut_down(session);
    wcts_world_release(&world);
    if (session->options.trace)
        wcts_exchange_print(session->options.trace, session->spec, &session->exchange, 0);
    wcts_judge_breach(&session->exchange, finding);
    if (finding->found != WCTS_FOUND_KEPT && finding->found != WCTS_FOUND_NOTHING)
        finding->detail = wcts_evidence_text(session->plan, test, &session->exchange);
}

/* An effect that the recording of the call shows. */
static void run_call_effect(struct wcts_session *session, const struct wcts_case *test,
                            struct wcts_finding *finding)
{
    struct wcts_attempt attempt = {.end = WCTS_ATTEMPT_NO_BOOT};
    struct wcts_world world;
    if (wcts_case_world(&world, &session->eval, test, test->facts, test->fact_count))
        wcts_attempt_make(session, &world, &attempt);
    if (!wcts_judge_no_answer(&attempt, "base call", finding)) {
        if (wcts_is_denied(attempt.status)) {
            const struct wcts_gap *gap;
            enum wcts_denial denial = wcts_denial_in(&world, &gap);
            wcts_session_note_denial(session, denial, gap);
        }
        wcts_judge_effect(session->plan, test, &session->strictness, &session->exchange,
                          wcts_exchange_last_call(&session->exchange), finding);
        wcts_judge_declined(&session->exchange, finding);
    }
    wcts_world_release(&world);
}

/* Runs the scenario for each kind. A kind that shows nothing, such as one that the driver cannot
 * page, is passed over if another one shows it; but a kind with a denied valid call is the result,
 * unless a later kind breaks the rule, which ends the loop. The exchange is the evidence, so the
 * denied kind runs again. */
static void run_kinds(struct wcts_session *session, const struct wcts_case *test,
                      struct wcts_finding *finding)
{
    bool more = true, seen = false;
    int declined = -1;
    for (session->kind = 0; more; session->kind++) {
        more = wcts_scenario_once(session, test, finding);
        seen = seen || finding->found == WCTS_FOUND_KEPT;
        if (declined < 0 && finding->found == WCTS_FOUND_DECLINED)
            declined = session->kind;
    }
    if (wcts_shows_no_breach(finding->found) && declined >= 0) {
        session->kind = declined;
        wcts_scenario_once(session, test, finding);
    } else if (wcts_shows_no_breach(finding->found) && seen) {
        finding->found = WCTS_FOUND_KEPT;
        finding->skip = WCTS_SKIP_NONE;
        free(finding->reason);
        finding->reason = NULL;
    }
    session->kind = -1;
}

static void run_scenario(struct wcts_session *session, const struct wcts_case *test,
                         struct wcts_finding *finding)
{
    /* -v shows the messages of the scenario as it is. */
    bool shrinks =
        !test->scenario->kinds && !session->options.verdicts_only && !session->options.trace;
    struct wcts_world world;
    if (wcts_world_init_adapter(&world, &session->eval, test->scenario->adapter, test->version,
                                test->page_size)) {
        session->probe.world = &world;
        if (test->scenario->kinds)
            run_kinds(session, test, finding);
        else
            wcts_scenario_once(session, test, finding);
        if (shrinks && finding->found == WCTS_FOUND_BROKEN && session->exchange.breach[0] == 0)
            wcts_shrink_scenario(session, test, finding);
        session->probe.world = NULL;
    } else {
        wcts_finding_set(finding, WCTS_FOUND_TROUBLE, "no memory");
    }
    wcts_world_release(&world);
}

static void run_effect(struct wcts_session *session, const struct wcts_case *test,
                       struct wcts_finding *finding)
{
    bool pages = session->spec->rules[test->rule].form == WCTS_FORM_EFFECT_PAGES;
    if (test->scenario && pages) {
        wcts_walk_run_scenario(session, test, finding);
        return;
    }
    if (test->scenario)
        run_scenario(session, test, finding);
    else if (pages)
        wcts_run_pages(session, test, finding);
    else
        run_call_effect(session, test, finding);
    if (session->options.trace)
        wcts_exchange_print(session->options.trace, session->spec, &session->exchange, 0);
    wcts_judge_breach(&session->exchange, finding);
    if (finding->found != WCTS_FOUND_KEPT && finding->found != WCTS_FOUND_NOTHING &&
        !finding->detail)
        finding->detail = wcts_evidence_text(session->plan, test, &session->exchange);
}

/* Capabilities that a kernel may lack, and what is hidden without them. */
static const struct {
    uint32_t capability;
    const char *reason;
} lacking[] = {
    {WCTS_CAPABILITY_PROBE, "PROBE, so that the kernel takes no driver from the suite"},
    {WCTS_CAPABILITY_MACHINE, "MACHINE, so that memory does not come from the suite"},
    {WCTS_CAPABILITY_PAGES, "PAGES, so that no page can be looked at"},
    {WCTS_CAPABILITY_PLACEMENT, "PLACEMENT, so that no allocation can be looked at"},
};

/* True if the case is about what a driver patches. */
static bool patches_buffer(const struct wcts_session *session, const struct wcts_case *test)
{
    const struct wcts_cases *cases = session->spec->cases;
    int message = test->base < 0 ? -1 : cases->steps[cases->bases[test->base].step].message;
    return session->spec->rules[test->rule].arg[WCTS_ARG_BUFFER].given ||
           (message >= 0 && session->spec->messages[message].operation == WCTS_DRIVER_PATCH);
}

/* Why a case cannot run with these claims; NULL if it can. */
static const char *not_claimed(const struct wcts_session *session, const struct wcts_case *test)
{
    const struct wcts_claims *claims = &session->claims;
    uint32_t version = session->spec->versions[test->version].interface_version;
    if (version < claims->first_interface_version || version > claims->last_interface_version)
        return "this WDDM version";
    if (test->driver)
        return claims->patches == WCTS_PATCHES_NONE && patches_buffer(session, test)
                   ? "PATCHES, so that it is not known how the driver writes addresses"
                   : NULL;
    if (!(claims->page_sizes & test->page_size))
        return "this page size";
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
        if (test->needs & lacking[i].capability & ~claims->capabilities)
            return lacking[i].reason;
    for (int i = 0; i < test->fact_count; i++)
        if (!(claims->capabilities & WCTS_CAPABILITY_PROBE) &&
            wcts_fact_is_answer(session->plan, test, &test->facts[i]))
            return lacking[0].reason;
    return NULL;
}

void wcts_session_judge(struct wcts_session *session, const struct wcts_case *test,
                        struct wcts_finding *finding)
{
    const char *reason = not_claimed(session, test);
    if (reason)
        wcts_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "%s", reason);
    else if (test->driver && !test->scenario && test->expect != WCTS_EXPECT_ANSWER)
        run_driver_call(session, test, finding);
    else if (test->driver && !test->scenario)
        run_driver(session, test, finding);
    else if (test->kind == WCTS_KIND_SEQUENCE)
        wcts_walk_run(session, test, finding);
    else if (test->kind == WCTS_KIND_EFFECT || test->scenario)
        run_effect(session, test, finding);
    else
        run_kernel(session, test, finding);
}
