/* Computes embeddings [T, D]: the row of a table [V, D] for each token. Backward is parallel over
 * columns, not over rows: tokens repeat, and two threads must not write the same row of the
 * gradient. */
#include "core/cpu/vec.h"

/* out[t] = dropout(scale table[token[t]] + bias + sinusoid[position[t]]): table [V, D], token,
 * position [T] -> out [T, D]; parallel over rows. */
void CPU(embed)(const struct embed *e)
{
    const int T = op_rows(e->T, e->rows), D = e->D;
#pragma omp parallel for schedule(static) if (worth_sharing((int64_t)T * D))
    for (int t = 0; t < T; t++) {
        const int token = e->token[t];
        CHECK(token >= -1 && token < e->V, "token %d outside of the table of %d rows", token, e->V);
        const real *row = token < 0 ? NULL : e->table + (int64_t)token * D;
        const real *wave = e->position ? e->sinusoid + (int64_t)e->position[t] * D : NULL;
        real *y = out(e->out) + (int64_t)t * D;
        real factor[512];
        for (int from = 0; from < D; from += 512) {
            const int n = D - from < 512 ? D - from : 512;
            if (e->dropout.threshold)
                CPU(dropout_row)(e->step, e->dropout, D, (int64_t)t * D + from, n, factor);
            for (int c = from; c < from + n; c += LANES) {
                const int left = D - c;
                vec x = row ? vec_load(row + c, left) * e->scale : (vec){0};
                if (e->bias) x += vec_load(e->bias + c, left);
                if (wave) x += vec_load(wave + c, left);
                if (e->dropout.threshold) x *= vec_load(factor + (c - from), from + n - c);
                vec_store(y + c, left, x);
            }
        }
    }
}

/* dtable[v] (+)= scale sum_t dropout(dout[t]) over the t with token[t] = v, dbias (+)= sum_t
 * dropout(dout[t]): dout [T, D] -> [V, D] and [D]. Parallel over blocks of 128 columns. Each block
 * sums over t in order. */
void CPU(embed_backward)(const struct embed *e)
{
    const int T = op_rows(e->T, e->rows);
    enum { COLUMNS = 128 };
    const int D = e->D, blocks = (D + COLUMNS - 1) / COLUMNS;
#pragma omp parallel for schedule(static) if (blocks > 1 && worth_sharing((int64_t)T * D))
    for (int block = 0; block < blocks; block++) {
        const int from = block * COLUMNS, n = D - from < COLUMNS ? D - from : COLUMNS;
        real factor[COLUMNS], bias[COLUMNS] = {0};
        if (!e->add_table)
            for (int v = 0; v < e->V; v++)
                memset(e->table_gradient + (int64_t)v * D + from, 0, (size_t)n * sizeof(real));
        for (int t = 0; t < T; t++) {
            const real *dy = in(e->out_gradient) + (int64_t)t * D + from;
            if (e->dropout.threshold)
                CPU(dropout_row)(e->step, e->dropout, D, (int64_t)t * D + from, n, factor);
            real *row =
                e->token[t] < 0 ? NULL : e->table_gradient + (int64_t)e->token[t] * D + from;
            for (int c = 0; c < n; c += LANES) {
                vec x = vec_load(dy + c, n - c);
                if (e->dropout.threshold) x *= vec_load(factor + c, n - c);
                if (row)
                    vec_store(row + c, n - c,
                              vec_fma(x, vec_splat(e->scale), vec_load(row + c, n - c)));
                vec_store(bias + c, n - c, vec_load(bias + c, n - c) + x);
            }
        }
        if (!e->bias_gradient) continue;
        for (int c = 0; c < n; c++)
            e->bias_gradient[from + c] = bias[c] + (e->add_bias ? e->bias_gradient[from + c] : 0);
    }
}
