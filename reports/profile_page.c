/* SPDX-License-Identifier: MIT */
#include "profile_page.h"

#include <string.h>

#include "../runner/base/text.h"
#include "../runner/judge/profile.h"

/* ---- the cases of an entry ---- */

static bool is_about(const struct wcts_profile *profile, int entry, const struct wcts_eval *eval,
                     const struct wcts_case *test)
{
    const struct wcts_profile_entry *one = &profile->entries[entry];
    struct wcts_world world;
    bool matches;
    if (!wcts_judge_profile_applies(one, test))
        return false;
    if (one->kind == WCTS_PROFILE_DEVIATION &&
        (!wcts_judge_profile_speaks(eval->spec, test) ||
         wcts_judge_profile_deviation(profile, eval->spec, test, test->rule, ~UINT64_C(0)) !=
             entry))
        return false;
    if (!one->when)
        return true;
    if (test->base < 0)
        return false;
    matches = wcts_oracle_case_world(&world, eval, test, test->facts, test->fact_count) &&
              (wcts_judge_profile_world(profile, &world) & wcts_model_profile_bit(entry)) != 0;
    wcts_world_release(&world);
    return matches;
}

static bool is_in_step(const struct wcts_profile *profile, int entry, const struct wcts_eval *eval,
                       const struct wcts_step *step)
{
    struct wcts_world world;
    bool found = false;
    if (step->message < 0 ||
        eval->spec->messages[step->message].driver != profile->entries[entry].driver)
        return false;
    wcts_world_init(&world, eval, eval->spec->versions_count - 1, 4096);
    if (wcts_world_add_step(&world, step)) {
        wcts_world_settle(&world);
        found = (wcts_judge_profile_world(profile, &world) & wcts_model_profile_bit(entry)) != 0;
    }
    wcts_world_release(&world);
    return found;
}

/* True if a call of a scenario, as it is written, is one that the entry is about. */
static bool is_in_scenarios(const struct wcts_profile *profile, int entry,
                            const struct wcts_eval *eval)
{
    const struct wcts_cases *cases = eval->spec->cases;
    for (int i = 0; i < cases->scenarios_count; i++)
        for (int j = 0; j < cases->scenarios[i].act_count; j++) {
            const struct wcts_act *act = &cases->scenarios[i].acts[j];
            const struct wcts_step *step = act->call ? act->call : &cases->steps[act->step];
            if ((act->kind == WCTS_ACT_CALL || act->kind == WCTS_ACT_STEP) &&
                is_in_step(profile, entry, eval, step))
                return true;
        }
    return false;
}

/* Absent operations: a case that calls one. */
static bool calls_absent(const struct wcts_profile_entry *entry, const struct wcts_plan *plan,
                         const struct wcts_case *test)
{
    const struct wcts_cases *cases = plan->spec->cases;
    const struct wcts_step *step =
        test->base < 0 ? NULL : &cases->steps[cases->bases[test->base].step];
    return step && step->message >= 0 && test->driver == entry->driver &&
           (wcts_model_operation_bit(plan->spec->messages[step->message].operation) &
            entry->operations) != 0;
}

/* True if elements of an array are of this structure or of others, by their first number: a case
 * that sends another number shows an entry about it as well. */
static bool is_alternative(const struct wcts_spec *spec, int structure)
{
    for (int s = 0; s < spec->structures_count; s++)
        for (int m = 0; m < spec->structures[s].member_count; m++) {
            const struct wcts_member *member = &spec->structures[s].members[m];
            for (int i = 0; member->element_of_count > 1 && i < member->element_of_count; i++)
                if (member->element_of[i] == structure)
                    return true;
        }
    return false;
}

static void find_cases_of(const struct wcts_profile *profile, int entry,
                          const struct wcts_plan *plan, const struct wcts_eval *eval,
                          struct wcts_report_profile_cases *found)
{
    const struct wcts_profile_entry *one = &profile->entries[entry];
    *found = (struct wcts_report_profile_cases){0};
    for (int i = 0; i < plan->count && found->count < WCTS_PROFILE_CASES; i++) {
        const struct wcts_series *series = wcts_plan_series(plan, i);
        struct wcts_case made;
        const struct wcts_case *test;
        bool statement = one->kind == WCTS_PROFILE_DEVIATION;
        if (statement && plan->spec->rules[series->rule].statement != one->statement)
            continue;
        test = wcts_plan_case(plan, i, &made);
        if (one->kind == WCTS_PROFILE_ABSENT ? calls_absent(one, plan, test)
                                             : is_about(profile, entry, eval, test))
            found->cases[found->count++] = i;
    }
    found->shows =
        found->count > 0 || is_alternative(plan->spec, one->on) ||
        (one->kind != WCTS_PROFILE_ABSENT && one->when && is_in_scenarios(profile, entry, eval));
    for (int i = 0; one->kind == WCTS_PROFILE_ABSENT && i < plan->spec->cases->steps_count; i++) {
        int message = plan->spec->cases->steps[i].message;
        if (message >= 0 &&
            (wcts_model_operation_bit(plan->spec->messages[message].operation) & one->operations))
            found->shows = true;
    }
}

