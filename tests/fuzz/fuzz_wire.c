/* SPDX-License-Identifier: MIT */
/*
 * The wire protocol. The first byte is "h" for what the suite reads of a peer, or another one for
 * what a peer reads of the suite; its implementation is the emulator. The rest are the bytes that
 * arrive, which are there already, whatever the other end says.
 */
#include "fuzz.h"

#include <string.h>

#include "runner/wire/host.h"
#include "runner/wire/peer.h"
#include "runner/wire/target.h"

static struct wcts_fuzz_reader arriving;

static int64_t read_input(void *ctx, void *to, size_t room, const char **why)
{
    size_t size = arriving.size < room ? arriving.size : room;
    (void)ctx;
    (void)why;
    if (size > 0)
        memcpy(to, arriving.data, size);
    arriving.data += size;
    arriving.size -= size;
    return (int64_t)size;
}

static int64_t drop(void *ctx, const void *from, size_t size, const char **why)
{
    static volatile uint8_t sum; /* all of it can be read */
    (void)ctx;
    (void)why;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + ((const uint8_t *)from)[i]);
    return (int64_t)size;
}

static const struct wcts_wire_bytes bytes = {NULL, read_input, drop};

/* ---- the operating system, as far as the host knows it (--wrap in the Makefile) ---- */

enum wcts_wire_reached __wrap_wcts_wire_target_open(struct wcts_wire_target *target,
                                                    enum wcts_address_kind kind, char *const *words,
                                                    char *error, size_t room);
bool __wrap_wcts_wire_target_has_ended(const struct wcts_wire_target *target);
int __wrap_wcts_wire_target_wait(struct wcts_wire_target *target);
int __wrap_wcts_wire_target_close(struct wcts_wire_target *target, int milliseconds);
struct wcts_wire_bytes __wrap_wcts_wire_files_bytes(struct wcts_wire_files *files);

/* It is there once. */
enum wcts_wire_reached __wrap_wcts_wire_target_open(struct wcts_wire_target *target,
                                                    enum wcts_address_kind kind, char *const *words,
                                                    char *error, size_t room)
{
    (void)words;
    *target = (struct wcts_wire_target){.kind = kind, .files = {-1, -1, false}};
    snprintf(error, room, "it is away");
    return arriving.size > 0 ? WCTS_WIRE_REACHED : WCTS_WIRE_NEVER;
}

bool __wrap_wcts_wire_target_has_ended(const struct wcts_wire_target *target)
{
    (void)target;
    return arriving.size == 0;
}

int __wrap_wcts_wire_target_wait(struct wcts_wire_target *target)
{
    (void)target;
    return -1;
}

int __wrap_wcts_wire_target_close(struct wcts_wire_target *target, int milliseconds)
{
    (void)target;
    (void)milliseconds;
    return -1;
}

struct wcts_wire_bytes __wrap_wcts_wire_files_bytes(struct wcts_wire_files *files)
{
    (void)files;
    return bytes;
}

/* ---- both ends ---- */

static wcts_status answer_peer(void *ctx, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t room,
                               uint32_t *reply_size)
{
    (void)ctx;
    (void)operation;
    *reply_size = request_size < room ? request_size : room;
    if (*reply_size > 0)
        memcpy(reply, request, *reply_size);
    return WCTS_STATUS_SUCCESS;
}

static void explain(const struct wcts_host *party, const char *operation, const char *reason)
{
    (void)party;
    fprintf(wcts_fuzz_sink(), "%s: %s\n", operation, reason);
}

/* Two sessions of some calls, each with a reply between bytes that are not its own. */
static void be_host(void)
{
    static const uint32_t operations[] = {WCTS_KERNEL_INFO, WCTS_KERNEL_ADAPTER_START,
                                          WCTS_KERNEL_SETTLE, WCTS_KERNEL_ALLOCATION_CREATE};
    static uint64_t reply[WCTS_REPLY_ROOM / 8 + 1];
    const struct wcts_wire_host_options options = {.address = "tcp:here:1", .explain = explain};
    const struct wcts_host party = {.size = sizeof party,
                                    .interface_version = 0x11007,
                                    .page_size = 4096,
                                    .call = answer_peer,
                                    .options = "mine=1"};
    struct wcts_wire_host *host = wcts_wire_host_new(&options);
    const struct wcts_none request = {.size = sizeof request};
    char error[256];
    const struct wcts_plugin *there =
        host ? wcts_wire_host_plugin(host, error, sizeof error) : NULL;
    reply[WCTS_REPLY_ROOM / 8] = 0x5A5A;
    for (int session = 0; there && session < 2; session++) {
        void *instance = wcts_wire_host_open(host, &party, WCTS_SIDE_KERNEL);
        for (size_t i = 0; instance && i < sizeof operations / sizeof *operations; i++) {
            uint32_t size = 0;
            there->call(instance, operations[i], &request, sizeof request, reply, WCTS_REPLY_ROOM,
                        &size);
            WCTS_FUZZ_HOLDS(reply[WCTS_REPLY_ROOM / 8] == 0x5A5A);
        }
        if (instance)
            there->close(instance);
    }
    wcts_wire_host_free(host);
}

static void be_peer(void)
{
    const struct wcts_wire_peer_options options = {.plugin = wcts_plugin_entry(), .options = ""};
    char why[256];
    enum wcts_wire_end end = wcts_wire_peer_run(&bytes, &options, why, sizeof why);
    WCTS_FUZZ_HOLDS(end != WCTS_WIRE_ALIVE);
    WCTS_FUZZ_HOLDS(end != WCTS_WIRE_GARBAGE || why[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    arriving = (struct wcts_fuzz_reader){data + 1, size - 1};
    if (data[0] == 'h')
        be_host();
    else
        be_peer();
    return 0;
}
