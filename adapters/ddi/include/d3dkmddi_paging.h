/* SPDX-License-Identifier: MIT */
/* DxgkDdiBuildPagingBuffer; a part of d3dkmddi.h, which includes it. */
#ifndef WCTS_DDI_D3DKMDDI_PAGING_H
#define WCTS_DDI_D3DKMDDI_PAGING_H

#include "d3dkmddi.h"

typedef enum _DXGK_BUILDPAGINGBUFFER_OPERATION {
    DXGK_OPERATION_TRANSFER = 0,
    DXGK_OPERATION_FILL = 1,
    DXGK_OPERATION_DISCARD_CONTENT = 2,
    DXGK_OPERATION_READ_PHYSICAL = 3,
    DXGK_OPERATION_WRITE_PHYSICAL = 4,
    DXGK_OPERATION_MAP_APERTURE_SEGMENT = 5,
    DXGK_OPERATION_UNMAP_APERTURE_SEGMENT = 6,
    DXGK_OPERATION_SPECIAL_LOCK_TRANSFER = 7,
    DXGK_OPERATION_VIRTUAL_TRANSFER = 8,
    DXGK_OPERATION_VIRTUAL_FILL = 9,
    DXGK_OPERATION_INIT_CONTEXT_RESOURCE = 10,
    DXGK_OPERATION_UPDATE_PAGE_TABLE = 11,
    DXGK_OPERATION_FLUSH_TLB = 12,
    DXGK_OPERATION_UPDATE_CONTEXT_ALLOCATION = 13,
    DXGK_OPERATION_COPY_PAGE_TABLE_ENTRIES = 14,
    DXGK_OPERATION_NOTIFY_RESIDENCY = 15,
    DXGK_OPERATION_SIGNAL_MONITORED_FENCE = 16,
    DXGK_OPERATION_MAP_APERTURE_SEGMENT2 = 17,
} DXGK_BUILDPAGINGBUFFER_OPERATION;

typedef union _DXGK_TRANSFERFLAGS {
    struct {
        UINT Swizzle : 1;
        UINT Unswizzle : 1;
        UINT AllocationIsIdle : 1;
        UINT TransferStart : 1;
        UINT TransferEnd : 1;
        UINT Reserved : 27;
    };
    UINT Value;
} DXGK_TRANSFERFLAGS;

typedef union _DXGK_DISCARDCONTENTFLAGS {
    struct {
        UINT AllocationIsIdle : 1;
        UINT Reserved : 31;
    };
    UINT Value;
} DXGK_DISCARDCONTENTFLAGS;

typedef union _DXGK_MAPAPERTUREFLAGS {
    struct {
        UINT CacheCoherent : 1;
        UINT Reserved : 31;
    };
    UINT Value;
} DXGK_MAPAPERTUREFLAGS;

/* A place of a transfer: SegmentId 0 is the memory of an MDL. */
typedef struct _DXGK_TRANSFERPLACE {
    UINT SegmentId;
    union {
        PHYSICAL_ADDRESS SegmentAddress; /* the segment's BaseAddress plus the offset */
        PMDL pMdl;
    };
} DXGK_TRANSFERPLACE;

typedef struct _DXGK_SEGMENTPLACE {
    UINT SegmentId;
    PHYSICAL_ADDRESS SegmentAddress;
} DXGK_SEGMENTPLACE;

#if WCTS_DDI_SINCE(WDDM2_0)
typedef enum _DXGK_MEMORY_TRANSFER_DIRECTION {
    DXGK_MEMORY_TRANSFER_LOCAL_TO_SYSTEM = 0,
    DXGK_MEMORY_TRANSFER_SYSTEM_TO_LOCAL = 1,
    DXGK_MEMORY_TRANSFER_LOCAL_TO_LOCAL = 2,
} DXGK_MEMORY_TRANSFER_DIRECTION;

typedef union _DXGK_TRANSFERVIRTUALFLAGS {
    struct {
        UINT Src64KBPages : 1;
        UINT Dst64KBPages : 1;
        UINT Reserved : 30;
    };
    UINT Value;
} DXGK_TRANSFERVIRTUALFLAGS;

typedef struct _DXGK_PTE {
    union {
        struct {
            ULONGLONG Valid : 1;
            ULONGLONG Zero : 1;
            ULONGLONG CacheCoherent : 1;
            ULONGLONG ReadOnly : 1;
            ULONGLONG NoExecute : 1;
            ULONGLONG Segment : 5;
            ULONGLONG LargePage : 1;
            ULONGLONG PhysicalAdapterIndex : 6;
            ULONGLONG PageTablePageSize : 2;
            ULONGLONG SystemReserved0 : 1;
            ULONGLONG Reserved : 44;
        };
        ULONGLONG Flags;
    };
    ULONGLONG PageAddress; /* a page frame number */
} DXGK_PTE;

