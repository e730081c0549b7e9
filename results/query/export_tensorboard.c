/* TensorBoard's event files: records of TFRecord that hold protocol buffers. */
#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "results/query/export.h"
#include "results/sheet/escape.h"

enum { LABEL_BYTES = 1024 };

uint32_t export_crc(const void *bytes, size_t count)
{
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t value = i;
            for (int bit = 0; bit < 8; bit++)
                value = value & 1 ? value >> 1 ^ 0x82F63B78u : value >> 1;
            table[i] = value;
        }
    uint32_t crc = ~0u;
    for (size_t i = 0; i < count; i++)
        crc = crc >> 8 ^ table[(crc ^ ((const unsigned char *)bytes)[i]) & 0xFF];
    return ~crc;
}

/* A message that is being written. */
struct message {
    size_t bytes;
    unsigned char byte[2 * LABEL_BYTES];
};

static void put_bytes(struct message *message, const void *bytes, size_t count)
{
    CHECK(message->bytes + count <= sizeof message->byte, "a message of %zu bytes", count);
    memcpy(message->byte + message->bytes, bytes, count);
    message->bytes += count;
}

static void put_varint(struct message *message, uint64_t value)
{
    do {
        unsigned char byte = value & 0x7F;
        value >>= 7;
        if (value) byte |= 0x80;
        put_bytes(message, &byte, 1);
    } while (value);
}

enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

static void put_key(struct message *message, unsigned field, enum wire wire)
{
    put_varint(message, field << 3 | (unsigned)wire);
}

static void put_field(struct message *message, unsigned field, const void *bytes, size_t count)
{
    put_key(message, field, WIRE_BYTES);
    put_varint(message, count);
    put_bytes(message, bytes, count);
}

/* Numbers of fixed size are little-endian, as is every machine that this program runs on. */
static void put_record(const struct message *message, FILE *out)
{
    uint64_t length = message->bytes;
    const struct {
        const void *bytes;
        size_t count;
    } part[] = {{&length, sizeof length}, {message->byte, message->bytes}};
    for (size_t i = 0; i < COUNT_OF(part); i++) {
        uint32_t crc = export_crc(part[i].bytes, part[i].count);
        crc = (crc >> 15 | crc << 17) + 0xa282ead8u;
        fwrite(part[i].bytes, 1, part[i].count, out);
        fwrite(&crc, 1, sizeof crc, out);
    }
}

/* Event   {1: double wall_time, 2: int64 step, 3: string file_version, 5: Summary}
 * Summary {1: repeated Value},  Value {1: string tag, 2: float simple_value}
 * (tensorflow/core/util/event.proto, tensorflow/core/framework/summary.proto). */
static struct message event_new(double time)
{
    struct message event = {0};
    put_key(&event, 1, WIRE_64);
    put_bytes(&event, &time, sizeof time);
    return event;
}

static void put_version(double time, FILE *out)
{
    static const char version[] = "brain.Event:2";
    struct message event = event_new(time);
    put_field(&event, 3, version, sizeof version - 1);
    put_record(&event, out);
}

static void put_scalar(double time, int64_t step, const char *label, double number, FILE *out)
{
    struct message event = event_new(time), summary = {0}, value = {0};
    float single = (float)number;
    put_field(&value, 1, label, strlen(label));
    put_key(&value, 2, WIRE_32);
    put_bytes(&value, &single, sizeof single);
    put_field(&summary, 1, value.byte, value.bytes);
    put_key(&event, 2, WIRE_VARINT);
    put_varint(&event, (uint64_t)step);
    put_field(&event, 5, summary.byte, summary.bytes);
    put_record(&event, out);
}

/* "gate/layer 1/head 2/set 3/NN" */
static const char *label_of(sqlite3_stmt *ask, struct arena *arena)
{
    static const char *const word[] = {"layer ", "head ", "set ", ""};
    const char *label = store_text(ask, 1, arena);
    for (int i = 0; i < (int)COUNT_OF(word); i++) {
        const char *text = (const char *)sqlite3_column_text(ask, 2 + i);
        if (text) label = arena_print(arena, "%s/%s%s", label, word[i], text);
    }
    return strlen(label) < LABEL_BYTES ? label : arena_text_range(arena, label, LABEL_BYTES - 1);
}

/* A folder's name: nothing of the stage's name can lead out of the folder, or hide. */
static const char *folder_of(const struct query_stage *stage, struct arena *arena)
{
    char name[ESCAPE_FOLDER];
    escape_folder(stage->names ? stage->name[0] : stage->kind, name);
    return arena_print(arena, "%s-%s", name, stage->folder);
}

static bool export_stage(struct store *store, const struct query_stage *stage, const char *folder)
{
    struct arena arena = {0};
    struct file_writer writer = {0};
    double start = isfinite(stage->started) ? stage->started : 0;
    sqlite3_stmt *ask =
        store_ask(store,
                  "SELECT step, name, layer, head, \"set\", class, value FROM value "
                  "WHERE stage = ? AND step IS NOT NULL ORDER BY step, rowid",
                  "i", stage->number);
    for (struct arena row = {0}; store_next(ask); arena_free(&row)) {
        if (!writer.stream) {
            char *path = arena_print(&arena, "%s/%s", folder, folder_of(stage, &arena));
            file_make_folder(path);
            writer = file_create(arena_print(&arena, "%s/events.out.tfevents.sanlab", path));
            put_version(start, writer.stream);
        }
        int64_t step = sqlite3_column_int64(ask, 0);
        double share = stage->step > 0 ? (double)step / (double)stage->step : 0;
        put_scalar(start + share * stage->wall, step, label_of(ask, &row), store_real(ask, 6),
                   writer.stream);
    }
    bool written = writer.stream != NULL;
    if (written) file_commit(&writer);
    arena_free(&arena);
    return written;
}

int export_tensorboard(struct store *store, const struct query_stage *stage, int count,
                       const char *folder)
{
    int written = 0;
    for (int i = 0; i < count; i++) written += export_stage(store, &stage[i], folder);
    return written;
}
