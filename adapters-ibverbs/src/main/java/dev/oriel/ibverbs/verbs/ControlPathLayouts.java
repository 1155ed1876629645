package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.util.Arrays;

/**
 * The structs of the control path and of completions, the same on every 64-bit Linux. Members that
 * are not used here are padding. {@link SendWrLayout} and {@link SgeLayout} are those of the hot
 * path.
 */
final class ControlPathLayouts {
  /** Of its operations only those that no symbol exports. */
  static final StructLayout CONTEXT =
      structLayout(
              ADDRESS.withName("device"),
              structLayout(
                      paddingLayout(88),
                      ADDRESS.withName("poll_cq"),
                      ADDRESS.withName("req_notify_cq"),
                      paddingLayout(96),
                      ADDRESS.withName("post_send"),
                      ADDRESS.withName("post_recv"),
                      paddingLayout(40))
                  .withName("ops"),
              JAVA_INT.withName("cmd_fd"),
              JAVA_INT.withName("async_fd"),
              JAVA_INT.withName("num_comp_vectors"),
              paddingLayout(44),
              ADDRESS.withName("abi_compat"))
          .withName("ibv_context");

  static final StructLayout MR =
      structLayout(
              ADDRESS.withName("context"),
              ADDRESS.withName("pd"),
              ADDRESS.withName("addr"),
              JAVA_LONG.withName("length"),
              JAVA_INT.withName("handle"),
              JAVA_INT.withName("lkey"),
              JAVA_INT.withName("rkey"),
              paddingLayout(4))
          .withName("ibv_mr");

  static final StructLayout CHANNEL =
      structLayout(
              ADDRESS.withName("context"), JAVA_INT.withName("fd"), JAVA_INT.withName("refcnt"))
          .withName("ibv_comp_channel");

  static final StructLayout QP =
      structLayout(
              ADDRESS.withName("context"),
              ADDRESS.withName("qp_context"),
              ADDRESS.withName("pd"),
              ADDRESS.withName("send_cq"),
              ADDRESS.withName("recv_cq"),
              ADDRESS.withName("srq"),
              JAVA_INT.withName("handle"),
              JAVA_INT.withName("qp_num"),
              JAVA_INT.withName("state"),
              JAVA_INT.withName("qp_type"),
              paddingLayout(96))
          .withName("ibv_qp");

  private static final StructLayout CAP =
      structLayout(
          JAVA_INT.withName("max_send_wr"),
          JAVA_INT.withName("max_recv_wr"),
          JAVA_INT.withName("max_send_sge"),
          JAVA_INT.withName("max_recv_sge"),
          JAVA_INT.withName("max_inline_data"));

  static final StructLayout QP_INIT_ATTR =
      structLayout(
              ADDRESS.withName("qp_context"),
              ADDRESS.withName("send_cq"),
              ADDRESS.withName("recv_cq"),
              ADDRESS.withName("srq"),
              CAP.withName("cap"),
              JAVA_INT.withName("qp_type"),
              JAVA_INT.withName("sq_sig_all"),
              paddingLayout(4))
          .withName("ibv_qp_init_attr");

  private static final StructLayout AH_ATTR =
      structLayout(
          structLayout(
                  structLayout(JAVA_LONG.withName("high"), JAVA_LONG.withName("low"))
                      .withName("dgid"),
                  JAVA_INT.withName("flow_label"),
                  JAVA_BYTE.withName("sgid_index"),
                  JAVA_BYTE.withName("hop_limit"),
                  JAVA_BYTE.withName("traffic_class"),
                  paddingLayout(1))
              .withName("grh"),
          JAVA_SHORT.withName("dlid"),
          JAVA_BYTE.withName("sl"),
          JAVA_BYTE.withName("src_path_bits"),
          JAVA_BYTE.withName("static_rate"),
          JAVA_BYTE.withName("is_global"),
          JAVA_BYTE.withName("port_num"),
          paddingLayout(1));

