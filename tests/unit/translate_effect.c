/* SPDX-License-Identifier: MIT */
#include "tests/unit/translate_effect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runner/model/names.h"

/* The effect, and the message that its matches and checks are about. */
struct translating {
    const struct wcts_spec *spec;
    const struct wcts_rule *rule;
    const struct wcts_message *message; /* NULL: the call itself */
    struct wcts_text *text;
};

static const struct wcts_operand *operand(const struct translating *in, enum wcts_attribute which)
{
    return &in->rule->arg[which];
}

static void add_and(struct wcts_text *out)
{
    wcts_text_add(out, "%s", out->length > 0 ? " and " : "");
}

/* ---- what a message holds ---- */

static bool is_listed(const char *list, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = list; at && *at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
        if (strncmp(at, name, size) == 0 && (at[size] == ' ' || at[size] == '\0'))
            return true;
    return false;
}

/* True if the structure is the root, in an array of it, or behind one of those. */
static bool holds_structure(const struct wcts_spec *spec, int root, int structure, int deep)
{
    const struct wcts_structure *of = &spec->structures[root < 0 ? 0 : root];
    if (root < 0 || root == structure)
        return root >= 0;
    for (int i = 0; deep > 0 && i < of->member_count; i++) {
        const char *elements = of->members[i].elements;
        if (elements && is_listed(elements, spec->structures[structure].name))
            return true;
        if (elements &&
            holds_structure(spec, wcts_spec_structure(spec, elements), structure, deep - 1))
            return true;
    }
    return false;
}

static bool message_has(const struct translating *in, int structure)
{
    return in->message && (holds_structure(in->spec, in->message->request, structure, 2) ||
                           holds_structure(in->spec, in->message->reply, structure, 2));
}

/* ---- values ---- */

static void add_name(const struct translating *in, struct wcts_ref ref, bool whole)
{
    char name[128];
    wcts_text_add(in->text, "%s%s%s", whole ? in->spec->structures[ref.structure].name : "",
                  whole ? "." : "", wcts_ref_text(in->spec, ref, name, sizeof name));
}

/* A path begins at the message, if that can have it, or at the call. */
static void add_path(const struct translating *in, const struct wcts_path *path)
{
    const struct wcts_path_step *first = &path->steps[0];
    struct wcts_expr_about about = wcts_expr_about(in->spec, in->rule->on);
    bool call = in->message && (path->on || !message_has(in, first->ref.structure)), own, reply;
    if (in->message && !call)
        about = (struct wcts_expr_about){in->message->request, in->message->reply, NULL};
    own = first->ref.structure == about.on;
    reply = first->reply || (!own && first->ref.structure == about.reply);
    wcts_text_add(in->text, "%s%s", call ? "call." : "", reply ? "reply." : "");
    add_name(in, first->ref, !own && first->ref.structure != about.reply);
    for (int i = 1; i < path->count; i++) {
        wcts_text_add(in->text, "/%s", path->steps[i].reply ? "reply." : "");
        add_name(in, path->steps[i].ref, true);
    }
}

static void add_value(const struct translating *in, const struct wcts_operand *value)
{
    if (value->page)
        wcts_text_add(in->text, "page");
    else if (value->count == 0)
        wcts_text_add(in->text, value->number < 10 ? "%" PRIu64 : "0x%" PRIX64, value->number);
    else
        add_path(in, &value->paths[0]);
}

static const struct wcts_member *member_of(const struct translating *in,
                                           const struct wcts_operand *value)
{
    return value->count > 0 ? wcts_ref_member(in->spec, value->refs[0]) : NULL;
}

/* True, with the whole text, if a word is compared without some of its flags, or only in some of
 * its low bits. */
