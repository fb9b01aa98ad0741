"""Runs in ComfyUI's own environment: `python start_comfyui.py <ComfyUI folder> <ComfyUI's arguments>`.

The torchvision of the package index is linked to CUDA. Beside a CPU build of PyTorch its compiled part cannot
load, and `import torchvision` stops at the first operator that this part would have declared. ComfyUI imports
torchvision at start, but none of the nodes that need no model calls these operators: declaring them is enough.
One of them would ask PyTorch's compiler whether it may compile, and importing that is a fifth of ComfyUI's start: it
is told no, and whoever needs the compiler later imports it then.

Parts of SciPy, a seventh of the start, are imported for two samplers and a few nodes: each is loaded when it is used.

ComfyUI lets the browser ask again, each time that its page is loaded, whether any of the frontend's 300 scripts has
changed. Their names hold their hashes: here it may keep them, and what it made of them, which is a third of the
processor time of a reload. Whatever an extension serves is asked for as ever, and so is all of the frontend that
comes with ComfyUI, which has few scripts.

When ComfyUI has ended, Python would take apart all that it has imported, for over a second of processor time: nobody
needs that, so the process ends before.
"""

from __future__ import annotations

import atexit
import importlib
import os
import re
import runpy
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

BOXES = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
OPERATORS = ("nms", "qnms")
COMPILER = "torch._dynamo.utils"
SELDOM_USED = ("scipy.integrate", "scipy.ndimage", "scipy.stats")
HASHED = re.compile(r"/assets/[^/]+-[\w-]{8}\.(js|css|woff2?)")
FOR_EVER = "public, max-age=31536000, immutable"

Middleware = Callable[[Any, Callable[[Any], Awaitable[Any]]], Awaitable[Any]]


@contextmanager
def compiler_stays_out() -> Iterator[None]:
    """What is imported meanwhile hears that nothing can be compiled, unless the compiler is there already."""
    stand_in = ModuleType(COMPILER)
    vars(stand_in)["is_compile_supported"] = lambda _: False
    if sys.modules.setdefault(COMPILER, stand_in) is not stand_in:
        yield
        return
    try:
        yield
    finally:
        del sys.modules[COMPILER]


def load_when_used(*names: str) -> None:
    """Who imports one of these modules gets a stand-in that loads it when something of it is asked for.

    `importlib.util.LazyLoader` would load it as soon as somebody looks through all modules, as `inspect` does.
    """
    for name in names:
        stand_in = ModuleType(name)
        vars(stand_in)["__getattr__"] = partial(_of_loaded, name, stand_in)
        sys.modules.setdefault(name, stand_in)


def _of_loaded(name: str, stand_in: ModuleType, attribute: str) -> Any:
    if attribute.startswith("__") and attribute != "__path__":
        raise AttributeError(attribute)
    if sys.modules.get(name) is stand_in:
        del sys.modules[name]
    return getattr(importlib.import_module(name), attribute)


@compiler_stays_out()
def declare_torchvision_operators() -> object | None:
    """Returns what must stay alive for the declarations to last, or None where torchvision imports by itself."""
    try:
        importlib.import_module("torchvision")
    except (RuntimeError, OSError):
        pass
    else:
        return None
    from torch.library import Library

    library = Library("torchvision", "FRAGMENT")
    for operator in OPERATORS:
        library.define(operator + BOXES)
    for module in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
        del sys.modules[module]
    importlib.import_module("torchvision")
    return library


def keeping_what_is_hashed(cache_control: Middleware) -> Middleware:
    """ComfyUI's middleware, which says what the browser may keep, but for files whose names change with them."""
    from aiohttp import web

    @web.middleware
    async def keeping(request: web.Request, handler: Any) -> web.StreamResponse:
        response = await cache_control(request, handler)
        if HASHED.fullmatch(request.path):
            response.headers["Cache-Control"] = FOR_EVER
        return response

    return keeping


@contextmanager
def ends_at_once() -> Iterator[None]:
    """What is done here is all that this process is for: after it and after all `atexit` functions the process is over,
    with nothing taken apart. An exception ends the process as ever.
    """
    is_done = False

    def end() -> None:
        if is_done:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)

    # The first to be registered is the last to be called.
    atexit.register(end)
    yield
    is_done = True


@ends_at_once()
def main() -> None:
    folder = os.path.abspath(sys.argv[1])
    declarations = declare_torchvision_operators()
    load_when_used(*SELDOM_USED)
    os.chdir(folder)
    sys.path[0] = folder
    if "--front-end-root" in sys.argv:
        caching: Any = importlib.import_module("middleware.cache_middleware")
        caching.cache_control = keeping_what_is_hashed(caching.cache_control)
    sys.argv = [os.path.join(folder, "main.py"), *sys.argv[2:]]
    runpy.run_path(sys.argv[0], run_name="__main__")
    del declarations


if __name__ == "__main__":
    main()
