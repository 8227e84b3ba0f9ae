"""Fuzz readers towards code that no case has reached yet, with atheris.

    python tests/fuzz/guided.py [--cases N] [--minutes M] [READER ...]

Every reader is fuzzed in a process of its own, from its valid files and from what once failed.
A case fails by a traceback, after 10 seconds of the processor, above 2 GiB, if compiled loops
and Polars read different rows, or if rows that are written are not read back. It is saved and
named; once mended, it belongs in tests/fuzz/corpus. Without atheris, nothing is done and that
is said.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

MEBIBYTES, LONGEST = 2048, 4096
"""What a case may take: memory of the process, and bytes of the file."""
FAILURES = {77: "a traceback", 70: "a hang", 71: "too much memory"}
"""What libFuzzer's exit codes mean; any other one but 0 is a crash."""


def main() -> int:
    """Fuzz the readers that were asked for, or all; 1 if any case failed."""
    asked = _arguments()
    if find_spec("atheris") is None:
        print("atheris is not installed: no coverage-guided cases. `pip install atheris` adds them")
        return 0
    if asked.one:
        _fuzz(asked.one, asked.rest)
    from fuzz_cases import FUZZED

    known = [reader.name for reader in FUZZED]
    wanted = asked.rest or known
    if unknown := set(wanted) - set(known):
        print(f"no reader is called {', '.join(sorted(unknown))}; there are {', '.join(known)}")
        return 2
    print(f"{'reader':<18}{'cases':>9}{'branches':>10}{'seconds':>9}{'MiB':>7}  found", flush=True)
    failed = [_report(name, asked.cases, asked.minutes) for name in wanted]
    return int(any(failed))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--cases", type=int, default=10_000, help="of each reader")
    parser.add_argument("--minutes", type=float, default=10.0, help="at most, for each reader")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", metavar="READER")
    return parser.parse_args()


def _report(name: str, cases: int, minutes: float) -> bool:
    """Fuzz one reader in a process of its own, and print a line; whether a case failed."""
    from fuzz_cases import HANG

    with tempfile.TemporaryDirectory() as folder:
        words = [
            *_seeds(name, Path(folder)), f"-runs={cases}", f"-max_total_time={int(60 * minutes)}",
            f"-timeout={HANG}", f"-rss_limit_mb={MEBIBYTES}", f"-max_len={LONGEST}",
            "-print_final_stats=1", f"-artifact_prefix={Path.cwd()}/found-",
        ]  # fmt: skip
        command = [sys.executable, __file__, "--one", name, "--", *words]
        ended = subprocess.run(
            command, check=False, capture_output=True, text=True, errors="replace"
        )
    figures = [
        _last(pattern, ended.stderr)
        for pattern in (
            r"number_of_executed_units: +(\d+)", r"cov: (\d+)", r" in (\d+) second",
            r"peak_rss_mb: +(\d+)",
        )
    ]  # fmt: skip
    code = ended.returncode
    found = "nothing" if code == 0 else FAILURES.get(code, f"a crash ({code})")
    print("{:<18}{:>9}{:>10}{:>9}{:>7}  {}".format(name, *figures, found), flush=True)
    if code:
        print(ended.stdout[-4000:], ended.stderr[-1000:], sep="\n")
    return code != 0


def _last(pattern: str, text: str) -> str:
    return str((re.findall(pattern, text) or ["–"])[-1])


def _seeds(name: str, folder: Path) -> list[str]:
    """Valid files, what once failed, and pieces to put in, as libFuzzer takes them."""
    from fuzz_cases import CORPUS, FUZZED, PIECES, reader_of

    (reader,) = (each for each in FUZZED if each.name == name)
    seeds = folder / "seeds"
    seeds.mkdir()
    failed = [path.read_bytes() for path in CORPUS if reader_of(path).read is reader.read]
    for number, content in enumerate([*reader.seeds, *failed]):
        (seeds / str(number)).write_bytes(content)
    words = ["".join(f"\\x{byte:02x}" for byte in piece) for piece in PIECES]
    (folder / "pieces").write_text("".join(f'"{word}"\n' for word in words))
    return [str(seeds), f"-dict={folder / 'pieces'}"]


def _fuzz(name: str, words: list[str]) -> None:
    """Fuzz a reader in this process, which ends with it."""
    import atheris

    # Numba compiles kernels from their bytecode, which is to be its own.
    source = TESTS.parent / "src"
    kernels = [
        ".".join(path.relative_to(source).with_suffix("").parts)
        for path in source.glob("**/kernels/*.py")
    ]
    with atheris.instrument_imports(include=["cranfield"], exclude=kernels):
        from fuzz_cases import FUZZED, Reader, check, warm_up

    (reader,) = (each for each in FUZZED if each.name == name)
    strict = Reader(name, _strict(reader.read), (), reader.pack)

    def case(data: bytes) -> None:
        check(strict, reader.pack(data))

    warm_up((replace(strict, seeds=reader.seeds),))  # kernels are compiled before cases are timed
    atheris.Setup([sys.argv[0], *words], case)
    atheris.Fuzz()


def _strict(read: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """Read ratings by both ways, and write them and read them again; the rest as it is."""
    from cranfield.collection.source import read_ratings

    return _read_rows if read is read_ratings else read


def _read_rows(path: Path) -> None:
    """Ratings are the same by compiled loops as by Polars, and after they were written."""
    from cranfield.collection.source import read_ratings
    from cranfield.collection.text.rating_files import write_ratings

    found = read_ratings(path)
    rows = _sorted(found)
    with _loops():
        assert _sorted(read_ratings(path)) == rows, "compiled loops read other rows"
    again = path.with_name("again.csv")
    write_ratings(found, again)
    assert _sorted(read_ratings(again)) == rows, "other rows are read than were written"


def _sorted(ratings: Any) -> list[str]:
    """Rows as text, for ids that are integers in one file may be texts in another."""
    return sorted(str([*map(str, row)]) for row in ratings.to_polars().iter_rows())


@contextmanager
def _loops() -> Iterator[None]:
    """Files are read by compiled loops, however short they are."""
    from cranfield.collection.text import fast

    before = fast._MANY_BYTES
    fast._MANY_BYTES = 0
    try:
        yield
    finally:
        fast._MANY_BYTES = before


if __name__ == "__main__":
    sys.exit(main())
