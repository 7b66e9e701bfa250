/* char_model.c: trains char_model.fx on the CPU, from a fixed start, on windows of a text.
 * In:  the model, a text, the number of steps
 * Out: the loss of each step, as CSV. char_model_torch.py does the same with PyTorch. */
#include <fusec.h>

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    WINDOWS = 8, /* B: windows of the text in a step */
    LENGTH = 32, /* S: characters of a window */
    HEADS = 2,
    DEPTH = 16,      /* D: of a head */
    CHARACTERS = 64, /* V: ' ' to '_' */
    CHANNELS = HEADS * DEPTH,
    GAINS = 5,
    ROWS = CHARACTERS + LENGTH + 24 * CHANNELS + GAINS,
    MOST_TEXT = 1 << 20
};

typedef struct Training {
    int32_t text[WINDOWS][LENGTH], next[WINDOWS][LENGTH];
    /* before a step and after it: parameters, mean of the gradient, mean of its square */
    float w[2][ROWS][CHANNELS], m[2][ROWS][CHANNELS], v[2][ROWS][CHANNELS];
} Training;

static unsigned char text[MOST_TEXT];
static Training training; /* zero */

/* A linear congruential generator: 24 bits. */
static uint32_t random_bits(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Matrices uniform in -0.125 .. 0.125, gains 1. */
static void start(uint32_t *state) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < CHANNELS; j++)
            training.w[0][i][j] =
                i < ROWS - GAINS ? ((float)random_bits(state) - 8388608) / 67108864 : 1;
}

/* A character as a number below CHARACTERS: capitals only, and a space for what is not ASCII. */
static int32_t number_of(unsigned char character) {
    const int code = toupper(character) - ' ';
    return code >= 0 && code < CHARACTERS ? code : 0;
}

static void choose_windows(uint32_t *state, size_t size) {
    for (int i = 0; i < WINDOWS; i++) {
        const size_t first = random_bits(state) % (size - LENGTH);
        for (int j = 0; j < LENGTH; j++) {
            training.text[i][j] = number_of(text[first + j]);
            training.next[i][j] = number_of(text[first + j + 1]);
        }
    }
}

static FusecStatus train(FusecExecutable *step_of, size_t size, int steps) {
    uint32_t state = 1;
    float rate = 0.003f, loss;
    start(&state);
    puts("step,loss");
    for (int32_t step = 1; step <= steps; step++) {
        const int now = (step + 1) % 2, then = step % 2;
        void *arguments[] = {
            training.text,   training.next, training.w[now], training.m[now],  training.v[now],
            &rate,           &step,         &loss,           training.w[then], training.m[then],
            training.v[then]};
        choose_windows(&state, size);
        const FusecStatus status = fusec_execute(step_of, arguments, 11, NULL);
        if (status) return status;
        printf("%d,%.7g\n", (int)step, loss);
    }
    return FUSEC_OK;
}

static size_t read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    if (file) fclose(file);
    return size;
}

int main(int count, char **arguments) {
    const int64_t dims[] = {WINDOWS, LENGTH, HEADS, DEPTH, CHARACTERS};
    const size_t size = count == 4 ? read_text(arguments[2]) : 0;
    FusecContext *context = NULL;
    FusecModel *model = NULL;
    FusecFunction *function = NULL;
    FusecExecutable *step = NULL;
    FusecMessages *messages = NULL;
    if (size <= LENGTH) {
        fputs("usage: char_model MODEL TEXT STEPS\n", stderr);
        return 2;
    }
    FusecContextOptions options = FUSEC_OPTIONS(FusecContextOptions);
    options.device = FUSEC_DEVICE_CPU;
    FusecStatus status = fusec_context_create(&options, &context);
    if (!status) status = fusec_model_from_file(context, arguments[1], NULL, &messages, &model);
    if (!status) status = fusec_function_create(model, "char_model", NULL, &function);
    if (!status) status = fusec_prepare(function, dims, NULL, &step);
    if (!status) status = train(step, size, atoi(arguments[3]));
    if (status) fprintf(stderr, "%s%s\n", fusec_messages_text(messages), fusec_last_error()->text);
    fusec_executable_release(step);
    fusec_messages_release(messages);
    fusec_function_release(function);
    fusec_model_release(model);
    fusec_context_release(context);
    return status != FUSEC_OK;
}
