package dev.oriel.sim.ranks;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Region;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.sim.machine.Guide;
import dev.oriel.sim.setup.SlotSums;
import dev.oriel.sim.setup.WindowSetup;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * The window of one rank in one execution. It checks what the port promises to check, and asks the
 * machine for everything else.
 */
final class RankWindow implements Window, InArena {
  private final WindowSpec spec;
  private final RankGroup group;
  private final RankLane lane;
  private final Place place;
  private final Topology topology;
  private final Bootstrap ranks;
  private final Runnable leave;
  private final SlotSums sums = new SlotSums();
  private final Map<Integer, Round> rounds = new HashMap<>();
  private boolean closed;

  /**
   * The latest round of a barrier.
   *
   * @param number from 1
   * @param arrived whether the others were told
   * @param open whether this rank still waits in it
   * @param split whether this rank came before it waited
   * @param confirms whether it says that the round before was passed
   */
  private record Round(
      Team team, long number, boolean arrived, boolean open, boolean split, boolean confirms) {
    Round told() {
      return new Round(team, number, true, true, split, confirms);
    }

    Round left() {
      return new Round(team, number, true, false, split, confirms);
    }

    Round next() {
      return new Round(team, number + 1, false, true, false, false);
    }

    Round confirmation() {
      return new Round(team, number + 1, false, true, split, true);
    }

    Round apart() {
      return new Round(team, number, arrived, open, true, confirms);
    }
  }

  RankWindow(
      WindowSpec spec,
      RankGroup group,
      Place place,
      Topology topology,
      Bootstrap ranks,
      Runnable leave) {
    this.spec = spec;
    this.group = group;
    this.lane = group.lane;
    this.place = place;
    this.topology = topology;
    this.ranks = ranks;
    this.leave = leave;
  }

  @Override
  public RankLane lane() {
    return lane;
  }

  @Override
  public long base() {
    requireOpen();
    return place.bases()[lane.rank];
  }

  @Override
  public String name() {
    return spec.name();
  }

  @Override
  public int rank() {
    return lane.rank;
  }

  @Override
  public int world() {
    return lane.world;
  }

  @Override
  public long generation() {
    return place.generation();
  }

  @Override
  public long bytes(int owner) {
    requireOpen();
    return spec.data().of(rank(owner));
  }

  @Override
  public WindowView share(Region mine) {
    requireOpen();
    String step = "communicator %d, window %d".formatted(group.number(), place.generation());
    return group.during(() -> WindowSetup.share(ranks, step, this, mine));
  }

  @Override
  public void write(long offset, byte[] bytes) {
    span(lane.rank, offset, bytes.length);
    Reply ignored = ask(Request.write(offset, bytes));
  }

  @Override
  public byte[] read(long offset, int length) {
    span(lane.rank, offset, length);
    return group
        .askAnyway(inArena(Request.transfer(Operation.READ, lane.rank, 0, offset, length)))
        .bytes();
  }

  @Override
  public void put(int peer, long peerOffset, LocalBuffer from, long offset, long length) {
    Request put = transfer(Operation.PUT, peer, peerOffset, from, offset, length);
    lane.unfenced.set(peer);
    Reply ignored = transfer(put, from, 0);
  }

  @Override
  public void putSignal(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id, long value) {
    slot("signal", peer, id, spec.signals());
    lane.memory.requirePutSignals();
    sums.requirePuts(spec.name(), peer, id);
    Request put = transfer(Operation.PUT_SIGNAL, peer, peerOffset, from, offset, length);
    lane.unfenced.set(peer);
    Reply ignored = transfer(put.with(id, value), from, place.ids().signal());
  }

  @Override
  public void putCounted(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id) {
    slot("counter", peer, id, spec.counters());
    Request put = transfer(Operation.PUT_COUNTED, peer, peerOffset, from, offset, length);
    lane.unfenced.set(peer);
    Reply ignored = transfer(put.with(counterWord(peer, id), id), from, 0);
  }

  @Override
  public void get(int peer, long peerOffset, LocalBuffer into, long offset, long length) {
    Request get = transfer(Operation.GET, peer, peerOffset, into, offset, length);
    lane.got.set(peer);
    Reply ignored = transfer(get, into, 0);
  }

  private Request transfer(
      Operation operation, int peer, long there, LocalBuffer buffer, long here, long length) {
    span(rank(peer), there, length);
    if (buffer == this) {
      span(lane.rank, here, length);
    } else {
      long ignored = InArena.at(buffer, here, length, lane);
    }
    return Request.transfer(operation, peer, there, here, length);
  }

