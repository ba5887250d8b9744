/* SPDX-License-Identifier: MIT */
/* What the files of machine/ and run/ share: plug-ins, recorder, machine, scripted driver,
 * messages. */
#ifndef WCTS_PARTS_H
#define WCTS_PARTS_H

#include "../exchange/status.h"
#include "../oracle/world.h"
#include "execute.h"
#include "room.h"

/* ---- plugin.c ---- */

struct wcts_loaded {
    const struct wcts_plugin *plugin;
    void *library; /* dlopen handle, NULL: built in */
};

/* Loads an implementation and checks what it exports. */
/* The library, for dlsym and dlclose; NULL with a one-line error. */
void *wcts_plugin_open(const char *path, char *error, size_t room);

bool wcts_plugin_load(struct wcts_loaded *loaded, const char *path, char *error, size_t room);
void wcts_plugin_unload(struct wcts_loaded *loaded);
bool wcts_is_builtin(const char *path);

/* ---- operations: plugin.c ---- */

enum wcts_missing { WCTS_MISSING_MUST, WCTS_MISSING_SETUP, WCTS_MISSING_MAY };

/* Whether a side may lack the operation. */
enum wcts_missing wcts_operation_missing(uint32_t operation);

/* ---- recorder.c ---- */

/* Why a call was denied, as far as somebody looked. */
enum wcts_denial {
    WCTS_DENIAL_NONE,    /* it was not, or nobody looked */
    WCTS_DENIAL_VALID,   /* it breaks no rule: it was declined */
    WCTS_DENIAL_BREACH,  /* it breaks a rule, or advice */
    WCTS_DENIAL_GAP,     /* no document says whether it is accepted */
    WCTS_DENIAL_LET,     /* the scenario lets it be refused */
    WCTS_DENIAL_NOTHING, /* it names what no call has made, or what one has ended */
};

/* One message between the parties, in the order of the calls. */
struct wcts_record {
    uint32_t operation;
    int depth;    /* calls that were open when it was sent */
    bool between; /* a party was opened or closed then: it belongs to no call of the suite */
    wcts_status status;
    uint32_t request_size, reply_size;
    uint8_t *request, *reply; /* copies */
    int seed;                 /* of bytes that the suite itself wrote or reads, else 0 */
    enum wcts_denial denial;
    const struct wcts_gap *gap; /* DENIAL_GAP: which */
    uint64_t part;              /* of a range that takes several records: where it begins there */
};

/* What ends a case before it is judged. */
enum wcts_breach {
    WCTS_BREACH_NONE,
    WCTS_BREACH_PROTOCOL, /* a message that is none: the implementation's fault */
    WCTS_BREACH_ENDLESS,  /* more messages than may be */
    WCTS_BREACH_NO_MEMORY /* the suite's own trouble */
};

struct wcts_exchange {
    struct wcts_record *records;
    int count, room;
    int depth;
    bool between;     /* a party is opened or closed: what it sends belongs to no call */
    uint32_t in_call; /* records since the suite's last call began, with that */
    uint64_t bytes;   /* of all records since the reset, also of those that were forgotten */
    struct wcts_pulse *pulse; /* NULL: nobody watches; survives a reset */
    enum wcts_breach breach_kind;
    char breach[240]; /* what happened; "" if nothing */
    char log[1024];   /* what the parties logged */
};

void wcts_exchange_reset(struct wcts_exchange *exchange);
/* Drops the records, which count all the same; a breach stays. */
void wcts_exchange_forget(struct wcts_exchange *exchange);
void wcts_exchange_release(struct wcts_exchange *exchange);

/* Of a call that a driver under test had a part in and that was not accepted: what the driver
 * answered last without success, or the call itself if it always answered with success. */
const struct wcts_record *wcts_exchange_cause(const struct wcts_exchange *exchange, int call);

/* Notes what ends the case; the first one counts. */
void wcts_exchange_breach(struct wcts_exchange *exchange, enum wcts_breach kind, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));
enum wcts_verdict wcts_breach_verdict(enum wcts_breach kind);
/* True, with verdict and reason, when something ended the case. */
bool wcts_judge_breach(const struct wcts_exchange *exchange, struct wcts_result *result);

/* Calls a party, checks and records what it answered. The reply counts for nothing when the status
 * is a failing one. After a breach of the protocol the status is NOT_SUPPORTED and
 * exchange->breach says what happened. */
wcts_status wcts_recorded_call(struct wcts_exchange *exchange, wcts_call_fn *call, void *ctx,
                               uint32_t operation, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size);

