package dev.oriel.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The layouts say what a C program printed from the headers. */
class LayoutsTest {
  /** Members of a union without a name. */
  private static final Set<String> NAMELESS = Set.of("bind_mw", "tso");

  private static final Map<String, Integer> NUMBERS =
      Map.of(
          "IBV_WR_RDMA_WRITE", Verbs.WR_RDMA_WRITE,
          "IBV_WR_RDMA_READ", Verbs.WR_RDMA_READ,
          "IBV_WR_ATOMIC_FETCH_AND_ADD", Verbs.WR_ATOMIC_FETCH_AND_ADD,
          "IBV_SEND_FENCE", Verbs.SEND_FENCE,
          "IBV_SEND_SIGNALED", Verbs.SEND_SIGNALED,
          "IBV_SEND_INLINE", Verbs.SEND_INLINE);

  @Test
  void layoutsAndNumbersAreThoseOfTheHeaders() throws IOException {
    for (String line : printed()) {
      String[] words = line.split(" ", 2);
      assertThat(number(words[0])).as(words[0]).isEqualTo(Long.parseLong(words[1]));
    }
  }

  @Test
  void constantsAreThoseOfTheLayouts() {
    assertThat(List.of(SgeLayout.SIZE, SgeLayout.ADDR, SgeLayout.LENGTH, SgeLayout.LKEY))
        .containsExactly(16L, 0L, 8L, 12L);
    assertThat(
            List.of(
                SendWrLayout.SIZE,
                SendWrLayout.WR_ID,
                SendWrLayout.NEXT,
                SendWrLayout.SG_LIST,
                SendWrLayout.NUM_SGE,
                SendWrLayout.OPCODE,
                SendWrLayout.SEND_FLAGS,
                SendWrLayout.IMM_DATA))
        .containsExactly(128L, 0L, 8L, 16L, 24L, 28L, 32L, 36L);
    assertThat(
            List.of(
                SendWrLayout.RDMA_REMOTE_ADDR,
                SendWrLayout.RDMA_RKEY,
                SendWrLayout.ATOMIC_REMOTE_ADDR,
                SendWrLayout.ATOMIC_COMPARE_ADD,
                SendWrLayout.ATOMIC_SWAP,
                SendWrLayout.ATOMIC_RKEY))
        .containsExactly(40L, 48L, 40L, 48L, 56L, 64L);
  }

  @Test
  void theHeadersOfThisMachineSayTheSame() throws Exception {
    assertThat(CPrograms.run("offsets.c", "")).isEqualTo(printed());
  }

  private static long number(String name) {
    Integer constant = NUMBERS.get(name);
    if (constant != null) {
      return constant;
    }
    List<String> path = new ArrayList<>(List.of(name.split("\\.", -1)));
    MemoryLayout struct =
        path.removeFirst().equals("ibv_sge") ? SgeLayout.LAYOUT : SendWrLayout.LAYOUT;
    if (path.isEmpty()) {
      return struct.byteSize();
    }
    if (NAMELESS.contains(path.getFirst())) {
      path.addFirst("extra");
    }
    return struct.byteOffset(
        path.stream().map(PathElement::groupElement).toArray(PathElement[]::new));
  }

  private static List<String> printed() throws IOException {
    try (InputStream in = LayoutsTest.class.getResourceAsStream("/layout/lp64.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
