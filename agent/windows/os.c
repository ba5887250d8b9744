/* SPDX-License-Identifier: MIT */
#include "../os.h"

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <ws2tcpip.h>

#include "../../runner/base/host_port.h"
#include "server.h"

#define BACKLOG 64

/* ---- the plug-in ---- */

void *agent_os_find(const char *path, const char *symbol, void **library, char *error, size_t room)
{
    char full[32768], why[200];
    DWORD length = GetFullPathNameA(path, sizeof full, full, NULL);
    void *found = NULL;
    *library = NULL;
    /* A whole path, so that it is not looked for elsewhere, and what it needs is found beside it.
     */
    if (length > 0 && length < sizeof full)
        *library = LoadLibraryExA(full, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (*library)
        found = (void *)(uintptr_t)GetProcAddress(*library, symbol);
    else
        snprintf(error, room, "%s: %s", path, agent_error_text(GetLastError(), why, sizeof why));
    return found;
}

void agent_os_unload(void *library)
{
    FreeLibrary(library);
}

/* ---- standard input and output ---- */

int agent_os_serve_standard(agent_serve_fn *serve, void *ctx)
{
    struct agent_files files = {GetStdHandle(STD_INPUT_HANDLE), GetStdHandle(STD_OUTPUT_HANDLE),
                                false};
    agent_server_run(serve, ctx);
    return (int)agent_server_keep(&files);
}

/* ---- listening ---- */

/* Of a thread that looks after a connection; it frees it. */
struct connection {
    struct agent_files files;
    HANDLE places; /* A semaphore, given back at the end; NULL: any number are served */
};

static unsigned __stdcall look_after(void *ctx)
{
    struct connection *connection = ctx;
    agent_server_keep(&connection->files);
    closesocket((SOCKET)connection->files.in);
    if (connection->places)
        ReleaseSemaphore(connection->places, 1, NULL);
    free(connection);
    return 0;
}

static void begin(SOCKET one, HANDLE places)
{
    const BOOL yes = TRUE;
    struct connection *connection = malloc(sizeof *connection);
    uintptr_t thread = 0;
    setsockopt(one, IPPROTO_TCP, TCP_NODELAY, (const char *)&yes, sizeof yes);
    setsockopt(one, SOL_SOCKET, SO_KEEPALIVE, (const char *)&yes, sizeof yes);
    if (connection) {
        *connection = (struct connection){{(HANDLE)one, (HANDLE)one, true}, places};
        thread = _beginthreadex(NULL, 0, look_after, connection, 0, NULL);
    }
    if (thread != 0) {
        CloseHandle((HANDLE)thread);
        return;
    }
    free(connection);
    closesocket(one);
    if (places)
        ReleaseSemaphore(places, 1, NULL);
}

static void accept_all(SOCKET listening, unsigned connections)
{
    HANDLE places =
        connections ? CreateSemaphoreW(NULL, (LONG)connections, (LONG)connections, NULL) : NULL;
    for (;;) {
        if (places)
            WaitForSingleObject(places, INFINITE);
        SOCKET one = accept(listening, NULL, NULL);
        if (one != INVALID_SOCKET)
            SetHandleInformation((HANDLE)one, HANDLE_FLAG_INHERIT, 0);
        if (one != INVALID_SOCKET)
            begin(one, places);
        else if (WSAGetLastError() != WSAECONNRESET)
            break;
        else if (places)
            ReleaseSemaphore(places, 1, NULL);
    }
    if (places)
        CloseHandle(places);
}

static SOCKET bind_to(const struct addrinfo *one)
{
    SOCKET made = socket(one->ai_family, SOCK_STREAM, 0);
    if (made == INVALID_SOCKET)
        return made;
    SetHandleInformation((HANDLE)made, HANDLE_FLAG_INHERIT, 0);
    if (bind(made, one->ai_addr, (int)one->ai_addrlen) == 0 && listen(made, BACKLOG) == 0)
        return made;
    int error = WSAGetLastError();
    closesocket(made);
    WSASetLastError(error);
    return INVALID_SOCKET;
}

/* Prints where it listens, as lines end everywhere else. */
static void print_port(SOCKET listening, const char *host)
{
    struct sockaddr_storage address;
    int size = sizeof address;
    char port[16] = "?";
    if (getsockname(listening, (struct sockaddr *)&address, &size) == 0)
        getnameinfo((const struct sockaddr *)&address, size, NULL, 0, port, sizeof port,
                    NI_NUMERICSERV);
    _setmode(_fileno(stdout), _O_BINARY);
    printf(strchr(host, ':') ? "listening at tcp:[%s]:%s\n" : "listening at tcp:%s:%s\n", host,
           port);
    fflush(stdout);
}

static SOCKET listen_at(const char *host, const char *port)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    SOCKET listening = INVALID_SOCKET;
    if (getaddrinfo(host[0] ? host : NULL, port, &wanted, &found) != 0)
        return INVALID_SOCKET;
    for (const struct addrinfo *one = found; one && listening == INVALID_SOCKET; one = one->ai_next)
        listening = bind_to(one);
    freeaddrinfo(found);
    return listening;
}

void agent_os_listen(const char *address, unsigned connections, agent_serve_fn *serve, void *ctx,
                     char *error, size_t room)
{
    WSADATA sockets;
    char why[200], *copy, *host, *port;
    agent_server_run(serve, ctx);
    copy = strncmp(address, "tcp:", 4) == 0 ? strdup(address + 4) : NULL;
    if (!copy || !wcts_address_split(copy, &host, &port)) {
        free(copy);
        snprintf(error, room, "%s: expected tcp:HOST:PORT", address);
        return;
    }
    SOCKET listening =
        WSAStartup(MAKEWORD(2, 2), &sockets) == 0 ? listen_at(host, port) : INVALID_SOCKET;
    if (listening != INVALID_SOCKET) {
        print_port(listening, host);
        accept_all(listening, connections);
    }
    snprintf(error, room, "%s: %s", address,
             agent_error_text((DWORD)WSAGetLastError(), why, sizeof why));
    free(copy);
}
