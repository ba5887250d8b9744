/* SPDX-License-Identifier: MIT */
/*
 * wddm-cts.h: the plug-in interface of wddm-cts, the conformance test suite for the memory
 * interfaces of the Windows Display Driver Model. It is the whole contract between the suite and
 * an implementation; the reference emulator is written against it like any other plug-in.
 *
 * PARTIES. Three parties talk to each other, and every message crosses the runner, which
 * records it in order:
 *   kernel   takes the calls of user mode (Dxgkrnl and its video memory manager);
 *   driver   answers what a display miniport driver answers;
 *   machine  belongs to the runner: memory, regions of user memory, and the services that the
 *            documents name (secure, query, release).
 * A plug-in implements the kernel side, the driver side, or both. A side reaches the two other
 * parties only through wcts_host.call. For a side that the plug-in does not give, the runner
 * has a counterpart: a driver with scripted answers, or the reference kernel.
 *
 * MESSAGES. status = call(ctx, operation, request, request_size, reply, reply_room, &reply_size)
 *   - Requests and replies are structs of this header, followed by the arrays that they name.
 *   - A member called p..., of 8 bytes, that is not said to be a user address, is an offset in
 *     bytes from the start of its own message; 0 is null.
 *   - Every request and reply begins with its own size: sizeof its struct here, without
 *     the arrays. Structs grow at their end only: read no member beyond that size.
 *     The structures of the documents are inside a message with their x64 layout, field for
 *     field, so that a driver's own structures can be copied over.
 *   - A request belongs to the caller and is valid during the call only. The reply buffer is the
 *     caller's too, 8-byte aligned, zero-filled, of reply_room bytes (at least
 *     WCTS_REPLY_ROOM). The callee sets *reply_size to the bytes that it wrote,
 *     arrays included; more than reply_room is a breach of the protocol.
 *   - When the status is a failing one the reply is ignored and may be left empty.
 *   - Replies are untrusted on both sides: whoever reads one checks sizes and offsets.
 *
 * STATUS. NTSTATUS values. Negative means refused. NOT_IMPLEMENTED and NOT_SUPPORTED mean that the
 * side does not have the operation (or this use of it) and are never taken as a refusal: a driver
 * of which one kind of allocation cannot be paged answers so to DRIVER_PAGING of that kind. Which
 * use it is depends on what is asked for, not on when: a side that has taken a request, and answers
 * so to the same one for the same objects later in the instance, has refused it.
 * NO_MEMORY, INSUFFICIENT_RESOURCES and DEVICE_REMOVED say that the test could not be made.
 * PENDING is a success; the request has taken effect once KERNEL_SETTLE returns.
 *
 * INSTANCES. open() boots one machine: one WDDM version, one host page size, no adapters, no
 * processes. The runner opens an instance for each case and closes it at its end, also after
 * refusals; close() frees all that the instance holds. Instances of one plug-in never
 * run at the same time in one process, but several may be open. Calls come from one thread,
 * and nest: while the kernel is inside KERNEL_ADAPTER_START it calls DRIVER_INFO.
 *
 * HANDLES. 0 names nothing. A handle that was destroyed names nothing for the rest of the instance:
 * it is not given out again. That goes for a kernel's handles; a driver's own values may be
 * addresses, which come again when what they named is destroyed.
 *
 * UNITS. Sizes, offsets and addresses are bytes unless a name says pages. A host page is
 * wcts_host.page_size bytes; a GPU page 4096, which is also the page of OffsetInPages and
 * NumberOfPages.
 *
 * SPACES. Memory belongs to the machine and is named by a space and an address:
 *   0            system memory. Its physical addresses, the kernel's and those of user mode are one
 *                and the same. [WCTS_KERNEL_MEMORY, WCTS_KERNEL_MEMORY_END) is the kernel's own, to
 *                give out as it likes: backing stores, sections, DMA buffers and their private
 *                data. The machine hands out regions and views elsewhere. Fresh memory is zero.
 *   1 to 31      the memory of the segment with that id of adapter 0, from its offset 0; of
 *                adapter 1 with 0x10000 added (WCTS_SPACE). An aperture segment has no memory:
 *                what is mapped into it is system memory.
 *   WCTS_SPACE_CPU   what the CPU sees at a physical address of a bus: a CpuVisible memory segment
 *                lies there from its CpuTranslatedAddress on, and nothing else does.
 * Both adapters are the same driver's. DRIVER_SEGMENTS does not name the adapter,
 * so both have the same segments with the same ids and the same CpuTranslatedAddress, each
 * with memory of its own. There the CPU sees the memory of the adapter that was started first; that
 * of the other is read and written in its own spaces.
 *
 * NUMBERS. Where a member carries a value that Windows defines, it carries the number that Windows
 * gives it, so that an adapter for a real kernel or driver can copy it. Few of these numbers are in
 * the documents; take them from the public headers of the Windows SDK and the Windows Driver Kit:
 *   wcts_status                           NTSTATUS, ntstatus.h
 *   interface versions                    DXGKDDI_INTERFACE_VERSION, d3dukmdt.h
 *   flags of KERNEL_ALLOCATION_CREATE     D3DKMT_CREATEALLOCATIONFLAGS, d3dkmthk.h
 *   flags of KERNEL_ALLOCATION_DESTROY    D3DDDICB_DESTROYALLOCATION2FLAGS, d3dukmdt.h
 *   Type of a standard allocation         D3DKMT_STANDARDALLOCATIONTYPE, d3dkmthk.h
 *   StandardAllocationType                D3DKMDT_STANDARDALLOCATION_TYPE, d3dkmdt.h
 *   Type of a GDI surface                 D3DKMDT_GDISURFACETYPE, d3dkmdt.h
 *   Format                                D3DDDIFORMAT, d3dukmdt.h
 *   Priority, AllocationPriority          D3DDDI_ALLOCATIONPRIORITY_..., d3dukmdt.h
 *   OperationType (not the union's order) D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION_TYPE, d3dukmdt.h
 *   Protection                            D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE, d3dukmdt.h
 *   ReservationType                       D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE, d3dukmdt.h
 *   flags of DXGK_ALLOCATIONINFO          DXGK_ALLOCATIONINFOFLAGS*, d3dkmddi.h
 *   flags of a segment                    DXGK_SEGMENTFLAGS, d3dkmddi.h
 *   flags of DRIVER_ALLOCATION_CREATE     DXGK_CREATEALLOCATIONFLAGS, d3dkmddi.h
 *   flags of DRIVER_ALLOCATION_DESTROY    DXGK_DESTROYALLOCATIONFLAGS, d3dkmddi.h
 *   paging operations                     DXGK_BUILDPAGINGBUFFER_OPERATION, d3dkmddi.h
 *   flags of DRIVER_PATCH                 DXGK_PATCHFLAGS, d3dkmddi.h
 *   flags of DRIVER_SUBMIT                DXGK_SUBMITCOMMANDFLAGS, d3dkmddi.h
 * The flags of other structs are defined inside the struct that has their name.
 * Everything else is this interface's own numbering, which no header of Windows has: operations,
 * spaces, capabilities, sides, how a driver patches, attributes of regions, power states, states of
 * GPU pages, and WCTS_STANDARD_NONE. An adapter has to translate those.
 */
#ifndef WDDM_CTS_H
#define WDDM_CTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#define WCTS_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define WCTS_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* Raised whenever an existing member or operation changes its meaning; a plug-in with another
 * number is not loaded. New operations and members at the end of a struct do not raise it.
 * 2: WCTS_PAGING_MAP_APERTURE, WCTS_PAGING_UNMAP_APERTURE and WCTS_GDISURFACE_TEXTURE_CROSSADAPTER
 *    have the numbers that Windows gives them. */
#define WCTS_ABI_VERSION 2u

/* The least room for a reply that any caller offers, in bytes. */
#define WCTS_REPLY_ROOM 16384u

/* The most messages that a call of the suite may cause, with all that the parties send during it. A
 * plug-in that sends more counts as hanging. */
#define WCTS_MESSAGES_MAX 100000u

#define WCTS_KERNEL_MEMORY UINT64_C(0x100000000000)
#define WCTS_KERNEL_MEMORY_END UINT64_C(0x200000000000)
#define WCTS_SPACE(adapter, segment) ((uint32_t)(adapter) << 16 | (uint32_t)(segment))
#define WCTS_SPACE_CPU UINT32_MAX

/* NTSTATUS. */
typedef int32_t wcts_status;

#define WCTS_STATUS_SUCCESS ((wcts_status)0)
#define WCTS_STATUS_PENDING ((wcts_status)0x00000103)
#define WCTS_STATUS_NOT_IMPLEMENTED ((wcts_status)0xC0000002)
#define WCTS_STATUS_INVALID_HANDLE ((wcts_status)0xC0000008)
#define WCTS_STATUS_INVALID_PARAMETER ((wcts_status)0xC000000D)
#define WCTS_STATUS_NO_MEMORY ((wcts_status)0xC0000017)
#define WCTS_STATUS_ACCESS_DENIED ((wcts_status)0xC0000022)
#define WCTS_STATUS_BUFFER_TOO_SMALL ((wcts_status)0xC0000023)
#define WCTS_STATUS_INSUFFICIENT_RESOURCES ((wcts_status)0xC000009A)
#define WCTS_STATUS_NOT_SUPPORTED ((wcts_status)0xC00000BB)
#define WCTS_STATUS_DEVICE_REMOVED ((wcts_status)0xC00002B6)

/* True if the status accepts the request. */
static inline int wcts_succeeded(wcts_status status)
{
    return status >= 0;
}

/* ---- The structures of the five documents, and those that they name (x64 layout) ---- */

/* D3DKMT_CREATEALLOCATION. Flags is the word of document 000. hResource, as input: the resource to
 * which the allocations are added, 0 for none; a kernel may refuse to add any. pPrivateRuntimeData,
 * pStandardAllocation / pPrivateDriverData (one union) and pAllocationInfo2 are offsets in the
 * message; D3DKMT handles are 32-bit. */
struct wcts_D3DKMT_CREATEALLOCATION {
    uint32_t hDevice;
    uint32_t hResource;
    uint32_t hGlobalShare;
    uint32_t Pad0;
    uint64_t pPrivateRuntimeData; /* uint8_t[PrivateRuntimeDataSize] */
    uint32_t PrivateRuntimeDataSize;
    uint32_t Pad1;
    union {
        uint64_t pStandardAllocation; /* wcts_D3DKMT_CREATESTANDARDALLOCATION[1] */
        uint64_t pPrivateDriverData;  /* uint8_t[PrivateDriverDataSize] */
    };
    uint32_t PrivateDriverDataSize;
    uint32_t NumAllocations;
    uint64_t pAllocationInfo2; /* wcts_D3DDDI_ALLOCATIONINFO2[NumAllocations] */
    uint32_t Flags;
    uint32_t Pad2;
    uint64_t hPrivateRuntimeResourceHandle;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_D3DKMT_CREATEALLOCATION) == 0x48, "x64 layout");

/* D3DKMT_CREATESTANDARDALLOCATION. Type: D3DKMT_STANDARDALLOCATIONTYPE; 1 is an existing heap,
 * whose size is Size. */
