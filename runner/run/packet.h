/* SPDX-License-Identifier: MIT */
/*
 * The packets between a worker and the runner, over a SOCK_SEQPACKET pair. The plug-in lives in the
 * worker, so the runner trusts nothing: a packet counts only if its magic, kind, lengths and
 * checksum are right.
 *
 * runner to worker:   struct wcts_run_batch; an end of file is "no more work"
 * worker to runner:   struct wcts_run_packet_head, followed by its body
 *   WCTS_PACKET_RESULT   reason, detail, scenario, with the sizes in the head, not terminated; then
 *                        what is stored of the case, packed, if there is room
 *   WCTS_PACKET_FINDING  as RESULT, without what is stored: the finding at some levels, before the
 * case runs again at others WCTS_PACKET_STORED   a piece of what is stored of the case that comes
 * next, or of the claims of the side of that position (0: kernel, 1: driver) WCTS_PACKET_CLAIMS   a
 * struct wcts_claims WCTS_PACKET_ERROR    text: why the implementation could not be loaded
 */
#ifndef WCTS_PACKET_H
#define WCTS_PACKET_H

#include "../model/finding.h"

#define WCTS_PACKET_MAGIC 0x57435453u
/* A packet must fit into a socket buffer; longer details are cut. */
#define WCTS_PACKET_BODY_MAX 65536u

enum wcts_run_packet_kind {
    WCTS_PACKET_RESULT = 1,
    WCTS_PACKET_FINDING,
    WCTS_PACKET_CLAIMS,
    WCTS_PACKET_ERROR,
    WCTS_PACKET_STORED
};

/* Contiguous positions in the list of selected cases. With --repeat a result comes for each
 * repetition of each of them; of the first, "made" were made before. */
struct wcts_run_batch {
    uint32_t from, count, made;
};

/* What a worker sends of a result, or of a piece of one; its body is behind it. Example: {.kind
 * = WCTS_PACKET_RESULT, .position = 17, .found = WCTS_FOUND_KEPT, .reason_size = 0}. */
struct wcts_run_packet_head {
    uint32_t magic;
    uint32_t kind;
    uint32_t position; /* in the list of selected cases */
    uint32_t index;    /* of the case, in the plan */
    uint32_t found;    /* enum wcts_found */
    uint32_t retiring; /* 1: the worker ends after this packet */
    uint32_t reason_size, detail_size;
    uint32_t scenario_size;
    uint32_t body_size;
    uint32_t broken;      /* 1 + a rule, 0: none */
    uint32_t stored_kept; /* enum wcts_stored_kept, of the pieces that came before */
    uint32_t stored_raw;
    uint32_t stored_size; /* bytes in this packet, behind the text */
    uint32_t skip;        /* enum wcts_skip, of the result */
    uint32_t levels; /* of the finding; its two highest bits: it fails at them, it is observed */
    struct wcts_answered answered;
    struct wcts_walk_numbers walk;
    struct wcts_profile_seen seen;
    uint64_t nanoseconds;
    uint64_t output_start, output_end; /* what the plug-in wrote, in the worker's output file */
    uint64_t checksum;                 /* of head and body, this member 0 */
};
_Static_assert(sizeof(struct wcts_run_packet_head) == 216, "no hidden padding in a checked head");

/* A packet as it was received. */
struct wcts_run_packet {
    struct wcts_run_packet_head head;
    char body[WCTS_PACKET_BODY_MAX];
};

enum wcts_run_receive {
    WCTS_RECEIVE_PACKET,
    WCTS_RECEIVE_NOTHING, /* none yet */
    WCTS_RECEIVE_CLOSED,
    WCTS_RECEIVE_GARBAGE,
    WCTS_RECEIVE_FAILED, /* for lack of memory; errno */
};

/* True for an error of this end, such as lack of memory, not of the other. */
bool wcts_run_packet_is_own_trouble(int error);

/* Fills in magic, body_size and checksum, and sends. False if the channel is gone. */
bool wcts_run_packet_send(int channel, const struct wcts_run_packet_head *head, const void *body);

/* Receives without waiting. */
enum wcts_run_receive wcts_run_packet_receive(int channel, struct wcts_run_packet *packet);

/* Sends what is stored in pieces, for the case or the side of the position, and describes it in the
 * head, which may then be sent as a result. */
bool wcts_run_packet_send_stored(int channel, struct wcts_run_packet_head *head,
                                 const struct wcts_stored *stored);
/* Appends a piece. False if it cannot be one. */
bool wcts_run_packet_add_stored(const struct wcts_run_packet *packet, struct wcts_stored *stored);
/* Cuts and cleans a result's text as if it had been sent and received. False without memory; the
 * result is then released. */
bool wcts_run_packet_cross(struct wcts_result *result);

/* Sends a finding of a case that runs again; too long a reason or detail is cut. */
bool wcts_run_packet_send_finding(int channel, struct wcts_run_packet_head *head,
                                  const struct wcts_finding *finding);

/* Sends a result with what is stored and the finding that was not sent yet; cut likewise. */
bool wcts_run_packet_send_result(int channel, struct wcts_run_packet_head *head,
                                 const struct wcts_result *result);

/* Copies the finding out of a packet, its text cleaned (text.h). False if a number or a length is
 * out of range, or memory is short. */
bool wcts_run_packet_finding(const struct wcts_run_packet *packet, struct wcts_finding *finding);

/* The same for a result, with its one finding. */
bool wcts_run_packet_result(const struct wcts_run_packet *packet, struct wcts_result *result);

#endif
