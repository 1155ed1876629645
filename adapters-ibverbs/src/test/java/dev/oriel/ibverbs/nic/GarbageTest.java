package dev.oriel.ibverbs.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.mlx5.BigEndian;
import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.CompletionElement.Failed;
import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ElementOpcode;
import dev.oriel.ibverbs.mlx5.QueueRing;
import dev.oriel.ibverbs.mlx5.ReceiveBytes;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.mlx5.Syndrome;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Queues full of garbage, some of it nearly valid, with random doorbells. The interface never
 * throws, and reports its refusals. It never touches the margins of registered memory, nor memory
 * that was registered without write access.
 */
class GarbageTest {
  /** Elements that were checked, not flushed after another one's failure: for each seed. */
  private static final int ELEMENTS = 40_000;

  private static final byte SENTINEL = 0x5a;
  private static final List<ElementOpcode> OPCODES = List.of(ElementOpcode.values());

  private final Map<Syndrome, Integer> failures = new EnumMap<>(Syndrome.class);
  private int done;
  private int complaints;

  @ParameterizedTest
  @CsvSource({"1, IN_ORDER", "2, RELIABLE", "3, SCATTERED"})
  void onlyRegisteredMemoryIsAccessed(long seed, String rules) {
    SplittableRandom random = new SplittableRandom(seed);
    ElementOrdering ordering =
        switch (rules) {
          case "IN_ORDER" -> ElementOrdering.IN_ORDER;
          case "RELIABLE" -> ElementOrdering.RELIABLE;
          default -> ElementOrdering.SCATTERED;
        };
    int posted = 0;
    while (lookedAt() < ELEMENTS) {
      posted += round(ordering, random);
    }
    // Both must occur often; otherwise the test shows nothing.
    assertThat(done).isGreaterThan(ELEMENTS / 4);
    assertThat(failures.keySet())
        .contains(
            Syndrome.LOCAL_LENGTH,
            Syndrome.LOCAL_OPERATION,
            Syndrome.LOCAL_PROTECTION,
            Syndrome.FLUSHED,
            Syndrome.REMOTE_REQUEST,
            Syndrome.REMOTE_ACCESS,
            Syndrome.RECEIVER_NOT_READY);
    assertThat(complaints).isGreaterThan(1000);
    System.out.printf(
        "garbage of seed %d under %s: %d posted, %d looked at, %d done, %d complaints, failures %s%n",
        seed, rules, posted, lookedAt(), done, complaints, failures);
  }

  private int lookedAt() {
    int failed = failures.values().stream().mapToInt(Integer::intValue).sum();
    return done + failed - failures.getOrDefault(Syndrome.FLUSHED, 0);
  }

  /** Until an end stops; then both are flushed and new ones made. */
  private int round(ElementOrdering ordering, SplittableRandom random) {
    SoftNic nic = new SoftNic(ordering, new NicLimits(4, 128, 2, 16), this::complaint);
    End a = new End(nic, 0x1000, End.STRICT);
    End b = new End(nic, 0x2000, Set.of(RegionPermission.values()));
    a.pair.connect(b.pair);
    ByteBuffer closed = ByteBuffer.allocateDirect(64);
    fill(closed);
    RegisteredRegion readOnly =
        b.domain.register(0x3000, closed, Set.of(RegionPermission.REMOTE_READ));
    frame(a);
    frame(b);
    int posted = 0;
    for (int i = 0; i < 40 && !(a.pair.stopped() && b.pair.stopped()); i++) {
      posted += post(a, b, readOnly, random);
      posted += post(b, a, readOnly, random);
      for (int steps = 0; nic.step(random::nextInt); steps++) {
        assertThat(steps).as("steps").isLessThan(100_000);
      }
      count(a);
      count(b);
    }
    assertThat(edges(a)).isEqualTo(edges(b)).containsOnly(SENTINEL);
    byte[] untouched = new byte[64];
    closed.get(0, untouched);
    assertThat(untouched).containsOnly(SENTINEL);
    return posted;
  }

  private int post(End from, End to, RegisteredRegion readOnly, SplittableRandom random) {
    int count = random.nextInt(1, End.SLOTS + 1);
    for (int i = 0; i < count; i++) {
      int at = SendElement.BLOCK * (int) ((from.posted + i) % End.SLOTS);
      garble(from.queue.sends(), at, from, to, readOnly, (int) (from.posted + i), random);
    }
    if (random.nextInt(2) == 0) {
      receives(from, random);
    }
    from.posted += count;
    int record = (int) from.posted;
    long word = new Doorbell(QueueRing.index(from.posted), from.pair.number()).word();
    switch (random.nextInt(200)) {
      case 0 -> record = random.nextInt();
      case 1, 2 -> word = random.nextLong();
      default -> {}
    }
    DoorbellRecord.postSends(from.queue.record(), 0, record);
    BigEndian.putLongRelease(from.queue.register(), 0, word);
    return count;
  }

