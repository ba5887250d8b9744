/* SPDX-License-Identifier: MIT */
#include "results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/base/path.h"
#include "../runner/judge/judge.h"
#include "counts.h"
#include "replay.h"
#include "upgrade.h"
#include "xmlout.h"

/* Bytes of the messages of one failure. */
#define MESSAGES_MAX 65536

struct report_results {
    struct wcts_report_xml xml;
    const struct wcts_spec *spec;
};

/* ---- vocabulary ---- */

/* 4 breaks, 3 counts against, 2 counts for, 1 is neutral. */
static int verdict_weight(enum wcts_verdict verdict)
{
    struct wcts_store_tally tally = {.verdicts = {[WCTS_VERDICT_PASS] = 1}};
    tally.verdicts[verdict]++;
    if (wcts_store_verdict_breaks(verdict))
        return 4;
    if (!wcts_store_tally_proven(&tally))
        return 3;
    return wcts_store_verdict_judges(verdict) ? 2 : 1;
}

static void put_verdicts(struct report_results *to)
{
    wcts_report_xml_start(&to->xml, "verdicts");
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++) {
        enum wcts_verdict verdict = (enum wcts_verdict)i;
        wcts_report_xml_start(&to->xml, "verdict");
        wcts_report_xml_attribute(&to->xml, "name", wcts_model_verdict_name(verdict));
        wcts_report_xml_number(&to->xml, "rank", verdict_weight(verdict));
        wcts_report_xml_flag(&to->xml, "judges", wcts_store_verdict_judges(verdict));
        wcts_report_xml_flag(&to->xml, "breaks", wcts_store_verdict_breaks(verdict));
        wcts_report_xml_end(&to->xml);
    }
    wcts_report_xml_end(&to->xml);
}

/* ---- the spec ---- */

static void put_place(struct report_results *to, const struct wcts_place *place)
{
    wcts_report_xml_attribute(&to->xml, "file", wcts_path_place(place->file));
    wcts_report_xml_number(&to->xml, "line", place->line);
}

static void put_rule_of_spec(struct report_results *to, const struct wcts_rule *rule)
{
    const struct wcts_spec *spec = to->spec;
    wcts_report_xml_start(&to->xml, "rule");
    wcts_report_xml_attribute(&to->xml, "id", rule->id);
    put_place(to, &rule->place);
    wcts_report_xml_attribute(&to->xml, "form", wcts_model_form_name(spec, rule));
    wcts_report_xml_attribute(&to->xml, "level", wcts_model_force_name(rule->force));
    wcts_report_xml_attribute(&to->xml, "outcome", wcts_model_outcome_name(rule->outcome));
    wcts_report_xml_attribute(&to->xml, "since", spec->versions[rule->since].name);
    wcts_report_xml_attribute(&to->xml, "until", wcts_model_until_name(spec, rule->until));
    wcts_report_xml_attribute(&to->xml, "masked-by", rule->masked_by);
    wcts_report_xml_flag(&to->xml, "asked", wcts_model_is_asked(rule->form));
    wcts_report_xml_end(&to->xml);
}

/* Writes an element for each line of the text, which is freed. */
static void put_lines(struct report_results *to, const char *name, char *text)
{
    for (char *rest = text, *line; rest && (line = strsep(&rest, "\n")) != NULL;)
        if (line[0])
            wcts_report_xml_element(&to->xml, name, line);
    to->xml.failed = to->xml.failed || !text;
    free(text);
}

