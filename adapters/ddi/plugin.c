/* SPDX-License-Identifier: MIT */
/* The plug-in: a system that boots with the driver, calls that become calls of its functions, and
 * its end. */
#include "ddi.h"

#include <stdlib.h>

struct ddi_instance *ddi_current;

static const struct wcts_ddi_driver *plugin_driver;

/* Driver and device objects that are looked at by nobody. */
static char driver_object[64], device_object[64];

/* Sizes of DRIVER_INITIALIZATION_DATA: the driver's own may be shorter than this library's. */
static const struct {
    uint32_t since;
    uint32_t size;
} table_sizes[] = {
    {0, 0x1F0},
    {DXGKDDI_INTERFACE_VERSION_WIN7, 0x238},
    {DXGKDDI_INTERFACE_VERSION_WIN8, 0x298},
    {DXGKDDI_INTERFACE_VERSION_WDDM1_3, 0x2C8},
    {DXGKDDI_INTERFACE_VERSION_WDDM2_0, 0x340},
};

NTSTATUS DxgkInitialize(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath,
                        PDRIVER_INITIALIZATION_DATA DriverInitializationData)
{
    size_t i, size = 0;
    (void)DriverObject, (void)RegistryPath;
    if (ddi_current == NULL)
        return STATUS_INVALID_PARAMETER;
    for (i = 0; i < sizeof table_sizes / sizeof table_sizes[0]; i++)
        if (DriverInitializationData->Version >= table_sizes[i].since)
            size = table_sizes[i].size;
    memset(&ddi_current->table, 0, sizeof ddi_current->table);
    memcpy(&ddi_current->table, DriverInitializationData, size);
    ddi_current->initialized = 1;
    return STATUS_SUCCESS;
}

NTSTATUS DxgkInitializeDisplayOnlyDriver(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath,
                                         PKMDDOD_INITIALIZATION_DATA KmdDodInitializationData)
{
    (void)DriverObject, (void)RegistryPath, (void)KmdDodInitializationData;
    ddi_log("a display-only driver has neither allocations nor segments: nothing to test");
    return STATUS_NOT_SUPPORTED;
}

/* The name of a function that the table lacks and that nothing goes without, or NULL. */
static const char *missing_function(const DRIVER_INITIALIZATION_DATA *table)
{
    return table->DxgkDdiAddDevice == NULL           ? "DxgkDdiAddDevice"
           : table->DxgkDdiQueryAdapterInfo == NULL  ? "DxgkDdiQueryAdapterInfo"
           : table->DxgkDdiCreateAllocation == NULL  ? "DxgkDdiCreateAllocation"
           : table->DxgkDdiDestroyAllocation == NULL ? "DxgkDdiDestroyAllocation"
                                                     : NULL;
}

/* Starts the device of an adapter that AddDevice made. */
static NTSTATUS start_device(struct ddi_adapter *adapter)
{
    const DRIVER_INITIALIZATION_DATA *table = &adapter->instance->table;
    DXGK_START_INFO info = {.RequiredDmaQueueEntry = 0};
    ULONG sources = 0, children = 0;
    if (table->DxgkDdiStartDevice == NULL)
        return STATUS_SUCCESS;
    ddi_interface(adapter);
    return DDI_CALL(DxgkDdiStartDevice,
                    table->DxgkDdiStartDevice(adapter->device_context, &info, &adapter->interface,
                                              &sources, &children));
}

NTSTATUS ddi_adapter_start(struct ddi_instance *instance, uint32_t index,
                           struct ddi_adapter **adapter)
{
    struct ddi_adapter *one;
    NTSTATUS status;
    if (index >= DDI_ADAPTER_COUNT)
        return STATUS_INVALID_PARAMETER;
    *adapter = one = &instance->adapters[index];
    if (one->started)
        return STATUS_SUCCESS;
    one->instance = instance;
    one->index = index;
    status = DDI_CALL(DxgkDdiAddDevice,
                      instance->table.DxgkDdiAddDevice((PDEVICE_OBJECT)(void *)device_object,
                                                       &one->device_context));
    if (!NT_SUCCESS(status))
        return status;
    status = start_device(one);
    if (NT_SUCCESS(status))
        one->started = 1;
    else if (instance->table.DxgkDdiRemoveDevice != NULL)
        (void)DDI_CALL(DxgkDdiRemoveDevice,
                       instance->table.DxgkDdiRemoveDevice(one->device_context));
    return status;
}

static void adapter_stop(struct ddi_adapter *adapter)
{
    const DRIVER_INITIALIZATION_DATA *table = &adapter->instance->table;
    uint32_t i;
    if (table->DxgkDdiStopDevice != NULL)
        (void)DDI_CALL(DxgkDdiStopDevice, table->DxgkDdiStopDevice(adapter->device_context));
    if (table->DxgkDdiRemoveDevice != NULL)
        (void)DDI_CALL(DxgkDdiRemoveDevice, table->DxgkDdiRemoveDevice(adapter->device_context));
    for (i = 0; i < adapter->segment_count; i++)
        free(adapter->segments[i].pages);
    free(adapter->segments);
    adapter->started = 0;
}

