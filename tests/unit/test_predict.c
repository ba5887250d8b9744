/* SPDX-License-Identifier: MIT */
/*
 * What the planner predicts from what rules read is what all rules say: for every base, member and
 * flag, one change and two, at every version and page size. Runs in the top directory.
 */
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/plan/planner.h"
#include "suite.h"

static struct wcts_spec *spec;
static struct wcts_planner planner;

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    planner = (struct wcts_planner){.spec = spec, .diagnostics = &diagnostics};
    ck_assert(wcts_oracle_eval_init(&planner.eval, spec));
    ck_assert(wcts_oracle_reads_init(&planner.reads, &planner.eval));
    planner.base_worlds = calloc((size_t)spec->cases->bases_count, sizeof *planner.base_worlds);
    planner.remembered = calloc(WCTS_REMEMBERED, sizeof *planner.remembered);
    ck_assert(planner.base_worlds && planner.remembered);
    for (int i = 0; i < spec->cases->bases_count; i++)
        ck_assert(wcts_plan_base_world_init(&planner, i));
}

static void tear_down(void)
{
    for (int i = 0; i < spec->cases->bases_count; i++)
        wcts_plan_base_world_release(&planner, i);
    free(planner.base_worlds);
    free(planner.remembered);
    wcts_oracle_reads_release(&planner.reads);
    wcts_oracle_eval_release(&planner.eval);
    wcts_load_spec_free(spec);
}

/* Numbers from a fixed seed. */
static uint64_t drawn;

static int draw(int below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + 1;
    return (int)((drawn >> 33) % (uint64_t)below);
}

/* Compares at one version and page size; what all rules say is asked of a world of its own. */
static void compare(int base, int version, uint32_t page_size,
                    const struct wcts_plan_change *change)
{
    struct wcts_case test = {.base = base, .version = version, .page_size = page_size};
    struct wcts_oracle_prediction all, asked;
    struct wcts_world world;
    const char *name = spec->cases->bases[base].name;
    ck_assert(wcts_oracle_case_world(&world, &planner.eval, &test, change->facts, change->count));
    wcts_world_judge(&world, &all);
    wcts_plan_base_world_predict(&planner, base, version, page_size, change, &asked);
    ck_assert_msg(all.expect == asked.expect && all.strict == asked.strict &&
                      all.broken_count == asked.broken_count &&
                      all.must_broken == asked.must_broken,
                  "%s: instance %d, member %d, version %d", name, change->facts[0].instance,
                  change->facts[0].ref.member, version);
    for (int i = 0; i < all.broken_count; i++)
        ck_assert_msg(all.broken[i] == asked.broken[i], "%s: %s instead of %s", name,
                      spec->rules[asked.broken[i]].id, spec->rules[all.broken[i]].id);
    ck_assert_ptr_eq(wcts_world_gap(&world),
                     wcts_plan_base_world_gap(&planner, base, version, page_size, change));
    wcts_world_release(&world);
}

/* A flag of a member, or none, of an instance, with a value: often a small number, or the symbol of
 * another fact. */
static void add_drawn(const struct wcts_world *world, int instance, int member, int flag,
                      struct wcts_plan_change *change)
{
    static const uint64_t numbers[] = {
        0, 1, 2, 3, 0x1000, 0x1001, 0x8000, 0x10000, UINT64_MAX, 0x100000000, 0x3F, 0xFFFFFFFF};
    struct wcts_ref ref = {world->instances[instance].structure, member, flag};
    struct wcts_value value = {.symbol = -1,
                               .number = numbers[draw((int)(sizeof numbers / sizeof numbers[0]))]};
    if (flag >= 0)
        value.number = !wcts_world_get(world, instance, ref).number;
    else if (draw(4) == 0)
        value.symbol = draw(spec->cases->symbols_count);
    wcts_plan_change_add(change, instance, ref, value);
}

static void add_any(const struct wcts_world *world, struct wcts_plan_change *change)
{
    int instance = draw(world->count);
    const struct wcts_structure *structure =
        &spec->structures[world->instances[instance].structure];
    int member = structure->member_count ? draw(structure->member_count) : -1;
    int word = member < 0 ? -1 : structure->members[member].word;
    if (member >= 0)
        add_drawn(world, instance, member,
                  word >= 0 && spec->words[word].flag_count ? draw(spec->words[word].flag_count)
                                                            : -1,
                  change);
}

/* A change of one fact, and it with another one. */
static void compare_changes(int base, int instance, int member, int flag)
{
    const struct wcts_world *world = &planner.base_worlds[base].pristine;
    struct wcts_plan_change change = {0};
    add_drawn(world, instance, member, flag, &change);
    for (int i = 0; i < 4; i++) {
        int version = draw(spec->versions_count);
        uint32_t page_size = wcts_page_sizes[draw(WCTS_PAGE_SIZES)];
        compare(base, version, page_size, &change);
        if (i == 1)
            add_any(world, &change);
    }
}

START_TEST(asking_what_reads_a_change_is_enough)
{
    drawn = 1;
    for (int base = 0; base < spec->cases->bases_count; base++) {
        const struct wcts_world *world = &planner.base_worlds[base].pristine;
        for (int i = 0; i < world->count; i++) {
            const struct wcts_structure *structure =
                &spec->structures[world->instances[i].structure];
            for (int m = 0; m < structure->member_count; m++) {
                int word = structure->members[m].word;
                compare_changes(base, i, m, -1);
                for (int f = 0; word >= 0 && f < spec->words[word].flag_count; f++)
                    compare_changes(base, i, m, f);
            }
        }
    }
}
END_TEST

START_TEST(a_base_without_a_change_is_predicted)
{
    const struct wcts_plan_change none = {0};
    for (int base = 0; base < spec->cases->bases_count; base++)
        for (int version = 0; version < spec->versions_count; version++)
            for (int i = 0; i < WCTS_PAGE_SIZES; i++)
                compare(base, version, wcts_page_sizes[i], &none);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("predict");
    TCase *tcase = tcase_create("predict");
    tcase_add_unchecked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, asking_what_reads_a_change_is_enough);
    tcase_add_test(tcase, a_base_without_a_change_is_predicted);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
