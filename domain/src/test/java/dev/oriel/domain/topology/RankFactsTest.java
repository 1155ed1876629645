package dev.oriel.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RankFactsTest {

  private static final FabricFacts JOINED = new FabricFacts(new ClusterId(1, 2), 3, true);

  @Test
  void aDeviceReachesItself() {
    assertThat(RankFacts.of("h", 3).reachable()).isEqualTo(IndexSet.of(3));
    assertThat(RankFacts.of("h", 3).withReachable(IndexSet.of(0, 1)).reachable())
        .isEqualTo(IndexSet.of(0, 1, 3));
  }

  @Test
  void overridesReplaceClusterAndCliqueBeforeAnyoneSeesThem() {
    RankSettings settings = RankSettings.DEFAULT.withClusterOverride(9).withCliqueOverride(8);
    assertThat(RankFacts.of("h", 0).withFabric(JOINED).withOverrides(settings).fabric())
        .contains(new FabricFacts(new ClusterId(9, 9), 8, true));
    assertThat(RankFacts.of("h", 0).withOverrides(settings).withFabric(JOINED).fabric())
        .contains(new FabricFacts(new ClusterId(9, 9), 8, true));
  }

  @Test
  void oneOverrideLeavesTheOtherFact() {
    RankFacts facts = RankFacts.of("h", 0).withFabric(JOINED);
    assertThat(facts.withOverrides(RankSettings.DEFAULT.withClusterOverride(9)).fabric())
        .contains(new FabricFacts(new ClusterId(9, 9), 3, true));
    assertThat(facts.withOverrides(RankSettings.DEFAULT.withCliqueOverride(8)).fabric())
        .contains(new FabricFacts(new ClusterId(1, 2), 8, true));
  }

  @Test
  void overridesDoNothingWithoutFabricFacts() {
    RankSettings settings = RankSettings.DEFAULT.withClusterOverride(9).withCliqueOverride(8);
    assertThat(RankFacts.of("h", 0).withOverrides(settings).fabric()).isEmpty();
  }

  @Test
  void disabledModeHidesTheFabricAndItsOverrides() {
    RankSettings settings =
        RankSettings.DEFAULT.withClusterOverride(9).withFabricMode(FabricMode.DISABLED);
    assertThat(RankFacts.of("h", 0).withFabric(JOINED).withOverrides(settings).fabric()).isEmpty();
  }

  @Test
  void aFabricIsUsableOnlyWhenJoinedAndNamed() {
    assertThat(JOINED.usable()).isTrue();
    assertThat(new FabricFacts(new ClusterId(1, 2), 3, false).usable()).isFalse();
    assertThat(new FabricFacts(new ClusterId(0, 0), 3, true).usable()).isFalse();
    assertThat(new FabricFacts(new ClusterId(0, 2), 3, true).usable()).isTrue();
    assertThat(new FabricFacts(new ClusterId(1, 0), 3, true).usable()).isTrue();
    assertThat(RankFacts.of("h", 0).withFabric(JOINED).usableFabric()).contains(JOINED);
  }

  @Test
  void settingsKeepWhatIsNotChanged() {
    IndexSet set = IndexSet.of(0, 2);
    RankSettings all =
        RankSettings.DEFAULT
            .withNvlinkSet(set)
            .withRdmaDisabled(true)
            .withP2pDisabled(true)
            .withCliqueOverride(4)
            .withClusterOverride(5)
            .withFabricMode(FabricMode.ENABLED);
    assertThat(all)
        .isEqualTo(
            new RankSettings(
                FabricMode.ENABLED,
                OptionalLong.of(5),
                OptionalInt.of(4),
                true,
                true,
                Optional.of(set)))
        .isEqualTo(
            all.withNvlinkSet(set)
                .withRdmaDisabled(true)
                .withP2pDisabled(true)
                .withCliqueOverride(4)
                .withClusterOverride(5));
  }

  @Test
  void aHostNameHasOneTo64VisibleAsciiCharacters() {
    assertThat(RankFacts.of("h".repeat(64), 0).host()).hasSize(64);
    assertThat(RankFacts.of("!~", 0).host()).isEqualTo("!~");
    assertThatThrownBy(() -> RankFacts.of("h".repeat(65), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bad host name: length=65; use 1 to 64 characters");
    assertThatThrownBy(() -> RankFacts.of("", 0)).hasMessageContaining("length=0");
    for (String bad : new String[] {"a b", "h\u00e9", "a\u007f", "\t"}) {
      assertThatThrownBy(() -> RankFacts.of(bad, 0)).hasMessageContaining("visible ASCII");
    }
  }

  @Test
  void aNegativeDeviceIsRefused() {
    assertThat(RankFacts.of("h", 0).device()).isZero();
    assertThatThrownBy(() -> RankFacts.of("h", -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("negative device: host=h, device=-1; devices count from 0");
  }
}
