/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel with a wrong answer that depends on bits of a word: of the create call's
 * flags (word=create), of a segment's (word=segment), or of the pages of the first operation that
 * updates addresses, if that maps (word=map, with what=refuse). Options, before emulator=PATH:
 *   what=refuse, accept, unsupported, die (SIGSEGV), hang
 *   what=behind, below, far-below    writes a byte outside the request, then answers as it should
 *   what=ask                 with word=segment: asks the driver something else then, and refuses
 *   what=echo                with word=create: the reply's flags differ in flips=MASK
 *   after=N                  with word=segment, what=refuse: not before the N-th start
 *   pages=N                  only where host pages have N bytes
 *   devices=N                only while there are N devices
 *   nth=N                    does so in the N-th call only that hits, of a process
 *   once=MASK                with what=die or hang: a word with which it dies as well, by SIGBUS
 *   far=HOW                  answers KERNEL_SWEEP with the helper of the header (on), but: missing
 *                            (NOT_SUPPORTED), count, short, offset, class, behind, none (answers
 *                            that cannot be), lie (to the first value), stop (after five), die,
 *                            hang, disturb (a message that breaks the protocol)
 *   set=MASK, clear=MASK     the bits on which it depends; or=MASK: other ones that do as well
 *   at=VERSION               an interface version; without it at all of them
 */
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "wrap.h"

struct flag_fault {
    struct wrapped *wrapped;
    struct wcts_host host; /* the suite's */
    char what[16], word[16], far[16];
    uint32_t set, clear, other, at, once, nth, flips;
    uint32_t segments; /* flags of all segments that the driver described last */
    uint32_t after, starts;
    uint32_t pages;
    uint32_t devices, made; /* made: devices since an adapter stopped */
};

static bool hits(const struct flag_fault *fault, uint32_t word)
{
    if (fault->at && fault->at != fault->host.interface_version)
        return false;
    if (fault->made < fault->devices || (fault->pages && fault->pages != fault->host.page_size))
        return false;
    return ((word & fault->set) == fault->set && (word & fault->clear) == 0) ||
           (fault->other && (word & fault->other) == fault->other);
}

static uint32_t number_option(const struct test_instance *options, const char *name)
{
    char text[32];
    return (uint32_t)strtoul(test_option(options, name, text, sizeof text), NULL, 0);
}

/* With what=behind, below or far-below; the suite's requests end within 8 bytes of a page. */
static void write_around(const struct flag_fault *fault, const void *request, uint32_t request_size)
{
    static uint32_t hit_count;
    unsigned char *bytes = (void *)(uintptr_t)request;
    if (fault->nth && ++hit_count != fault->nth)
        return;
    if (strcmp(fault->what, "behind") == 0)
        bytes[(request_size + 7) / 8 * 8] = 0x41;
    else if (strcmp(fault->what, "below") == 0)
        bytes[-1] = 0x41;
    else
        bytes[-2000] = 0x41;
}

/* With what=die or hang it does not come back. */
static void end_with(const struct flag_fault *fault, uint32_t word)
{
    bool dies = strcmp(fault->what, "die") == 0, hangs = strcmp(fault->what, "hang") == 0;
    if ((dies || hangs) && fault->once && word == fault->once)
        raise(SIGBUS);
    if (dies && hits(fault, word))
        raise(SIGSEGV);
    while (hangs && hits(fault, word))
        pause();
}

static wcts_status cross(void *ctx, uint32_t operation, const void *request, uint32_t request_size,
                         void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct flag_fault *fault = ctx;
    wcts_status status = fault->host.call(fault->host.ctx, operation, request, request_size, reply,
                                          reply_room, reply_size);
    const struct wcts_driver_segments_reply *out = reply;
    if (operation != WCTS_DRIVER_SEGMENTS || !wcts_succeeded(status))
        return status;
    fault->segments = 0;
    for (uint32_t i = 0; i < out->Count; i++) {
        struct wcts_DXGK_SEGMENTDESCRIPTOR segment;
        memcpy(&segment, (const uint8_t *)reply + out->pSegments + i * out->Stride, sizeof segment);
        fault->segments |= segment.Flags;
        /* What is to be taken although it is wrong: the kernel sees a segment without flags. */
        if (strcmp(fault->what, "accept") == 0 && hits(fault, segment.Flags)) {
            segment.Flags = 0;
            memcpy((uint8_t *)reply + out->pSegments + i * out->Stride, &segment, sizeof segment);
        }
    }
    return status;
}