/* Notes in the pulse that a call of a plug-in begins, and that it returned: to what was open
 * before, which the first one gave. */
uint32_t wcts_pulse_enter(struct wcts_pulse *pulse, uint32_t operation);
void wcts_pulse_leave(struct wcts_pulse *pulse, uint32_t before);
/* Shows the last letters of what the parties logged since they were opened. */
void wcts_pulse_log(struct wcts_pulse *pulse, const char *log);

/* The message of an operation in interface.xml, NULL when it has none. */
const struct wcts_message *wcts_message_of(const struct wcts_spec *spec, uint32_t operation);

/* Prints messages with the names of their members; a line a member that is not 0,
 * each line indented. */
void wcts_exchange_print(FILE *out, const struct wcts_spec *spec,
                         const struct wcts_exchange *exchange, int indent);
void wcts_status_text(wcts_status status, char *text, size_t room);

/* ---- bounds.c ---- */

/* False, with a breach that names the member, when an array of the message is not inside it. */
bool wcts_bounds_check(struct wcts_exchange *exchange, const struct wcts_spec *spec,
                       uint32_t operation, bool reply, const void *bytes, uint32_t size);

/* ---- machine.c ---- */

struct wcts_machine;

struct wcts_machine *wcts_machine_new(void);
void wcts_machine_free(struct wcts_machine *machine);
void wcts_machine_reset(struct wcts_machine *machine);
/* A region of user memory: at wanted, or, when that is 0, 64 KiB aligned; 0 without memory. */
uint64_t wcts_machine_region(struct wcts_machine *machine, uint64_t size, uint32_t attributes,
                             uint64_t wanted);
/* The CPU's physical addresses: [address, address + size) is the segment's memory. */
bool wcts_machine_map_segment(struct wcts_machine *machine, uint64_t address, uint64_t size,
                              uint32_t space);
/* The machine party; ctx is the machine. */
wcts_call_fn wcts_machine_call;

/* ---- message.c ---- */

struct wcts_buffer {
    uint8_t *bytes;
    size_t size, room;
};

/* Values of symbols, as far as they are known. */
struct wcts_symbols {
    uint64_t *values; /* one a symbol */
};

/* Appends size zero bytes, 8-byte aligned; returns their offset, 0 without memory. */
size_t wcts_buffer_add(struct wcts_buffer *buffer, size_t size);

/* Builds the request of a message from world instances [first, last). */
bool wcts_message_build(struct wcts_buffer *buffer, const struct wcts_spec *spec,
                        const struct wcts_message *message, const struct wcts_world *world,
                        int first, const struct wcts_symbols *symbols);

/* Writes the members of an instance at base; pointers to companions excepted. */
void wcts_instance_write(const struct wcts_spec *spec, const struct wcts_world *world, int instance,
                         const struct wcts_symbols *symbols, uint8_t *base);
/* Reads the members of a structure into a world instance. */
void wcts_instance_read(const struct wcts_spec *spec, struct wcts_world *world, int instance,
                        const uint8_t *base);
uint64_t wcts_value_resolve(const struct wcts_spec *spec, const struct wcts_symbols *symbols,
                            struct wcts_value value);
uint64_t wcts_bytes_get(const uint8_t *at, uint32_t width);
void wcts_bytes_put(uint8_t *at, uint32_t width, uint64_t number);

/* ---- probe.c ---- */

/* A page of an aperture segment, and the system page that is mapped there. */
struct wcts_aperture_page {
    uint32_t space;
    uint64_t page, system;
};

/* So many requests to patch are remembered until they are submitted. */
#define WCTS_PROBE_PATCHES 8u

/* A driver with scripted answers: the adapter instances of a world. */
struct wcts_probe {
    const struct wcts_spec *spec;
    const struct wcts_world *world;
    const struct wcts_symbols *symbols;
    int creations;      /* DRIVER_ALLOCATION_CREATE calls so far */
    const int *answers; /* adapter instances that answer the call at hand, NULL: in their order */
    int answer_count;
    struct wcts_machine *machine;
    struct wcts_aperture_page *mapped; /* what is mapped into aperture segments */
    int mapped_count, mapped_room;
    uint64_t next_handle;
    struct wcts_exchange *exchange; /* where its own use of memory is recorded */
    struct wcts_DXGKARG_PATCH patched[WCTS_PROBE_PATCHES];
    unsigned patch_count;
    unsigned pagings; /* DRIVER_PAGING calls so far */
};

