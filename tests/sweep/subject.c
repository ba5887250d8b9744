/* SPDX-License-Identifier: MIT */
#include "subject.h"
#include "runner/machine/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACCEPTED_A_BOOT 64
/* What a reply of the calls made here can have written. */
#define REPLY_USED 512

/* ---- The driver and the machine ---- */

/* What the driver says of its segments is the same but for the word. */
static wcts_status answer_segments(struct subject *subject, uint8_t *reply, uint32_t *reply_size)
{
    int variant = oracle_variant_of(subject->oracle, subject->value);
    uint8_t *at = reply + sizeof(struct wcts_driver_segments_reply) + subject->flags_at;
    memcpy(reply, subject->answers[variant], subject->answer_sizes[variant]);
    wcts_exchange_bytes_put(at, 4, subject->value);
    *reply_size = subject->answer_sizes[variant];
    return WCTS_STATUS_SUCCESS;
}

static wcts_status cross(void *ctx, uint32_t operation, const void *request, uint32_t request_size,
                         void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct subject *subject = ctx;
    uint32_t ignored, *size = reply_size ? reply_size : &ignored;
    if (operation >> 8 == WCTS_MACHINE_READ >> 8)
        return wcts_machine_call(subject->machine, operation, request, request_size, reply,
                                 reply_room, size);
    if (operation == WCTS_DRIVER_SEGMENTS && subject->oracle->segments)
        return answer_segments(subject, reply, size);
    return wcts_machine_probe_call(&subject->probe, operation, request, request_size, reply,
                                   reply_room, size);
}

/* ---- The kernel ---- */

static wcts_status ask(struct subject *subject, uint32_t operation, const void *request,
                       uint32_t request_size)
{
    uint32_t reply_size = 0;
    memset(subject->reply, 0, REPLY_USED);
    return subject->plugin->call(subject->kernel, operation, request, request_size, subject->reply,
                                 sizeof subject->reply, &reply_size);
}

static void must(struct subject *subject, uint32_t operation, const void *request,
                 uint32_t request_size)
{
    wcts_status status = ask(subject, operation, request, request_size);
    if (wcts_exchange_answer_of(status) == WCTS_ANSWER_ACCEPTED)
        return;
    printf("setting up: %s answered 0x%08x\n", wcts_operation_name(operation), (unsigned)status);
    fflush(stdout);
    _Exit(3);
}

static void keep_symbol(struct subject *subject, const char *name, uint64_t value)
{
    int symbol = wcts_model_cases_symbol(subject->spec->cases, name);
    if (symbol >= 0)
        subject->symbols.values[symbol] = value;
}

static uint32_t make_handle(struct subject *subject, uint32_t operation, const void *request,
                            uint32_t request_size, const char *symbol)
{
    const struct wcts_kernel_handle_reply *reply = (const void *)subject->reply;
    must(subject, operation, request, request_size);
    keep_symbol(subject, symbol, reply->Handle);
    return reply->Handle;
}

/* What the create call needs: an adapter, a process, a device, a section, user memory. */
static void prepare_create(struct subject *subject)
{
    struct wcts_kernel_adapter_start_request start = {.size = sizeof start};
    struct wcts_kernel_process_request process = {.size = sizeof process};
    struct wcts_kernel_device_request device = {.size = sizeof device};
    struct wcts_kernel_section_request section = {.size = sizeof section, .Size = 0x20000};
    const struct wcts_kernel_section_reply *made = (const void *)subject->reply;
    device.hAdapter =
        make_handle(subject, WCTS_KERNEL_ADAPTER_START, &start, sizeof start, "adapter");
    device.hProcess =
        make_handle(subject, WCTS_KERNEL_PROCESS, &process, sizeof process, "process");
    make_handle(subject, WCTS_KERNEL_DEVICE, &device, sizeof device, "device");
    section.hProcess = device.hProcess;
    must(subject, WCTS_KERNEL_SECTION, &section, sizeof section);
    keep_symbol(subject, "section", made->hSection);
    keep_symbol(subject, "buffer", wcts_machine_region(subject->machine, 0x100000, 0, 0));
    for (size_t i = 0; i < sizeof subject->requests / sizeof subject->requests[0]; i++)
        subject->requests[i].size = 0; /* handles may differ */
}

static void shut_down(struct subject *subject)
{
    if (subject->kernel)
        subject->plugin->close(subject->kernel);
    subject->kernel = NULL;
}

static void boot(struct subject *subject)
{
    subject->accepted = 0;
    wcts_machine_probe_reset(&subject->probe);
    wcts_machine_reset(subject->machine);
    subject->kernel = subject->plugin->open(&subject->host, WCTS_SIDE_KERNEL);
    if (!subject->kernel) {
        puts("setting up: the emulator gave no instance");
        fflush(stdout);
        _Exit(3);
    }
    if (!subject->oracle->segments)
        prepare_create(subject);
}

