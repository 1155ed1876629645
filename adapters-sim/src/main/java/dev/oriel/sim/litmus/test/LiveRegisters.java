package dev.oriel.sim.litmus.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The registers that may still be read from each instruction on; the condition reads at the end.
 */
public final class LiveRegisters {
  private final List<Set<String>> live = new ArrayList<>();

  public LiveRegisters(List<Instruction> code, Set<String> observed) {
    code.forEach(instruction -> live.add(new TreeSet<>()));
    live.add(new TreeSet<>(observed));
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = code.size() - 1; i >= 0; i--) {
        Set<String> before = new TreeSet<>();
        for (int next : next(code, i)) {
          before.addAll(live.get(next));
        }
        String assigned = assigned(code.get(i));
        if (assigned != null) {
          before.remove(assigned);
        }
        used(code.get(i), before);
        changed |= live.get(i).addAll(before);
      }
    }
  }

  public Set<String> at(int instruction) {
    return live.get(instruction);
  }

  /** The instructions that may follow one, including the end of the code. */
  public static List<Integer> next(List<Instruction> code, int i) {
    return switch (code.get(i)) {
      case Instruction.Jump jump -> List.of(jump.target());
      case Instruction.Branch branch -> List.of(i + 1, branch.target());
      default -> List.of(i + 1);
    };
  }

  /** The register that an instruction sets, if any. */
  public static @Nullable String assigned(Instruction instruction) {
    return switch (instruction) {
      case Instruction.Load load -> load.to();
      case Instruction.Atomic atomic -> atomic.to();
      case Instruction.Move move -> move.to();
      case Instruction.Compute compute -> compute.to();
      default -> null;
    };
  }

  /** Whether an instruction reads that register. */
  public static boolean uses(Instruction instruction, String register) {
    return used(instruction).contains(register);
  }

  /** The registers that an instruction reads. */
  public static Set<String> used(Instruction instruction) {
    Set<String> used = new TreeSet<>();
    used(instruction, used);
    return used;
  }

  /** Adds the registers that an instruction reads. */
  static void used(Instruction instruction, Set<String> registers) {
    switch (instruction) {
      case Instruction.Store store -> use(store.value(), registers);
      case Instruction.Atomic atomic -> {
        use(atomic.expected(), registers);
        use(atomic.value(), registers);
      }
      case Instruction.Barrier barrier -> {
        use(barrier.resource(), registers);
        use(barrier.quorum(), registers);
      }
      case Instruction.Move move -> use(move.value(), registers);
      case Instruction.Compute compute -> {
        use(compute.a(), registers);
        use(compute.b(), registers);
      }
      case Instruction.Branch branch -> {
        use(branch.a(), registers);
        use(branch.b(), registers);
      }
      default -> {}
    }
  }

  private static void use(@Nullable Operand operand, Set<String> registers) {
    if (operand instanceof Operand.Register register) {
      registers.add(register.name());
    }
  }
}
