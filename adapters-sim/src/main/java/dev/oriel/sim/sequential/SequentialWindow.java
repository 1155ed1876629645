package dev.oriel.sim.sequential;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Team;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** One rank's view of a window whose bytes are visible at once. */
final class SequentialWindow implements Window {
  private final String name;
  private final Clock clock;
  private final SequentialMemory own;
  private final List<SequentialRemote> data;
  private final Slots slots;
  private final Runnable leave;
  private boolean closed;

  SequentialWindow(
      String name,
      Clock clock,
      SequentialMemory own,
      List<SequentialRemote> data,
      Slots slots,
      Runnable leave) {
    this.name = name;
    this.clock = clock;
    this.own = own;
    this.data = data;
    this.slots = slots;
    this.leave = leave;
  }

  @Override
  public long bytes(int rank) {
    return peer(rank).bytes();
  }

  @Override
  public void write(long offset, byte[] bytes) {
    requireOpen();
    own.write(offset, bytes);
  }

  @Override
  public byte[] read(long offset, int length) {
    requireOpen();
    return own.read(offset, length);
  }

  @Override
  public void put(int peer, long peerOffset, long offset, long length) {
    peer(peer).put(peerOffset, own, offset, length);
  }

  @Override
  public void get(int peer, long peerOffset, long offset, long length) {
    peer(peer).get(peerOffset, own, offset, length);
  }

  @Override
  public void signal(int peer, int id, long value) {
    requireOpen();
    slots.signal(peer, id, value);
  }

  @Override
  public long signalValue(int source, int id) {
    requireOpen();
    return slots.signalValue(source, id);
  }

  @Override
  public void await(int source, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    requireOpen();
    slots.await(source, id, comparison, value, Deadline.in(deadline, clock));
  }

  @Override
  public void flush(int peer, Duration deadline) {
    peer(peer).flush(deadline);
  }

  @Override
  public void barrier(int id, Duration deadline) throws TimeoutException {
    barrier(id, Team.all(data.size()), deadline);
  }

  @Override
  public void barrier(int id, Team team, Duration deadline) throws TimeoutException {
    requireOpen();
    slots.barrier(id, team, Deadline.in(deadline, clock));
  }

  private SequentialRemote peer(int rank) {
    requireOpen();
    if (rank < 0 || rank >= data.size()) {
      throw new IndexOutOfBoundsException(
          "rank out of range: window=%s, rank=%d, world=%d; use 0 to %d"
              .formatted(name, rank, data.size(), data.size() - 1));
    }
    return data.get(rank);
  }

  private void requireOpen() {
    if (closed) {
      throw new MachineException("window is closed: window=" + name + "; create another");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      leave.run();
    }
  }
}
