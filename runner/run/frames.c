/* SPDX-License-Identifier: MIT */
#include "frames.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"

/* The most lines, and the most characters of a name. */
#define SHOWN_MAX 12
#define NAME_MAX_SHOWN 120

/* A part of the output; not terminated. */
struct run_text_piece {
    const char *text;
    int size;
};

struct run_frame {
    struct run_text_piece function, place; /* place: "driver.c:42", empty if unknown */
    struct run_text_piece module;          /* the file that holds it, without a directory */
    bool of_program;
};

struct run_stack {
    struct run_frame frames[WCTS_FRAMES_READ];
    int count;
};

static struct run_text_piece piece_of(const char *from, const char *to)
{
    return (struct run_text_piece){from, to > from ? (int)(to - from) : 0};
}

static struct run_text_piece file_name(struct run_text_piece path)
{
    const char *end = path.text + path.size, *base = end;
    while (base > path.text && base[-1] != '/')
        base--;
    return piece_of(base, end);
}

static bool is(struct run_text_piece piece, const char *text)
{
    return strlen(text) == (size_t)piece.size && memcmp(piece.text, text, strlen(text)) == 0;
}

/* The last occurrence of a word in a line; NULL if there is none. */
static const char *last_in(const char *line, const char *end, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = end - size; at >= line; at--)
        if (memcmp(at, word, size) == 0)
            return at;
    return NULL;
}

/* "FUNCTION (...) at FILE:LINE", "FUNCTION () from FILE", after the number of the frame; with an
 * address and "in" before it if gdb needs them. */
static void read_frame(struct run_frame *frame, const char *line, const char *end)
{
    const char *at = last_in(line, end, ") at "), *from = last_in(line, end, ") from ");
    const char *close = at ? at : from ? from : last_in(line, end, ")");
    const char *open = close ? last_in(line, close, " (") : NULL;
    const char *in = open ? memmem(line, (size_t)(open - line), " in ", 4) : NULL;
    if (in && strncmp(line, "0x", 2) == 0)
        line = in + strlen(" in ");
    frame->function = piece_of(line, open ? open : end);
    if (at)
        frame->place = file_name(piece_of(at + strlen(") at "), end));
    else if (from)
        frame->module = file_name(piece_of(from + strlen(") from "), end));
}

static void read_stack(struct run_stack *stack, const char *output, const char *program)
{
    for (const char *line = output, *end; *line != '\0'; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        size_t number = line[0] == '#' ? strspn(line + 1, "0123456789") : 0;
        if (number != 0 && stack->count < WCTS_FRAMES_READ) {
            line += 1 + number;
            line += strspn(line, " ");
            stack->frames[stack->count] = (struct run_frame){0};
            read_frame(&stack->frames[stack->count++], line, end);
        } else if (stack->count != 0) {
            /* "FUNCTION + 12 in section .text of FILE" */
            const char *of = last_in(line, end, " of ");
            if (of && last_in(line, of, " in section "))
                stack->frames[stack->count - 1].module =
                    file_name(piece_of(of + strlen(" of "), end));
        }
    }
    for (int i = 0; i < stack->count; i++)
        stack->frames[i].of_program = is(stack->frames[i].module, program);
}

/* How many frames matter: up to the outermost one that is known to be outside the program; all, if
 * there is no such frame. */
static int count_relevant(const struct run_stack *stack)
{
    int end = 0, telling = 0;
    while (end < stack->count &&
           !(stack->frames[end].of_program && is(stack->frames[end].function, "main")))
        end++;
    for (int i = 0; i < end; i++)
        if (stack->frames[i].module.size != 0 && !stack->frames[i].of_program)
            telling = i + 1;
    return telling != 0 ? telling : end;
}

static void print_frame(FILE *out, int number, const struct run_frame *frame)
{
    struct run_text_piece where = frame->place.size != 0 ? frame->place : frame->module;
    int size = frame->function.size < NAME_MAX_SHOWN ? frame->function.size : NAME_MAX_SHOWN;
    fprintf(out, "#%-2d %.*s", number, size, frame->function.text);
    if (where.size != 0)
        fprintf(out, " %s %.*s", frame->place.size != 0 ? "at" : "in",
                where.size < NAME_MAX_SHOWN ? where.size : NAME_MAX_SHOWN, where.text);
    fputc('\n', out);
}

static void print_stack(FILE *out, const struct run_stack *stack, const char *program)
{
    int telling = count_relevant(stack), shown = 0;
    bool own = telling != 0 && stack->frames[telling - 1].of_program;
    for (int i = 0, end; i < telling; i = end) {
        for (end = i; !own && end < telling && stack->frames[end].of_program; end++)
            continue;
        if (shown++ == SHOWN_MAX) {
            fprintf(out, "... and %d more\n", telling - i);
            return;
        }
        if (end > i) {
            fprintf(out, "    ... %d of %s\n", end - i, program);
            continue;
        }
        print_frame(out, i, &stack->frames[i]);
        end = i + 1;
    }
}

char *wcts_run_frames_text(const char *output, const char *program)
{
    struct run_stack stack = {.count = 0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    read_stack(&stack, output, program);
    print_stack(out, &stack, program);
    fclose(out);
    return text ? wcts_text_clean(text) : NULL;
}
