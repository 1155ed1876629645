package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Lane;
import dev.oriel.ports.contract.LaneContract;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Lanes of threads that take turns at one monitor. */
final class SequentialLaneTest extends LaneContract {
  private final SequentialWire wire = new SequentialWire();

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return new SequentialCommunicators(
            wire,
            System::nanoTime,
            (wire, rank, world) -> new SequentialFabric(wire, topology.facts(rank), bytes))
        .join(bootstrap);
  }

  /** The windows are not used after the call while a started lane still uses them. */
  @Test
  void startedLanesEndBeforeAMissingThreadIsReported() {
    inWorld(
        1,
        c -> {
          Semaphore threads = new Semaphore(1);
          CountDownLatch never = new CountDownLatch(1);
          AtomicInteger ended = new AtomicInteger();
          Lane.Code slow =
              lane -> {
                try {
                  boolean opened = never.await(80, TimeUnit.MILLISECONDS);
                  ended.addAndGet(opened ? 0 : 1);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              };
          assertThatThrownBy(() ->
                  c.lanes(
                      3,
                      task -> {
                        if (!threads.tryAcquire()) {
                          throw new RejectedExecutionException("no thread");
                        }
                        Thread.ofVirtual().start(task);
                      },
                      slow))
              .isInstanceOf(RejectedExecutionException.class)
              .hasMessage("no thread");
          assertThat(ended).hasValue(1);
          c.lanes(2, Thread::startVirtualThread, slow);
          assertThat(ended).hasValue(3);
          return c;
        });
  }
}
