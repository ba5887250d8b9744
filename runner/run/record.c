/* SPDX-License-Identifier: MIT */
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "../base/text.h"
#include "../exchange/strip.h"

#define REASON_MAX 4096u

/* A guard against accidents, not against a forger, who could only fake a verdict about himself. */
static uint64_t checksum_of(const struct wcts_record_head *record, const void *body)
{
    struct wcts_record_head copy = *record;
    copy.checksum = 0;
    return wcts_strip_hash(wcts_strip_hash(0, &copy, sizeof copy), body, record->body_size);
}

bool wcts_record_is_own_trouble(int error)
{
    return error == ENOMEM || error == ENOBUFS || error == EMFILE || error == ENFILE;
}

bool wcts_record_send(int channel, const struct wcts_record_head *record, const void *body)
{
    struct wcts_record_head copy = *record;
    copy.magic = WCTS_RECORD_MAGIC;
    copy.checksum = checksum_of(&copy, body);

    struct iovec parts[2] = {{&copy, sizeof copy}, {(void *)body, copy.body_size}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t sent;
    do
        sent = sendmsg(channel, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)(sizeof copy + copy.body_size);
}

enum wcts_receive wcts_record_receive(int channel, struct wcts_packet *packet)
{
    ssize_t size;
    do
        size = recv(channel, packet, sizeof *packet, MSG_DONTWAIT | MSG_TRUNC);
    while (size < 0 && errno == EINTR);

    if (size < 0 && wcts_record_is_own_trouble(errno))
        return WCTS_RECEIVE_FAILED;
    if (size < 0)
        return errno == EAGAIN ? WCTS_RECEIVE_NOTHING : WCTS_RECEIVE_CLOSED;
    if (size == 0)
        return WCTS_RECEIVE_CLOSED;
    if ((size_t)size < sizeof packet->record || (size_t)size > sizeof *packet)
        return WCTS_RECEIVE_GARBAGE;

    const struct wcts_record_head *record = &packet->record;
    if (record->magic != WCTS_RECORD_MAGIC || record->body_size != (size_t)size - sizeof *record ||
        record->checksum != checksum_of(record, packet->body))
        return WCTS_RECEIVE_GARBAGE;
    return WCTS_RECEIVE_RECORD;
}

bool wcts_record_send_tape(int channel, struct wcts_record_head *record,
                           const struct wcts_tape_record *tape)
{
    bool sent = true;
    record->tape_kept = tape->size > WCTS_TAPE_PACKED_MAX ? WCTS_TAPE_CUT : (uint32_t)tape->kept;
    record->tape_raw = (uint32_t)tape->raw;
    record->kind = WCTS_RECORD_TAPE;
    for (size_t at = 0; sent && record->tape_kept == WCTS_TAPE_KEPT && at < tape->size;
         at += record->body_size) {
        size_t left = tape->size - at;
        record->body_size = (uint32_t)(left < WCTS_RECORD_BODY_MAX ? left : WCTS_RECORD_BODY_MAX);
        sent = wcts_record_send(channel, record, tape->bytes + at);
    }
    return sent;
}

bool wcts_record_add_tape(const struct wcts_packet *packet, struct wcts_tape_record *tape)
{
    const struct wcts_record_head *record = &packet->record;
    bool whole = record->kind == WCTS_RECORD_RESULT; /* behind the text */
    uint32_t size = whole ? record->tape_size : record->body_size;
    uint8_t *more;
    if ((!whole && record->kind != WCTS_RECORD_TAPE) || size == 0 || size > record->body_size ||
        tape->size + size > WCTS_TAPE_PACKED_MAX)
        return false;
    more = realloc(tape->bytes, tape->size + size);
    if (!more)
        return false;
    memcpy(more + tape->size, packet->body + record->body_size - size, size);
    tape->bytes = more;
    tape->size += size;
    tape->raw = record->tape_raw;
    tape->kept = WCTS_TAPE_KEPT;
    return true;
}

/* The highest bit of levels: the finding fails at them. */
#define FAILS (1u << 31)

/* Puts a finding into a record and its body, of WCTS_RECORD_BODY_MAX bytes. */
static void put_finding(struct wcts_record_head *record, char *body,
                        const struct wcts_finding *finding)
{
    const char *reason = finding->reason ? finding->reason : "";
    const char *detail = finding->detail ? finding->detail : "";
    const char *scenario = finding->scenario ? finding->scenario : "";
    size_t left = WCTS_RECORD_BODY_MAX;

    record->kind = WCTS_RECORD_FINDING;
    record->found = (uint32_t)finding->found;
    record->levels = finding->levels | (finding->fails ? FAILS : 0);
    record->broken = (uint32_t)finding->broken;
    record->skip = (uint32_t)finding->skip;
    record->reason_size = (uint32_t)strnlen(reason, REASON_MAX);
    left -= record->reason_size;
    /* Part of a scenario is useless. */
    record->scenario_size = strlen(scenario) < left ? (uint32_t)strlen(scenario) : 0;
    left -= record->scenario_size;
    record->detail_size = (uint32_t)strnlen(detail, left);
    record->tape_size = 0;
    record->body_size = record->reason_size + record->detail_size + record->scenario_size;
    memcpy(body, reason, record->reason_size);
    memcpy(body + record->reason_size, detail, record->detail_size);
    memcpy(body + record->reason_size + record->detail_size, scenario, record->scenario_size);
}

static void put_result(struct wcts_record_head *record, char *body,
                       const struct wcts_result *result, const struct wcts_finding *finding)
{
    put_finding(record, body, finding);
    record->kind = WCTS_RECORD_RESULT;
    record->answered = result->answered;
    record->nanoseconds = result->nanoseconds;
    record->walk = result->walk;
}

bool wcts_record_send_finding(int channel, struct wcts_record_head *record,
                              const struct wcts_finding *finding)
{
    static char body[WCTS_RECORD_BODY_MAX];
    put_finding(record, body, finding);
    return wcts_record_send(channel, record, body);
}

bool wcts_record_send_result(int channel, struct wcts_record_head *record,
                             const struct wcts_result *result)
{
    static char body[WCTS_RECORD_BODY_MAX];
    const struct wcts_tape_record *tape = &result->tape;
    const struct wcts_finding *last = wcts_finding_last(&result->finding);
    for (const struct wcts_finding *one = &result->finding; one != last; one = one->next)
        if (!wcts_record_send_finding(channel, record, one))
            return false;
    put_result(record, body, result, last);
    if (tape->kept == WCTS_TAPE_KEPT && tape->size <= sizeof body - record->body_size) {
        memcpy(body + record->body_size, tape->bytes, tape->size);
        record->tape_kept = WCTS_TAPE_KEPT;
        record->tape_raw = (uint32_t)tape->raw;
        record->tape_size = (uint32_t)tape->size;
        record->body_size += record->tape_size;
    } else if (!wcts_record_send_tape(channel, record, tape)) {
        return false;
    } else {
        put_result(record, body, result, last);
    }
    return wcts_record_send(channel, record, body);
}

bool wcts_record_finding(const struct wcts_packet *packet, struct wcts_finding *finding)
{
    const struct wcts_record_head *record = &packet->record;
    const char *detail;
    uint32_t left = record->body_size;
    if (record->found >= WCTS_FOUND_COUNT || record->skip >= WCTS_SKIP_COUNT ||
        (record->found == WCTS_FOUND_NOTHING) != (record->skip != WCTS_SKIP_NONE) ||
        record->broken > INT32_MAX || (record->levels & ~FAILS) == 0 ||
        (record->levels & ~FAILS) > WCTS_LEVELS_ALL || record->reason_size > left ||
        record->detail_size > left - record->reason_size)
        return false;
    left -= record->reason_size + record->detail_size;
    if (record->tape_size > left || record->scenario_size != left - record->tape_size)
        return false;
    detail = packet->body + record->reason_size;
    *finding = (struct wcts_finding){
        .levels = record->levels & ~FAILS,
        .found = (enum wcts_found)record->found,
        .skip = (enum wcts_skip)record->skip,
        .fails = (record->levels & FAILS) != 0,
        .broken = (int)record->broken,
        .reason = strndup(packet->body, record->reason_size),
        .detail = strndup(detail, record->detail_size),
        .scenario = strndup(detail + record->detail_size, record->scenario_size),
    };
    if (!finding->reason || !finding->detail || !finding->scenario) {
        wcts_finding_release(finding);
        return false;
    }
    wcts_text_clean(finding->reason);
    wcts_text_one_line(finding->reason);
    wcts_text_clean(finding->detail);
    wcts_text_clean(finding->scenario);
    return true;
}

bool wcts_record_result(const struct wcts_packet *packet, struct wcts_result *result)
{
    const struct wcts_record_head *record = &packet->record;
    if (record->kind != WCTS_RECORD_RESULT || !wcts_record_finding(packet, &result->finding))
        return false;
    result->answered = record->answered;
    result->nanoseconds = record->nanoseconds;
    result->walk = record->walk;
    return true;
}

bool wcts_record_cross(struct wcts_result *result)
{
    struct wcts_packet *packet = calloc(1, sizeof *packet);
    struct wcts_finding arrived = {0}, one;
    bool crossed = packet != NULL;
    for (const struct wcts_finding *sent = &result->finding; crossed && sent; sent = sent->next) {
        put_finding(&packet->record, packet->body, sent);
        crossed = wcts_record_finding(packet, &one) && wcts_finding_add(&arrived, &one);
    }
    free(packet);
    wcts_finding_release(&result->finding);
    result->finding = arrived;
    return crossed;
}