static void put_statement_of_spec(struct report_results *to, int index)
{
    const struct wcts_spec *spec = to->spec;
    const struct wcts_statement *one = &spec->statements[index];
    wcts_report_xml_start(&to->xml, "statement");
    wcts_report_xml_attribute(&to->xml, "id", one->id);
    wcts_report_xml_attribute(&to->xml, "document", spec->documents[one->document].number);
    wcts_report_xml_attribute(&to->xml, "member", one->member);
    wcts_report_xml_attribute(&to->xml, "role", wcts_model_role_name(one->role));
    wcts_report_xml_attribute(&to->xml, "level", wcts_model_force_name(one->force));
    wcts_report_xml_attribute(&to->xml, "basis", wcts_model_basis_name(one->basis));
    wcts_report_xml_flag(&to->xml, "derived", one->derived);
    wcts_report_xml_attribute(&to->xml, "form", one->form);
    wcts_report_xml_attribute(&to->xml, "since", spec->versions[one->since].name);
    wcts_report_xml_attribute(&to->xml, "until", wcts_model_until_name(spec, one->until));
    wcts_report_xml_attribute(&to->xml, "where", one->where);
    wcts_report_xml_attribute(&to->xml, "errata", one->errata);
    wcts_report_xml_attribute(&to->xml, "status", wcts_report_statement_status(one));
    put_place(to, &one->place);
    wcts_report_xml_element(&to->xml, "text", one->text);
    wcts_report_xml_element(&to->xml, "quote", one->quote);
    put_lines(to, "read-by", wcts_model_statement_read_by(spec, one));
    wcts_report_xml_element(&to->xml, "reason", one->reason);
    /* The suite's ladder would be written here: <ladder step="..."/> (results.rng). */
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == index)
            put_rule_of_spec(to, &spec->rules[i]);
    wcts_report_xml_end(&to->xml);
}

static void put_word(struct report_results *to, const struct wcts_word *word)
{
    const struct wcts_spec *spec = to->spec;
    wcts_report_xml_start(&to->xml, "word");
    wcts_report_xml_attribute(&to->xml, "name", word->name);
    wcts_report_xml_attribute(&to->xml, "document", spec->documents[word->document].number);
    wcts_report_xml_number(&to->xml, "bits", word->bits);
    for (int i = 0; i < word->flag_count; i++) {
        const struct wcts_flag *flag = &word->flags[i];
        wcts_report_xml_start(&to->xml, "flag");
        wcts_report_xml_attribute(&to->xml, "name", flag->name);
        wcts_report_xml_number(&to->xml, "bit", flag->bit);
        wcts_report_xml_attribute(&to->xml, "since", spec->versions[flag->since].name);
        wcts_report_xml_attribute(&to->xml, "until", wcts_model_until_name(spec, flag->until));
        wcts_report_xml_end(&to->xml);
    }
    wcts_report_xml_end(&to->xml);
}

static void put_spec(struct report_results *to)
{
    const struct wcts_spec *spec = to->spec;
    wcts_report_xml_start(&to->xml, "spec");
    wcts_report_xml_attribute(&to->xml, "digest", spec->digest);
    wcts_report_xml_attribute(&to->xml, "directory", "."); /* all places are relative to it */
    for (int i = 0; i < spec->versions_count; i++) {
        wcts_report_xml_start(&to->xml, "version");
        wcts_report_xml_attribute(&to->xml, "name", spec->versions[i].name);
        wcts_report_xml_end(&to->xml);
    }
    for (int i = 0; i < spec->documents_count; i++) {
        const struct wcts_document *document = &spec->documents[i];
        wcts_report_xml_start(&to->xml, "document");
        wcts_report_xml_attribute(&to->xml, "number", document->number);
        wcts_report_xml_attribute(&to->xml, "title", document->title);
        wcts_report_xml_attribute(&to->xml, "source", document->source);
        wcts_report_xml_attribute(&to->xml, "language", document->language);
        put_place(to, &document->place);
        wcts_report_xml_end(&to->xml);
    }
    for (int i = 0; i < spec->statements_count; i++)
        put_statement_of_spec(to, i);
    for (int i = 0; i < spec->words_count; i++)
        if (spec->words[i].document >= 0)
            put_word(to, &spec->words[i]);
    wcts_report_xml_end(&to->xml);
}

/* ---- a run ---- */

