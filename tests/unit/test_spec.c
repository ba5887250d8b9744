/* SPDX-License-Identifier: MIT */
/*
 * The loader and lint of runner/load: its parts one by one, the good specs of tests/negative,
 * and every wrong one beside them (its README says how they are written). Runs in the top
 * directory. WCTS_UPDATE=1 writes the expected diagnostics anew.
 */
#include <check.h>
#include <dirent.h>
#include <libxml/relaxng.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/arena.h"
#include "runner/base/text.h"
#include "runner/load/grammar.h"
#include "runner/load/kinds.h"
#include "runner/load/xml.h"
#include "runner/model/cases.h"
#include "runner/model/names.h"
#include "runner/model/spec.h"

#include "../../runner/load/spec_files.h"
#include "runner/plan/plan.h"

#define FIXTURES "tests/negative"
#define GOOD FIXTURES "/good"
#define GOOD_PLAN FIXTURES "/good-plan"
#define FIXTURES_MAX 512

static char *fixtures[FIXTURES_MAX];
static int fixture_count;

/* ---- files ---- */

static char *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    char *text;
    *size = 0;
    if (file == NULL)
        return NULL;
    ck_assert_int_eq(fstat(fileno(file), &status), 0);
    text = calloc(1, (size_t)status.st_size + 1);
    ck_assert_ptr_nonnull(text);
    *size = fread(text, 1, (size_t)status.st_size, file);
    fclose(file);
    return text;
}

static void spill(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file != NULL, "%s", path);
    ck_assert_uint_eq(fwrite(text, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static char *path_of(const char *a, const char *b, const char *c)
{
    char *path = NULL;
    ck_assert_int_gt(asprintf(&path, "%s/%s/%s", a, b, c), 0);
    return path;
}

static int is_xml(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".xml") == 0;
}

typedef void file_fn(const char *from, const char *name, void *context);

/* Calls visit for each document in from/part. */
static void each_document(const char *from, const char *part, file_fn *visit, void *context)
{
    struct dirent **entries = NULL;
    char *directory = path_of(from, part, "");
    int count = scandir(directory, &entries, is_xml, alphasort);
    for (int i = 0; i < count; i++) {
        char *path = path_of(from, part, entries[i]->d_name);
        visit(path, entries[i]->d_name, context);
        free(path);
        free(entries[i]);
    }
    free(entries);
    free(directory);
}

static void copy_to(const char *from, const char *name, void *context)
{
    char *to = NULL;
    size_t size;
    char *text = slurp(from, &size);
    ck_assert_ptr_nonnull(text);
    ck_assert_int_gt(asprintf(&to, "%s/%s", (const char *)context, name), 0);
    spill(to, text, size);
    free(to);
    free(text);
}

/* ---- fixtures: files of sections, each below a line "-- NAME" ---- */

#define EXPECTED "expected" /* the last section: the diagnostics; the others are documents */

/* Points into the text of the fixture. */
struct section {
    char name[64];
    const char *text;
    size_t size;
};

/* The first line at or after text that opens a section, or the end of the text. */
static const char *section_line(const char *text)
{
    while (*text != '\0' && strncmp(text, "-- ", 3) != 0)
        text += strcspn(text, "\n") + (strchr(text, '\n') != NULL);
    return text;
}

/* The next section after *rest; false at the end. */
static bool next_section(const char **rest, struct section *section)
{
    const char *line = section_line(*rest);
    if (sscanf(line, "-- %63[^\n]", section->name) != 1)
        return false;
    section->text = line + strcspn(line, "\n");
    section->text += *section->text == '\n';
    *rest = section_line(section->text);
    section->size = (size_t)(*rest - section->text);
    return true;
}

static char *read_fixture(const char *name)
{
    char *path = path_of(FIXTURES, ".", name);
    size_t size;
    char *text = slurp(path, &size);
    ck_assert_msg(text != NULL, "%s cannot be read", path);
    free(path);
    return text;
}

/* Who refuses a fixture: its first line. */
static const char *stage_of(const char *fixture)
{
    static const char *const stages[] = {"reader", "grammar", "names", "lint", "plan"};
    char stage[16] = "";
    sscanf(fixture, "stage: %15s", stage);
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++)
        if (strcmp(stage, stages[i]) == 0)
            return stages[i];
    ck_abort_msg("first line \"%.40s\", expected \"stage: reader|grammar|names|lint|plan\"",
                 fixture);
    return NULL;
}

