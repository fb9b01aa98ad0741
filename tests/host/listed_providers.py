"""The providers in the settings of a panel."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from .panel import Panel


def open_settings(panel: Panel) -> Locator:
    view = panel.root.get_by_role("region", name="Settings")
    if view.count() == 0:
        panel.root.get_by_role("button", name="Settings", exact=True).click()
    return view


def listed_providers(panel: Panel) -> Locator:
    return open_settings(panel).get_by_role("list", name="Providers").get_by_role("listitem")


def add_provider(panel: Panel, name: str, base_url: str, model: str) -> None:
    view = open_settings(panel)
    view.get_by_role("button", name="Add a provider").click()
    form = view.get_by_role("form", name="New provider")
    form.get_by_label("Base URL").fill(base_url)
    form.get_by_label("Model", exact=True).fill(model)
    form.get_by_role("button", name="Name, window").click()
    form.get_by_label("Name", exact=True).fill(name)
    form.get_by_role("button", name="Save", exact=True).click()
    expect(view.get_by_role("listitem").filter(has_text=name)).to_be_visible()
