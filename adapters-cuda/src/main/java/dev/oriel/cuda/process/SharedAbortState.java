package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.SharedPages;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.AbortState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The fate of a world whose ranks may be processes, in a page of each. The first rank to abort
 * decides it for all, by one word. A rank that finds another process gone aborts in its name.
 *
 * <pre>
 * | of rank 0: the deciding rank, plus 1 | of each: rank | bytes of the cause | the cause |
 * </pre>
 */
public final class SharedAbortState implements AbortState {
  /** The mesh's instance number for membership: a rank that leaves this instance is not lost. */
  private static final int MEMBERS = 0;

  private static final int BYTES = 4096;
  private static final int WHO = 0;
  private static final int RANK = 8;
  private static final int LENGTH = 16;
  private static final int TEXT = 24;

  /** How often connections are checked; the word is checked at each poll. */
  private static final long TURN = Duration.ofMillis(1).toNanos();

  private final int rank;
  private final ProcessMesh mesh;
  private final List<SharedPages> pages;
  private final Clock clock;
  private volatile long turn;

  /** Held while pages are read; {@link #leave} ends such reads before the pages are unmapped. */
  private final ReentrantReadWriteLock mapped = new ReentrantReadWriteLock();

  private boolean member = true;
  private Optional<Abort> last = Optional.empty();

  private SharedAbortState(int rank, ProcessMesh mesh, List<SharedPages> pages, Clock clock) {
    this.rank = rank;
    this.mesh = mesh;
    this.pages = pages;
    this.clock = clock;
    turn = clock.nanos();
  }

  /**
   * Collective: the fate of all ranks of the mesh.
   *
   * @param owned receives the pages
   */
  public static SharedAbortState of(
      Bootstrap ranks, ProcessMesh mesh, Clock clock, ResourceStack owned) {
    mesh.open(MEMBERS);
    owned.add(() -> mesh.forget(MEMBERS));
    List<SharedPages> pages =
        new MemoryExchange<>(ranks, mesh, SharedPages.MAKER)
            .map("fate", MEMBERS, Collections.nCopies(ranks.world(), (long) BYTES), owned);
    return new SharedAbortState(ranks.rank(), mesh, pages, clock);
  }

  @Override
  public synchronized Abort abort(Abort mine) {
    mapped.readLock().lock();
    try {
      Optional<Abort> before = recorded();
      if (before.isPresent() || !member) {
        return before.orElse(mine);
      }
      byte[] text = cut(mine.cause().getBytes(StandardCharsets.UTF_8));
      SharedPages own = pages.get(rank);
      own.set(RANK, mine.rank());
      own.set(LENGTH, text.length);
      own.write(TEXT, text);
      pages.getFirst().decide(WHO, rank + 1L);
      return recorded().orElseThrow();
    } finally {
      mapped.readLock().unlock();
    }
  }

  /** As much of a long text as fits, in whole characters. */
  private static byte[] cut(byte[] text) {
    int length = Math.min(text.length, BYTES - TEXT);
    while (length < text.length && (text[length] & 0xC0) == 0x80) {
      length--;
    }
    return Arrays.copyOf(text, length);
  }

  @Override
  public Optional<Abort> aborted() {
    Optional<Abort> found;
    boolean due;
    mapped.readLock().lock();
    try {
      found = recorded();
      due = found.isEmpty() && member && due();
    } finally {
      mapped.readLock().unlock();
    }
    return due ? mesh.ended(MEMBERS).map(end -> abort(new Abort(end.rank(), end.cause()))) : found;
  }

  private boolean due() {
    long now = clock.nanos();
    boolean due = now - turn >= 0;
    if (due) {
      turn = now + TURN;
    }
    return due;
  }

  /** To be called while {@link #mapped} is held. */
  private Optional<Abort> recorded() {
    if (!member) {
      return last;
    }
    long who = pages.getFirst().get(WHO);
    return who == 0 ? Optional.empty() : Optional.of(said(who - 1));
  }

  private Abort said(long by) {
    long length = by < 0 || by >= pages.size() ? -1 : pages.get((int) by).get(LENGTH);
    if (length < 0 || length > BYTES - TEXT) {
      throw new MachineException(
          "abort cannot be read: by=%d, bytes=%d; run one version on all ranks"
              .formatted(by, length));
    }
    SharedPages theirs = pages.get((int) by);
    String cause = new String(theirs.read(TEXT, (int) length), StandardCharsets.UTF_8);
    return new Abort((int) theirs.get(RANK), cause);
  }

  /** Leaves the world: the end of this process is no loss for the others from now on. */
  public void leave() {
    mapped.writeLock().lock();
    try {
      if (!member) {
        return;
      }
      last = recorded();
    } finally {
      // Also if the abort is unreadable: the pages are unmapped next.
      boolean left = member;
      member = false;
      mapped.writeLock().unlock();
      if (left) {
        mesh.leave(MEMBERS);
      }
    }
  }
}
