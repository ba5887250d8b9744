/* SPDX-License-Identifier: MIT */
#include "server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "../../runner/machine/room.h"

/* Milliseconds between two looks whether the other end has gone, and that a plug-in has to end
 * then. */
#define LOOK 100
#define GRACE 500

/* "SHARED IN OUT": handles, in hexadecimal; IN and OUT are 0 for a socket, which is in the shared
 * memory: unlike a pipe it cannot be used by its number in another process. */
#define SERVES L"WDDM_CTS_AGENT_SERVES"
#define SERVES_ROOM 80
/* Handles that the process that serves is given, at most. */
#define LENT 5

/* What the process that serves leaves to the one that looks after it. */
struct agent_shared {
    struct wcts_exchange_pulse pulse;
    atomic_bool ended; /* True if it has ended by itself, not the plug-in */
    WSAPROTOCOL_INFOW socket;
};

/* ---- the process that serves ---- */

/* Opens what it is to serve; false without it. */
static bool open_files(struct agent_files *files, uint64_t in, uint64_t out,
                       struct agent_shared *shared)
{
    WSADATA sockets;
    *files = (struct agent_files){(HANDLE)(uintptr_t)in, (HANDLE)(uintptr_t)out, in == 0};
    if (!files->is_socket)
        return true;
    if (WSAStartup(MAKEWORD(2, 2), &sockets) != 0)
        return false;
    SOCKET one = WSASocketW(FROM_PROTOCOL_INFO, FROM_PROTOCOL_INFO, FROM_PROTOCOL_INFO,
                            &shared->socket, 0, WSA_FLAG_OVERLAPPED);
    files->in = files->out = (HANDLE)one;
    return one != INVALID_SOCKET;
}

void agent_server_run(agent_serve_fn *serve, void *ctx)
{
    wchar_t text[SERVES_ROOM];
    uint64_t in, out, memory;
    struct agent_files files;
    DWORD length = GetEnvironmentVariableW(SERVES, text, SERVES_ROOM);
    if (length == 0 || length >= SERVES_ROOM ||
        swscanf(text, L"%" SCNx64 L" %" SCNx64 L" %" SCNx64, &memory, &in, &out) != 3)
        return;
    /* What the plug-in starts is no agent. */
    SetEnvironmentVariableW(SERVES, NULL);
    struct agent_shared *shared =
        MapViewOfFile((HANDLE)(uintptr_t)memory, FILE_MAP_ALL_ACCESS, 0, 0, sizeof *shared);
    const struct wcts_wire_bytes bytes = agent_files_bytes(&files);
    if (!shared || !open_files(&files, in, out, shared))
        exit(EXIT_FAILURE);
    wcts_machine_room_watch(&shared->pulse);
    int status = serve(ctx, &bytes);
    atomic_store(&shared->ended, true);
    /* Whatever the plug-in has registered to run at the end is no matter of the suite's. */
    fflush(NULL);
    TerminateProcess(GetCurrentProcess(), (UINT)status);
}

/* ---- the process that looks after it ---- */

/* Everything of a process that serves. All handles are NULL or open. */
struct server {
    HANDLE process, job, mapping;
    struct agent_shared *shared;
};

static void server_end(struct server *server)
{
    if (server->shared)
        UnmapViewOfFile(server->shared);
    if (server->mapping)
        CloseHandle(server->mapping);
    if (server->process)
        CloseHandle(server->process);
    if (server->job)
        CloseHandle(server->job);
}

static bool share_memory(struct server *server)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    server->mapping = CreateFileMappingW(INVALID_HANDLE_VALUE, &inherited, PAGE_READWRITE, 0,
                                         sizeof *server->shared, NULL);
    if (server->mapping)
        server->shared = MapViewOfFile(server->mapping, FILE_MAP_ALL_ACCESS, 0, 0, 0);
    return server->shared;
}

/* This process's environment, with the line that says what the other one serves. The caller frees
 * it. */
