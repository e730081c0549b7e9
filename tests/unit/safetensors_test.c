/* Tests core/model/safetensors.h. Written files can be read back. Every invalid file is refused
 * with its path and the reason, before any of its data is used. */
#include "tests/support/test.h"

#include "core/model/safetensors.h"

static const char *folder;

BEFORE(each)
{
    folder = test_folder("safetensors");
}

/* Writes a file without the sync of file_write, which is slow. */
static void put_bytes(const char *path, const char *bytes, size_t count)
{
    remove(path); /* some file systems sync a file that replaces another */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

/* Writes a file with this value in the length field, this header, and the data bytes 0, 1, 2, and
 * so on. */
static const char *put_length(uint64_t length, const char *header, size_t bytes, int data)
{
    const char *path = arena_print(&arena, "%s/a.safetensors", folder);
    char *file = arena_alloc(&arena, 8 + bytes + (size_t)data);
    memcpy(file, &length, 8);
    memcpy(file + 8, header, bytes);
    for (int i = 0; i < data; i++) file[8 + bytes + (size_t)i] = (char)i;
    put_bytes(path, file, 8 + bytes + (size_t)data);
    return path;
}

static const char *put(const char *header, int data)
{
    return put_length(strlen(header), header, strlen(header), data);
}

TEST(what_is_written_is_read)
{
    const float first[] = {1, -2.5F, 3e-38F, 0, 5, 6};
    const double second[] = {1. / 3};
    const int32_t third[] = {-1, 2};
    const int64_t fourth[] = {INT64_MIN};
    struct tensor tensor[] = {
        {"b", TENSOR_F32, 2, {2, 3}, 6, first},
        {"a \"quoted\" name", TENSOR_F64, 0, {0}, 1, second},
        {"c", TENSOR_I32, 1, {2}, 2, third},
        {"d", TENSOR_I64, 4, {1, 1, 1, 1}, 1, fourth},
        {"nothing", TENSOR_F32, 2, {0, 3}, 0, first},
    };
    struct metadata metadata = {0};
    metadata_add(&arena, &metadata, "seed", "1");
    metadata_add(&arena, &metadata, "text", "two\nlines, ä");
    const struct tensors tensors = {COUNT_OF(tensor), tensor, metadata};
    const char *path = arena_print(&arena, "%s/whole.safetensors", folder);
    struct file_writer writer = file_create(path);
    tensors_write(writer.stream, &tensors, NULL);
    file_commit(&writer);
    const struct tensors read = tensors_read(&arena, path);
    assert_int_equal(read.count, COUNT_OF(tensor));
    for (size_t i = 0; i < COUNT_OF(tensor); i++) {
        const struct tensor *got = tensors_find(&read, tensor[i].name);
        static const size_t bytes[] = {4, 8, 4, 8};
        assert_non_null(got);
        assert_int_equal(got->format, tensor[i].format);
        assert_int_equal(got->dimensions, tensor[i].dimensions);
        for (int k = 0; k < got->dimensions; k++)
            assert_int_equal(got->shape[k], tensor[i].shape[k]);
        assert_int_equal(got->count, tensor[i].count);
        if (got->count)
            assert_memory_equal(got->data, tensor[i].data, (size_t)got->count * bytes[got->format]);
    }
    uint64_t header;
    memcpy(&header, file_read(&arena, path, 0, NULL), 8);
    assert_int_equal((8 + header) % 64, 0); /* offset of the data */
    assert_null(tensors_find(&read, "e"));
    assert_int_equal(read.metadata.count, 2);
    assert_string_equal(tensors_metadata(&read, "text"), "two\nlines, ä");
    assert_string_equal(tensors_metadata(&read, "seed"), "1");
    assert_null(tensors_metadata(&read, "Seed"));
}

#define ONE(dtype, shape, offsets)                                                                 \
    "{\"a\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
#define F32(name, begin, end)                                                                      \
    "\"" name "\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[" begin "," end "]}"

static const struct {
    const char *header;
    int data;
    const char *reason;
} refused[] = {
    /* not JSON, or not a map */
    {"", 0, "too short|not a safetensors file"},
    {"[]", 0, "not a safetensors file"},
    {" {}", 0, "not a safetensors file"},
    {"{", 0, "header: "},
    {"{} x", 0, "header: "},
    {"{}{}", 0, "header: "},
    {"{\"a\":}", 0, "header: "},
    {"{\"a\xff\":1}", 0, "header: "},
    {"{\"a\\u0000\":1}", 0, "header: "},
    {"{" F32("a", "0", "8") "," F32("a", "8", "16") "}", 16, "duplicate"},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}}", 8,
     "duplicate"},
    /* wrong entries */
    {"{\"a\":1}", 0, "a: "},
    {"{\"a\":[]}", 0, "a: "},
    {"{\"a\":null}", 0, "a: "},
    {"{\"a\":{}}", 0, "a: unknown type"},
    {ONE("\"F16\"", "[1]", "[0,2]"), 2, "unknown type F16"},
    {ONE("\"f32\"", "[1]", "[0,4]"), 4, "unknown type f32"},
    {ONE("1", "[1]", "[0,4]"), 4, "type (none)"},
    {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, "shape or data_offsets"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "shape or data_offsets"},
    {ONE("\"F32\"", "1", "[0,4]"), 4, "shape or data_offsets"},
    {ONE("\"F32\"", "{}", "[0,4]"), 4, "shape or data_offsets"},
    {ONE("\"F32\"", "[1,1,1,1,1]", "[0,4]"), 4, "shape"},
    {ONE("\"F32\"", "[1]", "[0]"), 4, "shape or data_offsets"},
    {ONE("\"F32\"", "[1]", "[0,4,8]"), 8, "shape or data_offsets"},
    {ONE("\"F32\"", "[1]", "4"), 4, "shape or data_offsets"},
    /* wrong numbers */
    {ONE("\"F32\"", "[-1]", "[0,4]"), 4, "whole numbers"},
    {ONE("\"F32\"", "[-1,-1]", "[0,4]"), 4, "whole numbers"},
    {ONE("\"F32\"", "[1.0]", "[0,4]"), 4, "whole numbers"},
    {ONE("\"F32\"", "[1e0]", "[0,4]"), 4, "whole numbers"},
    {ONE("\"F32\"", "[\"1\"]", "[0,4]"), 4, "whole numbers"},
    {ONE("\"F32\"", "[true]", "[0,4]"), 4, "whole numbers"},
    {ONE("\"F32\"", "[1]", "[-4,0]"), 4, "whole numbers"},
    {ONE("\"F32\"", "[1]", "[0,4.0]"), 4, "whole numbers"},
    {ONE("\"F32\"", "[1]", "[null,4]"), 4, "whole numbers"},
    {ONE("\"F32\"", "[99999999999999999999]", "[0,4]"), 4, "header: "},
    /* Sizes beyond 64 bits. In the second case, the product of the shape would wrap to 0. In the
     * last two cases, only the number of bytes would wrap. */
    {ONE("\"F32\"", "[9223372036854775807,2]", "[0,4]"), 4, "too large"},
    {ONE("\"F32\"", "[4294967296,4294967296]", "[0,0]"), 0, "too large"},
    {ONE("\"F32\"", "[4611686018427387904]", "[0,0]"), 0, "disagree"},
    {ONE("\"I64\"", "[2305843009213693953]", "[0,8]"), 8, "disagree"},
    /* wrong offsets */
    {ONE("\"F32\"", "[1]", "[4,0]"), 4, "offsets"},
    {ONE("\"F32\"", "[1]", "[0,8]"), 4, "offsets"},
    {ONE("\"F32\"", "[1]", "[0,9223372036854775807]"), 4, "offsets"},
    {ONE("\"F32\"", "[1]", "[9223372036854775803,9223372036854775807]"), 4, "offsets"},
    {ONE("\"F32\"", "[2]", "[0,4]"), 4, "disagree"},
    {ONE("\"F64\"", "[1]", "[0,4]"), 4, "disagree"},
    {ONE("\"F32\"", "[0]", "[0,4]"), 4, "disagree"},
    {ONE("\"F32\"", "[]", "[0,0]"), 0, "disagree"},
    {ONE("\"F32\"", "[1]", "[4,8]"), 8, "gap or overlap"},
    {"{" F32("a", "0", "8") "," F32("b", "12", "20") "}", 20, "gap or overlap"},
    {"{" F32("a", "0", "8") "," F32("b", "4", "12") "}", 12, "gap or overlap"},
    {"{" F32("a", "0", "8") "," F32("b", "0", "8") "}", 8, "gap or overlap"},
    {"{" F32("a", "0", "8") "," F32("b", "0", "8") "}", 16, "gap or overlap"},
    {ONE("\"F32\"", "[1]", "[0,4]"), 5, "trailing bytes"},
    {"{}", 1, "trailing bytes"},
    {"{\"__metadata__\":{\"a\":\"b\"}}", 4, "trailing bytes"},
    /* wrong metadata */
    {"{\"__metadata__\":1}", 0, "__metadata__ is not a map"},
    {"{\"__metadata__\":[]}", 0, "__metadata__ is not a map"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "__metadata__.a is not a string"},
    {"{\"__metadata__\":{\"a\":{}}}", 0, "__metadata__.a is not a string"},
    {"{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0, "duplicate"},
};

