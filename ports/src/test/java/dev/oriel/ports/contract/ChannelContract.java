package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import dev.oriel.ports.channel.ChannelSpec;
import dev.oriel.ports.channel.CopyOp;
import dev.oriel.ports.channel.Receiver;
import dev.oriel.ports.channel.Sender;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a channel does to messages, against what it should do to each element by itself. */
public abstract class ChannelContract extends WorldFixture {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final ChannelSpec RING = new ChannelSpec(0, 32, 3, 0, 1, 0);
  private static final int LONGEST = 240;
  private static final WindowSpec WINDOW =
      WindowSpec.named("w").withData(DataSizes.uniform(96)).withSignals(2).withCounters(1);
  private static final int ROUNDS = 6;

  /** What a message should become, element by element: {@code before} stood there. */
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

  /** Elements whose sums and quotients are exact and never overflow what they are of. */
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

  /** Rank 0 sends to rank 1, and rank 1 on to rank 2, which has all that came to it checked. */
  private void travels(CopyOp op, DataType type, boolean staged, Slow slow) {
    inWorld(
        3,
        c -> {
          // Every rank draws what all hold, so nobody has to be told what is right.
          Random random = new Random(op.toString().hashCode());
          try (Window window = c.window(WINDOW);
              LocalBuffer buffer = c.buffer(LONGEST);
              LocalBuffer stage = c.buffer(RING.bytes())) {
            Sender next = sender(c, window, op, staged ? stage : null);
            Receiver last = new Receiver(window, (c.rank() + 2) % 3, RING, op);
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

  private static Sender sender(
      Communicator c, Window window, CopyOp op, @Nullable LocalBuffer stage) {
    int next = (c.rank() + 1) % 3;
    return stage == null
        ? new Sender(window, next, RING, op)
        : new Sender(window, next, RING, op, stage);
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

  /** Half of the bits of a float are on the wire: who rounds once more changes nothing. */
  @Test
  void floatsAreRoundedForTheWire() {
    travels(
        new CopyOp.Quantise(DataType.FP32, DataType.BF16),
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
        new CopyOp.Quantise(DataType.FP64, DataType.FP16),
        DataType.INT8,
        true,
        (before, came, after) ->
            after.putLong(
                Conversion.convert(
                    DataType.FP16,
                    DataType.FP64,
                    Conversion.convert(DataType.FP64, DataType.FP16, came.getLong()))));
  }

  @Test
  void whatCannotBeDoneIsRefused() {
    inWorld(
        2,
        c -> {
          CopyOp floats = new CopyOp.Reduce(Reduction.of(ReduceOp.SUM, DataType.FP32));
          CopyOp narrow = new CopyOp.Quantise(DataType.FP32, DataType.BF16);
          try (Window window = c.window(WINDOW);
              LocalBuffer buffer = c.buffer(64)) {
            int peer = 1 - c.rank();
            assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sender(window, peer, RING, floats).send(buffer, 0, 6))
                .withMessageContainingAll("length=6", "element=4");
            assertThatIllegalArgumentException()
                .isThrownBy(() -> new Receiver(window, peer, RING, narrow).receive(buffer, 0, 2))
                .withMessageContaining("element=4");
            assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sender(window, peer, RING, narrow))
                .withMessageContaining("no stage");
            assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sender(window, peer, RING, narrow, buffer))
                .withMessageContainingAll("bytes=64", "ring=96");
          }
          assertThatIllegalArgumentException()
              .isThrownBy(() -> new CopyOp.Reduce(Reduction.of(ReduceOp.AVG, DataType.FP32)));
          assertThatIllegalArgumentException()
              .isThrownBy(() -> new CopyOp.Quantise(DataType.FP16, DataType.BF16));
          return c;
        });
  }
}
