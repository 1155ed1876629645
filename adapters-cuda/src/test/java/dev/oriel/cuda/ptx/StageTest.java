package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.chain.ChainLink;
import dev.oriel.cuda.chain.ChainPlanner;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Kernels between the copies of a chain. */
class StageTest {

  @Test
  void everyStageOfAShippedChainAssembles() {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    for (String name : ShippedPrograms.ENGINES) {
      for (PtxTarget target : PtxTarget.values()) {
        for (PtxKernel kernel : kernels(name, target)) {
          assertThat(Assembler.assemble(kernel.ptx(), target)).isNotEmpty();
        }
      }
    }
  }

  /** The epoch stays the lane's own until its last stage, which advances it. */
  @Test
  void onlyTheLastStageCountsTheLaunch() {
    List<PtxKernel> kernels = kernels("copy_all_gather", PtxTarget.SM_90);
    assertThat(kernels).hasSize(3);
    assertThat(kernels.get(0).ptx()).doesNotContain("\n    st.global.u64");
    assertThat(kernels.get(1).ptx()).contains("\n    st.global.u64");
  }

  /** A stage checks whether another stage has timed out before it waits or signals. */
  @Test
  void stagesAfterAFailedOneDoNothing() {
    for (PtxKernel kernel : kernels("copy_all_gather", PtxTarget.SM_90)) {
      assertThat(kernel.ptx())
          .containsSubsequence(
              "ld.relaxed.gpu.global.u64",
              "setp.ne.u64",
              "vote.sync.any.pred",
              "bra $exit",
              "bar.sync");
      assertThat(kernel.threads()).isEqualTo(32);
    }
  }

  private static List<PtxKernel> kernels(String name, PtxTarget target) {
    Form form = ShippedPrograms.form(name);
    LoweredForm lowered = FormLowering.lower(form, Set.of(PeerKind.NVLINK));
    Program program = Program.bind(form, 4, ShippedPrograms.params(form, 1000, 1));
    List<PtxKernel> kernels = new ArrayList<>();
    for (LoweredLane lane : lowered.lanes()) {
      for (ChainLink link : ChainPlanner.plan(program.rank(1), lane, Map.of())) {
        if (link instanceof ChainLink.Stage stage) {
          kernels.add(
              Edges.named(
                  new PtxCompiler(target).stage(lowered, lane, stage.steps(), stage.last())));
        }
      }
    }
    return kernels;
  }
}
