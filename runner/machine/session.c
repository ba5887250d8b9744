/* SPDX-License-Identifier: MIT */
/* Sessions: booting, running steps of base.xml, making the call of a case. */
#include <string.h>

#include "../base/text.h"
#include "../exchange/trace.h"
#include "../model/names.h"
#include "session.h"

/* ---- Calls between the parties ---- */

/* Maps the segments that have an address for the CPU. */
static void map_segments(struct wcts_machine_session *session, const uint8_t *reply, uint32_t size)
{
    const struct wcts_driver_segments_reply *out = (const void *)reply;
    const struct wcts_exchange *exchange = &session->exchange;
    const struct wcts_kernel_adapter_start_request *start;
    uint32_t adapter = 0;
    int call = exchange->count - 1;
    while (call > 0 && exchange->records[call].depth != 0)
        call--;
    if (call >= 0 && exchange->records[call].operation == WCTS_KERNEL_ADAPTER_START) {
        start = (const void *)exchange->records[call].request;
        adapter = start->Index;
    }
    for (uint32_t i = 0; i < out->Count && i < 32; i++) {
        const uint8_t *at = wcts_message_at(reply, size, out->pSegments + i * (uint64_t)out->Stride,
                                            1, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR));
        struct wcts_DXGK_SEGMENTDESCRIPTOR segment;
        if (!at)
            return;
        memcpy(&segment, at, sizeof segment);
        if (segment.CpuTranslatedAddress)
            wcts_machine_map_segment(session->machine, segment.CpuTranslatedAddress, segment.Size,
                                     WCTS_SPACE(adapter, i + 1));
    }
}

/* Counts the answer if it is from the side under test. */
static void note_answered(struct wcts_machine_session *session, bool driver, uint32_t operation,
                          wcts_status status)
{
    enum wcts_exchange_answer answer = wcts_exchange_answer_of(status);
    uint64_t bit = wcts_model_operation_bit(operation);
    if (session->trying || driver != session->options.driver || session->exchange.breach[0])
        return;
    if (answer == WCTS_ANSWER_MISSING)
        session->answered.missing |= bit;
    else
        session->answered.implemented |= bit;
    if (answer == WCTS_ANSWER_ACCEPTED)
        session->answered.accepted |= bit;
}

/* Counts which paging operation it was that a driver under test answered. */
static void note_paged(struct wcts_machine_session *session, const void *request, uint32_t size,
                       wcts_status status)
{
    struct wcts_driver_paging_request paging;
    bool missing = wcts_exchange_answer_of(status) == WCTS_ANSWER_MISSING;
    if (size < sizeof paging || session->trying || !session->options.driver ||
        session->exchange.breach[0])
        return;
    memcpy(&paging, request, sizeof paging);
    if (paging.Operation < 32)
        *(missing ? &session->answered.unpaged : &session->answered.paged) |= UINT32_C(1)
                                                                              << paging.Operation;
}

void wcts_machine_session_note_answered(struct wcts_machine_session *session, uint32_t operation,
                                        wcts_status status)
{
    note_answered(session, false, operation, status);
}

/* Rejects a reply of the implementation with an array that leads out of it. */
static wcts_status check_reply_bounds(struct wcts_machine_session *session, wcts_status status,
                                      uint32_t operation, const void *reply, uint32_t *reply_size)
{
    if (!wcts_succeeded(status) || wcts_machine_bounds_check(&session->exchange, session->spec,
                                                             operation, true, reply, *reply_size))
        return status;
    *reply_size = 0;
    return WCTS_STATUS_NOT_SUPPORTED;
}

/* A call whose request is guarded; room NULL: of the side that is not under test. */
struct machine_guarded {
    struct wcts_machine_room *room;
    wcts_call_fn *call;
    void *ctx;
};

static wcts_status guarded_call(void *ctx, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    const struct machine_guarded *guarded = ctx;
    const void *lent =
        guarded->room ? wcts_machine_room_lend(guarded->room, request, request_size) : request;
    wcts_status status =
        guarded->call(guarded->ctx, operation, lent, request_size, reply, reply_room, reply_size);
    if (guarded->room)
        wcts_machine_room_return(guarded->room, lent);
    return status;
}

