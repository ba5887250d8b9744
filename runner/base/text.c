/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- growing ---- */

/* What most texts are shorter than: they are printed once, not once more into the room that they
 * turned out to need. */
#define ROOM_AT_FIRST 120

/* Room for more bytes and the zero behind them. */
static bool text_reserve(struct wcts_text *text, size_t more)
{
    size_t wanted;
    text->failed |= __builtin_add_overflow(text->length + 1, more, &wanted);
    if (!text->failed && wanted > text->room) {
        size_t more_room = text->room ? text->room : ROOM_AT_FIRST;
        size_t room = wanted > SIZE_MAX / 2 ? wanted : wanted + more_room;
        char *bytes = realloc(text->bytes, room);
        text->failed = bytes == NULL;
        text->bytes = bytes != NULL ? bytes : text->bytes;
        text->room = bytes != NULL ? room : text->room;
    }
    return !text->failed;
}

void wcts_text_add(struct wcts_text *text, const char *format, ...)
{
    va_list arguments;
    const char *insert = strchr(format, '%');
    if (!insert) {
        wcts_text_add_bytes(text, format, strlen(format));
        return;
    }
    if (insert == format && strcmp(format, "%s") == 0) { /* half of all that is added */
        va_start(arguments, format);
        insert = va_arg(arguments, const char *);
        va_end(arguments);
        wcts_text_add_bytes(text, insert, strlen(insert));
        return;
    }
    if (text->room == 0)
        text_reserve(text, 0);
    for (int tries = 0; tries < 2 && !text->failed; tries++) {
        size_t left = text->room - text->length;
        int length;
        va_start(arguments, format);
        length = vsnprintf(left > 0 ? text->bytes + text->length : NULL, left, format, arguments);
        va_end(arguments);
        text->failed = length < 0;
        if (length >= 0 && (size_t)length < left) {
            text->length += (size_t)length;
            return;
        }
        if (left > 0)
            text->bytes[text->length] = '\0';
        text_reserve(text, length >= 0 ? (size_t)length : 0);
    }
}

void wcts_text_add_bytes(struct wcts_text *text, const char *bytes, size_t length)
{
    if (!text_reserve(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

const char *wcts_text_get(const struct wcts_text *text)
{
    return text->bytes != NULL ? text->bytes : "";
}

char *wcts_text_take(struct wcts_text *text)
{
    char *bytes = text_reserve(text, 0) ? text->bytes : NULL;
    if (bytes != NULL) {
        bytes[text->length] = '\0';
        text->bytes = NULL;
    }
    wcts_text_release(text);
    return bytes;
}

void wcts_text_release(struct wcts_text *text)
{
    free(text->bytes);
    *text = (struct wcts_text){0};
}

/* ---- letters ---- */

/* Ranges of UTF-8 by first byte: how many bytes follow, and what the second may be. U+0080 to
 * U+009F are left out: terminals obey them. */
static const struct {
    unsigned char first, last, more, low, high;
} sequences[] = {
    {0xC2, 0xC2, 1, 0xA0, 0xBF}, {0xC3, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF},
    {0xE1, 0xEC, 2, 0x80, 0xBF}, {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF},
    {0xF0, 0xF0, 3, 0x90, 0xBF}, {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
};

/* The length of the allowed character at text, 0 when there is none. */
static size_t allowed(const unsigned char *text)
{
    if (text[0] < 0x80)
        return text[0] >= 0x20 ? text[0] != 0x7F : strchr("\t\n\r", text[0]) != NULL;
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++) {
        size_t more = sequences[i].more;
        if (text[0] < sequences[i].first || text[0] > sequences[i].last)
            continue;
        if (text[1] < sequences[i].low || text[1] > sequences[i].high)
            return 0;
        for (size_t k = 2; k <= more; k++)
            if ((text[k] & 0xC0) != 0x80)
                return 0;
        bool noncharacter = text[0] == 0xEF && text[1] == 0xBF && text[2] >= 0xBE;
        return noncharacter ? 0 : more + 1;
    }
    return 0;
}

char *wcts_text_clean(char *text)
{
    for (char *at = text; *at != '\0';) {
        if (*at >= ' ' && *at <= '~') {
            at++;
            continue;
        }
        size_t length = allowed((const unsigned char *)at);
        if (length == 0)
            *at = '?';
        at += length != 0 ? length : 1;
    }
    return text;
}

char *wcts_text_one_line(char *text)
{
    for (char *at = text; *at != '\0'; at++)
        if (strchr("\t\n\r", *at))
            *at = ' ';
    return text;
}

/* ---- lines ---- */

/* The letter at text, whose UTF-8 is valid, and how many bytes it has. */
static uint32_t letter_at(const char *text, size_t *length)
{
    unsigned char first = (unsigned char)text[0];
    size_t more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    uint32_t letter = more == 0 ? first : first & (0x3FU >> more);
    for (*length = 1; *length <= more && text[*length] != '\0'; ++*length)
        letter = letter << 6 | ((unsigned char)text[*length] & 0x3F);
    return letter;
}

/* East Asian letters that take two columns of a terminal, roughly. */
static bool is_wide(uint32_t letter)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
                  {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x20000, 0x3FFFD}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (letter >= ranges[i].first && letter <= ranges[i].last)
            return true;
    return false;
}

/* Marks that no line begins with: commas, full stops, closing brackets, small and long kana. */
static bool may_begin_line(uint32_t letter)
{
    static const uint32_t marks[] = {0x3001, 0x3002, 0x300D, 0x300F, 0x3011, 0x3015, 0x3041,
                                     0x3043, 0x3063, 0x3083, 0x3085, 0x3087, 0x30A1, 0x30A3,
                                     0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7,
                                     0x30FB, 0x30FC, 0xFF09, 0xFF0C, 0xFF0E};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (letter == marks[i])
            return false;
    return true;
}

/* How many bytes of text go on one line. */
static size_t line_length(const char *text, size_t width)
{
    size_t column = 0, length, end = 0;
    bool after_wide = false;
    for (size_t at = 0; text[at] != '\0'; at += length) {
        uint32_t letter = letter_at(text + at, &length);
        bool wide = is_wide(letter);
        if (letter == ' ' || (wide && after_wide && may_begin_line(letter)))
            end = at;
        column += wide ? 2 : 1;
        if (column > width && end != 0)
            return end;
        after_wide = wide;
    }
    return strlen(text);
}

void wcts_text_wrap(FILE *out, const char *indent, const char *text, size_t width)
{
    while (*text != '\0') {
        size_t length = line_length(text, width);
        fprintf(out, "%s%.*s\n", indent, (int)length, text);
        text += length;
        text += strspn(text, " ");
    }
}

/* The distance, or anything above the limit if it is above that: candidates are ids by the ten
 * thousand, of which hardly one is near. */
static size_t distance_within(const char *a, size_t a_length, const char *b, size_t b_length,
                              size_t limit)
{
    size_t row[256];
    size_t m = a_length < 255 ? a_length : 255, n = b_length < 255 ? b_length : 255;

    if ((m > n ? m - n : n - m) > limit)
        return limit + 1;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t diagonal = row[0], least = i;
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
            least = best < least ? best : least;
        }
        if (least > limit)
            return least;
    }
    return row[n];
}

