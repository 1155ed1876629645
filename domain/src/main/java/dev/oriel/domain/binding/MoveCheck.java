package dev.oriel.domain.binding;

import dev.oriel.domain.binding.LaneTrafficSink.Kind;
import dev.oriel.domain.binding.LaneTrafficSink.Span;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Proves that a move stays inside its regions, and rejects one that certainly overlaps itself. */
final class MoveCheck {
  /** Bytes of one rank's buffer that a move certainly touches. */
  private record Place(String buffer, int owner, Span span, boolean inPlace) {
    /** The same bytes, for a move that writes nothing in place. */
    Place elsewhere() {
      return new Place(buffer, owner, span, false);
    }

    boolean meets(Place other) {
      return buffer.equals(other.buffer) && owner == other.owner && span.meets(other.span);
    }
  }

  private final RankProgram rank;
  private final OperationProof proofs;
  private final LaneTrafficSink traffic;
  private final BindingBudget effort;

  MoveCheck(
      RankProgram rank, OperationProof proofs, LaneTrafficSink traffic, BindingBudget effort) {
    this.rank = rank;
    this.proofs = proofs;
    this.traffic = traffic;
    this.effort = effort;
  }

  void check(Op.Move m, Supplier<CheckedPlace> where) {
    LinearExpression bytes = proofs.bytes(m.bytes());
    elements(m);
    List<Place> read = new ArrayList<>();
    Function<Region, LinearExpression> reached = _ -> bytes;
    if (rank.bound(m.combine()) instanceof Combine.Apply hook) {
      HookProof proof = new HookProof(proofs, hook);
      hook(m, proof, read, where);
      reached = destination -> proof.destination(destination, m.bytes());
    } else {
      SeriesWalk.each(
          rank, proofs, m.sources(), effort, source -> read(m, source, bytes, read, where));
    }
    List<Place> written = new ArrayList<>();
    for (Region destination : m.destinations()) {
      boolean packets = destination.access() instanceof Access.Packets;
      LinearExpression extent = reached.apply(destination);
      proofs.known(destination);
      if (packets && !(destination.at() instanceof Peers.Self)) {
        // A network interface sends packets from the same offset in the sender's own buffer.
        proofs.inside(destination, extent, rank.rank());
      }
      for (int owner : proofs.owners(destination.at())) {
        Span span = proofs.inside(destination, extent, owner);
        if (packets) {
          traffic.sent(Kind.PACKETS, destination.buffer(), rank.rank(), owner, span);
        }
        certain(destination, owner, extent)
            .ifPresent(place -> {
              apart(destination, place, read, written);
              written.add(place);
            });
      }
    }
  }

  private void read(
      Op.Move m,
      Region source,
      LinearExpression bytes,
      List<Place> read,
      Supplier<CheckedPlace> where) {
    for (int owner : proofs.owners(source.at())) {
      Span span = proofs.inside(source, bytes, owner);
      certain(source, owner, bytes).ifPresent(read::add);
      if (source.access() instanceof Access.Packets) {
        traffic.awaited(Kind.PACKETS, source.buffer(), LaneTrafficSink.ANY, owner, span, where);
      }
    }
    if (m.combine() instanceof Combine.Reduce(var op, var type, var accumulator)) {
      proofs.aligned(source, type.bytes(), "elements");
    }
  }

  private void hook(Op.Move m, HookProof proof, List<Place> read, Supplier<CheckedPlace> where) {
    proof.outputs(m.bytes());
    m.destinations().forEach(d -> proof.destination(d, m.bytes()));
    for (int k = 0; k < m.sources().size(); k++) {
      Region source = m.sources().get(k).region();
      LinearExpression taken = proof.taken(k, source, m.bytes());
      int many = read.size();
      read(m, source, taken, read, where);
      if (!proof.inPlace(k)) {
        // Such a source must have no byte in common with a destination; even an exact overlap is an
        // error.
        read.subList(many, read.size()).replaceAll(Place::elsewhere);
      }
    }
  }

  /** A reduction in place reads exactly what it writes; any other overlap has no meaning. */
  private void apart(Region destination, Place place, List<Place> read, List<Place> written) {
    boolean clash =
        written.stream().anyMatch(place::meets)
            || read.stream().anyMatch(other -> place.meets(other) && !place.equals(other));
    if (clash) {
      throw proofs.fail(
          destination,
          "overlapping regions",
          "buffer=" + place.buffer() + ", owner=" + place.owner(),
          "move through another buffer");
    }
  }

  private Optional<Place> certain(Region region, int owner, LinearExpression bytes) {
    LinearExpression offset = proofs.values().of(region.offset());
    long least = proofs.prover().low(bytes);
    if (owner == LaneTrafficSink.ANY || !offset.isConstant() || least <= 0) {
      return Optional.empty();
    }
    long image =
        region.access() instanceof Access.Packets(var format, var flag)
            ? format.image(least)
            : least;
    Span span = new Span(offset.constant(), offset.constant() + image - 1);
    return Optional.of(new Place(rank.program().form().base(region.buffer()), owner, span, true));
  }

  private void elements(Op.Move m) {
    if (!(m.combine() instanceof Combine.Reduce(var op, var type, var accumulator))) {
      return;
    }
    proofs.whole(m.bytes(), type.bytes(), "element");
    m.destinations().forEach(d -> proofs.aligned(d, type.bytes(), "elements"));
  }
}
