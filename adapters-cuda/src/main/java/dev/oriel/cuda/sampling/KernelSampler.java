package dev.oriel.cuda.sampling;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.KernelFunction;
import dev.oriel.cuda.driver.KernelLaunch;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;

/** Runs sampled kernels on the GPUs of this process, one after another. */
public final class KernelSampler implements AutoCloseable {
  private static final int MAX_GPUS = 8;

  /**
   * Copies that a block runs concurrently: two warps for each thread of the program, on which
   * kernels with block barriers rely.
   */
  private static final int LANES = 64;

  private static final int GROUPS = 64;
  private static final int TURNS = 32;
  private static final int COPIES = LANES * GROUPS * TURNS;

  private final List<Gpu> gpus;

  private KernelSampler(List<Gpu> gpus) {
    this.gpus = gpus;
  }

  /**
   * Opens the driver and every GPU it shows.
   *
   * @throws MachineException saying what this host lacks
   */
  public static KernelSampler open() {
    return new KernelSampler(CudaDriver.open());
  }

  /** The number of GPUs. */
  public int gpus() {
    return gpus.size();
  }

  /** The name of the first GPU. */
  public String name() {
    return gpus.getFirst().name();
  }

  /** The target for which the kernels must be compiled. */
  public String target() {
    return gpus.stream().mapToInt(Gpu::capability).min().orElseThrow() >= 90 ? "sm_90" : "sm_80";
  }

  /** Copies that one launch runs. */
  public int copies() {
    return COPIES;
  }

  /** Receives the results of copies; word w of copy c is at {@code w * copies + c}. */
  @FunctionalInterface
  public interface Results {
    /**
     * The results of one launch.
     *
     * @param outputs the words that copies reported
     * @param cells the final values of the copies' words
     */
    void take(long[] outputs, long[] cells);
  }

  /**
   * Launches the kernel so many times, each on initialised words.
   *
   * @param cells whether the final values are wanted; otherwise they are empty
   */
  public void run(SampledKernel kernel, int launches, long seed, boolean cells, Results results) {
    if (kernel.gpus() > Math.min(gpus.size(), MAX_GPUS)) {
      throw MachineException.lacking(
          "not enough GPUs: needed=%d, there=%d; run it on a larger host"
              .formatted(kernel.gpus(), gpus.size()));
    }
    requireMeeting(gpus.subList(0, kernel.gpus()));
    try (Run run = new Run(kernel, gpus.subList(0, kernel.gpus()))) {
      for (int i = 0; i < launches; i++) {
        run.once(seed + i);
        results.take(run.outputs(), cells ? run.cells() : new long[0]);
      }
    }
  }

  /**
   * Refuses GPUs whose copies cannot meet: a barrier between GPUs counts in one word by atomics.
   */
  private static void requireMeeting(List<Gpu> gpus) {
    for (Gpu from : gpus) {
      for (Gpu to : gpus) {
        from.device().requireReach(to.device());
        from.device().requireAtomics(to.device(), "sampled kernels that meet");
      }
    }
  }

  @Override
  public void close() {
    ResourceStack.closeAll(gpus);
  }

  /** Memory and kernels of one test. */
  private static final class Run implements AutoCloseable {
    private final SampledKernel kernel;
    private final List<Gpu> gpus;
    private final ResourceStack owned = new ResourceStack();
    private final List<Long> cells = new ArrayList<>();
    private final List<Long> outs = new ArrayList<>();
    private final List<KernelFunction> functions = new ArrayList<>();
    private final List<DriverStream> streams = new ArrayList<>();
    private final long[] image;
    private final long meet;

    Run(SampledKernel kernel, List<Gpu> gpus) {
      this.kernel = kernel;
      this.gpus = gpus;
      image = image();
      try {
        gpus.forEach(from -> gpus.stream().filter(to -> to != from).forEach(from::map));
        for (Gpu gpu : gpus) {
          cells.add(memory(gpu, (long) image.length * Long.BYTES));
          outs.add(memory(gpu, (long) COPIES * Long.BYTES * Math.max(1, kernel.outputs())));
          functions.add(owned.add(gpu.load(kernel.ptx(), kernel.entry())));
          streams.add(owned.add(gpu.stream()));
        }
        meet = memory(gpus.getFirst(), (long) COPIES * Integer.BYTES);
      } catch (RuntimeException e) {
        throw owned.closeSuppressing(e);
      }
    }

    private long memory(Gpu gpu, long bytes) {
      long address = gpu.allocate(bytes);
      owned.add(() -> gpu.free(address));
      return address;
    }

    private int step() {
      return kernel.stride() / Long.BYTES;
    }

    private long[] image() {
      long[] words = new long[kernel.initial().size() * COPIES * step()];
      for (int l = 0; l < kernel.initial().size(); l++) {
        for (int i = 0; i < COPIES; i++) {
          words[(l * COPIES + i) * step()] = kernel.initial().get(l);
        }
      }
      return words;
    }

    void once(long seed) {
      long[] bases = new long[MAX_GPUS];
      for (int g = 0; g < gpus.size(); g++) {
        gpus.get(g).write(cells.get(g), image);
        bases[g] = cells.get(g);
      }
      gpus.getFirst().write(meet, new long[COPIES * Integer.BYTES / Long.BYTES]);
      List<KernelLaunch> launches = new ArrayList<>();
      try {
        for (int g = 0; g < gpus.size(); g++) {
          launches.add(
              new KernelLaunch(
                  functions.get(g),
                  GROUPS * kernel.blocks().get(g),
                  LANES * kernel.threads(),
                  1,
                  false,
                  bases,
                  new long[] {outs.get(g)},
                  new long[] {meet},
                  new long[] {g},
                  new long[] {seed * COPIES},
                  new long[] {LANES},
                  new long[] {GROUPS},
                  new long[] {TURNS}));
        }
        for (int g = 0; g < gpus.size(); g++) {
          streams.get(g).launch(launches.get(g));
        }
        streams.forEach(DriverStream::synchronize);
      } finally {
        launches.forEach(KernelLaunch::close);
      }
    }

    /** A register is reported on the GPU of its thread; the other GPUs hold zero there. */
    long[] outputs() {
      long[] all = new long[COPIES * kernel.outputs()];
      for (int g = 0; g < gpus.size(); g++) {
        long[] some = gpus.get(g).readWords(outs.get(g), all.length);
        for (int i = 0; i < all.length; i++) {
          all[i] |= some[i];
        }
      }
      return all;
    }

    /** Word l of copy i lies on GPU (l + i / 32) % gpus. */
    long[] cells() {
      int locations = kernel.initial().size();
      long[] all = new long[COPIES * locations];
      for (int g = 0; g < gpus.size(); g++) {
        long[] some = gpus.get(g).readWords(cells.get(g), image.length);
        for (int l = 0; l < locations; l++) {
          for (int i = 0; i < COPIES; i++) {
            if ((l + i / 32) % gpus.size() == g) {
              all[l * COPIES + i] = some[(l * COPIES + i) * step()];
            }
          }
        }
      }
      return all;
    }

    @Override
    public void close() {
      owned.close();
    }
  }
}