struct wcts_D3DKMT_CREATESTANDARDALLOCATION {
    uint32_t Type;
    uint32_t Pad0;
    uint64_t Size;
    uint32_t Flags;
    uint32_t Pad1;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_D3DKMT_CREATESTANDARDALLOCATION) == 0x18, "x64 layout");

/* D3DDDI_ALLOCATIONINFO2. hSection / pSystemMem are one union: a handle that KERNEL_SECTION gave,
 * or a user address (not an offset in the message). pPrivateDriverData is an offset. */
struct wcts_D3DDDI_ALLOCATIONINFO2 {
    uint32_t hAllocation;
    uint32_t Pad0;
    union {
        uint64_t hSection;
        uint64_t pSystemMem;
    };
    uint64_t pPrivateDriverData; /* uint8_t[PrivateDriverDataSize] */
    uint32_t PrivateDriverDataSize;
    uint32_t VidPnSourceId;
    uint32_t Flags;
    uint32_t Pad1;
    uint64_t GpuVirtualAddress;
    uint32_t Priority;
    uint32_t Pad2;
    uint64_t Reserved[5];
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_D3DDDI_ALLOCATIONINFO2) == 0x60, "x64 layout");

/* D3DKMT_DESTROYALLOCATION2. phAllocationList is the offset of AllocationCount 32-bit handles;
 * with hResource set the list is null and the whole resource goes. A handle of the list that
 * belongs to a resource, made or opened, may be refused: such a one goes with its resource. */
struct wcts_D3DKMT_DESTROYALLOCATION2 {
    uint32_t hDevice;
    uint32_t hResource;
    uint64_t phAllocationList; /* wcts_handle_entry[AllocationCount] */
    uint32_t AllocationCount;
    uint32_t Flags;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_D3DKMT_DESTROYALLOCATION2) == 0x18, "x64 layout");

/* DXGK_ALLOCATIONINFO (document 001). A segment set may name segments that the driver did not list:
 * such a bit stands for no segment and is ignored wherever the kernel chooses one. A set that names
 * none of the listed segments does not say where the allocation goes; paging it in may then be
 * refused, with any status. HintedBank: 4 bytes, each Bank:7, Direction:1; bank n is the
 * n-th of a segment's table, from 1, and 0 is none.
 * PreferredSegment: five groups of SegmentId:5, Direction:1 from bit 0 up; id 0 is none. A segment
 * that the driver did not list is supported for nothing: a preference for it that the write set
 * (below 2.0 the read set, too) does not name is one for an unsupported segment, like any other.
 * Where the sets name it, the preference is ignored as their bit is.
 * pPrivateDriverData and pAllocationUsageHint are offsets. hAllocation is the driver's own
 * value. The last union member is MaximumRenamingListLength or PhysicalAdapterIndex, the
 * flag word Flags or FlagsWddm2, by version. */
struct wcts_DXGK_ALLOCATIONINFO {
    uint64_t pPrivateDriverData; /* uint8_t[PrivateDriverDataSize] */
    uint32_t PrivateDriverDataSize;
    uint32_t Alignment;
    uint64_t Size;
    uint64_t PitchAlignedSize;
    uint32_t HintedBank;
    uint32_t PreferredSegment;
    uint32_t SupportedReadSegmentSet;
    uint32_t SupportedWriteSegmentSet;
    uint32_t EvictionSegmentSet;
    union {
        uint32_t MaximumRenamingListLength;
        uint32_t PhysicalAdapterIndex;
    };
    uint64_t hAllocation;
    union {
        uint32_t Flags;
        uint32_t FlagsWddm2;
    };
    uint32_t Pad0;
    uint64_t pAllocationUsageHint;
    uint32_t AllocationPriority;
    uint32_t Flags2;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_DXGK_ALLOCATIONINFO) == 0x58, "x64 layout");

/* A segment as the driver describes it: the members of DXGK_SEGMENTDESCRIPTOR, ...3 and ...4 in
 * one struct. A driver whose descriptor lacks a member leaves it 0. Flags is the word of document
 * 003. The segment's id is its index in the reply plus 1. pBankRangeTable is the offset of
 * NbOfBanks wcts_bank_range; from WDDM 2.0 descriptors have no banks, and what a kernel makes of
 * UseBanking is open. */
struct wcts_DXGK_SEGMENTDESCRIPTOR {
    uint32_t Flags;
    uint32_t NbOfBanks;
    uint64_t BaseAddress;
    uint64_t CpuTranslatedAddress;
    uint64_t Size;
    uint64_t CommitLimit;
    uint64_t pBankRangeTable; /* wcts_bank_range[NbOfBanks] */
    uint64_t SystemMemoryEndAddress;
    uint64_t CpuHostAperturePhysicalAddress;
    uint32_t CpuHostApertureSizeInPages;
    uint32_t NumInvalidMemoryRanges;
    uint64_t VprRangeStartOffset;
    uint64_t VprRangeSize;
    uint32_t VprAlignment;
    uint32_t NumVprSupported;
    uint32_t VprReserveSize;
    uint32_t Pad0;
};

/* One bank of a segment: [Start, Start + Length) in bytes from the segment's start. */
struct wcts_bank_range {
    uint64_t Start;
    uint64_t Length;
};

/* The arms of D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION (document 002). OperationType is a
 * D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION_TYPE, Protection a
 * D3DDDIGPUVIRTUALADDRESS_PROTECTION_TYPE. */
struct wcts_va_map {
    uint64_t BaseAddress;
    uint64_t SizeInBytes;
    uint32_t hAllocation;
    uint32_t Pad0;
    uint64_t AllocationOffsetInBytes;
    uint64_t AllocationSizeInBytes;
};

struct wcts_va_map_protect {
    uint64_t BaseAddress;
    uint64_t SizeInBytes;
    uint32_t hAllocation;
    uint32_t Pad0;
    uint64_t AllocationOffsetInBytes;
    uint64_t AllocationSizeInBytes;
    uint64_t Protection;
    uint64_t DriverProtection;
};

struct wcts_va_unmap {
    uint64_t BaseAddress;
    uint64_t SizeInBytes;
    uint64_t Protection;
};

struct wcts_va_copy {
    uint64_t SourceAddress;
    uint64_t SizeInBytes;
    uint64_t DestAddress;
};

struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION {
    uint32_t OperationType;
    uint32_t Pad0;
    union {
        struct wcts_va_map Map;
        struct wcts_va_map_protect MapProtect;
        struct wcts_va_unmap Unmap;
        struct wcts_va_copy Copy;
    };
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION) == 0x40,
                   "x64 layout");

/* D3DKMT_UPDATEGPUVIRTUALADDRESS. Operations is an offset. */
struct wcts_D3DKMT_UPDATEGPUVIRTUALADDRESS {
    uint32_t hDevice;
    uint32_t hContext;
    uint32_t hFenceObject;
    uint32_t NumOperations;
    uint64_t Operations; /* wcts_D3DDDI_UPDATEGPUVIRTUALADDRESS_OPERATION[NumOperations] */
    uint64_t Reserved0;
    uint64_t Reserved1;
    uint64_t FenceValue;
    uint32_t Flags;
    uint32_t Pad0;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_D3DKMT_UPDATEGPUVIRTUALADDRESS) == 0x38, "x64 layout");

/* D3DDDI_RESERVEGPUVIRTUALADDRESS. hAdapter stands for the union with hPagingQueue. BaseAddress 0
 * lets the kernel choose; any other is where the range begins, or the call is refused.
 * ReservationType: D3DDDIGPUVIRTUALADDRESS_RESERVATION_TYPE, 0 no access, 1 zero. VirtualAddress is
 * an output. */
struct wcts_D3DDDI_RESERVEGPUVIRTUALADDRESS {
    uint32_t hAdapter;
    uint32_t Pad0;
    uint64_t BaseAddress;
    uint64_t MinimumAddress;
    uint64_t MaximumAddress;
    uint64_t Size;
    uint32_t ReservationType;
    uint32_t Pad1;
    uint64_t DriverProtection;
    uint64_t VirtualAddress;
    uint64_t PagingFenceValue;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_D3DDDI_RESERVEGPUVIRTUALADDRESS) == 0x48, "x64 layout");

/* D3DKMT_FREEGPUVIRTUALADDRESS. */
struct wcts_D3DKMT_FREEGPUVIRTUALADDRESS {
    uint32_t hAdapter;
    uint32_t Pad0;
    uint64_t BaseAddress;
    uint64_t Size;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_D3DKMT_FREEGPUVIRTUALADDRESS) == 0x18, "x64 layout");

/* D3DDDI_PATCHLOCATIONLIST. SlotId: bits 0..23, reserved above. */
struct wcts_D3DDDI_PATCHLOCATIONLIST {
    uint32_t AllocationIndex;
    uint32_t SlotId;
    uint32_t DriverId;
    uint32_t AllocationOffset;
    uint32_t PatchOffset;
    uint32_t SplitOffset;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_D3DDDI_PATCHLOCATIONLIST) == 0x18, "x64 layout");

/* DXGK_ALLOCATIONLIST. Bits: WriteOperation bit 0, SegmentId bits 1..5, reserved above. At
 * DRIVER_PATCH SegmentId is the segment in which the allocation is, without the adapter, and
 * PhysicalAddress its address there. */
struct wcts_DXGK_ALLOCATIONLIST {
    uint64_t hDeviceSpecificAllocation;
    uint32_t Bits;
    uint32_t Pad0;
    uint64_t PhysicalAddress;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_DXGK_ALLOCATIONLIST) == 0x18, "x64 layout");

/* DXGKARG_PATCH (document 004). pDmaBuffer and pDmaBufferPrivateData are addresses in system
 * memory, read and written with MACHINE_READ and MACHINE_WRITE (space 0); pAllocationList and
 * pPatchLocationList are offsets in the message. Flags is DXGK_PATCHFLAGS. */
struct wcts_DXGKARG_PATCH {
    union {
        uint64_t hDevice;
        uint64_t hContext;
    };
    uint32_t DmaBufferSegmentId;
    uint32_t Pad0;
    uint64_t DmaBufferPhysicalAddress;
    uint64_t pDmaBuffer;
    uint32_t DmaBufferSize;
    uint32_t DmaBufferSubmissionStartOffset;
    uint32_t DmaBufferSubmissionEndOffset;
    uint32_t Pad1;
    uint64_t pDmaBufferPrivateData;
    uint32_t DmaBufferPrivateDataSize;
    uint32_t DmaBufferPrivateDataSubmissionStartOffset;
    uint32_t DmaBufferPrivateDataSubmissionEndOffset;
    uint32_t Pad2;
    uint64_t pAllocationList; /* wcts_DXGK_ALLOCATIONLIST[AllocationListSize] */
    uint32_t AllocationListSize;
    uint32_t Pad3;
    uint64_t pPatchLocationList; /* wcts_D3DDDI_PATCHLOCATIONLIST[PatchLocationListSize] */
    uint32_t PatchLocationListSize;
    uint32_t PatchLocationListSubmissionStart;
    uint32_t PatchLocationListSubmissionLength;
    uint32_t SubmissionFenceId;
    uint32_t Flags;
    uint32_t EngineOrdinal;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_DXGKARG_PATCH) == 0x78, "x64 layout");

/* ---- Requests and replies ---- */

/* Operations without arguments, and without an answer. */
struct wcts_none {
    uint32_t size;
    uint32_t reserved;
};

