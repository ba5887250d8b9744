/* SPDX-License-Identifier: MIT */
/*
 * Texts of the rule language: what they parse to, what is wrong with them and in which column, how
 * they are printed, what they come to. About the spec of tests/data/forms; runs in the top
 * directory. WCTS_SEED seeds what is random.
 */
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/lang/functions.h"
#include "runner/model/cases.h"
#include "suite.h"

#define DATA "tests/data/forms"

static struct wcts_spec *spec;
static struct wcts_lang_exprs exprs;

static void load(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    spec = wcts_load_spec_load(DATA "/spec", DATA "/cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    wcts_lang_exprs_init(&exprs);
}

static void unload(void)
{
    wcts_lang_exprs_release(&exprs);
    wcts_load_spec_free(spec);
}

static struct wcts_lang_text text_of(const char *text, struct wcts_diagnostics *diagnostics)
{
    return (struct wcts_lang_text){
        text, strlen(text), {"rules.xml", 7, NULL}, "refuse", "rule", diagnostics, false};
}

static int structure(const char *name)
{
    int index = wcts_model_spec_structure(spec, name);
    ck_assert_int_ge(index, 0);
    return index;
}

/* The expression about a structure, of a type (NOTHING: not checked); 0 with errors. */
static int read_text(struct wcts_lang_text *text, int on, enum wcts_lang_type type)
{
    int root = wcts_lang_parse(&exprs, text);
    if (root && type != WCTS_EXPR_NOTHING && !wcts_lang_check(&exprs, spec, text, on, root, type))
        return 0;
    return root;
}

static int expression(const char *text, int on, enum wcts_lang_type type)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    struct wcts_lang_text source = text_of(text, &diagnostics);
    int root = read_text(&source, on, type);
    ck_assert_msg(root != 0, "%s", text);
    return root;
}

/* ---- mistakes ---- */

