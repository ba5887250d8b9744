/* SPDX-License-Identifier: MIT */
/*
 * Sequences: the interpreter over pages that are written down here by hand, the generator, the
 * shrinker over conditions of our own, the scenario file there and back, and walks on the emulator.
 * Runs in the top directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../runner/load/spec_files.h"
#include "runner/plan/plan.h"
#include "runner/plan/sequence.h"
#include "runner/run/sequence.h"
#include "suite.h"

#define BASE UINT64_C(0x40000000)
#define PAGE WCTS_GPU_PAGE
#define A0 UINT64_C(0x1111)
#define A1 UINT64_C(0x2222)
#define DIGEST UINT64_C(0xD1B661A1FD279220) /* a new operation or value to draw changes it */

static struct wcts_spec *spec;
static struct wcts_oracle_walk_shape shape;
static struct wcts_oracle_model model;
static int newest;

static struct wcts_spec *load(const char *extra)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct wcts_spec *loaded =
        wcts_load_spec_load("spec", "cases", &extra, extra != NULL, &diagnostics);
    ck_assert_ptr_nonnull(loaded);
    return loaded;
}

static void set_up(void)
{
    spec = load(NULL);
    newest = spec->versions_count - 1;
    ck_assert(wcts_oracle_walk_shape_init(&shape, spec));
    ck_assert(wcts_oracle_model_init(&model, &shape));
    wcts_oracle_model_begin(&model, newest, BASE, NULL);
}

static void tear_down(void)
{
    wcts_oracle_model_release(&model);
    wcts_load_spec_free(spec);
}

/* ---- Steps by hand ---- */

static struct wcts_oracle_walk_step step;

static int operation(const char *name)
{
    for (int i = 0; i < shape.operation_count; i++)
        if (strcmp(spec->structures[shape.operations[i].structure].name, name) == 0)
            return i;
    ck_abort_msg("no operation %s", name);
}

static void update(void)
{
    step = (struct wcts_oracle_walk_step){.kind = WCTS_WALK_UPDATE};
}

static void item(const char *name)
{
    step.items[step.item_count] = (struct wcts_oracle_walk_item){.operation = operation(name)};
    step.item_count++;
}

static void put(const char *member, enum wcts_oracle_walk_is is, uint64_t number)
{
    struct wcts_oracle_walk_item *last = &step.items[step.item_count - 1];
    int index = wcts_model_spec_member(spec, shape.operations[last->operation].structure, member);
    ck_assert_msg(index >= 0, "no member %s", member);
    last->values[index] = (struct wcts_oracle_walk_value){is, number};
}

static void map_item(const char *name, uint64_t page, uint64_t pages, int allocation, uint64_t from,
                     uint64_t each)
{
    item(name);
    put("BaseAddress", WCTS_WALK_IS_ADDRESS, page * PAGE);
    put("SizeInBytes", WCTS_WALK_IS_NUMBER, pages * PAGE);
    put("hAllocation", WCTS_WALK_IS_ALLOCATION, (uint64_t)allocation);
    put("AllocationOffsetInBytes", WCTS_WALK_IS_NUMBER, from * PAGE);
    put("AllocationSizeInBytes", WCTS_WALK_IS_NUMBER, each * PAGE);
}

static void unmap_item(uint64_t page, uint64_t pages, uint64_t protection)
{
    item("Unmap");
    put("BaseAddress", WCTS_WALK_IS_ADDRESS, page * PAGE);
    put("SizeInBytes", WCTS_WALK_IS_NUMBER, pages * PAGE);
    put("Protection", WCTS_WALK_IS_NUMBER, protection);
}

static void copy_item(uint64_t from, uint64_t to, uint64_t pages)
{
    item("Copy");
    put("SourceAddress", WCTS_WALK_IS_ADDRESS, from * PAGE);
    put("DestAddress", WCTS_WALK_IS_ADDRESS, to * PAGE);
    put("SizeInBytes", WCTS_WALK_IS_NUMBER, pages * PAGE);
}

static void take(uint64_t result)
{
    ck_assert(wcts_oracle_account_can(&model.held, &step));
    wcts_oracle_model_take(&model, &step, false, result);
}

static void reserve(int first, int count, int how)
{
    step = (struct wcts_oracle_walk_step){
        .kind = WCTS_WALK_RESERVE, .first = first, .count = count, .reserve = how};
    take(BASE);
}

