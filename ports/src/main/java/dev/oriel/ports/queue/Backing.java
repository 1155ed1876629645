package dev.oriel.ports.queue;

import java.nio.ByteBuffer;

/** What memory is to interfaces of hardware, which reach it by themselves. */
public sealed interface Backing {

  /**
   * Memory of the host.
   *
   * @param bytes direct, at their own address in this process
   */
  record Host(ByteBuffer bytes) implements Backing {}

  /**
   * Memory of a device that its driver hands out as a file. Interfaces reach it by the file alone,
   * which is needed no longer once all have it.
   *
   * @param file its number in this process
   * @param offset of the first byte in the file
   * @param close closes the file
   */
  record Shared(int file, long offset, Runnable close) implements Backing {}

  /**
   * None: copies alone reach the memory.
   *
   * @param reason in words, with the remedy behind a semicolon
   */
  record Copied(String reason) implements Backing {}
}
