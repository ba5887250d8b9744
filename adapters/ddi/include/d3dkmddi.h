/* SPDX-License-Identifier: MIT */
/* The structures of the device driver interface that a display miniport's memory part is called
 * with: queries, segments, devices, allocations, rendering, patching and submission; paging is in
 * its own header. Names, numbers and layouts (x64) are those of Microsoft's public documentation;
 * the text is our own.
 * tests/ddi/layouts.txt lists sizes and offsets, by version. */
#ifndef WCTS_DDI_D3DKMDDI_H
#define WCTS_DDI_D3DKMDDI_H

#include "d3dkmdt.h"

/* True when the driver is built for that version or a later one. */
#define WCTS_DDI_SINCE(version) (DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_##version)

/* The names of pointers to a structure of arguments. */
#define WCTS_DDI_POINTERS(name)                                                                    \
    typedef name *P##name, *IN_P##name, *OUT_P##name, *INOUT_P##name;                              \
    typedef const name *IN_CONST_P##name

/* ---- DxgkDdiQueryAdapterInfo ---- */

typedef enum _DXGK_WDDMVERSION {
    DXGKDDI_WDDMv1 = 0x1000,
    DXGKDDI_WDDMv1_2 = 0x1200,
    DXGKDDI_WDDMv1_3 = 0x1300,
    DXGKDDI_WDDMv2 = 0x2000,
    DXGKDDI_WDDMv2_1 = 0x2100,
    DXGKDDI_WDDMv2_1_5 = 0x2105,
    DXGKDDI_WDDMv2_1_6 = 0x2106,
    DXGKDDI_WDDMv2_2 = 0x2200,
    DXGKDDI_WDDMv2_3 = 0x2300,
    DXGKDDI_WDDMv2_4 = 0x2400,
    DXGKDDI_WDDMv2_5 = 0x2500,
    DXGKDDI_WDDMv2_6 = 0x2600,
    DXGKDDI_WDDMv2_7 = 0x2700,
    DXGKDDI_WDDMv2_8 = 0x2800,
    DXGKDDI_WDDMv2_9 = 0x2900,
    DXGKDDI_WDDMv3_0 = 0x3000,
    DXGKDDI_WDDMv3_1 = 0x3100,
    DXGKDDI_WDDMv3_2 = 0x3200,
} DXGK_WDDMVERSION;

typedef enum _DXGK_QUERYADAPTERINFOTYPE {
    DXGKQAITYPE_UMDRIVERPRIVATE = 0,
    DXGKQAITYPE_DRIVERCAPS = 1,
    DXGKQAITYPE_QUERYSEGMENT = 2,
    DXGKQAITYPE_QUERYSEGMENT2 = 4,
    DXGKQAITYPE_QUERYSEGMENT3 = 5,
    DXGKQAITYPE_NUMPOWERCOMPONENTS = 6,
    DXGKQAITYPE_POWERCOMPONENTINFO = 7,
    DXGKQAITYPE_PREFERREDGPUNODE = 8,
    DXGKQAITYPE_POWERCOMPONENTPSTATEINFO = 9,
    DXGKQAITYPE_HISTORYBUFFERPRECISION = 10,
    DXGKQAITYPE_QUERYSEGMENT4 = 11,
    DXGKQAITYPE_SEGMENTMEMORYSTATE = 12,
    DXGKQAITYPE_GPUMMUCAPS = 13,
    DXGKQAITYPE_PAGETABLELEVELDESC = 14,
    DXGKQAITYPE_PHYSICALADAPTERCAPS = 15,
    DXGKQAITYPE_DISPLAY_DRIVERCAPS_EXTENSION = 16,
} DXGK_QUERYADAPTERINFOTYPE;

typedef union _DXGK_QUERYADAPTERINFOFLAGS {
    struct {
        UINT VirtualMachineData : 1;
        UINT SecureVirtualMachine : 1;
        UINT Reserved : 30;
    };
    UINT Value;
} DXGK_QUERYADAPTERINFOFLAGS;

typedef struct _DXGKARG_QUERYADAPTERINFO {
    DXGK_QUERYADAPTERINFOTYPE Type;
    VOID *pInputData;
    UINT InputDataSize;
    VOID *pOutputData;
    UINT OutputDataSize;
    DXGK_QUERYADAPTERINFOFLAGS Flags;
#if WCTS_DDI_SINCE(WDDM2_4)
    HANDLE hKmdProcessHandle;
#endif
} DXGKARG_QUERYADAPTERINFO;

typedef union _DXGK_VIDSCHCAPS {
    struct {
        UINT MultiEngineAware : 1;
        UINT VSyncPowerSaveAware : 1;
#if WCTS_DDI_SINCE(WIN8)
        UINT PreemptionAware : 1;
        UINT NoDmaPatching : 1;
        UINT CancelCommandAware : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_0)
        UINT No64BitAtomics : 1;
        UINT LowIrqlPreemptCommand : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_3)
        UINT HwQueuePacketCap : 4;
