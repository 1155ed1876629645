package dev.oriel.sim.machine.driver;

import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.util.Optional;

/**
 * Gives lanes their next call when they have finished their steps. A guide represents rank code
 * that is not a program.
 *
 * <p>A guided lane begins its steps anew for each call. The words that it counts in select the
 * call; {@code Simulation.call} fills them. Between two calls the lane is idle, and no agent waits
 * for it. The guide gives it another call before the next step of any agent, or lets it end.
 */
public interface LaneDriver {
  /** The buffer in which ranks keep registrations of their memory; -1 if they keep none. */
  default int registrations() {
    return -1;
  }

  /** How many rounds without progress count as endless. */
  int rounds();

  /** The deadline of a call that never gives up. */
  long NEVER = Long.MAX_VALUE;

  /**
   * Begins an execution; the rest of the one before is ended first.
   *
   * @param described whether {@link #call} will be used
   */
  void restart(boolean described);

  /**
   * Gives every idle lane its next call, or lets it end.
   *
   * @return the violation that the code committed, if any; it ends the execution
   */
  Optional<Finding> go();

  /** The violation at the end of all lanes, if any. */
  Optional<Finding> ended();

  /** Ends the execution, and any code that has not finished. */
  void stop();

  /** A description of the lane's current call. */
  String call(int lane);

  /**
   * When the lane gives up its call, in nanoseconds of a time that passes only while all lanes
   * wait.
   */
  long deadline(int lane);

  /** Whether the lane need not wait for its deadline to give up its call. */
  boolean givesUp(int lane);

  /**
   * Whether the lane's call ends at once where it cannot succeed: then giving up counts as a poll.
   */
  boolean tries(int lane);

  /** Whether the lane polls again what it has polled before and found unchanged. */
  boolean repeatsPoll(int lane);

  /** Whether the lane's call only polls, or does at once what is possible. */
  boolean polls(int lane);

  /** Whether the lane's call ends once another lane has acted. */
  boolean waits(int lane);

  /** Whether the lane's call may end such a call of another lane. */
  boolean mayWake(int lane);

  /** Adds the lane's call and the answer to the one before, without the deadline. */
  void describe(int lane, Fingerprint into);

  /** How many calls have ended. */
  int calls();

  /** Descriptions of the calls that ended from that number on, if they are recorded. */
  String callsSince(int number);

  /** Lets time pass up to that deadline. */
  void passes(long deadline);

  /** Adds all that decides the code's next actions, besides the machine's state. */
  void digest(Fingerprint into);

  /** A description of how the code's last execution differed from the one before, if it did. */
  Optional<String> difference();
}
