/* SPDX-License-Identifier: MIT */
/*
 * Baselines: days, signatures, files that are wrong (tests/baseline/negative: NAME.xml and the
 * diagnostics in NAME.expected; WCTS_UPDATE=1 writes those), and what becomes of waivers and
 * verdicts over a plan of a few cases.
 */
#include <dirent.h>
#include <libxml/relaxng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/baseline/baseline.h"
#include "runner/plan/plan.h"
#include "suite.h"

#define NEGATIVE "tests/baseline/negative"

/* printf 'fail\0A\0is #\0' | sha256sum, and so on: what a waiver has must stay what it is. */
#define SIGNATURE "e772a9fd3b6d"         /* A fails: is # */
#define SIGNATURE_A "b89810077bd0"       /* A fails: one */
#define SIGNATURE_B "874ad263030c"       /* B fails: one */
#define SIGNATURE_ANOTHER "e5505edda14a" /* A fails: another */
#define SIGNATURE_CRASH "2-102f1524ca1e" /* A crashes: one */
#define SIGNATURE_1 "102f1524ca1e"       /* ... as version 1 had it, whatever the operation */
#define SIGNATURE_LOCK "2-14ee6fb03113"  /* A crashes: one, in KERNEL_LOCK */

/* ---- the plan ---- */

static struct wcts_version versions[] = {
    {.id = "1_0", .name = "1.0"}, {.id = "2_0", .name = "2.0"}, {.id = "2_1", .name = "2.1"}};
static struct wcts_rule rules[] = {{.id = "A"}, {.id = "B"}, {.id = "A.more"}};
static struct wcts_statement statements[] = {{.id = "A", .text = "What A says of 1."}};
static struct wcts_spec spec = {.versions = versions,
                                .versions_count = 3,
                                .statements = statements,
                                .statements_count = 1,
                                .rules = rules,
                                .rules_count = 3};
static struct wcts_series series[] = {
    {.scenario = -1, .name = "/one"},
    {.scenario = -1, .name = "/two"},
    {.scenario = -1, .name = "/three"},
    {.rule = 1, .scenario = -1, .name = "/one"},
    {.rule = 1, .scenario = -1, .name = "/two"},
};
static struct wcts_test planned[] = {{.series = 0},
                                     {.series = 1, .version = 1},
                                     {.series = 2, .version = 2},
                                     {.series = 3},
                                     {.series = 4, .version = 2}};
static const struct wcts_plan plan = {
    .spec = &spec, .tests = planned, .count = 5, .series = series, .series_count = 5};
static const struct wcts_claims claims = {.name = "mine", .version = "1.2"};

static void today(const char *date)
{
    ck_assert_int_eq(setenv("WCTS_TODAY", date, 1), 0);
}

/* ---- days ---- */

START_TEST(test_dates)
{
    char later[WCTS_DATE_SIZE];
    ck_assert(wcts_baseline_date_exists("2028-02-29"));
    ck_assert(!wcts_baseline_date_exists("2027-02-29"));
    ck_assert(!wcts_baseline_date_exists("2027-00-10"));
    ck_assert(!wcts_baseline_date_exists("2027-01-00"));
    ck_assert(!wcts_baseline_date_exists("2027-1-31"));
    ck_assert(!wcts_baseline_date_exists("2027-01-3 "));
    ck_assert(!wcts_baseline_date_exists("tomorrow"));
    wcts_baseline_date_add("2026-11-21", 90, later);
    ck_assert_str_eq(later, "2027-02-19");
    wcts_baseline_date_add("2027-12-31", 1, later);
    ck_assert_str_eq(later, "2028-01-01");
}
END_TEST

