// oriel_device.cuh: a window of Oriel in a CUDA kernel of yours. C++17, sm_80 or newer, no other header of Oriel.
//
// A host thread makes the window and its handle (DeviceHandle in Java) and passes the handle by value. Each rank puts a
// tile into the part of the next, and reads the one that it got:
//
//   __global__ void ring(oriel::Window w, const float *tile, uint64_t bytes) {
//     w.put(oriel::block(), (w.rank + 1) % w.world, 0, tile, bytes);
//     if (w.barrier(oriel::block(), 0) != oriel::ok) return;
//     ... the tile is in w.own<float>(0) ...
//     w.barrier(oriel::block(), 0);  // before the next launch overwrites it
//   }
//
// Rules.
// * A group (thread, warp or block) calls an operation together, all its threads with the same arguments.
// * A signal releases all that the group did before it, including stores of its own to w.address(...). What other
//   blocks did needs an order of yours between them and the group.
// * A wait acquires: after it, the whole group sees what the observed signals released.
// * A put is visible to the peer after a later signal or barrier of the same group. Its source may be overwritten at once
//   after a synchronisation of the group, for instance after the next signal.
// * Each rank has a row of signals of its own at each peer, so a slot has one writing rank. If several groups of that rank
//   set (not add to) the same slot, order them yourself.
// * Slots keep their values between launches. Wait for the value of this launch, or use a barrier or a pipe, which count for
//   themselves.
// * One group at a time uses a barrier id, or a pipe to a peer; the group that waits for a barrier is the one that arrived.
// * Every wait ends: it returns `aborted` or `timed_out` when the host stops the handle or the patience is over. The first
//   such end is kept for the host (DeviceHandle.failure()), and all later waits of the rank end soon.
// * The slots of a handle are words of their own: Window.signal and Window.await of the host do not touch them.
#ifndef ORIEL_DEVICE_CUH
#define ORIEL_DEVICE_CUH

#include <stdint.h>

#define ORIEL_DEVICE_VERSION 1

#ifdef ORIEL_DEVICE_EMULATION
#include ORIEL_DEVICE_EMULATION  // the primitives below on another machine, for tests without a GPU
#else
#define ORIEL_DEVICE __device__ __forceinline__
#define ORIEL_UNROLL _Pragma("unroll")