static wchar_t *make_environment(const struct server *server, const struct agent_files *files)
{
    wchar_t line[SERVES_ROOM + 32], *all = GetEnvironmentStringsW(), *made;
    size_t size = 0;
    int added = swprintf(
        line, sizeof line / sizeof *line, SERVES L"=%" PRIx64 L" %" PRIx64 L" %" PRIx64,
        (uint64_t)(uintptr_t)server->mapping, files->is_socket ? 0 : (uint64_t)(uintptr_t)files->in,
        files->is_socket ? 0 : (uint64_t)(uintptr_t)files->out);
    if (!all)
        return NULL;
    while (all[size])
        size += wcslen(all + size) + 1;
    made = added < 0 ? NULL : malloc((size + (size_t)added + 2) * sizeof *made);
    if (made) {
        memcpy(made, all, size * sizeof *made);
        memcpy(made + size, line, ((size_t)added + 1) * sizeof *made);
        made[size + (size_t)added + 1] = L'\0';
    }
    FreeEnvironmentStringsW(all);
    return made;
}

/* It ends with this process. Without a job, as on systems where jobs are not in each other, it ends
 * when it next reads or writes. */
static HANDLE make_job(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
        .BasicLimitInformation = {.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}};
    HANDLE job = CreateJobObjectW(NULL, NULL);
    if (job)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

/* Starts it with these handles, and no others of this process. */
static bool start_with(struct server *server, const struct agent_files *files,
                       STARTUPINFOEXW *startup, wchar_t *environment)
{
    const DWORD flags =
        CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT;
    wchar_t program[32768], *line = _wcsdup(GetCommandLineW());
    PROCESS_INFORMATION made = {.hProcess = NULL};
    DWORD length = GetModuleFileNameW(NULL, program, sizeof program / sizeof *program);
    bool started = line && length > 0 && length < sizeof program / sizeof *program &&
                   CreateProcessW(program, line, NULL, NULL, TRUE, flags, environment, NULL,
                                  &startup->StartupInfo, &made);
    free(line);
    if (!started)
        return false;
    server->process = made.hProcess;
    server->job = make_job();
    if (server->job)
        AssignProcessToJobObject(server->job, made.hProcess);
    started = !files->is_socket || WSADuplicateSocketW((SOCKET)files->in, made.dwProcessId,
                                                       &server->shared->socket) == 0;
    if (started)
        ResumeThread(made.hThread);
    else
        TerminateProcess(made.hProcess, EXIT_FAILURE);
    CloseHandle(made.hThread);
    return started;
}

/* A service has none. */
static HANDLE standard_error(HANDLE instead)
{
    HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
    return error && error != INVALID_HANDLE_VALUE ? error : instead;
}

/* Each of them once: Windows takes no list that has one twice. Returns how many there are. */
static size_t list_lent(HANDLE lent[LENT], const HANDLE all[LENT])
{
    size_t count = 0;
    for (size_t i = 0; i < LENT; i++) {
        bool there = false;
        for (size_t k = 0; k < count; k++)
            there = there || lent[k] == all[i];
        if (!there)
            lent[count++] = all[i];
    }
    return count;
}

static bool start(struct server *server, const struct agent_files *files)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    HANDLE nothing =
        CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                    &inherited, OPEN_EXISTING, 0, NULL);
    HANDLE error = standard_error(nothing), lent[LENT];
    const HANDLE all[LENT] = {nothing, server->mapping, error,
                              files->is_socket ? nothing : files->in,
                              files->is_socket ? nothing : files->out};
    size_t count = list_lent(lent, all), size = 0;
    STARTUPINFOEXW startup = {.StartupInfo = {.cb = sizeof startup,
                                              .dwFlags = STARTF_USESTDHANDLES,
                                              .hStdInput = nothing,
                                              .hStdOutput = error,
                                              .hStdError = error}};
    wchar_t *environment = nothing != INVALID_HANDLE_VALUE ? make_environment(server, files) : NULL;
    bool started = false;
    for (size_t i = 0; i < count; i++)
        SetHandleInformation(lent[i], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    startup.lpAttributeList = malloc(size);
    if (environment && startup.lpAttributeList &&
        InitializeProcThreadAttributeList(startup.lpAttributeList, 1, 0, &size)) {
        started =
            UpdateProcThreadAttribute(startup.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                      lent, count * sizeof *lent, NULL, NULL) &&
            start_with(server, files, &startup, environment);
        DeleteProcThreadAttributeList(startup.lpAttributeList);
    }
    free(startup.lpAttributeList);
    free(environment);
    if (nothing != INVALID_HANDLE_VALUE)
        CloseHandle(nothing);
    return started;
}