/* Forgets what a boot came to. */
void wcts_probe_reset(struct wcts_probe *probe);
void wcts_probe_release(struct wcts_probe *probe);
/* DRIVER_PAGING and DRIVER_RENDER (probe_paging.c). */
wcts_status wcts_probe_paging(struct wcts_probe *probe, const void *request, void *reply);
wcts_status wcts_probe_render(struct wcts_probe *probe, const void *request, uint32_t request_size,
                              void *reply, uint32_t room, uint32_t *reply_size);
/* DRIVER_PATCH and DRIVER_SUBMIT of a driver that patches (probe_patch.c). */
wcts_status wcts_probe_patch(struct wcts_probe *probe, const void *request, uint32_t size);
wcts_status wcts_probe_submit(struct wcts_probe *probe, const void *request);
/* How the adapter says that the driver writes addresses: enum wcts_patches. */
uint32_t wcts_probe_patches(const struct wcts_probe *probe);

/* MACHINE_READ and MACHINE_WRITE as the device sees memory: the machine's, and in an aperture
 * segment the system pages that the scripted driver was asked to map there; ctx is the probe. */
wcts_call_fn wcts_probe_memory;

/* The driver party; ctx is the probe. */
wcts_call_fn wcts_probe_call;

/* ---- session.c ---- */

struct wcts_session {
    const struct wcts_plan *plan;
    const struct wcts_spec *spec;
    struct wcts_eval eval;
    struct wcts_loaded tested, reference;
    struct wcts_session_options options;
    struct wcts_answered
        answered;  /* in the case so far, without what is tried to shrink a failure */
    bool trying;   /* that is being tried */
    bool own_call; /* the next attempt is of the case itself, not of its twin or base */
    char *plugin_options;
    struct wcts_claims claims;
    struct wcts_exchange exchange;
    struct wcts_machine *machine;
    struct wcts_symbols symbols;
    struct wcts_probe probe;
    struct wcts_buffer request;
    bool *steps_done;   /* one a step */
    bool *symbols_left; /* one a symbol: what a call that is missing was to be made of */
    int kind;        /* of what a scenario creates first, among those that the driver knows; what it
                      * creates next is of the next kind; -1: none */
    int kinds_asked; /* since it was booted */
    /* the machine that is booted */
    const struct wcts_plugin *kernel_plugin, *driver_plugin;
    void *kernel, *driver; /* instances; driver NULL: the probe answers */
    char no_instance[400]; /* why it could not be booted last; "": it could */
    bool reference_lacks;  /* ... since the reference kernel does not know the version */
    struct wcts_host hosts[2];
    uint8_t *reply; /* in its room */
    struct wcts_room reply_room;
    struct wcts_room driver_room; /* where a driver under test answers others than the suite */
    bool driver_answers;          /* there, just now */
    struct wcts_room asked_room;  /* requests to the side under test */
    struct wcts_walker *walk;     /* see walk/; NULL before the first sequence */
    struct wcts_tape *tape;       /* NULL: nothing is recorded */
};

/* Asks the side under test what it claims, into session->claims. False with a one-line error. */
bool wcts_session_ask(struct wcts_session *session, char *error, size_t room);

/* What became of one attempt at a call. */
enum wcts_attempt_end {
    WCTS_ATTEMPT_ANSWERED, /* status says how */
    WCTS_ATTEMPT_SETUP,    /* a step before it did not succeed: operation and status of that */
    WCTS_ATTEMPT_NO_BOOT   /* no instance */
};

struct wcts_attempt {
    enum wcts_attempt_end end;
    uint32_t operation;
    wcts_status status;
};

/* Boots fresh instances, takes the steps of the world's base and makes its call. */
void wcts_attempt_make(struct wcts_session *session, const struct wcts_world *world,
                       struct wcts_attempt *attempt);
/* Boots kernel and driver and has the driver asked in every way that the bases know. */
void wcts_situation_make(struct wcts_session *session, int version, uint32_t page_size,
                         struct wcts_attempt *attempt);
/* The world of a base with facts applied. The caller releases it. */
bool wcts_case_world(struct wcts_world *world, const struct wcts_eval *eval,
                     const struct wcts_case *one, const struct wcts_fact *facts, int count);

/* Whether the fact is an answer of the scripted driver. */
bool wcts_fact_is_answer(const struct wcts_plan *plan, const struct wcts_case *one,
                         const struct wcts_fact *fact);

/* The parts of an attempt, for those that look around the call. Booted sides stay until
 * wcts_session_shut_down. */