  private Reply transfer(Request request, LocalBuffer buffer, int firstId) {
    long own = InArena.at(buffer, 0, 0, lane);
    return group.ask(told(request).moved(place.bases()[request.peer()], own, firstId));
  }

  @Override
  public void signal(int peer, int id, long value) {
    slot("signal", peer, id, spec.signals());
    sums.requireSignals(spec.name(), peer, id);
    // One fence orders the puts to every peer, so it stands only where it is needed.
    boolean behind = lane.unfenced.get(peer);
    if (behind) {
      lane.unfenced.clear();
    }
    Operation operation = behind ? Operation.SIGNAL_BEHIND_PUTS : Operation.SIGNAL;
    Reply ignored = ask(Request.slot(operation, peer, id, sums.signalled(peer, id, value)));
  }

  @Override
  public long signalValue(int source, int id) {
    slot("signal", source, id, spec.signals());
    return ask(Request.slot(Operation.LOOK, source, id, 0)).value();
  }

  @Override
  public void await(int source, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    slot("signal", source, id, spec.signals());
    Operation operation = Operation.comparing("AWAIT", comparison);
    if (ask(Request.waiting(operation, source, id, value, lane.nanos(deadline))).timedOut()) {
      throw new TimeoutException(
          "signal missing: window=%s, rank=%d, source=%d, id=%d, value=%s, expected=%s %s; see why the source has not signalled"
              .formatted(
                  spec.name(),
                  lane.rank,
                  source,
                  id,
                  Long.toUnsignedString(signalValue(source, id)),
                  comparison,
                  Long.toUnsignedString(value)));
    }
  }

  @Override
  public void awaitSum(int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    requireOpen();
    index("signal", id, spec.signals());
    Operation operation = Operation.comparing("SUM", comparison);
    if (ask(Request.waiting(operation, 0, id, value, lane.nanos(deadline))).timedOut()) {
      Map<Integer, Long> seen = new TreeMap<>();
      Team.all(lane.world).peersOf(lane.rank).forEach(p -> seen.put(p, signalValue(p, id)));
      throw new TimeoutException(
          "sum missing: window=%s, rank=%d, id=%d, values=%s, expected=%s %s; see which rank has not signalled"
              .formatted(
                  spec.name(), lane.rank, id, seen, comparison, Long.toUnsignedString(value)));
    }
  }

  @Override
  public long counterValue(int peer, int id) {
    slot("counter", peer, id, spec.counters());
    return group.ask(told(counter(Operation.LOOK_COUNT, peer, id, 0, Guide.NEVER))).value();
  }

  @Override
  public void awaitCounter(int peer, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    slot("counter", peer, id, spec.counters());
    Operation operation = Operation.comparing("COUNT", comparison);
    Request wait = counter(operation, peer, id, value, lane.nanos(deadline));
    if (group.ask(told(wait)).timedOut()) {
      throw new TimeoutException(
          "count missing: window=%s, rank=%d, peer=%d, id=%d, value=%s, expected=%s %s; put and count more, or expect less"
              .formatted(
                  spec.name(),
                  lane.rank,
                  peer,
                  id,
                  Long.toUnsignedString(counterValue(peer, id)),
                  comparison,
                  Long.toUnsignedString(value)));
    }
  }

  private Request counter(Operation operation, int peer, int id, long value, long nanos) {
    Request wait = Request.waiting(operation, peer, counterWord(peer, id), value, nanos);
    // Where the counter is told from, which is no place.
    return wait.moved(id, 0, 0);
  }

  private int counterWord(int peer, int id) {
    return peer * lane.memory.counters() + place.ids().counter() + id;
  }

  @Override
  public void flush(int peer, Duration deadline) throws TimeoutException {
    requireOpen();
    rank(peer);
    Operation operation = lane.got.get(peer) ? Operation.FLUSH_GETS : Operation.FLUSH;
    Request flush = Request.waiting(operation, peer, 0, 0, lane.nanos(deadline));
    if (group.ask(told(flush)).timedOut()) {
      throw new TimeoutException(
          "transfers not complete: window=%s, rank=%d, peer=%d; flush again"
              .formatted(spec.name(), lane.rank, peer));
    }
    lane.got.clear(peer);
  }

  @Override
  public void barrier(int id, Duration deadline) throws TimeoutException {
    barrier(id, Team.all(lane.world), deadline);
  }