/* Writes an attribute from run.json: a string, a number, or a list of strings. */
static void put_json(struct report_results *to, const char *name, const json_t *value)
{
    char text[512] = "";
    const json_t *one;
    size_t i;
    if (json_is_string(value))
        wcts_report_xml_attribute(&to->xml, name, json_string_value(value));
    else if (json_is_integer(value))
        wcts_report_xml_number(&to->xml, name, json_integer_value(value));
    json_array_foreach(value, i, one)
    {
        size_t used = strlen(text);
        if (json_is_string(one))
            snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", json_string_value(one));
    }
    if (json_is_array(value))
        wcts_report_xml_attribute(&to->xml, name, text);
}

static void put_head(struct report_results *to, const struct wcts_report_loaded_run *loaded,
                     int number)
{
    /* Members of run.json: attribute and object. */
    static const char *const kept[][2] = {{"path", "implementation"},
                                          {"options", "implementation"},
                                          {"name", "claims"},
                                          {"version", "claims"},
                                          {"sides", "claims"},
                                          {"capabilities", "claims"},
                                          {"tool_version", NULL},
                                          {"command_line", NULL},
                                          {"level", NULL},
                                          {"suite", NULL},
                                          {"seed", NULL},
                                          {"started", NULL},
                                          {"error", NULL}};
    const json_t *from = loaded->description;
    const char *shown = loaded->run.read_from ? loaded->run.read_from : loaded->directory;
    char path[WCTS_PATH_ROOM];
    wcts_report_xml_number(&to->xml, "number", number);
    wcts_report_xml_attribute(&to->xml, "directory", wcts_path_shown(shown, path, sizeof path));
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        put_json(
            to, kept[i][0],
            json_object_get(kept[i][1] ? json_object_get(from, kept[i][1]) : from, kept[i][0]));
    const struct wcts_report_counts counts = wcts_report_run_counts(&loaded->run);
    const char *first = loaded->run.asked.first_version, *last = loaded->run.asked.last_version;
    wcts_report_run_versions(&loaded->run, &first, &last);
    wcts_report_xml_attribute(&to->xml, "first", first);
    wcts_report_xml_attribute(&to->xml, "last", last);
    if (!loaded->run.narrowed) {
        wcts_report_xml_number(&to->xml, "in-scope", counts.in_scope);
        wcts_report_xml_number(&to->xml, "tested", counts.tested);
        wcts_report_xml_number(&to->xml, "in-part", counts.in_part);
    }
    put_json(to, "shard", json_object_get(json_object_get(from, "shard"), "number"));
    put_json(to, "shards", json_object_get(json_object_get(from, "shard"), "of"));
    wcts_report_xml_number(&to->xml, "epoch", (long long)loaded->run.started);
    wcts_report_xml_seconds(&to->xml, "seconds", loaded->run.seconds);
    wcts_report_xml_number(&to->xml, "selected", loaded->run.selected_count);
    wcts_report_xml_number(&to->xml, "reached", loaded->run.total.count);
    wcts_report_xml_attribute(&to->xml, "end",
                              loaded->reader.running ? "running"
                                                     : wcts_report_end_name(loaded->run.end));
    wcts_report_xml_attribute(&to->xml, "headline", loaded->run.headline);
    wcts_report_xml_attribute(&to->xml, "conclusion", loaded->run.conclusion);
    wcts_report_xml_number(&to->xml, "exit-code", loaded->run.exit_code);
    if (loaded->run.unrepeated.count != 0) {
        wcts_report_xml_number(&to->xml, "unrepeated", loaded->run.unrepeated.count);
        wcts_report_xml_attribute(&to->xml, "unrepeated-first", loaded->run.unrepeated.first);
    }
    if (loaded->run.left.count != 0) {
        wcts_report_xml_number(&to->xml, "left", loaded->run.left.count);
        wcts_report_xml_attribute(&to->xml, "left-names", loaded->run.left.names);
    }
    wcts_report_xml_attribute(&to->xml, "plan-digest", loaded->plan_digest);
    wcts_report_xml_attribute(&to->xml, "journal-digest", loaded->journal_digest);
}

