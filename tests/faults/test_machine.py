"""A full or read-only disk, a read-only home, a jumping clock: the app still works."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.serving import Server, served_app
from tests.draws import first
from tests.forged.visitor import visiting

PATHS = ("", "encode", "compare", "vocabulary", "algorithms", "pipeline", "lessons")
NO_HOME = Path("/proc/home")
"""A home in which nothing can be created, not even by root."""

YEAR = 365 * 24 * 3_600


@pytest.fixture(scope="module", params=first(1, ["full", "read-only"]))
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp(request.param)
    arguments = ["--disk", request.param]
    with served_app(folder, module="tests.faults.broken_machine", arguments=arguments, home=NO_HOME) as served:
        yield served


def test_every_page_opens_where_nothing_can_be_written(server: Server) -> None:
    with visiting(server.url) as visitor:
        for path in PATHS:
            run = visitor.open(path)
            assert not run.exceptions, path
            assert run.of("bidi_component"), path
    server.wait_until_left()
    assert "Traceback" not in server.log_text()


def test_a_visitor_steps_where_nothing_can_be_written(server: Server) -> None:
    with visiting(server.url) as visitor:
        visitor.open()
        assert visitor.step_to(7) == 7


def test_a_file_of_megabytes_is_uploaded_and_a_view_is_saved_where_nothing_can_be_written(server: Server) -> None:
    text = "a lantern in the window. " * 60_000  # more than fits in memory
    before = len(server.log_text())
    with visiting(server.url) as visitor:
        visitor.open()
        assert not visitor.run([visitor.upload("upload", "long.txt", text.encode())]).exceptions
        assert b'"bpe-lab lesson"' in visitor.download("Save as a lesson file")
    server.wait_until_left()
    assert "Traceback" not in server.log_text()[before:]


@pytest.mark.thorough
def test_a_clock_that_jumps_a_year_either_way_changes_nothing(tmp_path: Path) -> None:
    clock = tmp_path / "clock"
    clock.write_text("0")
    arguments = ["--clock", str(clock)]
    with served_app(tmp_path, module="tests.faults.broken_machine", arguments=arguments) as server:
        with visiting(server.url) as visitor:
            visitor.open()
            for step, off in enumerate((0, YEAR, -YEAR, 0, 1), start=3):
                clock.write_text(str(off))
                assert visitor.step_to(step) == step
                with visiting(server.url) as newcomer:
                    assert not newcomer.open(query=f"sample=lantern_story&step={step}").exceptions
                    assert newcomer.step_to(1) == 1
            assert visitor.step_to(2) == 2
        server.wait_until_left()
        assert "Traceback" not in server.log_text()
