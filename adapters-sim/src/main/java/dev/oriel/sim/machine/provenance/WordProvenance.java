package dev.oriel.sim.machine.provenance;

import dev.oriel.sim.machine.fingerprint.HashMixer;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * Origins of words in registers, slots and requests. Each word with a byte of known origin has a
 * number; a computed word has 0. A word's bytes determine its number, so states that hold numbers
 * can be compared and kept. The word of a number is never dropped.
 *
 * <p>Bytes that come out of here are marked {@link TaggedBytes#CARRIED}. They keep their origin
 * while the word is as it was read; a computed word has none. Unwritten bytes stay unwritten in a
 * word that was never written. Next to written bytes they count as computed, since a reader of such
 * a word relies on them.
 */
public final class WordProvenance {
  private static final int FIRST_ROOM = 64;

  /** Whether words carry origins; if no post-condition can depend on them, every number is 0. */
  public final boolean on;

  /** The mark of a computed byte. */
  private final long mark;

  /** A hash table of numbers, 0 for a free place, with eight bytes for each. */
  private long[] numbers = new long[FIRST_ROOM];

  private long[] octets = new long[FIRST_ROOM * Long.BYTES];
  private int count;
  private final long[] word = new long[Long.BYTES];

  public WordProvenance(boolean on) {
    this.on = on;
    mark = on ? TaggedBytes.CARRIED : 0;
  }

  /** Bytes of memory for all numbers. */
  public long footprint() {
    return (long) Long.BYTES * (numbers.length + octets.length);
  }

  /** The number of a word that was never written; 0 where words carry no origins. */
  public long unwritten() {
    Arrays.fill(word, 0);
    return on ? number() : 0;
  }

  /** The number of the word of that width at that place. */
  public long of(long[] bytes, int at, int width) {
    if (!on) {
      return 0;
    }
    boolean computed = true;
    boolean unwritten = true;
    for (int i = 0; i < width; i++) {
      computed &= TaggedBytes.computed(bytes[at + i]);
      unwritten &= TaggedBytes.unwritten(bytes[at + i]);
    }
    if (computed) {
      return 0;
    }
    for (int i = 0; i < Long.BYTES; i++) {
      word[i] =
          (i < width ? bytes[at + i] : 0) | (unwritten && i < width ? 0 : TaggedBytes.CARRIED);
    }
    return number();
  }

  /** The number of the word with all its bytes changed in that way. */
  public long changed(long number, LongUnaryOperator change) {
    int place = place(numbers, number);
    if (number == 0 || numbers[place] == 0) {
      return number;
    }
    long changed = 1;
    for (int i = 0; i < Long.BYTES; i++) {
      changed = HashMixer.mix(changed, change.applyAsLong(octets[place * Long.BYTES + i]));
    }
    return changed == 0 ? 1 : changed;
  }

  private long number() {
    long number = 1;
    for (long octet : word) {
      number = HashMixer.mix(number, octet);
    }
    number = number == 0 ? 1 : number;
    int place = place(numbers, number);
    if (numbers[place] == 0) {
      if (2 * ++count > numbers.length) {
        grow();
        place = place(numbers, number);
      }
      numbers[place] = number;
      System.arraycopy(word, 0, octets, place * Long.BYTES, Long.BYTES);
    }
    return number;
  }

  private static int place(long[] numbers, long number) {
    int place = (int) number & (numbers.length - 1);
    while (numbers[place] != 0 && numbers[place] != number) {
      place = (place + 1) & (numbers.length - 1);
    }
    return place;
  }

  private void grow() {
    long[] before = numbers;
    long[] bytes = octets;
    numbers = new long[2 * before.length];
    octets = new long[2 * bytes.length];
    for (int i = 0; i < before.length; i++) {
      if (before[i] != 0) {
        int place = place(numbers, before[i]);
        numbers[place] = before[i];
        System.arraycopy(bytes, i * Long.BYTES, octets, place * Long.BYTES, Long.BYTES);
      }
    }
  }

  /** Writes the lowest bytes of a word with that origin. */
  public void put(long[] bytes, int at, int width, long value, long origin) {
    if (origin == 0) {
      for (int i = 0; i < width; i++) {
        bytes[at + i] = ((value >>> (Byte.SIZE * i)) & 0xFF) | mark;
      }
    } else {
      System.arraycopy(octets, place(numbers, origin) * Long.BYTES, bytes, at, width);
    }
  }
}