START_TEST(test_today)
{
    struct wcts_diagnostics diagnostics = {0};
    char date[WCTS_DATE_SIZE];
    today("2027-01-31");
    setenv("SOURCE_DATE_EPOCH", "86400", 1);
    ck_assert(wcts_baseline_today(date, &diagnostics));
    ck_assert_str_eq(date, "2027-01-31");
    unsetenv("WCTS_TODAY");
    ck_assert(wcts_baseline_today(date, &diagnostics));
    ck_assert_str_eq(date, "1970-01-02");
    setenv("SOURCE_DATE_EPOCH", "x", 1);
    ck_assert(!wcts_baseline_today(date, &diagnostics));
    unsetenv("SOURCE_DATE_EPOCH");
    ck_assert(wcts_baseline_today(date, &diagnostics));
    ck_assert(strcmp(date, "2020-01-01") > 0);
    today("2027-02-29");
    ck_assert(!wcts_baseline_today(date, &diagnostics));
    ck_assert_int_eq(diagnostics.errors, 2);
}
END_TEST

/* ---- signatures ---- */

static const struct {
    const char *reason, *text;
} texts[] = {
    {"", ""},
    {"the reply's D3DKMT_X.hResource is 0x40000004, expected zero",
     "the reply's D3DKMT_X.hResource is #, expected zero"},
    {"KERNEL_LOCK answered SUCCESS (0x00000000), expected a refusal",
     "KERNEL_LOCK answered SUCCESS (#), expected a refusal"},
    {"KERNEL_LOCK answered 0xC0000123, expected it to be accepted",
     "KERNEL_LOCK answered 0xC0000123, expected it to be accepted"},
    {"byte 12 of the memory is 0x5a, expected 0x00", "byte # of the memory is #, expected #"},
    {"no answer within 0.5 s", "no answer within #.# s"},
    {"called exit(3)", "called exit(#)"},
    {"2nd 0xZZ x12 12x _1", "2nd 0xZZ x12 12x _1"},
    {"step 3 of 17: A at 4096", "step # of #: A at #"},
    {"set-up refused: DRIVER_X answered GRAPHICS_ALLOCATION_BUSY (0xC01E0102) to the kind \"a b\"",
     "set-up refused: DRIVER_X answered 0xC01E0102"},
    {"the driver was asked DRIVER_X, but never as expected",
     "the driver was not asked DRIVER_X, expected it to be"},
    {"there was a MACHINE_X, but never as expected", "there was no MACHINE_X, expected one"},
    {"there was an earlier KERNEL_X (call no. 2: A.b is 0x5), expected none",
     "the driver was asked KERNEL_X, expected it not to be"},
    {"valid call refused: KERNEL_X (call no. 12) answered 0xC0000123",
     "valid call refused: KERNEL_X answered 0xC0000123"},
};

START_TEST(test_signature_text)
{
    char *text = wcts_baseline_signature_text(texts[_i].reason);
    ck_assert_str_eq(text, texts[_i].text);
    free(text);
}
END_TEST

static const char *signature_of(int index, enum wcts_verdict verdict, const char *reason,
                                int broken)
{
    static char buffers[2][WCTS_SIGNATURE_SIZE];
    static int turn;
    char *buffer = buffers[turn++ % 2];
    struct wcts_result result = {.verdict = verdict, .reason = (char *)reason, .broken = broken};
    wcts_baseline_signature(&plan, WCTS_PLAN_CASE(&plan, index), &result);
    memcpy(buffer, result.signature, WCTS_SIGNATURE_SIZE);
    return buffer;
}

#define SAME(a, b) ck_assert_str_eq(signature_of a, signature_of b)
#define OTHER(a, b) ck_assert_str_ne(signature_of a, signature_of b)
#define FAIL WCTS_VERDICT_FAIL

