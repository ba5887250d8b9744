/* SPDX-License-Identifier: MIT */
/* cases/base.xml. Symbols and steps are numbered first: they name each other in any order. */
#include <string.h>

#include "../base/text.h"
#include "load.h"

/* ---- declarations ---- */

struct wcts_symbol *wcts_load_declare_symbol(struct wcts_loader *loader,
                                             const struct wcts_node *node, const char *attribute,
                                             enum wcts_symbol_kind kind)
{
    struct wcts_symbol *symbol = &loader->cases->symbols[loader->cases->symbols_count++];
    symbol->name = wcts_load_node_value(node, attribute);
    symbol->place = node->place;
    symbol->kind = kind;
    symbol->size = wcts_load_number(node, "size", 0);
    symbol->step = symbol->dead_by = symbol->of = symbol->state_by = symbol->after = -1;
    symbol->behind = -1;
    symbol->scenario = loader->scenario;
    return symbol;
}

struct wcts_step *wcts_load_declare_step(struct wcts_loader *loader, const struct wcts_node *node)
{
    struct wcts_step *step = &loader->cases->steps[loader->cases->steps_count++];
    step->name = wcts_load_node_value(node, "name");
    step->place = node->place;
    step->message = step->result = step->ends = step->result_structure = -1;
    step->result_ref = (struct wcts_ref){-1, -1, -1};
    step->until = loader->spec->versions_count;
    return step;
}

/* The symbols of the results of a step from this node on. */
void wcts_load_declare_takes(struct wcts_loader *loader, const struct wcts_node *node,
                             struct wcts_node *result, struct wcts_step *step)
{
    WCTS_LOAD_ARRAY(loader, step->outputs, wcts_load_node_count(node, WCTS_EL_RESULT));
    for (; result != NULL; result = wcts_load_node_next(node, result, WCTS_EL_RESULT)) {
        struct wcts_symbol *symbol =
            wcts_load_declare_symbol(loader, result, "symbol", WCTS_SYMBOL_HANDLE);
        symbol->kind_name = wcts_load_node_value(result, "kind");
        symbol->step = (int)(step - loader->cases->steps);
        step->outputs[step->output_count++].symbol = (int)(symbol - loader->cases->symbols);
    }
}

static void declare_steps(struct wcts_loader *loader)
{
    struct wcts_element_walk walk = {0};
    while (wcts_load_next_element(loader, &walk, WCTS_EL_STEP)) {
        struct wcts_node *result = wcts_load_node_next(walk.node, NULL, WCTS_EL_RESULT);
        struct wcts_step *step = wcts_load_declare_step(loader, walk.node);
        struct wcts_symbol *symbol;
        if (result == NULL)
            continue;
        symbol = wcts_load_declare_symbol(loader, result, "symbol", WCTS_SYMBOL_HANDLE);
        symbol->kind_name = wcts_load_node_value(result, "kind");
        symbol->step = (int)(step - loader->cases->steps);
        step->result = (int)(symbol - loader->cases->symbols);
        wcts_load_declare_takes(loader, walk.node,
                                wcts_load_node_next(walk.node, result, WCTS_EL_RESULT), step);
        if (strcmp(symbol->kind_name, "reservation") != 0)
            continue;
        symbol->kind = WCTS_SYMBOL_RESERVATION;
        symbol->kind_name = wcts_load_node_value(result, "of");
        if (symbol->kind_name == NULL) {
            symbol->kind_name = wcts_result_of_words[0];
            wcts_error_at(loader->diagnostics, &result->place,
                          "<result> of kind \"reservation\" has no attribute \"of\", expected one "
                          "of zero no-access free");
        }
    }
}

