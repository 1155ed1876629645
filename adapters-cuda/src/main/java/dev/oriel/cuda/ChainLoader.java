package dev.oriel.cuda;

import dev.oriel.cuda.chain.ChainLink;
import dev.oriel.cuda.chain.ChainPlanner;
import dev.oriel.cuda.driver.EngineCopy;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.StreamNode;
import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads the copy lanes of all ranks of this process: copies by the engine, and between them kernels
 * of one warp. Ranks whose stages have the same text share a kernel on a GPU.
 *
 * <p>A stage gives up as any lane does, on abort or past its deadline. Later stages then do
 * nothing. A copy engine cannot be stopped: copies after a stage that gave up still take place. The
 * memory that they write stays mapped until every rank has closed the instance.
 */
final class ChainLoader {
  /**
   * Chains that may run concurrently on a GPU. Streams share few hardware queues. A chain that
   * waits in one of them delays every chain after it in that queue, which may be the chain that it
   * waits for.
   */
  private static final int MAX_CHAINS = 4;

  private final LoweredForm form;
  private final List<RankMemory> memories;
  private final Arguments arguments;
  private final ResourceStack owned;
  private final Map<Gpu, Map<String, LoadedKernel>> stages = new HashMap<>();
  private final Map<Gpu, Integer> chains = new HashMap<>();

  /** Makes the arguments of a kernel. */
  @FunctionalInterface
  interface Arguments {
    long[][] of(RankMemory memory, PtxKernel kernel, int lane);
  }

  ChainLoader(
      LoweredForm form, List<RankMemory> memories, Arguments arguments, ResourceStack owned) {
    this.form = form;
    this.memories = memories;
    this.arguments = arguments;
    this.owned = owned;
  }

  /**
   * Whether copy engines run the form.
   *
   * @throws ProgramException if they run a part of it only
   */
  static boolean serves(LoweredForm form) {
    long copying = form.lanes().stream().filter(l -> ChainPlanner.runs(l.lane())).count();
    if (copying != 0 && copying != form.lanes().size()) {
      throw new ProgramException(
          "copy lanes beside others have no CUDA form yet: form=%s; use copy lanes only, or none"
              .formatted(form.form().name()));
    }
    return copying != 0;
  }

  /** The chains of one rank, one for each lane. */
  List<List<StreamNode>> load(RankMemory memory, Gpu gpu) {
    List<List<StreamNode>> all = new ArrayList<>();
    List<RankProgram.LaneInstance> instances = memory.rank().lanes();
    int side = chains.merge(gpu, instances.size(), Integer::sum);
    if (side > MAX_CHAINS) {
      throw new ProgramException(
          "too many copy lanes on a GPU: form=%s, lanes=%d, max=%d; use fewer lanes, or ranks on a GPU"
              .formatted(form.form().name(), side, MAX_CHAINS));
    }
    for (int i = 0; i < instances.size(); i++) {
      RankProgram.LaneInstance instance = instances.get(i);
      LoweredLane lane = form.lane(instance.lane().name());
      List<StreamNode> chain = new ArrayList<>();
      for (ChainLink link : ChainPlanner.plan(memory.rank(), lane, instance.indices())) {
        chain.add(node(link, memory, gpu, lane, i));
      }
      all.add(chain);
    }
    return all;
  }

  private StreamNode node(
      ChainLink link, RankMemory memory, Gpu gpu, LoweredLane lane, int number) {
    return switch (link) {
      case ChainLink.Copy(ChainLink.Place to, ChainLink.Place from, long bytes) ->
          new EngineCopy(address(to), address(from), bytes);
      case ChainLink.Stage stage -> {
        LoadedKernel loaded = stage(gpu, lane, stage);
        yield owned.add(loaded.stage(arguments.of(memory, loaded.kernel(), number)));
      }
    };
  }

  private long address(ChainLink.Place place) {
    return memories.get(place.rank()).buffer(place.buffer()) + place.offset();
  }

  private LoadedKernel stage(Gpu gpu, LoweredLane lane, ChainLink.Stage stage) {
    PtxTarget target = LoadedKernel.target(gpu);
    PtxKernel kernel = new PtxCompiler(target).stage(form, lane, stage.steps(), stage.last());
    return stages
        .computeIfAbsent(gpu, _ -> new HashMap<>())
        .computeIfAbsent(
            kernel.ptx(),
            _ -> owned.add(new LoadedKernel(gpu, kernel, new LoadedKernel.Residents())));
  }
}
