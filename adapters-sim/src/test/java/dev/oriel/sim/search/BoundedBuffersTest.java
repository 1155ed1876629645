package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.trace.InterleavingTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The number of buffers that a protocol without credits needs: that number, and one fewer. */
class BoundedBuffersTest {
  private static final int LAUNCHES = 7;
  private static final Path COUNTEREXAMPLE =
      Path.of("src/test/resources/buffers/ring_without_credits.txt");

  /** Words are empty or not. Each is emptied at the end of the call after the one that read it. */
  private static final String POISON =
      """
      form poison
      let D = DEPTH
      scratch box[8 * D * n]

      lane main: sm(32) {
        let now = epoch % D * n
        let last = (epoch - 1) % D * n
        -- without it the words that were emptied in the call before may hide what is sent next
        order sys
        each p in peers {
          atomic box@p[(now + r) * 8] set epoch * n + r
        }
        quiet
        each p in peers {
          wait box[(now + p) * 8] != 0 acquire
          load x <- box[(now + p) * 8] acquire
          check x == epoch * n + p else 1
        }
        each p in peers {
          store box[(last + p) * 8] <- 0 release
        }
      }
      """;

  /** Packets to the next rank only: nothing returns from it except around the whole ring. */
  private static final String RING =
      """
      form ring
      let D = %d
      input in[8]
      output out[8]
      scratch ll[16 * D]
      signal FREE[1]
      ensure out[0] = in@((r - 1) %% n)[0] bytes 8

      lane main: sm(32) {
        let at = epoch %% D * 16
        %s
        move ll@((r + 1) %% n)[at] pkt16(nz32(epoch)) <- in[0] bytes 8
        move out[0] <- ll[at] pkt16(nz32(epoch)) bytes 8
        %s
        flush @((r + 1) %% n) local
      }
      """;

  private static final String CREDIT = "await FREE[0]@((r + 1) % n) reached epoch - D acquire";
  private static final String TAKEN = "signal FREE[0]@((r - 1) % n) set epoch release";

  private static CheckReport explored(String text, String world, Map<String, Long> params) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(FormParser.parse(text), topology.world(), params);
    return new Checker(
            Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, LAUNCHES))
        .explore(program, topology);
  }

  private static String found(String text, String world, Map<String, Long> params) {
    Verdict verdict = explored(text, world, params).verdict();
    verdict.violation().ifPresent(v -> assertThat(v.trace()).as("the counterexample").isNotEmpty());
    return verdict.violation().map(Verdict.Violation::kind).orElse("nothing") + verdict.bounds();
  }

  /**
   * A flag holds the number of the call. Every rank awaits every other, so a peer is at most one
   * call ahead.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 1x2, overwrite[]",
    "2, 1x2, nothing[]",
    "1, 1x3, overwrite[]",
    "2, 1x3, nothing[]"
  })
  void twoBuffersSufficeForFlagsThatHoldTheCall(int buffers, String world, String found) {
    String text =
        ShippedPrograms.text("ll_all_gather")
            .replace(ShippedPrograms.LANES, "let K = 1")
            .replace("(epoch & 1) * n", "epoch %% %d * n".formatted(buffers));
    assertThat(found(text, world, Map.of("B", 8L))).isEqualTo(found);
  }

  /** A buffer that is emptied one call later is in use for one more call. */
  @ParameterizedTest
  @CsvSource({"2, 1x2, true", "3, 1x2, false", "2, 1x3, true", "3, 1x3, false"})
  void threeBuffersSufficeForWordsEmptiedInALaterCall(int buffers, String world, boolean fails) {
    String found = found(POISON.replace("DEPTH", String.valueOf(buffers)), world, Map.of());
    if (fails) {
      assertThat(found).doesNotStartWith("nothing");
    } else {
      assertThat(found).isEqualTo("nothing[]");
    }
  }

  /** In a ring of n ranks one rank may be n - 1 calls ahead: no number suffices for every ring. */
  @ParameterizedTest
  @CsvSource({
    "1, 1x3, overwrite[]",
    "2, 1x3, overwrite[]",
    "3, 1x3, nothing[]",
    "3, 1x4, overwrite[]",
    "4, 1x4, nothing[]",
    "4, 1x5, overwrite[]"
  })
  void noNumberOfBuffersReplacesCreditsInARing(int buffers, String world, String found) {
    assertThat(found(RING.formatted(buffers, "", ""), world, Map.of())).isEqualTo(found);
    assertThat(found(RING.formatted(buffers, CREDIT, TAKEN), world, Map.of()))
        .isEqualTo("nothing[]");
  }

  /**
   * Two buffers are too few for three ranks, step by step: rank 1 begins its third call before rank
   * 2 has read the data of the first.
   */
  @Test
  void theCounterexampleIsPrinted() throws IOException {
    CheckReport report = explored(RING.formatted(2, "", ""), "1x3", Map.of());
    String printed =
        "%s\n%s"
            .formatted(
                report.verdict().violation().orElseThrow().message(),
                new InterleavingTable()
                    .text(report.found().orElseThrow().recording())
                    .replaceFirst("(?m)^token .*\\n", ""));
    if ("write".equals(System.getProperty("oriel.golden"))) {
      Files.writeString(COUNTEREXAMPLE, printed);
    }
    assertThat(printed)
        .as("%s; review the change, then run with -Doriel.golden=write", COUNTEREXAMPLE)
        .isEqualTo(Files.readString(COUNTEREXAMPLE));
  }
}
