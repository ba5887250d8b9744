/* SPDX-License-Identifier: MIT */
/*
 * Gives a fuzz target the files that are named, one after the other, and prints the name of each
 * before: when it ends early the last one is to blame. What the tool prints is dropped.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

/* Of the sanitizers, where they are. */
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

static bool try_file(const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *in = fopen(path, "re");
    size_t size = in ? fread(bytes, 1, sizeof bytes, in) : 0;
    uint8_t *exact = malloc(size ? size : 1);
    bool good = in && !ferror(in) && feof(in) && exact;
    if (in)
        fclose(in);
    if (good) {
        memcpy(exact, bytes, size); /* a read beyond the end shows */
        LLVMFuzzerTestOneInput(exact, size);
    }
    free(exact);
    return good;
}

int main(int argc, char **argv)
{
    int told = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int status = argc < 2 ? 2 : 0;
    if (__sanitizer_set_report_fd)
        __sanitizer_set_report_fd((void *)(intptr_t)told);
    dup2(nowhere, STDOUT_FILENO);
    for (int i = 1; i < argc && status == 0; i++) {
        dprintf(told, "%s\n", argv[i]);
        if (!try_file(argv[i])) {
            dprintf(told, "%s: cannot be read, or is longer than 1 MiB\n", argv[i]);
            status = 2;
        }
    }
    if (status == 0)
        dprintf(told, "%d read\n", argc - 1);
    return status;
}
