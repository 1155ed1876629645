package dev.oriel.domain.program.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The names that are visible at one point of a form; inner blocks see outer ones, never hide them.
 */
final class NameScopes {

  /** The meaning of a name, which determines where it may be used. */
  enum Meaning {
    /** Known from the world and the parameters. */
    BOUND,
    /** The executing rank. */
    RANK,
    /** Known only while a lane runs. */
    RUNNING,
    /** A persistent word of the lane. */
    STATE
  }

  private final Deque<Map<String, Meaning>> frames = new ArrayDeque<>();

  NameScopes() {
    frames.push(new LinkedHashMap<>());
    declare("n", Meaning.BOUND);
    declare("r", Meaning.RANK);
  }

  void open() {
    frames.push(new LinkedHashMap<>());
  }

  void close() {
    frames.pop();
  }

  void declare(String name, Meaning meaning) {
    frames.element().put(name, meaning);
  }

  Optional<Meaning> find(String name) {
    for (Map<String, Meaning> frame : frames) {
      Meaning meaning = frame.get(name);
      if (meaning != null) {
        return Optional.of(meaning);
      }
    }
    return Optional.empty();
  }

  /** Every visible name, the outermost first, for a message that offers them. */
  List<String> visible() {
    List<String> all = new ArrayList<>();
    frames.descendingIterator().forEachRemaining(frame -> all.addAll(frame.keySet()));
    return all;
  }
}
