package dev.oriel.ibverbs.run;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** All ranks in one process: no other process takes part. */
final class SingleProcess implements ProcessGroup {
  @Override
  public List<Integer> local(int world) {
    return IntStream.range(0, world).boxed().toList();
  }

  @Override
  public List<byte[]> exchange(String step, List<byte[]> mine) {
    return mine;
  }

  @Override
  public <T> T together(String step, Supplier<T> part) {
    return part.get();
  }

  @Override
  public void meet(String step) {}

  @Override
  public void checkWorld(int world) {}
}
