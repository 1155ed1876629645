package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.ExportedMemory;
import dev.oriel.ibverbs.fabric.PeerConnections;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.verbs.CompletionStatus;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ibverbs.verbs.WorkCompletion;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import dev.oriel.ports.queue.SharedQueueMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Ranks on one thread that post to a network's queues as GPUs do: by the description of the queues
 * only, byte for byte, with the completion word as their only answer.
 */
public final class PlayedConnections implements PeerConnections {

  /** The ranks of one program. */
  public static final class Group {
    private final QueueNetwork network;
    private final Map<Integer, HostMemory> memories = new TreeMap<>();
    private final List<SharedQueueMemory> queues = new ArrayList<>();
    private QueueNetwork.@Nullable Connection connection;
    private int open;

    public Group(QueueNetwork network) {
      this.network = network;
    }

    private QueueNetwork.Connection connection() {
      if (connection == null) {
        connection =
            network.connect(
                memories.values().stream()
                    .<ReachedMemory>map(m -> new DirectMemory(m.address(), m.buffer()))
                    .toList(),
                (_, _) -> true,
                bytes -> {
                  ByteBuffer buffer =
                      ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
                  queues.add(new SharedQueueMemory(buffer, (queues.size() + 1L) << 40));
                  return queues.getLast();
                });
      }
      return connection;
    }

    private SharedQueueMemory holding(long address) {
      return queues.stream()
          .filter(m -> address >= m.address() && address < m.address() + m.bytes().capacity())
          .findFirst()
          .orElseThrow();
    }
  }

  private final Group group;
  private final int rank;
  private final Map<Integer, SendQueue> queues = new HashMap<>();
  private final Map<Integer, HostInitiator> posters = new HashMap<>();

  public PlayedConnections(Group group, int rank) {
    this.group = group;
    this.rank = rank;
    group.open++;
  }

  @Override
  public long messageBytes() {
    return group.network.format().messageBytes();
  }

  @Override
  public boolean atomics() {
    return true;
  }

  @Override
  public ExportedMemory export(HostMemory memory) {
    group.memories.put(rank, memory);
    return new ExportedMemory() {
      @Override
      public int localKey(int number) {
        return 0;
      }

      @Override
      public List<Integer> remoteKeys() {
        return List.of(0);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public byte[] offer(int peer) {
    return new byte[0];
  }

  @Override
  public void connect(int peer, byte[] offer) {
    var queue = group.connection().queue(rank, peer);
    HostInitiator poster =
        new HostInitiator(group.network.format(), queue, group.holding(queue.ring()));
    posters.put(peer, poster);
    queues.put(peer, new SendQueue(peer, 0, queue.slots(), work -> post(poster, work)));
  }

  private static void post(HostInitiator poster, WorkRequest work) {
    switch (work) {
      case WorkRequest.Write w -> post(poster, w, RequestKind.WRITE, w.local());
      case WorkRequest.Read r -> post(poster, r, RequestKind.READ, r.local());
      case WorkRequest.WriteWord w ->
          poster.post(
              RequestKind.WRITE_WORD,
              w.fenced(),
              Map.of(RequestField.REMOTE, w.remote().address(), RequestField.VALUE, w.value()));
      case WorkRequest.FetchAdd a ->
          poster.post(
              RequestKind.ADD,
              a.fenced(),
              Map.of(
                  RequestField.REMOTE,
                  a.remote().address(),
                  RequestField.LOCAL,
                  a.local().address(),
                  RequestField.VALUE,
                  a.addend()));
      case WorkRequest.CompareSwap c ->
          poster.post(
              RequestKind.COMPARE_SWAP,
              c.fenced(),
              Map.of(
                  RequestField.REMOTE,
                  c.remote().address(),
                  RequestField.LOCAL,
                  c.local().address(),
                  RequestField.COMPARE,
                  c.compare(),
                  RequestField.VALUE,
                  c.swap()));
      case WorkRequest.Send _, WorkRequest.WriteImmediate _ ->
          throw new AssertionError("no program asks for it: " + work);
    }
  }

  private static void post(HostInitiator poster, WorkRequest work, RequestKind kind, Local local) {
    poster.post(
        kind,
        work.fenced(),
        Map.of(
            RequestField.REMOTE,
            work.remote().address(),
            RequestField.LOCAL,
            local.address(),
            RequestField.LENGTH,
            local.bytes()));
  }

  @Override
  public void reset() {
    throw new UnsupportedOperationException("networks are connected once");
  }

  @Override
  public SendQueue queue(int peer, int lane) {
    return Objects.requireNonNull(queues.get(peer), "not connected");
  }

  @Override
  public List<SendQueue> queues() {
    return List.copyOf(queues.values());
  }

  @Override
  public boolean progress() {
    boolean any = group.connection().progress();
    posters.forEach((peer, poster) -> {
      long done = poster.completed();
      CompletionStatus status =
          poster.failed() ? CompletionStatus.REMOTE_ACCESS : CompletionStatus.SUCCESS;
      if (done > 0 || poster.failed()) {
        queue(peer, 0).end(new WorkCompletion(done, 0, status, 0, 0, 0, 0));
      }
    });
    return any;
  }

  @Override
  public void close() {
    if (--group.open == 0 && group.connection != null) {
      group.connection.close();
    }
  }
}