/* What is said of a fixture, according to its last section; the caller frees it. */
static char *expected_of(const char *name, const char *fixture)
{
    struct section section = {"", "", 0};
    while (next_section(&fixture, &section))
        if (strcmp(section.name, EXPECTED) == 0)
            break;
    ck_assert_msg(strcmp(section.name, EXPECTED) == 0, "%s: no line \"-- " EXPECTED "\"", name);
    return strndup(section.text, section.size);
}

/* Writes what is said of a fixture into it. */
static void update_fixture(const char *name, const char *fixture, const char *diagnostics)
{
    char *path = path_of(FIXTURES, ".", name), *text = NULL;
    const char *rest = fixture, *end = fixture + strlen(fixture);
    struct section section;
    while (next_section(&rest, &section))
        if (strcmp(section.name, EXPECTED) == 0)
            end = section.text - strlen("-- " EXPECTED "\n");
    ck_assert_int_gt(
        asprintf(&text, "%.*s-- " EXPECTED "\n%s", (int)(end - fixture), fixture, diagnostics), 0);
    spill(path, text, strlen(text));
    free(text);
    free(path);
}

static const char *const parts[] = {"spec", "cases", "extra"};

/* A directory with a good spec (NULL: none) and the documents of a fixture (NULL: none) laid over
 * it; the caller frees the name. */
static char *overlay(const char *good, const char *fixture)
{
    char *directory = strdup("/tmp/wcts-spec-XXXXXX");
    struct section section;
    ck_assert_ptr_nonnull(directory);
    ck_assert_ptr_nonnull(mkdtemp(directory));
    for (size_t i = 0; i < 3; i++) {
        char *to = path_of(directory, parts[i], "");
        ck_assert_int_eq(mkdir(to, 0700), 0);
        if (good != NULL)
            each_document(good, parts[i], copy_to, to);
        free(to);
    }
    while (fixture != NULL && next_section(&fixture, &section)) {
        char *to = path_of(directory, ".", section.name);
        if (strcmp(section.name, EXPECTED) != 0)
            spill(to, section.text, section.size);
        free(to);
    }
    return directory;
}

static void remove_one(const char *from, const char *name, void *context)
{
    (void)name, (void)context;
    unlink(from);
}

static void remove_overlay(char *directory)
{
    for (size_t i = 0; i < 3; i++) {
        char *part = path_of(directory, parts[i], "");
        each_document(directory, parts[i], remove_one, NULL);
        rmdir(part);
        free(part);
    }
    rmdir(directory);
    free(directory);
}

/* ---- loading ---- */

struct extras {
    char *names[8];
    int count;
};

static void add_extra(const char *from, const char *name, void *context)
{
    struct extras *extras = context;
    (void)from;
    ck_assert_int_lt(extras->count, 8);
    ck_assert_int_gt(asprintf(&extras->names[extras->count++], "extra/%s", name), 0);
}

/* Loads and lints the spec in directory, and plans it when asked to and nothing was wrong so far,
 * with its names as they look from there. */
static char *diagnose(const char *directory, bool plan, struct wcts_spec **spec)
{
    struct extras extras = {{NULL}, 0};
    struct wcts_diagnostics diagnostics = {NULL, 0};
    char *text = NULL, *here = getcwd(NULL, 0);
    size_t size = 0;
    diagnostics.out = open_memstream(&text, &size);
    each_document(directory, "extra", add_extra, &extras);
    ck_assert_int_eq(chdir(directory), 0);
    *spec = wcts_load_spec_load("spec", "cases", (const char *const *)extras.names, extras.count,
                                &diagnostics);
    if (*spec != NULL && wcts_load_spec_lint(*spec, &diagnostics) == 0 && plan)
        wcts_plan_free(wcts_plan_make(*spec, NULL, &diagnostics));
    ck_assert_int_eq(chdir(here), 0);
    fclose(diagnostics.out);
    for (int i = 0; i < extras.count; i++)
        free(extras.names[i]);
    free(here);
    return text;
}

static struct wcts_spec *load_good(void)
{
    char *directory = overlay(GOOD, NULL);
    struct wcts_spec *spec;
    char *text = diagnose(directory, false, &spec);
    ck_assert_str_eq(text, "");
    ck_assert_ptr_nonnull(spec);
    free(text);
    remove_overlay(directory);
    return spec;
}

static const struct wcts_rule *rule_of(const struct wcts_spec *spec, const char *id)
{
    for (int i = 0; i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, id) == 0)
            return &spec->rules[i];
    ck_abort_msg("no rule %s", id);
    return NULL;
}

/* ---- numbers and lists ---- */

