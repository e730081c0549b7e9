#include "results/sheet/page.h"

#include "results/sheet/escape.h"

/* Readable from a phone to print; colors follow what the reader has chosen. Tables scroll in their
 * box, never the page. */
static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c1e21;--soft:#5b616a;--line:#d5d8dd;--page:#fdfdfc;"
    "--box:#f4f4f1;--shade:#0003;--link:#1d5a96}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e5e7;--soft:#a0a5ad;--line:#3b3f46;"
    "--page:#17181b;--box:#202226;--shade:#000a;--link:#8ab8ea}}\n"
    "*{box-sizing:border-box}\n"
    "html{-webkit-text-size-adjust:100%}\n"
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 Charter,'Bitstream "
    "Charter','Source Serif 4','Source Serif Pro',Cambria,Georgia,serif}\n"
    "main{max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}\n"
    "h1{font-size:1.9rem;line-height:1.2;margin:0 0 .4rem;text-wrap:balance}\n"
    "h2{font-size:1.25rem;margin:3rem 0 .75rem;padding-top:.6rem;border-top:1px solid "
    "var(--line)}\n"
    "h3{font-size:1rem;margin:1.5rem 0 .4rem}\n"
    "p{margin:.5rem 0}\n"
    "p,li,dd,td,th,caption,figcaption{overflow-wrap:break-word}\n"
    ".lead,figcaption,dt{color:var(--soft)}\n"
    "figure{margin:1.5rem 0}\n"
    "figcaption{font-size:.86rem;line-height:1.45;margin-top:.6rem;max-width:46rem}\n"
    "figcaption p{margin:.15rem 0;overflow-wrap:anywhere}\n"
    /* A shadow at the side where the table goes on. */
    ".scroll{overflow-x:auto;max-width:100%;background:linear-gradient(90deg,var(--page) "
    "30%,transparent) 0 0/3rem 100% local no-repeat,linear-gradient(270deg,var(--page) "
    "30%,transparent) 100% 0/3rem 100% local no-repeat,linear-gradient(90deg,var(--shade),"
    "transparent) 0 0/.8rem 100% no-repeat,linear-gradient(270deg,var(--shade),transparent) 100% "
    "0/.8rem 100% no-repeat}\n"
    ".scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums lining-nums;"
    "border-top:2px solid var(--ink);border-bottom:2px solid var(--ink)}\n"
    "caption{text-align:left;font-weight:600;padding-bottom:.5rem;caption-side:top}\n"
    "td,th{padding:.22rem 1.1rem .22rem 0;text-align:left;font-weight:400;white-space:nowrap;"
    "vertical-align:baseline}\n"
    "td:last-child,th:last-child{padding-right:.2rem}\n"
    "thead tr:last-child>*{border-bottom:1px solid var(--ink);padding-bottom:.35rem}\n"
    "thead tr:first-child>*,tbody tr:first-child>*{padding-top:.4rem}\n"
    "tbody tr:last-child>*{padding-bottom:.4rem}\n"
    /* A line under a group's heading that does not touch that of the next. */
    "th[scope=colgroup]{text-align:center;padding-bottom:.3rem;background:linear-gradient("
    "var(--soft),var(--soft)) 0 100%/calc(100% - 1.1rem) 1px no-repeat}\n"
    "th[scope=colgroup]:last-child{background-size:100% 1px}\n"
    "tr.rule>*,tbody+tbody>tr:first-child>*{border-top:1px solid var(--line)}\n"
    "tr.section>th{font-style:italic}\n"
    "th[scope=row]{white-space:normal;overflow-wrap:break-word;min-width:min(9rem,36vw);"
    "max-width:min(24rem,42vw)}\n"
    "th.short{white-space:nowrap;min-width:0;max-width:none}\n"
    "tr.section~tr>th[scope=row]{padding-left:1rem}\n"
    "td.text{white-space:normal;overflow-wrap:break-word;max-width:30rem}\n"
    ".right{text-align:right}\n"
    ".center{text-align:center}\n"
    ".after{display:inline-block;text-align:left}\n"
    "sup{line-height:0;font-size:.75em}\n"
    "code,pre,.mono{font:.84em/1.5 ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans "
    "Mono',monospace}\n"
    "pre{background:var(--box);padding:.8rem 1rem;overflow-x:auto;border-radius:4px;margin:.6rem "
    "0}\n"
    "details{margin:.5rem 0}\n"
    "summary{cursor:pointer}\n"
    ".plot{background:#fff;color:#000;padding:.5rem;border-radius:4px;overflow-x:auto}\n"
    ".plot img{display:block;width:min(100%,38rem);height:auto;margin:0 auto}\n"
    "@media(max-width:40rem){main{padding:1.5rem 1rem 3rem}h1{font-size:1.5rem}}\n"
    "@media print{:root{--ink:#000;--soft:#333;--line:#999;--page:#fff;--box:#f3f3f3}"
    "body{font-size:10pt}main{max-width:none;padding:0}.scroll{overflow:visible}"
    /* Paper does not scroll: wide tables break their cells, and stay as they are otherwise. */
    "table{font-size:8pt}td,th,th.short{white-space:normal;padding-right:.4rem}"
    "th[scope=row]{min-width:0;overflow-wrap:anywhere}.after{display:inline;min-width:0!important}"
    "details::details-content{content-visibility:visible}figure,tr{break-inside:avoid}h2,h3,"
    "caption{break-after:avoid}pre{white-space:pre-wrap}}\n";

void page_begin(const char *title, FILE *out)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"sanlab\">\n<title>",
          out);
    escape_html(title, out);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

void page_end(FILE *out)
{
    fputs("</main>\n</body>\n</html>\n", out);
}
