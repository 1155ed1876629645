package dev.oriel.bootstrap;

import java.io.IOException;

/** A peer sent bytes that the protocol does not allow at this point. */
final class ProtocolViolation extends IOException {
  ProtocolViolation(String message) {
    super(message);
  }
}
