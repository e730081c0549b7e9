/* Tests that an ON-LSTM with open master gates is an LSTM, except for the last chunk of the input
 * master gate. This chunk never opens, because its value is 1 - 1 (Shen et al. 2019, eq. 10). */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"

enum {
    D = 12,
    CHUNK = 4,
    UNITS = D / CHUNK,
    SENTENCES = 3,
    GATES = 4 * D,
    ALL = 2 * UNITS + GATES
};

/* Arguments and memory of a recurrent op for SENTENCES sentences of two tokens. Sentence b has rows
 * 2 b and 2 b + 1. */
struct cell {
    struct recurrent r;
    real x[2 * SENTENCES * ALL], h[SENTENCES * ALL], gates[2 * SENTENCES * ALL];
    real cell[2 * SENTENCES * D], out[2 * SENTENCES * D], state[SENTENCES * D];
    real input[2 * SENTENCES * UNITS], forget[2 * SENTENCES * UNITS];
    real dy[2 * SENTENCES * D], dstate[SENTENCES * D], dcell[SENTENCES * D];
    real dx[2 * SENTENCES * ALL], dh[SENTENCES * ALL];
    int32_t row[SENTENCES];
};

static struct act *act(real *x)
{
    return (struct act *)(void *)x;
}

static void cell_open(struct cell *c, int masters)
{
    memset(c, 0, sizeof *c);
    struct recurrent *r = &c->r;
    r->E = 1, r->B = r->alive = r->later = SENTENCES, r->D = D, r->G = 2 * masters + GATES;
    r->chunk = masters ? CHUNK : 0;
    r->row[0] = c->row;
    r->x = act(c->x), r->h = act(c->h), r->gates = act(c->gates), r->cell = c->cell;
    r->out = act(c->out), r->state = act(c->state);
    r->master_input = act(c->input), r->master_forget = act(c->forget);
    r->out_gradient = act(c->dy), r->state_gradient = act(c->dstate), r->cell_gradient = c->dcell;
    r->x_gradient = act(c->dx), r->h_gradient = act(c->dh);
}

/* Fills both cells with the same numbers. `ordered` also has logits of its master gates. The
 * softmax of the forget gate is 1 at the first unit, and the softmax of the input gate is 1 at the
 * last unit. */
static void fill(struct cell *ordered, struct cell *plain)
{
    const struct random_key key = {11, 7};
    uint64_t drawn = 0;
    for (int row = 0; row < 2 * SENTENCES; row++) {
        for (int g = 0; g < 2 * UNITS; g++)
            ordered->x[row * ALL + g] = g == UNITS - 1 || g == UNITS ? 60 : 0;
        for (int g = 0; g < GATES; g++)
            plain->x[row * GATES + g] = ordered->x[row * ALL + 2 * UNITS + g] =
                (real)random_normal(key, drawn++);
    }
    for (int b = 0; b < SENTENCES; b++)
        for (int g = 0; g < GATES; g++)
            plain->h[b * GATES + g] = ordered->h[b * ALL + 2 * UNITS + g] =
                (real)random_normal(key, drawn++);
    for (int i = 0; i < 2 * SENTENCES * D; i++)
        plain->dy[i] = ordered->dy[i] = (real)random_normal(key, drawn++);
}

static void step(struct cell *c, int s)
{
    c->r.first = s == 0;
    for (int b = 0; b < SENTENCES; b++) c->row[b] = 2 * b + s;
    if (c->r.chunk)
        cpu_ops()->onlstm(&c->r);
    else
        cpu_ops()->lstm(&c->r);
}

/* Runs both cells over the two tokens. */
static void forward(struct cell *ordered, struct cell *plain)
{
    cell_open(ordered, UNITS);
    cell_open(plain, 0);
    fill(ordered, plain);
    for (int s = 0; s < 2; s++) step(ordered, s), step(plain, s);
}

TEST(open_masters_are_an_lstm)
{
    static struct cell ordered, plain;
    forward(&ordered, &plain);
    for (int row = 0; row < 2 * SENTENCES; row++)
        for (int c = 0; c < D - CHUNK; c++)
            assert_float_equal(ordered.out[row * D + c], plain.out[row * D + c], 1e-6);
    /* In the last chunk, the forget master F is 1 and the input master I is 0. So the new cell is
     * the old cell, 0. */
    for (int row = 0; row < 2 * SENTENCES; row++)
        for (int c = D - CHUNK; c < D; c++) assert_float_equal(ordered.cell[row * D + c], 0, 1e-6);
}

/* All units of the master gates are set to 1 in the buffers that the backward op reads. */
TEST(given_as_one_they_have_the_gradients_of_an_lstm)
{
    static struct cell ordered, plain;
    forward(&ordered, &plain);
    memcpy(ordered.cell, plain.cell, sizeof plain.cell);
    for (int i = 0; i < 2 * SENTENCES * UNITS; i++) ordered.input[i] = ordered.forget[i] = 1;
    for (int s = 1; s >= 0; s--) {
        struct cell *both[] = {&ordered, &plain};
        for (int k = 0; k < 2; k++) {
            both[k]->r.first = s == 0, both[k]->r.later = s ? 0 : SENTENCES;
            for (int b = 0; b < SENTENCES; b++) both[k]->row[b] = 2 * b + s;
        }
        cpu_ops()->onlstm_backward(&ordered.r);
        cpu_ops()->lstm_backward(&plain.r);
    }
    for (int row = 0; row < 2 * SENTENCES; row++)
        for (int g = 0; g < GATES; g++)
            assert_float_equal(ordered.dx[row * ALL + 2 * UNITS + g], plain.dx[row * GATES + g],
                               1e-6);
    for (int i = 0; i < SENTENCES * D; i++)
        assert_float_equal(ordered.dcell[i], plain.dcell[i], 1e-6);
}
