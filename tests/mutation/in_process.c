/* SPDX-License-Identifier: MIT */
/*
 * A mutant is decided in this process. Loaded are all documents, and of the scenarios those that
 * expect an effect of the mutant's statements; planned are the statements' own rules. A mutant in
 * the attributes of an effect changes that effect in the loaded suite: as long as its tests are the
 * same, what the parties said in them is judged again. Any other mutant is loaded, planned and run.
 */
#include "in_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "runner/lang/effect.h"
#include "runner/load/load.h"
#include "runner/load/spec_files.h"
#include "runner/plan/planner.h"

/* Longer than any mutant takes, of processor time: one that hangs ends the process. */
#define MUTANT_SECONDS 60

/* ---- documents ---- */

/* A document as it was read. */
struct near_document {
    char *path;
    struct wcts_load_node *root;
};

/* What the loader reads. */
static struct {
    struct near_document of[WCTS_LOAD_FILES_MAX];
    int count;
    struct wcts_arena *arena;
    bool reading;                   /* True while the documents are read for the first time */
    struct wcts_spec *spec;         /* what is in all of them */
    const char *statements;         /* those whose scenarios are loaded */
    const char *changed;            /* the name of the file that a mutant is in; NULL: none */
    struct wcts_load_node *mutated; /* ... and what is in it */
} documents;

struct wcts_load_node *__real_wcts_load_xml_read(const struct wcts_load_xml_source *xml,
                                                 const char *path,
                                                 const enum wcts_load_element_id *roots);
struct wcts_load_node *__wrap_wcts_load_xml_read(const struct wcts_load_xml_source *xml,
                                                 const char *path,
                                                 const enum wcts_load_element_id *roots);

/* True if an id of the list is that of one of the statements, or of one of their effects. */
static bool names_statement(const char *list, const char *statements)
{
    for (const char *at = list; at && *at; at += strcspn(at, " \n"), at += strspn(at, " \n")) {
        size_t length = strcspn(at, ". \n");
        for (const char *one = statements; *one; one += strcspn(one, " "), one += *one == ' ')
            if (strcspn(one, " ") == length && memcmp(one, at, length) == 0)
                return true;
    }
    return false;
}

/* The loader puts the acts of procedures into scenarios: it gets copies of the elements. */
static struct wcts_load_node *copy_node(struct wcts_arena *arena, const struct wcts_load_node *node)
{
    struct wcts_load_node *copy = wcts_arena_alloc(arena, sizeof *copy);
    *copy = *node;
    copy->first = copy->last = copy->next = NULL;
    for (const struct wcts_load_node *child = node->first; child; child = child->next)
        if (child->kind != WCTS_EL_SCENARIO || !documents.statements ||
            names_statement(wcts_load_node_value(child, "expect"), documents.statements))
            wcts_load_node_add(copy, copy_node(arena, child));
    return copy;
}

static const struct near_document *find_document(const char *path)
{
    for (int i = 0; i < documents.count; i++)
        if (strcmp(documents.of[i].path, path) == 0)
            return &documents.of[i];
    abort();
}

struct wcts_load_node *__wrap_wcts_load_xml_read(const struct wcts_load_xml_source *xml,
                                                 const char *path,
                                                 const enum wcts_load_element_id *roots)
{
    struct near_document *document = &documents.of[documents.count];
    const char *slash = strrchr(path, '/');
    if (documents.reading) {
        const struct wcts_load_xml_source own = {documents.arena, xml->diagnostics, NULL};
        document->path = strdup(path);
        document->root = __real_wcts_load_xml_read(&own, document->path, roots);
        documents.count++;
        return document->root ? copy_node(xml->arena, document->root) : NULL;
    }
    if (documents.changed && strcmp(slash ? slash + 1 : path, documents.changed) == 0)
        return documents.mutated;
    return copy_node(xml->arena, find_document(path)->root);
}

