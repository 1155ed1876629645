"""The calls of OpenSHMEM, GASPI and MPI RMA, each with the operations that it becomes: see TABLE at the end."""

import re

from rankcode import NotWritten, Object, Pointer, Unknown

ORDERS = {"SHMEM_CMP_EQ": "==", "SHMEM_CMP_NE": "!=", "SHMEM_CMP_GE": ">=", "SHMEM_CMP_GT": ">"}


# ---- OpenSHMEM

def shmem_context(run, match, values):
    """Splits the arguments of a call with or without a context."""
    if match["ctx"]:
        context = values[0]
        if context[0] == "SHMEM_TEAM_SHARED":
            raise NotWritten("atomics of several domains")
        return context[1], values[1:]
    return 0, values


def shmem_kind(match, pointer):
    return (match["type"] + ("_t" if match["type"].startswith("uint") else ""), 0) if match["type"] else pointer.kind


def shmem_put(run, match, *values):
    context, (there, here, count, peer) = shmem_context(run, match, values)
    size = count * run.size(shmem_kind(match, there))
    run.put(run.place(there, peer), peer, run.place(here), size, context, not match["nbi"])


def shmem_get(run, match, *values):
    context, (here, there, count, peer) = shmem_context(run, match, values)
    size = count * run.size(shmem_kind(match, there))
    run.get(run.result(here), run.place(there, peer), peer, size, context, not match["nbi"])


def shmem_iput(run, match, there, here, there_step, here_step, count, peer):
    size = run.size(shmem_kind(match, there))
    run.issue(f"put {run.place(there, peer)} <- {run.place(here)} bytes {size}"
              f" count {count} step {there_step * size}, {here_step * size}", 0, True)


def shmem_iget(run, match, here, there, here_step, there_step, count, peer):
    size = run.size(shmem_kind(match, there))
    run.issue(f"get {run.result(here)} <- {run.place(there, peer)} bytes {size}"
              f" count {count} step {here_step * size}, {there_step * size}", 0, True)


def shmem_p(run, match, there, value, peer):
    temporary = run.temporary()
    run.emit(f"store {temporary} <- {value if isinstance(value, int) else 1}")
    run.put(run.place(there, peer), peer, temporary, 8, 0, True)


def shmem_g(run, match, there, peer):
    temporary = run.temporary()
    run.get(temporary, run.place(there, peer), peer, 8, 0, True)
    run.emit(f"load {run.value_name()} <- {temporary}")
    return Unknown()


CHANGES = {"set": "set 1", "add": "add 1", "inc": "add 1", "fetch": "fetch", "fetch_inc": "add 1", "fetch_add": "add 1",
           "swap": "set 1", "compare_swap": "cas 0, 1"}


def shmem_atomic(run, match, *values):
    context, values = shmem_context(run, match, values)
    change, result, peer = CHANGES[match["change"]], None, values[-1]
    there = values[0]
    if match["nbi"]:
        there, result = values[1], run.result(values[0])
    elif "fetch" in match["change"] or "swap" in match["change"]:
        result = run.temporary()
    run.atomic(there, peer, change, shmem_kind(match, there), result, context, not match["nbi"])
    if result and not match["nbi"]:
        run.emit(f"load {run.value_name()} <- {result}")
    return Unknown()


def shmem_put_signal(run, match, there, here, count, signal, value, how, peer):
    size = count * run.size(shmem_kind(match, there))
    change = "set" if how == "SHMEM_SIGNAL_SET" else "add"
    run.case.noticed.add(signal.target.key)
    run.case.changed.add(signal.target.key)
    if signal.target.key in run.case.plain:
        # A slot cannot be loaded, so this signal is a word that changes after the put.
        run.put(run.place(there, peer), peer, run.place(here), size, 0, not match["nbi"])
        run.emit("fence")
        run.emit(f"atomic {run.place(signal, peer)} {change} {value}")
        return
    name = f"s_{signal.target.name}"
    run.case.signal(name)
    if how == "SHMEM_SIGNAL_SET" and run.rank in run.case.sent.get((f"{name}[0]", peer), {}):
        raise NotWritten("a signal that one rank sets twice")
    run.note(f"{name}[0]", peer, value)
    run.put(run.place(there, peer), peer, run.place(here), size, 0, not match["nbi"], f" notify {name}[0] add {value}")


