/* SPDX-License-Identifier: MIT */
/* The structures with which the driver's functions are called. They only grew, so the newest layout
 * serves all versions; what a version does not have must come back as it went. */
#include "ddi.h"

#include <stdlib.h>

#define GUARD 64u
#define STEPS 7

/* The sizes, each from a version on. */
static const struct {
    const char *name;
    uint32_t newest;
    struct {
        uint32_t since;
        uint32_t size;
    } steps[STEPS];
} structures[DDI_STRUCTURE_COUNT] = {
    [DDI_QUERYADAPTERINFO] = {"DXGKARG_QUERYADAPTERINFO",
                              sizeof(DXGKARG_QUERYADAPTERINFO),
                              {{0, 0x28}, {DXGKDDI_INTERFACE_VERSION_WDDM2_4, 0x30}}},
    [DDI_DRIVERCAPS] = {"DXGK_DRIVERCAPS",
                        sizeof(DXGK_DRIVERCAPS),
                        {{0, 0x150},
                         {DXGKDDI_INTERFACE_VERSION_WIN7, 0x210},
                         {DXGKDDI_INTERFACE_VERSION_WIN8, 0x220},
                         {DXGKDDI_INTERFACE_VERSION_WDDM1_3, 0x228},
                         {DXGKDDI_INTERFACE_VERSION_WDDM2_0, 0x240},
                         {DXGKDDI_INTERFACE_VERSION_WDDM2_4, 0x248},
                         {DXGKDDI_INTERFACE_VERSION_WDDM2_9, 0x250}}},
    [DDI_CREATEDEVICE] = {"DXGKARG_CREATEDEVICE",
                          sizeof(DXGKARG_CREATEDEVICE),
                          {{0, 0x10}, {DXGKDDI_INTERFACE_VERSION_WDDM2_0, 0x20}}},
    [DDI_CREATECONTEXT] = {"DXGKARG_CREATECONTEXT",
                           sizeof(DXGKARG_CREATECONTEXT),
                           {{0, 0x38},
                            {DXGKDDI_INTERFACE_VERSION_WIN7, 0x40},
                            {DXGKDDI_INTERFACE_VERSION_WDDM2_0, 0x48}}},
    [DDI_CREATEALLOCATION] = {"DXGKARG_CREATEALLOCATION",
                              sizeof(DXGKARG_CREATEALLOCATION),
                              {{0, 0x28}}},
    [DDI_STANDARD] = {"DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA",
                      sizeof(DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA),
                      {{0, 0x30}}},
    [DDI_OPENALLOCATION] = {"DXGKARG_OPENALLOCATION",
                            sizeof(DXGKARG_OPENALLOCATION),
                            {{0, 0x20}, {DXGKDDI_INTERFACE_VERSION_WIN8, 0x38}}},
    [DDI_RENDER] = {"DXGKARG_RENDER", sizeof(DXGKARG_RENDER), {{0, 0x70}}},
    [DDI_PRESENT] = {"DXGKARG_PRESENT",
                     sizeof(DXGKARG_PRESENT),
                     {{0, 0x80},
                      {DXGKDDI_INTERFACE_VERSION_WDDM1_3, 0x88},
                      {DXGKDDI_INTERFACE_VERSION_WDDM2_0, 0xA8}}},
    [DDI_PATCH] = {"DXGKARG_PATCH", sizeof(DXGKARG_PATCH), {{0, 0x78}}},
    [DDI_PREEMPTCOMMAND] = {"DXGKARG_PREEMPTCOMMAND", sizeof(DXGKARG_PREEMPTCOMMAND), {{0, 0x10}}},
    [DDI_SUBMITCOMMAND] = {"DXGKARG_SUBMITCOMMAND",
                           sizeof(DXGKARG_SUBMITCOMMAND),
                           {{0, 0x50},
                            {DXGKDDI_INTERFACE_VERSION_WIN7, 0x58},
                            {DXGKDDI_INTERFACE_VERSION_WIN8, 0x60}}},
    [DDI_BUILDPAGINGBUFFER] = {"DXGKARG_BUILDPAGINGBUFFER",
                               sizeof(DXGKARG_BUILDPAGINGBUFFER),
                               {{0, 0x130}, {DXGKDDI_INTERFACE_VERSION_WDDM2_0, 0x140}}},
};

uint32_t ddi_size(const struct ddi_instance *instance, enum ddi_structure structure)
{
    uint32_t i, size = 0;
    for (i = 0; i < STEPS && structures[structure].steps[i].size != 0; i++)
        if (ddi_since(instance, structures[structure].steps[i].since))
            size = structures[structure].steps[i].size;
    return size;
}

void *ddi_new(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (memory == NULL)
        ddi_breach("no memory for %zu bytes", size);
    return memory;
}

void *ddi_arguments(enum ddi_structure structure)
{
    const size_t size = structures[structure].newest + GUARD;
    return memset(ddi_new(size), DDI_GARBAGE, size);
}

void ddi_arguments_end(const struct ddi_instance *instance, enum ddi_structure structure,
                       void *arguments)
{
    const unsigned char *bytes = arguments;
    const uint32_t size = ddi_size(instance, structure);
    uint32_t i;
    for (i = size; i < structures[structure].newest + GUARD; i++)
        if (bytes[i] != DDI_GARBAGE)
            ddi_breach("the driver wrote at 0x%X of %s, which ends at 0x%X at this version", i,
                       structures[structure].name, size);
    free(arguments);
}
