package dev.oriel.cuda.ptx;

/** The oldest GPU generation that a kernel runs on. */
public enum Target {
  SM_80("sm_80", false),
  /**
   * May start before the previous kernel of its stream has ended, and waits for it in the kernel;
   * its blocks may stand in clusters.
   */
  SM_90("sm_90", true);

  private final String spelling;
  private final boolean dependentLaunch;

  Target(String spelling, boolean dependentLaunch) {
    this.spelling = spelling;
    this.dependentLaunch = dependentLaunch;
  }

  /** How PTX names it. */
  public String spelling() {
    return spelling;
  }

  /** Whether there are instructions that convert elements of 8-bit floating-point types. */
  boolean convertsFp8() {
    return this == SM_90;
  }

  /** Whether blocks may stand in clusters, and words be accessed in their scope. */
  public boolean clusters() {
    return this == SM_90;
  }

  /** Whether blocks have units that copy beside their threads. */
  boolean bulkCopies() {
    return this == SM_90;
  }

  /** Whether kernels carry programmatic launch edges. */
  public boolean dependentLaunch() {
    return dependentLaunch;
  }
}