/* Writes counts as attributes named after the verdicts. */
static void put_tally(struct report_results *to, const struct wcts_store_tally *tally)
{
    wcts_report_xml_number(&to->xml, "count", tally->count);
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (tally->verdicts[i] != 0)
            wcts_report_xml_number(&to->xml, wcts_model_verdict_name((enum wcts_verdict)i),
                                   tally->verdicts[i]);
}

static void put_polarities(struct report_results *to,
                           const struct wcts_report_polarity_tallies *tallies)
{
    for (int i = 0; i < WCTS_POLARITY_COUNT; i++) {
        if (tallies->of[i].count == 0)
            continue;
        wcts_report_xml_start(&to->xml, "tally");
        wcts_report_xml_attribute(&to->xml, "asks",
                                  wcts_report_polarity_name((enum wcts_report_polarity)i));
        put_tally(to, &tallies->of[i]);
        wcts_report_xml_end(&to->xml);
    }
}

static void put_reasons(struct report_results *to, const struct wcts_report_run *run)
{
    for (int i = 0; i < WCTS_REASONS_MAX && run->reasons[i].text; i++) {
        wcts_report_xml_start(&to->xml, "skipped");
        wcts_report_xml_number(&to->xml, "count", run->reasons[i].count);
        wcts_report_xml_text(&to->xml, run->reasons[i].text, strlen(run->reasons[i].text));
        wcts_report_xml_end(&to->xml);
    }
}

static void put_next(struct report_results *to, const struct wcts_report_next *next)
{
    for (int i = 0; i < next->unlock_count; i++) {
        wcts_report_xml_start(&to->xml, "next");
        wcts_report_xml_number(&to->xml, "cases", next->unlocks[i].cases);
        wcts_report_xml_number(&to->xml, "statements", next->unlocks[i].statements);
        wcts_report_xml_text(&to->xml, next->unlocks[i].what, strlen(next->unlocks[i].what));
        wcts_report_xml_end(&to->xml);
    }
}

/* What is declared and not there, and what is. */
static void put_result_declaration(struct report_results *to, const struct wcts_report_run *run)
{
    char path[WCTS_PATH_ROOM];
    if (!run->declaration_path)
        return;
    wcts_report_xml_start(&to->xml, "declaration");
    wcts_report_xml_attribute(&to->xml, "file",
                              wcts_path_shown(run->declaration_path, path, sizeof path));
    for (int i = 0; i < run->lacking_count; i++) {
        wcts_report_xml_start(&to->xml, "lacking");
        wcts_report_xml_number(&to->xml, "line", run->lacking[i].line);
        wcts_report_xml_attribute(&to->xml, "expected", run->lacking[i].expected);
        wcts_report_xml_attribute(&to->xml, "found", run->lacking[i].found);
        wcts_report_xml_end(&to->xml);
    }
    wcts_report_xml_end(&to->xml);
}

static void put_beginning(void *context, const struct wcts_report_upgrade_row *row)
{
    struct wcts_report_xml *xml = context;
    wcts_report_xml_start(xml, "begins");
    wcts_report_xml_attribute(xml, "ref", row->statement->id);
    wcts_report_xml_attribute(xml, "since", row->since);
    wcts_report_xml_attribute(xml, "state", wcts_report_upgrade_states[row->state]);
    wcts_report_xml_element(xml, "why", row->reason ? row->reason : "");
    wcts_report_xml_element(xml, "replay", row->command ? row->command : "");
    wcts_report_xml_end(xml);
}

static void put_upgrade(struct report_results *to, const struct wcts_report_run *run)
{
    if (!run->asked.upgrade)
        return;
    wcts_report_xml_start(&to->xml, "upgrade");
    wcts_report_xml_attribute(&to->xml, "from", wcts_report_upgrade_from(run));
    wcts_report_xml_attribute(&to->xml, "to", run->asked.upgrade_to);
    wcts_report_upgrade_each(run, put_beginning, &to->xml);
    wcts_report_xml_end(&to->xml);
}

