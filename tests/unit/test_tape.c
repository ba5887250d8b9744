/* SPDX-License-Identifier: MIT */
/*
 * Strips, tapes and players: what was written is read, what was recorded is played to the same
 * verdict, and what was changed is noticed, or comes to something, but never to harm.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/exchange/strip.h"
#include "runner/machine/tape.h"
#include "runner/plan/plan.h"
#include "runner/run/case.h"
#include "runner/store/records.h"

/* ---- numbers from a seed ---- */

static uint64_t drawn;

static uint32_t draw(uint32_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(drawn >> 33) % below;
}

/* ---- strips ---- */

static struct wcts_strip *strip_new(void)
{
    struct wcts_strip *strip = calloc(1, sizeof *strip);
    ck_assert_ptr_nonnull(strip);
    strip->limit = WCTS_TAPE_MAX;
    return strip;
}

static void strip_free(struct wcts_strip *strip)
{
    wcts_exchange_strip_release(strip);
    free(strip);
}

static const uint64_t numbers[] = {
    0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_C(1) << 32, INT64_MAX, UINT64_MAX};
#define NUMBERS (sizeof numbers / sizeof *numbers)

START_TEST(numbers_come_back)
{
    struct wcts_strip *strip = strip_new(), *read = strip_new();
    for (size_t i = 0; i < NUMBERS; i++)
        wcts_exchange_strip_put_number(strip, numbers[i]);
    ck_assert(wcts_exchange_strip_load(read, strip->bytes, strip->size));
    for (size_t i = 0; i < NUMBERS; i++)
        ck_assert_uint_eq(wcts_exchange_strip_number(read), numbers[i]);
    ck_assert(wcts_exchange_strip_at_end(read) && !read->wrong);
    wcts_exchange_strip_number(read);
    ck_assert(read->wrong);
    strip_free(strip);
    strip_free(read);
}
END_TEST

#define MESSAGES 200

static const uint32_t operations[] = {0x101, 0x119, 0x203, 0x302, 0x1F0, 0xFFFFFFFF, 0};

/* Messages of all sizes, most like the last one of their operation. */
static size_t next_message(uint8_t *bytes, size_t last)
{
    size_t size = draw(4) ? last : draw(700);
    for (uint32_t changes = draw(5); changes > 0 && size > 0; changes--)
        bytes[draw((uint32_t)size)] = (uint8_t)draw(256);
    return size;
}

START_TEST(messages_come_back)
{
    struct wcts_strip *strip = strip_new(), *read = strip_new();
    static uint8_t messages[MESSAGES][700];
    size_t sizes[MESSAGES], size = 0;
    drawn = (uint64_t)_i;
    for (int i = 0; i < MESSAGES; i++) {
        if (i > 0)
            memcpy(messages[i], messages[i - 1], sizeof messages[i]);
        sizes[i] = size = next_message(messages[i], size);
        wcts_exchange_strip_put_message(strip, operations[i % 7], messages[i], size);
        if (i % 9 == 0)
            wcts_exchange_strip_expect(strip, 0x302, 32, messages[i], size);
    }
    ck_assert(!strip->full && wcts_exchange_strip_load(read, strip->bytes, strip->size));
    for (int i = 0; i < MESSAGES; i++) {
        uint8_t *message = wcts_exchange_strip_message(read, operations[i % 7], &size);
        ck_assert_ptr_nonnull(message);
        ck_assert_uint_eq(size, sizes[i]);
        ck_assert(memcmp(message, messages[i], size) == 0);
        if (i % 9 == 0)
            wcts_exchange_strip_expect(read, 0x302, 32, messages[i], size);
        free(message);
    }
    ck_assert(wcts_exchange_strip_at_end(read) && !read->wrong);
    strip_free(strip);
    strip_free(read);
}
END_TEST

START_TEST(what_is_the_same_takes_no_room)
{
    struct wcts_strip *strip = strip_new();
    static uint8_t message[8192];
    size_t first;
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)(i * 7 + 1);
    wcts_exchange_strip_put_message(strip, 0x119, message, sizeof message);
    first = strip->size;
    message[5000] ^= 1;
    wcts_exchange_strip_put_message(strip, 0x119, message, sizeof message);
    ck_assert_uint_gt(first, sizeof message);
    ck_assert_uint_lt(strip->size - first, 24);
    wcts_exchange_strip_expect(strip, 0x302, 32, message, sizeof message);
    first = strip->size;
    strip_free(strip);
}
END_TEST