/* True if the message contains one of the reasons, which are separated by '|'. */
static bool says(const char *message, const char *reasons)
{
    char copy[128], *save = NULL;
    snprintf(copy, sizeof copy, "%s", reasons);
    for (char *one = strtok_r(copy, "|", &save); one; one = strtok_r(NULL, "|", &save))
        if (strstr(message, one)) return true;
    return false;
}

static void is_refused(const char *path, const char *what, const char *reasons)
{
    EXPECT_DIE("a.safetensors: ", tensors_read(&arena, path));
    if (!says(test_die_message, reasons) || strchr(test_die_message, '\n'))
        fail_msg("%s: refused with \"%s\", expected \"%s\"", what, test_die_message, reasons);
}

TEST(malformed_headers_are_refused)
{
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        is_refused(put(refused[i].header, refused[i].data), refused[i].header, refused[i].reason);
}

TEST(wrong_lengths_are_refused)
{
    static const char header[] = ONE("\"F32\"", "[1]", "[0,4]");
    const uint64_t right = sizeof header - 1;
    const uint64_t lengths[] = {0,         1,          right - 1,    right + 1,
                                right + 4, right + 5,  right + 4096, (16U << 20) + 1,
                                100000001, 1ULL << 32, 1ULL << 63,   UINT64_MAX - 7,
                                UINT64_MAX};
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        is_refused(put_length(lengths[i], header, right, 4), "length",
                   lengths[i] > right + 4 ? "header of" : "header of|header: |bytes of data");
    assert_int_equal(tensors_read(&arena, put(header, 4)).count, 1);
    /* A header may end in blanks, which align the data. */
    const char *padded = put(ONE("\"F32\"", "[1]", "[0,4]") "   ", 4);
    assert_int_equal(tensors_read(&arena, padded).count, 1);
}

