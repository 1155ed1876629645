// The contract's kernels on threads of the host, in a world of several ranks of this process; built with the compiler's
// race detector. Arguments: ranks, threads of a block, launches, then `blocks` if every launch is one by blocks, and the
// number of the order that is left out, if the header has been made so. Prints wrong bytes and failed operations.
#define ORIEL_DEVICE_EMULATION "emulated_gpu.h"

static int left_out = -1;

#include "window_kernels.cuh"

#include <cstdio>
#include <cstdlib>

namespace {
constexpr uint64_t LINE = 128;

struct Rank {
  std::vector<uint64_t> data, signals, arrivals, epochs, counters, steps, scratch;
  std::vector<oriel::Peer> peers;
  oriel::Failure failure{};
  uint64_t tally[2] = {};
};

uint64_t address(std::vector<uint64_t> &words) { return reinterpret_cast<uint64_t>(words.data()); }
}  // namespace

int main(int count, char **arguments) {
  int world = std::atoi(arguments[1]);
  uint32_t threads = std::atoi(arguments[2]);
  uint64_t launches = std::atoi(arguments[3]);
  bool blocks = count > 4;
  if (count > 5) left_out = std::atoi(arguments[5]);
  static uint64_t abort_word;
  std::vector<Rank> ranks(world);
  uint64_t bytes = contract::slots(world, world);
  for (Rank &rank : ranks) {
    rank.data.resize(bytes / 8 + 1);
    rank.signals.resize(world * contract::SIGNALS * LINE / 8);
    rank.arrivals.resize(world * contract::BARRIERS * LINE / 8);
    rank.epochs.resize(world * contract::BARRIERS);
    rank.counters.resize(world * contract::COUNTERS);
    rank.steps.resize(world * contract::SIGNALS);
    rank.scratch.resize((contract::TILE + contract::place(world)) / 8 + 1);
  }
  for (int r = 0; r < world; r++) {
    for (int peer = 0; peer < world; peer++) {
      uint64_t row = r < peer ? r : r - 1;
      Rank &there = ranks[peer];
      bool other = peer != r;
      ranks[r].peers.push_back({address(there.data), bytes,
                                other ? address(there.signals) + row * contract::SIGNALS * LINE : 0,
                                other ? address(there.arrivals) + row * contract::BARRIERS * LINE : 0});
    }
  }
  std::vector<std::thread> all;
  for (int r = 0; r < world; r++) {
    all.emplace_back([&, r] {
      Rank &own = ranks[r];
      oriel::Window w{ORIEL_DEVICE_VERSION, sizeof(oriel::Window), r, world, contract::SIGNALS, contract::BARRIERS,
                      contract::COUNTERS, LINE, 1, reinterpret_cast<uint64_t>(own.peers.data()), address(own.signals),
                      address(own.arrivals), address(own.epochs), address(own.counters), address(own.steps),
                      reinterpret_cast<uint64_t>(&own.failure), reinterpret_cast<uint64_t>(&abort_word),
                      60000000000ull, {0, 0}};
      for (uint64_t launch = 0; launch < launches; launch++) {
        contract::Run run{w, reinterpret_cast<uint8_t *>(own.scratch.data()), own.tally, launch, 1};
        oriel::emulated::launch(threads, [&run, blocks] { contract::launch(run, blocks ? 0 : run.launch % 3); });
      }
    });
  }
  for (std::thread &each : all) each.join();
  uint64_t wrong = 0, failed = 0;
  for (Rank &rank : ranks) {
    wrong += rank.tally[0];
    failed += rank.tally[1];
  }
  std::printf("wrong=%llu failed=%llu\n", (unsigned long long)wrong, (unsigned long long)failed);
  return wrong + failed == 0 ? 0 : 1;
}
