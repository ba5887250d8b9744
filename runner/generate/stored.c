/* SPDX-License-Identifier: MIT */
#include "stored.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/checksum.h"
#include "../base/digest.h"
#include "../base/text.h"
#include "../model/facts.h"

#define FIRST_LINE "wddm-cts combinations 3"
#define PART_MAX ((size_t)64 << 20)
#define LINE_MAX_LENGTH 256

/* ---- Writing ---- */

static bool write_part(const struct wcts_spec *spec, int strength, FILE *out)
{
    struct wcts_generate_combinations made = {0};
    bool good = wcts_generate_combine_alone(spec, strength, &made);
    WCTS_TEXT(text);
    for (int i = 0; good && i < made.count; i++) {
        const struct wcts_combination *one = &made.list[i];
        wcts_text_add(&text, "%d %d %d %d %" PRIu32, one->rule, one->base, one->version, one->state,
                      one->page_size);
        wcts_model_facts_put(&text, one->facts);
        wcts_model_facts_put(&text, one->twin);
        wcts_text_add(&text, "\n");
    }
    good = good && !text.failed &&
           fprintf(out, "%d %d %zu %" PRIx64 "\n%s", strength, made.count, text.length,
                   wcts_checksum(0, wcts_text_get(&text), text.length), wcts_text_get(&text)) > 0;
    wcts_generate_combinations_release(&made);
    return good;
}

bool wcts_generate_store(const struct wcts_spec *spec, int strength, FILE *out)
{
    bool good = fprintf(out, FIRST_LINE " %s\n", spec->digest) > 0;
    for (int s = WCTS_GENERATE_STRENGTH_MIN; good && s <= strength; s++)
        good = write_part(spec, s, out);
    return good && fflush(out) == 0;
}

/* ---- Reading ---- */

static bool read_combinations(const char *at, int count, int strength,
                              struct wcts_generate_combinations *combinations)
{
    for (int i = 0; i < count; i++) {
        struct wcts_combination *one = WCTS_ARRAY_ADD(combinations->list, combinations->count);
        if (!one)
            return false;
        one->strength = strength;
        one->rule = wcts_next_int(&at);
        one->base = wcts_next_int(&at);
        one->version = wcts_next_int(&at);
        one->state = wcts_next_int(&at);
        one->page_size = (uint32_t)wcts_next_number(&at);
        one->facts = wcts_model_facts_take(&at, combinations->arena);
        one->twin = wcts_model_facts_take(&at, combinations->arena);
    }
    return true;
}

static bool read_stored_part(FILE *in, int strength,
                             struct wcts_generate_combinations *combinations)
{
    char line[LINE_MAX_LENGTH];
    uint64_t sum;
    int found, count;
    size_t size;
    char *bytes;
    bool good;
    if (!fgets(line, sizeof line, in) ||
        sscanf(line, "%d %d %zu %" SCNx64, &found, &count, &size, &sum) != 4 || found != strength ||
        size > PART_MAX)
        return false;
    bytes = wcts_checksum_read(in, size, sum);
    good = bytes && read_combinations(bytes, count, strength, combinations);
    free(bytes);
    return good;
}

bool wcts_generate_read_stored(const struct wcts_spec *spec, int strength, const char *path,
                               struct wcts_generate_combinations *combinations)
{
    char line[LINE_MAX_LENGTH], digest[WCTS_DIGEST_SIZE];
    FILE *in = fopen(path, "re");
    bool good = in && fgets(line, sizeof line, in) &&
                sscanf(line, FIRST_LINE " %64s", digest) == 1 &&
                strcmp(digest, spec->shared_digest) == 0;
    *combinations = (struct wcts_generate_combinations){.arena = wcts_arena_new()};
    for (int s = WCTS_GENERATE_STRENGTH_MIN; good && s <= strength; s++)
        good = read_stored_part(in, s, combinations);
    good = good && wcts_generate_sort_by_rule(combinations, spec->rules_count);
    if (in)
        fclose(in);
    if (!good)
        wcts_generate_combinations_release(combinations);
    return good;
}
