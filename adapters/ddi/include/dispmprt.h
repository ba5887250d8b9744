/* SPDX-License-Identifier: MIT */
/* How a display miniport and the port driver meet: the table of the driver's functions, the
 * callbacks that it is given, and how it starts. Names, numbers and layouts (x64) are those of
 * Microsoft's public documentation; the text is our own. Functions that have nothing to do with
 * memory are in the table as WCTS_DDI_UNUSED: the test calls none of them. */
#ifndef WCTS_DDI_DISPMPRT_H
#define WCTS_DDI_DISPMPRT_H

#include "d3dkmddi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- callbacks ---- */

typedef union _DXGKCB_GETHANDLEDATAFLAGS {
    struct {
        UINT DeviceSpecific : 1;
        UINT Reserved : 31;
    };
    UINT Value;
} DXGKCB_GETHANDLEDATAFLAGS;

typedef enum _DXGK_HANDLE_TYPE {
    DXGK_HANDLE_ALLOCATION = 1,
    DXGK_HANDLE_RESOURCE = 2,
} DXGK_HANDLE_TYPE;

typedef struct _DXGKARGCB_GETHANDLEDATA {
    D3DKMT_HANDLE hObject;
    DXGK_HANDLE_TYPE Type;
    DXGKCB_GETHANDLEDATAFLAGS Flags;
} DXGKARGCB_GETHANDLEDATA;

typedef struct _DXGKARGCB_ENUMHANDLECHILDREN {
    D3DKMT_HANDLE hObject;
    UINT Index;
} DXGKARGCB_ENUMHANDLECHILDREN;

typedef enum _DXGK_INTERRUPT_TYPE {
    DXGK_INTERRUPT_DMA_COMPLETED = 1,
    DXGK_INTERRUPT_DMA_PREEMPTED = 2,
    DXGK_INTERRUPT_CRTC_VSYNC = 3,
    DXGK_INTERRUPT_DMA_FAULTED = 4,
} DXGK_INTERRUPT_TYPE;

typedef struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA {
    DXGK_INTERRUPT_TYPE InterruptType;
    union {
        struct {
            UINT SubmissionFenceId;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } DmaCompleted;
        struct {
            UINT PreemptionFenceId;
            UINT LastCompletedFenceId;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } DmaPreempted;
        struct {
            UINT FaultedFenceId;
            NTSTATUS Status;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } DmaFaulted;
        UINT Reserved[16];
    };
} DXGKARGCB_NOTIFY_INTERRUPT_DATA;

/* Of the device: nothing but the size of its own memory is known here. */
typedef struct _DXGK_DEVICE_INFO {
    PDEVICE_OBJECT MiniportDeviceContext;
    PDEVICE_OBJECT PhysicalDeviceObject;
    UNICODE_STRING DeviceRegistryPath;
    PVOID TranslatedResourceList;
    LARGE_INTEGER SystemMemorySize;
    PHYSICAL_ADDRESS HighestPhysicalAddress;
    PHYSICAL_ADDRESS AgpApertureBase;
    SIZE_T AgpApertureSize;
} DXGK_DEVICE_INFO, *PDXGK_DEVICE_INFO;

typedef BOOLEAN (*PKSYNCHRONIZE_ROUTINE)(PVOID SynchronizeContext);
typedef void (*WCTS_DDI_UNUSED)(void);

typedef VOID *(*DXGKCB_GETHANDLEDATA)(const DXGKARGCB_GETHANDLEDATA *pData);
typedef D3DKMT_HANDLE (*DXGKCB_GETHANDLEPARENT)(D3DKMT_HANDLE hAllocation);
typedef D3DKMT_HANDLE (*DXGKCB_ENUMHANDLECHILDREN)(const DXGKARGCB_ENUMHANDLECHILDREN *pData);
typedef VOID (*DXGKCB_NOTIFY_INTERRUPT)(HANDLE hAdapter,
                                        const DXGKARGCB_NOTIFY_INTERRUPT_DATA *pData);
typedef VOID (*DXGKCB_NOTIFY_DPC)(HANDLE hAdapter);
typedef BOOLEAN (*DXGKCB_QUEUE_DPC)(HANDLE DeviceHandle);
typedef NTSTATUS (*DXGKCB_GET_DEVICE_INFORMATION)(HANDLE DeviceHandle,
                                                  PDXGK_DEVICE_INFO DeviceInfo);
