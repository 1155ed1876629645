package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Generates moves: chooses the plain or packet copy for each destination. */
final class CopyCode {
  private final PtxBuilder ptx;
  private final ExprCode exprs;
  private final AddressCode addresses;
  private final WorkSharingCode threads;
  private final PlainCopy plain;
  private final BoundedWaitCode waits;

  CopyCode(
      PtxBuilder ptx,
      ExprCode exprs,
      AddressCode addresses,
      BoundedWaitCode waits,
      WorkSharingCode threads) {
    this.ptx = ptx;
    this.exprs = exprs;
    this.addresses = addresses;
    this.threads = threads;
    this.waits = waits;
    this.plain = new PlainCopy(ptx, threads);
  }

  void copy(MicroOperation.Copy c) {
    if (c.combine() instanceof Combine.Reduce combine) {
      reduce(c, combine);
      return;
    }
    if (c.combine() instanceof Combine.Apply hook) {
      apply(c, hook);
      return;
    }
    String end = ptx.label("copied");
    threads.working(end);
    Region source = c.sources().getFirst().region();
    String from = addresses.buffer(source.buffer(), rank(source.at()), source.offset());
    String bytes = register(exprs.of(c.bytes()));
    if (source.access() instanceof Access.Packets(var format, Expr flag)) {
      unpack(c, from, bytes, format, flag);
    } else {
      for (Region d : c.destinations()) {
        if (d.access() instanceof Access.Packets(var format, Expr flag)) {
          PacketCode packets = packets(format);
          String packetFlag = register(exprs.of(flag));
          packets
              .sharers()
              .share(
                  packets.items(bytes),
                  item ->
                      packets.pack(
                          packets.plain(from, bytes),
                          bytes,
                          packetFlag,
                          item,
                          store -> everyPeer(d, store)));
        } else {
          everyPeer(d, to -> plain.copy(to, from, bytes));
        }
      }
    }
    ptx.place(end);
  }

  /**
   * Packs packets for all peers, or unpacks those of all peers, without waiting for one peer before
   * the next.
   */
  void eachPeer(PeerLoop loop) {
    MicroOperation.Copy c = loop.move();
    Region source = c.sources().getFirst().region();
    Region packed = loop.unpacks() ? source : c.destinations().getFirst();
    if (!(packed.access() instanceof Access.Packets(var format, Expr flag))) {
      throw new AssertionError(packed);
    }
    PacketCode packets = packets(format);
    String end = ptx.label("copied");
    threads.working(end);
    String bytes = register(exprs.of(c.bytes()));
    String packetFlag = register(exprs.of(flag));
    BiConsumer<String, String> pair =
        (peer, packet) -> {
          ptx.op("mov.b64 %s, %s", exprs.register(loop.variable()), peer);
          String from = addresses.buffer(source.buffer(), rank(source.at()), source.offset());
          if (loop.unpacks()) {
            packets.unpack(targets(c), from, bytes, packetFlag, packet);
          } else {
            packets.pack(
                packets.plain(from, bytes),
                bytes,
                packetFlag,
                packet,
                store -> everyPeer(packed, store));
          }
        };
    packets
        .sharers()
        .sharePairs(
            loop.others(), exprs.register("n"), exprs.register("r"), packets.items(bytes), pair);
    ptx.place(end);
  }

  private void unpack(
      MicroOperation.Copy c, String from, String bytes, PacketFormat format, Expr flag) {
    PacketCode packets = packets(format);
    String packetFlag = register(exprs.of(flag));
    if (c.destinations().stream().allMatch(CopyCode::lands)) {
      List<String> destinations = targets(c);
      packets
          .sharers()
          .share(
              packets.items(bytes),
              item -> packets.unpack(destinations, from, bytes, packetFlag, item));
      return;
    }
    one(c, format);
    packets
        .sharers()
        .share(
            packets.items(bytes),
            item -> {
              String over = ptx.label("gone");
              store(
                  c,
                  packets,
                  packets.ask(from, bytes, packetFlag, item).arrived(over),
                  bytes,
                  item);
              ptx.place(over);
            });
  }

  /** Stores a thread's words of an item at every destination, packed where it takes packets. */
  private void store(
      MicroOperation.Copy c, PacketCode packets, List<String> words, String bytes, String item) {
    for (Region d : c.destinations()) {
      if (d.access() instanceof Access.Packets(var format, Expr flag)) {
        String packetFlag = register(exprs.of(flag));
        packets.pack(words, bytes, packetFlag, item, store -> everyPeer(d, store));
      } else {
        everyPeer(d, to -> packets.store(words, to, bytes, item));
      }
    }
  }

