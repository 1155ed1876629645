package dev.oriel.ports.setup;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One rank's membership. A machine adds only its memory: membership, open windows and the steps
 * that create and close a window are the same on all machines.
 */
public abstract class MemberCommunicator implements Communicator {
  /** Bytes of the widest access to a window. */
  private static final int ALIGNMENT = 16;

  private final Bootstrap ranks;
  private final Topology topology;
  private final AbortState fate;
  private final String prefix;
  private final Set<String> open = new TreeSet<>();
  private long windows;

  /** The number of open buffers; lanes may close them. */
  private final AtomicInteger buffers = new AtomicInteger();

  private boolean closed;

  protected MemberCommunicator(Bootstrap ranks, Topology topology, AbortState fate) {
    this(ranks, topology, fate, "");
  }

  /**
   * One of several communicators of a bootstrap.
   *
   * @param prefix of the names of its steps
   */
  protected MemberCommunicator(Bootstrap ranks, Topology topology, AbortState fate, String prefix) {
    this.ranks = ranks;
    this.topology = topology;
    this.fate = fate;
    this.prefix = prefix;
  }

  @Override
  public final int rank() {
    return ranks.rank();
  }

  @Override
  public final int world() {
    return ranks.world();
  }

  @Override
  public final Topology topology() {
    return topology;
  }

  /** The group with which this rank exchanges small messages. */
  protected final Bootstrap ranks() {
    return ranks;
  }

  /** Whether the world was aborted. */
  protected final AbortState fate() {
    return fate;
  }

  /**
   * This rank's part of a window that is being created.
   *
   * @param peers the peers that this rank named
   * @param given the buffer that is this rank's part; empty if the machine allocates one
   * @param undo the steps that closing the window runs, or that a failed creation runs
   */
  protected abstract WindowSetup.Part<Window> part(
      WindowSpec spec, Team peers, long generation, Optional<WindowPart> given, UndoStack undo);

  /** Zeroed memory of this rank alone, which runs {@code onClose} when it is closed. */
  protected abstract LocalBuffer allocate(long bytes, Runnable onClose);

  /**
   * The application's memory as a buffer of this rank, which runs {@code onClose} when it is
   * closed.
   */
  protected abstract LocalBuffer register(UserMemory memory, Runnable onClose);

  /**
   * Runs code in lanes of this rank, as {@link Communicator#lanes} says, in a world that was not
   * aborted.
   */
  protected abstract void run(int count, Executor threads, Lane.Code code) throws TimeoutException;

  /** Frees the resources of the rank's membership. */
  protected abstract void leave();

  @Override
  public final Window window(WindowSpec spec, Team peers) {
    return make(spec, peers, Optional.empty());
  }

  @Override
  public final Window window(WindowSpec spec, Team peers, LocalBuffer part) {
    return make(spec, peers, Optional.of(part));
  }

  private Window make(WindowSpec spec, Team peers, Optional<LocalBuffer> given) {
    requireMember();
    long generation = ++windows;
    UndoStack undo = new UndoStack();
    // Every rank makes its part, also one that is refused next: parts count what they exchange.
    WindowSetup.Part<Window> part =
        new Named(
            spec, given, part(spec, peers, generation, given.flatMap(WindowPart::ifPart), undo));
    return fate.during(() ->
        WindowSetup.make(
            ranks, step(generation), spec, topology, peers, given.isPresent(), part, undo));
  }

  private String step(long generation) {
    return prefix + "window " + generation;
  }

  /**
   * Waits until all ranks close a window.
   *
   * @param how this rank closes it; the call fails if ranks differ
   */
  protected final void meet(long generation, String how) {
    ranks.barrier(step(generation) + ": close" + how);
  }

  /** Waits until all ranks have unmapped the memory of callers, which they may then free. */
  protected final void unmapped(long generation) {
    ranks.barrier(step(generation) + ": unmapped");
  }

  /** A part of a window whose name is unique among the open windows. */
  private final class Named implements WindowSetup.Part<Window> {
    private final WindowSpec spec;
    private final Optional<LocalBuffer> given;
    private final WindowSetup.Part<Window> part;

    Named(WindowSpec spec, Optional<LocalBuffer> given, WindowSetup.Part<Window> part) {
      this.spec = spec;
      this.given = given;
      this.part = part;
    }

    @Override
    public byte[] allocate(UndoStack undo) {
      if (open.contains(spec.name())) {
        throw new MachineException(
            "window is open: name=%s; close it first, or choose another name"
                .formatted(spec.name()));
      }
      given.ifPresent(buffer -> hold(WindowPart.of(buffer), undo));
      return part.allocate(undo);
    }

    /** The buffer stays open as long as the window; it is released after its mappings are. */
    private void hold(WindowPart buffer, UndoStack undo) {
      long bytes = spec.data().of(rank());
      if (buffer.bytes() != bytes) {
        throw new MachineException(
            "memory of another size: window=%s, rank=%d, bytes=%d, part=%d; make a buffer of as many bytes as the window gives this rank"
                .formatted(spec.name(), rank(), buffer.bytes(), bytes));
      }
      undo.add(buffer.use().hold(spec.name()));
      if (bytes > 0 && buffer.address() % ALIGNMENT != 0) {
        throw new MachineException(
            "memory is not aligned: window=%s, rank=%d, address=%d, alignment=%d; begin at a multiple"
                .formatted(spec.name(), rank(), buffer.address(), ALIGNMENT));
      }
    }

    @Override
    public void connect(RdmaPeers reached) {
      part.connect(reached);
    }

    @Override
    public Window open(List<byte[]> exports, RdmaPeers reached, UndoStack undo) {
      Window window = part.open(exports, reached, undo);
      open.add(spec.name());
      undo.add(() -> open.remove(spec.name()));
      return window;
    }
  }

  @Override
  public final LocalBuffer buffer(long bytes) {
    return counted(onClose -> allocate(bytes, onClose));
  }

  @Override
  public final LocalBuffer buffer(UserMemory memory) {
    return counted(onClose -> register(memory, onClose));
  }

  /**
   * A buffer that must be closed before the rank leaves.
   *
   * @param making creates the buffer, given the action to run when it is closed
   */
  protected final LocalBuffer counted(Function<Runnable, LocalBuffer> making) {
    requireMember();
    LocalBuffer buffer = making.apply(buffers::decrementAndGet);
    buffers.incrementAndGet();
    return buffer;
  }

  @Override
  public final void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException {
    requireMember();
    fate.refuse(null);
    run(count, threads, code);
  }

  @Override
  public final Abort abort(String cause) {
    return fate.abort(new Abort(rank(), cause));
  }

  @Override
  public final Optional<Abort> aborted() {
    return fate.aborted();
  }

  /** Throws if the rank has left. */
  private void requireMember() {
    if (closed) {
      throw new MachineException("communicator is closed: rank=" + rank() + "; join again");
    }
  }

  @Override
  public final void close() {
    if (!open.isEmpty() || buffers.get() > 0) {
      throw new MachineException(
          "windows or buffers are still open: rank=%d, windows=%s, buffers=%d; close them first"
              .formatted(rank(), open, buffers.get()));
    }
    if (!closed) {
      closed = true;
      leave();
    }
  }
}
