package dev.oriel.ibverbs.verbs;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The layouts equal those that a C program printed from the headers. */
class ControlPathLayoutsTest {
  /** Members of a union without a name. */
  private static final Set<String> NAMELESS = Set.of("bind_mw", "tso");

  @SuppressWarnings("EnumOrdinal")
  private static final Map<String, Integer> NUMBERS =
      Map.ofEntries(
          entry("IBV_WR_RDMA_WRITE", VerbsConstants.WR_RDMA_WRITE),
          entry("IBV_WR_RDMA_WRITE_WITH_IMM", VerbsConstants.WR_RDMA_WRITE_WITH_IMM),
          entry("IBV_WR_SEND", VerbsConstants.WR_SEND),
          entry("IBV_WR_RDMA_READ", VerbsConstants.WR_RDMA_READ),
          entry("IBV_WR_ATOMIC_CMP_AND_SWP", VerbsConstants.WR_ATOMIC_CMP_AND_SWP),
          entry("IBV_WR_ATOMIC_FETCH_AND_ADD", VerbsConstants.WR_ATOMIC_FETCH_AND_ADD),
          entry("IBV_SEND_FENCE", VerbsConstants.SEND_FENCE),
          entry("IBV_SEND_SIGNALED", VerbsConstants.SEND_SIGNALED),
          entry("IBV_SEND_INLINE", VerbsConstants.SEND_INLINE),
          entry("IBV_QPT_RC", VerbsConstants.QPT_RC),
          entry("IBV_QPS_RESET", VerbsConstants.QPS_RESET),
          entry("IBV_QPS_INIT", VerbsConstants.QPS_INIT),
          entry("IBV_QPS_RTR", VerbsConstants.QPS_RTR),
          entry("IBV_QPS_RTS", VerbsConstants.QPS_RTS),
          entry("IBV_QPS_ERR", VerbsConstants.QPS_ERR),
          entry("IBV_QP_STATE", VerbsConstants.QP_STATE),
          entry("TO_INIT", VerbsConstants.TO_INIT),
          entry("TO_RTR", VerbsConstants.TO_RTR),
          entry("TO_RTS", VerbsConstants.TO_RTS),
          entry("IBV_ACCESS_LOCAL_WRITE", RegistrationAccess.LOCAL_WRITE.bit()),
          entry("IBV_ACCESS_REMOTE_WRITE", RegistrationAccess.REMOTE_WRITE.bit()),
          entry("IBV_ACCESS_REMOTE_READ", RegistrationAccess.REMOTE_READ.bit()),
          entry("IBV_ACCESS_REMOTE_ATOMIC", RegistrationAccess.REMOTE_ATOMIC.bit()),
          entry("IBV_ACCESS_RELAXED_ORDERING", RegistrationAccess.RELAXED_ORDERING.bit()),
          entry("IBV_WC_RECV", VerbsConstants.WC_RECV),
          entry("IBV_WC_RECV_RDMA_WITH_IMM", VerbsConstants.WC_RECV_RDMA_WITH_IMM),
          entry("IBV_WC_WITH_IMM", VerbsConstants.WC_WITH_IMM),
          entry("IBV_WC_LOC_PROT_ERR", CompletionStatus.LOCAL_PROTECTION.ordinal()),
          entry("IBV_WC_WR_FLUSH_ERR", CompletionStatus.FLUSHED.ordinal()),
          entry("IBV_WC_REM_ACCESS_ERR", CompletionStatus.REMOTE_ACCESS.ordinal()),
          entry("IBV_WC_RETRY_EXC_ERR", CompletionStatus.RETRIES.ordinal()),
          entry("IBV_WC_GENERAL_ERR", CompletionStatus.GENERAL.ordinal()),
          entry("IBV_PORT_ACTIVE", VerbsConstants.PORT_ACTIVE),
          entry("IBV_LINK_LAYER_ETHERNET", VerbsConstants.LINK_LAYER_ETHERNET),
          entry("IBV_GID_TYPE_ROCE_V2", VerbsConstants.GID_TYPE_ROCE_V2),
          entry("IBV_ATOMIC_NONE", VerbsConstants.ATOMIC_NONE),
          entry("IBV_EVENT_CQ_ERR", AsyncEvent.Kind.QUEUE_FAILED.ordinal()),
          entry("IBV_EVENT_QP_FATAL", AsyncEvent.Kind.PAIR_FAILED.ordinal()),
          entry("IBV_EVENT_QP_REQ_ERR", AsyncEvent.Kind.PAIR_REQUEST.ordinal()),
          entry("IBV_EVENT_QP_ACCESS_ERR", AsyncEvent.Kind.PAIR_ACCESS.ordinal()),
          entry("IBV_EVENT_COMM_EST", AsyncEvent.Kind.CONNECTED.ordinal()),
          entry("IBV_EVENT_SQ_DRAINED", AsyncEvent.Kind.DRAINED.ordinal()),
          entry("IBV_EVENT_PATH_MIG", AsyncEvent.Kind.MIGRATED.ordinal()),
          entry("IBV_EVENT_PATH_MIG_ERR", AsyncEvent.Kind.NOT_MIGRATED.ordinal()),
          entry("IBV_EVENT_DEVICE_FATAL", AsyncEvent.Kind.DEVICE_FAILED.ordinal()),
          entry("IBV_EVENT_PORT_ACTIVE", AsyncEvent.Kind.PORT_UP.ordinal()),
          entry("IBV_EVENT_PORT_ERR", AsyncEvent.Kind.PORT_DOWN.ordinal()),
          entry("IBV_EVENT_LID_CHANGE", AsyncEvent.Kind.LID_CHANGED.ordinal()),
          entry("IBV_EVENT_PKEY_CHANGE", AsyncEvent.Kind.KEYS_CHANGED.ordinal()),
          entry("IBV_EVENT_SM_CHANGE", AsyncEvent.Kind.MANAGER_CHANGED.ordinal()),
          entry("IBV_EVENT_SRQ_ERR", AsyncEvent.Kind.RECEIVES_FAILED.ordinal()),
          entry("IBV_EVENT_SRQ_LIMIT_REACHED", AsyncEvent.Kind.RECEIVES_LOW.ordinal()),
          entry("IBV_EVENT_QP_LAST_WQE_REACHED", AsyncEvent.Kind.LAST_RECEIVE.ordinal()),
          entry("IBV_EVENT_CLIENT_REREGISTER", AsyncEvent.Kind.REGISTER_AGAIN.ordinal()),
          entry("IBV_EVENT_GID_CHANGE", AsyncEvent.Kind.GIDS_CHANGED.ordinal()),
          entry("IBV_EVENT_WQ_FATAL", AsyncEvent.Kind.WORK_QUEUE_FAILED.ordinal()),
          entry("MLX5DV_OBJ_QP_AND_CQ", DirectLayouts.QP_AND_CQ));

