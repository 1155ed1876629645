package dev.oriel.cuda.ptx;

import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Generates moves that apply a hook. On plain bytes every thread makes outputs of its own: in
 * {@link HookUnits} or {@link HookBlocks} if the arrays' layout allows it, the rest one element at
 * a time with four under way. The expression is compiled in; the numbers of the maps are operands,
 * and thus one kernel serves all shapes.
 */
final class HookCode {
  private static final int UNROLL = 4;

  private final PtxBuilder ptx;
  private final WorkSharingCode threads;
  private final ReduceCode.Places places;
  private final ConvertCode convert;
  private final ElementCode elements;

  HookCode(
      PtxBuilder ptx, WorkSharingCode threads, BoundedWaitCode waits, ReduceCode.Places places) {
    this.ptx = ptx;
    this.threads = threads;
    this.places = places;
    this.convert = new ConvertCode(ptx);
    this.elements = new ElementCode(ptx, waits, convert);
  }

  /**
   * Makes all outputs.
   *
   * @param code of packets of a format
   */
  void make(
      MicroOperation.Copy c,
      Combine.Apply apply,
      String bytes,
      Function<PacketFormat, PacketCode> code) {
    HookForm hook = apply.boundHook();
    String count = ptx.word();
    ptx.op("shr.u64 %s, %s, %d", count, bytes, shift(hook));
    HookSite site =
        new HookSite(
            hook,
            c.sources().stream().map(places::source).toList(),
            hook.sources().stream().map(s -> numbers(s.map())).toList(),
            hook.scatters() ? numbers(hook.target()) : List.of(),
            count);
    ValueCode values =
        new ValueCode(ptx, convert, field -> contextField(field, apply.operands(), count));
    VectorCode vectors = new VectorCode(ptx, convert, values, site);
    HookPackets packets = new HookPackets(ptx, elements, values, vectors, places, site);
    List<Region> sources = c.sources().stream().map(SourceSeries::region).toList();
    if (HookPackets.packets(sources)) {
      PacketFormat format = HookPackets.format(hook.name(), sources, c.destinations(), true);
      packets.unpack(code.apply(format), format, flags(sources));
    } else if (HookPackets.packets(c.destinations())) {
      PacketFormat format = HookPackets.format(hook.name(), c.destinations(), sources, false);
      packets.pack(
          code.apply(format), format, bytes, flags(c.destinations()).values().iterator().next());
    } else {
      plain(site, values, vectors);
    }
  }

  private List<String> numbers(MapForm map) {
    return map.numbers().stream().map(places::value).toList();
  }

  /** The flag of each packet region, by the region's number. */
  private Map<Integer, String> flags(List<Region> regions) {
    Map<Integer, String> flags = new TreeMap<>();
    for (int k = 0; k < regions.size(); k++) {
      if (regions.get(k).access() instanceof Access.Packets(var _, Expr flag)) {
        flags.put(k, places.value(flag));
      }
    }
    return flags;
  }

  /** All sources and destinations are plain. */
  private void plain(HookSite site, ValueCode values, VectorCode vectors) {
    String count = site.count();
    String index = ptx.word();
    ptx.op("mov.b64 %s, %s", index, threads.self());
    HookTools tools = new HookTools(ptx, elements, convert, vectors, places, site);
    HookUnits.of(tools).ifPresent(units -> units.make(threads, index));
    HookBlocks.of(tools)
        .ifPresent(blocks -> blocks.make(threads, index, one -> make(site, values, one, 1)));
    String last = ptx.word();
    String past = ptx.predicate();
    String many = ptx.label("outputs");
    String one = ptx.label("output");
    String end = ptx.label("made");
    ptx.place(many);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", last, threads.count(), UNROLL - 1, index);
    ptx.op("setp.ge.u64 %s, %s, %s", past, last, count);
    ptx.opIf(past, "bra %s", one);
    make(site, values, index, UNROLL);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", index, threads.count(), UNROLL, index);
    ptx.op("bra %s", many);
    ptx.place(one);
    ptx.op("setp.ge.u64 %s, %s, %s", past, index, count);
    ptx.opIf(past, "bra %s", end);
    make(site, values, index, 1);
    ptx.op("add.s64 %s, %s, %s", index, index, threads.count());
    ptx.op("bra %s", one);
    ptx.place(end);
  }

  /**
   * Makes several outputs of a thread, from {@code index} on in steps of the number of threads. All
   * their elements are loaded before the first output is made.
   */
  private void make(HookSite site, ValueCode values, String index, int many) {
    List<String> indices = new ArrayList<>();
    List<List<String>> loaded = new ArrayList<>();
    for (int u = 0; u < many; u++) {
      String at = ptx.word();
      ptx.op("mad.lo.s64 %s, %s, %d, %s", at, threads.count(), u, index);
      indices.add(at);
      loaded.add(elements.loaded(site, at));
    }
    List<String> made = new ArrayList<>();
    for (int u = 0; u < many; u++) {
      ValueCode.Output output = ValueCode.Output.of(indices.get(u), loaded.get(u));
      made.add(values.of(site.hook().value(), output));
    }
    List<String> stored = indices.stream().map(i -> elements.stored(site, i)).toList();
    places.destinations(to -> {
      for (int u = 0; u < many; u++) {
        String address = elements.address(to, stored.get(u), site.hook().result());
        ptx.op("st.global.u%d [%s], %s", site.hook().result().bits(), address, made.get(u));
      }
    });
  }

  private String contextField(ContextField field, HookOperands operands, String count) {
    return switch (field) {
      case RANK -> places.name("r");
      case WORLD -> places.name("n");
      case COUNT -> count;
      default -> places.value(Objects.requireNonNull(operands.fields().get(field), field.symbol()));
    };
  }

  private static int shift(HookForm hook) {
    return Integer.numberOfTrailingZeros(hook.result().bytes());
  }
}
