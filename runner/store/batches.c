/* SPDX-License-Identifier: MIT */
/*
 * The file "batches" of a run directory: after each batch of cases, how much of the other files is
 * whole, so that a run that was killed can go on behind it. Each line has decimal numbers, the
 * cases so far, the milliseconds so far, the sizes of journal, verdicts and records, and two
 * checksums in 16 hexadecimal digits: of the bytes that the batch added to the files, in that
 * order, and of the line up to there: 64 21 9021 4100 16012 5b1f03c1a5520b7e 90aa5e01c6a1f3d2 The
 * files are written before their line. A run that was killed has therefore, behind the bytes of its
 * last line, only what it was writing. A run that has reached its end has no such file.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/array.h"
#include "../base/checksum.h"
#include "input.h"
#include "run_dir.h"

static const char *const growing_names[WCTS_STORE_GROWING] = {WCTS_FILE_JOURNAL, WCTS_FILE_VERDICTS,
                                                              WCTS_RECORDS_FILE};

static void growing_files(const struct wcts_store_rundir *directory,
                          FILE *files[WCTS_STORE_GROWING])
{
    files[0] = directory->journal;
    files[1] = directory->verdicts;
    files[2] = directory->records;
}

static bool report_file(const struct wcts_store_rundir *directory, const char *name)
{
    fprintf(stderr, "wddm-cts: %s/%s: %s\n", directory->path, name, strerror(errno));
    return false;
}

/* Adds the bytes of a file from one position to another to a checksum. False when they cannot be
 * read: there are not so many. */
static bool sum_bytes(uint64_t *sum, int fd, long from, long to)
{
    uint8_t bytes[65536];
    while (from < to) {
        size_t size = to - from < (long)sizeof bytes ? (size_t)(to - from) : sizeof bytes;
        ssize_t got = pread(fd, bytes, size, from);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        *sum = wcts_checksum(*sum, bytes, (size_t)got);
        from += got;
    }
    return true;
}

/* ---- writing ---- */

/* Only once the bytes are on the disk may there be a line about them. What could not be written
 * once is lost, although there may be room later: fflush() has nothing left to write then. */
static bool sync_file(FILE *file)
{
    if (fflush(file) == 0 && ferror(file))
        errno = EIO;
    return !ferror(file) && (fdatasync(fileno(file)) == 0 || errno == EINVAL || errno == EROFS);
}

static bool write_line(FILE *out, const struct wcts_store_extent *extent, uint64_t sum)
{
    char line[256];
    int used =
        snprintf(line, sizeof line, "%d %" PRIu64 " %ld %ld %ld %016" PRIx64, extent->cases,
                 extent->milliseconds, extent->sizes[0], extent->sizes[1], extent->sizes[2], sum);
    return fprintf(out, "%s %016" PRIx64 "\n", line, wcts_checksum(0, line, (size_t)used)) > 0 &&
           sync_file(out);
}

bool wcts_store_rundir_flush(struct wcts_store_rundir *directory, uint64_t milliseconds)
{
    struct wcts_store_extent now = {directory->added, milliseconds, {0}};
    FILE *files[WCTS_STORE_GROWING];
    uint64_t sum = 0;
    if (!directory->batches || directory->added == directory->whole.cases)
        return true;
    growing_files(directory, files);
    for (int i = 0; i < WCTS_STORE_GROWING; i++) {
        if (!files[i])
            continue;
        if (!sync_file(files[i]))
            return report_file(directory, growing_names[i]);
        now.sizes[i] = ftell(files[i]);
        if (!sum_bytes(&sum, fileno(files[i]), directory->whole.sizes[i], now.sizes[i]))
            return report_file(directory, growing_names[i]);
    }
    if (!write_line(directory->batches, &now, sum))
        return report_file(directory, WCTS_FILE_BATCHES);
    directory->whole = now;
    return true;
}

/* ---- going on ---- */

/* A line of the file. */
struct store_batch {
    struct wcts_store_extent extent;
    uint64_t sum;
    long end; /* of the line in the file */
};

