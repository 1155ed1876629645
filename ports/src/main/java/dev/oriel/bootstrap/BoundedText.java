package dev.oriel.bootstrap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.stream.Collectors;

/** Text of bounded length on one line, for messages that combine texts of several ranks. */
public final class BoundedText {
  private static final int SHOWN_RANKS = 16;

  private BoundedText() {}

  /** {@code text} cut at a code point so that it takes at most {@code maxBytes} of UTF-8. */
  public static String bounded(String text, int maxBytes) {
    StringBuilder kept = new StringBuilder();
    int bytes = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int point = printable(text.codePointAt(i));
      bytes += width(point);
      if (bytes > maxBytes) {
        break;
      }
      kept.appendCodePoint(point);
    }
    return kept.toString();
  }

  static byte[] utf8(String text, int maxBytes) {
    return bounded(text, maxBytes).getBytes(StandardCharsets.UTF_8);
  }

  /** The remaining bytes as text on one line. */
  static String of(ByteBuffer bytes) {
    String text = StandardCharsets.UTF_8.decode(bytes).toString();
    return bounded(text, Integer.MAX_VALUE);
  }

  /** The first few ranks, and how many there are when that is more. */
  static String ranks(Collection<Integer> ranks) {
    String shown =
        ranks.stream()
            .sorted()
            .limit(SHOWN_RANKS)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return ranks.size() <= SHOWN_RANKS
        ? "[" + shown + "]"
        : "[" + shown + ", ... " + ranks.size() + " in all]";
  }

  private static int printable(int point) {
    boolean lone = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    return lone ? '?' : Character.isISOControl(point) ? ' ' : point;
  }

  private static int width(int point) {
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
}