def shmem_signal_fetch(run, match, signal):
    run.emit("a read of a slot")
    return Unknown("slot", f"s_{signal.target.name}[0]", (run.lane, len(run.code[run.lane]) - 1))


def shmem_wait_until(run, match, word, comparison, value):
    name = f"s_{word.target.name}"
    if word.target.key in run.case.noticed - run.case.plain:
        run.await_signal(f"{name}[0]", ORDERS[comparison], value)
    else:
        run.emit(f"wait {run.place(word)} {ORDERS[comparison]} {value} acquire")


def shmem_reduce(run, match, team, there, here, count):
    """Every rank puts its source to all others and reads what came."""
    size = count * run.size(shmem_kind(match, there))
    box = Object(("reduce", run.line), "reduce", ("long", 0), size * run.case.ranks)
    run.case.signal("reduced")
    others = [rank for rank in range(run.case.ranks) if rank != run.rank]
    for rank in others:
        run.put(run.place(Pointer(box, size * run.rank, box.kind), rank), rank, run.place(here), size, 0, True,
                " notify reduced[0] set epoch")
    for rank in others:
        run.emit(f"await reduced[0]@{rank} reached epoch acquire")
        run.emit(f"load {run.value_name()} <- {run.place(Pointer(box, size * rank, box.kind))}")
    run.load(here)
    run.store(there, 1)


def shmem_split(run, match, parent, start, stride, size, *rest):
    run.case.teams["members"] = start, stride, start + stride * size
    member = run.rank in range(start, start + stride * size, stride)
    run.assign(rest[2], "members" if member else "SHMEM_TEAM_INVALID")


def shmem_new_context(run, match, *values):
    run.contexts += 1
    run.assign(values[-1], (values[0], run.contexts))


def shmem_team_sync(run, match, team):
    run.meet("everyone" if team == "SHMEM_TEAM_WORLD" else team)


def shmem_lock(run, match, word):
    # The word of a lock is that of rank 0.
    run.emit(f"{'lock' if match['what'] == 'set' else 'unlock'} {run.place(word, 0)}")


def shmem_begin(run, match):
    run.start = len(run.code["main"])
    run.emit("barrier everyone")


def finish(run, match, *_):
    run.quiet(*range(64))
    run.barrier()


def nothing(run, match, *_):
    return None


# ---- GASPI

def segment(run, number):
    kind = ("int", 0)
    return run.segments.setdefault(number, Object(("segment", number), f"segment{number}", kind, 0))


def gaspi_segment(run, match, number, size, *_):
    run.case.counted = True
    target = segment(run, number)
    target.size = size
    run.case.memory.add(target.key)


def gaspi_place(run, number, offset):
    return Pointer(segment(run, number), offset, ("int", 0))


def gaspi_write(run, match, here, here_at, peer, there, there_at, size, *rest):
    run.put(run.place(gaspi_place(run, there, there_at), peer), peer, run.place(gaspi_place(run, here, here_at)), size)
    if match["note"]:
        gaspi_notify(run, match, there, peer, *rest)


def gaspi_read(run, match, here, here_at, peer, there, there_at, size, *rest):
    context = 1
    if match["note"]:
        run.contexts += 1
        context = 1 + run.contexts
        run.read_notes[rest[0]] = context
    run.get(run.result(gaspi_place(run, here, here_at)), run.place(gaspi_place(run, there, there_at), peer), peer, size,
            context)


def gaspi_list(run, match, count, here, here_at, peer, there, there_at, sizes, *rest):
    def items(pointer):
        return [run.load(run.moved(pointer, index)) for index in range(count)]
    rest = rest[1:] if match["note"] else rest
    for index, one in enumerate(zip(*map(items, (here, here_at)), [peer] * count,
                                    *map(items, (there, there_at, sizes)))):
        last = match["note"] and index == count - 1
        translation = gaspi_write if match["what"] == "write" else gaspi_read
        translation(run, {"note": last}, *one, *rest)


