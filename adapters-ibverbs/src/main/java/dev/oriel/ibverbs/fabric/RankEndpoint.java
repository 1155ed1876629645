package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DirectLibrary;
import dev.oriel.ibverbs.verbs.DirectQueue;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ibverbs.verbs.QueueEnd;
import dev.oriel.ibverbs.verbs.QueuePair;
import dev.oriel.ibverbs.verbs.WorkCompletion;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.MemoryBacking;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One rank's queue pairs on one or several interfaces.
 *
 * <p>Connecting cannot deadlock: neither making an offer nor connecting to one waits for a peer. A
 * queue pair's ends are made when the offer to a peer is first requested; a pair of ranks without a
 * request has none. Ends are numbered by interface first, and an interface is connected with the
 * peer's interface of the same number.
 */
public final class RankEndpoint implements PeerConnections {

  /** A queue and the queue pair that carries it. */
  private record End(SendQueue queue, QueuePair pair, Rail rail) {}

  /** The most blocks that a device may reserve for each request. */
  private static final int BLOCKS = 8;

  private final int rank;
  private final int world;
  private final VerbsSettings settings;
  private final List<Rail> rails = new ArrayList<>();
  private final RailRegistrations registrations = new RailRegistrations(rails);
  private final TreeMap<Integer, List<End>> peers = new TreeMap<>();
  private final List<Map<Integer, SendQueue>> numbers = new ArrayList<>();
  private final Set<Integer> connected = new TreeSet<>();

  /** An endpoint on one device. */
  public RankEndpoint(DeviceContext context, int rank, int world, VerbsSettings settings) {
    this(List.of(context), rank, world, settings);
  }

  /**
   * An endpoint on open devices, which stay the caller's.
   *
   * @param world the number of ranks; each completion queue is as long as all queues together
   * @throws MachineException if a port carries no traffic, or a device cannot have so many
   */
  public RankEndpoint(List<DeviceContext> devices, int rank, int world, VerbsSettings settings) {
    this(devices, rank, world, settings, 1);
  }

  /**
   * An endpoint to whose queues others post, by {@link #direct}. A device's own queues are longer
   * than requested, and thus the completion queues are longer, too.
   */
  public static RankEndpoint posted(
      List<DeviceContext> devices, int rank, int world, VerbsSettings settings) {
    return new RankEndpoint(devices, rank, world, settings, BLOCKS);
  }

