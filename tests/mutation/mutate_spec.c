/* SPDX-License-Identifier: MIT */
/*
 * Mutates the spec: for each rule, row, flag, version, alignment and outcome a copy of spec/ with
 * that one thing wrong. Each copy must be refused by lint, or turn a run against the emulator red
 * on the statement that was mutated. Prints a line for each that is neither, and a count.
 *
 * What neither shows is tried on more: every scenario is made to expect the mutated effect, and
 * the sequences of the document are walked. Each case must fare as with the spec as it is.
 *
 * A mutant that asks for less is true of what conforms, and one that asks for more may be true of
 * the emulator. So they are tried on the emulator with each fault that it has in the statement
 * (wddm-cts faults), and with each choice that does otherwise what the documents leave open:
 * CHOICES is a list of them.
 *
 * UNSEEN lists those that nothing can tell from the spec, each with the reason: "RULE: MUTATION" on
 * a line, after a line of reason that begins with #. One that is listed and noticed all the same
 * fails, so that the list stays true. FILTER: a part of a statement or of such a line; only those
 * are tried and counted. N and SEED: N of these are tried, drawn by the seed, which is any text;
 * none that is listed, since each of those takes as long as hundreds of others.
 *
 *   mutate_spec TOOL SPEC_DIR CASES_DIR SCRATCH_DIR [-j N] [-v] [-c CHOICES] [-u UNSEEN]
 *               [--sample N] [--seed SEED] [FILTER]
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_ROOM 4096

static const char *tool, *spec_dir, *cases_dir, *scratch, *filter = "", *seed = "1";
static int jobs = 1, sample;
static bool verbose;

/* Writes a path; one that is too long ends the program. */
static void make_path(char path[PATH_ROOM], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(path, PATH_ROOM, format, arguments) >= PATH_ROOM)
        abort();
    va_end(arguments);
}

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

static bool has_value(xmlNodePtr node, const char *name, const char *wanted)
{
    char *value = get(node, name);
    bool has = value && strcmp(value, wanted) == 0;
    xmlFree(value);
    return has;
}

static void rename_attribute(xmlNodePtr node, const char *from, const char *to)
{
    char *value = get(node, from);
    set(node, to, value);
    xmlUnsetProp(node, BAD_CAST from);
    xmlFree(value);
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

/* The outcome of a rule is the name of the attribute that has its breach. */
static bool inverts_outcome(xmlNodePtr node, int variant)
{
    bool rule = is(node, "rule"), either = xmlHasProp(node, BAD_CAST(rule ? "either" : "outcome"));
    const char *from = either                                ? "either"
                       : xmlHasProp(node, BAD_CAST "assert") ? "assert"
                                                             : "refuse";
    if (variant > 0 || !(rule || is(node, "row")))
        return false;
    if (!rule && !either)
        return false;
    if (!rule)
        set(node, "outcome", has_value(node, "outcome", "either") ? "refuse" : "either");
    else if (xmlHasProp(node, BAD_CAST from))
        rename_attribute(node, from, either ? "refuse" : "either");
    else
        return false;
    return true;
}

/* ---- expressions ---- */

static const char *const expression_attributes[] = {"when", "refuse", "assert", "either", "unless"};
#define EXPRESSION_ATTRIBUTES (sizeof expression_attributes / sizeof *expression_attributes)

/* A token of an expression: a name, a number or a sign. */
static size_t token_length(const char *text)
{
    size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                 "0123456789_./");
    if (length == 0)
        length = strspn(text, "<>=!");
    return length > 0 ? length : 1;
}

/* The n-th text that a token may be exchanged for, in a buffer; false: there are fewer. what is
 * before the token decides what a number is. */
