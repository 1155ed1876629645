package dev.oriel.sim.ranks;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The window of one rank in one execution. It checks what the port promises to check, and asks the
 * machine for everything else.
 */
final class RankWindow implements Window {
  private static final StackWalker STACK = StackWalker.getInstance();
  private static final long LONGEST = Long.MAX_VALUE / 4;

  private final WindowSpec spec;
  private final int world;
  private final int rank;
  private final Desk desk;
  private final boolean told;
  private final Runnable leave;

  /** What this rank made of its slots at others: it alone changes them. */
  private final Map<List<Integer>, Long> sums = new HashMap<>();

  /** Peers that were put to behind the last fence. */
  private final BitSet unfenced = new BitSet();

  /** Peers that were got from behind the last flush of each. */
  private final BitSet got = new BitSet();

  private final Map<Integer, Round> rounds = new HashMap<>();
  private boolean closed;

  /**
   * The latest round of a barrier.
   *
   * @param number from 1
   * @param arrived whether the others were told
   * @param open whether this rank still waits in it
   */
  private record Round(Team team, long number, boolean arrived, boolean open) {}

  RankWindow(WindowSpec spec, int world, int rank, Desk desk, boolean told, Runnable leave) {
    this.spec = spec;
    this.world = world;
    this.rank = rank;
    this.desk = desk;
    this.told = told;
    this.leave = leave;
  }

  @Override
  public long bytes(int owner) {
    requireOpen();
    return spec.data().of(rank(owner));
  }

  @Override
  public void write(long offset, byte[] bytes) {
    span(rank, offset, bytes.length);
    ask(Request.write(offset, bytes));
  }

  @Override
  public byte[] read(long offset, int length) {
    span(rank, offset, length);
    return ask(Request.transfer(Operation.READ, rank, 0, offset, length)).bytes();
  }

  @Override
  public void put(int peer, long peerOffset, long offset, long length) {
    span(rank(peer), peerOffset, length);
    span(rank, offset, length);
    unfenced.set(peer);
    ask(Request.transfer(Operation.PUT, peer, peerOffset, offset, length));
  }

  @Override
  public void get(int peer, long peerOffset, long offset, long length) {
    span(rank(peer), peerOffset, length);
    span(rank, offset, length);
    got.set(peer);
    ask(Request.transfer(Operation.GET, peer, peerOffset, offset, length));
  }

  @Override
  public void signal(int peer, int id, long value) {
    slot(peer, id);
    long sum = sums.merge(List.of(peer, id), value, Long::sum);
    // One fence orders the puts to every peer, so it stands only where it is needed.
    boolean behind = unfenced.get(peer);
    if (behind) {
      unfenced.clear();
    }
    Operation operation = behind ? Operation.SIGNAL_BEHIND_PUTS : Operation.SIGNAL;
    ask(Request.slot(operation, peer, id, sum));
  }

  @Override
  public long signalValue(int source, int id) {
    slot(source, id);
    return ask(Request.slot(Operation.LOOK, source, id, 0)).value();
  }

  @Override
  public void await(int source, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    slot(source, id);
    Operation operation = Operation.await(comparison);
    Reply reply = ask(Request.waiting(operation, source, id, value, nanos(deadline)));
    if (reply.timedOut()) {
      long seen = ask(Request.slot(Operation.LOOK, source, id, 0)).value();
      throw new TimeoutException(
          "signal missing: window=%s, rank=%d, source=%d, id=%d, value=%s, expected=%s %s; see why the source has not signalled"
              .formatted(
                  spec.name(),
                  rank,
                  source,
                  id,
                  Long.toUnsignedString(seen),
                  comparison,
                  Long.toUnsignedString(value)));
    }
  }

  @Override
  public void flush(int peer, Duration deadline) throws TimeoutException {
    requireOpen();
    rank(peer);
    Operation operation = got.get(peer) ? Operation.FLUSH_GETS : Operation.FLUSH;
    if (ask(Request.waiting(operation, peer, 0, 0, nanos(deadline))).timedOut()) {
      throw new TimeoutException(
          "transfers not complete: window=%s, rank=%d, peer=%d; flush again"
              .formatted(spec.name(), rank, peer));
    }
    got.clear(peer);
  }

