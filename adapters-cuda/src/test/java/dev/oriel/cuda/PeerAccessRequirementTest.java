package dev.oriel.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.contract.ShippedPrograms;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs that need atomics on peers' words, and those that only store. */
final class PeerAccessRequirementTest {
  private static PeerAccessRequirement need(String operations) {
    return need(
        FormParser.parse(
            """
            form asked
            scratch word[64]
            scratch mine[64]
            window door[8]
            signal S[1]
            barrier all_in
            lane main: sm(32) {
              %s
            }
            """
                .formatted(operations)));
  }

  private static PeerAccessRequirement need(Form form) {
    return PeerAccessRequirement.of(FormLowering.lower(form, Set.of(PeerKind.NVLINK)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "signal S[0]@((r + 1) % n) add 1 release",
        "signal S[0]@peers add 1 relaxed",
        "signal S[0]@all add 1 relaxed",
        "put word@((r + 1) % n)[8] <- mine[0] bytes 8 notify S[0] add 1",
        "atomic word@((r + 1) % n)[0] add 1",
        "atomic mine[0] <- word@((r + 1) % n)[8] add 7",
        "atomic mine[0] <- word@((r + 1) % n)[8] set 7",
        "atomic mine[0] <- word@((r + 1) % n)[8] cas 0, 1",
        "lock door@0[0]\nunlock door@0[0]",
      })
  void stepsThatReadAndWriteAPeersWordNeedAtomics(String operations) {
    assertThat(need(operations).atomic())
        .hasValueSatisfying(step -> assertThat(step).startsWith("lane main: "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "signal S[0]@peers set epoch release",
        "signal S[0]@r add 1 release",
        "put word@((r + 1) % n)[8] <- mine[0] bytes 8 notify S[0] set epoch",
        "atomic mine[0] <- word@((r + 1) % n)[8] fetch",
        "atomic word@((r + 1) % n)[8] set 7",
        "atomic word[0] add 1",
        "atomic word@r[0] add 1",
        "barrier all_in",
      })
  void loadsAndStoresNeedNoAtomics(String operations) {
    assertThat(need(operations).atomic()).isEmpty();
  }

  /** All of these run on GPUs that are connected by PCIe only. */
  @Test
  void shippedProgramsOnlyStore() throws IOException {
    for (String name : ShippedPrograms.all()) {
      assertThat(need(ShippedPrograms.form(name)).atomic()).as(name).isEmpty();
    }
    for (String name : List.of("all_gather", "all_to_all")) {
      try (InputStream in =
          Optional.ofNullable(Form.class.getResourceAsStream("/persistent/" + name + ".oriel"))
              .orElseThrow()) {
        Form form = FormParser.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        assertThat(need(form).atomic()).as(name).isEmpty();
      }
    }
  }
}
