package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.certificate.Certificate;
import dev.oriel.domain.certificate.CertificateText;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.ProvedOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates are written for what is proved, and demanded by commands that run programs. */
class ProveCommandTest {
  private static final String HANDSHAKE =
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

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private Path proof() {
    return folder.resolve("handshake.proof");
  }

  private String proved(String program, String... options) {
    String[] arguments = new String[options.length + 4];
    arguments[0] = "prove";
    arguments[1] = program;
    arguments[2] = "--keep";
    arguments[3] = proof().toString();
    System.arraycopy(options, 0, arguments, 4, options.length);
    assertThat(oriel(arguments)).as("%s%s", out, err).isEqualTo(ExitCodes.FINE);
    return proof().toString();
  }

  private int run(String program, String proof, String world, long bytes) {
    return oriel(
        "run", program, "--world", world, "--bytes", Long.toString(bytes), "--proved", proof);
  }

  @Test
  void everythingSmallIsProvedWithoutOptions() throws IOException {
    String program = file("handshake.oriel", HANDSHAKE);
    String proof = proved(program);
    Certificate certificate = CertificateText.parse(Files.readString(proof()));
    assertThat(certificate.memory()).isEqualTo("L3");
    assertThat(certificate.cases())
        .extracting(one -> one.world().toString())
        .contains("1x1", "1x2", "1x3", "1x4", "1x5", "2x1", "2x2", "3x1", "3+1");
    assertThat(certificate.cases()).allMatch(one -> one.states() > 0);
    assertThat(out.toString())
        .containsPattern("proved +(\\d+) of \\1 combinations: every order, any number of launches")
        .containsPattern("verdict +proved for these worlds and sizes\n")
        .contains("assumed");
    assertThat(run(program, proof, "3+1", 1000)).isEqualTo(ExitCodes.FINE);
  }