static const struct {
    const char *on, *text, *message; /* without FILE:LINE and the attribute */
} mistakes[] = {
    /* no expression */
    {"CREATE", "", "column 1: expected a value, found the end"},
    {"CREATE", "   ", "column 4: expected a value, found the end"},
    {"CREATE", "Flags.Shared and", "column 17: expected a value, found the end"},
    {"CREATE", "and Flags.Shared", "column 1: expected a value, found \"and\""},
    {"CREATE", "Flags.Shared Flags.Late",
     "column 14: expected an operator or the end, found \"Flags.Late\""},
    {"CREATE", "Flags.Shared and (Flags.Late or Flags.Resource",
     "column 47: expected \")\", found the end"},
    {"CREATE", "Flags.Shared)", "column 13: expected an operator or the end, found \")\""},
    {"CREATE", "()", "column 2: expected a value, found \")\""},
    {"CREATE", "NumAllocations in {}", "column 20: expected a value, found \"}\""},
    {"CREATE", "NumAllocations in {1, 2", "column 24: expected \",\" or \"}\", found the end"},
    {"CREATE", "NumAllocations in {1; 2}", "column 21: \";\" means nothing here"},
    {"CREATE", "live(hDevice, adapter", "column 22: expected \",\" or \")\", found the end"},
    {"CREATE", "live(hDevice adapter)", "column 14: expected \",\" or \")\", found \"adapter\""},
    {"CREATE", "1 < NumAllocations < 3",
     "column 20: expected \"and\", \"or\" or the end of the comparison, found \"<\""},
    {"CREATE", "NumAllocations = not Flags.Shared",
     "column 18: expected a value, or \"(not ...)\", found \"not\""},
    {"CREATE", "hDevice/", "column 9: expected a member behind \"/\", found the end"},
    {"CREATE", "hDevice/4", "column 9: expected a member behind \"/\", found \"4\""},
    {"CREATE", "5/Index", "column 2: expected an operator or the end, found \"/\""},
    {"CREATE", "Flags.", "column 6: \".\" means nothing here"},
    {"CREATE", "Flags.4", "column 6: \".\" means nothing here"},
    {"CREATE", "Flags .Shared", "column 7: \".\" means nothing here"},
    {"CREATE", "Flags.Shared\xE2\x80\xA6", "column 13: character 0xe2 means nothing here"},
    /* numbers */
    {"CREATE", "NumAllocations = 007",
     "column 18: \"007\" is no number, expected at most 19 digits without a 0 in front, or 0x and "
     "at "
     "most 16"},
    {"CREATE", "NumAllocations = 12345678901234567890",
     "column 18: \"12345678901234567890\" is no number, expected at most 19 digits without a 0 in "
     "front, or 0x and at most 16"},
    {"CREATE", "NumAllocations = 0x",
     "column 18: \"0x\" is no number, expected at most 19 digits without a 0 in front, or 0x and "
     "at "
     "most 16"},
    {"CREATE", "NumAllocations = 4K",
     "column 18: \"4K\" is no number, expected at most 19 digits without a 0 in front, or 0x and "
     "at "
     "most 16"},
    /* of other languages */
    {"CREATE", "NumAllocations == 3", "column 16: \"==\" is no operator, did you mean \"=\"?"},
    {"CREATE", "Flags.Shared && Flags.Late",
     "column 14: \"&&\" is no operator, did you mean \"and\"?"},
    {"CREATE", "!Flags.Shared", "column 1: \"!\" is no operator, did you mean \"not\"?"},
    {"CREATE", "NumAllocations % 3 = 0", "column 16: \"%\" is no operator, did you mean \"mod\"?"},
    /* names */
    {"CREATE", "Flags.Shard",
     "column 1: unknown flag \"Shard\" of CREATEFLAGS, did you mean \"Shared\"?"},
    {"CREATE", "not Flags.Xylophone", "column 5: unknown flag \"Xylophone\" of CREATEFLAGS"},
    {"CREATE", "hDevices = 0",
     "column 1: unknown member \"hDevices\" of CREATE, did you mean \"hDevice\"?"},
    {"CREATE", "Flag.Shared",
     "column 1: unknown member or structure \"Flag\" of CREATE, did you mean \"Flags\"?"},
    {"CREATE", "SEGMENTS.Size = 0",
     "column 1: unknown member or structure \"SEGMENTS\" of CREATE, did you mean \"SEGMENT\"?"},
    {"CREATE", "SEGMENTS.Flags.Agp",
     "column 1: unknown structure \"SEGMENTS\", did you mean \"SEGMENT\"?"},
    {"CREATE", "SEGMENT.Sizes = 0",
     "column 1: unknown member \"Sizes\" of SEGMENT, did you mean \"Size\"?"},
    {"CREATE", "hDevice.Shared", "column 1: member \"hDevice\" has no word, so no flag \"Shared\""},
    {"CREATE", "CREATE.Flags.Shared.Late",
     "column 1: \"CREATE.Flags.Shared.Late\" has too many parts, expected STRUCTURE.member.flag at "
     "most"},
    {"CREATE", "alive(hDevice, adapter)",
     "column 1: unknown function \"alive\", did you mean \"live\"?"},
    {"CREATE", "live(hDevice, adaptor)",
     "column 15: unknown kind of objects \"adaptor\", did you mean \"adapter\"?"},
    {"MAP", "mappd in pages(BaseAddress, SizeInBytes)",
     "column 1: unknown page state \"mappd\", did you mean \"mapped\"?"},
    {"MAP", "pages(BaseAddress, SizeInBytes) in {zero, unmapped}",
     "column 43: unknown page state \"unmapped\", did you mean \"mapped\"?"},
    {"MAP", "reservation(BaseAddress, SizeInBytes, noaccess)",
     "column 39: unknown kind of reservations \"noaccess\", did you mean \"no-access\"?"},
    {"ALLOCATION", "some(SEGMENTS, Flags.Agp)",
     "column 6: unknown structure \"SEGMENTS\", did you mean \"SEGMENT\"?"},
    {"ALLOCATION", "some(SEGMENT, Flags.Shared)",
     "column 15: unknown flag \"Shared\" of SEGMENTFLAGS"},
    {"ALLOCATION", "hAllocation/Size = 0",
     "column 13: \"Size\" is behind a slash, expected STRUCTURE.member"},
    {"ALLOCATION", "hAllocation/Flags.Agp", "column 13: unknown structure \"Flags\""},
    {"ALLOCATION", "live(hAllocation, allocation)/SEGMENT.Size = 0",
     "column 30: expected an operator or the end, found \"/\""},
    {"ALLOCATION", "hAllocation/size(hAllocation) = 0",
     "column 31: expected a member behind \"/\", found \"=\""},
    {"ALLOCATION", "Size/SEGMENT.Size = 0",
     "column 1: \"Size\" leads nowhere, expected a member of type handle, address or segment "
     "before "
     "a slash"},
    /* types */
    {"CREATE", "NumAllocations",
     "column 1: \"NumAllocations\" is a number, expected true or false, such as \"NumAllocations "
     "!= "
     "0\""},
    {"CREATE", "Flags.Shared or hDevice",
     "column 17: \"hDevice\" is a handle, expected true or false, such as \"hDevice != 0\""},
    {"CREATE", "Flags.Shared = 0",
     "column 16: \"0\" is a number, expected true or false, such as \"not Flags.Shared\""},
    {"CREATE", "Flags.Shared != 0",
     "column 17: \"0\" is a number, expected true or false, such as \"Flags.Shared\""},
    {"CREATE", "Flags.Shared = 7", "column 16: \"7\" is a number, expected true or false"},
    {"CREATE", "not NumAllocations + 1 = Flags.Shared",
     "column 26: \"Flags.Shared\" is true or false, expected a number"},
    {"CREATE", "hDevice = NumAllocations",
     "column 11: \"NumAllocations\" is a number, expected a handle"},
    {"CREATE", "hDevice = 1", "column 11: \"1\" is a number, expected a handle"},
    {"CREATE", "hDevice < 1", "column 1: \"hDevice\" is a handle, expected a number"},
    {"CREATE", "(1 < 2) + 3 = 4", "column 4: \"1 < 2\" is true or false, expected a number"},
    {"CREATE", "Flags.Shared in {1, 2}",
     "column 1: \"Flags.Shared\" is true or false, expected a number, or pages(...)"},
    {"CREATE", "NumAllocations in hDevice", "column 19: \"hDevice\" is a handle, expected a set"},
    {"CREATE", "NumAllocations = {1, 2}", "column 18: a set, expected only behind \"in\""},
    {"CREATE", "NumAllocations in {1, Flags.Late}",
     "column 23: \"Flags.Late\" is true or false, expected a number"},
    {"ALLOCATION", "hAllocation in SupportedReadSegmentSet",
     "column 1: \"hAllocation\" is a handle, expected a set of segments"},
    {"MAP", "5 in pages(BaseAddress, SizeInBytes)",
     "column 1: \"5\" is a number, expected a set of page states"},
    {"MAP", "SizeInBytes mod 0 = 0", "column 17: nothing is a multiple of 0"},
    {"MAP", "pages(BaseAddress)", "column 1: \"pages\" with 1 value, expected pages(base, size)"},
    {"MAP", "pages(BaseAddress, SizeInBytes)",
     "column 1: \"pages(BaseAddress, SizeInBytes)\" is a set of page states, expected true or "
     "false"},
    {"MAP", "wraps(BaseAddress, SizeInBytes, 3)",
     "column 1: \"wraps\" with 3 values, expected wraps(base, size)"},
    {"MAP", "wraps(hAllocation, SizeInBytes)",
     "column 7: \"hAllocation\" is a handle, expected a number"},
    {"MAP", "live(hAllocation, 3)", "column 19: expected a kind of objects"},
    {"MAP", "one_reservation(SizeInBytes)",
     "column 17: \"SizeInBytes\" is a number, expected a range"},
    {"MAP", "one_reservation(range(BaseAddress + 1, SizeInBytes))",
     "column 35: \"BaseAddress + 1\" is a number, expected a member"},
    {"MAP", "range(BaseAddress, SizeInBytes) = 0",
     "column 1: \"range(BaseAddress, SizeInBytes)\" is a range, expected a value"},
    {"CREATE", "others(Flags)", "column 8: \"Flags\" is a number, expected a flag"},
    {"CREATE", "undefined(hDevice)",
     "column 11: \"hDevice\" is a handle, expected a member that holds flags"},
    {"CREATE", "undefined(Flags.Late)",
     "column 11: \"Flags.Late\" is true or false, expected a member that holds flags"},
    {"SEGMENT", "repeats(ALLOCATION.hAllocation)",
     "column 9: \"ALLOCATION.hAllocation\" is a handle, expected a member of what this is about"},
    {"SEGMENT", "contiguous(Size, Size)",
     "column 12: \"Size\" is a number, expected a pointer to an array"},
    {"SEGMENT", "count(SEGMENT in Size) = 1",
     "column 18: \"Size\" is a number, expected a set of segments"},
    {"SEGMENT", "nth(SEGMENT, Flags.Agp)",
     "column 1: \"nth\" with 2 values, expected nth(STRUCTURE in set, each, number)"},
    {"SEGMENT", "count(3) = 1", "column 7: expected a structure"},
    {"SEGMENT", "some(SEGMENT, Size)",
     "column 15: \"Size\" is a number, expected true or false, such as \"Size != 0\""},
};

