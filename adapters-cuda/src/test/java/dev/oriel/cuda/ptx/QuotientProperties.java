package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The steps that {@link ValueCode} prints for a quotient of FP32 by way of FP64 make its bits. */
class QuotientProperties {
  private static float byReciprocal(float left, float right) {
    double reciprocal = 1.0 / right;
    double product = left * reciprocal;
    double rest = Math.fma(-product, right, left);
    double corrected = Math.fma(rest, reciprocal, product);
    return (float) (rest < 0 || rest > 0 ? corrected : product);
  }

  private static void same(int left, int right) {
    float x = Float.intBitsToFloat(left);
    float y = Float.intBitsToFloat(right);
    assertThat(Float.floatToIntBits(byReciprocal(x, y)))
        .as("%08x / %08x", left, right)
        .isEqualTo(Float.floatToIntBits(x / y));
  }

  @Property(tries = 20_000)
  void ofAllPatterns(@ForAll int left, @ForAll int right) {
    same(left, right);
  }

  /** Denormal results of operands with few bits, where half of the last place is common. */
  @Property(tries = 20_000)
  void ofTies(
      @ForAll int left,
      @ForAll int right,
      @ForAll @IntRange(max = 20) int small,
      @ForAll @IntRange(min = 130, max = 153) int large) {
    same((left & 0x80700000) | (small << 23), (right & 0x80700000) | (large << 23));
  }
}
