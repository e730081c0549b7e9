/* Parallel text in the formats of evaluation campaigns: lines, tagged lines, segments, fields. */
#include "core/corpus/reader.h"
#include "tests/fuzz/support/fuzz.h"

static volatile unsigned sum;
static struct reader_layout layout;

static void run(void *context)
{
    struct reader reader;
    struct sentence sentence;
    reader_open(&reader, context, layout);
    while (reader_next(&reader, &sentence)) {
        for (size_t i = 0; i < sentence.bytes; i++) sum += (unsigned char)sentence.text[i];
        for (const char *at = sentence.id; at && *at; at++) sum += (unsigned char)*at;
    }
    reader_close(&reader);
}

/* The first byte chooses the format. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    layout = (struct reader_layout){.format = data[0] % 4,
                                    .separator = data[0] & 8 ? " ||| " : "\t",
                                    .field = data[0] & 16 ? -1 : 1 + (data[0] >> 5)};
    fuzz_try(run, (void *)(uintptr_t)fuzz_put("text", data + 1, size - 1));
    return 0;
}