  @Test
  void anUnprovedSizeWorldOrProgramIsRefused() throws IOException {
    String program = file("handshake.oriel", HANDSHAKE);
    String proof = proved(program, "--world", "1x2", "--bytes", "64");
    assertThat(run(program, proof, "1x2", 64)).isEqualTo(ExitCodes.FINE);
    assertThat(run(program, proof, "1x2", 65)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: values not proved: program=handshake, world=1x2");
    assertThat(run(program, proof, "2x1", 64)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: world not proved: program=handshake");
    String other = file("other.oriel", HANDSHAKE.replace("sm(128)", "sm(64)"));
    assertThat(run(other, proof, "1x2", 64)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: certificate of another program: ");
  }

  /** Orders in which lanes overlap were not searched, so machines refuse that certificate. */
  @Test
  void aProofOfFewerLanesAtOnceRunsNothing() throws IOException {
    String program = file("handshake.oriel", HANDSHAKE + "lane other: sm(32) {\n}\n");
    String proof = proved(program, "--world", "1x2", "--bytes", "64", "--profile", "L3,resident=1");
    assertThat(out.toString())
        .contains("without resident: machines run all lanes of a rank at once")
        .containsPattern("1 of 2 lanes of a rank\\s+at\\s+once, begun in their order");
    assertThat(CertificateText.parse(Files.readString(proof())).memory())
        .isEqualTo("L3,resident=1");
    assertThat(run(program, proof, "1x2", 64)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: certificate for fewer lanes at once: ");
  }

  @Test
  void anAlteredCertificateIsRefused() throws IOException {
    String program = file("handshake.oriel", HANDSHAKE);
    String proof = proved(program, "--world", "1x2", "--bytes", "64");
    Files.writeString(proof(), Files.readString(proof()).replace("B=64", "B=65"));
    assertThat(run(program, proof, "1x2", 65)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: certificate altered: ").contains(proof);
  }

  @Test
  void aMissingCertificateIsNamed() throws IOException {
    String program = file("handshake.oriel", HANDSHAKE);
    assertThat(run(program, folder.resolve("none.proof").toString(), "1x2", 64))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: cannot read a certificate: path=");
    assertThat(run(program, folder.toString(), "1x2", 64)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: folder without a certificate: ");
  }

  @Test
  void aFolderAndAPropertyServeToo() throws IOException {
    String program = file("handshake.oriel", HANDSHAKE);
    String ignored = proved(program, "--world", "1x2", "--bytes", "64");
    assertThat(run(program, folder.toString(), "1x2", 64)).isEqualTo(ExitCodes.FINE);
    System.setProperty(ProvedOption.PROPERTY, folder.toString());
    try {
      assertThat(oriel("run", program, "--world", "1x2", "--bytes", "64"))
          .isEqualTo(ExitCodes.FINE);
      assertThat(oriel("run", program, "--world", "1x2", "--bytes", "65"))
          .isEqualTo(ExitCodes.WRONG_USE);
    } finally {
      System.clearProperty(ProvedOption.PROPERTY);
    }
  }

  @Test
  void theSuiteRefusesCasesWithoutACertificate() {
    String proof = proved("barrier", "--world", "1x2");
    assertThat(
            oriel(
                "suite",
                "--only",
                "barrier",
                "--worlds",
                "1x2",
                "--launches",
                "1",
                "--proved",
                proof))
        .isEqualTo(ExitCodes.FINE);
    assertThat(out.toString())
        .containsPattern("\nbarrier +cases=1, launches=1, wrong=0, refused=0")
        .containsPattern("\ndissemination-barrier +cases=1, launches=0, wrong=0, refused=1")
        .contains("  refused: certificate of another program: ");
  }

  /** A failure stops the search, and no certificate hides it. */
  @Test
  void aBrokenProgramGetsNoCertificate() throws IOException {
    String broken =
        HANDSHAKE.replace("DATA[0]@succ set epoch release", "DATA[0]@succ set epoch relaxed");
    String program = file("broken.oriel", broken);
    assertThat(oriel("prove", program, "--world", "1x2", "--keep", proof().toString()))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(proof()).doesNotExist();
    assertThat(out.toString())
        .containsPattern("verdict +VIOLATION \\(race\\)\n")
        .contains("reason   ", "token    ");
  }

  /** The mistake shows in launch 5, which fixed numbers of launches do not reach. */
  @Test
  void aMistakeInALaterLaunchIsFound() throws IOException {
    String late =
        HANDSHAKE.replace(
            "  flush @succ local\n", "  flush @succ local\n  check epoch < 5 else 9\n");
    String program = file("late.oriel", late);
    assertThat(oriel("prove", program, "--world", "1x2", "--bytes", "64"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).containsPattern("verdict +VIOLATION \\(check\\)\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ensure out[0] = in@((r - 1) % n)[0] bytes B||no ensure covers 128 output bytes for every input",
        "flush @succ local|flush @succ local load w <- in[0] <= 9 else 7|some words of in, not all"
      })
  void whatIsNotCoveredIsNamed(String from, String to, String reason) throws IOException {
    String text = HANDSHAKE.replace(from, to == null ? "" : to.replace(" load", "\n  load"));
    String program = file("open.oriel", text);
    assertThat(
            oriel(
                "prove", program, "--world", "1x2", "--bytes", "64", "--keep", proof().toString()))
        .as("%s%s", out, err)
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(proof()).doesNotExist();
    assertThat(out.toString().replaceAll("\\s+", " ")).contains("verdict not proved", reason);
  }

  /** A proof of a program without promises says so. */
  @Test
  void nothingPromisedIsSaid() {
    assertThat(oriel("prove", "barrier", "--world", "1x2")).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString())
        .containsPattern("proved +every order, any number of launches, but nothing is promised\n");
  }

  @Test
  void memoryThatNoMachineHasIsRefused() {
    assertThat(oriel("prove", "barrier", "--world", "1x2", "--profile", "L1,depth=4"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: no machine keeps so much order: ");
  }

  @Test
  void aSearchWithoutStatesIsRefused() {
    assertThat(oriel("prove", "barrier", "--states", "0")).isEqualTo(ExitCodes.WRONG_USE);
  }

  @Test
  void aSearchThatStopsProvesNothing() {
    assertThat(oriel("prove", "ring-allreduce", "--world", "1x3", "--states", "1", "--bytes", "64"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("stopped").containsPattern("verdict +not proved\n");
  }
}
