#include "core/base/progress.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/mask.h"
#include "core/base/mask_output.h"

enum { BAR = 20, LINE = 512 };
static const double bar_seconds = .2, plain_seconds = 10;

struct progress {
    char label[64], text[128];     /* text: of the last step */
    int64_t total, first, done;    /* first: `done` of the first step */
    double opened, started, shown; /* clock; started: at the first step, 0 before */
    bool on_terminal;
    int width; /* of the line on the terminal, to wipe it out */
};

static bool quiet_everywhere;

void progress_quiet(bool quiet)
{
    quiet_everywhere = quiet;
}

struct progress *progress_open(const char *label, int64_t total)
{
    struct progress *progress = heap_alloc(sizeof *progress);
    const char *terminal = getenv("TERM");
    snprintf(progress->label, sizeof progress->label, "%s", label);
    progress->total = total;
    progress->opened = clock_seconds();
    progress->on_terminal = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    /* The first plain line comes after a while, the first bar at once. */
    progress->shown = progress->on_terminal ? 0 : progress->opened;
    return progress;
}

void progress_span(double seconds, char text[PROGRESS_SPAN])
{
    int64_t whole = (int64_t)(seconds + .5);
    int hours = (int)(whole / 3600), minutes = (int)(whole / 60 % 60), rest = (int)(whole % 60);
    if (hours)
        snprintf(text, PROGRESS_SPAN, "%d:%02d:%02d", hours, minutes, rest);
    else if (minutes)
        snprintf(text, PROGRESS_SPAN, "%d:%02d", minutes, rest);
    else
        snprintf(text, PROGRESS_SPAN, "%d s", rest);
}

struct line {
    char text[LINE];
    size_t used;
};

static void add(struct line *line, const char *format, ...) PRINTF(2, 3);

static void add(struct line *line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line->text + line->used, LINE - line->used, format, list);
    va_end(list);
    line->used += (size_t)length;
    if (line->used > LINE - 1) line->used = LINE - 1;
}

static void add_bar(struct line *line, const struct progress *progress)
{
    double share = (double)progress->done / (double)progress->total;
    int full = share >= 1 ? BAR : (int)(share * BAR);
    add(line, "[%.*s%.*s]  ", full, "####################", BAR - full, "....................");
}

static void add_count(struct line *line, const struct progress *progress)
{
    long long done = progress->done, total = progress->total;
    if (total > 0)
        add(line, "%lld/%lld  %d%%", done, total, (int)(100. * (double)done / (double)total));
    else
        add(line, "%lld", done);
}

/* Text or rate, and the time left, as far as they can be known. */
static void add_pace(struct line *line, const struct progress *progress, double now)
{
    double seconds = now - progress->started;
    int64_t steps = progress->done - progress->first;
    bool known = progress->started > 0 && steps > 0 && seconds > 0;
    if (progress->text[0]) {
        add(line, "  %s", progress->text);
    } else if (known) {
        double rate = (double)steps / seconds;
        add(line, rate < 10 ? "  %.1f/s" : "  %.0f/s", rate);
    }
    if (known && progress->total > progress->done) {
        char span[PROGRESS_SPAN];
        progress_span(seconds / (double)steps * (double)(progress->total - progress->done), span);
        add(line, "  %s left", span);
    }
}

int progress_cut(char *text, int most)
{
    int columns = 0;
    for (; *text; text++) {
        bool begins = (*text & 0xc0) != 0x80;
        if (begins && columns == most) {
            *text = 0;
            break;
        }
        columns += begins;
    }
    return columns;
}

/* Over the line that is there; a shorter one is filled up with spaces. */
static void rewrite(struct progress *progress, struct line *line, bool last)
{
    struct winsize window;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
    mask_text(line->text);
    int width = progress_cut(line->text, (known ? window.ws_col : 80) - 1);
    int fill = progress->width > width ? progress->width - width : 0;
    fprintf(stderr, "\r%s%*s%s", line->text, fill, "", last ? "\n" : "");
    progress->width = width;
}

static void show(struct progress *progress, double now)
{
    struct line line = {.used = 0};
    add(&line, "%s  ", progress->label);
    if (progress->on_terminal && progress->total > 0) add_bar(&line, progress);
    add_count(&line, progress);
    add_pace(&line, progress, now);
    if (progress->on_terminal)
        rewrite(progress, &line, false);
    else
        mask_line(stderr, "%s", line.text);
    progress->shown = now;
}

void progress_step(struct progress *progress, int64_t done, const char *text)
{
    double now = clock_seconds();
    progress->done = done;
    if (progress->started == 0) {
        progress->started = now;
        progress->first = done;
    }
    if (quiet_everywhere) return;
    if (now - progress->shown < (progress->on_terminal ? bar_seconds : plain_seconds)) return;
    snprintf(progress->text, sizeof progress->text, "%s", text ? text : "");
    show(progress, now);
}

void progress_close(struct progress *progress, const char *text)
{
    if (!progress) return;
    if (!quiet_everywhere) {
        char span[PROGRESS_SPAN];
        struct line line = {.used = 0};
        progress_span(clock_seconds() - progress->opened, span);
        add(&line, "%s  ", progress->label);
        add_count(&line, progress);
        add(&line, "%s%s  in %s", text ? "  " : "", text ? text : "", span);
        if (progress->on_terminal)
            rewrite(progress, &line, true);
        else
            mask_line(stderr, "%s", line.text);
    }
    free(progress);
}
