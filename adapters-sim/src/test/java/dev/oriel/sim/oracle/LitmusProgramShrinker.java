package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.LitmusProgram.Thread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Makes a program smaller as long as it still fails. */
final class LitmusProgramShrinker {
  private final Predicate<LitmusProgram> fails;

  LitmusProgramShrinker(Predicate<LitmusProgram> fails) {
    this.fails = fails;
  }

  /** A program that fails and of which no smaller one that {@link #smaller} names does. */
  LitmusProgram shrink(LitmusProgram program) {
    LitmusProgram least = program;
    Optional<LitmusProgram> next = Optional.of(program);
    while (next.isPresent()) {
      least = next.get();
      next = smaller(least).filter(fails).findFirst();
    }
    return least;
  }

  /** One lane, one step or one GPU less, or lanes of one thread. */
  private static Stream<LitmusProgram> smaller(LitmusProgram program) {
    List<LitmusProgram> all = new ArrayList<>();
    for (int lane = 0; lane < program.lanes().size(); lane++) {
      for (int step = 0; step < program.lanes().get(lane).steps().size(); step++) {
        List<Thread> lanes = new ArrayList<>(program.lanes());
        lanes.set(lane, lanes.get(lane).without(step));
        all.add(new LitmusProgram(program.ranks(), lanes, program.words()));
      }
    }
    if (program.lanes().stream().anyMatch(Thread::block)) {
      all.add(
          new LitmusProgram(
              program.ranks(),
              program.lanes().stream()
                  .map(lane -> new Thread(lane.rank(), false, lane.steps()))
                  .toList(),
              program.words()));
    }
    return all.stream();
  }
}
