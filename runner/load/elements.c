/* SPDX-License-Identifier: MIT */
#include "elements.h"

#include <string.h>

#include "../base/text.h"
#include "../model/names.h"
#include "trace.h"

/* One row is one fact. */
/* clang-format off */

#define REQUIRED true
#define OPTIONAL false
#define ROWS(name) static const struct wcts_load_attribute_row name##_attributes[]
#define CHILDREN(name) static const struct wcts_load_child_row name##_children[]
#define END_ROWS {NULL, WCTS_KIND_TEXT, false, false, 0, 0, NULL}
#define END_CHILDREN {WCTS_EL_NONE, 0, 0}

#define ATTRIBUTE(name, kind, required) {name, WCTS_KIND_##kind, required, false, 0, 0, NULL}
#define ONE_OF(name, kind) {name, WCTS_KIND_##kind, false, true, 0, 0, NULL}
#define NUMBER(name, required, min, max) {name, WCTS_KIND_NUMBER, required, false, min, max, NULL}
#define WORD(name, required, words) {name, WCTS_KIND_WORD, required, false, 0, 0, words}
#define WORDS(name, required, words) {name, WCTS_KIND_WORDS, required, false, 0, 0, words}
#define SINCE_UNTIL ATTRIBUTE("since", VERSION, OPTIONAL), ATTRIBUTE("until", VERSION, OPTIONAL)

#define ONE(element) {WCTS_EL_##element, 1, 1}
#define MAY(element) {WCTS_EL_##element, 0, 1}
#define SOME(element) {WCTS_EL_##element, 1, 0}
#define ANY(element) {WCTS_EL_##element, 0, 0}

/* ---- documents ---- */

ROWS(spec) = {
    ATTRIBUTE("document", NAME, REQUIRED),
    ATTRIBUTE("source", NAME, REQUIRED),
    ATTRIBUTE("language", NAME, REQUIRED),
    ATTRIBUTE("prefix", NAME, REQUIRED),
    ATTRIBUTE("title", TEXT, REQUIRED),
    END_ROWS
};
CHILDREN(spec) = {
    ANY(WORD), ANY(STRUCTURE), ANY(STATEMENT), ANY(TABLE), ANY(OPEN), END_CHILDREN
};

ROWS(word) = {
    ATTRIBUTE("name", IDENT, REQUIRED),
    NUMBER("bits", REQUIRED, 1, 64),
    ATTRIBUTE("statement", NAME, OPTIONAL),
    ATTRIBUTE("member", REF, OPTIONAL),
    ATTRIBUTE("order", NAMES, OPTIONAL),
    END_ROWS
};
CHILDREN(word) = {ANY(FLAG), END_CHILDREN};

ROWS(flag) = {
    ATTRIBUTE("name", IDENT, REQUIRED),
    NUMBER("bit", REQUIRED, 0, 63),
    SINCE_UNTIL,
    ATTRIBUTE("open", VERSIONS, OPTIONAL),
    WORD("mapped", OPTIONAL, wcts_yes_no_words),
    END_ROWS
};

ROWS(statement) = {
    ATTRIBUTE("id", NAME, REQUIRED),
    ATTRIBUTE("member", TEXT, REQUIRED),
    WORD("role", REQUIRED, wcts_role_words),
    WORD("level", REQUIRED, wcts_force_words),
    WORD("form", REQUIRED, wcts_statement_form_words),
    WORD("basis", REQUIRED, wcts_basis_words),
    ATTRIBUTE("since", VERSION, REQUIRED),
    ATTRIBUTE("until", VERSION, OPTIONAL),
    ATTRIBUTE("where", TEXT, REQUIRED),
    WORD("derived", OPTIONAL, wcts_yes_no_words),
    ATTRIBUTE("errata", NAMES, OPTIONAL),
    ATTRIBUTE("unquoted", TEXT, OPTIONAL),
    NUMBER("rules", OPTIONAL, 2, 64),
    END_ROWS
};
CHILDREN(statement) = {
    ONE(TEXT), ANY(QUOTE), ANY(RULE), ANY(EFFECT), MAY(PENDING), MAY(NOT_TESTABLE), END_CHILDREN
};

