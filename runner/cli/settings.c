/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/address.h"
#include "../base/text.h"
#include "../generate/array.h"
#include "../judge/partial.h"
#include "../model/names.h"
#include "invocation.h"

#define ON(suffix) (1u << WCTS_COMMAND_##suffix)
#define ON_PLAN                                                                                    \
    (ON(run) | ON(list) | ON(explain) | ON(replay) | ON(lint) | ON(generate) | ON(probe) |         \
     ON(faults) | ON(coverage) | ON(report) | ON(verify) | ON(check))
#define ON_RUN (ON(run) | ON(replay))

static const struct {
    const char *name, *arguments, *needed;
    int least, most; /* arguments */
    const char *help;
} commands[] = {
#define COMMAND_ENTRY(name, suffix, ...) {name, __VA_ARGS__},
    WCTS_COMMANDS(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

/* ---- values by name ---- */

struct cli_word {
    const char *name;
    int value;
};

static const struct cli_word roles[] = {{"kernel", WCTS_SIDE_KERNEL},
                                        {"driver", WCTS_SIDE_DRIVER},
                                        {"both", WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER},
                                        {NULL, 0}};
static const struct cli_word judged_sides[] = {{"caller", 1 << WCTS_JUDGE_CALLER},
                                               {"kernel", 1 << WCTS_JUDGE_KERNEL},
                                               {"driver", 1 << WCTS_JUDGE_DRIVER},
                                               {NULL, 0}};
static const struct cli_word colours[] = {{"auto", WCTS_COLOURS_AUTO},
                                          {"always", WCTS_COLOURS_ALWAYS},
                                          {"never", WCTS_COLOURS_NEVER},
                                          {NULL, 0}};

static bool find_word(const struct cli_word *words, const char *name, int *value)
{
    for (; words->name; words++)
        if (strcmp(words->name, name) == 0) {
            *value = words->value;
            return true;
        }
    return false;
}

static bool parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *number = strtoull(text, &end, 0);
    return errno == 0 && *end == '\0' && *number >= low && *number <= high;
}

/* ---- options: each returns NULL, or what it expected ---- */

typedef const char *apply_fn(struct wcts_cli_settings *settings, char *value);

static const char *apply_impl(struct wcts_cli_settings *settings, char *value)
{
    size_t length = wcts_address_length(value);
    settings->given_implementation = true;
    settings->options.implementation.path = value;
    settings->options.implementation.options = value[length] ? value + length + 1 : "";
    value[length] = '\0';
    return value[0] != '\0' ? NULL : "FILE[,key=value...]";
}

static const char *apply_role(struct wcts_cli_settings *settings, char *value)
{
    int sides = 0;
    bool found = find_word(roles, value, &sides);
    settings->options.sides = (uint32_t)sides;
    return found ? NULL : "kernel, driver or both";
}

static const char *apply_side(struct wcts_cli_settings *settings, char *value)
{
    int side = 0;
    bool found = find_word(judged_sides, value, &side);
    settings->judged_sides |= (unsigned)side;
    return found ? NULL : "caller, kernel or driver";
}

static const char *apply_wddm(struct wcts_cli_settings *settings, char *value)
{
    char *dots = strstr(value, "..");
    settings->options.first_version = settings->options.last_version = value;
    if (dots) {
        *dots = '\0';
        settings->options.last_version = dots + 2;
    }
    return NULL;
}

static const char *apply_suite(struct wcts_cli_settings *settings, char *value)
{
    return wcts_model_suite_find(value, &settings->options.suite) ? NULL
                                                                  : "smoke, standard or full";
}

static const char *apply_level(struct wcts_cli_settings *settings, char *value)
{
    settings->level_given = true;
    return wcts_model_level_find(value, &settings->options.level) ? NULL
                                                                  : "binding, documented or strict";
}

static const char *apply_color(struct wcts_cli_settings *settings, char *value)
{
    int when = 0;
    bool found = find_word(colours, value, &when);
    settings->options.colours = (enum wcts_colours)when;
    return found ? NULL : "auto, always or never";
}

static const char *apply_seed(struct wcts_cli_settings *settings, char *value)
{
    return parse_number(value, 0, UINT64_MAX, &settings->options.seed) ? NULL : "a number";
}

static const char *apply_workers(struct wcts_cli_settings *settings, char *value)
{
    uint64_t number = 0;
    bool right = parse_number(value, 1, 256, &number);
    settings->options.workers = (int)number;
    return right ? NULL : "a number from 1 to 256";
}

static const char *apply_max_failures(struct wcts_cli_settings *settings, char *value)
{
    uint64_t number = 0;
    if (!parse_number(value, 1, 1000000, &number))
        return "a number from 1 to 1000000";
    settings->options.max_failures = (int)number;
    return NULL;
}

static const char *apply_max_cases(struct wcts_cli_settings *settings, char *value)
{
    uint64_t number = 0;
    if (!parse_number(value, 1, 100000000, &number))
        return "a number from 1 to 100000000";
    settings->options.max_cases = (int)number;
    return NULL;
}

static const char *apply_budget(struct wcts_cli_settings *settings, char *value)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}};
    char *end;
    double number = strtod(value, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (end != value && strcmp(end, units[i].name) == 0)
            settings->options.budget = number * units[i].seconds;
    return settings->options.budget > 0 && settings->options.budget <= 604800
               ? NULL
               : "TIME[s|m|h], more than 0 and at most a week";
}

