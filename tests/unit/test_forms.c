/* SPDX-License-Identifier: MIT */
/*
 * Rules of each shape, asked about small worlds: when they hold, when they are broken, when they
 * are not asked. They are those of tests/data/forms. Runs in the top directory.
 *
 * A world is written as instances with ";" between them: [<][!][~]STRUCTURE member[.flag]=value ...
 *   <  hangs on the last instance before it that has no "<"
 *   !  is not there (a companion whose flag is clear)
 *   ~  has ended (an allocation that the kernel gave back)
 * A value is a number, a symbol of the cases, or symbol+number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/model/cases.h"
#include "runner/oracle/world.h"
#include "suite.h"

#define DATA "tests/data/forms"
#define MAX "0xFFFFFFFFFFFFFFFF"

static struct wcts_spec *spec;
static struct wcts_eval eval;

/* ---- Worlds from text ---- */

static uint64_t number_of(const char *text)
{
    char *end;
    uint64_t number = strtoull(text, &end, 0);
    ck_assert_msg(*end == '\0' && end != text, "%s is no number", text);
    return number;
}

static struct wcts_value value_of(const char *text)
{
    struct wcts_value value = {.symbol = -1, .number = 0};
    char name[64];
    size_t length = strcspn(text, "+");
    if (text[0] >= '0' && text[0] <= '9')
        return (struct wcts_value){.symbol = -1, .number = number_of(text)};
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    value.symbol = wcts_model_cases_symbol(spec->cases, name);
    ck_assert_msg(value.symbol >= 0, "no symbol %s", name);
    if (text[length] == '+')
        value.number = number_of(text + length + 1);
    return value;
}

static void put(struct wcts_world *world, int instance, char *assignment)
{
    char *value = strchr(assignment, '='), *flag = strchr(assignment, '.');
    struct wcts_ref ref = {world->instances[instance].structure, -1, -1};
    ck_assert_ptr_nonnull(value);
    *value++ = '\0';
    if (flag != NULL)
        *flag++ = '\0';
    ref.member = wcts_model_spec_member(spec, ref.structure, assignment);
    ck_assert_msg(ref.member >= 0, "no member %s", assignment);
    if (flag != NULL) {
        ref.flag = wcts_model_spec_flag(spec, wcts_model_ref_member(spec, ref)->word, flag);
        ck_assert_msg(ref.flag >= 0, "no flag %s", flag);
    }
    wcts_world_put(world, instance, ref, value_of(value));
}

static void add_instance(struct wcts_world *world, char *text, int *last)
{
    char *rest = NULL, *word = strtok_r(text, " ", &rest);
    size_t marks;
    int structure, index;
    ck_assert_ptr_nonnull(word);
    marks = strspn(word, "<!~");
    structure = wcts_model_spec_structure(spec, word + marks);
    ck_assert_msg(structure >= 0, "no structure %s", word);
    index = wcts_world_add(world, structure, "", memchr(word, '<', marks) ? *last : -1,
                           (struct wcts_ref){-1, -1, -1});
    ck_assert_int_ge(index, 0);
    world->instances[index].present = memchr(word, '!', marks) == NULL;
    world->instances[index].ended = memchr(word, '~', marks) != NULL;
    if (!memchr(word, '<', marks))
        *last = index;
    while ((word = strtok_r(NULL, " ", &rest)) != NULL)
        put(world, index, word);
}

static void make_world(struct wcts_world *world, const char *text, int version, uint32_t page_size)
{
    char *copy = strdup(text), *rest = NULL;
    int last = -1;
    wcts_world_init(world, &eval, version, page_size);
    for (char *one = strtok_r(copy, ";", &rest); one; one = strtok_r(NULL, ";", &rest))
        add_instance(world, one, &last);
    free(copy);
}

/* ---- The questions ---- */

#define HOLDS WCTS_TRUE
#define BROKEN WCTS_FALSE
#define NOT_ASKED WCTS_UNKNOWN

