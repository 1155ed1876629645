package dev.oriel.cuda.persistent;

import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.HostWord;
import dev.oriel.cuda.driver.KernelFunction;
import dev.oriel.cuda.driver.KernelLaunch;
import dev.oriel.cuda.driver.ResourceStack;

/** Work of a caller's own: a kernel that runs until it is ended. */
final class Blocker implements AutoCloseable {
  private static final String PTX =
      """
      .version 7.0
      .target sm_80
      .address_size 64
      .visible .entry blocker(.param .u64 word)
      {
        .reg .u64 %address, %value;
        .reg .pred %waits;
        ld.param.u64 %address, [word];
      again:
        ld.volatile.u64 %value, [%address];
        setp.eq.u64 %waits, %value, 0;
        @%waits bra again;
        ret;
      }
      """;

  private final ResourceStack owned = new ResourceStack();
  private final HostWord word;
  private final KernelLaunch kernel;

  Blocker(Gpu gpu) {
    word = owned.add(new HostWord(gpu));
    KernelFunction function = owned.add(gpu.load(PTX, "blocker"));
    kernel = owned.add(new KernelLaunch(function, 1, 1, 1, false, new long[] {word.address()}));
  }

  void block(DriverStream stream) {
    stream.launch(kernel);
  }

  void end() {
    word.set(1);
  }

  /** Ends the kernel: nothing waits for it any more. */
  @Override
  public void close() {
    end();
    owned.close();
  }
}
