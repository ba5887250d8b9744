/* SPDX-License-Identifier: MIT */
/* Kinds of a driver's allocations of which a test shows nothing, since the driver refuses to create
 * them or cannot move them: others show it, and must not hide them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorded.h"

/* ---- kinds that are refused ---- */

void wcts_judge_kind_asked(const struct wcts_exchange_view *view, int index, char *kind)
{
    static const char *const names[] = {[WCTS_STANDARD_SHAREDPRIMARYSURFACE] =
                                            "standard SHAREDPRIMARYSURFACE",
                                        [WCTS_STANDARD_SHADOWSURFACE] = "standard SHADOWSURFACE",
                                        [WCTS_STANDARD_STAGINGSURFACE] = "standard STAGINGSURFACE",
                                        [WCTS_STANDARD_GDISURFACE] = "standard GDISURFACE"};
    uint64_t standard;
    wcts_exchange_kind_of(view, index, kind, WCTS_JUDGE_KIND_ROOM);
    if (kind[0] == '\0' &&
        wcts_exchange_meant(view, index, false, WCTS_MEANS_STANDARD, &standard) &&
        standard < sizeof names / sizeof *names && names[standard])
        snprintf(kind, WCTS_JUDGE_KIND_ROOM, "%s", names[standard]);
}

/* Which requests are meant: for what the driver lists, or also for surfaces of which it gave the
 * private data. */
enum judge_asked { JUDGE_LISTED, JUDGE_ANY };

static bool asks_for_kind(const struct wcts_exchange_view *view, int index, enum judge_asked asked,
                          char *kind)
{
    const struct wcts_exchange_record *record = &view->exchange->records[index];
    kind[0] = '\0';
    if (asked == JUDGE_LISTED && wcts_exchange_creates(view, index))
        wcts_exchange_kind_of(view, index, kind, WCTS_JUDGE_KIND_ROOM);
    /* That the driver does not describe a surface is said elsewhere, and no refusal. */
    if (asked == JUDGE_ANY && record->operation >> 8 == WCTS_DRIVER_INFO >> 8 &&
        (wcts_exchange_creates(view, index) ||
         wcts_exchange_answer_of(record->status) != WCTS_ANSWER_MISSING))
        wcts_judge_kind_asked(view, index, kind);
    return kind[0] != '\0';
}

/* True, with its name, if the driver refused a kind of which it had created nothing. */
static bool refuses_kind(const struct wcts_exchange_view *view, int index, enum judge_asked asked,
                         char *kind)
{
    const struct wcts_exchange_record *records = view->exchange->records;
    char earlier[WCTS_JUDGE_KIND_ROOM];
    if (wcts_succeeded(records[index].status) || !asks_for_kind(view, index, asked, kind))
        return false;
    for (int i = 0; i < index; i++)
        if (wcts_succeeded(records[i].status) && records[i].operation == records[index].operation &&
            asks_for_kind(view, i, asked, earlier) && strcmp(earlier, kind) == 0)
            return false;
    return true;
}

/* "not created: OPERATION answered INVALID_PARAMETER (0xC000000D)"; the caller frees it. */
static char *refusal_text(const struct wcts_exchange_record *record)
{
    char status[64], *text;
    wcts_exchange_status_text(record->status, status, sizeof status);
    return asprintf(&text, WCTS_FINDING_NOT_CREATED "%s answered %s",
                    wcts_operation_name(record->operation), status) < 0
               ? NULL
               : text;
}

/* The refusal of a kind that kept the boot from showing anything: the first call that the driver
 * may not deny, or for which there was no memory, or the last one of a set-up. -1: none. */
static int find_refused(const struct wcts_exchange_view *view,
                        const struct wcts_exchange_attempt *attempt, char *kind)
{
    const struct wcts_exchange *exchange = view->exchange;
    const struct wcts_exchange_record *records = exchange->records;
    int i = exchange->count - 1;
    if (attempt->end != WCTS_ATTEMPT_ANSWERED) {
        while (i >= 0 && !refuses_kind(view, i, JUDGE_LISTED, kind))
            i--;
        return i;
    }
    i = 0;
    while (i < exchange->count && records[i].denial != WCTS_DENIAL_VALID &&
           (wcts_exchange_answer_of(records[i].status) != WCTS_ANSWER_NO_TEST ||
            records[i].operation >> 8 != WCTS_DRIVER_INFO >> 8))
        i++;
    return i < exchange->count && refuses_kind(view, i, JUDGE_LISTED, kind) ? i : -1;
}

/* The refusal of the kind that the boot began with: what it shows is of others. -1: none. */
static int find_own_refused(const struct wcts_exchange_view *view,
                            const struct wcts_exchange_boot *boot, char *kind)
{
    char own[WCTS_JUDGE_KIND_ROOM];
    wcts_exchange_kind_name(view->exchange, boot->kind, own, sizeof own);
    for (int i = 0; i < view->exchange->count; i++)
        if (refuses_kind(view, i, JUDGE_LISTED, kind) && strcmp(kind, own) == 0)
            return i;
    return -1;
}