static const struct {
    const char *rule, *world;
    enum wcts_truth truth;
} questions[] = {
    /* flags */
    {"requires-any", "CREATE", NOT_ASKED},
    {"requires-any", "CREATE Flags.Resource=1", NOT_ASKED},
    {"requires-any", "CREATE Flags.Shared=1", BROKEN},
    {"requires-any", "CREATE Flags.Shared=1 Flags.Late=1", BROKEN},
    {"requires-any", "CREATE Flags.Shared=1 Flags.Standard=1", HOLDS},
    {"requires-any", "CREATE Flags.Shared=1 Flags.Standard=1 Flags.Resource=1", HOLDS},
    {"requires-any", "!CREATE Flags.Shared=1", NOT_ASKED},
    {"requires-all", "CREATE Flags.Shared=1 Flags.Resource=1", BROKEN},
    {"requires-all", "CREATE Flags.Shared=1 hDevice=1", BROKEN},
    {"requires-all", "CREATE Flags.Shared=1 Flags.Resource=1 hDevice=1", HOLDS},
    {"requires-all", "CREATE Flags.Shared=1 Flags.Resource=1 hDevice=adapter", HOLDS},
    {"requires-all", "CREATE Flags.Resource=1 hDevice=1", NOT_ASKED},
    {"requires-other", "DRIVER paging.Map=1; SEGMENT Flags.Aperture=1", HOLDS},
    {"requires-other", "DRIVER; SEGMENT Flags.Aperture=1", BROKEN},
    {"requires-other", "DRIVER; SEGMENT Flags.Agp=1", NOT_ASKED},
    {"requires-other", "DRIVER; SEGMENT; SEGMENT Flags.Aperture=1", BROKEN},
    {"excludes", "CREATE Flags.Standard=1", NOT_ASKED},
    {"excludes", "CREATE Flags.Shared=1", HOLDS},
    {"excludes", "CREATE Flags.Shared=1 Flags.Standard=1", BROKEN},
    {"excludes", "CREATE Flags.Shared=1 NumAllocations=1", BROKEN},
    {"at-least-one", "CREATE", BROKEN},
    {"at-least-one", "CREATE Flags.Standard=1", BROKEN},
    {"at-least-one", "CREATE Flags.Shared=1", HOLDS},
    {"at-least-one", "CREATE Flags.Shared=1 Flags.Resource=1", HOLDS},
    {"exactly-one", "CREATE", BROKEN},
    {"exactly-one", "CREATE Flags.Resource=1", HOLDS},
    {"exactly-one", "CREATE Flags.Standard=1", HOLDS},
    {"exactly-one", "CREATE Flags.Resource=1 Flags.Standard=1", BROKEN},
    {"exactly-one", "CREATE Flags=0x7", BROKEN},
    {"exclusive", "CREATE Flags=0x3", NOT_ASKED},
    {"exclusive", "CREATE Flags.Standard=1", HOLDS},
    {"exclusive", "CREATE Flags.Standard=1 Flags.Resource=1", BROKEN},
    {"exclusive", "CREATE Flags.Standard=1 Flags.Late=1", BROKEN},
    {"exclusive", "CREATE Flags=0x80000004", HOLDS}, /* no flag has bit 31: another rule's matter */
    {"reserved", "CREATE Flags=0xFFFFFFFB", HOLDS},
    {"reserved", "CREATE Flags.Standard=1", BROKEN},
    {"undefined", "CREATE Flags=0xF", HOLDS},
    {"undefined", "CREATE Flags=0x1F", BROKEN},
    {"undefined", "CREATE Flags=0x80000000", BROKEN},
    {"FRM-3", "CREATE Flags.Resource=1", HOLDS},
    {"FRM-3", "CREATE Flags.Resource=1 Flags.Standard=1", BROKEN},
    {"FRM-3", "CREATE Flags.Resource=1 Flags.Standard=1 Flags.Late=1", BROKEN},
    {"FRM-3", "CREATE Flags=0x7", HOLDS},

    /* numbers, up to 2^64 */
    {"align", "MAP SizeInBytes=0", HOLDS},
    {"align", "MAP SizeInBytes=0x1000", HOLDS},
    {"align", "MAP SizeInBytes=0xFFF", BROKEN},
    {"align", "MAP SizeInBytes=0x1001", BROKEN},
    {"align", "MAP SizeInBytes=0x800", BROKEN},
    {"align", "MAP SizeInBytes=0x100000000", HOLDS},
    {"align", "MAP SizeInBytes=0x100000001", BROKEN},
    {"align", "MAP SizeInBytes=0xFFFFFFFFFFFFF000", HOLDS},
    {"align", "MAP SizeInBytes=" MAX, BROKEN},
    {"multiple", "MAP SizeInBytes=0x3000", NOT_ASKED},
    {"multiple", "MAP SizeInBytes=0x3000 Part=0x1000", HOLDS},
    {"multiple", "MAP SizeInBytes=0x3000 Part=0x2000", BROKEN},
    {"multiple", "MAP SizeInBytes=0x3000 Part=0x6000", BROKEN},
    {"multiple", "MAP SizeInBytes=0 Part=0x1000", HOLDS},
    {"multiple", "MAP SizeInBytes=" MAX " Part=" MAX, HOLDS},
    {"multiple", "MAP SizeInBytes=" MAX " Part=3", HOLDS},
    {"multiple", "MAP SizeInBytes=" MAX " Part=2", BROKEN},
    {"range", "MAP SizeInBytes=0", BROKEN},
    {"range", "MAP SizeInBytes=0xFFF", BROKEN},
    {"range", "MAP SizeInBytes=0x1000", HOLDS},
    {"range", "MAP SizeInBytes=0xFFFFFFFFFFFFF000", HOLDS},
    {"range", "MAP SizeInBytes=0xFFFFFFFFFFFFF001", BROKEN},
    {"range", "MAP SizeInBytes=" MAX, BROKEN},
    {"range-member", "MAP SizeInBytes=5 Part=5", HOLDS},
    {"range-member", "MAP SizeInBytes=5 Part=6", BROKEN},
    {"range-member", "MAP SizeInBytes=0 Part=0", HOLDS},
    {"range-member", "MAP SizeInBytes=" MAX " Part=" MAX, HOLDS},
    {"no-wrap", "MAP BaseAddress=" MAX " SizeInBytes=0", HOLDS},
    {"no-wrap", "MAP BaseAddress=" MAX " SizeInBytes=1", HOLDS},
    {"no-wrap", "MAP BaseAddress=" MAX " SizeInBytes=2", BROKEN},
    {"no-wrap", "MAP BaseAddress=0xFFFFFFFFFFFFF000 SizeInBytes=0x1000", HOLDS},
    {"no-wrap", "MAP BaseAddress=0xFFFFFFFFFFFFF000 SizeInBytes=0x1001", BROKEN},
    {"no-wrap", "MAP BaseAddress=0xFFFFFFFFFFFFF000 SizeInBytes=" MAX, BROKEN},
    {"no-wrap", "MAP BaseAddress=0 SizeInBytes=" MAX, HOLDS},
    {"no-wrap", "MAP BaseAddress=1 SizeInBytes=" MAX, HOLDS},
    {"no-wrap", "MAP BaseAddress=2 SizeInBytes=" MAX, BROKEN},
    {"no-wrap", "MAP BaseAddress=A SizeInBytes=0x10000", HOLDS},
    {"no-wrap", "MAP BaseAddress=A SizeInBytes=" MAX, BROKEN},
    {"fits", "MAP SizeInBytes=0x10000", NOT_ASKED},                     /* of no object */
    {"fits", "MAP hAllocation=adapter SizeInBytes=0x10000", NOT_ASKED}, /* that has no size */
    {"fits", "MAP hAllocation=shared SizeInBytes=0x10000", HOLDS},
    {"fits", "MAP hAllocation=shared SizeInBytes=0x10001", BROKEN},
    {"fits", "MAP hAllocation=shared Offset=0x10000", HOLDS},
    {"fits", "MAP hAllocation=shared Offset=0x10001", BROKEN},
    {"fits", "MAP hAllocation=shared Offset=0xF000 SizeInBytes=0x1000", HOLDS},
    {"fits", "MAP hAllocation=shared Offset=0xF000 SizeInBytes=0x2000", BROKEN},
    {"fits", "MAP hAllocation=shared Offset=0xFFFFFFFFFFFFF000 SizeInBytes=0x1000", BROKEN},
    {"fits", "MAP hAllocation=shared Offset=0xFFFFFFFFFFFFF000 SizeInBytes=0x2000", BROKEN},
    {"fits", "MAP hAllocation=shared Offset=0x1000 SizeInBytes=" MAX, BROKEN},
    {"fits-or", "MAP hAllocation=shared Part=0x1000 SizeInBytes=0x20000", HOLDS},
    {"fits-or", "MAP hAllocation=shared Part=0 SizeInBytes=0x20000", BROKEN},
    {"fits-or", "MAP hAllocation=shared Part=0 SizeInBytes=0x10000", HOLDS},
    {"fits-or", "MAP hAllocation=shared Part=0x20000 SizeInBytes=0x1000", BROKEN},
    {"nonzero", "CREATE", BROKEN},
    {"nonzero", "CREATE hDevice=1", HOLDS},
    {"nonzero", "CREATE hDevice=adapter", HOLDS},
    {"zero", "CREATE", HOLDS},
    {"zero", "CREATE hDevice=1", BROKEN},
    {"zero", "CREATE hDevice=adapter", BROKEN},

    /* objects */
    {"handle", "MAP hAllocation=0", BROKEN},
    {"handle", "MAP hAllocation=0x1234", BROKEN},
    {"handle", "MAP hAllocation=shared", HOLDS},
    {"handle", "MAP hAllocation=plain", HOLDS},
    {"handle", "MAP hAllocation=stale", BROKEN},
    {"handle", "MAP hAllocation=adapter", BROKEN},
    {"handle", "MAP hAllocation=buffer", BROKEN},
    {"handle", "MAP hAllocation=A", BROKEN},
    {"handle-with", "MAP hAllocation=shared", HOLDS},
    {"handle-with", "MAP hAllocation=plain", BROKEN},
    {"handle-with", "MAP hAllocation=stale", BROKEN},

    /* segments: bit n is segment n + 1; five groups of id:5, direction:1 */
    {"subset", "ALLOCATION SupportedWriteSegmentSet=0x3", NOT_ASKED},
    {"subset", "ALLOCATION PreferredSegment=0x1 SupportedWriteSegmentSet=0x1", HOLDS},
    {"subset", "ALLOCATION PreferredSegment=0x2 SupportedWriteSegmentSet=0x1", BROKEN},
    {"subset", "ALLOCATION PreferredSegment=0x22 SupportedWriteSegmentSet=0x2", HOLDS},
    {"subset", "ALLOCATION PreferredSegment=0x81 SupportedWriteSegmentSet=0x1", BROKEN},
    {"subset", "ALLOCATION PreferredSegment=0x81 SupportedWriteSegmentSet=0x3", HOLDS},
    {"subset", "ALLOCATION PreferredSegment=0x5000000 SupportedWriteSegmentSet=0x10", HOLDS},
    {"subset", "ALLOCATION PreferredSegment=0x5000000 SupportedWriteSegmentSet=0xF", BROKEN},
    {"subset", "ALLOCATION PreferredSegment=0x1F SupportedWriteSegmentSet=0x40000000", HOLDS},
    {"segments-any", "SEGMENT; ALLOCATION", NOT_ASKED},
    {"segments-any", "SEGMENT; ALLOCATION SupportedWriteSegmentSet=1", BROKEN},
    {"segments-any", "SEGMENT Flags.Aperture=1; ALLOCATION SupportedWriteSegmentSet=1", HOLDS},
    {"segments-any", "SEGMENT Flags.Agp=1; ALLOCATION SupportedWriteSegmentSet=1", HOLDS},
    {"segments-any",
     "SEGMENT Flags.Agp=1; SEGMENT Flags.Aperture=1; ALLOCATION SupportedWriteSegmentSet=3", HOLDS},
    {"segments-any", "SEGMENT Flags.Agp=1; SEGMENT; ALLOCATION SupportedWriteSegmentSet=3", BROKEN},
    {"segments-any", "SEGMENT Flags.Agp=1; ALLOCATION SupportedWriteSegmentSet=3", HOLDS},
    {"segments-with", "SEGMENT; SEGMENT Flags.Agp=1; ALLOCATION SupportedWriteSegmentSet=1", HOLDS},
    {"segments-with", "SEGMENT; SEGMENT Flags.Agp=1; ALLOCATION SupportedWriteSegmentSet=2",
     BROKEN},
    {"segments-with", "SEGMENT; SEGMENT Flags.Agp=1; ALLOCATION SupportedWriteSegmentSet=3",
     BROKEN},
    {"count", "SEGMENT; SEGMENT Flags.Aperture=1", NOT_ASKED},
    {"count", "SEGMENT Flags.Agp=1; SEGMENT", HOLDS},
    {"count", "SEGMENT Flags.Agp=1; SEGMENT; SEGMENT Flags.Agp=1", BROKEN},
    {"count", "SEGMENT Flags.Agp=1; !SEGMENT Flags.Agp=1", HOLDS},

    /* pages: A and B lie side by side, then N without access, then what was freed */
    {"pages", "MAP BaseAddress=A SizeInBytes=0", HOLDS},
    {"pages", "MAP BaseAddress=A SizeInBytes=0x8000", HOLDS},
    {"pages", "MAP BaseAddress=A SizeInBytes=0x8001", BROKEN},
    {"pages", "MAP BaseAddress=A+0x7000 SizeInBytes=0x1000", HOLDS},
    {"pages", "MAP BaseAddress=A+0x7FFF SizeInBytes=1", HOLDS},
    {"pages", "MAP BaseAddress=A+0x7FFF SizeInBytes=2", BROKEN},
    {"pages", "MAP BaseAddress=A+0x8FFF SizeInBytes=1", BROKEN},
    {"pages", "MAP BaseAddress=A+0x9000 SizeInBytes=0x7000", HOLDS},
    {"pages", "MAP BaseAddress=invalid SizeInBytes=1", BROKEN},
    {"pages", "MAP BaseAddress=invalid+0x1000 SizeInBytes=1", HOLDS},
    {"pages", "MAP BaseAddress=end-of-A SizeInBytes=0x11000", HOLDS},
    {"pages", "MAP BaseAddress=end-of-A SizeInBytes=0x11001", BROKEN},
    {"pages", "MAP BaseAddress=end-of-B SizeInBytes=0x1000", HOLDS},
    {"pages", "MAP BaseAddress=end-of-B SizeInBytes=0x1001", BROKEN},
    {"pages", "MAP BaseAddress=A+0x10000 SizeInBytes=0x1000", HOLDS}, /* is B */
    {"pages", "MAP BaseAddress=N SizeInBytes=1", BROKEN},
    {"pages", "MAP BaseAddress=F SizeInBytes=1", BROKEN},
    {"pages", "MAP BaseAddress=Alone SizeInBytes=0x10000", HOLDS},
    {"pages", "MAP BaseAddress=Alone SizeInBytes=0x10001", BROKEN},
    {"pages", "MAP BaseAddress=Alone SizeInBytes=" MAX, BROKEN},
    {"pages", "MAP BaseAddress=0x5000 SizeInBytes=1", BROKEN},
    {"pages", "MAP BaseAddress=buffer SizeInBytes=1", BROKEN},
    {"pages-mapped", "MAP BaseAddress=A SizeInBytes=0x2000", HOLDS},
    {"pages-mapped", "MAP BaseAddress=A+0x1800 SizeInBytes=0x800", HOLDS},
    {"pages-mapped", "MAP BaseAddress=A+0x1800 SizeInBytes=0x801", BROKEN},
    {"pages-mapped", "MAP BaseAddress=mapped+0x1FFF SizeInBytes=1", BROKEN},
    {"pages-mapped", "MAP BaseAddress=mapped+0x2000 SizeInBytes=0x30000", HOLDS},
    {"pages-mapped", "MAP BaseAddress=0x5000 SizeInBytes=" MAX, HOLDS},
    {"reservation", "MAP BaseAddress=A SizeInBytes=0x10000", HOLDS},
    {"reservation", "MAP BaseAddress=A SizeInBytes=0x10001", BROKEN},
    {"reservation", "MAP BaseAddress=end-of-A SizeInBytes=0x2000", BROKEN},
    {"reservation", "MAP BaseAddress=B SizeInBytes=0x10000", HOLDS},
    {"reservation", "MAP BaseAddress=A+0x10000 SizeInBytes=0x10000", HOLDS},
    {"reservation", "MAP BaseAddress=N SizeInBytes=0x1000", BROKEN},
    {"reservation", "MAP BaseAddress=F SizeInBytes=0x1000", BROKEN},
    {"reservation", "MAP BaseAddress=Alone SizeInBytes=0x10001", BROKEN},
    {"reservation", "MAP BaseAddress=0x5000 SizeInBytes=0x1000", BROKEN},
    {"reservation", "MAP BaseAddress=A SizeInBytes=" MAX, BROKEN},
    {"reservation-none", "MAP BaseAddress=N SizeInBytes=0x10000", HOLDS},
    {"reservation-none", "MAP BaseAddress=N SizeInBytes=0x10001", BROKEN},
    {"reservation-none", "MAP BaseAddress=A SizeInBytes=0x1000", BROKEN},
    {"together", "MAP BaseAddress=A SizeInBytes=0x10000; MAP BaseAddress=A+0x8000 SizeInBytes=1",
     HOLDS},
    {"together", "MAP BaseAddress=A SizeInBytes=0x1000; MAP BaseAddress=B SizeInBytes=0x1000",
     BROKEN},
    {"together", "MAP BaseAddress=end-of-A SizeInBytes=0x2000", BROKEN},
    {"together", "MAP BaseAddress=A SizeInBytes=1; COPY SourceAddress=A SizeInBytes=1", HOLDS},
    {"together", "MAP BaseAddress=A SizeInBytes=1; COPY SourceAddress=B SizeInBytes=1", BROKEN},
    {"together", "MAP BaseAddress=A SizeInBytes=1; COPY SourceAddress=0x5000 SizeInBytes=1", HOLDS},
    {"together", "MAP BaseAddress=A SizeInBytes=1; COPY SourceAddress=F SizeInBytes=1", HOLDS},
    {"together", "MAP BaseAddress=0x5000 SizeInBytes=1", BROKEN},
    {"together", "MAP BaseAddress=A SizeInBytes=1; !MAP BaseAddress=B SizeInBytes=1", HOLDS},
    {"together", "COPY SourceAddress=A SizeInBytes=1", NOT_ASKED}, /* it is a rule on MAP */

    /* lists */
    {"distinct", "ALLOCATION hAllocation=1", NOT_ASKED},
    {"distinct", "ALLOCATION hAllocation=1; ALLOCATION hAllocation=2", HOLDS},
    {"distinct", "ALLOCATION hAllocation=1; ALLOCATION hAllocation=1", BROKEN},
    {"distinct", "ALLOCATION hAllocation=1; ALLOCATION hAllocation=2; ALLOCATION hAllocation=1",
     BROKEN},
    {"distinct", "~ALLOCATION hAllocation=1; ALLOCATION hAllocation=1", NOT_ASKED},
    {"distinct", "~ALLOCATION hAllocation=1; ALLOCATION hAllocation=2; ALLOCATION hAllocation=1",
     HOLDS},
    {"banks", "SEGMENT Size=0x1000", NOT_ASKED},
    {"banks", "SEGMENT Size=0x1000; <BANK Start=0 Length=0x1000", HOLDS},
    {"banks", "SEGMENT Size=0x1000; <BANK Start=0 Length=0x1001", BROKEN},
    {"banks", "SEGMENT Size=0x3000; <BANK Start=0 Length=0x1000; <BANK Start=0x1000 Length=0x2000",
     HOLDS},
    {"banks", "SEGMENT Size=0x3000; <BANK Start=0 Length=0x1000; <BANK Start=0x2000 Length=0x1000",
     BROKEN},
    {"banks", "SEGMENT Size=0x3000; <BANK Start=0 Length=0x1000; <BANK Start=0x800 Length=0x1000",
     BROKEN},
    {"banks", "SEGMENT Size=0x3000; <BANK Start=0x1000 Length=0x1000; <BANK Start=0 Length=0x1000",
     BROKEN},
    {"banks", "SEGMENT Size=0x3000; <BANK Start=0x1000 Length=" MAX, BROKEN},
    {"banks", "SEGMENT Size=0x3000; <BANK Start=" MAX " Length=1", BROKEN},
    {"banks", "SEGMENT Size=" MAX "; <BANK Start=1 Length=0xFFFFFFFFFFFFFFFE; <BANK Start=" MAX,
     HOLDS},
    {"banks", "SEGMENT; <BANK; SEGMENT Size=1; <BANK Length=2", BROKEN},

    /* conditions */
    {"when-fact", "CREATE Flags.Shared=1", BROKEN},
    {"when-fact", "CREATE Flags.Shared=1 NumAllocations=1", HOLDS},
    {"when-fact", "CREATE", NOT_ASKED},
    {"when-fact", "CREATE Flags.Shared=1 Flags.Resource=1", NOT_ASKED},
    {"when-zero", "CREATE hDevice=0", BROKEN},
    {"when-zero", "CREATE hDevice=1", NOT_ASKED},
    {"when-zero", "CREATE hDevice=adapter", NOT_ASKED},
    {"when-less", "MAP Part=1 SizeInBytes=2 Offset=1", BROKEN},
    {"when-less", "MAP Part=2 SizeInBytes=2 Offset=1", NOT_ASKED},
    {"when-less", "MAP Part=" MAX " SizeInBytes=2 Offset=1", NOT_ASKED},
    {"when-less", "MAP Part=1 SizeInBytes=2", HOLDS},
    {"when-equals", "MAP Part=7 Offset=1", BROKEN},
    {"when-equals", "MAP Part=8 Offset=1", NOT_ASKED},
    {"when-segment", "SEGMENT Flags.Aperture=1; ALLOCATION SupportedWriteSegmentSet=1", BROKEN},
    {"when-segment", "SEGMENT Flags.Aperture=1; ALLOCATION SupportedWriteSegmentSet=1 Size=1",
     HOLDS},
    {"when-segment", "SEGMENT Flags.Aperture=1; ALLOCATION SupportedWriteSegmentSet=2", NOT_ASKED},
    {"when-segment", "SEGMENT; SEGMENT Flags.Aperture=1; ALLOCATION SupportedWriteSegmentSet=3",
     BROKEN},
    {"when-segment", "SEGMENT Flags.Aperture=1; ALLOCATION SupportedReadSegmentSet=1", NOT_ASKED},
    {"when-or", "SEGMENT Flags.Aperture=1; ALLOCATION SupportedReadSegmentSet=1", BROKEN},
    {"when-or", "SEGMENT Flags.Aperture=1; ALLOCATION SupportedWriteSegmentSet=1", BROKEN},
    {"when-or", "SEGMENT Flags.Aperture=1; ALLOCATION SupportedReadSegmentSet=2", NOT_ASKED},
    {"when-no-segment", "SEGMENT Flags.Aperture=1; ALLOCATION SupportedWriteSegmentSet=1",
     NOT_ASKED},
    {"when-no-segment", "SEGMENT Flags.Agp=1; ALLOCATION SupportedWriteSegmentSet=1", BROKEN},
    {"when-no-segment", "SEGMENT; ALLOCATION SupportedWriteSegmentSet=0", BROKEN},
};