ROWS(not_testable) = {ATTRIBUTE("reason", TEXT, REQUIRED), END_ROWS};

ROWS(rule) = {
    ATTRIBUTE("on", IDENT, REQUIRED),
    ATTRIBUTE("when", TEXT, OPTIONAL),
    ATTRIBUTE("refuse", TEXT, OPTIONAL),
    ATTRIBUTE("assert", TEXT, OPTIONAL),
    ATTRIBUTE("either", TEXT, OPTIONAL),
    ATTRIBUTE("unless", TEXT, OPTIONAL),
    ATTRIBUTE("name", NAME, OPTIONAL),
    SINCE_UNTIL,
    WORD("level", OPTIONAL, wcts_force_words),
    ATTRIBUTE("masked-by", NAMES, OPTIONAL),
    ATTRIBUTE("rests-on", NAMES, OPTIONAL),
    END_ROWS
};
CHILDREN(rule) = {MAY(LAYOUT), END_CHILDREN};

ROWS(effect) = {
    ATTRIBUTE("on", IDENT, REQUIRED),
    ATTRIBUTE("in", IDENT, OPTIONAL),
    ATTRIBUTE("when", TEXT, OPTIONAL),
    ATTRIBUTE("every", IDENT, OPTIONAL),
    ATTRIBUTE("some", IDENT, OPTIONAL),
    ATTRIBUTE("first", IDENT, OPTIONAL),
    ATTRIBUTE("nearest", IDENT, OPTIONAL),
    ATTRIBUTE("no", IDENT, OPTIONAL),
    ATTRIBUTE("all", IDENT, OPTIONAL),
    WORD("look", OPTIONAL, wcts_span_words),
    WORD("refused", OPTIONAL, wcts_too_words),
    ATTRIBUTE("where", TEXT, OPTIONAL),
    ATTRIBUTE("holds", TEXT, OPTIONAL),
    ATTRIBUTE("name", NAME, OPTIONAL),
    SINCE_UNTIL,
    WORD("level", OPTIONAL, wcts_force_words),
    ATTRIBUTE("rests-on", NAMES, OPTIONAL),
    ATTRIBUTE("elective", TEXT, OPTIONAL),
    ATTRIBUTE("unobserved", TEXT, OPTIONAL),
    WORD("recorded", OPTIONAL, wcts_recorded_words),
    ATTRIBUTE("header-only", TEXT, OPTIONAL),
    END_ROWS
};
ROWS(open) = {
    ATTRIBUTE("on", IDENT, REQUIRED),
    ATTRIBUTE("errata", NAMES, REQUIRED),
    ATTRIBUTE("when", TEXT, REQUIRED),
    END_ROWS
};

ROWS(table) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    ATTRIBUTE("on", IDENT, REQUIRED),
    ATTRIBUTE("columns", REFS, REQUIRED),
    SINCE_UNTIL,
    END_ROWS
};
CHILDREN(table) = {SOME(ROW), END_CHILDREN};

ROWS(row) = {
    ATTRIBUTE("values", BITS, REQUIRED),
    WORD("valid", REQUIRED, wcts_yes_no_words),
    ATTRIBUTE("statements", NAMES, REQUIRED),
    ATTRIBUTE("name", NAME, OPTIONAL),
    WORD("outcome", OPTIONAL, wcts_outcome_words),
    WORD("level", OPTIONAL, wcts_force_words),
    ATTRIBUTE("masked-by", NAMES, OPTIONAL),
    WORD("standby", OPTIONAL, wcts_content_words),
    WORD("hibernate", OPTIONAL, wcts_content_words),
    END_ROWS
};

/* ---- forms ---- */

