/* SPDX-License-Identifier: MIT */
/*
 * What the sweeps of the standard suite send, of how much: for each flag word and version the legal
 * words, the words that break one "must" alone, and the pairs and triples of flags, set and clear,
 * that legal words have. Then what a sweep costs, beside a bare loop that makes the same calls of
 * the emulator and looks at nothing but the status: both in processor time of one process, the best
 * of several rounds. It fails where a sweep of accepted calls has less than 0.6 of the loop's
 * speed. Refused calls cost the emulator next to nothing, so what is shown of those is what the
 * suite adds to each.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../runner/load/spec_files.h"
#include "runner/base/array.h"
#include "runner/oracle/sweep.h"
#include "runner/plan/plan.h"
#include "runner/run/case.h"

#define ROUNDS 5
/* 0.63 has been reached: the rest is for noise. */
#define LEAST_RATIO 0.6
/* Instances with fewer calls show the base or one value: no sweep. */
#define CALLS_LEAST 64

/* ---- How much is sent ---- */

/* The values of a set, or the first of them, and their tuples: for each two and three bits, which
 * of their four or eight combinations are in some word. */
struct tally {
    uint64_t bits[32];
    int bit_count;
    uint64_t words, limit; /* limit 0: all */
    uint8_t *pairs, *triples;
};

static int index_of(int i, int j, int k)
{
    return (i * 32 + j) * 32 + k;
}

static bool tally_word(void *ctx, uint64_t word)
{
    struct tally *tally = ctx;
    uint8_t set[32];
    if (tally->limit && tally->words == tally->limit)
        return false;
    tally->words++;
    if (!tally->pairs)
        return true;
    for (int i = 0; i < tally->bit_count; i++)
        set[i] = (word & tally->bits[i]) != 0;
    for (int i = 0; i < tally->bit_count; i++)
        for (int j = i + 1; j < tally->bit_count; j++) {
            int both = set[i] * 2 + set[j];
            tally->pairs[index_of(0, i, j)] |= (uint8_t)(1 << both);
            for (int k = j + 1; k < tally->bit_count; k++)
                tally->triples[index_of(i, j, k)] |= (uint8_t)(1 << (both * 2 + set[k]));
        }
    return true;
}

static uint64_t count_tuples(const uint8_t *tuples)
{
    uint64_t count = 0;
    for (int i = 0; i < 32 * 32 * 32; i++)
        count += (uint64_t)__builtin_popcount(tuples[i]);
    return count;
}

struct sent {
    uint64_t pairs, triples, legal, single;
};

/* True if the plan has the sweep; limit: how many of its values it sends. */
static bool is_planned(const struct wcts_plan *plan, const struct wcts_oracle_sweep *sweep,
                       int rule, uint64_t *limit)
{
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_series *series = wcts_plan_series(plan, i);
        if (series->kind == WCTS_KIND_SWEEP && series->rule == rule &&
            plan->tests[i].version == sweep->version && series->page_size == sweep->page_size &&
            series->facts->facts[0].ref.member == sweep->member.member &&
            series->facts->facts[0].ref.structure == sweep->member.structure) {
            *limit = plan->tests[i].number;
            return true;
        }
    }
    return false;
}

static void count_legal(const struct wcts_plan *plan, const struct wcts_oracle_sweep *sweep,
                        int layout, struct sent *sent, struct sent *of)
{
    struct tally tally = {.pairs = calloc(32 * 32 * 32, 1), .triples = calloc(32 * 32 * 32, 1)};
    uint64_t limit;
    if (!tally.pairs || !tally.triples)
        abort();
    for (uint64_t left = sweep->defined | sweep->open; left; left &= left - 1)
        tally.bits[tally.bit_count++] = left & -left;
    wcts_oracle_sweep_each(sweep, WCTS_SWEEP_LEGAL, -1, tally_word, &tally);
    *of = (struct sent){count_tuples(tally.pairs), count_tuples(tally.triples), tally.words, 0};
    if (is_planned(plan, sweep, layout, &limit) && limit == 0)
        *sent = *of;
    free(tally.pairs);
    free(tally.triples);
}

