/* SPDX-License-Identifier: MIT */
/* The part of the driver kit's ntddk.h that the memory part of a display miniport uses, for a build
 * on Linux: types with the widths that they have on 64-bit Windows, status codes, and the services
 * of the kernel, which libwddm-cts-ddi carries out in the process of the test. Names and numbers
 * are those of Microsoft's public documentation; the text is our own.
 *
 * Windows is LLP64: ULONG and LONG have 32 bits, which is not so of `long` here. A driver that
 * writes `long` or `unsigned long` itself has another width here. WCHAR has 16 bits: L"..." fits it
 * with -fshort-wchar alone. */
#ifndef WCTS_DDI_NTDDK_H
#define WCTS_DDI_NTDDK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- words of the language ---- */

#define VOID void
#define CONST const
#define IN
#define OUT
#define OPTIONAL
#define NTAPI
#define APIENTRY
#define CALLBACK
#define UNALIGNED
#define DECLSPEC_ALIGN(bytes) __attribute__((aligned(bytes)))
#define FORCEINLINE static inline
#define UNREFERENCED_PARAMETER(name) ((void)(name))
#ifdef __cplusplus
#define C_ASSERT(condition) static_assert(condition, #condition)
#else
#define C_ASSERT(condition) _Static_assert(condition, #condition)
#endif
#define ARRAYSIZE(array) (sizeof(array) / sizeof((array)[0]))
#define FIELD_OFFSET(type, field) ((LONG)offsetof(type, field))
#define CONTAINING_RECORD(address, type, field)                                                    \
    ((type *)(void *)((unsigned char *)(address)-offsetof(type, field)))

/* The annotations of driver code, which say nothing to this compiler. */
#define _In_
#define _Out_
#define _Inout_
#define _In_opt_
#define _Out_opt_
#define _Inout_opt_
#define _Inout_updates_(count)
#define _Inout_updates_bytes_(count)
#define _Inout_updates_opt_(count)
#define _In_reads_opt_(count)
#define _In_reads_bytes_opt_(count)
#define _Out_writes_opt_(count)
#define _Out_writes_bytes_opt_(count)
#define _Out_writes_all_(count)
#define _Out_writes_to_(count, written)
#define _Field_size_(count)
#define _Field_size_bytes_(count)
#define _Outptr_
#define _Outptr_opt_
#define _Outptr_result_maybenull_
#define _Ret_maybenull_
#define _Reserved_
#define _Success_(condition)
#define _When_(condition, annotations)
#define _At_(target, annotations)
#define _Post_satisfies_(condition)
#define _In_reads_(count)
#define _In_reads_bytes_(count)
#define _Out_writes_(count)
#define _Out_writes_bytes_(count)
#define _Use_decl_annotations_
#define _Must_inspect_result_
#define _Check_return_
#define _IRQL_requires_(irql)
#define _IRQL_requires_max_(irql)
#define _IRQL_requires_min_(irql)
#define _IRQL_requires_same_
#define _IRQL_raises_(irql)
#define _IRQL_saves_
#define _IRQL_restores_
#define _Acquires_lock_(lock)
#define _Releases_lock_(lock)
#define _Requires_lock_held_(lock)
#define _Function_class_(name)
#define __in
#define __out
#define __inout

/* Nothing raises an exception here: the block runs, the handler does not. */
#define __try if (1)
#define __except (filter) else if (filter)
#define EXCEPTION_EXECUTE_HANDLER 1
#define EXCEPTION_CONTINUE_SEARCH 0
#define GetExceptionCode() STATUS_ACCESS_VIOLATION
#define ProbeForRead(address, length, alignment) ((void)(address), (void)(length))
#define ProbeForWrite(address, length, alignment) ((void)(address), (void)(length))

/* ---- types ---- */

