/* Prints progress lines. On a terminal each line overwrites the previous line. Elsewhere lines
 * stay, so few lines are printed. */
#include "core/base/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/mask.h"
#include "core/base/mask_output.h"

enum { BAR = 20 };
static const double bar_seconds = .2, plain_seconds = 10;

struct progress {
    char label[64];
    int64_t total, first, done;    /* first: `done` of the first step */
    double opened, started, shown; /* clock_seconds; started: of the first step, or 0 */
    bool on_terminal;
    int width; /* columns of the line on the terminal, to clear it */
};

static bool quiet_everywhere;

void progress_quiet(bool quiet)
{
    quiet_everywhere = quiet;
}

struct progress *progress_open(const char *label, int64_t total)
{
    struct progress *progress = heap_alloc(sizeof *progress);
    snprintf(progress->label, sizeof progress->label, "%s", label);
    progress->total = total;
    progress->opened = clock_seconds();
    const char *terminal = getenv("TERM"); /* "dumb": without cursor control */
    progress->on_terminal = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    /* The first plain line comes after an interval, the first bar at once. */
    progress->shown = progress->on_terminal ? 0 : progress->opened;
    return progress;
}

struct progress *progress_open_synced(const char *label, int64_t total)
{
    enum { MANY = 500 };
    return total < MANY ? NULL : progress_open(label, total);
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

void progress_put_bar(double share, int width, FILE *out)
{
    const int full = share >= 1 ? width : (int)(share * width);
    fprintf(out, "[%.*s%.*s]", full, "####################", width - full, "....................");
}

void progress_put_rate(double rate, double left, FILE *out)
{
    char span[PROGRESS_SPAN];
    if (rate > 0) fprintf(out, rate < 10 ? "  %.1f/s" : "  %.0f/s", rate);
    if (left < 0) return;
    progress_span(left, span);
    fprintf(out, "  %s left", span);
}

/* Prints the rate and the remaining time. Omits a value that is not known yet. */
static void put_rate(const struct progress *progress, double now, FILE *out)
{
    const double seconds = now - progress->started;
    const int64_t steps = progress->done - progress->first, rest = progress->total - progress->done;
    const bool known = progress->started > 0 && steps > 0 && seconds > 0;
    progress_put_rate(known ? (double)steps / seconds : 0,
                      known && rest > 0 ? seconds / (double)steps * (double)rest : -1, out);
}

int progress_columns(const char *text, int most, size_t *bytes)
{
    const char *at = text;
    int columns = 0;
    for (; *at; at++) {
        const bool begins = (*at & 0xc0) != 0x80;
        if (begins && columns == most) break;
        columns += begins;
    }
    *bytes = (size_t)(at - text);
    return columns;
}

int progress_cut(char *text, int most)
{
    size_t bytes;
    const int columns = progress_columns(text, most, &bytes);
    text[bytes] = 0;
    return columns;
}

/* Overwrites the current line. Pads a shorter new line with spaces. */
static void rewrite(struct progress *progress, char *line, bool last)
{
    struct winsize window;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
    mask_text(line);
    int width = progress_cut(line, (known ? window.ws_col : 80) - 1);
    int fill = progress->width > width ? progress->width - width : 0;
    fprintf(stderr, "\r%s%*s%s", line, fill, "", last ? "\n" : "");
    progress->width = width;
}

/* Shows a line. The last line has the total time, but no bar and no rate. */
static void show(struct progress *progress, double now, bool last)
{
    char *line, span[PROGRESS_SPAN];
    size_t bytes;
    const double done = (double)progress->done, total = (double)progress->total;
    FILE *out = heap_stream(&line, &bytes);
    fprintf(out, "%s  ", progress->label);
    if (progress->on_terminal && !last && total > 0) {
        progress_put_bar(done / total, BAR, out);
        fputs("  ", out);
    }
    fprintf(out, "%lld", (long long)progress->done);
    if (total > 0)
        fprintf(out, "/%lld  %d%%", (long long)progress->total, (int)(100. * done / total));
    if (last) {
        progress_span(now - progress->opened, span);
        fprintf(out, "  in %s", span);
    } else {
        put_rate(progress, now, out);
    }
    fclose(out);
    if (progress->on_terminal)
        rewrite(progress, line, last);
    else
        mask_line(stderr, "%s", line);
    free(line);
    progress->shown = now;
}

void progress_step(struct progress *progress, int64_t done)
{
    double now = clock_seconds();
    if (!progress) return;
    progress->done = done;
    if (progress->started == 0) {
        progress->started = now;
        progress->first = done;
    }
    if (quiet_everywhere) return;
    if (now - progress->shown < (progress->on_terminal ? bar_seconds : plain_seconds)) return;
    show(progress, now, false);
}

void progress_close(struct progress *progress)
{
    if (!progress) return;
    if (!quiet_everywhere) show(progress, clock_seconds(), true);
    free(progress);
}
