/* SPDX-License-Identifier: MIT */
/*
 * The spec in memory: spec/ and cases/ with every name resolved to an index. The loader (load.c)
 * builds it, lint checks it, all others only read it. The struct wcts_spec owns all of it; an index
 * is a position in one of its arrays, -1 is none.
 */
#ifndef WCTS_SPEC_H
#define WCTS_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../base/diagnostics.h"

enum wcts_role { WCTS_ROLE_CALLER, WCTS_ROLE_KERNEL, WCTS_ROLE_DRIVER, WCTS_ROLE_BOTH };
enum wcts_force { WCTS_FORCE_MUST, WCTS_FORCE_SHOULD, WCTS_FORCE_MEANING, WCTS_FORCE_INFO };
enum wcts_basis { WCTS_BASIS_STATED, WCTS_BASIS_INFERRED };

/* What a kernel does about a breach: refuse it; refuse it or stop (assert); either is right. */
enum wcts_outcome { WCTS_OUTCOME_REFUSE, WCTS_OUTCOME_ASSERT, WCTS_OUTCOME_EITHER };

/* What a rule or effect is. */
enum wcts_form {
    WCTS_FORM_EXPRESSION,     /* a rule: what its expressions say */
    WCTS_FORM_GATE,           /* the same: a flag is clear at versions before it exists */
    WCTS_FORM_ROW,            /* the same: the columns do not have the values of a table's row */
    WCTS_FORM_EFFECT_PAGES,   /* effect: the pages of a range after the call */
    WCTS_FORM_EFFECT_REPLY,   /* effect: a member of the reply */
    WCTS_FORM_EFFECT_TOLD,    /* effect: what the driver is asked during the call */
    WCTS_FORM_EFFECT_LATER,   /* effect: the outcome of a later call */
    WCTS_FORM_EFFECT_PLACED,  /* effect: where the allocation is afterwards */
    WCTS_FORM_EFFECT_BYTES,   /* effect: the content of memory afterwards */
    WCTS_FORM_EFFECT_MACHINE, /* effect: which services are called, in which order */
    WCTS_FORM_EFFECT_POWER,   /* effect: what happens to the segments of a row */
    WCTS_FORM_EFFECT_PATCH,   /* effect: what a driver gets to patch */
    WCTS_FORM_LAYOUT,         /* each flag or member is where the document puts it */
    WCTS_FORM_COUNT_OF
};

/* What a layout names, and what an effect demands of pages or of the answer. */
enum wcts_attribute {
    WCTS_ARG_FACT,       /* layout: the only flag */
    WCTS_ARG_MEMBER,     /* layout: the member with the word; other effects: all that they name */
    WCTS_ARG_OF,         /* reference: the allocation */
    WCTS_ARG_BASE,       /* reference: where the range begins */
    WCTS_ARG_SIZE,       /* reference */
    WCTS_ARG_STATE,      /* page states: one */
    WCTS_ARG_FROM,       /* reference: offset in the allocation of the first page */
    WCTS_ARG_LINEAR,     /* given: pages follow each other in the allocation */
    WCTS_ARG_EACH,       /* reference: the length after which the allocation begins again */
    WCTS_ARG_FLAGS,      /* references: the protection is these flags */
    WCTS_ARG_PROTECTION, /* reference: the protection is this member */
    WCTS_ARG_DRIVER,     /* number or reference: the driver's protection */
    WCTS_ARG_COPY,       /* reference: the pages are those at this address before the call */
    WCTS_ARG_SOURCE,     /* page states: only copied pages in these states are compared */
    WCTS_ARG_INTERSECT,  /* given: source and destination intersect */
    WCTS_ARG_ACCEPTED,   /* given: a refusal of the call is a breach of the effect */
    WCTS_ARG_REFUSED,    /* given: the call is refused, the pages are as before */
    WCTS_ARG_COUNT
};

/* STRUCTURE.member or STRUCTURE.member.flag. Example: {5, 0, 3} is the fourth flag of the first
 * member of structures[5]. */
