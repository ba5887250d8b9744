/* SPDX-License-Identifier: MIT */
/*
 * A kernel that accepts everything, and does something that no plug-in should:
 *   do=WHAT        one of the misdeeds below
 *   at=OPERATION   in which operation (default KERNEL_ALLOCATION_CREATE)
 *   nth=N          in the n-th such call of a process only (default: in each)
 *   once=FILE      not when the file is there; makes it
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "common.h"

typedef void misdeed_fn(void *reply, uint32_t reply_room, uint32_t *reply_size);

#define MISDEED(name) static void name(void *reply, uint32_t reply_room, uint32_t *reply_size)
#define UNUSED() ((void)reply, (void)reply_room, (void)reply_size)

MISDEED(crash)
{
    volatile int *nowhere = NULL;
    UNUSED();
    *nowhere = 1;
}

MISDEED(hang)
{
    UNUSED();
    for (;;)
        pause();
}

MISDEED(leave)
{
    UNUSED();
    exit(7);
}

MISDEED(give_up)
{
    UNUSED();
    abort();
}

/* Into every file that it can find, the runner's among them. */
MISDEED(garbage)
{
    char bytes[200];
    UNUSED();
    memset(bytes, 0x55, sizeof bytes);
    for (int file = 1; file < 256; file++)
        (void)!write(file, bytes, sizeof bytes);
}

MISDEED(noise)
{
    UNUSED();
    for (int i = 0; i < 100000; i++)
        printf("a plug-in that talks too much, line %d \xff\x01\n", i);
}

static void *sleeper(void *argument)
{
    for (;;)
        pause();
    return argument;
}

MISDEED(leak_thread)
{
    pthread_t thread;
    UNUSED();
    pthread_create(&thread, NULL, sleeper, NULL);
}

/* Not for the sanitizer to find: the tool has to. */
__attribute__((no_sanitize("address", "undefined"))) MISDEED(scribble)
{
    volatile unsigned char small[8];
    volatile unsigned char *at = small;
    UNUSED();
    for (int i = 0; i < 4096; i++)
        at[i] = 0x41;
}

MISDEED(close_files)
{
    UNUSED();
    close_range(0, ~0u, 0);
}

MISDEED(spawn)
{
    UNUSED();
    if (fork() == 0)
        hang(NULL, 0, NULL);
}

MISDEED(lie_large)
{
    UNUSED();
    *reply_size = reply_room + 8;
}

MISDEED(lie_huge)
{
    UNUSED();
    *reply_size = UINT32_MAX;
}

MISDEED(lie_small)
{
    UNUSED();
    *reply_size = 3;
}

MISDEED(lie_offset)
{
    /* The struct's own size, and every offset in it, beyond the reply. */
    memset(reply, 0xEE, *reply_size < reply_room ? *reply_size : reply_room);
}

static const struct {
    const char *name;
    misdeed_fn *commit;
} misdeeds[] = {
    {"crash", crash},         {"hang", hang},
    {"exit", leave},          {"abort", give_up},
    {"garbage", garbage},     {"noise", noise},
    {"thread", leak_thread},  {"scribble", scribble},
    {"close", close_files},   {"fork", spawn},
    {"lie-large", lie_large}, {"lie-huge", lie_huge},
    {"lie-small", lie_small}, {"lie-offset", lie_offset},
};

/* Whether now is the time. */
static int is_time(const struct test_instance *self, uint32_t operation)
{
    static unsigned long calls;
    char text[64];
    const char *at = test_option(self, "at", text, sizeof text);
    if (strcmp(at[0] ? at : "KERNEL_ALLOCATION_CREATE", wcts_operation_name(operation)) != 0)
        return 0;
    calls++;
    test_option(self, "nth", text, sizeof text);
    if (text[0] != '\0' && strtoul(text, NULL, 0) != calls)
        return 0;
    test_option(self, "once", text, sizeof text);
    int file = text[0] != '\0' ? open(text, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666) : 0;
    if (file > 0)
        close(file);
    return file >= 0;
}

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t reply_room,
                        uint32_t *reply_size)
{
    char what[32];
    wcts_status status =
        test_accept_all(instance, operation, request, request_size, reply, reply_room, reply_size);
    if (!is_time(instance, operation))
        return status;
    test_option(instance, "do", what, sizeof what);
    for (size_t i = 0; i < sizeof misdeeds / sizeof misdeeds[0]; i++)
        if (strcmp(misdeeds[i].name, what) == 0)
            misdeeds[i].commit(reply, reply_room, reply_size);
    return status;
}

TEST_PLUGIN("misbehave", WCTS_SIDE_KERNEL, call)
