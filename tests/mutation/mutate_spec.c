/* SPDX-License-Identifier: MIT */
/*
 * Mutates the spec: for each rule, row, flag, version, alignment and outcome a copy of spec/ with
 * that one thing wrong. Each copy must be refused by lint, or turn a run against the emulator red
 * on the statement that was mutated. Prints a line for each that is neither, and a count.
 *
 * A mutant that asks for less is true of what conforms. It is noticed when an emulator with a fault
 * planted in its statement (FAULTS is the list, DIR holds the plug-ins) fares otherwise than with
 * the spec as it is.
 *
 * UNSEEN lists those that no run against an implementation that conforms can tell from the spec,
 * each with the reason: "RULE: MUTATION" on a line, after a line of reason that begins with #. One
 * that is listed and noticed all the same fails, so that the list stays true.
 *
 *   mutate_spec TOOL SPEC_DIR CASES_DIR SCRATCH_DIR [-j N] [-v] [-u UNSEEN] [FILTER]
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_ROOM 4096

static const char *tool, *spec_dir, *cases_dir, *scratch, *filter = "";
static int jobs = 1;
static bool verbose;

/* ---- Versions ---- */

static const char *versions[64];
static int version_count;

static void read_versions(void)
{
    char path[PATH_ROOM];
    xmlDocPtr doc;
    snprintf(path, sizeof path, "%s/versions.xml", spec_dir);
    doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
    for (xmlNodePtr n = doc ? xmlDocGetRootElement(doc)->children : NULL; n; n = n->next)
        if (n->type == XML_ELEMENT_NODE && version_count < 64)
            versions[version_count++] = (const char *)xmlGetProp(n, BAD_CAST "name");
    xmlFreeDoc(doc);
}

/* The version step places from name, NULL when there is none. */
static const char *version_near(const char *name, int step)
{
    for (int i = 0; i < version_count; i++)
        if (strcmp(versions[i], name) == 0)
            return i + step >= 0 && i + step < version_count ? versions[i + step] : NULL;
    return NULL;
}

/* ---- Mutations ---- */

/* A mutation of one node; variant counts from 0. Returns false when there is no such variant. */
typedef bool mutate_fn(xmlNodePtr node, int variant);

static bool is(xmlNodePtr node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static char *get(xmlNodePtr node, const char *name)
{
    return (char *)xmlGetProp(node, BAD_CAST name);
}

static void set(xmlNodePtr node, const char *name, const char *value)
{
    xmlSetProp(node, BAD_CAST name, BAD_CAST value);
}

static xmlNodePtr following(xmlNodePtr node, xmlNodePtr root)
{
    if (node->children)
        return node->children;
    while (node != root && !node->next)
        node = node->parent;
    return node == root ? NULL : node->next;
}

static bool same_value(xmlNodePtr a, xmlNodePtr b, const char *name)
{
    char *x = get(a, name), *y = get(b, name);
    bool same = x && y ? strcmp(x, y) == 0 : !x && !y;
    xmlFree(x);
    xmlFree(y);
    return same;
}

static bool has_value(xmlNodePtr node, const char *name, const char *wanted)
{
    char *value = get(node, name);
    bool has = value && strcmp(value, wanted) == 0;
    xmlFree(value);
    return has;
}

static bool removes(xmlNodePtr node, int variant)
{
    bool condition = is(node, "match") || (is(node, "when") && is(node->parent, "effect"));
    if (variant > 0 || !(is(node, "rule") || is(node, "effect") || is(node, "row") ||
                         is(node, "flag") || is(node, "open") || is(node, "at") || condition))
        return false;
    xmlUnlinkNode(node);
    xmlFreeNode(node);
    return true;
}

static const char *const version_attributes[] = {"since", "until"};

/* Only statements that rules inherit their versions from. */
static bool has_versions(xmlNodePtr node)
{
    if (is(node, "flag") || is(node, "rule") || is(node, "effect") || is(node, "table"))
        return true;
    if (!is(node, "statement"))
        return false;
    for (xmlNodePtr n = node->children; n; n = n->next)
        if (is(n, "rule") || is(n, "effect"))
            return true;
    return false;
}

static bool moves_version(xmlNodePtr node, int variant)
{
    const char *attribute = version_attributes[variant / 2 % 2];
    const char *near;
    char *value;
    if (variant >= 4 || !has_versions(node))
        return false;
    value = get(node, attribute);
    near = value ? version_near(value, variant % 2 ? 1 : -1) : NULL;
    if (near)
        set(node, attribute, near);
    else
        set(node, "unchanged", "");
    xmlFree(value);
    return true;
}

static bool drops_open(xmlNodePtr node, int variant)
{
    return variant == 0 && is(node, "flag") && xmlUnsetProp(node, BAD_CAST "open") == 0;
}

static xmlNodePtr next_named(xmlNodePtr node, const char *name)
{
    for (xmlNodePtr n = node->next; n; n = n->next)
        if (is(n, name))
            return n;
    return NULL;
}

static void exchange(xmlNodePtr a, xmlNodePtr b, const char *attribute)
{
    char *x = get(a, attribute), *y = get(b, attribute);
    if (x && y) {
        set(a, attribute, y);
        set(b, attribute, x);
    }
    xmlFree(x);
    xmlFree(y);
}

static void exchange_attributes(xmlNodePtr node, const char *a, const char *b)
{
    char *x = get(node, a), *y = get(node, b);
    set(node, a, y);
    set(node, b, x);
    xmlFree(x);
    xmlFree(y);
}

/* The bit of a flag with the next one's; its name with the next one's. */
static bool exchanges_flag(xmlNodePtr node, int variant)
{
    xmlNodePtr next = is(node, "flag") ? next_named(node, "flag") : NULL;
    if (!next || variant > 1)
        return false;
    exchange(node, next, variant ? "name" : "bit");
    return true;
}

static bool exchanges_row(xmlNodePtr node, int variant)
{
    xmlNodePtr next = is(node, "row") ? next_named(node, "row") : NULL;
    if (!next || variant > 0)
        return false;
    exchange(node, next, "values");
    return true;
}

static bool inverts_row(xmlNodePtr node, int variant)
{
    char *valid = is(node, "row") ? get(node, "valid") : NULL;
    if (!valid || variant > 0) {
        xmlFree(valid);
        return false;
    }
    set(node, "valid", strcmp(valid, "yes") == 0 ? "no" : "yes");
    xmlFree(valid);
    return true;
}

static bool inverts_outcome(xmlNodePtr node, int variant)
{
    char *outcome = is(node, "rule") || is(node, "row") ? get(node, "outcome") : NULL;
    if (!outcome || variant > 0) {
        xmlFree(outcome);
        return false;
    }
    set(node, "outcome", strcmp(outcome, "either") == 0 ? "refuse" : "either");
    xmlFree(outcome);
    return true;
}

/* What a form says turned round. */
static bool inverts_form(xmlNodePtr node, int variant)
{
    static const char *const pairs[][2] = {{"requires", "excludes"},
                                           {"nonzero", "zero"},
                                           {"zero", "nonzero"},
                                           {"excludes", "requires"}};
    if (variant > 0 || node->type != XML_ELEMENT_NODE)
        return false;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (!is(node, pairs[i][0]))
            continue;
        xmlNodeSetName(node, BAD_CAST pairs[i][1]);
        if (xmlHasProp(node, BAD_CAST "any"))
            exchange(node, node, "any");
        for (xmlAttrPtr a = node->properties; a; a = a->next) {
            const char *name = (const char *)a->name;
            if (strcmp(name, "any") == 0 || strcmp(name, "all") == 0) {
                char *value = get(node, name);
                set(node, "with", value);
                xmlUnsetProp(node, BAD_CAST(strcmp(name, "any") == 0 ? "any" : "all"));
                xmlFree(value);
                break;
            }
            if (strcmp(name, "with") == 0) {
                char *value = get(node, name);
                set(node, "any", value);
                xmlUnsetProp(node, BAD_CAST "with");
                xmlFree(value);
                break;
            }
        }
        return true;
    }
    return false;
}

