/* SPDX-License-Identifier: MIT */
/*
 * The interpreter: an array of pages to which the effects of the spec are applied, one operation
 * after the other. The rules are evaluated with the same pages. Rules refer to symbols, so each
 * reservation and each allocation of a walk is a symbol.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "walk.h"

#define ALL_KNOWN ((1u << WCTS_PAGE_MEANINGS) - 1)

/* ---- Symbols ---- */

static struct wcts_symbol *slot_symbol(struct wcts_oracle_model *model, int slot)
{
    return &model->cases.symbols[model->slot_symbols + slot];
}

static bool add_symbols(struct wcts_oracle_model *model)
{
    const struct wcts_cases *cases = model->shape->spec->cases;
    const struct wcts_step *create = &cases->steps[model->shape->create];
    int more = WCTS_WALK_SLOTS + WCTS_WALK_ALLOCATIONS, total = cases->symbols_count + more;
    model->cases = *cases;
    model->cases.symbols = calloc((size_t)total, sizeof *model->cases.symbols);
    model->symbols.values = calloc((size_t)total, sizeof *model->symbols.values);
    if (!model->cases.symbols || !model->symbols.values)
        return false;
    WCTS_ARRAY_COPY(model->cases.symbols, cases->symbols, cases->symbols_count);
    model->cases.symbols_count += more;
    model->slot_symbols = cases->symbols_count;
    model->allocation_symbols = model->slot_symbols + WCTS_WALK_SLOTS;
    for (int i = 0; i < WCTS_WALK_SLOTS; i++)
        *slot_symbol(model, i) = (struct wcts_symbol){.name = "reservation",
                                                      .kind = WCTS_SYMBOL_RESERVATION,
                                                      .kind_name = "free",
                                                      .dead_by = -1,
                                                      .of = -1,
                                                      .after = -1};
    for (int i = 0; i < WCTS_WALK_ALLOCATIONS; i++) {
        struct wcts_symbol *symbol = &model->cases.symbols[model->allocation_symbols + i];
        *symbol = cases->symbols[create->result];
        symbol->dead_by = model->shape->create;
    }
    return true;
}

int wcts_oracle_walk_other(const struct wcts_oracle_walk_shape *shape)
{
    const struct wcts_instance *root = &shape->spec->cases->steps[shape->update].instances[0];
    for (int i = 0; i < root->set_count; i++)
        if (root->sets[i].value.symbol >= 0)
            return root->sets[i].value.symbol;
    return -1;
}

bool wcts_oracle_model_init(struct wcts_oracle_model *model,
                            const struct wcts_oracle_walk_shape *shape)
{
    *model = (struct wcts_oracle_model){.shape = shape, .spec = *shape->spec};
    model->other_symbol = wcts_oracle_walk_other(shape);
    if (!add_symbols(model)) {
        wcts_oracle_model_release(model);
        return false;
    }
    model->spec.cases = &model->cases;
    if (!wcts_oracle_eval_init(&model->eval, &model->spec)) {
        wcts_oracle_model_release(model);
        return false;
    }
    wcts_world_init(&model->world, &model->eval, 0, (uint32_t)WCTS_GPU_PAGE);
    return true;
}

void wcts_oracle_model_release(struct wcts_oracle_model *model)
{
    wcts_world_release(&model->world);
    for (int i = 0; model->eval.page_states && i < WCTS_WALK_SLOTS; i++)
        model->eval.page_states[model->slot_symbols + i] = NULL; /* the model's own */
    if (model->eval.spec)
        wcts_oracle_eval_release(&model->eval);
    free(model->cases.symbols);
    free(model->symbols.values);
    *model = (struct wcts_oracle_model){0};
}

/* ---- Reservations and allocations ---- */

int wcts_oracle_account_at(const struct wcts_oracle_walk_account *account, int granule)
{
    for (int i = 0; i < WCTS_WALK_SLOTS; i++)
        if (account->slots[i].live && account->slots[i].first == granule)
            return i;
    return -1;
}

