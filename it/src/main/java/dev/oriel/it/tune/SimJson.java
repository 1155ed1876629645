package dev.oriel.it.tune;

import dev.oriel.domain.binding.Program;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import dev.oriel.sim.time.CostPrediction;
import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.VirtualDeadlock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A prediction of time for machines; the help of {@code oriel sim} names the members. */
final class SimJson {
  private final Map<String, JsonValue> assumed = new TreeMap<>();

  SimJson(
      Program program,
      String world,
      LinkModel links,
      int launches,
      Map<String, Long> loaded,
      FaultPlan faults) {
    assumed.put("name", new Text(program.form().name()));
    assumed.put("world", new Text(world));
    assumed.put("params", numbers(program.params()));
    assumed.put("digest", new Text(program.digest()));
    assumed.put("links", new Text(links.name()));
    assumed.put("faults", new Text(faults.toString()));
    assumed.put("loaded", numbers(loaded));
    assumed.put("launches", new Whole(launches));
  }

  JsonValue of(CostPrediction p) {
    Map<String, JsonValue> all = new TreeMap<>(assumed);
    all.put("ends", new Elements(p.ends().stream().map(SimJson::picos).toList()));
    all.put("first", picos(p.first()));
    all.put("last", picos(p.last()));
    all.put("events", new Whole(p.events()));
    CostPrediction.Traffic traffic = p.traffic();
    all.put(
        "traffic",
        numbers(
            Map.of(
                "messages", traffic.messages(),
                "nvlink_out", traffic.nvlinkOut(),
                "nvlink_in", traffic.nvlinkIn(),
                "rdma_out", traffic.rdmaOut(),
                "rdma_in", traffic.rdmaIn())));
    CostPrediction.Port port = p.busiest();
    all.put(
        "busiest",
        new Members(
            Map.of(
                "link", new Text(port.kind().name().toLowerCase(Locale.ROOT)),
                "rank", new Whole(port.rank()),
                "rail", new Whole(port.rail()),
                "direction", new Text(port.in() ? "in" : "out"),
                "busy", picos(port.busyNanos()),
                "bytes", new Whole(port.bytes()))));
    all.put("waits", new Elements(List.of()));
    return new Members(all);
  }

  JsonValue of(VirtualDeadlock deadlock) {
    Map<String, JsonValue> all = new TreeMap<>(assumed);
    all.put("waits", new Elements(deadlock.waits().stream().<JsonValue>map(Text::new).toList()));
    return new Members(all);
  }

  private static JsonValue picos(double nanos) {
    return new Whole(Math.round(1000 * nanos));
  }

  private static JsonValue numbers(Map<String, Long> values) {
    Map<String, JsonValue> members = new TreeMap<>();
    values.forEach((name, value) -> members.put(name, new Whole(value)));
    return new Members(members);
  }
}
