package dev.oriel.it.kills;

import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.TcpSettings;
import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.run.CheckedLaunch;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One rank of {@link KillCampaign}. It launches and replays without pause, on fresh inputs, the
 * requested number of times or until a launch does not end as done. Then it waits for the next
 * world in the same process, on the same GPU.
 */
final class KilledRank {
  private static final int CALLS = 20;
  private static final int REPLAYS = 10;
  private static final Duration SET_UP = Duration.ofSeconds(20);

  private final Function<Topology, Program> programs;
  private final int localRank;
  private final Duration deadline;
  private long launches;
  private long replays;

  /**
   * @param programs the program for each world
   */
  KilledRank(Function<Topology, Program> programs, int localRank, Duration deadline) {
    this.programs = programs;
    this.localRank = localRank;
    this.deadline = deadline;
  }

  /** The topology of a world of that size. */
  static Topology topology(int world) {
    return Topology.grid(1, world);
  }

  /** Serves requests until the input ends. */
  void run() throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    // Held open across worlds, so that the GPU is set up once.
    try (Gpu gpu = CudaDriver.open(localRank)) {
      say("ready " + gpu.ordinal());
      String line = commands.readLine();
      while (line != null) {
        String[] words = line.split(" ", -1);
        world(
            Integer.parseInt(words[1]),
            Integer.parseInt(words[2]),
            Integer.parseInt(words[3]),
            Long.parseLong(words[4]),
            Long.parseLong(words[5]));
        say("left " + openFiles());
        line = commands.readLine();
      }
    }
  }

  /** One world; {@code most} launches, or if 0 until one does not end as done. */
  private void world(int rank, int world, int port, long seed, long most) {
    launches = 0;
    replays = 0;
    Topology topology = topology(world);
    Program program = programs.apply(topology);
    TcpSettings settings = TcpSettings.of(rank, world, "127.0.0.1", port, SET_UP);
    try (Bootstrap ranks = TcpBootstrap.join(settings)) {
      say("joined");
      try (CudaExecutor executor =
              CudaExecutor.join(ranks, localRank, FabricListener.NONE, System::nanoTime);
          CudaInstance instance = executor.prepare(program, topology)) {
        CudaInstance.Recording recording = instance.record(CALLS);
        say("formed");
        SplittableRandom random = new SplittableRandom(seed);
        Optional<String> end = Optional.empty();
        while (end.isEmpty() && (most == 0 || launches < most)) {
          end = launch(program, instance, recording, random.split());
        }
        end.ifPresentOrElse(this::ended, () -> say("checked %d %d".formatted(launches, replays)));
      }
    } catch (MachineException | BootstrapException e) {
      ended(String.valueOf(e.getMessage()));
    }
  }

  /** A launch and its replays on fresh inputs; returns the reason to stop, if there is one. */
  private Optional<String> launch(
      Program program,
      CudaInstance instance,
      CudaInstance.Recording recording,
      SplittableRandom random) {
    CheckedLaunch checked = new CheckedLaunch(program, instance, random);
    checked.fill();
    Optional<String> end = cause(instance.launch(deadline));
    for (int replay = 0; replay < REPLAYS && end.isEmpty(); replay++) {
      end = cause(recording.replay(deadline).outcomes());
      replays += end.isEmpty() ? 1 : 0;
    }
    if (end.isPresent()) {
      return end;
    }
    launches++;
    List<String> problems = checked.problems();
    if (!problems.isEmpty()) {
      say("wrong " + problems);
      return Optional.of(problems.toString());
    }
    return Optional.empty();
  }

  private static Optional<String> cause(List<Outcome> outcomes) {
    return switch (outcomes.getFirst()) {
      case Outcome.Done() -> Optional.empty();
      case Outcome.Failed(int code) -> Optional.of("failed: code=" + code);
      case Outcome.Aborted(String cause) -> Optional.of(cause);
      case Outcome.TimedOut(String waiting) -> Optional.of("timed out: " + waiting);
    };
  }

  private void ended(String cause) {
    say("ended %d %d %s".formatted(launches, replays, cause.replace('\n', ' ')));
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }
}