#endif
#if WCTS_DDI_SINCE(WDDM3_1)
        UINT NativeGpuFence : 1;
#endif
    };
    UINT Value;
} DXGK_VIDSCHCAPS;

typedef struct _DXGK_VIDMMCAPS {
    union {
        struct {
            UINT OutOfOrderLock : 1;
#if WCTS_DDI_SINCE(WIN7)
            UINT DedicatedPagingEngine : 1;
            UINT PagingEngineCanSwizzle : 1;
            UINT SectionBackedPrimary : 1;
#endif
#if WCTS_DDI_SINCE(WDDM1_3)
            UINT CrossAdapterResource : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_0)
            UINT VirtualAddressingSupported : 1;
            UINT GpuMmuSupported : 1;
            UINT IoMmuSupported : 1;
            UINT ReplicateGdiContent : 1;
            UINT NonCpuVisiblePrimary : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_2)
            UINT ParavirtualizationSupported : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_4)
            UINT IoMmuSecureModeSupported : 1;
            UINT DisableSelfRefreshVRAMInS3 : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_7)
            UINT IoMmuSecureModeRequired : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_9)
            UINT MapAperture2Supported : 1;
            UINT CrossAdapterResourceTexture : 1;
            UINT CrossAdapterResourceScanout : 1;
#endif
#if WCTS_DDI_SINCE(WDDM3_1)
            UINT AlwaysPoweredVRAM : 1;
#endif
        };
        UINT Value;
    };
    UINT PagingNode;
} DXGK_VIDMMCAPS;

typedef struct _DXGK_GPUENGINETOPOLOGY {
    UINT NbAsymetricProcessingNodes;
    UINT Reserved[64];
} DXGK_GPUENGINETOPOLOGY;

/* ---- words that the memory part does not need, for the function that answers all of them ---- */

