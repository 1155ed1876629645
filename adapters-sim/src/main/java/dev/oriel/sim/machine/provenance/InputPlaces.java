package dev.oriel.sim.machine.provenance;

import java.util.Arrays;

/**
 * Finds the place of a byte of an input by undoing {@link InputPattern}. It needs no table, so
 * inputs may be of any size. It knows no inputs whose words lanes load: these have other values.
 */
public final class InputPlaces {
  /** The byte is of no input. */
  public static final long NONE = -1;

  private static final int START = 16;

  /** For each input of each launch: the key of its bytes, its length, and its number. */
  private long[] keys = new long[START];

  private int[] lengths = new int[START];
  private long[] numbers = new long[START];
  private int count;
  private final long[] unmixed = new long[InputPattern.UNMIXED];
  private boolean alike;

  /** Adds an input, whose bytes {@link #find} finds with that number. */
  public void add(int rank, long launch, int buffer, int length, long number) {
    if (count == keys.length) {
      keys = Arrays.copyOf(keys, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    keys[count] = InputPattern.key(rank, launch, buffer);
    lengths[count] = length;
    numbers[count++] = number;
  }

  /**
   * The number of the byte's input in the upper 32 bits, its offset in the lower; {@link #NONE} if
   * it is of none.
   */
  public long find(long octet) {
    long found = NONE;
    int words = InputPattern.unmixed(octet, unmixed);
    for (int w = 0; w < words; w++) {
      long word = unmixed[w];
      for (int i = 0; i < count; i++) {
        long offset = InputPattern.offset(word, keys[i]);
        if (offset >= 0 && offset < lengths[i]) {
          alike |= found != NONE;
          found = numbers[i] << Integer.SIZE | offset;
        }
      }
    }
    return found;
  }

  /** Whether a byte was looked for that is at two places: then neither is known. */
  public boolean alike() {
    return alike;
  }
}
