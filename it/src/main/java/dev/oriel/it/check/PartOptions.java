package dev.oriel.it.check;

import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.SearchOptions;
import dev.oriel.sim.replay.CampaignShard;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The part of a campaign that one run does, and the place of its result. */
final class PartOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--shard",
      paramLabel = "i/n",
      defaultValue = "1/1",
      converter = OptionSpellings.OfShard.class,
      description =
          "do part i of n of the drawn executions, with --json FILE or --campaign; slurm or slurm/n"
              + " takes i from SLURM_ARRAY_TASK_ID, kubernetes/n from JOB_COMPLETION_INDEX"
              + " (default: ${DEFAULT-VALUE})")
  private CampaignShard shard = CampaignShard.WHOLE;

  @Option(
      names = "--campaign",
      paramLabel = "FOLDER",
      description =
          "with --shard: write the result into a folder of oriel campaign. A program, version or"
              + " option of another campaign is refused")
  private @Nullable Path folder;

  CampaignShard shard() {
    return shard;
  }

  /** Whether only a part is done. */
  boolean divided() {
    return !shard.equals(CampaignShard.WHOLE);
  }

  /** The folder that gets the result; empty if none was named. */
  Optional<Path> folder() {
    return Optional.ofNullable(folder);
  }

  /**
   * Gives the search the part that it does.
   *
   * @param json the file that gets the result; null if none was named
   */
  void pass(SearchOptions search, @Nullable String json) {
    search.part(shard, "--shard");
    if (folder != null && json != null) {
      throw new ParameterException(
          spec.commandLine(),
          "one result in two places: option=--campaign, option=--json; leave out one");
    }
    if (divided() && folder == null && json == null) {
      throw new ParameterException(
          spec.commandLine(),
          "part without a result: option=--shard, shard=%s; add --json FILE for oriel merge"
              .formatted(shard));
    }
    if (folder != null && !divided()) {
      throw new ParameterException(
          spec.commandLine(),
          "no part of a campaign: option=--campaign, folder=%s; add --shard i/n".formatted(folder));
    }
  }
}
