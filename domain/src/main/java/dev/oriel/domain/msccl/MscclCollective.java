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

  /** Whether each rank's chunks are cut into a block for each rank. */
  boolean inBlocks() {
    return this == ALLGATHER || this == REDUCE_SCATTER || this == ALLTOALL;
  }
}
