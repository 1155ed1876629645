package dev.oriel.bootstrap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes that both sides of a handshake sign: the speaker's role, both nonces, and the claims.
 *
 * <pre>
 *   +-----------------+--------------+------------+------+-------+-------+
 *   | role, 16 bytes  | member nonce | root nonce | rank | world | limit |
 *   +-----------------+--------------+------------+------+-------+-------+
 *                            32            32         4      4       4
 * </pre>
 *
 * The role prevents a proof of one side from being reflected as a proof of the other. The nonces,
 * one from each side, prevent a proof from being replayed.
 */
record HandshakeTranscript(int rank, int world, ByteBuffer memberNonce, ByteBuffer rootNonce) {
  static final int NONCE_BYTES = 32;
  static final int PROOF_BYTES = 32;

  ByteBuffer ofMember() {
    return bytes("oriel-1 member  ", 0);
  }

  /** Rank 0's, which also fixes the limit of one rank's contribution. */
  ByteBuffer ofRoot(int limit) {
    return bytes("oriel-1 root    ", limit);
  }

  private ByteBuffer bytes(String role, int limit) {
    return ByteBuffer.allocate(16 + 2 * NONCE_BYTES + 12)
        .put(role.getBytes(StandardCharsets.US_ASCII))
        .put(memberNonce.duplicate())
        .put(rootNonce.duplicate())
        .putInt(rank)
        .putInt(world)
        .putInt(limit)
        .flip();
  }
}
