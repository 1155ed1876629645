package dev.oriel.it.readback;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One block of a kernel: its threads run from barrier to barrier, one after another. */
final class PtxBlock {
  private static final int WARP = 32;

  /** The start of a block: its number, the number of blocks, and the parameters' words. */
  record Start(int block, int blocks, int threads, Map<Long, Long> parameters) {}

  private final PtxCode code;
  private final Memory memory;
  private final Layout layout;
  private final Start start;
  private final Interface nic;
  private final BulkUnit unit = new BulkUnit();
  private final Map<Long, Long> shared = new HashMap<>();
  private final List<PtxThread> threads = new ArrayList<>();

  /** Observes stores to doorbells. */
  @FunctionalInterface
  interface Interface {
    void stored(long address, long value);
  }

  PtxBlock(PtxCode code, Memory memory, Layout layout, Start start, Interface nic) {
    this.code = code;
    this.memory = memory;
    this.layout = layout;
    this.start = start;
    this.nic = nic;
    for (int i = 0; i < start.threads(); i++) {
      threads.add(new PtxThread(i, this));
    }
  }

  BulkUnit unit() {
    return unit;
  }

  PtxCode code() {
    return code;
  }

  Memory memory() {
    return memory;
  }

  Start start() {
    return start;
  }

  void store(long address, int bytes, long value) {
    memory.store(address, bytes, value);
    nic.stored(address, value);
  }

  long parameter(long address) {
    Long value = start.parameters().get(address);
    if (value == null) {
      throw new Mismatch("no such parameter: offset=" + (address - PtxCode.PARAMETERS));
    }
    return value;
  }

  long loadShared(long address) {
    return shared.getOrDefault(address, 0L);
  }

  void storeShared(long address, long value) {
    shared.put(address, value);
  }

  String where(int at) {
    return "line %d `%s`".formatted(code.line(at), code.text(at));
  }

  String describe(long address) {
    return layout.describe(address);
  }

  /** Whether all threads have ended. */
  boolean ended() {
    return threads.stream().allMatch(t -> t.stop == PtxThread.Stop.EXIT);
  }

  /** The last line that thread 0 executed. */
  int lastLine() {
    return code.line(threads.getFirst().at - 1);
  }

  /** Runs every thread to its next barrier, and returns the actions of each, by its number. */
  List<List<Event>> interval() {
    for (int first = 0; first < threads.size(); first += WARP) {
      warp(threads.subList(first, Math.min(first + WARP, threads.size())));
    }
    List<PtxThread> waiting =
        threads.stream().filter(t -> t.stop == PtxThread.Stop.BARRIER).toList();
    for (PtxThread t : waiting) {
      int wanted = code.arriving(t.at - 1);
      int there = wanted < 0 ? start.threads() : wanted;
      if (there != waiting.size()) {
        throw new Mismatch(
            "%s: %d threads are there, %d are waited for"
                .formatted(where(t.at - 1), waiting.size(), there));
      }
    }
    return threads.stream().map(PtxThread::events).toList();
  }

  /** Threads of a warp synchronise at its votes and barriers, all of them at the same one. */
  private void warp(List<PtxThread> warp) {
    List<PtxThread> running = warp.stream().filter(t -> t.stop != PtxThread.Stop.EXIT).toList();
    while (!running.isEmpty()) {
      running.forEach(PtxThread::run);
      List<PtxThread> met = running.stream().filter(t -> t.stop == PtxThread.Stop.WARP).toList();
      if (met.isEmpty()) {
        return;
      }
      if (met.size() != warp.size() || met.stream().anyMatch(t -> t.at != met.getFirst().at)) {
        throw new Mismatch(where(met.getFirst().at - 1) + ": the warp's threads are apart");
      }
      code.collective(met.getFirst().at - 1).accept(met);
      running = met;
    }
  }
}