ROWS(layout) = {
    ONE_OF("word", IDENT),
    ONE_OF("structure", IDENT),
    ATTRIBUTE("member", REF, OPTIONAL),
    ATTRIBUTE("fact", REF, OPTIONAL),
    WORD("sets", OPTIONAL, wcts_yes_no_words),
    WORD("bytes", OPTIONAL, wcts_yes_no_words),
    END_ROWS
};
CHILDREN(layout) = {ANY(AT), END_CHILDREN};
ROWS(at) = {
    ATTRIBUTE("member", IDENT, REQUIRED),
    NUMBER("offset", REQUIRED, 0, 65535),
    NUMBER("width", REQUIRED, 1, 65535),
    END_ROWS
};

/* ---- versions, errata, interface ---- */

ROWS(versions) = {ATTRIBUTE("spec", VERSION, OPTIONAL), END_ROWS};
CHILDREN(versions) = {SOME(VERSION), END_CHILDREN};
ROWS(version) = {
    ATTRIBUTE("name", VERSION, REQUIRED),
    ATTRIBUTE("id", NAME, REQUIRED),
    NUMBER("interface", REQUIRED, 1, UINT32_MAX),
    END_ROWS
};

CHILDREN(errata) = {ANY(ERRATUM), END_CHILDREN};
ROWS(erratum) = {
    ATTRIBUTE("id", NAME, REQUIRED),
    ATTRIBUTE("document", NAMES, REQUIRED),
    ATTRIBUTE("leaves", NAMES, OPTIONAL),
    END_ROWS
};
CHILDREN(erratum) = {ONE(PASSAGE), ONE(READINGS), ONE(CHOICE), ONE(REASON), END_CHILDREN};

CHILDREN(gaps) = {ANY(GAP), END_CHILDREN};
ROWS(gap) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    ATTRIBUTE("on", IDENT, REQUIRED),
    SINCE_UNTIL,
    ATTRIBUTE("member", REF, OPTIONAL),
    WORD("value", OPTIONAL, wcts_gap_value_words),
    ATTRIBUTE("breaks", NAME, OPTIONAL),
    ATTRIBUTE("when", TEXT, OPTIONAL),
    ATTRIBUTE("missing", TEXT, REQUIRED),
    END_ROWS
};

CHILDREN(features) = {ANY(FEATURE), END_CHILDREN};
ROWS(feature) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    WORD("side", REQUIRED, wcts_party_words),
    ATTRIBUTE("title", TEXT, REQUIRED),
    ATTRIBUTE("operations", NAMES, OPTIONAL),
    WORD("capability", OPTIONAL, wcts_capability_words),
    WORD("core", OPTIONAL, wcts_yes_no_words),
    ATTRIBUTE("statements", NAMES, REQUIRED),
    END_ROWS
};

