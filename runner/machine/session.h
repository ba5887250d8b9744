/* SPDX-License-Identifier: MIT */
/*
 * A session: one loaded implementation with the runner's parties around it: recorder, machine, and
 * scripted driver or reference kernel. It lives in a worker process, never in the runner itself
 * (except for replay --no-fork). It boots, runs steps and makes calls; it judges nothing.
 */
#ifndef WCTS_SESSION_H
#define WCTS_SESSION_H

#include "../exchange/recording.h"
#include "../model/choices.h"
#include "../model/claims.h"
#include "../model/finding.h"
#include "../model/options.h"
#include "../model/test.h"
#include "message.h"
#include "plugin.h"
#include "probe.h"
#include "room.h"

/* Versions at which open() failed, or ended the process: a remark where the version is claimed.
 * Versions with the same reason are one entry, the newest first. */
struct wcts_machine_refusal {
    bool driver;
    int newest, oldest;
    char why[400];
};

/* All such versions of both sides: {{{.driver = false, 3, 1, "not supported"}}, 1}: the kernel
 * opens at none of three versions. */
struct wcts_machine_refusals {
    struct wcts_machine_refusal list[8];
    int count;
};

struct wcts_spec;

/* Drops what there is no room for. */
void wcts_machine_refusals_add(struct wcts_machine_refusals *refusals, bool driver, int version,
                               const char *why);
/* Adds a line for each to the claims' remarks. all: True for versions that are not claimed, too. */
void wcts_machine_refusals_remark(const struct wcts_machine_refusals *refusals,
                                  const struct wcts_spec *spec, bool all,
                                  struct wcts_claims *claims);

/* How a session performs tests; all members 0 or NULL is a session in this process that observes
 * nothing. Example: {.driver = true, .trace = stdout}: replay -v of a driver. */
struct wcts_machine_session_options {
    bool driver;     /* True if the driver side is under test */
    unsigned levels; /* that matter, sum of wcts_model_level_bit(); 0: all */
    /* Called with a finding before the case runs again at other levels; NULL: nobody needs it. */
    void (*each)(void *ctx, const struct wcts_finding *finding);
    void *each_ctx;
    struct wcts_exchange_pulse *pulse; /* kept up to date; NULL: no observer. Not owned */
    FILE *trace;                       /* -v: every message with names; NULL: none. Not owned */
    bool verdicts_only;                /* True if failures are not shrunk */
    bool own_alone; /* True if nothing is judged but what a test is made for (judge/judge.h) */
    double until;   /* when the time of the run is over (run/watch.h); 0: it is not limited */
    bool stores;    /* True if what the parties say is written to the stream */
    /* The connection to an implementation that is elsewhere; NULL: it is loaded. Not owned */
    struct wcts_wire_host *remote;
    const struct wcts_profile *profile; /* that recordings are read with; NULL: none. Not owned */
    /* Called with the recording of each case as it is judged first; NULL: nobody needs it. */
    void (*see)(void *ctx, const struct wcts_case *test,
                const struct wcts_exchange_recording *recording);
    void *see_ctx;
    uint32_t upgrade; /* the last interface version that is tried beyond the claims; 0: none */
    int versions;     /* how many of the spec's are tried for the claims, from the oldest; 0: all */
    const struct wcts_stored *claims; /* not NULL: the claims are read from here, unpacked, and
                                       * nothing is loaded: cases are read too (run/case.h) */
};

struct wcts_machine_session;

/* The error of a session that lacks memory itself, whatever the plug-in is. */
#define WCTS_NO_MEMORY "no memory"

/* Loads the implementation (dlopen, entry symbol, ABI version) and reads its claims. NULL with a
 * one-line error if that fails; the implementation may end the process instead. */
struct wcts_machine_session *
wcts_machine_session_open(const struct wcts_plan *plan,
                          const struct wcts_implementation *implementation,
                          const struct wcts_machine_session_options *options,
                          struct wcts_claims *claims, char *error, size_t room);
/* One without an implementation, for the cases of a side: what was stored of its claims is read,
 * and cases are performed from their records. stored is borrowed; upgrade as in the options. */
