package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.CallSchedule;
import dev.oriel.domain.persistent.CallStep;
import dev.oriel.domain.persistent.CallStep.Word;
import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/**
 * Makes calls on the calling thread, step by step over the window. Each replay runs the recorded
 * calls anew, so only this process can replay them.
 */
public final class StepMachine implements CallMachine {
  private final Window window;
  private final CallSpec spec;
  private final CallSchedule schedule;

  public StepMachine(Window window, CallSpec spec) {
    this(window, spec, CallSchedule.DIRECT);
  }

  /** The same with another schedule, which must have the same result. */
  public StepMachine(Window window, CallSpec spec, CallSchedule schedule) {
    this.window = window;
    this.spec = spec;
    this.schedule = schedule;
  }

  @Override
  public CallMachine.End open(RequestKey key, int place) {
    return new End(key, place);
  }

  @Override
  public void stop() {
    // Replays check the request's state first.
  }

  @Override
  public void settle(Duration deadline) {
    // A call that returned leaves no work in flight.
  }

  @Override
  public void renew() {
    // Each end restarts counting when it meets its peers.
  }

  @Override
  public void close() {
    // The window is the caller's.
  }

  private final class End implements CallMachine.End {
    private final RequestKey key;
    private final int place;

    /** By word and peer: the slot's value before the first call, since slots are reused. */
    private final Map<Word, long[]> before = new EnumMap<>(Word.class);

    private List<Integer> places = List.of();

    private End(RequestKey key, int place) {
      this.key = key;
      this.place = place;
    }

    @Override
    public void quiet(CallStream stream, Duration deadline) {
      // No foreign replay exists.
    }

    @Override
    public void renew() {
      for (Word word : Word.values()) {
        long[] values = new long[window.world()];
        for (int peer = 0; peer < values.length; peer++) {
          if (peer != window.rank()) {
            values[peer] = window.signalValue(peer, spec.slot(place, word));
          }
        }
        before.put(word, values);
      }
    }

    @Override
    public void met(List<Integer> others) {
      places = others;
    }

    @Override
    public long run(CallStream stream, Transfer transfer, long epoch, Duration deadline)
        throws TimeoutException {
      List<CallStep> steps =
          schedule.steps(
              key.exchange(), window.rank(), window.world(), transfer.bytes(), transfer.there());
      for (CallStep step : steps) {
        step(step, transfer, epoch, deadline);
      }
      return epoch;
    }

    private void step(CallStep step, Transfer transfer, long epoch, Duration deadline)
        throws TimeoutException {
      switch (step) {
        case CallStep.PeerSignal(int peer, Word word) ->
            window.signal(peer, spec.slot(places.get(peer), word), 1);
        case CallStep.PeerWait(int peer, Word word) ->
            window.await(
                peer,
                spec.slot(place, word),
                Comparison.REACHED,
                Objects.requireNonNull(before.get(word))[peer] + epoch,
                deadline);
        case CallStep.Put(int peer, long from, long to, long bytes) ->
            window.put(
                peer, key.offset() + to, transfer.from(), transfer.fromOffset() + from, bytes);
        case CallStep.Settle(int peer) -> window.flush(peer, deadline);
      }
    }

    @Override
    public void record(CallStream stream, Transfer transfer) {
      // Replays run it.
    }

    @Override
    public void close() {
      // Replays check the request's state first.
    }
  }
}
