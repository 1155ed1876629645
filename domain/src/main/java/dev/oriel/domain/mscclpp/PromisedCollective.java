package dev.oriel.domain.mscclpp;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.msccl.MscclCollective;
import dev.oriel.domain.program.Combine;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The collective whose result a program promises, by its post-conditions of every rank. */
record PromisedCollective(MscclCollective collective, String spelling) {
  private static final List<PromisedCollective> ALL =
      List.of(
          new PromisedCollective(MscclCollective.ALLGATHER, "allgather"),
          new PromisedCollective(MscclCollective.ALLREDUCE, "allreduce"),
          new PromisedCollective(MscclCollective.REDUCE_SCATTER, "reducescatter"),
          new PromisedCollective(MscclCollective.ALLTOALL, "alltoall"),
          new PromisedCollective(MscclCollective.BROADCAST, "broadcast"),
          new PromisedCollective(MscclCollective.SENDRECV, "sendrecv"));

  /**
   * Empty if the program promises another result.
   *
   * @param input the name of the buffer of inputs; that of outputs, if there is one buffer for both
   */
  static Optional<PromisedCollective> of(Program program, String input, String output) {
    return ALL.stream().filter(each -> each.promised(program, input, output)).findFirst();
  }

  private boolean promised(Program program, String input, String output) {
    boolean inPlace = input.equals(output);
    return IntStream.range(0, program.world())
        .allMatch(rank -> promised(program, rank, input, output, inPlace));
  }

  private boolean promised(
      Program program, int rank, String input, String output, boolean inPlace) {
    int world = program.world();
    long in = program.rank(rank).bytes(input);
    long out = program.rank(rank).bytes(output);
    boolean gathers = collective == MscclCollective.ALLGATHER;
    boolean scatters = collective == MscclCollective.REDUCE_SCATTER;
    // In one buffer, the smaller of both is the rank's own block of the larger.
    long block = Math.max(in, out) / world;
    boolean fits =
        inPlace || (gathers ? out == world * in : scatters ? in == world * out : in == out);
    if (!fits || (collective.inBlocks() && Math.max(in, out) % world != 0)) {
      return false;
    }
    long first = inPlace && scatters ? rank * block : 0;
    long end = first + (scatters ? block : out);
    List<BoundPostCondition> claims =
        program.rank(rank).claims(BoundPostCondition.InitialContents.UNKNOWN).stream()
            .filter(claim -> claim.bytes() > 0)
            .sorted(Comparator.comparingLong(BoundPostCondition::actualOffset))
            .toList();
    long at = first;
    for (BoundPostCondition claim : claims) {
      boolean next = claim.actual().equals(output) && claim.actualOffset() == at;
      if (!next || !means(claim, rank, world, input, block, inPlace)) {
        return false;
      }
      at += claim.bytes();
    }
    return at == end;
  }

  private boolean means(
      BoundPostCondition claim, int rank, int world, String input, long block, boolean inPlace) {
    long at = claim.actualOffset();
    // Bytes of one block come from one rank.
    boolean one = block > 0 && at / block == (at + claim.bytes() - 1) / block;
    int of = block > 0 ? (int) (at / block) : 0;
    List<BoundPostCondition.Source> expected =
        switch (collective) {
          case ALLGATHER -> one ? List.of(source(of, input, inPlace ? at : at % block)) : List.of();
          case ALLTOALL -> one ? List.of(source(of, input, rank * block + at % block)) : List.of();
          case ALLREDUCE -> all(world, input, at);
          case REDUCE_SCATTER -> all(world, input, inPlace ? at : rank * block + at);
          case BROADCAST -> List.of(source(0, input, at));
          case SENDRECV -> List.of(source(Math.floorMod(rank - 1, world), input, at));
          case REDUCE, CUSTOM -> List.of();
        };
    boolean sum =
        claim.combine() instanceof Combine.Reduce(var operator, var _, var _)
            && operator == ReduceOp.SUM;
    boolean fits = expected.size() == 1 ? claim.combine() instanceof Combine.Copy : sum;
    List<BoundPostCondition.Source> sources =
        claim.sources().stream()
            .sorted(Comparator.comparingInt(BoundPostCondition.Source::rank))
            .toList();
    return fits && !expected.isEmpty() && sources.equals(expected);
  }

  private static BoundPostCondition.Source source(int rank, String buffer, long offset) {
    return new BoundPostCondition.Source(rank, buffer, offset);
  }

  private static List<BoundPostCondition.Source> all(int world, String buffer, long offset) {
    return IntStream.range(0, world).mapToObj(rank -> source(rank, buffer, offset)).toList();
  }
}
