/* SPDX-License-Identifier: MIT */
#include "path.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What follows the directory and its slash in a path that is in it, "." for itself; else NULL. */
static const char *rest_below(const char *path, const char *directory)
{
    size_t size = strlen(directory);
    if (size < 2 || strncmp(path, directory, size) != 0)
        return NULL;
    if (path[size] == '\0')
        return ".";
    if (path[size] != '/')
        return NULL;
    path += size + strspn(path + size, "/");
    return *path != '\0' ? path : ".";
}

/* The current directory, also by the name that the shell knows it by, if that leads through links.
 */
static const char *below_current(const char *path, const char *here)
{
    const char *shell = getenv("PWD"), *rest = rest_below(path, here);
    struct stat a, b;
    if (rest || !shell || stat(shell, &a) != 0 || stat(".", &b) != 0 || a.st_dev != b.st_dev ||
        a.st_ino != b.st_ino)
        return rest;
    return rest_below(path, shell);
}

/* The path without links and "..", but for its last name. False when there is no such directory. */
static bool real_path(const char *path, char real[PATH_MAX + NAME_MAX])
{
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t size = (size_t)(slash - path);
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return realpath(path, real) != NULL;
    if (size >= sizeof directory)
        return false;
    memcpy(directory, path, size);
    strcpy(directory + size, size ? "" : "/");
    if (!realpath(directory, real))
        return false;
    size = strcmp(real, "/") == 0 ? 0 : strlen(real);
    snprintf(real + size, PATH_MAX + NAME_MAX - size, "%s", slash);
    return true;
}

static bool ends(char letter)
{
    return letter == '/' || letter == '\0';
}

/* Both absolute and without links: "../" for each directory of here that path is not in, and the
 * rest. */
static const char *climb_from(const char *path, const char *here, char *buffer, size_t room)
{
    size_t common = 0, used = 0;
    for (size_t i = 0; path[i] == here[i] || (ends(path[i]) && ends(here[i])); i++) {
        if (ends(path[i]))
            common = i;
        if (path[i] == '\0' || here[i] == '\0')
            break;
    }
    for (const char *at = here + common; *at != '\0' && used + 4 < room; at++)
        if (*at == '/' && at[1] != '\0')
            used += (size_t)snprintf(buffer + used, room - used, "../");
    snprintf(buffer + used, room - used, "%s", path + common + (path[common] == '/'));
    if (buffer[0] != '\0' && path[common] == '\0')
        buffer[used - 1] = '\0';
    return buffer;
}

static const char *shown(const char *path, bool home_too, char *buffer, size_t room)
{
    char here[PATH_MAX], real[PATH_MAX + NAME_MAX], home[PATH_MAX];
    const char *rest;
    if (!path || path[0] != '/' || rest_below(path, "/dev") || rest_below(path, "/proc") ||
        !getcwd(here, sizeof here))
        return path;
    rest = below_current(path, here);
    if (rest)
        return rest;
    if (!real_path(path, real))
        snprintf(real, sizeof real, "%s", path);
    if (home_too && getenv("HOME") && realpath(getenv("HOME"), home) && !rest_below(here, home))
        rest = rest_below(real, home);
    if (rest)
        snprintf(buffer, room, "~/%s", rest);
    return rest ? buffer : climb_from(real, here, buffer, room);
}

const char *wcts_path_shown(const char *path, char *buffer, size_t room)
{
    return shown(path, true, buffer, room);
}

/* True for what looks like a path of this machine, and not like a text of the plug-in's own. */
static bool looks_like_path(const char *value)
{
    char real[PATH_MAX + NAME_MAX];
    return value[0] == '/' && strrchr(value, '/') != value && real_path(value, real);
}

/* Where every machine has the same: no place of a user's. */
static bool is_of_system(const char *path)
{
    static const char *const directories[] = {"/usr", "/bin", "/sbin", "/lib", "/etc"};
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        if (rest_below(path, directories[i]))
            return true;
    return false;
}

const char *wcts_path_word(const char *word, char *buffer, size_t room)
{
    return looks_like_path(word) && !is_of_system(word) ? shown(word, false, buffer, room) : word;
}

const char *wcts_path_options(const char *options, char *buffer, size_t room)
{
    char part[WCTS_PATH_ROOM], path[WCTS_PATH_ROOM];
    size_t used = 0;
    buffer[0] = '\0';
    for (const char *at = options; *at != '\0';) {
        size_t size = strcspn(at, ",");
        if (size >= sizeof part)
            return options;
        snprintf(part, sizeof part, "%.*s", (int)size, at);
        char *value = strchr(part, '=');
        bool converts = value && looks_like_path(value + 1);
        used += (size_t)snprintf(buffer + used, room - used, "%.*s%s%s",
                                 converts ? (int)(value + 1 - part) : (int)strlen(part), part,
                                 converts ? shown(value + 1, false, path, sizeof path) : "",
                                 at[size] ? "," : "");
        if (used >= room)
            return options;
        at += size + (at[size] == ',');
    }
    return buffer;
}

const char *wcts_path_place(const char *path)
{
    char here[PATH_MAX];
    const char *rest;
    if (!path || path[0] != '/' || !getcwd(here, sizeof here))
        return path;
    rest = below_current(path, here);
    if (rest)
        return rest;
    rest = strrchr(path, '/');
    while (rest > path && rest[-1] != '/')
        rest--;
    return rest;
}
