"""Executes the C code of every rank of a case and collects the operations that its calls and memory need."""

import re

import csubset

# Atomics here take words of 64 bits. SHMEM and MPI cases use int, so all their sizes are doubled.
SCALE = {"SHMEM": 2, "MPIRMA": 2, "GASPI": 1}
LANES = ("main", "t1")
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class NotWritten(Exception):
    """A case that cannot be expressed; the message is the reason."""


class OnOtherThread(Exception):
    """A collective on a second thread; the work of the two threads has to be exchanged."""


class Leave(Exception):
    """Leaves a function or the round of a loop."""


class Object:
    """A variable, an array, a window or a segment; `cells` holds the values that are known here."""

    def __init__(self, key, name, kind, size, array=False):
        self.key, self.name, self.kind, self.size, self.array = key, name, kind, size, array
        self.cells = {}


class Pointer:
    def __init__(self, target, offset, kind):
        self.target, self.offset, self.kind = target, offset, kind


class Unknown:
    """A value that memory holds; `origin` is plain, atomic or slot, and `at` the operation that reads it."""

    def __init__(self, origin="plain", place=None, at=None):
        self.origin, self.place, self.at = origin, place, at


class Condition:
    def __init__(self, value, sign, number):
        self.value, self.sign, self.number = value, sign, number


class Case:
    """What all ranks of one case share. A first pass collects the facts, and a second one prints."""

    def __init__(self, path, suite, table):
        self.text = path.read_text()
        self.scale, self.table = SCALE[suite], table
        self.label = re.search(r'"RACE_KIND": "(\w+)"', self.text)[1]
        self.ranks = int(re.search(r'"NPROCS": (\d+)', self.text)[1])
        pair = re.search(r'"RACE_PAIR": \[(.*?)\]', self.text)
        self.pair = {int(line) for line in re.findall(r"@(\d+)", pair[1])} if pair else set()
        self.functions = csubset.Parser(self.text).functions()
        # Facts, by key of an object: calls use it, calls change it, plain code uses it, a put's notice changes it.
        self.memory, self.changed, self.plain, self.noticed = set(), set(), set(), set()
        self.counted, self.locks, self.types = False, {}, {}

    def write(self, name):
        for swapped in (0, 1):
            try:
                self.run(swapped)
                return self.run(swapped).print(name)
            except OnOtherThread:
                continue
        raise NotWritten("collectives on two threads of a rank")

    def run(self, swapped):
        self.swapped = swapped
        self.objects, self.signals, self.teams = {}, {}, {}
        self.sent, self.puts = {}, {}
        self.sinks = self.temporaries = 0
        self.code = []
        for rank in range(self.ranks):
            run = Rank(self, rank)
            run.function("main", [None, None])
            self.code.append(run.code)
        return self

    def signal(self, name, size=1):
        self.signals[name] = max(size, self.signals.get(name, 0))

    def buffer(self, target):
        """The name of an object in the program; it becomes memory."""
        self.memory.add(target.key)
        name = f"m_{target.name}"
        while self.objects.setdefault(name, target).key != target.key:
            name += "_"
        self.objects[name].size = max(self.objects[name].size, target.size)
        return name

    def print(self, name):
        lines = [f"form case-{re.sub(r'[^A-Za-z0-9]', '-', name)[:50].strip('-')}", f"-- Label: {self.label}."]
        lines += [f"scratch {name}[{max(8, target.size)}]" for name, target in self.objects.items()]
        lines += [f"scratch tmp[{8 * self.temporaries}]"] if self.temporaries else []
        lines += [f"scratch sink[{8 * self.sinks}]"] if self.sinks else []
        lines += [f"scratch {name}[8]" for name in sorted(self.puts)]
        lines += [f"scratch {name}[8]" for name in sorted({name for name, rank in self.locks})]
        lines += [f"signal {name}[{size}]" for name, size in self.signals.items()]
        lines += ["barrier everyone"]
        for name, (start, stride, end) in self.teams.items():
            lines += [f"team of_{name} = r % {stride} == {start % stride} and r >= {start} and r < {end}",
                      f"barrier {name} of of_{name}"]
        for lane in LANES:
            if not any(code[lane] for code in self.code):
                continue
            lines += ["", f"lane {lane}: sm(32) {{"]
            for rank, code in enumerate(self.code):
                lines.append(f"  if r == {rank} {{")
                for operation, line in code[lane]:
                    lines.append(f"    {operation() if callable(operation) else operation}  -- line {line}")
                lines.append("  }")
            lines.append("}")
        return "\n".join(lines) + "\n"


