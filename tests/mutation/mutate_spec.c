/* SPDX-License-Identifier: MIT */
/*
 * Mutates the spec: for each rule, row, flag, version, alignment, outcome, and for what is in the
 * expressions of rules and effects, a suite with that one thing wrong. Each must be refused by
 * lint, or turn a run against the emulator red on the statement that was mutated. Prints a line for
 * each that is neither, and a count.
 *
 * Nearly all are decided in this process (in_process.c). What is left is decided by the tool with a
 * copy of spec/ (by_tool.c), which tries more: every scenario is made to expect the mutated effect,
 * and the sequences of the document are walked. Each case must fare as with the spec as it is.
 *
 * A mutant that asks for less is true of what conforms, and one that asks for more may be true of
 * the emulator. So they are tried on the emulator with each fault that it has in the statement
 * (wddm-cts faults), and with each choice that does otherwise what the documents leave open:
 * CHOICES is a list of them.
 *
 * UNSEEN lists those that nothing can tell from the spec, or for which a case is missing, each with
 * the reason: "RULE: MUTATION" on a line, after a line of reason that begins with #. One that is
 * listed and noticed all the same fails, so that the list stays true. They are tried on the
 * emulator as it is alone, since nothing ends a search that finds nothing: --listed tries them on
 * all that this process can try. FILTER: a part of a statement or of such a line; only those are
 * tried and counted. N and SEED: N of these are tried, drawn by the seed, which is any text; none
 * that is listed.
 *
 * --slow: all are decided by the tool, which takes a minute for one that is listed. --fast: none
 * is; one that this process does not notice has survived. --compare: by both ways, which must
 * agree: what this process finds noticed, the tool must notice.
 *
 *   mutate_spec TOOL SPEC_DIR CASES_DIR SCRATCH_DIR [-j N] [-v] [-c CHOICES] [-u UNSEEN]
 *               [--sample N] [--seed SEED] [--slow | --fast | --compare] [--listed] [FILTER]
 */
#include "mutate_spec.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct settings settings = {.filter = "", .seed = "1", .jobs = 1};

void make_path(char path[PATH_ROOM], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(path, PATH_ROOM, format, arguments) >= PATH_ROOM)
        abort();
    va_end(arguments);
}

static struct mutants mutants;

/* ---- Those that cannot be seen ---- */

static char **unseen;
static int unseen_count;

static bool read_unseen(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512];
    if (!file) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (!line[0] || line[0] == '#')
            continue;
        unseen = realloc(unseen, (size_t)(unseen_count + 1) * sizeof *unseen);
        if (!unseen || !(unseen[unseen_count++] = strdup(line)))
            abort();
    }
    fclose(file);
    return true;
}

static bool is_unseen(const char *what)
{
    for (int i = 0; i < unseen_count; i++)
        if (strcmp(unseen[i], what) == 0)
            return true;
    return false;
}

/* How many lines of the list are of no mutant. */
static int stray_lines(void)
{
    int stray = 0;
    for (int i = 0; i < unseen_count; i++) {
        bool found = false;
        for (int j = 0; j < mutants.count && !found; j++)
            found = strcmp(unseen[i], mutants.of[j].what) == 0;
        if (!found)
            printf("STRAY %s\n", unseen[i]);
        stray += !found;
    }
    return stray;
}

/* Where a mutant stands among all in the order that the seed draws: FNV-1a, stirred. */
static uint64_t drawn_at(const struct mutant *mutant)
{
    const char *const texts[] = {settings.seed, mutant->file, mutant->what};
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 3; i++)
        for (const char *at = texts[i];; at++) {
            hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
            if (!*at)
                break;
        }
    /* Two nodes of one rule may be named alike. */
    hash ^=
        (uint64_t)mutant->node << 32 ^ (uint64_t)mutant->mutation << 8 ^ (uint64_t)mutant->variant;
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 33;
}

static int by_draw(const void *a, const void *b)
{
    uint64_t x = drawn_at(*(struct mutant *const *)a), y = drawn_at(*(struct mutant *const *)b);
    return x < y ? -1 : x > y;
}