/* The verdict with the highest weight in a tally. */
static const char *worst_verdict(const struct wcts_store_tally *tally)
{
    int worst = -1;
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (tally->verdicts[i] != 0 && (worst < 0 || verdict_weight((enum wcts_verdict)i) >
                                                         verdict_weight((enum wcts_verdict)worst)))
            worst = i;
    return worst < 0 ? NULL : wcts_model_verdict_name((enum wcts_verdict)worst);
}

/* ---- rules of a run ---- */

static void put_evaluations(struct report_results *to, const struct wcts_report_evaluations *counts)
{
    wcts_report_xml_number(&to->xml, "held", counts->held);
    wcts_report_xml_number(&to->xml, "broken", counts->broken);
}

static void put_rule(struct report_results *to, const struct wcts_report_loaded_run *loaded,
                     int index)
{
    const struct wcts_rule *rule = &to->spec->rules[index];
    const struct wcts_report_rule_exercise *exercise = &loaded->exercised[index];
    wcts_report_xml_start(&to->xml, "rule");
    wcts_report_xml_attribute(&to->xml, "ref", rule->id);
    if (wcts_model_is_asked(rule->form))
        put_evaluations(to, &exercise->rule);
    wcts_report_xml_number(&to->xml, "other", exercise->effects);
    wcts_report_xml_flag(&to->xml, "breakable", exercise->breakable);
    put_polarities(to, &loaded->rules[index]);
    for (int i = 0;
         wcts_model_is_asked(rule->form) && i < rule->when_count && i < WCTS_CONDITIONS_MAX; i++) {
        wcts_report_xml_start(&to->xml, "condition");
        wcts_report_xml_number(&to->xml, "line", rule->when[i].place.line);
        put_evaluations(to, &exercise->conditions[i]);
        wcts_report_xml_end(&to->xml);
    }
    wcts_report_xml_end(&to->xml);
}

/* ---- cases ---- */

/* Writes the text between two places without trailing blanks. */
static void put_text_part(struct report_results *to, const char *name, const char *from,
                          const char *until)
{
    while (until > from && (until[-1] == '\n' || until[-1] == ' '))
        until--;
    if (until <= from)
        return;
    wcts_report_xml_start(&to->xml, name);
    wcts_report_xml_text(&to->xml, from, (size_t)(until - from));
    wcts_report_xml_end(&to->xml);
}

/* Describes the case without its statement: what is done, and what is expected. */
static void put_description(struct report_results *to, const struct wcts_plan *plan,
                            const struct wcts_case *test)
{
    static const char host[] = "\n  WDDM ", expected[] = "\n  expected: ";
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        to->xml.failed = true;
        return;
    }
    wcts_judge_case_describe(out, plan, test);
    fclose(out);
    const char *head = strstr(text, host);
    const char *begin = head ? strchr(head + 1, '\n') : NULL;
    const char *end = begin ? strstr(begin, expected) : NULL;
    if (end) {
        put_text_part(to, "does", begin + 1, end + 1);
        put_text_part(to, "expected", end + strlen(expected), text + size);
    }
    free(text);
}

static void put_exchange(struct report_results *to, const char *detail)
{
    const char *came = wcts_model_detail_messages(detail),
               *shrunk = wcts_model_detail_shrunk(detail);
    const char *end = shrunk ? shrunk - strlen(WCTS_SHRUNK) : detail + strlen(detail);
    /* The first line repeats the element's name. */
    const char *first = came != detail ? strchr(came, '\n') : NULL;
    came = first ? first + 1 : came;
    if (end - came > MESSAGES_MAX)
        end = came + MESSAGES_MAX;
    put_text_part(to, "got", came, end);
    if (shrunk)
        put_text_part(to, "shrunk", shrunk, shrunk + strlen(shrunk));
}

