"""The scripts of components come from an address of their own, and only what a component was defined with."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route
from streamlit.components.v2.component_registry import BidiComponentDefinition

from tests.app.test_served_files import answer
from ui.components.defined import script_of
from ui.shared.served_scripts import Scripts

SCRIPT = "export default function () { return 1; }\n"
COMPONENT = BidiComponentDefinition("bpe_lab_one", html="<p></p>", css="p { margin: 0 }", js=SCRIPT)


def served(scripts: Scripts) -> Starlette:
    """A server with these scripts before Streamlit's own files of components."""

    async def from_disk(request: Request) -> PlainTextResponse:
        return PlainTextResponse(f"from disk: {request.path_params['path']}", status_code=404)

    def streamlits(manager: object, base: str) -> list[BaseRoute]:
        return [Route(f"{base}/_stcore/bidi-components/{{path:path}}", from_disk, methods=["GET"])]

    return Starlette(routes=scripts.routes(streamlits, None, "/base"))


def test_a_component_keeps_all_but_its_script_which_has_an_address() -> None:
    taken = Scripts().take(COMPONENT)
    assert (taken.name, taken.html_content, taken.css_content) == ("bpe_lab_one", "<p></p>", "p { margin: 0 }")
    assert taken.js_content is None
    assert taken.js_url is not None
    assert taken == Scripts().take(COMPONENT)


def test_the_script_is_answered_at_its_address_and_may_be_kept() -> None:
    scripts = Scripts()
    taken = scripts.take(COMPONENT)
    path = f"/base/_stcore/bidi-components/bpe_lab_one/{taken.js_url}"
    status, headers, body = answer(served(scripts), path)
    assert (status, body.decode()) == (200, SCRIPT)
    assert headers["content-type"].startswith("text/javascript")
    assert "immutable" in headers["cache-control"]


def test_another_script_has_another_address() -> None:
    changed = BidiComponentDefinition("bpe_lab_one", js=SCRIPT + "// changed\n")
    assert Scripts().take(COMPONENT).js_url != Scripts().take(changed).js_url


def test_a_component_that_is_defined_after_the_server_has_started_is_served_too() -> None:
    scripts = Scripts()
    running = served(scripts)
    urls = [
        scripts.take(BidiComponentDefinition(name, js=script)).js_url
        for name, script in (("bpe_lab_one", SCRIPT), ("bpe_lab_one_ja", SCRIPT.replace("1", "2")))
    ]
    assert urls[0] != urls[1]
    _, _, body = answer(running, f"/base/_stcore/bidi-components/bpe_lab_one_ja/{urls[1]}")
    assert body.decode() == SCRIPT.replace("1", "2")


def test_a_page_that_outlives_its_server_gets_its_scripts_before_a_run_defines_them() -> None:
    running = served(Scripts(script_of))
    for component in ("bpe_lab_live_text", "bpe_lab_token_flow", "bpe_lab_player_ja", "bpe_lab_player_en_xa"):
        script = script_of(component)
        assert script is not None
        url = Scripts().take(BidiComponentDefinition(component, js=script)).js_url
        status, _, body = answer(running, f"/base/_stcore/bidi-components/{component}/{url}")
        assert (status, body.decode()) == (200, script)
        assert answer(running, f"/base/_stcore/bidi-components/{component}/{'0' * 24}.js")[0] == 404
    for unknown in ("bpe_lab_no_such", "bpe_lab_player_fr", "bpe_lab_", "bpe_lab_../player", "tokens"):
        assert script_of(unknown) is None


def test_any_other_path_is_left_to_streamlit() -> None:
    scripts = Scripts()
    url = scripts.take(COMPONENT).js_url
    for path in (f"bpe_lab_two/{url}", "bpe_lab_one/", f"bpe_lab_one/../{url}", "a/b.js"):
        status, _, body = answer(served(scripts), f"/base/_stcore/bidi-components/{path}")
        assert (status, body.decode()) == (404, f"from disk: {path}")


def test_a_component_without_a_script_stays_as_it_is() -> None:
    plain = BidiComponentDefinition("bpe_lab_plain", html="<p></p>")
    assert Scripts().take(plain) is plain
