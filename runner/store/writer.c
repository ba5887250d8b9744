/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/digest.h"
#include "../base/regular.h"
#include "../base/text.h"
#include "input.h"
#include "run_dir.h"

#define DEFAULT_PARENT "out"
#define LATEST DEFAULT_PARENT "/latest"
/* At the end of a file's name until it is whole. */
#define NEW ".new"

static bool report_path(const char *path)
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

/* ---- what is in the directory ---- */

/* Named: in a list, clang takes two literals beside each other for a forgotten comma. */
#define DESCRIPTION_NEW WCTS_FILE_RUN NEW
#define PLAN_NEW WCTS_FILE_PLAN NEW

/* The files and directories that a run writes. */
static const char *const own_names[] = {
    WCTS_FILE_PLAN,  WCTS_FILE_JOURNAL, WCTS_FILE_VERDICTS,     WCTS_FILE_RUN,
    DESCRIPTION_NEW, PLAN_NEW,          WCTS_RECORDS_FILE,      WCTS_FILE_BATCHES,
    "scenarios",     "output",          WCTS_DIRECTORY_REACHED,
};

bool wcts_store_rundir_owns(const char *name)
{
    for (size_t i = 0; i < sizeof own_names / sizeof own_names[0]; i++)
        if (strcmp(own_names[i], name) == 0)
            return true;
    return false;
}

static bool has_description(const struct wcts_store_rundir *directory)
{
    json_t *run = wcts_store_input_json(directory->path, WCTS_FILE_RUN, NULL, NULL);
    bool there = json_is_string(json_object_get(run, "tool_version")) &&
                 json_is_string(json_object_get(run, "spec_digest"));
    json_decref(run);
    return there;
}

/* True for what is left of a run that was killed before it described itself: an empty journal is
 * the first that it writes. */