/* One step up and down: powers of two for alignments, one for limits. */
static bool moves_number(xmlNodePtr node, int variant)
{
    static const char *const names[] = {"to", "max", "min", "equals", "offset", "width", "driver"};
    char *value, text[32], *end;
    unsigned long long number;
    const char *name = names[variant / 2 % 7];
    if (variant >= 14 || node->type != XML_ELEMENT_NODE || is(node, "statement"))
        return false;
    value = get(node, name);
    number = value ? strtoull(value, &end, 0) : 0;
    if (value && strcmp(value, "page") == 0)
        snprintf(text, sizeof text, "%d", variant % 2 ? 8192 : 2048);
    else if (!value || *end || end == value)
        snprintf(text, sizeof text, "%s", "");
    else if (variant < 2)
        snprintf(text, sizeof text, "%llu", variant % 2 ? number * 2 : number / 2);
    else
        snprintf(text, sizeof text, "%llu", variant % 2 ? number + 1 : number - 1);
    if (text[0] && (number || variant % 2 || strcmp(value, "page") == 0))
        set(node, name, text);
    else
        set(node, "unchanged", "");
    xmlFree(value);
    return true;
}

/* The flag's neighbour in its word, in the same document or interface.xml. */
static const char *neighbour(xmlDocPtr doc, const char *flag)
{
    static char found[128];
    for (xmlNodePtr w = xmlDocGetRootElement(doc)->children; w; w = w->next)
        for (xmlNodePtr f = is(w, "word") ? w->children : NULL; f; f = f->next) {
            char *name = is(f, "flag") ? get(f, "name") : NULL;
            xmlNodePtr next = name ? next_named(f, "flag") : NULL;
            bool here = name && strcmp(name, flag) == 0;
            char *other = here && next ? get(next, "name") : NULL;
            xmlFree(name);
            if (!here)
                continue;
            if (!other)
                for (xmlNodePtr p = f->prev; p && !other; p = p->prev)
                    other = is(p, "flag") ? get(p, "name") : NULL;
            if (!other)
                return NULL;
            snprintf(found, sizeof found, "%s", other);
            xmlFree(other);
            return found;
        }
    return NULL;
}

/* In one reference of one attribute the flag is exchanged for its neighbour. */
static bool exchanges_reference(xmlNodePtr node, int variant)
{
    static const char *const names[] = {"fact",    "any",        "all",     "with",
                                        "columns", "no-segment", "segment", "flags"};
    int seen = 0;
    if (node->type != XML_ELEMENT_NODE || is(node, "statement"))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *value = get(node, names[i]);
        char *copy = value ? strdup(value) : NULL, *save = NULL;
        for (char *word = copy ? strtok_r(copy, " ", &save) : NULL; word;
             word = strtok_r(NULL, " ", &save)) {
            char *dot = strrchr(word, '.');
            const char *other = dot ? neighbour(node->doc, dot + 1) : NULL;
            char *made;
            size_t at = (size_t)(word - copy);
            if (!other || seen++ != variant)
                continue;
            if (asprintf(&made, "%.*s%s%s", (int)(at + (size_t)(dot + 1 - word)), value, other,
                         value + at + strlen(word)) > 0)
                set(node, names[i], made);
            free(made);
            free(copy);
            xmlFree(value);
            return true;
        }
        free(copy);
        xmlFree(value);
    }
    return false;
}

static bool exchanges_words(xmlNodePtr node, int variant)
{
    static const struct {
        const char *attribute, *from, *to;
    } words[] = {{"is", "set", "clear"},
                 {"is", "clear", "set"},
                 {"is", "zero", "nonzero"},
                 {"is", "nonzero", "zero"},
                 {"kind", "zero", "no-access"},
                 {"kind", "allocation", "device"},
                 {"kind", "resource", "allocation"},
                 {"not", "unreserved", "invalid"},
                 {"not", "invalid", "zero"},
                 {"unreserved", "ignore", NULL}};
    char *value;
    if (variant >= (int)(sizeof words / sizeof *words) || node->type != XML_ELEMENT_NODE)
        return false;
    value = get(node, words[variant].attribute);
    if (value && strcmp(value, words[variant].from) == 0) {
        if (words[variant].to)
            set(node, words[variant].attribute, words[variant].to);
        else
            xmlUnsetProp(node, BAD_CAST words[variant].attribute);
    } else {
        set(node, "unchanged", "");
    }
    xmlFree(value);
    return true;
}

/* What an effect says of pages, one thing otherwise. */
static bool changes_effect(xmlNodePtr node, int variant)
{
    static const struct {
        const char *attribute, *from, *to;
    } changes[] = {{"state", "mapped", "zero"},
                   {"state", "zero", "invalid"},
                   {"state", "invalid", "mapped"},
                   {"from", NULL, "SizeInBytes"},
                   {"each", NULL, "SizeInBytes"},
                   {"linear", NULL, NULL},
                   {"copy", NULL, "DestAddress"},
                   {"source", "mapped", "unreserved"},
                   {"source", "zero invalid", "unreserved"},
                   {"refused", NULL, NULL},
                   {"protection", NULL, "SizeInBytes"},
                   {"driver", NULL, "SizeInBytes"},
                   {"of", NULL, "SizeInBytes"}};
    char *value;
    if (variant >= (int)(sizeof changes / sizeof *changes) || !is(node, "pages") ||
        !is(node->parent, "effect"))
        return false;
    value = get(node, changes[variant].attribute);
    if (!value || (changes[variant].from && strcmp(value, changes[variant].from) != 0))
        set(node, "unchanged", "");
    else if (changes[variant].to)
        set(node, changes[variant].attribute, changes[variant].to);
    else
        xmlUnsetProp(node, BAD_CAST changes[variant].attribute);
    xmlFree(value);
    return true;
}

static bool is_effect_form(xmlNodePtr node)
{
    return node->type == XML_ELEMENT_NODE && node->parent && is(node->parent, "effect") &&
           !is(node, "when") && !is(node, "pages");
}

static void rename_attribute(xmlNodePtr node, const char *from, const char *to)
{
    char *value = get(node, from);
    set(node, to, value);
    xmlUnsetProp(node, BAD_CAST from);
    xmlFree(value);
}

/* The turns that have a name. */
#define TURN_MIN 4
#define TURN_PLUS 8

/* What an effect says of a record turned round: its verb, its check, what comes first. */
static bool turns_effect(xmlNodePtr node, int variant)
{
    static const char *const turns[][2] = {
        {"accepted", "refused"}, {"refused", "accepted"}, {"equals", "differs"},
        {"differs", "equals"},   {"min", "max"},          {"max", "min"},
        {"held", "released"},    {"released", "held"},    {"plus", NULL},
        {"rounded", NULL},       {"never", NULL},
    };
    if (variant > (int)(sizeof turns / sizeof *turns) || !is_effect_form(node))
        return false;
    if (variant == (int)(sizeof turns / sizeof *turns)) {
        if (xmlHasProp(node, BAD_CAST "first"))
            exchange_attributes(node, "first", "operation");
        else
            set(node, "unchanged", "");
    } else if (!xmlHasProp(node, BAD_CAST turns[variant][0])) {
        set(node, "unchanged", "");
    } else if (turns[variant][1]) {
        rename_attribute(node, turns[variant][0], turns[variant][1]);
    } else {
        xmlUnsetProp(node, BAD_CAST turns[variant][0]);
    }
    return true;
}

