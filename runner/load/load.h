/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the loader: load.c reads the files, load_*.c turn nodes into the spec. */
#ifndef WCTS_LOAD_H
#define WCTS_LOAD_H

#include "../base/arena.h"
#include "../model/cases.h"
#include "../model/names.h"
#include "../model/spec.h"
#include "files.h"
#include "xml.h"

/* Where a spec is loaded from: directories, and documents beside them. */
struct wcts_load_from {
    const char *spec_dir, *cases_dir;
    const char *const *extra;
    int extra_count;
};

/* Finds files and loads them into their arena, which the spec does not own yet when there are
 * errors: then they are reported and NULL is returned. Their paths have to outlive the spec. */
struct wcts_spec *wcts_load_files(struct wcts_load_files *files, const struct wcts_load_from *from,
                                  struct wcts_diagnostics *diagnostics);

/* A file that was read. */
struct wcts_load_root {
    struct wcts_load_node *node;
    int document; /* index in spec->documents, -1: none */
};

/* The state of one wcts_load_spec_load(), which owns it: the spec being made, and the nodes it is
 * made of. */
struct wcts_loader {
    struct wcts_spec *spec;
    struct wcts_cases *cases;
    struct wcts_arena *arena;
    struct wcts_diagnostics *diagnostics;
    struct wcts_load_root *roots;
    int root_count;
    const struct wcts_load_node **procedures; /* of each procedure of cases */
    int performed;                            /* performances and acts of procedures, so far */
    int nested;                               /* procedures that are being performed */
    const struct wcts_instance *answers;      /* of no adapter */
    int answer_count;
    const struct wcts_load_node **step_nodes; /* of each step of cases */
    int scenario; /* being loaded, whose symbols are visible beside the common ones; -1: none */
};

/*
 * A walk over the children of one kind of all roots, in the order of the files:
 *
 *     struct wcts_load_element_walk walk = {0};
 *     while (wcts_load_next_element(loader, &walk, WCTS_EL_RULE))
 *         load_rule(loader, walk.node);
 */
struct wcts_load_element_walk {
    struct wcts_load_node *node;
    int root;     /* the root of node, or the next one if node is NULL */
    int document; /* of node's root */
};

bool wcts_load_next_element(const struct wcts_loader *loader, struct wcts_load_element_walk *walk,
                            enum wcts_load_element_id element);
/* How many there are. */
int wcts_load_count_elements(const struct wcts_loader *loader, enum wcts_load_element_id element);

/* Makes an array of the spec for count elements: zeroed, in the arena. */
#define WCTS_LOAD_ARRAY(loader, array, count)                                                      \
    ((array) = wcts_arena_array((loader)->arena, (size_t)(count), sizeof *(array)))

/* The word of a member whose word is unknown: its flags are not reported as well. */
#define WCTS_WORD_UNKNOWN (-2)

/* The parts, in the order in which they are called. */
void wcts_load_versions(struct wcts_loader *loader);
void wcts_load_documents(struct wcts_loader *loader);
void wcts_load_words(struct wcts_loader *loader);
void wcts_load_structures(struct wcts_loader *loader);
void wcts_load_attached_words(struct wcts_loader *loader);
void wcts_load_messages(struct wcts_loader *loader);
void wcts_load_errata(struct wcts_loader *loader);
void wcts_load_statements(struct wcts_loader *loader);
void wcts_load_features(struct wcts_loader *loader);
void wcts_load_tables(struct wcts_loader *loader);
void wcts_load_rules(struct wcts_loader *loader);
void wcts_load_opens(struct wcts_loader *loader);
void wcts_load_gaps(struct wcts_loader *loader);
void wcts_load_procedures(struct wcts_loader *loader);
void wcts_load_cases(struct wcts_loader *loader);
/* Bases, states and domains, once steps and adapters are known. */
void wcts_load_bases(struct wcts_loader *loader);
void wcts_load_scenarios(struct wcts_loader *loader);
void wcts_load_expressions(struct wcts_loader *loader);

/* The expression in an attribute, about the structure on, true or false; 0 if there is none, or an
 * error was reported. */
int wcts_load_expression(struct wcts_loader *loader, const struct wcts_load_node *node,
                         const char *attribute, int on);

/* Reads the effect of a rule whose element is <effect>: its expressions, and what others go by, all
 * of which is unset (load_effect.c). */
void wcts_load_effect(struct wcts_loader *loader, struct wcts_rule *rule);
/* The capabilities that an effect, with its operands, needs to be observed (load_needs.c). */
uint32_t wcts_load_effect_needs(const struct wcts_spec *spec, const struct wcts_rule *rule);

/* ---- shared by base.xml and scenarios (load_cases.c) ---- */

/* A new symbol, and a new step; there is room for those that wcts_load_cases counted. */
struct wcts_symbol *wcts_load_declare_symbol(struct wcts_loader *loader,
                                             const struct wcts_load_node *node, const char *name,
                                             enum wcts_symbol_kind kind);
