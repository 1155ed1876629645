package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.OpenDescriptor;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.UnixSocket;
import dev.oriel.cuda.driver.UnixSocket.Received;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * The connections between all processes of a world. A connection ends when its process does, for
 * whatever reason. Every other process thus notices a loss at once, without a heartbeat.
 *
 * <p>Any thread may call. Messages are read only during calls; no thread of its own reads them.
 */
public final class ProcessMesh implements AutoCloseable {
  /** How long a rank waits for the other ranks' ends of the same instance. */
  private static final Duration SETTLING = Duration.ofMillis(250);

  private static final long TURN = Duration.ofNanos(100_000).toNanos();

  /** The most files of a peer that wait to be taken, for one instance. */
  private static final int MAX_WAITING = 1024;

  private final int rank;
  private final FabricListener listener;
  private final Clock clock;
  private final ResourceStack lasting = new ResourceStack();
  private final NavigableMap<Integer, UnixSocket> lines = new TreeMap<>();
  private final Set<Integer> gone = new TreeSet<>();
  private final Map<Integer, InstanceEndAgreement> ends = new HashMap<>();
  private final Map<Key, Deque<ArrivedMemory>> memories = new HashMap<>();

  private record Key(int instance, int peer) {}

  /** Memory that a peer sent; the receiver closes the file. */
  public record ArrivedMemory(OpenDescriptor file, long bytes) {}

  private ProcessMesh(int rank, FabricListener listener, Clock clock) {
    this.rank = rank;
    this.listener = listener;
    this.clock = clock;
  }

  /**
   * Collective: connects every process of the group with every other.
   *
   * @throws MachineException on every rank, if one of them could not; nothing is left open
   */
  public static ProcessMesh join(Bootstrap ranks, FabricListener listener, Clock clock) {
    ProcessMesh mesh = new ProcessMesh(ranks.rank(), listener, clock);
    try {
      mesh.lines.putAll(MeshConnector.of(ranks, mesh.lasting));
      return mesh;
    } catch (RuntimeException e) {
      mesh.close();
      throw e;
    }
  }

  /** Sends memory to all others; the file stays the caller's. */
  public synchronized void hand(int instance, OpenDescriptor file, long bytes) {
    byte[] message = new MeshMessage.Memory(instance, bytes).encoded();
    lines.values().forEach(line -> line.send(message, file));
  }

  /**
   * The memory that a peer sent before a step on which all ranks agreed. Several are taken in the
   * order in which they were sent.
   *
   * @throws MachineException if the peer is gone
   */
  public synchronized ArrivedMemory take(int instance, int peer) {
    listen();
    Deque<ArrivedMemory> all = memories.get(new Key(instance, peer));
    ArrivedMemory arrived = all == null ? null : all.poll();
    if (arrived == null) {
      throw new MachineException(
          gone.contains(peer)
              ? InstanceEnd.lost(peer).cause()
              : "memory did not come: rank=%d, from=%d; run one version on all ranks"
                  .formatted(rank, peer));
    }
    return arrived;
  }

  /**
   * Yields the processor: a rank may be a virtual thread among more ranks than there are
   * processors.
   */
  private static void rest() {
    LockSupport.parkNanos(TURN);
  }

  /** Begins to note the other ranks' messages about that instance. */
  public synchronized void open(int instance) {
    InstanceEndAgreement fresh = new InstanceEndAgreement();
    gone.forEach(fresh::lose);
    ends.put(instance, fresh);
  }

  /** Why an instance has ended, if any rank said so or is gone. */
  synchronized Optional<InstanceEnd> ended(int instance) {
    listen();
    return of(instance).least();
  }

  /** Announces to all others, once, that an instance has ended for this rank. */
  synchronized void announce(int instance, InstanceEnd end) {
    if (of(instance).say(rank, end)) {
      say(new MeshMessage.Ended(instance, end));
    }
  }

  /** The end on which all live ranks agree, as far as they answer within {@link #SETTLING}. */
  InstanceEnd settle(int instance, InstanceEnd mine) {
    announce(instance, mine);
    hear(instance, Deadline.in(SETTLING, clock));
    return ended(instance).orElse(mine);
  }

