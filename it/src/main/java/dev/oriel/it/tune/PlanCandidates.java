package dev.oriel.it.tune;

import dev.oriel.domain.msccl.MscclCollective;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.CandidateRanking.Origin;
import dev.oriel.domain.tuning.CandidateRanking.Refusal;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.ProgramChoice;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.it.options.SizedPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Plans of files as candidates for one collective; each has a program of its own for each size. */
final class PlanCandidates {
  /** Plans by the name of their file. */
  private final Map<String, SizedPlan> plans = new LinkedHashMap<>();

  private final Map<String, Path> files = new LinkedHashMap<>();

  /**
   * The candidates and the refusals for one key.
   *
   * @param refused plans without a program for it
   */
  record OfKey(List<CandidateProgram> candidates, List<Refusal> refused) {}

  private PlanCandidates() {}

  static PlanCandidates of(
      CommandSpec spec, List<Path> files, Collective collective, String world, int ranks) {
    PlanCandidates candidates = new PlanCandidates();
    for (Path file : files) {
      SizedPlan plan =
          ProgramTexts.sizedPlan(spec, file.toString())
              .orElseThrow(
                  () -> refused(spec, "no plan", file, "give MSCCL XML or an MSCCL++ plan"));
      if (!collective(plan.collective()).equals(Optional.of(collective))) {
        throw refused(
            spec,
            "plan for another collective",
            file,
            "it does " + plan.collective().name().toLowerCase(Locale.ROOT));
      }
      if (plan.world() != ranks || !world.equals("1x" + ranks)) {
        throw refused(spec, "plan for another world", file, "give --world 1x" + plan.world());
      }
      String name = file.getFileName().toString();
      if (candidates.plans.put(name, plan) != null) {
        throw refused(spec, "two plans with one name", file, "rename one");
      }
      candidates.files.put(name, file);
    }
    return candidates;
  }

  private static ParameterException refused(
      CommandSpec spec, String what, Path file, String remedy) {
    return new ParameterException(
        spec.commandLine(), "%s: option=--plan, file=%s; %s".formatted(what, file, remedy));
  }

  private static Optional<Collective> collective(MscclCollective of) {
    return switch (of) {
      case ALLREDUCE -> Optional.of(Collective.ALLREDUCE);
      case ALLGATHER -> Optional.of(Collective.ALLGATHER);
      case ALLTOALL -> Optional.of(Collective.ALLTOALL);
      case REDUCE_SCATTER -> Optional.of(Collective.REDUCESCATTER);
      case BROADCAST -> Optional.of(Collective.BROADCAST);
      case SENDRECV -> Optional.of(Collective.SENDRECV);
      case REDUCE, CUSTOM -> Optional.empty();
    };
  }

  /** Bytes of the larger buffer, from those that a key counts. */
  private static long larger(TuningKey key) {
    return switch (key.collective()) {
      case ALLGATHER, ALLTOALL, REDUCESCATTER -> Math.multiplyExact(key.bytes(), key.world());
      default -> key.bytes();
    };
  }

  /**
   * The form as a runtime launches it. It promises no result: a plan adds in an order of its own,
   * and elements may be rounded.
   */
  private static Form launched(Form form, int threads) {
    return new Form(
        form.name(),
        form.params(),
        form.definitions(),
        form.buffers(),
        form.signals(),
        form.teams(),
        List.of(),
        form.lanes().stream()
            .map(lane ->
                lane.engine() instanceof LaneFamily.Engine.Sm
                    ? new LaneFamily(
                        lane.name(),
                        lane.indices(),
                        new LaneFamily.Engine.Sm(threads),
                        lane.states(),
                        lane.body())
                    : lane)
            .toList());
  }

  OfKey at(TuningKey key) {
    List<CandidateProgram> candidates = new ArrayList<>();
    List<Refusal> refused = new ArrayList<>();
    plans.forEach((name, plan) -> {
      try {
        Form form = plan.form().apply(larger(key));
        candidates.add(new CandidateProgram(name, launched(form, plan.threads())));
      } catch (ProgramException e) {
        refused.add(
            new Refusal(
                new ProgramChoice(name, Optional.empty(), ""),
                Origin.OWN,
                String.valueOf(e.getMessage())));
      }
    });
    return new OfKey(candidates, refused);
  }

  /** The file of a candidate of that name; empty for a program of the library. */
  Optional<Path> file(String name) {
    return Optional.ofNullable(files.get(name));
  }
}
