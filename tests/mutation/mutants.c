/* SPDX-License-Identifier: MIT */
/* The mutants that there are of all documents. */
#include "mutants.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Documents ---- */

static xmlNodePtr following(xmlNodePtr node, xmlNodePtr root)
{
    if (node->children)
        return node->children;
    while (node != root && !node->next)
        node = node->parent;
    return node == root ? NULL : node->next;
}

static xmlDocPtr docs[64];
static char doc_files[64][256];
static int doc_count;

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_documents(const char *spec_dir)
{
    struct dirent **entries;
    int count = scandir(spec_dir, &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        size_t length = strlen(name);
        char path[4096 + 300];
        xmlDocPtr doc = NULL;
        snprintf(path, sizeof path, "%s/%s", spec_dir, name);
        if (length > 4 && strcmp(name + length - 4, ".xml") == 0)
            doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
        if (doc && mutate_is(xmlDocGetRootElement(doc), "spec") && doc_count < 64) {
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

/* True if an effect is about pages. */
static bool is_of_pages(xmlNodePtr effect)
{
    static const char *const functions[] = {"mapped(", "pages(",       "begun(",
                                            "linear(", "repeated(",    "protected(",
                                            "copied(", "copied_over(", "unchanged("};
    char *holds = mutate_get(effect, "holds");
    bool found = false;
    for (size_t i = 0; holds && i < sizeof functions / sizeof *functions; i++)
        found = found || strstr(holds, functions[i]);
    xmlFree(holds);
    return found;
}

xmlNodePtr mutant_node(xmlDocPtr doc, int number)
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
        char *value = mutate_is(n, "row") ? mutate_get(n, "statements") : NULL;
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
        const char *attribute = mutate_is(n, "statement") ? "id"
                                : mutate_is(n, "row")     ? "statements"
                                : mutate_is(n, "word")    ? "statement"
                                                          : NULL;
        char *value = attribute ? mutate_get(n, attribute) : NULL;
        if (mutate_is(n, "table"))
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
    while (node && node->type == XML_ELEMENT_NODE && !mutate_is(node, "rule") &&
           !mutate_is(node, "effect"))
        node = node->parent;
    if (node && node->type == XML_ELEMENT_NODE)
        own = mutate_get(node, "name");
    snprintf(name, room, "%s%s%s", statements, own ? "." : "", own ? own : "");
    xmlFree(own);
}

static void describe(struct mutant *mutant, xmlNodePtr node)
{
    static const char *const names[] = {"name", "fact", "member", "operation"};
    char *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !name; i++)
        name = mutate_get(node, names[i]);
    name_rule(node, mutant->statements, mutant->rule, sizeof mutant->rule);
    mutant->effect =
        mutate_is(node, "effect") && mutations[mutant->mutation].mutates == MUTATES_SENTENCE;
    mutant->pages = mutant->effect && is_of_pages(node);
    snprintf(mutant->what, sizeof mutant->what, "%s: %s %d of <%s%s%s>", mutant->rule,
             mutations[mutant->mutation].name, mutant->variant, (const char *)node->name,
             name ? " " : "", name ? name : "");
    xmlFree(name);
}

xmlDocPtr mutant_apply(const struct mutant *mutant)
{
    xmlDocPtr copy = xmlCopyDoc(document(mutant->file), 1);
    mutations[mutant->mutation].mutate(mutant_node(copy, mutant->node), mutant->variant);
    return copy;
}

void mutant_show(FILE *out, const struct mutant *mutant)
{
    xmlDocPtr doc = document(mutant->file), copy = mutant_apply(mutant);
    xmlNodePtr was = mutant_node(doc, mutant->node), now = mutant_node(copy, mutant->node);
    for (xmlAttrPtr a = was->properties;
         a && mutations[mutant->mutation].mutates != MUTATES_ELEMENT; a = a->next) {
        const char *name = (const char *)a->name;
        char *before = mutate_get(was, name), *after = mutate_get(now, name);
        if (!after || strcmp(before, after) != 0)
            fprintf(out, "    %s=\"%s\"\n    -> %s\n", name, before, after ? after : "left out");
        xmlFree(before);
        xmlFree(after);
    }
    xmlFreeDoc(copy);
}

static void keep(struct mutants *mutants, const struct mutant *mutant)
{
    mutants->of = realloc(mutants->of, (size_t)(mutants->count + 1) * sizeof *mutants->of);
    if (!mutants->of)
        abort();
    mutants->of[mutants->count++] = *mutant;
}

/* Applies a variant to a node of the copy and undoes it: 1 if it changed something, 0 if not, -1 if
 * there is no such variant. Undone, the copy and the node are others, but for a sentence, which is
 * in the node's own attributes: most mutants are of that sort, and to copy a document takes long.
 */
static int try_variant(const struct mutant *mutant, xmlDocPtr doc, xmlDocPtr *copy,
                       xmlNodePtr *node)
{
    const struct mutation *mutation = &mutations[mutant->mutation];
    bool sentence = mutation->mutates == MUTATES_SENTENCE;
    xmlAttrPtr kept = sentence ? xmlCopyPropList(*node, (*node)->properties) : NULL;
    bool there = mutation->mutate(*node, mutant->variant);
    bool changed = there && (mutation->mutates == MUTATES_ELEMENT ||
                             xmlUnsetProp(*node, BAD_CAST "unchanged") != 0);
    if (sentence) {
        xmlFreePropList((*node)->properties);
        (*node)->properties = kept;
    } else if (changed) {
        xmlFreeDoc(*copy);
        *copy = xmlCopyDoc(doc, 1);
        *node = mutant_node(*copy, mutant->node);
    }
    return there ? changed : -1;
}

/* Keeps the variants of one mutation of one node. */
static void collect_variants(struct mutants *mutants, xmlDocPtr doc, xmlDocPtr *copy,
                             struct mutant *mutant)
{
    xmlNodePtr node = mutant_node(*copy, mutant->node);
    int changed;
    for (mutant->variant = 0; (changed = try_variant(mutant, doc, copy, &node)) >= 0;
         mutant->variant++) {
        if (!changed)
            continue;
        describe(mutant, node);
        keep(mutants, mutant);
    }
}

static void collect(struct mutants *mutants, const char *file, xmlDocPtr doc)
{
    xmlDocPtr copy = xmlCopyDoc(doc, 1);
    for (int n = 0;; n++) {
        struct mutant mutant = {.node = n};
        xmlNodePtr node = mutant_node(doc, n);
        if (!node)
            break;
        snprintf(mutant.file, sizeof mutant.file, "%s", file);
        mutant.line = xmlGetLineNo(node);
        statements_of(node, mutant.statements, sizeof mutant.statements);
        for (mutant.mutation = 0; mutant.mutation < mutation_count; mutant.mutation++)
            collect_variants(mutants, doc, &copy, &mutant);
    }
    xmlFreeDoc(copy);
}

void mutants_collect(struct mutants *mutants, const char *spec_dir)
{
    mutate_read_versions(spec_dir);
    read_documents(spec_dir);
    for (int i = 0; i < doc_count; i++)
        collect(mutants, doc_files[i], docs[i]);
}