/* The one line that was reported, or "". */
static char *report_of(const char *on, const char *text)
{
    char *reported = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&reported, &size);
    struct wcts_diagnostics diagnostics = {out, 0};
    struct wcts_lang_text source = text_of(text, &diagnostics);
    int root = read_text(&source, structure(on), WCTS_EXPR_FLAG);
    fclose(out);
    ck_assert_msg((root == 0) == (diagnostics.errors == 1), "%s: %d errors", text,
                  diagnostics.errors);
    return reported;
}

START_TEST(mistakes_are_reported_with_their_column)
{
    const char front[] = "rules.xml:7: attribute \"refuse\" of <rule>, ";
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char *reported = report_of(mistakes[i].on, mistakes[i].text), *line = reported;
        ck_assert_msg(strncmp(reported, front, strlen(front)) == 0, "%s: reported \"%s\"",
                      mistakes[i].text, reported);
        line += strlen(front);
        line[strcspn(line, "\n")] = '\0';
        ck_assert_msg(strcmp(line, mistakes[i].message) == 0, "%s:\n  %s\nnot\n  %s",
                      mistakes[i].text, line, mistakes[i].message);
        free(reported);
    }
}
END_TEST

/* ---- canonical texts ---- */

static const struct {
    const char *on, *text, *printed;
} canonical[] = {
    {"CREATE", "Flags.Shared", "Flags.Shared"},
    {"CREATE", "  ( ( Flags.Shared ) )  ", "Flags.Shared"},
    {"CREATE", "CREATE.Flags.Shared", "Flags.Shared"},
    {"CREATE", "SEGMENT.Flags.Agp and DRIVER.paging.Map",
     "SEGMENT.Flags.Agp and DRIVER.paging.Map"},
    {"CREATE", "(Flags.Shared and Flags.Late) or Flags.Resource",
     "Flags.Shared and Flags.Late or Flags.Resource"},
    {"CREATE", "Flags.Shared and (Flags.Late or Flags.Resource)",
     "Flags.Shared and (Flags.Late or Flags.Resource)"},
    {"CREATE", "Flags.Shared and (Flags.Late and Flags.Resource)",
     "Flags.Shared and (Flags.Late and Flags.Resource)"},
    {"CREATE", "not(not Flags.Shared)", "not not Flags.Shared"},
    {"CREATE", "not (NumAllocations = 3)", "not NumAllocations = 3"},
    {"CREATE", "(not Flags.Shared) = Flags.Late", "(not Flags.Shared) = Flags.Late"},
    {"CREATE", "not (Flags.Shared and Flags.Late)", "not (Flags.Shared and Flags.Late)"},
    {"CREATE", "(NumAllocations+1)-2>3", "NumAllocations + 1 - 2 > 3"},
    {"CREATE", "NumAllocations + (1 - 2) > 3", "NumAllocations + (1 - 2) > 3"},
    {"CREATE", "NumAllocations*(2+3) mod 4=(5)", "NumAllocations * (2 + 3) mod 4 = 5"},
    {"CREATE", "NumAllocations mod (2 * 3) = 4", "NumAllocations mod (2 * 3) = 4"},
    {"CREATE", "NumAllocations in {1,0x2 , 65536}", "NumAllocations in {1, 2, 0x10000}"},
    {"CREATE", "reply.hDevice != 0", "reply.hDevice != 0"},
    {"CREATE", "reply.CREATE.Flags.Shared", "reply.Flags.Shared"},
    {"CREATE", "hDevice / START.Index = page", "hDevice/START.Index = page"},
    {"CREATE", "hDevice/reply.HANDLE_REPLY.Handle = 0", "hDevice/reply.HANDLE_REPLY.Handle = 0"},
    {"MAP", "zero in pages(BaseAddress,SizeInBytes)", "zero in pages(BaseAddress, SizeInBytes)"},
    {"MAP", "pages(BaseAddress, SizeInBytes) in {zero,mapped}",
     "pages(BaseAddress, SizeInBytes) in {zero, mapped}"},
    {"MAP", "hAllocation/CREATE.Flags.Shared or live(hAllocation, allocation)",
     "hAllocation/CREATE.Flags.Shared or live(hAllocation, allocation)"},
    {"MAP", "reservation(BaseAddress, SizeInBytes, no_access)",
     "reservation(BaseAddress, SizeInBytes, no_access)"},
    {"ALLOCATION", "each( SEGMENT in (PreferredSegment), Flags.Agp or ALLOCATION.Size>Size )",
     "each(SEGMENT in PreferredSegment, Flags.Agp or ALLOCATION.Size > Size)"},
    {"ALLOCATION", "PreferredSegment in SupportedReadSegmentSet",
     "PreferredSegment in SupportedReadSegmentSet"},
    {"SEGMENT", "some(SEGMENT, SEGMENT.Flags.Agp)", "some(SEGMENT, Flags.Agp)"},
};

