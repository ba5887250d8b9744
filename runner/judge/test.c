/* SPDX-License-Identifier: MIT */
/* A test as it was recorded: which of its boots show what, for each sort of test. */
#include <stdlib.h>
#include <string.h>

#include "../lang/expr.h"
#include "judge.h"
#include "recorded.h"
#include "recorded_functions.h"

/* ---- What is not claimed ---- */

/* Capabilities that a kernel may lack, and what then is not seen. */
static const struct {
    uint32_t capability;
    const char *reason;
} lacking[] = {
    {WCTS_CAPABILITY_PROBE, "PROBE, so that the kernel outputs no driver from the suite"},
    {WCTS_CAPABILITY_MACHINE, "MACHINE, so that memory does not come from the suite"},
    {WCTS_CAPABILITY_PAGES, "PAGES, so that no page can be looked at"},
    {WCTS_CAPABILITY_PLACEMENT, "PLACEMENT, so that no allocation can be looked at"},
};

/* True if the function patched() is asked about locations, not about the rest of the buffer. */
static bool asks_for_addresses(const struct wcts_lang_exprs *exprs, int call)
{
    int aspect = exprs->nodes[wcts_lang_argument(exprs, exprs->nodes[call].a, 0)].b;
    return wcts_judge_patched_locations(aspect);
}

/* True if the test is about what a driver patches; addresses: about the addresses that it writes.
 */
static bool is_about_patching(const struct wcts_spec *spec, const struct wcts_case *test,
                              bool addresses)
{
    const struct wcts_cases *cases = spec->cases;
    int message = test->base < 0 ? -1 : cases->steps[cases->bases[test->base].step].message;
    const struct wcts_effect *effect = spec->rules[test->rule].effect;
    int call = effect ? wcts_lang_find_call_of(spec->exprs, effect->holds, "patched") : 0;
    if (call)
        return !addresses || asks_for_addresses(spec->exprs, call);
    return message >= 0 && spec->messages[message].patches;
}

const char *wcts_judge_not_claimed(const struct wcts_judge *judge, const struct wcts_case *test)
{
    const struct wcts_claims *claims = judge->claims;
    const struct wcts_spec *spec = judge->plan->spec;
    uint32_t version = spec->versions[test->version].interface_version;
    if (version < claims->first_interface_version || version > claims->last_interface_version)
        return "this WDDM version";
    if (test->driver && claims->patches == WCTS_PATCHES_NONE)
        return is_about_patching(spec, test, false)
                   ? "PATCHES, so that it is not known how the driver writes addresses"
                   : NULL;
    if (test->driver && claims->patches == WCTS_PATCHES_PRIVATE && !spec->rules[test->rule].effect)
        return is_about_patching(spec, test, true)
                   ? "PATCHES in the DMA buffer: the driver writes addresses into private data"
                   : NULL;
    if (test->driver)
        return claims->patches == WCTS_PATCHES_ELSEWHERE && is_about_patching(spec, test, true)
                   ? "PATCHES in the DMA buffer: the driver writes no addresses there"
                   : NULL;
    if (!(claims->page_sizes & test->page_size))
        return "this page size";
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
        if (test->needs & lacking[i].capability & ~claims->capabilities)
            return lacking[i].reason;
    for (int i = 0; i < test->fact_count; i++)
        if (!(claims->capabilities & WCTS_CAPABILITY_PROBE) &&
            wcts_model_fact_is_answer(judge->plan, test, &test->facts[i]))
            return lacking[0].reason;
    return NULL;
}

/* ---- Calls ---- */

bool wcts_judge_attempt_was_refused(const struct wcts_exchange_attempt *attempt)
{
    enum wcts_exchange_answer answer = wcts_exchange_answer_of(attempt->status);
    return attempt->end != WCTS_ATTEMPT_NO_BOOT &&
           (answer == WCTS_ANSWER_REFUSED || answer == WCTS_ANSWER_MISSING);
}

/* True if the finding is told with the messages. */
static bool has_evidence(const struct wcts_finding *finding)
{
    return finding->found != WCTS_FOUND_KEPT && finding->found != WCTS_FOUND_NOTHING &&
           !finding->detail;
}

