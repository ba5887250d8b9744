/* SPDX-License-Identifier: MIT */
/* wddm-cts replay: one case alone, in the foreground. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../reports/report.h"
#include "../base/address.h"
#include "../judge/judge.h"
#include "../plan/claimed.h"
#include "../run/case.h"
#include "../run/worker.h"
#include "selection.h"

/* What the suite accuses the call of is of interest where it was accepted. */
static void print_accusation(const struct wcts_plan *plan, const struct wcts_case *test,
                             const struct wcts_result *result)
{
    char *wrong = result->verdict == WCTS_VERDICT_FAIL ? wcts_judge_wrong_text(plan, test) : NULL;
    if (wrong && wrong[0])
        printf("  what is wrong in the call:\n");
    wcts_report_lines_print(stdout, "    ", "    ", wrong);
}

/* The rule that is broken, where the case was made for another one. */
static void print_other_rule(const struct wcts_spec *spec, const struct wcts_result *result)
{
    const struct wcts_rule *rule;
    if (result->broken <= 0 || result->broken > spec->rules_count)
        return;
    rule = &spec->rules[result->broken - 1];
    printf("  broken: %s, %s:%ld\n", rule->id, rule->place.file, rule->place.line);
    wcts_report_lines_print(stdout, "    ", "    ",
                            strdup(spec->statements[rule->statement].text
                                       ? spec->statements[rule->statement].text
                                       : ""));
}

/* With -v the messages were printed as they came; those of a shrunk sequence are others. */
static void print_detail(const struct wcts_case *test, const struct wcts_result *result,
                         bool verbose)
{
    const char *detail = result->detail ? wcts_model_detail_messages(result->detail) : "";
    const char *shrunk = wcts_model_detail_shrunk(detail);
    if (verbose && test->kind != WCTS_KIND_SEQUENCE &&
        strncmp(detail, WCTS_MESSAGES, strlen(WCTS_MESSAGES)) == 0)
        detail = shrunk ? shrunk - strlen(WCTS_SHRUNK) : "";
    fputs(detail, stdout);
}

static void print_result(const struct wcts_plan *plan, const struct wcts_case *test,
                         const struct wcts_result *result, bool verbose)
{
    bool reason = result->reason && result->reason[0] != '\0';
    printf("\n%s%s%s\n", wcts_model_verdict_name(result->verdict), reason ? ": " : "",
           reason ? result->reason : "");
    print_other_rule(plan->spec, result);
    print_accusation(plan, test, result);
    print_detail(test, result, verbose);
}

static int exit_code(enum wcts_verdict verdict)
{
    if (!wcts_store_verdict_judges(verdict))
        return WCTS_EXIT_NOTHING;
    return wcts_store_verdict_breaks(verdict) ? WCTS_EXIT_FAIL : WCTS_EXIT_OK;
}

static int complain_not_loaded(const struct wcts_cli_settings *settings, const char *error)
{
    wcts_cli_implementation_complain(&settings->options.implementation, error);
    return WCTS_EXIT_USAGE;
}

/* Only once the plug-in has the side of the case: else there is nothing but the error. */
static void describe_case(const struct wcts_cli_suite *suite, const struct wcts_case *test)
{
    wcts_judge_case_describe(stdout, suite->plan, test);
    fflush(stdout);
}

/* ---- repetitions, and cases before ---- */

/* The cases to run: those of --after, then the case as often as it is to be. */
struct cli_replay {
    int *selected;
    int count, after;
};

/* How one of them is reported: what runs before, and repetitions but the last, in one line. */
struct cli_replaying {
    const struct wcts_plan *plan;
    const struct cli_replay *replay;
    bool verbose;
    int taken;
    int status;
};

static int worse_exit(int a, int b)
{
    return a == WCTS_EXIT_FAIL || b == WCTS_EXIT_FAIL ? WCTS_EXIT_FAIL : a > b ? a : b;
}

static void take_one(struct cli_replaying *replaying, const struct wcts_case *test,
                     const struct wcts_result *result)
{
    int repetition = ++replaying->taken - replaying->replay->after;
    const char *reason = result->reason ? result->reason : "";
    int status = exit_code(result->verdict);
    if (repetition < 1)
        printf("before: %s: %s%s%s\n", test->id, wcts_model_verdict_name(result->verdict),
               reason[0] ? ": " : "", reason);
    else
        replaying->status = repetition == 1 ? status : worse_exit(replaying->status, status);
    if (repetition >= 1 && replaying->taken < replaying->replay->count)
        printf("run %d: %s%s%s\n", repetition, wcts_model_verdict_name(result->verdict),
               reason[0] ? ": " : "", reason);
    else if (repetition >= 1)
        print_result(replaying->plan, test, result, replaying->verbose);
}

/* ---- in a worker ---- */

