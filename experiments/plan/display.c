#include "experiments/plan/display.h"

#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 20 };
static const double terminal_interval = 0.2, plain_interval = 30;

void display_open(struct display *display, bool quiet)
{
    *display = (struct display){
        .quiet = quiet, .terminal = !quiet && isatty(STDERR_FILENO), .last = clock_seconds()};
}

static void erase(struct display *display)
{
    if (display->drawn) fprintf(stderr, "\033[%dA\033[J", display->drawn);
    display->drawn = 0;
}

void display_say(struct display *display, bool important, const char *format, ...)
{
    if (display->quiet && !important) return;
    char stamp[16];
    time_t now = time(NULL);
    struct tm local;
    strftime(stamp, sizeof stamp, "%H:%M:%S", localtime_r(&now, &local));
    erase(display);
    fprintf(stderr, "%s  ", stamp);
    char line[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    text_mask(line);
    fprintf(stderr, "%s\n", line);
    display->last = 0;
}

/* "2:05" or "1:02:05". */
static void print_clock(char *text, size_t size, double seconds)
{
    long whole = (long)(seconds + 0.5);
    if (whole >= 3600)
        snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
}

static void print_line(const struct display_line *line, bool terminal, int width)
{
    char text[512], left[32] = "", bar[BAR + 1], percent[64] = "";
    memset(bar, '.', BAR);
    bar[BAR] = 0;
    if (line->total > 0) {
        double share = (double)line->done / (double)line->total;
        memset(bar, '#', (size_t)(share > 1 ? BAR : share * BAR));
        snprintf(percent, sizeof percent, " %3.0f%% %lld/%lld", 100 * share, (long long)line->done,
                 (long long)line->total);
        int64_t made = line->done - line->first;
        if (made > 0 && line->seconds > 1) {
            print_clock(left, sizeof left,
                        line->seconds * (double)(line->total - line->done) / (double)made);
            strcat(left, " left");
        }
    }
    snprintf(text, sizeof text, "%-38.60s [%s]%s %s  %s", line->label, bar, percent, line->text,
             left);
    text_mask(text);
    if (terminal)
        fprintf(stderr, "%.*s\n", width - 1, text);
    else
        fprintf(stderr, "%s\n", text);
}

void display_draw(struct display *display, const struct display_line *line, int count)
{
    double now = clock_seconds();
    double interval = display->terminal ? terminal_interval : plain_interval;
    if (display->quiet || now - display->last < interval) return;
    if (!display->terminal && !display->last) {
        display->last = now; /* a line was just said */
        return;
    }
    display->last = now;
    struct winsize window = {0};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) != 0 || !window.ws_col) window.ws_col = 100;
    erase(display);
    for (int i = 0; i < count; i++) print_line(&line[i], display->terminal, window.ws_col);
    if (display->terminal) display->drawn = count;
}

void display_close(struct display *display)
{
    erase(display);
}
