/* SPDX-License-Identifier: MIT */
#include "guilty.h"

#include <stdlib.h>
#include <string.h>

#include "../generate/base_model.h"
#include "../generate/halve.h"
#include "perform.h"
#include "shrink.h"

/* Calls that find a combination, and that confirm it. */
#define CALLS 15
#define CONFIRMATIONS 80

struct run_blaming {
    struct wcts_machine_session *session;
    struct wcts_oracle_reads reads;
    struct wcts_generate_base model;
    struct wcts_case test; /* the call that is tried */
    struct wcts_finding misjudged;
    struct wcts_generate_guilty guilty;
    bool by_state; /* True if the call is right where it is not made in the test's state */
};

static bool row_is_allowed(void *ctx, const uint8_t *row)
{
    struct run_blaming *blaming = ctx;
    struct wcts_fact facts[WCTS_FACTS_MAX];
    return wcts_generate_base_allows(&blaming->model, row) &&
           wcts_generate_base_facts(&blaming->model, row, facts) >= 0;
}

/* What a state sends before it counts in the number of the call, as in "(call no. 2)". */
static bool same_but_for_number(const char *one, const char *other)
{
    static const char number[] = WCTS_FINDING_WHICH;
    while (*one && *other) {
        if (strncmp(one, number, strlen(number)) == 0)
            one += strcspn(one, ")") + 1;
        if (strncmp(other, number, strlen(number)) == 0)
            other += strcspn(other, ")") + 1;
        if (*one++ != *other++)
            return false;
    }
    return *one == *other;
}

/* Another status is another failure. */
static bool row_fails_alike(void *ctx)
{
    struct run_blaming *blaming = ctx;
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    bool alike;
    wcts_run_once(blaming->session, &blaming->test, &finding);
    alike = finding.found == blaming->misjudged.found && finding.reason &&
            same_but_for_number(finding.reason, blaming->misjudged.reason);
    wcts_model_finding_release(&finding);
    return alike;
}

static bool row_fails(void *ctx, const uint8_t *row)
{
    struct run_blaming *blaming = ctx;
    struct wcts_case *test = &blaming->test;
    test->fact_count = wcts_generate_base_facts(&blaming->model, row, test->facts);
    test->page_size = blaming->model.world.page_size;
    return wcts_run_try(blaming->session, row_fails_alike, blaming);
}

/* ---- In words ---- */

static bool is_flag_set(const struct wcts_generate_place *place, uint64_t values)
{
    return place->values[__builtin_ctzll(values)].number != 0;
}

static bool is_flag(const struct run_blaming *blaming, const struct wcts_generate_term *term)
{
    const struct wcts_generate_place *place = &blaming->model.places[term->parameter];
    return place->instance >= 0 && place->ref.flag >= 0;
}

/* "A and B are set"; false if there is none. */
static bool say_flags(const struct run_blaming *blaming, bool set, const char *before,
                      struct wcts_text *text)
{
    const struct wcts_spec *spec = blaming->session->spec;
    const struct wcts_generate_place *of[WCTS_GENERATE_GUILTY_MAX];
    int count = 0;
    for (int i = 0; i < blaming->guilty.count; i++) {
        const struct wcts_generate_term *term = &blaming->guilty.terms[i];
        const struct wcts_generate_place *place = &blaming->model.places[term->parameter];
        if (is_flag(blaming, term) && is_flag_set(place, term->values) == set)
            of[count++] = place;
    }
    for (int i = 0; i < count; i++)
        wcts_text_add(
            text, "%s%s",
            i == 0           ? before
            : i + 1 == count ? " and "
                             : ", ",
            spec->words[wcts_model_ref_member(spec, of[i]->ref)->word].flags[of[i]->ref.flag].name);
    if (count > 0)
        wcts_text_add(text, " %s %s", count == 1 ? "is" : "are", set ? "set" : "clear");
    return count > 0;
}

/* "Map.SizeInBytes is 0x3000 or 0x5000", or "is not" if the base's value is among them. */
static void add_class(const struct run_blaming *blaming, const struct wcts_generate_term *term,
                      const char *before, struct wcts_text *text)
{
    const struct wcts_generate_place *place = &blaming->model.places[term->parameter];
    static const char *const separators[] = {"", " or ", ", "}; /* before the last, and others */
    bool with_base = term->values & 1;
    uint64_t all = (UINT64_C(1) << (place->value_count - 1)) * 2 - 1;
    uint64_t named = with_base ? all & ~term->values : term->values;
    wcts_text_add(text, "%s", before);
    if (place->instance < 0)
        wcts_text_add(text, "the page size");
    else
        wcts_generate_base_name(&blaming->model, term->parameter, text);
    wcts_text_add(text, with_base ? " is not " : " is ");
    for (uint64_t left = named; left; left &= left - 1) {
        wcts_generate_base_value(&blaming->model, term->parameter, __builtin_ctzll(left), text);
        wcts_text_add(
            text, "%s",
            separators[__builtin_popcountll(left) < 3 ? __builtin_popcountll(left) - 1 : 2]);
    }
}

/* True if the base's own call sets a flag: whether that is needed too is not known, where it cannot
 * be cleared. */
static bool sets_flags(const struct wcts_generate_base *model)
{
    for (int p = 0; p < model->place_count; p++)
        if (model->places[p].instance >= model->world.adapter_count &&
            model->places[p].ref.flag >= 0 && model->places[p].values[0].number != 0)
            return true;
    return false;
}

