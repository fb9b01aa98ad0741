"""Text of every colour of ours can be read in every palette that ComfyUI brings."""

from __future__ import annotations

import pytest

from tests.host.comfy import ComfyPage
from tests.host.panel import CHOOSE_PALETTE, Panel

pytestmark = pytest.mark.any_frontend

# https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
CONTRAST_OF_TEXTS = """(names) => {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (color) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map((byte) => {
      const share = byte / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const text = document.createElement("p");
  const root = document.querySelector(".cass-root");
  root.append(text);
  const surface = luminance(getComputedStyle(root).backgroundColor);
  const contrasts = names.map((name) => {
    text.style.color = `var(${name})`;
    const color = luminance(getComputedStyle(text).color);
    return [name, (Math.max(color, surface) + 0.05) / (Math.min(color, surface) + 0.05)];
  });
  text.remove();
  return Object.fromEntries(contrasts);
}"""


COLORS_OF_TEXT = [
    *("--cass-text", "--cass-muted", "--cass-placeholder"),
    *("--cass-accent-text", "--cass-danger", "--cass-warning"),
]


def test_text_of_every_color_can_be_read_in_every_palette(comfy: ComfyPage, panel: Panel):
    contrasts = {}
    for palette in ("dark", "light", "solarized", "arc", "nord", "github"):
        comfy.page.evaluate(CHOOSE_PALETTE, palette)
        contrasts[palette] = comfy.page.evaluate(CONTRAST_OF_TEXTS, COLORS_OF_TEXT)
    comfy.page.evaluate(CHOOSE_PALETTE, "dark")
    too_low = {
        (palette, name): contrast
        for palette, by_name in contrasts.items()
        for name, contrast in by_name.items()
        if contrast < 4.5
    }
    assert too_low == {}
    light = contrasts["light"]
    assert light["--cass-muted"] > 8, "what ComfyUI made readable stays as it is"
    assert light["--cass-placeholder"] < light["--cass-text"] / 2, "an example looks like what was typed"
