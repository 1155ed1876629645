package dev.oriel.sim.machine.memo;

import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.util.Arrays;

/**
 * The states of a search by their depth, each as the versions of its parts. A few numbers take the
 * place of all arrays, since the memo keeps a version once, however many states it is in.
 */
public final class VersionStack {
  /** The old numbers and twice as many: both exist while there is made room. */
  private static final int WHILE_GROWING = 3;

  private final StepMemo memo;
  private int[] numbers = {};

  public VersionStack(StepMemo memo) {
    this.memo = memo;
  }

  /** How many numbers a state takes. */
  public int width() {
    return memo.width();
  }

  /** Adds the current state to a fingerprint. */
  public void digest(Fingerprint into) {
    memo.digest(into);
  }

  /** Saves the current state as the one of that depth. */
  public void save(int depth) {
    int needed = Math.multiplyExact(depth + 1, width());
    if (needed > numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(needed, 2 * numbers.length));
    }
    memo.save(numbers, depth * width());
  }

  /** Returns to the state of that depth. */
  public void restore(int depth) {
    memo.restore(numbers, depth * width());
  }

  /** Bytes of one state. */
  public long bytes() {
    return (long) Integer.BYTES * width();
  }

  /** Bytes of all states if one more is saved at that depth, without the versions. */
  public long footprint(int depth) {
    return WHILE_GROWING * Math.max((long) Integer.BYTES * numbers.length, (depth + 1) * bytes());
  }

  /** Bytes of versions and of recorded steps, which all states share. */
  public long sharedBytes() {
    return Long.BYTES * memo.words();
  }
}
