/* SPDX-License-Identifier: MIT */
/*
 * wddm-cts-agent: hosts a plug-in where the suite is not. It serves the protocol of
 * docs/protocol.md over its standard input and output, or to whoever connects.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os.h"
#include "plugin.h"

enum { EXIT_ENDED = 0, EXIT_HOST_ERROR = 1, EXIT_USAGE = 2 };

static const char usage[] =
    "usage: wddm-cts-agent [--listen ADDRESS [--connections N]] FILE.so[,key=value...]\n"
    "\n"
    "Hosts a plug-in of wddm-cts for a suite that runs elsewhere, over standard input and output:\n"
    "  wddm-cts run --impl 'exec:ssh target wddm-cts-agent mine.so'\n"
    "\n"
    "  --listen ADDRESS   serve whoever connects to tcp:HOST:PORT (port 0: any) or unix:PATH\n"
    "  --connections N    serve at most N connections at a time (default: any number)\n"
    "  --version          print the version and that of the protocol\n"
    "  --help             print this\n"
    "\n"
    "What follows the comma are options of the plug-in, before those of the suite's --impl.\n";

struct agent_settings {
    const char *listen; /* NULL: standard input and output */
    unsigned connections;
    const char *plugin;
};

static int serve(void *ctx, const struct wcts_wire_bytes *bytes)
{
    char why[240];
    enum wcts_wire_end end = wcts_wire_peer_run(bytes, ctx, why, sizeof why);
    if (end == WCTS_WIRE_CLOSED)
        return EXIT_ENDED;
    fprintf(stderr, "wddm-cts-agent: from the suite: %s\n", why);
    return EXIT_HOST_ERROR;
}

/* The number, 1 to 1024; false for anything else. */
static bool read_number(const char *text, unsigned *number)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *number = (unsigned)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value >= 1 && value <= 1024;
}

static bool complain(const char *what, const char *expected)
{
    fprintf(stderr, "wddm-cts-agent: %s: expected %s\n%s", what, expected, usage);
    return false;
}

static bool read_arguments(struct agent_settings *settings, int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        const char *word = arguments[i], *value = i + 1 < count ? arguments[i + 1] : "";
        if (strcmp(word, "--listen") == 0) {
            settings->listen = value;
            i++;
        } else if (strcmp(word, "--connections") == 0) {
            if (!read_number(value, &settings->connections))
                return complain(word, "a number from 1 to 1024");
            i++;
        } else if (word[0] == '-') {
            return complain(word, "--listen, --connections, --version or --help");
        } else if (settings->plugin) {
            return complain(word, "one plug-in");
        } else {
            settings->plugin = word;
        }
    }
    if (!settings->plugin)
        return complain("no plug-in", "FILE.so");
    if (settings->connections != 0 && !settings->listen)
        return complain("--connections", "--listen before it");
    return true;
}

static int run(const struct agent_settings *settings)
{
    struct wcts_wire_peer_options options = {
        .call = agent_plugin_call, .options = "", .connections = settings->connections};
    char *path = strdup(settings->plugin), *comma = path ? strchr(path, ',') : NULL;
    char error[400] = "";
    int status = EXIT_USAGE;
    if (comma) {
        *comma = '\0';
        options.options = comma + 1;
    }
    if (path)
        options.plugin = agent_plugin_load(path, error, sizeof error);
    if (options.plugin && settings->listen)
        agent_os_listen(settings->listen, settings->connections, serve, &options, error,
                        sizeof error);
    else if (options.plugin)
        status = agent_os_serve_standard(serve, &options);
    if (error[0] != '\0')
        fprintf(stderr, "wddm-cts-agent: %s\n", error);
    free(path);
    return status;
}

int main(int count, char **arguments)
{
    struct agent_settings settings = {.plugin = NULL};
    if (count == 2 && strcmp(arguments[1], "--help") == 0) {
        fputs(usage, stdout);
        return EXIT_ENDED;
    }
    if (count == 2 && strcmp(arguments[1], "--version") == 0) {
        printf("wddm-cts-agent %s, protocol %u, ABI %u\n", WCTS_VERSION, WCTS_WIRE_VERSION,
               WCTS_ABI_VERSION);
        return EXIT_ENDED;
    }
    return read_arguments(&settings, count, arguments) ? run(&settings) : EXIT_USAGE;
}
