/* SPDX-License-Identifier: MIT */
/* Implementations that are not as the documents want, or do what these leave open otherwise. */
#include "mutate_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rivals rivals;

static void keep_rival(const struct rival *rival)
{
    rivals.of = realloc(rivals.of, (size_t)(rivals.count + 1) * sizeof *rivals.of);
    if (!rivals.of)
        abort();
    rivals.of[rivals.count++] = *rival;
}

bool rivals_read_choices(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[4096];
    if (!file) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, file)) {
        struct rival rival;
        if (line[0] == '#' || sscanf(line, "%63s | %255[^|\n]", rival.name, rival.statements) != 2)
            continue;
        snprintf(rival.implementation, sizeof rival.implementation, "emulator,choice=%s",
                 rival.name);
        keep_rival(&rival);
    }
    fclose(file);
    return true;
}

/* Reads the line "ID  KIND  FILE:LINE", behind which "with strict" stands when it takes that. Such
 * a fault is of the statement that its id begins with. */
static void read_fault(const char *line)
{
    struct rival rival;
    size_t length = strcspn(line, " \n");
    if (line[0] < 'A' || line[0] > 'Z' || length >= sizeof rival.name)
        return;
    snprintf(rival.name, sizeof rival.name, "%.*s", (int)length, line);
    snprintf(rival.statements, sizeof rival.statements, "%.*s", (int)strcspn(rival.name, ".+"),
             rival.name);
    snprintf(rival.implementation, sizeof rival.implementation, "emulator,%sfault=%s",
             strstr(line, "with strict") ? "strict," : "", rival.name);
    keep_rival(&rival);
}

/* Reads the line "    also STATEMENT: WHY" below the one of a fault. */
static void read_also(const char *line)
{
    struct rival *rival = &rivals.of[rivals.count - 1];
    size_t used = strlen(rival->statements);
    snprintf(rival->statements + used, sizeof rival->statements - used, " %.*s",
             (int)strcspn(line, ":"), line);
}

/* Reads the faults that the tool lists. */
bool rivals_read_faults(const char *tool)
{
    static const char also[] = "    also ";
    char command[PATH_ROOM], line[1024];
    FILE *list;
    make_path(command, "'%s' faults", tool);
    list = popen(command, "r");
    while (list && fgets(line, sizeof line, list)) {
        if (strncmp(line, also, strlen(also)) == 0 && rivals.count > 0)
            read_also(line + strlen(also));
        else if (!strstr(line, "  none: "))
            read_fault(line);
    }
    if (list && pclose(list) == 0 && rivals.count > 0)
        return true;
    fprintf(stderr, "mutate_spec: %s faults: no fault is listed\n", tool);
    return false;
}

bool rival_concerns(const struct rival *rival, const char *statements)
{
    for (const char *at = statements; *at; at += strcspn(at, " "), at += *at == ' ')
        if (memmem(rival->statements, strlen(rival->statements), at, strcspn(at, " ")))
            return true;
    return false;
}

bool rival_is_of_document(const struct rival *rival, const char *statements)
{
    return strncmp(rival->statements, statements, strcspn(statements, "-") + 1) == 0;
}
