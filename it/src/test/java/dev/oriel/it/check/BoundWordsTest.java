package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BoundWordsTest {

  @Test
  void boundsThatOmitMostComeFirst() {
    assertThat(
            BoundWords.of(
                List.of(
                    "load buffering: rank=0, lane=l: a GPU may do 'a' before 'b'",
                    "looks: a third look in a row that finds the same always waited",
                    "sums: some ways to make up an awaited sum were left out",
                    "overtaking: of too many requests of a queue that overtake one another",
                    "drawn: these executions only; synchronisation and full go through all",
                    "steps: an execution stopped at 5000 (random, pct)",
                    "full: stopped at states=40, steps=41 by the limit of states",
                    "memory: stopped at states=1, steps=2: a reason",
                    "memory: not tried: random",
                    "shard: 1/3 of the work; merge all parts")))
        .containsExactly(
            "this is one part of the work; oriel merge joins all parts",
            "memory ran out before these were tried: random",
            "memory ran out before the end",
            "the search of all orders stopped early, after 40 states, by the limit of states",
            "an execution was stopped before its end",
            "only the drawn orders were executed",
            "some requests that may overtake each other kept their order",
            "some ways to reach an awaited sum were left out",
            "polls that find the same value again and again were cut short",
            "a GPU may execute a store before an earlier load; the simulator does not");
  }

  @Test
  void aLoopWithoutEndIsNamedWhole() {
    assertThat(
            BoundWords.of(
                List.of(
                    "synchronisation: stopped at states=0, steps=1 by rank=0, lane=m took 9 instructions without a visible step; let its loop end")))
        .containsExactly("a loop of lane m stopped the search of all orders, after 0 states");
  }

  /** An unknown bound is not lost. */
  @Test
  void unknownBoundsAreRepeated() {
    assertThat(BoundWords.of(List.of("moon: it did not rise", "drawn: these only")))
        .containsExactly("moon: it did not rise", "only the drawn orders were executed");
  }

  @Test
  void onlyExhaustiveSearchesStopEarly() {
    assertThat(BoundWords.stops("synchronisation: stopped at states=4, steps=5 by x")).isTrue();
    assertThat(BoundWords.stops("memory: stopped at executions=1, steps=2: x")).isTrue();
    assertThat(BoundWords.stops("moon: it did not rise")).isTrue();
    assertThat(BoundWords.stops("sums: some ways were left out")).isFalse();
    assertThat(BoundWords.stops("load buffering: rank=0")).isFalse();
  }
}
