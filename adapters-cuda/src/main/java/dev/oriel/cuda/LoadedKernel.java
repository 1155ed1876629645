package dev.oriel.cuda;

import dev.oriel.cuda.driver.Function;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.Launch;
import dev.oriel.cuda.ptx.Kernel;
import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.Target;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.QueueFormat;
import java.util.Optional;

/**
 * A program's kernel on one GPU, for all ranks there. It is loaded once, before any of them runs:
 * loading may wait for what runs, and that may wait for a rank that is not loaded.
 */
final class LoadedKernel implements AutoCloseable {
  private final Target target;
  private final Kernel kernel;
  private final Function function;
  private int ranks;
  private int blocks;

  LoadedKernel(Gpu gpu, LoweredForm form, Optional<QueueFormat> queues) {
    target = gpu.capability() >= 90 ? Target.SM_90 : Target.SM_80;
    kernel = new PtxCompiler(target, queues).compile(form);
    function = gpu.load(kernel.ptx(), kernel.entry());
  }

  Kernel kernel() {
    return kernel;
  }

  /**
   * Takes in one more rank with so many lanes.
   *
   * @throws MachineException if its lanes and those of ranks before it are not there at once
   */
  void admit(int lanes) {
    ranks++;
    blocks += lanes;
    int resident = function.resident(kernel.threads());
    if (blocks > resident) {
      throw new MachineException(
          "lanes do not fit at once: lanes=%d, ranks=%d, resident=%d, threads=%d; use fewer lanes, threads or ranks on a GPU"
              .formatted(blocks, ranks, resident, kernel.threads()));
    }
  }

  /**
   * A launch of one rank, once all are taken in. Where ranks share a GPU none starts before its
   * predecessor has ended, since it would take the place of another that is waited for.
   */
  Launch launch(int lanes, long[][] arguments) {
    boolean early = target.dependentLaunch() && ranks == 1;
    return new Launch(function, lanes, kernel.threads(), early, arguments);
  }

  @Override
  public void close() {
    function.close();
  }
}
