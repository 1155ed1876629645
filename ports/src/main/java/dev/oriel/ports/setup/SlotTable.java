package dev.oriel.ports.setup;

import dev.oriel.domain.window.Barrier;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Epoch;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSlot;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.WindowPackets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The signal and barrier slots of a window, seen from one lane of a rank.
 *
 * <p>A slot has one writer, which therefore knows its value. So an addition is a store of the new
 * sum, and every machine can order a store after its puts.
 */
public final class SlotTable {
  private final WaitStrategy waits;
  private final AbortState fate;
  private final WindowLayout layout;
  private final int rank;
  private final SlotWords words;
  private final RdmaPeers reached;
  private final SlotLanes lanes;
  private final int lane;
  private final Map<WindowSlot, Long> putSums = new HashMap<>();
  private final SlotSums kinds = new SlotSums();

  /** Counted puts by peer and counter: a source may be overwritten as soon as the call returns. */
  private final Map<List<Integer>, Long> counts = new HashMap<>();

  private final Map<Integer, Round> rounds = new HashMap<>();

  /** The latest round of a barrier, and whether this rank still waits in it. */
  private record Round(Barrier barrier, boolean open) {}

  /** The slots of one lane; the lanes of a rank share {@code lanes}. */
  public SlotTable(
      WaitStrategy waits,
      AbortState fate,
      WindowLayout layout,
      int rank,
      SlotWords words,
      RdmaPeers reached,
      SlotLanes lanes,
      int lane) {
    this.waits = waits;
    this.fate = fate;
    this.layout = layout;
    this.rank = rank;
    this.words = words;
    this.reached = reached;
    this.lanes = lanes;
    this.lane = lane;
  }

  /** The same slots, seen from another lane of the rank. */
  public SlotTable in(int other) {
    return new SlotTable(waits, fate, layout, rank, words, reached, lanes, other);
  }

  String window() {
    return layout.spec().name();
  }

  void signal(int peer, int id, long value) {
    WindowSlot slot = layout.owner(peer).signalSlot(rank, id);
    own(SlotLanes.Use.SIGNAL, peer, id);
    kinds.requireSignals(window(), peer, id);
    set(slot, kinds.signalled(peer, id, value));
  }

  void signalAfterPut(int peer, int id, long value) {
    WindowSlot slot = layout.owner(peer).signalSlot(rank, id);
    set(slot, putSums.merge(slot, value, Long::sum));
  }

  long signalValue(int source, int id) {
    WindowSlot slot = layout.owner(rank).signalSlot(source, id);
    reached.require(source);
    return get(slot);
  }

  void await(int source, int id, Comparison comparison, long value, Deadline deadline)
      throws TimeoutException {
    WindowSlot slot = layout.owner(rank).signalSlot(source, id);
    reached.require(source);
    await(
        () -> comparison.test(get(slot), value),
        deadline,
        () -> WindowErrors.noSignal(window(), rank, source, id, get(slot), comparison, value));
  }

  void awaitSum(int id, Comparison comparison, long value, Deadline deadline)
      throws TimeoutException {
    Map<Integer, Long> seen = new TreeMap<>();
    await(
        () -> {
          others().forEach(source -> seen.put(source, signalValue(source, id)));
          return comparison.test(seen.values().stream().mapToLong(v -> v).sum(), value);
        },
        deadline,
        () -> WindowErrors.noSum(window(), rank, id, seen, comparison, value));
  }

  private IntStream others() {
    return Team.all(layout.topology().world()).peersOf(rank);
  }

  void count(int peer, int id) {
    counts.merge(counter(peer, id), 1L, Long::sum);
  }

  long counterValue(int peer, int id) {
    return counts.getOrDefault(counter(peer, id), 0L);
  }

  void awaitCounter(int peer, int id, Comparison comparison, long value, Deadline deadline)
      throws TimeoutException {
    List<Integer> counter = counter(peer, id);
    await(
        () -> comparison.test(counts.getOrDefault(counter, 0L), value),
        deadline,
        () ->
            WindowErrors.noCount(
                window(), rank, peer, id, counterValue(peer, id), comparison, value));
  }

