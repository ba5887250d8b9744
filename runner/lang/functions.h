/* SPDX-License-Identifier: MIT */
/* The functions and operators of the language, as its parts need them. */
#ifndef WCTS_FUNCTIONS_H
#define WCTS_FUNCTIONS_H

#include "../model/names.h"
#include "expr.h"

/* ---- Errors and names ---- */

/* Reports the first error of a text. Returns 0. */
int wcts_lang_error(struct wcts_lang_text *text, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An array whose elements begin with their name, and what is said of a name that none has:
 * unknown WHAT "name" of OF, did you mean "..."? */
struct wcts_lang_names {
    const char *what, *of;
    const void *elements;
    int count;
    size_t size;
};

#define WCTS_NAMES(what, of, elements, count)                                                      \
    ((struct wcts_lang_names){what, of, elements, count, sizeof *(elements)})

/* The position of a name; -1, and reported, if there is none. Or tries them all as near misses. */
int wcts_names_find(const struct wcts_lang_names *names, struct wcts_lang_text *text, int column,
                    const char *name);
void wcts_names_try(const struct wcts_lang_names *names, struct wcts_near *near);
void wcts_lang_report_unknown(struct wcts_lang_text *text, int column, const struct wcts_near *near,
                              const char *what, const char *of);

/* The member whose value a node is, if its numbers have names; else NULL. */
const struct wcts_member *wcts_lang_named_numbers(const struct wcts_lang_exprs *exprs,
                                                  const struct wcts_spec *spec, int index);

/* ---- Operators ---- */

/* How tightly they bind; what binds tighter than all is a value. */
enum wcts_lang_binding {
    WCTS_BINDS_OR,
    WCTS_BINDS_AND,
    WCTS_BINDS_NOT,
    WCTS_BINDS_COMPARISON,
    WCTS_BINDS_SUM,
    WCTS_BINDS_PRODUCT,
    WCTS_BINDS_VALUE
};

/* How an operator is written: {"and", WCTS_BINDS_AND}. */
struct wcts_lang_operator {
    const char *text; /* NULL: a value */
    enum wcts_lang_binding binding;
};

/* Of each enum wcts_lang_op. */
extern const struct wcts_lang_operator wcts_operators[WCTS_OP_COUNT];

/* True if the word means something of its own, and so is no member without its structure. */
bool wcts_is_keyword(const char *name, size_t length);

/* ---- Functions ---- */

struct wcts_lang_call;
typedef struct wcts_lang_result wcts_function_eval(const struct wcts_lang_call *call);

#define WCTS_PARAMS_MAX 4

/* A function of the language, a row of the table in functions.c: {"count", "count(STRUCTURE in
 * set, each)", its help, the types of its parameters, .least = 1, ...}. */
struct wcts_lang_function {
    const char *name, *usage, *help;
    enum wcts_lang_type params[WCTS_PARAMS_MAX];
    int least;   /* so many arguments at least */
    bool repeat; /* the last parameter may come again and again */
    enum wcts_lang_type result;
    wcts_function_eval *eval; /* NULL: only recordings have it, see struct wcts_lang_env */
};

#define WCTS_FUNCTION_COUNT 44
extern const struct wcts_lang_function wcts_functions[WCTS_FUNCTION_COUNT];

/* The subjects: that of the innermost quantifier, then that around it. */
struct wcts_lang_subjects {
    int subject;
    const struct wcts_lang_subjects *outer;
};

/* A call that is being evaluated; value evaluates an argument. */
struct wcts_lang_call {
    const struct wcts_lang_exprs *exprs;
    const struct wcts_lang_env *env;
    const struct wcts_lang_subjects *scope;
    int first; /* argument */
    const struct wcts_lang_function *function;
    struct wcts_lang_result (*value)(const struct wcts_lang_exprs *exprs, int node,
                                     const struct wcts_lang_env *env,
                                     const struct wcts_lang_subjects *scope);
};

#endif
