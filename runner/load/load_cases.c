/* SPDX-License-Identifier: MIT */
/* cases/base.xml. Symbols and steps are numbered first: they name each other in any order. */
#include <string.h>

#include "../base/text.h"
#include "load.h"

/* ---- declarations ---- */

struct wcts_symbol *wcts_load_declare_symbol(struct wcts_loader *loader,
                                             const struct wcts_load_node *node, const char *name,
                                             enum wcts_symbol_kind kind)
{
    struct wcts_symbol *symbol = &loader->cases->symbols[loader->cases->symbols_count++];
    symbol->name = name;
    symbol->place = node->place;
    symbol->kind = kind;
    symbol->size = wcts_load_number(node, "size", 0);
    symbol->step = symbol->dead_by = symbol->of = symbol->after = -1;
    symbol->behind = -1;
    symbol->scenario = loader->scenario;
    return symbol;
}

struct wcts_step *wcts_load_declare_step(struct wcts_loader *loader,
                                         const struct wcts_load_node *node)
{
    struct wcts_step *step = &loader->cases->steps[loader->cases->steps_count];
    loader->step_nodes[loader->cases->steps_count++] = node;
    step->name = wcts_load_node_value(node, "name");
    step->place = node->place;
    step->message = step->result = step->ends = step->result_structure = -1;
    step->result_ref = (struct wcts_ref){-1, -1, -1};
    step->until = loader->spec->versions_count;
    return step;
}

/* A reservation is one of a kind of its own, what its pages are; in a scenario whose acts stay as
 * they are nobody has to know. */
static void set_kind(const struct wcts_load_node *result, struct wcts_symbol *symbol)
{
    const char *of = wcts_load_node_value(result, "of");
    symbol->kind_name = wcts_load_node_value(result, "kind");
    if (strcmp(symbol->kind_name, "reservation") != 0 || of == NULL)
        return;
    symbol->kind = WCTS_SYMBOL_RESERVATION;
    symbol->kind_name = of;
}

struct wcts_step_output *wcts_load_declare_output(struct wcts_loader *loader,
                                                  const struct wcts_load_node *node,
                                                  const char *name,
                                                  const struct wcts_load_node *result,
                                                  struct wcts_step *step)
{
    struct wcts_step_output *output = &step->outputs[step->output_count++];
    struct wcts_symbol *symbol = wcts_load_declare_symbol(loader, node, name, WCTS_SYMBOL_HANDLE);
    set_kind(result, symbol);
    symbol->step = (int)(step - loader->cases->steps);
    output->symbol = (int)(symbol - loader->cases->symbols);
    return output;
}

/* The next result that a step keeps under a name. One without is there for calls like it. */
static struct wcts_load_node *next_kept(const struct wcts_load_node *node,
                                        const struct wcts_load_node *after)
{
    struct wcts_load_node *result = wcts_load_node_next(node, after, WCTS_EL_RESULT);
    while (result != NULL && wcts_load_node_value(result, "symbol") == NULL)
        result = wcts_load_node_next(node, result, WCTS_EL_RESULT);
    return result;
}

static void declare_results(struct wcts_loader *loader, const struct wcts_load_node *node,
                            struct wcts_step *step)
{
    struct wcts_load_node *result = next_kept(node, NULL);
    struct wcts_symbol *symbol;
    if (result == NULL)
        return;
    symbol = wcts_load_declare_symbol(loader, result, wcts_load_node_value(result, "symbol"),
                                      WCTS_SYMBOL_HANDLE);
    set_kind(result, symbol);
    symbol->step = (int)(step - loader->cases->steps);
    step->result = (int)(symbol - loader->cases->symbols);
    if (strcmp(symbol->kind_name, "reservation") == 0) {
        symbol->kind = WCTS_SYMBOL_RESERVATION;
        symbol->kind_name = wcts_result_of_words[0];
        wcts_error_at(loader->diagnostics, &result->place,
                      "<result> of kind \"reservation\" has no attribute \"of\", expected one "
                      "of zero no-access free");
    }
    WCTS_LOAD_ARRAY(loader, step->outputs, wcts_load_node_count(node, WCTS_EL_RESULT));
    while ((result = next_kept(node, result)) != NULL)
        wcts_load_declare_output(loader, result, wcts_load_node_value(result, "symbol"), result,
                                 step);
}

