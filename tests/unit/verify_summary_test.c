/* Tests experiments/keep/verify_summary.h: numbers of done.json are compared with the rows of
 * metrics.jsonl. */
#include "experiments/keep/verify_summary.h"

#include "tests/support/test.h"

static const char rows[] =
    "{\"name\": \"loss\", \"step\": 1, \"value\": 3}\n"
    "{\"name\": \"dev_loss\", \"step\": 10, \"value\": 1.5}\n"
    "{\"name\": \"dev_loss\", \"step\": 20, \"value\": 1.25}\n"
    "{\"name\": \"loss\", \"step\": 30, \"value\": 2}\n"
    "{\"name\": \"lost\", \"value\": null}\n"
    "{\"name\": \"bleu\", \"set\": 1, \"value\": 10}\n"
    "{\"name\": \"bleu\", \"tag\": \"2\", \"value\": 11}\n"
    "{\"name\": \"window\", \"layer\": 1, \"n\": 1, \"value\": 4}\n"
    "{\"name\": \"window\", \"layer\": 1, \"head\": 1, \"n\": 1, \"value\": 100}\n"
    "{\"name\": \"window\", \"layer\": 2, \"n\": 3, \"value\": 8}\n"
    "{\"name\": \"gate\", \"class\": \"noun\", \"value\": 0.25}\n"
    "{\"name\": \"gate\", \"layer\": 1, \"value\": 0.5}\n"
    "{\"name\": \"gate\", \"value\": 0.75}\n";

TEST(summaries)
{
    static const struct {
        const char *status, *summary, *fault;
    } cases[] = {
        {"done", "{\"dev_loss\": 1.25, \"steps\": 20, \"bleu\": 10.5, \"window\": 7}", NULL},
        {"diverged", "{\"gate\": 0.75, \"gate.1\": 0.5, \"window.2\": 8, \"lost\": null}", NULL},
        {"done", "{\"parameters\": 7, \"signature\": \"nrefs:1\"}", NULL},
        {"done", "{\"bleu\": 10.500000000001}", NULL},
        {"done", "{\"bleu\": 10.50001}", "bleu is 10.50001, metrics.jsonl gives 10.5"},
        {"done", "{\"dev_loss\": 1.5}", "dev_loss is 1.5, metrics.jsonl gives 1.25"},
        {"done", "{\"dev_loss\": 1.25, \"steps\": 30}", "steps is 30, metrics.jsonl gives 20"},
        {"done", "{\"window\": 6}", "window is 6, metrics.jsonl gives 7"},
        {"done", "{\"window.2\": 9}", "window.2 is 9, metrics.jsonl gives 8"},
        {"done", "{\"gate\": 0.5}", "gate is 0.5, metrics.jsonl gives 0.75"},
        {"done", "{\"gate\": \"no pairs\"}", "gate is no pairs, metrics.jsonl gives 0.75"},
        {"done", "{\"lost\": 1}", "lost is 1, metrics.jsonl gives no number"},
        {"funny", "{}", "status is funny; expected done or diverged"},
    };
    const char *folder = test_folder("verify_summary");
    put_text(arena_print(&arena, "%s/metrics.jsonl", folder), rows);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char **fault;
        json_t *done = json_pack("{s:s, s:o}", "status", cases[i].status, "summary",
                                 json_loads(cases[i].summary, 0, NULL));
        const int faults = summary_faults(&arena, folder, "train", done, &fault);
        if (faults != (cases[i].fault != NULL) || (faults && strcmp(fault[0], cases[i].fault) != 0))
            fail_msg("%s: %d faults, \"%s\"", cases[i].summary, faults, faults ? fault[0] : "");
        json_object_set_new(done, "summary_digest", json_string("00"));
        assert_int_equal(summary_faults(&arena, folder, "train", done, &fault), faults + 1);
        json_decref(done);
    }
}