static void count_single(const struct wcts_plan *plan, const struct wcts_oracle_sweep *sweep,
                         struct sent *sent, struct sent *of)
{
    for (int i = 0; i < sweep->rule_count; i++) {
        struct tally tally = {.bit_count = 0};
        uint64_t limit;
        if (!sweep->rules[i].must)
            continue;
        wcts_oracle_sweep_each(sweep, WCTS_SWEEP_EXACTLY, i, tally_word, &tally);
        of->single += tally.words;
        if (is_planned(plan, sweep, sweep->rules[i].rule, &limit))
            sent->single += limit && limit < tally.words ? limit : tally.words;
    }
}

static void print_sent(const struct wcts_plan *plan, const struct wcts_eval *eval)
{
    const struct wcts_spec *spec = plan->spec;
    struct wcts_ref member = {-1, -1, -1};
    printf("%-30s %-4s %12s %13s %17s %17s\n", "sent, of", "wddm", "pairs", "triples",
           "legal words", "single breaches");
    while ((member = wcts_oracle_sweep_next(spec, member)).structure >= 0)
        for (int version = 0; version < spec->versions_count; version++) {
            struct wcts_oracle_sweep sweep;
            struct sent sent = {0}, of = {0};
            if (wcts_oracle_sweep_init(&sweep, eval, member, version, 4096) &&
                wcts_oracle_sweep_places(&sweep)) {
                count_legal(plan, &sweep, wcts_oracle_sweep_layout(spec, member), &sent, &of);
                count_single(plan, &sweep, &sent, &of);
                printf("%-30s %-4s %5" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %8" PRIu64
                       " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 "\n",
                       spec->words[wcts_model_ref_member(spec, member)->word].name,
                       spec->versions[version].name, sent.pairs, of.pairs, sent.triples, of.triples,
                       sent.legal, of.legal, sent.single, of.single);
            }
            wcts_oracle_sweep_release(&sweep);
        }
}

/* ---- The calls of a sweep ---- */

struct call {
    uint32_t operation, size;
    uint8_t *request;
    wcts_status status;
};

/* The calls that were made of one instance; base: in whose world. */
struct instance {
    int base;
    struct call *calls;
    int count;
};

/* Between the session and the emulator. The plug-in interface has no place for it elsewhere. */
static struct {
    const struct wcts_plugin *real;
    struct wcts_machine_session *session;
    bool records;
    struct instance *instances;
    int count;
} between;

static void *between_open(const struct wcts_host *host, uint32_t side)
{
    struct instance *added;
    if (between.records) {
        added = WCTS_ARRAY_ADD(between.instances, between.count);
        if (!added)
            abort();
        *added = (struct instance){
            .base = between.session->probe.world ? between.session->probe.world->base : -1};
    }
    return between.real->open(host, side);
}

static wcts_status between_call(void *instance, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    wcts_status status = between.real->call(instance, operation, request, request_size, reply,
                                            reply_room, reply_size);
    struct instance *last = &between.instances[between.count - 1];
    struct call *added = WCTS_ARRAY_ADD(last->calls, last->count);
    if (!added || !(added->request = malloc(request_size)))
        abort();
    memcpy(added->request, request, request_size);
    added->operation = operation;
    added->size = request_size;
    added->status = status;
    return status;
}

static void between_release(void)
{
    for (int i = 0; i < between.count; i++) {
        for (int c = 0; c < between.instances[i].count; c++)
            free(between.instances[i].calls[c].request);
        free(between.instances[i].calls);
    }
    free(between.instances);
    between.instances = NULL;
    between.count = 0;
}

/* ---- What they cost ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double cost_of_sweep(struct wcts_machine_session *session, const struct wcts_case *test)
{
    double start = now(), cost;
    struct wcts_result result;
    wcts_run_case(session, test, &result);
    cost = now() - start;
    if (result.finding.found != WCTS_FOUND_KEPT) {
        fprintf(stderr, "%s: %s\n", test->id, result.finding.reason);
        abort();
    }
    wcts_model_result_release(&result);
    return cost;
}

/* Boots a session as the sweep does, with what the base needs: the calls before its own. */
static bool prepare(struct wcts_machine_session *session, const struct wcts_case *test,
                    const struct wcts_step *step, struct wcts_world *world)
{
    struct wcts_exchange_attempt attempt;
    for (int i = 0; i < world->count; i++)
        world->instances[i].present = true;
    session->probe.world = world;
    return wcts_machine_session_boot(session, test->version, test->page_size) &&
           wcts_machine_session_ensure_needs(session, step, world, &attempt);
}