/* Writes the waiver, and the earlier attempts. */
static void put_history(struct report_results *to, const struct wcts_result *result)
{
    const struct wcts_baseline_waiver *waiver = result->waiver;
    if (waiver) {
        wcts_report_xml_start(&to->xml, "waiver");
        wcts_report_xml_attribute(&to->xml, "was", wcts_model_verdict_name(result->was));
        wcts_report_xml_attribute(&to->xml, "file", waiver->place.file);
        wcts_report_xml_number(&to->xml, "line", waiver->place.line);
        wcts_report_xml_attribute(&to->xml, "link", waiver->link[0] ? waiver->link : NULL);
        wcts_report_xml_attribute(&to->xml, "expires", waiver->expires);
        wcts_report_xml_text(&to->xml, waiver->reason, strlen(waiver->reason));
        wcts_report_xml_end(&to->xml);
    }
    for (int i = 0; i < result->try_count; i++) {
        const char *reason = result->tries[i].reason;
        wcts_report_xml_start(&to->xml, "attempt");
        wcts_report_xml_attribute(&to->xml, "verdict",
                                  wcts_model_verdict_name(result->tries[i].verdict));
        if (result->tries[i].times)
            wcts_report_xml_number(&to->xml, "times", result->tries[i].times);
        wcts_report_xml_text(&to->xml, reason, strlen(reason));
        wcts_report_xml_end(&to->xml);
    }
}

/* Writes the members of the result that have this place. */
static void put_fields(struct report_results *to, const struct wcts_store_entry *entry,
                       enum wcts_store_field_place place)
{
    for (const struct wcts_store_result_field *field = wcts_result_fields; field->name; field++) {
        const json_t *value = json_object_get(entry->value, field->name);
        if (field->place != place)
            continue;
        if (place == WCTS_PLACE_ELEMENT || place == WCTS_PLACE_EVIDENCE)
            wcts_report_xml_element(&to->xml, field->xml, json_string_value(value));
        else if (json_is_number(value))
            wcts_report_xml_seconds(&to->xml, field->xml, json_number_value(value));
        else
            put_json(to, field->xml, value);
    }
}

static void put_case(struct report_results *to, const struct wcts_report_loaded_run *loaded,
                     const struct wcts_report_listed_case *listed,
                     const struct wcts_store_entry *entry)
{
    struct wcts_case made;
    const struct wcts_case *test =
        wcts_plan_case(loaded->plan, loaded->selected[listed->position], &made);
    int cause = loaded->run.causes.of[loaded->selected[listed->position]];
    wcts_report_xml_start(&to->xml, "case");
    wcts_report_xml_attribute(&to->xml, "id", test->id);
    put_fields(to, entry, WCTS_PLACE_FIRST);
    wcts_report_xml_attribute(&to->xml, "rule", to->spec->rules[listed->rule].id);
    wcts_report_xml_attribute(&to->xml, "kind", wcts_model_kind_name(test->kind));
    wcts_report_xml_attribute(&to->xml, "asks",
                              wcts_report_polarity_name(wcts_report_polarity_of(test)));
    wcts_report_xml_attribute(&to->xml, "version", to->spec->versions[test->version].name);
    wcts_report_xml_number(&to->xml, "page-size", test->page_size);
    wcts_report_xml_number(&to->xml, "facts", wcts_report_case_size(test));
    if (cause > 0)
        wcts_report_xml_number(&to->xml, "cause", cause);
    put_fields(to, entry, WCTS_PLACE_LAST);
    put_fields(to, entry, WCTS_PLACE_ELEMENT);
    put_history(to, &entry->result);
    const struct wcts_report_order *order = wcts_report_order_of(&loaded->run, test->id);
    wcts_report_xml_element(&to->xml, "order", order ? order->text : NULL);
    /* Without evidence, the reason is all there is. */
    if (verdict_weight(entry->result.verdict) > 1) {
        put_description(to, loaded->plan, test);
        put_exchange(to, entry->result.detail);
        char *command = wcts_report_replay_text(&loaded->run, test);
        wcts_report_xml_element(&to->xml, "replay", command);
        to->xml.failed = to->xml.failed || !command;
        free(command);
        put_fields(to, entry, WCTS_PLACE_EVIDENCE);
    }
    wcts_report_xml_end(&to->xml);
}

/* ---- causes ---- */

