package dev.oriel.sim.oracle;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.oracle.LitmusProgram.LitmusLane;
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

  /** A failing program of which no smaller one according to {@link #smaller} fails. */
  LitmusProgram shrink(LitmusProgram program) {
    LitmusProgram least = program;
    Optional<LitmusProgram> next = Optional.of(program);
    while (next.isPresent()) {
      least = next.get();
      next = smaller(least).filter(this::fails).findFirst();
    }
    return least;
  }

  /** A text that is no valid program, such as one with an unmatched wait, does not fail. */
  private boolean fails(LitmusProgram program) {
    try {
      return fails.test(program);
    } catch (ProgramException e) {
      return false;
    }
  }

  /** One step fewer, one simpler step, one GPU, or lanes of one thread. */
  private static Stream<LitmusProgram> smaller(LitmusProgram program) {
    List<LitmusProgram> all = new ArrayList<>();
    for (int lane = 0; lane < program.lanes().size(); lane++) {
      LitmusLane thread = program.lanes().get(lane);
      for (int step = 0; step < thread.steps().size(); step++) {
        all.add(program.with(lane, thread.without(step)));
      }
    }
    if (program.ranks() > 1) {
      all.add(program.onOneGpu());
    }
    if (program.lanes().stream().anyMatch(LitmusLane::block)) {
      all.add(program.ofSingleThreads());
    }
    for (int lane = 0; lane < program.lanes().size(); lane++) {
      LitmusLane thread = program.lanes().get(lane);
      for (int step = 0; step < thread.steps().size(); step++) {
        for (LitmusStep simpler : thread.steps().get(step).simpler()) {
          all.add(program.with(lane, thread.with(step, simpler)));
        }
      }
    }
    return all.stream();
  }
}
