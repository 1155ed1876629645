package dev.oriel.sim.ranks;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.Reached;
import dev.oriel.ports.setup.Undo;
import dev.oriel.ports.setup.WindowSetup;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/**
 * One rank's membership: windows are carved out of its arena.
 *
 * <p>Memory that is given back is written to by its owner, and memory that is given out again was:
 * an access of a peer that its teardown did not wait for is a race like any other.
 */
final class RankCommunicator implements Communicator {
  private final RankGroup group;
  private final Topology topology;
  private final Bootstrap ranks;
  private final Set<String> open = new TreeSet<>();
  private long windows;
  private int buffers;
  private boolean closed;

  RankCommunicator(RankGroup group, Topology topology, Bootstrap ranks) {
    this.group = group;
    this.topology = topology;
    this.ranks = ranks;
  }

  @Override
  public int rank() {
    return group.lane.rank;
  }

  @Override
  public int world() {
    return group.lane.world;
  }

  @Override
  public Topology topology() {
    return topology;
  }

  @Override
  public Window window(WindowSpec spec, Team peers) {
    requireMember();
    long generation = ++windows;
    String step = "communicator %d, window %d".formatted(group.number(), generation);
    Undo undo = new Undo();
    return group.during(() ->
        WindowSetup.make(
            ranks, step, spec, topology, peers, new Part(spec, generation, step, undo), undo));
  }

  private final class Part implements WindowSetup.Part<Window> {
    private final WindowSpec spec;
    private final long generation;
    private final String step;
    private final Undo all;

    Part(WindowSpec spec, long generation, String step, Undo all) {
      this.spec = spec;
      this.generation = generation;
      this.step = step;
      this.all = all;
    }

    @Override
    public byte[] allocate(Undo undo) {
      if (open.contains(spec.name())) {
        throw new MachineException(
            "window is open: name=" + spec.name() + "; close it first, or choose another name");
      }
      long bytes = WindowLayout.of(spec, topology).owner(rank()).dataBytes();
      group.lane.memory.requireIds(spec);
      long base = take(bytes);
      undo.add(() -> group.lane.memory.free(base, bytes));
      return ByteBuffer.allocate(Long.BYTES).putLong(base).array();
    }

    @Override
    public void connect(Reached reached) {
      // The lanes of this machine have their queues from the beginning.
    }

    @Override
    public Window open(List<byte[]> exports, Reached reached, Undo undo) {
      long[] bases = exports.stream().mapToLong(e -> ByteBuffer.wrap(e).getLong()).toArray();
      Place place =
          new Place(spec.name() + ".", generation, bases, group.lane.memory.takeIds(spec));
      open.add(spec.name());
      undo.add(() -> open.remove(spec.name()));
      RankPart part = new RankPart(spec, place, reached, ranks, () -> leave(bases[rank()]));
      return new RankWindow(part, group);
    }

    /** Own puts and gets have ended; once everybody says so, nothing is under way to this part. */
    private void leave(long base) {
      long bytes = spec.data().of(rank());
      try {
        long nanos = group.lane.nanos(ranks.deadline());
        boolean late =
            group.askAnyway(Request.waiting(Operation.DRAIN, rank(), 0, 0, nanos)).timedOut();
        ranks.barrier(step + ": close" + (late ? " without an end of its own transfers" : ""));
        erase(base, bytes);
        all.run();
      } catch (RuntimeException e) {
        group.lane.memory.retire(bytes);
        open.remove(spec.name());
        throw e;
      }
    }
  }

  private long take(long bytes) {
    long base = group.lane.memory.take(bytes);
    if (group.lane.memory.secondHand(base, bytes)) {
      erase(base, bytes);
    }
    return base;
  }

  private void erase(long base, long bytes) {
    if (bytes > 0) {
      Reply ignored = group.askAnyway(Request.write(base, new byte[(int) bytes]));
    }
  }

  @Override
  public LocalBuffer buffer(long bytes) {
    requireMember();
    group.refuse(null);
    long base = take(bytes);
    buffers++;
    return new RankBuffer(
        group,
        base,
        bytes,
        () -> {
          buffers--;
          erase(base, bytes);
          group.lane.memory.free(base, bytes);
        });
  }

  @Override
  public void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException {
    requireMember();
    group.refuse(null);
    RankLanes.run(group.lane, count, threads, code);
  }

  @Override
  public Abort abort(String cause) {
    return group.abort(cause);
  }

  @Override
  public Optional<Abort> aborted() {
    return group.aborted();
  }

  private void requireMember() {
    if (closed) {
      throw new MachineException("communicator is closed: rank=" + rank() + "; join again");
    }
  }

  @Override
  public void close() {
    if (!open.isEmpty() || buffers > 0) {
      throw new MachineException(
          "windows or buffers are still open: rank=%d, windows=%s, buffers=%d; close them first"
              .formatted(rank(), open, buffers));
    }
    closed = true;
  }
}
