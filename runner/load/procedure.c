/* SPDX-License-Identifier: MIT */
/*
 * Procedures: acts that several scenarios have in common. Before anything of the cases is loaded,
 * each <do> is replaced by copies of its procedure's acts, in which names are replaced:
 *
 *     <procedure name="fill" of="it" with="seed=1">
 *       <call like="lock" hAllocation="it" as="view"/>
 *       <write address="view" length="0x1000" seed="seed"/>
 *     </procedure>
 *
 *     <do fill="a b" seed="1 7"/>
 *
 * is the same as
 *
 *     <call like="lock" hAllocation="a" as="view-a"/>
 *     <write address="view-a" length="0x1000" seed="1"/>
 *     <call like="lock" hAllocation="b" as="view-b"/>
 *     <write address="view-b" length="0x1000" seed="7"/>
 */
#include <inttypes.h>
#include <string.h>

#include "../base/text.h"
#include "load.h"

/* A name in a procedure and what one use of it puts there: {"it", "a"}, {"seed", "7"}, and for a
 * result that the procedure makes {"view", "view-a"}. */
struct load_binding {
    const char *name;
    size_t length;
    const char *value; /* NULL: a parameter that is not given, which leaves its attribute out */
};

#define BINDINGS_MAX 32

/* Performances and acts, in all scenarios together: a few procedures that use each other may stand
 * for any number. And how many may be in each other. */
#define PERFORMED_MAX 100000
#define NESTED_MAX 32

/* One performance of a procedure: {fill, "a", 0 of 2} and {fill, "b", 1 of 2} are those above. */
struct load_performance {
    struct wcts_loader *loader;
    const struct wcts_load_node *use; /* the <do> */
    const struct wcts_load_node *procedure;
    int index, count; /* of the subject among those of the <do> */
    struct load_binding bindings[BINDINGS_MAX];
    int binding_count;
};

/* ---- replacing names ---- */

static void bind_parameter(struct load_performance *performance, const char *name, size_t length,
                           const char *value)
{
    if (performance->binding_count == BINDINGS_MAX)
        wcts_error_at(performance->loader->diagnostics, &performance->procedure->place,
                      "<procedure> has more than %d names, expected at most that", BINDINGS_MAX);
    else
        performance->bindings[performance->binding_count++] =
            (struct load_binding){name, length, value};
}

static const struct load_binding *find_binding(const struct load_performance *performance,
                                               const char *name, size_t length)
{
    for (int i = 0; i < performance->binding_count; i++)
        if (performance->bindings[i].length == length &&
            memcmp(performance->bindings[i].name, name, length) == 0)
            return &performance->bindings[i];
    return NULL;
}

/* value + plus, where value is a number, a symbol or symbol+number itself. False: it is more than
 * 64 bits hold. */
static bool add_sum(struct wcts_text *text, const char *value, const char *plus, size_t length)
{
    const char *own = strchr(value, '+');
    size_t name = own == NULL ? strlen(value) : (size_t)(own - value);
    bool plain = false;
    uint64_t sum, number = 0;
    wcts_load_parse_number(plus, length, &sum);
    if (own != NULL)
        wcts_load_parse_number(own + 1, strlen(own + 1), &number);
    else
        plain = wcts_load_parse_number(value, name, &number);
    if (__builtin_add_overflow(sum, number, &sum))
        return false;
    if (plain) /* more than 19 digits are written in hexadecimal */
        wcts_text_add(text, sum >> 63 ? "0x%" PRIx64 : "%" PRIu64, sum);
    else
        wcts_text_add(text, "%.*s+0x%" PRIx64, (int)name, value, sum);
    return true;
}

/* True if the list has a name that is to be replaced: most have none. */
static bool has_bound_name(const struct load_performance *performance, const char *list)
{
    const char *piece;
    size_t length;
    while ((length = wcts_next_piece(&list, &piece)) > 0) {
        const char *plus = memchr(piece, '+', length);
        if (find_binding(performance, piece, plus == NULL ? length : (size_t)(plus - piece)))
            return true;
    }
    return false;
}