def gaspi_notify(run, match, number, peer, note, *_):
    # A notification arrives after earlier writes of its queue to the same rank.
    name = f"note{number}"
    run.case.signal(name, note + 1)
    run.note(f"{name}[{note}]", peer)
    run.emit("fence")
    run.emit(f"signal {name}[{note}]@{peer} add 1 release")


def gaspi_write_note(run, match, *values):
    *values, note, value, queue, timeout = values
    gaspi_write(run, {"note": False}, *values)
    gaspi_notify(run, match, values[3], values[2], note)


def gaspi_waitsome(run, match, number, note, *_):
    if note in run.read_notes:
        run.quiet(run.read_notes.pop(note))
        return
    run.await_signal(f"note{number}[{note}]", ">=", 1)


def gaspi_wait(run, match, *_):
    run.sources_read()
    run.quiet(*range(1, 64))
    run.other_thread()


def gaspi_fetch_add(run, match, number, offset, peer, value, result, timeout):
    run.atomic(gaspi_place(run, number, offset), peer, "add 1", ("long", 0), run.result(result), 3)


def gaspi_allreduce(run, match, here, there, count, *_):
    run.load(here)
    run.meet()
    run.case.memory.update((here.target.key, there.target.key))
    run.store(there, 1)


def gaspi_send(run, match, number, offset, peer, *_):
    if run.rank:
        raise NotWritten("a passive send by another rank than 0")
    run.load(gaspi_place(run, number, offset))
    run.send("passive", peer)


def gaspi_receive(run, match, number, offset, source, *_):
    run.receive("passive", 0)
    run.store(gaspi_place(run, number, offset), 1)


# ---- MPI

TYPES = {"MPI_INT": ("int", 0), "MPI_SHORT": ("short", 0), "MPI_FLOAT": ("float", 0), "MPI_DOUBLE": ("double", 0)}


def mpi_type(name):
    """The element and the number of elements of a datatype."""
    return name if isinstance(name, tuple) else (TYPES[name], 1)


def mpi_allocate(run, match, size, unit, info, communicator, base, handle):
    run.windows += 1
    target = Object(("window", run.windows), f"window{run.windows}", ("int", 0), size)
    run.case.memory.add(target.key)
    run.assign(base, Pointer(target, 0, target.kind))
    run.assign(handle, (target, run.case.scale if unit == 1 else unit))


def mpi_there(run, window, displacement):
    return Pointer(window[0], displacement * window[1], window[0].kind)


def mpi_transfer(run, match, here, count, kind, peer, displacement, there_count, there_kind, window, *request):
    element, elements = mpi_type(kind)
    size = count * elements * run.size(element)
    there = run.place(mpi_there(run, window, displacement), peer)
    put = match["what"].lower() == "put"
    context = 0 if put else 1
    if request:
        if put:
            raise NotWritten("MPI_Rput")
        run.contexts += 1
        context = 1 + run.contexts
        run.assign(request[0], context)
    if put:
        run.put(there, peer, run.place(here), size, context)
    else:
        run.get(run.result(here), there, peer, size, context)


def mpi_accumulate(run, match, here, count, kind, peer, displacement, there_count, there_kind, operation, window):
    if operation != "MPI_SUM":
        raise NotWritten(operation)
    element, elements = mpi_type(kind)
    there = mpi_there(run, window, displacement)
    run.operand(here, count * elements * run.size(element), peer)
    for index in range(count * elements):
        run.atomic(run.moved(Pointer(there.target, there.offset, element), index), peer, "add 1", element)


def mpi_get_accumulate(run, match, here, count, kind, result, result_count, result_kind, peer, displacement,
                       there_count, there_kind, operation, window):
    if operation not in ("MPI_SUM", "MPI_NO_OP"):
        raise NotWritten(operation)
    element, elements = mpi_type(result_kind)
    there = mpi_there(run, window, displacement)
    if operation != "MPI_NO_OP":
        run.operand(here, count * elements * run.size(element), peer)
    for index in range(result_count * elements):
        run.atomic(run.moved(Pointer(there.target, there.offset, element), index), peer,
                   "fetch" if operation == "MPI_NO_OP" else "add 1", element, run.result(run.moved(result, index)),
                   blocking=False)


