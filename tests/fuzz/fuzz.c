/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/text.h"
#include "runner/load/spec_files.h"

void wcts_fuzz_broken(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

FILE *wcts_fuzz_sink(void)
{
    static FILE *sink;
    if (!sink)
        sink = fopen("/dev/null", "we");
    WCTS_FUZZ_HOLDS(sink != NULL);
    return sink;
}

const struct wcts_spec *wcts_fuzz_spec(void)
{
    static const struct wcts_spec *spec;
    struct wcts_diagnostics diagnostics = {.out = stderr};
    if (!spec)
        spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    WCTS_FUZZ_HOLDS(spec != NULL);
    return spec;
}

const struct wcts_plan *wcts_fuzz_plan(void)
{
    static const struct wcts_plan *plan;
    const struct wcts_plan_options options = {
        .few = true, .newest_only = true, .steps = 100, .seed = 1};
    struct wcts_diagnostics diagnostics = {.out = stderr};
    if (!plan)
        plan = wcts_plan_make(wcts_fuzz_spec(), &options, &diagnostics);
    WCTS_FUZZ_HOLDS(plan != NULL && plan->count > 0);
    return plan;
}

/* ---- files ---- */

void wcts_fuzz_directory_init(struct wcts_fuzz_directory *directory, const char *const *names)
{
    *directory = (struct wcts_fuzz_directory){"/dev/shm/wcts-fuzz-XXXXXX", names};
    WCTS_FUZZ_HOLDS(mkdtemp(directory->path) != NULL);
}

void wcts_fuzz_directory_put(const struct wcts_fuzz_directory *directory, const char *name,
                             const void *bytes, size_t size)
{
    WCTS_TEXT(path);
    FILE *out;
    wcts_text_add(&path, "%s/%s", directory->path, name);
    if (strchr(name, '/')) {
        WCTS_TEXT(folder);
        wcts_text_add(&folder, "%s/%.*s", directory->path, (int)(strchr(name, '/') - name), name);
        mkdir(wcts_text_get(&folder), 0700);
    }
    out = fopen(wcts_text_get(&path), "we");
    WCTS_FUZZ_HOLDS(out != NULL);
    WCTS_FUZZ_HOLDS(size == 0 || fwrite(bytes, 1, size, out) == size);
    fclose(out);
}

static bool is_allowed(const struct wcts_fuzz_directory *directory, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    for (const char *const *one = directory->names; *one; one++) {
        size_t length = strlen(*one);
        const char *rest = name + length;
        bool folder = (*one)[length - 1] == '/';
        if (!folder && strcmp(*one, name) == 0)
            return true;
        if (folder && strncmp(*one, name, length) == 0 && rest[0] != '\0' && rest[0] != '.' &&
            rest[strspn(rest, plain)] == '\0')
            return true;
    }
    return false;
}

/* The next line "-- NAME", from which on *rest is what is behind it; NULL: there is none. */
static const uint8_t *find_section(const uint8_t *from, const uint8_t *end, char name[64],
                                   const uint8_t **rest)
{
    for (const uint8_t *line = from; line < end;) {
        const uint8_t *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop ? stop : end) - line);
        if (length > 3 && length < 64 && memcmp(line, "-- ", 3) == 0) {
            memcpy(name, line + 3, length - 3);
            name[length - 3] = '\0';
            *rest = stop ? stop + 1 : end;
            return line;
        }
        line = stop ? stop + 1 : end;
    }
    return NULL;
}

void wcts_fuzz_directory_lay(const struct wcts_fuzz_directory *directory, const uint8_t *data,
                             size_t size)
{
    const uint8_t *end = data + size, *body = data;
    char name[64], next[64];
    const uint8_t *at = find_section(data, end, name, &body);
    while (at && strcmp(name, "expected") != 0) {
        const uint8_t *from = body;
        at = find_section(from, end, next, &body);
        if (is_allowed(directory, name))
            wcts_fuzz_directory_put(directory, name, from, (size_t)((at ? at : end) - from));
        memcpy(name, next, sizeof name);
    }
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    return place->level > 0 ? remove(path) : 0;
}

void wcts_fuzz_directory_clear(const struct wcts_fuzz_directory *directory)
{
    nftw(directory->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

void wcts_fuzz_directory_release(struct wcts_fuzz_directory *directory)
{
    wcts_fuzz_directory_clear(directory);
    rmdir(directory->path);
}

/* ---- numbers ---- */

uint64_t wcts_fuzz_number(struct wcts_fuzz_reader *reader, int bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < bytes && reader->size > 0; i++, reader->data++, reader->size--)
        number |= (uint64_t)*reader->data << 8 * i;
    return number;
}