/* Room for the results of steps, and for the calls of scenarios, which are loaded later. */
static void make_room_for_cases(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_load_element_walk walk = {0};
    int regions = wcts_load_count_elements(loader, WCTS_EL_REGION);
    int symbols = regions + wcts_load_count_elements(loader, WCTS_EL_AREA);
    int steps = regions + wcts_load_count_elements(loader, WCTS_EL_STEP);
    while (wcts_load_next_element(loader, &walk, WCTS_EL_STEP))
        symbols += wcts_load_node_count(walk.node, WCTS_EL_RESULT);
    walk = (struct wcts_load_element_walk){0};
    while (wcts_load_next_element(loader, &walk, WCTS_EL_SCENARIO)) {
        struct wcts_load_node *call = NULL;
        symbols += wcts_load_node_count(walk.node, WCTS_EL_FOR);
        steps += wcts_load_node_count(walk.node, WCTS_EL_WRITE) +
                 wcts_load_node_count(walk.node, WCTS_EL_READ) +
                 wcts_load_node_count(walk.node, WCTS_EL_SPOIL) +
                 wcts_load_node_count(walk.node, WCTS_EL_CALL);
        while ((call = wcts_load_node_next(walk.node, call, WCTS_EL_CALL)) != NULL)
            symbols += wcts_load_node_count(call, WCTS_EL_RESULT) +
                       wcts_load_count_pieces(wcts_load_node_value(call, "as"));
    }
    WCTS_LOAD_ARRAY(loader, cases->symbols, symbols);
    WCTS_LOAD_ARRAY(loader, cases->steps, steps);
    WCTS_LOAD_ARRAY(loader, loader->step_nodes, steps);
}

static void declare_symbols(struct wcts_loader *loader)
{
    struct wcts_load_element_walk walk = {0};
    make_room_for_cases(loader);
    while (wcts_load_next_element(loader, &walk, WCTS_EL_REGION)) {
        struct wcts_symbol *symbol = wcts_load_declare_symbol(
            loader, walk.node, wcts_load_node_value(walk.node, "name"), WCTS_SYMBOL_REGION);
        struct wcts_step *step = wcts_load_declare_step(loader, walk.node);
        symbol->kind_name = "region";
        symbol->attributes = (uint32_t)wcts_load_number(walk.node, "attributes", 0);
        symbol->step = (int)(step - loader->cases->steps);
        step->result = (int)(symbol - loader->cases->symbols);
    }
    walk = (struct wcts_load_element_walk){0};
    while (wcts_load_next_element(loader, &walk, WCTS_EL_STEP))
        declare_results(loader, walk.node, wcts_load_declare_step(loader, walk.node));
    walk = (struct wcts_load_element_walk){0};
    while (wcts_load_next_element(loader, &walk, WCTS_EL_AREA)) {
        struct wcts_symbol *symbol = wcts_load_declare_symbol(
            loader, walk.node, wcts_load_node_value(walk.node, "name"), WCTS_SYMBOL_AREA);
        symbol->offset = wcts_load_number(walk.node, "offset", 0);
        symbol->state = wcts_load_word(walk.node, "state", wcts_page_state_words, 0);
        symbol->kind_name = "area";
    }
}

/* ---- instances ---- */

struct wcts_set wcts_load_set(struct wcts_loader *loader, const struct wcts_load_node *node,
                              const struct wcts_load_argument *argument, int on)
{
    struct wcts_load_use use = {node, argument->name};
    struct wcts_set set = {.place = node->place};
    set.ref = wcts_load_find_ref(loader, use, argument->name, strlen(argument->name), on);
    set.value =
        wcts_load_value(loader, node, argument->name, argument->value, strlen(argument->value));
    return set;
}

