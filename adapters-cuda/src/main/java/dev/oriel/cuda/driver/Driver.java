package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import jcuda.CudaException;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

/** The CUDA driver of this host and the GPUs it shows to this process. */
public final class Driver {
  private Driver() {}

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
   * or the one of its number.
   *
   * @throws MachineException saying what this host lacks
   */
  public static Gpu open(int process) {
    return open(count -> List.of(ordinal(process, count))).getFirst();
  }

  /**
   * Opens the GPU of a rank of this process, where ranks take turns if there are fewer GPUs.
   *
   * @throws MachineException saying what this host lacks
   */
  public static Gpu openInTurn(int rank) {
    return open(count -> List.of(rank % count)).getFirst();
  }

  /** The number of a process's GPU among those that it is shown. */
  static int ordinal(int process, int shown) {
    if (shown > 1 && process >= shown) {
      throw MachineException.lacking(
          "no GPU for this process: localRank=%d, gpus=%d; start as many processes as there are GPUs"
              .formatted(process, shown));
    }
    return shown == 1 ? 0 : process;
  }

  private static List<Gpu> open(IntFunction<List<Integer>> choice) {
    Optional<String> absence = DriverLibrary.absence();
    if (absence.isPresent()) {
      throw MachineException.lacking(
          "no CUDA driver: reason=%s; install the NVIDIA driver, or choose another machine"
              .formatted(absence.get()));
    }
    try {
      JCudaDriver.setExceptionsEnabled(true);
      JCudaDriver.cuInit(0);
      int[] count = new int[1];
      JCudaDriver.cuDeviceGetCount(count);
      if (count[0] == 0) {
        throw MachineException.lacking(
            "no GPU: the driver shows none to this process; check CUDA_VISIBLE_DEVICES");
      }
      return new ArrayList<>(choice.apply(count[0]).stream().map(Driver::retain).toList());
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      String sentence = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw MachineException.lacking(
          "no JCuda library: reason=%s; put the JCudaDriver library for this platform on java.library.path"
              .formatted(sentence));
    } catch (CudaException e) {
      throw MachineException.lacking(
          "no usable GPU: reason=%s; see nvidia-smi".formatted(e.getMessage()));
    }
  }

  static Gpu retain(int ordinal) {
    CUdevice device = new CUdevice();
    JCudaDriver.cuDeviceGet(device, ordinal);
    return new Gpu(ordinal, device);
  }

  /** The version that the driver supports: 13000 for CUDA 13.0. */
  public static int version() {
    int[] version = new int[1];
    JCudaDriver.cuDriverGetVersion(version);
    return version[0];
  }
}
