package dev.oriel.cuda.process;

import java.util.Optional;

/** The messages of the ranks of other processes about one instance. */
public interface Peers {
  /** Peers of a process that runs all ranks itself. */
  Peers NONE =
      new Peers() {
        @Override
        public Optional<End> ended() {
          return Optional.empty();
        }

        @Override
        public void tell(End end) {}

        @Override
        public End settle(End mine) {
          return mine;
        }

        @Override
        public void meet() {}
      };

  /** Why the instance has ended, as soon as any peer said so or is gone; never waits. */
  Optional<End> ended();

  /** Tells all peers that the instance has ended; only the first call counts. */
  void tell(End end);

  /** The one end that all live ranks choose, given this rank's own; waits a moment. */
  End settle(End mine);

  /** Returns once no live peer launches the instance any more, or a deadline has passed. */
  void meet();
}
