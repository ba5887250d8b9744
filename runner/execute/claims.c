/* SPDX-License-Identifier: MIT */
/* Asking a side what it claims, at the newest WDDM version at which it can be opened. */
#include <string.h>

#include "parts.h"

/* ---- remarks: what was noticed on the way ---- */

/* Versions at which opening failed for the same reason, newest first. */
struct refusals {
    int newest, oldest; /* versions; newest -1: none */
    char why[sizeof((struct wcts_session *)NULL)->no_instance];
};

static void add_remark(struct wcts_claims *claims, const char *text)
{
    size_t used = strlen(claims->remarks);
    snprintf(claims->remarks + used, sizeof claims->remarks - used, "%s%s", used ? "\n" : "", text);
}

static void remark_refusals(struct wcts_session *session, struct refusals *refusals)
{
    const struct wcts_version *versions = session->spec->versions;
    const char *side = session->options.driver ? "driver" : "kernel";
    char text[sizeof refusals->why + 64];
    if (refusals->newest < 0)
        return;
    if (refusals->newest == refusals->oldest)
        snprintf(text, sizeof text, "%s side, WDDM %s: %s", side, versions[refusals->newest].name,
                 refusals->why);
    else
        snprintf(text, sizeof text, "%s side, WDDM %s to %s: %s", side,
                 versions[refusals->oldest].name, versions[refusals->newest].name, refusals->why);
    add_remark(&session->claims, text);
    refusals->newest = -1;
}

static void add_refusal(struct wcts_session *session, struct refusals *refusals, int version)
{
    if (refusals->newest >= 0 && strcmp(refusals->why, session->no_instance) != 0)
        remark_refusals(session, refusals);
    if (refusals->newest < 0)
        refusals->newest = version;
    refusals->oldest = version;
    memcpy(refusals->why, session->no_instance, sizeof refusals->why);
}

/* ---- asking ---- */

/* A plug-in, or the reference kernel, may not know the newest version of the spec. */
static bool boot_newest(struct wcts_session *session)
{
    struct refusals refusals = {.newest = -1};
    int version = session->spec->versions_count - 1;
    while (version >= 0 && !wcts_session_boot(session, version, 4096))
        add_refusal(session, &refusals, version--);
    remark_refusals(session, &refusals);
    return version >= 0;
}

static void take_driver_info(struct wcts_claims *claims, const struct wcts_driver_info_reply *info)
{
    claims->capabilities = info->capabilities;
    claims->first_interface_version = info->first_interface_version;
    claims->last_interface_version = info->last_interface_version;
    claims->page_sizes = 4096 | 16384 | 65536;
    claims->patches = info->patches;
    claims->creates_contexts = info->creates_contexts;
}

static void take_kernel_info(struct wcts_claims *claims, const struct wcts_kernel_info_reply *info)
{
    claims->capabilities = info->capabilities;
    claims->first_interface_version = info->first_interface_version;
    claims->last_interface_version = info->last_interface_version;
    claims->page_sizes = info->page_sizes;
}

static wcts_status ask_info(struct wcts_session *session, uint32_t operation)
{
    const struct wcts_none request = {.size = sizeof request};
    uint32_t reply_size;
    if (!session->options.driver)
        return wcts_session_to_kernel(session, operation, &request, sizeof request, &reply_size);
    memset(session->reply, 0, WCTS_REPLY_ROOM);
    return wcts_session_to_driver(session, operation, &request, sizeof request, session->reply,
                                  WCTS_REPLY_ROOM, &reply_size);
}

static void copy_line(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from);
    for (; *to; to++)
        if ((unsigned char)*to < 0x20)
            *to = ' ';
}

static void take_name(struct wcts_session *session)
{
    const struct wcts_plugin *plugin = session->tested.plugin;
    struct wcts_claims *claims = &session->claims;
    copy_line(claims->name, sizeof claims->name, plugin->name);
    copy_line(claims->version, sizeof claims->version, plugin->version);
    claims->sides = plugin->sides;
}

bool wcts_session_ask(struct wcts_session *session, char *error, size_t room)
{
    bool driver = session->options.driver;
    uint32_t operation = driver ? (uint32_t)WCTS_DRIVER_INFO : (uint32_t)WCTS_KERNEL_INFO;
    struct wcts_claims *claims = &session->claims;
    char text[64];
    wcts_status status;

    take_name(session);
    if (!boot_newest(session)) {
        snprintf(error, room, "%s cannot be opened: %s", claims->name, claims->remarks);
        return false;
    }
    status = ask_info(session, operation);
    wcts_session_shut_down(session);
    if (session->exchange.breach[0]) {
        snprintf(error, room, "%s: %s", claims->name, session->exchange.breach);
        return false;
    }
    if (!wcts_succeeded(status)) {
        wcts_status_text(status, text, sizeof text);
        snprintf(
            error, room,
            "%s: %s answered %s%s%s, expected what the side claims: no case can be run without",
            claims->name, wcts_operation_name(operation), text,
            session->exchange.log[0] ? ", and logged: " : "", session->exchange.log);
        return false;
    }
    if (driver)
        take_driver_info(claims, (const void *)session->reply);
    else
        take_kernel_info(claims, (const void *)session->reply);
    return true;
}
