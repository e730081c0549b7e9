/* Tests core/corpus/data_set: the content of a manifest, and wrong manifests, which are refused
 * with the location. */
#include "tests/support/here.h"
#include "tests/support/test.h"

#include "core/corpus/data_set.h"

#define BLOB "78981922613b2afb6025042ff6bd878ac1994e85"
#define SHA256 "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"
#define HEAD "description: letters\nlicense: none stated\ncitation: nobody\n"
#define ONE "{path: a/b, url: 'https://h/b', blob: " BLOB "}"

static const struct data_set *set_of(const char *text)
{
    const char *path = here_put("letters.yaml", text);
    return data_set_read(&arena, path, (struct location){.file = "test"});
}

TEST(a_manifest_is_read)
{
    const struct data_set *set = set_of(
        HEAD "warn: [none stated]\nlogin: true\nfiles:\n  - {path: raw/b, url: "
             "'http://h/b', sha256: " SHA256 ", bytes: 5000000000, fetched: false}\n  - " ONE "\n"
             "make:\n  program: here.py\n  files: [{path: c, blob: " BLOB "}]\n");
    assert_string_equal(set->name, "letters");
    assert_string_equal(set->license, "none stated");
    assert_string_equal(set->warn[0], "none stated");
    assert_null(set->warn[1]);
    assert_true(set->login);
    assert_int_equal(set->files, 2);
    assert_true(set->file[0].sha256);
    assert_string_equal(set->file[0].digest, SHA256);
    assert_int_equal(set->file[0].bytes, 5000000000);
    assert_false(set->file[0].fetched);
    assert_string_equal(set->file[1].url, "https://h/b");
    assert_int_equal(set->file[1].bytes, -1);
    assert_true(set->file[1].fetched);
    assert_null(set->steps);
    assert_string_equal(set->program, arena_print(&arena, "%s/here.py", file_program_folder()));
    int count;
    assert_string_equal(data_set_files(set, &count)->path, "c");
    assert_int_equal(count, 1);
    here_put("here.py", "");
    set = set_of(HEAD "files: [" ONE "]\nmake: {program: here.py, files: [{path: c, blob: " BLOB
                      "}]}\n");
    assert_true(file_exists(set->program));
    set = set_of(HEAD "steps: |\n  First this.\n  Then that.\nfiles: [{path: d/e.txt}]\n");
    assert_string_equal(set->steps, "First this.\nThen that.\n");
    assert_string_equal(data_set_files(set, &count)->path, "d/e.txt");
}

TEST(what_is_wrong_is_refused_at_its_line)
{
    static const struct said wrong[] = {
        {HEAD, "letters: expected files to fetch, or steps"},
        {"license: x\ncitation: y\nfiles: [" ONE "]\n", "a data set: description is missing"},
        {HEAD "colour: red\nfiles: [" ONE "]\n", "4:1: a data set: unknown key \"colour\""},
        {HEAD "files: 3\n", "files: expected a list of maps"},
        {HEAD "files: [3]\n", "a file of a data set"},
        {HEAD "files:\n  - {path: a, blob: " BLOB "}\n", "5:5: a file without url"},
        {HEAD "files:\n  - {url: 'https://h/b', blob: " BLOB "}\n", "5:5: a file: path is missing"},
        {HEAD "files: [{path: a, url: 'https://h/b'}]\n",
         "the digest is missing: expected blob or sha256"},
        {HEAD "files: [{path: a, url: 'https://h/b', blob: abc}]\n", "expected 40 digits"},
        {HEAD "files: [{path: a, url: 'https://h/b', sha256: " BLOB "}]\n", "expected 64 digits"},
        {HEAD "files: [{path: a, url: 'https://h/b', blob: " BLOB ", sha256: " SHA256 "}]\n",
         "expected one of them"},
        {HEAD "files: [{path: a, url: 'ftp://h/b', blob: " BLOB "}]\n", "expected https://"},
        {HEAD "files: [{path: a, url: 'file:x', blob: " BLOB "}]\n", "expected https://"},
        {HEAD "files: [{path: a, url: 'https://h/\"b', blob: " BLOB "}]\n", "write it as %XX"},
        {HEAD "files: [{path: a, url: \"https://h/\\nb\", blob: " BLOB "}]\n", "control character"},
        {HEAD "files: [{path: /a, url: 'https://h/b', blob: " BLOB "}]\n",
         "leaves the data folder"},
        {HEAD "files: [{path: a/../b, url: 'https://h/b', blob: " BLOB "}]\n",
         "leaves the data folder"},
        {HEAD "files: [{path: a/.b, url: 'https://h/b', blob: " BLOB "}]\n",
         "do not begin with a dot"},
        {HEAD "files: [{path: a//b, url: 'https://h/b', blob: " BLOB "}]\n", "not empty"},
        {HEAD "files: [{path: a, url: 'https://h/b', blob: " BLOB ", bytes: -1}]\n", "bytes"},
        {HEAD "files: [{path: a, url: 'https://h/b', blob: " BLOB ", bytes: 2.5}]\n",
         "bytes: expected a whole number"},
        {HEAD "files:\n  - " ONE "\n  - " ONE "\n", "6:5: a/b is listed twice, first in line 5"},
        {HEAD "files: [" ONE "]\nmake: {program: p}\n", "make: files is missing or empty"},
        {HEAD "files: [" ONE "]\nsteps: x\nmake: {program: p, files: [{path: c, blob: " BLOB
              "}]}\n",
         "make and steps are both given"},
    };
    for (volatile size_t i = 0; i < COUNT_OF(wrong); i++)
        EXPECT_DIE(wrong[i].says, set_of(wrong[i].text));
    EXPECT_DIE("there is no file",
               data_set_read(&arena, "none.yaml", (struct location){.file = "x"}));
}

EACH_TEST(here_open);