struct wcts_ref {
    int structure;
    int member; /* index in the structure */
    int flag;   /* index in the member's word, -1: the whole member */
};

/* The value of a rule or effect. UNKNOWN: its conditions do not hold, or the exchange does not show
 * it. */
enum wcts_truth { WCTS_UNKNOWN, WCTS_TRUE, WCTS_FALSE };

/*
 * The value of one attribute of a rule; the spec owns it. Examples: a driver's protection of 0x1000
 * is {given, number 0x1000}; of="MAP.Size" is {given, refs {MAP.Size}, count 1}.
 */
struct wcts_operand {
    bool given;
    bool deep;             /* True for a path of several steps, which only records can resolve */
    uint64_t number;       /* if count is 0; of page states: bit n = enum wcts_page_state n */
    struct wcts_ref *refs; /* of a path its last step */
    int count;
    int first;        /* of an effect: the node of the first path */
    const char *text; /* of a layout, as written */
};

/* One condition of a rule or effect: "not hAllocation/INFO.Flags.Lock" has the text of all of it,
 * and of an effect's the flag Lock, which is clear, and the subject hAllocation/INFO.Flags.Lock. */
struct wcts_condition {
    struct wcts_place place;
    int expression;   /* see lang/expr.h */
    const char *text; /* of the expression */
    /* Of an effect's: the first path that it names, and its last step. */
    const char *subject;
    struct wcts_ref ref; /* structure -1: it names none */
    bool fact, clear;    /* it is a flag, or that a flag is clear */
    bool deep;           /* it has a path that only records can resolve */
};

/* One column value of a row. Example: the second column of a row with values="1 0" is {its flag,
 * false}. */
struct wcts_cell {
    struct wcts_ref flag;
    bool set;
};

/*
 * The expressions of a rule: when="W" refuse="R" unless="U", each a position in the nodes of the
 * spec (lang/expr.h) or 0; only R is always there. Kept, broken, or UNKNOWN: not asked.
 *
 *     W not TRUE                      not asked
 *     R FALSE   no U: kept            U: not asked
 *     R TRUE    no U: broken          U TRUE: kept; FALSE: broken; UNKNOWN: not asked
 *     R UNKNOWN                       not asked
 */
struct wcts_lang_rule {
    int when, refuse, unless;
};

/* Which messages count, and what it means if there are none. */
enum wcts_selector {
    WCTS_SELECT_CALL,    /* none: the effect is about the call itself */
    WCTS_SELECT_EVERY,   /* holds of each */
    WCTS_SELECT_SOME,    /* holds of one */
    WCTS_SELECT_FIRST,   /* there is one, and holds of the first */
    WCTS_SELECT_NEAREST, /* holds of the one nearest to the call, if there is one */
    WCTS_SELECT_NO,      /* there is none */
    WCTS_SELECT_ALL,     /* holds of them together */
};

/* Where the messages are. */
enum wcts_span {
    WCTS_SPAN_DURING,  /* in the call, or in the settling right behind it */
    WCTS_SPAN_AFTER,   /* behind the call; memory that the suite itself reads */
    WCTS_SPAN_BEFORE,  /* before it */
    WCTS_SPAN_RESTING, /* behind the call, until something moves */
};

/*
 * An effect as it is evaluated: expressions are roots, 0 none. The one above is {on KERNEL_EVICT,
 * in -1, EVERY, message DRIVER_PAGING, DURING, when 7, where 11, holds 15}.
 */
struct wcts_effect {
    int on;                      /* structure */
    int in, message;             /* messages of the spec, -1: any, none */
    enum wcts_selector selector; /* of the messages of message */
    enum wcts_span span;
    bool refused_too;
    bool on_refusal; /* "when" speaks of the answer: a refused call counts */
    bool on_any;     /* "holds" speaks of the answer: so does a message whatever was answered */
    int when, where, holds;
    uint64_t operations; /* in whose messages its subject is: wcts_model_operation_bit() */
    uint32_t needs;      /* sum of enum wcts_capability, without which it cannot be observed */
    /* Why only its own cases look at it; NULL: it holds wherever it applies (observed.c). */
    const char *unobserved;
    /* Recordings show it all the same: that the call was answered as not implemented, or not
     * supported, breaks it. */
    bool is_denial_recorded;
    /* Why it is not asked of native calls: what Windows does otherwise; NULL: it is. */
    const char *header_only;
    /* True if "holds" asks whether memory holds what was written there: walks look at that, too. */
    bool written;
};

