/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel inside another plug-in, which changes some of its calls. Option
 * emulator=PATH says where emulator.so is; what follows "," is the emulator's. Right behind it
 * versions=FIRST+LAST may claim other interface versions than the emulator's: a run at one or two
 * shows what a run at all does, of whatever is the same at each.
 */
#ifndef WCTS_TEST_WRAP_H
#define WCTS_TEST_WRAP_H

#include <dlfcn.h>
#include <stdbool.h>

#include "common.h"

struct wrapped {
    const struct wcts_plugin *whole;
    void *instance;
    struct wcts_host host;
    bool narrowed; /* True if other versions are claimed */
    uint32_t first_version, last_version;
};

static inline const struct wcts_plugin *wrap_load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    wcts_plugin_entry_fn *entry = NULL;
    if (library)
        *(void **)&entry = dlsym(library, WCTS_PLUGIN_SYMBOL);
    return entry ? entry() : NULL;
}

/* The options behind those of a plug-in that has some of its own. */
static inline const char *wrap_rest(const char *options)
{
    const char *rest = strstr(options, "emulator=");
    return rest ? rest : "";
}

/* The emulator's options behind the versions, which are taken from them. */
static inline const char *wrap_versions(struct wrapped *wrapped, const char *options)
{
    static const char versions[] = "versions=";
    char *end;
    if (strncmp(options, versions, sizeof versions - 1) != 0)
        return options;
    wrapped->narrowed = true;
    wrapped->first_version = (uint32_t)strtoul(options + sizeof versions - 1, &end, 0);
    wrapped->last_version = (uint32_t)strtoul(end, &end, 0);
    return *end == ',' ? end + 1 : end;
}

static inline void *wrap_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    const char *rest = strchr(host->options, ',');
    struct wrapped *wrapped = calloc(1, sizeof *wrapped);
    char path[1024];
    if (!wrapped)
        return NULL;
    wrapped->host = *host;
    wrapped->host.options = wrap_versions(wrapped, rest ? rest + 1 : "");
    wrapped->whole = wrap_load(test_option(&options, "emulator", path, sizeof path));
    if (wrapped->whole)
        wrapped->instance = wrapped->whole->open(&wrapped->host, side);
    if (wrapped->instance)
        return wrapped;
    free(wrapped);
    return NULL;
}

/* Calls the emulator. Both sides' INFO begins alike. */
static inline wcts_status wrap_call(const struct wrapped *wrapped, uint32_t operation,
                                    const void *request, uint32_t request_size, void *reply,
                                    uint32_t reply_room, uint32_t *reply_size)
{
    wcts_status status = wrapped->whole->call(wrapped->instance, operation, request, request_size,
                                              reply, reply_room, reply_size);
    struct wcts_driver_info_reply *out = reply;
    if (wrapped->narrowed && status == WCTS_STATUS_SUCCESS &&
        (operation == WCTS_DRIVER_INFO || operation == WCTS_KERNEL_INFO)) {
        out->first_interface_version = wrapped->first_version;
        out->last_interface_version = wrapped->last_version;
    }
    return status;
}

static inline void wrap_close(void *instance)
{
    struct wrapped *wrapped = instance;
    wrapped->whole->close(wrapped->instance);
    free(wrapped);
}

/* The same of an instance of a plug-in's own, which begins with its struct wrapped *: NULL, and the
 * instance is freed, if the emulator does not open. */
static inline void *wrap_open_in(void *instance, const struct wcts_host *host, uint32_t side)
{
    struct wrapped **wrapped = instance;
    *wrapped = wrap_open(host, side);
    if (*wrapped)
        return instance;
    free(instance);
    return NULL;
}

static inline void wrap_close_in(void *instance)
{
    wrap_close(*(struct wrapped **)instance);
    free(instance);
}

/* Exports the plug-in, one side of the emulator's. */
#define WRAP_SIDE(plugin_name, which_side, call_function)                                          \
    TEST_PLUGIN_OPEN(plugin_name, which_side, wrap_open, call_function, wrap_close)
#define WRAP_PLUGIN(plugin_name, call_function)                                                    \
    WRAP_SIDE(plugin_name, WCTS_SIDE_KERNEL, call_function)

#endif
