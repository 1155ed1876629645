package dev.oriel.domain.binding;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Inputs whose bytes lanes may read as words of other memory, into which moves and calls bring
 * them. Lanes load, await or change words there, hooks take rows by them, or they may be the flags
 * of packets. A whole buffer counts: this finds too many such inputs rather than too few.
 */
public final class PassedWords {
  private final Form form;

  /** By the base buffer, the bytes of the words that are read there. */
  private final Map<String, Integer> read = new HashMap<>();

  /** The same of inputs, which count only for what is moved into them. */
  private final Map<String, Integer> direct = new HashMap<>();

  /** By the base buffer that holds packets, the bytes of a flag. */
  private final Map<String, Integer> flags = new HashMap<>();

  private boolean grown;

  private PassedWords(Form form) {
    this.form = form;
    form.lanes().stream().map(LaneFamily::body).forEach(body -> block(body, this::reads));
    do {
      grown = false;
      form.lanes().stream().map(LaneFamily::body).forEach(body -> block(body, this::flows));
    } while (grown);
  }

  /** The bytes of such a word, by the name of the input. */
  public static SortedMap<String, Integer> of(Form form) {
    return new PassedWords(form).widths(true);
  }

  /** Buffers that are no inputs, and whose bytes lanes may read as words there or elsewhere. */
  public static Set<String> buffers(Form form) {
    return new PassedWords(form).widths(false).keySet();
  }

  private SortedMap<String, Integer> widths(boolean inputs) {
    SortedMap<String, Integer> widths = new TreeMap<>();
    form.buffers().stream()
        .filter(buffer -> buffer.space().filled() == inputs)
        .forEach(buffer -> {
          Integer width = read.get(base(buffer.name()));
          if (width != null) {
            widths.put(buffer.name(), width);
          }
        });
    return widths;
  }

  private void block(List<Op> ops, Consumer<Op> visit) {
    for (Op op : ops) {
      visit.accept(op);
      switch (op) {
        case Op.If branch -> {
          block(branch.then(), visit);
          block(branch.otherwise(), visit);
        }
        case Op.For loop -> block(loop.body(), visit);
        case Op.Each each -> block(each.body(), visit);
        case Op.Leader leader -> block(leader.body(), visit);
        default -> {}
      }
    }
  }

  private String base(String buffer) {
    return form.base(buffer);
  }

  private void read(Region region, int width) {
    boolean input = form.buffer(region.buffer()).orElseThrow().space().filled();
    (input ? direct : read).merge(base(region.buffer()), width, Math::max);
  }

  private void reads(Op op) {
    switch (op) {
      case Op.Load load -> read(load.word(), load.width());
      case Call.LoadStrong load -> read(load.word(), Long.BYTES);
      case Call.Wait wait -> read(wait.word(), Long.BYTES);
      case Call.Change change -> read(change.word(), Long.BYTES);
      case Call.Lock lock -> read(lock.word(), Long.BYTES);
      case Call.Unlock lock -> read(lock.word(), Long.BYTES);
      case Op.Move move -> {
        move.destinations().forEach(this::packets);
        move.sources().forEach(source -> packets(source.region()));
        tables(move);
      }
      default -> {}
    }
  }

  private void packets(Region region) {
    if (region.access() instanceof Access.Packets(PacketFormat format, var _)) {
      boolean wide = format == PacketFormat.LINE128;
      flags.merge(base(region.buffer()), wide ? Long.BYTES : Integer.BYTES, Math::max);
    }
  }

  private void tables(Op.Move move) {
    if (move.combine() instanceof Combine.Apply(HookForm hook, var _)) {
      for (HookForm.Source source : hook.sources()) {
        if (source.map() instanceof MapForm.Gather(int table, var _, var _)) {
          read(move.sources().get(table).region(), Integer.BYTES);
        }
      }
    }
  }

  private void flows(Op op) {
    switch (op) {
      case Op.Move move -> {
        for (SourceSeries source : move.sources()) {
          move.destinations().forEach(to -> flow(source.region(), to));
        }
      }
      case Call.Put put -> flow(put.from(), put.to());
      case Call.Get get -> flow(get.from(), get.to());
      case Call.Bulk bulk -> flow(bulk.from(), bulk.to());
      case Call.Change change ->
          change.result().ifPresent(result -> flow(change.word(), result.into()));
      default -> {}
    }
  }

  /** Plain bytes in a place of packets may be their flags. */
  private void flow(Region from, Region to) {
    String target = base(to.buffer());
    int flag = to.access().equals(Access.WEAK) ? flags.getOrDefault(target, 0) : 0;
    int width =
        Math.max(flag, Math.max(read.getOrDefault(target, 0), direct.getOrDefault(target, 0)));
    String source = base(from.buffer());
    if (read.getOrDefault(source, 0) < width) {
      read.put(source, width);
      grown = true;
    }
  }
}
