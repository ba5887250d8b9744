/* SPDX-License-Identifier: MIT */
/* The interpreter of scripts: each act in the order of the script, in fresh parties. */
#include "script.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "use.h"

/* More pages than this are asked for in part only: what fits a reply. */
#define PAGES_MAX 256u

/* The content of a DMA buffer before a driver patches it. */
#define UNPATCHED 0xEE

static const struct wcts_step *step_of(const struct wcts_machine_performance *performance,
                                       const struct wcts_act *act)
{
    return act->call ? act->call : &performance->session->spec->cases->steps[act->step];
}

/* The step with the call of the test's base. */
static int base_step(const struct wcts_machine_performance *performance)
{
    const struct wcts_cases *cases = performance->session->spec->cases;
    return cases->bases[performance->script->test->base].step;
}

/* ---- Steps and calls ---- */

static bool perform_step(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    return wcts_machine_session_ensure_step(performance->session, act->step, &performance->attempt);
}

static bool perform_needs(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    const struct wcts_step *steps = performance->session->spec->cases->steps;
    (void)act;
    return wcts_machine_session_ensure_state(performance->session, &performance->attempt) &&
           wcts_machine_session_ensure_needs(performance->session, &steps[base_step(performance)],
                                             &performance->world, &performance->attempt);
}

/* Shows in the pulse that the test's own call begins or ends. */
static void mark_call(const struct wcts_machine_performance *performance, bool begins)
{
    struct wcts_exchange_pulse *pulse = performance->session->options.pulse;
    if (pulse && performance->boot->purpose == WCTS_FOR_TEST)
        atomic_store(&pulse->in_call, begins);
}

static bool perform_base(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    int index = base_step(performance);
    const struct wcts_step *step = &performance->session->spec->cases->steps[index];
    const struct wcts_world *world = &performance->world;
    uint32_t reply_size;
    (void)act;
    performance->attempt.operation = wcts_model_step_operation(performance->session->spec, step);
    mark_call(performance, true);
    performance->attempt.status = wcts_machine_session_send(
        performance->session, step, index, world, world->adapter_count, &reply_size);
    mark_call(performance, false);
    return true;
}

static bool perform_call(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    struct wcts_machine_session *session = performance->session;
    const struct wcts_step *step = step_of(performance, act);
    uint32_t reply_size = 0;
    wcts_status status;
    if ((step->narrow && session->claims.patch_width > WCTS_NARROW) ||
        (step->placed && !wcts_machine_session_placed(session, step)))
        return true;
    session->probe.answers = step->answers;
    session->probe.answer_count = step->answer_count;
    session->probe.unmade = step->unmade;
    session->probe.unmoved = step->unmoved;
    session->probe.unmapped = step->unmapped;
    status = wcts_machine_session_send_step(session, step, act->step, &reply_size);
    session->probe.answer_count = 0;
    session->probe.unmade = false;
    session->probe.unmoved = false;
    session->probe.unmapped = false;
    if (wcts_succeeded(status)) {
        wcts_machine_session_keep_results(session, step, reply_size);
        session->steps_done[act->step] = true;
    }
    return true;
}

/* ---- Memory ---- */

static bool perform_spoil(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    (void)act;
    wcts_machine_use_spoil(performance->session);
    return true;
}

static bool perform_memory(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    const struct wcts_step *step = step_of(performance, act);
    struct wcts_world world;
    wcts_world_init(&world, &performance->session->eval, 0, 4096);
    if (wcts_world_add_step(&world, step))
        wcts_machine_use_range(performance->session, step, &world);
    wcts_world_release(&world);
    return true;
}

/* ---- The buffer that a driver patches ---- */

static bool perform_fill(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    struct wcts_machine_session *session = performance->session;
    const struct wcts_step *step = &session->spec->cases->steps[base_step(performance)];
    struct wcts_DXGKARG_PATCH *patch = &performance->patch;
    struct wcts_machine_memory_request *write;
    uint32_t reply_size;
    size_t size;
    (void)act;
    if (!wcts_machine_message_build(&session->request, session->spec,
                                    &session->spec->messages[step->message], &performance->world,
                                    performance->world.adapter_count, &session->symbols))
        return false;
    *patch =
        ((const struct wcts_driver_patch_request *)(const void *)session->request.bytes)->Patch;
    size = sizeof *write + patch->DmaBufferSize;
    write = calloc(1, size);
    if (!write)
        return false;
    *write = (struct wcts_machine_memory_request){.size = sizeof *write,
                                                  .Address = patch->pDmaBuffer,
                                                  .Length = patch->DmaBufferSize,
                                                  .pData = sizeof *write};
    memset(write + 1, UNPATCHED, patch->DmaBufferSize);
    wcts_machine_session_call(session, WCTS_MACHINE_WRITE, write, (uint32_t)size, &reply_size);
    free(write);
    return true;
}