struct wcts_load_node;

/*
 * A rule states which calls are right; an effect, in the same struct, what a call brings about. The
 * spec owns it. Example: id "MAP-004", on = KERNEL_MAP, breach.refuse = SizeInBytes mod page != 0,
 * outcome REFUSE: a call whose SizeInBytes is no multiple of the host page breaks it and must be
 * refused. when holds the conditions under which that counts.
 */
struct wcts_rule {
    const char *id; /* statement id, or statement id.name */
    struct wcts_place place;
    int statement;
    int on;           /* structure whose instances it checks */
    int since, until; /* version indices; until is exclusive */
    enum wcts_force force;
    enum wcts_outcome outcome;
    enum wcts_form form;
    const char *masked_by; /* ids of rules that are broken with it, space separated, or NULL */
    /* Rules that must be kept for a breach of this one to prove anything. Indices. */
    int *rests_on;
    int rests_on_count;
    const char *elective;             /* effect: the kernel's choice that can hide it; or NULL */
    const struct wcts_effect *effect; /* effect: what is read and demanded; else NULL */
    struct wcts_lang_rule breach;     /* of what a world decides: its expressions */
    int premise;                      /* see wcts_lang_premise */
    struct wcts_ref gate;             /* gate: its flag */
    struct wcts_operand arg[WCTS_ARG_COUNT];
    struct wcts_condition *when; /* those of breach.when, or of the effect, without the premise */
    int when_count;
    bool traced;             /* effect: True if only a scenario can show it */
    struct wcts_cell *cells; /* row */
    int cell_count;
    struct wcts_at *at; /* layout of a structure */
    int at_count;
    int word;                          /* layout of a word: its index */
    bool layout_sets;                  /* True if there is a test for each segment bit */
    bool layout_bytes;                 /* True if sizes and addresses count bytes */
    const struct wcts_load_node *node; /* its element (xml.h), or that of its row */
};

/* layout: where the document puts a member. Example: {its place, .member = 2, .offset = 8,
 * .width = 8}: the third member is bytes 8 to 15. */
struct wcts_at {
    struct wcts_place place;
    int member;
    uint32_t offset, width;
};

/* What the documents leave open: if all conditions hold, either outcome is right. Example: {.on
 * = a structure, .errata = "D-10", .when = "Size = 0"}: a call with Size 0 may be refused. */
struct wcts_open {
    struct wcts_place place;
    int on;             /* structure */
    const char *errata; /* ids */
    int when;           /* expression */
};

/* The value of a gap's member. */
enum wcts_gap_value {
    WCTS_GAP_ANY,    /* no member */
    WCTS_GAP_ABSENT, /* a set, or preferences, with a segment that is not described */
    WCTS_GAP_HUGE,   /* a number of bytes that no machine has: 2^63 and more */
    WCTS_GAP_UNEVEN, /* no power of two */
    WCTS_GAP_ROUNDED /* an allocation that the kernel made larger than requested */
};

/*
 * A valid call, or a breach of advice, that no document requires to be accepted: a sentence is
 * missing. A refusal proves nothing, and accepting it is as right; all other requirements stay.
 * From open.xml. Example: {"size-that-nobody-has", "how large memory may be", .member = a size,
 * .value = WCTS_GAP_HUGE}.
 */
struct wcts_gap {
    const char *name, *missing; /* missing: the sentence that would settle it */
    struct wcts_place place;
    int since, until;
    int on;                 /* structure; one of its instances must satisfy all that follows */
    struct wcts_ref member; /* if value is not ANY */
    enum wcts_gap_value value;
    int breaks; /* statement of which a rule is broken, binding or not; -1: any */
    int when;   /* expression; 0: none */
};

