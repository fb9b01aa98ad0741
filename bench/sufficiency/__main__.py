"""`python -m bench.sufficiency REVISION`: the same jobs on another commit, kept to be shown beside this one's.

`python -m bench.sufficiency --window 16384` prints each job of one window, and why it went wrong.
"""

from __future__ import annotations

import argparse

from .report import keep_before, run_all


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.sufficiency", description=__doc__)
    parser.add_argument("revision", nargs="?", help="a commit to measure in place of what is here")
    parser.add_argument("--window", type=int, action="append", help="only this window; may be given again")
    parser.add_argument("--only", default="", help="only kinds of jobs with this in their name")
    arguments = parser.parse_args()
    windows = arguments.window or None
    scores = run_all(windows, revision=arguments.revision, only=arguments.only, prints_jobs=True)
    if arguments.revision and not (windows or arguments.only):
        keep_before(arguments.revision, scores)


if __name__ == "__main__":
    main()
