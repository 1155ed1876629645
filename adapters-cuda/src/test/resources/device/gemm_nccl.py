"""The product of gemm_all_gather.cu, then NCCL's all-gather, in one CUDA graph for each rank; started by torchrun.

Arguments: file with PTX, rows of each rank, columns, inner dimension, replays.
"""
import ctypes
import os
import sys
import time

import torch
import torch.distributed as dist

path, rows, columns, inner, replays = sys.argv[1], *map(int, sys.argv[2:6])
rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
torch.cuda.set_device(rank)
dist.init_process_group("nccl")
a = torch.randint(-1, 2, (rows, inner), device="cuda").half()
b = torch.randint(-1, 2, (inner, columns), device="cuda").half()
mine = torch.zeros((world * rows, columns), device="cuda", dtype=torch.half)
everything = torch.zeros_like(mine)
cuda = ctypes.CDLL("libcuda.so.1")
module, function = ctypes.c_void_p(), ctypes.c_void_p()
assert cuda.cuModuleLoadData(ctypes.byref(module), open(path, "rb").read() + b"\0") == 0
assert cuda.cuModuleGetFunction(ctypes.byref(function), module, b"gemm") == 0


def product():
    values = [ctypes.c_uint64(t.data_ptr()) for t in (a, b, mine)] + [ctypes.c_int(x) for x in (columns, inner, rank)]
    pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    grid = (columns // 128 * (rows // 128), 1, 1, 256, 1, 1)
    assert cuda.cuLaunchKernel(function, *grid, 0, stream, pointers, None) == 0


def both():
    product()
    dist.all_gather_into_tensor(everything, mine[rank * rows:(rank + 1) * rows])


def library():
    torch.matmul(a, b, out=mine[rank * rows:(rank + 1) * rows])
    dist.all_gather_into_tensor(everything, mine[rank * rows:(rank + 1) * rows])


for name, work in (("the same product, then NCCL", both), ("cuBLAS, then NCCL", library)) * 2:
    work()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    for _ in range(10):
        graph.replay()
    torch.cuda.synchronize()
    dist.barrier()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(replays):
        graph.replay()
    torch.cuda.synchronize()
    print(f"rank={rank}, {name}: {(time.perf_counter() - start) * 1e6 / replays:.1f} us", flush=True)
expected = a.float() @ b.float()
wrong = (everything[rank * rows:(rank + 1) * rows].float() != expected).sum().item()
print(f"rank={rank}, wrong={wrong}", flush=True)
os._exit(1 if wrong else 0)