static bool take_replayed(void *ctx, const struct wcts_case *test, struct wcts_result *result,
                          const char *output)
{
    (void)output;
    take_one(ctx, test, result);
    return true;
}

static uint32_t sides_of(const struct wcts_plan *plan, const struct cli_replay *replay)
{
    uint32_t sides = 0;
    for (int i = 0; i < replay->count; i++)
        sides |=
            WCTS_PLAN_CASE(plan, replay->selected[i])->driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL;
    return sides;
}

static int replay_forked(struct wcts_cli_suite *suite, const struct cli_replay *replay)
{
    const struct wcts_cli_settings *settings = suite->settings;
    struct wcts_options asked = settings->options;
    const struct wcts_run_pool_options options = {.asked = &asked,
                                                  .plan = suite->plan,
                                                  .selected = replay->selected,
                                                  .selected_count = replay->count,
                                                  .levels =
                                                      wcts_model_level_bit(settings->options.level),
                                                  .foreground = true,
                                                  .trace = settings->verbose};
    struct wcts_claims claims = {0};
    char error[512] = "";
    struct cli_replaying replaying = {.plan = suite->plan,
                                      .replay = replay,
                                      .verbose = settings->verbose,
                                      .status = WCTS_EXIT_NOTHING};
    asked.workers = 1;
    asked.repeat = 0;
    asked.all_deaths = true;

    enum wcts_run_pool_end end =
        wcts_run_pool_probe(&options, sides_of(suite->plan, replay), &claims, error, sizeof error);
    if (end == WCTS_POOL_DONE)
        end = wcts_cli_suite_ask_other_side(suite, &options, &claims, error, sizeof error);
    if (end == WCTS_POOL_DONE) {
        if (!wcts_cli_suite_name_profile(suite, &claims))
            return WCTS_EXIT_USAGE;
        asked.profile = settings->options.profile;
        describe_case(suite, WCTS_PLAN_CASE(suite->plan, replay->selected[replay->count - 1]));
        end = wcts_run_pool_run_again(&options, &claims, take_replayed, &replaying, error,
                                      sizeof error);
    }
    switch (end) {
    case WCTS_POOL_DONE:
        return replaying.status;
    case WCTS_POOL_STOPPED:
        fprintf(stderr, "wddm-cts: stopped%s%s\n", error[0] ? ": " : "", error);
        return WCTS_EXIT_NOTHING;
    case WCTS_POOL_CUT:
    case WCTS_POOL_NO_START:
        break;
    }
    return complain_not_loaded(settings, error);
}

/* ---- in this process ---- */

/* Opens a session for each side that has a case. False, with an error. */
static bool open_replay_sessions(const struct wcts_cli_suite *suite, uint32_t sides,
                                 struct wcts_machine_session *sessions[2], struct wcts_claims *all,
                                 char *error, size_t room)
{
    static const uint32_t bits[2] = {WCTS_SIDE_KERNEL, WCTS_SIDE_DRIVER};
    const struct wcts_cli_settings *settings = suite->settings;
    bool good = true;
    for (int which = 0; good && which < 2; which++) {
        const struct wcts_machine_session_options options = {
            .driver = which == 1,
            .levels = wcts_model_level_bit(settings->options.level),
            .upgrade = settings->options.upgrade,
            .trace = settings->verbose ? stdout : NULL};
        struct wcts_claims claims = {0};
        if (!(sides & bits[which]))
            continue;
        sessions[which] = wcts_machine_session_open(suite->plan, &settings->options.implementation,
                                                    &options, &claims, error, room);
        good = sessions[which] && wcts_run_claims_agree(all, &claims, error, room);
        if (good)
            wcts_run_claims_merge(all, &claims, bits[which]);
    }
    return good;
}

/* The same, with the profile that the implementation names, whichever of its sides does. False,
 * with an error or, if it is "", after a message. */
static bool open_here(struct wcts_cli_suite *suite, uint32_t sides,
                      struct wcts_machine_session *sessions[2], char *error, size_t room)
{
    const struct wcts_run_pool_options options = {.asked = &suite->settings->options,
                                                  .plan = suite->plan};
    struct wcts_claims all = {0};
    if (!open_replay_sessions(suite, sides, sessions, &all, error, room))
        return false;
    if (wcts_cli_suite_ask_other_side(suite, &options, &all, error, room) != WCTS_POOL_DONE)
        return false;
    error[0] = '\0';
    if (!wcts_cli_suite_name_profile(suite, &all))
        return false;
    for (int which = 0; which < 2; which++)
        if (sessions[which])
            sessions[which]->options.profile = suite->settings->options.profile;
    return true;
}