namespace oriel {
constexpr uint32_t WARP = 32;

// Failed polls between two looks at the host's word and at the timer: frequent looks would slow the host down.
constexpr uint32_t LOOKS = 1u << 12;

namespace primitive {
// Accesses of shared words name their order and scope; data moves by weak accesses.
ORIEL_DEVICE uint64_t load_relaxed(const uint64_t *word) {
  uint64_t value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

ORIEL_DEVICE uint64_t load_acquire(const uint64_t *word) {
  uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

ORIEL_DEVICE void store_release(uint64_t *word, uint64_t value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

ORIEL_DEVICE void add_release(uint64_t *word, uint64_t value) {
  asm volatile("red.release.sys.global.add.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

// The old value; the new one is there only if the old one was 0.
ORIEL_DEVICE uint64_t claim(uint64_t *word, uint64_t value) {
  uint64_t old;
  asm volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], 0, %2;" : "=l"(old) : "l"(word), "l"(value) : "memory");
  return old;
}

ORIEL_DEVICE void fence() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }

ORIEL_DEVICE uint64_t nanoseconds() {
  uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

// 16 bytes that move by one instruction.
struct alignas(16) Unit {
  uint64_t low, high;
};
}  // namespace primitive

// One thread alone.
struct Thread {
  ORIEL_DEVICE uint32_t index() const { return 0; }
  ORIEL_DEVICE uint32_t size() const { return 1; }
  ORIEL_DEVICE void sync() const {}
  ORIEL_DEVICE bool any(bool holds) const { return holds; }
};

// The threads of a warp, all of which take part.
struct Warp {
  ORIEL_DEVICE uint32_t index() const {
    uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
  }
  ORIEL_DEVICE uint32_t size() const { return WARP; }
  ORIEL_DEVICE void sync() const { __syncwarp(); }
  // A vote alone orders no memory.
  ORIEL_DEVICE bool any(bool holds) const {
    __syncwarp();
    return __any_sync(0xffffffffu, holds) != 0;
  }
};

// All threads of the block.
struct Block {
  ORIEL_DEVICE uint32_t index() const {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  ORIEL_DEVICE uint32_t size() const { return blockDim.x * blockDim.y * blockDim.z; }
  ORIEL_DEVICE void sync() const { __syncthreads(); }
  ORIEL_DEVICE bool any(bool holds) const { return __syncthreads_or(holds) != 0; }
};
}  // namespace oriel
#endif

namespace oriel {
ORIEL_DEVICE Thread thread() { return Thread{}; }
ORIEL_DEVICE Warp warp() { return Warp{}; }
ORIEL_DEVICE Block block() { return Block{}; }

// How an operation ended; the numbers are those of DeviceFailure in Java.
enum Result : uint64_t { ok = 0, aborted = 1, timed_out = 2, out_of_range = 3 };

// The operation of a failure; the numbers are those of DeviceFailure in Java.
enum class Operation : uint64_t { put = 1, get = 2, signal = 3, wait_from = 4, wait_sum = 5, barrier = 6, counter = 7 };

// The comparison of a wait: the word on the left, the value on the right, as unsigned numbers.
enum class Compare : uint64_t { equal = 0, not_equal = 1, at_least = 2, greater = 3, at_most = 4, less = 5 };

// What reaches one rank; 32 bytes in the memory of the own GPU.
struct Peer {
  uint64_t data;      // where its part is mapped; 0 if it is not
  uint64_t bytes;     // the bytes of its part
  uint64_t signals;   // where it keeps the signals of this rank; 0 for this rank itself
  uint64_t barriers;  // where it keeps the arrivals of this rank; 0 for this rank itself
};

// The first failure of a rank, for its host.
struct Failure {
  uint64_t result, operation, id, peer, wanted, seen;
};

// Tiles from one rank to another through slots of its window, with credits.
struct Pipe {
  uint64_t offset;  // of the first slot in the receiver's part
  uint64_t tile;    // bytes of a slot
  uint32_t depth;   // number of slots
  uint32_t filled;  // the signal by which the sender announces tiles
  uint32_t freed;   // the signal by which the receiver announces free slots
};

// The handle: 128 bytes, the same layout in Java (DeviceHandle).
struct Window {
  uint32_t version, size;
  int32_t rank, world;
  uint32_t signal_count, barrier_count, counter_count, slot_stride;
  uint64_t generation;  // the number of the window in its communicator
  uint64_t peers;       // Peer[world]
  uint64_t rows;        // own signals: a row for each other rank, in ascending order
  uint64_t arrivals;    // own arrivals, in the same rows
  uint64_t epochs;      // uint64_t[world][barrier_count]: rounds that this rank entered
  uint64_t counters;    // uint64_t[world][counter_count]
  uint64_t steps;       // uint64_t[world][signal_count]: tiles that pipes sent or took
  uint64_t failure;     // Failure
  uint64_t abort;       // a word that the host sets
  uint64_t patience;    // nanoseconds that a wait may last
  uint64_t reserved[2];

  // --- addresses -----------------------------------------------------------------------------------------------

  // The own part.
  template <class T = void>
  ORIEL_DEVICE T *own(uint64_t offset) const {
    return reinterpret_cast<T *>(peer(rank).data + offset);
  }

  // The part of a peer for loads and stores of yours: they are visible to it after a later signal of the same group.
  // Null if the peer is not mapped.
  template <class T = void>
  ORIEL_DEVICE T *address(int of, uint64_t offset) const {
    uint64_t data = peer(of).data;
    return data == 0 ? nullptr : reinterpret_cast<T *>(data + offset);
  }

  // --- bytes ---------------------------------------------------------------------------------------------------

  // Copies bytes into the part of a peer, which may be this rank.
  template <class G>
  ORIEL_DEVICE Result put(G group, int to, uint64_t offset, const void *from, uint64_t bytes) const {
    uint64_t target = reach(group, Operation::put, to, offset, bytes);
    if (target == 0) return out_of_range;
    copy(target, reinterpret_cast<uint64_t>(from), bytes, group.index(), group.size());
    return ok;
  }

  // The same by a block whose warps take chunks in turn: a warp's stores stay close together. A chunk is rounded down to a
  // multiple of 16 bytes, and is at least 16.
  ORIEL_DEVICE Result put_warp_chunked(Block group, int to, uint64_t offset, const void *from, uint64_t bytes,
                                       uint64_t chunk) const {
    uint64_t target = reach(group, Operation::put, to, offset, bytes);
    if (target == 0) return out_of_range;
    uint64_t step = chunk < 16 ? 16 : chunk / 16 * 16;
    uint32_t warps = (group.size() + WARP - 1) / WARP, mine = group.index() / WARP;
    uint32_t width = mine + 1 < warps ? WARP : group.size() - WARP * mine;
    for (uint64_t at = mine * step; at < bytes; at += warps * step) {
      uint64_t length = bytes - at < step ? bytes - at : step;
      copy(target + at, reinterpret_cast<uint64_t>(from) + at, length, group.index() % WARP, width);
    }
    return ok;
  }

  // put, then a signal that adds `value`.
  template <class G>
  ORIEL_DEVICE Result put_signal(G group, int to, uint64_t offset, const void *from, uint64_t bytes, uint32_t id,
                                 uint64_t value) const {
    Result moved = put(group, to, offset, from, bytes);
    return moved == ok ? signal_add(group, to, id, value) : moved;
  }

  // put, then 1 more in the own counter `id` for that peer: its source may be overwritten.
  template <class G>
  ORIEL_DEVICE Result put_counted(G group, int to, uint64_t offset, const void *from, uint64_t bytes,
                                  uint32_t id) const {
    if (id >= counter_count) return refuse(group, Operation::counter, to, id, counter_count);
    Result moved = put(group, to, offset, from, bytes);
    if (moved != ok) return moved;
    group.sync();
    if (group.index() == 0) primitive::add_release(counter(to, id), 1);
    return ok;
  }

  // Copies bytes of a peer's part into memory of this GPU. The whole group sees them after the call.
  template <class G>
  ORIEL_DEVICE Result get(G group, int from, uint64_t offset, void *into, uint64_t bytes) const {
    uint64_t source = reach(group, Operation::get, from, offset, bytes);
    if (source == 0) return out_of_range;
    copy(reinterpret_cast<uint64_t>(into), source, bytes, group.index(), group.size());
    group.sync();
    return ok;
  }

  // The puts of the group before it are at the peers before any access of the group after it.
  template <class G>
  ORIEL_DEVICE void flush(G group) const {
    primitive::fence();
    group.sync();
  }

  // --- signals -------------------------------------------------------------------------------------------------

  // Adds to the own slot `id` at the peer, once for the group.
  template <class G>
  ORIEL_DEVICE Result signal_add(G group, int to, uint32_t id, uint64_t value) const {
    uint64_t *word = slot(group, to, id);
    if (word == nullptr) return out_of_range;
    group.sync();
    if (group.index() == 0) primitive::add_release(word, value);
    return ok;
  }

  // Sets the own slot `id` at the peer.
  template <class G>
  ORIEL_DEVICE Result signal_set(G group, int to, uint32_t id, uint64_t value) const {
    uint64_t *word = slot(group, to, id);
    if (word == nullptr) return out_of_range;
    group.sync();
    if (group.index() == 0) primitive::store_release(word, value);
    return ok;
  }

  // The present value of slot `id` in the row of a source, or 0 where there is none; orders nothing.
  ORIEL_DEVICE uint64_t read_signal(int source, uint32_t id) const {
    bool there = is_peer(source) && id < signal_count;
    return there ? primitive::load_relaxed(own_slot(rows, signal_count, source, id)) : 0;
  }

  // Waits for slot `id` in the row of one source.
  template <class G>
  ORIEL_DEVICE Result wait_signal_from(G group, int source, uint32_t id, Compare how, uint64_t value) const {
    if (!is_peer(source) || id >= signal_count) return refuse(group, Operation::wait_from, source, id, signal_count);
    bool failed = false;
    if (group.index() == 0) {
      const uint64_t *word = own_slot(rows, signal_count, source, id);
      failed = !wait(word, how, value, Operation::wait_from, source, id);
    }
    return all_done(group, failed);
  }

  // Waits for the sum of slot `id` over the rows of all other ranks.
  template <class G>
  ORIEL_DEVICE Result wait_signal(G group, uint32_t id, Compare how, uint64_t value) const {
    if (id >= signal_count) return refuse(group, Operation::wait_sum, rank, id, signal_count);
    bool failed = false;
    if (group.index() == 0) {
      Watch watch{};
      for (;;) {
        uint64_t sum = 0;
        for (int source = 0; source < world; source++) {
          if (source != rank) sum += primitive::load_acquire(own_slot(rows, signal_count, source, id));
        }
        if (holds(how, sum, value)) break;
        Result end = give_up(watch);
        if (end != ok) {
          keep(end, Operation::wait_sum, id, rank, value, sum);
          failed = true;
          break;
        }
      }
    }
    return all_done(group, failed);
  }

  // --- counters ------------------------------------------------------------------------------------------------

  ORIEL_DEVICE uint64_t read_counter(int to, uint32_t id) const {
    bool there = to >= 0 && to < world && id < counter_count;
    return there ? primitive::load_relaxed(counter(to, id)) : 0;
  }

  template <class G>
  ORIEL_DEVICE Result wait_counter(G group, int to, uint32_t id, Compare how, uint64_t value) const {
    if (to < 0 || to >= world || id >= counter_count) return refuse(group, Operation::counter, to, id, counter_count);
    bool failed = false;
    if (group.index() == 0) failed = !wait(counter(to, id), how, value, Operation::counter, to, id);
    return all_done(group, failed);
  }

  // --- barriers ------------------------------------------------------------------------------------------------

  // Arrives at the next round of a barrier, at all peers or at one.
  template <class G>
  ORIEL_DEVICE Result arrive(G group, uint32_t id, int only = -1) const {
    if (id >= barrier_count || only >= world) return refuse(group, Operation::barrier, only, id, barrier_count);
    group.sync();
    for (int each = group.index(); each < world; each += group.size()) {
      if (!meets(each, only)) continue;
      uint64_t round = ++*epoch(each, id);
      primitive::store_release(reinterpret_cast<uint64_t *>(peer(each).barriers + uint64_t{id} * slot_stride), round);
    }
    return ok;
  }

  // Waits until the same peers have arrived at the round in which this rank arrived last.
  template <class G>
  ORIEL_DEVICE Result wait_arrived(G group, uint32_t id, int only = -1) const {
    if (id >= barrier_count || only >= world) return refuse(group, Operation::barrier, only, id, barrier_count);
    bool failed = false;
    for (int each = group.index(); each < world; each += group.size()) {
      if (!meets(each, only)) continue;
      const uint64_t *word = own_slot(arrivals, barrier_count, each, id);
      failed |= !wait(word, Compare::at_least, *epoch(each, id), Operation::barrier, each, id);
    }
    return all_done(group, failed);
  }

  // Passes once all other ranks, or the one peer, have entered the same round; a wait that failed may be repeated alone.
  template <class G>
  ORIEL_DEVICE Result barrier(G group, uint32_t id, int only = -1) const {
    Result there = arrive(group, id, only);
    return there == ok ? wait_arrived(group, id, only) : there;
  }

  // --- pipes ---------------------------------------------------------------------------------------------------

  // Sends the next tile to a peer; waits for a free slot.
  template <class G>
  ORIEL_DEVICE Result send(G group, const Pipe &pipe, int to, const void *from, uint64_t bytes) const {
    if (!fits(pipe, bytes) || !is_peer(to)) return refuse(group, Operation::put, to, pipe.filled, pipe.tile);
    group.sync();
    uint64_t step = *taken(to, pipe.filled);
    if (step >= pipe.depth) {
      Result free = wait_signal_from(group, to, pipe.freed, Compare::at_least, step - pipe.depth + 1);
      if (free != ok) return free;
    }
    Result moved = put(group, to, pipe.offset + step % pipe.depth * pipe.tile, from, bytes);
    if (moved != ok) return moved;
    Result told = signal_set(group, to, pipe.filled, step + 1);
    if (group.index() == 0) *taken(to, pipe.filled) = step + 1;
    return told;
  }

  // Takes the next tile of a peer out of its slot, and frees the slot.
  template <class G>
  ORIEL_DEVICE Result recv(G group, const Pipe &pipe, int source, void *into, uint64_t bytes) const {
    if (!fits(pipe, bytes) || !is_peer(source)) return refuse(group, Operation::get, source, pipe.freed, pipe.tile);
    group.sync();
    uint64_t step = *taken(source, pipe.freed);
    Result full = wait_signal_from(group, source, pipe.filled, Compare::at_least, step + 1);
    if (full != ok) return full;
    Result moved = get(group, rank, pipe.offset + step % pipe.depth * pipe.tile, into, bytes);
    if (moved != ok) return moved;
    Result told = signal_set(group, source, pipe.freed, step + 1);
    if (group.index() == 0) *taken(source, pipe.freed) = step + 1;
    return told;
  }

  // --- how it works --------------------------------------------------------------------------------------------

 private:
  struct Watch {
    uint32_t polls;
    uint64_t since;
  };

  ORIEL_DEVICE const Peer &peer(int of) const { return reinterpret_cast<const Peer *>(peers)[of]; }

  ORIEL_DEVICE bool is_peer(int of) const { return of >= 0 && of < world && of != rank; }

  ORIEL_DEVICE bool meets(int each, int only) const { return each != rank && (only < 0 || each == only); }

  ORIEL_DEVICE uint64_t *own_slot(uint64_t table, uint32_t count, int source, uint32_t id) const {
    uint64_t row = source < rank ? source : source - 1;
    return reinterpret_cast<uint64_t *>(table + (row * count + id) * slot_stride);
  }

  ORIEL_DEVICE uint64_t *epoch(int of, uint32_t id) const {
    return reinterpret_cast<uint64_t *>(epochs) + uint64_t(of) * barrier_count + id;
  }

  ORIEL_DEVICE uint64_t *counter(int of, uint32_t id) const {
    return reinterpret_cast<uint64_t *>(counters) + uint64_t(of) * counter_count + id;
  }

  ORIEL_DEVICE uint64_t *taken(int of, uint32_t id) const {
    return reinterpret_cast<uint64_t *>(steps) + uint64_t(of) * signal_count + id;
  }

  ORIEL_DEVICE bool fits(const Pipe &pipe, uint64_t bytes) const {
    return pipe.depth > 0 && bytes <= pipe.tile && pipe.filled < signal_count && pipe.freed < signal_count;
  }

  // The address of bytes of a rank; 0, and a kept failure, if they leave its part.
  template <class G>
  ORIEL_DEVICE uint64_t reach(G group, Operation what, int of, uint64_t offset, uint64_t bytes) const {
    if (of >= 0 && of < world) {
      const Peer &there = peer(of);
      if (there.data != 0 && offset <= there.bytes && bytes <= there.bytes - offset) return there.data + offset;
    }
    if (group.index() == 0) keep(out_of_range, what, offset, of, bytes, of >= 0 && of < world ? peer(of).bytes : 0);
    return 0;
  }

  template <class G>
  ORIEL_DEVICE uint64_t *slot(G group, int to, uint32_t id) const {
    if (is_peer(to) && id < signal_count) {
      return reinterpret_cast<uint64_t *>(peer(to).signals + uint64_t{id} * slot_stride);
    }
    refuse(group, Operation::signal, to, id, signal_count);
    return nullptr;
  }

  template <class G>
  ORIEL_DEVICE Result refuse(G group, Operation what, int of, uint64_t id, uint64_t count) const {
    if (group.index() == 0) keep(out_of_range, what, id, of, count, 0);
    return out_of_range;
  }

  // Keeps the first failure. Its other words are read after the kernel has ended.
  ORIEL_DEVICE void keep(Result result, Operation what, uint64_t id, int of, uint64_t wanted, uint64_t seen) const {
    Failure *first = reinterpret_cast<Failure *>(failure);
    if (primitive::claim(&first->result, result) == 0) {
      first->operation = uint64_t(what);
      first->id = id;
      first->peer = uint64_t(int64_t(of));
      first->wanted = wanted;
      first->seen = seen;
    }
  }

  ORIEL_DEVICE static bool holds(Compare how, uint64_t left, uint64_t right) {
    switch (how) {
      case Compare::equal: return left == right;
      case Compare::not_equal: return left != right;
      case Compare::at_least: return left >= right;
      case Compare::greater: return left > right;
      case Compare::at_most: return left <= right;
      default: return left < right;
    }
  }

  // After a failed poll: whether the wait ends now, and why.
  ORIEL_DEVICE Result give_up(Watch &watch) const {
    if (++watch.polls % LOOKS != 0) return ok;
    uint64_t now = primitive::nanoseconds();
    if (watch.since == 0) watch.since = now;
    if (primitive::load_relaxed(reinterpret_cast<const uint64_t *>(abort)) != 0) return aborted;
    uint64_t before = primitive::load_relaxed(&reinterpret_cast<const Failure *>(failure)->result);
    if (before != ok) return Result(before);
    return now - watch.since > patience ? timed_out : ok;
  }

  // A look and then an acquire of the same word acquire what the look saw.
  ORIEL_DEVICE bool wait(const uint64_t *word, Compare how, uint64_t value, Operation what, int of,
                         uint64_t id) const {
    Watch watch{};
    for (;;) {
      uint64_t seen = primitive::load_relaxed(word);
      if (holds(how, seen, value)) break;
      Result end = give_up(watch);
      if (end != ok) {
        keep(end, what, id, of, value, seen);
        return false;
      }
    }
    primitive::load_acquire(word);
    return true;
  }

  // Every thread of the group is ordered after the waits of all, and knows whether one failed.
  template <class G>
  ORIEL_DEVICE Result all_done(G group, bool failed) const {
    if (!group.any(failed)) return ok;
    return Result(primitive::load_relaxed(&reinterpret_cast<const Failure *>(failure)->result));
  }

  // Copies by thread `index` of `size`, in the widest units that both addresses allow.
  ORIEL_DEVICE static void copy(uint64_t to, uint64_t from, uint64_t bytes, uint32_t index, uint32_t size) {
    uint64_t done = 0;
    if (((to | from) & 15) == 0) {
      done = units<primitive::Unit, 4>(to, from, bytes, index, size);
    } else if (((to | from) & 3) == 0) {
      done = units<uint32_t, 4>(to, from, bytes, index, size);
    }
    units<uint8_t, 1>(to + done, from + done, bytes - done, index, size);
  }

  // Copies whole units, several at a time: all loads before the stores. Returns the bytes that they take.
  template <class Unit, int MANY>
  ORIEL_DEVICE static uint64_t units(uint64_t to, uint64_t from, uint64_t bytes, uint32_t index, uint32_t size) {
    Unit *target = reinterpret_cast<Unit *>(to);
    const Unit *source = reinterpret_cast<const Unit *>(from);
    uint64_t count = bytes / sizeof(Unit), at = index, step = size;
    for (; at + (MANY - 1) * step < count; at += MANY * step) {
      Unit some[MANY];
      ORIEL_UNROLL
      for (int i = 0; i < MANY; i++) some[i] = source[at + i * step];
      ORIEL_UNROLL
      for (int i = 0; i < MANY; i++) target[at + i * step] = some[i];
    }
    for (; at < count; at += step) target[at] = source[at];
    return count * sizeof(Unit);
  }
};

static_assert(sizeof(Peer) == 32, "Peer has another layout than in Java");
static_assert(sizeof(Failure) == 48, "Failure has another layout than in Java");
static_assert(sizeof(Window) == 128, "Window has another layout than in Java");
}  // namespace oriel

#endif
