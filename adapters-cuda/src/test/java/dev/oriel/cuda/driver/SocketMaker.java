package dev.oriel.cuda.driver;

import dev.oriel.cuda.driver.UnixSocket.Received;
import dev.oriel.ports.MachineException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands in for a GPU: an export is a connection to it, over which an opener reports. Tests thus
 * see which rank opened which file.
 */
public final class SocketMaker implements SharedMemory.Maker<SharedMemory> {
  private final int rank;
  private final AtomicInteger open = new AtomicInteger();
  private final String name = "oriel-test-" + UUID.randomUUID();
  private final UnixSocket door = UnixSocket.listen(name, 16);
  private boolean outOfMemory;
  private boolean unreachable;

  public SocketMaker(int rank) {
    this.rank = rank;
  }

  /** From now on allocation fails. */
  public void runOutOfMemory() {
    outOfMemory = true;
  }

  /** From now on mapping fails. */
  public void losePeerAccess() {
    unreachable = true;
  }

  /** The number of mapped pieces of memory. */
  public int mapped() {
    return open.get();
  }

  @Override
  public SharedMemory share(long bytes) {
    if (outOfMemory) {
      throw new MachineException("no memory: bytes=" + bytes + "; ask for less");
    }
    return new Mapped(bytes, 1000L * rank);
  }

  @Override
  public SharedMemory open(OpenDescriptor file, long bytes) {
    if (unreachable) {
      throw new MachineException("no peer access: rank=" + rank + "; see nvidia-smi topo -m");
    }
    UnixSocket.of(file).send(("rank " + rank).getBytes(StandardCharsets.US_ASCII));
    return new Mapped(bytes, bytes);
  }

  /** The openers of this maker's exports. */
  public List<String> visitors() {
    List<String> visitors = new ArrayList<>();
    Optional<UnixSocket> caller = door.accept();
    while (caller.isPresent()) {
      try (UnixSocket line = caller.get()) {
        while (line.receive() instanceof Received.Message(byte[] bytes, var _)) {
          visitors.add(new String(bytes, StandardCharsets.US_ASCII));
        }
      }
      caller = door.accept();
    }
    visitors.sort(null);
    return visitors;
  }

  /** Ends the mapping. */
  public void close() {
    door.close();
  }

  private final class Mapped implements SharedMemory {
    private final long bytes;
    private final long address;
    private boolean closed;

    Mapped(long bytes, long address) {
      this.bytes = bytes;
      this.address = address;
      open.incrementAndGet();
    }

    @Override
    public long address() {
      return address;
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public OpenDescriptor export() {
      return UnixSocket.connect(name).descriptor();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        open.decrementAndGet();
      }
    }
  }
}
