package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProgramRequirementsTest {
  private static final String DECLARATIONS =
      """
      form asked
      input in[256]
      output out[256]
      scratch box[256]
      scratch word[8]
      barrier all_in
      """;

  private static Program program(String more, String lane) {
    String text = DECLARATIONS + more + "\nlane main: sm(32) {\n" + lane + "\n}\n";
    return Program.bind(FormParser.parse(text), 2, Map.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shared tile[64] | move tile[0] <- in[0] bytes 8 | buffer=tile",
        "alias view of box | move view[0] <- in[0] bytes 8 | alias=view",
        "'' | bulk box[0] <- in[0] bytes 16 | operation=bulk",
        "'' | bulk box@(1 - r)[0] <- in[0] bytes 16 | operation=bulk",
        "'' | await bulk | operation=await-bulk",
        "'' | order bulk | operation=",
        "'' | move box@peers[0] line128(epoch) <- in[0] bytes 100 | a line of 128 bytes may arrive in parts",
        "'' | lock word@(1 - r)[0] gpu | scope has no RDMA form"
      })
  void unsupportedProgramsAreNamed(String more, String lane, String fact) {
    Program refused = program(more, lane);
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> ProgramRequirements.lower(refused, Topology.grid(2, 1)))
        .withMessageContaining(fact);
  }

  /**
   * The host's and an interface's changes of words of one buffer would not be atomic with respect
   * to each other.
   */
  @Test
  void countersInABufferWhoseWordsPeersChangeAreRefused() {
    String put = "put box@(1 - r)[0] <- in[0] bytes 8 counter word[0] nb\n";
    Topology topology = Topology.grid(2, 1);
    assertThat(ProgramRequirements.lower(program("", put), topology).lanes()).hasSize(1);
    Program mixed = program("", put + "atomic word@(1 - r)[0] set 0");
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> ProgramRequirements.lower(mixed, topology))
        .withMessageContainingAll("form=asked", "counter=word", "one of their own");
  }

  @ParameterizedTest
  @CsvSource({
    "atomic word@(1 - r)[0] add 1, true",
    "atomic out[0] <- word@(1 - r)[0] fetch, true",
    "atomic out[0] <- word@(1 - r)[0] set 1, true",
    "lock word@(1 - r)[0], true",
    "signal S[0]@(1 - r) add 1 relaxed, true",
    "put box@(1 - r)[0] <- in[0] bytes 8 notify S[0] add 1, true",
    "put box@(1 - r)[0] <- in[0] bytes 8 notify S[0] set 1, false",
    "atomic word@(1 - r)[0] set 1, false"
  })
  void aDeviceWithoutAtomicsRunsOtherPrograms(String call, boolean needed) {
    FakeVerbs verbs = new FakeVerbs();
    verbs.withoutAtomics();
    Program program = program("signal S[1]", call);
    try (VerbsExecutor executor = TestExecutors.alone(verbs, FabricListener.NONE)) {
      if (needed) {
        assertThatExceptionOfType(MachineException.class)
            .isThrownBy(() -> executor.prepare(program, Topology.grid(2, 1)))
            .withMessageContainingAll("device changes no words in one step", "form=asked");
      } else {
        executor.prepare(program, Topology.grid(2, 1)).close();
      }
    }
    assertThat(verbs.live()).isEmpty();
  }

  /**
   * Only the owner's interface changes a buffer's words once some change depends on the old value.
   */
  @ParameterizedTest
  @CsvSource({
    "atomic word@(1 - r)[0] set 1, false, false",
    "store word[0] <- 1 release, false, false",
    "atomic word[0] add 1, false, false",
    "atomic word@(1 - r)[0] add 1, true, true",
    "atomic word@(1 - r)[0] set 1 store word[0] <- 1 release, false, false",
    "atomic word@(1 - r)[0] set 1 atomic word[0] add 1, true, true",
    "atomic out[0] <- word@(1 - r)[0] fetch store word[0] <- 1 release, true, true",
    "atomic out[0] <- word@(1 - r)[0] fetch load x <- word[0] acquire, true, false",
    "lock word@(1 - r)[0], true, true"
  })
  void allChangesOfABufferDecideWhoExecutesThem(
      String calls, boolean byInterface, boolean loopback) {
    WordAtomicity atomicity =
        WordAtomicity.of(FormLowering.lower(program("", calls).form(), Set.of(PeerKind.RDMA)));
    assertThat(atomicity.byInterface()).isEqualTo(byInterface ? Set.of("word") : Set.of());
    assertThat(atomicity.loopback()).isEqualTo(loopback);
  }
}