typedef char CHAR, *PCHAR;
typedef signed char INT8, *PINT8;
typedef unsigned char UCHAR, *PUCHAR, BYTE, *PBYTE, UINT8, *PUINT8, BOOLEAN, *PBOOLEAN;
typedef short SHORT, *PSHORT, INT16, *PINT16, CSHORT;
typedef unsigned short USHORT, *PUSHORT, WORD, UINT16, *PUINT16;
typedef int LONG, *PLONG, INT, *PINT, INT32, *PINT32, BOOL, *PBOOL;
typedef unsigned int ULONG, *PULONG, DWORD, *PDWORD, UINT, *PUINT, UINT32, *PUINT32;
typedef long long LONGLONG, *PLONGLONG, LONG64, INT64, *PINT64;
typedef unsigned long long ULONGLONG, *PULONGLONG, ULONG64, *PULONG64, UINT64, *PUINT64, DWORD64;
typedef intptr_t LONG_PTR, INT_PTR, SSIZE_T;
typedef uintptr_t ULONG_PTR, *PULONG_PTR, UINT_PTR, DWORD_PTR;
typedef size_t SIZE_T, *PSIZE_T;
typedef uint16_t WCHAR, *PWCHAR, *PWSTR;
typedef const WCHAR *PCWSTR;
typedef const char *PCSTR;
typedef void *PVOID, *LPVOID, *HANDLE, **PHANDLE;
typedef const void *PCVOID;
typedef LONG NTSTATUS, *PNTSTATUS;
typedef UCHAR KIRQL, *PKIRQL;
typedef CHAR KPROCESSOR_MODE;
typedef ULONG_PTR PFN_NUMBER, *PPFN_NUMBER;
typedef LONG KPRIORITY;

#define TRUE 1
#define FALSE 0

typedef union _LARGE_INTEGER {
    struct {
        ULONG LowPart;
        LONG HighPart;
    };
    struct {
        ULONG LowPart;
        LONG HighPart;
    } u;
    LONGLONG QuadPart;
} LARGE_INTEGER, *PLARGE_INTEGER, PHYSICAL_ADDRESS, *PPHYSICAL_ADDRESS;

typedef union _ULARGE_INTEGER {
    struct {
        ULONG LowPart;
        ULONG HighPart;
    };
    ULONGLONG QuadPart;
} ULARGE_INTEGER, *PULARGE_INTEGER;

typedef struct _GUID {
    ULONG Data1;
    USHORT Data2;
    USHORT Data3;
    UCHAR Data4[8];
} GUID, *PGUID;

typedef struct _LUID {
    ULONG LowPart;
    LONG HighPart;
} LUID, *PLUID;

typedef struct _RECT {
    LONG left;
    LONG top;
    LONG right;
    LONG bottom;
} RECT, *PRECT;

typedef struct _UNICODE_STRING {
    USHORT Length;
    USHORT MaximumLength;
    PWSTR Buffer;
} UNICODE_STRING, *PUNICODE_STRING;

typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY *Flink;
    struct _LIST_ENTRY *Blink;
} LIST_ENTRY, *PLIST_ENTRY;

/* Nothing of them is for a driver's memory part. */
typedef struct _DRIVER_OBJECT DRIVER_OBJECT, *PDRIVER_OBJECT;
typedef struct _DEVICE_OBJECT DEVICE_OBJECT, *PDEVICE_OBJECT;
typedef struct _EPROCESS *PEPROCESS;
typedef struct _KTHREAD *PKTHREAD;

typedef NTSTATUS DRIVER_INITIALIZE(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath);

/* ---- status ---- */

