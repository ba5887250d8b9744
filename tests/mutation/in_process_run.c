/* SPDX-License-Identifier: MIT */
/* Runs the tests of a suite, and judges again what was said in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "in_process.h"
#include "runner/model/facts.h"

/* ---- sessions ---- */

/* What is observed in tests of others is looked at elsewhere. */
struct wcts_machine_session *near_open_session(const struct wcts_plan *plan, const char *options,
                                               bool driver)
{
    const struct wcts_implementation implementation = {.options = options};
    const struct wcts_machine_session_options with = {.driver = driver,
                                                      .levels =
                                                          wcts_model_level_bit(WCTS_LEVEL_STRICT),
                                                      .verdicts_only = true,
                                                      .own_alone = true};
    struct wcts_claims claims;
    char error[512];
    return wcts_machine_session_open(plan, &implementation, &with, &claims, error, sizeof error);
}

/* An effect that a scenario expects and does not show is red, too: nothing is skipped against the
 * emulator. A test that could not be made, or that ended the implementation, proves nothing. */
static bool is_red(const struct wcts_case *test, const struct wcts_result *result)
{
    if (result->verdict == WCTS_VERDICT_SKIP)
        return test->scenario && !(result->reason && strstr(result->reason, "breaks advice"));
    return result->verdict != WCTS_VERDICT_PASS && result->verdict != WCTS_VERDICT_BROKEN &&
           !wcts_model_verdict_is_death(result->verdict);
}

void near_run(struct wcts_machine_session *session, const struct wcts_case *test, bool keep,
              struct near_result *made)
{
    const struct wcts_options options = {.level = WCTS_LEVEL_STRICT};
    struct wcts_result result;
    wcts_run_case(session, test, &result);
    wcts_judge_result_read(session->plan, test, &options, &result);
    made->made = true;
    made->verdict = result.verdict;
    made->quiet = result.verdict == WCTS_VERDICT_PASS || result.verdict == WCTS_VERDICT_SKIP;
    made->red = is_red(test, &result);
    wcts_model_result_release(&result);
    if (!keep)
        return;
    made->recording = session->recording;
    session->recording = (struct wcts_exchange_recording){0};
    session->performed = (struct wcts_machine_performed){0};
}

bool near_judge(const struct wcts_plan *plan, const struct wcts_machine_session *session,
                const struct wcts_case *test, struct wcts_exchange_recording *recording,
                enum wcts_verdict *verdict)
{
    const struct wcts_judge judge = {.plan = plan,
                                     .eval = &session->eval,
                                     .claims = &session->claims,
                                     .untold = true,
                                     .own_alone = true};
    struct wcts_strictness strictness = {.level = WCTS_LEVEL_STRICT};
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    if (wcts_judge_not_claimed(&judge, test))
        return false;
    wcts_judge_test(&judge, test, recording, &strictness, &finding);
    *verdict = wcts_judge_finding_verdict(plan, test, &finding, WCTS_LEVEL_STRICT);
    wcts_model_finding_release(&finding);
    return true;
}

/* ---- tests ---- */

/* True if the test is of one of the statements, not of a rule that theirs rest on. */
static bool is_own(const struct near_group *group, const struct wcts_case *test)
{
    const char *id = group->suite.spec->statements[test->statement].id;
    size_t length = strlen(id);
    if (wcts_model_is_drawn(test->kind))
        return false;
    for (const char *at = group->statements; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && memcmp(at, id, length) == 0)
            return true;
    return false;
}

/* True if what the parties say in it depends on nothing but the call, and the finding on nothing
 * but what they say. */
static bool is_kept(const struct near_group *group, const struct wcts_case *test)
{
    const struct wcts_rule *rule = &group->suite.spec->rules[test->rule];
    return test->kind != WCTS_KIND_SWEEP &&
           !(test->scenario && (test->scenario->kinds || rule->form == WCTS_FORM_EFFECT_PAGES));
}

/* True if two tests of the same cases make the same calls. */
static bool same_test(const struct wcts_case *a, const struct wcts_case *b)
{
    return a->kind == b->kind && a->version == b->version && a->page_size == b->page_size &&
           a->base == b->base && a->driver == b->driver && a->instance == b->instance &&
           a->scenario == b->scenario && a->needs == b->needs && a->alone == b->alone &&
           memcmp(a->values, b->values, sizeof a->values) == 0 &&
           wcts_model_same_facts(a->facts, a->fact_count, b->facts, b->fact_count) &&
           wcts_model_same_facts(a->twin, a->twin_count, b->twin, b->twin_count);
}

