/* SPDX-License-Identifier: MIT */
/*
 * Recordings in which something is missing: whatever is struck out of one turns what is said of it
 * only into "cannot be said". What is missing is 0, as a reader leaves it. Members,
 * statuses, lines and what is known of completeness are drawn with a seed, in recordings of the
 * emulator, with faults and without. Runs in the top directory.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/random.h"
#include "runner/exchange/trace.h"
#include "runner/import/import.h"
#include "runner/judge/partial.h"
#include "runner/load/load.h"
#include "runner/load/spec_files.h"

/* Records that a recording may have: judging is quadratic. */
#define RECORDS_MOST 90

static struct wcts_spec *spec;
static struct wcts_eval eval;
static uint64_t state = 20240607;
static long trials, decided, withdrawn, followed;

/* ---- striking out ---- */

struct striking {
    struct wcts_exchange *exchange;
    int record;
    unsigned percent;
};

/* A reader has 0 where it knows nothing. */
static void blank(uint8_t *bytes, const uint8_t *known, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        bytes[i] &= known[i];
}

/* True if a member says where elements are, or how many: that is the reader's own, known or not. */
static bool is_layout(struct wcts_ref ref)
{
    const struct wcts_structure *of = &spec->structures[ref.structure];
    bool is = of->members[ref.member].type == WCTS_TYPE_POINTER;
    for (int i = 0; i < of->pointer_count; i++) {
        const struct wcts_member *pointer = &of->members[of->pointers[i]];
        is = is || pointer->counter == ref.member || pointer->strider == ref.member;
    }
    return is;
}

static void strike_member(void *context, struct wcts_ref ref, bool reply, const uint8_t *at,
                          int element)
{
    struct striking *striking = context;
    struct wcts_exchange_record *record = &striking->exchange->records[striking->record];
    const struct wcts_member *member = wcts_model_ref_member(spec, ref);
    uint8_t *known = reply ? record->reply_known : record->request_known;
    uint8_t *bytes = reply ? record->reply : record->request;
    const long place = at - bytes + (long)member->offset;
    (void)element;
    if (!known || !wcts_random_chance(&state, striking->percent))
        return;
    known += place;
    /* Of a word sometimes only some bits. */
    if (member->word >= 0 && wcts_random_chance(&state, 80))
        for (uint32_t i = 0; i < member->width; i++)
            known[i] &= (uint8_t)wcts_random_next(&state);
    else
        memset(known, 0, member->width);
    if (!is_layout(ref))
        blank(bytes + place, known, member->width);
}

/* Memory that was read or written, of which single bytes may be missing. */
static void strike_byte(uint8_t *known, uint32_t size)
{
    if (known && size > 0)
        known[wcts_random_below(&state, size)] = 0;
}

static void add_gap(struct wcts_exchange_partial *partial, int record)
{
    partial->gaps = malloc(sizeof *partial->gaps);
    ck_assert_ptr_nonnull(partial->gaps);
    memset(partial->gaps, 0, sizeof *partial->gaps);
    partial->gaps[0].record = record;
    memset(&partial->gaps[0].of, 0xFF, sizeof partial->gaps[0].of);
    partial->gap_count = 1;
}

static void strike_knowledge(struct wcts_exchange_partial *partial, int count)
{
    if (wcts_random_chance(&state, 25)) {
        const struct wcts_message *message =
            &spec->messages[wcts_random_below(&state, (uint64_t)spec->messages_count)];
        partial->all.of[message->operation >> 8] &= ~(UINT64_C(1) << (message->operation & 63));
    }
    if (wcts_random_chance(&state, 10))
        partial->begun = false;
    if (wcts_random_chance(&state, 10))
        partial->ended = false;
    if (wcts_random_chance(&state, 15))
        add_gap(partial, (int)wcts_random_below(&state, (uint64_t)count + 1));
}

