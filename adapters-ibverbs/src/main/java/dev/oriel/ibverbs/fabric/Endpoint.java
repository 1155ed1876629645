package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.verbs.Access;
import dev.oriel.ibverbs.verbs.Completion;
import dev.oriel.ibverbs.verbs.CompletionQueue;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.Gid;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ibverbs.verbs.MemoryRegion;
import dev.oriel.ibverbs.verbs.PortState;
import dev.oriel.ibverbs.verbs.ProtectionDomain;
import dev.oriel.ibverbs.verbs.Purpose;
import dev.oriel.ibverbs.verbs.QueueEnd;
import dev.oriel.ibverbs.verbs.QueuePair;
import dev.oriel.ibverbs.verbs.QueueSizes;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One rank's queue pairs on one port, with the completion queue that all of them report to. Used by
 * one thread at a time.
 *
 * <p>Connecting cannot deadlock: making an offer and connecting to one wait for nobody. A queue
 * pair's ends are made when a peer's offer is first asked for, so a pair of ranks that never asks
 * has none.
 */
public final class Endpoint implements AutoCloseable {
  /** What peers may do to memory that is exported. */
  private static final Set<Access> EXPORTED =
      Collections.unmodifiableSet(
          EnumSet.of(
              Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC));

  private static final int FIRST_SEQUENCE = 0x1000;

  private final int rank;
  private final VerbsSettings settings;
  private final PortState port;
  private final Gid gid;
  private final Context context;
  private final ProtectionDomain domain;
  private final int world;

  private final CompletionQueue completions;

  private final TreeMap<Integer, List<SendQueue>> peers = new TreeMap<>();
  private final Map<Integer, SendQueue> numbers = new HashMap<>();
  private final Set<Integer> connected = new TreeSet<>();

  /**
   * An end on an open device, which stays the caller's.
   *
   * @param world how many ranks there are: the completion queue is as long as all queues together
   * @throws MachineException if the port carries no traffic, or the device cannot have so many
   */
  public Endpoint(Context context, int rank, int world, VerbsSettings settings) {
    this.rank = rank;
    this.world = world;
    this.settings = settings;
    this.context = context;
    this.port = context.port(settings.port());
    if (!port.active()) {
      throw MachineException.lacking(
          "port carries no traffic: device=%s, port=%d; bring the link up, see rdma link"
              .formatted(context.name(), settings.port()));
    }
    this.gid = gid(context, settings);
    int capacity =
        Math.multiplyExact(Math.multiplyExact(world, settings.queues()), settings.depth());
    this.domain = context.domain();
    try {
      this.completions = context.completions(capacity);
    } catch (RuntimeException e) {
      domain.close();
      throw e;
    }
  }

  private static Gid gid(Context context, VerbsSettings settings) {
    List<Gid> gids = context.gids(settings.port());
    return gids.stream()
        .filter(g -> settings.gid() < 0 ? g.routable() && g.ipv4() : g.index() == settings.gid())
        .findFirst()
        .or(() -> settings.gid() < 0 ? gids.stream().findFirst() : Optional.empty())
        .orElseThrow(() ->
            MachineException.lacking(
                "no address on the port: device=%s, port=%d, gid=%d, there=%s; give the interface an address"
                    .formatted(context.name(), settings.port(), settings.gid(), gids)));
  }

  /** The longest message of the port. */
  public long messageBytes() {
    return port.messageBytes();
  }

  /** Gives peers access to memory in which words are polled, so its order is strict. */
  public MemoryRegion export(HostMemory memory) {
    return domain.register(memory, Purpose.FLAGS, EXPORTED);
  }

  /** What {@code peer} needs in order to connect; the same when asked again. */
  public Wire.Offer offer(int peer) {
    List<QueueEnd> ends = new ArrayList<>();
    for (SendQueue queue : queues(peer)) {
      ends.add(
          new QueueEnd(
              queue.pair().number(),
              FIRST_SEQUENCE,
              port.lid(),
              gid.high(),
              gid.low(),
              port.mtu()));
    }
    return new Wire.Offer(rank, peer, ends);
  }

  private List<SendQueue> queues(int peer) {
    List<SendQueue> made = peers.get(peer);
    if (made == null) {
      made = make(peer);
      peers.put(peer, made);
      made.forEach(q -> numbers.put(q.pair().number(), q));
    }
    return made;
  }

  private List<SendQueue> make(int peer) {
    if (peer < 0 || peer >= world) {
      throw new MachineException(
          "no such rank: peer=%d, world=%d; use 0 to %d".formatted(peer, world, world - 1));
    }
    List<SendQueue> made = new ArrayList<>();
    try {
      for (int i = 0; i < settings.queues(); i++) {
        QueuePair pair =
            domain.queuePair(
                new QueueSizes(settings.depth(), 1, Long.BYTES), completions, completions);
        made.add(new SendQueue(peer, pair, settings.depth()));
        pair.init(settings.port(), EXPORTED);
      }
    } catch (RuntimeException e) {
      made.forEach(q -> q.pair().close());
      throw e;
    }
    return made;
  }

  /**
   * Connects to the queue ends that {@code peer} offered; a second time does nothing.
   *
   * @throws MachineException if that is no offer of this peer to this rank
   */
  public void connect(int peer, Wire.Offer offer) {
    List<SendQueue> mine = queues(peer);
    if (offer.from() != peer || offer.to() != rank || offer.ends().size() != mine.size()) {
      throw new MachineException(
          "offer of another rank: from=%d, expected=%d, to=%d, rank=%d, queues=%d, own=%d; exchange offers anew, with equal settings"
              .formatted(offer.from(), peer, offer.to(), rank, offer.ends().size(), mine.size()));
    }
    if (!connected.add(peer)) {
      return;
    }
    for (int i = 0; i < mine.size(); i++) {
      mine.get(i).pair().connect(port, gid, FIRST_SEQUENCE, offer.ends().get(i), settings.retry());
    }
  }

  /** Whether {@link #connect} was called for that peer. */
  public boolean connected(int peer) {
    return connected.contains(peer);
  }

  /** Which peers it was called for. */
  public Set<Integer> connected() {
    return Collections.unmodifiableSet(connected);
  }

  /** The queue to the peer that a lane uses: lanes take turns. */
  public SendQueue queue(int peer, int lane) {
    if (!connected.contains(peer)) {
      throw new MachineException(
          "not connected: peer=%d, connected=%s; connect both ends first"
              .formatted(peer, connected));
    }
    List<SendQueue> all = queues(peer);
    return all.get(Math.floorMod(lane, all.size()));
  }

  /** Every queue. */
  public List<SendQueue> queues() {
    return peers.values().stream().flatMap(List::stream).toList();
  }

  /** Takes note of what has ended; returns whether anything had. */
  public boolean progress() {
    List<Completion> ends = completions.poll();
    for (Completion end : ends) {
      SendQueue queue = numbers.get(end.queuePair());
      // A queue of an earlier life may still report; nobody waits for it.
      if (queue != null && !end.received()) {
        queue.end(end);
      }
    }
    return !ends.isEmpty();
  }

  /** The device's name. */
  public String device() {
    return context.name();
  }

  /** Breaks every connection; nothing of a peer's arrives here afterwards. */
  @Override
  public void close() {
    queues().forEach(q -> q.pair().close());
    completions.close();
    domain.close();
  }
}
