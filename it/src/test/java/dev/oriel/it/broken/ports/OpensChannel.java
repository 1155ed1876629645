package dev.oriel.it.broken.ports;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** A port that does I/O of the rendezvous. */
final class OpensChannel {
  SocketChannel open() throws IOException {
    return SocketChannel.open();
  }
}
