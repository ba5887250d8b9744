/* SPDX-License-Identifier: MIT */
/* Versions, words, structures and messages. */
#include <string.h>

#include "../model/binding.h"
#include "../model/names.h"
#include "load.h"

void wcts_load_versions(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->versions, wcts_load_count_elements(loader, WCTS_EL_VERSION));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_VERSION)) {
        struct wcts_version *version = &spec->versions[spec->versions_count++];
        version->name = wcts_load_node_value(walk.node, "name");
        version->id = wcts_load_node_value(walk.node, "id");
        version->interface_version = (uint32_t)wcts_load_number(walk.node, "interface", 0);
        version->place = walk.node->place;
    }
    /* The version of the spec itself: of the first file that has one. */
    for (int i = 0; i < loader->root_count && !spec->version; i++)
        if (loader->roots[i].node->kind == WCTS_EL_VERSIONS)
            spec->version = wcts_load_node_value(loader->roots[i].node, "spec");
}

/* ---- words ---- */

/* "1.0" or "1.0..1.1": the versions, both included, at which a set bit is not judged. */
static void load_open(struct wcts_loader *loader, const struct wcts_load_node *node,
                      struct wcts_flag *flag)
{
    const char *value = wcts_load_node_value(node, "open"), *dots;
    struct wcts_load_use use = {node, "open"};
    int last;
    if (value == NULL)
        return;
    dots = strstr(value, "..");
    flag->open_since = last = wcts_find_version(
        loader, use, value, dots == NULL ? strlen(value) : (size_t)(dots - value));
    if (dots != NULL)
        last = wcts_find_version(loader, use, dots + 2, strlen(dots + 2));
    flag->open_until = last + 1;
}

static void load_flag(struct wcts_loader *loader, const struct wcts_load_node *node,
                      struct wcts_flag *flag)
{
    flag->name = wcts_load_node_value(node, "name");
    flag->place = node->place;
    flag->bit = (int)wcts_load_number(node, "bit", 0);
    flag->since = wcts_load_use_version(loader, node, "since", 0);
    flag->until = wcts_load_use_version(loader, node, "until", loader->spec->versions_count);
    flag->mapped = wcts_load_yes(node, "mapped");
    flag->gate = -1;
    load_open(loader, node, flag);
}

static void load_word(struct wcts_loader *loader, const struct wcts_load_element_walk *walk,
                      struct wcts_word *word)
{
    struct wcts_load_node *flag = NULL;
    word->name = wcts_load_node_value(walk->node, "name");
    word->place = walk->node->place;
    word->document = walk->document;
    word->statement = -1; /* wcts_load_statements */
    word->bits = (int)wcts_load_number(walk->node, "bits", 0);
    word->order = wcts_load_node_value(walk->node, "order");
    WCTS_LOAD_ARRAY(loader, word->flags, wcts_load_node_count(walk->node, WCTS_EL_FLAG));
    while ((flag = wcts_load_node_next(walk->node, flag, WCTS_EL_FLAG)) != NULL)
        load_flag(loader, flag, &word->flags[word->flag_count++]);
}

void wcts_load_words(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->words, wcts_load_count_elements(loader, WCTS_EL_WORD));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_WORD))
        load_word(loader, &walk, &spec->words[spec->words_count++]);
}

/* ---- structures ---- */

static void try_field(void *context, const char *field)
{
    wcts_model_near_try(context, field);
}

static void bind_member(struct wcts_loader *loader, const struct wcts_load_node *node,
                        const struct wcts_structure *structure, struct wcts_member *member)
{
    const struct wcts_binding_member *row =
        wcts_model_binding_find_member(structure->type, member->field);
    struct wcts_load_use use = {node, "field"};
    struct wcts_near near;
    if (row != NULL) {
        member->offset = row->offset;
        member->width = row->width;
        return;
    }
    near = wcts_model_near_start(member->field, strlen(member->field));
    wcts_model_binding_each_field(structure->type, try_field, &near);
    wcts_load_report_unknown(loader, use, "field", &near, structure->type);
}