class Rank:
    """Executes the code of one rank and collects its operations, lane by lane."""

    def __init__(self, case, rank):
        self.case, self.rank = case, rank
        self.code = {lane: [] for lane in LANES}
        self.lane, self.thread, self.line = "main", None, 0
        self.scopes, self.statics, self.windows, self.segments = [{}], {}, 0, {}
        self.pending = {lane: set() for lane in LANES}
        self.contexts, self.edges, self.channels, self.counted = 0, {}, {}, {}
        self.read_notes, self.exclusive, self.values = {}, set(), 0
        self.start = self.region = None

    # ---- printing

    def emit(self, operation):
        self.code[self.lane].append((operation, self.line))

    def value_name(self):
        self.values += 1
        return f"x{self.values}"

    def place(self, pointer, peer=None):
        """A pointer as a place, at this rank or at a peer."""
        if peer is not None:
            self.case.changed.add(pointer.target.key)
        return f"{self.case.buffer(pointer.target)}{'' if peer is None else f'@{peer}'}[{pointer.offset}]"

    def result(self, pointer):
        """The place where a call leaves its result."""
        self.case.changed.add(pointer.target.key)
        return self.place(pointer)

    def temporary(self):
        self.case.temporaries += 1
        return f"tmp[{8 * (self.case.temporaries - 1)}]"

    def size(self, kind):
        return 8 * self.case.scale if kind[1] else csubset.SIZES.get(kind[0], 4) * self.case.scale

    # ---- memory

    def load(self, pointer):
        known = pointer.target.cells.get(pointer.offset, Unknown())
        if pointer.target.key not in self.case.memory:
            return known
        self.case.plain.add(pointer.target.key)
        width = min(8, self.size(pointer.kind))
        self.emit(f"load {self.value_name()} <- {self.place(pointer)}{f' width {width}' if width < 8 else ''}")
        return Unknown() if pointer.target.key in self.case.changed else known

    def store(self, pointer, value):
        if pointer.target.key in self.case.memory:
            self.case.plain.add(pointer.target.key)
            width = min(8, self.size(pointer.kind))
            number = value if isinstance(value, int) else 1
            self.emit(f"store {self.place(pointer)}{f' width {width}' if width < 8 else ''} <- {number}")
        pointer.target.cells[pointer.offset] = value

    def declare(self, kind, name, sizes, value, static):
        count = 1
        for size in sizes:
            count *= len(value[1]) if size is None else self.evaluate(size)
        key = self.line, name, None if static else self.thread
        target = Object(key, name, kind, self.size(kind) * count, bool(sizes))
        self.scopes[-1][name] = target
        if static:
            # All ranks can reach it, so its value is never taken as known.
            self.case.memory.add(key)
            self.case.changed.add(key)
        values = [] if value is None else value[1] if value[0] == "list" else [value]
        for index, each in enumerate(values):
            place = Pointer(target, index * self.size(kind), kind)
            if static:
                self.initialise(place, self.evaluate(each))
            else:
                self.store(place, self.evaluate(each))

    def initialise(self, place, value):
        """Sets a static variable before the barrier with which the program begins."""
        place.target.cells[place.offset] = value
        if place.target.key in self.case.noticed - self.case.plain:
            return
        number = value if isinstance(value, int) else 1
        self.code["main"].insert(self.start or 0, (f"store {self.place(place)} <- {number}", self.line))
        if self.start is not None:
            self.start += 1

    # ---- expressions

    def evaluate(self, expression):
        what = expression[0]
        if what == "num":
            return expression[1]
        if what == "str":
            return None
        if what == "name":
            return self.named(expression[1])
        if what == "sizeof":
            return self.size(expression[1])
        if what == "cast":
            value = self.evaluate(expression[2])
            if isinstance(value, Pointer):
                return Pointer(value.target, value.offset, (expression[1][0], expression[1][1] - 1))
            return value
        if what == "literal":
            kind, values = expression[1:]
            target = Object((self.line, "literal"), "literal", kind, self.size(kind) * len(values), True)
            for index, value in enumerate(values):
                target.cells[index * self.size(kind)] = self.evaluate(value)
            return Pointer(target, 0, kind)
        if what == "call":
            self.line = expression[3]
            return self.call(expression[1], expression[2])
        if what == "assign":
            value = self.evaluate(expression[3])
            target = self.address(expression[2])
            if expression[1] != "=":
                value = self.compute(expression[1][0], self.load(target), value)
            self.store(target, value)
            return value
        if what == "post" or what == "un" and expression[1] in ("++", "--"):
            target = self.address(expression[2])
            value = self.load(target)
            self.store(target, self.compute(expression[1][0], value, 1))
            return value
        if what == "bin":
            return self.compute(expression[1], self.evaluate(expression[2]), self.evaluate(expression[3]))
        if what == "un" and expression[1] == "&":
            return self.address(expression[2])
        if what == "un" and expression[1] in "-!":
            value = self.evaluate(expression[2])
            return -value if expression[1] == "-" else int(not value)
        if what == "un" and isinstance(self.evaluate(expression[2]), str):
            return self.evaluate(expression[2])
        return self.load(self.address(expression))

    def named(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                pointer = Pointer(scope[name], 0, scope[name].kind)
                return pointer if scope[name].array else self.load(pointer)
        return name

    def address(self, expression):
        if expression[0] == "name":
            for scope in reversed(self.scopes):
                if expression[1] in scope:
                    target = scope[expression[1]]
                    return Pointer(target, 0, target.kind)
            raise NotWritten(f"unknown name {expression[1]}")
        if expression[0] == "index":
            return self.moved(self.evaluate(expression[1]), self.evaluate(expression[2]))
        if expression[0] == "un" and expression[1] == "*":
            return self.moved(self.evaluate(expression[2]), 0)
        raise NotWritten(f"an address of {expression[0]}")

    def moved(self, pointer, count):
        if not isinstance(pointer, Pointer) or not isinstance(count, int):
            raise NotWritten("a pointer that memory holds")
        return Pointer(pointer.target, pointer.offset + count * self.size(pointer.kind), pointer.kind)

    def compute(self, sign, left, right):
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            if sign in OPPOSITE and isinstance(left, Unknown) and isinstance(right, int):
                return Condition(left, sign, right)
            return Unknown()
        if isinstance(left, Pointer):
            return self.moved(left, right if sign == "+" else -right)
        return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
                "/": lambda: left // right, "%": lambda: left % right, "==": lambda: int(left == right),
                "!=": lambda: int(left != right), "<": lambda: int(left < right), ">": lambda: int(left > right),
                "<=": lambda: int(left <= right), ">=": lambda: int(left >= right),
                "&&": lambda: int(bool(left and right)), "||": lambda: int(bool(left or right))}[sign]()

    def call(self, callee, arguments):
        name = self.evaluate(callee)
        values = [self.evaluate(argument) for argument in arguments]
        if name in self.case.functions:
            return self.function(name, values)
        for pattern, translation in self.case.table:
            match = pattern.fullmatch(name)
            if match:
                return translation(self, match, *values)
        raise NotWritten(f"call of {name}")

    def function(self, name, values):
        parameters, body = self.case.functions[name]
        before, self.scopes = self.scopes, [{}]
        for parameter, value in zip(parameters, values):
            kind = (value.kind[0], value.kind[1] + 1) if isinstance(value, Pointer) else ("int", 0)
            target = Object((name, parameter), parameter, kind, self.size(kind))
            target.cells[0] = value
            self.scopes[0][parameter] = target
        try:
            self.execute(body)
        except Leave as result:
            return result.args[1]
        finally:
            self.scopes = before

    # ---- statements

    def execute(self, statement):
        what, self.line = statement[0], statement[-1]
        getattr(self, "do_" + what)(*statement[1:-1])

    def do_decl(self, kind, name, sizes, value, static):
        self.declare(kind, name, sizes, value, static)

    def do_declarations(self, declarations):
        for declaration in declarations:
            self.execute(declaration)

    def do_expr(self, expression):
        self.evaluate(expression)

    def do_block(self, statements):
        self.scopes = self.scopes + [{}]
        depth = len(self.scopes)
        for statement in statements:
            self.execute(statement)
        self.scopes = self.scopes[:depth - 1]

    def do_return(self, value):
        raise Leave("return", value and self.evaluate(value))

    def do_continue(self):
        raise Leave("continue", None)

    def do_if(self, condition, then, otherwise):
        self.execute(then if self.decided(condition) else otherwise)

    def decided(self, condition):
        value = self.evaluate(condition)
        if isinstance(value, (Unknown, Condition)):
            raise NotWritten("a branch that memory decides")
        return value

    def rounds(self, first, condition, step):
        """Yields once for each round of a loop that this script can count."""
        self.scopes = self.scopes + [{}]
        depth = len(self.scopes)
        self.execute(first)
        count = 0
        while self.decided(condition):
            yield count
            count += 1
            self.evaluate(step)
        self.scopes = self.scopes[:depth - 1]

    def do_for(self, first, condition, step, body):
        for _ in self.rounds(first, condition, step):
            self.once(body)

    def once(self, body):
        try:
            self.execute(body)
        except Leave as reason:
            if reason.args[0] == "return":
                raise

    def do_while(self, condition, body):
        line = self.line
        value = self.evaluate(condition)
        if isinstance(value, Condition) and value.value.origin == "slot":
            self.until(value)
            return
        if isinstance(value, Condition):
            # Rounds that plain loads decide: one more is enough to race.
            self.once(body)
            self.line = line
            self.evaluate(condition)
            return
        while value:
            self.once(body)
            value = self.evaluate(condition)

    def do_do(self, body, condition):
        before = len(self.code[self.lane])
        self.once(body)
        value = self.evaluate(condition)
        if isinstance(value, Condition):
            if len(self.code[self.lane]) != before + 1:
                raise NotWritten("a loop that memory decides")
            self.until(value)

    def until(self, condition):
        """Replaces the read of a polling loop by a wait for the value that ends the loop."""
        lane, index = condition.value.at
        sign = OPPOSITE[condition.sign]
        line = self.code[lane][index][1]
        if condition.value.origin == "slot":
            self.code[lane].pop(index)
            self.await_signal(condition.value.place, sign, condition.number)
        else:
            self.code[lane][index] = f"wait {condition.value.place} {sign} {condition.number} relaxed", line

    # ---- threads

    def do_pragma(self, words, body):
        getattr(self, "omp_" + words[0])(words, body)

    def edge(self, *key):
        """A slot of this rank's own, by which one of its threads signals the other once."""
        index = self.edges.setdefault((self.region, *key), len(self.edges))
        self.case.signal("thread", index + 1)
        return f"thread[{index}]@{self.rank}"

    def tell(self, *key):
        self.emit(f"signal {self.edge(*key)} set epoch release")

    def hear(self, *key):
        self.emit(f"await {self.edge(*key)} reached epoch acquire")

    def omp_parallel(self, words, body):
        self.region = self.line
        self.tell("fork")
        self.tasks, scopes = [], self.scopes
        for thread in (self.case.swapped, 1 - self.case.swapped):
            self.thread, self.lane = thread, LANES[thread]
            self.barriers = self.sections = 0
            if thread:
                self.hear("fork")
            self.scopes = scopes + [{}]
            self.execute(body)
            if thread:
                self.tell("join")
        self.thread, self.lane, self.scopes = None, "main", scopes
        self.hear("join")

    def omp_barrier(self, *_):
        self.barriers += 1
        self.tell("barrier", self.barriers, self.thread)
        self.hear("barrier", self.barriers, 1 - self.thread)

    def omp_master(self, words, body):
        if self.thread == 0:
            self.execute(body)

    def omp_single(self, words, body):
        if self.thread == self.case.swapped:
            self.execute(body)
        else:
            for number, (task, scopes) in enumerate(self.tasks):
                before, self.scopes = self.scopes, scopes
                self.hear("task", number)
                self.execute(task)
                self.tell("end of task", number)
                self.scopes = before
        if "nowait" not in words:
            self.omp_barrier()

    def omp_task(self, words, body):
        self.tell("task", len(self.tasks))
        self.tasks.append((body, self.scopes))

    def omp_taskwait(self, *_):
        for number in range(len(self.tasks)):
            self.hear("end of task", number)

    def omp_sections(self, words, body):
        for section in body[1]:
            if (self.sections + self.case.swapped) % 2 == self.thread:
                self.execute(section)
            self.sections += 1
        self.omp_barrier()

    def omp_section(self, words, body):
        self.execute(body)

    def omp_for(self, words, body):
        line = self.line
        for self.round in self.rounds(*body[1:4]):
            if self.round % 2 == self.thread:
                self.once(body[4])
        self.line = line
        self.omp_barrier()

    def omp_ordered(self, words, body):
        if self.round:
            self.hear("ordered", self.round - 1)
        self.execute(body)
        self.tell("ordered", self.round)

    def omp_atomic(self, words, body):
        expression = body[1]
        if words[1:] == ["read"]:
            place = self.place(self.address(expression[3]))
            self.emit(f"load {self.value_name()} <- {place} relaxed")
            at = self.lane, len(self.code[self.lane]) - 1
            self.store(self.address(expression[2]), Unknown("atomic", place, at))
        else:
            self.emit(f"atomic {self.place(self.address(expression[2]), self.rank)} add 1")

    # ---- calls that several interfaces share

    def meet(self, barrier="everyone"):
        if self.lane != "main":
            raise OnOtherThread
        self.emit(f"meet {barrier}")

    def barrier(self):
        if self.lane != "main":
            raise OnOtherThread
        self.other_thread()
        self.emit("barrier everyone")
        self.pending["main"].discard(0)

    def quiet(self, *contexts):
        """Completes the calls of these contexts, and of the thread that has ended."""
        for context in contexts:
            if context in self.pending[self.lane] or context == 0:
                self.emit(f"quiet{f' via {context}' if context else ''}")
        self.pending[self.lane] -= set(contexts)
        if 0 in contexts:
            self.other_thread()

    def other_thread(self):
        if self.thread is None and self.pending["t1"]:
            key = len(self.edges)
            self.tell("quiet", key)
            self.lane = "t1"
            self.hear("quiet", key)
            for context in sorted(self.pending["t1"]):
                self.emit(f"quiet via {context}" if context else "quiet")
            self.tell("quiet done", key)
            self.pending["t1"].clear()
            self.lane = "main"
            self.hear("quiet done", key)

    def issue(self, operation, context=0, blocking=False):
        self.pending[self.lane].add(context)
        self.emit(operation + (f" via {context}" if context else "") + ("" if blocking else " nb"))

    def put(self, there, peer, here, size, context=0, blocking=False, middle=""):
        if self.case.counted:
            # A thread counts its rank's puts to itself, an interface all others. The two share no word.
            counter = f"sent_{self.lane}{'_here' if peer == self.rank else ''}"
            self.case.puts.setdefault(counter, {}).setdefault(self.rank, 0)
            self.case.puts[counter][self.rank] += 1
            middle += f" counter {counter}[0]"
        self.issue(f"put {there} <- {here} bytes {size}{middle}", context, blocking)

    def sources_read(self):
        """Waits until the sources of all puts so far were read; says nothing about their targets."""
        for counter in sorted(self.case.puts):
            puts = self.case.puts[counter]
            if puts.get(self.rank):
                self.emit(lambda counter=counter, puts=puts, sofar=puts[self.rank]:
                          f"wait {counter}[0] reached (epoch - 1) * {puts[self.rank]} + {sofar} acquire")

    def get(self, here, there, peer, size, context=0, blocking=False):
        self.issue(f"get {here} <- {there} bytes {size}", context, blocking)

    def atomic(self, there, peer, change, kind, result=None, context=0, blocking=True):
        if self.size(kind) < 8:
            raise NotWritten(f"an atomic on {kind[0]}")
        kinds = self.case.types.setdefault(there.target.key, set())
        kinds.add(kind[0])
        if len(kinds) > 1:
            raise NotWritten(f"atomics of several types on one word: {', '.join(sorted(kinds))}")
        place = self.place(there, peer)
        if result is None:
            self.pending[self.lane].add(context)
            self.emit(f"atomic {place} {change}{f' via {context}' if context else ''}")
        else:
            self.issue(f"atomic {result} <- {place} {change}", context, blocking)

    def operand(self, pointer, size, peer):
        """A call reads this operand some time before it completes: a put of it to a place that nobody uses."""
        for offset in range(0, size, 8):
            self.case.sinks += 1
            self.put(f"sink@{peer}[{8 * (self.case.sinks - 1)}]", peer,
                     self.place(Pointer(pointer.target, pointer.offset + offset, pointer.kind)), 8)

    def send(self, channel, peer, index=0):
        key = channel, index, self.rank, peer
        self.channels[key] = self.channels.get(key, 0) + 1
        self.case.signal(channel, index + 1)
        self.emit(f"signal {channel}[{index}]@{peer} set (epoch - 1) * 16 + {self.channels[key]} release")

    def receive(self, channel, peer, index=0):
        key = channel, index, peer, self.rank
        self.channels[key] = self.channels.get(key, 0) + 1
        self.case.signal(channel, index + 1)
        self.emit(f"await {channel}[{index}]@{peer} reached (epoch - 1) * 16 + {self.channels[key]} acquire")

    def assign(self, pointer, value):
        """Sets a variable that a call returns through a pointer."""
        pointer.target.cells[pointer.offset] = value

    def note(self, signal, peer, number=1):
        """Records a change of a slot at a peer."""
        sent = self.case.sent.setdefault((signal, peer), {})
        sent[self.rank] = sent.get(self.rank, 0) + number

    def senders(self, signal):
        """The ranks whose notes a wait that starts now may see."""
        sent = self.case.sent.get((signal, self.rank), {})
        own = sent.get(self.rank)

        def answer():
            ranks = [rank for rank in sorted(sent) if rank != self.rank or own]
            return ranks, sum(sent[rank] for rank in ranks)
        self.case.sent.setdefault((signal, self.rank), sent)
        return answer

    def await_signal(self, signal, sign, number):
        """Waits for notes in one slot, by whichever ranks send them."""
        if sign not in ("==", ">="):
            raise NotWritten(f"a signal awaited with {sign}")
        senders = self.senders(signal)

        def text():
            ranks, total = senders()
            if not ranks:
                raise NotWritten("a signal that nobody sends")
            named = {self.case.ranks: "all"}.get(len(ranks), "peers")
            if len(ranks) > 1 and named == "peers" and (len(ranks) < self.case.ranks - 1 or self.rank in ranks):
                raise NotWritten("a signal that some ranks send")
            source = f"{signal}@{ranks[0]}" if len(ranks) == 1 else f"{signal}@{named}"
            return (f"await {'sum ' if len(ranks) > 1 else ''}{source} reached "
                    f"(epoch - 1) * {total} + {number} acquire")
        self.emit(text)
