// The contract's kernels for GPUs.
#include "window_kernels.cuh"

extern "C" __global__ void contract_launch(oriel::Window window, uint8_t *scratch, uint64_t *tally, uint64_t launch,
                                           uint64_t seed) {
  contract::launch(contract::Run{window, scratch, tally, launch, seed});
}

// The same for a graph, which keeps its parameters: the number of the launch is a word of the GPU's memory.
extern "C" __global__ void contract_replay(oriel::Window window, uint8_t *scratch, uint64_t *tally, uint64_t *launches,
                                           uint64_t seed) {
  uint64_t launch = *launches;
  oriel::block().sync();
  contract::launch(contract::Run{window, scratch, tally, launch, seed});
  oriel::block().sync();
  if (oriel::block().index() == 0) *launches = launch + 1;
}
