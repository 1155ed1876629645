package dev.oriel.domain.program;

import java.util.IdentityHashMap;
import java.util.Optional;

/** The text positions of the parts of a parsed form. */
public final class SourcePositions {
  private final IdentityHashMap<Object, TextPosition> positions = new IdentityHashMap<>();

  /** A form without a text: its parts have no position. */
  public static SourcePositions none() {
    return new SourcePositions();
  }

  /** Records the part's position, and returns the part. */
  public <T> T mark(T part, TextPosition position) {
    positions.put(part, position);
    return part;
  }

  /** The position of that very object (not an equal one). */
  public Optional<TextPosition> position(Object part) {
    return Optional.ofNullable(positions.get(part));
  }
}
