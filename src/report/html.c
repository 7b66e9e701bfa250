/* html.c: pieces of HTML: escaping, and the style sheet.
 * In: texts of users, who may have written anything. Out: text that is shown as it is. */
#include "report/report.h"

#include <string.h>

static void put_character(Text *out, const char *bytes, size_t size) {
    switch (*bytes) {
    case '&': text_str(out, "&amp;"); break;
    case '<': text_str(out, "&lt;"); break;
    case '>': text_str(out, "&gt;"); break;
    case '"': text_str(out, "&quot;"); break;
    case '\'': text_str(out, "&#39;"); break;
    default: text_bytes(out, bytes, size);
    }
}

/* Bytes that are not UTF-8 are shown by their numbers. */
void html_bytes(Text *out, const char *bytes, size_t size) {
    for (size_t i = 0, length; i < size; i += length ? length : 1) {
        uint32_t code;
        length = utf8_decode(bytes + i, size - i, &code);
        if (length)
            put_character(out, bytes + i, length);
        else
            text_printf(out, "&lt;%02x&gt;", (unsigned char)bytes[i]);
    }
}

void html_text(Text *out, const char *text) { html_bytes(out, text, strlen(text)); }

const char *html_time(Arena *arena, double seconds) {
    static const char *const units[] = {"s", "ms", "&micro;s", "ns"};
    int i = 0;
    if (!(seconds > 0)) return "";
    while (i < 3 && seconds < 1) seconds *= 1e3, i++;
    return arena_printf(arena, "%.3g %s", seconds, units[i]);
}

const char html_style[] =
    ":root { color-scheme: light dark; --fg: #1d2127; --bg: #fff; --dim: #5d6673; --line: "
    "#d9dee5;\n"
    "  --panel: #f5f7f9; --accent: #1f5fae; --bar: #8fb2dc; --good: #22793f; --warn: #9a5b00 }\n"
    "@media (prefers-color-scheme: dark) { :root { --fg: #dfe4ea; --bg: #15181c; --dim: #98a3b1;\n"
    "  --line: #333a43; --panel: #1d2127; --accent: #82b4f5; --bar: #3e6190; --good: #6fce91;\n"
    "  --warn: #e0ad5a } }\n"
    "body { margin: 0 auto; max-width: 70rem; padding: 1rem 1.2rem 4rem; background: var(--bg);\n"
    "  color: var(--fg); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }\n"
    "h1 { font-size: 1.5rem; margin: .4rem 0 } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }\n"
    "h3 { font-size: 1rem; margin: 1.2rem 0 .3rem } p { margin: .4rem 0 } a { color: var(--accent) "
    "}\n"
    "code, pre, .model, td.n { font-family: ui-monospace, monospace; font-size: .88em }\n"
    ".dim { color: var(--dim) } .warn { color: var(--warn) }\n"
    ".tiles { display: flex; flex-wrap: wrap; gap: .6rem; margin: .8rem 0 }\n"
    ".tiles div { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;\n"
    "  padding: .5rem .8rem; min-width: 8rem; flex: 1 } .tiles b { display: block; font-size: "
    "1.25rem }\n"
    ".scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px }\n"
    "table { border-collapse: collapse; width: 100%; font-size: .92em }\n"
    "table { overflow-wrap: normal } th, td { text-align: left; padding: .3rem .55rem; "
    "border-bottom: 1px solid var(--line);\n"
    "  vertical-align: top } tr:last-child td { border-bottom: 0 } th { color: var(--dim);\n"
    "  font-weight: 600; white-space: nowrap } td.n, th.n { text-align: right; white-space: nowrap "
    "}\n"
    ".bar { display: block; height: .5rem; background: var(--bar); border-radius: 2px }\n"
    ".model, pre { background: var(--panel); margin: 0; padding: .6rem 0; overflow: auto;\n"
    "  max-height: 44rem; overflow-wrap: normal; line-height: 1.45; tab-size: 4 }\n"
    ".model div, pre span.l { display: block; padding: 0 .6rem; white-space: pre }\n"
    ".model div:target, pre span.l:target, tr:target, section:target > h3 { background: #ffe08a55 "
    "}\n"
    ".no { display: inline-block; width: 3.2em; text-align: right; margin-right: .8em;\n"
    "  color: var(--dim); text-decoration: none; user-select: none }\n"
    ".chips { display: inline-block; min-width: 6.5em; user-select: none }\n"
    ".chip { display: inline-block; min-width: 1.2em; padding: 0 .25em; margin-right: .2em;\n"
    "  border-radius: 3px; text-align: center; text-decoration: none; color: #fff; font-size: "
    ".85em }\n"
    ".h0 { background: #2f6db5 } .h1 { background: #b5522f } .h2 { background: #35803f }\n"
    ".h3 { background: #8a4fa8 } .h4 { background: #8a6d1d } .h5 { background: #1f7f86 }\n"
    ".h6 { background: #a83e6c } .h7 { background: #5a6472 }\n"
    ".c { color: var(--dim); font-style: italic } .w { color: #7a4fb0 } .s { color: var(--good) }\n"
    ".p { color: var(--warn) } @media (prefers-color-scheme: dark) { .w { color: #c3a5ef } }\n"
    "figure { margin: .4rem 0; overflow-x: auto } figure svg { width: 100%; min-width: 40rem; "
    "height: auto }\n"
    ".plan { max-height: 44rem; overflow: auto; background: #fff; padding: .5rem; text-align: "
    "center } .plan svg { max-width: none }\n"
    "dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .9rem; margin: .3rem "
    "0 }\n"
    "dt { color: var(--dim) } dd { margin: 0 } nav a { margin-right: .9rem }\n"
    "@media (max-width: 40rem) { body { padding: .6rem } .chips { min-width: 3em } }\n";
