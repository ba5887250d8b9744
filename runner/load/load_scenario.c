/* SPDX-License-Identifier: MIT */
/* Scenarios: calls in order, and the effects that they must show. */
#include <string.h>

#include "../base/text.h"
#include "load.h"

/* ---- symbols ---- */

static void load_loops(struct wcts_loader *loader, const struct wcts_node *node,
                       struct wcts_scenario *scenario)
{
    struct wcts_node *loop = NULL;
    while ((loop = wcts_load_node_next(node, loop, WCTS_EL_FOR)) != NULL) {
        const char *list = wcts_load_node_value(loop, "values"), *piece;
        struct wcts_symbol *symbol =
            wcts_load_declare_symbol(loader, loop, "symbol", WCTS_SYMBOL_PARAMETER);
        struct wcts_loop *made;
        size_t length;
        symbol->kind_name = "parameter";
        if (scenario->loop_count == WCTS_LOOPS_MAX) {
            wcts_error_at(loader->diagnostics, &loop->place,
                          "<for> is one too many, expected at most %d", WCTS_LOOPS_MAX);
            return;
        }
        made = &scenario->loops[scenario->loop_count++];
        made->symbol = (int)(symbol - loader->cases->symbols);
        WCTS_LOAD_ARRAY(loader, made->values, wcts_load_count_pieces(list));
        while ((length = wcts_next_piece(&list, &piece)) > 0)
            made->values[made->value_count++] =
                wcts_load_value(loader, loop, "values", piece, length);
    }
}

/* Each combination becomes a case. */
#define COMBINATIONS_MAX 256

static void check_loops(struct wcts_loader *loader, const struct wcts_node *node,
                        const struct wcts_scenario *scenario)
{
    long product = 1;
    for (int i = 0; i < scenario->loop_count; i++) {
        const struct wcts_loop *loop = &scenario->loops[i];
        bool twice = false;
        product *= loop->value_count;
        if (product > COMBINATIONS_MAX) {
            wcts_error_at(loader->diagnostics, &node->place,
                          "<for> makes more than %d combinations of values, expected at most that",
                          COMBINATIONS_MAX);
            return;
        }
        for (int j = 1; j < loop->value_count; j++)
            for (int k = 0; k < j; k++)
                twice = twice || (loop->values[j].symbol == loop->values[k].symbol &&
                                  loop->values[j].number == loop->values[k].number);
        if (twice)
            wcts_error_at(loader->diagnostics, &node->place,
                          "<for> of \"%s\" has a value twice, expected each once",
                          loader->cases->symbols[loop->symbol].name);
    }
}

/* ---- calls ---- */

/* A call like a step of base.xml: a copy of its structures, in which values are replaced. */
static void copy_step(struct wcts_loader *loader, const struct wcts_node *node,
                      struct wcts_step *step)
{
    int like = wcts_load_use_step(loader, node, "like", -1);
    const struct wcts_step *from;
    if (like < 0)
        return;
    from = &loader->cases->steps[like];
    if (from->message < 0) {
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"like\" of <call>: \"%s\" is a region, expected a step with a "
                      "call",
                      from->name);
        return;
    }
    step->message = from->message;
    step->instance_count = from->instance_count;
    WCTS_LOAD_ARRAY(loader, step->instances, from->instance_count);
    memcpy(step->instances, from->instances,
           (size_t)from->instance_count * sizeof(*step->instances));
}

static void load_set(struct wcts_loader *loader, const struct wcts_node *node,
                     struct wcts_step *step)
{
    const char *to = wcts_load_node_value(node, "to");
    struct wcts_set set = {.place = node->place};
    int root = step->instance_count > 0 ? step->instances[0].structure : -1;
    set.ref = wcts_load_use_ref(loader, node, "member", root);
    set.value = wcts_load_value(loader, node, "to", to, strlen(to));
    if (set.ref.structure < 0)
        return;
    for (int i = 0; i < step->instance_count; i++)
        if (step->instances[i].structure == set.ref.structure) {
            wcts_load_override(loader, &step->instances[i], &set, 1);
            return;
        }
    wcts_error_at(loader->diagnostics, &node->place,
                  "<set> of \"%s\", expected a member of a structure that the call sends",
                  wcts_load_node_value(node, "member"));
}

