/* SPDX-License-Identifier: MIT */
/* What --impl names: kinds of addresses, their words and options, and how reports show them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/address.h"
#include "runner/base/host_port.h"
#include "suite.h"

START_TEST(addresses_have_kinds)
{
    ck_assert_int_eq(wcts_address_kind(NULL), WCTS_ADDRESS_BUILTIN);
    ck_assert_int_eq(wcts_address_kind("emulator"), WCTS_ADDRESS_BUILTIN);
    ck_assert_int_eq(wcts_address_kind("./exec:x.so"), WCTS_ADDRESS_FILE);
    ck_assert_int_eq(wcts_address_kind("exec:x"), WCTS_ADDRESS_EXEC);
    ck_assert_int_eq(wcts_address_kind("tcp:x:1"), WCTS_ADDRESS_TCP);
    ck_assert_int_eq(wcts_address_kind("unix:x"), WCTS_ADDRESS_UNIX);
    ck_assert(wcts_address_is_remote("unix:x") && !wcts_address_is_remote("x.so"));
}
END_TEST

static const struct {
    const char *value, *words[4]; /* of the address in the value; none: it is wrong */
    const char *rest;             /* the options */
} addresses[] = {
    {"exec:a", {"a"}, ""},
    {"exec:a  b ,x=1", {"a", "b"}, "x=1"},
    {"exec:a b\\ c,x=1,y", {"a", "b c"}, "x=1,y"},
    {"exec:a\\,b", {"a,b"}, ""},
    {"exec:'a, b' c,", {"a, b", "c"}, ""},
    {"exec:\"a\\\"b\" '' c", {"a\"b", "", "c"}, ""},
    {"exec:a'b'\"c\"", {"abc"}, ""},
    {"exec:a '\\'", {"a", "\\"}, ""},
    {"exec:,x", {NULL}, "x"},
    {"exec:'a", {NULL}, ""},
    {"tcp:host:1,x", {"host:1"}, "x"},
    {"tcp:[::1]:70", {"[::1]:70"}, ""},
    {"tcp:host", {NULL}, ""},
    {"tcp:host:", {NULL}, ""},
    {"tcp:host:65535", {"host:65535"}, ""},
    {"tcp:host:65536", {NULL}, ""},
    {"tcp:host:http", {"host:http"}, ""},
    {"tcp::1", {NULL}, ""},
    {"unix:/a b", {NULL}, ""},
    {"unix:/a\\ b", {"/a b"}, ""},
    {"unix:", {NULL}, ""},
};

START_TEST(addresses_are_cut)
{
    char address[64], error[128] = "";
    size_t length = wcts_address_length(addresses[_i].value);
    const char *rest = addresses[_i].value + length;
    snprintf(address, sizeof address, "%.*s", (int)length, addresses[_i].value);
    ck_assert_str_eq(rest[0] == ',' ? rest + 1 : rest, addresses[_i].rest);
    char **words = wcts_address_words(address, error, sizeof error);
    ck_assert_int_eq(words != NULL, addresses[_i].words[0] != NULL);
    ck_assert_int_eq(error[0] != '\0', words == NULL);
    for (int i = 0; words && i < 4 && (words[i] || addresses[_i].words[i]); i++)
        ck_assert_str_eq(words[i], addresses[_i].words[i]);
    free(words);
}
END_TEST

static const struct {
    const char *word, *host, *port; /* host NULL: it is refused */
} places[] = {{"board:7000", "board", "7000"}, {"[::1]:70", "::1", "70"}, {":70", "", "70"},
              {"::1:70", "::1", "70"},         {"[]:70", "", "70"},       {"]:70", "]", "70"},
              {"board", NULL, NULL},           {"board:", NULL, NULL},    {"", NULL, NULL},
              {"board:72536", NULL, NULL}};

START_TEST(hosts_have_ports)
{
    char word[64], *host, *port;
    strcpy(word, places[_i].word);
    ck_assert_int_eq(wcts_address_split(word, &host, &port), places[_i].host != NULL);
    ck_assert_str_eq(places[_i].host ? host : word,
                     places[_i].host ? places[_i].host : places[_i].word);
    if (places[_i].port)
        ck_assert_str_eq(port, places[_i].port);
}
END_TEST

START_TEST(addresses_name_no_directory)
{
    char here[4096], address[8192], buffer[8192];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    snprintf(address, sizeof address, "exec:/bin/sh  %s/tests/x 'a /b'", here);
    ck_assert_str_eq(wcts_address_shown(address, buffer, sizeof buffer),
                     "exec:/bin/sh  tests/x 'a /b'");
    snprintf(address, sizeof address, "unix:%s/tests/x", here);
    ck_assert_str_eq(wcts_address_shown(address, buffer, sizeof buffer), "unix:tests/x");
    ck_assert_str_eq(wcts_address_shown("tcp:a:1", buffer, sizeof buffer), "tcp:a:1");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("address");
    TCase *tests = tcase_create("address");
    tcase_add_test(tests, addresses_have_kinds);
    tcase_add_loop_test(tests, addresses_are_cut, 0, sizeof addresses / sizeof *addresses);
    tcase_add_loop_test(tests, hosts_have_ports, 0, sizeof places / sizeof *places);
    tcase_add_test(tests, addresses_name_no_directory);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
