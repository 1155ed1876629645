package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.KernelFunction;
import dev.oriel.cuda.driver.KernelLaunch;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.ports.MachineException;

/**
 * A program's kernel on one GPU, for all ranks there or for one. It is loaded once, before any rank
 * runs: loading may wait for running kernels, and these may wait for a rank that is not loaded yet.
 */
final class LoadedKernel implements AutoCloseable {
  /** What all kernels of a program on one GPU have there at once. */
  static final class Residents {
    private int ranks;
    private int blocks;

    /** The least number of blocks that are co-resident, over the kernels. */
    private int most = Integer.MAX_VALUE;
  }

  private final PtxKernel kernel;
  private final boolean early;
  private final KernelFunction function;
  private final Residents residents;

  LoadedKernel(Gpu gpu, PtxKernel kernel, Residents residents) {
    this(kernel, residents, gpu.launchesEarly(), gpu.load(kernel.ptx(), kernel.entry()));
  }

  /** A kernel that is loaded from code. */
  LoadedKernel(Gpu gpu, PtxKernel kernel, byte[] code, Residents residents) {
    this(kernel, residents, gpu.launchesEarly(), gpu.load(code, kernel.entry()));
  }

  /** The function comes last: nothing that may fail follows its loading. */
  private LoadedKernel(
      PtxKernel kernel, Residents residents, boolean early, KernelFunction function) {
    this.kernel = kernel;
    this.residents = residents;
    this.early = early;
    this.function = function;
  }

  /** The target for which kernels on that GPU are generated. */
  static PtxTarget target(Gpu gpu) {
    return gpu.capability() >= 90 ? PtxTarget.SM_90 : PtxTarget.SM_80;
  }

  PtxKernel kernel() {
    return kernel;
  }

  /**
   * Admits one more rank with so many lanes.
   *
   * <p>While several ranks share the GPU, nothing else may run on it. Other work takes room that is
   * not counted, and then some lanes do not fit, perhaps those that the others wait for.
   *
   * @throws MachineException if its lanes and those of the ranks before it are not co-resident on
   *     an otherwise empty GPU
   */
  void admit(int lanes) {
    residents.ranks++;
    residents.blocks += lanes;
    if (kernel.cluster() == 1) {
      require(function.resident(kernel.threads()));
    }
  }

  private void require(int resident) {
    residents.most = Math.min(residents.most, resident);
    if (residents.blocks > residents.most) {
      throw new MachineException(
          "lanes do not fit at once on a GPU where nothing else runs: lanes=%d, ranks=%d, resident=%d, threads=%d, cluster=%d; use fewer lanes, threads or ranks on a GPU"
              .formatted(
                  residents.blocks,
                  residents.ranks,
                  residents.most,
                  kernel.threads(),
                  kernel.cluster()));
    }
  }

  /**
   * The launch of one rank, after all ranks are admitted. If ranks share a GPU, no launch starts
   * before its predecessor has ended: it would take the room of another rank that is waited for.
   *
   * @throws MachineException if clusters of that many lanes are not co-resident
   */
  KernelLaunch launch(int lanes, long[][] arguments) {
    return launch(lanes, arguments, early && residents.ranks == 1);
  }

  /** The launch of a stage of a chain, which begins when the link before it has ended. */
  KernelLaunch stage(long[][] arguments) {
    return launch(1, arguments, false);
  }

  private KernelLaunch launch(int lanes, long[][] arguments, boolean ahead) {
    return ResourceStack.making(made -> {
      KernelLaunch launch =
          made.add(
              new KernelLaunch(
                  function, lanes, kernel.threads(), kernel.cluster(), ahead, arguments));
      if (kernel.cluster() > 1) {
        // The number of co-resident clusters depends on the launch, so it is queried once the
        // launch is laid out.
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
