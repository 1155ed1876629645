package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Claim;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Space;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a program promises of one launch: every rank's inputs, drawn at random, and the bytes that
 * its post-conditions then call for.
 */
public final class Promise {
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
    for (int rank = 0; rank < prepared.program.world(); rank++) {
      promise.input(rank, random);
    }
    for (int rank = 0; rank < prepared.program.world(); rank++) {
      promise.output(rank);
    }
    return promise;
  }

  private void input(int rank, SplittableRandom random) {
    Program program = prepared.program;
    for (Buffer buffer : program.form().buffers()) {
      byte[] bytes = new byte[(int) program.rank(rank).bytes(buffer.name())];
      if (buffer.space() == Space.INPUT) {
        random.nextBytes(bytes);
        inputs.put(new Place(rank, buffer.name()), bytes);
        prepared.write(rank, buffer.name(), bytes);
      } else if (buffer.space() == Space.OUTPUT) {
        promised.put(new Place(rank, buffer.name()), bytes);
      }
    }
  }

  private void output(int rank) {
    for (Claim claim : prepared.program.rank(rank).claims()) {
      System.arraycopy(
          claim.expected(this::start),
          0,
          promised.get(new Place(rank, claim.actual())),
          (int) claim.actualOffset(),
          (int) claim.bytes());
    }
    promised.forEach((place, bytes) -> {
      if (place.rank == rank) {
        byte[] wrong = new byte[bytes.length];
        for (int i = 0; i < wrong.length; i++) {
          wrong[i] = (byte) ~bytes[i];
        }
        prepared.write(rank, place.buffer, wrong);
      }
    });
  }

  private byte[] start(Claim.Source source, int length) {
    byte[] input = inputs.get(new Place(source.rank(), source.buffer()));
    int from = (int) source.offset();
    return Arrays.copyOfRange(input, from, from + length);
  }

  /** Reads every output whole; every byte of a shipped output is promised. */
  public void check(String launch) {
    promised.forEach((place, bytes) ->
        assertThat(prepared.read(place.rank, place.buffer))
            .as("%s, rank=%d, buffer=%s", launch, place.rank, place.buffer)
            .isEqualTo(bytes));
  }
}
