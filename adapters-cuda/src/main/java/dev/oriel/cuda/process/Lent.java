package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.Allocation;
import dev.oriel.cuda.driver.Lending;
import dev.oriel.cuda.driver.UserMemory;
import dev.oriel.ports.MachineException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Memory of an app as its rank tells others of it.
 *
 * <pre>
 * process 16 | gpu 4 | address 8 | id 8 | offset 8 | bytes 8 | handle: length 4 | handle | name: length 4 | name
 * </pre>
 *
 * @param process in which it lies: who has the same secret finds it where it is
 * @param gpu the number of its GPU there
 * @param address where it is there
 * @param id the allocation that holds it
 * @param offset where in it
 */
@SuppressWarnings("ArrayRecordComponent") // a message; nobody compares it
record Lent(
    String name,
    Secret process,
    int gpu,
    long address,
    long id,
    long offset,
    long bytes,
    byte[] handle) {
  private static final int MAX_LENGTH = 256;

  /**
   * What is to be told.
   *
   * @throws MachineException if it cannot be lent
   */
  static Lent of(String name, UserMemory memory, Lending gpu, Secret process) {
    Allocation allocation = gpu.find(memory.address()).holding(memory, gpu.gpu()).lendable(memory);
    return new Lent(
        name,
        process,
        gpu.gpu(),
        memory.address(),
        allocation.id(),
        memory.address() - allocation.base(),
        memory.bytes(),
        gpu.lend(allocation));
  }

  int encodedBytes() {
    return Secret.BYTES + 3 * Integer.BYTES + 4 * Long.BYTES + handle.length + nameBytes().length;
  }

  private byte[] nameBytes() {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  void into(ByteBuffer to) {
    process.into(to);
    to.putInt(gpu).putLong(address).putLong(id).putLong(offset).putLong(bytes);
    to.putInt(handle.length).put(handle);
    to.putInt(nameBytes().length).put(nameBytes());
  }

  /**
   * What a rank told.
   *
   * @throws MachineException if nobody of this version did
   */
  static Lent from(ByteBuffer from) {
    try {
      Secret process = Secret.from(from);
      int gpu = from.getInt();
      long address = from.getLong();
      long id = from.getLong();
      long offset = from.getLong();
      long bytes = from.getLong();
      byte[] handle = run(from);
      String name = new String(run(from), StandardCharsets.UTF_8);
      if (offset < 0 || bytes < 1) {
        throw unreadable();
      }
      return new Lent(name, process, gpu, address, id, offset, bytes, handle);
    } catch (BufferUnderflowException e) {
      throw unreadable();
    }
  }

  private static byte[] run(ByteBuffer from) {
    int length = from.getInt();
    if (length < 0 || length > Math.min(MAX_LENGTH, from.remaining())) {
      throw unreadable();
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }

  private static MachineException unreadable() {
    return new MachineException(
        "what a rank says of its memory cannot be read; run one version on all ranks");
  }
}
