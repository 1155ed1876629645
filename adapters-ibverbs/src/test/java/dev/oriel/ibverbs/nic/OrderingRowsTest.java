package dev.oriel.ibverbs.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.mlx5.ElementFence;
import dev.oriel.ibverbs.mlx5.ElementPayload;
import dev.oriel.ibverbs.mlx5.ElementPayload.Gather;
import dev.oriel.ibverbs.mlx5.SendElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * The outcomes that two ends may observe, under every order that the rules allow. Each test names
 * the outcomes that must be possible; all others must not be.
 */
class OrderingRowsTest {
  private static final Set<RegionPermission> RELAXED = Set.of(RegionPermission.values());

  private final ElementOrdering[] weak = {
    ElementOrdering.RELIABLE, ElementOrdering.RELAXED, ElementOrdering.SCATTERED
  };

  /** Words at 0, 8 and 16 of both ends: 1, 2, 3 at a, 11, 12, 13 at b. */
  private static Set<String> outcomes(
      ElementOrdering ordering,
      Set<RegionPermission> access,
      BiConsumer<End, End> posts,
      BiFunction<End, End, String> look) {
    return EveryOrder.outcomes(choice -> {
      SoftNic nic = new SoftNic(ordering, new NicLimits(4, 1 << 10, 0, 16), what -> {});
      End a = new End(nic, 0x1000, access);
      End b = new End(nic, 0x2000, access);
      a.pair.connect(b.pair);
      for (int i = 0; i < 3; i++) {
        a.set(8 * i, i + 1);
        b.set(8 * i, i + 11);
      }
      posts.accept(a, b);
      a.ring();
      List<String> seen = new ArrayList<>();
      do {
        String now = look.apply(a, b);
        if (seen.isEmpty() || !seen.getLast().equals(now)) {
          seen.add(now);
        }
      } while (nic.step(choice));
      return String.join(" ", seen);
    });
  }

  private static String last(String outcome) {
    return outcome.substring(outcome.lastIndexOf(' ') + 1);
  }

  private static void write(End a, End b, int from, int to) {
    a.fill(h -> new SendElement.Write(h, b.at(to), a.gather(from, 8)));
  }

  private static void read(End a, End b, int from, int to) {
    a.fill(h -> new SendElement.Read(h, b.at(from), a.gather(to, 8)));
  }

  private static String words(End end, int... offsets) {
    StringBuilder text = new StringBuilder();
    for (int offset : offsets) {
      text.append(text.isEmpty() ? "" : ",").append(end.word(offset));
    }
    return text.toString();
  }

  @Test
  void writesToAStrictRegionArriveInOrder() {
    for (ElementOrdering ordering :
        Set.of(ElementOrdering.IN_ORDER, ElementOrdering.RELIABLE, ElementOrdering.RELAXED)) {
      assertThat(
              outcomes(
                  ordering,
                  End.STRICT,
                  (a, b) -> {
                    write(a, b, 0, 0);
                    write(a, b, 8, 8);
                  },
                  (a, b) -> words(b, 0, 8)))
          .containsExactly("11,12 1,12 1,2");
    }
  }

  @Test
  void writesToARelaxedRegionMayBeReordered() {
    BiConsumer<End, End> posts =
        (a, b) -> {
          write(a, b, 0, 0);
          write(a, b, 8, 8);
        };
    BiFunction<End, End, String> look = (a, b) -> words(b, 0, 8);
    assertThat(outcomes(ElementOrdering.RELIABLE, RELAXED, posts, look))
        .containsExactly("11,12 1,12 1,2");
    assertThat(outcomes(ElementOrdering.RELAXED, RELAXED, posts, look))
        .containsExactly("11,12 1,12 1,2", "11,12 11,2 1,2");
    assertThat(outcomes(ElementOrdering.SCATTERED, End.STRICT, posts, look))
        .containsExactly("11,12 1,12 1,2", "11,12 11,2 1,2");
  }

  @Test
  void anAtomicFollowsEveryEarlierWrite() {
    for (ElementOrdering ordering : weak) {
      assertThat(
              outcomes(
                  ordering,
                  RELAXED,
                  (a, b) -> {
                    write(a, b, 0, 0);
                    a.fill(h -> new SendElement.FetchAdd(h, b.at(8), 100, a.gather(16, 8)));
                  },
                  (a, b) -> words(b, 0, 8)))
          .containsExactly("11,12 1,12 1,112");
    }
  }

  @Test
  void theResultOfAnAtomicMayArriveLater() {
    assertThat(
            outcomes(
                ElementOrdering.RELIABLE,
                End.STRICT,
                (a, b) -> a.fill(h -> new SendElement.FetchAdd(h, b.at(8), 100, a.gather(16, 8))),
                (a, b) -> words(b, 8) + "," + words(a, 16)))
        .containsExactly("12,3 112,3 112,12");
  }

