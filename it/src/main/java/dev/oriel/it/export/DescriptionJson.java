package dev.oriel.it.export;

import dev.oriel.cuda.ptx.RankLayout;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.release.ReleaseName;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The description that the Python loader reads. */
final class DescriptionJson {
  /** The number of the format. */
  private static final long FORMAT = 1;

  private DescriptionJson() {}

  /**
   * The description.
   *
   * @param files of the kernels, by the target's name
   * @param test the file of the self-test; empty if there is none
   */
  static JsonValue of(ExportedProgram program, Map<String, String> files, String test) {
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("oriel", new Whole(FORMAT));
    all.put("release", new Text(ReleaseName.NAME));
    all.put("program", new Text(program.form().name()));
    all.put("digest", new Text(program.form().digest()));
    all.put("world", new Whole(program.world()));
    all.put("entry", new Text(program.kernel().entry()));
    all.put("threads", new Whole(program.kernel().threads()));
    all.put("cluster", new Whole(program.kernel().cluster()));
    all.put("atomics", new Whole(program.kernels().atomics() ? 1 : 0));
    Map<String, JsonValue> kernels = new TreeMap<>();
    files.forEach((target, file) -> kernels.put(target, new Text(file)));
    all.put("ptx", new Members(kernels));
    all.put("parameters", texts(program.kernel().values()));
    all.put("buffers", texts(program.buffers()));
    all.put("signals", texts(program.signals()));
    all.put("self_test", new Text(test));
    all.put("cases", new Elements(program.cases().stream().map(one -> of(program, one)).toList()));
    return new Members(all);
  }

  private static JsonValue of(ExportedProgram program, ExportedProgram.Case one) {
    Map<String, JsonValue> params = new TreeMap<>();
    one.program().params().forEach((name, value) -> params.put(name, new Whole(value)));
    List<List<List<Long>>> packets = program.packets(one);
    return new Members(
        Map.of(
            "params", new Members(params),
            "digest", new Text(one.digest()),
            "proved", new Text(one.proved()),
            "ranks",
                new Elements(
                    one.ranks().stream().map(rank -> of(program, rank, packets)).toList())));
  }

  private static JsonValue of(
      ExportedProgram program, RankLayout layout, List<List<List<Long>>> packets) {
    RankProgram rank = layout.rank();
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("values", numbers(program.values(rank)));
    all.put("offsets", numbers(program.offsets(layout)));
    all.put("bytes", numbers(program.bytes(rank)));
    all.put("slots", new Whole(layout.slots()));
    all.put("signals", numbers(program.slots(rank)));
    all.put(
        "packets",
        new Elements(packets.get(rank.rank()).stream().map(DescriptionJson::numbers).toList()));
    all.put("reached", new Whole(layout.reached()));
    all.put("lanes", new Whole(rank.lanes().size()));
    all.put(
        "lane_names", texts(rank.lanes().stream().map(RankProgram.LaneInstance::label).toList()));
    return new Members(all);
  }

  private static JsonValue texts(List<String> texts) {
    return new Elements(texts.stream().<JsonValue>map(Text::new).toList());
  }

  private static JsonValue numbers(List<Long> numbers) {
    return new Elements(numbers.stream().<JsonValue>map(Whole::new).toList());
  }
}