static void release(int first)
{
    step = (struct wcts_oracle_walk_step){.kind = WCTS_WALK_FREE, .first = first};
    take(0);
}

static void create(int allocation, uint64_t handle)
{
    step = (struct wcts_oracle_walk_step){.kind = WCTS_WALK_CREATE, .allocation = allocation};
    take(handle);
}

static void destroy(int allocation)
{
    step = (struct wcts_oracle_walk_step){.kind = WCTS_WALK_DESTROY, .allocation = allocation};
    take(0);
}

static enum wcts_expect asked(void)
{
    struct wcts_oracle_prediction prediction;
    return wcts_oracle_model_expect(&model, &step, &prediction);
}

static void accept(void)
{
    ck_assert_int_eq(asked(), WCTS_EXPECT_ACCEPT);
    wcts_oracle_model_take(&model, &step, false, 0);
}

/* Refused, for this rule before all others. */
static void refuse(const char *rule)
{
    struct wcts_oracle_prediction prediction;
    ck_assert_int_eq(wcts_oracle_model_expect(&model, &step, &prediction), WCTS_EXPECT_REFUSE);
    ck_assert_int_gt(prediction.broken_count, 0);
    for (int i = 0; i < prediction.broken_count; i++)
        if (strcmp(spec->rules[prediction.broken[i]].id, rule) == 0)
            return;
    ck_abort_msg("%s is not broken, but %s", rule, spec->rules[prediction.broken[0]].id);
}

/* Pages as they ought to be, from one on: "z" zero, "i" invalid, "u" unreserved, and a digit: the
 * page of allocation 0 with that number, a letter from A on: of allocation 1. */
static void pages_are(int page, const char *wanted)
{
    for (; *wanted; wanted++, page++) {
        const struct wcts_oracle_walk_page *got = &model.pages[page];
        bool second = *wanted >= 'A' && *wanted <= 'Z';
        uint64_t offset = (uint64_t)(*wanted - (second ? 'A' : '0')) * PAGE;
        char state = "uzim"[got->page.of[WCTS_MEANS_STATE]];
        if (strchr("uzi", *wanted)) {
            ck_assert_msg(state == *wanted, "page %d is %c, expected %c", page, state, *wanted);
            continue;
        }
        ck_assert_msg(state == 'm', "page %d is %c, expected a mapping", page, state);
        ck_assert_uint_eq(got->page.of[WCTS_MEANS_ALLOCATION], second ? A1 : A0);
        ck_assert_msg(
            got->page.of[WCTS_MEANS_OFFSET] == offset, "page %d is at 0x%llx, expected 0x%llx",
            page, (unsigned long long)got->page.of[WCTS_MEANS_OFFSET], (unsigned long long)offset);
    }
}

static void ready(void)
{
    reserve(0, 1, 0);
    create(0, A0);
    create(1, A1);
}

/* ---- The interpreter ---- */

START_TEST(reserving_and_freeing)
{
    reserve(1, 1, 0);
    pages_are(14, "uuzz");
    pages_are(30, "zzuu");
    reserve(2, 1, 1);
    pages_are(31, "zi");
    release(1);
    pages_are(15, "uu");
    pages_are(31, "ui");
    step = (struct wcts_oracle_walk_step){.kind = WCTS_WALK_RESERVE, .first = 2, .count = 1};
    ck_assert(!wcts_oracle_account_can(&model.held, &step));
    step = (struct wcts_oracle_walk_step){.kind = WCTS_WALK_FREE, .first = 1};
    ck_assert(!wcts_oracle_account_can(&model.held, &step));
}
END_TEST

START_TEST(mapping)
{
    ready();
    update();
    map_item("Map", 2, 3, 0, 4, 0);
    accept();
    pages_are(0, "zz456zz");
    ck_assert_uint_eq(model.pages[2].page.of[WCTS_MEANS_PROTECTION], 1);
    ck_assert_uint_eq(model.pages[2].page.of[WCTS_MEANS_DRIVER_PROTECTION], 0);
    update();
    map_item("MapProtect", 3, 6, 1, 1, 2);
    put("Protection", WCTS_WALK_IS_NUMBER, 3);
    put("DriverProtection", WCTS_WALK_IS_NUMBER, 99);
    accept();
    pages_are(0, "zz4BCBCBCz");
    ck_assert_uint_eq(model.pages[2].page.of[WCTS_MEANS_PROTECTION], 1);
    ck_assert_uint_eq(model.pages[3].page.of[WCTS_MEANS_PROTECTION], 3);
    ck_assert_uint_eq(model.pages[8].page.of[WCTS_MEANS_DRIVER_PROTECTION], 99);
}
END_TEST

