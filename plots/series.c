/* Writes the points of a figure to data.dat, a block for each series in each frame, and then the
 * legend. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/word.h"
#include "plots/figure_points.h"

static int by_x(const void *a, const void *b)
{
    const struct point *one = *(const struct point *const *)a,
                       *other = *(const struct point *const *)b;
    return one->x != other->x ? (one->x > other->x) - (one->x < other->x)
                              : (one > other) - (one < other);
}

/* The series that are drawn, in the order of their blocks. */
struct drawn_series {
    int *of; /* [series_count] index of the block of a series; -1: not drawn */
    int count, in[SERIES_STYLES];
    int names;
    const char **name; /* [names] names in the legend */
    double *end;       /* [names] last value of the series */
};

static bool in_frame(const struct plot *plot, const struct point *point, int frame)
{
    if (!plot->frames || point->frame == FRAMES_ALL) return true;
    return point->frame ? point->frame == frame
                        : frames_show(plot->figure, plot->reader->grid, point->row, frame);
}

/* Returns the index of a drawn series with the same name and style, which shares its block with
 * series l; -1: none. For SERIES_BEFORE and SERIES_RIGHT, the series of `of` must share a block,
 * instead of equal names. */
static int find_twin(const struct plot *plot, const struct drawn_series *all, int l)
{
    const struct series *series = &plot->series[l];
    for (int other = 0; other < plot->series_count && plot->frames; other++) {
        const struct series *twin = &plot->series[other];
        if (all->of[other] < 0 || twin->style != series->style) continue;
        if (series->style >= SERIES_BEFORE ? all->of[twin->of] == all->of[series->of]
                                           : word_same(twin->name, series->name))
            return other;
    }
    return -1;
}

static struct drawn_series find_series(struct plot *plot)
{
    struct drawn_series all = {.of = ARENA_ARRAY(plot->arena, int, plot->series_count + 1),
                               .name =
                                   ARENA_ARRAY(plot->arena, const char *, plot->series_count + 2),
                               .end = ARENA_ARRAY(plot->arena, double, plot->series_count + 2)};
    for (int l = 0; l < plot->series_count; l++) all.of[l] = -1;
    for (int style = 0; style < SERIES_STYLES; style++)
        for (int l = 0; l < plot->series_count; l++) {
            const struct series *series = &plot->series[l];
            if ((int)series->style != style || !points_has(plot, l)) continue;
            const int twin = find_twin(plot, &all, l);
            all.of[l] = twin < 0 ? all.count++ : all.of[twin];
            if (twin >= 0) continue;
            all.in[style]++;
            if (!series->name || (style == SERIES_BEFORE && all.in[style] > 1)) continue;
            const struct point *last = points_last(plot, l);
            all.end[all.names] = last ? last->mean : 0;
            all.name[all.names++] = series->name;
        }
    return all;
}

/* Writes the block of a series in a frame, sorted by x. A line has x, mean, low and high; with
 * `seeds`, it has x and the value of one seed. */
static void put_block(struct plot *plot, const struct drawn_series *all, int series, int frame,
                      bool seeds)
{
    const struct point **of = ARENA_ARRAY(plot->arena, const struct point *, plot->points + 1);
    int count = 0;
    for (int i = 0; i < plot->points; i++) {
        const struct point *point = &plot->point[i];
        if (point->series >= 0 && all->of[point->series] == series && in_frame(plot, point, frame))
            of[count++] = point;
    }
    qsort(of, (size_t)count, sizeof *of, by_x);
    canvas_block(plot->canvas);
    if (!count) canvas_row(plot->canvas, (double[]){(double)NAN, (double)NAN}, 2);
    for (int i = 0; i < count; i++) {
        if (!seeds)
            canvas_row(plot->canvas, (double[]){of[i]->x, of[i]->mean, of[i]->low, of[i]->high}, 4);
        for (int s = 0; seeds && s < of[i]->value.total; s++)
            if (isfinite(of[i]->value.value[s]))
                canvas_row(plot->canvas, (double[]){of[i]->x, of[i]->value.value[s]}, 2);
    }
}

/* Writes the blocks of all frames that have points, and the names of the frames. The first `seeds`
 * series also have blocks with the values of seeds. */
static void put_frames(struct plot *plot, const struct drawn_series *all, int seeds)
{
    const char **name = NULL;
    int frames = 0;
    for (int f = 1; f <= (plot->frames ? plot->frames : 1); f++) {
        bool has = !plot->frames;
        for (int i = 0; i < plot->points && !has; i++)
            has = plot->point[i].series >= 0 && in_frame(plot, &plot->point[i], f);
        if (!has) continue;
        for (int s = 0; s < all->count; s++) put_block(plot, all, s, f, false);
        for (int s = 0; s < seeds; s++) put_block(plot, all, s, f, true);
        if (plot->frames) ARENA_ADD(plot->arena, name, frames, plot->frame_name[f - 1]);
    }
    canvas_number(plot->canvas, "panels", frames);
    if (frames) canvas_names(plot->canvas, "panel_name", name, NULL, frames, CANVAS_NAME / 2);
}

enum { LEGEND_MOST = 8 }; /* with more series, names are next to the ends of lines */

void points_put(struct plot *plot)
{
    static const char *const styles[] = {"solid", "dotted_too", "against", "across", "untrained"};
    struct drawn_series all = find_series(plot);
    const bool axis = plot->figure->kind->traits & FIGURE_AXIS, before = all.in[SERIES_BEFORE];
    const int seeds = axis ? all.in[SERIES_SOLID] + all.in[SERIES_DOTTED] : 0;
    put_frames(plot, &all, seeds);
    const bool direct = all.names - before > LEGEND_MOST && !plot->frames && !plot->lineless &&
                        !all.in[SERIES_RIGHT];
    if (direct && before) all.names--; /* values before training, which a caption describes */
    if (!direct && plot->also) all.name[all.names++] = plot->also;
    canvas_names(plot->canvas, "row", all.name, direct ? all.end : NULL, all.names, CANVAS_NAME);
    canvas_number(plot->canvas, "series", all.names);
    for (size_t style = 0; style < COUNT_OF(styles); style++)
        canvas_number(plot->canvas, styles[style], all.in[style]);
    canvas_number(plot->canvas, "marked", !direct && (plot->also || before) ? all.names : 0);
    canvas_number(plot->canvas, "seeds", axis);
    canvas_number(plot->canvas, "bands",
                  plot->figure->kind->traits & FIGURE_BANDS ? all.in[SERIES_SOLID] : 0);
    canvas_number(plot->canvas, "lineless", plot->lineless);
    canvas_number(plot->canvas, "direct", direct);
    canvas_number(plot->canvas, "blocks", all.count + seeds);
}