typedef NTSTATUS (*DXGKCB_MAP_MEMORY)(HANDLE DeviceHandle, PHYSICAL_ADDRESS TranslatedAddress,
                                      ULONG Length, BOOLEAN InIoSpace, BOOLEAN MapToUserMode,
                                      MEMORY_CACHING_TYPE CacheType, PVOID *VirtualAddress);
typedef NTSTATUS (*DXGKCB_UNMAP_MEMORY)(HANDLE DeviceHandle, PVOID VirtualAddress);
typedef NTSTATUS (*DXGKCB_SYNCHRONIZE_EXECUTION)(HANDLE DeviceHandle,
                                                 PKSYNCHRONIZE_ROUTINE SynchronizeRoutine,
                                                 PVOID Context, ULONG MessageNumber,
                                                 BOOLEAN *ReturnValue);
typedef NTSTATUS (*DXGKCB_DEVICE_SPACE)(HANDLE DeviceHandle, ULONG DataType, PVOID Buffer,
                                        ULONG Offset, ULONG Length, PULONG BytesTransferred);

typedef struct _DXGKRNL_INTERFACE {
    ULONG Size;
    ULONG Version; /* DXGKDDI_INTERFACE_VERSION of the system */
    HANDLE DeviceHandle;
    WCTS_DDI_UNUSED DxgkCbEvalAcpiMethod;
    DXGKCB_GET_DEVICE_INFORMATION DxgkCbGetDeviceInformation;
    WCTS_DDI_UNUSED DxgkCbIndicateChildStatus;
    DXGKCB_MAP_MEMORY DxgkCbMapMemory;
    DXGKCB_QUEUE_DPC DxgkCbQueueDpc;
    WCTS_DDI_UNUSED DxgkCbQueryServices;
    DXGKCB_DEVICE_SPACE DxgkCbReadDeviceSpace;
    DXGKCB_SYNCHRONIZE_EXECUTION DxgkCbSynchronizeExecution;
    DXGKCB_UNMAP_MEMORY DxgkCbUnmapMemory;
    DXGKCB_DEVICE_SPACE DxgkCbWriteDeviceSpace;
    WCTS_DDI_UNUSED DxgkCbIsDevicePresent;
    DXGKCB_GETHANDLEDATA DxgkCbGetHandleData;
    DXGKCB_GETHANDLEPARENT DxgkCbGetHandleParent;
    DXGKCB_ENUMHANDLECHILDREN DxgkCbEnumHandleChildren;
    DXGKCB_NOTIFY_INTERRUPT DxgkCbNotifyInterrupt;
    DXGKCB_NOTIFY_DPC DxgkCbNotifyDpc;
    WCTS_DDI_UNUSED Unused[8]; /* display, capture, events */
} DXGKRNL_INTERFACE, *PDXGKRNL_INTERFACE;

typedef struct _DXGK_START_INFO {
    ULONG RequiredDmaQueueEntry;
    GUID AdapterGuid;
#if WCTS_DDI_SINCE(WIN8)
    LUID AdapterLuid;
#endif
} DXGK_START_INFO, *PDXGK_START_INFO;

/* ---- the driver's functions ---- */

typedef NTSTATUS DXGKDDI_ADD_DEVICE(PDEVICE_OBJECT PhysicalDeviceObject,
                                    PVOID *MiniportDeviceContext);
typedef NTSTATUS DXGKDDI_START_DEVICE(PVOID MiniportDeviceContext, PDXGK_START_INFO DxgkStartInfo,
                                      PDXGKRNL_INTERFACE DxgkInterface,
                                      PULONG NumberOfVideoPresentSources, PULONG NumberOfChildren);
typedef NTSTATUS DXGKDDI_STOP_DEVICE(PVOID MiniportDeviceContext);
typedef NTSTATUS DXGKDDI_REMOVE_DEVICE(PVOID MiniportDeviceContext);
typedef VOID DXGKDDI_DPC_ROUTINE(PVOID MiniportDeviceContext);
typedef VOID DXGKDDI_UNLOAD(void);
typedef NTSTATUS DXGKDDI_QUERYADAPTERINFO(HANDLE hAdapter,
                                          const DXGKARG_QUERYADAPTERINFO *pQueryAdapterInfo);