START_TEST(unmapping)
{
    ready();
    update();
    map_item("Map", 0, 6, 0, 0, 0);
    accept();
    update();
    unmap_item(1, 2, 1u << 2);
    unmap_item(3, 2, 1u << 3);
    accept();
    pages_are(0, "0zzii5z");
    ck_assert_uint_eq(model.pages[1].page.of[WCTS_MEANS_ALLOCATION], 0);
}
END_TEST

/* As if all were read before anything is written, forwards and backwards. */
START_TEST(copying)
{
    ready();
    update();
    map_item("Map", 0, 6, 0, 0, 0);
    accept();
    update();
    copy_item(0, 1, 5);
    accept();
    pages_are(0, "001234z");
    update();
    copy_item(2, 0, 6);
    accept();
    pages_are(0, "1234zz");
    update();
    unmap_item(5, 1, 1u << 3);
    copy_item(3, 8, 3);
    accept();
    pages_are(8, "4zi");
    update();
    copy_item(8, 8, 3);
    accept();
    pages_are(8, "4zi");
}
END_TEST

START_TEST(a_batch_goes_in_order)
{
    ready();
    update();
    map_item("Map", 0, 2, 0, 0, 0);
    map_item("Map", 1, 2, 1, 0, 0);
    copy_item(0, 4, 3);
    unmap_item(0, 1, 1u << 2);
    accept();
    pages_are(0, "zABz0ABz");
    ck_assert_int_eq(model.writer[0], 3);
    ck_assert_int_eq(model.writer[1], 1);
    ck_assert_int_eq(model.writer[4], 2);
    ck_assert_int_eq(model.writer[7], -1);
}
END_TEST

START_TEST(what_is_refused)
{
    ready();
    reserve(1, 1, 0);
    reserve(2, 1, 1);
    update();
    map_item("Map", 60, 1, 0, 0, 0);
    refuse("UVA-006");
    update();
    map_item("Map", 15, 2, 0, 0, 0); /* over the seam of two reservations */
    refuse("UVA-007");
    update();
    map_item("Map", 0, 1, 2, 0, 0); /* never created */
    refuse("UVA-008");
    update();
    map_item("Map", 0, 1, 0, 0, 0);
    put("BaseAddress", WCTS_WALK_IS_ADDRESS, 1);
    refuse("UVA-004");
    update();
    map_item("Map", 0, 1, 0, 0, 0);
    put("SizeInBytes", WCTS_WALK_IS_NUMBER, UINT64_MAX - PAGE + 1);
    refuse("UVA-006");
    update();
    copy_item(32, 0, 1); /* from a range without access */
    refuse("UVA-030.source");
    update();
    map_item("Map", 0, 1, 0, 0, 0);
    map_item("Map", 16, 1, 0, 0, 0);
    refuse("UVA-007");
    destroy(0);
    update();
    map_item("MapProtect", 0, 1, 0, 0, 0);
    refuse("UVA-018");
    pages_are(0, "zzzz");
}
END_TEST

START_TEST(what_is_left_open)
{
    ready();
    update();
    map_item("Map", 0, 0, 0, 0, 0); /* nothing */
    ck_assert_int_eq(asked(), WCTS_EXPECT_OPEN);
    update();
    map_item("Map", 0, 1, 0, 16, 0); /* past the end of the allocation */
    ck_assert_int_eq(asked(), WCTS_EXPECT_OPEN);
    update();
    unmap_item(0, 1, 0);
    ck_assert_int_eq(asked(), WCTS_EXPECT_OPEN);
    update();
    unmap_item(3, 1, 1u << 3);
    map_item("Map", 3, 1, 0, 0, 0); /* without access since the operation before */
    ck_assert_int_eq(asked(), WCTS_EXPECT_OPEN);
    wcts_oracle_model_take(&model, &step, true, 0);
    ck_assert_uint_eq(model.pages[3].known, 0);
    ck_assert_uint_ne(model.pages[4].known, 0);
}
END_TEST

