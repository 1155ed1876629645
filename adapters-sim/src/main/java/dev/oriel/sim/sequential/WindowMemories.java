package dev.oriel.sim.sequential;

import dev.oriel.domain.window.SlotMemory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/** A window's memories on one rank: data, and the slots that each transport writes. */
record WindowMemories<T>(T data, T nvlink, T rdma) {

  T slots(SlotMemory memory) {
    return switch (memory) {
      case NVLINK -> nvlink;
      case RDMA -> rdma;
      case COUNTER ->
          throw new IllegalArgumentException(
              "no memory for counters: all is done at once; flush instead");
    };
  }

  <U> WindowMemories<U> map(Function<T, U> each) {
    return new WindowMemories<>(each.apply(data), each.apply(nvlink), each.apply(rdma));
  }

  /** The tokens of all three, concatenated. */
  static byte[] bytes(WindowMemories<byte[]> tokens) {
    ByteBuffer buffer = ByteBuffer.allocate(3 * WireName.BYTES);
    List.of(tokens.data, tokens.nvlink, tokens.rdma).forEach(buffer::put);
    return buffer.array();
  }

  static WindowMemories<byte[]> parse(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new WindowMemories<>(token(buffer), token(buffer), token(buffer));
  }

  private static byte[] token(ByteBuffer buffer) {
    byte[] token = new byte[WireName.BYTES];
    buffer.get(token);
    return token;
  }
}
