package dev.oriel.it;

import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Members;
import java.util.Objects;

/** Members of objects, which must be there. */
public final class JsonPart {
  private JsonPart() {}

  public static JsonValue member(JsonValue of, String name) {
    return Objects.requireNonNull(((Members) of).members().get(name), name);
  }
}
