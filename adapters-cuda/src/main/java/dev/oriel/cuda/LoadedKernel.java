package dev.oriel.cuda;

import dev.oriel.cuda.driver.Function;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.Launch;
import dev.oriel.cuda.driver.Resources;
import dev.oriel.cuda.ptx.Kernel;
import dev.oriel.cuda.ptx.Target;
import dev.oriel.ports.MachineException;

/**
 * A program's kernel on one GPU, for all ranks there. It is loaded once, before any of them runs:
 * loading may wait for what runs, and that may wait for a rank that is not loaded.
 */
final class LoadedKernel implements AutoCloseable {
  private final Kernel kernel;
  private final boolean early;
  private final Function function;
  private int ranks;
  private int blocks;

  LoadedKernel(Gpu gpu, Kernel kernel) {
    this.kernel = kernel;
    early = gpu.launchesEarly();
    function = gpu.load(kernel.ptx(), kernel.entry());
  }

  /** What kernels for that GPU are printed for. */
  static Target target(Gpu gpu) {
    return gpu.capability() >= 90 ? Target.SM_90 : Target.SM_80;
  }

  Kernel kernel() {
    return kernel;
  }

  /**
   * Takes in one more rank with so many lanes.
   *
   * <p>Where several ranks share the GPU, nothing else may run there while they do: what else takes
   * room is not counted, and lanes that find none may be those that the others wait for.
   *
   * @throws MachineException if its lanes and those of ranks before it are not there at once, on a
   *     GPU where nothing else runs
   */
  void admit(int lanes) {
    ranks++;
    blocks += lanes;
    if (kernel.cluster() == 1) {
      require(function.resident(kernel.threads()));
    }
  }

  private void require(int resident) {
    if (blocks > resident) {
      throw new MachineException(
          "lanes do not fit at once on a GPU where nothing else runs: lanes=%d, ranks=%d, resident=%d, threads=%d, cluster=%d; use fewer lanes, threads or ranks on a GPU"
              .formatted(blocks, ranks, resident, kernel.threads(), kernel.cluster()));
    }
  }

  /**
   * A launch of one rank, once all are taken in. Where ranks share a GPU none starts before its
   * predecessor has ended, since it would take the place of another that is waited for.
   *
   * @throws MachineException if clusters of that many lanes are not there at once
   */
  Launch launch(int lanes, long[][] arguments) {
    return launch(lanes, arguments, early && ranks == 1);
  }

  /** The launch of a stage of a chain, which begins when the link before it has ended. */
  Launch stage(long[][] arguments) {
    return launch(1, arguments, false);
  }

  private Launch launch(int lanes, long[][] arguments, boolean ahead) {
    return Resources.making(made -> {
      Launch launch =
          made.add(
              new Launch(function, lanes, kernel.threads(), kernel.cluster(), ahead, arguments));
      if (kernel.cluster() > 1) {
        // How many fit depends on the launch, so they are counted once it is laid out.
        require(kernel.cluster() * function.residentClusters(launch));
      }
      return launch;
    });
  }

  @Override
  public void close() {
    function.close();
  }
}
