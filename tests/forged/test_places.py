"""Elements keep their places across runs: at another place the browser would recreate a widget and show it twice."""

import pytest

from tests.browser.serving import Server
from tests.forged.visitor import Run, visiting


@pytest.mark.parametrize("page", ["", "encode", "compare", "vocabulary", "algorithms", "pipeline", "lessons"])
def test_a_run_draws_every_widget_where_the_first_one_of_a_link_did(server: Server, page: str) -> None:
    with visiting(server.url) as visitor:
        first = places(visitor.open(page, "sample=toy_hug"))  # the first run trains on it
        assert places(visitor.run()) == first


def places(run: Run) -> dict[str, tuple[int, ...]]:
    return {element.id: place for place, (_name, element) in run.elements.items() if getattr(element, "id", "")}
