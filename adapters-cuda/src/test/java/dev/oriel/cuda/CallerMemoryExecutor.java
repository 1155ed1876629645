package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.UserMemory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * An application that keeps all inputs and outputs of its ranks itself, as a framework's pool does:
 * one after another in one allocation of each rank.
 *
 * @param gpus the application's own view of each rank's GPU
 * @param local the ranks of this process in a world of that size
 */
record CallerMemoryExecutor(
    CudaExecutor executor, IntFunction<Gpu> gpus, IntFunction<IntStream> local)
    implements Executor {
  private static final long ALIGNMENT = 16;

  @Override
  public String name() {
    return executor.name();
  }

  @Override
  public Instance prepare(Program program, Topology topology) {
    ResourceStack app = new ResourceStack();
    try {
      Map<Integer, Map<String, UserMemory>> given = new TreeMap<>();
      local
          .apply(program.world())
          .forEach(rank -> given.put(rank, allocated(program, rank, gpus.apply(rank), app)));
      return new CallerMemoryInstance(executor.prepare(program, topology, given), app);
    } catch (RuntimeException e) {
      throw app.closeSuppressing(e);
    }
  }

  private static Map<String, UserMemory> allocated(
      Program program, int rank, Gpu gpu, ResourceStack app) {
    Map<String, Long> offsets = new LinkedHashMap<>();
    long at = ALIGNMENT;
    for (Buffer buffer : program.form().buffers()) {
      boolean given = buffer.space().callers();
      long bytes = given ? program.rank(rank).bytes(buffer.name()) : 0;
      if (bytes > 0) {
        offsets.put(buffer.name(), at);
        at = Math.ceilDiv(at + bytes, ALIGNMENT) * ALIGNMENT;
      }
    }
    long base = gpu.allocate(at);
    app.add(() -> gpu.free(base));
    Map<String, UserMemory> memories = new TreeMap<>();
    offsets.forEach((name, offset) ->
        memories.put(name, new UserMemory(base + offset, program.rank(rank).bytes(name))));
    return memories;
  }

  @Override
  public void close() {
    executor.close();
  }

  /** The application frees its memory after the instance, which all ranks close together. */
  private record CallerMemoryInstance(Instance instance, ResourceStack app) implements Instance {
    @Override
    public List<Integer> ranks() {
      return instance.ranks();
    }

    @Override
    public void write(int rank, String buffer, long offset, byte[] bytes) {
      instance.write(rank, buffer, offset, bytes);
    }

    @Override
    public byte[] read(int rank, String buffer, long offset, int length) {
      return instance.read(rank, buffer, offset, length);
    }

    @Override
    public List<Outcome> launch(Duration deadline) {
      return instance.launch(deadline);
    }

    @Override
    public void abort(String cause) {
      instance.abort(cause);
    }

    @Override
    public void close() {
      instance.close();
      app.close();
    }
  }
}
