package dev.oriel.ibverbs.verbs;

/** Whether this machine can run programs over RDMA at all. */
public sealed interface RdmaPresence {

  /** The library can be loaded; a device may still be missing. */
  record Present(String library) implements RdmaPresence {}

  /** The library cannot be loaded; with a remedy for the machine's owner. */
  record Absent(String reason, String remedy) implements RdmaPresence {
    /** The refusal in one sentence. */
    public String sentence() {
      return "no RDMA here: " + reason + "; " + remedy;
    }
  }
}
