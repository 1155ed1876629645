package dev.oriel.sim.time;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Assumed values of loaded words where none is given: the largest that the bounds of each load
 * allow.
 */
public final class LoadedWords {
  private final RankProgram rank;
  private final Map<String, Long> found = new TreeMap<>();
  private final Set<String> registers = new TreeSet<>();

  private LoadedWords(RankProgram rank) {
    this.rank = rank;
  }

  /** The largest bound of the loads into each register, where the binding determines one. */
  public static Map<String, Long> atMost(Program program) {
    LoadedWords words = new LoadedWords(program.rank(0));
    program.form().lanes().stream().map(LaneFamily::body).forEach(words::add);
    return words.found;
  }

  /** The registers into which the program loads words. */
  public static Set<String> registers(Program program) {
    LoadedWords words = new LoadedWords(program.rank(0));
    program.form().lanes().stream().map(LaneFamily::body).forEach(words::add);
    return words.registers;
  }

  private void add(List<Op> ops) {
    for (Op op : ops) {
      switch (op) {
        case Op.Load load -> {
          registers.add(load.register());
          load.bound().ifPresent(bound -> add(load.register(), bound));
        }
        case Op.If branch -> {
          add(branch.then());
          add(branch.otherwise());
        }
        case Op.For loop -> add(loop.body());
        case Op.Each each -> add(each.body());
        default -> {}
      }
    }
  }

  private void add(String register, Op.Load.Bound bound) {
    try {
      found.merge(register, rank.value(bound.max()), Math::max);
    } catch (ProgramException e) {
      // Only a running lane knows this bound, so this load contributes nothing.
    }
  }
}
