/* SPDX-License-Identifier: MIT */
/*
 * What an implementation says, as the suite judges it: replies, and requests that it makes itself,
 * with members, sizes, offsets and statuses that are wrong. The implementation is the emulator, in
 * which the input changes messages:
 *     2 bytes   which case of the small plan
 *     1 byte    bit 0: the claims are changed, too; bits 1 and 2: the level
 *   and for each change
 *     1 byte    how many messages pass before it
 *     1 byte    enum change
 *     2 bytes   where in the message, modulo its size
 *     4 bytes   the value
 * Nothing that it says ends the suite, each case has a finding, and what was recorded of it is
 * judged again to the same finding.
 */
#include "fuzz.h"

#include <string.h>

#include "runner/judge/judge.h"
#include "runner/run/case.h"

enum change {
    CHANGE_BYTE,   /* a byte becomes the value */
    CHANGE_FOUR,   /* four bytes, on a multiple of four */
    CHANGE_EIGHT,  /* eight bytes, with the value's sign, on a multiple of eight */
    CHANGE_ADD,    /* it is added to four bytes */
    CHANGE_SIZE,   /* the size of the message: what is there in front of the end stays */
    CHANGE_GROW,   /* ... that is so much larger */
    CHANGE_END,    /* eight bytes become an offset at, or near, the end */
    CHANGE_STATUS, /* of a reply */
    CHANGES
};

static const wcts_status statuses[] = {
    WCTS_STATUS_SUCCESS,          WCTS_STATUS_NOT_IMPLEMENTED, WCTS_STATUS_NOT_SUPPORTED,
    WCTS_STATUS_NO_MEMORY,        WCTS_STATUS_INVALID_HANDLE,  WCTS_STATUS_INVALID_PARAMETER,
    WCTS_STATUS_BUFFER_TOO_SMALL, WCTS_STATUS_DEVICE_REMOVED,  (wcts_status)0x103};

/* ---- the changes ---- */

static struct wcts_fuzz_reader changes;
static uint64_t passing; /* messages that pass before the next change */

static void begin_changes(struct wcts_fuzz_reader reader)
{
    changes = reader;
    passing = wcts_fuzz_number(&changes, 1);
}

/* Changes a message of *size bytes, which may have up to room; of a reply its status, too. */
static void change(uint8_t *bytes, uint32_t *size, uint32_t room, wcts_status *status)
{
    if (changes.size == 0 || passing-- > 0)
        return;
    enum change kind = (enum change)(wcts_fuzz_number(&changes, 1) % CHANGES);
    uint32_t at = (uint32_t)wcts_fuzz_number(&changes, 2);
    uint32_t value = (uint32_t)wcts_fuzz_number(&changes, 4), number;
    uint64_t wide = (uint64_t)(int64_t)(int32_t)value;
    passing = wcts_fuzz_number(&changes, 1);
    if (kind == CHANGE_STATUS && status)
        *status = statuses[value % (sizeof statuses / sizeof *statuses)];
    if (kind == CHANGE_SIZE)
        *size = value;
    if (kind == CHANGE_GROW && *size < room)
        *size += value % (room - *size + 1);
    at = *size > 0 ? at % *size : 0;
    if (kind == CHANGE_BYTE && at < *size && at < room)
        bytes[at] = (uint8_t)value;
    at &= ~3u;
    if ((kind == CHANGE_FOUR || kind == CHANGE_ADD) && at + 4 <= *size && at + 4 <= room) {
        memcpy(&number, bytes + at, 4);
        number = kind == CHANGE_ADD ? number + value : value;
        memcpy(bytes + at, &number, 4);
    }
    at &= ~7u;
    if (kind == CHANGE_END)
        wide = *size - value % 64;
    if ((kind == CHANGE_EIGHT || kind == CHANGE_END) && at + 8 <= *size && at + 8 <= room)
        memcpy(bytes + at, &wide, 8);
}

/* ---- the implementation ---- */

/* An instance of the emulator, and what it asks through. */
struct changed {
    struct wcts_host host;
    const struct wcts_host *suite;
    void *instance;
};

/* What it asks is changed, in memory that is as long as it says. */
static wcts_status ask(void *ctx, uint32_t operation, const void *request, uint32_t request_size,
                       void *reply, uint32_t room, uint32_t *reply_size)
{
    const struct changed *changed = ctx;
    uint32_t most = request_size + 256, size = request_size;
    uint8_t *longer = calloc(1, most), *sent;
    wcts_status status;
    WCTS_FUZZ_HOLDS(longer != NULL);
    memcpy(longer, request, request_size);
    change(longer, &size, most, NULL);
    size = size < most ? size : most;
    sent = malloc(size ? size : 1);
    WCTS_FUZZ_HOLDS(sent != NULL);
    memcpy(sent, longer, size);
    free(longer);
    status =
        changed->suite->call(changed->suite->ctx, operation, sent, size, reply, room, reply_size);
    free(sent);
    return status;
}

static void *boot(const struct wcts_host *host, uint32_t side)
{
    struct changed *changed = calloc(1, sizeof *changed);
    WCTS_FUZZ_HOLDS(changed != NULL);
    changed->host = *host;
    changed->host.ctx = changed;
    changed->host.call = ask;
    changed->suite = host;
    changed->instance = wcts_plugin_entry()->open(&changed->host, side);
    if (changed->instance)
        return changed;
    free(changed);
    return NULL;
}

