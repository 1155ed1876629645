package dev.oriel.cuda.process;

import java.time.Duration;
import java.util.Optional;

/** The other processes of a world, as one instance sees them. */
public final class MeshPeers implements InstancePeers {
  private final ProcessMesh mesh;
  private final int instance;
  private final Duration longest;

  public MeshPeers(ProcessMesh mesh, int instance, Duration longest) {
    this.mesh = mesh;
    this.instance = instance;
    this.longest = longest;
  }

  @Override
  public Optional<InstanceEnd> ended() {
    return mesh.ended(instance);
  }

  @Override
  public void announce(InstanceEnd end) {
    mesh.announce(instance, end);
  }

  @Override
  public InstanceEnd settle(InstanceEnd mine) {
    return mesh.settle(instance, mine);
  }

  /**
   * Memory that a rank frees stays valid while others map it: a rank that does not come in time
   * holds up no other.
   */
  @Override
  public void meet() {
    mesh.meet(instance, longest);
  }
}