struct wcts_machine_session *
wcts_machine_session_open_stored(const struct wcts_plan *plan, bool driver,
                                 const struct wcts_stored *stored, uint32_t upgrade,
                                 struct wcts_claims *claims, char *error, size_t room);
void wcts_machine_session_close(struct wcts_machine_session *session);

/* ---- bounds.c ---- */

/* False, with a breach that names the member, if an array of the message is not inside it. */
bool wcts_machine_bounds_check(struct wcts_exchange *exchange, const struct wcts_spec *spec,
                               uint32_t operation, bool reply, const void *bytes, uint32_t size);

/* ---- session.c ---- */

/*
 * What a recording is of, so that nothing is performed twice: the same test is judged again at
 * another level, and a scenario for each effect that it expects. Example, after the first of those
 * tests: {.scenario = it, .index = 41000, .version = 4, .page_size = 4096, .written = 812}.
 */
struct wcts_machine_performed {
    const struct wcts_case *test;         /* of which the recording is whole; NULL: none */
    const struct wcts_scenario *scenario; /* that other tests may be judged by; NULL: none */
    int index;                            /* of the last test that was */
    int version;
    uint32_t page_size;
    int values[WCTS_LOOPS_MAX];
    size_t written;                /* bytes of the stream by then */
    struct wcts_answered answered; /* by then */
};

/*
 * One loaded implementation; wcts_machine_session_open makes it, the worker owns it and runs many
 * cases in it. Example while a kernel is under test: options.driver false, tested = the plug-in,
 * kernel = its open instance, driver NULL (the probe answers), exchange = the records since the
 * boot, symbols.values[device] = the handle that the step "device" returned.
 */
struct wcts_machine_session {
    const struct wcts_plan *plan;
    const struct wcts_spec *spec;
    struct wcts_eval eval;
    struct wcts_machine_loaded tested, reference;
    struct wcts_machine_session_options options;
    struct wcts_answered answered;   /* in the case so far, without attempts to shrink a failure */
    struct wcts_walk_numbers walked; /* by the last sequence of the case */
    struct wcts_strictness strictness;
    bool trying; /* True during an attempt to shrink a failure */
    char *plugin_options;
    struct wcts_claims claims;
    struct wcts_exchange exchange;            /* of the boot that is going on */
    struct wcts_exchange_recording recording; /* of the test so far */
    const struct wcts_exchange_deadly
        *deadly; /* values of the sweep that is performed, which ended the
                  * process when they were sent before; NULL: none */
    struct wcts_machine_performed performed; /* what the recording is of */
    struct wcts_machine *machine;
    struct wcts_symbols symbols;
    struct wcts_machine_probe probe;
    struct wcts_exchange_buffer request;
    bool *steps_done;                    /* for each step, True if it was run */
    const struct wcts_base_state *state; /* in which the test is performed; NULL: none */
    int kind;        /* of the first allocation of a scenario, among the driver's kinds; the next
                      * allocation is of the next kind; -1: none */
    bool kind_alone; /* True if all are of that kind */
    int kinds_asked; /* since the boot */
    int unplaced;    /* elements of patches that are in no segment of their sets, likewise */
    /* the machine that is booted */
    const struct wcts_plugin *kernel_plugin, *driver_plugin;
    void *kernel, *driver; /* instances; driver NULL: the probe answers */
    char no_instance[400]; /* why the last boot failed; "" if it did not */
    bool reference_lacks;  /* True if that is because the reference kernel lacks the version */
    struct wcts_host hosts[2];
    struct wcts_machine_answers *noted; /* what the driver is asked now; NULL: nobody needs it */
    uint8_t *reply;                     /* in its room */
    struct wcts_machine_room reply_room;
    struct wcts_machine_room driver_room; /* where a driver under test answers the kernel */
    bool driver_answers;                  /* True while it does */
    struct wcts_machine_room asked_room;  /* requests to the side under test */
    struct wcts_machine_room many_room;   /* replies to calls with many values */
    /* What the runner of sequences keeps from one to the next (run/sequence.h), and how to free
     * it. */
    struct wcts_run_walker *walk;
    void (*walk_free)(struct wcts_run_walker *walk);
    /* The same of walks over all operations (run/tour.h). */
    struct wcts_tourist *tourist;
    void (*tourist_free)(struct wcts_tourist *tourist);
    /* What is known of the rules below broken ones (run/layers.c), one array; freed with the
     * session. */
    struct wcts_run_below *below;
    struct wcts_exchange_stream stream; /* of the case, or of the claims */
};

