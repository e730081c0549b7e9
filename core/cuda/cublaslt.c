/* Matrix products by cuBLASLt. Its matrices stand column by column: what it computes is the product
 * transposed, C' = B' A', of the same memory. Which of its algorithms does it depends on the shape
 * alone, never on time or on where the matrices lie; that of a shape is kept. */
#include "core/cuda/cublaslt.h"

#include <cublasLt.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "core/cuda/driver.h"
#include "core/cuda/products.h"

#define LIBRARY "libcublasLt.so.13"
#define CALLS(X)                                                                                   \
    X(Create)                                                                                      \
    X(GetVersion)                                                                                  \
    X(GetStatusString)                                                                             \
    X(MatmulDescCreate)                                                                            \
    X(MatmulDescDestroy)                                                                           \
    X(MatmulDescSetAttribute)                                                                      \
    X(MatrixLayoutCreate)                                                                          \
    X(MatrixLayoutDestroy)                                                                         \
    X(MatrixLayoutSetAttribute)                                                                    \
    X(MatmulPreferenceCreate)                                                                      \
    X(MatmulPreferenceSetAttribute)                                                                \
    X(MatmulAlgoGetHeuristic)                                                                      \
    X(Matmul)
static struct {
#define CALL(name) __typeof__(cublasLt##name) *name;
    CALLS(CALL)
} lt;

static const struct {
    const char *name;
    size_t place;
} calls[] = {
#define PLACE(name) {"cublasLt" #name, offsetof(__typeof__(lt), name)},
    CALLS(PLACE)};

static const size_t work_bytes = 32 << 20;
static void *work;
static cublasLtHandle_t handle;
static cublasLtMatmulPreference_t preference;

static void need(cublasStatus_t status, const char *what)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        die("device cuda: cuBLASLt: %s: %s", what, lt.GetStatusString(status));
}

/* The library in the folder of Python's package, or NULL. */
static void *open_of_python(void)
{
    char path[4096];
    void *library = NULL;
    FILE *out = popen("python3 -c 'import nvidia.cu13 as p; print(list(p.__path__)[0] + "
                      "\"/lib/" LIBRARY "\")' 2> /dev/null",
                      "r");
    if (!out) return NULL;
    if (fgets(path, sizeof path, out)) {
        path[strcspn(path, "\n")] = 0;
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    pclose(out);
    return library;
}

static void *library_open(void)
{
    const char *own = getenv("SANLAB_CUBLASLT");
    void *library = dlopen(own && own[0] ? own : LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (own && own[0] && !library) die("device cuda: SANLAB_CUBLASLT: %s", dlerror());
    if (!library) library = dlopen("/usr/local/cuda/lib64/" LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) library = open_of_python();
    if (!library)
        die("device cuda: %s is not here: neither where the loader looks, nor in "
            "/usr/local/cuda/lib64, nor with Python's nvidia.cu13; SANLAB_CUBLASLT=FILE names it",
            LIBRARY);
    return library;
}

static void open_once(void)
{
    if (handle) return;
    void *library = library_open();
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        void *call = dlsym(library, calls[i].name);
        if (!call) die("device cuda: %s", dlerror());
        memcpy((char *)&lt + calls[i].place, &call, sizeof call);
    }
    if (lt.GetVersion() / 10000 != CUBLAS_VER_MAJOR)
        die("device cuda: cuBLASLt is version %zu, this needs %d", lt.GetVersion(),
            CUBLAS_VER_MAJOR);
    const uint32_t alignment = 16; /* core/cuda/products.h */
    need(lt.Create(&handle), "cannot be used");
    need(lt.MatmulPreferenceCreate(&preference), "preferences");
    need(lt.MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                         &work_bytes, sizeof work_bytes),
         "preferences");
    for (int i = CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
         i <= CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES; i++)
        need(lt.MatmulPreferenceSetAttribute(preference, (cublasLtMatmulPreferenceAttributes_t)i,
                                             &alignment, sizeof alignment),
             "preferences");
    work = driver_alloc(work_bytes);
}

const char *cublaslt_version(void)
{
    static char text[64];
    open_once();
    const size_t version = lt.GetVersion();
    snprintf(text, sizeof text, "%zu.%zu.%zu", version / 10000, version / 100 % 100, version % 100);
    return text;
}

/* A matrix in memory, as cuBLASLt says it. */
struct matrix {
    int32_t transposed, columns, rows; /* after it was transposed */
    int32_t ld;
    int64_t next; /* of several products */
};

/* What decides how a product is computed: C = A B. Compared by its bytes, which are all named. */
struct shape {
    struct matrix a, b, c;
    int32_t products, biased;
};

struct product_plan {
    struct shape shape;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithm;
};

static struct matrix matrix(bool transposed, int rows, int columns, int ld, int64_t next)
{
    return (struct matrix){
        .transposed = transposed, .rows = rows, .columns = columns, .ld = ld, .next = next};
}