/* What a side can do. Cases that need a bit which is not claimed are skipped, with that reason.
 * Own numbering. */
enum wcts_capability {
    /* kernel: gets the driver's answers from the runner, through wcts_host.call */
    WCTS_CAPABILITY_PROBE = 1 << 0,
    /* kernel: memory, regions and their services come from the machine party; without it the
     * runner gets regions with KERNEL_REGION */
    WCTS_CAPABILITY_MACHINE = 1 << 1,
    /* kernel: answers KERNEL_QUERY_PAGES */
    WCTS_CAPABILITY_PAGES = 1 << 2,
    /* kernel: answers KERNEL_QUERY_ALLOCATION */
    WCTS_CAPABILITY_PLACEMENT = 1 << 3,
    /* opening an instance is cheap (well under a millisecond); the suite opens one for each case */
    WCTS_CAPABILITY_FRESH = 1 << 4,
    /* kernel: refuses every breach of a rule, also where the documents only advise;
     * --level strict then checks that. Without it and without LENIENT a kernel is free to refuse or
     * accept what breaks advice alone */
    WCTS_CAPABILITY_STRICT = 1 << 5,
    /* kernel: accepts every breach of advice; --level strict checks that likewise. Neither of the
     * two promises anything about what the documents leave open, and a kernel does not claim both
     */
    WCTS_CAPABILITY_LENIENT = 1 << 6,
    /* driver: the priority level of an allocation does not matter to it (document 001,
     * AllocationPriority). Without the bit nothing is known about that */
    WCTS_CAPABILITY_ANY_PRIORITY = 1 << 7,
    /* kernel: answers KERNEL_SWEEP, with wcts_sweep() of this header or in its own way; without it
     * the suite makes each call of a sweep itself */
    WCTS_CAPABILITY_SWEEP = 1 << 8,
    /* driver: nothing runs the commands that it builds, and what stands between it and the suite
     * moves the content of paging operations in their place. Nothing is skipped; the last line of a
     * run reports it, since the run does not show whether the commands are right */
    WCTS_CAPABILITY_UNEXECUTED = 1 << 9,
    /* driver: it patches nothing, and never will, as its commands have virtual addresses. Nothing
     * changes but that a run does not propose patches as what to implement next */
    WCTS_CAPABILITY_UNPATCHED = 1 << 10,
};

/* How a driver writes addresses when it patches. Own numbering. A driver of which DRIVER_PATCH is
 * missing or always fails claims NONE. */
enum wcts_patches {
    WCTS_PATCHES_NONE = 0,
    WCTS_PATCHES_32 = 1,         /* the low 32 bits of the address, little endian */
    WCTS_PATCHES_64 = 2,         /* 64 bits, little endian */
    WCTS_PATCHES_32_SEGMENT = 3, /* 32 bits, relative to the segment's BaseAddress */
    WCTS_PATCHES_64_SEGMENT = 4, /* 64 bits, relative to the segment's BaseAddress */
    WCTS_PATCHES_EXPRESSION = 5, /* PatchWidth bytes: the value of pPatchExpression */
    WCTS_PATCHES_ELSEWHERE = 6,  /* DRIVER_PATCH succeeds and writes nothing into the DMA buffer but
                                  * its fence command: nothing at all, or private data that nothing
                                  * is declared of */
    WCTS_PATCHES_PRIVATE =
        7, /* PatchWidth bytes of the DMA buffer's private data: the value of
            * pPatchExpression. Into the DMA buffer goes the fence command alone */
};

/* KERNEL_INFO. The interface versions are DXGKDDI_INTERFACE_VERSION numbers; the side supports
 * every version between them, both included. page_sizes is the sum of the host page sizes that it
 * supports (4096, 16384, 65536).
 * pProfile is the offset of a zero-terminated string of at most WCTS_PROFILE_MAX bytes: the profile
 * by which it is to be judged where the user of the suite names none, as --profile takes it; 0, or
 * "none": the documents alone. A reply that ends before it names none. */
#define WCTS_PROFILE_MAX 127u

struct wcts_kernel_info_reply {
    uint32_t size;
    uint32_t capabilities; /* enum wcts_capability */
    uint32_t first_interface_version;
    uint32_t last_interface_version;
    uint32_t page_sizes;
    uint32_t reserved;
    uint64_t pProfile; /* uint8_t[], ended by 0 */
};

/* One kind of allocation that a driver offers: pName is the offset of a zero-terminated string,
 * pPrivateDriverData that of the private data with which its user-mode half creates one. */
struct wcts_allocation_kind {
    uint64_t pName;              /* uint8_t[], ended by 0 */
    uint64_t pPrivateDriverData; /* uint8_t[PrivateDriverDataSize] */
    uint32_t PrivateDriverDataSize;
    uint32_t reserved;
};

/* Paging operations (DxgkDdiBuildPagingBuffer) that a kernel of this interface requests, with the
 * numbers of DXGK_BUILDPAGINGBUFFER_OPERATION. */
enum wcts_paging_operation {
    WCTS_PAGING_TRANSFER = 0,
    WCTS_PAGING_FILL = 1,
    WCTS_PAGING_MAP_APERTURE = 5,   /* MAP_APERTURE_SEGMENT */
    WCTS_PAGING_UNMAP_APERTURE = 6, /* UNMAP_APERTURE_SEGMENT */
};

/* DRIVER_INFO. What the driver claims of itself. pKinds is the offset of KindCount
 * wcts_allocation_kind; from a driver without any the kernel requests allocations without
 * private data.
 * paging_operations: bits of operations that are not in enum wcts_paging_operation are ignored.
 * pPatchExpression, for WCTS_PATCHES_EXPRESSION and PRIVATE alone, is the offset of a
 * zero-terminated string of at most WCTS_PATCH_EXPRESSION_MAX characters: what the driver writes at
 * a location, little endian, in PatchWidth bytes (1, 2, 4 or 8; higher bits of the value are
 * dropped). It is written as in C, of 64-bit unsigned numbers, with + - * << >> & ^ | ~,
 * parentheses, decimal (with no 0 in front) and 0x numbers, and these names:
 *   address   PhysicalAddress of the element of the allocation list
 *   offset    AllocationOffset
 *   base      BaseAddress of the segment SegmentId; 0 for SegmentId 0
 *   segment   SegmentId
 *   slot      SlotId
 *   driver    DriverId
 *   old       what was at the location before, PatchWidth bytes
 * A shift by 64 or more gives 0. Example, a page number above 12 bits of flags that stay:
 * "(address + offset - base + 0x80000000) >> 12 << 12 | old & 0xFFF". A reply that ends before
 * PatchWidth has neither.
 * PrivateOffset, for PRIVATE: what belongs to the n-th element of the patch-location list, from 0,
 * is at PrivateOffset + n * PatchWidth in the submission's range of the private data, which begins
 * at DmaBufferPrivateDataSubmissionStartOffset; nothing is written of an element that has no room
 * in the range.
 * pProfile: as for KERNEL_INFO. Of a plug-in with both sides either may name one, or both the same.
 */
#define WCTS_PATCH_EXPRESSION_MAX 255u

struct wcts_driver_info_reply {
    uint32_t size;
    uint32_t capabilities; /* WCTS_CAPABILITY_FRESH, ANY_PRIORITY, UNEXECUTED, UNPATCHED */
    uint32_t first_interface_version;
    uint32_t last_interface_version;
    uint32_t patches;                /* enum wcts_patches */
    uint32_t paging_operations;      /* bit n: implements the wcts_paging_operation n */
    uint32_t creates_contexts;       /* 1: supports multiple engines, creates contexts */
    uint32_t section_backed_primary; /* 1: sets DXGK_VIDMMCAPS.SectionBackedPrimary */
    uint32_t dma_buffer_segment_set; /* DXGK_CONTEXTINFO.DmaBufferSegmentSet */
    uint32_t KindCount;
    uint64_t pKinds; /* wcts_allocation_kind[KindCount] */
    uint32_t PatchWidth;
    uint32_t PrivateOffset;    /* reserved, 0, until it got this meaning */
    uint64_t pPatchExpression; /* uint8_t[], ended by 0 */
    uint64_t pProfile;         /* uint8_t[], ended by 0 */
};

/* DRIVER_SEGMENTS. Sent for each adapter start; a kernel may ask again, and is answered alike.
 * pSegments is the offset of Count wcts_DXGK_SEGMENTDESCRIPTOR, Stride bytes apart. */
struct wcts_driver_segments_reply {
    uint32_t size;
    uint32_t Count;
    uint32_t Stride;
    uint32_t reserved;
    uint64_t pSegments; /* wcts_DXGK_SEGMENTDESCRIPTOR[Count] */
};

/* Standard allocations, with the numbers of D3DKMDT_STANDARDALLOCATION_TYPE; its number 5, VGPU, is
 * never requested. */
enum wcts_standard_allocation {
    WCTS_STANDARD_NONE = 0, /* own: no standard allocation */
    WCTS_STANDARD_SHAREDPRIMARYSURFACE = 1,
    WCTS_STANDARD_SHADOWSURFACE = 2,
    WCTS_STANDARD_STAGINGSURFACE = 3,
    WCTS_STANDARD_GDISURFACE = 4,
};

/* D3DKMDT_GDISURFACEDATA::Type and ::Format, the values that document 000 names, with the numbers
 * of D3DKMDT_GDISURFACETYPE (6 is TEXTURE_CPUVISIBLE there) and D3DDDIFORMAT. */
#define WCTS_GDISURFACE_TEXTURE_CROSSADAPTER 7u
#define WCTS_D3DDDIFMT_UNKNOWN 0u

/* DRIVER_STANDARD_ALLOCATION (DxgkDdiGetStandardAllocationDriverData): for a GDI surface the four
 * members of D3DKMDT_GDISURFACEDATA; for the others Width, Height and Format. The reply's private
 * data goes into the request that creates the allocation, and what the driver then describes has
 * room for the surface: Height rows of Width pixels, of 4 bytes in the formats A8R8G8B8 (21) and
 * X8R8G8B8 (22), of 1 in the format UNKNOWN. A driver answers NOT_SUPPORTED for a type of surface
 * that it does not have. Pitch, of all but the shared primary: the bytes from one row to the next,
 * 0 where the driver does not return it. A row then has room for its pixels, and what the driver
 * describes for Height rows of Pitch bytes, but for what is behind the pixels of the last one.
 * Over an existing buffer or section (TEXTURE_CROSSADAPTER, UNKNOWN, Height 1) Width is the size of
 * that, behind which there is no memory: the driver describes Width bytes, and no more than rounds
 * them up to 64 KiB. */
struct wcts_driver_standard_allocation_request {
    uint32_t size;
    uint32_t StandardAllocationType; /* enum wcts_standard_allocation */
    uint32_t Width;
    uint32_t Height;
    uint32_t Format;
    uint32_t Type;
};

struct wcts_driver_standard_allocation_reply {
    uint32_t size;
    uint32_t AllocationPrivateDriverDataSize;
    uint64_t pAllocationPrivateDriverData; /* uint8_t[AllocationPrivateDriverDataSize] */
    uint32_t Pitch;                        /* a reply that ends before it does not return it */
    uint32_t reserved;
};

