package dev.oriel.cuda.ptx;

/** The oldest GPU generation on which a kernel runs. */
public enum PtxTarget {
  SM_80("sm_80", false),
  /**
   * Kernels may start before the previous kernel of their stream has ended, and wait for it
   * themselves; blocks may form clusters.
   */
  SM_90("sm_90", true);

  private final String spelling;
  private final boolean dependentLaunch;

  PtxTarget(String spelling, boolean dependentLaunch) {
    this.spelling = spelling;
    this.dependentLaunch = dependentLaunch;
  }

  /** PTX's name of the target. */
  public String spelling() {
    return spelling;
  }

  /** Whether there are instructions that convert elements of 8-bit floating-point types. */
  boolean convertsFp8() {
    return this == SM_90;
  }

  /** Whether blocks can form clusters, and words can be accessed in cluster scope. */
  public boolean clusters() {
    return this == SM_90;
  }

  /** Whether blocks have bulk-copy units, which copy while their threads run. */
  boolean bulkCopies() {
    return this == SM_90;
  }

  /** Whether kernels use programmatic launch edges. */
  public boolean dependentLaunch() {
    return dependentLaunch;
  }
}
