package dev.oriel.sim.trial;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.mutate.MutantGenerator;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import dev.oriel.sim.trial.SurvivorAnalysis.Likeness;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The settings in which one mistake of a program is searched in every order of every step. They
 * start with the least work and end with the first that has steps of the mistake and is exhausted.
 */
final class SettingLadder {
  /** The amount of work of a program. */
  enum Size {
    SMALL("one lane, few bytes"),
    APART("one lane, few bytes, each rank a domain"),
    FEW("few bytes"),
    GIVEN("as given");

    final String words;

    Size(String words) {
      this.words = words;
    }

    Correct of(Correct given) {
      return switch (this) {
        case SMALL -> given.small();
        case APART -> given.apart();
        case FEW -> given.few();
        case GIVEN -> given;
      };
    }
  }

  /** Properties that settings of several programs share. */
  record Kind(int ranks, int launches, Size size) {
    Kind(int ranks, int launches) {
      this(ranks, launches, Size.GIVEN);
    }

    Kind of(Size other) {
      return new Kind(ranks, launches, other);
    }

    @Override
    public String toString() {
      return "%d ranks, %d launches, %s".formatted(ranks, launches, size.words);
    }
  }

  /**
   * The result of the comparison, and the first exhausted setting; none if it makes no steps at
   * all.
   */
  record Seen(Likeness likeness, Optional<Kind> kind) {}

  private record Rung(Kind kind, Map<String, Mutant> mutants, TrialRunner trials) {}

  private final List<Rung> rungs = new ArrayList<>();

  /** For a program in a world of three ranks, and the world of two with the same links. */
  SettingLadder(Correct given, String three, Budget full) {
    Map<Size, Correct> programs = new EnumMap<>(Size.class);
    programs.put(Size.GIVEN, given);
    for (Size size : Size.values()) {
      if (!programs.containsValue(size.of(given))) {
        programs.put(size, size.of(given));
      }
    }
    Map<Size, Map<String, Mutant>> mutants = new EnumMap<>(Size.class);
    programs.forEach((size, program) -> mutants.put(size, byName(program)));
    // Two launches reveal more than a second lane, and that more than a third rank.
    for (Kind kind : List.of(new Kind(2, 2), new Kind(2, 1), new Kind(3, 1))) {
      String world = kind.ranks == 2 ? three.replace('3', '2') : three;
      if (given.worlds().contains(world)) {
        programs.forEach((size, program) ->
            rungs.add(
                new Rung(
                    kind.of(size),
                    Objects.requireNonNull(mutants.get(size)),
                    trials(program, world, kind.launches, full))));
      }
    }
  }

  private static Map<String, Mutant> byName(Correct program) {
    return MutantGenerator.of(program.form()).stream()
        .collect(Collectors.toMap(Mutant::name, Function.identity()));
  }

  private static TrialRunner trials(Correct program, String world, int launches, Budget full) {
    Topology topology = Topology.parse(world);
    TrialSetting setting =
        new TrialSetting(topology, program.params(), Profile.L2, launches, launches, full, full, 1);
    return new TrialRunner(program.form(), setting, System::nanoTime);
  }

  /** Empty if it makes steps and the searches were cut. */
  Optional<Seen> look(Mutant mutant) {
    boolean cut = false;
    for (Rung rung : rungs) {
      Likeness likeness = rung.trials.full(Objects.requireNonNull(rung.mutants.get(mutant.name())));
      if (likeness == Likeness.SAME || likeness == Likeness.DIFFERENT) {
        return Optional.of(new Seen(likeness, Optional.of(rung.kind)));
      }
      cut |= likeness == Likeness.BOUNDED;
    }
    return cut ? Optional.empty() : Optional.of(new Seen(Likeness.STEPS, Optional.empty()));
  }
}
