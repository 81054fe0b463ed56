"""Which package is tested, where the vectors are, and the table of grades at the end."""

import sys
from pathlib import Path

import pytest

LAB = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(LAB))  # for duoram_given

# Before the folder that is tested comes first on the path: it may have a duoram_given of its own, or anything of such a name.
import duoram_given  # noqa: E402, F401
import judging  # noqa: E402, F401
import toys  # noqa: E402, F401
import vectorfiles  # noqa: E402


def pytest_addoption(parser):
    group = parser.getgroup("laboratory")
    group.addoption("--solution", action="store_true", help="test the reference solution")
    group.addoption("--lab", metavar="FOLDER", help="test the package duoram_lab in this folder")
    group.addoption("--vectors", metavar="FOLDER", help="the folder spec/vectors, if it is elsewhere")


def pytest_configure(config):
    folder = LAB / "solution" if config.getoption("--solution") else LAB
    folder = Path(config.getoption("--lab") or folder).resolve()
    sys.path.insert(0, str(folder))
    import duoram_lab

    found = Path(duoram_lab.__file__).resolve().parent
    if found != folder / "duoram_lab":
        raise pytest.UsageError(f"expected the package {folder / 'duoram_lab'}, got {found}")
    vectorfiles.folder = Path(config.getoption("--vectors") or vectorfiles.folder)
    if not (vectorfiles.folder / "dpf.json").is_file():
        raise pytest.UsageError(f"no test vectors in {vectorfiles.folder}: give --vectors FOLDER")
    config.tested_package = found


def part(nodeid: str) -> str:
    """What a test grades: `3 dpf` of `tests/test_3_dpf.py::...`."""
    return Path(nodeid.split("::")[0]).stem.replace("test_", "", 1).replace("_", " ", 1)


def pytest_terminal_summary(terminalreporter, config):
    grades = {}  # part: passed, wrong, not written
    for outcome, at in (("passed", 0), ("failed", 1)):
        for report in terminalreporter.stats.get(outcome, []):
            if report.when == "call":
                unwritten = at == 1 and "NotImplementedError" in report.longreprtext
                grades.setdefault(part(report.nodeid), [0, 0, 0])[2 if unwritten else at] += 1
    if grades:
        terminalreporter.section("grades")
        terminalreporter.write_line(f"of {config.tested_package}")
        terminalreporter.write_line(f"{'part':16}{'pass':>6}{'wrong':>7}{'not written':>13}")
        for name in sorted(grades):
            passed, wrong, unwritten = grades[name]
            terminalreporter.write_line(f"{name:16}{passed:6}{wrong:7}{unwritten:13}")
