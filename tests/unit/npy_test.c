/* Tests core/base/npy.h. Written files have the same bytes as numpy's, and numpy's files can be
 * read. An invalid file is refused, and the message has the expected content. */
#include "tests/support/here.h"
#include "tests/support/test.h"

#include "core/base/npy.h"

/* Writes a file with this header, `blanks` blanks and `bytes` bytes of numbers. Returns its
 * path. */
static const char *put_header(const char *header, size_t blanks, size_t bytes)
{
    const size_t used = strlen(header), length = used + blanks;
    char *file = arena_alloc(&arena, 10 + length + bytes);
    memcpy(file, "\x93NUMPY\x01", 7); /* byte 7, the 0 of version 1.0, is 0 already */
    file[8] = (char)(length & 255);
    file[9] = (char)(length >> 8);
    memset(file + 10, ' ', length);
    memcpy(file + 10, header, used);
    return here_put_bytes("a.npy", file, 10 + length + bytes);
}

/* Returns the number of blanks after the header, so that the offset of the numbers is a multiple of
 * 4. */
static size_t blanks_of(const char *header)
{
    return 3 - (10 + strlen(header) + 3) % 4;
}

/* The bytes that numpy 2.4.6 writes for numpy.save(path, numpy.array([[1, -2.5, 3], [0, 1e-3, 7]],
 * "float32")). */
static const char saved[] = "\x93NUMPY\x01\x00\x76\x00"
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
                            "                                                          \n"
                            "\x00\x00\x80\x3f\x00\x00\x20\xc0\x00\x00\x40\x40"
                            "\x00\x00\x00\x00\x6f\x12\x83\x3a\x00\x00\xe0\x40";
static const float numbers[] = {1, -2.5F, 3, 0, 1e-3F, 7};

TEST(the_bytes_are_numpys)
{
    const char *path = arena_print(&arena, "%s/written.npy", here);
    npy_write(path, numbers, 2, 3);
    size_t bytes;
    const char *written = file_read(&arena, path, 0, &bytes);
    assert_int_equal(bytes, sizeof saved - 1);
    assert_memory_equal(written, saved, bytes);
}

TEST(what_numpy_wrote_is_mapped)
{
    struct npy npy = npy_open(here_put_bytes("saved.npy", saved, sizeof saved - 1));
    assert_int_equal(npy.rows, 2);
    assert_int_equal(npy.columns, 3);
    assert_memory_equal(npy.number, numbers, sizeof numbers);
    assert_int_equal(npy_bad_row(&npy), -1);
    npy_close(&npy);
    assert_null(npy.map);
}

/* For these shapes, numpy writes the same bytes as npy_write, and reads files of npy_write. The
 * interpreter is $PYTHON (default: python3). */
TEST(numpy_agrees)
{
    static const int64_t shape[][2] = {{0, 7}, {1, 1}, {7, 0}, {3, 5}, {1200, 64}, {100000, 2}};
    const char *python = getenv("PYTHON");
    if (!python) python = "python3";
    if (system(arena_print(&arena, "%s -c 'import numpy' 2> %s/log", python, here)) != 0)
        test_skip("%s has no numpy (pip install numpy)", python);
    for (size_t s = 0; s < COUNT_OF(shape); s++) {
        const int64_t rows = shape[s][0], columns = shape[s][1], count = rows * columns;
        float *number = ARENA_ARRAY(&arena, float, count + 1);
        for (int64_t i = 0; i < count; i++) number[i] = (float)i / 8;
        const char *ours = arena_print(&arena, "%s/ours.npy", here);
        const char *theirs = arena_print(&arena, "%s/theirs.npy", here);
        npy_write(ours, number, rows, columns);
        const char *command = arena_print(
            &arena,
            "%s -c 'import numpy as np; a = np.load(\"%s\"); "
            "b = np.arange(%lld, dtype=\"<f4\").reshape(%lld, %lld) / np.float32(8); "
            "np.save(\"%s\", b); assert a.dtype == b.dtype and a.shape == b.shape and "
            "(a == b).all()'",
            python, ours, (long long)count, (long long)rows, (long long)columns, theirs);
        assert_int_equal(system(command), 0);
        size_t bytes, other;
        const char *mine = file_read(&arena, ours, 0, &bytes);
        const char *numpys = file_read(&arena, theirs, 0, &other);
        assert_int_equal(bytes, other);
        assert_memory_equal(mine, numpys, bytes);
        struct npy npy = npy_open(theirs);
        assert_int_equal(npy.rows, rows);
        assert_int_equal(npy.columns, columns);
        assert_memory_equal(npy.number, number, (size_t)count * sizeof *number);
        npy_close(&npy);
    }
}

/* Programs other than numpy may write keys in another order, blanks at other places, and double
 * quotes. */
TEST(other_headers_are_read)
{
    static const char *const header[] = {
        "{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"<f4\"}",
        " { 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , 'descr' : '<f4' , }\n      ",
    };
    for (size_t i = 0; i < COUNT_OF(header); i++) {
        struct npy npy = npy_open(put_header(header[i], blanks_of(header[i]), 24));
        assert_int_equal(npy.rows, 2);
        assert_int_equal(npy.columns, 3);
        npy_close(&npy);
    }
}

