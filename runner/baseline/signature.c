/* SPDX-License-Identifier: MIT */
/* Signatures of failures. Two runs of one implementation differ in addresses, handles and bytes,
 * but not in the words around them. The status of an answer is kept: another status is another
 * failure. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/digest.h"
#include "baseline.h"

#define ANSWERED " answered "

static bool is_word_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of the decimal or hexadecimal number at text; 0: there is no separate number. */
static size_t number_length(const char *start, const char *text)
{
    size_t digits;
    if (text > start && is_word_letter(text[-1]))
        return 0;
    if (text[0] == '0' && text[1] == 'x')
        digits = 2 + strspn(text + 2, "0123456789abcdefABCDEF");
    else
        digits = strspn(text, "0123456789");
    /* "24,576" is one number. */
    while (digits && text[digits] == ',' && strspn(text + digits + 1, "0123456789") == 3)
        digits += 4;
    return is_word_letter(text[digits]) ? 0 : digits;
}

/* The length of what says which of several calls it was, at text; 0: nothing does. */
static size_t which_length(const char *text)
{
    return strncmp(text, WCTS_FINDING_WHICH, strlen(WCTS_FINDING_WHICH)) == 0
               ? strcspn(text, ")") + 1
               : 0;
}

/* What has been said since signatures were made, and is no part of them: the names of these
 * statuses, in place of which there was the number, and the kind that was refused. */
static char *as_it_was(const char *reason)
{
    static const char name[] = ANSWERED "GRAPHICS_", kind[] = " to the kind \"";
    char *text = strdup(reason), *at, *open, *end;
    while (text && (at = strstr(text, name)) && (open = strchr(at, '(')) &&
           (end = strchr(open, ')'))) {
        memmove(end, end + 1, strlen(end + 1) + 1);
        memmove(at + strlen(ANSWERED), open + 1, strlen(open + 1) + 1);
    }
    at = text ? strstr(text, kind) : NULL;
    end = at ? strchr(at + strlen(kind), '"') : NULL;
    if (end)
        memmove(at, end + 1, strlen(end + 1) + 1);
    return text;
}

/* With numbers folded. */
static char *folded_text(const char *reason)
{
    char *text = malloc(strlen(reason) + 1), *to = text;
    const char *at = reason;
    while (text && *(at += which_length(at)) != '\0') {
        size_t kept = strncmp(at, ANSWERED, strlen(ANSWERED)) == 0 ? strlen(ANSWERED) : 0;
        size_t folded = kept ? 0 : number_length(reason, at);
        if (kept != 0)
            kept += strcspn(at + kept, " ,");
        else if (folded == 0)
            kept = 1;
        memcpy(to, folded ? "#" : at, folded ? 1 : kept);
        to += folded ? 1 : kept;
        at += folded ? folded : kept;
    }
    if (text)
        *to = '\0';
    return text;
}

/* The words of the time when a reason did not say that there were other messages, or which they
 * were; NULL if it does not. To be freed. */
static char *earlier_words(const char *reason)
{
    static const struct {
        const char *now, *end, *before, *behind;
    } words[] = {{"the driver was asked ", WCTS_FINDING_NEVER, "the driver was not asked ",
                  ", expected it to be"},
                 {"there was a ", WCTS_FINDING_NEVER, "there was no ", ", expected one"},
                 {WCTS_FINDING_EARLIER, ", expected none", "the driver was asked ",
                  ", expected it not to be"}};
    char *earlier = NULL;
    for (size_t i = 0; !earlier && i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(reason, words[i].now), *end = strstr(reason, words[i].end);
        const char *name = at ? at + strlen(words[i].now) : NULL;
        if (at && end && name < end &&
            asprintf(&earlier, "%.*s%s%.*s%s%s", (int)(at - reason), reason, words[i].before,
                     (int)(end - name), name, words[i].behind, end + strlen(words[i].end)) < 0)
            return NULL;
    }
    return earlier;
}