#define NT_SUCCESS(status) ((NTSTATUS)(status) >= 0)
#define WCTS_DDI_STATUS(number) ((NTSTATUS)(number))
#define STATUS_SUCCESS WCTS_DDI_STATUS(0x00000000)
#define STATUS_TIMEOUT WCTS_DDI_STATUS(0x00000102)
#define STATUS_PENDING WCTS_DDI_STATUS(0x00000103)
#define STATUS_UNSUCCESSFUL WCTS_DDI_STATUS(0xC0000001)
#define STATUS_NOT_IMPLEMENTED WCTS_DDI_STATUS(0xC0000002)
#define STATUS_ACCESS_VIOLATION WCTS_DDI_STATUS(0xC0000005)
#define STATUS_INVALID_HANDLE WCTS_DDI_STATUS(0xC0000008)
#define STATUS_INVALID_PARAMETER WCTS_DDI_STATUS(0xC000000D)
#define STATUS_NO_MEMORY WCTS_DDI_STATUS(0xC0000017)
#define STATUS_ILLEGAL_INSTRUCTION WCTS_DDI_STATUS(0xC000001D)
#define STATUS_ACCESS_DENIED WCTS_DDI_STATUS(0xC0000022)
#define STATUS_BUFFER_TOO_SMALL WCTS_DDI_STATUS(0xC0000023)
#define STATUS_PRIVILEGED_INSTRUCTION WCTS_DDI_STATUS(0xC0000096)
#define STATUS_INSUFFICIENT_RESOURCES WCTS_DDI_STATUS(0xC000009A)
#define STATUS_NOT_SUPPORTED WCTS_DDI_STATUS(0xC00000BB)
#define STATUS_INVALID_USER_BUFFER WCTS_DDI_STATUS(0xC00000E8)
#define STATUS_DEVICE_REMOVED WCTS_DDI_STATUS(0xC00002B6)
#define STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER WCTS_DDI_STATUS(0xC01E0001)
#define STATUS_GRAPHICS_DRIVER_MISMATCH WCTS_DDI_STATUS(0xC01E0009)
#define STATUS_GRAPHICS_NO_VIDEO_MEMORY WCTS_DDI_STATUS(0xC01E0100)
#define STATUS_GRAPHICS_CANT_LOCK_MEMORY WCTS_DDI_STATUS(0xC01E0101)
#define STATUS_GRAPHICS_ALLOCATION_BUSY WCTS_DDI_STATUS(0xC01E0102)
#define STATUS_GRAPHICS_TRY_AGAIN_LATER WCTS_DDI_STATUS(0xC01E0104)
#define STATUS_GRAPHICS_TRY_AGAIN_NOW WCTS_DDI_STATUS(0xC01E0105)
#define STATUS_GRAPHICS_ALLOCATION_INVALID WCTS_DDI_STATUS(0xC01E0106)
#define STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE WCTS_DDI_STATUS(0xC01E0200)

/* ---- memory ---- */

#define PAGE_SIZE 0x1000u
#define PAGE_SHIFT 12
#define BYTE_OFFSET(address) ((ULONG)((ULONG_PTR)(address) & (PAGE_SIZE - 1)))
#define PAGE_ALIGN(address) ((PVOID)((ULONG_PTR)(address) & ~(ULONG_PTR)(PAGE_SIZE - 1)))
#define BYTES_TO_PAGES(size) (((size) >> PAGE_SHIFT) + (((size) & (PAGE_SIZE - 1)) != 0))
#define ROUND_TO_PAGES(size) (((ULONG_PTR)(size) + PAGE_SIZE - 1) & ~(ULONG_PTR)(PAGE_SIZE - 1))
#define ADDRESS_AND_SIZE_TO_SPAN_PAGES(address, size)                                              \
    ((ULONG)((BYTE_OFFSET(address) + (SIZE_T)(size) + (PAGE_SIZE - 1)) >> PAGE_SHIFT))

#define RtlZeroMemory(to, length) memset(to, 0, length)
#define RtlFillMemory(to, length, value) memset(to, value, length)
#define RtlCopyMemory(to, from, length) memcpy(to, from, length)
#define RtlMoveMemory(to, from, length) memmove(to, from, length)
#define RtlEqualMemory(one, other, length) (memcmp(one, other, length) == 0)

typedef enum _POOL_TYPE {
    NonPagedPool = 0,
    PagedPool = 1,
    NonPagedPoolNx = 512,
} POOL_TYPE;

typedef ULONG64 POOL_FLAGS;
#define POOL_FLAG_UNINITIALIZED 0x2ull
#define POOL_FLAG_NON_PAGED 0x40ull
#define POOL_FLAG_PAGED 0x100ull

/* Not zeroed: filled with a pattern, as nothing says what is in it. */
PVOID ExAllocatePoolWithTag(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);
/* Zeroed; the second unless POOL_FLAG_UNINITIALIZED is set. */
PVOID ExAllocatePoolZero(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);
PVOID ExAllocatePool2(POOL_FLAGS Flags, SIZE_T NumberOfBytes, ULONG Tag);
void ExFreePoolWithTag(PVOID P, ULONG Tag);
void ExFreePool(PVOID P);

