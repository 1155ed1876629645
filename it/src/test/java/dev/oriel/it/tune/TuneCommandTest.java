package dev.oriel.it.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.msccl.PlanXml;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.sim.replay.JsonValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuneCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void everyCandidateIsListedWithItsTime() {
    String[] tune = {"tune", "allgather", "--world", "1x4", "--bytes", "8,1048576", "--verbose"};
    assertThat(oriel(tune)).isZero();
    assertThat(out.toString())
        .containsPattern(
            "bytes    8: allgather 2\\.0\\d+ us; the table's best: allgather lanes=1x128 ")
        .containsPattern("bytes    1048576: ll128-allgather 11\\.\\d+ us; the table's best: push-")
        .contains("not: allgather: parameter out of range: name=B")
        .contains("not: rail-allgather: program is for several domains: ")
        .containsPattern(" us {2}ring\n");
  }

  /** A plan is one more candidate for the sizes that it has a program for. */
  @Test
  void plansAreCandidates(@TempDir Path folder) throws IOException {
    Path ring = folder.resolve("ring.xml");
    Files.writeString(ring, PlanXml.ringAllGather(4).protocol("LL").text());
    String[] tune = {
      "tune", "allgather", "--world", "1x4", "--bytes", "6,1024", "--plan", ring.toString()
    };
    assertThat(oriel(tune)).isZero();
    assertThat(out.toString()).containsPattern("cannot .*plan:ring\\.xml for 6");
    out.getBuffer().setLength(0);
    assertThat(oriel(with(tune, "--verbose"))).isZero();
    assertThat(out.toString())
        .contains("not: plan:ring.xml: size that leaves chunks unequal: bytes=24")
        .containsPattern("[0-9]\\.[0-9]+ us {2}plan:ring\\.xml\n");
    out.getBuffer().setLength(0);
    assertThat(oriel(with(tune, "--json"))).isZero();
    assertThat(out.toString()).contains("\"program\":\"plan:ring.xml\"");
    // Rounded elements are no reason against a plan's order of additions.
    Path sum = Files.writeString(folder.resolve("sum.xml"), PlanXml.ringAllReduce(4).text());
    out.getBuffer().setLength(0);
    assertThat(
            oriel(
                "tune",
                "allreduce",
                "--world",
                "1x4",
                "--bytes",
                "1024",
                "--verbose",
                "--plan",
                sum.toString()))
        .isZero();
    assertThat(out.toString()).containsPattern("[0-9]\\.[0-9]+ us {2}plan:sum\\.xml\n");
    assertThat(oriel(with(tune, "--keep", folder.resolve("kept").toString()))).isEqualTo(2);
    assertThat(err.toString()).contains("--keep cannot keep a plan");
    refused("plan for another collective", "tune", "alltoall", "--world", "1x4", "--plan", ring);
    refused("give --world 1x4", "tune", "allgather", "--world", "1x2", "--plan", ring);
    Path text = Files.writeString(folder.resolve("text.oriel"), "form f\nlane a: sm(32) { }\n");
    refused("not a plan: option=--plan", "tune", "allgather", "--world", "1x4", "--plan", text);
    refused(
        "two plans with one name",
        "tune",
        "allgather",
        "--world",
        "1x4",
        "--plan",
        ring,
        "--plan",
        ring);
  }

  private void refused(String words, Object... arguments) {
    err.getBuffer().setLength(0);
    assertThat(oriel(Stream.of(arguments).map(String::valueOf).toArray(String[]::new)))
        .isEqualTo(2);
    assertThat(err.toString()).contains(words);
  }

  private static String[] with(String[] line, String... more) {
    return Stream.concat(Stream.of(line), Stream.of(more)).toArray(String[]::new);
  }

  /** One line per size; the rest is named, or printed on request. */
  @Test
  void theOutputNamesTheProgramToUse() {
    assertThat(oriel("tune", "allgather", "--world", "2x4", "--bytes", "1024,1048576")).isZero();
    assertThat(out.toString().lines())
        .hasSizeLessThanOrEqualTo(10)
        .allMatch(line -> line.length() <= 100)
        .anyMatch(line -> line.matches("bytes +1024: allgather [0-9.]+ us, then push-allgather .*"))
        .anyMatch(line -> line.matches("bytes +1048576: rail-allgather [0-9.]+ us, then .* us"))
        .contains("next           oriel run auto:allgather --world 2x4 --bytes 1024");
    assertThat(out.toString())
        .contains("copy-allgather, ll128-allgather for 1024; allgather, copy-allgather, ll128-")
        .doesNotContain("h200@", "not: ", "ring");
    assertThat(oriel("run", "auto:allgather", "--world", "2x4", "--bytes", "1024")).isZero();
  }

  /** The statements of a prediction, and its limits. */
  @Test
  void aPredictionIsShort() {
    assertThat(oriel("sim", "alltoallv", "--world", "2x2", "--bytes", "64")).isZero();
    assertThat(out.toString().lines())
        .hasSizeLessThanOrEqualTo(10)
        .allMatch(line -> line.length() <= 100)
        .contains(
            "world          2x2: 4 ranks on 2 hosts, NVLink within a host, RDMA between hosts",
            "not looked at  whether outputs are right; loaded words other than c=64 (--word);"
                + " memory bandwidth",
            "next           oriel check alltoallv --world 2x2 --bytes 64");
    assertThat(out.toString()).doesNotContain("digest", "messages=", "first=");
    out.getBuffer().setLength(0);
    assertThat(oriel("sim", "ring", "--world", "2x2", "--bytes", "64", "--verbose")).isZero();
    assertThat(out.toString())
        .containsPattern("(?m)^time +us per launch: first=[0-9.]+, last=[0-9.]+; launches=3, all=")
        .containsPattern("(?m)^digest +[0-9a-f]{32}$")
        .contains("; signals and packet flags included", ", rail 0: taken ");
  }

  @Test
  void jsonHasTheSameResultsForMachines() {
    assertThat(
            oriel("tune", "allreduce", "--type", "bf16", "--op", "avg", "--bytes", "64", "--json"))
        .isZero();
    JsonValue.Members all = (JsonValue.Members) JsonValue.parse(out.toString().strip());
    JsonValue.Members size =
        (JsonValue.Members) ((JsonValue.Elements) member(all, "sizes")).elements().getFirst();
    assertThat(size.members()).containsKeys("bytes", "key", "choice", "table", "offers", "refused");
    assertThat(((JsonValue.Text) member(size, "key")).text())
        .startsWith("tuning-1 allreduce bytes=64 element=avg-bf16 world=2 ");
    assertThat(member(size, "refused").print()).contains("ring-allreduce");
  }

  private static JsonValue member(JsonValue.Members all, String name) {
    return Objects.requireNonNull(all.members().get(name));
  }

  @Test
  void aProgramIsSelectedByItsCollective() {
    assertThat(oriel("run", "auto:allgather", "--world", "1x4", "--set", "B=1048576")).isZero();
    assertThat(out.toString())
        .contains("program        ll128_all_gather, ")
        .contains("every output byte as promised");
    assertThat(oriel("sim", "auto:allgather@flat50", "--set", "B=8")).isZero();
    assertThat(out.toString()).contains("program        ll_all_gather, B=8");
    assertThat(oriel("show", "auto:allreduce", "--set", "B=64", "--type", "bf16")).isZero();
    assertThat(out.toString()).contains("form ll_all_reduce").contains("bf16");
    assertThat(oriel("check", "auto:broadcast", "--set", "B=64", "--set", "root=1")).isZero();
  }

  @Test
  void anAlgorithmAndASizePickTheProgram() {
    assertThat(
            oriel("sim", "allgather", "--algorithm", "rail", "--world", "2x4", "--bytes", "4096"))
        .isZero();
    assertThat(out.toString()).contains("program        rail_all_gather, B=4096, domain=4");
    assertThat(oriel("explain", "allreduce", "--algorithm", "tree", "--bytes", "64")).isZero();
    assertThat(out.toString()).contains("program  tree_all_reduce, {B=64}");
    assertThat(oriel("run", "allgather", "--algorithm", "auto", "--bytes", "8")).isZero();
    assertThat(out.toString()).contains("program        ll_all_gather, B=8");
    assertThat(oriel("check", "reducescatter", "--algorithm", "halving", "--bytes", "20")).isZero();
    assertThat(out.toString()).contains("program        halving_reduce_scatter, B=20");
  }

  /**
   * Two hosts of four: a ring of rails takes less than half the time of pushing over the network.
   */
  @Test
  void levelsAreComparedForSeveralHosts() {
    assertThat(oriel("tune", "allgather", "--world", "2x4", "--bytes", "1048576")).isZero();
    assertThat(out.toString()).containsPattern("bytes {10}1048576: rail-allgather 43\\.\\d+ us");
    assertThat(oriel("tune", "alltoallv", "--world", "2x2", "--bytes", "262144")).isZero();
    assertThat(out.toString()).contains("bytes          262144: alltoallv ");
  }

  /** Hosts with different numbers of ranks: only two-level programs are excluded. */
  @Test
  void hostsMayHaveDifferentNumbersOfRanks() {
    for (String world : new String[] {"3+1", "0,2/1,3"}) {
      assertThat(oriel("tune", "allgather", "--world", world, "--bytes", "65536")).isZero();
      assertThat(oriel("tune", "alltoall", "--world", world, "--bytes", "65536")).isZero();
    }
    assertThat(out.toString())
        .contains("world          3+1: 4 ranks on 2 hosts")
        .contains("world          0,2/1,3: 4 ranks on 2 hosts")
        .containsPattern("bytes {10}65536: \\S*allgather ");
  }

  @Test
  void keptChoicesAreUsedOrIgnoredWithAReason(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("choices");
    assertThat(oriel("tune", "alltoall", "--bytes", "8", "--keep", file.toString())).isZero();
    String kept = Files.readString(file);
    assertThat(kept).startsWith("tuning-1 alltoall bytes=8 ").contains("\talltoall lanes=own");
    String[] use = {"run", "auto:alltoall", "--set", "B=8", "--tuning", file.toString()};

    oriel("tune", "alltoall", "--bytes", "8388608", "--keep", file.toString());
    String push = Files.readAllLines(file).getLast().split("\t", -1)[1];
    Files.writeString(file, kept.split("\t", -1)[0] + "\t" + push.replace("own", "2x64") + "\n");
    assertThat(oriel(use)).isZero();
    assertThat(out.toString()).contains("program        push_all_to_all, B=8");
    assertThat(err.toString()).isEmpty();

    Files.writeString(file, kept.replace("\talltoall", "\tgone"));
    assertThat(oriel(use)).isZero();
    assertThat(err.toString())
        .contains("a kept choice is ignored: unknown program: name=gone; known: alltoall, ");
    assertThat(Files.readString(file)).isEqualTo(kept);
  }

  /** The same file also has a predicted choice; a choice that cannot run is not replaced. */
  @Test
  void aMeasuredChoiceIsPreferred(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("choices");
    String[] use = {"run", "auto:alltoall", "--set", "B=8", "--tuning", file.toString()};
    oriel("tune", "alltoall", "--bytes", "8388608", "--keep", file.toString());
    String push = Files.readAllLines(file).getFirst().split("\t", -1)[1];
    Files.delete(file);
    assertThat(oriel("tune", "alltoall", "--bytes", "8", "--keep", file.toString())).isZero();
    String predicted = Files.readString(file);
    String measured =
        predicted.split("device=", -1)[0] + "device=measured:NVIDIA-H200\t" + push + "\n";
    Files.writeString(file, predicted + measured);
    assertThat(oriel(use)).isZero();
    assertThat(out.toString()).contains("program        push_all_to_all, B=8");
    assertThat(err.toString()).isEmpty();

    String both = predicted + measured.replace("push-alltoall", "gone");
    Files.writeString(file, both);
    out.getBuffer().setLength(0);
    assertThat(oriel(use)).isZero();
    assertThat(err.toString()).contains("a kept choice is ignored: unknown program: name=gone");
    assertThat(out.toString()).contains("program        ll_all_to_all, B=8");
    assertThat(Files.readString(file)).isEqualTo(both);

    Files.writeString(file, measured + measured.replace("H200", "H100"));
    assertThat(oriel(use)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains(
            "choices of several kinds of GPU: option=--tuning, gpus=[NVIDIA-H100, NVIDIA-H200]");
  }

  @ParameterizedTest
  @CsvSource({
    "tune nothing, unknown collective: name=nothing",
    "tune allgather --type fp32, collective does not reduce: name=allgather",
    "run auto:allgather, size missing: program=auto:allgather",
    "run auto:allgather --set B=8 --tuning gone, no such file: option=--tuning",
    "run allgather --tuning gone, nothing to choose: option=--tuning",
    "check ring --algorithm push, unknown collective: name=ring",
    "sim allgather --algorithm tree, 'unknown algorithm: collective=allgather, algorithm=tree; give auto or one of ll, '",
    "sim allgather --bytes 8 --set B=8, 'size given twice: option=--bytes, parameter=B'",
    "sim barrier --bytes 8, 'no size: option=--bytes, program=signal_barrier, parameters=[]'",
    "run auto:allgather@gone --set B=8, unknown links: name=gone",
    "tune allgather --bytes 1099511627776, no program can do this",
    "tune allgather --measure --replays 0, '--replays'",
    "tune allgather --measure --plan gone, plans are not measured"
  })
  void wrongUseIsReported(String line, String reason) {
    assertThat(oriel(line.split(" ", -1))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains(reason);
  }
}