/* Room for the results of steps, and for the calls of scenarios, which are loaded later. */
static void make_room_for_cases(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_element_walk walk = {0};
    int regions = wcts_load_count_elements(loader, WCTS_EL_REGION);
    int symbols = regions + wcts_load_count_elements(loader, WCTS_EL_AREA);
    int steps = regions + wcts_load_count_elements(loader, WCTS_EL_STEP);
    while (wcts_load_next_element(loader, &walk, WCTS_EL_STEP))
        symbols += wcts_load_node_count(walk.node, WCTS_EL_RESULT);
    walk = (struct wcts_element_walk){0};
    while (wcts_load_next_element(loader, &walk, WCTS_EL_SCENARIO)) {
        struct wcts_node *call = NULL;
        symbols += wcts_load_node_count(walk.node, WCTS_EL_FOR);
        steps += wcts_load_node_count(walk.node, WCTS_EL_WRITE) +
                 wcts_load_node_count(walk.node, WCTS_EL_READ) +
                 wcts_load_node_count(walk.node, WCTS_EL_SPOIL) +
                 wcts_load_node_count(walk.node, WCTS_EL_CALL);
        while ((call = wcts_load_node_next(walk.node, call, WCTS_EL_CALL)) != NULL)
            symbols += wcts_load_node_count(call, WCTS_EL_RESULT);
    }
    WCTS_LOAD_ARRAY(loader, cases->symbols, symbols);
    WCTS_LOAD_ARRAY(loader, cases->steps, steps);
}

static void declare(struct wcts_loader *loader)
{
    struct wcts_element_walk walk = {0};
    make_room_for_cases(loader);
    while (wcts_load_next_element(loader, &walk, WCTS_EL_REGION)) {
        struct wcts_symbol *symbol =
            wcts_load_declare_symbol(loader, walk.node, "name", WCTS_SYMBOL_REGION);
        struct wcts_step *step = wcts_load_declare_step(loader, walk.node);
        symbol->kind_name = "region";
        symbol->attributes = (uint32_t)wcts_load_number(walk.node, "attributes", 0);
        symbol->step = (int)(step - loader->cases->steps);
        step->result = (int)(symbol - loader->cases->symbols);
    }
    declare_steps(loader);
    walk = (struct wcts_element_walk){0};
    while (wcts_load_next_element(loader, &walk, WCTS_EL_AREA)) {
        struct wcts_symbol *symbol =
            wcts_load_declare_symbol(loader, walk.node, "name", WCTS_SYMBOL_AREA);
        symbol->offset = wcts_load_number(walk.node, "offset", 0);
        symbol->state = wcts_load_word(walk.node, "state", wcts_page_state_words, 0);
        symbol->kind_name = "area";
    }
}

/* ---- instances ---- */

struct wcts_value wcts_load_value(struct wcts_loader *loader, const struct wcts_node *node,
                                  const char *attribute, const char *text, size_t length)
{
    struct wcts_use use = {node, attribute};
    struct wcts_value value = {-1, 0};
    const char *plus = memchr(text, '+', length);
    size_t name = plus == NULL ? length : (size_t)(plus - text);
    if (wcts_load_parse_number(text, length, &value.number))
        return value;
    value.number = 0;
    if (plus != NULL)
        wcts_load_parse_number(plus + 1, length - name - 1, &value.number);
    value.symbol = wcts_find_symbol(loader, use, text, name);
    return value;
}

static void load_sets(struct wcts_loader *loader, const struct wcts_node *node,
                      struct wcts_instance *instance)
{
    struct wcts_node *child = NULL;
    WCTS_LOAD_ARRAY(loader, instance->sets, wcts_load_node_count(node, WCTS_EL_SET));
    while ((child = wcts_load_node_next(node, child, WCTS_EL_SET)) != NULL) {
        struct wcts_set *set = &instance->sets[instance->set_count++];
        const char *to = wcts_load_node_value(child, "to");
        set->place = child->place;
        set->ref = wcts_load_use_ref(loader, child, "member", instance->structure);
        set->value = wcts_load_value(loader, child, "to", to, strlen(to));
    }
}

/* The instance that holds the pointer `at`: the last of that structure before count. */
static int holding_instance(const struct wcts_instance *instances, int count, struct wcts_ref at)
{
    for (int i = count - 1; i >= 0; i--)
        if (instances[i].structure == at.structure)
            return i;
    return -1;
}