wcts_status wcts_machine_session_to_driver(struct wcts_machine_session *session, uint32_t operation,
                                           const void *request, uint32_t request_size, void *reply,
                                           uint32_t reply_room, uint32_t *reply_size)
{
    wcts_call_fn *call = session->driver && session->driver_plugin ? session->driver_plugin->call
                                                                   : wcts_machine_probe_call;
    void *ctx = session->driver ? session->driver : &session->probe;
    uint8_t *room = NULL;
    struct machine_guarded guarded = {session->options.driver ? &session->asked_room : NULL, call,
                                      ctx};
    bool before = session->driver_answers;
    wcts_status status;
    /* A driver under test does not write into the buffer of the kernel that asks, but into a
     * guarded room; calls nested in its own do without. */
    if (session->driver && reply != session->reply && !before)
        room = wcts_machine_room_get(&session->driver_room, reply_room);
    room = room ? memcpy(room, reply, reply_room) : reply;
    session->driver_answers = before || room != reply;
    status = wcts_exchange_recorded_call(&session->exchange, guarded_call, &guarded, operation,
                                         request, request_size, room, reply_room, reply_size);
    session->driver_answers = before;
    if (room != reply)
        memcpy(reply, room, *reply_size);
    if (session->driver)
        status = check_reply_bounds(session, status, operation, reply, reply_size);
    note_answered(session, true, operation, status);
    if (operation == WCTS_DRIVER_PAGING)
        note_paged(session, request, request_size, status);
    if (operation == WCTS_DRIVER_SEGMENTS && wcts_succeeded(status) && session->machine &&
        !session->exchange.quiet && *reply_size >= sizeof(struct wcts_driver_segments_reply))
        map_segments(session, reply, *reply_size);
    return status;
}

static void keep_log(struct wcts_exchange *exchange, const void *request, uint32_t request_size)
{
    const struct wcts_machine_log_request *in = request;
    const char *text;
    size_t used = strlen(exchange->log);
    if (request_size < sizeof *in)
        return;
    text = wcts_message_at(request, request_size, in->pText, in->Length, 1);
    if (text)
        snprintf(exchange->log + used, sizeof exchange->log - used, "%s%.*s", used ? "; " : "",
                 (int)(in->Length < 400 ? in->Length : 400), text);
    wcts_text_one_line(wcts_text_clean(exchange->log + used));
}

wcts_status wcts_machine_session_cross(void *ctx, uint32_t operation, const void *request,
                                       uint32_t request_size, void *reply, uint32_t reply_room,
                                       uint32_t *reply_size)
{
    struct wcts_machine_session *session = ctx;
    uint32_t ignored = 0, *size = reply_size ? reply_size : &ignored;
    *size = 0;
    if (session->exchange.depth > 0)
        wcts_machine_bounds_check(&session->exchange, session->spec, operation, false, request,
                                  request_size);
    if (operation == WCTS_MACHINE_LOG) {
        keep_log(&session->exchange, request, request_size);
        wcts_exchange_pulse_log(session->options.pulse, session->exchange.log);
    }
    if (operation >> 8 == WCTS_DRIVER_INFO >> 8) {
        wcts_status status = wcts_machine_session_to_driver(session, operation, request,
                                                            request_size, reply, reply_room, size);
        if (session->noted)
            wcts_machine_answers_note(session->noted, operation, request, request_size, status,
                                      reply, *size);
        return status;
    }
    if (operation >> 8 == WCTS_MACHINE_READ >> 8)
        return wcts_exchange_recorded_call(&session->exchange, wcts_machine_call, session->machine,
                                           operation, request, request_size, reply, reply_room,
                                           size);
    return WCTS_STATUS_NOT_IMPLEMENTED;
}

wcts_status wcts_machine_session_to_kernel(struct wcts_machine_session *session, uint32_t operation,
                                           const void *request, uint32_t request_size,
                                           uint32_t *reply_size)
{
    struct machine_guarded guarded = {session->options.driver ? NULL : &session->asked_room,
                                      session->kernel_plugin ? session->kernel_plugin->call : NULL,
                                      session->kernel};
    wcts_status status;
    memset(session->reply, 0, WCTS_REPLY_ROOM);
    status =
        wcts_exchange_recorded_call(&session->exchange, guarded_call, &guarded, operation, request,
                                    request_size, session->reply, WCTS_REPLY_ROOM, reply_size);
    if (!session->options.driver)
        status = check_reply_bounds(session, status, operation, session->reply, reply_size);
    note_answered(session, false, operation, status);
    return status;
}

