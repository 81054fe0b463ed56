"""Checks the laboratory itself: `ci/lab` runs it with the pytest that `requirements.txt` pins.

    check.py                    all but `each`
    check.py skeleton           `duoram_lab/` is the solution without its bodies, and fails for want of them only
    check.py solution           the reference solution passes every test
    check.py mistakes [NAME...] each mistake of mistakes.tsv makes a test fail that names the concept
    check.py each               each exercise that is not written is missed by a test: a minute
"""

import ast
import csv
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Dict, List, NamedTuple

import skeleton

HERE = Path(__file__).resolve().parent
SOLUTION = HERE / "solution"


class Wrong(Exception):
    """A check failed."""


class Run(NamedTuple):
    """What the tests said of a package."""

    passed: List[str]
    failed: Dict[str, str]  # by test, in the order in which they ran: the message


def run(*arguments: str) -> Run:
    """Runs the tests of the laboratory."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch, "report.xml")
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}"]
        done = subprocess.run([*command, *arguments, "tests"], cwd=HERE, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1) or not report.is_file():
            raise Wrong(f"the tests do not run:\n{done.stdout}{done.stderr}")
        passed, failed = [], {}
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname')}::{case.get('name')}"
            problems = [child for child in case if child.tag in ("failure", "error", "skipped")]
            if problems:
                failed[name] = problems[0].get("message", "")
            else:
                passed.append(name)
    if not passed and not failed:
        raise Wrong("no tests were found")
    return Run(passed, failed)


def check_solution() -> str:
    result = run("--solution")
    if result.failed:
        raise Wrong("the solution fails:\n" + "\n".join(f"{name}: {why}" for name, why in result.failed.items()))
    return f"the solution passes {len(result.passed)} tests"


def check_skeleton() -> str:
    if skeleton.main(["--check"]) != 0:
        raise Wrong("duoram_lab/ is not what the solution says")
    result = run()
    early = [name for name in result.passed if "test_0_given" not in name]
    if early:
        raise Wrong("these pass before anything is written: " + ", ".join(early))
    for name, why in result.failed.items():
        if "test_0_given" in name or not re.match(r"NotImplementedError: Exercise \d+\.\d+: write ", why):
            raise Wrong(f"{name} should fail for want of an exercise only: {why}")
    given = f"passes {len(result.passed)} of what is given"
    return f"the skeleton fails {len(result.failed)} tests for want of exercises only, and {given}"


def planted(file: str, old: str, new: str) -> Run:
    """The tests of the solution with a change, up to the first that fails."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(SOLUTION / "duoram_lab", Path(scratch, "duoram_lab"))
        changed = Path(scratch, "duoram_lab", file)
        text = changed.read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise Wrong(f"{file} has {text.count(old)} times, not once: {old}")
        changed.write_text(text.replace(old, new), encoding="utf-8")
        return run(f"--lab={scratch}", "-x")


def read_mistakes(wanted: List[str]) -> List[Dict[str, str]]:
    """The rows of mistakes.tsv, all or some."""
    text = (HERE / "mistakes.tsv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    unknown = set(wanted) - {row["name"] for row in rows}
    if unknown:
        raise Wrong(f"no such mistake: {', '.join(sorted(unknown))}")
    return [row for row in rows if not wanted or row["name"] in wanted]


def judged(row: Dict[str, str]) -> str:
    """Why a mistake does not get the answer that it should, or nothing. Prints the answer that it gets."""
    old, new = (row[column].replace("\\n", "\n") for column in ("old", "new"))
    failed = planted(row["file"], old, new).failed
    if not failed:
        return f"{row['name']}: no test notices it: {row['mistake']}"
    name, message = next(iter(failed.items()))
    named = re.match(r"Failed: concept: (.*)", message)
    if not named or row["concept"] not in named.group(1):
        return f"{row['name']}: {name} should name the concept {row['concept']!r}, and says:\n{message}"
    print(f"{row['name']}: {name.split('::')[1]}: {named.group(1)}", flush=True)
    return ""


def check_mistakes(wanted: List[str]) -> str:
    rows = read_mistakes(wanted)
    wrong = [why for why in map(judged, rows) if why]
    if wrong:
        raise Wrong("\n".join(wrong))
    return f"each of {len(rows)} mistakes fails a test, of which the first names its concept"


def check_each() -> str:
    count = 0
    for source in sorted((SOLUTION / "duoram_lab").glob("*.py")):
        text = source.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        for node, number in skeleton.exercises(ast.parse(text)):
            docstring = node.body[0]
            old = "".join(lines[node.lineno - 1 : node.end_lineno])
            kept = "".join(lines[node.lineno - 1 : docstring.end_lineno])
            new = kept + " " * docstring.col_offset + f'raise NotImplementedError("Exercise {number}")\n'
            failed = planted(source.name, old, new).failed
            if not any(f"NotImplementedError: Exercise {number}" in why for why in failed.values()):
                raise Wrong(f"no test misses exercise {number}, {node.name}")
            count += 1
    return f"each of {count} exercises is missed by a test"


def main(arguments: List[str]) -> int:
    checks = {
        "skeleton": lambda: check_skeleton(),
        "solution": lambda: check_solution(),
        "mistakes": lambda: check_mistakes(arguments[1:]),
        "each": lambda: check_each(),
    }
    if arguments and (arguments[0] not in checks or (arguments[1:] and arguments[0] != "mistakes")):
        expected = "nothing, skeleton, solution, mistakes [NAME...] or each"
        print(f"check.py: expected {expected}, got {' '.join(arguments)}", file=sys.stderr)
        return 2
    try:
        for name in arguments[:1] or ["skeleton", "solution", "mistakes"]:
            print(f"lab: {checks[name]()}", flush=True)
    except Wrong as wrong:
        print(f"lab: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
