/* SPDX-License-Identifier: MIT */
/*
 * Streams: what was written is read, what was stored is judged again to the same
 * finding, and what was changed is noticed, or comes to something, but never to harm.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../runner/load/spec_files.h"
#include "runner/exchange/stream.h"
#include "runner/plan/plan.h"
#include "runner/run/case.h"
#include "runner/store/records.h"
#include "suite.h"

/* ---- numbers from a seed ---- */

static uint64_t drawn;

static uint32_t draw(uint32_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(drawn >> 33) % below;
}

/* ---- replies of plug-ins that were built with an earlier header ---- */

/* Answers as many bytes of the reply as the context says, that many in its size member, too. */
static wcts_status answer_short(void *ctx, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    uint32_t size = *(const uint32_t *)ctx;
    (void)operation;
    (void)request;
    (void)request_size;
    memset(reply, 0xA5, reply_room);
    memcpy(reply, &size, sizeof size);
    *reply_size = size;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status ask_short(uint32_t operation, uint32_t size, uint8_t *reply, uint32_t *got)
{
    struct wcts_exchange exchange = {.quiet = true};
    uint8_t request[64] = {0};
    return wcts_exchange_recorded_call(&exchange, answer_short, &size, operation, request,
                                       sizeof request, reply, WCTS_REPLY_ROOM, got);
}

static wcts_status refuse(void *ctx, uint32_t operation, const void *request, uint32_t request_size,
                          void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    (void)ctx, (void)operation, (void)request, (void)request_size, (void)reply, (void)reply_room;
    *reply_size = 0;
    return WCTS_STATUS_INVALID_PARAMETER;
}

/* The same as a look at each record. */
static int look_back(const struct wcts_exchange *exchange, const struct wcts_operations *set,
                     int from)
{
    while (from >= 0 && !wcts_model_operations_have(set, exchange->records[from].operation))
        from--;
    return from;
}

/* In recordings of any length, and in one that was begun anew. */
START_TEST(what_is_sought_far_back_is_found)
{
    static const uint32_t operations[] = {WCTS_KERNEL_EVICT, WCTS_KERNEL_LOCK, WCTS_DRIVER_PAGING,
                                          WCTS_MACHINE_READ};
    static uint8_t reply[WCTS_REPLY_ROOM];
    struct wcts_exchange exchange = {0};
    uint8_t request[64] = {0};
    uint32_t got;
    for (int round = 0; round < 3; round++) {
        wcts_exchange_reset(&exchange);
        for (int i = 0; i < 1000 - 300 * round; i++) {
            int which = i == 63 ? 1 : i % 97 == 64 ? 2 : i % 64 == round ? 3 : 0;
            (void)wcts_exchange_recorded_call(&exchange, refuse, NULL, operations[which], request,
                                              sizeof request, reply, sizeof reply, &got);
            for (size_t j = 0; j < sizeof operations / sizeof *operations; j++) {
                const struct wcts_operations set = wcts_model_operations_of(operations[j]);
                for (int from = i; from >= -1; from -= 37)
                    ck_assert_int_eq(wcts_exchange_back(&exchange, &set, from),
                                     look_back(&exchange, &set, from));
            }
        }
        ck_assert_int_eq(exchange.count, 1000 - 300 * round);
    }
    wcts_exchange_release(&exchange);
}
END_TEST

/* What it leaves out of the end is 0; what was there from the beginning may not be missing. */
START_TEST(a_reply_may_end_where_it_once_ended)
{
    static uint8_t reply[WCTS_REPLY_ROOM];
    struct wcts_kernel_query_allocation_reply *query = (void *)reply;
    uint32_t least = wcts_reply_least(WCTS_KERNEL_QUERY_ALLOCATION), got = 0;
    ck_assert_uint_lt(least, sizeof *query);
    ck_assert_int_eq(ask_short(WCTS_KERNEL_QUERY_ALLOCATION, least, reply, &got), 0);
    ck_assert_uint_eq(got, sizeof *query);
    ck_assert_uint_eq(query->RenamingListLength, 0xA5A5A5A5u);
    ck_assert_uint_eq(query->PageSize, 0);
    ck_assert_int_lt(ask_short(WCTS_KERNEL_QUERY_ALLOCATION, least - 4, reply, &got), 0);
    ck_assert_int_lt(
        ask_short(WCTS_KERNEL_LOCK, sizeof(struct wcts_kernel_lock_reply) - 4, reply, &got), 0);
}
END_TEST

/* Answers a driver's expression as a plug-in did before there was pProfile: the text of four bytes
 * is where the member is now, and the reply ends within it. */
static wcts_status answer_expression(void *ctx, uint32_t operation, const void *request,
                                     uint32_t request_size, void *reply, uint32_t reply_room,
                                     uint32_t *reply_size)
{
    const uint32_t size = offsetof(struct wcts_driver_info_reply, pProfile);
    struct wcts_driver_info_reply *out = reply;
    (void)ctx, (void)operation, (void)request, (void)request_size;
    memset(reply, 0xA5, reply_room);
    out->size = size;
    out->pPatchExpression = size;
    memcpy((uint8_t *)reply + size, "old", 4);
    *reply_size = size + 4;
    return WCTS_STATUS_SUCCESS;
}

START_TEST(arrays_may_be_where_members_are_since)
{
    static uint8_t reply[WCTS_REPLY_ROOM];
    const size_t member = offsetof(struct wcts_driver_info_reply, pProfile);
    const struct wcts_none request = {.size = sizeof request};
    const struct wcts_driver_info_reply *info = (const void *)reply;
    struct wcts_exchange exchange;
    char name[8] = "before";
    uint32_t got = 0;
    exchange = (struct wcts_exchange){0};
    ck_assert_int_eq(wcts_exchange_recorded_call(&exchange, answer_expression, NULL,
                                                 WCTS_DRIVER_INFO, &request, sizeof request, reply,
                                                 sizeof reply, &got),
                     0);
    ck_assert_str_eq(exchange.breach, "");
    ck_assert_uint_eq(got, sizeof *info);
    ck_assert_str_eq((const char *)reply + info->pPatchExpression, "old");
    wcts_exchange_profile_name(reply, got, member, name, sizeof name);
    ck_assert_str_eq(name, "");
    wcts_exchange_release(&exchange);
}
END_TEST

/* ---- cases ---- */

static struct wcts_spec *spec;
static struct wcts_plan *plan;

#define CASES 24

/* Cases as they were recorded; stored holds the unpacked bytes. */
struct recorded {
    struct wcts_stored claims;
    struct wcts_claims claimed;
    struct wcts_case cases[CASES];
    struct wcts_result results[CASES];
    int count;
};

static struct recorded sides[2]; /* kernel, driver */

/* Moves what a session wrote. */
static void take_stream(struct wcts_machine_session *session, struct wcts_stored *stored)
{
    struct wcts_exchange_strip *strip = &session->stream.strip;
    ck_assert(!strip->full);
    *stored = (struct wcts_stored){
        .kept = WCTS_STORED_FIRST, .bytes = malloc(strip->size), .raw = strip->size};
    ck_assert_ptr_nonnull(stored->bytes);
    memcpy(stored->bytes, strip->bytes, strip->size);
}

/* Runs every so many-th case of the side whose id begins so, with options of the emulator. */
static void record_side(struct recorded *recorded, const char *text, bool driver, int between,
                        const char *ids)
{
    const struct wcts_implementation emulator = {.path = "emulator", .options = text};
    const struct wcts_machine_session_options options = {.driver = driver, .stores = true};
    char error[512];
    struct wcts_machine_session *session = wcts_machine_session_open(
        plan, &emulator, &options, &recorded->claimed, error, sizeof error);
    ck_assert_ptr_nonnull(session);
    take_stream(session, &recorded->claims);
    for (int i = 0, taken = 0; i < plan->count && recorded->count < CASES; i++) {
        struct wcts_result *result = &recorded->results[recorded->count];
        if (WCTS_PLAN_CASE(plan, i)->driver != driver ||
            strncmp(WCTS_PLAN_CASE(plan, i)->id, ids, strlen(ids)) != 0 || taken++ % between != 0)
            continue;
        wcts_plan_case(plan, i, &recorded->cases[recorded->count]);
        wcts_run_case(session, &recorded->cases[recorded->count++], result);
        take_stream(session, &result->stored);
    }
    wcts_machine_session_close(session);
    ck_assert_int_gt(recorded->count, 4);
}

static void recorded_release(struct recorded *recorded)
{
    free(recorded->claims.bytes);
    for (int i = 0; i < recorded->count; i++)
        wcts_model_result_release(&recorded->results[i]);
}

static void record(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options options = {.steps = 1000, .seed = 1};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    plan = wcts_plan_make(spec, &options, &diagnostics);
    ck_assert_ptr_nonnull(plan);
    record_side(&sides[0], "strict", false, 229, "");
    record_side(&sides[1], "strict", true, 41, "");
}

static void forget(void)
{
    recorded_release(&sides[0]);
    recorded_release(&sides[1]);
    wcts_plan_free(plan);
    wcts_load_spec_free(spec);
}

/* A session that reads; NULL if the claims are none. */
static struct wcts_machine_session *read_side(const struct wcts_stored *stored, bool driver,
                                              struct wcts_claims *claims)
{
    const struct wcts_implementation nobody = {.path = "", .options = ""};
    const struct wcts_machine_session_options options = {.driver = driver, .claims = stored};
    char error[512];
    return wcts_machine_session_open(plan, &nobody, &options, claims, error, sizeof error);
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static void must_be_same(const struct wcts_finding *got, const struct wcts_finding *found,
                         const char *id)
{
    for (; got && found; got = got->next, found = found->next)
        ck_assert_msg(got->found == found->found && got->levels == found->levels &&
                          got->skip == found->skip && got->broken == found->broken &&
                          got->fails == found->fails && same_text(got->reason, found->reason) &&
                          same_text(got->detail, found->detail) &&
                          same_text(got->scenario, found->scenario),
                      "%s: %s: %s", id, wcts_model_found_name(got->found), got->reason);
    ck_assert(!got && !found);
}

/* Judges again what was recorded of a side: the findings must be the same. */
static void judge_again(const struct recorded *recorded, bool driver)
{
    struct wcts_claims claims = {0};
    struct wcts_machine_session *session = read_side(&recorded->claims, driver, &claims);
    ck_assert_ptr_nonnull(session);
    ck_assert_ptr_null(wcts_exchange_stream_fault(&session->stream));
    ck_assert_mem_eq(&claims, &recorded->claimed, sizeof claims);
    for (int i = 0; i < recorded->count; i++) {
        const char *id = recorded->cases[i].id;
        struct wcts_result result = {0};
        const char *fault = wcts_run_case_again(session, &recorded->cases[i],
                                                &recorded->results[i].stored, &result);
        ck_assert_msg(!fault, "%s: %s", id, fault);
        must_be_same(&result.finding, &recorded->results[i].finding, id);
        wcts_model_result_release(&result);
    }
    wcts_machine_session_close(session);
}

START_TEST(a_stored_case_gives_the_same_finding)
{
    judge_again(&sides[_i], _i == 1);
}
END_TEST

/* Faults, each with cases that show it: a call at several levels, a scenario and a sequence that
 * are shrunk, a driver of several kinds. */
static const struct {
    const char *options, *ids;
    bool driver;
} faulty[] = {
    {"fault=CAF-003", "CAF-003/", false},
    {"fault=CAF-004.gone", "CAF-004.gone/scenario/", false},
    {"fault=UVA-002", "UVA/sequence/wddm2_", false},
    {"fault=AIN-012", "AIN-012/answer/", true},
};

START_TEST(a_stored_failure_gives_the_same_finding)
{
    struct recorded *recorded = calloc(1, sizeof *recorded);
    int failed = 0;
    ck_assert_ptr_nonnull(recorded);
    record_side(recorded, faulty[_i].options, faulty[_i].driver, 1, faulty[_i].ids);
    for (int i = 0; i < recorded->count; i++)
        failed += recorded->results[i].finding.found == WCTS_FOUND_BROKEN;
    ck_assert_int_gt(failed, 0);
    judge_again(recorded, faulty[_i].driver);
    recorded_release(recorded);
    free(recorded);
}
END_TEST

START_TEST(a_record_of_another_case_is_noticed)
{
    const struct recorded *recorded = &sides[_i];
    struct wcts_claims claims = {0};
    struct wcts_machine_session *session = read_side(&recorded->claims, _i == 1, &claims);
    for (int i = 0; i + 1 < recorded->count; i++) {
        struct wcts_result result;
        if (recorded->cases[i].version == recorded->cases[i + 1].version)
            continue;
        ck_assert_ptr_nonnull(wcts_run_case_again(session, &recorded->cases[i + 1],
                                                  &recorded->results[i].stored, &result));
        wcts_model_result_release(&result);
    }
    wcts_machine_session_close(session);
}
END_TEST

/* Makes the next case that differs from one only in the facts that are sent. False if there is
 * none. */
static bool easier_case(const struct wcts_case *test, struct wcts_case *made)
{
    for (int i = test->index + 1; i < plan->count; i++) {
        const struct wcts_case *one = wcts_plan_case(plan, i, made);
        if (!one->driver && one->version == test->version && one->page_size == test->page_size &&
            one->base == test->base && one->state == test->state && one->kind == test->kind &&
            one->expect == test->expect && one->fact_count == 1 &&
            one->twin_count == test->twin_count &&
            one->facts[0].ref.flag != test->facts[0].ref.flag &&
            !wcts_model_fact_is_answer(plan, one, &one->facts[0]))
            return true;
    }
    return false;
}

START_TEST(an_easier_request_is_noticed)
{
    const struct recorded *recorded = &sides[0];
    struct wcts_claims claims = {0};
    struct wcts_machine_session *session = read_side(&recorded->claims, false, &claims);
    int tried = 0;
    for (int i = 0; i < recorded->count; i++) {
        const struct wcts_case *test = &recorded->cases[i];
        struct wcts_case other;
        struct wcts_result result;
        if (test->kind == WCTS_KIND_SEQUENCE || test->scenario || test->fact_count != 1 ||
            !easier_case(test, &other))
            continue;
        const char *fault =
            wcts_run_case_again(session, &other, &recorded->results[i].stored, &result);
        ck_assert_msg(fault && strcmp(fault, "the record holds a call with another request") == 0,
                      "%s as %s: %s", test->id, other.id, fault ? fault : "nothing");
        wcts_model_result_release(&result);
        tried++;
    }
    ck_assert_int_gt(tried, 0);
    wcts_machine_session_close(session);
}
END_TEST

START_TEST(a_record_under_other_claims_is_noticed)
{
    const struct recorded *recorded = &sides[_i];
    struct wcts_claims claims = {0};
    struct wcts_machine_session *session = read_side(&recorded->claims, _i == 1, &claims);
    struct wcts_result result;
    session->claims.name[0]++;
    ck_assert_str_eq(
        wcts_run_case_again(session, &recorded->cases[0], &recorded->results[0].stored, &result),
        "the record is of an implementation that claimed something else");
    wcts_model_result_release(&result);
    wcts_machine_session_close(session);
}
END_TEST

/* A stream with some bytes changed, cut off, or doubled. */
static struct wcts_stored changed(const struct wcts_stored *stored)
{
    struct wcts_stored made = {
        .kept = WCTS_STORED_FIRST, .bytes = malloc(stored->raw), .raw = stored->raw};
    ck_assert_ptr_nonnull(made.bytes);
    memcpy(made.bytes, stored->bytes, stored->raw);
    for (uint32_t changes = 1 + draw(4); changes > 0; changes--) {
        uint32_t at = 11 + draw((uint32_t)made.raw - 11);
        made.bytes[at] =
            (uint8_t)(draw(2) ? draw(256) : made.bytes[at] ^ (uint32_t)(1u << draw(8)));
    }
    if (draw(8) == 0)
        made.raw = 11 + draw((uint32_t)made.raw - 11);
    return made;
}

START_TEST(a_changed_record_does_no_harm)
{
    const struct recorded *recorded = &sides[_i % 2];
    struct wcts_claims claims = {0};
    struct wcts_machine_session *session = read_side(&recorded->claims, _i % 2 == 1, &claims);
    int noticed = 0;
    drawn = (uint64_t)_i;
    for (int i = 0; i < recorded->count; i++) {
        struct wcts_result result = {0};
        struct wcts_stored stored;
        if (recorded->results[i].stored.raw < 16)
            continue;
        stored = changed(&recorded->results[i].stored);
        noticed += wcts_run_case_again(session, &recorded->cases[i], &stored, &result) != NULL;
        wcts_model_result_release(&result);
        free(stored.bytes);
    }
    ck_assert_int_gt(noticed, 0);
    wcts_machine_session_close(session);
}
END_TEST

START_TEST(changed_claims_do_no_harm)
{
    drawn = (uint64_t)_i;
    for (int i = 0; i < 20; i++) {
        struct wcts_stored stored = changed(&sides[_i % 2].claims);
        struct wcts_claims claims = {0};
        wcts_machine_session_close(read_side(&stored, _i % 2 == 1, &claims));
        free(stored.bytes);
    }
}
END_TEST

static int deepest;

/* A party that is asked and asks on, before it answers. */
static wcts_status ask_on(void *ctx, uint32_t operation, const void *request, uint32_t size,
                          void *reply, uint32_t room, uint32_t *answered)
{
    struct wcts_exchange_stream *stream = ctx;
    (void)request;
    (void)size;
    deepest = stream->depth > deepest ? stream->depth : deepest;
    return wcts_exchange_stream_answer(stream, operation, WCTS_STATUS_SUCCESS, reply, room,
                                       answered);
}

/* Each question is small in the stream, and needs two mebibytes until it is answered. */
START_TEST(questions_in_each_other_take_no_more_than_they_may)
{
    static const uint8_t zeros[WCTS_STRIP_MESSAGE_MAX];
    struct wcts_exchange_stream *writes = calloc(1, sizeof *writes),
                                *reads = calloc(1, sizeof *reads);
    ck_assert(writes && reads);
    wcts_exchange_stream_write(writes);
    for (int i = 0; i < 199; i++)
        wcts_exchange_stream_request(writes, false, WCTS_DRIVER_INFO, zeros, sizeof zeros,
                                     sizeof zeros);
    wcts_exchange_stream_read(reads, writes->strip.bytes, writes->strip.size);
    reads->cross = ask_on;
    reads->ctx = reads;
    deepest = 0;
    ck_assert(!wcts_exchange_stream_event(reads, WCTS_STREAM_OPENED));
    ck_assert_str_eq(wcts_exchange_stream_fault(reads),
                     "the record holds a call that cannot be made");
    ck_assert_int_eq(deepest, 8);
    wcts_exchange_stream_release(writes);
    wcts_exchange_stream_release(reads);
    free(writes);
    free(reads);
}
END_TEST

/* ---- the file ---- */

/* Writes what was recorded of a side into directory/records, in streams of seven. Returns its
 * size. */
static long write_records(const char *directory, const struct recorded *recorded)
{
    char path[200];
    snprintf(path, sizeof path, "%s/" WCTS_RECORDS_FILE, directory);
    FILE *out = fopen(path, "w");
    struct wcts_packer *packer = wcts_exchange_packer_new();
    long size;
    ck_assert_ptr_nonnull(out);
    ck_assert(wcts_store_records_begin(out));
    for (int i = 0; i < recorded->count; i++) {
        struct wcts_stored stored = recorded->results[i].stored;
        if (i % 7 == 0)
            wcts_exchange_packer_begin(packer);
        stored.kept = i % 7 == 0 ? WCTS_STORED_FIRST : WCTS_STORED_NEXT;
        stored.bytes = wcts_exchange_packer_pack(packer, stored.bytes, stored.raw, &stored.size);
        ck_assert(wcts_store_records_add(out, recorded->cases[i].id, &stored));
        free(stored.bytes);
    }
    wcts_exchange_packer_free(packer);
    size = ftell(out);
    fclose(out);
    return size;
}

static uint8_t *read_bytes(const char *path, long size)
{
    uint8_t *bytes = malloc((size_t)size);
    FILE *in = fopen(path, "r");
    ck_assert(bytes && in && fread(bytes, 1, (size_t)size, in) == (size_t)size);
    fclose(in);
    return bytes;
}

/* Writes the bytes of a file and changes some, or cuts it. */
static void change_file(const char *path, const uint8_t *bytes, long size)
{
    FILE *file = fopen(path, "w");
    ck_assert(file && fwrite(bytes, 1, (size_t)size, file) == (size_t)size);
    for (int i = 0; i < 3; i++) {
        fseek(file, (long)draw((uint32_t)size), SEEK_SET);
        fputc((int)draw(256), file);
    }
    fclose(file);
    if (draw(4) == 0)
        ck_assert_int_eq(truncate(path, (long)draw((uint32_t)size)), 0);
}

START_TEST(a_changed_file_is_read_as_far_as_it_goes)
{
    char directory[] = "/tmp/wcts-stream-XXXXXX", path[200];
    const struct recorded *recorded = &sides[_i % 2];
    ck_assert_ptr_nonnull(mkdtemp(directory));
    drawn = (uint64_t)_i;
    long size = write_records(directory, recorded);
    snprintf(path, sizeof path, "%s/" WCTS_RECORDS_FILE, directory);
    uint8_t *bytes = read_bytes(path, size);
    for (int n = 0; n < 30; n++) {
        struct wcts_store_records records;
        if (n > 1)
            change_file(path, bytes, size);
        ck_assert(wcts_store_records_open(&records, directory));
        for (int i = 0; i < recorded->count; i++) {
            const struct wcts_stored *there = &recorded->results[i].stored, *stored;
            if (n == 1 && i % 3 == 1) /* one that nobody looks for */
                continue;
            stored = wcts_store_records_find(&records, recorded->cases[i].id);
            ck_assert(n > 1 || (stored && stored->raw == there->raw &&
                                memcmp(stored->bytes, there->bytes, there->raw) == 0));
        }
        wcts_store_records_end(&records);
        ck_assert(n > 1 || records.unused == (n == 0 ? 0 : (recorded->count + 1) / 3));
        ck_assert(n > 1 || records.wrong[0] == '\0');
        wcts_store_records_release(&records);
    }
    free(bytes);
    unlink(path);
    rmdir(directory);
}
END_TEST

/* An entry of a file of records, which need not be right. */
struct entry {
    const char *name;
    size_t name_size;
    uint32_t kept, raw, size; /* size: bytes that are there, all 0 */
};

static void write_entries(const char *path, const struct entry *entries, int count)
{
    static const uint8_t zeros[64];
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert(wcts_store_records_begin(out));
    for (int i = 0; i < count; i++) {
        const uint32_t head[4] = {(uint32_t)entries[i].name_size, entries[i].kept, entries[i].raw,
                                  entries[i].size};
        fwrite(head, sizeof head, 1, out);
        fwrite(entries[i].name, 1, entries[i].name_size, out);
        fwrite(zeros, 1, entries[i].size, out);
    }
    fclose(out);
}

/* What belongs to no case is not unpacked, whatever it may hold. */
START_TEST(entries_that_nobody_looks_for_are_not_unpacked)
{
    static const struct entry entries[] = {{"stray", 5, WCTS_STORED_FIRST, 60, 20},
                                           {"a", 1, WCTS_STORED_FIRST, 60, 20},
                                           {"b", 1, WCTS_STORED_NEXT, 60, 20},
                                           {"b", 1, WCTS_STORED_NONE, 0, 0}};
    static const struct entry wrong[] = {{"a\0b", 3, WCTS_STORED_NONE, 0, 0},
                                         {"a", 1, WCTS_STORED_NONE, 60, 0},
                                         {"a", 1, WCTS_STORED_CUT, 0, 20}};
    char directory[] = "/tmp/wcts-stream-XXXXXX", path[200];
    struct wcts_store_records records;
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/" WCTS_RECORDS_FILE, directory);
    write_entries(path, entries, 4);
    ck_assert(wcts_store_records_open(&records, directory));
    ck_assert_ptr_nonnull(wcts_store_records_find(&records, "a"));
    ck_assert_int_eq(records.count, 2);
    ck_assert_int_eq(records.unused, 1);
    wcts_exchange_packer_free(records.packer); /* needed for nothing any more */
    records.packer = NULL;
    wcts_store_records_end(&records);
    ck_assert_int_eq(records.count, 4);
    ck_assert_int_eq(records.unused, 3);
    ck_assert_str_eq(records.wrong, "");
    wcts_store_records_release(&records);
    for (int i = 0; i < 3; i++) {
        write_entries(path, &wrong[i], 1);
        ck_assert(wcts_store_records_open(&records, directory));
        ck_assert_ptr_null(wcts_store_records_find(&records, "a"));
        ck_assert_ptr_nonnull(strstr(records.wrong, "bytes cannot be read"));
        wcts_store_records_release(&records);
    }
    unlink(path);
    rmdir(directory);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("stream");
    TCase *messages = tcase_create("messages"), *cases = tcase_create("cases");
    tcase_add_test(messages, a_reply_may_end_where_it_once_ended);
    tcase_add_test(cases, arrays_may_be_where_members_are_since);
    tcase_add_test(messages, what_is_sought_far_back_is_found);
    tcase_add_test(messages, questions_in_each_other_take_no_more_than_they_may);
    tcase_add_test(messages, entries_that_nobody_looks_for_are_not_unpacked);
    suite_add_tcase(all, messages);
    tcase_add_unchecked_fixture(cases, record, forget);
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, a_stored_case_gives_the_same_finding, 0, 2);
    tcase_add_loop_test(cases, a_stored_failure_gives_the_same_finding, 0,
                        (int)(sizeof faulty / sizeof *faulty));
    tcase_add_loop_test(cases, a_record_of_another_case_is_noticed, 0, 2);
    tcase_add_test(cases, an_easier_request_is_noticed);
    tcase_add_loop_test(cases, a_record_under_other_claims_is_noticed, 0, 2);
    tcase_add_loop_test(cases, a_changed_record_does_no_harm, 0, 20);
    tcase_add_loop_test(cases, changed_claims_do_no_harm, 0, 6);
    tcase_add_loop_test(cases, a_changed_file_is_read_as_far_as_it_goes, 0, 6);
    suite_add_tcase(all, cases);
    return all;
}

int main(void)
{
    return suite_run(suite());
}
