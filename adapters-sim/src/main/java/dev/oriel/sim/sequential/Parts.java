package dev.oriel.sim.sequential;

import dev.oriel.domain.window.SlotMemory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/** A window's memories on one rank: data, and the slots that each transport writes. */
record Parts<T>(T data, T nvlink, T rdma) {

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

  /** The tokens of all three, concatenated. */
  static byte[] bytes(Parts<byte[]> tokens) {
    ByteBuffer buffer = ByteBuffer.allocate(3 * Token.BYTES);
    List.of(tokens.data, tokens.nvlink, tokens.rdma).forEach(buffer::put);
    return buffer.array();
  }

  static Parts<byte[]> parse(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Parts<>(token(buffer), token(buffer), token(buffer));
  }

  private static byte[] token(ByteBuffer buffer) {
    byte[] token = new byte[Token.BYTES];
    buffer.get(token);
    return token;
  }
}
