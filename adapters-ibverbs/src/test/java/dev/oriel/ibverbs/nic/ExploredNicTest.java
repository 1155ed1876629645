package dev.oriel.ibverbs.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.nic.EveryState.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocol of a queue to which several threads post, with the interface in software as one of
 * the agents: every reachable state, for small numbers of everything.
 */
class ExploredNicTest {
  private static final Map<String, ElementOrdering> RULES =
      Map.of("IN_ORDER", ElementOrdering.IN_ORDER, "RELIABLE", ElementOrdering.RELIABLE);

  private static Supplier<Posting> worlds(
      int threads, int each, int slots, ElementOrdering ordering, List<Step> post, Step quiet) {
    List<Step> steps = new ArrayList<>();
    Collections.nCopies(each, post).forEach(steps::addAll);
    steps.add(quiet);
    Posting.Memory memory = new Posting.Memory(slots);
    return () -> new Posting(threads, steps, ordering, memory);
  }

  /** Threads, elements of each, slots, ordering rules among pending elements. */
  @ParameterizedTest
  @CsvSource({
    "2, 1, 1, RELIABLE",
    "2, 1, 2, RELIABLE",
    "2, 2, 2, RELIABLE",
    "3, 1, 1, RELIABLE",
    "3, 1, 2, RELIABLE",
    "4, 1, 1, IN_ORDER"
  })
  void everyPostedElementIsExecutedOnce(int threads, int each, int slots, String rules) {
    holds(threads, each, slots, rules);
  }

  /** The same with larger numbers: minutes, on request. */
  @ParameterizedTest
  @CsvSource({"2, 2, 4, IN_ORDER", "3, 1, 4, RELIABLE", "4, 1, 2, IN_ORDER", "4, 1, 4, IN_ORDER"})
  @EnabledIfSystemProperty(
      named = "oriel.nic",
      matches = "full",
      disabledReason = "takes minutes; ask for it by -Doriel.nic=full")
  void everyElementOfMoreThreadsIsExecutedOnce(int threads, int each, int slots, String rules) {
    holds(threads, each, slots, rules);
  }

  private static void holds(int threads, int each, int slots, String rules) {
    Verdict verdict =
        EveryState.verdict(
            worlds(
                threads,
                each,
                slots,
                Objects.requireNonNull(RULES.get(rules)),
                Step.POST,
                Step.QUIET));
    System.out.printf(
        "interface in software, %d threads, %d elements of each, %d slots, %s: %d states, %d steps, depth %d%n",
        threads, each, slots, rules, verdict.states(), verdict.steps(), verdict.depth());
    assertThat(verdict.wrong()).isEmpty();
    // Each thread took each step, and the interface took a step for each element.
    assertThat(verdict.depth()).isGreaterThan(threads * each * Step.POST.size() / 2);
  }

  /**
   * The search continues from a state only once: the states must contain all that later steps
   * depend on.
   */
  @Test
  void everyOrderReachesTheSameStates() {
    for (ElementOrdering ordering : RULES.values()) {
      Supplier<Posting> worlds = worlds(1, 2, 1, ordering, Step.POST, Step.QUIET);
      assertThat(EveryState.states(worlds, true))
          .hasSizeGreaterThan(20)
          .isEqualTo(EveryState.states(worlds, false));
    }
  }

  /**
   * An incorrect way to post, and the expected error.
   *
   * @param by each thread's steps for an element
   */
  record Mistake(String what, List<Step> by, Step quiet, String says) {
    @Override
    public String toString() {
      return what;
    }
  }

  /** The correct steps, with some of them replaced. */
  private static Mistake mistake(String what, String says, Map<Step, List<Step>> instead) {
    List<Step> by =
        Step.POST.stream()
            .flatMap(step -> instead.getOrDefault(step, List.of(step)).stream())
            .toList();
    return new Mistake(what, by, Step.QUIET, says);
  }

  static List<Mistake> mistakes() {
    return List.of(
        mistake(
            "publishing before the element is filled",
            "refused",
            Map.of(Step.FILL, List.of(), Step.PUBLISH, List.of(Step.PUBLISH, Step.FILL))),
        mistake(
            "ringing before the element is published",
            "refused",
            Map.of(
                Step.FILL,
                List.of(),
                Step.PUBLISH,
                List.of(),
                Step.HEAD,
                List.of(Step.HEAD_OF_RESERVED),
                Step.UNLOCK,
                List.of(Step.UNLOCK, Step.FILL, Step.PUBLISH))),
        mistake(
            "ringing for all that is reserved",
            "refused",
            Map.of(Step.HEAD, List.of(Step.HEAD_OF_RESERVED))),
        mistake(
            "a slot filled again before its element is done", "=", Map.of(Step.ROOM, List.of())),
        mistake("room counted one too far", "=", Map.of(Step.ROOM, List.of(Step.ROOM_AND_ONE))),
        mistake(
            "publishing out of order",
            "refused",
            Map.of(Step.PUBLISH, List.of(Step.PUBLISH_AT_ONCE))),
        mistake(
            "a count that two reserve",
            "=",
            Map.of(Step.RESERVE, List.of(Step.READ_RESERVED, Step.WRITE_RESERVED))),
        mistake(
            "the doorbell before its record",
            "nobody goes on",
            Map.of(Step.RECORD, List.of(), Step.BELL, List.of(Step.BELL, Step.RECORD))),
        mistake("no record at all", "nobody goes on", Map.of(Step.RECORD, List.of())),
        mistake(
            "a doorbell that is lost: left to who has the lock",
            "nobody goes on",
            Map.of(Step.LOCK, List.of(Step.TRY_LOCK))),
        mistake(
            "no lock around record and doorbell",
            "doorbell record beyond the queue",
            Map.of(Step.LOCK, List.of(), Step.UNLOCK, List.of())),
        mistake(
            "a record for what was published before the lock was taken",
            "doorbell record beyond the queue",
            Map.of(Step.LOCK, List.of(Step.ANY_HEAD, Step.LOCK), Step.HEAD, List.of())),
        mistake(
            "the doorbell of another queue",
            "doorbell of another queue pair",
            Map.of(Step.BELL, List.of(Step.BELL_OF_ANOTHER))),
        new Mistake(
            "a result taken when its element is published",
            Step.POST,
            Step.QUIET_WHEN_PUBLISHED,
            "quiet, and the element is not done"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void everyMistakeHasItsError(Mistake mistake) {
    Verdict verdict =
        EveryState.verdict(
            worlds(2, 2, 2, ElementOrdering.RELIABLE, mistake.by(), mistake.quiet()));
    System.out.printf(
        "%s: found after %d states: %s%n",
        mistake, verdict.states(), verdict.wrong().orElse("nothing"));
    assertThat(verdict.wrong()).isPresent();
    assertThat(verdict.wrong().orElseThrow()).contains(mistake.says());
  }
}
