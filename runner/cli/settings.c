/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "../base/address.h"
#include "../base/array.h"
#include "../base/path.h"
#include "../base/text.h"
#include "../store/run_dir.h"
#include "bazel.h"
#include "invocation.h"
#include "options.h"
#include "shard.h"

static const struct {
    const char *name, *arguments, *needed;
    int least, most; /* arguments */
    const char *help;
} commands[] = {
#define COMMAND_ENTRY(name, suffix, ...) {name, __VA_ARGS__},
    WCTS_COMMANDS(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

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

/* The commands that have an option, by its name, behind which its value may be; 0: none has. */
static unsigned commands_with(const char *name)
{
    size_t length = strcspn(name, "=");
    unsigned having = 0;
    for (size_t i = 0; i < wcts_cli_options_count; i++)
        if (strlen(wcts_cli_options[i].name) == length &&
            strncmp(wcts_cli_options[i].name, name, length) == 0)
            having |= wcts_cli_options[i].commands;
    return having & ~WCTS_OPTION_FREE;
}

/* "; run, list and replay have it". */
static void append_having(unsigned having)
{
    int left = __builtin_popcount(having);
    const char *before = "; ";
    for (int i = 0; i < WCTS_COMMAND_COUNT; i++)
        if (having >> i & 1) {
            fprintf(stderr, "%s%s", before, commands[i].name);
            before = --left == 1 ? " and " : ", ";
        }
    fprintf(stderr, " %s it\n", having & (having - 1) ? "have" : "has");
}

static void unknown_option(const struct wcts_cli_settings *settings, const char *text)
{
    const char *command = commands[settings->command].name;
    const char *name = text + strspn(text, "-");
    unsigned having = text[0] == '-' && text[1] == '-' ? commands_with(name) : 0;
    struct wcts_suggestions near = {0};
    if (having >> settings->command & 1) {
        fprintf(stderr, "wddm-cts: %.*s takes no value, found %s\n", (int)strcspn(text, "="), text,
                text + strcspn(text, "=") + 1);
        return;
    }
    for (size_t i = 0; i < wcts_cli_options_count; i++)
        if (wcts_cli_options[i].commands & (1u << settings->command))
            wcts_suggest(&near, name, wcts_cli_options[i].name);
    fprintf(stderr, "wddm-cts: %s has no option %s", command, text);
    if (having)
        append_having(having);
    else
        append_near(&near, "--");
    fprintf(stderr, "try: wddm-cts %s --help\n", command);
}

/* The options of getopt_long; values are indices in options, above the letters. */
static void build_getopt(struct option *longs, char *shorts)
{
    *shorts++ = ':';
    for (size_t i = 0; i < wcts_cli_options_count; i++) {
        const char *argument = wcts_cli_options[i].argument;
        longs[i] = (struct option){wcts_cli_options[i].name,
                                   !argument            ? no_argument
                                   : argument[0] == '[' ? optional_argument
                                                        : required_argument,
                                   NULL, 256 + (int)i};
        if (wcts_cli_options[i].letter == 0)
            continue;
        *shorts++ = wcts_cli_options[i].letter;
        if (wcts_cli_options[i].argument)
            *shorts++ = ':';
    }
    *shorts = '\0';
}

static size_t option_of(int got)
{
    size_t i = 0;
    if (got >= 256)
        return (size_t)got - 256;
    while (i < wcts_cli_options_count &&
           (wcts_cli_options[i].letter == 0 || wcts_cli_options[i].letter != got))
        i++;
    return i;
}

/* True for an option whose value is a path. */
static bool takes_path(size_t option)
{
    const char *argument = wcts_cli_options[option].argument;
    return argument && (strncmp(argument, "FILE", 4) == 0 || strcmp(argument, "DIR") == 0);
}

/* True for --impl, behind whose path are the plug-in's own options. */
static bool takes_options(size_t option)
{
    return strcmp(wcts_cli_options[option].name, "impl") == 0;
}

/* more: what is behind the value. */
static char *make_word(const char *name, const char *value, const char *more)
{
    char *word = NULL;
    return asprintf(&word, "--%s%s%s%s", name, value ? "=" : "", value ? value : "", more) < 0
               ? NULL
               : word;
}

/* Keeps a word, which it takes. False without memory; NULL is none. */
static bool keep_option_word(struct wcts_cli_settings *settings, char *word)
{
    char **added;
    if (!word)
        return false;
    added = WCTS_ARRAY_ADD(settings->options.words, settings->options.word_count);
    if (added)
        *added = word;
    else
        free(word);
    return added != NULL;
}

/* Keeps the option as a word; the directory of the run is no option of it, and its part is kept
 * once it is known. */
static bool keep_word(struct wcts_cli_settings *settings, size_t option, const char *value)
{
    static const char *const places[] = {"out", "resume", "help", "shard", "shard-env", "shuffle"};
    const struct wcts_cli_option *of = &wcts_cli_options[option];
    char buffer[WCTS_PATH_ROOM], more[WCTS_PATH_ROOM], *path = NULL, *word = NULL;
    size_t size = value && takes_options(option) ? wcts_address_length(value) : 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (strcmp(of->name, places[i]) == 0)
            return true;
    if (size > 0 && (path = strndup(value, size)) != NULL)
        word = make_word(of->name, wcts_address_shown(path, buffer, sizeof buffer),
                         wcts_path_options(value + size, more, sizeof more));
    else if (value && takes_path(option))
        word = make_word(of->name, wcts_path_shown(value, buffer, sizeof buffer), "");
    else
        word = make_word(of->name, value, "");
    free(path);
    return keep_option_word(settings, word);
}

static bool keep_made(struct wcts_cli_settings *settings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool keep_made(struct wcts_cli_settings *settings, const char *format, ...)
{
    va_list values;
    char *word = NULL;
    va_start(values, format);
    int made = vasprintf(&word, format, values);
    va_end(values);
    return made >= 0 && keep_option_word(settings, word);
}

/* The part, and the order, once they are known: a run that is resumed or merged has them. */
static bool keep_resolved(struct wcts_cli_settings *settings)
{
    struct wcts_options *of = &settings->options;
    if (settings->seedless && getrandom(&of->shuffle_seed, 4, 0) != 4)
        return false;
    return (of->shards == 1 || keep_made(settings, "--shard=%d/%d", of->shard, of->shards)) &&
           (!of->shuffle || keep_made(settings, "--shuffle=%" PRIu64, of->shuffle_seed));
}

/* The filter of Bazel is an option as if it had been given: parts with it can be resumed and
 * merged. */
static bool add_engine_filter(struct wcts_cli_settings *settings)
{
    struct wcts_strings *filters = &settings->options.filters;
    const char *filter = wcts_cli_bazel_filter(settings);
    if (!filter)
        return true;
    if (filters->count == WCTS_STRINGS_MAX) {
        fprintf(stderr, "wddm-cts: TESTBRIDGE_TEST_ONLY=%s: expected at most %d filters\n", filter,
                WCTS_STRINGS_MAX);
        return false;
    }
    filters->of[filters->count++] = filter;
    return keep_option_word(settings, make_word("filter", filter, ""));
}

/* Parts may name a run directory or the journal in it, which is the same: the directory. */
static void cut_journal(char *path)
{
    static const char journal[] = "/" WCTS_FILE_JOURNAL;
    size_t length = strlen(path), end = sizeof journal - 1;
    if (length > end && strcmp(path + length - end, journal) == 0)
        path[length -= end] = '\0';
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
}

static bool apply_option(struct wcts_cli_settings *settings, struct wcts_cli_invocation *line,
                         int got, const char *text)
{
    size_t i = option_of(got);
    if (got == ':') {
        fprintf(stderr, "wddm-cts: %s needs a value\n", text);
        return false;
    }
    if (i == wcts_cli_options_count ||
        !(wcts_cli_options[i].commands & (1u << settings->command))) {
        unknown_option(settings, text);
        return false;
    }
    if (takes_path(i))
        wcts_cli_invocation_path(line, optarg, takes_options(i));
    /* Kept: what applies it may cut it to pieces. */
    char *given = optarg ? strdup(optarg) : NULL;
    if (given && strcmp(wcts_cli_options[i].name, "durations") == 0)
        cut_journal(given);
    const char *expected = wcts_cli_options[i].apply(settings, optarg);
    if (expected)
        fprintf(stderr, "wddm-cts: --%s %s: expected %s\n", wcts_cli_options[i].name,
                given && given[0] ? given : "''", expected);
    bool kept = !expected && keep_word(settings, i, given);
    free(given);
    return kept;
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
    for (int i = 0; i < settings->options.word_count; i++)
        free(settings->options.words[i]);
    free(settings->options.words);
    for (int i = 0; settings->again && settings->again[i]; i++)
        free(settings->again[i]);
    free(settings->again);
    free(settings->engine_out);
    free(settings->named_profile);
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
    for (size_t i = 0; i < wcts_cli_options_count; i++)
        if (takes_options(i))
            return wcts_cli_options[i].commands >> command & 1;
    return false;
}

/* The commands whose arguments are files or directories: an empty one, of a variable that is not
 * set, would be the root directory. */
#define ON(command) (1u << WCTS_COMMAND_##command)
static const unsigned reads_files =
    ON(report) | ON(verify) | ON(check) | ON(diff) | ON(merge) | ON(coverage);
#undef ON

static bool has_empty_argument(const struct wcts_cli_settings *settings)
{
    const char *name = commands[settings->command].name;
    for (int i = 0; i < settings->argument_count && reads_files >> settings->command & 1; i++)
        if (settings->arguments[i][0] == '\0') {
            fprintf(stderr, "wddm-cts: %s: found '', expected a file or directory\n", name);
            return true;
        }
    return false;
}

/* Says what is wrong with the number of arguments. The list of options would hide it. */
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
    fprintf(stderr, "\nusage: wddm-cts %s [options]%s%s\ntry: wddm-cts %s --help\n", name,
            commands[settings->command].arguments[0] ? " " : "",
            commands[settings->command].arguments, name);
}

/* False, with a message, for options of which one would have no effect, or another than it says. */
static bool is_consistent(const struct wcts_cli_settings *settings)
{
    const struct wcts_options *of = &settings->options;
    const struct {
        bool found;
        const char *text;
    } wrong[] = {
        {of->repeat > 0 && of->retries > 0,
         "found --repeat and --retries, expected one of them: all cases are run again, or those "
         "that fail"},
        {of->shuffle && of->budget > 0,
         "found --shuffle and --budget, expected one of them: a budget has an order of its own"},
        {of->shuffle && of->max_failures > 0,
         "found --shuffle and --max-failures, expected one of them: results are counted in plan "
         "order, after all cases"},
        {of->shuffle && of->shards > 1 && settings->seedless,
         "found --shuffle and --shard, expected --shuffle=SEED: all parts of a run have one"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (wrong[i].found) {
            fprintf(stderr, "wddm-cts: %s\n", wrong[i].text);
            return false;
        }
    return true;
}

/* A run that is resumed or merged has the part, or is divided no more. */
bool wcts_cli_settings_have_effect(const struct wcts_cli_settings *settings)
{
    if (!settings->options.durations || settings->shard_given || settings->shard_env ||
        settings->resume)
        return true;
    fputs("wddm-cts: --durations balances parts, expected --shard or --shard-env, too\n", stderr);
    return false;
}

/* Applies the options behind the command; false, with a message, when one is wrong. */
static bool apply_options(struct wcts_cli_settings *settings, struct wcts_cli_invocation *line,
                          int argc, char **argv)
{
    struct option longs[WCTS_CLI_OPTIONS_MAX + 1] = {0};
    char shorts[2 * WCTS_CLI_OPTIONS_MAX + 2];

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
    if (!settings->help &&
        !(wcts_cli_shard_resolve(settings) && is_consistent(settings) && keep_resolved(settings) &&
          add_engine_filter(settings) && wcts_cli_bazel_settings(settings)))
        return false;
    settings->arguments = argv + optind;
    settings->argument_count = argc - optind;
    set_narrowed(&settings->options);
    settings->options.command_line = wcts_cli_invocation_text(line);
    if (!settings->help && (settings->argument_count < commands[settings->command].least ||
                            settings->argument_count > commands[settings->command].most)) {
        wrong_count(settings);
        return false;
    }
    if (!settings->help && has_empty_argument(settings))
        return false;
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
    for (size_t i = 0; i < wcts_cli_options_count; i++) {
        char left[64];
        if (!(wcts_cli_options[i].commands & mask))
            continue;
        snprintf(left, sizeof left, "%s%c%s--%s %s", wcts_cli_options[i].letter ? "-" : " ",
                 wcts_cli_options[i].letter ? wcts_cli_options[i].letter : ' ',
                 wcts_cli_options[i].letter ? ", " : "  ", wcts_cli_options[i].name,
                 wcts_cli_options[i].argument ? wcts_cli_options[i].argument : "");
        fprintf(out, "  %-32s %s\n", left, wcts_cli_options[i].help);
    }
}

void wcts_cli_settings_usage(FILE *out, enum wcts_cli_command_number command)
{
    if (command < WCTS_COMMAND_COUNT) {
        fprintf(out, "usage: wddm-cts %s [options]%s%s\n%s\n\n", commands[command].name,
                commands[command].arguments[0] ? " " : "", commands[command].arguments,
                commands[command].help);
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
