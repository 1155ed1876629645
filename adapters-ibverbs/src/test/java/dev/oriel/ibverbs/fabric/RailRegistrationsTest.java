package dev.oriel.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ibverbs.post.RequestEffect;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.MemoryBacking;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory is registered once with every interface, under whichever address it has there. */
final class RailRegistrationsTest {
  private static final long NAMED = 0x7_0000_0000L;

  private final FakeVerbs verbs = new FakeVerbs();
  private final List<Integer> closed = new ArrayList<>();
  private DeviceContext first;
  private DeviceContext second;
  private RankEndpoint one;
  private RankEndpoint two;
  private HostMemory memory;

  @BeforeEach
  void connect() {
    first = verbs.open();
    second = verbs.open();
    one = new RankEndpoint(List.of(first, second), 0, 2, VerbsSettings.USUAL);
    two = new RankEndpoint(List.of(first, second), 1, 2, VerbsSettings.USUAL);
    one.connect(1, two.offer(0));
    two.connect(0, one.offer(1));
    memory = HostMemory.allocate(4096);
  }

  @AfterEach
  void nothingIsLeft() {
    one.close();
    two.close();
    first.close();
    second.close();
    memory.close();
    assertThat(verbs.live()).isEmpty();
  }

  private int registered() {
    return verbs.live().getOrDefault("registration", 0);
  }

  @Test
  void oneMemoryHasOneKeyOfEachInterfaceForAllItsUsers() {
    ExportedMemory user = one.export(memory);
    ExportedMemory other = one.export(memory);
    assertThat(registered()).isEqualTo(2);
    assertThat(other.remoteKeys()).isEqualTo(user.remoteKeys()).doesNotHaveDuplicates();
    user.close();
    user.close();
    assertThat(registered()).isEqualTo(2);
    assertThat(other.localKey(1))
        .isEqualTo(verbs.localKey(other.remoteKeys().get(1)))
        .isNotEqualTo(other.remoteKeys().get(1));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> user.localKey(0))
        .withMessageContaining("stale lease");
    other.close();
    assertThat(registered()).isZero();
  }

  @Test
  void aRejectedRegistrationReleasesTheOthers() {
    verbs.failAfter("ibv_reg_mr", 1, 12);
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> one.export(memory))
        .withMessageContaining("ibv_reg_mr refused");
    assertThat(registered()).isZero();
  }

  @Test
  void lanesUseInterfacesAlternately() {
    assertThat(List.of(0, 1, 2, 3).stream().map(lane -> one.queue(1, lane).number()).toList())
        .containsExactly(0, 1, 0, 1);
    assertThat(one.queue(1, 0)).isNotSameAs(one.queue(1, 2)).isSameAs(one.queue(1, 4));
  }

  private ReachedMemory filed(int file, long offset) {
    DirectMemory direct = new DirectMemory(NAMED, memory.buffer());
    return new ReachedMemory() {
      @Override
      public long address() {
        return NAMED;
      }

      @Override
      public long size() {
        return direct.size();
      }

      @Override
      public MemoryBacking backing() {
        return new MemoryBacking.Shared(file, offset, () -> closed.add(file));
      }

      @Override
      public byte[] read(long at, int length) {
        return direct.read(at, length);
      }

      @Override
      public void write(long at, byte[] bytes) {
        direct.write(at, bytes);
      }

      @Override
      public long add(long at, long addend) {
        return direct.add(at, addend);
      }

      @Override
      public long compareAndSwap(long at, long compare, long swap) {
        return direct.compareAndSwap(at, compare, swap);
      }
    };
  }

  /** At its owner's addresses, from any offset in the file, which is closed at once. */
  @Test
  void memoryIsRegisteredThroughItsFile() {
    verbs.file(5, memory.address() - 64);
    try (ExportedMemory exported = two.export(filed(5, 64))) {
      assertThat(closed).containsExactly(5);
      SendQueue queue = one.queue(1, 1);
      int key = exported.remoteKeys().get(1);
      long number =
          queue.post(
              RequestEffect.WRITES,
              (id, signalled, fenced) ->
                  new WorkRequest.WriteWord(
                      id, true, fenced, 77, new WorkRequest.Remote(NAMED + 8, key)));
      one.progress();
      assertThat(queue.ended(number)).isTrue();
      assertThat(memory.getAcquire(8)).isEqualTo(77);
    }
  }

  @Test
  void aFileThatNoDeviceAcceptsIsRejectedAndClosed() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> two.export(filed(6, 0)))
        .withMessageContaining("ibv_reg_dmabuf_mr refused");
    assertThat(closed).containsExactly(6);
    assertThat(registered()).isZero();
  }
}