static const char *apply_memory_limit(struct wcts_cli_settings *settings, char *value)
{
    static const char expected[] = "SIZE[K|M|G], from 1M to 1024G";
    static const char units[] = "KMG";
    size_t length = strlen(value);
    const char *unit = length > 0 ? strchr(units, value[length - 1]) : NULL;
    uint64_t number = 0, factor = unit ? UINT64_C(1024) << 10 * (unit - units) : 1;
    if (unit)
        value[length - 1] = '\0';
    if (!parse_number(value, 1, (UINT64_C(1) << 40) / factor, &number) ||
        number * factor < UINT64_C(1) << 20)
        return expected;
    settings->options.memory_limit = number * factor;
    return NULL;
}

static const char *apply_retries(struct wcts_cli_settings *settings, char *value)
{
    uint64_t number = 0;
    bool right = parse_number(value, 0, 100, &number);
    settings->options.retries = (int)number;
    return right ? NULL : "a number from 0 to 100";
}

static const char *apply_shard(struct wcts_cli_settings *settings, char *value)
{
    static const char expected[] = "K/N with 1 <= K <= N";
    uint64_t shard = 0, shards = 0;
    char *slash = strchr(value, '/');
    if (!slash)
        return expected;
    *slash = '\0';
    if (!parse_number(slash + 1, 1, 1000000, &shards) || !parse_number(value, 1, shards, &shard))
        return expected;
    settings->options.shard = (int)shard;
    settings->options.shards = (int)shards;
    return NULL;
}

static const char *apply_timeout(struct wcts_cli_settings *settings, char *value)
{
    char *end;
    settings->options.timeout = strtod(value, &end);
    bool right = *value != '\0' && *end == '\0' && settings->options.timeout > 0 &&
                 settings->options.timeout <= 86400;
    return right ? NULL : "seconds, more than 0 and at most 86400";
}

static const char *apply_spec(struct wcts_cli_settings *settings, char *value)
{
    if (settings->options.spec_file_count == WCTS_SPEC_FILES_MAX)
        return "at most 64 files";
    settings->options.spec_files[settings->options.spec_file_count++] = value;
    return NULL;
}

static const char *apply_case(struct wcts_cli_settings *settings, char *value)
{
    settings->only[settings->options.spec_file_count % WCTS_SPEC_FILES_MAX] = true;
    return apply_spec(settings, value);
}

/* A step is named, so that nobody takes one ladder, or one step, for another. */
static const char *apply_require(struct wcts_cli_settings *settings, char *value)
{
    static const char expected[] = "STEP=N% with N from 0 to 100, as in killed=100%";
    struct wcts_cli_require *one = &settings->requires[settings->require_count];
    char *sign = strchr(value, '='), *end;
    if (settings->require_count == WCTS_REQUIRES_MAX)
        return "at most 16 of them";
    if (!sign || sign == value)
        return "STEP=N%: the step is named, as in killed=100% of the suite or verdict=90% of a run";
    if (sign[1] < '0' || sign[1] > '9')
        return expected;
    *one = (struct wcts_cli_require){value, (size_t)(sign - value), strtod(sign + 1, &end)};
    settings->require_count++;
    return strcmp(end, "%") == 0 && one->percent >= 0 && one->percent <= 100 ? NULL : expected;
}

