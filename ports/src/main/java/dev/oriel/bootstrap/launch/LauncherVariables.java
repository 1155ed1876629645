package dev.oriel.bootstrap.launch;

import dev.oriel.bootstrap.BoundedText;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Environment variables, with blank ones treated as absent, and the wording when they are invalid.
 */
record LauncherVariables(Map<String, String> all) {
  Optional<String> text(String name) {
    return Optional.ofNullable(all.get(name)).map(String::strip).filter(s -> !s.isEmpty());
  }

  Optional<String> first(String... names) {
    return Arrays.stream(names).map(this::text).flatMap(Optional::stream).findFirst();
  }

  boolean has(String name) {
    return text(name).isPresent();
  }

  OptionalInt number(String name, int least, int most) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      int value = Integer.parseInt(text.get());
      if (value >= least && value <= most) {
        return OptionalInt.of(value);
      }
    } catch (NumberFormatException e) {
      // Reported below, with the allowed range.
    }
    throw bad(
        "launch variable out of range",
        "allowed="
            + least
            + ".."
            + (most == Integer.MAX_VALUE ? "" : most)
            + "; set it to such a number",
        name);
  }

  /** An error that shows the named variables as they are. */
  IllegalArgumentException bad(String what, String rest, String... names) {
    String shown =
        Arrays.stream(names)
            .distinct()
            .map(name ->
                name + "=" + text(name).map(v -> BoundedText.bounded(v, 200)).orElse("(unset)"))
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException(what + ": " + shown + ", " + rest);
  }
}
