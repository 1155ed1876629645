package dev.oriel.bootstrap.launch;

import dev.oriel.bootstrap.BoundedText;

/**
 * The first host of Slurm's compressed list: {@code gpu[03-07,12]-ib,login1} starts with {@code
 * gpu03-ib}. A name may have several bracketed parts; the first number of each is taken as written,
 * zeros included.
 */
final class SlurmNodeList {
  private final String list;
  private int at;

  private SlurmNodeList(String list) {
    this.list = list;
  }

  static String first(String list) {
    return new SlurmNodeList(list.strip()).host();
  }

  private String host() {
    StringBuilder host = new StringBuilder();
    while (at < list.length() && list.charAt(at) != ',') {
      char c = list.charAt(at);
      if (c == '[') {
        host.append(bracket());
      } else if (c == ']' || !namePart(c)) {
        throw bad("unexpected character");
      } else {
        host.append(c);
        at++;
      }
    }
    if (host.isEmpty()) {
      throw bad("no host");
    }
    return host.toString();
  }

  /** Leaves the position after the closing bracket and returns the first number in it. */
  private String bracket() {
    at++;
    String first = "";
    do {
      String low = digits();
      first = first.isEmpty() ? low : first;
      if (peek() == '-') {
        at++;
        String high = digits();
        if (high.length() < low.length()
            || (high.length() == low.length() && high.compareTo(low) < 0)) {
          throw bad("range runs backwards");
        }
      }
    } while (next() == ',');
    if (list.charAt(at - 1) != ']') {
      throw bad("unexpected character in brackets");
    }
    return first;
  }

  private String digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    if (start == at) {
      throw bad("number missing");
    }
    return list.substring(start, at);
  }

  private char peek() {
    return at < list.length() ? list.charAt(at) : '\0';
  }

  private char next() {
    if (at >= list.length()) {
      throw bad("bracket not closed");
    }
    return list.charAt(at++);
  }

  private static boolean namePart(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.';
  }

  private IllegalArgumentException bad(String what) {
    return new IllegalArgumentException(
        "malformed Slurm node list: list=%s, position=%d, reason=%s; set ORIEL_ADDRESS to the host of rank 0"
            .formatted(BoundedText.bounded(list, 200), at, what));
  }
}
