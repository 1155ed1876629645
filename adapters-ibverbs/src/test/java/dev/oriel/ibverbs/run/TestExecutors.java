package dev.oriel.ibverbs.run;

import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.FabricListener;
import java.util.List;

/** Executors with the usual settings. */
final class TestExecutors {
  private TestExecutors() {}

  /** All ranks, on one fake device. */
  static VerbsExecutor alone(FakeVerbs verbs, FabricListener listener) {
    return open(List.of(verbs.open()), Company.ALONE, listener);
  }

  /** One rank of a group. */
  static VerbsExecutor joined(List<Context> devices, Bootstrap ranks, FabricListener listener) {
    return open(devices, new Joined(ranks), listener);
  }

  private static VerbsExecutor open(
      List<Context> devices, Company company, FabricListener listener) {
    return new VerbsExecutor(devices, company, VerbsSettings.USUAL, listener, System::nanoTime);
  }
}
