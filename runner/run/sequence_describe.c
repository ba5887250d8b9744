/* SPDX-License-Identifier: MIT */
/* Sequences in words, and as scenario files. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../plan/sequence.h"
#include "sequence.h"

#define NAME_ROOM 48

/* The names so far: each creation has one of its own. */
struct naming {
    const struct wcts_spec *spec;
    const struct wcts_walk_shape *shape;
    FILE *out;
    int created;
    int names[WCTS_WALK_ALLOCATIONS]; /* 0: not created yet */
    struct wcts_walk_account account;
};

static const char *value_text(const struct naming *naming, const struct wcts_walk_value *value,
                              char *text)
{
    int other = wcts_oracle_walk_other(naming->shape);
    snprintf(text, NAME_ROOM, "0x%" PRIx64, value->number);
    if (value->is == WCTS_WALK_IS_ADDRESS && value->number == 0)
        snprintf(text, NAME_ROOM, WCTS_WALK_WINDOW_NAME);
    else if (value->is == WCTS_WALK_IS_ADDRESS)
        snprintf(text, NAME_ROOM, WCTS_WALK_WINDOW_NAME "+0x%" PRIx64, value->number);
    else if (value->is == WCTS_WALK_IS_ALLOCATION && naming->names[value->number])
        snprintf(text, NAME_ROOM, "a%d", naming->names[value->number]);
    else if (value->is == WCTS_WALK_IS_ALLOCATION)
        snprintf(text, NAME_ROOM, "0x0");
    else if (value->is == WCTS_WALK_IS_OTHER && other >= 0)
        snprintf(text, NAME_ROOM, "%s", naming->spec->cases->symbols[other].name);
    return text;
}

static const char *operation_name(const struct naming *naming, int step)
{
    return naming->spec->messages[naming->spec->cases->steps[step].message].name;
}

static int cases_index(const struct wcts_walk_shape *shape, const struct wcts_walk_step *step)
{
    switch (step->kind) {
    case WCTS_WALK_RESERVE:
        return shape->reserves[step->reserve].step;
    case WCTS_WALK_FREE:
        return shape->free;
    case WCTS_WALK_UPDATE:
        return shape->update;
    case WCTS_WALK_CREATE:
        return shape->create;
    case WCTS_WALK_DESTROY:
        return shape->destroy;
    }
    return shape->update;
}

/* To be called before a step is written. */
static void give_name(struct naming *naming, const struct wcts_walk_step *step)
{
    if (step->kind == WCTS_WALK_CREATE)
        naming->names[step->allocation] = ++naming->created;
}

static uint64_t bytes_of(int granules)
{
    return (uint64_t)granules * WCTS_WALK_GRANULE * WCTS_GPU_PAGE;
}

/* ---- Words ---- */

static void print_item(const struct naming *naming, const struct wcts_walk_item *item,
                       const char *indent)
{
    const struct wcts_walk_operation *operation = &naming->shape->operations[item->operation];
    const struct wcts_structure *structure = &naming->spec->structures[operation->structure];
    const char *separator = " ";
    char text[NAME_ROOM];
    fprintf(naming->out, "%s     %s", indent, structure->name);
    for (int m = 0; m < operation->member_count; m++) {
        const struct wcts_walk_value *value = &item->values[m];
        enum wcts_walk_role role = operation->members[m].role;
        bool needed = role == WCTS_WALK_BASE || role == WCTS_WALK_SOURCE ||
                      role == WCTS_WALK_SIZE || role == WCTS_WALK_HANDLE;
        if (role == WCTS_WALK_TYPE ||
            (!needed && value->is == WCTS_WALK_IS_NUMBER && value->number == 0))
            continue;
        fprintf(naming->out, "%s%s %s", separator, structure->members[m].name,
                value_text(naming, value, text));
        if (structure->members[m].word >= 0)
            wcts_exchange_flags_print(naming->out, &naming->spec->words[structure->members[m].word],
                                      value->number);
        separator = ", ";
    }
    fputc('\n', naming->out);
}

