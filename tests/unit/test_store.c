/* SPDX-License-Identifier: MIT */
/* A result comes back from the journal as it was written, and a directory that is not whole is
 * named as what it is. */
#include <stdlib.h>
#include <string.h>

#include "runner/store/run_dir.h"
#include "suite.h"

static const struct wcts_rule rules[] = {{.id = "A-1"}, {.id = "A-2"}};
static const struct wcts_spec spec = {.rules = (struct wcts_rule *)(uintptr_t)rules,
                                      .rules_count = 2};

static json_t *example(void)
{
    static struct wcts_try tries[] = {
        {WCTS_VERDICT_PASS, (char *)(uintptr_t) "", NULL, {.levels = 7}, {0}, 0},
        {WCTS_VERDICT_FAIL,
         (char *)(uintptr_t) "once",
         (char *)(uintptr_t) "in words\n",
         {.levels = 7, .found = WCTS_FOUND_BROKEN, .reason = (char *)(uintptr_t) "once"},
         {0},
         0}};
    static struct wcts_finding strict = {.levels = 4,
                                         .found = WCTS_FOUND_BROKEN,
                                         .fails = true,
                                         .observed = true,
                                         .broken = 1,
                                         .reason = (char *)(uintptr_t) "accepted",
                                         .detail = (char *)(uintptr_t) "call\n"};
    static const struct wcts_baseline_waiver waiver = {.place = {"known.xml", 7, NULL},
                                                       .reason = "known",
                                                       .link = "https://example.org",
                                                       .expires = "2027-01-31"};
    static const struct wcts_case test = {.id = "A-1/refuse"};
    const struct wcts_result result = {.verdict = WCTS_VERDICT_WAIVED,
                                       .was = WCTS_VERDICT_FAIL,
                                       .reason = (char *)(uintptr_t) "accepted",
                                       .detail = (char *)(uintptr_t) "call\nanswer\n",
                                       .backtrace = "#0 f",
                                       .skip = WCTS_SKIP_NOT_SHOWN,
                                       .signature = "0123456789ab",
                                       .waiver = &waiver,
                                       .tries = tries,
                                       .tried = 2,
                                       .try_count = 2,
                                       .finding = {.levels = 3,
                                                   .found = WCTS_FOUND_NOTHING,
                                                   .skip = WCTS_SKIP_NOT_SHOWN,
                                                   .next = &strict},
                                       .answered = {5, 4, UINT64_C(1) << 63, 3, 8},
                                       .walk = {20, 100, 3, {UINT64_C(1) << 63, 7}, 5, 2},
                                       .seen = {1, 2, 4, 8, WCTS_PROFILE_REFUSED, 0},
                                       .ended = true,
                                       .ended_in = 0x107,
                                       .nanoseconds = 1234000,
                                       .broken = 2};
    return wcts_store_result_json(&spec, &test, &result, "printed");
}

START_TEST(each_member_comes_back)
{
    struct wcts_store_entry entry;
    struct wcts_result found;
    json_t *written = example(), *again;
    struct wcts_case same = {.index = 0};
    ck_assert(wcts_store_entry_read(&entry, &spec, json_incref(written)));
    for (const struct wcts_store_result_field *field = wcts_result_fields; field->name; field++)
        ck_assert_msg(json_object_get(written, field->name) != NULL, "%s is not written",
                      field->name);
    ck_assert(wcts_store_entry_found(&entry, &spec, &found));
    ck_assert_int_eq(found.tried, 2);
    for (int i = 0; i < found.tried; i++)
        entry.result.tries[i].finding = found.tries[i].finding;
    entry.result.tried = found.tried;
    entry.result.finding = found.finding;
    snprintf(same.id, sizeof same.id, "%s", entry.id);
    again = wcts_store_result_json(&spec, &same, &entry.result, entry.output);
    ck_assert(json_equal(written, again));
    json_decref(again);
    json_decref(written);
    wcts_store_entry_release(&entry);
    wcts_model_result_release(&found);
}
END_TEST

