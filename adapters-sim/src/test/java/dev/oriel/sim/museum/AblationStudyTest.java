package dev.oriel.sim.museum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.measure.Sampled;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A finding needs its own detector and the listed features, and nothing else. */
class AblationStudyTest {

  static Stream<CaseStudy> shown() {
    return CaseStudyCatalogue.read().exhibits().stream().filter(e -> e.showcase().isPresent());
  }

  @ParameterizedTest
  @MethodSource("shown")
  @Sampled(every = 5)
  void needsExactlyTheListedFeatures(CaseStudy exhibit) {
    assertThat(AblationStudy.of(exhibit).complaints()).as(exhibit.id()).isEmpty();
  }

  @Test
  void aFeatureListedInVainIsDetected() {
    assertThat(
            AblationStudy.of(
                    CaseStudyFixtures.with("B35", "-- needs: M1 M18", "-- needs: M1 M2 M18"))
                .complaints())
        .containsExactly("found as well without what it needs: need=M2");
    assertThat(
            AblationStudy.of(
                    CaseStudyFixtures.with("B35", "-- needs: M1 M18", "-- needs: M1 M10 M18"))
                .complaints())
        .containsExactly("needs what nothing leaves out: need=M10; drop it, or say without");
  }

  @Test
  void anUnlistedFeatureIsDetected() {
    assertThat(
            AblationStudy.of(CaseStudyFixtures.with("B35", "-- needs: M1 M18", "-- needs: M18"))
                .complaints())
        .containsExactly("needs more than it says: need=M1");
  }

  @Test
  void wordsMissingInTheTextAreRejected() {
    assertThatThrownBy(() ->
            CaseStudyFixtures.with(
                "B35", "-- finds: race", "-- without: M10: no => such\n-- finds: race"))
        .hasMessageContaining("words that are not there");
  }
}
