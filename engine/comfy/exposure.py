"""Other machines' access to ComfyUI by its start options, and the notice about it for the user."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass


@dataclass(frozen=True)
class Exposure:
    """The addresses of `--listen` beyond this computer, and the value of `--enable-cors-header`."""

    addresses: tuple[str, ...] = ()
    cors: str = ""

    def note(self, *, has_code: bool = False) -> dict[str, str] | None:
        """Return the notice, as `message` and the browser storage key that marks it as `seen`; None where nothing is
        exposed.
        """
        sentences: list[str] = []
        if self.addresses:
            sentences.append(
                f"ComfyUI listens beyond this computer (--listen {','.join(self.addresses)}) and has no login: whoever "
                + (
                    "reaches it can run workflows here; the assistant asks for its access code."
                    if has_code
                    else "reaches it can read your chats, use your model at your cost and run workflows here. "
                    "COMFYUI_ASSISTANT_ACCESS_CODE has the assistant ask for a code."
                )
            )
        if self.cors:
            sentences.append(
                f"ComfyUI lets other pages in (--enable-cors-header {self.cors[:80]}): such a page can run workflows "
                "here, but the assistant lets none in to your chats and settings."
            )
        if not sentences:
            return None
        return {
            "message": " ".join(sentences),
            "seen": f"ComfyUIAssistant.seen {'listen ' * bool(self.addresses)}{'code ' * has_code}{self.cors}",
        }


def exposure(listen: str | None, cors: str | None) -> Exposure:
    """Read ComfyUI's options: addresses separated by commas, and an origin or "*" for any."""
    addresses = tuple(filter(None, (address.strip() for address in (listen or "").split(","))))
    return Exposure(tuple(address for address in addresses if not _is_this_computer(address)), cors or "")


def _is_this_computer(address: str) -> bool:
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address == "localhost"