static bool can_reserve(const struct wcts_oracle_walk_account *account,
                        const struct wcts_oracle_walk_step *step)
{
    bool room = false;
    if (step->first < 0 || step->count < 1 || step->count > WCTS_WALK_GRANULES - step->first)
        return false;
    for (int i = 0; i < WCTS_WALK_SLOTS; i++) {
        const struct wcts_oracle_walk_slot *slot = &account->slots[i];
        room = room || !slot->live;
        if (slot->live && step->first < slot->first + slot->count &&
            slot->first < step->first + step->count)
            return false;
    }
    return room;
}

bool wcts_oracle_account_can(const struct wcts_oracle_walk_account *account,
                             const struct wcts_oracle_walk_step *step)
{
    switch (step->kind) {
    case WCTS_WALK_RESERVE:
        return can_reserve(account, step);
    case WCTS_WALK_FREE:
        return wcts_oracle_account_at(account, step->first) >= 0;
    case WCTS_WALK_CREATE:
        return !account->live[step->allocation];
    case WCTS_WALK_DESTROY:
        return account->live[step->allocation];
    case WCTS_WALK_UPDATE:
        return step->item_count > 0;
    }
    return false;
}

int wcts_oracle_account_take(struct wcts_oracle_walk_account *account,
                             const struct wcts_oracle_walk_step *step)
{
    int slot = step->kind == WCTS_WALK_FREE ? wcts_oracle_account_at(account, step->first) : -1;
    if (step->kind == WCTS_WALK_RESERVE)
        for (slot = 0; account->slots[slot].live;)
            slot++;
    if (step->kind == WCTS_WALK_RESERVE)
        account->slots[slot] = (struct wcts_oracle_walk_slot){true, step->first, step->count};
    else if (step->kind == WCTS_WALK_FREE)
        account->slots[slot].live = false;
    else if (step->kind != WCTS_WALK_UPDATE)
        account->live[step->allocation] = step->kind == WCTS_WALK_CREATE;
    return slot;
}

/* The reservation that holds a granule; -1: none. */
static int granule_slot(const struct wcts_oracle_model *model, int granule)
{
    for (int i = 0; i < WCTS_WALK_SLOTS; i++)
        if (model->held.slots[i].live && granule >= model->held.slots[i].first &&
            granule < model->held.slots[i].first + model->held.slots[i].count)
            return i;
    return -1;
}

/* Links reservations that begin where another ends. */
static void link_slots(struct wcts_oracle_model *model)
{
    for (int i = 0; i < WCTS_WALK_SLOTS; i++) {
        const struct wcts_oracle_walk_slot *slot = &model->held.slots[i];
        int before = slot->live && slot->first > 0 ? granule_slot(model, slot->first - 1) : -1;
        slot_symbol(model, i)->after = before < 0 ? -1 : model->slot_symbols + before;
    }
}

static void put_slot(struct wcts_oracle_model *model, int slot, const char *kind)
{
    struct wcts_symbol *symbol = slot_symbol(model, slot);
    const struct wcts_oracle_walk_slot *one = &model->held.slots[slot];
    size_t page = (size_t)one->first * WCTS_WALK_GRANULE;
    symbol->kind_name = kind;
    symbol->size = (uint64_t)one->count * WCTS_WALK_GRANULE * WCTS_GPU_PAGE;
    model->symbols.values[model->slot_symbols + slot] = model->base + page * WCTS_GPU_PAGE;
    model->eval.page_states[model->slot_symbols + slot] = one->live ? &model->states[page] : NULL;
    link_slots(model);
}

