package dev.oriel.ibverbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.ibverbs.post.Addressing;
import dev.oriel.ibverbs.post.Launch;
import dev.oriel.ibverbs.post.Launches;
import dev.oriel.ibverbs.post.LoadedWords;
import dev.oriel.ibverbs.post.QueueLimits;
import dev.oriel.ibverbs.post.Request;
import dev.oriel.ibverbs.post.RequestPrinter;
import dev.oriel.ibverbs.post.SomeAddresses;
import dev.oriel.ibverbs.verbs.BlockPrinter;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped programs post exactly the requests that were checked against their texts. */
class GoldenTest {
  private static final int LAUNCHES = 3;

  @ParameterizedTest
  @CsvSource({
    "ll_all_gather, 2, 9",
    "ll_all_gather, 4, 9",
    "ring_send_recv, 2, 40000",
    "ring_send_recv, 4, 40000"
  })
  void requestsAndTheirBytesAreWhatTheyWere(String name, int world, long bytes) {
    Program program = Program.bind(ShippedPrograms.form(name), world, Map.of("B", bytes));
    Golden.check(name + "_" + world + ".txt", text(program, name, world, bytes));
  }

  @Test
  @DisabledIfSystemProperty(
      named = "oriel.golden",
      matches = "write",
      disabledReason = "would write what the changed program prints")
  void aChangeIsShownLineByLine() {
    Form changed =
        ShippedPrograms.edited(
            "ring_send_recv",
            "signal DATA[g]@succ set sent + S release",
            "signal DATA[g]@succ add sent + S release");
    Program program = Program.bind(changed, 2, Map.of("B", 40_000L));
    String found = text(program, "ring_send_recv", 2, 40_000);
    assertThatThrownBy(() -> Golden.check("ring_send_recv_2.txt", found))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("golden file differs: file=")
        .hasMessageContaining(
            """
            line 7
              - lane 0 to 1 #2 set DATA[0]@1 of source 0 at 0 <- 16384
              + lane 0 to 1 #2 add DATA[0]@1 of source 0 at 0 <- 16384
            """);
  }

  private static String text(Program program, String name, int world, long bytes) {
    StringBuilder text = new StringBuilder();
    text.append("form %s, world %d, B = %d\n".formatted(name, world, bytes));
    text.append(
        "with k = r + 1: rank r's i-th buffer at 0xki0000000, its slots i = e; keys 0xki1 and 0xki2\n");
    for (int rank = 0; rank < world; rank++) {
      List<Launch> launches = Launches.of(program, rank, LAUNCHES, LoadedWords.NONE);
      Addressing addressing = new Addressing(rank, SomeAddresses.of(program), QueueLimits.WIDEST);
      for (Launch launch : launches) {
        text.append("\nrank %d, launch %d\n".formatted(rank, launch.after().epoch()));
        for (Request request : launch.requests()) {
          text.append(RequestPrinter.print(request)).append('\n');
          text.append("  ").append(BlockPrinter.print(addressing.resolve(request))).append('\n');
        }
      }
    }
    return text.toString();
  }
}