  private static void receives(End end, SplittableRandom random) {
    for (int i = 0; i < 4; i++) {
      end.receive(end.gather(8 * random.nextInt(16), random.nextInt(1, 65)));
    }
    if (random.nextInt(20) == 0) {
      int at = ReceiveBytes.BYTES * random.nextInt(End.SLOTS);
      BigEndian.putLong(end.queue.receives(), at, random.nextLong());
      DoorbellRecord.postReceives(end.queue.record(), 0, random.nextInt());
    }
  }

  /** A block that is valid but for some fields, or pure noise. */
  private static void garble(
      ByteBuffer sends,
      int at,
      End from,
      End to,
      RegisteredRegion readOnly,
      int index,
      SplittableRandom random) {
    for (int i = 0; i < SendElement.BLOCK; i += 8) {
      BigEndian.putLong(sends, at + i, random.nextLong());
    }
    if (random.nextInt(64) == 0) {
      return;
    }
    ElementOpcode opcode = OPCODES.get(random.nextInt(OPCODES.size()));
    int segments =
        switch (opcode) {
          case NOP -> 1;
          case WAIT, SEND -> 2;
          case FETCH_ADD, COMPARE_SWAP -> 4;
          default -> 3;
        };
    BigEndian.putInt(sends, at, (index & 0xffff) << 8 | opcode.code());
    BigEndian.putInt(sends, at + 4, from.pair.number() << 8 | segments);
    sends.put(at + 11, (byte) (random.nextInt(5) << 5 | 8));
    boolean closed = random.nextInt(100) == 0;
    if (segments >= 3) {
      long offset = random.nextInt(60) == 0 ? random.nextInt(-9, 300) : 8 * random.nextInt(24);
      BigEndian.putLong(
          sends, at + 16, (closed ? readOnly.address() : to.region.address()) + offset);
      BigEndian.putInt(sends, at + 24, closed ? readOnly.key() : to.region.key());
    }
    if (opcode == ElementOpcode.WAIT) {
      // Some wait for a past completion, some for one that never comes.
      BigEndian.putInt(sends, at + 24, random.nextInt(-100, 2));
      BigEndian.putInt(sends, at + 28, from.completions.number());
    } else if (opcode != ElementOpcode.NOP) {
      int gather = at + 16 * (segments - 1);
      boolean atomic = opcode == ElementOpcode.FETCH_ADD || opcode == ElementOpcode.COMPARE_SWAP;
      boolean tooLong = random.nextInt(100) == 0;
      BigEndian.putInt(
          sends, gather, atomic ? 8 : tooLong ? random.nextInt(129, 300) : random.nextInt(1, 40));
      BigEndian.putInt(sends, gather + 4, from.region.key());
      BigEndian.putLong(sends, gather + 8, from.region.address() + random.nextInt(200));
    }
    if (random.nextInt(20) == 0) {
      // One word of it becomes noise.
      BigEndian.putInt(sends, at + 4 * random.nextInt(16), random.nextInt());
    }
  }

  private void count(End end) {
    for (CompletionElement completion : end.poll()) {
      if (completion instanceof Failed failed) {
        failures.merge(failed.syndrome(), 1, Integer::sum);
      } else if (completion instanceof CompletionElement.Done) {
        done++;
      }
    }
  }

  private void complaint(String what) {
    complaints++;
    if (!what.contains("=") || !what.contains("; ")) {
      throw new AssertionError("neither facts nor remedy: " + what);
    }
  }

  private static void frame(End end) {
    for (int i = 0; i < End.MARGIN; i++) {
      end.all.put(i, SENTINEL);
      end.all.put(End.MARGIN + End.BYTES + i, SENTINEL);
    }
  }

  private static void fill(ByteBuffer memory) {
    for (int i = 0; i < memory.capacity(); i++) {
      memory.put(i, SENTINEL);
    }
  }

  private static byte[] edges(End end) {
    byte[] all = end.snapshot();
    byte[] edges = Arrays.copyOf(all, 2 * End.MARGIN);
    System.arraycopy(all, End.MARGIN + End.BYTES, edges, End.MARGIN, End.MARGIN);
    return edges;
  }
}
