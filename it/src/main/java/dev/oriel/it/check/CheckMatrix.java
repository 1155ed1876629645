package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.rewrite.ReductionEdits;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Every shipped program, in every world, size and layer of one grid: in each cell, every order of
 * synchronisation over three launches.
 */
final class CheckMatrix {
  static final List<String> WORLDS =
      List.of("1x1", "1x2", "2x1", "1x3", "3x1", "1x4", "2x2", "1x8", "2x4");

  /** Nothing, less than an element for each rank, an uneven share, and several packets each. */
  static final List<Long> BYTES = List.of(0L, 4L, 20L, 1000L);

  /** The last one is for the worlds that have requests for a proxy. */
  static final List<Profile> LAYERS =
      List.of(Profile.L1, Profile.L2, Profile.L3, Profile.parse("L2,proxy=1"));

  static final int LAUNCHES = 3;

  /** The budget of one cell, which bounds the whole; a cut search is reported. */
  static final Budget BUDGET = new Budget(1, 20_000, 100_000, 100_000_000);

  private record Elements(ReduceOp op, DataType type) {}

  /** Further element types for reducing programs. */
  private static final List<Elements> ELEMENTS =
      List.of(new Elements(ReduceOp.SUM, DataType.BF16), new Elements(ReduceOp.MAX, DataType.INT8));

  private final List<Entry> entries;

  CheckMatrix(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** One program of the grid, under the name and options that the command takes. */
  record Entry(String name, Form form) {}

  /** One check: its verdict, or why there is none. */
  record Cell(
      Entry entry,
      String world,
      Profile layer,
      long bytes,
      String outcome,
      String message,
      List<String> bounds) {
    boolean holds() {
      return outcome.equals("holds");
    }

    /** The command that repeats the check. */
    String command() {
      Topology topology = Topology.parse(world);
      return "oriel check %s --world %s%s --profile %s --strategy synchronisation"
          .formatted(
              entry.name,
              world,
              entry.form.params().stream()
                  .map(p -> " --set " + p.name() + "=" + value(p, bytes, topology))
                  .reduce("", String::concat),
              layer.name());
    }
  }

  List<Entry> entries() {
    return entries;
  }

  /** All shipped programs, and reducing ones also with other elements. */
  static CheckMatrix shipped(CommandSpec spec) {
    List<Entry> entries = new ArrayList<>();
    for (String name : ProgramTexts.names()) {
      Form form = ProgramTexts.shipped(spec, name);
      entries.add(new Entry(name, form));
      if (ReductionEdits.first(form).isPresent()) {
        for (Elements e : ELEMENTS) {
          String options =
              " --type %s --op %s"
                  .formatted(OptionSpellings.lower(e.type), OptionSpellings.lower(e.op));
          entries.add(new Entry(name + options, ReductionEdits.with(form, e.op, e.type)));
        }
      }
    }
    return new CheckMatrix(entries);
  }

  /** Passes on every check of the program when it is done; the order is always the same. */
  void check(Entry entry, Consumer<Cell> made) {
    for (Profile layer : LAYERS) {
      for (String world : worlds(entry.form, layer)) {
        for (long bytes : sizes(entry.form)) {
          made.accept(cell(entry, layer, world, bytes));
        }
      }
    }
  }

  /** Some programs need mapped memory, and therefore one host. */
  static List<String> worlds(Form form) {
    return mapped(form) ? WORLDS.stream().filter(world -> !rdma(world)).toList() : WORLDS;
  }

  private static List<String> worlds(Form form, Profile layer) {
    return worlds(form).stream().filter(world -> !layer.proxy() || rdma(world)).toList();
  }

  private static boolean mapped(Form form) {
    try {
      return FormLowering.lower(form, Set.of(PeerKind.RDMA)).wantsMappedMemory();
    } catch (ProgramException e) {
      return true;
    }
  }

  private static boolean rdma(String world) {
    return Topology.parse(world).kinds().contains(PeerKind.RDMA);
  }

  private static List<Long> sizes(Form form) {
    return form.params().isEmpty() ? List.of(0L) : BYTES;
  }

  private static Cell cell(Entry entry, Profile layer, String world, long bytes) {
    Map<String, Long> params = new TreeMap<>();
    Topology topology = Topology.parse(world);
    entry.form.params().forEach(p -> params.put(p.name(), value(p, bytes, topology)));
    try {
      Program program = Program.bind(entry.form, topology.world(), params);
      Verdict verdict =
          new Checker(Strategy.SYNCHRONISATION, BUDGET, 1, Checker.strict(layer, LAUNCHES))
              .check(program, topology);
      return new Cell(
          entry,
          world,
          layer,
          bytes,
          verdict.violation().map(Verdict.Violation::kind).orElse("holds"),
          verdict.violation().map(Verdict.Violation::message).orElse(""),
          verdict.bounds());
    } catch (ProgramException | MachineException e) {
      return new Cell(
          entry, world, layer, bytes, "refused", String.valueOf(e.getMessage()), List.of());
    }
  }

  private static long value(Form.Param param, long bytes, Topology topology) {
    return param.name().equals("B") ? bytes : ProgramOptions.representative(param, topology);
  }
}
