/* SPDX-License-Identifier: MIT */
/* Events of traces: what they feed, and whether it can be fed. */
#include <string.h>

#include "../base/text.h"
#include "load.h"
#include "trace.h"

/* The file being loaded. */
struct load_trace {
    struct wcts_loader *loader;
    struct wcts_load_trace *trace;
};

static void load_word_of(struct load_trace *load, const struct wcts_load_node *node,
                         struct wcts_load_trace_word *word)
{
    struct wcts_load_node *flag = NULL;
    int count = wcts_load_node_count(node, WCTS_EL_FLAG);
    word->name = wcts_load_node_value(node, "name");
    WCTS_LOAD_ARRAY(load->loader, word->flags, count);
    while ((flag = wcts_load_node_next(node, flag, WCTS_EL_FLAG)) != NULL) {
        word->flags[word->flag_count].name = wcts_load_node_value(flag, "name");
        word->flags[word->flag_count++].bit = (int)wcts_load_number(flag, "bit", 0);
    }
}

static int use_names(struct load_trace *load, const struct wcts_load_node *node)
{
    const char *name = wcts_load_node_value(node, "names");
    struct wcts_near near;
    if (!name)
        return -1;
    near = wcts_model_near_start(name, strlen(name));
    for (int i = 0; i < load->trace->word_count; i++) {
        if (wcts_text_same(load->trace->words[i].name, name))
            return i;
        wcts_model_near_try(&near, load->trace->words[i].name);
    }
    wcts_load_report_unknown(load->loader, (struct wcts_load_use){node, "names"}, "word", &near,
                             NULL);
    return -1;
}

/* What both <feed> and <except> have. */
static void use_versions(struct load_trace *load, const struct wcts_load_node *node, int *since,
                         int *until)
{
    *since = wcts_load_use_version(load->loader, node, "since", 0);
    *until = wcts_load_use_version(load->loader, node, "until", load->loader->spec->versions_count);
}

static void load_feed(struct load_trace *load, const struct wcts_load_node *node,
                      const struct wcts_load_trace_event *event, struct wcts_load_trace_feed *feed)
{
    const struct wcts_spec *spec = load->loader->spec;
    const struct wcts_member *member = NULL;
    feed->data = wcts_load_node_value(node, "data");
    feed->member = wcts_load_node_value(node, "member");
    feed->names = use_names(load, node);
    feed->bits = wcts_load_number(node, "bits", UINT64_MAX);
    feed->as = (enum wcts_load_trace_as)wcts_load_word(node, "as", wcts_load_trace_as_words,
                                                       WCTS_TRACE_NUMBER);
    feed->open = wcts_load_node_value(node, "open");
    feed->confirmed = wcts_load_node_value(node, "confirmed");
    use_versions(load, node, &feed->since, &feed->until);
    if (feed->confirmed && !feed->open)
        wcts_error_at(load->loader->diagnostics, &node->place,
                      "<feed> is confirmed and not open, expected \"open\" with the reason");
    if (event->structure < 0)
        return;
    for (int i = 0; i < spec->structures[event->structure].member_count && !member; i++)
        if (wcts_text_same(spec->structures[event->structure].members[i].name, feed->member))
            member = &spec->structures[event->structure].members[i];
    if (!member) {
        struct wcts_near near = wcts_model_near_start(feed->member, strlen(feed->member));
        for (int i = 0; i < spec->structures[event->structure].member_count; i++)
            wcts_model_near_try(&near, spec->structures[event->structure].members[i].name);
        wcts_load_report_unknown(load->loader, (struct wcts_load_use){node, "member"}, "member",
                                 &near, spec->structures[event->structure].name);
    } else if (member->type == WCTS_TYPE_POINTER) {
        wcts_error_at(load->loader->diagnostics, &node->place,
                      "<feed> has the member %s, a pointer, expected a number", feed->member);
    } else {
        feed->width = member->width;
    }
}

static void load_except(struct load_trace *load, const struct wcts_load_node *node,
                        struct wcts_load_trace_except *except)
{
    except->data = wcts_load_node_value(node, "data");
    except->names = use_names(load, node);
    except->bits = wcts_load_number(node, "bits", 0);
    except->zero = wcts_load_yes(node, "zero");
    use_versions(load, node, &except->since, &except->until);
    if ((except->bits != 0) == except->zero)
        wcts_error_at(load->loader->diagnostics, &node->place,
                      "<except> of %s has %s, expected \"bits\" or \"zero\"", except->data,
                      except->zero ? "both" : "neither");
}

/* The pointer of a driver's answer that leads to the structures that the event feeds. */
static void use_answer(struct load_trace *load, const struct wcts_load_node *node,
                       struct wcts_load_trace_event *event)
{
    const struct wcts_spec *spec = load->loader->spec;
    const struct wcts_message *message;
    event->message = wcts_load_use_message(load->loader, node, "operation", -1);
    event->structure = wcts_load_use_structure(load->loader, node, "structure", -1);
    if (event->message < 0 || event->structure < 0)
        return;
    message = &spec->messages[event->message];
    for (int i = 0; message->driver && message->reply >= 0 &&
                    i < spec->structures[message->reply].member_count;
         i++) {
        const struct wcts_member *member = &spec->structures[message->reply].members[i];
        if (member->element_of_count == 1 && member->element_of[0] == event->structure &&
            member->counter >= 0)
            event->pointer = member->name;
    }
    if (!event->pointer)
        wcts_error_at(load->loader->diagnostics, &node->place,
                      "<event> feeds %s of %s, expected an array of them in the answer of a driver",
                      spec->structures[event->structure].name, message->name);
}