/* A range of memory by its pages. The array of page frame numbers follows the struct. */
typedef struct _MDL {
    struct _MDL *Next;
    CSHORT Size;
    CSHORT MdlFlags;
    USHORT AllocationProcessorNumber;
    USHORT Reserved;
    PEPROCESS Process;
    PVOID MappedSystemVa;
    PVOID StartVa;
    ULONG ByteCount;
    ULONG ByteOffset;
} MDL, *PMDL;

typedef enum _MM_PAGE_PRIORITY {
    LowPagePriority = 0,
    NormalPagePriority = 16,
    HighPagePriority = 32,
} MM_PAGE_PRIORITY;
#define MdlMappingNoExecute 0x40000000u
#define MdlMappingNoWrite 0x80000000u

typedef enum _MEMORY_CACHING_TYPE {
    MmNonCached = 0,
    MmCached = 1,
    MmWriteCombined = 2,
} MEMORY_CACHING_TYPE;

#define MmGetMdlPfnArray(mdl) ((PPFN_NUMBER)((PMDL)(mdl) + 1))
#define MmGetMdlByteCount(mdl) ((mdl)->ByteCount)
#define MmGetMdlByteOffset(mdl) ((mdl)->ByteOffset)
#define MmGetMdlVirtualAddress(mdl) ((PVOID)((PUCHAR)(mdl)->StartVa + (mdl)->ByteOffset))

/* The bytes of the pages, for reading and writing, until the DDI that was given the MDL returns. */
PVOID MmGetSystemAddressForMdlSafe(PMDL Mdl, ULONG Priority);
/* The address on the bus of memory that the driver was given: a DMA buffer, its private data, the
 * pages of an MDL. Memory of the driver's own has none here: 0. */
PHYSICAL_ADDRESS MmGetPhysicalAddress(PVOID BaseAddress);

/* ---- lists ---- */

FORCEINLINE void InitializeListHead(PLIST_ENTRY head)
{
    head->Flink = head->Blink = head;
}

FORCEINLINE BOOLEAN IsListEmpty(const LIST_ENTRY *head)
{
    return head->Flink == head;
}

FORCEINLINE BOOLEAN RemoveEntryList(PLIST_ENTRY entry)
{
    entry->Blink->Flink = entry->Flink;
    entry->Flink->Blink = entry->Blink;
    return entry->Flink == entry->Blink;
}

FORCEINLINE void InsertTailList(PLIST_ENTRY head, PLIST_ENTRY entry)
{
    entry->Flink = head;
    entry->Blink = head->Blink;
    head->Blink->Flink = entry;
    head->Blink = entry;
}

FORCEINLINE void InsertHeadList(PLIST_ENTRY head, PLIST_ENTRY entry)
{
    InsertTailList(head->Flink, entry);
}

FORCEINLINE PLIST_ENTRY RemoveHeadList(PLIST_ENTRY head)
{
    PLIST_ENTRY first = head->Flink;
    RemoveEntryList(first);
    return first;
}

/* ---- one processor, one thread: the IRQL, locks and waits ---- */

#define PASSIVE_LEVEL 0
#define APC_LEVEL 1
#define DISPATCH_LEVEL 2

/* The level at which the DDI is called: DISPATCH_LEVEL in DxgkDdiPatch, DxgkDdiSubmitCommand and
 * the DPC. */
KIRQL KeGetCurrentIrql(void);
void KeRaiseIrql(KIRQL NewIrql, PKIRQL OldIrql);
void KeLowerIrql(KIRQL NewIrql);

/* Ends the process with a message when code that may be paged out runs at DISPATCH_LEVEL. */
void wcts_ddi_paged_code(const char *file, int line);
#define PAGED_CODE() wcts_ddi_paged_code(__FILE__, __LINE__)

typedef ULONG_PTR KSPIN_LOCK, *PKSPIN_LOCK;

/* A lock that is taken twice, or given back by who has not got it, ends the process with a message:
 * on Windows the processor would hang. */
