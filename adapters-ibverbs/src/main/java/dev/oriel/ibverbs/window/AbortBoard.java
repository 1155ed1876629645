package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ibverbs.fabric.VerbsRemote;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Clock;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.AbortState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A world's fate, in memory of rank 0, with which all ranks are connected, including rank 0 itself:
 * one word that names the rank that aborted first, and a row of text for each rank.
 *
 * <p>A rank that aborts writes its text, and then compares the word with 0 and swaps it. All ranks
 * do so through one interface, for which that is atomic. A rank that reads the word therefore finds
 * the text. Rank 0 takes no action. The other ranks read the word every now and then, and none
 * waits for rank 0's answer: a later call reads it. Once rank 0 is gone, a rank keeps the state
 * that it last read.
 *
 * <pre>
 * 0     1 + the rank that aborted first, or 0
 * 8     rows by rank: length of the text, text
 * </pre>
 */
final class AbortBoard implements AbortState {
  private static final int ROW = 512;
  private static final int TEXT = ROW - Long.BYTES;
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(1);

  /** Reads take at most a ninth of the time, however slow the device is. */
  private static final int SHARE = 8;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** The most requests of one question. */
  private static final int REQUESTS = 2;

  /**
   * The offset in the scratch memory for {@link PlacementTracker}, into which a peer's answer may
   * arrive at any time.
   */
  static final int SCRATCH_READ = Long.BYTES;

  /** The offset of a row in the scratch memory, after both words. */
  private static final int SCRATCH_ROW = 2 * Long.BYTES;

  /** The question to rank 0 that is not answered yet. */
  private enum Asked {
    NOTHING,
    /** Reads the word. */
    LOOK,
    /** Swaps the word for the own number. */
    CLAIM,
    /** Reads the text of the rank that aborted. */
    TEXT,
    /** Rank 0 no longer answers. */
    GONE
  }

  private final FabricMonitor turns;
  private final VerbsRemote board;
  private final VerbsMemory scratch;
  private final int world;
  private final Clock clock;
  private Optional<Abort> first = Optional.empty();
  private Asked asked = Asked.NOTHING;

  /** The number of the last request of the question, and its time. */
  private long last;

  private long since;

  /**
   * The rank that aborted, while its text is read; during a claim, the rank and cause that are
   * claimed.
   */
  private int aborting;

  private String cause = "";

  /** The value of the word in words, if no rank can have written it. */
  private Optional<String> garbage = Optional.empty();

  /** The time of the next read. */
  private long next;

  /**
   * A rank's view of the board.
   *
   * @param scratch {@link #scratch} bytes
   */
  AbortBoard(FabricMonitor turns, VerbsRemote board, VerbsMemory scratch, int world, Clock clock) {
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

  /** The memory of each rank for its reads and writes of rank 0's memory. */
  static VerbsMemory scratch(VerbsFabric fabric) {
    return fabric.allocate(SCRATCH_ROW + ROW);
  }

  private static long row(int rank) {
    return Long.BYTES + (long) rank * ROW;
  }

  /**
   * {@inheritDoc}
   *
   * @throws MachineException if the thread is interrupted; others may already know of the abort
   */
  @Override
  public Abort abort(Abort mine) {
    Abort report = new Abort(mine.rank(), cut(mine.cause()));
    turns.await(
        () -> decided(report),
        () ->
            "rank 0 has not answered the report of an abort: rank=%d, cause=%s; ask which rank aborted"
                .formatted(report.rank(), report.cause()));
    return turns.locked(() -> first.orElseThrow());
  }

  private boolean decided(Abort mine) {
    if (first.isEmpty() && asked == Asked.NOTHING) {
      ask(() -> claim(mine));
    }
    pickUp();
    if (first.isEmpty() && asked == Asked.GONE) {
      // No other rank can be notified: the own cause counts here.
      first = Optional.of(mine);
    }
    return first.isPresent();
  }

  private Asked claim(Abort mine) {
    byte[] text = mine.cause().getBytes(StandardCharsets.UTF_8);
    ByteBuffer row = ByteBuffer.allocate(ROW).order(ByteOrder.LITTLE_ENDIAN);
    scratch.write(SCRATCH_ROW, row.putLong(text.length).put(text).array());
    board.put(row(mine.rank()), scratch, SCRATCH_ROW, ROW);
    board.compareSwap(0, 0, 1 + mine.rank(), scratch, 0);
    aborting = mine.rank();
    cause = mine.cause();
    return Asked.CLAIM;
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
    if (first.isEmpty()) {
      if (asked == Asked.NOTHING && clock.nanos() - next >= 0) {
        ask(this::look);
      }
      pickUp();
    }
    return first;
  }

  private Asked look() {
    board.get(0, scratch, 0, Long.BYTES);
    return Asked.LOOK;
  }

  private Asked text() {
    board.get(row(aborting), scratch, SCRATCH_ROW, ROW);
    return Asked.TEXT;
  }

  /** Asks rank 0; if the queue has no room, a later call asks. */
  private void ask(Supplier<Asked> question) {
    try {
      if (board.room(REQUESTS)) {
        since = clock.nanos();
        asked = question.get();
        last = board.ask();
      }
    } catch (MachineException e) {
      asked = Asked.GONE;
    }
  }

  /** Processes the answers so far, and asks the questions that follow from them. */
  private void pickUp() {
    garbage.ifPresent(AbortBoard::refuse);
    while (isAnswered()) {
      Asked answered = asked;
      asked = Asked.NOTHING;
      switch (answered) {
        case LOOK, CLAIM -> read(answered);
        case TEXT -> first = Optional.of(new Abort(aborting, textRead()));
        case NOTHING, GONE -> {}
      }
    }
  }

  private boolean isAnswered() {
    if (asked == Asked.NOTHING || asked == Asked.GONE) {
      return false;
    }
    try {
      if (board.ended(last)) {
        return true;
      }
      if (clock.nanos() - since > TIMEOUT.toNanos()) {
        asked = Asked.GONE;
      }
    } catch (MachineException e) {
      asked = Asked.GONE;
    }
    return false;
  }

  private void read(Asked answered) {
    long end = clock.nanos();
    next = end + Math.max(PERIOD, SHARE * (end - since));
    long word = scratch.wordAcquire(0);
    if (word == 0) {
      if (answered == Asked.CLAIM) {
        first = Optional.of(new Abort(aborting, cause));
      }
    } else if (word < 1 || word > world) {
      String said =
          "no rank can have aborted: word=%d, world=%d; find the writer of rank 0's memory"
              .formatted(word, world);
      garbage = Optional.of(said);
      refuse(said);
    } else {
      aborting = (int) word - 1;
      ask(this::text);
    }
  }

  private static void refuse(String garbage) {
    throw new MachineException(garbage);
  }

  private String textRead() {
    int length = Math.clamp(scratch.wordAcquire(SCRATCH_ROW), 0, TEXT);
    byte[] text = scratch.read(SCRATCH_ROW + Long.BYTES, length);
    return new String(text, StandardCharsets.UTF_8);
  }
}