/* A word of an effect, or of a row, for another. */
static bool exchanges_content(xmlNodePtr node, int variant)
{
    static const struct {
        const char *attribute, *from, *to;
    } changes[] = {
        {"content", "zero", "written"},     {"content", "written", "zero"},
        {"column", "standby", "hibernate"}, {"column", "hibernate", "standby"},
        {"side", "before", "after"},        {"side", "after", "before"},
        {"standby", "kept", "purged"},      {"standby", "purged", "kept"},
        {"hibernate", "kept", "purged"},    {"hibernate", "purged", "partly"},
        {"hibernate", "partly", "kept"},    {"hibernate", "purged", "kept"},
        {"hibernate", "partly", "purged"},
    };
    char *value;
    if (variant >= (int)(sizeof changes / sizeof *changes) ||
        !(is_effect_form(node) || is(node, "row")))
        return false;
    value = get(node, changes[variant].attribute);
    set(node,
        value && strcmp(value, changes[variant].from) == 0 ? changes[variant].attribute
                                                           : "unchanged",
        changes[variant].to);
    xmlFree(value);
    return true;
}

/* The member behind this one, or before it when it is the last, of its structure in interface.xml;
 * the caller frees it. */
static char *member_near(const char *structure, const char *member)
{
    static xmlDocPtr doc;
    char path[PATH_ROOM], *found = NULL;
    snprintf(path, sizeof path, "%s/interface.xml", spec_dir);
    if (!doc)
        doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
    for (xmlNodePtr s = doc ? xmlDocGetRootElement(doc)->children : NULL; s && !found;
         s = s->next) {
        char *name = is(s, "structure") ? get(s, "name") : NULL;
        for (xmlNodePtr m = name && strcmp(name, structure) == 0 ? s->children : NULL; m && !found;
             m = m->next) {
            char *own = is(m, "member") ? get(m, "name") : NULL;
            xmlNodePtr next = own && strcmp(own, member) == 0 ? next_named(m, "member") : NULL;
            found = next ? get(next, "name") : NULL;
            xmlFree(own);
        }
        xmlFree(name);
    }
    return found;
}

/* Whether a layout puts two members at one place: what is in a union has two names. */
static bool same_place(xmlDocPtr doc, const char *a, const char *b)
{
    xmlNodePtr root = xmlDocGetRootElement(doc);
    for (xmlNodePtr n = root; n; n = following(n, root)) {
        if (!is(n, "at") || !has_value(n, "member", a))
            continue;
        for (xmlNodePtr m = n->parent->children; m; m = m->next)
            if (is(m, "at") && has_value(m, "member", b))
                return same_value(n, m, "offset");
    }
    return false;
}

#define MEMBER_MIN 4 /* of the names below */

/* In the last step of a way the member is exchanged for the next one of its structure. */
static bool exchanges_member(xmlNodePtr node, int variant)
{
    static const char *const names[] = {"member", "equals", "in", "to", "min", "max", "plus"};
    char *value, *last, *dot, *other = NULL, *made = NULL, structure[128];
    char *on;
    if (variant >= (int)(sizeof names / sizeof *names) || !is_effect_form(node))
        return false;
    /* That a member is zero, or not, is true of many. */
    if (xmlHasProp(node, BAD_CAST "is")) {
        set(node, "unchanged", "");
        return true;
    }
    value = get(node, names[variant]);
    last = value ? strrchr(value, '/') : NULL;
    last = last ? last + 1 : value;
    while (last && strchr(last, ':'))
        last = strchr(last, ':') + 1;
    dot = last ? strchr(last, '.') : NULL;
    on = get(node->parent, "on");
    if (dot && !strchr(dot + 1, '.')) {
        snprintf(structure, sizeof structure, "%.*s", (int)(dot - last), last);
        other = member_near(structure, dot + 1);
        if (other && !same_place(node->doc, dot + 1, other) &&
            asprintf(&made, "%.*s%s", (int)(dot + 1 - value), value, other) > 0)
            set(node, names[variant], made);
    } else if (last && !dot && (last[0] < '0' || last[0] > '9') && on) {
        other = member_near(on, last);
        if (other && asprintf(&made, "%.*s%s", (int)(last - value), value, other) > 0)
            set(node, names[variant], made);
    }
    if (!made)
        set(node, "unchanged", "");
    free(made);
    xmlFree(other);
    xmlFree(on);
    xmlFree(value);
    return true;
}

static const struct {
    const char *name;
    mutate_fn *mutate;
} mutations[] = {
    {"turn effect", turns_effect},
    {"exchange content", exchanges_content},
    {"exchange member", exchanges_member},
    {"change effect", changes_effect},
    {"remove", removes},
    {"move version", moves_version},
    {"drop open", drops_open},
    {"exchange flag", exchanges_flag},
    {"exchange row", exchanges_row},
    {"invert row", inverts_row},
    {"invert outcome", inverts_outcome},
    {"invert form", inverts_form},
    {"move number", moves_number},
    {"exchange reference", exchanges_reference},
    {"exchange word", exchanges_words},
};
#define MUTATION_COUNT ((int)(sizeof mutations / sizeof *mutations))

/* ---- Documents ---- */

