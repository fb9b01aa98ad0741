"""`python -m bench.template_server NAME PORT`: an embedded model that is shown tools, which not every template does."""

from __future__ import annotations

import sys
from dataclasses import replace

from dev.places import MODELS
from engine.llm.embedded.models import EMBEDDED_MODELS
from engine.llm.embedded.serve import default_threads, serve

if __name__ == "__main__":
    name, port = sys.argv[1:]
    template = EMBEDDED_MODELS["1.5b"].chat_template
    model = replace(EMBEDDED_MODELS[name], chat_template=template)
    serve(model, MODELS / model.file, port=int(port), threads=default_threads())
