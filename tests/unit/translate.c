/* SPDX-License-Identifier: MIT */
#include "tests/unit/translate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runner/model/names.h"

struct translating {
    const struct wcts_spec *spec;
    const struct wcts_rule *rule;
    struct translation *out;
};

/* ---- operands ---- */

static void add_ref(struct wcts_text *out, const struct wcts_spec *spec, int on,
                    struct wcts_ref ref)
{
    char name[128];
    wcts_text_add(out, "%s%s%s", ref.structure == on ? "" : spec->structures[ref.structure].name,
                  ref.structure == on ? "" : ".", wcts_ref_text(spec, ref, name, sizeof name));
}

static void add_operand(struct wcts_text *out, const struct wcts_spec *spec, int on,
                        const struct wcts_operand *operand)
{
    if (operand->page)
        wcts_text_add(out, "page");
    else if (operand->count == 0)
        wcts_text_add(out, "0x%" PRIx64, operand->number);
    else
        add_ref(out, spec, on, operand->refs[0]);
}

/* True or false: a flag as it is, a member against 0. */
static void add_fact(struct wcts_text *out, const struct wcts_spec *spec, int on,
                     struct wcts_ref ref, bool set)
{
    wcts_text_add(out, "%s", set || ref.flag < 0 ? "" : "not ");
    add_ref(out, spec, on, ref);
    if (ref.flag < 0)
        wcts_text_add(out, set ? " != 0" : " = 0");
}

static void add_facts(struct wcts_text *out, const struct wcts_spec *spec, int on,
                      const struct wcts_operand *list, const char *between, bool set)
{
    for (int i = 0; i < list->count; i++) {
        wcts_text_add(out, "%s", i > 0 ? between : "");
        add_fact(out, spec, on, list->refs[i], set);
    }
}

/* Some segment of the set has one of the flags. */
static void add_segment(struct wcts_text *out, const struct wcts_spec *spec, int on,
                        const char *quantifier, struct wcts_ref set,
                        const struct wcts_operand *flags)
{
    int structure = flags->refs[0].structure;
    wcts_text_add(out, "%s(%s in ", quantifier, spec->structures[structure].name);
    add_ref(out, spec, on, set);
    wcts_text_add(out, ", ");
    add_facts(out, spec, structure, flags, " or ", true);
    wcts_text_add(out, ")");
}

/* ---- conditions ---- */

static void add_and(struct wcts_text *out)
{
    wcts_text_add(out, "%s", out->length > 0 ? " and " : "");
}

static void add_segments(struct wcts_text *out, const struct wcts_spec *spec, int on,
                         const struct wcts_operand *arg, bool some)
{
    const struct wcts_operand *flags = &arg[some ? WCTS_ARG_SEGMENT : WCTS_ARG_NO_SEGMENT];
    bool two = arg[WCTS_ARG_OR].given;
    if (!flags->given)
        return;
    add_and(out);
    wcts_text_add(out, "%s%s", some ? "" : "not ", two ? "(" : "");
    add_segment(out, spec, on, "some", arg[WCTS_ARG_MEMBER].refs[0], flags);
    if (two) {
        wcts_text_add(out, " or ");
        add_segment(out, spec, on, "some", arg[WCTS_ARG_OR].refs[0], flags);
        wcts_text_add(out, ")");
    }
}

static void translate_condition(struct wcts_text *out, const struct wcts_spec *spec, int on,
                                const struct wcts_condition *condition)
{
    static const struct {
        enum wcts_attribute attribute;
        const char *operator;
    } comparisons[] = {{WCTS_ARG_LESS, "<"}, {WCTS_ARG_EQUALS, "="}, {WCTS_ARG_DIFFERS, "!="}};
    const struct wcts_operand *arg = condition->arg;
    const struct wcts_operand *of =
        arg[WCTS_ARG_FACT].given ? &arg[WCTS_ARG_FACT] : &arg[WCTS_ARG_MEMBER];
    if (arg[WCTS_ARG_IS].given) {
        enum wcts_is is = (enum wcts_is)arg[WCTS_ARG_IS].number;
        add_fact(out, spec, on, of->refs[0], is == WCTS_IS_SET || is == WCTS_IS_NONZERO);
    }
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        if (!arg[comparisons[i].attribute].given)
            continue;
        add_and(out);
        add_ref(out, spec, on, of->refs[0]);
        wcts_text_add(out, " %s ", comparisons[i].operator);
        add_operand(out, spec, on, &arg[comparisons[i].attribute]);
    }
    add_segments(out, spec, on, arg, true);
    add_segments(out, spec, on, arg, false);
}

