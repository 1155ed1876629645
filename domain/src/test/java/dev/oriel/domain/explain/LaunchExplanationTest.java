package dev.oriel.domain.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ShippedText;
import dev.oriel.domain.program.parse.FormParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchExplanationTest {
  private static List<String> explained(Form form, int world, Map<String, Long> params, int rank) {
    List<String> lines = new ArrayList<>();
    new LaunchExplanation(Program.bind(form, world, params)).rank(rank, lines::add);
    return lines.stream().map(String::strip).toList();
  }

  @Test
  void aWaitNamesItsSenderAndTheCoveredBytes() {
    assertThat(explained(ShippedText.form("ring_all_gather"), 3, Map.of("B", 8L), 1))
        .containsExactly(
            "rank 1 of 3",
            "lane main: a block of 256 threads",
            "1  move out[8] <- in[0] bytes 8",
            "2  signal READY[0]@(0) set 1 release",
            "3  await READY[0]@(2) reached 1 acquire",
            "rank 2 makes it 1: lane main, step 2, flow control only: no data written here since its previous signal",
            "4  move out@(2)[8] <- out[8] bytes 8",
            "5  signal DATA[0]@(2) set 3 release",
            "6  await DATA[0]@(0) reached 3 acquire",
            "rank 0 makes it 3: lane main, step 5, which covers its writes here since its previous signal: out[0..8)",
            "7  move out@(2)[0] <- out[0] bytes 8",
            "8  signal DATA[0]@(2) set 4 release",
            "9  await DATA[0]@(0) reached 4 acquire",
            "rank 0 makes it 4: lane main, step 8, which covers its writes here since its previous signal: out[16..24)",
            "10  flush @(2) local",
            "until what it wrote to these ranks has been read here; writes to others: 2, the last in step 7");
  }

  @Test
  void packetsAreAwaitedAndInitialCreditsAreNot() {
    assertThat(explained(ShippedText.form("ll_all_gather"), 2, Map.of("B", 8L), 0))
        .contains(
            "until the packets in ll[192..208) bear the flag: rank 1, lane main[0], step 1 writes them");
    assertThat(explained(ShippedText.form("ring_send_recv"), 2, Map.of("B", 8L), 0))
        .contains("at once in this launch: a slot begins with 0");
  }

  /** Every condition that a lane may wait for, with its reason. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          signal S[0]@peers add 2 relaxed await S[0]@peers reached 2 relaxed | rank 1 makes it 2: lane main, step 1, which covers nothing
          signal S[0]@peers add 1 release await sum S[0]@all reached 1 acquire | until the slots of all those ranks add up to it
          signal S[0]@peers set 1 release await S[0]@peers == 2 acquire | nothing in this launch of rank 1 alone makes it so
          put w@((r + 1) % n)[8] <- w[0] bytes 8 notify S[1] set 5 await S[1]@peers == 5 acquire | rank 1 makes it 5: lane main, step 1, which covers its writes here since its previous signal: w[8..16)
          put w@((r + 1) % n)[8] <- w[0] bytes 8 count 2 step 16, 8 nb quiet signal S[0]@peers set 1 release await S[0]@peers == 1 acquire | rank 1 makes it 1: lane main, step 3, which covers its writes here since its previous signal: w[8..32)
          move t: w@((r + 1) % n)[0] <- w[8] bytes 8 await ticket t | until the sources of move t may be overwritten
          flush peers local | at once: it has written to no rank
          quiet | until every call of its context has ended
          barrier B | until every member of B has come as often
          load x <- w[0] <= 3 else 1 check x == 3 else 1 let y = x signal S[0]@peers set y release await S[0]@peers == 3 acquire | rank 1 makes it 3: lane main, step 3, flow control only: no data written here since its previous signal
          """)
  void reasons(String body, String reason) {
    Form form =
        FormParser.parse(
            "form f window w[64] signal S[2] barrier B lane main: sm(32) { " + body + " }");
    assertThat(explained(form, 2, Map.of(), 0)).contains(reason);
  }

  /** The parts of a step are printed with their values. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          put w@((r + 1) % n)[8 * n] <- w[r] bytes 4 * n via n nb | put w@(1)[16] <- w[0] bytes 8 via 2 nb
          get w[8 * n] <- w@((r + 1) % n)[r] bytes 4 * n | get w[16] <- w@(1)[0] bytes 8
          bulk w[16 * n] <- w@((r + 1) % n)[16 * r] bytes 8 * n | bulk w[32] <- w@(1)[0] bytes 16
          """)
  void callsHaveTheirPlaces(String body, String said) {
    Form form = FormParser.parse("form f window w[64] lane main: sm(32) { " + body + " }");
    assertThat(explained(form, 2, Map.of(), 0)).contains("1  " + said);
  }

  /** Only the rank and those that it waits for are followed. */
  @Test
  void oneRankOfALargeWorldIsExplainedQuickly() {
    Map<String, Long> params = new TreeMap<>(Map.of("B", 8L, "domain", 8L));
    Form form = ShippedText.form("rail_all_gather");
    List<String> lines = explained(form, 4096, params, 77);
    assertThat(lines).contains("lane near[6, 0]: a block of 512 threads");
    assertThat(lines).noneMatch(line -> line.startsWith("nothing in this launch"));
  }
}