static void judge_kernel_call(const struct wcts_judge *judge, const struct wcts_case *test,
                              const struct wcts_exchange_recording *recording,
                              struct wcts_strictness *strictness, struct wcts_finding *finding)
{
    const struct wcts_exchange_boot *own = wcts_exchange_recording_find(recording, WCTS_FOR_TEST);
    const struct wcts_exchange_boot *twin = wcts_exchange_recording_find(recording, WCTS_FOR_TWIN);
    const struct wcts_exchange_boot *base = wcts_exchange_recording_find(recording, WCTS_FOR_BASE);
    struct wcts_judge_kernel_evidence evidence = {
        .attempt = own->attempt, .twin_made = twin != NULL, .base_made = base != NULL};
    const struct wcts_gap *gap;
    if (twin)
        evidence.twin = twin->attempt;
    if (base)
        evidence.base = base->attempt;
    wcts_judge_kernel(judge->plan, test, judge->claims, strictness, &evidence, finding);
    /* Accepted where the kernel's own size allows it. */
    if (finding->found == WCTS_FOUND_BROKEN && test->strict == WCTS_EXPECT_REFUSE) {
        gap = wcts_judge_own_size(judge, test,
                                  wcts_exchange_recording_find(recording, WCTS_FOR_SIZE));
        if (gap)
            wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "no document says %s",
                                    gap->missing);
    }
}

/* An effect that the recorded call shows. */
static void judge_call_effect(const struct wcts_judge *judge, const struct wcts_case *test,
                              struct wcts_exchange_boot *own, struct wcts_strictness *strictness,
                              struct wcts_finding *finding)
{
    const struct wcts_exchange_view view = {judge->plan->spec, &own->exchange, test->page_size};
    int call = wcts_exchange_last_call(&own->exchange);
    struct wcts_world world;
    if (wcts_judge_no_answer(&own->attempt, "base call", finding))
        return;
    if (own->exchange.count > 0 && wcts_exchange_is_denied(own->attempt.status)) {
        if (wcts_oracle_case_world(&world, judge->eval, test, test->facts, test->fact_count))
            wcts_judge_note_denial(&own->exchange.records[call], &world);
        wcts_world_release(&world);
    }
    wcts_judge_effect(judge->plan, test, strictness, &own->exchange, call, finding);
    wcts_judge_declined(&view, finding);
}

/* ---- Drivers ---- */

/* A rule about an answer that the driver does not give of this kind: that is why nothing came under
 * it. */
static void say_missing(const struct wcts_judge *judge, const struct wcts_case *test,
                        const struct wcts_exchange *exchange, struct wcts_finding *finding)
{
    const struct wcts_spec *spec = judge->plan->spec;
    char status[64];
    for (int i = 0; i < exchange->count && finding->skip == WCTS_SKIP_NOT_APPLICABLE; i++) {
        const struct wcts_exchange_record *record = &exchange->records[i];
        const struct wcts_message *message = wcts_exchange_message_of(spec, record->operation);
        if (!message || !message->driver || message->reply != spec->rules[test->rule].on ||
            record->status != WCTS_STATUS_NOT_SUPPORTED)
            continue;
        wcts_exchange_status_text(record->status, status, sizeof status);
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "%s answered %s",
                                wcts_operation_name(record->operation), status);
    }
}

static void judge_answers(const struct wcts_judge *judge, const struct wcts_case *test,
                          struct wcts_exchange_boot *own, struct wcts_finding *finding)
{
    const struct wcts_exchange_view view = {judge->plan->spec, &own->exchange, test->page_size};
    struct wcts_world answers;
    if (!wcts_judge_world_of_answers(&answers, judge->eval, test->version, test->page_size,
                                     &own->exchange))
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "no memory for the driver's answers");
    else
        wcts_judge_driver(judge->plan, test, &answers, &own->attempt, finding);
    say_missing(judge, test, &own->exchange, finding);
    wcts_judge_decline_owed(judge->plan->spec, &own->exchange);
    wcts_judge_pass_over_kinds(&view);
    wcts_judge_declined(&view, finding);
    wcts_judge_name_refused_kinds(&view, finding);
    wcts_world_release(&answers);
}

static bool patches(const struct wcts_spec *spec, const struct wcts_exchange_record *record)
{
    const struct wcts_message *message = wcts_exchange_message_of(spec, record->operation);
    return message && message->patches;
}