/* The adapter's answers, by name, that the driver gives during this call. */
static void load_call_answers(struct wcts_loader *loader, const struct wcts_node *node,
                              const struct wcts_scenario *scenario, struct wcts_step *step)
{
    const char *list = wcts_load_node_value(node, "answer"), *piece;
    const struct wcts_adapter *adapter = &loader->cases->adapters[scenario->adapter];
    struct wcts_use use = {node, "answer"};
    size_t length;
    if (list == NULL)
        return;
    WCTS_LOAD_ARRAY(loader, step->answers, wcts_load_count_pieces(list));
    while ((length = wcts_next_piece(&list, &piece)) > 0) {
        struct wcts_near near = wcts_model_near_start(piece, length);
        int found = -1;
        for (int i = 0; i < adapter->instance_count; i++)
            if (wcts_is_piece(adapter->instances[i].name, piece, length))
                found = i;
        if (found >= 0) {
            step->answers[step->answer_count++] = found;
            continue;
        }
        for (int i = 0; i < adapter->instance_count; i++)
            wcts_model_near_try(&near, adapter->instances[i].name);
        wcts_load_report_unknown(loader, use, "answer", &near, adapter->name);
    }
}

static void load_call(struct wcts_loader *loader, const struct wcts_node *node,
                      const struct wcts_scenario *scenario, struct wcts_step *step)
{
    struct wcts_node *set = NULL;
    step->name = scenario->name;
    if (wcts_load_node_value(node, "operation") != NULL &&
        wcts_load_node_value(node, "like") != NULL) {
        wcts_error_at(loader->diagnostics, &node->place,
                      "<call> has both \"operation\" and \"like\", expected one of them");
        return;
    }
    step->message = wcts_load_use_message(loader, node, "operation", -1);
    if (wcts_load_node_value(node, "like") != NULL)
        copy_step(loader, node, step);
    else
        wcts_load_structs(loader, node, step);
    while ((set = wcts_load_node_next(node, set, WCTS_EL_STRUCT)) != NULL)
        if (wcts_load_node_value(set, "needs") != NULL)
            wcts_error_at(loader->diagnostics, &set->place,
                          "attribute \"needs\" of <struct> in a <call>, expected <take> before it");
    if (step->message < 0)
        return;
    while ((set = wcts_load_node_next(node, set, WCTS_EL_SET)) != NULL)
        load_set(loader, set, step);
    load_call_answers(loader, node, scenario, step);
    step->refusable = wcts_load_yes(node, "refusable");
    set = wcts_load_node_next(node, NULL, WCTS_EL_RESULT);
    wcts_load_declare_takes(loader, node, set, step);
    wcts_load_takes(loader, node, set, step);
}

/* ---- memory ---- */

static void set_member(struct wcts_loader *loader, const struct wcts_node *node,
                       const char *attribute, const char *member, struct wcts_instance *instance)
{
    const char *value = wcts_load_node_value(node, attribute);
    struct wcts_set *set = &instance->sets[instance->set_count];
    if (value == NULL)
        return;
    set->place = node->place;
    set->ref = (struct wcts_ref){instance->structure,
                                 wcts_spec_member(loader->spec, instance->structure, member), -1};
    set->value = wcts_load_value(loader, node, attribute, value, strlen(value));
    if (set->ref.member >= 0)
        instance->set_count++;
}

/* <read> and <write>: the suite's own use of the machine. */
static void load_memory(struct wcts_loader *loader, const struct wcts_node *node,
                        const char *operation, struct wcts_step *step)
{
    struct wcts_instance *instance = wcts_arena_array(loader->arena, 1, sizeof(*instance));
    step->name = operation;
    step->message = wcts_spec_message(loader->spec, operation);
    if (step->message < 0) {
        wcts_error_at(loader->diagnostics, &node->place, "<%s> needs the message %s, expected it",
                      node->element->name, operation);
        return;
    }
    instance->place = node->place;
    instance->structure = loader->spec->messages[step->message].request;
    instance->name = operation;
    instance->at = instance->when = (struct wcts_ref){-1, -1, -1};
    instance->at_instance = -1;
    WCTS_LOAD_ARRAY(loader, instance->sets, 3);
    set_member(loader, node, "space", "Space", instance);
    set_member(loader, node, "address", "Address", instance);
    set_member(loader, node, "length", "Length", instance);
    step->instances = instance;
    step->instance_count = 1;
    step->seed = (int)wcts_load_number(node, "seed", 1);
}

/* ---- scenarios ---- */

static void load_act(struct wcts_loader *loader, const struct wcts_node *node,
                     struct wcts_scenario *scenario)
{
    struct wcts_act *act = &scenario->acts[scenario->act_count];
    const struct wcts_element *element = node->element;
    struct wcts_step *step;
    if (element == &wcts_elements[WCTS_EL_TAKE]) {
        act->is_step = true;
        act->step = wcts_load_use_step(loader, node, "step", -1);
        scenario->act_count += act->step >= 0;
        return;
    }
    act->spoil = element == &wcts_elements[WCTS_EL_SPOIL];
    if (element != &wcts_elements[WCTS_EL_CALL] && element != &wcts_elements[WCTS_EL_READ] &&
        element != &wcts_elements[WCTS_EL_WRITE] && !act->spoil)
        return;
    /* A call has no name; reports of the step use its place. */
    step = wcts_load_declare_step(loader, node);
    act->step = (int)(step - loader->cases->steps);
    scenario->act_count++;
    if (element == &wcts_elements[WCTS_EL_CALL])
        load_call(loader, node, scenario, step);
    else if (element == &wcts_elements[WCTS_EL_READ])
        load_memory(loader, node, "MACHINE_READ", step);
    else
        load_memory(loader, node, "MACHINE_WRITE", step);
}

