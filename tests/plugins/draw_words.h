/* SPDX-License-Identifier: MIT */
/*
 * The words of flags of which a drawn fault (drawn_fault.c) misjudges one to four bits, and what
 * the documents say of their values; written from the documents, not from spec/.
 *
 * Drawn is a value: one that is legal, for a wrong refusal, or one that must be refused, for a
 * wrong acceptance. The fault depends on one to four of its bits, some set and some clear, so that
 * there is always a call that shows it. Left out, since no call does:
 *   bits that no flag has at the version, and those that the documents advise against
 * (CreateCached, say) or leave open (Zeroed, bits 16 to 20 of a segment at 2.0): a kernel may
 * refuse and take them; wrong acceptances of segments other than by Agp, of flags of allocations,
 * of protections, of operation types and of what an adapter can do: a kernel may take what a driver
 * should not answer or a caller should not ask, and no value of the others is forbidden. Not there
 * are words of which no document has a bit: Flags of D3DKMT_UPDATEGPUVIRTUALADDRESS and of
 * D3DKMT_DESTROYALLOCATION2, Flags2, DriverProtection (64 bits of the driver's own).
 */
#ifndef WCTS_TEST_DRAW_WORDS_H
#define WCTS_TEST_DRAW_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const struct version {
    const char *name;
    uint32_t number;
} draw_versions[] = {
    {"1.0", 0x1053},  {"1.1", 0x2005},  {"1.2", 0x300E}, {"1.3", 0x4002}, {"2.0", 0x5023},
    {"2.1", 0x6003},  {"2.2", 0x700A},  {"2.3", 0x8001}, {"2.4", 0x9006}, {"2.5", 0xA00B},
    {"2.6", 0xB004},  {"2.7", 0xC004},  {"2.8", 0xD001}, {"2.9", 0xE003}, {"3.0", 0xF003},
    {"3.1", 0x10004}, {"3.2", 0x11007},
};
#define VERSION_COUNT (sizeof draw_versions / sizeof *draw_versions)
#define WDDM_1_1 0x2005u
#define WDDM_1_2 0x300Eu
#define WDDM_1_3 0x4002u
#define WDDM_2_0 0x5023u
#define WDDM_2_1 0x6003u
#define WDDM_2_3 0x8001u
#define WDDM_2_6 0xB004u
#define WDDM_2_7 0xC004u
#define WDDM_2_9 0xE003u
#define WDDM_3_0 0xF003u

/* ---- Random numbers: splitmix64 ---- */

static inline uint64_t draw_next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline uint32_t draw_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(draw_next(state) % bound);
}

/* ---- What the documents say of a value ---- */

enum { LEGAL, OPEN, FORBIDDEN };

/* Document 000. */
static int judge_create(uint32_t version, uint32_t word)
{
    bool resource = word & 1, shared = word & 1 << 1, memory = word & 1 << 5, nt = word & 1 << 6,
         adapters = word & 1 << 11, standard = word & 1 << 16, section = word & 1 << 17;
    if (shared && !resource)
        return FORBIDDEN;
    if (version >= WDDM_1_2 && nt && !shared)
        return FORBIDDEN;
    if (version >= WDDM_1_3 && word & 1 << 12) /* OpenCrossAdapter */
        return FORBIDDEN;
    if (version >= WDDM_2_3 && ((memory && section) || ((memory || section) && !standard)))
        return FORBIDDEN;
    if (version >= WDDM_2_3 && standard && ((!memory && !section) || !shared || !adapters))
        return FORBIDDEN;
    if (word & 0x708 || (version < WDDM_2_3 && memory)) /* reserved, zero */
        return OPEN;
    return LEGAL;
}

