/* SPDX-License-Identifier: MIT */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool report_output(const struct wcts_report_output *output)
{
    fprintf(stderr, "wddm-cts: %s: %s\n", output->path, strerror(errno));
    return false;
}

/* Standard output or error, if it is the same file: a second stream would overwrite it. */
static FILE *standard_stream(const struct stat *status)
{
    FILE *const streams[] = {stdout, stderr};
    struct stat own;
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++)
        if (fstat(fileno(streams[i]), &own) == 0 && own.st_dev == status->st_dev &&
            own.st_ino == status->st_ino)
            return streams[i];
    return NULL;
}

/* An unnamed file leaves nothing when the process is killed. Some file systems have none, and
 * without /proc it cannot be named later. */
static int open_unnamed(const char *target)
{
    char *copy = strdup(target);
    int fd = -1;
    if (copy && access("/proc/self/fd", F_OK) == 0)
        fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(copy);
    return fd;
}

static bool open_regular(struct wcts_report_output *output, bool there,
                         enum wcts_report_output_old old)
{
    output->target = there ? realpath(output->path, NULL) : strdup(output->path);
    if (!output->target ||
        asprintf(&output->temporary, "%s.%d.new", output->target, (int)getpid()) < 0)
        return false;
    if (there && access(output->target, W_OK) != 0)
        return false;
    int fd = open_unnamed(output->target);
    output->unnamed = fd >= 0;
    if (!output->unnamed)
        fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    output->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    return output->file && (!there || old == WCTS_OUTPUT_KEEP || unlink(output->target) == 0);
}

bool wcts_report_output_open(struct wcts_report_output *output, const char *path,
                             enum wcts_report_output_old old)
{
    struct stat status;
    *output = (struct wcts_report_output){.path = path};
    if (!path)
        return true;
    if (strcmp(path, "-") == 0) {
        output->file = stdout;
        return true;
    }
    bool there = stat(path, &status) == 0;
    if (!there && errno != ENOENT)
        return report_output(output);
    if (there)
        output->file = standard_stream(&status);
    if (output->file)
        return true;
    if (!there || S_ISREG(status.st_mode))
        return open_regular(output, there, old) || report_output(output);
    int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    output->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    return output->file || report_output(output);
}

static bool is_standard(const struct wcts_report_output *output)
{
    return output->file == stdout || output->file == stderr;
}

/* Links an unnamed file to the temporary name. */
static bool name_temporary(const struct wcts_report_output *output)
{
    char path[64];
    if (!output->unnamed)
        return true;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(output->file));
    unlink(output->temporary);
    return linkat(AT_FDCWD, path, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW) == 0;
}

bool wcts_report_output_commit(struct wcts_report_output *output)
{
    if (!output->path)
        return true;
    bool written = !ferror(output->file);
    errno = written ? 0 : EIO;
    written = fflush(output->file) == 0 && written;
    if (is_standard(output))
        return written || report_output(output);
    written = written && (!output->target || name_temporary(output));
    bool named = written;
    written = fclose(output->file) == 0 && written;
    output->file = NULL;
    if (written && output->target)
        written = rename(output->temporary, output->target) == 0;
    if (written)
        return true;
    report_output(output);
    if (output->target && (named || !output->unnamed))
        unlink(output->temporary);
    return false;
}

void wcts_report_output_release(struct wcts_report_output *output)
{
    if (output->file && !is_standard(output)) {
        fclose(output->file);
        if (output->target && !output->unnamed)
            unlink(output->temporary);
    }
    output->file = NULL;
    free(output->target);
    free(output->temporary);
}
