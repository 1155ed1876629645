package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.CaseStudyCatalogue;
import dev.oriel.sim.museum.CaseStudyPrograms;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.mutate.MutantGenerator;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.ExecutionShrinker;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The smaller program that a check prints still has the mistake. With {@code -Doriel.shrink=N} all
 * broken programs of the museum and one mutant in N are taken, and the smaller programs are
 * printed.
 */
class SmallerProgramsTest {
  private static final int ASKED = Integer.getInteger("oriel.shrink", 0);

  /** Kinds of findings that are about bytes. */
  private static final Set<String> ON_DATA = Set.of("race", "sum", "value", "atomicity");

  private static final Budget BUDGET = new Budget(20, 20_000, 100_000, 50_000_000);

  /** One failing program, the mistake in it, and the smaller program if one was found. */
  private record Reduced(String mistake, String kind, Form from, Optional<Form> cut) {
    String text() {
      return FormPrinter.print(cut.orElseThrow()).replaceFirst("form \\w+", "form");
    }
  }

  @Test
  void smallerProgramsOfTheMuseumKeepTheMistake() {
    List<Reduced> all = new ArrayList<>();
    for (CaseStudy exhibit : CaseStudyCatalogue.read().exhibits()) {
      if (exhibit.showcase().isPresent() && taken(exhibit.id(), ASKED > 0 ? 1 : 6, 2)) {
        CaseStudyPrograms p = exhibit.showcase().get();
        ExecutionSettings settings =
            new ExecutionSettings(p.profile(), p.launches(), DetectorSet.ALL, p.timeouts());
        try {
          Form form = FormParser.parse(p.edit().broken());
          reduced(exhibit.id(), form, p.world(), Map.of(), p.strategy(), settings, p.faults())
              .ifPresent(all::add);
        } catch (ProgramException e) {
          // The exhibit's program is refused, so no execution fails.
          assertThat(p.alarm().toString()).containsIgnoringCase("refused");
        }
      }
    }
    assertThat(judge("museum", all)).isEmpty();
  }

  @Test
  void smallerProgramsOfMutantsKeepTheMistake() {
    List<Reduced> all = new ArrayList<>();
    for (Correct program : CorrectPrograms.collectives()) {
      Correct small = program.small();
      List<Mutant> mutants = MutantGenerator.of(small.form());
      for (int i = 0; i < mutants.size(); i++) {
        String name = program + ": " + mutants.get(i).name();
        if (taken(name, ASKED > 0 ? ASKED : 60, 15)) {
          String world = program.worlds().contains("2x1") && i % 2 == 0 ? "2x1" : "1x2";
          mutant(name, mutants.get(i).form(), world, small.params()).ifPresent(all::add);
        }
      }
    }
    assertThat(judge("mutants", all)).hasSizeLessThanOrEqualTo(all.size() / 20);
  }

  /** Without the lines that advance its counters, a pipeline would have another mistake. */
  @Test
  void aSmallerPipelineStillCounts() {
    String text =
        """
        form pipeline
        param B <= 64
        input in[B]
        output out[B]
        scratch slot[16]
        signal FULL[1]
        ensure out[0] = in@((r - 1) % n)[0] bytes B
        lane send: sm(32) {
          state sent
          let succ = (r + 1) % n
          for t < ceil(B, 8) {
            move slot@succ[sent % 2 * 8] <- in[t * 8] bytes min(8, B - t * 8)
            set sent = sent + 1
            signal FULL[0]@succ set sent release
          }
        }
        lane receive: sm(32) {
          state taken
          let pred = (r - 1) % n
          for t < ceil(B, 8) {
            await FULL[0]@pred reached taken + 1 acquire
            move out[t * 8] <- slot[taken % 2 * 8] bytes min(8, B - t * 8)
            set taken = taken + 1
          }
        }
        """;
    Reduced reduced =
        mutant("pipeline", FormParser.parse(text), "1x2", Map.of("B", 40L)).orElseThrow();
    assertThat(reduced.text()).contains("set sent = sent + 1", "set taken = taken + 1");
  }