static const struct wcts_rule *rule_of(const char *name)
{
    char id[64];
    snprintf(id, sizeof id, strchr(name, '-') && strncmp(name, "FRM-", 4) == 0 ? "%s" : "FRM-1.%s",
             name);
    for (int i = 0; i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, id) == 0)
            return &spec->rules[i];
    ck_abort_msg("no rule %s", id);
    return NULL;
}

static const char *truth_name(enum wcts_truth truth)
{
    return truth == HOLDS ? "holds" : truth == BROKEN ? "is broken" : "is not asked";
}

static void ask(const char *name, const char *text, int version, uint32_t page_size,
                enum wcts_truth expected)
{
    const struct wcts_rule *rule = rule_of(name);
    struct wcts_world world;
    enum wcts_truth truth;
    make_world(&world, text, version, page_size);
    truth = wcts_oracle_rule_ask_all(&world, rule, NULL);
    ck_assert_msg(truth == expected, "%s %s, expected that it %s: %s", name, truth_name(truth),
                  truth_name(expected), text);
    wcts_world_release(&world);
}

START_TEST(rule_is_asked)
{
    ask(questions[_i].rule, questions[_i].world, spec->versions_count - 1, 4096,
        questions[_i].truth);
}
END_TEST

START_TEST(page_is_that_of_the_host)
{
    static const uint32_t sizes[] = {4096, 16384, 65536};
    for (int i = 0; i < 3; i++) {
        char text[64];
        ask("align-page", "INFO pSystemMem=0", 0, sizes[i], HOLDS);
        ask("align-page", "INFO pSystemMem=buffer", 0, sizes[i], HOLDS);
        ask("align-page", "INFO pSystemMem=buffer+1", 0, sizes[i], BROKEN);
        snprintf(text, sizeof text, "INFO pSystemMem=buffer+%u", sizes[i]);
        ask("align-page", text, 0, sizes[i], HOLDS);
        snprintf(text, sizeof text, "INFO pSystemMem=buffer+%u", sizes[i] / 2);
        ask("align-page", text, 0, sizes[i], BROKEN);
        snprintf(text, sizeof text, "INFO pSystemMem=%u", sizes[i] - 1);
        ask("align-page", text, 0, sizes[i], BROKEN);
        ask("align-page", "INFO pSystemMem=0xFFFFFFFFFFFF0000", 0, sizes[i], HOLDS);
    }
}
END_TEST

