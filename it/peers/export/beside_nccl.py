#!/usr/bin/env python3
"""Exported programs beside NCCL through PyTorch, on the GPUs of this host.

    torchrun --nproc-per-node 2 beside_nccl.py FOLDER...

For each folder and case: the operator of PyTorch on random data, eagerly and in a captured graph,
compared with NCCL's result; then the time of one launch in a graph of 20, median of 50 replays.
"""
import importlib.util
import os
import statistics
import sys

import torch
import torch.distributed as dist

CALLS = 20
REPLAYS = 50


def loader(folder):
    spec = importlib.util.spec_from_file_location("oriel_launch", os.path.join(folder, "oriel_launch.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def nccl(name, source, target):
    if "all_gather" in name:
        return lambda: dist.all_gather_into_tensor(target, source)
    if "reduce_scatter" in name:
        return lambda: dist.reduce_scatter_tensor(target, source)
    if "all_reduce" in name:

        def reduce():
            target.copy_(source)
            dist.all_reduce(target)

        return reduce
    if "all_to_all" in name:
        return lambda: dist.all_to_all_single(target, source)
    return None


def captured(run, calls):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        run()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=side):
            for _ in range(calls):
                run()
    torch.cuda.synchronize()
    return graph


def micros(run):
    graph = captured(run, CALLS)
    times = []
    for _ in range(REPLAYS):
        dist.barrier()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1000 / CALLS)
    slowest = torch.tensor(statistics.median(times), device="cuda")
    dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
    return float(slowest)


def main():
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    failed = False
    for number, folder in enumerate(sys.argv[1:]):
        oriel = loader(folder)
        program = oriel.Program(folder)
        for which, case in enumerate(program.about["cases"]):
            handle = program.open(rank, world, **case["params"])
            source = torch.empty(handle.buffer("in").bytes // 4, dtype=torch.float32, device="cuda")
            target = torch.zeros(handle.buffer("out").bytes // 4, dtype=torch.float32, device="cuda")
            expected = torch.zeros_like(target)
            theirs = nccl(program.about["program"], source, expected)
            op = oriel.operator(handle, "exported_%d_%d" % (number, which))
            wrong = 0
            source.normal_()
            op(source, target)
            theirs()
            torch.cuda.synchronize()
            handle.check()
            wrong += not torch.allclose(target, expected, rtol=1e-5, atol=1e-5)
            graph = captured(lambda: op(source, target), 1)
            for _ in range(20):
                source.normal_()
                target.zero_()
                graph.replay()
                theirs()
                torch.cuda.synchronize()
                handle.check()
                wrong += not torch.allclose(target, expected, rtol=1e-5, atol=1e-5)
            ours = micros(lambda: handle.launch(torch.cuda.current_stream().cuda_stream))
            handle.check()
            peer = micros(theirs)
            failed |= bool(wrong)
            if rank == 0:
                print(
                    "%s %s: wrong=%d of 21, oriel %.2f us, NCCL %.2f us, ratio %.2f"
                    % (program.about["program"], case["params"], wrong, ours, peer, peer / ours),
                    flush=True,
                )
            torch.cuda.synchronize()
            handle.close()
    dist.destroy_process_group()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