#define TYPE "'descr': '<f4', "
#define ORDER "'fortran_order': False, "
#define SHAPE "'shape': (2, 3), "

TEST(what_is_not_sound_is_refused)
{
    static const struct {
        const char *header;
        size_t bytes;
        const char *reason;
    } refused[] = {
        {"{'descr': '<f8', " ORDER SHAPE "}", 48, "of type '<f8', expected '<f4'"},
        {"{'descr': '>f4', " ORDER SHAPE "}", 24, "of type '>f4', expected '<f4'"},
        {"{'descr': [('a', '<f4')], " ORDER SHAPE "}", 24, "Expected string, got array"},
        {"{" TYPE "'fortran_order': True, " SHAPE "}", 24, "by column"},
        {"{" TYPE "'fortran_order': 0, " SHAPE "}", 24, "Expected true or false, got integer"},
        {"{" TYPE ORDER "'shape': (6,), }", 24, "'shape': (6,), }"},
        {"{" TYPE ORDER "'shape': (), }", 4, "'shape': (), }"},
        {"{" TYPE ORDER "'shape': (1, 2, 3), }", 24, "'shape': (1, 2, 3), }"},
        {"{" TYPE ORDER "'shape': (-1, 2), }", 24, "'shape': (-1, 2), }"},
        {"{" TYPE ORDER "'shape': 6, }", 24, "Expected array, got integer"},
        {"{" TYPE ORDER "'shape': (2 3), }", 24, "expected near '3'"},
        {"{" TYPE ORDER "'shape': (9223372036854775808, 1), }", 24, "too big integer"},
        {"{" TYPE ORDER "'shape': (4294967296, 4294967296), }", 24, "4294967296 rows of"},
        {"{" TYPE ORDER "'shape': (4611686018427387904, 1), }", 0, "rows of 1 numbers"},
        {"{" TYPE SHAPE "}", 24, "not found: fortran_order"},
        {"{" TYPE ORDER SHAPE ORDER "}", 24, "duplicate object key"},
        {"{" TYPE ORDER SHAPE "'more': 1}", 24, "left unpacked: more"},
        {"{" TYPE ORDER "'shape' (2, 3)}", 24, "':' expected"},
        {"{" TYPE ORDER "'shape': (2, 3) 1}", 24, "'}' expected"},
        {"{" TYPE ORDER SHAPE "} x", 24, "end of file expected"},
        {"{" TYPE ORDER "'shape", 24, "each once: "},
        {"", 24, "each once: "},
        {"{" TYPE ORDER SHAPE "}", 23, "23 bytes after its header, expected 2 rows of 3 numbers"},
        {"{" TYPE ORDER SHAPE "}", 25, "25 bytes after its header, expected 2 rows of 3 numbers"},
        {"{" TYPE ORDER SHAPE "}", 0, "0 bytes after its header, expected 2 rows of 3 numbers"},
    };
    for (volatile size_t i = 0; i < COUNT_OF(refused); i++) {
        const char *header = refused[i].header;
        const char *path = put_header(header, blanks_of(header), refused[i].bytes);
        EXPECT_DIE(refused[i].reason, npy_open(path));
        expect_part(test_die_message, "/a.npy: ");
    }
}

TEST(other_files_are_refused)
{
    char file[sizeof saved];
    memcpy(file, saved, sizeof saved);
    EXPECT_DIE("none.npy: cannot be read: No such file",
               npy_open(arena_print(&arena, "%s/none.npy", here)));
    EXPECT_DIE("cannot be read: it is not a regular file", npy_open(here));
    EXPECT_DIE("not a .npy file", npy_open(here_put_bytes("a.npy", "", 0)));
    EXPECT_DIE("not a .npy file", npy_open(here_put_bytes("a.npy", file, 9)));
    EXPECT_DIE("truncated: 100 bytes, its header alone has 118",
               npy_open(here_put_bytes("a.npy", file, 100)));
    const char *header = "{" TYPE ORDER SHAPE "}";
    EXPECT_DIE("begin at byte 69, expected a multiple of 4",
               npy_open(put_header(header, 69 - 10 - strlen(header), 24)));
    file[6] = 2;
    EXPECT_DIE("version 2.0, expected 1.0",
               npy_open(here_put_bytes("a.npy", file, sizeof file - 1)));
    file[0] = 'P';
    EXPECT_DIE("not a .npy file", npy_open(here_put_bytes("a.npy", file, sizeof file - 1)));
}

TEST(numbers_that_are_not_finite_are_found)
{
    const char *path = arena_print(&arena, "%s/bad.npy", here);
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        float number[12] = {0};
        number[7] = bad[i];
        npy_write(path, number, 4, 3);
        struct npy npy = npy_open(path);
        assert_int_equal(npy_bad_row(&npy), 2);
        npy_close(&npy);
    }
}

EACH_TEST(here_open);