static const struct {
    const char *text;
    bool good;
    uint64_t number;
} numbers[] = {
    {"0", true, 0},
    {"7", true, 7},
    {"9999999999999999999", true, 9999999999999999999u},
    {"10000000000000000000", false, 0},
    {"0x0", true, 0},
    {"0x1f", true, 31},
    {"0xFFFFFFFFFFFFFFFF", true, UINT64_MAX},
    {"0x10000000000000000", false, 0},
    {"", false, 0},
    {"0x", false, 0},
    {"x", false, 0},
    {"01", false, 0},
    {"00", false, 0},
    {"0X10", false, 0},
    {"-1", false, 0},
    {"+1", false, 0},
    {" 1", false, 0},
    {"1 ", false, 0},
    {"1f", false, 0},
    {"0xg", false, 0},
};

START_TEST(numbers_are_parsed)
{
    uint64_t number;
    bool good = wcts_load_parse_number(numbers[_i].text, strlen(numbers[_i].text), &number);
    ck_assert_msg(good == numbers[_i].good, "\"%s\"", numbers[_i].text);
    if (good)
        ck_assert_msg(number == numbers[_i].number, "\"%s\"", numbers[_i].text);
}
END_TEST

START_TEST(lists_are_taken_apart)
{
    const char *list = "  one two   three ", *piece;
    ck_assert_int_eq(wcts_load_count_pieces(list), 3);
    ck_assert_int_eq(wcts_load_count_pieces("   "), 0);
    ck_assert_uint_eq(wcts_next_piece(&list, &piece), 3);
    ck_assert_int_eq(strncmp(piece, "one", 3), 0);
    ck_assert_uint_eq(wcts_next_piece(&list, &piece), 3);
    ck_assert_uint_eq(wcts_next_piece(&list, &piece), 5);
    ck_assert_uint_eq(wcts_next_piece(&list, &piece), 0);
}
END_TEST

static const struct {
    enum wcts_load_value_kind kind;
    const char *value;
    bool good;
} values[] = {
    {WCTS_KIND_REF, "a", true},
    {WCTS_KIND_REF, "A.b.c", true},
    {WCTS_KIND_REF, "a.", false},
    {WCTS_KIND_REF, ".a", false},
    {WCTS_KIND_REF, "a..b", false},
    {WCTS_KIND_REF, "a b", false},
    {WCTS_KIND_REFS, " a   b.c ", true},
    {WCTS_KIND_REFS, "", false},
    {WCTS_KIND_VERSION, "10.20", true},
    {WCTS_KIND_VERSION, "1.", false},
    {WCTS_KIND_VERSION, ".1", false},
    {WCTS_KIND_VERSION, "1.0.0", false},
    {WCTS_KIND_VERSIONS, "1.0..2.0", true},
    {WCTS_KIND_VERSIONS, "..2.0", false},
    {WCTS_KIND_VALUE, "a-b+0x10", true},
    {WCTS_KIND_VALUE, "a+", false},
    {WCTS_KIND_VALUE, "a+b", false},
    {WCTS_KIND_VALUE, "1+1", false},
    {WCTS_KIND_FIELD, "Map.BaseAddress", true},
    {WCTS_KIND_FIELD, "a.b.c", false},
    {WCTS_KIND_BITS, "0 1 1", true},
    {WCTS_KIND_BITS, "01", false},
};

START_TEST(values_are_checked)
{
    struct wcts_load_attribute_row row = {"x", values[_i].kind, true, false, 0, 0, NULL};
    ck_assert_msg(wcts_load_kind_accepts(&row, values[_i].value) == values[_i].good, "\"%s\"",
                  values[_i].value);
}
END_TEST

START_TEST(near_names_are_suggested)
{
    struct wcts_near near = wcts_model_near_start("CpuVisibel", 10);
    char buffer[64];
    wcts_model_near_try(&near, "Aperture");
    wcts_model_near_try(&near, "CpuVisible");
    wcts_model_near_try(&near, "CpuVisibility");
    ck_assert_str_eq(near.best, "CpuVisible");
    ck_assert_str_eq(wcts_model_near_text(&near, buffer, sizeof(buffer)),
                     ", did you mean \"CpuVisible\"?");
    near = wcts_model_near_start("x", 1);
    wcts_model_near_try(&near, "y");
    ck_assert_str_eq(wcts_model_near_text(&near, buffer, sizeof(buffer)), "");
}
END_TEST

/* ---- the reader's limits ---- */

static const enum wcts_load_element_id interface_root[] = {WCTS_EL_INTERFACE, WCTS_EL_NONE};

