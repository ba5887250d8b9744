/* SPDX-License-Identifier: MIT */
/*
 * The rule language: expressions such as
 *
 *     SizeInBytes mod AllocationSizeInBytes = 0 and not Flags.Shared
 *
 * as trees of nodes. docs/rules.md has the types and the functions, docs/internal/expressions.md
 * the grammar.
 *
 * All nodes of a suite are in one array. A node names others by their position in it; position 0 is
 * no node, so that a 0 is no expression. The text above is (positions, then op, what a and b are):
 *
 *     1  MEMBER  SizeInBytes
 *     2  MEMBER  AllocationSizeInBytes
 *     3  MOD     a 1  b 2
 *     4  NUMBER  0
 *     5  EQ      a 3  b 4       next 7
 *     6  MEMBER  Flags.Shared
 *     7  NOT     a 6
 *     8  AND     a 5
 *
 * AND and OR have any number of operands, as calls have arguments and sets have elements: a is the
 * first, next of each leads to the one behind it. An expression is parsed, then checked, which puts
 * members, words and structures where the parser left names, and gives each node its type; then it
 * is evaluated as often as one likes, without memory. Nodes are only ever added.
 */
#ifndef WCTS_EXPR_H
#define WCTS_EXPR_H

#include "../base/arena.h"
#include "../base/text.h"
#include "../model/spec.h"

enum wcts_lang_op {
    WCTS_OP_NONE,
    WCTS_OP_OR,  /* operands from a on */
    WCTS_OP_AND, /* operands from a on */
    WCTS_OP_NOT, /* a */
    WCTS_OP_EQ,  /* a and b, as all up to MOD */
    WCTS_OP_NE,
    WCTS_OP_LT,
    WCTS_OP_LE,
    WCTS_OP_GT,
    WCTS_OP_GE,
    WCTS_OP_IN,
    WCTS_OP_ADD,
    WCTS_OP_SUB,
    WCTS_OP_MUL,
    WCTS_OP_MOD,
    WCTS_OP_NUMBER,    /* number */
    WCTS_OP_PAGE,      /* the host page size */
    WCTS_OP_ANSWER,    /* true or false of a message; a: 0 "accepted", 1 "refused" */
    WCTS_OP_NAME,      /* a: name, "Flags.Shared". Before the check only */
    WCTS_OP_MEMBER,    /* ref */
    WCTS_OP_FOLLOW,    /* a: what leads to another message; b: a member there */
    WCTS_OP_WORD,      /* a: name; b: its number, of a kind of objects the name that it has */
    WCTS_OP_STRUCTURE, /* a: index; b: the set that chooses among its instances, or 0 */
    WCTS_OP_SET,       /* elements from a on */
    WCTS_OP_CALL,      /* a: the first argument; b: index of the function */
    WCTS_OP_COUNT
};

/* What a node is, or what a function or an operator wants of it. */
enum wcts_lang_type {
    WCTS_EXPR_NOTHING,   /* not checked, or wrong and reported */
    WCTS_EXPR_FLAG,      /* true or false */
    WCTS_EXPR_NUMBER,    /* exact, of any sign: a sum never wraps */
    WCTS_EXPR_HANDLE,    /* what names an object; 0 names none */
    WCTS_EXPR_SEGMENTS,  /* a set of segments: bit n is segment n+1 */
    WCTS_EXPR_STATES,    /* a set of page states: bit n is enum wcts_state n */
    WCTS_EXPR_NUMBERS,   /* {0, 5} */
    WCTS_EXPR_RANGE,     /* of addresses: range(base, size) */
    WCTS_EXPR_STATE,     /* a word: a page state */
    WCTS_EXPR_KIND,      /* a word: a kind of objects */
    WCTS_EXPR_RESERVED,  /* a word: a kind of reservations */
    WCTS_EXPR_OPERATION, /* a word: an operation of the interface */
    WCTS_EXPR_COLUMN,    /* a word: a power state of a table */
    WCTS_EXPR_ASPECT,    /* a word: of a patched buffer */
    WCTS_EXPR_INSTANCES, /* STRUCTURE, or STRUCTURE in set */
    WCTS_EXPR_EACH,      /* true or false, about an instance of the argument before */
    WCTS_EXPR_BIT,       /* a flag of a word */
    WCTS_EXPR_WORD,      /* a member that holds flags */
    WCTS_EXPR_MEMBER,    /* any member */
    WCTS_EXPR_OWN,       /* a member of what the expression is about */
    WCTS_EXPR_TABLE,     /* a pointer to an array */
    WCTS_EXPR_PREFERENCE /* a member, or what a path leads to, with preferred segments */
};