/* numbers="Transfer=0 MapAperture=5": the numbers, of which it returns how many there are. */
static int load_numbers(struct wcts_loader *loader, const struct wcts_load_node *node,
                        const char *attribute, struct wcts_number **numbers)
{
    const char *list = wcts_load_node_value(node, attribute), *piece, *equals;
    size_t length;
    int count = 0;
    if (!list)
        return 0;
    WCTS_LOAD_ARRAY(loader, *numbers, wcts_load_count_pieces(list));
    while ((length = wcts_next_piece(&list, &piece)) > 0) {
        struct wcts_number *one = &(*numbers)[count];
        equals = memchr(piece, '=', length);
        if (!equals || equals == piece ||
            !wcts_load_parse_number(equals + 1, length - (size_t)(equals + 1 - piece),
                                    &one->number)) {
            wcts_error_at(loader->diagnostics, &node->place,
                          "attribute \"%s\" of <member>: \"%.*s\", expected NAME=NUMBER", attribute,
                          (int)length, piece);
            continue;
        }
        one->name = wcts_arena_string(loader->arena, piece, (size_t)(equals - piece));
        for (int i = 0; i < count; i++)
            if (strcmp((*numbers)[i].name, one->name) == 0)
                wcts_error_at(loader->diagnostics, &node->place,
                              "attribute \"%s\" of <member>: second \"%s\", expected one",
                              attribute, one->name);
        count++;
    }
    return count;
}

/* fields="WriteOperation=1 SegmentId=5": no more bits than the member has. */
static void check_fields(struct wcts_loader *loader, const struct wcts_load_node *node,
                         const struct wcts_member *member)
{
    uint64_t bits = 0;
    for (int i = 0; i < member->field_count; i++) {
        uint64_t width = member->fields[i].number;
        bits = width == 0 || width > 64 ? UINT64_MAX : bits + (bits > 64 ? 0 : width);
        if (bits > 64)
            break;
    }
    if (bits > 64)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"fields\" of <member>: more bits than 64, or a field of none, "
                      "expected the width of each");
}

static void load_meaning(struct wcts_loader *loader, const struct wcts_load_node *node,
                         struct wcts_structure *structure, int member)
{
    int meaning = wcts_load_word(node, "means", wcts_meaning_words, -1);
    if (meaning < 0)
        return;
    if (structure->means[meaning] > 0)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"means\" of <member>: \"%s\" means \"%s\" already, expected one "
                      "member of the structure",
                      structure->members[structure->means[meaning] - 1].name,
                      wcts_meaning_words[meaning]);
    structure->means[meaning] = (uint8_t)(member + 1);
}

static void load_member(struct wcts_loader *loader, const struct wcts_load_node *node,
                        const struct wcts_structure *structure, struct wcts_member *member)
{
    member->name = wcts_load_node_value(node, "name");
    member->field = wcts_load_node_value(node, "field");
    member->place = node->place;
    member->type = (enum wcts_member_type)wcts_load_word(node, "type", wcts_member_type_words,
                                                         WCTS_TYPE_NUMBER);
    member->word = wcts_load_use_word(loader, node, "word", -1);
    if (member->word < 0 && wcts_load_node_value(node, "word") != NULL)
        member->word = WCTS_WORD_UNKNOWN;
    member->elements = wcts_load_node_value(node, "to");
    member->count = wcts_load_node_value(node, "count");
    member->stride = wcts_load_node_value(node, "stride");
    member->native = wcts_load_node_value(node, "native");
    member->number_count = load_numbers(loader, node, "numbers", &member->numbers);
    member->field_count = load_numbers(loader, node, "fields", &member->fields);
    check_fields(loader, node, member);
    member->since = wcts_load_use_version(loader, node, "since", structure->since);
    member->until = wcts_load_use_version(loader, node, "until", structure->until);
    if (structure->size > 0)
        bind_member(loader, node, structure, member);
}