static void load_sets(struct wcts_loader *loader, const struct wcts_load_node *node,
                      struct wcts_instance *instance)
{
    WCTS_LOAD_ARRAY(loader, instance->sets, node->more_count);
    for (int i = 0; i < node->more_count; i++)
        instance->sets[instance->set_count++] =
            wcts_load_set(loader, node, &node->more[i], instance->structure);
}

/* The instance that holds the pointer `at`: the last of that structure before count. */
static int holding_instance(const struct wcts_instance *instances, int count, struct wcts_ref at)
{
    for (int i = count - 1; i >= 0; i--)
        if (instances[i].structure == at.structure)
            return i;
    return -1;
}

static void load_at(struct wcts_loader *loader, const struct wcts_load_node *node, int root,
                    struct wcts_instance *instances, int index)
{
    struct wcts_instance *instance = &instances[index];
    const struct wcts_member *member;
    instance->at = wcts_load_use_ref(loader, node, "at", root);
    instance->at_instance = -1;
    if (instance->at.structure < 0)
        return;
    member = wcts_model_ref_member(loader->spec, instance->at);
    if (member->type != WCTS_TYPE_POINTER || instance->at.flag >= 0)
        wcts_error_at(
            loader->diagnostics, &node->place,
            "attribute \"at\" of <%s>: \"%s\" is not a pointer, expected a member of type "
            "pointer",
            wcts_load_node_element(node)->name, wcts_load_node_value(node, "at"));
    instance->at_instance = holding_instance(instances, index, instance->at);
    if (instance->at_instance < 0)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"at\" of <%s>: no instance of \"%s\" comes before it",
                      wcts_load_node_element(node)->name,
                      loader->spec->structures[instance->at.structure].name);
}

static void load_when(struct wcts_loader *loader, const struct wcts_load_node *node, int root,
                      struct wcts_instance *instances, int index)
{
    struct wcts_instance *instance = &instances[index];
    bool unless = wcts_load_node_value(node, "unless") != NULL;
    const char *attribute = unless ? "unless" : "when";
    if (unless && wcts_load_node_value(node, "when") != NULL)
        wcts_error_at(loader->diagnostics, &node->place,
                      "<struct> has both \"when\" and \"unless\", expected one of them");
    instance->when = wcts_load_use_ref(loader, node, attribute, root);
    instance->unless = unless;
    instance->least = (int)wcts_load_number(node, "least", 1);
    if (instance->when.structure >= 0 && holding_instance(instances, index, instance->when) < 0)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"%s\" of <struct>: no instance of \"%s\" comes before it",
                      attribute, loader->spec->structures[instance->when.structure].name);
}

static void load_struct(struct wcts_loader *loader, const struct wcts_load_node *node,
                        struct wcts_instance *instances, int index)
{
    struct wcts_instance *instance = &instances[index];
    instance->place = node->place;
    instance->at = instance->when = (struct wcts_ref){-1, -1, -1};
    instance->structure = wcts_load_use_structure(loader, node, "name", -1);
    instance->name = wcts_load_node_value(node, "alias");
    if (instance->name == NULL)
        instance->name = wcts_load_node_value(node, "name");
    if (instance->structure < 0)
        return;
    load_at(loader, node, instances[0].structure, instances, index);
    load_when(loader, node, instances[0].structure, instances, index);
    load_sets(loader, node, instance);
}

/* ---- steps ---- */

static bool has_instance(const struct wcts_step *step, int structure)
{
    for (int i = 0; i < step->instance_count; i++)
        if (step->instances[i].structure == structure)
            return true;
    return false;
}

