/* The scores of a place in a grid, which the caller of a comparison knows. */
#pragma once

struct compare_place {
    int count;             /* 0: the word means a stage */
    const char *const *id; /* [count] */
};
