/* SPDX-License-Identifier: MIT */
#include "reread.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../runner/base/array.h"
#include "../runner/judge/judge.h"
#include "../runner/load/profile.h"
#include "headline.h"
#include "json.h"
#include "reseen.h"

struct report_rereading {
    struct wcts_report_loaded_run from;
    struct wcts_report_run run;
    struct wcts_store_rundir to;
    struct wcts_baseline *baseline; /* NULL: the run had none */
    struct wcts_profile *own;       /* the run's, loaded again; NULL: it had none */
    const struct wcts_profile *profile;
    struct wcts_report_reseen *reseen; /* NULL: the run saw what the profile asks */
};

static bool reread_complain(const struct report_rereading *rereading, const char *what)
{
    return wcts_store_reader_error(&rereading->from.reader, WCTS_FILE_RUN, 0, "%s", what);
}

/* Loads the baseline of the run, which must not have changed. */
static bool load_same_baseline(struct report_rereading *rereading)
{
    const json_t *said = json_object_get(rereading->from.description, "baseline");
    const char *path = wcts_store_json_member(said, "file");
    struct wcts_diagnostics diagnostics = {.out = stderr};
    if (!json_is_object(said))
        return true;
    rereading->baseline = wcts_baseline_load(path, &diagnostics);
    if (!rereading->baseline ||
        !wcts_baseline_bind(rereading->baseline, rereading->from.plan, &diagnostics))
        return false;
    return strcmp(rereading->baseline->digest, wcts_store_json_member(said, "digest")) == 0 ||
           reread_complain(rereading, "the baseline has changed since, expected that of the run");
}

/* Loads the profile of the run, which must not have changed. */
static bool load_same_profile(struct report_rereading *rereading,
                              const struct wcts_report_load_options *options)
{
    const struct wcts_profile *said = rereading->from.run.asked.profile;
    if (!said)
        return true;
    rereading->own = options->profile(options->ctx, said->shipped ? said->name : said->path);
    rereading->profile = rereading->own;
    return rereading->own &&
           (strcmp(rereading->own->digest, said->digest) == 0 ||
            reread_complain(rereading, "the profile has changed since, expected that of the run"));
}

/* What the run itself saw, if its profile is the same, or else what its records show. */
static bool prepare_profile(struct report_rereading *rereading,
                            const struct wcts_report_load_options *options,
                            const struct wcts_report_reread_as *as)
{
    const struct wcts_report_run *run = &rereading->from.run;
    const struct wcts_profile *said = run->asked.profile;
    if (!as->profile_given)
        return load_same_profile(rereading, options);
    rereading->profile = as->profile;
    if (!as->profile || (said && strcmp(said->digest, as->profile->digest) == 0))
        return true;
    rereading->reseen = wcts_report_reseen_new(rereading->from.directory, rereading->from.plan,
                                               &run->claims, said, as->profile);
    return rereading->reseen != NULL;
}

/* The run with its own options, except for the level and the profile. */
static bool begin_reading(struct report_rereading *rereading,
                          const struct wcts_report_reread_as *as,
                          const struct wcts_plan_mustpass *mustpass)
{
    const struct wcts_report_loaded_run *from = &rereading->from;
    const json_t *description = from->description;
    struct wcts_report_run *run = &rereading->run;
    if (!wcts_report_run_init(run, &from->run.asked, from->plan, from->selected,
                              from->run.selected_count) ||
        wcts_report_json_read_run(run, description, false))
        return false;
    if (as->level_given)
        run->asked.level = as->level;
    run->asked.profile = rereading->profile;
    run->asked.profile_named = run->asked.profile_named && !as->profile_given;
    run->planned = (int)json_integer_value(json_object_get(description, "planned"));
    run->asked.repeat = (int)json_integer_value(json_object_get(description, "repeat"));
    run->asked.retries = (int)json_integer_value(json_object_get(description, "retries"));
    run->asked.command_line = wcts_store_json_member(description, "command_line");
    snprintf(run->implementation_digest, sizeof run->implementation_digest, "%s",
             wcts_store_json_member(json_object_get(description, "implementation"), "sha256"));
    run->mustpass = json_is_object(json_object_get(description, "mustpass")) ? mustpass : NULL;
    run->baseline = rereading->baseline;
    run->directory = rereading->to.path;
    rereading->to.spec = from->plan->spec;
    return wcts_store_rundir_begin(&rereading->to) &&
           wcts_store_rundir_plan(&rereading->to, run->plan, run->selected, run->selected_count);
}

static bool add_reread(struct report_rereading *rereading, const struct wcts_store_entry *entry,
                       const struct wcts_case *test)
{
    struct wcts_report_run *run = &rereading->run;
    struct wcts_result result;
    bool added = false;
    if (!wcts_store_entry_found(entry, run->plan->spec, &result))
        return reread_complain(rereading, "the journal has findings that cannot be read");
    if (rereading->reseen && !wcts_report_reseen_case(rereading->reseen, test, &result)) {
        wcts_model_result_release(&result);
        return false;
    }
    wcts_judge_result_read(run->plan, test, &run->asked, &result);
    if (!result.reason)
        result.reason = strdup("");
    if (result.reason) {
        wcts_baseline_signature(run->plan, test, &result);
        added = !rereading->baseline ||
                wcts_baseline_apply(rereading->baseline, &run->claims, test, &result);
    }
    if (added) {
        wcts_report_run_count(run, test, &result, entry->output);
        added = wcts_store_rundir_add(&rereading->to, test, &result, entry->output);
    }
    wcts_model_result_release(&result);
    return added;
}

