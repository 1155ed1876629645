package dev.oriel.cuda.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A word in host memory that every GPU of this process can read, and set. */
public final class HostWord implements DeviceFlag {
  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final PinnedHostMemory memory;
  private final ByteBuffer word;
  private boolean closed;

  public HostWord(Gpu gpu) {
    memory = new PinnedHostMemory(gpu, Long.BYTES);
    word = memory.bytes();
  }

  @Override
  public long address() {
    return memory.address();
  }

  @Override
  public synchronized void set(long value) {
    if (!closed) {
      WORD.setRelease(word, 0, value);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    memory.close();
  }
}
