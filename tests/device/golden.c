/* Compares a device in fp32 with a golden file, which PyTorch computed in float64 (tests/golden).
 * Usage: `sanlab-golden DEVICE NAME`, in the folder that contains tests/golden. Without words, it
 * prints the names of all files. */

#include "core/model/device_choice.h"
#include "tests/support/golden_model.h"
#include "tests/support/test.h"

int main(int count, char **word)
{
    if (count != 3) {
        for (int i = 0; i < golden_count; i++) puts(golden_names[i]);
        return count == 1 ? 0 : 64;
    }
    int i = 0;
    while (i < golden_count && strcmp(golden_names[i], word[2]) != 0) i++;
    if (i == golden_count) die("there is no golden file \"%s\"", word[2]);
    device_use(word[1], true);
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return golden_run(word[2], device_table(device_used(), PRECISION_FP32), &golden_device,
                      word[2]);
}
