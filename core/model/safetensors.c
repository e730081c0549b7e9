/* Reads and writes safetensors files. A file may be damaged, so each range of bytes in its header
 * is checked against the file before a tensor is returned. */
#include "core/model/safetensors.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"

enum { HEADER_MOST = 16 << 20 };

static const struct {
    const char *name;
    size_t bytes;
} formats[] = {{"F32", 4}, {"F64", 8}, {"I32", 4}, {"I64", 8}};

void metadata_add(struct arena *arena, struct metadata *metadata, const char *key,
                  const char *value)
{
    ARENA_ADD(arena, metadata->item, metadata->count, (struct metadatum){key, value});
}

static void read_metadata(struct arena *arena, struct tensors *tensors, json_t *map,
                          const char *path)
{
    const char *key;
    json_t *value;
    if (!json_is_object(map)) die("%s: __metadata__ is not a map", path);
    json_object_foreach(map, key, value) {
        if (!json_is_string(value)) die("%s: __metadata__.%s is not a string", path, key);
        metadata_add(arena, &tensors->metadata, arena_text(arena, key),
                     arena_text(arena, json_string_value(value)));
    }
}

static int64_t natural(json_t *value, const char *path, const char *name)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        die("%s: %s: expected sizes that are whole numbers", path, name);
    return (int64_t)json_integer_value(value);
}

static void read_entry(struct tensor *tensor, json_t *entry, const char *path, const char *data,
                       int64_t bytes)
{
    json_t *shape = json_object_get(entry, "shape"), *span = json_object_get(entry, "data_offsets");
    const char *word = json_string_value(json_object_get(entry, "dtype"));
    size_t f = 0;
    while (f < COUNT_OF(formats) && word && strcmp(formats[f].name, word)) f++;
    if (!word || f == COUNT_OF(formats))
        die("%s: %s: unknown type %s; expected F32, F64, I32 or I64", path, tensor->name,
            word ? word : "(none)");
    if (!json_is_array(shape) || json_array_size(shape) > 4 || !json_is_array(span) ||
        json_array_size(span) != 2)
        die("%s: %s: shape or data_offsets are missing", path, tensor->name);
    tensor->format = (enum tensor_format)f;
    tensor->dimensions = (int)json_array_size(shape);
    tensor->count = 1;
    for (int i = 0; i < tensor->dimensions; i++) {
        tensor->shape[i] = natural(json_array_get(shape, (size_t)i), path, tensor->name);
        if (__builtin_mul_overflow(tensor->count, tensor->shape[i], &tensor->count))
            die("%s: %s: the shape is too large", path, tensor->name);
    }
    const int64_t first = natural(json_array_get(span, 0), path, tensor->name);
    const int64_t end = natural(json_array_get(span, 1), path, tensor->name);
    int64_t size;
    if (first < 0 || end < first || end > bytes)
        die("%s: %s: offsets %lld to %lld are outside of the %lld bytes of data", path,
            tensor->name, (long long)first, (long long)end, (long long)bytes);
    if (__builtin_mul_overflow(tensor->count, (int64_t)formats[f].bytes, &size) ||
        size != end - first)
        die("%s: %s: shape and offsets disagree", path, tensor->name);
    tensor->data = data + first;
}

static int by_data(const void *a, const void *b)
{
    const struct tensor *x = a, *y = b;
    return x->data < y->data ? -1 : x->data > y->data;
}

