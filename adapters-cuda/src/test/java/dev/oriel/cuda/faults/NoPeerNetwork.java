package dev.oriel.cuda.faults;

import dev.oriel.cuda.ptx.SomeQueues;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RemoteNetwork;
import dev.oriel.ports.queue.WorkQueue;
import java.util.Optional;

/** A network of a world whose ranks are all on one host: nobody posts to it. */
final class NoPeerNetwork implements RemoteNetwork {
  @Override
  public boolean copies() {
    return false;
  }

  @Override
  public QueueFormat format() {
    return SomeQueues.BIG;
  }

  @Override
  public QueueNetwork.Connection connect(
      String step, Bootstrap ranks, ReachedMemory own, InitiatorMemory posters) {
    ranks.barrier(step);
    return new QueueNetwork.Connection() {
      @Override
      public WorkQueue queue(int rank, int peer) {
        throw new IllegalStateException("no rank is remote: peer=" + peer);
      }

      @Override
      public WorkQueue companion(int rank, int peer) {
        throw new IllegalStateException("no rank is remote: peer=" + peer);
      }

      @Override
      public boolean progress() {
        return false;
      }

      @Override
      public Optional<String> failure() {
        return Optional.empty();
      }

      @Override
      public void close() {}
    };
  }
}
