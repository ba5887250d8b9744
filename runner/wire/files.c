/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int64_t moved(ssize_t count, const char **why)
{
    if (count >= 0)
        return count;
    if (errno == EPIPE || errno == ECONNRESET)
        return 0;
    *why = strerror(errno);
    return -1;
}

static int64_t read_bytes(void *ctx, void *to, size_t room, const char **why)
{
    const struct wcts_wire_files *files = ctx;
    ssize_t count;
    do
        count = read(files->in, to, room);
    while (count < 0 && errno == EINTR);
    return moved(count, why);
}

static int64_t write_bytes(void *ctx, const void *from, size_t size, const char **why)
{
    const struct wcts_wire_files *files = ctx;
    ssize_t count;
    do
        count = files->is_socket ? send(files->out, from, size, MSG_NOSIGNAL)
                                 : write(files->out, from, size);
    while (count < 0 && errno == EINTR);
    return moved(count, why);
}

struct wcts_wire_bytes wcts_wire_files_bytes(struct wcts_wire_files *files)
{
    return (struct wcts_wire_bytes){.ctx = files, .read = read_bytes, .write = write_bytes};
}