void wcts_oracle_model_begin(struct wcts_oracle_model *model, int version, uint64_t base,
                             const uint64_t *values)
{
    model->version = version;
    model->base = base;
    if (values)
        memcpy(model->symbols.values, values,
               (size_t)model->slot_symbols * sizeof *model->symbols.values);
    memset(model->held.slots, 0, sizeof model->held.slots);
    for (int i = 0; i < WCTS_WALK_SLOTS; i++)
        put_slot(model, i, "free");
    for (int i = 0; i < WCTS_WALK_ALLOCATIONS; i++) {
        model->held.live[i] = false;
        model->symbols.values[model->allocation_symbols + i] = 0;
        model->cases.symbols[model->allocation_symbols + i].dead_by = model->shape->create;
    }
    for (int i = 0; i < WCTS_WALK_PAGES; i++) {
        struct wcts_oracle_walk_page *page = &model->pages[i];
        *page = (struct wcts_oracle_walk_page){.known = ALL_KNOWN};
        for (int field = 0; field < WCTS_PAGE_MEANINGS; field++)
            page->by[field] = -1;
        model->states[i] = WCTS_STATE_UNRESERVED;
        model->writer[i] = -1;
    }
}

/* ---- The update as a world ---- */

static struct wcts_value update_value(const struct wcts_oracle_model *model,
                                      const struct wcts_oracle_walk_value *value)
{
    uint64_t page = value->number / WCTS_GPU_PAGE;
    int slot;
    switch (value->is) {
    case WCTS_WALK_IS_ALLOCATION:
        return (struct wcts_value){.symbol = model->allocation_symbols + (int)value->number,
                                   .number = 0};
    case WCTS_WALK_IS_OTHER:
        return (struct wcts_value){.symbol = model->other_symbol, .number = 0};
    case WCTS_WALK_IS_ADDRESS:
        slot = page < WCTS_WALK_PAGES ? granule_slot(model, (int)page / WCTS_WALK_GRANULE) : -1;
        if (slot < 0)
            return (struct wcts_value){.symbol = -1, .number = model->base + value->number};
        return (struct wcts_value){.symbol = model->slot_symbols + slot,
                                   .number =
                                       value->number - (uint64_t)model->held.slots[slot].first *
                                                           WCTS_WALK_GRANULE * WCTS_GPU_PAGE};
    case WCTS_WALK_IS_NUMBER:
        break;
    }
    return (struct wcts_value){.symbol = -1, .number = value->number};
}

static bool model_item(struct wcts_oracle_model *model, const struct wcts_oracle_walk_item *item)
{
    const struct wcts_oracle_walk_operation *operation = &model->shape->operations[item->operation];
    struct wcts_ref ref = {operation->structure, 0, -1};
    int index =
        wcts_world_add(&model->world, operation->structure,
                       model->spec.structures[operation->structure].name, 0, model->shape->array);
    for (int i = 0; index >= 0 && i < operation->member_count; i++) {
        struct wcts_value value = update_value(model, &item->values[i]);
        if (operation->members[i].role == WCTS_WALK_TYPE)
            value = (struct wcts_value){.symbol = -1, .number = operation->number};
        ref.member = i;
        wcts_world_put(&model->world, index, ref, value);
    }
    return index >= 0;
}

static bool make_world(struct wcts_oracle_model *model, const struct wcts_oracle_walk_step *step)
{
    const struct wcts_instance *root = &model->cases.steps[model->shape->update].instances[0];
    const struct wcts_ref none = {-1, -1, -1};
    struct wcts_value automatic = {.symbol = WCTS_SYMBOL_AUTO, .number = 1};
    bool good;
    wcts_world_release(&model->world);
    model->world.version = model->version;
    good = wcts_world_add(&model->world, root->structure, root->name, -1, none) == 0;
    for (int i = 0; good && i < root->set_count; i++)
        wcts_world_put(&model->world, 0, root->sets[i].ref, root->sets[i].value);
    for (int i = 0; good && i < step->item_count; i++)
        good = model_item(model, &step->items[i]);
    if (!good)
        return false;
    wcts_world_put(&model->world, 0, model->shape->array, automatic);
    wcts_world_put(&model->world, 0, model->shape->count,
                   (struct wcts_value){.symbol = -1, .number = (uint64_t)step->item_count});
    return true;
}

/* ---- Effects ---- */

/* Pages of the window; none if the range begins outside. */
struct oracle_range {
    int first, count;
};