static bool add_journal(struct report_rereading *rereading)
{
    const struct wcts_report_run *run = &rereading->run;
    struct wcts_store_journal journal = {0};
    struct wcts_store_entry entry;
    bool good = wcts_store_journal_open(&journal, rereading->from.directory, run->plan->spec);
    for (int i = 0; good && i < run->selected_count && wcts_store_journal_next(&journal, &entry);
         i++) {
        struct wcts_case made;
        const struct wcts_case *test = wcts_plan_case(run->plan, run->selected[i], &made);
        good = strcmp(entry.id, test->id) == 0 && add_reread(rereading, &entry, test);
        wcts_store_entry_release(&entry);
    }
    wcts_store_journal_close(&journal);
    if (good && run->total.count != rereading->from.run.total.count)
        return reread_complain(rereading, "the journal is not what it was a moment ago");
    return good;
}

/* The numbers of sequences do not depend on the level. */
static bool describe_read(struct report_rereading *rereading)
{
    json_t *value;
    const json_t *sequences = json_object_get(rereading->from.description, "sequences");
    if (rereading->baseline)
        wcts_baseline_conclude(rereading->baseline);
    wcts_report_run_conclude(&rereading->run);
    value = wcts_report_json_run(&rereading->run);
    if (sequences)
        json_object_set(value, "sequences", (json_t *)(uintptr_t)sequences);
    return wcts_store_rundir_copy_records(rereading->from.directory, rereading->to.path) &&
           wcts_store_rundir_is_whole(&rereading->to) &&
           wcts_store_rundir_describe(&rereading->to, value, true);
}

/* ---- the temporary directory ---- */

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *at)
{
    (void)about;
    (void)type;
    (void)at;
    return remove(path);
}

static void remove_tree(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* A process that removes a directory when this one has ended, in whatever way: its end of the pipe
 * is closed then. */
static struct report_guard {
    char *path; /* whose it is; not owned */
    int end;    /* the other end of the pipe */
    pid_t pid;
} * guards;
static int guard_count;

static _Noreturn void guard_main(const char *path, int end)
{
    char byte;
    setsid(); /* an interrupt from the terminal is not meant for it */
    dup2(end, STDIN_FILENO);
    close_range(STDIN_FILENO + 1, ~0u, 0);
    while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
        continue;
    remove_tree(path);
    _exit(0);
}

/* Without a guard the directory is removed all the same, unless this process is ended before. */
static void guard(char *path)
{
    int ends[2];
    struct report_guard *added = NULL;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        guard_main(path, ends[0]);
    close(ends[0]);
    if (pid > 0)
        added = WCTS_ARRAY_ADD(guards, guard_count);
    if (added)
        *added = (struct report_guard){path, ends[1], pid};
    else
        close(ends[1]);
}

static void end_guard(const char *path)
{
    for (int i = 0; i < guard_count; i++)
        if (guards[i].path == path) {
            close(guards[i].end);
            while (waitpid(guards[i].pid, NULL, 0) < 0 && errno == EINTR)
                continue;
            guards[i] = guards[--guard_count];
        }
    if (guard_count == 0) {
        free(guards);
        guards = NULL;
    }
}

static char *make_temporary(void)
{
    const char *parent = getenv("TMPDIR");
    char *path = NULL;
    if (asprintf(&path, "%s/wddm-cts-XXXXXX", parent && parent[0] ? parent : "/tmp") < 0)
        return NULL;
    if (mkdtemp(path)) {
        guard(path);
        return path;
    }
    fprintf(stderr, "wddm-cts: %s: %s, expected a directory for temporary files%s\n", path,
            strerror(errno),
            parent && parent[0] ? ", which TMPDIR names" : "; TMPDIR names another");
    free(path);
    return NULL;
}

char *wcts_report_reread(const char *directory, const struct wcts_report_load_options *options,
                         const struct wcts_report_reread_as *as,
                         const struct wcts_plan_mustpass *mustpass)
{
    struct report_rereading rereading = {.to = {.fd = -1}};
    char *path = NULL;
    bool read = wcts_report_loaded_run_init(&rereading.from, directory, options) == WCTS_EXIT_OK;
    if (read && rereading.from.reader.running)
        read = reread_complain(
            &rereading, as->level_given
                            ? "the run has not ended, expected a finished one for --level"
                            : "the run has not ended, expected a finished one for --profile");
    if (read && (path = make_temporary()))
        read = load_same_baseline(&rereading) && wcts_store_rundir_init(&rereading.to, path) &&
               prepare_profile(&rereading, options, as) &&
               begin_reading(&rereading, as, mustpass) && add_journal(&rereading) &&
               describe_read(&rereading);
    wcts_report_reseen_free(rereading.reseen);
    wcts_store_rundir_release(&rereading.to);
    if (rereading.run.plan)
        wcts_report_run_release(&rereading.run);
    wcts_baseline_free(rereading.baseline);
    wcts_load_profile_free(rereading.own);
    wcts_report_loaded_run_release(&rereading.from);
    if (read)
        return path;
    wcts_report_reread_remove(path);
    return NULL;
}

void wcts_report_reread_remove(char *path)
{
    if (path) {
        remove_tree(path);
        end_guard(path);
    }
    free(path);
}
