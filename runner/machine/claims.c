/* SPDX-License-Identifier: MIT */
/* Reading the claims of a side, at the newest WDDM version at which it can be opened. */
#include <string.h>

#include "../base/text.h"
#include "../exchange/encoding.h"
#include "session.h"

/* ---- remarks ---- */

void wcts_machine_refusals_add(struct wcts_machine_refusals *refusals, bool driver, int version,
                               const char *why)
{
    struct wcts_machine_refusal *last = &refusals->list[refusals->count];
    if (refusals->count > 0 && last[-1].driver == driver && strcmp(last[-1].why, why) == 0) {
        last[-1].oldest = version;
        return;
    }
    if (refusals->count == sizeof refusals->list / sizeof *refusals->list)
        return;
    *last = (struct wcts_machine_refusal){.driver = driver, .newest = version, .oldest = version};
    snprintf(last->why, sizeof last->why, "%s", why);
    refusals->count++;
}

static bool claims_version(const struct wcts_claims *claims, const struct wcts_version *version)
{
    return version->interface_version >= claims->first_interface_version &&
           version->interface_version <= claims->last_interface_version;
}

void wcts_machine_refusals_remark(const struct wcts_machine_refusals *refusals,
                                  const struct wcts_spec *spec, bool all,
                                  struct wcts_claims *claims)
{
    for (int i = 0; i < refusals->count; i++) {
        const struct wcts_machine_refusal *one = &refusals->list[i];
        const char *side = one->driver ? "driver" : "kernel";
        int newest = one->newest, oldest = one->oldest;
        char text[sizeof one->why + 64];
        size_t used = strlen(claims->remarks);
        while (!all && newest >= oldest && !claims_version(claims, &spec->versions[newest]))
            newest--;
        while (!all && oldest <= newest && !claims_version(claims, &spec->versions[oldest]))
            oldest++;
        if (newest < oldest)
            continue;
        if (newest == oldest)
            snprintf(text, sizeof text, "%s side, WDDM %s: %s", side, spec->versions[newest].name,
                     one->why);
        else
            snprintf(text, sizeof text, "%s side, WDDM %s to %s: %s", side,
                     spec->versions[oldest].name, spec->versions[newest].name, one->why);
        snprintf(claims->remarks + used, sizeof claims->remarks - used, "%s%s", used ? "\n" : "",
                 text);
    }
}

/* ---- claims ---- */

/* Boots at the newest version that works: a plug-in, or the reference kernel, may not know the
 * newest one of the spec. A stream begins where the implementation survived. */
static bool boot_newest(struct wcts_machine_session *session,
                        struct wcts_machine_refusals *refusals)
{
    const struct wcts_spec *spec = session->spec;
    int versions = session->options.versions ? session->options.versions : spec->versions_count;
    int version = (int)wcts_exchange_stream_number(&session->stream, (uint64_t)versions) - 1;
    if (version >= spec->versions_count)
        version = -1;
    while (version >= 0 && !wcts_machine_session_boot(session, version, 4096))
        wcts_machine_refusals_add(refusals, session->options.driver, version--,
                                  session->no_instance);
    return version >= 0;
}

/* Bytes of a driver's expression, with the zero at its end. */
#define ENCODING_ROOM (WCTS_PATCH_EXPRESSION_MAX + 1u)

static void take_driver_info(struct wcts_claims *claims, const struct wcts_driver_info_reply *info,
                             uint32_t reply_size)
{
    claims->capabilities = info->capabilities;
    claims->first_interface_version = info->first_interface_version;
    claims->last_interface_version = info->last_interface_version;
    claims->page_sizes = 4096 | 16384 | 65536;
    claims->patches = info->patches;
    claims->patch_width = wcts_exchange_encoding_width(info, reply_size);
    claims->creates_contexts = info->creates_contexts;
}

static void take_kernel_info(struct wcts_claims *claims, const struct wcts_kernel_info_reply *info)
{
    claims->capabilities = info->capabilities;
    claims->first_interface_version = info->first_interface_version;
    claims->last_interface_version = info->last_interface_version;
    claims->page_sizes = info->page_sizes;
}

