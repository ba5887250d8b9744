/* SPDX-License-Identifier: MIT */
#include "derive_samples.h"

#include <stdlib.h>

#include "../runner/base/array.h"
#include "../runner/base/checksum.h"
#include "reseen.h"

/* Calls that were sampled, by all that was sent up to them: set-ups are the same in many cases. A
 * hash table of numbers other than 0. */
struct report_known {
    uint64_t *of;
    size_t size, count;
};

/* One reading of the records. */
struct report_sampling {
    struct wcts_report_derive *derive;
    struct wcts_eval eval;
    const struct wcts_plan *plan;
    bool refusals;                     /* calls that are refused are explained */
    bool samples;                      /* the second reading, or the third */
    bool elements;                     /* the third */
    enum wcts_report_derive_part part; /* of the case */
    int rule;                          /* ... to which rule */
    int call;                          /* numbers of cases, as those of calls */
    struct report_known known;
};

/* ---- sets ---- */

static struct wcts_report_derive_set *find_set(const struct wcts_report_derive *derive, int on,
                                               bool driver, int rule)
{
    for (int i = 0; i < derive->set_count; i++) {
        struct wcts_report_derive_set *set = derive->sets[i];
        if (set->on == on && set->driver == driver && set->rule == rule)
            return set;
    }
    return NULL;
}

static struct wcts_report_derive_set *add_derive_set(struct wcts_report_derive *derive, int on,
                                                     bool driver, int rule)
{
    struct wcts_report_derive_set *set = find_set(derive, on, driver, rule), **added;
    if (set)
        return set;
    set = calloc(1, sizeof *set);
    if (!set)
        return NULL;
    added = WCTS_ARRAY_ADD(derive->sets, derive->set_count);
    if (!added) {
        free(set);
        return NULL;
    }
    *set = (struct wcts_report_derive_set){.driver = driver, .on = on, .rule = rule};
    wcts_judge_features_init(&set->samples.features, derive->spec, on);
    *added = set;
    return set;
}

static bool is_requested(const struct wcts_spec *spec, int structure, bool driver)
{
    for (int i = 0; i < spec->messages_count; i++) {
        const struct wcts_message *message = &spec->messages[i];
        if (!message->machine && message->driver == driver &&
            message->holds[structure] & WCTS_HELD_REQUEST)
            return true;
    }
    return false;
}

void wcts_report_derive_of_rule(struct wcts_report_derive *derive, int rule, bool driver)
{
    const int on = derive->spec->rules[rule].on;
    if (on >= 0 && is_requested(derive->spec, on, driver))
        add_derive_set(derive, on, driver, rule);
}

static bool is_root(const struct wcts_spec *spec, int structure)
{
    for (int i = 0; i < spec->messages_count; i++)
        if (spec->messages[i].request == structure)
            return true;
    return false;
}

void wcts_report_derive_release(struct wcts_report_derive *derive)
{
    for (int i = 0; i < derive->set_count; i++) {
        wcts_judge_samples_release(&derive->sets[i]->samples);
        free(derive->sets[i]->terms);
        free(derive->sets[i]);
    }
    free(derive->sets);
    free(derive->tests);
    *derive = (struct wcts_report_derive){0};
}

/* ---- calls that are alike ---- */

static uint64_t *known_slot(const struct report_known *known, uint64_t number)
{
    size_t at = number & (known->size - 1);
    while (known->of[at] && known->of[at] != number)
        at = (at + 1) & (known->size - 1);
    return &known->of[at];
}

static bool make_room_for_known(struct report_known *known)
{
    const struct report_known before = *known;
    if (known->size > known->count * 2)
        return true;
    known->size = known->size ? known->size * 4 : 4096;
    known->of = calloc(known->size, sizeof *known->of);
    if (!known->of) {
        *known = before;
        return false;
    }
    for (size_t i = 0; i < before.size; i++)
        if (before.of[i])
            *known_slot(known, before.of[i]) = before.of[i];
    free(before.of);
    return true;
}

/* True once for each number. */
static bool is_new_sample(struct report_known *known, uint64_t number)
{
    uint64_t *slot;
    number = number ? number : 1;
    if (!make_room_for_known(known))
        return true;
    slot = known_slot(known, number);
    if (*slot)
        return false;
    *slot = number;
    known->count++;
    return true;
}

/* ---- a recording ---- */

/* True if it was refused, and nothing lets it be: what the judge looked at and found to break
 * nothing, or the call at the end of a boot that had to be accepted. */
