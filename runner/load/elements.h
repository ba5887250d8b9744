/* SPDX-License-Identifier: MIT */
/*
 * The elements of the format as tables: which attributes and children each may have. The reader
 * checks documents against them and the published grammar is written from them, so both accept the
 * same files.
 */
#ifndef WCTS_ELEMENTS_H
#define WCTS_ELEMENTS_H

#include "../model/spec.h"
#include "kinds.h"

/*
 * X(name, members of struct wcts_load_element...). The members name tables of elements.c, and are
 * expanded there alone.
 */
/* clang-format off */
#define WCTS_ELEMENTS(X) \
    X(NONE, .name = "") \
    X(SPEC, .name = "spec", .attributes = spec_attributes, .children = spec_children) \
    X(VERSIONS, .name = "versions", .attributes = versions_attributes, .children = versions_children) \
    X(ERRATA, .name = "errata", .children = errata_children) \
    X(GAPS, .name = "gaps", .children = gaps_children) \
    X(FEATURES, .name = "features", .children = features_children) \
    X(INTERFACE, .name = "interface", .children = interface_children) \
    X(CASES, .name = "cases", .children = cases_children) \
    X(WORD, .name = "word", .attributes = word_attributes, .children = word_children) \
    X(FLAG, .name = "flag", .attributes = flag_attributes) \
    X(STATEMENT, .name = "statement", .attributes = statement_attributes, .children = statement_children) \
    X(TEXT, .name = "text", .text = true) \
    X(QUOTE, .name = "quote", .text = true) \
    X(PENDING, .name = "pending") \
    X(NOT_TESTABLE, .name = "not-testable", .attributes = not_testable_attributes) \
    X(RULE, .name = "rule", .attributes = rule_attributes, .children = rule_children) \
    X(OPEN, .name = "open", .attributes = open_attributes) \
    X(TABLE, .name = "table", .attributes = table_attributes, .children = table_children) \
    X(ROW, .name = "row", .attributes = row_attributes) \
    X(LAYOUT, .form = 1 + WCTS_FORM_LAYOUT, .name = "layout", .attributes = layout_attributes, .children = layout_children) \
    X(EFFECT, .name = "effect", .attributes = effect_attributes) \
    X(AT, .name = "at", .attributes = at_attributes) \
    X(VERSION, .name = "version", .attributes = version_attributes) \
    X(ERRATUM, .name = "erratum", .attributes = erratum_attributes, .children = erratum_children) \
    X(GAP, .name = "gap", .attributes = gap_attributes) \
    X(FEATURE, .name = "feature", .attributes = feature_attributes) \
    X(PASSAGE, .name = "passage", .text = true) \
    X(READINGS, .name = "readings", .text = true) \
    X(CHOICE, .name = "choice", .text = true) \
    X(REASON, .name = "reason", .text = true) \
    X(STRUCTURE, .name = "structure", .attributes = structure_attributes, .children = structure_children) \
    X(MEMBER, .name = "member", .attributes = member_attributes) \
    X(MESSAGE, .name = "message", .attributes = message_attributes) \
    X(ADAPTER, .name = "adapter", .attributes = adapter_attributes, .children = adapter_children) \
    X(ANSWER, .name = "answer", .attributes = answer_attributes, .more = WCTS_MORE_MEMBERS) \
    X(REGION, .name = "region", .attributes = region_attributes) \
    X(STEP, .name = "step", .attributes = step_attributes, .children = step_children, .more = WCTS_MORE_MEMBERS) \
    X(STRUCT, .name = "struct", .attributes = struct_attributes, .more = WCTS_MORE_MEMBERS) \
    X(RESULT, .name = "result", .attributes = result_attributes) \
    X(ENDS, .name = "ends", .attributes = ends_attributes) \
    X(AREA, .name = "area", .attributes = area_attributes) \
    X(BASE, .name = "base", .attributes = base_attributes) \
    X(STATE, .name = "state", .attributes = state_attributes) \
    X(DOMAIN, .name = "domain", .attributes = domain_attributes) \
    X(PROCEDURE, .name = "procedure", .attributes = procedure_attributes, .children = procedure_children) \
    X(SCENARIO, .name = "scenario", .attributes = scenario_attributes, .children = scenario_children) \
    X(FOR, .name = "for", .attributes = for_attributes) \
    X(TAKE, .name = "take", .attributes = take_attributes) \
    X(DO, .name = "do", .more = WCTS_MORE_ARGUMENTS) \
    X(CALL, .name = "call", .attributes = call_attributes, .children = call_children, .more = WCTS_MORE_MEMBERS) \
    X(WRITE, .name = "write", .attributes = memory_attributes) \
    X(READ, .name = "read", .attributes = memory_attributes) \
    X(SPOIL, .name = "spoil") \
    X(BASELINE, .name = "baseline", .children = baseline_children) \
    X(WAIVER, .name = "waiver", .attributes = waiver_attributes) \
    X(PROFILE, .name = "profile", .attributes = profile_attributes, .children = profile_children) \
    X(DEVIATION, .name = "deviation", .attributes = deviation_attributes, .text = true) \
    X(RESTRICTION, .name = "restriction", .attributes = restriction_attributes, .text = true) \
    X(ABSENT, .name = "absent", .attributes = absent_attributes, .text = true) \
    X(DECLARATION, .name = "declaration", .attributes = declaration_attributes, .children = declaration_children) \
    X(KERNEL_SIDE, .name = "kernel", .attributes = kernel_attributes, .children = kernel_children) \
    X(DRIVER_SIDE, .name = "driver", .attributes = driver_attributes, .children = driver_children) \
    X(OFFERS, .name = "kind", .attributes = offers_attributes) \
    X(PROVIDES, .name = "provides", .attributes = provides_attributes) \
    X(TRACE, .name = "trace", .attributes = trace_attributes, .children = trace_children) \
    X(EVENT, .name = "event", .attributes = event_attributes, .children = event_children) \
    X(EXCEPT, .name = "except", .attributes = except_attributes) \
    X(FEED, .name = "feed", .attributes = feed_attributes)