CHILDREN(interface) = {ANY(STRUCTURE), ANY(WORD), ANY(MESSAGE), END_CHILDREN};
ROWS(structure) = {
    ATTRIBUTE("name", IDENT, REQUIRED),
    ATTRIBUTE("struct", IDENT, REQUIRED),
    SINCE_UNTIL,
    END_ROWS
};
CHILDREN(structure) = {ANY(MEMBER), END_CHILDREN};
ROWS(member) = {
    ATTRIBUTE("name", IDENT, REQUIRED),
    ATTRIBUTE("field", FIELD, REQUIRED),
    WORD("type", OPTIONAL, wcts_member_type_words),
    ATTRIBUTE("word", IDENT, OPTIONAL),
    WORD("means", OPTIONAL, wcts_meaning_words),
    SINCE_UNTIL,
    ATTRIBUTE("to", NAMES, OPTIONAL),
    ATTRIBUTE("count", IDENT, OPTIONAL),
    ATTRIBUTE("stride", IDENT, OPTIONAL),
    ATTRIBUTE("numbers", TEXT, OPTIONAL),
    ATTRIBUTE("native", NAMES, OPTIONAL),
    ATTRIBUTE("fields", TEXT, OPTIONAL),
    END_ROWS
};
ROWS(message) = {
    ATTRIBUTE("operation", IDENT, REQUIRED),
    ATTRIBUTE("request", IDENT, OPTIONAL),
    ATTRIBUTE("request-field", FIELD, OPTIONAL),
    ATTRIBUTE("reply", IDENT, OPTIONAL),
    ATTRIBUTE("reply-field", FIELD, OPTIONAL),
    ATTRIBUTE("ignores", IDENT, OPTIONAL),
    WORD("moves", OPTIONAL, wcts_yes_no_words),
    WORD("settles", OPTIONAL, wcts_yes_no_words),
    WORD("reads", OPTIONAL, wcts_yes_no_words),
    WORD("writes", OPTIONAL, wcts_yes_no_words),
    WORD("starts", OPTIONAL, wcts_yes_no_words),
    WORD("stops", OPTIONAL, wcts_yes_no_words),
    WORD("lends", OPTIONAL, wcts_yes_no_words),
    WORD("patches", OPTIONAL, wcts_yes_no_words),
    WORD("shows", OPTIONAL, wcts_shows_words),
    ATTRIBUTE("makes", REFS, OPTIONAL),
    ATTRIBUTE("of", IDENT, OPTIONAL),
    ATTRIBUTE("ends", REFS, OPTIONAL),
    ATTRIBUTE("range", REFS, OPTIONAL),
    ATTRIBUTE("native", NAMES, OPTIONAL),
    ATTRIBUTE("native-if", TEXT, OPTIONAL),
    END_ROWS
};

/* ---- cases ---- */

CHILDREN(cases) = {
    ANY(ANSWER), ANY(ADAPTER), ANY(REGION), ANY(STEP), ANY(AREA), ANY(BASE), ANY(STATE), ANY(DOMAIN),
    ANY(PROCEDURE), ANY(SCENARIO), END_CHILDREN
};
ROWS(adapter) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    ATTRIBUTE("like", NAME, OPTIONAL),
    SINCE_UNTIL,
    END_ROWS
};
CHILDREN(adapter) = {ANY(ANSWER), END_CHILDREN};
ROWS(answer) = {
    ONE_OF("structure", IDENT),
    ONE_OF("like", NAME),
    ATTRIBUTE("name", NAME, OPTIONAL),
    ATTRIBUTE("at", REF, OPTIONAL),
    END_ROWS
};
ROWS(region) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    NUMBER("size", REQUIRED, 1, UINT64_MAX),
    NUMBER("attributes", OPTIONAL, 0, UINT32_MAX),
    ATTRIBUTE("behind", NAME, OPTIONAL),
    END_ROWS
};
ROWS(step) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    ATTRIBUTE("operation", IDENT, REQUIRED),
    ATTRIBUTE("needs", NAMES, OPTIONAL),
    SINCE_UNTIL,
    END_ROWS
};
CHILDREN(step) = {ANY(STRUCT), ANY(RESULT), MAY(ENDS), END_CHILDREN};
ROWS(struct) = {
    ATTRIBUTE("name", IDENT, REQUIRED),
    ATTRIBUTE("alias", NAME, OPTIONAL),
    ATTRIBUTE("at", REF, REQUIRED),
    ATTRIBUTE("when", REF, OPTIONAL),
    ATTRIBUTE("unless", REF, OPTIONAL),
    NUMBER("least", OPTIONAL, 2, 63),
    ATTRIBUTE("needs", NAMES, OPTIONAL),
    END_ROWS
};
ROWS(result) = {
    ATTRIBUTE("symbol", SYMBOL, OPTIONAL),
    ATTRIBUTE("kind", NAME, REQUIRED),
    ATTRIBUTE("member", REF, REQUIRED),
    WORD("of", OPTIONAL, wcts_result_of_words),
    NUMBER("size", OPTIONAL, 0, UINT64_MAX),
    ATTRIBUTE("after", NAME, OPTIONAL),
    NUMBER("index", OPTIONAL, 0, 63),
    ATTRIBUTE("else", VALUE, OPTIONAL),
    END_ROWS
};
ROWS(ends) = {ATTRIBUTE("symbol", SYMBOL, REQUIRED), END_ROWS};
ROWS(area) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    ATTRIBUTE("in", NAME, REQUIRED),
    NUMBER("offset", REQUIRED, 0, UINT64_MAX),
    NUMBER("size", REQUIRED, 1, UINT64_MAX),
    WORD("state", REQUIRED, wcts_page_state_words),
    ATTRIBUTE("by", NAME, OPTIONAL),
    END_ROWS
};
ROWS(base) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    ATTRIBUTE("step", NAME, REQUIRED),
    ATTRIBUTE("adapter", NAME, REQUIRED),
    SINCE_UNTIL,
    WORD("driver", OPTIONAL, wcts_yes_no_words),
    WORD("kinds", OPTIONAL, wcts_yes_no_words),
    WORD("states", OPTIONAL, wcts_yes_no_words),
    ATTRIBUTE("answers", NAMES, OPTIONAL),
    ATTRIBUTE("breaks", NAMES, OPTIONAL),
    ATTRIBUTE("also", NAMES, OPTIONAL),
    END_ROWS
};
ROWS(state) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    ATTRIBUTE("takes", NAMES, OPTIONAL),
    ATTRIBUTE("of", NAME, OPTIONAL),
    ATTRIBUTE("with", NAME, OPTIONAL),
    SINCE_UNTIL,
    END_ROWS
};
ROWS(domain) = {
    ATTRIBUTE("of", REF, REQUIRED),
    ATTRIBUTE("values", VALUES, REQUIRED),
    WORD("only", OPTIONAL, wcts_yes_no_words),
    END_ROWS
};

