package dev.oriel.sim.ranks;

import java.util.function.UnaryOperator;

/**
 * The kind of the finding for code of {@link RetriesTest} whose waits time out at quiescence. The
 * argument is {@code endless} or {@code finite} and the name of the code. Loaded together with a
 * changed engine, so its interface consists of strings.
 */
public final class RetryVerdicts implements UnaryOperator<String> {
  @Override
  public String apply(String named) {
    String[] words = named.split(" ", -1);
    return words[0].equals("endless")
        ? RetriesTest.verdict(RetriesTest.Endless.valueOf(words[1]))
        : RetriesTest.verdict(RetriesTest.Finite.valueOf(words[1]));
  }
}