/* The word of a request, if it has the one that the fault looks at. */
static bool read_word(const struct flag_fault *fault, uint32_t operation, const void *request,
                      uint32_t *word)
{
    const struct wcts_kernel_allocation_create *create = request;
    const struct wcts_kernel_va_update_request *update = request;
    struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION first;
    if (strcmp(fault->word, "create") == 0 && operation == WCTS_KERNEL_ALLOCATION_CREATE) {
        *word = create->Args.Flags;
        return true;
    }
    if (strcmp(fault->word, "map") != 0 || operation != WCTS_KERNEL_VA_UPDATE ||
        update->Args.NumOperations == 0)
        return false;
    memcpy(&first, (const uint8_t *)request + update->Args.Operations, sizeof first);
    *word = (uint32_t)(first.Map.SizeInBytes >> 12);
    return first.OperationType == 0;
}

static bool is_far(const struct flag_fault *fault, const char *how)
{
    return strcmp(fault->far, how) == 0;
}

static wcts_call_fn fault_call;

static wcts_status answer_sweep(struct flag_fault *fault, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    struct wcts_kernel_sweep_reply *out = reply;
    unsigned char *answers = (unsigned char *)(out + 1);
    const struct wcts_machine_log_request log = {
        .size = sizeof log, .Length = 1000, .pText = sizeof log};
    struct wcts_none none;
    uint32_t size;
    wcts_status status;
    if (is_far(fault, "missing"))
        return WCTS_STATUS_NOT_SUPPORTED;
    if (is_far(fault, "die"))
        raise(SIGSEGV);
    while (is_far(fault, "hang"))
        pause();
    if (is_far(fault, "disturb"))
        fault->host.call(fault->host.ctx, WCTS_MACHINE_LOG, &log, sizeof log, &none, sizeof none,
                         &size);
    status = wcts_sweep(fault_call, fault, request, request_size, reply, reply_room, reply_size);
    if (!wcts_succeeded(status))
        return status;
    if (is_far(fault, "count"))
        out->Count--;
    else if (is_far(fault, "short"))
        *reply_size = 8;
    else if (is_far(fault, "offset"))
        out->pAnswers += 1;
    else if (is_far(fault, "class"))
        answers[0] = 5;
    else if (is_far(fault, "behind"))
        answers[0] = WCTS_SWEEP_NOT_SENT;
    else if (is_far(fault, "none"))
        memset(answers, WCTS_SWEEP_NOT_SENT, out->Count);
    else if (is_far(fault, "lie"))
        answers[0] = answers[0] == WCTS_SWEEP_ACCEPTED ? WCTS_SWEEP_REFUSED : WCTS_SWEEP_ACCEPTED;
    else if (is_far(fault, "stop") && out->Count > 5)
        memset(answers + 5, WCTS_SWEEP_NOT_SENT, out->Count - 5);
    return status;
}

/* True if the adapter that was started is refused all the same, by what the driver answered. */
static bool refuses_adapter(struct flag_fault *fault)
{
    const struct {
        struct wcts_none none;
        uint64_t more;
    } question = {{.size = sizeof question.none}, 1};
    struct wcts_driver_info_reply answer;
    uint32_t size;
    bool asks = strcmp(fault->what, "ask") == 0;
    if ((!asks && strcmp(fault->what, "refuse") != 0) || ++fault->starts < fault->after ||
        !hits(fault, fault->segments))
        return false;
    if (asks)
        fault->host.call(fault->host.ctx, WCTS_DRIVER_INFO, &question, sizeof question, &answer,
                         sizeof answer, &size);
    return true;
}

