package dev.oriel.it;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Claim;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Space;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.sim.sequential.SequentialExecutor;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel run}: launches a program on a machine, checks every output byte, and times it. */
@Command(
    name = "run",
    description = "Launch a program on fresh random inputs, check every output byte, time it.",
    mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

  /** Where to run. */
  enum Machine {
    SEQUENTIAL,
    CUDA
  }

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();

  @Option(
      names = "--machine",
      defaultValue = "sequential",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Machine machine = Machine.SEQUENTIAL;

  @Option(
      names = "--launches",
      defaultValue = "3",
      description = "launches, each checked (default: ${DEFAULT-VALUE})")
  private int launches;

  @Option(
      names = "--graph",
      defaultValue = "0",
      description = "calls recorded into one graph and timed; cuda only (default: none)")
  private int calls;

  @Option(
      names = "--replays",
      defaultValue = "11",
      description = "timed replays of the graph, median printed (default: ${DEFAULT-VALUE})")
  private int replays;

  @Option(names = "--seed", defaultValue = "1", description = "(default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--deadline",
      defaultValue = "30",
      description = "seconds that a launch may last (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Override
  public Integer call() {
    Numbers.atLeast(spec, "--launches", 1, launches);
    Numbers.atLeast(spec, "--graph", 0, calls);
    Numbers.atLeast(spec, "--replays", 1, replays);
    Numbers.atLeast(spec, "--deadline", 1, seconds);
    if (calls > 0 && machine != Machine.CUDA) {
      throw new ParameterException(
          spec.commandLine(),
          "no graphs here: option=--graph, machine=sequential; use --machine cuda");
    }
    PrintWriter out = spec.commandLine().getOut();
    Program program = options.bind();
    out.printf(
        "program  %s, %d ranks, %s, digest %s%n",
        program.form().name(), program.world(), program.params(), program.digest());
    SplittableRandom random = new SplittableRandom(seed);
    try (Executor executor = executor();
        Executor.Instance instance = executor.prepare(program, options.topology())) {
      for (int launch = 1; launch <= launches; launch++) {
        CheckedLaunch checked = new CheckedLaunch(program, instance, random.split());
        List<String> problems = checked.run(Duration.ofSeconds(seconds));
        if (!problems.isEmpty()) {
          out.printf("verdict  VIOLATION in launch %d%n", launch);
          problems.forEach(p -> out.printf("         %s%n", p));
          return Main.VIOLATION;
        }
      }
      out.printf("checked  launches=%d, every output byte as promised%n", launches);
      if (calls > 0 && instance instanceof CudaInstance cuda) {
        return timed(out, program, cuda, random);
      }
    }
    return Main.FINE;
  }

  private Executor executor() {
    return switch (machine) {
      case SEQUENTIAL -> new SequentialExecutor(FabricListener.NONE, System::nanoTime);
      case CUDA -> CudaExecutor.open(FabricListener.NONE, System::nanoTime);
    };
  }

  private int timed(PrintWriter out, Program program, CudaInstance cuda, SplittableRandom random) {
    CudaInstance.Replay replay = cuda.record(calls);
    CheckedLaunch checked = new CheckedLaunch(program, cuda, random.split());
    checked.fill();
    replay.run();
    List<Double> micros = new ArrayList<>();
    for (int i = 0; i < replays; i++) {
      micros.add(replay.run().toNanos() / 1e3 / calls);
    }
    micros.sort(null);
    List<String> problems = checked.problems();
    out.printf(
        "timed    us per call: median=%.2f, min=%.2f, max=%.2f; calls=%d, replays=%d%n",
        micros.get(micros.size() / 2), micros.getFirst(), micros.getLast(), calls, replays);
    problems.forEach(p -> out.printf("         %s%n", p));
    out.printf(
        "verdict  %s%n", problems.isEmpty() ? "outputs right after the last replay" : "VIOLATION");
    return problems.isEmpty() ? Main.FINE : Main.VIOLATION;
  }

  /** Random inputs and poisoned outputs before a launch, the program's claims after it. */
  private static final class CheckedLaunch {
    private final Program program;
    private final Executor.Instance instance;
    private final SplittableRandom random;
    private final List<byte[][]> inputs = new ArrayList<>();

    CheckedLaunch(Program program, Executor.Instance instance, SplittableRandom random) {
      this.program = program;
      this.instance = instance;
      this.random = random;
    }

    List<String> run(Duration deadline) {
      fill();
      List<String> problems = new ArrayList<>();
      List<Outcome> outcomes = instance.launch(deadline);
      for (int i = 0; i < outcomes.size(); i++) {
        if (!(outcomes.get(i) instanceof Outcome.Done)) {
          problems.add("rank=" + instance.ranks().get(i) + ", outcome=" + outcomes.get(i));
        }
      }
      return problems.isEmpty() ? problems() : problems;
    }

    void fill() {
      for (int rank : instance.ranks()) {
        RankProgram sizes = program.rank(rank);
        List<Buffer> buffers = program.form().buffers();
        byte[][] mine = new byte[buffers.size()][];
        for (int b = 0; b < buffers.size(); b++) {
          Buffer buffer = buffers.get(b);
          byte[] bytes = new byte[Math.toIntExact(sizes.bytes(buffer.name()))];
          if (buffer.space() == Space.INPUT) {
            random.nextBytes(bytes);
          } else {
            Arrays.fill(bytes, (byte) 0xA5);
          }
          mine[b] = bytes;
          if (buffer.space() == Space.INPUT || buffer.space() == Space.OUTPUT) {
            instance.write(rank, buffer.name(), 0, bytes);
          }
        }
        inputs.add(mine);
      }
    }

    List<String> problems() {
      List<String> problems = new ArrayList<>();
      for (int rank : instance.ranks()) {
        for (Claim claim : program.rank(rank).claims()) {
          int buffer = program.form().bufferIndex(claim.expected());
          byte[] whole = inputs.get(claim.peer())[buffer];
          byte[] found =
              instance.read(
                  rank, claim.actual(), claim.actualOffset(), Math.toIntExact(claim.bytes()));
          int from = Math.toIntExact(claim.expectedOffset());
          int wrong = Arrays.mismatch(found, Arrays.copyOfRange(whole, from, from + found.length));
          if (wrong >= 0) {
            problems.add(
                "wrong byte: rank=%d, buffer=%s, offset=%d, found=0x%02x, expected=0x%02x (%s[%d] of rank %d)"
                    .formatted(
                        rank,
                        claim.actual(),
                        claim.actualOffset() + wrong,
                        found[wrong],
                        whole[from + wrong],
                        claim.expected(),
                        from + wrong,
                        claim.peer()));
          }
        }
      }
      return problems;
    }
  }
}