struct wcts_step *wcts_load_declare_step(struct wcts_loader *loader,
                                         const struct wcts_load_node *node);
/* A number, a symbol or symbol+number. */
struct wcts_value wcts_load_value(struct wcts_loader *loader, const struct wcts_load_node *node,
                                  const char *attribute, const char *text, size_t length);
/* The structures that a step or call sends: its operation's request, then those of <struct>. */
void wcts_load_structs(struct wcts_loader *loader, const struct wcts_load_node *node,
                       struct wcts_step *step);
/* A further result of a step, which node names: first its symbol, then where its value is. */
struct wcts_step_output *wcts_load_declare_output(struct wcts_loader *loader,
                                                  const struct wcts_load_node *node,
                                                  const char *name,
                                                  const struct wcts_load_node *result,
                                                  struct wcts_step *step);
void wcts_load_output(struct wcts_loader *loader, const struct wcts_load_node *result,
                      const struct wcts_step *step, struct wcts_step_output *output);
/* The value of a member among the attributes of a node; on: the structure of its short name. */
struct wcts_set wcts_load_set(struct wcts_loader *loader, const struct wcts_load_node *node,
                              const struct wcts_load_argument *argument, int on);
/* Sets members of an instance, replacing values that it has. */
void wcts_load_override(struct wcts_loader *loader, struct wcts_instance *instance,
                        const struct wcts_set *sets, int count);

/* ---- names (resolve.c) ---- */

/* The attribute in which a name is used, for messages. */
struct wcts_load_use {
    const struct wcts_load_node *node;
    const char *attribute;
};

/* Reports `attribute "any" of <requires>: unknown WHAT "NAME"[ of OWNER][, did you mean ...?]`. */
void wcts_load_report_unknown(struct wcts_loader *loader, struct wcts_load_use use,
                              const char *what, const struct wcts_near *near, const char *owner);

/* The index of the thing that the attribute names; fallback if it is not given; -1, with a message,
 * if the name is unknown. */
int wcts_load_use_version(struct wcts_loader *loader, const struct wcts_load_node *node,
                          const char *attribute, int fallback);
int wcts_load_use_structure(struct wcts_loader *loader, const struct wcts_load_node *node,
                            const char *attribute, int fallback);
int wcts_load_use_word(struct wcts_loader *loader, const struct wcts_load_node *node,
                       const char *attribute, int fallback);
int wcts_load_use_message(struct wcts_loader *loader, const struct wcts_load_node *node,
                          const char *attribute, int fallback);
int wcts_load_use_step(struct wcts_loader *loader, const struct wcts_load_node *node,
                       const char *attribute, int fallback);
int wcts_load_use_symbol(struct wcts_loader *loader, const struct wcts_load_node *node,
                         const char *attribute, int fallback);
int wcts_load_use_adapter(struct wcts_loader *loader, const struct wcts_load_node *node,
                          const char *attribute, int fallback);
int wcts_load_use_statement(struct wcts_loader *loader, const struct wcts_load_node *node,
                            const char *attribute, int fallback);

/* The indices of a list of names, *count of them, in the arena; -1, with a message, for unknown
 * ones. */
typedef int wcts_find_fn(struct wcts_loader *loader, struct wcts_load_use use, const char *name,
                         size_t length);
wcts_find_fn wcts_find_version, wcts_find_structure, wcts_find_word, wcts_find_message,
    wcts_find_statement, wcts_find_step, wcts_find_symbol, wcts_find_adapter;
int *wcts_load_use_list(struct wcts_loader *loader, const struct wcts_load_node *node,
                        const char *attribute, wcts_find_fn *find, int *count);

/* The reference text[0..length), whose default structure is on (-1: none). Its structure is -1,
 * with a message, if a part is unknown. */
struct wcts_ref wcts_load_find_ref(struct wcts_loader *loader, struct wcts_load_use use,
                                   const char *text, size_t length, int on);
/* The references of a list. */
struct wcts_ref *wcts_load_use_refs(struct wcts_loader *loader, const struct wcts_load_node *node,
                                    const char *attribute, int on, int *count);
/* One reference; structure -1 if the attribute is not given. */
struct wcts_ref wcts_load_use_ref(struct wcts_loader *loader, const struct wcts_load_node *node,
                                  const char *attribute, int on);

/* ---- attributes that the reader has checked ---- */

uint64_t wcts_load_number(const struct wcts_load_node *node, const char *attribute,
                          uint64_t fallback);
/* The index of a word in words, fallback if it is not given. */
int wcts_load_word(const struct wcts_load_node *node, const char *attribute,
                   const char *const *words, int fallback);
bool wcts_load_yes(const struct wcts_load_node *node, const char *attribute);

#endif
