package dev.oriel.it.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.MachineKind;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The suite passes on a correct machine, and finds the faults of a wrong one. */
class ProgramSuiteTest {
  private final StringWriter out = new StringWriter();

  private int oriel(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(out, true));
  }

  @Test
  void countsEveryCaseAndLaunch() {
    assertThat(oriel("suite", "--only", "push-allgather", "--worlds", "1x1,2x1", "--launches", "2"))
        .isZero();
    assertThat(out.toString()).contains("suite: cases=24, launches=48, wrong=0, refused=0");
  }

  /** This counts the forms, for the statement that all are tried. */
  @Test
  void triesAllProgramsInPlaceAndAtOddAddresses() {
    for (String form : new String[] {"--in-place", "--offset"}) {
      assertThat(oriel("suite", "--only", form, "--worlds", "3+1", "--launches", "2")).isZero();
    }
    assertThat(out.toString())
        .contains("left out sendrecv --in-place: what has come is put where a network interface")
        .contains("left out alltoallv --in-place: no form in place")
        .contains("allgather --offset 1 ", "allreduce --offset 4 ", "alltoallv --offset 8 ")
        .contains("suite: cases=64, launches=128, wrong=0, refused=0")
        .contains("suite: cases=88, launches=176, wrong=0, refused=0");
  }

  @Test
  void takesWorldsOfEveryShape() {
    String[] suite = {
      "suite", "--only", "rail-", "--bytes", "24", "--launches", "1", "--worlds", "3+1,2x2"
    };
    assertThat(oriel(suite)).isZero();
    String cases = "cases=92, launches=92, wrong=0, refused=0";
    assertThat(out.toString()).contains("suite: " + cases);
    assertThat(oriel("suite", "--only", "ring", "--worlds", "1x1,0,2/1,3", "--launches", "1"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(
            oriel(
                "suite",
                "--only",
                "push-allg",
                "--bytes",
                "8",
                "--launches",
                "1",
                "--worlds",
                "1x2",
                "--worlds",
                "0,2/1,3"))
        .isZero();
    assertThat(out.toString()).contains("suite: cases=6, launches=6, wrong=0, refused=0");
  }

  /**
   * Every program that fits any world is in the list; programs that are launched often are small.
   */
  @Test
  void launchesAListOften() {
    int all = ProgramTexts.names().size() - 1;
    assertThat(oriel("suite", "--listed", "--worlds", "1x3", "--launches", "4")).isZero();
    assertThat(out.toString())
        .contains("suite: cases=%1$d, launches=%2$d, wrong=0, refused=0".formatted(all, 4 * all));
  }

  @Test
  void reportsCombinationsWithoutAProgram() {
    assertThat(
            oriel(
                "suite",
                "--only",
                "ring-allreduce --type int8 --op",
                "--worlds",
                "1x3",
                "--launches",
                "1"))
        .isZero();
    assertThat(out.toString())
        .contains("left out ring-allreduce --type int8 --op avg: an average in steps")
        .contains("suite: cases=8, launches=8, wrong=0, refused=0");
  }

  @Test
  void reportsRejections() {
    String[] suite = {
      "suite", "--only", "push-alltoall", "--worlds", "1x2", "--launches", "1", "--bytes", "8,-5"
    };
    assertThat(oriel(suite)).isZero();
    assertThat(out.toString())
        .contains(
            "push-alltoall                                 cases=2, launches=1, wrong=0, refused=1")
        .contains("  refused: ");
  }

  /** A caller that reads only the exit code must not take an empty run for success. */
  @Test
  void aRunWithRejectionsOnlyIsNoSuccess() {
    assertThat(oriel("suite", "--only", "push-alltoall", "--worlds", "1x2", "--bytes", "-5"))
        .isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(out.toString())
        .contains("suite: cases=2, launches=0, wrong=0, refused=2")
        .contains("every case was refused: cases=2");
  }

  @Test
  void stressRunsAreForGpusOnly() {
    assertThat(oriel("suite", "--drilled", "100")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString()).contains("option=--drilled, machine=sequential");
  }

  @Test
  void knowsItsNames() {
    assertThat(oriel("suite", "--only", "nonsense")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString()).contains("no such program: only=nonsense");
  }

  @Test
  void findsOneWrongByteInOneLaunch() {
    Topology topology = Topology.parse("1x3");
    CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();
    ProgramSuite.Entry entry = ProgramSuite.shipped(spec).entries().getFirst();
    try (Executor wrong =
        new WrongInTheSecond(MachineKind.SEQUENTIAL.open(FabricListener.NONE), false)) {
      ProgramSuite.Result result =
          ProgramSuite.run(
              wrong, entry, topology, 20, new ProgramSuite.Launches(5, 0), new SplittableRandom(3));
      assertThat(result.launches()).isEqualTo(2);
      assertThat(result.problems()).hasSize(1).first().asString().startsWith("wrong byte: rank=1");
    }
  }

  /** This counts the museum's programs that fit one host. */
  @Test
  void runsTheRepairedProgramsOfTheMuseum() {
    assertThat(oriel("suite", "--museum", "--launches", "1")).isZero();
    assertThat(out.toString())
        .contains("runs=1 of each twin, prepared anew; broken programs are not run")
        .contains("left out B83              no program says it: ")
        .contains("left out B82              it is about what goes wrong: faults=crash rank=1")
        .containsPattern("B54 +world=1x2, launches=4, judged by end, wrong=0")
        .containsPattern("B56 +world=1x2, launches=4, judged by memory, wrong=0")
        .contains(
            "museum: twins=108, ran=102, launches=", "wrong=0, left out=6; judged by memory=8");
    assertThat(oriel("suite", "--museum", "--listed")).isEqualTo(ExitCodes.WRONG_USE);
  }

  /**
   * Few repaired programs have a post-condition: their results are known from executions in many
   * orders.
   */
  @Test
  void findsOneWrongByteOfARepairedProgram() {
    try (Executor wrong =
        new WrongInTheSecond(MachineKind.SEQUENTIAL.open(FabricListener.NONE), false)) {
      PrintWriter writer = new PrintWriter(out, true);
      RepairedProgramSuite suite = new RepairedProgramSuite(wrong, false, 3, writer, writer);
      assertThat(suite.run("B56", new SplittableRandom(1))).isEqualTo(ExitCodes.VIOLATION);
    }
    assertThat(out.toString())
        .containsPattern("B56 +world=1x2, launches=2, judged by memory, wrong=1")
        .contains("  wrong: B56: wrong byte: rank=1, buffer=")
        .contains("museum: twins=1, ran=1, launches=2, wrong=1, left out=0; judged by memory=1");
  }

  /** A program that was accepted and then fails to launch is not an omitted one. */
  @Test
  void aRepairedProgramThatFailsToLaunchEndsTheSuite() {
    try (Executor wrong =
        new WrongInTheSecond(MachineKind.SEQUENTIAL.open(FabricListener.NONE), true)) {
      PrintWriter writer = new PrintWriter(out, true);
      RepairedProgramSuite suite = new RepairedProgramSuite(wrong, false, 1, writer, writer);
      assertThatThrownBy(() -> suite.run("B56", new SplittableRandom(1)))
          .isInstanceOf(MachineException.class)
          .hasMessageStartingWith("the launch failed");
    }
  }

  /** Programs whose result depends on the order of ranks have no single result to compare with. */
  @Test
  void programsThatDependOnTheOrderHaveNoSingleResult() {
    assertThat(end("set")).isEmpty();
    assertThat(end("add")).isPresent();
  }

  /** Both ranks change the same word of rank 0. */
  private static Optional<DeterministicOutcome> end(String change) {
    String text =
        """
        form both
        scratch word[8]
        barrier all_in
        lane main: sm(32) {
          atomic word@0[0] %s r + 1
          barrier all_in
        }
        """
            .formatted(change);
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    SplittableRandom random = new SplittableRandom(1);
    RepairedProgramStart start = RepairedProgramStart.draw(program, 1, List.of(), random);
    return DeterministicOutcome.of(program, Topology.grid(1, 2), start, 40, random);
  }

  /**
   * One byte of rank 1's second launch differs from the machine's result.
   *
   * @param refuses if set, rejects every launch instead
   */
  private record WrongInTheSecond(Executor right, boolean refuses) implements Executor {
    @Override
    public String name() {
      return "wrong";
    }

    @Override
    public Instance prepare(Program program, Topology topology) {
      Instance instance = right.prepare(program, topology);
      return new Instance() {
        private int launches;

        @Override
        public List<Integer> ranks() {
          return instance.ranks();
        }

        @Override
        public void write(int rank, String buffer, long offset, byte[] bytes) {
          instance.write(rank, buffer, offset, bytes);
        }

        @Override
        public byte[] read(int rank, String buffer, long offset, int length) {
          byte[] bytes = instance.read(rank, buffer, offset, length);
          if (launches == 2 && rank == 1 && offset == 0) {
            bytes[length - 1] ^= 1;
          }
          return bytes;
        }

        @Override
        public List<Outcome> launch(Duration deadline) {
          launches++;
          if (refuses) {
            throw new MachineException("the launch failed; nothing to do");
          }
          return instance.launch(deadline);
        }

        @Override
        public void abort(String cause) {
          instance.abort(cause);
        }

        @Override
        public void close() {
          instance.close();
        }
      };
    }

    @Override
    public void close() {
      right.close();
    }
  }
}
