package dev.oriel.sim.machine.state;

import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.ClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.layout.ShadowLayout;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.rows.ClockSnapshots;
import dev.oriel.sim.machine.rows.ClockTable;
import java.util.Arrays;

/**
 * Everything that changes while a program runs, in flat arrays. A state is copied and hashed as a
 * whole; nothing else is part of it.
 */
public final class MachineState {
  private final MachineModel model;

  /**
   * Registers of all lanes; after them the {@link dev.oriel.sim.machine.provenance.WordProvenance
   * origins}.
   */
  public final long[] registers;

  /** For each lane: its next instruction, whether its launch has ended, and why it failed. */
  public final int[] at;

  public final boolean[] ended;
  public final int[] failure;

  /** For each lane that awaits one slot: that slot and the awaited value; -1 otherwise. */
  public final int[] wantedSlot;

  /** For each lane at a request: the queue that it posts to. */
  public final int[] wantedQueue;

  public final long[] wantedValue;

  /** For each rank: how often it launched, whether its caller is due, and whether it aborts. */
  public final int[] launched;

  public final boolean[] callerDue;

  /** The last launch of every rank once it is decided, else 0; only {@code LaunchClosure} asks. */
  public final int[] last = new int[1];

  /**
   * The turns of input words in the launches that began, as {@link
   * dev.oriel.sim.machine.provenance.InputContents} holds them; only {@code LaunchClosure} asks.
   */
  public final long[] turns = new long[1];

  /** Counted only with faults: steps of each rank, the time of its last one, and all steps. */
  public final int[] steps;

  public final int[] lastStep;
  public int allSteps;

  /** For each queue: the time since which its next request waits for its fetch. */
  public final int[] held;

  /** For each queue: the time since which its link delays it, see {@code FaultInjector.fetched}. */
  public final int[] stalled;

  public final boolean[] aborted;

  public final long[] bytes;

  /** The previous value of each byte; empty where races end an execution. */
  public final long[] before;

  /**
   * Clocks by {@link dev.oriel.sim.machine.layout.ClockIndex}. Rows of components come first, then
   * those of lanes by level: fenced and pending. Then follow those of queues: arranged, and the
   * fetches in order where requests are unordered. Last come those of strict fences.
   */
  public final ClockTable clocks;

  /**
   * For each component: the tick up to which its own accesses are ordered among themselves. For an
   * unordered request's component: the tick at which its last request ended, or the greatest number
   * while that is pending.
   */
  public final int[] settled;

  /** Causal clocks by {@link CausalClockIndex}: what lanes and queues observed. */
  public final ClockTable seen;

  public final int[] words;
  public final long[] wordValues;

  /** One bit for each word: whether it is taken as a lock; empty where no lane takes locks. */
  public final long[] locks;

  public final int[] shadow;
  public final int[] requests;
  public final long[] requestValues;
  public final long[] payload;

  /** By {@link ProxyLayout}: what lanes handed to proxies; empty where there are none. */
  public final int[] proxies;

  /** By {@code MemoryKeys}: the keys of lanes and requests; empty where no memory is registered. */
  public final long[] named;

  /**
   * By {@link PendingAtomicLayout}: pending atomics, and the causes that each lane's earlier ones
   * observed.
   */
  public final int[] updates;

  public final long[] updateValues;
  public final int[] updateCauses;
  public final ClockSnapshots releases;
  public final ClockSnapshots causes;

  /** The enabled agents; they follow from the rest. */
  public final long[] enabled;

  /** For each lane: the snapshot of its fenced clock, 0 if that has changed since. */
  public final int[] fencedRow;

  /**
   * For each lane's leader and worker: the snapshot of its causal clock, 0 if that has changed
   * since.
   */
  public final int[] causesRow;

  public MachineState(MachineModel model, boolean values) {
    this.model = model;
    registers = new long[(model.origins.on ? 2 : 1) * model.registers];
    at = new int[model.lanes];
    ended = new boolean[model.lanes];
    failure = new int[model.lanes];
    wantedSlot = new int[model.lanes];
    wantedQueue = new int[model.lanes];
    wantedValue = new long[model.lanes];
    launched = new int[model.world];
    callerDue = new boolean[model.world];
    steps = new int[model.world];
    lastStep = new int[model.world];
    held = new int[model.agents.queues];
    stalled = new int[model.agents.queues];
    aborted = new boolean[model.world];
    bytes = new long[model.memory];
    before = new long[values ? model.memory : 0];
    clocks = ClockTable.of(model.flat, model.agents.components, ClockIndex.count(model));
    settled = new int[model.agents.components];
    seen = ClockTable.of(model.flat, CausalClockIndex.width(model), CausalClockIndex.count(model));
    words = new int[model.words.fieldCount];
    wordValues = new long[model.words.valueCount];
    locks = new long[model.scan.anyLock ? (model.words.count + 63) / 64 : 0];
    shadow = new int[model.firstShadow[model.bytes.length]];
    requests = new int[RequestLayout.fields(model)];
    requestValues = new long[RequestLayout.values(model)];
    payload = new long[RequestLayout.payload(model)];
    named = new long[RequestLayout.keys(model)];
    proxies = new int[ProxyLayout.fields(model)];
    updates = new int[PendingAtomicLayout.fields(model)];
    updateValues = new long[PendingAtomicLayout.values(model)];
    updateCauses = new int[updates.length == 0 ? 0 : model.lanes];
    releases = new ClockSnapshots(model.flat, model.agents.components);
    causes = new ClockSnapshots(model.flat, CausalClockIndex.width(model));
    fencedRow = new int[model.lanes];
    causesRow = new int[2 * model.lanes];
    int agents =
        3 * model.lanes + model.world + 4 * model.agents.queues + ProxyLayout.agents(model);
    enabled = new long[(agents + 63) / 64];
  }

