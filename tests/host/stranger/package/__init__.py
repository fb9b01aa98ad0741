# ruff: noqa: N802 - the names that ComfyUI calls
"""The package that a stranger's workflow needs: one node."""


class StrangersTint:
    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE",)

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",)}}

    def run(self, image):
        return (1 - image,)


NODE_CLASS_MAPPINGS = {"StrangersTint": StrangersTint}
