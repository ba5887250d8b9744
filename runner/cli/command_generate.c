/* SPDX-License-Identifier: MIT */
/* wddm-cts generate: prints a covering array of a base call, or measures a list of calls. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/file.h"
#include "../base/text.h"
#include "../generate/stored.h"
#include "suite.h"

#define LIST_MAX ((size_t)64 << 20)
#define NO_MEMORY "wddm-cts: no memory\n"

struct cli_generation {
    const struct wcts_cli_settings *settings;
    const struct wcts_spec *spec;
    struct wcts_generate_base model;
    struct wcts_generate_rows rows;
    struct wcts_text *names;  /* of each parameter */
    struct wcts_text *values; /* WCTS_GENERATE_VALUES_MAX for each parameter */
};

/* ---- Names ---- */

static struct wcts_text *values_of(const struct cli_generation *generation, int parameter)
{
    return &generation->values[(size_t)parameter * WCTS_GENERATE_VALUES_MAX];
}

/* False without memory. */
static bool make_names(struct cli_generation *generation)
{
    const struct wcts_generate_base *model = &generation->model;
    size_t count = (size_t)model->place_count;
    generation->names = calloc(count, sizeof *generation->names);
    generation->values = calloc(count * WCTS_GENERATE_VALUES_MAX, sizeof *generation->values);
    bool good = generation->names && generation->values;
    for (int p = 0; good && p < model->place_count; p++) {
        wcts_generate_base_name(model, p, &generation->names[p]);
        good = !generation->names[p].failed;
        for (int v = 0; good && v < model->places[p].value_count; v++) {
            wcts_generate_base_value(model, p, v, &values_of(generation, p)[v]);
            good = !values_of(generation, p)[v].failed;
        }
    }
    return good;
}

static void release(struct cli_generation *generation)
{
    for (int p = 0; generation->names && p < generation->model.place_count; p++)
        wcts_text_release(&generation->names[p]);
    for (int p = 0; generation->values && p < generation->model.place_count; p++)
        for (int v = 0; v < generation->model.places[p].value_count; v++)
            wcts_text_release(&values_of(generation, p)[v]);
    free(generation->names);
    free(generation->values);
    free(generation->rows.values);
    wcts_generate_base_release(&generation->model);
}

static const char *row_value(const struct cli_generation *generation, int row, int parameter)
{
    int count = generation->model.place_count;
    uint8_t value = generation->rows.values[(size_t)row * (size_t)count + (size_t)parameter];
    return wcts_text_get(&values_of(generation, parameter)[value]);
}

/* ---- Printing ---- */

/* Names and values are letters, digits and marks that no format has to escape. */
static void print_csv(const struct cli_generation *generation)
{
    int count = generation->model.place_count;
    for (int p = 0; p < count; p++)
        printf("%s%s", p ? "," : "", wcts_text_get(&generation->names[p]));
    fputs("\n", stdout);
    for (int i = 0; i < generation->rows.count; i++) {
        for (int p = 0; p < count; p++)
            printf("%s%s", p ? "," : "", row_value(generation, i, p));
        fputs("\n", stdout);
    }
}

static void print_json(const struct cli_generation *generation)
{
    fputs("[\n", stdout);
    for (int i = 0; i < generation->rows.count; i++) {
        for (int p = 0; p < generation->model.place_count; p++)
            printf("%s\"%s\": \"%s\"", p ? ", " : "  {", wcts_text_get(&generation->names[p]),
                   row_value(generation, i, p));
        printf("}%s\n", i + 1 < generation->rows.count ? "," : "");
    }
    fputs("]\n", stdout);
}

static void print_xml(const struct cli_generation *generation)
{
    printf("<array base=\"%s\" strength=\"%d\">\n",
           generation->spec->cases->bases[generation->model.base].name,
           generation->settings->strength);
    for (int i = 0; i < generation->rows.count; i++) {
        fputs("  <row>\n", stdout);
        for (int p = 0; p < generation->model.place_count; p++)
            printf("    <value of=\"%s\">%s</value>\n", wcts_text_get(&generation->names[p]),
                   row_value(generation, i, p));
        fputs("  </row>\n", stdout);
    }
    fputs("</array>\n", stdout);
}

static int print_rows(struct cli_generation *generation)
{
    static void (*const print[])(const struct cli_generation *) = {
        [WCTS_ARRAY_CSV] = print_csv, [WCTS_ARRAY_JSON] = print_json, [WCTS_ARRAY_XML] = print_xml};
    const struct wcts_generate_options options = {generation->settings->strength,
                                                  generation->settings->options.seed,
                                                  generation->settings->effort};
    switch (wcts_generate_rows(&generation->model.model, &options, &generation->rows)) {
    case WCTS_GENERATE_DONE:
        print[generation->settings->array_format](generation);
        return WCTS_EXIT_OK;
    case WCTS_GENERATE_NO_ROW:
        fprintf(stderr, "wddm-cts: no call of base %s %s%s%s\n",
                generation->spec->cases->bases[generation->model.base].name,
                generation->settings->breaks ? "breaks " : "is valid",
                generation->settings->breaks ? generation->settings->breaks : "",
                generation->settings->breaks ? " and nothing else" : "");
        return WCTS_EXIT_NOTHING;
    default:
        fputs("wddm-cts: more combinations than can be counted, expected a lower --strength\n",
              stderr);
        return WCTS_EXIT_USAGE;
    }
}