/* DRIVER_ALLOCATION_CREATE (DxgkDdiCreateAllocation). pAllocationInfo is the offset of
 * NumAllocations wcts_DXGK_ALLOCATIONINFO whose [in] members are set, while the others hold
 * anything; the reply repeats the array with the [out] members, of which the driver sets each.
 * StandardAllocationType is the type for which DRIVER_STANDARD_ALLOCATION returned the private
 * data, NONE for a user-mode allocation. One request holds all allocations of one call of user
 * mode, in their order. */
struct wcts_driver_allocation_create_request {
    uint32_t size;
    uint32_t StandardAllocationType;
    uint64_t hDevice;            /* the kernel's adapter or device, for the log */
    uint64_t pPrivateDriverData; /* uint8_t[PrivateDriverDataSize] */
    uint32_t PrivateDriverDataSize;
    uint32_t NumAllocations;
    uint64_t pAllocationInfo; /* wcts_DXGK_ALLOCATIONINFO[NumAllocations] */
    uint64_t hResource;       /* 0: none */
    uint32_t Flags;           /* DXGK_CREATEALLOCATIONFLAGS */
    uint32_t reserved;
};

struct wcts_driver_allocation_create_reply {
    uint32_t size;
    uint32_t NumAllocations;
    uint64_t pAllocationInfo; /* wcts_DXGK_ALLOCATIONINFO[NumAllocations] */
    uint64_t hResource;
};

/* One element of a list of a driver's own allocation handles. */
struct wcts_driver_handle_entry {
    uint64_t hAllocation;
};

/* DRIVER_ALLOCATION_DESTROY. phAllocationList: offset of NumAllocations of them. */
struct wcts_driver_allocation_destroy_request {
    uint32_t size;
    uint32_t NumAllocations;
    uint64_t phAllocationList; /* wcts_driver_handle_entry[NumAllocations] */
    uint64_t hResource;
    uint32_t Flags; /* DXGK_DESTROYALLOCATIONFLAGS */
    uint32_t reserved;
};

/* DRIVER_RENDER (DxgkDdiRender): translate a command buffer into a DMA buffer. The command buffer
 * and both lists are given back as the lists of the reply. Its patch-location list begins with an
 * element for each one of the request, in their order, with the AllocationIndex and
 * AllocationOffset of that one; PatchOffset is where the driver has put it, and elements of its own
 * may follow. Addresses are in system memory. hContext is the context, or the device of a driver
 * that creates no contexts. The suite does not know a driver's commands and sends bytes of its own:
 * a driver that takes nothing but its own commands answers NOT_SUPPORTED, or takes from both lists
 * what its commands are to refer to. */
struct wcts_driver_render_request {
    uint32_t size;
    uint32_t CommandLength;
    uint64_t hContext;
    uint64_t pCommand; /* uint8_t[CommandLength] */
    uint64_t pDmaBuffer;
    uint32_t DmaSize;
    uint32_t AllocationListSize;
    uint64_t pDmaBufferPrivateData;
    uint32_t DmaBufferPrivateDataSize;
    uint32_t PatchLocationListSize;
    uint64_t pAllocationList;    /* wcts_DXGK_ALLOCATIONLIST[AllocationListSize] */
    uint64_t pPatchLocationList; /* wcts_D3DDDI_PATCHLOCATIONLIST[PatchLocationListSize] */
};

struct wcts_driver_render_reply {
    uint32_t size;
    uint32_t DmaLength;         /* bytes written at pDmaBuffer, at most DmaSize */
    uint32_t PrivateDataLength; /* bytes used at pDmaBufferPrivateData: the submission's range is
                                 * [0, PrivateDataLength), at most DmaBufferPrivateDataSize */
    uint32_t AllocationListSize;
    uint64_t pAllocationList; /* wcts_DXGK_ALLOCATIONLIST[AllocationListSize] */
    uint32_t PatchLocationListSize;
    uint32_t reserved;
    uint64_t pPatchLocationList; /* wcts_D3DDDI_PATCHLOCATIONLIST[PatchLocationListSize] */
};

/* DRIVER_PRESENT (DxgkDdiPresent): put the commands of a present into a DMA buffer. The structs are
 * those of DRIVER_RENDER. In the request there is no command (CommandLength 0) and no
 * patch-location list. AllocationListSize is 3, and the elements are where DxgkDdiPresent has them:
 * 0 is empty (all members 0), 1 (DXGK_PRESENT_SOURCE_INDEX) the source, 2
 * (DXGK_PRESENT_DESTINATION_INDEX) the destination. The lists of the reply are the driver's: the
 * allocation list may have fewer or other elements in another order, as long as they are empty, the
 * source or the destination, and the patch-location list has those that the DMA buffer needs. */

/* DRIVER_PAGING (DxgkDdiBuildPagingBuffer), carried out at once: when the driver has answered a
 * transfer or a fill with success, the bytes have moved. How it lays them out in a memory segment
 * is its own business, but moved back they are what they were. Source and destination are a segment
 * id, with adapter 1 as in SPACES (0: system memory), and an offset or address in it; SegmentId of
 * an aperture operation has adapter 1 likewise. A transfer is between system memory and a segment,
 * or between segments; one from or to an aperture segment reaches the system pages that are mapped
 * there. Aperture operations are sent for segments with Aperture or Agp alike, MAP_APERTURE before
 * the content is used or transferred there and UNMAP_APERTURE when it leaves; the interface has no
 * GART driver that would do it for Agp. What is destroyed leaves, too: it is unmapped before the
 * driver is asked to destroy it. Whether what is mapped when the power goes is unmapped is the
 * kernel's choice.
 * Aperture operations: SegmentId, OffsetInPages, NumberOfPages, and the system address of the first
 * page; the pages are contiguous, so an allocation whose pages are not takes several operations.
 * FILL: NumberOfPages is not used; TransferSize bytes at the destination become FillPattern, 4
 * bytes at a time.
 *
 * pDmaBuffer is where the driver may put commands in the paging buffer, DmaSize the room there. The
 * kernel then has what was put there patched and submitted like any other DMA buffer: DRIVER_PATCH
 * with the Paging flag, then DRIVER_SUBMIT, for each DRIVER_PAGING that was answered.
 * pDmaBufferPrivateData, DmaBufferPrivateDataSize: the free part of the paging buffer's private
 * data, in system memory. hContext is the context of the work for which content moves, 0 when
 * there is none. */
struct wcts_driver_paging_request {
    uint32_t size;
    uint32_t Operation; /* enum wcts_paging_operation */
    uint64_t hAllocation;
    uint32_t SourceSegmentId;
    uint32_t DestinationSegmentId;
    uint64_t SourceAddress;
    uint64_t DestinationAddress;
    uint64_t TransferSize;
    uint32_t FillPattern;
    uint32_t SegmentId;
    uint64_t OffsetInPages;
    uint64_t NumberOfPages;
    uint64_t SystemAddress;
    uint64_t hContext;
    uint64_t pDmaBuffer;
    uint32_t DmaSize;
    uint32_t DmaBufferPrivateDataSize;
    uint64_t pDmaBufferPrivateData;
};

/* The driver's choice of the private-data range for this submission: it begins at the
 * pDmaBufferPrivateData of this reply, the one of the request or a later address in that room. In
 * the DRIVER_PATCH that follows, pDmaBufferPrivateData plus
 * DmaBufferPrivateDataSubmissionStartOffset is that address. A driver that always answers with
 * the request's address has one range for all submissions. The reply gives no length: the range
 * ends where the private data ends, and a driver that needs to know how much of it is in use keeps
 * that there itself. */
struct wcts_driver_paging_reply {
    uint32_t size;
    uint32_t DmaLength; /* bytes put at pDmaBuffer */
    uint64_t pDmaBufferPrivateData;
};

/* DRIVER_DEVICE (DxgkDdiCreateDevice), sent for each KERNEL_DEVICE, and DRIVER_CONTEXT
 * (DxgkDdiCreateContext), sent after it once for each device when creates_contexts is 1: a
 * device of this interface has one context. The reply's handle is the driver's own, not 0, by
 * which the kernel names the device or context to the driver from then on: hDevice and hContext of
 * DRIVER_RENDER, DRIVER_PRESENT, DRIVER_PAGING, DRIVER_PATCH and DRIVER_SUBMIT. For a driver
 * without the operation the kernel names it by a value of its own. */
struct wcts_driver_device_request {
    uint32_t size;
    uint32_t Adapter; /* Index of KERNEL_ADAPTER_START */
    uint64_t hDevice; /* context: the driver's handle of its device; device: the kernel's handle */
};

struct wcts_driver_handle_reply {
    uint32_t size;
    uint32_t reserved;
    uint64_t Handle;
};

/* DRIVER_PATCH (DxgkDdiPatch). */
struct wcts_driver_patch_request {
    uint32_t size;
    uint32_t reserved;
    struct wcts_DXGKARG_PATCH Patch;
};

/* DRIVER_SUBMIT (DxgkDdiSubmitCommand). The offsets and the DmaBufferSize that the driver saw at
 * patch time. The patched DMA buffer then lies at DmaBufferPhysicalAddress: in system memory, or,
 * where DmaBufferSegmentId is not 0, in that segment at DmaBufferPhysicalAddress less the segment's
 * BaseAddress. The segment is one of the adapter whose device or context hContext is. */
struct wcts_driver_submit_request {
    uint32_t size;
    uint32_t reserved;
    uint64_t hContext;
    uint32_t DmaBufferSegmentId;
    uint32_t DmaBufferSize;
    uint64_t DmaBufferPhysicalAddress;
    uint32_t DmaBufferSubmissionStartOffset;
    uint32_t DmaBufferSubmissionEndOffset;
    uint32_t SubmissionFenceId;
    uint32_t Flags; /* DXGK_SUBMITCOMMANDFLAGS */
};

/* KERNEL_ADAPTER_START. Brings up adapter number Index (0 or 1): the kernel sends the driver
 * DRIVER_INFO and DRIVER_SEGMENTS. Refused when the adapter does not initialise. */
struct wcts_kernel_adapter_start_request {
    uint32_t size;
    uint32_t Index;
};

struct wcts_kernel_handle_reply {
    uint32_t size;
    uint32_t Handle; /* not 0 */
};

/* KERNEL_ADAPTER_STOP stops an adapter and destroys its devices with all that they hold.
 * KERNEL_PREEMPT takes a device. */
struct wcts_kernel_handle_request {
    uint32_t size;
    uint32_t Handle;
};

/* KERNEL_PROCESS. secure 1: a secure (protected) process. */
struct wcts_kernel_process_request {
    uint32_t size;
    uint32_t Secure;
};

/* KERNEL_DEVICE: a device of a process on an adapter. */
struct wcts_kernel_device_request {
    uint32_t size;
    uint32_t hAdapter;
    uint32_t hProcess;
    uint32_t reserved;
};

/* Attributes of a region of user memory. Own bits: what VirtualQuery shows of MEM_ROTATE is a bit
 * of MEMORY_BASIC_INFORMATION.Type (winnt.h), 0x00800000, which has another meaning there for
 * memory of an image. An adapter sets the bit here for memory that is MEM_ROTATE. */
enum wcts_region_attribute {
    WCTS_REGION_MEM_ROTATE = 1 << 0, /* the CPU view of an allocation that may live in VRAM */
};

