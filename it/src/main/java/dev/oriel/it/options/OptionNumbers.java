package dev.oriel.it.options;

import java.math.BigInteger;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Reads and checks numbers of options. */
public final class OptionNumbers {
  /** Each is 1,024 times the one before. */
  private static final List<String> UNITS = List.of("KiB", "MiB", "GiB");

  private OptionNumbers() {}

  /** Parses a whole number whose magnitude is at most {@code most}. */
  public static long whole(String text, long most) {
    BigInteger number;
    try {
      number = new BigInteger(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("not a number: value=%s; give a whole one".formatted(text));
    }
    if (number.abs().compareTo(BigInteger.valueOf(most)) > 0) {
      throw new TypeConversionException(
          "number out of range: value=%s, max=%d; give one in between".formatted(text, most));
    }
    return number.longValueExact();
  }

  /**
   * Parses a whole number, or a size with a unit, as a program's text has it: {@code 64KiB}.
   *
   * @throws NumberFormatException if it is neither, or has more than 64 bits
   */
  static long size(String text) {
    for (int unit = 0; unit < UNITS.size(); unit++) {
      if (text.endsWith(UNITS.get(unit))) {
        long digits = Long.parseLong(text.substring(0, text.length() - UNITS.get(unit).length()));
        long bytes = 1L << (10 * (unit + 1));
        if (Math.multiplyHigh(digits, bytes) != (digits * bytes) >> (Long.SIZE - 1)) {
          throw new NumberFormatException("more than 64 bits: " + text);
        }
        return digits * bytes;
      }
    }
    return Long.parseLong(text);
  }

  public static void atLeast(CommandSpec spec, String option, long least, long value) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(),
          "number out of range: option=%s, value=%d, min=%d; give %d or more"
              .formatted(option, value, least, least));
    }
  }
}
