package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.AllocationSharing;
import dev.oriel.cuda.driver.DeviceAllocation;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.MachineException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Memory that an application lends, as its rank describes it to the others.
 *
 * <pre>
 * process 16 | gpu 4 | address 8 | id 8 | offset 8 | bytes 8 | handle: length 4 | handle | name: length 4 | name
 * </pre>
 *
 * @param process the secret of the process that contains it; in that process its address is valid
 * @param gpu the number of its GPU in that process
 * @param address its address in that process
 * @param id identifies the allocation that contains it
 * @param offset its offset in the allocation
 */
@SuppressWarnings("ArrayRecordComponent") // a message, never compared
record SharedAllocation(
    String name,
    ProcessSecret process,
    int gpu,
    long address,
    long id,
    long offset,
    long bytes,
    byte[] handle) {
  private static final int MAX_LENGTH = 256;

  /**
   * The description of memory that this process lends.
   *
   * @throws MachineException if the memory cannot be lent
   */
  static SharedAllocation of(
      String name, UserMemory memory, AllocationSharing gpu, ProcessSecret process) {
    DeviceAllocation allocation =
        gpu.find(memory.address()).holding(memory, gpu.gpu()).lendable(memory);
    return new SharedAllocation(
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
    return ProcessSecret.BYTES
        + 3 * Integer.BYTES
        + 4 * Long.BYTES
        + handle.length
        + nameBytes().length;
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
   * Decodes a rank's description.
   *
   * @throws MachineException if it was not encoded by this version
   */
  static SharedAllocation from(ByteBuffer from) {
    try {
      ProcessSecret process = ProcessSecret.from(from);
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
      return new SharedAllocation(name, process, gpu, address, id, offset, bytes, handle);
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
        "a rank's description of its memory cannot be read; run one version on all ranks");
  }
}
