#!/usr/bin/env python3
"""Draws litmus tests for GPUs, for `oriel sample` and `oriel litmus`: known shapes, with every strength and scope.

    draw.py FOLDER       for one GPU: 4,765 files, always the same ones
    draw.py FOLDER 2     for two GPUs, with threads on both: 5,572 files, always the same ones
    draw.py FOLDER meet  for one GPU, with threads that meet at block barriers: 5,176 files
    draw.py FOLDER clusters   for one GPU, with scope cluster: 2,712 files

A shape says what each thread stores and loads, and which outcome would be odd. How a thread does so is one of 25 modes:
weak; or with a scope relaxed, releasing and acquiring, relaxed or weak around a fence, or by updates. Shapes of two
threads meet all pairs of modes of one scope, and some of two scopes (on two GPUs all); larger ones are drawn. Threads
of a GPU share blocks or not. A scope that does not reach the other GPU is among the modes like any other. Where threads
meet at a barrier, a fence follows the barrier, or separates the accesses on one side of it.
"""
import itertools
import os
import random
import sys

SCOPES = ["cta", "gpu", "sys"]
STRENGTHS = ["rlx", "ra", "far", "fsc", "war", "wsc", "up", "upr"]
MODES = [("weak", None)] + [(mode, scope) for scope in SCOPES for mode in STRENGTHS]
FENCES = {"far": "acq_rel", "war": "acq_rel", "fsc": "sc", "wsc": "sc"}
UPDATES = {"up": "relaxed", "upr": "acq_rel"}
BLOCKS = {
    2: [(0, 0), (0, 1)],
    3: [(0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 0, 0)],
    4: [(0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 2, 3), (0, 0, 0, 1), (0, 0, 1, 2)],
}

# Threads: x1 stores 1 to x, x loads it. Outcomes: 1a is what the second thread's first load gets, x what is left there.
PAIRS = {
    "MP": ("x1 y1 | y x", "1a=1 1b=0"),
    "SB": ("x1 y | y1 x", "0a=0 1a=0"),
    "LB": ("x y1 | y x1", "0a=1 1a=1"),
    "S": ("x2 y1 | y x1", "1a=1 x=2"),
    "R": ("x1 y1 | y2 x", "y=2 1a=0"),
    "22W": ("x2 y1 | y2 x1", "x=2 y=2"),
    "CoRR": ("x1 | x x", "1a=1 1b=0"),
}
LARGER = {
    "WRC": ("x1 | x y1 | y x", "1a=1 2a=1 2b=0"),
    "ISA2": ("x1 y1 | y z1 | z x", "1a=1 2a=1 2b=0"),
    "RWC": ("x1 | x y | y1 x", "1a=1 1b=0 2a=0"),
    "WWC": ("x2 | x y1 | y x1", "1a=2 2a=1 x=2"),
    "Z6": ("x1 y1 | y2 z1 | z x", "y=2 2a=1 2b=0"),
    "IRIW": ("x1 | x y | y1 | y x", "1a=1 1b=0 3a=1 3b=0"),
}
# At ! a thread meets the others of its block that do. With the blocks of the threads.
MEETINGS = {
    "MPb": ("x1 ! | ! x", "1a=0", [(0, 0)]),
    "SBb": ("x1 ! y | y1 ! x", "0a=0 1a=0", [(0, 0)]),
    "told": ("x1 ! | ! y1 | y x", "2a=1 2b=0", [(0, 0, 1), (0, 0, 0)]),
    "heard": ("x1 y1 | y ! | ! x", "1a=1 2a=0", [(0, 1, 1), (0, 0, 0)]),
    "both": ("x1 ! | ! y1 | y ! | ! x", "2a=1 3a=0", [(0, 0, 1, 1)]),
    "crossed": ("x1 ! | ! y | y1 ! | ! x", "1a=0 3a=0", [(0, 0, 1, 1)]),
    "passed": ("x1 y1 | y ! | ! z1 | z x", "1a=1 3a=1 3b=0", [(0, 1, 1, 2), (0, 1, 1, 0)]),
}


def placements(threads, gpus):
    """The GPU and block of each thread: on two GPUs, all that differ by more than the names of GPUs and blocks."""
    if gpus == 1:
        return [[(0, block) for block in blocks] for blocks in BLOCKS[threads]]

    def in_turn(placed):
        seen = [{b for g, b in placed[:k] if g == gpu} for k, (gpu, _) in enumerate(placed)]
        return all(block <= len(blocks) for (_, block), blocks in zip(placed, seen))

    spread = itertools.product(itertools.product(range(gpus), range(threads)), repeat=threads)
    return [p for p in spread if p[0][0] == 0 and len({gpu for gpu, _ in p}) == gpus and in_turn(p)]


def access(step, mode, scope, register):
    """One step's instruction; a register is used where it loads or updates."""
    word, value = step[0], step[1:]
    if mode in UPDATES:
        update = f"exch.{UPDATES[mode]}" if value else f"add.{UPDATES[mode]}"
        return f"atom.{update}.{scope} {register}, {word}, {value or 0}"
    if mode in ("weak", "war", "wsc"):
        strength = "weak"
    elif mode == "ra":
        strength = ("release." if value else "acquire.") + scope
    else:
        strength = f"relaxed.{scope}"
    return f"st.{strength} {word}, {value}" if value else f"ld.{strength} {register}, {word}"


