/* SPDX-License-Identifier: MIT */
/* A mutant is decided by running the tool with a copy of the documents. */
#include "mutate_spec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Trying a mutant ---- */

static void link_spec(const char *dir, const char *but)
{
    struct dirent **entries;
    int count = scandir(settings.spec_dir, &entries, NULL, alphasort);
    char real[PATH_ROOM];
    if (!realpath(settings.spec_dir, real))
        abort();
    for (int i = 0; i < count; i++) {
        char from[PATH_ROOM + 300], to[PATH_ROOM + 300];
        snprintf(from, sizeof from, "%s/%s", real, entries[i]->d_name);
        snprintf(to, sizeof to, "%s/%s", dir, entries[i]->d_name);
        unlink(to);
        if (entries[i]->d_name[0] != '.' && strcmp(entries[i]->d_name, but) != 0 &&
            symlink(from, to) != 0 && errno != EEXIST)
            perror(to);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* Longer than any run takes: one that hangs is ended, and its mutant not noticed. */
#define RUN_SECONDS 600

/* What is run, and held against what. */
struct trial {
    char cases[PATH_ROOM], filter[512];
    char key[256]; /* names what the spec as it is makes of it */
};

static int run_tool(const char *dir, const char *implementation, const char *level,
                    const struct trial *trial)
{
    char spec[PATH_ROOM], out[PATH_ROOM], log[PATH_ROOM];
    int status;
    pid_t child;
    make_path(spec, "%s/spec", dir);
    make_path(out, "%s/out", dir);
    make_path(log, "%s/out/verdicts.txt", dir);
    unlink(log);
    make_path(log, "%s/log", dir);
    child = fork();
    if (child == 0) {
        int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(file, 1);
        dup2(file, 2);
        alarm(RUN_SECONDS);
        execl(settings.tool, settings.tool, "run", "--spec-dir", spec, "--cases-dir", trial->cases,
              "--impl", implementation, "--level", level, "--filter", trial->filter, "--out", out,
              "-q", "-j", "1", (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* The cases of the statements: no other can turn red on them. */
static void try_statements(struct trial *trial, const char *statements)
{
    make_path(trial->cases, "%s", settings.cases_dir);
    snprintf(trial->filter, sizeof trial->filter, "^(%s)[./]", statements);
    for (char *at = trial->filter; *at; at++)
        if (*at == ' ')
            *at = '|';
    snprintf(trial->key, sizeof trial->key, "%s", statements);
    for (char *at = trial->key; *at; at++)
        if (*at == ' ')
            *at = '+';
}

/* Whether a case that did not pass belongs to one of the statements. An effect that a scenario
 * expects and does not show has been noticed, too: nothing is skipped against the emulator. */
static bool red_on(const char *dir, const char *statements, char *id, size_t room)
{
    /* What proves nothing: it could not be made, or ended the implementation. */
    static const char others[] = " pass broken crash timeout ";
    char path[PATH_ROOM], line[2048];
    bool red = false;
    FILE *file;
    make_path(path, "%s/out/verdicts.txt", dir);
    file = fopen(path, "r");
    while (file && !red && fgets(line, sizeof line, file)) {
        char *save, *verdict = strtok_r(line, "\t\n", &save), *one = strtok_r(NULL, "\t\n", &save);
        size_t length = one ? strcspn(one, "./") : 0;
        const char *other = verdict ? strstr(others, verdict) : NULL;
        if (!verdict || !one || (other && other[-1] == ' ' && other[strlen(verdict)] == ' ') ||
            (strcmp(verdict, "skip") == 0 &&
             (!strstr(one, "/scenario/") || strstr(save, "breaks advice"))))
            continue;
        for (const char *at = statements; *at; at += strcspn(at, " "), at += *at == ' ')
            if (strncmp(at, one, length) == 0 && (at[length] == ' ' || at[length] == 0))
                red = true;
        snprintf(id, room, "%s", one);
    }
    if (file)
        fclose(file);
    return red;
}

/* ---- Against others ---- */

/* The file's whole text, NULL when it cannot be read; the caller frees it. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!file)
        return NULL;
    if (getdelim(&text, &size, 0, file) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    return text;
}

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool written = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && written;
}

/* What the last run made of each case, without the reasons; the caller frees it. */
static char *verdicts_of(const char *dir)
{
    char path[PATH_ROOM], *text, *to;
    bool keep = true;
    int tabs = 0;
    make_path(path, "%s/out/verdicts.txt", dir);
    text = to = read_text(path);
    for (const char *at = text; at && *at; at++) {
        tabs = *at == '\n' ? 0 : tabs + (*at == '\t');
        keep = tabs < 2;
        if (keep)
            *to++ = *at;
    }
    if (text)
        *to = 0;
    return text;
}

/* What the spec as it is makes of the trial; computed once for all workers. The caller frees it. */
static char *verdicts_as_it_is(const char *dir, const char *implementation, const char *name,
                               const struct trial *trial)
{
    char path[PATH_ROOM], own[PATH_ROOM], plain[PATH_ROOM], spec[PATH_ROOM];
    char *verdicts;
    make_path(path, "%s/as-it-is/%s.%s", settings.scratch, trial->key, name);
    verdicts = read_text(path);
    if (verdicts)
        return verdicts;
    make_path(plain, "%s/plain", dir);
    make_path(spec, "%s/spec", plain);
    mkdir(plain, 0755);
    mkdir(spec, 0755);
    link_spec(spec, "");
    run_tool(plain, implementation, "strict", trial);
    verdicts = verdicts_of(plain);
    make_path(own, "%s.%d", path, (int)getpid());
    if (verdicts && (!write_text(own, verdicts) || rename(own, path) != 0))
        perror(path);
    return verdicts;
}

/* Whether a line of verdicts has its like, or another verdict of the same case, among others. */
static bool is_answered(const char *line, size_t length, const char *others)
{
    const char *id = memchr(line, '\t', length), *found = others;
    size_t own = id ? length - (size_t)(id - line) : 0;
    bool quiet = strncmp(line, "pass", 4) == 0 || strncmp(line, "skip", 4) == 0;
    while (id && (found = memmem(found, strlen(found), id, own))) {
        if (found[own] == '\n')
            return (size_t)(found - others) >= (size_t)(id - line) &&
                   strncmp(found - (id - line), line, (size_t)(id - line)) == 0;
        found++;
    }
    return quiet;
}

/* Whether a case fares otherwise. One that only one of the two has counts when it is not well. */
static bool differ(const char *with, const char *without)
{
    for (int i = 0; i < 2; i++) {
        const char *lines = i ? without : with, *others = i ? with : without;
        for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
            length = strcspn(lines, "\n");
            if (!is_answered(lines, length, others))
                return true;
        }
    }
    return false;
}

/* Whether an implementation fares otherwise with the mutant than with the spec as it is. */
static bool fares_otherwise(const char *dir, const char *implementation, const char *name,
                            const struct trial *trial)
{
    char *without = verdicts_as_it_is(dir, implementation, name, trial), *with = NULL;
    bool differs;
    int code = run_tool(dir, implementation, "strict", trial);
    if (code <= 3 && code != 2)
        with = verdicts_of(dir);
    differs = with && without && differ(with, without);
    free(with);
    free(without);
    return differs;
}

/* Whether an implementation with a fault in one of the statements, or one that takes something
 * otherwise that they leave open, fares otherwise; not concerned: one with a fault in another
 * statement of the document, which a mutant may blame for it. */
static bool tells_others(const char *dir, const struct mutant *mutant, const struct trial *trial,
                         bool concerned, char *id, size_t room)
{
    bool differs = false;
    for (int i = 0; i < rivals.count && !differs; i++) {
        if (rival_concerns(&rivals.of[i], mutant->statements) != concerned ||
            (!concerned && !rival_is_of_document(&rivals.of[i], mutant->statements)))
            continue;
        differs = fares_otherwise(dir, rivals.of[i].implementation, rivals.of[i].name, trial);
        snprintf(id, room, "%s", differs ? rivals.of[i].name : "");
    }
    return differs;
}

/* ---- Scenarios that all expect one effect ---- */

static struct {
    char name[256], *text;
} case_files[64];
static int case_file_count;

bool tool_read_cases(void)
{
    struct dirent **entries;
    int count = scandir(settings.cases_dir, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[PATH_ROOM];
        make_path(path, "%s/%s", settings.cases_dir, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && case_file_count < 64) {
            snprintf(case_files[case_file_count].name, sizeof case_files[0].name, "%s",
                     entries[i]->d_name);
            case_files[case_file_count].text = read_text(path);
            case_file_count += case_files[case_file_count].text != NULL;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return case_file_count > 0;
}

/* Whether the list of an attribute has the name of the effect. */
static bool expects(const char *list, const char *effect)
{
    size_t length = strcspn(list, "\""), own = strlen(effect);
    for (const char *at = list; (at = memmem(at, length - (size_t)(at - list), effect, own));
         at += own)
        if (strchr("\" \n", at[-1]) && strchr("\" \n", at[own]))
            return true;
    return false;
}

/* Writes the text up to the list of effects that a scenario expects, and the effect if the list
 * does not have it. */
static void write_expected(FILE *file, const char *text, const char *list, const char *effect,
                           const char *left_out_names)
{
    static const char begin[] = "<scenario name=\"";
    const char *name = NULL;
    char quoted[256];
    fwrite(text, 1, (size_t)(list - text), file);
    for (const char *at = text; (at = strstr(at, begin)) && at < list;)
        name = at += strlen(begin);
    if (!name)
        return;
    snprintf(quoted, sizeof quoted, "\"%.*s\"", (int)strcspn(name, "\""), name);
    if (!strstr(left_out_names, quoted) && !expects(list, effect))
        fprintf(file, "%s ", effect);
}

static bool write_cases(const char *dir, const char *effect, const char *left_out_names)
{
    static const char expect[] = " expect=\"";
    for (int i = 0; i < case_file_count; i++) {
        char path[PATH_ROOM];
        const char *text = case_files[i].text;
        FILE *file;
        make_path(path, "%s/%s", dir, case_files[i].name);
        file = fopen(path, "w");
        if (!file)
            return false;
        for (const char *at; (at = strstr(text, expect)); text = at) {
            at += strlen(expect);
            write_expected(file, text, at, effect, left_out_names);
        }
        fputs(text, file);
        if (fclose(file) != 0)
            return false;
    }
    return true;
}

/* Adds to names those of the scenarios of which the tool said that they are not there when the
 * effect is; false when it named none. */
static bool note_others(const char *dir, char *names, size_t room)
{
    char path[PATH_ROOM], *log;
    size_t used = strlen(names), before = used;
    make_path(path, "%s/log", dir);
    log = read_text(path);
    for (const char *at = log; at && (at = strstr(at, "scenario \"")); at++) {
        size_t length = strcspn(at + strlen("scenario \""), "\"") + 2;
        if (used + length + 1 < room)
            used += (size_t)snprintf(names + used, room - used, "%.*s", (int)length,
                                     at + strlen("scenario "));
    }
    free(log);
    return used > before;
}

/* Has every scenario, of those that are there at one of its versions, expect the effect: what it
 * says without one of its conditions shows where nobody would look for it. False: it cannot be. */
static bool try_everywhere(const char *dir, const char *effect, struct trial *trial)
{
    static char names[65536], known[256];
    char plain[PATH_ROOM], spec[PATH_ROOM];
    int code = 2;
    make_path(trial->cases, "%s/cases", dir);
    snprintf(trial->filter, sizeof trial->filter, "^%s/", effect);
    snprintf(trial->key, sizeof trial->key, "everywhere-%s", effect);
    if (strcmp(known, effect) == 0)
        return true;
    make_path(plain, "%s/plain", dir);
    make_path(spec, "%s/spec", plain);
    mkdir(trial->cases, 0755);
    mkdir(plain, 0755);
    mkdir(spec, 0755);
    link_spec(spec, "");
    names[0] = known[0] = 0;
    for (int i = 0; i < 4 && code == 2; i++) {
        if (!write_cases(trial->cases, effect, names))
            return false;
        code = run_tool(plain, "emulator", "strict", trial);
        if (code == 2 && !note_others(plain, names, sizeof names))
            return false;
    }
    snprintf(known, sizeof known, "%s", effect);
    return code != 2;
}

/* The statements and the sequences of their document, in which the effects on pages show that no
 * call varies. */
static void try_sequences(struct trial *trial, const char *statements)
{
    int prefix = (int)strcspn(statements, "-");
    try_statements(trial, statements);
    snprintf(trial->filter, sizeof trial->filter, "^(%.*s/|%s[./])", prefix, statements,
             statements);
    snprintf(trial->key, sizeof trial->key, "%s+%.*s", statements, prefix, statements);
}

/* True if lint refuses the spec of the directory. A run of some statements plans their rules alone,
 * and does not see what a mutant does to the others. */
static bool lint_refuses(const char *dir, const struct trial *trial)
{
    char command[4 * PATH_ROOM];
    snprintf(command, sizeof command,
             "'%s' lint -q --spec-dir '%s/spec' --cases-dir '%s' >/dev/null 2>&1", settings.tool,
             dir, trial->cases);
    int status = system(command);
    return WIFEXITED(status) && WEXITSTATUS(status) == 2;
}

/* The two levels of the emulator. Returns NULL when neither noticed the mutant. */
static const char *try_levels(const char *dir, const struct mutant *mutant,
                              const struct trial *trial, char *id, size_t room)
{
    static const char *const implementations[] = {"emulator,strict", "emulator"};
    for (int i = 0; i < 2; i++) {
        int code = run_tool(dir, implementations[i], "strict", trial);
        if (code == 2)
            return "lint";
        if (code <= 3 && red_on(dir, mutant->statements, id, room))
            return "red";
    }
    return lint_refuses(dir, trial) ? "lint" : NULL;
}

/* Makes more of the trial of a mutant in an effect; false when there is no more. */
static bool widen(const char *dir, const struct mutant *mutant, struct trial *trial)
{
    if (mutant->pages)
        try_sequences(trial, mutant->statements);
    else if (!mutant->effect || !try_everywhere(dir, mutant->rule, trial))
        try_statements(trial, mutant->statements);
    return mutant->effect;
}

void tool_make_directory(int worker, char dir[PATH_ROOM])
{
    char spec[PATH_ROOM];
    make_path(dir, "%s/worker%d", settings.scratch, worker);
    make_path(spec, "%s/spec", dir);
    mkdir(dir, 0755);
    mkdir(spec, 0755);
}

/* Returns NULL when nothing noticed the mutant, else how it was noticed. */
const char *tool_try_mutant(const char *dir, const struct mutant *mutant, char *id, size_t room)
{
    char path[PATH_ROOM], spec[PATH_ROOM];
    const char *noticed;
    struct trial trial;
    xmlDocPtr changed;
    make_path(spec, "%s/spec", dir);
    id[0] = 0;
    link_spec(spec, mutant->file);
    changed = mutant_apply(mutant);
    make_path(path, "%s/spec/%s", dir, mutant->file);
    unlink(path);
    xmlSaveFormatFile(path, changed, 0);
    xmlFreeDoc(changed);
    try_statements(&trial, mutant->statements);
    noticed = try_levels(dir, mutant, &trial, id, room);
    if (!noticed && widen(dir, mutant, &trial) &&
        fares_otherwise(dir, "emulator", "emulator", &trial))
        noticed = "elsewhere";
    if (!noticed && (tells_others(dir, mutant, &trial, true, id, room) ||
                     tells_others(dir, mutant, &trial, false, id, room)))
        noticed = "fault";
    unlink(path);
    return noticed;
}