/* Reads text as a document; its diagnostics, which the caller frees. */
static char *read_text(const char *text, size_t size)
{
    char path[] = "/tmp/wcts-xml-XXXXXX", *message = NULL;
    size_t length;
    struct wcts_diagnostics diagnostics = {open_memstream(&message, &length), 0};
    struct wcts_load_xml_source xml = {wcts_arena_new(), &diagnostics, NULL};
    int file = mkstemp(path);
    struct wcts_load_node *node;
    ck_assert_int_ge(file, 0);
    close(file);
    spill(path, text, size);
    node = wcts_load_xml_read(&xml, path, interface_root);
    unlink(path);
    fclose(diagnostics.out);
    ck_assert_int_eq(node == NULL, diagnostics.errors > 0);
    if (node != NULL)
        ck_assert_int_eq(node->kind, WCTS_EL_INTERFACE);
    wcts_arena_free(xml.arena);
    return message;
}

static void expect(const char *text, size_t size, const char *message)
{
    char *got = read_text(text, size);
    if (message[0] == '\0')
        ck_assert_str_eq(got, "");
    else
        ck_assert_msg(strstr(got, message) != NULL, "%s\nexpected %s", got, message);
    free(got);
}

START_TEST(files_of_4_mib_and_no_more)
{
    size_t size = WCTS_XML_FILE_LIMIT;
    char *text = malloc(size + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, ' ', size + 1);
    memcpy(text, "<interface/>", 12);
    expect(text, size, "");
    expect(text, size + 1, ": the file is larger than 4194304 bytes, the limit\n");
    free(text);
}
END_TEST

/* Not among the fixtures, which are text of 8 bits. */
START_TEST(encoding_of_16_bits)
{
    static const char text[] = "\xFF\xFE<\0s\0p\0e\0c\0/\0>\0\n";
    expect(text, sizeof(text), ":1: encoding of 16 or 32 bits, expected UTF-8\n");
}
END_TEST

START_TEST(lines_beyond_16_bits)
{
    const char *last = "<interface>\n<structure name='a'\n struct='b'>\n<member field='m'\n\n/>"
                       "</structure></interface>";
    size_t lines = 70000, size = lines + strlen(last);
    char *text = malloc(size + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, '\n', lines);
    strcpy(text + lines, last);
    expect(text, size, ":70004: <member> has no attribute \"name\"");
    free(text);
}
END_TEST

START_TEST(values_of_4_kib_and_no_more)
{
    char *text = NULL, *name = calloc(1, 4098);
    int size;
    ck_assert_ptr_nonnull(name);
    memset(name, 'a', 4096);
    size = asprintf(&text, "<interface><word name='%s' bits='1'/></interface>", name);
    expect(text, (size_t)size, "");
    free(text);
    name[4096] = 'a';
    size = asprintf(&text, "<interface><word name='%s' bits='1'/></interface>", name);
    expect(text, (size_t)size, "has 4097 bytes, expected at most 4096");
    free(text);
    free(name);
}
END_TEST

START_TEST(ampersands_and_quotes_in_values)
{
    char path[] = "/tmp/wcts-xml-XXXXXX";
    const char *text = "<spec document='1' source='s' language='l' prefix='p' "
                       "title='a &amp;&lt;&quot;&#38;&#x41; b'/>";
    struct wcts_diagnostics diagnostics = {stdout, 0};
    struct wcts_load_xml_source xml = {wcts_arena_new(), &diagnostics, NULL};
    const enum wcts_load_element_id roots[] = {WCTS_EL_SPEC, WCTS_EL_NONE};
    int file = mkstemp(path);
    struct wcts_load_node *node;
    close(file);
    spill(path, text, strlen(text));
    node = wcts_load_xml_read(&xml, path, roots);
    unlink(path);
    ck_assert_ptr_nonnull(node);
    ck_assert_str_eq(wcts_load_node_value(node, "title"), "a &<\"&A b");
    ck_assert_ptr_null(wcts_load_node_value(node, "nothing"));
    wcts_arena_free(xml.arena);
}
END_TEST

START_TEST(a_file_that_is_not_there)
{
    struct wcts_spec *spec;
    char *directory = overlay(GOOD, NULL), *text, *path = path_of(directory, "spec", "errata.xml");
    unlink(path);
    text = diagnose(directory, false, &spec);
    ck_assert_ptr_null(spec);
    ck_assert_str_eq(text, "spec/errata.xml: cannot be read: No such file or directory\n");
    free(text);
    free(path);
    remove_overlay(directory);
}
END_TEST

START_TEST(a_directory_that_is_not_there)
{
    char *text = NULL;
    size_t size;
    struct wcts_diagnostics diagnostics = {open_memstream(&text, &size), 0};
    ck_assert_ptr_null(wcts_load_spec_load("nowhere", GOOD "/cases", NULL, 0, &diagnostics));
    fclose(diagnostics.out);
    ck_assert_str_eq(text, "nowhere: cannot be read: No such file or directory\n");
    free(text);
}
END_TEST