/* ---- the suite as it is ---- */

static int by_id(const void *a, const void *b)
{
    return strcmp((*(const struct wcts_case *const *)a)->id,
                  (*(const struct wcts_case *const *)b)->id);
}

/* The test of this id in the suite as it is; NULL: there is none. */
static const struct wcts_case *find_as_it_is(const struct near_group *group,
                                             const struct wcts_case *test)
{
    const struct wcts_case *const *found;
    if (test->index < group->suite.plan->count &&
        strcmp(group->cases[test->index].id, test->id) == 0)
        return &group->cases[test->index];
    found = bsearch(&test, group->sorted, (size_t)group->suite.plan->count, sizeof *group->sorted,
                    by_id);
    return found ? *found : NULL;
}

/* True if both are of one performance of a scenario. */
static bool is_alike(const struct wcts_case *a, const struct wcts_case *b)
{
    return a->scenario && a->scenario == b->scenario && a->version == b->version &&
           a->page_size == b->page_size && a->driver == b->driver &&
           memcmp(a->values, b->values, sizeof a->values) == 0;
}

/* What was said in a test; NULL: it is not kept. */
static struct wcts_exchange_recording *recording_of(struct near_host *host, int index)
{
    struct near_result *result = &host->results[index];
    if (result->performed > 0)
        result = &host->results[result->performed - 1];
    return result->recording.count > 0 ? &result->recording : NULL;
}

/* Judges a test by the performance of the one before it; false if that is another one. */
static bool take_up(const struct near_group *group, struct near_host *host, int index)
{
    const struct wcts_case *test = &group->cases[index], *before = test - 1;
    struct near_result *made = &host->results[index];
    struct wcts_exchange_recording *recording;
    if (index == 0 || !is_alike(test, before) || !is_kept(group, before) || !is_kept(group, test) ||
        !host->results[index - 1].made)
        return false;
    recording = recording_of(host, index - 1);
    if (!recording || !near_judge(group->suite.plan, host->sessions[test->driver], test, recording,
                                  &made->verdict))
        return false;
    /* What is no success is run, as rules that it rests on are looked at then. */
    if (made->verdict != WCTS_VERDICT_PASS)
        return false;
    made->made = made->quiet = true;
    made->performed = host->results[index - 1].performed;
    if (made->performed == 0)
        made->performed = index;
    return true;
}

static void make_result(const struct near_group *group, struct near_host *host, int index)
{
    const struct wcts_plan *plan = group->suite.plan;
    const struct wcts_case *test = &group->cases[index];
    if (!host->sessions[test->driver])
        host->sessions[test->driver] = near_open_session(plan, host->options, test->driver);
    if (host->sessions[test->driver] && !take_up(group, host, index))
        near_run(host->sessions[test->driver], test, is_kept(group, test), &host->results[index]);
}

/* The result of a test in the suite as it is, which is run when it is asked for first. */
static const struct near_result *result_of(const struct near_trial *trial, struct near_host *host,
                                           int index)
{
    const size_t count = (size_t)trial->group->suite.plan->count + 1;
    if (!host->results && !(host->results = calloc(count, sizeof *host->results)))
        abort();
    if (!host->results[index].made) {
        struct wcts_rule changed = near_change_back(trial);
        make_result(trial->group, host, index);
        near_change_again(trial, &changed);
    }
    return &host->results[index];
}

static void release_host(const struct near_group *group, struct near_host *host)
{
    for (int i = 0; host->results && i < group->suite.plan->count; i++)
        wcts_exchange_recording_release(&host->results[i].recording);
    free(host->results);
    for (int i = 0; i < 2; i++)
        wcts_machine_session_close(host->sessions[i]);
    near_scenarios_release(host->scenarios);
}

bool near_group_init(struct near_group *group)
{
    static const char *const modes[NEAR_MODES] = {"strict", ""};
    const int count = group->suite.plan->count;
    group->cases = wcts_plan_cases(group->suite.plan);
    group->sorted = calloc((size_t)count + 1, sizeof *group->sorted);
    group->rivals = calloc((size_t)rivals.count + 1, sizeof *group->rivals);
    if (!group->cases || !group->sorted || !group->rivals)
        return false;
    for (int i = 0; i < count; i++)
        group->sorted[i] = &group->cases[i];
    qsort(group->sorted, (size_t)count, sizeof *group->sorted, by_id);
    for (int i = 0; i < NEAR_MODES; i++) {
        group->modes[i].conforms = true;
        snprintf(group->modes[i].options, sizeof group->modes[i].options, "%s", modes[i]);
    }
    return true;
}

