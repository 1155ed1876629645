package dev.oriel.ports.channel;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ElementArray;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookArray;
import dev.oriel.domain.hook.HookContext;
import dev.oriel.domain.hook.HookEvaluator;
import dev.oriel.domain.hook.HookExpr;
import dev.oriel.domain.hook.HookSource;
import java.util.List;

/**
 * The conversion of a message on its way through a channel, element by element; the same at both
 * ends. The bytes of an element on the wire are known beforehand, hence so are credits.
 */
public sealed interface CopyOp {
  /** Bytes arrive as they were sent. */
  CopyOp PLAIN = new Plain();

  /**
   * Elements are rounded to a narrower type for the wire.
   *
   * @throws IllegalArgumentException if {@code narrow} is no narrower floating type
   */
  static CopyOp rounded(DataType type, DataType narrow) {
    if (!type.isFloat() || !narrow.isFloat() || narrow.bytes() >= type.bytes()) {
      throw new IllegalArgumentException(
          "no narrower floating type: type=%s, narrow=%s; round to one of fewer bytes"
              .formatted(type, narrow));
    }
    return new Hooked(converting("narrow", type, narrow), converting("widen", narrow, type));
  }

  private static Hook converting(String name, DataType from, DataType to) {
    return Hook.of(name, List.of(HookSource.of(from)), HookExpr.in(0, from).to(to));
  }

  /** Bytes of an element in a buffer: a message is a whole number of them. */
  int element();

  /** Bytes of an element in the ring. */
  int wire();

  /** Whether the bytes that go into the ring differ from those of the message. */
  boolean prepares();

  /** The bytes that go into the ring for these bytes of a message. */
  byte[] sent(byte[] message);

  /** The bytes that the receiver's buffer ends up with, if it held {@code before}. */
  byte[] received(byte[] came, byte[] before);

  /** Bytes arrive as they were sent. */
  record Plain() implements CopyOp {

    @Override
    public int element() {
      return 1;
    }

    @Override
    public int wire() {
      return 1;
    }

    @Override
    public boolean prepares() {
      return false;
    }

    @Override
    public byte[] sent(byte[] message) {
      return message;
    }

    @Override
    public byte[] received(byte[] came, byte[] before) {
      return came;
    }
  }

  /** Arriving elements are combined with those that the buffer held, which come first. */
  record Reduce(Reduction reduction) implements CopyOp {

    public Reduce {
      if (reduction.op() == ReduceOp.AVG) {
        throw new IllegalArgumentException(
            "average on the way: op=%s, type=%s; sum up, and divide at the end"
                .formatted(reduction.op(), reduction.element()));
      }
    }

    @Override
    public int element() {
      return reduction.element().bytes();
    }

    @Override
    public int wire() {
      return element();
    }

    @Override
    public boolean prepares() {
      return false;
    }

    @Override
    public byte[] sent(byte[] message) {
      return message;
    }

    @Override
    public byte[] received(byte[] came, byte[] before) {
      byte[] result = before.clone();
      ElementArray into = ElementArray.of(reduction.element(), result);
      reduction.reduce(List.of(into, ElementArray.of(reduction.element(), came)), into);
      return result;
    }
  }

  /**
   * A hook makes each element that goes into the ring, and another each that arrives. Both see one
   * element alone: neither its index nor a field of the context.
   */
  record Hooked(Hook before, Hook after) implements CopyOp {

    public Hooked {
      for (Hook hook : List.of(before, after)) {
        if (hook.sources().size() != 1 || !hook.elementwise()) {
          throw new IllegalArgumentException(
              "no hook of one element: hook=%s; read one source, no map, no index and no field"
                  .formatted(hook.text()));
        }
      }
      if (before.result() != after.sources().getFirst().type()) {
        throw new IllegalArgumentException(
            "hooks do not fit: sent=%s, received=%s; read what the other makes"
                .formatted(before.result(), after.sources().getFirst().type()));
      }
      if (before.sources().getFirst().type().bytes() != after.result().bytes()) {
        throw new IllegalArgumentException(
            "elements of two widths: sent=%s, received=%s; a message is as long at both ends"
                .formatted(before.sources().getFirst().type(), after.result()));
      }
    }

    @Override
    public int element() {
      return after.result().bytes();
    }

    @Override
    public int wire() {
      return before.result().bytes();
    }

    @Override
    public boolean prepares() {
      return true;
    }

    @Override
    public byte[] sent(byte[] message) {
      return made(before, message);
    }

    @Override
    public byte[] received(byte[] came, byte[] held) {
      return made(after, came);
    }

    private static byte[] made(Hook hook, byte[] bytes) {
      ElementArray source = ElementArray.of(hook.sources().getFirst().type(), bytes);
      byte[] result = new byte[source.count() * hook.result().bytes()];
      HookEvaluator.apply(
          hook,
          HookContext.ZERO,
          List.of(HookArray.of(source)),
          HookArray.of(ElementArray.of(hook.result(), result)),
          0,
          source.count());
      return result;
    }

    @Override
    public String toString() {
      return "Hooked[%s; %s]".formatted(before.text(), after.text());
    }
  }
}
