/* SPDX-License-Identifier: MIT */
#include "kinds.h"
#include "../base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DIGITS "0123456789"

typedef bool piece_fn(const char *text, size_t length);

/* A value of the kind is one piece, or a list of pieces, each accepted by piece. */
struct load_kind_row {
    const char *expected;
    const char *pattern;
    piece_fn *piece;
    bool list;
};

/* The most digits: every number of so many fits 64 bits. */
#define DECIMAL_DIGITS 19
#define HEX_DIGITS 16

bool wcts_load_parse_number(const char *text, size_t length, uint64_t *number)
{
    bool hex = length > 2 && text[0] == '0' && text[1] == 'x';
    const char *digits = hex ? "0123456789abcdef" : DIGITS;
    size_t at = hex ? 2 : 0;
    *number = 0;
    if (length == at || length - at > (hex ? HEX_DIGITS : DECIMAL_DIGITS))
        return false;
    if (!hex && length > 1 && text[0] == '0')
        return false;
    for (; at < length; at++) {
        const char *digit = strchr(digits, tolower((unsigned char)text[at]));
        if (text[at] == '\0' || digit == NULL)
            return false;
        *number = *number * (hex ? 16 : 10) + (uint64_t)(digit - digits);
    }
    return true;
}

int wcts_load_count_pieces(const char *list)
{
    const char *piece;
    int count = 0;
    while (wcts_next_piece(&list, &piece) > 0)
        count++;
    return count;
}

/* Sorts of characters, sums of these. */
enum { LETTER = 1, DIGIT = 2, UNDERSCORE = 4, DOT_OR_DASH = 8, SLASH_OR_COMMA = 16 };

static bool is_letter_of(char c, int sorts)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return sorts & LETTER;
    if (c >= '0' && c <= '9')
        return sorts & DIGIT;
    switch (c) {
    case '_':
        return sorts & UNDERSCORE;
    case '.':
    case '-':
        return sorts & DOT_OR_DASH;
    case '/':
    case ',':
        return sorts & SLASH_OR_COMMA;
    default:
        return false;
    }
}

/* True if text is one of first followed by any number of rest. */
static bool spelled(const char *text, size_t length, int first, int rest)
{
    if (length == 0 || !is_letter_of(text[0], first))
        return false;
    for (size_t i = 1; i < length; i++)
        if (!is_letter_of(text[i], rest))
            return false;
    return true;
}

static bool spells_name(const char *text, size_t length)
{
    return spelled(text, length, LETTER | DIGIT | UNDERSCORE,
                   LETTER | DIGIT | UNDERSCORE | DOT_OR_DASH);
}

static bool spells_ident(const char *text, size_t length)
{
    return spelled(text, length, LETTER | UNDERSCORE, LETTER | DIGIT | UNDERSCORE);
}

/* True if text is at most most identifiers with a dot between them. */
static bool is_dotted(const char *text, size_t length, int most)
{
    size_t at = 0;
    for (int i = 0; i < most; i++) {
        const char *dot = memchr(text + at, '.', length - at);
        size_t end = dot == NULL ? length : (size_t)(dot - text);
        if (!spells_ident(text + at, end - at))
            return false;
        if (dot == NULL)
            return true;
        at = end + 1;
    }
    return false;
}

static bool spells_ref(const char *text, size_t length)
{
    return is_dotted(text, length, 3);
}

static bool spells_field(const char *text, size_t length)
{
    return is_dotted(text, length, 2);
}

static bool spells_version(const char *text, size_t length)
{
    const char *dot = memchr(text, '.', length);
    size_t major;
    if (dot == NULL)
        return false;
    major = (size_t)(dot - text);
    return spelled(text, major, DIGIT, DIGIT) && spelled(dot + 1, length - major - 1, DIGIT, DIGIT);
}

static bool spells_versions(const char *text, size_t length)
{
    const char *dots = strstr(text, "..");
    size_t first;
    if (dots == NULL)
        return spells_version(text, length);
    first = (size_t)(dots - text);
    return first + 2 < length && spells_version(text, first) &&
           spells_version(dots + 2, length - first - 2);
}

