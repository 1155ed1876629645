package dev.oriel.sim.time;

/**
 * Is told what a {@link TimeDriver} does, so that it can be compared with what another machine
 * allows.
 */
interface Watch {
  /** Looks away. */
  Watch NONE =
      new Watch() {
        @Override
        public void stepped(int lane, int at, long now, long clock) {}

        @Override
        public void posted(
            int lane, int peer, long queue, int kind, long begin, long arrived, long complete) {}
      };

  /**
   * The lane is through with the instruction there.
   *
   * @param now when whatever others see of it happened
   * @param clock the lane's own time behind it
   */
  void stepped(int lane, int at, long now, long clock);

  /** The lane's request begins, has arrived at the peer, and is complete, at those times. */
  void posted(int lane, int peer, long queue, int kind, long begin, long arrived, long complete);
}