static void load_at(struct wcts_loader *loader, const struct wcts_node *node,
                    struct wcts_instance *instances, int index)
{
    struct wcts_instance *instance = &instances[index];
    const struct wcts_member *member;
    instance->at = wcts_load_use_ref(loader, node, "at", -1);
    instance->at_instance = -1;
    if (instance->at.structure < 0)
        return;
    member = wcts_ref_member(loader->spec, instance->at);
    if (member->type != WCTS_TYPE_POINTER || instance->at.flag >= 0)
        wcts_error_at(
            loader->diagnostics, &node->place,
            "attribute \"at\" of <%s>: \"%s\" is not a pointer, expected a member of type "
            "pointer",
            node->element->name, wcts_load_node_value(node, "at"));
    instance->at_instance = holding_instance(instances, index, instance->at);
    if (instance->at_instance < 0)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"at\" of <%s>: no instance of \"%s\" comes before it",
                      node->element->name, loader->spec->structures[instance->at.structure].name);
}

static void load_when(struct wcts_loader *loader, const struct wcts_node *node,
                      struct wcts_instance *instances, int index)
{
    struct wcts_instance *instance = &instances[index];
    bool unless = wcts_load_node_value(node, "unless") != NULL;
    const char *attribute = unless ? "unless" : "when";
    if (unless && wcts_load_node_value(node, "when") != NULL)
        wcts_error_at(loader->diagnostics, &node->place,
                      "<struct> has both \"when\" and \"unless\", expected one of them");
    instance->when = wcts_load_use_ref(loader, node, attribute, -1);
    instance->unless = unless;
    if (instance->when.structure >= 0 && holding_instance(instances, index, instance->when) < 0)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"%s\" of <struct>: no instance of \"%s\" comes before it",
                      attribute, loader->spec->structures[instance->when.structure].name);
}

/* A <struct> or <answer>, which name structure and instance by different attributes. */
static void load_instance(struct wcts_loader *loader, const struct wcts_node *node,
                          const char *structure, const char *name, struct wcts_instance *instances,
                          int index)
{
    struct wcts_instance *instance = &instances[index];
    instance->place = node->place;
    instance->structure = wcts_load_use_structure(loader, node, structure, -1);
    instance->name = wcts_load_node_value(node, name);
    if (instance->name == NULL)
        instance->name = wcts_load_node_value(node, structure);
    if (instance->structure < 0) {
        instance->at = instance->when = (struct wcts_ref){-1, -1, -1};
        return;
    }
    load_at(loader, node, instances, index);
    load_when(loader, node, instances, index);
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

static void load_result(struct wcts_loader *loader, const struct wcts_node *node,
                        struct wcts_step *step)
{
    const struct wcts_message *message =
        step->message < 0 ? NULL : &loader->spec->messages[step->message];
    struct wcts_symbol *symbol = &loader->cases->symbols[step->result];
    step->result_ref =
        wcts_load_use_ref(loader, node, "member", message == NULL ? -1 : message->reply);
    step->result_structure = step->result_ref.structure;
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

void wcts_load_structs(struct wcts_loader *loader, const struct wcts_node *node,
                       struct wcts_step *step)
{
    struct wcts_node *child = NULL;
    const struct wcts_message *message =
        step->message < 0 ? NULL : &loader->spec->messages[step->message];
    WCTS_LOAD_ARRAY(loader, step->instances, wcts_load_node_count(node, WCTS_EL_STRUCT));
    while ((child = wcts_load_node_next(node, child, WCTS_EL_STRUCT)) != NULL) {
        int index = step->instance_count++;
        load_instance(loader, child, "name", "alias", step->instances, index);
        if (index > 0 && wcts_load_node_value(child, "at") == NULL)
            wcts_error_at(loader->diagnostics, &child->place,
                          "<struct> after the first has no attribute \"at\", expected the pointer "
                          "that leads to it");
        if (index == 0 && message != NULL && step->instances[0].structure >= 0 &&
            step->instances[0].structure != message->request)
            wcts_error_at(loader->diagnostics, &child->place,
                          "<struct> \"%s\" is the first of \"%s\", expected %s",
                          step->instances[0].name, message->name,
                          message->request < 0 ? "none"
                                               : loader->spec->structures[message->request].name);
    }
    if (step->instance_count == 0 && message != NULL && message->request >= 0)
        wcts_error_at(loader->diagnostics, &node->place,
                      "<step> \"%s\" has no <struct>, expected %s", step->name,
                      loader->spec->structures[message->request].name);
}

/* True if a structure occurs in the messages of a call: in its reply, in an array that its request
 * has too, or in an answer of the driver during the call. */
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
        if (reply == structure)
            return true;
        for (int m = 0; m < spec->structures[reply].member_count; m++) {
            const char *elements = spec->structures[reply].members[m].elements;
            if (elements != NULL && strcmp(elements, spec->structures[structure].name) == 0)
                return true;
        }
    }
    return false;
}