/* Reads the claims of the side under test into session->claims. False with a one-line error. */
bool wcts_machine_session_ask(struct wcts_machine_session *session, char *error, size_t room);

/* Sends the call of a step, of which record.step keeps the index, from the instances of a world;
 * first: the root's. */
wcts_status wcts_machine_session_send(struct wcts_machine_session *session,
                                      const struct wcts_step *step, int index,
                                      const struct wcts_world *world, int first,
                                      uint32_t *reply_size);
/* The same from the instances of the step itself; a step that is a region makes it. */
wcts_status wcts_machine_session_send_step(struct wcts_machine_session *session,
                                           const struct wcts_step *step, int index,
                                           uint32_t *reply_size);
/* Appends the private data of one of the driver's kinds, counted round, to the create request that
 * was built, for all that it creates. False if the driver lists none, or that is not in its reply.
 */
bool wcts_machine_session_attach_kind(struct wcts_machine_session *session, uint32_t number);
/* The same with the next kind for each next allocation. */
bool wcts_machine_session_attach_kinds(struct wcts_machine_session *session, uint32_t number);
/* A driver without kinds gets no private data; that of a standard allocation is the kernel's
 * matter. */
void wcts_machine_session_attach_kind_at_hand(struct wcts_machine_session *session);
wcts_status wcts_machine_session_to_kernel(struct wcts_machine_session *session, uint32_t operation,
                                           const void *request, uint32_t request_size,
                                           uint32_t *reply_size);
wcts_status wcts_machine_session_to_driver(struct wcts_machine_session *session, uint32_t operation,
                                           const void *request, uint32_t request_size, void *reply,
                                           uint32_t reply_room, uint32_t *reply_size);
/* The same to a kernel under test in a sweep (exchange.quiet), without a record. */
wcts_status wcts_machine_session_quiet_call(struct wcts_machine_session *session,
                                            uint32_t operation, const void *request,
                                            uint32_t request_size, uint32_t *reply_size);
/* Ends in the same way what such a call has just made; a failure if that is not known how. */
wcts_status wcts_machine_session_quiet_end(struct wcts_machine_session *session, uint32_t operation,
                                           const void *request, uint32_t reply_size);
/* The operation that ends what an operation made, 0: it is not known. */
uint32_t wcts_machine_session_ending(uint32_t operation);
void wcts_machine_session_shut_down(struct wcts_machine_session *session);
bool wcts_machine_session_boot(struct wcts_machine_session *session, int version,
                               uint32_t page_size);
/* Runs a step of base.xml once, with all that it needs; false if one fails, with what failed. */
bool wcts_machine_session_ensure_step(struct wcts_machine_session *session, int step,
                                      struct wcts_exchange_attempt *attempt);
/* Takes the steps of the state. A kernel may refuse them, but not what they need; false then. */
bool wcts_machine_session_ensure_state(struct wcts_machine_session *session,
                                       struct wcts_exchange_attempt *attempt);
/* Where the step is what the state replaces, its call has the members of what replaces it. state:
 * NULL changes nothing. */
void wcts_machine_state_put(const struct wcts_spec *spec, const struct wcts_base_state *state,
                            int step, struct wcts_world *world);
/* Runs what a step needs, but not the step. world: the call to be made instead of it, whose
 * instances decide what is needed; NULL: the step itself will be sent. */
bool wcts_machine_session_ensure_needs(struct wcts_machine_session *session,
                                       const struct wcts_step *step, const struct wcts_world *world,
                                       struct wcts_exchange_attempt *attempt);
/* Keeps the values that a step's reply gives to symbols. */
void wcts_machine_session_keep_results(struct wcts_machine_session *session,
                                       const struct wcts_step *step, uint32_t reply_size);
/* ---- region.c ---- */

/* Makes a region in the suite's own machine; wanted: its address, 0: any. Returns 0 without memory.
 */
