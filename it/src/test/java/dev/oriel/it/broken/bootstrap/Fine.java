package dev.oriel.it.broken.bootstrap;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** The rendezvous may open channels. */
final class Fine {
  SocketChannel open() throws IOException {
    return SocketChannel.open();
  }
}