START_TEST(one_file_too_many)
{
    const char *extra[300];
    char *text = NULL;
    size_t size;
    struct wcts_diagnostics diagnostics = {open_memstream(&text, &size), 0};
    for (int i = 0; i < 300; i++)
        extra[i] = GOOD "/spec/errata.xml";
    ck_assert_ptr_null(wcts_load_spec_load(GOOD "/spec", GOOD "/cases", extra, 300, &diagnostics));
    fclose(diagnostics.out);
    ck_assert_ptr_nonnull(strstr(text, "errata.xml: is one file too many, expected at most 256\n"));
    free(text);
}
END_TEST

/* ---- what is loaded ---- */

/* A rule has these conditions beside its premise, which is its last one. */
START_TEST(conditions)
{
    struct wcts_spec *spec = load_good();
    const struct wcts_rule *rule = rule_of(spec, "SEC-1.range");
    ck_assert_int_eq(rule->on, wcts_model_spec_structure(spec, "CREATE"));
    ck_assert_int_eq(rule->when_count, 4);
    ck_assert_str_eq(rule->when[1].text, "pAllocationInfo2 < NumAllocations");
    ck_assert_str_eq(rule->when[3].text, "pAllocationInfo2 = 7");
    ck_assert_int_eq(rule->premise, 0);
    ck_assert_str_eq(rule_of(spec, "SEC-1.one")->masked_by, "SEC-1.any");
    ck_assert_int_gt(rule_of(spec, "SEC-1.excludes")->premise, 0);
    ck_assert_int_gt(rule_of(spec, "SEC-1.alone")->premise, 0);
    ck_assert_int_gt(rule_of(spec, "SEC-1.count")->premise, 0);
    ck_assert_int_eq(rule_of(spec, "SEC-1.excludes")->when_count, 0);
    ck_assert_int_eq(rule_of(spec, "FST-2")->premise, 0);
    rule = rule_of(spec, "SEC-6");
    ck_assert(rule->layout_sets && !rule->layout_bytes);
    ck_assert_uint_eq(rule->at[0].offset, 12);
    ck_assert_int_eq(spec->opens_count, 1);
    ck_assert_int_gt(spec->opens[0].when, 0);
    wcts_load_spec_free(spec);
}
END_TEST

START_TEST(versions_and_gates)
{
    struct wcts_spec *spec = load_good();
    const struct wcts_rule *gate = rule_of(spec, "SEC-5");
    int word = wcts_model_ref_member(spec, gate->gate)->word;
    const struct wcts_flag *flag =
        &spec->words[word].flags[wcts_model_spec_flag(spec, word, "Standard")];
    ck_assert_int_eq(gate->since, 0);
    ck_assert_int_eq(gate->until, wcts_model_spec_version(spec, "1.1"));
    ck_assert_ptr_eq(&spec->rules[flag->gate], gate);
    ck_assert_int_eq(flag->since, 1);
    ck_assert_int_eq(flag->until, 3);
    ck_assert_int_eq(flag->open_since, 0);
    ck_assert_int_eq(flag->open_until, 1);
    flag++; /* open="1.0..1.1" */
    ck_assert_int_eq(flag->open_until, 2);
    ck_assert_int_eq(flag->gate, -1);
    ck_assert_int_eq(wcts_model_spec_version(spec, "9.9"), -1);
    wcts_load_spec_free(spec);
}
END_TEST

START_TEST(rows_become_rules)
{
    struct wcts_spec *spec = load_good();
    const struct wcts_rule *row = rule_of(spec, "SEC-3.row11");
    const struct wcts_statement *valid =
        &spec->statements[wcts_model_spec_statement(spec, "SEC-4")];
    ck_assert_int_eq(row->form, WCTS_FORM_ROW);
    ck_assert_int_eq(row->cell_count, 2);
    ck_assert(row->cells[0].set && row->cells[1].set);
    ck_assert_int_eq(spec->tables[0].row_count, 4);
    ck_assert_uint_eq(spec->tables[0].rows[2].values, 2); /* column 0 is bit 0 */
    ck_assert_int_eq(valid->rule_count, 0);
    ck_assert_int_eq(valid->row_count, 3);
    ck_assert(valid->pending);
    wcts_load_spec_free(spec);
}
END_TEST

