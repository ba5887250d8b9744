/* SPDX-License-Identifier: MIT */
/*
 * Recordings as files: whatever is struck out of the lines of one, a member at any depth, a status,
 * all of an answer, what says which call it was, turns what is said of it only into "cannot be
 * said"; and what has nothing to do with a call changes nothing: calls of other adapters, calls
 * that no document is about, the order of lines, an answer that is given again. The recordings are
 * those of tests/check/corpus, right ones and ones with a breach. Runs in the top directory.
 */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/random.h"
#include "runner/base/text.h"
#include "runner/import/import.h"
#include "runner/judge/partial.h"
#include "runner/load/load.h"
#include "runner/load/spec_files.h"

#define CORPUS "tests/check/corpus"
#define FILES_MOST 128
#define LINES_MOST 64
/* Strikes of several members at once, of each recording. */
#define TOGETHER 120

static struct wcts_spec *spec;
static struct wcts_eval eval;
static uint64_t state = 20241128;
static long trials, decided, broken, withdrawn, refused;

/* ---- what is said ---- */

/* What a rule says about a place; the worst of it for a whole statement. */
struct said_at {
    int rule, side;
    long line; /* 0: of a call that is in no exchange */
    int element;
    enum wcts_judge_said said;
};

struct results {
    struct said_at *of;
    int count;
    bool failed; /* the file was refused */
};

