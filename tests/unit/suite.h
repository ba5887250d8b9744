/* SPDX-License-Identifier: MIT */
#ifndef WCTS_TEST_SUITE_H
#define WCTS_TEST_SUITE_H

#include <check.h>

/* Runs a suite and frees it. The exit status of a test: 0, or 1 if one failed. */
static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif
