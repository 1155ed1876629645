package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.BoundHook;
import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Space;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * A program's promise for one launch: every rank's inputs, drawn at random, and the bytes that its
 * post-conditions then require.
 */
public final class Promise {
  private static final byte UNTOUCHED = 0x3C;

  private record Place(int rank, String buffer) {}

  private final Prepared prepared;
  private final Map<Place, byte[]> inputs = new HashMap<>();
  private final Map<Place, byte[]> promised = new HashMap<>();

  private Promise(Prepared prepared) {
    this.prepared = prepared;
  }

  /** Gives every rank new inputs, and outputs in which every promised byte is wrong. */
  public static Promise make(Prepared prepared, SplittableRandom random) {
    Promise promise = new Promise(prepared);
    List<Map<String, byte[]>> drawn = InputWords.draw(prepared.program, random::nextLong);
    for (int rank = 0; rank < prepared.program.world(); rank++) {
      promise.input(rank, drawn.get(rank));
    }
    for (int rank = 0; rank < prepared.program.world(); rank++) {
      promise.output(rank);
    }
    return promise;
  }

  private void input(int rank, Map<String, byte[]> drawn) {
    drawn.forEach((buffer, bytes) -> {
      Place place = new Place(rank, buffer);
      inputs.put(place, bytes);
      if (prepared.program.form().buffer(buffer).orElseThrow().space().taken()) {
        promised.put(place, bytes.clone());
      }
      prepared.write(rank, buffer, bytes);
    });
  }

  private void output(int rank) {
    Map<Place, byte[]> wrong = new HashMap<>();
    for (Buffer buffer : prepared.program.form().buffers()) {
      if (buffer.space() == Space.OUTPUT) {
        Place place = new Place(rank, buffer.name());
        byte[] bytes = new byte[(int) prepared.program.rank(rank).bytes(buffer.name())];
        Arrays.fill(bytes, UNTOUCHED);
        wrong.put(place, bytes);
        promised.put(place, bytes.clone());
      }
    }
    for (BoundPostCondition claim : prepared.program.rank(rank).claims(this::start)) {
      Place place = new Place(rank, claim.actual());
      byte[] expected = claim.expected(this::start);
      byte[] right = Objects.requireNonNull(promised.get(place));
      byte[] other = wrong.getOrDefault(place, right.clone());
      for (BoundHook.Run run : claim.runs()) {
        for (int i = 0; i < run.length(); i++) {
          int at = (int) claim.actualOffset() + run.to() + i;
          right[at] = expected[run.from() + i];
          other[at] = (byte) ~expected[run.from() + i];
        }
      }
    }
    wrong.forEach((place, bytes) -> prepared.write(rank, place.buffer, bytes));
  }

  private byte[] start(BoundPostCondition.Source source, int length) {
    byte[] input = inputs.get(new Place(source.rank(), source.buffer()));
    int from = (int) source.offset();
    return Arrays.copyOfRange(input, from, from + length);
  }

  /** Reads every output whole: no rank may write a byte without a promise. */
  public void check(String launch) {
    promised.forEach((place, bytes) ->
        assertThat(prepared.read(place.rank, place.buffer))
            .as("%s, rank=%d, buffer=%s", launch, place.rank, place.buffer)
            .isEqualTo(bytes));
  }
}
