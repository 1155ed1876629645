package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ibverbs.fabric.VerbsRemote;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Clock;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Fate;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A world's fate, in memory of rank 0 that all ranks are connected with, as rank 0 is with itself:
 * one word that says which rank aborted first, and a row of text for each.
 *
 * <p>Who aborts writes its text, and then exchanges the word if it is still 0; all do so through
 * one interface, to which that is one step. Whoever reads the word therefore finds the text. Rank 0
 * need not do anything for that. Others look every now and then; once rank 0 is gone a rank knows
 * what it knew.
 *
 * <pre>
 * 0     1 + the rank that aborted first, or 0
 * 8     rows by rank: length of the text, text
 * </pre>
 */
final class Board implements Fate {
  private static final int ROW = 512;
  private static final int TEXT = ROW - Long.BYTES;
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(1);

  /** Looking takes a ninth of the time at most, however slow the device is. */
  private static final int SHARE = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Where in the scratch memory {@link Placing} may write, who comes whenever its peer answers. */
  static final int SCRATCH_READ = Long.BYTES;

  /** Where a row lies in the scratch memory, behind both words. */
  private static final int SCRATCH_ROW = 2 * Long.BYTES;

  private final Turns turns;
  private final VerbsRemote board;
  private final VerbsMemory scratch;
  private final int world;
  private final Clock clock;
  private Optional<Abort> first = Optional.empty();
  private boolean gone;

  /** When to look again. */
  private long next;

  /**
   * @param scratch {@link #scratch} bytes
   */
  Board(Turns turns, VerbsRemote board, VerbsMemory scratch, int world, Clock clock) {
    this.turns = turns;
    this.board = board;
    this.scratch = scratch;
    this.world = world;
    this.clock = clock;
    this.next = clock.nanos();
  }

  /** The memory of rank 0. */
  static VerbsMemory memory(VerbsFabric fabric, int world) {
    return fabric.allocate(Long.BYTES + (long) world * ROW);
  }

  /** The memory of each rank for what it reads and writes there. */
  static VerbsMemory scratch(VerbsFabric fabric) {
    return fabric.allocate(SCRATCH_ROW + ROW);
  }

  private static long row(int rank) {
    return Long.BYTES + (long) rank * ROW;
  }

  @Override
  public Abort abort(Abort mine) {
    return turns.locked(() -> first(mine));
  }

  private Abort first(Abort mine) {
    Optional<Abort> known = known();
    if (known.isPresent()) {
      return known.get();
    }
    Abort told = new Abort(mine.rank(), cut(mine.cause()));
    first = Optional.of(told);
    if (!gone) {
      try {
        first = Optional.of(arbitrated(told));
      } catch (MachineException | TimeoutException e) {
        // Rank 0 is lost: nobody can be told, so the own cause is what counts here.
        gone = true;
      }
    }
    return first.get();
  }

  private Abort arbitrated(Abort mine) throws TimeoutException {
    byte[] text = mine.cause().getBytes(StandardCharsets.UTF_8);
    ByteBuffer row = ByteBuffer.allocate(ROW).order(ByteOrder.LITTLE_ENDIAN);
    scratch.write(SCRATCH_ROW, row.putLong(text.length).put(text).array());
    board.put(row(mine.rank()), scratch, SCRATCH_ROW, ROW);
    board.compareSwap(0, 0, 1 + mine.rank(), scratch, 0);
    board.flush(PATIENCE);
    long before = scratch.wordAcquire(0);
    return before == 0 ? mine : told(before);
  }

  /** As much of a text as a row has room for. */
  private static String cut(String cause) {
    String text = cause;
    while (text.getBytes(StandardCharsets.UTF_8).length > TEXT) {
      text = text.substring(0, text.offsetByCodePoints(text.length(), -1));
    }
    return text;
  }

  @Override
  public Optional<Abort> aborted() {
    return turns.locked(this::known);
  }

  private Optional<Abort> known() {
    long begin = clock.nanos();
    if (first.isEmpty() && !gone && begin - next >= 0) {
      look();
      long end = clock.nanos();
      next = end + Math.max(PERIOD, SHARE * (end - begin));
    }
    return first;
  }

  private void look() {
    try {
      board.get(0, scratch, 0, Long.BYTES);
      board.flush(PATIENCE);
      long word = scratch.wordAcquire(0);
      if (word != 0) {
        first = Optional.of(told(word));
      }
    } catch (MachineException | TimeoutException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e instanceof MachineException interrupted
            ? interrupted
            : new MachineException("interrupted: rank 0 was asked", e);
      }
      gone = true;
    }
  }

  private Abort told(long word) throws TimeoutException {
    if (word < 1 || word > world) {
      throw new MachineException(
          "no rank can have aborted: word=%d, world=%d; see who writes rank 0's memory"
              .formatted(word, world));
    }
    int rank = (int) word - 1;
    board.get(row(rank), scratch, SCRATCH_ROW, ROW);
    board.flush(PATIENCE);
    int length = Math.clamp(scratch.wordAcquire(SCRATCH_ROW), 0, TEXT);
    byte[] text = scratch.read(SCRATCH_ROW + Long.BYTES, length);
    return new Abort(rank, new String(text, StandardCharsets.UTF_8));
  }
}