static void strike(struct wcts_exchange *exchange)
{
    static const unsigned percents[] = {1, 3, 20, 60};
    struct striking striking = {exchange, 0, percents[wcts_random_below(&state, 4)]};
    bool members = wcts_random_chance(&state, 85);
    for (int i = 0; i < exchange->count; i++) {
        struct wcts_exchange_record *record = &exchange->records[i];
        striking.record = i;
        if (members)
            wcts_exchange_members(exchange, spec, i, -1, strike_member, &striking);
        if (wcts_random_chance(&state, striking.percent / 2))
            record->status_unknown = true;
        if (record->status_unknown)
            record->status = 0;
        if (wcts_random_chance(&state, 2))
            strike_byte(record->reply_known, record->reply_size);
    }
    strike_knowledge(exchange->partial, exchange->count);
}

/* What a copy of a record has for itself. */
static void release_record(struct wcts_exchange_record *record)
{
    free(record->request);
    free(record->reply);
    free(record->request_known);
    free(record->reply_known);
}

/* A line that nobody wrote down: a call in which no other one was made. Returns it, 0: none. */
static long strike_line(struct wcts_exchange *exchange)
{
    int gone = (int)wcts_random_below(&state, (uint64_t)exchange->count);
    long line = exchange->records[gone].line;
    if (exchange->count < 2 || (gone + 1 < exchange->count &&
                                exchange->records[gone + 1].depth > exchange->records[gone].depth))
        return 0;
    release_record(&exchange->records[gone]);
    memmove(&exchange->records[gone], &exchange->records[gone + 1],
            (size_t)(exchange->count - gone - 1) * sizeof *exchange->records);
    exchange->count--;
    add_gap(exchange->partial, gone);
    return line;
}

/* Leaves records from first on, count of them; the others are lost, and nobody knows how many. */
static void keep_part(struct wcts_exchange *exchange, int first, int count)
{
    for (int i = 0; i < exchange->count; i++)
        if (i < first || i >= first + count)
            release_record(&exchange->records[i]);
    exchange->partial->begun = exchange->partial->begun && first == 0;
    exchange->partial->ended = exchange->partial->ended && first + count == exchange->count;
    memmove(exchange->records, &exchange->records[first],
            (size_t)count * sizeof *exchange->records);
    exchange->count = count;
}

/* A recorder that began later, or ended sooner: between two calls of the outermost depth. */
static void strike_end(struct wcts_exchange *exchange)
{
    int at = (int)wcts_random_below(&state, (uint64_t)exchange->count);
    while (at > 0 && exchange->records[at].depth != 0)
        at--;
    if (wcts_random_chance(&state, 50))
        keep_part(exchange, at, exchange->count - at);
    else if (at > 0)
        keep_part(exchange, 0, at);
}

/* ---- a copy to strike out of ---- */

static uint8_t *copied(const uint8_t *bytes, uint32_t size)
{
    uint8_t *made = bytes ? malloc((size_t)size + 1) : NULL;
    if (made)
        memcpy(made, bytes, size);
    return made;
}

static struct wcts_exchange_record copied_record(const struct wcts_exchange_record *record)
{
    struct wcts_exchange_record copy = *record;
    copy.request = copied(record->request, record->request_size);
    copy.reply = copied(record->reply, record->reply_size);
    copy.request_known = copied(record->request_known, record->request_size);
    copy.reply_known = copied(record->reply_known, record->reply_size);
    return copy;
}

static void copy_exchange(struct wcts_exchange *copy, struct wcts_exchange_partial *partial,
                          const struct wcts_exchange *exchange)
{
    *copy = *exchange;
    *partial = *exchange->partial;
    partial->gaps = NULL;
    partial->gap_count = 0;
    copy->partial = partial;
    copy->blocks = NULL;
    copy->records = malloc((size_t)exchange->count * sizeof *copy->records + 1);
    ck_assert_ptr_nonnull(copy->records);
    for (int i = 0; i < exchange->count; i++)
        copy->records[i] = copied_record(&exchange->records[i]);
}

static void release_copy(struct wcts_exchange *copy)
{
    for (int i = 0; i < copy->count; i++)
        release_record(&copy->records[i]);
    free(copy->records);
    free(copy->partial->gaps);
}

/* ---- comparing ---- */

