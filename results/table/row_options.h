/* The options of a grid's rows. They come from the grid. If there is only a record of the grid,
 * they come from the stages of each row's first seed, in the database. */
#pragma once

#include "results/table/sample.h"

struct row_options {
    int count;
    const char **key;    /* [count] dotted names, in the order in which they were first found; then
                            NULL */
    bool *differs;       /* [count] rows to which the option applies have different values */
    bool **given;        /* [rows][count] the row sets the option */
    const char ***value; /* [rows][count] a value that is not given is the default; NULL: none */
};

/* Returns the options that some row sets. The sampler's arena owns them. */
struct row_options row_options(struct sampler *sampler);
