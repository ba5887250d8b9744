/* SPDX-License-Identifier: MIT */
#include "mustpass.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../include/wddm-cts.h"
#include "../spec/file.h"

#define FILE_LIMIT ((size_t)64 << 20)

static const struct {
    const char *line;
    uint32_t side;
} roles[WCTS_MUSTPASS_ROLES] = {
    [WCTS_MUSTPASS_KERNEL] = {"# role kernel", WCTS_SIDE_KERNEL},
    [WCTS_MUSTPASS_DRIVER] = {"# role driver", WCTS_SIDE_DRIVER},
};

/* ---- Reading ---- */

static bool add(struct wcts_mustpass_list *list, const char *id)
{
    if (list->count == list->room) {
        int room = list->room * 2 + 1024;
        const char **more = realloc(list->ids, (size_t)room * sizeof *more);
        if (!more)
            return false;
        list->ids = more;
        list->room = room;
    }
    list->ids[list->count++] = id;
    return true;
}

static int role_of(const char *line, int role)
{
    for (int i = 0; i < WCTS_MUSTPASS_ROLES; i++)
        if (strcmp(line, roles[i].line) == 0)
            return i;
    return role;
}

static bool take_id(struct wcts_mustpass *mustpass, const char *id, int role,
                    const struct wcts_place *place, struct wcts_diagnostics *diagnostics)
{
    struct wcts_mustpass_list *list = role < 0 ? NULL : &mustpass->roles[role];
    if (!list)
        wcts_error_at(diagnostics, place, "%s stands before any role, expected %s or %s first", id,
                      roles[0].line, roles[1].line);
    else if (list->count > 0 && strcmp(list->ids[list->count - 1], id) >= 0)
        wcts_error_at(diagnostics, place, "%s behind %s, expected ids in the order of their bytes",
                      id, list->ids[list->count - 1]);
    else
        return add(list, id);
    return false;
}

static bool read_lines(struct wcts_mustpass *mustpass, struct wcts_diagnostics *diagnostics)
{
    struct wcts_place place = {mustpass->path, 0};
    char *rest = mustpass->bytes, *line;
    int role = -1;
    while ((line = strsep(&rest, "\n")) != NULL) {
        place.line++;
        if (line[0] == '#')
            role = role_of(line, role);
        else if (line[0] != '\0' && !take_id(mustpass, line, role, &place, diagnostics))
            return false;
    }
    return true;
}

/* The file with a zero behind it; NULL when it cannot be read, which is reported. */
static char *read_text(const char *path, struct wcts_diagnostics *diagnostics)
{
    size_t size = 0;
    char *bytes = wcts_file_read(path, FILE_LIMIT, &size, diagnostics);
    char *text = bytes ? realloc(bytes, size + 1) : NULL;
    if (text)
        text[size] = '\0';
    else
        free(bytes);
    return text;
}

struct wcts_mustpass *wcts_mustpass_load(const char *cases_dir, const struct wcts_spec *spec,
                                         struct wcts_diagnostics *diagnostics)
{
    struct wcts_mustpass *mustpass = spec->version ? calloc(1, sizeof *mustpass) : NULL;
    if (!mustpass)
        return NULL;
    if (asprintf(&mustpass->path, "%s/mustpass-%s.txt", cases_dir, spec->version) < 0)
        mustpass->path = NULL;
    if (mustpass->path && access(mustpass->path, F_OK) == 0)
        mustpass->bytes = read_text(mustpass->path, diagnostics);
    if (mustpass->bytes && read_lines(mustpass, diagnostics))
        return mustpass;
    wcts_mustpass_free(mustpass);
    return NULL;
}

void wcts_mustpass_free(struct wcts_mustpass *mustpass)
{
    if (!mustpass)
        return;
    for (int i = 0; i < WCTS_MUSTPASS_ROLES; i++)
        free(mustpass->roles[i].ids);
    free(mustpass->bytes);
    free(mustpass->path);
    free(mustpass);
}