  private List<Integer> counter(int peer, int id) {
    requirePeer(peer);
    if (id < 0 || id >= layout.spec().counters()) {
      throw new IndexOutOfBoundsException(
          "counter out of range: window=%s, counter=%d, count=%d; declare more counters"
              .formatted(window(), id, layout.spec().counters()));
    }
    own(SlotLanes.Use.COUNTER, peer, id);
    return List.of(peer, id);
  }

  private void requirePeer(int peer) {
    layout.owner(peer);
    if (peer == rank) {
      throw WindowErrors.ownRow(window(), rank);
    }
  }

  void requirePutSignal(int peer, int id) {
    WindowSlot ignored = layout.owner(peer).signalSlot(rank, id);
    own(SlotLanes.Use.SIGNAL, peer, id);
    kinds.requirePuts(window(), peer, id);
  }

  private void own(SlotLanes.Use use, int peer, int id) {
    lanes.require(window(), use, peer, id, lane);
  }

  /** Whether packets have arrived; {@code unpacking} then moves their bytes. */
  boolean taken(BooleanSupplier unpacking) {
    return waits.now(unpacking);
  }

  /** Waits for packets and moves their bytes. */
  void take(WindowPackets from, long length, BooleanSupplier unpacking, Deadline deadline)
      throws TimeoutException {
    await(unpacking, deadline, () -> WindowErrors.noPackets(window(), rank, from, length));
  }

  private void await(BooleanSupplier done, Deadline deadline, Supplier<String> missing)
      throws TimeoutException {
    boolean[] satisfied = {false};
    waits.await(
        () -> {
          satisfied[0] = done.getAsBoolean();
          return satisfied[0] || fate.aborted().isPresent();
        },
        deadline,
        missing);
    if (!satisfied[0]) {
      fate.refuse(null);
    }
  }

  void arrive(int id, Team team, Deadline deadline) throws TimeoutException {
    Barrier ignored = enter(id, team, deadline);
  }

  void barrier(int id, Team team, Deadline deadline) throws TimeoutException {
    Barrier round = enter(id, team, deadline);
    await(
        () -> missing(round).isEmpty(),
        deadline,
        () -> WindowErrors.notAll(window(), rank, id, round.epoch().value(), missing(round)));
    rounds.put(id, new Round(round, false));
  }

  /** Arrives at a round and returns it: the one that a timeout left open, or the next. */
  private Barrier enter(int id, Team team, Deadline deadline) throws TimeoutException {
    if (id < 0 || id >= layout.spec().barriers()) {
      throw new IndexOutOfBoundsException(
          "barrier out of range: window=%s, barrier=%d, count=%d; declare more barriers"
              .formatted(window(), id, layout.spec().barriers()));
    }
    own(SlotLanes.Use.BARRIER, rank, id);
    team.indexOf(rank);
    team.stream().filter(peer -> peer < layout.topology().world()).forEach(reached::require);
    Round last = rounds.getOrDefault(id, new Round(new Barrier(id, team, Epoch.ZERO), false));
    if (!last.barrier().team().equals(team)) {
      throw WindowErrors.otherTeam(window(), id, team, last.barrier().team());
    }
    if (last.open()) {
      return last.barrier();
    }
    Barrier round = last.barrier().next();
    List<WindowSlot> arrivals = round.arrivals(layout, rank);
    // Waits for all slots before it sets any: when the deadline passes, either all members have the
    // arrival or none has.
    for (WindowSlot slot : arrivals) {
      words.ready(slot, deadline);
    }
    arrivals.forEach(slot -> set(slot, round.value()));
    // Only now, after all slots were set: a round that some members may not know is announced
    // again, also to members that know it.
    rounds.put(id, new Round(round, true));
    return round;
  }

  private List<Integer> missing(Barrier round) {
    return round.awaited(layout, rank).stream()
        .filter(slot -> !round.passedBy(get(slot)))
        .map(WindowSlot::peer)
        .toList();
  }

  private void set(WindowSlot slot, long value) {
    reached.require(slot.owner());
    words.set(lane, slot, value);
  }

  private long get(WindowSlot slot) {
    return words.get(slot);
  }
}
