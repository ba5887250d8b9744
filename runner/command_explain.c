/* SPDX-License-Identifier: MIT */
/* wddm-cts explain: a case, a rule or a statement in words, and what came of it in a run. */
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "../reports/input.h"
#include "../reports/journal.h"
#include "../reports/report.h"
#include "context.h"

#define LATEST "out/latest"

static void print_block(const char *indent, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        printf("%s%.*s\n", indent, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* Of whom the run was, as its run.json says. */
static void print_implementation(const char *directory)
{
    const char *name = NULL;
    json_t *run = wcts_input_json(directory, "run.json", NULL, NULL);
    if (json_unpack(run, "{s:{s:s}}", "implementation", "path", &name) == 0 && name)
        printf(", of %s", name);
    json_decref(run);
}

static const char *text_in(const json_t *value, const char *key)
{
    const char *text = json_string_value(json_object_get(value, key));
    return text ? text : "";
}

/* By what the failure is known, why it is waived, and what came of attempts before. */
static void print_knowledge(const json_t *entry)
{
    const json_t *waiver = json_object_get(entry, "waiver"), *one;
    size_t i;
    if (text_in(entry, "signature")[0])
        printf("  signature %s\n", text_in(entry, "signature"));
    if (waiver)
        printf("  waiver    %s:%lld, until %s: %s %s\n", text_in(waiver, "file"),
               (long long)json_integer_value(json_object_get(waiver, "line")),
               text_in(waiver, "expires"), text_in(waiver, "reason"), text_in(waiver, "link"));
    json_array_foreach(json_object_get(entry, "attempts"), i, one)
    {
        printf("  attempt %zu %s: %s\n", i + 1, text_in(one, "verdict"), text_in(one, "reason"));
    }
}

static void print_entry(const char *directory, const struct wcts_entry *entry)
{
    printf("\nIn %s", directory);
    print_implementation(directory);
    printf(": %s%s%s\n", wcts_verdict_name(entry->verdict), entry->reason[0] ? ": " : "",
           entry->reason);
    print_knowledge(entry->value);
    print_block("", wcts_detail_came(entry->detail));
    if (entry->output[0] != '\0') {
        puts("  the plug-in wrote:");
        print_block("    ", entry->output);
    }
}

/* A run that was asked for must be there; the last one need not have had this case. */
static int explain_case(const struct wcts_context *context, const struct wcts_case *one)
{
    const char *asked = context->settings->run_directory;
    const char *directory = asked ? asked : LATEST;
    struct wcts_entry entry;

    wcts_case_describe(stdout, context->plan, one);
    errno = 0;
    if (wcts_journal_find(directory, one->id, &entry)) {
        print_entry(directory, &entry);
        wcts_entry_release(&entry);
    } else if (asked) {
        fprintf(stderr, "wddm-cts: %s: %s\n", directory,
                errno != 0 ? strerror(errno) : "the run had no such case");
        return WCTS_EXIT_USAGE;
    }
    return WCTS_EXIT_OK;
}

static void print_statement(const struct wcts_spec *spec, const struct wcts_statement *one)
{
    const struct wcts_document *document = &spec->documents[one->document];
    const char *until = wcts_until_name(spec, one->until);
    printf("%s  %s\n", one->id, one->text);
    printf("  document   %s, %s\n", document->number, document->title);
    printf("  where      %s\n", one->where);
    printf("  member     %s\n", one->member);
    printf("  binds      %s: %s, %s%s\n", wcts_role_name(one->role), wcts_level_name(one->level),
           wcts_basis_name(one->basis), one->derived ? ", derived" : "");
    printf("  versions   from %s%s%s\n", spec->versions[one->since].name, until ? " until " : "",
           until ? until : "");
    if (one->errata)
        printf("  errata     %s\n", one->errata);
    if (one->reason)
        printf("  status     not testable: %s\n", one->reason);
    else
        printf("  status     %s\n", wcts_statement_status(one));
    printf("  written    %s:%ld\n", one->place.file, one->place.line);
}

static void print_rule(const struct wcts_spec *spec, const struct wcts_rule *rule)
{
    const char *until = wcts_until_name(spec, rule->until);
    printf("  rule       %s: %s, %s, from %s%s%s (%s:%ld)\n", rule->id, wcts_form_name(rule->form),
           wcts_outcome_name(rule->outcome), spec->versions[rule->since].name,
           until ? " until " : "", until ? until : "", rule->place.file, rule->place.line);
}

/* rule -1: of all rules of the statement. */
static int explain_statement(const struct wcts_context *context, int statement, int rule)
{
    const struct wcts_spec *spec = context->spec;
    print_statement(spec, &spec->statements[statement]);
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == statement && (rule < 0 || rule == i))
            print_rule(spec, &spec->rules[i]);
    for (int i = 0; i < context->plan->count; i++) {
        const struct wcts_case *one = &context->plan->cases[i];
        if (one->statement == statement && (rule < 0 || rule == one->rule))
            printf("  case       %s\n", one->id);
    }
    return WCTS_EXIT_OK;
}

static int find_rule(const struct wcts_spec *spec, const char *id)
{
    for (int i = 0; i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, id) == 0)
            return i;
    return -1;
}

static int explain(struct wcts_context *context, const char *id)
{
    int index = wcts_plan_find(context->plan, id);
    int statement = wcts_spec_statement(context->spec, id);
    int rule = find_rule(context->spec, id);

    if (index >= 0)
        return explain_case(context, &context->plan->cases[index]);
    if (context->settings->run_directory && (statement >= 0 || rule >= 0)) {
        fprintf(stderr, "wddm-cts: --run: %s is no case, expected one that the run had\n", id);
        return WCTS_EXIT_USAGE;
    }
    if (statement >= 0)
        return explain_statement(context, statement, -1);
    if (rule >= 0)
        return explain_statement(context, context->spec->rules[rule].statement, rule);
    wcts_context_unknown(context, id);
    return WCTS_EXIT_USAGE;
}

int wcts_command_explain(const struct wcts_settings *settings)
{
    struct wcts_context context = {0};
    int status = WCTS_EXIT_USAGE;

    if (settings->argument_count != 1)
        wcts_settings_usage(stderr, WCTS_COMMAND_explain);
    else if (wcts_context_init(&context, settings))
        status = explain(&context, settings->arguments[0]);
    wcts_context_release(&context);
    return status;
}