static char *print(int on, int root)
{
    WCTS_TEXT(out);
    wcts_lang_print(&exprs, spec, on, root, &out);
    return wcts_text_take(&out);
}

/* The same trees, but for columns. */
static bool same(int a, int b)
{
    const struct wcts_lang_node *one = &exprs.nodes[a], *other = &exprs.nodes[b];
    if (one->op != other->op || one->type != other->type || !one->next != !other->next ||
        (one->next && !same(one->next, other->next)))
        return false;
    switch ((enum wcts_lang_op)one->op) {
    case WCTS_OP_OR:
    case WCTS_OP_AND:
    case WCTS_OP_NOT:
    case WCTS_OP_SET:
        return same(one->a, other->a);
    case WCTS_OP_CALL:
        return one->b == other->b && same(one->a, other->a);
    case WCTS_OP_STRUCTURE:
        return one->a == other->a && !one->b == !other->b && (!one->b || same(one->b, other->b));
    case WCTS_OP_NAME:
    case WCTS_OP_WORD:
        return strcmp(wcts_lang_name(&exprs, one->a), wcts_lang_name(&exprs, other->a)) == 0;
    case WCTS_OP_NUMBER:
    case WCTS_OP_MEMBER:
    case WCTS_OP_PAGE:
        return one->number == other->number;
    default:
        return same(one->a, other->a) && same(one->b, other->b);
    }
}

/* Prints, reads that and prints it again: the same tree and the same text. */
static void round_trip(int on, int root, enum wcts_lang_type type)
{
    char *printed = print(on, root), *again;
    int other = expression(printed, on, type);
    again = print(on, other);
    ck_assert_msg(same(root, other), "%s", printed);
    ck_assert_str_eq(printed, again);
    free(printed);
    free(again);
}

START_TEST(texts_have_a_canonical_form)
{
    for (size_t i = 0; i < sizeof canonical / sizeof *canonical; i++) {
        int on = structure(canonical[i].on);
        int root = expression(canonical[i].text, on, WCTS_EXPR_FLAG);
        char *printed = print(on, root);
        ck_assert_str_eq(printed, canonical[i].printed);
        free(printed);
        round_trip(on, root, WCTS_EXPR_FLAG);
    }
}
END_TEST

START_TEST(operands_of_a_kind_are_one_node)
{
    int root = expression("Flags.Shared and Flags.Late and Flags.Resource and 1 = 2",
                          structure("CREATE"), WCTS_EXPR_FLAG);
    int count = 0;
    ck_assert_int_eq(exprs.nodes[root].op, WCTS_OP_AND);
    for (int i = exprs.nodes[root].a; i; i = exprs.nodes[i].next)
        count++;
    ck_assert_int_eq(count, 4);
    ck_assert_uint_eq(exprs.nodes[exprs.nodes[root].a].column, 1);
    ck_assert_uint_eq(exprs.nodes[root].column, 14);
}
END_TEST

/* ---- random trees ---- */

static uint64_t random_state;

static int draw(int below)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (int)(random_state * UINT64_C(2685821657736338717) % (uint64_t)below);
}

static void seed(void)
{
    const char *given = getenv("WCTS_SEED");
    random_state = given ? strtoull(given, NULL, 0) | 1 : 0x9E3779B97F4A7C15;
}

static int grow_tree(int depth);

static int grow_list(int depth, int least)
{
    int first = grow_tree(depth), last = first;
    for (int count = least - 1 + draw(2); count > 0; count--) {
        int next = grow_tree(depth);
        exprs.nodes[last].next = next;
        last = next;
    }
    return first;
}