static struct wcts_page_shown found[WCTS_WALK_PAGES];

static void look(void)
{
    for (int i = 0; i < WCTS_WALK_PAGES; i++)
        found[i] = model.pages[i].page;
}

START_TEST(comparing)
{
    enum wcts_meaning field;
    ready();
    update();
    map_item("Map", 2, 3, 0, 4, 0);
    accept();
    look();
    ck_assert_int_eq(wcts_oracle_model_compare(&model, found, &field), -1);
    found[3].of[WCTS_MEANS_PROTECTION] = 7;
    ck_assert_int_eq(wcts_oracle_model_compare(&model, found, &field), 3);
    ck_assert_int_eq(field, WCTS_MEANS_PROTECTION);
    ck_assert_str_eq(spec->rules[model.pages[3].by[field]].id, "UVA-035");
    look();
    found[3].of[WCTS_MEANS_OFFSET]++;
    ck_assert_int_eq(wcts_oracle_model_compare(&model, found, &field), 3);
    ck_assert_str_eq(spec->rules[model.pages[3].by[field]].id, "UVA-012");
    look();
    found[2].of[WCTS_MEANS_OFFSET]++;
    ck_assert_int_eq(wcts_oracle_model_compare(&model, found, &field), 2);
    ck_assert_str_eq(spec->rules[model.pages[2].by[field]].id, "UVA-048");
    look();
    found[255].of[WCTS_MEANS_STATE] = WCTS_PAGE_ZERO;
    ck_assert_int_eq(wcts_oracle_model_compare(&model, found, &field), 255);
    wcts_oracle_model_adopt(&model, found);
    ck_assert_int_eq(wcts_oracle_model_compare(&model, found, &field), -1);
    destroy(0); /* what becomes of its pages is not known, and then as it was found */
    found[2] = (struct wcts_page_shown){{[WCTS_MEANS_STATE] = WCTS_PAGE_ZERO}};
    found[3] = (struct wcts_page_shown){{[WCTS_MEANS_STATE] = WCTS_PAGE_INVALID}};
    ck_assert_int_eq(wcts_oracle_model_compare(&model, found, &field), -1);
    pages_are(2, "zi");
    found[2].of[WCTS_MEANS_STATE] = WCTS_PAGE_INVALID;
    ck_assert_int_eq(wcts_oracle_model_compare(&model, found, &field), 2);
}
END_TEST

START_TEST(blaming_a_refusal)
{
    ready();
    update();
    copy_item(0, 1, 2);
    ck_assert_int_eq(asked(), WCTS_EXPECT_ACCEPT);
    ck_assert_str_eq(spec->rules[wcts_oracle_model_blame_refusal(&model, &step)].id, "UVA-029");
    ck_assert_str_eq(spec->rules[wcts_oracle_model_blame_refused(&model, &step, 1)].id,
                     "UVA-034.copy");
    update();
    map_item("Map", 0, 1, 0, 0, 0);
    ck_assert_int_eq(asked(), WCTS_EXPECT_ACCEPT);
    ck_assert_str_eq(spec->rules[wcts_oracle_model_blame_refusal(&model, &step)].id, "UVA-003");
}
END_TEST

/* ---- The generator ---- */

static struct wcts_oracle_walk_sequence one, other;

static uint64_t digest(const struct wcts_oracle_walk_sequence *sequence)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (int i = 0; i < sequence->count; i++) {
        const struct wcts_oracle_walk_step *at = &sequence->steps[i];
        uint64_t words[] = {(uint64_t)at->kind, (uint64_t)at->first, (uint64_t)at->count,
                            (uint64_t)at->reserve, (uint64_t)at->allocation};
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            hash = (hash ^ words[w]) * UINT64_C(0x100000001B3);
        for (int j = 0; j < at->item_count; j++)
            for (int m = 0; m < WCTS_WALK_MEMBERS; m++)
                hash = (hash ^ at->items[j].values[m].number ^
                        (uint64_t)at->items[j].values[m].is << 60) *
                       UINT64_C(0x100000001B3);
    }
    return hash;
}

