/* SPDX-License-Identifier: MIT */
#include "tour.h"

#include <stdlib.h>
#include <string.h>

#include "../plan/tour.h"
#include "perform.h"

/* What a session keeps from one walk to the next, and what stands in for its own while one runs. */
struct wcts_tourist {
    struct wcts_plan_tour tour;
    struct wcts_symbols symbols;
    bool *steps_done;
    uint8_t *shrunk; /* one a rule and version: a breach was shrunk already */
};

static void tourist_free(struct wcts_tourist *tourist)
{
    wcts_plan_tour_release(&tourist->tour);
    free(tourist->symbols.values);
    free(tourist->steps_done);
    free(tourist->shrunk);
    free(tourist);
}

/* The session's, made at the first walk; NULL without memory. */
static struct wcts_tourist *tourist_of(struct wcts_machine_session *session)
{
    const struct wcts_spec *spec = session->spec;
    struct wcts_tourist *made = session->tourist;
    if (made)
        return made;
    made = calloc(1, sizeof *made);
    if (!made || !wcts_plan_tour_init(&made->tour, session->plan, &session->eval)) {
        free(made);
        return NULL;
    }
    made->symbols.values =
        calloc((size_t)made->tour.cases.symbols_count + 1, sizeof *made->symbols.values);
    made->steps_done = calloc((size_t)made->tour.cases.steps_count + 1, sizeof *made->steps_done);
    made->shrunk = calloc((size_t)spec->rules_count * (size_t)spec->versions_count + 1, 1);
    if (!made->symbols.values || !made->steps_done || !made->shrunk) {
        tourist_free(made);
        return NULL;
    }
    session->tourist = made;
    session->tourist_free = tourist_free;
    return made;
}

/* What a session works with: its own, or that of a walk. */
struct run_surroundings {
    const struct wcts_plan *plan;
    const struct wcts_spec *spec;
    struct wcts_eval eval;
    struct wcts_symbols symbols;
    bool *steps_done;
};

static struct run_surroundings enter_tour(struct wcts_machine_session *session,
                                          const struct run_surroundings *other)
{
    const struct run_surroundings before = {session->plan, session->spec, session->eval,
                                            session->symbols, session->steps_done};
    session->plan = other->plan;
    session->spec = session->probe.spec = other->spec;
    session->eval = other->eval;
    session->symbols = other->symbols;
    session->steps_done = other->steps_done;
    return before;
}

/* True if it is worth while: of all walks that show a breach at a version only the first is
 * reported (judge.h, wcts_judge_once). Which one was the first of a worker is stored, since another
 * process judges the same walks in another order. */
static bool is_tour_shrunk(struct wcts_machine_session *session, struct wcts_tourist *tourist,
                           const struct wcts_case *test, const struct wcts_finding *finding)
{
    const uint8_t level = (uint8_t)(1u << session->strictness.level);
    uint8_t *done;
    bool first;
    if (finding->found != WCTS_FOUND_BROKEN || !finding->broken || session->options.verdicts_only ||
        session->options.trace)
        return false;
    done = &tourist->shrunk[(finding->broken - 1) * session->spec->versions_count + test->version];
    first = wcts_exchange_stream_number(&session->stream, !(*done & level)) != 0;
    *done |= level;
    return first;
}

static void run_tour(struct wcts_machine_session *session, struct wcts_tourist *tourist,
                     const struct wcts_case *test, struct wcts_finding *finding)
{
    const struct wcts_case *drawn = wcts_plan_tour_draw(&tourist->tour, test);
    wcts_plan_tour_leave_out(&tourist->tour, session->claims.capabilities);
    if (session->performed.test == test)
        wcts_run_judge_recording(session, drawn, &session->recording, finding);
    else
        wcts_run_once(session, drawn, finding);
    session->performed.test = test;
    if (is_tour_shrunk(session, tourist, test, finding))
        wcts_run_shrink_scenario(session, drawn, finding);
    if (session->options.trace && session->recording.count > 0)
        wcts_exchange_print(session->options.trace, session->spec,
                            &session->recording.boots[session->recording.evidence].exchange, 0);
}

void wcts_run_tour(struct wcts_machine_session *session, const struct wcts_case *test,
                   struct wcts_finding *finding)
{
    struct wcts_tourist *tourist = tourist_of(session);
    struct run_surroundings own;
    if (!tourist) {
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "no memory");
        return;
    }
    own = enter_tour(session, &(struct run_surroundings){&tourist->tour.plan, &tourist->tour.spec,
                                                         tourist->tour.eval, tourist->symbols,
                                                         tourist->steps_done});
    run_tour(session, tourist, test, finding);
    enter_tour(session, &own);
}