  /** A read overtaken by a later write of its source: only the fence forbids it. */
  @Test
  void aReadMayFindALaterWrite() {
    for (ElementFence fence : ElementFence.values()) {
      Set<String> seen =
          outcomes(
              ElementOrdering.RELIABLE,
              End.STRICT,
              (a, b) -> {
                read(a, b, 0, 16);
                a.fill(fence, h -> new SendElement.Write(h, b.at(0), a.gather(0, 8)));
              },
              (a, b) -> words(a, 16));
      assertThat(seen.stream().map(OrderingRowsTest::last))
          .as(fence.name())
          .containsExactlyInAnyOrder(
              fence.ordersReads() ? new String[] {"11"} : new String[] {"1", "11"});
    }
  }

  /** Read into y, write x to z: z may hold the write while y is still old. */
  @Test
  void anAnswerMayArriveAfterALaterWrite() {
    BiFunction<End, End, String> look = (a, b) -> words(a, 16) + "," + words(b, 8);
    assertThat(
            outcomes(
                ElementOrdering.RELIABLE,
                End.STRICT,
                (a, b) -> {
                  read(a, b, 0, 16);
                  write(a, b, 0, 8);
                },
                look))
        .contains("3,12 3,1 11,1");
    assertThat(
            outcomes(
                ElementOrdering.RELIABLE,
                End.STRICT,
                (a, b) -> {
                  read(a, b, 0, 16);
                  a.fill(
                      ElementFence.SMALL_AND_READS,
                      h -> new SendElement.Write(h, b.at(8), a.gather(0, 8)));
                },
                look))
        .containsExactly("3,12 11,12 11,1");
  }

  /** Read y into x, write x to z: without a fence, old x is sent. */
  @Test
  void aWriteMaySendBytesFromBeforeAnEarlierRead() {
    for (boolean fenced : new boolean[] {false, true}) {
      Set<String> seen =
          outcomes(
              ElementOrdering.RELIABLE,
              End.STRICT,
              (a, b) -> {
                read(a, b, 0, 0);
                a.fill(
                    fenced ? ElementFence.READS : ElementFence.NONE,
                    h -> new SendElement.Write(h, b.at(8), a.gather(0, 8)));
              },
              (a, b) -> words(b, 8));
      assertThat(seen.stream().map(OrderingRowsTest::last).distinct())
          .containsExactlyInAnyOrder(fenced ? new String[] {"11"} : new String[] {"1", "11"});
    }
  }

  @Test
  void aReadAfterAWriteFindsIt() {
    for (ElementOrdering ordering : weak) {
      assertThat(
              outcomes(
                  ordering,
                  RELAXED,
                  (a, b) -> {
                    write(a, b, 0, 0);
                    read(a, b, 0, 16);
                  },
                  (a, b) -> words(a, 16)))
          .containsExactly("3 1");
    }
  }

  @Test
  void aCompletionOfAWriteDoesNotImplyItsPlacement() {
    BiFunction<End, End, String> look = (a, b) -> a.completions.count() + ":" + words(b, 0);
    assertThat(outcomes(ElementOrdering.RELIABLE, End.STRICT, (a, b) -> write(a, b, 0, 0), look))
        .containsExactly("0:11 0:1 1:1", "0:11 1:11 1:1");
    assertThat(outcomes(ElementOrdering.IN_ORDER, End.STRICT, (a, b) -> write(a, b, 0, 0), look))
        .containsExactly("0:11 0:1 1:1");
  }

  @Test
  void aCompletedReadAfterAWriteImpliesItsPlacement() {
    Set<String> seen =
        outcomes(
            ElementOrdering.SCATTERED,
            RELAXED,
            (a, b) -> {
              write(a, b, 0, 0);
              read(a, b, 8, 16);
            },
            (a, b) -> a.completions.count() + ":" + words(b, 0));
    assertThat(seen).noneMatch(s -> s.contains("2:11")).anyMatch(s -> s.contains("1:11"));
  }

  @Test
  void queuePairsAreUnordered() {
    Set<String> seen =
        EveryOrder.outcomes(choice -> {
          SoftNic nic =
              new SoftNic(ElementOrdering.IN_ORDER, new NicLimits(4, 1 << 10, 0, 16), w -> {});
          End a = new End(nic, 0x1000, End.STRICT);
          End b = new End(nic, 0x2000, End.STRICT);
          End other = new End(a.domain, 0x3000, End.STRICT);
          End beyond = new End(b.domain, 0x4000, End.STRICT);
          a.pair.connect(b.pair);
          other.pair.connect(beyond.pair);
          a.post(h -> new SendElement.Write(h, b.at(0), End.inline(1)));
          other.post(h -> new SendElement.Write(h, b.at(0), End.inline(2)));
          while (nic.step(choice)) {}
          return words(b, 0);
        });
    assertThat(seen).containsExactly("1", "2");
  }