static void add_guilty(const struct run_blaming *blaming, struct wcts_finding *finding)
{
    const struct wcts_spec *spec = blaming->session->spec;
    const char *before = WCTS_FINDING_CAUSE;
    char *longer = NULL;
    WCTS_TEXT(text);
    if (say_flags(blaming, true, before, &text))
        before = " and ";
    if (say_flags(blaming, false, before, &text))
        before = " and ";
    for (int i = 0; i < blaming->guilty.count; i++) {
        const struct wcts_generate_term *term = &blaming->guilty.terms[i];
        if (is_flag(blaming, term))
            continue;
        add_class(blaming, term, before, &text);
        before = " and ";
    }
    if (blaming->by_state)
        wcts_text_add(&text, " in the state %s", spec->cases->states[blaming->test.state - 1].name);
    if (sets_flags(&blaming->model))
        wcts_text_add(&text, " in calls like %s", spec->cases->bases[blaming->model.base].name);
    if (blaming->model.rule >= 0)
        wcts_text_add(&text, " in calls that break %s alone", spec->rules[blaming->model.rule].id);
    if (asprintf(&longer, "%s%s, if there is one cause", finding->reason, wcts_text_get(&text)) < 0)
        return;
    free(finding->reason);
    finding->reason = longer;
}

/* ---- All ---- */

/* The call to which the finding is due: the test's own or, if that was to be refused and its twin
 * was refused too, the twin's. */
static struct wcts_case observed_case(const struct wcts_case *test,
                                      const struct wcts_finding *finding)
{
    struct wcts_case own = *test;
    if (finding->found == WCTS_FOUND_DECLINED && test->twin_count >= 0) {
        memcpy(own.facts, test->twin, sizeof own.facts);
        own.fact_count = test->twin_count;
        own.expect = own.strict = WCTS_EXPECT_ACCEPT;
    }
    own.twin_count = -1;
    return own;
}

static bool was_boot_accepted(const struct wcts_exchange_boot *boot)
{
    return boot && wcts_exchange_was_accepted(&boot->attempt);
}

/* The finding of the call alone, with which others are compared, from the calls themselves or, in a
 * record, from nothing: there the outcomes of the tries are recorded. */
static bool judge_alone(struct run_blaming *blaming)
{
    struct wcts_machine_session *session = blaming->session;
    wcts_run_once(session, &blaming->test, &blaming->misjudged);
    return blaming->misjudged.reason && (blaming->misjudged.found == WCTS_FOUND_DECLINED ||
                                         blaming->misjudged.found == WCTS_FOUND_BROKEN);
}

/* True if the test's state takes steps, which changed answers of the driver would meet as well. */
static bool takes_steps(const struct run_blaming *blaming)
{
    const struct wcts_cases *cases = blaming->session->spec->cases;
    return blaming->test.state && cases->states[blaming->test.state - 1].take_count > 0;
}

static bool blame(struct run_blaming *blaming)
{
    struct wcts_case *test = &blaming->test;
    bool legal = test->expect == WCTS_EXPECT_ACCEPT;
    const struct wcts_generate_base_options options = {.from = test->version,
                                                       .until = test->version + 1,
                                                       .rule = legal ? -1 : test->rule,
                                                       .the_call_alone = true,
                                                       .answers_stay = takes_steps(blaming)};
    struct wcts_machine_session *session = blaming->session;
    struct wcts_generate_halving halving = {.allows = row_is_allowed,
                                            .fails = row_fails,
                                            .ctx = blaming,
                                            .calls = CALLS,
                                            .confirmations = CONFIRMATIONS};
    uint8_t row[WCTS_GENERATE_PARAMETERS_MAX] = {0};
    struct wcts_world world;
    bool good = judge_alone(blaming) && wcts_oracle_reads_init(&blaming->reads, &session->eval) &&
                wcts_generate_base_init(&blaming->model, &blaming->reads, test->base, &options);
    if (!good)
        return false;
    halving.smallest_is_right =
        legal &&
        was_boot_accepted(wcts_exchange_recording_find(&session->recording, WCTS_FOR_BASE));
    halving.values = blaming->model.model.values;
    halving.parameter_count = blaming->model.model.parameter_count;
    good = wcts_oracle_case_world(&world, &session->eval, test, test->facts, test->fact_count) &&
           wcts_generate_base_row(&blaming->model, &world, row);
    wcts_world_release(&world);
    good = good && row_is_allowed(blaming, row) &&
           wcts_generate_halve(&halving, row, &blaming->guilty);
    if (good && test->state) {
        const int state = test->state;
        test->state = 0;
        blaming->by_state = !row_fails(blaming, row);
        test->state = state;
    }
    return good;
}

void wcts_run_find_guilty(struct wcts_machine_session *session, const struct wcts_case *test,
                          struct wcts_finding *finding)
{
    struct run_blaming *blaming = calloc(1, sizeof *blaming);
    struct wcts_exchange_recording own = session->recording;
    if (!blaming)
        return;
    blaming->session = session;
    blaming->test = observed_case(test, finding);
    session->recording = (struct wcts_exchange_recording){0};
    if (blame(blaming))
        add_guilty(blaming, finding);
    wcts_exchange_recording_release(&session->recording);
    session->recording = own;
    wcts_model_finding_release(&blaming->misjudged);
    wcts_generate_base_release(&blaming->model);
    wcts_oracle_reads_release(&blaming->reads);
    free(blaming);
}
