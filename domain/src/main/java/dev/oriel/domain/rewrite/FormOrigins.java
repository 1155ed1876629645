package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Op;
import java.util.List;
import java.util.Map;

/**
 * Where the parts of a changed form come from: for each lane the number of each operation in the
 * lane before the change, and the same for the post-conditions; {@link #ADDED} for an operation
 * that the change adds. Numbers count from 0, an operation before those of its blocks.
 */
public record FormOrigins(Map<String, List<Integer>> operations, List<Integer> ensures) {
  /** The origin of an operation that the form did not have before. */
  public static final int ADDED = -1;

  public FormOrigins {
    operations = Map.copyOf(operations);
    ensures = List.copyOf(ensures);
  }

  /** The number of operations, those inside of blocks included. */
  static int size(List<Op> ops) {
    return ops.stream()
        .mapToInt(op -> 1 + PartTraversal.blocks(op).stream().mapToInt(FormOrigins::size).sum())
        .sum();
  }
}