void KeInitializeSpinLock(PKSPIN_LOCK SpinLock);
void KeAcquireSpinLock(PKSPIN_LOCK SpinLock, PKIRQL OldIrql);
void KeReleaseSpinLock(PKSPIN_LOCK SpinLock, KIRQL NewIrql);
void KeAcquireSpinLockAtDpcLevel(PKSPIN_LOCK SpinLock);
void KeReleaseSpinLockFromDpcLevel(PKSPIN_LOCK SpinLock);

typedef struct _FAST_MUTEX {
    KSPIN_LOCK Lock;
    KIRQL OldIrql;
} FAST_MUTEX, *PFAST_MUTEX;

void ExInitializeFastMutex(PFAST_MUTEX FastMutex);
void ExAcquireFastMutex(PFAST_MUTEX FastMutex);
void ExReleaseFastMutex(PFAST_MUTEX FastMutex);

typedef enum _EVENT_TYPE {
    NotificationEvent = 0,
    SynchronizationEvent = 1,
} EVENT_TYPE;

typedef struct _KEVENT {
    EVENT_TYPE Type;
    LONG SignalState;
} KEVENT, *PKEVENT, *PRKEVENT;

typedef enum _KWAIT_REASON {
    Executive = 0,
} KWAIT_REASON;

#define KernelMode 0
#define UserMode 1

void KeInitializeEvent(PRKEVENT Event, EVENT_TYPE Type, BOOLEAN State);
LONG KeSetEvent(PRKEVENT Event, KPRIORITY Increment, BOOLEAN Wait);
LONG KeResetEvent(PRKEVENT Event);
void KeClearEvent(PRKEVENT Event);
LONG KeReadStateEvent(PRKEVENT Event);
/* An event that is set; nobody else would set one: without a time-out, waiting for one that is not
 * ends the process with a message. */
NTSTATUS KeWaitForSingleObject(PVOID Object, KWAIT_REASON WaitReason, KPROCESSOR_MODE WaitMode,
                               BOOLEAN Alertable, PLARGE_INTEGER Timeout);

#define KeMemoryBarrier() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define InterlockedIncrement(at) ((LONG)__atomic_add_fetch(at, 1, __ATOMIC_SEQ_CST))
#define InterlockedDecrement(at) ((LONG)__atomic_sub_fetch(at, 1, __ATOMIC_SEQ_CST))
#define InterlockedExchange(at, value) ((LONG)__atomic_exchange_n(at, value, __ATOMIC_SEQ_CST))
#define InterlockedExchangeAdd(at, value) ((LONG)__atomic_fetch_add(at, value, __ATOMIC_SEQ_CST))
#define InterlockedOr(at, value) ((LONG)__atomic_fetch_or(at, value, __ATOMIC_SEQ_CST))
#define InterlockedAnd(at, value) ((LONG)__atomic_fetch_and(at, value, __ATOMIC_SEQ_CST))

/* Goes on by one with each call: no test depends on the time. */
LARGE_INTEGER KeQueryPerformanceCounter(PLARGE_INTEGER PerformanceFrequency);

/* ---- messages ---- */

/* A line for the recorded exchange and for standard error. */
ULONG DbgPrint(PCSTR Format, ...) __attribute__((format(printf, 1, 2)));
#define KdPrint(arguments) ((void)DbgPrint arguments)
#define DPFLTR_IHVVIDEO_ID 78
#define DPFLTR_ERROR_LEVEL 0
#define DbgPrintEx(component, level, ...) DbgPrint(__VA_ARGS__)

/* Ends the process with a message. */
void KeBugCheckEx(ULONG BugCheckCode, ULONG_PTR Parameter1, ULONG_PTR Parameter2,
                  ULONG_PTR Parameter3, ULONG_PTR Parameter4) __attribute__((noreturn));
void wcts_ddi_assertion(const char *text, const char *file, int line) __attribute__((noreturn));
#define NT_ASSERT(condition)                                                                       \
    ((condition) ? (void)0 : wcts_ddi_assertion(#condition, __FILE__, __LINE__))
#define ASSERT(condition) NT_ASSERT(condition)
#define NT_VERIFY(condition) NT_ASSERT(condition)

#ifdef __cplusplus
}
#endif

#endif