START_TEST(a_full_strip_takes_no_more)
{
    struct wcts_strip *strip = strip_new();
    strip->limit = 10;
    wcts_exchange_strip_put_bytes(strip, "0123456789", 10);
    ck_assert(!strip->full);
    wcts_exchange_strip_put_byte(strip, 0);
    ck_assert(strip->full);
    ck_assert_uint_eq(strip->size, 10);
    strip_free(strip);
}
END_TEST

/* Every beginning of a strip, and every byte of it as another one. */
START_TEST(a_changed_strip_is_read_to_its_end)
{
    struct wcts_strip *strip = strip_new(), *read = strip_new();
    uint8_t message[64] = {1, 2, 3};
    for (int i = 0; i < 6; i++, message[i * 9]++)
        wcts_exchange_strip_put_message(strip, 0x101, message, sizeof message - (size_t)i);
    for (size_t i = 0; i < 2 * strip->size; i++) {
        bool cut = i < strip->size;
        ck_assert(wcts_exchange_strip_load(read, strip->bytes, cut ? i : strip->size));
        if (!cut)
            read->bytes[i - strip->size] ^= (uint8_t)(0x80 >> i % 8);
        for (int n = 0; n < 6; n++) {
            size_t size;
            free(wcts_exchange_strip_message(read, 0x101, &size));
        }
        ck_assert(!cut || read->wrong);
    }
    strip_free(strip);
    strip_free(read);
}
END_TEST

START_TEST(a_strip_is_packed)
{
    struct wcts_strip *strip = strip_new(), *read = strip_new();
    struct wcts_packer *packer = wcts_exchange_packer_new();
    size_t size = 0;
    for (uint64_t i = 0; i < 1000; i++)
        wcts_exchange_strip_put_number(strip, i / 100);
    uint8_t *packed = wcts_exchange_strip_pack(strip, packer, &size);
    ck_assert_ptr_nonnull(packed);
    ck_assert_uint_lt(size, 200);
    ck_assert(wcts_exchange_strip_unpack(read, packed, size, strip->size));
    ck_assert(memcmp(read->bytes, strip->bytes, strip->size) == 0);
    ck_assert(!wcts_exchange_strip_unpack(read, packed, size, strip->size + 1));
    ck_assert(!wcts_exchange_strip_unpack(read, packed, size, strip->size - 1));
    ck_assert(!wcts_exchange_strip_unpack(read, packed, size - 1, strip->size));
    ck_assert(!wcts_exchange_strip_unpack(read, "garbage", 7, 100));
    free(packed);
    wcts_exchange_packer_free(packer);
    strip_free(strip);
    strip_free(read);
}
END_TEST

/* ---- tapes ---- */

static struct wcts_spec *spec;
static struct wcts_plan *plan;

#define CASES 24

/* Cases as they were recorded. */
struct recorded {
    struct wcts_tape_record claims;
    struct wcts_claims claimed;
    struct wcts_case cases[CASES];
    struct wcts_result results[CASES];
    int count;
};

static struct recorded sides[2]; /* kernel, driver */

static void record_side(struct recorded *recorded, bool driver)
{
    const struct wcts_implementation emulator = {.path = "emulator", .options = "strict"};
    const struct wcts_session_options options = {.driver = driver,
                                                 .claims_tape = &recorded->claims};
    char error[512];
    struct wcts_session *session =
        wcts_session_open(plan, &emulator, &options, &recorded->claimed, error, sizeof error);
    ck_assert_ptr_nonnull(session);
    ck_assert_int_eq(recorded->claims.kept, WCTS_TAPE_KEPT);
    for (int i = 0, taken = 0; i < plan->count && recorded->count < CASES; i++) {
        if (WCTS_PLAN_CASE(plan, i)->driver != driver || taken++ % (driver ? 41 : 229) != 0)
            continue;
        wcts_plan_case(plan, i, &recorded->cases[recorded->count]);
        wcts_run_case(session, &recorded->cases[recorded->count],
                      &recorded->results[recorded->count]);
        recorded->count++;
    }
    wcts_session_close(session);
    ck_assert_int_gt(recorded->count, 10);
}

static void record(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options options = {.steps = 1000, .seed = 1};
    spec = wcts_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    plan = wcts_plan_make(spec, &options, &diagnostics);
    ck_assert_ptr_nonnull(plan);
    record_side(&sides[0], false);
    record_side(&sides[1], true);
}