static bool perform_dump(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    const struct wcts_machine_memory_request read = {.size = sizeof read,
                                                     .Address = performance->patch.pDmaBuffer,
                                                     .Length = performance->patch.DmaBufferSize};
    uint32_t reply_size;
    (void)act;
    wcts_machine_session_call(performance->session, WCTS_MACHINE_READ, &read, sizeof read,
                              &reply_size);
    return true;
}

/* ---- What the kernel reports ---- */

static uint64_t world_number(const struct wcts_machine_performance *performance, int instance,
                             struct wcts_ref ref)
{
    const struct wcts_machine_session *session = performance->session;
    return wcts_model_value_resolve(session->spec, &session->symbols,
                                    wcts_world_get(&performance->world, instance, ref));
}

static uint64_t operand_number(const struct wcts_machine_performance *performance,
                               const struct wcts_operand *operand)
{
    int where = wcts_world_resolve(&performance->world, performance->script->test->instance,
                                   operand->refs[0].structure);
    return where < 0 ? 0 : world_number(performance, where, operand->refs[0]);
}

/* The whole pages from the one that holds address on, up to the top of the address space. */
static uint32_t page_count(uint64_t address, uint64_t size)
{
    uint64_t room = (UINT64_MAX - address) / WCTS_GPU_PAGE + 1;
    uint64_t count = size / WCTS_GPU_PAGE < room ? size / WCTS_GPU_PAGE : room;
    return (uint32_t)(count < PAGES_MAX ? count : PAGES_MAX);
}

static uint32_t handle_of(const struct wcts_machine_session *session, const char *name)
{
    int symbol = wcts_model_cases_symbol(session->spec->cases, name);
    return symbol < 0 ? 0 : (uint32_t)session->symbols.values[symbol];
}

/* False if the pages were not reported. An address in a request may be anywhere in its page. */
static bool perform_query(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    struct wcts_machine_session *session = performance->session;
    const struct wcts_operand *arg = session->spec->rules[performance->script->test->rule].arg;
    struct wcts_kernel_query_pages_request request = {.size = sizeof request,
                                                      .hProcess = handle_of(session, "process"),
                                                      .hAdapter = handle_of(session, "adapter"),
                                                      .Address = act->address};
    uint64_t size = act->size;
    const struct wcts_kernel_query_pages_reply *reply = (const void *)session->reply;
    int index = session->exchange.count;
    uint32_t reply_size = 0;
    wcts_status status;
    if (act->look && !arg[act->at].given)
        return true;
    if (act->look) {
        request.Address =
            operand_number(performance, &arg[act->at]) / WCTS_GPU_PAGE * WCTS_GPU_PAGE;
        size = operand_number(performance, &arg[WCTS_ARG_SIZE]);
    }
    request.Count = page_count(request.Address, size);
    if (request.Count == 0)
        return true;
    status = wcts_machine_session_to_kernel(session, WCTS_KERNEL_QUERY_PAGES, &request,
                                            sizeof request, &reply_size);
    if (index < session->exchange.count)
        session->exchange.records[index].look = act->look;
    return wcts_succeeded(status) && reply->Count == request.Count &&
           wcts_message_at(reply, reply_size, reply->pPages, reply->Count,
                           sizeof(struct wcts_page));
}

static bool perform_settle(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    struct wcts_none none = {.size = sizeof none};
    uint32_t reply_size;
    (void)act;
    wcts_machine_session_to_kernel(performance->session, WCTS_KERNEL_SETTLE, &none, sizeof none,
                                   &reply_size);
    return true;
}

static bool perform_sizes(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    struct wcts_machine_session *session = performance->session;
    struct wcts_kernel_allocation_request request = {.size = sizeof request,
                                                     .hDevice = handle_of(session, "device")};
    const struct wcts_world *world = &performance->world;
    struct wcts_ref handle = *performance->script->handle;
    uint32_t reply_size;
    (void)act;
    for (int i = 0; i < world->count; i++) {
        if (!world->instances[i].present || world->instances[i].structure != handle.structure)
            continue;
        request.hAllocation = (uint32_t)world_number(performance, i, handle);
        wcts_machine_session_to_kernel(session, WCTS_KERNEL_QUERY_ALLOCATION, &request,
                                       sizeof request, &reply_size);
    }
    return true;
}