/* A sentence of a document that demands something. Example: {"ABC-003", .text = "Setting X
 * obliges ...", .where = "Members, X: 2nd sentence", .force = MUST, .basis = INFERRED, .since =
 * 0, .rule_count = 2}. */
struct wcts_statement {
    const char *id, *member, *text, *where, *errata; /* errata: ids, space separated, or NULL */
    const char *quote;    /* the document's own words, pieces separated by " […] ", or NULL */
    const char *unquoted; /* why there is nothing to quote, or NULL */
    struct wcts_place place;
    int document;
    enum wcts_role role;
    enum wcts_force force;
    enum wcts_basis basis;
    const char *form; /* as in the list of statements: effect, align, ... */
    int since, until;
    bool derived, pending;
    const char *reason;                /* why it is not testable, or NULL */
    int rule_count;                    /* rules, with those of invalid rows */
    int row_count;                     /* valid rows that name it */
    int feature;                       /* its feature, -1: none */
    int rules_expected;                /* as the statement declares, 1 by default */
    const struct wcts_load_node *node; /* its element (xml.h) */
};

/* A bit of a word: {"Name", .bit = 1, .since = 0, .until = the number of versions, .open_since =
 * .open_until, .gate = -1}. */
struct wcts_flag {
    const char *name;
    struct wcts_place place;
    int bit;
    int since, until;           /* it exists in [since, until) */
    int open_since, open_until; /* a set bit is not judged in [open_since, open_until) */
    bool mapped;                /* of a segment: what is in it has to be mapped there */
    int gate;                   /* rule of form gate for the versions before since, or -1 */
};

/* A member whose bits have names: {"NAME_OF_ITS_TYPE", .bits = 32, .flags = {...}, .flag_count =
 * 23}. A version before a flag has its bit undefined. */
struct wcts_word {
    const char *name;
    struct wcts_place place;
    int document;  /* -1: interface.xml */
    int statement; /* its layout statement, or -1 */
    int bits;
    const char *order; /* names in the order of the declaration, or NULL */
    struct wcts_flag *flags;
    int flag_count;
};

/* How to read a member's value. */
enum wcts_member_type {
    WCTS_TYPE_NUMBER,
    WCTS_TYPE_POINTER,            /* offset in the message */
    WCTS_TYPE_HANDLE,             /* names an object */
    WCTS_TYPE_ADDRESS,            /* user or GPU virtual address */
    WCTS_TYPE_SEGMENT_SET,        /* bit n names segment n+1 */
    WCTS_TYPE_SEGMENT_PREFERENCE, /* five groups of id:5 direction:1 */
    WCTS_TYPE_SEGMENT,            /* the id of a segment */
    WCTS_TYPES                    /* how many there are */
};

/* What a member means to the suite, whatever its document calls it; the first ones of a page. */
enum wcts_meaning {
    WCTS_MEANS_STATE,
    WCTS_MEANS_ALLOCATION,
    WCTS_MEANS_OFFSET, /* in the allocation */
    WCTS_MEANS_PROTECTION,
    WCTS_MEANS_DRIVER_PROTECTION,
    WCTS_PAGE_MEANINGS, /* of how many members a page consists */
    WCTS_MEANS_COUNT = WCTS_PAGE_MEANINGS,
    WCTS_MEANS_SEGMENT,
    WCTS_MEANS_SEGMENT_SIZE, /* of the segment that an allocation is in */
    WCTS_MEANS_SIZE,
    WCTS_MEANS_BASE,
    WCTS_MEANS_LENGTH,
    WCTS_MEANS_TRANSFER, /* what is asked is to move content if it is WCTS_PAGING_TRANSFER */
    WCTS_MEANS_SOURCE,   /* segment */
    WCTS_MEANS_DESTINATION,
    WCTS_MEANS_POWER,
    WCTS_MEANS_SPACE, /* a segment, or 0: addresses of the machine */
    WCTS_MEANS_DATA,
    WCTS_MEANS_ADAPTER,  /* its number */
    WCTS_MEANS_STANDARD, /* which standard allocation is asked for, 0: none */
    WCTS_MEANS_CONTEXT,  /* the driver's handle of a device or context */
    WCTS_MEANINGS
};

