"""Workflows with a file, which are the same ones in any page that has them open."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_IS_READY = "() => app.extensionManager.workflow.activeWorkflow?.changeTracker"
_OPEN_SAVED = """async (name) => {
    await app.api.storeUserData(`workflows/${name}.json`, app.graph.serialize(), { stringify: true });
    await app.extensionManager.workflow.syncWorkflows();
    // The open file is let go where another page has written it since.
    const { activeWorkflow } = app.extensionManager.workflow;
    if (activeWorkflow && !activeWorkflow.isLoaded) await activeWorkflow.load();
    const workflow = app.extensionManager.workflow.getWorkflowByPath(`workflows/${name}.json`);
    if (!workflow.isLoaded) await workflow.load();
    await app.loadGraphData(workflow.activeState ?? workflow.initialState, true, true, workflow);
}"""

_FORGET = """(names) => {
    for (const [key, value] of Object.entries(localStorage))
        if (names.some((name) => value.includes(`workflows/${name}`))) localStorage.removeItem(key);
}"""


def open_saved(page: Page, name: str) -> None:
    """Save what is on the canvas as a workflow of that name, and open that."""
    page.wait_for_function(_IS_READY)
    page.evaluate(_OPEN_SAVED, name)


def forget_saved(page: Page, base: Path) -> None:
    """Remove the files of all workflows. A new tab would wait in vain for one that was open last, so the browser has to
    forget it, too.
    """
    files = [*(base / "user" / "default" / "workflows").glob("*.json")]
    if page.url != "about:blank":  # a page that was left has forgotten them
        page.evaluate(_FORGET, [file.name for file in files])
    for file in files:
        file.unlink()
