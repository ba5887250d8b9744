/* SPDX-License-Identifier: MIT */
/* A declaration as it is loaded from a file. What is wrong with one is in
 * tests/declaration/negative. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/wddm-cts.h"
#include "runner/load/declaration.h"
#include "runner/load/spec_files.h"
#include "suite.h"

static struct wcts_spec *spec;
static struct wcts_declaration *declaration;

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
}

static void tear_down(void)
{
    wcts_load_declaration_free(declaration);
    wcts_load_spec_free(spec);
}

static void load(const char *text)
{
    char path[] = "/tmp/wcts-declaration-XXXXXX";
    struct wcts_diagnostics diagnostics = {.out = NULL};
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(text, file);
    fclose(file);
    declaration = wcts_load_declaration(path, spec, &diagnostics);
    unlink(path);
    ck_assert_int_eq(diagnostics.errors == 0, declaration != NULL);
}

START_TEST(a_driver_has_all_that_is_written)
{
    const struct wcts_declared_side *side;
    load("<declaration name=\"mine\" version=\"2\">\n"
         "<driver first=\"2.0\" last=\"2.4\" patches=\"32 in segment\"\n"
         " paging=\"fill unmap-aperture\" capabilities=\"fresh any-priority\">\n"
         "<kind name=\"a texture\"/>\n"
         "<kind name=\"b\"/>\n"
         "<provides name=\"driver-paging\"/>\n"
         "</driver></declaration>\n");
    ck_assert_ptr_nonnull(declaration);
    ck_assert_str_eq(declaration->name, "mine");
    ck_assert(!declaration->sides[0].there);
    side = &declaration->sides[1];
    ck_assert(side->there);
    ck_assert_str_eq(spec->versions[side->first].name, "2.0");
    ck_assert_str_eq(spec->versions[side->last].name, "2.4");
    ck_assert_int_eq(side->patches, WCTS_PATCHES_32_SEGMENT);
    ck_assert_uint_eq(side->paging, 0x42);
    ck_assert_uint_eq(side->capabilities, WCTS_CAPABILITY_FRESH | WCTS_CAPABILITY_ANY_PRIORITY);
    ck_assert_int_eq(side->kind_count, 2);
    ck_assert_str_eq(side->kinds[0].name, "a texture");
    ck_assert_int_eq(side->kinds[1].place.line, 5);
    ck_assert_int_eq(side->feature_count, 1);
    ck_assert_str_eq(spec->features[side->features[0].feature].name, "driver-paging");
}
END_TEST

START_TEST(what_is_left_out_is_not_declared)
{
    load("<declaration>\n<kernel first=\"1.0\" last=\"1.0\" pages=\"4096 65536\"/>\n"
         "<driver first=\"1.0\" last=\"1.0\"/></declaration>\n");
    ck_assert_ptr_nonnull(declaration);
    ck_assert_ptr_null(declaration->name);
    ck_assert_uint_eq(declaration->sides[0].pages, 4096 + 65536);
    ck_assert_uint_eq(declaration->sides[0].capabilities, 0);
    ck_assert_int_eq(declaration->sides[1].patches, -1);
    ck_assert_int_eq(declaration->sides[1].kind_count, 0);
}
END_TEST

START_TEST(a_wrong_one_is_none)
{
    load("<declaration/>\n");
    ck_assert_ptr_null(declaration);
    load("<declaration><driver first=\"2.4\" last=\"2.0\"/></declaration>\n");
    ck_assert_ptr_null(declaration);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("declaration");
    TCase *tcase = tcase_create("reader");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_driver_has_all_that_is_written);
    tcase_add_test(tcase, what_is_left_out_is_not_declared);
    tcase_add_test(tcase, a_wrong_one_is_none);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