static void forget(void)
{
    for (int side = 0; side < 2; side++) {
        free(sides[side].claims.bytes);
        for (int i = 0; i < sides[side].count; i++)
            wcts_model_result_release(&sides[side].results[i]);
    }
    wcts_plan_free(plan);
    wcts_spec_free(spec);
}

/* A session that plays. */
struct playing {
    struct wcts_player *player;
    struct wcts_session *session;
    struct wcts_claims claims;
};

static void play_side(struct playing *playing, const struct wcts_tape_record *claims, bool driver)
{
    const struct wcts_implementation played = {.path = "", .options = ""};
    struct wcts_session_options options = {.driver = driver};
    char error[512];
    *playing = (struct playing){.player = wcts_player_new(claims)};
    options.player = playing->player;
    if (playing->player)
        playing->session =
            wcts_session_open(plan, &played, &options, &playing->claims, error, sizeof error);
}

static void stop(struct playing *playing)
{
    wcts_session_close(playing->session);
    wcts_player_free(playing->player);
}

START_TEST(a_record_comes_to_the_same)
{
    const struct recorded *recorded = &sides[_i];
    struct playing playing;
    play_side(&playing, &recorded->claims, _i == 1);
    ck_assert_ptr_nonnull(playing.session);
    ck_assert_ptr_null(wcts_player_fault(playing.player));
    ck_assert_mem_eq(&playing.claims, &recorded->claimed, sizeof playing.claims);
    for (int i = 0; i < recorded->count; i++) {
        struct wcts_result result;
        ck_assert(wcts_player_load(playing.player, &recorded->results[i].tape, &playing.claims));
        wcts_run_case(playing.session, &recorded->cases[i], &result);
        ck_assert_msg(!wcts_player_fault(playing.player), "%s: %s", recorded->cases[i].id,
                      wcts_player_fault(playing.player));
        ck_assert_int_eq(result.finding.found, recorded->results[i].finding.found);
        ck_assert_uint_eq(result.finding.levels, recorded->results[i].finding.levels);
        wcts_model_result_release(&result);
    }
    stop(&playing);
}
END_TEST

START_TEST(a_record_of_another_case_is_noticed)
{
    const struct recorded *recorded = &sides[_i];
    struct playing playing;
    play_side(&playing, &recorded->claims, _i == 1);
    for (int i = 0; i + 1 < recorded->count; i++) {
        struct wcts_result result;
        if (recorded->cases[i].version == recorded->cases[i + 1].version)
            continue;
        ck_assert(wcts_player_load(playing.player, &recorded->results[i].tape, &playing.claims));
        wcts_run_case(playing.session, &recorded->cases[i + 1], &result);
        ck_assert_ptr_nonnull(wcts_player_fault(playing.player));
        wcts_model_result_release(&result);
    }
    stop(&playing);
}
END_TEST

START_TEST(a_record_under_other_claims_is_noticed)
{
    struct wcts_claims claims = sides[_i].claimed;
    struct wcts_player *player = wcts_player_new(&sides[_i].claims);
    ck_assert(wcts_player_load(player, &sides[_i].results[0].tape, &claims));
    claims.capabilities ^= 1;
    ck_assert(!wcts_player_load(player, &sides[_i].results[0].tape, &claims));
    ck_assert_ptr_nonnull(wcts_player_fault(player));
    wcts_player_free(player);
}
END_TEST

/* The tape with some bytes changed, cut off, or doubled; packed again, as a forger would. */
static struct wcts_tape_record changed(const struct wcts_tape_record *record)
{
    struct wcts_strip *strip = strip_new();
    struct wcts_packer *packer = wcts_exchange_packer_new();
    struct wcts_tape_record made = {.kept = WCTS_TAPE_KEPT};
    ck_assert(wcts_exchange_strip_unpack(strip, record->bytes, record->size, record->raw));
    for (uint32_t changes = 1 + draw(4); changes > 0; changes--) {
        uint32_t at = 8 + draw((uint32_t)strip->size - 8);
        strip->bytes[at] =
            (uint8_t)(draw(2) ? draw(256) : strip->bytes[at] ^ (uint32_t)(1u << draw(8)));
    }
    if (draw(8) == 0)
        strip->size = 8 + draw((uint32_t)strip->size - 8);
    made.raw = strip->size;
    made.bytes = wcts_exchange_strip_pack(strip, packer, &made.size);
    ck_assert_ptr_nonnull(made.bytes);
    wcts_exchange_packer_free(packer);
    strip_free(strip);
    return made;
}