static void load_result(struct wcts_loader *loader, const struct wcts_load_node *node,
                        struct wcts_step *step)
{
    const struct wcts_message *message =
        step->message < 0 ? NULL : &loader->spec->messages[step->message];
    struct wcts_symbol *symbol = &loader->cases->symbols[step->result];
    step->result_ref =
        wcts_load_use_ref(loader, node, "member", message == NULL ? -1 : message->reply);
    step->result_structure = step->result_ref.structure;
    step->result_index = (int)wcts_load_number(node, "index", 0);
    symbol->after = wcts_load_use_symbol(loader, node, "after", -1);
    if (message == NULL || step->result_structure < 0)
        return;
    if (step->result_structure != message->reply && !has_instance(step, step->result_structure))
        wcts_error_at(
            loader->diagnostics, &node->place,
            "attribute \"member\" of <result>: the reply of \"%s\" has no \"%s\", expected "
            "its structure or an array's of the request",
            message->name, loader->spec->structures[step->result_structure].name);
}

void wcts_load_structs(struct wcts_loader *loader, const struct wcts_load_node *node,
                       struct wcts_step *step)
{
    struct wcts_load_node *child = wcts_load_node_next(node, NULL, WCTS_EL_STRUCT);
    struct wcts_instance *root;
    int request = step->message < 0 ? -1 : loader->spec->messages[step->message].request;
    if (step->message < 0)
        return;
    if (request < 0) {
        if (node->more_count > 0 || child != NULL)
            wcts_error_at(loader->diagnostics, child == NULL ? &node->place : &child->place,
                          "\"%s\" has no request, expected neither members nor <struct>",
                          loader->spec->messages[step->message].name);
        return;
    }
    WCTS_LOAD_ARRAY(loader, step->instances, wcts_load_node_count(node, WCTS_EL_STRUCT) + 1);
    root = &step->instances[step->instance_count++];
    root->place = node->place;
    root->structure = request;
    root->name = loader->spec->structures[request].name;
    root->at = root->when = (struct wcts_ref){-1, -1, -1};
    root->at_instance = -1;
    load_sets(loader, node, root);
    for (; child != NULL; child = wcts_load_node_next(node, child, WCTS_EL_STRUCT))
        load_struct(loader, child, step->instances, step->instance_count++);
}

/* True if a structure occurs in the messages of a call: in its reply, in an array that its request
 * has too, or in a request to the driver or its answer during the call. */
static bool occurs_in_call(const struct wcts_spec *spec, const struct wcts_step *step,
                           int structure)
{
    if (step->message < 0 || structure == spec->messages[step->message].reply ||
        has_instance(step, structure))
        return true;
    for (int i = 0; i < spec->messages_count; i++) {
        int reply = spec->messages[i].reply;
        if (!spec->messages[i].driver || reply < 0)
            continue;
        if (reply == structure || spec->messages[i].request == structure)
            return true;
        for (int m = 0; m < spec->structures[reply].member_count; m++) {
            const char *elements = spec->structures[reply].members[m].elements;
            if (elements != NULL && strcmp(elements, spec->structures[structure].name) == 0)
                return true;
        }
    }
    return false;
}

void wcts_load_output(struct wcts_loader *loader, const struct wcts_load_node *result,
                      const struct wcts_step *step, struct wcts_step_output *output)
{
    const struct wcts_spec *spec = loader->spec;
    const char *otherwise = wcts_load_node_value(result, "else");
    output->ref = wcts_load_use_ref(loader, result, "member",
                                    step->message < 0 ? -1 : spec->messages[step->message].reply);
    output->index = (int)wcts_load_number(result, "index", 0);
    output->otherwise = (struct wcts_value){.symbol = -1, .number = 0};
    if (otherwise != NULL)
        output->otherwise = wcts_load_value(loader, result, "else", otherwise, strlen(otherwise));
    if (output->ref.structure >= 0 && !occurs_in_call(spec, step, output->ref.structure))
        wcts_error_at(loader->diagnostics, &result->place,
                      "attribute \"member\" of <result>: the reply of \"%s\" has no \"%s\", "
                      "expected its structure or an array's of the request",
                      step->name, spec->structures[output->ref.structure].name);
}