/* DriverEntry and the first device. Returns 0, having logged why, when the system does not boot. */
static int boot(struct ddi_instance *instance)
{
    static WCHAR path[] = {'\\', 0};
    UNICODE_STRING registry = {.Length = 2, .MaximumLength = 4, .Buffer = path};
    struct ddi_adapter *adapter;
    const char *missing;
    NTSTATUS status;
    if (instance->driver->options == NULL ? instance->host->options[0] != '\0'
                                          : !instance->driver->options(instance->host->options)) {
        ddi_log("%s: unknown options \"%s\"", instance->driver->name, instance->host->options);
        return 0;
    }
    status = DDI_CALL(DriverEntry,
                      instance->driver->entry((PDRIVER_OBJECT)(void *)driver_object, &registry));
    if (!NT_SUCCESS(status) || !instance->initialized) {
        ddi_log("%s: DriverEntry returned 0x%08X and %s DxgkInitialize", instance->driver->name,
                (unsigned)status, instance->initialized ? "called" : "did not call");
        return 0;
    }
    missing = missing_function(&instance->table);
    if (missing != NULL) {
        ddi_log("%s: DRIVER_INITIALIZATION_DATA has no %s", instance->driver->name, missing);
        return 0;
    }
    status = ddi_adapter_start(instance, 0, &adapter);
    if (!NT_SUCCESS(status))
        ddi_log("%s: the device does not start: 0x%08X", instance->driver->name, (unsigned)status);
    return NT_SUCCESS(status);
}

static void shut_down(struct ddi_instance *instance)
{
    uint32_t i;
    ddi_allocations_end(instance);
    ddi_devices_end(instance);
    for (i = 0; i < DDI_ADAPTER_COUNT; i++)
        if (instance->adapters[i].started)
            adapter_stop(&instance->adapters[i]);
    if (instance->initialized && instance->table.DxgkDdiUnload != NULL)
        instance->table.DxgkDdiUnload();
    for (i = 0; i < DDI_STANDARD_TYPES; i++)
        free(instance->standard[i].data);
    free(instance->rendered);
    ddi_memory_end(instance);
    free(instance);
}

static void *plugin_open(const struct wcts_host *host, uint32_t side)
{
    struct ddi_instance *const before = ddi_current;
    struct ddi_instance *instance;
    if (side != WCTS_SIDE_DRIVER)
        return NULL;
    instance = ddi_new(sizeof *instance);
    instance->host = host;
    instance->driver = plugin_driver;
    ddi_current = instance;
    if (!boot(instance)) {
        shut_down(instance);
        instance = NULL;
    }
    ddi_current = before;
    return instance;
}

static wcts_status plugin_call(void *ctx, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t room, uint32_t *size)
{
    static const struct wcts_handler handlers[] = {
        {WCTS_DRIVER_INFO, ddi_info},
        {WCTS_DRIVER_SEGMENTS, ddi_driver_segments},
        {WCTS_DRIVER_DEVICE, ddi_device_create},
        {WCTS_DRIVER_CONTEXT, ddi_context_create},
        {WCTS_DRIVER_ALLOCATION_CREATE, ddi_allocation_create},
        {WCTS_DRIVER_ALLOCATION_DESTROY, ddi_allocation_destroy},
        {WCTS_DRIVER_STANDARD_ALLOCATION, ddi_standard_allocation},
        {WCTS_DRIVER_RENDER, ddi_render},
        {WCTS_DRIVER_PRESENT, ddi_present},
        {WCTS_DRIVER_PAGING, ddi_paging},
        {WCTS_DRIVER_PATCH, ddi_patch},
        {WCTS_DRIVER_SUBMIT, ddi_submit},
    };
    struct ddi_instance *const before = ddi_current;
    wcts_status status;
    ddi_current = ctx;
    status = wcts_dispatch(handlers, sizeof handlers / sizeof handlers[0], ctx, operation, request,
                           request_size, reply, room, size);
    ddi_mirrors_end(ctx);
    ddi_current = before;
    return status;
}

static void plugin_close(void *ctx)
{
    struct ddi_instance *const before = ddi_current;
    if (ctx == NULL)
        return;
    ddi_current = ctx;
    shut_down(ctx);
    ddi_current = before;
}

const struct wcts_plugin *wcts_ddi_plugin(const struct wcts_ddi_driver *driver)
{
    static struct wcts_plugin plugin = {.size = sizeof plugin,
                                        .abi_version = WCTS_ABI_VERSION,
                                        .sides = WCTS_SIDE_DRIVER,
                                        .open = plugin_open,
                                        .call = plugin_call,
                                        .close = plugin_close};
    plugin_driver = driver;
    plugin.name = driver->name;
    plugin.version = driver->version;
    return &plugin;
}

const struct wcts_host *wcts_ddi_host(void)
{
    return ddi_current != NULL ? ddi_current->host : NULL;
}