/* ---- scenarios ---- */

ROWS(scenario) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    ATTRIBUTE("adapter", NAME, OPTIONAL),
    SINCE_UNTIL,
    ATTRIBUTE("and-at", NAMES, OPTIONAL),
    ATTRIBUTE("and-from", VERSION, OPTIONAL),
    WORD("or-later", OPTIONAL, wcts_yes_no_words),
    ATTRIBUTE("page-sizes", NAMES, OPTIONAL),
    WORD("driver", OPTIONAL, wcts_yes_no_words),
    WORD("kinds", OPTIONAL, wcts_yes_no_words),
    WORD("moves", OPTIONAL, wcts_yes_no_words),
    ATTRIBUTE("needs", NAMES, OPTIONAL),
    ATTRIBUTE("expect", NAMES, REQUIRED),
    ATTRIBUTE("also", NAMES, OPTIONAL),
    END_ROWS
};
CHILDREN(scenario) = {
    ANY(FOR), ANY(TAKE), ANY(DO), ANY(CALL), ANY(WRITE), ANY(READ), ANY(SPOIL), END_CHILDREN
};
ROWS(procedure) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    ATTRIBUTE("of", NAME, REQUIRED),
    ATTRIBUTE("with", PARAMETERS, OPTIONAL),
    END_ROWS
};
CHILDREN(procedure) = {
    ANY(TAKE), ANY(DO), ANY(CALL), ANY(WRITE), ANY(READ), ANY(SPOIL), END_CHILDREN
};
ROWS(for) = {
    ATTRIBUTE("symbol", NAME, REQUIRED), ATTRIBUTE("values", VALUES, REQUIRED), END_ROWS
};
ROWS(take) = {ATTRIBUTE("step", NAME, REQUIRED), END_ROWS};
ROWS(call) = {
    ONE_OF("operation", IDENT),
    ONE_OF("like", NAME),
    ATTRIBUTE("answer", SYMBOLS, OPTIONAL),
    ATTRIBUTE("as", SYMBOLS, OPTIONAL),
    WORD("refusable", OPTIONAL, wcts_yes_no_words),
    WORD("narrow", OPTIONAL, wcts_yes_no_words),
    WORD("placed", OPTIONAL, wcts_yes_no_words),
    WORD("followed", OPTIONAL, wcts_yes_no_words),
    WORD("forgets", OPTIONAL, wcts_yes_no_words),
    WORD("unmade", OPTIONAL, wcts_yes_no_words),
    WORD("unmoved", OPTIONAL, wcts_yes_no_words),
    WORD("unmapped", OPTIONAL, wcts_yes_no_words),
    END_ROWS
};
CHILDREN(call) = {ANY(STRUCT), ANY(RESULT), MAY(ENDS), END_CHILDREN};
ROWS(memory) = {
    ATTRIBUTE("space", VALUE, OPTIONAL),
    ATTRIBUTE("address", VALUE, REQUIRED),
    ATTRIBUTE("length", VALUE, REQUIRED),
    ATTRIBUTE("seed", VALUE, OPTIONAL),
    WORD("followed", OPTIONAL, wcts_yes_no_words),
    END_ROWS
};

