package dev.oriel.sim.replay;

/**
 * Repeats a script, then takes the first option of every choice.
 *
 * <p>Strict choices throw if the script names an option that does not exist, since the execution
 * then differs from the recorded one. Lenient choices take the last option instead, for the changed
 * programs that {@link Shrinker} tries.
 */
public final class ScriptedChoices implements ChoiceSource {
  private final ChoiceScript script;
  private final boolean strict;
  private int asked;

  private ScriptedChoices(ChoiceScript script, boolean strict) {
    this.script = script;
    this.strict = strict;
  }

  public static ScriptedChoices strict(ChoiceScript script) {
    return new ScriptedChoices(script, true);
  }

  public static ScriptedChoices lenient(ChoiceScript script) {
    return new ScriptedChoices(script, false);
  }

  @Override
  public int choose(int options) {
    ChoiceSource.check(options);
    if (options == 1) {
      return 0;
    }
    int choice = script.at(asked);
    if (choice >= options) {
      if (strict) {
        throw new ReplayException(
            "no such choice: position=%d, choice=%d, options=%d; the script was written for another"
                    .formatted(asked, choice, options)
                + " program, profile or release");
      }
      choice = options - 1;
    }
    asked++;
    return choice;
  }

  /**
   * Ends the execution.
   *
   * @throws ReplayException if the script has choices left: then it is not the recorded execution
   */
  public void finish() {
    if (strict && asked < script.length()) {
      throw new ReplayException(
          "script not used up: asked=%d, length=%d; the script was written for another program,"
                  .formatted(asked, script.length())
              + " profile or release");
    }
  }
}
