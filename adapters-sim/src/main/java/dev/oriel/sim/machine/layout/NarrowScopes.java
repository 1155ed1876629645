package dev.oriel.sim.machine.layout;

import java.util.Arrays;

/**
 * Signals, or words, of which a lane may find a message although the scopes of the two do not reach
 * one another. It is a mistake unless the lane knows the message by other means, and of an older
 * message it may know while it does not of a newer one: so an await of such a word tries every
 * value that satisfies it. More words than need be may be taken for such ones, never fewer.
 */
final class NarrowScopes {
  private static final int NONE = Integer.MAX_VALUE;

  /**
   * The narrowest scope of changes by other ranks and by requests, by this rank's lanes, of reads.
   */
  private final int[] far;

  private final int[] near;
  private final int[] read;

  NarrowScopes(int count) {
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
    return reads
        && (changesFar || (near[at] < NONE && Math.min(near[at], read[at]) < MachineModel.NEAR));
  }
}