START_TEST(a_changed_record_does_no_harm)
{
    const struct recorded *recorded = &sides[_i % 2];
    struct playing playing;
    int noticed = 0;
    drawn = (uint64_t)_i;
    play_side(&playing, &recorded->claims, _i % 2 == 1);
    for (int i = 0; i < recorded->count; i++) {
        struct wcts_result result = {0};
        struct wcts_tape_record tape;
        if (recorded->results[i].tape.raw < 16)
            continue;
        tape = changed(&recorded->results[i].tape);
        if (wcts_player_load(playing.player, &tape, &playing.claims))
            wcts_run_case(playing.session, &recorded->cases[i], &result);
        noticed += wcts_player_fault(playing.player) != NULL;
        wcts_model_result_release(&result);
        free(tape.bytes);
    }
    ck_assert_int_gt(noticed, 0);
    stop(&playing);
}
END_TEST

START_TEST(changed_claims_do_no_harm)
{
    drawn = (uint64_t)_i;
    for (int i = 0; i < 20; i++) {
        struct wcts_tape_record tape = changed(&sides[_i % 2].claims);
        struct playing playing;
        play_side(&playing, &tape, _i % 2 == 1);
        stop(&playing);
        free(tape.bytes);
    }
}
END_TEST

/* ---- the file ---- */

/* Writes what was recorded of a side into directory/records. Returns its size. */
static long write_records(const char *directory, const struct recorded *recorded)
{
    char path[200];
    snprintf(path, sizeof path, "%s/" WCTS_RECORDS_FILE, directory);
    FILE *out = fopen(path, "w");
    long size;
    ck_assert_ptr_nonnull(out);
    ck_assert(wcts_store_records_begin(out));
    for (int i = 0; i < recorded->count; i++)
        ck_assert(wcts_store_records_add(out, recorded->cases[i].id, &recorded->results[i].tape));
    size = ftell(out);
    fclose(out);
    return size;
}

static void change_file(const char *directory, long size)
{
    char path[200];
    snprintf(path, sizeof path, "%s/" WCTS_RECORDS_FILE, directory);
    FILE *file = fopen(path, "r+");
    ck_assert_ptr_nonnull(file);
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
    char directory[] = "/tmp/wcts-tape-XXXXXX", path[200];
    const struct recorded *recorded = &sides[_i % 2];
    ck_assert_ptr_nonnull(mkdtemp(directory));
    drawn = (uint64_t)_i;
    for (int n = 0; n < 30; n++) {
        long size = write_records(directory, recorded);
        struct wcts_records records;
        if (n > 0)
            change_file(directory, size);
        ck_assert(wcts_store_records_open(&records, directory));
        for (int i = 0; i < recorded->count; i++) {
            const struct wcts_tape_record *tape =
                wcts_store_records_find(&records, recorded->cases[i].id);
            ck_assert(n > 0 ||
                      (tape && tape->size == recorded->results[i].tape.size &&
                       memcmp(tape->bytes, recorded->results[i].tape.bytes, tape->size) == 0));
        }
        ck_assert(n > 0 || records.wrong[0] == '\0');
        wcts_store_records_release(&records);
    }
    snprintf(path, sizeof path, "%s/" WCTS_RECORDS_FILE, directory);
    unlink(path);
    rmdir(directory);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("tape");
    TCase *strips = tcase_create("strips"), *tapes = tcase_create("tapes");
    tcase_add_test(strips, numbers_come_back);
    tcase_add_loop_test(strips, messages_come_back, 0, 10);
    tcase_add_test(strips, what_is_the_same_takes_no_room);
    tcase_add_test(strips, a_full_strip_takes_no_more);
    tcase_add_test(strips, a_changed_strip_is_read_to_its_end);
    tcase_add_test(strips, a_strip_is_packed);
    suite_add_tcase(all, strips);
    tcase_add_unchecked_fixture(tapes, record, forget);
    tcase_set_timeout(tapes, 60);
    tcase_add_loop_test(tapes, a_record_comes_to_the_same, 0, 2);
    tcase_add_loop_test(tapes, a_record_of_another_case_is_noticed, 0, 2);
    tcase_add_loop_test(tapes, a_record_under_other_claims_is_noticed, 0, 2);
    tcase_add_loop_test(tapes, a_changed_record_does_no_harm, 0, 20);
    tcase_add_loop_test(tapes, changed_claims_do_no_harm, 0, 6);
    tcase_add_loop_test(tapes, a_changed_file_is_read_as_far_as_it_goes, 0, 6);
    suite_add_tcase(all, tapes);
    return all;
}

int main(void)
{
    SRunner *runner = srunner_create(suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