START_TEST(versions_decide_about_bits)
{
    int late = wcts_model_spec_version(spec, "2.0");
    /* Before its version the bit is the gate's matter, not that of the undefined bits. */
    ask("undefined", "CREATE Flags.Late=1", late - 1, 4096, HOLDS);
    ask("undefined", "CREATE Flags.Late=1", late, 4096, HOLDS);
    ask("FRM-2", "CREATE Flags.Late=1", late - 1, 4096, BROKEN);
    ask("FRM-2", "CREATE Flags=0x7", late - 1, 4096, HOLDS);
    ck_assert(wcts_oracle_rule_binds(spec, rule_of("FRM-2"), late - 1));
    ck_assert(!wcts_oracle_rule_binds(spec, rule_of("FRM-2"), late));
    ck_assert(wcts_oracle_rule_binds(spec, rule_of("zero"), late));
    /* A flag that is not there yet is no other flag beside an exclusive one. */
    ask("exclusive", "CREATE Flags.Standard=1 Flags.Late=1", late - 1, 4096, HOLDS);
}
END_TEST

/* Every rule of the file is asked, and each but one comes out both ways. */
START_TEST(every_rule_is_here)
{
    for (int r = 0; r < spec->rules_count; r++) {
        const char *id = spec->rules[r].id;
        const char *name = strncmp(id, "FRM-1.", 6) == 0 ? id + 6 : id;
        int seen[3] = {0};
        if (strcmp(name, "align-page") == 0 || strcmp(name, "FRM-2") == 0 ||
            !wcts_model_is_asked(spec->rules[r].form))
            continue;
        for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
            seen[questions[i].truth] += strcmp(questions[i].rule, name) == 0;
        ck_assert_msg(seen[HOLDS] > 0 || spec->rules[r].when_count > 0, "%s never holds", id);
        ck_assert_msg(seen[BROKEN] > 0, "%s is never broken", id);
        ck_assert_msg(spec->rules[r].when_count == 0 || seen[NOT_ASKED] > 0, "%s", id);
    }
}
END_TEST