/* The call of the driver, and what the suite read of the DMA buffer after it. */
static void judge_driver_call(const struct wcts_judge *judge, const struct wcts_case *test,
                              struct wcts_exchange_boot *own, struct wcts_finding *finding)
{
    const struct wcts_exchange *exchange = &own->exchange;
    const struct wcts_spec *spec = judge->plan->spec;
    const struct wcts_exchange_view view = {spec, exchange, test->page_size};
    const uint8_t *before = NULL, *after = NULL;
    int call = exchange->count - 1;
    while (call >= 0 && !patches(spec, &exchange->records[call]))
        call--;
    if (own->attempt.end != WCTS_ATTEMPT_ANSWERED || call < 0) {
        wcts_judge_no_answer(&own->attempt, "set-up", finding);
        return;
    }
    for (int i = 0; i < exchange->count; i++) {
        struct wcts_exchange_memory memory;
        if (exchange->records[i].depth != 0 || !wcts_exchange_memory(&view, i, &memory))
            continue;
        if (i < call && memory.write)
            before = memory.bytes;
        else if (i > call && !memory.write)
            after = memory.bytes;
    }
    wcts_judge_patch(judge->plan, test, &own->attempt,
                     &(struct wcts_exchange_buffer){.bytes = exchange->records[call].request,
                                                    .size = exchange->records[call].request_size},
                     exchange, before, after, finding);
}

/* A kernel that lacks resources may be right about it, but not before the answer is. */
static bool is_kept_from_test(const struct wcts_finding *finding)
{
    return finding->found == WCTS_FOUND_DECLINED || finding->found == WCTS_FOUND_TROUBLE;
}

/* True if the reference kernel refused a set-up, or the first call of a scenario that it refused is
 * why nothing is seen. */
static bool is_refused_by_kernel(const struct wcts_exchange_boot *boot,
                                 const struct wcts_finding *finding)
{
    const struct wcts_exchange *exchange = &boot->exchange;
    int i = 0;
    if (is_kept_from_test(finding))
        return boot->attempt.end == WCTS_ATTEMPT_SETUP &&
               boot->attempt.operation >> 8 == WCTS_KERNEL_INFO >> 8;
    if (finding->found != WCTS_FOUND_NOTHING || finding->skip != WCTS_SKIP_NOT_SHOWN)
        return false;
    while (i < exchange->count &&
           (exchange->records[i].depth != 0 || exchange->records[i].between ||
            !wcts_exchange_is_denied(exchange->records[i].status)))
        i++;
    return i < exchange->count && exchange->records[i].operation >> 8 == WCTS_KERNEL_INFO >> 8;
}

/* The reference kernel refuses a set-up only for what the driver answered: then the answer is what
 * is wrong, and nothing is seen of the test. A breach that only warns at the level leaves the case
 * without a result all the same, and is named as the reason. */
static void blame_answers(const struct wcts_judge *judge, const struct wcts_case *test,
                          const struct wcts_exchange_boot *boot, struct wcts_strictness *strictness,
                          struct wcts_finding *finding)
{
    struct wcts_oracle_prediction prediction = {.broken_count = 0};
    struct wcts_world answers;
    char *refusal = NULL, *warned = NULL;
    if (!test->driver || !is_refused_by_kernel(boot, finding))
        return;
    if (wcts_judge_world_of_answers(&answers, judge->eval, test->version, test->page_size,
                                    &boot->exchange))
        wcts_world_judge(&answers, &prediction);
    for (int i = 0; i < prediction.broken_count; i++) {
        const struct wcts_rule *rule = &judge->plan->spec->rules[prediction.broken[i]];
        char text[400];
        int where = -1;
        if (prediction.broken[i] == test->rule ||
            wcts_oracle_rule_ask_all(&answers, rule, &where) != WCTS_FALSE)
            continue;
        wcts_judge_answer_text(&answers, rule, where, text, sizeof text);
        if (wcts_judge_breach_fails(judge->plan, prediction.broken[i], strictness)) {
            wcts_model_finding_skip(finding, WCTS_SKIP_NOT_JUDGED, "%s is broken: %s", rule->id,
                                    text);
            break;
        }
        if (rule->force == WCTS_FORCE_MUST && !warned &&
            asprintf(&warned, "%s is broken: %s", rule->id, text) < 0)
            warned = NULL;
    }
    refusal =
        warned && is_kept_from_test(finding) && finding->reason ? strdup(finding->reason) : NULL;
    if (refusal)
        wcts_model_finding_set(finding, finding->found, "%s; so %s", warned, refusal);
    free(refusal);
    free(warned);
    wcts_world_release(&answers);
}