/* An entry that says no more than its verdict was found the same at all levels. */
START_TEST(a_verdict_tells_what_was_found)
{
    static const struct {
        const char *entry;
        enum wcts_found found;
        const char *reason;
    } entries[] = {
        {"{\"id\": \"A\", \"verdict\": \"pass\", \"reason\": \"\"}", WCTS_FOUND_KEPT, NULL},
        {"{\"id\": \"A\", \"verdict\": \"warn\", \"reason\": \"r\"}", WCTS_FOUND_BROKEN, "r"},
        {"{\"id\": \"A\", \"verdict\": \"waived\", \"was\": \"crash\", \"reason\": \"r\"}",
         WCTS_FOUND_CRASH, "r"},
        {"{\"id\": \"A\", \"verdict\": \"fixed\", \"was\": \"pass\", \"reason\": \"passes\"}",
         WCTS_FOUND_KEPT, NULL},
        {"{\"id\": \"A\", \"verdict\": \"timeout\", \"reason\": \"r\"}", WCTS_FOUND_HANG, "r"},
    };
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        struct wcts_store_entry entry;
        struct wcts_result found;
        ck_assert(wcts_store_entry_read(&entry, &spec, json_loads(entries[i].entry, 0, NULL)));
        ck_assert(wcts_store_entry_found(&entry, &spec, &found));
        ck_assert_uint_eq(found.finding.levels, WCTS_LEVELS_ALL);
        ck_assert_int_eq(found.finding.found, entries[i].found);
        ck_assert_pstr_eq(found.finding.reason, entries[i].reason);
        wcts_model_result_release(&found);
        wcts_store_entry_release(&entry);
    }
}
END_TEST

START_TEST(what_is_no_entry)
{
    static const char *const texts[] = {"{}", "{\"id\": \"x\"}", "{\"verdict\": \"pass\"}",
                                        "{\"id\": \"x\", \"verdict\": \"good\"}", "[]"};
    struct wcts_store_entry entry;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_msg(!wcts_store_entry_read(&entry, NULL, json_loads(texts[i], 0, NULL)), "%s",
                      texts[i]);
        wcts_store_entry_release(&entry);
    }
}
END_TEST

/* ---- directories ---- */

#define PLAN "#id\tstatement\nA\tS\nB\tS\n"
#define A "{\"id\":\"A\",\"verdict\":\"pass\"}\n"
#define B "{\"id\":\"B\",\"verdict\":\"fail\"}\n"
#define DONE "{\"end\":\"done\",\"reached\":2}"
#define CUT "{\"end\":\"cut\",\"reached\":1}"
#define GOES_ON "{\"end\":\"running\",\"reached\":0}"

static const struct {
    const char *run, *journal;
    int entries;
    enum wcts_store_flaw_kind flaw;
} directories[] = {
    {DONE, A B, 2, WCTS_FLAW_NONE},
    {DONE, B A, 2, WCTS_FLAW_NONE},
    {DONE, A, 1, WCTS_FLAW_CUT},
    {DONE, A "{\"id\":", 1, WCTS_FLAW_CUT},
    {DONE, A B "{\"id\":", 2, WCTS_FLAW_ENTRY},
    {DONE, A "{}\n", 1, WCTS_FLAW_ENTRY},
    {DONE, A "no\n" B, 1, WCTS_FLAW_ENTRY},
    {DONE, A A, 1, WCTS_FLAW_TWICE},
    {DONE, "{\"id\":\"C\",\"verdict\":\"pass\"}\n", 0, WCTS_FLAW_UNKNOWN},
    {DONE, A B "{\"id\":\"C\",\"verdict\":\"pass\"}\n", 2, WCTS_FLAW_MORE},
    {CUT, A, 1, WCTS_FLAW_NONE},
    {CUT, "", 0, WCTS_FLAW_CUT},
    {CUT, A B, 2, WCTS_FLAW_CUT},
    {GOES_ON, A, 1, WCTS_FLAW_NONE},
    {GOES_ON, A "{\"id\":", 1, WCTS_FLAW_NONE},
    {GOES_ON, A "{}\n", 1, WCTS_FLAW_ENTRY},
};