static void load_structure(struct wcts_loader *loader, const struct wcts_load_node *node,
                           struct wcts_structure *structure)
{
    struct wcts_load_node *member = NULL;
    const struct wcts_binding_struct *row;
    structure->name = wcts_load_node_value(node, "name");
    structure->type = wcts_load_node_value(node, "struct");
    structure->place = node->place;
    structure->since = wcts_load_use_version(loader, node, "since", 0);
    structure->until = wcts_load_use_version(loader, node, "until", loader->spec->versions_count);
    row = wcts_model_binding_find_struct(structure->type);
    structure->size = row == NULL ? 0 : row->size;
    if (row == NULL)
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"struct\" of <structure>: \"%s\" is not bound, expected a struct "
                      "that interface.xml named when the tool was built",
                      structure->type);
    WCTS_LOAD_ARRAY(loader, structure->members, wcts_load_node_count(node, WCTS_EL_MEMBER));
    while ((member = wcts_load_node_next(node, member, WCTS_EL_MEMBER)) != NULL) {
        load_meaning(loader, member, structure, structure->member_count);
        load_member(loader, member, structure, &structure->members[structure->member_count++]);
    }
}

void wcts_load_structures(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->structures, wcts_load_count_elements(loader, WCTS_EL_STRUCTURE));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_STRUCTURE))
        load_structure(loader, walk.node, &spec->structures[spec->structures_count++]);
}

/* <word member="STRUCTURE.member">: a document gives a word to a member that has none. */
void wcts_load_attached_words(struct wcts_loader *loader)
{
    struct wcts_load_element_walk walk = {0};
    for (int word = 0; wcts_load_next_element(loader, &walk, WCTS_EL_WORD); word++) {
        struct wcts_ref ref = wcts_load_use_ref(loader, walk.node, "member", -1);
        struct wcts_member *member;
        if (ref.structure < 0)
            continue;
        member = &loader->spec->structures[ref.structure].members[ref.member];
        if (member->word >= 0 && member->word != word)
            wcts_error_at(loader->diagnostics, &walk.node->place,
                          "attribute \"member\" of <word>: \"%s\" has the word \"%s\", expected a "
                          "member without one",
                          member->name, loader->spec->words[member->word].name);
        else
            member->word = word;
    }
}

/* ---- messages ---- */

