/* Folded rows in shared memory (core/cuda/warp_rows.h). Every pack has its own cell. Lanes that
 * read at the same time read from different banks. These are eight lanes for packs of 16 bytes,
 * sixteen for half packs. */
#define DEVICE_TABLE bf16
#define DEVICE_BF16
#include "core/cuda/attention_staged.h"
#include "tests/support/test.h"

enum { ROWS = 128, BANKS = 16 }; /* of eight bytes */

/* Returns the bank of the lane's half pack, or of the first half of its pack. */
static int bank(int row, int column, int d)
{
    const struct slice rows = staged(NULL);
    return slice_place(rows, row, column, d) / (PACK / 2) % BANKS;
}

TEST(each_pack_has_its_place)
{
    for (int d = 32; d <= 64; d += 32)
        for (int rows = 1; rows <= ROWS; rows++) {
            bool taken[ROWS * 64 / PACK] = {false};
            for (int n = 0; n < rows * d / PACK; n++) {
                const int place = slice_place(staged(NULL), n * PACK / d, n * PACK % d, d);
                assert_true(place >= 0 && place < staged_room(rows) * d && place % PACK == 0);
                assert_false(taken[place / PACK]);
                taken[place / PACK] = true;
            }
        }
}

/* rows_left and by_rows: lane 4 g + c reads pack c of four of row g. */
TEST(packs_of_rows_meet_in_no_bank)
{
    for (int d = 32; d <= 64; d += 32)
        for (int row = 0; row < ROWS; row += 2)
            for (int first = 0; first < d; first += 4 * PACK) {
                unsigned seen = 0;
                for (int lane = 0; lane < 8; lane++)
                    seen |= 3u << bank(row + lane / 4, first + lane % 4 * PACK, d);
                assert_int_equal(seen, 0xffff);
            }
}

/* over_rows: lane 4 g + c reads the g-th columns of row 2 c. */
TEST(columns_of_rows_meet_in_no_bank)
{
    for (int row = 0; row < ROWS - 8; row += 8)
        for (int odd = 0; odd < 2; odd++) {
            for (int g = 0; g < 8; g += 2) {
                unsigned seen = 0;
                for (int lane = 0; lane < 8; lane++)
                    seen |= 3u << bank(row + odd + 2 * (lane % 4), (g + lane / 4) * 8, 64);
                assert_int_equal(seen, 0xffff);
            }
            for (int g = 0; g < 8; g += 4) {
                unsigned seen = 0;
                for (int lane = 0; lane < 16; lane++)
                    seen |= 1u << bank(row + odd + 2 * (lane % 4), (g + lane / 4) * 4, 32);
                assert_int_equal(seen, 0xffff);
            }
        }
}
