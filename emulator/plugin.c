/* SPDX-License-Identifier: MIT */
/* The entry of the plug-in: both sides, their options and the way of a call to its handler. */
#include "emu_side.h"

#include <stdio.h>
#include <string.h>

/* The value of a switch: "on" or nothing at all is 1, "off" 0, anything else -1. */
static int switch_value(const char *value, size_t length)
{
    if (length == 0 || (length == 3 && memcmp(value, "=on", 3) == 0))
        return 1;
    return length == 4 && memcmp(value, "=off", 4) == 0 ? 0 : -1;
}

/* The switches, and where an instance keeps them. */
static const struct option {
    const char *key;
    size_t member; /* an int of struct emu_side */
} options[] = {
    {"strict", offsetof(struct emu_side, strict)},
    {"pages", offsetof(struct emu_side, pages)},
    {"probe", offsetof(struct emu_side, probe)},
    {"machine", offsetof(struct emu_side, machine)},
    {"placement", offsetof(struct emu_side, placement)},
    {"contexts", offsetof(struct emu_side, contexts)},
    {"sweep", offsetof(struct emu_side, sweep)},
};

/* The options with words for values. */
static const struct word {
    const char *text;
    size_t member; /* an int of struct emu_side */
    int value;
} words[] = {
    {"evict=through", offsetof(struct emu_side, evicts_both), 0},
    {"evict=both", offsetof(struct emu_side, evicts_both), 1},
    {"patches=none", offsetof(struct emu_side, patches), WCTS_PATCHES_NONE},
    {"patches=32", offsetof(struct emu_side, patches), WCTS_PATCHES_32},
    {"patches=64", offsetof(struct emu_side, patches), WCTS_PATCHES_64},
    {"patches=32s", offsetof(struct emu_side, patches), WCTS_PATCHES_32_SEGMENT},
    {"patches=64s", offsetof(struct emu_side, patches), WCTS_PATCHES_64_SEGMENT},
    {"patches=private", offsetof(struct emu_side, patches), WCTS_PATCHES_PRIVATE},
    {"private=each", offsetof(struct emu_side, shared_private), 0},
    {"private=shared", offsetof(struct emu_side, shared_private), 1},
    {"dma=system", offsetof(struct emu_side, segment_dma), 0},
    {"dma=segment", offsetof(struct emu_side, segment_dma), 1},
    {"priority=own", offsetof(struct emu_side, any_priority), 0},
    {"priority=any", offsetof(struct emu_side, any_priority), 1},
};

#define OPTION_COUNT (sizeof(options) / sizeof(options[0]))
#define WORD_COUNT (sizeof(words) / sizeof(words[0]))

/* Reads an option that is one of the words. Returns 0 when it is not. */
static int read_word(struct emu_side *base, const char *text, size_t length)
{
    size_t i;
    for (i = 0; i < WORD_COUNT; i++) {
        if (strlen(words[i].text) != length || memcmp(text, words[i].text, length) != 0)
            continue;
        memcpy((unsigned char *)base + words[i].member, &words[i].value, sizeof(int));
        return 1;
    }
    return 0;
}

/* fault=ID: the name of one fault of fault.h. Returns 0 when it is not that, or there is no such.
 */
static int read_fault(struct emu_side *base, const char *text, size_t length)
{
    static const char key[] = "fault=";
    const size_t key_length = sizeof(key) - 1;
    if (length <= key_length || memcmp(text, key, key_length) != 0)
        return 0;
    base->fault = emu_fault_find(text + key_length, length - key_length);
    return base->fault != NULL;
}

/* choice=NAME: the name of a choice of choice.h. Returns 0 when it is not that, or there is no
 * such.
 */
static int read_choice(struct emu_side *base, const char *text, size_t length)
{
    static const char key[] = "choice=";
    const size_t key_length = sizeof(key) - 1;
    if (length <= key_length || memcmp(text, key, key_length) != 0)
        return 0;
    base->choice = emu_choice_find(text + key_length, length - key_length);
    return base->choice != NULL;
}