wcts_status wcts_machine_session_quiet_call(struct wcts_machine_session *session,
                                            uint32_t operation, const void *request,
                                            uint32_t request_size, uint32_t *reply_size)
{
    struct machine_guarded guarded = {&session->asked_room, session->kernel_plugin->call,
                                      session->kernel};
    uint32_t own = wcts_reply_size(operation);
    wcts_status status;
    memset(session->reply, 0, own);
    status =
        wcts_exchange_recorded_call(&session->exchange, guarded_call, &guarded, operation, request,
                                    request_size, session->reply, WCTS_REPLY_ROOM, reply_size);
    note_answered(session, false, operation, status);
    return status;
}

/* ---- Booting ---- */

static struct wcts_host host_of(struct wcts_machine_session *session, int version,
                                uint32_t page_size, const char *options)
{
    return (struct wcts_host){.size = sizeof(struct wcts_host),
                              .abi_version = WCTS_ABI_VERSION,
                              .interface_version =
                                  session->spec->versions[version].interface_version,
                              .page_size = page_size,
                              .ctx = session,
                              .call = wcts_machine_session_cross,
                              .options = options};
}

static void close_instance(struct wcts_machine_session *session, const struct wcts_plugin *plugin,
                           void *instance)
{
    struct wcts_exchange_pulse *pulse = session->options.pulse;
    uint32_t before = wcts_exchange_pulse_enter(pulse, WCTS_ACTIVITY_CLOSE);
    wcts_exchange_stream_event(&session->stream, WCTS_STREAM_CLOSE);
    if (plugin)
        plugin->close(instance);
    wcts_exchange_stream_event(&session->stream, WCTS_STREAM_CLOSED);
    wcts_exchange_pulse_leave(pulse, before);
}

static void *open_instance(struct wcts_machine_session *session,
                           const struct wcts_machine_loaded *loaded, const struct wcts_host *host,
                           uint32_t side)
{
    static const char other[] = "the record is of another side, version or page size";
    struct wcts_exchange_pulse *pulse = session->options.pulse;
    struct wcts_exchange_stream *stream = &session->stream;
    void *instance = session; /* reading: any */
    uint32_t before;
    wcts_exchange_stream_event(stream, WCTS_STREAM_OPEN);
    wcts_exchange_stream_same(stream, side, other);
    wcts_exchange_stream_same(stream, host->interface_version, other);
    wcts_exchange_stream_same(stream, host->page_size, other);
    before = wcts_exchange_pulse_enter(pulse, WCTS_ACTIVITY_OPEN);
    if (loaded->plugin)
        instance = wcts_machine_plugin_boot(loaded, host, side);
    if (!wcts_exchange_stream_event(stream, WCTS_STREAM_OPENED) ||
        !wcts_exchange_stream_number(stream, instance != NULL))
        instance = NULL;
    wcts_exchange_pulse_leave(pulse, before);
    return instance;
}

void wcts_machine_session_shut_down(struct wcts_machine_session *session)
{
    session->exchange.between = true;
    if (session->kernel)
        close_instance(session, session->kernel_plugin, session->kernel);
    if (session->driver)
        close_instance(session, session->driver_plugin, session->driver);
    session->exchange.between = false;
    session->kernel = session->driver = NULL;
}

/* How the reference kernel is opened for a driver under test: content leaves now through an
 * aperture, now straight, so that the driver is asked for both. */
#define REFERENCE_OPTIONS "evict=both"

