package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Shares memory that the application created and mapped in pieces: each piece by a file. The other
 * process maps all of them one after the other.
 */
final class MappedPieces {
  private static final MethodHandle RETAIN =
      ForeignFunctions.bind("cuMemRetainAllocationHandle", ADDRESS, JAVA_LONG);

  private MappedPieces() {}

  static ExportedAllocation export(Gpu gpu, List<AddressRange> pieces) {
    List<OpenDescriptor> files = new ArrayList<>();
    ByteBuffer lengths = ByteBuffer.allocate(pieces.size() * Long.BYTES);
    try {
      for (AddressRange piece : pieces) {
        files.add(file(gpu, piece.base()));
        lengths.putLong(piece.length());
      }
      return new ExportedAllocation(MemoryKind.MAPPED, lengths.array(), files);
    } catch (RuntimeException e) {
      files.forEach(OpenDescriptor::close);
      throw e;
    }
  }

  private static OpenDescriptor file(Gpu gpu, long address) {
    return ResourceStack.making(made -> {
      try (Arena arena = Arena.ofConfined();
          ResourceStack held = new ResourceStack()) {
        MemorySegment word = arena.allocate(JAVA_LONG);
        ForeignFunctions.call(
            gpu, "cuMemRetainAllocationHandle address=" + address, RETAIN, word, address);
        long handle = word.get(JAVA_LONG, 0);
        held.add(() -> VirtualMemory.release(gpu, handle));
        return made.add(VirtualMemory.export(gpu, handle));
      }
    });
  }

  static OpenedAllocation open(Gpu gpu, ExportedAllocation exported) {
    List<Long> lengths = new ArrayList<>();
    ByteBuffer handle = ByteBuffer.wrap(exported.handle());
    long bytes = 0;
    while (handle.remaining() >= Long.BYTES) {
      long length = handle.getLong();
      if (length < 1 || length > Long.MAX_VALUE - bytes) {
        throw foreign(exported);
      }
      lengths.add(length);
      bytes += length;
    }
    if (lengths.isEmpty() || handle.hasRemaining() || lengths.size() != exported.files().size()) {
      throw foreign(exported);
    }
    long whole = bytes;
    return ResourceStack.making(made -> {
      long base = VirtualMemory.reserve(gpu, whole, made);
      long at = base;
      for (int i = 0; i < lengths.size(); i++) {
        try (ResourceStack imported = new ResourceStack()) {
          long piece = VirtualMemory.imported(gpu, exported.files().get(i));
          // The mapping keeps the memory; the handle is needed only for it.
          imported.add(() -> VirtualMemory.release(gpu, piece));
          VirtualMemory.map(gpu, at, lengths.get(i), piece, made);
        }
        at += lengths.get(i);
      }
      VirtualMemory.allow(gpu, base, whole);
      gpu.prepared();
      return new OpenedRange(base, whole, made);
    });
  }

  private static MachineException foreign(ExportedAllocation exported) {
    return new MachineException(
        "pieces of memory cannot be read: bytes=%d, files=%d; run one version on all ranks"
            .formatted(exported.handle().length, exported.files().size()));
  }
}
