package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generates hooks whose outputs go straight into packets, or whose inputs come from packets. Such
 * inputs are awaited where they are used, in their order in memory.
 */
final class HookPackets {
  private final PtxBuilder ptx;
  private final ElementCode elements;
  private final ValueCode values;
  private final VectorCode vectors;
  private final ReduceCode.Places places;
  private final HookSite site;

  HookPackets(
      PtxBuilder ptx,
      ElementCode elements,
      ValueCode values,
      VectorCode vectors,
      ReduceCode.Places places,
      HookSite site) {
    this.ptx = ptx;
    this.elements = elements;
    this.values = values;
    this.vectors = vectors;
    this.places = places;
    this.site = site;
  }

  /**
   * The format of the packets at one end of a move.
   *
   * @param mixed whether plain bytes may be at that end as well
   */
  static PacketFormat format(String hook, List<Region> end, List<Region> other, boolean mixed) {
    Set<Access> accesses =
        end.stream()
            .map(Region::access)
            .filter(access -> !mixed || access instanceof Access.Packets)
            .collect(Collectors.toSet());
    Set<PacketFormat> formats =
        end.stream()
            .flatMap(region ->
                region.access() instanceof Access.Packets(var format, var _)
                    ? Stream.of(format)
                    : Stream.empty())
            .collect(Collectors.toSet());
    if (formats.size() != 1 || (!mixed && accesses.size() != 1) || packets(other)) {
      throw new ProgramException(
          "hook on packets of several kinds has no PTX form: hook=%s, formats=%s; move twice"
              .formatted(hook, formats.stream().map(PacketFormat::spelling).sorted().toList()));
    }
    return formats.iterator().next();
  }

  static boolean packets(List<Region> end) {
    return end.stream().anyMatch(region -> region.access() instanceof Access.Packets);
  }

  /** Makes outputs and stores them in packets. */
  void pack(PacketCode packets, PacketFormat format, String bytes, String flag) {
    requireFit(format, site.hook().result());
    packets
        .sharers()
        .share(
            packets.items(bytes),
            item ->
                packets.pack(
                    (data, unit) -> unit(packets, data, unit),
                    bytes,
                    flag,
                    item,
                    places::destinations));
  }

  /** One unit of outputs; places after the last output are 0. */
  private void unit(PacketCode packets, String data, String unit) {
    DataType type = site.hook().result();
    int outputs = packets.unit() / type.bytes();
    String end = ptx.label("unit");
    ptx.op("mov.b64 %s, 0", data);
    for (int j = 0; j < outputs; j++) {
      String index = index(unit, outputs, j, end);
      ValueCode.Output output = ValueCode.Output.of(index, elements.loaded(site, index));
      String value = values.of(site.hook().value(), output);
      if (type.bytes() == Long.BYTES) {
        ptx.op("mov.b64 %s, %s", data, value);
        continue;
      }
      String wide = ptx.word();
      ptx.op("cvt.u64.u32 %s, %s", wide, value);
      ptx.op("bfi.b64 %s, %s, %s, %d, %d", data, wide, data, j * type.bits(), type.bits());
    }
    ptx.place(end);
  }

  /** The number of a unit's output; branches to the label if there is no such output. */
  private String index(String unit, int outputs, int j, String none) {
    String index = ptx.word();
    String beyond = ptx.predicate();
    ptx.op("mul.lo.s64 %s, %s, %d", index, unit, outputs);
    ptx.op("add.s64 %s, %s, %d", index, index, j);
    ptx.op("setp.ge.u64 %s, %s, %s", beyond, index, site.count());
    ptx.opIf(beyond, "bra %s", none);
    return index;
  }

  /**
   * Makes outputs of packets' elements and plain ones.
   *
   * @param flags of the sources that are packets
   */
  void unpack(PacketCode packets, PacketFormat format, Map<Integer, String> flags) {
    List<Integer> packed = flags.keySet().stream().sorted().toList();
    DataType first = site.type(packed.getFirst());
    for (int k : packed) {
      requireFit(format, site.type(k));
      if (!site.source(k).map().equals(MapForm.identity())
          || site.type(k).bytes() != first.bytes()) {
        throw new ProgramException(
            "hook of packets out of turn has no PTX form: hook=%s, source=in%d, type=%s, map=%s; unpack them by a move of their own"
                .formatted(
                    site.hook().name(), k, site.type(k).symbol(), site.source(k).map().text()));
      }
    }
    String bytes = ptx.word();
    ptx.op("mul.lo.s64 %s, %s, %d", bytes, site.count(), first.bytes());
    packets
        .sharers()
        .share(
            packets.items(bytes),
            item -> {
              String over = ptx.label("gone");
              List<PacketCode.LoadedPackets> asked =
                  packed.stream()
                      .map(k ->
                          packets.ask(
                              site.from().get(k),
                              bytes,
                              Objects.requireNonNull(flags.get(k)),
                              item))
                      .toList();
              List<List<String>> words = new ArrayList<>();
              asked.forEach(a -> words.add(a.arrived(over)));
              packets.eachUnit(
                  bytes,
                  item,
                  (unit, from) -> {
                    int until = from + packets.unit() / Integer.BYTES;
                    Map<Integer, List<String>> brought = new HashMap<>();
                    for (int k = 0; k < packed.size(); k++) {
                      brought.put(packed.get(k), words.get(k).subList(from, until));
                    }
                    outputs(unit, packets.unit() / first.bytes(), brought);
                  });
              ptx.place(over);
            });
  }

  private void outputs(String unit, int outputs, Map<Integer, List<String>> brought) {
    String end = ptx.label("unit");
    for (int j = 0; j < outputs; j++) {
      int at = j;
      String index = index(unit, outputs, j, end);
      List<String> loaded =
          elements.loaded(
              site,
              index,
              k ->
                  brought.containsKey(k)
                      ? vectors.element(site.type(k), brought.getOrDefault(k, List.of()), at)
                      : "");
      String value = values.of(site.hook().value(), ValueCode.Output.of(index, loaded));
      DataType type = site.hook().result();
      String stored = elements.stored(site, index);
      places.destinations(to -> {
        String address = elements.address(to, stored, type);
        ptx.op("st.global.u%d [%s], %s", type.bits(), address, value);
      });
    }
    ptx.place(end);
  }

  private static void requireFit(PacketFormat format, DataType type) {
    if (type.bytes() > Integer.BYTES && format == PacketFormat.PKT8) {
      throw new ProgramException(
          "element does not fit into a packet: element=%s, format=%s; use pkt16"
              .formatted(type.symbol(), format.spelling()));
    }
  }
}
