/* SPDX-License-Identifier: MIT */
/* The page of verify. */
#include <stdarg.h>
#include <string.h>

#include "verify.h"

/* ---- making it ---- */

static const char *const end_names[WCTS_CHECK_ENDS] = {
    [WCTS_CHECK_OK] = "ok",
    [WCTS_CHECK_OPEN] = "not compared",
    [WCTS_CHECK_LACKS] = "lacking",
    [WCTS_CHECK_NOT_OK] = "NOT ok",
};

const char *wcts_report_verify_end_name(enum wcts_report_check_end end)
{
    return end_names[end];
}

void wcts_report_verify_check(struct wcts_report_verify *verify, enum wcts_report_check_end end,
                              const char *what, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_t *check = json_pack("{s:s, s:s, s:o}", "check", what, "result", end_names[end], "text",
                              wcts_store_json_text(text));
    json_array_append_new(json_object_get(verify->page, "checks"), check);
    verify->ends[end]++;
}

void wcts_report_verify_list(struct wcts_report_verify *verify, const char *list, const char *id,
                             const char *text)
{
    json_t *line =
        json_pack("{s:o, s:o}", "id", wcts_store_json_text(id), "text", wcts_store_json_text(text));
    json_array_append_new(json_object_get(verify->page, list), line);
}

void wcts_report_verify_tally(struct wcts_report_verify *verify, const char *list,
                              const char *reason)
{
    json_t *lines = json_object_get(verify->page, list), *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        if (strcmp(wcts_store_json_member(line, "text"), reason) != 0)
            continue;
        json_object_set_new(line, "count",
                            json_integer(json_integer_value(json_object_get(line, "count")) + 1));
        return;
    }
    line = json_object();
    json_object_set_new(line, "text", wcts_store_json_text(reason));
    json_object_set_new(line, "count", json_integer(1));
    json_array_append_new(lines, line);
}

/* Members of run.json are copied to the page. */
json_t *wcts_report_verify_page(const char *directory, const json_t *run)
{
    static const char *const copied[] = {
        "tool_version", "implementation", "claims", "spec_version", "spec_digest", "suite", "level",
        "seed",         "wddm",           "shard",  "started",      "seconds",     "totals"};
    static const char *const lists[] = {
        "checks", "differ", "not_judged_again", "skipped", "not_claimed", "waived", "failed"};
    json_t *page = json_object();
    json_object_set_new(page, "directory", wcts_store_json_path(directory));
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        if (json_object_get(run, copied[i]))
            json_object_set(page, copied[i], json_object_get(run, copied[i]));
    if (json_is_string(json_object_get(run, "baseline")))
        json_object_set(page, "baseline", json_object_get(run, "baseline"));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_object_set_new(page, lists[i], json_array());
    return page;
}

/* ---- printing it ---- */

/* Lines of a list that are printed; the others are counted. */
#define SHOWN 10

/* "a, b and c" of an array of texts. */
static void print_names(FILE *out, const json_t *names)
{
    size_t count = json_array_size(names);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s",
                i == 0           ? ""
                : i + 1 == count ? " and "
                                 : ", ",
                json_string_value(json_array_get(names, i))
                    ? json_string_value(json_array_get(names, i))
                    : "?");
}

static void print_totals(FILE *out, const json_t *totals)
{
    const char *separator = "", *name;
    json_t *count;
    json_object_foreach((json_t *)totals, name, count)
    {
        if (json_integer_value(count) == 0)
            continue;
        fprintf(out, "%s%" JSON_INTEGER_FORMAT " %s", separator, json_integer_value(count), name);
        separator = ", ";
    }
    fprintf(out, "%s\n", separator[0] ? "" : "none");
}