/* A page: the value of each of its members. Example: a page that is mapped has its state, its
 * allocation and its offset there. */
struct wcts_page_shown {
    uint64_t of[WCTS_PAGE_MEANINGS];
};

/* A number that has a name: {"MapAperture", 5} of an Operation. */
struct wcts_number {
    const char *name;
    uint64_t number;
};

/* A member of a structure: {"SizeInBytes", .field = "SizeInBytes", .offset = 16, .width = 8,
 * .type = NUMBER, .word = -1}. */
struct wcts_member {
    const char *name;
    const char *field; /* in the header's struct */
    struct wcts_place place;
    uint32_t offset, width; /* in the header's struct, from the generated binding */
    enum wcts_member_type type;
    int word; /* or -1 */
    int since, until;
    /* A pointer to an array: the structure of its elements (if there are several, the number in
     * their first member selects one), and the member that counts them. elements NULL: no array,
     * or, with a count, bytes or what only the header describes. */
    const char *elements, *count;
    int counter;           /* the member that count names, -1: none */
    const char *stride;    /* the member with the distance of the elements; NULL: their size */
    int strider;           /* its index, -1: none */
    const int *element_of; /* the structures that elements names, indices */
    int element_of_count;
    int least_element; /* the smallest of those, the first one of several; -1: none, bytes */
    struct wcts_number *numbers;
    int number_count;
    /* Where a recording of native calls has it under another name: paths, blanks between them,
     * "Transfer.Source.SegmentId in.NumAllocations"; "pDmaBuffer-in.pDmaBuffer" is the difference
     * of two. NULL: nowhere else. */
    const char *native;
    /* Its bits that native structures have as members, from bit 0 on, each with its width. */
    struct wcts_number *fields;
    int field_count;
};

/* Operations are a party's code, times 256, and a number. */
#define WCTS_PARTIES 8
#define WCTS_PARTY_OPERATIONS 64

/* A set of operations. Example: bit 3 of of[1] is the operation 0x103. */
struct wcts_operations {
    uint64_t of[WCTS_PARTIES];
};

static inline bool wcts_model_operations_have(const struct wcts_operations *set, uint32_t operation)
{
    uint32_t party = operation >> 8, number = operation & 255;
    return party < WCTS_PARTIES && number < WCTS_PARTY_OPERATIONS && set->of[party] >> number & 1;
}

/* The set of one operation. */
static inline struct wcts_operations wcts_model_operations_of(uint32_t operation)
{
    struct wcts_operations set = {{0}};
    if (operation >> 8 < WCTS_PARTIES && (operation & 255) < WCTS_PARTY_OPERATIONS)
        set.of[operation >> 8] = UINT64_C(1) << (operation & 255);
    return set;
}

/* A structure of the documents or a message of the interface, bound to the header. Example: {the
 * name in the documents, the struct of the header, .size = 40, .members = {...}, .member_count =
 * 6}. */
struct wcts_structure {
    const char *name;
    const char *type; /* tag of the header's struct */
    struct wcts_place place;
    uint32_t size;
    int since, until;
    struct wcts_member *members;
    int member_count;
    uint8_t means[WCTS_MEANINGS]; /* 1 + the member that means it, 0: none */
    const int *pointers;          /* the members that point to elements, in their order */
    int pointer_count;
    /* The members whose arrays have to be inside a message, in their order: those with a counter,
     * unless another version of the structure has smaller elements at the same offset: either may
     * be meant. */
    const int *arrays;
    int array_count;
    struct wcts_operations held_by; /* whose messages have it, or an array of it */
};

/* A line of a table of flags that belong together: <row values="1 0" valid="yes" statements="A
 * B"> is {.values = 1, .value_count = 2, .valid = true, .statements = {A, B}}. */
