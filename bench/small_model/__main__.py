"""`python -m bench.small_model --port 8080`: requests of some kinds, to a model that is served already."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.small_model import play_all
from bench.small_model.requests import EVERYDAY, REQUESTS, read_requests
from dev.places import ROOT

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--port", type=int, required=True)
parser.add_argument("--half", choices=["open", "held-out", "both"], default="open")
parser.add_argument(
    "--requests", type=Path, default=REQUESTS, help="everyday.yaml, or one of yours, all open"
)
parser.add_argument("--kinds", default="", help="such as value,text")
parser.add_argument("--workflows", default="")
parser.add_argument("--numbers", default="")
parser.add_argument("--extension", type=Path, default=ROOT, help="another checkout of it")
parser.add_argument("--set", action="append", default=[], help="an environment variable, NAME=value")
options = parser.parse_args()
chosen = [
    request
    for request in read_requests(options.requests)
    if options.half == "both"
    or options.requests.resolve() not in (REQUESTS, EVERYDAY)
    or request.is_held_out == (options.half == "held-out")
    if not options.kinds or request.kind in options.kinds.split(",")
    if not options.workflows or request.workflow in options.workflows.split(",")
    if not options.numbers or str(request.number) in options.numbers.split(",")
]
outcomes = play_all(
    chosen,
    port=options.port,
    extension=options.extension,
    environment=dict(each.split("=", 1) for each in options.set),
)
for kind in dict.fromkeys(each.kind for each in outcomes):
    of_kind = [each.is_right for each in outcomes if each.kind == kind]
    print(f"{kind}: {sum(of_kind)} of {len(of_kind)}")
print(f"{sum(each.is_right for each in outcomes)} of {len(outcomes)}")