/* A list of the act in which the names are replaced; NULL if nothing is left of it. */
static const char *replace(const struct load_performance *performance,
                           const struct wcts_load_node *act, const char *list)
{
    WCTS_TEXT(text);
    const char *piece;
    size_t length;
    while ((length = wcts_next_piece(&list, &piece)) > 0) {
        const char *plus = memchr(piece, '+', length);
        size_t name = plus == NULL ? length : (size_t)(plus - piece);
        const struct load_binding *binding = find_binding(performance, piece, name);
        if (binding != NULL && binding->value == NULL)
            continue;
        wcts_text_add_bytes(&text, " ", text.length > 0 ? 1 : 0);
        if (binding == NULL)
            wcts_text_add_bytes(&text, piece, length);
        else if (plus == NULL)
            wcts_text_add_bytes(&text, binding->value, strlen(binding->value));
        else if (!add_sum(&text, binding->value, plus + 1, length - name - 1))
            wcts_error_at(performance->loader->diagnostics, &act->place,
                          "\"%.*s\", where \"%.*s\" is %s, is larger than 64 bits", (int)length,
                          piece, (int)name, piece, binding->value);
    }
    if (text.length == 0)
        return NULL;
    return wcts_arena_string(performance->loader->arena, wcts_text_get(&text), text.length);
}

static bool holds_names(enum wcts_load_value_kind kind)
{
    return kind == WCTS_KIND_VALUE || kind == WCTS_KIND_VALUES || kind == WCTS_KIND_SYMBOL ||
           kind == WCTS_KIND_SYMBOLS;
}

/* The value of an attribute of an act in which the names are replaced; NULL: it is left out. */
static const char *replaced_value(const struct load_performance *performance,
                                  const struct wcts_load_node *copy, const char *name,
                                  const char *value, const struct wcts_load_attribute_row *row)
{
    const char *made;
    if (value == NULL || !holds_names(row->kind) || !has_bound_name(performance, value))
        return value;
    made = replace(performance, copy, value);
    if (made != NULL)
        wcts_load_attribute_check(copy, name, made, row, performance->loader->diagnostics);
    return made;
}

/* A copy of an act of the procedure, with its children. */
static struct wcts_load_node *copy_act(const struct load_performance *performance,
                                       const struct wcts_load_node *act)
{
    struct wcts_arena *arena = performance->loader->arena;
    const struct wcts_load_attribute_row *rows = wcts_load_node_element(act)->attributes;
    struct wcts_load_node *copy = wcts_arena_alloc(arena, sizeof *copy);
    int count = 0;
    *copy = *act;
    copy->place.use = &performance->use->place;
    copy->first = copy->last = copy->next = NULL;
    while (rows != NULL && rows[count].name != NULL)
        count++;
    copy->values = wcts_arena_array(arena, (size_t)count, sizeof *copy->values);
    for (int i = 0; i < count; i++)
        copy->values[i] = replaced_value(performance, copy, rows[i].name, act->values[i], &rows[i]);
    copy->more = wcts_arena_array(arena, (size_t)act->more_count, sizeof *copy->more);
    copy->more_count = 0;
    for (int i = 0; i < act->more_count; i++) {
        const struct wcts_load_argument *more = &act->more[i];
        const char *value = replaced_value(performance, copy, more->name, more->value,
                                           &wcts_more_rows[wcts_load_node_element(act)->more][1]);
        if (value != NULL)
            copy->more[copy->more_count++] = (struct wcts_load_argument){more->name, value};
    }
    wcts_load_node_check(copy, performance->loader->diagnostics);
    for (const struct wcts_load_node *child = act->first; child != NULL; child = child->next)
        wcts_load_node_add(copy, copy_act(performance, child));
    return copy;
}

/* ---- what the names stand for ---- */

/* The value of an attribute of a <do> for one subject: the only one of a list, or that of the same
 * place. */
static const char *value_for(const struct load_performance *performance, const char *list)
{
    const char *piece = "";
    size_t length = 0;
    int only = wcts_load_count_pieces(list) == 1;
    for (int i = 0; i <= (only ? 0 : performance->index); i++)
        length = wcts_next_piece(&list, &piece);
    return wcts_arena_string(performance->loader->arena, piece, length);
}

static const struct wcts_load_argument *argument_named(const struct wcts_load_node *use,
                                                       const char *name, size_t length)
{
    for (int i = 0; i < use->more_count; i++)
        if (wcts_is_piece(use->more[i].name, name, length))
            return &use->more[i];
    return NULL;
}

static void bind_parameters(struct load_performance *performance)
{
    const char *list = wcts_load_node_value(performance->procedure, "with"), *piece;
    size_t length;
    while ((length = wcts_next_piece(&list, &piece)) > 0) {
        const char *equals = memchr(piece, '=', length);
        size_t name = equals == NULL ? length : (size_t)(equals - piece);
        const struct wcts_load_argument *given = argument_named(performance->use, piece, name);
        const char *value = NULL;
        if (given != NULL)
            value = value_for(performance, given->value);
        else if (equals != NULL)
            value = wcts_arena_string(performance->loader->arena, equals + 1, length - name - 1);
        bind_parameter(performance, piece, name, value);
    }
}