  private RankEndpoint(
      List<DeviceContext> devices, int rank, int world, VerbsSettings settings, int factor) {
    this.rank = rank;
    this.world = world;
    this.settings = settings;
    int capacity =
        Math.multiplyExact(
            Math.multiplyExact(world, settings.queues()),
            Math.multiplyExact(settings.depth(), factor));
    try {
      for (DeviceContext device : devices) {
        rails.add(new Rail(device, settings, capacity));
        numbers.add(new HashMap<>());
      }
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, this::close);
    }
  }

  @Override
  public long messageBytes() {
    return rails.stream().mapToLong(Rail::messageBytes).min().orElseThrow();
  }

  @Override
  public boolean atomics() {
    return rails.stream().allMatch(Rail::atomics);
  }

  @Override
  public ExportedMemory export(HostMemory memory) {
    return registrations.lease(memory);
  }

  /** Gives peers access to memory, under its owner's addresses. */
  public ExportedMemory export(ReachedMemory memory) {
    return export(memory.address(), memory.size(), memory.backing());
  }

  /**
   * Gives peers access to the backing of such memory; a file is closed, whether or not this
   * succeeds.
   */
  public ExportedMemory export(long address, long bytes, MemoryBacking backing) {
    return registrations.lease(address, bytes, backing);
  }

  /**
   * Refuses ports that carry no messages of so many bytes.
   *
   * @throws MachineException naming the devices
   */
  public void requireMessages(long bytes) {
    if (messageBytes() < bytes) {
      throw new MachineException(
          "port carries shorter messages: devices=%s, bytes=%d, needed=%d; use another port"
              .formatted(devices(), messageBytes(), bytes));
    }
  }

  /** The memory of the queue to the peer that a lane uses, for others to post to. */
  public DirectQueue direct(DirectLibrary library, int peer, int lane) {
    List<End> all = ends(peer);
    End end = all.get(Math.floorMod(lane, all.size()));
    return library.open(end.pair(), end.rail().completions());
  }

  @Override
  public byte[] offer(int peer) {
    List<QueueEnd> ends = ends(peer).stream().map(e -> e.rail().end(e.pair())).toList();
    return new WireMessage.Offer(rank, peer, ends).bytes();
  }

  private List<End> ends(int peer) {
    List<End> made = peers.get(peer);
    if (made == null) {
      made = make(peer);
      peers.put(peer, made);
    }
    return made;
  }

  private List<End> make(int peer) {
    if (peer < 0 || peer >= world) {
      throw new MachineException(
          "no such rank: peer=%d, world=%d; use 0 to %d".formatted(peer, world, world - 1));
    }
    List<End> made = new ArrayList<>();
    try {
      for (int i = 0; i < rails.size() * settings.queues(); i++) {
        int number = i % rails.size();
        QueuePair pair = rails.get(number).pair();
        SendQueue queue = new SendQueue(peer, number, settings.depth(), pair::post);
        made.add(new End(queue, pair, rails.get(number)));
        numbers.get(number).put(pair.number(), queue);
      }
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(
          e, () -> new ClosingSequence().each(made, end -> end.pair().close()).end());
    }
    return made;
  }

  @Override
  public void connect(int peer, byte[] bytes) {
    WireMessage.Offer offer = WireMessage.Offer.parse(bytes);
    List<End> mine = ends(peer);
    if (offer.from() != peer || offer.to() != rank || offer.ends().size() != mine.size()) {
      throw new MachineException(
          "offer of another rank: from=%d, expected=%d, to=%d, rank=%d, queues=%d, own=%d; exchange offers anew, with equal settings"
              .formatted(offer.from(), peer, offer.to(), rank, offer.ends().size(), mine.size()));
    }
    if (!connected.add(peer)) {
      return;
    }
    for (int i = 0; i < mine.size(); i++) {
      mine.get(i).rail().connect(mine.get(i).pair(), offer.ends().get(i));
    }
  }

  @Override
  public void reset() {
    connected.clear();
    peers.values().stream().flatMap(List::stream).forEach(end -> end.rail().reset(end.pair()));
    // Completions of the old queues must not be counted for the renewed ones.
    while (progress()) {}
    peers.values().stream().flatMap(List::stream).forEach(end -> end.queue().renew());
  }

  @Override
  public SendQueue queue(int peer, int lane) {
    if (!connected.contains(peer)) {
      throw new MachineException(
          "not connected: peer=%d, connected=%s; connect both ends first"
              .formatted(peer, connected));
    }
    List<End> all = ends(peer);
    return all.get(Math.floorMod(lane, all.size())).queue();
  }

  @Override
  public List<SendQueue> queues() {
    return peers.values().stream().flatMap(List::stream).map(End::queue).toList();
  }

  @Override
  public boolean progress() {
    boolean any = false;
    for (int number = 0; number < rails.size(); number++) {
      List<WorkCompletion> ends = rails.get(number).poll();
      for (WorkCompletion end : ends) {
        SendQueue queue = numbers.get(number).get(end.queuePair());
        // A queue that no longer exists may still report; its completions are ignored.
        if (queue != null && !end.received()) {
          queue.end(end);
        }
      }
      any |= !ends.isEmpty();
    }
    return any;
  }

  /** The devices' names. */
  public List<String> devices() {
    return rails.stream().map(Rail::device).toList();
  }

  @Override
  public void close() {
    new ClosingSequence()
        .each(
            peers.values(),
            ends -> new ClosingSequence().each(ends, end -> end.pair().close()).end())
        .then(peers::clear)
        .each(rails, Rail::close)
        .then(rails::clear)
        .end();
  }
}