static void put(const char *directory, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_ge(fputs(text, out), 0);
    ck_assert_int_eq(fclose(out), 0);
}

START_TEST(directory)
{
    char path[] = "/tmp/wcts-store-XXXXXX", command[64];
    struct wcts_store_reader reader;
    struct wcts_store_entry entry;
    int entries = 0, row;
    ck_assert_ptr_nonnull(mkdtemp(path));
    put(path, WCTS_FILE_PLAN, PLAN);
    put(path, WCTS_FILE_RUN, directories[_i].run);
    put(path, WCTS_FILE_JOURNAL, directories[_i].journal);
    wcts_store_reader_init(&reader, path, NULL);
    ck_assert(wcts_store_reader_is_run(&reader) && wcts_store_reader_run(&reader) &&
              wcts_store_reader_plan(&reader, NULL) && wcts_store_reader_journal(&reader));
    for (; wcts_store_reader_next(&reader, &entry, &row); entries++) {
        ck_assert_str_eq(reader.rows[row].id, entry.id);
        wcts_store_entry_release(&entry);
    }
    ck_assert_int_eq(entries, directories[_i].entries);
    ck_assert_int_eq((int)reader.flaw.kind, (int)directories[_i].flaw);
    wcts_store_reader_close(&reader);
    snprintf(command, sizeof command, "rm -rf %s", path);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Whoever reads on behind a line that was cut finds only rows that are whole. */
START_TEST(a_plan_that_was_cut)
{
    char path[] = "/tmp/wcts-store-XXXXXX", command[64];
    struct wcts_store_reader reader;
    struct wcts_store_entry entry;
    int row;
    ck_assert_ptr_nonnull(mkdtemp(path));
    put(path, WCTS_FILE_PLAN, "#id\tstatement\nA\tS\nB");
    put(path, WCTS_FILE_RUN, DONE);
    put(path, WCTS_FILE_JOURNAL, A B);
    wcts_store_reader_init(&reader, path, NULL);
    ck_assert(wcts_store_reader_run(&reader) && !wcts_store_reader_plan(&reader, NULL));
    ck_assert_int_eq((int)reader.flaw.kind, WCTS_FLAW_COLUMNS);
    ck_assert_int_eq(reader.count, 1);
    ck_assert(wcts_store_reader_journal(&reader) && wcts_store_reader_next(&reader, &entry, &row));
    wcts_store_entry_release(&entry);
    ck_assert(!wcts_store_reader_next(&reader, &entry, &row));
    wcts_store_reader_close(&reader);
    snprintf(command, sizeof command, "rm -rf %s", path);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* ---- runs that go on ---- */

#define CASES 6

/* A run of six cases, flushed behind each second one, that is killed. */
static void leave_run(const char *path)
{
    struct wcts_store_rundir rundir;
    ck_assert(wcts_store_rundir_init(&rundir, path) && wcts_store_rundir_begin(&rundir));
    rundir.spec = &spec;
    ck_assert(wcts_store_rundir_describe(
        &rundir, json_pack("{s:s, s:s}", "tool_version", "1", "spec_digest", "2"), false));
    for (int i = 0; i < CASES; i++) {
        const struct wcts_case test = {.id = "A-1/refuse"};
        const struct wcts_result result = {.reason = (char *)(uintptr_t) "none",
                                           .finding = {.levels = WCTS_LEVELS_ALL}};
        ck_assert(wcts_store_rundir_add(&rundir, &test, &result, ""));
        if (i % 2 == 1)
            ck_assert(wcts_store_rundir_flush(&rundir, 1));
    }
    wcts_store_rundir_release(&rundir);
}

/* What happens to a file, and how many cases are left to go on behind; -1: the run is refused. */
static const struct {
    const char *file, *what;
    int left;
} damages[] = {
    {WCTS_FILE_JOURNAL, "true", 6},
    {WCTS_FILE_JOURNAL, "printf x >>$1", 6},
    {WCTS_FILE_JOURNAL, "truncate -s -1 $1", 4},
    {WCTS_FILE_VERDICTS, "truncate -s -1 $1", 4},
    {WCTS_FILE_VERDICTS, "sed -i '6s/none/nine/' $1", 4},
    {WCTS_FILE_VERDICTS, "sed -i '4s/none/nine/' $1", -1},
    {WCTS_FILE_JOURNAL, "sed -i '1s/pass/fail/' $1", -1},
    {WCTS_FILE_JOURNAL, "rm $1", -1},
    {WCTS_FILE_JOURNAL, "rm $1; mkfifo $1", -1},
    {WCTS_FILE_JOURNAL, "mv $1 $1.x; ln -s journal.jsonl.x $1", -1},
    {WCTS_FILE_JOURNAL, "truncate -s 0 $1", -1},
    {WCTS_FILE_BATCHES, "truncate -s -1 $1", 4},
    {WCTS_FILE_BATCHES, "truncate -s 0 $1", 0},
    {WCTS_FILE_BATCHES, "rm $1", -1},
    {WCTS_FILE_BATCHES, "sed -i 3d $1", 4},
    {WCTS_FILE_BATCHES, "sed -i 2d $1", 2},
    {WCTS_FILE_BATCHES, "sed -i '3s/^6/7/' $1", 4},
    {WCTS_FILE_BATCHES, "sed -i '2s/^4/5/' $1", -1},
    {WCTS_FILE_BATCHES, "sed -i 2p $1", -1},
    {WCTS_FILE_BATCHES, "printf '9%1000s' x >>$1", 6},
    {WCTS_FILE_BATCHES, "printf '9\\0009\\n' >>$1", -1},
    {WCTS_FILE_VERDICTS, "sed -i '1s/none/nine/' $1; truncate -s 40 $1", -1},
    {"output", "mkdir $1.x; rmdir $1; ln -s output.x $1", -1},
    {"output", "rmdir $1", 6},
};

START_TEST(goes_on)
{
    char path[] = "/tmp/wcts-store-XXXXXX", command[256];
    struct wcts_store_rundir rundir;
    int count;
    bool ended = false;
    ck_assert_ptr_nonnull(mkdtemp(path));
    leave_run(path);
    snprintf(command, sizeof command, "set -- %s/%s; %s", path, damages[_i].file, damages[_i].what);
    ck_assert_int_eq(system(command), 0);
    ck_assert(wcts_store_rundir_init(&rundir, path));
    bool good = wcts_store_rundir_reopen(&rundir, &count, &ended);
    ck_assert_msg(good == (damages[_i].left >= 0), "%s", command);
    if (good)
        ck_assert_msg(count == damages[_i].left, "%s: %d", command, count);
    /* What is added goes behind what is left. */
    if (good && count > 0) {
        const struct wcts_case test = {.id = "A-2/refuse"};
        rundir.spec = &spec;
        ck_assert(wcts_store_rundir_cut(&rundir));
        ck_assert(wcts_store_rundir_add(&rundir, &test, &(struct wcts_result){0}, ""));
        ck_assert(wcts_store_rundir_flush(&rundir, 2) && wcts_store_rundir_is_whole(&rundir));
        wcts_store_rundir_release(&rundir);
        ck_assert(wcts_store_rundir_init(&rundir, path));
        ck_assert(wcts_store_rundir_reopen(&rundir, &count, &ended));
        ck_assert_int_eq(count, damages[_i].left + 1);
    }
    wcts_store_rundir_release(&rundir);
    snprintf(command, sizeof command, "rm -rf %s", path);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store");
    TCase *cases = tcase_create("store");
    tcase_add_test(cases, each_member_comes_back);
    tcase_add_test(cases, a_verdict_tells_what_was_found);
    tcase_add_test(cases, what_is_no_entry);
    tcase_add_loop_test(cases, directory, 0, (int)(sizeof directories / sizeof directories[0]));
    tcase_add_test(cases, a_plan_that_was_cut);
    tcase_add_loop_test(cases, goes_on, 0, (int)(sizeof damages / sizeof damages[0]));
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
