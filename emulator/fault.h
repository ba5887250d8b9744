/* SPDX-License-Identifier: MIT */
/*
 * Faults: one for each rule and each effect that the emulator implements, to be switched on by
 * name (--impl emulator,fault=ID). A fault changes one expression at the place where the rule is
 * implemented. It shows that the suite can fail there, and that it blames the right statement.
 *
 * The id is that of the rule, or, where a rule has more faults than one, that id, "+" and a word:
 * "SEG-018+standby". What kind of fault it is, and which other statements suffer from it, stands in
 * the tables fault_000.c to fault_004.c, one a document, and fault_header.c, of what the plug-in
 * header promises; those of fault_narrow.c show under a condition only.
 *
 * A fault is on for one instance, while it is being called (plugin.c). The emulator has no threads
 * of its own, and is not to be called by two at once.
 */
#ifndef EMU_FAULT_H
#define EMU_FAULT_H

#include "wddm-cts.h"

/* Where a fault is: the expression as it is, and what it becomes. */
struct emu_fault_site {
    const char *id;
    const char *file; /* relative to the source directory */
    const char *good, *bad;
    int line;
};

#pragma GCC visibility push(hidden)

extern struct emu_fault_state {
    const struct emu_fault_site *on; /* NULL: none */
    uint8_t *marks;                  /* see struct wcts_fault_table; NULL: nothing is traced */
} emu_fault_state;

void emu_fault_mark(const struct emu_fault_site *site);

#pragma GCC visibility pop

/* Not written out, so that no compiler objects to comparing the address of a variable. */
static inline int emu_fault_given(const struct emu_fault_site *site)
{
    return site != NULL;
}

/* True if it matters what becomes of the expression. */
static inline int emu_fault_asks(const struct emu_fault_site *site)
{
    return site != NULL && (emu_fault_state.marks != NULL || emu_fault_state.on == site);
}

#define EMU_FAULT_SECTION_ __attribute__((used, section("emu_faults"), aligned(8)))
#define EMU_FAULT_JOIN_(a, b) a##b
#define EMU_FAULT_NAME_(a, b) EMU_FAULT_JOIN_(a, b)

/*
 * EMU_FAULT(id, good, bad): good, or bad while the fault is on. Both have one type, no side
 * effects, and can be evaluated at any time: when cases are traced both are, and a case for
 * which they never differ cannot notice the fault. bad must not hang or run out of memory.
 */