void near_start(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    documents.arena = wcts_arena_new();
    documents.statements = "";
    documents.reading = true;
    wcts_load_spec_free(
        wcts_load_spec_load(settings.spec_dir, settings.cases_dir, NULL, 0, &diagnostics));
    documents.reading = false;
    documents.statements = NULL;
    documents.spec =
        wcts_load_spec_load(settings.spec_dir, settings.cases_dir, NULL, 0, &diagnostics);
    if (!documents.spec || !near_elsewhere_start(documents.spec))
        exit(2);
}

/* ---- suites ---- */

static bool is_wanted(const void *context, const char *beginning)
{
    char id[128];
    snprintf(id, sizeof id, "%.*s", (int)strcspn(beginning, "/"), beginning);
    return names_statement(id, context);
}

static struct wcts_plan_options plan_options(const char *statements)
{
    return (struct wcts_plan_options){
        .seed = 1, .sweeps = WCTS_SWEEPS_SINGLE, .wants = is_wanted, .wants_context = statements};
}

/* The statements, and those of the rules that theirs rest on: the planner needs their scenarios,
 * too. The caller frees it. */
static char *with_those_below(const char *statements)
{
    const struct wcts_spec *spec = documents.spec;
    const struct wcts_plan_options options = plan_options(statements);
    bool *wanted = wcts_plan_wanted_rules(&options, spec);
    char *all = strdup(statements);
    for (int i = 0; wanted && all && i < spec->rules_count; i++) {
        const char *id = spec->statements[spec->rules[i].statement].id;
        char *longer;
        if (!wanted[i] || names_statement(id, all))
            continue;
        if (asprintf(&longer, "%s %s", all, id) < 0)
            abort();
        free(all);
        all = longer;
    }
    free(wanted);
    return all;
}

bool near_plan(struct near_suite *suite, const char *statements,
               struct wcts_diagnostics *diagnostics)
{
    const struct wcts_plan_options options = plan_options(statements);
    suite->plan = wcts_plan_make(suite->spec, &options, diagnostics);
    return suite->plan != NULL;
}

/* Loads, checks and plans; false if the loader or the planner refuses it. */
static bool load_suite(struct near_suite *suite, const char *statements,
                       struct wcts_diagnostics *diagnostics)
{
    *suite = (struct near_suite){.spec = NULL};
    suite->spec = wcts_load_spec_load(settings.spec_dir, settings.cases_dir, NULL, 0, diagnostics);
    if (!suite->spec)
        return false;
    wcts_load_spec_lint(suite->spec, diagnostics);
    return near_plan(suite, statements, diagnostics);
}

static void release_suite(struct near_suite *suite)
{
    wcts_plan_free(suite->plan);
    wcts_load_spec_free(suite->spec);
}

/* ---- an effect in the loaded suite ---- */

/* An effect that is changed, and as it was. */
struct changed_effect {
    struct wcts_rule *rule, was;
    const char *values[WCTS_EFFECT_ATTRIBUTES];
};

/* The only effect of that id; NULL: there is none. */
static struct wcts_rule *find_effect(const struct wcts_spec *spec, const char *id)
{
    struct wcts_rule *found = NULL;
    for (int i = 0; i < spec->rules_count; i++) {
        struct wcts_rule *rule = &spec->rules[i];
        if (strcmp(rule->id, id) != 0)
            continue;
        if (found || !rule->effect)
            return NULL;
        found = rule;
    }
    return found;
}

/* The place of an attribute's value in the element. */
static const char **value_of(const struct wcts_rule *rule, int attribute)
{
    int at = wcts_load_element_attribute(wcts_load_node_element(rule->node),
                                         wcts_effect_attribute_names[attribute]);
    return &rule->node->values[at];
}