/* Reads one option, key or key=value. Returns 0 when it is unknown. */
static int read_option(struct emu_side *base, struct emu_profile_options *profile, const char *text,
                       size_t length)
{
    size_t i;
    for (i = 0; i < OPTION_COUNT; i++) {
        const size_t key_length = strlen(options[i].key);
        int value;
        if (length < key_length || memcmp(text, options[i].key, key_length) != 0)
            continue;
        value = switch_value(text + key_length, length - key_length);
        if (value < 0)
            return 0;
        memcpy((unsigned char *)base + options[i].member, &value, sizeof(value));
        return 1;
    }
    return length == 0 || read_word(base, text, length) || read_fault(base, text, length) ||
           read_choice(base, text, length) || emu_profile_option(profile, text, length);
}

/* The values of options that are names, and where a user finds these. */
static const struct {
    const char *key, *what, *found;
} named[] = {
    {"fault=", "fault", "; wddm-cts faults lists them"},
    {"choice=", "choice", ""},
};

/* Adds to a text, as far as there is room. */
static void add(char *text, size_t room, const char *separator, const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s", separator, more);
}

/* Logs which options there are. */
static void log_options(const struct emu_side *base, char *text, size_t room)
{
    size_t i, key_length = 0;
    for (i = 0; i < OPTION_COUNT; i++)
        add(text, room, i == 0 ? ": expected " : ", ", options[i].key);
    add(text, room, ", ", "fault=NAME, choice=NAME, profile=NAME, only=ROWS, without=ROWS");
    for (i = 0; i < WORD_COUNT; i++) {
        /* The words of one key stand together. */
        const int more = i != 0 && strncmp(words[i].text, words[i - 1].text, key_length) == 0;
        key_length = strcspn(words[i].text, "=") + 1;
        add(text, room, more ? "|" : ", ", words[i].text + (more ? key_length : 0));
    }
    emu_log(base->host, text);
}

/* Logs what is wrong with an option. */
static void log_unknown(const struct emu_side *base, const char *option, size_t length)
{
    char text[640];
    const int printed = (int)(length < 60 ? length : 60);
    size_t i;
    for (i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        const size_t key_length = strlen(named[i].key);
        if (length < key_length || memcmp(option, named[i].key, key_length) != 0)
            continue;
        snprintf(text, sizeof(text), "emulator: unknown %s \"%.*s\"%s", named[i].what,
                 printed - (int)key_length, option + key_length, named[i].found);
        emu_log(base->host, text);
        return;
    }
    snprintf(text, sizeof(text), "emulator: unknown option \"%.*s\"", printed, option);
    for (i = 0; i < OPTION_COUNT; i++)
        if (length > strlen(options[i].key) && option[strlen(options[i].key)] == '=' &&
            memcmp(option, options[i].key, strlen(options[i].key)) == 0) {
            add(text, sizeof(text), ": expected ", options[i].key);
            add(text, sizeof(text), "=on or ", options[i].key);
            add(text, sizeof(text), "", "=off");
            emu_log(base->host, text);
            return;
        }
    log_options(base, text, sizeof(text));
}

/* Reads a comma-separated list of options, logging the first unknown one. Which rows there are is
 * known behind the last one. */
static int read_options(struct emu_side *base, const char *list)
{
    struct emu_profile_options profile = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        if (!read_option(base, &profile, list, length)) {
            log_unknown(base, list, length);
            return 0;
        }
        list += length;
        if (*list == ',')
            list++;
    }
    return emu_profile_select(&profile, base);
}

static int page_size_known(uint32_t page_size)
{
    return page_size == 4096 || page_size == 16384 || page_size == 65536;
}

/* What is on: a fault or a choice is, while the instance that has it is called. The parties call
 * each other, so that what was on before is on again behind the call. */
