package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ReceiveBytes;
import dev.oriel.ibverbs.mlx5.SendElement;
import java.nio.ByteBuffer;

/**
 * The memory that a queue pair shares with its poster. Others may write all of it at any time; none
 * of it is trusted.
 *
 * @param sends blocks of 64 bytes, a power of two of them
 * @param receives entries of 16 bytes, a power of two of them
 * @param record the doorbell record: 8 bytes
 * @param register the word that is rung: 8 bytes or more, of which the first 8 count
 */
public record QueueMemory(
    ByteBuffer sends, ByteBuffer receives, ByteBuffer record, ByteBuffer register) {
  public QueueMemory {
    QueueMemoryChecks.require("send queue", sends, SendElement.BLOCK);
    QueueMemoryChecks.require("receive queue", receives, ReceiveBytes.BYTES);
    QueueMemoryChecks.require("doorbell record", record, DoorbellRecord.BYTES);
    QueueMemoryChecks.require("doorbell register", register, Long.BYTES);
    sends = sends.duplicate();
    receives = receives.duplicate();
    record = record.duplicate();
    register = register.duplicate();
  }

  /** New memory for so many elements. */
  public static QueueMemory allocate(int sends, int receives) {
    return new QueueMemory(
        ByteBuffer.allocateDirect(sends * SendElement.BLOCK),
        ByteBuffer.allocateDirect(receives * ReceiveBytes.BYTES),
        ByteBuffer.allocateDirect(DoorbellRecord.BYTES),
        ByteBuffer.allocateDirect(Long.BYTES));
  }
}