static uint32_t bits_create(uint32_t version)
{
    return version < WDDM_1_1   ? 0x7
           : version < WDDM_1_2 ? 0x3F
           : version < WDDM_1_3 ? 0x7FF
           : version < WDDM_2_3 ? 0xBFFF /* without Zeroed, here and below */
           : version < WDDM_2_6 ? 0x3BFFF
           : version < WDDM_2_7 ? 0x7BFFF
           : version < WDDM_3_0 ? 0x1FBFFF
                                : 0x3FBFFF; /* without NoImplicitSynchronization */
}

/* Document 003. Other flags than Agp alone are said to a driver. */
static int judge_segment(uint32_t version, uint32_t word)
{
    bool standby = word & 0x80, hibernate = word & 0x100, part = word & 0x200;
    if (word & 2)
        return word == 2 ? LEGAL : FORBIDDEN;
    if ((word & 0x10 && !(word & 1)) || (word & 0x40 && word & 1))
        return OPEN; /* CacheCoherent, PopulatedFromSystemMemory */
    if (version >= WDDM_1_2 && ((hibernate || part) && (!standby || (hibernate && part))))
        return OPEN;
    if (version >= WDDM_2_0 &&
        (word & 0x1000 || (word & 0x2000 && word & 4) || (word & 0x4000 && !(word & 0x2000))))
        return OPEN;
    return LEGAL;
}

static uint32_t bits_segment(uint32_t version)
{
    return version < WDDM_1_2   ? 0x7F
           : version < WDDM_2_0 ? 0x7FF
           : version < WDDM_2_1 ? 0xFFFF
           : version < WDDM_2_9 ? 0x1FFFFF
                                : 0x3FFFFF;
}

static int judge_any(uint32_t version, uint32_t word)
{
    (void)version, (void)word;
    return LEGAL;
}

static uint32_t bits_info(uint32_t version)
{
    return version < WDDM_1_3   ? 0x3FFF
           : version < WDDM_2_0 ? 0x7FFF
           : version < WDDM_2_1 ? 0x7C3FF
           : version < WDDM_2_9 ? 0x7C7FF
                                : 0x7E7FF;
}

/* Write, Discard, UseAlternateVA; bit 3: the allocation is ReadOnly. */
static int judge_lock(uint32_t version, uint32_t word)
{
    return version >= WDDM_1_2 && word & 1 && word & 8 ? FORBIDDEN : LEGAL;
}

static uint32_t bits_lock(uint32_t version)
{
    return version < WDDM_1_2 ? 0x7 : 0xF;
}

/* Zero or NoAccess; what comes beside them is a gap (spec/open.xml). */
static int judge_unmap(uint32_t version, uint32_t word)
{
    (void)version;
    return word == 4 || word == 8 ? LEGAL : OPEN;
}

/* All but SystemUseOnly, which is a gap (spec/open.xml). */
static int judge_protect(uint32_t version, uint32_t word)
{
    (void)version;
    return word & 0x10 ? OPEN : LEGAL;
}

/* One of four. That it is another no document forbids a kernel to take (UVA-053 is the caller's).
 */
static int judge_type(uint32_t version, uint32_t word)
{
    (void)version;
    return word < 4 ? LEGAL : OPEN;
}

static uint32_t bits_1(uint32_t version)
{
    (void)version;
    return 0x1;
}
static uint32_t bits_2(uint32_t version)
{
    (void)version;
    return 0x3;
}
static uint32_t bits_4(uint32_t version)
{
    (void)version;
    return 0xF;
}
static uint32_t bits_5(uint32_t version)
{
    (void)version;
    return 0x1F;
}
static uint32_t bits_32(uint32_t version)
{
    (void)version;
    return 0xFFFFFFFF;
}

enum word_kind {
    WORD_CREATE,
    WORD_SEGMENT,
    WORD_INFO,
    WORD_LOCK,
    WORD_PROTECT,
    WORD_UNMAP,
    WORD_TYPE,
    WORD_RESERVE,
    WORD_PAGE_IN,
    WORD_POWER,
    WORD_PAGING
};

