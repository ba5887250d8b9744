/* SPDX-License-Identifier: MIT */
/*
 * Over all values of both flag words at all versions the emulator, in strict mode, answers as the
 * spec says: every combination of the bits that exist, each other bit with every combination of
 * the flags that rules relate, and random values. Where the spec leaves a value open either answer
 * is right.
 *
 *   sweep [SPEC_DIR [CASES_DIR]]
 *
 * Environment: WCTS_QUICK=1 takes one in a hundred where there are more than FEW values; a build
 * with the address sanitizer does so always. WCTS_SEED seeds what is random. WCTS_PART=K/N takes
 * one chunk of values in N (tests/part.sh). WCTS_WDDM=2.3 takes that version alone.
 * Exit: 0 no difference, 1 some, 3 not set up.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../runner/load/spec_files.h"
#include "subject.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#define WORDS 2
#define CHUNK (UINT64_C(1) << 20)
#define RANDOM_A_WORD 1000000u
#define FULL_A_CHUNK 2000u /* values for which the rules themselves are asked */
#define SHOWN 20
#define FEW (UINT64_C(1) << 17)

/* ---- What all processes share ---- */

struct counts {
    atomic_ulong compared, accepted, refused, open, in_full, differ;
};

struct shared {
    atomic_int next;    /* task */
    atomic_int shown;   /* differences printed */
    atomic_int trouble; /* not set up, or the oracle contradicts the rules */
    struct counts counts[WORDS];
};

/* A piece of work: some combinations of the bits that exist, or (chunk -1) all other values. */
struct task {
    int word, version;
    int64_t chunk;
};

struct sweep {
    const struct wcts_eval *eval;
    struct shared *shared;
    struct task *tasks;
    int task_count;
    uint64_t seed;
    bool quick;
    unsigned part, parts; /* which chunks: the part-th of so many parts */
    const char *wddm;     /* NULL: all versions */
};

/* ---- Random numbers: splitmix64 ---- */

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* ---- Comparing ---- */

struct comparison {
    const struct sweep *sweep;
    const struct task *task;
    struct oracle oracle;
    struct subject subject;
    uint64_t random; /* state */
    struct {
        unsigned long compared, accepted, refused, open, in_full, differ;
    } count;
};

static void print_value(FILE *out, const struct wcts_spec *spec, const struct oracle *oracle,
                        uint64_t value)
{
    const struct wcts_word *word = &spec->words[wcts_model_ref_member(spec, oracle->member)->word];
    uint64_t left = value;
    fprintf(out, "%s 0x%08" PRIx64, word->name, value);
    for (int i = 0; i < word->flag_count; i++) {
        const struct wcts_flag *flag = &word->flags[i];
        if (!(left >> flag->bit & 1) || oracle->version < flag->since ||
            oracle->version >= flag->until)
            continue;
        fprintf(out, " %s", flag->name);
        left &= ~(UINT64_C(1) << flag->bit);
    }
    if (left)
        fprintf(out, " and bits 0x%" PRIx64 " without a flag", left);
}

static void print_difference(struct comparison *comparison, uint64_t value, wcts_status status)
{
    const struct wcts_spec *spec = comparison->sweep->eval->spec;
    struct wcts_oracle_prediction prediction;
    char *text = NULL, name[64];
    size_t size;
    FILE *out;
    enum wcts_expect expect;
    if (atomic_fetch_add(&comparison->sweep->shared->shown, 1) >= SHOWN)
        return;
    out = open_memstream(&text, &size);
    if (!out)
        return;
    expect = oracle_ask_in_full(&comparison->oracle, value, &prediction);
    wcts_exchange_status_text(status, name, sizeof name);
    fprintf(out, "DIFFERS at %s: ", spec->versions[comparison->task->version].name);
    print_value(out, spec, &comparison->oracle, value);
    fprintf(out, "\n  the emulator answers %s, the spec says %s", name,
            wcts_model_expect_name(expect));
    for (int i = 0; i < prediction.broken_count; i++)
        fprintf(out, "%s%s", i ? ", " : ": breaks ", spec->rules[prediction.broken[i]].id);
    fputs(prediction.broken_count ? "\n" : ": no rule is broken\n", out);
    fclose(out);
    fputs(text, stdout);
    fflush(stdout);
    free(text);
}