  private static Optional<Reduced> mutant(
      String name, Form form, String world, Map<String, Long> params) {
    ExecutionSettings settings =
        new ExecutionSettings(Profile.L2, 2, DetectorSet.ALL, TimeoutPolicy.NEVER);
    try {
      for (Strategy strategy : List.of(Strategy.FIFO, Strategy.SYNCHRONISATION)) {
        Optional<Reduced> found =
            reduced(name, form, world, params, strategy, settings, FaultPlan.NONE);
        if (found.isPresent()) {
          return found;
        }
      }
    } catch (ProgramException | MachineException e) {
      // Binding refuses the mutant, so no execution fails.
      return Optional.empty();
    }
    return Optional.empty();
  }

  private static Optional<Reduced> reduced(
      String name,
      Form form,
      String world,
      Map<String, Long> params,
      Strategy strategy,
      ExecutionSettings settings,
      FaultPlan faults) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), params);
    CheckReport report =
        new Checker(strategy, BUDGET, 1, settings, faults, CampaignShard.WHOLE)
            .explore(program, topology);
    String kind = report.verdict().violation().map(v -> v.kind()).orElse("");
    return report
        .found()
        .flatMap(CheckReport.Found::token)
        .map(token -> ExecutionShrinker.shrink(token, form, ExecutionShrinker.BUDGET).cut())
        .map(cut -> new Reduced(name, kind, form, cut.map(ExecutionShrinker.Small::form)));
  }

  /** Whether a case is in the sample: one in {@code quick}, or in {@code thorough}. */
  private static boolean taken(String name, int quick, int thorough) {
    int every = ASKED > 0 ? quick : Thorough.count(quick, thorough);
    return Math.floorMod(name.hashCode(), every) == 0;
  }

  private static boolean data(Op op) {
    return op instanceof Op.Move
        || op instanceof Op.Load
        || op instanceof Op.Store
        || op instanceof Call.Put
        || op instanceof Call.Get
        || op instanceof Call.Change
        || op instanceof Call.Bulk
        || op instanceof Call.LoadStrong
        || op instanceof Call.StoreStrong;
  }

  private static boolean waits(Op op) {
    return op instanceof Op.Await
        || op instanceof Call.Wait
        || op instanceof Op.AwaitTicket
        || op instanceof Op.Flush
        || op instanceof Call.Quiet
        || op instanceof Call.Fence
        || op instanceof Op.Let
        || op instanceof Op.If
        || op instanceof Op.For
        || op instanceof Op.Each;
  }

  private static List<Op> operations(Form form) {
    return RewriteSite.of(form).stream().map(RewriteSite::op).toList();
  }

  /** Prints the counts; returns the mistakes whose text another kind of mistake has too. */
  private static List<String> judge(String name, List<Reduced> all) {
    List<Reduced> printed = all.stream().filter(r -> r.cut().isPresent()).toList();
    List<String> empty = new ArrayList<>();
    List<String> dataless = new ArrayList<>();
    List<String> waiting = new ArrayList<>();
    Map<String, Set<String>> texts = new TreeMap<>();
    for (Reduced one : printed) {
      List<Op> ops = operations(one.cut().orElseThrow());
      if (ops.isEmpty()) {
        empty.add(one.mistake());
      } else if (ops.stream().allMatch(SmallerProgramsTest::waits)) {
        waiting.add(one.mistake());
      }
      if (ON_DATA.contains(one.kind()) && ops.stream().noneMatch(SmallerProgramsTest::data)) {
        dataless.add(one.mistake());
      }
      texts.computeIfAbsent(one.text(), text -> new TreeSet<>()).add(kind(one.mistake()));
      if (ASKED > 0) {
        System.out.printf("-- %s (%s)%n%s%n", one.mistake(), one.kind(), one.text());
      }
    }
    List<String> shared =
        printed.stream()
            .filter(one -> texts.getOrDefault(one.text(), Set.of()).size() > 1)
            .map(Reduced::mistake)
            .toList();
    System.out.printf(
        "%s: failing=%d, printed=%d, without operations=%d, waits alone=%d, without data=%d, with the text of another mistake=%d%n",
        name,
        all.size(),
        printed.size(),
        empty.size(),
        waiting.size(),
        dataless.size(),
        shared.size());
    assertThat(printed).isNotEmpty();
    assertThat(empty).isEmpty();
    assertThat(waiting).isEmpty();
    assertThat(dataless).isEmpty();
    return shared;
  }

  /** The kind of mistake, without its program and place. */
  private static String kind(String mistake) {
    return mistake.replaceFirst("^.*: ", "").replaceFirst("\\.\\d+ at .*", "");
  }
}
