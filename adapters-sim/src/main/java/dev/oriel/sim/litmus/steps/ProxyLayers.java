package dev.oriel.sim.litmus.steps;

import static dev.oriel.sim.litmus.answer.EventRelations.bit;
import static dev.oriel.sim.litmus.answer.EventRelations.has;
import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.MemoryProxy;
import dev.oriel.sim.litmus.test.ThreadPlacement;
import java.util.List;

/**
 * Decides which accesses that happened before an access also precede it in causality. In a test
 * without proxies and aliases all do. Otherwise an access must have passed up to three fences in
 * order. The first is a fence of its own proxy in its own block, the second an alias fence if the
 * addresses differ. The third is a fence of the later access's proxy in the later one's block.
 * Knowledge has a set for each of these stages.
 */
final class ProxyLayers {
  private static final int GENERIC = 1;
  private static final int ALIASED = 2;
  private static final int ARRIVED = 3;

  private final List<ThreadPlacement> blocks;
  private final boolean one;

  ProxyLayers(LitmusTest test) {
    blocks = test.threads().stream().map(LitmusThread::placement).distinct().toList();
    one = test.proxies() == 0;
  }

  HappensBeforeSets nothing() {
    return new HappensBeforeSets(
        one ? 1 : ARRIVED + 2 * blocks.size() * MemoryProxy.values().length);
  }

  @SuppressWarnings("EnumOrdinal")
  private int arrived(MemoryProxy proxy, ThreadPlacement block) {
    return ARRIVED + 2 * (proxy.ordinal() * blocks.size() + blocks.indexOf(block));
  }

  /** The knowledge after a proxy fence in a block. */
  HappensBeforeSets fence(
      HappensBeforeSets known, MemoryProxy proxy, ThreadPlacement block, AccessHistory history) {
    long generic = generic(known, history);
    if (proxy == MemoryProxy.GENERIC) {
      return known.with(ALIASED, generic);
    }
    long own = 0;
    for (long rest = known.set(0) & history.performed(); rest != 0; rest &= rest - 1) {
      PerformedAccess access = history.get(lowest(rest));
      boolean here = access.site().by().place().equals(block);
      own |= here && access.site().proxy() == proxy ? bit(access.id()) : 0;
    }
    int arrived = arrived(proxy, block);
    return known.with(GENERIC, own).with(arrived, generic).with(arrived + 1, known.set(ALIASED));
  }

  private static long generic(HappensBeforeSets known, AccessHistory history) {
    long generic = known.set(GENERIC);
    for (long rest = known.set(0) & history.performed(); rest != 0; rest &= rest - 1) {
      PerformedAccess access = history.get(lowest(rest));
      generic |= access.site().proxy() == MemoryProxy.GENERIC ? bit(access.id()) : 0;
    }
    return generic;
  }

  /**
   * The writes of its memory that precede an access at a site, directly or through an observation.
   */
  long past(HappensBeforeSets known, PerformedAccess.Site site, AccessHistory history) {
    long past = 0;
    for (long rest = known.set(0) & history.performed(); rest != 0; rest &= rest - 1) {
      PerformedAccess access = history.get(lowest(rest));
      if (access.site().memory() == site.memory() && reaches(access, known, site)) {
        past |= access.write() ? bit(access.id()) : history.observed(access);
      }
    }
    return past;
  }

  private boolean reaches(
      PerformedAccess access, HappensBeforeSets known, PerformedAccess.Site site) {
    if (one) {
      return true;
    }
    PerformedAccess.Site from = access.site();
    boolean sameAddress = from.address() == site.address();
    boolean sameBlock = from.by().place().equals(site.by().place());
    if (sameAddress && from.proxy() == site.proxy() && sameBlock) {
      return true;
    }
    if (site.proxy() != MemoryProxy.GENERIC) {
      int arrived = arrived(site.proxy(), site.by().place());
      return has(known.set(sameAddress ? arrived : arrived + 1), access.id());
    }
    return sameAddress
        ? from.proxy() == MemoryProxy.GENERIC || has(known.set(GENERIC), access.id())
        : has(known.set(ALIASED), access.id());
  }
}
