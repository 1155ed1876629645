package dev.oriel.sim.sequential;

import dev.oriel.domain.window.SlotMemory;
import java.util.List;
import java.util.function.Function;

/** A window's memories on one rank: data, and the slots that each transport writes. */
record Parts<T>(T data, T nvlink, T rdma) {
  static final int COUNT = 3;

  T slots(SlotMemory memory) {
    return switch (memory) {
      case NVLINK -> nvlink;
      case RDMA -> rdma;
      case COUNTER ->
          throw new IllegalArgumentException(
              "no memory for counters: all is done at once; flush instead");
    };
  }

  <U> Parts<U> map(Function<T, U> each) {
    return new Parts<>(each.apply(data), each.apply(nvlink), each.apply(rdma));
  }

  List<T> list() {
    return List.of(data, nvlink, rdma);
  }
}
