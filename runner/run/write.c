/* SPDX-License-Identifier: MIT */
#include "write.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "../model/names.h"

/* ---- Acts ---- */

static void print_xml_value(FILE *out, const struct wcts_spec *spec, struct wcts_value value)
{
    if (value.symbol < 0)
        fprintf(out, "0x%" PRIx64, value.number);
    else if (value.number)
        fprintf(out, "%s+0x%" PRIx64, spec->cases->symbols[value.symbol].name, value.number);
    else
        fprintf(out, "%s", spec->cases->symbols[value.symbol].name);
}

static void print_xml_ref(FILE *out, const struct wcts_spec *spec, struct wcts_ref ref)
{
    char name[96];
    wcts_model_ref_text(spec, ref, name, sizeof name);
    fprintf(out, "%s.%s", spec->structures[ref.structure].name, name);
}

/* The members of an instance, as attributes of its <struct>, or of the call for the first. */
static void print_xml_members(FILE *out, const struct wcts_spec *spec,
                              const struct wcts_instance *instance)
{
    for (int i = 0; i < instance->set_count; i++) {
        char name[96];
        wcts_model_ref_text(spec, instance->sets[i].ref, name, sizeof name);
        fprintf(out, " %s=\"", name);
        print_xml_value(out, spec, instance->sets[i].value);
        fputc('"', out);
    }
}

static void print_xml_struct(FILE *out, const struct wcts_spec *spec,
                             const struct wcts_instance *instance)
{
    const char *structure = spec->structures[instance->structure].name;
    fprintf(out, "      <struct name=\"%s\"", structure);
    if (instance->name && strcmp(instance->name, structure) != 0)
        fprintf(out, " alias=\"%s\"", instance->name);
    fprintf(out, " at=\"");
    print_xml_ref(out, spec, instance->at);
    fputc('"', out);
    if (instance->when.structure >= 0) {
        fprintf(out, " %s=\"", instance->unless ? "unless" : "when");
        print_xml_ref(out, spec, instance->when);
        fputc('"', out);
        if (instance->least > 1)
            fprintf(out, " least=\"%d\"", instance->least);
    }
    print_xml_members(out, spec, instance);
    fprintf(out, "/>\n");
}

static void print_xml_results(FILE *out, const struct wcts_spec *spec, const struct wcts_step *step)
{
    for (int i = 0; i < step->output_count; i++) {
        const struct wcts_step_output *output = &step->outputs[i];
        const struct wcts_symbol *symbol = &spec->cases->symbols[output->symbol];
        /* The window of a sequence has its kind for a name; other reservations have what they are
         * of. */
        const bool of = symbol->kind == WCTS_SYMBOL_RESERVATION &&
                        strcmp(symbol->kind_name, "reservation") != 0;
        fprintf(out, "      <result symbol=\"%s\" kind=\"%s\"", symbol->name,
                of ? "reservation" : symbol->kind_name);
        if (of)
            fprintf(out, " of=\"%s\"", symbol->kind_name);
        if (symbol->size)
            fprintf(out, " size=\"0x%" PRIx64 "\"", symbol->size);
        fprintf(out, " member=\"");
        print_xml_ref(out, spec, output->ref);
        fputc('"', out);
        if (output->index)
            fprintf(out, " index=\"%d\"", output->index);
        if (output->otherwise.symbol >= 0 || output->otherwise.number) {
            fprintf(out, " else=\"");
            print_xml_value(out, spec, output->otherwise);
            fputc('"', out);
        }
        fprintf(out, "/>\n");
    }
}

static void print_xml_call(FILE *out, const struct wcts_spec *spec,
                           const struct wcts_adapter *adapter, const struct wcts_step *step)
{
    fprintf(out, "    <call operation=\"%s\"", spec->messages[step->message].name);
    for (int i = 0; i < step->answer_count; i++)
        fprintf(out, "%s%s%s", i ? " " : " answer=\"", adapter->instances[step->answers[i]].name,
                i + 1 == step->answer_count ? "\"" : "");
    if (step->placed)
        fputs(" placed=\"yes\"", out);
    if (step->unmade)
        fputs(" unmade=\"yes\"", out);
    if (step->unmoved)
        fputs(" unmoved=\"yes\"", out);
    if (step->unmapped)
        fputs(" unmapped=\"yes\"", out);
    if (step->instance_count > 0)
        print_xml_members(out, spec, &step->instances[0]);
    fprintf(out, ">\n");
    for (int i = 1; i < step->instance_count; i++)
        print_xml_struct(out, spec, &step->instances[i]);
    print_xml_results(out, spec, step);
    fprintf(out, "    </call>\n");
}