/* A result that the procedure makes and that is no parameter has the name of the subject behind its
 * own. */
static void bind_results(struct load_performance *performance, const char *list,
                         const char *subject)
{
    const char *piece;
    size_t length;
    while ((length = wcts_next_piece(&list, &piece)) > 0)
        if (find_binding(performance, piece, length) == NULL)
            bind_parameter(performance, piece, length,
                           wcts_arena_format(performance->loader->arena, "%.*s-%s", (int)length,
                                             piece, subject));
}

static void bind_names(struct load_performance *performance, const char *subject)
{
    const char *of = wcts_load_node_value(performance->procedure, "of");
    struct wcts_load_node *call = NULL, *result = NULL;
    performance->binding_count = 0;
    bind_parameter(performance, of, strlen(of), subject);
    bind_parameters(performance);
    while ((call = wcts_load_node_next(performance->procedure, call, WCTS_EL_CALL)) != NULL) {
        bind_results(performance, wcts_load_node_value(call, "as"), subject);
        while ((result = wcts_load_node_next(call, result, WCTS_EL_RESULT)) != NULL)
            bind_results(performance, wcts_load_node_value(result, "symbol"), subject);
    }
}

/* ---- uses ---- */

/* The index of the attribute of a <do> that is named as one of the first limit procedures, whose
 * index is then *procedure; -1, with a message, if none or two are. */
static int find_procedure(struct wcts_loader *loader, const struct wcts_load_node *use, int limit,
                          int *procedure)
{
    const struct wcts_procedure *procedures = loader->cases->procedures;
    const char *first = use->more_count > 0 ? use->more[0].name : "";
    struct wcts_near near = wcts_model_near_start(first, strlen(first));
    char hint[128];
    int found = -1;
    for (int i = 0; i < limit; i++)
        for (int j = 0; j < use->more_count; j++) {
            if (j == found || !wcts_text_same(procedures[i].name, use->more[j].name))
                continue;
            if (found >= 0) {
                wcts_error_at(loader->diagnostics, &use->place,
                              "<do> has both \"%s\" and \"%s\", expected one procedure",
                              use->more[found].name, use->more[j].name);
                return -1;
            }
            found = j;
            *procedure = i;
        }
    for (int i = 0; found < 0 && i < limit; i++)
        wcts_model_near_try(&near, procedures[i].name);
    if (found < 0)
        wcts_error_at(loader->diagnostics, &use->place,
                      "<do> has no attribute with the name of a procedure, expected one%s",
                      wcts_model_near_text(&near, hint, sizeof hint));
    return found;
}

/* False, with the parameter whose name is nearest, if the procedure has none of that name. */
static bool is_parameter(const struct load_performance *performance, const char *name,
                         struct wcts_near *near)
{
    const char *with = wcts_load_node_value(performance->procedure, "with"), *piece;
    for (const char *list = with; wcts_next_piece(&list, &piece) > 0;)
        if (wcts_is_piece(name, piece, strcspn(piece, "= ")))
            return true;
    *near = wcts_model_near_start(name, strlen(name));
    for (const char *list = with; wcts_next_piece(&list, &piece) > 0;)
        wcts_model_near_try(
            near, wcts_arena_string(performance->loader->arena, piece, strcspn(piece, "= ")));
    return false;
}

/* Reports an attribute that is no parameter, or has not a value for each subject. */
static void check_arguments(const struct load_performance *performance,
                            const struct wcts_load_argument *subjects)
{
    const struct wcts_load_node *use = performance->use;
    struct wcts_diagnostics *diagnostics = performance->loader->diagnostics;
    for (int i = 0; i < use->more_count; i++) {
        const struct wcts_load_argument *given = &use->more[i];
        int values = wcts_load_count_pieces(given->value);
        struct wcts_near near;
        char hint[128];
        if (given != subjects && !is_parameter(performance, given->name, &near))
            wcts_error_at(diagnostics, &use->place,
                          "attribute \"%s\" of <do>, expected a parameter of \"%s\"%s", given->name,
                          subjects->name, wcts_model_near_text(&near, hint, sizeof hint));
        else if (values != 1 && values != performance->count)
            wcts_error_at(diagnostics, &use->place,
                          "attribute \"%s\" of <do> has %d values for %d of \"%s\", expected one "
                          "for all or one for each",
                          given->name, values, performance->count, subjects->name);
    }
}

