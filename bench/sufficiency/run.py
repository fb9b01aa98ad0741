"""The jobs in ComfyUI's page: what a person types goes through panel, server and provider, and is judged after."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from playwright.sync_api import Browser
from playwright.sync_api import Error as PageError

from dev.comfyui import FRONTEND
from dev.comfyui_process import running_comfyui
from dev.places import ROOT
from dev.scripted.provider import ScriptedProviderThread
from dev.scripted.scenario import Say, Scenario, Step, Turn
from dev.templates import NODE_PACKAGES, OF_THIS_COMFYUI, TEMPLATES
from tests.host.bridge import Bridge
from tests.host.checked_run import what_runs
from tests.host.comfy import ComfyPage
from tests.host.official_templates import put_files
from tests.host.panel import Panel
from tests.host.template_damage import DAMAGES, load

from .jobs import FILES, PICTURE, Job, Workflow, jobs_on, seeds_job
from .oracle import answer
from .workflows import official, runnable

OTHER_PICTURES = 30
SECONDS_OF_A_TURN = 90


@dataclass(frozen=True)
class Outcome:
    job: Job
    window: int
    wrong: str | None
    """What is not as it should be; None for a job that is done right."""


def prepare(
    browser: Browser, script: str, *, every: int, of_each_kind: int
) -> tuple[list[Job], dict[str, Workflow]]:
    """The same jobs each time: of every kind so many, over workflows of all sizes."""
    with _comfyui(extension=None) as comfyui, _page(browser, comfyui.url) as comfy:
        workflows = official(comfy, Bridge(comfy.page, script), every=every)
    with _comfyui(extension=None) as comfyui, _page(browser, comfyui.url) as comfy:
        chains = list(runnable(comfy))
    random = Random(11)
    by_kind: dict[str, list[Job]] = {"compare seeds": [seeds_job(chain) for chain in chains]}
    for workflow in sorted(workflows, key=lambda each: (each.nodes, each.name)):
        for job in jobs_on(workflow, random):
            by_kind.setdefault(job.kind, []).append(job)
    jobs = [job for kind in sorted(by_kind) for job in _spread(by_kind[kind], of_each_kind)]
    return jobs, {workflow.name: workflow for workflow in (*workflows, *chains)}


def _spread(jobs: Sequence[Job], count: int) -> list[Job]:
    """From the smallest to the largest."""
    if len(jobs) <= count:
        return list(jobs)
    return [jobs[round(index * (len(jobs) - 1) / (count - 1))] for index in range(count)]


def outcomes(
    browser: Browser,
    script: str,
    jobs: Sequence[Job],
    workflows: dict[str, Workflow],
    *,
    window: int,
    revision: str | None = None,
) -> Iterator[Outcome]:
    """Each job in a new chat. With a revision, that commit of the product answers in place of this one."""
    idle = Scenario(about="a program answers", window=window, turns=[Turn(steps=[Step(reply=[Say(say="")])])])
    with (
        ScriptedProviderThread(idle, program=answer, pace=0) as provider,
        _extension(revision) as extension,
        _comfyui(
            extension=extension,
            environment={
                "COMFYUI_ASSISTANT_BASE_URL": provider.base_url,
                "COMFYUI_ASSISTANT_MODEL": "scripted",
                "COMFYUI_ASSISTANT_CONTEXT_WINDOW": str(window),
            },
        ) as comfyui,
    ):
        pending = list(jobs)
        while pending:
            with _page(browser, comfyui.url) as comfy:
                bridge, panel = Bridge(comfy.page, script), Panel(comfy.page)
                panel.open()
                while pending:
                    job = pending.pop(0)
                    try:
                        wrong = _done(comfy, bridge, panel, job, workflows[job.template])
                    except PageError as error:
                        yield Outcome(job, window, f"the page: {str(error).splitlines()[0]}")
                        break
                    yield Outcome(job, window, wrong)


def _done(comfy: ComfyPage, bridge: Bridge, panel: Panel, job: Job, workflow: Workflow) -> str | None:
    if job.opens:
        load(bridge, workflow.saved)
    else:
        comfy.clear_graph()
    panel.begin_new_chat()
    if job.damage is not None:
        definitions = comfy.page.evaluate("async () => (await fetch('/object_info')).json()")
        random = Random(f"{job.name}")
        damage = next(DAMAGES[job.damage](bridge, workflow.prompt, definitions, random), None)
        if damage is None:
            return "the damage cannot be done to this workflow"
    for request in job.requests:
        panel.send(request)
        panel.messages.filter(has_text=request).first.wait_for()
        panel.wait_until_the_turn_is_over(seconds=SECONDS_OF_A_TURN)
        said = panel.answer()
        is_first = job.first_check is not None and request is job.requests[0]
        check = job.first_check if is_first else job.check
        if check and (wrong := check(what_runs(comfy), said)):
            return f"{wrong} | {said[:400]}"
    return None


@contextlib.contextmanager
def _comfyui(*, extension: Path | None, environment: dict[str, str] | None = None) -> Iterator:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        _put_all_files(base)
        packages = f"{NODE_PACKAGES}{os.pathsep}{_template_package(base)}"
        with running_comfyui(
            base,
            extension=extension,
            frontend=FRONTEND,
            environment={"PYTHONPATH": packages, **(environment or {})},
        ) as process:
            yield process


def _put_all_files(base: Path) -> None:
    put_files(base)
    for folder, name in FILES.items():
        file = base / "models" / folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    pictures = [PICTURE, *(f"IMG_{number:04}_other.png" for number in range(OTHER_PICTURES))]
    for name in pictures:
        (base / "input" / name).touch()


def _template_package(base: Path) -> Path:
    """The templates as ComfyUI's own package of them has them; returns the folder to import it from."""
    package = base / "packages" / "comfyui_workflow_templates_core"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "templates").symlink_to(TEMPLATES / OF_THIS_COMFYUI, target_is_directory=True)
    return package.parent


@contextlib.contextmanager
def _page(browser: Browser, url: str) -> Iterator[ComfyPage]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    try:
        comfy = ComfyPage(context.new_page(), url)
        comfy.open()
        yield comfy
    finally:
        context.close()


@contextlib.contextmanager
def _extension(revision: str | None) -> Iterator[Path]:
    if revision is None:
        yield ROOT
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ("git", "archive", revision), cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(("tar", "-x"), cwd=folder, input=archive, check=True)
        yield Path(folder)