bool wcts_session_prepare(struct wcts_session *session, const struct wcts_world *world,
                          struct wcts_attempt *attempt);
wcts_status wcts_session_send(struct wcts_session *session, const struct wcts_step *step,
                              const struct wcts_world *world, int first, uint32_t *reply_size);
wcts_status wcts_session_to_kernel(struct wcts_session *session, uint32_t operation,
                                   const void *request, uint32_t request_size,
                                   uint32_t *reply_size);
wcts_status wcts_session_to_driver(struct wcts_session *session, uint32_t operation,
                                   const void *request, uint32_t request_size, void *reply,
                                   uint32_t reply_room, uint32_t *reply_size);
void wcts_session_shut_down(struct wcts_session *session);
bool wcts_session_boot(struct wcts_session *session, int version, uint32_t page_size);
/* Takes a step of base.xml once, with all that it needs; false, with what stopped it, else. */
bool wcts_session_take(struct wcts_session *session, int step, struct wcts_attempt *attempt);
/* Keeps the values that a step's reply gives symbols. */
void wcts_session_keep_results(struct wcts_session *session, const struct wcts_step *step,
                               uint32_t reply_size);
/* Runs a case and judges it by itself. */
void wcts_session_judge(struct wcts_session *session, const struct wcts_case *one,
                        struct wcts_result *result);
/* The gap in which an accepted call falls that breaks the end of an allocation alone, if the kernel
 * made the allocation large enough for it (own_size.c); NULL: it falls in none. */
const struct wcts_gap *wcts_session_rounds(struct wcts_session *session,
                                           const struct wcts_case *one);
/* Skips a case that broke if a rule on which its own rests is broken, too (layers.c). */
void wcts_session_excuse(struct wcts_session *session, const struct wcts_case *one,
                         struct wcts_result *result);
/* How many kinds of allocations the driver told of when the adapter was started. */
int wcts_session_kinds(const struct wcts_session *session);
/* Notes what the driver under test was asked by the reference kernel and denied. */
void wcts_session_decline_owed(struct wcts_session *session);
/* Why a call of this world is denied: VALID, BREACH or GAP, with the gap. */
enum wcts_denial wcts_denial_in(const struct wcts_world *world, const struct wcts_gap **gap);
/* Notes of the suite's last call why it was denied. */
void wcts_session_note_denial(struct wcts_session *session, enum wcts_denial denial,
                              const struct wcts_gap *gap);
/* Lets who watches from outside know that the calls of the case itself go on. */
void wcts_session_mark_call(struct wcts_session *session, bool begins);
/* Around an attempt that only decides what is attempted next, as when a failure is made smaller:
 * nothing of it is recorded but whether it failed. True: what is played says so already. */
bool wcts_session_try(struct wcts_session *session, bool *fails);
void wcts_session_tried(struct wcts_session *session, bool fails);
/* Runs a case of a scenario (scenario.c). */
void wcts_run_scenario(struct wcts_session *session, const struct wcts_case *one,
                       struct wcts_result *result);
/* Runs a case of a pages effect (pages.c). */
void wcts_run_pages(struct wcts_session *session, const struct wcts_case *one,
                    struct wcts_result *result);

/* ---- judge (runner/judge/judge.c) ---- */

/* All that a verdict about a case of the kernel rests on. */
struct wcts_kernel_evidence {
    struct wcts_attempt attempt, twin, base;
    bool twin_made, base_made;
    bool held; /* the kernel is held to what it claims of advice */
};

void wcts_judge_kernel(const struct wcts_plan *plan, const struct wcts_case *one,
                       const struct wcts_claims *claims, enum wcts_judging judging,
                       const struct wcts_kernel_evidence *evidence, struct wcts_result *result);
/* Pages of a range, as KERNEL_QUERY_PAGES tells them. */
struct wcts_pages {
    struct wcts_page *list;
    uint32_t count;
};

/* What is known of the pages around a call: those of the range before and after it, and of the
 * range that is copied from before it. */
struct wcts_pages_evidence {
    struct wcts_attempt attempt;
    struct wcts_pages before, after, source;
    bool base_accepted; /* the base's call was, where this one was refused */
};

/* Judges a pages effect from the values of the case's world, resolved. */
void wcts_judge_pages(const struct wcts_plan *plan, const struct wcts_case *one,
                      const struct wcts_world *world, const struct wcts_symbols *symbols,
                      enum wcts_judging judging, const struct wcts_pages_evidence *evidence,
                      struct wcts_result *result);
