package dev.oriel.sim.sequential;

import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a rank tells the others of its part of a window: the specification, and how to open it. */
record Exchanged(List<String> spec, Parts<byte[]> exports) {

  static Exchanged of(WindowSpec spec, Parts<byte[]> exports) {
    return new Exchanged(
        List.of(
            "name=" + spec.name(),
            "data=" + spec.data(),
            "signals=" + spec.signals(),
            "counters=" + spec.counters(),
            "barriers=" + spec.barriers(),
            "rdmaRows=" + spec.rdmaRows()),
        exports);
  }

  byte[] bytes() {
    byte[] text = String.join("\n", spec).getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.allocate(Parts.COUNT * Token.BYTES + text.length);
    exports.list().forEach(buffer::put);
    return buffer.put(text).array();
  }

  static Exchanged parse(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    Parts<byte[]> exports = new Parts<>(token(buffer), token(buffer), token(buffer));
    String text = StandardCharsets.UTF_8.decode(buffer).toString();
    return new Exchanged(List.of(text.split("\n", -1)), exports);
  }

  private static byte[] token(ByteBuffer buffer) {
    byte[] token = new byte[Token.BYTES];
    buffer.get(token);
    return token;
  }

  /** Throws if this, of {@code rank}, is another window than {@code first}, of rank 0. */
  void requireSame(int rank, Exchanged first) {
    for (int field = 0; field < spec.size(); field++) {
      if (!spec.get(field).equals(first.spec.get(field))) {
        throw new MachineException(
            "ranks disagree on a window: rank=%d, %s, rank 0 has %s; pass equal specifications"
                .formatted(rank, spec.get(field), first.spec.get(field)));
      }
    }
  }
}