static int grow_value(int depth)
{
    static const char *const names[] = {"Flags.Shared", "a", "STRUCTURE.member.flag", "reply.x"};
    struct wcts_lang_node node = {.op = WCTS_OP_NUMBER};
    const char *name = names[draw(4)];
    switch (depth > 0 ? draw(6) : draw(3)) {
    case 0:
        node.number = (uint64_t)draw(3) << draw(60);
        break;
    case 1:
        node.op = WCTS_OP_PAGE;
        break;
    case 2:
        node.op = WCTS_OP_NAME;
        node.a = wcts_lang_exprs_name(&exprs, name, strlen(name));
        break;
    case 3:
        node.op = WCTS_OP_SET;
        node.a = grow_list(depth - 1, 1);
        break;
    case 4:
        node.op = WCTS_OP_CALL;
        node.a = grow_list(depth - 1, 1);
        node.b = draw(WCTS_FUNCTION_COUNT);
        break;
    default:
        node.op = WCTS_OP_NAME;
        node.op = WCTS_OP_NAME;
        node.a = wcts_lang_exprs_name(&exprs, name, strlen(name));
        node.a = node.b = wcts_lang_exprs_add(&exprs, node);
        node.op = WCTS_OP_FOLLOW;
        break;
    }
    return wcts_lang_exprs_add(&exprs, node);
}

/* Any operator of anything: types do not matter to the parser. */
static int grow_tree(int depth)
{
    struct wcts_lang_node node = {.op = (uint8_t)(WCTS_OP_OR + draw(WCTS_OP_MOD - WCTS_OP_OR + 1))};
    if (depth == 0 || draw(3) == 0)
        return grow_value(depth);
    if (node.op <= WCTS_OP_AND)
        node.a = grow_list(depth - 1, 2);
    else
        node.a = grow_tree(depth - 1);
    if (node.op > WCTS_OP_NOT)
        node.b = grow_tree(depth - 1);
    return wcts_lang_exprs_add(&exprs, node);
}

START_TEST(random_trees_are_read_as_they_are_printed)
{
    seed();
    for (int i = 0; i < 20000; i++)
        round_trip(-1, grow_tree(1 + draw(6)), WCTS_EXPR_NOTHING);
}
END_TEST

/* ---- edges ---- */

static char *repeat(const char *front, const char *middle, const char *back, int count)
{
    WCTS_TEXT(out);
    for (int i = 0; i < count; i++)
        wcts_text_add(&out, "%s", front);
    wcts_text_add(&out, "%s", middle);
    for (int i = 0; i < count; i++)
        wcts_text_add(&out, "%s", back);
    return wcts_text_take(&out);
}

static void check_reported(char *text, const char *message)
{
    char *reported = report_of("CREATE", text);
    ck_assert_msg(strstr(reported, message) != NULL, "%.80s: \"%.80s\" and not \"%s\"", text,
                  reported, message);
    free(reported);
    free(text);
}

static void check_good(char *text)
{
    char *reported = report_of("CREATE", text);
    ck_assert_msg(reported[0] == '\0', "%.200s", reported);
    free(reported);
    free(text);
}

START_TEST(texts_are_bounded)
{
    check_good(repeat("(", "Flags.Shared", ")", WCTS_EXPR_DEEPEST - 1));
    check_reported(repeat("(", "Flags.Shared", ")", WCTS_EXPR_DEEPEST), "nested more than 64 deep");
    check_good(repeat("not ", "Flags.Shared", "", WCTS_EXPR_DEEPEST - 1));
    check_reported(repeat("not ", "Flags.Shared", "", 1000), "nested more than 64 deep");
    check_reported(repeat("some(SEGMENT, ", "Flags.Agp", ")", 200), "nested more than 64 deep");
    check_good(repeat("", "Flags.Shared", " and 1 = 1", 400));
    check_good(repeat("", "1 = 1", "+1", 2000));
    check_reported(repeat("", "NumAllocations", "+1", 2000),
                   "+ 1 +...\" is a number, expected true");
    check_reported(repeat(" ", "Flags.Shared", "", WCTS_EXPR_LONGEST),
                   "column 4097: the text has 4108 characters, expected at most 4096");
    check_reported(repeat("a", "", "", 300), "the name has 300 characters, expected at most 255");
    check_reported(repeat("hDevice/", "hDevice", "", 8),
                   "column 64: the path has more than 8 members");
}
END_TEST

/* No byte behind a text is read: each is in memory of its own, without an end. */
static int read_exactly(const char *text, size_t length, int on, struct wcts_diagnostics *reports)
{
    struct wcts_lang_text source = text_of("", reports);
    char *copy = malloc(length + (length == 0));
    int root;
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, length);
    source.text = copy;
    source.length = length;
    root = read_text(&source, on, WCTS_EXPR_FLAG);
    free(copy);
    return root;
}

START_TEST(every_beginning_of_a_text_is_an_expression_or_a_mistake)
{
    for (size_t i = 0; i < sizeof canonical / sizeof *canonical; i++)
        for (size_t length = 0; length <= strlen(canonical[i].text); length++) {
            struct wcts_diagnostics reports = {NULL, 0};
            int root =
                read_exactly(canonical[i].text, length, structure(canonical[i].on), &reports);
            ck_assert_int_eq(root == 0, reports.errors == 1);
        }
}
END_TEST

/* A text with some bytes changed, added and left out. */
static size_t mutate(const char *from, char *text, size_t room)
{
    static const char *const pieces[] = {
        "(", ")",  " and ", " or ",  " not ", " in ",  "{",      "}", ",",    "/",
        ".", "0x", "=",     " mod ", "page",  "Flags", "reply.", "-", "\x80", "99999"};
    size_t length = strlen(from);
    memcpy(text, from, length);
    for (int count = 1 + draw(4); count > 0; count--) {
        size_t at = (size_t)draw((int)length + 1), left = length - at;
        const char *piece = pieces[draw((int)(sizeof pieces / sizeof *pieces))];
        size_t size = draw(2) ? strlen(piece) : 0, out = draw(2) ? (size_t)draw(4) : 0;
        if (out > left)
            out = left;
        if (length + size > room)
            continue;
        memmove(text + at + size, text + at + out, left - out);
        memcpy(text + at, piece, size);
        length += size - out;
        if (length > 0 && draw(3) == 0)
            text[draw((int)length)] = (char)draw(256);
    }
    return length;
}

