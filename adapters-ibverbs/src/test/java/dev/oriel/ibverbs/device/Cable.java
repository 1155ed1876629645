package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.run.JoinedProcesses;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DeviceList;
import dev.oriel.ibverbs.verbs.RetryLimits;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.RankThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The emulated machine's two devices between which packets really cross a link. */
final class Cable {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final List<String> DEVICES = List.of("rxv0", "rxv1");

  private Cable() {}

  /** A rank at each end. */
  static List<VerbsExecutor> executors(FabricListener listener) {
    List<VerbsExecutor> executors = new ArrayList<>();
    for (Bootstrap ranks : InProcessBootstrap.group(DEVICES.size(), LONG)) {
      executors.add(
          VerbsExecutor.open(
              new JoinedProcesses(ranks),
              settings(DEVICES.get(ranks.rank())),
              listener,
              System::nanoTime));
    }
    return executors;
  }

  /** A lost link is reported before a launch's deadline: an answer is late after 67 ms. */
  private static VerbsSettings settings(String device) {
    VerbsSettings usual = VerbsSettings.USUAL;
    return new VerbsSettings(
        device,
        usual.port(),
        usual.gid(),
        usual.depth(),
        usual.queues(),
        new RetryLimits(14, usual.retry().retries(), usual.retry().notReady()));
  }

  /** Runs all concurrently, since ranks wait for each other. */
  static void close(List<? extends AutoCloseable> all) {
    RankThreads.all(
        List.<AutoCloseable>copyOf(all),
        each -> {
          each.close();
          return each;
        });
  }

  /**
   * From now on no packet arrives. An interface is taken down only when nothing is pending any
   * more: the kernel's device retries a packet that its interface rejects without a pause, and on
   * one processor nothing else runs then.
   */
  static void loseEverything() throws Exception {
    for (String[] end : new String[][] {{"10.1.0.2", "v0"}, {"10.1.0.1", "v1"}}) {
      Guest.run(
          "/usr/bin/ip",
          "neigh",
          "replace",
          end[0],
          "lladdr",
          "02:00:00:00:00:99",
          "dev",
          end[1],
          "nud",
          "permanent");
    }
  }

  /** Taking an interface down also removed its routes and neighbours. */
  static void mend() throws Exception {
    Guest.run("/bin/sh", "/cable");
    try (DeviceContext context = DeviceList.load().open(DEVICES.getFirst())) {
      long end = System.nanoTime() + LONG.toNanos();
      while (!context.port(1).active() || context.gids(1).stream().noneMatch(g -> g.ipv4())) {
        assertThat(System.nanoTime()).as("the port comes back").isLessThan(end);
        Thread.sleep(100);
      }
    }
  }
}