/* ---- forms ---- */

static const struct wcts_operand *operand(const struct translating *in, enum wcts_attribute which)
{
    return &in->rule->arg[which];
}

static void add_arg(const struct translating *in, struct wcts_text *out, enum wcts_attribute which)
{
    add_operand(out, in->spec, in->rule->on, operand(in, which));
}

static void fact_of(const struct translating *in, struct wcts_text *out, enum wcts_attribute which,
                    bool set)
{
    add_fact(out, in->spec, in->rule->on, operand(in, which)->refs[0], set);
}

/* NAME(BASE, SIZE, or open. */
static void add_pair(const struct translating *in, const char *name, enum wcts_attribute first,
                     enum wcts_attribute second)
{
    struct wcts_text *out = &in->out->refuse;
    wcts_text_add(out, "%s(", name);
    add_arg(in, out, first);
    wcts_text_add(out, ", ");
    add_arg(in, out, second);
}

static void translate_requires(const struct translating *in)
{
    const struct wcts_operand *any = operand(in, WCTS_ARG_ANY), *all = operand(in, WCTS_ARG_ALL);
    struct wcts_text *out = &in->out->unless;
    bool group = any->given && all->given && any->count > 1;
    fact_of(in, &in->out->refuse, WCTS_ARG_FACT, true);
    wcts_text_add(out, "%s", group ? "(" : "");
    add_facts(out, in->spec, in->rule->on, any, " or ", true);
    wcts_text_add(out, "%s%s", group ? ")" : "", any->given && all->given ? " and " : "");
    add_facts(out, in->spec, in->rule->on, all, " and ", true);
}

static void translate_excludes(const struct translating *in)
{
    fact_of(in, &in->out->premise, WCTS_ARG_FACT, true);
    add_facts(&in->out->refuse, in->spec, in->rule->on, operand(in, WCTS_ARG_WITH), " or ", true);
}

static void translate_at_least_one(const struct translating *in)
{
    add_facts(&in->out->refuse, in->spec, in->rule->on, operand(in, WCTS_ARG_ANY), " and ", false);
}

static void translate_exactly_one(const struct translating *in)
{
    wcts_text_add(&in->out->refuse, "not exactly_one(");
    add_facts(&in->out->refuse, in->spec, in->rule->on, operand(in, WCTS_ARG_ANY), ", ", true);
    wcts_text_add(&in->out->refuse, ")");
}

static void translate_exclusive(const struct translating *in)
{
    fact_of(in, &in->out->premise, WCTS_ARG_FACT, true);
    wcts_text_add(&in->out->refuse, "others(");
    fact_of(in, &in->out->refuse, WCTS_ARG_FACT, true);
    wcts_text_add(&in->out->refuse, ")");
}

static void translate_reserved(const struct translating *in)
{
    fact_of(in, &in->out->refuse, WCTS_ARG_FACT, true);
}

static void translate_undefined(const struct translating *in)
{
    wcts_text_add(&in->out->refuse, "undefined(");
    add_arg(in, &in->out->refuse, WCTS_ARG_MEMBER);
    wcts_text_add(&in->out->refuse, ")");
}

static void translate_row(const struct translating *in)
{
    for (int i = 0; i < in->rule->cell_count; i++) {
        add_and(&in->out->refuse);
        add_fact(&in->out->refuse, in->spec, in->rule->on, in->rule->cells[i].flag,
                 in->rule->cells[i].set);
    }
}

static void translate_multiple(const struct translating *in)
{
    add_arg(in, &in->out->refuse, WCTS_ARG_MEMBER);
    wcts_text_add(&in->out->refuse, " mod ");
    add_arg(in, &in->out->refuse, WCTS_ARG_TO);
    wcts_text_add(&in->out->refuse, " != 0");
}

