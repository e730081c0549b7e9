/* Writes event files for TensorBoard. They have the format TFRecord, and each record is a protocol
 * buffer. */
#include <math.h>
#include <string.h>

#include "core/base/buffer.h"
#include "core/base/digest.h"
#include "core/base/file.h"
#include "results/query/query.h"
#include "results/sheet/escape.h"

enum { LABEL_BYTES = 1024 };
enum { NAME = 3, METRIC = 5, STEP, LAYER, VALUE = 12 }; /* columns of VALUE_CACHE_LINES */

uint32_t query_crc(const void *bytes, size_t count)
{
    uint32_t crc = ~0u;
    for (const unsigned char *byte = bytes; count--; byte++) {
        crc ^= *byte;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0x82F63B78u : crc >> 1;
    }
    return ~crc;
}

static void put_varint(struct buffer *message, uint64_t value)
{
    for (; value > 0x7F; value >>= 7) buffer_add_byte(message, (char)(value | 0x80));
    buffer_add_byte(message, (char)value);
}

enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

/* Appends a field of a protocol buffer: its key, its length (only WIRE_BYTES), and its value. For
 * WIRE_VARINT, the caller appends the value. */
static void put_field(struct buffer *message, unsigned field, enum wire wire, const void *bytes,
                      size_t count)
{
    put_varint(message, field << 3 | (unsigned)wire);
    if (wire == WIRE_BYTES) put_varint(message, count);
    buffer_add(message, bytes, count);
}

/* Writes bytes and their masked CRC. Numbers are copied from memory, because the format and all
 * supported machines are little-endian. */
static void put_checked(const void *bytes, size_t count, FILE *out)
{
    uint32_t crc = query_crc(bytes, count);
    crc = (crc >> 15 | crc << 17) + 0xa282ead8u;
    fwrite(bytes, 1, count, out);
    fwrite(&crc, 1, sizeof crc, out);
}

/* Writes an event. If `label` is NULL, writes the event with the version, which is the first event
 * of a file. The messages (util/event.proto and framework/summary.proto in tensorflow/core) are
 *   Event   {1: double wall_time, 2: int64 step, 3: string file_version, 5: Summary}
 *   Summary {1: repeated Value},  Value {1: string tag, 2: float simple_value} */
static void put_event(double time, int64_t step, const char *label, double number, FILE *out)
{
    static const char version[] = "brain.Event:2";
    SCOPED(buffer_free) struct buffer event = {0}, summary = {0}, value = {0};
    const float single = (float)number;
    put_field(&event, 1, WIRE_64, &time, sizeof time);
    if (!label) {
        put_field(&event, 3, WIRE_BYTES, version, sizeof version - 1);
    } else {
        put_field(&value, 1, WIRE_BYTES, label, strlen(label));
        put_field(&value, 2, WIRE_32, &single, sizeof single);
        put_field(&summary, 1, WIRE_BYTES, value.text, value.bytes);
        put_field(&event, 2, WIRE_VARINT, NULL, 0);
        put_varint(&event, (uint64_t)step);
        put_field(&event, 5, WIRE_BYTES, summary.text, summary.bytes);
    }
    const uint64_t length = event.bytes;
    put_checked(&length, sizeof length, out);
    put_checked(event.text, event.bytes, out);
}

/* Returns the label of a row: "gate/layer 1/head 2/set 3/NN". */
static const char *label_of(sqlite3_stmt *ask, struct arena *arena)
{
    static const char *const word[] = {"layer ", "head ", "set ", ""};
    const char *label = store_text(ask, METRIC, arena);
    for (int i = 0; i < (int)COUNT_OF(word); i++) {
        const char *text = (const char *)sqlite3_column_text(ask, LAYER + i);
        if (text) label = arena_print(arena, "%s/%s%s", label, word[i], text);
    }
    return strlen(label) < LABEL_BYTES ? label : arena_text_range(arena, label, LABEL_BYTES - 1);
}

/* Creates the event file of a stage. Escapes the stage's name in the name of the file's folder.
 * Otherwise the name could lead out of `folder`, or make the folder hidden. */
static struct file_writer open_stage(const struct found_stage *stage, const char *name,
                                     const char *folder)
{
    char escaped[DIGEST_NAME];
    SCOPED(arena_free) struct arena arena = {0};
    digest_name(name ? name : stage->kind, escaped);
    char *path = arena_print(&arena, "%s/%s-%s", folder, escaped, stage->folder);
    file_make_folder(path);
    struct file_writer writer =
        file_create(arena_print(&arena, "%s/events.out.tfevents.sanlab", path));
    put_event(isfinite(stage->started) ? stage->started : 0, 0, NULL, 0, writer.stream);
    return writer;
}

int query_tensorboard(struct store *store, const struct found_stage *stage, int count,
                      const char *folder)
{
    struct file_writer writer = {0};
    const struct found_stage *open = NULL;
    int written = 0;
    sqlite3_stmt *ask = query_rows(store, VALUE_CACHE_LINES, stage, count);
    for (struct arena row = {0}; store_next(ask); arena_free(&row)) {
        const struct found_stage *one = &stage[sqlite3_column_int(ask, 0)];
        if (sqlite3_column_type(ask, STEP) == SQLITE_NULL) continue;
        if (one != open) {
            if (written++) file_commit(&writer);
            writer = open_stage(one, (const char *)sqlite3_column_text(ask, NAME), folder);
            open = one;
        }
        const int64_t step = sqlite3_column_int64(ask, STEP);
        const double start = isfinite(one->started) ? one->started : 0,
                     share = one->step > 0 ? (double)step / (double)one->step : 0;
        put_event(start + share * one->wall, step, label_of(ask, &row), store_real(ask, VALUE),
                  writer.stream);
    }
    if (written) file_commit(&writer);
    return written;
}
