/* Writes the results of the stage `words`: accuracies, controls, selectivity, online codes, and the
 * data from which they can be checked. */
#include "experiments/stage/words_report.h"

#include <string.h>

#include "experiments/stage/probe_options.h"
#include "experiments/stage/stage_digest.h"
#include "probes/structural.h"
#include "results/store/items.h"

enum { CLASSES_MOST = 100 };

/* The predictions and answers of a stage. */
struct words_results {
    struct stage_work *work;
    const struct words *words;
    const int32_t *answer, *control; /* [words] of the task and of the control task */
    const struct word_probe *probe;
};

static struct words_score score_of(const struct words_results *report, int size, bool control,
                                   enum words_set set, bool frequent)
{
    const struct word_probe *probe = report->probe;
    return words_score(report->words, control ? report->control : report->answer,
                       control ? probe->control[size].predicted : probe->task[size].predicted, set,
                       frequent);
}

/* Writes PREFIXaccuracy and PREFIXselectivity of a size; without a prefix also `control`. */
static void write_scores(const struct words_results *report, const char *prefix, int size,
                         enum words_set set, bool frequent)
{
    struct stage_work *work = report->work;
    const struct words_score task = score_of(report, size, false, set, frequent),
                             control = score_of(report, size, true, set, frequent);
    if (!task.words) return;
    stage_work_value(work, arena_print(&work->arena, "%saccuracy", prefix), task.accuracy,
                     task.words, (struct value_at){0});
    if (!*prefix)
        stage_work_value(work, "control", control.accuracy, control.words, (struct value_at){0});
    stage_work_value(work, arena_print(&work->arena, "%sselectivity", prefix),
                     task.accuracy - control.accuracy, task.words, (struct value_at){0});
}

static void write_classes(const struct words_results *report, const struct word_labels *labels)
{
    const struct words *words = report->words;
    struct arena *arena = &report->work->arena;
    int *right = ARENA_ARRAY(arena, int, labels->labels + 1),
        *of = ARENA_ARRAY(arena, int, labels->labels + 1);
    for (int w = 0; w < words->words; w++) {
        if (words->sentence[words->of[w]].set != WORDS_TEST || labels->label[w] < 0) continue;
        of[labels->label[w]]++;
        right[labels->label[w]] +=
            report->probe->task[report->probe->best].predicted[w] == report->answer[w];
    }
    for (int l = 0; l < labels->labels && labels->labels <= CLASSES_MOST; l++)
        if (of[l])
            stage_work_value(report->work, "accuracy", 100. * right[l] / of[l], of[l],
                             (struct value_at){.class = labels->name[l]});
}

/* Writes the accuracies of guesses without vectors, on a set. */
static void write_guesses(const struct words_results *report, const struct word_labels *labels,
                          enum words_set set, const char *prefix)
{
    struct arena *arena = &report->work->arena;
    for (int form = 0; form < 2; form++) {
        const int32_t *guess = words_guess(report->words, labels, form, arena);
        const struct words_score score =
            words_score(report->words, labels->label, guess, set, false);
        stage_work_real(report->work,
                        arena_print(arena, "%s%s", prefix, form ? "form" : "majority"),
                        score.accuracy);
        if (form && set == WORDS_TEST)
            stage_work_real(report->work, "detectable", words_detectable(score.error));
    }
}

/* Writes one item for each document of test: the number of right words, times 100, with the number
 * of words as its weight. So tests resample documents. */
static void write_items(const struct words_results *report)
{
    const struct words *words = report->words;
    struct arena *arena = &report->work->arena;
    struct item *item = ARENA_ARRAY(arena, struct item, words->documents);
    const int32_t *predicted = report->probe->task[report->probe->best].predicted;
    int count = 0, last = -1;
    for (int w = 0; w < words->words; w++) {
        const struct words_sentence *sentence = &words->sentence[words->of[w]];
        if (sentence->set != WORDS_TEST || report->answer[w] < 0) continue;
        if (sentence->document != last) item[count++] = (struct item){0, "", "", 0};
        last = sentence->document;
        item[count - 1].number += 100 * (predicted[w] == report->answer[w]);
        item[count - 1].weight++;
    }
    stage_work_items(report->work, items_file(0, 1, arena), item, count);
    stage_work_real(report->work, "items", count);
}

static void print_label(const struct word_labels *labels, const int32_t *label, int word, FILE *out)
{
    if (labels->head)
        fprintf(out, "\t%d", label[word] + 1);
    else
        fprintf(out, "\t%s", labels->name[label[word]]);
}

static void write_predictions(const struct words_results *report, const struct word_probe_job *job)
{
    static const char file[] = "predictions.tsv";
    const struct words *words = report->words;
    struct file_writer writer = stage_work_create(report->work, file);
    const int32_t *const column[] = {
        report->answer, report->probe->task[report->probe->best].predicted, report->control,
        report->probe->control[report->probe->best].predicted};
    fputs("set\tsentence\tword\tlabel\tpredicted\tcontrol\tcontrol_predicted\n", writer.stream);
    for (int w = 0; w < words->words; w++) {
        const struct words_sentence *sentence = &words->sentence[words->of[w]];
        if (sentence->set == WORDS_TRAIN || report->answer[w] < 0) continue;
        fprintf(writer.stream, "%s\t%d\t%d", words_set_names[sentence->set], sentence->number + 1,
                w - words->first[words->of[w]] + 1);
        for (size_t c = 0; c < COUNT_OF(column); c++)
            print_label(job->labels, column[c], w, writer.stream);
        fputc('\n', writer.stream);
    }
    stage_work_commit(report->work, &writer, file);
}