/* ---- boots that begin with a kind ---- */

bool wcts_judge_found_nothing_wrong(enum wcts_found found)
{
    return found == WCTS_FOUND_KEPT || found == WCTS_FOUND_NOTHING ||
           found == WCTS_FOUND_DECLINED || found == WCTS_FOUND_TROUBLE;
}

static bool is_of_same_kind(const struct wcts_exchange_recording *recording, int a, int b)
{
    return recording->boots[a].kind == recording->boots[b].kind;
}

/* The reason without the name of its sort if it is one of the kind: something is not supported of
 * it, or no segment has room. NULL: it is not. */
static const char *reason_of_kind(const struct wcts_finding *found)
{
    const size_t prefix = strlen(wcts_model_skip_name(found->skip)) + strlen(": ");
    char status[64];
    wcts_exchange_status_text(WCTS_STATUS_NOT_SUPPORTED, status, sizeof status);
    if (!found->reason || found->found != WCTS_FOUND_NOTHING)
        return NULL;
    if (found->skip == WCTS_SKIP_NOT_CLAIMED && strstr(found->reason, status))
        return found->reason + prefix;
    return found->skip == WCTS_SKIP_NOT_APPLICABLE && strstr(found->reason, WCTS_FINDING_NO_ROOM)
               ? found->reason + prefix
               : NULL;
}

/* Notes why a boot shows nothing of its kind, if that is a reason. An earlier boot
 * of the kind does not count any more: in the second one all allocations are of the kind
 * (run/case.c). */
static void note_lack(const struct wcts_exchange_recording *recording, int index,
                      struct wcts_judge_of_kind *of_kinds)
{
    const char *reason = reason_of_kind(&of_kinds[index].found);
    for (int i = 0; i < index; i++)
        if (is_of_same_kind(recording, i, index)) {
            free(of_kinds[i].lacks);
            of_kinds[i].lacks = NULL;
        }
    if (recording->boots[index].kind >= 0 && reason)
        of_kinds[index].lacks = strdup(reason);
}

static bool is_prevented(const struct wcts_finding *finding)
{
    return finding->found == WCTS_FOUND_DECLINED || finding->found == WCTS_FOUND_TROUBLE;
}

void wcts_judge_note_kind(const struct wcts_spec *spec,
                          const struct wcts_exchange_recording *recording, int index,
                          struct wcts_judge_of_kind *of_kinds)
{
    const struct wcts_exchange_boot *boot = &recording->boots[index];
    const struct wcts_exchange_view view = {spec, &boot->exchange, 0};
    struct wcts_judge_of_kind *of = &of_kinds[index];
    int refused = -1;
    of->judged = true;
    note_lack(recording, index, of_kinds);
    if (boot->kind < 0 || boot->exchange.breach_kind != WCTS_BREACH_NONE)
        return;
    if (is_prevented(&of->found))
        refused = find_refused(&view, &boot->attempt, of->names);
    else if (of->found.found == WCTS_FOUND_KEPT || of->found.found == WCTS_FOUND_NOTHING)
        refused = find_own_refused(&view, boot, of->names);
    if (refused >= 0)
        of->refused = refusal_text(&boot->exchange.records[refused]);
}

/* The last boot that began with the kind that boot index was refused, if it was refused there, too:
 * beside another one, and first. -1: none. */
static int find_refused_first(const struct wcts_exchange_recording *recording, int count,
                              const struct wcts_judge_of_kind *of_kinds, int index)
{
    for (int i = count - 1; of_kinds[index].refused && i >= 0; i--) {
        char kind[WCTS_JUDGE_KIND_ROOM];
        wcts_exchange_kind_name(&recording->boots[i].exchange, recording->boots[i].kind, kind,
                                sizeof kind);
        if (of_kinds[i].judged && strcmp(kind, of_kinds[index].names) == 0)
            return of_kinds[i].refused && strcmp(of_kinds[i].names, kind) == 0 ? i : -1;
    }
    return -1;
}

/* Names the kinds for which the case shows nothing in the reason: the verdict is that of the
 * others, which must not hide them. */
static void name_unshown_kinds(const struct wcts_exchange_recording *recording, int count,
                               const struct wcts_judge_of_kind *of_kinds,
                               struct wcts_finding *finding)
{
    const char *between = "";
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; out && i < count; i++) {
        char kind[WCTS_JUDGE_KIND_ROOM];
        wcts_exchange_kind_name(&recording->boots[i].exchange, recording->boots[i].kind, kind,
                                sizeof kind);
        if (!of_kinds[i].lacks || kind[0] == '\0')
            continue;
        fprintf(out, "%s" WCTS_FINDING_UNSHOWN_KIND "%s" WCTS_FINDING_KIND_END "%s", between, kind,
                of_kinds[i].lacks);
        between = "; ";
    }
    if (out && fclose(out) == 0 && text[0] != '\0')
        wcts_model_finding_set(finding, finding->found, "%s", text);
    free(text);
}