START_TEST(test_signature)
{
    SAME((0, FAIL, "is 0x1", 0), (0, FAIL, "is 0x2f00", 0));
    SAME((0, FAIL, "is 0x1", 0), (1, FAIL, "is 0x1", 0));
    SAME((0, FAIL, "is 0x1", 0), (0, WCTS_VERDICT_WARN, "is 0x1", 0));
    SAME((3, FAIL, "is 0x1", 0), (0, FAIL, "is 0x1", 2));
    SAME((0, FAIL, "is 0x1 ()", 0), (0, FAIL, "is 0x1 (What A says of 1.)", 0));
    OTHER((0, FAIL, "is 0x1", 0), (3, FAIL, "is 0x1", 0));
    OTHER((0, FAIL, "is 0x1", 0), (0, FAIL, "is 0x1", 3));
    OTHER((0, FAIL, "is 0x1", 0), (0, FAIL, "was 0x1", 0));
    OTHER((0, FAIL, "x", 0), (0, WCTS_VERDICT_CRASH, "x", 0));
    OTHER((0, WCTS_VERDICT_TIMEOUT, "x", 0), (0, WCTS_VERDICT_CRASH, "x", 0));
    OTHER((0, WCTS_VERDICT_CRASH, "x in open", 0), (0, WCTS_VERDICT_CRASH, "x in close", 0));
    ck_assert_str_eq(signature_of(0, WCTS_VERDICT_SKIP, "x", 0), "");
    ck_assert_str_eq(signature_of(0, WCTS_VERDICT_BROKEN, "x", 0), "");
    /* Baselines that are out there name it: it never changes. */
    ck_assert_str_eq(signature_of(0, FAIL, "is 0x1", 0), SIGNATURE);
}
END_TEST

/* What further calls found to be to blame is no part of it, of a combination alone. */
START_TEST(test_signature_of_a_combination)
{
    const char *reason = "is 0x1" WCTS_FINDING_CAUSE "A is set";
    OTHER((0, FAIL, reason, 0), (0, FAIL, "is 0x1", 0));
    series[0].kind = WCTS_KIND_COMBINATION;
    series[0].facts = series[0].twin = &(const struct wcts_facts){.count = 0};
    SAME((0, FAIL, reason, 0), (0, FAIL, "is 0x1", 0));
    SAME((0, WCTS_VERDICT_DECLINED, reason, 0), (0, WCTS_VERDICT_DECLINED, "is 0x1", 0));
    series[0].kind = WCTS_KIND_WITNESS;
    series[0].facts = series[0].twin = NULL;
}
END_TEST

/* ---- files ---- */

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 65536);
    if (file) {
        text[fread(text, 1, 65535, file)] = '\0';
        fclose(file);
    }
    return text;
}

static char *names[64];
static int name_count;

/* A wrong file, and whether the grammar sees it as well: not what it cannot say. */
static bool beyond_grammar(const char *name)
{
    static const char *const beyond[] = {"case-and-match", "expiry-is-no-day", "expression",
                                         "twice", "entity"};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++)
        if (strcmp(beyond[i], name) == 0)
            return true;
    return false;
}

static void silent(void *context, const char *format, ...)
{
    (void)context, (void)format;
}

static bool is_valid(const char *path)
{
    xmlRelaxNGParserCtxtPtr parser = xmlRelaxNGNewParserCtxt("spec/baseline.rng");
    xmlRelaxNGPtr grammar = xmlRelaxNGParse(parser);
    xmlRelaxNGValidCtxtPtr valid = xmlRelaxNGNewValidCtxt(grammar);
    xmlDocPtr document =
        xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlRelaxNGSetValidErrors(valid, silent, silent, NULL);
    bool good = document && xmlRelaxNGValidateDoc(valid, document) == 0;
    xmlFreeDoc(document);
    xmlRelaxNGFreeValidCtxt(valid);
    xmlRelaxNGFree(grammar);
    xmlRelaxNGFreeParserCtxt(parser);
    return good;
}

START_TEST(test_wrong_file)
{
    char path[512], expected_path[512], *said = NULL;
    size_t size;
    struct wcts_diagnostics diagnostics = {.out = open_memstream(&said, &size)};
    snprintf(path, sizeof path, NEGATIVE "/%s.xml", names[_i]);
    snprintf(expected_path, sizeof expected_path, NEGATIVE "/%s.expected", names[_i]);
    today("2026-11-21");
    ck_assert_ptr_null(wcts_baseline_load(path, &diagnostics));
    fclose(diagnostics.out);
    if (getenv("WCTS_UPDATE")) {
        FILE *out = fopen(expected_path, "w");
        fputs(said, out);
        fclose(out);
    }
    char *expected = slurp(expected_path);
    ck_assert_msg(expected[0] != '\0', "%s has nothing expected", names[_i]);
    ck_assert_str_eq(said, expected);
    if (!beyond_grammar(names[_i]))
        ck_assert_msg(!is_valid(path), "%s is valid by spec/baseline.rng", names[_i]);
    free(expected);
    free(said);
}
END_TEST

