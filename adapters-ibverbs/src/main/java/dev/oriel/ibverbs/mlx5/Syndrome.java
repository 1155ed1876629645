package dev.oriel.ibverbs.mlx5;

import java.util.Optional;

/** The reason why an element failed, by the interface's number. */
public enum Syndrome {
  LOCAL_LENGTH(0x01, "more bytes than fit"),
  LOCAL_OPERATION(0x02, "an element that the queue pair cannot execute"),
  LOCAL_PROTECTION(0x04, "own memory that is not registered for it"),
  FLUSHED(0x05, "not executed: the queue pair was in error"),
  BIND(0x06, "a memory window that cannot be bound"),
  BAD_RESPONSE(0x10, "an answer that was not expected"),
  LOCAL_ACCESS(0x11, "own memory that may not be written"),
  REMOTE_REQUEST(0x12, "a request that the peer refuses"),
  REMOTE_ACCESS(0x13, "memory of the peer that is not registered for it"),
  REMOTE_OPERATION(0x14, "the peer could not complete it"),
  RETRIES_EXCEEDED(0x15, "the peer does not answer"),
  RECEIVER_NOT_READY(0x16, "the peer has no receive for it"),
  REMOTE_ABORTED(0x22, "the peer gave up");

  private static final Syndrome[] BY_CODE = new Syndrome[0x100];

  static {
    for (Syndrome syndrome : values()) {
      BY_CODE[syndrome.code] = syndrome;
    }
  }

  private final int code;
  private final String meaning;

  Syndrome(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** The byte. */
  public int code() {
    return code;
  }

  /** The meaning, in words. */
  public String meaning() {
    return meaning;
  }

  /** The syndrome of a byte, if it is known. */
  public static Optional<Syndrome> of(int code) {
    return Optional.ofNullable(BY_CODE[code & 0xff]);
  }
}
