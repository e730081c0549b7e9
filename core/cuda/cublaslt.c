/* Matrix products by cuBLASLt. Its matrices are column-major. So it computes the transposed
 * product, C^T = B^T A^T, on the same memory. The choice of the algorithm depends on shapes and
 * alignment, never on measured times. Plans of products are cached by shape. */
#include "core/cuda/cublaslt.h"

#include <cublasLt.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/cuda/device.h"
#include "core/cuda/driver.h"
#include "core/cuda/off.h"

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

enum { ALIGNMENT_MOST = 256 }; /* alignment of cudaMalloc in bytes; no kernel is faster with more */
static const size_t work_bytes = LIBRARY_WORK;
static cublasLtHandle_t handle;
static cublasLtMatmulPreference_t preference;

static void need(cublasStatus_t status, const char *what)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        die("device cuda: cuBLASLt: %s: %s", what, lt.GetStatusString(status));
}

/* Opens the library in the folder of the Python package; NULL if it does not exist. */
static void *open_of_python(void)
{
    char path[4096];
    char *folder = device_python_package("nvidia.cu13");
    if (!folder) return NULL;
    snprintf(path, sizeof path, "%s/lib/" LIBRARY, folder);
    free(folder);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *library_open(void)
{
    const char *own = getenv("SANLAB_CUBLASLT");
    void *library = dlopen(own && own[0] ? own : LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (own && own[0] && !library) die("device cuda: SANLAB_CUBLASLT: %s", dlerror());
    if (!library) library = dlopen("/usr/local/cuda/lib64/" LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) library = open_of_python();
    if (!library)
        die("device cuda: %s not found by the loader, in /usr/local/cuda/lib64 or in Python's "
            "nvidia.cu13; set SANLAB_CUBLASLT=FILE",
            LIBRARY);
    return library;
}

const char *cublaslt_version(void)
{
    static char text[64];
    const size_t version = lt.GetVersion();
    snprintf(text, sizeof text, "%zu.%zu.%zu", version / 10000, version / 100 % 100, version % 100);
    return text;
}

const char *cublaslt_facts(void)
{
    static char text[4200];
    Dl_info place;
    const bool known = dladdr(*(void **)&lt.Matmul, &place) && place.dli_fname;
    snprintf(text, sizeof text, "cuBLASLt %s: %s", cublaslt_version(),
             known ? place.dli_fname : "place unknown");
    return text;
}

void cublaslt_open(void)
{
    if (handle) return;
    void *library = library_open();
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        void *call = dlsym(library, calls[i].name);
        if (!call) die("device cuda: %s", dlerror());
        memcpy((char *)&lt + calls[i].place, &call, sizeof call);
    }
    if (lt.GetVersion() / 10000 != CUBLAS_VER_MAJOR)
        die("device cuda: %s; expected version %d", cublaslt_facts(), CUBLAS_VER_MAJOR);
    need(lt.Create(&handle), "cannot be used");
    need(lt.MatmulPreferenceCreate(&preference), "cannot set preferences");
    need(lt.MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                         &work_bytes, sizeof work_bytes),
         "cannot set preferences");
}

/* Returns the workspace of a stream. If parallel products shared a workspace, the last bits of
 * their results could vary. */
static void *work_of(cudaStream_t stream)
{
    static struct {
        cudaStream_t stream;
        void *memory;
    } work[DEVICE_STREAMS];
    for (size_t i = 0; i < COUNT_OF(work); i++) {
        if (!work[i].memory) {
            work[i].stream = stream;
            work[i].memory = driver_alloc(work_bytes);
        }
        if (work[i].stream == stream) return work[i].memory;
    }
    die("device cuda: cuBLASLt: products on more than %zu streams", COUNT_OF(work));
}

struct product_plan {
    struct cublaslt_shape shape;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithm;
    bool refused; /* cuBLASLt cannot compute this product */
};

/* Makes cuBLASLt's layout of a matrix. Rows and columns are exchanged, because cuBLASLt's matrices
 * are column-major. */
static cublasLtMatrixLayout_t layout(const struct cublaslt_matrix *m, int32_t products)
{
    cublasLtMatrixLayout_t made;
    const int rows = m->transposed ? m->rows : m->columns;
    const int columns = m->transposed ? m->columns : m->rows;
    need(lt.MatrixLayoutCreate(&made, (cudaDataType_t)m->type, (uint64_t)rows, (uint64_t)columns,
                               m->ld),
         "cannot describe a matrix");
    need(lt.MatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &products,
                                     sizeof products),
         "cannot describe a matrix");
    need(lt.MatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &m->next,
                                     sizeof m->next),
         "cannot describe a matrix");
    return made;
}

static void product_set(struct product_plan *plan, cublasLtMatmulDescAttributes_t which,
                        const void *value, size_t bytes)
{
    need(lt.MatmulDescSetAttribute(plan->product, which, value, bytes), "cannot set up a product");
}

/* Returns the epilogue of the transposed product. cuBLASLt's A is B of the op, so the sums over B
 * are BGRADA. */
static cublasLtEpilogue_t epilogue_of(const struct cublaslt_shape *s)
{
    return s->epilogue == EPILOGUE_BIAS            ? CUBLASLT_EPILOGUE_BIAS
           : s->epilogue == EPILOGUE_BIAS_GRADIENT ? CUBLASLT_EPILOGUE_BGRADA
                                                   : CUBLASLT_EPILOGUE_DEFAULT;
}

static void product_point(struct product_plan *plan, const void *extra)
{
    product_set(plan, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &extra, sizeof extra);
}