static void find_names(void)
{
    struct dirent **entries = NULL;
    int count = scandir(NEGATIVE, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(entries[i]->d_name);
        if (name_count < 64 && length > 4 && strcmp(entries[i]->d_name + length - 4, ".xml") == 0)
            names[name_count++] = strndup(entries[i]->d_name, length - 4);
        free(entries[i]);
    }
    free(entries);
}

/* ---- what becomes of waivers ---- */

static struct wcts_baseline *load(const char *waivers)
{
    char path[] = "/tmp/wcts-baseline-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    struct wcts_diagnostics diagnostics = {.out = stderr};
    fprintf(file, "<baseline>\n%s</baseline>\n", waivers);
    fclose(file);
    ck_assert_msg(is_valid(path), "not valid by spec/baseline.rng");
    struct wcts_baseline *baseline = wcts_baseline_load(path, &diagnostics);
    unlink(path);
    ck_assert_ptr_nonnull(baseline);
    return baseline;
}

/* What a case comes to: a letter, '.' pass, 'f' fail, 'F' fail otherwise, 'c' crash, 'C' in an
 * operation, 'w' warn as 'f', 's' skip, 'b' broken, 'y' flaky, '-' it does not run. */
static bool result_of(char letter, struct wcts_result *result)
{
    static const struct {
        char letter;
        enum wcts_verdict verdict;
        const char *reason;
    } letters[] = {{'.', WCTS_VERDICT_PASS, ""},
                   {'f', FAIL, "one"},
                   {'F', FAIL, "another"},
                   {'c', WCTS_VERDICT_CRASH, "one"},
                   {'C', WCTS_VERDICT_CRASH, "one in KERNEL_LOCK"},
                   {'w', WCTS_VERDICT_WARN, "one"},
                   {'s', WCTS_VERDICT_SKIP, "no"},
                   {'b', WCTS_VERDICT_BROKEN, "set-up"},
                   {'y', WCTS_VERDICT_FLAKY, "one"}};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (letters[i].letter == letter) {
            *result = (struct wcts_result){.verdict = letters[i].verdict,
                                           .reason = strdup(letters[i].reason)};
            return true;
        }
    return false;
}

static char letter_of(enum wcts_verdict verdict)
{
    static const char letters[] = {
        [WCTS_VERDICT_PASS] = '.',  [WCTS_VERDICT_WARN] = 'w',   [WCTS_VERDICT_SKIP] = 's',
        [WCTS_VERDICT_FAIL] = 'f',  [WCTS_VERDICT_CRASH] = 'c',  [WCTS_VERDICT_BROKEN] = 'b',
        [WCTS_VERDICT_FLAKY] = 'y', [WCTS_VERDICT_WAIVED] = 'W', [WCTS_VERDICT_FIXED] = 'X'};
    return letters[verdict];
}

#define END " reason='known' expires='2027-01-31'/>\n"
/* Of "one", failed, of rule A; of B. */
#define SIG_A " signature='" SIGNATURE_A "'"
#define SIG_B " signature='" SIGNATURE_B "'"