uint64_t wcts_machine_session_region(struct wcts_machine_session *session,
                                     const struct wcts_symbol *symbol, uint64_t wanted);

/* ---- patch.c ---- */

/* Puts the allocations of the patch request that was built where the driver says that they may be:
 * each in a segment of its sets, mapped there in an aperture. An element in no segment, or of an
 * allocation that the driver did not create, stays as it is. */
void wcts_machine_session_place(struct wcts_machine_session *session);

/* True if a step of DRIVER_PAGING names two places where its allocation may be, in system memory or
 * in a memory segment of its set that has room there, by values that earlier calls returned: what
 * no kernel asks for is not asked of a driver. */
bool wcts_machine_session_placed(struct wcts_machine_session *session,
                                 const struct wcts_step *step);

/* ---- sweep.c ---- */

/* A call with many values of a member: the request with any of them, and where the member is in it,
 * in bytes. Borrowed. */
struct wcts_machine_many {
    uint32_t operation;
    const struct wcts_exchange_buffer *request;
    uint32_t at, width;
    const struct wcts_sweep_range *ranges;
    int range_count, value_count;
    bool must; /* True if the first value at least has to be sent */
};

/* MISSING: the kernel does not make such calls. DISTURBED: it broke the protocol during the call;
 * with which value shows when each is sent alone. LIED: what it answered cannot be. */
enum wcts_machine_many_end {
    WCTS_MANY_MISSING = -1,
    WCTS_MANY_DISTURBED = -2,
    WCTS_MANY_LIED = -3
};

/* Makes such a call of a kernel under test in a sweep, without a record. Returns for how many of
 * the values, the first ones, statuses has one that stands for its class, or an enum
 * wcts_machine_many_end, if LIED with the reason in lie. */
int wcts_machine_session_quiet_many(struct wcts_machine_session *session,
                                    const struct wcts_machine_many *many, wcts_status *statuses,
                                    char *lie, size_t room);

/* True if the kernel under test is where answers of the driver can be sent beforehand. */
bool wcts_machine_session_takes_many(const struct wcts_machine_session *session);
/* Finds where the answers have the value: they were noted with the value before; the driver is
 * asked again, with a world that has after. False if that is not in exactly one place. */
bool wcts_machine_session_find_value(struct wcts_machine_session *session,
                                     struct wcts_machine_answers *answers, uint32_t width,
                                     uint64_t before, uint64_t after);
/* The same as quiet_many where the values are in the driver's answers to a call with one request.
 */
int wcts_machine_session_quiet_answers(struct wcts_machine_session *session,
                                       const struct wcts_machine_many *many,
                                       const struct wcts_machine_answers *answers,
                                       wcts_status *statuses, char *lie, size_t room);
/* Sends a request that holds the values of many, as the operation: KERNEL_SWEEP, or one of the
 * protocol's own. Answers, lie and result are those of quiet_many. */
int wcts_machine_session_send_many(struct wcts_machine_session *session,
                                   const struct wcts_machine_many *many, uint32_t operation,
                                   const struct wcts_exchange_buffer *request,
                                   wcts_status *statuses, char *lie, size_t room);
/* Counts an answer of the kernel under test. */
void wcts_machine_session_note_answered(struct wcts_machine_session *session, uint32_t operation,
                                        wcts_status status);

/* ---- session.c ---- */

/* wcts_host.call for both sides; ctx is the session. */
wcts_call_fn wcts_machine_session_cross;
/* Logs the reason that an implementation elsewhere gave for a refusal, as a plug-in logs one. */
void wcts_machine_session_explain(const struct wcts_host *party, const char *operation,
                                  const char *reason);
/* Calls the driver or the machine for the suite itself; the reply is in session->reply. */
wcts_status wcts_machine_session_call(struct wcts_machine_session *session, uint32_t operation,
                                      const void *request, uint32_t request_size,
                                      uint32_t *reply_size);
/* Around an attempt that only decides what to attempt next, as in shrinking: nothing of it is
 * stored but whether it failed. True, with that, if that is read from a stream. */
bool wcts_machine_session_try(struct wcts_machine_session *session, bool *fails);
void wcts_machine_session_tried(struct wcts_machine_session *session, bool fails);
#endif