static bool add_part(const struct translating *in, const struct wcts_operand *arg,
                     const struct wcts_operand *value)
{
    const struct wcts_operand *except = &arg[WCTS_ARG_EXCEPT];
    const struct wcts_member *member = member_of(in, value);
    if (except->given) {
        wcts_text_add(in->text, "without(");
        add_value(in, value);
        for (int i = 0; i < except->count; i++) {
            wcts_text_add(in->text, ", ");
            add_name(in, except->refs[i], except->refs[i].structure != in->rule->on);
        }
        wcts_text_add(in->text, ")");
    } else if (arg[WCTS_ARG_BITS].given) {
        bool preference = member && member->type == WCTS_TYPE_SEGMENT_PREFERENCE;
        wcts_text_add(in->text, "%s", preference ? "first_of(" : "");
        add_value(in, value);
        wcts_text_add(in->text, preference ? ")" : " mod %d", 1 << arg[WCTS_ARG_BITS].number);
    }
    return except->given || arg[WCTS_ARG_BITS].given;
}

/* What the member is compared with: sums are rounded. */
static void add_compared(const struct translating *in, const struct wcts_operand *arg,
                         const struct wcts_operand *value)
{
    bool rounded = arg[WCTS_ARG_ROUNDED].given;
    wcts_text_add(in->text, "%s", rounded ? "rounded(" : "");
    add_value(in, value);
    if (arg[WCTS_ARG_PLUS].given) {
        wcts_text_add(in->text, " + ");
        add_value(in, &arg[WCTS_ARG_PLUS]);
    }
    wcts_text_add(in->text, "%s", rounded ? ", page)" : "");
}

/* An address that is compared with a handle in its place: the union's other member. */
static struct wcts_operand as_address(const struct translating *in,
                                      const struct wcts_operand *value,
                                      const struct wcts_operand *with, struct wcts_path *path,
                                      struct wcts_path_step *step)
{
    const struct wcts_member *one = member_of(in, value), *other = member_of(in, with);
    struct wcts_operand changed = *with;
    if (!one || !other || one->type != WCTS_TYPE_ADDRESS || other->type != WCTS_TYPE_HANDLE)
        return changed;
    *path = with->paths[0];
    *step = path->steps[0];
    path->steps = step;
    changed.paths = path;
    for (int m = 0; m < in->spec->structures[step->ref.structure].member_count; m++) {
        const struct wcts_member *twin = &in->spec->structures[step->ref.structure].members[m];
        if (twin->offset == other->offset && twin->type == WCTS_TYPE_ADDRESS)
            step->ref.member = m;
    }
    return changed;
}

static void add_fact(const struct translating *in, const struct wcts_operand *value, bool set)
{
    bool flag = value->refs[0].flag >= 0;
    wcts_text_add(in->text, "%s", flag && !set ? "not " : "");
    add_value(in, value);
    wcts_text_add(in->text, "%s", flag ? "" : set ? " != 0" : " = 0");
}

/* The member of a check; one of the reply has a text of its own. */
static void add_checks_of(const struct translating *in, const struct wcts_operand *arg,
                          const struct wcts_operand *value)
{
    static const struct {
        enum wcts_attribute attribute;
        const char *operator;
    } comparisons[] = {{WCTS_ARG_EQUALS, "="}, {WCTS_ARG_DIFFERS, "!="}, {WCTS_ARG_IN, "in"},
                       {WCTS_ARG_MIN, ">="},   {WCTS_ARG_MAX, "<="},     {WCTS_ARG_LESS, "<"}};
    const struct wcts_operand *is = &arg[WCTS_ARG_IS], *to = &arg[WCTS_ARG_TO];
    if (is->given) {
        add_and(in->text);
        add_fact(in, value, is->number == WCTS_IS_SET || is->number == WCTS_IS_NONZERO);
    }
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        const struct wcts_operand *given = &arg[comparisons[i].attribute], *with = given;
        struct wcts_path path;
        struct wcts_path_step step;
        struct wcts_operand address;
        if (!given->given)
            continue;
        if (given->count > 0 && given->paths[0].count == 1) {
            address = as_address(in, value, given, &path, &step);
            with = &address;
        }
        add_and(in->text);
        if (!add_part(in, arg, value))
            add_value(in, value);
        /* A number that happens to be 0 is no absence. */
        if (with->count == 0 && with->number == 0 && !with->page) {
            wcts_text_add(in->text, " in {0}");
            continue;
        }
        wcts_text_add(in->text, " %s ", comparisons[i].operator);
        if (!add_part(in, arg, with))
            add_compared(in, arg, with);
    }
    if (to->given) {
        add_and(in->text);
        add_value(in, value);
        wcts_text_add(in->text, " mod %s", to->page ? "" : "default(");
        add_value(in, to);
        wcts_text_add(in->text, "%s = 0", to->page ? "" : ", 1)"); /* 0: it may be anywhere */
    }
    if (arg[WCTS_ARG_BANK].given) {
        add_and(in->text);
        wcts_text_add(in->text, "in_bank(");
        add_value(in, value);
        wcts_text_add(in->text, ", ");
        add_value(in, &arg[WCTS_ARG_BANK]);
        wcts_text_add(in->text, ")");
    }
}

