package dev.oriel.it.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextDigest;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.it.PtxAssembler;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The assembler accepts the kernels of the suite. For every target it assembles those of every
 * program unchanged, in place and at an odd address. For alternating targets it assembles each type
 * with each operator of every third reducing program. Equal texts are assembled once. The CUDA
 * adapter's own tests assemble every type and operator of two programs for every target.
 */
final class AcceptedKernelsTest {
  private static final PtxTarget[] TARGETS = PtxTarget.values();

  private static final int EVERY = 3;

  private final Set<String> assembled = new HashSet<>();
  private int refused;

  @Test
  void everyKernelOfTheSuiteAssembles() {
    assumeTrue(PtxAssembler.absence().isEmpty(), PtxAssembler.absence());
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    List<ProgramSuite.Entry> entries = ProgramSuite.shipped(CommandSpec.create()).entries();
    int chains = 0;
    Map<String, Integer> pairs = new HashMap<>();
    Map<String, Integer> programs = new HashMap<>();
    Set<String> covered = new TreeSet<>();
    for (ProgramSuite.Entry entry : entries) {
      String[] name = entry.name().split(" --type ", 2);
      if (chained(entry.form())) {
        chains++;
      } else if (name.length == 1) {
        for (PtxTarget target : TARGETS) {
          if (Thorough.takes(12, entry.name(), target)) {
            assemble(entry, target);
          }
        }
      } else {
        int pair = pairs.computeIfAbsent(name[1], _ -> pairs.size());
        // Pairs begin with different programs, and then count their own programs.
        int turn = programs.merge(name[1], 1, Integer::sum) + pair % EVERY;
        if (turn % EVERY == 0) {
          PtxTarget target = TARGETS[turn / EVERY % TARGETS.length];
          covered.add(name[1] + " for " + target);
          if (Thorough.takes(12, entry.name(), target)) {
            assemble(entry, target);
          }
        }
      }
    }
    System.out.printf(
        "accepted: entries=%d, kernels=%d, chains=%d, types refused=%d, seconds of a processor=%d%n",
        entries.size(),
        assembled.size(),
        chains,
        refused,
        Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before)
            .toSeconds());
    assertThat(covered)
        .as("types and operators by targets")
        .hasSize(DataType.values().length * ReduceOp.values().length * TARGETS.length);
    assertThat(assembled).hasSizeGreaterThan(Thorough.count(20, 300));
  }

  /** Copy engines run it, with stages between: see the CUDA adapter's {@code StageTest}. */
  private static boolean chained(Form form) {
    return form.lanes().stream().allMatch(lane -> lane.engine() instanceof LaneFamily.Engine.Copy);
  }

  private void assemble(ProgramSuite.Entry entry, PtxTarget target) {
    String ptx;
    try {
      ptx =
          new PtxCompiler(target)
              .compile(FormLowering.lower(entry.form(), Set.of(PeerKind.NVLINK)))
              .ptx();
    } catch (ProgramException e) {
      // Only for the older GPUs, and for one kind of types.
      assertThat(e)
          .as("%s for %s", entry.name(), target)
          .hasMessageStartingWith("GPU does not convert this type: element=fp8_")
          .hasMessageContaining("target=sm_80");
      refused++;
      return;
    }
    if (assembled.add(TextDigest.of(ptx))) {
      assertThat(PtxAssembler.complaint(ptx, target.spelling()))
          .as("%s for %s", entry.name(), target)
          .isEmpty();
    }
  }
}
