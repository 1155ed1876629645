package dev.oriel.it.suite;

import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.placement.BufferOffsets;
import dev.oriel.domain.placement.InPlace;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.rewrite.ReductionEdits;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.ShippedProgram;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.it.run.CheckedLaunch;
import dev.oriel.ports.Executor;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Every shipped program, in every world and size of one grid, launched repeatedly on one machine.
 * Reducing programs also run with every operator and every type of elements. Each program also runs
 * in place and at an odd address, where it supports that.
 */
final class ProgramSuite {
  /**
   * Nothing, less than an element for each rank, shares that end at odd addresses, whole packets,
   * and several steps of each thread.
   */
  static final List<Long> BYTES = List.of(0L, 1L, 4L, 20L, 1000L, 4099L, 65_536L, 1_048_583L);

  /** Sizes for other operators and other elements. */
  private static final List<Long> OTHERS = List.of(24L, 4104L);

  /** Sizes for other places of the caller's memory. */
  private static final List<Long> PLACED = List.of(20L, 4099L);

  /** Offsets to try; the first at which a program's elements and words are aligned is used. */
  private static final List<Long> OFFSETS = List.of(1L, 2L, 4L, 8L);

  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final List<Entry> entries = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();

  private ProgramSuite() {}

  /** One program, as the command spells it. */
  record Entry(String name, Form form, int element, List<Long> sizes) {
    Entry with(List<Long> others) {
      return new Entry(name, form, element, others);
    }
  }

  static Entry entry(String name, Form form) {
    int element = ReductionEdits.first(form).map(reduce -> reduce.type().bytes()).orElse(1);
    return new Entry(name, form, element, form.params().isEmpty() ? List.of(0L) : BYTES);
  }

  /**
   * The result of one program, world and size.
   *
   * @param launches the number of launches made
   * @param problems of the first launch that was wrong; empty if all were right
   * @param refusal why there was no launch; empty if there was one
   */
  record Result(long bytes, int launches, List<String> problems, String refusal) {}

  List<Entry> entries() {
    return entries;
  }

  /** The features that no program expresses, with the reasons. */
  List<String> skipped() {
    return skipped;
  }

  /** Only the listed programs, each in its own size. */
  static ProgramSuite listed(CommandSpec spec) {
    ProgramSuite suite = new ProgramSuite();
    suite.entries.addAll(ListedPrograms.entries(spec));
    return suite;
  }

  static ProgramSuite shipped(CommandSpec spec) {
    ProgramSuite suite = new ProgramSuite();
    for (ShippedProgram program : ShippedProgram.ALL) {
      String name = program.name();
      Form form = ProgramTexts.shipped(spec, name);
      Entry entry = entry(name, form);
      suite.entries.add(entry);
      if (ReductionEdits.first(form).isPresent()) {
        suite.addOthers(name, form);
      }
      suite.addInPlace(program, entry);
      suite.addMisaligned(entry);
    }
    return suite;
  }

  private void addOthers(String name, Form form) {
    for (DataType type : DataType.values()) {
      for (ReduceOp op : ReduceOp.values()) {
        String options =
            " --type %s --op %s".formatted(OptionSpellings.lower(type), OptionSpellings.lower(op));
        try {
          entries.add(
              new Entry(name + options, ReductionEdits.with(form, op, type), type.bytes(), OTHERS));
        } catch (ProgramException e) {
          skipped.add(name + options + ": " + e.getMessage());
        }
      }
    }
  }

  private void addInPlace(ShippedProgram program, Entry entry) {
    String name = entry.name + " --in-place";
    if (!program.apart().isEmpty()) {
      skipped.add(name + ": " + program.apart());
      return;
    }
    try {
      entries.add(new Entry(name, InPlace.of(entry.form), entry.element, PLACED));
    } catch (ProgramException e) {
      skipped.add(name + ": " + e.getMessage());
    }
  }

  /**
   * Adds a variant with every buffer of the caller as close after a multiple of 16 as it can begin.
   */
  private void addMisaligned(Entry entry) {
    if (BufferOffsets.everywhere(entry.form, 0).isEmpty()) {
      return;
    }
    OFFSETS.stream()
        .flatMap(offset -> after(entry, offset).stream())
        .findFirst()
        .ifPresent(entries::add);
  }

  /** Empty if words or elements would not be aligned, according to the binding. */
  private static Optional<Entry> after(Entry entry, long offset) {
    try {
      Form moved = BufferOffsets.of(entry.form, BufferOffsets.everywhere(entry.form, offset));
      Entry other = new Entry(entry.name + " --offset " + offset, moved, entry.element, PLACED);
      Program ignored = bound(other, Topology.grid(1, 2), PLACED.getFirst());
      return Optional.of(other);
    } catch (ProgramException e) {
      return Optional.empty();
    }
  }

  /**
   * The number of launches of each program.
   *
   * @param checked each on fresh inputs, with all promises checked by the host
   * @param drilled after these, from graphs, checked on the GPU; at least that many
   */
  record Launches(int checked, int drilled) {}

  /** Launches the program that often and checks all its promises each time. */
  static Result run(
      Executor executor,
      Entry entry,
      Topology topology,
      long bytes,
      Launches launches,
      SplittableRandom random) {
    int launched = 0;
    try {
      Program program = bound(entry, topology, bytes);
      try (Executor.Instance instance = executor.prepare(program, topology)) {
        AlternatingLaunches replays = AlternatingLaunches.of(instance);
        while (launched < launches.checked()) {
          launched++;
          List<String> problems =
              new CheckedLaunch(program, instance, random.split())
                  .run(() -> replays.next(DEADLINE));
          if (!problems.isEmpty()) {
            return wrong(instance, bytes, launched, problems);
          }
        }
        if (launches.drilled() > 0 && instance instanceof CudaInstance gpus) {
          StressRunner stress = new StressRunner(program, gpus, launches.drilled(), random.split());
          while (launched < launches.checked() + launches.drilled()) {
            launched += stress.launches();
            List<String> problems = stress.run(DEADLINE);
            if (!problems.isEmpty()) {
              return wrong(instance, bytes, launched, problems);
            }
          }
        }
      }
      return new Result(bytes, launched, List.of(), "");
    } catch (ProgramException | MachineException e) {
      return new Result(bytes, launched, List.of(), String.valueOf(e.getMessage()));
    }
  }

  private static Result wrong(
      Executor.Instance instance, long bytes, int launched, List<String> problems) {
    instance.abort("an output is not as promised: " + problems.getFirst());
    return new Result(bytes, launched, problems, "");
  }

  private static Program bound(Entry entry, Topology topology, long bytes) {
    Map<String, Long> params = new TreeMap<>();
    for (Form.Param param : entry.form.params()) {
      long value =
          param.name().equals("B")
              ? bytes - bytes % entry.element
              : ProgramOptions.representative(param, topology);
      params.put(param.name(), Math.min(value, param.max()));
    }
    return Program.bind(entry.form, topology.world(), params);
  }
}
