package dev.oriel.it.readback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.ports.contract.BulkGather;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.ports.queue.RequestKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The reader detects texts of which one line was changed. Each text is correct before, and each
 * changed text must be rejected with the program, the lane, the step and the line.
 */
class KernelMutantsTest {
  private static final int WORLD = 2;

  /** The steps before the barrier and the end with which every lane closes. */
  private static final int LAST_STEPS = 2;

  private static final String FENCED =
      """
      form fenced
      scratch box[8]
      scratch old[8]
      signal S[1]
      lane main: sm(32) {
        atomic old[0] <- box@((r + 1) % n)[0] add 1 nb
        signal S[0]@((r + 1) % n) set epoch release
        await S[0]@((r - 1) % n) reached epoch acquire
      }
      """;

  /** Two signals of one thread, calls of each kind, a fence, a lock and a barrier. */
  private static final String CALLS =
      """
      form calls
      param B <= 4096
      input in[B]
      scratch box[n * B + 64]
      scratch mine[B + 64]
      signal S[2]
      barrier all_in
      lane main: sm(64) {
        put box@((r + 1) % n)[r * B] <- in[0] bytes B nb
        put box@((r + 1) % n)[8] <- mine[0] bytes 8 notify S[1] set epoch nb
        put box@((r + 1) % n)[16] <- mine[0] bytes 8 counter mine[B + 56] nb
        get mine[0] <- box@((r + 1) % n)[0] bytes B
        atomic box@((r + 1) % n)[n * B] add 1
        atomic mine[B] <- box@((r + 1) % n)[n * B] cas 0, 1 nb
        signal S[1]@((r + 1) % n) add 1 release
        signal S[0]@((r + 1) % n) set epoch relaxed
        await sum S[1]@peers >= n - 1 acquire
        flush peers remote
        quiet
        lock box@0[n * B + 8]
        unlock box@0[n * B + 8]
        barrier all_in
      }
      """;

  /** A change of one line, tried in the lines that match, one at a time. */
  private record Change(String what, String line, String by) {
    Optional<String> in(String text) {
      String changed = Pattern.compile(line).matcher(text).replaceFirst(by);
      return changed.equals(text) ? Optional.empty() : Optional.of(changed);
    }
  }

  private static final List<Change> CHANGES =
      List.of(
          new Change("drops a fence", "^fence\\..*", ""),
          new Change("narrows a fence", "^(fence\\.acq_rel\\.)sys", "$1gpu"),
          new Change("leaves the unit alone", "^cp\\.async\\.bulk\\.wait_group 0.*", ""),
          new Change("drops a barrier", "^bar\\.sync.*", ""),
          new Change("waits for no earlier kernel", "^griddepcontrol\\.wait;", ""),
          new Change("relaxes a release", "^((?:st|red)\\.)release", "$1relaxed"),
          new Change("narrows a release", "^((?:st|red)\\.release\\.)sys", "$1gpu"),
          new Change("drops a signal", "^(st|red)\\.release.*", ""),
          new Change("relaxes an acquire", "^((?:ld|atom)\\.)acquire", "$1relaxed"),
          new Change("narrows an acquire", "^((?:ld|atom)\\.acquire\\.)sys", "$1gpu"),
          new Change("drops an acquire", "^ld\\.acquire.*", ""),
          new Change("weakens a packet", "^(st\\.)relaxed\\.sys\\.(global\\.v2)", "$1$2"),
          new Change("narrows a packet", "^(st\\.relaxed\\.)sys(\\.global\\.v2)", "$1gpu$2"),
          new Change("drops a packet", "^st\\.relaxed\\.sys\\.global\\.v2.*", ""),
          new Change(
              "tears a packet",
              "^st\\.relaxed\\.sys\\.global\\.v2\\.u64 \\[(%rd\\d+)], \\{(%rd\\d+), (%rd\\d+)};",
              "st.relaxed.sys.global.u64 [$1], $2; st.relaxed.sys.global.u64 [$1+8], $3;"),
          new Change("weakens a look at a packet", "^(ld\\.)relaxed\\.sys\\.(global\\.v2)", "$1$2"),
          new Change("drops a weak store", "^st\\.global\\.u8.*", ""),
          new Change("stores twice", "^(st\\.global\\.u8.*)", "$1 $1"),
          new Change("drops an addition", "^atom\\.relaxed\\.sys\\.global\\.add.*", ""),
          new Change("asks for no earlier launch", "^ld\\.relaxed\\.gpu\\.global\\.u64.*", ""),
          new Change("rings without a release", "^st\\.volatile\\.global", "st.global"));

  /** Lines that only unsuccessful waits reach, and shared memory, do not depend on the steps. */
  private static boolean counts(String line) {
    return !line.contains(".shared") && !line.startsWith("atom.relaxed.gpu");
  }

  @Test
  void kernelsWithPeersInReach() {
    int refused = 0;
    for (String name :
        List.of(
            "signal_barrier",
            "push_send_recv",
            "ll_all_gather",
            "ll_all_reduce",
            "pull_all_reduce",
            "two_shot_all_reduce")) {
      refused += refused(ShippedPrograms.form(name), 1, WORLD, 40);
    }
    refused += refused(BulkGather.STAGED.form(), 1, WORLD, 48);
    System.out.println("read back, mutants refused, nvlink: " + refused);
    assertThat(refused).isGreaterThan(80);
  }