static bool spells_number(const char *text, size_t length)
{
    uint64_t number;
    return wcts_load_parse_number(text, length, &number);
}

static bool spells_value(const char *text, size_t length)
{
    const char *plus = memchr(text, '+', length);
    size_t name = plus == NULL ? length : (size_t)(plus - text);
    if (plus == NULL && spells_number(text, length))
        return true;
    return spelled(text, name, LETTER | UNDERSCORE, LETTER | DIGIT | UNDERSCORE | DOT_OR_DASH) &&
           (plus == NULL || spells_number(plus + 1, length - name - 1));
}

/* name, or name=value. */
static bool spells_parameter(const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    size_t name = equals == NULL ? length : (size_t)(equals - text);
    return spells_name(text, name) &&
           (equals == NULL || spells_value(equals + 1, length - name - 1));
}

static bool spells_bit(const char *text, size_t length)
{
    return length == 1 && (text[0] == '0' || text[0] == '1');
}

/* Letters, digits and - _ . / , : no id of a case has anything else. */
static bool spells_id(const char *text, size_t length)
{
    return spelled(text, length, LETTER | DIGIT | UNDERSCORE, ~0);
}

/* The form only: the reader checks that there is such a day. */
static bool spells_date(const char *text, size_t length)
{
    return length == 10 && strspn(text, DIGITS) == 4 && text[4] == '-' &&
           strspn(text + 5, DIGITS) == 2 && text[7] == '-' && strspn(text + 8, DIGITS) == 2;
}

static bool spells_signature(const char *text, size_t length)
{
    size_t version = length == 14 && strncmp(text, "2-", 2) == 0 ? 2 : 0;
    return length - version == 12 && strspn(text + version, DIGITS "abcdef") >= 12;
}

#define RE_IDENT "[A-Za-z_][A-Za-z0-9_]*"
#define RE_NAME "[A-Za-z0-9_][A-Za-z0-9_.\\-]*"
#define RE_SYMBOL "[A-Za-z_][A-Za-z0-9_.\\-]*"
#define RE_NUMBER "(0|[1-9][0-9]{0,18}|0x[0-9A-Fa-f]{1,16})"
#define RE_VERSION "[0-9]+\\.[0-9]+"
#define RE_REF RE_IDENT "(\\." RE_IDENT "){0,2}"
#define RE_VALUE "(" RE_NUMBER "|" RE_SYMBOL "(\\+" RE_NUMBER ")?)"
#define RE_PARAMETER RE_NAME "(=" RE_VALUE ")?"
#define RE_LIST(piece) piece "( " piece ")*"

static const struct load_kind_row kinds[WCTS_KIND_COUNT_OF] = {
    [WCTS_KIND_NAME] = {"a name", RE_NAME, spells_name, false},
    [WCTS_KIND_NAMES] = {"names with blanks between them", RE_LIST(RE_NAME), spells_name, true},
    [WCTS_KIND_IDENT] = {"an identifier", RE_IDENT, spells_ident, false},
    [WCTS_KIND_FIELD] = {"a field of the header", RE_IDENT "(\\." RE_IDENT ")?", spells_field,
                         false},
    [WCTS_KIND_VERSION] = {"a version such as 1.0", RE_VERSION, spells_version, false},
    [WCTS_KIND_VERSIONS] = {"a version such as 1.0, or 1.0..1.1",
                            RE_VERSION "(\\.\\." RE_VERSION ")?", spells_versions, false},
    [WCTS_KIND_NUMBER] = {"a number", RE_NUMBER, spells_number, false},
    [WCTS_KIND_REF] = {"a reference such as member.flag", RE_REF, spells_ref, false},
    [WCTS_KIND_REFS] = {"references with blanks between them", RE_LIST(RE_REF), spells_ref, true},
    [WCTS_KIND_VALUE] = {"a number, a symbol or symbol+number", RE_VALUE, spells_value, false},
    [WCTS_KIND_VALUES] = {"values with blanks between them", RE_LIST(RE_VALUE), spells_value, true},
    [WCTS_KIND_SYMBOL] = {"a name", RE_NAME, spells_name, false},
    [WCTS_KIND_SYMBOLS] = {"names with blanks between them", RE_LIST(RE_NAME), spells_name, true},
    [WCTS_KIND_PARAMETERS] = {"parameters such as name or name=value", RE_LIST(RE_PARAMETER),
                              spells_parameter, true},
    [WCTS_KIND_BITS] = {"0 or 1 for each column", RE_LIST("[01]"), spells_bit, true},
    [WCTS_KIND_TEXT] = {"text", NULL, NULL, false},
    [WCTS_KIND_ID] = {"the id of a case", "[A-Za-z0-9_][A-Za-z0-9\\-_./,]*", spells_id, false},
    [WCTS_KIND_DATE] = {"a date such as 2027-01-31", "[0-9]{4}-[0-9]{2}-[0-9]{2}", spells_date,
                        false},
    [WCTS_KIND_SIGNATURE] = {"12 hexadecimal digits in small letters, after 2- for a crash or "
                             "timeout",
                             "(2-)?[0-9a-f]{12}", spells_signature, false},
};