/* Opens the sides; the kernel's options are those of --impl unless it is the reference. */
bool wcts_machine_session_boot(struct wcts_machine_session *session, int version,
                               uint32_t page_size)
{
    struct wcts_host *hosts = session->hosts;
    const char *own = session->plugin_options, *log = session->exchange.log;
    bool driver = session->options.driver;
    memset(session->steps_done, 0, (size_t)session->spec->cases->steps_count);
    memset(session->symbols.values, 0,
           (size_t)session->spec->cases->symbols_count * sizeof *session->symbols.values);
    session->no_instance[0] = '\0';
    wcts_exchange_reset(&session->exchange);
    wcts_exchange_pulse_log(session->options.pulse, "");
    if (session->options.pulse)
        atomic_store(&session->options.pulse->version, (unsigned)version + 1);
    if (session->machine)
        wcts_machine_reset(session->machine);
    wcts_machine_probe_reset(&session->probe);
    hosts[0] = host_of(session, version, page_size, driver ? REFERENCE_OPTIONS : own);
    hosts[1] = host_of(session, version, page_size, own);
    session->kernel_plugin = driver ? session->reference.plugin : session->tested.plugin;
    session->driver_plugin = session->tested.plugin;
    session->exchange.between = true;
    session->kernel = open_instance(session, driver ? &session->reference : &session->tested,
                                    &hosts[0], WCTS_SIDE_KERNEL);
    if (session->kernel && driver)
        session->driver = open_instance(session, &session->tested, &hosts[1], WCTS_SIDE_DRIVER);
    session->exchange.between = false;
    if (session->kernel && (session->driver || !driver))
        return true;
    session->reference_lacks = driver && !session->kernel;
    if (session->reference_lacks)
        snprintf(session->no_instance, sizeof session->no_instance,
                 "the reference kernel does not know the version");
    else
        snprintf(session->no_instance, sizeof session->no_instance, "open() returned NULL%s%.300s",
                 log[0] ? ", having logged: " : "", log);
    wcts_machine_session_shut_down(session);
    return false;
}

/* ---- Steps ---- */

void wcts_machine_session_keep_results(struct wcts_machine_session *session,
                                       const struct wcts_step *step, uint32_t reply_size)
{
    const struct wcts_spec *spec = session->spec;
    const struct wcts_exchange_view trace = {spec, &session->exchange, 0};
    if (step->result >= 0)
        session->symbols.values[step->result] = wcts_exchange_reply_value(
            session->spec, step, step->result_ref, step->result_index, session->reply, reply_size);
    /* Further results are in the reply, else in what the driver answered or was asked during the
     * call. */
    for (int i = 0; i < step->output_count; i++) {
        const struct wcts_step_output *take = &step->outputs[i];
        const struct wcts_member *member = wcts_model_ref_member(spec, take->ref);
        const uint8_t *at = NULL;
        uint64_t *value = &session->symbols.values[take->symbol];
        if (take->ref.structure == spec->messages[step->message].reply ||
            wcts_exchange_reply_array(session->spec, step, take->ref.structure, session->reply,
                                      reply_size)) {
            *value = wcts_exchange_reply_value(session->spec, step, take->ref, take->index,
                                               session->reply, reply_size);
            continue;
        }
        for (int asked = 0; asked < 2 && !at && session->exchange.count > 0; asked++)
            at = wcts_exchange_find(&trace,
                                    (struct wcts_exchange_cursor){
                                        wcts_exchange_last_call(&session->exchange), take->index},
                                    take->ref.structure, !asked);
        *value = at ? wcts_exchange_bytes_get(at + member->offset, member->width)
                    : wcts_model_value_resolve(spec, &session->symbols, take->otherwise);
    }
}

static wcts_status make_region(struct wcts_machine_session *session, const struct wcts_step *step)
{
    const struct wcts_cases *cases = session->spec->cases;
    const struct wcts_symbol *symbol = &cases->symbols[step->result];
    struct wcts_kernel_region_request request = {
        .size = sizeof request, .Size = symbol->size, .Attributes = symbol->attributes};
    const struct wcts_kernel_region_reply *reply = (const void *)session->reply;
    int process = wcts_model_cases_symbol(cases, "process");
    struct wcts_exchange_attempt ignored;
    uint32_t reply_size;
    wcts_status status;
    if (session->options.driver || session->claims.capabilities & WCTS_CAPABILITY_MACHINE) {
        session->symbols.values[step->result] = wcts_machine_session_region(
            session, symbol,
            symbol->behind < 0
                ? 0
                : session->symbols.values[symbol->behind] + cases->symbols[symbol->behind].size);
        return WCTS_STATUS_SUCCESS;
    }
    /* A kernel with regions of its own makes them for a process. */
    if (process >= 0 &&
        wcts_machine_session_ensure_step(session, cases->symbols[process].step, &ignored))
        request.hProcess = (uint32_t)session->symbols.values[process];
    status = wcts_machine_session_to_kernel(session, WCTS_KERNEL_REGION, &request, sizeof request,
                                            &reply_size);
    if (wcts_succeeded(status))
        session->symbols.values[step->result] = reply->Address;
    return status;
}

