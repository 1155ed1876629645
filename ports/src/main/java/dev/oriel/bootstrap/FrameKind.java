package dev.oriel.bootstrap;

/** The purpose of a frame; its direction is given as member (ranks 1 and up) and root (rank 0). */
enum FrameKind {
  /** Member to root: nonce(32), world(4). */
  HELLO(1),
  /** Root to member: nonce(32). */
  CHALLENGE(2),
  /** Member to root: proof(32). */
  PROOF(3),
  /** Root to member: proof(32), contribution limit(4). */
  WELCOME(4),
  /** Root to a peer that may not join: the reason in UTF-8. */
  REFUSED(5),
  /** Root to members: every rank has joined. */
  READY(6),
  /** Member to root: its {@link Contribution} to the named collective. */
  CONTRIBUTION(7),
  /** Root to members: world times length(4), contribution. */
  RESULT(8),
  /** Root to members: a {@link FailureRecord}; the group is over. */
  FAILURE(9),
  /** Either way: this end leaves; the reason in UTF-8. */
  LEAVE(10),
  /** Root to a peer that may try again, since root has no time or room for it now: the reason. */
  LATER(11);

  static final int HELLO_BYTES = HandshakeTranscript.NONCE_BYTES + 4;
  static final int WELCOME_BYTES = HandshakeTranscript.PROOF_BYTES + 4;
  static final int MAX_REASON_BYTES = 512;

  private final int code;

  FrameKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Whether frames of this kind carry a step's name. */
  boolean named() {
    return this == CONTRIBUTION || this == RESULT;
  }

  static FrameKind of(int code) throws ProtocolViolation {
    for (FrameKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw new ProtocolViolation("unknown frame: kind=" + code);
  }
}
