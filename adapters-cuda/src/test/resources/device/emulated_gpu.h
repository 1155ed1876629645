// The primitives of oriel_device.cuh on threads of the host: a block is a set of threads that meet at barriers, words are
// C++ atomics. The compiler's race detector then judges the header's synchronisation by the rules of C++.
#ifndef EMULATED_GPU_H
#define EMULATED_GPU_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#define ORIEL_DEVICE inline
#define ORIEL_UNROLL
#define __global__
#define __device__

namespace oriel {
constexpr uint32_t WARP = 4;
constexpr uint32_t LOOKS = 8;

namespace emulated {
// A meeting of threads. That of the standard library shares words among unrelated meetings, which would order them.
class Meeting {
 public:
  explicit Meeting(uint32_t threads) : threads_(threads) {}

  void arrive_and_wait() {
    uint64_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
    } else {
      while (round_.load(std::memory_order_acquire) == round) std::this_thread::yield();
    }
  }

 private:
  const uint32_t threads_;
  std::atomic<uint32_t> arrived_ = 0;
  std::atomic<uint64_t> round_ = 0;
};

// What the threads of a block share.
struct Shared {
  explicit Shared(uint32_t threads) : size(threads), all(threads) {
    for (uint32_t at = 0; at < threads; at += WARP) {
      warps.push_back(std::make_unique<Meeting>(threads - at < WARP ? threads - at : WARP));
    }
  }
  uint32_t size;
  Meeting all;
  std::vector<std::unique_ptr<Meeting>> warps;
  std::atomic<uint32_t> votes[2 * 1024] = {};
};

inline thread_local Shared *shared;
inline thread_local uint32_t self;

// Runs a kernel of one block; returns once all of its threads have ended.
template <class Kernel>
void launch(uint32_t threads, Kernel kernel) {
  Shared block(threads);
  std::vector<std::thread> all;
  for (uint32_t index = 0; index < threads; index++) {
    all.emplace_back([&block, &kernel, index] {
      shared = &block;
      self = index;
      kernel();
    });
  }
  for (std::thread &each : all) each.join();
}

inline std::atomic_ref<uint64_t> word(const uint64_t *at) { return std::atomic_ref<uint64_t>(*const_cast<uint64_t *>(at)); }

// A vote between two meetings, and one more before the next vote.
inline bool any(Meeting &meeting, std::atomic<uint32_t> &votes, bool holds) {
  if (holds) votes.fetch_add(1);
  meeting.arrive_and_wait();
  bool some = votes.load() != 0;
  meeting.arrive_and_wait();
  if (holds) votes.fetch_sub(1);
  meeting.arrive_and_wait();
  return some;
}
}  // namespace emulated

namespace primitive {
// Polled: another thread may need this processor to write the word.
inline uint64_t load_relaxed(const uint64_t *at) {
  std::this_thread::yield();
  return emulated::word(at).load(std::memory_order_relaxed);
}
inline uint64_t load_acquire(const uint64_t *at) { return emulated::word(at).load(std::memory_order_acquire); }
inline void store_release(uint64_t *at, uint64_t value) { emulated::word(at).store(value, std::memory_order_release); }
inline void add_release(uint64_t *at, uint64_t value) { emulated::word(at).fetch_add(value, std::memory_order_release); }
// Weaker than any that the header uses: a header that is made wrong on purpose has them.
inline void store_relaxed(uint64_t *at, uint64_t value) { emulated::word(at).store(value, std::memory_order_relaxed); }
inline void add_relaxed(uint64_t *at, uint64_t value) { emulated::word(at).fetch_add(value, std::memory_order_relaxed); }
inline uint64_t claim(uint64_t *at, uint64_t value) {
  uint64_t old = 0;
  emulated::word(at).compare_exchange_strong(old, value, std::memory_order_relaxed);
  return old;
}
// The race detector does not know fences, and the header orders nothing by this one alone.
inline void fence() {}
inline uint64_t nanoseconds() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}
struct alignas(16) Unit {
  uint64_t low, high;
};
}  // namespace primitive

struct Thread {
  uint32_t index() const { return 0; }
  uint32_t size() const { return 1; }
  void sync() const {}
  bool any(bool holds) const { return holds; }
};

struct Warp {
  uint32_t index() const { return emulated::self % WARP; }
  uint32_t size() const {
    uint32_t first = emulated::self / WARP * WARP;
    return emulated::shared->size - first < WARP ? emulated::shared->size - first : WARP;
  }
  void sync() const { meeting().arrive_and_wait(); }
  bool any(bool holds) const {
    return emulated::any(meeting(), emulated::shared->votes[1 + emulated::self / WARP], holds);
  }
  emulated::Meeting &meeting() const { return *emulated::shared->warps[emulated::self / WARP]; }
};

struct Block {
  uint32_t index() const { return emulated::self; }
  uint32_t size() const { return emulated::shared->size; }
  void sync() const { emulated::shared->all.arrive_and_wait(); }
  bool any(bool holds) const { return emulated::any(emulated::shared->all, emulated::shared->votes[0], holds); }
};
}  // namespace oriel

#endif