/* A walk is a matter of its seed and number: on every machine, today and tomorrow. */
START_TEST(the_same_walk)
{
    wcts_plan_walk_generate(&one, &shape, 1, 0);
    wcts_plan_walk_generate(&other, &shape, 1, 0);
    ck_assert_uint_eq(digest(&one), digest(&other));
    ck_assert_msg(digest(&one) == DIGEST, "0x%016llx", (unsigned long long)digest(&one));
    wcts_plan_walk_generate(&other, &shape, 1, 1);
    ck_assert_uint_ne(digest(&one), digest(&other));
    wcts_plan_walk_generate(&other, &shape, 2, 0);
    ck_assert_uint_ne(digest(&one), digest(&other));
    ck_assert_int_eq(one.count, WCTS_WALK_STEPS);
}
END_TEST

/* What a lot of walks hold. */
static struct {
    int kinds[WCTS_WALK_DESTROY + 1], top, batches[WCTS_WALK_BATCH + 1], paths[2];
    int forwards, backwards, nothing, huge, odd, repeated, behind, inside, across, outside;
    int stale, seams, others;
} seen;

static uint64_t value_at(const struct wcts_oracle_walk_item *of, int member)
{
    return of->values[member].number;
}

static void see_item(const struct wcts_oracle_walk_item *of,
                     const struct wcts_oracle_walk_item *before)
{
    const struct wcts_oracle_walk_operation *is = &shape.operations[of->operation];
    uint64_t base = value_at(of, is->base), size = value_at(of, is->size), last = 0, length = 0;
    if (before) {
        const struct wcts_oracle_walk_operation *was = &shape.operations[before->operation];
        last = value_at(before, was->base);
        length = value_at(before, was->size);
        seen.behind += base == last + length;
        seen.inside += base >= last && base + size <= last + length && size < length;
        seen.across += base > last && base < last + length && base + size > last + length;
    }
    if (is->source >= 0) {
        uint64_t from = value_at(of, is->source);
        seen.forwards += from < base && base - from < size;
        seen.backwards += from > base && from - base < size;
    }
    for (int m = 0; m < is->member_count; m++) {
        seen.repeated +=
            is->members[m].role == WCTS_WALK_EACH && value_at(of, m) > 0 && value_at(of, m) < size;
        seen.others += of->values[m].is == WCTS_WALK_IS_OTHER;
    }
    seen.nothing += size == 0;
    seen.huge += size > UINT64_MAX / 2;
    seen.odd += size % PAGE != 0 || base % PAGE != 0;
    seen.outside += base / PAGE >= WCTS_WALK_PAGES;
}

static void see(const struct wcts_oracle_walk_sequence *sequence)
{
    const struct wcts_oracle_walk_item *before = NULL;
    int live = 0, granules = 0, counts[WCTS_WALK_GRANULES] = {0};
    seen.top += sequence->top;
    for (int i = 0; i < sequence->count; i++) {
        const struct wcts_oracle_walk_step *at = &sequence->steps[i];
        seen.kinds[at->kind]++;
        seen.batches[at->item_count]++;
        if (at->kind == WCTS_WALK_RESERVE) {
            live++;
            granules += counts[at->first] = at->count;
            seen.paths[at->reserve]++;
        }
        if (at->kind == WCTS_WALK_FREE) {
            live--;
            granules -= counts[at->first];
        }
        ck_assert_int_le(live, WCTS_WALK_SLOTS);
        ck_assert_int_le(granules, WCTS_WALK_GRANULES);
        for (int j = 0; j < at->item_count; j++) {
            see_item(&at->items[j], before);
            before = &at->items[j];
        }
    }
}

START_TEST(the_edges_are_reached)
{
    memset(&seen, 0, sizeof seen);
    for (uint32_t i = 0; i < 200; i++) {
        wcts_plan_walk_generate(&one, &shape, 1, i);
        see(&one);
    }
    ck_assert_int_eq(seen.top, 20);
    for (int kind = WCTS_WALK_RESERVE; kind <= WCTS_WALK_DESTROY; kind++)
        ck_assert_int_gt(seen.kinds[kind], 300);
    for (int count = 1; count <= WCTS_WALK_SHORT; count++)
        ck_assert_int_gt(seen.batches[count], 500);
    for (int count = WCTS_WALK_SHORT + 1; count <= WCTS_WALK_BATCH; count++)
        ck_assert_int_gt(seen.batches[count], 10);
    ck_assert_int_gt(seen.paths[1], 50);
    const int some[] = {seen.forwards, seen.backwards, seen.nothing, seen.huge,
                        seen.odd,      seen.repeated,  seen.behind,  seen.inside,
                        seen.across,   seen.outside,   seen.others};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        ck_assert_msg(some[i] > 40, "edge %zu only %d times", i, some[i]);
}
END_TEST

