package dev.oriel.it.options;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.ProgramChoice;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.ports.TuningStore;
import dev.oriel.ports.tuning.Tuner;
import dev.oriel.sim.store.MemoryTuningStore;
import dev.oriel.sim.tuning.TimedCost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * A program named by its purpose: {@code auto:allgather}, or {@code auto:allgather@LINKS} to choose
 * by the costs of other links.
 */
final class AutoProgram {
  static final String AUTO = "auto:";

  private final CommandSpec spec;
  private final Collective collective;
  private final TimedCost cost;

  AutoProgram(CommandSpec spec, String name) {
    this.spec = spec;
    String[] parts = name.substring(AUTO.length()).split("@", 2);
    collective = CollectivePrograms.collective(spec, parts[0]);
    cost = new TimedCost(LinkOptions.model(spec, parts.length == 2 ? parts[1] : "h200"));
  }

  /** Whether the name has that form. */
  static boolean named(String name) {
    return name.startsWith(AUTO);
  }

  /**
   * The form chosen for that many bytes; an entry in {@code tuning} has priority, and among entries
   * a measured one.
   */
  Form form(
      Topology topology,
      long bytes,
      @Nullable DataType type,
      @Nullable ReduceOp operator,
      @Nullable Path tuning) {
    Optional<TuningKey.Element> element =
        CollectivePrograms.element(spec, collective, type, operator);
    List<CandidateProgram> candidates = CollectivePrograms.of(spec, collective);
    TuningKey key = TuningKey.of(collective, bytes, element, topology, cost.device());
    TuningStore store = new MemoryTuningStore();
    if (tuning != null) {
      TuningFile file = kept(tuning);
      Optional<ProgramChoice> measured = measured(file, key, topology, candidates);
      if (measured.isPresent()) {
        return measured.get().among(candidates).form(element, measured.get().lanes());
      }
      store = file;
    }
    Tuner.Decision decision = new Tuner(store, cost).choose(key, topology, candidates);
    decision.ignored().ifPresent(this::ignored);
    return decision.choice().among(candidates).form(element, decision.choice().lanes());
  }

  private void ignored(String reason) {
    spec.commandLine().getErr().println("oriel: a kept choice is ignored: " + reason);
  }

  /** The measured choice, if the file has one that can run. */
  private Optional<ProgramChoice> measured(
      TuningFile file, TuningKey key, Topology topology, List<CandidateProgram> candidates) {
    List<String> gpus = file.measured(key);
    if (gpus.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "choices of several kinds of GPU: option=--tuning, gpus=%s; keep a file for each kind"
              .formatted(gpus));
    }
    if (gpus.isEmpty()) {
      return Optional.empty();
    }
    TuningKey measured = key.measuredOn(gpus.getFirst());
    Tuner.Decision decision = new Tuner(file, cost).choose(measured, topology, candidates);
    decision.ignored().ifPresent(this::ignored);
    return decision.kept() ? Optional.of(decision.choice()) : Optional.empty();
  }

  private TuningFile kept(Path tuning) {
    if (!Files.isRegularFile(tuning)) {
      throw new ParameterException(
          spec.commandLine(),
          "no such file: option=--tuning, path=%s; oriel tune --keep writes one".formatted(tuning));
    }
    return new TuningFile(tuning);
  }
}