/* Sayings are compared by the line of their record, which outlives the loss of another one. */
struct said_at {
    int rule, side;
    long line;
    int element;
    enum wcts_judge_said said;
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

static struct said_at *places_of(const struct wcts_exchange *exchange,
                                 const struct wcts_judge_sayings *sayings)
{
    struct said_at *places = calloc((size_t)sayings->count + 1, sizeof *places);
    ck_assert_ptr_nonnull(places);
    for (int i = 0; i < sayings->count; i++)
        places[i] = (struct said_at){sayings->of[i].rule, (int)sayings->of[i].side,
                                     exchange->records[sayings->of[i].record].line,
                                     sayings->of[i].element, sayings->of[i].said};
    qsort(places, (size_t)sayings->count, sizeof *places, by_place);
    return places;
}

static enum wcts_judge_said said_in(const struct said_at *places, int count, struct said_at place)
{
    const struct said_at *found = bsearch(&place, places, (size_t)count, sizeof *places, by_place);
    return found ? found->said : WCTS_SAID_NOTHING;
}

static const char *const said_names[] = {"nothing", "kept", "broken", "cannot be said"};

static void complain(const char *what, const struct wcts_import_recording *recording,
                     struct said_at place, enum wcts_judge_said was)
{
    ck_abort_msg("%s of %s: %s about line %ld, element %d, was %s, is %s", what,
                 spec->rules[place.rule].id, recording->name ? recording->name : "", place.line,
                 place.element, said_names[was], said_names[place.said]);
}

static bool is_line_in(const struct wcts_exchange *exchange, long line)
{
    for (int i = 0; i < exchange->count; i++)
        if (exchange->records[i].line == line)
            return true;
    return false;
}

/* True if a breach was left out beside another one, on which it rests and which is lost now. */
static bool was_caused(const struct said_at *before, int count, struct said_at place,
                       enum wcts_judge_said was)
{
    const struct wcts_rule *rule = &spec->rules[place.rule];
    bool caused = false;
    for (int i = 0; i < count; i++)
        for (int r = 0; r < rule->rests_on_count; r++)
            caused = caused || (before[i].rule == rule->rests_on[r] &&
                                before[i].side == place.side && before[i].said == WCTS_SAID_BROKEN);
    return caused && was == WCTS_SAID_NOTHING && place.said == WCTS_SAID_BROKEN;
}

/* What is decided in the second was decided so in the first; what was decided there is decided so,
 * or cannot be said. gone: the line that was struck out, 0: none. */
static void compare(const struct wcts_import_recording *recording, const struct said_at *before,
                    int before_count, const struct said_at *after, int after_count, long gone,
                    const struct wcts_exchange *left)
{
    for (int i = 0; i < after_count; i++) {
        enum wcts_judge_said was = said_in(before, before_count, after[i]);
        decided += after[i].said != WCTS_SAID_UNKNOWN;
        if (after[i].said != WCTS_SAID_UNKNOWN && after[i].said != was &&
            !was_caused(before, before_count, after[i], was))
            complain("more is said", recording, after[i], was);
    }
    for (int i = 0; i < before_count; i++) {
        struct said_at place = before[i], whole = before[i];
        enum wcts_judge_said is = said_in(after, after_count, place);
        whole.element = -1;
        if (before[i].said == WCTS_SAID_UNKNOWN || before[i].line == gone ||
            !is_line_in(left, before[i].line) || is == before[i].said)
            continue;
        if (is == WCTS_SAID_NOTHING)
            is = said_in(after, after_count, whole);
        withdrawn++;
        place.said = is;
        if (is != WCTS_SAID_UNKNOWN)
            complain("it is not said that it cannot be said", recording, place, before[i].said);
    }
}

/* ---- who gave a handle ---- */

/* A path from a handle of some message of the exchange to any structure: where it leads, and what
 * is missed on the way, is the same whether the records before it are looked at, or known by value.
 */
static void compare_ways(const struct wcts_exchange *exchange)
{
    const struct wcts_exchange_view view = {spec, exchange, 4096};
    struct wcts_exchange_givers *givers = wcts_exchange_givers_new(&view);
    for (int t = 0; t < 2000 && givers; t++) {
        int record = (int)wcts_random_below(&state, (uint64_t)exchange->count);
        const struct wcts_message *message =
            wcts_exchange_message_of(spec, exchange->records[record].operation);
        uint64_t values[2] = {0};
        unsigned missed[2];
        bool found[2];
        struct wcts_lang_ref steps[2] = {{.flag = -1}, {.flag = -1}};
        steps[0].structure = (int16_t)(message ? message->request : -1);
        if (steps[0].structure < 0)
            continue;
        steps[0].member = (int16_t)wcts_random_below(
            &state, (uint64_t)spec->structures[steps[0].structure].member_count);
        steps[1].structure = (int16_t)wcts_random_below(&state, (uint64_t)spec->structures_count);
        steps[1].reply = wcts_random_chance(&state, 50);
        for (int way = 0; way < 2; way++) {
            unsigned before = wcts_exchange_missed(exchange);
            exchange->partial->givers = way ? givers : NULL;
            found[way] = wcts_exchange_follow(&view, (struct wcts_exchange_cursor){record, 0},
                                              steps, 2, &values[way]);
            missed[way] = wcts_exchange_missed(exchange) - before;
        }
        exchange->partial->givers = NULL;
        ck_assert_int_eq(found[0], found[1]);
        ck_assert_uint_eq(missed[0], missed[1]);
        if (found[0])
            ck_assert_int_eq((int64_t)values[0], (int64_t)values[1]);
        followed += found[0];
    }
    wcts_exchange_givers_free(givers);
}

static void try_exchange(const struct wcts_import_recording *recording,
                         const struct wcts_exchange *exchange, int times)
{
    const struct wcts_judge_partial judge = {
        spec, &eval, recording->first_version, recording->last_version, recording->page_size, true,
        0,    NULL};
    struct wcts_judge_sayings whole = {0};
    struct said_at *before;
    ck_assert(wcts_judge_partial(&judge, exchange, &whole));
    before = places_of(exchange, &whole);
    for (int t = 0; t < times; t++) {
        struct wcts_exchange copy;
        struct wcts_exchange_partial partial;
        struct wcts_judge_sayings sayings = {0};
        struct said_at *after;
        long gone_line = 0;
        copy_exchange(&copy, &partial, exchange);
        strike(&copy);
        if (partial.gap_count == 0 && t % 3 == 0)
            gone_line = strike_line(&copy);
        else if (partial.gap_count == 0 && t % 3 == 1)
            strike_end(&copy);
        wcts_exchange_partial_settle(&copy, spec);
        if (t % 8 == 0)
            compare_ways(&copy);
        ck_assert(wcts_judge_partial(&judge, &copy, &sayings));
        after = places_of(&copy, &sayings);
        compare(recording, before, whole.count, after, sayings.count, gone_line, &copy);
        trials++;
        free(after);
        wcts_judge_sayings_release(&sayings);
        release_copy(&copy);
    }
    free(before);
    wcts_judge_sayings_release(&whole);
}

static bool try_recording(void *context, struct wcts_import_recording *recording)
{
    const int *times = context;
    for (int i = 0; i < recording->count; i++)
        if (recording->exchanges[i].count > 0 && recording->exchanges[i].count <= RECORDS_MOST)
            try_exchange(recording, &recording->exchanges[i], *times);
    return true;
}

/* ---- recordings ---- */

static const struct {
    const char *implementation, *filter;
    int trials; /* of each recording */
} runs[] = {
    {"emulator,strict", "^(CAF-(001|003|013|016|037)|SEG-025).*/(accept|refuse|effect)/wddm2_7/",
     48},
    {"emulator,strict", "^AIN-0(02|04|09|20|33).*/scenario/wddm2_6/", 102},
    {"emulator,strict", "^PAT-0(02|26|38).*/scenario/wddm2_6/sub.*two", 102},
    {"emulator,fault=PAT-033", "^CAF-027.set/scenario/wddm1_3/segment-again", 340},
    {"emulator,fault=AIN-004+back", "^AIN-004.*/scenario/wddm1_3/several", 170},
    {"emulator,fault=CAF-025", "^CAF-025/refuse/wddm1_3/", 170},
    {"emulator,fault=CAF-003", "^CAF-003/refuse/wddm2_[67]/", 102},
    {"emulator,fault=CAF-014", "^CAF-0(01|12|14)/(accept|effect)/wddm2_3/", 68},
    {"emulator,fault=PAT-014.addresses+twice", "^PAT-014.addresses/scenario/wddm1_0/present", 102},
    /* What was not to be sent, and may be lost. */
    {"emulator,fault=CAF-037.created", "^CAF-001/accept/wddm2_7/NoKmdAccess", 102},
    {"emulator,fault=HDR-001.allocation", "^HDR-001.allocation/scenario/wddm1_0/handles-once", 102},
};

/* Runs the tool; its output is of no interest unless it fails. */
static void tool(const char *format, const char *a, const char *b, const char *c)
{
    char *arguments = NULL, *command = NULL;
    const char *build = getenv("WCTS_BUILD");
    int status;
    ck_assert_int_ge(asprintf(&arguments, format, a, b, c), 0);
    ck_assert_int_ge(asprintf(&command, "%s/wddm-cts %s >/dev/null 2>&1",
                              build ? build : "build/default", arguments),
                     0);
    status = system(command);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) != 2, "%s: %d", command, status);
    free(arguments);
    free(command);
}