static bool is_refused(const struct wcts_case *test, const struct wcts_exchange_boot *boot,
                       int index)
{
    const struct wcts_exchange_record *record = &boot->exchange.records[index];
    if (wcts_exchange_answer_of(record->status) != WCTS_ANSWER_REFUSED)
        return false;
    if (boot->purpose == WCTS_FOR_TWIN ? test->twin_gap : test->gap)
        return false;
    return record->denial == WCTS_DENIAL_VALID ||
           (record->denial == WCTS_DENIAL_NONE && !test->scenario &&
            index == wcts_exchange_last_call(&boot->exchange) &&
            (boot->purpose != WCTS_FOR_TEST || test->expect == WCTS_EXPECT_ACCEPT));
}

/* What leads to the structures of a refused call. */
static void meet(struct report_sampling *sampling, const struct wcts_case *test,
                 const struct wcts_exchange_boot *boot, int index)
{
    struct wcts_report_derive *derive = sampling->derive;
    const struct wcts_exchange_view view = {derive->spec, &boot->exchange, test->page_size};
    const struct wcts_message *message =
        wcts_exchange_message_of(derive->spec, boot->exchange.records[index].operation);
    for (int on = 0; message && on < derive->spec->structures_count; on++) {
        struct wcts_report_derive_set *set = NULL;
        if (message->holds[on] & WCTS_HELD_REQUEST)
            set = add_derive_set(derive, on, test->driver, -1);
        if (set)
            wcts_judge_features_follow(&set->samples.features, &view, index);
    }
}

/* The number of a refused call. */
static int next_call(struct wcts_report_derive *derive, const struct wcts_case *test)
{
    int *added = WCTS_ARRAY_ADD(derive->tests, derive->test_count);
    if (added)
        *added = test->index;
    return added ? derive->test_count - 1 : -1;
}

/* What tells refused calls from others is sought in the request itself first, and in the third
 * reading in what it points to. */
static bool is_sampled(const struct report_sampling *sampling,
                       const struct wcts_report_derive_set *set)
{
    const bool root = set->rule >= 0 || is_root(sampling->derive->spec, set->on);
    return root != sampling->elements;
}

static void sample(struct report_sampling *sampling, const struct wcts_case *test,
                   const struct wcts_exchange_boot *boot, int index, bool refused, bool fresh)
{
    struct wcts_report_derive *derive = sampling->derive;
    const struct wcts_exchange_record *record = &boot->exchange.records[index];
    const bool accepted = wcts_exchange_answer_of(record->status) == WCTS_ANSWER_ACCEPTED;
    const int call = sampling->refusals && refused && fresh ? next_call(derive, test) : -1;
    for (int i = 0; i < derive->set_count; i++) {
        struct wcts_report_derive_set *set = derive->sets[i];
        if (set->driver != test->driver || !is_sampled(sampling, set))
            continue;
        if (set->rule < 0 && fresh && (call >= 0 || accepted))
            wcts_judge_sample_call(&set->samples, test, boot, index, call);
        if (set->rule >= 0 && set->rule == sampling->rule && boot->purpose == WCTS_FOR_TEST &&
            sampling->part != WCTS_DERIVE_NONE)
            wcts_judge_sample_call(&set->samples, test, boot, index,
                                   sampling->part == WCTS_DERIVE_BROKEN ? sampling->call : -1);
    }
}

static void sample_sweep(struct report_sampling *sampling, const struct wcts_case *test,
                         const struct wcts_exchange_swept *swept)
{
    struct wcts_report_derive *derive = sampling->derive;
    const struct wcts_judge judge = {.plan = sampling->plan, .eval = &sampling->eval};
    for (int i = 0; i < derive->set_count; i++) {
        struct wcts_report_derive_set *set = derive->sets[i];
        const bool sampled = is_sampled(sampling, set);
        if (set->driver != test->driver || test->fact_count == 0 ||
            set->on != test->facts[0].ref.structure)
            continue;
        if (set->rule < 0) { /* each reading numbers the same calls */
            int end = wcts_judge_sample_sweep(sampled ? &set->samples : NULL, &judge, test, swept,
                                              true, derive->test_count);
            for (int call = derive->test_count; call < end; call++)
                next_call(derive, test);
        } else if (sampled && set->rule == test->rule) {
            sampling->call =
                wcts_judge_sample_sweep(&set->samples, &judge, test, swept, false, sampling->call);
        }
    }
}

