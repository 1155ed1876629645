package dev.oriel.sim.engine;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.program.Space;
import java.util.Arrays;
import java.util.Optional;

/** The initial memory of each launch of a rank, and the check of its post-condition. */
public final class Launches {
  private Launches() {}

  /** How often that rank has launched. */
  public static int of(WorldState world, int rank) {
    return world.launched[rank];
  }

  /** Counts a launch that never runs: the rank is done. */
  public static void retire(WorldState world, int rank) {
    world.launched[rank]++;
  }

  /** Gives a rank fresh inputs and poisoned outputs for the launch it is about to start. */
  public static void refresh(WorldState world, int rank) {
    for (int b = 0; b < world.form.buffers().size(); b++) {
      Space space = world.form.buffers().get(b).space();
      if (space.filled()) {
        Pattern.fill(world.memory[rank][b], rank, world.launched[rank], b);
      } else if (space == Space.OUTPUT) {
        Arrays.fill(world.memory[rank][b], Pattern.POISON);
      }
    }
  }

  /**
   * The first byte of an ended rank that violates the post-condition of this launch, given that
   * {@link #refresh} filled the inputs.
   */
  public static Optional<String> broken(WorldState world, int rank) {
    BoundPostCondition.InitialContents start =
        (source, length) -> start(world, source, rank, length);
    for (BoundPostCondition claim : world.ranks.get(rank).claims(start)) {
      BoundPostCondition.Memory memory =
          (buffer, offset, length) ->
              Arrays.copyOfRange(
                  world.memory[rank][world.buffer(buffer)], (int) offset, (int) offset + length);
      if (!claim.applies(memory)) {
        continue;
      }
      byte[] expected = claim.expected(start);
      byte[] ended = claim.found(memory);
      for (int i = 0; i < ended.length; i++) {
        byte found = ended[i];
        if (found != expected[i]) {
          return Optional.of(
              "wrong byte: rank=%d, launch=%d, buffer=%s, offset=%d, found=%s, expected=%s"
                  .formatted(
                      rank,
                      world.launched[rank],
                      claim.actual(),
                      claim.place(i),
                      found == Pattern.POISON ? "never written" : "0x%02x".formatted(found),
                      claim.origin(i)));
        }
      }
    }
    return Optional.empty();
  }

  /** The contents of an input at the start of the rank's last ended launch. */
  private static byte[] start(
      WorldState world, BoundPostCondition.Source source, int rank, int length) {
    byte[] bytes = new byte[length];
    int buffer = world.buffer(source.buffer());
    for (int i = 0; i < length; i++) {
      bytes[i] = Pattern.at(source.rank(), world.launched[rank] - 1L, buffer, source.offset() + i);
    }
    return bytes;
  }
}
