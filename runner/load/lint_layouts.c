/* SPDX-License-Identifier: MIT */
/* Layouts: the offsets of a document are those of the header. */
#include "lint.h"

static void lint_at(const struct wcts_load_lint *lint, const struct wcts_rule *rule, int index)
{
    const struct wcts_at *at = &rule->at[index];
    const struct wcts_structure *structure = &lint->spec->structures[rule->on];
    const struct wcts_member *member = &structure->members[at->member];
    if (at->offset != member->offset || at->width != member->width)
        wcts_error_at(lint->diagnostics, &at->place,
                      "member \"%s\" at offset %u, width %u, expected the header's: offset %u, "
                      "width %u",
                      member->name, (unsigned)at->offset, (unsigned)at->width,
                      (unsigned)member->offset, (unsigned)member->width);
    if (rule->since < member->since || rule->until > member->until)
        wcts_error_at(lint->diagnostics, &at->place,
                      "rule \"%s\" holds since %s until %s, expected no version without \"%s\"",
                      rule->id, wcts_load_lint_version(lint, rule->since),
                      wcts_load_lint_version(lint, rule->until), member->name);
    for (int i = 0; i < index; i++)
        if (rule->at[i].member == at->member)
            wcts_error_at(lint->diagnostics, &at->place,
                          "second <at> of member \"%s\", expected one", member->name);
}

static void lint_layout_word(const struct wcts_load_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_spec *spec = lint->spec;
    struct wcts_ref ref = rule->arg[WCTS_ARG_MEMBER].refs[0];
    const struct wcts_member *member = wcts_model_ref_member(spec, ref);
    const struct wcts_operand *fact = &rule->arg[WCTS_ARG_FACT];
    if (member->word != rule->word)
        wcts_error_at(
            lint->diagnostics, &rule->place,
            "layout of word \"%s\" in member \"%s\", expected a member that has this word",
            spec->words[rule->word].name, member->name);
    if (fact->given && (fact->refs[0].flag < 0 || fact->refs[0].member != ref.member ||
                        fact->refs[0].structure != ref.structure))
        wcts_error_at(lint->diagnostics, &rule->place,
                      "layout of \"%s\", expected a flag of member \"%s\"", fact->text,
                      member->name);
}

void wcts_load_lint_layouts(const struct wcts_load_lint *lint)
{
    for (int i = 0; i < lint->spec->rules_count; i++) {
        const struct wcts_rule *rule = &lint->spec->rules[i];
        if (rule->form != WCTS_FORM_LAYOUT)
            continue;
        for (int j = 0; j < rule->at_count; j++)
            lint_at(lint, rule, j);
        if (rule->word >= 0)
            lint_layout_word(lint, rule);
    }
}