static const char *apply_junit_detail(struct wcts_cli_settings *settings, char *value)
{
    settings->options.junit_cases = strcmp(value, "case") == 0;
    return settings->options.junit_cases || strcmp(value, "rule") == 0 ? NULL : "rule or case";
}

static const char *apply_strength(struct wcts_cli_settings *settings, char *value)
{
    uint64_t number = 0;
    bool right = parse_number(value, 1, WCTS_GENERATE_STRENGTH_MAX, &number);
    settings->strength = (int)number;
    return right ? NULL : "a number from 1 to 6";
}

static const char *apply_effort(struct wcts_cli_settings *settings, char *value)
{
    return parse_number(value, 0, UINT64_MAX, &settings->effort) ? NULL : "a number";
}

static const char *apply_array_format(struct wcts_cli_settings *settings, char *value)
{
    static const char *const formats[] = {"csv", "json", "xml", NULL};
    int format = wcts_model_word_index(formats, value, strlen(value));
    settings->array_format = format < 0 ? WCTS_ARRAY_CSV : (enum wcts_cli_array_format)format;
    return format < 0 ? "csv, json or xml" : NULL;
}

#define APPLY_STRING(suffix, member)                                                               \
    static const char *apply_##suffix(struct wcts_cli_settings *settings, char *value)             \
    {                                                                                              \
        settings->member = value;                                                                  \
        return value[0] != '\0' ? NULL : "a value";                                                \
    }
