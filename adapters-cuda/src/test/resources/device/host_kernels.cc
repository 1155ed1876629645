// The contract's kernels as functions of a library, for windows in memory of the host.
#define ORIEL_DEVICE_EMULATION "emulated_gpu.h"
#include "window_kernels.cuh"

#include "ring.cu"

extern "C" {
// Runs one launch of the contract by a block of so many threads.
void contract_launch(const oriel::Window *window, void *scratch, uint64_t *tally, uint64_t launch, uint64_t seed,
                     uint32_t threads) {
  contract::Run run{*window, static_cast<uint8_t *>(scratch), tally, launch, seed};
  oriel::emulated::launch(threads, [&run] { contract::launch(run); });
}

// Waits for a signal by a block; returns the result that every thread got, or -1 if they differ.
int contract_wait(const oriel::Window *window, int source, uint32_t id, uint64_t value, uint32_t threads) {
  std::vector<oriel::Result> results(threads);
  oriel::emulated::launch(threads, [&] {
    oriel::Result one = window->wait_signal_from(oriel::block(), source, id, oriel::Compare::at_least, value);
    results[oriel::block().index()] = one;
  });
  for (oriel::Result each : results) {
    if (each != results[0]) return -1;
  }
  return int(results[0]);
}

// Puts bytes to a peer by one thread.
int contract_put(const oriel::Window *window, int peer, uint64_t offset, const void *from, uint64_t bytes) {
  return int(window->put(oriel::thread(), peer, offset, from, bytes));
}

int contract_barrier(const oriel::Window *window, uint32_t id, int only) {
  return int(window->barrier(oriel::thread(), id, only));
}

// One launch of the example by a block of so many threads.
void ring_launch(const oriel::Window *window, const float *tile, float *sum, uint64_t count, uint32_t threads) {
  oriel::emulated::launch(threads, [=] { ring(*window, tile, sum, count); });
}

// What the contract's kernels need.
uint64_t contract_bytes(int world) { return contract::slots(world, world); }
uint64_t contract_scratch(int world) { return contract::TILE + contract::place(world); }
}
