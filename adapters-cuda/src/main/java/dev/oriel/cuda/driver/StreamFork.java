package dev.oriel.cuda.driver;

import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;

/**
 * Chains of nodes that run concurrently between two points of a stream. The first chain is in the
 * stream itself, each other one in a stream of its own. Enqueueing allocates nothing.
 */
public final class StreamFork implements AutoCloseable {
  private static final int NO_TIMING = 2;

  private final Gpu gpu;
  private final List<List<StreamNode>> chains;
  private final List<DriverStream> sides = new ArrayList<>();
  private final List<CUevent> events = new ArrayList<>();
  private final ResourceStack owned = new ResourceStack();

  public StreamFork(Gpu gpu, List<List<StreamNode>> chains) {
    this.gpu = gpu;
    this.chains = chains.stream().map(List::copyOf).toList();
    try {
      for (int i = 1; i < chains.size(); i++) {
        sides.add(owned.add(gpu.stream()));
        events.add(event());
      }
      if (chains.size() > 1) {
        events.add(event());
      }
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  private CUevent event() {
    CUevent event = new CUevent();
    gpu.run("make event", () -> JCudaDriver.cuEventCreate(event, NO_TIMING));
    gpu.prepared();
    owned.add(() -> gpu.giveBack("destroy event", () -> JCudaDriver.cuEventDestroy(event)));
    return event;
  }

  /**
   * Enqueues all chains after the stream's present work; later work of the stream comes after all
   * chains.
   */
  void enqueue(DriverStream stream) {
    gpu.current();
    if (!sides.isEmpty()) {
      stream.mark(events.getLast());
    }
    for (int i = 0; i < sides.size(); i++) {
      DriverStream side = sides.get(i);
      side.follow(events.getLast());
      chains.get(i + 1).forEach(side::launch);
      side.mark(events.get(i));
    }
    chains.getFirst().forEach(stream::launch);
    for (int i = 0; i < sides.size(); i++) {
      stream.follow(events.get(i));
    }
  }

  @Override
  public void close() {
    owned.close();
  }
}