APPLY_STRING(failed_of, options.failed_of)
APPLY_STRING(out, out)
APPLY_STRING(record, record)
APPLY_STRING(export, export)
APPLY_STRING(baseline, baseline)
APPLY_STRING(update_baseline, update_baseline)
APPLY_STRING(xsl, options.xsl)
APPLY_STRING(run_directory, run_directory)
APPLY_STRING(breaks, breaks)
APPLY_STRING(measure, measure)
APPLY_STRING(store, store)
APPLY_STRING(spec_dir, options.spec_dir)
APPLY_STRING(cases_dir, options.cases_dir)
#define APPLY_FORMAT(name, commands, help, shown)                                                  \
    APPLY_STRING(name, options.files[WCTS_FORMAT_##name])
WCTS_FORMATS(APPLY_FORMAT)

#define APPLY_STRINGS(suffix, member)                                                              \
    static const char *apply_##suffix(struct wcts_cli_settings *settings, char *value)             \
    {                                                                                              \
        if (settings->member.count == WCTS_STRINGS_MAX)                                            \
            return "at most 64 of them";                                                           \
        settings->member.of[settings->member.count++] = value;                                     \
        return NULL;                                                                               \
    }
APPLY_STRINGS(filter, options.filters)
APPLY_STRINGS(exclusion, options.excludes)

/* Nothing at all, as an unset variable of a script leaves it, matches every id. */
static const char *apply_exclude(struct wcts_cli_settings *settings, char *value)
{
    return value[0] != '\0' ? apply_exclusion(settings, value)
                            : "an expression: an empty one excludes every case";
}

/* Sweeps are left out by their ids. */
static const char *apply_no_sweep(struct wcts_cli_settings *settings, char *value)
{
    static char sweeps[] = "/sweep-";
    (void)value;
    return apply_exclusion(settings, sweeps);
}

#define APPLY_FLAG(suffix, member, constant)                                                       \
    static const char *apply_##suffix(struct wcts_cli_settings *settings, char *value)             \
    {                                                                                              \
        (void)value;                                                                               \
        settings->member = (constant);                                                             \
        return NULL;                                                                               \
    }
APPLY_FLAG(json, json, true)
APPLY_FLAG(tap, tap, true)
APPLY_FLAG(quiet, options.quiet, true)
APPLY_FLAG(verbose, verbose, true)
APPLY_FLAG(no_fork, no_fork, true)
APPLY_FLAG(gdb, gdb, true)
APPLY_FLAG(strict_baseline, options.strict_baseline, true)
APPLY_FLAG(fail_fast, options.max_failures, 1)
APPLY_FLAG(fail_on_flaky, options.fail_on_flaky, true)
APPLY_FLAG(all_deaths, options.all_deaths, true)
APPLY_FLAG(no_backtrace, options.no_backtrace, true)
APPLY_FLAG(help, help, true)
APPLY_FLAG(try_faults, try_faults, true)
APPLY_FLAG(no_records, options.no_records, true)
APPLY_FLAG(cases, listing, WCTS_LIST_CASES)
APPLY_FLAG(rules, listing, WCTS_LIST_RULES)
APPLY_FLAG(statements, listing, WCTS_LIST_STATEMENTS)
APPLY_FLAG(features, listing, WCTS_LIST_FEATURES)
APPLY_FLAG(mustpass, listing, WCTS_LIST_MUSTPASS)

static const struct {
    const char *name;
    char letter;
    const char *argument; /* NULL: none */
    unsigned commands;
    apply_fn *apply;
    const char *help;
} options[] = {
    {"impl", 0, "FILE[,key=value...]", ON_RUN | ON(list) | ON(probe) | ON(faults) | ON(verify),
     apply_impl,
     "the plug-in under test, or exec:COMMAND, tcp:HOST:PORT, unix:PATH (default: "
     "emulator,strict); list: only cases of its sides"},
    {"role", 0, "SIDE", ON(run) | ON(list) | ON(probe) | ON(coverage), apply_role,
     "kernel, driver or both (default: all sides that the plug-in has)"},
    {"side", 0, "SIDE", ON(check), apply_side,
     "caller, kernel or driver: judge only that side (may be repeated; default: all, of a run not "
     "the caller)"},
    {"wddm", 0, "V[..W]", ON(run) | ON(list) | ON(coverage) | ON(check), apply_wddm,
     "only these WDDM versions; check: the version of the recordings, whatever they say"},
    {"suite", 0, "S", ON(run) | ON(list) | ON(faults) | ON(diff), apply_suite,
     "smoke, standard (default) or full"},
    {"filter", 0, "REGEX", ON(run) | ON(list) | ON(coverage), apply_filter,
     "only cases whose id matches (may be repeated: any of them); coverage: statements"},
    {"exclude", 0, "REGEX", ON(run) | ON(list) | ON(coverage), apply_exclude,
     "no cases whose id matches (may be repeated)"},
    {"no-sweep", 0, NULL, ON(run) | ON(list), apply_no_sweep,
     "leave out sweeps: for implementations that take few calls a second"},
    {"failed-of", 0, "DIR", ON(run) | ON(list), apply_failed_of,
     "only cases that failed in that run"},
    {"level", 0, "L", ON_RUN | ON(faults) | ON(report) | ON(coverage) | ON(verify) | ON(check),
     apply_level,
     "binding, documented (default) or strict; of a run directory: read at that level"},
    {"seed", 0, "N", ON_RUN | ON(list) | ON(explain) | ON(diff) | ON(generate), apply_seed,
     "seed of random choices (default: 1)"},
    {"jobs", 'j', "N", ON(run) | ON(faults), apply_workers, "workers (default: one per processor)"},
    {"shard", 0, "K/N", ON(run) | ON(list) | ON(faults), apply_shard,
     "the K-th of N parts of the cases; faults: of those behind the first that notices it"},
    {"max-cases", 0, "N", ON(run) | ON(list), apply_max_cases,
     "only the N cases that are worth most: rules, then pairs, versions, sweeps"},
    {"budget", 0, "TIME", ON(run), apply_budget,
     "only as many of these as this time (such as 60s or 5m) is enough for"},
    {"timeout", 0, "SECONDS", ON_RUN | ON(probe) | ON(faults), apply_timeout,
     "of silence after which a case counts as hanging (default: 5)"},
    {"out", 0, "DIR", ON(run), apply_out, "the run directory (default: out/<time>)"},
#define FORMAT(name, commands, help, shown) {#name, 0, "FILE", commands, apply_##name, help},
    WCTS_FORMATS(FORMAT)
#undef FORMAT
        {"junit-detail", 0, "D", ON(run) | ON(report), apply_junit_detail,
         "rule (default) or case: a JUnit test case for each rule and side, or for each case"},
    {"no-records", 0, NULL, ON(run), apply_no_records,
     "do not record what the implementation does (see verify)"},
    {"xsl", 0, "FILE", ON(run) | ON(report), apply_xsl,
     "apply this stylesheet to the result XML, and print that"},
    {"color", 0, "WHEN", ON(run) | ON(report), apply_color, "auto (default), always or never"},
    {"tap", 0, NULL, ON(run) | ON(report), apply_tap, "results as TAP"},
    {"baseline", 0, "FILE", ON(run) | ON(diff), apply_baseline, "waivers for known failures"},
    {"strict-baseline", 0, NULL, ON(run), apply_strict_baseline, "fail when a waiver is fixed"},
    {"update-baseline", 0, "FILE", ON(run), apply_update_baseline,
     "write waivers for what fails now"},
    {"max-failures", 0, "N", ON(run), apply_max_failures, "stop after N cases that fail"},
    {"fail-fast", 0, NULL, ON(run), apply_fail_fast, "stop after the first: --max-failures 1"},
    {"memory-limit", 0, "SIZE", ON_RUN, apply_memory_limit,
     "memory of the plug-in in a worker, such as 2G (default: no limit)"},
    {"retries", 0, "N", ON(run), apply_retries, "run what fails again, up to N times (default: 0)"},
    {"all-deaths", 0, NULL, ON(run), apply_all_deaths,
     "try every case, even if many like it died in one operation"},
    {"no-backtrace", 0, NULL, ON(run), apply_no_backtrace,
     "do not run a case that crashed or hung again under gdb"},
    {"fail-on-flaky", 0, NULL, ON(run), apply_fail_on_flaky, "fail when attempts of a case differ"},
    {"json", 0, NULL,
     ON(run) | ON(list) | ON(probe) | ON(faults) | ON(diff) | ON(coverage) | ON(verify) | ON(check),
     apply_json, "results as JSON"},
    {"require", 0, "STEP=N%", ON(coverage), apply_require,
     "fail when fewer statements reach the step (may be repeated)"},
    {"cases", 0, NULL, ON(list), apply_cases, "list cases (default)"},
    {"rules", 0, NULL, ON(list), apply_rules, "list rules"},
    {"statements", 0, NULL, ON(list), apply_statements, "list statements"},
    {"features", 0, NULL, ON(list), apply_features, "list features: operations and statements"},
    {"mustpass", 0, NULL, ON(list), apply_mustpass, "list what a claim needs, by role"},
    {"try", 0, NULL, ON(faults), apply_try_faults, "run the suite against each of them"},
    {"record", 0, "FILE", ON(faults), apply_record, "write all outcomes (with --try)"},
    {"export", 0, "FILE", ON(check), apply_export,
     "write what a run has recorded as JSON lines instead"},
    {"run", 0, "DIR", ON(explain), apply_run_directory, "the run to look into (default: the last)"},
    {"no-fork", 0, NULL, ON(replay), apply_no_fork, "load the plug-in into the tool itself"},
    {"gdb", 0, NULL, ON(replay), apply_gdb, "the same, under gdb"},
    {"strength", 0, "N", ON(generate), apply_strength,
     "every combination of so many places, 1 to 6 (default: 2)"},
    {"breaks", 0, "RULE", ON(generate), apply_breaks,
     "calls that break this rule and no other (default: calls that break none)"},
    {"effort", 0, "N", ON(generate), apply_effort,
     "so many looks for fewer rows (default: 0, the first that are found)"},
    {"format", 0, "F", ON(generate), apply_array_format, "csv (default), json or xml"},
    {"measure", 0, "FILE", ON(generate), apply_measure,
     "print what the rows of this CSV cover, instead"},
    {"store", 0, "FILE", ON(generate) | ON(list) | ON(lint), apply_store,
     "write what the build keeps beside the tool instead: combinations, plan or documents"},
    {"spec", 0, "FILE", ON_PLAN, apply_spec, "one more document (may be repeated)"},
    {"case", 0, "FILE", ON(run) | ON(list), apply_case,
     "only the scenarios of this file (may be repeated)"},
    {"spec-dir", 0, "DIR", ON_PLAN, apply_spec_dir, "where the documents are"},
    {"cases-dir", 0, "DIR", ON_PLAN, apply_cases_dir, "where base.xml is"},
    {"quiet", 'q', NULL, ON(run) | ON(lint) | ON(faults), apply_quiet,
     "print less; run: only the last line"},
    {"verbose", 'v', NULL, ON_RUN | ON(list) | ON(diff) | ON(coverage) | ON(faults) | ON(check),
     apply_verbose,
     "print more; replay: every message; coverage: every condition; faults: every noticing case; "
     "check: what cannot be said, and what is missing for it"},
    {"help", 'h', NULL, ~0u, apply_help, "this help"},
};

#define OPTION_COUNT (sizeof options / sizeof options[0])

/* ---- parsing ---- */

enum wcts_cli_command_number wcts_cli_settings_command(const char *name)
{
    int i = 0;
    while (i < WCTS_COMMAND_COUNT && strcmp(commands[i].name, name) != 0)
        i++;
    return (enum wcts_cli_command_number)i;
}

/* prefix: "--" of an option. */
static void append_near(const struct wcts_suggestions *near, const char *prefix)
{
    for (int i = 0; i < near->count; i++)
        fprintf(stderr, "%s%s%s", i == 0 ? "; did you mean " : ", ", prefix, near->names[i]);
    fputs(near->count > 0 ? "?\n" : "\n", stderr);
}

void wcts_cli_settings_unknown(const char *name)
{
    struct wcts_suggestions near = {0};
    for (int i = 0; i < WCTS_COMMAND_COUNT; i++)
        wcts_suggest(&near, name, commands[i].name);
    fprintf(stderr, "wddm-cts: there is no command %s", name);
    append_near(&near, "");
    fputs("try: wddm-cts help\n", stderr);
}

static void unknown_option(const struct wcts_cli_settings *settings, const char *text)
{
    const char *command = commands[settings->command].name;
    struct wcts_suggestions near = {0};
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (options[i].commands & (1u << settings->command))
            wcts_suggest(&near, text + strspn(text, "-"), options[i].name);
    fprintf(stderr, "wddm-cts: %s has no option %s", command, text);
    append_near(&near, "--");
    fprintf(stderr, "try: wddm-cts %s --help\n", command);
}

/* The options of getopt_long; values are indices in options, above the letters. */
static void build_getopt(struct option *longs, char *shorts)
{
    *shorts++ = ':';
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        longs[i] =
            (struct option){options[i].name, options[i].argument ? required_argument : no_argument,
                            NULL, 256 + (int)i};
        if (options[i].letter == 0)
            continue;
        *shorts++ = options[i].letter;
        if (options[i].argument)
            *shorts++ = ':';
    }
    *shorts = '\0';
}

static size_t option_of(int got)
{
    size_t i = 0;
    if (got >= 256)
        return (size_t)got - 256;
    while (i < OPTION_COUNT && (options[i].letter == 0 || options[i].letter != got))
        i++;
    return i;
}

/* True for an option whose value is a path. */
static bool takes_path(size_t option)
{
    const char *argument = options[option].argument;
    return argument && (strncmp(argument, "FILE", 4) == 0 || strcmp(argument, "DIR") == 0);
}

static bool apply_option(struct wcts_cli_settings *settings, struct wcts_cli_invocation *line,
                         int got, const char *text)
{
    size_t i = option_of(got);
    if (got == ':') {
        fprintf(stderr, "wddm-cts: %s needs a value\n", text);
        return false;
    }
    if (i == OPTION_COUNT || !(options[i].commands & (1u << settings->command))) {
        unknown_option(settings, text);
        return false;
    }
    if (takes_path(i))
        wcts_cli_invocation_path(line, optarg, options[i].apply == apply_impl);
    /* Kept: what applies it may cut it to pieces. */
    char *given = optarg ? strdup(optarg) : NULL;
    const char *expected = options[i].apply(settings, optarg);
    if (expected)
        fprintf(stderr, "wddm-cts: --%s %s: expected %s\n", options[i].name,
                given && given[0] ? given : "''", expected);
    free(given);
    return expected == NULL;
}

/* Those that this process may use (taskset, a container's cpuset), not all that there are. */
static int count_processors(void)
{
    cpu_set_t usable;
    return sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable)
                                                             : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static void set_defaults(struct wcts_cli_settings *settings)
{
    int processors = count_processors();
    *settings = (struct wcts_cli_settings){
        .command = WCTS_COMMAND_help,
        .strength = 2,
        .options.implementation = {.path = "emulator", .options = "strict"},
        .options.suite = WCTS_SUITE_STANDARD,
        .options.level = WCTS_LEVEL_DOCUMENTED,
        .options.seed = 1,
        .options.workers = processors < 1     ? 1
                           : processors > 256 ? 256
                                              : processors,
        .options.shard = 1,
        .options.shards = 1,
        .options.timeout = 5,
    };
}

/* "wddm-cts --version" and "wddm-cts --help" are what everybody tries first. */
static const char *command_name(const char *argument)
{
    static const struct {
        const char *given, *meant;
    } usual[] = {{"--version", "version"}, {"-V", "version"}, {"--help", "help"}, {"-h", "help"}};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (strcmp(usual[i].given, argument) == 0)
            return usual[i].meant;
    return argument;
}

/* The command that the words after options may have meant: the first that is one, else run. */
static int meant_command(int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        if (wcts_cli_settings_command(argv[i]) != WCTS_COMMAND_COUNT)
            return i;
    return 0;
}

static void option_before_command(int argc, char **argv)
{
    int command = meant_command(argc, argv);
    fprintf(stderr, "wddm-cts: %s: options come after the command\ntry: wddm-cts %s", argv[1],
            command ? argv[command] : "run");
    for (int i = 1; i < argc; i++)
        if (i != command)
            fprintf(stderr, " %s", argv[i]);
    fputs("\n", stderr);
}

/* Keeps the command line before options are cut out of it. */
static bool keep_words(struct wcts_cli_settings *settings, int count, char **words)
{
    settings->all_arguments = calloc((size_t)count + 1, sizeof *settings->all_arguments);
    for (int i = 0; settings->all_arguments && i < count; i++) {
        settings->all_arguments[i] = strdup(words[i]);
        settings->argument_total = i + 1;
    }
    return settings->all_arguments;
}

void wcts_cli_settings_release(struct wcts_cli_settings *settings)
{
    for (int i = 0; i < settings->argument_total; i++)
        free(settings->all_arguments[i]);
    free(settings->all_arguments);
    free((char *)(uintptr_t)settings->options.command_line);
}

/* Cases are left out, or documents are added, which change what is planned: it is no claim then.
 * Versions that are not claimed are left out of no run. */
static void set_narrowed(struct wcts_options *of)
{
    of->partial = of->filters.count > 0 || of->excludes.count > 0 || of->failed_of ||
                  of->shards > 1 || of->suite == WCTS_SUITE_SMOKE || of->spec_file_count > 0 ||
                  of->max_cases > 0 || of->budget > 0;
    of->narrowed = of->partial || of->first_version;
}

static bool takes_impl(enum wcts_cli_command_number command)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (options[i].apply == apply_impl)
            return options[i].commands >> command & 1;
    return false;
}

