package dev.oriel.ibverbs.device;

import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.TcpSettings;
import dev.oriel.domain.binding.Claim;
import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.run.Joined;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.ShippedPrograms;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** One rank of a world of processes: launches a program again and again and checks every byte. */
public final class RankProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Program program;
  private final int rank;

  private RankProcess(Program program, int rank) {
    this.program = program;
    this.rank = rank;
  }

  /** Arguments: rank, world, port, program, bytes, launches. */
  public static void main(String[] args) {
    int rank = Integer.parseInt(args[0]);
    int world = Integer.parseInt(args[1]);
    Form form = Turns.NAME.equals(args[3]) ? Turns.form() : ShippedPrograms.form(args[3]);
    Program program =
        Program.bind(
            form,
            world,
            form.params().isEmpty()
                ? Map.of()
                : Map.of(form.params().getFirst().name(), Long.parseLong(args[4])));
    TcpSettings settings =
        TcpSettings.of(rank, world, "127.0.0.1", Integer.parseInt(args[2]), PATIENCE);
    VerbsSettings device = VerbsSettings.USUAL.on(System.getProperty("oriel.device", ""));
    try (Bootstrap ranks = TcpBootstrap.join(settings);
        Executor executor =
            VerbsExecutor.open(new Joined(ranks), device, FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(program, Topology.grid(world, 1))) {
      new RankProcess(program, rank).run(instance, Integer.parseInt(args[5]));
    } catch (BootstrapException e) {
      System.out.println("left: " + e.kind() + " " + e.ranks());
    }
  }

  private void run(Executor.Instance instance, int launches) {
    for (int launch = 1; launch <= launches; launch++) {
      for (Map.Entry<String, byte[]> input : inputs(rank, launch).entrySet()) {
        instance.write(rank, input.getKey(), 0, input.getValue());
      }
      for (Buffer buffer : program.form().buffers()) {
        if (buffer.space() == Space.OUTPUT) {
          byte[] none = new byte[(int) program.rank(rank).bytes(buffer.name())];
          instance.write(rank, buffer.name(), 0, none);
        }
      }
      System.out.println("launching " + launch);
      Outcome outcome = instance.launch(PATIENCE).getFirst();
      System.out.println("ended " + outcome);
      if (!(outcome instanceof Outcome.Done)) {
        return;
      }
      check(instance, launch);
    }
    System.out.println("right " + launches);
  }

  private void check(Executor.Instance instance, int launch) {
    Claim.Start start =
        (source, length) -> {
          int from = Math.toIntExact(source.offset());
          byte[] whole = Objects.requireNonNull(inputs(source.rank(), launch).get(source.buffer()));
          return Arrays.copyOfRange(whole, from, from + length);
        };
    for (Claim claim : program.rank(rank).claims(start)) {
      byte[] expected = claim.expected(start);
      byte[] actual =
          instance.read(rank, claim.actual(), claim.actualOffset(), (int) claim.bytes());
      if (!Arrays.equals(expected, actual)) {
        throw new AssertionError("wrong bytes: launch=" + launch + ", claim=" + claim);
      }
    }
  }

  /** What every rank knows of every rank's inputs in every launch. */
  private Map<String, byte[]> inputs(int of, int launch) {
    return InputWords.draw(program.rank(of), new SplittableRandom(1000L * launch + of)::nextLong);
  }
}
