package dev.oriel.domain.handing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Compares the rules of counts with slots that really hold requests. */
class ProxyRingProperties {
  enum Act {
    POST,
    TAKE,
    REPORT
  }

  @Property(tries = 500)
  void countsDetermineTheContentsOfSlots(
      @ForAll @IntRange(min = 1, max = 4) int slots,
      @ForAll boolean wraps,
      @ForAll @Size(max = 60) List<Act> acts) {
    long first = wraps ? Long.MAX_VALUE - 3 : 0;
    long posted = first;
    long taken = first;
    long done = first;
    Queue<Long> waiting = new ArrayDeque<>();
    Queue<Long> under = new ArrayDeque<>();
    for (Act act : acts) {
      assertThat(ProxyRing.hasRoom(posted, done, slots))
          .isEqualTo(waiting.size() + under.size() < slots);
      assertThat(ProxyRing.waits(posted, taken)).isEqualTo(!waiting.isEmpty());
      assertThat(ProxyRing.believable(posted, taken, done, slots)).isTrue();
      assertThat(ProxyRing.believable(done + slots + 1, taken, done, slots)).isFalse();
      assertThat(ProxyRing.believable(taken - 1, taken, done, slots)).isFalse();
      if (act == Act.POST && waiting.size() + under.size() < slots) {
        waiting.add(posted++);
      } else if (act == Act.TAKE && !waiting.isEmpty()) {
        under.add(waiting.remove());
        taken++;
      } else if (act == Act.REPORT && !under.isEmpty()) {
        assertThat(under.remove()).isEqualTo(done++);
      }
    }
  }
}
