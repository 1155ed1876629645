package dev.oriel.sim.machine.provenance;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.sim.code.WorldCode;
import java.util.Arrays;

/**
 * What inputs hold: the bytes of {@link Pattern}. But words of an input that lanes load, or that
 * name rows to a hook, are small, and as {@link InputWords} allows: sizes and counts in memory then
 * take all kinds of values. In three launches each of them is nothing once and the most once, for
 * there programs differ. Where a byte came from is told all the same.
 */
public final class Inputs {
  /** The largest word of all, for it is one byte that tells where it came from. */
  private static final int MOST = 128;

  private static final int ANY = -1;

  /** Nothing, the most, and any value: a word's turns, one a launch. */
  private static final int TURNS = 3;

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
    long value = 0;
    if (offset % width[b] == 0) {
      long turn = launch + (Pattern.at(rank, 0, buffer, offset) >>> Byte.SIZE);
      value = word(turn, octet >>> Byte.SIZE, most[b]);
    }
    return (octet & ~0xFFL) | value;
  }

  private static long word(long turn, long bits, int most) {
    return switch ((int) Long.remainderUnsigned(turn, TURNS)) {
      case 0 -> 0;
      case 1 -> most;
      default -> bits % (most + 1);
    };
  }
}
