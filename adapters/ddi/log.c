/* SPDX-License-Identifier: MIT */
/* Lines for the recorded exchange and for standard error. */
#include "ddi.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE_SIZE 512

static void send_line(const char *text)
{
    struct {
        struct wcts_machine_log_request head;
        char text[LINE_SIZE];
    } message = {.head = {.size = sizeof message.head, .pText = sizeof message.head}};
    uint64_t reply[WCTS_REPLY_ROOM / 8] = {0};
    uint32_t size;
    if (ddi_current == NULL)
        return;
    message.head.Length = (uint32_t)strlen(text);
    memcpy(message.text, text, message.head.Length);
    ddi_current->host->call(ddi_current->host->ctx, WCTS_MACHINE_LOG, &message, sizeof message,
                            reply, sizeof reply, &size);
}

void ddi_log(const char *format, ...)
{
    char text[LINE_SIZE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "wddm-cts-ddi: %s\n", text);
    send_line(text);
}

void ddi_breach(const char *format, ...)
{
    char text[LINE_SIZE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "wddm-cts-ddi: %s\n", text);
    abort();
}

ULONG DbgPrint(PCSTR Format, ...)
{
    char text[LINE_SIZE];
    va_list list;
    va_start(list, Format);
    vsnprintf(text, sizeof text, Format, list);
    va_end(list);
    text[strcspn(text, "\n")] = '\0';
    fprintf(stderr, "%s\n", text);
    send_line(text);
    return 0;
}

void KeBugCheckEx(ULONG BugCheckCode, ULONG_PTR Parameter1, ULONG_PTR Parameter2,
                  ULONG_PTR Parameter3, ULONG_PTR Parameter4)
{
    ddi_breach("the driver called KeBugCheckEx(0x%X, 0x%zx, 0x%zx, 0x%zx, 0x%zx)", BugCheckCode,
               (size_t)Parameter1, (size_t)Parameter2, (size_t)Parameter3, (size_t)Parameter4);
}

void wcts_ddi_assertion(const char *text, const char *file, int line)
{
    ddi_breach("%s:%d: this is false: %s", file, line, text);
}
