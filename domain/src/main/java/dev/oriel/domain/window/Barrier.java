package dev.oriel.domain.window;

import java.util.List;

/**
 * One round of a barrier: every member of the team sets its own slot at every other member to the
 * round's epoch, and passes when its own slots have all reached that epoch.
 *
 * <p>An arrival is a SET of an absolute value in a row of its own, never an addition. A round may
 * therefore be split into arriving and waiting. Two rounds, two ids, a relaunch or a replay cannot
 * be confused as long as the epoch continues. A slot that lags shows the missing rank. A fast
 * member is at most one round ahead, which still counts as reached. Two ranks alone are a team of
 * two.
 *
 * <p>These are slots and values only: the barrier orders data exactly if each arrival is a release
 * after the rank's writes (over RDMA: after these were flushed) and each wait an acquire.
 */
public record Barrier(int id, Team team, Epoch epoch) {

  /** The next round of the same team. */
  public Barrier next() {
    return new Barrier(id, team, epoch.next());
  }

  /** The value that an arriving member writes and that a slot must reach. */
  public long value() {
    return epoch.value();
  }

  /** Whether a slot that holds {@code word} lets this round pass. */
  public boolean passedBy(long word) {
    return epoch.reachedBy(word);
  }

  /** The slots at the other members that {@code self} sets to {@link #value} when it arrives. */
  public List<WindowSlot> arrivals(WindowLayout layout, int self) {
    return team.peersOf(self).mapToObj(peer -> layout.owner(peer).barrierSlot(self, id)).toList();
  }

  /** The slots of {@code self} that must all have reached the epoch, one for each other member. */
  public List<WindowSlot> awaited(WindowLayout layout, int self) {
    OwnerLayout own = layout.owner(self);
    return team.peersOf(self).mapToObj(peer -> own.barrierSlot(peer, id)).toList();
  }
}
