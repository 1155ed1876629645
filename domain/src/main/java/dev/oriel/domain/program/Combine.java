package dev.oriel.domain.program;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;

/** What a move makes of its sources. */
public sealed interface Combine {

  /** The bytes of the only source. */
  Combine COPY = new Copy();

  /** See {@link #COPY}. */
  record Copy() implements Combine {}

  /** Element by element, the sources in their written order, held in {@code accumulator}. */
  record Reduce(ReduceOp op, DataType type, DataType accumulator) implements Combine {}

  /**
   * What a hook makes of one region for each of its sources; bytes are those of its outputs.
   *
   * @param told what the hook reads and only this application knows
   */
  record Apply(HookForm hook, Told told) implements Combine {
    /** Of a hook that reads nothing of that kind. */
    public Apply(HookForm hook) {
      this(hook, Told.NOTHING);
    }

    /** The hook with what it is told in place of the words for it. */
    public HookForm toldHook() {
      return hook.told(told);
    }
  }
}