static wcts_status fault_call(void *instance, uint32_t operation, const void *request,
                              uint32_t request_size, void *reply, uint32_t reply_room,
                              uint32_t *reply_size)
{
    struct flag_fault *fault = instance;
    bool segments = strcmp(fault->word, "segment") == 0;
    struct wcts_kernel_allocation_create *changed = NULL;
    bool writes;
    wcts_status status;
    uint32_t word;
    bool has_word = read_word(fault, operation, request, &word);
    bool hit = has_word && hits(fault, word);
    if (fault->far[0] && operation == WCTS_KERNEL_SWEEP)
        return answer_sweep(fault, request, request_size, reply, reply_room, reply_size);
    if (hit && strcmp(fault->what, "accept") == 0) {
        changed = calloc(1, request_size);
        memcpy(changed, request, request_size);
        changed->Args.Flags = 0;
        changed->Args.pStandardAllocation = 0;
        request = changed;
    }
    if (has_word)
        end_with(fault, word);
    writes = strcmp(fault->what, "behind") == 0 || strcmp(fault->what, "below") == 0 ||
             strcmp(fault->what, "far-below") == 0;
    if (hit && writes)
        write_around(fault, request, request_size);
    if (hit && !changed && !writes && strcmp(fault->what, "echo") != 0)
        return strcmp(fault->what, "unsupported") == 0 ? WCTS_STATUS_NOT_SUPPORTED
                                                       : WCTS_STATUS_INVALID_PARAMETER;
    status = fault->wrapped->whole->call(fault->wrapped->instance, operation, request, request_size,
                                         reply, reply_room, reply_size);
    free(changed);
    fault->made += operation == WCTS_KERNEL_DEVICE && wcts_succeeded(status);
    if (operation == WCTS_KERNEL_ADAPTER_STOP) /* with its devices */
        fault->made = 0;
    if (hit && strcmp(fault->what, "echo") == 0 && wcts_succeeded(status))
        ((struct wcts_kernel_allocation_create *)reply)->Args.Flags ^= fault->flips;
    if (fault->far[0] && operation == WCTS_KERNEL_INFO)
        ((struct wcts_kernel_info_reply *)reply)->capabilities |= WCTS_CAPABILITY_SWEEP;
    if (segments && operation == WCTS_KERNEL_ADAPTER_START)
        end_with(fault, fault->segments);
    if (segments && operation == WCTS_KERNEL_ADAPTER_START && wcts_succeeded(status) &&
        refuses_adapter(fault)) {
        const struct wcts_kernel_handle_request stop = {
            .size = sizeof stop,
            .Handle = ((const struct wcts_kernel_handle_reply *)reply)->Handle};
        struct wcts_none none = {0};
        uint32_t size;
        fault->wrapped->whole->call(fault->wrapped->instance, WCTS_KERNEL_ADAPTER_STOP, &stop,
                                    sizeof stop, &none, sizeof none, &size);
        *reply_size = 0;
        return WCTS_STATUS_INVALID_PARAMETER;
    }
    return status;
}

static void *fault_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct flag_fault *fault = calloc(1, sizeof *fault);
    struct wcts_host inner = *host;
    if (!fault)
        return NULL;
    fault->host = *host;
    test_option(&options, "what", fault->what, sizeof fault->what);
    test_option(&options, "far", fault->far, sizeof fault->far);
    test_option(&options, "word", fault->word, sizeof fault->word);
    fault->set = number_option(&options, "set");
    fault->clear = number_option(&options, "clear");
    fault->other = number_option(&options, "or");
    fault->at = number_option(&options, "at");
    fault->once = number_option(&options, "once");
    fault->pages = number_option(&options, "pages");
    fault->devices = number_option(&options, "devices");
    fault->flips = number_option(&options, "flips");
    fault->nth = number_option(&options, "nth");
    fault->after = number_option(&options, "after");
    inner.ctx = fault;
    inner.call = cross;
    inner.options = wrap_rest(host->options);
    return wrap_open_in(fault, &inner, side);
}

TEST_PLUGIN_OPEN("flag-fault", WCTS_SIDE_KERNEL, fault_open, fault_call, wrap_close_in)