/* ---- The shrinker ---- */

static int asked_times;

/* A destruction, and later an update of two operations, one of which begins at page 5 or behind. */
static bool fails_so(void *ctx, const struct wcts_oracle_walk_sequence *sequence)
{
    bool destroyed = false;
    (void)ctx;
    asked_times++;
    for (int i = 0; i < sequence->count; i++) {
        const struct wcts_oracle_walk_step *at = &sequence->steps[i];
        destroyed = destroyed || at->kind == WCTS_WALK_DESTROY;
        for (int j = 0; destroyed && at->item_count == 2 && j < 2; j++) {
            const struct wcts_oracle_walk_operation *is = &shape.operations[at->items[j].operation];
            if (at->items[j].values[is->base].is == WCTS_WALK_IS_ADDRESS &&
                at->items[j].values[is->base].number >= 5 * PAGE)
                return true;
        }
    }
    return false;
}

START_TEST(shrinking)
{
    int shrunk = 0;
    for (uint32_t i = 0; i < 40; i++) {
        wcts_plan_walk_generate(&one, &shape, 5, i);
        if (!fails_so(NULL, &one))
            continue;
        shrunk++;
        wcts_run_walk_shrink(&one, &shape, fails_so, NULL, 1000000);
        ck_assert_int_eq(one.count, 2);
        ck_assert_int_eq(one.steps[0].kind, WCTS_WALK_DESTROY);
        ck_assert_int_eq(one.steps[1].item_count, 2);
        ck_assert(fails_so(NULL, &one));
        for (int n = 0; wcts_run_walk_simpler(&one, &shape, n, &other); n++)
            ck_assert(!fails_so(NULL, &other));
        for (int j = 0; j < 2; j++) {
            const struct wcts_oracle_walk_operation *is =
                &shape.operations[one.steps[1].items[j].operation];
            uint64_t base = value_at(&one.steps[1].items[j], is->base);
            ck_assert_msg(base == 0 || base == 5 * PAGE, "0x%llx", (unsigned long long)base);
            ck_assert_uint_eq(value_at(&one.steps[1].items[j], is->size), 0);
        }
        ck_assert(!one.top);
    }
    ck_assert_int_gt(shrunk, 10);
}
END_TEST

/* A number above a limit that no round number is, far up. */
static bool fails_above(void *ctx, const struct wcts_oracle_walk_sequence *sequence)
{
    const uint64_t *limit = ctx;
    asked_times++;
    for (int i = 0; i < sequence->count; i++)
        for (int j = 0; j < sequence->steps[i].item_count; j++)
            for (int m = 0; m < WCTS_WALK_MEMBERS; m++)
                if (sequence->steps[i].items[j].values[m].number > *limit)
                    return true;
    return false;
}

START_TEST(shrinking_large_numbers)
{
    uint64_t limit = UINT64_C(0x100000005), most = 0;
    update();
    unmap_item(0, 1, 0);
    put("SizeInBytes", WCTS_WALK_IS_NUMBER, UINT64_MAX - 12345);
    one = (struct wcts_oracle_walk_sequence){.count = 1};
    one.steps[0] = step;
    asked_times = 0;
    wcts_run_walk_shrink(&one, &shape, fails_above, &limit, 1000000);
    for (int m = 0; m < WCTS_WALK_MEMBERS; m++)
        most =
            value_at(&one.steps[0].items[0], m) > most ? value_at(&one.steps[0].items[0], m) : most;
    ck_assert_uint_eq(most, limit + 1);
    ck_assert_int_lt(asked_times, 20000);
}
END_TEST

START_TEST(shrinking_ends_with_its_budget)
{
    uint32_t number = 0;
    do
        wcts_plan_walk_generate(&one, &shape, 5, number++);
    while (!fails_so(NULL, &one));
    ck_assert_int_le(wcts_run_walk_shrink(&one, &shape, fails_so, NULL, 500),
                     500 + WCTS_WALK_STEPS);
    ck_assert(fails_so(NULL, &one));
}
END_TEST

/* ---- Words and files ---- */

