/* SPDX-License-Identifier: MIT */
/* What may be wrong in a document: mutations of its elements. */
#include "mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Versions ---- */

static const char *versions[64];
static int version_count;

void mutate_read_versions(const char *spec_dir)
{
    char path[4096];
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

bool mutate_is(xmlNodePtr node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

char *mutate_get(xmlNodePtr node, const char *name)
{
    return (char *)xmlGetProp(node, BAD_CAST name);
}

static void set(xmlNodePtr node, const char *name, const char *value)
{
    xmlSetProp(node, BAD_CAST name, BAD_CAST value);
}

static bool has_value(xmlNodePtr node, const char *name, const char *wanted)
{
    char *value = mutate_get(node, name);
    bool has = value && strcmp(value, wanted) == 0;
    xmlFree(value);
    return has;
}

static void rename_attribute(xmlNodePtr node, const char *from, const char *to)
{
    char *value = mutate_get(node, from);
    set(node, to, value);
    xmlUnsetProp(node, BAD_CAST from);
    xmlFree(value);
}

static bool removes(xmlNodePtr node, int variant)
{
    if (variant > 0 ||
        !(mutate_is(node, "rule") || mutate_is(node, "effect") || mutate_is(node, "row") ||
          mutate_is(node, "flag") || mutate_is(node, "open") || mutate_is(node, "at")))
        return false;
    xmlUnlinkNode(node);
    xmlFreeNode(node);
    return true;
}

static const char *const version_attributes[] = {"since", "until"};

/* Only statements that rules inherit their versions from. */
static bool has_versions(xmlNodePtr node)
{
    if (mutate_is(node, "flag") || mutate_is(node, "rule") || mutate_is(node, "effect") ||
        mutate_is(node, "table"))
        return true;
    if (!mutate_is(node, "statement"))
        return false;
    for (xmlNodePtr n = node->children; n; n = n->next)
        if (mutate_is(n, "rule") || mutate_is(n, "effect"))
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
    value = mutate_get(node, attribute);
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
    return variant == 0 && mutate_is(node, "flag") && xmlUnsetProp(node, BAD_CAST "open") == 0;
}

static xmlNodePtr next_named(xmlNodePtr node, const char *name)
{
    for (xmlNodePtr n = node->next; n; n = n->next)
        if (mutate_is(n, name))
            return n;
    return NULL;
}

static void exchange(xmlNodePtr a, xmlNodePtr b, const char *attribute)
{
    char *x = mutate_get(a, attribute), *y = mutate_get(b, attribute);
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
    xmlNodePtr next = mutate_is(node, "flag") ? next_named(node, "flag") : NULL;
    if (!next || variant > 1)
        return false;
    exchange(node, next, variant ? "name" : "bit");
    return true;
}

static bool exchanges_row(xmlNodePtr node, int variant)
{
    xmlNodePtr next = mutate_is(node, "row") ? next_named(node, "row") : NULL;
    if (!next || variant > 0)
        return false;
    exchange(node, next, "values");
    return true;
}

static bool inverts_row(xmlNodePtr node, int variant)
{
    char *valid = mutate_is(node, "row") ? mutate_get(node, "valid") : NULL;
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
        for (xmlNodePtr f = mutate_is(w, "word") ? w->children : NULL; f; f = f->next) {
            char *name = mutate_is(f, "flag") ? mutate_get(f, "name") : NULL;
            xmlNodePtr next = name ? next_named(f, "flag") : NULL;
            bool here = name && strcmp(name, flag) == 0;
            char *other = here && next ? mutate_get(next, "name") : NULL;
            xmlFree(name);
            if (!here)
                continue;
            if (!other)
                for (xmlNodePtr p = f->prev; p && !other; p = p->prev)
                    other = mutate_is(p, "flag") ? mutate_get(p, "name") : NULL;
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
    bool rule = mutate_is(node, "rule"),
         either = xmlHasProp(node, BAD_CAST(rule ? "either" : "outcome"));
    const char *from = either                                ? "either"
                       : xmlHasProp(node, BAD_CAST "assert") ? "assert"
                                                             : "refuse";
    if (variant > 0 || !(rule || mutate_is(node, "row")))
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

static const struct {
    const char *name;
    bool optional; /* without it nothing is missing */
} expression_attributes[] = {{"when", true},    {"refuse", false}, {"assert", false},
                             {"either", false}, {"unless", true},  {"where", true},
                             {"holds", false}};
#define EXPRESSION_ATTRIBUTES (sizeof expression_attributes / sizeof *expression_attributes)

static bool has_expressions(xmlNodePtr node)
{
    return mutate_is(node, "rule") || mutate_is(node, "open") || mutate_is(node, "effect");
}

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
    char *value = mutate_get(node, attribute), token[256], made[256], *text = NULL;
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
    if (!has_expressions(node))
        return false;
    for (size_t i = 0; i < EXPRESSION_ATTRIBUTES; i++) {
        const char *attribute = expression_attributes[i].name;
        char *value = mutate_get(node, attribute), *not = NULL;
        bool extra = value && expression_attributes[i].optional && !mutate_is(node, "open");
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

/* ---- operands of an expression ---- */

/* The n-th operand of the conjunction or disjunction that a text is: where it and the operator
 * before it begin, the first one with the operator behind it; false: there is none. */
static bool find_operand(const char *text, int n, size_t *begin, size_t *end)
{
    size_t begins[64] = {0}, words = 0, length;
    int depth = 0;
    for (const char *at = text; *at; at += length) {
        length = token_length(at);
        depth += (*at == '(') - (*at == ')');
        if (depth == 0 && words < 62 &&
            ((length == 3 && memcmp(at, "and", 3) == 0) ||
             (length == 2 && memcmp(at, "or", 2) == 0)))
            begins[++words] = (size_t)(at - text);
    }
    begins[words + 1] = strlen(text);
    if (words == 0 || n > (int)words)
        return false;
    *begin = begins[n];
    *end = begins[n + 1];
    if (n == 0)
        *end += token_length(text + *end);
    return true;
}

/* An operand is left out. */
static bool drops_operand(xmlNodePtr node, int variant)
{
    int left = variant;
    for (size_t i = 0; has_expressions(node) && i < EXPRESSION_ATTRIBUTES; i++) {
        char *value = mutate_get(node, expression_attributes[i].name), *text = NULL;
        size_t begin, end;
        int n = 0;
        for (; value && !text && find_operand(value, n, &begin, &end); n++)
            if (left-- == 0 && asprintf(&text, "%.*s%s", (int)begin, value, value + end) < 0)
                abort();
        if (text)
            set(node, expression_attributes[i].name, text);
        xmlFree(value);
        free(text);
        if (text)
            return true;
    }
    return false;
}

/* Of which messages an effect is, and where these are. */
static bool exchanges_selector(xmlNodePtr node, int variant)
{
    static const char *const selectors[][2] = {
        {"some", "every"}, {"first", "every"}, {"nearest", "every"}, {"all", "every"}};
    static const char *const looks[][2] = {
        {"after", "before"}, {"before", "after"}, {"resting", "after"}};
    const int count = (int)(sizeof selectors / sizeof *selectors);
    const int look_count = (int)(sizeof looks / sizeof *looks);
    if (!mutate_is(node, "effect") || variant >= count + look_count)
        return false;
    if (variant < count && xmlHasProp(node, BAD_CAST selectors[variant][0]))
        rename_attribute(node, selectors[variant][0], selectors[variant][1]);
    else if (variant >= count && has_value(node, "look", looks[variant - count][0]))
        set(node, "look", looks[variant - count][1]);
    else
        set(node, "unchanged", "");
    return true;
}

/* One step up and down: powers of two for alignments, one for limits. */
static bool moves_number(xmlNodePtr node, int variant)
{
    static const char *const names[] = {"to", "max", "min", "equals", "offset", "width", "driver"};
    char *value, text[32], *end;
    unsigned long long number;
    const char *name = names[variant / 2 % 7];
    if (variant >= 14 || node->type != XML_ELEMENT_NODE || mutate_is(node, "statement"))
        return false;
    value = mutate_get(node, name);
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
    if (node->type != XML_ELEMENT_NODE || mutate_is(node, "statement"))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *value = mutate_get(node, names[i]);
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
    value = mutate_get(node, words[variant].attribute);
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
    if (variant >= (int)(sizeof changes / sizeof *changes) || !mutate_is(node, "row"))
        return false;
    value = mutate_get(node, changes[variant].attribute);
    set(node,
        value && strcmp(value, changes[variant].from) == 0 ? changes[variant].attribute
                                                           : "unchanged",
        changes[variant].to);
    xmlFree(value);
    return true;
}

const struct mutation mutations[] = {
    {"exchange content", exchanges_content, MUTATES_OTHER},
    {"remove", removes, MUTATES_ELEMENT},
    {"move version", moves_version, MUTATES_OTHER},
    {"drop open", drops_open, MUTATES_OTHER},
    {"exchange flag", exchanges_flag, MUTATES_OTHER},
    {"exchange row", exchanges_row, MUTATES_OTHER},
    {"invert row", inverts_row, MUTATES_OTHER},
    {"invert outcome", inverts_outcome, MUTATES_OTHER},
    {"change expression", changes_expression, MUTATES_SENTENCE},
    {"move number", moves_number, MUTATES_OTHER},
    {"exchange reference", exchanges_reference, MUTATES_OTHER},
    {"exchange word", exchanges_words, MUTATES_OTHER},
    {"exchange selector", exchanges_selector, MUTATES_SENTENCE},
    {"drop operand", drops_operand, MUTATES_SENTENCE},
};
const int mutation_count = (int)(sizeof mutations / sizeof *mutations);
