"""`python -m bench.template_server NAME PORT`: a model that is shown tools, which not every template does."""

from __future__ import annotations

import sys
from dataclasses import replace

from dev.demonstration_model.models import DEMONSTRATION_MODELS
from dev.demonstration_model.serve import default_threads, serve
from dev.places import MODELS

if __name__ == "__main__":
    name, port = sys.argv[1:]
    template = DEMONSTRATION_MODELS["1.5b"].chat_template
    model = replace(DEMONSTRATION_MODELS[name], chat_template=template)
    serve(model, MODELS / model.file, port=int(port), threads=default_threads())