/* *reply_size: what was answered. */
static wcts_status ask_info(struct wcts_machine_session *session, uint32_t operation,
                            uint32_t *reply_size)
{
    const struct wcts_none request = {.size = sizeof request};
    *reply_size = 0;
    if (!session->options.driver)
        return wcts_machine_session_to_kernel(session, operation, &request, sizeof request,
                                              reply_size);
    memset(session->reply, 0, WCTS_REPLY_ROOM);
    return wcts_machine_session_to_driver(session, operation, &request, sizeof request,
                                          session->reply, WCTS_REPLY_ROOM, reply_size);
}

/* Keeps what the side answered. */
static void take_info(struct wcts_machine_session *session, uint32_t reply_size)
{
    struct wcts_claims *claims = &session->claims;
    bool driver = session->options.driver;
    wcts_exchange_profile_name(session->reply, reply_size,
                               driver ? offsetof(struct wcts_driver_info_reply, pProfile)
                                      : offsetof(struct wcts_kernel_info_reply, pProfile),
                               claims->profile, sizeof claims->profile);
    if (driver) {
        take_driver_info(claims, (const void *)session->reply, reply_size);
        claims->paging = ((const struct wcts_driver_info_reply *)session->reply)->paging_operations;
        claims->kind_count = wcts_exchange_kind_names(session->reply, reply_size, claims->kinds,
                                                      sizeof claims->kinds);
    } else {
        take_kernel_info(claims, (const void *)session->reply);
    }
    claims->of[driver] =
        (struct wcts_claims_side){.capabilities = claims->capabilities,
                                  .first_interface_version = claims->first_interface_version,
                                  .last_interface_version = claims->last_interface_version};
}

static void copy_line(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from);
    for (char *at = to; *at; at++)
        if ((unsigned char)*at < 0x20)
            *at = ' ';
    wcts_text_clean(to);
}

static void take_name(struct wcts_machine_session *session)
{
    const struct wcts_plugin *plugin = session->tested.plugin;
    struct wcts_claims *claims = &session->claims;
    if (plugin) {
        copy_line(claims->name, sizeof claims->name, plugin->name);
        copy_line(claims->version, sizeof claims->version, plugin->version);
        claims->sides = plugin->sides;
    }
    if (session->tested.remote)
        claims->connections = wcts_wire_host_connections(session->tested.remote);
    wcts_exchange_stream_text(&session->stream, claims->name, sizeof claims->name);
    wcts_exchange_stream_text(&session->stream, claims->version, sizeof claims->version);
    claims->sides = (uint32_t)wcts_exchange_stream_number(&session->stream, claims->sides);
}

/* Begins the stream of the claims. */
static void begin_stream(struct wcts_machine_session *session)
{
    if (session->options.claims)
        wcts_exchange_stream_read(&session->stream, session->options.claims->bytes,
                                  session->options.claims->raw);
    else if (session->options.stores)
        wcts_exchange_stream_write(&session->stream);
}

static bool claims_any(const struct wcts_spec *spec, const struct wcts_claims *claims)
{
    for (int i = 0; i < spec->versions_count; i++)
        if (claims_version(claims, &spec->versions[i]))
            return true;
    return false;
}

