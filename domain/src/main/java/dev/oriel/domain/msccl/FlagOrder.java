package dev.oriel.domain.msccl;

import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Scope;

/**
 * The memory order of the flag with which a block announces a step to the other blocks of its GPU.
 * Nothing else differs: the counters of connections release and acquire in both.
 */
public enum FlagOrder {
  /** The flag is stored with release and read with acquire, in the scope of the GPU. */
  INTENDED(Order.RELEASE, Order.ACQUIRE, Scope.GPU),

  /**
   * As runtimes store and read it between GPUs that map each other's memory: volatile, which PTX
   * executes as relaxed in the scope of the system. Data may then arrive after the flag.
   */
  AS_WRITTEN(Order.RELAXED, Order.RELAXED, Scope.SYS);

  private final Order stored;
  private final Order read;
  private final Scope scope;

  FlagOrder(Order stored, Order read, Scope scope) {
    this.stored = stored;
    this.read = read;
    this.scope = scope;
  }

  Order stored() {
    return stored;
  }

  Order read() {
    return read;
  }

  Scope scope() {
    return scope;
  }
}
