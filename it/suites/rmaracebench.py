#!/usr/bin/env python3
"""Writes the cases of RMARaceBench as programs and compares `oriel check` with their labels.

    rmaracebench.py FOLDER [--out DIR] [--only WORD] [--links rdma|nvlink] [-- OPTIONS OF CHECK]

FOLDER is a checkout of the suite. Every rank's C code is executed once with its rank and the number of ranks. Calls,
and accesses to memory that calls use, are printed as operations; everything else is computed here. So functions,
pointers and loops leave no trace in the program. The exit code is 1 if `check` says nothing about a labelled race.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import calls
import csubset
import rankcode

ORIEL = pathlib.Path(__file__).resolve().parents[2] / "oriel"


class Found:
    """What `oriel check` says: the kind of violation, "none" or "refused", and the lines of C that it names."""

    def __init__(self, program, ranks, links, options):
        world = f"{ranks}x1" if links == "rdma" else f"1x{ranks}"
        answer = subprocess.run([ORIEL, "check", program, "--world", world, "--json", *options],
                                capture_output=True, text=True)
        self.kind, self.reason, self.lines, self.complete = "refused", answer.stderr.strip(), set(), False
        if not answer.stdout.startswith("{"):
            return
        verdict = json.loads(answer.stdout)
        if verdict["violation"]:
            violation = verdict["violation"][0]
            self.kind, self.reason = violation["kind"], violation["message"]
            self.lines = {int(place["text"].rsplit(" ", 1)[1]) for place in violation["places"]}
        elif verdict["refused"]:
            self.reason = str(verdict["refused"])
        elif verdict["verdict"] == "holds":
            self.kind, self.reason = "none", ""
            self.complete = all(combination["complete"] for combination in verdict["combinations"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="keep the programs here")
    parser.add_argument("--only", default="", help="cases whose path contains this")
    parser.add_argument("--links", choices=("rdma", "nvlink"), default="rdma", help="one rank a host, or one host")
    parser.add_argument("--write", action="store_true", help="write the programs and check none")
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    passed = sys.argv[end + 1:]
    out = options.out or pathlib.Path(tempfile.mkdtemp())
    out.mkdir(parents=True, exist_ok=True)
    table, missed = [], False
    for suite in rankcode.SCALE:
        cases = [path for path in sorted(options.folder.glob(f"{suite}/*/*.c")) if options.only in str(path)]
        written = right = placed = races = sampled = 0
        for path in cases:
            try:
                case = rankcode.Case(path, suite, calls.TABLE)
                program = out / f"{path.stem}.oriel"
                program.write_text(case.write(path.stem))
            except (rankcode.NotWritten, csubset.Unreadable) as reason:
                print(f"not written  {path.stem}: {reason}", flush=True)
                continue
            written += 1
            if options.write:
                continue
            found = Found(program, case.ranks, options.links, passed)
            if found.kind == "none" and not found.complete:
                print(f"sampled  {path.stem}: not every order was explored", flush=True)
                sampled += 1
            if found.kind == ("none" if case.label == "none" else "race"):
                right += 1
                races += case.label != "none"
                placed += case.label != "none" and found.lines <= case.pair
                if case.label != "none" and not found.lines <= case.pair:
                    print(f"elsewhere  {path.stem}: labelled at lines {sorted(case.pair)}, "
                          f"found at {sorted(found.lines)}", flush=True)
            else:
                print(f"other  {path.stem}: labelled {case.label}, found {found.kind}. {found.reason}", flush=True)
                missed |= found.kind == "none"
        table.append((suite, len(cases), written, right, written - right, races, placed, sampled))
    row = "{:8} {:>7} {:>8} {:>12} {:>6} {:>7} {:>19} {:>8}"
    print(row.format("", "cases", "written", "as labelled", "other", "races", "at labelled lines", "sampled"))
    for numbers in table:
        print(row.format(*numbers))
    sys.exit(missed)


if __name__ == "__main__":
    main()