/* Removes what a run has written. */
static void remove_run(const char *run)
{
    char *command = NULL;
    ck_assert_int_ge(asprintf(&command, "rm -rf %s", run), 0);
    ck_assert_int_eq(system(command), 0);
    free(command);
}

START_TEST(test_struck_out)
{
    char directory[] = "/tmp/test_partial.XXXXXX", *file = NULL, *run = NULL;
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const char *more = getenv("WCTS_TIMES");
    int times = runs[_i].trials * (more ? atoi(more) : 1);
    const struct wcts_import_options options = {
        .spec = spec, .version = -1, .diagnostics = &diagnostics};
    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_ge(asprintf(&file, "%s/recording.jsonl", directory), 0);
    ck_assert_int_ge(asprintf(&run, "%s/run", directory), 0);
    tool("run --no-sweep -q -j 1 --impl %s --filter '%s' --out %s", runs[_i].implementation,
         runs[_i].filter, run);
    tool("check --export %s %s%s", file, run, "");
    ck_assert(wcts_import_file(&options, file, try_recording, &times));
    ck_assert_int_eq(diagnostics.errors, 0);
    unlink(file);
    remove_run(run);
    rmdir(directory);
    free(file);
    free(run);
}
END_TEST

/* WCTS_SEED=N, or CI's WCTS_STRUCK, is the seed; WCTS_TIMES=N multiplies the number of trials. */
static void load(void)
{
    const char *seed = getenv("WCTS_SEED") ? getenv("WCTS_SEED") : getenv("WCTS_STRUCK");
    state = seed ? strtoull(seed, NULL, 0) : state;
    struct wcts_diagnostics diagnostics = {.out = stderr};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
}

static void unload(void)
{
    /* A test that strikes nothing out, or of which nothing is left, proves nothing. */
    printf("%ld trials, %ld decided, %ld withdrawn, %ld paths\n", trials, decided, withdrawn,
           followed);
    ck_assert_int_ge(trials, 10000);
    ck_assert_int_gt(decided, 20000);
    ck_assert_int_gt(withdrawn, 20000);
    ck_assert_int_gt(followed, 1000);
    wcts_oracle_eval_release(&eval);
    wcts_load_spec_free(spec);
}

int main(void)
{
    Suite *suite = suite_create("partial");
    TCase *tcase = tcase_create("struck out");
    SRunner *runner = srunner_create(suite);
    int failed;
    /* Counts are those of all tests. */
    srunner_set_fork_status(runner, CK_NOFORK);
    tcase_set_timeout(tcase, 0);
    tcase_add_unchecked_fixture(tcase, load, unload);
    tcase_add_loop_test(tcase, test_struck_out, 0, (int)(sizeof runs / sizeof *runs));
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