/* ---- Sending ---- */

wcts_status wcts_machine_session_send(struct wcts_machine_session *session,
                                      const struct wcts_step *step, int index,
                                      const struct wcts_world *world, int first,
                                      uint32_t *reply_size)
{
    const struct wcts_message *message = &session->spec->messages[step->message];
    int record;
    wcts_status status;
    if (!wcts_machine_message_build(&session->request, session->spec, message, world, first,
                                    &session->symbols))
        return WCTS_STATUS_NO_MEMORY;
    if (message->operation == WCTS_KERNEL_ALLOCATION_CREATE && session->options.driver)
        wcts_machine_session_attach_kind_at_hand(session);
    if (message->operation == WCTS_DRIVER_PATCH && session->options.driver)
        wcts_machine_session_place(session);
    record = session->exchange.count;
    if (message->operation >> 8 == WCTS_KERNEL_INFO >> 8)
        status = wcts_machine_session_to_kernel(session, message->operation, session->request.bytes,
                                                (uint32_t)session->request.size, reply_size);
    else
        status = wcts_machine_session_call(session, message->operation, session->request.bytes,
                                           (uint32_t)session->request.size, reply_size);
    if (record < session->exchange.count)
        session->exchange.records[record].step = index + 1;
    return status;
}

wcts_status wcts_machine_session_send_step(struct wcts_machine_session *session,
                                           const struct wcts_step *step, int index,
                                           uint32_t *reply_size)
{
    struct wcts_world world;
    wcts_status status = WCTS_STATUS_NO_MEMORY;
    if (step->message < 0)
        return make_region(session, step);
    wcts_world_init(&world, &session->eval, 0, 4096);
    if (wcts_world_add_step(&world, step)) {
        wcts_world_put_flags(&world, 0, step, &session->symbols);
        status = wcts_machine_session_send(session, step, index, &world, 0, reply_size);
    }
    wcts_world_release(&world);
    return status;
}

/* Sets the handle of a driver without devices or contexts of its own: for a context the device,
 * else a value of the suite's. */
static void name_missing(struct wcts_machine_session *session, const struct wcts_step *step)
{
    const struct wcts_message *message = &session->spec->messages[step->message];
    uint64_t value = UINT64_C(0x1000) * (uint64_t)(step - session->spec->cases->steps + 1);
    if (!message->driver || step->result < 0)
        return;
    if (message->operation == WCTS_DRIVER_CONTEXT && step->instances[0].set_count > 0)
        value = wcts_model_value_resolve(session->spec, &session->symbols,
                                         step->instances[0].sets[0].value);
    session->symbols.values[step->result] = value;
}

/* Attributes a failed call of the reference kernel to the driver's answer that caused it. */
static void blame_driver(const struct wcts_machine_session *session,
                         struct wcts_exchange_attempt *attempt)
{
    const struct wcts_exchange *exchange = &session->exchange;
    const struct wcts_exchange_record *cause;
    if (exchange->count == 0)
        return;
    cause = wcts_exchange_cause(exchange, wcts_exchange_last_call(exchange));
    if (wcts_succeeded(cause->status))
        return;
    attempt->operation = cause->operation;
    attempt->status = cause->status;
}

/* Sends a step, or, in a state that replaces it, what that has instead; if that is refused, the
 * step itself. */
static wcts_status send_in_state(struct wcts_machine_session *session, int index,
                                 uint32_t *reply_size)
{
    const struct wcts_step *steps = session->spec->cases->steps;
    const struct wcts_base_state *state = session->state;
    if (state && state->of == index) {
        wcts_status status =
            wcts_machine_session_send_step(session, &steps[state->with], state->with, reply_size);
        if (wcts_succeeded(status))
            return status;
    }
    return wcts_machine_session_send_step(session, &steps[index], index, reply_size);
}