static struct oracle_range range_of(const struct wcts_oracle_model *model, uint64_t address,
                                    uint64_t size)
{
    uint64_t offset = address - model->base;
    struct oracle_range range = {0, 0};
    if (offset >= WCTS_WALK_WINDOW)
        return range;
    range.first = (int)(offset / WCTS_GPU_PAGE);
    range.count = WCTS_WALK_PAGES - range.first;
    if (size / WCTS_GPU_PAGE < (uint64_t)range.count)
        range.count = (int)(size / WCTS_GPU_PAGE);
    return range;
}

/* The value of an effect's operand for an item of the update, resolved. */
static uint64_t model_operand(const struct wcts_oracle_model *model, int item,
                              const struct wcts_operand *operand)
{
    int instance;
    if (operand->count == 0)
        return operand->number;
    instance = wcts_world_resolve(&model->world, 1 + item, operand->refs[0].structure);
    return instance < 0 ? 0
                        : wcts_model_value_resolve(
                              &model->spec, &model->symbols,
                              wcts_world_get(&model->world, instance, operand->refs[0]));
}

static struct oracle_range written_range(const struct wcts_oracle_model *model,
                                         const struct wcts_oracle_walk_step *step, int item)
{
    const struct wcts_oracle_walk_operation *operation =
        &model->shape->operations[step->items[item].operation];
    const struct wcts_operand *arg = model->spec.rules[operation->effects[0]].arg;
    return range_of(model, model_operand(model, item, &arg[WCTS_ARG_BASE]),
                    model_operand(model, item, &arg[WCTS_ARG_SIZE]));
}

bool wcts_oracle_model_applies(const struct wcts_oracle_model *model, int index, int item)
{
    const struct wcts_rule *effect = &model->spec.rules[index];
    if (!model->eval.binds[index * model->spec.versions_count + model->version] ||
        effect->arg[WCTS_ARG_REFUSED].given ||
        !wcts_oracle_conditions_hold(&model->world, effect, 1 + item))
        return false;
    return !effect->arg[WCTS_ARG_INTERSECT].given ||
           wcts_oracle_ranges_intersect(&model->world, effect, 1 + item);
}

static unsigned page_state_bits(const struct wcts_oracle_walk_page *page)
{
    return (unsigned)page->page.of[WCTS_MEANS_STATE];
}

static void set_known(struct wcts_oracle_walk_page *page, enum wcts_meaning field, uint64_t value,
                      int effect)
{
    page->page.of[field] = value;
    page->known |= 1u << field;
    page->by[field] = effect;
}

static void put_state(struct wcts_oracle_walk_page *page, uint64_t states, int effect)
{
    uint32_t state = 0;
    while (!(states >> state & 1))
        state++;
    set_known(page, WCTS_MEANS_STATE, state, effect);
    if (state != WCTS_STATE_MAPPED) { /* the header: the handle is 0 unless mapped */
        set_known(page, WCTS_MEANS_ALLOCATION, 0, effect);
    }
}

static uint64_t flag_bits(const struct wcts_oracle_model *model, const struct wcts_operand *flags)
{
    uint64_t value = 0;
    for (int i = 0; i < flags->count; i++) {
        int word = wcts_model_ref_member(&model->spec, flags->refs[i])->word;
        value |= UINT64_C(1) << model->spec.words[word].flags[flags->refs[i].flag].bit;
    }
    return value;
}

/* Applies what an effect sets in each page. */
static void apply_fields(struct wcts_oracle_model *model, int index, int item,
                         struct oracle_range range)
{
    const struct wcts_operand *arg = model->spec.rules[index].arg;
    const struct wcts_operand *protection =
        arg[WCTS_ARG_FLAGS].given ? &arg[WCTS_ARG_FLAGS] : &arg[WCTS_ARG_PROTECTION];
    uint64_t handle = model_operand(model, item, &arg[WCTS_ARG_OF]);
    uint64_t driver = model_operand(model, item, &arg[WCTS_ARG_DRIVER]);
    uint64_t value = arg[WCTS_ARG_FLAGS].given ? flag_bits(model, protection)
                                               : model_operand(model, item, protection);
    for (int i = range.first; i < range.first + range.count; i++) {
        struct wcts_oracle_walk_page *page = &model->draft[i];
        if (arg[WCTS_ARG_STATE].given)
            put_state(page, arg[WCTS_ARG_STATE].number, index);
        if (arg[WCTS_ARG_OF].given)
            set_known(page, WCTS_MEANS_ALLOCATION, (uint32_t)handle, index);
        if (protection->given)
            set_known(page, WCTS_MEANS_PROTECTION, value, index);
        if (arg[WCTS_ARG_DRIVER].given)
            set_known(page, WCTS_MEANS_DRIVER_PROTECTION, driver, index);
    }
}

