package dev.oriel.it.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.ReplayException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A part by its number, or by the variables of a scheduler. */
class ShardSpellingTest {
  private static Map<String, String> environment(String variables) {
    Map<String, String> environment = new HashMap<>();
    Arrays.stream(variables.split(" "))
        .filter(one -> one.contains("="))
        .map(one -> one.split("=", -1))
        .forEach(one -> environment.put(one[0], one[1]));
    return environment;
  }

  private static String array(String id, String lowest, String highest, String count) {
    return "SLURM_ARRAY_TASK_ID=%s SLURM_ARRAY_TASK_MIN=%s SLURM_ARRAY_TASK_MAX=%s SLURM_ARRAY_TASK_COUNT=%s"
        .formatted(id, lowest, highest, count);
  }

  @ParameterizedTest
  @CsvSource({
    "2/8, '', 2/8",
    "2/8, SLURM_ARRAY_TASK_ID=5, 2/8",
    "slurm, 3:1:8:8, 3/8",
    "SLURM, 8:1:8:8, 8/8",
    "slurm/8, 3:3:3:1, 3/8",
    "slurm/8, SLURM_ARRAY_TASK_ID=1, 1/8",
    "kubernetes/8, JOB_COMPLETION_INDEX=0, 1/8",
    "Kubernetes/8, JOB_COMPLETION_INDEX=7, 8/8"
  })
  void aPartIsRead(String text, String variables, String part) {
    assertThat(ShardSpelling.parse(text, expanded(variables))).isEqualTo(CampaignShard.parse(part));
  }

  private static Map<String, String> expanded(String variables) {
    String[] task = variables.split(":", -1);
    return environment(task.length == 4 ? array(task[0], task[1], task[2], task[3]) : variables);
  }

  @ParameterizedTest
  @CsvSource({
    "slurm, '', variable=SLURM_ARRAY_TASK_ID",
    "slurm, SLURM_ARRAY_TASK_ID=3, variable=SLURM_ARRAY_TASK_COUNT",
    "slurm, 3:3:3:1, write slurm/n with the number of parts",
    "slurm, 0:0:7:8, write slurm/n with the number of parts",
    "slurm, 1:1:15:8, write slurm/n with the number of parts",
    "slurm/8, '', run it in an array of Slurm",
    "slurm/8, SLURM_ARRAY_TASK_ID=-1, value=-1",
    "slurm/8, SLURM_ARRAY_TASK_ID=, value=",
    "slurm/8, SLURM_ARRAY_TASK_ID=12345678, value=12345678",
    "slurm/8, SLURM_ARRAY_TASK_ID=9, no such shard",
    "slurm/8, SLURM_ARRAY_TASK_ID=0, no such shard",
    "slurm/x, SLURM_ARRAY_TASK_ID=1, not a shard",
    "slurm/, SLURM_ARRAY_TASK_ID=1, not a shard",
    "kubernetes, JOB_COMPLETION_INDEX=1, write kubernetes/n",
    "kubernetes/8, '', run it in an Indexed Job",
    "kubernetes/8, JOB_COMPLETION_INDEX=8, no such shard",
    "pbs/8, PBS_ARRAY_INDEX=1, not a shard",
    "3, '', not a shard"
  })
  void anythingElseIsRefused(String text, String variables, String reason) {
    assertThatThrownBy(() -> ShardSpelling.parse(text, expanded(variables)))
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining(reason);
  }
}
