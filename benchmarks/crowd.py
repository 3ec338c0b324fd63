"""Load one replica with ten visitors who each take as much memory as they can; print the peak, and what they see.

python -m benchmarks.crowd                     # every crowd, each on a new server
python -m benchmarks.crowd --only replacing    # one of them
python -m benchmarks.crowd --visitors 1        # one visitor for each kind of work
python -m benchmarks.crowd --cores 16          # as on a machine that reports this many cores
python -m benchmarks.crowd --stay 0            # do not wait until the sessions have ended

All begin at the same moment. The resident memory of the server's processes is read ten times a second. Each visitor
must see a result or one sentence; the log must contain no traceback.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks import crowd_inputs as inputs
from bpe_core.payloads.frames import unframe
from tests.browser.serving import Server, served_app
from tests.forged.visitor import Visitor, visiting
from ui.memory.limit import SETTING
from ui.memory.visitors import AWAY, BETWEEN_LOOKS

VISITORS = 10
MOST = 2_000
"""Megabytes that deploy/compose.yaml allows a replica."""

PATIENCE = 1_800
"""Seconds until a response; many wait in the queue for each other."""

BETWEEN_SAMPLES = 0.1
AFTER_LEAVING = AWAY + 10 * BETWEEN_LOOKS


@dataclass(frozen=True)
class Part:
    """What one visitor does: `prepare` alone, and `work` at the same moment as all others."""

    what: str
    prepare: Callable[[Visitor], object]
    work: Callable[[Visitor], object]
    result: str
    """Key of a widget that shows the result."""


@dataclass
class Seen:
    """What a visitor sees at the end: problems as text, and whether the result is there."""

    what: str
    result: bool = False
    problems: list[str] = field(default_factory=list)
    failed: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        problems = [*self.problems, *([self.failed] if self.failed else [])]
        return f"{self.what}: {'; '.join(['a result'] * self.result + problems) or 'nothing'}"


@dataclass(frozen=True)
class Measured:
    """Memory in megabytes, and what was seen."""

    crowd: str
    before: float
    peak: float
    after: float
    seconds: float
    seen: Sequence[Seen]
    tracebacks: int

    def __str__(self) -> str:
        counted = Counter(("a result " * each.result + "; ".join([*each.problems, each.failed])) for each in self.seen)
        outcomes = " · ".join(f"{count} × {what.strip('; ')}" for what, count in counted.items())
        over = " **over**" if self.peak > MOST else ""
        figures = f"{self.before:.0f} | {self.peak:.0f}{over} | {self.after:.0f} | {self.seconds:.0f} s"
        return f"| {self.crowd} | {figures} | {outcomes} | {self.tracebacks} |"


# -- parts -------------------------------------------------------------------------------------------------------


def compared(what: str, text: str, file: bytes | None = None, query: str = "with=gpt2&with=bert-base-uncased") -> Part:
    """A text on Compare, with an uploaded tokenizer if there is a file."""

    def prepare(visitor: Visitor) -> None:
        visitor.open("compare", f"text=a&{query}")
        if file is not None:
            add_tokenizer(visitor, file)

    def work(visitor: Visitor) -> None:
        visitor.run([visitor.upload("compare upload", "text.txt", text.encode())])

    return Part(what, prepare, work, "counts table")


def typed(what: str, page: str, text: str, query: str, result: str, file: bytes | None = None) -> Part:
    """A text in the area of a page."""

    def prepare(visitor: Visitor) -> None:
        if file is None:
            visitor.open(page, query)
            return
        visitor.open("compare", "text=a&with=gpt2")
        add_tokenizer(visitor, file)
        visitor.go(page)
        menu = element(visitor, f"{page} with more")
        own = next(each for each in menu.options if each.startswith("own"))
        visitor.run([WidgetState(id=menu.id, string_value=own)])

    def work(visitor: Visitor) -> None:
        area = f"{page} text area"
        push = unframe(element(visitor, area).bytes)[0]["push"]
        visitor.act(area, "typed", [push, text])
        if page == "encode":  # the rest follows in a run of its own
            visitor.act("rest of encode", "follow", None)

    return Part(what, prepare, work, result)


def trained(what: str, text: str, query: str) -> Part:
    """A training on a text."""

    def work(visitor: Visitor) -> None:
        visitor.run([visitor.upload("upload", "text.txt", text.encode())])

    return Part(what, lambda visitor: visitor.open("", query), work, "player")


def element(visitor: Visitor, key: str) -> Any:
    """The drawn widget of a key."""
    wanted = visitor.page.widget(key)
    return next(each for _, each in visitor.page.elements.values() if getattr(each, "id", "") == wanted)


def add_tokenizer(visitor: Visitor, file: bytes) -> None:
    """Upload a tokenizer on Compare, which adds it to the comparison."""
    visitor.run([visitor.upload("tokenizer upload 0", "own.json", file)])


# -- crowds ------------------------------------------------------------------------------------------------------


def replacing(number: int) -> Part:
    """A 500-byte tokenizer, four of which once took 12 GB; the text is shorter for each further visitor."""
    size = inputs.LONGEST // (1 + number)
    return compared(f"Replace, {size:,}", inputs.repeated("a", number, size), inputs.replacing(10))


_DIFFERENT: tuple[Callable[[int], Part], ...] = (
    lambda n: compared("Replace", inputs.repeated("a", n, 1_600_000), inputs.replacing(10)),
    lambda n: compared("growing steps", inputs.repeated("a", n), inputs.growing(12)),
    lambda n: compared("two growing steps", inputs.repeated("a", n, 2_000_000), inputs.growing(2)),
    lambda n: compared("Unicode steps", inputs.mixed(n), inputs.normalizing("NFKC", "Lowercase", "StripAccents")),
    lambda n: compared("BERT in Japanese", inputs.japanese(n)),
    lambda n: compared("Unigram in Japanese", inputs.japanese(n), query="with=t5-small&with=gpt2"),
    lambda n: compared("Unigram in mixed text", inputs.mixed(n), query="with=t5-small&with=bert-base-uncased"),
    lambda n: compared("a split into characters", inputs.letters(n), inputs.splitting()),
    lambda n: compared("Replace by a pattern", inputs.letters(n, 2_000_000), inputs.replacing_by_pattern()),
    lambda n: compared("own BPE, random words", inputs.words(n), query="with=trained&with=o200k_base"),
)


def different(number: int) -> Part:
    """Ten different tokenizer files."""
    return _DIFFERENT[number % len(_DIFFERENT)](number)


def japanese(number: int) -> Part:
    """GPT-2 and BERT on Japanese."""
    return compared("GPT-2 and BERT in Japanese", inputs.japanese(number))


def unigram(number: int) -> Part:
    """T5 on long texts."""
    text = (inputs.japanese, inputs.letters, inputs.mixed, inputs.words)[number % 4](number)
    return compared(f"T5, {number % 4}", text, query="with=t5-small&with=gpt2")


def split(number: int) -> Part:
    """A split into characters, on letters and on Chinese."""
    text = (inputs.letters, inputs.characters)[number % 2](number)
    return compared(f"a split into characters, {number % 2}", text, inputs.splitting())


def five(number: int) -> Part:
    """All published tokenizers and a tokenizer trained in the app."""
    query = "&".join(f"with={name}" for name in ("trained", "gpt2", "cl100k_base", "o200k_base", "bert-base-uncased"))
    text = (inputs.words, inputs.mixed, inputs.characters, inputs.lines)[number % 4](number)
    return compared(f"five, {number % 4}", text, query=f"{query}&with=t5-small&composition=true&lines=true")


def encoded(number: int) -> Part:
    """A long text on Encode."""
    names = ("gpt2", "bert-base-uncased", "t5-small", "cl100k_base")
    text = (inputs.words, inputs.characters, inputs.mixed, inputs.letters)[number // 4 % 4](number)
    return typed(f"Encode {number}", "encode", text, f"text=a&with={names[number % 4]}", "encode view")


def staged(number: int) -> Part:
    """A long text on Pipeline."""
    names = ("gpt2", "bert-base-uncased", "t5-small", "o200k_base")
    text = (inputs.words, inputs.characters, inputs.mixed, inputs.letters)[number // 4 % 4](number)
    return typed(f"Pipeline {number}", "pipeline", text, f"text=a&with={names[number % 4]}", "encoding rows")


def training(number: int) -> Part:
    """A long text on Train, with the largest vocabulary."""
    text = (inputs.words, inputs.characters, inputs.letters, inputs.mixed, inputs.japanese)[number % 5](number)
    more = ("split=none&base=characters", "split=gpt2", "normalization=NFKC")[number % 3]
    return trained(f"Train {number}", text, f"corpus=abcabc&vocab_size=65536&{more}")


def across_words(number: int) -> Part:
    """SuperBPE and BoundlessBPE on Train, with the largest vocabulary."""
    text = (inputs.words, inputs.lines, inputs.mixed, inputs.japanese, inputs.letters)[number % 5](number)
    method = ("superbpe", "boundlessbpe")[number % 2]
    query = f"corpus=abcabc&vocab_size=65536&method={method}{'&transition=300' * (method == 'superbpe')}"
    return trained(f"Train {method} {number}", text, query)


def going_on(number: int) -> Part:
    """A long text on Train that continues from a published tokenizer."""
    base, size = (("gpt2", 50_257), ("cl100k_base", 100_277), ("o200k_base", 200_019))[number % 3]
    text = (inputs.words, inputs.japanese, inputs.mixed, inputs.lines)[number % 4](number)
    return trained(f"Train from {base} {number}", text, f"corpus=abcabc&base={base}&vocab_size={size + 10_000}")


def newer(number: int) -> Part:
    """PickyBPE and merges across words on Algorithms, with the largest vocabulary."""
    text = (inputs.words, inputs.mixed, inputs.japanese, inputs.lines)[number % 4](number, 1_000_000)
    chosen = "&".join(f"side_by_side={name}" for name in ("bpe", "picky", "superbpe", "boundlessbpe"))

    def prepare(visitor: Visitor) -> None:
        visitor.open("", "corpus=abcabc&vocab_size=260")
        visitor.run([visitor.upload("upload", "text.txt", text.encode())])

    def work(visitor: Visitor) -> None:
        visitor.open("algorithms", f"size=5000&model=bpe&{chosen}")

    return Part(f"Algorithms {number}", prepare, work, "algorithms player")


def many(number: int) -> Part:
    """A file of many texts on Compare: Parquet that unpacks to much more, lines and columns of languages."""
    name, file = inputs.tables(number)
    way = "parallel" if number % 4 == 3 else "each"

    def prepare(visitor: Visitor) -> None:
        visitor.open("compare", f"text=a&with=gpt2&with=t5-small&with=bert-base-uncased&many=1&many_by={way}")

    def work(visitor: Visitor) -> None:
        visitor.run([visitor.upload("many texts upload", name, file)])

    return Part(
        f"many texts {number}, {name}", prepare, work, "parallel totals" if way == "parallel" else "many totals"
    )


def shrunk(number: int) -> Part:
    """A vocabulary made smaller for a long text, with the table of its ids, and one with a token added."""
    text = (inputs.words, inputs.mixed, inputs.japanese, inputs.letters)[number % 4](number)
    of = ("gpt2", "o200k_base", "cl100k_base")[number % 3]
    more = ("smaller=1&smaller_by=used", "smaller=1&kept_merges=5000", "add=1&added=the+a&added_as=merges")[number % 3]

    def prepare(visitor: Visitor) -> None:
        visitor.open("", "corpus=abcabc&vocab_size=260")
        visitor.run([visitor.upload("upload", "text.txt", text.encode())])

    def work(visitor: Visitor) -> None:
        visitor.open("vocabulary", f"of={of}&tokens=glitch&{more}")

    return Part(
        f"Vocabulary of {of} {number}", prepare, work, "file of smaller" if "smaller" in more else "file of added"
    )


def segmented(number: int) -> Part:
    """The end of a long prompt, other segmentations of it, and its words, on Encode."""
    text = (inputs.words, inputs.characters, inputs.mixed, inputs.letters)[number // 3 % 4](number)
    view = ("view=prompt", "many=1&dropout=30&token=0", "view=words")[number % 3]
    name = ("gpt2", "t5-small", "o200k_base")[number // 3 % 3]
    result = "encode words" if view == "view=words" else "encode view"
    return typed(f"Encode {view} {number}", "encode", text, f"text=a&with={name}&{view}", result)


def exported(number: int) -> Part:
    """The page that plays a training of a long text by itself, in all languages."""
    text = (inputs.words, inputs.mixed, inputs.japanese)[number % 3](number)  # all have merges

    def prepare(visitor: Visitor) -> None:
        visitor.open("", "corpus=abcabc&vocab_size=65536")
        visitor.run([visitor.upload("upload", "text.txt", text.encode())])

    def work(visitor: Visitor) -> None:
        label = next(each.label for each in visitor.page.of("download_button") if each.label.startswith("In "))
        visitor.download(label)

    return Part(f"as a page {number}", prepare, work, "player")


CROWDS: dict[str, Callable[[int], Part]] = {
    each.__name__: each
    for each in (
        *(replacing, different, japanese, unigram, split, five, encoded, staged, training),
        *(across_words, going_on, newer, many, shrunk, segmented, exported),
    )
}

# -- the measurement ---------------------------------------------------------------------------------------------


def tree(pid: int) -> list[int]:
    """A process and all that it has started."""
    found = [pid]
    for each in found:
        for task in Path(f"/proc/{each}/task").glob("*/children"):
            with suppress(OSError):  # ended meanwhile
                found += map(int, task.read_text().split())
    return found


def resident(pid: int) -> float:
    """Resident memory of a process and its children in megabytes."""
    pages = 0
    for each in tree(pid):
        with suppress(OSError):  # ended meanwhile
            pages += int(Path(f"/proc/{each}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def highest(pid: int) -> float:
    """Peak resident memory of a process so far, in megabytes."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 / 1e6 if found else 0.0