static void apply_copy(struct wcts_oracle_model *model, int index, int item,
                       struct oracle_range range, const struct wcts_oracle_walk_page *before)
{
    const struct wcts_operand *arg = model->spec.rules[index].arg;
    uint64_t states = arg[WCTS_ARG_SOURCE].given ? arg[WCTS_ARG_SOURCE].number : UINT64_MAX;
    struct oracle_range from = range_of(model, model_operand(model, item, &arg[WCTS_ARG_COPY]),
                                        model_operand(model, item, &arg[WCTS_ARG_SIZE]));
    for (int i = 0; i < range.count && i < from.count; i++) {
        struct wcts_oracle_walk_page *page = &model->draft[range.first + i];
        if (!(states >> page_state_bits(&before[from.first + i]) % 64 & 1))
            continue;
        *page = before[from.first + i];
        for (int field = 0; field < WCTS_PAGE_MEANINGS; field++)
            page->by[field] = index;
    }
}

/* The effects that set the offsets of pages in the allocation; -1: none. */
struct oracle_offset_effects {
    int from, linear, each;
};

static void note_offset_effects(struct oracle_offset_effects *effects,
                                const struct wcts_rule *effect, int index)
{
    if (effect->arg[WCTS_ARG_FROM].given)
        effects->from = index;
    if (effect->arg[WCTS_ARG_LINEAR].given)
        effects->linear = index;
    if (effect->arg[WCTS_ARG_EACH].given)
        effects->each = index;
}

static void apply_offsets(struct wcts_oracle_model *model,
                          const struct oracle_offset_effects *effects, int item,
                          struct oracle_range range)
{
    uint64_t first, each = 0;
    if (effects->from < 0)
        return;
    first = model_operand(model, item, &model->spec.rules[effects->from].arg[WCTS_ARG_FROM]);
    if (effects->each >= 0)
        each = model_operand(model, item, &model->spec.rules[effects->each].arg[WCTS_ARG_EACH]);
    for (int i = 0; i < range.count; i++) {
        struct wcts_oracle_walk_page *page = &model->draft[range.first + i];
        uint64_t distance = (uint64_t)i * WCTS_GPU_PAGE;
        int by = i == 0 ? effects->from : each ? effects->each : effects->linear;
        if (by < 0)
            continue;
        set_known(page, WCTS_MEANS_OFFSET, first + (each ? distance % each : distance), by);
    }
}

static void apply_item(struct wcts_oracle_model *model, const struct wcts_oracle_walk_step *step,
                       int item)
{
    const struct wcts_oracle_walk_operation *operation =
        &model->shape->operations[step->items[item].operation];
    struct oracle_range range = written_range(model, step, item);
    struct oracle_offset_effects effects = {-1, -1, -1};
    static struct wcts_oracle_walk_page
        before[WCTS_WALK_PAGES]; /* one walk at a time in a process */
    memcpy(before, model->draft, sizeof before);
    for (int i = range.first; i < range.first + range.count; i++) {
        model->draft[i].known = 0;
        for (int field = 0; field < WCTS_PAGE_MEANINGS; field++)
            model->draft[i].by[field] = operation->effects[0];
        model->writer[i] = item;
    }
    for (int e = 0; e < operation->effect_count; e++) {
        int index = operation->effects[e];
        if (!wcts_oracle_model_applies(model, index, item))
            continue;
        if (model->spec.rules[index].arg[WCTS_ARG_COPY].given)
            apply_copy(model, index, item, range, before);
        else
            apply_fields(model, index, item, range);
        note_offset_effects(&effects, &model->spec.rules[index], index);
    }
    apply_offsets(model, &effects, item, range);
    for (int i = range.first; i < range.first + range.count; i++) {
        model->states[i] = (uint8_t)page_state_bits(&model->draft[i]);
        wcts_oracle_walk_note(&model->taken, step->items[item].operation,
                              page_state_bits(&before[i]), page_state_bits(&model->draft[i]));
    }
}

