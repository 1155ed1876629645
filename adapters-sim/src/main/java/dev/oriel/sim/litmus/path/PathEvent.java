package dev.oriel.sim.litmus.path;

import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.MemoryProxy;

/**
 * One event of a thread's path. {@code value} is the term that a write stores or a read returns, or
 * a barrier's resource. {@code depends} has the ordinals of earlier reads that feed or control the
 * event. {@code partner} is the path index of a read-modify-write's other half. {@code posted}
 * marks a relaxed update whose result is unused, so that it may be performed late. Unused numbers
 * are -1.
 */
public record PathEvent(
    Kind kind,
    int location,
    MemoryProxy proxy,
    MemoryOrder order,
    LitmusScope scope,
    int value,
    int quorum,
    int instance,
    long depends,
    int partner,
    boolean posted) {

  /** The kind of an event. */
  public enum Kind {
    READ,
    WRITE,
    FENCE,
    PROXY_FENCE,
    ARRIVE,
    SYNC
  }

  public static PathEvent access(
      Kind kind,
      int location,
      MemoryProxy proxy,
      MemoryOrder order,
      LitmusScope scope,
      int value,
      long depends,
      int partner) {
    return new PathEvent(
        kind, location, proxy, order, scope, value, -1, -1, depends, partner, false);
  }

  static PathEvent fence(MemoryOrder order, LitmusScope scope) {
    return new PathEvent(
        Kind.FENCE, -1, MemoryProxy.GENERIC, order, scope, -1, -1, -1, 0, -1, false);
  }

  static PathEvent proxyFence(MemoryProxy proxy) {
    return new PathEvent(
        Kind.PROXY_FENCE, -1, proxy, MemoryOrder.WEAK, LitmusScope.CTA, -1, -1, -1, 0, -1, false);
  }

  static PathEvent barrier(Kind kind, int instance, int resource, int quorum) {
    return new PathEvent(
        kind,
        -1,
        MemoryProxy.GENERIC,
        MemoryOrder.WEAK,
        LitmusScope.CTA,
        resource,
        quorum,
        instance,
        0,
        -1,
        false);
  }

  /** The same half of an update that may be performed late. */
  PathEvent postedAlike() {
    return new PathEvent(
        kind, location, proxy, order, scope, value, quorum, instance, depends, partner, true);
  }

  public boolean memory() {
    return kind == Kind.READ || kind == Kind.WRITE;
  }

  boolean barrier() {
    return kind == Kind.ARRIVE || kind == Kind.SYNC;
  }
}
