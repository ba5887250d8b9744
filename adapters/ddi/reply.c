/* SPDX-License-Identifier: MIT */
#include "ddi.h"

uint32_t ddi_append(void *reply, uint32_t room, uint32_t *size, const void *data, uint32_t count)
{
    const uint64_t offset = ((uint64_t)*size + 7) & ~UINT64_C(7);
    if (offset > room || count > room - offset)
        return 0;
    if (count != 0)
        memcpy((unsigned char *)reply + offset, data, count);
    *size = (uint32_t)offset + count;
    return (uint32_t)offset;
}
