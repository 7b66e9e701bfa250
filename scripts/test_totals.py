"""Sums the cases of all tests of one ctest run. In: the file that ctest --output-junit wrote.

A test prints the number of its cases ("12 passed, 1 failed", or cmocka's form); one that prints none is
one case. A test that fails without a failed case, for instance by a crash, counts as one failed case.
Tests are listed by time, the longest last; then the sum. Exit status 1 if a case failed, or none passed.
"""
import re
import sys
import xml.etree.ElementTree as xml

LINE = re.compile(r"^(\d+) passed, (\d+) failed\b", re.M)
CMOCKA_PASSED = re.compile(r"^\[  PASSED  \] (\d+) test", re.M)
CMOCKA_FAILED = re.compile(r"^ (\d+) FAILED TEST", re.M)


def cases(output):
    """(passed, failed) by the output of a test; None when it does not count."""
    lines = LINE.findall(output)
    if lines:
        return int(lines[-1][0]), int(lines[-1][1])
    passed = CMOCKA_PASSED.findall(output)
    if not passed:
        return None
    return sum(map(int, passed)), sum(map(int, CMOCKA_FAILED.findall(output)))


def main():
    total = [0, 0]
    tests = xml.parse(sys.argv[1]).getroot().iter("testcase")
    for case in sorted(tests, key=lambda case: float(case.get("time"))):
        ok = case.get("status") == "run"
        skipped = case.find("skipped") is not None
        passed, failed = (0, 0) if skipped else cases(case.findtext("system-out") or "") or (ok, 0)
        if not ok and not skipped and not failed:
            failed = 1
        total[0] += passed
        total[1] += failed
        what = "skipped" if skipped else f"{passed:>5} passed, {failed} failed"
        print(f"{case.get('name'):<24} {float(case.get('time')):>7.1f} s   {what}")
    print(f"{total[0]} passed, {total[1]} failed")
    sys.exit(total[1] > 0 or total[0] == 0)


if __name__ == "__main__":
    main()
