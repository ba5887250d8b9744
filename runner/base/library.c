/* SPDX-License-Identifier: MIT */
#include "library.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regular.h"

/* The begin of an ELF file; its layout and byte order after the machine are that machine's. */
struct elf_start {
    unsigned char ident[EI_NIDENT];
    uint16_t type, machine;
};

static bool read_elf_start(int fd, struct elf_start *start)
{
    return pread(fd, start, sizeof *start, 0) == (ssize_t)sizeof *start &&
           memcmp(start->ident, ELFMAG, SELFMAG) == 0;
}

static void name_machine(const struct elf_start *start, char *name, size_t room)
{
    static const struct {
        uint16_t machine;
        const char *name;
    } machines[] = {{EM_X86_64, "x86-64"}, {EM_386, "i386"},    {EM_AARCH64, "AArch64"},
                    {EM_ARM, "ARM"},       {EM_PPC64, "PPC64"}, {EM_S390, "S/390"},
                    {EM_MIPS, "MIPS"},     {EM_RISCV, "RISC-V"}};
    const char *bits = start->ident[EI_CLASS] == ELFCLASS32 ? "32-bit" : "64-bit";
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if (machines[i].machine == start->machine) {
            snprintf(name, room, "%s %s", bits, machines[i].name);
            return;
        }
    snprintf(name, room, "%s ELF machine %u", bits, start->machine);
}

/* True if the file is for the machine that this program is for. If not, error says so: dlopen would
 * say that there is no such file. */
static bool check_machine(const struct elf_start *start, const char *shown, char *error,
                          size_t room)
{
    char theirs[32], ours[32];
    struct elf_start own;
    int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    bool same = self < 0 || !read_elf_start(self, &own) ||
                (own.machine == start->machine && memcmp(own.ident, start->ident, EI_VERSION) == 0);
    if (self >= 0)
        close(self);
    if (same)
        return true;
    name_machine(start, theirs, sizeof theirs);
    name_machine(&own, ours, sizeof ours);
    snprintf(error, room, "%s: a shared object for %s, expected one for %s", shown, theirs, ours);
    return false;
}

/* False, with the error, if a part that has to be loaded is behind the end of the file: where it is
 * touched the process would get a SIGBUS. */
static bool check_length(int fd, const char *shown, char *error, size_t room)
{
    ElfW(Ehdr) header;
    ElfW(Phdr) part;
    struct stat file;
    if (fstat(fd, &file) != 0 || pread(fd, &header, sizeof header, 0) != (ssize_t)sizeof header ||
        header.e_phentsize != sizeof part)
        return true;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        off_t at = (off_t)(header.e_phoff + i * sizeof part);
        if (pread(fd, &part, sizeof part, at) == (ssize_t)sizeof part &&
            (part.p_type != PT_LOAD || (part.p_filesz <= (uint64_t)file.st_size &&
                                        part.p_offset <= (uint64_t)file.st_size - part.p_filesz)))
            continue;
        snprintf(error, room,
                 "%s: ends after %lld bytes, within the shared object: it was cut short", shown,
                 (long long)file.st_size);
        return false;
    }
    return true;
}

void *wcts_library_open(const char *path, const char *shown, char *error, size_t room)
{
    const char *wrong = NULL;
    struct elf_start start;
    /* dlopen would wait for the writer of a pipe. */
    int fd = wcts_regular_open(path, 0, &wrong);
    if (fd < 0) {
        snprintf(error, room, "%s: cannot open shared object file: %s", shown, wrong);
        return NULL;
    }
    bool binary = read_elf_start(fd, &start);
    bool fits = !binary ||
                (check_machine(&start, shown, error, room) && check_length(fd, shown, error, room));
    close(fd);
    if (!fits)
        return NULL;
    /* Without a slash dlopen would search the library path, not here. */
    char *real = realpath(path, NULL);
    const char *opened = real ? real : path;
    void *library = dlopen(opened, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror(), *foreign = binary ? "" : ": it is not a shared object";
        size_t size = strlen(opened);
        if (!why || strncmp(why, opened, size) != 0)
            snprintf(error, room, "%s%s", why ? why : "it cannot be loaded", foreign);
        else
            snprintf(error, room, "%s%s%s", shown, why + size, foreign);
    }
    free(real);
    return library;
}