/* The shortcut of the oracle and the rules themselves say the same. */
static void check_in_full(struct comparison *comparison, uint64_t value)
{
    struct wcts_oracle_prediction prediction;
    comparison->count.in_full++;
    if (oracle_ask_in_full(&comparison->oracle, value, &prediction) ==
        oracle_ask(&comparison->oracle, value))
        return;
    printf("ORACLE at %s: 0x%08" PRIx64 ": a free flag matters\n",
           comparison->sweep->eval->spec->versions[comparison->task->version].name, value);
    fflush(stdout);
    atomic_store(&comparison->sweep->shared->trouble, 1);
}

static void compare(struct comparison *comparison, uint64_t value)
{
    enum wcts_expect expect = oracle_ask(&comparison->oracle, value);
    wcts_status status = subject_ask(&comparison->subject, value);
    enum wcts_exchange_answer answer = wcts_exchange_answer_of(status);
    bool right = answer == WCTS_ANSWER_ACCEPTED
                     ? expect != WCTS_EXPECT_REFUSE
                     : answer == WCTS_ANSWER_REFUSED && expect != WCTS_EXPECT_ACCEPT;
    comparison->count.compared++;
    comparison->count.open += expect == WCTS_EXPECT_OPEN;
    comparison->count.accepted += expect == WCTS_EXPECT_ACCEPT;
    comparison->count.refused += expect == WCTS_EXPECT_REFUSE;
    if (right)
        return;
    comparison->count.differ++;
    print_difference(comparison, value, status);
}

/* ---- Values ---- */

/* Puts the bits of number, from the lowest, where mask has bits. */
static uint64_t deposit(uint64_t number, uint64_t mask)
{
    uint64_t value = 0;
    for (; mask; mask &= mask - 1, number >>= 1)
        value |= number & 1 ? mask & -mask : 0;
    return value;
}

/* How far to the next value that is taken of so many: all of them, or about one in a hundred. */
static uint64_t stride(struct comparison *comparison, uint64_t values)
{
    if (!comparison->sweep->quick || values < FEW)
        return 1;
    return 1 + next_random(&comparison->random) % 199;
}

static uint64_t existing_bits(const struct oracle *oracle)
{
    return oracle->defined | oracle->open;
}

/* Some of the combinations of the bits that exist. */
static void compare_chunk(struct comparison *comparison)
{
    uint64_t mask = existing_bits(&comparison->oracle);
    uint64_t count = UINT64_C(1) << __builtin_popcountll(mask);
    uint64_t from = (uint64_t)comparison->task->chunk * CHUNK;
    uint64_t end = count > from + CHUNK ? from + CHUNK : count;
    for (uint64_t i = from + stride(comparison, count) - 1; i < end; i += stride(comparison, count))
        compare(comparison, deposit(i, mask));
    for (unsigned i = 0; i < FULL_A_CHUNK; i++)
        check_in_full(comparison, next_random(&comparison->random) & mask);
}

/* Each bit that does not exist, with every combination of the flags that rules relate. */
static void compare_reserved(struct comparison *comparison)
{
    uint64_t exists = existing_bits(&comparison->oracle);
    uint64_t mask = comparison->oracle.related & exists;
    uint64_t end = UINT64_C(1) << __builtin_popcountll(mask);
    uint64_t step = stride(comparison, end);
    for (uint64_t left = UINT32_MAX & ~exists; left; left &= left - 1)
        for (uint64_t i = 0; i < end; i += step)
            compare(comparison, deposit(i, mask) | (left & -left));
}