/* Says what is wrong with the number of arguments. */
static void wrong_count(const struct wcts_cli_settings *settings)
{
    const char *name = commands[settings->command].name, *first = settings->arguments[0];
    const char *needed = commands[settings->command].needed;
    if (settings->argument_count < commands[settings->command].least)
        fprintf(stderr, "wddm-cts: %s needs %s", name, needed);
    else if (needed[0] != '\0')
        fprintf(stderr, "wddm-cts: %s takes %s, and no more", name, needed);
    else if (takes_impl(settings->command) && strstr(first, ".so"))
        fprintf(stderr, "wddm-cts: %s takes no argument; did you mean --impl %s?", name, first);
    else
        fprintf(stderr, "wddm-cts: %s takes no argument, found %s", name, first);
    fputc('\n', stderr);
}

/* Applies the options behind the command; false, with a message, when one is wrong. */
static bool apply_options(struct wcts_cli_settings *settings, struct wcts_cli_invocation *line,
                          int argc, char **argv)
{
    struct option longs[OPTION_COUNT + 1] = {0};
    char shorts[2 * OPTION_COUNT + 2];

    build_getopt(longs, shorts);
    opterr = 0;
    optind = 2;
    for (;;) {
        int at = optind, word;
        int got = getopt_long(argc, argv, shorts, longs, NULL);
        if (got < 0)
            break;
        /* Where the option stands: a value of its own follows it. */
        word = got == '?' && optind == at ? at : optind - 1;
        if (got != '?' && got != ':' && optarg == argv[word])
            word--;
        if (!apply_option(settings, line, got, argv[word]))
            return false;
    }
    settings->arguments = argv + optind;
    settings->argument_count = argc - optind;
    set_narrowed(&settings->options);
    settings->options.command_line = wcts_cli_invocation_text(line);
    if (!settings->help && (settings->argument_count < commands[settings->command].least ||
                            settings->argument_count > commands[settings->command].most)) {
        wrong_count(settings);
        wcts_cli_settings_usage(stderr, settings->command);
        return false;
    }
    return settings->options.command_line != NULL;
}

