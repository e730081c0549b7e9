/* The scores of a place in a grid, which the caller of a comparison knows. */
#ifndef RESULTS_COMPARE_COMPARE_PLACE_H
#define RESULTS_COMPARE_COMPARE_PLACE_H

struct compare_place {
    int count;             /* 0: the word means a stage */
    const char *const *id; /* [count] */
};

#endif