/* The boot whose finding is that of the test, before what others show: the first of which a valid
 * call is denied, or that could not be made, unless the last one is a breach; otherwise the last.
 * Boots in which a kind that the driver does not create was refused count only if there are no
 * others. Moves why to the boots that began with these kinds. */
static int choose_boot(const struct wcts_exchange_recording *recording, int count,
                       struct wcts_judge_of_kind *of_kinds)
{
    int last = -1, declined = -1, passed_over = -1;
    for (int i = 0; i < count; i++) {
        const int refused = find_refused_first(recording, count, of_kinds, i);
        if (!of_kinds[i].judged)
            continue;
        if (refused >= 0) {
            passed_over = passed_over < 0 ? i : passed_over;
            if (refused == i)
                of_kinds[i].lacks = strdup(of_kinds[i].refused);
            continue;
        }
        last = i;
        if (declined < 0 && recording->boots[i].kind >= 0 && is_prevented(&of_kinds[i].found))
            declined = i;
    }
    if (last < 0)
        return passed_over < 0 ? 0 : passed_over;
    return declined >= 0 && wcts_judge_found_nothing_wrong(of_kinds[last].found.found) ? declined
                                                                                       : last;
}

static bool shows_any(const struct wcts_judge_of_kind *of_kinds, int count)
{
    for (int i = 0; i < count; i++)
        if (of_kinds[i].judged && of_kinds[i].found.found == WCTS_FOUND_KEPT)
            return true;
    return false;
}

int wcts_judge_choose_kind(const struct wcts_exchange_recording *recording, int count,
                           struct wcts_judge_of_kind *of_kinds, struct wcts_finding *finding)
{
    const int chosen = choose_boot(recording, count, of_kinds);
    const uint64_t cleared = finding->cleared;
    struct wcts_finding *found = &of_kinds[chosen].found;
    wcts_model_finding_release(finding);
    *finding = *found;
    *found = (struct wcts_finding){.found = finding->found};
    finding->cleared = cleared;
    if ((finding->found == WCTS_FOUND_KEPT || finding->found == WCTS_FOUND_NOTHING) &&
        shows_any(of_kinds, count)) {
        if (finding->found != WCTS_FOUND_KEPT) {
            wcts_model_finding_release(finding);
            *finding = (struct wcts_finding){.found = WCTS_FOUND_KEPT, .cleared = cleared};
        }
        name_unshown_kinds(recording, count, of_kinds, finding);
    }
    for (int i = 0; i < count; i++) {
        wcts_model_finding_release(&of_kinds[i].found);
        free(of_kinds[i].lacks);
        free(of_kinds[i].refused);
    }
    return chosen;
}

/* ---- one boot that goes through all kinds ---- */

static bool creates_any(const struct wcts_exchange_view *view)
{
    for (int i = 0; i < view->exchange->count; i++)
        if (wcts_exchange_creates(view, i) && wcts_succeeded(view->exchange->records[i].status))
            return true;
    return false;
}

void wcts_judge_pass_over_kinds(const struct wcts_exchange_view *view)
{
    struct wcts_exchange_record *records = view->exchange->records;
    const bool any = creates_any(view);
    char kind[WCTS_JUDGE_KIND_ROOM];
    for (int i = 0; any && i < view->exchange->count; i++)
        if (records[i].denial == WCTS_DENIAL_VALID && refuses_kind(view, i, JUDGE_ANY, kind))
            records[i].denial = WCTS_DENIAL_LET;
}

/* True if a kind was refused before, so that it is named already. */
static bool is_refused_before(const struct wcts_exchange_view *view, int index, const char *kind)
{
    char earlier[WCTS_JUDGE_KIND_ROOM];
    for (int i = 0; i < index; i++)
        if (refuses_kind(view, i, JUDGE_ANY, earlier) && strcmp(earlier, kind) == 0)
            return true;
    return false;
}

void wcts_judge_name_refused_kinds(const struct wcts_exchange_view *view,
                                   struct wcts_finding *finding)
{
    const char *between = "";
    char *text = NULL;
    size_t size;
    FILE *out = finding->found == WCTS_FOUND_KEPT && creates_any(view)
                    ? open_memstream(&text, &size)
                    : NULL;
    for (int i = 0; out && i < view->exchange->count; i++) {
        char kind[WCTS_JUDGE_KIND_ROOM], *why;
        if (!refuses_kind(view, i, JUDGE_ANY, kind) || is_refused_before(view, i, kind))
            continue;
        why = refusal_text(&view->exchange->records[i]);
        fprintf(out, "%s" WCTS_FINDING_UNSHOWN_KIND "%s" WCTS_FINDING_KIND_END "%s", between, kind,
                why ? why : "");
        free(why);
        between = "; ";
    }
    if (out && fclose(out) == 0 && text[0] != '\0')
        wcts_model_finding_set(finding, finding->found, "%s", text);
    free(text);
}
