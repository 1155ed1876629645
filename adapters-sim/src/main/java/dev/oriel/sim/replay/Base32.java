package dev.oriel.sim.replay;

/**
 * Numbers as characters: digits and lower-case letters without i, l, o and u, which are easily
 * mistaken for others. Every number has exactly one spelling.
 *
 * <p>A variable-length number has four bits to a character, the lowest first. The characters g to z
 * mean that more characters follow. So 0 to 15 are one hexadecimal digit each.
 */
final class Base32 {
  static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int MORE = 16;
  private static final int LONGEST = 8;

  private Base32() {}

  static void append(StringBuilder out, int number) {
    int rest = number;
    while (rest >= MORE) {
      out.append(ALPHABET.charAt(MORE | (rest & (MORE - 1))));
      rest >>>= 4;
    }
    out.append(ALPHABET.charAt(rest));
  }

  /** Writes that many characters of five bits each, the highest first. */
  static String fixed(long bits, int characters) {
    StringBuilder out = new StringBuilder();
    for (int i = characters - 1; i >= 0; i--) {
      out.append(ALPHABET.charAt((int) (bits >>> (5 * i)) & 31));
    }
    return out.toString();
  }

  /** Reads numbers one after another. */
  static final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    boolean more() {
      return at < text.length();
    }

    int number() {
      int start = at;
      long number = 0;
      int digit;
      do {
        if (at == text.length()) {
          throw wrong("number without an end", start, "copy the whole token");
        }
        digit = ALPHABET.indexOf(text.charAt(at));
        if (digit < 0) {
          throw wrong("not a digit", at, "use only " + ALPHABET);
        }
        number |= (long) (digit & (MORE - 1)) << (4 * (at - start));
        at++;
      } while (digit >= MORE && at - start < LONGEST);
      if (digit >= MORE || number > Integer.MAX_VALUE) {
        throw wrong("number too large", start, "use at most " + Integer.MAX_VALUE);
      }
      if (digit == 0 && at - start > 1) {
        throw wrong("number longer than needed", start, "drop its leading zeros");
      }
      return (int) number;
    }

    private ReplayException wrong(String what, int position, String fix) {
      return new ReplayException(
          "%s: position=%d, text=%s; %s"
              .formatted(what, position, ReplayException.shown(text), fix));
    }
  }
}
