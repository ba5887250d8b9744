/* SPDX-License-Identifier: MIT */
#include "digest.h"

#include <stdio.h>
#include <stdlib.h>

#include "../runner/execute/parts.h"
#include "../runner/spec/sha256.h"
#include "records.h"

const char *const wcts_digest_files[] = {"plan.tsv", "journal.jsonl", "verdicts.txt",
                                         WCTS_RECORDS_FILE, NULL};

bool wcts_digest_file(const char *path, char digest[65])
{
    struct wcts_sha256 hash;
    char bytes[16384];
    size_t size;
    FILE *file = fopen(path, "re");
    bool good;
    digest[0] = '\0';
    if (!file)
        return false;
    wcts_sha256_init(&hash);
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
        wcts_sha256_add(&hash, bytes, size);
    good = !ferror(file);
    fclose(file);
    if (good)
        wcts_sha256_finish(&hash, digest);
    return good;
}

void wcts_digest_implementation(const char *path, char digest[65])
{
    wcts_digest_file(wcts_is_builtin(path) ? "/proc/self/exe" : path, digest);
}

json_t *wcts_digest_directory(const char *directory)
{
    json_t *value = json_object();
    for (int i = 0; wcts_digest_files[i]; i++) {
        char *path = NULL, digest[65];
        if (asprintf(&path, "%s/%s", directory, wcts_digest_files[i]) >= 0 &&
            wcts_digest_file(path, digest))
            json_object_set_new(value, wcts_digest_files[i], json_string(digest));
        free(path);
    }
    return value;
}
