/* Rotates pairs of columns of heads by angles that depend on the position of the row. */
#include "core/cpu/vec.h"

/* A rotation of n neighboring columns of a row. The partners of these columns are neighbors, too,
 * or, if `partner` is NULL, the other columns of their pairs. own is NULL: the columns are
 * copied. */
struct turned_columns {
    int n;
    const real *x, *partner, *own, *other;
    real *y;
};

static void turn(const struct rotate *r, struct turned_columns s)
{
    const real sign = r->back ? -1 : 1;
    for (int c = 0; c < s.n; c += LANES) {
        const int left = s.n - c;
        vec x = vec_load(s.x + c, left);
        if (s.own) {
            const vec partner = s.partner ? vec_load(s.partner + c, left) : vec_swap(x);
            const vec turned = partner * (vec_load(s.other + c, left) * sign);
            x = vec_fma(x, vec_load(s.own + c, left), turned);
        }
        if (r->add) x += vec_load(s.y + c, left);
        vec_store(s.y + c, left, x);
    }
}

/* y (+)= x, rotated: x, y [T, H*d], table [positions, 2 * width]. Parallel over rows. */
void CPU(rotate)(const struct rotate *r)
{
    const int T = op_rows(r->T, r->rows), half = r->width / 2;
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)T * r->H * r->d * 2))
    for (int64_t t = 0; t < T; t++) {
        const real *own = r->table + (int64_t)r->position[t] * 2 * r->width;
        const real *other = own + r->width;
        for (int h = 0; h < r->H; h++) {
            const real *x = in(r->x) + t * r->ldx + h * r->d;
            real *y = out(r->y) + t * r->ldy + h * r->d;
            if (r->halves) {
                turn(r, (struct turned_columns){half, x, x + half, own, other, y});
                turn(r, (struct turned_columns){half, x + half, x, own + half, other + half,
                                                y + half});
            } else {
                turn(r, (struct turned_columns){r->width, x, NULL, own, other, y});
            }
            turn(r, (struct turned_columns){
                        .n = r->d - r->width, .x = x + r->width, .y = y + r->width});
        }
    }
}
