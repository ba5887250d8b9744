/* SPDX-License-Identifier: MIT */
#include "../../runner/machine/room_pages.h"

#include <windows.h>

static wcts_machine_room_fault_fn *told;

uint8_t *wcts_machine_room_pages_new(size_t *size, size_t guarded)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    size_t page = system.dwPageSize, wanted = (*size + page - 1) / page * page;
    uint8_t *all = VirtualAlloc(NULL, wanted + 2 * guarded, MEM_RESERVE, PAGE_NOACCESS);
    if (!all)
        return NULL;
    if (!VirtualAlloc(all + guarded, wanted, MEM_COMMIT, PAGE_READWRITE)) {
        VirtualFree(all, 0, MEM_RELEASE);
        return NULL;
    }
    *size = wanted;
    return all + guarded;
}

void wcts_machine_room_pages_free(uint8_t *pages, size_t size, size_t guarded)
{
    (void)size;
    VirtualFree(pages - guarded, 0, MEM_RELEASE);
}

/* Unhandled by anybody else: the process ends with the code of the exception, and nobody is shown a
 * window. */
static LONG WINAPI end_process(EXCEPTION_POINTERS *exception)
{
    const EXCEPTION_RECORD *record = exception->ExceptionRecord;
    if (record->ExceptionCode == EXCEPTION_ACCESS_VIOLATION && record->NumberParameters >= 2)
        told((uintptr_t)record->ExceptionInformation[1]);
    TerminateProcess(GetCurrentProcess(), record->ExceptionCode);
    return EXCEPTION_EXECUTE_HANDLER;
}

void wcts_machine_room_pages_watch(wcts_machine_room_fault_fn *fault)
{
    told = fault;
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    SetUnhandledExceptionFilter(end_process);
}
