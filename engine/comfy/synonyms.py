"""Synonyms: everyday words for the words that node names use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_GROUPS = """
image picture photo img pic photograph still
video movie clip film footage mp4 avi mov animation
audio sound music song voice wav mp3
upscale enlarge bigger larger superresolution
scale resize rescale size
scale shrink smaller reduce downscale
text string words
text prompt
prompt conditioning
preview show display view look see visualize
load open read import
save write store export
combine merge join mix blend
concatenate join append stitch joiner
composite paste overlay
crop cut trim
mask matte selection
inpaint repaint retouch fill paint erase
outpaint extend uncrop expand
sharpen sharper crisp
blur soften smooth
noise grain
rotate turn
flip mirror
invert reverse negative
empty blank solid plain
color colour colours colors
sampler sample sampling
scheduler schedule sigmas
guidance cfg
seed random
choose pick select
generate create make write compose
horizontal horizontally sideways
vertical vertically
remove delete erase
batch several multiple many list
latent latents
vae autoencoder
encoder clip t5
unet diffusion transformer dit
controlnet control
pose openpose skeleton
edge outline contour line
face person portrait identity
style reference
mesh 3d glb
frame frames
number int float integer
boolean toggle switch
replace substitute swap
speed faster fast quick accelerate
memory vram oom
background backdrop
alpha transparent transparency
brightness brighter darker exposure
loop repeat
img2img i2i
i2v img2vid
t2v txt2vid
t2i txt2img
upscaler esrgan
lora loras lycoris
checkpoint model ckpt
folder directory path
repeat loop iterate cycle
wire link noodle cable
send pass hand broadcast
reverse backward backwards
split divide slice separate
fade crossfade transition dissolve
wait sleep delay pause
time timer duration
camera webcam
screenshot screencap capture
dots dotted halftone
watermark label caption
relight light lighting
notification notify alert
clean clear purge free
concat concatenate
everywhere anywhere
compile compiled
edit editor modify
newest latest recent
twice double duplicate
region regional area
"""

_PHRASES = {
    "background removal": ("mask", "alpha"),
    "remove background": ("mask", "alpha"),
    "remove the background": ("mask", "alpha"),
    "cut out": ("mask", "crop", "alpha"),
    "text to image": ("latent",),
    "image to image": ("vae", "encode"),
    "img2img": ("vae", "encode"),
    "slow motion": ("interpolate", "frame"),
    "frame rate": ("fps",),
    "lip sync": ("sound", "audio"),
    "file size": ("quality", "compress"),
    "aspect ratio": ("width", "height"),
    "side by side": ("concat", "concatenate", "stitch"),
    "next to each other": ("concat", "concatenate", "stitch"),
    "on top of": ("overlay", "composite"),
    "over a": ("overlay", "composite"),
    "over the": ("overlay", "composite"),
    "to all": ("everywhere",),
    "to every": ("everywhere",),
    "how many": ("count",),
    "number of": ("count",),
    "how long": ("time", "timer", "duration"),
    "one by one": ("list", "loop"),
    "one after the other": ("concat", "concatenate", "append"),
    "frames per second": ("fps",),
}


_WORD = re.compile(r"[^\W_]+")
_CONVERSION = re.compile(r"(?<![^\W_])([^\W_]+) (?:in)?to (?:an? |the )?(?=([^\W_]+))")
_OWN = r"(?:an? |the |my |this |that |our |one |some )?"
_VIDEO = "video"
_TO_VIDEO = re.compile(
    rf"\banimat(?:e|ed|ing) {_OWN}([^\W_]+)|\b(?:video|movie|clip|film)s? (?:of|from|out of) {_OWN}([^\W_]+)"
    rf"|\b(?:make|let|bring) {_OWN}([^\W_]+) (?:move|to life)\b"
)


def _by_word() -> Mapping[str, tuple[str, ...]]:
    meanings: dict[str, dict[str, None]] = {}
    for line in _GROUPS.strip().splitlines():
        group = line.split()
        for word in group:
            meanings.setdefault(word, {}).update(dict.fromkeys(other for other in group if other != word))
    return {word: tuple(others) for word, others in meanings.items()}


_MEANINGS = _by_word()


def synonyms(word: str) -> tuple[str, ...]:
    """Return the words of node names for an everyday word."""
    return _MEANINGS.get(word, ())


def phrase_synonyms(query: str) -> Iterator[str]:
    """Yield the words that phrases of several words in the query stand for."""
    text = f" {' '.join(_WORD.findall(query.casefold()))} "
    for phrase, meanings in _PHRASES.items():
        if f" {phrase} " in text:
            yield from meanings


def conversions(query: str) -> Iterator[list[str]]:
    """Yield for each "photo to clip" in the query the phrases that names use for it, such as "image to video".

    "Animate a photo" and "a video of my photo" count as well.
    """
    text = query.casefold()
    videos = [("".join(found), _VIDEO) for found in _TO_VIDEO.findall(text)]
    for one, other in [*_CONVERSION.findall(text), *videos]:
        yield [
            f"{first} to {second}"
            for first in (one, *synonyms(one)[:2])
            for second in (other, *synonyms(other)[:2])
        ]
