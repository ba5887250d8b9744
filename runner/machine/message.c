/* SPDX-License-Identifier: MIT */
#include "message.h"
#include "../../include/wddm-cts.h"

#include <stdlib.h>

void wcts_machine_instance_write(const struct wcts_spec *spec, const struct wcts_world *world,
                                 int instance, const struct wcts_symbols *symbols, uint8_t *base)
{
    const struct wcts_oracle_world_instance *one = &world->instances[instance];
    const struct wcts_structure *structure = &spec->structures[one->structure];
    for (int i = 0; i < structure->member_count; i++) {
        const struct wcts_member *member = &structure->members[i];
        if (one->values[i].symbol != WCTS_SYMBOL_AUTO)
            wcts_exchange_bytes_put(base + member->offset, member->width,
                                    wcts_model_value_resolve(spec, symbols, one->values[i]));
    }
}

static bool siblings(const struct wcts_oracle_world_instance *a,
                     const struct wcts_oracle_world_instance *b)
{
    return a->parent == b->parent && a->at.member == b->at.member && a->present && b->present;
}

/* Appends the array that begins with this instance, and sets the parent's pointer to it. */
static bool add_array(struct wcts_exchange_buffer *buffer, const struct wcts_spec *spec,
                      const struct wcts_world *world, int first, size_t *offsets,
                      const struct wcts_symbols *symbols)
{
    const struct wcts_oracle_world_instance *one = &world->instances[first];
    const struct wcts_member *pointer = wcts_model_ref_member(spec, one->at);
    uint32_t each = spec->structures[one->structure].size;
    size_t count = 0, at;
    for (int i = first; i < world->count; i++)
        count += siblings(one, &world->instances[i]);
    at = wcts_exchange_buffer_add(buffer, count * each);
    if (at == 0)
        return false;
    if (world->instances[one->parent].values[one->at.member].symbol == WCTS_SYMBOL_AUTO)
        wcts_exchange_bytes_put(buffer->bytes + offsets[one->parent] + pointer->offset,
                                pointer->width, at);
    count = 0;
    for (int i = first; i < world->count; i++) {
        if (!siblings(one, &world->instances[i]))
            continue;
        offsets[i] = at + each * count++;
        wcts_machine_instance_write(spec, world, i, symbols, buffer->bytes + offsets[i]);
    }
    return true;
}

/* Nearly all calls have no more instances. */
#define FEW 16

bool wcts_machine_message_build(struct wcts_exchange_buffer *buffer, const struct wcts_spec *spec,
                                const struct wcts_message *message, const struct wcts_world *world,
                                int first, const struct wcts_symbols *symbols)
{
    size_t few[FEW] = {0};
    size_t *offsets = world->count <= FEW ? few : calloc((size_t)world->count, sizeof *offsets);
    uint32_t size =
        message->request_size ? message->request_size : (uint32_t)sizeof(struct wcts_none);
    bool good = offsets != NULL;
    buffer->size = 0;
    wcts_exchange_buffer_add(buffer, size);
    if (good && first < world->count) {
        offsets[first] = message->request_at;
        wcts_machine_instance_write(spec, world, first, symbols, buffer->bytes + offsets[first]);
    }
    for (int i = first + 1; good && i < world->count; i++)
        if (world->instances[i].present && world->instances[i].parent >= 0 && offsets[i] == 0)
            good = add_array(buffer, spec, world, i, offsets, symbols);
    if (buffer->size >= size)
        wcts_exchange_bytes_put(buffer->bytes, 4, size);
    if (offsets != few)
        free(offsets);
    return good && buffer->size >= size;
}
