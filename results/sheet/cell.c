/* Prints cells of CSV and lines of JSON. In CSV a number has the fewest digits from which the same
 * double is read (real_print). */
#include "results/sheet/cell.h"

#include <math.h>

#include "core/base/number.h"
#include "results/sheet/escape.h"

bool cell_spreadsheet;

void cell_text(const char *text, FILE *out)
{
    fputc(',', out);
    if (text) (cell_spreadsheet ? escape_csv : escape_field)(text, out);
}

void cell_real(double value, FILE *out)
{
    char text[REAL_TEXT];
    fputc(',', out);
    if (!isfinite(value)) return;
    real_print(value, text);
    fputs(text, out);
}

json_t *cell_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

void cell_put_json(json_t *json, FILE *out)
{
    CHECK(json, "a record that JSON cannot hold");
    json_dumpf(json, out, JSON_COMPACT);
    fputc('\n', out);
    json_decref(json);
}

char *cell_json_texts(const char *const *text, int count)
{
    json_auto_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, json_string(text[i]));
    return json_dumps(list, 0);
}
