/* SPDX-License-Identifier: MIT */
/* The page that verify prints. */
#include <inttypes.h>
#include <string.h>

#include "verify.h"

/* So many lines of a list; the others are counted. */
#define SHOWN 10

static const char *text_of(const json_t *value, const char *key)
{
    const char *text = json_string_value(json_object_get(value, key));
    return text ? text : "";
}

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

static void print_head(FILE *out, const json_t *page)
{
    const json_t *implementation = json_object_get(page, "implementation");
    const json_t *claims = json_object_get(page, "claims"), *wddm = json_object_get(page, "wddm");
    const json_t *without = json_object_get(page, "not_claimed");
    const char *options = text_of(implementation, "options");
    const char *digest = text_of(implementation, "sha256");
    fprintf(out, "%s %s\n", text_of(claims, "name"), text_of(claims, "version"));
    fprintf(out, "  file        %s%s%s\n", text_of(implementation, "path"), options[0] ? "," : "",
            options);
    fprintf(out, "  sha256      %s\n", digest[0] ? digest : "not named");
    fprintf(out, "  sides       ");
    print_names(out, json_object_get(claims, "sides"));
    fprintf(out, "\n  run         %s, %s, by wddm-cts %s\n", text_of(page, "directory"),
            text_of(page, "started"), text_of(page, "tool_version"));
    fprintf(out, "  spec        %s, digest %s\n", text_of(page, "spec_version"),
            text_of(page, "spec_digest"));
    fprintf(out, "  asked       suite %s, level %s, seed %" JSON_INTEGER_FORMAT ", WDDM %s to %s\n",
            text_of(page, "suite"), text_of(page, "level"),
            json_integer_value(json_object_get(page, "seed")), text_of(wddm, "first"),
            text_of(wddm, "last"));
    if (json_array_size(without) > 0) {
        fprintf(out, "  not claimed WDDM ");
        print_names(out, without);
        fputs("\n", out);
    }
    if (text_of(page, "baseline")[0])
        fprintf(out, "  waivers     %s\n", text_of(page, "baseline"));
    fprintf(out, "  verdicts    ");
    print_totals(out, json_object_get(page, "totals"));
}

static void print_checks(FILE *out, const json_t *page)
{
    const json_t *checks = json_object_get(page, "checks");
    fputs("checks\n", out);
    for (size_t i = 0; i < json_array_size(checks); i++) {
        const json_t *check = json_array_get(checks, i);
        fprintf(out, "  %-13s %-15s %s\n", text_of(check, "result"), text_of(check, "check"),
                text_of(check, "text"));
    }
}

/* Lines about cases: all of them, when they are few. */
static void print_cases(FILE *out, const json_t *page, const char *list, const char *title)
{
    const json_t *lines = json_object_get(page, list);
    size_t count = json_array_size(lines);
    if (count == 0)
        return;
    fprintf(out, "%s\n", title);
    for (size_t i = 0; i < count && i < SHOWN; i++)
        fprintf(out, "  %s\n      %s\n", text_of(json_array_get(lines, i), "id"),
                text_of(json_array_get(lines, i), "text"));
    if (count > SHOWN)
        fprintf(out, "  ... and %zu more\n", count - SHOWN);
}

static void print_reasons(FILE *out, const json_t *page, const char *list, const char *title)
{
    const json_t *lines = json_object_get(page, list);
    size_t count = json_array_size(lines);
    if (count == 0)
        return;
    fprintf(out, "%s\n", title);
    for (size_t i = 0; i < count && i < SHOWN; i++)
        fprintf(out, "  %6" JSON_INTEGER_FORMAT "  %s\n",
                json_integer_value(json_object_get(json_array_get(lines, i), "count")),
                text_of(json_array_get(lines, i), "text"));
    if (count > SHOWN)
        fprintf(out, "  ... and %zu reasons more\n", count - SHOWN);
}

void wcts_verify_print(FILE *out, const json_t *page)
{
    print_head(out, page);
    print_checks(out, page);
    print_cases(out, page, "differ", "do not agree with their record");
    print_reasons(out, page, "not_judged_again", "not judged again");
    print_reasons(out, page, "skipped", "skipped");
    print_cases(out, page, "waived", "waived");
    print_cases(out, page, "failed", "failed");
    fprintf(out, "%s\n", text_of(page, "conclusion"));
}