static const struct word {
    const char *name;
    enum word_kind kind;
    uint32_t since;
    bool accepts; /* Some value of it must be refused */
    int (*judge)(uint32_t version, uint32_t word);
    uint32_t (*bits)(uint32_t version);
    uint32_t weight;
} words[] = {
    {"create", WORD_CREATE, 0, true, judge_create, bits_create, 23},
    {"segment", WORD_SEGMENT, 0, true, judge_segment, bits_segment, 22},
    {"info", WORD_INFO, 0, false, judge_any, bits_info, 17},
    {"lock", WORD_LOCK, 0, true, judge_lock, bits_lock, 4},
    {"protect", WORD_PROTECT, WDDM_2_0, false, judge_protect, bits_5, 5},
    {"unmap", WORD_UNMAP, WDDM_2_0, false, judge_unmap, bits_5, 2},
    {"type", WORD_TYPE, WDDM_2_0, false, judge_type, bits_32, 4},
    {"reserve", WORD_RESERVE, WDDM_2_0, false, judge_any, bits_1, 1},
    {"page_in", WORD_PAGE_IN, 0, false, judge_any, bits_1, 1},
    {"power", WORD_POWER, 0, false, judge_any, bits_2, 2},
    {"paging", WORD_PAGING, 0, false, judge_any, bits_4, 4},
};
#define WORD_COUNT (sizeof words / sizeof *words)

/* Which calls are misjudged. */
struct word_fault {
    const struct word *word; /* NULL: none */
    bool accept;
    uint32_t set, clear;
};

static inline bool word_hit(const struct word_fault *fault, uint32_t word)
{
    return (word & fault->set) == fault->set && (word & fault->clear) == 0;
}

/* A value of the word at the version that is legal, or one that is forbidden. Half of them are one
 * flag away from a legal one, as mistakes of callers are. */
static inline uint32_t draw_value(uint64_t *random, const struct word *word, uint32_t version,
                                  bool forbidden)
{
    uint32_t bits = word->bits(version);
    for (;;) {
        uint32_t value = (uint32_t)draw_next(random) & bits;
        bool is_sparse = draw_below(random, 2);
        if (is_sparse)
            value &= (uint32_t)draw_next(random);
        if (word->kind == WORD_TYPE)
            value &= 3;
        if (word->kind == WORD_SEGMENT && (forbidden || draw_below(random, 16) == 0))
            value = forbidden ? value | 2 : 2;
        if (word->judge(version, value) == (forbidden ? FORBIDDEN : LEGAL))
            return value;
    }
}

/* One to four bits of the value, three quarters of them set if there are so many. */
static inline struct word_fault draw_bits(uint64_t *random, const struct word *word,
                                          uint32_t version, bool forbidden)
{
    struct word_fault fault = {.word = word, .accept = forbidden};
    uint32_t value = draw_value(random, word, version, forbidden);
    uint32_t left = word->bits(version);
    for (uint32_t count = 1 + draw_below(random, 4); count > 0 && left; count--) {
        uint32_t among = left, bit;
        if (left & value && draw_below(random, 4) != 0)
            among = left & value;
        do
            bit = UINT32_C(1) << draw_below(random, 32);
        while (!(among & bit));
        *(value & bit ? &fault.set : &fault.clear) |= bit;
        left &= ~bit;
    }
    return fault;
}

/* The word and what is wrong with it: each bit of each word is as likely. */
static inline struct word_fault draw_word(uint64_t *random, uint32_t version)
{
    for (;;) {
        const struct word *word = &words[draw_below(random, WORD_COUNT)];
        if (draw_below(random, 23) >= word->weight || version < word->since)
            continue;
        bool forbidden = word->accepts && draw_below(random, 2);
        if (forbidden && word->kind == WORD_LOCK && version < WDDM_1_2)
            continue; /* there is no ReadOnly */
        return draw_bits(random, word, version, forbidden);
    }
}

#endif
