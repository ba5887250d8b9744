/* SPDX-License-Identifier: MIT */
/* Differences as text. */
#include <stdio.h>
#include <string.h>

#include "../runner/store/json.h"
#include "asked.h"
#include "diff.h"

/* Cases shown of a statement in a list, unless all are requested. */
#define CASES_SHOWN 5
/* Digits shown of a digest. */
#define DIGEST_SHOWN 12

static long long number_of(const json_t *value, const char *key)
{
    return json_integer_value(json_object_get(value, key));
}

/* ---- lists of cases ---- */

/* Prints what follows the id of a case. */
typedef void tail_fn(FILE *out, const json_t *one);

/* How much of a list is shown: the first case of each statement on one line, the first few, all. */
enum report_extent { ONE_LINE, SOME, ALL };

/* {statement: its cases}, both in the order of the list, which is that of the plan: there the cases
 * of scenarios are not together by statement. */
static json_t *group_by_statement(const json_t *list)
{
    json_t *groups = json_object(), *one;
    size_t i;
    json_array_foreach(list, i, one)
    {
        const char *statement = wcts_store_json_member(one, "statement");
        if (!json_object_get(groups, statement))
            json_object_set_new(groups, statement, json_array());
        json_array_append(json_object_get(groups, statement), one);
    }
    return groups;
}

static void print_case(FILE *out, const json_t *one, tail_fn *tail)
{
    fputs(wcts_store_json_member(one, "id"), out);
    tail(out, one);
}

static void print_statement_cases(FILE *out, const char *statement, const json_t *cases,
                                  enum report_extent extent, tail_fn *tail)
{
    size_t count = json_array_size(cases);
    size_t shown = extent == ALL || count < CASES_SHOWN ? count : CASES_SHOWN;
    fprintf(out, "  %s  %zu", statement, count);
    if (extent == ONE_LINE) {
        fputs("  ", out);
        print_case(out, json_array_get(cases, 0), tail);
        fputs(count > 1 ? ", ...\n" : "\n", out);
        return;
    }
    fputs("\n", out);
    for (size_t i = 0; i < shown; i++) {
        fputs("    ", out);
        print_case(out, json_array_get(cases, i), tail);
        fputs("\n", out);
    }
    if (shown < count)
        fprintf(out, "    and %zu more\n", count - shown);
}

/* Prints cases, grouped by statement. */
static void print_case_list(FILE *out, const char *title, const json_t *list,
                            enum report_extent extent, tail_fn *tail)
{
    const char *statement;
    json_t *cases;
    if (json_array_size(list) == 0)
        return;
    fprintf(out, "%s  %zu\n", title, json_array_size(list));
    json_t *groups = group_by_statement(list);
    json_object_foreach(groups, statement, cases)
    {
        print_statement_cases(out, statement, cases, extent, tail);
    }
    json_decref(groups);
}

static void no_tail(FILE *out, const json_t *one)
{
    (void)out, (void)one;
}

/* ---- runs ---- */

static const struct {
    const char *key, *title;
    enum report_extent extent;
} groups[] = {
    {"newly_failing", "newly failing", SOME},
    {"failing_otherwise", "failing in another way", SOME},
    {"newly_passing", "newly passing", ONE_LINE},
    {"newly_skipped", "newly skipped", ONE_LINE},
    {"other_verdict", "another verdict", SOME},
    {"other_reason", "for another reason", ONE_LINE},
    {"only_in_a", "only in A", ONE_LINE},
    {"only_in_b", "only in B", ONE_LINE},
};

