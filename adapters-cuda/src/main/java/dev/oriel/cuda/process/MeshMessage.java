package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.UnixSocket;
import dev.oriel.ports.MachineException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A message between two processes of a world; the first byte is its kind. */
sealed interface MeshMessage {
  byte HELLO = 1;
  byte WELCOME = 2;
  byte MEMORY = 3;
  byte ENDED = 4;
  byte CLOSED = 5;

  /** The first message: the caller's rank, and the secret of the called rank. */
  record Hello(int rank, ProcessSecret yours) implements MeshMessage {}

  /** The answer: the caller's own secret. */
  record Welcome(ProcessSecret yours) implements MeshMessage {}

  /** A rank's memory for an instance; the message carries an open file. */
  record Memory(int instance, long bytes) implements MeshMessage {}

  /** The instance has ended for the sender. */
  record Ended(int instance, InstanceEnd end) implements MeshMessage {}

  /** The sender launches the instance no more. */
  record Closed(int instance) implements MeshMessage {}

  /** The message's bytes; a long cause is truncated. */
  default byte[] encoded() {
    ByteBuffer to = ByteBuffer.allocate(UnixSocket.MAX_BYTES);
    switch (this) {
      case Hello(int rank, ProcessSecret yours) -> yours.into(to.put(HELLO).putInt(rank));
      case Welcome(ProcessSecret yours) -> yours.into(to.put(WELCOME));
      case Memory(int instance, long length) -> to.put(MEMORY).putInt(instance).putLong(length);
      case Closed(int instance) -> to.put(CLOSED).putInt(instance);
      case Ended(int instance, InstanceEnd end) -> {
        to.put(ENDED).putInt(instance).putInt(end.rank()).put(end.kind().code());
        byte[] cause = end.cause().getBytes(StandardCharsets.UTF_8);
        to.put(cause, 0, Math.min(cause.length, to.remaining()));
      }
    }
    return Arrays.copyOf(to.array(), to.position());
  }

  /**
   * Decodes a message.
   *
   * @throws MachineException if it was not encoded by this version
   */
  static MeshMessage parse(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    try {
      return switch (from.get()) {
        case HELLO -> new Hello(from.getInt(), ProcessSecret.from(from));
        case WELCOME -> new Welcome(ProcessSecret.from(from));
        case MEMORY -> new Memory(from.getInt(), from.getLong());
        case ENDED -> new Ended(from.getInt(), end(from));
        case CLOSED -> new Closed(from.getInt());
        default -> throw unreadable(bytes);
      };
    } catch (BufferUnderflowException e) {
      throw unreadable(bytes);
    }
  }

  private static InstanceEnd end(ByteBuffer from) {
    int rank = from.getInt();
    InstanceEnd.Kind kind =
        InstanceEnd.Kind.of(from.get()).orElseThrow(BufferUnderflowException::new);
    return new InstanceEnd(rank, kind, StandardCharsets.UTF_8.decode(from.slice()).toString());
  }

  private static MachineException unreadable(byte[] bytes) {
    return new MachineException(
        "message cannot be read: bytes=%d, kind=%d; run one version on all ranks"
            .formatted(bytes.length, bytes.length == 0 ? -1 : bytes[0]));
  }
}
