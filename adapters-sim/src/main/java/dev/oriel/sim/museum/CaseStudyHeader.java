package dev.oriel.sim.museum;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The comments at the beginning of an exhibit: {@code -- key: value}, and {@code -- more} where a
 * value continues. The reader removes each value that it uses; unused ones are refused.
 */
final class CaseStudyHeader {
  private static final String COMMENT = "-- ";
  private static final String MORE = "--   ";

  private record Entry(String key, String value) {}

  private final String file;
  private final List<Entry> entries = new ArrayList<>();

  CaseStudyHeader(String file, String text) {
    this.file = file;
    for (String line : text.lines().takeWhile(l -> l.startsWith(COMMENT)).toList()) {
      add(line);
    }
  }

  private void add(String line) {
    if (line.startsWith(MORE) && !entries.isEmpty()) {
      Entry last = entries.removeLast();
      entries.add(new Entry(last.key, last.value + " " + line.substring(MORE.length()).strip()));
      return;
    }
    int colon = line.indexOf(": ");
    if (colon < 0 || line.startsWith(MORE)) {
      throw wrong("no key", "line=" + line, "write '-- key: value'");
    }
    String value = line.substring(colon + 2).strip();
    entries.add(new Entry(line.substring(COMMENT.length(), colon), value));
  }

  boolean has(String key) {
    return entries.stream().anyMatch(e -> e.key.equals(key));
  }

  /** Every value of that key, in order. */
  List<String> all(String key) {
    List<String> values =
        entries.stream().filter(e -> e.key.equals(key)).map(Entry::value).toList();
    entries.removeIf(e -> e.key.equals(key));
    return values;
  }

  /** The value of a key that occurs exactly once. */
  String one(String key) {
    List<String> values = all(key);
    if (values.size() != 1) {
      throw wrong(
          "not there once", "key=%s, count=%d".formatted(key, values.size()), "write it once");
    }
    return values.getFirst();
  }

  /** The value of a key that may be missing. */
  String one(String key, String otherwise) {
    return has(key) ? one(key) : otherwise;
  }

  /** The words of a value. */
  List<String> words(String key) {
    return List.of(one(key).split(" +", -1));
  }

  /** Refuses values that nothing used. */
  void end() {
    if (!entries.isEmpty()) {
      Set<String> left = entries.stream().map(Entry::key).collect(Collectors.toSet());
      throw wrong("unknown or out of place", "keys=" + left, "see README.txt beside it");
    }
  }

  IllegalArgumentException wrong(String what, String facts, String fix) {
    return new IllegalArgumentException(
        "exhibit: %s: file=%s, %s; %s".formatted(what, file, facts, fix));
  }
}
