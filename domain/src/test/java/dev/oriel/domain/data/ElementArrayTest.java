package dev.oriel.domain.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ElementArrayTest {

  @Test
  void readsAndWritesLittleEndianAtAnyOffset() {
    byte[] bytes = {9, 1, 2, 3, (byte) 0x84, 9};
    ElementArray word = ElementArray.of(DataType.INT32, bytes, 1, 1);
    assertThat(word.get(0)).isEqualTo(0xFFFFFFFF84030201L);
    assertThat(ElementArray.of(DataType.FP32, bytes, 1, 1).get(0)).isEqualTo(0x84030201L);
    word.set(0, 0x0A0B0C0D);
    assertThat(bytes).containsExactly(9, 0x0D, 0x0C, 0x0B, 0x0A, 9);
  }

  @ParameterizedTest
  @EnumSource
  void keepsEveryElementApart(DataType type) {
    ElementArray elements = ElementArray.zeros(type, 5);
    for (int i = 0; i < 5; i++) {
      elements.set(i, -2L - i);
    }
    assertThat(elements.count()).isEqualTo(5);
    assertThat(elements.type()).isEqualTo(type);
    for (int i = 0; i < 5; i++) {
      assertThat(elements.get(i)).isEqualTo(type.wrap(-2L - i));
    }
  }

  @Test
  void refusesViewsOutsideTheArray() {
    byte[] bytes = new byte[16];
    assertThat(ElementArray.of(DataType.INT32, bytes, 4, 3).count()).isEqualTo(3);
    assertThat(ElementArray.of(DataType.INT64, new byte[15]).count()).isEqualTo(1);
    assertThatThrownBy(() -> ElementArray.of(DataType.INT32, bytes, 5, 3))
        .hasMessage(
            "elements outside their array: type=INT32, offset=5, count=3, bytes=16;"
                + " shorten the view");
    assertThatThrownBy(() -> ElementArray.of(DataType.INT32, bytes, -1, 1))
        .hasMessageContaining("offset=-1");
    assertThatThrownBy(() -> ElementArray.of(DataType.INT32, bytes, 0, -1))
        .hasMessageContaining("count=-1");
    assertThatThrownBy(() -> ElementArray.of(DataType.INT64, bytes, 0, 1 << 29))
        .hasMessageContaining("count=536870912");
  }

  @Test
  void refusesIndicesOutsideTheView() {
    ElementArray elements = ElementArray.of(DataType.INT16, new byte[16], 2, 3);
    assertThatThrownBy(() -> elements.get(3))
        .hasMessage("no such element: index=3, count=3, type=INT16; stay inside the view");
    assertThatThrownBy(() -> elements.set(-1, 0)).hasMessageContaining("index=-1");
  }

  @Test
  void knowsWhichViewsShareBytes() {
    byte[] bytes = new byte[16];
    ElementArray left = ElementArray.of(DataType.INT16, bytes, 0, 4);
    assertThat(left.overlaps(ElementArray.of(DataType.INT16, bytes, 8, 4))).isFalse();
    assertThat(ElementArray.of(DataType.INT16, bytes, 8, 4).overlaps(left)).isFalse();
    assertThat(left.overlaps(ElementArray.of(DataType.INT16, bytes, 7, 4))).isTrue();
    assertThat(ElementArray.of(DataType.INT16, bytes, 7, 4).overlaps(left)).isTrue();
    assertThat(left.overlaps(ElementArray.of(DataType.INT16, new byte[16], 0, 4))).isFalse();
    assertThat(left.startsLike(ElementArray.of(DataType.BF16, bytes, 0, 8))).isTrue();
    assertThat(left.startsLike(ElementArray.of(DataType.BF16, bytes, 2, 4))).isFalse();
    assertThat(left.startsLike(ElementArray.of(DataType.INT8, bytes, 0, 4))).isFalse();
    assertThat(left.startsLike(ElementArray.of(DataType.INT16, new byte[16], 0, 4))).isFalse();
  }
}