/* Writes the accuracies of all sizes, on dev and on test. */
static void write_sizes(const struct words_results *report)
{
    static const char file[] = "sizes.tsv";
    struct file_writer writer = stage_work_create(report->work, file);
    fputs("hidden\tdev\ttest\tcontrol_dev\tcontrol_test\n", writer.stream);
    for (int s = 0; s < WORD_SIZES; s++) {
        fprintf(writer.stream, "%d", report->probe->hidden[s]);
        for (int control = 0; control < 2; control++)
            for (enum words_set set = WORDS_DEV; set <= WORDS_TEST; set++)
                fprintf(writer.stream, "\t%.4f", score_of(report, s, control, set, false).accuracy);
        fputc('\n', writer.stream);
    }
    stage_work_commit(report->work, &writer, file);
}

static void write_code(struct stage_work *work, const struct word_probe *probe)
{
    const struct online_code *code[] = {&probe->code, &probe->control_code};
    const double entropy[] = {probe->entropy, probe->control_entropy};
    static const char *const prefix[] = {"", "control_"};
    for (int c = 0; c < 2; c++) {
        struct arena *arena = &work->arena;
        stage_work_real(work, arena_print(arena, "%sbits", prefix[c]), code[c]->bits);
        stage_work_real(work, arena_print(arena, "%scompression", prefix[c]),
                        code[c]->uniform / code[c]->bits);
        stage_work_real(work, arena_print(arena, "%sentropy_compression", prefix[c]),
                        entropy[c] / code[c]->bits);
    }
}

static void write_counts(const struct words_results *report, const struct words_score *test)
{
    struct stage_work *work = report->work;
    const struct words *words = report->words;
    int lost = 0;
    for (int w = 0; w < words->words; w++) lost += words->lost[w];
    stage_work_real(work, "lost", lost);
    stage_work_real(work, "words", test->words);
    stage_work_real(work, "documents", test->documents);
    for (int set = 0; set < words->sets; set++)
        stage_work_real(work, arena_print(&work->arena, "removed.%s", words_set_names[set]),
                        words->removed[set]);
}

const char *words_caption(const struct stage *stage, struct arena *arena)
{
    static const char *const pieces[] = {"mean of its pieces", "first piece", "last piece"};
    const struct words_options *options = words_options_at(stage->settings);
    const bool tree = texts_have(&options->tasks, word_task_names[WORDS_TREE]);
    const char *vectors =
        *options->vectors
            ? "of another program, as they are"
            : arena_print(arena, "%s, checkpoint %s", pieces[options->pieces], options->checkpoint);
    return arena_print(arena, "%s%s%s; vector of a word: %s%s%s", tree ? STRUCTURAL_TEXT : "",
                       tree && options->tasks.count > 1 ? "; others: " : "",
                       tree && options->tasks.count == 1 ? "" : word_protocol.text, vectors,
                       options->standardize ? "; standardized by mean and deviation of train" : "",
                       options->code ? "; online code: " ONLINE_CODE_TEXT : "");
}

static void write_texts(struct stage_work *work, int documents)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const struct words_options *options = words_options_at(stage->settings);
    stage_work_text(work, "caption", words_caption(stage, arena));
    stage_work_text(work, "signature",
                    arena_print(arena, "accuracy|words%s|test:%s|task:%.*s|items:%d",
                                options->standardize ? "|standardized" : "",
                                stage_file_signature(stage_file(stage, "test"), arena),
                                (int)strcspn(stage->part, "@"), stage->part, documents));
}

void words_report(struct stage_work *work, const struct word_probe_job *job,
                  const struct word_probe *probe)
{
    const struct words_results report = {
        work, job->words, job->labels->head ? job->labels->head : job->labels->label,
        job->control->head ? job->control->head : job->control->label, probe};
    const struct words_score test = score_of(&report, probe->best, false, WORDS_TEST, false);
    int undertrained = 0;
    write_scores(&report, "", probe->best, WORDS_TEST, false);
    write_scores(&report, "frequent_", probe->best, WORDS_TEST, true);
    write_scores(&report, "selective_", probe->selective, WORDS_TEST, false);
    write_scores(&report, "selective_frequent_", probe->selective, WORDS_TEST, true);
    write_guesses(&report, job->labels, WORDS_TEST, "");
    if (job->words->sets > WORDS_FURTHER) {
        write_scores(&report, "further_", probe->best, WORDS_FURTHER, false);
        write_guesses(&report, job->labels, WORDS_FURTHER, "further_");
    }
    write_classes(&report, job->labels);
    write_items(&report);
    write_predictions(&report, job);
    write_sizes(&report);
    write_counts(&report, &test);
    if (job->code) write_code(work, probe);
    for (int s = 0; s < WORD_SIZES; s++)
        undertrained += probe->task[s].undertrained + probe->control[s].undertrained;
    stage_work_real(work, "dev", probe->task[probe->best].dev);
    stage_work_real(work, "accuracy_se", test.error);
    stage_work_real(work, "hidden", probe->hidden[probe->best]);
    stage_work_real(work, "selective_hidden", probe->hidden[probe->selective]);
    stage_work_real(work, "undertrained", undertrained);
    write_texts(work, test.documents);
}