static wcts_status answer(void *instance, uint32_t operation, const void *request,
                          uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    const struct changed *changed = instance;
    wcts_status status = wcts_plugin_entry()->call(changed->instance, operation, request,
                                                   request_size, reply, room, reply_size);
    change(reply, reply_size, room, &status);
    return status;
}

static void end(void *instance)
{
    struct changed *changed = instance;
    wcts_plugin_entry()->close(changed->instance);
    free(changed);
}

static const struct wcts_plugin plugin = {sizeof plugin,
                                          WCTS_ABI_VERSION,
                                          WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER,
                                          0,
                                          "changed",
                                          "1",
                                          boot,
                                          answer,
                                          end};

/* In the place of a shared object (--wrap in the Makefile); the reference is the emulator itself.
 */
bool __wrap_wcts_machine_plugin_load(struct wcts_machine_loaded *loaded, const char *path,
                                     struct wcts_wire_host *remote, char *error, size_t room);

bool __wrap_wcts_machine_plugin_load(struct wcts_machine_loaded *loaded, const char *path,
                                     struct wcts_wire_host *remote, char *error, size_t room)
{
    bool tested = path && strcmp(path, "changed") == 0;
    (void)remote;
    (void)error;
    (void)room;
    *loaded = (struct wcts_machine_loaded){.plugin = tested ? &plugin : wcts_plugin_entry()};
    return true;
}

/* ---- the suite ---- */

static struct wcts_machine_session *open_session(bool driver, struct wcts_claims *claims)
{
    const struct wcts_implementation implementation = {.path = "changed", .options = "strict"};
    const struct wcts_machine_session_options options = {.driver = driver, .stores = true};
    char error[512] = "";
    struct wcts_machine_session *session = wcts_machine_session_open(
        wcts_fuzz_plan(), &implementation, &options, claims, error, sizeof error);
    WCTS_FUZZ_HOLDS(session || error[0] != '\0');
    return session;
}

/* The bytes of a session's stream as they are stored, unpacked. */
static struct wcts_stored stored_of(const struct wcts_machine_session *session)
{
    const struct wcts_exchange_strip *strip = &session->stream.strip;
    struct wcts_stored stored = {
        .kept = WCTS_STORED_FIRST, .size = strip->size, .raw = strip->size};
    stored.bytes = malloc(strip->size + 1);
    WCTS_FUZZ_HOLDS(stored.bytes != NULL);
    if (strip->size > 0)
        memcpy(stored.bytes, strip->bytes, strip->size);
    return stored;
}

/* The same finding comes of what was recorded. */
static void judge_again(const struct wcts_stored *claims_said, const struct wcts_case *test,
                        const struct wcts_machine_session *session,
                        const struct wcts_result *result)
{
    struct wcts_stored stored = stored_of(session);
    struct wcts_claims claims = {0};
    struct wcts_result again = {0};
    char error[512];
    struct wcts_machine_session *reading = wcts_machine_session_open_stored(
        wcts_fuzz_plan(), test->driver, claims_said, 0, &claims, error, sizeof error);
    WCTS_FUZZ_HOLDS(reading != NULL);
    WCTS_FUZZ_HOLDS(wcts_run_case_again(reading, test, &stored, &again) == NULL);
    WCTS_FUZZ_HOLDS(again.finding.found == result->finding.found);
    WCTS_FUZZ_HOLDS(!again.finding.reason == !result->finding.reason);
    WCTS_FUZZ_HOLDS(!again.finding.reason ||
                    strcmp(again.finding.reason, result->finding.reason) == 0);
    wcts_model_result_release(&again);
    wcts_machine_session_close(reading);
    free(stored.bytes);
}

static void run(struct wcts_machine_session *session, const struct wcts_stored *claims,
                const struct wcts_case *test, enum wcts_level level)
{
    const struct wcts_options options = {.level = level};
    struct wcts_result result = {0};
    wcts_run_case(session, test, &result);
    WCTS_FUZZ_HOLDS(result.finding.levels != 0);
    if (!session->stream.strip.full)
        judge_again(claims, test, session, &result);
    wcts_judge_result_read(wcts_fuzz_plan(), test, &options, &result);
    if (result.detail)
        fputs(result.detail, wcts_fuzz_sink());
    wcts_model_result_release(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wcts_fuzz_reader reader = {data, size}, nothing = {data, 0};
    const struct wcts_plan *plan = wcts_fuzz_plan();
    struct wcts_case made;
    struct wcts_claims claims = {0};
    struct wcts_stored said;
    struct wcts_machine_session *session;
    int index = (int)(wcts_fuzz_number(&reader, 2) % (uint64_t)plan->count);
    const struct wcts_case *test = wcts_plan_case(plan, index, &made);
    uint64_t how = wcts_fuzz_number(&reader, 1);
    begin_changes(how & 1 ? reader : nothing);
    session = open_session(test->driver, &claims);
    if (!session)
        return 0;
    said = stored_of(session);
    begin_changes(reader);
    run(session, &said, test, (enum wcts_level)((how >> 1) % 3));
    wcts_machine_session_close(session);
    free(said.bytes);
    return 0;
}
