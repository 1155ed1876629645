package dev.oriel.it.host;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.topology.HostGpu;
import dev.oriel.cuda.topology.HostGpus;
import dev.oriel.cuda.topology.HostIdentity;
import dev.oriel.domain.topology.PciPath;
import dev.oriel.domain.topology.RankSettings;
import dev.oriel.ibverbs.ucx.UcxConnections;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DeviceList;
import dev.oriel.ibverbs.verbs.DirectLibrary;
import dev.oriel.ibverbs.verbs.InterfacePlaces;
import dev.oriel.ibverbs.verbs.RdmaPresence;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code oriel doctor}: reports whether this host can run programs on GPUs and over RDMA, and what
 * it lacks.
 */
@Command(
    name = "doctor",
    description =
        "Print whether this host can run programs on GPUs and over RDMA, and what is missing.",
    mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "java     %s, %s %s%n",
        Runtime.version(), System.getProperty("os.name"), System.getProperty("os.arch"));
    out.printf("sim      ready%n");
    try (CudaExecutor cuda = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
      out.printf("cuda     driver=%s%n", CudaExecutor.driver());
      cuda.inventory().forEach(gpu -> out.printf("cuda     %s%n", gpu));
      cuda.peers().forEach(gpu -> out.printf("cuda     %s%n", gpu));
      topology(out);
    } catch (MachineException e) {
      out.printf("cuda     %s%n", e.getMessage());
    }
    try {
      List<String> names = DeviceList.load().names();
      names.forEach(name -> out.printf("ibverbs  %s%n", device(name)));
      if (names.isEmpty()) {
        out.printf("ibverbs  no RDMA device: load the driver of the network interface%n");
      }
    } catch (MachineException e) {
      out.printf("ibverbs  %s%n", e.getMessage());
    }
    out.printf(
        "mlx5     %s%n",
        switch (DirectLibrary.probe()) {
          case RdmaPresence.Present(var library) ->
              library + ", for --network mlx5 with a device of its driver; never run yet";
          case RdmaPresence.Absent absent -> absent.sentence();
        });
    out.printf("ucx      %s%n", ucx());
    return ExitCodes.FINE;
  }

  private static String ucx() {
    try {
      return UcxConnections.version();
    } catch (MachineException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** The GPUs, the ways between them, and the ways to network interfaces. */
  private static void topology(PrintWriter out) {
    List<HostGpu> gpus = HostGpus.find(RankSettings.DEFAULT);
    out.printf("host     %s%n", HostIdentity.name());
    new TopologyTable(gpus, interfaces()).lines().forEach(line -> out.printf("%s%n", line));
  }

  /** The RDMA interfaces with their places; none without the library. */
  private static SortedMap<String, Optional<PciPath>> interfaces() {
    SortedMap<String, Optional<PciPath>> places = new TreeMap<>();
    try {
      DeviceList.load().names().forEach(name -> places.put(name, InterfacePlaces.here().of(name)));
    } catch (MachineException e) {
      // The lines about RDMA say what is missing.
      places.clear();
    }
    return places;
  }

  private static String device(String name) {
    try (DeviceContext context = DeviceList.load().open(name)) {
      return "%s, port 1 %s, %s"
          .formatted(name, context.port(1).active() ? "active" : "down", context.gids(1));
    } catch (MachineException e) {
      return name + ": " + e.getMessage();
    }
  }
}