/* Judges an effect by all records from one on (judge/effect.c). */
void wcts_judge_effect(const struct wcts_plan *plan, const struct wcts_case *one,
                       enum wcts_judging judging, const struct wcts_exchange *exchange, int from,
                       struct wcts_result *result);
/* Fills the DMA buffer of a DRIVER_PATCH request with a pattern. */
void wcts_patch_prepare(struct wcts_machine *machine, const struct wcts_buffer *request);
/* Whether the driver patched what the request asks for, in the encoding that it claims. */
void wcts_judge_patch(const struct wcts_plan *plan, const struct wcts_case *one,
                      const struct wcts_claims *claims, enum wcts_judging judging,
                      const struct wcts_attempt *attempt, const struct wcts_buffer *request,
                      const struct wcts_exchange *exchange, struct wcts_machine *machine,
                      struct wcts_result *result);
enum wcts_verdict wcts_weight(const struct wcts_plan *plan, const struct wcts_case *one,
                              enum wcts_judging judging);
/* True if a breach of a rule on which the case's rests is reason not to judge the case: the rule is
 * there at the version, and is no advice where the case's own would fail. */
bool wcts_can_excuse(const struct wcts_plan *plan, const struct wcts_case *one,
                     enum wcts_judging judging, int below);
/* Skips a case that broke, since a rule on which its own rests is broken, or lays the failure to
 * that rule; why: what shows the breach. */
void wcts_result_excuse(const struct wcts_plan *plan, const struct wcts_case *one,
                        enum wcts_judging judging, int below, const char *why,
                        struct wcts_result *result);
bool wcts_judge_no_answer(const struct wcts_attempt *attempt, const char *what,
                          struct wcts_result *result);
/* A denied attempt that falls in a gap shows nothing. */
void wcts_judge_gap(const struct wcts_gap *gap, const struct wcts_attempt *attempt,
                    struct wcts_result *result);
void wcts_judge_driver(const struct wcts_plan *plan, const struct wcts_case *one,
                       const struct wcts_world *answers, const struct wcts_attempt *attempt,
                       enum wcts_judging judging, struct wcts_result *result);
/* The world of what a driver answered in an exchange. */
bool wcts_world_of_answers(struct wcts_world *world, const struct wcts_eval *eval, int version,
                           uint32_t page_size, const struct wcts_exchange *exchange);
/* What came of it, for whoever reads the failure. Owned by the caller. */
char *wcts_evidence_text(const struct wcts_plan *plan, const struct wcts_case *one,
                         const struct wcts_exchange *exchange);
/* Begins the part of a detail that holds a sequence in its smallest form. */
/* Leaves out of a failing scenario what can be left out: result becomes that of the smallest form,
 * with its words and its file (minimal.c). */
void wcts_shrink_scenario(struct wcts_session *session, const struct wcts_case *one,
                          struct wcts_result *result);
/* Boots, goes through the case's scenario and judges it (scenario.c); false when there is nothing
 * more to ask of it. */
bool wcts_scenario_once(struct wcts_session *session, const struct wcts_case *one,
                        struct wcts_result *result);
enum wcts_verdict wcts_scenario_verdict(struct wcts_session *session, const struct wcts_case *one);
/* What the scenario of a case does, a line for each call (judge/words.c). */
void wcts_acts_describe(FILE *out, const struct wcts_plan *plan, const struct wcts_case *one);
#define WCTS_SHRUNK "  shrunk:\n"
void wcts_result_set(struct wcts_result *result, enum wcts_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A valid call was denied: declined, or broken for want of memory and the like. */
void wcts_judge_denied(const struct wcts_record *record, struct wcts_result *result);
/* The pages were asked for last, and not told. */
void wcts_judge_unseen_pages(struct wcts_session *session, struct wcts_result *result);
/* Declines the case when its exchange holds a valid call that was refused; where that was for want
 * of memory or the like the case is broken. False: there is none. */
bool wcts_judge_valid_denied(const struct wcts_exchange *exchange, struct wcts_result *result);
/* The same, unless the case fails. */
void wcts_judge_declined(const struct wcts_exchange *exchange, struct wcts_result *result);
/* A skip; its reason begins with the name of skip. */
void wcts_result_skip(struct wcts_result *result, enum wcts_skip skip, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A valid call was refused; what: "twin", "base call". */
void wcts_result_decline(struct wcts_result *result, const char *what, uint32_t operation,
                         wcts_status status);

#endif
