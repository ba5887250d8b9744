/* SPDX-License-Identifier: MIT */
/* Calls and situations: what is sent for tests that are neither scenarios nor sequences. */
#include "perform.h"

#include <stdlib.h>
#include <string.h>

#include "../judge/judge.h"

/* ---- Calls of the kernel ---- */

static struct wcts_boot *attempt_facts(struct wcts_session *session, const struct wcts_case *test,
                                       const struct wcts_fact *facts, int count,
                                       enum wcts_purpose purpose)
{
    struct wcts_attempt attempt = {.end = WCTS_ATTEMPT_NO_BOOT};
    struct wcts_world world;
    if (wcts_oracle_case_world(&world, &session->eval, test, facts, count))
        wcts_machine_attempt_make(session, &world, &attempt);
    wcts_world_release(&world);
    return wcts_session_keep(session, purpose, &attempt);
}

static void ask_for_size(struct wcts_session *session, uint64_t handle)
{
    int device = wcts_model_cases_symbol(session->spec->cases, "device");
    struct wcts_kernel_allocation_request request = {.size = sizeof request,
                                                     .hAllocation = (uint32_t)handle};
    uint32_t reply_size;
    if (device >= 0)
        request.hDevice = (uint32_t)session->symbols.values[device];
    wcts_session_to_kernel(session, WCTS_KERNEL_QUERY_ALLOCATION, &request, sizeof request,
                           &reply_size);
}

/* An accepted call may end inside the allocation that the kernel made: its sizes are asked for,
 * where the documents leave them open. */
static void perform_sizes(struct wcts_session *session, const struct wcts_case *test)
{
    struct wcts_attempt attempt;
    const struct wcts_rule *rule;
    struct wcts_world world;
    if (wcts_oracle_case_world(&world, &session->eval, test, test->facts, test->fact_count) &&
        wcts_judge_own_size_gap(&world, &rule)) {
        if (wcts_session_prepare(session, &world, &attempt)) {
            attempt.end = WCTS_ATTEMPT_ANSWERED;
            for (int i = 0; i < world.count; i++)
                if (world.instances[i].present && world.instances[i].structure == rule->on)
                    ask_for_size(session, wcts_model_value_resolve(
                                              session->spec, &session->symbols,
                                              wcts_judge_own_size_handle(&world, rule, i)));
        }
        wcts_session_keep(session, WCTS_FOR_SIZE, &attempt);
    }
    wcts_world_release(&world);
}

/* Makes the call; if it is refused also the twin or, without one, the base. */
static void perform_call(struct wcts_session *session, const struct wcts_case *test)
{
    const struct wcts_boot *own;
    session->in_test_call = true;
    own = attempt_facts(session, test, test->facts, test->fact_count, WCTS_FOR_TEST);
    session->in_test_call = false;
    if (!own || own->exchange.breach_kind != WCTS_BREACH_NONE)
        return;
    if (wcts_judge_attempt_was_refused(&own->attempt)) {
        if (test->twin_count >= 0)
            attempt_facts(session, test, test->twin, test->twin_count, WCTS_FOR_TWIN);
        else if (test->fact_count > 0)
            attempt_facts(session, test, NULL, 0, WCTS_FOR_BASE);
    } else if (test->strict == WCTS_EXPECT_REFUSE && own->attempt.end == WCTS_ATTEMPT_ANSWERED &&
               wcts_succeeded(own->attempt.status)) {
        perform_sizes(session, test);
    }
}

/* ---- Drivers ---- */

/* The content of a DMA buffer before a driver patches it. */
#define UNPATCHED 0xEE

/* Fills the DMA buffer of a DRIVER_PATCH request. */
static void fill_dma_buffer(struct wcts_session *session, const struct wcts_DXGKARG_PATCH *patch)
{
    size_t size = sizeof(struct wcts_machine_memory_request) + patch->DmaBufferSize;
    struct wcts_machine_memory_request *write = calloc(1, size);
    uint32_t reply_size;
    if (!write)
        return;
    *write = (struct wcts_machine_memory_request){.size = sizeof *write,
                                                  .Address = patch->pDmaBuffer,
                                                  .Length = patch->DmaBufferSize,
                                                  .pData = sizeof *write};
    memset(write + 1, UNPATCHED, patch->DmaBufferSize);
    wcts_session_call(session, WCTS_MACHINE_WRITE, write, (uint32_t)size, &reply_size);
    free(write);
}

static void read_dma_buffer(struct wcts_session *session, const struct wcts_DXGKARG_PATCH *patch)
{
    const struct wcts_machine_memory_request read = {
        .size = sizeof read, .Address = patch->pDmaBuffer, .Length = patch->DmaBufferSize};
    uint32_t reply_size;
    wcts_session_call(session, WCTS_MACHINE_READ, &read, sizeof read, &reply_size);
}

/* A call of the suite itself to the driver, between a write and a read of the DMA buffer. */
static void perform_driver_call(struct wcts_session *session, const struct wcts_case *test)
{
    const struct wcts_cases *cases = session->spec->cases;
    const struct wcts_step *step = &cases->steps[cases->bases[test->base].step];
    struct wcts_attempt attempt = {.end = WCTS_ATTEMPT_NO_BOOT};
    struct wcts_world world;
    uint32_t reply_size;
    if (wcts_oracle_case_world(&world, &session->eval, test, test->facts, test->fact_count) &&
        wcts_session_boot(session, test->version, test->page_size) &&
        wcts_session_ensure_needs(session, step, &world, &attempt) &&
        wcts_machine_message_build(&session->request, session->spec,
                                   &session->spec->messages[step->message], &world,
                                   world.adapter_count, &session->symbols)) {
        const struct wcts_driver_patch_request *in = (const void *)session->request.bytes;
        const struct wcts_DXGKARG_PATCH patch = in->Patch;
        attempt.end = WCTS_ATTEMPT_ANSWERED;
        attempt.operation = wcts_model_step_operation(session->spec, step);
        fill_dma_buffer(session, &patch);
        attempt.status = wcts_session_call(session, attempt.operation, session->request.bytes,
                                           (uint32_t)session->request.size, &reply_size);
        read_dma_buffer(session, &patch);
    }
    wcts_session_keep(session, WCTS_FOR_TEST, &attempt);
    wcts_world_release(&world);
}

static void perform_situation(struct wcts_session *session, const struct wcts_case *test)
{
    struct wcts_attempt attempt;
    wcts_machine_situation_make(session, test->version, test->page_size, &attempt);
    wcts_session_keep(session, WCTS_FOR_TEST, &attempt);
}

/* ---- All tests ---- */

void wcts_run_perform(struct wcts_session *session, const struct wcts_case *test)
{
    bool pages = session->spec->rules[test->rule].form == WCTS_FORM_EFFECT_PAGES;
    wcts_exchange_recording_clear(&session->recording);
    if (test->driver && test->expect != WCTS_EXPECT_ANSWER)
        perform_driver_call(session, test);
    else if (test->driver)
        perform_situation(session, test);
    else if (test->kind == WCTS_KIND_EFFECT && pages)
        wcts_run_perform_pages(session, test);
    else if (test->kind == WCTS_KIND_EFFECT)
        attempt_facts(session, test, test->facts, test->fact_count, WCTS_FOR_TEST);
    else
        perform_call(session, test);
}
