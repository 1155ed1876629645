package dev.oriel.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The events that an excerpt always contains, and its size. */
class ExcerptProperties {

  @Property(tries = 300)
  void excerptContainsTheFailureAndItsCauses(
      @ForAll long seed,
      @ForAll @IntRange(max = 200) int events,
      @ForAll @IntRange(max = 99) int n) {
    Recording recording = Recordings.random(seed, events);
    BitSet kept = new Excerpt(recording, n).kept();
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
    Excerpt excerpt = new Excerpt(Recordings.random(seed, events), n);
    int pinned = excerpt.pinned().cardinality();
    assertThat(excerpt.kept().cardinality()).isEqualTo(Math.min(events, Math.max(n, pinned)));
    assertThat(excerpt.note().isEmpty()).isEqualTo(excerpt.kept().cardinality() == events);
  }

  @Example
  void theNoteCountsOmittedEvents() {
    assertThat(new Excerpt(Recordings.random(1, 100), 40).note())
        .startsWith("left out: 60 of 100 events; shown are ");
    assertThat(new Excerpt(Recordings.race(), 21).note()).isEmpty();
  }

  @Example
  void eventsNearTheFailureComeFirst() {
    Recording ring = Recordings.ring(16, true);
    int read = ring.failure().orElseThrow().events().get(1);
    int lane = ring.events().get(read).actor();
    BitSet kept = new Excerpt(ring, 30).kept();
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