static void print_page_head(FILE *out, const json_t *page)
{
    const json_t *implementation = json_object_get(page, "implementation");
    const json_t *claims = json_object_get(page, "claims"), *wddm = json_object_get(page, "wddm");
    const json_t *without = json_object_get(page, "not_claimed");
    const char *options = wcts_store_json_member(implementation, "options");
    const char *digest = wcts_store_json_member(implementation, "sha256");
    fprintf(out, "%s %s\n", wcts_store_json_member(claims, "name"),
            wcts_store_json_member(claims, "version"));
    fprintf(out, "  file        %s%s%s\n", wcts_store_json_member(implementation, "path"),
            options[0] ? "," : "", options);
    fprintf(out, "  sha256      %s\n", digest[0] ? digest : "not named");
    fprintf(out, "  sides       ");
    print_names(out, json_object_get(claims, "sides"));
    fprintf(out, "\n  run         %s, %s, by wddm-cts %s\n",
            wcts_store_json_member(page, "directory"), wcts_store_json_member(page, "started"),
            wcts_store_json_member(page, "tool_version"));
    fprintf(out, "  spec        %s, digest %s\n", wcts_store_json_member(page, "spec_version"),
            wcts_store_json_member(page, "spec_digest"));
    fprintf(out, "  options     suite %s, level %s, seed %" JSON_INTEGER_FORMAT ", WDDM %s to %s\n",
            wcts_store_json_member(page, "suite"), wcts_store_json_member(page, "level"),
            json_integer_value(json_object_get(page, "seed")),
            wcts_store_json_member(wddm, "first"), wcts_store_json_member(wddm, "last"));
    if (json_array_size(without) > 0) {
        fprintf(out, "  not claimed WDDM ");
        print_names(out, without);
        fputs("\n", out);
    }
    if (wcts_store_json_member(page, "baseline")[0])
        fprintf(out, "  waivers     %s\n", wcts_store_json_member(page, "baseline"));
    fprintf(out, "  verdicts    ");
    print_totals(out, json_object_get(page, "totals"));
}

static void print_checks(FILE *out, const json_t *page)
{
    const json_t *checks = json_object_get(page, "checks");
    fputs("checks\n", out);
    for (size_t i = 0; i < json_array_size(checks); i++) {
        const json_t *check = json_array_get(checks, i);
        fprintf(out, "  %-13s %-15s %s\n", wcts_store_json_member(check, "result"),
                wcts_store_json_member(check, "check"), wcts_store_json_member(check, "text"));
    }
}

static void print_page_case(FILE *out, const json_t *line)
{
    fprintf(out, "  %s\n      %s\n", wcts_store_json_member(line, "id"),
            wcts_store_json_member(line, "text"));
}

static void print_page_reason(FILE *out, const json_t *line)
{
    fprintf(out, "  %6" JSON_INTEGER_FORMAT "  %s\n",
            json_integer_value(json_object_get(line, "count")),
            wcts_store_json_member(line, "text"));
}

/* Prints the first lines of a list; more: what its lines are, "" for cases. */
static void print_page_list(FILE *out, const json_t *lines, const char *title, const char *more,
                            void (*print_line)(FILE *out, const json_t *line))
{
    size_t count = json_array_size(lines);
    if (count == 0)
        return;
    fprintf(out, "%s\n", title);
    for (size_t i = 0; i < count && i < SHOWN; i++)
        print_line(out, json_array_get(lines, i));
    if (count > SHOWN)
        fprintf(out, "  ... and %zu %smore\n", count - SHOWN, more);
}

static void print_page_cases(FILE *out, const json_t *page, const char *list, const char *title)
{
    print_page_list(out, json_object_get(page, list), title, "", print_page_case);
}

static void print_page_reasons(FILE *out, const json_t *page, const char *list, const char *title)
{
    print_page_list(out, json_object_get(page, list), title, "reasons ", print_page_reason);
}

void wcts_report_verify_print(FILE *out, const json_t *page)
{
    print_page_head(out, page);
    print_checks(out, page);
    print_page_cases(out, page, "differ", "do not agree with their record");
    print_page_reasons(out, page, "not_judged_again", "not judged again");
    print_page_reasons(out, page, "skipped", "skipped");
    print_page_cases(out, page, "waived", "waived");
    print_page_cases(out, page, "failed", "failed");
    fprintf(out, "%s\n", wcts_store_json_member(page, "conclusion"));
}
