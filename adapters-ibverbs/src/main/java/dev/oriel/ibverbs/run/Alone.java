package dev.oriel.ibverbs.run;

import dev.oriel.ports.MachineException;
import dev.oriel.ports.Status;
import java.util.List;
import java.util.stream.IntStream;

/** All ranks in one process: nobody to wait for. */
final class Alone implements Company {
  @Override
  public List<Integer> local(int world) {
    return IntStream.range(0, world).boxed().toList();
  }

  @Override
  public List<byte[]> exchange(String step, List<byte[]> mine) {
    return mine;
  }

  @Override
  public void agree(String step, Status mine) {
    if (mine instanceof Status.Failed(String text, var cause)) {
      throw new MachineException(text, cause);
    }
  }

  @Override
  public void meet(String step) {}

  @Override
  public void checkWorld(int world) {}
}
