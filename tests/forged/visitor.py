"""A visitor without a browser: speaks Streamlit's protocol with a server, and can send what no browser would."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import Message
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

_NEW_EVERY_RUN = re.compile(r"^deferred_file_id: .*$", re.MULTILINE)

PATIENCE = 60
"""Timeout of a response in seconds, on a busy machine."""

_BOUNDARY = "boundary-of-a-file"

LARGEST_MESSAGE = 64 * 2**20


@dataclass
class Run:
    """The output of one run of the app: elements by place, displayed problems, and the final status."""

    elements: dict[tuple[int, ...], tuple[str, Message]] = field(default_factory=dict)
    fragments: dict[str, str] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    exceptions: list[str] = field(default_factory=list)
    page_not_found: bool = False
    status: str = ""

    def of(self, kind: str) -> list[Message]:
        """The elements of a kind."""
        return [element for name, element in self.elements.values() if name == kind]

    def widgets(self) -> dict[str, str]:
        """The ids and kinds of all drawn widgets."""
        return {element.id: name for name, element in self.elements.values() if getattr(element, "id", "")}

    def widget(self, key: str) -> str:
        """The id of the widget with a key."""
        return next(each for each in self.widgets() if each.endswith(f"-{key}"))

    def text(self) -> str:
        """The final state as text, for comparisons: equal for runs with equal output, however slow."""
        drawn = (self.elements[place] for place in sorted(self.elements))
        return "\n".join(f"{name}: {_NEW_EVERY_RUN.sub('', str(element))}" for name, element in drawn)

    def draw(self, place: tuple[int, ...], name: str, element: Message) -> None:
        """Draw an element or a block; replace the previous content of its place."""
        for each in [each for each in self.elements if each[: len(place)] == place]:
            del self.elements[each]
        self.elements[place] = name, element


class Visitor:
    """One connection and its session. Runs are handled one at a time."""

    def __init__(
        self, url: str, socket: ClientConnection, cookies: Sequence[str] = (), patience: float = PATIENCE
    ) -> None:
        self.url = url
        self.patience = patience
        self.socket = socket
        self.cookies = cookies
        self.session = ""
        self.page_hash = ""
        self.pages: dict[str, str] = {}
        self.cached: dict[str, bytes] = {}
        self.theme = CustomThemeConfig()
        self.actions = 0
        self.page = Run()
        """The state of the page: the latest full run, updated by its fragments since."""

    def open(self, page: str = "", query: str = "") -> Run:
        """Open a page by its path, as a browser does when its URL is entered."""
        return self.run(page_name=page, query=query, page_hash="")

    def go(self, page: str) -> Run:
        """Open a page from the navigation."""
        return self.run(page_hash=next(each for each, path in self.pages.items() if path == page))

    def run(self, values: Sequence[WidgetState] = (), **more: Any) -> Run:
        """Request a run as `ask` does, and wait for its end."""
        self.ask(values, **more)
        return self.answer()

    def ask(
        self,
        values: Sequence[WidgetState] = (),
        *,
        fragment: str = "",
        query: str = "",
        page_name: str = "",
        page_hash: str | None = None,
        **more: Any,
    ) -> None:
        """Request a run with these widget values."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string = query
        state.page_script_hash = self.page_hash if page_hash is None else page_hash
        state.page_name = page_name
        state.fragment_id = fragment
        for name, value in more.items():
            setattr(state, name, value)
        state.widget_states.widgets.extend(values)
        self.send(message)

    def click(self, key: str) -> Run:
        """Click the button of a key, and wait for the end of the run."""
        self.ask_click(key)
        return self.answer()

    def ask_click(self, key: str) -> None:
        """Click the button of a key."""
        button = self.page.widget(key)
        click = WidgetState(id=button, trigger_value=True)
        self.ask([click], fragment=self.page.fragments.get(button, ""))

    def act(self, key: str, name: str, value: Any) -> Run:
        """Send an action of the component of a key, and wait for the end of the run."""
        self.actions += 1
        component = self.page.widget(key)
        events = [{"event": "acts", "value": ["a tab", [[self.actions, name, value]]]}]
        sent = WidgetState(id=_make_trigger_id(component, "events"), json_trigger_value=_json(events))
        return self.run([sent], fragment=self.page.fragments[component])

    def step_to(self, step: int) -> int:
        """Step on Train with the player; return the step that it then shows."""
        run = self.act("player", "move", [step, False])
        [player] = [each for each in run.of("bidi_component") if each.id == self.page.widget("player")]
        shown: int = json.loads(player.json)[2]["step"]
        return shown

    def send(self, message: BackMsg) -> None:
        self.socket.send(message.SerializeToString())

    def answer(self) -> Run:
        """The server's messages until a run has ended."""
        run = Run()
        while run.status in ("", "FINISHED_EARLY_FOR_RERUN"):
            self._take(run, self._received())
        return run

    def wait_for(self, key: str) -> None:
        """Take the server's messages until the widget of a key is drawn; its run goes on."""
        run = Run()
        while not any(each.endswith(f"-{key}") for each in self.page.widgets()):
            assert run.status != "FINISHED_SUCCESSFULLY", f"the run ended without {key}"
            self._take(run, self._received())

    def answers(self) -> bool:
        """True if the server still responds to this session."""
        self.send(BackMsg(app_heartbeat=True))
        while not self._received().heartbeat_ack:
            pass
        return True

    def upload(self, key: str, name: str, data: bytes) -> WidgetState:
        """Upload a file as a browser does; return the resulting value of the uploader of this key."""
        urls = self.file_urls(name)
        head = f'Content-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: text/plain\r\n\r\n'
        body = f"--{_BOUNDARY}\r\n{head}".encode() + data + f"\r\n--{_BOUNDARY}--\r\n".encode()
        self.put(urls.upload_url, body, f"multipart/form-data; boundary={_BOUNDARY}")
        state = WidgetState(id=self.page.widget(key))
        state.file_uploader_state_value.uploaded_file_info.add(
            file_id=urls.file_id, name=name, size=len(data), file_urls=urls
        )
        return state

    def put(self, path: str, body: bytes, kind: str) -> None:
        """Send a body of a kind from a Japanese browser; raises HTTPError if the server rejects it."""
        with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=self.patience) as answer:
            given = [each.partition(";")[0] for each in answer.headers.get_all("Set-Cookie")]
        own = next(each for each in given if "xsrf" in each)
        cookies, token = "; ".join([own, *self.cookies]), own.partition("=")[2]
        headers = {"Content-Type": kind, "Cookie": cookies, "X-Xsrftoken": token, "Accept-Language": "ja,en;q=0.5"}
        request = urllib.request.Request(self.url + path, data=body, method="PUT", headers=headers)
        try:
            urllib.request.urlopen(request, timeout=self.patience).close()
        except urllib.error.HTTPError as error:
            error.add_note(error.read().decode(errors="replace"))
            raise

    def file_urls(self, name: str) -> Any:
        """The URLs for a file of this name."""
        request = BackMsg()
        request.file_urls_request.request_id = "1"
        request.file_urls_request.file_names.append(name)
        request.file_urls_request.session_id = self.session
        self.send(request)
        while (message := self._received()).WhichOneof("type") != "file_urls_response":
            pass
        return message.file_urls_response.file_urls[0]

    def download(self, label: str) -> bytes:
        """The content behind the download button of this label."""
        button = next(each for each in self.page.of("download_button") if each.label == label)
        request = BackMsg()
        request.backend_operation_request.request_id = "1"
        request.backend_operation_request.session_id = self.session
        request.backend_operation_request.deferred_file.file_id = button.deferred_file_id
        self.send(request)
        while (message := self._received()).WhichOneof("type") != "backend_operation_response":
            pass
        url = self.url + message.backend_operation_response.deferred_file.url
        with urllib.request.urlopen(url, timeout=self.patience) as answer:
            content: bytes = answer.read()
        return content

    def _received(self) -> ForwardMsg:
        return ForwardMsg.FromString(self.socket.recv(self.patience, decode=False))

    def _take(self, run: Run, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            reference = message
            message = ForwardMsg.FromString(self.cached[reference.ref_hash])
            message.metadata.CopyFrom(reference.metadata)  # the same element may have moved to another place
            kind = message.WhichOneof("type")
        elif message.metadata.cacheable:
            self.cached[message.hash] = message.SerializeToString()
        if kind == "new_session":
            self.page_hash = message.new_session.page_script_hash
            self.session = message.new_session.initialize.session_id
            self.theme = message.new_session.custom_theme
            if not message.metadata.run.fragment_ids:
                self.page = Run()
        elif kind == "navigation":
            self.pages |= {page.page_script_hash: page.url_pathname for page in message.navigation.app_pages}
            self.page_hash = message.navigation.page_script_hash or self.page_hash
        elif kind == "page_not_found":
            run.page_not_found = True
        elif kind == "script_finished":
            run.status = ForwardMsg.ScriptFinishedStatus.Name(message.script_finished)
        elif kind == "delta":
            _draw((run, self.page), message)


def _json(value: Any) -> str:
    """JSON as JSON.stringify writes it: characters as they are, unless they have no UTF-8."""
    written = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if re.search(r"[\ud800-\udfff]", written) else written


def _draw(runs: Sequence[Run], message: ForwardMsg) -> None:
    delta = message.delta
    kind = delta.WhichOneof("type")
    if kind == "new_element":
        name = delta.new_element.WhichOneof("type")
        element = getattr(delta.new_element, name)
    elif kind == "add_block":
        name = delta.add_block.WhichOneof("type") or ""
        element = getattr(delta.add_block, name) if name else delta.add_block
    else:
        return
    for run in runs:
        if name == "exception":
            run.exceptions.append(f"{element.type}: {element.message}")
        if delta.fragment_id and getattr(element, "id", ""):
            run.fragments[element.id] = delta.fragment_id
        run.draw(tuple(message.metadata.delta_path), name, element)


@contextmanager
def visiting(url: str, cookies: Sequence[str] = (), patience: float = PATIENCE) -> Iterator[Visitor]:
    """A new session of the app at this URL, with these cookies. `patience`: timeout of a response in seconds."""
    address = f"{url.replace('http', 'ws', 1)}/_stcore/stream"
    with connect(
        address,
        subprotocols=[Subprotocol("streamlit")],
        additional_headers=[("Cookie", "; ".join(cookies))] if cookies else [],
        max_size=LARGEST_MESSAGE,
        compression=None,
        open_timeout=patience,
        ping_timeout=None,
    ) as socket:
        yield Visitor(url, socket, cookies, patience)
