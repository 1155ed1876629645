package dev.oriel.sim.oracle;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts of {@link PlainBlocks} in which one agent is a thread of the host: a lane for each
 * agent of one rank. Signals, awaits and fences may have any scope.
 */
final class PlainHosts {
  private static final Pattern AGENT = Pattern.compile("(?s)  if i == (\\d) \\{\n(.*?)\n?  }\n");

  private PlainHosts() {}

  static String text(long seed, int lanes) {
    String blocks = PlainBlocks.text(seed, lanes, 1) + "\n";
    StringBuilder text = new StringBuilder(blocks.substring(0, blocks.indexOf("lane main")));
    Matcher agents = AGENT.matcher(blocks);
    while (agents.find()) {
      int agent = Integer.parseInt(agents.group(1));
      boolean host = agent == seed % lanes;
      text.append("lane agent%d: %s {\n".formatted(agent, host ? "host" : "sm(32)"))
          .append(agents.group(2))
          .append("\n}\n");
    }
    return text.toString();
  }
}
