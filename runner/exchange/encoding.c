/* SPDX-License-Identifier: MIT */
/* A recursive descent over text that nobody has checked: it reads no byte behind the zero, and goes
 * no deeper than DEPTH_MAX. */
#include "encoding.h"

#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 32

struct exchange_encoding {
    const char *start, *at;
    const uint64_t *values;
    int depth;
    bool wrong;
    char *error;
    size_t room;
};

static const char *const names[] = {
    [WCTS_ENCODING_ADDRESS] = "address", [WCTS_ENCODING_OFFSET] = "offset",
    [WCTS_ENCODING_BASE] = "base",       [WCTS_ENCODING_SEGMENT] = "segment",
    [WCTS_ENCODING_SLOT] = "slot",       [WCTS_ENCODING_DRIVER] = "driver",
    [WCTS_ENCODING_OLD] = "old",
};

/* As in C; the next row binds more strongly. */
static const char *const operators[][3] = {{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*"}};
#define LEVELS (sizeof operators / sizeof *operators)

static uint64_t set_wrong(struct exchange_encoding *encoding, const char *expected)
{
    if (!encoding->wrong)
        snprintf(encoding->error, encoding->room, "character %zu: expected %s",
                 (size_t)(encoding->at - encoding->start) + 1, expected);
    encoding->wrong = true;
    return 0;
}

static char next(struct exchange_encoding *encoding)
{
    while (*encoding->at == ' ')
        encoding->at++;
    return *encoding->at;
}

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
    return c && found ? (int)(found - digits) : 16;
}

static uint64_t read_number(struct exchange_encoding *encoding)
{
    uint64_t value = 0;
    int radix = 10;
    if (encoding->at[0] == '0' && (encoding->at[1] == 'x' || encoding->at[1] == 'X')) {
        radix = 16;
        encoding->at += 2;
    } else if (encoding->at[0] == '0' && digit_of(encoding->at[1]) < 10)
        return set_wrong(encoding, "no 0 in front of a decimal number: in C it is an octal one");
    if (digit_of(*encoding->at) >= radix)
        return set_wrong(encoding, "a digit");
    for (; digit_of(*encoding->at) < radix; encoding->at++) {
        uint64_t digit = (uint64_t)digit_of(*encoding->at);
        if (value > (UINT64_MAX - digit) / (uint64_t)radix)
            return set_wrong(encoding, "a number of 64 bits");
        value = value * (uint64_t)radix + digit;
    }
    return value;
}

static uint64_t read_level(struct exchange_encoding *encoding, size_t level);

static uint64_t read_operand(struct exchange_encoding *encoding)
{
    char c = next(encoding);
    size_t length;
    uint64_t value;
    if (encoding->depth >= DEPTH_MAX)
        return set_wrong(encoding, "fewer operators in one another");
    if (c == '~' || c == '-' || c == '(') {
        encoding->at++;
        encoding->depth++;
        value = c == '(' ? read_level(encoding, 0) : read_operand(encoding);
        encoding->depth--;
        if (c == '(' && next(encoding) != ')')
            return set_wrong(encoding, "a closing parenthesis");
        encoding->at += c == '(' && !encoding->wrong;
        return c == '~' ? ~value : c == '-' ? 0 - value : value;
    }
    if (c >= '0' && c <= '9')
        return read_number(encoding);
    length = strspn(encoding->at, "abcdefghijklmnopqrstuvwxyz");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(names[i], encoding->at, length) == 0) {
            encoding->at += length;
            return encoding->values[i];
        }
    return set_wrong(encoding,
                     "a number, a name (address, offset, base, segment, slot, driver, old), ~, - "
                     "or (");
}

static uint64_t apply_operator(char operation, uint64_t left, uint64_t right)
{
    switch (operation) {
    case '|':
        return left | right;
    case '^':
        return left ^ right;
    case '&':
        return left & right;
    case '<':
        return right < 64 ? left << right : 0;
    case '>':
        return right < 64 ? left >> right : 0;
    case '+':
        return left + right;
    case '-':
        return left - right;
    default:
        return left * right;
    }
}

static uint64_t read_level(struct exchange_encoding *encoding, size_t level)
{
    uint64_t value = level == LEVELS ? read_operand(encoding) : read_level(encoding, level + 1);
    bool more = level < LEVELS;
    while (more && !encoding->wrong) {
        more = false;
        for (int i = 0; i < 3 && operators[level][i] && !more; i++) {
            size_t length = strlen(operators[level][i]);
            next(encoding);
            more = strncmp(encoding->at, operators[level][i], length) == 0;
            if (!more)
                continue;
            encoding->at += length;
            value = apply_operator(*operators[level][i], value, read_level(encoding, level + 1));
        }
    }
    return value;
}

bool wcts_exchange_encoding(const char *text, size_t room,
                            const uint64_t values[WCTS_ENCODING_VALUES], uint64_t *value,
                            char *error, size_t error_room)
{
    struct exchange_encoding encoding = {
        .start = text, .at = text, .values = values, .error = error, .room = error_room};
    if (!text || !memchr(text, '\0', room)) {
        snprintf(error, error_room, "expected a zero-terminated string of at most %zu characters",
                 room ? room - 1 : 0);
        return false;
    }
    *value = read_level(&encoding, 0);
    if (next(&encoding) != '\0')
        set_wrong(&encoding, "an operator, or the end");
    return !encoding.wrong;
}

uint32_t wcts_exchange_encoding_width(const struct wcts_driver_info_reply *info, uint32_t size)
{
    const size_t declared = offsetof(struct wcts_driver_info_reply, pPatchExpression);
    switch (info->patches) {
    case WCTS_PATCHES_32:
    case WCTS_PATCHES_32_SEGMENT:
        return sizeof(uint32_t);
    case WCTS_PATCHES_EXPRESSION:
    case WCTS_PATCHES_PRIVATE:
        if (info->size > declared && size > declared && info->PatchWidth >= 1 &&
            info->PatchWidth <= sizeof(uint64_t))
            return info->PatchWidth;
        return sizeof(uint64_t);
    default:
        return sizeof(uint64_t);
    }
}
