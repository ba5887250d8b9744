/* SPDX-License-Identifier: MIT */
/* What each option does, and the table of all of them. */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/address.h"
#include "../generate/array.h"
#include "../judge/partial.h"
#include "../model/names.h"

#define ON(suffix) (1u << WCTS_COMMAND_##suffix)
#define ON_PLAN                                                                                    \
    (ON(run) | ON(list) | ON(explain) | ON(replay) | ON(lint) | ON(generate) | ON(probe) |         \
     ON(faults) | ON(coverage) | ON(report) | ON(verify) | ON(check) | ON(profile))
#define ON_RUN (ON(run) | ON(replay))

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
    /* What a script fills up with zeros, "08" or "010", is no octal number. */
    *number = strtoull(text, &end, text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10);
    return errno == 0 && *end == '\0' && *number >= low && *number <= high;
}

static bool parse_int(const char *text, uint64_t low, int high, int *number)
{
    uint64_t found = 0;
    bool right = parse_number(text, low, (uint64_t)high, &found);
    *number = (int)found;
    return right;
}

/* ---- options: each returns NULL, or what it expected ---- */

static const char *apply_impl(struct wcts_cli_settings *settings, char *value)
{
    size_t length = wcts_address_length(value);
    const bool has_comma = value[length] != '\0' && access(value, F_OK) == 0;
    settings->given_implementation = true;
    settings->options.implementation.path = value;
    settings->options.implementation.options = value[length] ? value + length + 1 : "";
    if (has_comma) /* with the comma it is a file: the user means that one */
        return "a file without a comma in its name: options follow the first one";
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

static const char *apply_adapter(struct wcts_cli_settings *settings, char *value)
{
    return parse_int(value, 1, 64, &settings->adapter) ? NULL : "a number from 1 to 64";
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
    return parse_number(value, 0, UINT64_MAX, &settings->options.seed)
               ? NULL
               : "a number from 0 to 18446744073709551615";
}

static const char *apply_workers(struct wcts_cli_settings *settings, char *value)
{
    return parse_int(value, 1, 256, &settings->options.workers) ? NULL : "a number from 1 to 256";
}

static const char *apply_max_failures(struct wcts_cli_settings *settings, char *value)
{
    return parse_int(value, 1, 1000000, &settings->options.max_failures)
               ? NULL
               : "a number from 1 to 1000000";
}

static const char *apply_max_cases(struct wcts_cli_settings *settings, char *value)
{
    return parse_int(value, 1, 100000000, &settings->options.max_cases)
               ? NULL
               : "a number from 1 to 100000000";
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
    return parse_int(value, 0, 100, &settings->options.retries) ? NULL : "a number from 0 to 100";
}

static const char *apply_repeat(struct wcts_cli_settings *settings, char *value)
{
    bool right = parse_int(value, 1, WCTS_REPEAT_MAX, &settings->options.repeat);
    /* Who looks more often must not see less: what fails in one of many times fails the run. */
    settings->options.fail_on_flaky =
        settings->options.fail_on_flaky || settings->options.repeat > 1;
    return right ? NULL : "a number from 1 to 10000";
}

static const char *apply_shuffle(struct wcts_cli_settings *settings, char *value)
{
    settings->options.shuffle = true;
    settings->seedless = !value;
    return !value || parse_number(value, 0, INT64_MAX, &settings->options.shuffle_seed)
               ? NULL
               : "a number from 0 to 2^63 - 1";
}

#define SHARDS_MAX 1000000

/* auto, or auto/N */
static bool apply_shard_auto(struct wcts_cli_settings *settings, const char *value)
{
    static const char automatic[] = "auto";
    size_t length = strlen(automatic);
    uint64_t total = 0;
    if (strncmp(value, automatic, length) != 0)
        return false;
    settings->shard_auto =
        value[length] == '\0' ||
        (value[length] == '/' && parse_number(value + length + 1, 1, SHARDS_MAX, &total));
    settings->shard_total = (int)total;
    return settings->shard_auto;
}

/* NAME[:BASE]/TOTAL: TOTAL is a number, or another variable. */
static const char *apply_shard_env(struct wcts_cli_settings *settings, char *value)
{
    static const char expected[] =
        "NAME[:BASE]/TOTAL, such as JOB_NUMBER:1/8 or JOB_NUMBER/JOB_COUNT";
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    size_t length = strspn(value, letters);
    const char *at = value + length;
    if (length == 0 || (value[0] >= '0' && value[0] <= '9'))
        return expected;
    if (*at == ':') {
        size_t digits = strspn(at + 1, "0123456789");
        if (digits == 0 || digits > 9)
            return expected;
        at += 1 + digits;
    }
    length = *at == '/' ? strspn(at + 1, letters) : 0;
    if (length == 0 || at[1 + length] != '\0' ||
        (at[1] >= '0' && at[1] <= '9' && (strspn(at + 1, "0123456789") != length || length > 7)))
        return expected;
    if (at[1] >= '0' && at[1] <= '9' &&
        (strtoul(at + 1, NULL, 10) == 0 || strtoul(at + 1, NULL, 10) > SHARDS_MAX))
        return "NAME[:BASE]/TOTAL with a TOTAL from 1 to 1000000";
    settings->shard_env = value;
    return NULL;
}

static const char *apply_shard(struct wcts_cli_settings *settings, char *value)
{
    static const char expected[] = "K/N with 1 <= K <= N, auto or auto/N";
    uint64_t shard = 0, shards = 0;
    char *slash = strchr(value, '/');
    bool automatic = apply_shard_auto(settings, value);
    if (settings->shard_given && settings->shard_auto)
        return "one --shard, auto or K/N";
    settings->shard_given = true;
    if (automatic)
        return NULL;
    if (!slash)
        return expected;
    *slash = '\0';
    if (!parse_number(slash + 1, 1, SHARDS_MAX, &shards) || !parse_number(value, 1, shards, &shard))
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
    return parse_int(value, 1, WCTS_GENERATE_STRENGTH_MAX, &settings->strength)
               ? NULL
               : "a number from 1 to 6";
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
APPLY_STRING(profile, profile)
APPLY_STRING(declaration, declaration)
APPLY_STRING(upgrade, options.upgrade_to)
APPLY_STRING(out, out)
APPLY_STRING(resume, resume)
APPLY_STRING(durations, options.durations)
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
APPLY_STRINGS(selection, options.filters)
APPLY_STRINGS(exclusion, options.excludes)
APPLY_STRINGS(after, after)

/* Nothing at all, as an unset variable of a script leaves it, matches every id. */
static const char *apply_filter(struct wcts_cli_settings *settings, char *value)
{
    return value[0] != '\0' ? apply_selection(settings, value)
                            : "an expression: an empty one selects every case, as without it";
}

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
APPLY_FLAG(partial, partial, true)
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

const struct wcts_cli_option wcts_cli_options[] = {
    {"impl", 0, "FILE[,key=value...]", ON_RUN | ON(list) | ON(probe) | ON(faults) | ON(verify),
     apply_impl,
     "the plug-in under test, or exec:COMMAND, tcp:HOST:PORT, unix:PATH (default: "
     "emulator,strict); list: only cases of its sides"},
    {"role", 0, "SIDE", ON(run) | ON(list) | ON(probe) | ON(coverage), apply_role,
     "kernel, driver or both (default: all sides that the plug-in has)"},
    {"side", 0, "SIDE", ON(check), apply_side,
     "caller, kernel or driver: judge only that side (may be repeated; default: all, but of a run "
     "directory kernel and driver)"},
    {"adapter", 0, "N", ON(check), apply_adapter,
     "of a trace: judge only the N-th adapter in it (default: all, at the same version)"},
    {"wddm", 0, "V[..W]", ON(run) | ON(list) | ON(coverage) | ON(check), apply_wddm,
     "only these WDDM versions; check: the version of the recordings, whatever they state"},
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
    {"profile", 0, "NAME|FILE",
     ON_RUN | ON(report) | ON(coverage) | ON(verify) | ON(check) | ON(lint), apply_profile,
     "what is declared of the implementation: wddm-cts profile lists them (default: none, the "
     "documents alone); of a run directory: read with that"},
    {"declaration", 0, "FILE", ON(run) | ON(lint), apply_declaration,
     "what the implementation has to claim and to have, as probe --xml writes it"},
    {"upgrade", 0, "V", ON_RUN | ON(list), apply_upgrade,
     "only the statements that begin to bind after the last claimed version, up to this one"},
    {"seed", 0, "N", ON_RUN | ON(list) | ON(explain) | ON(diff) | ON(generate), apply_seed,
     "seed of random choices (default: 1)"},
    {"jobs", 'j', "N", WCTS_OPTION_FREE | ON(run) | ON(faults), apply_workers,
     "workers (default: one per processor)"},
    {"shard", 0, "K/N", ON(run) | ON(list) | ON(faults), apply_shard,
     "the K-th of N parts of the cases, or auto: the part that the CI engine assigns (auto/N if it "
     "gives no total); faults: of the cases after the first that notices the fault"},
    {"shard-env", 0, "NAME[:BASE]/TOTAL", ON(run) | ON(list) | ON(faults), apply_shard_env,
     "the part that an environment variable gives, counted from BASE (default: 0)"},
    {"durations", 0, "DIR", ON(run) | ON(list), apply_durations,
     "balance the parts by the durations of the cases in this run"},
    {"max-cases", 0, "N", ON(run) | ON(list), apply_max_cases,
     "only the N cases that are worth most: rules, then pairs, versions, sweeps"},
    {"budget", 0, "TIME", ON(run), apply_budget,
     "like --max-cases, but as many as finish in this time (such as 60s or 5m)"},
    {"timeout", 0, "SECONDS", ON_RUN | ON(probe) | ON(faults), apply_timeout,
     "silence after which a case counts as hanging (default: 5)"},
    {"out", 0, "DIR", WCTS_OPTION_FREE | ON(run) | ON(merge) | ON(check), apply_out,
     "the run directory (default: out/<time>); check: write every report into this directory"},
    {"resume", 0, "DIR", WCTS_OPTION_FREE | ON(run), apply_resume,
     "resume a run that was stopped or killed, with its own options"},
    {"partial", 0, NULL, ON(merge), apply_partial,
     "merge what is there, and report what is missing"},
#define FORMAT(name, commands, help, shown)                                                        \
    {#name, 0, "FILE", WCTS_OPTION_FREE | (commands), apply_##name, help},
    WCTS_FORMATS(FORMAT)
#undef FORMAT
        {"junit-detail", 0, "D", WCTS_OPTION_FREE | ON(run) | ON(merge) | ON(report),
         apply_junit_detail,
         "rule (default) or case: a JUnit test case for each rule and side, or for each case"},
    {"no-records", 0, NULL, ON(run), apply_no_records,
     "do not record what the implementation does (see verify)"},
    {"xsl", 0, "FILE", WCTS_OPTION_FREE | ON(run) | ON(report), apply_xsl,
     "apply this stylesheet to the result XML, and print that"},
    {"color", 0, "WHEN", WCTS_OPTION_FREE | ON(run) | ON(merge) | ON(report), apply_color,
     "auto (default), always or never"},
    {"tap", 0, NULL, WCTS_OPTION_FREE | ON(run) | ON(report), apply_tap, "results as TAP"},
    {"baseline", 0, "FILE", ON(run) | ON(diff), apply_baseline, "waivers for known failures"},
    {"strict-baseline", 0, NULL, ON(run), apply_strict_baseline, "fail when a waiver is fixed"},
    {"update-baseline", 0, "FILE", WCTS_OPTION_FREE | ON(run), apply_update_baseline,
     "write waivers for what fails now"},
    {"max-failures", 0, "N", ON(run), apply_max_failures, "stop after N cases that fail"},
    {"fail-fast", 0, NULL, ON(run), apply_fail_fast, "stop after the first: --max-failures 1"},
    {"memory-limit", 0, "SIZE", ON_RUN, apply_memory_limit,
     "memory of the plug-in in a worker, such as 2G (default: no limit)"},
    {"retries", 0, "N", ON(run), apply_retries, "run what fails again, up to N times (default: 0)"},
    {"repeat", 0, "N", ON(run) | ON(replay), apply_repeat,
     "run each case N times, one after the other; what differs is flaky"},
    {"shuffle", 0, "[SEED]", ON(run), apply_shuffle,
     "run the cases in random order (--shuffle=SEED: in that order again); reports keep the order "
     "of the plan"},
    {"after", 0, "ID", ON(replay), apply_after,
     "run that case before, in the same process (may be repeated)"},
    {"all-deaths", 0, NULL, ON(run), apply_all_deaths,
     "try every case, even if many like it died in one operation"},
    {"no-backtrace", 0, NULL, ON(run), apply_no_backtrace,
     "do not run a case that crashed or hung again under gdb"},
    {"fail-on-flaky", 0, NULL, ON(run), apply_fail_on_flaky, "fail when attempts of a case differ"},
    {"json", 0, NULL,
     WCTS_OPTION_FREE | ON(run) | ON(list) | ON(probe) | ON(faults) | ON(diff) | ON(coverage) |
         ON(verify) | ON(check),
     apply_json, "results as JSON"},
    {"require", 0, "STEP=N%", ON(coverage), apply_require,
     "fail when fewer statements reach the step (may be repeated)"},
    {"cases", 0, NULL, ON(list), apply_cases, "list cases (default)"},
    {"rules", 0, NULL, ON(list), apply_rules, "list rules"},
    {"statements", 0, NULL, ON(list), apply_statements, "list statements"},
    {"features", 0, NULL, ON(list), apply_features, "list features: operations and statements"},
    {"mustpass", 0, NULL, ON(list), apply_mustpass, "list what a claim needs, by role"},
    {"try", 0, NULL, ON(faults), apply_try_faults, "run the suite against each fault"},
    {"record", 0, "FILE", ON(faults), apply_record, "write all outcomes (with --try)"},
    {"export", 0, "FILE", ON(check), apply_export,
     "write the records of a run as JSON lines instead"},
    {"run", 0, "DIR", ON(explain), apply_run_directory, "the run to look into (default: the last)"},
    {"no-fork", 0, NULL, ON(replay), apply_no_fork, "load the plug-in into the tool itself"},
    {"gdb", 0, NULL, ON(replay), apply_gdb, "like --no-fork, under gdb"},
    {"strength", 0, "N", ON(generate), apply_strength,
     "cover every combination of N places, 1 to 6 (default: 2)"},
    {"breaks", 0, "RULE", ON(generate), apply_breaks,
     "calls that break this rule and no other (default: calls that break none)"},
    {"effort", 0, "N", ON(generate), apply_effort,
     "search N times for fewer rows (default: 0, take the first rows found)"},
    {"format", 0, "F", ON(generate), apply_array_format, "csv (default), json or xml"},
    {"measure", 0, "FILE", ON(generate), apply_measure,
     "print what the rows of this CSV cover instead"},
    {"store", 0, "FILE", ON(generate) | ON(list) | ON(lint), apply_store,
     "write the data that the build stores beside the tool instead: combinations, plan or "
     "documents"},
    {"spec", 0, "FILE", ON_PLAN, apply_spec,
     "one more document, or file of cases (may be repeated)"},
    {"case", 0, "FILE", ON(run) | ON(list), apply_case,
     "only the scenarios of this file (may be repeated)"},
    {"spec-dir", 0, "DIR", ON_PLAN, apply_spec_dir, "where the documents are"},
    {"cases-dir", 0, "DIR", ON_PLAN, apply_cases_dir, "where base.xml is"},
    {"quiet", 'q', NULL, WCTS_OPTION_FREE | ON(run) | ON(merge) | ON(lint) | ON(faults),
     apply_quiet, "print less; run: only the last line"},
    {"verbose", 'v', NULL,
     WCTS_OPTION_FREE | ON_RUN | ON(list) | ON(diff) | ON(coverage) | ON(faults) | ON(check),
     apply_verbose,
     "print more; replay: every message; coverage: every condition; faults: every noticing case; "
     "check: what cannot be said, and what is missing for it"},
    {"help", 'h', NULL, ~0u, apply_help, "this help"},
};

_Static_assert(sizeof wcts_cli_options / sizeof wcts_cli_options[0] <= WCTS_CLI_OPTIONS_MAX,
               "more options than there is room for");
const size_t wcts_cli_options_count = sizeof wcts_cli_options / sizeof wcts_cli_options[0];
