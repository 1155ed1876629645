package dev.oriel.cuda.process;

import java.time.Duration;
import java.util.Optional;

/** The other processes of a world, as one instance sees them. */
public final class Neighbours implements Peers {
  private final Mesh mesh;
  private final int instance;
  private final Duration longest;

  public Neighbours(Mesh mesh, int instance, Duration longest) {
    this.mesh = mesh;
    this.instance = instance;
    this.longest = longest;
  }

  @Override
  public Optional<End> ended() {
    return mesh.ended(instance);
  }

  @Override
  public void tell(End end) {
    mesh.tell(instance, end);
  }

  @Override
  public End settle(End mine) {
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
