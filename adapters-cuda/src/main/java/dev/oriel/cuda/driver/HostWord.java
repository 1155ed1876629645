package dev.oriel.cuda.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A word in host memory that every GPU of this process can read, and set. */
public final class HostWord implements AutoCloseable {
  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final HostMemory memory;
  private final ByteBuffer word;
  private boolean closed;

  public HostWord(Gpu gpu) {
    memory = new HostMemory(gpu, Long.BYTES);
    word = memory.bytes();
  }

  /** Where GPUs find it. */
  public long address() {
    return memory.address();
  }

  /** Changes it, from any thread; GPUs see the change soon. Nothing happens once it is closed. */
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
