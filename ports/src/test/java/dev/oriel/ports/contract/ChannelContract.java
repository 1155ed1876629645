package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.channel.ChannelMode;
import dev.oriel.ports.channel.ChannelSpec;
import dev.oriel.ports.channel.CopyOp;
import dev.oriel.ports.channel.LaneReceivers;
import dev.oriel.ports.channel.LaneSenders;
import dev.oriel.ports.channel.Receiver;
import dev.oriel.ports.channel.Sender;
import dev.oriel.ports.channel.Transfer;
import dev.oriel.ports.channel.TransferProgress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Compares a channel's effect on messages with the expected effect on each element. */
public abstract class ChannelContract extends WorldFixture {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Executor THREADS = Thread::startVirtualThread;
  private static final int LANES = 2;
  private static final int LONGEST = 240;
  private static final int ROUNDS = 6;

  /** Abilities that an implementation may lack. */
  public enum Capability {
    /** Ranks have several lanes. */
    LANES
  }

  /** The slots of lane 1 come after those of lane 0. */
  private final ChannelSpec ring;

  private final Set<Capability> lacking;

  private final WindowSpec spec;

  /** A suite for channels of that mode, between ranks whose links support it. */
  protected ChannelContract(ChannelMode mode) {
    this(mode, Set.of());
  }

  /** A suite for an implementation that lacks the named capabilities. */
  protected ChannelContract(ChannelMode mode, Set<Capability> lacking) {
    this.lacking = lacking;
    ring = new ChannelSpec(0, 32, 3, 0, LANES, 0).in(mode);
    spec =
        WindowSpec.named("w")
            .withData(DataSizes.uniform(LANES * ring.bytes()))
            .withSignals(2 * LANES)
            .withCounters(LANES)
            .withBarriers(1);
  }

  private void assumeLanes() {
    assumeTrue(!lacking.contains(Capability.LANES), "the implementation lacks LANES");
  }

  /** The expected result of a message, element by element; {@code before} was in the buffer. */
  @FunctionalInterface
  private interface Slow {
    void element(ByteBuffer before, ByteBuffer came, ByteBuffer after);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] slow(byte[] before, byte[] came, int bytes, Slow slow) {
    ByteBuffer old = little(before.clone());
    ByteBuffer message = little(came.clone());
    byte[] result = new byte[bytes];
    ByteBuffer after = little(result);
    while (after.hasRemaining()) {
      slow.element(old, message, after);
    }
    return result;
  }

  /** Elements whose sums and quotients are exact and never overflow their type. */
  private static byte[] message(Random random, int length, DataType type) {
    byte[] bytes = new byte[length];
    if (type == DataType.FP32) {
      ByteBuffer buffer = little(bytes);
      while (buffer.hasRemaining()) {
        buffer.putFloat((random.nextInt(4001) - 2000) / 7.0f);
      }
    } else {
      random.nextBytes(bytes);
    }
    return bytes;
  }

  /** Rank 0 sends to rank 1, which forwards to rank 2; rank 2 checks everything that arrives. */
  private void travels(CopyOp op, DataType type, boolean staged, Slow slow) {
    travels(ring, op, type, staged, slow);
  }

  private void travels(ChannelSpec shape, CopyOp op, DataType type, boolean staged, Slow slow) {
    inWorld(
        3,
        c -> {
          // Every rank draws the data of all ranks, so each knows the expected result.
          Random random = new Random(op.toString().hashCode());
          try (Window window = c.window(spec);
              LocalBuffer buffer = c.buffer(LONGEST);
              LocalBuffer stage = c.buffer(ring.bytes())) {
            int peer = (c.rank() + 1) % 3;
            Sender next =
                staged
                    ? new Sender(window, peer, shape, op, stage)
                    : sender(window, peer, shape, op, stage);
            Receiver last = new Receiver(window, (c.rank() + 2) % 3, shape, op);
            for (int round = 0; round < ROUNDS; round++) {
              int length = random.nextInt(LONGEST / op.element() + 1) * op.element();
              byte[][] held = {
                message(random, length, type),
                message(random, length, type),
                message(random, length, type)
              };
              buffer.write(0, held[c.rank()]);
              switch (c.rank()) {
                case 0 -> next.send(buffer, 0, length).finish(LONG);
                case 1 -> last.forward(buffer, 0, length, next).finish(LONG);
                default -> last.receive(buffer, 0, length).finish(LONG);
              }
              byte[] right = held[0];
              for (int rank = 1; rank <= c.rank(); rank++) {
                right = slow(held[rank], right, length, slow);
              }
              assertThat(buffer.read(0, length))
                  .as("round=%d, length=%d", round, length)
                  .isEqualTo(right);
            }
          }
          return c;
        });
  }