/* Runs a step once. A missing set-up operation leaves its handle 0, for a driver a value. */
bool wcts_machine_session_ensure_step(struct wcts_machine_session *session, int index,
                                      struct wcts_exchange_attempt *attempt)
{
    const struct wcts_step *step = &session->spec->cases->steps[index];
    uint32_t reply_size = 0;
    wcts_status status;
    enum wcts_exchange_answer answer;
    if (session->steps_done[index])
        return true;
    session->steps_done[index] = true;
    if (!wcts_machine_session_ensure_needs(session, step, NULL, attempt))
        return false;
    /* A driver that creates no contexts is not asked for one. */
    status = step->message >= 0 && session->options.driver && !session->claims.creates_contexts &&
                     session->spec->messages[step->message].operation == WCTS_DRIVER_CONTEXT
                 ? WCTS_STATUS_NOT_SUPPORTED
                 : send_in_state(session, index, &reply_size);
    answer = wcts_exchange_answer_of(status);
    if (answer == WCTS_ANSWER_ACCEPTED) {
        if (step->message >= 0)
            wcts_machine_session_keep_results(session, step, reply_size);
        return true;
    }
    if (answer == WCTS_ANSWER_MISSING && session->exchange.breach[0] == 0 &&
        wcts_model_operation_missing(wcts_model_step_operation(session->spec, step)) ==
            WCTS_MISSING_SETUP) {
        name_missing(session, step);
        return true;
    }
    *attempt = (struct wcts_exchange_attempt){
        WCTS_ATTEMPT_SETUP, wcts_model_step_operation(session->spec, step), status, 0};
    if (session->options.driver)
        blame_driver(session, attempt);
    return false;
}

/* True if the instance that needs a step is sent: in the world or, without one, in the step. */
static bool is_need_of(const struct wcts_step *step, int need, const struct wcts_world *world)
{
    int instance = step->need_instances[need];
    if (instance < 0)
        return true;
    return world ? world->instances[world->adapter_count + instance].present
                 : wcts_model_step_sends(step, &step->instances[instance]);
}

bool wcts_machine_session_ensure_needs(struct wcts_machine_session *session,
                                       const struct wcts_step *step, const struct wcts_world *world,
                                       struct wcts_exchange_attempt *attempt)
{
    for (int i = 0; i < step->need_count; i++)
        if (is_need_of(step, i, world) &&
            !wcts_machine_session_ensure_step(session, step->needs[i], attempt))
            return false;
    return true;
}

bool wcts_machine_session_ensure_state(struct wcts_machine_session *session,
                                       struct wcts_exchange_attempt *attempt)
{
    const struct wcts_base_state *state = session->state;
    struct wcts_exchange_attempt refused;
    for (int i = 0; state && i < state->take_count; i++) {
        const struct wcts_step *take = &session->spec->cases->steps[state->takes[i]];
        if (!wcts_machine_session_ensure_needs(session, take, NULL, attempt))
            return false;
        wcts_machine_session_ensure_step(session, state->takes[i], &refused);
    }
    return true;
}

void wcts_machine_state_put(const struct wcts_spec *spec, const struct wcts_base_state *state,
                            int step, struct wcts_world *world)
{
    const struct wcts_instance *with;
    if (!state || state->of != step)
        return;
    with = &spec->cases->steps[state->with].instances[0];
    for (int i = 0; i < with->set_count; i++)
        wcts_world_put(world, world->adapter_count, with->sets[i].ref, with->sets[i].value);
    wcts_world_settle(world);
}

/* ---- Calls of the suite itself ---- */

wcts_status wcts_machine_session_call(struct wcts_machine_session *session, uint32_t operation,
                                      const void *request, uint32_t request_size,
                                      uint32_t *reply_size)
{
    memset(session->reply, 0, WCTS_REPLY_ROOM);
    return wcts_machine_session_cross(session, operation, request, request_size, session->reply,
                                      WCTS_REPLY_ROOM, reply_size);
}

/* ---- Ending what a call of a sweep made ---- */