struct wcts_row {
    struct wcts_place place;
    uint64_t values; /* bit n: the value of column n */
    int value_count; /* as many as there are columns, or lint reports it */
    bool valid;
    int *statements;
    int statement_count;
    int standby, hibernate; /* enum wcts_content + 1 of the segment's content, 0: not stated */
};

/* What happened to memory. */
enum wcts_content {
    WCTS_CONTENT_ZERO,
    WCTS_CONTENT_WRITTEN,
    WCTS_CONTENT_KEPT,
    WCTS_CONTENT_PARTLY,
    WCTS_CONTENT_PURGED
};

/* Which values some flags may have together: {"standby", .on = the structure, .columns = three
 * flags, .rows = eight, .row_count = 8}. */
struct wcts_table {
    const char *name;
    struct wcts_place place;
    int on, since, until;
    struct wcts_ref *columns;
    int column_count;
    struct wcts_row *rows;
    int row_count;
};

/* A version of the driver model, in their order: {"2.0", "wddm2_0", 0x5023}. */
struct wcts_version {
    const char *name; /* "2.0" */
    const char *id;   /* "wddm2_0" */
    uint32_t interface_version;
    struct wcts_place place;
};

/* A document that statements are of: {"000", its title, .language = "pt", .prefix = "ABC"}. */
struct wcts_document {
    const char *number, *title, *source, *language, *prefix;
    struct wcts_place place;
};

/* A passage that can be read in several ways, and the reading that was chosen, with the reason:
 * {"D-1", "000 001", .readings = "(a) ...; (b) ...", .choice = "b"}. */
struct wcts_erratum {
    const char *id, *document, *passage, *readings, *choice, *reason;
    const char *leaves; /* flags and structures that it leaves open, or NULL */
    struct wcts_place place;
};

/* A feature of an implementation, from features.xml: a group of statements, and what proves that
 * the implementation has it. A statement is in one feature at most. Example: {"kernel-sharing",
 * "sharing", .operations = {SHARE, OPEN}, .statements = {three}, .operation_count = 2,
 * .statement_count = 3}. */
struct wcts_feature {
    const char *name, *title;
    struct wcts_place place;
    bool driver;           /* of the driver side, else of the kernel side */
    bool core;             /* True if a side without all its operations cannot be tested */
    uint32_t capability;   /* enum wcts_capability that proves it, or 0 */
    const int *operations; /* messages: an implemented one proves it */
    const int *statements; /* its statements */
    int operation_count, statement_count;
};

/* What the reply to an operation shows. */
enum wcts_shows {
    WCTS_SHOWS_NOTHING,
    WCTS_SHOWS_PLACE,    /* where an allocation is, until something moves */
    WCTS_SHOWS_SEGMENTS, /* the segments of an adapter */
    WCTS_SHOWS_PAGES,    /* the pages of a range */
};

/* Where a structure is in a message: in its request or reply, or in the arrays of that. */
enum wcts_held { WCTS_HELD_REQUEST = 1, WCTS_HELD_REPLY = 2 };

/* An operation of the interface, from interface.xml, and the structures of its messages. Example:
 * KERNEL_EVICT is {driver false, machine false, moves}. */