static int by_place(const void *a, const void *b)
{
    const struct said_at *x = a, *y = b;
    const long keys[4][2] = {
        {x->rule, y->rule}, {x->side, y->side}, {x->line, y->line}, {x->element, y->element}};
    for (int i = 0; i < 4; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static void add_sayings(struct results *results, const struct wcts_exchange *exchange,
                        const struct wcts_judge_sayings *sayings, unsigned judged)
{
    struct said_at *grown =
        realloc(results->of, (size_t)(results->count + sayings->count + 1) * sizeof *grown);
    ck_assert_ptr_nonnull(grown);
    results->of = grown;
    for (int i = 0; i < sayings->count; i++) {
        const struct wcts_judge_saying *one = &sayings->of[i];
        long line = one->record < 0 ? 0 : exchange->records[one->record].line;
        if (judged == 0 || judged >> (int)one->side & 1)
            results->of[results->count++] =
                (struct said_at){one->rule, (int)one->side, line, one->element, one->said};
    }
}

static bool judge(void *context, struct wcts_import_recording *recording)
{
    struct results *results = context;
    const struct wcts_judge_partial judge = {
        spec, &eval, recording->first_version, recording->last_version, recording->page_size, true,
        0,    NULL};
    /* Sides are numbered as roles are. */
    ck_assert_int_eq(WCTS_JUDGE_CALLER, WCTS_ROLE_CALLER);
    ck_assert_int_eq(WCTS_JUDGE_DRIVER, WCTS_ROLE_DRIVER);
    for (int i = 0; i < recording->count; i++) {
        struct wcts_judge_sayings sayings = {0};
        ck_assert(wcts_judge_partial(&judge, &recording->exchanges[i], &sayings));
        add_sayings(results, &recording->exchanges[i], &sayings, recording->judged);
        wcts_judge_sayings_release(&sayings);
    }
    return true;
}

/* ---- files ---- */

/* A recording: its lines, the first line first. */
struct lines {
    char name[256];
    json_t *of[LINES_MOST];
    int count;
};

static void read_lines(const char *name, struct lines *lines)
{
    char path[512], *text = NULL;
    size_t room = 0;
    FILE *in;
    snprintf(path, sizeof path, CORPUS "/%s", name);
    snprintf(lines->name, sizeof lines->name, "%s", name);
    in = fopen(path, "r");
    ck_assert_msg(in != NULL, "%s", path);
    lines->count = 0;
    while (getline(&text, &room, in) > 0) {
        json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        if (line == NULL)
            continue;
        ck_assert_int_lt(lines->count, LINES_MOST);
        lines->of[lines->count++] = line;
    }
    free(text);
    fclose(in);
}

static void release_lines(struct lines *lines)
{
    for (int i = 0; i < lines->count; i++)
        json_decref(lines->of[i]);
}

static void copy_lines(const struct lines *lines, struct lines *copy)
{
    *copy = *lines;
    for (int i = 0; i < lines->count; i++) {
        copy->of[i] = json_deep_copy(lines->of[i]);
        ck_assert_ptr_nonnull(copy->of[i]);
    }
}

/* What is said of lines; number[i] is the line that the i-th one stands for, NULL: its own. */
static struct results said_of(const struct lines *lines, const int *number)
{
    struct wcts_diagnostics diagnostics = {.out = fopen("/dev/null", "w")};
    const struct wcts_import_options options = {
        .spec = spec, .version = -1, .diagnostics = &diagnostics};
    struct results results = {NULL, 0, false};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size), *in;
    for (int i = 0; i < lines->count; i++) {
        ck_assert_int_eq(json_dumpf(lines->of[i], out, JSON_COMPACT), 0);
        putc('\n', out);
    }
    fclose(out);
    in = fmemopen(text, size, "r");
    results.failed = !wcts_import_jsonl(&options, lines->name, in, judge, &results);
    fclose(in);
    fclose(diagnostics.out);
    free(text);
    for (int i = 0; number && i < results.count; i++)
        results.of[i].line = results.of[i].line ? number[results.of[i].line - 1] : 0;
    qsort(results.of, (size_t)results.count, sizeof *results.of, by_place);
    return results;
}

/* ---- comparing ---- */

static enum wcts_judge_said said_in(const struct results *results, struct said_at place)
{
    const struct said_at *found =
        bsearch(&place, results->of, (size_t)results->count, sizeof *results->of, by_place);
    return found ? found->said : WCTS_SAID_NOTHING;
}

static const char *const said_names[] = {"nothing", "kept", "broken", "cannot be said"};

static void complain(const char *what, const char *name, const char *change, struct said_at place,
                     enum wcts_judge_said was)
{
    ck_abort_msg("%s, %s: %s of %s about line %ld, element %d, was %s, is %s", name, change, what,
                 spec->rules[place.rule].id, place.line, place.element, said_names[was],
                 said_names[place.said]);
}

/* True if something of the rule and side cannot be said about all of a line, or a call of which it
 * is not known what it was. */
static bool is_untold(const struct results *results, struct said_at place)
{
    struct said_at whole = place, unplaced = place;
    whole.element = unplaced.element = -1;
    unplaced.line = 0;
    return said_in(results, place) == WCTS_SAID_UNKNOWN ||
           said_in(results, whole) == WCTS_SAID_UNKNOWN ||
           said_in(results, unplaced) == WCTS_SAID_UNKNOWN;
}

/* True if a breach was not told beside what it rests on, which was broken or could not be said of a
 * line that is lost now. */
static bool was_hidden(const struct results *before, struct said_at place)
{
    const struct wcts_rule *rule = &spec->rules[place.rule];
    for (int i = 0; i < before->count && place.said == WCTS_SAID_BROKEN; i++)
        for (int r = 0; r < rule->rests_on_count; r++)
            if (before->of[i].rule == rule->rests_on[r] && before->of[i].side == place.side &&
                before->of[i].said != WCTS_SAID_KEPT)
                return true;
    return false;
}

/* What is decided behind the change was decided so before it; what was decided before is decided
 * so, or cannot be said. gone: a line that was lost, which may have been the breach that hid
 * another one; 0: none. */
static void compare(const char *name, const char *change, const struct results *before,
                    const struct results *after, long gone)
{
    for (int i = 0; i < after->count; i++) {
        struct said_at place = after->of[i];
        decided += place.said != WCTS_SAID_UNKNOWN;
        broken += place.said == WCTS_SAID_BROKEN;
        if (place.said != WCTS_SAID_UNKNOWN && place.said != said_in(before, place) &&
            !(gone && was_hidden(before, place)))
            complain("more is said", name, change, place, said_in(before, place));
    }
    for (int i = 0; i < before->count; i++) {
        struct said_at place = before->of[i];
        place.said = said_in(after, place);
        if (before->of[i].said == WCTS_SAID_UNKNOWN || before->of[i].said == place.said ||
            (gone && place.line == gone))
            continue;
        withdrawn++;
        if (!is_untold(after, place))
            complain("it is not said that it cannot be said", name, change, place,
                     before->of[i].said);
    }
}

/* The same is said about each line; what is of no line is about calls that were added. */
static void compare_same(const char *name, const char *change, const struct results *before,
                         const struct results *after)
{
    ck_assert_msg(!after->failed, "%s, %s: refused", name, change);
    for (int way = 0; way < 2; way++) {
        const struct results *from = way ? after : before, *to = way ? before : after;
        for (int i = 0; i < from->count; i++) {
            struct said_at place = from->of[i];
            if (place.line != 0 && said_in(to, place) != place.said)
                complain(way ? "behind it more is said" : "it is lost what is said", name, change,
                         place, said_in(to, place));
        }
    }
}

/* ---- striking ---- */

/* Strikes out the n-th member of a value, at any depth, and writes where it was to path; false: it
 * has no more, and *n is less by what it has. */
static bool strike(json_t *value, int *n, char *path, size_t room)
{
    size_t length = strlen(path), index;
    const char *key;
    json_t *inner;
    void *next;
    json_array_foreach(value, index, inner)
    {
        snprintf(path + length, room - length, "[%zu]", index);
        if (strike(inner, n, path, room))
            return true;
    }
    json_object_foreach_safe(value, next, key, inner)
    {
        snprintf(path + length, room - length, ".%s", key);
        if ((*n)-- == 0) {
            json_object_del(value, key);
            return true;
        }
        if (strike(inner, n, path, room))
            return true;
    }
    path[length] = '\0';
    return false;
}

static int count_members(const json_t *line)
{
    json_t *copy = json_deep_copy(line);
    char path[512] = "";
    int n = 1 << 30;
    strike(copy, &n, path, sizeof path);
    json_decref(copy);
    return (1 << 30) - n;
}

/* Of a first line only what tells how much is there may be missing: the others say how it is read.
 */
static bool may_be_struck(bool first, const char *path)
{
    static const char *const known[] = {".PageSize", ".Complete", ".Name"};
    for (size_t i = 0; first && i < sizeof known / sizeof *known; i++)
        if (strcmp(path, known[i]) == 0)
            return true;
    return !first;
}

/* A file may be refused that has calls without a number or a name, or halves of what is said of a
 * word or a list. */
static bool may_be_refused(const char *path)
{
    static const char *const halves[] = {".seq",      ".ddi",  ".call",    ".ListFrom",
                                         ".ListSize", ".List", ".NotZero", ".Value"};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        if (strstr(path, halves[i]))
            return true;
    return false;
}

static void try_struck(const struct lines *struck, const struct results *before, const char *change)
{
    struct results after = said_of(struck, NULL);
    trials++;
    refused += after.failed;
    if (after.failed && !may_be_refused(change))
        printf("%s, without %s: refused\n", struck->name, change);
    if (!after.failed)
        compare(struck->name, change, before, &after, 0);
    free(after.of);
}

static void strike_each(const struct lines *lines, const struct results *before)
{
    for (int l = 0; l < lines->count; l++) {
        int members = count_members(lines->of[l]);
        for (int m = 0; m < members; m++) {
            char path[512] = "", change[600];
            struct lines struck;
            int n = m;
            copy_lines(lines, &struck);
            ck_assert(strike(struck.of[l], &n, path, sizeof path));
            snprintf(change, sizeof change, "line %d without %s", l + 1, path);
            if (may_be_struck(json_object_get(lines->of[l], "wddm") != NULL, path))
                try_struck(&struck, before, change);
            release_lines(&struck);
        }
    }
}

static void strike_several(const struct lines *lines, const struct results *before)
{
    static const unsigned percents[] = {1, 3, 10, 30};
    for (int t = 0; t < TOGETHER; t++) {
        unsigned percent = percents[wcts_random_below(&state, 4)];
        struct wcts_text change = {0};
        struct lines struck;
        copy_lines(lines, &struck);
        for (int l = 1; l < lines->count; l++)
            for (int m = json_object_get(lines->of[l], "wddm") ? 0 : count_members(struck.of[l]);
                 m-- > 0;) {
                char path[512] = "";
                int n = m;
                json_t *kept = json_deep_copy(struck.of[l]);
                if (wcts_random_chance(&state, percent) &&
                    strike(struck.of[l], &n, path, sizeof path) && !may_be_refused(path)) {
                    wcts_text_add(&change, " %d%s", l + 1, path);
                } else {
                    json_decref(struck.of[l]);
                    struck.of[l] = json_incref(kept);
                }
                json_decref(kept);
            }
        try_struck(&struck, before, change.length ? wcts_text_get(&change) : "nothing");
        wcts_text_release(&change);
        release_lines(&struck);
    }
}

/* True if the numbers of the lines around one tell that it is lost. A recording that is complete is
 * believed to begin and end where it does. */
static bool is_loss_seen(const struct lines *lines, int line)
{
    int begin = line, end = line;
    while (!json_object_get(lines->of[begin], "wddm") && begin > 0)
        begin--;
    while (end + 1 < lines->count && !json_object_get(lines->of[end + 1], "wddm"))
        end++;
    return json_object_get(lines->of[line], "seq") &&
           (!json_object_get(lines->of[begin], "Complete") || (line > begin + 1 && line < end));
}

/* A line that was lost: its number tells. */
static void strike_lines(const struct lines *lines, const struct results *before)
{
    for (int l = 1; l < lines->count; l++) {
        int number[LINES_MOST];
        struct lines struck = *lines;
        struct results after;
        char change[64];
        if (!is_loss_seen(lines, l))
            continue;
        struck.count = 0;
        for (int i = 0; i < lines->count; i++)
            if (i != l) {
                number[struck.count] = i + 1;
                struck.of[struck.count++] = lines->of[i];
            }
        snprintf(change, sizeof change, "without line %d", l + 1);
        after = said_of(&struck, number);
        trials++;
        compare(lines->name, change, before, &after, l + 1);
        free(after.of);
    }
}

/* ---- what has nothing to do with it ---- */

/* Numbers a call anew. */
static json_t *renumbered(const json_t *line, const int *seq, int count)
{
    static const char *const keys[] = {"seq", "within"};
    json_t *copy = json_deep_copy(line);
    for (int i = 0; i < 2; i++) {
        uint64_t number;
        if (wcts_import_number(json_object_get(copy, keys[i]), &number) && number < (uint64_t)count)
            json_object_set_new(copy, keys[i], json_integer(seq[number]));
    }
    return copy;
}

/* True if calls are numbered from 1 on, without a gap, in a single recording. */
static bool is_whole(const struct lines *lines)
{
    for (int i = 1; i < lines->count; i++) {
        uint64_t seq = 0;
        if (!wcts_import_number(json_object_get(lines->of[i], "seq"), &seq) || seq != (uint64_t)i)
            return false;
    }
    return true;
}

/* A call with a call behind it that has nothing to do with it: one that no document is about, or
 * a query of what does not change, which is answered once more. */
static json_t *make_stranger(const json_t *line, bool twice)
{
    const char *name = json_string_value(json_object_get(line, "ddi"));
    if (!twice)
        return json_pack("{s:s, s:i}", "ddi", "DxgkDdiEscape", "status", 0);
    return name && strcmp(name, "DxgkDdiQueryAdapterInfo") == 0 ? json_deep_copy(line) : NULL;
}

static void add_strangers(const struct lines *lines, const struct results *before, bool twice)
{
    int seq[LINES_MOST] = {0}, number[LINES_MOST] = {1};
    struct lines more = {.count = 1};
    struct results after;
    if (2 * lines->count > LINES_MOST)
        return;
    snprintf(more.name, sizeof more.name, "%s", lines->name);
    more.of[0] = json_incref(lines->of[0]);
    for (int i = 1; i < lines->count; i++) {
        json_t *stranger = make_stranger(lines->of[i], twice);
        seq[i] = more.count;
        number[more.count] = i + 1;
        more.of[more.count++] = renumbered(lines->of[i], seq, LINES_MOST);
        if (!stranger)
            continue;
        json_object_set_new(stranger, "seq", json_integer(more.count));
        number[more.count] = 0;
        more.of[more.count++] = stranger;
    }
    after = said_of(&more, number);
    trials++;
    /* What is said about a query that was made again is of no line. */
    compare_same(lines->name, twice ? "with queries made twice" : "with calls between", before,
                 &after);
    free(after.of);
    release_lines(&more);
}

/* Lines in another order, which their numbers tell. */
static void shuffle_lines(const struct lines *lines, const struct results *before)
{
    struct lines shuffled = *lines;
    struct results after;
    int number[LINES_MOST];
    for (int i = 0; i < lines->count; i++)
        number[i] = i + 1;
    for (int i = lines->count - 1; i > 1; i--) {
        int other = 1 + (int)wcts_random_below(&state, (uint64_t)i), was = number[i];
        number[i] = number[other];
        number[other] = was;
    }
    for (int i = 0; i < lines->count; i++)
        shuffled.of[i] = lines->of[number[i] - 1];
    after = said_of(&shuffled, number);
    trials++;
    compare_same(lines->name, "in another order", before, &after);
    free(after.of);
}

/* Two recordings as two adapters of one, with the calls of both in any order. */
static void merge(const struct lines *one, const struct results *said_one,
                  const struct lines *other, const struct results *said_other)
{
    const struct lines *both[2] = {one, other};
    struct lines merged = {.count = 1};
    struct results all, own;
    int at[2] = {1, 1}, seq[2][LINES_MOST * 4] = {{0}}, number[LINES_MOST], from[LINES_MOST] = {0};
    snprintf(merged.name, sizeof merged.name, "%s", one->name);
    merged.of[0] = json_incref(one->of[0]);
    while ((at[0] < one->count || at[1] < other->count) && merged.count < LINES_MOST) {
        int side =
            at[0] < one->count && (at[1] >= other->count || wcts_random_chance(&state, 50)) ? 0 : 1;
        uint64_t own_seq = 0;
        json_t *line;
        wcts_import_number(json_object_get(both[side]->of[at[side]], "seq"), &own_seq);
        ck_assert_uint_lt(own_seq, LINES_MOST * 4);
        seq[side][own_seq] = merged.count;
        line = renumbered(both[side]->of[at[side]], seq[side], LINES_MOST * 4);
        json_object_set_new(line, "adapter", json_integer(side));
        number[merged.count] = at[side]++ + 1;
        from[merged.count] = side;
        merged.of[merged.count++] = line;
    }
    all = said_of(&merged, NULL);
    for (int side = 0; side < 2; side++) {
        own = (struct results){malloc((size_t)all.count * sizeof *own.of + 1), 0, all.failed};
        ck_assert_ptr_nonnull(own.of);
        for (int i = 0; i < all.count; i++)
            if (all.of[i].line != 0 && from[all.of[i].line - 1] == side) {
                own.of[own.count] = all.of[i];
                own.of[own.count++].line = number[all.of[i].line - 1];
            }
        qsort(own.of, (size_t)own.count, sizeof *own.of, by_place);
        compare_same(both[side]->name, side ? "behind another adapter" : "beside another adapter",
                     side ? said_other : said_one, &own);
        free(own.of);
    }
    trials++;
    free(all.of);
    release_lines(&merged);
}

/* True if two recordings may be of one instance: they have the same first line, and no adapters. */
static bool may_be_merged(const struct lines *one, const struct lines *other)
{
    const struct lines *both[2] = {one, other};
    if (one->count + other->count > LINES_MOST || !json_equal(one->of[0], other->of[0]))
        return false;
    for (int side = 0; side < 2; side++)
        for (int i = 1; i < both[side]->count; i++)
            if (json_object_get(both[side]->of[i], "adapter"))
                return false;
    return is_whole(one) && is_whole(other);
}

/* ---- all recordings ---- */

static int is_recording(const struct dirent *entry)
{
    return strstr(entry->d_name, ".jsonl") != NULL;
}

/* Visits each recording of the corpus. */
static void each_recording(void (*visit)(const struct lines *lines, const struct results *said))
{
    struct dirent **names;
    int count = scandir(CORPUS, &names, is_recording, alphasort);
    ck_assert_int_gt(count, 50);
    ck_assert_int_lt(count, FILES_MOST);
    for (int i = 0; i < count; i++) {
        struct lines lines = {.count = 0};
        struct results said;
        read_lines(names[i]->d_name, &lines);
        said = said_of(&lines, NULL);
        ck_assert_msg(!said.failed, "%s is refused", lines.name);
        visit(&lines, &said);
        free(said.of);
        release_lines(&lines);
        free(names[i]);
    }
    free(names);
}

START_TEST(test_each_member)
{
    each_recording(strike_each);
}
END_TEST

START_TEST(test_several_members)
{
    each_recording(strike_several);
}
END_TEST

START_TEST(test_lines)
{
    each_recording(strike_lines);
}
END_TEST

static void change_nothing(const struct lines *lines, const struct results *said)
{
    if (!is_whole(lines))
        return;
    add_strangers(lines, said, false);
    add_strangers(lines, said, true);
    shuffle_lines(lines, said);
}

START_TEST(test_strangers)
{
    each_recording(change_nothing);
}
END_TEST

static const struct lines *merged_with;
static const struct results *merged_said;

static void merge_with(const struct lines *lines, const struct results *said)
{
    if (may_be_merged(merged_with, lines))
        merge(merged_with, merged_said, lines, said);
}

static void merge_each(const struct lines *lines, const struct results *said)
{
    merged_with = lines;
    merged_said = said;
    if (may_be_merged(lines, lines))
        each_recording(merge_with);
}

START_TEST(test_adapters)
{
    each_recording(merge_each);
}
END_TEST

static void load(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const char *seed = getenv("WCTS_SEED") ? getenv("WCTS_SEED") : getenv("WCTS_STRUCK");
    state = seed ? strtoull(seed, NULL, 0) : state;
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
}

static void unload(void)
{
    printf("%ld trials, %ld decided, %ld of them broken, %ld withdrawn, %ld refused\n", trials,
           decided, broken, withdrawn, refused);
    ck_assert_int_ge(trials, 10000);
    ck_assert_int_gt(decided, 20000);
    ck_assert_int_gt(broken, 1000);
    ck_assert_int_gt(withdrawn, 20000);
    wcts_oracle_eval_release(&eval);
    wcts_load_spec_free(spec);
}

int main(void)
{
    Suite *suite = suite_create("strikes");
    TCase *tcase = tcase_create("struck out");
    SRunner *runner = srunner_create(suite);
    int failed;
    srunner_set_fork_status(runner, CK_NOFORK);
    tcase_set_timeout(tcase, 0);
    tcase_add_unchecked_fixture(tcase, load, unload);
    tcase_add_test(tcase, test_each_member);
    tcase_add_test(tcase, test_several_members);
    tcase_add_test(tcase, test_lines);
    tcase_add_test(tcase, test_strangers);
    tcase_add_test(tcase, test_adapters);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