/* A member, or a flag of it, of the subject or of something near it. */
struct wcts_lang_ref {
    int16_t structure, member;
    int16_t flag;  /* -1: the whole member */
    uint8_t reply; /* of the reply, not the request */
    uint8_t scope; /* how many quantifiers out the subject is */
};

/* A node of an expression, 16 bytes. Its operands are a list from a on. Example: "A and not B"
 * is {AND, a: 5}, node 5 {MEMBER, ref: A, next: 6}, node 6 {NOT, a: 7}, node 7 {MEMBER, ref: B}. */
struct wcts_lang_node {
    uint8_t op;      /* enum wcts_lang_op */
    uint8_t type;    /* enum wcts_lang_type */
    uint16_t column; /* where it is in its text, from 1 on */
    int32_t next;    /* the operand, argument or element behind this one, 0: the last */
    union {
        struct {
            int32_t a, b;
        };
        uint64_t number;
        struct wcts_lang_ref ref;
    };
};

_Static_assert(sizeof(struct wcts_lang_node) == 16, "a node has 16 bytes");

/* The expressions of a suite. A name in a node is a position in names. */
struct wcts_lang_exprs {
    struct wcts_lang_node *nodes;
    int node_count;
    struct wcts_text names; /* one behind the other, each terminated */
};

void wcts_lang_exprs_init(struct wcts_lang_exprs *exprs);
void wcts_lang_exprs_release(struct wcts_lang_exprs *exprs);
/* Moves nodes and names into an arena: there are to be no more of them, and nothing to release. */
void wcts_lang_exprs_move(struct wcts_lang_exprs *exprs, struct wcts_arena *arena);
/* The opposite: they are in memory of their own again. False without memory. */
bool wcts_lang_exprs_own(struct wcts_lang_exprs *exprs);
/* Adds a node; 0 without memory. */
int wcts_lang_exprs_add(struct wcts_lang_exprs *exprs, struct wcts_lang_node node);
/* Adds a name and returns its position. Its text moves when the next one is added. */
int wcts_lang_exprs_name(struct wcts_lang_exprs *exprs, const char *name, size_t length);
const char *wcts_lang_name(const struct wcts_lang_exprs *exprs, int name);

/* ---- From text, and back ---- */

/* A text in a document; errors are reported as
 * FILE:LINE: attribute "refuse" of <rule>, column 14: unknown flag "Orderd" of DEMO_FLAGS, ... */
struct wcts_lang_text {
    const char *text; /* need not be terminated */
    size_t length;
    struct wcts_place place;
    const char *attribute, *element;
    struct wcts_diagnostics *diagnostics;
    bool failed; /* an error was reported: no other one is */
};

#define WCTS_EXPR_LONGEST 4096  /* characters of a text */
#define WCTS_EXPR_DEEPEST 64    /* parentheses, calls and nots in each other */
#define WCTS_EXPR_QUANTIFIERS 3 /* count, some and each in each other */
#define WCTS_EXPR_STEPS 8       /* members of a path */
#define WCTS_EXPR_NAME_LONGEST 255

/* The expression; 0, with one error reported, if the text is none. */
int wcts_lang_parse(struct wcts_lang_exprs *exprs, struct wcts_lang_text *text);

/*
 * Finds what names mean in an expression about instances of the structure on, in the spec and its
 * cases, and the type of each node. False, with one error reported, if there is a name unknown, or
 * if something is of another type than it has to be, or the whole than wanted. The expression is
 * then of no use.
 */
bool wcts_lang_check(struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                     struct wcts_lang_text *text, int on, int root, enum wcts_lang_type wanted);

/*
 * Whose members need no structure in front of them. A rule has one, {on Map}. Where an effect looks
 * at a message that another one caused, the names are those of that message, {on DRIVER_PAGING,
 * reply DRIVER_PAGING_REPLY}, and behind "call." those of its outer one, {on KERNEL_EVICT}.
 */
struct wcts_lang_about {
    int on;    /* structure */
    int reply; /* that of the reply, where it is another one; -1: on, too */
    const struct wcts_lang_about *call; /* NULL: this is the call itself */
};

/* What is about messages with this structure in their request. */
struct wcts_lang_about wcts_lang_about(const struct wcts_spec *spec, int on);
/* The same as wcts_lang_check, of an expression about a message. */
bool wcts_lang_check_about(struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                           struct wcts_lang_text *text, const struct wcts_lang_about *about,
                           int root, enum wcts_lang_type wanted);

/* False, with one error reported, if one of the conditions in the nodes from first on, which were
 * checked, is the same for all calls: 1 = 2, Size = Size, Size >= 0. */
bool wcts_lang_check_depends(const struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                             struct wcts_lang_text *text, const struct wcts_lang_about *about,
                             int first);

/* Adds the expression in its canonical form: parsed and checked again it is the same tree. spec and
 * on may be NULL and -1 if it was not checked. */