START_TEST(binding_gives_offsets)
{
    struct wcts_spec *spec = load_good();
    int map = wcts_model_spec_structure(spec, "MAP");
    const struct wcts_member *member =
        &spec->structures[map].members[wcts_model_spec_member(spec, map, "SizeInBytes")];
    const struct wcts_message *create =
        &spec->messages[wcts_model_spec_message(spec, "KERNEL_ALLOCATION_CREATE")];
    int info = wcts_model_spec_structure(spec, "INFO");
    ck_assert_uint_eq(spec->structures[map].size, 0x40);
    ck_assert_uint_eq(member->offset, 0x10); /* from the start of the operation */
    ck_assert_uint_eq(member->width, 8);
    ck_assert_uint_eq(create->operation, 0x108);
    ck_assert_uint_eq(create->request_at, 8);
    ck_assert_uint_eq(create->request_size, 8 + 0x48);
    ck_assert_int_eq(create->request, wcts_model_spec_structure(spec, "CREATE"));
    member = &spec->structures[info].members[wcts_model_spec_member(spec, info, "Flags")];
    ck_assert_str_eq(spec->words[member->word].name, "INFOFLAGS"); /* attached by a document */
    wcts_load_spec_free(spec);
}
END_TEST

START_TEST(cases_name_each_other)
{
    struct wcts_spec *spec = load_good();
    const struct wcts_cases *cases = spec->cases;
    const struct wcts_step *create = &cases->steps[wcts_model_cases_step(cases, "create")];
    const struct wcts_symbol *allocation =
        &cases->symbols[wcts_model_cases_symbol(cases, "allocation")];
    const struct wcts_symbol *back = &cases->symbols[wcts_model_cases_symbol(cases, "back")];
    ck_assert_int_eq(create->need_count, 2);
    ck_assert_int_eq(cases->steps[create->needs[1]].message, -1); /* a region */
    ck_assert_int_eq(create->instance_count, 3);
    ck_assert_int_eq(create->instances[1].at_instance, 0);
    ck_assert_str_eq(create->instances[2].name, "second");
    ck_assert_int_ge(create->instances[2].when.flag, 0);
    ck_assert_int_eq(create->instances[1].sets[0].value.symbol,
                     wcts_model_cases_symbol(cases, "buffer"));
    ck_assert_uint_eq(create->instances[1].sets[0].value.number, 0x1000);
    ck_assert_int_eq(allocation->step, wcts_model_cases_step(cases, "create"));
    ck_assert_int_eq(allocation->dead_by, wcts_model_cases_step(cases, "destroy"));
    ck_assert_uint_eq(allocation->size, 0x10000);
    ck_assert_int_eq(back->of, wcts_model_cases_symbol(cases, "A"));
    ck_assert_int_eq(back->state, WCTS_STATE_MAPPED);
    ck_assert_int_eq(cases->adapters[0].instances[2].at_instance, 1); /* the nearest before it */
    ck_assert_int_eq(cases->domains[0].value_count, 3);
    ck_assert(cases->domains[1].only);
    wcts_load_spec_free(spec);
}
END_TEST

START_TEST(good_plan_can_be_planned)
{
    char *directory = overlay(GOOD_PLAN, NULL);
    struct wcts_spec *spec;
    char *text = diagnose(directory, true, &spec);
    ck_assert_str_eq(text, "");
    free(text);
    wcts_load_spec_free(spec);
    remove_overlay(directory);
}
END_TEST

static void hash_file(const char *from, const char *name, void *context)
{
    size_t size;
    char *text;
    if (strcmp(name, "versions.xml") == 0 || strcmp(name, "interface.xml") == 0 ||
        strcmp(name, "errata.xml") == 0)
        return;
    text = slurp(from, &size);
    wcts_digest_add(context, text, size);
    free(text);
}

START_TEST(digest_is_of_all_files)
{
    static const char *const first[] = {"versions.xml", "interface.xml", "errata.xml"};
    struct wcts_spec *spec = load_good();
    struct wcts_digest hash;
    char digest[65];
    wcts_digest_init(&hash);
    for (size_t i = 0; i < 3; i++) {
        char *path = path_of(GOOD, "spec", first[i]);
        size_t size;
        char *text = slurp(path, &size);
        wcts_digest_add(&hash, text, size);
        free(text);
        free(path);
    }
    each_document(GOOD, "spec", hash_file, &hash);
    each_document(GOOD, "cases", hash_file, &hash);
    wcts_digest_end(&hash, digest);
    ck_assert_str_eq(spec->digest, digest);
    wcts_load_spec_free(spec);
}
END_TEST

/* ---- fixtures ---- */

