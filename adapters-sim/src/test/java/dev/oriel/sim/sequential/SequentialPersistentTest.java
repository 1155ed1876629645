package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.PersistentContract;
import dev.oriel.ports.persistent.CallGraph;
import dev.oriel.ports.persistent.CallMachine;
import dev.oriel.ports.persistent.CallResult;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.PersistentCalls;
import dev.oriel.ports.persistent.StepMachine;
import dev.oriel.ports.persistent.StepStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Persistent calls among threads that share this process's memory. */
class SequentialPersistentTest extends PersistentContract {
  private final SequentialWire wire = new SequentialWire();

  @Override
  protected CallStream stream(Window window, long id) {
    return new StepStream(id);
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return new SequentialCommunicators(
            wire,
            System::nanoTime,
            (wire, rank, world) -> new SequentialFabric(wire, topology.facts(rank), bytes))
        .join(bootstrap);
  }

  /**
   * The caller's replay does not end in time: its kernels were asked to stop, so no call continues.
   */
  @Test
  void afterAnEndlessReplayCallsFailUntilReset() {
    Duration deadline = Duration.ofSeconds(20);
    CallSpec spec = new CallSpec(192, 0, 3, 0);
    WindowSpec shape =
        WindowSpec.named("w")
            .withData(DataSizes.uniform(384))
            .withSignals(spec.signalCount() + 1)
            .withBarriers(1);
    WindowRegion range = new WindowRegion("w", 0, 64);
    CallStream other = new StepStream(2);
    inWorld(
        2,
        c -> {
          try (Window window = c.window(shape);
              Busy machine = new Busy(new StepMachine(window, spec));
              PersistentCalls calls = PersistentCalls.over(window, spec, machine, deadline)) {
            CallStream foreign = new Foreign(new StepStream(1));
            foreign.capture();
            assertThat(
                    calls.call(
                        ExchangePattern.ALL_GATHER, foreign, range, window, 128, 8, deadline))
                .isEqualTo(new CallResult.Recorded());
            foreign.captured();
            assertThatThrownBy(() ->
                    calls.call(
                        ExchangePattern.ALL_GATHER, foreign, range, window, 128, 8, deadline))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("busy");
            assertThat(machine.stopped).isTrue();
            assertThatIllegalStateException()
                .isThrownBy(() ->
                    calls.call(ExchangePattern.ALL_GATHER, other, range, window, 128, 8, deadline))
                .withMessageContaining("a call has failed")
                .withMessageContaining("busy");
            // Rank 0 cannot join yet, and reports that; rank 1 waits for it, and retries.
            machine.stays = c.rank() == 0;
            assertThatThrownBy(() -> calls.reset(Duration.ofMillis(80)))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining(c.rank() == 0 ? "stays" : "missing=[0]");
            assertThatIllegalStateException()
                .isThrownBy(() ->
                    calls.call(ExchangePattern.ALL_GATHER, other, range, window, 128, 8, deadline));
            if (c.rank() == 0) {
              window.await(1, spec.signalCount(), Comparison.GE, 1, deadline);
              machine.stays = false;
            } else {
              window.signal(0, spec.signalCount(), 1);
            }
            calls.reset(deadline);
            assertThat(
                    calls.call(ExchangePattern.ALL_GATHER, other, range, window, 128, 8, deadline))
                .isEqualTo(new CallResult.Done(1));
          }
          return c;
        });
  }

  /** A machine whose streams do not end foreign replays, nor failed ones while it stays busy. */
  private static final class Busy implements CallMachine {
    private final CallMachine machine;
    private boolean stopped;
    private boolean stays;

    Busy(CallMachine machine) {
      this.machine = machine;
    }

    @Override
    public End open(RequestKey key, int place) {
      return new BusyEnd(machine.open(key, place));
    }

    @Override
    public void stop() {
      stopped = true;
      machine.stop();
    }

    @Override
    public void settle(Duration deadline) throws TimeoutException {
      if (stays) {
        throw new TimeoutException("stays");
      }
      machine.settle(deadline);
    }

    @Override
    public void renew() {
      machine.renew();
    }

    @Override
    public void close() {
      machine.close();
    }
  }

  private record BusyEnd(CallMachine.End end) implements CallMachine.End {
    @Override
    public void quiet(CallStream stream, Duration deadline) throws TimeoutException {
      throw new TimeoutException("busy");
    }

    @Override
    public void renew() {
      end.renew();
    }

    @Override
    public void met(List<Integer> places) {
      end.met(places);
    }

    @Override
    public long run(CallStream stream, CallMachine.Transfer transfer, long epoch, Duration deadline)
        throws TimeoutException {
      return end.run(stream, transfer, epoch, deadline);
    }

    @Override
    public void record(CallStream stream, CallMachine.Transfer transfer) {
      end.record(stream, transfer);
    }

    @Override
    public void close() {
      end.close();
    }
  }

  /** A stream whose graphs belong to the caller. */
  private record Foreign(CallStream stream) implements CallStream {
    @Override
    public long id() {
      return stream.id();
    }

    @Override
    public void capture() {
      stream.capture();
    }

    @Override
    public CallGraph captured() {
      return stream.captured();
    }

    @Override
    public Optional<CallGraph> capturing() {
      return stream.capturing().map(Theirs::new);
    }
  }

  private record Theirs(CallGraph graph) implements CallGraph {
    @Override
    public void add(Call call) {
      // The caller replays it.
    }

    @Override
    public boolean foreign() {
      return true;
    }

    @Override
    public void replay(Duration deadline) throws TimeoutException {
      graph.replay(deadline);
    }

    @Override
    public boolean destroyed() {
      return graph.destroyed();
    }

    @Override
    public void close() {
      graph.close();
    }
  }
}