/* Chooses those that are tried; returns how many. */
static int choose(void)
{
    struct mutant **order = calloc((size_t)mutants.count + 1, sizeof *order);
    int count = 0;
    if (!order)
        abort();
    for (int i = 0; i < mutants.count; i++)
        if ((strstr(mutants.of[i].statements, settings.filter) ||
             strstr(mutants.of[i].what, settings.filter)) &&
            !(settings.sample > 0 && is_unseen(mutants.of[i].what)))
            order[count++] = &mutants.of[i];
    if (settings.sample > 0)
        qsort(order, (size_t)count, sizeof *order, by_draw);
    if (settings.sample > 0 && count > settings.sample)
        count = settings.sample;
    for (int i = 0; i < count; i++) {
        order[i]->chosen = true;
        order[i]->listed = is_unseen(order[i]->what);
    }
    free(order);
    return count;
}

/* ---- Trying them ---- */

/* The chosen mutants, in groups of the same statements, and what was found out about each. */
static struct {
    const struct mutant **of;
    int count;
    int *begins; /* of the groups, and the count behind the last one */
    int group_count;
    struct shared {
        int next_group; /* that no worker took yet */
        struct decided decided[];
    } * shared;
} tried;

static int by_statements(const void *a, const void *b)
{
    const struct mutant *x = *(const struct mutant *const *)a;
    const struct mutant *y = *(const struct mutant *const *)b;
    int order = strcmp(x->statements, y->statements);
    return order ? order : (x > y) - (x < y);
}

static void make_groups(void)
{
    tried.of = calloc((size_t)mutants.count + 1, sizeof *tried.of);
    tried.begins = calloc((size_t)mutants.count + 2, sizeof *tried.begins);
    if (!tried.of || !tried.begins)
        abort();
    for (int i = 0; i < mutants.count; i++)
        if (mutants.of[i].chosen)
            tried.of[tried.count++] = &mutants.of[i];
    qsort(tried.of, (size_t)tried.count, sizeof *tried.of, by_statements);
    for (int i = 0; i < tried.count; i++)
        if (i == 0 || strcmp(tried.of[i]->statements, tried.of[i - 1]->statements) != 0)
            tried.begins[tried.group_count++] = i;
    tried.begins[tried.group_count] = tried.count;
    tried.shared = mmap(NULL, sizeof *tried.shared + (size_t)tried.count * sizeof(struct decided),
                        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tried.shared == MAP_FAILED)
        abort();
}