static bool has_begun(const struct wcts_store_rundir *directory)
{
    struct stat status;
    return fstatat(directory->fd, WCTS_FILE_JOURNAL, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(status.st_mode) && status.st_size == 0;
}

/* A run may take the place of another in its directory, but of nothing else. */
static bool may_write(const struct wcts_store_rundir *directory)
{
    bool own_only = has_begun(directory);
    const struct dirent *entry;
    char *foreign = NULL;
    if (has_description(directory))
        return true;
    DIR *list = opendir(directory->path);
    if (!list)
        return report_path(directory->path);
    while (!foreign && (entry = readdir(list)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !(own_only && wcts_store_rundir_owns(entry->d_name)))
            foreign = strdup(entry->d_name);
    closedir(list);
    if (foreign)
        fprintf(stderr,
                "wddm-cts: %s: has %s, which is no run's, expected a new or empty directory or "
                "that of a run\n",
                directory->path, wcts_text_clean(foreign));
    free(foreign);
    return !foreign;
}

/* The lock ends with the process; workers close the descriptor. File systems that cannot lock
 * directories are used without a lock. */
static bool lock(struct wcts_store_rundir *directory)
{
    directory->locked = flock(directory->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (directory->locked)
        return true;
    fprintf(stderr, "wddm-cts: %s: another run writes to this directory, expected one of its own\n",
            directory->path);
    return false;
}

/* ---- writing ---- */

/* Creates the file; an old file, link or pipe of that name is removed, not written to. */
static FILE *create(const struct wcts_store_rundir *directory, const char *name)
{
    int fd = -1;
    if (unlinkat(directory->fd, name, 0) == 0 || errno == ENOENT)
        fd = openat(directory->fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (!file)
        fprintf(stderr, "wddm-cts: %s/%s: %s\n", directory->path, name, strerror(errno));
    return file;
}

/* Removes the files of an earlier run from a subdirectory. A link instead of the directory is not
 * followed. */
static bool empty(const struct wcts_store_rundir *directory, const char *name)
{
    const struct dirent *entry;
    int fd = openat(directory->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    if (!list && errno != ENOENT) {
        fprintf(stderr, "wddm-cts: %s/%s: %s\n", directory->path, name, strerror(errno));
        return false;
    }
    while (list && (entry = readdir(list)) != NULL)
        unlinkat(fd, entry->d_name, 0); /* fails for directories, as it should */
    if (list)
        closedir(list);
    return true;
}

/* Removes what cases reached before the end, and nothing that is no run's. */
static void remove_reached(const struct wcts_store_rundir *directory)
{
    const int fd = openat(directory->fd, WCTS_DIRECTORY_REACHED,
                          O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    struct wcts_store_rundir reached = {.path = directory->path, .fd = fd};
    for (size_t i = 0; i < sizeof own_names / sizeof own_names[0]; i++)
        if (unlinkat(reached.fd, own_names[i], 0) != 0 && errno == EISDIR &&
            empty(&reached, own_names[i]))
            unlinkat(reached.fd, own_names[i], AT_REMOVEDIR);
    close(reached.fd);
    unlinkat(directory->fd, WCTS_DIRECTORY_REACHED, AT_REMOVEDIR);
}

/* ---- the life of the directory ---- */

bool wcts_store_rundir_init(struct wcts_store_rundir *directory, const char *path)
{
    *directory = (struct wcts_store_rundir){.fd = -1};
    directory->path = path ? strdup(path) : make_stamped();
    directory->made = !path || access(path, F_OK) != 0;
    directory->stamped = !path;
    if (!directory->path || !make_directories(directory->path))
        return report_path(path ? path : DEFAULT_PARENT);
    directory->fd = open(directory->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory->fd < 0)
        return report_path(directory->path);
    return lock(directory) && may_write(directory);
}

bool wcts_store_rundir_has_reached(const struct wcts_store_rundir *directory)
{
    return faccessat(directory->fd, WCTS_FILE_BATCHES, F_OK, 0) == 0 &&
           faccessat(directory->fd, WCTS_DIRECTORY_REACHED "/" WCTS_FILE_RUN, F_OK, 0) == 0;
}

bool wcts_store_rundir_begin(struct wcts_store_rundir *directory)
{
    if (!empty(directory, "scenarios") || !empty(directory, "output") ||
        asprintf(&directory->output, "%s/output", directory->path) < 0)
        return false;
    directory->journal = create(directory, WCTS_FILE_JOURNAL);
    /* A description or a plan of an earlier run would be taken for this one's, were it killed now.
     */
    if (!directory->goes_on) {
        unlinkat(directory->fd, WCTS_FILE_RUN, 0);
        remove_reached(directory);
    }
    unlinkat(directory->fd, WCTS_FILE_PLAN, 0);
    unlinkat(directory->fd, WCTS_RECORDS_FILE, 0);
    directory->verdicts = directory->journal ? create(directory, WCTS_FILE_VERDICTS) : NULL;
    directory->batches = directory->verdicts ? create(directory, WCTS_FILE_BATCHES) : NULL;
    if (!directory->batches)
        return false;
    if (!make_directories(directory->output))
        return report_path(directory->output);
    if (directory->stamped)
        point_latest(directory->path);
    return true;
}

void wcts_store_rundir_release(struct wcts_store_rundir *directory)
{
    if (directory->journal)
        fclose(directory->journal);
    if (directory->verdicts)
        fclose(directory->verdicts);
    if (directory->records)
        fclose(directory->records);
    if (directory->batches)
        fclose(directory->batches);
    if (directory->fd >= 0)
        close(directory->fd);
    if (directory->made && directory->locked && !directory->journal)
        rmdir(directory->path); /* nothing was written to it */
    free(directory->output);
    free(directory->path);
}

/* Closes the file; false when anything could not be written. */
static bool close_checked(FILE *file)
{
    bool wrong = ferror(file) != 0;
    return fclose(file) == 0 && !wrong;
}

bool wcts_store_rundir_record(struct wcts_store_rundir *directory, const struct wcts_stored *claims)
{
    directory->records = create(directory, WCTS_RECORDS_FILE);
    bool written = directory->records && wcts_store_records_begin(directory->records);
    for (int i = 0; written && i < 2; i++)
        written =
            wcts_store_records_add(directory->records, wcts_store_records_side(i), &claims[i]);
    return written || report_path(directory->path);
}

char *wcts_store_rundir_plan_line(const struct wcts_plan *plan, const struct wcts_case *test)
{
    const struct wcts_spec *spec = plan->spec;
    char *line = NULL;
    return asprintf(&line, "%s\t%s\t%s\t%s\t%u\t%s\n", test->id, wcts_model_kind_name(test->kind),
                    wcts_model_expect_name(test->expect), spec->versions[test->version].name,
                    test->page_size, spec->statements[test->statement].id) < 0
               ? NULL
               : line;
}

char *wcts_store_rundir_verdict_line(enum wcts_verdict verdict, const char *id, const char *reason)
{
    char *line = NULL;
    return asprintf(&line, "%s\t%s\t%s\n", wcts_model_verdict_name(verdict), id, reason) < 0 ? NULL
                                                                                             : line;
}

/* Writes a line and frees it. */
static bool write_rundir_line(FILE *out, char *line)
{
    bool written = line && fputs(line, out) >= 0;
    free(line);
    return written;
}

bool wcts_store_rundir_plan(const struct wcts_store_rundir *directory, const struct wcts_plan *plan,
                            const int *selected, int count)
{
    FILE *out = create(directory, PLAN_NEW);
    if (!out)
        return false;
    fputs(WCTS_PLAN_HEAD, out);
    for (int i = 0; i < count; i++)
        write_rundir_line(out,
                          wcts_store_rundir_plan_line(plan, WCTS_PLAN_CASE(plan, selected[i])));
    if (close_checked(out) && renameat(directory->fd, PLAN_NEW, directory->fd, WCTS_FILE_PLAN) == 0)
        return true;
    report_path(directory->path);
    unlinkat(directory->fd, PLAN_NEW, 0);
    return false;
}

/* Writes the scenario to a file named after the case, with '-' for '/'. */
static bool keep_scenario(const struct wcts_store_rundir *directory, const char *id,
                          const char *text)
{
    static const char parent[] = "scenarios/";
    char *name = NULL;
    bool kept = (mkdirat(directory->fd, "scenarios", 0777) == 0 || errno == EEXIST) &&
                asprintf(&name, "%s%s.xml", parent, id) > 0;
    for (char *at = kept ? name + strlen(parent) : NULL; at && *at; at++)
        if (*at == '/')
            *at = '-';
    FILE *out = kept ? create(directory, name) : NULL;
    kept = out && fputs(text, out) >= 0;
    if (out)
        kept = close_checked(out) && kept;
    free(name);
    return kept;
}

bool wcts_store_rundir_add(struct wcts_store_rundir *directory, const struct wcts_case *test,
                           const struct wcts_result *result, const char *output)
{
    const char *reason = result->reason ? result->reason : "";
    bool written =
        wcts_store_json_line(directory->journal,
                             wcts_store_result_json(directory->spec, test, result, output)) &&
        write_rundir_line(directory->verdicts,
                          wcts_store_rundir_verdict_line(result->verdict, test->id, reason));
    for (int i = 0; written && directory->records && i <= result->tried; i++)
        written =
            wcts_store_records_add(directory->records, test->id,
                                   i < result->tried ? &result->tries[i].stored : &result->stored);
    if (result->scenario && result->scenario[0])
        written = keep_scenario(directory, test->id, result->scenario) && written;
    directory->added++;
    return written || report_path(directory->path);
}

/* True if the file still exists with the size that was written. */
static bool is_file_whole(const struct wcts_store_rundir *directory, FILE *file, const char *name)
{
    struct stat status;
    if (!file)
        return true;
    if (fflush(file) != 0 || ferror(file))
        return report_path(directory->path);
    long long written = ftello(file);
    if (fstatat(directory->fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        status.st_size = 0;
    if (status.st_size == written)
        return true;
    fprintf(stderr,
            "wddm-cts: %s/%s: has %lld bytes, expected the %lld that were written: something else "
            "writes to the run directory\n",
            directory->path, name, (long long)status.st_size, written);
    return false;
}

bool wcts_store_rundir_is_whole(const struct wcts_store_rundir *directory)
{
    return is_file_whole(directory, directory->journal, WCTS_FILE_JOURNAL) &&
           is_file_whole(directory, directory->verdicts, WCTS_FILE_VERDICTS) &&
           is_file_whole(directory, directory->records, WCTS_RECORDS_FILE);
}

bool wcts_store_rundir_describe(struct wcts_store_rundir *directory, json_t *run, bool finished)
{
    json_t *digests = json_object();
    char digest[65];
    for (int i = 0; finished && wcts_digest_files[i]; i++)
        if (wcts_store_digest_file(directory->path, wcts_digest_files[i], digest))
            json_object_set_new(digests, wcts_digest_files[i], json_string(digest));
    if (finished)
        json_object_set(run, "digests", digests);
    else
        json_object_set_new(run, "end", json_string(WCTS_RUNNING));

    FILE *out = create(directory, DESCRIPTION_NEW);
    bool written = out && json_dumpf(run, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
    /* What takes the place of another file is whole before it does. */
    if (out && finished)
        written = fflush(out) == 0 && (fsync(fileno(out)) == 0 || errno == EINVAL) && written;
    if (out)
        written = close_checked(out) && written;
    written =
        written && renameat(directory->fd, DESCRIPTION_NEW, directory->fd, WCTS_FILE_RUN) == 0;
    json_decref(digests);
    json_decref(run);
    return written || (out && report_path(directory->path));
}

void wcts_store_rundir_end(struct wcts_store_rundir *directory)
{
    unlinkat(directory->fd, WCTS_FILE_BATCHES, 0);
    remove_reached(directory);
}

bool wcts_store_rundir_copy_records(const char *from, const char *to)
{
    FILE *in = wcts_store_input_open(from, WCTS_RECORDS_FILE, NULL), *out = NULL;
    char bytes[65536], *path = NULL;
    size_t size;
    bool copied = true;
    if (!in)
        return true;
    if (asprintf(&path, "%s/" WCTS_RECORDS_FILE, to) >= 0)
        out = fopen(path, "wxe");
    while (out && copied && (size = fread(bytes, 1, sizeof bytes, in)) > 0)
        copied = fwrite(bytes, 1, size, out) == size;
    copied = out && fclose(out) == 0 && copied && !ferror(in);
    fclose(in);
    free(path);
    return copied || report_path(to);
}

/* ---- digests ---- */

const char *const wcts_digest_files[] = {WCTS_FILE_PLAN, WCTS_FILE_JOURNAL, WCTS_FILE_VERDICTS,
                                         WCTS_RECORDS_FILE, NULL};

static bool digest_of(FILE *file, char digest[65])
{
    struct wcts_digest hash;
    uint8_t bytes[16384];
    size_t size;
    bool good;
    digest[0] = '\0';
    if (!file)
        return false;
    wcts_digest_init(&hash);
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
        wcts_digest_add(&hash, bytes, size);
    good = !ferror(file);
    fclose(file);
    if (good)
        wcts_digest_end(&hash, digest);
    return good;
}

bool wcts_store_digest_file(const char *directory, const char *name, char digest[65])
{
    return digest_of(wcts_store_input_open(directory, name, NULL), digest);
}

void wcts_store_digest_path(const char *path, char digest[65])
{
    const char *unused;
    digest_of(wcts_regular_file(path, 0, &unused), digest);
}
