/* SPDX-License-Identifier: MIT */
/*
 * The wire protocol, in bytes: how the messages of wddm-cts.h travel to an implementation in
 * another process or on another machine. docs/protocol.md is its description for people who write a
 * peer; this header is what the runner (host.h) and wddm-cts-agent (peer.h) are compiled from. Both
 * need nothing but the C library here.
 *
 * A message is a head of 32 bytes and a body. All numbers are little-endian. The head of a call to
 * KERNEL_SETTLE, id 7, of instance 3, with a body of 8 bytes:
 *
 *     57 43 54 53  01 00  01 00  28 00 00 00  17 01 00 00    "WCTS", version 1, a call, 40, 0x117
 *     07 00 00 00  00 00 00 00   03 00 00 00  00 40 00 00    id 7, in no other, instance 3, room
 */
#ifndef WCTS_WIRE_PROTOCOL_H
#define WCTS_WIRE_PROTOCOL_H

#include "../../include/wddm-cts.h"

#if defined __BYTE_ORDER__ && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error                                                                                             \
    "the structs of the protocol are sent as they are in memory: a little-endian machine is needed"
#endif

/* "WCTS" as the first four bytes. */
#define WCTS_WIRE_MAGIC 0x53544357u
#define WCTS_WIRE_VERSION 1u

enum wcts_wire_kind { WCTS_WIRE_CALL = 1, WCTS_WIRE_REPLY = 2 };

/* Every message begins so, in every version of the protocol. */
struct wcts_wire_head {
    uint32_t magic;
    uint16_t version; /* that HELLO agreed on; of HELLO itself and its reply: 1 */
    uint16_t kind;    /* enum wcts_wire_kind */
    uint32_t length;  /* bytes of the whole message, this head included */
    uint32_t operation;
    uint32_t id;       /* of a call: not 0; a reply has that of its call */
    uint32_t within;   /* of a call during another one: the id of that one, else 0 */
    uint32_t instance; /* chosen by the host in OPEN; 0 in HELLO and BYE */
    uint32_t answer;   /* of a call: room for the reply's body; of a reply: the status */
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_wire_head) == 32, "the head has no gaps");

/* Operations of the protocol itself, beside those of WCTS_OPERATIONS, which begin at 0x101. */
enum wcts_wire_operation {
    WCTS_WIRE_HELLO = 1,   /* host to peer, the first message */
    WCTS_WIRE_OPEN = 2,    /* host to peer: wcts_plugin.open */
    WCTS_WIRE_CLOSE = 3,   /* host to peer: wcts_plugin.close */
    WCTS_WIRE_BYE = 4,     /* peer to host, at any time, without a reply: why it ends */
    WCTS_WIRE_ANSWERS = 5, /* host to peer: a call for many values of the driver's answer to it */
};

/* The first operation number that is not the protocol's own. */
#define WCTS_WIRE_OPERATIONS_END 0x100u

/* What an end can do; both may do what both have. */
enum wcts_wire_capability {
    WCTS_WIRE_REASONS = 1 << 0, /* the body of a reply that fails is a text */
    WCTS_WIRE_BYES = 1 << 1,    /* BYE */
    WCTS_WIRE_MANY = 1 << 2,    /* ANSWERS */
};

/* The least that each end takes as the length of a message, and the most that any may state. */
#define WCTS_WIRE_LONGEST_LEAST 0x10000u
#define WCTS_WIRE_LONGEST_MOST 0x4000000u
/* The most bytes of a name, of options, and of a reason. */
#define WCTS_WIRE_TEXT_MAX 4096u
/* The most calls in each other. */
#define WCTS_WIRE_DEPTH_MAX 16

/* The first message, from the host: {its size, 1, 1, WCTS_ABI_VERSION, WCTS_WIRE_REASONS |
 * WCTS_WIRE_BYES, 0x100000}. docs/protocol.md has each member. */
struct wcts_wire_hello {
    uint32_t size;
    uint32_t first_version; /* versions of the protocol that the host knows */
    uint32_t last_version;
    uint32_t abi_version;  /* WCTS_ABI_VERSION */
    uint32_t capabilities; /* enum wcts_wire_capability */
    uint32_t longest;      /* the longest message that it takes, in bytes */
};

/* pName and pVersion are offsets in the body, as everywhere; the texts are UTF-8, one line. */
struct wcts_wire_hello_reply {
    uint32_t size;
    uint32_t version; /* of the messages from now on */
    uint32_t abi_version;
    uint32_t capabilities;
    uint32_t longest;
    uint32_t connections; /* how many it serves at a time; 0: any number */
    uint32_t sides;       /* enum wcts_side */
    uint32_t NameLength;
    uint64_t pName;    /* uint8_t[NameLength] */
    uint64_t pVersion; /* uint8_t[VersionLength] */
    uint32_t VersionLength;
    uint32_t reserved;
};

/* The members of struct wcts_host. */
struct wcts_wire_open {
    uint32_t size;
    uint32_t side; /* one of enum wcts_side */
    uint32_t interface_version;
    uint32_t page_size;
    uint64_t pOptions; /* uint8_t[OptionsLength] */
    uint32_t OptionsLength;
    uint32_t reserved;
};

/*
 * ANSWERS: the request at pRequest is sent to Operation once for each value of the ranges, as in
 * KERNEL_SWEEP, but the value is in what the driver answers during the call. A question of the
 * kernel that is one of the list, byte for byte, is answered by the peer; of the one answer that
 * has a MemberOffset, the bytes there are the value's. Any other question crosses to the host; then
 * neither this value nor those behind it are of use. The reply is that of KERNEL_SWEEP.
 */
struct wcts_wire_answers {
    uint32_t size;
    uint32_t Operation;
    uint64_t pRequest; /* uint8_t[RequestSize] */
    uint32_t RequestSize;
    uint32_t End;      /* an operation that ends what was made, or 0, as in KERNEL_SWEEP */
    uint64_t pAnswers; /* wcts_wire_answer[AnswerCount] */
    uint64_t pRanges;  /* wcts_sweep_range[RangeCount] */
    uint32_t AnswerCount;
    uint32_t RangeCount;
    uint32_t ValueCount;
    uint32_t MemberWidth; /* 4 or 8 */
    uint64_t reserved;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_wire_answers) == 64, "as docs/protocol.md has it");

/* MemberOffset of an answer without the value. */
#define WCTS_WIRE_NO_MEMBER 0xFFFFFFFFu
/* The most answers of a call. */
#define WCTS_WIRE_ANSWERS_MAX 16u

/* The driver's answer to one question: {the operation, 8, the question, the reply, 24,
 * WCTS_WIRE_NO_MEMBER, 0}. */
struct wcts_wire_answer {
    uint32_t Operation; /* of the driver */
    uint32_t QuestionSize;
    uint64_t pQuestion; /* uint8_t[QuestionSize] */
    uint64_t pReply;    /* uint8_t[ReplySize] */
    uint32_t ReplySize;
    uint32_t MemberOffset; /* of the value in the reply, or WCTS_WIRE_NO_MEMBER */
    uint32_t Status;       /* NTSTATUS; of a negative one there is no reply */
    uint32_t reserved;
};
WCTS_STATIC_ASSERT(sizeof(struct wcts_wire_answer) == 40, "as docs/protocol.md has it");

/* The body of CLOSE's reply, which may be empty. */
struct wcts_wire_close_reply {
    uint32_t size;
    uint32_t ends; /* 1: the peer ends the connection now, to start afresh */
};

#endif
