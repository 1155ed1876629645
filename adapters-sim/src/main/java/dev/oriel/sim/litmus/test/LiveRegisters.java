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

  public LiveRegisters(List<LitmusInstruction> code, Set<String> observed) {
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
  public static List<Integer> next(List<LitmusInstruction> code, int i) {
    return switch (code.get(i)) {
      case LitmusInstruction.Jump jump -> List.of(jump.target());
      case LitmusInstruction.Branch branch -> List.of(i + 1, branch.target());
      default -> List.of(i + 1);
    };
  }

  /** The register that an instruction sets, if any. */
  public static @Nullable String assigned(LitmusInstruction instruction) {
    return switch (instruction) {
      case LitmusInstruction.Load load -> load.to();
      case LitmusInstruction.Atomic atomic -> atomic.to();
      case LitmusInstruction.Move move -> move.to();
      case LitmusInstruction.Compute compute -> compute.to();
      default -> null;
    };
  }

  /** Whether an instruction reads that register. */
  public static boolean uses(LitmusInstruction instruction, String register) {
    return used(instruction).contains(register);
  }

  /** The registers that an instruction reads. */
  public static Set<String> used(LitmusInstruction instruction) {
    Set<String> used = new TreeSet<>();
    used(instruction, used);
    return used;
  }

  /** Adds the registers that an instruction reads. */
  static void used(LitmusInstruction instruction, Set<String> registers) {
    switch (instruction) {
      case LitmusInstruction.Store store -> use(store.value(), registers);
      case LitmusInstruction.Atomic atomic -> {
        use(atomic.expected(), registers);
        use(atomic.value(), registers);
      }
      case LitmusInstruction.Barrier barrier -> {
        use(barrier.resource(), registers);
        use(barrier.quorum(), registers);
      }
      case LitmusInstruction.Move move -> use(move.value(), registers);
      case LitmusInstruction.Compute compute -> {
        use(compute.a(), registers);
        use(compute.b(), registers);
      }
      case LitmusInstruction.Branch branch -> {
        use(branch.a(), registers);
        use(branch.b(), registers);
      }
      default -> {}
    }
  }

  private static void use(@Nullable InstructionOperand operand, Set<String> registers) {
    if (operand instanceof InstructionOperand.Register register) {
      registers.add(register.name());
    }
  }
}
