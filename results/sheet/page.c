/* Prints HTML pages. The style is part of the page, so that a page looks the same on other
 * machines. */
#include "results/sheet/page.h"

#include "results/sheet/escape.h"

/* The style makes pages readable on phones and in print. Colors follow the color scheme of the
 * browser. Wide tables scroll within their box; the page does not scroll sideways. */
static const char style[] =
#include "page_style.def"
    ;

void page_begin(const char *title, int refresh, FILE *out)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"sanlab\">\n",
          out);
    if (refresh) fprintf(out, "<meta http-equiv=\"refresh\" content=\"%d\">\n", refresh);
    fputs("<title>", out);
    escape_html(title, out);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

void page_put(const char *before, const char *text, const char *after, FILE *out)
{
    fputs(before, out);
    escape_html(text, out);
    fputs(after, out);
}

void page_end(FILE *out)
{
    fputs("</main>\n</body>\n</html>\n", out);
}
