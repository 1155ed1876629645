package dev.oriel.sim.litmus.steps;

import static dev.oriel.sim.litmus.answer.Masks.bit;
import static dev.oriel.sim.litmus.answer.Masks.has;
import static dev.oriel.sim.litmus.answer.Masks.lowest;

import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.Placement;
import dev.oriel.sim.litmus.test.Proxy;
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

  private final List<Placement> blocks;
  private final boolean one;

  ProxyLayers(LitmusTest test) {
    blocks = test.threads().stream().map(LitmusThread::placement).distinct().toList();
    one = test.proxies() == 0;
  }

  Knowledge nothing() {
    return new Knowledge(one ? 1 : ARRIVED + 2 * blocks.size() * Proxy.values().length);
  }

  @SuppressWarnings("EnumOrdinal")
  private int arrived(Proxy proxy, Placement block) {
    return ARRIVED + 2 * (proxy.ordinal() * blocks.size() + blocks.indexOf(block));
  }

  /** The knowledge after a proxy fence in a block. */
  Knowledge fence(Knowledge known, Proxy proxy, Placement block, History history) {
    long generic = generic(known, history);
    if (proxy == Proxy.GENERIC) {
      return known.with(ALIASED, generic);
    }
    long own = 0;
    for (long rest = known.set(0) & history.performed(); rest != 0; rest &= rest - 1) {
      Access access = history.get(lowest(rest));
      boolean here = access.site().by().place().equals(block);
      own |= here && access.site().proxy() == proxy ? bit(access.id()) : 0;
    }
    int arrived = arrived(proxy, block);
    return known.with(GENERIC, own).with(arrived, generic).with(arrived + 1, known.set(ALIASED));
  }

  private static long generic(Knowledge known, History history) {
    long generic = known.set(GENERIC);
    for (long rest = known.set(0) & history.performed(); rest != 0; rest &= rest - 1) {
      Access access = history.get(lowest(rest));
      generic |= access.site().proxy() == Proxy.GENERIC ? bit(access.id()) : 0;
    }
    return generic;
  }

  /**
   * The writes of its memory that precede an access at a site, directly or through an observation.
   */
  long past(Knowledge known, Access.Site site, History history) {
    long past = 0;
    for (long rest = known.set(0) & history.performed(); rest != 0; rest &= rest - 1) {
      Access access = history.get(lowest(rest));
      if (access.site().memory() == site.memory() && reaches(access, known, site)) {
        past |= access.write() ? bit(access.id()) : history.observed(access);
      }
    }
    return past;
  }

  private boolean reaches(Access access, Knowledge known, Access.Site site) {
    if (one) {
      return true;
    }
    Access.Site from = access.site();
    boolean sameAddress = from.address() == site.address();
    boolean sameBlock = from.by().place().equals(site.by().place());
    if (sameAddress && from.proxy() == site.proxy() && sameBlock) {
      return true;
    }
    if (site.proxy() != Proxy.GENERIC) {
      int arrived = arrived(site.proxy(), site.by().place());
      return has(known.set(sameAddress ? arrived : arrived + 1), access.id());
    }
    return sameAddress
        ? from.proxy() == Proxy.GENERIC || has(known.set(GENERIC), access.id())
        : has(known.set(ALIASED), access.id());
  }
}