  @Override
  public void barrier(int id, Duration deadline) throws TimeoutException {
    barrier(id, Team.all(world), deadline);
  }

  @Override
  public void barrier(int id, Team team, Duration deadline) throws TimeoutException {
    Round round = enter(id, team);
    long nanos = nanos(deadline);
    rounds.put(id, round);
    if (!round.arrived()) {
      if (ask(Request.waiting(Operation.QUIET, rank, id, round.number(), nanos)).timedOut()) {
        throw late(id, round);
      }
      team.peersOf(rank)
          .forEach(peer -> ask(Request.slot(Operation.ARRIVE, peer, id, round.number())));
      rounds.put(id, new Round(team, round.number(), true, true));
    }
    for (int peer : team.peersOf(rank).toArray()) {
      if (ask(Request.waiting(Operation.MEET, peer, id, round.number(), nanos)).timedOut()) {
        throw late(id, round);
      }
    }
    rounds.put(id, new Round(team, round.number(), true, false));
  }

  /** The round that this rank is in: the one left open by a timeout, or the next. */
  private Round enter(int id, Team team) {
    requireOpen();
    index("barrier", id, spec.barriers());
    team.indexOf(rank);
    team.stream().forEach(this::rank);
    Round last = rounds.getOrDefault(id, new Round(team, 0, false, false));
    if (!last.team().equals(team)) {
      throw new IllegalArgumentException(
          "barrier of another team: window=%s, barrier=%d, team=%s, used with=%s; use one id for each team"
              .formatted(spec.name(), id, team, last.team()));
    }
    return last.open() ? last : new Round(team, last.number() + 1, false, true);
  }

  private TimeoutException late(int id, Round round) {
    List<Integer> missing =
        round
            .team()
            .peersOf(rank)
            .filter(peer ->
                ask(Request.slot(Operation.LOOK_MEET, peer, id, round.number())).value()
                        - round.number()
                    < 0)
            .boxed()
            .toList();
    return new TimeoutException(
        "barrier not complete: window=%s, rank=%d, id=%d, round=%d, missing=%s; see why these ranks have not come"
            .formatted(spec.name(), rank, id, round.number(), missing));
  }

  private Reply ask(Request request) {
    return desk.ask(told ? request.at(site()) : request);
  }

  /** Where the rank code stands. */
  private static String site() {
    return STACK.walk(frames ->
        frames
            .filter(f -> !f.getClassName().equals(RankWindow.class.getName()))
            .filter(f -> !f.getClassName().startsWith("java."))
            .findFirst()
            .map(f -> f.getFileName() + ":" + f.getLineNumber())
            .orElse("unknown place"));
  }

  private long nanos(Duration deadline) {
    Deadline.check(deadline);
    if (Thread.currentThread().isInterrupted()) {
      throw new MachineException(
          "interrupted while waiting: window=%s, rank=%d; the window stays usable"
              .formatted(spec.name(), rank));
    }
    return deadline.compareTo(Duration.ofNanos(LONGEST)) > 0 ? LONGEST : deadline.toNanos();
  }

  private int rank(int peer) {
    requireOpen();
    index("rank", peer, world);
    return peer;
  }

  private void slot(int peer, int id) {
    rank(peer);
    index("signal", id, spec.signals());
    if (peer == rank) {
      throw new IllegalArgumentException(
          "no row at oneself: window=%s, rank=%d; name another rank".formatted(spec.name(), rank));
    }
  }

  private void index(String what, int index, int count) {
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException(
          "%s out of range: window=%s, %s=%d, count=%d; use 0 to %d"
              .formatted(what, spec.name(), what, index, count, count - 1));
    }
  }

  private void span(int owner, long offset, long length) {
    requireOpen();
    long bytes = spec.data().of(owner);
    if (offset < 0 || length < 0 || offset > bytes || length > bytes - offset) {
      throw new IndexOutOfBoundsException(
          "bytes out of bounds: window=%s, owner=%d, offset=%d, length=%d, bytes=%d; stay within the owner's bytes"
              .formatted(spec.name(), owner, offset, length, bytes));
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new MachineException("window is closed: window=" + spec.name() + "; create another");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      leave.run();
    }
  }
}
