// The contract of a device handle as kernels: each operation, with every byte checked. The same text runs on GPUs and on
// threads of the host.
#ifndef WINDOW_KERNELS_CUH
#define WINDOW_KERNELS_CUH

#include "oriel_device.cuh"

namespace contract {
// Bytes of a piece that each rank puts to each other; no multiple of 16, so that all widths of a copy occur.
constexpr uint64_t PIECE = 1000 + 4 + 1;
constexpr uint64_t TILE = 176;
constexpr uint32_t DEPTH = 2, TILES = 5;

// The signals of the kernels; each has one use, so that each has one kind of change.
enum Signal : uint32_t { arrived, chunked, filled, freed, word, SIGNALS };
enum Barrier : uint32_t { all_block, all_warp, pair, BARRIERS };
constexpr uint32_t COUNTERS = 1;

// What the kernels use of each rank's part: a place for each source, then slots for each source's tiles.
ORIEL_DEVICE uint64_t place(int source) { return uint64_t(source) * 1024; }
ORIEL_DEVICE uint64_t slots(int world, int source) { return uint64_t(world) * 1024 + uint64_t(source) * DEPTH * TILE; }

ORIEL_DEVICE uint8_t value(int source, int target, uint64_t launch, uint64_t at) {
  uint64_t mixed = (uint64_t(source) * 31 + uint64_t(target) * 17 + launch * 7919 + at) * 0x9E3779B97F4A7C15ull;
  return uint8_t(mixed >> 56);
}

// Wrong bytes, and operations that did not end well.
struct Tally {
  uint64_t wrong, failed;
};

struct Run {
  oriel::Window w;
  uint8_t *scratch;  // TILE bytes and a piece for each rank
  uint64_t *tally;   // Tally
  uint64_t launch, seed;
};

ORIEL_DEVICE void add(uint64_t *at, uint64_t more) {
  if (more != 0) oriel::primitive::add_release(at, more);
}

// Delays a group's threads alike, or not at all.
ORIEL_DEVICE void pause(const Run &run, uint64_t step) {
  uint64_t mixed = (run.seed + run.launch * 64 + step + uint64_t(run.w.rank) * 977) * 0xD1342543DE82EF95ull;
  if ((mixed >> 60) != 0) return;
  uint64_t until = oriel::primitive::nanoseconds() + (mixed >> 40) % 20000;
  while (oriel::primitive::nanoseconds() < until) {
  }
}

template <class G>
ORIEL_DEVICE void fill(G group, const Run &run, uint8_t *into, int target, uint64_t bytes, uint64_t salt) {
  for (uint64_t at = group.index(); at < bytes; at += group.size()) {
    into[at] = value(run.w.rank, target, run.launch + salt, at);
  }
  group.sync();
}

template <class G>
ORIEL_DEVICE void check(G group, const Run &run, const uint8_t *from, int source, int target, uint64_t bytes,
                        uint64_t salt) {
  uint64_t wrong = 0;
  for (uint64_t at = group.index(); at < bytes; at += group.size()) {
    wrong += from[at] != value(source, target, run.launch + salt, at);
  }
  add(run.tally, wrong);
}

template <class G>
ORIEL_DEVICE void expect(G group, const Run &run, oriel::Result result) {
  if (group.index() == 0) add(run.tally + 1, result != oriel::ok);
}

// Every operation once, by the group `g`; `meeting` is the barrier id of such groups.
template <class G>
ORIEL_DEVICE void everything(G g, const Run &run, uint32_t meeting) {
  const oriel::Window &w = run.w;
  uint8_t *own = run.scratch + TILE;
  // Pieces to all, each with its signal; the sum shows that all have come.
  for (int to = 0; to < w.world; to++) {
    fill(g, run, own + place(to), to, PIECE, 0);
    pause(run, 1);
    if (to == w.rank) {
      expect(g, run, w.put(g, to, place(w.rank), own + place(to), PIECE));
    } else {
      expect(g, run, w.put_signal(g, to, place(w.rank), own + place(to), PIECE, arrived, 1));
    }
  }
  g.sync();
  uint64_t round = run.launch + 1;
  expect(g, run, w.wait_signal(g, arrived, oriel::Compare::at_least, round * (w.world - 1)));
  for (int from = 0; from < w.world; from++) {
    check(g, run, w.own<uint8_t>(place(from)), from, w.rank, PIECE, 0);
  }
  pause(run, 2);
  expect(g, run, w.barrier(g, meeting));

  // The other way round: each rank reads what the others keep for it.
  for (int to = 0; to < w.world; to++) fill(g, run, w.own<uint8_t>(place(to)), to, PIECE, 1);
  expect(g, run, w.arrive(g, meeting));
  pause(run, 3);
  expect(g, run, w.wait_arrived(g, meeting));
  for (int from = 0; from < w.world; from++) {
    expect(g, run, w.get(g, from, place(w.rank), own, PIECE));
    check(g, run, own, from, w.rank, PIECE, 1);
    g.sync();
  }
  w.flush(g);
  expect(g, run, w.barrier(g, meeting));

  // Tiles around a ring, more than there are slots.
  int next = (w.rank + 1) % w.world, before = (w.rank + w.world - 1) % w.world;
  if (next != w.rank) {
    oriel::Pipe out{slots(w.world, w.rank), TILE, DEPTH, filled, freed};
    oriel::Pipe in{slots(w.world, before), TILE, DEPTH, filled, freed};
    uint8_t *taken = own + place(1);
    for (uint32_t tile = 0; tile < TILES; tile++) {
      fill(g, run, own, next, 2 * TILE, 2 + tile);
      pause(run, 8 + tile);
      expect(g, run, w.send(g, out, next, own, TILE));
      expect(g, run, w.send(g, out, next, own + TILE, TILE - 16));
      expect(g, run, w.recv(g, in, before, taken, TILE));
      expect(g, run, w.recv(g, in, before, taken + TILE, TILE - 16));
      check(g, run, taken, before, w.rank, 2 * TILE - 16, 2 + tile);
      g.sync();
    }
  }

  // A counted put to the next rank alone, a word that is set, and a barrier of a pair.
  expect(g, run, w.barrier(g, meeting));
  fill(g, run, own, next, PIECE, 9);
  uint64_t counted = w.read_counter(next, 0);
  g.sync();
  expect(g, run, w.put_counted(g, next, place(w.rank), own, PIECE, 0));
  expect(g, run, w.wait_counter(g, next, 0, oriel::Compare::equal, counted + 1));
  g.sync();
  if (next != w.rank) {
    expect(g, run, w.signal_set(g, next, word, round));
    expect(g, run, w.wait_signal_from(g, before, word, oriel::Compare::at_least, round));
    if (w.read_signal(before, word) < round) expect(g, run, oriel::timed_out);
  }
  check(g, run, w.own<uint8_t>(place(before)), before, w.rank, PIECE, 9);
  int other = w.rank ^ 1;
  if (other < w.world) expect(g, run, w.barrier(g, pair, other));
  expect(g, run, w.barrier(g, meeting));
}

// A thread of another group may overwrite a source once the counter has counted its put, and every thread of the group
// after a flush. A block of more than one warp only.
ORIEL_DEVICE void sources(const Run &run) {
  const oriel::Window &w = run.w;
  oriel::Block block = oriel::block();
  int next = (w.rank + 1) % w.world, before = (w.rank + w.world - 1) % w.world;
  uint8_t *own = run.scratch + TILE;
  uint32_t last = block.size() - 1;
  if (last < oriel::WARP) return;
  fill(block, run, own, next, PIECE, 5);
  uint64_t counted = w.read_counter(next, 0);
  block.sync();
  if (block.index() < oriel::WARP) {
    expect(oriel::warp(), run, w.put_counted(oriel::warp(), next, place(w.rank), own, PIECE, 0));
  } else if (block.index() == last) {
    expect(oriel::thread(), run,
           w.wait_counter(oriel::thread(), next, 0, oriel::Compare::equal, counted + 1));
    for (uint64_t at = 0; at < PIECE; at++) own[at] = 0;
  }
  expect(block, run, w.barrier(block, all_block));
  check(block, run, w.own<uint8_t>(place(before)), before, w.rank, PIECE, 5);
  expect(block, run, w.barrier(block, all_block));
  fill(block, run, own, next, PIECE, 6);
  expect(block, run, w.put(block, next, place(w.rank), own, PIECE));
  w.flush(block);
  for (uint64_t at = last - block.index(); at < PIECE; at += block.size()) own[at] = 0;
  expect(block, run, w.barrier(block, all_block));
  check(block, run, w.own<uint8_t>(place(before)), before, w.rank, PIECE, 6);
  expect(block, run, w.barrier(block, all_block));
}

// Stores of the caller's own, and chunks by warps; a block only.
ORIEL_DEVICE void own_stores(const Run &run) {
  const oriel::Window &w = run.w;
  oriel::Block g = oriel::block();
  for (int to = 0; to < w.world; to++) {
    uint8_t *there = w.address<uint8_t>(to, place(w.rank));
    for (uint64_t at = g.index(); at < PIECE; at += g.size()) there[at] = value(w.rank, to, run.launch + 3, at);
  }
  expect(g, run, w.barrier(g, all_block));
  for (int from = 0; from < w.world; from++) {
    check(g, run, w.own<uint8_t>(place(from)), from, w.rank, PIECE, 3);
  }
  uint8_t *own = run.scratch + TILE;
  expect(g, run, w.barrier(g, all_block));
  for (int to = 0; to < w.world; to++) {
    fill(g, run, own, to, PIECE, 4);
    expect(g, run, w.put_warp_chunked(g, to, place(w.rank), own, PIECE, 128));
    g.sync();
    if (to != w.rank) expect(g, run, w.signal_add(g, to, chunked, 1));
  }
  for (int from = 0; from < w.world; from++) {
    if (from != w.rank) {
      expect(g, run, w.wait_signal_from(g, from, chunked, oriel::Compare::at_least, run.launch + 1));
    }
    check(g, run, w.own<uint8_t>(place(from)), from, w.rank, PIECE, 4);
  }
  expect(g, run, w.barrier(g, all_block));
}

// One launch, whose operations the block executes, its first warp, or one thread.
ORIEL_DEVICE void launch(const Run &run, uint64_t kind) {
  switch (kind) {
    case 0:
      everything(oriel::block(), run, all_block);
      break;
    case 1:
      if (oriel::block().index() < oriel::WARP) everything(oriel::warp(), run, all_warp);
      break;
    default:
      if (oriel::block().index() == 0) everything(oriel::thread(), run, all_warp);
  }
  oriel::block().sync();
  own_stores(run);
  sources(run);
}

ORIEL_DEVICE void launch(const Run &run) { launch(run, run.launch % 3); }
}  // namespace contract

#endif
