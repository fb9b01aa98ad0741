"""The assistant's panel as a person uses it: opened, typed into, stopped, and read."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from dev.places import SCREENSHOTS

OPEN = "ComfyUIAssistant.Open"
TOGGLE = "Workspace.ToggleBottomPanelTab.comfyui-assistant"
SECONDS_OF_A_TURN = 60

CHOOSE_PALETTE = """(name) => app.extensionManager.setting.set("Comfy.ColorPalette", name)"""

# Between two requests of one turn nothing seems to happen for a moment: a turn is over when that lasts for a few looks,
# each of which the page must be free for.
TURN_IS_OVER = """() => {
    const stop = [...document.querySelectorAll(".cass-composer button")].some((button) =>
        button.getAttribute("aria-label")?.startsWith("Stop"));
    const busy = stop || document.querySelector('.cass-tool[data-state="running"], .cass-tool[data-state="writing"]');
    window.__quietLooks = busy ? 0 : (window.__quietLooks ?? 0) + 1;
    return window.__quietLooks > 5;
}"""

# On a busy machine the chat may not have begun to answer by then.
ANSWER_HAS_BEGUN = """() => {
    const last = [...document.querySelectorAll(".cass-message")].at(-1);
    return last?.matches(".cass-assistant") || document.querySelector(".cass-error");
}"""


@dataclass(frozen=True)
class ToolCard:
    tool: str
    state: str
    text: str


class Panel:
    takes_pictures = True

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator(".cass-root")
        self.composer = page.get_by_label("Message to the assistant")
        self.stop_button = page.get_by_role("button", name="Stop (Escape)")
        self.messages = page.locator(".cass-message")
        self.answers = page.locator(".cass-assistant")
        self.errors = page.locator(".cass-error")
        self.notice = page.locator(".cass-composer-area .cass-notice:not(.cass-lack)")
        self.versions = page.locator(".cass-branches")

    def open(self) -> None:
        self._execute(OPEN)
        expect(self.composer).to_be_visible(timeout=15_000)

    def close(self) -> None:
        self._execute(TOGGLE)
        expect(self.composer).to_be_hidden()

    def begin_new_chat(self) -> None:
        if self.messages.count() > 0 or self.errors.count() > 0:
            self.page.get_by_role("button", name="New chat").first.click()
            expect(self.messages).to_have_count(0)
        self.composer.fill("")

    def send(self, text: str) -> None:
        self.composer.fill(text)
        self.composer.press("Enter")

    def ask(self, text: str) -> str:
        """Send a message, wait for the end of the turn, and return the answer's text."""
        self.send(text)
        expect(self.messages.filter(has_text=text)).not_to_have_count(0)
        self.page.wait_for_function(ANSWER_HAS_BEGUN)
        self.wait_until_the_turn_is_over()
        return self.answer()

    def stop(self) -> None:
        self.stop_button.click()

    def wait_until_the_turn_is_over(self, *, seconds: float = SECONDS_OF_A_TURN) -> None:
        self.page.evaluate("() => { window.__quietLooks = 0; }")
        self.page.wait_for_function(TURN_IS_OVER, timeout=seconds * 1000, polling=40)

    def answer(self) -> str:
        """The text of the last answer, without its tool cards and its footer."""
        return "\n".join(self.answers.last.locator(".cass-markdown").all_inner_texts()).strip()

    def tool_cards(self) -> list[ToolCard]:
        return [
            ToolCard(
                card.get_attribute("data-tool") or "",
                card.get_attribute("data-state") or "",
                card.locator(".cass-tool-line").inner_text(),
            )
            for card in self.page.locator(".cass-tool").all()
        ]

    def tools_by_state(self) -> list[tuple[str, str]]:
        return [(card.tool, card.state) for card in self.tool_cards()]

    def switch_approvals(self) -> None:
        """From Auto to Ask, or back."""
        self.page.locator(".cass-mode").click()

    def open_chats(self) -> None:
        self.page.get_by_role("button", name="Chats", exact=True).click()
        expect(self.page.get_by_label("Search all chats")).to_be_visible()

    def chat(self, title: str) -> Locator:
        """Its line in the list of chats."""
        return self.page.locator(".cass-chat-item").filter(has_text=title)

    def close_view(self) -> None:
        """Whatever lies over the conversation."""
        self.page.keyboard.press("Escape")

    def has_kept(self, text: str) -> bool:
        """In the conversation, or back in the composer: where the person can send it again."""
        expect(self.composer).to_be_visible()
        return bool(
            self.composer.input_value() == text
            or self.page.locator(".cass-user").filter(has_text=text).count()
        )

    def tool_card(self, tool: str) -> Locator:
        return self.page.locator(f'.cass-tool[data-tool="{tool}"]')

    def look_at(self, name: str) -> None:
        """Pictures, for people, of the page in either palette and of the narrow panel; `make test` takes none."""
        if not self.takes_pictures:
            return
        for palette in ("light", "dark"):
            self.page.evaluate(CHOOSE_PALETTE, palette)
            self.page.screenshot(path=SCREENSHOTS / f"{name}-{palette}.png", animations="disabled")
        self.root.evaluate("root => { root.style.width = '380px'; }")
        self.root.screenshot(path=SCREENSHOTS / f"{name}-narrow.png", animations="disabled")
        self.root.evaluate("root => { root.style.width = ''; }")

    def _execute(self, command: str) -> None:
        self.page.evaluate("(command) => app.extensionManager.command.execute(command)", command)