/* As far as a sequence says something: no step that cannot be taken. */
static void only_what_can_be(struct wcts_oracle_walk_sequence *sequence, int count)
{
    int kept = 0, created = 0;
    wcts_oracle_model_begin(&model, newest, BASE, NULL);
    for (int i = 0; i < sequence->count && kept < count; i++) {
        if (!wcts_oracle_account_can(&model.held, &sequence->steps[i]) ||
            (sequence->steps[i].kind == WCTS_WALK_CREATE && created++ == WCTS_WALK_ALLOCATIONS))
            continue;
        sequence->steps[kept++] = sequence->steps[i];
        if (sequence->steps[i].kind != WCTS_WALK_UPDATE)
            wcts_oracle_model_take(&model, &sequence->steps[i], true, (uint64_t)i);
    }
    sequence->count = kept;
}

static void there_and_back(uint32_t number)
{
    char path[] = "/tmp/test_walk-XXXXXX.xml";
    int file = mkstemps(path, 4);
    char *words, *text, *again;
    struct wcts_oracle_walk_shape shape_again;
    struct wcts_spec *with;
    FILE *out = fdopen(file, "w");
    wcts_plan_walk_generate(&one, &shape, 9, number);
    only_what_can_be(&one, 12);
    words = wcts_run_walk_words(&shape, &one, "");
    text = wcts_run_walk_scenario(&shape, &one, "there", newest, shape.operations[0].effects[0],
                                  "a -- comment --");
    ck_assert(out && words && text && fputs(text, out) >= 0 && fclose(out) == 0);
    with = load(path);
    ck_assert_int_eq(with->cases->scenarios_count, spec->cases->scenarios_count + 1);
    ck_assert(wcts_oracle_walk_shape_init(&shape_again, with));
    ck_assert(wcts_plan_walk_read(&other, &shape_again,
                                  &with->cases->scenarios[with->cases->scenarios_count - 1]));
    again = wcts_run_walk_words(&shape_again, &other, "");
    ck_assert_str_eq(words, again);
    wcts_load_spec_free(with);
    unlink(path);
    free(words);
    free(text);
    free(again);
}

START_TEST(scenarios_there_and_back)
{
    there_and_back((uint32_t)_i);
}
END_TEST

/* ---- On the emulator ---- */

START_TEST(what_was_not_seen)
{
    struct wcts_walk_numbers numbers = shape.possible;
    int copy = operation("Copy"), seen_now, all;
    char *unseen = wcts_oracle_walk_unseen(spec, &numbers);
    ck_assert_str_eq(unseen, "");
    free(unseen);
    numbers = (struct wcts_walk_numbers){0};
    wcts_oracle_walk_note(&numbers, copy, WCTS_STATE_UNRESERVED,
                          WCTS_STATE_MAPPED); /* none of those */
    wcts_oracle_walk_coverage(spec, &numbers, &seen_now, &all);
    ck_assert_int_eq(seen_now, 0);
    wcts_oracle_walk_note(&numbers, copy, WCTS_STATE_ZERO, WCTS_STATE_MAPPED);
    wcts_oracle_walk_coverage(spec, &numbers, &seen_now, &all);
    ck_assert_int_eq(seen_now, 1);
    unseen = wcts_oracle_walk_unseen(spec, &numbers);
    ck_assert_ptr_null(strstr(unseen, "Copy zero -> mapped\n"));
    ck_assert_ptr_nonnull(strstr(unseen, "Copy zero -> invalid\n"));
    ck_assert_ptr_nonnull(strstr(unseen, "Copy unreserved refused\n"));
    ck_assert_ptr_nonnull(strstr(unseen, "KERNEL_VA_FREE mapped -> unreserved\n"));
    free(unseen);
}
END_TEST

/* What keeps a spec with effects on pages from being walked is told, at the first of them. */
START_TEST(what_cannot_be_walked)
{
    struct wcts_plan plan = {.spec = spec};
    struct wcts_diagnostics diagnostics = {0};
    int message = spec->cases->steps[shape.destroy].message;
    int of = spec->messages[message].of;
    char *text = NULL;
    size_t size = 0;
    diagnostics.out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(diagnostics.out);
    spec->messages[message].of = -1;
    ck_assert(wcts_plan_walks(&plan, 1, 0, &diagnostics));
    ck_assert_int_eq(diagnostics.errors, 0);
    ck_assert(wcts_plan_walks(&plan, 1, 100, &diagnostics));
    fclose(diagnostics.out);
    ck_assert_int_eq(diagnostics.errors, 1);
    ck_assert_int_eq(plan.count, 0);
    ck_assert_ptr_nonnull(strstr(text, "no sequence can be made for effects on pages such as "
                                       "UVA-002: the cases have no step that ends an allocation"));
    free(text);
    spec->messages[message].of = of;
    spec->versions_count = shape.since;
    ck_assert(!wcts_oracle_walk_shape_init(&shape, spec));
    ck_assert_str_eq(shape.missing, "no version has them");
}
END_TEST

