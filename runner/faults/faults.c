/* SPDX-License-Identifier: MIT */
/* The faults of an implementation: loading the table, finding their rules. */
#include "faults.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/address.h"

static const char *const outcome_names[WCTS_FAULT_OUTCOME_COUNT] = {
    [WCTS_FAULT_KILLED] = "killed",
    [WCTS_FAULT_SURVIVED] = "survived",
    [WCTS_FAULT_NONE] = "none",
    [WCTS_FAULT_BROKEN] = "broken",
};

const char *wcts_faults_trial_outcome_name(enum wcts_faults_trial_outcome outcome)
{
    return outcome_names[outcome];
}

bool wcts_faults_fault_names(const struct wcts_fault *fault, const char *statement)
{
    for (int i = 0; i < WCTS_FAULT_ALSO_MAX && fault->also[i].statement; i++)
        if (strcmp(fault->also[i].statement, statement) == 0)
            return true;
    return false;
}

/* ---- the table ---- */

static bool check_fault_table(const struct wcts_fault_table *table, const char *path, char *error,
                              size_t room)
{
    if (!table)
        snprintf(error, room, "%s: no symbol %s: it has no faults to show", path,
                 WCTS_PLUGIN_FAULTS_SYMBOL);
    else if (table->abi_version != WCTS_ABI_VERSION)
        snprintf(error, room, "%s: its table of faults has ABI version %u, expected %u", path,
                 table->abi_version, WCTS_ABI_VERSION);
    else if (table->size < sizeof *table || table->fault_size < sizeof(struct wcts_fault) ||
             (!table->faults && table->count != 0) || table->count > INT32_MAX / 4)
        snprintf(error, room, "%s: its table of faults is too small or has no faults", path);
    else
        return true;
    return false;
}

static const struct wcts_fault_table *load_fault_table(struct wcts_faults *faults, const char *path,
                                                       char *error, size_t room)
{
    wcts_plugin_faults_fn *entry;
    if (wcts_machine_is_builtin(path))
        return wcts_plugin_faults();
    /* Sessions load the same file: the library is loaded once, with its table. */
    faults->library = wcts_machine_plugin_open(path, error, room);
    if (!faults->library)
        return NULL;
    *(void **)&entry = dlsym(faults->library, WCTS_PLUGIN_FAULTS_SYMBOL);
    return entry ? entry() : NULL;
}

/* ---- rules ---- */

static bool match(struct wcts_faults *faults)
{
    const struct wcts_spec *spec = faults->plan->spec;
    const uint8_t *at = (const uint8_t *)faults->table->faults;
    for (int i = 0; i < faults->count; i++) {
        struct wcts_faults_trial *trial = &faults->trials[i];
        trial->fault = (const void *)(at + (size_t)i * faults->table->fault_size);
        trial->rule =
            trial->fault->id ? wcts_model_spec_rule_before(spec, trial->fault->id, "+") : -1;
        trial->statement = trial->rule < 0 ? -1 : spec->rules[trial->rule].statement;
        trial->outcome = trial->fault->file ? WCTS_FAULT_BROKEN : WCTS_FAULT_NONE;
        trial->first = -1;
        trial->blamed = calloc((size_t)spec->statements_count + 1, sizeof *trial->blamed);
        if (!trial->blamed)
            return false;
        if (trial->rule >= 0)
            faults->ruled[trial->rule] = true;
    }
    return true;
}

bool wcts_faults_init(struct wcts_faults *faults, const struct wcts_plan *plan, const char *path,
                      char *error, size_t room)
{
    *faults = (struct wcts_faults){.plan = plan};
    if (wcts_address_is_remote(path)) {
        snprintf(error, room, "%s: faults are read from a plug-in, expected a shared object", path);
        return false;
    }
    faults->table = load_fault_table(faults, path, error, room);
    if (!faults->table && !faults->library && !wcts_machine_is_builtin(path))
        return false;
    if (!check_fault_table(faults->table, path, error, room))
        return false;
    faults->count = (int)faults->table->count;
    faults->trials = calloc((size_t)faults->count + 1, sizeof *faults->trials);
    faults->ruled = calloc((size_t)plan->spec->rules_count + 1, sizeof *faults->ruled);
    snprintf(error, room, "no memory");
    return faults->trials && faults->ruled && match(faults);
}

void wcts_faults_release(struct wcts_faults *faults)
{
    for (int i = 0; faults->trials && i < faults->count; i++) {
        free(faults->trials[i].blamed);
        free(faults->trials[i].by);
        wcts_text_release(&faults->trials[i].error);
    }
    free(faults->trials);
    free(faults->ruled);
    if (faults->library)
        dlclose(faults->library);
}
