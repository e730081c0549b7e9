/* Printed by scripts/generate/elementary_constants; read by elementary.c alone. */
/* clang-format off */
#pragma once

#include <stdint.h>

#define LN2_TOP 0x1.62e42fefa38p-1 /* a multiple of 2^-42 */
#define LN2_REST 0x1.ef35793c7673p-45
#define LN2 0x1.62e42fefa39efp-1
#define LN2_LOW 0x1.abc9e3b39803fp-56 /* log 2 - LN2 */
#define PER_LN2 0x1.71547652b82fep+0
#define HALF_PI 0x1.921fb54442d18p+0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

/* (e^x - 1 - x) / x^2, x in [-0.3466, 0.3466], to 2^-59.3 */
static const double exp_terms[] = {
    0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555556p-5, 0x1.11111111100dfp-7,
    0x1.6c16c16c162d6p-10, 0x1.a01a01abe6323p-13, 0x1.a01a01a6d7831p-16, 0x1.71de0237484cdp-19,
    0x1.27e4db67ac2bp-22, 0x1.af4ddda1c08cdp-26, 0x1.1f72fc83bcbc7p-29};

/* (sin(y) / y - 1) / x, x = y^2, x in [0.0000, 0.6169], to 2^-66.2 */
static const double sin_terms[] = {
    -0x1.5555555555555p-3, 0x1.111111111111p-7, -0x1.a01a01a019938p-13, 0x1.71de3a546095bp-19,
    -0x1.ae645412c560cp-26, 0x1.61217f0b800d5p-33, -0x1.ab17d404de5b3p-41};

/* (cos(y) - 1 + x / 2) / x^2, x = y^2, x in [0.0000, 0.6169], to 2^-70.4 */
static const double cos_terms[] = {
    0x1.5555555555555p-5, -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d0ap-16, -0x1.27e4fb7712d65p-22,
    0x1.1eed8deb97a97p-29, -0x1.9394ba0cd6ed5p-37, 0x1.ab785b00b4646p-45};

/* (log(1 + x) - x + x^2 / 2) / x^3, x in [-0.0156, 0.0156], to 2^-65.6 */
static const double log_terms[] = {
    0x1.5555555555555p-2, -0x1p-2, 0x1.9999999999999p-3, -0x1.555555555a55fp-3,
    0x1.2492492496e74p-3, -0x1.fffffdbfc31fep-4, 0x1.c71c6fb332658p-4, -0x1.99c99d754b94dp-4,
    0x1.748969a4979d2p-4};

/* For every 2^47 doubles from LOG_FIRST on: about 1 / x, and its negative logarithm as a multiple
 * of 2^-42 and the rest. */
#define LOG_FIRST 0x1.6cp-1
static const struct {
    double inverse, top, rest;
} log_step[] = {
    {0x1.644p+0, -0x1.5262deeb99p-2, 0x1.e1b9f70894a01p-44},
    {0x1.5c8p+0, -0x1.3bdd24eb15p-2, 0x1.257b4970e6ed9p-44},
    {0x1.554p+0, -0x1.26561f1338p-2, -0x1.8b48866faa45fp-44},
    {0x1.4e4p+0, -0x1.111ce4003fp-2, 0x1.b3237096b4b6bp-46},
    {0x1.47cp+0, -0x1.fa01c3bb58p-3, 0x1.a1f71fae1d786p-46},
    {0x1.414p+0, -0x1.d0fb7f2256p-3, 0x1.af52b20633b29p-47},
    {0x1.3bp+0, -0x1.a8becfc882p-3, -0x1.e3185cf21b9cfp-44},
    {0x1.354p+0, -0x1.83040c91bcp-3, -0x1.e5b71c6e66f32p-44},
    {0x1.2f8p+0, -0x1.5c94007598p-3, 0x1.a8d948cd23322p-44},
    {0x1.2ap+0, -0x1.371fc201e8p-3, -0x1.ee8779b2d8abcp-44},
    {0x1.248p+0, -0x1.10f8e42254p-3, 0x1.93b3843396307p-45},
    {0x1.1f8p+0, -0x1.db5270187cp-4, -0x1.9277856ae181fp-44},
    {0x1.1a8p+0, -0x1.9375e55594p-4, -0x1.eddc37380c364p-44},
    {0x1.15cp+0, -0x1.4e01108a34p-4, -0x1.ae5cfdf2c5ae5p-44},
    {0x1.11p+0, -0x1.075983599p-4, 0x1.b8ecfe4b59987p-44},
    {0x1.0c8p+0, -0x1.868a83084p-5, 0x1.2623a134ac693p-46},
    {0x1.084p+0, -0x1.03d5d85e7p-5, -0x1.f778960ed29cfp-44},
    {0x1.04p+0, -0x1.fc0a8b0fcp-7, -0x1.f1e7cf6d3a69cp-50},
    {0x1p+0, 0, 0},
    {0x1.f08p-1, 0x1.f7a9b1678p-6, 0x1.42ad9271be7d7p-45},
    {0x1.e2p-1, 0x1.eea31c0068p-5, 0x1.c3dd83606d891p-44},
    {0x1.d4p-1, 0x1.700d30aeacp-4, 0x1.c1e8da99ded32p-49},
    {0x1.c7p-1, 0x1.e3707ee304p-4, 0x1.0f684e6766abdp-45},
    {0x1.bbp-1, 0x1.28753bc11ap-3, 0x1.7494e359302e6p-44},
    {0x1.afp-1, 0x1.60b3100b0ap-3, -0x1.71456c988f814p-44},
    {0x1.a4p-1, 0x1.95a5adcf7p-3, 0x1.7f22858a0ff6fp-47},
    {0x1.998p-1, 0x1.c97f8079d4p-3, 0x1.3b161a8c6e6c5p-45},
    {0x1.8f8p-1, 0x1.fc218be62p-3, 0x1.4bba46f1cf6ap-44},
    {0x1.86p-1, 0x1.16b5ccbadp-2, -0x1.23299042d74bfp-44},
    {0x1.7dp-1, 0x1.2e9e2bce12p-2, 0x1.4300c128d1dc2p-45},
    {0x1.748p-1, 0x1.45b8c0a17ep-2, -0x1.d9120e7d0a853p-47},
    {0x1.6cp-1, 0x1.5d5bddf596p-2, -0x1.a0b2a08a465dcp-47},
};

/* 2 / pi in binary, after 64 zeros. */
static const uint64_t two_over_pi[] = {
    0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
