/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/path.h"
#include "../base/regular.h"
#include "plugin.h"

bool wcts_machine_is_builtin(const char *path)
{
    return !path || strcmp(path, "emulator") == 0;
}

static bool check_table(const struct wcts_plugin *plugin, const char *path, char *error,
                        size_t room)
{
    if (!plugin) {
        snprintf(error, room, "%s: %s() returned NULL, expected a plug-in table", path,
                 WCTS_PLUGIN_SYMBOL);
    } else if (plugin->abi_version != WCTS_ABI_VERSION) {
        snprintf(error, room,
                 "%s: ABI version %u, expected %u: build it against this "
                 "wddm-cts.h",
                 path, plugin->abi_version, WCTS_ABI_VERSION);
    } else if (plugin->size < sizeof *plugin) {
        snprintf(error, room, "%s: a plug-in table of %u bytes, expected %zu", path, plugin->size,
                 sizeof *plugin);
    } else if (!plugin->open || !plugin->call || !plugin->close) {
        snprintf(error, room, "%s: open, call or close is NULL, expected functions", path);
    } else if (!plugin->name || !plugin->version) {
        snprintf(error, room, "%s: name or version is NULL, expected text", path);
    } else if (!(plugin->sides & (WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER))) {
        snprintf(error, room, "%s: sides is 0x%x, expected kernel (1), driver (2) or both", path,
                 plugin->sides);
    } else {
        return true;
    }
    return false;
}

/* ---- opening ---- */

/* The begin of an ELF file; its layout and byte order after the machine are that machine's. */
struct machine_elf_start {
    unsigned char ident[EI_NIDENT];
    uint16_t type, machine;
};

static bool read_elf_start(int fd, struct machine_elf_start *start)
{
    return pread(fd, start, sizeof *start, 0) == (ssize_t)sizeof *start &&
           memcmp(start->ident, ELFMAG, SELFMAG) == 0;
}

static void name_machine(const struct machine_elf_start *start, char *name, size_t room)
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
static bool check_machine(const struct machine_elf_start *start, const char *shown, char *error,
                          size_t room)
{
    char theirs[32], ours[32];
    struct machine_elf_start own;
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

void *wcts_machine_plugin_open(const char *path, char *error, size_t room)
{
    char buffer[WCTS_PATH_ROOM];
    const char *shown = wcts_path_shown(path, buffer, sizeof buffer);
    const char *wrong = NULL;
    struct machine_elf_start start;
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

bool wcts_machine_plugin_load(struct wcts_machine_loaded *loaded, const char *path,
                              struct wcts_wire_host *remote, char *error, size_t room)
{
    wcts_plugin_entry_fn *entry;
    char buffer[WCTS_PATH_ROOM];
    const char *shown = wcts_path_shown(path, buffer, sizeof buffer);
    *loaded = (struct wcts_machine_loaded){.remote = remote};
    if (remote) {
        loaded->plugin = wcts_wire_host_plugin(remote, error, room);
        return loaded->plugin != NULL;
    }
    if (wcts_machine_is_builtin(path)) {
        loaded->plugin = wcts_plugin_entry();
        return check_table(loaded->plugin, "emulator", error, room);
    }
    loaded->library = wcts_machine_plugin_open(path, error, room);
    if (!loaded->library)
        return false;
    *(void **)&entry = dlsym(loaded->library, WCTS_PLUGIN_SYMBOL);
    if (!entry) {
        snprintf(error, room, "%s: no symbol %s, expected a wddm-cts plug-in", shown,
                 WCTS_PLUGIN_SYMBOL);
        return false;
    }
    loaded->plugin = entry();
    return check_table(loaded->plugin, shown, error, room);
}

void *wcts_machine_plugin_boot(const struct wcts_machine_loaded *loaded,
                               const struct wcts_host *host, uint32_t side)
{
    return loaded->remote ? wcts_wire_host_open(loaded->remote, host, side)
                          : loaded->plugin->open(host, side);
}

void wcts_machine_plugin_unload(struct wcts_machine_loaded *loaded)
{
    if (loaded->library)
        dlclose(loaded->library);
    *loaded = (struct wcts_machine_loaded){0};
}