/* "pass -> fail: reason", as far as it is known. */
static void outcome_tail(FILE *out, const json_t *one)
{
    const json_t *a = json_object_get(one, "a"), *b = json_object_get(one, "b");
    const char *before = wcts_store_json_member(a, "reason"),
               *after = wcts_store_json_member(b ? b : a, "reason");
    bool same =
        a && b &&
        strcmp(wcts_store_json_member(a, "verdict"), wcts_store_json_member(b, "verdict")) == 0;
    if (same) {
        fprintf(out, "  %s: %s -> %s", wcts_store_json_member(a, "verdict"), before, after);
        return;
    }
    fprintf(out, "  %s%s%s", a ? wcts_store_json_member(a, "verdict") : "", a && b ? " -> " : "",
            b ? wcts_store_json_member(b, "verdict") : "");
    if (after[0])
        fprintf(out, ": %s", after);
}

static void print_run_side(FILE *out, const char *letter, const json_t *side)
{
    const json_t *implementation = json_object_get(side, "implementation");
    const char *options = wcts_store_json_member(implementation, "options");
    fprintf(out, "%s  %s: %s %s (%s%s%s), level %s, suite %s, %lld of %lld cases\n", letter,
            wcts_store_json_member(side, "directory"),
            wcts_store_json_member(implementation, "name"),
            wcts_store_json_member(implementation, "version"),
            wcts_store_json_member(implementation, "path"), options[0] ? "," : "", options,
            wcts_store_json_member(side, "level"), wcts_store_json_member(side, "suite"),
            number_of(side, "reached"), number_of(side, "cases"));
}

static void print_difference_value(FILE *out, const json_t *value)
{
    if (json_is_string(value))
        fprintf(out, "%.60s", json_string_value(value)[0] ? json_string_value(value) : "(none)");
    else if (json_is_integer(value))
        fprintf(out, "%lld", (long long)json_integer_value(value));
    else
        fputs("(none)", out);
}

static void print_differs(FILE *out, json_t *differs)
{
    const char *key;
    json_t *pair;
    json_object_foreach(differs, key, pair)
    {
        bool digest = strcmp(key, "spec_digest") == 0;
        const char *a = json_string_value(json_array_get(pair, 0));
        const char *b = json_string_value(json_array_get(pair, 1));
        fprintf(out, "differs: %s ", key);
        if (digest && a && b) {
            fprintf(out, "%.*s -> %.*s\n", DIGEST_SHOWN, a, DIGEST_SHOWN, b);
            continue;
        }
        print_difference_value(out, json_array_get(pair, 0));
        fputs(" -> ", out);
        print_difference_value(out, json_array_get(pair, 1));
        fputs("\n", out);
    }
}

static void print_runs(FILE *out, const json_t *difference, bool all)
{
    const json_t *lists = json_object_get(difference, "groups");
    long long fresh = number_of(difference, "new_failures");
    print_run_side(out, "A", json_object_get(difference, "a"));
    print_run_side(out, "B", json_object_get(difference, "b"));
    print_differs(out, json_object_get(difference, "differs"));
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        print_case_list(out, groups[i].title, json_object_get(lists, groups[i].key),
                        all ? ALL : groups[i].extent, outcome_tail);
    fprintf(out, "as before  %lld\n", number_of(difference, "same"));
    if (fresh == 0)
        fputs("no new failures\n", out);
    else
        fprintf(out, "%lld new failure%s\n", fresh, fresh == 1 ? "" : "s");
}

/* ---- specs ---- */

static void print_spec_side(FILE *out, const char *letter, const json_t *side)
{
    fprintf(out, "%s  %s: digest %.*s, %lld statements, %lld rules, %lld cases\n", letter,
            wcts_store_json_member(side, "directory"), DIGEST_SHOWN,
            wcts_store_json_member(side, "digest"), number_of(side, "statements"),
            number_of(side, "rules"), number_of(side, "cases"));
}

static void print_items(FILE *out, const char *title, const json_t *list, bool texts)
{
    const json_t *one, *line;
    size_t i, k;
    if (json_array_size(list) == 0)
        return;
    fprintf(out, "%s  %zu\n", title, json_array_size(list));
    json_array_foreach(list, i, one)
    {
        fprintf(out, "  %s%s%s\n", wcts_store_json_member(one, "id"), texts ? "  " : "",
                texts ? wcts_store_json_member(one, "text") : "");
        json_array_foreach(json_object_get(one, "changes"), k, line)
        {
            fprintf(out, "    %s\n", json_string_value(line));
        }
    }
}

