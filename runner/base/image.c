/* SPDX-License-Identifier: MIT */
#include "image.h"

#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array.h"
#include "regular.h"

/* Far from where programs, libraries, heaps and the sanitizers' shadows are; and no text of six
 * letters, read as a word, is an address in it. */
#define IMAGE_AT ((uintptr_t)0x6A5C00000000)
#define IMAGE_ROOM ((size_t)0x10000000)

#define IMAGE_PAGE ((size_t)4096)
#define IMAGE_MAGIC "wddm-cts image 1"
#define BUILD_ID_SIZE 64

/* The first page of a file. Behind it come size bytes, up to a whole page, and the numbers of the
 * words, 64 bits each, that point into the program: in the file they are the distance from where
 * the program begins. */
struct image_header {
    char magic[sizeof IMAGE_MAGIC];
    unsigned char build_id[BUILD_ID_SIZE];
    uint64_t size, root, pointers; /* bytes; the address of the root; words that point out */
};

static size_t whole_pages(size_t size)
{
    return (size + IMAGE_PAGE - 1) / IMAGE_PAGE * IMAGE_PAGE;
}

/* Pages at the address of images; NULL if it is not free. Old kernels take another one then. */
static void *map_pages(size_t size, int flags)
{
    void *wanted = (void *)IMAGE_AT;
    void *pages = mmap(wanted, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | flags, -1, 0);
    if (pages == wanted)
        return pages;
    if (pages != MAP_FAILED)
        munmap(pages, size);
    return NULL;
}

/* ---- the program ---- */

/* Where the program is in memory, and which one it is. */
struct image_program {
    uintptr_t begin, end;
    unsigned char build_id[BUILD_ID_SIZE]; /* zeroes behind it; all zeroes: it has none */
};

static void read_notes(struct image_program *program, const unsigned char *note, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *head = (const void *)note;
        size_t name = (head->n_namesz + 3U) & ~3U, data = (head->n_descsz + 3U) & ~3U;
        if (size - sizeof *head < name + data)
            return;
        if (head->n_type == NT_GNU_BUILD_ID && head->n_descsz <= BUILD_ID_SIZE &&
            head->n_namesz == sizeof "GNU" && memcmp(head + 1, "GNU", sizeof "GNU") == 0)
            memcpy(program->build_id, note + sizeof *head + name, head->n_descsz);
        note += sizeof *head + name + data;
        size -= sizeof *head + name + data;
    }
}

/* The program itself is the first object. */
static int look_at_program(struct dl_phdr_info *info, size_t size, void *context)
{
    struct image_program *program = context;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (program->end == 0 || at < program->begin))
            program->begin = at;
        if (part->p_type == PT_LOAD && at + part->p_memsz > program->end)
            program->end = at + part->p_memsz;
        if (part->p_type == PT_NOTE)
            read_notes(program, (const unsigned char *)at, part->p_memsz);
    }
    return 1;
}

static bool find_program(struct image_program *program)
{
    static const unsigned char none[BUILD_ID_SIZE];
    *program = (struct image_program){0};
    dl_iterate_phdr(look_at_program, program);
    return memcmp(program->build_id, none, sizeof none) != 0;
}

/* ---- writing ---- */

struct wcts_arena *wcts_image_arena(void)
{
    void *pages = map_pages(IMAGE_ROOM, MAP_NORESERVE);
    return pages == NULL ? NULL : wcts_arena_new_in(pages, IMAGE_ROOM, 0);
}

/* What this process has mapped beside arena and program, from /proc/self/maps. A sanitizer's shadow
 * begins where numbers of 32 bits would point, or has terabytes. Nobody else points there. */
#define IMAGE_LOW ((uintptr_t)1 << 32)
#define IMAGE_SHADOW ((uintptr_t)1 << 36)

struct image_range {
    uintptr_t begin, end;
};

struct image_ranges {
    struct image_range *of;
    int count;
};

static bool find_ranges(struct image_ranges *ranges, const struct image_program *program)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    while (maps && fgets(line, sizeof line, maps)) {
        struct image_range one, *added;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &one.begin, &one.end) != 2 ||
            (one.begin >= IMAGE_AT && one.begin < IMAGE_AT + IMAGE_ROOM) ||
            (one.begin >= program->begin && one.begin < program->end) || one.begin < IMAGE_LOW ||
            one.end - one.begin >= IMAGE_SHADOW)
            continue;
        added = WCTS_ARRAY_ADD(ranges->of, ranges->count);
        if (added)
            *added = one;
    }
    if (maps)
        fclose(maps);
    return ranges->count > 0;
}

/* "o data" would be an address of a sanitizer's heap. */
static bool is_text(uint64_t word)
{
    for (int i = 0; i < 6; i++)
        if ((word >> 8 * i & 0xFF) < ' ' || (word >> 8 * i & 0xFF) > '~')
            return false;
    return true;
}

static bool points_elsewhere(const struct image_ranges *ranges, uint64_t word)
{
    if (is_text(word))
        return false;
    for (int i = 0; i < ranges->count; i++)
        if (word >= ranges->of[i].begin && word < ranges->of[i].end)
            return true;
    return false;
}

/* The words of an arena as they are to be written, and the numbers of those that point into the
 * program. */
