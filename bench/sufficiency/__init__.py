"""Whether what a model is shown is enough to do the job: a program in its place, judged by the graph.

The oracle in the model's place knows ComfyUI and reads carefully, and has nothing but the messages and tools of each
request. What it cannot do, no model can do other than by luck.
"""

from .report import measure

__all__ = ["measure"]
