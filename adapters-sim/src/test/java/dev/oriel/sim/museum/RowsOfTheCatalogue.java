package dev.oriel.sim.museum;

import java.util.List;
import java.util.stream.Stream;

/** Every row of the catalogue of failures: each needs an exhibit. */
final class RowsOfTheCatalogue {
  private static final List<String> FAILURES =
      List.of(
          // indexing, layout, partitioning, bounds
          "B01 B02 B03 B04 B07 B08 B09 B10 B12 B14 B16 B18 B19",
          // memory ordering and visibility
          "B21 B22 B24 B25 B26 B27 B28 B30 B32 B34 B35 B36",
          // flow control, staging reuse, credits, resources
          "B37 B39 B40 B41 B43 B45 B47 B48 B49 B52 B53",
          // counters and wrap
          "B54 B56 B58",
          // graph capture and replay
          "B59 B60 B61 B63 B66 B68 B69 B70",
          // abort, timeout, partial failure
          "B71 B73 B75 B77 B78 B80 B82 B83 B84",
          // set-up, registration, lifetime, teardown
          "B85 B86 B88 B89 B90 B91 B93 B95 B96 B98 B100 B101 B103 B104",
          // hazards found by reading code
          "L01 L02 L04 L05 L06 L08 L09 L10 L12 L13 L14 L15 L17 L18 L19 L20 L21",
          // collectives, graphs, flow control
          "1 2 4 5 6 8 9 10 11 14 15 16 17 18 22 24 25 26 30 34 36 37 38 40 41 44 45 48 50",
          "51 52 54 55 58 59 61 62 65 66 67 69",
          // minimal traces
          "T1 T2 T3 T4 T6 T7 T8 T10 T11 T12 T14 T15 T16",
          // public threads
          "pytorch-196546 distca-75 pytorch-188005 pytorch-158167 torchcomms-2166 nvshmem-84",
          "nvshmem-36 nccl-1941 nccl-1990 nccl-2302 nccl-2119 nccl-2290 rocm-9334 mori-652 mori-559",
          "rocm-11142 rocm-9451 aiter-3515 aiter-4082 vllm-2760 vllm-57059 deepep-181 uccl-903",
          "mscclpp-616 sglang-36943 flashinfer");

  private RowsOfTheCatalogue() {}

  static List<String> all() {
    return FAILURES.stream().flatMap(line -> Stream.of(line.split(" ", -1))).toList();
  }
}
