package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ports.queue.MemoryBacking;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Memory of a GPU exported as a dma-buf, by a foreign function: JCuda does not have it. */
final class MemoryFile {
  private static final long PAGE = 4096;
  private static final int DMA_BUF = 1;

  private static final MethodHandle HANDLE =
      ForeignFunctions.bind(
          "cuMemGetHandleForAddressRange", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);

  private MemoryFile() {}

  /** The pages that contain those bytes, and the offset of the bytes in them. */
  static MemoryBacking.Shared of(Gpu gpu, long address, long bytes) {
    long start = Math.floorDiv(address, PAGE) * PAGE;
    long length = Math.ceilDiv(address + bytes, PAGE) * PAGE - start;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = arena.allocate(JAVA_INT);
      ForeignFunctions.call(
          gpu, "cuMemGetHandleForAddressRange", HANDLE, file, start, length, DMA_BUF, 0L);
      OpenDescriptor opened = new OpenDescriptor(file.get(JAVA_INT, 0));
      return new MemoryBacking.Shared(opened.number(), address - start, opened::close);
    }
  }
}