/* Random values, every other one with few bits. */
static void compare_random(struct comparison *comparison)
{
    unsigned versions = (unsigned)comparison->sweep->eval->spec->versions_count;
    unsigned count = RANDOM_A_WORD / versions + 1;
    for (unsigned i = 0; i < (comparison->sweep->quick ? count / 100 + 1 : count); i++) {
        uint64_t value = next_random(&comparison->random) & UINT32_MAX;
        if (i & 1)
            value &= next_random(&comparison->random) & next_random(&comparison->random);
        compare(comparison, value);
        if (i < FULL_A_CHUNK)
            check_in_full(comparison, value);
    }
}

/* ---- Tasks ---- */

static void add_counts(const struct comparison *comparison, struct counts *counts)
{
    atomic_fetch_add(&counts->compared, comparison->count.compared);
    atomic_fetch_add(&counts->accepted, comparison->count.accepted);
    atomic_fetch_add(&counts->refused, comparison->count.refused);
    atomic_fetch_add(&counts->open, comparison->count.open);
    atomic_fetch_add(&counts->in_full, comparison->count.in_full);
    atomic_fetch_add(&counts->differ, comparison->count.differ);
}

/* Tasks of one word and version mostly follow each other: their answers are found once. */
static bool have_oracle(struct comparison *comparison)
{
    const struct task *task = comparison->task;
    struct oracle *oracle = &comparison->oracle;
    if (oracle->answers && oracle->version == task->version &&
        oracle->segments == (task->word == 1))
        return true;
    oracle_release(oracle);
    return oracle_init(oracle, comparison->sweep->eval, task->word, task->version);
}

static bool do_task(const struct sweep *sweep, const struct task *task,
                    struct comparison *comparison)
{
    memset(&comparison->count, 0, sizeof comparison->count);
    comparison->sweep = sweep;
    comparison->task = task;
    comparison->random = sweep->seed ^ (uint64_t)task->word << 56 ^ (uint64_t)task->version << 48 ^
                         (uint64_t)(task->chunk + 1);
    if (!have_oracle(comparison) || !subject_init(&comparison->subject, &comparison->oracle))
        return false;
    if (task->chunk >= 0) {
        compare_chunk(comparison);
    } else {
        compare_reserved(comparison);
        compare_random(comparison);
    }
    subject_release(&comparison->subject);
    add_counts(comparison, &sweep->shared->counts[task->word]);
    return true;
}

static void work(const struct sweep *sweep)
{
    static struct comparison comparison;
    for (;;) {
        int task = atomic_fetch_add(&sweep->shared->next, 1);
        if (task >= sweep->task_count)
            break;
        if (!do_task(sweep, &sweep->tasks[task], &comparison)) {
            printf("version %s: no memory, or a base of the sweep is missing\n",
                   sweep->eval->spec->versions[sweep->tasks[task].version].name);
            fflush(stdout);
            atomic_store(&sweep->shared->trouble, 1);
            break;
        }
    }
    oracle_release(&comparison.oracle);
}

/* What is not of chunks belongs to each part. */
static bool in_part(const struct sweep *sweep, int64_t chunk, int version)
{
    return chunk < 0 || (chunk + version) % sweep->parts == sweep->part % sweep->parts;
}

static bool is_taken(const struct sweep *sweep, int version)
{
    return !sweep->wddm || strcmp(sweep->eval->spec->versions[version].name, sweep->wddm) == 0;
}

/* The newest versions, which have the most values, come first. */
static bool make_tasks(struct sweep *sweep)
{
    int versions = sweep->eval->spec->versions_count;
    int room = 0;
    for (int version = versions - 1; version >= 0; version--)
        for (int word = 0; word < WORDS && is_taken(sweep, version); word++) {
            struct oracle oracle;
            uint64_t values;
            bool good = oracle_describe(&oracle, sweep->eval, word, version);
            values = UINT64_C(1) << __builtin_popcountll(existing_bits(&oracle));
            oracle_release(&oracle);
            if (!good)
                return false;
            for (int64_t chunk = -1; chunk < 0 || (uint64_t)chunk * CHUNK < values; chunk++) {
                if (!in_part(sweep, chunk, version))
                    continue;
                if (sweep->task_count == room) {
                    room = room ? room * 2 : 64;
                    sweep->tasks = realloc(sweep->tasks, (size_t)room * sizeof *sweep->tasks);
                }
                if (!sweep->tasks)
                    return false;
                sweep->tasks[sweep->task_count++] = (struct task){word, version, chunk};
            }
        }
    return true;
}

