package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;

/** {@code struct ibv_sge}: one run of registered memory. The same on every 64-bit Linux. */
final class SgeLayout {
  /** The struct. */
  static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("addr"), JAVA_INT.withName("length"), JAVA_INT.withName("lkey"))
          .withName("ibv_sge");

  /** Bytes of the struct. */
  static final long SIZE = LAYOUT.byteSize();

  /** The address of the bytes; for an inline request, any memory of the process. */
  static final long ADDR = offset("addr");

  /** The number of bytes. */
  static final long LENGTH = offset("length");

  /** The local key; ignored for an inline request. */
  static final long LKEY = offset("lkey");

  private SgeLayout() {}

  private static long offset(String field) {
    return LAYOUT.byteOffset(groupElement(field));
  }
}
