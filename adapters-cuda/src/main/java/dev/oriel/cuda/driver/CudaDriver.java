package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import jcuda.driver.JCudaDriver;

/** The CUDA driver of this host and the GPUs it shows to this process. */
public final class CudaDriver {
  private CudaDriver() {}

  /**
   * Opens every GPU.
   *
   * @throws MachineException saying what this host lacks
   */
  public static List<Gpu> open() {
    return open(count -> IntStream.range(0, count).boxed().toList());
  }

  /**
   * Opens the GPU of a process that is one of several on this host: the only one that it is shown,
   * or the one with its local rank as number.
   *
   * @throws MachineException saying what this host lacks
   */
  public static Gpu open(int process) {
    return open(count -> List.of(ordinal(process, count))).getFirst();
  }

  /**
   * Opens the GPU of a rank of this process; ranks are assigned round robin if there are fewer
   * GPUs.
   *
   * @throws MachineException saying what this host lacks
   */
  public static Gpu openInTurn(int rank) {
    return open(count -> List.of(rank % count)).getFirst();
  }

  /** The number of a process's GPU among those that the process is shown. */
  static int ordinal(int process, int shown) {
    if (shown > 1 && process >= shown) {
      throw MachineException.lacking(
          "no GPU for this process: localRank=%d, gpus=%d; start as many processes as there are GPUs"
              .formatted(process, shown));
    }
    return shown == 1 ? 0 : process;
  }

  /**
   * Starts the driver for this process; opens no GPU.
   *
   * @throws MachineException saying what this host lacks
   */
  public static void start() {
    int ignored = started();
  }

  private static List<Gpu> open(IntFunction<List<Integer>> choice) {
    List<Integer> chosen = choice.apply(started());
    return ResourceStack.making(opened -> chosen.stream().map(i -> opened.add(retain(i))).toList());
  }

  /** The number of GPUs, of which there is at least one. */
  private static int started() {
    Optional<String> absence = DriverLibrary.absence();
    if (absence.isPresent()) {
      throw MachineException.lacking(
          "no CUDA driver: reason=%s; install an NVIDIA driver for CUDA %s or later, or choose another machine"
              .formatted(absence.get(), CudaVersion.NEEDED));
    }
    JCudaLibrary.load();
    int[] count = new int[1];
    try {
      Gpu.call("cuInit", () -> JCudaDriver.cuInit(0));
      Gpu.call("cuDeviceGetCount", () -> JCudaDriver.cuDeviceGetCount(count));
    } catch (MachineException e) {
      // For any reason, this host cannot run anything on its GPUs in its present state.
      throw MachineException.lacking(String.valueOf(e.getMessage()), e);
    }
    if (count[0] == 0) {
      throw MachineException.lacking(
          "no GPU: the driver shows none to this process; check CUDA_VISIBLE_DEVICES");
    }
    return count[0];
  }

  /**
   * The CUDA version of the driver.
   *
   * @throws MachineException if the driver does not report it
   */
  public static String version() {
    return DriverLibrary.version().toString();
  }

  static Gpu retain(int ordinal) {
    return new Gpu(Device.of(ordinal));
  }
}
