package dev.oriel.ports.contract;

import dev.oriel.ports.Window;
import java.util.Set;

/** The requirements on every {@link Window} among concurrent ranks. */
public abstract class WindowContract extends WorldFixture
    implements WindowTransferTests, WindowSignalTests, WindowBarrierTests, WindowLifeTests {
  /** Abilities that an implementation may lack. */
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
