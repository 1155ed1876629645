package dev.oriel.ports.contract;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/**
 * Makes every window over memory of the application, inside a larger allocation. So the suites
 * about windows hold for such windows as well. Bytes beside the part must stay what they were.
 */
public final class UserMemoryCommunicator implements Communicator {
  /** Bytes before and after each part; more than a line of packets, and its multiple. */
  private static final int BESIDE = 256;

  private static final byte CANARY = 0x5a;

  private final Communicator inner;
  private final ApplicationMemory memory;
  private final List<UserBuffer> userBuffers = new ArrayList<>();

  private record UserBuffer(UserMemory allocation, LocalBuffer buffer) {}

  public UserMemoryCommunicator(Communicator inner, ApplicationMemory memory) {
    this.inner = inner;
    this.memory = memory;
  }

  /** The communicator that makes the windows. */
  Communicator inner() {
    return inner;
  }

  @Override
  public int rank() {
    return inner.rank();
  }

  @Override
  public int world() {
    return inner.world();
  }

  @Override
  public Topology topology() {
    return inner.topology();
  }

  @Override
  public Window window(WindowSpec spec, Team peers) {
    if (!spec.data().fits(world())) {
      return inner.window(spec, peers);
    }
    return inner.window(spec, peers, part(spec.data().of(rank())));
  }

  private LocalBuffer part(long bytes) {
    UserMemory allocation = memory.allocate(bytes + 2 * BESIDE);
    byte[] canary = new byte[BESIDE];
    Arrays.fill(canary, CANARY);
    memory.write(allocation, 0, canary);
    memory.write(allocation, BESIDE + bytes, canary);
    LocalBuffer buffer =
        bytes == 0
            ? inner.buffer(0)
            : inner.buffer(new UserMemory(allocation.address() + BESIDE, bytes));
    userBuffers.add(new UserBuffer(allocation, buffer));
    return buffer;
  }

  @Override
  public Window window(WindowSpec spec, Team peers, LocalBuffer part) {
    return inner.window(spec, peers, part);
  }

  @Override
  public LocalBuffer buffer(long bytes) {
    return inner.buffer(bytes);
  }

  @Override
  public LocalBuffer buffer(UserMemory user) {
    return inner.buffer(user);
  }

  @Override
  public void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException {
    inner.lanes(count, threads, code);
  }

  @Override
  public Abort abort(String cause) {
    return inner.abort(cause);
  }

  @Override
  public Optional<Abort> aborted() {
    return inner.aborted();
  }

  /** Closes the buffers that no window uses, then the communicator. */
  @Override
  public void close() {
    for (UserBuffer each : List.copyOf(userBuffers)) {
      try {
        each.buffer().close();
      } catch (MachineException e) {
        // The part of a window that is open: the communicator says so.
        continue;
      }
      userBuffers.remove(each);
      requireCanaries(each);
      memory.free(each.allocation());
    }
    inner.close();
  }

  private void requireCanaries(UserBuffer each) {
    long end = each.allocation().bytes() - BESIDE;
    for (long at : new long[] {0, end}) {
      for (byte one : memory.read(each.allocation(), at, BESIDE)) {
        if (one != CANARY) {
          throw new AssertionError(
              "bytes beside the part were written: rank=%d, offset=%d".formatted(rank(), at));
        }
      }
    }
  }
}