static void print_step(struct naming *naming, const struct wcts_walk_step *step, int number,
                       const char *indent)
{
    struct wcts_walk_value first = {WCTS_WALK_IS_ADDRESS, bytes_of(step->first)};
    int from = cases_index(naming->shape, step);
    char text[NAME_ROOM];
    give_name(naming, step);
    fprintf(naming->out, "%s%3d. %s", indent, number, operation_name(naming, from));
    switch (step->kind) {
    case WCTS_WALK_RESERVE:
        fprintf(naming->out, " %s, 0x%" PRIx64 " bytes, %s\n", value_text(naming, &first, text),
                bytes_of(step->count),
                naming->spec->cases->symbols[naming->spec->cases->steps[from].result].kind_name);
        break;
    case WCTS_WALK_FREE:
        fprintf(naming->out, " %s\n", value_text(naming, &first, text));
        break;
    case WCTS_WALK_CREATE:
    case WCTS_WALK_DESTROY:
        fprintf(naming->out, " a%d\n", naming->names[step->allocation]);
        break;
    case WCTS_WALK_UPDATE:
        fputc('\n', naming->out);
        for (int i = 0; i < step->item_count; i++)
            print_item(naming, &step->items[i], indent);
        break;
    }
}

char *wcts_run_walk_words(const struct wcts_walk_shape *shape,
                          const struct wcts_walk_sequence *sequence, const char *indent)
{
    struct naming naming = {.spec = shape->spec, .shape = shape};
    char *text = NULL;
    size_t size = 0;
    naming.out = open_memstream(&text, &size);
    if (!naming.out)
        return NULL;
    fprintf(naming.out, "%s" WCTS_WALK_WINDOW_NAME " is %s of 0x%x bytes\n", indent,
            sequence->top ? "the end of the address space, a window" : "a window",
            (unsigned)WCTS_WALK_WINDOW);
    for (int i = 0; i < sequence->count; i++)
        print_step(&naming, &sequence->steps[i], i + 1, indent);
    fclose(naming.out);
    return text;
}

/* ---- Scenario files ---- */

static void write_set(FILE *out, const struct wcts_structure *structure, int member,
                      const char *flag, const char *value)
{
    fprintf(out, " %s%s%s=\"%s\"", structure->members[member].name, flag ? "." : "",
            flag ? flag : "", value);
}

/* A member with another value than in base.xml. */
struct change {
    struct wcts_ref ref;
    const char *text;
};

static const char *changed_text(const struct change *changes, int count, struct wcts_ref ref)
{
    for (int i = 0; i < count; i++)
        if (changes[i].ref.structure == ref.structure && changes[i].ref.member == ref.member)
            return changes[i].text;
    return NULL;
}

static void write_own_sets(const struct naming *naming, const struct wcts_instance *instance,
                           const struct change *changes, int count, int ended, const char *instead)
{
    const struct wcts_structure *structure = &naming->spec->structures[instance->structure];
    for (int i = 0; i < instance->set_count; i++) {
        const struct wcts_set *set = &instance->sets[i];
        const struct wcts_word *word =
            set->ref.flag < 0 ? NULL
                              : &naming->spec->words[structure->members[set->ref.member].word];
        char text[NAME_ROOM];
        if (changed_text(changes, count, set->ref))
            continue;
        snprintf(text, sizeof text, "0x%" PRIx64, set->value.number);
        if (set->value.symbol >= 0 && set->value.symbol == ended)
            snprintf(text, sizeof text, "%s", instead);
        else if (set->value.symbol >= 0)
            snprintf(text, sizeof text, "%s", naming->spec->cases->symbols[set->value.symbol].name);
        write_set(naming->out, structure, set->ref.member,
                  word ? word->flags[set->ref.flag].name : NULL, text);
    }
}

/* A call with the request of a step of base.xml, with changes; its end is written separately. */
static void write_call(const struct naming *naming, int index, const struct change *changes,
                       int count, const char *instead)
{
    const struct wcts_step *step = &naming->spec->cases->steps[index];
    fprintf(naming->out, "    <call operation=\"%s\"", operation_name(naming, index));
    for (int i = 0; i < step->instance_count; i++) {
        const struct wcts_instance *instance = &step->instances[i];
        const struct wcts_structure *structure = &naming->spec->structures[instance->structure];
        if (i > 0)
            fprintf(naming->out, "      <struct name=\"%s\" at=\"%s.%s\"", structure->name,
                    naming->spec->structures[instance->at.structure].name,
                    wcts_ref_member(naming->spec, instance->at)->name);
        write_own_sets(naming, instance, changes, count, step->ends, instead);
        for (int c = 0; c < count; c++)
            if (changes[c].ref.structure == instance->structure)
                write_set(naming->out, structure, changes[c].ref.member, NULL, changes[c].text);
        fputs(i > 0 ? "/>\n" : ">\n", naming->out);
        /* The operations of an update are written separately. */
        if (index == naming->shape->update)
            return;
    }
}

