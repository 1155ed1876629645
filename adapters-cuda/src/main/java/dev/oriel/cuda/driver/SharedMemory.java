package dev.oriel.cuda.driver;

/**
 * Memory mapped in this process that other processes can map, too. It lives until every process has
 * unmapped it: one that closes its mapping, or ends, takes it from no other.
 */
public interface SharedMemory extends AutoCloseable {

  /** The address at which it is mapped here. */
  long address();

  /** The number of mapped bytes, at least as many as requested. */
  long bytes();

  /** An open file by which another process maps it; the caller closes the file. */
  OpenDescriptor export();

  /** Ends the mapping here; closing twice does nothing. */
  @Override
  void close();

  /** Makes and maps such memory; a GPU or the host. */
  interface Maker<M extends SharedMemory> {
    /** Allocates zeroed memory. */
    M share(long bytes);

    /** Maps memory that another process exported; the file stays the caller's. */
    M open(OpenDescriptor file, long bytes);
  }
}
