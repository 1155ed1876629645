package dev.oriel.cuda.driver;

/** Another process's allocation, mapped here as a whole for one GPU. */
public interface OpenedAllocation extends AutoCloseable {

  /** The address at which it begins here. */
  long base();

  /** The number of bytes that are mapped. */
  long bytes();

  /** Unmaps it; closing twice does nothing. */
  @Override
  void close();
}
