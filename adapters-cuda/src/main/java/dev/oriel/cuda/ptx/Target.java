package dev.oriel.cuda.ptx;

/** The oldest GPU generation that a kernel runs on. */
public enum Target {
  SM_80("sm_80", false),
  /**
   * May start before the previous kernel of its stream has ended, and waits for it in the kernel.
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

  /** Whether kernels carry programmatic launch edges. */
  public boolean dependentLaunch() {
    return dependentLaunch;
  }
}
