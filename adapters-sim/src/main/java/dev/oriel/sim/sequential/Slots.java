package dev.oriel.sim.sequential;

import dev.oriel.domain.window.Barrier;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Epoch;
import dev.oriel.domain.window.Slot;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.ports.Deadline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The signal and barrier slots of a window, seen from one rank.
 *
 * <p>A slot has one writer, who therefore knows its value: adding is setting to the new sum, which
 * every machine can do in order behind its puts.
 */
final class Slots {
  private final Wire wire;
  private final WindowLayout layout;
  private final int rank;
  private final Parts<SequentialMemory> own;
  private final List<Parts<SequentialRemote>> peers;
  private final Map<Slot, Long> sums = new HashMap<>();
  private final Map<Integer, Round> rounds = new HashMap<>();

  /** The latest round of a barrier, and whether this rank still waits in it. */
  private record Round(Barrier barrier, boolean open) {}

  Slots(
      Wire wire,
      WindowLayout layout,
      int rank,
      Parts<SequentialMemory> own,
      List<Parts<SequentialRemote>> peers) {
    this.wire = wire;
    this.layout = layout;
    this.rank = rank;
    this.own = own;
    this.peers = peers;
  }

  void signal(int peer, int id, long value) {
    Slot slot = layout.owner(peer).signalSlot(rank, id);
    set(slot, sums.merge(slot, value, Long::sum));
  }

  long signalValue(int source, int id) {
    return get(layout.owner(rank).signalSlot(source, id));
  }

  void await(int source, int id, Comparison comparison, long value, Deadline deadline)
      throws TimeoutException {
    Slot slot = layout.owner(rank).signalSlot(source, id);
    wire.await(
        () -> comparison.test(get(slot), value),
        deadline,
        () ->
            "signal missing: window=%s, rank=%d, source=%d, id=%d, value=%s, expected=%s %s; see why the source has not signalled"
                .formatted(
                    layout.spec().name(),
                    rank,
                    source,
                    id,
                    Long.toUnsignedString(get(slot)),
                    comparison,
                    Long.toUnsignedString(value)));
  }

  void barrier(int id, Team team, Deadline deadline) throws TimeoutException {
    Barrier round = enter(id, team);
    wire.await(
        () -> missing(round).isEmpty(),
        deadline,
        () ->
            "barrier not complete: window=%s, rank=%d, id=%d, round=%d, missing=%s; see why these ranks have not come"
                .formatted(layout.spec().name(), rank, id, round.epoch().value(), missing(round)));
    rounds.put(id, new Round(round, false));
  }

  /** The round that this rank is in: the one left open by a timeout, or the next. */
  private Barrier enter(int id, Team team) {
    if (id < 0 || id >= layout.spec().barriers()) {
      throw new IndexOutOfBoundsException(
          "barrier out of range: window=%s, barrier=%d, count=%d; declare more barriers"
              .formatted(layout.spec().name(), id, layout.spec().barriers()));
    }
    team.indexOf(rank);
    Round last = rounds.getOrDefault(id, new Round(new Barrier(id, team, Epoch.ZERO), false));
    if (!last.barrier().team().equals(team)) {
      throw new IllegalArgumentException(
          "barrier of another team: window=%s, barrier=%d, team=%s, used with=%s; use one id for each team"
              .formatted(layout.spec().name(), id, team, last.barrier().team()));
    }
    if (last.open()) {
      return last.barrier();
    }
    Barrier round = last.barrier().next();
    List<Slot> arrivals = round.arrivals(layout, rank);
    rounds.put(id, new Round(round, true));
    arrivals.forEach(slot -> set(slot, round.value()));
    return round;
  }

  private List<Integer> missing(Barrier round) {
    return round.awaited(layout, rank).stream()
        .filter(slot -> !round.passedBy(get(slot)))
        .map(Slot::peer)
        .toList();
  }

  private void set(Slot slot, long value) {
    peers.get(slot.owner()).slots(slot.memory()).wordRelease(slot.offset(), value);
  }

  private long get(Slot slot) {
    return own.slots(slot.memory()).wordAcquire(slot.offset());
  }
}
