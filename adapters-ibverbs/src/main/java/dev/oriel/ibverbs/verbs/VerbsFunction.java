package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import org.jspecify.annotations.Nullable;

/** The exported functions that are called, by the symbol's name. */
@SuppressWarnings("ImmutableEnumChecker")
enum VerbsFunction {
  GET_DEVICE_LIST("ibv_get_device_list", ADDRESS, ADDRESS),
  FREE_DEVICE_LIST("ibv_free_device_list", null, ADDRESS),
  GET_DEVICE_NAME("ibv_get_device_name", ADDRESS, ADDRESS),
  OPEN_DEVICE("ibv_open_device", ADDRESS, ADDRESS),
  CLOSE_DEVICE("ibv_close_device", JAVA_INT, ADDRESS),
  QUERY_DEVICE("ibv_query_device", JAVA_INT, ADDRESS, ADDRESS),
  QUERY_PORT("ibv_query_port", JAVA_INT, ADDRESS, JAVA_BYTE, ADDRESS),
  QUERY_GIDS("_ibv_query_gid_table", JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG),
  ALLOC_PD("ibv_alloc_pd", ADDRESS, ADDRESS),
  DEALLOC_PD("ibv_dealloc_pd", JAVA_INT, ADDRESS),
  REG_MR("ibv_reg_mr", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT),
  REG_MR_IOVA("ibv_reg_mr_iova", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT),
  /** Registers memory with accesses that may be ignored, as the header's inline function does. */
  REG_MR_IOVA2("ibv_reg_mr_iova2", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT),
  REG_DMABUF_MR(
      "ibv_reg_dmabuf_mr", ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT),
  DEREG_MR("ibv_dereg_mr", JAVA_INT, ADDRESS),
  CREATE_CHANNEL("ibv_create_comp_channel", ADDRESS, ADDRESS),
  DESTROY_CHANNEL("ibv_destroy_comp_channel", JAVA_INT, ADDRESS),
  CREATE_CQ("ibv_create_cq", ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT),
  DESTROY_CQ("ibv_destroy_cq", JAVA_INT, ADDRESS),
  GET_CQ_EVENT("ibv_get_cq_event", JAVA_INT, ADDRESS, ADDRESS, ADDRESS),
  ACK_CQ_EVENTS("ibv_ack_cq_events", null, ADDRESS, JAVA_INT),
  CREATE_QP("ibv_create_qp", ADDRESS, ADDRESS, ADDRESS),
  MODIFY_QP("ibv_modify_qp", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT),
  DESTROY_QP("ibv_destroy_qp", JAVA_INT, ADDRESS),
  GET_ASYNC_EVENT("ibv_get_async_event", JAVA_INT, ADDRESS, ADDRESS),
  ACK_ASYNC_EVENT("ibv_ack_async_event", null, ADDRESS),
  /** Calls of libmlx5. */
  INIT_OBJ("mlx5dv_init_obj", JAVA_INT, ADDRESS, JAVA_LONG);

  private final String symbol;
  private final FunctionDescriptor type;

  VerbsFunction(String symbol, @Nullable MemoryLayout result, MemoryLayout... args) {
    this.symbol = symbol;
    this.type =
        result == null ? FunctionDescriptor.ofVoid(args) : FunctionDescriptor.of(result, args);
  }

  String symbol() {
    return symbol;
  }

  FunctionDescriptor type() {
    return type;
  }
}
