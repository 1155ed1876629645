package dev.oriel.domain.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class IndexMapTest {

  private static long[] first(int count, IndexMap.Fixed map) {
    return LongStream.range(0, count).map(map::at).toArray();
  }

  @Test
  void mapsIndices() {
    assertThat(first(3, IndexMap.IDENTITY)).containsExactly(0, 1, 2);
    assertThat(first(3, new IndexMap.Affine(9, -2))).containsExactly(9, 7, 5);
    assertThat(first(5, new IndexMap.Blocks(2))).containsExactly(0, 0, 1, 1, 2);
    assertThat(first(6, new IndexMap.Permutation(List.of(1, 2, 0))))
        .containsExactly(1, 2, 0, 4, 5, 3);
    assertThat(new IndexMap.Gather(0, 9, 4).at(6, 5)).isEqualTo(22);
  }

  @Test
  void transposesOneMatrixAfterAnother() {
    IndexMap.Fixed transpose = new IndexMap.Transpose(2, 3);
    assertThat(first(12, transpose)).containsExactly(0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11);
    for (int matrix = 0; matrix < 3; matrix++) {
      for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 5; column++) {
          assertThat(new IndexMap.Transpose(4, 5).at(20 * matrix + 4 * column + row))
              .isEqualTo(20 * matrix + 5 * row + column);
        }
      }
    }
  }

  private static void refused(Runnable build, String facts) {
    assertThatThrownBy(build::run)
        .hasMessage("index map out of bounds: " + facts + "; keep it inside");
  }

  @Test
  void boundsEveryNumber() {
    long most = 1L << 38;
    assertThat(new IndexMap.Affine(-most, 1 << 24).at(most - 1)).isPositive();
    refused(() -> new IndexMap.Affine(most + 1, 1), "offset=274877906945, most=274877906944");
    refused(() -> new IndexMap.Affine(-most - 1, 1), "offset=-274877906945, most=274877906944");
    refused(() -> new IndexMap.Affine(0, 1L + (1 << 24)), "stride=16777217, most=16777216");
    refused(
        () -> new IndexMap.Affine(Long.MIN_VALUE, 1),
        "offset=-9223372036854775808, most=274877906944");
    refused(
        () -> new IndexMap.Affine(0, Long.MIN_VALUE), "stride=-9223372036854775808, most=16777216");
    refused(() -> new IndexMap.Blocks(0), "size=0, most=274877906944");
    refused(() -> new IndexMap.Blocks(most + 1), "size=274877906945, most=274877906944");
    assertThat(new IndexMap.Blocks(most).at(most - 1)).isZero();
    refused(() -> new IndexMap.Transpose(0, 1), "rows=0, most=274877906944");
    refused(() -> new IndexMap.Transpose(most + 1, 1), "rows=274877906945, most=274877906944");
    refused(() -> new IndexMap.Transpose(4, 0), "columns=0, most=68719476736");
    refused(() -> new IndexMap.Transpose(4, most / 4 + 1), "columns=68719476737, most=68719476736");
    assertThat(new IndexMap.Transpose(most, 1).at(7)).isEqualTo(7);
    assertThat(new IndexMap.Transpose(1, most).at(7)).isEqualTo(7);
    refused(() -> new IndexMap.Gather(-1, 1, 1), "table=-1, most=7");
    refused(() -> new IndexMap.Gather(8, 1, 1), "table=8, most=7");
    refused(() -> new IndexMap.Gather(7, 0, 1), "rows=0, most=274877906944");
    refused(() -> new IndexMap.Gather(0, most / 2 + 1, 2), "rows=137438953473, most=137438953472");
    refused(() -> new IndexMap.Gather(0, 1, 0), "width=0, most=274877906944");
    refused(() -> new IndexMap.Gather(0, 1, most + 1), "width=274877906945, most=274877906944");
    assertThat(new IndexMap.Gather(0, most, 1).rows()).isEqualTo(most);
    assertThat(new IndexMap.Gather(0, 1, most).width()).isEqualTo(most);
  }

  @Test
  void takesOnlyTruePermutations() {
    List<Integer> longest = IntStream.range(0, 1024).boxed().toList();
    assertThat(new IndexMap.Permutation(longest).at(1023)).isEqualTo(1023);
    refused(() -> new IndexMap.Permutation(List.of()), "length=0, most=1024");
    refused(() -> new IndexMap.Permutation(Collections.nCopies(1025, 0)), "length=1025, most=1024");
    for (int bad : new int[] {-1, 0, 2}) {
      assertThatThrownBy(() -> new IndexMap.Permutation(List.of(0, bad)))
          .hasMessage(
              "not a permutation: entry=%d, length=2; name each of 0 to 1 once".formatted(bad));
    }
  }
}
