#include "tests/support/scale.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"

struct point {
    const char *runs;
    int grid, row, seed;
    char corpus[DIGEST_TEXT], train[DIGEST_TEXT], score[DIGEST_TEXT];
    int64_t metrics; /* number of metrics of its train stage */
};

static FILE *open_in(const char *folder, const char *name)
{
    char *path = heap_print("%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    CHECK(file, "%s", path);
    free(path);
    return file;
}

/* Makes the folder of a stage with stage.json and environment.json. Its id is the digest of a
 * text. */
static void make_stage(const struct point *point, const char *kind, const char *input,
                       char id[DIGEST_TEXT], char folder[512])
{
    char text[128];
    int length = snprintf(text, sizeof text, "%s %d %d %d", kind, point->grid,
                          input ? point->row : 0, input ? point->seed : 0);
    digest_bytes(text, (size_t)length, id);
    snprintf(folder, 512, "%s/stages/%s-%.12s", point->runs, kind, id);
    file_make_folder(folder);
    FILE *file = open_in(folder, "stage.json");
    fprintf(file, "{\"id\": \"%s\", \"kind\": \"%s\", \"version\": 1, \"canonical\": \"%s\", ", id,
            kind, text);
    fprintf(file,
            "\"options\": {\"model\": {\"width\": 256, \"heads\": %d, \"feedforward\": 1024, "
            "\"dropout\": 0.%d}, \"encoder\": {\"layers\": 2, \"window\": %d}, \"decoder\": "
            "{\"layers\": 2}, \"train\": {\"batch_tokens\": 2048, \"epochs\": %d, \"warmup\": "
            "1000}, \"seed\": %d}, ",
            1 << point->grid % 4, 1 + point->row % 5, point->row, 12 + point->grid % 3,
            point->seed);
    fprintf(file, "\"inputs\": [%s%s%s], \"names\": [\"g%d/row %d/%d\"]}\n", input ? "\"" : "",
            input ? input : "", input ? "\"" : "", point->grid, point->row, point->seed);
    fclose(file);
    file = open_in(folder, "environment.json");
    fputs("{\"host\": \"h\", \"processor\": \"p\", \"cores\": 2, \"threads\": 1, \"device\": "
          "\"cpu\", \"compiler\": \"c\", \"products\": \"1\"}\n",
          file);
    fclose(file);
}

static void write_end(const char *folder, const char *event, const char *summary)
{
    FILE *file = open_in(folder, "events.jsonl");
    fputs("{\"event\":\"started\",\"time\":1700000000.5,\"clock\":0.0,\"attempt\":1}\n", file);
    fprintf(file,
            "{\"event\":\"%s\",\"time\":1700000100.5,\"clock\":100.0,\"attempt\":1,"
            "\"text\":\"%s\"}\n",
            event, strcmp(event, "failed") ? "" : "out of luck");
    fclose(file);
    if (strcmp(event, "failed") == 0) return;
    file = open_in(folder, "done.json");
    fprintf(file, "{\"status\": \"done\", \"summary\": %s, \"outputs\": {}}\n", summary);
    fclose(file);
}

/* Writes metrics: of 20 rows one is dev_loss and one dev_bleu; the others are loss. */
static void write_metrics(const char *folder, int64_t rows, double offset)
{
    FILE *file = open_in(folder, "metrics.jsonl");
    for (int64_t i = 1; i <= rows; i++) {
        const char *name = i % 20 == 0 ? "dev_bleu" : i % 20 == 1 ? "dev_loss" : "loss";
        double value = i % 20 == 0 ? 40. * (double)i / (double)rows : offset + 5. / (double)i;
        fprintf(file, "{\"name\":\"%s\",\"step\":%lld,\"value\":%.6f}\n", name, (long long)i * 10,
                value);
    }
    fclose(file);
}

static void make_point(struct point *point)
{
    char folder[512], summary[256];
    double offset = 1 + point->row / 20. + point->seed / 100.;
    if (point->row == 0 && point->seed == 1) {
        make_stage(point, "corpus", NULL, point->corpus, folder);
        write_end(folder, "done", "{\"sentences\": 29000}");
    }
    make_stage(point, "train", point->corpus, point->train, folder);
    write_metrics(folder, point->metrics, offset);
    snprintf(summary, sizeof summary,
             "{\"steps\": %lld, \"dev_loss\": %.6f, \"dev_bleu\": 40.0, \"parameters\": 2726528}",
             (long long)point->metrics * 10, offset);
    write_end(folder, "done", summary);
    make_stage(point, "score", point->train, point->score, folder);
    FILE *file = open_in(folder, "metrics.jsonl");
    fprintf(file, "{\"name\":\"bleu\",\"value\":%.4f,\"n\":1000}\n", 40 - offset);
    fclose(file);
    snprintf(summary, sizeof summary,
             "{\"bleu\": %.4f, \"signature\": \"tok:none\", \"sentences\": 1000}", 40 - offset);
    bool failed = (point->row * SCALE_SEEDS + point->seed) % 7 == 0;
    write_end(folder, failed ? "failed" : "done", summary);
}

/* Writes a point to the record of a grid. Points must come in order of rows. */
static void record_point(FILE *record, const struct point *point)
{
    if (point->seed == 1)
        fprintf(record, "%s{\"name\": \"row %d\", \"seeds\": [", point->row ? ", " : "",
                point->row);
    fprintf(record,
            "%s{\"seed\": %d, \"stages\": [{\"kind\": \"corpus\", \"id\": \"%s\"}, {\"kind\": "
            "\"train\", \"id\": \"%s\"}, {\"kind\": \"score\", \"id\": \"%s\"}]}",
            point->seed > 1 ? ", " : "", point->seed, point->corpus, point->train, point->score);
    if (point->seed == SCALE_SEEDS) fputs("]}", record);
}

void scale_fill(const char *runs, int stages, int64_t metrics)
{
    int points = SCALE_ROWS * SCALE_SEEDS, grids = stages / (2 * points);
    struct point point = {.runs = runs, .metrics = metrics / ((int64_t)grids * points)};
    for (point.grid = 0; point.grid < grids; point.grid++) {
        char folder[512];
        snprintf(folder, sizeof folder, "%s/grids/g%d", runs, point.grid);
        file_make_folder(folder);
        FILE *record = open_in(folder, "record.json");
        fprintf(record, "{\"grid\": \"g%d\", \"title\": \"grid %d\", \"rows\": [", point.grid,
                point.grid);
        for (point.row = 0; point.row < SCALE_ROWS; point.row++)
            for (point.seed = 1; point.seed <= SCALE_SEEDS; point.seed++) {
                make_point(&point);
                record_point(record, &point);
            }
        fputs("]}\n", record);
        fclose(record);
    }
}
