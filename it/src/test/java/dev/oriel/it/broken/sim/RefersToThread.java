package dev.oriel.it.broken.sim;

import java.util.concurrent.ThreadFactory;

/** Creates threads by a constructor reference. */
final class RefersToThread {
  ThreadFactory factory() {
    return Thread::new;
  }
}