START_TEST(whatever_is_read_is_an_expression_or_a_mistake)
{
    int good = 0, bad = 0;
    seed();
    for (int i = 0; i < 100000; i++) {
        size_t which = (size_t)draw((int)(sizeof canonical / sizeof *canonical));
        int on = structure(canonical[which].on), root;
        struct wcts_diagnostics reports = {NULL, 0};
        char text[256];
        size_t length = mutate(canonical[which].text, text, sizeof text);
        root = read_exactly(text, length, on, &reports);
        ck_assert_msg((root == 0) == (reports.errors == 1), "%d errors: %.*s", reports.errors,
                      (int)length, text);
        if (root)
            round_trip(on, root, WCTS_EXPR_FLAG);
        good += root != 0;
        bad += root == 0;
        if (exprs.node_count > 1000000) {
            wcts_lang_exprs_release(&exprs);
            wcts_lang_exprs_init(&exprs);
        }
    }
    ck_assert_int_gt(good, 1000);
    ck_assert_int_gt(bad, 1000);
}
END_TEST

/* ---- what they come to ---- */

#define TRUE_NOW WCTS_TRUE
#define FALSE_NOW WCTS_FALSE
#define UNKNOWN WCTS_UNKNOWN

/* Shared is set, Standard not known, hDevice is of a symbol; the others are 0. Of three segments
 * the first has Agp, of the second nothing is known, the third has none. */
static const struct {
    const char *text;
    enum wcts_truth truth;
} questions[] = {
    {"Flags.Shared", TRUE_NOW},
    {"Flags.Late", FALSE_NOW},
    {"Flags.Standard", UNKNOWN},
    /* the table of three values */
    {"Flags.Standard and Flags.Late", FALSE_NOW},
    {"Flags.Late and Flags.Standard", FALSE_NOW},
    {"Flags.Standard and Flags.Shared", UNKNOWN},
    {"Flags.Standard and Flags.Standard", UNKNOWN},
    {"Flags.Standard or Flags.Shared", TRUE_NOW},
    {"Flags.Shared or Flags.Standard", TRUE_NOW},
    {"Flags.Standard or Flags.Late", UNKNOWN},
    {"not Flags.Standard", UNKNOWN},
    {"not Flags.Shared", FALSE_NOW},
    {"not Flags.Late", TRUE_NOW},
    {"Flags.Standard = Flags.Late", UNKNOWN},
    {"Flags.Shared = Flags.Late", FALSE_NOW},
    {"Flags.Resource = Flags.Late", TRUE_NOW},
    {"pStandardAllocation = 0", UNKNOWN},
    {"pStandardAllocation + 1 > 0", UNKNOWN},
    {"NumAllocations in {1, pStandardAllocation, 0}", TRUE_NOW},
    {"NumAllocations in {1, pStandardAllocation}", UNKNOWN},
    {"NumAllocations in {1, 2}", FALSE_NOW},
    {"pStandardAllocation in {0, 1}", UNKNOWN},
    {"NumAllocations mod NumAllocations = 0", UNKNOWN},
    {"exactly_one(Flags.Shared, Flags.Late)", TRUE_NOW},
    {"exactly_one(Flags.Shared, Flags.Standard)", UNKNOWN},
    {"exactly_one(Flags.Shared, Flags.Shared, Flags.Standard)", FALSE_NOW},
    {"default(NumAllocations, pStandardAllocation) = 1", UNKNOWN},
    {"default(3, pStandardAllocation) = 3", TRUE_NOW},
    {"default(INFO.pSystemMem, 3) = INFO.pSystemMem", TRUE_NOW},
    /* sets of instances */
    {"count(SEGMENT) = 3", TRUE_NOW},
    {"count(SEGMENT, Flags.Agp) = 1", UNKNOWN},
    {"count(CREATE, Flags.Shared) = 0", TRUE_NOW},
    {"some(SEGMENT, Flags.Agp)", TRUE_NOW},
    {"each(SEGMENT, Flags.Agp)", FALSE_NOW},
    {"some(SEGMENT, Flags.Aperture)", UNKNOWN},
    {"each(SEGMENT, not Flags.Aperture)", UNKNOWN},
    {"some(CREATE, Flags.Shared)", FALSE_NOW},
    {"nth(SEGMENT, Flags.Agp, 0)", TRUE_NOW},
    {"nth(SEGMENT, Flags.Agp, 1)", UNKNOWN},
    {"nth(SEGMENT, Flags.Agp or Size = 0, 3)", FALSE_NOW},
    {"nth(SEGMENT, Flags.Agp, pStandardAllocation)", UNKNOWN},
    {"nth(SEGMENT in ALLOCATION.PreferredSegment, Flags.Agp, 0)", TRUE_NOW},
    {"nth(SEGMENT in ALLOCATION.SupportedWriteSegmentSet, Flags.Agp, 0)", FALSE_NOW},
    {"each(CREATE, Flags.Shared)", TRUE_NOW},
    {"each(SEGMENT in ALLOCATION.PreferredSegment, Flags.Agp)", TRUE_NOW},
    {"count(SEGMENT in ALLOCATION.SupportedReadSegmentSet) = 2", TRUE_NOW},
    {"some(SEGMENT in ALLOCATION.SupportedWriteSegmentSet, Flags.Agp)", FALSE_NOW},
    {"some(SEGMENT, CREATE.Flags.Shared)", TRUE_NOW},
    {"some(SEGMENT, some(SEGMENT, Flags.Agp and CREATE.Flags.Shared))", TRUE_NOW},
    {"ALLOCATION.PreferredSegment in ALLOCATION.SupportedReadSegmentSet", TRUE_NOW},
    {"ALLOCATION.SupportedReadSegmentSet in ALLOCATION.PreferredSegment", FALSE_NOW},
    {"ALLOCATION.PreferredSegment != 0", TRUE_NOW},
    {"ALLOCATION.SupportedWriteSegmentSet = 0", TRUE_NOW},
    {"1 in ALLOCATION.PreferredSegment", TRUE_NOW},
    {"2 in ALLOCATION.PreferredSegment", FALSE_NOW},
    {"3 in ALLOCATION.SupportedReadSegmentSet", TRUE_NOW},
    {"0 in ALLOCATION.SupportedReadSegmentSet", FALSE_NOW},
    /* numbers are exact */
    {"1 + 2 * 3 = 7", TRUE_NOW},
    {"(1 + 2) * 3 = 9", TRUE_NOW},
    {"10 - 3 - 2 = 5", TRUE_NOW},
    {"10 mod 4 * 3 = 6", TRUE_NOW},
    {"3 - 5 < 0", TRUE_NOW},
    {"(3 - 5) mod 4 = 2", TRUE_NOW},
    {"0xFFFFFFFFFFFFFFFF + 1 > 0xFFFFFFFFFFFFFFFF", TRUE_NOW},
    {"0xFFFFFFFFFFFFFFFF + 1 = 0", FALSE_NOW},
    {"0xFFFFFFFFFFFFFFFF * 0xFFFFFFFFFFFFFFFF = 0", UNKNOWN},
    {"1 <= 1 and 1 >= 1 and not 1 < 1 and not 1 > 1 and 1 != 2", TRUE_NOW},
    {"page = 16384", TRUE_NOW},
    /* symbols */
    {"hDevice = 0", FALSE_NOW},
    {"hDevice = hDevice", TRUE_NOW},
    {"INFO.pSystemMem + 1 > INFO.pSystemMem", TRUE_NOW},
    {"INFO.pSystemMem > 5", UNKNOWN},
    {"INFO.pSystemMem - INFO.pSystemMem = 0", TRUE_NOW},
    {"5 - INFO.pSystemMem = 0", UNKNOWN},
    {"INFO.pSystemMem + INFO.pSystemMem = 0", UNKNOWN},
    {"INFO.pSystemMem * 2 = 0", UNKNOWN},
    {"INFO.pSystemMem mod page = 0", TRUE_NOW},
    {"(INFO.pSystemMem + 5) mod page = 5", TRUE_NOW},
    {"INFO.pSystemMem mod 7 = 0", UNKNOWN},
    {"5 mod INFO.pSystemMem = 0", UNKNOWN},
    /* what the environment knows nothing of */
    {"hDevice/START.Index = 0", UNKNOWN},
    {"live(hDevice, adapter)", UNKNOWN},
    {"size(hDevice) = 0", UNKNOWN},
    {"zero in pages(INFO.pSystemMem, 4096)", UNKNOWN},
    {"reservation(INFO.pSystemMem, 4096, zero)", UNKNOWN},
    {"one_reservation(range(MAP.BaseAddress, MAP.SizeInBytes))", UNKNOWN},
    {"repeats(hDevice)", UNKNOWN},
    {"some(SEGMENT, one_reservation(range(MAP.BaseAddress, MAP.SizeInBytes)))", UNKNOWN},
    {"some(SEGMENT, others(CREATE.Flags.Shared) or undefined(DRIVER.paging))", UNKNOWN},
    {"some(SEGMENT, contiguous(SEGMENT.pBankRangeTable, CREATE.NumAllocations))", UNKNOWN},
    {"undefined(DRIVER.paging)", UNKNOWN},
    {"others(DRIVER.paging.Map)", UNKNOWN},
};