static void walk_on(const char *options, int walks)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options planned = {
        .newest_only = true, .steps = walks * WCTS_WALK_STEPS, .seed = 1};
    const struct wcts_implementation implementation = {.path = "emulator", .options = options};
    const struct wcts_machine_session_options how = {.levels =
                                                         wcts_model_level_bit(WCTS_LEVEL_STRICT)};
    struct wcts_plan *plan = wcts_plan_make(spec, &planned, &diagnostics);
    struct wcts_walk_numbers sum = {0};
    struct wcts_claims claims;
    char error[256];
    char *unseen;
    int covered, all;
    struct wcts_machine_session *session =
        wcts_machine_session_open(plan, &implementation, &how, &claims, error, sizeof error);
    ck_assert_msg(session != NULL, "%s", error);
    for (int i = 0; i < plan->count; i++) {
        struct wcts_result result;
        if (WCTS_PLAN_CASE(plan, i)->kind != WCTS_KIND_SEQUENCE)
            continue;
        wcts_run_case(session, WCTS_PLAN_CASE(plan, i), &result);
        ck_assert_msg(result.finding.found == WCTS_FOUND_KEPT, "%s: %s",
                      WCTS_PLAN_CASE(plan, i)->id, result.finding.reason);
        wcts_oracle_walk_numbers_add(&sum, &result.walk);
        wcts_model_result_release(&result);
    }
    wcts_oracle_walk_coverage(spec, &sum, &covered, &all);
    ck_assert_uint_eq(sum.steps, (uint64_t)walks * WCTS_WALK_STEPS);
    ck_assert_uint_gt(sum.open, 0);
    ck_assert_uint_lt(sum.open, sum.steps / 4);
    ck_assert_int_eq(all, 40);
    unseen = wcts_oracle_walk_unseen(spec, &sum);
    ck_assert_str_eq(unseen, "");
    free(unseen);
    ck_assert_int_eq(covered, all);
    wcts_machine_session_close(session);
    wcts_plan_free(plan);
}

START_TEST(the_emulator_strict)
{
    walk_on("strict", 60);
}
END_TEST

START_TEST(the_emulator_lenient)
{
    walk_on("", 60);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("walk");
    TCase *interpreter = tcase_create("interpreter"), *generator = tcase_create("generator");
    TCase *shrinker = tcase_create("shrinker"), *files = tcase_create("files");
    TCase *whole = tcase_create("emulator");
    TCase *cases[] = {interpreter, generator, shrinker, files, whole};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tcase_add_checked_fixture(cases[i], set_up, tear_down);
        tcase_set_timeout(cases[i], 120);
        suite_add_tcase(all, cases[i]);
    }
    tcase_add_test(interpreter, reserving_and_freeing);
    tcase_add_test(interpreter, mapping);
    tcase_add_test(interpreter, unmapping);
    tcase_add_test(interpreter, copying);
    tcase_add_test(interpreter, a_batch_goes_in_order);
    tcase_add_test(interpreter, what_is_refused);
    tcase_add_test(interpreter, what_is_left_open);
    tcase_add_test(interpreter, comparing);
    tcase_add_test(interpreter, blaming_a_refusal);
    tcase_add_test(generator, the_same_walk);
    tcase_add_test(generator, the_edges_are_reached);
    tcase_add_test(shrinker, shrinking);
    tcase_add_test(shrinker, shrinking_large_numbers);
    tcase_add_test(shrinker, shrinking_ends_with_its_budget);
    tcase_add_loop_test(files, scenarios_there_and_back, 0, 12);
    tcase_add_test(whole, what_was_not_seen);
    tcase_add_test(whole, what_cannot_be_walked);
    tcase_add_test(whole, the_emulator_strict);
    tcase_add_test(whole, the_emulator_lenient);
    return all;
}

int main(void)
{
    return suite_run(suite());
}
