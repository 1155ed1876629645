package dev.oriel.sim.replay;

/**
 * Decides everything that an execution leaves open. Choice 0 is the default: "take the first". The
 * same answers to the same questions make the same execution, on any JVM.
 *
 * <p>A question with one option is no choice. It is answered with 0, is not recorded and consumes
 * nothing of a script, so an engine may skip it.
 */
@FunctionalInterface
public interface ChoiceSource {

  /**
   * Chooses one of {@code 0 … options - 1}.
   *
   * @throws ReplayException if there is no option, or a script's choice is not an option
   */
  int choose(int options);

  /** Refuses a question without options, which is an error of the engine. */
  static void check(int options) {
    if (options < 1) {
      throw new ReplayException(
          "nothing to choose from: options=" + options + "; ask with at least one");
    }
  }
}
