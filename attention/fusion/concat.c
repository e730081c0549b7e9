/* concat: the branches are placed side by side, [T, R*D]. One output projection reads all branches.
 * Adds D^2 parameters per block (Xu et al. 2019, Table 1, "Hybrid (Concate)"; Song et al.
 * 2018, eq. 13). */
#include "attention/dense.h"

static struct value *build(struct graph *graph, const struct attention_block *block)
{
    return attention_project(graph, block->branches, block);
}

static double *dense(const struct dense *block, const double *branches)
{
    return dense_project(block, branches, block->spec->branches * block->H * block->d);
}

const struct fusion_type fusion_concat = {
    .name = "concat",
    .help = "concatenation of the branches, with a wider output projection",
    .build = build,
    .dense = dense,
};