#define EMU_FAULT(id, good, bad)                                                                   \
    EMU_FAULT_MAKE_(EMU_FAULT_NAME_(emu_site_, __COUNTER__), id, #good, #bad, good, bad)
#define EMU_FAULT_MAKE_(site, id, good_text, bad_text, good, bad)                                  \
    __extension__({                                                                                \
        static const struct emu_fault_site site EMU_FAULT_SECTION_ = {id, __FILE__, good_text,     \
                                                                      bad_text, __LINE__};         \
        EMU_FAULT_AT(&site, good, bad);                                                            \
    })

/*
 * EMU_FAULT_DO(id, good, bad): the same for expressions with side effects, which are not compared:
 * each case that comes by counts as one that may notice. Both may be void.
 */
#define EMU_FAULT_DO(id, good, bad)                                                                \
    EMU_FAULT_DO_MAKE_(EMU_FAULT_NAME_(emu_site_, __COUNTER__), id, #good, #bad, good, bad)
#define EMU_FAULT_DO_MAKE_(site, id, good_text, bad_text, good, bad)                               \
    __extension__({                                                                                \
        static const struct emu_fault_site site EMU_FAULT_SECTION_ = {id, __FILE__, good_text,     \
                                                                      bad_text, __LINE__};         \
        if (emu_fault_state.marks != NULL)                                                         \
            emu_fault_mark(&site);                                                                 \
        emu_fault_state.on == &site ? (bad) : (good);                                              \
    })

/*
 * For rows of tables: EMU_FAULT_SITE at file scope, its address in the row, and EMU_FAULT_AT with
 * it where the row is used; site may be NULL (a row without a fault). good and bad of
 * EMU_FAULT_SITE are texts.
 */
#define EMU_FAULT_SITE(name, id, good, bad)                                                        \
    static const struct emu_fault_site name EMU_FAULT_SECTION_ = {id, __FILE__, good, bad, __LINE__}
#define EMU_FAULT_AT(site, good, bad)                                                              \
    EMU_FAULT_CHOOSE_(EMU_FAULT_NAME_(emu_good_, __COUNTER__),                                     \
                      EMU_FAULT_NAME_(emu_bad_, __COUNTER__), site, good, bad)
/* cppcheck reads no statement expression among initialisers or conditions. */
#ifdef ANALYZED_BY_CPPCHECK
#undef EMU_FAULT_MAKE_
#undef EMU_FAULT_DO_MAKE_
#define EMU_FAULT_MAKE_(site, id, good_text, bad_text, good, bad)                                  \
    (emu_fault_asks(NULL) ? (bad) : (good))
#define EMU_FAULT_DO_MAKE_ EMU_FAULT_MAKE_
#define EMU_FAULT_CHOOSE_(is, would_be, site, good, bad) (emu_fault_asks(site) ? (bad) : (good))
#else
/* Both stand here once: a fault in good would have two sites otherwise, of which one is never on.
 * One in bad shows only while this one is on. */
#define EMU_FAULT_CHOOSE_(is, would_be, site, good, bad)                                           \
    __extension__({                                                                                \
        const __auto_type is = (good);                                                             \
        const __auto_type would_be = __builtin_expect(emu_fault_asks(site), 0) ? (bad) : is;       \
        if (__builtin_expect(emu_fault_state.marks != NULL, 0) && emu_fault_given(site) &&         \
            is != would_be)                                                                        \
            emu_fault_mark(site);                                                                  \
        emu_fault_given(emu_fault_state.on) && emu_fault_state.on == (site) ? would_be : is;       \
    })
#endif

/* ---- the table ---- */

enum emu_fault_kind {
    EMU_FAULT_MISSING,  /* a check is missing */
    EMU_FAULT_INVERTED, /* a condition is the other way round */
    EMU_FAULT_LIMIT,    /* a limit is off by one, or in the wrong unit */
    EMU_FAULT_PAGE,     /* the wrong page size, alignment or rounding */
    EMU_FAULT_VERSION,  /* the wrong version gate */
    EMU_FAULT_STATE,    /* the wrong state afterwards */
    EMU_FAULT_LEAK,     /* something is not given back */
    EMU_FAULT_PARTIAL,  /* a refused call leaves something behind */
    EMU_FAULT_BYTE,     /* a wrong byte is written, or at the wrong place */
    EMU_FAULT_VALUE,    /* a wrong value in a reply or a message */
    EMU_FAULT_ORDER,    /* done, but at the wrong time */
    EMU_FAULT_LOST,     /* not done at all */
    EMU_FAULT_NONE,     /* there can be none: see why */
    EMU_FAULT_KIND_COUNT
};

/* One a fault. also: other statements that break with it, because they depend on it, each with a
 * sentence why; any other blame is wrong. */
struct emu_fault {
    const char *id;
    enum emu_fault_kind kind;
    const char *options; /* NULL: none; "strict": only that emulator shows it */
    const char *why;     /* NONE: why no document forbids the other outcome; else NULL */
    struct {
        const char *statement, *why;
    } also[WCTS_FAULT_ALSO_MAX];
};

#pragma GCC visibility push(hidden)

extern const struct emu_fault emu_faults_000[], emu_faults_001[], emu_faults_002[],
    emu_faults_003[], emu_faults_004[], emu_faults_header[],
    emu_faults_narrow[]; /* the last one's id is NULL */

/* The place of the fault with this id; NULL: there is none. */
const struct emu_fault_site *emu_fault_find(const char *id, size_t length);

#pragma GCC visibility pop

#endif
