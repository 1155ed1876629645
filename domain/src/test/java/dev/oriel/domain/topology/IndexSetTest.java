package dev.oriel.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class IndexSetTest {

  @Test
  void aRepeatedValueCountsOnceAndOrderDoesNotMatter() {
    assertThat(IndexSet.of(5, 1, 5, 2).stream()).containsExactly(1, 2, 5);
  }

  @Test
  void aRangeIsTheSetOfItsMembers() {
    assertThat(IndexSet.range(2, 5)).isEqualTo(IndexSet.of(2, 3, 4));
    assertThat(IndexSet.range(3, 3)).isSameAs(IndexSet.EMPTY);
    assertThat(IndexSet.of()).isSameAs(IndexSet.EMPTY);
  }

  @Test
  void setsWithOtherMembersDiffer() {
    assertThat(IndexSet.of(0, 1, 3)).isNotEqualTo(IndexSet.of(0, 1, 4));
    assertThat(IndexSet.of(0, 2)).isNotEqualTo(IndexSet.of(0, 3));
    assertThat(IndexSet.of(0, 2)).isNotEqualTo(IndexSet.of(0, 2, 4));
    assertThat(IndexSet.of(0, 2)).isNotEqualTo(IndexSet.of(1, 3));
    assertThat(IndexSet.of(0)).isNotEqualTo("{0}");
  }

  @Test
  void aNegativeMemberIsRefused() {
    assertThatThrownBy(() -> IndexSet.of(3, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("negative member: value=-1; members count from 0");
  }

  @Test
  void aBadRangeIsRefused() {
    assertThatThrownBy(() -> IndexSet.range(-1, 2)).hasMessageContaining("from=-1, to=2");
    assertThatThrownBy(() -> IndexSet.range(3, 2)).hasMessageContaining("from=3, to=2");
    assertThat(IndexSet.range(0, 1).size()).isEqualTo(1);
  }

  @Test
  void aPositionOutsideIsRefused() {
    IndexSet set = IndexSet.of(4, 6);
    assertThatThrownBy(() -> set.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> set.get(2))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("position out of range: position=2, size=2");
  }

  @Test
  void addingAMemberChangesNothing() {
    IndexSet set = IndexSet.of(1, 2, 9);
    assertThat(set.with(2)).isSameAs(set);
    assertThat(set.with(0)).isEqualTo(IndexSet.of(0, 1, 2, 9));
  }

  @Test
  void itPrintsShort() {
    assertThat(IndexSet.range(0, 8)).hasToString("{0..7}");
    assertThat(IndexSet.of(0, 1)).hasToString("{0,1}");
    assertThat(IndexSet.of(0, 4, 8)).hasToString("{0,4,8}");
    assertThat(IndexSet.EMPTY).hasToString("{}");
  }

  @Test
  void theLargestIntegersAreMembersLikeAnyOther() {
    IndexSet set = IndexSet.of(0, Integer.MAX_VALUE);
    assertThat(set.contains(Integer.MAX_VALUE)).isTrue();
    assertThat(set.contains(Integer.MAX_VALUE - 1)).isFalse();
    assertThat(set.countBelow(Integer.MAX_VALUE)).isEqualTo(1);
  }
}