static void translate_range(const struct translating *in)
{
    struct wcts_text *out = &in->out->refuse;
    bool both = operand(in, WCTS_ARG_MIN)->given && operand(in, WCTS_ARG_MAX)->given;
    if (operand(in, WCTS_ARG_MIN)->given) {
        add_arg(in, out, WCTS_ARG_MEMBER);
        wcts_text_add(out, " < ");
        add_arg(in, out, WCTS_ARG_MIN);
    }
    wcts_text_add(out, "%s", both ? " or " : "");
    if (operand(in, WCTS_ARG_MAX)->given) {
        add_arg(in, out, WCTS_ARG_MEMBER);
        wcts_text_add(out, " > ");
        add_arg(in, out, WCTS_ARG_MAX);
    }
}

static void translate_no_wrap(const struct translating *in)
{
    add_pair(in, "wraps", WCTS_ARG_BASE, WCTS_ARG_SIZE);
    wcts_text_add(&in->out->refuse, ")");
}

static void translate_fits(const struct translating *in)
{
    struct wcts_text *out = &in->out->refuse;
    add_arg(in, out, WCTS_ARG_OFFSET);
    wcts_text_add(out, " + ");
    if (operand(in, WCTS_ARG_OR)->given) {
        add_pair(in, "default", WCTS_ARG_SIZE, WCTS_ARG_OR);
        wcts_text_add(out, ")");
    } else {
        add_arg(in, out, WCTS_ARG_SIZE);
    }
    wcts_text_add(out, " > size(");
    add_arg(in, out, WCTS_ARG_WITHIN);
    wcts_text_add(out, ")");
}

static void translate_nonzero(const struct translating *in)
{
    fact_of(in, &in->out->refuse, WCTS_ARG_MEMBER, false);
}

static void translate_zero(const struct translating *in)
{
    fact_of(in, &in->out->refuse, WCTS_ARG_MEMBER, true);
}

static void translate_handle(const struct translating *in)
{
    struct wcts_text *out = &in->out->refuse;
    const struct wcts_operand *with = operand(in, WCTS_ARG_WITH);
    wcts_text_add(out, "not live(");
    add_arg(in, out, WCTS_ARG_MEMBER);
    wcts_text_add(out, ", %s)", operand(in, WCTS_ARG_KIND)->text);
    for (int i = 0; i < with->count; i++) {
        wcts_text_add(out, " or not ");
        add_arg(in, out, WCTS_ARG_MEMBER);
        wcts_text_add(out, "/");
        add_ref(out, in->spec, -1, with->refs[i]);
    }
}

static void translate_subset(const struct translating *in)
{
    fact_of(in, &in->out->refuse, WCTS_ARG_MEMBER, true);
    add_arg(in, &in->out->unless, WCTS_ARG_MEMBER);
    wcts_text_add(&in->out->unless, " in ");
    add_arg(in, &in->out->unless, WCTS_ARG_OF);
}

static void translate_segments(const struct translating *in)
{
    struct wcts_text *out = &in->out->unless;
    struct wcts_ref set = operand(in, WCTS_ARG_MEMBER)->refs[0];
    fact_of(in, &in->out->refuse, WCTS_ARG_MEMBER, true);
    if (operand(in, WCTS_ARG_ANY)->given)
        add_segment(out, in->spec, in->rule->on, "each", set, operand(in, WCTS_ARG_ANY));
    if (!operand(in, WCTS_ARG_WITH)->given)
        return;
    add_and(out);
    wcts_text_add(out, "not ");
    add_segment(out, in->spec, in->rule->on, "some", set, operand(in, WCTS_ARG_WITH));
}

static void count_of(const struct translating *in, struct wcts_text *out, uint64_t more_than)
{
    struct wcts_ref flag = operand(in, WCTS_ARG_FACT)->refs[0];
    wcts_text_add(out, "count(%s, ", in->spec->structures[flag.structure].name);
    add_fact(out, in->spec, flag.structure, flag, true);
    wcts_text_add(out, ") > %" PRIu64, more_than);
}