struct tensors tensors_read(struct arena *arena, const char *path)
{
    struct tensors tensors = {0};
    size_t bytes;
    const char *file = file_read(arena, path, 0, &bytes);
    uint64_t length;
    if (bytes < 8) die("%s: too short for a safetensors file", path);
    memcpy(&length, file, 8);
    if (length > HEADER_MOST || length > bytes - 8 || file[8] != '{')
        die("%s: not a safetensors file (header of %llu bytes)", path, (unsigned long long)length);
    json_error_t error;
    json_auto_t *header = json_loadb(file + 8, length, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(header)) die("%s: header: %s", path, error.text);
    const char *name;
    json_t *entry;
    const char *data = file + 8 + length;
    const int64_t data_bytes = (int64_t)(bytes - 8 - length);
    tensors.tensor = ARENA_ARRAY(arena, struct tensor, json_object_size(header) + 1);
    json_object_foreach(header, name, entry) {
        if (!strcmp(name, "__metadata__")) {
            read_metadata(arena, &tensors, entry, path);
            continue;
        }
        struct tensor *tensor = &tensors.tensor[tensors.count++];
        tensor->name = arena_text(arena, name);
        read_entry(tensor, entry, path, data, data_bytes);
    }
    qsort(tensors.tensor, (size_t)tensors.count, sizeof *tensors.tensor, by_data);
    const char *at = data;
    for (int i = 0; i < tensors.count; i++) {
        const struct tensor *tensor = &tensors.tensor[i];
        if (tensor->data != at) die("%s: %s: gap or overlap in the data", path, tensor->name);
        at += tensor->count * (int64_t)formats[tensor->format].bytes;
    }
    if (at != data + data_bytes) die("%s: trailing bytes after the last tensor", path);
    return tensors;
}

const struct tensor *tensors_find(const struct tensors *tensors, const char *name)
{
    for (int i = 0; i < tensors->count; i++)
        if (!strcmp(tensors->tensor[i].name, name)) return &tensors->tensor[i];
    return NULL;
}

const char *tensors_metadata(const struct tensors *tensors, const char *key)
{
    for (int i = 0; i < tensors->metadata.count; i++)
        if (!strcmp(tensors->metadata.item[i].key, key)) return tensors->metadata.item[i].value;
    return NULL;
}

/* Writes device memory piece by piece, because a full copy would double the memory of a model. */
static void write_device(FILE *out, const char *data, size_t bytes,
                         void (*download)(void *to, const void *from, size_t bytes))
{
    enum { PIECE = 1 << 16 };
    char piece[PIECE];
    for (size_t at = 0; at < bytes; at += PIECE) {
        const size_t count = bytes - at < PIECE ? bytes - at : PIECE;
        download(piece, data + at, count);
        fwrite(piece, 1, count, out);
    }
}

void tensors_write(FILE *out, const struct tensors *tensors,
                   void (*download)(void *to, const void *from, size_t bytes))
{
    json_t *header = json_object();
    int64_t at = 0;
    if (tensors->metadata.count) {
        json_t *map = json_object();
        for (int i = 0; i < tensors->metadata.count; i++)
            json_object_set_new(map, tensors->metadata.item[i].key,
                                json_string(tensors->metadata.item[i].value));
        json_object_set_new(header, "__metadata__", map);
    }
    for (int i = 0; i < tensors->count; i++) {
        const struct tensor *tensor = &tensors->tensor[i];
        const int64_t end = at + tensor->count * (int64_t)formats[tensor->format].bytes;
        json_t *shape = json_array();
        for (int k = 0; k < tensor->dimensions; k++)
            json_array_append_new(shape, json_integer(tensor->shape[k]));
        json_object_set_new(header, tensor->name,
                            json_pack("{s:s,s:o,s:[I,I]}", "dtype", formats[tensor->format].name,
                                      "shape", shape, "data_offsets", (json_int_t)at,
                                      (json_int_t)end));
        at = end;
    }
    char *text = json_dumps(header, JSON_COMPACT);
    CHECK(text, "safetensors header");
    /* Pads the header with blanks, so that the data begins at a multiple of 64 bytes. */
    uint64_t length = strlen(text), padded = (length + 8 + 63) / 64 * 64 - 8;
    fwrite(&padded, 8, 1, out);
    fwrite(text, 1, length, out);
    for (; length < padded; length++) fputc(' ', out);
    free(text);
    json_decref(header);
    for (int i = 0; i < tensors->count; i++) {
        const struct tensor *tensor = &tensors->tensor[i];
        const size_t bytes = (size_t)tensor->count * formats[tensor->format].bytes;
        if (download)
            write_device(out, tensor->data, bytes, download);
        else
            fwrite(tensor->data, 1, bytes, out);
    }
}
