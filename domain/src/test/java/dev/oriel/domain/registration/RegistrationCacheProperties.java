package dev.oriel.domain.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Compares the cache with a slow, obvious model: a list of all leases, searched for each question.
 */
class RegistrationCacheProperties {

  /** Interfaces that remember their calls, and fail on request. */
  private static final class Two implements NetworkInterfaces {
    final List<Map<RegistrationKeys, AddressRange>> registered =
        List.of(new HashMap<>(), new HashMap<>());
    int calls;
    int failing = -1;
    private long keys;

    @Override
    public int count() {
      return 2;
    }

    @Override
    public RegistrationKeys register(int number, AddressRange memory) {
      calls++;
      if (number == failing) {
        throw new IllegalStateException("interface " + number + " is full");
      }
      RegistrationKeys key = new RegistrationKeys(++keys, -keys);
      assertThat(registered.get(number).put(key, memory)).isNull();
      return key;
    }

    @Override
    public void deregister(int number, RegistrationKeys key) {
      assertThat(registered.get(number).remove(key)).isNotNull();
    }
  }

  /**
   * One operation on the cache.
   *
   * @param kind below 6 leases, of these 5 on an interface that fails; others give back
   */
  record Step(int kind, int allocation, int offset, int length, int which) {}

  /** Allocations overlap, since the range that a driver reports for one may be widened. */
  private static final List<AddressRange> ALLOCATIONS =
      List.of(
          new AddressRange(0, 64),
          new AddressRange(64, 64),
          new AddressRange(32, 64),
          new AddressRange(0, 256),
          new AddressRange(200, 20),
          new AddressRange(300, 0));

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 9),
            Arbitraries.integers().between(0, ALLOCATIONS.size() - 1),
            Arbitraries.integers().between(0, 255),
            Arbitraries.integers().between(0, 64),
            Arbitraries.integers().between(0, 1000))
        .as(Step::new)
        .list()
        .ofMaxSize(40);
  }

  @Property(tries = 300)
  void cacheKeepsRegistrationsOfLeasesOnly(@ForAll("steps") List<Step> steps) {
    Two two = new Two();
    RegistrationCache cache = new RegistrationCache(two);
    List<RegistrationLease> live = new ArrayList<>();
    List<RegistrationLease> dead = new ArrayList<>();
    for (Step step : steps) {
      if (step.kind() < 6) {
        AddressRange allocation = ALLOCATIONS.get(step.allocation());
        long offset = Math.min(step.offset(), allocation.length());
        long length = Math.min(step.length(), allocation.length() - offset);
        AddressRange buffer = new AddressRange(allocation.base() + offset, length);
        two.failing = step.kind() == 5 ? step.which() % 2 : -1;
        boolean known = live.stream().anyMatch(l -> cache.memory(l).contains(buffer));
        int before = two.calls;
        Throwable failure = catchThrowable(() -> live.add(cache.lease(buffer, allocation)));
        assertThat(two.calls > before).as("calls of an interface").isEqualTo(!known);
        assertThat(failure != null).isEqualTo(!known && two.failing >= 0);
      } else if (!live.isEmpty()) {
        RegistrationLease lease = live.remove(step.which() % live.size());
        cache.giveBack(lease);
        dead.add(lease);
      }
      agree(two, cache, live, dead);
    }
    live.forEach(cache::giveBack);
    agree(two, cache, List.of(), dead);
  }

  private static void agree(
      Two two,
      RegistrationCache cache,
      List<RegistrationLease> live,
      List<RegistrationLease> dead) {
    assertThat(cache.leases()).isEqualTo(live.size());
    for (int number = 0; number < 2; number++) {
      Set<RegistrationKeys> used = new HashSet<>();
      for (RegistrationLease lease : live) {
        RegistrationKeys key = cache.key(lease, lease.buffer(), number);
        used.add(key);
        assertThat(two.registered.get(number).get(key)).isEqualTo(cache.memory(lease));
        assertThat(cache.memory(lease).contains(lease.buffer())).isTrue();
      }
      assertThat(two.registered.get(number).keySet()).isEqualTo(used);
    }
    assertThat(live.stream().map(RegistrationLease::generation)).doesNotHaveDuplicates();
    for (RegistrationLease lease : dead) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> cache.key(lease, lease.buffer(), 0))
          .withMessageContaining("generation=" + lease.generation());
    }
  }

  @Example
  void twoBuffersOfOneAllocationShareItsRegistration() {
    Two two = new Two();
    RegistrationCache cache = new RegistrationCache(two);
    AddressRange allocation = new AddressRange(4096, 1024);
    RegistrationLease one = cache.lease(new AddressRange(4096, 16), allocation);
    RegistrationLease other = cache.lease(new AddressRange(5000, 100), allocation);
    assertThat(two.calls).isEqualTo(2);
    assertThat(cache.key(other, new AddressRange(5000, 1), 1))
        .isEqualTo(cache.key(one, one.buffer(), 1));
    assertThat(cache.key(one, one.buffer(), 0)).isNotEqualTo(cache.key(one, one.buffer(), 1));
    cache.giveBack(one);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cache.giveBack(one))
        .withMessageContaining("generation=1");
    assertThat(cache.memory(other)).isEqualTo(allocation);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> cache.key(other, new AddressRange(5099, 2), 0));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> cache.key(other, new AddressRange(5000, 1), 2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cache.lease(new AddressRange(4095, 2), allocation));
  }
}
