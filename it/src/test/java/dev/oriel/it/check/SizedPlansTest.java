package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.msccl.MscclPlan;
import dev.oriel.domain.msccl.MscclReader;
import dev.oriel.domain.msccl.MscclTranslation;
import dev.oriel.domain.msccl.PlanXml;
import dev.oriel.domain.mscclpp.ExecutionPlan;
import dev.oriel.domain.mscclpp.ExecutionPlanJson;
import dev.oriel.domain.mscclpp.ExecutionPlanReader;
import dev.oriel.domain.mscclpp.ExecutionTranslation;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of plans for calls of one size give the collective's result, every byte of it. */
class SizedPlansTest {
  private static final ExecutionSettings STRICT = Checker.strict(Profile.L2, 2);

  /** Without races: the program has no signals for the order that packets give. */
  private static final ExecutionSettings RESULTS =
      new ExecutionSettings(Profile.L2, 2, DetectorSet.RESULTS, TimeoutPolicy.NEVER);

  private static String verdict(Form form, int world, ExecutionSettings settings) {
    return new Checker(Strategy.RANDOM, new Budget(3, 1_000, 1_000_000, 100_000_000), 1, settings)
        .explore(Program.bind(form, world, Map.of()), Topology.parse("1x" + world))
        .verdict()
        .violation()
        .map(violation -> violation.kind())
        .orElse("holds");
  }

  private static MscclPlan xml(PlanXml plan) {
    return MscclReader.read(plan.text(), "plan.xml");
  }

  private static ExecutionPlan json(ExecutionPlanJson plan) {
    return ExecutionPlanReader.read(plan.text(), "plan.json");
  }

  /** Bytes of the largest buffer that is no scratch. */
  private static long larger(Form form, int world) {
    RankProgram rank = Program.bind(form, world, Map.of()).rank(0);
    return form.buffers().stream()
        .filter(buffer -> buffer.space() != Space.SCRATCH)
        .mapToLong(buffer -> rank.bytes(buffer.name()))
        .max()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"Simple, 12", "Simple, 1200", "LL, 1200", "LL128, 1200", "LL128, 12000"})
  void xmlPlansHaveAProgramOfEachSize(String protocol, long bytes) {
    for (PlanXml plan :
        List.of(
            PlanXml.ringAllGather(3).protocol(protocol),
            PlanXml.ringAllReduce(3).protocol(protocol))) {
      Form form = MscclTranslation.sized(xml(plan), bytes);
      assertThat(larger(form, 3)).isEqualTo(bytes);
      assertThat(form.name()).endsWith("-bytes-" + bytes);
      assertThat(verdict(form, 3, STRICT)).isEqualTo("holds");
    }
  }

  /** A step of four chunks is one transfer, two or four, as its chunks fill a slot. */
  @ParameterizedTest
  @CsvSource({
    "LL, 64, 4",
    "LL, 65536, 2",
    "LL, 131072, 1",
    "LL128, 1920, 4",
    "LL128, 1200000, 1",
    "Simple, 4194304, 2"
  })
  void stepsOfSeveralChunksAreSplit(String protocol, long bytes, int split) {
    PlanXml plan = PlanXml.of("broadcast", 2, 4).outOfPlace().protocol(protocol);
    plan.gpu(0, 4, 4, 0).tb(1, -1, 0, "s i0 x4").tb(-1, -1, 0, "cpy i0 > o0 x4");
    plan.gpu(1, 4, 4, 0).tb(-1, 0, 0, "r > o0 x4");
    Form form = MscclTranslation.sized(xml(plan), bytes);
    assertThat(form.name()).contains("-split-" + split + "-bytes-" + bytes);
    assertThat(verdict(form, 2, STRICT)).isEqualTo("holds");
  }

  @ParameterizedTest
  @CsvSource({"96", "192", "1920"})
  void executionPlansHaveAProgramOfEachSize(long bytes) {
    for (ExecutionPlanJson plan :
        List.of(
            ExecutionPlanJson.readAllReduce(),
            ExecutionPlanJson.putAllGather(),
            ExecutionPlanJson.portAllGather(),
            ExecutionPlanJson.packetAllReduce(),
            ExecutionPlanJson.switchAllReduce("signal", "wait"))) {
      int world = json(plan).world();
      Form form = ExecutionTranslation.sized(json(plan), bytes);
      assertThat(larger(form, world)).isEqualTo(bytes);
      assertThat(verdict(form, world, RESULTS)).isEqualTo("holds");
    }
  }

  @Test
  void sizesWithoutAProgramAreRefusedByName() {
    MscclPlan ring = xml(PlanXml.ringAllGather(3).protocol("LL"));
    refused(
        () -> MscclTranslation.sized(ring, 16),
        "size that leaves chunks unequal",
        "multiple of 12");
    refused(() -> MscclTranslation.sized(ring, 0), "plan is not for that size");
    refused(() -> MscclTranslation.sized(ring, 12L << 20), "call of several pieces");
    MscclPlan window = xml(PlanXml.ringAllGather(3).with("minBytes=\"24\" maxBytes=\"36\""));
    refused(() -> MscclTranslation.sized(window, 12), "min=24, max=36");
    refused(() -> MscclTranslation.sized(window, 48), "min=24, max=36");
    ExecutionPlan pipelined = json(ExecutionPlanJson.pipelined());
    refused(
        () -> ExecutionTranslation.sized(pipelined, 1L << 20),
        "call of several pieces",
        "pipelines");
    refused(
        () -> ExecutionTranslation.sized(json(ExecutionPlanJson.putAllGather()), 8),
        "size that leaves chunks unequal");
  }

  private static void refused(Runnable made, String... words) {
    assertThatThrownBy(made::run).isInstanceOf(ProgramException.class).message().contains(words);
  }
}