/* Reads the effect again with the attributes of the element; false if it is none. */
static bool change_effect(struct changed_effect *change, struct wcts_spec *spec, xmlNodePtr node,
                          struct wcts_diagnostics *diagnostics)
{
    struct wcts_loader loader = {.spec = spec,
                                 .cases = (struct wcts_cases *)spec->cases,
                                 .arena = spec->arena,
                                 .diagnostics = diagnostics,
                                 .scenario = -1};
    struct wcts_rule *rule = change->rule;
    int errors = diagnostics->errors;
    change->was = *rule;
    for (int i = 0; i < WCTS_EFFECT_ATTRIBUTES; i++) {
        char *text = mutate_get(node, wcts_effect_attribute_names[i]);
        change->values[i] = *value_of(rule, i);
        *value_of(rule, i) = text ? wcts_arena_string(spec->arena, text, strlen(text)) : NULL;
        xmlFree(text);
    }
    memset(rule->arg, 0, sizeof rule->arg);
    rule->when = NULL;
    rule->when_count = 0;
    rule->traced = false;
    wcts_load_effect(&loader, rule);
    return diagnostics->errors == errors;
}

static void restore_effect(const struct changed_effect *change)
{
    for (int i = 0; i < WCTS_EFFECT_ATTRIBUTES; i++)
        *value_of(change->rule, i) = change->values[i];
    *change->rule = change->was;
}

/* ---- one mutant ---- */

static void note(struct decided *decided, enum decision decision, const char *by)
{
    decided->decision = decision;
    snprintf(decided->by, sizeof decided->by, "%s", by);
}

/* Whether the emulator as it is, in both modes, shows the mutant, whose suite is loaded and
 * planned.
 */
static bool decide_by_emulator(const struct near_trial *trial, struct decided *decided)
{
    for (int i = 0; i < NEAR_MODES && decided->decision == UNDECIDED; i++)
        if (near_shows(trial, &trial->group->modes[i], decided->by, sizeof decided->by))
            decided->decision = RED;
    return decided->decision != UNDECIDED;
}

/* Whether an emulator that differs in the statements does. */
static bool decide_by_rivals(const struct near_trial *trial, struct decided *decided)
{
    for (int i = 0; !trial->alone && i < rivals.count && decided->decision == UNDECIDED; i++)
        if (rival_concerns(&rivals.of[i], trial->group->statements) &&
            near_shows(trial, near_rival(trial->group, i), decided->by, sizeof decided->by))
            note(decided, FAULT, rivals.of[i].name);
    return decided->decision != UNDECIDED;
}

/* Whether an effect is another in exchanges of scenarios that do not expect it, with the emulator
 * as it is or with one that differs in the statements. */
static bool decide_elsewhere(const struct near_trial *trial, struct decided *decided)
{
    int scenario = near_shows_elsewhere(trial, -1);
    if (scenario >= 0)
        note(decided, ELSEWHERE, trial->suite->spec->cases->scenarios[scenario].name);
    for (int i = 0; !trial->alone && i < rivals.count && decided->decision == UNDECIDED; i++)
        if (rival_concerns(&rivals.of[i], trial->group->statements) &&
            near_shows_elsewhere(trial, i) >= 0)
            note(decided, FAULT, rivals.of[i].name);
    return decided->decision != UNDECIDED;
}

/* True if the tests of an effect are the same as before: of one that only scenarios show they
 * depend on nothing else. */
static bool plans_alike(const struct wcts_rule *rule, const struct wcts_rule *was)
{
    return rule->traced && was->traced && rule->form == was->form &&
           rule->form != WCTS_FORM_EFFECT_PAGES && rule->effect->needs == was->effect->needs;
}

