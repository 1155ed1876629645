package dev.oriel.ibverbs.ucx;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.oriel.ports.MachineException;

/** Whether tests over UCX can run here. */
public final class UcxPresence {
  private UcxPresence() {}

  /** Skips the test, and prints why, on a machine without UCX. */
  public static void assume() {
    try {
      String _ = UcxConnections.version();
    } catch (MachineException e) {
      System.out.println("skipped: tests over UCX: " + e.getMessage());
      abort(String.valueOf(e.getMessage()));
    }
  }
}
