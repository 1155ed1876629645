package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Op;
import java.util.List;

/** What becomes of the parts of an operation; by itself, nothing. */
public interface Rewrite {

  /** What stands instead of {@code value}, which plays the role {@code part}. */
  default <T> T part(Part<T> part, T value) {
    return value;
  }

  /** What stands instead of a block inside the operation. */
  default List<Op> block(List<Op> ops) {
    return ops;
  }
}
