/* A page of LibreOffice's help: its paragraphs are valid UTF-8. */
#include "core/corpus/help_page.h"
#include "core/text/utf8.h"
#include "tests/fuzz/support/fuzz.h"

static void visit(void *context, const char *id, const char *text, size_t bytes)
{
    CHECK(utf8_check(text, bytes) < 0, "a paragraph that is no UTF-8");
}

void fuzz_prepare(void)
{
    static const char page[] = "<p id='a'>&amp; <b>b</b></p>";
    help_page_read(fuzz_put("page.html", page, sizeof page - 1), visit, NULL);
}

static void run(void *context)
{
    help_page_read(context, visit, NULL);
}

FUZZ_FILE(run, "page.html");
