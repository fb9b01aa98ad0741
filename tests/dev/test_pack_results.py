from __future__ import annotations

from tests.host.pack_results import Results, note


def test_a_run_of_one_pack_leaves_what_is_known_of_the_others(tmp_path):
    path = tmp_path / "results.json"
    note("one", tmp_path, "1.32.9", {"examples": 3, "panel": "right"}, path=path)
    note("two", tmp_path, "1.32.9", {"examples": 5}, path=path)

    note("two", tmp_path, "1.32.9", {"edits": {"set": [1, 2]}}, path=path)

    rows = Results.read(path).rows
    assert {key: (row.examples, row.panel, row.edits) for key, row in rows.items()} == {
        "one 1.32.9": (3, "right", {}),
        "two 1.32.9": (5, "not tried", {"set": [1, 2]}),
    }