@contextmanager
def sampling(pid: int) -> Iterator[list[float]]:
    """Samples of the resident memory while the block runs."""
    samples = [resident(pid)]
    ended = Event()

    def sample() -> None:
        while not ended.wait(BETWEEN_SAMPLES):
            samples.append(resident(pid))

    thread = Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        ended.set()
        thread.join()


def visit(server: Server, part: Part, together: Barrier, seen: Seen) -> None:
    """One visitor, from opening the page to leaving it."""
    try:
        with visiting(server.url, patience=PATIENCE) as visitor:
            try:
                part.prepare(visitor)
            finally:
                together.wait()
            began = time.monotonic()
            part.work(visitor)
            seen.seconds = time.monotonic() - began
            seen.result = any(each.endswith(f"-{part.result}") for each in visitor.page.widgets())
            seen.problems = problems(visitor)
            seen.failed = "; ".join(visitor.page.exceptions)
            together.wait()
    except Exception as error:
        together.abort()
        seen.failed = f"{type(error).__name__}: {error}"


def problems(visitor: Visitor) -> list[str]:
    """Problems on the page: the texts next to error icons."""
    found = []
    for place, (name, element) in visitor.page.elements.items():
        if name == "markdown" and ":material/error:" in element.body:
            beside = sorted(each for each in visitor.page.elements if each[: len(place) - 1] == place[:-1])
            drawn = (visitor.page.elements[each] for each in beside)
            found.append(" ".join(element.body for name, element in drawn if name == "text"))
    return found