/* KERNEL_REGION: user memory of Size bytes, beginning Misalignment bytes after a 64 KiB boundary.
 * Sent only to a kernel without WCTS_CAPABILITY_MACHINE. */
struct wcts_kernel_region_request {
    uint32_t size;
    uint32_t hProcess;
    uint64_t Size;
    uint32_t Misalignment;
    uint32_t Attributes; /* enum wcts_region_attribute */
};

struct wcts_kernel_region_reply {
    uint32_t size;
    uint32_t reserved;
    uint64_t Address;
};

/* KERNEL_SECTION: a section of Size bytes; the reply's Handle is 64-bit, for hSection. */
struct wcts_kernel_section_request {
    uint32_t size;
    uint32_t hProcess;
    uint64_t Size;
};

struct wcts_kernel_section_reply {
    uint32_t size;
    uint32_t reserved;
    uint64_t hSection;
};

/* KERNEL_ALLOCATION_CREATE (D3DKMTCreateAllocation), from user mode. A call with StandardAllocation
 * has one D3DKMT_CREATESTANDARDALLOCATION. No document says whether NumAllocations may be more than
 * 1 then, so a kernel may refuse that; where it does not, each of them has that Type and Size and
 * is described by the driver alike, while buffers and sections are the elements' own (pSystemMem,
 * hSection). An allocation with NoKmdAccess is described by no driver: where its size
 * is not that of an existing buffer or section the kernel chooses it, at least one host page, and
 * KERNEL_QUERY_ALLOCATION reports it. The reply repeats Args with
 * the [out] members (hResource, hGlobalShare, Flags) and, at pAllocationInfo2, the array with
 * hAllocation set. */
struct wcts_kernel_allocation_create {
    uint32_t size;
    uint32_t reserved;
    struct wcts_D3DKMT_CREATEALLOCATION Args;
};

/* One element of a list of D3DKMT handles. */
struct wcts_handle_entry {
    uint32_t Handle;
};

/* KERNEL_ALLOCATION_DESTROY (D3DKMTDestroyAllocation2). */
struct wcts_kernel_allocation_destroy_request {
    uint32_t size;
    uint32_t reserved;
    struct wcts_D3DKMT_DESTROYALLOCATION2 Args;
};

/* KERNEL_SHARED_PRIMARY: the kernel makes the shared primary of a display mode, as it does on a
 * mode change: it requests a shared primary surface with DRIVER_STANDARD_ALLOCATION and creates
 * what the driver describes. The reply's handle is the allocation's. */
struct wcts_kernel_shared_primary_request {
    uint32_t size;
    uint32_t hDevice;
    uint32_t Width;  /* pixels */
    uint32_t Height; /* pixels */
    uint32_t Format; /* D3DDDIFORMAT */
    uint32_t reserved;
};

/* KERNEL_STANDARD_ALLOCATION: the kernel makes a surface of its own, as Windows does to draw with
 * GDI, or to show what it has drawn: it requests a standard allocation of the given type, size,
 * Format and Type with DRIVER_STANDARD_ALLOCATION and creates what the driver describes. A driver
 * that has none of the type answers NOT_SUPPORTED, and so does the kernel then. The reply's handle
 * is the allocation's; the suite destroys it with KERNEL_ALLOCATION_DESTROY or with its device. */
struct wcts_kernel_standard_allocation_request {
    uint32_t size;
    uint32_t hDevice;
    uint32_t StandardAllocationType; /* enum wcts_standard_allocation: SHADOW to GDISURFACE */
    uint32_t Width;                  /* pixels */
    uint32_t Height;                 /* pixels */
    uint32_t Format;                 /* D3DDDIFORMAT; 0 for a staging surface */
    uint32_t Type;                   /* of a GDI surface: D3DKMDT_GDISURFACETYPE; else 0 */
    uint32_t reserved;
};

/* KERNEL_SHARE (D3DKMTShareObjects), of one object of this process. */
struct wcts_kernel_share_request {
    uint32_t size;
    uint32_t hProcess;
    uint32_t hObject; /* a resource handle */
    uint32_t reserved;
};

struct wcts_kernel_share_reply {
    uint32_t size;
    uint32_t reserved;
    uint64_t hNtHandle;
};

/* KERNEL_OPEN_GLOBAL (D3DKMTOpenResource) and KERNEL_OPEN_NT (D3DKMTOpenResourceFromNtHandle).
 * KERNEL_ALLOCATION_DESTROY of the opened hResource closes it: its handles name nothing then, while
 * the resource stays as it is for whoever else has it. */
struct wcts_kernel_open_global_request {
    uint32_t size;
    uint32_t hDevice;
    uint32_t hGlobalShare;
    uint32_t reserved;
};

struct wcts_kernel_open_nt_request {
    uint32_t size;
    uint32_t hDevice;
    uint64_t hNtHandle;
};

struct wcts_kernel_open_reply {
    uint32_t size;
    uint32_t hResource;
    uint32_t hAllocation; /* the first one */
    uint32_t reserved;
};

/* KERNEL_LOCK (pfnLockCb / D3DKMTLock2). Write 1 asks for a writable CPU view. Discard 1: the
 * content is not needed any more, so that an allocation that submitted work still uses may be
 * renamed instead of waited for. What is submitted is in use until KERNEL_SETTLE. A kernel with
 * WCTS_CAPABILITY_MACHINE makes the view with MACHINE_VIEW and ends it when it is unlocked or the
 * allocation goes; what is read and written there is the content of the allocation, wherever it is
 * moved while it is locked.
 * UseAlternateVA 1 (of D3DDDICB_LOCKFLAGS; document 003, CpuVisible) asks for the alternate address
 * of a primary. A primary is what KERNEL_SHARED_PRIMARY made, or was created with Primary in
 * D3DDDI_ALLOCATIONINFO2.Flags; the suite sets it for no other allocation, and below WDDM 2.0 only
 * where the driver set UseAlternateVA in the allocation's Flags. The alternate address does not
 * lead through an aperture segment, so it does not matter whether that is CpuVisible. Without it
 * the CPU is to reach a primary in an aperture segment through the segment: if the segment is not
 * CpuVisible a kernel may refuse to lock it, with any status. The view shows the content in either
 * case; nothing of an aperture segment lies in WCTS_SPACE_CPU, so a view of one is of the system
 * pages. */
struct wcts_kernel_lock_request {
    uint32_t size;
    uint32_t hDevice;
    uint32_t hAllocation;
    uint32_t Write;
    uint32_t Discard;
    uint32_t UseAlternateVA; /* reserved, 0, until it got this meaning */
};

struct wcts_kernel_lock_reply {
    uint32_t size;
    uint32_t reserved;
    uint64_t Address; /* user address; a region of the machine */
};

struct wcts_kernel_allocation_request {
    uint32_t size;
    uint32_t hDevice;
    uint32_t hAllocation;
    uint32_t Write; /* KERNEL_PAGE_IN: for 0 reading, 1 writing; else 0 */
};

/* KERNEL_VA_RESERVE, KERNEL_VA_FREE, KERNEL_VA_UPDATE. Ranges belong to one process. Whether
 * another adapter can have one at the same address is the kernel's choice. A reservation begins and
 * ends at a multiple of 64 KiB, an update counts GPU pages of 4096 bytes; the suite makes no finer
 * reservations. VA_FREE names a whole reservation as VA_RESERVE made it: the suite frees no part of
 * one and no two at once, and a kernel may refuse both. */
struct wcts_kernel_va_reserve {
    uint32_t size;
    uint32_t hProcess;
    struct wcts_D3DDDI_RESERVEGPUVIRTUALADDRESS Args;
};

struct wcts_kernel_va_free_request {
    uint32_t size;
    uint32_t hProcess;
    struct wcts_D3DKMT_FREEGPUVIRTUALADDRESS Args;
};

struct wcts_kernel_va_update_request {
    uint32_t size;
    uint32_t reserved;
    struct wcts_D3DKMT_UPDATEGPUVIRTUALADDRESS Args;
};

/* What would move an allocation that is locked, KERNEL_PAGE_IN, KERNEL_EVICT, KERNEL_SUBMIT and
 * KERNEL_PRESENT, may be refused, with any status. When the content moves, the view of KERNEL_LOCK
 * keeps showing it, so a kernel that cannot do that with memory that the CPU does not see refuses,
 * leaves the allocation where it is, or chooses another segment of its sets.
 *
 * KERNEL_EVICT: the content of the allocation leaves its segment for system memory, mapped through
 * an aperture of its EvictionSegmentSet, or straight where that names none or none has room;
 * KERNEL_PAGE_IN brings it into a segment.
 * Both have taken effect once KERNEL_SETTLE returns, and what they moved is still there when a
 * query follows: a kernel that pages out of its own accord does so in another call, or later.
 * KERNEL_PREEMPT takes a device: what it submitted last is preempted, and patched and submitted
 * again, the same part of the same DMA buffer, under a SubmissionFenceId of its own. A device that
 * submitted nothing has nothing to preempt: the call succeeds or is refused. Work that was refused,
 * or NOT_SUPPORTED, was not submitted. */

/* KERNEL_SUBMIT: render CommandLength bytes at pCommand with the given allocations and submit
 * [StartOffset, EndOffset) of the DMA buffer (EndOffset 0: up to the DmaLength that the driver
 * answered). EndOffset may lie behind DmaLength as long as it lies in the buffer: the offsets that
 * the driver is given are then those of the request. An EndOffset before StartOffset or behind the
 * buffer is refused. So is, with EndOffset 0, a StartOffset behind DmaLength. An allocation that
 * the driver does not know (NoKmdAccess) cannot be submitted.
 * PatchLocationListSubmissionStart and PatchLocationListSubmissionLength are passed to DRIVER_PATCH
 * as they are, 0 included; a range that is not in the list of the request may be refused. */
struct wcts_kernel_submit_request {
    uint32_t size;
    uint32_t hDevice;
    uint64_t pCommand; /* uint8_t[CommandLength] */
    uint32_t CommandLength;
    uint32_t AllocationCount;
    uint64_t pAllocations;       /* wcts_handle_entry[AllocationCount] */
    uint64_t pPatchLocationList; /* wcts_D3DDDI_PATCHLOCATIONLIST[PatchLocationListSize] */
    uint32_t PatchLocationListSize;
    uint32_t PatchLocationListSubmissionStart;
    uint32_t PatchLocationListSubmissionLength;
    uint32_t StartOffset;
    uint32_t EndOffset;
    uint32_t reserved;
};

struct wcts_kernel_submit_reply {
    uint32_t size;
    uint32_t SubmissionFenceId;
};

/* KERNEL_PRESENT (D3DKMTPresent): present hSource onto hDestination. The kernel sends
 * DRIVER_PRESENT, then has the whole DMA buffer, up to DmaLength, patched with all that the driver
 * returned, and submitted: DRIVER_PATCH and DRIVER_SUBMIT with the Present flag. Both
 * allocations belong to the device's process, are known to the driver (no NoKmdAccess), and may be
 * the same one. The reply is that of KERNEL_SUBMIT. NOT_SUPPORTED when the driver has no
 * DRIVER_PRESENT. */
struct wcts_kernel_present_request {
    uint32_t size;
    uint32_t hDevice;
    uint32_t hSource;      /* an allocation */
    uint32_t hDestination; /* an allocation */
};