/* ---- All tests ---- */

/* The boot in which the protocol was broken: that of the evidence, or another one, such as the
 * twin's, whose call then has no answer from which anything would follow. Without any: the
 * evidence. */
static const struct wcts_exchange_boot *find_breach(const struct wcts_exchange_recording *recording,
                                                    const struct wcts_exchange_boot *evidence)
{
    if (evidence->exchange.breach_kind != WCTS_BREACH_NONE)
        return evidence;
    for (int i = 0; i < recording->count; i++)
        if (recording->boots[i].exchange.breach_kind != WCTS_BREACH_NONE)
            return &recording->boots[i];
    return evidence;
}

void wcts_judge_no_instance(const struct wcts_spec *spec, const struct wcts_case *test,
                            const char *why, bool reference_lacks, struct wcts_finding *finding)
{
    const char *version = spec->versions[test->version].name;
    if (finding->found != WCTS_FOUND_TROUBLE)
        return;
    if (reference_lacks)
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE, "WDDM %s: %s", version, why);
    else
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "WDDM %s: %s", version, why);
}

/* Returns the boot whose messages are the evidence. */
static const struct wcts_exchange_boot *judge_by_sort(const struct wcts_judge *judge,
                                                      const struct wcts_case *test,
                                                      struct wcts_exchange_recording *recording,
                                                      struct wcts_strictness *strictness,
                                                      struct wcts_finding *finding)
{
    struct wcts_exchange_boot *own = wcts_exchange_recording_find(recording, WCTS_FOR_TEST);
    bool pages = judge->plan->spec->rules[test->rule].form == WCTS_FORM_EFFECT_PAGES;
    if (test->scenario)
        return wcts_judge_scenario(judge, test, recording, strictness, finding);
    if (test->kind == WCTS_KIND_SWEEP)
        wcts_judge_sweep(judge, test, recording, strictness, finding);
    else if (test->driver && test->expect != WCTS_EXPECT_ANSWER)
        judge_driver_call(judge, test, own, finding);
    else if (test->driver)
        judge_answers(judge, test, own, finding);
    else if (test->kind == WCTS_KIND_EFFECT && pages)
        wcts_judge_pages_test(judge, test, recording, finding);
    else if (test->kind == WCTS_KIND_EFFECT)
        judge_call_effect(judge, test, own, strictness, finding);
    else if (own->exchange.breach_kind == WCTS_BREACH_NONE)
        judge_kernel_call(judge, test, recording, strictness, finding);
    return own;
}

void wcts_judge_test(const struct wcts_judge *judge, const struct wcts_case *test,
                     struct wcts_exchange_recording *recording, struct wcts_strictness *strictness,
                     struct wcts_finding *finding)
{
    const char *reason = wcts_judge_not_claimed(judge, test);
    const struct wcts_exchange_boot *evidence, *observed;
    *finding = (struct wcts_finding){.found = WCTS_FOUND_TROUBLE};
    if (reason) {
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "%s", reason);
        return;
    }
    if (!wcts_exchange_recording_find(recording, WCTS_FOR_TEST)) {
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "no memory");
        return;
    }
    evidence = find_breach(recording, judge_by_sort(judge, test, recording, strictness, finding));
    recording->evidence = (int)(evidence - recording->boots);
    wcts_judge_breach(&evidence->exchange, finding);
    if (!test->driver)
        wcts_judge_lost_setup(recording, finding);
    blame_answers(judge, test, evidence, strictness, finding);
    observed =
        judge->own_alone ? NULL : wcts_judge_observed(judge, test, recording, strictness, finding);
    if (observed) {
        evidence = observed;
        recording->evidence = (int)(evidence - recording->boots);
    }
    if (has_evidence(finding) && !judge->untold)
        finding->detail =
            wcts_judge_evidence_text(judge->plan, test, &evidence->exchange,
                                     test->kind == WCTS_KIND_SWEEP ? &recording->swept : NULL);
    if (evidence->no_instance)
        wcts_judge_no_instance(judge->plan->spec, test, evidence->no_instance,
                               evidence->reference_lacks, finding);
}
