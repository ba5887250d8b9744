/* SPDX-License-Identifier: MIT */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "wanted.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "planner.h"

struct plan_filter {
    pcre2_code *pattern;
    pcre2_match_data *match;
};

struct wcts_wanted {
    const char *id;          /* borrowed; NULL: the filters */
    const char *const *more; /* ids beside it; borrowed */
    int more_count;
    struct plan_filter *filters;
    int count;
};

struct wcts_wanted *wcts_plan_wanted_id(const char *id)
{
    struct wcts_wanted *wanted = calloc(1, sizeof *wanted);
    if (wanted)
        wanted->id = id;
    return wanted;
}

void wcts_plan_wanted_more(struct wcts_wanted *wanted, const char *const *ids, int count)
{
    wanted->more = ids;
    wanted->more_count = count;
}

void wcts_plan_wanted_free(struct wcts_wanted *wanted)
{
    if (!wanted)
        return;
    for (int i = 0; i < wanted->count; i++) {
        pcre2_match_data_free(wanted->filters[i].match);
        pcre2_code_free(wanted->filters[i].pattern);
    }
    free(wanted->filters);
    free(wanted);
}

/* ---- Filters ---- */

/* Nothing else in an id looks like a document's prefix with a hyphen and a digit behind it, so an
 * expression that begins with one can match at the beginning alone. */
static bool begins_as_ids_do(const struct wcts_spec *spec, const char *filter)
{
    for (int i = 0; i < spec->documents_count; i++) {
        size_t length = strlen(spec->documents[i].prefix);
        if (strncmp(filter, spec->documents[i].prefix, length) == 0 && filter[length] == '-' &&
            strchr("0123456789", filter[length + 1]) && filter[length + 1] != '\0')
            return strchr(filter, '|') == NULL &&
                   strpbrk(filter + length + 2, "?*{") != filter + length + 2;
    }
    return false;
}

static bool filter_init(struct plan_filter *filter, const struct wcts_spec *spec, const char *text)
{
    uint32_t options = 0;
    int error;
    size_t offset;
    filter->pattern =
        pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, &error, &offset, NULL);
    if (!filter->pattern)
        return false;
    filter->match = pcre2_match_data_create_from_pattern(filter->pattern, NULL);
    pcre2_pattern_info(filter->pattern, PCRE2_INFO_ALLOPTIONS, &options);
    return filter->match && ((options & PCRE2_ANCHORED) || begins_as_ids_do(spec, text));
}

struct wcts_wanted *wcts_plan_wanted_filters(const struct wcts_spec *spec,
                                             const char *const *filters, int count)
{
    struct wcts_wanted *wanted = calloc(1, sizeof *wanted);
    bool tied = wanted && count > 0;
    if (tied)
        wanted->filters = calloc((size_t)count, sizeof *wanted->filters);
    tied = tied && wanted->filters;
    for (int i = 0; tied && i < count; i++) {
        wanted->count = i + 1;
        tied = filter_init(&wanted->filters[i], spec, filters[i]);
    }
    if (tied)
        return wanted;
    wcts_plan_wanted_free(wanted);
    return NULL;
}

/* ---- Beginnings ---- */

/* True if the id is that of the rule, or of one of its cases, after a slash; or of its statement,
 * with a dot after it. The beginning may go on where the id ends. */
static bool id_begins(const char *id, const char *beginning)
{
    size_t length = strlen(id), rule = strlen(beginning) - 1;
    if (strncmp(id, beginning, rule) == 0 && (id[rule] == '/' || id[rule] == '\0'))
        return true;
    return strncmp(id, beginning, length) == 0 &&
           (beginning[length] == '.' || beginning[length] == '/');
}

bool wcts_plan_wanted_begins(const void *context, const char *beginning)
{
    const struct wcts_wanted *wanted = context;
    bool begins = wanted->id && id_begins(wanted->id, beginning);
    for (int i = 0; i < wanted->more_count; i++)
        begins = begins || id_begins(wanted->more[i], beginning);
    for (int i = 0; i < wanted->count; i++)
        /* A partial match may become a match. Errors are left to the matching of whole ids. */
        begins =
            begins || pcre2_match(wanted->filters[i].pattern, (PCRE2_SPTR)beginning,
                                  PCRE2_ZERO_TERMINATED, 0, PCRE2_ANCHORED | PCRE2_PARTIAL_HARD,
                                  wanted->filters[i].match, NULL) != PCRE2_ERROR_NOMATCH;
    return begins;
}

/* ---- The part that is planned ---- */

bool wcts_plan_wants(const struct wcts_plan_options *options, const char *id)
{
    WCTS_TEXT(beginning);
    if (!options || !options->wants)
        return true;
    wcts_text_add(&beginning, "%s/", id);
    return options->wants(options->wants_context, wcts_text_get(&beginning));
}

/* Marks the rules on which a rule rests. */
static void want_below(const struct wcts_spec *spec, int rule, bool *wanted)
{
    for (int i = 0; i < spec->rules[rule].rests_on_count; i++)
        wanted[spec->rules[rule].rests_on[i]] = true;
}

/* True if one of the scenario's effects is wanted for itself. */
static bool has_wanted(const struct wcts_scenario *scenario, const bool *own)
{
    for (int i = 0; i < scenario->effect_count; i++)
        if (own[scenario->effects[i]])
            return true;
    return false;
}

/* A rule on which a wanted one rests is planned with it, since its verdict affects that one's. So
 * is one on which an effect rests that a wanted one's scenario looks at. */
bool *wcts_plan_wanted_rules(const struct wcts_plan_options *options, const struct wcts_spec *spec)
{
    bool *own = calloc((size_t)spec->rules_count + 1, sizeof *own);
    bool *wanted = calloc((size_t)spec->rules_count + 1, sizeof *wanted);
    for (int i = 0; own && wanted && i < spec->rules_count; i++)
        if ((own[i] = wcts_plan_wants(options, spec->rules[i].id))) {
            wanted[i] = true;
            want_below(spec, i, wanted);
        }
    for (int i = 0; own && wanted && i < spec->cases->scenarios_count; i++) {
        const struct wcts_scenario *scenario = &spec->cases->scenarios[i];
        for (int j = 0; has_wanted(scenario, own) && j < scenario->also_count; j++)
            want_below(spec, scenario->also[j], wanted);
    }
    if (!own) {
        free(wanted);
        wanted = NULL;
    }
    free(own);
    return wanted;
}
