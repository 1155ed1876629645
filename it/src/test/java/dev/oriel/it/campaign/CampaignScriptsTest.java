package dev.oriel.it.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.sim.replay.CampaignResults;
import dev.oriel.sim.replay.CampaignText;
import dev.oriel.sim.replay.ChecksummedReport;
import dev.oriel.sim.replay.JsonValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts of a campaign, run by bash with the variables of Slurm, on odd names and failures.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the scripts need bash")
class CampaignScriptsTest {
  private static final String TEXT =
      """
      form handshake
      param B <= 4096
      input in[B]
      output out[B]
      signal READY[1]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes B

      lane main: sm(128) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        signal READY[0]@pred set epoch release
        await READY[0]@succ reached epoch acquire
        move out@succ[0] <- in[0] bytes B
        signal DATA[0]@succ set epoch release
        await DATA[0]@pred reached epoch acquire
        flush @succ local
      }
      """;

  /** A name with everything that a shell could misread. */
  private static final String ODD = "a b'c\"d$(e)`f`*;é\n-g %s @NAME@";

  @TempDir private Path root;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path odd = Path.of("");
  private Path campaign = Path.of("");

  /** The exit code of a script, and all that it printed. */
  private record Ended(int code, String printed) {}

  private int oriel(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @BeforeEach
  void write() throws IOException {
    odd = Files.createDirectory(root.resolve(ODD));
    Path command =
        Files.writeString(
            odd.resolve("oriel"),
            "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp '%s' dev.oriel.it.Main \"$@\"\n"
                .formatted(
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"))));
    assertThat(command.toFile().setExecutable(true)).isTrue();
    Path text = Files.writeString(odd.resolve("-x 'y'.oriel"), TEXT);
    campaign = odd.resolve("-campaign");
    int code =
        oriel(
            "campaign",
            text.toString(),
            "--world",
            "1x2",
            "--set",
            "B=64",
            "--launches",
            "1",
            "--executions",
            "10",
            "--faults",
            "straggle rank=1 by=5",
            "--parts",
            "2",
            "--slurm",
            "--oriel",
            command.toString(),
            "--to",
            campaign.toString());
    assertThat(code).as(err.toString()).isZero();
  }

  private Process start(Path folder, Map<String, String> variables, String... words)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("bash"));
    command.addAll(Arrays.asList(words));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("SLURM_"));
    builder.environment().putAll(variables);
    builder.environment().put("CDPATH", "/");
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  private Ended bash(Path folder, Map<String, String> variables, String... words)
      throws IOException, InterruptedException {
    Process process = start(folder, variables, words);
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), printed);
  }

  private Ended part(int number) throws IOException, InterruptedException {
    return bash(root, Map.of(), campaign.resolve("part.sh").toString(), Integer.toString(number));
  }

  private Path result(int number) {
    return campaign.resolve("parts").resolve("part-" + number + ".json");
  }

  private static CampaignResults results(Path file) throws IOException {
    return CampaignText.of(
        Objects.requireNonNull(ChecksummedReport.open(Files.readString(file)).get("report")));
  }

  /**
   * Slurm runs a copy of the script in its spool folder, with the campaign as working directory.
   */
  private Ended task(int number) throws IOException, InterruptedException {
    Path copy = Files.createDirectories(root.resolve("spool")).resolve("slurm_script");
    Files.copy(
        campaign.resolve("part.sh"), copy, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    return bash(campaign, Map.of("SLURM_ARRAY_TASK_ID", Integer.toString(number)), copy.toString());
  }

  /**
   * A part that is killed has no result. The merge names it with the command that runs it alone,
   * and then has the verdict and the counts of one run.
   */
  @Test
  void aKilledPartIsNamedAndRunAlone() throws Exception {
    assertThat(task(1).code()).isZero();
    Process killed = start(campaign, Map.of("SLURM_ARRAY_TASK_ID", "2"), "./part.sh");
    while (killed.isAlive() && !killed.info().command().orElse("").endsWith("java")) {
      Thread.onSpinWait();
    }
    killed.destroyForcibly();
    assertThat(killed.waitFor()).isEqualTo(128 + 9);
    assertThat(result(1)).exists();
    assertThat(result(2)).doesNotExist();

    Ended merge = bash(root, Map.of(), campaign.resolve("merge.sh").toString());
    assertThat(merge.code()).as(merge.printed()).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(merge.printed())
        .contains("parts    1 of 2", "unfit    part 2: has no result")
        .doesNotContain("verdict");
    String run = merge.printed().substring(merge.printed().indexOf("  run    ") + 9);
    String alone = run.substring(0, run.indexOf("part.sh 2") + 9);
    Ended ran = bash(root, Map.of(), "-c", alone);
    assertThat(ran.code()).as(ran.printed()).isZero();

    assertThat(bash(campaign, Map.of(), "merge.sh").code()).isZero();
    Path whole = root.resolve("whole.json");
    oriel(
        "check",
        campaign.resolve("program.oriel").toString(),
        "--world",
        "1x2",
        "--set",
        "B=64",
        "--launches",
        "1",
        "--executions",
        "10",
        "--faults",
        "straggle rank=1 by=5",
        "--json",
        whole.toString());
    assertThat(results(campaign.resolve("merged.json")).totals())
        .isEqualTo(results(whole).totals());
  }

  @Test
  void aFullDiskLeavesNoResult() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "this system has no /dev/full");
    Files.createSymbolicLink(result(1), full);
    Ended ended = part(1);
    assertThat(ended.code()).as(ended.printed()).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(ended.printed()).contains("oriel: file not written: ", "No space left on device");
    assertThat(oriel("merge", campaign.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString()).contains("parts    0 of 2", "unfit    part 1: ");
  }

  @Test
  void aFolderThatCannotBeWrittenEndsThePartAtOnce() throws Exception {
    Files.delete(campaign.resolve("parts"));
    Ended ended = part(1);
    assertThat(ended.code()).as(ended.printed()).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(ended.printed()).contains("cannot be written: ").doesNotContain("verdict");
  }

  @Test
  void anotherVersionIsRefusedByName() throws Exception {
    Path file = campaign.resolve("campaign.json");
    Map<String, JsonValue> members = new TreeMap<>(ChecksummedReport.open(Files.readString(file)));
    String id = ((JsonValue.Text) Objects.requireNonNull(members.get("campaign"))).text();
    members.put(
        "campaign",
        new JsonValue.Text(id.replaceFirst("release=oriel [^,]*", "release=oriel 9.9")));
    members.remove("format");
    Files.writeString(file, ChecksummedReport.of(members).print());
    Ended ended = part(1);
    assertThat(ended.code()).as(ended.printed()).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(ended.printed())
        .contains(
            "another version of Oriel: campaign='release=oriel 9.9', part='release=oriel ",
            "run the version that wrote the campaign");
    assertThat(result(1)).doesNotExist();
  }

  @Test
  void anotherProgramIsRefusedByName() throws Exception {
    Path program = campaign.resolve("program.oriel");
    assertThat(program).hasContent(TEXT);
    Files.writeString(
        program, TEXT.replace("let succ", "-- a comment changes nothing\n  let succ"));
    assertThat(part(1).code()).isZero();
    Files.writeString(
        program, TEXT.replace("[0] bytes B\n  signal", "[0] bytes B\n  sync\n  signal"));
    Ended ended = part(2);
    assertThat(ended.code()).as(ended.printed()).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(ended.printed())
        .contains("another program: campaign='program=", "restore the program's text");
    assertThat(result(2)).doesNotExist();
  }

  @Test
  void whatTheHostLacksIsNamed() throws Exception {
    Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
    Path copy = Files.copy(campaign.resolve("part.sh"), elsewhere.resolve("part.sh"));
    Ended lost = bash(elsewhere, Map.of(), copy.toString(), "1");
    assertThat(lost.code()).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(lost.printed()).contains("no campaign.json beside this script or in " + elsewhere);

    assertThat(part(0).printed()).contains("no such shard: index=0, count=2");
    Ended alone = bash(campaign, Map.of(), "part.sh");
    assertThat(alone.code()).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(alone.printed()).contains("variable=SLURM_ARRAY_TASK_ID");

    Files.delete(odd.resolve("oriel"));
    Ended gone = part(1);
    assertThat(gone.code()).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(gone.printed()).contains("no such command on this host");
  }

  /** The array is submitted first, and the merge depends on the number that Slurm answers. */
  @Test
  void partsAndMergeAreSubmitted() throws Exception {
    Path bin = Files.createDirectory(root.resolve("bin"));
    Path log = root.resolve("log");
    Path sbatch =
        Files.writeString(
            bin.resolve("sbatch"),
            """
            #!/bin/sh
            for word; do last=$word; printf '<%s>' "$word" >>"$LOG"; done
            echo >>"$LOG"
            [ "$last" != "$REFUSED" ] || exit 1
            [ -e "$last" ] && [ -e campaign.json ] && echo '42;cluster'
            """);
    assertThat(sbatch.toFile().setExecutable(true)).isTrue();
    Map<String, String> variables =
        new TreeMap<>(
            Map.of(
                "PATH", bin + ":" + System.getenv("PATH"), "LOG", log.toString(), "REFUSED", ""));
    String submit = campaign.resolve("submit.sh").toString();
    Ended ended =
        bash(root, variables, submit, "--partition=a b", "--array=1-2%1", "-d", "after:7", "-n1");
    assertThat(ended.code()).as(ended.printed()).isZero();
    assertThat(ended.printed()).contains("parts     job 42, tasks 1 to 2", "merge     job 42,");
    assertThat(log)
        .hasContent(
            """
            <--parsable><--partition=a b><--array=1-2%1><-d><after:7><-n1><part.sh>
            <--parsable><--partition=a b><-n1><--dependency=afterany:42><merge.sh>
            """);
    variables.put("REFUSED", "merge.sh");
    ended = bash(root, variables, submit);
    assertThat(ended.code()).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(ended.printed()).contains("the parts are submitted, but the merge is not");
    variables.put("REFUSED", "part.sh");
    assertThat(bash(root, variables, submit).code()).isEqualTo(ExitCodes.ENVIRONMENT);

    // Options of sbatch are comments of bash, before its first command.
    List<String> head =
        Files.readAllLines(campaign.resolve("part.sh")).stream()
            .takeWhile(line -> line.startsWith("#"))
            .toList();
    assertThat(head).contains("#SBATCH --array=1-2", "#SBATCH --output=logs/part-%a.log");
    assertThat(campaign.resolve("logs")).isDirectory();
  }

  @Test
  void submittingWithoutSlurmSaysWhatToDo() {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(":"))
            .noneMatch(folder -> Files.exists(Path.of(folder, "sbatch"))),
        "this host has Slurm");
    Path to = root.resolve("other");
    assertThat(
            oriel("campaign", "ring", "--parts", "2", "--slurm", "--submit", "--to", to.toString()))
        .isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(out.toString()).contains("no sbatch on this host");
    assertThat(err.toString()).contains("not submitted: folder=" + to);
    assertThat(to.resolve("campaign.json")).exists();
  }
}
