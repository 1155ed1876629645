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

  /** What a hook makes of one region for each of its sources; bytes are those of its outputs. */
  record Apply(HookForm hook) implements Combine {}
}
