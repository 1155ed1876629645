package dev.oriel.sim.machine;

import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.util.Optional;

/**
 * Tells lanes what to do next whenever they have come to the end of their steps: rank code that is
 * no program.
 *
 * <p>A guided lane begins its steps anew for each call; which one is up to the words it counts in,
 * which {@link Simulation#call} fills. Between two calls it stands idle and nobody waits for it:
 * the guide gives it another call before anybody's next step, or lets it end.
 */
public interface Guide {
  /** The buffer in which its ranks keep registrations of their memory; -1 if they keep none. */
  default int registrations() {
    return -1;
  }

  /** Rounds in which nobody gets anywhere that are taken to go on for ever. */
  int rounds();

  /** The deadline of a call that never gives up. */
  long NEVER = Long.MAX_VALUE;

  /**
   * An execution begins; whatever is left of the one before is ended first.
   *
   * @param told whether {@link #call} will be asked
   */
  void restart(boolean told);

  /**
   * Gives every lane that stands idle its next call, or lets it end.
   *
   * @return what is wrong with what the code did, if anything: the execution has then ended
   */
  Optional<Finding> go();

  /** Every lane has come to its end: what is wrong with that, if anything. */
  Optional<Finding> ended();

  /** The execution is over: code that has not come to its end is ended. */
  void stop();

  /** The call that the lane is in, in words. */
  String call(int lane);

  /** When the lane gives up its call, in nanoseconds of a time that passes only while all wait. */
  long deadline(int lane);

  /** Whether the lane need not wait for its deadline to give up its call. */
  boolean givesUp(int lane);

  /** Whether the lane's call ends at once where it cannot be done: to give up is to look. */
  boolean tries(int lane);

  /** Whether the lane looks again at what it has looked at before, and found unchanged. */
  boolean looksAgain(int lane);

  /** Whether the lane is in a call that tells what is there, or does at once what can be done. */
  boolean looks(int lane);

  /** Whether the lane is in a call that ends once another lane has done something. */
  boolean waits(int lane);

  /** Whether the lane is in a call by which such a call of another lane may end. */
  boolean tells(int lane);

  /** Feeds the call that the lane is in, and what the one before was answered; not its deadline. */
  void describe(int lane, Fingerprint into);

  /** How many calls have ended. */
  int calls();

  /** The calls that have ended from that number on, in words, if anybody is to read them. */
  String callsSince(int number);

  /** Time passes up to that deadline. */
  void passes(long deadline);

  /** Feeds all that decides what the code does next, beside the machine's state. */
  void digest(Fingerprint into);

  /** How the code of the last execution differed from the one before, if it did: in words. */
  Optional<String> difference();
}
