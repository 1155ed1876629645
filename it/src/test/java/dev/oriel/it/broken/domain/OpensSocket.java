package dev.oriel.it.broken.domain;

import java.io.IOException;
import java.net.Socket;

/** Breaks the domain's purity. */
final class OpensSocket {
  Socket open(String host) throws IOException {
    return new Socket(host, 1);
  }
}
