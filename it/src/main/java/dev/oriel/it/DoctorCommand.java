package dev.oriel.it;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code oriel doctor}: says whether this host can run programs on GPUs, and what it lacks if not.
 */
@Command(
    name = "doctor",
    description = "Say whether this host can run programs on GPUs, and what it lacks if not.",
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "java     %s, %s %s%n",
        Runtime.version(), System.getProperty("os.name"), System.getProperty("os.arch"));
    out.printf("sim      ready%n");
    try (CudaExecutor cuda = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
      cuda.inventory().forEach(gpu -> out.printf("cuda     %s%n", gpu));
    } catch (MachineException e) {
      out.printf("cuda     %s%n", e.getMessage());
    }
    return Main.FINE;
  }
}
