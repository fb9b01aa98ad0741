"""The failures that a user can meet, as one small tree.

    AssistantError              code, message (what was found, what was expected), hint (what to do next)
    ├── RequestError            the caller's request is at fault: 4xx
    ├── SettingsError           a setting is at fault: named, with an example of a good value
    ├── ProviderError           the model's endpoint is at fault; `retryable` says whether trying again may help
    │   └── llm.refusals.overflow.ContextOverflow    the request was too long; with what the endpoint said of its window
    ├── StoreError              our own data cannot be read or written
    └── DownloadError           a model file cannot be had: by its name, from its host, or onto the disk

They are raised low and translated once at the rim: by the guard into a JSON reply, by the encoder into an `error`
chunk.

Some exceptions stand outside the tree, since their callers handle each of them:

    context.plan.ContextTooSmall                figures; becomes the ProviderError `context_too_small`
    llm.refusals.refusals.Refusal               carries the ProviderError that it becomes, once no retry can help
    comfy.scan.ScanUnfinished                   becomes a tool's result, for the model
    comfy.registry.node_registry.RegistryUnavailable    becomes a tool's result, for the model
    comfy.templates.UnreadableTemplate          becomes a tool's result, or the RequestError `unreadable`
    user.skills.frontmatter.BadFrontMatter      becomes a Diagnostic with the file's name
    comfy.downloads.addresses.AddressRefused    becomes the DownloadError `address_refused`
    base.network.outgoing.UnreadableAnswer      counts as no answer, or becomes a RegistryUnavailable
    llm.replies.reply_limits.ReplyTooLarge      becomes the ProviderError `reply_too_large`
    store.sqlite_file.FileDamage                begins the recovery of the database
    small_windows.resolve.NotFound              becomes a tool's result, for the model
    small_windows.flat_tools._Unresolved        becomes a tool's result, for the model
    user.skills.text_file.UnreadableFile        becomes a Diagnostic with the file's name
"""

from __future__ import annotations

from typing import Any


class AssistantError(Exception):
    """A failure with a typed code, a plain sentence and the next thing to do. `status` is its HTTP status."""

    status = 500

    def __init__(
        self, code: str, message: str, *, hint: str = "", status: int | None = None, retryable: bool = False
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.status = status if status is not None else type(self).status
        self.retryable = retryable

    def as_json(self) -> dict[str, Any]:
        """Return the body of an error reply: `{"code", "message", "hint"}`."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


class RequestError(AssistantError):
    status = 400


class SettingsError(AssistantError):
    status = 422


class ProviderError(AssistantError):
    """A failure of the model's endpoint. `provider_message` is the endpoint's own text without the key, or "".

    Decisions about a refusal read `provider_message`: `message` quotes only its beginning, among words of ours.
    """

    status = 502
    provider_message = ""


class StoreError(AssistantError):
    status = 500


class DownloadError(AssistantError):
    status = 502
