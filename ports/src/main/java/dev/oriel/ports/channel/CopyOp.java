package dev.oriel.ports.channel;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ElementArray;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import java.util.List;

/**
 * The conversion of a message on its way through a channel, element by element; the same at both
 * ends. The bytes of an element on the wire are known beforehand, hence so are credits.
 */
public sealed interface CopyOp {
  /** Bytes arrive as they were sent. */
  CopyOp PLAIN = new Plain();

  /** Bytes of an element in a buffer: a message is a whole number of them. */
  int element();

  /** Bytes of an element in the ring. */
  int wire();

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

  /** Elements are rounded to a narrower type for the wire. */
  record Quantise(DataType type, DataType narrow) implements CopyOp {

    public Quantise {
      if (!type.isFloat() || !narrow.isFloat() || narrow.bytes() >= type.bytes()) {
        throw new IllegalArgumentException(
            "no narrower floating type: type=%s, narrow=%s; round to one of fewer bytes"
                .formatted(type, narrow));
      }
    }

    @Override
    public int element() {
      return type.bytes();
    }

    @Override
    public int wire() {
      return narrow.bytes();
    }

    @Override
    public byte[] sent(byte[] message) {
      return converted(type, narrow, message);
    }

    @Override
    public byte[] received(byte[] came, byte[] before) {
      return converted(narrow, type, came);
    }

    private static byte[] converted(DataType from, DataType to, byte[] bytes) {
      ElementArray source = ElementArray.of(from, bytes);
      byte[] result = new byte[source.count() * to.bytes()];
      ElementArray target = ElementArray.of(to, result);
      for (int i = 0; i < source.count(); i++) {
        target.set(i, Conversion.convert(from, to, source.get(i)));
      }
      return result;
    }
  }
}