/* ---- baselines ---- */

CHILDREN(baseline) = {ANY(WAIVER), END_CHILDREN};
ROWS(waiver) = {
    ONE_OF("case", ID),
    ONE_OF("match", TEXT),
    ATTRIBUTE("signature", SIGNATURE, OPTIONAL),
    ATTRIBUTE("implementation", TEXT, OPTIONAL),
    ATTRIBUTE("implementation-version", TEXT, OPTIONAL),
    ATTRIBUTE("wddm", VERSIONS, OPTIONAL),
    ATTRIBUTE("reason", TEXT, REQUIRED),
    ATTRIBUTE("link", TEXT, OPTIONAL),
    ATTRIBUTE("expires", DATE, REQUIRED),
    END_ROWS
};

/* ---- profiles ---- */

#define DECLARED_BY                                                                                \
    ATTRIBUTE("source", TEXT, REQUIRED), ATTRIBUTE("confidence", TEXT, REQUIRED),                  \
        ATTRIBUTE("rows", NAMES, OPTIONAL)

ROWS(profile) = {
    ATTRIBUTE("name", NAME, REQUIRED),
    ATTRIBUTE("title", TEXT, REQUIRED),
    ATTRIBUTE("about", TEXT, OPTIONAL),
    END_ROWS
};
CHILDREN(profile) = {ANY(DEVIATION), ANY(RESTRICTION), ANY(ABSENT), END_CHILDREN};
ROWS(deviation) = {
    ATTRIBUTE("id", NAME, REQUIRED),
    ATTRIBUTE("statement", NAME, REQUIRED),
    ATTRIBUTE("rule", NAME, OPTIONAL),
    WORD("side", OPTIONAL, wcts_party_words),
    SINCE_UNTIL,
    ATTRIBUTE("on", IDENT, OPTIONAL),
    ATTRIBUTE("when", TEXT, OPTIONAL),
    WORD("shows", OPTIONAL, wcts_profile_shows_words),
    DECLARED_BY,
    END_ROWS
};
ROWS(restriction) = {
    ATTRIBUTE("id", NAME, REQUIRED),
    ATTRIBUTE("on", IDENT, REQUIRED),
    WORD("side", OPTIONAL, wcts_party_words),
    SINCE_UNTIL,
    ATTRIBUTE("refuse", TEXT, REQUIRED),
    DECLARED_BY,
    END_ROWS
};
ROWS(absent) = {
    ATTRIBUTE("id", NAME, REQUIRED),
    ONE_OF("feature", NAME),
    ONE_OF("operation", IDENT),
    DECLARED_BY,
    END_ROWS
};

/* ---- declarations ---- */

#define FIRST_LAST ATTRIBUTE("first", VERSION, REQUIRED), ATTRIBUTE("last", VERSION, REQUIRED)

