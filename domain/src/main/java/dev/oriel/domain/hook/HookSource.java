package dev.oriel.domain.hook;

import dev.oriel.domain.data.DataType;

/** An array that a hook reads: its element type, and the map from outputs to elements. */
public record HookSource(DataType type, IndexMap map) {

  /** A source whose element i belongs to output i. */
  public static HookSource of(DataType type) {
    return new HookSource(type, IndexMap.IDENTITY);
  }
}
