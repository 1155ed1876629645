#!/usr/bin/env python3
"""Launches a program that Oriel exported: one process for each GPU of a host.

Needs Python 3.9 and the CUDA driver; no Java, no CUDA toolkit. PyTorch is optional.

    program = oriel_launch.Program("FOLDER")             # the folder that oriel export wrote
    handle = program.open(rank, world, B=64)             # collective; one of the exported cases
    handle.tensor("in", torch.float32).copy_(mine)       # or handle.buffer("in") for address and bytes
    handle.launch(torch.cuda.current_stream().cuda_stream)   # also inside a graph capture
    torch.cuda.synchronize()
    handle.check()                                       # raises: which lane waits for which rank
    handle.close()

All ranks open the same case, launch equally often, and close. A rank may change an input once its
own launch has ended. A handle is used by one thread at a time.

    torchrun --nproc-per-node 2 oriel_launch.py --self-test
    python3 oriel_launch.py --self-test                  # starts the processes itself
"""
import argparse
import contextlib
import ctypes
import glob
import json
import os
import socket
import struct
import subprocess
import sys
import time

MAX_WORLD = 8
LINE = 128  # bytes of a slot, and of a lane's state
STATUS = 24  # bytes: reason, address of the awaited word, address of the lane's line
U64 = ctypes.c_uint64


class OrielError(RuntimeError):
    """What went wrong, where, and what to do."""


class _Config(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("count", ctypes.c_uint),
    ]


class _Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint), ("pad", ctypes.c_uint), ("value", ctypes.c_uint * 16)]


class _Ipc(ctypes.Structure):
    _fields_ = [("reserved", ctypes.c_char * 64)]


class _Driver:
    """The driver's functions by name; a refusal is an OrielError."""

    def __init__(self):
        try:
            self._library = ctypes.CDLL("libcuda.so.1")
        except OSError as e:
            raise OrielError("no CUDA driver: %s; install NVIDIA's driver" % e) from e

    def __getattr__(self, name):
        try:
            function = getattr(self._library, name)
        except AttributeError as e:
            raise OrielError(
                "the CUDA driver is too old: it lacks %s; install one for CUDA 12.0 or later" % name
            ) from e

        def call(*arguments):
            result = function(*arguments)
            if result:
                text = ctypes.c_char_p()
                self._library.cuGetErrorName(result, ctypes.byref(text))
                name_of = (text.value or b"unknown error").decode()
                raise OrielError("the CUDA driver refused %s: %s (%d)" % (name, name_of, result))

        setattr(self, name, call)
        return call

    def attribute(self, which, device):
        value = ctypes.c_int()
        self.cuDeviceGetAttribute(ctypes.byref(value), which, device)
        return value.value


