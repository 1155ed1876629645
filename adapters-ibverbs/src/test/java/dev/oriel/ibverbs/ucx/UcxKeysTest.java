package dev.oriel.ibverbs.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.fabric.ExportedMemory;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.post.RequestEffect;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.verbs.HostMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two ranks of this process, driven by one thread until they close. */
final class UcxKeysTest {
  private static final long LIMIT = 20_000_000_000L;

  private final UcxConnections left = new UcxConnections(0, 2, VerbsSettings.USUAL.depth());
  private final UcxConnections right = new UcxConnections(1, 2, VerbsSettings.USUAL.depth());
  private final HostMemory memory = HostMemory.allocate(4096);

  @BeforeAll
  static void present() {
    UcxPresence.assume();
  }

  @AfterEach
  void close() {
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      CompletableFuture.allOf(
              CompletableFuture.runAsync(left::close, threads),
              CompletableFuture.runAsync(right::close, threads))
          .join();
    }
    memory.close();
  }

  private void until(BooleanSupplier done) {
    long begin = System.nanoTime();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime() - begin).isLessThan(LIMIT);
      boolean _ = left.progress();
      boolean _ = right.progress();
    }
  }

  private void offer() {
    left.connect(1, right.offer(0));
    right.connect(0, left.offer(1));
  }

  @Test
  void keysOfClosedMemoryAreForgotten() {
    offer();
    for (int i = 0; i < 10; i++) {
      ExportedMemory exported = right.export(memory);
      offer();
      int key = exported.remoteKeys().getFirst();
      assertThat(left.known(1)).contains(key);
      long value = i + 1L;
      left.queue(1, 0)
          .post(
              RequestEffect.WRITES,
              (id, signalled, fenced) ->
                  new WorkRequest.WriteWord(
                      id, signalled, fenced, value, new WorkRequest.Remote(memory.address(), key)));
      until(() -> memory.getAcquire(0) == value);
      exported.close();
    }
    ExportedMemory last = right.export(memory);
    offer();
    until(() -> left.known(1).size() == 2);
    assertThat(left.known(1)).containsExactly(0, last.remoteKeys().getFirst());
    last.close();
  }

  /** The offer of a moment at which the memory did not exist yet. */
  @Test
  void anOlderOfferTakesNoKeyAway() {
    offer();
    byte[] older = right.offer(0);
    ExportedMemory exported = right.export(memory);
    offer();
    left.connect(1, older);
    until(() -> !left.progress() && !right.progress());
    assertThat(left.known(1)).containsExactly(0, exported.remoteKeys().getFirst());
    exported.close();
  }
}