static void expect_tail(FILE *out, const json_t *one)
{
    const json_t *pair = json_object_get(one, "expect");
    fprintf(out, "  %s -> %s", json_string_value(json_array_get(pair, 0)),
            json_string_value(json_array_get(pair, 1)));
}

static void print_orphans(FILE *out, const json_t *orphans)
{
    const json_t *one;
    size_t i;
    if (json_array_size(orphans) == 0)
        return;
    fprintf(out, "waivers orphaned  %zu\n", json_array_size(orphans));
    json_array_foreach(orphans, i, one)
    {
        fprintf(out, "  %s:%lld: %s%s\n", wcts_store_json_member(one, "file"),
                number_of(one, "line"), wcts_store_json_member(one, "case"),
                wcts_store_json_member(one, "match"));
    }
}

static bool has_no_difference(const json_t *difference)
{
    static const char *const lists[][2] = {
        {"statements", "added"}, {"statements", "removed"}, {"statements", "changed"},
        {"rules", "added"},      {"rules", "removed"},      {"rules", "changed"},
        {"cases", "appear"},     {"cases", "vanish"},       {"cases", "changed"}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        count +=
            json_array_size(json_object_get(json_object_get(difference, lists[i][0]), lists[i][1]));
    return count == 0;
}

static void print_specs(FILE *out, const json_t *difference, bool all)
{
    const json_t *statements = json_object_get(difference, "statements");
    const json_t *rules = json_object_get(difference, "rules");
    const json_t *cases = json_object_get(difference, "cases");
    enum report_extent extent = all ? ALL : SOME;
    const json_t *a = json_object_get(difference, "a"), *b = json_object_get(difference, "b");
    print_spec_side(out, "A", a);
    print_spec_side(out, "B", b);
    print_items(out, "statements added", json_object_get(statements, "added"), true);
    print_items(out, "statements removed", json_object_get(statements, "removed"), true);
    print_items(out, "statements changed", json_object_get(statements, "changed"), false);
    print_items(out, "rules added", json_object_get(rules, "added"), false);
    print_items(out, "rules removed", json_object_get(rules, "removed"), false);
    print_items(out, "rules changed", json_object_get(rules, "changed"), false);
    print_case_list(out, "cases that appear", json_object_get(cases, "appear"), extent, no_tail);
    print_case_list(out, "cases that vanish", json_object_get(cases, "vanish"), extent, no_tail);
    print_case_list(out, "cases with another expectation", json_object_get(cases, "changed"),
                    extent, expect_tail);
    print_orphans(out, json_object_get(difference, "orphaned"));
    if (has_no_difference(difference))
        fprintf(out, "no statement, rule or case is different%s\n",
                strcmp(wcts_store_json_member(a, "digest"), wcts_store_json_member(b, "digest")) ==
                        0
                    ? ""
                    : ", but something else in the files is");
}

/* ---- either ---- */

static bool is_of_runs(const json_t *difference)
{
    return strcmp(wcts_store_json_member(difference, "kind"), "runs") == 0;
}

void wcts_report_diff_print(FILE *out, const json_t *difference, bool all)
{
    if (is_of_runs(difference))
        print_runs(out, difference, all);
    else
        print_specs(out, difference, all);
}

int wcts_report_diff_exit_code(const json_t *difference)
{
    static const char *const sides[] = {"a", "b"};
    if (!is_of_runs(difference))
        return json_array_size(json_object_get(difference, "orphaned")) != 0;
    /* Cases that a run did not reach may fail. */
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        if (json_is_false(json_object_get(json_object_get(difference, sides[i]), "ended")))
            return WCTS_EXIT_NOTHING;
    return number_of(difference, "new_failures") != 0;
}