  /** The source must not change before the completion: it may be read until then. */
  @Test
  void theSourceIsReadBeforeTheCompletion() {
    Set<String> seen =
        EveryOrder.outcomes(choice -> {
          SoftNic nic =
              new SoftNic(ElementOrdering.RELIABLE, new NicLimits(4, 1 << 10, 0, 16), w -> {});
          End a = new End(nic, 0x1000, End.STRICT);
          End b = new End(nic, 0x2000, End.STRICT);
          a.pair.connect(b.pair);
          a.set(0, 1);
          a.post(h -> new SendElement.Write(h, b.at(0), a.gather(0, 8)));
          boolean completed = false;
          int changed = 0;
          do {
            completed |= a.completions.count() > 0;
            if (changed == 0 && (completed || choice.of(2) == 1)) {
              a.set(0, 2);
              changed = completed ? 2 : 1;
            }
          } while (nic.step(choice));
          return (changed == 2 ? "after " : "before ") + words(b, 0);
        });
    assertThat(seen).containsExactly("after 1", "before 1", "before 2");
  }

  /** A companion queue counts completed puts, in every order. */
  @Test
  void aCompanionCountsAfterTheAwaitedCompletion() {
    Set<String> seen =
        EveryOrder.outcomes(choice -> {
          SoftNic nic =
              new SoftNic(ElementOrdering.RELIABLE, new NicLimits(4, 1 << 10, 0, 16), w -> {});
          End a = new End(nic, 0x1000, End.STRICT);
          End b = new End(nic, 0x2000, End.STRICT);
          End companion = new End(a.domain, 0x3000, End.STRICT);
          a.pair.connect(b.pair);
          companion.pair.connect(companion.pair);
          companion.fill(h -> new SendElement.Wait(h, 1, a.completions.number()));
          companion.fill(h -> new SendElement.FetchAdd(h, a.at(64), 1, a.gather(72, 8)));
          companion.ring();
          a.fill(h -> new SendElement.Write(h, b.at(0), a.gather(0, 8)));
          a.fill(h -> new SendElement.Nop(h));
          a.ring();
          String order = "";
          do {
            if (a.word(64) == 1 && order.isEmpty()) {
              order = "counted at " + a.completions.count();
            }
          } while (nic.step(choice));
          return order;
        });
    assertThat(seen).containsExactly("counted at 2");
  }

  @Test
  void aNotifyingElementDoesNotOvertakeAWrite() {
    Set<String> seen =
        outcomes(
            ElementOrdering.SCATTERED,
            RELAXED,
            (a, b) -> {
              b.receive(new Gather(8, b.region.key(), b.region.address() + 16));
              write(a, b, 0, 0);
              a.fill(h -> new SendElement.WriteImmediate(h, b.at(8), ElementPayload.NOTHING, 7));
            },
            (a, b) -> b.completions.count() + ":" + words(b, 0));
    assertThat(seen).noneMatch(s -> s.contains("1:11")).anyMatch(s -> s.contains("1:1"));
  }

  /** A strong fence waits for writes as well; the verbs fence does not. */
  @Test
  void onlyAStrongFenceKeepsScatteredWritesApart() {
    for (ElementFence fence : ElementFence.values()) {
      Set<String> seen =
          outcomes(
              ElementOrdering.SCATTERED,
              End.STRICT,
              (a, b) -> {
                write(a, b, 0, 0);
                a.fill(fence, h -> new SendElement.Write(h, b.at(8), a.gather(8, 8)));
              },
              (a, b) -> words(b, 0, 8));
      assertThat(seen).as(fence.name()).contains("11,12 1,12 1,2");
      assertThat(seen.size()).as(fence.name()).isEqualTo(fence == ElementFence.STRONG ? 1 : 2);
    }
  }

  @Test
  void oneByOneNeedsNoFence() {
    assertThat(
            outcomes(
                ElementOrdering.IN_ORDER,
                End.STRICT,
                (a, b) -> {
                  read(a, b, 0, 16);
                  write(a, b, 0, 8);
                },
                (a, b) -> words(a, 16) + "," + words(b, 8)))
        .containsExactly("3,12 11,12 11,1");
  }

  @Test
  void aReadWaitsForPlacementNotForCompletion() {
    assertThat(
            outcomes(
                ElementOrdering.RELIABLE,
                End.STRICT,
                (a, b) -> {
                  write(a, b, 0, 0);
                  read(a, b, 0, 16);
                },
                (a, b) -> a.completions.count() + ":" + words(a, 16)))
        .containsExactly("0:3 0:1 1:1 2:1", "0:3 1:3 1:1 2:1");
  }
}
