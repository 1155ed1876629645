package dev.oriel.it.options;

import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.ReplayException;
import java.util.Locale;
import java.util.Map;

/**
 * Reads which part of a campaign is meant: {@code 2/8}, or the name of a scheduler whose variables
 * have the number of the part.
 */
public final class ShardSpelling {
  private static final String SLURM = "slurm";
  private static final String KUBERNETES = "kubernetes";
  private static final String TASK = "SLURM_ARRAY_TASK_ID";
  private static final String LOWEST = "SLURM_ARRAY_TASK_MIN";
  private static final String HIGHEST = "SLURM_ARRAY_TASK_MAX";
  private static final String TASKS = "SLURM_ARRAY_TASK_COUNT";
  private static final String INDEX = "JOB_COMPLETION_INDEX";

  private ShardSpelling() {}

  /**
   * The part that {@code text} names.
   *
   * @throws ReplayException if there is none, with the spellings that are accepted
   */
  public static CampaignShard parse(String text, Map<String, String> environment) {
    int slash = text.indexOf('/');
    String name = (slash < 0 ? text : text.substring(0, slash)).toLowerCase(Locale.ROOT);
    return switch (name) {
      case SLURM ->
          new CampaignShard(
              number(environment, TASK, text),
              slash < 0 ? tasks(environment, text) : count(text, slash));
      case KUBERNETES -> {
        if (slash < 0) {
          throw new ReplayException(
              "number of parts missing: text=%s; Kubernetes gives an index alone, so write kubernetes/n"
                  .formatted(text));
        }
        // Indexes of an Indexed Job begin with 0.
        yield new CampaignShard(number(environment, INDEX, text) + 1, count(text, slash));
      }
      default -> CampaignShard.parse(text);
    };
  }

  private static int count(String text, int slash) {
    return CampaignShard.parse("1" + text.substring(slash)).count();
  }

  /** The number of tasks of a whole array. Some tasks of one say nothing about its size. */
  private static int tasks(Map<String, String> environment, String text) {
    int count = number(environment, TASKS, text);
    int lowest = number(environment, LOWEST, text);
    int highest = number(environment, HIGHEST, text);
    if (lowest != 1 || highest != count) {
      throw new ReplayException(
          "not all tasks of an array from 1: text=%s, %s=%d, %s=%d, %s=%d; write slurm/n with the number of parts"
              .formatted(text, LOWEST, lowest, HIGHEST, highest, TASKS, count));
    }
    return count;
  }

  private static int number(Map<String, String> environment, String variable, String text) {
    String value = environment.getOrDefault(variable, "");
    if (!value.matches("[0-9]{1,7}")) {
      throw new ReplayException(
          "no number in a variable: text=%s, variable=%s, value=%s; run it in %s, or write i/n, as in 2/8"
              .formatted(
                  text,
                  variable,
                  value,
                  variable.equals(INDEX) ? "an Indexed Job of Kubernetes" : "an array of Slurm"));
    }
    return Integer.parseInt(value);
  }
}
