package dev.oriel.sim.machine.provenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.machine.fingerprint.HashMixer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Every byte of an input is found at its place, and nothing else is. */
class InputPlacesProperties {
  private static final int RANKS = 5;
  private static final int LAUNCHES = 40;
  private static final int BUFFERS = 3;
  private static final int LENGTH = 1 << 24;

  private static InputPlaces places() {
    InputPlaces places = new InputPlaces();
    for (int rank = 0; rank < RANKS; rank++) {
      for (int launch = 1; launch <= LAUNCHES; launch++) {
        for (int buffer = 0; buffer < BUFFERS; buffer++) {
          places.add(rank, launch, buffer, LENGTH, number(rank, launch, buffer));
        }
      }
    }
    return places;
  }

  private static long number(int rank, int launch, int buffer) {
    return ((long) launch * RANKS + rank) * BUFFERS + buffer;
  }

  @Property
  void eachByteIsFound(
      @ForAll @IntRange(max = RANKS - 1) int rank,
      @ForAll @IntRange(min = 1, max = LAUNCHES) int launch,
      @ForAll @IntRange(max = BUFFERS - 1) int buffer,
      @ForAll @IntRange(max = LENGTH - 1) int offset) {
    InputPlaces places = places();
    long octet = InputPattern.at(rank, launch, buffer, offset);
    assertThat(places.find(octet)).isEqualTo(number(rank, launch, buffer) << 32 | offset);
    assertThat(places.alike()).isFalse();
  }

  /** Also those whose value would be that of an output that nobody wrote. */
  @Property(tries = 20)
  void aRunOfBytesIsFound(
      @ForAll @IntRange(max = RANKS - 1) int rank,
      @ForAll @IntRange(min = 1, max = LAUNCHES) int launch,
      @ForAll @IntRange(max = LENGTH - 1024) int from) {
    InputPlaces places = places();
    int replaced = 0;
    for (int i = 0; i < 1024; i++) {
      long octet = InputPattern.at(rank, launch, 1, from + i);
      replaced += (octet & 0xFF) == (~InputPattern.POISON & 0xFF) ? 1 : 0;
      assertThat(places.find(octet)).isEqualTo(number(rank, launch, 1) << 32 | from + i);
    }
    assertThat(replaced).isPositive();
  }

  @Property
  void bytesOfOtherLaunchesRanksAndOffsetsAreNotFound(
      @ForAll @IntRange(max = RANKS - 1) int rank, @ForAll @IntRange(max = LENGTH - 1) int offset) {
    InputPlaces places = places();
    assertThat(places.find(InputPattern.at(rank, LAUNCHES + 1, 0, offset)))
        .isEqualTo(InputPlaces.NONE);
    assertThat(places.find(InputPattern.at(rank + RANKS, 1, 0, offset)))
        .isEqualTo(InputPlaces.NONE);
    assertThat(places.find(InputPattern.at(rank, 1, 0, (long) LENGTH + offset)))
        .isEqualTo(InputPlaces.NONE);
  }

  @Property
  void anotherOctetIsNotFound(@ForAll long octet) {
    long found = places().find(octet & ~TaggedBytes.CARRIED);
    assertThat(found).isEqualTo(InputPlaces.NONE);
  }

  @Property
  void aByteAtTwoPlacesIsReported(@ForAll @IntRange(max = LENGTH - 1) int offset) {
    InputPlaces places = places();
    places.add(0, 1, 0, LENGTH, 0);
    assertThat(places.alike()).isFalse();
    long ignored = places.find(InputPattern.at(0, 1, 0, offset));
    assertThat(places.alike()).isTrue();
  }

  @Property
  void spreadingIsUndone(@ForAll long word) {
    assertThat(HashMixer.unspread(HashMixer.spread(word))).isEqualTo(word);
    assertThat(HashMixer.spread(HashMixer.unspread(word))).isEqualTo(word);
    assertThat((word | 1) * HashMixer.inverse(word | 1)).isEqualTo(1);
  }
}
