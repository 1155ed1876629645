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

  /** What a rank freed, others still map: so who does not come in time holds up nobody else. */
  @Override
  public void meet() {
    mesh.meet(instance, longest);
  }
}
