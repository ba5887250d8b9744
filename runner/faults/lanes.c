/* SPDX-License-Identifier: MIT */
#include "lanes.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../run/stop.h"
#include "../run/worker.h"

/* What a lane sends of a trial. Behind it: by_count indices, who was blamed, and the error. Both
 * ends are the same program. */
struct faults_lane_head {
    int at; /* in the list */
    enum wcts_faults_trial_outcome outcome;
    int cases, broken, by_count, tried, first;
    bool right;
    size_t error_length;
};

struct faults_lane {
    pid_t pid; /* 0: it has ended */
    int from;  /* the pipe from it; -1: closed */
};

struct faults_lanes_state {
    const struct wcts_faults_lanes *lanes;
    struct faults_lane *lane;
    _Atomic int *next; /* shared; the first that nobody has begun, an index in the list; behind it
                        * what each lane is at */
    bool *arrived;     /* by index in the list */
    int told;          /* so many of the list were told */
};

/* ---- in a lane ---- */

static size_t lane_statements(const struct wcts_faults_lanes *lanes)
{
    return (size_t)lanes->faults->plan->spec->statements_count;
}

static bool send_trial(FILE *to, const struct wcts_faults_lanes *lanes, int at)
{
    const struct wcts_faults_trial *trial = &lanes->faults->trials[lanes->list[at]];
    const struct faults_lane_head head = {.at = at,
                                          .outcome = trial->outcome,
                                          .cases = trial->cases,
                                          .broken = trial->broken,
                                          .by_count = trial->by_count,
                                          .tried = trial->tried,
                                          .first = trial->first,
                                          .right = trial->right,
                                          .error_length = trial->error.length};
    fwrite(&head, sizeof head, 1, to);
    fwrite(trial->by, sizeof *trial->by, (size_t)trial->by_count, to);
    fwrite(trial->blamed, sizeof *trial->blamed, lane_statements(lanes), to);
    fwrite(wcts_text_get(&trial->error), 1, trial->error.length, to);
    return fflush(to) == 0;
}

static int lane_main(const struct faults_lanes_state *state, int number, int pipe)
{
    const struct wcts_faults_lanes *lanes = state->lanes;
    FILE *to = fdopen(pipe, "w");
    bool good = to != NULL;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int at; good && (at = atomic_fetch_add(state->next, 1)) < lanes->count;) {
        state->next[1 + number] = at;
        good = lanes->try(lanes->try_ctx, lanes->list[at]) && send_trial(to, lanes, at);
    }
    if (to)
        fclose(to);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- in the caller ---- */

static bool start_lane(const struct faults_lanes_state *state, int number)
{
    struct faults_lane *lane = &state->lane[number];
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    lane->pid = fork();
    if (lane->pid == 0) {
        for (int i = 0; i < number; i++)
            close(state->lane[i].from);
        close(ends[0]);
        _exit(lane_main(state, number, ends[1]));
    }
    close(ends[1]);
    if (lane->pid < 0)
        close(ends[0]);
    lane->from = ends[0];
    return lane->pid > 0;
}

/* False at the end, or if the bytes end before. */
static bool receive(int from, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = read(from, (char *)bytes + done, size - done);
        if (got > 0)
            done += (size_t)got;
        else if (got == 0 || errno != EINTR)
            return false;
    }
    return true;
}

static bool receive_trial(struct faults_lanes_state *state, int from)
{
    const struct wcts_faults_lanes *lanes = state->lanes;
    struct faults_lane_head head;
    if (!receive(from, &head, sizeof head))
        return false;
    struct wcts_faults_trial *trial = &lanes->faults->trials[lanes->list[head.at]];
    char *error = calloc(head.error_length + 1, 1);
    trial->outcome = head.outcome;
    trial->cases = head.cases;
    trial->broken = head.broken;
    trial->tried = head.tried;
    trial->first = head.first;
    trial->right = head.right;
    trial->by = calloc((size_t)head.by_count + 1, sizeof *trial->by);
    trial->by_count = trial->by ? head.by_count : 0;
    bool good = error && trial->by &&
                receive(from, trial->by, (size_t)head.by_count * sizeof *trial->by) &&
                receive(from, trial->blamed, lane_statements(lanes) * sizeof *trial->blamed) &&
                receive(from, error, head.error_length);
    if (good)
        wcts_text_add(&trial->error, "%s", error);
    free(error);
    state->arrived[head.at] = good;
    for (; state->told < lanes->count && state->arrived[state->told]; state->told++)
        lanes->each(lanes->each_ctx, &lanes->faults->trials[lanes->list[state->told]]);
    return good;
}