/* ---- Kinds of allocations ---- */

/* The allocations that a driver under test is asked for at once: what holds for one has to hold for
 * those beside it, too. */
#define SEVERAL 3u

static void note_created(struct wcts_machine_performance *performance, uint32_t reply_size)
{
    const struct wcts_machine_session *session = performance->session;
    const struct wcts_kernel_allocation_create *request = (const void *)session->request.bytes;
    const struct wcts_kernel_allocation_create *reply = (const void *)session->reply;
    struct wcts_D3DDDI_ALLOCATIONINFO2 info;
    const uint8_t *at;
    uint32_t count = reply_size < sizeof *reply ? 0 : reply->Args.NumAllocations;
    at = wcts_message_at(reply, reply_size, reply->Args.pAllocationInfo2, count, sizeof info);
    for (uint32_t i = 0; at && i < count && performance->created_count < WCTS_CREATED_MAX; i++) {
        memcpy(&info, at + i * sizeof info, sizeof info);
        performance->device = request->Args.hDevice;
        if (info.hAllocation)
            performance->created[performance->created_count++] = info.hAllocation;
    }
}

/* Makes a request for one allocation one for several that are alike. */
static void ask_for_several(struct wcts_exchange_buffer *buffer)
{
    struct wcts_kernel_allocation_create *request = (void *)buffer->bytes;
    struct wcts_D3DDDI_ALLOCATIONINFO2 info;
    const void *one = wcts_message_at(buffer->bytes, (uint32_t)buffer->size,
                                      request->Args.pAllocationInfo2, 1, sizeof info);
    size_t at;
    if (!one || request->Args.NumAllocations != 1)
        return;
    memcpy(&info, one, sizeof info);
    at = wcts_exchange_buffer_add(buffer, SEVERAL * sizeof info);
    if (at == 0)
        return;
    for (uint32_t i = 0; i < SEVERAL; i++)
        memcpy(buffer->bytes + at + i * sizeof info, &info, sizeof info);
    request = (void *)buffer->bytes;
    request->Args.NumAllocations = SEVERAL;
    request->Args.pAllocationInfo2 = at;
}

/* What a driver under test is asked for at once. */
enum machine_request { REQUEST_ONE, REQUEST_SEVERAL, REQUEST_SEVERAL_KINDS };

static bool attach_for(struct wcts_machine_session *session, int kind, enum machine_request asked)
{
    return kind < 0 || (asked == REQUEST_SEVERAL_KINDS
                            ? wcts_machine_session_attach_kinds(session, (uint32_t)kind)
                            : wcts_machine_session_attach_kind(session, (uint32_t)kind));
}

/* kind -1: the driver lists none. Several allocations may be refused where one is not: only what
 * the driver answers for them counts. */
static void create_of_kind(struct wcts_machine_performance *performance,
                           const struct wcts_step *step, int kind, enum machine_request asked)
{
    struct wcts_machine_session *session = performance->session;
    const struct wcts_message *message = &session->spec->messages[step->message];
    struct wcts_world world;
    uint32_t reply_size;
    wcts_world_init(&world, &session->eval, 0, 4096);
    if (wcts_world_add_step(&world, step) &&
        wcts_machine_message_build(&session->request, session->spec, message, &world, 0,
                                   &session->symbols)) {
        if (asked != REQUEST_ONE)
            ask_for_several(&session->request);
        if (!attach_for(session, kind, asked)) {
            wcts_world_release(&world);
            return;
        }
        wcts_machine_session_to_kernel(session, message->operation, session->request.bytes,
                                       (uint32_t)session->request.size, &reply_size);
        if (session->exchange.count > 0)
            session->exchange.records[wcts_exchange_last_call(&session->exchange)].of_kind =
                asked == REQUEST_ONE;
        note_created(performance, reply_size);
    }
    wcts_world_release(&world);
}

/* What a driver under test is asked by beside the base; what it has not it answers so. */
static void send_also(struct wcts_machine_performance *performance, const struct wcts_base *base)
{
    struct wcts_machine_session *session = performance->session;
    const struct wcts_step *steps = session->spec->cases->steps;
    const int version = performance->script->test->version;
    for (int i = 0; i < base->also_count; i++) {
        const struct wcts_step *step = &steps[base->also[i]];
        uint32_t reply_size = 0;
        if (version >= step->since && version < step->until &&
            wcts_machine_session_ensure_needs(session, step, NULL, &performance->attempt))
            wcts_machine_session_send_step(session, step, base->also[i], &reply_size);
    }
}