static const struct {
    const char *waivers, *results, *verdicts, *states, *report;
} stories[] = {
    /* a case */
    {"<waiver case='A/accept/1_0/one'" SIG_A END, "f....", "W....", "used", ""},
    {"<waiver case='A/accept/1_0/one'" END, "F....", "W....", "used", ""},
    {"<waiver case='A/accept/1_0/one'" END, "c....", "W....", "used", ""},
    {"<waiver case='A/accept/1_0/one'" SIG_A END, ".....", "X....", "fixed",
     ":2: fixed: A/accept/1_0/one passes, expected it to fail\n"},
    {"<waiver case='A/accept/1_0/one'" SIG_A END, "F....", "f....", "differs",
     ":2: differs: A/accept/1_0/one fails with signature " SIGNATURE_ANOTHER
     ", expected " SIGNATURE_A "\n"},
    {"<waiver case='A/accept/1_0/one'" SIG_A END, "c....", "c....", "differs",
     ":2: differs: A/accept/1_0/one fails with signature " SIGNATURE_CRASH ", expected " SIGNATURE_A
     "\n"},
    /* of version 1, whatever the operation was */
    {"<waiver case='A/accept/1_0/one' signature='" SIGNATURE_1 "'" END, "C....", "c....", "differs",
     ":2: differs: signature " SIGNATURE_1
     " is of version 1, which did not name the operation of a "
     "crash or timeout: A/accept/1_0/one has " SIGNATURE_LOCK " now, expected that\n"},
    {"<waiver match='A/.*' signature='" SIGNATURE_1 "'" END, "FC---", "fc---", "differs",
     ":2: differs: signature " SIGNATURE_1
     " is of version 1, which did not name the operation of a "
     "crash or timeout: A/accept/2_0/two has " SIGNATURE_LOCK " now, expected that\n"},
    {"<waiver case='A/accept/1_0/one' signature='" SIGNATURE_LOCK "'" END, "C....", "W....", "used",
     ""},
    {"<waiver case='A/accept/1_0/one' signature='" SIGNATURE_CRASH "'" END, "C....", "c....",
     "differs",
     ":2: differs: A/accept/1_0/one fails with signature " SIGNATURE_LOCK
     ", expected " SIGNATURE_CRASH "\n"},
    {"<waiver case='A/accept/1_0/one'" SIG_A END, "w....", "w....", "used", ""},
    {"<waiver case='A/accept/1_0/one'" SIG_A END, "s....", "s....", "idle", ""},
    {"<waiver case='A/accept/1_0/one'" SIG_A END, "-....", "-....", "idle", ""},
    {"<waiver case='A/accept/1_0/one'" END, "b....", "b....", "idle", ""},
    {"<waiver case='A/accept/1_0/one'" SIG_A END, "y....", "y....", "used", ""},
    /* two of one case: both failures are known */
    {"<waiver case='A/accept/1_0/one'" SIG_A END
     "<waiver case='A/accept/1_0/one' signature='" SIGNATURE_CRASH "'" END,
     "c....", "W....", "differs used",
     ":2: differs: A/accept/1_0/one fails with signature " SIGNATURE_CRASH ", expected " SIGNATURE_A
     "\n"},
    /* expired, and the last day */
    {"<waiver case='A/accept/1_0/one' reason='known' expires='2026-11-20'/>\n", "f....", "f....",
     "expired", ":2: expired 2026-11-20, A/accept/1_0/one fails again\n"},
    {"<waiver match='A/.*' reason='known' expires='2026-11-20'/>\n", "ff...", "ff...", "expired",
     ":2: expired 2026-11-20, 2 cases fail again\n"},
    {"<waiver case='A/accept/1_0/one' reason='known' expires='2026-11-20'/>\n", ".....", ".....",
     "expired", ":2: expired 2026-11-20, and nothing fails this way\n"},
    {"<waiver case='A/accept/1_0/one' reason='known' expires='2026-11-20'/>\n", "-....", "-....",
     "expired", ":2: expired 2026-11-20\n"},
    {"<waiver case='A/accept/1_0/one' reason='known' expires='2026-11-21'/>\n", "f....", "W....",
     "used", ""},
    /* orphaned */
    {"<waiver case='A/accept/1_0/on'" END, "f....", "f....", "orphaned",
     ":2: orphaned: there is no case A/accept/1_0/on; did you mean A/accept/1_0/one, "
     "B/accept/1_0/one, "
     "A/accept/2_0/two, B/accept/2_1/two\n"},
    {"<waiver match='A'" END, "f....", "f....", "orphaned", ":2: orphaned: no case matches A\n"},
    {"<waiver case='A/accept/1_0/one' wddm='2.0..2.1'" END, "f....", "f....", "orphaned",
     ":2: orphaned: there is no case A/accept/1_0/one of WDDM 2.0..2.1\n"},
    /* patterns: all of an id, one failure */
    {"<waiver match='A/.*'" SIG_A END, "fff..", "WWW..", "used", ""},
    {"<waiver match='A/.*' wddm='2.0'" SIG_A END, "fff..", "fWf..", "used", ""},
    {"<waiver match='A/.*' wddm='2.0..2.1'" SIG_A END, "fff..", "fWW..", "used", ""},
    {"<waiver match='.*'" SIG_A END, "fff..", "WWW..", "used", ""},
    {"<waiver match='.*'" END, "fff..", "WWW..", "over-broad",
     ":2: over-broad: of the 5 cases that it matches 3 fail and 2 pass, expected one failure and "
     "nothing else\n"},
    {"<waiver match='.*'" END, "fffff", "WWWWW", "over-broad",
     ":2: over-broad: of the 5 cases that it matches 5 fail, not all with the same signature, "
     "expected one failure and nothing else\n"},
    {"<waiver match='A/.*'" SIG_A END, "f....", "W....", "used", ""},
    {"<waiver match='A/.*'" END, "f....", "W....", "over-broad",
     ":2: over-broad: of the 3 cases that it matches 1 fail and 2 pass, expected one failure and "
     "nothing else\n"},
    {"<waiver match='A/.*'" SIG_A END, "fF...", "Wf...", "used", ""},
    /* a pattern does not take the place of what has expired */
    {"<waiver match='A/.*'" SIG_A END "<waiver case='A/accept/1_0/one'" SIG_A
     " reason='known' expires='2026-11-20'/>\n",
     "ff...", "fW...", "used expired", ":3: expired 2026-11-20, A/accept/1_0/one fails again\n"},
    {"<waiver match='A/.*'" SIG_A END, "fFF..", "Wff..", "used", ""},
    {"<waiver match='A/.*'" SIG_A END, ".....", ".....", "fixed",
     ":2: fixed: none of the 3 cases that it matches fails this way, expected some\n"},
    {"<waiver match='A/.*'" SIG_A END, "..-..", "..-..", "idle", ""},
    {"<waiver match='A/.*'" SIG_A END, "ff-..", "WW-..", "used", ""},
    {"<waiver match='A/.*'" SIG_A END, "sss..", "sss..", "idle", ""},
    {"<waiver match='A/.*'" SIG_A END, "FFF..", "fff..", "differs",
     ":2: differs: A/accept/1_0/one fails with signature " SIGNATURE_ANOTHER
     ", expected " SIGNATURE_A "\n"},
    /* conditions on the implementation: the whole of its name, and of its version */
    {"<waiver case='A/accept/1_0/one' implementation='mine'" END, "f....", "W....", "used", ""},
    {"<waiver case='A/accept/1_0/one' implementation='min'" END, "f....", "f....", "idle", ""},
    {"<waiver case='A/accept/1_0/one' implementation='m.*|yours'" END, "f....", "W....", "used",
     ""},
    {"<waiver case='A/accept/1_0/one' implementation-version='1\\.[0-4]'" END, "f....", "W....",
     "used", ""},
    {"<waiver case='A/accept/1_0/one' implementation-version='1\\.[3-4]'" END, ".....", ".....",
     "idle", ""},
    /* a pattern and a case: the first that matches counts */
    {"<waiver case='B/accept/1_0/one'" SIG_B END "<waiver match='B/.*'" SIG_B END, "...ff", "...WW",
     "used used", ""},
    /* a reason that is still to be written */
    {"<waiver case='A/accept/1_0/one' reason='new: to be explained' expires='2027-01-31'/>\n",
     "f....", "W....", "used",
     ":2: reason is \"new: to be explained\", in 1 waiver, expected why the failure is known\n"},
    {"", "f....", "f....", "", ""},
};

