#include "tests/support/seeded_model.h"

#include "core/check/model_check.h"
#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "tests/support/test.h"

struct translator_options options_of(const char *yaml)
{
    struct translator_options options;
    struct tree *tree = tree_merge(&arena, NULL, tree_parse(&arena, "x.yaml", yaml));
    translator_options_read(&options, tree, &arena);
    return options;
}

struct frozen *frozen_start(const struct corpus *corpus, const struct translator_options *options,
                            uint32_t seed)
{
    const struct frozen_job job = {.ops = cpu_ops(),
                                   .corpus = corpus,
                                   .options = options,
                                   .train_folder = "none",
                                   .checkpoint = "start",
                                   .seed = seed};
    struct frozen *frozen = frozen_open(&arena, &job);
    frozen_load(frozen, 0);
    return frozen;
}

real *rows_alone(struct model *model, const struct split *split, int32_t sentence, const char *path)
{
    struct graph *graph = model_list(model, &arena, GRAPH_INFER);
    graph_keep(graph, path);
    graph_plan(graph, (struct capacity){{64, 64}, 1, 64});
    graph_place(graph);
    graph_set_step(graph, &(struct step){.normalizer = 1});
    const struct batch batch = batch_pack(&arena, split, &sentence, 1);
    graph_load(graph, &batch);
    graph_forward(graph);
    real *rows = check_read(&arena, graph, path);
    graph_release(graph);
    return rows;
}