typedef enum _DXGK_PAGETABLEUPDATEMODE {
    DXGK_PAGETABLEUPDATE_CPU_VIRTUAL = 0,
    DXGK_PAGETABLEUPDATE_GPU_VIRTUAL = 1,
    DXGK_PAGETABLEUPDATE_GPU_PHYSICAL = 2,
} DXGK_PAGETABLEUPDATEMODE;

typedef struct _DXGK_GPUPHYSICALADDRESS {
    UINT SegmentId;
    UINT Padding;
    UINT64 SegmentOffset;
} DXGK_GPUPHYSICALADDRESS;

typedef union _DXGK_UPDATEPAGETABLEFLAGS {
    struct {
        UINT Repeat : 1;
        UINT InitialUpdate : 1;
        UINT NotifyEviction : 1;
        UINT Use64KBPages : 1;
        UINT Reserved : 28;
    };
    UINT Value;
} DXGK_UPDATEPAGETABLEFLAGS;

typedef union _DXGK_PAGETABLEUPDATEADDRESS {
    PVOID CpuVirtual;
    DXGK_GPUPHYSICALADDRESS GpuPhysical;
    D3DGPU_VIRTUAL_ADDRESS GpuVirtual;
} DXGK_PAGETABLEUPDATEADDRESS;

typedef struct _DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL {
    HANDLE hAllocation;
    UINT64 AllocationOffsetInBytes;
    UINT64 TransferSizeInBytes;
    D3DGPU_VIRTUAL_ADDRESS SourceVirtualAddress;
    D3DGPU_VIRTUAL_ADDRESS DestinationVirtualAddress;
    UINT64 SourcePageTable;
    DXGK_MEMORY_TRANSFER_DIRECTION TransferDirection;
    DXGK_TRANSFERVIRTUALFLAGS Flags;
    UINT64 DestinationPageTable;
} DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL;

typedef struct _DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL {
    HANDLE hAllocation;
    UINT64 AllocationOffsetInBytes;
    UINT64 FillSizeInBytes;
    UINT FillPattern;
    D3DGPU_VIRTUAL_ADDRESS DestinationVirtualAddress;
} DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL;

typedef struct _DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE {
    UINT PageTableLevel;
    HANDLE hAllocation;
    DXGK_PAGETABLEUPDATEADDRESS PageTableAddress;
    DXGK_PTE *pPageTableEntries;
    UINT StartIndex;
    UINT NumPageTableEntries;
    UINT Reserved0;
    DXGK_UPDATEPAGETABLEFLAGS Flags;
    UINT64 DriverProtection;
    UINT64 AllocationOffsetInBytes;
    HANDLE hProcess;
    DXGK_PAGETABLEUPDATEMODE UpdateMode;
    DXGK_PTE *pPageTableEntries64KB;
    D3DGPU_VIRTUAL_ADDRESS FirstPteVirtualAddress;
} DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE;

typedef struct _DXGK_BUILDPAGINGBUFFER_FLUSHTLB {
    DXGK_GPUPHYSICALADDRESS RootPageTableAddress;
    HANDLE hProcess;
    D3DGPU_VIRTUAL_ADDRESS StartVirtualAddress;
    D3DGPU_VIRTUAL_ADDRESS EndVirtualAddress;
} DXGK_BUILDPAGINGBUFFER_FLUSHTLB;

typedef struct _DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION {
    D3DGPU_VIRTUAL_ADDRESS ContextAllocation;
    UINT64 ContextAllocationSize;
    PVOID pDriverPrivateData;
    UINT DriverPrivateDataSize;
} DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION;

typedef struct _DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES {
    UINT NumRanges;
    VOID *pRanges;
} DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES;

typedef struct _DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY {
    HANDLE hAllocation;
    DXGK_GPUPHYSICALADDRESS PhysicalAddress;
    UINT Resident : 1;
    UINT Reserved : 31;
} DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY;
#endif

#if WCTS_DDI_SINCE(WDDM2_2)
typedef struct _DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE {
    D3DGPU_VIRTUAL_ADDRESS MonitoredFenceGpuVa;
    UINT64 MonitoredFenceValue;
} DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE;
#endif