  /** Returns once no live rank launches an instance any more, or after {@code longest}. */
  void meet(int instance, Duration longest) {
    leave(instance);
    hear(instance, Deadline.in(longest, clock));
  }

  /** Says that this rank has finished with the instance: its exit is no loss from then on. */
  public synchronized void leave(int instance) {
    of(instance).close(rank);
    say(new MeshMessage.Closed(instance));
  }

  private void say(MeshMessage message) {
    byte[] bytes = message.encoded();
    lines.values().forEach(line -> line.send(bytes));
  }

  private void hear(int instance, Deadline deadline) {
    while (!heard(instance) && !deadline.passed()) {
      rest();
    }
  }

  private synchronized boolean heard(int instance) {
    listen();
    return of(instance).heard(lines.keySet());
  }

  private InstanceEndAgreement of(int instance) {
    return ends.getOrDefault(instance, new InstanceEndAgreement());
  }

  /** Frees all memory and messages of an instance that is closed. */
  public synchronized void forget(int instance) {
    listen();
    ends.remove(instance);
    for (int peer : world()) {
      Deque<ArrivedMemory> left = memories.remove(new Key(instance, peer));
      if (left != null) {
        left.forEach(each -> each.file().close());
      }
    }
  }

  private List<Integer> world() {
    List<Integer> all = new ArrayList<>(lines.keySet());
    all.addAll(gone);
    return all;
  }

  private void listen() {
    if (lines.isEmpty() || !UnixSocket.anyReady(lines.values())) {
      return;
    }
    for (int peer : List.copyOf(lines.keySet())) {
      UnixSocket line = Objects.requireNonNull(lines.get(peer));
      boolean more = true;
      while (more) {
        switch (line.receive()) {
          case Received.Nothing() -> more = false;
          case Received.End() -> {
            lose(peer, line);
            more = false;
          }
          case Received.Message(byte[] bytes, List<OpenDescriptor> files) -> {
            more = take(peer, bytes, new ArrayDeque<>(files));
            if (!more) {
              lose(peer, line);
            }
          }
        }
      }
    }
  }

  private void lose(int peer, UnixSocket line) {
    line.close();
    lines.remove(peer);
    gone.add(peer);
    ends.values().forEach(known -> known.lose(peer));
    listener.peerLost(rank, peer, InstanceEnd.lost(peer).cause(), clock.nanos());
  }

  /** Whether the message was readable; a peer with another protocol counts as lost. */
  private boolean take(int peer, byte[] bytes, Deque<OpenDescriptor> files) {
    try {
      switch (MeshMessage.parse(bytes)) {
        case MeshMessage.Memory(int instance, long length) when !files.isEmpty() -> {
          return arrived(new Key(instance, peer), new ArrivedMemory(files.remove(), length));
        }
        case MeshMessage.Ended(int instance, InstanceEnd end) -> of(instance).say(peer, end);
        case MeshMessage.Closed(int instance) -> of(instance).close(peer);
        case MeshMessage _ -> {
          return false;
        }
      }
      return true;
    } catch (MachineException e) {
      return false;
    } finally {
      files.forEach(OpenDescriptor::close);
    }
  }

  /** Whether there was room. */
  private boolean arrived(Key key, ArrivedMemory memory) {
    Deque<ArrivedMemory> all = memories.computeIfAbsent(key, _ -> new ArrayDeque<>());
    if (all.size() == MAX_WAITING) {
      memory.file().close();
      return false;
    }
    all.add(memory);
    return true;
  }

  /** The files of an instance, for components that exchange any number of them. */
  public PeerFiles files(int instance) {
    return new PeerFiles() {
      @Override
      public void hand(OpenDescriptor file) {
        ProcessMesh.this.hand(instance, file, 0);
      }

      @Override
      public OpenDescriptor take(int peer) {
        return ProcessMesh.this.take(instance, peer).file();
      }
    };
  }

  /** Leaves the world: the others' connections to this process end. */
  @Override
  public synchronized void close() {
    memories.values().forEach(all -> all.forEach(arrived -> arrived.file().close()));
    memories.clear();
    lines.clear();
    lasting.close();
  }
}