bool wcts_cli_settings_parse(struct wcts_cli_settings *settings, int argc, char **argv)
{
    struct wcts_cli_invocation line;
    bool right;

    set_defaults(settings);
    if (!keep_words(settings, argc, argv))
        return false;
    if (argc < 2) {
        wcts_cli_settings_usage(stderr, WCTS_COMMAND_COUNT);
        return false;
    }
    settings->command = wcts_cli_settings_command(command_name(argv[1]));
    if (settings->command == WCTS_COMMAND_COUNT) {
        if (argv[1][0] == '-')
            option_before_command(argc, argv);
        else
            wcts_cli_settings_unknown(argv[1]);
        return false;
    }
    if (settings->command == WCTS_COMMAND_faults) {
        settings->options.implementation.options = "";
        settings->options.level = WCTS_LEVEL_STRICT;
        settings->options.all_deaths = true;
    }
    right =
        wcts_cli_invocation_init(&line, argc, argv) && apply_options(settings, &line, argc, argv);
    wcts_cli_invocation_release(&line);
    return right;
}

uint32_t wcts_cli_settings_sides(const struct wcts_cli_settings *settings)
{
    return settings->options.sides ? settings->options.sides : WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER;
}

/* ---- help ---- */

static void print_options(FILE *out, unsigned mask)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        char left[64];
        if (!(options[i].commands & mask))
            continue;
        snprintf(left, sizeof left, "%s%c%s--%s %s", options[i].letter ? "-" : " ",
                 options[i].letter ? options[i].letter : ' ', options[i].letter ? ", " : "  ",
                 options[i].name, options[i].argument ? options[i].argument : "");
        fprintf(out, "  %-32s %s\n", left, options[i].help);
    }
}

void wcts_cli_settings_usage(FILE *out, enum wcts_cli_command_number command)
{
    if (command < WCTS_COMMAND_COUNT) {
        fprintf(out, "usage: wddm-cts %s [options] %s\n%s\n\n", commands[command].name,
                commands[command].arguments, commands[command].help);
        print_options(out, 1u << command);
        return;
    }
    fputs("usage: wddm-cts COMMAND [options]\n"
          "A conformance suite for the memory interfaces of WDDM.\n\n",
          out);
    for (int i = 0; i < WCTS_COMMAND_COUNT; i++)
        fprintf(out, "  %-8s %-10s %s\n", commands[i].name, commands[i].arguments,
                commands[i].help);
    fputs("\n", out);
    print_options(out, ~0u);
    fputs("\nExit status of run, the first that applies, and how its last line begins:\n"
          "  2  wrong command line, spec or baseline; \"not run\"\n"
          "  3  \"no case is selected\", \"stopped\", \"no case reached a verdict\"; not "
          "everything written\n"
          "  1  \"does not conform\", \"cases are flaky\", \"waivers are fixed\"\n"
          "  3  \"incomplete\"\n"
          "  0  \"no failure in the selection\", \"conforms\"\n",
          out);
}