/* Own numbering: neither SYSTEM_POWER_STATE nor POWER_ACTION. */
enum wcts_power_state {
    WCTS_POWER_ON = 0,
    WCTS_POWER_STANDBY = 1,
    WCTS_POWER_HIBERNATE = 2,
    WCTS_POWER_HYBRID_SLEEP = 3,
};

/* KERNEL_POWER: the system goes to the state. A segment is purged by moving what is in it to system
 * memory (DRIVER_PAGING) before the power goes; it stays there until it is paged in again. That
 * goes for what is locked, too, whose view keeps showing the content. HYBRID_SLEEP: hybrid sleep is
 * enabled and the system goes to standby. */
struct wcts_kernel_power_request {
    uint32_t size;
    uint32_t State; /* enum wcts_power_state */
};

/* KERNEL_QUERY_ALLOCATION: where the allocation is. SegmentId is the segment's id without the
 * adapter, 1 to 31, on adapter 1, too: the adapter is that of hDevice. 0: system memory only. An
 * evicted allocation is in system memory only, or in the aperture through which it was evicted.
 * PageSize (document 003, Use64KBPages) is of the pages of a memory segment with which the
 * allocation is mapped there, 4096 or 65536 bytes. 0 where the kernel does not report it, below
 * WDDM 2.0, and for what is in no memory segment. A kernel whose reply ends before it does not
 * report it. RenamingListLength (document 001, MaximumRenamingListLength): how many names the
 * allocation has now, or how many it may get. */
struct wcts_kernel_query_allocation_reply {
    uint32_t size;
    uint32_t SegmentId;
    uint64_t Offset;      /* in the segment */
    uint64_t SegmentSize; /* bytes taken in the segment */
    uint64_t Size;        /* bytes of the backing store */
    uint32_t Priority;
    uint32_t RenamingListLength;
    uint32_t PageSize;
    uint32_t reserved;
};

/* What a GPU page is. Own numbering. */
enum wcts_page_state {
    WCTS_PAGE_UNRESERVED = 0,
    WCTS_PAGE_ZERO = 1,
    WCTS_PAGE_INVALID = 2, /* no access */
    WCTS_PAGE_MAPPED = 3,
};

/* KERNEL_QUERY_PAGES: Count GPU pages (of 4096 bytes) from Address. */
struct wcts_kernel_query_pages_request {
    uint32_t size;
    uint32_t hProcess;
    uint32_t hAdapter;
    uint32_t Count;
    uint64_t Address;
};

struct wcts_page {
    uint32_t State;
    uint32_t hAllocation; /* as the process knows it; 0 unless mapped */
    uint64_t AllocationOffset;
    uint64_t Protection;
    uint64_t DriverProtection;
};

struct wcts_kernel_query_pages_reply {
    uint32_t size;
    uint32_t Count;
    uint64_t pPages; /* wcts_page[Count] */
};

/* KERNEL_SWEEP makes the same call for many values of one of its members, for a kernel that is far
 * from the suite, in another process or machine: one message and its reply instead of several for
 * each value. Sent only to a kernel with WCTS_CAPABILITY_SWEEP, for flag words of a request whose
 * operation is KERNEL_ALLOCATION_CREATE; a kernel may answer NOT_SUPPORTED to any of them, and the
 * suite then makes the calls itself. wcts_sweep() below implements it.
 *
 * The values are those of RangeCount wcts_sweep_range, one range after the other, ValueCount in
 * all, at most WCTS_SWEEP_VALUES_MAX. For each of them, in this order, the request of RequestSize
 * bytes at pRequest (a multiple of 8, at most WCTS_SWEEP_REQUEST_MAX) is sent to Operation with the
 * value, little endian, in the MemberWidth (4 or 8) bytes at its MemberOffset. What an accepted
 * call made is ended before the next one, by the operation End: KERNEL_ALLOCATION_DESTROY of the
 * resource or of all the allocations in the reply, KERNEL_ADAPTER_STOP of its Handle, 0: nothing
 * was made. Calls to driver and machine cross the runner as ever.
 *
 * The reply has an enum wcts_sweep_answer, one byte, for each value: Count is ValueCount. A kernel
 * may stop after any value but the first, and stops where what was made cannot be ended: from there
 * on all bytes are NOT_SENT, and the suite sends those values in a new instance. The status
 * of the operation itself is a success whatever the answers are.
 *
 * reply_room is WCTS_SWEEP_ROOM at least: the room of a reply of its own for the calls. */
enum wcts_sweep_answer {
    WCTS_SWEEP_NOT_SENT = 0,
    WCTS_SWEEP_ACCEPTED = 1, /* by their status, see STATUS above */
    WCTS_SWEEP_REFUSED = 2,
    WCTS_SWEEP_MISSING = 3, /* NOT_IMPLEMENTED, NOT_SUPPORTED, or a reply that is too short */
    WCTS_SWEEP_NO_TEST = 4, /* NO_MEMORY, INSUFFICIENT_RESOURCES, DEVICE_REMOVED */
};

#define WCTS_SWEEP_VALUES_MAX 1024u
#define WCTS_SWEEP_REQUEST_MAX 2048u
#define WCTS_SWEEP_ROOM (WCTS_REPLY_ROOM + WCTS_SWEEP_REQUEST_MAX + 2048u)

/* Count values: the n-th, from 0, is Base with the bits of First + n, from the lowest, where Mask
 * has bits, from the lowest. Base has none of these. Example: Base 0x10, Mask 0x5, First 1, Count 3
 * is 0x11, 0x14, 0x15. */
struct wcts_sweep_range {
    uint64_t Base;
    uint64_t Mask;
    uint64_t First;
    uint64_t Count;
};

struct wcts_kernel_sweep_request {
    uint32_t size;
    uint32_t Operation;
    uint64_t pRequest; /* uint8_t[RequestSize] */
    uint32_t RequestSize;
    uint32_t MemberOffset;
    uint32_t MemberWidth;
    uint32_t RangeCount;
    uint64_t pRanges; /* wcts_sweep_range[RangeCount] */
    uint32_t ValueCount;
    uint32_t End; /* an operation, or 0 */
};

struct wcts_kernel_sweep_reply {
    uint32_t size;
    uint32_t Count;
    uint64_t pAnswers; /* uint8_t[Count], enum wcts_sweep_answer */
};

/* MACHINE_READ and MACHINE_WRITE, of a space (see SPACES). The bytes follow the struct at pData
 * (request of WRITE, reply of READ; in the request of READ it is ignored). */
struct wcts_machine_memory_request {
    uint32_t size;
    uint32_t Space;
    uint64_t Address;
    uint64_t Length;
    uint64_t pData; /* uint8_t[Length] */
};

struct wcts_machine_memory_reply {
    uint32_t size;
    uint32_t Length;
    uint64_t pData; /* uint8_t[Length] */
};

/* MACHINE_QUERY (VirtualQuery), MACHINE_SECURE (MemSecure) and MACHINE_RELEASE. A range of user
 * memory; Handle is what SECURE answered. */
struct wcts_machine_range_request {
    uint32_t size;
    uint32_t reserved;
    uint64_t Address;
    uint64_t Length;
    uint64_t Handle;
};

struct wcts_machine_query_reply {
    uint32_t size;
    uint32_t Attributes; /* enum wcts_region_attribute */
    uint64_t Base;
    uint64_t Length;
};

struct wcts_machine_secure_reply {
    uint32_t size;
    uint32_t reserved;
    uint64_t Handle;
};

/* MACHINE_VIEW: user memory that shows [Address, Address + Length) of a space: the CPU view of an
 * allocation. The reply's View is the user address, 64 KiB aligned, a region that QUERY and SECURE
 * know; what is written to one is read from the other. Address and Length are
 * multiples of 4096; Space is 0 or WCTS_SPACE_CPU. With View set, that view shows the new
 * range from now on: the allocation was moved; Length is then that of the view. Attributes:
 * WCTS_REGION_MEM_ROTATE for the view of an allocation that may live in video memory.
 * MACHINE_VIEW_END: the view of that address goes; Handle and Length are ignored. */
struct wcts_machine_view_request {
    uint32_t size;
    uint32_t Space;
    uint64_t Address;
    uint64_t Length;
    uint64_t View; /* 0: a new one */
    uint32_t Attributes;
    uint32_t reserved;
};

struct wcts_machine_view_reply {
    uint32_t size;
    uint32_t reserved;
    uint64_t View;
};

/* MACHINE_LOG: a line of text for the recorded exchange. */
struct wcts_machine_log_request {
    uint32_t size;
    uint32_t Length;
    uint64_t pText; /* uint8_t[Length] */
};

/* ---- The operations ----
 * X(party, name, number, request, reply, sent by, may it be missing, a statement that needs it)
 * "may be missing": MUST (a side without it cannot be tested), SETUP (the handle is then 0 and the
 * case continues), MAY (the cases that use it are skipped). */