static void add_checks(const struct translating *in, const struct wcts_operand *arg)
{
    add_checks_of(in, arg, arg[WCTS_ARG_FACT].given ? &arg[WCTS_ARG_FACT] : &arg[WCTS_ARG_MEMBER]);
}

static void add_matches(const struct translating *in)
{
    for (int i = 0; i < in->rule->match_count; i++)
        add_checks(in, in->rule->match[i].arg);
}

/* ---- conditions ---- */

static void add_segments(const struct translating *in, const struct wcts_operand *set,
                         const struct wcts_operand *flags, bool some)
{
    if (!flags->given)
        return;
    add_and(in->text);
    wcts_text_add(in->text, "%ssome(%s in ", some ? "" : "not ",
                  in->spec->structures[flags->refs[0].structure].name);
    add_value(in, set);
    for (int i = 0; i < flags->count; i++) {
        wcts_text_add(in->text, i == 0 ? ", " : " or ");
        add_name(in, flags->refs[i], false);
    }
    wcts_text_add(in->text, ")");
}

static void add_conditions(const struct translating *in)
{
    for (int i = 0; i < in->rule->when_count; i++) {
        const struct wcts_operand *arg = in->rule->when[i].arg;
        add_checks(in, arg);
        add_segments(in, &arg[WCTS_ARG_MEMBER], &arg[WCTS_ARG_SEGMENT], true);
        add_segments(in, &arg[WCTS_ARG_MEMBER], &arg[WCTS_ARG_NO_SEGMENT], false);
    }
}

/* ---- forms ---- */

/* Where the parts of one effect go. */
struct effect_parts {
    struct effect_translation *out;
    struct translating call, where, holds; /* about the call, and about the message */
};

static bool is_given(const struct effect_parts *parts, enum wcts_attribute which)
{
    return operand(&parts->call, which)->given;
}

/* The effect is about messages of an operation, or about one that an attribute names. */
static void select_messages(struct effect_parts *parts, enum wcts_effect_attribute selector,
                            int message, const char *look)
{
    const struct wcts_spec *spec = parts->call.spec;
    parts->where.message = parts->holds.message = &spec->messages[message];
    wcts_text_add(&parts->out->text[selector], "%s", spec->messages[message].name);
    wcts_text_add(&parts->out->text[WCTS_EFFECT_LOOK], "%s", look);
}

static int operation_of(const struct effect_parts *parts)
{
    return (int)operand(&parts->call, WCTS_ARG_OPERATION)->number;
}

/* A plain member is a member of the reply. */
static void translate_reply(struct effect_parts *parts)
{
    struct wcts_operand member = *operand(&parts->call, WCTS_ARG_MEMBER);
    struct wcts_path path = *member.paths;
    struct wcts_path_step step = path.steps[0];
    if (path.count == 1) {
        step.reply = true;
        path.steps = &step;
        member.paths = &path;
    }
    if (is_given(parts, WCTS_ARG_ACCEPTED))
        wcts_text_add(parts->holds.text, "accepted");
    add_checks_of(&parts->holds, parts->call.rule->arg, &member);
}

