package dev.oriel.it.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.msccl.PlanXml;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.sim.replay.CampaignResults;
import dev.oriel.sim.replay.CampaignText;
import dev.oriel.sim.replay.ChecksummedReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code oriel campaign} writes, what it refuses, and how its parts are merged. */
class CampaignCommandTest {
  /** A relaxed signal does not order the data before it. */
  private static final String RELAXED =
      """
      form relaxed
      input in[8]
      output out[8]
      signal S[1]
      lane main: sm(32) {
        if r == 0 {
          move out@1[0] <- in[0] bytes 8
          signal S[0]@1 set epoch relaxed
        }
        if r == 1 {
          await S[0]@0 reached epoch acquire
          move out[0] <- in[0] bytes 8
        }
      }
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private Path campaign(String... more) {
    Path to = folder.resolve("campaign");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "campaign",
                "ring",
                "--world",
                "1x2",
                "--bytes",
                "64",
                "--executions",
                "12",
                "--parts",
                "3",
                "--to",
                to.toString()));
    arguments.addAll(more.length == 0 ? List.of("--slurm") : List.of(more));
    assertThat(oriel(arguments.toArray(String[]::new))).as(err.toString()).isZero();
    return to;
  }

  private int part(Path campaign, int number) {
    return oriel(
        "check",
        "ring",
        "--world",
        "1x2",
        "--bytes",
        "64",
        "--executions",
        "12",
        "--campaign",
        campaign.toString(),
        "--shard",
        number + "/3");
  }

  private static CampaignResults results(Path file) throws IOException {
    return CampaignText.of(
        Objects.requireNonNull(ChecksummedReport.open(Files.readString(file)).get("report")));
  }

  /** All parts together have the verdict and the counts of one run. */
  @Test
  void partsAreMergedIntoTheResultOfOneRun() throws IOException {
    Path campaign = campaign();
    for (int i = 3; i >= 1; i--) {
      assertThat(part(campaign, i)).as(err.toString()).isZero();
      assertThat(out.toString()).contains("next           oriel merge ");
    }
    Path merged = folder.resolve("merged.json");
    assertThat(oriel("merge", campaign.toString(), "--json", merged.toString())).isZero();
    assertThat(out.toString()).contains("parts    3 of 3", "verdict  nothing found");
    Path whole = folder.resolve("whole.json");
    oriel(
        "check",
        "ring",
        "--world",
        "1x2",
        "--bytes",
        "64",
        "--executions",
        "12",
        "--json",
        whole.toString());
    assertThat(results(merged).totals()).isEqualTo(results(whole).totals());
    assertThat(results(merged).totals()).hasSize(6);
  }

  @Test
  void aPartThatIsMissingIsNamedWithItsCommand() throws IOException {
    Path campaign = campaign();
    assertThat(oriel("merge", campaign.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("parts=3 of 3");
    part(campaign, 1);
    part(campaign, 3);
    Path merged = folder.resolve("merged.json");
    assertThat(oriel("merge", campaign.toString(), "--json", merged.toString()))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString())
        .contains(
            "parts    2 of 3",
            "unfit    part 2: has no result",
            "  run    bash " + campaign + "/part.sh 2")
        .doesNotContain("verdict", "part 1:", "part 3:");
    assertThat(err.toString()).contains("parts without a result: parts=1 of 3");
    assertThat(Files.readString(merged)).contains("\"verdict\":\"undecided\"");
  }

  @Test
  void cutCopiedAndForeignResultsAreNamed() throws IOException {
    Path campaign = campaign();
    for (int i = 1; i <= 3; i++) {
      part(campaign, i);
    }
    Path parts = campaign.resolve("parts");
    Path two = parts.resolve("part-2.json");
    String fine = Files.readString(two);
    Files.writeString(two, fine.substring(0, fine.length() / 2));
    assertThat(oriel("merge", campaign.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString()).contains("parts    2 of 3", "unfit    part 2: not a result");

    Files.copy(
        parts.resolve("part-1.json"), two, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThat(oriel("merge", campaign.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString())
        .contains("unfit    part 2: its file has another part: parts=[1/3]; it was copied");

    oriel(
        "check",
        "ring",
        "--world",
        "1x2",
        "--bytes",
        "64",
        "--executions",
        "12",
        "--seed",
        "7",
        "--shard",
        "2/3",
        "--json",
        two.toString());
    assertThat(oriel("merge", campaign.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString())
        .contains("part 2: its result is of other options: campaign='seed=1', part='seed=7'");

    oriel(
        "check",
        "ring",
        "--world",
        "1x2",
        "--bytes",
        "64",
        "--executions",
        "12",
        "--shard",
        "2/4",
        "--json",
        two.toString());
    assertThat(oriel("merge", campaign.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString()).contains("another number of parts: campaign=3, part=4");

    Files.writeString(two, fine);
    Path copy = Files.writeString(parts.resolve("part-2 (copy).json"), fine);
    assertThat(oriel("merge", campaign.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString()).contains("parts    3 of 3", "unfit    file " + copy);
    assertThat(err.toString()).contains("results under other names: files=1");
    Files.move(copy, parts.resolve("part-4.json"));
    assertThat(oriel("merge", campaign.toString())).isEqualTo(ExitCodes.WRONG_USE);
    Files.delete(parts.resolve("part-4.json"));
    // A killed part may leave the beginning of its result under the name of a temporary file.
    Files.writeString(parts.resolve(".oriel-1-0.new"), fine.substring(0, 40));
    assertThat(oriel("merge", campaign.toString())).isZero();
  }

  @Test
  void aViolationNeedsNoOtherParts() throws IOException {
    Path text = Files.writeString(folder.resolve("relaxed.oriel"), RELAXED);
    Path to = folder.resolve("c");
    assertThat(
            oriel(
                "campaign",
                text.toString(),
                "--world",
                "1x2",
                "--parts",
                "2",
                "--slurm",
                "--to",
                to.toString()))
        .as(err.toString())
        .isZero();
    assertThat(
            oriel(
                "check",
                to.resolve("program.oriel").toString(),
                "--world",
                "1x2",
                "--campaign",
                to.toString(),
                "--shard",
                "1/2"))
        .as(err.toString())
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(oriel("merge", to.toString())).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString())
        .contains("unfit    part 2", "verdict  VIOLATION", "token    oriel2:");
  }

  @Test
  void aPartOfAnotherCampaignIsRefusedByName() throws IOException {
    Path campaign = campaign();
    assertThat(
            oriel(
                "check",
                "ring",
                "--world",
                "1x3",
                "--bytes",
                "64",
                "--executions",
                "12",
                "--campaign",
                campaign.toString(),
                "--shard",
                "1/3"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("not of this campaign", "another program", "world=1x2");
    assertThat(
            oriel(
                "check",
                "ring",
                "--world",
                "1x2",
                "--bytes",
                "64",
                "--executions",
                "13",
                "--campaign",
                campaign.toString(),
                "--shard",
                "1/3"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains("other options: campaign='executions=12', part='executions=13'");
    assertThat(
            oriel(
                "check",
                "ring",
                "--world",
                "1x2",
                "--bytes",
                "64",
                "--executions",
                "12",
                "--campaign",
                campaign.toString(),
                "--shard",
                "1/4"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("another number of parts", "write --shard i/3");
    assertThat(campaign.resolve("parts")).isEmptyDirectory();
  }

  @Test
  void aChangedCampaignFileIsRefused() throws IOException {
    Path folder = campaign();
    Path file = folder.resolve("campaign.json");
    String fine = Files.readString(file);
    for (String text :
        List.of("", "{}", "[]", fine.replace("\"parts\":3", "\"parts\":2"), fine.substring(9))) {
      Files.writeString(file, text);
      assertThat(part(folder, 1)).isEqualTo(ExitCodes.WRONG_USE);
      assertThat(err.toString()).contains("not a campaign: file=" + file);
      assertThat(oriel("merge", folder.toString())).isEqualTo(ExitCodes.WRONG_USE);
      assertThat(err.toString()).contains("not a campaign: file=" + file);
    }
    Files.writeString(file, " ".repeat(2 << 20));
    assertThat(part(folder, 1)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("file too long");
    Files.delete(file);
    assertThat(part(folder, 1)).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(err.toString()).contains("no campaign is there: file=" + file);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ring --parts 3                             | no scheduler, or two
          ring --parts 3 --slurm --kubernetes        | no scheduler, or two
          ring --parts 1 --slurm                     | option=--parts
          ring --parts 100001 --slurm                | option=--parts, value=100001
          ring --slurm                               | --parts
          ring --parts 3 --kubernetes                | no image: option=--image
          ring --parts 3 --kubernetes --image -x     | not an image
          ring --parts 3 --kubernetes --image a"b    | not an image
          ring --parts 3 --kubernetes --image a --claim A_b | not a claim
          ring --parts 3 --kubernetes --image a --oriel x   | an option of Slurm
          ring --parts 3 --slurm --image a           | an option of Kubernetes: option=--image
          ring --parts 3 --slurm --claim a           | an option of Kubernetes: option=--claim
          ring --parts 3 --slurm --oriel=            | no command: option=--oriel
          ring --parts 3 --slurm --strategy full     | an exhaustive search cannot be divided: option=--parts, strategy=full; search with --strategy full on several cores or hosts with --on, or in one process
          ring --parts 3 --slurm --strategy synchronisation | an exhaustive search cannot be divided
          ring --parts 3 --slurm --set B=8,16        | several combinations in parts: option=--parts
          ring --parts 3 --slurm --executions 0      | option=--executions
          ring --parts 3 --slurm --shard 1/3         | unknown option: option=--shard
          rnig --parts 3 --slurm                     | did you mean ring?
          FOLDER --parts 3 --slurm                   | a folder is no program
          auto:allgather --bytes 8 --tuning x --parts 3 --slurm | option=--tuning
          """)
  void mistakesAreRefusedBeforeAnythingIsWritten(String line, String reason) {
    Path to = folder.resolve("none");
    String[] words =
        ("campaign " + line.replace("FOLDER", folder.toString()) + " --to " + to).split(" ");
    assertThat(oriel(words)).as(err.toString()).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains(reason);
    assertThat(to).doesNotExist();
  }

  @Test
  void aFolderThatExistsIsKept() {
    Path campaign = campaign();
    assertThat(oriel("campaign", "ring", "--parts", "3", "--slurm", "--to", campaign.toString()))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("folder exists: path=" + campaign);
    assertThat(oriel("merge", campaign.toString(), campaign.toString()))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("a folder among files: paths=2");
    assertThat(oriel("merge", folder.toString())).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(err.toString()).contains("no campaign is there");
  }

  @ParameterizedTest
  @CsvSource({
    "--shard 1/2 --strategy full --json x.json, an exhaustive search cannot be divided: option=--shard",
    "--shard 1/2 --strategy synchronisation --json x.json, an exhaustive search cannot be divided",
    "--shard slurm/2 --json x.json, variable=SLURM_ARRAY_TASK_ID",
    "--shard kubernetes/2 --json x.json, variable=JOB_COMPLETION_INDEX",
    "--shard 1/2, part without a result",
    "--campaign x, no part of a campaign",
    "--campaign x --shard 1/2 --json x.json, one result in two places",
  })
  void mistakesOfAPartAreRefused(String options, String reason) {
    List<String> words = new ArrayList<>(List.of("check", "ring", "--world", "1x2"));
    words.addAll(
        List.of(options.replace("x.json", folder.resolve("x.json").toString()).split(" ")));
    assertThat(oriel(words.toArray(String[]::new))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains(reason);
    assertThat(folder).isEmptyDirectory();
  }

  /** The manifests have every word of the command line as one string, and the merge reads them. */
  @Test
  void manifestsAreWritten() throws IOException {
    Path campaign =
        campaign("--kubernetes", "--image", "registry.example/oriel@sha256:00", "--claim", "runs");
    String parts = Files.readString(campaign.resolve("parts.yaml"));
    assertThat(parts)
        .contains(
            "completionMode: Indexed",
            "completions: 3",
            "image: \"registry.example/oriel@sha256:00\"",
            "claimName: \"runs\"",
            "            - \"--shard\"\n            - \"kubernetes/3\"\n")
        .doesNotContain("@PARTS@", "@NAME@", "\t");
    assertThat(Files.readString(campaign.resolve("alone.yaml"))).contains("- \"@PART@/3\"");
    assertThat(Files.readString(campaign.resolve("merge.yaml"))).contains("- \"merge\"");
    assertThat(Files.readString(campaign.resolve("kustomization.yaml")))
        .contains("    files:\n      - campaign.json\n");
    part(campaign, 1);
    oriel("merge", campaign.toString());
    assertThat(out.toString())
        .contains("  run    sed s/@PART@/3/g alone.yaml | kubectl create -f -");
  }

  /** Kubernetes would replace $(NAME) in an argument. */
  @Test
  void argumentsReachThePodsUnchanged() {
    CampaignJob job =
        new CampaignJob("n", 2, "oriel", List.of("check", "a$(B)'\"\\\n", "--set", "x: y"));
    assertThat(
            new KubernetesFiles(job, "i", "c", List.of("campaign.json")).files().get("parts.yaml"))
        .contains("- \"a$$(B)'\\\"\\\\\\u000a\"\n", "- \"x: y\"\n");
  }

  /** A plan is copied, too; one that needs no execution to fail is no campaign. */
  @Test
  void plansAreDivided() throws IOException {
    Path plan = Files.writeString(folder.resolve("ring"), PlanXml.ringAllGather(2).text());
    Path to = folder.resolve("plan");
    String[] words = {
      "campaign", plan.toString(), "--parts", "2", "--slurm", "--to", to.toString(), "--in-place"
    };
    assertThat(oriel(Arrays.copyOf(words, 7))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("combinations=2", "no plan that several kinds of calls");
    assertThat(oriel(words)).as(err.toString()).isZero();
    Path copy = to.resolve("program.xml");
    assertThat(copy).hasSameTextualContentAs(plan);
    for (int i = 1; i <= 2; i++) {
      assertThat(
              oriel(
                  "check",
                  copy.toString(),
                  "--in-place",
                  "--campaign",
                  to.toString(),
                  "--shard",
                  i + "/2"))
          .as(err.toString())
          .isZero();
    }
    assertThat(oriel("merge", to.toString())).as(err.toString()).isZero();
    Files.writeString(
        plan,
        PlanXml.of("custom", 2, 1)
            .protocol("LL")
            .gpu(0, 1, 1, 0)
            .tb(1, -1, 0, "s i0")
            .gpu(1, 1, 1, 0)
            .text());
    words[6] = folder.resolve("none").toString();
    assertThat(oriel(Arrays.copyOf(words, 7))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("a plan that needs no execution to fail");
    assertThat(folder.resolve("none")).doesNotExist();
  }

  @Test
  void namesOfJobsAreLabels() {
    String name = CampaignJob.name("A very_long.Name of a form, longer than thirty", "0123456789");
    assertThat(name).matches("[a-z0-9]([a-z0-9-]*[a-z0-9])?").hasSizeLessThanOrEqualTo(45);
    assertThat(name).endsWith("-01234567");
    assertThat(CampaignJob.name("___", "0123456789")).isEqualTo("oriel-01234567");
  }
}