#define WCTS_OPERATIONS(X)                                                                         \
    X(KERNEL, INFO, 0x101, none, kernel_info_reply, RUNNER, MUST, "all")                           \
    X(KERNEL, ADAPTER_START, 0x102, kernel_adapter_start_request, kernel_handle_reply, RUNNER,     \
      SETUP, "SEG-006")                                                                            \
    X(KERNEL, ADAPTER_STOP, 0x103, kernel_handle_request, none, RUNNER, MAY, "all")                \
    X(KERNEL, PROCESS, 0x104, kernel_process_request, kernel_handle_reply, RUNNER, SETUP,          \
      "CAF-006")                                                                                   \
    X(KERNEL, DEVICE, 0x105, kernel_device_request, kernel_handle_reply, RUNNER, SETUP, "CAF-005") \
    X(KERNEL, REGION, 0x106, kernel_region_request, kernel_region_reply, RUNNER, MAY, "CAF-012")   \
    X(KERNEL, SECTION, 0x107, kernel_section_request, kernel_section_reply, RUNNER, MAY,           \
      "CAF-033")                                                                                   \
    X(KERNEL, ALLOCATION_CREATE, 0x108, kernel_allocation_create, kernel_allocation_create,        \
      RUNNER, MAY, "CAF-003")                                                                      \
    X(KERNEL, ALLOCATION_DESTROY, 0x109, kernel_allocation_destroy_request, none, RUNNER, MAY,     \
      "UVA-008")                                                                                   \
    X(KERNEL, SHARE, 0x10A, kernel_share_request, kernel_share_reply, RUNNER, MAY, "CAF-041")      \
    X(KERNEL, OPEN_GLOBAL, 0x10B, kernel_open_global_request, kernel_open_reply, RUNNER, MAY,      \
      "CAF-005")                                                                                   \
    X(KERNEL, OPEN_NT, 0x10C, kernel_open_nt_request, kernel_open_reply, RUNNER, MAY, "CAF-052")   \
    X(KERNEL, LOCK, 0x10D, kernel_lock_request, kernel_lock_reply, RUNNER, MAY, "CAF-015")         \
    X(KERNEL, UNLOCK, 0x10E, kernel_allocation_request, none, RUNNER, MAY, "CAF-015")              \
    X(KERNEL, VA_RESERVE, 0x10F, kernel_va_reserve, kernel_va_reserve, RUNNER, MAY, "UVA-006")     \
    X(KERNEL, VA_FREE, 0x110, kernel_va_free_request, none, RUNNER, MAY, "UVA-006")                \
    X(KERNEL, VA_UPDATE, 0x111, kernel_va_update_request, none, RUNNER, MAY, "UVA-002")            \
    X(KERNEL, PAGE_IN, 0x112, kernel_allocation_request, none, RUNNER, MAY, "SEG-003")             \
    X(KERNEL, EVICT, 0x113, kernel_allocation_request, none, RUNNER, MAY, "AIN-013")               \
    X(KERNEL, SUBMIT, 0x114, kernel_submit_request, kernel_submit_reply, RUNNER, MAY, "PAT-014")   \
    X(KERNEL, PREEMPT, 0x115, kernel_handle_request, none, RUNNER, MAY, "PAT-019")                 \
    X(KERNEL, POWER, 0x116, kernel_power_request, none, RUNNER, MAY, "SEG-018")                    \
    X(KERNEL, SETTLE, 0x117, none, none, RUNNER, MAY, "UVA-002")                                   \
    X(KERNEL, QUERY_ALLOCATION, 0x118, kernel_allocation_request, kernel_query_allocation_reply,   \
      RUNNER, MAY, "AIN-004")                                                                      \
    X(KERNEL, QUERY_PAGES, 0x119, kernel_query_pages_request, kernel_query_pages_reply, RUNNER,    \
      MAY, "UVA-002")                                                                              \
    X(KERNEL, SHARED_PRIMARY, 0x11A, kernel_shared_primary_request, kernel_handle_reply, RUNNER,   \
      MAY, "SEG-034")                                                                              \
    X(KERNEL, PRESENT, 0x11B, kernel_present_request, kernel_submit_reply, RUNNER, MAY, "PAT-035") \
    X(KERNEL, SWEEP, 0x11C, kernel_sweep_request, kernel_sweep_reply, RUNNER, MAY, "none")         \
    X(KERNEL, STANDARD_ALLOCATION, 0x11D, kernel_standard_allocation_request, kernel_handle_reply, \
      RUNNER, MAY, "HDR-040")                                                                      \
    X(DRIVER, INFO, 0x201, none, driver_info_reply, KERNEL, MUST, "all")                           \
    X(DRIVER, SEGMENTS, 0x202, none, driver_segments_reply, KERNEL, MAY, "SEG-006")                \
    X(DRIVER, ALLOCATION_CREATE, 0x203, driver_allocation_create_request,                          \
      driver_allocation_create_reply, KERNEL, MAY, "AIN-007")                                      \
    X(DRIVER, ALLOCATION_DESTROY, 0x204, driver_allocation_destroy_request, none, KERNEL, MAY,     \
      "AIN-015")                                                                                   \
    X(DRIVER, STANDARD_ALLOCATION, 0x205, driver_standard_allocation_request,                      \
      driver_standard_allocation_reply, KERNEL, MAY, "CAF-048")                                    \
    X(DRIVER, RENDER, 0x206, driver_render_request, driver_render_reply, KERNEL, MAY, "PAT-035")   \
    X(DRIVER, PAGING, 0x207, driver_paging_request, driver_paging_reply, KERNEL, MAY, "SEG-004")   \
    X(DRIVER, PATCH, 0x208, driver_patch_request, none, KERNEL, MAY, "PAT-013")                    \
    X(DRIVER, SUBMIT, 0x209, driver_submit_request, none, KERNEL, MAY, "PAT-007")                  \
    X(DRIVER, DEVICE, 0x20A, driver_device_request, driver_handle_reply, KERNEL, SETUP, "PAT-002") \
    X(DRIVER, CONTEXT, 0x20B, driver_device_request, driver_handle_reply, KERNEL, SETUP,           \
      "PAT-020")                                                                                   \
    X(DRIVER, PRESENT, 0x20C, driver_render_request, driver_render_reply, KERNEL, MAY, "PAT-035")  \
    X(MACHINE, READ, 0x301, machine_memory_request, machine_memory_reply, BOTH, MUST, "PAT-015")   \
    X(MACHINE, WRITE, 0x302, machine_memory_request, none, BOTH, MUST, "PAT-015")                  \
    X(MACHINE, QUERY, 0x303, machine_range_request, machine_query_reply, KERNEL, MUST, "CAF-016")  \
    X(MACHINE, SECURE, 0x304, machine_range_request, machine_secure_reply, KERNEL, MUST,           \
      "CAF-016")                                                                                   \
    X(MACHINE, RELEASE, 0x305, machine_range_request, none, KERNEL, MUST, "CAF-050")               \
    X(MACHINE, LOG, 0x306, machine_log_request, none, BOTH, MUST, "all")                           \
    X(MACHINE, VIEW, 0x307, machine_view_request, machine_view_reply, KERNEL, MUST, "CAF-015")     \
    X(MACHINE, VIEW_END, 0x308, machine_range_request, none, KERNEL, MUST, "CAF-015")

enum wcts_operation {
#define WCTS_OPERATION_ENUM(party, name, number, request, reply, by, missing, need)                \
    WCTS_##party##_##name = (number),
    WCTS_OPERATIONS(WCTS_OPERATION_ENUM)
#undef WCTS_OPERATION_ENUM
};