/* ---- Reading a list ---- */

/* A list as it is read: which parameter each column is. */
struct cli_reading {
    struct cli_generation *generation;
    struct wcts_diagnostics *diagnostics;
    const char *path;
    long line;
    int columns;
    int parameters[WCTS_GENERATE_PARAMETERS_MAX];
};

static int find_text(const struct wcts_text *texts, int count, const char *sought,
                     struct wcts_suggestions *near)
{
    for (int i = 0; i < count; i++)
        if (strcmp(wcts_text_get(&texts[i]), sought) == 0)
            return i;
    for (int i = 0; i < count; i++)
        wcts_suggest(near, sought, wcts_text_get(&texts[i]));
    return -1;
}

static void report_unknown_name(const struct cli_reading *reading, const char *what,
                                const char *found, const struct wcts_suggestions *near)
{
    const struct wcts_place place = {.file = reading->path, .line = reading->line};
    wcts_error_at(reading->diagnostics, &place, "unknown %s \"%s\"%s%s%s", what, found,
                  near->count ? ", did you mean \"" : "", near->count ? near->names[0] : "",
                  near->count ? "\"?" : "");
}

static bool read_array_header(struct cli_reading *reading, char *line)
{
    const struct cli_generation *generation = reading->generation;
    for (char *cell; (cell = strsep(&line, ","));) {
        struct wcts_suggestions near = {0};
        int parameter = find_text(generation->names, generation->model.place_count, cell, &near);
        if (parameter < 0) {
            report_unknown_name(reading, "parameter", cell, &near);
            return false;
        }
        for (int i = 0; i < reading->columns; i++)
            if (reading->parameters[i] == parameter) {
                const struct wcts_place place = {.file = reading->path, .line = reading->line};
                wcts_error_at(reading->diagnostics, &place, "a second column \"%s\"", cell);
                return false;
            }
        reading->parameters[reading->columns++] = parameter;
    }
    return true;
}

static bool read_row(struct cli_reading *reading, char *line)
{
    struct cli_generation *generation = reading->generation;
    size_t count = (size_t)generation->model.place_count;
    uint8_t *values =
        reallocarray(generation->rows.values, (size_t)generation->rows.count + 1, count);
    uint8_t *row;
    int column = 0;
    if (!values) {
        fputs(NO_MEMORY, stderr);
        return false;
    }
    generation->rows.values = values;
    row = &values[count * (size_t)generation->rows.count];
    memset(row, 0, count);
    for (char *cell; (cell = strsep(&line, ",")); column++) {
        struct wcts_suggestions near = {0};
        int parameter = column < reading->columns ? reading->parameters[column] : 0;
        int value = find_text(values_of(generation, parameter),
                              generation->model.places[parameter].value_count, cell, &near);
        if (column < reading->columns && value < 0) {
            WCTS_TEXT(what);
            wcts_text_add(&what, "value of %s", wcts_text_get(&generation->names[parameter]));
            report_unknown_name(reading, wcts_text_get(&what), cell, &near);
            return false;
        }
        row[parameter] = column < reading->columns ? (uint8_t)value : row[parameter];
    }
    if (column != reading->columns) {
        const struct wcts_place place = {.file = reading->path, .line = reading->line};
        wcts_error_at(reading->diagnostics, &place, "%d values, expected %d as in the first line",
                      column, reading->columns);
        return false;
    }
    generation->rows.count++;
    return true;
}

static bool read_array_list(struct cli_reading *reading)
{
    size_t size;
    char *text = wcts_file_read(reading->path, LIST_MAX, &size, reading->diagnostics);
    char *rest = text;
    bool good = text != NULL;
    for (char *line; good && (line = strsep(&rest, "\n"));) {
        line[strcspn(line, "\r")] = '\0';
        reading->line++;
        if (line[0] == '\0')
            continue;
        good = reading->columns == 0 ? read_array_header(reading, line) : read_row(reading, line);
    }
    free(text);
    return good;
}