  /** Copies another state of the same model to this one. */
  public void copy(MachineState other) {
    System.arraycopy(other.registers, 0, registers, 0, registers.length);
    System.arraycopy(other.at, 0, at, 0, at.length);
    System.arraycopy(other.ended, 0, ended, 0, ended.length);
    System.arraycopy(other.failure, 0, failure, 0, failure.length);
    System.arraycopy(other.wantedSlot, 0, wantedSlot, 0, wantedSlot.length);
    System.arraycopy(other.wantedQueue, 0, wantedQueue, 0, wantedQueue.length);
    System.arraycopy(other.wantedValue, 0, wantedValue, 0, wantedValue.length);
    System.arraycopy(other.launched, 0, launched, 0, launched.length);
    last[0] = other.last[0];
    turns[0] = other.turns[0];
    System.arraycopy(other.steps, 0, steps, 0, steps.length);
    System.arraycopy(other.lastStep, 0, lastStep, 0, lastStep.length);
    System.arraycopy(other.held, 0, held, 0, held.length);
    System.arraycopy(other.stalled, 0, stalled, 0, stalled.length);
    allSteps = other.allSteps;
    System.arraycopy(other.callerDue, 0, callerDue, 0, callerDue.length);
    System.arraycopy(other.aborted, 0, aborted, 0, aborted.length);
    System.arraycopy(other.bytes, 0, bytes, 0, bytes.length);
    System.arraycopy(other.before, 0, before, 0, before.length);
    clocks.copy(other.clocks, ClockIndex.count(model));
    System.arraycopy(other.settled, 0, settled, 0, settled.length);
    seen.copy(other.seen, CausalClockIndex.count(model));
    System.arraycopy(other.words, 0, words, 0, words.length);
    System.arraycopy(other.wordValues, 0, wordValues, 0, wordValues.length);
    System.arraycopy(other.locks, 0, locks, 0, locks.length);
    System.arraycopy(other.shadow, 0, shadow, 0, shadow.length);
    System.arraycopy(other.requests, 0, requests, 0, requests.length);
    System.arraycopy(other.requestValues, 0, requestValues, 0, requestValues.length);
    System.arraycopy(other.payload, 0, payload, 0, payload.length);
    System.arraycopy(other.named, 0, named, 0, named.length);
    System.arraycopy(other.proxies, 0, proxies, 0, proxies.length);
    System.arraycopy(other.updates, 0, updates, 0, updates.length);
    System.arraycopy(other.updateValues, 0, updateValues, 0, updateValues.length);
    System.arraycopy(other.updateCauses, 0, updateCauses, 0, updateCauses.length);
    System.arraycopy(other.enabled, 0, enabled, 0, enabled.length);
    System.arraycopy(other.fencedRow, 0, fencedRow, 0, fencedRow.length);
    System.arraycopy(other.causesRow, 0, causesRow, 0, causesRow.length);
    releases.copy(other.releases);
    causes.copy(other.causes);
  }

  /** Resets the state to its initial values. */
  public void clear() {
    Arrays.fill(registers, 0);
    Arrays.fill(at, 0);
    Arrays.fill(ended, true);
    Arrays.fill(failure, 0);
    Arrays.fill(launched, 0);
    last[0] = 0;
    turns[0] = 0;
    Arrays.fill(steps, 0);
    Arrays.fill(lastStep, 0);
    Arrays.fill(held, 0);
    Arrays.fill(stalled, 0);
    allSteps = 0;
    Arrays.fill(callerDue, true);
    Arrays.fill(aborted, false);
    Arrays.fill(bytes, 0);
    Arrays.fill(before, 0);
    clocks.clear(ClockIndex.count(model));
    seen.clear(CausalClockIndex.count(model));
    Arrays.fill(settled, Integer.MAX_VALUE);
    Arrays.fill(words, 0);
    Arrays.fill(wordValues, 0);
    Arrays.fill(locks, 0);
    Arrays.fill(shadow, 0);
    Arrays.fill(requests, 0);
    Arrays.fill(requestValues, 0);
    Arrays.fill(payload, 0);
    Arrays.fill(named, 0);
    Arrays.fill(proxies, 0);
    Arrays.fill(updates, 0);
    Arrays.fill(updateValues, 0);
    Arrays.fill(updateCauses, 0);
    Arrays.fill(fencedRow, 0);
    Arrays.fill(causesRow, 0);
    Arrays.fill(enabled, 0);
    releases.clear();
    causes.clear();
    for (int c = 0; c < model.agents.components; c++) {
      clocks.set(c, c, 1);
    }
    WordLayout.clear(model, words);
    ShadowLayout.clear(model, shadow);
  }

