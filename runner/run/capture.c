/* SPDX-License-Identifier: MIT */
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/text.h"

#define BOUND (32 << 20)
#define KEPT (1 << 20)

int wcts_run_capture_open(const char *directory, int number)
{
    char *path = NULL;
    if (!directory)
        return open("/dev/null", O_RDWR | O_CLOEXEC);
    if (asprintf(&path, "%s/worker-%d.txt", directory, number) < 0)
        return -1;
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    free(path);
    return file;
}

uint64_t wcts_run_capture_size(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && status.st_size > 0 ? (uint64_t)status.st_size : 0;
}

char *wcts_run_capture_tail(int file, uint64_t start, uint64_t end)
{
    uint64_t size = wcts_run_capture_size(file);
    if (end > size)
        end = size;
    if (start > end) /* the file was emptied in between */
        start = 0;
    if (end - start > WCTS_CAPTURE_TAIL)
        start = end - WCTS_CAPTURE_TAIL;

    size_t length = (size_t)(end - start);
    char *text = malloc(length + 1);
    if (!text)
        return NULL;
    ssize_t got = length != 0 ? pread(file, text, length, (off_t)start) : 0;
    text[got > 0 ? got : 0] = '\0';
    /* A zero byte would end the text early. */
    for (ssize_t i = 0; i < got; i++)
        if (text[i] == '\0')
            text[i] = '?';
    return wcts_text_clean(text);
}

void wcts_run_capture_bound(int file)
{
    struct stat status;
    if (fstat(file, &status) != 0 || status.st_blocks * 512 <= BOUND || status.st_size <= KEPT)
        return;
    if (fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, status.st_size - KEPT) == 0)
        return;
    /* A file system without holes. */
    if (ftruncate(file, 0) != 0)
        fprintf(stderr, "wddm-cts: cannot bound a worker's output: %s\n", strerror(errno));
}

void wcts_run_capture_close(int file)
{
    uint64_t size = wcts_run_capture_size(file);
    char *end = size > BOUND ? malloc(KEPT) : NULL;
    if (end) {
        ssize_t got = pread(file, end, KEPT, (off_t)(size - KEPT));
        if (got > 0 && ftruncate(file, 0) == 0 && write(file, end, (size_t)got) != got)
            fprintf(stderr, "wddm-cts: cannot keep a worker's output: %s\n", strerror(errno));
    }
    free(end);
    close(file);
}