static void load_event(struct load_trace *load, const struct wcts_load_node *node,
                       struct wcts_load_trace_event *event)
{
    struct wcts_load_node *child = NULL;
    bool feeds = wcts_load_node_value(node, "operation") != NULL;
    event->place = node->place;
    event->id = (unsigned)wcts_load_number(node, "id", 0);
    event->versions = wcts_load_node_value(node, "versions");
    event->adapter = wcts_load_node_value(node, "adapter");
    event->number = wcts_load_node_value(node, "number");
    event->ends = (enum wcts_load_trace_ends)wcts_load_word(
        node, "ends", wcts_load_trace_ends_words, WCTS_TRACE_ENDS_NOTHING);
    event->object = wcts_load_node_value(node, "object");
    event->life = (enum wcts_load_trace_life)wcts_load_word(
        node, "life", wcts_load_trace_life_words, WCTS_TRACE_BEGINS);
    if ((event->object != NULL) != (wcts_load_node_value(node, "life") != NULL))
        wcts_error_at(load->loader->diagnostics, &node->place,
                      "<event> %u has \"object\" or \"life\" alone, expected both or neither",
                      event->id);
    use_answer(load, node, event);
    if (feeds != (wcts_load_node_value(node, "structure") != NULL) ||
        feeds != (wcts_load_node_count(node, WCTS_EL_FEED) > 0))
        wcts_error_at(load->loader->diagnostics, &node->place,
                      "<event> %u has some of \"operation\", \"structure\" and <feed>, expected "
                      "all of them or none",
                      event->id);
    WCTS_LOAD_ARRAY(load->loader, event->feeds, wcts_load_node_count(node, WCTS_EL_FEED));
    WCTS_LOAD_ARRAY(load->loader, event->excepts, wcts_load_node_count(node, WCTS_EL_EXCEPT));
    while ((child = wcts_load_node_next(node, child, WCTS_EL_FEED)) != NULL)
        load_feed(load, child, event, &event->feeds[event->feed_count++]);
    while ((child = wcts_load_node_next(node, child, WCTS_EL_EXCEPT)) != NULL)
        load_except(load, child, &event->excepts[event->except_count++]);
}

/* The same event with the same version is read by one element. */
static void check_twice(struct load_trace *load)
{
    for (int b = 0; b < load->trace->event_count; b++)
        for (int a = 0; a < b; a++) {
            const struct wcts_load_trace_event *first = &load->trace->events[a],
                                               *second = &load->trace->events[b];
            const char *versions = second->versions, *piece;
            size_t length;
            while (first->id == second->id && (length = wcts_next_piece(&versions, &piece)) > 0) {
                char name[16];
                snprintf(name, sizeof name, "%.*s", (int)length, piece);
                if (wcts_list_has(first->versions, name))
                    wcts_error_at(load->loader->diagnostics, &second->place,
                                  "<event> %u has version %s, which the one in line %ld has, "
                                  "expected one of them",
                                  second->id, name, first->place.line);
            }
        }
}

static void load_trace_elements(struct load_trace *load, const struct wcts_load_node *root)
{
    struct wcts_load_trace *trace = load->trace;
    struct wcts_load_node *node = NULL;
    trace->provider = wcts_load_node_value(root, "provider");
    trace->guid = wcts_load_node_value(root, "guid");
    WCTS_LOAD_ARRAY(load->loader, trace->words, wcts_load_node_count(root, WCTS_EL_WORD));
    WCTS_LOAD_ARRAY(load->loader, trace->events, wcts_load_node_count(root, WCTS_EL_EVENT));
    while ((node = wcts_load_node_next(root, node, WCTS_EL_WORD)) != NULL)
        load_word_of(load, node, &trace->words[trace->word_count++]);
    while ((node = wcts_load_node_next(root, node, WCTS_EL_EVENT)) != NULL)
        load_event(load, node, &trace->events[trace->event_count++]);
    check_twice(load);
}

struct wcts_load_trace *wcts_load_trace(const char *path, const struct wcts_spec *spec,
                                        struct wcts_diagnostics *diagnostics)
{
    static const enum wcts_load_element_id roots[] = {WCTS_EL_TRACE, WCTS_EL_NONE};
    struct wcts_arena *arena = wcts_arena_new();
    struct wcts_load_trace *trace = wcts_arena_alloc(arena, sizeof *trace);
    struct wcts_spec own = *spec;
    struct wcts_loader loader = {.spec = &own,
                                 .cases = spec->cases,
                                 .arena = arena,
                                 .diagnostics = diagnostics,
                                 .scenario = -1};
    struct load_trace load = {&loader, trace};
    const struct wcts_load_xml_source xml = {arena, diagnostics, NULL};
    const struct wcts_load_node *root;
    int errors = diagnostics->errors;
    *trace = (struct wcts_load_trace){.arena = arena};
    root = wcts_load_xml_read(&xml, wcts_arena_string(arena, path, strlen(path)), roots);
    if (root)
        load_trace_elements(&load, root);
    if (diagnostics->errors == errors)
        return trace;
    wcts_load_trace_free(trace);
    return NULL;
}

void wcts_load_trace_free(struct wcts_load_trace *trace)
{
    if (trace)
        wcts_arena_free(trace->arena);
}
