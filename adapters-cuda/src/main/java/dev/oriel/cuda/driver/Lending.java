package dev.oriel.cuda.driver;

/**
 * The driver's calls by which a GPU reaches memory that an app allocated: here, or in another
 * process of this host.
 */
public interface Lending {

  /** The number of the GPU in this process. */
  int gpu();

  /** The allocation in which an address lies. */
  Allocation find(long address);

  /** Lets this GPU reach what was allocated on another one of this process. */
  void reach(int other);

  /** A handle by which another process opens the allocation; it needs no freeing. */
  byte[] lend(Allocation allocation);

  /** Maps another process's allocation for this GPU, as a whole; peer access comes with it. */
  long open(byte[] handle);

  /** Ends such a mapping. */
  void close(long base);
}