/* NULL when both are equal, else what differs; the caller frees it. */
static char *difference(const char *got, const char *expected)
{
    char *text = NULL;
    if (strcmp(got, expected) == 0)
        return NULL;
    ck_assert_int_gt(asprintf(&text, "got:\n%sexpected:\n%s", got, expected), 0);
    return text;
}

static void check_diagnostics(const char *name)
{
    char *fixture = read_fixture(name);
    bool plan = strcmp(stage_of(fixture), "plan") == 0;
    char *directory = overlay(plan ? GOOD_PLAN : GOOD, fixture);
    struct wcts_spec *spec;
    char *got = diagnose(directory, plan, &spec), *expected, *wrong;
    wcts_load_spec_free(spec);
    ck_assert_msg(got[0] != '\0', "%s: nothing is said of it", name);
    if (getenv("WCTS_UPDATE") != NULL) {
        update_fixture(name, fixture, got);
        free(fixture);
        fixture = read_fixture(name);
    }
    expected = expected_of(name, fixture);
    wrong = difference(got, expected);
    ck_assert_msg(wrong == NULL, "%s\n%s", name, wrong == NULL ? "" : wrong);
    /* A fixture that stays green with another message or line would prove nothing. */
    for (size_t i = 0; expected[i] != '\0'; i++) {
        expected[i] ^= 1;
        wrong = difference(got, expected);
        ck_assert_ptr_nonnull(wrong);
        free(wrong);
        expected[i] ^= 1;
    }
    free(expected);
    free(got);
    free(fixture);
    remove_overlay(directory);
}

/* Several fixtures a process: under sanitizers each looks for leaks at its end, which takes longer
 * than the fixture. */
#define BATCH 20

static void each_of_batch(int batch, void (*check)(const char *name))
{
    for (int i = batch * BATCH; i < (batch + 1) * BATCH && i < fixture_count; i++)
        check(fixtures[i]);
}

START_TEST(fixtures_are_diagnosed)
{
    each_of_batch(_i, check_diagnostics);
}
END_TEST

/* ---- the grammar ---- */

static xmlRelaxNGPtr load_grammar(void)
{
    xmlRelaxNGParserCtxtPtr parser = xmlRelaxNGNewParserCtxt("spec/spec.rng");
    xmlRelaxNGPtr grammar = xmlRelaxNGParse(parser);
    xmlRelaxNGFreeParserCtxt(parser);
    ck_assert_ptr_nonnull(grammar);
    return grammar;
}

static void be_silent(void *context, const char *format, ...)
{
    (void)context, (void)format;
}

struct validation {
    xmlRelaxNGPtr grammar;
    int accepted, rejected;
    char last[PATH_MAX]; /* the last one that was rejected */
};

static void validate(const char *from, const char *name, void *context)
{
    struct validation *validation = context;
    xmlRelaxNGValidCtxtPtr valid = xmlRelaxNGNewValidCtxt(validation->grammar);
    xmlDocPtr document =
        xmlReadFile(from, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    (void)name;
    xmlRelaxNGSetValidErrors(valid, be_silent, be_silent, NULL);
    if (document != NULL && xmlRelaxNGValidateDoc(valid, document) == 0) {
        validation->accepted++;
    } else {
        validation->rejected++;
        snprintf(validation->last, sizeof(validation->last), "%s", from);
    }
    xmlFreeDoc(document);
    xmlRelaxNGFreeValidCtxt(valid);
}

static struct validation validate_all(const char *directory)
{
    struct validation validation = {load_grammar(), 0, 0, ""};
    for (size_t i = 0; i < 3; i++)
        each_document(directory, parts[i], validate, &validation);
    xmlRelaxNGFree(validation.grammar);
    return validation;
}

/* The published grammars. */
static const char *const grammars[] = {[WCTS_GRAMMAR_SPEC] = "spec/spec.rng",
                                       [WCTS_GRAMMAR_BASELINE] = "spec/baseline.rng",
                                       [WCTS_GRAMMAR_PROFILE] = "spec/profile.rng",
                                       [WCTS_GRAMMAR_DECLARATION] = "spec/declaration.rng",
                                       [WCTS_GRAMMAR_TRACE] = "spec/trace.rng"};

START_TEST(grammar_is_that_of_the_tables)
{
    const char *path = grammars[_i];
    char *written = NULL, *there;
    size_t size;
    FILE *out = open_memstream(&written, &size);
    wcts_load_grammar_write(out, (enum wcts_load_grammar)_i);
    fclose(out);
    if (getenv("WCTS_UPDATE") != NULL)
        spill(path, written, size);
    there = slurp(path, &size);
    ck_assert_ptr_nonnull(there);
    ck_assert_msg(strcmp(there, written) == 0, "%s is not what the tables say", path);
    free(there);
    free(written);
}
END_TEST

START_TEST(grammar_accepts_the_good)
{
    struct validation validation = validate_all(GOOD);
    ck_assert_int_eq(validation.accepted, 6);
    ck_assert_msg(validation.rejected == 0, "%s", validation.last);
    validation = validate_all(GOOD_PLAN);
    ck_assert_int_eq(validation.accepted, 5);
    ck_assert_msg(validation.rejected == 0, "%s", validation.last);
    validation = validate_all(".");
    ck_assert_int_gt(validation.accepted, 0);
    ck_assert_msg(validation.rejected == 0, "%s", validation.last);
}
END_TEST

/* What a fixture's stage says of who refuses it: the grammar as well, or only the reader (reader),
 * the resolving of names (names), lint (lint) or the planner (plan). */
static void check_grammar(const char *name)
{
    char *fixture = read_fixture(name);
    char *directory = overlay(NULL, fixture);
    struct validation validation = validate_all(directory);
    const char *stage = stage_of(fixture);
    ck_assert_int_gt(validation.accepted + validation.rejected, 0);
    if (strcmp(stage, "grammar") == 0)
        ck_assert_msg(validation.rejected > 0, "%s is accepted", name);
    else if (strcmp(stage, "reader") != 0)
        ck_assert_msg(validation.rejected == 0, "%s: %s is rejected", name, validation.last);
    free(fixture);
    remove_overlay(directory);
}

START_TEST(grammar_agrees_on_fixtures)
{
    each_of_batch(_i, check_grammar);
}
END_TEST

/* ---- the suite ---- */

static int is_fixture(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".txt") == 0;
}

