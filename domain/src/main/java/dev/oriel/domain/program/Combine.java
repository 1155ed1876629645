package dev.oriel.domain.program;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;

/** The computation of a move on its sources. */
public sealed interface Combine {

  /** The bytes of the only source. */
  Combine COPY = new Copy();

  /** See {@link #COPY}. */
  record Copy() implements Combine {}

  /** Element by element, the sources in their written order, held in {@code accumulator}. */
  record Reduce(ReduceOp op, DataType type, DataType accumulator) implements Combine {}

  /**
   * The outputs of a hook on one region for each of its sources; lengths count output bytes.
   *
   * @param operands the fields that the hook reads and only this application sets
   */
  record Apply(HookForm hook, HookOperands operands) implements Combine {
    /** The application of a hook that reads no such field. */
    public Apply(HookForm hook) {
      this(hook, HookOperands.NOTHING);
    }

    /** The hook with the fields' operands in place of their names. */
    public HookForm boundHook() {
      return hook.with(operands);
    }
  }
}
