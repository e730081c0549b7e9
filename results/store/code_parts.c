/* Splits the text that records the code of a stage into its parts, such as "train
 * 4427979f5419530f". */
#include "results/store/code_parts.h"

#include <string.h>

const char *code_parts(const char *kind, const char *text, struct arena *arena)
{
    return strchr(text, ' ') ? text : arena_print(arena, "%s %s", kind, text);
}

const char *code_parts_next(const char **text, struct arena *arena)
{
    const char *part = *text, *end = strstr(part, CODE_PARTS_BETWEEN);
    if (!*part) return NULL;
    *text = end ? end + strlen(CODE_PARTS_BETWEEN) : part + strlen(part);
    return end ? arena_text_range(arena, part, (size_t)(end - part)) : part;
}
