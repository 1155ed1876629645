package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.CallGraph;
import dev.oriel.ports.persistent.CallResult;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.PersistentCalls;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

/** A rank, and its contribution to each numbered call. */
final class CallingRank {
  final Window window;
  final PersistentCalls calls;
  private final ExchangePattern exchange;
  private final LongFunction<CallStream> streams;

  CallingRank(
      ExchangePattern exchange,
      Window window,
      PersistentCalls calls,
      LongFunction<CallStream> streams) {
    this.exchange = exchange;
    this.window = window;
    this.calls = calls;
    this.streams = streams;
  }

  private static byte[] bytes(int rank, int call, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(100L * call + rank).nextBytes(bytes);
    return bytes;
  }

  CallStream stream(long id) {
    return streams.apply(id);
  }

  int source(int length) {
    return (int) exchange.source(window.world(), length);
  }

  byte[] mine(int call, int length) {
    return bytes(window.rank(), call, source(length));
  }

  void fill(int call, int length) {
    window.write(PersistentSuite.FROM, mine(call, length));
  }

  CallResult call(CallStream stream, WindowRegion out, int length) throws TimeoutException {
    return calls.call(
        exchange, stream, out, window, PersistentSuite.FROM, length, PersistentSuite.LONG);
  }

  void holds(WindowRegion out, int call, int length) {
    int share = (int) exchange.share(window.rank(), length);
    for (int rank = 0; rank < window.world(); rank++) {
      byte[] all = bytes(rank, call, source(length));
      assertThat(window.read(out.offset() + (long) rank * length, length))
          .as("rank=%d, call=%d, of=%d", window.rank(), call, rank)
          .isEqualTo(Arrays.copyOfRange(all, share, share + length));
    }
  }

  void called(CallStream stream, WindowRegion out, int call, int length, long epoch)
      throws TimeoutException {
    fill(call, length);
    assertThat(call(stream, out, length)).isEqualTo(new CallResult.Done(epoch));
    holds(out, call, length);
  }

  void replayed(CallGraph graph, WindowRegion out, int call, int length) throws TimeoutException {
    fill(call, length);
    graph.replay(PersistentSuite.LONG);
    holds(out, call, length);
  }

  /** The call as a separate graph. */
  CallGraph recorded(CallStream stream, WindowRegion out, int length) throws TimeoutException {
    stream.capture();
    assertThat(call(stream, out, length)).isEqualTo(new CallResult.Recorded());
    return stream.captured();
  }
}