/* What is read of the file: lines up to the first that is not whole. */
struct store_batches {
    struct store_batch *of;
    int count;
    int lines; /* all lines, whole or not */
};

static bool read_batch(struct store_batch *batch, const char *line)
{
    uint64_t own;
    int sum_at = 0, end = 0;
    struct wcts_store_extent *extent = &batch->extent;
    if (strlen(line) > 200 ||
        sscanf(line, "%d %" SCNu64 " %ld %ld %ld %" SCNx64 "%n %16" SCNx64 "\n%n", &extent->cases,
               &extent->milliseconds, &extent->sizes[0], &extent->sizes[1], &extent->sizes[2],
               &batch->sum, &sum_at, &own, &end) < 7)
        return false;
    return end > 0 && line[end] == '\0' && line[end - 1] == '\n' &&
           own == wcts_checksum(0, line, (size_t)sum_at);
}

/* True if the batch adds to the one before it. */
static bool extent_follows(const struct wcts_store_extent *next,
                           const struct wcts_store_extent *before)
{
    bool grows = next->cases > before->cases;
    for (int i = 0; i < WCTS_STORE_GROWING; i++)
        grows = grows && next->sizes[i] >= before->sizes[i];
    return grows;
}

/* A line that no run writes, or one behind a line that is not whole: a kill leaves none there. */
static bool report_changed(const struct wcts_store_rundir *directory, int line)
{
    fprintf(stderr,
            "wddm-cts: %s/%s:%d: no line of a run, expected one, since more follows: the file was "
            "changed, and the run cannot go on\n",
            directory->path, WCTS_FILE_BATCHES, line);
    return false;
}

static bool add_line(struct store_batches *batches, const struct wcts_store_rundir *directory,
                     const char *line, long end)
{
    static const struct wcts_store_extent nothing = {0};
    bool cut = batches->count < batches->lines++;
    struct store_batch batch = {.end = end};
    if (!read_batch(&batch, line))
        return true;
    if (cut || !extent_follows(&batch.extent,
                               batches->count ? &batches->of[batches->count - 1].extent : &nothing))
        return report_changed(directory, batches->count + 1);
    struct store_batch *added = WCTS_ARRAY_ADD(batches->of, batches->count);
    if (!added)
        return report_file(directory, WCTS_FILE_BATCHES);
    *added = batch;
    return true;
}

/* What is no batch ends the list. *there: false when there is no such file. False with a message.
 */
static bool read_batches(struct store_batches *batches, const struct wcts_store_rundir *directory,
                         bool *there)
{
    const char *wrong;
    FILE *file = wcts_store_input_open(directory->path, WCTS_FILE_BATCHES, &wrong);
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    *there = file || errno != ENOENT;
    if (!*there)
        return true;
    if (!file) {
        fprintf(stderr, "wddm-cts: %s/%s: %s\n", directory->path, WCTS_FILE_BATCHES, wrong);
        return false;
    }
    while (good && wcts_store_input_line(&line, &room, file) > 0)
        good = add_line(batches, directory, line, ftell(file));
    if (good && !wcts_store_input_ended(file))
        good = report_changed(directory, batches->lines + 1);
    free(line);
    fclose(file);
    return good;
}

