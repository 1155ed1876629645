package dev.oriel.it.words;

import java.util.List;
import java.util.stream.Collectors;

/** Words of a command line as a shell takes them. */
public final class ShellWords {
  private ShellWords() {}

  /** One word, quoted if a shell would change it. */
  public static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=,+@%^-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** All of them, with spaces between. */
  public static String line(List<String> words) {
    return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
  }
}
