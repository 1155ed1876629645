package dev.oriel.ibverbs.run;

import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.FabricListener;
import java.util.List;

/** Executors with the usual settings. */
final class TestExecutors {
  private TestExecutors() {}

  /** All ranks, on one fake device. */
  static VerbsExecutor alone(FakeVerbs verbs, FabricListener listener) {
    return open(List.of(verbs.open()), ProcessGroup.ALONE, listener);
  }

  /** One rank of a group. */
  static VerbsExecutor joined(
      List<DeviceContext> devices, Bootstrap ranks, FabricListener listener) {
    return open(devices, new JoinedProcesses(ranks), listener);
  }

  private static VerbsExecutor open(
      List<DeviceContext> devices, ProcessGroup company, FabricListener listener) {
    return new VerbsExecutor(devices, company, VerbsSettings.USUAL, listener, System::nanoTime);
  }
}
