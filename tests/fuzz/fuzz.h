/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share. Each fuzz_NAME.c has one function, LLVMFuzzerTestOneInput(), which
 * takes any bytes. "make fuzz" links it with libFuzzer; "make test" with main.c, which gives it the
 * files of the corpus. The working directory is the top of the tree.
 */
#ifndef WCTS_FUZZ_H
#define WCTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/plan/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process with the text: something that has to hold does not. */
#define WCTS_FUZZ_HOLDS(condition)                                                                 \
    do {                                                                                           \
        if (!(condition))                                                                          \
            wcts_fuzz_broken(__FILE__, __LINE__, #condition);                                      \
    } while (0)
void wcts_fuzz_broken(const char *file, int line, const char *condition) __attribute__((noreturn));

/* Where what is printed goes. */
FILE *wcts_fuzz_sink(void);

/* The spec and cases of the tree, and a small plan of it: loaded once, never freed. */
const struct wcts_spec *wcts_fuzz_spec(void);
const struct wcts_plan *wcts_fuzz_plan(void);

/* ---- files ---- */

/*
 * A directory in memory with the files of an input, each behind a line "-- NAME": what is in front
 * of the first such line is left out, as is a file with another name than those allowed, and all
 * behind "-- expected". A name of the list that ends with a slash allows any file in that
 * directory. Example: {"/dev/shm/wcts-fuzz-aB3dEf", {"run.json", "journal.jsonl", NULL}}.
 */
struct wcts_fuzz_directory {
    char path[64];
    const char *const *names; /* that are allowed; NULL-terminated */
};

void wcts_fuzz_directory_init(struct wcts_fuzz_directory *directory, const char *const *names);
void wcts_fuzz_directory_lay(const struct wcts_fuzz_directory *directory, const uint8_t *data,
                             size_t size);
/* Writes a file. */
void wcts_fuzz_directory_put(const struct wcts_fuzz_directory *directory, const char *name,
                             const void *bytes, size_t size);
/* Removes all that is in it; release: the directory, too. */
void wcts_fuzz_directory_clear(const struct wcts_fuzz_directory *directory);
void wcts_fuzz_directory_release(struct wcts_fuzz_directory *directory);

/* ---- numbers ---- */

/* An input that is read as little-endian numbers; behind its end they are 0. */
struct wcts_fuzz_reader {
    const uint8_t *data;
    size_t size;
};

uint64_t wcts_fuzz_number(struct wcts_fuzz_reader *reader, int bytes);

#endif