/* A mutant in the attributes of an effect. */
static void try_effect(struct near_group *group, const struct mutant *mutant,
                       struct wcts_rule *rule, xmlNodePtr node, struct decided *decided)
{
    struct wcts_diagnostics diagnostics = {.out = NULL};
    struct changed_effect change = {.rule = rule};
    struct near_suite suite = {.spec = group->suite.spec};
    const struct near_trial trial = {group, &suite, (int)(rule - suite.spec->rules), &change.was,
                                     mutant->listed && !settings.listed};
    bool good = change_effect(&change, suite.spec, node, &diagnostics);
    if (good && plans_alike(rule, &change.was))
        suite.plan = group->suite.plan;
    if (!good || (!suite.plan && !near_plan(&suite, group->statements, &diagnostics))) {
        note(decided, REFUSED, "");
    } else if (!decide_by_emulator(&trial, decided) && !decide_elsewhere(&trial, decided) &&
               !decide_by_rivals(&trial, decided)) {
        wcts_load_spec_lint(suite.spec, &diagnostics);
        note(decided, diagnostics.errors > 0 ? REFUSED : SURVIVED, "");
    }
    if (suite.plan != group->suite.plan)
        wcts_plan_free(suite.plan);
    restore_effect(&change);
}

/* Any other mutant. */
static void try_document(struct near_group *group, const struct mutant *mutant, xmlDocPtr doc,
                         struct decided *decided)
{
    struct wcts_diagnostics diagnostics = {.out = NULL};
    struct wcts_arena *arena = wcts_arena_new();
    const struct wcts_load_xml_source source = {arena, &diagnostics, NULL};
    struct near_suite suite = {.spec = NULL};
    const struct near_trial trial = {group, &suite, -1, NULL, mutant->listed && !settings.listed};
    char path[PATH_ROOM], place[PATH_ROOM];
    make_path(path, "%s/%d.xml", settings.scratch, (int)getpid());
    make_path(place, "%s/%s", settings.spec_dir, mutant->file);
    xmlSaveFormatFile(path, doc, 0);
    documents.mutated = __real_wcts_load_xml_read(
        &source, path,
        (const enum wcts_load_element_id[]){find_document(place)->root->kind, WCTS_EL_NONE});
    documents.changed = mutant->file;
    if (!documents.mutated || !load_suite(&suite, group->statements, &diagnostics) ||
        diagnostics.errors > group->errors)
        note(decided, REFUSED, "");
    else if (!decide_by_emulator(&trial, decided) && !decide_by_rivals(&trial, decided))
        note(decided, SURVIVED, "");
    documents.changed = NULL;
    release_suite(&suite);
    wcts_arena_free(arena);
    unlink(path);
}

/* Counts what lint reports of the documents as they are with the group's scenarios alone. */
static bool count_errors(struct near_group *group)
{
    struct wcts_diagnostics diagnostics = {.out = NULL};
    struct near_suite suite;
    bool good = load_suite(&suite, group->statements, &diagnostics);
    group->errors = diagnostics.errors;
    release_suite(&suite);
    return good;
}

void near_try_group(const struct mutant *const *mutants, int count, struct decided *decided)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct itimerval limit = {.it_value.tv_sec = MUTANT_SECONDS};
    struct near_group group = {.statements = mutants[0]->statements, .errors = -1};
    group.suite.spec = documents.spec;
    documents.statements = with_those_below(group.statements);
    if (!near_plan(&group.suite, group.statements, &diagnostics) || !near_group_init(&group))
        return;
    for (int i = 0; i < count; i++) {
        xmlDocPtr doc;
        struct wcts_rule *rule = NULL;
        if (decided[i].decision != UNTRIED)
            continue;
        decided[i].decision = UNDECIDED; /* unless it is found out */
        setitimer(ITIMER_PROF, &limit, NULL);
        alarm(10 * MUTANT_SECONDS);
        doc = mutant_apply(mutants[i]);
        if (mutants[i]->effect)
            rule = find_effect(group.suite.spec, mutants[i]->rule);
        if (rule)
            try_effect(&group, mutants[i], rule, mutant_node(doc, mutants[i]->node), &decided[i]);
        else if (group.errors >= 0 || count_errors(&group))
            try_document(&group, mutants[i], doc, &decided[i]);
        xmlFreeDoc(doc);
    }
    near_group_release(&group);
    wcts_plan_free(group.suite.plan);
}
