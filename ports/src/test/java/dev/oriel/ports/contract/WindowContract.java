package dev.oriel.ports.contract;

import dev.oriel.ports.Window;
import java.util.Set;

/** What every {@link Window} must do among ranks that run at once. */
public abstract class WindowContract extends WorldFixture
    implements WindowTransferTests, WindowSignalTests, WindowBarrierTests, WindowLifeTests {
  /** What an implementation may be unable to do. */
  public enum Capability {
    /** Ends a wait when its thread is interrupted. */
    INTERRUPTION
  }

  private final Set<Capability> lacking;

  /** A suite for an implementation that lacks the named capabilities. */
  protected WindowContract(Set<Capability> lacking) {
    this.lacking = lacking;
  }

  @Override
  public final boolean lacks(Capability capability) {
    return lacking.contains(capability);
  }

  @Override
  public int large() {
    return 1 << 16;
  }
}
