package dev.oriel.domain.mscclpp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Operator;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class LaunchValueProperties {
  private static long at(LaunchValue value, long launch) {
    return value.slope() * launch + (launch % 2 == 0 ? value.even() : value.odd());
  }

  /** Numbers of lanes are no less than zero, but for differences of them. */
  private static boolean fits(LaunchValue value) {
    for (long launch = 1; launch < 12; launch++) {
      if (at(value, launch) < 0) {
        return false;
      }
    }
    return true;
  }

  @Property
  void anOperationGivesItsResultInEveryLaunch(
      @ForAll Operator operator,
      @ForAll @IntRange(min = -3, max = 6) int slope,
      @ForAll @IntRange(min = -8, max = 40) int even,
      @ForAll @IntRange(min = -8, max = 40) int odd,
      @ForAll @IntRange(min = 0, max = 3) int otherSlope,
      @ForAll @IntRange(min = 1, max = 9) int other) {
    LaunchValue a = new LaunchValue(slope, even, odd);
    LaunchValue b = new LaunchValue(otherSlope, other, other);
    Optional<LaunchValue> made = LaunchValue.apply(operator, a, b);
    boolean signless = operator != Operator.SHR || fits(a);
    if (made.isPresent() && signless) {
      for (long launch = 1; launch < 12; launch++) {
        assertThat(at(made.get(), launch))
            .as("%s %s %s in launch %d", a, operator, b, launch)
            .isEqualTo(operator.apply(at(a, launch), at(b, launch)));
      }
    }
  }

  @Property
  void whatDependsOnTheLaunchOtherwiseHasNoValue(@ForAll @IntRange(min = 3, max = 50) int divisor) {
    assertThat(LaunchValue.apply(Operator.MOD, LaunchValue.LAUNCH, LaunchValue.of(divisor)))
        .isEmpty();
    assertThat(LaunchValue.apply(Operator.MOD, LaunchValue.LAUNCH, LaunchValue.of(2)))
        .contains(new LaunchValue(0, 0, 1));
  }
}