static void check_states(const struct wcts_baseline *baseline, const char *expected)
{
    char states[256] = "";
    for (int i = 0; i < baseline->count; i++) {
        strcat(states, i != 0 ? " " : "");
        strcat(states, wcts_baseline_waiver_state_name(baseline->waivers[i].state));
    }
    ck_assert_str_eq(states, expected);
}

static void check_report(const struct wcts_baseline *baseline, const char *expected)
{
    char *report = NULL;
    size_t size;
    FILE *out = open_memstream(&report, &size);
    wcts_baseline_report(out, baseline);
    fclose(out);
    if (expected[0] == '\0')
        ck_assert_str_eq(report, "");
    else
        ck_assert_str_eq(report + strcspn(report, ":"), expected);
    free(report);
}

START_TEST(test_story)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    char verdicts[6] = "-----";
    today("2026-11-21");
    struct wcts_baseline *baseline = load(stories[_i].waivers);
    ck_assert(wcts_baseline_bind(baseline, &plan, &diagnostics));
    for (int i = 0; i < 5; i++) {
        struct wcts_result result;
        if (!result_of(stories[_i].results[i], &result))
            continue;
        wcts_baseline_signature(&plan, WCTS_PLAN_CASE(&plan, i), &result);
        wcts_baseline_apply(baseline, &claims, WCTS_PLAN_CASE(&plan, i), &result);
        verdicts[i] = letter_of(result.verdict);
        wcts_model_result_release(&result);
    }
    wcts_baseline_conclude(baseline);
    ck_assert_str_eq(verdicts, stories[_i].verdicts);
    check_states(baseline, stories[_i].states);
    check_report(baseline, stories[_i].report);
    wcts_baseline_free(baseline);
}
END_TEST

