/* SPDX-License-Identifier: MIT */
/* What the scripted driver says of itself. */
#include "message.h"
#include "probe.h"

uint32_t wcts_machine_probe_patches(const struct wcts_machine_probe *probe)
{
    struct wcts_driver_info_reply info = {.size = sizeof info};
    const struct wcts_world *world = probe->world;
    int structure = probe->structures[WCTS_PROBE_INFO], i = 0;
    while (world && i < world->adapter_count && world->instances[i].structure != structure)
        i++;
    if (world && i < world->adapter_count)
        wcts_machine_instance_write(probe->spec, world, i, probe->symbols, (uint8_t *)&info);
    return info.patches;
}