/* Checks that the file is refused, or that each of its tensors has two elements. */
static void refused_or_sound(const char *path)
{
    TEST_LEAKS_COUNT(false);
    if (setjmp(test_die_jump) == 0) {
        die_set_hook(test_die_catch, NULL);
        const struct tensors read = tensors_read(&arena, path);
        for (int t = 0; t < read.count; t++) assert_int_equal(read.tensor[t].count, 2);
    }
    die_set_hook(NULL, NULL);
    TEST_LEAKS_COUNT(true);
}

/* Reads every prefix of a valid file, and the file with one changed byte. Each byte of its length
 * and header is changed in two ways. */
TEST(torn_and_changed_files)
{
    static const char header[] =
        "{\"__metadata__\":{\"k\":\"v\"}," F32("a", "0", "8") "," F32("b", "8", "16") "}";
    size_t bytes;
    const char *path = put(header, 16);
    char *file = file_read(&arena, path, 0, &bytes);
    for (size_t n = 0; n < bytes; n++) {
        put_bytes(path, file, n);
        is_refused(path, "torn", "too short|not a safetensors|header: |offsets");
    }
    for (size_t i = 0; i < 2 * (bytes - 16); i++) {
        const char before = file[i / 2];
        file[i / 2] = (char)(before ^ (i % 2 ? 1 : 0x80));
        put_bytes(path, file, bytes);
        file[i / 2] = before;
        refused_or_sound(path);
    }
}

TEST(missing_files_are_named)
{
    EXPECT_DIE("/nowhere.safetensors: cannot be read",
               tensors_read(&arena, arena_print(&arena, "%s/nowhere.safetensors", folder)));
    EXPECT_DIE("not a regular file", tensors_read(&arena, folder));
}