void wcts_lang_print(const struct wcts_lang_exprs *exprs, const struct wcts_spec *spec, int on,
                     int root, struct wcts_text *out);
void wcts_lang_print_about(const struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                           const struct wcts_lang_about *about, int root, struct wcts_text *out);

/* ---- What it is made of (edges.c) ---- */

/* The conditions of an expression, in the order in which they are written: the operands of and, or,
 * not and exactly_one, down to what is none of them. */
typedef void wcts_condition_visit(void *context, int condition);
void wcts_lang_conditions(const struct wcts_lang_exprs *exprs, int root,
                          wcts_condition_visit *visit, void *context);

/* Of which instances a member is read. */
enum wcts_lang_use {
    WCTS_USE_OWN,      /* of the subject, or the nearest one to it */
    WCTS_USE_OTHERS,   /* the same, with all other flags of its word: others(F) */
    WCTS_USE_EARLIER,  /* the same, and of all instances before the subject: repeats(M) */
    WCTS_USE_ALL,      /* of each in the call: count(S, F), range(base, size) */
    WCTS_USE_NUMBERED, /* of those that a set numbers: some(S in set, F) */
    WCTS_USE_ENTRIES,  /* a pointer, whose array's elements are read, too */
    WCTS_USE_BEHIND    /* behind a slash: of another call */
};

/* The members that an expression reads, in the order in which they are written, each as often. */
typedef void wcts_read_visit(void *context, struct wcts_ref ref, enum wcts_lang_use use);
void wcts_lang_reads(const struct wcts_lang_exprs *exprs, int root, wcts_read_visit *visit,
                     void *context);

/* The first call of the function in it; 0: there is none. And the n-th argument behind the first of
 * a call; 0: it is not given. */
int wcts_lang_find_call_of(const struct wcts_lang_exprs *exprs, int root, const char *function);
int wcts_lang_argument(const struct wcts_lang_exprs *exprs, int first, int n);

/* True if it may be true at one version and false at another of the same call: it asks which flags
 * a word has, by others(F) or undefined(W). */
bool wcts_lang_goes_by_version(const struct wcts_lang_exprs *exprs, int root);

/* True if an operator, or page, is in it. */
bool wcts_lang_has(const struct wcts_lang_exprs *exprs, int root, enum wcts_lang_op op);

/* True if two expressions are the same tree. */
bool wcts_lang_same(const struct wcts_lang_exprs *exprs, int a, int b);

/* The operands of an expression: those of and, or it alone; the first, and the one behind another.
 * 0: no more. */
int wcts_lang_operand(const struct wcts_lang_exprs *exprs, int root, enum wcts_lang_op op);
int wcts_lang_operand_behind(const struct wcts_lang_exprs *exprs, int root, int operand);

/* The call of a function: its first argument; 0 if the node is none. */
int wcts_lang_find_call(const struct wcts_lang_exprs *exprs, int index, const char *function);

/*
 * The last condition of a rule, if it and the breach are alike, so that neither is more of a
 * condition than the other: when="A" refuse="B" is a breach by A and B. 0: it is not.
 */
int wcts_lang_premise(const struct wcts_lang_exprs *exprs, const struct wcts_lang_rule *breach);

/* True if the breach is that a member is not among the segments of another. */
bool wcts_lang_subset(const struct wcts_lang_exprs *exprs, const struct wcts_lang_rule *breach,
                      struct wcts_ref *member, struct wcts_ref *of);

/* The values at which a condition changes. */
enum wcts_lang_edge_kind {
    WCTS_EDGE_NONE,
    WCTS_EDGE_MULTIPLE, /* of mod value, which is no member: the multiples of value */
    WCTS_EDGE_LIMIT,    /* of < value, and its like: value and its neighbours */
    WCTS_EDGE_ZERO,     /* of = 0: 0 and all else */
    WCTS_EDGE_BITS      /* undefined(of): bits without a flag */
};

/* Where a condition changes. Example: of "Size < 4096" {WCTS_EDGE_LIMIT, the node of Size, the
 * node of 4096}: 4095, 4096 and 4097 are worth trying. */
struct wcts_lang_edge {
    enum wcts_lang_edge_kind kind;
    int of, value; /* nodes */
};

struct wcts_lang_edge wcts_lang_edge(const struct wcts_lang_exprs *exprs, int condition);

/* ---- Values ---- */

/* What an expression evaluates to. In a world of the oracle an address or a handle is not known
 * before the call: it is what a symbol stands for, plus a number. */
struct wcts_lang_result {
    bool known;
    int symbol;      /* -1: none */
    __int128 number; /* a flag: 0 or 1; a set: its bits */
};