void wcts_load_takes(struct wcts_loader *loader, const struct wcts_node *node,
                     struct wcts_node *result, struct wcts_step *step)
{
    const struct wcts_spec *spec = loader->spec;
    int reply = step->message < 0 ? -1 : spec->messages[step->message].reply;
    for (int i = 0; i < step->output_count && result != NULL; i++) {
        struct wcts_step_output *take = &step->outputs[i];
        const char *otherwise = wcts_load_node_value(result, "else");
        take->ref = wcts_load_use_ref(loader, result, "member", reply);
        take->index = (int)wcts_load_number(result, "index", 0);
        take->otherwise = (struct wcts_value){-1, 0};
        if (otherwise != NULL)
            take->otherwise = wcts_load_value(loader, result, "else", otherwise, strlen(otherwise));
        if (take->ref.structure >= 0 && !occurs_in_call(spec, step, take->ref.structure))
            wcts_error_at(loader->diagnostics, &result->place,
                          "attribute \"member\" of <result>: the reply of \"%s\" has no \"%s\", "
                          "expected its structure or an array's of the request",
                          step->name, spec->structures[take->ref.structure].name);
        result = wcts_load_node_next(node, result, WCTS_EL_RESULT);
    }
}

static int count_needs(const struct wcts_node *node)
{
    const char *list = wcts_load_node_value(node, "needs");
    return list == NULL ? 0 : wcts_load_count_pieces(list);
}

