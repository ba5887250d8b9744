/* SPDX-License-Identifier: MIT */
/* Profiles: their entries, and what of them cannot be right whatever is planned. */
#include <string.h>

#include "../base/text.h"
#include "../lang/expr.h"
#include "../model/finding.h"
#include "load.h"
#include "profile.h"

/* ---- entries ---- */

static bool is_in_request(const struct wcts_message *message, int structure)
{
    return message->holds[structure] & WCTS_HELD_REQUEST;
}

/* The side that is sent the structure; the kernel, if both are. */
static bool is_of_driver(const struct wcts_spec *spec, int structure)
{
    bool driver = false;
    for (int i = 0; i < spec->messages_count; i++) {
        const struct wcts_message *message = &spec->messages[i];
        if (message->machine || !is_in_request(message, structure))
            continue;
        if (!message->driver)
            return false;
        driver = true;
    }
    return driver;
}

static void load_profile_condition(struct wcts_loader *loader, const struct wcts_load_node *node,
                                   const char *attribute, struct wcts_profile_entry *entry)
{
    WCTS_TEXT(text);
    if (entry->on < 0)
        return;
    entry->when = wcts_load_expression(loader, node, attribute, entry->on);
    if (!entry->when)
        return;
    wcts_lang_print(loader->spec->exprs, loader->spec, entry->on, entry->when, &text);
    entry->condition = wcts_arena_string(loader->arena, wcts_text_get(&text), text.length);
}

/* The rule of the statement that the attribute names. */
static int use_rule(struct wcts_loader *loader, const struct wcts_load_node *node, int statement)
{
    const struct wcts_spec *spec = loader->spec;
    const char *id = wcts_load_node_value(node, "rule");
    struct wcts_near near;
    int rule;
    if (!id || statement < 0)
        return -1;
    rule = wcts_model_spec_rule(spec, id);
    if (rule >= 0 && spec->rules[rule].statement == statement)
        return rule;
    near = wcts_model_near_start(id, strlen(id));
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == statement)
            wcts_model_near_try(&near, spec->rules[i].id);
    wcts_load_report_unknown(loader, (struct wcts_load_use){node, "rule"}, "rule", &near,
                             spec->statements[statement].id);
    return -1;
}

static void load_deviation(struct wcts_loader *loader, const struct wcts_load_node *node,
                           struct wcts_profile_entry *entry)
{
    const struct wcts_statement *statement;
    bool when = wcts_load_node_value(node, "when") != NULL;
    entry->statement = wcts_load_use_statement(loader, node, "statement", -1);
    entry->rule = use_rule(loader, node, entry->statement);
    entry->some = wcts_load_word(node, "shows", wcts_profile_shows_words, 0) != 0;
    if (when != (wcts_load_node_value(node, "on") != NULL))
        wcts_error_at(loader->diagnostics, &node->place,
                      "<deviation> has \"on\" or \"when\", expected both or none of them");
    load_profile_condition(loader, node, "when", entry);
    if (entry->statement < 0)
        return;
    statement = &loader->spec->statements[entry->statement];
    entry->driver =
        wcts_load_word(node, "side", wcts_party_words, statement->role == WCTS_ROLE_DRIVER) != 0;
    if (statement->reason || statement->pending)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"statement\" of <deviation> is \"%s\", which is not tested (%s), "
                      "expected a statement with a rule",
                      statement->id, statement->reason ? statement->reason : "pending");
}

static void load_restriction(struct wcts_loader *loader, const struct wcts_load_node *node,
                             struct wcts_profile_entry *entry)
{
    int side = wcts_load_word(node, "side", wcts_party_words, -1);
    bool sent = false;
    load_profile_condition(loader, node, "refuse", entry);
    if (entry->on < 0)
        return;
    entry->driver = side < 0 ? is_of_driver(loader->spec, entry->on) : side != 0;
    for (int i = 0; i < loader->spec->messages_count; i++) {
        const struct wcts_message *message = &loader->spec->messages[i];
        sent = sent || (!message->machine && message->driver == entry->driver &&
                        is_in_request(message, entry->on));
    }
    if (!sent)
        wcts_error_at(
            loader->diagnostics, &node->place,
            "attribute \"on\" of <restriction> is \"%s\", which no request to the %s has, "
            "expected a structure of one",
            loader->spec->structures[entry->on].name, wcts_model_party_name(entry->driver));
}

