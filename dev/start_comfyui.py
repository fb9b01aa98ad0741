"""Runs in ComfyUI's own environment: `python start_comfyui.py <ComfyUI folder> <ComfyUI's arguments>`.

The torchvision of the package index is linked to CUDA. Beside a CPU build of PyTorch its compiled part cannot
load, and `import torchvision` stops at the first operator that this part would have declared. ComfyUI imports
torchvision at start, but none of the nodes that need no model calls these operators: declaring them is enough.
"""

from __future__ import annotations

import importlib
import os
import runpy
import sys

BOXES = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
OPERATORS = ("nms", "qnms")


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


def main() -> None:
    folder = os.path.abspath(sys.argv[1])
    declarations = declare_torchvision_operators()
    os.chdir(folder)
    sys.path[0] = folder
    sys.argv = [os.path.join(folder, "main.py"), *sys.argv[2:]]
    runpy.run_path(sys.argv[0], run_name="__main__")
    del declarations


if __name__ == "__main__":
    main()
