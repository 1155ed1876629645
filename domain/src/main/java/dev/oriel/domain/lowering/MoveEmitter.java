package dev.oriel.domain.lowering;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Emits moves: loads and stores where memory is mapped, requests where it is not. */
final class MoveEmitter {
  private final Form form;
  private final LaneFamily lane;
  private final boolean rdma;
  private final StepEmitter out;

  MoveEmitter(Form form, LaneFamily lane, boolean rdma, StepEmitter out) {
    this.form = form;
    this.lane = lane;
    this.rdma = rdma;
    this.out = out;
  }

  void move(Op.Move m, String text) {
    List<Region> places = new ArrayList<>(m.destinations());
    m.sources().forEach(s -> places.add(s.region()));
    if (rdma
        && places.stream().anyMatch(g -> !(g.at() instanceof Peers.Self))
        && places.stream().anyMatch(g -> form.isAlias(g.buffer()))) {
      throw unsupported(m, "an interface reaches memory by its first name, not by an alias");
    }
    for (SourceSeries source : m.sources()) {
      if (rdma && source.region().at() instanceof Peers.One(Expr owner)) {
        if (!source.single()) {
          throw unsupported(m, "a series in memory of peers is read by loads; fetch it first");
        }
        out.byKind(owner, () -> read(m, owner, text), () -> copy(m.destinations(), m, text));
        return;
      }
    }
    List<Region> direct = new ArrayList<>();
    List<Region> routed = new ArrayList<>();
    for (Region d : m.destinations()) {
      (rdma && !(d.at() instanceof Peers.Self) ? routed : direct).add(d);
    }
    if (!direct.isEmpty()) {
      copy(direct, m, text);
    }
    for (Region d : routed) {
      if (d.at() instanceof Peers.One(Expr peer)) {
        out.byKind(peer, () -> write(m, d, text), () -> copy(List.of(d), m, text));
      } else {
        write(m, d, text);
      }
    }
  }

  private void copy(List<Region> destinations, Op.Move m, String text) {
    out.access(new MicroOperation.Copy(destinations, m.combine(), m.sources(), m.bytes()), text);
  }

  private void read(Op.Move m, Expr owner, String text) {
    Region target = m.destinations().getFirst();
    boolean plain =
        m.combine() instanceof Combine.Copy
            && m.destinations().size() == 1
            && m.sources().size() == 1
            && target.at() instanceof Peers.Self
            && target.access() instanceof Access.Weak;
    if (!plain) {
      throw unsupported(m, "a read over RDMA fills one region of the rank's own memory");
    }
    out.handOver(text);
    Region remote = m.sources().getFirst().region();
    out.emit(
        new MicroOperation.Post(owner, new MicroOperation.Request.Read(target, remote, m.bytes())),
        text);
    // Later requests of the queue do not wait for a read, so every later edge relies on its
    // completion here.
    out.emit(new MicroOperation.AwaitQueue(owner), text + ": the bytes have arrived");
    out.access(
        new MicroOperation.VisibilityFence(),
        text + ": bytes placed by the network interface become visible");
  }

  /** Emits a write to peers, some of which are reached through a network interface. */
  private void write(Op.Move m, Region destination, String text) {
    boolean packets = destination.access() instanceof Access.Packets;
    Region source = m.sources().getFirst().region();
    boolean plain =
        m.combine() instanceof Combine.Copy
            && source.at() instanceof Peers.Self
            && source.access() instanceof Access.Weak;
    if (!packets && !plain) {
      throw unsupported(m, "what goes out over RDMA is copied or packed from one plain region");
    }
    // Packets are packed at their final offset, in this rank's own copy of the buffer: that place
    // is this rank's row, which no peer writes here.
    Region image = packets ? destination.at(Peers.SELF) : source;
    if (packets) {
      copy(List.of(image), m, text + ": packs what the interface sends");
    }
    out.handOver(text);
    Region local = new Region(image.buffer(), Peers.SELF, image.offset(), Access.WEAK);
    Expr bytes =
        destination.access() instanceof Access.Packets(PacketFormat format, Expr flag)
            ? Expr.max(Expr.of(1), Expr.ceil(m.bytes(), Expr.of(format.payload())))
                .times(format.bytes())
            : m.bytes();
    Consumer<Expr> post =
        peer -> {
          Region remote =
              new Region(destination.buffer(), Peers.one(peer), destination.offset(), Access.WEAK);
          out.emit(
              new MicroOperation.Post(peer, new MicroOperation.Request.Write(local, remote, bytes)),
              text);
        };
    if (destination.at() instanceof Peers.One(Expr peer)) {
      post.accept(peer);
      return;
    }
    // Once packed, the own rank's packets are already in place.
    boolean packed = packets && destination.at() instanceof Peers.All;
    out.forEach(
        packed ? Peers.OTHERS : destination.at(),
        PendingAccesses.NONE,
        peer ->
            out.byKind(
                peer, () -> post.accept(peer), () -> copy(List.of(destination.at(peer)), m, text)));
  }

  private ProgramException unsupported(Op op, String rule) {
    return UnsupportedRdmaOperation.of("move", lane, FormPrinter.head(op), rule);
  }
}