/* ---- Expecting ---- */

static void sync_states(struct wcts_oracle_model *model)
{
    for (int i = 0; i < WCTS_WALK_PAGES; i++)
        model->states[i] = (uint8_t)(page_state_bits(&model->pages[i]) % WCTS_WALK_STATES);
}

static void mark_writers(struct wcts_oracle_model *model, const struct wcts_oracle_walk_step *step)
{
    for (int i = 0; i < WCTS_WALK_PAGES; i++)
        model->writer[i] = -1;
    for (int item = 0; item < step->item_count; item++) {
        struct oracle_range range = written_range(model, step, item);
        for (int i = range.first; i < range.first + range.count; i++)
            model->writer[i] = item;
    }
}

/* Each operation is evaluated with the pages that those before it leave. */
enum wcts_expect wcts_oracle_model_expect(struct wcts_oracle_model *model,
                                          const struct wcts_oracle_walk_step *step,
                                          struct wcts_oracle_prediction *prediction)
{
    bool open = false;
    *prediction =
        (struct wcts_oracle_prediction){.expect = WCTS_EXPECT_ACCEPT, .strict = WCTS_EXPECT_ACCEPT};
    if (!make_world(model, step))
        return WCTS_EXPECT_OPEN;
    memcpy(model->draft, model->pages, sizeof model->draft);
    model->taken = (struct wcts_walk_numbers){0};
    mark_writers(model, step);
    open = wcts_world_judge_one(&model->world, 0, prediction);
    for (int i = 0; i < step->item_count; i++) {
        open = wcts_world_judge_one(&model->world, 1 + i, prediction) || open;
        if (!open && prediction->expect == WCTS_EXPECT_ACCEPT)
            apply_item(model, step, i);
    }
    sync_states(model);
    if (prediction->must_broken > 0)
        return prediction->expect;
    open = open || wcts_world_gap(&model->world);
    return open ? WCTS_EXPECT_OPEN : prediction->expect;
}

/* ---- Accepted steps ---- */

static void put_pages(struct wcts_oracle_model *model, const struct wcts_oracle_walk_slot *slot,
                      enum wcts_state state)
{
    struct wcts_walk_numbers *taken = &model->taken;
    int doer = state == WCTS_STATE_UNRESERVED ? WCTS_WALK_FREEING : WCTS_WALK_RESERVING;
    for (int i = slot->first * WCTS_WALK_GRANULE;
         i < (slot->first + slot->count) * WCTS_WALK_GRANULE; i++) {
        struct wcts_oracle_walk_page *page = &model->pages[i];
        wcts_oracle_walk_note(taken, doer, page_state_bits(page), state);
        page->page.of[WCTS_MEANS_STATE] = state;
        page->page.of[WCTS_MEANS_ALLOCATION] = 0;
        page->known = 1u << WCTS_MEANS_STATE | 1u << WCTS_MEANS_ALLOCATION;
        for (int field = 0; field < WCTS_PAGE_MEANINGS; field++)
            page->by[field] = model->shape->state_rules[state];
    }
}

static void accept_reserve(struct wcts_oracle_model *model,
                           const struct wcts_oracle_walk_step *step)
{
    const struct wcts_oracle_walk_reserve *reserve = &model->shape->reserves[step->reserve];
    int slot = wcts_oracle_account_take(&model->held, step);
    put_slot(model, slot, model->cases.symbols[model->cases.steps[reserve->step].result].kind_name);
    put_pages(model, &model->held.slots[slot], reserve->state);
}

