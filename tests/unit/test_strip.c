/* SPDX-License-Identifier: MIT */
/*
 * Strips: numbers and messages come back as they were put, what was there before takes no room, a
 * strip that is full or was changed does no harm; blocks of memory; packing. Runs in the top
 * directory.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "runner/exchange/stream.h"
#include "runner/exchange/strip.h"
#include "suite.h"

/* Where content of memory begins in a message: nowhere. */
#define NO_MEMORY WCTS_STRIP_MESSAGE_MAX

/* Numbers from a seed. */
static uint64_t drawn;

static uint32_t draw(uint32_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(drawn >> 33) % below;
}

/* ---- numbers and messages ---- */

static struct wcts_exchange_strip *strip_new(void)
{
    struct wcts_exchange_strip *strip = calloc(1, sizeof *strip);
    ck_assert_ptr_nonnull(strip);
    strip->limit = WCTS_STRIP_MAX;
    return strip;
}

static void strip_free(struct wcts_exchange_strip *strip)
{
    wcts_exchange_strip_release(strip);
    free(strip);
}

static const uint64_t numbers[] = {
    0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_C(1) << 32, INT64_MAX, UINT64_MAX};
#define NUMBERS (sizeof numbers / sizeof *numbers)

START_TEST(numbers_come_back)
{
    struct wcts_exchange_strip *strip = strip_new(), *read = strip_new();
    for (size_t i = 0; i < NUMBERS; i++)
        wcts_exchange_strip_put_number(strip, numbers[i]);
    wcts_exchange_strip_load(read, strip->bytes, strip->size);
    for (size_t i = 0; i < NUMBERS; i++)
        ck_assert_uint_eq(wcts_exchange_strip_number(read), numbers[i]);
    ck_assert(wcts_exchange_strip_at_end(read) && !read->wrong);
    wcts_exchange_strip_number(read);
    ck_assert(read->wrong);
    strip_free(strip);
    strip_free(read);
}
END_TEST

#define MESSAGES 200

static const uint32_t operations[] = {0x101, 0x119, 0x203, 0x302, 0x1F0, 0xFFFFFFFF, 0};

/* Messages of all sizes, most like the last one of their operation. */
static size_t next_message(uint8_t *bytes, size_t last)
{
    size_t size = draw(4) ? last : draw(700);
    for (uint32_t changes = draw(5); changes > 0 && size > 0; changes--)
        bytes[draw((uint32_t)size)] = (uint8_t)draw(256);
    return size;
}

START_TEST(messages_come_back)
{
    struct wcts_exchange_strip *strip = strip_new(), *read = strip_new();
    static uint8_t messages[MESSAGES][700];
    size_t sizes[MESSAGES], size = 0;
    drawn = (uint64_t)_i;
    for (int i = 0; i < MESSAGES; i++) {
        if (i > 0)
            memcpy(messages[i], messages[i - 1], sizeof messages[i]);
        sizes[i] = size = next_message(messages[i], size);
        wcts_exchange_strip_put_memory(strip, operations[i % 7], NO_MEMORY, messages[i], size);
        if (i % 9 == 0)
            wcts_exchange_strip_expect(strip, 0x302, 32, messages[i], size);
    }
    ck_assert(!strip->full);
    wcts_exchange_strip_load(read, strip->bytes, strip->size);
    for (int i = 0; i < MESSAGES; i++) {
        uint8_t *message = wcts_exchange_strip_memory(read, operations[i % 7], NO_MEMORY, &size);
        ck_assert_ptr_nonnull(message);
        ck_assert_uint_eq(size, sizes[i]);
        ck_assert(memcmp(message, messages[i], size) == 0);
        if (i % 9 == 0)
            wcts_exchange_strip_expect(read, 0x302, 32, messages[i], size);
        free(message);
    }
    ck_assert(wcts_exchange_strip_at_end(read) && !read->wrong);
    strip_free(strip);
    strip_free(read);
}
END_TEST