/* ---- Comparing ---- */

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The ids of cases, of one role, in order; chosen NULL: of the whole plan. */
static struct wcts_mustpass_list ids_of(const struct wcts_plan *plan, const int *chosen, int count,
                                        int role)
{
    struct wcts_mustpass_list list = {0};
    for (int i = 0; i < count; i++) {
        const struct wcts_case *one = &plan->cases[chosen ? chosen[i] : i];
        if (one->driver == (role == WCTS_MUSTPASS_DRIVER) && one->kind != WCTS_KIND_SEQUENCE)
            add(&list, one->id);
    }
    if (list.count)
        qsort(list.ids, (size_t)list.count, sizeof *list.ids, by_bytes);
    return list;
}

void wcts_mustpass_write(FILE *out, const struct wcts_plan *plan)
{
    fprintf(out,
            "# The cases that a claim needs (docs/claims.md), of spec %s. Changed only with its "
            "version, by\n# wddm-cts list --mustpass >cases/mustpass-%s.txt\n",
            plan->spec->version, plan->spec->version);
    for (int role = 0; role < WCTS_MUSTPASS_ROLES; role++) {
        struct wcts_mustpass_list list = ids_of(plan, NULL, plan->count, role);
        fprintf(out, "%s\n", roles[role].line);
        for (int i = 0; i < list.count; i++)
            fprintf(out, "%s\n", list.ids[i]);
        free(list.ids);
    }
}

typedef void lacks_fn(void *ctx, const char *id);

/* Tells of every id of one list that the other has not. */
static void compare(const struct wcts_mustpass_list *list, const struct wcts_mustpass_list *other,
                    lacks_fn *lacks, void *ctx)
{
    int at = 0;
    for (int i = 0; i < list->count; i++) {
        int order = 1;
        while (at < other->count && (order = strcmp(other->ids[at], list->ids[i])) < 0)
            at++;
        if (at == other->count || order != 0)
            lacks(ctx, list->ids[i]);
    }
}

static void note(void *ctx, const char *id)
{
    struct wcts_mustpass_count *count = ctx;
    if (count->missing_count < WCTS_MUSTPASS_SHOWN)
        count->missing[count->missing_count] = id;
    count->missing_count++;
}

static void report(const struct wcts_mustpass_count *count, const struct wcts_mustpass *mustpass,
                   const char *what, const char *remedy, struct wcts_diagnostics *diagnostics)
{
    struct wcts_place place = {mustpass->path, 1};
    char names[600] = "";
    size_t used = 0;
    for (int i = 0; i < count->missing_count && i < WCTS_MUSTPASS_SHOWN; i++)
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                     count->missing[i]);
    if (count->missing_count)
        wcts_error_at(diagnostics, &place, "%d %s: %s%s; %s", count->missing_count, what, names,
                      count->missing_count > WCTS_MUSTPASS_SHOWN ? ", ..." : "", remedy);
}

void wcts_mustpass_lint(const struct wcts_mustpass *mustpass, const struct wcts_plan *plan,
                        struct wcts_diagnostics *diagnostics)
{
    struct wcts_mustpass_count gone = {0}, more = {0};
    for (int role = 0; role < WCTS_MUSTPASS_ROLES; role++) {
        struct wcts_mustpass_list planned = ids_of(plan, NULL, plan->count, role);
        compare(&mustpass->roles[role], &planned, note, &gone);
        compare(&planned, &mustpass->roles[role], note, &more);
        report(&gone, mustpass, "of the list not planned any more",
               "restore the case, or change the spec's version", diagnostics);
        report(&more, mustpass, "planned but not in the list",
               "change the spec's version, and make its list: wddm-cts list --mustpass",
               diagnostics);
        gone = more = (struct wcts_mustpass_count){0};
        free(planned.ids);
    }
}

void wcts_mustpass_hold(const struct wcts_mustpass *mustpass, const struct wcts_plan *plan,
                        const int *chosen, int chosen_count, uint32_t sides,
                        struct wcts_mustpass_count *count)
{
    *count = (struct wcts_mustpass_count){0};
    for (int role = 0; role < WCTS_MUSTPASS_ROLES; role++) {
        struct wcts_mustpass_list there;
        if (!(sides & roles[role].side))
            continue;
        there = ids_of(plan, chosen, chosen_count, role);
        count->of += mustpass->roles[role].count;
        compare(&mustpass->roles[role], &there, note, count);
        free(there.ids);
    }
    count->there = count->of - count->missing_count;
}
