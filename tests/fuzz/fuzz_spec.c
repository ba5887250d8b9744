/* SPDX-License-Identifier: MIT */
/*
 * Documents and cases: what is wrong with them is reported, and nothing worse. The input is that of
 * tests/negative: documents laid over a small spec that is right, which can be planned if the first
 * byte is odd, or the first line "stage: plan".
 */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/load/spec_files.h"

#define FILES_MAX 8

/* A file of a good spec. */
struct good_file {
    char name[64];
    uint8_t bytes[8192];
    size_t size;
};

static struct good_file files[2][FILES_MAX];

static void read_good(int which, const char *directory)
{
    static const char *const folders[] = {"spec", "cases"};
    int count = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        WCTS_TEXT(path);
        DIR *folder;
        wcts_text_add(&path, "%s/%s", directory, folders[i]);
        folder = opendir(wcts_text_get(&path));
        WCTS_FUZZ_HOLDS(folder != NULL);
        for (struct dirent *entry; (entry = readdir(folder));) {
            struct good_file *file = &files[which][count];
            WCTS_TEXT(name);
            FILE *in;
            if (entry->d_name[0] == '.')
                continue;
            WCTS_FUZZ_HOLDS(++count < FILES_MAX);
            snprintf(file->name, sizeof file->name, "%s/%.40s", folders[i], entry->d_name);
            wcts_text_add(&name, "%s/%s", directory, file->name);
            in = fopen(wcts_text_get(&name), "re");
            WCTS_FUZZ_HOLDS(in != NULL);
            file->size = fread(file->bytes, 1, sizeof file->bytes, in);
            WCTS_FUZZ_HOLDS(file->size < sizeof file->bytes);
            fclose(in);
        }
        closedir(folder);
    }
}

static void load(const char *directory)
{
    const struct wcts_plan_options options = {.few = true, .steps = 20, .tours = 1, .seed = 1};
    struct wcts_diagnostics diagnostics = {.out = wcts_fuzz_sink()};
    struct wcts_spec *spec;
    WCTS_TEXT(documents);
    WCTS_TEXT(cases);
    WCTS_TEXT(extra);
    wcts_text_add(&documents, "%s/spec", directory);
    wcts_text_add(&cases, "%s/cases", directory);
    wcts_text_add(&extra, "%s/extra/one.xml", directory);
    const char *more = wcts_text_get(&extra);
    FILE *in = fopen(more, "re");
    spec = wcts_load_spec_load(wcts_text_get(&documents), wcts_text_get(&cases), &more, in ? 1 : 0,
                               &diagnostics);
    if (in)
        fclose(in);
    WCTS_FUZZ_HOLDS((spec != NULL) == (diagnostics.errors == 0));
    if (spec && wcts_load_spec_lint(spec, &diagnostics) == 0)
        wcts_plan_free(wcts_plan_make(spec, &options, &diagnostics));
    wcts_load_spec_free(spec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char plan[] = "stage: plan\n";
    static const char *const names[] = {"spec/", "cases/base.xml", "extra/one.xml", NULL};
    static struct wcts_fuzz_directory directory;
    bool planned = size > 0 && (data[0] & 1);
    if (size >= sizeof plan - 1 && memcmp(data, "stage:", 6) == 0)
        planned = memcmp(data, plan, sizeof plan - 1) == 0;
    if (!files[0][0].size) {
        read_good(0, "tests/negative/good");
        read_good(1, "tests/negative/good-plan");
    }
    wcts_fuzz_directory_init(&directory, names);
    for (const struct good_file *file = files[planned]; file->size; file++)
        wcts_fuzz_directory_put(&directory, file->name, file->bytes, file->size);
    wcts_fuzz_directory_lay(&directory, data, size);
    load(directory.path);
    wcts_fuzz_directory_release(&directory);
    return 0;
}