#define WCTS_OPERATION_ASSERT(party, name, number, request, reply, by, missing, need)              \
    WCTS_STATIC_ASSERT(sizeof(struct wcts_##request) % 8 == 0 &&                                   \
                           sizeof(struct wcts_##reply) % 8 == 0,                                   \
                       "messages pad to 8 bytes");
WCTS_OPERATIONS(WCTS_OPERATION_ASSERT)
#undef WCTS_OPERATION_ASSERT

/* ---- The two tables ---- */

/* One call from a party to another. Returns the status; see MESSAGES above. */
typedef wcts_status wcts_call_fn(void *ctx, uint32_t operation, const void *request,
                                 uint32_t request_size, void *reply, uint32_t reply_room,
                                 uint32_t *reply_size);

/* What the runner gives an instance. Owned by the runner, valid until close() returns. */
struct wcts_host {
    uint32_t size;
    uint32_t abi_version;
    uint32_t interface_version; /* DXGKDDI_INTERFACE_VERSION of this boot */
    uint32_t page_size;         /* host page: 4096, 16384 or 65536 */
    void *ctx;                  /* the first argument of call */
    wcts_call_fn *call;         /* reaches the other two parties */
    const char *options;        /* from --impl FILE,key=value,...; never NULL */
};

/* Own bits. */
enum wcts_side {
    WCTS_SIDE_KERNEL = 1 << 0,
    WCTS_SIDE_DRIVER = 1 << 1,
};

/* What a plug-in exports. Static data of the plug-in. */
struct wcts_plugin {
    uint32_t size;
    uint32_t abi_version; /* WCTS_ABI_VERSION */
    uint32_t sides;       /* enum wcts_side */
    uint32_t reserved;
    const char *name;    /* UTF-8, one line */
    const char *version; /* UTF-8, one line */
    /* Boots an instance of one side (one of enum wcts_side). Returns NULL when it cannot, for
     * instance for an unknown option, having logged why with MACHINE_LOG. */
    void *(*open)(const struct wcts_host *host, uint32_t side);
    /* Answers the operations of that side; anything else: WCTS_STATUS_NOT_IMPLEMENTED. */
    wcts_call_fn *call; /* ctx: what open() returned */
    /* Frees the instance. Never NULL. */
    void (*close)(void *instance);
};

/* Makes a symbol visible although the plug-in is built with -fvisibility=hidden. */
#ifdef _WIN32
#define WCTS_EXPORT __declspec(dllexport)
#elif defined __GNUC__
#define WCTS_EXPORT __attribute__((visibility("default")))
#else
#define WCTS_EXPORT
#endif

/* The one symbol that a plug-in's shared object must export; this declaration exports it. */
#define WCTS_PLUGIN_SYMBOL "wcts_plugin_entry"
typedef const struct wcts_plugin *wcts_plugin_entry_fn(void);
WCTS_EXPORT const struct wcts_plugin *wcts_plugin_entry(void);

/* ---- Faults, optional ---- */

#define WCTS_FAULT_ALSO_MAX 3

/* A fault that an instance shows with the option "fault=ID": one wrong expression, at the place
 * where a rule is implemented. "wddm-cts faults" lists them, "wddm-cts faults --try" finds out
 * whether the suite notices each and blames the right statement. Texts are UTF-8. */
struct wcts_fault {
    uint32_t size; /* of this struct */
    uint32_t line;
    const char *id;      /* of the rule, or that, "+" and a word */
    const char *kind;    /* "check missing", "wrong value", ... */
    const char *file;    /* NULL: the rule has no fault, and why is the reason */
    const char *good;    /* the expression as it is */
    const char *bad;     /* what it becomes */
    const char *options; /* that it needs to show, as --impl takes them; NULL: none */
    const char *why;     /* file NULL: the reason; else NULL */
    struct {
        const char *statement; /* that breaks, too; NULL: no more */
        const char *why;
    } also[WCTS_FAULT_ALSO_MAX];
};

struct wcts_fault_table {
    uint32_t size;        /* of this struct */
    uint32_t abi_version; /* WCTS_ABI_VERSION */
    uint32_t fault_size;  /* distance of the faults, at least sizeof(struct wcts_fault) */
    uint32_t count;
    const struct wcts_fault *faults;
    /* From now on marks[i], of count bytes, is set to 1 whenever faults[i] would have made a
     * difference in a call to any instance that shows no fault; NULL ends that. NULL: not
     * supported, every case may notice every fault. */
    void (*trace)(uint8_t *marks);
};

/* The symbol that a plug-in with faults exports besides. */
#define WCTS_PLUGIN_FAULTS_SYMBOL "wcts_plugin_faults"
typedef const struct wcts_fault_table *wcts_plugin_faults_fn(void);
WCTS_EXPORT const struct wcts_fault_table *wcts_plugin_faults(void);

/* ---- Helpers for plug-in authors ---- */

/* Returns the bytes [offset, offset + count * each) of a message of message_size bytes, or NULL
 * when they do not lie in it (overflow included). offset 0 is null and gives NULL. */
static inline const void *wcts_message_at(const void *message, uint32_t message_size,
                                          uint64_t offset, uint64_t count, uint64_t each)
{
    if (offset == 0 || offset > message_size)
        return NULL;
    if (each != 0 && count > (message_size - offset) / each)
        return NULL;
    return (const unsigned char *)message + offset;
}

/* The size of a request or reply struct, 0 for an unknown operation. */
static inline uint32_t wcts_request_size(uint32_t operation)
{
    switch (operation) {
#define WCTS_OPERATION_REQUEST(party, name, number, request, reply, by, missing, need)             \
    case number:                                                                                   \
        return (uint32_t)sizeof(struct wcts_##request);
        WCTS_OPERATIONS(WCTS_OPERATION_REQUEST)
#undef WCTS_OPERATION_REQUEST
    default:
        return 0;
    }
}

static inline uint32_t wcts_reply_size(uint32_t operation)
{
    switch (operation) {
#define WCTS_OPERATION_REPLY(party, name, number, request, reply, by, missing, need)               \
    case number:                                                                                   \
        return (uint32_t)sizeof(struct wcts_##reply);
        WCTS_OPERATIONS(WCTS_OPERATION_REPLY)
#undef WCTS_OPERATION_REPLY
    default:
        return 0;
    }
}

/* The least size of a reply struct: that of the first header with this WCTS_ABI_VERSION. Members
 * that a struct gained since are 0 for whoever reads a reply without them. */
static inline uint32_t wcts_reply_least(uint32_t operation)
{
    if (operation == WCTS_KERNEL_QUERY_ALLOCATION)
        return (uint32_t)offsetof(struct wcts_kernel_query_allocation_reply, PageSize);
    if (operation == WCTS_KERNEL_INFO)
        return (uint32_t)offsetof(struct wcts_kernel_info_reply, pProfile);
    if (operation == WCTS_DRIVER_INFO)
        return (uint32_t)offsetof(struct wcts_driver_info_reply, PatchWidth);
    if (operation == WCTS_DRIVER_STANDARD_ALLOCATION)
        return (uint32_t)offsetof(struct wcts_driver_standard_allocation_reply, Pitch);
    return wcts_reply_size(operation);
}

/* "KERNEL_INFO" and so on; "UNKNOWN" for an unknown operation. */
static inline const char *wcts_operation_name(uint32_t operation)
{
    switch (operation) {
#define WCTS_OPERATION_NAME(party, name, number, request, reply, by, missing, need)                \
    case number:                                                                                   \
        return #party "_" #name;
        WCTS_OPERATIONS(WCTS_OPERATION_NAME)
#undef WCTS_OPERATION_NAME
    default:
        return "UNKNOWN";
    }
}

/* A handler of one operation: request and reply point at the operation's structs, already checked
 * for size; the reply's size member is filled in. */
typedef wcts_status wcts_handler_fn(void *instance, const void *request, uint32_t request_size,
                                    void *reply, uint32_t reply_room, uint32_t *reply_size);

struct wcts_handler {
    uint32_t operation;
    wcts_handler_fn *handle;
};

/* Dispatches a call through a table of count handlers: checks the sizes of request and reply
 * room, fills in the reply's size and *reply_size, and answers NOT_IMPLEMENTED for an
 * operation that has no handler. */
static inline wcts_status wcts_dispatch(const struct wcts_handler *table, size_t count,
                                        void *instance, uint32_t operation, const void *request,
                                        uint32_t request_size, void *reply, uint32_t reply_room,
                                        uint32_t *reply_size)
{
    size_t i;
    *reply_size = 0;
    for (i = 0; i < count; i++) {
        uint32_t answer = wcts_reply_size(operation);
        if (table[i].operation != operation)
            continue;
        if (request_size < wcts_request_size(operation))
            return WCTS_STATUS_INVALID_PARAMETER;
        if (reply_room < answer)
            return WCTS_STATUS_BUFFER_TOO_SMALL;
        *(uint32_t *)reply = answer;
        *reply_size = answer;
        return table[i].handle(instance, request, request_size, reply, reply_room, reply_size);
    }
    return WCTS_STATUS_NOT_IMPLEMENTED;
}

/* ---- KERNEL_SWEEP ----
 * A kernel implements it with its capability and one line of its wcts_plugin.call:
 *     if (operation == WCTS_KERNEL_SWEEP)
 *         return wcts_sweep(call, instance, request, request_size, reply, reply_room, reply_size);
 */

/* The n-th value of a range, from 0. */
static inline uint64_t wcts_sweep_value(const struct wcts_sweep_range *range, uint64_t n)
{
    uint64_t value = range->Base, number = range->First + n, mask = range->Mask;
    for (; mask != 0; mask &= mask - 1, number >>= 1)
        if (number & 1)
            value |= mask & (~mask + 1);
    return value;
}

/* The class of a call's status. */
static inline enum wcts_sweep_answer wcts_sweep_answer_of(wcts_status status)
{
    if (wcts_succeeded(status))
        return WCTS_SWEEP_ACCEPTED;
    if (status == WCTS_STATUS_NOT_IMPLEMENTED || status == WCTS_STATUS_NOT_SUPPORTED)
        return WCTS_SWEEP_MISSING;
    if (status == WCTS_STATUS_NO_MEMORY || status == WCTS_STATUS_INSUFFICIENT_RESOURCES ||
        status == WCTS_STATUS_DEVICE_REMOVED)
        return WCTS_SWEEP_NO_TEST;
    return WCTS_SWEEP_REFUSED;
}

/* Ends the allocations of a create call that was accepted. */
static inline wcts_status wcts_sweep_destroy(wcts_call_fn *call, void *instance,
                                             const void *request, const void *reply,
                                             uint32_t reply_size)
{
    const struct wcts_kernel_allocation_create *in =
        (const struct wcts_kernel_allocation_create *)request;
    const struct wcts_kernel_allocation_create *out =
        (const struct wcts_kernel_allocation_create *)reply;
    const unsigned char *infos = (const unsigned char *)wcts_message_at(
        reply, reply_size, out->Args.pAllocationInfo2, in->Args.NumAllocations,
        sizeof(struct wcts_D3DDDI_ALLOCATIONINFO2));
    struct {
        struct wcts_kernel_allocation_destroy_request request;
        uint32_t handles[16];
    } message;
    struct wcts_none answer;
    uint32_t i, size = (uint32_t)sizeof message.request, answer_size = 0;
    memset(&message, 0, sizeof message);
    memset(&answer, 0, sizeof answer);
    message.request.size = size;
    message.request.Args.hDevice = in->Args.hDevice;
    message.request.Args.hResource = out->Args.hResource;
    if (out->Args.hResource == 0) {
        if (infos == NULL || in->Args.NumAllocations > 16)
            return WCTS_STATUS_NOT_SUPPORTED;
        for (i = 0; i < in->Args.NumAllocations; i++, size += 4)
            memcpy(&message.handles[i], infos + i * sizeof(struct wcts_D3DDDI_ALLOCATIONINFO2), 4);
        message.request.Args.AllocationCount = in->Args.NumAllocations;
        message.request.Args.phAllocationList = sizeof message.request;
    }
    return call(instance, WCTS_KERNEL_ALLOCATION_DESTROY, &message, size, &answer, sizeof answer,
                &answer_size);
}

/* Ends what an accepted call of a sweep made, with the operation end. */
static inline wcts_status wcts_sweep_end(wcts_call_fn *call, void *instance, uint32_t end,
                                         const void *request, const void *reply,
                                         uint32_t reply_size)
{
    struct wcts_kernel_handle_request stop;
    struct wcts_none answer;
    uint32_t answer_size = 0;
    if (end == 0)
        return WCTS_STATUS_SUCCESS;
    if (end == WCTS_KERNEL_ALLOCATION_DESTROY)
        return wcts_sweep_destroy(call, instance, request, reply, reply_size);
    memset(&answer, 0, sizeof answer);
    stop.size = (uint32_t)sizeof stop;
    stop.Handle = ((const struct wcts_kernel_handle_reply *)reply)->Handle;
    return call(instance, end, &stop, sizeof stop, &answer, sizeof answer, &answer_size);
}

/* True if the request of KERNEL_SWEEP is one that wcts_sweep() can carry out. */
static inline int wcts_sweep_is_known(const struct wcts_kernel_sweep_request *in,
                                      uint32_t request_size)
{
    const struct wcts_sweep_range *ranges = (const struct wcts_sweep_range *)wcts_message_at(
        in, request_size, in->pRanges, in->RangeCount, sizeof *ranges);
    uint64_t i, count = 0;
    int ends =
        in->End == 0 ||
        (in->End == WCTS_KERNEL_ADAPTER_STOP && in->Operation == WCTS_KERNEL_ADAPTER_START) ||
        (in->End == WCTS_KERNEL_ALLOCATION_DESTROY &&
         in->Operation == WCTS_KERNEL_ALLOCATION_CREATE);
    if (ranges == NULL || !ends || in->Operation == WCTS_KERNEL_SWEEP ||
        in->RequestSize > WCTS_SWEEP_REQUEST_MAX || in->ValueCount > WCTS_SWEEP_VALUES_MAX ||
        in->RequestSize < wcts_request_size(in->Operation) ||
        (in->MemberWidth != 4 && in->MemberWidth != 8) || in->MemberOffset > in->RequestSize ||
        in->MemberWidth > in->RequestSize - in->MemberOffset ||
        wcts_message_at(in, request_size, in->pRequest, in->RequestSize, 1) == NULL)
        return 0;
    for (i = 0; i < in->RangeCount && ranges[i].Count <= WCTS_SWEEP_VALUES_MAX; i++)
        count += ranges[i].Count;
    return i == in->RangeCount && count == in->ValueCount;
}

/* KERNEL_SWEEP by single calls of call, which is the wcts_plugin.call that answers them. Needs
 * neither memory nor more than some 300 bytes of stack: requests and replies of the calls are in
 * the end of the reply's room, which the reply itself does not reach. */
static inline wcts_status wcts_sweep(wcts_call_fn *call, void *instance, const void *request,
                                     uint32_t request_size, void *reply, uint32_t reply_room,
                                     uint32_t *reply_size)
{
    const struct wcts_kernel_sweep_request *in = (const struct wcts_kernel_sweep_request *)request;
    struct wcts_kernel_sweep_reply *out = (struct wcts_kernel_sweep_reply *)reply;
    unsigned char *answers = (unsigned char *)(out + 1);
    unsigned char *asked = (unsigned char *)reply + WCTS_SWEEP_ROOM - WCTS_REPLY_ROOM -
                           WCTS_SWEEP_REQUEST_MAX,
                  *answered = asked + WCTS_SWEEP_REQUEST_MAX;
    const struct wcts_sweep_range *range;
    uint32_t i, size, byte;
    uint64_t n = 0;
    *reply_size = 0;
    if (request_size < sizeof *in)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (reply_room < WCTS_SWEEP_ROOM)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    if (!wcts_sweep_is_known(in, request_size))
        return WCTS_STATUS_NOT_SUPPORTED;
    range = (const struct wcts_sweep_range *)((const unsigned char *)request + in->pRanges);
    memcpy(asked, (const unsigned char *)request + in->pRequest, in->RequestSize);
    memset(answers, WCTS_SWEEP_NOT_SENT, in->ValueCount);
    for (i = 0; i < in->ValueCount; i++) {
        uint64_t value;
        wcts_status status;
        for (; n == range->Count; range++)
            n = 0;
        value = wcts_sweep_value(range, n++);
        for (byte = 0; byte < in->MemberWidth; byte++)
            asked[in->MemberOffset + byte] = (unsigned char)(value >> 8 * byte);
        memset(answered, 0, wcts_reply_size(in->Operation));
        size = 0;
        status =
            call(instance, in->Operation, asked, in->RequestSize, answered, WCTS_REPLY_ROOM, &size);
        answers[i] = (unsigned char)wcts_sweep_answer_of(status);
        if (!wcts_succeeded(status))
            continue;
        if (size < wcts_reply_least(in->Operation) || size > WCTS_REPLY_ROOM) {
            answers[i] = WCTS_SWEEP_MISSING;
            break;
        }
        status = wcts_sweep_end(call, instance, in->End, asked, answered, size);
        memset(answered, 0, size);
        if (!wcts_succeeded(status))
            break;
    }
    out->size = (uint32_t)sizeof *out;
    out->Count = in->ValueCount;
    out->pAnswers = sizeof *out;
    *reply_size = (uint32_t)sizeof *out + in->ValueCount;
    return WCTS_STATUS_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
