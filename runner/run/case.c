/* SPDX-License-Identifier: MIT */
/* Cases: what is done for each kind, and judged. */
#include "case.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../machine/tape.h"
#include "sequence.h"

enum wcts_denial wcts_denial_in(const struct wcts_world *world, const struct wcts_gap **gap)
{
    struct wcts_prediction prediction;
    wcts_world_judge(world, &prediction);
    *gap = wcts_world_gap(world);
    if (prediction.broken_count > 0 || prediction.expect != WCTS_EXPECT_ACCEPT)
        return WCTS_DENIAL_BREACH;
    return *gap ? WCTS_DENIAL_GAP : WCTS_DENIAL_VALID;
}

static void attempt_facts(struct wcts_session *session, const struct wcts_case *test,
                          const struct wcts_fact *facts, int count, struct wcts_attempt *attempt)
{
    struct wcts_world world;
    *attempt = (struct wcts_attempt){.end = WCTS_ATTEMPT_NO_BOOT};
    if (wcts_case_world(&world, &session->eval, test, facts, count))
        wcts_attempt_make(session, &world, attempt);
    wcts_world_release(&world);
}

static bool was_refused(const struct wcts_attempt *attempt)
{
    enum wcts_answer answer = wcts_answer_of(attempt->status);
    return attempt->end != WCTS_ATTEMPT_NO_BOOT &&
           (answer == WCTS_ANSWER_REFUSED || answer == WCTS_ANSWER_MISSING);
}

/* Accepted where the kernel's own size allows it. */
static void skip_rounded(struct wcts_session *session, const struct wcts_case *test,
                         struct wcts_finding *finding)
{
    const struct wcts_gap *gap =
        test->strict == WCTS_EXPECT_REFUSE ? wcts_session_rounds(session, test) : NULL;
    if (gap)
        wcts_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "no document says %s", gap->missing);
}

/* The call itself; when it is refused the twin and, where that says nothing, the base. The last
 * exchange kept is that of the call itself. */
