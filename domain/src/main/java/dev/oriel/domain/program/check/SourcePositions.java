package dev.oriel.domain.program.check;

import dev.oriel.domain.program.TextPosition;
import java.util.IdentityHashMap;
import java.util.Optional;

/** A parsed form together with the text positions of its parts. */
public final class SourcePositions {
  private final IdentityHashMap<Object, TextPosition> positions = new IdentityHashMap<>();

  /** A form without a text: its parts have no position. */
  static SourcePositions none() {
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
