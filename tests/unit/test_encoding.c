/* SPDX-License-Identifier: MIT */
/* The expression with which a driver declares what it patches. */
#include <stdlib.h>
#include <string.h>

#include "runner/exchange/encoding.h"
#include "suite.h"

static const uint64_t values[WCTS_ENCODING_VALUES] = {
    [WCTS_ENCODING_ADDRESS] = 0x40012000,
    [WCTS_ENCODING_OFFSET] = 0x345,
    [WCTS_ENCODING_BASE] = 0x40000000,
    [WCTS_ENCODING_SEGMENT] = 3,
    [WCTS_ENCODING_SLOT] = 5,
    [WCTS_ENCODING_DRIVER] = 7,
    [WCTS_ENCODING_OLD] = 0xABC,
};

/* The compiler evaluates the same. */
#define address UINT64_C(0x40012000)
#define offset UINT64_C(0x345)
#define base UINT64_C(0x40000000)
#define segment UINT64_C(3)
#define slot UINT64_C(5)
#define driver UINT64_C(7)
#define old UINT64_C(0xABC)
static const struct {
    const char *text;
    uint64_t value;
} right[] = {
    {"address", address},
    {"address + offset - base", address + offset - base},
    {"(address+offset-base+0x80000000)>>12<<12|old&0xFFF",
     (address + offset - base + 0x80000000) >> 12 << 12 | (old & 0xFFF)},
    {"1 + 2 * 3 << 4 & 0xFF ^ 0x0f | 1", ((((1 + 2 * 3) << 4) & 0xFF) ^ 0x0F) | 1},
    {"10 - 3 - 2", 5},
    {"-1", UINT64_MAX},
    {"~0 >> 63", 1},
    {"1 << 64 | 1 >> 64", 0},
    {" segment * 100 + slot * 10 + driver ", 357},
    {"0xFFFFFFFFFFFFFFFF + 2", 1},
    {"18446744073709551615", UINT64_MAX},
};

START_TEST(expressions_are_those_of_c)
{
    char error[80];
    uint64_t value = 0;
    ck_assert(wcts_exchange_encoding(right[_i].text, 256, values, &value, error, sizeof error));
    ck_assert_uint_eq(value, right[_i].value);
}
END_TEST

static const struct {
    const char *text, *error;
} wrong[] = {
    {"", "character 1: expected a number, a name"},
    {"adress", "character 1: expected a number, a name"},
    {"addresses", "character 1: expected a number, a name"},
    {"1 +", "character 4: expected a number, a name"},
    {"(1", "character 3: expected a closing parenthesis"},
    {"1)", "character 2: expected an operator, or the end"},
    {"1 < 2", "character 3: expected an operator, or the end"},
    {"0x", "character 3: expected a digit"},
    {"1 << 010", "character 6: expected no 0 in front of a decimal number"},
    {"18446744073709551616", "character 20: expected a number of 64 bits"},
    {"~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~1",
     "character 33: expected fewer operators in one another"},
};

START_TEST(what_is_wrong_is_said_with_its_place)
{
    char error[200];
    uint64_t value;
    ck_assert(!wcts_exchange_encoding(wrong[_i].text, 256, values, &value, error, sizeof error));
    ck_assert_ptr_eq(strstr(error, wrong[_i].error), error);
}
END_TEST

/* A text without its zero, and none. */
START_TEST(no_byte_behind_the_room_is_read)
{
    char *text = malloc(4), error[200];
    uint64_t value;
    memcpy(text, "1+1+", 4);
    ck_assert(!wcts_exchange_encoding(text, 4, values, &value, error, sizeof error));
    ck_assert_str_eq(error, "expected a zero-terminated string of at most 3 characters");
    ck_assert(!wcts_exchange_encoding(NULL, 0, values, &value, error, sizeof error));
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("encoding");
    TCase *tests = tcase_create("encoding");
    tcase_add_loop_test(tests, expressions_are_those_of_c, 0, (int)(sizeof right / sizeof *right));
    tcase_add_loop_test(tests, what_is_wrong_is_said_with_its_place, 0,
                        (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tests, no_byte_behind_the_room_is_read);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