ROWS(declaration) = {
    ATTRIBUTE("name", TEXT, OPTIONAL),
    ATTRIBUTE("version", TEXT, OPTIONAL),
    END_ROWS
};
CHILDREN(declaration) = {MAY(KERNEL_SIDE), MAY(DRIVER_SIDE), END_CHILDREN};
ROWS(kernel) = {
    FIRST_LAST,
    WORDS("pages", OPTIONAL, wcts_page_words),
    WORDS("capabilities", OPTIONAL, wcts_capability_words),
    END_ROWS
};
CHILDREN(kernel) = {ANY(PROVIDES), END_CHILDREN};
ROWS(driver) = {
    FIRST_LAST,
    WORD("patches", OPTIONAL, wcts_patches_words),
    WORDS("paging", OPTIONAL, wcts_paging_words),
    WORDS("capabilities", OPTIONAL, wcts_capability_words),
    END_ROWS
};
CHILDREN(driver) = {ANY(OFFERS), ANY(PROVIDES), END_CHILDREN};
ROWS(offers) = {ATTRIBUTE("name", TEXT, REQUIRED), END_ROWS};
ROWS(provides) = {ATTRIBUTE("name", NAME, REQUIRED), END_ROWS};

/* ---- traces ---- */

ROWS(trace) = {
    ATTRIBUTE("provider", NAME, REQUIRED),
    ATTRIBUTE("guid", NAME, REQUIRED),
    END_ROWS
};
CHILDREN(trace) = {ANY(WORD), SOME(EVENT), END_CHILDREN};
ROWS(event) = {
    NUMBER("id", REQUIRED, 0, 65535),
    ATTRIBUTE("versions", NAMES, REQUIRED),
    ATTRIBUTE("adapter", IDENT, REQUIRED),
    WORD("ends", OPTIONAL, wcts_load_trace_ends_words),
    ATTRIBUTE("object", IDENT, OPTIONAL),
    WORD("life", OPTIONAL, wcts_load_trace_life_words),
    ATTRIBUTE("operation", IDENT, OPTIONAL),
    ATTRIBUTE("structure", IDENT, OPTIONAL),
    ATTRIBUTE("number", IDENT, OPTIONAL),
    END_ROWS
};
CHILDREN(event) = {ANY(EXCEPT), ANY(FEED), END_CHILDREN};
ROWS(except) = {
    ATTRIBUTE("data", IDENT, REQUIRED),
    ATTRIBUTE("names", IDENT, OPTIONAL),
    NUMBER("bits", OPTIONAL, 1, UINT64_MAX),
    WORD("zero", OPTIONAL, wcts_yes_no_words),
    SINCE_UNTIL,
    END_ROWS
};
ROWS(feed) = {
    ATTRIBUTE("data", IDENT, REQUIRED),
    ATTRIBUTE("member", IDENT, REQUIRED),
    ATTRIBUTE("names", IDENT, OPTIONAL),
    NUMBER("bits", OPTIONAL, 1, UINT64_MAX),
    WORD("as", OPTIONAL, wcts_load_trace_as_words),
    SINCE_UNTIL,
    ATTRIBUTE("open", TEXT, OPTIONAL),
    ATTRIBUTE("confirmed", NAMES, OPTIONAL),
    END_ROWS
};

/* ---- elements ---- */

const struct wcts_load_attribute_row wcts_more_rows[][2] = {
    [WCTS_MORE_MEMBERS] = {ATTRIBUTE("", REF, OPTIONAL), ATTRIBUTE("", VALUE, OPTIONAL)},
    [WCTS_MORE_ARGUMENTS] = {ATTRIBUTE("", NAME, OPTIONAL), ATTRIBUTE("", VALUES, OPTIONAL)},
};

const struct wcts_load_element wcts_elements[WCTS_EL_COUNT_OF] = {
#define ELEMENT(id, ...) [WCTS_EL_##id] = {__VA_ARGS__},
    WCTS_ELEMENTS(ELEMENT)
};

/* clang-format on */

int wcts_load_element_attribute(const struct wcts_load_element *element, const char *name)
{
    if (element->attributes == NULL)
        return -1;
    for (int i = 0; element->attributes[i].name != NULL; i++)
        if (wcts_text_same(element->attributes[i].name, name))
            return i;
    return -1;
}
