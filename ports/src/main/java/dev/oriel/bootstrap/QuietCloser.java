package dev.oriel.bootstrap;

import java.io.Closeable;
import java.io.IOException;

/** Closes a resource on a path where the first failure is the one to report. */
final class QuietCloser {
  private QuietCloser() {}

  static void close(Closeable resource) {
    try {
      resource.close();
    } catch (IOException e) {
      // Nothing can be done about it, and an earlier failure matters more.
    }
  }
}