  @Test
  void kernelsThatPost() {
    int refused = 0;
    for (String name : List.of("push_send_recv", "ll_all_gather")) {
      refused += refused(ShippedPrograms.form(name), WORLD, 1, 40);
    }
    System.out.println("read back, mutants refused, requests: " + refused);
    assertThat(refused).isGreaterThan(80);
  }

  private static int refused(Form form, int hosts, int host, long bytes) {
    Kernels right = Kernels.of(form, hosts, host);
    Map<String, Long> params = ShippedPrograms.params(form, bytes, 0);
    right.compare(params, 1);
    int refused = 0;
    for (int line = 1; line <= right.kernel().ptx().lines().count(); line++) {
      String text = right.code().came(line) ? right.code().atLine(line) : "";
      for (Change change : CHANGES) {
        Optional<String> changed = counts(text) ? change.in(text + ";") : Optional.empty();
        if (changed.isPresent()) {
          String mutant = with(right.kernel().ptx(), line, changed.get());
          refuse(right.with(mutant), params, "%s in line %d".formatted(change.what(), line));
          refused++;
        }
      }
    }
    return refused;
  }

  private static void refuse(Kernels mutant, Map<String, Long> params, String what) {
    String name = mutant.lowered().form().name();
    assertThat(catchThrowable(() -> mutant.compare(params, 1)))
        .as("%s %s", name, what)
        .isInstanceOf(Mismatch.class)
        .hasMessageContaining("program=" + name)
        .hasMessageContaining("lane=")
        .hasMessageContaining("step")
        .hasMessageContaining("line");
  }

  private static String with(String text, int line, String by) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    lines.set(line - 1, by.replace("; st.", ";\nst."));
    return String.join("\n", lines);
  }

  /** Texts printed from other steps: one is missing, or swapped with the next. */
  @Test
  void everyStepCounts() {
    int refused = 0;
    for (Form form : List.of(ShippedPrograms.form("push_send_recv"), FormParser.parse(CALLS))) {
      for (int host : new int[] {1, WORLD}) {
        Kernels right = Kernels.of(form, WORLD / host, host);
        Map<String, Long> params = ShippedPrograms.params(form, 40, 0);
        LoweredLane lane = right.lowered().lanes().getFirst();
        BitSet visited = right.compare(params, 1).visited(lane.lane().name());
        for (int i = 0; i < lane.steps().size() - LAST_STEPS; i++) {
          int at = i;
          if (!visited.get(i) || !acts(lane, i)) {
            continue;
          }
          refuse(right.printed(l -> without(l, at)), params, "without step " + i);
          refused++;
          if (acts(lane, i + 1) && !micro(lane, i).equals(micro(lane, i + 1))) {
            refuse(right.printed(l -> swapped(l, at)), params, "swapped at step " + i);
            refused++;
          }
        }
      }
    }
    System.out.println("read back, mutants refused, steps: " + refused);
    assertThat(refused).isGreaterThan(60);
  }

  /** Whether a step asks for an action; the first of two adjacent barriers does not. */
  private static boolean acts(LoweredLane lane, int at) {
    return switch (micro(lane, at)) {
      case MicroOperation.Bar() -> !(micro(lane, at + 1) instanceof MicroOperation.Bar);
      case MicroOperation.Post p -> !(p.request() instanceof MicroOperation.Request.PlacementFence);
      case MicroOperation.Label _,
          MicroOperation.Jump _,
          MicroOperation.Unless _,
          MicroOperation.UnlessKind _ ->
          false;
      case MicroOperation.Set _,
          MicroOperation.Check _,
          MicroOperation.VisibilityFence _,
          MicroOperation.End _ ->
          false;
      default -> true;
    };
  }

  private static MicroOperation micro(LoweredLane lane, int at) {
    return lane.steps().get(at).micro();
  }

  private static LoweredLane without(LoweredLane lane, int at) {
    List<LoweredStep> steps = new ArrayList<>(lane.steps());
    steps.remove(at);
    return new LoweredLane(lane.lane(), lane.extras(), steps);
  }

  private static LoweredLane swapped(LoweredLane lane, int at) {
    List<LoweredStep> steps = new ArrayList<>(lane.steps());
    steps.add(at, steps.remove(at + 1));
    return new LoweredLane(lane.lane(), lane.extras(), steps);
  }

  /** The element's template without a fence comes before the one with it. */
  @Test
  void anElementWithoutItsFence() {
    Kernels right = Kernels.of(FormParser.parse(FENCED), WORLD, 1);
    right.compare(Map.of(), 1);
    String text = right.kernel().ptx();
    int image = Rings.image(RequestKind.WRITE_WORD, true);
    String loads = text;
    for (int part = 0; part < Rings.ELEMENT; part += 16) {
      loads =
          loads.replaceAll(
              "(ld.global.v2.u64 .*\\+)%d]".formatted(image + part),
              "$1%d]".formatted(Rings.image(RequestKind.WRITE_WORD, false) + part));
    }
    assertThat(loads).isNotEqualTo(text);
    refuse(right.with(loads), Map.of(), "an element without its fence");
  }
}