static inline struct wcts_lang_result wcts_lang_known(__int128 number)
{
    return (struct wcts_lang_result){true, -1, number};
}

static inline struct wcts_lang_result wcts_lang_unknown(void)
{
    return (struct wcts_lang_result){false, -1, 0};
}

/* What a handle names. */
struct wcts_lang_object {
    const char *kind;
    bool live;
    uint64_t size; /* 0: it is not known */
};

/* A page of a range. */
struct wcts_lang_page {
    int reservation;  /* -1: it is in none */
    const char *kind; /* of the reservation */
    int state;        /* enum wcts_state */
};

/* Of an environment that does not know all instances: behind those that it knows. */
#define WCTS_LANG_UNTOLD (-2)

struct wcts_lang_call;

/* Is given one page after the other, as long as it returns true. */
typedef bool wcts_page_visit(void *context, const struct wcts_lang_page *page);

/*
 * What an expression is about: a world of the oracle, or a recorded exchange. An instance, among
 * them the subject, is a number of the environment's own choosing, 0 or more. value, bits and next
 * are always there; any other function that is NULL knows nothing.
 */
struct wcts_lang_env {
    const struct wcts_spec *spec;
    uint32_t page_size; /* 0: it is not known */
    const void *context;
    /* The bits of a word that flags have at the version; *elsewhere: those that are another rule's
     * matter, as they are not judged, or refused as long as they do not exist. */
    uint64_t (*bits)(const struct wcts_lang_env *env, int word, uint64_t *elsewhere);
    /* Of a word of which bits may be known and others not: those known, and its value, whose other
     * bits mean nothing. NULL: value() knows all of it, or nothing. */
    uint64_t (*known)(const struct wcts_lang_env *env, int subject, struct wcts_lang_ref word,
                      uint64_t *value);
    /* The value at the end of a path from the subject. The first step is a member of the subject,
     * or of the instance of another structure that is nearest to it; each further one a member of
     * what the value so far leads to. */
    struct wcts_lang_result (*value)(const struct wcts_lang_env *env, int subject,
                                     const struct wcts_lang_ref *steps, int count);
    /* The instances of a structure in the subject's call, in order: the one behind after (-1: the
     * first), -1 behind the last; WCTS_LANG_UNTOLD: it is not known whether there is one. */
    int (*next)(const struct wcts_lang_env *env, int subject, int structure, int after);
    /* The same of the elements of the array that a pointer of the subject, or of the instance of
     * another structure that is nearest to it, leads to. */
    int (*next_element)(const struct wcts_lang_env *env, int subject, struct wcts_lang_ref pointer,
                        int structure, int after);
    /* True if the instance, an earlier one, was still there when the subject came. */
    enum wcts_truth (*was_there)(const struct wcts_lang_env *env, int instance, int subject);
    /* What comparing a member of the subject, which is the number, with those of all such instances
     * results in; false: they have to be asked one by one. NULL: always. */
    bool (*repeats)(const struct wcts_lang_env *env, int subject, const struct wcts_lang_ref *ref,
                    __int128 number, struct wcts_lang_result *result);
    /* What the handle names. FALSE: nothing. */
    enum wcts_truth (*object)(const struct wcts_lang_env *env, struct wcts_lang_result handle,
                              struct wcts_lang_object *object);
    /* Visits the pages of a range; false if they are not known. */
    bool (*pages)(const struct wcts_lang_env *env, struct wcts_lang_result base, uint64_t size,
                  wcts_page_visit *visit, void *context);
    /* True if the message was accepted, false if it was refused; refused: the other way round. */
    enum wcts_truth (*answer)(const struct wcts_lang_env *env, int subject, bool refused);
    /* A function that only recordings have (functions.h). */
    struct wcts_lang_result (*recorded)(const struct wcts_lang_call *call);
};

/* The value of a checked expression about the subject. */
struct wcts_lang_result wcts_lang_value(const struct wcts_lang_exprs *exprs, int root,
                                        const struct wcts_lang_env *env, int subject);
/* The same of a flag. And the value about a message that call, the outer subject, caused. */
enum wcts_truth wcts_lang_truth(const struct wcts_lang_exprs *exprs, int root,
                                const struct wcts_lang_env *env, int subject);
struct wcts_lang_result wcts_lang_value_about(const struct wcts_lang_exprs *exprs, int root,
                                              const struct wcts_lang_env *env, int subject,
                                              int call);

/* A set of the segments in five groups of five bits for a segment and one for a direction. */
uint64_t wcts_lang_segments_preferred(uint64_t preference);

/* A rule about the subject. */
enum wcts_truth wcts_lang_rule_ask(const struct wcts_lang_exprs *exprs,
                                   const struct wcts_lang_rule *breach,
                                   const struct wcts_lang_env *env, int subject);

#endif