/* Counts a performance or an act. False, with one error in all, when there were too many. */
static bool has_room(struct wcts_loader *loader, const struct wcts_load_node *use)
{
    if (loader->performed > PERFORMED_MAX)
        return false;
    if (++loader->performed > PERFORMED_MAX)
        wcts_error_at(loader->diagnostics, &use->place,
                      "<do> is one too many, expected at most %d performances and acts of "
                      "procedures",
                      PERFORMED_MAX);
    return loader->performed <= PERFORMED_MAX;
}

/* Adds to parent the acts that a <do> stands for, which may use the first limit procedures: those
 * before the one that it is in, so that none uses itself. */
static void perform(struct wcts_loader *loader, const struct wcts_load_node *use, int limit,
                    struct wcts_load_node *parent)
{
    struct load_performance performance = {.loader = loader, .use = use};
    int errors = loader->diagnostics->errors, index = 0;
    int subjects = find_procedure(loader, use, limit, &index);
    const char *list, *piece;
    size_t length;
    if (subjects < 0)
        return;
    list = use->more[subjects].value;
    performance.procedure = loader->procedures[index];
    performance.count = wcts_load_count_pieces(list);
    loader->cases->procedures[index].used = true;
    check_arguments(&performance, &use->more[subjects]);
    if (loader->nested == NESTED_MAX)
        wcts_error_at(loader->diagnostics, &use->place,
                      "<do> is nested too deep, expected at most %d procedures in each other",
                      NESTED_MAX);
    loader->nested++;
    for (; errors == loader->diagnostics->errors && (length = wcts_next_piece(&list, &piece)) > 0;
         performance.index++) {
        const struct wcts_load_node *act = performance.procedure->first;
        if (!has_room(loader, use))
            break;
        bind_names(&performance, wcts_arena_string(loader->arena, piece, length));
        for (; act != NULL && has_room(loader, use); act = act->next) {
            struct wcts_load_node *copy = copy_act(&performance, act);
            if (copy->kind == WCTS_EL_DO)
                perform(loader, copy, index, parent);
            else
                wcts_load_node_add(parent, copy);
        }
    }
    loader->nested--;
}

/* Replaces each <do> of a scenario. */
static void expand(struct wcts_loader *loader, struct wcts_load_node *scenario)
{
    struct wcts_load_node *child = scenario->first;
    scenario->first = scenario->last = NULL;
    while (child != NULL) {
        struct wcts_load_node *next = child->next;
        child->next = NULL;
        if (child->kind == WCTS_EL_DO)
            perform(loader, child, loader->cases->procedures_count, scenario);
        else
            wcts_load_node_add(scenario, child);
        child = next;
    }
}

/* Each name in a procedure is for one thing, and its own name is that of the subjects of a <do>. */
static void check_names(const struct wcts_loader *loader, const struct wcts_load_node *procedure)
{
    const char *taken[BINDINGS_MAX + 2] = {wcts_load_node_value(procedure, "name"),
                                           wcts_load_node_value(procedure, "of")};
    const char *list = wcts_load_node_value(procedure, "with"), *piece;
    size_t length;
    int count = 2;
    while ((length = wcts_next_piece(&list, &piece)) > 0 && count < BINDINGS_MAX + 2) {
        const char *equals = memchr(piece, '=', length);
        size_t name = equals == NULL ? length : (size_t)(equals - piece);
        for (int i = 0; i < count; i++)
            if (wcts_is_piece(taken[i], piece, name))
                wcts_error_at(loader->diagnostics, &procedure->place,
                              "parameter \"%s\" has a name that the procedure, its subject or "
                              "another parameter has, expected one of its own",
                              taken[i]);
        taken[count++] = wcts_arena_string(loader->arena, piece, name);
    }
}

void wcts_load_procedures(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_load_element_walk walk = {0};
    int count = wcts_load_count_elements(loader, WCTS_EL_PROCEDURE);
    WCTS_LOAD_ARRAY(loader, cases->procedures, count);
    WCTS_LOAD_ARRAY(loader, loader->procedures, count);
    while (wcts_load_next_element(loader, &walk, WCTS_EL_PROCEDURE)) {
        check_names(loader, walk.node);
        if (walk.node->first == NULL)
            wcts_error_at(loader->diagnostics, &walk.node->place,
                          "<procedure> has no act, expected one or more");
        loader->procedures[cases->procedures_count] = walk.node;
        cases->procedures[cases->procedures_count++] = (struct wcts_procedure){
            .name = wcts_load_node_value(walk.node, "name"), .place = walk.node->place};
    }
    walk = (struct wcts_load_element_walk){0};
    while (wcts_load_next_element(loader, &walk, WCTS_EL_SCENARIO))
        expand(loader, walk.node);
}