/* The results that a step keeps; the first may be a reservation. */
static void load_results(struct wcts_loader *loader, const struct wcts_load_node *node,
                         struct wcts_step *step)
{
    struct wcts_load_node *result = NULL;
    int output = -1; /* the first that is kept is none of them */
    while ((result = wcts_load_node_next(node, result, WCTS_EL_RESULT)) != NULL) {
        struct wcts_step_output not_kept;
        if (wcts_load_node_value(result, "symbol") == NULL)
            wcts_load_output(loader, result, step, &not_kept);
        else if (output++ < 0)
            load_result(loader, result, step);
        else
            wcts_load_output(loader, result, step, &step->outputs[output - 1]);
    }
}

static int count_needs(const struct wcts_load_node *node)
{
    const char *list = wcts_load_node_value(node, "needs");
    return list == NULL ? 0 : wcts_load_count_pieces(list);
}

static void add_needs(struct wcts_loader *loader, const struct wcts_load_node *node, int instance,
                      struct wcts_step *step)
{
    int count;
    const int *list = wcts_load_use_list(loader, node, "needs", wcts_find_step, &count);
    for (int i = 0; i < count; i++) {
        step->needs[step->need_count] = list[i];
        step->need_instances[step->need_count++] = instance;
    }
}

/* The needs of the step itself, then those of its instances. */
static void load_needs(struct wcts_loader *loader, const struct wcts_load_node *node,
                       struct wcts_step *step)
{
    struct wcts_load_node *child = NULL;
    int count = count_needs(node), instance = 1;
    while ((child = wcts_load_node_next(node, child, WCTS_EL_STRUCT)) != NULL)
        count += count_needs(child);
    WCTS_LOAD_ARRAY(loader, step->needs, count);
    WCTS_LOAD_ARRAY(loader, step->need_instances, count);
    add_needs(loader, node, -1, step);
    while ((child = wcts_load_node_next(node, child, WCTS_EL_STRUCT)) != NULL)
        add_needs(loader, child, instance++, step);
}

static void load_step(struct wcts_loader *loader, const struct wcts_load_node *node,
                      struct wcts_step *step)
{
    const struct wcts_load_node *ends = wcts_load_node_next(node, NULL, WCTS_EL_ENDS);
    step->message = wcts_load_use_message(loader, node, "operation", -1);
    load_needs(loader, node, step);
    step->since = wcts_load_use_version(loader, node, "since", 0);
    step->until = wcts_load_use_version(loader, node, "until", loader->spec->versions_count);
    wcts_load_structs(loader, node, step);
    load_results(loader, node, step);
    if (ends == NULL)
        return;
    step->ends = wcts_load_use_symbol(loader, ends, "symbol", -1);
    if (step->ends >= 0)
        loader->cases->symbols[step->ends].dead_by = (int)(step - loader->cases->steps);
}

static void load_regions(struct wcts_loader *loader)
{
    struct wcts_load_element_walk walk = {0};
    for (int i = 0; wcts_load_next_element(loader, &walk, WCTS_EL_REGION); i++) {
        struct wcts_symbol *symbol = &loader->cases->symbols[i];
        struct wcts_step *step = &loader->cases->steps[symbol->step];
        symbol->behind = wcts_load_use_symbol(loader, walk.node, "behind", -1);
        if (symbol->behind < 0 || loader->cases->symbols[symbol->behind].step < 0)
            continue;
        /* Its beginning is known once the other one has been made. */
        WCTS_LOAD_ARRAY(loader, step->needs, 1);
        WCTS_LOAD_ARRAY(loader, step->need_instances, 1);
        step->need_instances[0] = -1;
        step->needs[step->need_count++] = loader->cases->symbols[symbol->behind].step;
    }
}