/* Decides about a group in processes of its own, as often as one of them dies of a mutant. */
static void try_group(int group)
{
    const int begin = tried.begins[group], count = tried.begins[group + 1] - begin;
    struct decided *decided = &tried.shared->decided[begin];
    for (int left = count; left > 0;) {
        int untried = 0, status;
        pid_t child = fork();
        if (child == 0) {
            near_try_group(&tried.of[begin], count, decided);
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return;
        for (int i = 0; i < count; i++)
            untried += decided[i].decision == UNTRIED;
        if (untried == left)
            return;
        left = untried;
    }
}

/* True if this process came to no end with the mutant. */
static bool decided_is_open(const struct decided *decided)
{
    return decided->decision <= UNDECIDED;
}

/* How the mutant was noticed, by this process or by the tool; NULL: it was not. False if both
 * disagree. */
static bool notice(const char *dir, const struct mutant *mutant, const struct decided *decided,
                   const char **noticed, char *id, size_t room)
{
    static const char *const words[] = {[REFUSED] = "lint",
                                        [RED] = "red",
                                        [ELSEWHERE] = "elsewhere",
                                        [FAULT] = "fault",
                                        [SURVIVED] = NULL};
    const bool found = decided->decision >= REFUSED && decided->decision <= FAULT;
    *noticed = NULL;
    snprintf(id, room, "%s", decided->by);
    if (found)
        *noticed = words[decided->decision];
    /* Of one that is listed the tool would find nothing for a minute. */
    if (!settings.slow && !settings.compare &&
        (found || settings.fast || (decided->decision == SURVIVED && mutant->listed)))
        return true;
    *noticed = tool_try_mutant(dir, mutant, id, room);
    return *noticed || !found;
}

/* Tries groups; returns how many mutants were not noticed, or are listed as unseen and were. */
static int work(int worker)
{
    char dir[PATH_ROOM];
    int failed = 0, group;
    tool_make_directory(worker, dir);
    while ((group = __atomic_fetch_add(&tried.shared->next_group, 1, __ATOMIC_RELAXED)) <
           tried.group_count) {
        if (!settings.slow)
            try_group(group);
        for (int i = tried.begins[group]; i < tried.begins[group + 1]; i++) {
            const struct mutant *mutant = tried.of[i];
            char id[512];
            const char *noticed, *word;
            bool agree = notice(dir, mutant, &tried.shared->decided[i], &noticed, id, sizeof id);
            if (settings.fast && decided_is_open(&tried.shared->decided[i]))
                snprintf(id, sizeof id, "%s", "not decided");
            bool wrong = !noticed != mutant->listed || !agree;
            word = !agree     ? "DISAGREED"
                   : !noticed ? wrong ? "SURVIVED" : "unseen"
                   : wrong    ? "NOTICED"
                              : noticed;
            if (wrong || settings.verbose)
                printf("%s %s:%ld: %s%s%s\n", word, mutant->file, mutant->line, mutant->what,
                       id[0] ? ": " : "", id);
            if (wrong && !noticed)
                mutant_show(stdout, mutant);
            fflush(stdout);
            failed += wrong;
        }
    }
    return failed;
}

/* Shares the groups among the workers; returns how many mutants did not fare as they must. */
static int try_all(void)
{
    int failed = 0;
    make_groups();
    if (!settings.slow)
        near_start();
    for (int i = 0; i < settings.jobs; i++)
        if (fork() == 0) {
            int left = work(i);
            _exit(left > 250 ? 250 : left);
        }
    for (int i = 0, status; i < settings.jobs; i++)
        if (wait(&status) > 0)
            failed += WIFEXITED(status) ? WEXITSTATUS(status) : mutants.count;
    return failed;
}

/* ---- The command line ---- */

/* Reads what stands behind the four paths; false, with a message, when that is not as it must be.
 */
static bool read_options(int argc, char **argv)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"-v", &settings.verbose},
                 {"--slow", &settings.slow},
                 {"--fast", &settings.fast},
                 {"--compare", &settings.compare},
                 {"--listed", &settings.listed}};
    for (int i = 5; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool *flag = NULL;
        for (size_t j = 0; j < sizeof flags / sizeof *flags; j++)
            if (strcmp(argv[i], flags[j].name) == 0)
                flag = flags[j].flag;
        if (flag)
            *flag = true;
        else if (strcmp(argv[i], "-j") == 0 && value)
            settings.jobs = atoi(argv[++i]) > 0 ? atoi(argv[i]) : 1;
        else if (strcmp(argv[i], "--seed") == 0 && value)
            settings.seed = argv[++i];
        else if (strcmp(argv[i], "--sample") == 0 && value && atoi(value) > 0)
            settings.sample = atoi(argv[++i]);
        else if (strcmp(argv[i], "-c") == 0 && value && rivals_read_choices(value))
            i++;
        else if (strcmp(argv[i], "-u") == 0 && value && read_unseen(value))
            i++;
        else if (argv[i][0] != '-')
            settings.filter = argv[i];
        else {
            fprintf(stderr, "mutate_spec: %s%s%s: this is not an option that there is\n", argv[i],
                    value ? " " : "", value ? value : "");
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    char path[PATH_ROOM];
    int failed, count;
    if (argc < 5) {
        fprintf(stderr, "usage: mutate_spec TOOL SPEC_DIR CASES_DIR SCRATCH_DIR [-j N] [-v] "
                        "[-c CHOICES] [-u UNSEEN] [--sample N] [--seed SEED] [--slow | --fast | "
                        "--compare] [--listed] [FILTER]\n");
        return 2;
    }
    settings.tool = argv[1];
    settings.spec_dir = argv[2];
    settings.cases_dir = argv[3];
    settings.scratch = argv[4];
    if (!read_options(argc, argv) || !rivals_read_faults(settings.tool))
        return 2;
    mkdir(settings.scratch, 0755);
    make_path(path, "%s/as-it-is", settings.scratch);
    mkdir(path, 0755);
    if (!tool_read_cases()) {
        perror(settings.cases_dir);
        return 2;
    }
    mutants_collect(&mutants, settings.spec_dir);
    count = choose();
    failed = stray_lines();
    fflush(stdout);
    if (count == 0)
        fprintf(stderr, "mutate_spec: no mutant has \"%s\" in its name\n", settings.filter);
    else
        failed += try_all();
    printf("%d passed, %d failed\n", count > failed ? count - failed : 0, failed);
    return failed != 0 || count == 0;
}