static bool same_or_none(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* The structure of a request or reply; reports one that the header's message does not carry. */
static int load_half(struct wcts_loader *loader, const struct wcts_load_node *node,
                     const char *attribute, const char *field_attribute,
                     const struct wcts_binding_half *half)
{
    int structure = wcts_load_use_structure(loader, node, attribute, -1);
    const char *field = wcts_load_node_value(node, field_attribute);
    const char *type = structure < 0 ? NULL : loader->spec->structures[structure].type;
    if (wcts_load_node_value(node, attribute) != NULL && structure < 0)
        return -1;
    if (!same_or_none(type, half->structure) || !same_or_none(field, half->field))
        wcts_error_at(loader->diagnostics, &node->place,
                      "<message> \"%s\": its %s is %s%s%s, expected what interface.xml named when "
                      "the tool was built",
                      wcts_load_node_value(node, "operation"), attribute,
                      type == NULL ? "nothing" : type, field == NULL ? "" : " at ",
                      field == NULL ? "" : field);
    return structure;
}

/* What the operation makes, and what it ends. */
static void load_objects(struct wcts_loader *loader, const struct wcts_load_node *node,
                         struct wcts_message *message)
{
    const struct wcts_message *made;
    message->makes =
        wcts_load_use_refs(loader, node, "makes", message->reply, &message->makes_count);
    message->ends =
        wcts_load_use_refs(loader, node, "ends", message->request, &message->ends_count);
    message->range =
        wcts_load_use_refs(loader, node, "range", message->request, &message->range_count);
    message->of = wcts_load_use_message(loader, node, "of", -1);
    made = message->of < 0 ? NULL : &loader->spec->messages[message->of];
    if (wcts_load_node_value(node, "of") != NULL && made == NULL)
        return;
    if (message->ends_count != (made ? made->makes_count : 0))
        wcts_error_at(loader->diagnostics, &node->place,
                      "<message> \"%s\" ends %d members of %s, expected as many as that makes",
                      message->name, message->ends_count, made ? made->name : "no operation");
    if (message->range_count != 0 && message->range_count != 2)
        wcts_error_at(loader->diagnostics, &node->place,
                      "<message> \"%s\" has a range of %d members, expected its begin and its "
                      "length",
                      message->name, message->range_count);
}

static void load_message(struct wcts_loader *loader, const struct wcts_load_node *node,
                         struct wcts_message *message)
{
    const struct wcts_binding_message *row;
    message->name = wcts_load_node_value(node, "operation");
    message->place = node->place;
    message->request = message->reply = -1;
    row = wcts_model_binding_find_message(message->name);
    if (row == NULL) {
        wcts_error_at(loader->diagnostics, &node->place,
                      "attribute \"operation\" of <message>: \"%s\" is not bound, expected an "
                      "operation that interface.xml named when the tool was built",
                      message->name);
        return;
    }
    message->operation = row->operation;
    message->driver = strncmp(message->name, "DRIVER_", 7) == 0;
    message->machine = strncmp(message->name, "MACHINE_", 8) == 0;
    message->moves = wcts_load_yes(node, "moves");
    message->settles = wcts_load_yes(node, "settles");
    message->reads = wcts_load_yes(node, "reads");
    message->writes = wcts_load_yes(node, "writes");
    message->starts = wcts_load_yes(node, "starts");
    message->stops = wcts_load_yes(node, "stops");
    message->lends = wcts_load_yes(node, "lends");
    message->patches = wcts_load_yes(node, "patches");
    message->shows = (enum wcts_shows)(1 + wcts_load_word(node, "shows", wcts_shows_words, -1));
    message->request = load_half(loader, node, "request", "request-field", &row->request);
    message->reply = load_half(loader, node, "reply", "reply-field", &row->reply);
    message->request_at = row->request.at;
    message->reply_at = row->reply.at;
    message->request_size = row->request_size;
    message->reply_size = row->reply_size;
    message->ignores = wcts_load_node_value(node, "ignores");
    message->native = wcts_load_node_value(node, "native");
    message->native_if = wcts_load_node_value(node, "native-if");
    load_objects(loader, node, message);
}

static void resolve_pointers(struct wcts_loader *loader, struct wcts_structure *structure)
{
    int *pointers =
        wcts_arena_array(loader->arena, (size_t)structure->member_count, sizeof *pointers);
    structure->pointers = pointers;
    for (int m = 0; pointers && m < structure->member_count; m++)
        if (structure->members[m].elements)
            pointers[structure->pointer_count++] = m;
}

/* The smallest structure of a list of names, -1: none. */
static int find_least(const struct wcts_spec *spec, const char *names)
{
    int found = -1, length;
    char name[96];
    for (; names && sscanf(names, " %95s%n", name, &length) == 1; names += length) {
        int index = wcts_model_spec_structure(spec, name);
        if (index >= 0 &&
            (found < 0 || spec->structures[index].size < spec->structures[found].size))
            found = index;
    }
    return found;
}

/* The member of the same structure that an attribute of a member names; -1: none. */
static int named_beside(struct wcts_loader *loader, int structure, const struct wcts_member *member,
                        const char *attribute, const char *name)
{
    int index = name ? wcts_model_spec_member(loader->spec, structure, name) : -1;
    if (name && index < 0)
        wcts_error_at(loader->diagnostics, &member->place,
                      "attribute \"%s\" of <member>: \"%s\" is no member of \"%s\", expected one",
                      attribute, name, loader->spec->structures[structure].name);
    return index;
}

/* What a pointer's elements and count name, so that nobody has to look for it in each message. */
static void resolve_elements(struct wcts_loader *loader, int structure, struct wcts_member *member)
{
    const struct wcts_spec *spec = loader->spec;
    int *of = member->elements
                  ? wcts_arena_array(loader->arena, (size_t)spec->structures_count, sizeof *of)
                  : NULL;
    member->counter = named_beside(loader, structure, member, "count", member->count);
    member->strider = named_beside(loader, structure, member, "stride", member->stride);
    member->element_of = of;
    for (int s = 0; of && s < spec->structures_count; s++)
        if (wcts_list_has(member->elements, spec->structures[s].name))
            of[member->element_of_count++] = s;
    member->least_element = find_least(spec, member->elements);
}

static bool has_smaller_twin(const struct wcts_spec *spec, const struct wcts_structure *structure,
                             const struct wcts_member *member)
{
    uint32_t each = member->least_element < 0 ? 1 : spec->structures[member->least_element].size;
    for (int i = 0; i < structure->member_count; i++) {
        const struct wcts_member *other = &structure->members[i];
        if (other != member && other->offset == member->offset && other->least_element >= 0 &&
            spec->structures[other->least_element].size < each)
            return true;
    }
    return false;
}

static void resolve_arrays(struct wcts_loader *loader, struct wcts_structure *structure)
{
    int *arrays = wcts_arena_array(loader->arena, (size_t)structure->member_count, sizeof *arrays);
    structure->arrays = arrays;
    for (int m = 0; arrays && m < structure->member_count; m++)
        if (structure->members[m].counter >= 0 &&
            !has_smaller_twin(loader->spec, structure, &structure->members[m]))
            arrays[structure->array_count++] = m;
}

/* Adds to what a message holds: a structure, and the elements of its arrays. */
static void add_held(const struct wcts_spec *spec, int structure, enum wcts_held side,
                     uint8_t *holds)
{
    if (structure < 0)
        return;
    holds[structure] |= (uint8_t)side;
    for (int i = 0; i < spec->structures[structure].pointer_count; i++) {
        const struct wcts_member *pointer =
            &spec->structures[structure].members[spec->structures[structure].pointers[i]];
        for (int s = 0; s < pointer->element_of_count; s++)
            holds[pointer->element_of[s]] |= (uint8_t)side;
    }
}

/* Adds to what it reaches beside that: what the elements of its arrays point to. */
static void add_reached(const struct wcts_spec *spec, int structure, enum wcts_held side,
                        uint8_t *reaches)
{
    if (structure < 0)
        return;
    for (int i = 0; i < spec->structures[structure].pointer_count; i++) {
        const struct wcts_member *pointer =
            &spec->structures[structure].members[spec->structures[structure].pointers[i]];
        for (int s = 0; s < pointer->element_of_count; s++)
            add_held(spec, pointer->element_of[s], side, reaches);
    }
}

static void add_operation(struct wcts_operations *set, uint32_t operation)
{
    uint32_t party = operation >> 8, number = operation & 255;
    if (party < WCTS_PARTIES && number < WCTS_PARTY_OPERATIONS)
        set->of[party] |= UINT64_C(1) << number;
}

static void resolve_held(struct wcts_loader *loader, struct wcts_message *message)
{
    struct wcts_spec *spec = loader->spec;
    uint8_t *holds = wcts_arena_array(loader->arena, (size_t)spec->structures_count + 1, 1);
    uint8_t *reaches = wcts_arena_array(loader->arena, (size_t)spec->structures_count + 1, 1);
    add_held(spec, message->request, WCTS_HELD_REQUEST, holds);
    add_held(spec, message->reply, WCTS_HELD_REPLY, holds);
    message->holds = holds;
    memcpy(reaches, holds, (size_t)spec->structures_count);
    add_reached(spec, message->request, WCTS_HELD_REQUEST, reaches);
    add_reached(spec, message->reply, WCTS_HELD_REPLY, reaches);
    message->reaches = reaches;
    for (int s = 0; s < spec->structures_count; s++) {
        struct wcts_structure *structure = &spec->structures[s];
        if (holds[s])
            add_operation(&structure->held_by, message->operation);
        for (int m = 0; holds[s] & WCTS_HELD_REPLY && m < structure->member_count; m++)
            add_operation(&spec->given[structure->members[m].type], message->operation);
    }
}

/* ---- What an operation shows ---- */

/* Whose members mean something: of an operation with this, the request, the reply, or the elements
 * of its array. */
enum load_part { LOAD_REQUEST, LOAD_REPLY, LOAD_ELEMENTS };

static const char *const part_names[] = {"request", "reply", "reply's array"};

static const struct {
    enum wcts_shows shows;
    enum load_part part;
    enum wcts_meaning meaning;
} shown_members[] = {
    {WCTS_SHOWS_PLACE, LOAD_REQUEST, WCTS_MEANS_ALLOCATION},
    {WCTS_SHOWS_PLACE, LOAD_REPLY, WCTS_MEANS_SEGMENT},
    {WCTS_SHOWS_PLACE, LOAD_REPLY, WCTS_MEANS_SEGMENT_SIZE},
    {WCTS_SHOWS_PLACE, LOAD_REPLY, WCTS_MEANS_SIZE},
    {WCTS_SHOWS_SEGMENTS, LOAD_ELEMENTS, WCTS_MEANS_BASE},
    {WCTS_SHOWS_SEGMENTS, LOAD_ELEMENTS, WCTS_MEANS_SIZE},
    {WCTS_SHOWS_PAGES, LOAD_REQUEST, WCTS_MEANS_COUNT},
    {WCTS_SHOWS_PAGES, LOAD_ELEMENTS, WCTS_MEANS_STATE},
    {WCTS_SHOWS_PAGES, LOAD_ELEMENTS, WCTS_MEANS_ALLOCATION},
    {WCTS_SHOWS_PAGES, LOAD_ELEMENTS, WCTS_MEANS_OFFSET},
    {WCTS_SHOWS_PAGES, LOAD_ELEMENTS, WCTS_MEANS_PROTECTION},
    {WCTS_SHOWS_PAGES, LOAD_ELEMENTS, WCTS_MEANS_DRIVER_PROTECTION},
};

static int structure_of(const struct wcts_spec *spec, const struct wcts_message *message,
                        enum load_part part)
{
    const struct wcts_structure *reply =
        message->reply < 0 ? NULL : &spec->structures[message->reply];
    const struct wcts_member *pointer =
        reply && reply->pointer_count > 0 ? &reply->members[reply->pointers[0]] : NULL;
    if (part != LOAD_ELEMENTS)
        return part == LOAD_REQUEST ? message->request : message->reply;
    return pointer && pointer->counter >= 0 && pointer->element_of_count > 0
               ? pointer->element_of[0]
               : -1;
}

/* What the reply of an operation shows is read by what its members mean: all must be there. */
static void check_shown(struct wcts_loader *loader, const struct wcts_message *message)
{
    for (size_t i = 0; i < sizeof shown_members / sizeof *shown_members; i++) {
        int structure = structure_of(loader->spec, message, shown_members[i].part);
        if (shown_members[i].shows == message->shows &&
            (structure < 0 ||
             !wcts_model_meaning(&loader->spec->structures[structure], shown_members[i].meaning)))
            wcts_error_at(
                loader->diagnostics, &message->place,
                "<message> \"%s\" shows %s: no member of its %s means \"%s\", expected one",
                message->name, wcts_shows_words[message->shows - 1],
                part_names[shown_members[i].part], wcts_meaning_words[shown_members[i].meaning]);
    }
}

void wcts_load_messages(struct wcts_loader *loader)
{
    struct wcts_spec *spec = loader->spec;
    struct wcts_load_element_walk walk = {0};
    WCTS_LOAD_ARRAY(loader, spec->messages, wcts_load_count_elements(loader, WCTS_EL_MESSAGE));
    while (wcts_load_next_element(loader, &walk, WCTS_EL_MESSAGE))
        load_message(loader, walk.node, &spec->messages[spec->messages_count++]);
    for (int i = 0; i < spec->messages_count; i++) {
        uint32_t party = spec->messages[i].operation >> 8,
                 number = spec->messages[i].operation & 255;
        if (party < WCTS_PARTIES && number < WCTS_PARTY_OPERATIONS)
            spec->message_at[party][number] = (int16_t)(i + 1);
    }
    for (int s = 0; s < spec->structures_count; s++) {
        resolve_pointers(loader, &spec->structures[s]);
        for (int m = 0; m < spec->structures[s].member_count; m++)
            resolve_elements(loader, s, &spec->structures[s].members[m]);
        resolve_arrays(loader, &spec->structures[s]);
    }
    for (int i = 0; i < spec->messages_count; i++) {
        resolve_held(loader, &spec->messages[i]);
        check_shown(loader, &spec->messages[i]);
    }
}
