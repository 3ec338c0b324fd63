"""Component scripts served from their own URLs, so that a browser fetches each once.

Streamlit sends a component's script with every message that draws it: thirty kilobytes for each of the eight views of a
step, read, hashed and sent for every visitor at every step. It can send a URL instead, but only for files in an
installed package. So the registry of components and the handler of their files are wrapped here, once per server.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Route
from streamlit.components.v2.component_registry import BidiComponentDefinition, BidiComponentRegistry
from streamlit.web.server.starlette import starlette_app
from streamlit.web.server.starlette.starlette_server_config import STATIC_ASSET_CACHE_MAX_AGE_SECONDS

from ui.components.defined import script_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.routing import BaseRoute

_KEEP = f"public, immutable, max-age={STATIC_ASSET_CACHE_MAX_AGE_SECONDS}"


class AtAddress(BidiComponentDefinition):
    """A component whose script has a content-hashed URL."""

    @cached_property
    def js_url(self) -> str:
        """File name of the script."""
        return _address(self.js or "")

    @property
    def js_content(self) -> None:
        """None, so that the message contains no script."""
        return


def _address(script: str) -> str:
    return f"{blake2b(script.encode(), digest_size=12).hexdigest()}.js"


class Scripts:
    """Component scripts by URL path. Other paths are not served.

    A page that outlives a server restart requests scripts before a run has defined their components: these come from
    `undefined`, which looks up a script by the component's name.
    """

    def __init__(self, undefined: Callable[[str], str | None] = lambda name: None) -> None:
        self._by_path: dict[str, bytes] = {}
        self._undefined = undefined

    def take(self, definition: BidiComponentDefinition) -> BidiComponentDefinition:
        """The same component with its script at a URL; unchanged if it has no inline script."""
        if not definition.js_content:
            return definition
        taken = AtAddress(definition.name, definition.html, definition.css, definition.js)
        self._by_path[f"{taken.name}/{taken.js_url}"] = definition.js_content.encode()
        return taken

    def answer(self, path: str) -> Response | None:
        """Response with the script at this path, or None."""
        script = self._by_path.get(path) or self._not_defined_yet(path)
        if script is None:
            return None
        return Response(script, media_type="text/javascript", headers={"Cache-Control": _KEEP})

    def _not_defined_yet(self, path: str) -> bytes | None:
        name, _, address = path.partition("/")
        script = self._undefined(name)
        return script.encode() if script is not None and _address(script) == address else None

    def routes(self, streamlits: Callable[..., list[BaseRoute]], *given: Any) -> list[BaseRoute]:
        """Streamlit's routes for component files, preceded by these scripts."""
        files, *rest = streamlits(*given)
        assert isinstance(files, Route)

        async def script(request: Request) -> Response:
            return self.answer(request.path_params["path"]) or await files.endpoint(request)

        return [Route(files.path, script, methods=["GET"]), *rest]


def serve_scripts() -> None:
    """Patch Streamlit; call before the first component is defined and before a server starts."""
    scripts = Scripts(script_of)
    server: Any = starlette_app
    register, routes = BidiComponentRegistry.register, server.create_bidi_component_routes

    def registered(registry: BidiComponentRegistry, definition: BidiComponentDefinition) -> None:
        register(registry, scripts.take(definition))

    BidiComponentRegistry.register = registered  # type: ignore[assignment, method-assign]
    server.create_bidi_component_routes = lambda *given: scripts.routes(routes, *given)