static void add_needs(struct wcts_loader *loader, const struct wcts_node *node, int instance,
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
static void load_needs(struct wcts_loader *loader, const struct wcts_node *node,
                       struct wcts_step *step)
{
    struct wcts_node *child = NULL;
    int count = count_needs(node), instance = 0;
    while ((child = wcts_load_node_next(node, child, WCTS_EL_STRUCT)) != NULL)
        count += count_needs(child);
    WCTS_LOAD_ARRAY(loader, step->needs, count);
    WCTS_LOAD_ARRAY(loader, step->need_instances, count);
    add_needs(loader, node, -1, step);
    while ((child = wcts_load_node_next(node, child, WCTS_EL_STRUCT)) != NULL)
        add_needs(loader, child, instance++, step);
}

static void load_step(struct wcts_loader *loader, const struct wcts_node *node,
                      struct wcts_step *step)
{
    struct wcts_node *result = wcts_load_node_next(node, NULL, WCTS_EL_RESULT);
    const struct wcts_node *ends = wcts_load_node_next(node, NULL, WCTS_EL_ENDS);
    step->message = wcts_load_use_message(loader, node, "operation", -1);
    load_needs(loader, node, step);
    step->since = wcts_load_use_version(loader, node, "since", 0);
    step->until = wcts_load_use_version(loader, node, "until", loader->spec->versions_count);
    wcts_load_structs(loader, node, step);
    if (result != NULL) {
        load_result(loader, result, step);
        wcts_load_takes(loader, node, wcts_load_node_next(node, result, WCTS_EL_RESULT), step);
    }
    if (ends == NULL)
        return;
    step->ends = wcts_load_use_symbol(loader, ends, "symbol", -1);
    if (step->ends >= 0)
        loader->cases->symbols[step->ends].dead_by = (int)(step - loader->cases->steps);
}

static void load_regions(struct wcts_loader *loader)
{
    struct wcts_element_walk walk = {0};
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
    struct wcts_element_walk walk = {0};
    int symbol = loader->cases->symbols_count - wcts_load_count_elements(loader, WCTS_EL_AREA);
    for (; wcts_load_next_element(loader, &walk, WCTS_EL_AREA); symbol++) {
        struct wcts_symbol *area = &loader->cases->symbols[symbol];
        area->of = wcts_load_use_symbol(loader, walk.node, "in", -1);
        area->state_by = wcts_load_use_step(loader, walk.node, "by", -1);
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

static void load_adapter_answers(struct wcts_loader *loader, const struct wcts_node *node,
                                 struct wcts_adapter *adapter)
{
    struct wcts_node *answer = NULL;
    int inherited = adapter->instance_count;
    while ((answer = wcts_load_node_next(node, answer, WCTS_EL_ANSWER)) != NULL) {
        struct wcts_instance *made = &adapter->instances[adapter->instance_count];
        int like;
        load_instance(loader, answer, "structure", "name", adapter->instances,
                      adapter->instance_count);
        like = answer_like(adapter, inherited, made);
        if (like < 0) {
            adapter->instance_count++;
            continue;
        }
        wcts_load_override(loader, &adapter->instances[like], made->sets, made->set_count);
        memset(made, 0, sizeof *made);
    }
}

void wcts_load_adapters(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_element_walk walk = {0};
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

static void load_bases(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, cases->bases, wcts_load_count_elements(loader, WCTS_EL_BASE));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_BASE)) {
        struct wcts_base *base = &cases->bases[cases->bases_count++];
        base->name = wcts_load_node_value(walk.node, "name");
        base->place = walk.node->place;
        base->step = wcts_load_use_step(loader, walk.node, "step", -1);
        base->adapter = wcts_load_use_adapter(loader, walk.node, "adapter", -1);
        base->since = wcts_load_use_version(loader, walk.node, "since", 0);
        base->until =
            wcts_load_use_version(loader, walk.node, "until", loader->spec->versions_count);
        base->driver = wcts_load_yes(walk.node, "driver");
        base->kinds = wcts_load_yes(walk.node, "kinds");
    }
}

static void load_domains(struct wcts_loader *loader)
{
    struct wcts_cases *cases = loader->cases;
    struct wcts_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, cases->domains, wcts_load_count_elements(loader, WCTS_EL_DOMAIN));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_DOMAIN)) {
        struct wcts_domain *domain = &cases->domains[cases->domains_count++];
        const char *list = wcts_load_node_value(walk.node, "values"), *piece;
        size_t length;
        domain->place = walk.node->place;
        domain->of = wcts_load_use_ref(loader, walk.node, "of", -1);
        domain->only = wcts_load_yes(walk.node, "only");
        WCTS_LOAD_ARRAY(loader, domain->values, wcts_load_count_pieces(list));
        while ((length = wcts_next_piece(&list, &piece)) > 0)
            domain->values[domain->value_count++] =
                wcts_load_value(loader, walk.node, "values", piece, length);
    }
}

void wcts_load_cases(struct wcts_loader *loader)
{
    struct wcts_element_walk walk = {0};
    declare(loader);
    for (int step = wcts_load_count_elements(loader, WCTS_EL_REGION);
         wcts_load_next_element(loader, &walk, WCTS_EL_STEP); step++)
        load_step(loader, walk.node, &loader->cases->steps[step]);
    load_regions(loader);
    load_areas(loader);
    wcts_load_adapters(loader);
    load_bases(loader);
    load_domains(loader);
}
