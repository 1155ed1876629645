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
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Plans of files as candidates for one collective; each has a program of its own for each size. */
final class PlanCandidates {
  private static final String PLAN = "plan:";

  /** A lane that moves the data of a block. */
  private static final Pattern BLOCK = Pattern.compile("tb[0-9]+(_gpu[0-9]+)?");

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
                  () -> refused(spec, "not a plan", file, "give MSCCL XML or an MSCCL++ plan"));
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
      String name = PLAN + file.getFileName();
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
      case ALLGATHER, ALLTOALL, REDUCESCATTER -> {
        if (key.bytes() > Long.MAX_VALUE / key.world()) {
          throw new ProgramException(
              "size too large: bytes=%d; give a smaller one".formatted(key.bytes()));
        }
        yield key.bytes() * key.world();
      }
      default -> key.bytes();
    };
  }

  /** Sizes in a refusal are those of the larger buffer, and a key may count those of a rank. */
  private static String reason(TuningKey key, ProgramException refusal) {
    String said = String.valueOf(refusal.getMessage());
    return key.bytes() == larger(key)
        ? said
        : "%s (bytes of all %d ranks: --bytes counts those of one)".formatted(said, key.world());
  }

  /**
   * The form as a runtime launches it, for so many bytes and no more. It promises no result: a plan
   * adds in an order of its own, and elements may be rounded. Lanes beside that of a block's data
   * are single threads of the block.
   */
  private static Form launched(Form form, int threads, long bytes) {
    return new Form(
        form.name(),
        List.of(new Form.Param("B", bytes)),
        form.definitions(),
        form.requirements(),
        form.buffers(),
        form.signals(),
        form.teams(),
        List.of(),
        form.lanes().stream()
            .map(lane ->
                BLOCK.matcher(lane.name()).matches()
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
        candidates.add(new CandidateProgram(name, launched(form, plan.threads(), key.bytes())));
      } catch (ProgramException e) {
        refused.add(
            new Refusal(new ProgramChoice(name, Optional.empty(), ""), Origin.OWN, reason(key, e)));
      }
    });
    return new OfKey(candidates, refused);
  }

  /** The file of a candidate of that name; empty for a program of the library. */
  Optional<Path> file(String name) {
    return Optional.ofNullable(files.get(name));
  }
}
