/* SPDX-License-Identifier: MIT */
#include "packet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "../base/checksum.h"
#include "../base/text.h"
#include "../exchange/strip.h"

#define REASON_MAX 4096u

/* A guard against accidents, not against a forger, who could only fake a verdict about himself. */
static uint64_t checksum_of(const struct wcts_run_packet_head *head, const void *body)
{
    struct wcts_run_packet_head copy = *head;
    copy.checksum = 0;
    return wcts_checksum(wcts_checksum(0, &copy, sizeof copy), body, head->body_size);
}

bool wcts_run_packet_is_own_trouble(int error)
{
    return error == ENOMEM || error == ENOBUFS || error == EMFILE || error == ENFILE;
}

bool wcts_run_packet_send(int channel, const struct wcts_run_packet_head *head, const void *body)
{
    struct wcts_run_packet_head copy = *head;
    copy.magic = WCTS_PACKET_MAGIC;
    copy.checksum = checksum_of(&copy, body);

    struct iovec parts[2] = {{&copy, sizeof copy}, {(void *)body, copy.body_size}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t sent;
    do
        sent = sendmsg(channel, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)(sizeof copy + copy.body_size);
}

enum wcts_run_receive wcts_run_packet_receive(int channel, struct wcts_run_packet *packet)
{
    ssize_t size;
    do
        size = recv(channel, packet, sizeof *packet, MSG_DONTWAIT | MSG_TRUNC);
    while (size < 0 && errno == EINTR);

    if (size < 0 && wcts_run_packet_is_own_trouble(errno))
        return WCTS_RECEIVE_FAILED;
    if (size < 0)
        return errno == EAGAIN ? WCTS_RECEIVE_NOTHING : WCTS_RECEIVE_CLOSED;
    if (size == 0)
        return WCTS_RECEIVE_CLOSED;
    if ((size_t)size < sizeof packet->head || (size_t)size > sizeof *packet)
        return WCTS_RECEIVE_GARBAGE;

    const struct wcts_run_packet_head *head = &packet->head;
    if (head->magic != WCTS_PACKET_MAGIC || head->body_size != (size_t)size - sizeof *head ||
        head->checksum != checksum_of(head, packet->body))
        return WCTS_RECEIVE_GARBAGE;
    return WCTS_RECEIVE_PACKET;
}

bool wcts_run_packet_send_stored(int channel, struct wcts_run_packet_head *head,
                                 const struct wcts_stored *stored)
{
    bool sent = true;
    head->stored_kept = (uint32_t)stored->kept;
    head->stored_raw = (uint32_t)stored->raw;
    head->kind = WCTS_PACKET_STORED;
    for (size_t at = 0; sent && at < stored->size; at += head->body_size) {
        size_t left = stored->size - at;
        head->body_size = (uint32_t)(left < WCTS_PACKET_BODY_MAX ? left : WCTS_PACKET_BODY_MAX);
        sent = wcts_run_packet_send(channel, head, stored->bytes + at);
    }
    return sent;
}

bool wcts_run_packet_add_stored(const struct wcts_run_packet *packet, struct wcts_stored *stored)
{
    const struct wcts_run_packet_head *head = &packet->head;
    bool whole = head->kind == WCTS_PACKET_RESULT; /* behind the text */
    uint32_t size = whole ? head->stored_size : head->body_size;
    uint8_t *more;
    if ((!whole && head->kind != WCTS_PACKET_STORED) || size == 0 || size > head->body_size ||
        !wcts_model_is_stored(head->stored_kept) || stored->size + size > WCTS_PACKED_MAX)
        return false;
    more = realloc(stored->bytes, stored->size + size);
    if (!more)
        return false;
    memcpy(more + stored->size, packet->body + head->body_size - size, size);
    stored->bytes = more;
    stored->size += size;
    stored->raw = head->stored_raw;
    stored->kept = (enum wcts_stored_kept)head->stored_kept;
    return true;
}

/* The highest bit of levels: the finding fails at them. */
#define FAILS (1u << 31)
#define OBSERVED (1u << 30)
#define PARTLY (1u << 29)
#define MARKS (FAILS | OBSERVED | PARTLY)

/* Behind the last whole line of a detail that does not fit. */
#define CUT "... the rest is left out: replay --verbose has it all\n"

/* Copies a detail into a buffer of that size, cut after a whole line if it does not fit. Returns
 * the number of bytes written. */
static uint32_t put_detail(char *to, const char *detail, size_t room)
{
    size_t length = strnlen(detail, room + 1);
    if (length <= room) {
        memcpy(to, detail, length);
        return (uint32_t)length;
    }
    if (room <= strlen(CUT))
        return 0;
    length = room - strlen(CUT);
    while (length > 0 && detail[length - 1] != '\n')
        length--;
    memcpy(to, detail, length);
    memcpy(to + length, CUT, strlen(CUT));
    return (uint32_t)(length + strlen(CUT));
}

/* Puts a finding into a head and its body, of WCTS_PACKET_BODY_MAX bytes. */
static void put_finding(struct wcts_run_packet_head *head, char *body,
                        const struct wcts_finding *finding)
{
    const char *reason = finding->reason ? finding->reason : "";
    const char *detail = finding->detail ? finding->detail : "";
    const char *scenario = finding->scenario ? finding->scenario : "";
    size_t left = WCTS_PACKET_BODY_MAX;

    head->kind = WCTS_PACKET_FINDING;
    head->found = (uint32_t)finding->found;
    head->levels = finding->levels | (finding->fails ? FAILS : 0) |
                   (finding->observed ? OBSERVED : 0) | (finding->partly ? PARTLY : 0);
    head->broken = (uint32_t)finding->broken;
    head->skip = (uint32_t)finding->skip;
    head->reason_size = (uint32_t)strnlen(reason, REASON_MAX);
    left -= head->reason_size;
    /* Part of a scenario is useless. */
    head->scenario_size = strlen(scenario) < left ? (uint32_t)strlen(scenario) : 0;
    left -= head->scenario_size;
    head->stored_size = 0;
    memcpy(body, reason, head->reason_size);
    head->detail_size = put_detail(body + head->reason_size, detail, left);
    head->body_size = head->reason_size + head->detail_size + head->scenario_size;
    memcpy(body + head->reason_size + head->detail_size, scenario, head->scenario_size);
}

static void put_result(struct wcts_run_packet_head *head, char *body,
                       const struct wcts_result *result, const struct wcts_finding *finding)
{
    put_finding(head, body, finding);
    head->kind = WCTS_PACKET_RESULT;
    head->answered = result->answered;
    head->nanoseconds = result->nanoseconds;
    head->walk = result->walk;
    head->seen = result->seen;
}

bool wcts_run_packet_send_finding(int channel, struct wcts_run_packet_head *head,
                                  const struct wcts_finding *finding)
{
    static char body[WCTS_PACKET_BODY_MAX];
    put_finding(head, body, finding);
    return wcts_run_packet_send(channel, head, body);
}

bool wcts_run_packet_send_result(int channel, struct wcts_run_packet_head *head,
                                 const struct wcts_result *result)
{
    static char body[WCTS_PACKET_BODY_MAX];
    const struct wcts_stored *stored = &result->stored;
    const struct wcts_finding *last = wcts_model_finding_last(&result->finding);
    for (const struct wcts_finding *one = &result->finding; one != last; one = one->next)
        if (!wcts_run_packet_send_finding(channel, head, one))
            return false;
    put_result(head, body, result, last);
    if (stored->size > 0 && stored->size <= sizeof body - head->body_size) {
        memcpy(body + head->body_size, stored->bytes, stored->size);
        head->stored_kept = (uint32_t)stored->kept;
        head->stored_raw = (uint32_t)stored->raw;
        head->stored_size = (uint32_t)stored->size;
        head->body_size += head->stored_size;
    } else if (!wcts_run_packet_send_stored(channel, head, stored)) {
        return false;
    } else {
        put_result(head, body, result, last);
    }
    return wcts_run_packet_send(channel, head, body);
}

bool wcts_run_packet_finding(const struct wcts_run_packet *packet, struct wcts_finding *finding)
{
    const struct wcts_run_packet_head *head = &packet->head;
    const char *detail;
    uint32_t left = head->body_size;
    if (head->found >= WCTS_FOUND_COUNT || head->skip >= WCTS_SKIP_COUNT ||
        (head->found == WCTS_FOUND_NOTHING) != (head->skip != WCTS_SKIP_NONE) ||
        head->broken > INT32_MAX || (head->levels & ~MARKS) == 0 ||
        (head->levels & ~MARKS) > WCTS_LEVELS_ALL || head->reason_size > left ||
        head->detail_size > left - head->reason_size)
        return false;
    left -= head->reason_size + head->detail_size;
    if (head->stored_size > left || head->scenario_size != left - head->stored_size)
        return false;
    detail = packet->body + head->reason_size;
    *finding = (struct wcts_finding){
        .levels = head->levels & ~MARKS,
        .found = (enum wcts_found)head->found,
        .skip = (enum wcts_skip)head->skip,
        .fails = (head->levels & FAILS) != 0,
        .observed = (head->levels & OBSERVED) != 0,
        .partly = (head->levels & PARTLY) != 0,
        .broken = (int)head->broken,
        .reason = strndup(packet->body, head->reason_size),
        .detail = strndup(detail, head->detail_size),
        .scenario = strndup(detail + head->detail_size, head->scenario_size),
    };
    if (!finding->reason || !finding->detail || !finding->scenario) {
        wcts_model_finding_release(finding);
        return false;
    }
    wcts_text_clean(finding->reason);
    wcts_text_one_line(finding->reason);
    wcts_text_clean(finding->detail);
    wcts_text_clean(finding->scenario);
    return true;
}

bool wcts_run_packet_result(const struct wcts_run_packet *packet, struct wcts_result *result)
{
    const struct wcts_run_packet_head *head = &packet->head;
    if (head->kind != WCTS_PACKET_RESULT || !wcts_run_packet_finding(packet, &result->finding))
        return false;
    result->answered = head->answered;
    result->nanoseconds = head->nanoseconds;
    result->walk = head->walk;
    result->seen = head->seen;
    return true;
}

bool wcts_run_packet_cross(struct wcts_result *result)
{
    struct wcts_run_packet *packet = calloc(1, sizeof *packet);
    struct wcts_finding arrived = {0}, one;
    bool crossed = packet != NULL;
    for (const struct wcts_finding *sent = &result->finding; crossed && sent; sent = sent->next) {
        put_finding(&packet->head, packet->body, sent);
        crossed = wcts_run_packet_finding(packet, &one) && wcts_model_finding_add(&arrived, &one);
    }
    free(packet);
    wcts_model_finding_release(&result->finding);
    result->finding = arrived;
    return crossed;
}