  /** Uses a stage only where one is required. */
  private static Sender sender(
      Window window, int peer, ChannelSpec shape, CopyOp op, LocalBuffer stage) {
    return shape.mode() == ChannelMode.LL && !window.mapped(peer)
        ? new Sender(window, peer, shape, op, stage)
        : new Sender(window, peer, shape, op);
  }

  private LaneSenders senders(Window window, int peer, CopyOp op, LocalBuffer stage) {
    return ring.mode() == ChannelMode.LL && !window.mapped(peer)
        ? new LaneSenders(window, peer, ring, LANES, op, stage)
        : new LaneSenders(window, peer, ring, LANES, op);
  }

  /** Flags and cursors continue over every wrap without an effect. */
  @Test
  void nothingHappensWhereCountersWrap() {
    long bytes = ring.bytes();
    for (long before :
        new long[] {
          ((1L << 31) - 2) * bytes, ((1L << 32) - 2) * bytes, ((1L << 33) - 2) * bytes, -2 * bytes
        }) {
      travels(
          ring.after(before / 16 * 16),
          new CopyOp.Reduce(Reduction.of(ReduceOp.SUM, DataType.INT32)),
          DataType.INT32,
          false,
          (held, came, after) -> after.putInt(held.getInt() + came.getInt()));
    }
  }

  /** Each end reports both kinds and their difference; nothing is sent and no rank waits. */
  @Test
  void endsThatDifferAreRefusedAtBoth() {
    ChannelMode mode = ring.mode();
    ChannelMode other = mode == ChannelMode.SIMPLE ? ChannelMode.LL : ChannelMode.SIMPLE;
    CopyOp sum = new CopyOp.Reduce(Reduction.of(ReduceOp.SUM, DataType.INT32));
    refusedAtBoth(
        ring, CopyOp.PLAIN, new ChannelSpec(0, 32, 2, 0, LANES, 0).in(mode), CopyOp.PLAIN);
    refusedAtBoth(ring, CopyOp.PLAIN, ring, sum);
    refusedAtBoth(ring, CopyOp.PLAIN, ring.after(16), CopyOp.PLAIN);
    List<String> messages = refusedAtBoth(ring, CopyOp.PLAIN, ring.in(other), CopyOp.PLAIN);
    assertThat(messages.get(0)).contains("mode=" + mode + ", peer's mode=" + other);
    assertThat(messages.get(1)).contains("mode=" + other + ", peer's mode=" + mode);
  }

  private List<String> refusedAtBoth(
      ChannelSpec mine, CopyOp op, ChannelSpec yours, CopyOp yourOp) {
    return inWorld(
        2,
        c -> {
          try (Window window = c.window(spec);
              LocalBuffer buffer = c.buffer(64);
              LocalBuffer stage = c.buffer(ring.bytes())) {
            Throwable thrown =
                catchThrowable(() -> {
                  Transfer transfer =
                      c.rank() == 0
                          ? sender(window, 1, mine, op, stage).send(buffer, 0, 32)
                          : new Receiver(window, 0, yours, yourOp).receive(buffer, 0, 32);
                  transfer.finish(LONG);
                });
            assertThat(thrown)
                .isInstanceOf(MachineException.class)
                .hasMessageContainingAll("channel ends differ", "rank=" + c.rank());
            return String.valueOf(thrown.getMessage());
          }
        });
  }

