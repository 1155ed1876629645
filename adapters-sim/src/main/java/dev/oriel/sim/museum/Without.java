package dev.oriel.sim.museum;

/**
 * How the text of an exhibit reads where something that its program models itself is left out:
 * {@code M10: 1 << 27 => 0}.
 */
public record Without(Need need, String old, String replacement) {

  static Without parse(String text) {
    int colon = text.indexOf(": ");
    int arrow = text.indexOf(" => ");
    if (colon < 0 || arrow < colon) {
      throw new IllegalArgumentException(
          "no replacement: without=%s; write 'M10: old words => new words'".formatted(text));
    }
    return new Without(
        Need.valueOf(text.substring(0, colon)),
        text.substring(colon + 2, arrow),
        text.substring(arrow + 4));
  }

  /** The text so changed, behind what it begins with. */
  String in(String text) {
    int program = text.indexOf("\nform ");
    if (text.indexOf(old, program) < 0) {
      throw new IllegalArgumentException(
          "words that are not there: without=%s, words=%s; write them as the program does"
              .formatted(need, old));
    }
    return text.substring(0, program) + text.substring(program).replace(old, replacement);
  }
}
