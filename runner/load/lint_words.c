/* SPDX-License-Identifier: MIT */
/* Words with their flags, structures with their members. */
#include "lint.h"

#include <string.h>

static void lint_flag(const struct wcts_load_lint *lint, const struct wcts_word *word, int index)
{
    const struct wcts_flag *flag = &word->flags[index];
    /* A document that lays a word out names its bits without a gap. */
    bool layout =
        word->statement >= 0 && strcmp(lint->spec->statements[word->statement].form, "layout") == 0;
    int previous = index == 0 ? -1 : word->flags[index - 1].bit;
    wcts_load_lint_range(lint, &flag->place, "flag", flag->name, flag->since, flag->until);
    if (flag->bit >= word->bits)
        wcts_error_at(lint->diagnostics, &flag->place,
                      "flag \"%s\" has bit %d of the word \"%s\", expected a bit from 0 to %d",
                      flag->name, flag->bit, word->name, word->bits - 1);
    if (flag->bit < previous)
        wcts_error_at(lint->diagnostics, &flag->place,
                      "flag \"%s\" has bit %d after bit %d, expected flags in the order of their "
                      "bits",
                      flag->name, flag->bit, previous);
    if (layout && flag->bit > previous + 1)
        wcts_error_at(lint->diagnostics, &flag->place,
                      "flag \"%s\" has bit %d, expected bit %d: no gap", flag->name, flag->bit,
                      previous + 1);
    if (flag->open_since > flag->open_until - 1 && flag->open_until > 0)
        wcts_error_at(lint->diagnostics, &flag->place,
                      "flag \"%s\" is open from %s to %s, expected the earlier version first",
                      flag->name, wcts_load_lint_version(lint, flag->open_since),
                      wcts_load_lint_version(lint, flag->open_until - 1));
    for (int i = 0; i < index; i++)
        if (word->flags[i].bit == flag->bit && word->flags[i].since < flag->until &&
            flag->since < word->flags[i].until)
            wcts_error_at(lint->diagnostics, &flag->place,
                          "flag \"%s\" has bit %d as \"%s\" has at the same versions, expected one "
                          "flag",
                          flag->name, flag->bit, word->flags[i].name);
}

static void lint_member(const struct wcts_load_lint *lint, const struct wcts_structure *structure,
                        const struct wcts_member *member)
{
    const struct wcts_word *word = member->word < 0 ? NULL : &lint->spec->words[member->word];
    wcts_load_lint_range(lint, &member->place, "member", member->name, member->since,
                         member->until);
    if (member->since < structure->since || member->until > structure->until)
        wcts_error_at(lint->diagnostics, &member->place,
                      "member \"%s\" exists since %s until %s, expected no version without \"%s\"",
                      member->name, wcts_load_lint_version(lint, member->since),
                      wcts_load_lint_version(lint, member->until), structure->name);
    if (word != NULL && (uint32_t)word->bits > member->width * 8)
        wcts_error_at(lint->diagnostics, &member->place,
                      "member \"%s\" has %u bits, expected room for the %d of \"%s\"", member->name,
                      (unsigned)member->width * 8, word->bits, word->name);
}

void wcts_load_lint_words(const struct wcts_load_lint *lint)
{
    const struct wcts_spec *spec = lint->spec;
    for (int i = 0; i < spec->words_count; i++)
        for (int j = 0; j < spec->words[i].flag_count; j++)
            lint_flag(lint, &spec->words[i], j);
    for (int i = 0; i < spec->structures_count; i++) {
        const struct wcts_structure *structure = &spec->structures[i];
        wcts_load_lint_range(lint, &structure->place, "structure", structure->name,
                             structure->since, structure->until);
        for (int j = 0; j < structure->member_count; j++)
            lint_member(lint, structure, &structure->members[j]);
    }
}
