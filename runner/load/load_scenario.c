/* SPDX-License-Identifier: MIT */
/* Scenarios: calls in order, and the effects that they must show. */
#include <string.h>

#include "../base/array.h"
#include "../base/text.h"
#include "load.h"

/* ---- symbols ---- */

static void load_loops(struct wcts_loader *loader, const struct wcts_load_node *node,
                       struct wcts_scenario *scenario)
{
    struct wcts_load_node *loop = NULL;
    while ((loop = wcts_load_node_next(node, loop, WCTS_EL_FOR)) != NULL) {
        const char *list = wcts_load_node_value(loop, "values"), *piece;
        struct wcts_symbol *symbol = wcts_load_declare_symbol(
            loader, loop, wcts_load_node_value(loop, "symbol"), WCTS_SYMBOL_PARAMETER);
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

static void check_loops(struct wcts_loader *loader, const struct wcts_load_node *node,
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
static int copy_step(struct wcts_loader *loader, const struct wcts_load_node *node,
                     struct wcts_step *step)
{
    int like = wcts_load_use_step(loader, node, "like", -1);
    const struct wcts_step *from;
    if (like < 0)
        return -1;
    from = &loader->cases->steps[like];
    if (from->message < 0) {
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"like\" of <call>: \"%s\" is a region, expected a step with a "
                      "call",
                      from->name);
        return -1;
    }
    step->message = from->message;
    step->instance_count = from->instance_count;
    WCTS_LOAD_ARRAY(loader, step->instances, from->instance_count);
    WCTS_ARRAY_COPY(step->instances, from->instances, from->instance_count);
    return like;
}

static void load_own_sets(struct wcts_loader *loader, const struct wcts_load_node *node,
                          struct wcts_step *step)
{
    int root = step->instance_count > 0 ? step->instances[0].structure : -1;
    for (int i = 0; i < node->more_count; i++) {
        const struct wcts_set set = wcts_load_set(loader, node, &node->more[i], root);
        int at = 0;
        if (set.ref.structure < 0)
            continue;
        while (at < step->instance_count && step->instances[at].structure != set.ref.structure)
            at++;
        if (at < step->instance_count)
            wcts_load_override(loader, &step->instances[at], &set, 1);
        else
            wcts_error_at(loader->diagnostics, &node->place,
                          "attribute \"%s\" of <call>, expected a member of a structure that the "
                          "call sends",
                          node->more[i].name);
    }
}

/* The adapter's answers, by name, that the driver gives during this call. */
static void load_call_answers(struct wcts_loader *loader, const struct wcts_load_node *node,
                              const struct wcts_scenario *scenario, struct wcts_step *step)
{
    const char *list = wcts_load_node_value(node, "answer"), *piece;
    const struct wcts_adapter *adapter = &loader->cases->adapters[scenario->adapter];
    struct wcts_load_use use = {node, "answer"};
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

/* The results that a call names: of the step that it is like, in their order, then its own. */
static void load_call_results(struct wcts_loader *loader, const struct wcts_load_node *node,
                              int like, struct wcts_step *step)
{
    const char *list = wcts_load_node_value(node, "as"), *piece;
    const struct wcts_load_node *from = like < 0 ? NULL : loader->step_nodes[like];
    struct wcts_load_node *result = NULL;
    size_t length;
    WCTS_LOAD_ARRAY(loader, step->outputs,
                    wcts_load_count_pieces(list) + wcts_load_node_count(node, WCTS_EL_RESULT));
    while ((length = wcts_next_piece(&list, &piece)) > 0) {
        const char *name;
        result = from == NULL ? NULL : wcts_load_node_next(from, result, WCTS_EL_RESULT);
        if (result == NULL) {
            wcts_error_at(loader->diagnostics, &node->place,
                          "attribute \"as\" of <call> names \"%.*s\", expected no more names than "
                          "the step that it is like has results",
                          (int)length, piece);
            return;
        }
        name = wcts_arena_string(loader->arena, piece, length);
        wcts_load_output(loader, result, step,
                         wcts_load_declare_output(loader, node, name, result, step));
    }
    result = NULL;
    while ((result = wcts_load_node_next(node, result, WCTS_EL_RESULT)) != NULL) {
        const char *symbol = wcts_load_node_value(result, "symbol");
        if (symbol == NULL)
            wcts_error_at(loader->diagnostics, &result->place,
                          "<result> of a <call> has no attribute \"symbol\", expected a name");
        else
            wcts_load_output(loader, result, step,
                             wcts_load_declare_output(loader, result, symbol, result, step));
    }
}

/* What a walk may no longer use after a call like this one. In a scenario that is performed as it
 * is, whoever writes it knows. */
static void load_call_ends(struct wcts_loader *loader, const struct wcts_load_node *node,
                           const struct wcts_scenario *scenario, struct wcts_step *step)
{
    const struct wcts_load_node *ends = wcts_load_node_next(node, NULL, WCTS_EL_ENDS);
    if (ends == NULL)
        return;
    if (!scenario->moves)
        wcts_error_at(loader->diagnostics, &ends->place,
                      "<ends> of a <call>, expected it in a scenario with moves=\"yes\" only");
    step->ends = wcts_load_use_symbol(loader, ends, "symbol", -1);
}

static void load_call(struct wcts_loader *loader, const struct wcts_load_node *node,
                      const struct wcts_scenario *scenario, struct wcts_step *step)
{
    struct wcts_load_node *child = NULL;
    int like = -1;
    step->name = scenario->name;
    if (wcts_load_node_value(node, "operation") != NULL &&
        wcts_load_node_value(node, "like") != NULL) {
        wcts_error_at(loader->diagnostics, &node->place,
                      "<call> has both \"operation\" and \"like\", expected one of them");
        return;
    }
    if (wcts_load_node_value(node, "like") != NULL) {
        like = copy_step(loader, node, step);
        if (step->message >= 0)
            load_own_sets(loader, node, step);
    } else {
        step->message = wcts_load_use_message(loader, node, "operation", -1);
        wcts_load_structs(loader, node, step);
    }
    while ((child = wcts_load_node_next(node, child, WCTS_EL_STRUCT)) != NULL)
        if (wcts_load_node_value(child, "needs") != NULL)
            wcts_error_at(loader->diagnostics, &child->place,
                          "attribute \"needs\" of <struct> in a <call>, expected <take> before it");
    if (step->message < 0)
        return;
    load_call_answers(loader, node, scenario, step);
    step->refusable = wcts_load_yes(node, "refusable");
    step->narrow = wcts_load_yes(node, "narrow");
    step->placed = wcts_load_yes(node, "placed");
    step->unmade = wcts_load_yes(node, "unmade");
    step->unmoved = wcts_load_yes(node, "unmoved");
    step->unmapped = wcts_load_yes(node, "unmapped");
    load_call_results(loader, node, like, step);
    load_call_ends(loader, node, scenario, step);
}

/* ---- memory ---- */

static void load_memory_member(struct wcts_loader *loader, const struct wcts_load_node *node,
                               const char *attribute, struct wcts_ref ref,
                               struct wcts_instance *instance)
{
    const char *value = wcts_load_node_value(node, attribute);
    struct wcts_set *set = &instance->sets[instance->set_count];
    if (value == NULL)
        return;
    set->place = node->place;
    set->ref = ref;
    set->value = wcts_load_value(loader, node, attribute, value, strlen(value));
    if (set->ref.member >= 0)
        instance->set_count++;
}

/* The message with which memory is read or written, with a range; -1: none. */
static int memory_message(const struct wcts_spec *spec, bool write)
{
    for (int i = 0; i < spec->messages_count; i++)
        if ((write ? spec->messages[i].writes : spec->messages[i].reads) &&
            spec->messages[i].range_count == 2)
            return i;
    return -1;
}

/* <read> and <write>: the suite's own use of the machine. */
static void load_memory(struct wcts_loader *loader, const struct wcts_load_node *node, bool write,
                        struct wcts_step *step)
{
    struct wcts_instance *instance = wcts_arena_array(loader->arena, 1, sizeof(*instance));
    const struct wcts_message *message;
    step->seed = (int)wcts_load_number(node, "seed", wcts_load_node_value(node, "seed") ? 0 : 1);
    if (step->seed < 1 || step->seed > 255)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"seed\" of <%s> is \"%s\", expected a number from 1 to 255",
                      wcts_load_node_element(node)->name, wcts_load_node_value(node, "seed"));
    step->message = memory_message(loader->spec, write);
    if (step->message < 0) {
        wcts_error_at(loader->diagnostics, &node->place,
                      "<%s> needs a message that %s memory, expected one",
                      wcts_load_node_element(node)->name, write ? "writes" : "reads");
        return;
    }
    message = &loader->spec->messages[step->message];
    step->name = message->name;
    instance->place = node->place;
    instance->structure = message->request;
    instance->name = message->name;
    instance->at = instance->when = (struct wcts_ref){-1, -1, -1};
    instance->at_instance = -1;
    WCTS_LOAD_ARRAY(loader, instance->sets, 3);
    load_memory_member(
        loader, node, "space",
        (struct wcts_ref){message->request,
                          loader->spec->structures[message->request].means[WCTS_MEANS_SPACE] - 1,
                          -1},
        instance);
    load_memory_member(loader, node, "address", message->range[0], instance);
    load_memory_member(loader, node, "length", message->range[1], instance);
    step->instances = instance;
    step->instance_count = 1;
}

/* ---- scenarios ---- */

static void add_take(struct wcts_scenario *scenario, int step)
{
    if (step >= 0)
        scenario->acts[scenario->act_count++] =
            (struct wcts_act){.kind = WCTS_ACT_STEP, .step = step};
}

/* The elements of acts that are calls, or use memory. */
static const struct act_element {
    int element;
    enum wcts_act_kind kind;
    bool memory, write;
} act_elements[] = {
    {WCTS_EL_CALL, WCTS_ACT_CALL, false, false},
    {WCTS_EL_READ, WCTS_ACT_MEMORY, true, false},
    {WCTS_EL_WRITE, WCTS_ACT_MEMORY, true, true},
    {WCTS_EL_SPOIL, WCTS_ACT_SPOIL, true, true},
};

static void load_act(struct wcts_loader *loader, const struct wcts_load_node *node,
                     struct wcts_scenario *scenario)
{
    if (node->kind == WCTS_EL_TAKE)
        add_take(scenario, wcts_load_use_step(loader, node, "step", -1));
    for (size_t i = 0; i < sizeof act_elements / sizeof *act_elements; i++) {
        const struct act_element *element = &act_elements[i];
        struct wcts_step *step;
        if ((int)node->kind != element->element)
            continue;
        /* A call has no name; reports of the step use its place. */
        step = wcts_load_declare_step(loader, node);
        scenario->acts[scenario->act_count++] = (struct wcts_act){
            .kind = element->kind,
            .step = (int)(step - loader->cases->steps),
            .followed = element->element != WCTS_EL_SPOIL && wcts_load_yes(node, "followed"),
            .forgets = element->element == WCTS_EL_CALL && wcts_load_yes(node, "forgets")};
        if (element->memory)
            load_memory(loader, node, element->write, step);
        else
            load_call(loader, node, scenario, step);
    }
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

/* True if a rule or an effect has this id. */
static bool is_rule(const struct wcts_spec *spec, const char *id, size_t length)
{
    for (int i = 0; i < spec->rules_count; i++)
        if (wcts_is_piece(spec->rules[i].id, id, length))
            return true;
    return false;
}

/* True for a <take> of the scenario's own: those of procedures may be repeated. */
static bool is_own_take(const struct wcts_load_node *node)
{
    return node->kind == WCTS_EL_TAKE && !node->place.use;
}

/* A step that was taken is not taken again: a second <take> would look like a call, and be none. */
static void check_takes(struct wcts_loader *loader, const struct wcts_load_node *scenario)
{
    for (const struct wcts_load_node *one = scenario->first; one; one = one->next)
        for (const struct wcts_load_node *other = is_own_take(one) ? one->next : NULL; other;
             other = other->next) {
            const char *step = wcts_load_node_value(other, "step");
            if (is_own_take(other) && step && strcmp(step, wcts_load_node_value(one, "step")) == 0)
                wcts_error_at(loader->diagnostics, &other->place,
                              "<take> of step \"%s\", which was taken before, expected a <call>",
                              step);
        }
}

/* The acts: the steps that it needs, then its children. */
static void load_acts(struct wcts_loader *loader, const struct wcts_load_node *node,
                      struct wcts_scenario *scenario)
{
    int needed, acts = 0;
    const int *needs = wcts_load_use_list(loader, node, "needs", wcts_find_step, &needed);
    for (const struct wcts_load_node *child = node->first; child != NULL; child = child->next)
        acts++;
    WCTS_LOAD_ARRAY(loader, scenario->acts, needed + acts);
    check_takes(loader, node);
    for (int i = 0; i < needed; i++)
        add_take(scenario, needs[i]);
    for (const struct wcts_load_node *child = node->first; child != NULL; child = child->next)
        load_act(loader, child, scenario);
}

/* The effects by their ids. */
static void load_effects(struct wcts_loader *loader, const struct wcts_load_node *node,
                         const char *attribute, int **effects, int *count)
{
    const struct wcts_spec *spec = loader->spec;
    const char *list = wcts_load_node_value(node, attribute), *piece;
    struct wcts_load_use use = {node, attribute};
    size_t length;
    if (!list)
        return;
    WCTS_LOAD_ARRAY(loader, *effects, wcts_load_count_pieces(list));
    while ((length = wcts_next_piece(&list, &piece)) > 0) {
        struct wcts_near near = wcts_model_near_start(piece, length);
        int found = find_effect(spec, piece, length);
        if (found >= 0) {
            (*effects)[(*count)++] = found;
            continue;
        }
        for (int i = 0; i < spec->rules_count; i++)
            if (wcts_model_is_effect(spec->rules[i].form))
                wcts_model_near_try(&near, spec->rules[i].id);
        if (is_rule(spec, piece, length))
            wcts_error_at(loader->diagnostics, &node->place,
                          "attribute \"%s\" of <%s>: \"%.*s\" is a rule about a call, expected an "
                          "effect",
                          attribute, wcts_load_node_element(node)->name, (int)length, piece);
        else
            wcts_load_report_unknown(loader, use, "effect", &near, NULL);
    }
}

static void load_page_sizes(struct wcts_loader *loader, const struct wcts_load_node *node,
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

/* Further versions: those of and-at, and all from and-from on, of which none is between since and
 * until. */
static void load_further_versions(struct wcts_loader *loader, const struct wcts_load_node *node,
                                  struct wcts_scenario *scenario)
{
    const struct wcts_spec *spec = loader->spec;
    const char *list = wcts_load_node_value(node, "and-at"), *piece;
    size_t length;
    int from = wcts_load_use_version(loader, node, "and-from", spec->versions_count);
    if (from < scenario->until && from < spec->versions_count)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"and-from\" of <scenario> has \"%s\", expected a version from "
                      "until= on",
                      spec->versions[from].name);
    for (; from < spec->versions_count && from < 32; from++)
        scenario->and_at |= UINT32_C(1) << from;
    while (list != NULL && (length = wcts_next_piece(&list, &piece)) > 0) {
        int version = spec->versions_count - 1;
        while (version >= 0 && (strlen(spec->versions[version].name) != length ||
                                strncmp(spec->versions[version].name, piece, length) != 0))
            version--;
        if (version >= 0 && version < 32 &&
            (version < scenario->since || version >= scenario->until))
            scenario->and_at |= UINT32_C(1) << version;
        else
            wcts_error_at(loader->diagnostics, &node->place,
                          "attribute \"and-at\" of <scenario> has \"%.*s\", expected a version "
                          "before since=, or from until= on",
                          (int)length, piece);
    }
}

static void load_scenario(struct wcts_loader *loader, const struct wcts_load_node *node,
                          struct wcts_scenario *scenario)
{
    scenario->name = wcts_load_node_value(node, "name");
    scenario->place = node->place;
    scenario->adapter = wcts_load_use_adapter(loader, node, "adapter", 0);
    scenario->since = wcts_load_use_version(loader, node, "since", 0);
    scenario->until = wcts_load_use_version(loader, node, "until", loader->spec->versions_count);
    scenario->or_later = wcts_load_yes(node, "or-later");
    scenario->driver = wcts_load_yes(node, "driver");
    scenario->kinds = wcts_load_yes(node, "kinds");
    scenario->moves = wcts_load_yes(node, "moves");
    load_further_versions(loader, node, scenario);
    load_page_sizes(loader, node, scenario);
    if (scenario->adapter < 0)
        return;
    load_loops(loader, node, scenario);
    check_loops(loader, node, scenario);
    load_acts(loader, node, scenario);
    load_effects(loader, node, "expect", &scenario->effects, &scenario->effect_count);
    load_effects(loader, node, "also", &scenario->also, &scenario->also_count);
}

void wcts_load_scenarios(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, cases->scenarios, wcts_load_count_elements(loader, WCTS_EL_SCENARIO));
    cases->common_symbols = cases->symbols_count;
    cases->common_steps = cases->steps_count;
    while (wcts_load_next_element(loader, &walk, WCTS_EL_SCENARIO)) {
        loader->scenario = cases->scenarios_count++;
        load_scenario(loader, walk.node, &cases->scenarios[loader->scenario]);
    }
    loader->scenario = -1;
}
