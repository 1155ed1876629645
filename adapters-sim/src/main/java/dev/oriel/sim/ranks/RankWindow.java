package dev.oriel.sim.ranks;

import dev.oriel.domain.registration.RegistrationCache;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import dev.oriel.ports.WindowPackets;
import dev.oriel.ports.setup.SlotSums;
import dev.oriel.ports.setup.WindowSetup;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;

/**
 * A window of one rank in one execution, as one lane uses it. It makes the checks that the port
 * promises and leaves everything else to the machine.
 */
final class RankWindow implements Window, ArenaBuffer {
  private final RankWindowState part;
  private final RankGroup group;
  private final RankLane lane;
  private final WindowSpec spec;
  private final WindowPlacement place;
  private final WindowChecks checks;
  private final WindowRequests requests;
  private final RankTransfers transfers;
  private final RankSignals signals;
  private final RankCounters counters;
  private final RankBarriers barriers;
  private final RankPackets packets;

  RankWindow(RankWindowState part, RankGroup group) {
    this.part = part;
    this.group = group;
    lane = group.lane;
    spec = part.spec;
    place = part.place;
    checks = new WindowChecks(part, lane);
    requests = new WindowRequests(group, place);
    SlotSums sums = new SlotSums();
    signals = new RankSignals(spec, lane, checks, requests, sums);
    counters = new RankCounters(part, lane, checks, requests);
    transfers = new RankTransfers(this, part, checks, requests, sums, counters);
    barriers =
        new RankBarriers(
            spec.name(),
            place.ids().barrier(),
            group,
            part.reached.topology(),
            request -> requests.described(request));
    packets =
        new RankPackets(part, lane, (request, buffer) -> requests.transfer(request, buffer, 0));
    part.views.put(lane.number, this);
  }

  /** The same window as used by that lane of this rank. */
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
    checks.open();
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
    checks.open();
    checks.index("rank", owner, lane.world);
    return spec.data().of(owner);
  }

  @Override
  public WindowView share(WindowRegion mine) {
    checks.open();
    lane.requireHost();
    String step = "communicator %d, window %d".formatted(group.number(), place.generation());
    return group.during(() -> WindowSetup.share(part.ranks, step, this, mine));
  }

  @Override
  public void write(long offset, byte[] bytes) {
    checks.span(lane.rank, offset, bytes.length);
    LaneReply ignored = requests.ask(LaneRequest.write(offset, bytes));
  }

  @Override
  public byte[] read(long offset, int length) {
    checks.span(lane.rank, offset, length);
    return requests
        .askAnyway(LaneRequest.transfer(LaneOperation.READ, lane.rank, 0, offset, length))
        .bytes();
  }

  @Override
  public void put(int peer, long peerOffset, LocalBuffer from, long offset, long length) {
    transfers.put(peer, peerOffset, from, offset, length);
  }

  @Override
  public void putSignal(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id, long value) {
    transfers.putSignal(peer, peerOffset, from, offset, length, id, value);
  }

  @Override
  public void putCounted(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id) {
    transfers.putCounted(peer, peerOffset, from, offset, length, id);
  }

  @Override
  public void get(int peer, long peerOffset, LocalBuffer into, long offset, long length) {
    transfers.get(peer, peerOffset, into, offset, length);
  }

  @Override
  public void flush(int peer, Duration deadline) throws TimeoutException {
    transfers.flush(peer, deadline);
  }

  /** The interfaces that reach the window's memory by keys. */
  RankTransport transport() {
    checks.open();
    return part.transport.computeIfAbsent(
        lane.number,
        number ->
            new RankTransport(
                this,
                transfers,
                group,
                new RegistrationCache(new RankInterfaces(group, requests::described))));
  }

  /** The first of those bytes of the own part, in the arena. */
  long own(long offset, long length) {
    checks.span(lane.rank, offset, length);
    return place.bases()[lane.rank] + offset;
  }

  @Override
  public boolean mapped(int peer) {
    checks.open();
    checks.index("rank", peer, lane.world);
    return part.reached.mapped(peer);
  }

  /** Arenas of ranks do not overlap in these addresses. */
  @Override
  public OptionalLong nvlinkAddress(int peer) {
    return mapped(peer) && bytes(peer) > 0
        ? OptionalLong.of(((peer + 1L) << 42) + place.bases()[peer])
        : OptionalLong.empty();
  }

  @Override
  public void putPackets(int peer, WindowPackets to, LocalBuffer from, long offset, long length) {
    packets.put(checks.rank(peer), to, from, offset, length);
  }

  @Override
  public boolean takePackets(WindowPackets from, LocalBuffer into, long offset, long length) {
    return packets.take(from, into, offset, length, 0);
  }

  @Override
  public void takePackets(
      WindowPackets from, LocalBuffer into, long offset, long length, Duration deadline)
      throws TimeoutException {
    if (!packets.take(from, into, offset, length, lane.nanos(deadline))) {
      throw packets.missing(from, length);
    }
  }

  @Override
  public void signal(int peer, int id, long value) {
    signals.signal(peer, id, value);
  }

  @Override
  public long signalValue(int source, int id) {
    return signals.value(source, id);
  }

  @Override
  public void await(int source, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    signals.await(source, id, comparison, value, deadline);
  }

  @Override
  public void awaitSum(int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    signals.awaitSum(id, comparison, value, deadline);
  }

  @Override
  public long counterValue(int peer, int id) {
    return counters.value(peer, id);
  }

  @Override
  public void awaitCounter(int peer, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    counters.await(peer, id, comparison, value, deadline);
  }

  @Override
  public void barrier(int id, Duration deadline) throws TimeoutException {
    barrier(id, Team.all(lane.world), deadline);
  }

  @Override
  public void barrier(int id, Team team, Duration deadline) throws TimeoutException {
    checks.barrier(id, team);
    barriers.barrier(id, team, deadline);
  }

  @Override
  public void arrive(int id, Team team, Duration deadline) throws TimeoutException {
    checks.barrier(id, team);
    barriers.arrive(id, team, deadline);
  }

  @Override
  public void close() {
    lane.requireHost();
    part.close();
  }
}
