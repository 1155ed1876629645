package dev.oriel.it.check;

import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.sim.search.AnyLaunches;
import dev.oriel.sim.search.CheckReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The combinations of one check.
 *
 * @param checked with a failing one last
 * @param left those that the text implies, and that were not even executed once
 * @param unsearched values that the text implies, and that are too large to search
 */
record CheckCoverage(
    List<CheckedCombination> checked,
    List<RefusedCombination> refused,
    LeftOut left,
    UnsearchedValues unsearched,
    Sampling sampled) {

  /** Combinations besides, which were only executed once. */
  record Sampling(List<Combination> executed) {
    static final Sampling NONE = new Sampling(List.of());

    Sampling {
      executed = List.copyOf(executed);
    }

    Sampling plus(Combination one) {
      return new Sampling(Stream.concat(executed.stream(), Stream.of(one)).toList());
    }

    int combinations() {
      return executed.size();
    }

    /** The most ranks of one. */
    int ranks() {
      return executed.stream().mapToInt(one -> one.topology().world()).max().orElse(0);
    }
  }

  /**
   * A combination with its report.
   *
   * @param decided whether one execution covers all others, since one agent ends each wait
   */
  record CheckedCombination(Combination combination, CheckReport report, boolean decided) {

    /** The launches of executions that were drawn besides the others; 0 if none were. */
    int drawnLaunches() {
      return report.anyLaunches().map(AnyLaunches::drawn).orElse(0);
    }
  }

  /** A refused combination: its world, its values, and the first mistake that binding found. */
  record RefusedCombination(String world, Map<String, Long> params, Mistake mistake) {
    /**
     * A lane would wait for ever, leave its memory, or give the hardware a bulk copy that it cannot
     * make, whatever the order of steps.
     */
    private static final List<String> CERTAIN =
        List.of(
            "wait that nothing matches",
            "region outside its buffer",
            "slot outside its row",
            "length is not whole units",
            "misaligned bulk copy");

    /** An access may leave its memory, or be such a copy. */
    private static final List<String> POSSIBLE =
        List.of(
            "region not proved inside its buffer",
            "slot not proved inside its row",
            "length not proved whole units",
            "bulk copy not proved aligned");

    /**
     * The same, but most texts do so with a size of 0, which few authors mean: a lane would name a
     * rank that does not exist, move a negative length, divide by zero, or break the rule of a
     * state.
     */
    private static final List<String> CERTAIN_UNLESS_EMPTY =
        List.of("peer is not a rank", "length is negative", "divisor is zero", "division by zero");

    private static final List<String> POSSIBLE_UNLESS_EMPTY =
        List.of(
            "peer not proved to be a rank",
            "length may be negative",
            "divisor may be zero",
            "limit may be negative",
            "state leaves its step",
            "context out of range",
            "loop without a bound",
            "count without a bound",
            "index map leaves its array",
            "number of sources out of range");

    RefusedCombination {
      params = Collections.unmodifiableMap(new TreeMap<>(params));
    }

    static RefusedCombination of(String world, Map<String, Long> params, RuntimeException reason) {
      return new RefusedCombination(
          world,
          params,
          reason instanceof ProgramException refused
              ? refused.mistakes().getFirst()
              : Mistake.of(String.valueOf(reason.getMessage())));
    }

    String reason() {
      return mistake.message();
    }

    /** Whether the program certainly does something wrong in this combination. */
    private boolean certain() {
      return CERTAIN.contains(what()) || CERTAIN_UNLESS_EMPTY.contains(what());
    }

    /** Whether it may be a mistake, if the author means these values, rather than a limit. */
    boolean mistaken() {
      return certain() || POSSIBLE.contains(what()) || POSSIBLE_UNLESS_EMPTY.contains(what());
    }

    /** The same for sizes that authors usually mean. */
    boolean possible() {
      return mistaken() && !(empty() && unlessEmpty());
    }

    private boolean unlessEmpty() {
      return CERTAIN_UNLESS_EMPTY.contains(what()) || POSSIBLE_UNLESS_EMPTY.contains(what());
    }

    /** Whether something has no bytes or no elements, which few authors mean. */
    private boolean empty() {
      return params.containsValue(0L);
    }

    /** World and values. */
    String where() {
      return Combination.place(world, params);
    }

    /** The reason without its facts. */
    String what() {
      int facts = reason().indexOf(':');
      return facts < 0 ? reason() : reason().substring(0, facts);
    }
  }

  CheckCoverage {
    checked = List.copyOf(checked);
    refused = List.copyOf(refused);
  }

  /**
   * Refused values within the declared ranges with which the program is certainly wrong, in worlds
   * in which other values were checked. They are a violation: the text accepts them.
   */
  List<RefusedCombination> wrong() {
    return refused.stream().filter(this::wrong).toList();
  }

  private boolean wrong(RefusedCombination one) {
    return one.certain() && besideOthers(one);
  }

  /** Whether it has sizes, none of them 0, and other sizes were checked in its world. */
  private boolean besideOthers(RefusedCombination one) {
    return !one.params().isEmpty()
        && !one.empty()
        && checked.stream().anyMatch(other -> other.combination().world().equals(one.world()));
  }

  /**
   * Other refused combinations in which the program may be wrong: in a world of its own, with a
   * size of 0, or where no proof was found. Only the author knows whether they are meant.
   */
  List<RefusedCombination> doubtful() {
    return refused.stream().filter(one -> one.possible() && !wrong(one)).toList();
  }

  /** Whether something fails. */
  boolean failed() {
    return checked.getLast().report().found().isPresent();
  }

  /** Whether there is only one combination. */
  boolean single() {
    return checked.size() == 1;
  }

  /** The combination that a verdict shows: the failing one, or else the first. */
  CheckedCombination shown() {
    return failed() ? checked.getLast() : checked.getFirst();
  }

  /** The combination whose outputs are promised least; of equals, the first. */
  CheckedCombination silent() {
    if (failed()) {
      return shown();
    }
    return checked.stream()
        .filter(one -> one.report().verdict().outputs().unpromised() > 0)
        .findFirst()
        .orElseGet(() ->
            checked.stream()
                .filter(one -> !one.report().verdict().outputs().complete())
                .findFirst()
                .orElse(checked.getFirst()));
  }

  /**
   * Every bound that the search of one of them reached. A condition that was never true in some
   * combination counts only if it was true in none.
   */
  List<String> bounds() {
    return checked.stream()
        .flatMap(one -> one.report().verdict().bounds().stream())
        .distinct()
        .filter(bound -> !bound.startsWith(CheckReport.NEVER_JUDGED) || everywhere(bound))
        .toList();
  }

  private boolean everywhere(String bound) {
    return checked.stream().allMatch(one -> one.report().verdict().bounds().contains(bound));
  }

  /** Whether one execution of each combination covers all others. */
  boolean decided() {
    return checked.stream().allMatch(CheckedCombination::decided);
  }

  /** The combinations and values that were left unchecked, though the text implies them. */
  List<String> unchecked() {
    List<String> words = new ArrayList<>(unsearched.words());
    left.words().ifPresent(words::add);
    return words;
  }

  /** Whether some combination is covered only for some launches. */
  boolean open() {
    return closed() < checked.size();
  }

  /** In how many combinations any number of launches is covered. */
  int closed() {
    return (int) checked.stream().filter(one -> one.report().closed()).count();
  }

  /** The most launches of executions that were drawn besides the others; 0 if none were. */
  int drawnLaunches() {
    return checked.stream().mapToInt(CheckedCombination::drawnLaunches).max().orElse(0);
  }

  /**
   * Of those in which not any number of launches is covered, the one with the fewest launches of
   * drawn executions; of equals, the first. Empty if there are none.
   */
  Optional<CheckedCombination> leastDrawn() {
    return checked.stream()
        .filter(one -> !one.report().closed())
        .min(Comparator.comparingInt(CheckedCombination::drawnLaunches));
  }

  /** Every kind of link that was covered. */
  Set<PeerKind> links() {
    Set<PeerKind> links = EnumSet.noneOf(PeerKind.class);
    checked.forEach(one -> links.addAll(one.combination().topology().kinds()));
    return links;
  }

  /** The most ranks of a combination. */
  int ranks() {
    return checked.stream().mapToInt(one -> one.combination().topology().world()).max().orElse(0);
  }
}