uint64_t wcts_report_profile_unshowable(const struct wcts_profile *profile, uint64_t entries,
                                        const struct wcts_plan *plan)
{
    struct wcts_eval eval;
    uint64_t set = 0;
    bool good = entries != 0 && wcts_oracle_eval_init(&eval, plan->spec);
    for (int i = 0; good && i < profile->count; i++) {
        struct wcts_report_profile_cases found;
        if (!(entries & wcts_model_profile_bit(i)))
            continue;
        find_cases_of(profile, i, plan, &eval, &found);
        set |= found.shows ? 0 : wcts_model_profile_bit(i);
    }
    if (good)
        wcts_oracle_eval_release(&eval);
    return set;
}

bool wcts_report_profile_lint(const struct wcts_profile *profile, const struct wcts_plan *plan,
                              struct wcts_diagnostics *diagnostics)
{
    struct wcts_eval eval;
    bool good = wcts_oracle_eval_init(&eval, plan->spec);
    for (int i = 0; good && i < profile->count; i++) {
        const struct wcts_profile_entry *entry = &profile->entries[i];
        struct wcts_report_profile_cases found;
        find_cases_of(profile, i, plan, &eval, &found);
        if (!found.shows)
            wcts_error_at(diagnostics, &entry->place,
                          "<%s> \"%s\" is about no call of any case, expected one that shows it",
                          wcts_model_profile_kind_name(entry->kind), entry->id);
    }
    wcts_oracle_eval_release(&eval);
    return good;
}

/* ---- in words ---- */

void wcts_report_profile_print(FILE *out, const struct wcts_profile *profile,
                               const struct wcts_spec *spec)
{
    fprintf(out, "%s: %s%s%s\n", profile->name, profile->title, profile->about ? ", " : "",
            profile->about ? profile->about : "");
    for (int i = 0; i < profile->count; i++) {
        const struct wcts_profile_entry *entry = &profile->entries[i];
        fprintf(out, "\n%s  %s", entry->id, wcts_model_profile_kind_name(entry->kind));
        if (entry->statement >= 0)
            fprintf(out, " of %s",
                    entry->rule >= 0 ? spec->rules[entry->rule].id
                                     : spec->statements[entry->statement].id);
        fprintf(out, "%s%s%s\n", entry->what ? " " : "", entry->what ? entry->what : "",
                entry->some ? ", in some cases" : "");
        if (entry->statement >= 0) {
            fputs("    documents:\n", out);
            wcts_text_wrap(out, "        ", spec->statements[entry->statement].text, 100);
        }
        if (entry->condition)
            fprintf(out, "    %s %s: %s\n",
                    entry->kind == WCTS_PROFILE_RESTRICTION ? "refuses" : "when",
                    spec->structures[entry->on].name, entry->condition);
        if (entry->since > 0 || entry->until < spec->versions_count)
            fprintf(out, "    at: WDDM %s to %s\n", spec->versions[entry->since].name,
                    spec->versions[entry->until - 1].name);
        fputs("    declared:\n", out);
        wcts_text_wrap(out, "        ", entry->text, 100);
        fprintf(out, "    source: %s; confidence %s%s%s\n", entry->source, entry->confidence,
                entry->rows ? "; rows " : "", entry->rows ? entry->rows : "");
    }
}

/* ---- as a page ---- */

static void put_html(FILE *out, const char *text)
{
    for (; text && *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        default:
            fputc(*text, out);
        }
}

/* True if two entries are about the same divergence. */
static bool is_same_divergence(const struct wcts_profile_entry *a,
                               const struct wcts_profile_entry *b)
{
    if (a->kind != b->kind || a->driver != b->driver)
        return false;
    if (a->kind == WCTS_PROFILE_DEVIATION)
        return a->statement == b->statement && a->rule == b->rule;
    if (a->kind == WCTS_PROFILE_RESTRICTION)
        return a->on == b->on && strcmp(a->condition, b->condition) == 0;
    return a->operations == b->operations;
}

static const struct wcts_profile_entry *find_divergence(const struct wcts_profile *profile,
                                                        const struct wcts_profile_entry *entry)
{
    for (int i = 0; i < profile->count; i++)
        if (is_same_divergence(&profile->entries[i], entry))
            return &profile->entries[i];
    return NULL;
}

static void put_name(FILE *out, const struct wcts_spec *spec,
                     const struct wcts_profile_entry *entry)
{
    if (entry->kind == WCTS_PROFILE_DEVIATION)
        put_html(out, entry->rule >= 0 ? spec->rules[entry->rule].id
                                       : spec->statements[entry->statement].id);
    else if (entry->kind == WCTS_PROFILE_RESTRICTION)
        put_html(out, entry->condition);
    else
        put_html(out, entry->what);
}

