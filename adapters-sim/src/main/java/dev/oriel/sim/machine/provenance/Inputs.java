package dev.oriel.sim.machine.provenance;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.sim.code.WorldCode;
import java.util.Arrays;

/**
 * What inputs hold: the bytes of {@link Pattern}. But words of an input that lanes load, or that
 * name rows to a hook, are small, and as {@link InputWords} allows: sizes and counts in memory then
 * take all kinds of values. In its first four launches each of them is nothing once, the most once
 * and next to one of these once, for there programs differ. Where a byte came from is told all the
 * same.
 */
public final class Inputs {
  /** The largest word of all, for it is one byte that tells where it came from. */
  private static final int MOST = 128;

  private static final int ANY = -1;

  /** A word's turns are nothing, the most, any value, and one next to an end; in which order. */
  private static final int[] ORDER = {0, 2, 1, 3};

  private final int buffers;

  /** For each rank's buffer: the largest word, and the bytes of the widest load. */
  private final int[] most;

  private final int[] width;

  public Inputs(WorldCode code) {
    buffers = code.form().buffers().size();
    most = new int[code.world() * buffers];
    Arrays.fill(most, ANY);
    width = new int[most.length];
    for (int r = 0; r < code.world(); r++) {
      int first = r * buffers;
      InputWords.of(code.ranks().get(r))
          .forEach((buffer, words) -> {
            int b = first + code.form().bufferIndex(buffer);
            most[b] = (int) Math.min(words.most(), MOST);
            width[b] = words.width();
          });
    }
  }

  /** The byte at that place: its value in the low 8 bits, above them where it came from. */
  public long at(int rank, long launch, int buffer, long offset) {
    long octet = Pattern.at(rank, launch, buffer, offset);
    int b = rank * buffers + buffer;
    if (most[b] == ANY) {
      return octet;
    }
    long value =
        offset % width[b] == 0
            ? word(
                turn(rank, launch, buffer, offset / width[b]),
                Pattern.bits(rank, launch, buffer, offset),
                most[b])
            : 0;
    return (octet & Octets.ORIGIN) | value;
  }

  /**
   * In its first four launches a word takes all its turns, and in the first two those of two ranks
   * in a row do. Later fours begin anywhere, so that other words meet.
   */
  private static int turn(int rank, long launch, int buffer, long word) {
    long four = (launch - 1) >>> 2;
    long first = four == 0 ? 0 : Pattern.bits(rank, four, buffer, word);
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
