package dev.oriel.sim.replay;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Scripts that deviate less from the default than a given one. */
final class SmallerScripts {
  private static final List<Integer> SHIFTS = List.of(1024, 64, 16, 4, 1);

  private SmallerScripts() {}

  /** Fewer deviations: none at all, then without half of them, down to without a single one. */
  static Stream<ChoiceScript> fewer(ChoiceScript script) {
    List<Integer> places = script.deviations();
    return ShrinkingPasses.chunks(places.size())
        .map(chunk -> {
          int[] choices = script.toArray();
          places.subList(chunk[0], chunk[0] + chunk[1]).forEach(place -> choices[place] = 0);
          return ChoiceScript.of(choices);
        });
  }

  /**
   * As many deviations, one of them smaller or later, the last one first. None moves after the
   * last: the remaining length of the execution is unknown here, and a script that outlasts its
   * execution is no progress.
   */
  static Stream<ChoiceScript> gentler(ChoiceScript script) {
    List<Integer> places = script.deviations();
    Stream<ChoiceScript> smaller =
        places.reversed().stream()
            .flatMap(place ->
                ShrinkingPasses.below(script.at(place)).stream()
                    .filter(choice -> choice > 0)
                    .map(choice -> script.with(place, choice.intValue())));
    Stream<ChoiceScript> later =
        IntStream.iterate(places.size() - 2, i -> i >= 0, i -> i - 1)
            .boxed()
            .flatMap(i -> {
              int place = places.get(i);
              return SHIFTS.stream()
                  .filter(shift -> place + shift < places.get(i + 1))
                  .map(shift -> script.with(place, 0).with(place + shift, script.at(place)));
            });
    return Stream.concat(smaller, later);
  }

  static long sum(ChoiceScript script) {
    return script.deviations().stream().mapToLong(script::at).sum();
  }

  /** A sum that decreases when deviations come later. */
  static long earliness(ChoiceScript script) {
    return script.deviations().stream().mapToLong(place -> ChoiceScript.MAX_LENGTH - place).sum();
  }
}
