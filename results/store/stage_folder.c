/* Reads done.json and the values of a stage in both formats of done.json. Checks the permission to
 * read the folder. */
#include "results/store/stage_folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/journal_read.h"
#include "core/base/json_file.h"
#include "core/base/path.h"
#include "results/store/offer.h"

bool stage_folder_denied(const char *folder)
{
    static const char *const file[] = {STAGE_RECORD, STAGE_ENVIRONMENT, STAGE_DONE, JOURNAL_METRICS,
                                       JOURNAL_EVENTS};
    bool denied = path_is_denied(folder);
    for (size_t i = 0; i < COUNT_OF(file) && !denied; i++) {
        SCOPED(heap_free) char *path = heap_print("%s/%s", folder, file[i]);
        denied = path_is_denied(path);
    }
    return denied;
}

const char *stage_folder_newer(struct arena *arena, const char *path, const json_t *done)
{
    const json_t *format = json_object_get(done, "format");
    if (!format || (json_is_integer(format) && json_integer_value(format) <= STAGE_FORMAT))
        return NULL;
    SCOPED(heap_free) char *text = json_dumps(format, JSON_ENCODE_ANY);
    return arena_print(
        arena, "%s: has format %s, written by a newer program; this program reads formats up to %d",
        path, text, STAGE_FORMAT);
}

json_t *stage_folder_done(struct arena *arena, const char *folder, const char **problem)
{
    const char *path = arena_print(arena, "%s/" STAGE_DONE, folder);
    json_t *done = json_file_try(arena, path, problem);
    if (done && (*problem = stage_folder_newer(arena, path, done))) {
        json_decref(done);
        done = NULL;
    }
    return done;
}

const json_t *stage_folder_texts(const json_t *done)
{
    return json_object_get(done, json_object_get(done, "format") ? "texts" : "summary");
}

static bool is_whole(const json_t *line, bool trains)
{
    static const char *const key[] = {"layer", "head", "set", "tag",
                                      "class"}; /* tag: an older set */
    for (size_t i = 0; i < COUNT_OF(key); i++)
        if (json_object_get(line, key[i])) return false;
    return !json_object_get(line, "step") ||
           (trains && strcmp(journal_text(line, "name"), STAGE_TRAINING_LOSS) != 0);
}

json_t *stage_folder_summary(const char *folder, const char *kind, const json_t *done)
{
    const bool trains = offer_trains(offer_of(kind));
    json_t *summary = json_copy((json_t *)stage_folder_texts(done));
    if (!json_object_get(done, "format")) return summary;
    struct journal_reader reader = journal_read(folder, JOURNAL_METRICS, 0);
    for (json_t *line; (line = journal_next(&reader));) {
        json_t *value = json_object_get(line, "value");
        const double number = json_number_value(value);
        if (!is_whole(line, trains)) continue;
        value = fabs(number) < 1e15 && floor(number) == number && !json_is_null(value)
                    ? json_integer((json_int_t)number)
                    : json_incref(value);
        json_object_set_new(summary, journal_text(line, "name"), value);
    }
    return summary;
}