char *wcts_baseline_signature_text(const char *reason)
{
    char *plain = as_it_was(reason), *earlier = plain ? earlier_words(plain) : NULL;
    char *text = plain ? folded_text(earlier ? earlier : plain) : NULL;
    free(earlier);
    free(plain);
    return text;
}

/* A warning at one level is a failure at another and has the same signature. */
static const char *const kinds[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_WARN] = "fail",         [WCTS_VERDICT_FAIL] = "fail",
    [WCTS_VERDICT_CRASH] = "crash",       [WCTS_VERDICT_TIMEOUT] = "timeout",
    [WCTS_VERDICT_DECLINED] = "declined",
};

/* Some reasons repeat the statement's sentence, which may be reworded. */
char *wcts_baseline_signature_reason(const struct wcts_spec *spec, const struct wcts_rule *rule,
                                     const char *reason)
{
    bool known = rule->statement < spec->statements_count;
    const char *sentence = known ? spec->statements[rule->statement].text : NULL;
    const char *at = sentence ? strstr(reason, sentence) : NULL;
    char *shorter = NULL, *text;
    if (!at)
        return wcts_baseline_signature_text(reason);
    if (asprintf(&shorter, "%.*s%s", (int)(at - reason), reason, at + strlen(sentence)) < 0)
        return NULL;
    text = wcts_baseline_signature_text(shorter);
    free(shorter);
    return text;
}

/* Signatures of deaths have version 2, which includes the operation, and name it. Waivers of
 * version 1 are recognised (apply.c). */
#define DEATH "2-"

/* The length without "in OPERATION" at the end, which version 1 did not include. */
static size_t length_of_version_1(const char *text)
{
    static const char in[] = " in ";
    const char *last = NULL;
    for (const char *at = strstr(text, in); at; at = strstr(at + 1, in))
        last = at;
    return last && !strchr(last + strlen(in), ' ') ? (size_t)(last - text) : strlen(text);
}

static void digest(const char *kind, const char *rule, const char *text, size_t length,
                   const char *version, char signature[WCTS_SIGNATURE_SIZE])
{
    struct wcts_digest sum;
    char hex[WCTS_DIGEST_SIZE], *key;
    int size = asprintf(&key, "%s%c%s%c%.*s%c", kind, 0, rule, 0, (int)length, text, 0);
    signature[0] = '\0';
    if (size < 0)
        return;
    wcts_digest_init(&sum);
    wcts_digest_add(&sum, key, (size_t)size);
    wcts_digest_end(&sum, hex);
    free(key);
    snprintf(signature, WCTS_SIGNATURE_SIZE, "%s%.12s", version, hex);
}

void wcts_baseline_signature(const struct wcts_plan *plan, const struct wcts_case *test,
                             struct wcts_result *result)
{
    const struct wcts_spec *spec = plan->spec;
    bool other = result->broken > 0 && result->broken <= spec->rules_count;
    const struct wcts_rule *broken = &spec->rules[other ? result->broken - 1 : test->rule];
    bool death = wcts_model_verdict_is_death(result->verdict);
    const char *kind = kinds[result->verdict];
    const char *reason = result->reason ? result->reason : "";
    char *text = kind ? wcts_baseline_signature_reason(spec, broken, reason) : NULL;
    /* What is to blame is found by calls of which there may be more one day. */
    char *cause =
        text && test->kind == WCTS_KIND_COMBINATION ? strstr(text, WCTS_FINDING_CAUSE) : NULL;

    result->signature[0] = result->earlier[0] = '\0';
    if (!text)
        return;
    if (cause)
        *cause = '\0';
    digest(kind, broken->id, text, strlen(text), death ? DEATH : "", result->signature);
    if (death)
        digest(kind, broken->id, text, length_of_version_1(text), "", result->earlier);
    free(text);
}