/* The target of a link: the statement, or how the implementation died. */
static const char *anchor_of(const struct wcts_report_causes *causes,
                             const struct wcts_report_cause *cause)
{
    return cause->death ? wcts_model_verdict_name(cause->verdict)
                        : wcts_report_cause_statement(causes, cause)->id;
}

/* How many earlier causes have the same anchor. */
static int same_before(const struct wcts_report_causes *causes, int at)
{
    const char *anchor = anchor_of(causes, &causes->list[causes->order[at]]);
    int same = 0;
    for (int i = 0; i < at; i++)
        same += strcmp(anchor_of(causes, &causes->list[causes->order[i]]), anchor) == 0;
    return same;
}

static void put_cause_element(struct report_results *to, const struct wcts_report_causes *causes,
                              int at)
{
    const struct wcts_report_cause *cause = &causes->list[causes->order[at]];
    const struct wcts_report_failure failure = wcts_report_cause_failure(cause);
    char anchor[128], number[16] = "";
    if (same_before(causes, at) != 0)
        snprintf(number, sizeof number, "-%d", 1 + same_before(causes, at));
    snprintf(anchor, sizeof anchor, "%s%s", anchor_of(causes, cause), number);
    wcts_report_xml_start(&to->xml, "cause");
    wcts_report_xml_number(&to->xml, "number", 1 + causes->order[at]);
    wcts_report_xml_attribute(&to->xml, "anchor", anchor);
    wcts_report_xml_attribute(&to->xml, "verdict", wcts_model_verdict_name(cause->verdict));
    wcts_report_xml_flag(&to->xml, "death", cause->death);
    wcts_report_xml_attribute(&to->xml, "statement",
                              wcts_report_cause_statement(causes, cause)->id);
    wcts_report_xml_number(&to->xml, "cases", cause->count);
    wcts_report_xml_number(&to->xml, "statements", cause->statements);
    wcts_report_xml_attribute(&to->xml, "smallest",
                              WCTS_PLAN_CASE(causes->plan, cause->smallest)->id);
    wcts_report_xml_flag(&to->xml, "walked", cause->walked);
    wcts_report_xml_element(&to->xml, "why", cause->reason);
    char *wrong = wcts_report_wrong_text(causes->plan, &failure);
    wcts_report_xml_element(&to->xml, "wrong", wrong && wrong[0] ? wrong : NULL);
    free(wrong);
    put_lines(to, "pattern", wcts_report_pattern_text(causes, &failure));
    wcts_report_xml_element(&to->xml, "output", cause->output);
    wcts_report_xml_element(&to->xml, "backtrace", cause->backtrace);
    wcts_report_xml_end(&to->xml);
}

/* ---- statements of a run ---- */

/* Writes each step; the first one that was not reached has the reason. */
static void put_ladder(struct report_results *to, const struct wcts_report_ladder *ladder,
                       int index)
{
    const struct wcts_report_rung *rung = ladder->rungs ? &ladder->rungs[index] : NULL;
    for (int i = 0; rung && rung->counted && i < WCTS_LADDER_STEPS; i++) {
        wcts_report_xml_start(&to->xml, "ladder");
        wcts_report_xml_attribute(&to->xml, "step", ladder->steps[i]);
        wcts_report_xml_flag(&to->xml, "reached", i < rung->reached);
        if (i == rung->reached && rung->reason)
            wcts_report_xml_text(&to->xml, rung->reason, strlen(rung->reason));
        wcts_report_xml_end(&to->xml);
    }
}

/* *at: the first case of the statement in listed. */
static bool put_statement(struct report_results *to, const struct wcts_report_loaded_run *loaded,
                          struct wcts_store_journal *journal, int index, int *at)
{
    const struct wcts_store_tally *tally = &loaded->run.statements[index];
    const struct wcts_spec *spec = to->spec;
    bool good = true;