struct wcts_message {
    const char *name; /* KERNEL_ALLOCATION_CREATE */
    uint32_t operation;
    bool driver;        /* the driver answers it */
    bool machine;       /* the machine answers it */
    bool moves;         /* an allocation may be elsewhere afterwards */
    bool settles;       /* what comes of it belongs to the call before it */
    bool reads, writes; /* memory */
    bool starts;        /* what it makes is an adapter, which asks its driver for answers */
    bool stops;         /* all that was made before has ended */
    bool lends;         /* memory of a kernel's own, where the machine is not claimed */
    bool patches;       /* a DMA buffer */
    enum wcts_shows shows;
    struct wcts_place place;
    int request, reply;                /* structures, -1: none */
    uint32_t request_at, reply_at;     /* offset of that structure in the message */
    uint32_t request_size, reply_size; /* of the message's own struct */
    const uint8_t *holds;   /* for each structure, whether it is in one: sum of enum wcts_held */
    const uint8_t *reaches; /* the same, also of what the elements of its arrays point to */
    const char *ignores;    /* a member of the request that is never read, or NULL */
    /* Native calls whose recording is one of this, blanks between their names, and which of them:
     * one of "Type=2 Type=QUERYSEGMENT" is true. NULL: none; any. */
    const char *native, *native_if;
    /* Members of the reply with what it makes; of the request, in the same order, with what it ends
     * of those that the message of made; and where the range of its request begins and how long it
     * is. */
    struct wcts_ref *makes, *ends, *range;
    int makes_count, ends_count, range_count;
    int of; /* message, -1: none */
};

#define WCTS_SPEC_ARRAY(type, name)                                                                \
    struct type *name;                                                                             \
    int name##_count

/* A rule with an effect, and the operations in whose messages its subject is: most exchanges
 * have none of them, which is seen here without a look at the rules, that are large. Example:
 * {the bits of a creation and of an opening, .rule = 340}. */
struct wcts_observable {
    uint64_t operations; /* wcts_model_operation_bit() */
    int rule;
};

/*
 * The whole spec; wcts_load_spec_load makes it and wcts_load_spec_free frees it with all that it
 * points to. Example: rules[7].statement = 12 is the statement statements[12], whose document = 1
 * is documents[1]; versions[3].name is "2.3".
 */
struct wcts_spec {
    WCTS_SPEC_ARRAY(wcts_version, versions);
    WCTS_SPEC_ARRAY(wcts_document, documents);
    WCTS_SPEC_ARRAY(wcts_statement, statements);
    WCTS_SPEC_ARRAY(wcts_word, words);
    WCTS_SPEC_ARRAY(wcts_structure, structures);
    WCTS_SPEC_ARRAY(wcts_table, tables);
    WCTS_SPEC_ARRAY(wcts_rule, rules);
    WCTS_SPEC_ARRAY(wcts_observable, observables);
    WCTS_SPEC_ARRAY(wcts_open, opens);
    WCTS_SPEC_ARRAY(wcts_gap, gaps); /* none if there is no open.xml */
    WCTS_SPEC_ARRAY(wcts_erratum, errata);
    WCTS_SPEC_ARRAY(wcts_message, messages);
    int16_t message_at[WCTS_PARTIES][WCTS_PARTY_OPERATIONS]; /* 1 + index of an operation's, or 0 */
    struct wcts_operations given[WCTS_TYPES]; /* whose replies have a member of the type */
    WCTS_SPEC_ARRAY(wcts_feature, features);  /* none if there is no features.xml */
    struct wcts_lang_exprs *exprs;            /* all expressions, see lang/expr.h */
    struct wcts_cases *cases;                 /* cases/base.xml, see cases.h */
    struct wcts_arena *arena;
    const char *version; /* of the spec itself, which names the list of tests that a claim needs;
                          * NULL: none */
    char digest[65];     /* SHA-256 over all files read, hexadecimal */
    /* The same without the extra documents if those have scenarios alone, which leave the tests of
     * all else and its numbers as they are; and how many scenarios there are without them. */
    char shared_digest[65];
    int shared_scenarios;
};

/* Look-ups by name; -1 if there is none. */
int wcts_model_spec_version(const struct wcts_spec *spec, const char *name);
int wcts_model_spec_statement(const struct wcts_spec *spec, const char *id);
int wcts_model_spec_rule(const struct wcts_spec *spec, const char *id);
/* The rule whose id the text begins with, up to one of the characters in ends, or to its end. */
int wcts_model_spec_rule_before(const struct wcts_spec *spec, const char *text, const char *ends);
int wcts_model_spec_structure(const struct wcts_spec *spec, const char *name);
int wcts_model_spec_member(const struct wcts_spec *spec, int structure, const char *name);
int wcts_model_spec_flag(const struct wcts_spec *spec, int word, const char *name);
int wcts_model_spec_message(const struct wcts_spec *spec, const char *name);
int wcts_model_spec_erratum(const struct wcts_spec *spec, const char *id);