static xmlDocPtr docs[64];
static char doc_files[64][256];
static int doc_count;

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_documents(void)
{
    struct dirent **entries;
    int count = scandir(spec_dir, &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        size_t length = strlen(name);
        char path[PATH_ROOM + 300];
        xmlDocPtr doc = NULL;
        snprintf(path, sizeof path, "%s/%s", spec_dir, name);
        if (length > 4 && strcmp(name + length - 4, ".xml") == 0)
            doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
        if (doc && is(xmlDocGetRootElement(doc), "spec") && doc_count < 64) {
            snprintf(doc_files[doc_count], sizeof doc_files[0], "%s", name);
            docs[doc_count++] = doc;
        } else {
            xmlFreeDoc(doc);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static xmlDocPtr document(const char *file)
{
    for (int i = 0; i < doc_count; i++)
        if (strcmp(doc_files[i], file) == 0)
            return docs[i];
    return NULL;
}

/* ---- Mutations that change nothing that can be seen ---- */

static xmlNodePtr effect_of(xmlNodePtr node)
{
    while (node && !(node->type == XML_ELEMENT_NODE && is(node, "effect")))
        node = node->parent;
    return node;
}

static xmlNodePtr first_element(xmlNodePtr node)
{
    while (node && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

static xmlNodePtr form_of(xmlNodePtr effect)
{
    xmlNodePtr n = first_element(effect->children);
    while (n && is(n, "when"))
        n = first_element(n->next);
    return n;
}

/* Whether accepting is asked for makes no difference to what is seen of a call that is accepted. */
static bool is_left_aside(const xmlChar *name, const char *but)
{
    return strcmp((const char *)name, but) == 0 || strcmp((const char *)name, "accepted") == 0;
}

static bool same_attributes(xmlNodePtr a, xmlNodePtr b, const char *but)
{
    for (xmlAttrPtr p = a->properties; p; p = p->next)
        if (!is_left_aside(p->name, but) && !same_value(a, b, (const char *)p->name))
            return false;
    for (xmlAttrPtr p = b->properties; p; p = p->next)
        if (!is_left_aside(p->name, but) && !same_value(a, b, (const char *)p->name))
            return false;
    return true;
}

/* Whether two elements say the same but for one condition, for which they say the opposite. */
static bool same_but(xmlNodePtr a, xmlNodePtr b, xmlNodePtr condition)
{
    xmlNodePtr x, y;
    if (strcmp((const char *)a->name, (const char *)b->name) != 0 ||
        !same_attributes(a, b,
                         a == condition    ? "is"
                         : is(a, "effect") ? "name"
                                           : ""))
        return false;
    if (a == condition)
        return !same_value(a, b, "is");
    x = first_element(a->children);
    y = first_element(b->children);
    for (; x && y; x = first_element(x->next), y = first_element(y->next))
        if (!same_but(x, y, condition))
            return false;
    return !x && !y;
}

/* Whether an effect says the same as another one, with no condition but some of its, without one.
 */
static bool says_it_of_more(xmlNodePtr effect, xmlNodePtr other, xmlNodePtr without)
{
    xmlNodePtr form = form_of(effect), same = form_of(other);
    if (!form || !same || !same_value(effect, other, "on") || !same_but(form, same, NULL))
        return false;
    for (xmlNodePtr n = other->children; n; n = n->next) {
        bool found = !is(n, "when");
        for (xmlNodePtr m = effect->children; m && !found; m = m->next)
            found = is(m, "when") && m != without && same_attributes(m, n, "");
        if (!found)
            return false;
    }
    return true;
}

/* Where the condition does not hold, too, another effect says the same, or says, of a message that
 * this one speaks of only if it comes, that none comes. */
static bool is_said_otherwise(xmlNodePtr condition, xmlNodePtr other)
{
    xmlNodePtr effect = effect_of(condition), form = form_of(effect), never = form_of(other);
    if (other == effect)
        return false;
    if (same_but(effect, other, condition) ||
        (is(condition, "when") && says_it_of_more(effect, other, condition)))
        return true;
    if (!is(condition, "when") || !form || !never || !is(never, "told") ||
        !xmlHasProp(form, BAD_CAST "every") || !xmlHasProp(never, BAD_CAST "never") ||
        !same_value(form, never, "operation") || !same_value(effect, other, "on"))
        return false;
    for (xmlNodePtr n = other->children; n; n = n->next)
        if (is(n, "when") && same_attributes(n, condition, "is") && !same_value(n, condition, "is"))
            return true;
    return false;
}

/* Whether an effect with the form of this one has no condition but one, which is the opposite of
 * the only one of another: the two of them say it of everything. */
static bool is_said_by_halves(xmlNodePtr effect)
{
    xmlNodePtr root = xmlDocGetRootElement(effect->doc);
    for (xmlNodePtr a = root; a; a = following(a, root)) {
        xmlNodePtr one = is(a, "effect") && a != effect ? first_element(a->children) : NULL;
        if (!one || !is(one, "when") || !same_value(a, effect, "on") ||
            form_of(a) != first_element(one->next) || !same_but(form_of(a), form_of(effect), NULL))
            continue;
        for (xmlNodePtr b = root; b; b = following(b, root))
            if (is(b, "effect") && b != effect && same_but(a, b, one))
                return true;
    }
    return false;
}

static bool holds_either_way(xmlNodePtr condition)
{
    if (is(condition, "when") && form_of(effect_of(condition)) &&
        is_said_by_halves(effect_of(condition)))
        return true;
    for (int i = 0; i < doc_count; i++) {
        xmlNodePtr root = xmlDocGetRootElement(docs[i]);
        for (xmlNodePtr n = root; n; n = following(n, root))
            if (is(n, "effect") && is_said_otherwise(condition, n))
                return true;
    }
    return false;
}

/* Whether an effect says that a member of the reply is zero under nothing but the opposite of the
 * condition, or, when opposite is false, under a condition that this one leaves standing. */
static bool zero_under(xmlNodePtr condition, const char *member, bool opposite)
{
    xmlNodePtr effect = effect_of(condition);
    for (xmlNodePtr s = effect->parent->parent->children; s; s = s->next)
        for (xmlNodePtr e = is(s, "statement") ? s->children : NULL; e; e = e->next) {
            xmlNodePtr when = is(e, "effect") ? first_element(e->children) : NULL, form;
            if (!when || !is(when, "when") || !same_value(e, effect, "on"))
                continue;
            form = first_element(when->next);
            if (!form || !is(form, "reply") || !has_value(form, "is", "zero") ||
                !has_value(form, "member", member))
                continue;
            if (opposite && same_value(when, condition, "fact") &&
                !same_value(when, condition, "is"))
                return true;
            for (xmlNodePtr n = effect->children; n && !opposite; n = n->next)
                if (is(n, "when") && n != condition && same_attributes(n, when, ""))
                    return true;
        }
    return false;
}

static const char *last_member(const char *way)
{
    const char *slash = strrchr(way, '/'), *last = slash ? slash + 1 : way;
    const char *colon = strrchr(last, ':'), *dot;
    last = colon ? colon + 1 : last;
    dot = strchr(last, '.');
    return dot ? dot + 1 : last;
}

/* Without the condition the effect would speak of what a member of the reply names where that
 * member names nothing: it is zero there, as another effect says, or it is of another kind than
 * what is asked for. No record is about it, and what asks for it is refused at any rate. */
static bool names_nothing(xmlNodePtr condition)
{
    xmlNodePtr form = form_of(effect_of(condition));
    bool refused = form && is(form, "later") && xmlHasProp(form, BAD_CAST "refused");
    bool nothing = false;
    if (!form || !(refused || is(form, "bytes")) || !is(condition, "when"))
        return false;
    for (xmlNodePtr n = form->children; n && !nothing; n = n->next) {
        char *equals = is(n, "match") ? get(n, "equals") : NULL;
        char *member = is(n, "match") ? get(n, "member") : NULL;
        if (equals && member && strncmp(equals, "reply:h", 7) == 0) {
            const char *named = equals + strlen("reply:");
            nothing =
                zero_under(condition, named, true) ||
                (refused &&
                 (zero_under(condition, named, false) ||
                  (!strchr(member, '/') && strcmp(last_member(member), last_member(named)) != 0)));
        }
        xmlFree(equals);
        xmlFree(member);
    }
    return nothing;
}

/* The flag at the end of a reference that is asked whether it is set; NULL: none. */
static char *flag_set(xmlNodePtr condition)
{
    char *fact, *flag = NULL;
    if (!has_value(condition, "is", "set"))
        return NULL;
    fact = get(condition, xmlHasProp(condition, BAD_CAST "fact") ? "fact" : "member");
    if (fact && strrchr(fact, '.'))
        flag = strdup(strrchr(fact, '.') + 1);
    xmlFree(fact);
    return flag;
}

static bool ends_in(const char *reference, const char *flag)
{
    const char *dot = reference ? strrchr(reference, '.') : NULL;
    return dot && strcmp(dot + 1, flag) == 0;
}

/* Whether a rule of the document lets flag be set only with needed. */
static bool rule_requires(xmlDocPtr doc, const char *flag, const char *needed)
{
    bool found = false;
    for (xmlNodePtr n = xmlDocGetRootElement(doc); n && !found;
         n = following(n, xmlDocGetRootElement(doc))) {
        char *fact = is(n, "requires") ? get(n, "fact") : NULL;
        char *any = is(n, "requires") ? get(n, "any") : NULL;
        found = fact && any && !strchr(any, ' ') && ends_in(fact, flag) && ends_in(any, needed);
        xmlFree(fact);
        xmlFree(any);
    }
    return found;
}

/* A rule has another condition beside this one not hold without it. */
static bool is_required(xmlNodePtr condition)
{
    char *needed = flag_set(condition);
    bool required = false;
    for (xmlNodePtr n = condition->parent->children; needed && n && !required; n = n->next) {
        char *flag = n != condition && is(n, (const char *)condition->name) ? flag_set(n) : NULL;
        required = flag && rule_requires(condition->doc, flag, needed);
        free(flag);
    }
    free(needed);
    return required;
}

/* A match leads through a handle that, by a rule, no object has that was made without the flag. */
static bool handle_requires(xmlNodePtr condition)
{
    xmlNodePtr root = xmlDocGetRootElement(condition->doc);
    xmlNodePtr form = form_of(effect_of(condition));
    char *needed = is(condition, "when") ? flag_set(condition) : NULL;
    bool found = false;
    for (xmlNodePtr n = root; needed && form && n && !found; n = following(n, root)) {
        char *with = is(n, "handle") ? get(n, "with") : NULL;
        char *member = is(n, "handle") ? get(n, "member") : NULL;
        char *on = is(n, "handle") ? get(n->parent, "on") : NULL;
        char step[256];
        snprintf(step, sizeof step, "/%s.%s", on ? on : "", member ? member : "");
        for (xmlNodePtr m = form->children; with && ends_in(with, needed) && m; m = m->next) {
            char *way = is(m, "match") ? get(m, "member") : NULL;
            found = found || (way && strstr(way, step));
            xmlFree(way);
        }
        xmlFree(with);
        xmlFree(member);
        xmlFree(on);
    }
    free(needed);
    return found;
}

/* With fewer matches an effect that asks for one message among many asks for less: what keeps the
 * whole of it keeps that as well. */
static bool asks_less(xmlNodePtr condition)
{
    xmlNodePtr form = condition->parent;
    return is(condition, "match") && is(form, "told") && !xmlHasProp(form, BAD_CAST "never") &&
           !xmlHasProp(form, BAD_CAST "every");
}

/* What differs is another object than the one that the effect is about. What comes of that one
 * itself the documents leave alone: there it may be the same. */
static bool leaves_itself_out(xmlNodePtr condition)
{
    return xmlHasProp(condition, BAD_CAST "differs") && !xmlHasProp(condition, BAD_CAST "is");
}

/* What lies on a line may come in one message, which lies on any line: only who breaks the effect
 * has to send several. */
static bool is_one_message(xmlNodePtr node)
{
    xmlNodePtr form = is(node, "match") ? node->parent : node;
    return is(form, "told") && xmlHasProp(form, BAD_CAST "along");
}

/* A pointer is asked about beside the size of what it leads to: there is nothing there unless both
 * are given, and a call that gives a size only is refused. */
static bool is_pointer_with_size(xmlNodePtr condition)
{
    char *own = is(condition, "when") ? get(condition, "member") : NULL;
    bool found = false;
    for (xmlNodePtr n = condition->parent->children; own && n && !found; n = n->next) {
        char *other = n != condition && is(n, "when") ? get(n, "member") : NULL;
        const char *pointer = own[0] == 'p' ? own : other, *size = own[0] == 'p' ? other : own;
        size_t length = pointer ? strlen(pointer) : 0;
        found = other && length > 1 && pointer[0] == 'p' &&
                strncmp(size, pointer + 1, length - 1) == 0 &&
                strcmp(size + length - 1, "Size") == 0 &&
                (own[0] == 'p' || has_value(condition, "is", "zero"));
        xmlFree(other);
    }
    xmlFree(own);
    return found;
}

/* Another condition follows the handle, or the segment, that this one says is not zero: 0 leads
 * nowhere, so that one does not hold either. */
static bool is_followed(xmlNodePtr condition)
{
    char *own = has_value(condition, "is", "nonzero") ? get(condition, "member") : NULL;
    bool found = false;
    for (xmlNodePtr n = condition->parent->children; own && n && !found; n = n->next) {
        char *way = n != condition && is(n, (const char *)condition->name)
                        ? get(n, xmlHasProp(n, BAD_CAST "fact") ? "fact" : "member")
                        : NULL;
        found = way && strncmp(way, own, strlen(own)) == 0 && way[strlen(own)] == '/';
        xmlFree(way);
    }
    xmlFree(own);
    return found;
}

/* The condition is about the segments that an allocation may be in, the match about the one that it
 * goes to: it goes to no other, as AIN-041 says. */
static bool is_of_segment(xmlNodePtr condition)
{
    char *flag = is(condition, "when") ? get(condition, "segment") : NULL;
    xmlNodePtr form = form_of(effect_of(condition));
    bool found = false;
    for (xmlNodePtr n = flag && form ? form->children : NULL; n && !found; n = n->next) {
        char *way = is(n, "match") && has_value(n, "is", "set") ? get(n, "member") : NULL;
        const char *last = way ? strrchr(way, '/') : NULL;
        found = last && strcmp(last + 1, flag) == 0;
        xmlFree(way);
    }
    xmlFree(flag);
    return found;
}

/* What the check allows of the value that is there where the condition does not hold: an offset of
 * 0, in no segment, is a multiple of all; a hint of 0, or one that was not followed, says nothing;
 * a length of 0 begins nothing again. */
static bool allows_rest(xmlNodePtr condition)
{
    xmlNodePtr form = form_of(effect_of(condition));
    char *member = get(condition, "member");
    bool allows = form && member &&
                  (xmlHasProp(form, BAD_CAST "bank") ||
                   (is(form, "placed") && xmlHasProp(form, BAD_CAST "to") &&
                    has_value(condition, "is", "nonzero") && strstr(member, ".SegmentId")) ||
                   has_value(form, "each", member));
    xmlFree(member);
    return allows;
}

/* A driver says once what it does: no call of a scenario is on the other side of that. */
static bool is_of_driver(xmlNodePtr condition)
{
    char *way = is(condition, "when") ? get(condition, "member") : NULL;
    bool driver = way && strstr(way, "/DRIVER_INFO.");
    xmlFree(way);
    return driver;
}

/* The buffer that a match names says by itself whether it was filled by rendering or for paging. */
static bool is_of_buffer(xmlNodePtr condition)
{
    xmlNodePtr form = form_of(effect_of(condition));
    char *fact = is(condition, "when") ? get(condition, "fact") : NULL;
    bool found = false;
    for (xmlNodePtr n = form ? form->children : NULL; fact && n && !found; n = n->next) {
        char *way = is(n, "match") ? get(n, "member") : NULL;
        found = way && ends_in(fact, "Paging") && strncmp(way, "DRIVER_", 7) == 0 &&
                ends_in(way, "pDmaBuffer");
        xmlFree(way);
    }
    xmlFree(fact);
    return found;
}

/* A kernel may give all buffers one size: what covers one of them covers any. */
static bool is_of_size(xmlNodePtr condition)
{
    char *member = get(condition, "member"), *min = get(condition->parent, "min");
    bool size = is(condition, "match") && is(condition->parent, "patch") && member && min &&
                ends_in(member, "pDmaBuffer") && strcmp(min + strlen(min) - 4, "Size") == 0;
    xmlFree(member);
    xmlFree(min);
    return size;
}

/* Power that is given or taken submits no work: all that the driver is asked meanwhile is paging,
 * and nothing when the system wakes. */
static bool is_of_power(xmlNodePtr condition)
{
    xmlNodePtr effect = effect_of(condition), form = form_of(effect);
    return form && is(form, "told") && has_value(effect, "on", "KERNEL_POWER");
}

/* A kernel may page for a submission in the name of the one who made it. */
static bool is_of_submitter(xmlNodePtr condition)
{
    char *member = is(condition, "match") ? get(condition, "member") : NULL;
    char *named = get(condition->parent, "member");
    bool paging = member && named && is(condition->parent, "told") && ends_in(member, "Paging") &&
                  (ends_in(named, "hDevice") || ends_in(named, "hContext"));
    xmlFree(member);
    xmlFree(named);
    return paging;
}

/* A rule keeps a member zero for what no segment of a sort supports, and another condition has it
 * in a segment of that sort. */
static bool is_unsupported(xmlNodePtr condition)
{
    char *way = is(condition, "when") && has_value(condition, "is", "nonzero")
                    ? get(condition, "member")
                    : NULL;
    bool found = false;
    for (int i = 0; way && i < doc_count; i++) {
        xmlNodePtr root = xmlDocGetRootElement(docs[i]);
        for (xmlNodePtr n = root; n && !found; n = following(n, root)) {
            xmlNodePtr when = is(n, "zero") ? first_element(n->parent->children) : NULL;
            char *member = when ? get(n, "member") : NULL;
            char *sort = when ? get(when, "no-segment") : NULL;
            for (xmlNodePtr c = condition->parent->children; member && sort && c; c = c->next) {
                char *flag = is(c, "when") ? flag_set(c) : NULL;
                found = found || (flag && ends_in(way, member) && ends_in(sort, flag));
                free(flag);
            }
            xmlFree(member);
            xmlFree(sort);
        }
    }
    xmlFree(way);
    return found;
}

/* What one call does to pages is looked for in calls that vary what the effect names: a member that
 * it no longer names is not varied. */
static bool is_varied(xmlNodePtr condition)
{
    xmlNodePtr form = form_of(effect_of(condition));
    return form && is(form, "pages");
}

/* A kernel may patch each buffer as soon as it was filled, and submit it as soon as it was patched:
 * the nearest record is then that of the same buffer. */
static bool is_of_nearest(xmlNodePtr condition)
{
    char *member = is(condition, "match") && is(condition->parent, "patch") &&
                           !xmlHasProp(condition->parent, BAD_CAST "every")
                       ? get(condition, "member")
                       : NULL;
    bool nearest = member && (strcmp(member, "DRIVER_SUBMIT.SubmissionFenceId") == 0 ||
                              strcmp(member, "DRIVER_PAGING.pDmaBuffer") == 0);
    xmlFree(member);
    return nearest;
}

/* A message that is never to come and one that does not come for another reason look alike: with
 * another number or word the effect looks for one of the latter. */
static bool looks_for_none(xmlNodePtr condition)
{
    return is(condition, "match") && xmlHasProp(condition->parent, BAD_CAST "never");
}

/* An aperture is filled by mapping alone, and memory by moving alone: of a segment whose sort a
 * match asks for there is no message that another match would have to leave out. */
static bool is_of_sort(xmlNodePtr condition)
{
    char *own = get(condition, "member");
    bool found = false;
    for (xmlNodePtr n = condition->parent->children; n && !found; n = n->next) {
        char *way = n != condition && is(n, "match") ? get(n, "member") : NULL;
        found = way && own && looks_for_none(condition) && strchr(way, '/') &&
                ends_in(way, "Aperture") && !ends_in(own, "Aperture");
        xmlFree(way);
    }
    xmlFree(own);
    return found;
}

static bool is_refusal(xmlNodePtr condition)
{
    xmlNodePtr form = form_of(effect_of(condition));
    return form && xmlHasProp(form, BAD_CAST "refused");
}

/* What the machine is asked of memory within a call it is asked for an element of that call, and
 * what the driver is asked within an eviction, for the allocation that is evicted. The effect
 * speaks of each of them: it has nothing to say of all together that it does not say of each. */
static bool is_of_element(xmlNodePtr condition)
{
    char *member = is(condition, "match") ? get(condition, "member") : NULL;
    bool machine = is(condition->parent, "machine") ||
                   has_value(condition->parent, "operation", "MACHINE_SECURE");
    bool range = member && strncmp(member, "MACHINE_RANGE.", 14) == 0;
    bool evicted = member && strcmp(member, "DRIVER_PAGING.hAllocation") == 0 &&
                   has_value(effect_of(condition), "on", "KERNEL_EVICT");
    xmlFree(member);
    return (machine && range) || evicted;
}

/* Whether a rule of a document wants a member, of which the condition says that it is not zero, so.
 */
static bool rule_wants(xmlNodePtr condition, xmlDocPtr doc)
{
    xmlNodePtr root = xmlDocGetRootElement(doc);
    char *way = is(condition, "when") && has_value(condition, "is", "nonzero")
                    ? get(condition, "member")
                    : NULL;
    const char *last = way && strrchr(way, ':') ? strrchr(way, ':') + 1 : way;
    bool wants = false;
    for (xmlNodePtr n = root; last && n && !wants; n = following(n, root)) {
        char *member = is(n, "nonzero") ? get(n, "member") : NULL;
        char *on = is(n, "nonzero") ? get(n->parent, "on") : NULL;
        char whole[256];
        snprintf(whole, sizeof whole, "%s.%s", on ? on : "", member ? member : "");
        wants = strcmp(last, whole) == 0;
        xmlFree(member);
        xmlFree(on);
    }
    xmlFree(way);
    return wants;
}

static bool any_rule_wants(xmlNodePtr condition)
{
    bool wants = false;
    for (int i = 0; i < doc_count; i++)
        wants = wants || rule_wants(condition, docs[i]);
    return wants;
}

/* A kernel may give buffers just the size that the driver was told, which is then at least and at
 * most that; and what is not less than a sum is not less than a part of it. */
static bool covers(xmlNodePtr form, int variant)
{
    char *min = is(form, "patch") ? get(form, "min") : NULL;
    bool size =
        min && strncmp(min, "DRIVER_", 7) == 0 && strcmp(min + strlen(min) - 4, "Size") == 0;
    bool sum = min && xmlHasProp(form, BAD_CAST "plus");
    xmlFree(min);
    return (size && variant == TURN_MIN) || (sum && variant == TURN_PLUS);
}

/* Whether the spec says the same, of all that can come about, without a condition of an effect. */
static bool says_the_same(xmlNodePtr node, mutate_fn *mutate, int variant)
{
    bool condition = (is(node, "match") || is(node, "when")) && effect_of(node);
    if (mutate == exchanges_member)
        return is_one_message(node) || (variant == MEMBER_MIN && covers(node, TURN_MIN));
    if (mutate == turns_effect)
        return covers(node, variant);
    if (!condition)
        return false;
    if (mutate == exchanges_reference && has_value(node, "is", "clear"))
        return is_refusal(node) && names_nothing(node);
    if (mutate == moves_number)
        return looks_for_none(node);
    if (mutate == exchanges_words)
        return looks_for_none(node) || (is(node, "match") && holds_either_way(node));
    return mutate == removes &&
           (asks_less(node) || leaves_itself_out(node) || holds_either_way(node) ||
            names_nothing(node) || is_required(node) || handle_requires(node) ||
            is_of_element(node) || any_rule_wants(node) || is_one_message(node) ||
            is_pointer_with_size(node) || is_followed(node) || is_of_segment(node) ||
            allows_rest(node) || is_of_driver(node) || is_of_buffer(node) || is_of_size(node) ||
            is_of_sort(node) || is_of_power(node) || is_of_nearest(node) || is_of_submitter(node) ||
            is_varied(node) || is_unsupported(node));
}

/* ---- One mutant ---- */

struct mutant {
    char file[256];
    int node; /* in document order */
    int mutation, variant;
    long line;
    char statements[128]; /* ids that it concerns, space separated */
    char what[320];
};

static struct mutant *mutants;
static int mutant_count;

static xmlNodePtr node_number(xmlDocPtr doc, int number)
{
    xmlNodePtr root = xmlDocGetRootElement(doc);
    for (xmlNodePtr n = root; n; n = following(n, root))
        if (n->type == XML_ELEMENT_NODE && number-- == 0)
            return n;
    return NULL;
}

/* The statements of a table: those of its rows. */
static void add_rows(xmlNodePtr table, char *ids, size_t room)
{
    for (xmlNodePtr n = table->children; n; n = n->next) {
        char *value = is(n, "row") ? get(n, "statements") : NULL;
        size_t used = strlen(ids);
        if (value)
            snprintf(ids + used, room - used, "%s%s", used ? " " : "", value);
        xmlFree(value);
    }
}

/* The statements that a node is about: its own, its rule's, those of its row, its word. */
static void statements_of(xmlNodePtr node, char *ids, size_t room)
{
    ids[0] = 0;
    for (xmlNodePtr n = node; n && n->type == XML_ELEMENT_NODE; n = n->parent) {
        const char *attribute = is(n, "statement") ? "id"
                                : is(n, "row")     ? "statements"
                                : is(n, "word")    ? "statement"
                                                   : NULL;
        char *value = attribute ? get(n, attribute) : NULL;
        if (is(n, "table"))
            add_rows(n, ids, room);
        if (!value)
            continue;
        snprintf(ids, room, "%s", value);
        xmlFree(value);
        return;
    }
}

/* The rule or effect, as in the list of statements, that the node is part of. */
static void name_rule(xmlNodePtr node, const char *statements, char *name, size_t room)
{
    char *own = NULL;
    while (node && node->type == XML_ELEMENT_NODE && !is(node, "rule") && !is(node, "effect"))
        node = node->parent;
    if (node && node->type == XML_ELEMENT_NODE)
        own = get(node, "name");
    snprintf(name, room, "%s%s%s", statements, own ? "." : "", own ? own : "");
    xmlFree(own);
}

static void describe(struct mutant *mutant, xmlNodePtr node)
{
    static const char *const names[] = {"name", "fact", "member", "operation"};
    char rule[192], *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !name; i++)
        name = get(node, names[i]);
    name_rule(node, mutant->statements, rule, sizeof rule);
    snprintf(mutant->what, sizeof mutant->what, "%s: %s %d of <%s%s%s>", rule,
             mutations[mutant->mutation].name, mutant->variant, (const char *)node->name,
             name ? " " : "", name ? name : "");
    xmlFree(name);
}

/* Applies a mutant to a fresh copy. */
static xmlDocPtr apply(xmlDocPtr doc, const struct mutant *mutant)
{
    xmlDocPtr copy = xmlCopyDoc(doc, 1);
    mutations[mutant->mutation].mutate(node_number(copy, mutant->node), mutant->variant);
    return copy;
}

static void keep(const struct mutant *mutant)
{
    mutants = realloc(mutants, (size_t)(mutant_count + 1) * sizeof *mutants);
    if (!mutants)
        abort();
    mutants[mutant_count++] = *mutant;
}

/* Keeps the variants of one mutation of one node. A copy serves until a variant changes it. */
static void collect_variants(xmlDocPtr doc, xmlDocPtr *copy, struct mutant *mutant)
{
    mutate_fn *mutate = mutations[mutant->mutation].mutate;
    xmlNodePtr node = node_number(*copy, mutant->node);
    for (mutant->variant = 0; mutate(node, mutant->variant); mutant->variant++) {
        if (mutate != removes && xmlUnsetProp(node, BAD_CAST "unchanged") == 0)
            continue;
        if (says_the_same(node_number(doc, mutant->node), mutate, mutant->variant)) {
            xmlFreeDoc(*copy);
            *copy = xmlCopyDoc(doc, 1);
            node = node_number(*copy, mutant->node);
            continue;
        }
        xmlFreeDoc(*copy);
        *copy = xmlCopyDoc(doc, 1);
        node = node_number(*copy, mutant->node);
        describe(mutant, node);
        keep(mutant);
    }
}

static void collect(const char *file, xmlDocPtr doc)
{
    xmlDocPtr copy = xmlCopyDoc(doc, 1);
    for (int n = 0;; n++) {
        struct mutant mutant = {.node = n};
        xmlNodePtr node = node_number(doc, n);
        if (!node)
            break;
        snprintf(mutant.file, sizeof mutant.file, "%s", file);
        mutant.line = xmlGetLineNo(node);
        statements_of(node, mutant.statements, sizeof mutant.statements);
        for (mutant.mutation = 0; mutant.mutation < MUTATION_COUNT; mutant.mutation++)
            collect_variants(doc, &copy, &mutant);
    }
    xmlFreeDoc(copy);
}

/* ---- Trying a mutant ---- */

static void link_spec(const char *dir, const char *but)
{
    struct dirent **entries;
    int count = scandir(spec_dir, &entries, NULL, by_name);
    char real[PATH_ROOM];
    if (!realpath(spec_dir, real))
        abort();
    for (int i = 0; i < count; i++) {
        char from[PATH_ROOM + 300], to[PATH_ROOM + 300];
        snprintf(from, sizeof from, "%s/%s", real, entries[i]->d_name);
        snprintf(to, sizeof to, "%s/%s", dir, entries[i]->d_name);
        unlink(to);
        if (entries[i]->d_name[0] != '.' && strcmp(entries[i]->d_name, but) != 0 &&
            symlink(from, to) != 0 && errno != EEXIST)
            perror(to);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* The cases of the statements: no other can turn red on them. */
static void pattern_of(const char *statements, char *pattern, size_t room)
{
    snprintf(pattern, room, "^(%s)[./]", statements);
    for (char *at = pattern; *at; at++)
        if (*at == ' ')
            *at = '|';
}

static int run_tool(const char *dir, const char *implementation, const char *level,
                    const char *statements)
{
    char spec[PATH_ROOM], out[PATH_ROOM], log[PATH_ROOM], pattern[256];
    int status;
    pid_t child;
    snprintf(spec, sizeof spec, "%s/spec", dir);
    snprintf(out, sizeof out, "%s/out", dir);
    snprintf(log, sizeof log, "%s/log", dir);
    pattern_of(statements, pattern, sizeof pattern);
    if ((size_t)snprintf(log, sizeof log, "%s/out/verdicts.txt", dir) < sizeof log)
        unlink(log);
    snprintf(log, sizeof log, "%s/log", dir);
    child = fork();
    if (child == 0) {
        int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(file, 1);
        dup2(file, 2);
        execl(tool, tool, "run", "--spec-dir", spec, "--cases-dir", cases_dir, "--impl",
              implementation, "--level", level, "--filter", pattern, "--out", out, "-q", "-j", "1",
              (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Whether a case that did not pass belongs to one of the statements. An effect that a scenario
 * expects and does not show has been noticed, too: nothing is skipped against the emulator. */
static bool red_on(const char *dir, const char *statements, char *id, size_t room)
{
    char path[PATH_ROOM], line[2048];
    bool red = false;
    FILE *file;
    snprintf(path, sizeof path, "%s/out/verdicts.txt", dir);
    file = fopen(path, "r");
    while (file && !red && fgets(line, sizeof line, file)) {
        char *save, *verdict = strtok_r(line, "\t\n", &save), *one = strtok_r(NULL, "\t\n", &save);
        size_t length = one ? strcspn(one, "./") : 0;
        if (!verdict || !one || strcmp(verdict, "pass") == 0 ||
            (strcmp(verdict, "skip") == 0 &&
             (!strstr(one, "/scenario/") || strstr(save, "STRICT is claimed"))))
            continue;
        for (const char *at = statements; *at; at += strcspn(at, " "), at += *at == ' ')
            if (strncmp(at, one, length) == 0 && (at[length] == ' ' || at[length] == 0))
                red = true;
        snprintf(id, room, "%s", one);
    }
    if (file)
        fclose(file);
    return red;
}

/* ---- Against planted faults ---- */

/* A line of tests/faults/faults: NAME | FILE | STATEMENTS | COMMAND. */
struct fault {
    char name[64], statements[256];
};

static const char *faults_dir;
static struct fault *faults;
static int fault_count;

static bool read_faults(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    if (!file) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, file)) {
        struct fault fault;
        if (line[0] == '#' ||
            sscanf(line, "%63s | %*s | %255[^|]", fault.name, fault.statements) != 2)
            continue;
        faults = realloc(faults, (size_t)(fault_count + 1) * sizeof *faults);
        if (!faults)
            abort();
        faults[fault_count++] = fault;
    }
    fclose(file);
    return true;
}

static bool concerns(const struct fault *fault, const char *statements)
{
    for (const char *at = statements; *at; at += strcspn(at, " "), at += *at == ' ') {
        size_t length = strcspn(at, " ");
        const char *found = strstr(fault->statements, at);
        if (length == strlen(at)
                ? found != NULL
                : memmem(fault->statements, strlen(fault->statements), at, length) != NULL)
            return true;
    }
    return false;
}

/* The verdicts of the rules of the last run, one line for each that is not all pass. */
static void red_rules(const char *dir, char *rules, size_t room)
{
    char path[PATH_ROOM], line[2048];
    size_t used = 0;
    FILE *file;
    rules[0] = 0;
    snprintf(path, sizeof path, "%s/out/verdicts.txt", dir);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        char *save, *verdict = strtok_r(line, "\t\n", &save), *one = strtok_r(NULL, "\t\n", &save);
        char entry[160];
        if (!one || strcmp(verdict, "pass") == 0 || strcmp(verdict, "skip") == 0)
            continue;
        snprintf(entry, sizeof entry, " %.150s", one);
        if (used + strlen(entry) < room)
            used += (size_t)snprintf(rules + used, room - used, "%s", entry);
    }
    if (file)
        fclose(file);
}

/* Whether an implementation with a fault in one of the statements fares otherwise with the mutant
 * than with the spec as it is: a rule that asks for less lets the fault through. */
static bool lets_fault_through(const char *dir, const struct mutant *mutant, char *id, size_t room)
{
    static char with[65536], without[65536];
    char spec[PATH_ROOM], own[PATH_ROOM + 300], real[PATH_ROOM], implementation[PATH_ROOM];
    bool differs = false;
    snprintf(spec, sizeof spec, "%s/spec", dir);
    for (int i = 0; i < fault_count && !differs; i++) {
        if (!concerns(&faults[i], mutant->statements))
            continue;
        if ((size_t)snprintf(implementation, sizeof implementation, "%s/%s.so", faults_dir,
                             faults[i].name) >= sizeof implementation)
            return false;
        run_tool(dir, implementation, "strict", mutant->statements);
        red_rules(dir, with, sizeof with);
        /* The same with the spec as it is. */
        snprintf(own, sizeof own, "%s/%s", spec, mutant->file);
        snprintf(real, sizeof real, "%s.mutant", dir);
        if (rename(own, real) != 0)
            return false;
        link_spec(spec, "");
        run_tool(dir, implementation, "strict", mutant->statements);
        red_rules(dir, without, sizeof without);
        unlink(own);
        if (rename(real, own) != 0)
            return false;
        differs = strcmp(with, without) != 0;
        snprintf(id, room, "%s", faults[i].name);
    }
    return differs;
}

/* Returns NULL when nothing noticed the mutant, else how it was noticed. */
static const char *try_mutant(const char *dir, const struct mutant *mutant, char *id, size_t room)
{
    static const char *const runs[][2] = {{"emulator,strict", "strict"}, {"emulator", "strict"}};
    char path[PATH_ROOM + 300];
    const char *noticed = NULL;
    xmlDocPtr changed;
    id[0] = 0;
    changed = apply(document(mutant->file), mutant);
    snprintf(path, sizeof path, "%s/spec/%s", dir, mutant->file);
    unlink(path);
    xmlSaveFormatFile(path, changed, 0);
    xmlFreeDoc(changed);
    for (int i = 0; i < 2 && !noticed; i++) {
        int code = run_tool(dir, runs[i][0], runs[i][1], mutant->statements);
        if (code == 2)
            noticed = "lint";
        else if (code > 3)
            noticed = NULL;
        else if (red_on(dir, mutant->statements, id, room))
            noticed = "red";
    }
    if (!noticed && faults_dir && lets_fault_through(dir, mutant, id, room))
        noticed = "fault";
    unlink(path);
    return noticed;
}

/* ---- Those that cannot be seen ---- */

static char **unseen;
static int unseen_count;

static bool read_unseen(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512];
    if (!file) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (!line[0] || line[0] == '#')
            continue;
        unseen = realloc(unseen, (size_t)(unseen_count + 1) * sizeof *unseen);
        if (!unseen || !(unseen[unseen_count++] = strdup(line)))
            abort();
    }
    fclose(file);
    return true;
}

static bool is_unseen(const char *what)
{
    for (int i = 0; i < unseen_count; i++)
        if (strcmp(unseen[i], what) == 0)
            return true;
    return false;
}

/* How many lines of the list are of no mutant. */
static int stray_lines(void)
{
    int stray = 0;
    for (int i = 0; i < unseen_count; i++) {
        bool found = false;
        for (int j = 0; j < mutant_count && !found; j++)
            found = strcmp(unseen[i], mutants[j].what) == 0;
        if (!found)
            printf("STRAY %s\n", unseen[i]);
        stray += !found;
    }
    return stray;
}

/* Tries every jobs-th mutant; returns how many were not noticed, or are listed as unseen and were.
 */
static int work(int worker)
{
    char dir[PATH_ROOM - 64], spec[PATH_ROOM];
    int failed = 0;
    snprintf(dir, sizeof dir, "%s/worker%d", scratch, worker);
    snprintf(spec, sizeof spec, "%s/spec", dir);
    mkdir(dir, 0755);
    mkdir(spec, 0755);
    for (int i = worker; i < mutant_count; i += jobs) {
        const struct mutant *mutant = &mutants[i];
        char id[512];
        const char *noticed, *word;
        bool wrong;
        if (filter[0] && !strstr(mutant->statements, filter) && !strstr(mutant->what, filter))
            continue;
        link_spec(spec, mutant->file);
        noticed = try_mutant(dir, mutant, id, sizeof id);
        wrong = !noticed != is_unseen(mutant->what);
        word = !noticed ? wrong ? "SURVIVED" : "unseen" : wrong ? "NOTICED" : noticed;
        if (wrong || verbose)
            printf("%s %s:%ld: %s%s%s\n", word, mutant->file, mutant->line, mutant->what,
                   id[0] ? ": " : "", id);
        fflush(stdout);
        failed += wrong;
    }
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    if (argc < 5) {
        fprintf(stderr, "usage: mutate_spec TOOL SPEC_DIR CASES_DIR SCRATCH_DIR [-j N] [-v] "
                        "[-f FAULTS DIR] [-u UNSEEN] [FILTER]\n");
        return 2;
    }
    tool = argv[1];
    spec_dir = argv[2];
    cases_dir = argv[3];
    scratch = argv[4];
    for (int i = 5; i < argc; i++) {
        if (strcmp(argv[i], "-j") == 0 && i + 1 < argc)
            jobs = atoi(argv[++i]) > 0 ? atoi(argv[i]) : 1;
        else if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else if (strcmp(argv[i], "-f") == 0 && i + 2 < argc) {
            if (!read_faults(argv[++i]))
                return 2;
            faults_dir = argv[++i];
        } else if (strcmp(argv[i], "-u") == 0 && i + 1 < argc) {
            if (!read_unseen(argv[++i]))
                return 2;
        } else
            filter = argv[i];
    }
    mkdir(scratch, 0755);
    read_versions();
    read_documents();
    for (int i = 0; i < doc_count; i++)
        collect(doc_files[i], docs[i]);
    failed = stray_lines();
    fflush(stdout);
    for (int i = 0; i < jobs; i++)
        if (fork() == 0) {
            int left = work(i);
            _exit(left > 250 ? 250 : left);
        }
    for (int i = 0, status; i < jobs; i++)
        if (wait(&status) > 0)
            failed += WIFEXITED(status) ? WEXITSTATUS(status) : mutant_count;
    printf("%d passed, %d failed\n", mutant_count - failed, failed);
    return failed != 0 || mutant_count == 0;
}