  /** A later channel reuses the memory of an earlier one, with the last packets still in it. */
  @Test
  void aRingOverAnotherRingTakesNothingOfIt() {
    ChannelSpec later = new ChannelSpec(0, 32, 3, 1, 3, 1).in(ring.mode());
    inWorld(
        2,
        c -> {
          byte[] first = message(new Random(1), 96, DataType.INT8);
          byte[] second = message(new Random(2), 96, DataType.INT8);
          try (Window window = c.window(spec);
              LocalBuffer buffer = c.buffer(96);
              LocalBuffer stage = c.buffer(ring.bytes())) {
            if (c.rank() == 0) {
              buffer.write(0, first);
              sender(window, 1, ring, CopyOp.PLAIN, stage).send(buffer, 0, 96).finish(LONG);
              window.barrier(0, LONG);
              Sender sender = sender(window, 1, later, CopyOp.PLAIN, stage);
              buffer.write(0, second);
              // The receiver has looked by now.
              window.await(1, 0, Comparison.NE, 0, LONG);
              sender.send(buffer, 0, 96).finish(LONG);
            } else {
              new Receiver(window, 0, ring).receive(buffer, 0, 96).finish(LONG);
              window.barrier(0, LONG);
              assertThat(buffer.read(0, 96)).isEqualTo(first);
              Transfer transfer = new Receiver(window, 0, later).receive(buffer, 0, 96);
              window.await(0, later.data(), Comparison.NE, 0, LONG);
              assertThat(transfer.step()).isEqualTo(TransferProgress.WAITING);
              window.signal(0, 0, 1);
              transfer.finish(LONG);
              assertThat(buffer.read(0, 96)).isEqualTo(second);
            }
          }
          return c;
        });
  }

  /** The failure of a receiver that does not clear the ring. */
  @Test
  void aRingThatWasNotClearedGivesOldPackets() {
    assumeTrue(ring.mode().packets().isPresent(), "a ring of plain bytes has no packets");
    ChannelSpec later = new ChannelSpec(0, 32, 3, 1, 3, 1).in(ring.mode());
    inWorld(
        2,
        c -> {
          byte[] old = message(new Random(1), 96, DataType.INT8);
          try (Window window = c.window(spec);
              LocalBuffer buffer = c.buffer(96);
              LocalBuffer stage = c.buffer(ring.bytes())) {
            if (c.rank() == 0) {
              buffer.write(0, old);
              sender(window, 1, ring, CopyOp.PLAIN, stage).send(buffer, 0, 96).finish(LONG);
              window.barrier(0, LONG);
              Sender ignored = sender(window, 1, later, CopyOp.PLAIN, stage);
            } else {
              new Receiver(window, 0, ring).receive(buffer, 0, 96).finish(LONG);
              window.barrier(0, LONG);
              buffer.write(0, new byte[96]);
              new Receiver(LitteredWindow.of(window, ring.bytes()), 0, later)
                  .receive(buffer, 0, 96)
                  .finish(LONG);
              assertThat(buffer.read(0, 96)).isEqualTo(old);
            }
          }
          return c;
        });
  }

  /** The shares of lanes are independent: lane 1 processes all messages before lane 0 begins. */
  @Test
  void messagesAreSharedOutOverLanesWhichNeedNotKeepStep() {
    assumeLanes();
    CopyOp op = new CopyOp.Reduce(Reduction.of(ReduceOp.SUM, DataType.INT32));
    inWorld(
        3,
        c -> {
          try (Window window = c.window(spec);
              LocalBuffer buffer = c.buffer(2 * LONGEST);
              LocalBuffer stage = c.buffer(LANES * ring.bytes())) {
            LaneSenders next = senders(window, (c.rank() + 1) % 3, op, stage);
            LaneReceivers last = new LaneReceivers(window, (c.rank() + 2) % 3, ring, LANES, op);
            byte[][] held = new byte[3][];
            Arrays.setAll(held, r -> message(new Random(r), 2 * LONGEST, DataType.INT32));
            buffer.write(0, held[c.rank()]);
            int[] lengths = {LONGEST, 100, 0, LONGEST - 100};
            c.lanes(
                LANES,
                THREADS,
                lane -> {
                  next.in(lane);
                  last.in(lane);
                  int at = 0;
                  for (int length : lengths) {
                    Transfer transfer =
                        switch (c.rank()) {
                          case 0 -> next.send(lane, buffer, at, length);
                          case 1 -> last.forward(lane, buffer, at, length, next);
                          default -> last.receive(lane, buffer, at, length);
                        };
                    transfer.finish(LONG);
                    at += length;
                  }
                });
            byte[] right = held[0];
            for (int rank = 1; rank <= c.rank(); rank++) {
              right =
                  slow(
                      held[rank],
                      right,
                      2 * LONGEST,
                      (before, came, after) -> after.putInt(before.getInt() + came.getInt()));
            }
            assertThat(buffer.read(0, 2 * LONGEST)).isEqualTo(right);
          }
          return c;
        });
  }