  /** Threads share a move by packets, so that these have one format. */
  private static void one(MicroOperation.Copy c, PacketFormat format) {
    List<Region> regions = new ArrayList<>(c.destinations());
    c.sources().forEach(s -> regions.add(s.region()));
    for (Region r : regions) {
      if (!format(r).orElse(format).equals(format)) {
        throw new ProgramException(
            "packets of two formats in one move have no PTX form: format=%s, place=%s; move twice"
                .formatted(format.spelling(), FormPrinter.print(r)));
      }
    }
  }

  /** Whether unpacked data goes to one place, as plain bytes. */
  static boolean lands(Region d) {
    return d.access() instanceof Access.Weak && single(d.at());
  }

  /** The destinations of unpacked data, each of which {@link #lands}. */
  private List<String> targets(MicroOperation.Copy c) {
    List<String> destinations = new ArrayList<>();
    for (Region d : c.destinations()) {
      destinations.add(addresses.buffer(d.buffer(), rank(d.at()), d.offset()));
    }
    return destinations;
  }

  /** Runs the body with the address of the region at each of its peers. */
  private void everyPeer(Region region, Consumer<String> body) {
    if (single(region.at())) {
      body.accept(addresses.buffer(region.buffer(), rank(region.at()), region.offset()));
      return;
    }
    threads.eachPeer(
        region.at() instanceof Peers.Others,
        exprs.register("n"),
        exprs.register("r"),
        peer -> body.accept(addresses.buffer(region.buffer(), peer, region.offset())));
  }

  private static boolean single(Peers peers) {
    return peers instanceof Peers.Self || peers instanceof Peers.One;
  }

  private String rank(Peers peers) {
    return peers instanceof Peers.One(Expr one) ? register(exprs.of(one)) : exprs.register("r");
  }

  private String register(String operand) {
    if (operand.startsWith("%")) {
      return operand;
    }
    String register = ptx.word();
    ptx.op("mov.b64 %s, %s", register, operand);
    return register;
  }

  private void apply(MicroOperation.Copy c, Combine.Apply hook) {
    String end = ptx.label("copied");
    threads.working(end);
    String bytes = register(exprs.of(c.bytes()));
    new HookCode(ptx, threads, waits, new Regions(c)).make(c, hook, bytes, this::packets);
    ptx.place(end);
  }

  private void reduce(MicroOperation.Copy c, Combine.Reduce combine) {
    Optional<PacketFormat> packed =
        Stream.concat(c.sources().stream().map(SourceSeries::region), c.destinations().stream())
            .flatMap(r -> format(r).stream())
            .findFirst();
    packed.ifPresent(format -> {
      one(c, format);
      requireWhole(format, combine);
    });
    String end = ptx.label("copied");
    threads.working(end);
    String bytes = register(exprs.of(c.bytes()));
    ReduceCode reduce = new ReduceCode(ptx, threads);
    if (packed.isPresent()) {
      PacketCode packets = packets(packed.get());
      reduce.packets(
          packets,
          c,
          combine,
          bytes,
          new Regions(c),
          (made, item) -> store(c, packets, made, bytes, item));
    } else {
      reduce.plain(c, combine, bytes, new Regions(c));
    }
    ptx.place(end);
  }

  private static void requireWhole(PacketFormat format, Combine.Reduce combine) {
    if (format.payload() % combine.type().bytes() != 0) {
      throw new ProgramException(
          "element does not fit into a packet: element=%s, format=%s; use pkt16"
              .formatted(combine.type().name().toLowerCase(Locale.ROOT), format.spelling()));
    }
  }

  /** The format of a region of packets. */
  private static Optional<PacketFormat> format(Region region) {
    return region.access() instanceof Access.Packets(var format, Expr flag)
        ? Optional.of(format)
        : Optional.empty();
  }

  private PacketCode packets(PacketFormat format) {
    return switch (format) {
      case PKT8 -> new PacketCopy(ptx, threads, waits, 1);
      case PKT16 -> new PacketCopy(ptx, threads, waits, 2);
      case LINE128 -> new LineCopy(ptx, threads, waits);
    };
  }

  /** The regions of a move, for a reduction. */
  private final class Regions implements ReduceCode.Places {
    private final MicroOperation.Copy move;

    Regions(MicroOperation.Copy move) {
      this.move = move;
    }

    @Override
    public String source(SourceSeries series) {
      Region g = series.region();
      return addresses.buffer(g.buffer(), rank(g.at()), g.offset());
    }

    @Override
    public void destinations(Consumer<String> each) {
      move.destinations().forEach(d -> everyPeer(d, each));
    }

    @Override
    public String value(Expr expr) {
      return register(exprs.of(expr));
    }

    @Override
    public String name(String name) {
      return exprs.register(name);
    }
  }
}
