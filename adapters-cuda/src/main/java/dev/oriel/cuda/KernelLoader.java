package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.ReachedSteps;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.QueueFormat;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Loads the kernel of each rank of this process. The ranks of a GPU share one, unless most of a
 * long form is code of single ranks: the driver takes 5 s for each MB of text, on one core. Then
 * each rank has a kernel of its own steps, and the cores compile them at the same time.
 */
final class KernelLoader {
  /** The steps from which on a form is long: of fewer, the driver compiles all in a second. */
  private static final int LONG = 2000;

  private final LoweredForm form;
  private final Optional<QueueFormat> queues;
  private final Executor compiling;
  private final ResourceStack owned;
  private final Map<Gpu, LoadedKernel.Residents> residents = new HashMap<>();

  /**
   * A loader for a form.
   *
   * @param compiling runs the compilation of each kernel
   */
  KernelLoader(
      LoweredForm form, Optional<QueueFormat> queues, Executor compiling, ResourceStack owned) {
    this.form = form;
    this.queues = queues;
    this.compiling = compiling;
    this.owned = owned;
  }

  Map<Integer, LoadedKernel> load(SortedMap<Integer, Gpu> local, List<RankMemory> memories) {
    Map<Integer, LoadedKernel> kernels =
        apart(form, local.keySet()) ? loadApart(local) : loadShared(local);
    kernels.forEach((rank, kernel) -> kernel.admit(memories.get(rank).rank().lanes().size()));
    return kernels;
  }

  /** Whether the form is long and a rank executes at most half of it on average. */
  private static boolean apart(LoweredForm form, Set<Integer> ranks) {
    long steps = form.lanes().stream().mapToLong(lane -> lane.steps().size()).sum();
    if (steps < LONG) {
      return false;
    }
    long reached =
        form.lanes().stream()
            .flatMapToLong(
                lane -> ranks.stream().mapToLong(rank -> ReachedSteps.of(lane, rank).cardinality()))
            .sum();
    return 2 * reached <= steps * ranks.size();
  }

  private Map<Integer, LoadedKernel> loadShared(SortedMap<Integer, Gpu> local) {
    Map<Gpu, LoadedKernel> shared = new HashMap<>();
    Map<Integer, LoadedKernel> kernels = new LinkedHashMap<>();
    local.forEach((rank, gpu) ->
        kernels.put(
            rank,
            shared.computeIfAbsent(
                gpu,
                g -> owned.add(new LoadedKernel(g, compiler(g).compile(form), residents(g))))));
    return kernels;
  }

  private Map<Integer, LoadedKernel> loadApart(SortedMap<Integer, Gpu> local) {
    Map<Integer, PtxKernel> texts = new LinkedHashMap<>();
    local.forEach((rank, gpu) -> texts.put(rank, compiler(gpu).compile(form, rank)));
    Map<Integer, LoadedKernel> kernels = new LinkedHashMap<>();
    Map<Integer, byte[]> codes = compiled(local, texts);
    local.forEach((rank, gpu) -> {
      PtxKernel text = Objects.requireNonNull(texts.get(rank));
      byte[] code = Objects.requireNonNull(codes.get(rank));
      kernels.put(rank, owned.add(new LoadedKernel(gpu, text, code, residents(gpu))));
    });
    return kernels;
  }

  /** The code of each text. Returns when no call of the driver is under way any more. */
  private Map<Integer, byte[]> compiled(
      SortedMap<Integer, Gpu> local, Map<Integer, PtxKernel> texts) {
    Map<Integer, CompletableFuture<byte[]>> pending = new LinkedHashMap<>();
    try {
      local.forEach((rank, gpu) -> {
        PtxKernel text = Objects.requireNonNull(texts.get(rank));
        pending.put(
            rank,
            CompletableFuture.supplyAsync(() -> gpu.compile(text.ptx(), text.entry()), compiling));
      });
    } finally {
      // Also if the executor refuses one: the others still use their GPUs.
      pending.values().forEach(code -> code.handle((_, _) -> "").join());
    }
    Map<Integer, byte[]> codes = new LinkedHashMap<>();
    pending.forEach((rank, code) -> codes.put(rank, result(code)));
    return codes;
  }

  private static byte[] result(CompletableFuture<byte[]> code) {
    try {
      return code.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof MachineException refused) {
        throw refused;
      }
      throw e;
    }
  }

  private PtxCompiler compiler(Gpu gpu) {
    return new PtxCompiler(LoadedKernel.target(gpu), queues);
  }

  private LoadedKernel.Residents residents(Gpu gpu) {
    return residents.computeIfAbsent(gpu, _ -> new LoadedKernel.Residents());
  }
}