/* As cuBLASLt sees it, rows are columns. */
static cublasLtMatrixLayout_t layout(const struct matrix *m, int32_t products)
{
    cublasLtMatrixLayout_t made;
    const int rows = m->transposed ? m->rows : m->columns;
    const int columns = m->transposed ? m->columns : m->rows;
    need(lt.MatrixLayoutCreate(&made, CUDA_R_32F, (uint64_t)rows, (uint64_t)columns, m->ld),
         "a matrix");
    need(lt.MatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &products,
                                     sizeof products),
         "a matrix");
    need(lt.MatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &m->next,
                                     sizeof m->next),
         "a matrix");
    return made;
}

static void product_set(struct product_plan *plan, cublasLtMatmulDescAttributes_t which,
                        const void *value, size_t bytes)
{
    need(lt.MatmulDescSetAttribute(plan->product, which, value, bytes), "a product");
}

static void plan_forget(struct product_plan *plan)
{
    if (!plan->product) return;
    need(lt.MatmulDescDestroy(plan->product), "a product");
    need(lt.MatrixLayoutDestroy(plan->a), "a matrix");
    need(lt.MatrixLayoutDestroy(plan->b), "a matrix");
    need(lt.MatrixLayoutDestroy(plan->c), "a matrix");
}

static void plan_make(struct product_plan *plan, const struct shape *s)
{
    const cublasOperation_t of_a = s->a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t of_b = s->b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_BIAS;
    const uintptr_t any = 16; /* an address whose alignment holds for every bias */
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    plan_forget(plan);
    plan->shape = *s;
    need(lt.MatmulDescCreate(&plan->product, CUBLAS_COMPUTE_32F, CUDA_R_32F), "a product");
    product_set(plan, CUBLASLT_MATMUL_DESC_TRANSA, &of_b, sizeof of_b);
    product_set(plan, CUBLASLT_MATMUL_DESC_TRANSB, &of_a, sizeof of_a);
    if (s->biased) {
        product_set(plan, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
        product_set(plan, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &any, sizeof any);
    }
    plan->a = layout(&s->a, s->products);
    plan->b = layout(&s->b, s->products);
    plan->c = layout(&s->c, s->products);
    const cublasStatus_t status = lt.MatmulAlgoGetHeuristic(
        handle, plan->product, plan->b, plan->a, plan->c, plan->c, preference, 1, &found, &count);
    if (status != CUBLAS_STATUS_SUCCESS || !count)
        die("device cuda: cuBLASLt has no algorithm for %d products of %d x %d by %d x %d: %s",
            s->products, s->a.rows, s->a.columns, s->b.rows, s->b.columns,
            lt.GetStatusString(status));
    plan->algorithm = found.algo;
}

/* That of a shape; one that has the same place is forgotten. */
static struct product_plan *plan_of(const struct shape *shape)
{
    static struct product_plan plans[4096];
    const unsigned char *bytes = (const unsigned char *)shape;
    uint32_t place = 2166136261u;
    for (size_t i = 0; i < sizeof *shape; i++) place = (place ^ bytes[i]) * 16777619u;
    struct product_plan *plan = &plans[(place ^ place >> 16) % COUNT_OF(plans)];
    if (!plan->product || memcmp(&plan->shape, shape, sizeof *shape) != 0) plan_make(plan, shape);
    return plan;
}

/* C = scale A B (+ C when add) (+ bias) */
static void multiply(const struct shape *shape, float scale, const void *a, const void *b, void *c,
                     bool add, const void *bias)
{
    const float beta = add;
    open_once();
    struct product_plan *plan = plan_of(shape);
    if (bias) product_set(plan, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
    need(lt.Matmul(handle, plan->product, &scale, b, plan->b, a, plan->a, &beta, c, plan->c, c,
                   plan->c, &plan->algorithm, work, work_bytes, driver_stream()),
         "a product");
}

void DEVICE(library_gemm)(const struct gemm *g)
{
    const struct shape shape = {.a = matrix(g->transpose_a, g->M, g->K, g->lda, g->next_a),
                                .b = matrix(g->transpose_b, g->K, g->N, g->ldb, g->next_b),
                                .c = matrix(false, g->M, g->N, g->ldc, g->next_c),
                                .products = g->products ? g->products : 1,
                                .biased = g->bias != NULL};
    multiply(&shape, g->scale, g->a, g->b, g->c, g->add, g->bias);
}

/* Gradients are added up: one product after the other. */
void DEVICE(library_gemm_weight)(const struct gemm_weight *g)
{
    const struct shape shape = {.a = matrix(true, g->M, g->T, g->lda, 0),
                                .b = matrix(false, g->T, g->N, g->ldb, 0),
                                .c = matrix(false, g->M, g->N, g->N, 0),
                                .products = 1};
    for (int p = 0; p < g->products || !p; p++)
        multiply(&shape, g->scale, (const float *)(const void *)g->a + p * g->next_a,
                 (const float *)(const void *)g->b + p * g->next_b, g->c, g->add || p, NULL);
}
