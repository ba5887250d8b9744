/* SPDX-License-Identifier: MIT */
#include "profile.h"

const char *wcts_model_profile_kind_name(enum wcts_profile_kind kind)
{
    static const char *const names[WCTS_PROFILE_KINDS] = {
        [WCTS_PROFILE_DEVIATION] = "deviation",
        [WCTS_PROFILE_RESTRICTION] = "restriction",
        [WCTS_PROFILE_ABSENT] = "absent",
    };
    return names[kind];
}

int wcts_model_profile_count(const struct wcts_profile *profile, enum wcts_profile_kind kind)
{
    int count = 0;
    for (int i = 0; i < profile->count; i++)
        count += profile->entries[i].kind == kind;
    return count;
}
