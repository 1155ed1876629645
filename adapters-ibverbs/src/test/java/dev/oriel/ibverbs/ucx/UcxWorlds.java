package dev.oriel.ibverbs.ucx;

import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.window.VerbsCommunicators;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;

/** Communicators over UCX, each with a thread for what peers request of its rank. */
interface UcxWorlds {
  ExecutorService PROGRESS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("progress").factory());

  @BeforeAll
  static void present() {
    UcxPresence.assume();
  }

  static Communicator join(Bootstrap ranks, long bytes) {
    return VerbsCommunicators.ucx(VerbsSettings.USUAL.depth(), bytes, PROGRESS, System::nanoTime)
        .join(ranks);
  }
}