#if WCTS_DDI_SINCE(WDDM2_9)
/* The pages of a range, by number. */
typedef struct _DXGK_ADL {
    UINT PageCount;
    union {
        struct {
            UINT Contiguous : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    } Flags;
    union {
        UINT64 BasePageNumber;
        UINT64 *Pages;
    };
} DXGK_ADL;

typedef struct _DXGK_BUILDPAGINGBUFFER_MAPAPERTURESEGMENT2 {
    HANDLE hDevice;
    HANDLE hAllocation;
    UINT SegmentId;
    SIZE_T OffsetInPages;
    SIZE_T NumberOfPages;
    DXGK_ADL Adl;
    DXGK_MAPAPERTUREFLAGS Flags;
    UINT AdlOffset;
    PVOID CpuVisibleAddress;
} DXGK_BUILDPAGINGBUFFER_MAPAPERTURESEGMENT2;
#endif

/* pDmaBuffer moves on behind what the driver wrote; pDmaBufferPrivateData is the driver's choice of
 * where its private data begins; MultipassOffset is the driver's own note of how far it is. */
typedef struct _DXGKARG_BUILDPAGINGBUFFER {
    VOID *pDmaBuffer;
    UINT DmaSize;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    DXGK_BUILDPAGINGBUFFER_OPERATION Operation;
    UINT MultipassOffset;
    union {
        struct {
            HANDLE hAllocation;
            UINT TransferOffset; /* bytes, of the side that is a segment */
            SIZE_T TransferSize;
            DXGK_TRANSFERPLACE Source;
            DXGK_TRANSFERPLACE Destination;
            DXGK_TRANSFERFLAGS Flags;
            UINT MdlOffset; /* pages, of the side that is an MDL */
        } Transfer;
        struct {
            HANDLE hAllocation;
            SIZE_T FillSize;
            UINT FillPattern;
            DXGK_SEGMENTPLACE Destination;
        } Fill;
        struct {
            HANDLE hAllocation;
            DXGK_DISCARDCONTENTFLAGS Flags;
            UINT SegmentId;
            PHYSICAL_ADDRESS SegmentAddress;
        } DiscardContent;
        struct {
            UINT SegmentId;
            PHYSICAL_ADDRESS PhysicalAddress;
        } ReadPhysical;
        struct {
            UINT SegmentId;
            PHYSICAL_ADDRESS PhysicalAddress;
        } WritePhysical;
        struct {
            HANDLE hDevice;
            HANDLE hAllocation;
            UINT SegmentId;
            SIZE_T OffsetInPages;
            SIZE_T NumberOfPages;
            PMDL pMdl;
            DXGK_MAPAPERTUREFLAGS Flags;
            UINT MdlOffset; /* pages */
        } MapApertureSegment;
        struct {
            HANDLE hDevice;
            HANDLE hAllocation;
            UINT SegmentId;
            SIZE_T OffsetInPages;
            SIZE_T NumberOfPages;
            PHYSICAL_ADDRESS DummyPage;
        } UnmapApertureSegment;
        struct {
            HANDLE hAllocation;
            UINT TransferOffset;
            SIZE_T TransferSize;
            DXGK_TRANSFERPLACE Source;
            DXGK_TRANSFERPLACE Destination;
            DXGK_TRANSFERFLAGS Flags;
            UINT SwizzlingRangeId;
            UINT SwizzlingRangeData;
        } SpecialLockTransfer;
#if WCTS_DDI_SINCE(WIN8)
        struct {
            HANDLE hAllocation;
            struct {
                UINT SegmentId;
                union {
                    PHYSICAL_ADDRESS SegmentAddress;
                    PMDL pMdl;
                };
                PVOID VirtualAddress;
#if WCTS_DDI_SINCE(WDDM2_0)
                D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
#endif
            } Destination;
        } InitContextResource;
#endif
#if WCTS_DDI_SINCE(WDDM2_0)
        DXGK_BUILDPAGINGBUFFER_TRANSFERVIRTUAL TransferVirtual;
        DXGK_BUILDPAGINGBUFFER_FILLVIRTUAL FillVirtual;
        DXGK_BUILDPAGINGBUFFER_UPDATEPAGETABLE UpdatePageTable;
        DXGK_BUILDPAGINGBUFFER_FLUSHTLB FlushTlb;
        DXGK_BUILDPAGINGBUFFER_COPYPAGETABLEENTRIES CopyPageTableEntries;
        DXGK_BUILDPAGINGBUFFER_UPDATECONTEXTALLOCATION UpdateContextAllocation;
        DXGK_BUILDPAGINGBUFFER_NOTIFYRESIDENCY NotifyResidency;
#endif
#if WCTS_DDI_SINCE(WDDM2_2)
        DXGK_BUILDPAGINGBUFFER_SIGNALMONITOREDFENCE SignalMonitoredFence;
#endif
#if WCTS_DDI_SINCE(WDDM2_9)
        DXGK_BUILDPAGINGBUFFER_MAPAPERTURESEGMENT2 MapApertureSegment2;
#endif
        UINT Reserved[64];
    };
    HANDLE hSystemContext;
#if WCTS_DDI_SINCE(WDDM2_0)
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT DmaBufferWriteOffset;
#endif
} DXGKARG_BUILDPAGINGBUFFER;

WCTS_DDI_POINTERS(DXGKARG_BUILDPAGINGBUFFER);

#endif