typedef NTSTATUS DXGKDDI_CREATEDEVICE(HANDLE hAdapter, DXGKARG_CREATEDEVICE *pCreateDevice);
typedef NTSTATUS DXGKDDI_DESTROYDEVICE(HANDLE hDevice);
typedef NTSTATUS DXGKDDI_CREATECONTEXT(HANDLE hDevice, DXGKARG_CREATECONTEXT *pCreateContext);
typedef NTSTATUS DXGKDDI_DESTROYCONTEXT(HANDLE hContext);
typedef NTSTATUS DXGKDDI_CREATEALLOCATION(HANDLE hAdapter,
                                          DXGKARG_CREATEALLOCATION *pCreateAllocation);
typedef NTSTATUS DXGKDDI_DESTROYALLOCATION(HANDLE hAdapter,
                                           const DXGKARG_DESTROYALLOCATION *pDestroyAllocation);
typedef NTSTATUS
DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA(HANDLE hAdapter,
                                        DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *pData);
typedef NTSTATUS DXGKDDI_OPENALLOCATIONINFO(HANDLE hDevice,
                                            const DXGKARG_OPENALLOCATION *pOpenAllocation);
typedef NTSTATUS DXGKDDI_CLOSEALLOCATION(HANDLE hDevice,
                                         const DXGKARG_CLOSEALLOCATION *pCloseAllocation);
typedef NTSTATUS DXGKDDI_RENDER(HANDLE hContext, DXGKARG_RENDER *pRender);
typedef NTSTATUS DXGKDDI_PRESENT(HANDLE hContext, DXGKARG_PRESENT *pPresent);
typedef NTSTATUS DXGKDDI_PATCH(HANDLE hAdapter, const DXGKARG_PATCH *pPatch);
typedef NTSTATUS DXGKDDI_SUBMITCOMMAND(HANDLE hAdapter, const DXGKARG_SUBMITCOMMAND *pSubmit);
typedef NTSTATUS DXGKDDI_PREEMPTCOMMAND(HANDLE hAdapter, const DXGKARG_PREEMPTCOMMAND *pPreempt);
typedef NTSTATUS DXGKDDI_BUILDPAGINGBUFFER(HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER *pBuild);

typedef DXGKDDI_ADD_DEVICE *PDXGKDDI_ADD_DEVICE;
typedef DXGKDDI_START_DEVICE *PDXGKDDI_START_DEVICE;
typedef DXGKDDI_STOP_DEVICE *PDXGKDDI_STOP_DEVICE;
typedef DXGKDDI_REMOVE_DEVICE *PDXGKDDI_REMOVE_DEVICE;
typedef DXGKDDI_DPC_ROUTINE *PDXGKDDI_DPC_ROUTINE;
typedef DXGKDDI_UNLOAD *PDXGKDDI_UNLOAD;
typedef DXGKDDI_QUERYADAPTERINFO *PDXGKDDI_QUERYADAPTERINFO;
typedef DXGKDDI_CREATEDEVICE *PDXGKDDI_CREATEDEVICE;
typedef DXGKDDI_DESTROYDEVICE *PDXGKDDI_DESTROYDEVICE;
typedef DXGKDDI_CREATECONTEXT *PDXGKDDI_CREATECONTEXT;
typedef DXGKDDI_DESTROYCONTEXT *PDXGKDDI_DESTROYCONTEXT;
typedef DXGKDDI_CREATEALLOCATION *PDXGKDDI_CREATEALLOCATION;
typedef DXGKDDI_DESTROYALLOCATION *PDXGKDDI_DESTROYALLOCATION;
typedef DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA *PDXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA;
typedef DXGKDDI_OPENALLOCATIONINFO *PDXGKDDI_OPENALLOCATIONINFO;
typedef DXGKDDI_CLOSEALLOCATION *PDXGKDDI_CLOSEALLOCATION;
typedef DXGKDDI_RENDER *PDXGKDDI_RENDER;
typedef DXGKDDI_PRESENT *PDXGKDDI_PRESENT;
typedef DXGKDDI_PATCH *PDXGKDDI_PATCH;
typedef DXGKDDI_SUBMITCOMMAND *PDXGKDDI_SUBMITCOMMAND;
typedef DXGKDDI_PREEMPTCOMMAND *PDXGKDDI_PREEMPTCOMMAND;
typedef DXGKDDI_BUILDPAGINGBUFFER *PDXGKDDI_BUILDPAGINGBUFFER;