static bool exchange_token(xmlDocPtr doc, const char *token, bool modulus, int n, char made[256])
{
    static const char *const words[][2] = {{"and", "or"},
                                           {"or", "and"},
                                           {"=", "!="},
                                           {"!=", "="},
                                           {"<", "<="},
                                           {"<=", "<"},
                                           {">", ">="},
                                           {">=", ">"},
                                           {"some", "each"},
                                           {"each", "some"},
                                           {"not", ""},
                                           {"range", "reserved"},
                                           {"reserved", "range"},
                                           {"no_access", "zero"},
                                           {"unreserved", "invalid"},
                                           {"invalid", "zero"},
                                           {"allocation", "device"},
                                           {"resource", "allocation"}};
    const char *dot = strrchr(token, '.'), *other = dot ? neighbour(doc, dot + 1) : NULL;
    char *end;
    unsigned long long number = strtoull(token, &end, 0);
    if (strcmp(token, "page") == 0)
        return n < 2 && snprintf(made, 256, "%d", n ? 8192 : 2048) > 0;
    if (end > token && *end == '\0' && (number || n > 0))
        return n < 2 && snprintf(made, 256, "%llu",
                                 modulus ? (n ? number * 2 : number / 2)
                                 : n     ? number + 1
                                         : number - 1) > 0;
    if (other)
        return n < 1 && snprintf(made, 256, "%.*s%s", (int)(dot + 1 - token), token, other) > 0;
    for (size_t i = 0; i < sizeof words / sizeof *words && n == 0; i++)
        if (strcmp(token, words[i][0]) == 0)
            return snprintf(made, 256, "%s", words[i][1]) >= 0;
    return false;
}

/* In an expression one token is exchanged for another; *left counts down to the variant. */
static bool changes_text(xmlNodePtr node, const char *attribute, int *left)
{
    char *value = get(node, attribute), token[256], made[256], *text = NULL;
    bool modulus = false;
    for (const char *at = value; at && *at && !text;) {
        size_t length = token_length(at);
        snprintf(token, sizeof token, "%.*s", (int)length, at);
        for (int n = 0; !text && exchange_token(node->doc, token, modulus, n, made); n++)
            if ((*left)-- == 0 &&
                asprintf(&text, "%.*s%s%s", (int)(at - value), value, made, at + length) < 0)
                abort();
        modulus = strcmp(token, "mod") == 0 || (modulus && token[0] == ' ');
        at += length;
    }
    if (text)
        set(node, attribute, text);
    free(text);
    xmlFree(value);
    return text != NULL;
}

