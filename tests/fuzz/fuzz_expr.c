/* SPDX-License-Identifier: MIT */
/*
 * Expressions of the rule language: "Map: SizeInBytes = 0" is one about the structure Map, a flag;
 * with "::" a number, with ":::" segments. What is accepted is printed, and read again as the same
 * tree.
 */
#include "fuzz.h"

#include <string.h>

#include "runner/lang/expr.h"

static void read_one(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    (void)ref;
    (void)use;
    ++*(int *)context;
}

static void condition(void *context, int index)
{
    const struct wcts_lang_exprs *exprs = context;
    wcts_lang_edge(exprs, index);
}

static int parse(struct wcts_lang_exprs *exprs, const char *text, size_t length, int on,
                 enum wcts_lang_type wanted)
{
    const struct wcts_spec *spec = wcts_fuzz_spec();
    struct wcts_diagnostics diagnostics = {.out = wcts_fuzz_sink()};
    struct wcts_lang_text from = {.text = text,
                                  .length = length,
                                  .place = {.file = "input", .line = 1},
                                  .attribute = "refuse",
                                  .element = "rule",
                                  .diagnostics = &diagnostics};
    const struct wcts_lang_about about = wcts_lang_about(spec, on);
    int first = exprs->node_count, root = wcts_lang_parse(exprs, &from);
    if (root && !wcts_lang_check_about(exprs, spec, &from, &about, root, wanted))
        root = 0;
    if (root && !wcts_lang_check_depends(exprs, spec, &from, &about, first))
        root = 0;
    WCTS_FUZZ_HOLDS((root == 0) == (diagnostics.errors == 1) && diagnostics.errors <= 1);
    return root;
}

static void print_and_read(struct wcts_lang_exprs *exprs, int root, int on,
                           enum wcts_lang_type wanted)
{
    const struct wcts_lang_about about = wcts_lang_about(wcts_fuzz_spec(), on);
    WCTS_TEXT(printed);
    int again;
    wcts_lang_print_about(exprs, wcts_fuzz_spec(), &about, root, &printed);
    if (strlen(wcts_text_get(&printed)) > WCTS_EXPR_LONGEST)
        return; /* blanks were added */
    again = parse(exprs, wcts_text_get(&printed), strlen(wcts_text_get(&printed)), on, wanted);
    WCTS_FUZZ_HOLDS(again != 0 && wcts_lang_same(exprs, root, again));
}

/* ---- a message ---- */

/* Three instances of each structure, whose members are numbers at the edges of what fits. */
static struct wcts_lang_result value(const struct wcts_lang_env *env, int subject,
                                     const struct wcts_lang_ref *steps, int count)
{
    static const uint64_t edges[] = {
        0, 1, 4096, 4097, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, UINT64_C(1) << 63, UINT64_MAX};
    const struct wcts_lang_ref *last = &steps[count - 1];
    unsigned at = (unsigned)(subject + count + last->structure + last->member + last->flag);
    uint64_t number = edges[at % (sizeof edges / sizeof *edges)];
    (void)env;
    if (at % 13 == 12)
        return wcts_lang_unknown();
    return wcts_lang_known(last->flag < 0 ? number : number & 1);
}

static uint64_t bits(const struct wcts_lang_env *env, int word, uint64_t *elsewhere)
{
    (void)env;
    *elsewhere = (uint64_t)word << 20;
    return 0xFFFF;
}

static int next(const struct wcts_lang_env *env, int subject, int structure, int after)
{
    (void)env;
    (void)subject;
    if (after < 2)
        return after + 1;
    return structure % 3 == 0 ? WCTS_LANG_UNTOLD : -1;
}

static int next_element(const struct wcts_lang_env *env, int subject, struct wcts_lang_ref pointer,
                        int structure, int after)
{
    (void)pointer;
    return next(env, subject, structure, after);
}

static enum wcts_truth was_there(const struct wcts_lang_env *env, int instance, int subject)
{
    (void)env;
    (void)subject;
    return (enum wcts_truth)(instance % 3);
}

static enum wcts_truth object(const struct wcts_lang_env *env, struct wcts_lang_result handle,
                              struct wcts_lang_object *found)
{
    (void)env;
    *found = (struct wcts_lang_object){"allocation", true, (uint64_t)handle.number};
    return handle.number % 2 ? WCTS_TRUE : WCTS_FALSE;
}

static bool pages(const struct wcts_lang_env *env, struct wcts_lang_result base, uint64_t size,
                  wcts_page_visit *visit, void *context)
{
    const struct wcts_lang_page page = {base.number % 2 ? 0 : -1, "reserved", 1};
    (void)env;
    for (int i = 0; i < 4 && (uint64_t)i < size / 4096; i++)
        if (!visit(context, &page))
            break;
    return true;
}

/* ---- the text ---- */

/* The structure with that name; -1: there is none. */
static int find_structure(const char *name, size_t length)
{
    const struct wcts_spec *spec = wcts_fuzz_spec();
    for (int i = 0; i < spec->structures_count; i++)
        if (strncmp(spec->structures[i].name, name, length) == 0 &&
            spec->structures[i].name[length] == '\0')
            return i;
    return -1;
}

static void try_text(const char *text, size_t length, int on, enum wcts_lang_type wanted)
{
    const struct wcts_lang_env env = {.spec = wcts_fuzz_spec(),
                                      .page_size = 4096,
                                      .bits = bits,
                                      .value = value,
                                      .next = next,
                                      .next_element = next_element,
                                      .was_there = was_there,
                                      .object = object,
                                      .pages = pages};
    struct wcts_lang_exprs exprs;
    int root, reads = 0;
    wcts_lang_exprs_init(&exprs);
    root = parse(&exprs, text, length, on, wanted);
    if (root) {
        print_and_read(&exprs, root, on, wanted);
        wcts_lang_conditions(&exprs, root, condition, &exprs);
        wcts_lang_reads(&exprs, root, read_one, &reads);
        wcts_lang_goes_by_version(&exprs, root);
        wcts_lang_value(&exprs, root, &env, 0);
    }
    wcts_lang_exprs_release(&exprs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum wcts_lang_type types[] = {WCTS_EXPR_FLAG, WCTS_EXPR_NUMBER,
                                                WCTS_EXPR_SEGMENTS};
    const char *text = (const char *)data, *end = text + size;
    const char *colon = size > 0 ? memchr(text, ':', size) : NULL;
    int on = colon ? find_structure(text, (size_t)(colon - text)) : -1;
    size_t wanted = 0;
    if (on < 0)
        return 0;
    for (colon++; colon < end && *colon == ':' && wanted + 1 < sizeof types / sizeof *types;
         colon++)
        wanted++;
    try_text(colon, (size_t)(end - colon), on, types[wanted]);
    return 0;
}
