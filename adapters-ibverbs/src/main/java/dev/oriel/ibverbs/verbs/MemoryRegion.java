package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/** A registration: the keys by which this process and its peers name the memory. */
public final class MemoryRegion extends NativeHandle {
  private final ControlPathCalls library;
  private final int localKey;
  private final int remoteKey;

  @SuppressWarnings("restricted")
  MemoryRegion(ControlPathCalls library, ProtectionDomain domain, MemorySegment pointer) {
    super("registration", pointer.reinterpret(ControlPathLayouts.MR.byteSize()), domain);
    this.library = library;
    this.localKey = remains().get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.MR, "lkey"));
    this.remoteKey = remains().get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.MR, "rkey"));
  }

  /** The key for requests of this process. */
  public int localKey() {
    return localKey;
  }

  /** The key for requests of peers. */
  public int remoteKey() {
    return remoteKey;
  }

  @Override
  void destroy() {
    library.check(VerbsFunction.DEREG_MR, "key=" + remoteKey, remains());
  }
}