  private static final Map<String, StructLayout> STRUCTS =
      Stream.of(
              SgeLayout.LAYOUT,
              SendWrLayout.LAYOUT,
              ControlPathLayouts.CONTEXT,
              ControlPathLayouts.MR,
              ControlPathLayouts.CHANNEL,
              ControlPathLayouts.QP,
              ControlPathLayouts.QP_INIT_ATTR,
              ControlPathLayouts.QP_ATTR,
              ControlPathLayouts.RECV_WR,
              ControlPathLayouts.WC,
              ControlPathLayouts.PORT_ATTR,
              ControlPathLayouts.DEVICE_ATTR,
              ControlPathLayouts.GID_ENTRY,
              ControlPathLayouts.ASYNC_EVENT,
              DirectLayouts.OBJ,
              DirectLayouts.QP,
              DirectLayouts.CQ)
          .collect(Collectors.toMap(s -> s.name().orElseThrow(), s -> s));

  @Test
  void layoutsAndNumbersEqualThoseOfTheHeaders() throws IOException {
    for (String line : printed()) {
      String[] words = line.split(" ", 2);
      assertThat(number(words[0])).as(words[0]).isEqualTo(Long.parseLong(words[1]));
    }
  }

  @Test
  void constantsEqualThoseOfTheLayouts() {
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
  void headersOfThisMachineAgree() throws Exception {
    assertThat(CPrograms.run("offsets.c", "")).isEqualTo(printed());
  }

  private static long number(String name) {
    Integer constant = NUMBERS.get(name);
    if (constant != null) {
      return constant;
    }
    List<String> path = new ArrayList<>(List.of(name.split("\\.", -1)));
    String owner = path.removeFirst();
    MemoryLayout struct = Objects.requireNonNull(STRUCTS.get(owner), owner);
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
    try (InputStream in = ControlPathLayoutsTest.class.getResourceAsStream("/layout/lp64.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
