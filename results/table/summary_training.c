/* The captions that name rows whose trainings were too short, or learned nothing. */
#include "results/table/learned.h"
#include "results/table/table_maker.h"
#include "results/table/training.h"

/* A row, or how many of its trainings. */
static void add_row(struct name_list *list, const char *name, int some, int all)
{
    if (some)
        name_list_add(list, some == all
                                ? name
                                : arena_print(list->arena, "%s (%d of %d seeds)", name, some, all));
}

void summary_caption_training(struct table_maker *maker)
{
    struct name_list falling = {.arena = maker->arena}, unfinished = {.arena = maker->arena};
    for (int row = 0; row < maker->grid->rows; row++) {
        const struct training_row training = training_row(&maker->sampler, NULL, row);
        const char *name = maker->grid->row[row].name;
        add_row(&falling, name, training.falling, training.trainings);
        add_row(&unfinished, name, training.unfinished, training.trainings);
    }
    bool failed;
    const char *learned = learned_caption(&maker->sampler, &failed);
    if (learned)
        sheet_caption(maker->arena, maker->sheet, "%s.%s", learned,
                      failed ? " Rows with a seed that did not have their values seed by seed; "
                               "differences and tests are of all seeds."
                             : "");
    if (falling.count)
        sheet_caption(maker->arena, maker->sheet,
                      "Undertrained (lowest dev loss at the last validation): %s.",
                      name_list_text(&falling));
    if (unfinished.count)
        sheet_caption(maker->arena, maker->sheet, "Undertrained (the warm-up did not end): %s.",
                      name_list_text(&unfinished));
}
