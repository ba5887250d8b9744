/* SPDX-License-Identifier: MIT */
#include "rundir.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "digest.h"
#include "json.h"
#include "records.h"

#define DEFAULT_PARENT "out"
#define LATEST DEFAULT_PARENT "/latest"

static bool complain(const char *path)
{
    fprintf(stderr, "wddm-cts: %s: %s\n", path, strerror(errno));
    return false;
}

/* Makes path and what is missing above it. */
static bool make_directories(const char *path)
{
    char *copy = strdup(path);
    bool made = copy != NULL;
    for (char *at = copy; made && at;) {
        at = strchr(at + 1, '/');
        if (at)
            *at = '\0';
        made = mkdir(copy, 0777) == 0 || errno == EEXIST;
        if (at)
            *at = '/';
    }
    free(copy);
    return made;
}

/* A new directory under out/, named after the time; runs of the same second are numbered. */
static char *make_stamped(void)
{
    char stamp[32];
    struct tm tm;
    time_t now = time(NULL);

    gmtime_r(&now, &tm);
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &tm);
    if (!make_directories(DEFAULT_PARENT))
        return NULL;
    for (int number = 1; number < 1000; number++) {
        char *path = NULL;
        if ((number == 1 ? asprintf(&path, DEFAULT_PARENT "/%s", stamp)
                         : asprintf(&path, DEFAULT_PARENT "/%s-%d", stamp, number)) < 0)
            return NULL;
        if (mkdir(path, 0777) == 0)
            return path;
        free(path);
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

static void point_latest(const char *path)
{
    char temporary[64];
    snprintf(temporary, sizeof temporary, LATEST ".%d", (int)getpid());
    /* Only a convenience: that it cannot be made is no reason to stop. */
    if (symlink(path + strlen(DEFAULT_PARENT "/"), temporary) != 0)
        return;
    if (rename(temporary, LATEST) != 0)
        unlink(temporary);
}

static FILE *open_in(const char *directory, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        return NULL;
    FILE *file = fopen(path, "we");
    if (!file)
        complain(path);
    free(path);
    return file;
}

/* What failed in an earlier run into the same directory. */
static void empty_scenarios(const char *path)
{
    char *scenarios = NULL, *file = NULL;
    const struct dirent *entry;
    DIR *directory;
    if (asprintf(&scenarios, "%s/scenarios", path) < 0)
        return;
    directory = opendir(scenarios);
    while (directory && (entry = readdir(directory)) != NULL)
        if (entry->d_name[0] != '.' && asprintf(&file, "%s/%s", scenarios, entry->d_name) > 0) {
            unlink(file);
            free(file);
        }
    if (directory)
        closedir(directory);
    free(scenarios);
}

static void remove_records(const char *path)
{
    char *file = NULL;
    if (asprintf(&file, "%s/" WCTS_RECORDS_FILE, path) >= 0)
        unlink(file);
    free(file);
}

static bool has(const char *directory, const char *name)
{
    char *path = NULL;
    bool there = asprintf(&path, "%s/%s", directory, name) >= 0 && access(path, F_OK) == 0;
    free(path);
    return there;
}

/* A run may take the place of another in its directory, but of nothing else. */
static bool would_lose(const char *directory)
{
    static const char *const names[] = {"verdicts.txt", "run.json", "plan.tsv"};
    for (size_t i = 0; !has(directory, "journal.jsonl") && i < sizeof names / sizeof *names; i++)
        if (has(directory, names[i])) {
            fprintf(stderr,
                    "wddm-cts: %s/%s: is there, and not of a run, expected a new directory or that "
                    "of a run\n",
                    directory, names[i]);
            return true;
        }
    return false;
}

bool wcts_rundir_init(struct wcts_rundir *directory, const char *path)
{
    *directory = (struct wcts_rundir){0};
    directory->path = path ? strdup(path) : make_stamped();
    if (!directory->path || !make_directories(directory->path))
        return complain(path ? path : DEFAULT_PARENT);
    if (would_lose(directory->path))
        return false;
    if (asprintf(&directory->output, "%s/output", directory->path) < 0)
        return false;
    if (!make_directories(directory->output))
        return complain(directory->output);
    empty_scenarios(directory->path);
    remove_records(directory->path);
    if (!path)
        point_latest(directory->path);
    directory->journal = open_in(directory->path, "journal.jsonl");
    directory->verdicts = open_in(directory->path, "verdicts.txt");
    return directory->journal && directory->verdicts;
}

void wcts_rundir_release(struct wcts_rundir *directory)
{
    if (directory->journal)
        fclose(directory->journal);
    if (directory->verdicts)
        fclose(directory->verdicts);
    if (directory->records)
        fclose(directory->records);
    free(directory->output);
    free(directory->path);
}

/* Closes the file; false when anything could not be written. */
static bool close_checked(FILE *file)
{
    bool wrong = ferror(file) != 0;
    return fclose(file) == 0 && !wrong;
}

bool wcts_rundir_record(struct wcts_rundir *directory, const struct wcts_tape_record *claims)
{
    directory->records = open_in(directory->path, WCTS_RECORDS_FILE);
    bool written = directory->records && wcts_records_begin(directory->records);
    for (int i = 0; written && i < 2; i++)
        written = wcts_records_add(directory->records, wcts_records_side(i), &claims[i]);
    return written || complain(directory->path);
}

void wcts_rundir_plan_line(FILE *out, const struct wcts_plan *plan, const struct wcts_case *one)
{
    const struct wcts_spec *spec = plan->spec;
    fprintf(out, "%s\t%s\t%s\t%s\t%u\t%s\n", one->id, wcts_kind_name(one->kind),
            wcts_expect_name(one->expect), spec->versions[one->version].name, one->page_size,
            spec->statements[one->statement].id);
}

bool wcts_rundir_plan(const struct wcts_rundir *directory, const struct wcts_run *run)
{
    FILE *out = open_in(directory->path, "plan.tsv");
    if (!out)
        return false;
    fputs(WCTS_PLAN_HEAD, out);
    for (int i = 0; i < run->selected_count; i++)
        wcts_rundir_plan_line(out, run->plan, &run->plan->cases[run->selected[i]]);
    return close_checked(out) || complain(directory->path);
}

/* Kept under the case's id, which may hold slashes. */
static bool keep_scenario(const struct wcts_rundir *directory, const char *id, const char *text)
{
    char *path = NULL, *file = NULL;
    bool kept = asprintf(&path, "%s/scenarios", directory->path) > 0 && make_directories(path) &&
                asprintf(&file, "%s.xml", id) > 0;
    for (char *at = file; kept && *at; at++)
        if (*at == '/')
            *at = '-';
    FILE *out = kept ? open_in(path, file) : NULL;
    kept = out && fputs(text, out) >= 0;
    if (out)
        kept = close_checked(out) && kept;
    free(path);
    free(file);
    return kept;
}

bool wcts_rundir_add(struct wcts_rundir *directory, const struct wcts_case *one,
                     const struct wcts_result *result, const char *output)
{
    json_t *entry = wcts_json_blame(wcts_json_case(one, result, output), directory->spec, result);
    bool written =
        wcts_json_line(directory->journal, entry) &&
        fprintf(directory->verdicts, "%s\t%s\t%s\n", wcts_verdict_name(result->verdict), one->id,
                result->reason ? result->reason : "") > 0 &&
        (!directory->records || wcts_records_add(directory->records, one->id, &result->tape));
    if (result->scenario && result->scenario[0])
        written = keep_scenario(directory, one->id, result->scenario) && written;
    return written || complain(directory->path);
}

json_t *wcts_rundir_run(const struct wcts_rundir *directory)
{
    char *path = NULL;
    json_t *value =
        asprintf(&path, "%s/run.json", directory->path) > 0 ? json_load_file(path, 0, NULL) : NULL;
    free(path);
    return value;
}

bool wcts_rundir_describe(struct wcts_rundir *directory, const struct wcts_run *run, bool finished)
{
    char *path = NULL, *temporary = NULL;
    json_t *value = wcts_json_run(run);
    bool flushed = fflush(directory->journal) == 0 && fflush(directory->verdicts) == 0 &&
                   (!directory->records || fflush(directory->records) == 0);
    if (finished)
        json_object_set_new(value, "digests", wcts_digest_directory(directory->path));
    else
        json_object_set_new(value, "end", json_string("running"));

    bool written = flushed && asprintf(&path, "%s/run.json", directory->path) > 0 &&
                   asprintf(&temporary, "%s.new", path) > 0 &&
                   json_dump_file(value, temporary, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 &&
                   rename(temporary, path) == 0;
    json_decref(value);
    free(path);
    free(temporary);
    return written || complain(directory->path);
}
