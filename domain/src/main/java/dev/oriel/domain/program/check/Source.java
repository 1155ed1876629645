package dev.oriel.domain.program.check;

import dev.oriel.domain.program.Position;
import java.util.IdentityHashMap;
import java.util.Optional;

/** A parsed form together with where each of its parts stood in the text. */
public final class Source {
  private final IdentityHashMap<Object, Position> positions = new IdentityHashMap<>();

  /** A form that no text describes: its parts have no position. */
  static Source none() {
    return new Source();
  }

  /** Notes where the part stood, and returns it. */
  public <T> T mark(T part, Position position) {
    positions.put(part, position);
    return part;
  }

  /** Where that very object (not an equal one) stood. */
  public Optional<Position> position(Object part) {
    return Optional.ofNullable(positions.get(part));
  }
}