  static final StructLayout QP_ATTR =
      structLayout(
              JAVA_INT.withName("qp_state"),
              JAVA_INT.withName("cur_qp_state"),
              JAVA_INT.withName("path_mtu"),
              JAVA_INT.withName("path_mig_state"),
              JAVA_INT.withName("qkey"),
              JAVA_INT.withName("rq_psn"),
              JAVA_INT.withName("sq_psn"),
              JAVA_INT.withName("dest_qp_num"),
              JAVA_INT.withName("qp_access_flags"),
              CAP.withName("cap"),
              AH_ATTR.withName("ah_attr"),
              paddingLayout(32),
              JAVA_SHORT.withName("pkey_index"),
              paddingLayout(4),
              JAVA_BYTE.withName("max_rd_atomic"),
              JAVA_BYTE.withName("max_dest_rd_atomic"),
              JAVA_BYTE.withName("min_rnr_timer"),
              JAVA_BYTE.withName("port_num"),
              JAVA_BYTE.withName("timeout"),
              JAVA_BYTE.withName("retry_cnt"),
              JAVA_BYTE.withName("rnr_retry"),
              paddingLayout(11))
          .withName("ibv_qp_attr");

  static final StructLayout RECV_WR =
      structLayout(
              JAVA_LONG.withName("wr_id"),
              ADDRESS.withName("next"),
              ADDRESS.withName("sg_list"),
              JAVA_INT.withName("num_sge"),
              paddingLayout(4))
          .withName("ibv_recv_wr");

  static final StructLayout WC =
      structLayout(
              JAVA_LONG.withName("wr_id"),
              JAVA_INT.withName("status"),
              JAVA_INT.withName("opcode"),
              JAVA_INT.withName("vendor_err"),
              JAVA_INT.withName("byte_len"),
              JAVA_INT.withName("imm_data"),
              JAVA_INT.withName("qp_num"),
              JAVA_INT.withName("src_qp"),
              JAVA_INT.withName("wc_flags"),
              paddingLayout(8))
          .withName("ibv_wc");

  static final StructLayout PORT_ATTR =
      structLayout(
              JAVA_INT.withName("state"),
              JAVA_INT.withName("max_mtu"),
              JAVA_INT.withName("active_mtu"),
              JAVA_INT.withName("gid_tbl_len"),
              paddingLayout(4),
              JAVA_INT.withName("max_msg_sz"),
              paddingLayout(10),
              JAVA_SHORT.withName("lid"),
              paddingLayout(10),
              JAVA_BYTE.withName("link_layer"),
              paddingLayout(5))
          .withName("ibv_port_attr");

  static final StructLayout DEVICE_ATTR =
      structLayout(
              paddingLayout(108),
              JAVA_INT.withName("max_qp"),
              JAVA_INT.withName("max_qp_wr"),
              paddingLayout(4),
              JAVA_INT.withName("max_sge"),
              paddingLayout(4),
              JAVA_INT.withName("max_cq"),
              JAVA_INT.withName("max_cqe"),
              JAVA_INT.withName("max_mr"),
              JAVA_INT.withName("max_pd"),
              JAVA_INT.withName("max_qp_rd_atom"),
              paddingLayout(8),
              JAVA_INT.withName("max_qp_init_rd_atom"),
              paddingLayout(4),
              JAVA_INT.withName("atomic_cap"),
              paddingLayout(59),
              JAVA_BYTE.withName("phys_port_cnt"),
              paddingLayout(4))
          .withName("ibv_device_attr");

  static final StructLayout GID_ENTRY =
      structLayout(
              structLayout(JAVA_LONG.withName("high"), JAVA_LONG.withName("low")).withName("gid"),
              JAVA_INT.withName("gid_index"),
              JAVA_INT.withName("port_num"),
              JAVA_INT.withName("gid_type"),
              JAVA_INT.withName("ndev_ifindex"))
          .withName("ibv_gid_entry");

  static final StructLayout ASYNC_EVENT =
      structLayout(JAVA_LONG.withName("element"), JAVA_INT.withName("event_type"), paddingLayout(4))
          .withName("ibv_async_event");

  private ControlPathLayouts() {}

  /** The offset of a member. */
  static long at(StructLayout struct, String... path) {
    return struct.byteOffset(
        Arrays.stream(path).map(name -> groupElement(name)).toArray(PathElement[]::new));
  }
}