static int measure_array(struct cli_generation *generation)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    struct cli_reading reading = {.generation = generation,
                                  .diagnostics = &diagnostics,
                                  .path = generation->settings->measure};
    struct wcts_generate_measure found = {0};
    int strength = generation->settings->strength;
    if (!read_array_list(&reading))
        return WCTS_EXIT_USAGE;
    if (wcts_generate_measure(&generation->model.model, strength, &generation->rows, &found) !=
        WCTS_GENERATE_DONE) {
        fputs("wddm-cts: more combinations than can be counted, expected a lower --strength\n",
              stderr);
        return WCTS_EXIT_USAGE;
    }
    printf("rows           %8d\n", generation->rows.count);
    printf("not to be sent %8d: they break a rule, or no sentence decides them\n", found.broken);
    printf("combinations   %8" PRIu64 " of %d parameters\n", found.tuples + found.infeasible,
           strength);
    printf("impossible     %8" PRIu64 "\n", found.infeasible);
    printf("covered        %8" PRIu64 " of %" PRIu64 "\n", found.covered, found.tuples);
    return found.covered == found.tuples && found.broken == 0 ? WCTS_EXIT_OK : WCTS_EXIT_FAIL;
}

/* ---- The command ---- */

static int find_named_base(const struct wcts_spec *spec, const char *name)
{
    struct wcts_suggestions near = {0};
    for (int i = 0; i < spec->cases->bases_count; i++)
        if (strcmp(spec->cases->bases[i].name, name) == 0)
            return i;
    for (int i = 0; i < spec->cases->bases_count; i++)
        wcts_suggest(&near, name, spec->cases->bases[i].name);
    fprintf(stderr, "wddm-cts: there is no base %s", name);
    for (int i = 0; i < near.count; i++)
        fprintf(stderr, "%s%s", i ? ", " : "; did you mean ", near.names[i]);
    fputs("; they are", stderr);
    for (int i = 0; i < spec->cases->bases_count; i++)
        fprintf(stderr, "%s%s", i ? ", " : " ", spec->cases->bases[i].name);
    fputs("\n", stderr);
    return -1;
}

/* -1: none is asked for; -2: there is none of that name. */
static int find_broken(const struct wcts_cli_settings *settings, const struct wcts_spec *spec)
{
    if (!settings->breaks)
        return -1;
    for (int i = 0; i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, settings->breaks) == 0 && spec->rules[i].breach.refuse)
            return i;
    fprintf(stderr, "wddm-cts: %s is no rule that a call can break\ntry: wddm-cts list --rules\n",
            settings->breaks);
    return -2;
}

static int generate(struct wcts_cli_suite *suite)
{
    const struct wcts_cli_settings *settings = suite->settings;
    const struct wcts_spec *spec = suite->spec;
    struct cli_generation generation = {.settings = settings, .spec = spec};
    struct wcts_generate_base_options options = {
        .until = spec->versions_count, .the_call_alone = true, .states = true, .with_masks = true};
    struct wcts_eval eval;
    struct wcts_oracle_reads reads;
    int base = find_named_base(spec, settings->arguments[0]), status = WCTS_EXIT_USAGE;
    options.rule = find_broken(settings, spec);
    if (base < 0 || options.rule < -1)
        return WCTS_EXIT_USAGE;
    if (!wcts_oracle_eval_init(&eval, spec)) {
        fputs(NO_MEMORY, stderr);
        return WCTS_EXIT_BROKEN;
    }
    if (!wcts_oracle_reads_init(&reads, &eval) ||
        !wcts_generate_base_init(&generation.model, &reads, base, &options)) {
        fputs("wddm-cts: the base has no call that can vary\n", stderr);
    } else if (settings->strength > generation.model.place_count) {
        fprintf(stderr, "wddm-cts: --strength %d, expected at most %d, the parameters of %s\n",
                settings->strength, generation.model.place_count, settings->arguments[0]);
    } else if (!make_names(&generation)) {
        fputs(NO_MEMORY, stderr);
        status = WCTS_EXIT_BROKEN;
    } else {
        status = settings->measure ? measure_array(&generation) : print_rows(&generation);
    }
    release(&generation);
    wcts_oracle_reads_release(&reads);
    wcts_oracle_eval_release(&eval);
    return status;
}

static int store_combinations(struct wcts_cli_suite *suite)
{
    const char *path = suite->settings->store;
    FILE *out = fopen(path, "we");
    bool good = out && wcts_generate_store(suite->spec, wcts_cli_suite_strength_max(), out);
    if (out && fclose(out) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "wddm-cts: %s: %s\n", path, strerror(errno));
    return good ? WCTS_EXIT_OK : WCTS_EXIT_BROKEN;
}

int wcts_command_generate(const struct wcts_cli_settings *settings)
{
    if (settings->store && settings->argument_count > 0) {
        fputs("wddm-cts: --store writes what all bases have, expected no base\n", stderr);
        return WCTS_EXIT_USAGE;
    }
    if (!settings->store && settings->argument_count == 0) {
        fputs("wddm-cts: generate needs a base call of cases/\n", stderr);
        wcts_cli_settings_usage(stderr, WCTS_COMMAND_generate);
        return WCTS_EXIT_USAGE;
    }
    return wcts_cli_suite_run(settings, settings->store ? store_combinations : generate);
}