static void sample_boot(struct report_sampling *sampling, const struct wcts_case *test,
                        const struct wcts_exchange_boot *boot)
{
    const uint32_t host[] = {(uint32_t)test->version, test->page_size, test->driver};
    uint64_t sent = wcts_checksum(0, host, sizeof host);
    bool over = false; /* what follows a refusal may be refused because of it */
    for (int i = 0; i < boot->exchange.count; i++) {
        const struct wcts_exchange_record *record = &boot->exchange.records[i];
        const bool refused = !over && is_refused(test, boot, i);
        bool fresh;
        if (!wcts_judge_sample_is_asked(test, boot, i))
            continue;
        sent = wcts_checksum(sent + record->operation, record->request, record->request_size);
        fresh = is_new_sample(&sampling->known, sent + (uint64_t)refused);
        if (sampling->samples)
            sample(sampling, test, boot, i, refused, fresh);
        else if (fresh && refused)
            meet(sampling, test, boot, i);
        over = over || refused;
    }
}

static void see(void *ctx, const struct wcts_case *test,
                const struct wcts_exchange_recording *recording)
{
    struct report_sampling *sampling = ctx;
    if (sampling->samples && test->kind == WCTS_KIND_SWEEP)
        sample_sweep(sampling, test, &recording->swept);
    for (int i = 0; i < recording->count; i++)
        sample_boot(sampling, test, &recording->boots[i]);
    sampling->call++;
}

/* ---- runs ---- */

/* Of the first reading cases in which something was refused; of the second those of the rules, and
 * where refusals are explained, all. */
static bool is_needed(const struct report_sampling *sampling, const struct wcts_result *result)
{
    if (!sampling->samples)
        return result->verdict == WCTS_VERDICT_DECLINED || result->verdict == WCTS_VERDICT_FAIL ||
               result->skip == WCTS_SKIP_NOT_SHOWN;
    return sampling->refusals || sampling->part != WCTS_DERIVE_NONE;
}

static bool read_sampled_run(struct report_sampling *sampling,
                             const struct wcts_report_loaded_run *loaded)
{
    static const struct wcts_profile none;
    struct wcts_report_derive *derive = sampling->derive;
    struct wcts_store_journal journal = {0};
    struct wcts_store_entry entry;
    struct wcts_report_reseen *reseen =
        wcts_report_reseen_new(loaded->directory, loaded->plan, &loaded->run.claims, NULL, &none);
    bool good = reseen && wcts_store_journal_open(&journal, loaded->directory, derive->spec);
    if (good)
        wcts_report_reseen_watch(reseen, see, sampling);
    sampling->plan = loaded->plan;
    for (int i = 0;
         good && i < loaded->run.selected_count && wcts_store_journal_next(&journal, &entry); i++) {
        struct wcts_case made;
        const struct wcts_case *test = wcts_plan_case(loaded->plan, loaded->selected[i], &made);
        sampling->part = derive->part(derive->ctx, test, &entry.result, &sampling->rule);
        if (is_needed(sampling, &entry.result))
            good = wcts_report_reseen_case(reseen, test, &entry.result);
        else
            wcts_report_reseen_skip(reseen, test, &entry.result);
        wcts_store_entry_release(&entry);
    }
    wcts_store_journal_close(&journal);
    wcts_report_reseen_free(reseen);
    return good;
}

static bool read_runs(struct report_sampling *sampling, struct wcts_report_loaded_run *runs,
                      int count)
{
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = read_sampled_run(sampling, &runs[i]);
    free(sampling->known.of);
    sampling->known = (struct report_known){0};
    return good;
}

bool wcts_report_derive_samples(struct wcts_report_derive *derive,
                                struct wcts_report_loaded_run *runs, int count, bool refusals)
{
    struct report_sampling sampling = {.derive = derive, .refusals = refusals};
    bool good = wcts_oracle_eval_init(&sampling.eval, derive->spec) &&
                (!refusals || read_runs(&sampling, runs, count));
    sampling.samples = true;
    good = good && (derive->set_count == 0 || read_runs(&sampling, runs, count));
    wcts_oracle_eval_release(&sampling.eval);
    return good;
}

bool wcts_report_derive_elements(struct wcts_report_derive *derive,
                                 struct wcts_report_loaded_run *runs, int count)
{
    struct report_sampling sampling = {
        .derive = derive, .refusals = true, .samples = true, .elements = true};
    bool good;
    derive->test_count = 0;
    good = wcts_oracle_eval_init(&sampling.eval, derive->spec) && read_runs(&sampling, runs, count);
    wcts_oracle_eval_release(&sampling.eval);
    return good;
}
