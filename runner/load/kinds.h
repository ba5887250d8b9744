/* SPDX-License-Identifier: MIT */
/* The kinds of attribute values: how each is written, and its name in messages. */
#ifndef WCTS_KINDS_H
#define WCTS_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/text.h"

enum wcts_load_value_kind {
    WCTS_KIND_NAME,       /* letters, digits, _ - . */
    WCTS_KIND_NAMES,      /* names, blanks between them */
    WCTS_KIND_IDENT,      /* a C identifier: structures, members, flags, header names */
    WCTS_KIND_FIELD,      /* a field of a header's struct, Map.BaseAddress */
    WCTS_KIND_VERSION,    /* 1.0 */
    WCTS_KIND_VERSIONS,   /* 1.0 or 1.0..1.1 */
    WCTS_KIND_NUMBER,     /* decimal or 0x..., from min to max */
    WCTS_KIND_WORD,       /* one of words */
    WCTS_KIND_WORDS,      /* some of words */
    WCTS_KIND_REF,        /* STRUCTURE.member.flag */
    WCTS_KIND_REFS,       /* references, blanks between them */
    WCTS_KIND_VALUE,      /* number, symbol or symbol+number */
    WCTS_KIND_VALUES,     /* values, blanks between them */
    WCTS_KIND_SYMBOL,     /* a name that a procedure's parameter may stand for */
    WCTS_KIND_SYMBOLS,    /* such names, blanks between them */
    WCTS_KIND_PARAMETERS, /* name or name=value, blanks between them */
    WCTS_KIND_BITS,       /* 0 and 1, blanks between them */
    WCTS_KIND_TEXT,       /* not empty */
    WCTS_KIND_ID,         /* of a case: letters, digits, - _ . / , */
    WCTS_KIND_DATE,       /* 2027-01-31 */
    WCTS_KIND_SIGNATURE,  /* of a failure: WCTS_SIGNATURE_SIZE */
    WCTS_KIND_COUNT_OF
};

/* An attribute of an element; bit="3" of <flag> is {"bit", WCTS_KIND_NUMBER, true, .max = 63}. A
 * list of rows ends with a row without a name. */
struct wcts_load_attribute_row {
    const char *name;
    enum wcts_load_value_kind kind;
    bool required;
    bool one_of; /* at least one of the rows with this is given */
    uint64_t min, max;
    const char *const *words; /* ends with NULL */
};

/* Parses text[0..length) as a decimal number of at most 19 digits without a leading 0, or as 0x and
 * at most 16 digits. False if it is neither. */
bool wcts_load_parse_number(const char *text, size_t length, uint64_t *number);

/* The number of pieces of a list. */
int wcts_load_count_pieces(const char *list);

/* True if value has the form that the row requires. */
bool wcts_load_kind_accepts(const struct wcts_load_attribute_row *row, const char *value);

/* Adds the form that the row requires, "a number from 0 to 31", to an empty text; returns it. */
const char *wcts_load_kind_expected(const struct wcts_load_attribute_row *row,
                                    struct wcts_text *text);

/* Only numbers that can be large may be written in hexadecimal. */
bool wcts_load_number_may_be_hex(const struct wcts_load_attribute_row *row);

/* The regular expression (XML Schema) of a kind; NULL for a kind that has none (text, words). */
const char *wcts_load_kind_pattern(enum wcts_load_value_kind kind);
bool wcts_load_kind_is_list(enum wcts_load_value_kind kind);

#endif