START_TEST(what_is_the_same_takes_no_room)
{
    struct wcts_exchange_strip *strip = strip_new();
    static uint8_t message[8192];
    size_t first;
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)(i * 7 + 1);
    wcts_exchange_strip_put_memory(strip, 0x119, NO_MEMORY, message, sizeof message);
    first = strip->size;
    message[5000] ^= 1;
    wcts_exchange_strip_put_memory(strip, 0x119, NO_MEMORY, message, sizeof message);
    ck_assert_uint_gt(first, sizeof message);
    ck_assert_uint_lt(strip->size - first, 24);
    wcts_exchange_strip_expect(strip, 0x302, 32, message, sizeof message);
    first = strip->size;
    wcts_exchange_strip_put_memory(strip, 0x119, NO_MEMORY, message,
                                   40); /* in part, and whole again */
    wcts_exchange_strip_put_memory(strip, 0x119, NO_MEMORY, message, sizeof message);
    ck_assert_uint_lt(strip->size - first, 24);
    strip_free(strip);
}
END_TEST

START_TEST(a_full_strip_takes_no_more)
{
    struct wcts_exchange_strip *strip = strip_new();
    strip->limit = 10;
    wcts_exchange_strip_put_bytes(strip, "0123456789", 10);
    ck_assert(!strip->full);
    wcts_exchange_strip_put_byte(strip, 0);
    ck_assert(strip->full);
    ck_assert_uint_eq(strip->size, 10);
    strip_free(strip);
}
END_TEST

/* Every beginning of a strip, and every byte of it as another one. */
START_TEST(a_changed_strip_is_read_to_its_end)
{
    struct wcts_exchange_strip *strip = strip_new(), *read = strip_new();
    uint8_t message[64] = {1, 2, 3}, *copy;
    for (int i = 0; i < 6; i++, message[i * 9]++)
        wcts_exchange_strip_put_memory(strip, 0x101, NO_MEMORY, message,
                                       sizeof message - (size_t)i);
    copy = malloc(strip->size);
    ck_assert_ptr_nonnull(copy);
    for (size_t i = 0; i < 2 * strip->size; i++) {
        bool cut = i < strip->size;
        memcpy(copy, strip->bytes, strip->size);
        if (!cut)
            copy[i - strip->size] ^= (uint8_t)(0x80 >> i % 8);
        wcts_exchange_strip_load(read, copy, cut ? i : strip->size);
        for (int n = 0; n < 6; n++) {
            size_t size;
            free(wcts_exchange_strip_memory(read, 0x101, NO_MEMORY, &size));
        }
        ck_assert(!cut || read->wrong);
    }
    free(copy);
    strip_free(strip);
    strip_free(read);
}
END_TEST

/* ---- blocks of memory ---- */

/* Fills a message with content of memory, as patterns are. */
static void fill_memory(uint8_t *message, size_t size, size_t before, int pattern)
{
    for (size_t i = 0; i < size; i++)
        message[i] = (uint8_t)(i < before ? i : i * 7 + (size_t)pattern + (i >> 12) * 3);
}

/* A block that could not be added, for lack of memory, is not found later. */
START_TEST(what_was_not_added_is_not_found)
{
    struct wcts_exchange_blocks blocks = {0};
    static uint8_t block[2][WCTS_BLOCK];
    memset(block[1], 1, sizeof block[1]);
    ck_assert_int_eq(wcts_exchange_blocks_find(&blocks, block[0]), -1);
    ck_assert(wcts_exchange_blocks_add(&blocks, block[0]));
    ck_assert_int_eq(wcts_exchange_blocks_find(&blocks, block[1]), -1);
    /* Here adding it fails. What is behind the blocks is as it happens to be. */
    memcpy(blocks.bytes + WCTS_BLOCK, block[1], WCTS_BLOCK);
    ck_assert_int_eq(wcts_exchange_blocks_find(&blocks, block[1]), -1);
    ck_assert_int_eq(wcts_exchange_blocks_find(&blocks, block[0]), 0);
    ck_assert(wcts_exchange_blocks_find(&blocks, block[1]) == -1 &&
              wcts_exchange_blocks_add(&blocks, block[1]));
    ck_assert_int_eq(wcts_exchange_blocks_find(&blocks, block[1]), 1);
    wcts_exchange_blocks_release(&blocks);
}
END_TEST

