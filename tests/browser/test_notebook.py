"""Players and views in the cells of a real JupyterLab: stepped by key, button and Python, and kept when it is saved."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Locator, Page

from tests.browser.helpers import expect
from tests.browser.serving import PATIENCE, PROJECT, START_SECONDS, answers, free_port

CELLS = (
    """from bpe_core import TrainConfig, compare, load_pretrained, train
training = train("low lower lowest", TrainConfig(vocab_size=260))
player = training.player(step=1, height=400)
player""",
    """other = training.player(language="ja", height=400)
other""",
    "moves = []\nplayer.observe(lambda change: moves.append(change['new']), 'step')",
    "print(player.step, other.step, moves)",
    "player.step = 2",
    """from bpe_core.bpe import page_views
page_views._SYMBOLS_IN_A_CELL = 0  # records no merge: the kernel is asked for each
long = training.player(height=400)
long""",
    "compare('a 12345 b 67890', {name: load_pretrained(name) for name in ('gpt2', 'cl100k_base')}).view(height=400)",
    "load_pretrained('gpt2').encode('The lowest').view(height=400)",
)


UNUSED = (
    "@jupyterlab/apputils-extension:announcements",  # asks a question, and another host
    "@jupyterlab/debugger-extension",
    "@jupyterlab/extensionmanager-extension",
    "@jupyterlab/lsp-extension",
    "@jupyterlab/terminal-extension",
    "jupyterlab-plotly",
)


class Lab:
    """A running JupyterLab, its folder and its process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "notebooks"
        self.folder.mkdir()
        config = folder / "config" / "labconfig"
        config.mkdir(parents=True)
        (config / "page_config.json").write_text(json.dumps({"disabledExtensions": dict.fromkeys(UNUSED, True)}))
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        self.file = self.folder / "players.ipynb"
        nbformat.write(notebook, self.file)
        port = free_port()
        self.url = f"http://localhost:{port}"
        self.log = folder / "lab.log"
        homes = {name: str(folder / name) for name in ("data", "runtime", "home")}
        variables = {
            "HOME": homes["home"],
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_DATA_DIR": homes["data"],
            "JUPYTER_RUNTIME_DIR": homes["runtime"],
            "PYTHONPATH": str(PROJECT),
        }
        options = ["--no-browser", "--allow-root", f"--port={port}", f"--ServerApp.root_dir={self.folder}"]
        options += ["--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "jupyterlab", *options],
                env={**os.environ, **variables},
                cwd=self.folder,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def wait_until(self, holds: Callable[[], bool], problem: str) -> None:
        give_up = time.monotonic() + START_SECONDS
        while not holds():
            if self.process.poll() is not None or time.monotonic() > give_up:
                raise RuntimeError(f"{problem}:\n{self.log.read_text()}")
            time.sleep(0.1)

    def get(self, what: str) -> str:
        with urllib.request.urlopen(f"{self.url}/api/{what}") as answer:
            text: str = answer.read().decode()
        return text

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def open(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.goto(f"{self.url}/doc/tree/{self.file.name}")
        return page

    def stop_kernels(self) -> None:
        for session in json.loads(self.get("sessions")):
            path = f"{self.url}/api/sessions/{session['id']}"
            urllib.request.urlopen(urllib.request.Request(path, method="DELETE")).close()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    running = Lab(tmp_path_factory.mktemp("lab"))
    try:
        running.wait_until(lambda: answers(f"{running.url}/api", "version"), "JupyterLab does not answer")
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def notebook(lab: Lab, chromium: Browser) -> Iterator[Page]:
    """The notebook after its cells have run, shared by the tests."""
    context = chromium.new_context(viewport={"width": 1100, "height": 900})
    context.set_default_timeout(PATIENCE)
    page = lab.open(context)
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")
    lab.wait_until(lambda: '"connections": 1' in lab.get("kernels"), "the browser is not connected to a kernel")
    for number in range(3):
        run(page, number)
    yield page
    context.close()


def run(page: Page, number: int) -> None:
    """Run a cell, by its number in CELLS, and wait until it has run."""
    cell = page.locator(".jp-CodeCell").nth(number)
    prompt = cell.locator(".jp-InputPrompt")
    before = prompt.inner_text().strip()
    prompt.click()
    expect(cell).to_have_class(re.compile(r"\bjp-mod-active\b"))
    page.locator(".jp-NotebookPanel-toolbar [data-command^='notebook:run-cell']").click()
    expect(prompt).not_to_have_text(before)
    expect(prompt).to_have_text(re.compile(r"\[\d+\]:"))


def output(page: Page, number: int) -> FrameLocator:
    """The page in the output of a cell."""
    return page.locator(".jp-CodeCell").nth(number).frame_locator(".jp-OutputArea-output iframe")


def step_in(frame: FrameLocator) -> Locator:
    return frame.locator(".field input")


def expect_printed(page: Page, text: str) -> None:
    """Run the cell that prints steps until it prints this: a move takes a moment to reach the kernel."""
    result = page.locator(".jp-CodeCell").nth(3).locator(".jp-OutputArea-output")
    give_up = time.monotonic() + PATIENCE / 1_000
    while True:
        run(page, 3)
        if result.inner_text().strip() == text or time.monotonic() > give_up:
            break
    expect(result).to_have_text(text)


def test_a_player_is_stepped_by_button_and_key_and_read_and_moved_in_python(notebook: Page) -> None:
    player, other = output(notebook, 0), output(notebook, 1)
    expect(step_in(player)).to_have_value("1")
    expect(step_in(other)).to_have_value("0")
    player.get_by_role("button", name="Next").click()
    expect(player.locator(".story .words")).to_contain_text("Merge 2.")
    notebook.keyboard.press("ArrowRight")
    expect(player.locator(".story .words")).to_contain_text("Merge 3.")
    expect_printed(notebook, "3 0 [2, 3]")
    run(notebook, 4)  # player.step = 2
    expect(step_in(player)).to_have_value("2")
    notebook.locator("iframe").first.scroll_into_view_if_needed()  # a frame out of sight is not drawn
    expect(player.locator(".story .words")).to_contain_text("Merge 2.")
    expect(step_in(other)).to_have_value("0")
    other.get_by_role("button", name="次へ").click()
    expect_printed(notebook, "2 1 [2, 3, 2]")


def test_keys_belong_to_the_player_that_has_the_focus(notebook: Page) -> None:
    player, other = output(notebook, 0), output(notebook, 1)
    other.locator(".card.story").click()
    steps = [int(step_in(each).input_value()) for each in (player, other)]
    for key in ("d", "d", "x", "ArrowRight"):  # in JupyterLab's command mode, these delete cells and move
        notebook.keyboard.press(key)
    expect(step_in(other)).to_have_value(str(steps[1] + 1))
    notebook.locator(".jp-CodeCell").nth(4).locator(".jp-InputPrompt").click()
    for key in ("ArrowRight", "End", " "):
        notebook.keyboard.press(key)
    expect(step_in(player)).to_have_value(str(steps[0]))
    expect(step_in(other)).to_have_value(str(steps[1] + 1))
    assert notebook.locator(".jp-CodeCell").count() == len(CELLS)


def test_steps_that_are_not_recorded_come_from_the_kernel(notebook: Page) -> None:
    run(notebook, 5)
    player = output(notebook, 5)
    expect(player.locator(".of")).to_have_text("of 4")
    player.get_by_role("button", name="Last", exact=True).click()
    expect(player.locator(".story .words")).to_contain_text("Merge 4.")
    player.locator(".card.text .t", has_text="lowe").first.click()
    expect(player.locator(".card.token")).to_contain_text("was made at merge")
    player.get_by_role("searchbox").fill("low")
    expect(player.locator(".card.merges .space .row")).to_have_count(3)


def test_a_comparison_and_an_encoding_have_their_views(notebook: Page) -> None:
    for number in (6, 7):
        run(notebook, number)
    comparison, encoding = output(notebook, 6), output(notebook, 7)
    expect(comparison.locator(".headline")).to_contain_text("cl100k_base")
    comparison.locator(".card.why").click()
    notebook.keyboard.press("n")
    expect(comparison.locator(".card.why h2")).to_contain_text("2 of")
    encoding.locator(".card.text .t", has_text="lowest").click()
    card = encoding.locator(".card.token")
    expect(card.locator(".row", has_text="Created")).to_contain_text("rank")
    expect(card.locator(".node").first).to_be_visible()


def test_the_theme_is_that_of_the_notebook(notebook: Page) -> None:
    body = output(notebook, 0).locator("body")
    expect(body).to_have_css("background-color", "rgb(251, 251, 249)")
    notebook.evaluate("document.body.dataset.jpThemeLight = 'false'")
    expect(body).to_have_css("background-color", "rgb(15, 18, 22)")
    notebook.evaluate("document.body.dataset.jpThemeLight = 'true'")
    expect(body).to_have_css("background-color", "rgb(251, 251, 249)")


def test_a_saved_notebook_plays_without_having_run(lab: Lab, notebook: Page) -> None:
    notebook.locator(".jp-NotebookPanel-toolbar [data-command='docmanager:save']").click()
    lab.wait_until(lambda: "bpe-lab-cell" in lab.file.read_text("utf-8"), "the notebook is not saved")
    saved = nbformat.read(lab.file, as_version=4)
    [shown] = saved.cells[0].outputs
    assert set(shown.data) == {"text/plain", "text/html"}
    notebook.close()
    lab.stop_kernels()
    page = lab.open(notebook.context)
    player = output(page, 0)
    expect(step_in(player)).to_have_value("1")
    player.get_by_role("button", name="Last", exact=True).click()
    expect(player.locator(".story .words")).to_contain_text("Merge 4.")
    expect(output(page, 1).get_by_role("button", name="次へ")).to_be_visible()