static bool is_word(const char *const *words, const char *text, size_t length)
{
    for (; *words != NULL; words++)
        if (strlen(*words) == length && memcmp(*words, text, length) == 0)
            return true;
    return false;
}

bool wcts_load_number_may_be_hex(const struct wcts_load_attribute_row *row)
{
    return row->max == 0 || row->max >= UINT16_MAX;
}

static bool in_range(const struct wcts_load_attribute_row *row, const char *value)
{
    uint64_t number;
    if (!wcts_load_parse_number(value, strlen(value), &number))
        return false;
    if (!wcts_load_number_may_be_hex(row) && value[0] == '0' && value[1] == 'x')
        return false;
    return number >= row->min && (row->max == 0 || number <= row->max);
}

bool wcts_load_kind_accepts(const struct wcts_load_attribute_row *row, const char *value)
{
    const struct load_kind_row *kind = &kinds[row->kind];
    const char *piece;
    size_t length;
    if (row->kind == WCTS_KIND_TEXT)
        return value[strspn(value, " ")] != '\0';
    if (row->kind == WCTS_KIND_NUMBER)
        return in_range(row, value);
    if (row->kind == WCTS_KIND_WORD)
        return is_word(row->words, value, strlen(value));
    if (!kind->list && row->kind != WCTS_KIND_WORDS)
        return kind->piece(value, strlen(value));
    if (wcts_load_count_pieces(value) == 0)
        return false;
    while ((length = wcts_next_piece(&value, &piece)) > 0)
        if (row->kind == WCTS_KIND_WORDS ? !is_word(row->words, piece, length)
                                         : !kind->piece(piece, length))
            return false;
    return true;
}

const char *wcts_load_kind_expected(const struct wcts_load_attribute_row *row,
                                    struct wcts_text *text)
{
    if (row->kind == WCTS_KIND_WORD || row->kind == WCTS_KIND_WORDS) {
        wcts_text_add(text, row->kind == WCTS_KIND_WORD ? "one of" : "some of");
        for (const char *const *word = row->words; *word != NULL; word++)
            wcts_text_add(text, " %s", *word);
    } else if (row->kind == WCTS_KIND_NUMBER && row->max != 0 && row->max < UINT32_MAX) {
        wcts_text_add(text, "a number from %" PRIu64 " to %" PRIu64, row->min, row->max);
    } else {
        wcts_text_add(text, "%s", kinds[row->kind].expected);
    }
    return wcts_text_get(text);
}

const char *wcts_load_kind_pattern(enum wcts_load_value_kind kind)
{
    return kinds[kind].pattern;
}

bool wcts_load_kind_is_list(enum wcts_load_value_kind kind)
{
    return kinds[kind].list || kind == WCTS_KIND_WORDS;
}