static void perform_driver_base(struct wcts_machine_performance *performance,
                                const struct wcts_base *base)
{
    struct wcts_machine_session *session = performance->session;
    const struct wcts_step *step = &session->spec->cases->steps[base->step];
    const uint8_t *reply;
    uint32_t size, count, reply_size = 0;
    if (!wcts_machine_session_ensure_needs(session, step, NULL, &performance->attempt))
        return;
    wcts_machine_session_send_step(session, step, base->step, &reply_size);
    send_also(performance, base);
    if (wcts_model_step_operation(session->spec, step) != WCTS_KERNEL_ALLOCATION_CREATE)
        return;
    note_created(performance, reply_size);
    count = base->kinds ? wcts_exchange_kinds(&session->exchange, &reply, &size) : 0;
    for (uint32_t i = 0; i < count; i++)
        create_of_kind(performance, step, (int)i, REQUEST_ONE);
    for (uint32_t i = 0; base->kinds && (i == 0 || i < count); i++)
        create_of_kind(performance, step, count == 0 ? -1 : (int)i, REQUEST_SEVERAL);
    for (uint32_t i = 0; count > 1 && i < count; i++)
        create_of_kind(performance, step, (int)i, REQUEST_SEVERAL_KINDS);
}

/* A base that cannot be set up is no reason to leave out the others. */
static bool perform_kinds(struct wcts_machine_performance *performance, const struct wcts_act *act)
{
    const struct wcts_cases *cases = performance->session->spec->cases;
    int version = performance->script->test->version;
    (void)act;
    for (int i = 0; i < cases->bases_count; i++) {
        const struct wcts_base *base = &cases->bases[i];
        if (base->driver && version >= base->since && version < base->until)
            perform_driver_base(performance, base);
    }
    return true;
}

static bool perform_destroy(struct wcts_machine_performance *performance,
                            const struct wcts_act *act)
{
    (void)act;
    for (int i = 0; i < performance->created_count; i++) {
        struct {
            struct wcts_kernel_allocation_destroy_request request;
            uint32_t handles[2];
        } message = {.request = {.size = sizeof message.request},
                     .handles = {performance->created[i]}};
        uint32_t reply_size;
        message.request.Args.hDevice = performance->device;
        message.request.Args.AllocationCount = 1;
        message.request.Args.phAllocationList = sizeof message.request;
        wcts_machine_session_to_kernel(performance->session, WCTS_KERNEL_ALLOCATION_DESTROY,
                                       &message, sizeof message, &reply_size);
    }
    return true;
}

/* ---- Scripts ---- */

bool wcts_machine_script_act(struct wcts_machine_performance *performance,
                             const struct wcts_act *act)
{
    static bool (*const performs[WCTS_ACT_COUNT])(struct wcts_machine_performance * performance,
                                                  const struct wcts_act *act) = {
        [WCTS_ACT_STEP] = perform_step,      [WCTS_ACT_CALL] = perform_call,
        [WCTS_ACT_MEMORY] = perform_memory,  [WCTS_ACT_SPOIL] = perform_spoil,
        [WCTS_ACT_NEEDS] = perform_needs,    [WCTS_ACT_BASE] = perform_base,
        [WCTS_ACT_QUERY] = perform_query,    [WCTS_ACT_SETTLE] = perform_settle,
        [WCTS_ACT_SIZES] = perform_sizes,    [WCTS_ACT_FILL] = perform_fill,
        [WCTS_ACT_DUMP] = perform_dump,      [WCTS_ACT_KINDS] = perform_kinds,
        [WCTS_ACT_DESTROY] = perform_destroy};
    return performance->session->exchange.breach_kind == WCTS_BREACH_NONE &&
           performs[act->kind](performance, act);
}

/* The values of the parameters of a scenario. */
static void set_parameters(struct wcts_machine_session *session, const struct wcts_case *test)
{
    for (int i = 0; test->scenario && i < test->scenario->loop_count; i++) {
        const struct wcts_loop *loop = &test->scenario->loops[i];
        session->symbols.values[loop->symbol] = wcts_model_value_resolve(
            session->spec, &session->symbols, loop->values[test->values[i]]);
    }
}

