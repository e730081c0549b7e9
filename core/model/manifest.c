/* MANIFEST of a checkpoint: reads and writes its lines. The lines have any order; each file has
 * one. */
#include "core/model/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"

enum { MANIFEST_MOST = 1 << 16 }; /* bytes */
const char *const manifest_names[FILE_COUNT] = {"model.safetensors", "adam-m.safetensors",
                                                "adam-v.safetensors", "state.json"};

/* Returns the file of a line; FILE_COUNT if the line is invalid. */
static int read_line(const char *line, struct manifest *manifest)
{
    char digest[DIGEST_TEXT], name[64];
    long long bytes;
    int file = 0;
    if (sscanf(line, "%64s %lld %63s", digest, &bytes, name) != 3) return FILE_COUNT;
    while (file < FILE_COUNT && strcmp(name, manifest_names[file]) != 0) file++;
    if (file == FILE_COUNT) return file;
    memcpy(manifest->file[file].digest, digest, sizeof digest);
    manifest->file[file].bytes = bytes;
    return file;
}

const char *manifest_read(struct arena *arena, const char *folder, struct manifest *manifest)
{
    const char *path = arena_print(arena, "%s/MANIFEST", folder);
    if (!file_exists(path)) return "no MANIFEST";
    char *text = file_read(arena, path, MANIFEST_MOST, NULL), *save = NULL;
    bool named[FILE_COUNT] = {0};
    int lines = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const int file = read_line(line, manifest);
        if (file == FILE_COUNT || named[file]) return "MANIFEST is damaged";
        named[file] = true;
        lines++;
    }
    return lines == FILE_COUNT ? NULL : "MANIFEST is incomplete";
}

void manifest_write(const char *folder, const struct manifest *manifest)
{
    SCOPED(heap_free) char *path = heap_print("%s/MANIFEST", folder);
    struct file_writer writer = file_create(path);
    for (int f = 0; f < FILE_COUNT; f++)
        fprintf(writer.stream, "%s %lld %s\n", manifest->file[f].digest,
                (long long)manifest->file[f].bytes, manifest_names[f]);
    file_commit(&writer);
}

void manifest_take(struct manifest *manifest, int file, const char *folder)
{
    SCOPED(heap_free) char *path = heap_print("%s/%s", folder, manifest_names[file]);
    digest_file(path, manifest->file[file].digest);
    manifest->file[file].bytes = file_bytes(path);
}
