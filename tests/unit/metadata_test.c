/* Tests core/model/checkpoint.h: the metadata of model.safetensors, and the versions of the format
 * that can be read. */
#include "tests/support/test.h"

#include "core/base/digest.h"
#include "core/cpu/cpu.h"
#include "core/model/checkpoint.h"

static const char *folder;
static struct parameters parameters;

/* The only parameter is a vector with the values 1 to 5. */
BEFORE(each)
{
    static const real values[] = {1, 2, 3, 4, 5};
    folder = test_folder("metadata");
    parameters = (struct parameters){.arena = &arena};
    const struct parameter *vector =
        parameter_get(&parameters, "a.vector", 1, COUNT_OF(values), START_BIAS, 0);
    parameters_place(&parameters, cpu_ops(), true);
    parameters.ops->upload(parameters.master + vector->offset, values, sizeof values);
}

AFTER(each)
{
    parameters_release(&parameters);
}

static const char *path_of(const char *file)
{
    return arena_print(&arena, "%s/ckpt/step-00000040/%s", folder, file);
}

static void says(const char *path, const char *const (*expected)[2], int count)
{
    const struct tensors tensors = tensors_read(&arena, path);
    assert_int_equal(tensors.metadata.count, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(tensors.metadata.item[i].key, expected[i][0]);
        assert_string_equal(tensors.metadata.item[i].value, expected[i][1]);
    }
    const float *value = tensors_find(&tensors, "a.vector")->data;
    for (int k = 0; k < 5; k++) assert_true(value[k] == (float)(1 + k));
}

/* The metadata of every file of parameters has format, format_version and step. The caller adds
 * further entries. */
TEST(masters_say_what_they_are)
{
    static const char *const expected[][2] = {{"format", "sanlab"},
                                              {"format_version", "1"},
                                              {"step", "40"},
                                              {"seed", "7"},
                                              {"options", "{\"model\":{\"width\":32}}"}};
    struct metadata description = {0};
    for (int i = 3; i < 5; i++) metadata_add(&arena, &description, expected[i][0], expected[i][1]);
    checkpoint_save(folder, 40, &parameters, &description, "{}");
    says(path_of("model.safetensors"), expected, 5);
    checkpoint_save(folder, 40, &parameters, NULL, "{}");
    says(path_of("model.safetensors"), expected, 3);
    const char *alone = arena_print(&arena, "%s/alone.safetensors", folder);
    checkpoint_write(alone, 40, &parameters, &description);
    says(alone, expected, 5);
}

/* Writes model.safetensors with format_version as its only metadata, or without metadata if
 * `version` is NULL. Also writes a MANIFEST with the new digests. */
static void put_version(const char *version)
{
    static const char *const files[] = {"model.safetensors", "adam-m.safetensors",
                                        "adam-v.safetensors", "state.json"};
    struct tensors tensors = tensors_read(&arena, path_of(files[0]));
    tensors.metadata = (struct metadata){0};
    if (version) metadata_add(&arena, &tensors.metadata, "format_version", version);
    struct file_writer writer = file_create(path_of(files[0]));
    tensors_write(writer.stream, &tensors, NULL);
    file_commit(&writer);
    writer = file_create(path_of("MANIFEST"));
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        char digest[DIGEST_TEXT];
        digest_file(path_of(files[i]), digest);
        fprintf(writer.stream, "%s %lld %s\n", digest, (long long)file_bytes(path_of(files[i])),
                files[i]);
    }
    file_commit(&writer);
}

/* A file without metadata, from an older program, is read. A file of a later version is refused. */
TEST(other_formats)
{
    checkpoint_save(folder, 40, &parameters, NULL, "{}");
    put_version(NULL);
    real first = 0;
    parameters.ops->upload(parameters.master, &first, sizeof first);
    checkpoint_load(folder, 40, &parameters, true);
    parameters.ops->download(&first, parameters.master, sizeof first);
    assert_true(first == 1);
    put_version("2");
    EXPECT_DIE("model.safetensors: checkpoint of format 2; this program reads format 1",
               checkpoint_load(folder, 40, &parameters, true));
}