static void load_absent(struct wcts_loader *loader, const struct wcts_load_node *node,
                        struct wcts_profile_entry *entry)
{
    const struct wcts_spec *spec = loader->spec;
    const char *feature = wcts_load_node_value(node, "feature");
    const char *operation = wcts_load_node_value(node, "operation");
    struct wcts_near near =
        wcts_model_near_start(feature ? feature : "", feature ? strlen(feature) : 0);
    if (feature && operation)
        wcts_error_at(loader->diagnostics, &node->place,
                      "<absent> has \"feature\" and \"operation\", expected one of them");
    entry->what = feature ? feature : operation;
    if (operation) {
        int message = wcts_load_use_message(loader, node, "operation", -1);
        entry->driver = message >= 0 && spec->messages[message].driver;
        if (message >= 0)
            entry->operations = wcts_model_operation_bit(spec->messages[message].operation);
    }
    for (int i = 0; feature && i < spec->features_count; i++) {
        const struct wcts_feature *one = &spec->features[i];
        wcts_model_near_try(&near, one->name);
        if (strcmp(one->name, feature) != 0)
            continue;
        entry->driver = one->driver;
        for (int j = 0; j < one->operation_count; j++)
            entry->operations |=
                wcts_model_operation_bit(spec->messages[one->operations[j]].operation);
    }
    if (feature && !entry->operations)
        wcts_load_report_unknown(loader, (struct wcts_load_use){node, "feature"}, "feature", &near,
                                 NULL);
}

static void load_entry(struct wcts_loader *loader, const struct wcts_load_node *node,
                       enum wcts_profile_kind kind, struct wcts_profile_entry *entry)
{
    static void (*const loads[WCTS_PROFILE_KINDS])(struct wcts_loader * loader,
                                                   const struct wcts_load_node *node,
                                                   struct wcts_profile_entry *entry) = {
        [WCTS_PROFILE_DEVIATION] = load_deviation,
        [WCTS_PROFILE_RESTRICTION] = load_restriction,
        [WCTS_PROFILE_ABSENT] = load_absent,
    };
    *entry = (struct wcts_profile_entry){.id = wcts_load_node_value(node, "id"),
                                         .place = node->place,
                                         .kind = kind,
                                         .statement = -1,
                                         .rule = -1,
                                         .on = -1,
                                         .until = loader->spec->versions_count,
                                         .text = node->text,
                                         .source = wcts_load_node_value(node, "source"),
                                         .confidence = wcts_load_node_value(node, "confidence"),
                                         .rows = wcts_load_node_value(node, "rows")};
    if (kind != WCTS_PROFILE_ABSENT) {
        entry->since = wcts_load_use_version(loader, node, "since", 0);
        entry->until = wcts_load_use_version(loader, node, "until", entry->until);
        entry->on = wcts_load_use_structure(loader, node, "on", -1);
    }
    if (entry->since >= entry->until && entry->since >= 0 && entry->until >= 0)
        wcts_error_at(loader->diagnostics, &node->place,
                      "<%s> is at no version, expected \"since\" before \"until\"",
                      wcts_load_node_element(node)->name);
    loads[kind](loader, node, entry);
}

/* ---- entries beside each other ---- */

static bool overlap(const struct wcts_profile_entry *a, const struct wcts_profile_entry *b)
{
    return a->driver == b->driver && a->since < b->until && b->since < a->until;
}

static bool same_condition(const struct wcts_profile_entry *a, const struct wcts_profile_entry *b)
{
    return a->on == b->on && (a->condition == NULL) == (b->condition == NULL) &&
           (!a->condition || strcmp(a->condition, b->condition) == 0);
}

/* True if both say the same of the same calls. */
static bool is_same(const struct wcts_profile_entry *a, const struct wcts_profile_entry *b)
{
    bool rules = a->rule < 0 || b->rule < 0 || a->rule == b->rule;
    if (a->kind != b->kind || !overlap(a, b))
        return false;
    if (a->kind == WCTS_PROFILE_DEVIATION) /* of two, one without a condition says it all */
        return a->statement == b->statement && rules &&
               (!a->condition || !b->condition || same_condition(a, b));
    if (a->kind == WCTS_PROFILE_RESTRICTION)
        return same_condition(a, b);
    return (a->operations & b->operations) != 0;
}

static uint64_t profile_operations(const struct wcts_spec *spec,
                                   const struct wcts_profile_entry *entry)
{
    uint64_t operations = 0;
    int on = entry->on;
    if (on < 0 && entry->kind == WCTS_PROFILE_DEVIATION && entry->statement >= 0)
        for (int i = 0; i < spec->rules_count && on < 0; i++)
            if (spec->rules[i].statement == entry->statement)
                on = spec->rules[i].on;
    for (int i = 0; on >= 0 && i < spec->messages_count; i++)
        if (!spec->messages[i].machine && spec->messages[i].driver == entry->driver &&
            is_in_request(&spec->messages[i], on))
            operations |= wcts_model_operation_bit(spec->messages[i].operation);
    return operations;
}

/* True if the one refuses what the other declares to be accepted, or is about calls that there are
 * none of. */