static void load_areas(struct wcts_loader *loader)
{
    struct wcts_load_element_walk walk = {0};
    int symbol = loader->cases->symbols_count - wcts_load_count_elements(loader, WCTS_EL_AREA);
    for (; wcts_load_next_element(loader, &walk, WCTS_EL_AREA); symbol++) {
        struct wcts_symbol *area = &loader->cases->symbols[symbol];
        area->of = wcts_load_use_symbol(loader, walk.node, "in", -1);
        wcts_load_use_step(loader, walk.node, "by", -1); /* for the reader of the cases alone */
        if (area->of < 0)
            continue;
        area->step = loader->cases->symbols[area->of].step;
        if (loader->cases->symbols[area->of].kind != WCTS_SYMBOL_RESERVATION)
            wcts_error_at(loader->diagnostics, &area->place,
                          "attribute \"in\" of <area>: \"%s\" is not a reservation, expected one",
                          loader->cases->symbols[area->of].name);
    }
}

/* ---- adapters, bases, domains ---- */

/* The index of an answer among those that the adapter inherits, -1 if it is new. */
static int answer_like(const struct wcts_adapter *adapter, int inherited,
                       const struct wcts_instance *answer)
{
    for (int i = 0; i < inherited; i++)
        if (adapter->instances[i].structure == answer->structure &&
            strcmp(adapter->instances[i].name, answer->name) == 0)
            return i;
    return -1;
}

void wcts_load_override(struct wcts_loader *loader, struct wcts_instance *instance,
                        const struct wcts_set *sets, int count)
{
    int total = instance->set_count + count;
    struct wcts_set *all = wcts_arena_array(loader->arena, (size_t)total, sizeof(*all));
    int used = instance->set_count;
    for (int i = 0; i < used; i++)
        all[i] = instance->sets[i];
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (at < used &&
               (all[at].ref.member != sets[i].ref.member || all[at].ref.flag != sets[i].ref.flag))
            at++;
        all[at] = sets[i];
        used += at == used;
    }
    instance->sets = all;
    instance->set_count = used;
}

/* The answer that another repeats: of the same adapter, else one that stands by itself. */
static const struct wcts_instance *find_answer(struct wcts_loader *loader,
                                               const struct wcts_load_node *node,
                                               const struct wcts_adapter *adapter)
{
    const char *like = wcts_load_node_value(node, "like");
    struct wcts_near near = wcts_model_near_start(like, strlen(like));
    const struct {
        const struct wcts_instance *instances;
        int count;
    } lists[] = {{adapter->instances, adapter->instance_count},
                 {loader->answers, loader->answer_count}};
    for (int list = 0; list < 2; list++)
        for (int i = 0; i < lists[list].count; i++)
            if (wcts_text_same(lists[list].instances[i].name, like))
                return &lists[list].instances[i];
    for (int list = 0; list < 2; list++)
        for (int i = 0; i < lists[list].count; i++)
            wcts_model_near_try(&near, lists[list].instances[i].name);
    wcts_load_report_unknown(loader, (struct wcts_load_use){node, "like"}, "answer", &near, NULL);
    return NULL;
}

/* The next answer of adapter, in its first free instance. */
static void load_answer(struct wcts_loader *loader, const struct wcts_load_node *node,
                        const struct wcts_adapter *adapter)
{
    int index = adapter->instance_count;
    struct wcts_instance own = {.structure = -1}, *answer = &adapter->instances[index];
    const struct wcts_instance *from = NULL;
    answer->place = node->place;
    answer->at = answer->when = (struct wcts_ref){-1, -1, -1};
    answer->structure = wcts_load_use_structure(loader, node, "structure", -1);
    answer->name = wcts_load_node_value(node, "name");
    if (wcts_load_node_value(node, "like") != NULL) {
        from = find_answer(loader, node, adapter);
        if (wcts_load_node_value(node, "structure") != NULL)
            wcts_error_at(loader->diagnostics, &node->place,
                          "<answer> has both \"structure\" and \"like\", expected one of them");
        answer->structure = from == NULL ? -1 : from->structure;
    }
    if (answer->name == NULL && answer->structure >= 0)
        answer->name = loader->spec->structures[answer->structure].name;
    if (answer->structure < 0)
        return;
    load_at(loader, node, -1, adapter->instances, index);
    own.structure = answer->structure;
    load_sets(loader, node, &own);
    if (from != NULL) {
        answer->sets = from->sets;
        answer->set_count = from->set_count;
    }
    wcts_load_override(loader, answer, own.sets, own.set_count);
}

