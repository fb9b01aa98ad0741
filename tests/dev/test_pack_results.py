from __future__ import annotations

from tests.host.pack_results import Results, as_text, note, note_search, of_edits


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


def test_a_pack_of_which_comfyui_tells_no_node_type_is_told_and_not_counted_as_right(tmp_path):
    path = tmp_path / "results.json"
    row = note("one", tmp_path, "1.32.9", {"panel": "right"}, path=path)
    assert "edits of node types: not tried yet" in as_text(row)

    row = note("one", tmp_path, "1.32.9", of_edits({}, {}), path=path)

    assert "edits of node types: NONE, since ComfyUI tells of no node type of it" in as_text(row)


def test_a_run_that_makes_fewer_queries_leaves_what_is_known_of_more(tmp_path):
    path = tmp_path / "results.json"
    note_search("1.58.1, unseen", 1686, 22, 25, path=path)
    note_search("1.58.1, unseen", 472, 2, 3, path=path)
    assert Results.read(path).searches == {"1.58.1, unseen": [1686, 22, 25]}

    note_search("1.58.1, unseen", 1700, 23, 25, path=path)

    assert Results.read(path).searches == {"1.58.1, unseen": [1700, 23, 25]}