/* Closes the pipe of a lane and waits for its end. Returns its status. */
static int end_lane(struct faults_lane *lane)
{
    int status = EXIT_SUCCESS;
    if (lane->from >= 0)
        close(lane->from);
    lane->from = -1;
    while (lane->pid > 0 && waitpid(lane->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    lane->pid = 0;
    return status;
}

/* Ends a lane that sends no more. False, with the reason, if it did not end well. */
static bool is_good_end(const struct faults_lanes_state *state, int number, char *error,
                        size_t room)
{
    const struct wcts_faults_lanes *lanes = state->lanes;
    char death[64];
    int status = end_lane(&state->lane[number]);
    if (status != EXIT_SUCCESS)
        snprintf(error, room, "the process that tried %s ended too soon: %s",
                 lanes->faults->trials[lanes->list[state->next[1 + number]]].fault->id,
                 wcts_run_worker_death(status, death, sizeof death));
    return status == EXIT_SUCCESS;
}

/* Tells all trials as they come. A lane that a signal stops stops its workers first. */
static enum wcts_faults_lanes_end receive_all(struct faults_lanes_state *state, char *error,
                                              size_t room)
{
    const sigset_t stop = wcts_run_stop_signals();
    int count = state->lanes->lanes;
    struct pollfd *fds = calloc((size_t)count + 1, sizeof *fds);
    enum wcts_faults_lanes_end end = fds ? WCTS_LANES_DONE : WCTS_LANES_BROKEN;
    int signals = signalfd(-1, &stop, SFD_CLOEXEC);
    while (end == WCTS_LANES_DONE && state->told < state->lanes->count) {
        int open = 0;
        fds[count] = (struct pollfd){.fd = signals, .events = POLLIN};
        for (int i = 0; i < count; i++) {
            fds[i] = (struct pollfd){.fd = state->lane[i].from, .events = POLLIN};
            open += state->lane[i].from >= 0;
        }
        if (open == 0)
            end = WCTS_LANES_BROKEN;
        else if (poll(fds, (nfds_t)count + 1, -1) < 0)
            continue;
        if (fds[count].revents)
            end = WCTS_LANES_STOPPED;
        for (int i = 0; i < count && end == WCTS_LANES_DONE; i++)
            if (fds[i].revents && !receive_trial(state, fds[i].fd) &&
                !is_good_end(state, i, error, room))
                end = WCTS_LANES_BROKEN;
    }
    if (signals >= 0)
        close(signals);
    free(fds);
    return end;
}

enum wcts_faults_lanes_end wcts_faults_lanes_run(const struct wcts_faults_lanes *lanes, char *error,
                                                 size_t room)
{
    const size_t size = (1 + (size_t)lanes->lanes) * sizeof(_Atomic int);
    struct faults_lanes_state state = {
        .lanes = lanes,
        .lane = calloc((size_t)lanes->lanes, sizeof *state.lane),
        .next = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
        .arrived = calloc((size_t)lanes->count + 1, sizeof *state.arrived)};
    enum wcts_faults_lanes_end end = WCTS_LANES_BROKEN;
    snprintf(error, room, "no memory");
    bool good = state.lane && state.next != MAP_FAILED && state.arrived &&
                wcts_run_worker_files(lanes->lanes, error, room);
    int started = 0;
    while (good && started < lanes->lanes) {
        good = start_lane(&state, started);
        started += good;
        if (!good)
            snprintf(error, room, "cannot start a process: %s", strerror(errno));
    }
    if (good)
        end = receive_all(&state, error, room);
    for (int i = 0; i < started; i++)
        if (end != WCTS_LANES_DONE && state.lane[i].pid > 0)
            kill(state.lane[i].pid, SIGTERM);
    for (int i = 0; i < started; i++)
        end_lane(&state.lane[i]);
    if (state.next != MAP_FAILED)
        munmap(state.next, size);
    free(state.lane);
    free(state.arrived);
    return end;
}
