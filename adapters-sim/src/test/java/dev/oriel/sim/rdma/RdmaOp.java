package dev.oriel.sim.rdma;

import java.util.List;

/**
 * One step of an agent in a shape. Places are words with names; an agent's queue pairs are numbered
 * from 0 and its own. What is local and what is remote is in the op: a put fetches {@code from}
 * here and places it {@code to} there, a get the other way round.
 */
sealed interface RdmaOp {

  /** When a request's bytes are placed, against those of earlier requests of its queue. */
  enum Placing {
    /** Behind all of them: a strictly ordered region, a strong signal. */
    STRICT,
    /** Behind those of the request just before it: a weak signal. */
    BEHIND_PREVIOUS,
    /** At any time: a region with relaxed ordering. */
    RELAXED
  }

  /** A piece of a message that is placed whole; pieces of one {@code block} lie in 128 bytes. */
  record Part(String to, String from, int block) {}

  /** A weak access comes before what follows it only where a fence stands between. */
  record Store(String to, long value, boolean weak) implements RdmaOp {}

  record Load(String register, String from, boolean weak) implements RdmaOp {}

  /** Goes on once the place holds the value; other executions do not count. */
  record Await(String at, long value, boolean weak) implements RdmaOp {}

  /** An atomic addition by the agent itself. */
  record Add(String at, long value) implements RdmaOp {}

  record Fence() implements RdmaOp {}

  /** Makes what NICs have placed so far visible to this agent. */
  record Consist() implements RdmaOp {}

  record Put(int queue, List<Part> parts, Placing placing, boolean fenced) implements RdmaOp {}

  record Get(int queue, String to, String from, boolean fenced) implements RdmaOp {}

  /** A remote atomic addition; the old value comes to {@code result}, if that is not empty. */
  record FetchAdd(int queue, String result, String at, long value, Placing placing)
      implements RdmaOp {}

  /** Waits for the completion of all requests that the agent has posted to the queue. */
  record Wait(int queue) implements RdmaOp {}

  /** Waits until all that the agent has put through those queues is placed. */
  record Flush(List<Integer> queues) implements RdmaOp {}

  /** A weak access is ordered by fences only. */
  default boolean weak() {
    return false;
  }

  /** The queue of a request or a wait; others have -1. */
  default int queue() {
    return -1;
  }

  /** A fenced request starts when all earlier gets and atomics of its queue are done. */
  default boolean fenced() {
    return false;
  }

  default Placing placing() {
    return Placing.STRICT;
  }

  static Store store(String to, long value) {
    return new Store(to, value, false);
  }

  static Store weakStore(String to, long value) {
    return new Store(to, value, true);
  }

  static Load load(String register, String from) {
    return new Load(register, from, false);
  }

  static Await await(String at, long value) {
    return new Await(at, value, false);
  }

  static Await weakAwait(String at, long value) {
    return new Await(at, value, true);
  }

  static Put put(int queue, String to, String from) {
    return new Put(queue, List.of(new Part(to, from, 0)), Placing.STRICT, false);
  }

  static Put relaxedPut(int queue, String to, String from) {
    return new Put(queue, List.of(new Part(to, from, 0)), Placing.RELAXED, false);
  }

  static Put fencedPut(int queue, String to, String from) {
    return new Put(queue, List.of(new Part(to, from, 0)), Placing.STRICT, true);
  }

  static Put largePut(int queue, Part... parts) {
    return new Put(queue, List.of(parts), Placing.STRICT, false);
  }

  static Get get(int queue, String to, String from) {
    return new Get(queue, to, from, false);
  }

  static FetchAdd fetchAdd(int queue, String result, String at) {
    return new FetchAdd(queue, result, at, 1, Placing.STRICT);
  }

  /** A remote addition of 1 whose old value nobody wants. */
  static FetchAdd signal(int queue, String at) {
    return new FetchAdd(queue, "", at, 1, Placing.STRICT);
  }

  static FetchAdd weakSignal(int queue, String at) {
    return new FetchAdd(queue, "", at, 1, Placing.BEHIND_PREVIOUS);
  }

  static Flush flush(Integer... queues) {
    return new Flush(List.of(queues));
  }
}
