/* SPDX-License-Identifier: MIT */
/* wddm-cts: the tool. Each command is in a command_*.c, the list of commands in settings.h. */
#include "resume.h"
#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef int command_fn(const struct wcts_cli_settings *settings);

static command_fn *const commands[] = {
#define COMMAND_ENTRY(name, suffix, ...) [WCTS_COMMAND_##suffix] = wcts_command_##suffix,
    WCTS_COMMANDS(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

int wcts_command_version(const struct wcts_cli_settings *settings)
{
    (void)settings;
    printf("wddm-cts %s (plug-in interface %u)\n", WCTS_VERSION, WCTS_ABI_VERSION);
    return WCTS_EXIT_OK;
}

int wcts_command_help(const struct wcts_cli_settings *settings)
{
    enum wcts_cli_command_number command = WCTS_COMMAND_COUNT;
    if (settings->argument_count > 0)
        command = wcts_cli_settings_command(settings->arguments[0]);
    if (settings->argument_count > 0 && command == WCTS_COMMAND_COUNT) {
        wcts_cli_settings_unknown(settings->arguments[0]);
        return WCTS_EXIT_USAGE;
    }
    wcts_cli_settings_usage(stdout, command);
    return WCTS_EXIT_OK;
}

/* Opens descriptors 0, 1 and 2 if they are closed: a file opened there would be read or written by
 * mistake. */
static void open_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            _exit(WCTS_EXIT_BROKEN);
}

/* Fails if the command's output could not be written. */
static int close_output(int status)
{
    bool failed = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) == 0 && !failed)
        return status;
    fprintf(stderr, "wddm-cts: standard output cannot be written%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    return WCTS_EXIT_BROKEN;
}

int main(int argc, char **argv)
{
    struct wcts_cli_settings settings;

    open_standard();
    /* A file over the size limit is a write error, like a full disk. */
    signal(SIGXFSZ, SIG_IGN);
    /* If the parent ignored it, the wait status of workers would be lost. */
    signal(SIGCHLD, SIG_DFL);
    setlocale(LC_CTYPE, "C.UTF-8");
    int status = WCTS_EXIT_USAGE;
    if (wcts_cli_settings_parse(&settings, argc, argv) &&
        (settings.help || wcts_cli_settings_have_effect(&settings)) &&
        (!settings.resume || settings.help || wcts_cli_resume_apply(&settings))) {
        if (settings.help) {
            wcts_cli_settings_usage(stdout, settings.command);
            status = WCTS_EXIT_OK;
        } else {
            status = commands[settings.command](&settings);
        }
    }
    wcts_cli_settings_release(&settings);
    return close_output(status);
}