static void write_result(const struct naming *naming, int index, const char *name)
{
    const struct wcts_step *step = &naming->spec->cases->steps[index];
    const struct wcts_symbol *symbol = &naming->spec->cases->symbols[step->result];
    fprintf(naming->out, "      <result symbol=\"%s\" kind=\"%s\"", name,
            symbol->kind == WCTS_SYMBOL_RESERVATION ? "reservation" : symbol->kind_name);
    fprintf(naming->out, " member=\"%s.%s\"/>\n",
            naming->spec->structures[step->result_ref.structure].name,
            wcts_ref_member(naming->spec, step->result_ref)->name);
}

/* The member of the request's root at an offset of the message. */
static struct wcts_ref request_member(const struct naming *naming, int index, size_t offset)
{
    const struct wcts_message *message =
        &naming->spec->messages[naming->spec->cases->steps[index].message];
    return wcts_oracle_walk_member_at(naming->spec, message->request, offset - message->request_at);
}

/* A call on a range: its base and size are at these offsets of the message; result NULL: none. */
static void write_range(const struct naming *naming, int index, size_t base_at, const char *base,
                        size_t size_at, uint64_t size, const char *result)
{
    char text[NAME_ROOM];
    const struct change changes[] = {{request_member(naming, index, base_at), base},
                                     {request_member(naming, index, size_at), text}};
    snprintf(text, sizeof text, "0x%" PRIx64, size);
    write_call(naming, index, changes, 2, NULL);
    if (result)
        write_result(naming, index, result);
    fputs("    </call>\n", naming->out);
}

static void write_reserve(const struct naming *naming, int index, const char *base, uint64_t size,
                          const char *result)
{
    write_range(naming, index, offsetof(struct wcts_kernel_va_reserve, Args.BaseAddress), base,
                offsetof(struct wcts_kernel_va_reserve, Args.Size), size, result);
}

static void write_free(const struct naming *naming, const char *base, uint64_t size)
{
    write_range(naming, naming->shape->free,
                offsetof(struct wcts_kernel_va_free_request, Args.BaseAddress), base,
                offsetof(struct wcts_kernel_va_free_request, Args.Size), size, NULL);
}

static void write_item(const struct naming *naming, const struct wcts_walk_item *item, int number)
{
    const struct wcts_walk_operation *operation = &naming->shape->operations[item->operation];
    const struct wcts_structure *structure = &naming->spec->structures[operation->structure];
    struct wcts_walk_value type = {WCTS_WALK_IS_NUMBER, operation->number};
    char text[NAME_ROOM];
    fprintf(naming->out, "      <struct name=\"%s\" alias=\"operation-%d\" at=\"%s.%s\"",
            structure->name, number, naming->spec->structures[naming->shape->array.structure].name,
            wcts_ref_member(naming->spec, naming->shape->array)->name);
    for (int m = 0; m < operation->member_count; m++) {
        const struct wcts_walk_value *value =
            operation->members[m].role == WCTS_WALK_TYPE ? &type : &item->values[m];
        if (operation->members[m].role != WCTS_WALK_UNUSED)
            write_set(naming->out, structure, m, NULL, value_text(naming, value, text));
    }
    fputs("/>\n", naming->out);
}

static void write_update(const struct naming *naming, const struct wcts_walk_step *step)
{
    int index = naming->shape->update;
    char text[NAME_ROOM];
    const struct change changes[] = {{naming->shape->count, text}};
    snprintf(text, sizeof text, "%d", step->item_count);
    write_call(naming, index, changes, 1, NULL);
    for (int i = 0; i < step->item_count; i++)
        write_item(naming, &step->items[i], i + 1);
    fputs("    </call>\n", naming->out);
}

