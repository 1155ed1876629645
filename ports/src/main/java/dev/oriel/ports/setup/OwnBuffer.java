package dev.oriel.ports.setup;

/**
 * Memory of one rank that is unknown to its peers.
 *
 * @param <M> the machine's memory
 */
public final class OwnBuffer<M extends OwnMemory> implements MachineBuffer<M>, WindowPart {
  private final M memory;
  private final Runnable free;
  private final Runnable onClose;
  private final PartUse use = new PartUse();

  /**
   * A buffer that covers all of that memory.
   *
   * @param free gives the memory back
   * @param onClose runs after it, even if it fails
   */
  public OwnBuffer(M memory, Runnable free, Runnable onClose) {
    this.memory = memory;
    this.free = free;
    this.onClose = onClose;
  }

  @Override
  public M memory() {
    use.requireOpen();
    return memory;
  }

  @Override
  public long address() {
    return memory().address();
  }

  @Override
  public PartUse use() {
    return use;
  }

  @Override
  public long bytes() {
    return memory.bytes();
  }

  @Override
  public void write(long offset, byte[] bytes) {
    memory().write(offset, bytes);
  }

  @Override
  public byte[] read(long offset, int length) {
    return memory().read(offset, length);
  }

  @Override
  public void close() {
    if (use.close()) {
      try {
        free.run();
      } finally {
        onClose.run();
      }
    }
  }
}
