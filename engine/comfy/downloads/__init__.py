"""Downloads of model files: from hosts that the user trusts into ComfyUI's folders, only after consent."""
