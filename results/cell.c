#include "results/cell.h"

#include <math.h>

#include "core/config/option.h"
#include "results/escape.h"

void cell_text(const char *text, FILE *out)
{
    fputc(',', out);
    if (text) escape_csv(text, out);
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
