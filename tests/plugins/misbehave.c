/* SPDX-License-Identifier: MIT */
/*
 * A kernel that accepts everything, and does something that no plug-in should:
 *   do=WHAT        one of the misdeeds below
 *   at=OPERATION   in which operation (default KERNEL_ALLOCATION_CREATE)
 *   nth=N          in the n-th such call of a process only (default: in each)
 *   once=FILE      only once, of all processes: the file says so
 *   times=N        with once: so often; from the second time on in any such call
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "common.h"

/* Of the call in which it is done. */
static struct {
    uint8_t *request;
    uint32_t size;
} asked;

typedef void misdeed_fn(void *reply, uint32_t reply_room, uint32_t *reply_size);

#define MISDEED(name) static void name(void *reply, uint32_t reply_room, uint32_t *reply_size)
#define UNUSED() ((void)reply, (void)reply_room, (void)reply_size)

MISDEED(crash)
{
    volatile uintptr_t nowhere = 64; /* of NULL a sanitizer makes an exit */
    UNUSED();
    *(volatile int *)nowhere = 1;
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

/* As somebody else would. */
MISDEED(end_all)
{
    UNUSED();
    kill(getpid(), SIGKILL);
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

/* A driver that polls a register which nobody sets. */
MISDEED(spin)
{
    static volatile int ready;
    UNUSED();
    while (!ready)
        ;
}

/* Two generations, out of the worker's process group. The call returns when both are there. */
MISDEED(daemon_pair)
{
    int ready[2];
    char byte;
    UNUSED();
    if (pipe(ready) != 0)
        abort();
    if (fork() != 0) {
        for (int i = 0; i < 2; i++)
            (void)!read(ready[0], &byte, 1);
        close(ready[0]);
        close(ready[1]);
        return;
    }
    setsid();
    (void)!fork();
    printf("left %d.\n", (int)getpid());
    fflush(stdout);
    (void)!write(ready[1], "x", 1);
    hang(NULL, 0, NULL);
}

/* Whether the runner's memory can be had. */
MISDEED(reach)
{
    char path[64];
    UNUSED();
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    printf("memory of the runner: %s\n", open(path, O_RDWR | O_CLOEXEC) < 0 ? "denied" : "open");
    abort();
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

MISDEED(write_beyond)
{
    volatile unsigned char *at = reply;
    (void)reply_size;
    at[reply_room] = 0x41;
}

/* Takes memory, up to a GiB: without all of that it gives up. */
MISDEED(eat)
{
    UNUSED();
    for (int i = 0; i < 1024; i++) {
        char *more = malloc(1 << 20);
        if (!more)
            abort();
        memset(more, i, 1 << 20);
    }
}

MISDEED(tell_score)
{
    char text[32] = "";
    FILE *file = fopen("/proc/self/oom_score_adj", "re");
    UNUSED();
    if (file && fgets(text, sizeof text, file))
        printf("oom score %s", text);
    if (file)
        fclose(file);
    abort();
}

/* An array that begins beyond the reply. */
MISDEED(lie_array)
{
    struct wcts_kernel_allocation_create *out = reply;
    UNUSED();
    out->Args.NumAllocations = 1;
    out->Args.pAllocationInfo2 = *reply_size + 8;
}

/* An array that is counted and not there. */
MISDEED(lie_null)
{
    struct wcts_kernel_allocation_create *out = reply;
    UNUSED();
    out->Args.NumAllocations = 1;
    out->Args.pAllocationInfo2 = 0;
}

static const struct wcts_host *host; /* of the instance that is called */

/* Around the request: behind it, where there are up to 7 bytes to the next 8, and before it. */
MISDEED(write_behind_request)
{
    UNUSED();
    asked.request[(asked.size + 7) / 8 * 8] = 0x41;
}

MISDEED(write_below_request)
{
    UNUSED();
    asked.request[-1] = 0x41;
}

MISDEED(write_far_below_request)
{
    UNUSED();
    asked.request[-5000] = 0x41;
}

/* A message of its own that is longer than it is. */
MISDEED(lie_request)
{
    const struct wcts_machine_log_request request = {
        .size = sizeof request, .Length = 1000, .pText = sizeof request};
    uint32_t answer[2], size;
    UNUSED();
    host->call(host->ctx, WCTS_MACHINE_LOG, &request, sizeof request, answer, sizeof answer, &size);
}

/* A request that says to be shorter than its struct. */
MISDEED(lie_size)
{
    const struct wcts_machine_log_request request = {.size = 3};
    uint32_t answer[2], size;
    UNUSED();
    host->call(host->ctx, WCTS_MACHINE_LOG, &request, sizeof request, answer, sizeof answer, &size);
}

/* None at all: a request to read has an offset for its bytes, as one to write has. */
MISDEED(read_data)
{
    const struct wcts_machine_memory_request request = {
        .size = sizeof request, .Length = 4096, .pData = sizeof request};
    uint64_t answer[1024];
    uint32_t size;
    UNUSED();
    host->call(host->ctx, WCTS_MACHINE_READ, &request, sizeof request, answer, sizeof answer,
               &size);
}

static const struct {
    const char *name;
    misdeed_fn *commit;
} misdeeds[] = {
    {"crash", crash},
    {"hang", hang},
    {"spin", spin},
    {"exit", leave},
    {"abort", give_up},
    {"kill", end_all},
    {"garbage", garbage},
    {"noise", noise},
    {"thread", leak_thread},
    {"scribble", scribble},
    {"close", close_files},
    {"fork", spawn},
    {"daemons", daemon_pair},
    {"reach", reach},
    {"lie-large", lie_large},
    {"lie-huge", lie_huge},
    {"lie-small", lie_small},
    {"lie-offset", lie_offset},
    {"write-beyond", write_beyond},
    {"eat", eat},
    {"score", tell_score},
    {"lie-array", lie_array},
    {"lie-null", lie_null},
    {"lie-size", lie_size},
    {"read-data", read_data},
    {"lie-request", lie_request},
    {"behind-request", write_behind_request},
    {"below-request", write_below_request},
    {"far-below-request", write_far_below_request},
};

static unsigned long number(const struct test_instance *self, const char *name)
{
    char text[64];
    return strtoul(test_option(self, name, text, sizeof text), NULL, 0);
}

/* True if the misdeed was done less often than it may be; it then counts as done. */
static int count_in(const char *path, unsigned long times, int is_time)
{
    static int over; /* the file only grows */
    if (over || (times == 1 && !is_time))
        return 0;
    int file = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
    /* Two workers may be at it at once. */
    flock(file, LOCK_EX);
    unsigned long done = file >= 0 ? (unsigned long)lseek(file, 0, SEEK_END) : times;
    int now = done < times && (done > 0 || is_time) && write(file, "x", 1) == 1;
    over = done >= times;
    if (file >= 0)
        close(file);
    return now;
}

static int is_time(const struct test_instance *self, uint32_t operation)
{
    static unsigned long calls;
    char text[64];
    const char *at = test_option(self, "at", text, sizeof text);
    unsigned long nth = number(self, "nth"), times = number(self, "times");
    if (strcmp(at[0] ? at : "KERNEL_ALLOCATION_CREATE", wcts_operation_name(operation)) != 0)
        return 0;
    calls++;
    int now = nth == 0 || nth == calls;
    test_option(self, "once", text, sizeof text);
    return text[0] != '\0' ? count_in(text, times ? times : 1, now) : now;
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
    host = ((const struct test_instance *)instance)->host;
    asked.request = (uint8_t *)(uintptr_t)request;
    asked.size = request_size;
    test_option(instance, "do", what, sizeof what);
    for (size_t i = 0; i < sizeof misdeeds / sizeof misdeeds[0]; i++)
        if (strcmp(misdeeds[i].name, what) == 0)
            misdeeds[i].commit(reply, reply_room, reply_size);
    return status;
}

TEST_PLUGIN("misbehave", WCTS_SIDE_KERNEL, call)