/* The value of a member by its name; -1: it is not known. */
static struct wcts_lang_result stub_value(const struct wcts_lang_env *env, int subject,
                                          const struct wcts_lang_ref *steps, int count)
{
    static const struct {
        const char *name;
        int64_t number;
    } members[] = {{"pStandardAllocation", -1},
                   {"PreferredSegment", 0x21},
                   {"SupportedReadSegmentSet", 5},
                   {"paging", 0x12}};
    const struct wcts_structure *of = &env->spec->structures[steps->structure];
    const struct wcts_member *member = &of->members[steps->member];
    const char *flag =
        steps->flag < 0 ? "" : env->spec->words[member->word].flags[steps->flag].name;
    if (count > 1 || strcmp(flag, "Standard") == 0)
        return wcts_lang_unknown();
    if (strcmp(member->name, "hDevice") == 0 || strcmp(member->name, "pSystemMem") == 0)
        return (struct wcts_lang_result){true, 3, 0};
    if (strcmp(of->name, "SEGMENT") == 0 && subject == 1)
        return wcts_lang_unknown();
    for (size_t i = 0; i < sizeof members / sizeof *members && steps->flag < 0; i++)
        if (strcmp(members[i].name, member->name) == 0)
            return members[i].number < 0 ? wcts_lang_unknown() : wcts_lang_known(members[i].number);
    return wcts_lang_known(strcmp(flag, "Shared") == 0 ||
                           (strcmp(flag, "Agp") == 0 && subject == 0));
}

/* Three segments, and one range that is mapped. */
static int stub_next(const struct wcts_lang_env *env, int subject, int of, int after)
{
    const char *name = env->spec->structures[of].name;
    int count = strcmp(name, "SEGMENT") == 0 ? 3 : strcmp(name, "MAP") == 0;
    (void)subject;
    return after + 1 < count ? after + 1 : -1;
}