static void write_life(const struct naming *naming, const struct wcts_walk_step *step)
{
    int index = cases_index(naming->shape, step);
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "a%d", naming->names[step->allocation]);
    write_call(naming, index, NULL, 0, name);
    if (step->kind == WCTS_WALK_CREATE)
        write_result(naming, index, name);
    fputs("    </call>\n", naming->out);
}

/* A step that the walk skips is skipped here too: it could not be read back. */
static void write_step(struct naming *naming, const struct wcts_walk_step *step)
{
    struct wcts_walk_value first = {WCTS_WALK_IS_ADDRESS, bytes_of(step->first)};
    int freed = wcts_plan_walk_account_granules(&naming->account, step->first);
    char text[NAME_ROOM];
    if (!wcts_plan_walk_account_take(&naming->account, step))
        return;
    give_name(naming, step);
    value_text(naming, &first, text);
    switch (step->kind) {
    case WCTS_WALK_RESERVE:
        write_reserve(naming, cases_index(naming->shape, step), text, bytes_of(step->count), NULL);
        break;
    case WCTS_WALK_FREE:
        write_free(naming, text, bytes_of(freed));
        break;
    case WCTS_WALK_UPDATE:
        write_update(naming, step);
        break;
    case WCTS_WALK_CREATE:
    case WCTS_WALK_DESTROY:
        write_life(naming, step);
        break;
    }
}

static void write_needs(const struct naming *naming, int index)
{
    const struct wcts_step *step = &naming->spec->cases->steps[index];
    for (int i = 0; i < step->need_count; i++)
        fprintf(naming->out, "    <take step=\"%s\"/>\n",
                naming->spec->cases->steps[step->needs[i]].name);
}

/* A scenario must expect an effect: for a rule that is none, one that the same calls show. */
static int effect_for(const struct wcts_walk_shape *shape,
                      const struct wcts_walk_sequence *sequence, int rule)
{
    const struct wcts_walk_step *last =
        sequence->count > 0 ? &sequence->steps[sequence->count - 1] : NULL;
    if (shape->spec->rules[rule].form == WCTS_FORM_EFFECT_PAGES)
        return rule;
    if (last && last->kind == WCTS_WALK_UPDATE)
        return shape->operations[last->items[last->item_count - 1].operation].effects[0];
    return shape->operations[0].effects[0];
}

char *wcts_run_walk_scenario(const struct wcts_walk_shape *shape,
                             const struct wcts_walk_sequence *sequence, const char *name,
                             int version, int rule, const char *comment)
{
    const struct wcts_spec *spec = shape->spec;
    struct naming naming = {.spec = spec, .shape = shape};
    char *text = NULL, top[NAME_ROOM];
    size_t size = 0;
    naming.out = open_memstream(&text, &size);
    if (!naming.out)
        return NULL;
    snprintf(top, sizeof top, "0x%" PRIx64, WCTS_WALK_TOP);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n", naming.out);
    for (; *comment; comment++) { /* a comment must not contain two hyphens */
        fputc(*comment, naming.out);
        if (comment[0] == '-' && comment[1] == '-')
            fputc(' ', naming.out);
    }
    fprintf(naming.out,
            "\n-->\n<cases>\n  <scenario name=\"%s\" adapter=\"%s\" since=\"%s\" expect=\"%s\">\n",
            name, spec->cases->adapters[spec->cases->bases[shape->base].adapter].name,
            spec->versions[version].name, spec->rules[effect_for(shape, sequence, rule)].id);
    write_needs(&naming, shape->reserves[0].step);
    write_needs(&naming, shape->create);
    fputs("    <!-- room for what follows -->\n", naming.out);
    write_reserve(&naming, shape->reserves[0].step, sequence->top ? top : "0", WCTS_WALK_WINDOW,
                  WCTS_WALK_WINDOW_NAME);
    write_free(&naming, WCTS_WALK_WINDOW_NAME, WCTS_WALK_WINDOW);
    for (int i = 0; i < sequence->count; i++)
        write_step(&naming, &sequence->steps[i]);
    fputs("  </scenario>\n</cases>\n", naming.out);
    fclose(naming.out);
    return text;
}