/* ---- One value ---- */

/* Which of the flags that decide about companions the value has, as a small number. */
static size_t companions_of(const struct oracle *oracle, uint64_t value)
{
    size_t number = 0, next = 1;
    for (uint64_t left = oracle->companions; left; left &= left - 1, next <<= 1)
        number |= value & (left & -left) ? next : 0;
    return number;
}

static wcts_status ask_create(struct subject *subject, uint64_t value)
{
    size_t kind = companions_of(subject->oracle, value);
    int create = wcts_model_spec_message(subject->spec, "KERNEL_ALLOCATION_CREATE");
    const struct wcts_message *message = &subject->spec->messages[create];
    struct wcts_exchange_buffer *request;
    wcts_status status;
    if (kind >= sizeof subject->requests / sizeof subject->requests[0])
        return WCTS_STATUS_NO_MEMORY;
    request = &subject->requests[kind];
    subject->probe.world =
        &subject->oracle->variants[oracle_variant_of(subject->oracle, value)].world;
    if (request->size == 0) {
        const struct wcts_world *world = oracle_world(subject->oracle, value);
        if (!wcts_machine_message_build(request, subject->spec, message, world,
                                        world->adapter_count, &subject->symbols))
            return WCTS_STATUS_NO_MEMORY;
    }
    wcts_exchange_bytes_put(request->bytes + message->request_at + subject->flags_at, 4, value);
    status = ask(subject, message->operation, request->bytes, (uint32_t)request->size);
    subject->accepted += wcts_succeeded(status);
    return status;
}

static wcts_status ask_segments(struct subject *subject, uint64_t value)
{
    struct wcts_kernel_adapter_start_request start = {.size = sizeof start};
    struct wcts_kernel_handle_request stop = {.size = sizeof stop};
    const struct wcts_kernel_handle_reply *reply = (const void *)subject->reply;
    wcts_status status;
    subject->value = value;
    subject->probe.world = &subject->oracle->variants[0].world;
    status = ask(subject, WCTS_KERNEL_ADAPTER_START, &start, sizeof start);
    if (wcts_succeeded(status)) {
        stop.Handle = reply->Handle;
        must(subject, WCTS_KERNEL_ADAPTER_STOP, &stop, sizeof stop);
        subject->accepted++;
    }
    return status;
}

wcts_status subject_ask(struct subject *subject, uint64_t value)
{
    if (subject->accepted >= ACCEPTED_A_BOOT)
        shut_down(subject);
    if (!subject->kernel)
        boot(subject);
    return subject->oracle->segments ? ask_segments(subject, value) : ask_create(subject, value);
}

/* ---- Life ---- */

/* The driver's answers are made once, by the scripted driver. */
static bool prepare_answers(struct subject *subject)
{
    struct wcts_none request = {.size = sizeof request};
    for (int v = 0; v < subject->oracle->variant_count; v++) {
        uint32_t size = 0;
        subject->probe.world = &subject->oracle->variants[v].world;
        if (!wcts_succeeded(wcts_machine_probe_call(&subject->probe, WCTS_DRIVER_SEGMENTS, &request,
                                                    sizeof request, subject->reply,
                                                    sizeof subject->reply, &size)) ||
            size > sizeof subject->answers[v])
            return false;
        memcpy(subject->answers[v], subject->reply, size);
        subject->answer_sizes[v] = size;
    }
    return true;
}

bool subject_init(struct subject *subject, struct oracle *oracle)
{
    const struct wcts_spec *spec = oracle->eval->spec;
    memset(subject, 0, sizeof *subject);
    subject->spec = spec;
    subject->oracle = oracle;
    subject->plugin = wcts_plugin_entry();
    subject->flags_at = wcts_model_ref_member(spec, oracle->member)->offset;
    subject->machine = wcts_machine_new();
    subject->symbols.values =
        calloc((size_t)spec->cases->symbols_count + 1, sizeof *subject->symbols.values);
    subject->probe = (struct wcts_machine_probe){
        .spec = spec, .world = &oracle->variants[0].world, .symbols = &subject->symbols};
    wcts_machine_probe_find_structures(&subject->probe);
    subject->host =
        (struct wcts_host){.size = sizeof subject->host,
                           .abi_version = WCTS_ABI_VERSION,
                           .interface_version = spec->versions[oracle->version].interface_version,
                           .page_size = 4096,
                           .ctx = subject,
                           .call = cross,
                           .options = "strict"};
    return subject->machine && subject->symbols.values &&
           (!oracle->segments || prepare_answers(subject));
}

void subject_release(struct subject *subject)
{
    shut_down(subject);
    wcts_machine_free(subject->machine);
    free(subject->symbols.values);
    for (size_t i = 0; i < sizeof subject->requests / sizeof subject->requests[0]; i++)
        free(subject->requests[i].bytes);
}
