package dev.oriel.it.options;

import java.math.BigInteger;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Reads and checks numbers of options. */
public final class OptionNumbers {
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

  public static void atLeast(CommandSpec spec, String option, long least, long value) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(),
          "number out of range: option=%s, value=%d, min=%d; give %d or more"
              .formatted(option, value, least, least));
    }
  }
}