static void accept_free(struct wcts_oracle_model *model, const struct wcts_oracle_walk_step *step)
{
    int slot = wcts_oracle_account_take(&model->held, step);
    put_pages(model, &model->held.slots[slot], WCTS_STATE_UNRESERVED);
    put_slot(model, slot, "free");
}

/* No document says what becomes of the mappings of a destroyed allocation. */
static void accept_destroy(struct wcts_oracle_model *model, int allocation)
{
    int symbol = model->allocation_symbols + allocation;
    for (int i = 0; i < WCTS_WALK_PAGES; i++)
        if (page_state_bits(&model->pages[i]) == WCTS_STATE_MAPPED &&
            model->pages[i].page.of[WCTS_MEANS_ALLOCATION] ==
                (uint32_t)model->symbols.values[symbol])
            model->pages[i].known = 0;
    model->held.live[allocation] = false;
    model->cases.symbols[symbol].dead_by = model->shape->create;
}

static void accept_update(struct wcts_oracle_model *model, bool open)
{
    if (!open) {
        memcpy(model->pages, model->draft, sizeof model->pages);
        return;
    }
    for (int i = 0; i < WCTS_WALK_PAGES; i++)
        if (model->writer[i] >= 0)
            model->pages[i].known = 0;
}

void wcts_oracle_model_take(struct wcts_oracle_model *model,
                            const struct wcts_oracle_walk_step *step, bool open, uint64_t result)
{
    int symbol = model->allocation_symbols + step->allocation;
    if (step->kind != WCTS_WALK_UPDATE)
        model->taken = (struct wcts_walk_numbers){0};
    switch (step->kind) {
    case WCTS_WALK_RESERVE:
        accept_reserve(model, step);
        break;
    case WCTS_WALK_FREE:
        accept_free(model, step);
        break;
    case WCTS_WALK_UPDATE:
        accept_update(model, open);
        break;
    case WCTS_WALK_CREATE:
        model->held.live[step->allocation] = true;
        model->symbols.values[symbol] = result;
        model->cases.symbols[symbol].dead_by = -1;
        break;
    case WCTS_WALK_DESTROY:
        accept_destroy(model, step->allocation);
        break;
    }
    sync_states(model);
}

/* ---- Comparing ---- */

static bool field_matches(const struct wcts_oracle_walk_page *page,
                          const struct wcts_page_shown *found, enum wcts_meaning field)
{
    return !(page->known >> field & 1) || page->page.of[field] == found->of[field];
}

/* True if the known fields agree; else *field is the first that differs. */
static bool page_matches(const struct wcts_oracle_walk_page *page,
                         const struct wcts_page_shown *found, enum wcts_meaning *field)
{
    if (page->known == ALL_KNOWN && memcmp(&page->page, found, sizeof *found) == 0)
        return true;
    for (int f = 0; f < WCTS_PAGE_MEANINGS; f++)
        if (!field_matches(page, found, (enum wcts_meaning)f)) {
            *field = (enum wcts_meaning)f;
            return false;
        }
    return true;
}

int wcts_oracle_model_compare(struct wcts_oracle_model *model, const struct wcts_page_shown *found,
                              enum wcts_meaning *field)
{
    int first = -1;
    for (int i = 0; i < WCTS_WALK_PAGES; i++) {
        struct wcts_oracle_walk_page *page = &model->pages[i];
        enum wcts_meaning differs = WCTS_MEANS_STATE;
        if (!page_matches(page, &found[i], &differs)) {
            if (first >= 0 && model->writer[i] >= model->writer[first])
                continue;
            first = i;
            *field = differs;
            continue;
        }
        page->page = found[i];
        page->known = ALL_KNOWN;
    }
    if (first < 0)
        sync_states(model);
    return first;
}

void wcts_oracle_model_adopt(struct wcts_oracle_model *model, const struct wcts_page_shown *found)
{
    for (int i = 0; i < WCTS_WALK_PAGES; i++) {
        model->pages[i].page = found[i];
        model->pages[i].known = ALL_KNOWN;
    }
    sync_states(model);
}
