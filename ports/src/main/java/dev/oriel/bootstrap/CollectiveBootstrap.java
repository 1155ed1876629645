package dev.oriel.bootstrap;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.SetupStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Builds every collective on one {@link GroupLink} and keeps the rules that hold for every
 * transport: one call at a time; a failure of the group is final; a closed end stays closed.
 */
abstract sealed class CollectiveBootstrap implements Bootstrap
    permits InProcessBootstrap, TcpBootstrap {
  private final int rank;
  private final int world;
  private final Duration deadline;
  private final int contributionLimit;
  private final GroupLink exchange;
  private final ReentrantLock oneCall = new ReentrantLock();
  private volatile boolean closed;
  private boolean released;
  private @Nullable BootstrapException broken;

  CollectiveBootstrap(
      int rank, int world, Duration deadline, int contributionLimit, GroupLink exchange) {
    this.rank = rank;
    this.world = world;
    this.deadline = deadline;
    this.contributionLimit = contributionLimit;
    this.exchange = exchange;
  }

  @Override
  public final int rank() {
    return rank;
  }

  @Override
  public final int world() {
    return world;
  }

  @Override
  public final Duration deadline() {
    return deadline;
  }

  @Override
  public final List<byte[]> allGather(String step, byte[] mine, Duration within) {
    return call(CollectiveOperation.ALL_GATHER, step, mine, within);
  }

  @Override
  public final void barrier(String step, Duration within) {
    call(CollectiveOperation.BARRIER, step, new byte[0], within);
  }

  @Override
  public final void agree(String step, SetupStatus mine, Duration within) {
    List<byte[]> records = call(CollectiveOperation.AGREE, step, StatusRecord.encode(mine), within);
    TreeMap<Integer, String> causes = new TreeMap<>();
    for (int r = 0; r < world; r++) {
      Optional<String> text = failureText(r, records.get(r), step);
      if (text.isPresent()) {
        causes.put(r, text.get());
      }
    }
    if (!causes.isEmpty()) {
      throw BootstrapErrors.disagreed(causes, CollectiveOperation.AGREE.label(step), cause(mine));
    }
  }

  @Override
  public final void close() {
    closed = true;
    exchange.requestClose();
    oneCall.lock();
    try {
      if (!released) {
        released = true;
        exchange.release();
      }
    } finally {
      oneCall.unlock();
    }
  }

  private List<byte[]> call(
      CollectiveOperation operation, String step, byte[] mine, Duration within) {
    ByteBuffer body = Contribution.encode(mine, contributionLimit);
    CollectiveCall call = new CollectiveCall(operation, step, body, MonotonicDeadline.in(within));
    return decode(call, inTurn(call));
  }

  private List<ByteBuffer> inTurn(CollectiveCall call) {
    if (!oneCall.tryLock()) {
      if (closed) {
        throw BootstrapErrors.closed(rank);
      }
      throw new IllegalStateException(
          "two threads use one rank's end at once: rank=%d, step=%s; call from one thread at a time"
              .formatted(rank, call.label()));
    }
    try {
      refuseAfterTheEnd();
      return exchange.exchange(call);
    } catch (BootstrapException failure) {
      broken = broken == null ? failure : broken;
      throw failure;
    } finally {
      oneCall.unlock();
    }
  }

  private void refuseAfterTheEnd() {
    if (closed) {
      throw BootstrapErrors.closed(rank);
    }
    if (broken != null) {
      throw BootstrapErrors.again(broken);
    }
  }

  private List<byte[]> decode(CollectiveCall call, List<ByteBuffer> contributions) {
    List<byte[]> all = new ArrayList<>(world);
    TreeMap<Integer, Long> tooLarge = new TreeMap<>();
    for (int r = 0; r < world; r++) {
      switch (contribution(r, contributions.get(r), call.label())) {
        case Contribution.Bytes bytes -> all.add(bytes.copy());
        case Contribution.TooLarge(long size) -> tooLarge.put(r, size);
      }
    }
    if (!tooLarge.isEmpty()) {
      throw BootstrapErrors.tooLarge(tooLarge, contributionLimit, call.label());
    }
    return all;
  }

  private static Contribution contribution(int from, ByteBuffer encoded, String label) {
    try {
      return Contribution.decode(encoded);
    } catch (ProtocolViolation e) {
      throw BootstrapErrors.protocol(from, String.valueOf(e.getMessage()), label);
    }
  }

  private static Optional<String> failureText(int from, byte[] record, String step) {
    try {
      return StatusRecord.failureText(record);
    } catch (ProtocolViolation e) {
      throw BootstrapErrors.protocol(
          from, String.valueOf(e.getMessage()), CollectiveOperation.AGREE.label(step));
    }
  }

  private static @Nullable Throwable cause(SetupStatus status) {
    return status instanceof SetupStatus.Failed(var _, Throwable cause) ? cause : null;
  }

  /** Kind, rank and world, for logs. */
  @Override
  public final String toString() {
    return "%s[rank=%d, world=%d]".formatted(getClass().getSimpleName(), rank, world);
  }
}
