package dev.oriel.sim.litmus.answer;

/** The text of the PTX memory model that decides; each later one allows a subset of the earlier. */
public enum MemoryModel {
  /** The first formal model: no proxies. */
  PTX_6_0("ptx-6.0"),
  /** Adds proxies. Without proxies it allows and forbids the same as 6.0. */
  PTX_7_5("ptx-7.5"),
  /** As 7.5, and fence.sc also takes part in release and acquire patterns, as the manual says. */
  PTX_ISA("ptx-isa");

  private final String text;

  MemoryModel(String text) {
    this.text = text;
  }

  /** The model of that name. */
  public static MemoryModel parse(String text) {
    for (MemoryModel model : values()) {
      if (model.text.equals(text)) {
        return model;
      }
    }
    throw new IllegalArgumentException(
        "unknown memory model: name=" + text + "; choose ptx-6.0, ptx-7.5 or ptx-isa");
  }

  /** Whether the model has proxies other than the generic one. */
  public boolean proxies() {
    return this != PTX_6_0;
  }

  public boolean scFenceReleases() {
    return this == PTX_ISA;
  }

  @Override
  public String toString() {
    return text;
  }
}
