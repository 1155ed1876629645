package dev.oriel.domain.program.check;

import dev.oriel.domain.program.Position;
import java.util.IdentityHashMap;
import java.util.Optional;

/** A parsed form together with the text positions of its parts. */
public final class Source {
  private final IdentityHashMap<Object, Position> positions = new IdentityHashMap<>();

  /** A form without a text: its parts have no position. */
  static Source none() {
    return new Source();
  }

  /** Records the part's position, and returns the part. */
  public <T> T mark(T part, Position position) {
    positions.put(part, position);
    return part;
  }

  /** The position of that very object (not an equal one). */
  public Optional<Position> position(Object part) {
    return Optional.ofNullable(positions.get(part));
  }
}
