package dev.oriel.domain.mscclpp;

import dev.oriel.domain.program.Operator;
import dev.oriel.domain.window.Epoch;
import java.util.Optional;

/**
 * A number of a lane as a function of the launch's number e: {@code slope * e + even} in even
 * launches, {@code slope * e + odd} in odd ones.
 *
 * @param flag whether it is the packet flag of that number
 */
record LaunchValue(long slope, long even, long odd, boolean flag) {
  /** The launch's number. */
  static final LaunchValue LAUNCH = new LaunchValue(1, 0, 0, false);

  LaunchValue(long slope, long even, long odd) {
    this(slope, even, odd, false);
  }

  static LaunchValue of(long value) {
    return new LaunchValue(0, value, value);
  }

  /** Whether it is the same in all launches. */
  boolean constant() {
    return slope == 0 && alike() && !flag;
  }

  /** Whether one formula holds in even and odd launches. */
  boolean alike() {
    return even == odd;
  }

  /** The packet flag that counts launches, which is the only one that an execution plan has. */
  boolean countsLaunches() {
    return slope == 1 && even == 0 && odd == 0;
  }

  /** The packet flag of this counter. */
  LaunchValue nonZero() {
    return slope == 0
        ? new LaunchValue(0, Epoch.nz32(even), Epoch.nz32(odd))
        : new LaunchValue(slope, even, odd, true);
  }

  /** Empty if the result has no such formula. */
  static Optional<LaunchValue> apply(Operator operator, LaunchValue a, LaunchValue b) {
    if (a.flag || b.flag) {
      return Optional.empty();
    }
    if (a.slope == 0 && b.slope == 0) {
      return Optional.of(
          new LaunchValue(0, operator.apply(a.even, b.even), operator.apply(a.odd, b.odd)));
    }
    return switch (operator) {
      case ADD -> Optional.of(new LaunchValue(a.slope + b.slope, a.even + b.even, a.odd + b.odd));
      case SUB -> Optional.of(new LaunchValue(a.slope - b.slope, a.even - b.even, a.odd - b.odd));
      case MUL ->
          b.constant()
              ? Optional.of(a.times(b.even))
              : a.constant() ? Optional.of(b.times(a.even)) : Optional.empty();
      case SHL ->
          b.constant() && b.even >= 0 && b.even < Integer.SIZE
              ? Optional.of(a.times(1L << b.even))
              : Optional.empty();
      case DIV -> b.constant() ? a.over(b.even) : Optional.empty();
      case SHR ->
          b.constant() && b.even >= 0 && b.even < Integer.SIZE && a.positive()
              ? a.over(1L << b.even)
              : Optional.empty();
      case MOD -> b.constant() ? a.mod(b.even) : Optional.empty();
      case AND ->
          b.constant() && Long.bitCount(b.even + 1) == 1 ? a.mod(b.even + 1) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private LaunchValue times(long factor) {
    return new LaunchValue(slope * factor, even * factor, odd * factor);
  }

  private boolean positive() {
    return slope >= 0 && even >= -slope && odd >= -slope;
  }

  private Optional<LaunchValue> over(long divisor) {
    return divisor > 0 && slope % divisor == 0
        ? Optional.of(
            new LaunchValue(
                slope / divisor, Math.floorDiv(even, divisor), Math.floorDiv(odd, divisor)))
        : Optional.empty();
  }

  /** Two launches further the number must be the same, modulo the divisor. */
  private Optional<LaunchValue> mod(long divisor) {
    return divisor > 0 && 2 * slope % divisor == 0
        ? Optional.of(
            new LaunchValue(0, Math.floorMod(even, divisor), Math.floorMod(slope + odd, divisor)))
        : Optional.empty();
  }
}
