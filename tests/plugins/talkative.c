/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel, which logs at moments at which few do. Option do=breach: each
 * KERNEL_VA_UPDATE logs a text that lies outside the message, and is refused. do=last-words:
 * KERNEL_QUERY_PAGES is not supported, and closing logs. do=count: a letter in the file of=PATH for
 * each kernel that is opened. do=once: the first KERNEL_EVICT of all processes, until there is that
 * file, is refused. Option emulator=PATH as in wrap.h.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "wrap.h"

struct talkative {
    struct wrapped *wrapped;
    char options[1100]; /* the emulator's */
    char what[16];
    char path[1024]; /* of=PATH */
};

static bool is_to(const struct talkative *talkative, const char *what)
{
    return strcmp(talkative->what, what) == 0;
}

static void write_letter(const struct talkative *talkative)
{
    FILE *file = fopen(talkative->path, "a");
    if (file) {
        fputc('k', file);
        fclose(file);
    }
}

/* True once: the file is there afterwards. */
static bool is_first(const struct talkative *talkative)
{
    if (access(talkative->path, F_OK) == 0)
        return false;
    write_letter(talkative);
    return true;
}

static void *talkative_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct talkative *talkative = calloc(1, sizeof *talkative);
    struct wcts_host changed = *host;
    char emulator[1024];
    if (!talkative)
        return NULL;
    test_option(&options, "do", talkative->what, sizeof talkative->what);
    test_option(&options, "of", talkative->path, sizeof talkative->path);
    test_option(&options, "emulator", emulator, sizeof emulator);
    snprintf(talkative->options, sizeof talkative->options, "emulator=%s", emulator);
    changed.options = talkative->options;
    talkative->wrapped = wrap_open(&changed, side);
    if (talkative->wrapped && is_to(talkative, "count"))
        write_letter(talkative);
    if (talkative->wrapped)
        return talkative;
    free(talkative);
    return NULL;
}

/* length: of the text, which has four bytes. */
static void say(const struct talkative *talkative, uint32_t length)
{
    struct {
        struct wcts_machine_log_request request;
        char text[8];
    } message = {.request = {.size = sizeof message.request,
                             .Length = length,
                             .pText = sizeof message.request},
                 .text = "late"};
    struct wcts_none reply = {0};
    uint32_t size;
    const struct wcts_host *host = &talkative->wrapped->host;
    host->call(host->ctx, WCTS_MACHINE_LOG, &message, sizeof message, &reply, sizeof reply, &size);
}

static wcts_status talkative_call(void *instance, uint32_t operation, const void *request,
                                  uint32_t request_size, void *reply, uint32_t reply_room,
                                  uint32_t *reply_size)
{
    struct talkative *talkative = instance;
    if (operation == WCTS_KERNEL_QUERY_PAGES && is_to(talkative, "last-words"))
        return WCTS_STATUS_NOT_SUPPORTED;
    if (operation == WCTS_KERNEL_VA_UPDATE && is_to(talkative, "breach")) {
        say(talkative, 800000);
        return WCTS_STATUS_INVALID_PARAMETER;
    }
    if (operation == WCTS_KERNEL_EVICT && is_to(talkative, "once") && is_first(talkative))
        return WCTS_STATUS_INVALID_PARAMETER;
    return wrap_call(talkative->wrapped, operation, request, request_size, reply, reply_room,
                     reply_size);
}

static void talkative_close(void *instance)
{
    struct talkative *talkative = instance;
    if (is_to(talkative, "last-words"))
        say(talkative, 4);
    wrap_close(talkative->wrapped);
    free(talkative);
}

TEST_PLUGIN_OPEN("talkative", WCTS_SIDE_KERNEL, talkative_open, talkative_call, talkative_close)
