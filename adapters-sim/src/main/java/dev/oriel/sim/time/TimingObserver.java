package dev.oriel.sim.time;

/** Observes a {@link TimeDriver}, to compare its steps with those that another machine allows. */
interface TimingObserver {
  /** Ignores everything. */
  TimingObserver NONE =
      new TimingObserver() {
        @Override
        public void stepped(int lane, int at, long now, long clock) {}

        @Override
        public void posted(
            int lane, int peer, long queue, int kind, long begin, long arrived, long complete) {}
      };

  /**
   * The lane has completed the instruction there.
   *
   * @param now the time of its effects that others observe
   * @param clock the lane's own time after it
   */
  void stepped(int lane, int at, long now, long clock);

  /** The lane's request begins, has arrived at the peer, and is complete, at those times. */
  void posted(int lane, int peer, long queue, int kind, long begin, long arrived, long complete);
}