/* Writes <read> and <write>: their attributes are the members of the request. */
static void print_xml_memory(FILE *out, const struct wcts_spec *spec, const struct wcts_step *step)
{
    static const char *const attributes[][2] = {
        {"Space", "space"}, {"Address", "address"}, {"Length", "length"}};
    bool write = spec->messages[step->message].writes;
    const struct wcts_instance *instance = &step->instances[0];
    fprintf(out, "    <%s", write ? "write" : "read");
    for (int i = 0; i < instance->set_count; i++) {
        const char *member = wcts_model_ref_member(spec, instance->sets[i].ref)->name;
        for (size_t j = 0; j < sizeof attributes / sizeof *attributes; j++)
            if (strcmp(member, attributes[j][0]) == 0) {
                fprintf(out, " %s=\"", attributes[j][1]);
                print_xml_value(out, spec, instance->sets[i].value);
                fputc('"', out);
            }
    }
    fprintf(out, " seed=\"%d\"/>\n", step->seed);
}

void wcts_run_write_act(const struct wcts_run_written *written, const struct wcts_act *act)
{
    const struct wcts_cases *cases = written->spec->cases;
    const struct wcts_step *step = act->call ? act->call : &cases->steps[act->step];
    if (act->kind == WCTS_ACT_SPOIL)
        fprintf(written->out, "    <spoil/>\n");
    else if (act->kind == WCTS_ACT_STEP)
        fprintf(written->out, "    <take step=\"%s\"/>\n", step->name);
    else if (act->kind == WCTS_ACT_MEMORY)
        print_xml_memory(written->out, written->spec, step);
    else
        print_xml_call(written->out, written->spec, &cases->adapters[written->adapter], step);
}

/* ---- The file ---- */

/* A comment must not contain two hyphens. */
static void print_xml_comment(FILE *out, const char *comment)
{
    fputs("<!--\n", out);
    for (; *comment; comment++) {
        fputc(*comment, out);
        if (comment[0] == '-' && comment[1] == '-')
            fputc(' ', out);
    }
    fputs("\n-->\n", out);
}

static void print_xml_also(const struct wcts_run_written *written)
{
    const struct wcts_spec *spec = written->spec;
    const struct wcts_rule *rule = &spec->rules[written->effect];
    const char *before = " also=\"";
    for (int i = 0; i < rule->rests_on_count && i < 64; i++)
        if (written->also >> i & 1) {
            fprintf(written->out, "%s%s", before, spec->rules[rule->rests_on[i]].id);
            before = " ";
        }
    if (before[1] == 0)
        fputc('"', written->out);
}

void wcts_run_write_begin(const struct wcts_run_written *written, const char *comment,
                          const char *format, ...)
{
    const struct wcts_spec *spec = written->spec;
    FILE *out = written->out;
    va_list arguments;
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if (comment)
        print_xml_comment(out, comment);
    fprintf(out, "<cases>\n  <scenario name=\"");
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fprintf(out, "\" adapter=\"%s\" since=\"%s\"", spec->cases->adapters[written->adapter].name,
            spec->versions[written->version].name);
    if (written->until < spec->versions_count)
        fprintf(out, " until=\"%s\"", spec->versions[written->until].name);
    if (written->page_size)
        fprintf(out, " page-sizes=\"%u\"", written->page_size);
    fprintf(out, "%s%s expect=\"%s\"", written->driver ? " driver=\"yes\"" : "",
            written->kinds ? " kinds=\"yes\"" : "", spec->rules[written->effect].id);
    print_xml_also(written);
    fputs(">\n", out);
}

void wcts_run_write_parameter(const struct wcts_run_written *written, int symbol,
                              struct wcts_value value)
{
    fprintf(written->out, "    <for symbol=\"%s\" values=\"",
            written->spec->cases->symbols[symbol].name);
    print_xml_value(written->out, written->spec, value);
    fprintf(written->out, "\"/>\n");
}

void wcts_run_write_end(const struct wcts_run_written *written)
{
    fprintf(written->out, "  </scenario>\n</cases>\n");
    fclose(written->out);
}
