package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Compiles a kernel's text by the driver's linker. Bound as foreign functions: a long text takes
 * the driver many seconds, and through JCuda the garbage collector could not move the text's array
 * meanwhile.
 */
final class PtxCompilation {
  private static final int PTX = 1;

  private static final MethodHandle CREATE =
      ForeignFunctions.bind("cuLinkCreate_v2", JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
  private static final MethodHandle ADD =
      ForeignFunctions.bind(
          "cuLinkAddData_v2",
          JAVA_LONG,
          JAVA_INT,
          ADDRESS,
          JAVA_LONG,
          ADDRESS,
          JAVA_INT,
          ADDRESS,
          ADDRESS);
  private static final MethodHandle COMPLETE =
      ForeignFunctions.bind("cuLinkComplete", JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle DESTROY = ForeignFunctions.bind("cuLinkDestroy", JAVA_LONG);

  private PtxCompilation() {}

  static byte[] of(Gpu gpu, String ptx, String entry) {
    MemorySegment none = MemorySegment.NULL;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(ptx);
      MemorySegment name = arena.allocateFrom(entry);
      MemorySegment word = arena.allocate(JAVA_LONG);
      MemorySegment size = arena.allocate(JAVA_LONG);
      ForeignFunctions.call(gpu, "cuLinkCreate kernel=" + entry, CREATE, 0, none, none, word);
      long link = word.get(JAVA_LONG, 0);
      try (ResourceStack owned = new ResourceStack()) {
        owned.add(() -> ForeignFunctions.giveBack(gpu, "cuLinkDestroy", DESTROY, link));
        ForeignFunctions.call(
            gpu,
            "cuLinkAddData kernel=" + entry,
            ADD,
            link,
            PTX,
            text,
            text.byteSize(),
            name,
            0,
            none,
            none);
        ForeignFunctions.call(gpu, "cuLinkComplete kernel=" + entry, COMPLETE, link, word, size);
        return code(word.get(ADDRESS, 0), size.get(JAVA_LONG, 0));
      }
    }
  }

  /** A copy of the code, which belongs to the link. */
  @SuppressWarnings("restricted")
  private static byte[] code(MemorySegment address, long size) {
    return address.reinterpret(size).toArray(JAVA_BYTE);
  }
}