size_t wcts_text_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return distance_within(a, a_length, b, b_length, SIZE_MAX - 1);
}

/* A candidate that the wrong name begins or stands in is nearer than any misspelling. */
static size_t score_of(const char *wrong, const char *candidate, size_t limit)
{
    if (strncasecmp(candidate, wrong, strlen(wrong)) == 0)
        return 0;
    if (strcasestr(candidate, wrong))
        return 1;
    return distance_within(wrong, strlen(wrong), candidate, strlen(candidate), limit) + 1;
}

void wcts_suggest(struct wcts_suggestions *near, const char *wrong, const char *candidate)
{
    size_t limit = near->limit ? near->limit : strlen(wrong) / 3 + 2;
    size_t score = wrong[0] != '\0' ? score_of(wrong, candidate, limit) : limit + 1;
    if (score > limit)
        return;

    int at = near->count;
    while (at > 0 && near->scores[at - 1] > score)
        at--;
    if (at == WCTS_SUGGESTIONS_MAX)
        return;
    int last = near->count < WCTS_SUGGESTIONS_MAX ? near->count++ : WCTS_SUGGESTIONS_MAX - 1;
    for (int i = last; i > at; i--) {
        memcpy(near->names[i], near->names[i - 1], sizeof near->names[i]);
        near->scores[i] = near->scores[i - 1];
    }
    snprintf(near->names[at], sizeof near->names[at], "%s", candidate);
    near->scores[at] = score;
}

size_t wcts_next_piece(const char **list, const char **piece)
{
    size_t length;
    *piece = *list == NULL ? "" : *list + strspn(*list, " ");
    length = strcspn(*piece, " ");
    *list = *piece + length;
    return length;
}

int64_t wcts_next_number(const char **list)
{
    uint64_t number = 0;
    const char *from = *list;
    bool negative;
    while (*from == ' ' || *from == '\n')
        from++;
    negative = *from == '-';
    from += negative;
    for (; *from >= '0' && *from <= '9'; from++)
        number = number * 10 + (uint64_t)(*from - '0');
    *list = from;
    return (int64_t)(negative ? -number : number);
}

bool wcts_list_has(const char *list, const char *name)
{
    const char *piece;
    size_t length;
    while (list != NULL && (length = wcts_next_piece(&list, &piece)) > 0)
        if (wcts_is_piece(name, piece, length))
            return true;
    return false;
}
