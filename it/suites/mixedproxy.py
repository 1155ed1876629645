#!/usr/bin/env python3
"""Checks the litmus tests of NVlabs/mixedproxy with `oriel litmus`.

    mixedproxy.py FOLDER [--out DIR] [--model ptx-7.5]

FOLDER is a checkout of the suite. Each test, and each row of a table of parameters, becomes one file in our
litmus dialect. `permit (c)` becomes `exists (c)`, which should be allowed. `assert (c)` becomes `forall (c)`,
which should be always. A load with `== v` restricts the executions that the condition speaks of.
The exit code is 1 if a verdict differs from the suite's expectation.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ORIEL = pathlib.Path(__file__).resolve().parents[2] / "oriel"
PROXIES = {"ld": "generic", "st": "generic", "atom": "generic",
           "suld": "surface", "sust": "surface", "tld": "texture"}


class NotWritten(Exception):
    """A test that this script cannot express; the message is the reason."""


def instances(text):
    """Yields (suffix, text): the test itself, or one text for each row of its parameter table."""
    body, *table = re.sub(r"//[^\n]*", "", text).split("$$")
    rows = [row for row in "".join(table).split("\n") if row.strip() and not row.startswith("#")]
    if not table:
        yield "", body
    for number, row in enumerate(rows, 1):
        instance = body
        for index, value in enumerate(row.split("|")):
            instance = instance.replace(f"${index}", value.strip())
        yield f"-{number:02}", instance


def location(line):
    """A declaration of memory, as entries of our init block."""
    space, name, kind, target = re.fullmatch(
        r"\.(\w+) (\w+)(?: (virtually|physically) aliases (\w+))?", line).groups()
    if space not in ("global", "texref", "surfref"):
        raise NotWritten(f"state space .{space}")
    if target is None:
        return f"{name}=0;"
    proxy = {"global": "generic", "texref": "texture", "surfref": "surface"}[space]
    return f"{name} @ {proxy} aliases {target};"


def instruction(line):
    """Returns our instruction, the register that it sets, and the value that the suite demands of it."""
    if line.startswith("fence.proxy") or line == "fence.alias":
        return line.replace("fence.alias", "fence.proxy.alias"), None, None
    if line.startswith("fence."):
        return line, None, None
    word, rest = line.split(None, 1)
    name, *parts = word.split(".")
    if name not in PROXIES:
        raise NotWritten(f"instruction {name}")
    operation = [parts.pop(0)] if name == "atom" else []
    if parts == ["volatile"]:
        parts = ["relaxed", "sys"]
    order = ".".join([name, *(parts or ["weak"]), *operation])
    rest, _, demanded = (part.strip() for part in rest.partition("=="))
    operands = [re.sub(r"[\[\]]", "", part).strip() for part in rest.split(",")]
    register = operands[0] if not name.endswith("st") else None
    return f"{order} {', '.join(operands)}", register, demanded or None


def convert(name, text):
    """Returns the text in our dialect and the verdict that the suite expects."""
    threads = re.findall(r"d(\d+)\.b(\d+)\.t\d+\s*\{(.*?)\}", text, re.S)
    head = text[:text.index("{")].rsplit(";", 1)[0]
    init = [location(re.sub(r"\s+", " ", line.strip())) for line in head.split(";") if line.strip()]
    columns, owner, demands = [], {}, []
    for index, (device, block, body) in enumerate(threads):
        column = [f"P{index}@cta {block},gpu {device}"]
        for line in filter(None, (part.strip() for part in body.split(";"))):
            written, register, demanded = instruction(line)
            column.append(written)
            if register:
                owner[register] = f"P{index}:{register}"
                init.append(f"P{index}:{register}=0;")
            if demanded:
                demands.append(f"P{index}:{register} == {demanded}")
        columns.append(column)
    claims = re.findall(r"\b(permit|assert|check)\s*\((.*?)\)\s*as\s+\w+\s*;", text, re.S)
    if len(claims) != 1:
        raise NotWritten(f"{len(claims)} claims")
    kind, condition = claims[0]
    condition = re.sub(r"\br\d+\b", lambda match: owner[match[0]], condition)
    condition = condition.replace("&&", "/\\").replace("||", "\\/")
    given = " /\\ ".join(demands)
    connective = "=>" if kind == "assert" else "/\\"
    quantifier = "forall" if kind == "assert" else "exists"
    if demands:
        condition = f"({given}) {connective} ({condition})"
    last = f"{quantifier} ({condition})"
    height = max(map(len, columns))
    rows = [" | ".join((column + [""] * height)[row] for column in columns) + " ;" for row in range(height)]
    lines = [f"PTX {name}", "{", *init, "}", *rows, last]
    return "\n".join(lines) + "\n", "always" if kind == "assert" else "allowed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="keep the converted files here")
    parser.add_argument("--model", default="ptx-7.5")
    options = parser.parse_args()
    out = options.out or pathlib.Path(tempfile.mkdtemp())
    out.mkdir(parents=True, exist_ok=True)
    expected, rows = {}, 0
    for source in sorted(options.folder.glob("tests/*.test")):
        for suffix, text in instances(source.read_text()):
            rows += 1
            name = source.stem + suffix
            try:
                written, expected[name] = convert(name, text)
                (out / f"{name}.litmus").write_text(written)
            except NotWritten as reason:
                print(f"not written  {name}: {reason}")
    files = [str(out / f"{name}.litmus") for name in expected]
    answer = subprocess.run([ORIEL, "litmus", "--json", "--model", options.model, *files],
                            capture_output=True, text=True)
    if not answer.stdout:
        sys.exit(answer.stderr)
    tests = json.loads(answer.stdout)["tests"]
    agreed = 0
    for test in tests:
        name = pathlib.Path(test["path"]).stem
        if test["verdict"] == expected[name]:
            agreed += 1
        else:
            print(f"other  {name}: expected {expected[name]}, found {test['verdict']}")
    differing = sum(test["crossCheck"]["result"] == "differs" for test in tests if "crossCheck" in test)
    print(f"rows {rows}, written {len(tests)}, as expected {agreed}, other {len(tests) - agreed}; "
          f"engines differ in {differing}")
    sys.exit(agreed < rows or differing > 0)


if __name__ == "__main__":
    main()