static void put_documents(FILE *out, const struct wcts_spec *spec,
                          const struct wcts_profile_entry *entry)
{
    const struct wcts_statement *statement;
    if (entry->kind != WCTS_PROFILE_DEVIATION) {
        fputs("<p>No document lets an implementation do this.</p>\n", out);
        return;
    }
    statement = &spec->statements[entry->statement];
    fputs("<p>", out);
    put_html(out, statement->text);
    fputs("</p>\n", out);
    if (statement->quote) {
        fprintf(out, "<blockquote lang=\"%s\">", spec->documents[statement->document].language);
        put_html(out, statement->quote);
        fputs("</blockquote>\n", out);
    }
    fputs("<p class=\"where\">", out);
    put_html(out, spec->documents[statement->document].title);
    fputs(", ", out);
    put_html(out, statement->where);
    fputs("</p>\n", out);
}

static void put_rows(FILE *out, struct wcts_profile *const *profiles, int count,
                     const struct wcts_profile_entry *entry)
{
    fputs("<table><tr><th>documents</th><td>", out);
    fputs(entry->kind == WCTS_PROFILE_DEVIATION ? "as above" : "such a call is accepted", out);
    fputs("</td><td></td></tr>\n", out);
    for (int i = 0; i < count; i++) {
        const struct wcts_profile_entry *one = find_divergence(profiles[i], entry);
        fputs("<tr><th>", out);
        put_html(out, profiles[i]->title);
        fputs("</th><td>", out);
        put_html(out, one ? one->text : "nothing is declared: the documents hold");
        fputs("</td><td>", out);
        if (one) {
            put_html(out, one->id);
            fputs("; source ", out);
            put_html(out, one->source);
            fputs("; confidence ", out);
            put_html(out, one->confidence);
            fputs(one->rows ? "; rows " : "", out);
            put_html(out, one->rows);
        }
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

static void put_calls(FILE *out, const struct wcts_profile *profile, int entry,
                      const struct wcts_plan *plan, const struct wcts_eval *eval)
{
    struct wcts_report_profile_cases found;
    find_cases_of(profile, entry, plan, eval, &found);
    if (found.count == 0)
        return;
    fputs("<p>Cases that show it:</p>\n<ul>\n", out);
    for (int i = 0; i < found.count; i++) {
        struct wcts_case made;
        const struct wcts_case *test = wcts_plan_case(plan, found.cases[i], &made);
        char *text = wcts_judge_wrong_text(plan, test);
        fputs("<li><code>wddm-cts replay -v ", out);
        put_html(out, test->id);
        fputs("</code>", out);
        if (text && text[0]) {
            fputs("<pre>", out);
            put_html(out, text);
            fputs("</pre>", out);
        }
        fputs("</li>\n", out);
        free(text);
    }
    fputs("</ul>\n", out);
}

static bool is_first_of_its_sort(struct wcts_profile *const *profiles, int profile, int entry)
{
    const struct wcts_profile_entry *one = &profiles[profile]->entries[entry];
    for (int i = 0; i < profile; i++)
        if (find_divergence(profiles[i], one))
            return false;
    return find_divergence(profiles[profile], one) == one;
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<title>wddm-cts: profiles</title>\n<style>\n"
    "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 "
    "1rem; }\n"
    "section { border-top: 1px solid #999; margin-top: 2rem; }\n"
    "table { border-collapse: collapse; } th, td { border: 1px solid #999; padding: .3rem .6rem; "
    "text-align: left; vertical-align: top; }\n"
    ".where { color: #555; } pre { overflow-x: auto; }\n"
    "@media print { section { break-before: page; } }\n</style>\n</head>\n<body>\n";

bool wcts_report_profile_html(FILE *out, struct wcts_profile *const *profiles, int count,
                              const struct wcts_plan *plan)
{
    struct wcts_eval eval;
    if (!wcts_oracle_eval_init(&eval, plan->spec)) {
        wcts_oracle_eval_release(&eval);
        return false;
    }
    fputs(head, out);
    fputs("<h1>Where implementations do otherwise than the documents say</h1>\n", out);
    for (int p = 0; p < count; p++)
        for (int e = 0; e < profiles[p]->count; e++) {
            const struct wcts_profile_entry *entry = &profiles[p]->entries[e];
            if (!is_first_of_its_sort(profiles, p, e))
                continue;
            fprintf(out, "<section id=\"%s-%s\">\n<h2>%s: ", profiles[p]->name, entry->id,
                    wcts_model_profile_kind_name(entry->kind));
            put_name(out, plan->spec, entry);
            fputs("</h2>\n", out);
            put_documents(out, plan->spec, entry);
            put_rows(out, profiles, count, entry);
            put_calls(out, profiles[p], e, plan, &eval);
            fputs("</section>\n", out);
        }
    fputs("</body>\n</html>\n", out);
    wcts_oracle_eval_release(&eval);
    return true;
}