/* Opens a file of the run to read it and, on demand, to write on. NULL with errno. */
static FILE *open_growing(const struct wcts_store_rundir *directory, const char *name, bool writes)
{
    struct stat status;
    int fd = openat(directory->fd, name,
                    (writes ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        return fdopen(fd, writes ? "r+" : "r");
    if (fd >= 0) {
        close(fd);
        errno = EINVAL;
    }
    return NULL;
}

static bool open_files(struct wcts_store_rundir *directory, const struct store_batches *batches,
                       bool writes)
{
    bool recorded = batches->of[batches->count - 1].extent.sizes[2] > 0;
    directory->journal = open_growing(directory, WCTS_FILE_JOURNAL, writes);
    if (!directory->journal)
        return report_file(directory, WCTS_FILE_JOURNAL);
    directory->verdicts = open_growing(directory, WCTS_FILE_VERDICTS, writes);
    if (!directory->verdicts)
        return report_file(directory, WCTS_FILE_VERDICTS);
    directory->records = recorded ? open_growing(directory, WCTS_RECORDS_FILE, writes) : NULL;
    if (recorded && !directory->records)
        return report_file(directory, WCTS_RECORDS_FILE);
    directory->batches = open_growing(directory, WCTS_FILE_BATCHES, writes);
    return directory->batches || report_file(directory, WCTS_FILE_BATCHES);
}

/* True if the files have the bytes that were written in the batch. */
static bool is_batch_whole(const struct wcts_store_rundir *directory,
                           const struct store_batch *batch, const struct wcts_store_extent *before)
{
    FILE *files[WCTS_STORE_GROWING];
    uint64_t sum = 0;
    growing_files(directory, files);
    for (int i = 0; i < WCTS_STORE_GROWING; i++)
        if (batch->extent.sizes[i] > before->sizes[i] &&
            (!files[i] ||
             !sum_bytes(&sum, fileno(files[i]), before->sizes[i], batch->extent.sizes[i])))
            return false;
    return sum == batch->sum;
}

/* The number of batches from the first on whose bytes are there. Behind one that is not there may
 * be no other: then a file was changed, or is another one. -1 with a message. */
static int count_whole(const struct wcts_store_rundir *directory,
                       const struct store_batches *batches)
{
    struct wcts_store_extent before = {0};
    int whole = -1;
    for (int i = 0; i < batches->count; i++) {
        const struct store_batch *batch = &batches->of[i];
        bool good = is_batch_whole(directory, batch, &before);
        if (!good && whole < 0)
            whole = i;
        if (good && whole >= 0) {
            const struct wcts_store_extent *from =
                whole > 0 ? &batches->of[whole - 1].extent : &(struct wcts_store_extent){0};
            const struct wcts_store_extent *to = &batches->of[whole].extent;
            fprintf(stderr,
                    "wddm-cts: %s/%s:%d: bytes %ld to %ld of %s, %ld to %ld of %s or %ld to %ld of "
                    "%s have another checksum, expected %016" PRIx64
                    ": the files were changed, and the run cannot go on\n",
                    directory->path, WCTS_FILE_BATCHES, whole + 1, from->sizes[0], to->sizes[0],
                    growing_names[0], from->sizes[1], to->sizes[1], growing_names[1],
                    from->sizes[2], to->sizes[2], growing_names[2], batches->of[whole].sum);
            return -1;
        }
        before = batch->extent;
    }
    return whole < 0 ? batches->count : whole;
}

static void close_files(struct wcts_store_rundir *directory)
{
    FILE **const files[] = {&directory->journal, &directory->verdicts, &directory->records,
                            &directory->batches};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (*files[i])
            fclose(*files[i]);
        *files[i] = NULL;
    }
}

static bool refuse_batches(const struct wcts_store_rundir *directory, const char *found)
{
    fprintf(stderr,
            "wddm-cts: %s/%s: %s, expected that of the run: the results that were stored cannot be "
            "told from others, and the run cannot go on; begin it anew\n",
            directory->path, WCTS_FILE_BATCHES, found);
    return false;
}

/* Workers write to the directory: it may be no link to another. */
static bool open_output(struct wcts_store_rundir *directory)
{
    int fd = mkdirat(directory->fd, "output", 0777) == 0 || errno == EEXIST
                 ? openat(directory->fd, "output", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                 : -1;
    if (fd < 0)
        return report_file(directory, "output");
    close(fd);
    return asprintf(&directory->output, "%s/output", directory->path) >= 0;
}

bool wcts_store_rundir_reopen(struct wcts_store_rundir *directory, int *count, bool *ended)
{
    struct store_batches batches = {0};
    bool there = false;
    int whole = 0;
    bool good = read_batches(&batches, directory, &there);
    *count = 0;
    if (good && !there && !*ended)
        good = refuse_batches(directory, "no such file");
    *ended = !there;
    if (good && batches.count > 0) {
        good = open_files(directory, &batches, true);
        whole = good ? count_whole(directory, &batches) : -1;
        good = whole > 0 || (whole == 0 && refuse_batches(directory, "a first batch whose bytes "
                                                                     "are not in the files"));
    }
    if (good && whole > 0) {
        const struct store_batch *last = &batches.of[whole - 1];
        good = open_output(directory);
        directory->whole = last->extent;
        directory->batches_end = last->end;
        *count = directory->added = last->extent.cases;
    } else if (good && batches.lines > 0) {
        fprintf(stderr,
                "wddm-cts: %s/%s:1: no batch is whole; the run begins with its first case\n",
                directory->path, WCTS_FILE_BATCHES);
    }
    free(batches.of);
    return good;
}

bool wcts_store_rundir_cut(struct wcts_store_rundir *directory)
{
    FILE *const files[] = {directory->journal, directory->verdicts, directory->records,
                           directory->batches};
    const char *const names[] = {growing_names[0], growing_names[1], growing_names[2],
                                 WCTS_FILE_BATCHES};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        long size,
            end = i < WCTS_STORE_GROWING ? directory->whole.sizes[i] : directory->batches_end;
        if (!files[i])
            continue;
        if (fseek(files[i], 0, SEEK_END) != 0 || (size = ftell(files[i])) < end ||
            (size > end && ftruncate(fileno(files[i]), end) != 0) ||
            fseek(files[i], end, SEEK_SET) != 0)
            return report_file(directory, names[i]);
        if (size > end)
            fprintf(stderr,
                    "wddm-cts: %s/%s: the last %ld of %ld bytes were being written when the run "
                    "ended; their cases are run again\n",
                    directory->path, names[i], size - end, size);
    }
    return true;
}

bool wcts_store_rundir_count_whole(const char *path, int *count)
{
    struct wcts_store_rundir directory = {
        .path = (char *)(uintptr_t)path,
        .fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
    };
    struct store_batches batches = {0};
    bool there;
    int whole = 0;
    bool good = directory.fd >= 0 ? read_batches(&batches, &directory, &there)
                                  : report_file(&directory, WCTS_FILE_BATCHES);
    if (good && batches.count > 0) {
        good = open_files(&directory, &batches, false);
        whole = good ? count_whole(&directory, &batches) : -1;
        good = whole >= 0;
    }
    *count = whole > 0 ? batches.of[whole - 1].extent.cases : 0;
    close_files(&directory);
    if (directory.fd >= 0)
        close(directory.fd);
    free(batches.of);
    return good;
}

bool wcts_store_rundir_same_plan(const struct wcts_store_rundir *directory,
                                 const struct wcts_plan *plan, const int *selected, int count)
{
    const char *wrong;
    FILE *file = wcts_store_input_open(directory->path, WCTS_FILE_PLAN, &wrong);
    char *line = NULL;
    size_t room = 0;
    long number = 0;
    bool same = file != NULL;
    if (!file)
        fprintf(stderr, "wddm-cts: %s/%s: %s\n", directory->path, WCTS_FILE_PLAN, wrong);
    for (; same && number <= count + 1; number++) {
        bool more = wcts_store_input_line(&line, &room, file) > 0;
        char *made =
            number == 0 ? strdup(WCTS_PLAN_HEAD)
            : number <= count
                ? wcts_store_rundir_plan_line(plan, WCTS_PLAN_CASE(plan, selected[number - 1]))
                : NULL;
        same = made ? more && strcmp(line, made) == 0 : !more;
        if (!same)
            fprintf(stderr,
                    "wddm-cts: %s/%s:%ld: found %.*s, expected %.*s: the run has another plan\n",
                    directory->path, WCTS_FILE_PLAN, number + 1,
                    more ? (int)strcspn(line, "\n") : 7, more ? line : "the end",
                    made ? (int)strcspn(made, "\n") : 7, made ? made : "the end");
        free(made);
    }
    free(line);
    if (file)
        fclose(file);
    return same;
}
