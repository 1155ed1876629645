package dev.oriel.bootstrap;

import java.io.IOException;

/** Bytes that a peer must not send at this point. */
final class ProtocolViolation extends IOException {
  ProtocolViolation(String message) {
    super(message);
  }
}
