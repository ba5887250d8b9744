/* SPDX-License-Identifier: MIT */
/* What the program that table.awk makes consists of: each macro prints a piece of JSON. */
#ifndef WCTS_WIRE_TABLE_H
#define WCTS_WIRE_TABLE_H

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

/* What goes before the next element: the first one of a list has no comma. */
static const char *comma = "";

#define NEXT(text) (printf("%s\n%s", comma, text), comma = ",")
#define LIST(name, indent) (NEXT(indent), printf("\"%s\": {", name), comma = "")
#define END_LIST(indent) (printf("\n%s}", indent), comma = ",")

#define BEGIN() (printf("{"), first_section = 1)
static int first_section;
#define SECTION(name) ((first_section ? 0 : END_LIST("  ")), first_section = 0, LIST(name, "  "))
#define END() (END_LIST("  "), printf("\n}\n"))

#define CONSTANT(name) (NEXT("    "), printf("\"" #name "\": %" PRId64, (int64_t)(name)))
#define ENUM(name) LIST(name, "    ")
#define VALUE(name) (NEXT("      "), printf("\"" #name "\": %" PRId64, (int64_t)(name)))
#define END_ENUM() END_LIST("    ")

#define STRUCT(name, text)                                                                         \
    (NEXT("    "), printf("\"%s\": {\"size\": %zu, \"members\": {", text, sizeof(struct name)),    \
     comma = "")
#define MEMBER(of, name, kind, type, count)                                                        \
    (NEXT("      "),                                                                               \
     printf("\"" #name "\": {\"offset\": %zu, \"size\": %zu, \"%s\": \"%s\", \"count\": %d}",      \
            offsetof(struct of, name), sizeof(((struct of *)0)->name), kind, type, count))
#define POINTER(of, name, kind, type, count, to, number)                                           \
    (NEXT("      "),                                                                               \
     printf("\"" #name "\": {\"offset\": %zu, \"size\": %zu, \"%s\": \"%s\", \"count\": %d, "      \
            "\"to\": \"%s\", \"number\": \"%s\"}",                                                 \
            offsetof(struct of, name), sizeof(((struct of *)0)->name), kind, type, count, to,      \
            number))
#define END_STRUCT() (printf("}}"), comma = ",")

#define OPERATION(party, name, number, request, reply, by, missing, need)                          \
    (NEXT("    "), printf("\"" #party "_" #name "\": {\"number\": %d, \"request\": \"" #request    \
                          "\", \"reply\": \"" #reply "\", \"missing\": \"" #missing "\"}",         \
                          number));

#endif
