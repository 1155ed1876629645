package dev.oriel.domain.hook;

import static dev.oriel.domain.data.DataType.FP32;
import static dev.oriel.domain.data.DataType.FP64;
import static dev.oriel.domain.data.DataType.INT32;
import static dev.oriel.domain.data.DataType.INT64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationsTest {

  @ParameterizedTest
  @CsvSource({
    "OR, 12, 10, 14", "XOR, 12, 10, 6", "AND, 12, 10, 8", "ADD, 12, 10, 22", "SUB, 12, 10, 2",
    "MUL, 12, 10, 120", "DIV, 12, 10, 1", "REM, 12, 10, 2", "MIN, 12, 10, 10", "MAX, 10, 12, 12",
    "SHL, 3, 4, 48", "SHR, 48, 4, 3", "SHR, -48, 4, -3", "SHL, 5, 0, 5", "SHR, 5, 0, 5"
  })
  void computesOnIntegers(BinaryOp op, long left, long right, long expected) {
    assertThat(op.apply(INT32, left, right)).isEqualTo(expected);
    assertThat(op.apply(INT64, left, right)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"ADD, 22", "SUB, 2", "MUL, 120", "DIV, 1.2", "MIN, 10", "MAX, 12"})
  void computesOnFloats(BinaryOp op, double expected) {
    for (DataType type : new DataType[] {FP32, FP64}) {
      assertThat(op.apply(type, Conversion.ofDouble(type, 12), Conversion.ofDouble(type, 10)))
          .isEqualTo(Conversion.ofDouble(type, expected));
    }
  }

  @Test
  void shiftsByTheWidthOrMoreGiveZero() {
    assertThat(BinaryOp.SHL.apply(INT32, 1, 31)).isEqualTo(Integer.MIN_VALUE);
    assertThat(BinaryOp.SHL.apply(INT32, 1, 32)).isZero();
    assertThat(BinaryOp.SHL.apply(INT64, 1, 63)).isEqualTo(Long.MIN_VALUE);
    assertThat(BinaryOp.SHL.apply(INT64, 1, 64)).isZero();
    assertThat(BinaryOp.SHL.apply(INT64, 1, -1)).isZero();
    assertThat(BinaryOp.SHR.apply(INT32, Integer.MIN_VALUE, 31)).isEqualTo(-1);
    assertThat(BinaryOp.SHR.apply(INT32, Integer.MAX_VALUE, 32)).isZero();
    assertThat(BinaryOp.SHR.apply(INT64, Long.MIN_VALUE, 62)).isEqualTo(-2);
    assertThat(BinaryOp.SHR.apply(INT64, Long.MIN_VALUE, 64)).isEqualTo(-1);
    assertThat(BinaryOp.SHR.apply(INT64, 4, -1)).isZero();
  }

  @Test
  void computesOnOneOperand() {
    assertThat(UnaryOp.NEG.apply(INT32, 5)).isEqualTo(-5);
    assertThat(UnaryOp.ABS.apply(INT32, -5)).isEqualTo(5);
    assertThat(UnaryOp.NOT.apply(INT32, 5)).isEqualTo(-6);
    assertThat(UnaryOp.NEG.apply(FP32, 0)).isEqualTo(0x80000000L);
    assertThat(UnaryOp.ABS.apply(FP32, 0x80000000L)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "LT, true, false, false", "LE, true, true, false", "GT, false, false, true",
    "GE, false, true, true", "EQ, false, true, false", "NE, true, false, true"
  })
  void comparesBySignAndValue(Relation relation, boolean below, boolean equal, boolean above) {
    for (DataType type : new DataType[] {INT32, INT64, FP32, FP64}) {
      long less = Conversion.ofDouble(type, -7);
      long more = Conversion.ofDouble(type, 3);
      assertThat(relation.test(type, less, more)).isEqualTo(below);
      assertThat(relation.test(type, less, less)).isEqualTo(equal);
      assertThat(relation.test(type, more, less)).isEqualTo(above);
    }
  }

  @Test
  void comparesEveryBitOfALong() {
    assertThat(Relation.LT.test(INT64, Long.MAX_VALUE - 1, Long.MAX_VALUE)).isTrue();
    assertThat(Relation.EQ.test(INT64, Long.MAX_VALUE - 1, Long.MAX_VALUE)).isFalse();
    assertThat(Relation.GT.test(INT64, Long.MAX_VALUE, Long.MIN_VALUE)).isTrue();
  }

  @Test
  void findsANanOnlyUnequalAndBothZerosEqual() {
    long nan = Conversion.canonicalNan(FP32);
    for (Relation relation : Relation.values()) {
      assertThat(relation.test(FP32, nan, nan)).isEqualTo(relation == Relation.NE);
      assertThat(relation.test(FP32, 0, nan)).isEqualTo(relation == Relation.NE);
    }
    assertThat(Relation.EQ.test(FP32, 0, 0x80000000L)).isTrue();
    assertThat(Relation.EQ.test(FP64, 0, Long.MIN_VALUE)).isTrue();
  }

  @Test
  void changesOneContextFieldAtATime() {
    HookContext context = HookContext.ZERO.with(ContextField.PEER, 3).with(ContextField.COUNT, 9);
    assertThat(context.get(ContextField.PEER)).isEqualTo(3);
    assertThat(context.get(ContextField.COUNT)).isEqualTo(9);
    assertThat(context.get(ContextField.RANK)).isZero();
    assertThat(HookContext.ZERO.get(ContextField.PEER)).isZero();
    assertThat(context)
        .isEqualTo(HookContext.ZERO.with(ContextField.COUNT, 9).with(ContextField.PEER, 3))
        .hasSameHashCodeAs(HookContext.ZERO.with(ContextField.COUNT, 9).with(ContextField.PEER, 3))
        .isNotEqualTo(HookContext.ZERO)
        .isNotEqualTo("context")
        .hasToString("context: rank=0 peer=3 world=0 tile=0 slot=0 step=0 block=0 role=0 count=9");
    assertThat(context.with(ContextField.PEER, 0).with(ContextField.COUNT, 0))
        .isEqualTo(HookContext.ZERO);
    assertThat(context.hashCode()).isNotEqualTo(HookContext.ZERO.hashCode());
  }
}
