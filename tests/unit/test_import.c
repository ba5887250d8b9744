/* SPDX-License-Identifier: MIT */
/*
 * Reading recordings. Of a trace: how numbers are printed, what is believed of events, and that
 * what it shows of answers is what JSON lines show of them, or nothing. Members are struck out of
 * traces at random: what is said then was said before, or cannot be said.
 *
 * WCTS_SEED=N: other draws. WCTS_TIMES=N: so many times as many.
 */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../runner/base/text.h"
#include "../../runner/import/etw.h"
#include "../../runner/judge/partial.h"
#include "../../runner/load/spec_files.h"
#include "../../runner/model/names.h"

#define TRACES "spec/traces/dxgkrnl.xml"
#define ANSWERS 6
#define DRAWS 200
#define STRIKES 8 /* of each draw */

static struct wcts_spec *spec;
static struct wcts_eval eval;
static uint64_t state = 20261127;
static char *said; /* by the reader */
static size_t said_size;
static long trials, decided, withdrawn, breaches;

static uint32_t draw(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((state >> 33) % below);
}

/* ---- reading ---- */

/* Of each rule, in how many places it is kept, broken, or that cannot be said. */
struct found {
    int version;
    long (*rules)[WCTS_SAID_UNKNOWN + 1];
    int recordings, messages;
    int last_version;
};

static bool judge_it(void *context, struct wcts_import_recording *recording)
{
    struct found *found = context;
    found->recordings++;
    for (int i = 0; i < recording->count; i++) {
        const struct wcts_judge_partial judge = {.spec = spec,
                                                 .eval = &eval,
                                                 .version = recording->first_version,
                                                 .last_version = recording->last_version,
                                                 .page_size = recording->page_size,
                                                 .quiet = true};
        struct wcts_judge_sayings sayings = {0};
        found->messages += recording->exchanges[i].count - recording->judged_before;
        ck_assert(wcts_judge_partial(&judge, &recording->exchanges[i], &sayings));
        for (int s = 0; s < sayings.count; s++)
            if (sayings.of[s].side == WCTS_JUDGE_DRIVER &&
                sayings.of[s].record >= recording->judged_before)
                found->rules[sayings.of[s].rule][sayings.of[s].said]++;
        wcts_judge_sayings_release(&sayings);
    }
    return true;
}

