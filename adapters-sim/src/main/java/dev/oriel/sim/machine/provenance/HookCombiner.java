package dev.oriel.sim.machine.provenance;

import dev.oriel.domain.binding.BoundHook;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.hook.HookContext;
import dev.oriel.domain.hook.HookEvaluator;
import dev.oriel.domain.hook.HookExpr;
import dev.oriel.domain.hook.HookSource;
import dev.oriel.domain.hook.IndexMap;
import dev.oriel.domain.program.HookForm;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.fingerprint.HashMixer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Applies a hook: {@link BoundHook} computes the values, and a value's term is its origin.
 *
 * <p>The origins of an element's bytes form its origin; a byte's origin is the term with the byte's
 * place in the element. So a value that was stored and loaded again keeps its term. A hook in two
 * steps has the origin of the same hook in one, and a copy has that of its source. Roundings, their
 * order and the places of elements all change the origin. A part that reads no source has its value
 * as its term: the index of an element counts, not how it was computed.
 */
public final class HookCombiner implements SourceCombiner {
  private final BoundHook bound;
  private final List<HookSource> sources;

  /** The parts of the hook's value that depend on a source, by identity. */
  private final Set<HookExpr> reading = Collections.newSetFromMap(new IdentityHashMap<>());

  public HookCombiner(HookForm form) {
    bound = BoundHook.of(form);
    sources = bound.hook().sources();
    addReading(bound.hook().value());
  }

  private boolean addReading(HookExpr part) {
    boolean reads = part instanceof HookExpr.In;
    for (HookExpr operand : part.operands()) {
      reads |= addReading(operand);
    }
    if (reads) {
      reading.add(part);
    }
    return reads;
  }

  @Override
  public int taken(int source, int length) {
    return Math.toIntExact(bound.taken(source, length));
  }

  /** The end of the stored outputs, counted from a destination's first byte. */
  public long written(int length) {
    return bound.written(length);
  }

  /** Whether outputs are stored in places other than one after another. */
  public boolean scatters() {
    return !bound.hook().target().equals(IndexMap.IDENTITY);
  }

  /** The runs of bytes that are written; no others are. */
  public List<BoundHook.Run> stored(int length) {
    return bound.runs(length);
  }

  /** Whether another source selects the elements that are read. */
  public boolean gathers(int source) {
    return sources.get(source).map() instanceof IndexMap.Gather;
  }

  /** The source whose words select the elements of that one, which {@link #gathers}. */
  public int table(int source) {
    return sources.get(source).map() instanceof IndexMap.Gather gather ? gather.table() : source;
  }

  @Override
  public void make(long[] data, int count, int length) {
    byte[] values = values(data, length);
    Terms terms = new Terms(data, length);
    HookExpr value = bound.hook().value();
    int width = value.type().bytes();
    long[] made = new long[length];
    for (int at = 0; at < length; at++) {
      made[at] = terms.octet(value, at / width, at % width) | (values[at] & 0xFF);
    }
    System.arraycopy(made, 0, data, 0, length);
  }

  private byte[] values(long[] data, int length) {
    int[] begin = begin(length);
    List<byte[]> taken =
        IntStream.range(0, sources.size())
            .mapToObj(k -> low(data, begin[k], begin[k + 1]))
            .toList();
    return bound.apply(taken, length);
  }