def thread(steps, mode, scope):
    """The instructions, and the registers of its loads."""
    instructions, loads, registers = [], [], 0
    for step in steps:
        if step == "!":
            instructions.append("bar.cta.sync 0")
            continue
        if instructions and mode in FENCES:
            instructions.append(f"fence.{FENCES[mode]}.{scope}")
        register = f"r{registers}"
        instructions.append(access(step, mode, scope, register))
        if mode in UPDATES or not step[1:]:
            registers += 1
        if not step[1:]:
            loads.append(register)
    return instructions, loads


def write(folder, shape, threads, odd, modes, placed, clusters=()):
    columns, loads = zip(*(thread(t.split(), *m) for t, m in zip(threads, modes)))

    def term(text):
        left, value = text.split("=")
        place = f"P{left[0]}:{loads[int(left[0])]['ab'.index(left[1])]}" if left[0].isdigit() else left
        return f"{place} == {value}"

    words = sorted({step[0] for t in threads for step in t.split()} - {"!"})
    within = [f"cluster {cluster}," for cluster in clusters] or [""] * len(placed)
    rows = [[f"P{k}@cta {block},{within[k]}gpu {gpu}" for k, (gpu, block) in enumerate(placed)]]
    rows += itertools.zip_longest(*columns, fillvalue="")
    widths = [max(map(len, column)) for column in zip(*rows)]
    how = "-".join(mode + (scope or " ")[0].strip() for mode, scope in modes)
    gpus, blocks = ("".join(map(str, numbers)) for numbers in zip(*placed))
    name = f"{shape}-{how}-{blocks}" + (f"-gpu{gpus}" if "1" in gpus else "")
    name += "-cluster" + "".join(map(str, clusters)) if clusters else ""
    with open(os.path.join(folder, name + ".litmus"), "w") as out:
        out.write(f'PTX {name}\n"drawn"\n{{\n{" ".join(w + "=0;" for w in words)}\n}}\n')
        for row in rows:
            out.write(" " + " | ".join(c.ljust(w) for c, w in zip(row, widths)) + " ;\n")
        out.write("exists (" + " /\\ ".join(map(term, odd.split())) + ")\n")


def meetings(folder):
    draw = random.Random(17)
    for shape, (text, odd, blocks) in MEETINGS.items():
        threads = text.split(" | ")
        # A thread with one store or load besides its barrier does it weakly, as programs do.
        speaking = [k for k, t in enumerate(threads) if any(step[0] in "yz" for step in t.split())]
        pairs = list(itertools.product(MODES, repeat=2)) if len(speaking) == 2 else [
            [draw.choice(MODES) for _ in speaking] for _ in range(400)
        ]
        for some in pairs if speaking else [()]:
            modes = [some[speaking.index(k)] if k in speaking else MODES[0] for k in range(len(threads))]
            for placed in blocks:
                write(folder, shape, threads, odd, modes, [(0, block) for block in placed])


def clusters(folder):
    modes = [MODES[0]] + [(mode, scope) for scope in ["cluster", "gpu", "cta"] for mode in STRENGTHS]
    for shape, (text, odd) in PAIRS.items():
        for pair in itertools.product(modes, modes):
            scopes = [scope for _, scope in pair]
            if "cluster" not in scopes or (shape == "CoRR" and pair[0][0] in FENCES):
                continue
            for together in [(0, 0), (0, 1)]:
                write(folder, shape, text.split(" | "), odd, pair, [(0, 0), (0, 1)], together)


def on_gpus(folder, gpus):
    draw = random.Random(15)
    for shape, (text, odd) in PAIRS.items():
        for modes in itertools.product(MODES, MODES):
            if shape == "CoRR" and modes[0][0] in FENCES:
                continue  # no access that the fence would follow
            for placed in placements(2, gpus):
                if gpus == 2 or len({scope for _, scope in modes if scope}) <= 1 or draw.random() < 0.15:
                    write(folder, shape, text.split(" | "), odd, modes, placed)
    for shape, (text, odd) in LARGER.items():
        threads = text.split(" | ")
        placed = placements(len(threads), gpus)
        for _ in range(150 if gpus == 1 else 250):
            # Over two GPUs hardly anything of a narrower scope forbids the outcome.
            scope = draw.choice(SCOPES if gpus == 1 else SCOPES + 3 * ["sys"])
            modes = [draw.choice([m for m in MODES if m[1] in (None, scope) or draw.random() < 0.2]) for _ in threads]
            write(folder, shape, threads, odd, modes, draw.choice(placed))


SETS = {
    "1": lambda folder: on_gpus(folder, 1),
    "2": lambda folder: on_gpus(folder, 2),
    "meet": meetings,
    "clusters": clusters,
}

if __name__ == "__main__":
    which = "".join(sys.argv[2:] or ["1"])
    if len(sys.argv) not in (2, 3) or which not in SETS:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    SETS[which](sys.argv[1])