static bool contradicts(const struct wcts_spec *spec, const struct wcts_profile_entry *a,
                        const struct wcts_profile_entry *b)
{
    uint64_t operations;
    if (a->kind == WCTS_PROFILE_ABSENT && b->kind != WCTS_PROFILE_ABSENT) {
        operations = profile_operations(spec, b);
        return operations && (operations & ~a->operations) == 0;
    }
    return a->kind == WCTS_PROFILE_RESTRICTION && b->kind == WCTS_PROFILE_DEVIATION &&
           overlap(a, b) && b->condition && same_condition(a, b);
}

static void check_pair(struct wcts_loader *loader, const struct wcts_profile_entry *a,
                       const struct wcts_profile_entry *b)
{
    const char *kind = wcts_model_profile_kind_name(b->kind);
    if (strcmp(a->id, b->id) == 0)
        wcts_error_at(loader->diagnostics, &b->place,
                      "<%s> has the id \"%s\", which the entry in line %ld has, expected another",
                      kind, b->id, a->place.line);
    else if (is_same(a, b))
        wcts_error_at(loader->diagnostics, &b->place,
                      "<%s> \"%s\" declares what \"%s\" in line %ld declares, expected one of them",
                      kind, b->id, a->id, a->place.line);
    else if (contradicts(loader->spec, a, b) || contradicts(loader->spec, b, a))
        wcts_error_at(loader->diagnostics, &b->place,
                      "<%s> \"%s\" contradicts \"%s\" in line %ld, expected one of them", kind,
                      b->id, a->id, a->place.line);
}

/* ---- the file ---- */

static void load_entries(struct wcts_loader *loader, struct wcts_profile *profile,
                         const struct wcts_load_node *root)
{
    static const enum wcts_load_element_id elements[WCTS_PROFILE_KINDS] = {
        [WCTS_PROFILE_DEVIATION] = WCTS_EL_DEVIATION,
        [WCTS_PROFILE_RESTRICTION] = WCTS_EL_RESTRICTION,
        [WCTS_PROFILE_ABSENT] = WCTS_EL_ABSENT,
    };
    int count = 0;
    for (int kind = 0; kind < WCTS_PROFILE_KINDS; kind++)
        count += wcts_load_node_count(root, elements[kind]);
    if (count > WCTS_PROFILE_ENTRIES_MAX) {
        wcts_error_at(loader->diagnostics, &root->place,
                      "<profile> has %d entries, expected at most %d", count,
                      WCTS_PROFILE_ENTRIES_MAX);
        return;
    }
    WCTS_LOAD_ARRAY(loader, profile->entries, count);
    for (int kind = 0; kind < WCTS_PROFILE_KINDS; kind++) {
        struct wcts_load_node *node = NULL;
        while ((node = wcts_load_node_next(root, node, elements[kind])) != NULL)
            load_entry(loader, node, (enum wcts_profile_kind)kind,
                       &profile->entries[profile->count++]);
    }
    for (int b = 0; b < profile->count; b++)
        for (int a = 0; a < b; a++)
            check_pair(loader, &profile->entries[a], &profile->entries[b]);
}

struct wcts_profile *wcts_load_profile(const char *path, bool shipped, const struct wcts_spec *spec,
                                       struct wcts_diagnostics *diagnostics)
{
    static const enum wcts_load_element_id roots[] = {WCTS_EL_PROFILE, WCTS_EL_NONE};
    struct wcts_arena *arena = wcts_arena_new();
    struct wcts_profile *profile = wcts_arena_alloc(arena, sizeof *profile);
    struct wcts_spec own = *spec; /* whose expressions are the profile's */
    struct wcts_loader loader = {.spec = &own,
                                 .cases = spec->cases,
                                 .arena = arena,
                                 .diagnostics = diagnostics,
                                 .scenario = -1};
    struct wcts_digest digest;
    const struct wcts_load_xml_source xml = {arena, diagnostics, &digest};
    const struct wcts_load_node *root;
    int errors = diagnostics->errors;

    *profile = (struct wcts_profile){.shipped = shipped, .arena = arena};
    profile->path = wcts_arena_string(arena, path, strlen(path));
    profile->exprs = own.exprs = wcts_arena_alloc(arena, sizeof *own.exprs);
    wcts_lang_exprs_init(profile->exprs);
    wcts_digest_init(&digest);
    root = wcts_load_xml_read(&xml, profile->path, roots);
    wcts_digest_end(&digest, profile->digest);
    if (root) {
        profile->name = wcts_load_node_value(root, "name");
        profile->title = wcts_load_node_value(root, "title");
        profile->about = wcts_load_node_value(root, "about");
        load_entries(&loader, profile, root);
    }
    if (diagnostics->errors == errors)
        return profile;
    wcts_load_profile_free(profile);
    return NULL;
}

void wcts_load_profile_free(struct wcts_profile *profile)
{
    if (!profile)
        return;
    if (profile->exprs)
        wcts_lang_exprs_release(profile->exprs);
    wcts_arena_free(profile->arena);
}