/* An expression is its contrary; a condition or an excuse is left out; a token is another. */
static bool changes_expression(xmlNodePtr node, int variant)
{
    int left = variant;
    if (!is(node, "rule") && !is(node, "open"))
        return false;
    for (size_t i = 0; i < EXPRESSION_ATTRIBUTES; i++) {
        const char *attribute = expression_attributes[i];
        char *value = get(node, attribute), *not = NULL;
        bool extra = value && (i == 0 || i + 1 == EXPRESSION_ATTRIBUTES) && is(node, "rule");
        bool done = true;
        if (!value)
            continue;
        if (left == 0) {
            if (asprintf(&not, "not (%s)", value) < 0)
                abort();
            set(node, attribute, not );
            free(not );
        } else if (extra && left == 1) {
            xmlUnsetProp(node, BAD_CAST attribute);
        } else {
            left -= 1 + extra;
            done = changes_text(node, attribute, &left);
        }
        xmlFree(value);
        if (done)
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

/* In one reference of one attribute the flag is exchanged for its neighbour. */
static bool exchanges_reference(xmlNodePtr node, int variant)
{
    static const char *const names[] = {"fact", "columns", "no-segment", "segment", "flags"};
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
                 {"is", "nonzero", "zero"}};
    char *value;
    if (variant >= (int)(sizeof words / sizeof *words) || node->type != XML_ELEMENT_NODE)
        return false;
    value = get(node, words[variant].attribute);
    if (value && strcmp(value, words[variant].from) == 0)
        set(node, words[variant].attribute, words[variant].to);
    else
        set(node, "unchanged", "");
    xmlFree(value);
    return true;
}

/* A word of a row for another. */
static bool exchanges_content(xmlNodePtr node, int variant)
{
    static const struct {
        const char *attribute, *from, *to;
    } changes[] = {
        {"standby", "kept", "purged"},     {"standby", "purged", "kept"},
        {"hibernate", "kept", "purged"},   {"hibernate", "purged", "partly"},
        {"hibernate", "partly", "kept"},   {"hibernate", "purged", "kept"},
        {"hibernate", "partly", "purged"},
    };
    char *value;
    if (variant >= (int)(sizeof changes / sizeof *changes) || !is(node, "row"))
        return false;
    value = get(node, changes[variant].attribute);
    set(node,
        value && strcmp(value, changes[variant].from) == 0 ? changes[variant].attribute
                                                           : "unchanged",
        changes[variant].to);
    xmlFree(value);
    return true;
}

static const struct {
    const char *name;
    mutate_fn *mutate;
} mutations[] = {
    {"exchange content", exchanges_content},
    {"remove", removes},
    {"move version", moves_version},
    {"drop open", drops_open},
    {"exchange flag", exchanges_flag},
    {"exchange row", exchanges_row},
    {"invert row", inverts_row},
    {"invert outcome", inverts_outcome},
    {"change expression", changes_expression},
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

/* ---- One mutant ---- */

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

/* What an effect says, behind its conditions. */
static xmlNodePtr form_of(xmlNodePtr effect)
{
    xmlNodePtr n = first_element(effect->children);
    while (n && is(n, "when"))
        n = first_element(n->next);
    return n;
}

struct mutant {
    char file[256];
    int node; /* in document order */
    int mutation, variant;
    long line;
    char statements[128]; /* ids that it concerns, space separated */
    char what[320];
    char effect[192]; /* the effect that it is in, when scenarios can show it, else empty */
    bool pages;       /* it is in one that sequences show */
    bool chosen;      /* to be tried */
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
    xmlNodePtr form;
    for (size_t i = 0; i < sizeof names / sizeof *names && !name; i++)
        name = get(node, names[i]);
    name_rule(node, mutant->statements, rule, sizeof rule);
    form = effect_of(node) && node != effect_of(node) ? form_of(effect_of(node)) : NULL;
    mutant->pages = form && is(form, "pages");
    snprintf(mutant->effect, sizeof mutant->effect, "%s", form && !mutant->pages ? rule : "");
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

/* Longer than any run takes: one that hangs is ended, and its mutant not noticed. */
#define RUN_SECONDS 600

/* What is run, and held against what. */
struct trial {
    char cases[PATH_ROOM], filter[512];
    char key[256]; /* names what the spec as it is makes of it */
};

static int run_tool(const char *dir, const char *implementation, const char *level,
                    const struct trial *trial)
{
    char spec[PATH_ROOM], out[PATH_ROOM], log[PATH_ROOM];
    int status;
    pid_t child;
    make_path(spec, "%s/spec", dir);
    make_path(out, "%s/out", dir);
    make_path(log, "%s/out/verdicts.txt", dir);
    unlink(log);
    make_path(log, "%s/log", dir);
    child = fork();
    if (child == 0) {
        int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(file, 1);
        dup2(file, 2);
        alarm(RUN_SECONDS);
        execl(tool, tool, "run", "--spec-dir", spec, "--cases-dir", trial->cases, "--impl",
              implementation, "--level", level, "--filter", trial->filter, "--out", out, "-q", "-j",
              "1", (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* The cases of the statements: no other can turn red on them. */
static void try_statements(struct trial *trial, const char *statements)
{
    make_path(trial->cases, "%s", cases_dir);
    snprintf(trial->filter, sizeof trial->filter, "^(%s)[./]", statements);
    for (char *at = trial->filter; *at; at++)
        if (*at == ' ')
            *at = '|';
    snprintf(trial->key, sizeof trial->key, "%s", statements);
    for (char *at = trial->key; *at; at++)
        if (*at == ' ')
            *at = '+';
}

/* Whether a case that did not pass belongs to one of the statements. An effect that a scenario
 * expects and does not show has been noticed, too: nothing is skipped against the emulator. */
static bool red_on(const char *dir, const char *statements, char *id, size_t room)
{
    char path[PATH_ROOM], line[2048];
    bool red = false;
    FILE *file;
    make_path(path, "%s/out/verdicts.txt", dir);
    file = fopen(path, "r");
    while (file && !red && fgets(line, sizeof line, file)) {
        char *save, *verdict = strtok_r(line, "\t\n", &save), *one = strtok_r(NULL, "\t\n", &save);
        size_t length = one ? strcspn(one, "./") : 0;
        if (!verdict || !one || strcmp(verdict, "pass") == 0 ||
            (strcmp(verdict, "skip") == 0 &&
             (!strstr(one, "/scenario/") || strstr(save, "breaks advice"))))
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

/* ---- Against faults, and what is left open ---- */

/* Another implementation: the emulator with a fault of `wddm-cts faults`, or with a choice that
 * does otherwise what the statements leave open (a line of tests/faults/choices: NAME |
 * STATEMENTS). */
struct rival {
    char implementation[512], name[64], statements[256];
};

static struct rival *rivals;
static int rival_count;

static void keep_rival(const struct rival *rival)
{
    rivals = realloc(rivals, (size_t)(rival_count + 1) * sizeof *rivals);
    if (!rivals)
        abort();
    rivals[rival_count++] = *rival;
}

static bool read_choices(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[4096];
    if (!file) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, file)) {
        struct rival rival;
        if (line[0] == '#' || sscanf(line, "%63s | %255[^|\n]", rival.name, rival.statements) != 2)
            continue;
        snprintf(rival.implementation, sizeof rival.implementation, "emulator,choice=%s",
                 rival.name);
        keep_rival(&rival);
    }
    fclose(file);
    return true;
}

/* Reads the line "ID  KIND  FILE:LINE", behind which "with strict" stands when it takes that. Such
 * a fault is of the statement that its id begins with. */
static void read_fault(const char *line)
{
    struct rival rival;
    size_t length = strcspn(line, " \n");
    if (line[0] < 'A' || line[0] > 'Z' || length >= sizeof rival.name)
        return;
    snprintf(rival.name, sizeof rival.name, "%.*s", (int)length, line);
    snprintf(rival.statements, sizeof rival.statements, "%.*s", (int)strcspn(rival.name, ".+"),
             rival.name);
    snprintf(rival.implementation, sizeof rival.implementation, "emulator,%sfault=%s",
             strstr(line, "with strict") ? "strict," : "", rival.name);
    keep_rival(&rival);
}

/* Reads the line "    also STATEMENT: WHY" below the one of a fault. */
static void read_also(const char *line)
{
    struct rival *rival = &rivals[rival_count - 1];
    size_t used = strlen(rival->statements);
    snprintf(rival->statements + used, sizeof rival->statements - used, " %.*s",
             (int)strcspn(line, ":"), line);
}

/* Reads the faults that the tool lists. */
static bool read_faults(void)
{
    static const char also[] = "    also ";
    char command[PATH_ROOM], line[1024];
    FILE *list;
    make_path(command, "'%s' faults", tool);
    list = popen(command, "r");
    while (list && fgets(line, sizeof line, list)) {
        if (strncmp(line, also, strlen(also)) == 0 && rival_count > 0)
            read_also(line + strlen(also));
        else if (!strstr(line, "  none: "))
            read_fault(line);
    }
    if (list && pclose(list) == 0 && rival_count > 0)
        return true;
    fprintf(stderr, "mutate_spec: %s faults: no fault is listed\n", tool);
    return false;
}

static bool concerns(const struct rival *rival, const char *statements)
{
    for (const char *at = statements; *at; at += strcspn(at, " "), at += *at == ' ')
        if (memmem(rival->statements, strlen(rival->statements), at, strcspn(at, " ")))
            return true;
    return false;
}

/* The file's whole text, NULL when it cannot be read; the caller frees it. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!file)
        return NULL;
    if (getdelim(&text, &size, 0, file) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    return text;
}

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool written = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && written;
}

/* What the last run made of each case, without the reasons; the caller frees it. */
static char *verdicts_of(const char *dir)
{
    char path[PATH_ROOM], *text, *to;
    bool keep = true;
    int tabs = 0;
    make_path(path, "%s/out/verdicts.txt", dir);
    text = to = read_text(path);
    for (const char *at = text; at && *at; at++) {
        tabs = *at == '\n' ? 0 : tabs + (*at == '\t');
        keep = tabs < 2;
        if (keep)
            *to++ = *at;
    }
    if (text)
        *to = 0;
    return text;
}

/* What the spec as it is makes of the trial; computed once for all workers. The caller frees it. */
static char *verdicts_as_it_is(const char *dir, const char *implementation, const char *name,
                               const struct trial *trial)
{
    char path[PATH_ROOM], own[PATH_ROOM], plain[PATH_ROOM], spec[PATH_ROOM];
    char *verdicts;
    make_path(path, "%s/as-it-is/%s.%s", scratch, trial->key, name);
    verdicts = read_text(path);
    if (verdicts)
        return verdicts;
    make_path(plain, "%s/plain", dir);
    make_path(spec, "%s/spec", plain);
    mkdir(plain, 0755);
    mkdir(spec, 0755);
    link_spec(spec, "");
    run_tool(plain, implementation, "strict", trial);
    verdicts = verdicts_of(plain);
    make_path(own, "%s.%d", path, (int)getpid());
    if (verdicts && (!write_text(own, verdicts) || rename(own, path) != 0))
        perror(path);
    return verdicts;
}

/* Whether a line of verdicts has its like, or another verdict of the same case, among others. */
static bool is_answered(const char *line, size_t length, const char *others)
{
    const char *id = memchr(line, '\t', length), *found = others;
    size_t own = id ? length - (size_t)(id - line) : 0;
    bool quiet = strncmp(line, "pass", 4) == 0 || strncmp(line, "skip", 4) == 0;
    while (id && (found = memmem(found, strlen(found), id, own))) {
        if (found[own] == '\n')
            return (size_t)(found - others) >= (size_t)(id - line) &&
                   strncmp(found - (id - line), line, (size_t)(id - line)) == 0;
        found++;
    }
    return quiet;
}

/* Whether a case fares otherwise. One that only one of the two has counts when it is not well. */
static bool differ(const char *with, const char *without)
{
    for (int i = 0; i < 2; i++) {
        const char *lines = i ? without : with, *others = i ? with : without;
        for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
            length = strcspn(lines, "\n");
            if (!is_answered(lines, length, others))
                return true;
        }
    }
    return false;
}

/* Whether an implementation fares otherwise with the mutant than with the spec as it is. */
static bool fares_otherwise(const char *dir, const char *implementation, const char *name,
                            const struct trial *trial)
{
    char *without = verdicts_as_it_is(dir, implementation, name, trial), *with = NULL;
    bool differs;
    int code = run_tool(dir, implementation, "strict", trial);
    if (code <= 3 && code != 2)
        with = verdicts_of(dir);
    differs = with && without && differ(with, without);
    free(with);
    free(without);
    return differs;
}

static bool is_of_document(const struct rival *rival, const char *statements)
{
    return strncmp(rival->statements, statements, strcspn(statements, "-") + 1) == 0;
}

/* Whether an implementation with a fault in one of the statements, or one that takes something
 * otherwise that they leave open, fares otherwise; not concerned: one with a fault in another
 * statement of the document, which a mutant may blame for it. */
static bool tells_others(const char *dir, const struct mutant *mutant, const struct trial *trial,
                         bool concerned, char *id, size_t room)
{
    bool differs = false;
    for (int i = 0; i < rival_count && !differs; i++) {
        if (concerns(&rivals[i], mutant->statements) != concerned ||
            (!concerned && !is_of_document(&rivals[i], mutant->statements)))
            continue;
        differs = fares_otherwise(dir, rivals[i].implementation, rivals[i].name, trial);
        snprintf(id, room, "%s", differs ? rivals[i].name : "");
    }
    return differs;
}

/* ---- Scenarios that all expect one effect ---- */

static struct {
    char name[256], *text;
} case_files[64];
static int case_file_count;

static bool read_cases(void)
{
    struct dirent **entries;
    int count = scandir(cases_dir, &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        char path[PATH_ROOM];
        make_path(path, "%s/%s", cases_dir, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && case_file_count < 64) {
            snprintf(case_files[case_file_count].name, sizeof case_files[0].name, "%s",
                     entries[i]->d_name);
            case_files[case_file_count].text = read_text(path);
            case_file_count += case_files[case_file_count].text != NULL;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return case_file_count > 0;
}

/* Whether the list of an attribute has the name of the effect. */
static bool expects(const char *list, const char *effect)
{
    size_t length = strcspn(list, "\""), own = strlen(effect);
    for (const char *at = list; (at = memmem(at, length - (size_t)(at - list), effect, own));
         at += own)
        if (strchr("\" \n", at[-1]) && strchr("\" \n", at[own]))
            return true;
    return false;
}

/* Writes the text up to the list of effects that a scenario expects, and the effect if the list
 * does not have it. */
static void write_expected(FILE *file, const char *text, const char *list, const char *effect,
                           const char *left_out_names)
{
    static const char begin[] = "<scenario name=\"";
    const char *name = NULL;
    char quoted[256];
    fwrite(text, 1, (size_t)(list - text), file);
    for (const char *at = text; (at = strstr(at, begin)) && at < list;)
        name = at += strlen(begin);
    if (!name)
        return;
    snprintf(quoted, sizeof quoted, "\"%.*s\"", (int)strcspn(name, "\""), name);
    if (!strstr(left_out_names, quoted) && !expects(list, effect))
        fprintf(file, "%s ", effect);
}

static bool write_cases(const char *dir, const char *effect, const char *left_out_names)
{
    static const char expect[] = " expect=\"";
    for (int i = 0; i < case_file_count; i++) {
        char path[PATH_ROOM];
        const char *text = case_files[i].text;
        FILE *file;
        make_path(path, "%s/%s", dir, case_files[i].name);
        file = fopen(path, "w");
        if (!file)
            return false;
        for (const char *at; (at = strstr(text, expect)); text = at) {
            at += strlen(expect);
            write_expected(file, text, at, effect, left_out_names);
        }
        fputs(text, file);
        if (fclose(file) != 0)
            return false;
    }
    return true;
}

/* Adds to names those of the scenarios of which the tool said that they are not there when the
 * effect is; false when it named none. */
static bool note_others(const char *dir, char *names, size_t room)
{
    char path[PATH_ROOM], *log;
    size_t used = strlen(names), before = used;
    make_path(path, "%s/log", dir);
    log = read_text(path);
    for (const char *at = log; at && (at = strstr(at, "scenario \"")); at++) {
        size_t length = strcspn(at + strlen("scenario \""), "\"") + 2;
        if (used + length + 1 < room)
            used += (size_t)snprintf(names + used, room - used, "%.*s", (int)length,
                                     at + strlen("scenario "));
    }
    free(log);
    return used > before;
}

/* Has every scenario, of those that are there at one of its versions, expect the effect: what it
 * says without one of its conditions shows where nobody would look for it. False: it cannot be. */
static bool try_everywhere(const char *dir, const char *effect, struct trial *trial)
{
    static char names[65536], known[256];
    char plain[PATH_ROOM], spec[PATH_ROOM];
    int code = 2;
    make_path(trial->cases, "%s/cases", dir);
    snprintf(trial->filter, sizeof trial->filter, "^%s/", effect);
    snprintf(trial->key, sizeof trial->key, "everywhere-%s", effect);
    if (strcmp(known, effect) == 0)
        return true;
    make_path(plain, "%s/plain", dir);
    make_path(spec, "%s/spec", plain);
    mkdir(trial->cases, 0755);
    mkdir(plain, 0755);
    mkdir(spec, 0755);
    link_spec(spec, "");
    names[0] = known[0] = 0;
    for (int i = 0; i < 4 && code == 2; i++) {
        if (!write_cases(trial->cases, effect, names))
            return false;
        code = run_tool(plain, "emulator", "strict", trial);
        if (code == 2 && !note_others(plain, names, sizeof names))
            return false;
    }
    snprintf(known, sizeof known, "%s", effect);
    return code != 2;
}

/* The statements and the sequences of their document, in which the effects on pages show that no
 * call varies. */
static void try_sequences(struct trial *trial, const char *statements)
{
    int prefix = (int)strcspn(statements, "-");
    try_statements(trial, statements);
    snprintf(trial->filter, sizeof trial->filter, "^(%.*s/|%s[./])", prefix, statements,
             statements);
    snprintf(trial->key, sizeof trial->key, "%s+%.*s", statements, prefix, statements);
}

/* True if lint refuses the spec of the directory. A run of some statements plans their rules alone,
 * and does not see what a mutant does to the others. */
static bool lint_refuses(const char *dir, const struct trial *trial)
{
    char command[4 * PATH_ROOM];
    snprintf(command, sizeof command,
             "'%s' lint -q --spec-dir '%s/spec' --cases-dir '%s' >/dev/null 2>&1", tool, dir,
             trial->cases);
    int status = system(command);
    return WIFEXITED(status) && WEXITSTATUS(status) == 2;
}

/* The two levels of the emulator. Returns NULL when neither noticed the mutant. */
static const char *try_levels(const char *dir, const struct mutant *mutant,
                              const struct trial *trial, char *id, size_t room)
{
    static const char *const implementations[] = {"emulator,strict", "emulator"};
    for (int i = 0; i < 2; i++) {
        int code = run_tool(dir, implementations[i], "strict", trial);
        if (code == 2)
            return "lint";
        if (code <= 3 && red_on(dir, mutant->statements, id, room))
            return "red";
    }
    return lint_refuses(dir, trial) ? "lint" : NULL;
}

/* Makes more of the trial of a mutant in an effect; false when there is no more. */
static bool widen(const char *dir, const struct mutant *mutant, struct trial *trial)
{
    if (mutant->pages)
        try_sequences(trial, mutant->statements);
    else if (!mutant->effect[0] || !try_everywhere(dir, mutant->effect, trial))
        try_statements(trial, mutant->statements);
    return mutant->pages || mutant->effect[0];
}

/* Returns NULL when nothing noticed the mutant, else how it was noticed. */
static const char *try_mutant(const char *dir, const struct mutant *mutant, char *id, size_t room)
{
    char path[PATH_ROOM];
    const char *noticed;
    struct trial trial;
    xmlDocPtr changed;
    id[0] = 0;
    changed = apply(document(mutant->file), mutant);
    make_path(path, "%s/spec/%s", dir, mutant->file);
    unlink(path);
    xmlSaveFormatFile(path, changed, 0);
    xmlFreeDoc(changed);
    try_statements(&trial, mutant->statements);
    noticed = try_levels(dir, mutant, &trial, id, room);
    if (!noticed && widen(dir, mutant, &trial) &&
        fares_otherwise(dir, "emulator", "emulator", &trial))
        noticed = "elsewhere";
    if (!noticed && (tells_others(dir, mutant, &trial, true, id, room) ||
                     tells_others(dir, mutant, &trial, false, id, room)))
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

/* Where a mutant stands among all in the order that the seed draws: FNV-1a, stirred. */
static uint64_t drawn_at(const struct mutant *mutant)
{
    const char *const texts[] = {seed, mutant->file, mutant->what};
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 3; i++)
        for (const char *at = texts[i];; at++) {
            hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
            if (!*at)
                break;
        }
    /* Two nodes of one rule may be named alike. */
    hash ^=
        (uint64_t)mutant->node << 32 ^ (uint64_t)mutant->mutation << 8 ^ (uint64_t)mutant->variant;
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 33;
}

static int by_draw(const void *a, const void *b)
{
    uint64_t x = drawn_at(*(struct mutant *const *)a), y = drawn_at(*(struct mutant *const *)b);
    return x < y ? -1 : x > y;
}

/* Chooses those that are tried; returns how many. */
static int choose(void)
{
    struct mutant **order = calloc((size_t)mutant_count + 1, sizeof *order);
    int count = 0;
    if (!order)
        abort();
    for (int i = 0; i < mutant_count; i++)
        if ((!filter[0] || strstr(mutants[i].statements, filter) ||
             strstr(mutants[i].what, filter)) &&
            !(sample > 0 && is_unseen(mutants[i].what)))
            order[count++] = &mutants[i];
    if (sample > 0)
        qsort(order, (size_t)count, sizeof *order, by_draw);
    if (sample > 0 && count > sample)
        count = sample;
    for (int i = 0; i < count; i++)
        order[i]->chosen = true;
    free(order);
    return count;
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
        if (!mutant->chosen)
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

/* Reads what stands behind the four paths; false, with a message, when that is not as it must be.
 */
static bool read_options(int argc, char **argv)
{
    for (int i = 5; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else if (strcmp(argv[i], "-j") == 0 && value)
            jobs = atoi(argv[++i]) > 0 ? atoi(argv[i]) : 1;
        else if (strcmp(argv[i], "--seed") == 0 && value)
            seed = argv[++i];
        else if (strcmp(argv[i], "--sample") == 0 && value && atoi(value) > 0)
            sample = atoi(argv[++i]);
        else if (strcmp(argv[i], "-c") == 0 && value && read_choices(value))
            i++;
        else if (strcmp(argv[i], "-u") == 0 && value && read_unseen(value))
            i++;
        else if (argv[i][0] != '-')
            filter = argv[i];
        else {
            fprintf(stderr, "mutate_spec: %s%s%s: this is not an option that there is\n", argv[i],
                    value ? " " : "", value ? value : "");
            return false;
        }
    }
    return true;
}

/* Shares the mutants among the workers; returns how many did not fare as they must. */
static int try_all(void)
{
    int failed = 0;
    for (int i = 0; i < jobs; i++)
        if (fork() == 0) {
            int left = work(i);
            _exit(left > 250 ? 250 : left);
        }
    for (int i = 0, status; i < jobs; i++)
        if (wait(&status) > 0)
            failed += WIFEXITED(status) ? WEXITSTATUS(status) : mutant_count;
    return failed;
}

int main(int argc, char **argv)
{
    char path[PATH_ROOM];
    int failed, tried;
    if (argc < 5) {
        fprintf(stderr, "usage: mutate_spec TOOL SPEC_DIR CASES_DIR SCRATCH_DIR [-j N] [-v] "
                        "[-c CHOICES] [-u UNSEEN] [--sample N] [--seed SEED] [FILTER]\n");
        return 2;
    }
    tool = argv[1];
    spec_dir = argv[2];
    cases_dir = argv[3];
    scratch = argv[4];
    if (!read_options(argc, argv) || !read_faults())
        return 2;
    mkdir(scratch, 0755);
    snprintf(path, sizeof path, "%s/as-it-is", scratch);
    mkdir(path, 0755);
    if (!read_cases()) {
        perror(cases_dir);
        return 2;
    }
    read_versions();
    read_documents();
    for (int i = 0; i < doc_count; i++)
        collect(doc_files[i], docs[i]);
    tried = choose();
    failed = stray_lines();
    fflush(stdout);
    if (tried == 0)
        fprintf(stderr, "mutate_spec: no mutant has \"%s\" in its name\n", filter);
    else
        failed += try_all();
    printf("%d passed, %d failed\n", tried > failed ? tried - failed : 0, failed);
    return failed != 0 || tried == 0;
}