struct image_words {
    uint64_t *words;
    size_t count;
    uint64_t *pointers;
    int pointer_count;
};

static bool make_portable(struct image_words *image, const struct image_program *program,
                          const struct image_ranges *ranges)
{
    for (size_t i = 0; i < image->count; i++) {
        uint64_t *pointer;
        if (points_elsewhere(ranges, image->words[i]))
            return false;
        if (image->words[i] < program->begin || image->words[i] >= program->end)
            continue;
        pointer = WCTS_ARRAY_ADD(image->pointers, image->pointer_count);
        if (!pointer)
            return false;
        *pointer = i;
        image->words[i] -= program->begin;
    }
    return true;
}

static bool write_image(const struct image_words *image, const struct image_program *program,
                        const void *root, FILE *out)
{
    static const char zeroes[IMAGE_PAGE];
    struct image_header header = {.magic = IMAGE_MAGIC,
                                  .size = image->count * sizeof *image->words,
                                  .root = (uintptr_t)root,
                                  .pointers = (uint64_t)image->pointer_count};
    memcpy(header.build_id, program->build_id, sizeof header.build_id);
    fwrite(&header, sizeof header, 1, out);
    fwrite(zeroes, IMAGE_PAGE - sizeof header, 1, out);
    fwrite(image->words, 1, header.size, out);
    fwrite(zeroes, 1, whole_pages(header.size) - header.size, out);
    fwrite(image->pointers, sizeof *image->pointers, (size_t)image->pointer_count, out);
    return fflush(out) == 0 && !ferror(out);
}

bool wcts_image_store(const struct wcts_arena *arena, const void *root, FILE *out)
{
    size_t size = wcts_arena_used(arena);
    struct image_words image = {.words = malloc(size + 1), .count = size / sizeof(uint64_t)};
    struct image_program program;
    struct image_ranges ranges = {0};
    bool good = image.words && find_program(&program) && find_ranges(&ranges, &program);
    if (good) {
        memcpy(image.words, (const void *)IMAGE_AT, size);
        good = make_portable(&image, &program, &ranges) && write_image(&image, &program, root, out);
    }
    free(ranges.of);
    free(image.pointers);
    free(image.words);
    return good;
}

/* ---- reading ---- */

static bool is_whole(const struct image_header *header, const struct image_program *program,
                     size_t file_size)
{
    return memcmp(header->magic, IMAGE_MAGIC, sizeof header->magic) == 0 &&
           memcmp(header->build_id, program->build_id, sizeof header->build_id) == 0 &&
           header->size < IMAGE_ROOM && header->pointers <= header->size / sizeof(uint64_t) &&
           header->root >= IMAGE_AT && header->root < IMAGE_AT + header->size &&
           file_size ==
               IMAGE_PAGE + whole_pages(header->size) + header->pointers * sizeof(uint64_t);
}

static bool mend_pointers(int file, const struct image_header *header,
                          const struct image_program *program)
{
    size_t size = header->pointers * sizeof(uint64_t);
    uint64_t *numbers = malloc(size + 1), *words = (uint64_t *)IMAGE_AT;
    bool good = numbers && pread(file, numbers, size,
                                 (off_t)(IMAGE_PAGE + whole_pages(header->size))) == (ssize_t)size;
    for (uint64_t i = 0; good && i < header->pointers; i++)
        if (numbers[i] < header->size / sizeof(uint64_t))
            words[numbers[i]] += program->begin;
    free(numbers);
    return good;
}

/* What is in the file is trusted as the program is, so who may write it has to be trusted as who
 * may write that. */
static bool is_trusted(const struct stat *status)
{
    struct stat program;
    return S_ISREG(status->st_mode) && (status->st_mode & S_IWOTH) == 0 &&
           (status->st_uid == 0 || status->st_uid == geteuid() ||
            (stat("/proc/self/exe", &program) == 0 && status->st_uid == program.st_uid));
}

static struct wcts_arena *read_file(int file, void **root)
{
    struct image_header header;
    struct image_program program;
    struct stat status;
    void *pages;
    size_t size;
    if (!find_program(&program) || fstat(file, &status) != 0 || !is_trusted(&status) ||
        pread(file, &header, sizeof header, 0) != sizeof header ||
        !is_whole(&header, &program, (size_t)status.st_size))
        return NULL;
    size = whole_pages(header.size);
    pages = map_pages(size, 0);
    if (pages == NULL)
        return NULL;
    /* Not mapped: a file that is written anew in its place would change under whoever runs. */
    madvise(pages, size, MADV_HUGEPAGE);
    if (pread(file, pages, size, (off_t)IMAGE_PAGE) != (ssize_t)size ||
        !mend_pointers(file, &header, &program)) {
        munmap(pages, size);
        return NULL;
    }
    *root = (void *)(uintptr_t)header.root;
    return wcts_arena_new_in(pages, size, header.size);
}

struct wcts_arena *wcts_image_read(const char *path, void **root)
{
    const char *wrong;
    int file = wcts_regular_open(path, 0, &wrong);
    struct wcts_arena *arena = file < 0 ? NULL : read_file(file, root);
    if (file >= 0)
        close(file);
    return arena;
}