typedef PDXGK_START_INFO IN_PDXGK_START_INFO;
typedef PDXGKRNL_INTERFACE IN_PDXGKRNL_INTERFACE;

/* The table only grows; its end has no members that a memory part fills in. */
typedef struct _DRIVER_INITIALIZATION_DATA {
    ULONG Version; /* DXGKDDI_INTERFACE_VERSION */
    PDXGKDDI_ADD_DEVICE DxgkDdiAddDevice;
    PDXGKDDI_START_DEVICE DxgkDdiStartDevice;
    PDXGKDDI_STOP_DEVICE DxgkDdiStopDevice;
    PDXGKDDI_REMOVE_DEVICE DxgkDdiRemoveDevice;
    WCTS_DDI_UNUSED DxgkDdiDispatchIoRequest;
    WCTS_DDI_UNUSED DxgkDdiInterruptRoutine;
    PDXGKDDI_DPC_ROUTINE DxgkDdiDpcRoutine;
    WCTS_DDI_UNUSED DxgkDdiQueryChildRelations;
    WCTS_DDI_UNUSED DxgkDdiQueryChildStatus;
    WCTS_DDI_UNUSED DxgkDdiQueryDeviceDescriptor;
    WCTS_DDI_UNUSED DxgkDdiSetPowerState;
    WCTS_DDI_UNUSED DxgkDdiNotifyAcpiEvent;
    WCTS_DDI_UNUSED DxgkDdiResetDevice;
    PDXGKDDI_UNLOAD DxgkDdiUnload;
    WCTS_DDI_UNUSED DxgkDdiQueryInterface;
    WCTS_DDI_UNUSED DxgkDdiControlEtwLogging;
    PDXGKDDI_QUERYADAPTERINFO DxgkDdiQueryAdapterInfo;
    PDXGKDDI_CREATEDEVICE DxgkDdiCreateDevice;
    PDXGKDDI_CREATEALLOCATION DxgkDdiCreateAllocation;
    PDXGKDDI_DESTROYALLOCATION DxgkDdiDestroyAllocation;
    WCTS_DDI_UNUSED DxgkDdiDescribeAllocation;
    PDXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA DxgkDdiGetStandardAllocationDriverData;
    WCTS_DDI_UNUSED DxgkDdiAcquireSwizzlingRange;
    WCTS_DDI_UNUSED DxgkDdiReleaseSwizzlingRange;
    PDXGKDDI_PATCH DxgkDdiPatch;
    PDXGKDDI_SUBMITCOMMAND DxgkDdiSubmitCommand;
    PDXGKDDI_PREEMPTCOMMAND DxgkDdiPreemptCommand;
    PDXGKDDI_BUILDPAGINGBUFFER DxgkDdiBuildPagingBuffer;
    WCTS_DDI_UNUSED DxgkDdiSetPalette;
    WCTS_DDI_UNUSED DxgkDdiSetPointerPosition;
    WCTS_DDI_UNUSED DxgkDdiSetPointerShape;
    WCTS_DDI_UNUSED DxgkDdiResetFromTimeout;
    WCTS_DDI_UNUSED DxgkDdiRestartFromTimeout;
    WCTS_DDI_UNUSED DxgkDdiEscape;
    WCTS_DDI_UNUSED DxgkDdiCollectDbgInfo;
    WCTS_DDI_UNUSED DxgkDdiQueryCurrentFence;
    WCTS_DDI_UNUSED DxgkDdiIsSupportedVidPn;
    WCTS_DDI_UNUSED DxgkDdiRecommendFunctionalVidPn;
    WCTS_DDI_UNUSED DxgkDdiEnumVidPnCofuncModality;
    WCTS_DDI_UNUSED DxgkDdiSetVidPnSourceAddress;
    WCTS_DDI_UNUSED DxgkDdiSetVidPnSourceVisibility;
    WCTS_DDI_UNUSED DxgkDdiCommitVidPn;
    WCTS_DDI_UNUSED DxgkDdiUpdateActiveVidPnPresentPath;
    WCTS_DDI_UNUSED DxgkDdiRecommendMonitorModes;
    WCTS_DDI_UNUSED DxgkDdiRecommendVidPnTopology;
    WCTS_DDI_UNUSED DxgkDdiGetScanLine;
    WCTS_DDI_UNUSED DxgkDdiStopCapture;
    WCTS_DDI_UNUSED DxgkDdiControlInterrupt;
    WCTS_DDI_UNUSED DxgkDdiCreateOverlay;
    PDXGKDDI_DESTROYDEVICE DxgkDdiDestroyDevice;
    PDXGKDDI_OPENALLOCATIONINFO DxgkDdiOpenAllocation;
    PDXGKDDI_CLOSEALLOCATION DxgkDdiCloseAllocation;
    PDXGKDDI_RENDER DxgkDdiRender;
    PDXGKDDI_PRESENT DxgkDdiPresent;
    WCTS_DDI_UNUSED DxgkDdiUpdateOverlay;
    WCTS_DDI_UNUSED DxgkDdiFlipOverlay;
    WCTS_DDI_UNUSED DxgkDdiDestroyOverlay;
    PDXGKDDI_CREATECONTEXT DxgkDdiCreateContext;
    PDXGKDDI_DESTROYCONTEXT DxgkDdiDestroyContext;
    WCTS_DDI_UNUSED DxgkDdiLinkDevice;
    WCTS_DDI_UNUSED DxgkDdiSetDisplayPrivateDriverFormat;
#if WCTS_DDI_SINCE(WIN7)
    WCTS_DDI_UNUSED Win7Unused[6];
    PDXGKDDI_RENDER DxgkDdiRenderKm;
    WCTS_DDI_UNUSED Win7Reserved;
    WCTS_DDI_UNUSED DxgkDdiQueryVidPnHWCapability;
#endif
#if WCTS_DDI_SINCE(WIN8)
    WCTS_DDI_UNUSED Win8Unused[12];
#endif
#if WCTS_DDI_SINCE(WDDM1_3)
    WCTS_DDI_UNUSED Wddm13Unused[6];
#endif
#if WCTS_DDI_SINCE(WDDM2_0)
    WCTS_DDI_UNUSED DxgkDdiRenderGdi;
    WCTS_DDI_UNUSED DxgkDdiSubmitCommandVirtual;
    WCTS_DDI_UNUSED Wddm20Unused[13];
#endif
#if WCTS_DDI_SINCE(WDDM2_1)
    WCTS_DDI_UNUSED Wddm21Unused[6];
#endif
#if WCTS_DDI_SINCE(WDDM2_2)
    WCTS_DDI_UNUSED Wddm22Unused[19];
#endif
#if WCTS_DDI_SINCE(WDDM2_3)
    WCTS_DDI_UNUSED Wddm23Unused[3];
#endif
#if WCTS_DDI_SINCE(WDDM2_4)
    WCTS_DDI_UNUSED Wddm24Unused[12];
#endif
#if WCTS_DDI_SINCE(WDDM2_5)
    WCTS_DDI_UNUSED Wddm25Unused[5];
#endif
#if WCTS_DDI_SINCE(WDDM2_6)
    WCTS_DDI_UNUSED Wddm26Unused[4];
#endif
#if WCTS_DDI_SINCE(WDDM2_7)
    WCTS_DDI_UNUSED Wddm27Unused[1];
#endif
#if WCTS_DDI_SINCE(WDDM2_9)
    WCTS_DDI_UNUSED Wddm29Unused[4];
#endif
#if WCTS_DDI_SINCE(WDDM3_0)
    WCTS_DDI_UNUSED Wddm30Unused[4];
#endif
#if WCTS_DDI_SINCE(WDDM3_1)
    WCTS_DDI_UNUSED Wddm31Unused[10];
#endif
} DRIVER_INITIALIZATION_DATA, *PDRIVER_INITIALIZATION_DATA;