/* False if the calls are not answered as they were. */
static bool call_again(struct wcts_machine_session *session, const struct wcts_case *test,
                       const struct instance *instance, uint8_t *reply)
{
    const struct wcts_cases *cases = session->spec->cases;
    const struct wcts_step *step = &cases->steps[cases->bases[instance->base].step];
    uint32_t operation = wcts_model_step_operation(session->spec, step);
    struct wcts_world world;
    int first = 0;
    bool same = wcts_world_init_base(&world, &session->eval, instance->base, test->version,
                                     test->page_size) &&
                prepare(session, test, step, &world);
    while (first < instance->count && instance->calls[first].operation != operation)
        first++;
    session->exchange.quiet = true;
    for (int i = first; same && i < instance->count; i++) {
        const struct call *call = &instance->calls[i];
        uint32_t size = 0;
        same =
            session->kernel_plugin->call(session->kernel, call->operation, call->request,
                                         call->size, reply, WCTS_REPLY_ROOM, &size) == call->status;
    }
    wcts_machine_session_shut_down(session);
    session->probe.world = NULL;
    wcts_world_release(&world);
    return same;
}

static double cost_of_loop(struct wcts_machine_session *session, const struct wcts_case *test,
                           int *calls)
{
    uint8_t *reply = calloc(1, WCTS_REPLY_ROOM);
    double start = now();
    *calls = 0;
    for (int i = 0; reply && i < between.count; i++) {
        if (between.instances[i].count < CALLS_LEAST)
            continue;
        *calls += between.instances[i].count;
        if (!call_again(session, test, &between.instances[i], reply)) {
            fprintf(stderr, "%s: other answers than in the sweep\n", test->id);
            abort();
        }
    }
    free(reply);
    return now() - start;
}

/* Records the calls of a sweep, then takes turns. Returns how fast the sweep is beside the loop. */
static double measure(struct wcts_machine_session *session, const struct wcts_case *test)
{
    static struct wcts_plugin wrapper;
    double sweep = 1e9, loop = 1e9, cost;
    int calls = 0;
    between.real = session->tested.plugin;
    between.session = session;
    between.records = true;
    wrapper = *between.real;
    wrapper.open = between_open;
    wrapper.call = between_call;
    session->tested.plugin = &wrapper;
    cost_of_sweep(session, test);
    session->tested.plugin = between.real;
    between.records = false;
    for (int i = 0; i < ROUNDS; i++) {
        cost = cost_of_sweep(session, test);
        sweep = cost < sweep ? cost : sweep;
        cost = cost_of_loop(session, test, &calls);
        loop = cost < loop ? cost : loop;
    }
    between_release();
    printf(
        "%-28s %6d calls: %.1f ms, a bare loop %.1f ms: %.2f of its speed, %.0f ns more a call\n",
        test->id, calls, sweep * 1e3, loop * 1e3, loop / sweep, (sweep - loop) / calls * 1e9);
    return loop / sweep;
}

int main(void)
{
    static const struct {
        const char *id;
        double least;
    } sweeps[] = {{"CAF-001/sweep-accept/wddm3_2", LEAST_RATIO},
                  {"CAF-003/sweep-refuse/wddm3_2", 0}};
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options planned = {.seed = 1, .sweeps = WCTS_SWEEPS_SINGLE};
    const struct wcts_implementation implementation = {.path = "emulator", .options = "strict"};
    const struct wcts_machine_session_options options = {
        .levels = wcts_model_level_bit(WCTS_LEVEL_DOCUMENTED)};
    struct wcts_spec *spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    struct wcts_plan *plan = spec ? wcts_plan_make(spec, &planned, &diagnostics) : NULL;
    struct wcts_machine_session *session = NULL;
    struct wcts_claims claims;
    char error[256];
    int status = 1;
    if (plan)
        session = wcts_machine_session_open(plan, &implementation, &options, &claims, error,
                                            sizeof error);
    if (session) {
        status = 0;
        print_sent(plan, &session->eval);
        for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++)
            if (measure(session, WCTS_PLAN_CASE(plan, wcts_plan_find(plan, sweeps[i].id))) <
                sweeps[i].least)
                status = 1;
    }
    wcts_machine_session_close(session);
    wcts_plan_free(plan);
    wcts_load_spec_free(spec);
    return status;
}