  /** One lane sends all of its messages before the other begins: their rings are separate. */
  @Test
  void aLaneDoesNotWaitForAnother() {
    assumeLanes();
    inWorld(
        2,
        c -> {
          try (Window window = c.window(spec);
              LocalBuffer buffer = c.buffer(2 * LONGEST);
              LocalBuffer stage = c.buffer(LANES * ring.bytes())) {
            int peer = 1 - c.rank();
            LaneSenders to = senders(window, peer, CopyOp.PLAIN, stage);
            LaneReceivers from = new LaneReceivers(window, peer, ring, LANES, CopyOp.PLAIN);
            if (c.rank() == 0) {
              buffer.write(0, message(new Random(5), 2 * LONGEST, DataType.INT8));
            }
            for (int only = LANES - 1; only >= 0; only--) {
              int turn = only;
              c.lanes(
                  LANES,
                  THREADS,
                  lane -> {
                    if (lane.number() == turn) {
                      for (int at = 0; at < 2 * LONGEST; at += LONGEST) {
                        Transfer transfer =
                            c.rank() == 0
                                ? to.send(lane, buffer, at, LONGEST)
                                : from.receive(lane, buffer, at, LONGEST);
                        transfer.finish(LONG);
                      }
                    }
                  });
            }
            assertThat(buffer.read(0, 2 * LONGEST))
                .isEqualTo(message(new Random(5), 2 * LONGEST, DataType.INT8));
          }
          return c;
        });
  }

  @Test
  void lanesThatDoNotFitAreRefused() {
    assumeLanes();
    inWorld(
        2,
        c -> {
          try (Window window = c.window(spec);
              LocalBuffer buffer = c.buffer(64)) {
            int peer = 1 - c.rank();
            assertThatIllegalArgumentException()
                .isThrownBy(() -> new LaneSenders(window, peer, ring, LANES + 1, CopyOp.PLAIN))
                .withMessageContaining("overlap");
            LaneReceivers one = new LaneReceivers(window, peer, ring, 1, CopyOp.PLAIN);
            LaneSenders two = new LaneSenders(window, peer, ring, 2, CopyOp.PLAIN);
            c.lanes(
                LANES,
                THREADS,
                lane -> {
                  assertThatIllegalArgumentException()
                      .isThrownBy(() -> one.forward(lane, buffer, 0, 64, two))
                      .withMessageContaining("shares differ");
                  if (lane.number() == 1) {
                    assertThatIllegalArgumentException()
                        .isThrownBy(() -> one.receive(lane, buffer, 0, 64))
                        .withMessageContaining("no such lane");
                  }
                });
          }
          return c;
        });
  }

  @Test
  void plainMessagesArriveAsTheyAre() {
    travels(CopyOp.PLAIN, DataType.INT8, false, (before, came, after) -> after.put(came.get()));
  }

  @Test
  void plainMessagesMayGoThroughAStage() {
    travels(CopyOp.PLAIN, DataType.INT8, true, (before, came, after) -> after.put(came.get()));
  }

  @Test
  void sumsOfIntegersAreMadeOnTheWay() {
    travels(
        new CopyOp.Reduce(Reduction.of(ReduceOp.SUM, DataType.INT32)),
        DataType.INT32,
        false,
        (before, came, after) -> after.putInt(before.getInt() + came.getInt()));
  }

  @Test
  void largestElementsAreKeptOnTheWay() {
    travels(
        new CopyOp.Reduce(Reduction.of(ReduceOp.MAX, DataType.INT8)),
        DataType.INT8,
        false,
        (before, came, after) -> after.put((byte) Math.max(before.get(), came.get())));
  }

