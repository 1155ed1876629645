package dev.oriel.sim.machine.layout;

import java.util.Arrays;

/**
 * Signals, or words, of which a lane may read a message although their scopes do not reach each
 * other. That is a mistake unless the lane is ordered after the message. It may be ordered after an
 * older message and not after a newer one, so an await of such a word tries every value that
 * satisfies it. Too many words may count as narrow.
 *
 * <p>Plain writes are not counted. An await that is not ordered with a plain write of its word is a
 * race, whichever value it finds. An await that is ordered with all of them has one value to find.
 */
final class NarrowScopes {
  private static final int NONE = Integer.MAX_VALUE;

  /**
   * The narrowest scope of changes by other ranks and by requests, by this rank's lanes, of reads.
   */
  private final int[] far;

  private final int[] near;
  private final int[] read;

  /** The scope that reaches every lane of a rank. */
  private final int within;

  /**
   * Scopes of so many signals or words.
   *
   * @param within the scope that reaches every lane of a rank
   */
  NarrowScopes(int count, int within) {
    this.within = within;
    far = MachineModel.filled(count, NONE);
    near = MachineModel.filled(count, NONE);
    read = MachineModel.filled(count, NONE);
  }

  /** Another rank's lane, or a request, changes it. */
  void far(int at, int scope) {
    far[at] = Math.min(far[at], scope);
  }

  /** A lane of the rank that holds it changes it. */
  void near(int at, int scope) {
    near[at] = Math.min(near[at], scope);
  }

  void changed(int at, int scope, int by, int... owners) {
    if (Arrays.stream(owners).anyMatch(owner -> owner != by)) {
      far(at, scope);
    }
    if (Arrays.stream(owners).anyMatch(owner -> owner == by)) {
      near(at, scope);
    }
  }

  void read(int at, int scope) {
    read[at] = Math.min(read[at], scope);
  }

  boolean narrow(int at) {
    boolean reads = read[at] < NONE;
    boolean changesFar = far[at] < NONE && Math.min(far[at], read[at]) < MachineModel.SYS;
    return reads && (changesFar || (near[at] < NONE && Math.min(near[at], read[at]) < within));
  }
}
