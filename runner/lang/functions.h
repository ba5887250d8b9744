/* SPDX-License-Identifier: MIT */
/* The functions and operators of the language, as its parts need them. */
#ifndef WCTS_FUNCTIONS_H
#define WCTS_FUNCTIONS_H

#include "expr.h"

/* ---- Operators ---- */

/* How tightly they bind; what binds tighter than all is a value. */
enum wcts_binding {
    WCTS_BINDS_OR,
    WCTS_BINDS_AND,
    WCTS_BINDS_NOT,
    WCTS_BINDS_COMPARISON,
    WCTS_BINDS_SUM,
    WCTS_BINDS_PRODUCT,
    WCTS_BINDS_VALUE
};

struct wcts_operator {
    const char *text; /* NULL: a value */
    enum wcts_binding binding;
};

/* Of each enum wcts_op. */
extern const struct wcts_operator wcts_operators[WCTS_OP_COUNT];

/* True if the word means something of its own, and so is no member without its structure. */
bool wcts_is_keyword(const char *name, size_t length);

/* ---- Functions ---- */

/* What an argument has to be: a value of a type, or this. */
enum wcts_param {
    WCTS_PARAM_NONE,
    WCTS_PARAM_FLAG, /* and so on: a value of the type */
    WCTS_PARAM_NUMBER,
    WCTS_PARAM_HANDLE,
    WCTS_PARAM_RANGE,
    WCTS_PARAM_KIND,
    WCTS_PARAM_RESERVED,
    WCTS_PARAM_INSTANCES, /* STRUCTURE, or STRUCTURE in set */
    WCTS_PARAM_EACH,      /* true or false, about an instance of the argument before */
    WCTS_PARAM_BIT,       /* a flag of a word */
    WCTS_PARAM_WORD,      /* a member that holds flags */
    WCTS_PARAM_MEMBER,    /* any member of the subject */
    WCTS_PARAM_TABLE      /* a pointer to an array */
};

struct wcts_call;
typedef struct wcts_result wcts_function_eval(const struct wcts_call *call);

#define WCTS_PARAMS_MAX 3

struct wcts_function {
    const char *name, *usage, *help;
    enum wcts_param params[WCTS_PARAMS_MAX];
    int least;   /* so many arguments at least */
    bool repeat; /* the last parameter may come again and again */
    enum wcts_expr_type result;
    wcts_function_eval *eval;
};

extern const struct wcts_function wcts_functions[];
extern const int wcts_function_count;

/* -1: there is none of that name. */
int wcts_find_function(const char *name, size_t length);

/* The subjects: that of the innermost quantifier, then that around it. */
struct wcts_scope {
    int subject;
    const struct wcts_scope *outer;
};

/* A call that is being evaluated; value evaluates an argument. */
struct wcts_call {
    const struct wcts_exprs *exprs;
    const struct wcts_env *env;
    const struct wcts_scope *scope;
    int first; /* argument */
    struct wcts_result (*value)(const struct wcts_exprs *exprs, int node,
                                const struct wcts_env *env, const struct wcts_scope *scope);
};

#endif
