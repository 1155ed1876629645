package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.ranks.RetryVerdicts;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rank code that tries again whenever a wait times out, on a machine that counts quiescence
 * wrongly. The right result follows from the code alone: an endless loop of tries is a livelock,
 * and a sum of short waits that is less than a long wait does not let the long one time out.
 */
class RetryMutantsTest {
  @ParameterizedTest
  @Sampled(every = 3)
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          endless ONE_WAITS_MUCH_LONGER                             | QuiescenceCounter | times.merge(now, 1L, Long::sum); | ;
          endless LOOKS_A_FEW_TIMES_FIRST                           | QuiescenceCounter | return !looked.add(now);         | return false;
          finite PEER_WAITS_LONGER_AND_IS_SERVED_AFTER_WRITES       | QuiescenceCounter | machine.memory(state, print);    | ;
          finite PEER_WAITS_LONGER_AND_IS_SERVED_AFTER_OTHER_WAITS  | QuiescenceCounter | guide.describe(lane, print);     | ;
          finite PEER_WAITS_LONGER_AND_IS_SERVED                    | QuiescenceCounter | times.clear();                   | ;
          """)
  void wrongCountIsNoticed(String code, String file, String line, String becomes) throws Exception {
    String right = code.startsWith("endless") ? "livelock" : "none";
    assertThat(new RetryVerdicts().apply(code)).isEqualTo(right);
    UnaryOperator<String> changed =
        MutantLoader.battery(MutantLoader.Engine.RETRIES, new EngineMutant(file, line, becomes));
    assertThat(changed.apply(code)).isNotEqualTo(right);
  }
}
