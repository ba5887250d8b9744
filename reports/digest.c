/* SPDX-License-Identifier: MIT */
#include "digest.h"

#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>

#include "../runner/machine/plugin.h"
#include "../runner/store/input.h"
#include "../runner/store/records.h"

const char *const wcts_digest_files[] = {"plan.tsv", "journal.jsonl", "verdicts.txt",
                                         WCTS_RECORDS_FILE, NULL};

static bool digest_of(FILE *file, char digest[65])
{
    SHA2_CTX hash;
    uint8_t bytes[16384];
    size_t size;
    bool good;
    digest[0] = '\0';
    if (!file)
        return false;
    SHA256Init(&hash);
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
        SHA256Update(&hash, bytes, size);
    good = !ferror(file);
    fclose(file);
    if (good)
        SHA256End(&hash, digest);
    return good;
}

bool wcts_digest_file(const char *directory, const char *name, char digest[65])
{
    return digest_of(wcts_input_open(directory, name, NULL), digest);
}

void wcts_digest_implementation(const char *path, char digest[65])
{
    digest_of(wcts_input_follow(wcts_is_builtin(path) ? "/proc/self/exe" : path, NULL), digest);
}

json_t *wcts_digest_directory(const char *directory)
{
    json_t *value = json_object();
    for (int i = 0; wcts_digest_files[i]; i++) {
        char digest[65];
        if (wcts_digest_file(directory, wcts_digest_files[i], digest))
            json_object_set_new(value, wcts_digest_files[i], json_string(digest));
    }
    return value;
}
