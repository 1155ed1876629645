package dev.oriel.sim.litmus.steps;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** Encodes a moment as bytes: moments with equal bytes have equal futures. */
final class StateKeyWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

  /** Takes few bytes for a number of small magnitude. */
  void number(long value) {
    long rest = (value << 1) ^ (value >> 63);
    while ((rest & ~0x7FL) != 0) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  <T> void list(List<T> list, Consumer<T> each) {
    number(list.size());
    list.forEach(each);
  }

  void knowledge(HappensBeforeSets knowledge) {
    for (int i = 0; i < knowledge.sets(); i++) {
      number(knowledge.set(i));
    }
  }

  @SuppressWarnings("EnumOrdinal")
  void head(ReleasePattern head) {
    number(head.by().thread());
    number(head.by().scope().ordinal());
    knowledge(head.before());
  }

  ByteBuffer key() {
    return ByteBuffer.wrap(out.toByteArray());
  }
}
