/* tidy.c: emitted functions as a person would have laid them out.
 * In and out: text. */
#include "emit/text/template.h"

void text_tidied(Text *out, const char *text) {
    Text copies = text_new(out->arena), blocks = text_new(out->arena),
         braces = text_new(out->arena);
    text_copies(&copies, text);
    text_conditions(&blocks, text_get(&copies));
    text_braces(&braces, text_get(&blocks));
    text_wrapped(out, text_get(&braces));
}
