package dev.oriel.domain.measure;

import java.util.Arrays;

/**
 * Whether the tests check every case, or a sample of them. {@code mvn verify} takes the sample,
 * which is the same in every build; {@code mvn verify -Pthorough} takes every case.
 */
public final class Thorough {
  /** True in the profile {@code thorough}, which sets {@code -Doriel.thorough=true}. */
  public static final boolean ON = Boolean.getBoolean("oriel.thorough");

  private Thorough() {}

  /** The number of cases to draw. */
  public static int count(int sample, int all) {
    return ON ? all : sample;
  }

  /** The same for executions, states and other large numbers. */
  public static long count(long sample, long all) {
    return ON ? all : sample;
  }

  /**
   * Whether to check this case of a large product, such as of worlds, programs and sizes: one in
   * {@code every}, spread over the product by a hash of the case's parts.
   */
  public static boolean takes(int every, Object... made) {
    return ON || Math.floorMod(mixed(Arrays.toString(made).hashCode()), every) == 0;
  }

  private static int mixed(int hash) {
    int h = hash * 0x9E3779B9;
    return h ^ (h >>> 16);
  }
}