/* ---- What the rules say together ---- */

static void judge(const char *text, enum wcts_expect expect, enum wcts_expect strict)
{
    struct wcts_world world;
    struct wcts_oracle_prediction prediction;
    make_world(&world, text, spec->versions_count - 1, 4096);
    wcts_world_judge(&world, &prediction);
    ck_assert_msg(prediction.expect == expect && prediction.strict == strict, "%s: %s, %s", text,
                  wcts_model_expect_name(prediction.expect),
                  wcts_model_expect_name(prediction.strict));
    wcts_world_release(&world);
}

START_TEST(advice_binds_strictly_only)
{
    judge("BANK", WCTS_EXPECT_ACCEPT, WCTS_EXPECT_ACCEPT);
    judge("INFO pSystemMem=buffer+1", WCTS_EXPECT_OPEN, WCTS_EXPECT_REFUSE);
    judge("!INFO pSystemMem=buffer+1", WCTS_EXPECT_ACCEPT, WCTS_EXPECT_ACCEPT);
}
END_TEST

/* Members that share storage hold one value. */
START_TEST(unions_hold_one_value)
{
    struct wcts_world world;
    struct wcts_ref ref;
    make_world(&world, "CREATE pPrivateDriverData=5", 0, 4096);
    ref = (struct wcts_ref){world.instances[0].structure, 0, -1};
    ref.member = wcts_model_spec_member(spec, ref.structure, "pStandardAllocation");
    ck_assert_uint_eq(wcts_world_get(&world, 0, ref).number, 5);
    ref.member = wcts_model_spec_member(spec, ref.structure, "pAllocationInfo2");
    ck_assert_uint_eq(wcts_world_get(&world, 0, ref).number, 0);
    wcts_world_release(&world);
}
END_TEST

/* ---- The suite ---- */

static void load(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    spec = wcts_load_spec_load(DATA "/spec", DATA "/cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    ck_assert_int_eq(wcts_load_spec_lint(spec, &diagnostics), 0);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
}

static void unload(void)
{
    wcts_oracle_eval_release(&eval);
    wcts_load_spec_free(spec);
}

int main(void)
{
    Suite *suite = suite_create("forms");
    TCase *tcase = tcase_create("forms");
    tcase_add_unchecked_fixture(tcase, load, unload);
    tcase_add_loop_test(tcase, rule_is_asked, 0, (int)(sizeof questions / sizeof questions[0]));
    tcase_add_test(tcase, page_is_that_of_the_host);
    tcase_add_test(tcase, versions_decide_about_bits);
    tcase_add_test(tcase, every_rule_is_here);
    tcase_add_test(tcase, advice_binds_strictly_only);
    tcase_add_test(tcase, unions_hold_one_value);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
