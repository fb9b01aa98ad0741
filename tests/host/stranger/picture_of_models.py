# ruff: noqa: N802 - the names that ComfyUI calls
"""A node for the tests that needs two model files, and makes an image of how large they are."""

from __future__ import annotations

import os

import folder_paths
import torch


class PictureOfModels:
    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE",)

    @classmethod
    def INPUT_TYPES(cls):
        lists = {name: folder_paths.get_filename_list(folder) for name, folder in FOLDERS.items()}
        return {"required": {name: (files,) for name, files in lists.items()}}

    def run(self, **names):
        paths = [folder_paths.get_full_path_or_raise(folder, names[name]) for name, folder in FOLDERS.items()]
        shade = (sum(map(os.path.getsize, paths)) % 256) / 255
        return (torch.full((1, 64, 64, 3), shade),)


FOLDERS = {"lora_name": "loras", "vae_name": "vae"}
NODE_CLASS_MAPPINGS = {"PictureOfModels": PictureOfModels}
