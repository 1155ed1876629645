#!/usr/bin/env python3
"""A rank that is later than its peer's patience, with an exported all-gather for 2 ranks and B=65536.

    python3 late.py FOLDER 0 & python3 late.py FOLDER 1; wait

Rank 0 puts five launches into its stream and gives up after one second; then it changes its input and launches again.
Rank 1 launches after four seconds, and prints which bytes it got from rank 0: 7 is the first input, 9 the second.
"""
import sys
import time

folder, rank = sys.argv[1], int(sys.argv[2])
sys.path.insert(0, folder)
import oriel_launch  # noqa: E402
import torch  # noqa: E402

BYTES = 65536
torch.cuda.set_device(rank)
group = oriel_launch.Group("late", rank, 2)
handle = oriel_launch.Program(folder).open(rank, 2, all_gather=group.all_gather, patience=1, B=BYTES)
mine, everyone = (handle.tensor(name, torch.uint8) for name in ("in", "out"))
stream = torch.cuda.current_stream().cuda_stream


def launch(count):
    torch.cuda.synchronize()
    start = time.time()
    for _ in range(count):
        handle.launch(stream)
    torch.cuda.synchronize()
    return "rank %d: %d launches took %.2f s" % (rank, count, time.time() - start)


mine.fill_(7)
everyone.fill_(0)
torch.cuda.synchronize()
group.all_gather(b"begin")
if rank == 0:
    print(launch(5))
    mine.fill_(9)
    print(launch(5))
else:
    time.sleep(4)
    print(launch(3), "bytes of rank 0:", sorted(set(everyone[:BYTES].tolist())))
try:
    handle.check()
    print("rank %d: all launches ended well" % rank)
except oriel_launch.OrielError as e:
    print(e)
handle.close()
