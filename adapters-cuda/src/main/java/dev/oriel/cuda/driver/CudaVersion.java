package dev.oriel.cuda.driver;

/**
 * A version of CUDA as the driver numbers them.
 *
 * @param number 12060 for CUDA 12.6
 */
record CudaVersion(int number) {
  /** The oldest version with every function that is called, and that accepts the kernels' PTX. */
  static final CudaVersion NEEDED = new CudaVersion(12000);

  /**
   * The first version whose graphs record that a kernel may begin before its predecessor has ended.
   */
  private static final CudaVersion EARLY = new CudaVersion(12030);

  boolean serves() {
    return number >= NEEDED.number;
  }

  boolean launchesEarly() {
    return number >= EARLY.number;
  }

  @Override
  public String toString() {
    return "%d.%d".formatted(number / 1000, number % 1000 / 10);
  }
}