def mpi_fetch(run, match, here, result, kind, peer, displacement, operation, window):
    run.operand(here, run.size(TYPES[kind]), peer)
    run.atomic(mpi_there(run, window, displacement), peer, "add 1", TYPES[kind], run.result(result), blocking=False)


def mpi_compare(run, match, here, compared, result, kind, peer, displacement, window):
    run.operand(here, run.size(TYPES[kind]), peer)
    run.operand(compared, run.size(TYPES[kind]), peer)
    run.atomic(mpi_there(run, window, displacement), peer, "cas 0, 1", TYPES[kind], run.result(result), blocking=False)


def mpi_complete(run, match, *_):
    run.quiet(1, 0, *range(2, 64))


def mpi_local(run, match, *_):
    run.case.counted = True
    run.sources_read()
    run.quiet(1)


def mpi_lock(run, match, kind, peer, assertion, window):
    name = f"lock_{window[0].name}"
    kinds = run.case.locks.setdefault((name, peer), set())
    kinds.add(kind)
    if len(kinds) > 1:
        raise NotWritten("shared and exclusive locks of one window")
    if kind == "MPI_LOCK_EXCLUSIVE":
        run.exclusive.add((name, peer))
        run.emit(f"lock {name}@{peer}[0]")


def mpi_unlock(run, match, peer, window):
    mpi_complete(run, match)
    held = f"lock_{window[0].name}", peer
    if held in run.exclusive:
        run.exclusive.remove(held)
        run.emit(f"unlock {held[0]}@{peer}[0]")


def mpi_fence(run, match, *_):
    run.quiet(*range(1, 64))
    run.barrier()


def mpi_group(run, match, group, count, ranks, result):
    run.assign(result, [group[run.load(run.moved(ranks, index))] for index in range(count)])


def mpi_start(run, match, group, *_):
    run.targets = group
    for rank in group:
        run.receive("post", rank)


def mpi_end(run, match, *_):
    mpi_complete(run, match)
    for rank in run.targets:
        run.send("complete", rank)


def mpi_post(run, match, group, *_):
    run.origins = group
    for rank in group:
        run.send("post", rank)


def mpi_await(run, match, *_):
    for rank in run.origins:
        run.receive("complete", rank)


def mpi_send(run, match, here, count, kind, peer, tag, *_):
    run.load(here)
    run.send("message", peer, tag)


def mpi_receive(run, match, here, count, kind, peer, tag, *_):
    run.receive("message", peer, tag)
    run.store(here, 1)


def copy(run, match, there, here, size):
    run.store(there, run.load(here))


def returns(value):
    """A call that returns a number through its last pointer."""
    def translation(run, match, *values):
        run.assign(values[-1], value(run))
    return translation


