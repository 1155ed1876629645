package dev.oriel.sim.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class EventQueueProperties {
  private record Event(long time, long number, int what) {}

  @Property
  void eventsAreOrderedByTimeAndThenByInsertion(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 5000) int spread) {
    SplittableRandom random = new SplittableRandom(seed);
    EventQueue queue = new EventQueue();
    PriorityQueue<Event> expected =
        new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
    long now = 0;
    int used = 0;
    PriorityQueue<Integer> unused = new PriorityQueue<>();
    for (int i = 0; i < 3000; i++) {
      if (expected.isEmpty() || random.nextInt(100) < (i < 1500 ? 60 : 40)) {
        int what = unused.isEmpty() ? used++ : unused.remove();
        long time = now + random.nextInt(spread);
        queue.add(time, what);
        expected.add(new Event(time, i, what));
      } else {
        Event event = expected.remove();
        assertThat(queue.earliest()).isEqualTo(event.time());
        assertThat(queue.remove()).isEqualTo(event.what());
        unused.add(event.what());
        now = event.time();
      }
    }
    assertThat(queue.isEmpty()).isEqualTo(expected.isEmpty());
  }

  @Property(tries = 100)
  void keysKeepTheirNumbers(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LongIndex index = new LongIndex();
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = 0; i < 5000; i++) {
      long key = random.nextBoolean() ? (long) random.nextInt(64) << random.nextInt(58) : i;
      assertThat(index.find(key)).isEqualTo(expected.getOrDefault(key, -1));
      expected.putIfAbsent(key, expected.size());
      int number = expected.get(key);
      assertThat(index.of(key)).isEqualTo(number);
      assertThat(index.key(number)).isEqualTo(key);
    }
  }
}
