package dev.oriel.it.suite;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.measure.ResourceMeter;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.run.CheckedLaunch;
import dev.oriel.ports.Executor;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.CaseStudyCatalogue;
import dev.oriel.sim.museum.CaseStudyPrograms;
import dev.oriel.sim.museum.CaseStudyReview;
import dev.oriel.sim.museum.ProgramResult;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The museum's repaired programs on a machine. Most are for one or two launches on fresh memory, so
 * each run prepares the program anew. The final memory is compared with that of every order of
 * steps. If orders differ, the program's own checks and its termination must suffice.
 *
 * <p>Broken programs are not run: on hardware they may wait forever, or write to wrong addresses.
 */
final class RepairedProgramSuite {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  /** A program that depends on the order shows another result in about one of this many orders. */
  private static final int ORDERS = 100;

  private static final Pattern JUDGES = Pattern.compile("\\b(check|ensure|else [0-9]+)\\b");

  private final Executor executor;
  private final boolean networked;
  private final int runs;
  private final PrintWriter out;
  private final PrintWriter wrongs;
  private final Map<Judge, Integer> judged = new TreeMap<>();
  private int ran;
  private int launches;
  private int wrong;
  private int skipped;

  /** The criterion for the result of a repaired program. */
  enum Judge {
    /** All of memory. */
    MEMORY,
    /** The program's checks or promises. */
    PROGRAM,
    /** Its termination. */
    END;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param networked whether ranks may be on several hosts, as in the exhibit; else all are on one
   * @param runs of each repaired program
   */
  RepairedProgramSuite(
      Executor executor, boolean networked, int runs, PrintWriter out, PrintWriter wrongs) {
    this.executor = executor;
    this.networked = networked;
    this.runs = runs;
    this.out = out;
    this.wrongs = wrongs;
  }

  /** Runs the programs whose names contain that word. */
  int run(String only, SplittableRandom random) {
    out.printf(
        "machine  %s; %s; runs=%d of each twin, prepared anew; broken programs are not run%n",
        executor.name(), ResourceMeter.machine(), runs);
    for (CaseStudy exhibit : CaseStudyCatalogue.read().exhibits()) {
      if (exhibit.id().contains(only)) {
        twin(exhibit, random.split());
        out.flush();
      }
    }
    out.printf(
        "museum: twins=%d, ran=%d, launches=%d, wrong=%d, left out=%d; judged by %s%n",
        ran + skipped, ran, launches, wrong, skipped, judges());
    if (ran == 0) {
      return ExitCodes.ENVIRONMENT;
    }
    return wrong == 0 ? ExitCodes.FINE : ExitCodes.VIOLATION;
  }

  private String judges() {
    return String.join(
        ", ", judged.entrySet().stream().map(e -> e.getKey().word() + "=" + e.getValue()).toList());
  }

  private void twin(CaseStudy exhibit, SplittableRandom random) {
    String name = exhibit.id();
    Optional<String> why = unfit(exhibit);
    if (why.isPresent()) {
      leaveOut(name, why.get());
      return;
    }
    CaseStudyPrograms showcase = exhibit.showcase().orElseThrow();
    Topology topology = Topology.parse(world(showcase));
    Program program;
    try {
      program = Program.bind(FormParser.parse(showcase.edit().twin()), topology.world(), Map.of());
      executor.prepare(program, topology).close();
    } catch (ProgramException | MachineException e) {
      leaveOut(name, String.valueOf(e.getMessage()));
      return;
    }
    // If preparation succeeds, a failing launch is an error; it does not exclude the program.
    List<String> problems = problems(exhibit, program, topology, random);
    ran++;
    wrong += problems.isEmpty() ? 0 : 1;
    problems.forEach(problem -> wrongs.printf("  wrong: %s: %s%n", name, problem));
  }

  private void leaveOut(String name, String why) {
    skipped++;
    out.printf("left out %-16s %s%n", name, why);
  }

