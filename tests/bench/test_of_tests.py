from __future__ import annotations

import json

from bench.reliability.of_tests import read_junit, read_vitest

JUNIT = """<testsuites><testsuite>
<testcase><properties><property name="tried" value="7"/><property name="kind" value="x"/></properties></testcase>
<testcase><properties><property name="tried" value="3"/></properties><failure>No.</failure></testcase>
<testcase><skipped/></testcase>
</testsuite></testsuites>"""
CASES = [
    {"status": "passed", "meta": {"tried": 600, "lost": 0}},
    {"status": "failed", "meta": {"tried": 5, "lost": 2}},
    {"status": "failed", "meta": {}},
]


def test_what_tests_counted_is_added_up_and_one_that_only_failed_lost_one() -> None:
    assert read_junit(JUNIT) == {"tests": 2, "failed": 1, "tried": 10, "lost": 1}
    told = json.dumps({"testResults": [{"assertionResults": CASES}]})
    assert read_vitest(told) == {"tests": 3, "failed": 2, "tried": 605, "lost": 3}
