package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.ExportedAllocation;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Memory that an application lends, as its rank describes it to the others.
 *
 * <pre>
 * process 16 | gpu 4 | files 4 | address 8 | bytes 8 | allocation: id 8, base 8, bytes 8
 *   | kind: length 4 | kind | handle: length 4 | handle | name: length 4 | name
 * </pre>
 *
 * @param gpu the number of its GPU in its process
 * @param files the number of files that the rank has sent for it
 * @param address its address in its process
 * @param allocation identifies the allocation that contains it, and the process
 */
@SuppressWarnings("ArrayRecordComponent") // a message, never compared
record SharedAllocation(
    String name,
    int gpu,
    MemoryKind kind,
    int files,
    long address,
    long bytes,
    OpenAllocations.Key allocation,
    byte[] handle) {
  private static final int MAX_NAME = 256;
  private static final int FIXED = ProcessSecret.BYTES + 5 * Integer.BYTES + 5 * Long.BYTES;

  /** The description of memory that this process lends. */
  static SharedAllocation of(
      String name,
      UserMemory memory,
      int gpu,
      OpenAllocations.Key allocation,
      ExportedAllocation exported) {
    return new SharedAllocation(
        name,
        gpu,
        exported.kind(),
        exported.files().size(),
        memory.address(),
        memory.bytes(),
        allocation,
        exported.handle());
  }

  /** The secret of the process that contains it. */
  ProcessSecret process() {
    return allocation.process();
  }

  /** Its offset in the allocation. */
  long offset() {
    return address - allocation.base();
  }

  int encodedBytes() {
    return FIXED + kindBytes().length + handle.length + nameBytes().length;
  }

  private byte[] kindBytes() {
    return kind.name().getBytes(StandardCharsets.UTF_8);
  }

  private byte[] nameBytes() {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  void into(ByteBuffer to) {
    process().into(to);
    to.putInt(gpu).putInt(files).putLong(address).putLong(bytes);
    to.putLong(allocation.id()).putLong(allocation.base()).putLong(allocation.bytes());
    to.putInt(kindBytes().length).put(kindBytes());
    to.putInt(handle.length).put(handle);
    to.putInt(nameBytes().length).put(nameBytes());
  }

  /**
   * Decodes a rank's description. Its memory lies in the allocation that it names.
   *
   * @throws MachineException if it was not encoded by this version
   */
  static SharedAllocation from(ByteBuffer from) {
    try {
      ProcessSecret process = ProcessSecret.from(from);
      int gpu = from.getInt();
      int files = from.getInt();
      long address = from.getLong();
      long bytes = from.getLong();
      OpenAllocations.Key allocation =
          new OpenAllocations.Key(process, from.getLong(), from.getLong(), from.getLong());
      MemoryKind kind = kind(new String(run(from, MAX_NAME), StandardCharsets.UTF_8));
      byte[] handle = run(from, ExportedAllocation.MAX_HANDLE);
      String name = new String(run(from, MAX_NAME), StandardCharsets.UTF_8);
      long offset = address - allocation.base();
      if (files < 0
          || files > ExportedAllocation.MAX_FILES
          || address < 1
          || allocation.base() < 1
          || offset < 0
          || bytes < 1
          || offset > allocation.bytes()
          || bytes > allocation.bytes() - offset) {
        throw unreadable();
      }
      return new SharedAllocation(name, gpu, kind, files, address, bytes, allocation, handle);
    } catch (BufferUnderflowException e) {
      throw unreadable();
    }
  }

  private static MemoryKind kind(String name) {
    return Arrays.stream(MemoryKind.values())
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(SharedAllocation::unreadable);
  }

  private static byte[] run(ByteBuffer from, int most) {
    int length = from.getInt();
    if (length < 0 || length > Math.min(most, from.remaining())) {
      throw unreadable();
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }

  private static MachineException unreadable() {
    return new MachineException(
        "a rank's description of its memory cannot be read; run one version on all ranks");
  }
}