static void translate_count(const struct translating *in)
{
    count_of(in, &in->out->premise, 0);
    count_of(in, &in->out->refuse, operand(in, WCTS_ARG_MAX)->number);
}

static void translate_pages(const struct translating *in)
{
    const char *between = "";
    for (int state = 0; state <= 3; state++) {
        if (!(operand(in, WCTS_ARG_NOT)->number >> state & 1))
            continue;
        wcts_text_add(&in->out->refuse, "%s%s in ", between, wcts_page_state_words[state]);
        add_pair(in, "pages", WCTS_ARG_BASE, WCTS_ARG_SIZE);
        wcts_text_add(&in->out->refuse, ")");
        between = " or ";
    }
}

static void translate_reservation(const struct translating *in)
{
    add_pair(in, "not reservation", WCTS_ARG_BASE, WCTS_ARG_SIZE);
    wcts_text_add(&in->out->refuse, ", %s)",
                  strcmp(operand(in, WCTS_ARG_KIND)->text, "zero") == 0 ? "zero" : "no_access");
}

static void translate_one_reservation(const struct translating *in)
{
    struct wcts_text *out = &in->out->refuse;
    wcts_text_add(out, "not one_reservation(");
    for (int i = 0; i < in->rule->range_count; i++) {
        const struct wcts_range_of *range = &in->rule->ranges[i];
        wcts_text_add(out, "%s%s(", i > 0 ? ", " : "",
                      range->unreserved_ignored ? "reserved" : "range");
        add_ref(out, in->spec, in->rule->on, range->base);
        wcts_text_add(out, ", ");
        add_ref(out, in->spec, in->rule->on, range->size);
        wcts_text_add(out, ")");
    }
    wcts_text_add(out, ")");
}

static void translate_distinct(const struct translating *in)
{
    wcts_text_add(&in->out->refuse, "repeats(");
    add_arg(in, &in->out->refuse, WCTS_ARG_MEMBER);
    wcts_text_add(&in->out->refuse, ")");
}

static void translate_banks(const struct translating *in)
{
    add_pair(in, "not contiguous", WCTS_ARG_MEMBER, WCTS_ARG_WITHIN);
    wcts_text_add(&in->out->refuse, ")");
}

typedef void translate_fn(const struct translating *in);

static translate_fn *const forms[WCTS_FORM_COUNT_OF] = {
    [WCTS_FORM_REQUIRES] = translate_requires,
    [WCTS_FORM_EXCLUDES] = translate_excludes,
    [WCTS_FORM_AT_LEAST_ONE] = translate_at_least_one,
    [WCTS_FORM_EXACTLY_ONE] = translate_exactly_one,
    [WCTS_FORM_EXCLUSIVE] = translate_exclusive,
    [WCTS_FORM_RESERVED] = translate_reserved,
    [WCTS_FORM_UNDEFINED] = translate_undefined,
    [WCTS_FORM_GATE] = translate_reserved,
    [WCTS_FORM_ROW] = translate_row,
    [WCTS_FORM_ALIGN] = translate_multiple,
    [WCTS_FORM_MULTIPLE] = translate_multiple,
    [WCTS_FORM_RANGE] = translate_range,
    [WCTS_FORM_NO_WRAP] = translate_no_wrap,
    [WCTS_FORM_FITS] = translate_fits,
    [WCTS_FORM_NONZERO] = translate_nonzero,
    [WCTS_FORM_ZERO] = translate_zero,
    [WCTS_FORM_HANDLE] = translate_handle,
    [WCTS_FORM_SUBSET] = translate_subset,
    [WCTS_FORM_SEGMENTS] = translate_segments,
    [WCTS_FORM_COUNT] = translate_count,
    [WCTS_FORM_PAGES] = translate_pages,
    [WCTS_FORM_RESERVATION] = translate_reservation,
    [WCTS_FORM_ONE_RESERVATION] = translate_one_reservation,
    [WCTS_FORM_DISTINCT] = translate_distinct,
    [WCTS_FORM_BANKS] = translate_banks,
};