  @Override
  public void barrier(int id, Team team, Duration deadline) throws TimeoutException {
    long nanos = lane.nanos(deadline);
    Round round = arrived(id, team, nanos);
    if (!round.confirms()) {
      awaitAll(id, round, nanos);
    }
    if (!round.confirms() && overRdma(team)) {
      rounds.put(id, round.confirmation());
      round = arrived(id, team, nanos);
    }
    if (round.confirms() && !round.split()) {
      awaitAll(id, round, nanos);
    }
    rounds.put(id, round.left());
  }

  private void awaitAll(int id, Round round, long nanos) throws TimeoutException {
    for (int peer : round.team().peersOf(lane.rank).toArray()) {
      if (meets(Request.waiting(Operation.MEET, peer, id, round.number(), nanos)).timedOut()) {
        throw late(id, round);
      }
    }
  }

  /**
   * Whether some members reach each other over RDMA. What an interface wrote to a rank is certain
   * to be seen by reads of third ranks, and by interfaces, once the rank itself has awaited the
   * writer; so the others hear of that before they go on. Who came before it waited has promised
   * nothing of the kind, and does not wait for it.
   */
  private boolean overRdma(Team team) {
    return team.stream()
        .anyMatch(a -> team.stream().anyMatch(b -> topology.kind(a, b) == PeerKind.RDMA));
  }

  @Override
  public void arrive(int id, Team team, Duration deadline) throws TimeoutException {
    Round came = arrived(id, team, lane.nanos(deadline));
    rounds.put(id, came.apart());
  }

  private Round arrived(int id, Team team, long nanos) throws TimeoutException {
    Round round = enter(id, team);
    rounds.put(id, round);
    if (round.arrived()) {
      return round;
    }
    Request quiet = Request.waiting(Operation.QUIET, lane.rank, id, round.number(), nanos);
    if (!round.confirms() && meets(quiet).timedOut()) {
      throw late(id, round);
    }
    for (int peer : team.peersOf(lane.rank).toArray()) {
      Reply ignored = meets(Request.slot(Operation.ARRIVE, peer, id, round.number()));
    }
    rounds.put(id, round.told());
    return round.told();
  }

  private Reply meets(Request request) {
    return group.ask(told(request).moved(0, 0, place.ids().barrier()));
  }

  /** The round that this rank is in: the one left open by a timeout, or the next. */
  private Round enter(int id, Team team) {
    requireOpen();
    index("barrier", id, spec.barriers());
    int ignored = team.indexOf(lane.rank);
    team.stream().forEach(peer -> index("rank", peer, lane.world));
    Round last = rounds.getOrDefault(id, new Round(team, 0, true, false, false, false));
    if (!last.team().equals(team)) {
      throw new IllegalArgumentException(
          "barrier of another team: window=%s, barrier=%d, team=%s, used with=%s; use one id for each team"
              .formatted(spec.name(), id, team, last.team()));
    }
    return last.open() ? last : last.next();
  }

  private TimeoutException late(int id, Round round) {
    List<Integer> missing =
        round
            .team()
            .peersOf(lane.rank)
            .filter(peer ->
                meets(Request.slot(Operation.LOOK_MEET, peer, id, round.number())).value()
                        - round.number()
                    < 0)
            .boxed()
            .toList();
    return new TimeoutException(
        "barrier not complete: window=%s, rank=%d, id=%d, round=%d, missing=%s; see why these ranks have not come"
            .formatted(spec.name(), lane.rank, id, round.number(), missing));
  }

  private Reply ask(Request request) {
    return group.ask(inArena(request));
  }

  /** Of the own part, or of a signal slot. */
  private Request inArena(Request request) {
    return told(request).moved(0, place.bases()[lane.rank], place.ids().signal());
  }

  private Request told(Request request) {
    return lane.told()
        ? request.at(place.label() + request.told() + " at " + RankLane.site())
        : request;
  }

  private int rank(int peer) {
    requireOpen();
    index("rank", peer, lane.world);
    return peer;
  }

  private void slot(String what, int peer, int id, int count) {
    rank(peer);
    index(what, id, count);
    if (peer == lane.rank) {
      throw new IllegalArgumentException(
          "no row at oneself: window=%s, rank=%d; name another rank"
              .formatted(spec.name(), lane.rank));
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
    InArena.check(
        "window=" + spec.name() + ", owner=" + owner, offset, length, spec.data().of(owner));
  }

  private void requireOpen() {
    if (closed) {
      throw new MachineException(
          "window is closed: window=%s, generation=%d; create another and use its addresses"
              .formatted(spec.name(), place.generation()));
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