START_TEST(test_unknown_version)
{
    char *said = NULL;
    size_t size;
    struct wcts_diagnostics diagnostics = {.out = open_memstream(&said, &size)};
    today("2026-11-21");
    struct wcts_baseline *baseline = load("<waiver case='A/accept/1_0/one' wddm='2.0..9.9'" END);
    ck_assert(!wcts_baseline_bind(baseline, &plan, &diagnostics));
    fclose(diagnostics.out);
    ck_assert_str_eq(said + strcspn(said, ":"),
                     ":2: attribute \"wddm\" of <waiver>: unknown version \"9.9\", expected one "
                     "from 1.0 to 2.1\n");
    wcts_baseline_free(baseline);
    free(said);
}
END_TEST

START_TEST(test_larger_plan)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan small = {
        .spec = &spec, .tests = planned, .count = 3, .series = series, .series_count = 5};
    today("2026-11-21");
    struct wcts_baseline *baseline = load("<waiver case='B/accept/1_0/one'" END
                                          "<waiver match='B.*'" END "<waiver case='C/one'" END);
    ck_assert(wcts_baseline_bind(baseline, &small, &diagnostics));
    ck_assert(wcts_baseline_has_orphans(baseline));
    ck_assert(wcts_baseline_seek(baseline, &plan, &diagnostics));
    ck_assert(wcts_baseline_has_orphans(baseline));
    wcts_baseline_conclude(baseline);
    check_states(baseline, "idle idle orphaned");
    wcts_baseline_free(baseline);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

int main(void)
{
    Suite *suite = suite_create("baseline");
    TCase *tests = tcase_create("baseline");
    find_names();
    tcase_add_test(tests, test_dates);
    tcase_add_test(tests, test_today);
    tcase_add_loop_test(tests, test_signature_text, 0, COUNT(texts));
    tcase_add_test(tests, test_signature);
    tcase_add_test(tests, test_signature_of_a_combination);
    tcase_add_loop_test(tests, test_wrong_file, 0, name_count);
    tcase_add_loop_test(tests, test_story, 0, COUNT(stories));
    tcase_add_test(tests, test_unknown_version);
    tcase_add_test(tests, test_larger_plan);
    suite_add_tcase(suite, tests);
    return suite_run(suite) != 0 || name_count == 0;
}
