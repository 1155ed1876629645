package dev.oriel.sim.ranks;

import dev.oriel.domain.registration.RegistrationCache;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Region;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Packets;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.SlotLanes;
import dev.oriel.ports.setup.SlotSums;
import dev.oriel.ports.setup.WindowSetup;
import dev.oriel.sim.machine.Guide;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * A window of one rank in one execution, as one lane uses it. It checks what the port promises to
 * check, and asks the machine for everything else.
 */
final class RankWindow implements Window, InArena {
  private final RankPart part;
  private final RankGroup group;
  private final RankLane lane;
  private final WindowSpec spec;
  private final Place place;
  private final SlotSums sums = new SlotSums();
  private final RankBarriers barriers;
  private final RankPackets packets;

  RankWindow(RankPart part, RankGroup group) {
    this.part = part;
    this.group = group;
    this.lane = group.lane;
    this.spec = part.spec;
    this.place = part.place;
    this.barriers =
        new RankBarriers(
            spec.name(),
            place.ids().barrier(),
            group,
            part.reached.topology(),
            request -> told(request));
    this.packets = new RankPackets(part, lane, (request, buffer) -> transfer(request, buffer, 0));
    part.views.put(lane.number, this);
  }

  /** The same window as that lane of this rank uses it. */
  RankWindow in(RankLane other) {
    RankWindow known = part.views.get(other.number);
    return known == null ? new RankWindow(part, group.in(other)) : known;
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
    index("rank", owner, lane.world);
    return spec.data().of(owner);
  }

  @Override
  public WindowView share(Region mine) {
    requireOpen();
    lane.requireHost();
    String step = "communicator %d, window %d".formatted(group.number(), place.generation());
    return group.during(() -> WindowSetup.share(part.ranks, step, this, mine));
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

  /** The interfaces that reach the window's memory by keys. */
  Transport transport() {
    requireOpen();
    return part.transport.computeIfAbsent(
        lane.number,
        number ->
            new Transport(
                this, group, new RegistrationCache(new RankInterfaces(group, this::told))));
  }

  /** Bytes of the own part, in the arena. */
  long own(long offset, long length) {
    span(lane.rank, offset, length);
    return place.bases()[lane.rank] + offset;
  }

  /** A put or get through interfaces that are to look at those keys, and at nothing else. */
  void keyed(
      Operation operation,
      int peer,
      long there,
      long here,
      long length,
      long localKey,
      long remoteKey) {
    Request request = transfer(operation, peer, there, this, here, length);
    if (operation == Operation.GET) {
      lane.got.set(peer);
    } else {
      lane.unfenced.set(peer);
    }
    Reply ignored = transfer(request.named(localKey, remoteKey), this, 0);
  }

  @Override
  public void putSignal(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id, long value) {
    slot("signal", peer, id, spec.signals());
    lane.memory.requirePutSignals();
    own(SlotLanes.Use.SIGNAL, peer, id);
    sums.requirePuts(spec.name(), peer, id);
    Request put = transfer(Operation.PUT_SIGNAL, peer, peerOffset, from, offset, length);
    lane.unfenced.set(peer);
    Reply ignored = transfer(put.with(id, value), from, place.ids().signal());
  }

  @Override
  public void putCounted(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id) {
    slot("counter", peer, id, spec.counters());
    own(SlotLanes.Use.COUNTER, peer, id);
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

  @Override
  public boolean mapped(int peer) {
    requireOpen();
    index("rank", peer, lane.world);
    return part.reached.mapped(peer);
  }

  @Override
  public void putPackets(int peer, Packets to, LocalBuffer from, long offset, long length) {
    packets.put(rank(peer), to, from, offset, length);
  }

  @Override
  public boolean takePackets(Packets from, LocalBuffer into, long offset, long length) {
    return packets.take(from, into, offset, length, 0);
  }

  @Override
  public void takePackets(
      Packets from, LocalBuffer into, long offset, long length, Duration deadline)
      throws TimeoutException {
    if (!packets.take(from, into, offset, length, lane.nanos(deadline))) {
      throw packets.missing(from, length);
    }
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
    own(SlotLanes.Use.SIGNAL, peer, id);
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
    Team.all(lane.world).stream().forEach(this::rank);
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
    own(SlotLanes.Use.COUNTER, peer, id);
    return group.ask(told(counter(Operation.LOOK_COUNT, peer, id, 0, Guide.NEVER))).value();
  }

  @Override
  public void awaitCounter(int peer, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    slot("counter", peer, id, spec.counters());
    own(SlotLanes.Use.COUNTER, peer, id);
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
    requireBarrier(id, team);
    barriers.barrier(id, team, deadline);
  }

  @Override
  public void arrive(int id, Team team, Duration deadline) throws TimeoutException {
    requireBarrier(id, team);
    barriers.arrive(id, team, deadline);
  }

  private void requireBarrier(int id, Team team) {
    requireOpen();
    index("barrier", id, spec.barriers());
    team.stream().forEach(this::rank);
    own(SlotLanes.Use.BARRIER, lane.rank, id);
  }

  private void own(SlotLanes.Use use, int peer, int id) {
    part.slots.require(spec.name(), use, peer, id, lane.number);
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
    part.reached.require(peer);
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
    part.requireOpen();
  }

  @Override
  public void close() {
    lane.requireHost();
    part.close();
  }
}
