/* SPDX-License-Identifier: MIT */
#include "shard.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "durations.h"

/* The most parts, and the largest number of a variable. */
#define SHARDS_MAX 1000000
#define VARIABLE_MAX UINT32_MAX

/*
 * How an engine says which part a job is: a variable with its index, counted from a base, and one
 * with the total. Of an array of Slurm, "--array=5-9:2", the indices are 5, 7 and 9: the base is a
 * variable, and so is the step. alone: a variable that is set in a job that is not divided.
 */
struct cli_engine {
    const char *name, *index, *total; /* total NULL: the engine has none */
    const char *alone;                /* NULL: none */
    uint64_t base;
    const char *min, *max, *step; /* NULL: none */
};

static const struct cli_engine engines[] = {
    {"Bazel", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", "BAZEL_TEST", 0, NULL, NULL, NULL},
    {"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", NULL, 0, "SLURM_ARRAY_TASK_MIN",
     "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"},
    {"GNU parallel", "PARALLEL_SEQ", NULL, NULL, 1, NULL, NULL, NULL},
    {"Kubernetes", "JOB_COMPLETION_INDEX", NULL, NULL, 0, NULL, NULL, NULL},
    {"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", "GITLAB_CI", 1, NULL, NULL, NULL},
    {"Azure Pipelines", "SYSTEM_JOBPOSITIONINPHASE", "SYSTEM_TOTALJOBSINPHASE", "TF_BUILD", 1, NULL,
     NULL, NULL},
    {"Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", "BUILDKITE", 0, NULL,
     NULL, NULL},
    {"CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", "CIRCLECI", 0, NULL, NULL, NULL},
};
#define ENGINE_COUNT (sizeof engines / sizeof engines[0])

/* A part, and the variables that it is known from. */
struct cli_part {
    uint64_t index, total; /* index from 0 */
    struct wcts_text from; /* "TEST_SHARD_INDEX=1 TEST_TOTAL_SHARDS=4"; owned */
};

static bool refuse_variable(const char *variable, const char *expected)
{
    const char *value = getenv(variable);
    fprintf(stderr, "wddm-cts: --shard: %s%s%s, expected %s\n", variable,
            value ? "=" : " is not set", value ? value : "", expected);
    return false;
}

/* ---- variables ---- */

static bool is_set(const char *variable)
{
    const char *value = variable ? getenv(variable) : NULL;
    return value && value[0] != '\0';
}

/* Reads the variable, and notes it. */
static bool read_variable(struct cli_part *part, const char *variable, uint64_t *number)
{
    const char *value = getenv(variable);
    char *end = NULL;
    if (!value || value[0] < '0' || value[0] > '9')
        return refuse_variable(variable, "a number");
    errno = 0;
    *number = strtoull(value, &end, 10);
    if (errno != 0 || *end != '\0' || *number > VARIABLE_MAX)
        return refuse_variable(variable, "a number");
    wcts_text_add(&part->from, "%s%s=%s", part->from.length ? " " : "", variable, value);
    return true;
}

/* The index, counted from 0: the distance of the variable from its base. */
static bool read_index(struct cli_part *part, const char *variable, uint64_t base)
{
    char expected[80];
    if (!read_variable(part, variable, &part->index))
        return false;
    snprintf(expected, sizeof expected, "%" PRIu64 " or more", base);
    if (part->index < base)
        return refuse_variable(variable, expected);
    part->index -= base;
    return true;
}

/* An array may have any first index and step, but no gaps. */
static bool read_array(struct cli_part *part, const struct cli_engine *engine)
{
    uint64_t least = 0, most = 0, step = 1;
    char expected[160];
    if (!read_variable(part, engine->min, &least) || !read_variable(part, engine->max, &most) ||
        (is_set(engine->step) && !read_variable(part, engine->step, &step)))
        return false;
    if (step == 0)
        return refuse_variable(engine->step, "1 or more");
    if (most < least)
        return refuse_variable(engine->max, "the last index of the array");
    snprintf(expected, sizeof expected,
             "%" PRIu64 ", those from %" PRIu64 " to %" PRIu64 " in steps of %" PRIu64
             ": an array without gaps",
             (most - least) / step + 1, least, most, step);
    if ((most - least) / step + 1 != part->total)
        return refuse_variable(engine->total, expected);
    if (!read_index(part, engine->index, least))
        return false;
    snprintf(expected, sizeof expected,
             "one of those from %" PRIu64 " to %" PRIu64 " in steps of %" PRIu64, least, most,
             step);
    if (part->index % step != 0 || part->index / step >= part->total)
        return refuse_variable(engine->index, expected);
    part->index /= step;
    return true;
}

/* asked: the total of the command line, 0: none. */
static bool read_engine(struct cli_part *part, const struct cli_engine *engine, uint64_t asked)
{
    char expected[120];
    part->total = asked;
    if (!is_set(engine->index) && asked > 1)
        return refuse_variable(engine->index, "a number, as --shard auto/N was given");
    if (!is_set(engine->index)) { /* alone, unless there are other parts */
        const char *total = is_set(engine->total) ? getenv(engine->total) : NULL;
        if (total && strcmp(total, "1") != 0) {
            snprintf(expected, sizeof expected, "a number, as %s is %s", engine->total, total);
            return refuse_variable(engine->index, expected);
        }
        part->total = 1;
        wcts_text_add(&part->from, "%s is not set", engine->index);
        return true;
    }
    if (!engine->total && asked == 0) {
        snprintf(expected, sizeof expected,
                 "--shard auto/N: %s has no variable for the number of parts", engine->name);
        return refuse_variable(engine->index, expected);
    }
    if (engine->total && !read_variable(part, engine->total, &part->total))
        return false;
    if (part->total == 0 || part->total > SHARDS_MAX)
        return refuse_variable(engine->total, "a number from 1 to 1000000");
    snprintf(expected, sizeof expected, "%" PRIu64 " as in --shard auto/%" PRIu64, asked, asked);
    if (asked != 0 && part->total != asked)
        return refuse_variable(engine->total, expected);
    if (engine->min ? !read_array(part, engine) : !read_index(part, engine->index, engine->base))
        return false;
    snprintf(expected, sizeof expected, "one of %" PRIu64 " from %" PRIu64, part->total,
             engine->base);
    return part->index < part->total || refuse_variable(engine->index, expected);
}

/* ---- --shard auto ---- */

/* True if the engine started this job: divided or, with only_alone, undivided. */
static bool is_engine_there(const struct cli_engine *engine, bool only_alone)
{
    return only_alone ? !is_set(engine->index) && is_set(engine->alone) : is_set(engine->index);
}

static bool no_engine(void)
{
    fputs("wddm-cts: --shard auto: no engine has said which part this is, expected one of the "
          "variables",
          stderr);
    for (size_t i = 0; i < ENGINE_COUNT; i++)
        fprintf(stderr, "%s %s (%s)", i ? "," : "", engines[i].index, engines[i].name);
    fputs("; or --shard K/N\n", stderr);
    return false;
}

static void take_part(struct wcts_cli_settings *settings, const char *name,
                      const struct cli_part *part)
{
    settings->options.shard = (int)part->index + 1;
    settings->options.shards = (int)part->total;
    fprintf(stderr, "wddm-cts: shard %d of %d: %s%s%s\n", settings->options.shard,
            settings->options.shards, name, name[0] ? ": " : "", wcts_text_get(&part->from));
}

/* All engines that are there have to say the same. */
static bool resolve_auto(struct wcts_cli_settings *settings)
{
    struct cli_part first = {0};
    const struct cli_engine *found = NULL;
    bool right = true;
    for (int alone = 0; alone < 2 && !found; alone++)
        for (size_t i = 0; right && i < ENGINE_COUNT; i++) {
            struct cli_part part = {0};
            if (!is_engine_there(&engines[i], alone))
                continue;
            right = read_engine(&part, &engines[i], (uint64_t)settings->shard_total);
            if (right && found && (part.index != first.index || part.total != first.total)) {
                fprintf(stderr,
                        "wddm-cts: --shard auto: %s (%s) is part %" PRIu64 " of %" PRIu64
                        ", and %s (%s) is part %" PRIu64 " of %" PRIu64
                        ", expected one of them, or "
                        "--shard K/N\n",
                        wcts_text_get(&first.from), found->name, first.index + 1, first.total,
                        wcts_text_get(&part.from), engines[i].name, part.index + 1, part.total);
                right = false;
            }
            if (right && !found) {
                found = &engines[i];
                first = part;
            } else {
                wcts_text_release(&part.from);
            }
        }
    if (right && found)
        take_part(settings, found->name, &first);
    wcts_text_release(&first.from);
    return right && (found || no_engine());
}

/* ---- --shard-env ---- */

/* NAME[:BASE]/TOTAL, as options.c has checked it. */
static bool resolve_variable(struct wcts_cli_settings *settings)
{
    char expected[120], *name = strdup(settings->shard_env);
    char *slash = name ? strchr(name, '/') : NULL, *colon = slash ? strchr(name, ':') : NULL;
    struct cli_part part = {0};
    uint64_t base = 0;
    bool right = slash != NULL;
    if (slash)
        *slash++ = '\0';
    if (colon) {
        *colon++ = '\0';
        base = strtoull(colon, NULL, 10);
    }
    if (right && slash[0] >= '0' && slash[0] <= '9')
        part.total = strtoull(slash, NULL, 10);
    else if (right)
        right = read_variable(&part, slash, &part.total);
    if (right && (part.total == 0 || part.total > SHARDS_MAX))
        right = refuse_variable(slash, "a number from 1 to 1000000");
    right = right && read_index(&part, name, base);
    if (right && part.index >= part.total) {
        snprintf(expected, sizeof expected, "one of %" PRIu64 " from %" PRIu64, part.total, base);
        right = refuse_variable(name, expected);
    }
    if (right)
        take_part(settings, "", &part);
    wcts_text_release(&part.from);
    free(name);
    return right;
}

bool wcts_cli_shard_resolve(struct wcts_cli_settings *settings)
{
    if (settings->shard_env && settings->shard_given) {
        fputs("wddm-cts: found --shard-env and --shard, expected one of them\n", stderr);
        return false;
    }
    if (settings->shard_env)
        return resolve_variable(settings);
    return !settings->shard_auto || resolve_auto(settings);
}

/* ---- the cases of a part ---- */

int wcts_cli_shard_select(const struct wcts_cli_settings *settings, const struct wcts_plan *plan,
                          int *selected, int count)
{
    const struct wcts_options *options = &settings->options;
    int kept = 0;
    if (options->durations)
        kept = wcts_cli_durations_select(options, plan, selected, count);
    else
        for (int i = options->shard - 1; i < count; i += options->shards)
            selected[kept++] = selected[i];
    if (count > 0 && kept == 0)
        fprintf(stderr, "wddm-cts: no case is selected: shard %d of %d has none of %d\n",
                options->shard, options->shards, count);
    return kept;
}