static void product_end(struct product_plan *plan, const void *extra)
{
    const struct cublaslt_shape *s = &plan->shape;
    const cublasLtEpilogue_t epilogue = epilogue_of(s);
    if (s->epilogue == EPILOGUE_NONE) return;
    product_set(plan, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    product_point(plan, extra);
    product_set(plan, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &s->c.type, sizeof s->c.type);
}

static void prefer(cublasLtMatmulPreferenceAttributes_t which, int32_t alignment)
{
    const uint32_t bytes = (uint32_t)alignment;
    need(lt.MatmulPreferenceSetAttribute(preference, which, &bytes, sizeof bytes),
         "cannot set preferences");
}

static void plan_forget(struct product_plan *plan)
{
    if (!plan->product) return;
    need(lt.MatmulDescDestroy(plan->product), "cannot set up a product");
    need(lt.MatrixLayoutDestroy(plan->a), "cannot describe a matrix");
    need(lt.MatrixLayoutDestroy(plan->b), "cannot describe a matrix");
    need(lt.MatrixLayoutDestroy(plan->c), "cannot describe a matrix");
}

/* True if cuBLASLt may not have the product with this epilogue. The caller then computes the
 * epilogue in another way. */
static bool is_optional(const struct cublaslt_shape *s)
{
    return s->epilogue > EPILOGUE_BIAS;
}

static void plan_make(struct product_plan *plan, const struct cublaslt_shape *s, const void *extra)
{
    const cublasOperation_t of_a = s->a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t of_b = s->b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasLtMatmulHeuristicResult_t found = {.state = CUBLAS_STATUS_NOT_SUPPORTED};
    int count = 0;
    plan_forget(plan);
    plan->shape = *s;
    need(lt.MatmulDescCreate(&plan->product,
                             s->tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
                             CUDA_R_32F),
         "cannot set up a product");
    product_set(plan, CUBLASLT_MATMUL_DESC_TRANSA, &of_b, sizeof of_b);
    product_set(plan, CUBLASLT_MATMUL_DESC_TRANSB, &of_a, sizeof of_a);
    product_end(plan, extra);
    plan->a = layout(&s->a, s->products);
    plan->b = layout(&s->b, s->products);
    plan->c = layout(&s->c, s->products);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, s->b.alignment);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, s->a.alignment);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, s->c.alignment);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, s->c.alignment);
    const cublasStatus_t status = lt.MatmulAlgoGetHeuristic(
        handle, plan->product, plan->b, plan->a, plan->c, plan->c, preference, 1, &found, &count);
    plan->refused =
        status != CUBLAS_STATUS_SUCCESS || !count || found.state != CUBLAS_STATUS_SUCCESS;
    if (plan->refused && !is_optional(s))
        die("device cuda: cuBLASLt has no algorithm for %d products of %d x %d by %d x %d: %s",
            s->products, s->a.rows, s->a.columns, s->b.rows, s->b.columns,
            lt.GetStatusString(status));
    plan->algorithm = found.algo;
}

/* Returns the plan of a shape. Makes the plan if the slot of the shape in the cache is empty or has
 * the plan of another shape. */
static struct product_plan *plan_of(const struct cublaslt_shape *shape, const void *extra)
{
    static struct product_plan plans[4096];
    const unsigned char *bytes = (const unsigned char *)shape;
    uint32_t place = 2166136261u;
    for (size_t i = 0; i < sizeof *shape; i++) place = (place ^ bytes[i]) * 16777619u;
    struct product_plan *plan = &plans[(place ^ place >> 16) % COUNT_OF(plans)];
    if (!plan->product || memcmp(&plan->shape, shape, sizeof *shape) != 0)
        plan_make(plan, shape, extra);
    return plan;
}

/* Returns the largest power of two, up to ALIGNMENT_MOST, that divides the addresses of all
 * matrices. */
static int32_t alignment_of(const void *first, const struct cublaslt_matrix *m)
{
    const int64_t size = m->type == CUDA_R_32F ? 4 : 2;
    const uintptr_t bits = (uintptr_t)first | (uintptr_t)(m->next * size) | ALIGNMENT_MOST;
    return (int32_t)(bits & -bits);
}

bool cublaslt_multiply(struct cublaslt_shape shape, float scale, const void *a, const void *b,
                       void *c, bool add, const void *extra)
{
    const float beta = add;
    const bool optional = is_optional(&shape);
    /* During planning, an optional epilogue counts as refused, so that the caller reserves memory
     * for the alternative. */
    if (driver_plans()) return !optional;
    if (optional && off_names("epilogue")) return false;
    cublaslt_open();
    shape.a.alignment = alignment_of(a, &shape.a);
    shape.b.alignment = alignment_of(b, &shape.b);
    shape.c.alignment = alignment_of(c, &shape.c);
    if (extra) shape.extra = alignment_of(extra, &(struct cublaslt_matrix){0});
    struct product_plan *plan = plan_of(&shape, extra);
    if (plan->refused) return false;
    if (extra) product_point(plan, extra);
    const cublasStatus_t status =
        lt.Matmul(handle, plan->product, &scale, b, plan->b, a, plan->a, &beta, c, plan->c, c,
                  plan->c, &plan->algorithm, work_of(driver_stream()), work_bytes, driver_stream());
    /* cuBLASLt may refuse to run an algorithm that its heuristic has returned. */
    plan->refused = optional && (status == CUBLAS_STATUS_NOT_SUPPORTED ||
                                 status == CUBLAS_STATUS_INVALID_VALUE);
    if (!plan->refused) need(status, "a product failed");
    return !plan->refused;
}
