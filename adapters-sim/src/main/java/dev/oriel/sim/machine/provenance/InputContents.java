package dev.oriel.sim.machine.provenance;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.PassedWords;
import dev.oriel.domain.program.Space;
import dev.oriel.sim.code.ComparedValues;
import dev.oriel.sim.code.WorldCode;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The contents of inputs: the bytes of {@link InputPattern}, with exceptions. Words of an input
 * that lanes load, or that select rows for a hook, are small, and as {@link InputWords} allows. So
 * sizes and counts in memory take all kinds of values. In launches 2 to 5 each word is zero once,
 * the largest value once, and once next to one of these, since programs differ there. Provenance is
 * the same as for other bytes.
 *
 * <p>This is draw 0. In each later draw a word has one of the values that matter to the lanes.
 * These are the ends of the allowed range, all values where they are few, and {@link
 * ComparedValues}. In a round of as many draws as there are such values, each word has each of
 * them. Rounds combine values differently: after as many rounds as values, neighbouring words have
 * had every pair, and a word with as many values has had every pair in launches 1 and 2. After as
 * many rounds as the square of its values, a word has had every three values in launches 1 to 3.
 *
 * <p>The words of a uniform input are those of rank 0 on every rank.
 *
 * <p>A caller may also choose one of {@link #TURNS} turns for a launch: all words of that launch
 * are then those of another launch of draw 0, on all ranks. In a negative draw the turns of the
 * first launches are fixed.
 */
public final class InputContents {
  /** The largest word of draw 0; in later draws, the largest that is in no comparison. */
  private static final int MOST = 128;

  /** Up to this number of values, all are drawn. */
  private static final int FEW = 64;

  private static final int ANY = -1;

  /** The turn of a launch whose words follow from its number. */
  public static final int BY_LAUNCH = -1;

  /** How many turns there are: one for each place of a word among its values. */
  public static final int TURNS = 4;

  private static final int TURN_BITS = 2;

  /**
   * The first launches, whose turns fit into a negative draw. In later launches all words have the
   * first turn.
   */
  public static final int CHOSEN = (Long.SIZE - 1) / TURN_BITS;

  /** The order of a word's turns: zero, the largest value, any value, and one next to an end. */
  private static final int[] ORDER = {0, 2, 1, 3};

  private final int buffers;
  private final long draw;
  private final int round;
  private final int roundOfAll;

  /** Whether the words of a buffer are the same on every rank. */
  private final boolean[] uniform;

  /** For each buffer of each rank: the largest word, and the bytes of the widest load. */
  private final int[] most;

  private final int[] width;

  /** For each buffer of each rank: the values that its words have in turn. */
  private final long[][] values;

  /**
   * Whether lanes read the words of a buffer only where its bytes were brought, see {@link
   * PassedWords}. In draw 0 they are random bytes.
   */
  private final boolean[] passed;

  public InputContents(WorldCode code, long draw) {
    this.draw = draw;
    buffers = code.form().buffers().size();
    uniform = new boolean[buffers];
    for (int b = 0; b < buffers; b++) {
      uniform[b] = code.form().buffers().get(b).space() == Space.UNIFORM;
    }
    most = new int[code.world() * buffers];
    Arrays.fill(most, ANY);
    width = new int[most.length];
    values = new long[most.length][0];
    List<Map<String, InputWords>> words = InputWords.of(code.ranks().getFirst().program());
    Set<Long> compared = null;
    for (int r = 0; r < code.world(); r++) {
      int first = r * buffers;
      for (var entry : words.get(r).entrySet()) {
        InputWords own = entry.getValue();
        int b = first + code.form().bufferIndex(entry.getKey());
        compared = compared == null ? ComparedValues.of(code) : compared;
        most[b] = (int) Math.min(own.most(), MOST);
        width[b] = own.width();
        values[b] = values(own, compared);
      }
    }
    round = Arrays.stream(values).mapToInt(all -> all.length).max().orElse(0);
    passed = new boolean[buffers];
    Map<String, Integer> inputs = PassedWords.of(code.form());
    Set<Long> read = inputs.isEmpty() ? Set.of() : passed(code);
    for (var entry : inputs.entrySet()) {
      int buffer = code.form().bufferIndex(entry.getKey());
      for (int b = buffer; b < most.length; b += buffers) {
        if (most[b] == ANY) {
          passed[buffer] = true;
          width[b] = entry.getValue();
          values[b] = values(new InputWords(entry.getValue(), MOST, false), read);
        }
      }
    }
    roundOfAll = Arrays.stream(values).mapToInt(all -> all.length).max().orElse(0);
  }

  /** Values that flags have in the first launches, and those that lanes compare or wait for. */
  private static Set<Long> passed(WorldCode code) {
    Set<Long> values = new LinkedHashSet<>(Arrays.asList(2L, 3L));
    values.addAll(ComparedValues.of(code));
    return values;
  }

  /**
   * The values of words, as unsigned numbers. Where there are too many, the last are left out. The
   * largest narrow word without a bound is not among them, since it may count the turns of a loop.
   */
  private static long[] values(InputWords words, Set<Long> compared) {
    long small = Math.min(words.most(), MOST);
    boolean whole = words.bounded() || words.width() == Long.BYTES;
    long end = whole ? words.largest() : small;
    Set<Long> values = new LinkedHashSet<>(Arrays.asList(0L, 1L, end, end - 1, small, small - 1));
    for (long value = 0;
        value < FEW && Long.compareUnsigned(end, FEW) < 0 && value <= end;
        value++) {
      values.add(value);
    }
    values.addAll(compared);
    long[] all =
        values.stream()
            .filter(value -> Long.compareUnsigned(value, words.largest()) <= 0)
            .limit(FEW)
            .sorted(Long::compareUnsigned)
            .mapToLong(Long::longValue)
            .toArray();
    // An odd number, so that words at distance two have every pair of values, too.
    return all.length % 2 == 1 ? all : Arrays.copyOf(all, all.length + 1);
  }

  /** How many draws give each word that lanes load each of its values; 0 if they load none. */
  public int round() {
    return round;
  }

  /** The same, also for words that lanes read only where they were brought. */
  public int roundOfAll() {
    return roundOfAll;
  }

  /** Whether all bytes of the buffer are words that lanes load, on every rank. */
  public boolean areWords(int buffer) {
    boolean all = true;
    for (int b = buffer; b < most.length; b += buffers) {
      all &= most[b] != ANY;
    }
    return all;
  }

  /** The turn of that launch, counted from 0, in a number that holds the turns of all. */
  public static int turn(long turns, long launch) {
    return launch < CHOSEN ? (int) (turns >>> (TURN_BITS * launch)) & (TURNS - 1) : 0;
  }

  /** The same number with that turn for a launch that had none. */
  public static long with(long turns, long launch, int turn) {
    return launch < CHOSEN ? turns | (long) turn << (TURN_BITS * launch) : turns;
  }

  /** The draw in which so many launches have those turns. */
  public static long draw(long turns, int launches) {
    long chosen = launches < CHOSEN ? turns & (1L << (TURN_BITS * launches)) - 1 : turns;
    return -1 - chosen;
  }

  /** The byte at that place: its value in the low 8 bits, its origin above. */
  public long at(int rank, long launch, int buffer, long offset) {
    return at(rank, launch, BY_LAUNCH, buffer, offset);
  }

  /** The same with the words of that turn, or with those of the launch. */
  public long at(int rank, long launch, int turn, int buffer, long offset) {
    long octet = InputPattern.at(rank, launch, buffer, offset);
    int b = rank * buffers + buffer;
    if (most[b] == ANY && !(draw > 0 && passed[buffer])) {
      return octet;
    }
    int of = uniform[buffer] ? 0 : rank;
    long number = offset / width[b];
    int at = (int) (offset % width[b]);
    // The words of the launches after the first one take all their turns.
    int chosen = turn == BY_LAUNCH && draw < 0 ? turn(-1L - draw, launch) : turn;
    long as = chosen == BY_LAUNCH ? launch : chosen + 1L;
    long word =
        draw > 0
            ? drawn(of, as, b, number)
            : at > 0
                ? 0
                : word(
                    turn(of, as, buffer, number),
                    InputPattern.bits(of, as, buffer, offset),
                    most[b]);
    return (octet & TaggedBytes.ORIGIN) | (word >>> (Byte.SIZE * at) & 0xFF);
  }

  /** Each draw advances by one; each round changes the distance of words, ranks and launches. */
  private long drawn(int rank, long launch, int b, long word) {
    int count = values[b].length;
    long before = (draw - 1) / roundOfAll;
    long turn =
        draw - 1 + distance(launch, before, count) + (before + 1) * word + (2 * before + 1) * rank;
    return values[b][(int) Long.remainderUnsigned(turn, count)];
  }

  /**
   * How far words of so many values advance until that launch: by one a launch, and by the digits
   * of the round's number to that base. So rounds have every sequence of distances.
   *
   * @param launch counted from 0
   */
  private static long distance(long launch, long round, int count) {
    long distance = launch;
    long digits = round;
    for (long i = 0; i < launch && digits > 0; i++) {
      distance += digits % count;
      digits /= count;
    }
    return distance;
  }

  /**
   * A word takes all its turns in launches 2 to 5; two consecutive ranks together do so in 2 and 3.
   * The first launch and later groups of four begin anywhere, which combines other words.
   *
   * @param launch counted from 0
   */
  private static int turn(int rank, long launch, int buffer, long word) {
    long four = (launch - 1) >>> 2;
    long first = four == 0 ? 0 : InputPattern.bits(rank, four, buffer, word);
    long step = ORDER[(int) ((launch - 1) & 3)];
    return (int) ((first + rank + 2 * word + buffer + step) & 3);
  }

  private static long word(int turn, long bits, int most) {
    return switch (turn) {
      case 0 -> 0;
      case 1 -> most;
      case 2 -> bits % (most + 1);
      default -> Math.min(most, bits % 2 == 0 ? 1 : Math.max(0, most - 1));
    };
  }
}
