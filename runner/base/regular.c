/* SPDX-License-Identifier: MIT */
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int wcts_regular_open(const char *path, int flags, const char **wrong)
{
    struct stat status;
    /* Without blocking: a pipe would wait for its writer. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);
    if (fd < 0) {
        *wrong = errno == ELOOP ? "is a symbolic link, expected a file" : strerror(errno);
        return -1;
    }
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        return fd;
    *wrong = S_ISDIR(status.st_mode) ? strerror(EISDIR) : "is no regular file";
    close(fd);
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    return -1;
}

FILE *wcts_regular_file(const char *path, int flags, const char **wrong)
{
    int fd = wcts_regular_open(path, flags, wrong);
    return fd >= 0 ? fdopen(fd, "r") : NULL;
}
