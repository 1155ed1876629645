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
import java.util.function.Supplier;

/**
 * A world's fate, in memory of rank 0 that all ranks are connected with, as rank 0 is with itself:
 * one word that says which rank aborted first, and a row of text for each.
 *
 * <p>Who aborts writes its text, and then exchanges the word if it is still 0; all do so through
 * one interface, to which that is one step. Whoever reads the word therefore finds the text. Rank 0
 * need not do anything for that. Others look every now and then, and none waits for rank 0 to
 * answer: what was asked is picked up by whoever comes next. Once rank 0 is gone a rank knows what
 * it knew.
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

  /** What a question is made of, at most. */
  private static final int REQUESTS = 2;

  /** Where in the scratch memory {@link Placing} may write, who comes whenever its peer answers. */
  static final int SCRATCH_READ = Long.BYTES;

  /** Where a row lies in the scratch memory, behind both words. */
  private static final int SCRATCH_ROW = 2 * Long.BYTES;

  /** What rank 0 was asked and has not answered yet. */
  private enum Asked {
    NOTHING,
    /** For the word. */
    LOOK,
    /** To exchange the word for the own number. */
    CLAIM,
    /** For the text of who aborted. */
    TEXT,
    /** Nobody answers any more. */
    GONE
  }

  private final Turns turns;
  private final VerbsRemote board;
  private final VerbsMemory scratch;
  private final int world;
  private final Clock clock;
  private Optional<Abort> first = Optional.empty();
  private Asked asked = Asked.NOTHING;

  /** The number of what was asked, and since when. */
  private long last;

  private long since;

  /** Who aborted, as long as its text is asked for; what this rank claims, as long as it does. */
  private int aborting;

  private String cause = "";

  /** What stands in the word, if no rank can have written it. */
  private Optional<String> garbage = Optional.empty();

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

  /**
   * {@inheritDoc}
   *
   * @throws MachineException if the thread is interrupted: others may have been told
   */
  @Override
  public Abort abort(Abort mine) {
    Abort told = new Abort(mine.rank(), cut(mine.cause()));
    turns.await(
        () -> decided(told),
        () ->
            "rank 0 was told of an abort and has not answered: rank=%d, cause=%s; ask who aborted"
                .formatted(told.rank(), told.cause()));
    return turns.locked(() -> first.orElseThrow());
  }

  private boolean decided(Abort mine) {
    if (first.isEmpty() && asked == Asked.NOTHING) {
      ask(() -> claim(mine));
    }
    pickUp();
    if (first.isEmpty() && asked == Asked.GONE) {
      // Nobody can be told, so the own cause is what counts here.
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

  /** Where there is no room for it, somebody asks later. */
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

  /** Takes what has been answered by now, and asks what follows from it. */
  private void pickUp() {
    garbage.ifPresent(Board::refuse);
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
      if (clock.nanos() - since > PATIENCE.toNanos()) {
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
          "no rank can have aborted: word=%d, world=%d; see who writes rank 0's memory"
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
