package dev.oriel.it.readback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.ibverbs.run.Posted.Sent;
import dev.oriel.ports.contract.ShippedPrograms;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Work requests match the steps, read back from the bytes that an interface takes. */
class RequestReadbackTest {
  /**
   * All except programs that depend on words of their inputs, which are unknown before placement.
   */
  private static List<String> programs() {
    return Stream.of(ShippedPrograms.NAMES, ShippedPrograms.REDUCING, ShippedPrograms.ROOTED)
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Reads, additions, writes and signals in sequence: every possible fence. The first write of the
   * next launch needs no fence after the last addition of this one.
   */
  private static final String FENCED =
      """
      form fenced
      scratch box[16]
      scratch got[16]
      scratch far[1048584]
      signal S[2]
      lane main: sm(32) {
        move far@((r + 1) % n)[0] <- far[0] bytes 1048584
        signal S[0]@((r + 1) % n) add 1 release
        signal S[1]@((r + 1) % n) set epoch release
        flush @((r + 1) % n) remote
        signal S[0]@((r + 1) % n) add 1 release
        signal S[0]@((r + 1) % n) add 1 release
        move box@((r + 1) % n)[0] <- got[0] bytes 16
        await S[1]@((r - 1) % n) reached epoch acquire
        if epoch == 1 { move got[0] <- box@((r + 1) % n)[0] bytes 16 }
        move box@((r + 1) % n)[0] <- got[0] bytes 0
        move box@r[0] <- got[0] bytes 16
        signal S[0]@((r + 1) % n) add 1 release
      }
      """;

  /** Calls that return at once leave answers pending, for which additions and exchanges wait. */
  private static final String CALLS =
      """
      form calls
      window win[64]
      scratch got[32]
      signal S[1]
      lane main: sm(32) {
        get got[0] <- win@((r + 1) % n)[0] bytes 8 nb
        atomic win@((r + 1) % n)[32] add 1
        put win@((r + 1) % n)[16] <- got[16] bytes 8 notify S[0] add 1 nb
        get got[0] <- win@((r + 1) % n)[0] bytes 8 nb
        atomic got[8] <- win@((r + 1) % n)[40] cas 0, 1 nb
        atomic got[24] <- win@((r + 1) % n)[48] fetch nb
        quiet
        await S[0]@((r - 1) % n) reached epoch acquire
      }
      """;

  /** In its second launch it moves nothing, but sends its signals. */
  private static final String FAILING =
      """
      form failing
      scratch box[16]
      scratch got[16]
      signal S[1]
      lane main: sm(32) {
        check epoch < 2 else 3
        move box@((r + 1) % n)[0] <- got[0] bytes 16
        signal S[0]@((r + 1) % n) set epoch release
        await S[0]@((r - 1) % n) reached epoch acquire
      }
      """;

  @Test
  void everyProgram() {
    int programs = 0;
    int requests = 0;
    for (String name : programs()) {
      for (int world : new int[] {2, 3, 4}) {
        Form form = ShippedPrograms.form(name);
        RequestReadback readback =
            new RequestReadback(
                form,
                world == 3 && name.startsWith("rail") ? 4 : world,
                ShippedPrograms.params(form, 100, world - 1));
        requests += readback.compare(readback.sent());
        programs++;
      }
    }
    System.out.printf("read back, work requests: programs=%d, requests=%d%n", programs, requests);
    assertThat(requests).isGreaterThan(1000);
  }

  /** Bytes of one request changed, one request missing, two in reverse order. */
  @Test
  void everyMutantIsRejected() {
    int refused = 0;
    for (Form form :
        List.of(
            FormParser.parse(FENCED),
            FormParser.parse(CALLS),
            FormParser.parse(FAILING),
            ShippedPrograms.form("ring_send_recv"),
            ShippedPrograms.form("push_all_gather"))) {
      refused += refused(form);
    }
    System.out.println("read back, mutants refused, work requests: " + refused);
    assertThat(refused).isGreaterThan(200);
  }

  private static int refused(Form form) {
    RequestReadback readback = new RequestReadback(form, 2, ShippedPrograms.params(form, 100, 0));
    int refused = 0;
    // Neighbours are changed within a queue; ranks post alternately.
    List<Sent> right =
        readback.sent().stream()
            .sorted(
                Comparator.comparingInt(Sent::rank)
                    .thenComparingInt(Sent::lane)
                    .thenComparingInt(Sent::peer))
            .toList();
    assertThat(readback.compare(right)).isEqualTo(right.size());
    for (int i = 0; i < right.size(); i++) {
      for (Map.Entry<Integer, Integer> bits :
          List.of(
              Map.entry(SentBytes.NEXT_AT, 64),
              Map.entry(SentBytes.ENTRIES_AT, 2),
              Map.entry(SentBytes.OPCODE_AT, 1),
              Map.entry(SentBytes.FLAGS_AT, SentBytes.FENCE),
              Map.entry(SentBytes.FLAGS_AT, SentBytes.SIGNALED),
              Map.entry(SentBytes.FLAGS_AT, SentBytes.INLINE),
              Map.entry(SentBytes.REMOTE_AT, 8),
              Map.entry(SentBytes.REMOTE_AT + 8, 2))) {
        flip(right.get(i), bits.getKey(), bits.getValue());
        refuse(readback, form, right, "bit %s of request %d".formatted(bits, i));
        flip(right.get(i), bits.getKey(), bits.getValue());
        refused++;
      }
      List<Sent> without = new ArrayList<>(right);
      without.remove(i);
      refuse(readback, form, without, "without request " + i);
      refused++;
      if (i > 0 && sameQueue(right.get(i - 1), right.get(i))) {
        List<Sent> swapped = new ArrayList<>(right);
        swapped.add(i - 1, swapped.remove(i));
        refuse(readback, form, swapped, "request %d before the one before it".formatted(i));
        refused++;
      }
    }
    return refused;
  }

  private static boolean sameQueue(Sent a, Sent b) {
    return a.rank() == b.rank()
        && a.lane() == b.lane()
        && a.peer() == b.peer()
        && !SentBytes.of(a).says(SentBytes.of(b));
  }

  private static void flip(Sent request, int at, int bits) {
    int before = request.block().get(ValueLayout.JAVA_INT_UNALIGNED, at);
    request.block().set(ValueLayout.JAVA_INT_UNALIGNED, at, before ^ bits);
  }

  private static void refuse(RequestReadback readback, Form form, List<Sent> sent, String what) {
    assertThat(catchThrowable(() -> readback.compare(sent)))
        .as("%s, %s", form.name(), what)
        .isInstanceOf(Mismatch.class)
        .hasMessageContaining("program=" + form.name())
        .hasMessageContaining("lane=")
        .hasMessageContaining("request=")
        .hasMessageContaining("step");
  }
}