/* False, with a message, if it is in a process of its own or elsewhere. */
static bool can_be_here(const struct wcts_cli_settings *settings)
{
    if (!wcts_address_is_remote(settings->options.implementation.path))
        return true;
    fprintf(stderr,
            "wddm-cts: --impl %s: a debugger sees it where it runs, expected replay "
            "without --no-fork and --gdb\n",
            settings->options.implementation.path);
    return false;
}

static int replay_here(struct wcts_cli_suite *suite, const struct cli_replay *replay)
{
    const struct wcts_cli_settings *settings = suite->settings;
    struct wcts_machine_session *sessions[2] = {NULL, NULL}; /* of kernel and driver */
    struct cli_replaying replaying = {.plan = suite->plan,
                                      .replay = replay,
                                      .verbose = settings->verbose,
                                      .status = WCTS_EXIT_NOTHING};
    char error[512] = "";

    bool opened = open_here(suite, sides_of(suite->plan, replay), sessions, error, sizeof error);
    if (opened)
        describe_case(suite, WCTS_PLAN_CASE(suite->plan, replay->selected[replay->count - 1]));
    for (int i = 0; opened && i < replay->count; i++) {
        struct wcts_case made;
        const struct wcts_case *test = wcts_plan_case(suite->plan, replay->selected[i], &made);
        struct wcts_result result = {0};
        wcts_run_case(sessions[test->driver], test, &result);
        wcts_judge_result_read(suite->plan, test, &settings->options, &result);
        take_one(&replaying, test, &result);
        wcts_model_result_release(&result);
    }
    for (int i = 0; i < 2; i++)
        if (sessions[i])
            wcts_machine_session_close(sessions[i]);
    if (!opened && error[0] == '\0')
        return WCTS_EXIT_USAGE;
    return opened ? replaying.status : complain_not_loaded(settings, error);
}

/* ---- under gdb ---- */

/* Runs this command line again under gdb, with --no-fork in the place of --gdb. Returns only when
 * gdb cannot be started. */
static int replay_in_gdb(const struct wcts_cli_settings *settings)
{
    size_t count = 0;
    char **words = calloc((size_t)settings->argument_total + 4, sizeof *words);
    if (!words)
        return WCTS_EXIT_BROKEN;
    words[count++] = (char *)"gdb";
    words[count++] = (char *)"--args";
    words[count++] = realpath("/proc/self/exe", NULL);
    for (int i = 1; i < settings->argument_total; i++)
        words[count++] = strcmp(settings->all_arguments[i], "--gdb") == 0
                             ? (char *)"--no-fork"
                             : settings->all_arguments[i];
    fflush(NULL);
    execvp("gdb", words);
    fprintf(stderr, "wddm-cts: gdb: %s\n", strerror(errno));
    free(words[2]);
    free(words);
    return WCTS_EXIT_BROKEN;
}

/* The case with the id; -1 with a message. */
static int find_case(struct wcts_cli_suite *suite, const char *id)
{
    int index = wcts_plan_find_anywhere(suite->plan, id);
    if (index < 0 && wcts_model_spec_statement(suite->spec, id) >= 0)
        fprintf(stderr,
                "wddm-cts: %s is a statement, expected a case: wddm-cts explain %s lists them\n",
                id, id);
    else if (index < 0)
        wcts_cli_unknown_id(suite, id);
    return index;
}

static int replay(struct wcts_cli_suite *suite, const char *id)
{
    const struct wcts_cli_settings *settings = suite->settings;
    int times = settings->options.repeat > 0 ? settings->options.repeat : 1;
    struct cli_replay cases = {.after = settings->after.count};
    int index = find_case(suite, id), status = WCTS_EXIT_USAGE;
    bool right = index >= 0;
    cases.count = cases.after + times;
    cases.selected = calloc((size_t)cases.count, sizeof *cases.selected);
    if (!cases.selected)
        return WCTS_EXIT_BROKEN;
    for (int i = 0; right && i < cases.count; i++) {
        cases.selected[i] = i < cases.after ? find_case(suite, settings->after.of[i]) : index;
        right = cases.selected[i] >= 0;
    }
    if (right)
        status = settings->no_fork ? replay_here(suite, &cases) : replay_forked(suite, &cases);
    free(cases.selected);
    return status;
}

int wcts_command_replay(const struct wcts_cli_settings *settings)
{
    struct wcts_cli_suite suite = {0};
    int status = WCTS_EXIT_USAGE;

    if (settings->argument_count != 1)
        wcts_cli_settings_usage(stderr, WCTS_COMMAND_replay);
    else if ((settings->gdb || settings->no_fork) && !can_be_here(settings))
        return WCTS_EXIT_USAGE;
    else if (settings->gdb)
        return replay_in_gdb(settings);
    else if (wcts_cli_suite_init(&suite, settings))
        status = replay(&suite, settings->arguments[0]);
    wcts_cli_suite_release(&suite);
    return status;
}
