/* Defines the columns of the files of items and clusters, and writes items. */
#include "results/store/items.h"

#include <stdlib.h>

#define COLUMN(type, field, cell)                                                                  \
    {                                                                                              \
#field, cell, offsetof(struct type, field)                                                 \
    }

const struct tsv_form items_form = {
    "item", sizeof(struct item), 4, 3,
    (const struct tsv_column[]){COLUMN(item, number, TSV_NUMBER), COLUMN(item, class, TSV_TEXT),
                                COLUMN(item, stratum, TSV_TEXT),
                                COLUMN(item, weight, TSV_POSITIVE)}};

const struct tsv_form clusters_form = {
    "sum", sizeof(struct cluster_sum), 5, 5,
    (const struct tsv_column[]){
        COLUMN(cluster_sum, cluster, TSV_INDEX), COLUMN(cluster_sum, layer, TSV_WHOLE),
        COLUMN(cluster_sum, class, TSV_TEXT), COLUMN(cluster_sum, count, TSV_POSITIVE),
        COLUMN(cluster_sum, sum, TSV_NUMBER)}};

const char *items_file(int set, int sets, struct arena *arena)
{
    return sets == 1 ? "items.tsv" : arena_print(arena, "items.%d.tsv", set + 1);
}

void items_write(const char *folder, const char *file, const struct item *item, int count)
{
    SCOPED(heap_free) char *path = heap_print("%s/%s", folder, file);
    tsv_write(path, &items_form, item, count);
}
