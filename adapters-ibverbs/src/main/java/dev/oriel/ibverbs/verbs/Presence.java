package dev.oriel.ibverbs.verbs;

/** Whether this machine can run programs over RDMA at all. */
public sealed interface Presence {

  /** The library can be loaded; whether it finds a device is another question. */
  record Present(String library) implements Presence {}

  /** It cannot, and what its owner can do about it. */
  record Absent(String reason, String remedy) implements Presence {
    /** The refusal in one sentence. */
    public String sentence() {
      return "no RDMA here: " + reason + "; " + remedy;
    }
  }
}