static void find_fixtures(void)
{
    struct dirent **entries = NULL;
    int count = scandir(FIXTURES, &entries, is_fixture, alphasort);
    for (int i = 0; i < count; i++) {
        if (fixture_count < FIXTURES_MAX)
            fixtures[fixture_count++] = strdup(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

static TCase *parts_case(void)
{
    TCase *tcase = tcase_create("parts");
    tcase_add_loop_test(tcase, numbers_are_parsed, 0, COUNT(numbers));
    tcase_add_test(tcase, lists_are_taken_apart);
    tcase_add_loop_test(tcase, values_are_checked, 0, COUNT(values));
    tcase_add_test(tcase, near_names_are_suggested);
    return tcase;
}

static TCase *reader_case(void)
{
    TCase *tcase = tcase_create("reader");
    tcase_add_test(tcase, files_of_4_mib_and_no_more);
    tcase_add_test(tcase, encoding_of_16_bits);
    tcase_add_test(tcase, lines_beyond_16_bits);
    tcase_add_test(tcase, values_of_4_kib_and_no_more);
    tcase_add_test(tcase, ampersands_and_quotes_in_values);
    tcase_add_test(tcase, a_file_that_is_not_there);
    tcase_add_test(tcase, a_directory_that_is_not_there);
    tcase_add_test(tcase, one_file_too_many);
    return tcase;
}

static TCase *load_case(void)
{
    TCase *tcase = tcase_create("load");
    tcase_add_test(tcase, conditions);
    tcase_add_test(tcase, versions_and_gates);
    tcase_add_test(tcase, rows_become_rules);
    tcase_add_test(tcase, binding_gives_offsets);
    tcase_add_test(tcase, cases_name_each_other);
    tcase_add_test(tcase, good_plan_can_be_planned);
    tcase_add_test(tcase, digest_is_of_all_files);
    return tcase;
}

static TCase *fixtures_case(void)
{
    TCase *tcase = tcase_create("fixtures");
    tcase_add_loop_test(tcase, fixtures_are_diagnosed, 0, (fixture_count + BATCH - 1) / BATCH);
    tcase_add_loop_test(tcase, grammar_is_that_of_the_tables, 0, COUNT(grammars));
    tcase_add_test(tcase, grammar_accepts_the_good);
    tcase_add_loop_test(tcase, grammar_agrees_on_fixtures, 0, (fixture_count + BATCH - 1) / BATCH);
    return tcase;
}

int main(void)
{
    Suite *suite = suite_create("spec");
    SRunner *runner;
    int failed;
    find_fixtures();
    suite_add_tcase(suite, parts_case());
    suite_add_tcase(suite, reader_case());
    suite_add_tcase(suite, load_case());
    suite_add_tcase(suite, fixtures_case());
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    for (int i = 0; i < fixture_count; i++)
        free(fixtures[i]);
    return failed == 0 && fixture_count > 0 ? 0 : 1;
}
