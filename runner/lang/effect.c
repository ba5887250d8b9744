/* SPDX-License-Identifier: MIT */
/* Effects: from their attributes to expressions about a call and the messages around it. */
#include "effect.h"

#include <string.h>

#include "functions.h"

const char *const wcts_effect_attribute_names[WCTS_EFFECT_ATTRIBUTES + 1] = {
    "on", "in",  "when", "every",   "some",  "first", "nearest",
    "no", "all", "look", "refused", "where", "holds", NULL};

/* The selector that an attribute is. */
static enum wcts_selector selector_of(int attribute)
{
    return (enum wcts_selector)(attribute - WCTS_EFFECT_EVERY + WCTS_SELECT_EVERY);
}

struct lang_effect_reader {
    struct wcts_lang_exprs *exprs;
    const struct wcts_spec *spec;
    const struct wcts_lang_effect_source *source;
    struct wcts_diagnostics *diagnostics;
    bool failed;
};

static struct wcts_lang_text attribute_text(const struct lang_effect_reader *reader, int attribute)
{
    const char *text = reader->source->text[attribute];
    return (struct wcts_lang_text){.text = text,
                                   .length = strlen(text),
                                   .place = reader->source->place,
                                   .attribute = wcts_effect_attribute_names[attribute],
                                   .element = "effect",
                                   .diagnostics = reader->diagnostics};
}

/* The position of the attribute's value among names; or if it is not given. */
static int read_name(struct lang_effect_reader *reader, int attribute,
                     const struct wcts_lang_names *names, int or)
{
    struct wcts_lang_text text;
    int found;
    if (!reader->source->text[attribute])
        return or ;
    text = attribute_text(reader, attribute);
    found = wcts_names_find(names, &text, 1, text.text);
    reader->failed = reader->failed || text.failed;
    return found;
}

static int read_operation(struct lang_effect_reader *reader, int attribute)
{
    return read_name(
        reader, attribute,
        &WCTS_NAMES("operation", NULL, reader->spec->messages, reader->spec->messages_count), -1);
}

static int read_expression(struct lang_effect_reader *reader, int attribute,
                           const struct wcts_lang_about *about)
{
    struct wcts_lang_text text;
    int root, first = reader->exprs->node_count;
    if (!reader->source->text[attribute])
        return 0;
    text = attribute_text(reader, attribute);
    root = wcts_lang_parse(reader->exprs, &text);
    if (root &&
        wcts_lang_check_about(reader->exprs, reader->spec, &text, about, root, WCTS_EXPR_FLAG))
        wcts_lang_check_depends(reader->exprs, reader->spec, &text, about, first);
    reader->failed = reader->failed || text.failed;
    return root;
}

/* ---- what belongs together ---- */

static void report_effect(struct lang_effect_reader *reader, const char *what)
{
    if (!reader->failed)
        wcts_error_at(reader->diagnostics, &reader->source->place, "<effect> %s", what);
    reader->failed = true;
}

static void check_together(struct lang_effect_reader *reader, const struct wcts_effect *effect,
                           int selectors)
{
    const char *const *text = reader->source->text;
    bool demands = effect->selector != WCTS_SELECT_NO && effect->selector != WCTS_SELECT_FIRST;
    if (selectors > 1)
        report_effect(reader,
                      "with several of every, some, first, nearest, no and all, expected one");
    if (selectors == 0 &&
        (text[WCTS_EFFECT_LOOK] || text[WCTS_EFFECT_REFUSED] || text[WCTS_EFFECT_WHERE]))
        report_effect(reader,
                      "looks at no message, expected neither \"look\", \"where\" nor \"refused\"");
    if (effect->selector == WCTS_SELECT_NO && effect->holds)
        report_effect(reader,
                      "with \"no\" and \"holds\", expected \"where\" for what is not to be");
    if (demands && !text[WCTS_EFFECT_HOLDS])
        report_effect(reader, "without \"holds\", expected what the call brings about");
    if (effect->refused_too && effect->span != WCTS_SPAN_DURING)
        report_effect(reader,
                      "with \"refused\" and \"look\", expected messages of the call itself");
}

/* True if the expression has "accepted" or "refused" in it. */
static bool speaks_of_answer(const struct wcts_lang_exprs *exprs, int root)
{
    const struct wcts_lang_node *node = &exprs->nodes[root];
    if (root == 0 || node->op == WCTS_OP_ANSWER)
        return root != 0;
    if (node->op <= WCTS_OP_NOT) {
        for (int i = node->a; i; i = exprs->nodes[i].next)
            if (speaks_of_answer(exprs, i))
                return true;
        return false;
    }
    return node->op <= WCTS_OP_MOD &&
           (speaks_of_answer(exprs, node->a) || speaks_of_answer(exprs, node->b));
}

void wcts_lang_effect_about(const struct wcts_spec *spec, const struct wcts_effect *effect,
                            struct wcts_lang_effect_about *about)
{
    const struct wcts_message *message =
        effect->message < 0 ? NULL : &spec->messages[effect->message];
    about->call = wcts_lang_about(spec, effect->on);
    about->message = about->call;
    if (message)
        about->message =
            (struct wcts_lang_about){message->request >= 0 ? message->request : message->reply,
                                     message->reply, &about->call};
}

bool wcts_lang_effect_read(struct wcts_lang_exprs *exprs, const struct wcts_spec *spec,
                           const struct wcts_lang_effect_source *source,
                           struct wcts_diagnostics *diagnostics, struct wcts_effect *effect)
{
    struct lang_effect_reader reader = {exprs, spec, source, diagnostics, false};
    struct wcts_lang_effect_about about;
    int selectors = 0;
    *effect = (struct wcts_effect){.message = -1};
    effect->on =
        read_name(&reader, WCTS_EFFECT_ON,
                  &WCTS_NAMES("structure", NULL, spec->structures, spec->structures_count), -1);
    effect->in = read_operation(&reader, WCTS_EFFECT_IN);
    effect->span = (enum wcts_span)read_name(
        &reader, WCTS_EFFECT_LOOK, &WCTS_NAMES("look", NULL, wcts_span_words, 4), WCTS_SPAN_DURING);
    effect->refused_too = read_name(&reader, WCTS_EFFECT_REFUSED,
                                    &WCTS_NAMES("word", NULL, wcts_too_words, 1), -1) == 0;
    for (int i = WCTS_EFFECT_EVERY; i <= WCTS_EFFECT_ALL; i++) {
        if (!source->text[i])
            continue;
        effect->selector = selector_of(i);
        effect->message = read_operation(&reader, i);
        selectors++;
    }
    if (reader.failed || effect->on < 0)
        return false;
    wcts_lang_effect_about(spec, effect, &about);
    effect->when = read_expression(&reader, WCTS_EFFECT_WHEN, &about.call);
    effect->where = read_expression(&reader, WCTS_EFFECT_WHERE, &about.message);
    effect->holds = read_expression(&reader, WCTS_EFFECT_HOLDS, &about.message);
    check_together(&reader, effect, selectors);
    if (reader.failed)
        return false;
    effect->on_refusal = speaks_of_answer(exprs, effect->when);
    effect->on_any = speaks_of_answer(exprs, effect->holds);
    return true;
}
