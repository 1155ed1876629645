package dev.oriel.cuda.driver;

/**
 * Memory mapped in this process, that another process may map as well. The memory itself lives
 * until nobody maps it any more: who closes it, or dies, takes it from nobody else.
 */
public interface SharedMemory extends AutoCloseable {

  /** Where it is mapped here. */
  long address();

  /** How many bytes are mapped, at least those asked for. */
  long bytes();

  /** An open file by which another process maps it; whoever asks closes it. */
  Descriptor export();

  /** Ends the mapping here; closing twice does nothing. */
  @Override
  void close();

  /** Who makes and maps such memory: a GPU, or the host. */
  interface Maker<M extends SharedMemory> {
    /** Allocates zeroed memory. */
    M share(long bytes);

    /** Maps what another process exported, of which the file stays the caller's. */
    M open(Descriptor file, long bytes);
  }
}