/* Blocks of memory that were there before are numbers, in whatever order they come. */
START_TEST(memory_that_was_there_is_a_number)
{
    struct wcts_exchange_strip *strip = strip_new(), *read = strip_new();
    static uint8_t message[32 + 3 * WCTS_BLOCK + 8];
    const size_t sizes[] = {sizeof message, 32 + WCTS_BLOCK, 32 + WCTS_BLOCK - 1, 40, 32, 8, 0};
    size_t size;
    for (int round = 0; round < 2; round++) {
        size_t first = strip->size;
        for (int i = 0; i < 7 * 20; i++) {
            fill_memory(message, sizes[i / 20], 32, i % 20);
            wcts_exchange_strip_put_memory(strip, 0x302, 32, message, sizes[i / 20]);
        }
        /* What is no whole block is put as differences. */
        ck_assert(round == 0 || strip->size - first < 20 * (WCTS_BLOCK + 1024));
    }
    ck_assert(!strip->full);
    ck_assert_uint_lt(strip->size, (20 * 3 + 2 * 20) * (WCTS_BLOCK + 32) + 4096);
    wcts_exchange_strip_load(read, strip->bytes, strip->size);
    for (int i = 0; i < 2 * 7 * 20; i++) {
        uint8_t *found = wcts_exchange_strip_memory(read, 0x302, 32, &size);
        fill_memory(message, sizes[i / 20 % 7], 32, i % 20);
        ck_assert_ptr_nonnull(found);
        ck_assert_uint_eq(size, sizes[i / 20 % 7]);
        ck_assert(memcmp(found, message, size) == 0);
        free(found);
    }
    ck_assert(wcts_exchange_strip_at_end(read) && !read->wrong);
    strip_free(strip);
    strip_free(read);
}
END_TEST

/* More blocks than are kept, all different. */
START_TEST(memory_without_end_comes_back)
{
    struct wcts_exchange_strip *strip = strip_new(), *read = strip_new();
    static uint8_t message[16 + WCTS_BLOCK];
    const int count = WCTS_BLOCKS_MAX + 100;
    size_t size;
    for (int i = 0; i < 2 * count; i++) {
        memcpy(message + 100, &(int){i % count}, sizeof i);
        wcts_exchange_strip_put_memory(strip, 0x101, 16, message, sizeof message);
    }
    ck_assert(!strip->full);
    ck_assert_int_eq(strip->blocks.count, WCTS_BLOCKS_MAX);
    wcts_exchange_strip_load(read, strip->bytes, strip->size);
    for (int i = 0; i < 2 * count; i++) {
        uint8_t *found = wcts_exchange_strip_memory(read, 0x101, 16, &size);
        memcpy(message + 100, &(int){i % count}, sizeof i);
        ck_assert_ptr_nonnull(found);
        ck_assert(size == sizeof message && memcmp(found, message, size) == 0);
        free(found);
    }
    ck_assert(wcts_exchange_strip_at_end(read) && !read->wrong);
    strip_free(strip);
    strip_free(read);
}
END_TEST

/* A number of no block, of a forged strip. */
START_TEST(a_block_that_is_not_there_is_wrong)
{
    struct wcts_exchange_strip *strip = strip_new(), *read = strip_new();
    size_t size;
    wcts_exchange_strip_put_number(strip, 8 + WCTS_BLOCK);
    wcts_exchange_strip_put_number(strip, 1); /* the word before it, as it was */
    wcts_exchange_strip_put_number(strip, 0);
    wcts_exchange_strip_put_number(strip, 2); /* block 0 */
    wcts_exchange_strip_load(read, strip->bytes, strip->size);
    ck_assert_ptr_null(wcts_exchange_strip_memory(read, 0x302, 8, &size));
    ck_assert(read->wrong);
    strip_free(strip);
    strip_free(read);
}
END_TEST

/* ---- packing ---- */

/* Random bytes, which no packing makes less. */
#define NOISE ((size_t)5000)

