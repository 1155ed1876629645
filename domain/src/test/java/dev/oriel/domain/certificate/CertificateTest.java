package dev.oriel.domain.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.release.ReleaseName;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CertificateTest {
  private static final String TEXT =
      """
      form pass
      param B <= 64
      input in[B]
      output out[B]
      signal DATA[1]
      lane main: sm(32) {
        move out@((r + 1) % n)[0] <- in[0] bytes B
        signal DATA[0]@((r + 1) % n) set epoch release
        await DATA[0]@((r + n - 1) % n) reached epoch acquire
      }
      """;

  private static final Form FORM = FormParser.parse(TEXT);
  private static final Form OTHER = FormParser.parse(TEXT.replace("acquire", "relaxed"));

  private static Program bound(Form form, String world, long bytes) {
    return Program.bind(form, Topology.parse(world).world(), Map.of("B", bytes));
  }

  private static Certificate certificate(Form form, String... worlds) {
    List<ProvedCase> cases =
        List.of(worlds).stream()
            .map(world -> ProvedCase.of(bound(form, world, 8), WorldShape.parse(world), 5))
            .toList();
    return new Certificate(ReleaseName.NAME, form.name(), form.digest(), "L2", cases);
  }

  private static final Certificate PROVED = certificate(FORM, "1x2", "2x1", "1x3");

  @Test
  void itCoversExactlyItsCases() {
    assertThat(PROVED.refusal(bound(FORM, "1x2", 8), Topology.parse("1x2"))).isEmpty();
    assertThat(PROVED.refusal(bound(FORM, "2x1", 8), Topology.parse("2x1"))).isEmpty();
    assertThat(PROVED.refusal(bound(FORM, "1x3", 8), Topology.parse("1x3"))).isEmpty();
  }

  @Test
  void anotherValueIsNamed() {
    assertThat(PROVED.refusal(bound(FORM, "1x2", 9), Topology.parse("1x2")))
        .hasValue(
            "values not proved: program=pass, world=1x2, values={B=9}, proved=B=8; run oriel prove with these values");
  }

  @Test
  void anotherWorldIsNamed() {
    assertThat(PROVED.refusal(bound(FORM, "1x4", 8), Topology.parse("1x4")))
        .hasValue(
            "world not proved: program=pass, ranks=4, hosts=1, proved=1x2 | 2x1 | 1x3; run oriel prove with this --world");
  }

  @Test
  void asManyRanksOnOtherHostsAreAnotherWorld() {
    assertThat(PROVED.refusal(bound(FORM, "2+1", 8), Topology.parse("2+1")))
        .hasValueSatisfying(
            why -> assertThat(why).startsWith("world not proved: program=pass, ranks=3, hosts=2"));
    assertThat(certificate(FORM, "0,2/1").refusal(bound(FORM, "0-1/2", 8), Topology.parse("0-1/2")))
        .hasValueSatisfying(why -> assertThat(why).startsWith("world not proved: "));
  }

  /** Orders in which lanes run at once were not searched, and every machine takes them. */
  @Test
  void fewerLanesAtOnceThanMachinesRunAreNamed() {
    Form two = FormParser.parse(TEXT.replace("lane main:", "lane main(i < 2):"));
    Program program = bound(two, "1x2", 8);
    List<ProvedCase> cases = List.of(ProvedCase.of(program, WorldShape.parse("1x2"), 5));
    for (String memory : List.of("L3,resident=1", "L3,resident=1,torn=1", "L3,torn=1,resident=1")) {
      assertThat(refusal(two, program, memory, cases))
          .hasValue(
              "certificate for fewer lanes at once: program=pass, certificate=%s, lanes=2; machines run all lanes of a rank at once: run oriel prove without resident=1"
                  .formatted(memory));
    }
    for (String memory : List.of("L3", "L3,resident=0", "L3,resident=2", "L3,resident=10")) {
      assertThat(refusal(two, program, memory, cases)).isEmpty();
    }
  }

  private static Optional<String> refusal(
      Form form, Program program, String memory, List<ProvedCase> cases) {
    return new Certificate(ReleaseName.NAME, form.name(), form.digest(), memory, cases)
        .refusal(program, Topology.parse("1x2"));
  }

  @Test
  void anotherTextIsNamed() {
    assertThat(PROVED.refusal(bound(OTHER, "1x2", 8), Topology.parse("1x2")))
        .hasValueSatisfying(why ->
            assertThat(why)
                .startsWith("certificate of another program: ")
                .contains(FORM.digest(), OTHER.digest()));
  }

  @Test
  void anotherReleaseIsNamed() {
    Certificate older = new Certificate("oriel 0.0.9", "pass", PROVED.form(), "L2", PROVED.cases());
    assertThat(older.refusal(bound(FORM, "1x2", 8), Topology.parse("1x2")))
        .hasValueSatisfying(why ->
            assertThat(why)
                .startsWith("certificate of another release: ")
                .contains("certificate=oriel 0.0.9", "release=" + ReleaseName.NAME));
  }

  @Test
  void otherMicroOperationsAreNamed() {
    ProvedCase one = PROVED.cases().getFirst();
    Certificate changed =
        new Certificate(
            PROVED.release(),
            "pass",
            PROVED.form(),
            "L2",
            List.of(new ProvedCase(one.world(), one.params(), one.program(), "00", one.states())));
    assertThat(changed.refusal(bound(FORM, "1x2", 8), Topology.parse("1x2")))
        .hasValueSatisfying(
            why -> assertThat(why).startsWith("certificate of other micro-operations: "));
  }

  @Test
  void oneOfSeveralCertificatesSuffices() {
    CertificateSet set =
        new CertificateSet(
            List.of(certificate(OTHER, "1x2"), certificate(FORM, "1x3"), certificate(FORM, "1x2")));
    assertThat(set.refusal(bound(FORM, "1x2", 8), Topology.parse("1x2"))).isEmpty();
    assertThat(set.covering(bound(FORM, "1x3", 8), Topology.parse("1x3")))
        .hasValue(certificate(FORM, "1x3"));
    assertThat(set.refusal(bound(FORM, "1x2", 9), Topology.parse("1x2")))
        .hasValueSatisfying(why ->
            assertThat(why)
                .startsWith("no certificate covers this case: program=pass, values={B=9}")
                .contains("certificates=2", "values not proved"));
  }

  @Test
  void withoutCertificatesNoProgramIsCovered() {
    assertThat(new CertificateSet(List.of()).refusal(bound(FORM, "1x2", 8), Topology.parse("1x2")))
        .hasValueSatisfying(why -> assertThat(why).startsWith("program without a certificate: "));
    assertThat(
            new CertificateSet(List.of(certificate(OTHER, "1x2"), certificate(OTHER, "1x3")))
                .refusal(bound(FORM, "1x2", 8), Topology.parse("1x2")))
        .hasValueSatisfying(why -> assertThat(why).startsWith("program without a certificate: "));
  }
}