static void start_translation(struct translation *translation, const struct wcts_spec *spec,
                              const struct wcts_rule *rule)
{
    *translation = (struct translation){.condition_count = rule->when_count};
    translation->conditions = calloc((size_t)rule->when_count + 1, sizeof *translation->conditions);
    if (!translation->conditions)
        abort();
    for (int i = 0; i < rule->when_count; i++)
        translate_condition(&translation->conditions[i], spec, rule->on, &rule->when[i]);
}

void translate_rule(struct translation *translation, const struct wcts_spec *spec,
                    const struct wcts_rule *rule)
{
    const struct translating in = {spec, rule, translation};
    start_translation(translation, spec, rule);
    forms[rule->form](&in);
}

static void translation_when(const struct translation *translation, struct wcts_text *out)
{
    for (int i = 0; i < translation->condition_count; i++) {
        add_and(out);
        wcts_text_add(out, "%s", wcts_text_get(&translation->conditions[i]));
    }
    if (translation->premise.length > 0) {
        add_and(out);
        wcts_text_add(out, "%s", wcts_text_get(&translation->premise));
    }
}

void translation_release(struct translation *translation)
{
    for (int i = 0; i < translation->condition_count; i++)
        wcts_text_release(&translation->conditions[i]);
    free(translation->conditions);
    wcts_text_release(&translation->premise);
    wcts_text_release(&translation->refuse);
    wcts_text_release(&translation->unless);
}

/* ---- from text to expressions ---- */

static int expression_of(struct wcts_exprs *exprs, const struct wcts_spec *spec,
                         const struct wcts_rule *rule, const char *attribute,
                         const struct wcts_text *from)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    struct wcts_expr_text text = {wcts_text_get(from), from->length, rule->place, attribute, "rule",
                                  &diagnostics,        false};
    WCTS_TEXT(printed);
    int root = 0;
    for (int times = 0; from->length > 0 && times < 2; times++) {
        root = wcts_expr_parse(exprs, &text);
        if (root == 0 || !wcts_expr_check(exprs, spec, &text, rule->on, root, WCTS_EXPR_FLAG)) {
            fprintf(stderr, "%s: %s\n", rule->id, text.text);
            abort();
        }
        wcts_text_release(&printed);
        wcts_expr_print(exprs, spec, rule->on, root, &printed);
        text.text = wcts_text_get(&printed);
        text.length = printed.length;
    }
    return root;
}

static void add_conditions(struct twin *twin, struct wcts_exprs *exprs,
                           const struct wcts_spec *spec, const struct wcts_rule *rule,
                           const struct translation *translation)
{
    twin->conditions = calloc((size_t)rule->when_count + 1, sizeof *twin->conditions);
    if (!twin->conditions)
        abort();
    for (int i = 0; i < rule->when_count; i++)
        twin->conditions[i] = expression_of(exprs, spec, rule, "when", &translation->conditions[i]);
}

void twin_rule(struct twin *twin, struct wcts_exprs *exprs, const struct wcts_spec *spec,
               const struct wcts_rule *rule)
{
    struct translation translation;
    WCTS_TEXT(when);
    translate_rule(&translation, spec, rule);
    translation_when(&translation, &when);
    add_conditions(twin, exprs, spec, rule, &translation);
    twin->form.when = expression_of(exprs, spec, rule, "when", &translation.premise);
    twin->form.refuse = expression_of(exprs, spec, rule, "refuse", &translation.refuse);
    twin->form.unless = expression_of(exprs, spec, rule, "unless", &translation.unless);
    twin->whole = twin->form;
    twin->whole.when = expression_of(exprs, spec, rule, "when", &when);
    translation_release(&translation);
}

void twin_conditions(struct twin *twin, struct wcts_exprs *exprs, const struct wcts_spec *spec,
                     const struct wcts_rule *rule)
{
    struct translation translation;
    start_translation(&translation, spec, rule);
    add_conditions(twin, exprs, spec, rule, &translation);
    translation_release(&translation);
}

void twin_release(struct twin *twin)
{
    free(twin->conditions);
}