class Group:
    """An all-gather among the processes of one user on one host, over a socket of the host."""

    def __init__(self, name, rank, world, seconds=60):
        self.rank, self.world, self._peers = rank, world, []
        at = "\0oriel-%d-%s" % (os.getuid(), name)
        end = time.monotonic() + seconds
        if rank:
            while True:
                peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                peer.settimeout(seconds)
                try:
                    peer.connect(at)
                    break
                except OSError as e:
                    peer.close()
                    if time.monotonic() > end:
                        raise OrielError("rank 0 did not come: group=%s, seconds=%g" % (name, seconds)) from e
                    time.sleep(0.02)
            try:
                self._same_user(peer)
                peer.sendall(struct.pack("=I", rank))
                self._receive(peer, 4)  # rank 0 answers once all have come
            except (OSError, OrielError) as e:
                peer.close()
                raise OrielError("ranks did not meet: group=%s: %s" % (name, e)) from e
            self._peers = [peer]
            return
        found = {}
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            try:
                listener.bind(at)
            except OSError as e:
                raise OrielError("the name of the group is taken: group=%s: %s; use another" % (name, e)) from e
            listener.listen(MAX_WORLD)
            while len(found) < world - 1:
                listener.settimeout(max(0.01, end - time.monotonic()))
                try:
                    peer, _ = listener.accept()
                except OSError as e:
                    missing = sorted(set(range(1, world)) - set(found))
                    raise OrielError("ranks did not come: group=%s, missing=%s" % (name, missing)) from e
                try:
                    peer.settimeout(1)
                    self._same_user(peer)
                    (other,) = struct.unpack("=I", self._receive(peer, 4))
                except (OSError, OrielError):
                    peer.close()
                    continue
                if not 0 < other < world or other in found:
                    peer.close()
                    continue
                peer.settimeout(seconds)
                found[other] = peer
        self._peers = [found[r] for r in sorted(found)]
        for peer in self._peers:
            peer.sendall(struct.pack("=I", 0))

    @staticmethod
    def _same_user(peer):
        _, user, _ = struct.unpack("=iII", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if user != os.getuid():
            raise OrielError("a process of another user answers: user=%d" % user)

    @staticmethod
    def _receive(peer, length):
        parts = bytearray()
        while len(parts) < length:
            part = peer.recv(length - len(parts))
            if not part:
                raise OrielError("a rank has gone; open the program again on all ranks")
            parts += part
        return bytes(parts)

    def all_gather(self, mine):
        """Equally long bytes of every rank, in order. After a failure the group is closed: join another."""
        if self.world > 1 and not self._peers:
            raise OrielError("the group is closed; join another")
        try:
            if self.rank:
                self._peers[0].sendall(mine)
                whole = self._receive(self._peers[0], len(mine) * self.world)
            else:
                whole = mine + b"".join(self._receive(peer, len(mine)) for peer in self._peers)
                for peer in self._peers:
                    peer.sendall(whole)
        except (OSError, OrielError) as e:
            self.close()
            raise OrielError("ranks did not meet: %s; see whether all are alive" % e) from e
        return [whole[r * len(mine) : (r + 1) * len(mine)] for r in range(self.world)]

    def close(self):
        for peer in self._peers:
            peer.close()
        self._peers = []


def torch_all_gather(group=None):
    """An all-gather over torch.distributed, which must be initialised."""
    import torch.distributed as dist

    def gather(mine):
        everyone = [None] * dist.get_world_size(group)
        dist.all_gather_object(everyone, mine, group)
        return everyone

    return gather


class SymmetricMemory(list):
    """Where this process maps the memory of each rank; keeps the memory alive."""

    owner = None


def torch_symmetric_memory(program, group=None, **params):
    """PyTorch's symmetric memory for a case: the addresses by rank. Collective."""
    import torch
    import torch.distributed as dist
    import torch.distributed._symmetric_memory as symm

    case = program.case(**params)
    reached = max(rank["reached"] for rank in case["ranks"])
    tensor = symm.empty(reached, dtype=torch.uint8, device=torch.device("cuda", torch.cuda.current_device()))
    handle = symm.rendezvous(tensor, group or dist.group.WORLD)
    # The tensor may begin inside the memory that ranks share.
    begin = tensor.data_ptr() - int(handle.buffer_ptrs[handle.rank])
    memory = SymmetricMemory(int(pointer) + begin for pointer in handle.buffer_ptrs)
    memory.owner = (tensor, handle)
    return memory


class Program:
    """An exported program: the folder that oriel export wrote, or its JSON file."""

    def __init__(self, path=os.path.dirname(os.path.abspath(__file__))):
        files = [path] if os.path.isfile(path) else sorted(glob.glob(os.path.join(glob.escape(path), "*.json")))
        if len(files) != 1:
            raise OrielError("not one exported program: path=%s, json files=%d" % (path, len(files)))
        self.folder = os.path.dirname(os.path.abspath(files[0]))
        with open(files[0], encoding="ascii") as text:
            self.about = json.load(text)
        if self.about.get("oriel") != 1:
            raise OrielError("another format: file=%s, oriel=%s; this loader reads 1" % (files[0], self.about.get("oriel")))
        self.world = self.about["world"]

    def case(self, **params):
        """The exported case with those parameters; the only one if none are named."""
        cases = self.about["cases"]
        found = [c for c in cases if all(c["params"].get(k) == v for k, v in params.items())]
        if len(found) != 1:
            raise OrielError(
                "not one exported case: program=%s, wanted=%s, exported=%s; export it with this --set"
                % (self.about["program"], params, [c["params"] for c in cases])
            )
        return found[0]

    def open(self, rank, world=None, device=None, all_gather=None, memory=None, patience=10.0, **params):
        """Collective.

        all_gather takes bytes and returns those of all ranks; by default torch.distributed where it
        is initialised. memory gives, for each rank, where this process maps its memory (as large as
        the case's largest `reached`), such as that of torch_symmetric_memory; opening fills it with 0.
        By default the driver shares memory among the processes. device: the GPU, by default the one
        with the rank's number, or the current one of PyTorch where memory is given. patience: seconds
        that one wait may last.
        """
        if world is not None and world != self.world:
            raise OrielError("exported for another world: exported=%d, world=%d" % (self.world, world))
        if not 0 <= rank < self.world:
            raise OrielError("not a rank: rank=%d, world=%d" % (rank, self.world))
        if all_gather is None and self.world > 1:
            all_gather = torch_all_gather()
        if device is None and memory is not None:
            import torch

            device = torch.cuda.current_device()
        return Handle(self, params, rank, rank if device is None else device, all_gather, memory, patience)


class Buffer:
    """Memory of a GPU, as PyTorch, CuPy and Numba take it."""

    def __init__(self, address, bytes_, owner):
        self.address, self.bytes, self._owner = address, bytes_, owner
        self.__cuda_array_interface__ = {
            "shape": (bytes_,),
            "typestr": "|u1",
            "data": (address, False),
            "version": 3,
        }


class Handle:
    """One rank of an opened case."""

    def __init__(self, program, params, rank, device, all_gather, memory, patience):
        self.program, self.rank, self._all_gather, self._memory = program, rank, all_gather, memory
        self._about, self._case, self._rank = program.about, None, None
        self._opened, self._mine, self._own, self._abort, self._side = {}, 0, 0, None, None
        self._module = self._context = None
        self._failed = None
        self._world = program.world
        self._closed = self._asked = False
        try:
            self._prepare_and_map(params, device, memory, patience)
        except BaseException:
            self._release()
            raise

    def _prepare_and_map(self, params, device, memory, patience):
        reason, identity, ipc = "", bytes(16), bytes(64)
        # Whatever fails on one rank, the others hear of it.
        try:
            if not 0 < patience < 1e6:
                raise OrielError("patience out of range: seconds=%g" % patience)
            self._case = self.program.case(**params)
            self._rank = self._case["ranks"][self.rank]
            identity, ipc = self._prepare(device, memory)
        except Exception as e:  # pylint: disable=broad-except
            reason = str(e) or type(e).__name__
        everyone = self._agree(reason, identity, ipc)
        try:
            with self.current():
                self._base = self._map(everyone, memory)
        except Exception as e:  # pylint: disable=broad-except
            reason = str(e) or type(e).__name__
        self._agree(reason, identity, ipc)
        self._lay_out(int(patience * 1e9))

    @contextlib.contextmanager
    def current(self):
        """Makes the context of the GPU current, and afterwards the caller's again."""
        before = ctypes.c_void_p()
        self._cu.cuCtxGetCurrent(ctypes.byref(before))
        self._cu.cuCtxSetCurrent(self._context)
        try:
            yield
        finally:
            self._cu.cuCtxSetCurrent(before)

    def _live(self):
        if self._closed:
            raise OrielError("the handle is closed")

    def _agree(self, reason, identity, ipc):
        """Greetings of all ranks; an error on every rank alike if one could not go on."""
        number = 0 if self._case is None else self._about["cases"].index(self._case)
        digest = "" if self._case is None else self._case["digest"]
        mine = struct.pack(
            "=II16s64s72s200s",
            0 if reason else 1,
            number,
            identity,
            ipc,
            digest.encode("ascii")[:71],
            reason.encode("utf-8", "replace")[:199],
        )
        everyone = [mine] if self._world == 1 else self._all_gather(mine)
        if len(everyone) != self._world:
            raise OrielError("exported for another world: exported=%d, ranks=%d" % (self._world, len(everyone)))
        read = [struct.unpack("=II16s64s72s200s", one) for one in everyone]
        for rank, (ok, which, _, _, digest, why) in enumerate(read):
            if not ok:
                text = why.rstrip(b"\0").decode("utf-8", "replace")
                raise OrielError("rank %d cannot open %s: %s" % (rank, self._about["program"], text))
            if which != number or digest != read[self.rank][4]:
                raise OrielError(
                    "ranks %d and %d open different programs or cases; open the same on all" % (self.rank, rank)
                )
        return read

    def _prepare(self, ordinal, memory):
        self._cu = cu = _Driver()
        device, context = ctypes.c_int(), ctypes.c_void_p()
        cu.cuInit(0)
        cu.cuDeviceGet(ctypes.byref(device), ordinal)
        self._device = device.value
        cu.cuDevicePrimaryCtxRetain(ctypes.byref(context), self._device)
        self._context = context
        with self.current():
            return self._prepare_gpu(memory)

    def _prepare_gpu(self, memory):
        cu = self._cu
        capability = 10 * cu.attribute(75, self._device) + cu.attribute(76, self._device)
        identity = ctypes.create_string_buffer(16)
        cu.cuDeviceGetUuid(identity, self._device)
        self._load(capability)
        self._configure(capability)
        lanes = self._rank["lanes"]
        self._own_bytes = lanes * LINE + STATUS
        self._own = self._allocate(self._own_bytes)
        page = ctypes.c_void_p()
        cu.cuMemHostAlloc(ctypes.byref(page), ctypes.c_size_t(64), 3)
        self._abort = page
        self._side = ctypes.c_void_p()
        cu.cuStreamCreate(ctypes.byref(self._side), 1)
        ctypes.cast(page, ctypes.POINTER(U64))[0] = 0
        ipc = _Ipc()
        if memory is None:
            self._mine = self._allocate(self._rank["reached"])
            if self._world > 1:
                cu.cuIpcGetMemHandle(ctypes.byref(ipc), U64(self._mine))
        return identity.raw, bytes(ipc)

    def _allocate(self, length):
        """Zeroed memory."""
        address = U64()
        self._cu.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(length))
        self._clear(address.value, length)
        return address.value

    def _clear(self, address, length):
        last = U64()
        self._cu.cuMemsetD8_v2(U64(address), ctypes.c_ubyte(0), ctypes.c_size_t(length))
        # A synchronous copy: the memory is zero before peers hear of it.
        self._cu.cuMemcpyDtoH_v2(ctypes.byref(last), U64(address), ctypes.c_size_t(8))

    def _load(self, capability):
        kernels = self._about["ptx"]
        name = kernels.get("sm_90") if capability >= 90 else None
        name = name or kernels.get("sm_80")
        if name is None:
            raise OrielError("the program needs a GPU of compute capability 9.0: capability=%d" % capability)
        with open(os.path.join(self.program.folder, name), "rb") as text:
            ptx = text.read()
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self._cu.cuModuleLoadData(ctypes.byref(module), ctypes.c_char_p(ptx))
        self._module = module
        entry = self._about["entry"].encode("ascii")
        self._cu.cuModuleGetFunction(ctypes.byref(function), module, ctypes.c_char_p(entry))
        self._function = function

    def _configure(self, capability):
        """The launch, and whether all lanes are on the GPU at once: they wait for one another."""
        threads, cluster, lanes = self._about["threads"], self._about["cluster"], self._rank["lanes"]
        self._attributes = (_Attribute * 2)()
        count = 0
        if capability >= 90:
            self._attributes[count].id = 10  # its fences then do not wait for other kernels' stores
            self._attributes[count].value[0] = 1
            count += 1
        if cluster > 1:
            self._attributes[count].id = 4
            self._attributes[count].value[:3] = [cluster, 1, 1]
            count += 1
        self._config = _Config(
            grid=(ctypes.c_uint * 3)(lanes, 1, 1),
            block=(ctypes.c_uint * 3)(threads, 1, 1),
            attributes=ctypes.cast(self._attributes, ctypes.c_void_p),
            count=count,
        )
        each = ctypes.c_int()
        if cluster > 1:
            self._cu.cuOccupancyMaxActiveClusters(ctypes.byref(each), self._function, ctypes.byref(self._config))
            room = each.value * cluster
        else:
            self._cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                ctypes.byref(each), self._function, threads, ctypes.c_size_t(0)
            )
            room = each.value * self._cu.attribute(16, self._device)
        if lanes > room:
            raise OrielError(
                "lanes do not fit at once on this GPU: lanes=%d, room=%d; export with fewer lanes" % (lanes, room)
            )

    def _reach(self, everyone):
        """Every GPU that this process sees among those of the ranks is reached as the program needs."""
        for rank, greeting in enumerate(everyone):
            if rank != self.rank and greeting[2] == everyone[self.rank][2]:
                raise OrielError(
                    "ranks %d and %d are on one GPU; give each rank a GPU of its own" % (self.rank, rank)
                )
        count = ctypes.c_int()
        self._cu.cuDeviceGetCount(ctypes.byref(count))
        for ordinal in range(count.value):
            other, yes = ctypes.c_int(), ctypes.c_int(1)
            self._cu.cuDeviceGet(ctypes.byref(other), ordinal)
            if other.value == self._device:
                continue
            uuid = ctypes.create_string_buffer(16)
            self._cu.cuDeviceGetUuid(uuid, other)
            for rank, greeting in enumerate(everyone):
                if greeting[2] != uuid.raw:
                    continue
                for what, needed in ((2, "access to"), (3, "atomics on")):
                    if what == 3 and not self._about["atomics"]:
                        continue
                    self._cu.cuDeviceGetP2PAttribute(ctypes.byref(yes), what, self._device, other)
                    if not yes.value:
                        raise OrielError(
                            "this GPU has no %s that of rank %d, which the program needs; use GPUs on NVLink"
                            % (needed, rank)
                        )

    def _map(self, everyone, memory):
        if self._world > 1:
            self._reach(everyone)
        if memory is not None:
            if len(memory) != self._world:
                raise OrielError("not one address for each rank: world=%d, addresses=%d" % (self._world, len(memory)))
            for rank, address in enumerate(memory):
                if not address or address % 256:
                    raise OrielError("memory of rank %d is not at a multiple of 256: address=%d" % (rank, address))
            # Words of an earlier use would end waits at once. All ranks are here, and none has launched.
            self._clear(memory[self.rank], self._rank["reached"])
            return list(memory)
        base = []
        for rank, greeting in enumerate(everyone):
            if rank == self.rank:
                base.append(self._mine)
                continue
            address = U64()
            self._cu.cuIpcOpenMemHandle_v2(ctypes.byref(address), _Ipc.from_buffer_copy(greeting[3]), 1)
            self._opened[rank] = address.value
            base.append(address.value)
        return base

    def _lay_out(self, patience):
        about, ranks, world = self._about, self._case["ranks"], self._world
        words = []
        for b in range(len(about["buffers"])):
            words += [self._base[r] + ranks[r]["offsets"][b] for r in range(world)]
        words += [self._base[r] + ranks[r]["slots"] for r in range(world)]
        self._bases = (U64 * (8 * (len(about["buffers"]) + 1)))(*words)
        status = self._own + self._rank["lanes"] * LINE
        rest = [self._own, status, self._abort.value, patience] + self._rank["values"]
        self._words = (U64 * len(rest))(*[w & (2**64 - 1) for w in rest])
        self._parameters = (ctypes.c_void_p * (1 + len(rest)))(
            ctypes.addressof(self._bases),
            *[ctypes.addressof(self._words) + 8 * i for i in range(len(rest))],
        )

    def buffer(self, name):
        """A buffer of this rank, such as "in"."""
        self._live()
        names = self._about["buffers"]
        if name not in names:
            raise OrielError("unknown buffer: name=%s; known: %s" % (name, ", ".join(names)))
        b = names.index(name)
        return Buffer(self._base[self.rank] + self._rank["offsets"][b], self._rank["bytes"][b], self)

    def tensor(self, name, dtype):
        """A buffer of this rank as a tensor of PyTorch that shares its memory."""
        import torch

        whole = torch.as_tensor(self.buffer(name), device=torch.device("cuda", self._device))
        return whole.view(dtype)

    def launch(self, stream=0):
        """Puts one launch into a stream (its CUstream as a number), capturing or not."""
        self._live()
        if self._failed or self._asked:
            raise OrielError(self._failed or "rank %d was asked to end; open the program again on all ranks" % self.rank)
        self._config.stream = stream
        with self.current():
            self._cu.cuLaunchKernelEx(ctypes.byref(self._config), self._function, self._parameters, None)

    def _status(self):
        return self._own + self._rank["lanes"] * LINE

    def check(self):
        """After the stream is idle: raises if a launch did not end well."""
        self._live()
        if self._failed:
            raise OrielError(self._failed)
        status = (U64 * 3)()
        with self.current():
            self._cu.cuMemcpyDtoH_v2(status, U64(self._status()), ctypes.c_size_t(STATUS))
        if status[0]:
            self._failed = self._describe(*status)
            raise OrielError(self._failed)

    def why(self, seconds=5.0):
        """Asks the lanes of this rank to end, and says what the first of them waited for; None if none waits."""
        self.abort()
        status = (U64 * 3)()
        end = time.monotonic() + seconds
        with self.current():
            while not status[0] and time.monotonic() < end:
                time.sleep(0.01)  # the reason is there before the two addresses
                self._cu.cuMemcpyDtoHAsync_v2(
                    status, U64(self._status()), ctypes.c_size_t(STATUS), self._side
                )
                self._cu.cuStreamSynchronize(self._side)
            if status[0]:
                time.sleep(0.01)
                self._cu.cuMemcpyDtoHAsync_v2(
                    status, U64(self._status()), ctypes.c_size_t(STATUS), self._side
                )
                self._cu.cuStreamSynchronize(self._side)
        return self._describe(*status) if status[0] else None

    def _describe(self, reason, polled, line):
        if reason >= 256:
            return "rank %d: a check of the program failed: code=%d" % (self.rank, reason - 256)
        if reason == 4:
            return "rank %d: a hook's table names a row that does not exist" % self.rank
        lane = self._lane((line - self._own) // LINE) if line else "?"
        ended = "was asked to end" if reason == 1 else "gave up waiting"
        awaited = " while it waited for " + self._place(polled) if polled else ""
        return "rank %d: lane %s %s%s; open the program again on all ranks" % (self.rank, lane, ended, awaited)

    def _lane(self, number):
        names = self._rank["lane_names"]
        return names[number] if 0 <= number < len(names) else "?"

    def _place(self, address):
        if self._own <= address < self._own + self._own_bytes:
            return "lane %s to end" % self._lane((address - self._own) // LINE)
        at = address - self._base[self.rank]
        signals, row = self._about["signals"], sum(self._rank["signals"])
        line = (at - self._rank["slots"]) // LINE
        if row and 0 <= line < row * self._world:
            index = line % row
            for name, count in zip(signals, self._rank["signals"]):
                if index < count:
                    return "signal %s[%d] of rank %d" % (name, index, line // row)
                index -= count
        for name, offset, length in zip(self._about["buffers"], self._rank["offsets"], self._rank["bytes"]):
            if offset <= at < offset + length:
                return "bytes at %s[%d]%s" % (name, at - offset, self._senders(name, at - offset))
        return "a word of no buffer"

    def _senders(self, buffer, at):
        number = self._about["buffers"].index(buffer)
        ranks = sorted({r for b, low, high, r in self._rank["packets"] if b == number and low <= at <= high})
        return " from rank " + " or ".join(map(str, ranks)) if ranks else ""

    def abort(self):
        """Asks the lanes of this rank to end; launches that wait then end within milliseconds. No other may follow."""
        self._live()
        self._asked = True
        ctypes.cast(self._abort, ctypes.POINTER(U64))[0] = 1

    def close(self):
        """Collective. Destroy graphs of its launches before."""
        if self._closed:
            return
        with self.current():
            self._quietly("cuCtxSynchronize")  # ends, since every wait does
            self._unmap()
        met = self._world == 1
        try:
            if not met:
                self._all_gather(b"\0")  # peers may write here until all have met
            met = True
        finally:
            if not met:
                self._mine = 0  # stays until the process ends
            self._release()

    def _quietly(self, name, *arguments):
        """One refusal does not keep the rest from being freed."""
        try:
            getattr(self._cu, name)(*arguments)
        except OrielError:
            pass

    def _unmap(self):
        for address in self._opened.values():
            self._quietly("cuIpcCloseMemHandle", U64(address))
        self._opened = {}

    def _release(self):
        self._closed = True
        if self._context is None:
            return
        with self.current():
            self._unmap()
            for address in (self._mine, self._own):
                if address:
                    self._quietly("cuMemFree_v2", U64(address))
            if self._abort is not None:
                self._quietly("cuMemFreeHost", self._abort)
            if self._side:
                self._quietly("cuStreamDestroy_v2", self._side)
            if self._module is not None:
                self._quietly("cuModuleUnload", self._module)
        self._quietly("cuDevicePrimaryCtxRelease_v2", self._device)
        self._context = None


def operator(handle, name, source="in", target="out"):
    """Registers oriel::NAME(source, target) with PyTorch: copies in, launches, copies out, in stream order.

    It mutates the target, works under torch.compile and inside a captured graph. Call handle.check()
    when the stream is idle.
    """
    import torch

    def run(source_tensor: torch.Tensor, target_tensor: torch.Tensor) -> None:
        inside, outside = handle.tensor(source, source_tensor.dtype), handle.tensor(target, target_tensor.dtype)
        if inside.numel() != source_tensor.numel() or outside.numel() != target_tensor.numel():
            raise OrielError(
                "tensors of other sizes: %s=%d, %s=%d elements" % (source, inside.numel(), target, outside.numel())
            )
        inside.copy_(source_tensor.reshape(-1))
        handle.launch(torch.cuda.current_stream(handle._device).cuda_stream)
        target_tensor.copy_(outside.view(target_tensor.shape))

    return torch.library.custom_op("oriel::" + name, run, mutates_args=("target_tensor",))


class _SelfTest:
    """Inputs and expected outputs of an exported program."""

    ROW = struct.Struct("=IIIIIIQQQ")  # case, sheet, rank, kind, buffer, pad, offset, length, data
    WRITE, EXPECT = 0, 1

    def __init__(self, program):
        name = program.about.get("self_test")
        if not name:
            raise OrielError("exported without a self-test, since its bytes are too many; export smaller sizes too")
        with open(os.path.join(program.folder, name), "rb") as data:
            self._data = data.read()
        magic, count, self.sheets = struct.unpack_from("=8sQQ", self._data)
        if magic != b"ORIELST1":
            raise OrielError("not a self-test: file=%s" % name)
        self._rows = [self.ROW.unpack_from(self._data, 24 + i * self.ROW.size) for i in range(count)]

    def rows(self, case, sheet, rank, kind):
        """Buffer, offset and bytes of each row."""
        for c, s, r, k, buffer, _, offset, length, at in self._rows:
            if (c, s, r, k) == (case, sheet, rank, kind):
                yield buffer, offset, self._data[at : at + length]


class _Graph:
    """One launch, recorded by the driver."""

    def __init__(self, handle, stream):
        self._cu, self._stream, self._executable = handle._cu, stream, ctypes.c_void_p()
        graph = ctypes.c_void_p()
        self._cu.cuStreamBeginCapture_v2(stream, 2)
        handle.launch(stream.value)
        self._cu.cuStreamEndCapture(stream, ctypes.byref(graph))
        self._cu.cuGraphInstantiateWithFlags(ctypes.byref(self._executable), graph, U64(0))
        self._cu.cuGraphDestroy(graph)

    def replay(self):
        self._cu.cuGraphLaunch(self._executable, self._stream)

    def close(self):
        self._cu.cuGraphExecDestroy(self._executable)


def _round(handle, test, case, sheet, run, stream):
    names, cu = handle._about["buffers"], handle._cu
    for buffer, offset, data in test.rows(case, sheet, handle.rank, test.WRITE):
        # In the stream of the launch: in another, the last bytes may arrive after the launch has begun.
        to = U64(handle.buffer(names[buffer]).address + offset)
        cu.cuMemcpyHtoDAsync_v2(to, data, ctypes.c_size_t(len(data)), stream)
    run()
    cu.cuStreamSynchronize(stream)
    handle.check()
    for buffer, offset, data in test.rows(case, sheet, handle.rank, test.EXPECT):
        found = ctypes.create_string_buffer(len(data))
        cu.cuMemcpyDtoH_v2(found, U64(handle.buffer(names[buffer]).address + offset), ctypes.c_size_t(len(data)))
        if found.raw != data:
            wrong = next(i for i in range(len(data)) if found.raw[i] != data[i])
            raise OrielError(
                "wrong byte: rank=%d, buffer=%s, offset=%d, found=0x%02x, expected=0x%02x"
                % (handle.rank, names[buffer], offset + wrong, found.raw[wrong], data[wrong])
            )


def _self_test(options, rank, world):
    program = Program(options.folder)
    test = _SelfTest(program)
    gather, keep = None, []
    if options.torch:
        import torch
        import torch.distributed as dist

        torch.cuda.set_device(rank % torch.cuda.device_count())
        dist.init_process_group("nccl", device_id=torch.device("cuda", torch.cuda.current_device()))
        gather = torch_all_gather()
    elif world > 1:
        keep.append(Group(options.group or os.environ.get("MASTER_PORT", "self-test"), rank, world))
        gather = keep[0].all_gather
    for number, case in enumerate(program.about["cases"]):
        _test_case(options, program, test, number, gather, rank, world)
    for group in keep:
        group.close()


def _test_case(options, program, test, number, gather, rank, world):
    case = program.about["cases"][number]
    memory = None
    if options.torch:
        memory = torch_symmetric_memory(program, **case["params"])
    handle = program.open(
        rank, world, all_gather=gather, memory=memory, patience=options.patience, **case["params"]
    )
    with handle.current():
        stream = ctypes.c_void_p()
        handle._cu.cuStreamCreate(ctypes.byref(stream), 1)
        for launch in range(options.launches):
            if rank == options.kill and launch == options.launches // 2:
                os.kill(os.getpid(), 9)
            _round(handle, test, number, launch % test.sheets, lambda: handle.launch(stream.value), stream)
        graph = _Graph(handle, stream)
        for replay in range(options.replays):
            _round(handle, test, number, replay % test.sheets, graph.replay, stream)
        graph.close()
        handle._cu.cuStreamDestroy_v2(stream)
    handle.close()
    if rank == 0:
        print(
            "ok: %s %s, ranks=%d, launches=%d, replays=%d, memory=%s"
            % (
                program.about["program"],
                case["params"],
                world,
                options.launches,
                options.replays,
                "symmetric memory of PyTorch" if options.torch else "shared by the driver",
            ),
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description="Tests an exported program on the GPUs of this host.")
    parser.add_argument("--self-test", action="store_true", required=True)
    parser.add_argument("--folder", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--launches", type=int, default=1000)
    parser.add_argument("--replays", type=int, default=100)
    parser.add_argument("--patience", type=float, default=10.0, help="seconds that one wait may last")
    parser.add_argument("--torch", action="store_true", help="use PyTorch's process group and symmetric memory")
    parser.add_argument("--kill", type=int, help="kill this rank in the middle: the others must say what they wait for")
    parser.add_argument("--group", help="the name by which ranks meet (default: from MASTER_PORT)")
    options = parser.parse_args()
    try:
        if "RANK" in os.environ:
            _self_test(options, int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]))
            return 0
        world = Program(options.folder).world
    except OrielError as e:
        print("oriel: %s" % e, file=sys.stderr, flush=True)
        return 1
    group = "self-test-%d" % os.getpid()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ranks = []
    for rank in range(world):
        launch = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": world, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        environment = dict(os.environ, **{name: str(value) for name, value in launch.items()})
        ranks.append(subprocess.Popen([sys.executable, *sys.argv, "--group", group], env=environment))
    codes = [one.wait() for one in ranks]
    return 0 if not any(codes) else 1


if __name__ == "__main__":
    sys.exit(main())
