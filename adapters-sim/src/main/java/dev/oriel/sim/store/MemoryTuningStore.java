package dev.oriel.sim.store;

import dev.oriel.ports.TuningStore;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Retains configurations until the process ends. */
public final class MemoryTuningStore implements TuningStore {
  private final Map<String, String> kept = new ConcurrentHashMap<>();

  @Override
  public Optional<String> find(String key) {
    return Optional.ofNullable(kept.get(check("key", key)));
  }

  @Override
  public void keep(String key, String configuration) {
    kept.put(check("key", key), check("configuration", configuration));
  }

  private static String check(String what, String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "bad length: what=%s, characters=%d; use 1 to %d"
              .formatted(what, text.length(), MAX_LENGTH));
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException(
          "malformed text: what=%s, characters=%d; pair its surrogates"
              .formatted(what, text.length()));
    }
    return text;
  }
}
