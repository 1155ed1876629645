package dev.oriel.it.campaign;

import dev.oriel.domain.program.TextDigest;
import dev.oriel.it.check.CampaignFile;
import dev.oriel.it.check.DividedWork;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.SearchOptions;
import dev.oriel.it.words.ShellWords;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.replay.CampaignShard;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel campaign}: divides a check into the jobs of a cluster. */
@Command(
    name = "campaign",
    description =
        "Divide the drawn executions of a check into parts, and write them as the jobs of a Slurm or Kubernetes cluster.",
    mixinStandardHelpOptions = true)
public final class CampaignCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();
  @Mixin private SearchOptions search = new SearchOptions();
  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--to",
      paramLabel = "FOLDER",
      required = true,
      description =
          "a folder that does not exist yet, for the scripts, a copy of the program and the results; with --slurm every node must see it")
  private Path folder = Path.of("");

  @Option(names = "--submit", description = "also submit it; otherwise its submit.sh does")
  private boolean submit;

  @Override
  public Integer call() throws IOException {
    cluster.validate();
    search.validate();
    search.part(new CampaignShard(1, cluster.parts()), "--parts");
    if (spec.commandLine().getParseResult().hasMatchedOption("--tuning")) {
      throw new ParameterException(
          spec.commandLine(),
          "a choice that the nodes cannot repeat: option=--tuning; name the program that it chooses");
    }
    if (options.folder().isPresent()) {
      throw new ParameterException(
          spec.commandLine(),
          "a folder is no program: path=%s; name one file of the folder"
              .formatted(options.folder().get()));
    }
    if (Files.exists(folder)) {
      throw new MachineException("folder exists: path=%s; name a new one".formatted(folder));
    }
    search.replay(options.planMode().graph());
    options.preferNetwork();
    options.showcase().ifPresent(search::prefer);
    DividedWork work = DividedWork.of(spec, options, search, "--parts");
    CampaignFolder written = written(work);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "campaign  %s on %s%s in %d parts: %s%n",
        work.name(), work.world(), work.values(), cluster.parts(), folder);
    if (submit) {
      out.flush();
      written.submit(out);
    } else {
      out.println("submit    bash " + ShellWords.quoted(folder.resolve("submit.sh").toString()));
    }
    if (cluster.slurm()) {
      out.println(
          "one part  bash " + ShellWords.quoted(folder.resolve("part.sh").toString()) + " 1");
      out.println("verdict   bash " + ShellWords.quoted(folder.resolve("merge.sh").toString()));
    }
    return ExitCodes.FINE;
  }

  private CampaignFolder written(DividedWork work) throws IOException {
    CampaignInputs inputs = CampaignInputs.of(spec, options, search);
    String name = CampaignJob.name(work.name(), TextDigest.of(work.id() + inputs.words()));
    if (!cluster.slurm() && inputs.bytes() > KubernetesFiles.MOST_BYTES) {
      throw new ParameterException(
          spec.commandLine(),
          "program too long for a ConfigMap: bytes=%d, max=%d; give --slurm, or a shorter text"
              .formatted(inputs.bytes(), KubernetesFiles.MOST_BYTES));
    }
    CampaignJob job = new CampaignJob(name, cluster.parts(), cluster.oriel(), inputs.words());
    String alone = cluster.slurm() ? SlurmFiles.ALONE : KubernetesFiles.ALONE;
    CampaignFile file = new CampaignFile(work.id(), cluster.parts(), inputs.words(), alone);
    CampaignFolder target = new CampaignFolder(folder);
    target.write(
        cluster.slurm()
            ? SlurmFiles.of(job)
            : new KubernetesFiles(job, cluster.image(), cluster.claim(), inputs.names()).files(),
        inputs,
        file);
    return target;
  }
}