/* Called once, by DriverEntry. The table is copied. */
NTSTATUS DxgkInitialize(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath,
                        PDRIVER_INITIALIZATION_DATA DriverInitializationData);

/* A display-only driver: Windows gives it neither allocations nor segments, so that there is
 * nothing to test, and the driver does not start. Members up to the last one that all versions
 * have. */
typedef struct _KMDDOD_INITIALIZATION_DATA {
    ULONG Version;
    PDXGKDDI_ADD_DEVICE DxgkDdiAddDevice;
    PDXGKDDI_START_DEVICE DxgkDdiStartDevice;
    PDXGKDDI_STOP_DEVICE DxgkDdiStopDevice;
    PDXGKDDI_REMOVE_DEVICE DxgkDdiRemoveDevice;
    WCTS_DDI_UNUSED DxgkDdiDispatchIoRequest;
    WCTS_DDI_UNUSED DxgkDdiInterruptRoutine;
    PDXGKDDI_DPC_ROUTINE DxgkDdiDpcRoutine;
    WCTS_DDI_UNUSED DxgkDdiQueryChildRelations;
    WCTS_DDI_UNUSED DxgkDdiQueryChildStatus;
    WCTS_DDI_UNUSED DxgkDdiQueryDeviceDescriptor;
    WCTS_DDI_UNUSED DxgkDdiSetPowerState;
    WCTS_DDI_UNUSED DxgkDdiNotifyAcpiEvent;
    WCTS_DDI_UNUSED DxgkDdiResetDevice;
    PDXGKDDI_UNLOAD DxgkDdiUnload;
    WCTS_DDI_UNUSED DxgkDdiQueryInterface;
    WCTS_DDI_UNUSED DxgkDdiControlEtwLogging;
    PDXGKDDI_QUERYADAPTERINFO DxgkDdiQueryAdapterInfo;
    WCTS_DDI_UNUSED DxgkDdiSetPalette;
    WCTS_DDI_UNUSED DxgkDdiSetPointerPosition;
    WCTS_DDI_UNUSED DxgkDdiSetPointerShape;
    WCTS_DDI_UNUSED DxgkDdiEscape;
    WCTS_DDI_UNUSED DxgkDdiCollectDbgInfo;
    WCTS_DDI_UNUSED DxgkDdiIsSupportedVidPn;
    WCTS_DDI_UNUSED DxgkDdiRecommendFunctionalVidPn;
    WCTS_DDI_UNUSED DxgkDdiEnumVidPnCofuncModality;
    WCTS_DDI_UNUSED DxgkDdiSetVidPnSourceVisibility;
    WCTS_DDI_UNUSED DxgkDdiCommitVidPn;
    WCTS_DDI_UNUSED DxgkDdiUpdateActiveVidPnPresentPath;
    WCTS_DDI_UNUSED DxgkDdiRecommendMonitorModes;
    WCTS_DDI_UNUSED DxgkDdiGetScanLine;
    WCTS_DDI_UNUSED DxgkDdiQueryVidPnHWCapability;
    WCTS_DDI_UNUSED DxgkDdiPresentDisplayOnly;
    WCTS_DDI_UNUSED DxgkDdiStopDeviceAndReleasePostDisplayOwnership;
    WCTS_DDI_UNUSED DxgkDdiSystemDisplayEnable;
    WCTS_DDI_UNUSED DxgkDdiSystemDisplayWrite;
    WCTS_DDI_UNUSED DxgkDdiGetChildContainerId;
    WCTS_DDI_UNUSED DxgkDdiControlInterrupt;
    WCTS_DDI_UNUSED DxgkDdiSetPowerComponentFState;
    WCTS_DDI_UNUSED DxgkDdiPowerRuntimeControlRequest;
    WCTS_DDI_UNUSED DxgkDdiNotifySurpriseRemoval;
} KMDDOD_INITIALIZATION_DATA, *PKMDDOD_INITIALIZATION_DATA;

/* Fails with STATUS_NOT_SUPPORTED, and a line in the log. */
NTSTATUS DxgkInitializeDisplayOnlyDriver(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath,
                                         PKMDDOD_INITIALIZATION_DATA KmdDodInitializationData);

#ifdef __cplusplus
}
#endif

#endif
