package dev.oriel.sim.museum;

/**
 * A replacement in an exhibit's text that removes a feature which its program models itself: {@code
 * M10: 1 << 27 => 0}.
 */
public record FeatureRemoval(RequiredFeature need, String old, String replacement) {

  static FeatureRemoval parse(String text) {
    int colon = text.indexOf(": ");
    int arrow = text.indexOf(" => ");
    if (colon < 0 || arrow < colon) {
      throw new IllegalArgumentException(
          "no replacement: without=%s; write 'M10: old words => new words'".formatted(text));
    }
    return new FeatureRemoval(
        RequiredFeature.valueOf(text.substring(0, colon)),
        text.substring(colon + 2, arrow),
        text.substring(arrow + 4));
  }

  /** The text with the replacement in the program; the header is unchanged. */
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