static wcts_status end_allocations(struct wcts_machine_session *session, const void *request,
                                   const void *reply, uint32_t reply_size)
{
    const struct wcts_kernel_allocation_create *in = request, *out = reply;
    struct {
        struct wcts_kernel_allocation_destroy_request request;
        uint32_t handles[16];
    } message = {.request = {.size = sizeof message.request}};
    struct wcts_D3DDDI_ALLOCATIONINFO2 info;
    uint32_t size = sizeof message.request, count = in->Args.NumAllocations;
    message.request.Args.hDevice = in->Args.hDevice;
    message.request.Args.hResource = reply_size < sizeof *out ? 0 : out->Args.hResource;
    if (!message.request.Args.hResource) {
        if (reply_size < sizeof *out || count > 16 ||
            !wcts_message_at(reply, reply_size, out->Args.pAllocationInfo2, count, sizeof info))
            return WCTS_STATUS_NOT_SUPPORTED;
        for (uint32_t i = 0; i < count; i++, size += (uint32_t)sizeof *message.handles) {
            memcpy(&info, (const uint8_t *)reply + out->Args.pAllocationInfo2 + i * sizeof info,
                   sizeof info);
            message.handles[i] = info.hAllocation;
        }
        message.request.Args.AllocationCount = count;
        message.request.Args.phAllocationList = sizeof message.request;
    }
    return wcts_machine_session_quiet_call(session, WCTS_KERNEL_ALLOCATION_DESTROY, &message, size,
                                           NULL);
}

static wcts_status end_adapter(struct wcts_machine_session *session, const void *request,
                               const void *reply, uint32_t reply_size)
{
    const struct wcts_kernel_handle_reply *out = reply;
    const struct wcts_kernel_handle_request stop = {
        .size = sizeof stop, .Handle = reply_size < sizeof *out ? 0 : out->Handle};
    (void)request;
    return wcts_machine_session_quiet_call(session, WCTS_KERNEL_ADAPTER_STOP, &stop, sizeof stop,
                                           NULL);
}

/* How what an operation makes is ended again. */
static const struct ending {
    uint32_t operation, by;
    wcts_status (*end)(struct wcts_machine_session *session, const void *request, const void *reply,
                       uint32_t reply_size);
} endings[] = {{WCTS_KERNEL_ALLOCATION_CREATE, WCTS_KERNEL_ALLOCATION_DESTROY, end_allocations},
               {WCTS_KERNEL_ADAPTER_START, WCTS_KERNEL_ADAPTER_STOP, end_adapter}};

wcts_status wcts_machine_session_quiet_end(struct wcts_machine_session *session, uint32_t operation,
                                           const void *request, uint32_t reply_size)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (endings[i].operation == operation)
            return endings[i].end(session, request, session->reply, reply_size);
    return WCTS_STATUS_NOT_SUPPORTED;
}

uint32_t wcts_machine_session_ending(uint32_t operation)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (endings[i].operation == operation)
            return endings[i].by;
    return 0;
}

/* ---- Attempts to shrink ---- */

/* The levels at which a decision of an attempt would have been another. */
static void store_levels(struct wcts_machine_session *session)
{
    struct wcts_strictness *strictness = &session->strictness;
    uint64_t differs = wcts_exchange_stream_number(&session->stream, strictness->differs);
    strictness->differs = differs & WCTS_LEVELS_ALL & ~wcts_model_level_bit(strictness->level);
}

bool wcts_machine_session_try(struct wcts_machine_session *session, bool *fails)
{
    session->trying = !wcts_exchange_stream_try(&session->stream, fails);
    if (!session->trying)
        store_levels(session);
    return !session->trying;
}

void wcts_machine_session_tried(struct wcts_machine_session *session, bool fails)
{
    session->trying = false;
    wcts_exchange_stream_tried(&session->stream, fails);
    store_levels(session);
}

/* ---- Reasons ---- */

void wcts_machine_session_explain(const struct wcts_host *party, const char *operation,
                                  const char *reason)
{
    struct {
        struct wcts_machine_log_request head;
        char text[512];
    } message = {.head = {.size = sizeof message.head, .pText = sizeof message.head}};
    struct wcts_none answer;
    uint32_t size;
    snprintf(message.text, sizeof message.text, "%s: %.400s", operation, reason);
    wcts_text_clean(message.text);
    message.head.Length = (uint32_t)strlen(message.text);
    party->call(party->ctx, WCTS_MACHINE_LOG, &message,
                (uint32_t)sizeof message.head + message.head.Length, &answer, sizeof answer, &size);
}