/* The effect with this id, or -1. */
static int find_effect(const struct wcts_spec *spec, const char *id, size_t length)
{
    for (int i = 0; i < spec->rules_count; i++)
        if (wcts_model_is_effect(spec->rules[i].form) &&
            wcts_is_piece(spec->rules[i].id, id, length))
            return i;
    return -1;
}

/* The effects by their ids. */
static void load_expected(struct wcts_loader *loader, const struct wcts_node *node,
                          struct wcts_scenario *scenario)
{
    const struct wcts_spec *spec = loader->spec;
    const char *list = wcts_load_node_value(node, "effect"), *piece;
    struct wcts_use use = {node, "effect"};
    size_t length;
    while ((length = wcts_next_piece(&list, &piece)) > 0) {
        struct wcts_near near = wcts_model_near_start(piece, length);
        int found = find_effect(spec, piece, length);
        if (found >= 0) {
            scenario->effects[scenario->effect_count++] = found;
            continue;
        }
        for (int i = 0; i < spec->rules_count; i++)
            if (wcts_model_is_effect(spec->rules[i].form))
                wcts_model_near_try(&near, spec->rules[i].id);
        wcts_load_report_unknown(loader, use, "effect", &near, NULL);
    }
}

static void load_page_sizes(struct wcts_loader *loader, const struct wcts_node *node,
                            struct wcts_scenario *scenario)
{
    const char *list = wcts_load_node_value(node, "page-sizes"), *piece;
    uint64_t number;
    size_t length;
    scenario->page_sizes = list == NULL ? 4096 : 0;
    while (list != NULL && (length = wcts_next_piece(&list, &piece)) > 0) {
        if (wcts_load_parse_number(piece, length, &number) &&
            (number == 4096 || number == 16384 || number == 65536))
            scenario->page_sizes |= (uint32_t)number;
        else
            wcts_error_at(loader->diagnostics, &node->place,
                          "attribute \"page-sizes\" of <scenario> has \"%.*s\", expected 4096, "
                          "16384 or 65536",
                          (int)length, piece);
    }
}

static void load_scenario(struct wcts_loader *loader, const struct wcts_node *node,
                          struct wcts_scenario *scenario)
{
    struct wcts_node *child = NULL;
    size_t expected = 0, acts = 0;
    scenario->name = wcts_load_node_value(node, "name");
    scenario->place = node->place;
    scenario->adapter = wcts_load_use_adapter(loader, node, "adapter", 0);
    scenario->since = wcts_load_use_version(loader, node, "since", 0);
    scenario->until = wcts_load_use_version(loader, node, "until", loader->spec->versions_count);
    scenario->driver = wcts_load_yes(node, "driver");
    scenario->kinds = wcts_load_yes(node, "kinds");
    load_page_sizes(loader, node, scenario);
    if (scenario->adapter < 0)
        return;
    for (child = node->first; child != NULL; child = child->next)
        acts++;
    while ((child = wcts_load_node_next(node, child, WCTS_EL_EXPECT)) != NULL)
        expected += (size_t)wcts_load_count_pieces(wcts_load_node_value(child, "effect"));
    WCTS_LOAD_ARRAY(loader, scenario->acts, acts);
    WCTS_LOAD_ARRAY(loader, scenario->effects, expected);
    load_loops(loader, node, scenario);
    check_loops(loader, node, scenario);
    for (child = node->first; child != NULL; child = child->next)
        load_act(loader, child, scenario);
    while ((child = wcts_load_node_next(node, child, WCTS_EL_EXPECT)) != NULL)
        load_expected(loader, child, scenario);
}

void wcts_load_scenarios(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, cases->scenarios, wcts_load_count_elements(loader, WCTS_EL_SCENARIO));
    cases->common_symbols = cases->symbols_count;
    cases->common_steps = cases->steps_count;
    while (wcts_load_next_element(loader, &walk, WCTS_EL_SCENARIO)) {
        loader->scenario = cases->scenarios_count++;
        load_scenario(loader, walk.node, &cases->scenarios[loader->scenario]);
    }
    loader->scenario = -1;
}
