package dev.oriel.sim.sequential;

import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;

/** A name on a wire as the bytes that ranks exchange: its kind, its wire, and its number. */
record WireName(byte kind, long wire, long name) {
  static final byte OFFER = 1;
  static final byte EXPORT = 2;
  static final int BYTES = 1 + 2 * Long.BYTES;

  byte[] bytes() {
    return ByteBuffer.allocate(BYTES).put(kind).putLong(wire).putLong(name).array();
  }

  /** The token that {@code bytes} hold, if it is of that kind and wire. */
  static WireName parse(byte[] bytes, byte kind, long wire) {
    if (bytes.length != BYTES) {
      throw foreign("length=" + bytes.length + ", expected=" + BYTES);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    WireName token = new WireName(buffer.get(), buffer.getLong(), buffer.getLong());
    if (token.kind != kind || token.wire != wire) {
      throw foreign(
          "kind=%d, expected=%d, wire=%d, own=%d".formatted(token.kind, kind, token.wire, wire));
    }
    return token;
  }

  private static MachineException foreign(String facts) {
    return new MachineException(
        "bytes of another machine: "
            + facts
            + "; let all ranks use one factory of one process, and pass offers and exports unchanged");
  }
}
