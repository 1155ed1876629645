// A kernel of an application: each rank puts a tile into the window of the next, and adds what it got to its own.
#include "oriel_device.cuh"

extern "C" __global__ void ring(oriel::Window w, const float *tile, float *sum, uint64_t count) {
  oriel::Block block = oriel::block();
  int to = (w.rank + 1) % w.world;
  w.put(block, to, 0, tile, count * sizeof(float));
  // The barrier comes after the put: a rank that passes it has its tile.
  if (w.barrier(block, 0) != oriel::ok) return;
  for (uint64_t i = block.index(); i < count; i += block.size()) sum[i] = tile[i] + w.own<float>(0)[i];
  // The next launch overwrites the tile: all ranks must have read theirs.
  w.barrier(block, 0);
}