static bool make_performed_world(struct wcts_machine_performance *performance)
{
    const struct wcts_script *script = performance->script;
    const struct wcts_case *test = script->test;
    const struct wcts_eval *eval = &performance->session->eval;
    if (script->adapter >= 0)
        return wcts_world_init_adapter(&performance->world, eval, script->adapter, test->version,
                                       test->page_size);
    if (test->base >= 0) {
        if (!wcts_oracle_case_world(&performance->world, eval, test, performance->boot->facts,
                                    performance->boot->fact_count))
            return false;
        wcts_machine_state_put(performance->session->spec, performance->session->state,
                               base_step(performance), &performance->world);
        return true;
    }
    wcts_world_init(&performance->world, eval, test->version, test->page_size);
    return true;
}

bool wcts_machine_script_begin(struct wcts_machine_performance *performance,
                               struct wcts_machine_session *session,
                               const struct wcts_script *script, int boot)
{
    performance->session = session;
    performance->script = script;
    performance->boot = &script->boots[boot];
    performance->attempt = (struct wcts_exchange_attempt){.end = WCTS_ATTEMPT_NO_BOOT};
    performance->created_count = 0;
    performance->whole = false;
    session->kinds_asked = 0;
    session->unplaced = 0;
    session->state =
        script->test->state ? &session->spec->cases->states[script->test->state - 1] : NULL;
    if (!make_performed_world(performance))
        return false;
    session->probe.world = &performance->world;
    if (!wcts_machine_session_boot(session, script->test->version, script->test->page_size))
        return false;
    performance->attempt.end = WCTS_ATTEMPT_ANSWERED;
    set_parameters(session, script->test);
    return true;
}

/* Keeps the values of the symbols that the calls of a base may name; false without memory. */
static bool keep_symbols(const struct wcts_machine_session *session,
                         struct wcts_exchange_boot *boot)
{
    const size_t count = (size_t)session->spec->cases->common_symbols;
    boot->symbols = malloc((count + 1) * sizeof *boot->symbols);
    if (boot->symbols)
        WCTS_ARRAY_COPY(boot->symbols, session->symbols.values, count);
    return boot->symbols != NULL;
}

/* Closes what is open and adds the boot to the recording, with how the attempt ended. */
static struct wcts_exchange_boot *keep_boot(struct wcts_machine_session *session,
                                            const struct wcts_case *test, enum wcts_purpose purpose,
                                            const struct wcts_exchange_attempt *attempt)
{
    int closing;
    struct wcts_exchange_boot *boot;
    wcts_machine_session_shut_down(session);
    for (closing = session->exchange.count;
         closing > 0 && session->exchange.records[closing - 1].between;)
        closing--;
    boot = wcts_exchange_recording_add(&session->recording, purpose, &session->exchange);
    if (!boot)
        return NULL;
    boot->attempt = *attempt;
    boot->attempt.nth = wcts_exchange_count_calls(&boot->exchange, closing, attempt->operation);
    boot->kind = session->kind;
    boot->unplaced = session->unplaced;
    boot->closing = closing;
    if (attempt->end == WCTS_ATTEMPT_NO_BOOT && session->no_instance[0]) {
        boot->no_instance = strdup(session->no_instance);
        boot->reference_lacks = session->reference_lacks;
    }
    if (!test->scenario && !keep_symbols(session, boot)) {
        boot->attempt.end = WCTS_ATTEMPT_NO_BOOT; /* nothing can be judged of it */
        return NULL;
    }
    return boot;
}

struct wcts_exchange_boot *wcts_machine_script_end(struct wcts_machine_performance *performance)
{
    struct wcts_machine_session *session = performance->session;
    struct wcts_exchange_boot *boot = keep_boot(session, performance->script->test,
                                                performance->boot->purpose, &performance->attempt);
    if (boot)
        boot->whole = performance->whole;
    session->probe.world = NULL;
    wcts_world_release(&performance->world);
    return boot;
}

struct wcts_exchange_boot *wcts_machine_script_perform(struct wcts_machine_session *session,
                                                       const struct wcts_script *script, int boot)
{
    struct wcts_machine_performance performance;
    const struct wcts_script_boot *acts = &script->boots[boot];
    bool goes_on = wcts_machine_script_begin(&performance, session, script, boot);
    for (int i = 0; goes_on && i < acts->act_count; i++)
        goes_on = wcts_machine_script_act(&performance, &acts->acts[i]);
    performance.whole = goes_on;
    return wcts_machine_script_end(&performance);
}