static void add_line(const struct translating *in)
{
    const struct wcts_operand *per = operand(in, WCTS_ARG_PER);
    wcts_text_add(in->text, "line(");
    add_value(in, operand(in, WCTS_ARG_MEMBER));
    wcts_text_add(in->text, ", ");
    add_value(in, operand(in, WCTS_ARG_ALONG));
    wcts_text_add(in->text, ", %" PRIu64 ")", per->given ? per->number : 1);
}

static void translate_told(struct effect_parts *parts)
{
    enum wcts_effect_attribute selector = WCTS_EFFECT_FIRST;
    if (is_given(parts, WCTS_ARG_NEVER))
        selector = WCTS_EFFECT_NO;
    else if (is_given(parts, WCTS_ARG_ALONG))
        selector = WCTS_EFFECT_ALL;
    else if (is_given(parts, WCTS_ARG_EVERY))
        selector = WCTS_EFFECT_EVERY;
    else if (is_given(parts, WCTS_ARG_SOME))
        selector = WCTS_EFFECT_SOME;
    select_messages(parts, selector, operation_of(parts), "");
    if (is_given(parts, WCTS_ARG_REFUSED))
        wcts_text_add(&parts->out->text[WCTS_EFFECT_REFUSED], "too");
    add_matches(&parts->where);
    if (is_given(parts, WCTS_ARG_ALONG))
        add_line(&parts->holds);
    else if (is_given(parts, WCTS_ARG_MEMBER))
        add_checks(&parts->holds, parts->call.rule->arg);
}

static void translate_later(struct effect_parts *parts)
{
    select_messages(parts, WCTS_EFFECT_EVERY, operation_of(parts), "after");
    add_matches(&parts->where);
    if (is_given(parts, WCTS_ARG_REFUSED))
        wcts_text_add(parts->holds.text, "refused");
    if (is_given(parts, WCTS_ARG_ACCEPTED))
        wcts_text_add(parts->holds.text, "accepted");
    if (is_given(parts, WCTS_ARG_MEMBER))
        add_checks(&parts->holds, parts->call.rule->arg);
}

static void translate_placed(struct effect_parts *parts)
{
    select_messages(parts, WCTS_EFFECT_EVERY,
                    wcts_spec_message(parts->call.spec, "KERNEL_QUERY_ALLOCATION"), "resting");
    wcts_text_add(parts->where.text, "hAllocation = ");
    add_value(&parts->where, operand(&parts->call, WCTS_ARG_OF));
    add_matches(&parts->where);
    add_checks(&parts->holds, parts->call.rule->arg);
}

static void translate_bytes(struct effect_parts *parts)
{
    const struct wcts_operand *marks = operand(&parts->call, WCTS_ARG_MARKS);
    bool zero = operand(&parts->call, WCTS_ARG_CONTENT)->number == WCTS_CONTENT_ZERO;
    bool only = is_given(parts, WCTS_ARG_ONLY);
    select_messages(parts, marks->given ? WCTS_EFFECT_ALL : WCTS_EFFECT_EVERY,
                    wcts_spec_message(parts->call.spec, "MACHINE_READ"), "after");
    add_matches(&parts->where);
    if (marks->given) {
        bool flag = marks->refs[0].flag >= 0;
        wcts_text_add(parts->holds.text, only ? "not %s" : "%s", flag ? "" : "(");
        add_value(&parts->holds, marks);
        wcts_text_add(parts->holds.text, "%s%s", flag ? "" : " != 0)", only ? " or " : " = ");
    }
    wcts_text_add(parts->holds.text, zero ? "zeroed(pData)" : "written(pData)");
}

