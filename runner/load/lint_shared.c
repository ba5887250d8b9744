/* SPDX-License-Identifier: MIT */
/* Versions and references, and their names in messages. */
#include "../base/arena.h"
#include "lint.h"

const char *wcts_load_lint_version(const struct wcts_load_lint *lint, int version)
{
    return version < lint->spec->versions_count ? lint->spec->versions[version].name : "the end";
}

void wcts_load_lint_range(const struct wcts_load_lint *lint, const struct wcts_place *place,
                          const char *what, const char *name, int since, int until)
{
    if (since < until)
        return;
    wcts_error_at(lint->diagnostics, place,
                  "%s \"%s\" is since %s until %s, expected until to be later", what, name,
                  wcts_load_lint_version(lint, since), wcts_load_lint_version(lint, until));
}

static void narrow(int *since, int *until, int other_since, int other_until)
{
    if (other_since > *since)
        *since = other_since;
    if (other_until < *until)
        *until = other_until;
}

void wcts_load_lint_exists(const struct wcts_spec *spec, struct wcts_ref ref, int *since,
                           int *until)
{
    const struct wcts_structure *structure = &spec->structures[ref.structure];
    const struct wcts_member *member = &structure->members[ref.member];
    *since = structure->since;
    *until = structure->until;
    narrow(since, until, member->since, member->until);
    if (ref.flag >= 0) {
        const struct wcts_flag *flag = &spec->words[member->word].flags[ref.flag];
        narrow(since, until, flag->since, flag->until);
    }
}

const char *wcts_load_lint_ref(const struct wcts_spec *spec, struct wcts_ref ref)
{
    return wcts_arena_format(spec->arena, "%s.%s", spec->structures[ref.structure].name,
                             wcts_model_ref_name(spec->arena, spec, ref));
}