void near_group_release(struct near_group *group)
{
    for (int i = 0; i < NEAR_MODES; i++)
        release_host(group, &group->modes[i]);
    for (int i = 0; group->rivals && i < rivals.count; i++)
        release_host(group, &group->rivals[i]);
    near_elsewhere_release(group->elsewhere);
    free(group->rivals);
    free(group->sorted);
    free(group->cases);
}

struct near_host *near_rival(struct near_group *group, int rival)
{
    struct near_host *host = &group->rivals[rival];
    const char *options = strchr(rivals.of[rival].implementation, ',');
    snprintf(host->options, sizeof host->options, "%s", options ? options + 1 : "");
    return host;
}

/* ---- a mutant's suite ---- */

/* The verdict by what was said in the same test before; false: that is not known. */
static bool judge_again(const struct near_trial *trial, struct near_host *host,
                        const struct wcts_case *test, const struct wcts_case *as_it_is,
                        enum wcts_verdict *verdict)
{
    struct wcts_exchange_recording *said =
        as_it_is && host->results ? recording_of(host, as_it_is->index) : NULL;
    return trial->effect >= 0 && said && same_test(test, as_it_is) && is_kept(trial->group, test) &&
           near_judge(trial->suite->plan, host->sessions[test->driver], test, said, verdict);
}

/* True if the test fares otherwise in the mutant's suite. */
static bool fares_otherwise(const struct near_trial *trial, struct near_host *host,
                            struct wcts_machine_session *sessions[2], const struct wcts_case *test)
{
    const struct wcts_case *as_it_is = find_as_it_is(trial->group, test);
    const struct near_result none = {.quiet = true, .verdict = WCTS_VERDICT_PASS};
    const struct near_result *before = as_it_is ? result_of(trial, host, as_it_is->index) : &none;
    struct near_result after = {0};
    enum wcts_verdict verdict;
    if (judge_again(trial, host, test, as_it_is, &verdict) && verdict == before->verdict)
        return false;
    if (!sessions[test->driver])
        sessions[test->driver] = near_open_session(trial->suite->plan, host->options, test->driver);
    if (!sessions[test->driver])
        return false;
    near_run(sessions[test->driver], test, false, &after);
    if (host->conforms)
        return after.red && !before->red;
    return before->made ? after.verdict != before->verdict : !after.quiet;
}

struct wcts_rule near_change_back(const struct near_trial *trial)
{
    struct wcts_rule changed = {0};
    if (trial->effect >= 0) {
        changed = trial->suite->spec->rules[trial->effect];
        trial->suite->spec->rules[trial->effect] = *trial->was;
    }
    return changed;
}

void near_change_again(const struct near_trial *trial, const struct wcts_rule *changed)
{
    if (trial->effect >= 0)
        trial->suite->spec->rules[trial->effect] = *changed;
}

/* True if a test that is not well is gone. */
static bool lacks(const struct near_trial *trial, struct near_host *host, const bool *found,
                  char *id, size_t room)
{
    for (int i = 0; i < trial->group->suite.plan->count; i++)
        if (!found[i] && is_own(trial->group, &trial->group->cases[i]) &&
            !result_of(trial, host, i)->quiet) {
            snprintf(id, room, "%s", trial->group->cases[i].id);
            return true;
        }
    return false;
}

bool near_shows(const struct near_trial *trial, struct near_host *host, char *id, size_t room)
{
    const struct wcts_plan *plan = trial->suite->plan;
    struct wcts_machine_session *sessions[2] = {NULL, NULL};
    bool *found = calloc((size_t)trial->group->suite.plan->count + 1, sizeof *found);
    bool shown = false;
    if (!found)
        abort();
    /* What takes longest comes last. */
    for (int sweeps = 0; sweeps < 2; sweeps++)
        for (int i = 0; i < plan->count && !shown; i++) {
            struct wcts_case test;
            const struct wcts_case *as_it_is;
            wcts_plan_case(plan, i, &test);
            if ((test.kind == WCTS_KIND_SWEEP) != sweeps || !is_own(trial->group, &test))
                continue;
            as_it_is = find_as_it_is(trial->group, &test);
            if (as_it_is)
                found[as_it_is->index] = true;
            shown = fares_otherwise(trial, host, sessions, &test);
            if (shown)
                snprintf(id, room, "%s", test.id);
        }
    shown = shown || (!host->conforms && lacks(trial, host, found, id, room));
    for (int i = 0; i < 2; i++)
        wcts_machine_session_close(sessions[i]);
    free(found);
    return shown;
}