START_TEST(what_was_packed_before_takes_no_room)
{
    struct wcts_packer *packs = wcts_exchange_packer_new(), *unpacks = wcts_exchange_packer_new();
    static uint8_t noise[NOISE];
    uint8_t *packed[3], *raw;
    size_t sizes[3];
    for (size_t i = 0; i < NOISE; i++)
        noise[i] = (uint8_t)draw(256);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(wcts_exchange_packer_begins(packs), i == 0);
        packed[i] = wcts_exchange_packer_pack(packs, noise, NOISE - (size_t)i, &sizes[i]);
        ck_assert_ptr_nonnull(packed[i]);
    }
    ck_assert_uint_gt(sizes[0], NOISE - 10);
    ck_assert_uint_lt(sizes[1] + sizes[2], 100);
    for (int i = 0; i < 3; i++) {
        raw = wcts_exchange_packer_unpack(unpacks, packed[i], sizes[i], NOISE - (size_t)i);
        ck_assert_ptr_nonnull(raw);
        ck_assert(memcmp(raw, noise, NOISE - (size_t)i) == 0);
        free(raw);
    }
    wcts_exchange_packer_begin(unpacks);
    ck_assert_ptr_null(wcts_exchange_packer_unpack(unpacks, packed[1], sizes[1], NOISE - 1));
    for (int i = -1; i < 3; i++) { /* another size of the bytes, or of what they were */
        size_t size = sizes[0] - (i == 0), raw_size = i == 1   ? NOISE - 1
                                                      : i == 2 ? NOISE + 1
                                                               : NOISE;
        wcts_exchange_packer_begin(unpacks);
        raw = wcts_exchange_packer_unpack(unpacks, packed[0], size, raw_size);
        ck_assert_int_eq(raw != NULL, i < 0);
        free(raw);
    }
    wcts_exchange_packer_begin(unpacks);
    ck_assert_ptr_null(wcts_exchange_packer_unpack(unpacks, "garbage", 7, 100));
    for (int i = 0; i < 3; i++)
        free(packed[i]);
    wcts_exchange_packer_free(packs);
    wcts_exchange_packer_free(unpacks);
}
END_TEST

/* What the packer would not have made unpacks to the same bytes, and is none of its strips. */
START_TEST(a_strip_is_a_part_of_one_frame)
{
    static const uint8_t skippable[] = {0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'b', 'a', 'd'};
    struct wcts_packer *packs = wcts_exchange_packer_new(), *unpacks = wcts_exchange_packer_new();
    uint8_t strip[200] = "a strip", made[3][1000];
    size_t sizes[3], size;
    uint8_t *packed = wcts_exchange_packer_pack(packs, strip, sizeof strip, &size);
    ck_assert_ptr_nonnull(packed);
    memcpy(made[0], skippable, sizeof skippable);
    memcpy(made[0] + sizeof skippable, packed, size);
    sizes[0] = sizeof skippable + size;
    sizes[1] = ZSTD_compress(made[1], sizeof made[1], strip, sizeof strip, 1);
    sizes[2] = ZSTD_compress(made[2], sizeof made[2], strip, 100, 1);
    sizes[2] += ZSTD_compress(made[2] + sizes[2], sizeof made[2] - sizes[2], strip + 100, 100, 1);
    for (int i = 0; i < 3; i++) {
        wcts_exchange_packer_begin(unpacks);
        ck_assert_ptr_null(wcts_exchange_packer_unpack(unpacks, made[i], sizes[i], sizeof strip));
    }
    free(packed);
    wcts_exchange_packer_free(packs);
    wcts_exchange_packer_free(unpacks);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("strip");
    TCase *strips = tcase_create("strips");
    tcase_add_test(strips, numbers_come_back);
    tcase_add_loop_test(strips, messages_come_back, 0, 10);
    tcase_add_test(strips, what_is_the_same_takes_no_room);
    tcase_add_test(strips, a_full_strip_takes_no_more);
    tcase_add_test(strips, a_changed_strip_is_read_to_its_end);
    tcase_add_test(strips, what_was_not_added_is_not_found);
    tcase_add_test(strips, memory_that_was_there_is_a_number);
    tcase_add_test(strips, memory_without_end_comes_back);
    tcase_add_test(strips, a_block_that_is_not_there_is_wrong);
    tcase_add_test(strips, what_was_packed_before_takes_no_room);
    tcase_add_test(strips, a_strip_is_a_part_of_one_frame);
    suite_add_tcase(all, strips);
    return all;
}

int main(void)
{
    return suite_run(suite());
}