def measured(name: str, parts: Sequence[Part], variables: dict[str, str], stay: float) -> Measured:
    """Serve the app, let the visitors come and go, and measure."""
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        server = held.enter_context(served_app(folder, variables=variables))
        with visiting(server.url, patience=PATIENCE) as first:
            first.open("compare", "text=a")
        server.wait_until_left()
        before = resident(server.pid)
        began = time.monotonic()
        seen = [Seen(part.what) for part in parts]
        together = Barrier(len(parts))
        with sampling(server.pid) as samples:
            threads = [
                Thread(target=visit, args=(server, part, together, each))
                for part, each in zip(parts, seen, strict=True)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        seconds = time.monotonic() - began
        server.wait_until_left()
        time.sleep(stay)
        after = resident(server.pid)
        peak = max(*samples, highest(server.pid))
        return Measured(name, before, peak, after, seconds, seen, server.log_text().count("Traceback"))


@contextmanager
def reported_cores(cores: int | None) -> Iterator[dict[str, str]]:
    """Environment variables of a server that make the machine seem to have this many cores."""
    with tempfile.TemporaryDirectory() as folder:
        if cores is None:
            yield {}
            return
        Path(folder, "sitecustomize.py").write_text(f"import os\nos.cpu_count = lambda: {cores}\n")
        yield {"PYTHONPATH": folder}


def main() -> None:
    """Measure the crowds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=CROWDS, nargs="+", default=list(CROWDS), help="some of the crowds")
    parser.add_argument("--visitors", type=int, default=VISITORS)
    parser.add_argument("--first", type=int, default=0, help="number of the first visitor")
    parser.add_argument("--memory", type=int, help=f"{SETTING} of the server")
    parser.add_argument("--cores", type=int, help="cores that the machine reports to the server")
    parser.add_argument("--stay", type=float, default=AFTER_LEAVING, help="seconds between leaving and the last look")
    arguments = parser.parse_args()
    print("| crowd | MB before | peak | after leaving | | what they see | tracebacks |", flush=True)
    print("| --- | ---: | ---: | ---: | ---: | --- | ---: |", flush=True)
    with reported_cores(arguments.cores) as variables:
        if arguments.memory:
            variables |= {SETTING: str(arguments.memory)}
        for name in arguments.only:
            numbers = range(arguments.first, arguments.first + arguments.visitors)
            result = measured(name, [CROWDS[name](number) for number in numbers], variables, arguments.stay)
            print(result, flush=True)
            for each in result.seen:
                print(f"    {each.seconds:6.1f} s  {each}", flush=True)


if __name__ == "__main__":
    main()