/* Waits until it ends; ends it if the other end has gone, which *gone says. Returns its exit code.
 */
static DWORD look_after(const struct server *server, const struct agent_files *files, bool *gone)
{
    DWORD code = 0;
    *gone = false;
    while (WaitForSingleObject(server->process, LOOK) == WAIT_TIMEOUT && !*gone)
        *gone = agent_files_are_left(files);
    if (*gone && WaitForSingleObject(server->process, GRACE) == WAIT_TIMEOUT) {
        TerminateProcess(server->process, EXIT_FAILURE);
        WaitForSingleObject(server->process, INFINITE);
    }
    GetExitCodeProcess(server->process, &code);
    return code;
}

/* "killed by EXCEPTION_STACK_OVERFLOW", "called exit(3)". Returns text. */
static const char *exit_text(DWORD code, char *text, size_t room)
{
    static const struct {
        DWORD code;
        const char *name;
    } exceptions[] = {
#define EXCEPTION(name) {name, #name}
        EXCEPTION(EXCEPTION_ACCESS_VIOLATION),    EXCEPTION(EXCEPTION_ARRAY_BOUNDS_EXCEEDED),
        EXCEPTION(EXCEPTION_BREAKPOINT),          EXCEPTION(EXCEPTION_DATATYPE_MISALIGNMENT),
        EXCEPTION(EXCEPTION_FLT_DIVIDE_BY_ZERO),  EXCEPTION(EXCEPTION_FLT_INVALID_OPERATION),
        EXCEPTION(EXCEPTION_ILLEGAL_INSTRUCTION), EXCEPTION(EXCEPTION_IN_PAGE_ERROR),
        EXCEPTION(EXCEPTION_INT_DIVIDE_BY_ZERO),  EXCEPTION(EXCEPTION_PRIV_INSTRUCTION),
        EXCEPTION(EXCEPTION_STACK_OVERFLOW),
#undef EXCEPTION
        {0xC0000374, "STATUS_HEAP_CORRUPTION"},   {0xC0000409, "STATUS_STACK_BUFFER_OVERRUN"},
    };
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (exceptions[i].code == code) {
            snprintf(text, room, "killed by %s", exceptions[i].name);
            return text;
        }
    if (code >= 0x80000000)
        snprintf(text, room, "killed by exception 0x%08lX", (unsigned long)code);
    else
        snprintf(text, room, "called exit(%lu)", (unsigned long)code);
    return text;
}

DWORD agent_server_keep(struct agent_files *files)
{
    const struct wcts_wire_bytes bytes = agent_files_bytes(files);
    struct server server = {.process = NULL};
    bool gone = false;
    DWORD code = 0;
    char text[80];
    if (share_memory(&server) && start(&server, files)) {
        code = look_after(&server, files, &gone);
        exit_text(code, text, sizeof text);
        if (!gone && !atomic_load(&server.shared->ended)) {
            wcts_machine_room_tell(&server.shared->pulse, text, sizeof text);
            wcts_wire_peer_bye(&bytes, text);
        }
    } else
        wcts_wire_peer_bye(&bytes, "the agent cannot start a process");
    server_end(&server);
    return gone ? 0 : code;
}