static struct wcts_lang_env stub_env(void)
{
    return (struct wcts_lang_env){
        .spec = spec, .page_size = 16384, .value = stub_value, .next = stub_next};
}

START_TEST(expressions_come_to_what_they_say)
{
    static const char *const names[] = {"unknown", "true", "false"};
    const struct wcts_lang_env env = stub_env();
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        int root = expression(questions[i].text, structure("CREATE"), WCTS_EXPR_FLAG);
        enum wcts_truth truth = wcts_lang_truth(&exprs, root, &env, 9);
        ck_assert_msg(truth == questions[i].truth, "%s is %s", questions[i].text, names[truth]);
    }
}
END_TEST

START_TEST(rules_are_kept_broken_or_not_asked)
{
    static const struct {
        const char *when, *refuse, *unless;
        enum wcts_truth truth;
    } rules[] = {
        {NULL, "1 = 1", NULL, WCTS_FALSE},
        {NULL, "1 = 2", NULL, WCTS_TRUE},
        {NULL, "Flags.Standard", NULL, WCTS_UNKNOWN},
        {"1 = 1", "1 = 1", NULL, WCTS_FALSE},
        {"1 = 2", "1 = 1", NULL, WCTS_UNKNOWN},
        {"Flags.Standard", "1 = 1", NULL, WCTS_UNKNOWN},
        {NULL, "1 = 1", "1 = 1", WCTS_TRUE},
        {NULL, "1 = 1", "1 = 2", WCTS_FALSE},
        {NULL, "1 = 1", "Flags.Standard", WCTS_UNKNOWN},
        {NULL, "1 = 2", "1 = 2", WCTS_UNKNOWN},
        {NULL, "Flags.Standard", "1 = 2", WCTS_UNKNOWN},
    };
    const struct wcts_lang_env env = stub_env();
    int on = structure("CREATE");
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct wcts_lang_rule breach = {
            rules[i].when ? expression(rules[i].when, on, WCTS_EXPR_FLAG) : 0,
            expression(rules[i].refuse, on, WCTS_EXPR_FLAG),
            rules[i].unless ? expression(rules[i].unless, on, WCTS_EXPR_FLAG) : 0};
        ck_assert_msg(wcts_lang_rule_ask(&exprs, &breach, &env, 9) == rules[i].truth, "rule %zu",
                      i);
    }
}
END_TEST

/* Counts in the context of the environment. */
static struct wcts_lang_result counted_value(const struct wcts_lang_env *env, int subject,
                                             const struct wcts_lang_ref *steps, int count)
{
    ++**(int *const *)env->context;
    return stub_value(env, subject, steps, count);
}

/* Agp is set in the first of three segments, unknown in the second and clear in the third. */
START_TEST(instances_are_looked_at_up_to_the_one_that_decides)
{
    static const struct {
        const char *text;
        int values;
    } looks[] = {
        {"some(SEGMENT, Flags.Agp)", 1},      {"each(SEGMENT, Flags.Agp)", 3},
        {"each(SEGMENT, not Flags.Agp)", 1},  {"some(SEGMENT, not Flags.Agp)", 3},
        {"count(SEGMENT, Flags.Agp) > 0", 3},
    };
    struct wcts_lang_env env = stub_env();
    int values = 0, *counter = &values;
    env.value = counted_value;
    env.context = &counter;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++, values = 0) {
        int root = expression(looks[i].text, structure("CREATE"), WCTS_EXPR_FLAG);
        wcts_lang_truth(&exprs, root, &env, 9);
        ck_assert_msg(values == looks[i].values, "%s takes %d values", looks[i].text, values);
    }
}
END_TEST

/* ---- the documentation ---- */

/* A page has a line for each function that only recordings have, or for each other one. */
static void check_page(const char *path, bool recordings)
{
    WCTS_TEXT(page);
    char line[4096];
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file))
        wcts_text_add(&page, "%s", line);
    fclose(file);
    for (int i = 0; i < WCTS_FUNCTION_COUNT; i++) {
        const struct wcts_lang_function *function = &wcts_functions[i];
        bool recorded = function->eval == wcts_functions[WCTS_FUNCTION_COUNT - 1].eval;
        snprintf(line, sizeof line, "| `%s` | %s |", function->usage, function->help);
        ck_assert_msg((strstr(wcts_text_get(&page), line) != NULL) == (recorded == recordings),
                      "%s: %s", path, line);
        ck_assert_msg(strncmp(function->usage, function->name, strlen(function->name)) == 0, "%s",
                      function->usage);
    }
}

START_TEST(functions_are_documented)
{
    check_page("docs/internal/expressions.md", true);
    check_page("docs/rules.md", false);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr");
    TCase *tests = tcase_create("expr");
    tcase_add_unchecked_fixture(tests, load, unload);
    tcase_add_test(tests, mistakes_are_reported_with_their_column);
    tcase_add_test(tests, texts_have_a_canonical_form);
    tcase_add_test(tests, operands_of_a_kind_are_one_node);
    tcase_add_test(tests, random_trees_are_read_as_they_are_printed);
    tcase_add_test(tests, texts_are_bounded);
    tcase_add_test(tests, every_beginning_of_a_text_is_an_expression_or_a_mistake);
    tcase_add_test(tests, whatever_is_read_is_an_expression_or_a_mistake);
    tcase_add_test(tests, expressions_come_to_what_they_say);
    tcase_add_test(tests, instances_are_looked_at_up_to_the_one_that_decides);
    tcase_add_test(tests, rules_are_kept_broken_or_not_asked);
    tcase_add_test(tests, functions_are_documented);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