/* clang-format on */

enum wcts_load_element_id {
#define WCTS_ELEMENT_ENUM(name, ...) WCTS_EL_##name,
    WCTS_ELEMENTS(WCTS_ELEMENT_ENUM)
#undef WCTS_ELEMENT_ENUM
        WCTS_EL_COUNT_OF
};

/* A kind of child: {WCTS_EL_TEXT, 1, 1} for exactly one <text>. A list of rows ends with
 * WCTS_EL_NONE. */
struct wcts_load_child_row {
    enum wcts_load_element_id element;
    int min, max; /* max 0: any number */
};

/* Attributes that an element may have beside those of its table. */
enum wcts_load_more_attributes {
    WCTS_MORE_NONE,
    WCTS_MORE_MEMBERS,   /* members of a structure: Flags.Lock="1", hAllocation="a" */
    WCTS_MORE_ARGUMENTS, /* a procedure and its parameters: evict="a b", answer="in-memory" */
};

/* The most child rows of an element. */
#define WCTS_CHILD_ROWS 40

/* An element of the format; <not-testable> is {"not-testable", .attributes =
 * not_testable_attributes}. */
struct wcts_load_element {
    const char *name;
    const struct wcts_load_attribute_row *attributes; /* NULL: none */
    const struct wcts_load_child_row *children;       /* NULL: none */
    enum wcts_load_more_attributes more;
    bool text; /* true if it holds text, and no children */
    int form;  /* 1 + enum wcts_form if it is the form of a rule, else 0 */
};

extern const struct wcts_load_element wcts_elements[WCTS_EL_COUNT_OF];

/* How the names and the values of such attributes are written: two rows, without a name. */
extern const struct wcts_load_attribute_row wcts_more_rows[][2];

/* The position of the attribute of that name in element, -1 if it has none. */
int wcts_load_element_attribute(const struct wcts_load_element *element, const char *name);

#endif
