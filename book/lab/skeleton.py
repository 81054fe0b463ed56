"""Writes the students' files, `duoram_lab/`, from the solution: whoever changes an exercise changes it there.

A function or method whose docstring begins with "Exercise" keeps its signature and docstring, and loses its body. All else is
copied as it is. `--check` writes nothing, and fails if the files are not what the solution says.
"""

import ast
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def exercises(tree: ast.AST) -> list:
    """The functions of a syntax tree that are exercises, with their numbers."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            number = re.match(r"Exercise (\d+\.\d+)\. ", ast.get_docstring(node) or "")
            if number:
                found.append((node, number.group(1)))
    return sorted(found, key=lambda found: found[0].lineno)


def skeleton(text: str) -> str:
    """A file of the solution without the bodies of its exercises. Parses as Python 3.9, which students may have."""
    lines = text.splitlines()
    for node, number in reversed(exercises(ast.parse(text, feature_version=(3, 9)))):
        docstring = node.body[0]
        lines[docstring.end_lineno : node.end_lineno] = [
            " " * docstring.col_offset + f'raise NotImplementedError("Exercise {number}: write {node.name}")'
        ]
    return "\n".join(lines) + "\n"


def main(arguments: list) -> int:
    if arguments not in ([], ["--check"]):
        print(f"skeleton.py: expected nothing or --check, got {' '.join(arguments)}", file=sys.stderr)
        return 2
    solution = sorted((HERE / "solution" / "duoram_lab").glob("*.py"))
    stale = []
    for source in solution:
        wanted, file = skeleton(source.read_text(encoding="utf-8")), HERE / "duoram_lab" / source.name
        if arguments:
            if not file.is_file() or file.read_text(encoding="utf-8") != wanted:
                stale.append(source.name)
        else:
            file.write_text(wanted, encoding="utf-8")
    here = {file.name for file in (HERE / "duoram_lab").glob("*.py")}
    stale += sorted(here - {source.name for source in solution})
    for name in stale:
        print(f"skeleton.py: duoram_lab/{name} is not what the solution says: run book/lab/skeleton.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