static void translate_patch(struct effect_parts *parts)
{
    const struct wcts_operand *side = operand(&parts->call, WCTS_ARG_SIDE);
    const char *look = side->given ? side->text : "after";
    int patch = wcts_spec_message(parts->call.spec, "DRIVER_PATCH");
    if (parts->call.rule->on != parts->call.spec->messages[patch].request)
        wcts_text_add(&parts->out->text[WCTS_EFFECT_IN], "DRIVER_PATCH");
    if (!is_given(parts, WCTS_ARG_OPERATION)) {
        add_matches(&parts->call);
    } else {
        bool place =
            strcmp(operand(&parts->call, WCTS_ARG_OPERATION)->text, "KERNEL_QUERY_ALLOCATION") == 0;
        select_messages(parts,
                        is_given(parts, WCTS_ARG_EVERY) ? WCTS_EFFECT_EVERY : WCTS_EFFECT_NEAREST,
                        operation_of(parts), place ? "resting" : look);
        add_matches(&parts->where);
    }
    add_checks(&parts->holds, parts->call.rule->arg);
}

static void (*const forms[WCTS_FORM_COUNT_OF])(struct effect_parts *parts) = {
    [WCTS_FORM_EFFECT_REPLY] = translate_reply, [WCTS_FORM_EFFECT_TOLD] = translate_told,
    [WCTS_FORM_EFFECT_LATER] = translate_later, [WCTS_FORM_EFFECT_PLACED] = translate_placed,
    [WCTS_FORM_EFFECT_BYTES] = translate_bytes, [WCTS_FORM_EFFECT_PATCH] = translate_patch,
};

bool translate_effect(struct effect_translation *translation, const struct wcts_spec *spec,
                      const struct wcts_rule *rule)
{
    struct wcts_text *text = translation->text;
    struct effect_parts parts = {translation,
                                 {spec, rule, NULL, &text[WCTS_EFFECT_WHEN]},
                                 {spec, rule, NULL, &text[WCTS_EFFECT_WHERE]},
                                 {spec, rule, NULL, &text[WCTS_EFFECT_HOLDS]}};
    *translation = (struct effect_translation){0};
    if (!forms[rule->form] || rule->arg[WCTS_ARG_BUFFER].given)
        return false;
    wcts_text_add(&text[WCTS_EFFECT_ON], "%s", spec->structures[rule->on].name);
    add_conditions(&parts.call);
    forms[rule->form](&parts);
    return true;
}

void effect_translation_release(struct effect_translation *translation)
{
    for (int i = 0; i < WCTS_EFFECT_ATTRIBUTES; i++)
        wcts_text_release(&translation->text[i]);
}

/* ---- from text to expressions ---- */

static void read_text(struct wcts_effect *effect, struct wcts_exprs *exprs,
                      const struct wcts_spec *spec, const struct wcts_rule *rule,
                      struct effect_translation *translation)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    struct wcts_effect_source source = {.place = rule->place};
    for (int i = 0; i < WCTS_EFFECT_ATTRIBUTES; i++)
        if (translation->text[i].length > 0)
            source.text[i] = wcts_text_get(&translation->text[i]);
    if (wcts_lang_effect_read(exprs, spec, &source, &diagnostics, effect))
        return;
    fprintf(stderr, "%s:", rule->id);
    for (int i = 0; i < WCTS_EFFECT_ATTRIBUTES; i++)
        if (source.text[i])
            fprintf(stderr, " %s=\"%s\"", wcts_effect_attribute_names[i], source.text[i]);
    fprintf(stderr, "\n");
    abort();
}

void read_effect(struct wcts_effect *effect, struct wcts_exprs *exprs, const struct wcts_spec *spec,
                 const struct wcts_rule *rule, struct effect_translation *translation)
{
    static const int expressions[] = {WCTS_EFFECT_WHEN, WCTS_EFFECT_WHERE, WCTS_EFFECT_HOLDS};
    read_text(effect, exprs, spec, rule, translation);
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        const int roots[] = {effect->when, effect->where, effect->holds};
        struct wcts_effect_about about;
        struct wcts_text *text = &translation->text[expressions[i]];
        wcts_lang_effect_about(spec, effect, &about);
        wcts_text_release(text);
        if (roots[i])
            wcts_expr_print_about(exprs, spec, i == 0 ? &about.call : &about.message, roots[i],
                                  text);
    }
    read_text(effect, exprs, spec, rule, translation);
}
