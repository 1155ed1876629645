package dev.oriel.domain.msccl;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.List;
import java.util.Optional;

/**
 * Where the caller's chunks are, and the post-condition of the collective on them. Sums are of
 * integers, so their order does not count.
 *
 * <p>In place, input and output are one buffer {@code io}. The rank's own block of an all-gather's
 * output is then its input, and its own block of a reduce-scatter's input is its output.
 *
 * @param chunks the number of chunks into which the collective's larger buffer is cut
 * @param chunkBytes bytes of a chunk in the program
 */
public record CollectiveMemory(
    MscclCollective collective, int world, int chunks, boolean inPlace, int chunkBytes) {
  /** Integers, since for those the order of additions does not change the result. */
  public static final Combine SUM =
      new Combine.Reduce(ReduceOp.SUM, DataType.INT32, DataType.INT32);

  /** The buffer that is input and output. */
  public static final String IN_PLACE = "io";

  /** A chunk of a buffer of the program. */
  public record Chunk(String buffer, int index) {}

  /** The chunks of a caller's buffer that the collective needs; not for custom ones. */
  public int size(PlanBuffer buffer) {
    boolean block =
        buffer == PlanBuffer.I
            ? collective == MscclCollective.ALLGATHER
            : collective == MscclCollective.REDUCE_SCATTER;
    return block ? blockChunks() : chunks;
  }

  /** The program's chunk for one of the plan, in the memory of that gpu. */
  public Chunk chunk(int gpu, PlanBuffer buffer, int index) {
    if (!inPlace || buffer == PlanBuffer.S) {
      return new Chunk(buffer.spelling(), index);
    }
    boolean own = buffer == PlanBuffer.I ? ownInput() : ownOutput();
    return new Chunk(IN_PLACE, (own ? gpu * blockChunks() : 0) + index);
  }

  /** Chunks of one rank's block of a collective that works in blocks. */
  private int blockChunks() {
    return chunks / world;
  }

  private boolean ownInput() {
    return inPlace && collective == MscclCollective.ALLGATHER;
  }

  private boolean ownOutput() {
    return inPlace && collective == MscclCollective.REDUCE_SCATTER;
  }

  /** The result of the collective; empty for a custom one. */
  public Optional<Ensure> promise() {
    Expr peer = Expr.name("p");
    Expr block = bytes(blockChunks());
    Expr whole = bytes(chunks);
    Region first = output(Expr.of(0));
    return switch (collective) {
      case ALLREDUCE -> Optional.of(sum(first, Expr.of(0), whole));
      case REDUCE ->
          // Only gpu 0 gets a result.
          Optional.of(
              sum(
                  first,
                  Expr.of(0),
                  Expr.of(1).minus(Expr.min(Expr.of(1), Expr.rank())).times(whole)));
      case REDUCE_SCATTER -> {
        Expr own = Expr.rank().times(block);
        yield Optional.of(sum(output(ownOutput() ? own : Expr.of(0)), own, block));
      }
      case ALLGATHER -> {
        Region from = input(ownInput() ? peer.times(block) : Expr.of(0)).at(peer);
        yield Optional.of(each(output(peer.times(block)), from, block));
      }
      case ALLTOALL ->
          Optional.of(
              each(output(peer.times(block)), input(Expr.rank().times(block)).at(peer), block));
      case BROADCAST ->
          Optional.of(Ensure.copy(List.of(), first, input(Expr.of(0)).at(Expr.of(0)), whole));
      case SENDRECV ->
          Optional.of(
              Ensure.copy(
                  List.of(),
                  first,
                  input(Expr.of(0)).at(Expr.rank().minus(1).mod(Expr.world())),
                  whole));
      case CUSTOM -> Optional.empty();
    };
  }

  private Region input(Expr offset) {
    return Region.of(inPlace ? IN_PLACE : PlanBuffer.I.spelling(), offset);
  }

  private Region output(Expr offset) {
    return Region.of(inPlace ? IN_PLACE : PlanBuffer.O.spelling(), offset);
  }

  private static Ensure each(Region actual, Region expected, Expr bytes) {
    return Ensure.copy(List.of(new EnsureBinder.Rank("p", Peers.ALL)), actual, expected, bytes);
  }

  private Ensure sum(Region actual, Expr offset, Expr bytes) {
    SourceSeries all = new SourceSeries("p", Expr.world(), input(offset).at(Expr.name("p")));
    return new Ensure(List.of(), Optional.empty(), actual, SUM, Grouping.ANY, List.of(all), bytes);
  }

  /** The bytes of so many chunks. */
  public Expr bytes(long count) {
    return Expr.of(count * chunkBytes);
  }
}