/* A word of flags: names of bits, and the whole. Bits that a version does not have are 0 there. */
typedef struct _DXGK_POINTERFLAGS {
    union {
        struct {
            UINT Monochrome : 1;
            UINT Color : 1;
            UINT MaskedColor : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGK_POINTERFLAGS;

typedef struct _DXGK_GAMMARAMPCAPS {
    union {
        struct {
            UINT Gamma_Rgb256x3x16 : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_GAMMARAMPCAPS;

/* It takes the place of the one above from 2.2 on. */
typedef struct _DXGK_COLORTRANSFORMCAPS {
    union {
        struct {
            UINT Gamma_Rgb256x3x16 : 1;
            UINT Gamma_Dxgi1 : 1;
            UINT Transform_3x4Matrix : 1;
            UINT Transform_3x4Matrix_WideColor : 1;
            UINT Transform_3x4Matrix_HighColor : 1;
            UINT Transform_Matrix_V2 : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_COLORTRANSFORMCAPS;

typedef struct _DXGK_PRESENTATIONCAPS {
    union {
        struct {
            UINT NoScreenToScreenBlt : 1;
            UINT NoOverlapScreenBlt : 1;
            UINT SupportKernelModeCommandBuffer : 1;
            UINT NoSameBitmapAlphaBlend : 1;
            UINT NoSameBitmapStretchBlt : 1;
            UINT NoSameBitmapTransparentBlt : 1;
            UINT NoSameBitmapOverlappedAlphaBlend : 1;
            UINT NoSameBitmapOverlappedStretchBlt : 1;
            UINT DriverSupportsCddDwmInterop : 1;
            UINT Reserved0 : 1;
            UINT AlignmentShift : 4;
            UINT MaxTextureWidthShift : 3;
            UINT MaxTextureHeightShift : 3;
            UINT SupportAllBltRops : 1;
            UINT SupportMirrorStretchBlt : 1;
            UINT SupportMonoStretchBltModes : 1;
            UINT StagingRectStartPitchAligned : 1;
            UINT NoSameBitmapBitBlt : 1;
            UINT NoSameBitmapOverlappedBitBlt : 1;
            UINT Reserved1 : 1;
            UINT NoTempSurfaceForClearTypeBlend : 1;
            UINT SupportSoftwareDeviceBitmaps : 1;
            UINT NoCacheCoherentApertureMemory : 1;
            UINT SupportLinearHeap : 1;
            UINT Reserved : 1;
        };
        UINT Value;
    };
} DXGK_PRESENTATIONCAPS;

typedef struct _DXGK_FLIPCAPS {
    union {
        struct {
            UINT FlipOnVSyncWithNoWait : 1;
            UINT FlipOnVSyncMmIo : 1;
            UINT FlipInterval : 1;
            UINT FlipImmediateMmIo : 1;
            UINT FlipIndependent : 1;
            UINT DdiPresentForIFlip : 1;
            UINT FlipImmediateOnHSync : 1;
            UINT Reserved : 25;
        };
        UINT Value;
    };
} DXGK_FLIPCAPS;

typedef enum _D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY {
    D3DKMDT_GRAPHICS_PREEMPTION_NONE = 0,
    D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY = 100,
    D3DKMDT_GRAPHICS_PREEMPTION_PRIMITIVE_BOUNDARY = 200,
    D3DKMDT_GRAPHICS_PREEMPTION_TRIANGLE_BOUNDARY = 300,
    D3DKMDT_GRAPHICS_PREEMPTION_PIXEL_BOUNDARY = 400,
    D3DKMDT_GRAPHICS_PREEMPTION_SHADER_BOUNDARY = 500,
} D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY;

typedef enum _D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY {
    D3DKMDT_COMPUTE_PREEMPTION_NONE = 0,
    D3DKMDT_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY = 100,
    D3DKMDT_COMPUTE_PREEMPTION_DISPATCH_BOUNDARY = 200,
    D3DKMDT_COMPUTE_PREEMPTION_THREAD_GROUP_BOUNDARY = 300,
    D3DKMDT_COMPUTE_PREEMPTION_THREAD_BOUNDARY = 400,
    D3DKMDT_COMPUTE_PREEMPTION_SHADER_BOUNDARY = 500,
} D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY;

typedef struct _D3DKMDT_PREEMPTION_CAPS {
    D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY GraphicsPreemptionGranularity;
    D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY ComputePreemptionGranularity;
} D3DKMDT_PREEMPTION_CAPS;

typedef struct _DXGK_DRIVERCAPS {
    PHYSICAL_ADDRESS HighestAcceptableAddress;
    UINT MaxAllocationListSlotId;
    SIZE_T ApertureSegmentCommitLimit;
    UINT MaxPointerWidth;
    UINT MaxPointerHeight;
    DXGK_POINTERFLAGS PointerCaps;
    UINT InterruptMessageNumber;
    UINT NumberOfSwizzlingRanges;
    UINT MaxOverlays;
#if WCTS_DDI_SINCE(WDDM2_2)
    DXGK_COLORTRANSFORMCAPS ColorTransformCaps;
#else
    DXGK_GAMMARAMPCAPS GammaRampCaps;
#endif
    DXGK_PRESENTATIONCAPS PresentationCaps;
    UINT MaxQueuedFlipOnVSync;
    DXGK_FLIPCAPS FlipCaps;
    DXGK_VIDSCHCAPS SchedulingCaps;
    DXGK_VIDMMCAPS MemoryManagementCaps;
    DXGK_GPUENGINETOPOLOGY GpuEngineTopology;
#if WCTS_DDI_SINCE(WIN7)
    DXGK_WDDMVERSION WDDMVersion;
    UINT Reserved1[47];
#endif
#if WCTS_DDI_SINCE(WIN8)
    D3DKMDT_PREEMPTION_CAPS PreemptionCaps;
    BOOLEAN SupportNonVGA;
    BOOLEAN SupportSmoothRotation;
    BOOLEAN SupportPerEngineTDR;
    BOOLEAN SupportDirectFlip;
    BOOLEAN SupportMultiPlaneOverlay;
    BOOLEAN SupportRuntimePowerManagement;
    BOOLEAN SupportSurpriseRemovalInHibernation;
    BOOLEAN HybridDiscrete;
#endif
#if WCTS_DDI_SINCE(WDDM1_3)
    UINT MaxOverlayPlanes;
#endif
#if WCTS_DDI_SINCE(WDDM2_0)
    D3DGPU_VIRTUAL_ADDRESS InternalGpuVirtualAddressRangeStart;
    D3DGPU_VIRTUAL_ADDRESS InternalGpuVirtualAddressRangeEnd;
    BOOLEAN SupportSurpriseRemoval;
    UINT Reserved2;
#endif
#if WCTS_DDI_SINCE(WDDM2_4)
    UINT MiscCaps;
#endif
#if WCTS_DDI_SINCE(WDDM2_9)
    UINT Reserved3[2];
#endif
} DXGK_DRIVERCAPS;

/* ---- segments ---- */

typedef union _DXGK_SEGMENTFLAGS {
    struct {
        UINT Aperture : 1;
        UINT Agp : 1;
        UINT CpuVisible : 1;
        UINT UseBanking : 1;
        UINT CacheCoherent : 1;
        UINT PitchAlignment : 1;
        UINT PopulatedFromSystemMemory : 1;
        UINT PreservedDuringStandby : 1;
        UINT PreservedDuringHibernate : 1;
        UINT PartiallyPreservedDuringHibernate : 1;
#if WCTS_DDI_SINCE(WIN8)
        UINT DirectFlip : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_0)
        UINT Use64KBPages : 1;
        UINT ReservedSysMem : 1;
        UINT SupportsCpuHostAperture : 1;
        UINT SupportsCachedCpuHostAperture : 1;
        UINT ApplicationTarget : 1;
        UINT VprSupported : 1;
        UINT VprPreservedDuringStandby : 1;
        UINT EncryptedPagingSupported : 1;
        UINT LocalBudgetGroup : 1;
        UINT NonLocalBudgetGroup : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_9)
        UINT PopulatedByReservedDDRByFirmware : 1;
#endif
    };
    UINT Value;
} DXGK_SEGMENTFLAGS;

typedef struct _DXGK_QUERYSEGMENTIN {
    PHYSICAL_ADDRESS AgpApertureBase;
    LARGE_INTEGER AgpApertureSize;
    DXGK_SEGMENTFLAGS AgpFlags;
} DXGK_QUERYSEGMENTIN;

typedef struct _DXGK_QUERYSEGMENTIN4 {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYSEGMENTIN4;

typedef struct _DXGK_SEGMENTDESCRIPTOR {
    PHYSICAL_ADDRESS BaseAddress;
    PHYSICAL_ADDRESS CpuTranslatedAddress;
    SIZE_T Size;
    UINT NbOfBanks;
    SIZE_T *pBankRangeTable; /* where each bank ends, from the beginning of the segment */
    SIZE_T CommitLimit;
    DXGK_SEGMENTFLAGS Flags;
} DXGK_SEGMENTDESCRIPTOR;

typedef struct _DXGK_QUERYSEGMENTOUT {
    UINT NbSegment;
    DXGK_SEGMENTDESCRIPTOR *pSegmentDescriptor;
    UINT PagingBufferSegmentId;
    UINT PagingBufferSize;
    UINT PagingBufferPrivateDataSize;
} DXGK_QUERYSEGMENTOUT;

#if WCTS_DDI_SINCE(WIN8)
typedef struct _DXGK_SEGMENTDESCRIPTOR3 {
    DXGK_SEGMENTFLAGS Flags;
    PHYSICAL_ADDRESS BaseAddress;
    PHYSICAL_ADDRESS CpuTranslatedAddress;
    SIZE_T Size;
    UINT NbOfBanks;
    SIZE_T *pBankRangeTable;
    SIZE_T CommitLimit;
    SIZE_T SystemMemoryEndAddress;
    SIZE_T Reserved;
} DXGK_SEGMENTDESCRIPTOR3;

typedef struct _DXGK_QUERYSEGMENTOUT3 {
    UINT NbSegment;
    DXGK_SEGMENTDESCRIPTOR3 *pSegmentDescriptor;
    UINT PagingBufferSegmentId;
    UINT PagingBufferSize;
    UINT PagingBufferPrivateDataSize;
} DXGK_QUERYSEGMENTOUT3;
#endif

#if WCTS_DDI_SINCE(WDDM2_0)
typedef struct _DXGK_CPUHOSTAPERTURE {
    PHYSICAL_ADDRESS PhysicalAddress;
    UINT32 SizeInPages;
} DXGK_CPUHOSTAPERTURE;

typedef struct _DXGK_SEGMENTDESCRIPTOR4 {
    DXGK_SEGMENTFLAGS Flags;
    PHYSICAL_ADDRESS BaseAddress;
    SIZE_T Size;
    SIZE_T CommitLimit;
    SIZE_T SystemMemoryEndAddress;
    union {
        PHYSICAL_ADDRESS CpuTranslatedAddress;
        DXGK_CPUHOSTAPERTURE CpuHostAperture;
    };
    UINT NumInvalidMemoryRanges;
    SIZE_T VprRangeStartOffset;
    SIZE_T VprRangeSize;
    UINT VprAlignment;
    UINT NumVprSupported;
    UINT VprReserveSize;
    UINT NumUEFIFrameBufferRanges; /* from 2.2; padding before */
} DXGK_SEGMENTDESCRIPTOR4;

typedef struct _DXGK_QUERYSEGMENTOUT4 {
    UINT NbSegment;
    BYTE *pSegmentDescriptor; /* of DXGK_SEGMENTDESCRIPTOR4, SegmentDescriptorStride apart */
    UINT PagingBufferSegmentId;
    UINT PagingBufferSize;
    UINT PagingBufferPrivateDataSize;
    SIZE_T SegmentDescriptorStride;
} DXGK_QUERYSEGMENTOUT4;

typedef struct _DXGK_MEMORYRANGE {
    UINT64 SegmentOffset;
    UINT64 SizeInBytes;
} DXGK_MEMORYRANGE;

typedef struct _DXGK_QUERYSEGMENTMEMORYSTATE {
    UINT16 DriverSegmentId;
    UINT16 PhysicalAdapterIndex;
    union {
        UINT NumInvalidMemoryRanges;
        UINT NumUEFIFrameBufferRanges;
    };
    DXGK_MEMORYRANGE *pMemoryRanges;
} DXGK_QUERYSEGMENTMEMORYSTATE;
#endif

/* ---- devices and contexts ---- */

typedef union _DXGK_CREATEDEVICEFLAGS {
    struct {
        UINT SystemDevice : 1;
        UINT GdiDevice : 1;
        UINT Reserved : 30;
    };
    UINT Value;
} DXGK_CREATEDEVICEFLAGS;

typedef union _DXGK_DEVICEINFOFLAGS {
    struct {
        UINT GuaranteedDmaBufferContract : 1;
        UINT Reserved : 31;
    };
    UINT Value;
} DXGK_DEVICEINFOFLAGS;

typedef struct _DXGK_DEVICEINFO {
    UINT DmaBufferSize;
    UINT DmaBufferSegmentSet;
    UINT DmaBufferPrivateDataSize;
    UINT AllocationListSize;
    UINT PatchLocationListSize;
    DXGK_DEVICEINFOFLAGS Flags;
} DXGK_DEVICEINFO;

typedef struct _DXGKARG_CREATEDEVICE {
    HANDLE hDevice; /* in: the kernel's handle; out: the driver's */
    union {
        DXGK_CREATEDEVICEFLAGS Flags; /* in */
        DXGK_DEVICEINFO *pInfo;       /* out, of a driver without contexts */
    };
#if WCTS_DDI_SINCE(WDDM2_0)
    ULONG Pasid;
    HANDLE hKmdProcess;
#endif
} DXGKARG_CREATEDEVICE;

typedef union _DXGK_CREATECONTEXTFLAGS {
    struct {
        UINT SystemContext : 1;
        UINT GdiContext : 1;
#if WCTS_DDI_SINCE(WDDM2_0)
        UINT VirtualAddressing : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_1)
        UINT SystemProtectedContext : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_3)
        UINT HwQueueSupported : 1;
#endif
    };
    UINT Value;
} DXGK_CREATECONTEXTFLAGS;

typedef union _DXGK_CONTEXTINFO_CAPS {
    struct {
        UINT NoPatchingRequired : 1;
        UINT DriverManagesResidency : 1;
        UINT UseIoMmu : 1;
        UINT Reserved : 29;
    };
    UINT Value;
} DXGK_CONTEXTINFO_CAPS;

typedef struct _DXGK_CONTEXTINFO {
    UINT DmaBufferSize;
    UINT DmaBufferSegmentSet;
    UINT DmaBufferPrivateDataSize;
    UINT AllocationListSize;
    UINT PatchLocationListSize;
#if WCTS_DDI_SINCE(WIN7)
    UINT Reserved;
#endif
#if WCTS_DDI_SINCE(WDDM2_0)
    DXGK_CONTEXTINFO_CAPS Caps;
    UINT PagingCompanionNodeId;
#endif
} DXGK_CONTEXTINFO;

typedef struct _DXGKARG_CREATECONTEXT {
    HANDLE hContext; /* in: the kernel's handle; out: the driver's */
    UINT NodeOrdinal;
    UINT EngineAffinity;
    DXGK_CREATECONTEXTFLAGS Flags;
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    DXGK_CONTEXTINFO ContextInfo; /* out */
} DXGKARG_CREATECONTEXT;

/* ---- allocations ---- */

typedef union _DXGK_SEGMENTBANKPREFERENCE {
    struct {
        UINT Bank0 : 7;
        UINT Direction0 : 1;
        UINT Bank1 : 7;
        UINT Direction1 : 1;
        UINT Bank2 : 7;
        UINT Direction2 : 1;
        UINT Bank3 : 7;
        UINT Direction3 : 1;
    };
    UINT Value;
} DXGK_SEGMENTBANKPREFERENCE;

typedef union _DXGK_ALLOCATIONINFOFLAGS {
    struct {
        UINT CpuVisible : 1;
        UINT PermanentSysMem : 1;
        UINT Cached : 1;
        UINT Protected : 1;
        UINT ExistingSysMem : 1;
        UINT ExistingKernelSysMem : 1;
        UINT FromEndOfSegment : 1;
        UINT Swizzled : 1;
        UINT Overlay : 1;
        UINT Capture : 1;
        UINT UseAlternateVA : 1;
        UINT SynchronousPaging : 1;
        UINT LinkMirrored : 1;
        UINT LinkInstanced : 1;
#if WCTS_DDI_SINCE(WDDM1_3)
        UINT HistoryBuffer : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_0)
        UINT AccessedPhysically : 1;
        UINT ExplicitResidencyNotification : 1;
        UINT HardwareProtected : 1;
        UINT CpuVisibleOnDemand : 1;
#endif
    };
    UINT Value;
} DXGK_ALLOCATIONINFOFLAGS;

#if WCTS_DDI_SINCE(WDDM2_0)
/* From WDDM 2.0 on this is the word, and some bits have another meaning than above. */
typedef union _DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 {
    struct {
        UINT CpuVisible : 1;
        UINT PermanentSysMem : 1;
        UINT Cached : 1;
        UINT Protected : 1;
        UINT ExistingSysMem : 1;
        UINT ExistingKernelSysMem : 1;
        UINT FromEndOfSegment : 1;
        UINT DisableLargePageMapping : 1;
        UINT Overlay : 1;
        UINT Capture : 1;
        UINT CreateInVpr : 1; /* from 2.1 */
        UINT Reserved11 : 1;
        UINT Reserved12 : 1;
        UINT MapApertureCpuVisible : 1; /* from 2.9 */
        UINT HistoryBuffer : 1;
        UINT AccessedPhysically : 1;
        UINT ExplicitResidencyNotification : 1;
        UINT HardwareProtected : 1;
        UINT CpuVisibleOnDemand : 1;
        UINT Reserved19 : 13;
    };
    UINT Value;
} DXGK_ALLOCATIONINFOFLAGS_WDDM2_0;
#endif

typedef union _DXGK_ALLOCATIONINFOFLAGS2 {
    struct {
        UINT ShareBackingStoreWithKmd : 1;
        UINT Reserved : 31;
    };
    UINT Value;
} DXGK_ALLOCATIONINFOFLAGS2;

typedef struct _DXGK_ALLOCATIONUSAGEINFO1 {
    UINT Flags;
    D3DDDIFORMAT Format;
    UINT SwizzledFormat;
    UINT ByteOffset;
    UINT Width;
    UINT Height;
    UINT Pitch;
    UINT Depth;
    UINT SlicePitch;
} DXGK_ALLOCATIONUSAGEINFO1;

typedef struct _DXGK_ALLOCATIONUSAGEHINT {
    UINT Version;
    DXGK_ALLOCATIONUSAGEINFO1 v1;
} DXGK_ALLOCATIONUSAGEHINT;

/* pPrivateDriverData and PrivateDriverDataSize are in; all else is out, and what is there before
 * the driver writes it means nothing. */
typedef struct _DXGK_ALLOCATIONINFO {
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    UINT Alignment;
    SIZE_T Size;
    SIZE_T PitchAlignedSize;
    DXGK_SEGMENTBANKPREFERENCE HintedBank;
    DXGK_SEGMENTPREFERENCE PreferredSegment;
    UINT SupportedReadSegmentSet;
    UINT SupportedWriteSegmentSet;
    UINT EvictionSegmentSet;
    union {
        UINT MaximumRenamingListLength;
        UINT PhysicalAdapterIndex; /* from 2.0 */
    };
    HANDLE hAllocation;
    union {
        DXGK_ALLOCATIONINFOFLAGS Flags;
#if WCTS_DDI_SINCE(WDDM2_0)
        DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 FlagsWddm2;
#endif
    };
    DXGK_ALLOCATIONUSAGEHINT *pAllocationUsageHint;
    UINT AllocationPriority;
#if WCTS_DDI_SINCE(WDDM3_0)
    DXGK_ALLOCATIONINFOFLAGS2 Flags2;
#endif
} DXGK_ALLOCATIONINFO;

typedef union _DXGK_CREATEALLOCATIONFLAGS {
    struct {
        UINT Resource : 1;
        UINT Reserved : 31;
    };
    UINT Value;
} DXGK_CREATEALLOCATIONFLAGS;

typedef struct _DXGKARG_CREATEALLOCATION {
    const VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    UINT NumAllocations;
    DXGK_ALLOCATIONINFO *pAllocationInfo;
    HANDLE hResource; /* in: of allocations that are added; out, with Flags.Resource */
    DXGK_CREATEALLOCATIONFLAGS Flags;
} DXGKARG_CREATEALLOCATION;

typedef union _DXGK_DESTROYALLOCATIONFLAGS {
    struct {
        UINT DestroyResource : 1;
        UINT Reserved : 31;
    };
    UINT Value;
} DXGK_DESTROYALLOCATIONFLAGS;

typedef struct _DXGKARG_DESTROYALLOCATION {
    UINT NumAllocations;
    const HANDLE *pAllocationList;
    HANDLE hResource;
    DXGK_DESTROYALLOCATIONFLAGS Flags;
} DXGKARG_DESTROYALLOCATION;

typedef struct _DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA {
    D3DKMDT_STANDARDALLOCATION_TYPE StandardAllocationType;
    union {
        D3DKMDT_SHAREDPRIMARYSURFACEDATA *pCreateSharedPrimarySurfaceData;
        D3DKMDT_SHADOWSURFACEDATA *pCreateShadowSurfaceData;
        D3DKMDT_STAGINGSURFACEDATA *pCreateStagingSurfaceData;
#if WCTS_DDI_SINCE(WIN7)
        D3DKMDT_GDISURFACEDATA *pCreateGdiSurfaceData;
#endif
#if WCTS_DDI_SINCE(WDDM2_1)
        D3DKMDT_VIRTUALGPUSURFACEDATA *pCreateVirtualGpuSurfaceData;
#endif
    };
    VOID *pAllocationPrivateDriverData;
    UINT AllocationPrivateDriverDataSize;
    VOID *pResourcePrivateDriverData;
    UINT ResourcePrivateDriverDataSize;
    UINT PhysicalAdapterIndex;
} DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA;

typedef struct _DXGK_OPENALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation; /* the kernel's: DxgkCbGetHandleData finds the driver's */
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    HANDLE hDeviceSpecificAllocation; /* out */
} DXGK_OPENALLOCATIONINFO;

typedef union _DXGK_OPENALLOCATIONFLAGS {
    struct {
        UINT Create : 1;
        UINT ReadOnly : 1;
        UINT Reserved : 30;
    };
    UINT Value;
} DXGK_OPENALLOCATIONFLAGS;

typedef struct _DXGKARG_OPENALLOCATION {
    UINT NumAllocations;
    DXGK_OPENALLOCATIONINFO *pOpenAllocation;
    VOID *pPrivateDriverData;
    UINT PrivateDriverSize;
    DXGK_OPENALLOCATIONFLAGS Flags;
#if WCTS_DDI_SINCE(WIN8)
    UINT SubresourceIndex;
    SIZE_T SubresourceOffset; /* out */
    UINT Pitch;               /* out */
#endif
} DXGKARG_OPENALLOCATION;

typedef struct _DXGKARG_CLOSEALLOCATION {
    UINT NumAllocations;
    const HANDLE *pOpenHandleList;
} DXGKARG_CLOSEALLOCATION;

/* ---- rendering and submission ---- */

typedef struct _DXGK_ALLOCATIONLIST {
    HANDLE hDeviceSpecificAllocation;
    struct {
        UINT WriteOperation : 1;
        UINT SegmentId : 5;
        UINT Reserved : 26;
    };
    union {
        PHYSICAL_ADDRESS PhysicalAddress;
        D3DGPU_VIRTUAL_ADDRESS VirtualAddress; /* from 2.0 */
    };
} DXGK_ALLOCATIONLIST;

/* pDmaBuffer and pPatchLocationListOut move on behind what the driver wrote. */
typedef struct _DXGKARG_RENDER {
    const VOID *pCommand;
    UINT CommandLength;
    VOID *pDmaBuffer;
    UINT DmaSize;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListIn;
    UINT PatchLocationListInSize;
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListOut;
    UINT PatchLocationListOutSize;
    UINT MultipassOffset;
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
} DXGKARG_RENDER;

typedef union _DXGK_PRESENTFLAGS {
    struct {
        UINT Blt : 1;
        UINT ColorFill : 1;
        UINT Flip : 1;
        UINT FlipWithNoWait : 1;
        UINT SrcColorKey : 1;
        UINT DstColorKey : 1;
        UINT LinearToSrgb : 1;
        UINT Rotate : 1;
        UINT Reserved : 24;
    };
    UINT Value;
} DXGK_PRESENTFLAGS;

#define DXGK_PRESENT_SOURCE_INDEX 1
#define DXGK_PRESENT_DESTINATION_INDEX 2
#define DXGK_PRESENT_MAX_INDEX 2

typedef struct _DXGKARG_PRESENT {
    VOID *pDmaBuffer;
    UINT DmaSize;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    DXGK_ALLOCATIONLIST *pAllocationList;
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListOut;
    UINT PatchLocationListOutSize;
    UINT MultipassOffset;
    UINT Color;
    RECT DstRect;
    RECT SrcRect;
    UINT SubRectCnt;
    const RECT *pDstSubRects;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_PRESENTFLAGS Flags;
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
#if WCTS_DDI_SINCE(WDDM1_3)
    UINT Reserved;
#endif
#if WCTS_DDI_SINCE(WDDM2_0)
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT NumSrcAllocations;
    UINT NumDstAllocations;
    UINT PrivateDriverDataSize;
    PVOID pPrivateDriverData;
#endif
} DXGKARG_PRESENT;

typedef union _DXGK_PATCHFLAGS {
    struct {
        UINT Paging : 1;
        UINT Present : 1;
        UINT RedirectedPresent : 1;
        UINT NullRendering : 1;
        UINT Reserved : 28;
    };
    UINT Value;
} DXGK_PATCHFLAGS;

typedef struct _DXGKARG_PATCH {
    union {
        HANDLE hDevice;
        HANDLE hContext;
    };
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
    VOID *pDmaBuffer;
    UINT DmaBufferSize;
    UINT DmaBufferSubmissionStartOffset;
    UINT DmaBufferSubmissionEndOffset;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferPrivateDataSubmissionStartOffset;
    UINT DmaBufferPrivateDataSubmissionEndOffset;
    const DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    const D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;
    UINT PatchLocationListSubmissionStart;
    UINT PatchLocationListSubmissionLength;
    UINT SubmissionFenceId;
    DXGK_PATCHFLAGS Flags;
    UINT EngineOrdinal;
} DXGKARG_PATCH;

typedef union _DXGK_SUBMITCOMMANDFLAGS {
    struct {
        UINT Paging : 1;
        UINT Present : 1;
        UINT RedirectedPresent : 1;
        UINT NullRendering : 1;
        UINT Flip : 1;
        UINT FlipWithNoWait : 1;
#if WCTS_DDI_SINCE(WIN8)
        UINT ContextSwitch : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_0)
        UINT Resubmission : 1;
#endif
#if WCTS_DDI_SINCE(WDDM2_2)
        UINT VirtualMachineData : 1;
#endif
    };
    UINT Value;
} DXGK_SUBMITCOMMANDFLAGS;

typedef struct _DXGKARG_SUBMITCOMMAND {
    union {
        HANDLE hDevice;
        HANDLE hContext;
    };
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
    UINT DmaBufferSize;
    UINT DmaBufferSubmissionStartOffset;
    UINT DmaBufferSubmissionEndOffset;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferPrivateDataSubmissionStartOffset;
    UINT DmaBufferPrivateDataSubmissionEndOffset;
    UINT SubmissionFenceId;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_SUBMITCOMMANDFLAGS Flags;
    UINT EngineOrdinal;
#if WCTS_DDI_SINCE(WIN7)
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
#endif
#if WCTS_DDI_SINCE(WIN8)
    UINT NodeOrdinal;
#endif
} DXGKARG_SUBMITCOMMAND;

#if WCTS_DDI_SINCE(WDDM2_0)
typedef struct _DXGKARG_SUBMITCOMMANDVIRTUAL {
    HANDLE hContext;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
    UINT DmaBufferSize;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferUmdPrivateDataSize;
    UINT SubmissionFenceId;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_SUBMITCOMMANDFLAGS Flags;
    UINT EngineOrdinal;
    UINT NodeOrdinal;
} DXGKARG_SUBMITCOMMANDVIRTUAL;
#endif

typedef struct _DXGKARG_PREEMPTCOMMAND {
    UINT PreemptionFenceId;
    UINT NodeOrdinal;
    UINT EngineOrdinal;
    UINT Flags;
} DXGKARG_PREEMPTCOMMAND;

#include "d3dkmddi_paging.h"

/* ---- the names by which drivers declare their functions' parameters ---- */

typedef HANDLE IN_HANDLE, IN_CONST_HANDLE;
typedef PVOID IN_PVOID, IN_CONST_PVOID, INOUT_PVOID;
typedef PVOID *OUT_PPVOID;
typedef ULONG IN_ULONG;
typedef PULONG OUT_PULONG;
typedef BOOLEAN IN_BOOLEAN;
typedef UINT IN_UINT, IN_CONST_UINT;
typedef PDEVICE_OBJECT IN_PDEVICE_OBJECT, IN_CONST_PDEVICE_OBJECT;
typedef PDRIVER_OBJECT IN_PDRIVER_OBJECT;
typedef PUNICODE_STRING IN_PUNICODE_STRING;

WCTS_DDI_POINTERS(DXGKARG_QUERYADAPTERINFO);
WCTS_DDI_POINTERS(DXGKARG_CREATEDEVICE);
WCTS_DDI_POINTERS(DXGKARG_CREATECONTEXT);
WCTS_DDI_POINTERS(DXGKARG_CREATEALLOCATION);
WCTS_DDI_POINTERS(DXGKARG_DESTROYALLOCATION);
WCTS_DDI_POINTERS(DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA);
WCTS_DDI_POINTERS(DXGKARG_OPENALLOCATION);
WCTS_DDI_POINTERS(DXGKARG_CLOSEALLOCATION);
WCTS_DDI_POINTERS(DXGKARG_RENDER);
WCTS_DDI_POINTERS(DXGKARG_PRESENT);
WCTS_DDI_POINTERS(DXGKARG_PATCH);
WCTS_DDI_POINTERS(DXGKARG_SUBMITCOMMAND);
#if WCTS_DDI_SINCE(WDDM2_0)
WCTS_DDI_POINTERS(DXGKARG_SUBMITCOMMANDVIRTUAL);
#endif
WCTS_DDI_POINTERS(DXGKARG_PREEMPTCOMMAND);

#endif