struct on {
    const struct emu_fault_site *fault;
    const struct emu_choice *choice;
};

static struct on switch_on(struct on next)
{
    const struct on before = {emu_fault_state.on, emu_choice};
    emu_fault_state.on = next.fault;
    emu_choice = next.choice;
    return before;
}

static struct on on_of(const struct emu_side *base)
{
    return (struct on){base->fault, base->choice};
}

static void *open_side(const struct emu_side *base)
{
    const struct on before = switch_on(on_of(base));
    void *instance = base->side == WCTS_SIDE_KERNEL ? emu_kernel_open(base) : emu_driver_open(base);
    (void)switch_on(before);
    return instance;
}

static void *plugin_open(const struct wcts_host *host, uint32_t side)
{
    struct emu_side base = {.side = side,
                            .host = host,
                            .pages = 1,
                            .probe = 1,
                            .machine = 1,
                            .placement = 1,
                            .patches = WCTS_PATCHES_64,
                            .contexts = 1,
                            .port = {.host = host}};
    base.version = emu_version_find(host->interface_version);
    if (base.version == NULL || !page_size_known(host->page_size)) {
        emu_log(host, "emulator: takes WDDM 1.0 to 3.2 with host pages of 4, 16 or 64 KiB");
        return NULL;
    }
    if (!read_options(&base, host->options))
        return NULL;
    if (side == WCTS_SIDE_KERNEL || side == WCTS_SIDE_DRIVER)
        return open_side(&base);
    emu_log(host, "emulator: an instance is of the kernel side or of the driver side");
    return NULL;
}

static wcts_status plugin_call(void *instance, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    const struct emu_side *base = instance;
    wcts_call_fn *call = base->side == WCTS_SIDE_KERNEL ? emu_kernel_call : emu_driver_call;
    const struct on before = switch_on(on_of(base));
    wcts_status status =
        base->sweep && base->side == WCTS_SIDE_KERNEL && operation == WCTS_KERNEL_SWEEP
            ? wcts_sweep(call, instance, request, request_size, reply, reply_room, reply_size)
            : call(instance, operation, request, request_size, reply, reply_room, reply_size);
    (void)switch_on(before);
    return status;
}

static void plugin_close(void *instance)
{
    const struct emu_side *base = instance;
    struct on before;
    if (base == NULL)
        return;
    before = switch_on(on_of(base));
    if (base->side == WCTS_SIDE_KERNEL)
        emu_kernel_close(instance);
    else
        emu_driver_close(instance);
    (void)switch_on(before);
}

wcts_status emu_side_call(const struct wcts_handler *table, uint32_t count, uint32_t first,
                          void *instance, uint32_t operation, const void *request,
                          uint32_t request_size, void *reply, uint32_t reply_room,
                          uint32_t *reply_size)
{
    uint32_t index = operation - first, least;
    *reply_size = 0;
    if (operation < first || index >= count)
        return WCTS_STATUS_NOT_IMPLEMENTED;
    if (table[index].handle == NULL)
        return WCTS_STATUS_NOT_SUPPORTED;
    /* "Read no member beyond that size": a request that says to be shorter than its struct. */
    least = wcts_request_size(operation);
    if (least > sizeof(struct wcts_none) && request_size >= least &&
        (*(const uint32_t *)request < least || *(const uint32_t *)request > request_size))
        return WCTS_STATUS_INVALID_PARAMETER;
    return wcts_dispatch(&table[index], 1, instance, operation, request, request_size, reply,
                         reply_room, reply_size);
}

__attribute__((visibility("default"))) const struct wcts_plugin *wcts_plugin_entry(void)
{
    static const struct wcts_plugin plugin = {
        .size = sizeof(plugin),
        .abi_version = WCTS_ABI_VERSION,
        .sides = WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER,
        .name = "emulator",
        .version = "1.0",
        .open = plugin_open,
        .call = plugin_call,
        .close = plugin_close,
    };
    return &plugin;
}
