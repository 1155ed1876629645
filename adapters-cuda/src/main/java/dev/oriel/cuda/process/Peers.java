package dev.oriel.cuda.process;

import java.util.Optional;

/** What the ranks of other processes say of one instance. */
public interface Peers {
  /** No other process. */
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

  /** Why it is over, as soon as any of them said so or is gone; never waits. */
  Optional<End> ended();

  /** Says, to all of them, that it is over; the first time counts. */
  void tell(End end);

  /** The one end that all ranks that live go by, given what this one knows; waits a moment. */
  End settle(End mine);

  /** Returns once none that lives launches it any more, or a deadline has passed. */
  void meet();
}
