/* SPDX-License-Identifier: MIT */
/* The kernel's services that have to do with the processor: its level, locks, waits, time, and the
 * pool. There is one thread. */
#include "ddi.h"

#include <stdlib.h>

static KIRQL current_level = PASSIVE_LEVEL;

void ddi_level_begin(KIRQL level)
{
    current_level = level;
}

NTSTATUS ddi_level_end(KIRQL level, const char *function, NTSTATUS status)
{
    if (current_level != level)
        ddi_breach("%s was called at IRQL %d and returned at %d", function, level, current_level);
    current_level = PASSIVE_LEVEL;
    ddi_dpcs();
    return status;
}

void ddi_dpcs(void)
{
    uint32_t i;
    for (i = 0; ddi_current != NULL && i < DDI_ADAPTER_COUNT; i++) {
        struct ddi_adapter *adapter = &ddi_current->adapters[i];
        if (!adapter->dpc_queued || !adapter->started)
            continue;
        adapter->dpc_queued = 0;
        if (ddi_current->table.DxgkDdiDpcRoutine == NULL)
            continue;
        current_level = DISPATCH_LEVEL;
        ddi_current->table.DxgkDdiDpcRoutine(adapter->device_context);
        if (current_level != DISPATCH_LEVEL)
            ddi_breach("DxgkDdiDpcRoutine returned at IRQL %d", current_level);
        current_level = PASSIVE_LEVEL;
    }
}

KIRQL KeGetCurrentIrql(void)
{
    return current_level;
}

void KeRaiseIrql(KIRQL NewIrql, PKIRQL OldIrql)
{
    if (NewIrql < current_level)
        ddi_breach("KeRaiseIrql to %d at IRQL %d", NewIrql, current_level);
    *OldIrql = current_level;
    current_level = NewIrql;
}

void KeLowerIrql(KIRQL NewIrql)
{
    if (NewIrql > current_level)
        ddi_breach("KeLowerIrql to %d at IRQL %d", NewIrql, current_level);
    current_level = NewIrql;
}

void wcts_ddi_paged_code(const char *file, int line)
{
    if (current_level > APC_LEVEL)
        ddi_breach("%s:%d: PAGED_CODE at IRQL %d", file, line, current_level);
}

void KeInitializeSpinLock(PKSPIN_LOCK SpinLock)
{
    *SpinLock = 0;
}

void KeAcquireSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock)
{
    if (*SpinLock != 0)
        ddi_breach("a spin lock is acquired that is held: the processor would wait for itself");
    *SpinLock = 1;
}

void KeReleaseSpinLockFromDpcLevel(PKSPIN_LOCK SpinLock)
{
    if (*SpinLock == 0)
        ddi_breach("a spin lock is released that is not held");
    *SpinLock = 0;
}

void KeAcquireSpinLock(PKSPIN_LOCK SpinLock, PKIRQL OldIrql)
{
    KeRaiseIrql(DISPATCH_LEVEL, OldIrql);
    KeAcquireSpinLockAtDpcLevel(SpinLock);
}

void KeReleaseSpinLock(PKSPIN_LOCK SpinLock, KIRQL NewIrql)
{
    KeReleaseSpinLockFromDpcLevel(SpinLock);
    KeLowerIrql(NewIrql);
}

void ExInitializeFastMutex(PFAST_MUTEX FastMutex)
{
    FastMutex->Lock = 0;
    FastMutex->OldIrql = PASSIVE_LEVEL;
}

void ExAcquireFastMutex(PFAST_MUTEX FastMutex)
{
    if (current_level > APC_LEVEL)
        ddi_breach("ExAcquireFastMutex at IRQL %d", current_level);
    KeAcquireSpinLockAtDpcLevel(&FastMutex->Lock);
    FastMutex->OldIrql = current_level;
    current_level = APC_LEVEL;
}

void ExReleaseFastMutex(PFAST_MUTEX FastMutex)
{
    KeReleaseSpinLockFromDpcLevel(&FastMutex->Lock);
    KeLowerIrql(FastMutex->OldIrql);
}

void KeInitializeEvent(PRKEVENT Event, EVENT_TYPE Type, BOOLEAN State)
{
    Event->Type = Type;
    Event->SignalState = State;
}

LONG KeSetEvent(PRKEVENT Event, KPRIORITY Increment, BOOLEAN Wait)
{
    const LONG before = Event->SignalState;
    (void)Increment, (void)Wait;
    Event->SignalState = 1;
    return before;
}

LONG KeResetEvent(PRKEVENT Event)
{
    const LONG before = Event->SignalState;
    Event->SignalState = 0;
    return before;
}

void KeClearEvent(PRKEVENT Event)
{
    Event->SignalState = 0;
}

LONG KeReadStateEvent(PRKEVENT Event)
{
    return Event->SignalState;
}

NTSTATUS KeWaitForSingleObject(PVOID Object, KWAIT_REASON WaitReason, KPROCESSOR_MODE WaitMode,
                               BOOLEAN Alertable, PLARGE_INTEGER Timeout)
{
    PKEVENT event = Object;
    (void)WaitReason, (void)WaitMode, (void)Alertable;
    if (current_level > APC_LEVEL && (Timeout == NULL || Timeout->QuadPart != 0))
        ddi_breach("KeWaitForSingleObject at IRQL %d", current_level);
    if (event->SignalState == 0) {
        if (Timeout == NULL)
            ddi_breach("the driver waits for an event that nobody will set");
        return STATUS_TIMEOUT;
    }
    if (event->Type == SynchronizationEvent)
        event->SignalState = 0;
    return STATUS_SUCCESS;
}

LARGE_INTEGER KeQueryPerformanceCounter(PLARGE_INTEGER PerformanceFrequency)
{
    static LARGE_INTEGER count;
    if (PerformanceFrequency != NULL)
        PerformanceFrequency->QuadPart = 10000000;
    count.QuadPart++;
    return count;
}

PVOID ExAllocatePoolWithTag(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag)
{
    void *memory = malloc(NumberOfBytes ? NumberOfBytes : 1);
    (void)PoolType, (void)Tag;
    return memory ? memset(memory, DDI_GARBAGE, NumberOfBytes) : NULL;
}

PVOID ExAllocatePoolZero(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag)
{
    void *memory = ExAllocatePoolWithTag(PoolType, NumberOfBytes, Tag);
    return memory ? memset(memory, 0, NumberOfBytes) : NULL;
}

PVOID ExAllocatePool2(POOL_FLAGS Flags, SIZE_T NumberOfBytes, ULONG Tag)
{
    void *memory = ExAllocatePoolWithTag(NonPagedPoolNx, NumberOfBytes, Tag);
    if (memory != NULL && !(Flags & POOL_FLAG_UNINITIALIZED))
        memset(memory, 0, NumberOfBytes);
    return memory;
}

void ExFreePoolWithTag(PVOID P, ULONG Tag)
{
    (void)Tag;
    if (P == NULL)
        ddi_breach("ExFreePoolWithTag of a null pointer, which stops Windows");
    free(P);
}

void ExFreePool(PVOID P)
{
    ExFreePoolWithTag(P, 0);
}
