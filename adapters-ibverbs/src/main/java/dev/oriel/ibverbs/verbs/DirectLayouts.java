package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.stream.Stream;

/** The structures in which libmlx5 describes a queue's memory. */
final class DirectLayouts {
  static final StructLayout OBJ =
      structLayout(
              Stream.of("qp", "cq", "srq", "rwq", "dm", "ah", "pd")
                  .map(name ->
                      structLayout(ADDRESS.withName("in"), ADDRESS.withName("out")).withName(name))
                  .toArray(MemoryLayout[]::new))
          .withName("mlx5dv_obj");

  static final StructLayout QP =
      structLayout(
              ADDRESS.withName("dbrec"),
              queue("sq"),
              queue("rq"),
              structLayout(ADDRESS.withName("reg"), JAVA_INT.withName("size"), paddingLayout(4))
                  .withName("bf"),
              JAVA_LONG.withName("comp_mask"),
              JAVA_LONG.withName("uar_mmap_offset"),
              JAVA_INT.withName("tirn"),
              JAVA_INT.withName("tisn"),
              JAVA_INT.withName("rqn"),
              JAVA_INT.withName("sqn"),
              JAVA_LONG.withName("tir_icm_addr"))
          .withName("mlx5dv_qp");

  static final StructLayout CQ =
      structLayout(
              ADDRESS.withName("buf"),
              ADDRESS.withName("dbrec"),
              JAVA_INT.withName("cqe_cnt"),
              JAVA_INT.withName("cqe_size"),
              ADDRESS.withName("cq_uar"),
              JAVA_INT.withName("cqn"),
              paddingLayout(4),
              JAVA_LONG.withName("comp_mask"))
          .withName("mlx5dv_cq");

  /** {@code MLX5DV_OBJ_QP} and {@code MLX5DV_OBJ_CQ}. */
  static final int QP_AND_CQ = 3;

  private DirectLayouts() {}

  private static MemoryLayout queue(String name) {
    return structLayout(
            ADDRESS.withName("buf"), JAVA_INT.withName("wqe_cnt"), JAVA_INT.withName("stride"))
        .withName(name);
  }
}
