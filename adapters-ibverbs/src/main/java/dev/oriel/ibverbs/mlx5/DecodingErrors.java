package dev.oriel.ibverbs.mlx5;

import dev.oriel.ports.MachineException;
import java.util.Locale;

/** Makes the refusals of bytes that cannot be decoded. */
final class DecodingErrors {
  private DecodingErrors() {}

  static MachineException field(String what, String field, long value, String remedy) {
    return new MachineException(
        String.format(
            Locale.ROOT, "%s not readable: field=%s, value=0x%x; %s", what, field, value, remedy));
  }

  /** Refuses a number that its field cannot hold. */
  static void requireBits(String field, long value, int bits) {
    if (value < 0 || value >= 1L << bits) {
      throw new MachineException(
          String.format(
              Locale.ROOT,
              "number too large for its field: field=%s, value=%d, bits=%d; use 0 to %d",
              field,
              value,
              bits,
              (1L << bits) - 1));
    }
  }
}
