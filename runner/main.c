/* SPDX-License-Identifier: MIT */
/* wddm-cts: the tool. Each command stands in a command_*.c, the list of them in settings.h. */
#include "settings.h"

#include <locale.h>

typedef int command_fn(const struct wcts_settings *settings);

static command_fn *const commands[] = {
#define COMMAND_ENTRY(name, suffix, arguments, help)                                               \
    [WCTS_COMMAND_##suffix] = wcts_command_##suffix,
    WCTS_COMMANDS(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

int wcts_command_version(const struct wcts_settings *settings)
{
    (void)settings;
    printf("wddm-cts %s (plug-in interface %u)\n", WCTS_VERSION, WCTS_ABI_VERSION);
    return WCTS_EXIT_OK;
}

int wcts_command_help(const struct wcts_settings *settings)
{
    enum wcts_command_number command = WCTS_COMMAND_COUNT;
    if (settings->argument_count > 0)
        command = wcts_settings_command(settings->arguments[0]);
    wcts_settings_usage(stdout, command);
    return WCTS_EXIT_OK;
}

int main(int argc, char **argv)
{
    struct wcts_settings settings;

    setlocale(LC_CTYPE, "C.UTF-8");
    int status = WCTS_EXIT_USAGE;
    if (wcts_settings_parse(&settings, argc, argv)) {
        if (settings.help) {
            wcts_settings_usage(stdout, settings.command);
            status = WCTS_EXIT_OK;
        } else {
            status = commands[settings.command](&settings);
        }
    }
    wcts_settings_release(&settings);
    return status;
}