SHMEM = r"shmem_(?P<ctx>ctx_)?((?P<type>int|long|float|double|uint64)_)?"
NBI = r"(?P<nbi>_nbi)?"
# A call by name, and its translation. The first pattern that is the whole name counts.
TABLE = [(re.compile(pattern), translation) for pattern, translation in (
    (r"printf|sleep|usleep", nothing),
    (r"memcpy", copy),
    (r"shmem_init", shmem_begin),
    (r"shmem_ctx_destroy", lambda run, match, context: run.quiet(context[1])),
    (r"shmem_team_destroy", nothing),
    (r"shmem_n_pes", lambda run, match: run.case.ranks),
    (r"shmem_my_pe", lambda run, match: run.rank),
    (r"shmem_finalize|MPI_Finalize", finish),
    (r"shmem_barrier_all", lambda run, match: run.barrier()),
    (r"shmem_sync_all", lambda run, match: run.meet()),
    (r"shmem_sync|shmem_team_sync", shmem_team_sync),
    (r"shmem_quiet", lambda run, match: run.quiet(0)),
    (r"shmem_fence", lambda run, match: run.emit("fence")),
    (r"shmem_ctx_quiet", lambda run, match, context: run.quiet(context[1])),
    (r"shmem_ctx_create", lambda run, match, options, out: shmem_new_context(run, match, "SHMEM_TEAM_WORLD", out)),
    (r"shmem_team_create_ctx", shmem_new_context),
    (r"shmem_team_translate_pe", lambda run, match, team, rank, other: rank),
    (r"shmem_team_split_strided", shmem_split),
    (r"shmem_(?P<what>set|clear)_lock", shmem_lock),
    (r"shmem_signal_fetch", shmem_signal_fetch),
    (SHMEM + "wait_until", shmem_wait_until),
    (SHMEM + "put_signal" + NBI, shmem_put_signal),
    (SHMEM + "put" + NBI, shmem_put),
    (SHMEM + "get" + NBI, shmem_get),
    (SHMEM + "iput", shmem_iput),
    (SHMEM + "iget", shmem_iget),
    (SHMEM + "p", shmem_p),
    (SHMEM + "g", shmem_g),
    (SHMEM + r"(atomic_)?(?P<change>set|add|inc|fetch|fetch_inc|fetch_add|swap|compare_swap)" + NBI, shmem_atomic),
    (SHMEM + "sum_reduce", shmem_reduce),
    (r"gaspi_proc_(init|term)", nothing),
    (r"gaspi_proc_rank|MPI_Comm_rank", returns(lambda run: run.rank)),
    (r"gaspi_proc_num|MPI_Comm_size", returns(lambda run: run.case.ranks)),
    (r"gaspi_segment_(alloc|create)", gaspi_segment),
    (r"gaspi_segment_ptr", lambda run, match, number, out: run.assign(out, gaspi_place(run, number, 0))),
    (r"gaspi_barrier", lambda run, match, *_: run.meet()),
    (r"gaspi_write(?P<note>)", gaspi_write),
    (r"gaspi_write_notify", gaspi_write_note),
    (r"gaspi_read(?P<note>_notify)?", gaspi_read),
    (r"gaspi_(?P<what>read|write)_list(?P<note>_notify)?", gaspi_list),
    (r"gaspi_notify", gaspi_notify),
    (r"gaspi_notify_waitsome", gaspi_waitsome),
    (r"gaspi_wait", gaspi_wait),
    (r"gaspi_atomic_fetch_add", gaspi_fetch_add),
    (r"gaspi_allreduce", gaspi_allreduce),
    (r"gaspi_passive_send", gaspi_send),
    (r"gaspi_passive_receive", gaspi_receive),
    (r"MPI_Init", nothing),
    (r"MPI_Init_thread", returns(lambda run: "MPI_THREAD_MULTIPLE")),
    (r"MPI_(Group|Type)_free|MPI_Type_commit", nothing),
    (r"MPI_Type_size", returns(lambda run: 4)),
    (r"MPI_Type_contiguous", lambda run, match, count, kind, out: run.assign(out, (TYPES[kind], count))),
    (r"MPI_Comm_group", returns(lambda run: list(range(run.case.ranks)))),
    (r"MPI_Group_incl", mpi_group),
    (r"MPI_Win_allocate", mpi_allocate),
    (r"MPI_Win_free|MPI_Win_fence", mpi_fence),
    (r"MPI_Barrier", lambda run, match, *_: run.meet()),
    (r"MPI_R?(?P<what>Put|Get|put|get)", mpi_transfer),
    (r"MPI_Accumulate", mpi_accumulate),
    (r"MPI_Get_accumulate", mpi_get_accumulate),
    (r"MPI_Fetch_and_op", mpi_fetch),
    (r"MPI_Compare_and_swap", mpi_compare),
    (r"MPI_Win_lock", mpi_lock),
    (r"MPI_Win_unlock", mpi_unlock),
    (r"MPI_Win_lock_all", nothing),
    (r"MPI_Win_unlock_all|MPI_Win_flush(_all)?", mpi_complete),
    (r"MPI_Win_flush_local(_all)?", mpi_local),
    (r"MPI_Wait", lambda run, match, request, *_: run.quiet(run.load(request))),
    (r"MPI_Win_start", mpi_start),
    (r"MPI_Win_complete", mpi_end),
    (r"MPI_Win_post", mpi_post),
    (r"MPI_Win_wait", mpi_await),
    (r"MPI_Send", mpi_send),
    (r"MPI_Recv", mpi_receive),
)]
