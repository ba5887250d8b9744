/* SPDX-License-Identifier: MIT */
#include "stored.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/checksum.h"
#include "../base/digest.h"
#include "../base/text.h"

#define FIRST_LINE "wddm-cts combinations 3"
#define PART_MAX ((size_t)64 << 20)
#define LINE_MAX_LENGTH 256

/* ---- Writing ---- */

static void write_facts(struct wcts_text *text, const struct wcts_facts *facts)
{
    wcts_text_add(text, " %d", facts ? facts->count : -1);
    for (int i = 0; facts && i < facts->count; i++) {
        const struct wcts_fact *fact = &facts->facts[i];
        wcts_text_add(text, " %d %d %d %d %" PRIu64, fact->instance, fact->ref.structure,
                      fact->ref.member, fact->value.symbol, fact->value.number);
    }
}

static bool write_part(const struct wcts_spec *spec, int strength, FILE *out)
{
    struct wcts_generate_combinations made = {0};
    bool good = wcts_generate_combine_alone(spec, strength, &made);
    WCTS_TEXT(text);
    for (int i = 0; good && i < made.count; i++) {
        const struct wcts_combination *one = &made.list[i];
        wcts_text_add(&text, "%d %d %d %d %" PRIu32, one->rule, one->base, one->version, one->state,
                      one->page_size);
        write_facts(&text, one->facts);
        write_facts(&text, one->twin);
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

/* The next number of a line; what is read has the checksum with which it was written. */
static uint64_t next_number(char **at)
{
    return strtoull(*at, at, 10);
}

static const struct wcts_facts *read_facts(char **at, struct wcts_arena *arena)
{
    int count = (int)next_number(at);
    struct wcts_facts *facts;
    if (count < 0)
        return NULL;
    facts = wcts_arena_alloc(arena, sizeof *facts + (size_t)count * sizeof *facts->facts);
    facts->count = count;
    for (int i = 0; i < count; i++) {
        struct wcts_fact *fact = &facts->facts[i];
        fact->instance = (int)next_number(at);
        fact->ref.structure = (int)next_number(at);
        fact->ref.member = (int)next_number(at);
        fact->ref.flag = -1;
        fact->value.symbol = (int)next_number(at);
        fact->value.number = next_number(at);
    }
    return facts;
}

static bool read_lines(char *at, int count, int strength,
                       struct wcts_generate_combinations *combinations)
{
    for (int i = 0; i < count; i++) {
        struct wcts_combination *one = WCTS_ARRAY_ADD(combinations->list, combinations->count);
        if (!one)
            return false;
        one->strength = strength;
        one->rule = (int)next_number(&at);
        one->base = (int)next_number(&at);
        one->version = (int)next_number(&at);
        one->state = (int)next_number(&at);
        one->page_size = (uint32_t)next_number(&at);
        one->facts = read_facts(&at, combinations->arena);
        one->twin = read_facts(&at, combinations->arena);
    }
    return true;
}

static bool read_part(FILE *in, int strength, struct wcts_generate_combinations *combinations)
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
    bytes = calloc(1, size + 1);
    good = bytes && fread(bytes, 1, size, in) == size && wcts_checksum(0, bytes, size) == sum &&
           read_lines(bytes, count, strength, combinations);
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
        good = read_part(in, s, combinations);
    good = good && wcts_generate_sort_by_rule(combinations, spec->rules_count);
    if (in)
        fclose(in);
    if (!good)
        wcts_generate_combinations_release(combinations);
    return good;
}
