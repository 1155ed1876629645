package dev.oriel.ibverbs.mlx5;

import dev.oriel.ibverbs.mlx5.CompletionElement.Kind;
import dev.oriel.ibverbs.mlx5.CompletionElement.Side;
import dev.oriel.ibverbs.mlx5.SendElement.Head;
import dev.oriel.ibverbs.mlx5.SendElement.Remote;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Random contents of 64 bytes of queues, drawn exactly as {@code mlx5.c} draws them: 14 words for
 * each case, of any kind.
 */
sealed interface DrawnCase {
  int KINDS = 13;

  /** Encodes the case into bytes that were 0. */
  void write(ByteBuffer to);

  /** Decodes the bytes as a case. */
  DrawnCase read(ByteBuffer from);

  record OfElement(SendElement element) implements DrawnCase {
    @Override
    public void write(ByteBuffer to) {
      ElementWriter.write(to, 0, element);
    }

    @Override
    public DrawnCase read(ByteBuffer from) {
      return new OfElement(ElementReader.read(from, 0));
    }
  }

  record OfCompletion(CompletionElement completion, int owner) implements DrawnCase {
    @Override
    public void write(ByteBuffer to) {
      CompletionBytes.write(to, 0, completion, owner);
    }

    @Override
    public DrawnCase read(ByteBuffer from) {
      return new OfCompletion(
          CompletionBytes.read(from, 0), CompletionBytes.valid(from, 0, owner) ? owner : 1 - owner);
    }
  }

  record OfReceive(ElementPayload room) implements DrawnCase {
    @Override
    public void write(ByteBuffer to) {
      switch (room) {
        case ElementPayload.Gather gather -> ReceiveBytes.write(to, 0, gather);
        default -> ReceiveBytes.writeNothing(to, 0);
      }
    }

    @Override
    public DrawnCase read(ByteBuffer from) {
      return new OfReceive(ReceiveBytes.read(from, 0));
    }
  }

  /** A queue pair's record at 0, a completion queue's at 8, a register at 16. */
  record OfBell(int receives, int consumed, Doorbell bell) implements DrawnCase {
    @Override
    public void write(ByteBuffer to) {
      DoorbellRecord.postReceives(to, 0, receives);
      DoorbellRecord.postSends(to, 0, bell.index());
      DoorbellRecord.consume(to, 8, consumed);
      BigEndian.putLong(to, 16, bell.word());
    }

    @Override
    public DrawnCase read(ByteBuffer from) {
      Doorbell rung = Doorbell.of(BigEndian.getLong(from, 16));
      return new OfBell(
          DoorbellRecord.receives(from, 0),
          DoorbellRecord.consumed(from, 8),
          new Doorbell(DoorbellRecord.sends(from, 0), rung.queuePair()));
    }
  }

  /** Draws cases one after another. */
  final class Source {
    private static final ElementOpcode[] OPCODES = {
      ElementOpcode.NOP, ElementOpcode.WRITE, ElementOpcode.WRITE_IMMEDIATE, ElementOpcode.SEND,
      ElementOpcode.READ, ElementOpcode.FETCH_ADD, ElementOpcode.COMPARE_SWAP, ElementOpcode.WAIT
    };
    private static final Syndrome[] SYNDROMES = Syndrome.values();

    private final long[] words = new long[14];
    private long state;

    Source(long seed) {
      state = seed;
    }

    DrawnCase next() {
      for (int i = 0; i < words.length; i++) {
        words[i] = draw();
      }
      int kind = (int) Long.remainderUnsigned(words[0], KINDS);
      return switch (kind) {
        case 8, 9, 10 -> new OfCompletion(completion(kind), (int) words[2] & 1);
        case 11 -> new OfReceive((words[9] & 1) == 0 ? ElementPayload.NOTHING : gather());
        case 12 ->
            new OfBell(
                (int) words[7] & 0xffff,
                (int) words[8] & 0xff_ffff,
                new Doorbell(index(), queuePair()));
        default -> new OfElement(element(kind));
      };
    }

    private SendElement element(int kind) {
      Head head =
          new Head(
              index(),
              queuePair(),
              ElementFence.of((int) Long.remainderUnsigned(words[2], 5)),
              CompletionReporting.of((int) (words[2] >>> 8) & 3),
              (words[2] >>> 16 & 1) != 0);
      Remote remote = new Remote(words[3], (int) words[4]);
      ElementPayload.Gather word = new ElementPayload.Gather(8, localKey(), words[6]);
      return switch (OPCODES[kind]) {
        case NOP -> new SendElement.Nop(head);
        case WRITE -> new SendElement.Write(head, remote, payload(3));
        case WRITE_IMMEDIATE ->
            new SendElement.WriteImmediate(head, remote, payload(3), (int) (words[7] >>> 32));
        case SEND -> new SendElement.Send(head, payload(3));
        case READ -> new SendElement.Read(head, remote, payload(2));
        case FETCH_ADD -> new SendElement.FetchAdd(head, remote, words[7], word);
        case COMPARE_SWAP -> new SendElement.CompareSwap(head, remote, words[8], words[7], word);
        case WAIT -> new SendElement.Wait(head, (int) words[7], (int) words[8] & 0xff_ffff);
      };
    }

    private CompletionElement completion(int kind) {
      return switch (kind) {
        case 8 ->
            new CompletionElement.Done(
                OPCODES[(int) words[9] & 7], queuePair(), index(), (int) words[5]);
        case 9 ->
            new CompletionElement.Arrived(
                (words[9] & 1) == 0 ? Kind.WRITE_IMMEDIATE : Kind.SEND,
                (int) words[7],
                (int) words[5],
                queuePair(),
                index());
        default ->
            new CompletionElement.Failed(
                (words[9] & 1) == 0 ? Side.REQUESTER : Side.RESPONDER,
                SYNDROMES[(int) Long.remainderUnsigned(words[5], SYNDROMES.length)],
                (int) words[8] & 0xff,
                (int) words[7] & 0xff,
                queuePair(),
                index());
      };
    }

    private ElementPayload payload(int ways) {
      return switch ((int) Long.remainderUnsigned(words[9], ways)) {
        case 0 -> ElementPayload.NOTHING;
        case 1 -> gather();
        default -> {
          ByteBuffer data = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
          for (int i = 0; i < 4; i++) {
            data.putLong(8 * i, words[10 + i]);
          }
          int bytes = (int) Long.remainderUnsigned(words[5], ElementPayload.Inline.MAX) + 1;
          yield new ElementPayload.Inline(Arrays.copyOf(data.array(), bytes));
        }
      };
    }

    private ElementPayload.Gather gather() {
      int bytes = (int) Long.remainderUnsigned(words[5], Integer.MAX_VALUE) + 1;
      return new ElementPayload.Gather(bytes, localKey(), words[6]);
    }

    private int localKey() {
      return (int) (words[4] >>> 32);
    }

    private int index() {
      return (int) words[1] & 0xffff;
    }

    private int queuePair() {
      return (int) (words[1] >>> 16) & 0xff_ffff;
    }

    private long draw() {
      state += 0x9e3779b97f4a7c15L;
      long z = state;
      z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
      z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
      return z ^ z >>> 31;
    }
  }
}