  /** Why a repaired program cannot, or must not, be run. */
  private Optional<String> unfit(CaseStudy exhibit) {
    if (exhibit.showcase().isEmpty()) {
      return Optional.of("no program says it: " + exhibit.reason());
    }
    CaseStudyPrograms showcase = exhibit.showcase().get();
    if (!showcase.faults().toString().equals("none")
        || showcase.timeouts() != TimeoutPolicy.NEVER) {
      return Optional.of(
          "it is about what goes wrong: faults=%s, timeouts=%s"
              .formatted(showcase.faults(), showcase.timeouts().spelling()));
    }
    String world = world(showcase);
    if (world.equals(showcase.world())) {
      return Optional.empty();
    }
    ProgramResult shown = CaseStudyReview.twin(showcase, world);
    return shown.passed()
        ? Optional.empty()
        : Optional.of(
            "not right on one host: world=%s, found=%s: %s"
                .formatted(world, shown.kind(), shown.message()));
  }

  private String world(CaseStudyPrograms showcase) {
    return networked ? showcase.world() : "1x" + Topology.parse(showcase.world()).world();
  }

  /** The errors of the first run that had any. */
  private List<String> problems(
      CaseStudy exhibit, Program program, Topology topology, SplittableRandom random) {
    CaseStudyPrograms showcase = exhibit.showcase().orElseThrow();
    int times = showcase.launches();
    List<String> data = data(program, topology, times, random.split());
    Judge judge = otherwise(program);
    List<String> problems = List.of();
    int made = 0;
    for (int run = 0; run < runs && problems.isEmpty(); run++) {
      RepairedProgramStart start = RepairedProgramStart.draw(program, times, data, random.split());
      Optional<DeterministicOutcome> sole =
          soleEnd(program, topology, start, random.split()).filter(DeterministicOutcome::changes);
      judge = sole.isPresent() ? Judge.MEMORY : judge;
      try (Executor.Instance instance = executor.prepare(program, topology)) {
        for (int launch = 0; launch < times && problems.isEmpty(); launch++) {
          problems = launched(instance, start, sole, launch);
          made++;
        }
      }
    }
    launches += made;
    judged.merge(judge, 1, Integer::sum);
    out.printf(
        "%-16s world=%s, launches=%d, judged by %s, wrong=%d%n",
        exhibit.id(), world(showcase), made, judge.word(), problems.isEmpty() ? 0 : 1);
    return problems;
  }

  /**
   * Own buffers that may begin with any bytes. In a buffer with flags or packets, random bytes
   * could end a wait too early or never. The program would then end in another way, or not at all.
   */
  private static List<String> data(
      Program program, Topology topology, int times, SplittableRandom random) {
    List<String> data = new ArrayList<>();
    for (String buffer : RepairedProgramStart.own(program)) {
      data.add(buffer);
      RepairedProgramStart start = RepairedProgramStart.draw(program, times, data, random.split());
      if (soleEnd(program, topology, start, random.split()).isEmpty()) {
        data.removeLast();
      }
    }
    return data;
  }

  private static Judge otherwise(Program program) {
    return JUDGES.matcher(FormPrinter.print(program.form())).find() ? Judge.PROGRAM : Judge.END;
  }

  private static List<String> launched(
      Executor.Instance instance,
      RepairedProgramStart start,
      Optional<DeterministicOutcome> sole,
      int launch) {
    for (int rank : instance.ranks()) {
      start.before(launch, rank).forEach((buffer, bytes) -> instance.write(rank, buffer, 0, bytes));
    }
    List<String> problems =
        new ArrayList<>(CheckedLaunch.ends(instance.ranks(), instance.launch(DEADLINE)));
    if (problems.isEmpty()) {
      problems.addAll(new CheckedLaunch(start.exercises().get(launch), instance).problems());
      sole.ifPresent(end -> problems.addAll(end.problems(instance, launch)));
    }
    if (!problems.isEmpty()) {
      instance.abort("an output is not as promised: " + problems.getFirst());
    }
    return problems;
  }

  /** Empty also if the host cannot execute it. */
  private static Optional<DeterministicOutcome> soleEnd(
      Program program, Topology topology, RepairedProgramStart start, SplittableRandom random) {
    try {
      return DeterministicOutcome.of(program, topology, start, ORDERS, random);
    } catch (MachineException e) {
      return Optional.empty();
    }
  }
}
