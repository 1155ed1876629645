package dev.oriel.domain.msccl;

/** The collective of a plan, which decides its post-condition. */
public enum MscclCollective {
  ALLREDUCE,
  ALLGATHER,
  REDUCE_SCATTER,
  ALLTOALL,
  /** From gpu 0. */
  BROADCAST,
  /** To gpu 0. */
  REDUCE,
  /**
   * From each gpu to the next one, and from the last to the first; only execution plans have it.
   */
  SENDRECV,
  /** Any other name: nothing is known of its result. */
  CUSTOM;

  /** The collective of that spelling; both spellings of reduce-scatter occur. */
  static MscclCollective named(String spelling) {
    return switch (spelling) {
      case "allreduce" -> ALLREDUCE;
      case "allgather" -> ALLGATHER;
      case "reduce_scatter", "reducescatter" -> REDUCE_SCATTER;
      case "alltoall" -> ALLTOALL;
      case "broadcast" -> BROADCAST;
      case "reduce" -> REDUCE;
      default -> CUSTOM;
    };
  }

  /** The collective of that spelling in an execution plan of MSCCL++. */
  public static MscclCollective ofExecutionPlan(String spelling) {
    return spelling.equals("sendrecv") ? SENDRECV : named(spelling);
  }

  /** Whether each rank's chunks are cut into a block for each rank. */
  public boolean inBlocks() {
    return this == ALLGATHER || this == REDUCE_SCATTER || this == ALLTOALL;
  }
}