/* True if the list of ids, which may be NULL, contains the erratum. */
bool wcts_model_is_read_by(const char *list, const struct wcts_erratum *erratum);
bool wcts_model_is_about(const struct wcts_erratum *erratum, const struct wcts_document *document);
/* True if its choice is one of its readings, or deliberately none. */
bool wcts_model_erratum_chooses(const struct wcts_erratum *erratum);
/* The chosen readings on one line. The caller frees it; NULL without memory. */
char *wcts_model_erratum_choice(const struct wcts_erratum *erratum);
/* A line for each erratum of the statement, "D-15: " and the choice; "" for none. The caller frees
 * it; NULL without memory. */
char *wcts_model_statement_read_by(const struct wcts_spec *spec,
                                   const struct wcts_statement *statement);

/* The member of a reference. */
static inline const struct wcts_member *wcts_model_ref_member(const struct wcts_spec *spec,
                                                              struct wcts_ref ref)
{
    return &spec->structures[ref.structure].members[ref.member];
}

/* The first operation whose reply shows this; NULL, 0: none. */
const struct wcts_message *wcts_model_showing(const struct wcts_spec *spec, enum wcts_shows what);
uint32_t wcts_model_operation_showing(const struct wcts_spec *spec, enum wcts_shows what);
/* The structure that describes a segment, or a page: an element of the reply that shows them; -1:
 * none. */
int wcts_model_shown_structure(const struct wcts_spec *spec, enum wcts_shows what);
/* The member that means this; NULL: none. */
static inline const struct wcts_member *wcts_model_meaning(const struct wcts_structure *structure,
                                                           enum wcts_meaning meaning)
{
    int index = structure->means[meaning];
    return index > 0 ? &structure->members[index - 1] : NULL;
}

/* What the document calls a member of a page. */
const char *wcts_model_page_member_name(const struct wcts_spec *spec, enum wcts_meaning meaning);
/* True if the member exists at the version. */
bool wcts_model_exists_at(const struct wcts_spec *spec, struct wcts_ref ref, int version);

static inline bool wcts_model_same_ref(struct wcts_ref a, struct wcts_ref b)
{
    return a.structure == b.structure && a.member == b.member && a.flag == b.flag;
}

/* "member" or "member.flag", without the structure; returns buffer. */
const char *wcts_model_ref_text(const struct wcts_spec *spec, struct wcts_ref ref, char *buffer,
                                size_t room);
/* The same in an arena, of any length. */
const char *wcts_model_ref_name(struct wcts_arena *arena, const struct wcts_spec *spec,
                                struct wcts_ref ref);

/* The name of the version; NULL if until is open. */
const char *wcts_model_until_name(const struct wcts_spec *spec, int until);
const char *wcts_model_role_name(enum wcts_role role);
const char *wcts_model_force_name(enum wcts_force force);
const char *wcts_model_basis_name(enum wcts_basis basis);
const char *wcts_model_outcome_name(enum wcts_outcome outcome);
/* Of a rule, that of its statement: "requires"; of an effect, its sort: "reply effect". */
const char *wcts_model_form_name(const struct wcts_spec *spec, const struct wcts_rule *rule);
/* "kernel" or "driver". */
const char *wcts_model_party_name(bool driver);
/* "probe": of the lowest capability of the sum, which is not 0. */
const char *wcts_model_capability_name(uint32_t capability);

/* True if the form is that of an effect. */
static inline bool wcts_model_is_effect(enum wcts_form form)
{
    return form >= WCTS_FORM_EFFECT_PAGES && form <= WCTS_FORM_EFFECT_PATCH;
}

/* True if a world decides it; layouts and effects need a recording. */
static inline bool wcts_model_is_asked(enum wcts_form form)
{
    return form != WCTS_FORM_LAYOUT && !wcts_model_is_effect(form);
}

#endif
