#!/usr/bin/env python3
"""The pages of fusec report: every link leads somewhere, nothing is loaded from elsewhere, what users wrote
is shown as text; with Chromium, if it is installed: nothing is wider than the window.

    python3 tests/report.py FUSEC [--screenshots FOLDER]
"""
import argparse
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
VOID = {"meta", "br", "path", "circle", "rect", "polygon", "ellipse", "link"}
WIDTHS = (1200, 400)
HOSTILE = """// </div><script>alert("1")</script> & <b>bold</b> '"><img src=x onerror=alert(1)>
fn f[N, D](x: f32[N, D], w: f32[D, D]) -> (y: f32[N, D]) { // <!-- ]]> &lt;
    y = softmax(x @ w); /* </pre><script>alert(2)</script> */
}
"""
# Kernels that are drawn side by side, with labels that must not be moved forever.
NEAR = """fn moe[T, D, E, F](
    x: bf16[T, D], wr: bf16[E, D], w1: bf16[E, F, D], w2: bf16[E, D, F]
) -> (y: bf16[T, D]) {
    p = softmax(x @ wr.T);
    h = silu(einsum("td,efd->etf", x, w1)) as bf16;
    y = sum(einsum("etf,edf->etd", h, w2) * p.T[:, :, None], axis = 0);
}
fn back = vjp(moe);
"""


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.tags = [], set(), [], []
        self.feed(text)
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if "id" in attributes:
            assert attributes["id"] not in self.ids, f"twice: {attributes['id']}"
            self.ids.add(attributes["id"])
        if tag == "a":
            self.links.append(attributes.get("href", attributes.get("xlink:href", "")))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        while self.open and self.open[-1] in ("p",) and tag != self.open[-1]:
            self.open.pop()
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"


def run(*words, status=0):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300)
    assert result.returncode == status, f"{words}: {result.returncode}\n{result.stderr}"
    return result


def check(text):
    page = Page(text)
    for link in page.links:
        assert link.startswith("#") and link[1:] in page.ids, f"leads nowhere: {link}"
    for tag, attributes in page.tags:
        assert tag not in ("script", "img", "iframe", "object", "link", "base", "form"), tag
        for name, value in attributes.items():
            assert not name.startswith("on"), name
            assert name.startswith("xmlns") or "://" not in (value or ""), f"{name}={value}"
    assert not re.search(r"@import|url\(", text)
    return page


def fits(text, folder, screenshots, name):
    """No part of the page is wider than the window."""
    chromium = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if not chromium:
        return "chromium is not installed: widths not checked"
    measured = folder / "measured.html"
    measured.write_text(text + "<script>document.title = document.documentElement.scrollWidth + '/' + "
                               "document.documentElement.clientWidth</script>")
    words = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             f"--user-data-dir={folder}/chromium"]
    for width in WIDTHS:
        # A window is at least 500 wide: a frame may be narrower.
        frame = folder / "frame.html"
        frame.write_text(f"<body style='margin:0'><iframe src=measured.html style='border:0;width:{width}px;"
                         "height:3000px' onload='document.title = this.contentDocument.title'></iframe>")
        dom = run(*words, "--allow-file-access-from-files", "--dump-dom", "--virtual-time-budget=5000",
                  frame.as_uri()).stdout
        needed, there = map(int, re.search(r"<title>(\d+)/(\d+)</title>", dom).groups())
        assert needed <= there, f"{name}: {needed} wide in a window of {there}"
        for dark in (False, True) if screenshots else ():
            run(*words, f"--window-size={max(width, 500)},3000",
                *(["--blink-settings=preferredColorScheme=0"] if dark else []),
                f"--screenshot={screenshots}/{name}_{width}_{'dark' if dark else 'light'}.png", frame.as_uri())
    return "widths " + ", ".join(map(str, WIDTHS))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fusec", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    o = parser.parse_args()
    fusec = o.fusec.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        hostile = folder / os.fsdecode(b"a<b>&'\"\xff.fx")  # its name is not UTF-8
        hostile.write_text(HOSTILE)
        near = folder / "near.fx"
        near.write_text(NEAR)
        times = folder / "times.json"
        row = {"name": "f_0", "median_us": 12.5}
        times.write_text(json.dumps({"version": 1, "device": "<i>a GPU</i>", "threads": 0, "functions": [
            {"name": "f", "dims": {"N": 64}, "kernels": [row], "whole": {**row, "name": "whole"}}]}))
        cases = {
            "hostile": [hostile, "-D", "N=64", "--times", times],
            "near": [near, "-D", "T=64", "-D", "D=64", "-D", "E=4", "-D", "F=512"],
            "block": [ROOT / "examples/transformer_block.fx", "--machine", "H200", "-D", "B=4", "-D", "S=2048",
                      "-D", "H=16", "-D", "D=64"],
            "cpu": [ROOT / "examples/rms_norm.fx", "--target=c", "-D", "N=4096"],
            "open": [ROOT / "examples/attention_backward.fx", "--target=c"],
        }
        for case, words in cases.items():
            text = run(fusec, "report", *words).stdout
            page = check(text)
            if case == "hostile":
                assert "&lt;script&gt;alert" in text and "&lt;i&gt;a GPU" in text and "12.5 " in text
            print(f"{case}: ok, {len(page.links)} links, {fits(text, folder, o.screenshots, case)}")
        refused = run(fusec, "report", hostile, "-D", "N=65", "--times", times, status=1).stderr
        assert "measured with N = 64, not 65" in refused, refused
        refused = run(fusec, "report", hostile, "--times", hostile, status=1).stderr
        assert "line 1" in refused, refused


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        print(f"FAIL {error}")
        sys.exit(1)
