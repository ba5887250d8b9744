/* SPDX-License-Identifier: MIT */
/*
 * Records of a run, as verify reads them. What the emulator says is recorded when the target
 * starts, so that the corpus does not change with it; the input damages that:
 *     2 bytes   which case of the small plan; bit 15: what is claimed is damaged instead
 *   and for each damage
 *     1 byte    enum damage
 *     2 bytes   where, from the end if the highest bit is set
 *     1 byte    the value
 * Damage is found, or harmless.
 */
#include "fuzz.h"

#include <string.h>

#include "runner/run/case.h"

enum damage { DAMAGE_SET, DAMAGE_FLIP, DAMAGE_INSERT, DAMAGE_REMOVE, DAMAGE_CUT, DAMAGES };

/* ---- what is recorded ---- */

static struct wcts_stored claims_said[2]; /* of kernel and driver */

static struct wcts_stored copy_of(const struct wcts_exchange_strip *strip)
{
    struct wcts_stored stored = {
        .kept = WCTS_STORED_FIRST, .size = strip->size, .raw = strip->size};
    stored.bytes = malloc(strip->size + 1);
    WCTS_FUZZ_HOLDS(stored.bytes != NULL);
    if (strip->size > 0)
        memcpy(stored.bytes, strip->bytes, strip->size);
    return stored;
}

/* Sessions with the emulator, opened once. */
static struct wcts_machine_session *with_emulator(bool driver)
{
    static struct wcts_machine_session *sessions[2];
    const struct wcts_implementation implementation = {.path = "emulator", .options = "strict"};
    const struct wcts_machine_session_options options = {.driver = driver, .stores = true};
    struct wcts_claims claims = {0};
    char error[512];
    if (sessions[driver])
        return sessions[driver];
    sessions[driver] = wcts_machine_session_open(wcts_fuzz_plan(), &implementation, &options,
                                                 &claims, error, sizeof error);
    WCTS_FUZZ_HOLDS(sessions[driver] != NULL);
    claims_said[driver] = copy_of(&sessions[driver]->stream.strip);
    return sessions[driver];
}

/* The record of a case; each is made once. */
static const struct wcts_stored *record_of(const struct wcts_case *test, int index)
{
    static struct wcts_stored *records;
    struct wcts_machine_session *session = with_emulator(test->driver);
    struct wcts_result result = {0};
    if (!records)
        records = calloc((size_t)wcts_fuzz_plan()->count, sizeof *records);
    WCTS_FUZZ_HOLDS(records != NULL);
    if (!records[index].bytes) {
        wcts_run_case(session, test, &result);
        records[index] = copy_of(&session->stream.strip);
        wcts_model_result_release(&result);
    }
    return &records[index];
}

/* ---- damage ---- */

static void damage(struct wcts_stored *stored, struct wcts_fuzz_reader *reader)
{
    enum damage kind = (enum damage)(wcts_fuzz_number(reader, 1) % DAMAGES);
    uint64_t place = wcts_fuzz_number(reader, 2);
    uint8_t value = (uint8_t)wcts_fuzz_number(reader, 1);
    size_t at;
    if (stored->size == 0)
        return;
    at = (place & 0x7FFF) % stored->size;
    at = place & 0x8000 ? stored->size - 1 - at : at;
    switch (kind) {
    case DAMAGE_SET:
        stored->bytes[at] = value;
        break;
    case DAMAGE_FLIP:
        stored->bytes[at] ^= (uint8_t)(1u << value % 8);
        break;
    case DAMAGE_INSERT:
        memmove(stored->bytes + at + 1, stored->bytes + at, stored->size - at);
        stored->bytes[at] = value;
        stored->size++;
        break;
    case DAMAGE_REMOVE:
        memmove(stored->bytes + at, stored->bytes + at + 1, stored->size - at - 1);
        stored->size--;
        break;
    default:
        stored->size = at;
    }
    stored->raw = stored->size;
}

/* A damaged copy in memory that is as long as it says. */
static struct wcts_stored damaged(const struct wcts_stored *stored, struct wcts_fuzz_reader *reader)
{
    struct wcts_stored copy = *stored;
    uint8_t *exact;
    copy.bytes = malloc(stored->size + reader->size / 4 + 2);
    WCTS_FUZZ_HOLDS(copy.bytes != NULL);
    memcpy(copy.bytes, stored->bytes, stored->size);
    while (reader->size > 0)
        damage(&copy, reader);
    exact = malloc(copy.size ? copy.size : 1);
    WCTS_FUZZ_HOLDS(exact != NULL);
    memcpy(exact, copy.bytes, copy.size);
    free(copy.bytes);
    copy.bytes = exact;
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wcts_fuzz_reader reader = {data, size}, nothing = {data, 0};
    const struct wcts_plan *plan = wcts_fuzz_plan();
    uint64_t which = wcts_fuzz_number(&reader, 2);
    struct wcts_case made;
    int index = (int)((which & 0x7FFF) % (uint64_t)plan->count);
    const struct wcts_case *test = wcts_plan_case(plan, index, &made);
    const struct wcts_stored *record = record_of(test, index);
    struct wcts_stored said =
        damaged(&claims_said[test->driver], which & 0x8000 ? &reader : &nothing);
    struct wcts_stored stored = damaged(record, &reader);
    struct wcts_claims claims = {0};
    struct wcts_result result = {0};
    char error[512];
    struct wcts_machine_session *session = wcts_machine_session_open_stored(
        plan, test->driver, &said, 0, &claims, error, sizeof error);
    const char *fault = session ? wcts_run_case_again(session, test, &stored, &result) : error;
    WCTS_FUZZ_HOLDS(fault == NULL || fault[0] != '\0');
    WCTS_FUZZ_HOLDS(size > 2 || fault == NULL);
    wcts_model_result_release(&result);
    wcts_machine_session_close(session);
    free(said.bytes);
    free(stored.bytes);
    return 0;
}