    wcts_report_xml_start(&to->xml, "statement");
    wcts_report_xml_attribute(&to->xml, "ref", spec->statements[index].id);
    wcts_report_xml_attribute(&to->xml, "verdict", worst_verdict(tally));
    bool testable = wcts_report_scope_counts(&loaded->run.scope, index, loaded->run.claims.sides);
    wcts_report_xml_flag(&to->xml, "testable", testable);
    wcts_report_xml_flag(&to->xml, "proven",
                         testable && wcts_report_is_proven(&loaded->run, index));
    put_tally(to, tally);
    put_polarities(to, &loaded->statements[index]);
    put_ladder(to, &loaded->ladder, index);
    wcts_report_parts_write(&to->xml, &loaded->run, index);
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == index)
            put_rule(to, loaded, i);
    for (; good && *at < loaded->listed_count; ++*at) {
        const struct wcts_report_listed_case *listed = &loaded->listed[*at];
        struct wcts_store_entry entry;
        if (spec->rules[listed->rule].statement != index)
            break;
        good = wcts_store_journal_at(journal, listed->offset, &entry);
        if (good) {
            put_case(to, loaded, listed, &entry);
            wcts_store_entry_release(&entry);
        }
    }
    wcts_report_xml_end(&to->xml);
    return good;
}

static bool put_run(struct report_results *to, const struct wcts_report_loaded_run *loaded,
                    int number)
{
    struct wcts_store_journal journal;
    int at = 0;
    bool good = wcts_store_journal_open(&journal, loaded->directory, NULL);
    wcts_report_xml_start(&to->xml, "run");
    put_head(to, loaded, number);
    wcts_report_xml_start(&to->xml, "total");
    put_tally(to, &loaded->run.total);
    wcts_report_xml_end(&to->xml);
    put_reasons(to, &loaded->run);
    put_next(to, &loaded->run.next);
    put_result_declaration(to, &loaded->run);
    put_upgrade(to, &loaded->run);
    for (int i = 0; i < loaded->run.causes.count; i++)
        put_cause_element(to, &loaded->run.causes, i);
    for (int i = 0; good && i < to->spec->statements_count; i++)
        good = put_statement(to, loaded, &journal, i, &at);
    for (int i = 0; i < to->spec->words_count; i++)
        wcts_report_results_pairs(&to->xml, to->spec, i, &loaded->matrices[i]);
    wcts_report_xml_end(&to->xml);
    if (!good)
        fprintf(stderr, "%s/" WCTS_FILE_JOURNAL ": it cannot be read again\n", loaded->directory);
    wcts_store_journal_close(&journal);
    return good;
}

/* ---- the file ---- */

static int write_result_bytes(void *ctx, const char *bytes, int size)
{
    return fwrite(bytes, 1, (size_t)size, ctx) == (size_t)size ? size : -1;
}

bool wcts_report_results_write(FILE *out, const struct wcts_spec *spec,
                               const struct wcts_report_loaded_run *runs, int count)
{
    xmlOutputBufferPtr buffer = xmlOutputBufferCreateIO(write_result_bytes, NULL, out, NULL);
    struct report_results to = {.spec = spec};
    bool good = true;

    to.xml.writer = buffer ? xmlNewTextWriter(buffer) : NULL;
    if (!to.xml.writer)
        return false;
    xmlTextWriterSetIndent(to.xml.writer, 1);
    xmlTextWriterSetIndentString(to.xml.writer, BAD_CAST " ");
    xmlTextWriterStartDocument(to.xml.writer, "1.0", "UTF-8", NULL);
    wcts_report_xml_start(&to.xml, "results");
    wcts_report_xml_attribute(&to.xml, "schema", "1");
    wcts_report_xml_attribute(&to.xml, "tool", WCTS_VERSION);
    put_verdicts(&to);
    put_spec(&to);
    for (int i = 0; good && i < count; i++)
        good = put_run(&to, &runs[i], i + 1);
    wcts_report_xml_end(&to.xml);
    to.xml.failed = xmlTextWriterEndDocument(to.xml.writer) < 0 || to.xml.failed;
    xmlFreeTextWriter(to.xml.writer);
    if (to.xml.failed || fflush(out) != 0)
        fprintf(stderr, "wddm-cts: the result XML: %s\n", strerror(errno));
    return good && !to.xml.failed && ferror(out) == 0;
}
