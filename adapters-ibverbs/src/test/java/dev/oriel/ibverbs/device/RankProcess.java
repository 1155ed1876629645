package dev.oriel.ibverbs.device;

import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.TcpSettings;
import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.run.JoinedProcesses;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ibverbs.window.VerbsCommunicators;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.ShippedPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;

/**
 * One rank of a world of processes. It uses a window, launches programs repeatedly and checks every
 * byte. Then it waits for a line and launches the last program once more.
 */
public final class RankProcess {
  /** On an emulated processor, the first load of a class can take seconds. */
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private static final int LAUNCHES = 3;

  private final Program program;
  private final int rank;

  private RankProcess(Program program, int rank) {
    this.program = program;
    this.rank = rank;
  }

  /** Arguments: rank, world, port, then the name of each program and its first parameter. */
  public static void main(String[] args) {
    int rank = Integer.parseInt(args[0]);
    int world = Integer.parseInt(args[1]);
    TcpSettings settings =
        TcpSettings.of(rank, world, "127.0.0.1", Integer.parseInt(args[2]), TIMEOUT)
            .withHandshake(TIMEOUT);
    VerbsSettings device = VerbsSettings.USUAL.on(System.getProperty("oriel.device", ""));
    try (Bootstrap ranks = TcpBootstrap.join(settings);
        Executor executor =
            VerbsExecutor.open(
                new JoinedProcesses(ranks), device, FabricListener.NONE, System::nanoTime)) {
      System.out.println("joined");
      windows(ranks, device);
      for (int i = 3; i < args.length; i += 2) {
        Program program = bind(args[i], world, Long.parseLong(args[i + 1]));
        try (Executor.Instance instance = executor.prepare(program, Topology.grid(world, 1))) {
          new RankProcess(program, rank).run(args[i], instance);
          if (i + 2 == args.length && System.in.read() >= 0) {
            System.out.println("ended " + instance.launch(TIMEOUT).getFirst());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (BootstrapException e) {
      System.out.println("left: " + e.kind() + " " + e.ranks());
    }
  }

  /**
   * Passes the next rank a number through a window, and checks the number from the previous one.
   */
  private static void windows(Bootstrap ranks, VerbsSettings device) {
    int rank = ranks.rank();
    int next = (rank + 1) % ranks.world();
    int last = (rank + ranks.world() - 1) % ranks.world();
    WindowSpec spec =
        WindowSpec.named("w").withData(DataSizes.uniform(16)).withSignals(1).withBarriers(1);
    try (Communicator world = VerbsCommunicators.of(device, System::nanoTime).join(ranks);
        Window window = world.window(spec)) {
      window.write(0, new byte[] {(byte) (rank + 1)});
      window.put(next, 8, 0, 8);
      window.signal(next, 0, 1);
      window.await(last, 0, Comparison.EQ, 1, TIMEOUT);
      if (window.read(8, 1)[0] != last + 1) {
        throw new AssertionError("wrong byte in a window: rank=%d".formatted(rank));
      }
      window.barrier(0, TIMEOUT);
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    }
    System.out.println("right windows");
  }

  private static Program bind(String name, int world, long parameter) {
    Form form = ShippedPrograms.form(name);
    return Program.bind(form, world, Map.of(form.params().getFirst().name(), parameter));
  }

  private void run(String name, Executor.Instance instance) {
    for (int launch = 1; launch <= LAUNCHES; launch++) {
      for (Map.Entry<String, byte[]> input : inputs(rank, launch).entrySet()) {
        instance.write(rank, input.getKey(), 0, input.getValue());
      }
      for (Buffer buffer : program.form().buffers()) {
        if (buffer.space() == Space.OUTPUT) {
          byte[] none = new byte[(int) program.rank(rank).bytes(buffer.name())];
          instance.write(rank, buffer.name(), 0, none);
        }
      }
      Outcome outcome = instance.launch(TIMEOUT).getFirst();
      if (!(outcome instanceof Outcome.Done)) {
        throw new AssertionError("launch %d of %s: %s".formatted(launch, name, outcome));
      }
      check(instance, launch);
    }
    System.out.println("right " + name);
  }

  private void check(Executor.Instance instance, int launch) {
    BoundPostCondition.InitialContents start =
        (source, length) -> {
          int from = Math.toIntExact(source.offset());
          byte[] whole = Objects.requireNonNull(inputs(source.rank(), launch).get(source.buffer()));
          return Arrays.copyOfRange(whole, from, from + length);
        };
    for (BoundPostCondition claim : program.rank(rank).claims(start)) {
      byte[] expected = claim.expected(start);
      byte[] actual =
          claim.found((buffer, offset, length) -> instance.read(rank, buffer, offset, length));
      if (!Arrays.equals(expected, actual)) {
        throw new AssertionError("wrong bytes: launch=" + launch + ", claim=" + claim);
      }
    }
  }

  /** The inputs of every rank in every launch, which all ranks can compute. */
  private Map<String, byte[]> inputs(int of, int launch) {
    return InputWords.draw(program, new SplittableRandom(launch)::nextLong).get(of);
  }
}
