package dev.oriel.ports.queue;

import java.nio.ByteBuffer;

/** The kind of memory as network hardware sees it, which accesses it without the CPU. */
public sealed interface MemoryBacking {

  /**
   * Memory of the host.
   *
   * @param bytes a direct buffer, at its own address in this process
   */
  record Host(ByteBuffer bytes) implements MemoryBacking {}

  /**
   * Device memory that its driver exports as a file. Interfaces reach it only through the file,
   * which is no longer needed once all have registered it.
   *
   * @param file its number in this process
   * @param offset of the first byte in the file
   * @param close closes the file
   */
  record Shared(int file, long offset, Runnable close) implements MemoryBacking {}

  /**
   * None: only copies reach the memory.
   *
   * @param reason in words, with the remedy after a semicolon
   */
  record Copied(String reason) implements MemoryBacking {}
}
