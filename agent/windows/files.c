/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <stdio.h>

const char *agent_error_text(DWORD error, char *text, size_t room)
{
    DWORD size = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                                error, 0, text, (DWORD)room, NULL);
    while (size > 0 && (unsigned char)text[size - 1] <= ' ')
        size--;
    text[size] = '\0';
    if (size == 0)
        snprintf(text, room, "error %lu", (unsigned long)error);
    return text;
}

/* What a transfer came to. That the other end has gone is no error. */
static int64_t moved(bool done, int64_t count, DWORD error, const char **why)
{
    static char text[200];
    if (done)
        return count;
    switch (error) {
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
    case ERROR_HANDLE_EOF:
    case WSAECONNRESET:
    case WSAECONNABORTED:
        return 0;
    default:
        *why = agent_error_text(error, text, sizeof text);
        return -1;
    }
}

/* As much as one transfer takes. */
static DWORD at_once(size_t size)
{
    return size < 0x100000 ? (DWORD)size : 0x100000;
}

static int64_t read_bytes(void *ctx, void *to, size_t room, const char **why)
{
    const struct agent_files *files = ctx;
    DWORD count = 0;
    if (!files->is_socket) {
        bool done = ReadFile(files->in, to, at_once(room), &count, NULL);
        return moved(done, count, GetLastError(), why);
    }
    int got = recv((SOCKET)files->in, to, (int)at_once(room), 0);
    return moved(got >= 0, got, (DWORD)WSAGetLastError(), why);
}

static int64_t write_bytes(void *ctx, const void *from, size_t size, const char **why)
{
    const struct agent_files *files = ctx;
    DWORD count = 0;
    if (!files->is_socket) {
        bool done = WriteFile(files->out, from, at_once(size), &count, NULL);
        return moved(done, count, GetLastError(), why);
    }
    int sent = send((SOCKET)files->out, from, (int)at_once(size), 0);
    return moved(sent >= 0, sent, (DWORD)WSAGetLastError(), why);
}

struct wcts_wire_bytes agent_files_bytes(struct agent_files *files)
{
    return (struct wcts_wire_bytes){.ctx = files, .read = read_bytes, .write = write_bytes};
}

bool agent_files_are_left(const struct agent_files *files)
{
    WSAPOLLFD one = {.fd = (SOCKET)files->in, .events = POLLRDNORM};
    if (files->is_socket)
        return WSAPoll(&one, 1, 0) == 1 && (one.revents & (POLLHUP | POLLERR));
    return !PeekNamedPipe(files->in, NULL, 0, NULL, NULL, NULL) &&
           GetLastError() == ERROR_BROKEN_PIPE;
}