static void load_adapter_answers(struct wcts_loader *loader, const struct wcts_load_node *node,
                                 struct wcts_adapter *adapter)
{
    struct wcts_load_node *answer = NULL;
    int inherited = adapter->instance_count;
    while ((answer = wcts_load_node_next(node, answer, WCTS_EL_ANSWER)) != NULL) {
        struct wcts_instance *made = &adapter->instances[adapter->instance_count];
        int like;
        load_answer(loader, answer, adapter);
        if (made->name == NULL)
            continue;
        like = answer_like(adapter, inherited, made);
        if (like < 0) {
            adapter->instance_count++;
            continue;
        }
        wcts_load_override(loader, &adapter->instances[like], made->sets, made->set_count);
        memset(made, 0, sizeof *made);
    }
}

/* Answers by themselves, for those of adapters to be like. */
static void load_answers(struct wcts_loader *loader)
{
    struct wcts_load_element_walk walk = {0};
    struct wcts_adapter all = {0};
    WCTS_LOAD_ARRAY(loader, all.instances, wcts_load_count_elements(loader, WCTS_EL_ANSWER));
    loader->answers = all.instances;
    while (wcts_load_next_element(loader, &walk, WCTS_EL_ANSWER)) {
        load_answer(loader, walk.node, &all);
        if (wcts_load_node_value(walk.node, "name") == NULL)
            wcts_error_at(loader->diagnostics, &walk.node->place,
                          "<answer> of no adapter has no attribute \"name\", expected one");
        else
            loader->answer_count = ++all.instance_count;
    }
}

static void load_adapters(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, cases->adapters, wcts_load_count_elements(loader, WCTS_EL_ADAPTER));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_ADAPTER)) {
        struct wcts_adapter *adapter = &cases->adapters[cases->adapters_count];
        int like = wcts_load_use_adapter(loader, walk.node, "like", -1);
        const struct wcts_adapter *from = like < 0 ? NULL : &cases->adapters[like];
        size_t answers = (size_t)wcts_load_node_count(walk.node, WCTS_EL_ANSWER);
        cases->adapters_count++;
        adapter->name = wcts_load_node_value(walk.node, "name");
        adapter->place = walk.node->place;
        adapter->since = wcts_load_use_version(loader, walk.node, "since", from ? from->since : 0);
        adapter->until =
            wcts_load_use_version(loader, walk.node, "until", loader->spec->versions_count);
        WCTS_LOAD_ARRAY(loader, adapter->instances,
                        answers + (from ? (size_t)from->instance_count : 0));
        for (int i = 0; from != NULL && i < from->instance_count; i++)
            adapter->instances[adapter->instance_count++] = from->instances[i];
        load_adapter_answers(loader, walk.node, adapter);
    }
}

void wcts_load_cases(struct wcts_loader *loader)
{
    struct wcts_load_element_walk walk = {0};
    declare_symbols(loader);
    for (int step = wcts_load_count_elements(loader, WCTS_EL_REGION);
         wcts_load_next_element(loader, &walk, WCTS_EL_STEP); step++)
        load_step(loader, walk.node, &loader->cases->steps[step]);
    load_regions(loader);
    load_areas(loader);
    load_answers(loader);
    load_adapters(loader);
    wcts_load_bases(loader);
}
