"""Times NCCL's collectives in graphs; prints lines that start with "oriel-". Run by oriel bench cuda --peers.

Arguments: calls in a graph, replays, bytes a graph may move, then sizes and collectives, each with commas between them.
"""
import os
import sys

import torch
import torch.distributed as dist


def micros(call, calls, replays):
    """Microseconds a call, of each replay of a graph of so many calls on a stream of its own."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for _ in range(calls):
            call()
    graph.replay()
    torch.cuda.synchronize()
    found = []
    for _ in range(replays):
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        dist.barrier()
        torch.cuda.synchronize()
        begin.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        mine = torch.tensor([begin.elapsed_time(end) * 1e3 / calls], device="cuda")
        dist.all_reduce(mine, op=dist.ReduceOp.MAX)
        found.append(mine.item())
    return found


def send_recv(out, part, rank, world):
    """Every rank sends to its successor, all in one group of calls."""
    succ, pred = (rank + 1) % world, (rank - 1) % world
    for request in dist.batch_isend_irecv([dist.P2POp(dist.isend, part, succ), dist.P2POp(dist.irecv, out, pred)]):
        request.wait()


def main():
    calls, replays, most = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    sizes = [int(size) for size in sys.argv[4].split(",")]
    wanted = sys.argv[5].split(",")
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    device = torch.device("cuda", rank)
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    if rank == 0:
        print("oriel-nccl", ".".join(str(part) for part in torch.cuda.nccl.version()), flush=True)
    backend = dist.group.WORLD._get_backend(device)
    pool = torch.cuda.MemPool(backend.mem_allocator)
    with torch.cuda.use_mem_pool(pool):
        source = torch.empty(max(sizes) * world, dtype=torch.uint8, device=device)
        target = torch.empty(max(sizes) * world, dtype=torch.uint8, device=device)
    source.zero_()
    dist.barrier()
    backend.register_mem_pool(pool, symm=True)
    dist.barrier()
    for size in sizes:
        few = min(calls, max(5, most // size))
        part, whole, out = source[:size], source[: size * world], target[: size * world]
        work = {
            "allgather": lambda: dist.all_gather_into_tensor(out, part),
            "alltoall": lambda: dist.all_to_all_single(out, whole),
            "allreduce": lambda: dist.all_reduce(part.view(torch.float32)),
            "reducescatter": lambda: dist.reduce_scatter_tensor(
                target[:size].view(torch.float32), whole.view(torch.float32)),
            "sendrecv": lambda: send_recv(target[:size], part, rank, world),
        }
        for name, call in work.items():
            if name not in wanted:
                continue
            found = micros(call, few, replays)
            if rank == 0:
                print("oriel-reading", name, size, *("%.3f" % value for value in found), flush=True)
    backend.deregister_mem_pool(pool)
    dist.destroy_process_group()


main()