static void run_kernel(struct wcts_session *session, const struct wcts_case *test,
                       struct wcts_finding *finding)
{
    struct wcts_kernel_evidence evidence = {.twin_made = false};
    char *text = NULL;
    session->own_call = true;
    attempt_facts(session, test, test->facts, test->fact_count, &evidence.attempt);
    session->own_call = false;
    if (session->options.trace)
        wcts_exchange_print(session->options.trace, session->spec, &session->exchange, 0);
    if (wcts_judge_breach(&session->exchange, finding)) {
        finding->detail = wcts_evidence_text(session->plan, test, &session->exchange);
        return;
    }
    text = wcts_evidence_text(session->plan, test, &session->exchange);
    if (was_refused(&evidence.attempt)) {
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
    if (finding->found == WCTS_FOUND_BROKEN)
        skip_rounded(session, test, finding);
    if (finding->found == WCTS_FOUND_KEPT || finding->found == WCTS_FOUND_NOTHING)
        free(text);
    else
        finding->detail = text;
}

/* True if the driver is to make what the request asks for: it gave the private data itself, as that
 * of a standard allocation, or it lists no kinds, so that there is none. Kinds are
 * wcts_session's own matter: what it asks for without their private data may be refused. */
static bool is_owed_allocation(const struct wcts_record *record, int kinds)
{
    const struct wcts_driver_allocation_create_request *in = (const void *)record->request;
    return record->request_size >= sizeof *in &&
           (in->StandardAllocationType != WCTS_STANDARD_NONE || kinds == 0);
}

/* The caller is the reference kernel, which names only what the driver has made and asks for
 * nothing that a kernel would not. */
static bool is_owed(const struct wcts_record *record, int kinds)
{
    if (record->operation >> 8 != WCTS_DRIVER_INFO >> 8)
        return false;
    return record->operation != WCTS_DRIVER_ALLOCATION_CREATE || is_owed_allocation(record, kinds);
}

void wcts_session_decline_owed(struct wcts_session *session)
{
    struct wcts_exchange *exchange = &session->exchange;
    int kinds = wcts_session_kinds(session);
    for (int i = 0; i < exchange->count; i++)
        if (wcts_is_denied(exchange->records[i].status) && is_owed(&exchange->records[i], kinds))
            exchange->records[i].denial = WCTS_DENIAL_VALID;
}

static void run_driver(struct wcts_session *session, const struct wcts_case *test,
                       struct wcts_finding *finding)
{
    struct wcts_attempt attempt;
    struct wcts_world answers;
    wcts_situation_make(session, test->version, test->page_size, &attempt);
    if (session->options.trace)
        wcts_exchange_print(session->options.trace, session->spec, &session->exchange, 0);
    if (wcts_judge_breach(&session->exchange, finding)) {
        return;
    }
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

/* What a DMA buffer holds before a driver patches it. */
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

/* The reply to reading it back, the caller's; NULL: it could not be read. */
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

/* A call that the suite itself makes to the driver: what it leaves in memory is judged. */
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
        wcts_session_take_needs(session, step, &world, &attempt) &&
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

static void note_denial_in(struct wcts_session *session, const struct wcts_world *world)
{
    const struct wcts_gap *gap;
    enum wcts_denial denial = wcts_denial_in(world, &gap);
    wcts_session_note_denial(session, denial, gap);
}

/* An effect that the recorded call shows. */
static void run_call_effect(struct wcts_session *session, const struct wcts_case *test,
                            struct wcts_finding *finding)
{
    struct wcts_attempt attempt = {.end = WCTS_ATTEMPT_NO_BOOT};
    struct wcts_world world;
    if (wcts_case_world(&world, &session->eval, test, test->facts, test->fact_count))
        wcts_attempt_make(session, &world, &attempt);
    if (!wcts_judge_no_answer(&attempt, "base call", finding)) {
        if (wcts_is_denied(attempt.status))
            note_denial_in(session, &world);
        wcts_judge_effect(session->plan, test, &session->strictness, &session->exchange,
                          wcts_exchange_last_call(&session->exchange), finding);
        wcts_judge_declined(&session->exchange, finding);
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
        wcts_run_scenario(session, test, finding);
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

/* Capabilities that a kernel may lack, and what then is not seen. */
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
static bool is_patched(const struct wcts_session *session, const struct wcts_case *test)
{
    const struct wcts_cases *cases = session->spec->cases;
    int message = test->base < 0 ? -1 : cases->steps[cases->bases[test->base].step].message;
    return session->spec->rules[test->rule].arg[WCTS_ARG_BUFFER].given ||
           (message >= 0 && session->spec->messages[message].operation == WCTS_DRIVER_PATCH);
}

/* Why a case cannot be run against what the implementation claims, or NULL. */
static const char *not_claimed(const struct wcts_session *session, const struct wcts_case *test)
{
    const struct wcts_claims *claims = &session->claims;
    uint32_t version = session->spec->versions[test->version].interface_version;
    if (version < claims->first_interface_version || version > claims->last_interface_version)
        return "this WDDM version";
    if (test->driver)
        return claims->patches == WCTS_PATCHES_NONE && is_patched(session, test)
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

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

/* The judge sees that there was no instance, the session knows why. */
static void explain_no_instance(const struct wcts_session *session, const struct wcts_case *test,
                                struct wcts_finding *finding)
{
    const char *version = session->spec->versions[test->version].name;
    if (session->no_instance[0] == '\0' || finding->found != WCTS_FOUND_TROUBLE)
        return;
    if (session->reference_lacks)
        wcts_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE, "WDDM %s: %s", version,
                          session->no_instance);
    else
        wcts_finding_set(finding, WCTS_FOUND_TROUBLE, "WDDM %s: %s", version, session->no_instance);
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

static struct wcts_finding find_at(struct wcts_session *session, const struct wcts_case *test,
                                   enum wcts_level level)
{
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    session->strictness = (struct wcts_strictness){.level = level};
    session->no_instance[0] = '\0';
    wcts_session_judge(session, test, &finding);
    explain_no_instance(session, test, &finding);
    if (test->kind != WCTS_KIND_SEQUENCE)
        wcts_session_excuse(session, test, &finding);
    finding.levels = WCTS_LEVELS_ALL & ~session->strictness.differs;
    return finding;
}

/* Runs the case at a level, and again at those at which something would have been decided
 * otherwise. */
static void find_all(struct wcts_session *session, const struct wcts_case *test,
                     struct wcts_result *result)
{
    static const enum wcts_level order[] = {WCTS_LEVEL_DOCUMENTED, WCTS_LEVEL_STRICT,
                                            WCTS_LEVEL_BINDING};
    unsigned left = session->options.levels ? session->options.levels : WCTS_LEVELS_ALL;
    unsigned known = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        struct wcts_finding finding;
        if (!(left & wcts_level_bit(order[i])))
            continue;
        finding = find_at(session, test, order[i]);
        if (known == 0)
            result->walk = session->walked;
        finding.levels &= ~known;
        known |= finding.levels;
        left &= ~known;
        if (left && session->options.each)
            session->options.each(session->options.each_ctx, &finding);
        wcts_finding_add(&result->finding, &finding);
    }
}

void wcts_session_run(struct wcts_session *session, const struct wcts_case *test,
                      struct wcts_result *result)
{
    uint64_t begin = now();
    *result = (struct wcts_result){.verdict = WCTS_VERDICT_BROKEN};
    session->answered = (struct wcts_answered){0};
    session->walked = (struct wcts_walk_numbers){0};
    if (session->tape)
        wcts_tape_begin(session->tape, &session->claims);
    find_all(session, test, result);
    if (session->tape)
        wcts_tape_end(session->tape, &result->tape);
    result->answered = session->answered;
    result->nanoseconds = now() - begin;
}
