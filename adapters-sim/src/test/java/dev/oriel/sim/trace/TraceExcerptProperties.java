package dev.oriel.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The events that an excerpt always contains, and its size. */
class TraceExcerptProperties {

  @Property(tries = 300)
  void excerptContainsTheFailureAndItsCauses(
      @ForAll long seed,
      @ForAll @IntRange(max = 200) int events,
      @ForAll @IntRange(max = 99) int n) {
    TraceRecording recording = SampleTraces.random(seed, events);
    BitSet kept = new TraceExcerpt(recording, n).kept();
    recording
        .failure()
        .ifPresent(failure -> {
          for (int event : failure.events()) {
            for (int e = event; e >= 0; e = recording.events().get(e).cause()) {
              assertThat(kept.get(e)).as("event %d", e).isTrue();
            }
          }
        });
  }

  @Property(tries = 300)
  void otherEventsFillTheLimitExactly(
      @ForAll long seed,
      @ForAll @IntRange(max = 200) int events,
      @ForAll @IntRange(max = 99) int n) {
    TraceExcerpt excerpt = new TraceExcerpt(SampleTraces.random(seed, events), n);
    int pinned = excerpt.pinned().cardinality();
    assertThat(excerpt.kept().cardinality()).isEqualTo(Math.min(events, Math.max(n, pinned)));
    assertThat(excerpt.note().isEmpty()).isEqualTo(excerpt.kept().cardinality() == events);
  }

  @Example
  void theNoteCountsOmittedEvents() {
    assertThat(new TraceExcerpt(SampleTraces.random(1, 100), 40).note())
        .startsWith("left out: 60 of 100 events; shown are ");
    assertThat(new TraceExcerpt(SampleTraces.race(), 21).note()).isEmpty();
  }

  @Example
  void eventsNearTheFailureComeFirst() {
    TraceRecording ring = SampleTraces.ring(16, true);
    int read = ring.failure().orElseThrow().events().get(1);
    int lane = ring.events().get(read).actor();
    BitSet kept = new TraceExcerpt(ring, 30).kept();
    int own = 0;
    for (int i = read - 1; own < 3; i--) {
      if (ring.events().get(i).actor() == lane) {
        assertThat(kept.get(i)).isTrue();
        own++;
      }
    }
    assertThat(kept.get(0)).isTrue();
    assertThat(kept.get(ring.events().size() - 1)).isTrue();
  }
}
