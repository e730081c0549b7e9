/* Tests that the files of kinds are consistent with each other, which the build does not check. */

#include "results/table/column.h"
#include "experiments/stage/stage.h"
#include "tests/support/test.h"

static int place_of(const char *name)
{
    for (int i = 0; stage_kinds[i]; i++)
        if (!strcmp(stage_kinds[i]->name, name)) return i;
    return -1;
}

/* The inputs of a kind exist, and precede it in the list. */
TEST(inputs_stand_before)
{
    for (int i = 0; stage_kinds[i]; i++)
        for (const char *const *input = stage_kinds[i]->inputs; input && *input; input++)
            if (place_of(*input) < 0 || place_of(*input) >= i)
                fail_msg("%s reads %s, which is no kind of a lower rank", stage_kinds[i]->name,
                         *input);
}

/* Each offer belongs to a kind. It has parts if and only if the evaluation of the kind has
 * parts. */
TEST(offers_are_of_kinds)
{
    for (const struct offer *const *offer = offers(); *offer; offer++) {
        const int place = place_of((*offer)->kind);
        if (place < 0) fail_msg("offer_%s: there is no such kind", (*offer)->kind);
        const struct evaluation *evaluation = stage_kinds[place]->evaluation;
        assert_int_equal((*offer)->traits & OFFER_PARTS, evaluation && evaluation->parts);
        assert_ptr_equal(offer_of((*offer)->kind), *offer);
    }
}

/* The short name of a column belongs to only one measure, and to no other column. */
TEST(columns_have_one_meaning)
{
    for (const struct offer *const *offer = offers(); *offer; offer++)
        for (const struct measure *measure = offer_measures(*offer); measure->name; measure++) {
            const char *const *name = column_names(&arena);
            int count = 0;
            for (; measure->column && *name; name++) count += !strcmp(*name, measure->column);
            if (measure->column && count != 1)
                fail_msg("%s.%s: %d columns are called %s", (*offer)->kind, measure->name, count,
                         measure->column);
            assert_ptr_equal(offer_measure((*offer)->kind, measure->name), measure);
        }
}