/* Reads a text; what is wrong with it, or ignored, is in "said". */
static bool read_text(const char *text, size_t size, int version, int adapter, struct found *found)
{
    char path[64];
    int file = memfd_create("trace", MFD_CLOEXEC);
    FILE *out;
    bool good;
    free(said);
    said = NULL;
    out = open_memstream(&said, &said_size);
    struct wcts_diagnostics diagnostics = {.out = out};
    const struct wcts_import_options options = {spec, version, adapter, TRACES, &diagnostics};
    *found = (struct found){.rules = calloc((size_t)spec->rules_count, sizeof *found->rules)};
    ck_assert_int_eq(write(file, text, size), (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    good = wcts_import_file(&options, path, judge_it, found);
    ck_assert_int_eq(good, diagnostics.errors == 0);
    close(file);
    fclose(out);
    return good;
}

static bool read_string(const char *text, int version, struct found *found)
{
    return read_text(text, strlen(text), version, 0, found);
}

/* How often a statement is kept, or broken, whatever its rules. */
static long count_of(const struct found *found, const char *statement, enum wcts_judge_said what)
{
    long count = 0;
    for (int r = 0; r < spec->rules_count; r++)
        if (strcmp(spec->statements[spec->rules[r].statement].id, statement) == 0)
            count += found->rules[r][what];
    return count;
}

static int version_of(const char *name)
{
    return wcts_model_spec_version(spec, name);
}

/* ---- traces ---- */

struct trace {
    struct wcts_text text;
    bool plain;
    uint32_t strike; /* of a thousand members so many are left out */
    long struck;
};

static void begin_trace(struct trace *trace)
{
    wcts_text_add(&trace->text, "%s<Events>\n",
                  trace->plain || draw(2) ? "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" : "");
}

static void begin_event(struct trace *trace, unsigned id, unsigned version)
{
    static const char *const providers[] = {
        "Name=\"Microsoft-Windows-DxgKrnl\"", "Guid=\"{802EC45A-1E99-4B83-9920-87C98277BA9D}\"",
        "Name=\"Microsoft-Windows-DxgKrnl\" Guid=\"{802ec45a-1e99-4b83-9920-87c98277ba9d}\""};
    wcts_text_add(
        &trace->text,
        "<Event%s>\n<System>\n<Provider %s/>\n<EventID>%u</EventID>\n<Version>%u</Version>"
        "\n</System>\n<EventData>\n",
        draw(2) ? " xmlns=\"http://schemas.microsoft.com/win/2004/08/events/event\"" : "",
        providers[trace->plain ? 2 : draw(3)], id, version);
}

static void end_event(struct trace *trace)
{
    wcts_text_add(
        &trace->text, "</EventData>\n%s</Event>\n",
        draw(2) ? "<RenderingInfo Culture=\"de-DE\"><Opcode>Start</Opcode></RenderingInfo>\n" : "");
}

static void add_data(struct trace *trace, const char *name, const char *value)
{
    if (trace->strike && draw(1000) < trace->strike)
        trace->struck++;
    else
        wcts_text_add(&trace->text, "<Data Name=\"%s\">%s</Data>\n", name, value);
}

/* As one of the forms in which it may be printed. */
static void add_number(struct trace *trace, const char *name, uint64_t number)
{
    static const char *const forms[] = {"%" PRIu64, "%11" PRIu64, "0x%" PRIX64, " 0x%" PRIx64 "\n"};
    char value[40];
/* The forms are those above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(value, sizeof value, forms[trace->plain ? 0 : draw(4)], number);
#pragma GCC diagnostic pop
    add_data(trace, name, value);
}

static void add_flag(struct trace *trace, const char *name, bool set)
{
    static const char *const forms[][2] = {{"false", "true"}, {"0", "1"}, {"False", "True"}};
    add_data(trace, name, forms[trace->plain ? 0 : draw(3)][set]);
}

#define ADAPTER UINT64_C(0xFFFFE00000001000)

static void add_segment(struct trace *trace, uint64_t adapter, uint32_t id, uint32_t flags)
{
    begin_event(trace, 78, 1);
    add_number(trace, "ulSegmentId", id);
    add_number(trace, "pDxgAdapter", adapter);
    add_number(trace, "Size", 0x10000000);
    add_number(trace, "Flags", flags);
    end_event(trace);
}

struct allocation {
    uint64_t size;
    uint32_t priority, flags;
    bool table;
};

static void add_allocation(struct trace *trace, uint64_t adapter, const struct allocation *one)
{
    begin_event(trace, 33, 3);
    add_number(trace, "pDxgAdapter", adapter);
    if (one->flags == 5 && !trace->plain && draw(2))
        add_data(trace, "Flags", draw(2) ? "CpuVisible|Cached" : "Cached, CpuVisible ");
    else
        add_number(trace, "Flags", one->flags);
    add_number(trace, "allocSize", (one->size + 4095) / 4096 * 4096);
    add_number(trace, "dwWriteSegment", 1);
    add_number(trace, "hDevice", 0xFFFFFA8001430000);
    add_number(trace, "hDxgGlobalAlloc", 0xFFFFFA8001440000);
    add_number(trace, "Priority", one->priority);
    add_flag(trace, "PageTableOrDirectory", one->table);
    end_event(trace);
}

/* A driver's answers. */
struct answers {
    uint32_t segments[4];
    uint32_t segment_count;
    struct allocation allocations[ANSWERS];
    uint32_t allocation_count;
};

static void draw_answers(struct answers *answers)
{
    static const uint32_t flags[] = {0x0,  0x1,   0x4,   0x5,   0x10, 0x11, 0x41,
                                     0x80, 0x100, 0x180, 0x380, 0x22, 0x2};
    static const uint32_t priorities[] = {0x78000000, 0x78000000, 0xA0000000, 1, 0};
    static const uint64_t sizes[] = {0x10000, 1, 4096, 4097, 0};
    *answers =
        (struct answers){.segment_count = 1 + draw(4), .allocation_count = draw(ANSWERS + 1)};
    for (uint32_t i = 0; i < answers->segment_count; i++)
        answers->segments[i] = flags[draw(sizeof flags / sizeof *flags)];
    for (uint32_t i = 0; i < answers->allocation_count; i++)
        answers->allocations[i] =
            (struct allocation){sizes[draw(5)], priorities[draw(5)], draw(2) ? 5 : 0x40, false};
}

static void write_trace(struct trace *trace, const struct answers *answers)
{
    begin_trace(trace);
    for (uint32_t i = 0; i < answers->segment_count; i++)
        add_segment(trace, ADAPTER, i + 1, answers->segments[i]);
    for (uint32_t i = 0; i < answers->allocation_count; i++)
        add_allocation(trace, ADAPTER, &answers->allocations[i]);
    wcts_text_add(&trace->text, "</Events>\n");
}

/* The same as somebody writes it who knows all of it. */
static void write_lines(struct wcts_text *text, const struct answers *answers, const char *version)
{
    wcts_text_add(text,
                  "{\"wddm\":\"ddi\",\"version\":1,\"WDDMVersion\":\"%s\"}\n"
                  "{\"call\":\"DRIVER_SEGMENTS\",\"status\":0,\"out\":{\"pSegments\":[",
                  version);
    for (uint32_t i = 0; i < answers->segment_count; i++)
        wcts_text_add(text, "%s{\"Flags\":%u,\"Size\":65536,\"NbOfBanks\":0,\"pBankRangeTable\":0}",
                      i ? "," : "", answers->segments[i]);
    wcts_text_add(text, "]}}\n");
    for (uint32_t i = 0; i < answers->allocation_count; i++) {
        const struct allocation *one = &answers->allocations[i];
        wcts_text_add(text,
                      "{\"call\":\"DRIVER_ALLOCATION_CREATE\",\"status\":0,\"in\":{"
                      "\"NumAllocations\":1},\"out\":{\"pAllocationInfo\":[{\"Size\":%" PRIu64
                      ",\"AllocationPriority\":%u,\"%s\":%u}]}}\n",
                      one->size, one->priority, strcmp(version, "2.0") < 0 ? "Flags" : "FlagsWddm2",
                      one->flags);
    }
}

/* What "less" has was said before, in as many places or fewer. */
static void check_no_more(const struct found *more, const struct found *less, bool all)
{
    for (int r = 0; r < spec->rules_count; r++) {
        const long *a = more->rules[r], *b = less->rules[r];
        const char *id = spec->rules[r].id;
        long before = a[WCTS_SAID_KEPT] + a[WCTS_SAID_BROKEN] + a[WCTS_SAID_UNKNOWN];
        long after = b[WCTS_SAID_KEPT] + b[WCTS_SAID_BROKEN] + b[WCTS_SAID_UNKNOWN];
        ck_assert_msg(b[WCTS_SAID_KEPT] <= a[WCTS_SAID_KEPT],
                      "%s is kept in %ld places, not %ld:\n", id, b[WCTS_SAID_KEPT],
                      a[WCTS_SAID_KEPT]);
        ck_assert_msg(b[WCTS_SAID_BROKEN] <= a[WCTS_SAID_BROKEN],
                      "%s is broken in %ld places, not %ld", id, b[WCTS_SAID_BROKEN],
                      a[WCTS_SAID_BROKEN]);
        ck_assert_msg(!all || after >= before, "%s is asked in %ld places, not %ld", id, after,
                      before);
        decided += b[WCTS_SAID_KEPT] + b[WCTS_SAID_BROKEN];
        breaches += b[WCTS_SAID_BROKEN];
        withdrawn +=
            a[WCTS_SAID_KEPT] + a[WCTS_SAID_BROKEN] - b[WCTS_SAID_KEPT] - b[WCTS_SAID_BROKEN];
    }
}

START_TEST(trace_shows_what_lines_show)
{
    static const char *const versions[] = {"1.3", "2.0", "2.6", "3.2"};
    const char *more = getenv("WCTS_TIMES");
    for (int i = 0; i < DRAWS * (more ? atoi(more) : 1); i++) {
        const char *version = versions[draw(4)];
        struct answers answers;
        struct trace trace = {.plain = draw(4) == 0};
        struct found lines, whole, struck;
        WCTS_TEXT(text);
        draw_answers(&answers);
        write_trace(&trace, &answers);
        write_lines(&text, &answers, version);
        ck_assert_msg(read_string(wcts_text_get(&text), -1, &lines), "%s", said);
        ck_assert_msg(read_string(wcts_text_get(&trace.text), version_of(version), &whole), "%s",
                      said);
        ck_assert_str_eq(said, "");
        check_no_more(&lines, &whole, false);
        /* What only needs a member that is believed is said of every answer. */
        for (int w = WCTS_SAID_KEPT; w <= WCTS_SAID_BROKEN; w++) {
            ck_assert_int_eq(count_of(&lines, "AIN-018", (enum wcts_judge_said)w),
                             count_of(&whole, "AIN-018", (enum wcts_judge_said)w));
            ck_assert_int_eq(count_of(&lines, "AIN-026", (enum wcts_judge_said)w),
                             count_of(&whole, "AIN-026", (enum wcts_judge_said)w));
            if (strcmp(version, "2.0") >= 0)
                ck_assert_int_eq(count_of(&lines, "SEG-011", (enum wcts_judge_said)w),
                                 count_of(&whole, "SEG-011", (enum wcts_judge_said)w));
        }
        for (int t = 0; t < STRIKES; t++, trials++) {
            struct trace less = {.strike = 20 + draw(400)};
            write_trace(&less, &answers);
            ck_assert_msg(read_string(wcts_text_get(&less.text), version_of(version), &struck),
                          "%s", said);
            check_no_more(&whole, &struck, true);
            free(struck.rules);
            wcts_text_release(&less.text);
        }
        free(lines.rules);
        free(whole.rules);
        wcts_text_release(&trace.text);
    }
    /* A test that strikes nothing out, or of which nothing is left, proves nothing. */
    printf("%ld trials, %ld decided, %ld of them broken, %ld withdrawn\n", trials, decided,
           breaches, withdrawn);
    ck_assert_int_ge(trials, DRAWS * STRIKES);
    ck_assert_int_gt(decided, 8000);
    ck_assert_int_gt(breaches, 1000);
    ck_assert_int_gt(withdrawn, 5000);
}
END_TEST

/* ---- numbers ---- */

START_TEST(numbers_as_tracerpt_prints_them)
{
    static const struct {
        const char *text;
        bool named, right;
        uint64_t number;
    } all[] = {
        {"0", false, true, 0},
        {"0x1F", false, true, 0x1F},
        {"0XffffFFFFffffFFFF", false, true, UINT64_MAX},
        {"18446744073709551615", false, true, UINT64_MAX},
        {"18446744073709551616", false, false, 0},
        {"0x10000000000000000", false, false, 0},
        {"", false, false, 0},
        {"0x", false, false, 0},
        {"-1", false, false, 0},
        {"1F", false, false, 0},
        {"true", false, true, 1},
        {"FALSE", false, true, 0},
        {"A", false, false, 0},
        {"A", true, true, 1},
        {"A|C", true, true, 5},
        {"A, C ", true, true, 5},
        {"C | 0x10", true, true, 0x14},
        {"A|D", true, false, 0},
        {"A |C ", true, true, 5},
        {"A |0x10 ", true, true, 0x11},
        /* A locale's digits in groups. */
        {"1,024", true, false, 0},
        {"1 024", true, false, 0},
        {"1.024", true, false, 0},
        {"A|16", true, false, 0},
        {"|", true, false, 0},
        {"1 2", false, false, 0},
    };
    struct {
        const char *name;
        int bit;
    } flags[] = {{"A", 0}, {"C", 2}};
    struct wcts_load_trace_word word = {.name = "W", .flag_count = 2};
    memcpy(&word.flags, &(void *){flags}, sizeof word.flags);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint64_t number = 0;
        bool right = wcts_import_etw_number(all[i].text, all[i].named ? &word : NULL, &number);
        ck_assert_msg(right == all[i].right && (!right || number == all[i].number),
                      "\"%s\" is %d, %" PRIu64, all[i].text, right, number);
    }
}
END_TEST

/* ---- what is believed ---- */

/* Events, of which some are whole. */
static void read_events(const char *events, const char *version, struct found *found)
{
    WCTS_TEXT(text);
    wcts_text_add(&text, "<Events>\n%s</Events>\n", events);
    ck_assert_msg(read_string(wcts_text_get(&text), version_of(version), found), "%s", said);
}

#define SYSTEM(id, version)                                                                        \
    "<Event><System><Provider Name='Microsoft-Windows-DxgKrnl'/><EventID>" id                      \
    "</EventID>\n<Version>" version "</Version></System>"
#define DATA(name, value) "<Data Name='" name "'>" value "</Data>"
#define SEGMENT(id, flags)                                                                         \
    SYSTEM("78", "1")                                                                              \
    "<EventData>" DATA("ulSegmentId", id) DATA("pDxgAdapter", "0x1000")                            \
        DATA("Flags", flags) "</EventData></Event>\n"
#define ALLOCATION_OF(adapter, version, data)                                                      \
    SYSTEM("33", version)                                                                          \
    "<EventData>" DATA("pDxgAdapter", adapter) DATA("hDevice", "0x9000")                           \
        DATA("hDxgGlobalAlloc", "0x8000") data "</EventData></Event>\n"
/* Of version 1, of a driver below 2.0, whatever its flags. */
#define OBJECT(id, adapter, object, data)                                                          \
    SYSTEM(id, "1")                                                                                \
    "<EventData>" DATA("pDxgAdapter", adapter) DATA("hDevice", "0x9000")                           \
        DATA("hDxgGlobalAlloc", "0x8000") DATA("hVidMmGlobalAlloc", object) DATA("Flags", "0")     \
            data "</EventData></Event>\n"
#define SIZE DATA("allocSize", "4096")
#define ALLOCATION(version, data) ALLOCATION_OF("0x1000", version, data)
#define LOST                                                                                       \
    "<Event><System><Provider Guid='{6A399AE0-4BC6-4DE9-870B-3657F8947E7E}'/>"                     \
    "<EventID>32</EventID>\n<Version>0</Version></System></Event>\n"

static const struct {
    const char *events, *version, *statement;
    long kept, broken, unknown;
    const char *said; /* a part of it; NULL: nothing is */
} believed[] = {
    /* CacheCoherent without Aperture; a kernel's own segment; below 2.0 nobody knows whose. */
    {SEGMENT("1", "0x10"), "2.0", "SEG-011", 0, 1, 0, NULL},
    {SEGMENT("1", "0x11"), "2.0", "SEG-011", 1, 0, 0, NULL},
    {SEGMENT("1", "0x1010"), "2.0", "SEG-011", 0, 0, 0, NULL},
    {SEGMENT("1", "0x10"), "1.3", "SEG-011", 0, 0, 1, NULL},
    /* Reported again it is the same; with other flags it replaces the first. */
    {SEGMENT("1", "0x10") SEGMENT("1", "0x10"), "2.0", "SEG-011", 0, 1, 0, NULL},
    {SEGMENT("1", "0x10") SEGMENT("1", "0x11"), "2.0", "SEG-011", 1, 1, 0, NULL},
    /* Bits above 10 may be the kernel's. */
    {SEGMENT("1", "0x4000"), "2.0", "SEG-026", 0, 0, 1, NULL},
    /* Twice the same member, a name without a map, and a number that is too large. */
    {SEGMENT("1", "1</Data><Data Name='Flags'>0x10"), "2.0", "SEG-011", 0, 0, 1, NULL},
    {SEGMENT("1", "CacheCoherent"), "2.0", "SEG-011", 0, 0, 1, NULL},
    {SEGMENT("99", "0x10"), "2.0", "SEG-011", 0, 1, 0, NULL},
    /* Priority: 0 is a breach, but of page tables and of what the kernel makes for itself. */
    {ALLOCATION("3",
                DATA("Flags", "0") DATA("Priority", "0x0") DATA("PageTableOrDirectory", "false")),
     "2.6", "AIN-018", 0, 1, 0, NULL},
    {ALLOCATION("3",
                DATA("Flags", "0") DATA("Priority", "0x0") DATA("PageTableOrDirectory", "true")),
     "2.6", "AIN-018", 0, 0, 0, NULL},
    {ALLOCATION("3", DATA("Flags", "CpuVisible|PagingBuffer") DATA("Priority", "0x0")
                         DATA("PageTableOrDirectory", "false")),
     "2.6", "AIN-018", 0, 0, 0, NULL},
    {ALLOCATION("1", DATA("Flags", "0") DATA("Priority", "0x0")), "2.6", "AIN-018", 0, 0, 1, NULL},
    {ALLOCATION("1", DATA("Flags", "0") DATA("Priority", "0x0")), "1.3", "AIN-018", 0, 1, 0, NULL},
    {ALLOCATION("3", DATA("Priority", "0x0") DATA("PageTableOrDirectory", "false")), "2.6",
     "AIN-018", 0, 0, 1, NULL},
    {ALLOCATION("3", DATA("Flags", "0") DATA("Priority", "0x100000000")
                         DATA("PageTableOrDirectory", "false")),
     "2.6", "AIN-018", 0, 0, 1, NULL},
    /* No device made it, no driver's allocation is behind it, or it is protected. */
    {SYSTEM("33", "1") "<EventData>" DATA("pDxgAdapter", "0x1000") DATA("hDevice", "0x0")
         DATA("hDxgGlobalAlloc", "0x1") DATA("Flags", "0")
             DATA("Priority", "0x0") "</EventData></Event>\n",
     "1.3", "AIN-018", 0, 0, 0, NULL},
    {SYSTEM("33", "1") "<EventData>" DATA("pDxgAdapter", "0x1000") DATA("hDevice", "0x1")
         DATA("hDxgGlobalAlloc", "0x0") DATA("Flags", "0")
             DATA("Priority", "0x0") "</EventData></Event>\n",
     "1.3", "AIN-018", 0, 0, 0, NULL},
    {ALLOCATION("1", DATA("Flags", "Protected |FromEndOfSegment ") DATA("Priority", "0x0")), "1.3",
     "AIN-018", 0, 0, 0, NULL},
    /* Objects are told of again, and their pointers are used again. */
    {OBJECT("33", "0x1000", "0x70", SIZE) OBJECT("35", "0x1000", "0x70", SIZE), "1.3", "AIN-026", 1,
     0, 0, NULL},
    {OBJECT("35", "0x1000", "0x70", SIZE) OBJECT("35", "0x1000", "0x70", SIZE), "1.3", "AIN-026", 1,
     0, 0, NULL},
    {OBJECT("35", "0x1000", "0x70", SIZE) OBJECT("35", "0x2000", "0x70", SIZE), "1.3", "AIN-026", 2,
     0, 0, NULL},
    {OBJECT("33", "0x1000", "0x70", SIZE) OBJECT("34", "0x0", "0x70", SIZE)
         OBJECT("35", "0x1000", "0x70", SIZE),
     "1.3", "AIN-026", 2, 0, 0, NULL},
    {OBJECT("33", "0x1000", "0x70", SIZE) OBJECT("33", "0x1000", "0x70", SIZE), "1.3", "AIN-026", 2,
     0, 0, NULL},
    {OBJECT("33", "0x1000", "?", SIZE) OBJECT("35", "0x1000", "?", SIZE), "1.3", "AIN-026", 2, 0, 0,
     NULL},
    /* A size is 0 or is not; which one it is nobody knows. */
    {ALLOCATION("3",
                DATA("Flags", "0") DATA("allocSize", "4096") DATA("PageTableOrDirectory", "false")),
     "2.6", "AIN-026", 1, 0, 0, NULL},
    {ALLOCATION("3",
                DATA("Flags", "0") DATA("allocSize", "0") DATA("PageTableOrDirectory", "false")),
     "2.6", "AIN-026", 0, 1, 0, NULL},
    /* Whose it is may not be known. */
    {ALLOCATION_OF("?", "1", DATA("Flags", "0") DATA("Priority", "0x0")), "1.3", "AIN-018", 0, 1, 0,
     NULL},
    /* What cannot be decoded, and versions that nobody has seen. */
    {SYSTEM("33", "3") "<ProcessingErrorData><ErrorCode>15005</ErrorCode><EventPayload>00FF"
                       "</EventPayload></ProcessingErrorData></Event>\n",
     "2.6", "AIN-018", 0, 0, 0, "1 events that could not be decoded"},
    {SYSTEM("33", "3") "<EventData><Data>0</Data></EventData></Event>\n", "2.6", "AIN-018", 0, 0, 0,
     "could not be decoded"},
    {ALLOCATION("9", DATA("Flags", "0") DATA("Priority", "0x0")), "2.6", "AIN-018", 0, 0, 0,
     "event 33: \"version 9\" is ignored"},
    {"<Event><System><Provider Name='Microsoft-Windows-DxgKrnl'/><EventID>33</EventID>"
     "</System><EventData/></Event>\n",
     "1.3", "AIN-018", 0, 0, 0, "event 33: \"no version\" is ignored"},
    {LOST ALLOCATION("1", DATA("Flags", "0") DATA("Priority", "0x0")), "1.3", "AIN-018", 0, 1, 0,
     "events were lost"},
    {"<Event/>", "2.6", "AIN-018", 0, 0, 0, "no event of Microsoft-Windows-DxgKrnl"},
};

START_TEST(events_are_believed_as_the_data_says)
{
    for (size_t i = 0; i < sizeof believed / sizeof *believed; i++) {
        struct found found;
        read_events(believed[i].events, believed[i].version, &found);
        ck_assert_msg(
            count_of(&found, believed[i].statement, WCTS_SAID_KEPT) == believed[i].kept &&
                count_of(&found, believed[i].statement, WCTS_SAID_BROKEN) == believed[i].broken &&
                count_of(&found, believed[i].statement, WCTS_SAID_UNKNOWN) == believed[i].unknown,
            "%zu: %s is kept %ld, broken %ld, not said %ld: %s", i, believed[i].statement,
            count_of(&found, believed[i].statement, WCTS_SAID_KEPT),
            count_of(&found, believed[i].statement, WCTS_SAID_BROKEN),
            count_of(&found, believed[i].statement, WCTS_SAID_UNKNOWN), believed[i].events);
        ck_assert_msg(believed[i].said ? strstr(said, believed[i].said) != NULL : *said == '\0',
                      "%zu said: %s", i, said);
        free(found.rules);
    }
}
END_TEST

START_TEST(adapters_are_apart)
{
    static const char two[] = "<Events>\n" SEGMENT("1", "0x10")
        ALLOCATION_OF("0x2000", "1", DATA("Flags", "0") DATA("Priority", "0"))
            SYSTEM("25", "0") "<EventData>" DATA(
                "pDxgAdapter", "0x1000") "</EventData></Event>" SEGMENT("1", "0x11") "</Events>";
    struct found found;
    ck_assert(read_text(two, strlen(two), version_of("2.0"), 0, &found));
    ck_assert_int_eq(found.recordings, 3);
    free(found.rules);
    ck_assert(read_text(two, strlen(two), version_of("2.0"), 1, &found));
    ck_assert_int_eq(count_of(&found, "SEG-011", WCTS_SAID_BROKEN), 1);
    ck_assert_int_eq(count_of(&found, "SEG-011", WCTS_SAID_KEPT), 0);
    free(found.rules);
    ck_assert(read_text(two, strlen(two), version_of("2.0"), 3, &found));
    ck_assert_int_eq(count_of(&found, "SEG-011", WCTS_SAID_KEPT), 1);
    free(found.rules);
    ck_assert(!read_text(two, strlen(two), version_of("2.0"), 4, &found));
    ck_assert_ptr_nonnull(strstr(said, "adapter 4 is asked for, expected one from 1 to 3"));
    free(found.rules);
}
END_TEST

/* Adapters come and go; 64 are there at a time. */
START_TEST(adapters_may_be_many)
{
    struct found found;
    for (int ends = 0; ends < 2; ends++) {
        WCTS_TEXT(text);
        wcts_text_add(&text, "<Events>\n");
        for (int i = 1; i <= 65; i++) {
            wcts_text_add(
                &text,
                SYSTEM("24", "0") "<EventData>" DATA("pDxgAdapter", "%d") "</EventData></Event>\n",
                i);
            if (ends)
                wcts_text_add(&text,
                              SYSTEM("25", "0") "<EventData>" DATA("pDxgAdapter",
                                                                   "%d") "</EventData></Event>\n",
                              i);
        }
        wcts_text_add(&text, "</Events>\n");
        ck_assert_int_eq(read_string(wcts_text_get(&text), version_of("1.3"), &found), ends);
        ck_assert(ends ? *said == '\0'
                       : strstr(said, "more than 64 adapters at a time, expected fewer") != NULL);
        free(found.rules);
    }
}
END_TEST

/* A long trace is judged in parts: each answer once, and what they rest on once. */
START_TEST(parts_make_the_whole)
{
    struct trace trace = {.plain = true};
    const struct allocation one = {4096, 1, 0, false};
    struct found found;
    begin_trace(&trace);
    add_segment(&trace, ADAPTER, 1, 0x11);
    for (int i = 0; i < 1000; i++)
        add_allocation(&trace, ADAPTER, &one);
    wcts_text_add(&trace.text, "</Events>");
    ck_assert(read_string(wcts_text_get(&trace.text), version_of("2.6"), &found));
    ck_assert_int_eq(found.recordings, 4);
    ck_assert_int_eq(found.messages, 1001);
    ck_assert_int_eq(count_of(&found, "AIN-018", WCTS_SAID_KEPT), 1000);
    ck_assert_int_eq(count_of(&found, "SEG-011", WCTS_SAID_KEPT), 1);
    free(found.rules);
    wcts_text_release(&trace.text);
}
END_TEST

/* ---- JSON lines ---- */

START_TEST(lines_may_know_a_part)
{
    static const struct {
        const char *element, *statement;
        enum wcts_judge_said is;
    } all[] = {
        {"{\"Flags\":{\"Value\":\"0x10\",\"Known\":\"0x11\"}}", "SEG-011", WCTS_SAID_BROKEN},
        {"{\"Flags\":{\"Value\":\"0x11\",\"Known\":\"0x11\"}}", "SEG-011", WCTS_SAID_KEPT},
        {"{\"Flags\":{\"Value\":\"0x10\",\"Known\":\"0x10\"}}", "SEG-011", WCTS_SAID_UNKNOWN},
        {"{\"Flags\":{\"CacheCoherent\":1,\"Aperture\":0}}", "SEG-011", WCTS_SAID_BROKEN},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct found found;
        WCTS_TEXT(text);
        wcts_text_add(&text,
                      "{\"wddm\":\"ddi\",\"version\":1,\"WDDMVersion\":\"2.6\"}\n"
                      "{\"call\":\"DRIVER_SEGMENTS\",\"status\":0,\"out\":{\"pSegments\":"
                      "{\"ListFrom\":0,\"ListSize\":1,\"List\":[%s],\"More\":true}}}\n",
                      all[i].element);
        ck_assert_msg(read_string(wcts_text_get(&text), -1, &found), "%s", said);
        ck_assert_str_eq(said, "");
        ck_assert_msg(count_of(&found, all[i].statement, all[i].is) == 1, "%s", all[i].element);
        ck_assert_int_eq(count_of(&found, "SEG-007", WCTS_SAID_KEPT), 0);
        free(found.rules);
    }
}
END_TEST

static void load(void)
{
    const char *seed = getenv("WCTS_SEED");
    struct wcts_diagnostics diagnostics = {.out = stderr};
    state = seed ? strtoull(seed, NULL, 0) : state;
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
}

static void unload(void)
{
    wcts_oracle_eval_release(&eval);
    wcts_load_spec_free(spec);
    free(said);
}

int main(void)
{
    Suite *suite = suite_create("import");
    TCase *tcase = tcase_create("recordings");
    SRunner *runner = srunner_create(suite);
    int failed;
    srunner_set_fork_status(runner, CK_NOFORK);
    tcase_set_timeout(tcase, 0);
    tcase_add_unchecked_fixture(tcase, load, unload);
    tcase_add_test(tcase, numbers_as_tracerpt_prints_them);
    tcase_add_test(tcase, events_are_believed_as_the_data_says);
    tcase_add_test(tcase, adapters_are_apart);
    tcase_add_test(tcase, adapters_may_be_many);
    tcase_add_test(tcase, parts_make_the_whole);
    tcase_add_test(tcase, lines_may_know_a_part);
    tcase_add_test(tcase, trace_shows_what_lines_show);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