/* False, with what is wrong, if the driver's declaration of how it patches makes no sense. */
static bool patches_sense(const struct wcts_driver_info_reply *info, uint32_t size, char *what,
                          size_t room)
{
    const uint64_t values[WCTS_ENCODING_VALUES] = {0};
    const char *text;
    uint64_t value;
    char error[120];
    size_t left;
    what[0] = '\0';
    if (info->patches > WCTS_PATCHES_PRIVATE)
        snprintf(what, room, "patches %u, expected 0 to %d", info->patches, WCTS_PATCHES_PRIVATE);
    if (!wcts_exchange_encoding_is_text(info->patches))
        return what[0] == '\0';
    const uint32_t least = offsetof(struct wcts_driver_info_reply, pProfile);
    if (info->size < least || size < least) {
        snprintf(what, room, "an expression in a reply of %u bytes, expected %u",
                 size < info->size ? size : info->size, least);
        return false;
    }
    text = wcts_message_at(info, size, info->pPatchExpression, 1, 1);
    left = text ? size - info->pPatchExpression : 0;
    if (info->PatchWidth != 1 && info->PatchWidth != 2 && info->PatchWidth != 4 &&
        info->PatchWidth != 8)
        snprintf(what, room, "PatchWidth %u, expected 1, 2, 4 or 8", info->PatchWidth);
    else if (!wcts_exchange_encoding(text, left < ENCODING_ROOM ? left : ENCODING_ROOM, values,
                                     &value, error, sizeof error))
        snprintf(what, room, "pPatchExpression, %s", error);
    return what[0] == '\0';
}

/* False, with what is wrong and what was expected, if the claims make no sense. */
static bool claims_sense(const struct wcts_claims *claims, bool driver, char *what, size_t room)
{
    const uint32_t sizes = 4096 | 16384 | 65536,
                   both = WCTS_CAPABILITY_STRICT | WCTS_CAPABILITY_LENIENT;
    what[0] = '\0';
    if (!driver && (claims->page_sizes == 0 || (claims->page_sizes & ~sizes) != 0))
        snprintf(what, room, "page_sizes %u, expected a sum of 4096, 16384 and 65536",
                 claims->page_sizes);
    else if (!driver && (claims->capabilities & both) == both)
        snprintf(what, room, "both STRICT and LENIENT, expected one of them at most");
    return what[0] == '\0';
}

bool wcts_machine_session_ask(struct wcts_machine_session *session, char *error, size_t room)
{
    bool driver = session->options.driver;
    uint32_t operation = driver ? (uint32_t)WCTS_DRIVER_INFO : (uint32_t)WCTS_KERNEL_INFO;
    struct wcts_claims *claims = &session->claims;
    struct wcts_machine_refusals refusals = {.count = 0};
    char text[200];
    uint32_t reply_size = 0;
    wcts_status status;

    begin_stream(session);
    take_name(session);
    if (!(claims->sides & (driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL))) {
        snprintf(error, room, "the plug-in has no %s side", driver ? "driver" : "kernel");
        return false;
    }
    if (!boot_newest(session, &refusals)) {
        wcts_machine_refusals_remark(&refusals, session->spec, true, claims);
        snprintf(error, room, "%s cannot be opened: %s", claims->name, claims->remarks);
        return false;
    }
    status = ask_info(session, operation, &reply_size);
    wcts_machine_session_shut_down(session);
    if (session->exchange.breach[0]) {
        snprintf(error, room, "%s: %s", claims->name, session->exchange.breach);
        return false;
    }
    if (!wcts_succeeded(status)) {
        wcts_exchange_status_text(status, text, sizeof text);
        snprintf(
            error, room,
            "%s: %s answered %s%s%s, expected what the side claims: no case can be run without",
            claims->name, wcts_operation_name(operation), text,
            session->exchange.log[0] ? ", and logged: " : "", session->exchange.log);
        return false;
    }
    take_info(session, reply_size);
    if (!claims_any(session->spec, claims)) {
        snprintf(
            error, room,
            "%s: %s claims interface versions 0x%04X to 0x%04X, expected some of 0x%04X to 0x%04X",
            claims->name, wcts_operation_name(operation), claims->first_interface_version,
            claims->last_interface_version, session->spec->versions[0].interface_version,
            session->spec->versions[session->spec->versions_count - 1].interface_version);
        return false;
    }
    if (!claims_sense(claims, driver, text, sizeof text) ||
        (driver && !patches_sense((const void *)session->reply, reply_size, text, sizeof text))) {
        snprintf(error, room, "%s: %s claims %s", claims->name, wcts_operation_name(operation),
                 text);
        return false;
    }
    wcts_machine_refusals_remark(&refusals, session->spec, false, claims);
    wcts_model_claims_raise(claims, session->options.upgrade);
    return true;
}
