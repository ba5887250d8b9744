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

/* WCTS_EL_<FORM> for the forms of rules; those of cases are WCTS_EL_CASE_... where a name is taken
 * already. */
enum wcts_element_id {
    WCTS_EL_NONE,
    WCTS_EL_SPEC,
    WCTS_EL_VERSIONS,
    WCTS_EL_ERRATA,
    WCTS_EL_GAPS,
    WCTS_EL_FEATURES,
    WCTS_EL_INTERFACE,
    WCTS_EL_CASES,
    WCTS_EL_WORD,
    WCTS_EL_FLAG,
    WCTS_EL_STATEMENT,
    WCTS_EL_TEXT,
    WCTS_EL_QUOTE,
    WCTS_EL_PENDING,
    WCTS_EL_NOT_TESTABLE,
    WCTS_EL_RULE,
    WCTS_EL_WHEN,
    WCTS_EL_OPEN,
    WCTS_EL_TABLE,
    WCTS_EL_ROW,
    WCTS_EL_REQUIRES,
    WCTS_EL_EXCLUDES,
    WCTS_EL_AT_LEAST_ONE,
    WCTS_EL_EXACTLY_ONE,
    WCTS_EL_EXCLUSIVE,
    WCTS_EL_RESERVED,
    WCTS_EL_UNDEFINED,
    WCTS_EL_GATE,
    WCTS_EL_ALIGN,
    WCTS_EL_MULTIPLE,
    WCTS_EL_RANGE,
    WCTS_EL_NO_WRAP,
    WCTS_EL_FITS,
    WCTS_EL_NONZERO,
    WCTS_EL_ZERO,
    WCTS_EL_HANDLE,
    WCTS_EL_SUBSET,
    WCTS_EL_SEGMENTS,
    WCTS_EL_COUNT,
    WCTS_EL_PAGES,
    WCTS_EL_RESERVATION,
    WCTS_EL_ONE_RESERVATION,
    WCTS_EL_RANGE_OF,
    WCTS_EL_DISTINCT,
    WCTS_EL_BANKS,
    WCTS_EL_LAYOUT,
    WCTS_EL_EFFECT,
    WCTS_EL_EFFECT_PAGES,
    WCTS_EL_EFFECT_REPLY,
    WCTS_EL_EFFECT_TOLD,
    WCTS_EL_EFFECT_LATER,
    WCTS_EL_EFFECT_PLACED,
    WCTS_EL_EFFECT_BYTES,
    WCTS_EL_EFFECT_MACHINE,
    WCTS_EL_EFFECT_POWER,
    WCTS_EL_EFFECT_PATCH,
    WCTS_EL_MATCH,
    WCTS_EL_AT,
    WCTS_EL_VERSION,
    WCTS_EL_ERRATUM,
    WCTS_EL_GAP,
    WCTS_EL_FEATURE,
    WCTS_EL_PASSAGE,
    WCTS_EL_READINGS,
    WCTS_EL_CHOICE,
    WCTS_EL_REASON,
    WCTS_EL_STRUCTURE,
    WCTS_EL_MEMBER,
    WCTS_EL_MESSAGE,
    WCTS_EL_ADAPTER,
    WCTS_EL_ANSWER,
    WCTS_EL_SET,
    WCTS_EL_REGION,
    WCTS_EL_STEP,
    WCTS_EL_STRUCT,
    WCTS_EL_RESULT,
    WCTS_EL_ENDS,
    WCTS_EL_AREA,
    WCTS_EL_BASE,
    WCTS_EL_DOMAIN,
    WCTS_EL_SCENARIO,
    WCTS_EL_FOR,
    WCTS_EL_TAKE,
    WCTS_EL_CALL,
    WCTS_EL_WRITE,
    WCTS_EL_READ,
    WCTS_EL_SPOIL,
    WCTS_EL_EXPECT,
    WCTS_EL_BASELINE, /* waivers: baseline/ */
    WCTS_EL_WAIVER,
    WCTS_EL_COUNT_OF
};

/* One kind of child. A list of rows ends with WCTS_EL_NONE. */
struct wcts_child_row {
    enum wcts_element_id element;
    int min, max;      /* max 0: any number */
    const char *group; /* exactly one of the rows with this word is there; min, max unused */
};

/* The most child rows of an element. */
#define WCTS_CHILD_ROWS 40

struct wcts_element {
    const char *name;
    const char *key;                             /* in the grammar, NULL: name */
    const struct wcts_attribute_row *attributes; /* NULL: none */
    const struct wcts_child_row *children;       /* NULL: none */
    bool text;                                   /* holds text, and no children */
    int form; /* 1 + enum wcts_form when it is the form of a rule, else 0 */
};

extern const struct wcts_element wcts_elements[WCTS_EL_COUNT_OF];

/* The position of the attribute of that name in element, -1: it has none. */
int wcts_element_attribute(const struct wcts_element *element, const char *name);

#endif
