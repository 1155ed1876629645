package dev.oriel.ibverbs.window;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.oriel.ports.UserMemory;
import dev.oriel.ports.contract.ApplicationMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Memory of the host that an application allocates. */
public final class HostApplication implements ApplicationMemory {
  private static final long ALIGNMENT = 64;

  private final Map<Long, Arena> arenas = new ConcurrentHashMap<>();

  @Override
  public UserMemory allocate(long bytes) {
    Arena arena = Arena.ofShared();
    long address = arena.allocate(bytes, ALIGNMENT).address();
    arenas.put(address, arena);
    return new UserMemory(address, bytes);
  }

  @Override
  public void free(UserMemory memory) {
    Objects.requireNonNull(arenas.remove(memory.address()), "allocated").close();
  }

  @Override
  public void write(UserMemory memory, long offset, byte[] bytes) {
    MemorySegment.copy(bytes, 0, segment(memory), JAVA_BYTE, offset, bytes.length);
  }

  @Override
  public byte[] read(UserMemory memory, long offset, int length) {
    return segment(memory).asSlice(offset, length).toArray(JAVA_BYTE);
  }

  @SuppressWarnings("restricted")
  private static MemorySegment segment(UserMemory memory) {
    return MemorySegment.ofAddress(memory.address()).reinterpret(memory.bytes());
  }
}