/* ---- The run ---- */

static void run_workers(const struct sweep *sweep)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    int status;
    for (long i = 0; i < (count > 0 ? count : 1); i++) {
        pid_t child = fork();
        if (child == 0) {
            work(sweep);
            exit(0);
        }
        if (child < 0)
            atomic_store(&sweep->shared->trouble, 1);
    }
    while (wait(&status) > 0)
        if (status != 0)
            atomic_store(&sweep->shared->trouble, 1);
}

static const char *word_name(const struct sweep *sweep, int word)
{
    static char name[64];
    struct oracle oracle;
    const struct wcts_spec *spec = sweep->eval->spec;
    if (!oracle_describe(&oracle, sweep->eval, word, spec->versions_count - 1))
        return "?";
    snprintf(name, sizeof name, "%s",
             spec->words[wcts_model_ref_member(spec, oracle.member)->word].name);
    oracle_release(&oracle);
    return name;
}

/* Exit status: a word of which no value was accepted or none refused has shown nothing. */
static int report(const struct sweep *sweep, double seconds)
{
    unsigned long compared = 0, differ = 0;
    bool shown_nothing = false;
    for (int word = 0; word < WORDS; word++) {
        const struct counts *counts = &sweep->shared->counts[word];
        printf("%s: %lu values compared (%lu valid, %lu not, %lu left open), %lu differ; the rules "
               "themselves asked for %lu\n",
               word_name(sweep, word), counts->compared, counts->accepted, counts->refused,
               counts->open, counts->differ, counts->in_full);
        compared += counts->compared;
        differ += counts->differ;
        shown_nothing = shown_nothing || counts->accepted == 0 || counts->refused == 0;
    }
    printf("%lu values compared, %lu differ, %.1f s\n", compared, differ, seconds);
    if (sweep->shared->trouble || shown_nothing)
        return 3;
    return differ ? 1 : 0;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    const char *seed = getenv("WCTS_SEED"), *quick = getenv("WCTS_QUICK");
    const char *part = getenv("WCTS_PART");
    struct wcts_diagnostics diagnostics = {stderr, 0};
    struct wcts_spec *spec = wcts_load_spec_load(
        argc > 1 ? argv[1] : "spec", argc > 2 ? argv[2] : "cases", NULL, 0, &diagnostics);
    struct wcts_eval eval;
    struct sweep sweep = {.eval = &eval,
                          .part = 1,
                          .parts = 1,
                          .wddm = getenv("WCTS_WDDM"),
                          .quick = SANITIZED || (quick && strcmp(quick, "0") != 0)};
    double begin = now();
    int status = 3;
    sweep.seed = seed ? strtoull(seed, NULL, 0) : 1;
    if (part && (sscanf(part, "%u/%u", &sweep.part, &sweep.parts) != 2 || sweep.parts == 0)) {
        fprintf(stderr, "WCTS_PART is %s, expected K/N\n", part);
        return 3;
    }
    sweep.shared =
        mmap(NULL, sizeof *sweep.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!spec || sweep.shared == MAP_FAILED || !wcts_oracle_eval_init(&eval, spec)) {
        wcts_load_spec_free(spec);
        return 3;
    }
    if (make_tasks(&sweep)) {
        run_workers(&sweep);
        status = report(&sweep, now() - begin);
    }
    free(sweep.tasks);
    wcts_oracle_eval_release(&eval);
    wcts_load_spec_free(spec);
    return status;
}
