/* SPDX-License-Identifier: MIT */
/* Sequences in words, and as scenario files. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../plan/sequence.h"
#include "sequence.h"
#include "write.h"

#define NAME_ROOM 48

/* The names so far: each creation has one of its own. */
struct run_naming {
    const struct wcts_spec *spec;
    const struct wcts_oracle_walk_shape *shape;
    FILE *out;
    int created;
    int names[WCTS_WALK_ALLOCATIONS]; /* 0: not created yet */
};

static const char *value_text(const struct run_naming *naming,
                              const struct wcts_oracle_walk_value *value, char *text)
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

/* To be called before a step is written. */
static void give_name(struct run_naming *naming, const struct wcts_oracle_walk_step *step)
{
    if (step->kind == WCTS_WALK_CREATE)
        naming->names[step->allocation] = ++naming->created;
}

static uint64_t bytes_of(int granules)
{
    return (uint64_t)granules * WCTS_WALK_GRANULE * WCTS_GPU_PAGE;
}

/* ---- Words ---- */

static void print_item(const struct run_naming *naming, const struct wcts_oracle_walk_item *item,
                       const char *indent)
{
    const struct wcts_oracle_walk_operation *operation =
        &naming->shape->operations[item->operation];
    const struct wcts_structure *structure = &naming->spec->structures[operation->structure];
    const char *separator = " ";
    char text[NAME_ROOM];
    fprintf(naming->out, "%s     %s", indent, structure->name);
    for (int m = 0; m < operation->member_count; m++) {
        const struct wcts_oracle_walk_value *value = &item->values[m];
        enum wcts_oracle_walk_role role = operation->members[m].role;
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

static void print_step(struct run_naming *naming, const struct wcts_oracle_walk_step *step,
                       int number, const char *indent)
{
    struct wcts_oracle_walk_value first = {WCTS_WALK_IS_ADDRESS, bytes_of(step->first)};
    const struct wcts_cases *cases = naming->spec->cases;
    const struct wcts_step *from = &cases->steps[wcts_oracle_walk_base_step(naming->shape, step)];
    char text[NAME_ROOM];
    give_name(naming, step);
    fprintf(naming->out, "%s%3d. %s", indent, number, naming->spec->messages[from->message].name);
    switch (step->kind) {
    case WCTS_WALK_RESERVE:
        fprintf(naming->out, " %s, 0x%" PRIx64 " bytes, %s\n", value_text(naming, &first, text),
                bytes_of(step->count), cases->symbols[from->result].kind_name);
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

char *wcts_run_walk_words(const struct wcts_oracle_walk_shape *shape,
                          const struct wcts_oracle_walk_sequence *sequence, const char *indent)
{
    struct run_naming naming = {.spec = shape->spec, .shape = shape};
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

/* The spec with a symbol for the window, and one for each allocation that is created. */
struct run_extended {
    struct wcts_spec spec;
    struct wcts_cases cases;
    struct wcts_oracle_walk_shape shape;
    char names[WCTS_WALK_STEPS][16];
    int window; /* symbol; behind it a1, a2 and so on */
};

static bool extend(struct run_extended *extended, const struct wcts_oracle_walk_shape *shape)
{
    const struct wcts_cases *cases = shape->spec->cases;
    const struct wcts_symbol *created = &cases->symbols[cases->steps[shape->create].result];
    struct wcts_symbol *symbols =
        calloc((size_t)cases->symbols_count + 1 + WCTS_WALK_STEPS, sizeof *symbols);
    if (!symbols)
        return false;
    WCTS_ARRAY_COPY(symbols, cases->symbols, cases->symbols_count);
    extended->spec = *shape->spec;
    extended->spec.cases = &extended->cases;
    extended->cases = *cases;
    extended->cases.symbols = symbols;
    extended->shape = *shape;
    extended->shape.spec = &extended->spec;
    extended->window = cases->symbols_count;
    symbols[extended->window] = (struct wcts_symbol){
        .name = WCTS_WALK_WINDOW_NAME, .kind = WCTS_SYMBOL_RESERVATION, .kind_name = "reservation"};
    for (int i = 0; i < WCTS_WALK_STEPS; i++) {
        snprintf(extended->names[i], sizeof extended->names[i], "a%d", i + 1);
        symbols[extended->window + 1 + i] =
            (struct wcts_symbol){.name = extended->names[i], .kind_name = created->kind_name};
    }
    return true;
}

/* result: symbol, -1: none. */
static void write_call(const struct wcts_run_written *written, const struct run_extended *extended,
                       const struct wcts_plan_walk_names *names,
                       const struct wcts_oracle_walk_step *step, int result)
{
    struct wcts_plan_walk_call call;
    struct wcts_step_output output = {.symbol = result, .otherwise = {.symbol = -1}};
    if (!wcts_plan_walk_call(&call, &extended->shape, names, step))
        return;
    output.ref = call.step.result_ref;
    call.step.outputs = &output;
    call.step.output_count = result < 0 ? 0 : 1;
    wcts_run_write_act(written, &(struct wcts_act){.kind = WCTS_ACT_CALL, .call = &call.step});
}

/* A step that the walk skips is skipped here too: it could not be read back. */
static void write_steps(const struct wcts_run_written *written, const struct run_extended *extended,
                        struct wcts_plan_walk_names *names,
                        const struct wcts_oracle_walk_sequence *sequence)
{
    struct wcts_oracle_walk_account account = {.slots = {{0}}};
    int created = extended->window;
    for (int i = 0; i < sequence->count; i++) {
        struct wcts_oracle_walk_step step = sequence->steps[i];
        bool creates = step.kind == WCTS_WALK_CREATE;
        int slot;
        if (!wcts_oracle_account_can(&account, &step))
            continue;
        slot = wcts_oracle_account_take(&account, &step);
        if (slot >= 0)
            step.count = account.slots[slot].count;
        if (creates)
            names->allocations[step.allocation] =
                (struct wcts_value){.symbol = ++created, .number = 0};
        write_call(written, extended, names, &step, creates ? created : -1);
    }
}

static void write_needs(const struct wcts_run_written *written, int index)
{
    const struct wcts_step *step = &written->spec->cases->steps[index];
    for (int i = 0; i < step->need_count; i++)
        wcts_run_write_act(written,
                           &(struct wcts_act){.kind = WCTS_ACT_STEP, .step = step->needs[i]});
}

/* A scenario must expect an effect: for a rule that is none, one that the same calls show. */
static int effect_for(const struct wcts_oracle_walk_shape *shape,
                      const struct wcts_oracle_walk_sequence *sequence, int rule)
{
    const struct wcts_oracle_walk_step *last =
        sequence->count > 0 ? &sequence->steps[sequence->count - 1] : NULL;
    if (shape->spec->rules[rule].form == WCTS_FORM_EFFECT_PAGES)
        return rule;
    if (last && last->kind == WCTS_WALK_UPDATE)
        return shape->operations[last->items[last->item_count - 1].operation].effects[0];
    return shape->operations[0].effects[0];
}

char *wcts_run_walk_scenario(const struct wcts_oracle_walk_shape *shape,
                             const struct wcts_oracle_walk_sequence *sequence, const char *name,
                             int version, int rule, const char *comment)
{
    const struct wcts_oracle_walk_step reserve = {.kind = WCTS_WALK_RESERVE,
                                                  .count = WCTS_WALK_GRANULES};
    const struct wcts_oracle_walk_step free_again = {.kind = WCTS_WALK_FREE,
                                                     .count = WCTS_WALK_GRANULES};
    struct wcts_plan_walk_names names = {
        .window = {.symbol = -1, .number = sequence->top ? WCTS_WALK_TOP : 0}};
    struct run_extended extended;
    struct wcts_run_written written = {.spec = &extended.spec,
                                       .adapter = shape->spec->cases->bases[shape->base].adapter,
                                       .version = version,
                                       .until = shape->spec->versions_count,
                                       .effect = effect_for(shape, sequence, rule)};
    char *text = NULL;
    size_t size = 0;
    if (!extend(&extended, shape))
        return NULL;
    for (int i = 0; i < WCTS_WALK_ALLOCATIONS; i++)
        names.allocations[i] = (struct wcts_value){.symbol = -1, .number = 0};
    written.out = open_memstream(&text, &size);
    if (written.out) {
        wcts_run_write_begin(&written, comment, "%s", name);
        write_needs(&written, shape->reserves[0].step);
        write_needs(&written, shape->create);
        fputs("    <!-- room for what follows -->\n", written.out);
        write_call(&written, &extended, &names, &reserve, extended.window);
        names.window = (struct wcts_value){.symbol = extended.window, .number = 0};
        write_call(&written, &extended, &names, &free_again, -1);
        write_steps(&written, &extended, &names, sequence);
        wcts_run_write_end(&written);
    }
    free(extended.cases.symbols);
    return text;
}