  private static byte[] low(long[] data, int from, int to) {
    byte[] bytes = new byte[to - from];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) data[from + i];
    }
    return bytes;
  }

  private int[] begin(int length) {
    int[] begin = new int[sources.size() + 1];
    for (int k = 0; k < sources.size(); k++) {
      begin[k + 1] = begin[k] + taken(k, length);
    }
    return begin;
  }

  /**
   * The bytes of a source that are read, as runs: for each its first byte and one past its last.
   * Tables that select gathered elements must have been read before.
   */
  public int[] runs(long[] data, int source, int length) {
    Terms terms = new Terms(data, length);
    int width = sources.get(source).type().bytes();
    int[] places =
        IntStream.range(0, (int) bound.outputs(length))
            .map(i -> terms.place(source, i) - terms.begin[source])
            .sorted()
            .distinct()
            .toArray();
    IntStream.Builder runs = IntStream.builder();
    for (int p = 0; p < places.length; p++) {
      if (p == 0 || places[p - 1] + width < places[p]) {
        runs.add(places[p]);
      }
      if (p + 1 == places.length || places[p] + width < places[p + 1]) {
        runs.add(places[p] + width);
      }
    }
    return runs.build().toArray();
  }

  /** The terms of one application. */
  private final class Terms {
    private final long[] data;
    private final int[] begin;
    private final HookContext context;

    Terms(long[] data, int length) {
      this.data = data;
      begin = begin(length);
      context = bound.context(length);
    }

    /** The upper bits of byte {@code b} of output {@code i}, whose value is {@code expr}. */
    long octet(HookExpr expr, long i, int b) {
      HookExpr stored = stored(expr);
      return stored instanceof HookExpr.In in
          ? data[place(in.source(), i) + b] & ~0xFFL
          : TaggedBytes.made(HashMixer.mix(term(stored, i), b), marks(stored, i, 0));
    }

    /** The combined marks of all bytes that the value depends on. */
    private long marks(HookExpr expr, long i, long before) {
      long marks = before;
      for (HookExpr operand : expr.operands()) {
        marks = marks(operand, i, marks);
      }
      int from = expr instanceof HookExpr.In in ? place(in.source(), i) : 0;
      for (int b = 0; expr instanceof HookExpr.In && b < expr.type().bytes(); b++) {
        marks = TaggedBytes.marks(marks, data[from + b]);
      }
      return marks;
    }

    /** Identifies a value by the origins of its bytes, as if it had been stored. */
    private long element(HookExpr expr, long i) {
      HookExpr stored = stored(expr);
      int from = stored instanceof HookExpr.In in ? place(in.source(), i) : -1;
      long term = from < 0 ? term(stored, i) : 0;
      long element = 0;
      for (int b = 0; b < expr.type().bytes(); b++) {
        element =
            HashMixer.mix(
                element, (from < 0 ? HashMixer.mix(term, b) : data[from + b]) & TaggedBytes.ORIGIN);
      }
      return element;
    }

    /** Strips conversions to the type that the value has already. */
    private static HookExpr stored(HookExpr expr) {
      return expr instanceof HookExpr.Cvt c && c.type() == c.value().type()
          ? stored(c.value())
          : expr;
    }

    /** Identifies the operation and its operands. */
    private long term(HookExpr expr, long i) {
      if (!reading.contains(expr)) {
        long value = HookEvaluator.known(expr, context, i);
        return HashMixer.mix(number(expr.type(), value), name(expr.type().symbol()));
      }
      long term =
          switch (expr) {
            case HookExpr.Const _, HookExpr.Index _, HookExpr.Field _, HookExpr.In _ ->
                throw new AssertionError(expr);
            case HookExpr.Unary u -> name(u.op().symbol());
            case HookExpr.Binary b -> name(b.op().symbol());
            case HookExpr.Fma _ -> name("fma");
            case HookExpr.Select s -> name(s.relation().symbol());
            case HookExpr.Cvt c -> name(c.type().symbol());
          };
      for (HookExpr operand : expr.operands()) {
        term = HashMixer.mix(term, element(operand, i));
      }
      return HashMixer.mix(term, name(expr.type().symbol()));
    }

    private static long number(DataType type, long pattern) {
      return HashMixer.mix(name(type.symbol()), pattern);
    }

    private static long name(String symbol) {
      return HashMixer.spread(symbol.hashCode());
    }

    /** The place of a source's element for output {@code i}. */
    private int place(int source, long i) {
      HookSource of = sources.get(source);
      long element =
          switch (of.map()) {
            case IndexMap.Fixed fixed -> fixed.at(i);
            case IndexMap.Gather gather -> gather.at(i, row(source, gather, i));
          };
      return begin[source] + (int) element * of.type().bytes();
    }

    private long row(int source, IndexMap.Gather gather, long i) {
      int row = (int) TaggedBytes.word(data, place(gather.table(), i), Integer.BYTES);
      if (row < 0 || row >= gather.rows()) {
        throw new FindingException(
            new Finding(
                Finding.Kind.BOUNDS,
                "gather row out of range: hook=%s, source=in%d, i=%d, row=%d, rows=%d; mend the table"
                    .formatted(bound.hook().name(), source, i, row, gather.rows())));
      }
      return row;
    }
  }
}
