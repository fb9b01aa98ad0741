"""What every reply of a chat passes on its way from the model to the person."""

from __future__ import annotations

from dataclasses import dataclass

from ..calls.tool_form import ToolForm
from .cost_meter import Bill, CostMeter
from .length_limit import LengthLimit
from .reply_filter import ModelRequest, ReplyFilter
from .text_call import TextCall
from .vram_manager import ModelLoader, VramManager


@dataclass(frozen=True)
class ReplyFilters:
    """Makes the filters of each reply, in the order in which it passes them."""

    vram_manager: VramManager
    bill: Bill
    tool_form: ToolForm

    def __call__(self, request: ModelRequest) -> list[ReplyFilter]:
        filters: list[ReplyFilter] = [
            ModelLoader(self.vram_manager, request.endpoint),
            CostMeter(self.bill, request),
        ]
        if self.tool_form.is_for_small_windows:
            filters += [LengthLimit(request.endpoint.model, self.tool_form), TextCall(self.tool_form)]
        return filters
