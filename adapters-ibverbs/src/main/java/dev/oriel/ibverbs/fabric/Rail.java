package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.CompletionQueue;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.Gid;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ibverbs.verbs.MemoryPurpose;
import dev.oriel.ibverbs.verbs.MemoryRegion;
import dev.oriel.ibverbs.verbs.PortState;
import dev.oriel.ibverbs.verbs.ProtectionDomain;
import dev.oriel.ibverbs.verbs.QueueEnd;
import dev.oriel.ibverbs.verbs.QueuePair;
import dev.oriel.ibverbs.verbs.QueueSizes;
import dev.oriel.ibverbs.verbs.RegistrationAccess;
import dev.oriel.ibverbs.verbs.WorkCompletion;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.MemoryBacking;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One interface of a rank: a port, and the completion queue of all its queue pairs. */
final class Rail implements AutoCloseable {
  /** The accesses that peers have to exported memory. */
  private static final Set<RegistrationAccess> EXPORTED =
      Collections.unmodifiableSet(
          EnumSet.of(
              RegistrationAccess.LOCAL_WRITE,
              RegistrationAccess.REMOTE_WRITE,
              RegistrationAccess.REMOTE_READ,
              RegistrationAccess.REMOTE_ATOMIC));

  private static final int FIRST_SEQUENCE = 0x1000;

  private final DeviceContext context;
  private final VerbsSettings settings;
  private final PortState port;
  private final Gid gid;
  private final ProtectionDomain domain;
  private final CompletionQueue completions;

  /**
   * An interface on an open device, which stays the caller's.
   *
   * @param capacity the most requests under way in all queues together
   * @throws MachineException if the port carries no traffic, or the device cannot have so many
   */
  Rail(DeviceContext context, VerbsSettings settings, int capacity) {
    this.context = context;
    this.settings = settings;
    this.port = context.port(settings.port());
    if (!port.active()) {
      throw MachineException.lacking(
          "port carries no traffic: device=%s, port=%d; bring the link up, see rdma link"
              .formatted(context.name(), settings.port()));
    }
    this.gid = gid(context, settings);
    this.domain = context.domain();
    try {
      this.completions = context.completions(capacity);
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, domain::close);
    }
  }

  private static Gid gid(DeviceContext context, VerbsSettings settings) {
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

  long messageBytes() {
    return port.messageBytes();
  }

  boolean atomics() {
    return context.limits().atomics();
  }

  String device() {
    return context.name();
  }

  MemoryRegion register(long address, long bytes) {
    return domain.register(address, bytes, MemoryPurpose.FLAGS, EXPORTED);
  }

  /** Registers memory of any owner under the address that requests name. */
  MemoryRegion register(MemoryBacking backing, long named, long bytes) {
    return switch (backing) {
      case MemoryBacking.Host(var host) ->
          domain.register(
              HostMemory.of(host).address(), bytes, named, MemoryPurpose.FLAGS, EXPORTED);
      case MemoryBacking.Shared(int file, long offset, var _) ->
          domain.registerFile(file, offset, bytes, named, MemoryPurpose.FLAGS, EXPORTED);
      case MemoryBacking.Copied(var reason) -> throw MachineException.lacking(reason);
    };
  }

  CompletionQueue completions() {
    return completions;
  }

  /** A queue pair that is not connected yet. */
  QueuePair pair() {
    QueuePair pair =
        domain.queuePair(new QueueSizes(settings.depth(), 1, Long.BYTES), completions, completions);
    try {
      pair.init(settings.port(), EXPORTED);
      return pair;
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, pair::close);
    }
  }

  /** The data of a queue pair that the peer needs. */
  QueueEnd end(QueuePair pair) {
    return new QueueEnd(
        pair.number(), FIRST_SEQUENCE, port.lid(), gid.high(), gid.low(), port.mtu());
  }

  void connect(QueuePair pair, QueueEnd peer) {
    pair.connect(port, gid, FIRST_SEQUENCE, peer, settings.retry());
  }

  /** Returns a connected or failed queue pair to the state in which {@link #pair} gave it. */
  void reset(QueuePair pair) {
    pair.reset();
    pair.init(settings.port(), EXPORTED);
  }

  List<WorkCompletion> poll() {
    return completions.poll();
  }

  @Override
  public void close() {
    new ClosingSequence().then(completions::close).then(domain::close).end();
  }
}
