package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Op;
import java.util.List;

/** A change of the parts of an operation; the default changes nothing. */
public interface OperationRewrite {

  /** The replacement of {@code value}, which has the role {@code part}. */
  default <T> T part(OperationPart<T> part, T value) {
    return value;
  }

  /** The replacement of a block inside the operation. */
  default List<Op> block(List<Op> ops) {
    return ops;
  }
}