  @Test
  void sumsOfFloatsAreMadeOnTheWay() {
    travels(
        new CopyOp.Reduce(Reduction.of(ReduceOp.SUM, DataType.FP32)),
        DataType.FP32,
        false,
        (before, came, after) -> after.putFloat(before.getFloat() + came.getFloat()));
  }

  /** The wire carries half of the bits of a float; rounding a second time changes nothing. */
  @Test
  void floatsAreRoundedForTheWire() {
    travels(
        CopyOp.rounded(DataType.FP32, DataType.BF16),
        DataType.FP32,
        true,
        (before, came, after) -> after.putFloat(rounded(came.getFloat())));
  }

  /** The nearest number of eight significant bits, ties to even. */
  private static float rounded(float value) {
    double unit = Math.ulp((double) Math.abs(value)) * (1L << 45);
    return (float) (Math.rint(value / unit) * unit);
  }

  @Test
  void quartersOfDoublesTravelAsHalves() {
    travels(
        CopyOp.rounded(DataType.FP64, DataType.FP16),
        DataType.INT8,
        true,
        (before, came, after) ->
            after.putLong(
                Conversion.convert(
                    DataType.FP16,
                    DataType.FP64,
                    Conversion.convert(DataType.FP64, DataType.FP16, came.getLong()))));
  }

  /** Elements keep their width, and each end changes them. */
  @Test
  void hooksMakeWhatIsSentAndWhatArrives() {
    travels(
        new CopyOp.Hooked(
            Hook.parse("hook code(in0: i32) -> i32 = (in0 ^ 77:i32) + 5:i32"),
            Hook.parse("hook decode(in0: i32) -> i32 = ((in0 - 5:i32) ^ 77:i32) + 1:i32")),
        DataType.INT32,
        true,
        (before, came, after) -> after.putInt(came.getInt() + 1));
  }

  @Test
  void whatCannotBeDoneIsRefused() {
    inWorld(
        2,
        c -> {
          CopyOp floats = new CopyOp.Reduce(Reduction.of(ReduceOp.SUM, DataType.FP32));
          CopyOp narrow = CopyOp.rounded(DataType.FP32, DataType.BF16);
          try (Window window = c.window(spec);
              LocalBuffer buffer = c.buffer(64);
              LocalBuffer stage = c.buffer(ring.bytes())) {
            int peer = 1 - c.rank();
            assertThatIllegalArgumentException()
                .isThrownBy(() -> sender(window, peer, ring, floats, stage).send(buffer, 0, 6))
                .withMessageContainingAll("length=6", "element=4");
            assertThatIllegalArgumentException()
                .isThrownBy(() -> new Receiver(window, peer, ring, narrow).receive(buffer, 0, 2))
                .withMessageContaining("element=4");
            assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sender(window, peer, ring, narrow))
                .withMessageContaining("no stage");
            assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sender(window, peer, ring, narrow, buffer))
                .withMessageContainingAll("bytes=64", "ring=" + ring.bytes());
          }
          assertThatIllegalArgumentException()
              .isThrownBy(() -> new CopyOp.Reduce(Reduction.of(ReduceOp.AVG, DataType.FP32)));
          assertThatIllegalArgumentException()
              .isThrownBy(() -> CopyOp.rounded(DataType.FP16, DataType.BF16));
          assertThatIllegalArgumentException()
              .isThrownBy(
                  () -> hooked("(in0: i32) -> i32 = in0 + i32(i)", "(in0: i32) -> i32 = in0"))
              .withMessageContaining("no hook of one element");
          assertThatIllegalArgumentException()
              .isThrownBy(() -> hooked("(in0: i32) -> f32 = f32(in0)", "(in0: i32) -> i32 = in0"))
              .withMessageContaining("sent=FP32, received=INT32");
          assertThatIllegalArgumentException()
              .isThrownBy(
                  () -> hooked("(in0: i32) -> f32 = f32(in0)", "(in0: f32) -> i64 = i64(in0)"))
              .withMessageContaining("elements of two widths");
          return c;
        });
  }

  private static CopyOp hooked(String before, String after) {
    return new CopyOp.Hooked(Hook.parse("hook a" + before), Hook.parse("hook b" + after));
  }
}
