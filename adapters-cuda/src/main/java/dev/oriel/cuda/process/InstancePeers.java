package dev.oriel.cuda.process;

import java.util.Optional;

/** The messages of the ranks of other processes about one instance. */
public interface InstancePeers {
  /** Peers of a process that runs all ranks itself. */
  InstancePeers NONE =
      new InstancePeers() {
        @Override
        public Optional<InstanceEnd> ended() {
          return Optional.empty();
        }

        @Override
        public void announce(InstanceEnd end) {}

        @Override
        public InstanceEnd settle(InstanceEnd mine) {
          return mine;
        }

        @Override
        public void meet() {}
      };

  /** Why the instance has ended, as soon as any peer said so or is gone; never waits. */
  Optional<InstanceEnd> ended();

  /** Announces to all peers that the instance has ended; only the first call counts. */
  void announce(InstanceEnd end);

  /** The one end that all live ranks choose, given this rank's own; waits a moment. */
  InstanceEnd settle(InstanceEnd mine);

  /** Returns once no live peer launches the instance any more, or a deadline has passed. */
  void meet();
}