  /** Bytes of clocks that this state shares with states that it was copied from and to. */
  long shared() {
    return clocks.shared() + seen.shared() + releases.shared() + causes.shared();
  }

  /**
   * Drops the clocks of a state that is not restored again; it is copied into before its next use.
   */
  void forget() {
    if (model.flat) {
      return;
    }
    clocks.clear(ClockIndex.count(model));
    seen.clear(CausalClockIndex.count(model));
    releases.clear();
    causes.clear();
  }

  /** Bytes of memory that a copy of this state takes, without what is {@link #shared}. */
  long footprint() {
    long longs =
        (long) registers.length
            + wantedValue.length
            + bytes.length
            + before.length
            + wordValues.length
            + locks.length
            + requestValues.length
            + payload.length
            + named.length
            + updateValues.length
            + enabled.length;
    long ints =
        8L * at.length
            + 4L * launched.length
            + 2L * held.length
            + settled.length
            + words.length
            + shadow.length
            + requests.length
            + proxies.length
            + updates.length
            + updateCauses.length;
    long rows = clocks.footprint() + seen.footprint() + releases.footprint() + causes.footprint();
    long bare = 1 << 10; // what arrays and rows take that hold nothing
    return bare + Long.BYTES * longs + Integer.BYTES * ints + rows;
  }

  /** The number of words. */
  public long size() {
    return (long) registers.length
        + bytes.length
        + clocks.footprint() / Long.BYTES
        + seen.footprint() / Long.BYTES
        + words.length / 2
        + shadow.length / 2
        + requests.length / 2;
  }

  /** Adds the whole state, clock snapshots by their contents and not by their numbers. */
  public void digest(Fingerprint into) {
    digestFront(into);
    into.add(shadow);
    digestBack(into);
  }

  /** Adds all that precedes the histories of bytes. */
  public void digestFront(Fingerprint into) {
    into.add(registers);
    for (int l = 0; l < at.length; l++) {
      into.add((long) at[l] << 40 ^ (ended[l] ? 1 : 0) ^ (failure[l] & 0xFFFFFFFFL) << 1);
    }
    for (int r = 0; r < launched.length; r++) {
      into.add(launched[r] * 4L + (callerDue[r] ? 2 : 0) + (aborted[r] ? 1 : 0));
    }
    into.add(steps);
    into.add(lastStep);
    into.add(held);
    into.add(stalled);
    into.add(allSteps);
    into.add(bytes);
    into.add(before);
    clocks.digest(into);
    into.add(settled);
    seen.digest(into);
  }

  /** Adds all that follows the histories of bytes. */
  public void digestBack(Fingerprint into) {
    into.add(locks);
    WordLayout.digest(model, words, wordValues, releases, causes, into);
    RequestLayout.digest(model, requests, requestValues, payload, releases, causes, into);
    ProxyLayout.digest(model, this, into);
    into.add(named);
    PendingAtomicLayout.digest(model, this, into);
  }

  /**
   * The entry of a causal clock in that column; 0 if {@code row} is -1. The clock is a row of
   * {@code seen}, or a snapshot that {@link CausalClockIndex#kept} names.
   */
  public int known(int row, int column) {
    return row >= 0 ? seen.at(row, column) : row == -1 ? 0 : causes.at(-2 - row, column);
  }

  /** Counts a step of any agent; only faults need the number. */
  public void countStep() {
    allSteps++;
  }

  /** How many agents are enabled. */
  public int enabledCount() {
    int count = Long.bitCount(enabled[0]);
    for (int w = 1; w < enabled.length; w++) {
      count += Long.bitCount(enabled[w]);
    }
    return count;
  }

  /** The enabled agent of that rank among the enabled ones, in the order of their numbers. */
  public int enabledAt(int rank) {
    int w = 0;
    int left = rank;
    if (enabled.length > 1) {
      for (int here = Long.bitCount(enabled[0]); left >= here; here = Long.bitCount(enabled[w])) {
        left -= here;
        w++;
      }
    }
    return (w << 6) + Long.numberOfTrailingZeros(Long.expand(1L << left, enabled[w]));
  }
}
