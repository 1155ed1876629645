package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.SourceSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Generates moves that reduce. Every thread reads its elements of all sources, one source after
 * another in order, and stores each result once. It handles 16 bytes at a time if every address is
 * a multiple of 16, with several such units under way; otherwise element by element.
 */
final class ReduceCode {
  /** Packets of other sources that are requested before the first is awaited. */
  private static final int SOURCES = 4;

  private static final int UNIT = 16;
  private static final int WORDS = UNIT / 4;

  /**
   * The most units under way: a sum needs a register for each element, and 64 elements of one byte
   * need more than a thread of 512 has.
   */
  private static int unitsAtOnce(AccumulatorCode arithmetic) {
    return arithmetic.bytes() == 1 ? 2 : 4;
  }

  /** The operands of a reduction: addresses of a source, and of every destination. */
  interface Places {
    /** The address of the source's region, for the present value of its variable. */
    String source(SourceSeries series);

    /** Passes the address of every destination, one after another. */
    void destinations(Consumer<String> each);

    /** A 64-bit register that holds the operand. */
    String value(Expr expr);

    /** The register of a name. */
    String name(String name);
  }

  private final PtxBuilder ptx;
  private final WorkSharingCode threads;

  ReduceCode(PtxBuilder ptx, WorkSharingCode threads) {
    this.ptx = ptx;
    this.threads = threads;
  }

  /** All sources are plain. */
  void plain(MicroOperation.Copy c, Combine.Reduce combine, String bytes, Places places) {
    AccumulatorCode arithmetic = new AccumulatorCode(ptx, combine);
    String low = ptx.word();
    String mixed = ptx.word();
    String unaligned = ptx.predicate();
    String single = ptx.label("elements");
    String start = ptx.word();
    String at = ptx.word();
    String step = ptx.word();
    String past = ptx.predicate();
    ptx.op("mov.b64 %s, 0", mixed);
    ptx.op("mov.b64 %s, 0", start);
    eachSource(c.sources(), places, from -> ptx.op("or.b64 %s, %s, %s", mixed, mixed, from));
    places.destinations(to -> ptx.op("or.b64 %s, %s, %s", mixed, mixed, to));
    ptx.op("and.b64 %s, %s, %d", low, mixed, UNIT - 1);
    ptx.op("setp.ne.u64 %s, %s, 0", unaligned, low);
    ptx.opIf(unaligned, "bra %s", single);
    ptx.op("and.b64 %s, %s, %d", start, bytes, -UNIT);
    ptx.op("shl.b64 %s, %s, 4", at, threads.self());
    ptx.op("shl.b64 %s, %s, 4", step, threads.count());
    String many = ptx.label("units");
    String few = ptx.label("unit");
    String last = ptx.word();
    int atOnce = unitsAtOnce(arithmetic);
    ptx.place(many);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", last, step, atOnce - 1, at);
    ptx.op("setp.ge.u64 %s, %s, %s", past, last, start);
    ptx.opIf(past, "bra %s", few);
    units(c, arithmetic, places, at, step, atOnce);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", at, step, atOnce, at);
    ptx.op("bra %s", many);
    ptx.place(few);
    ptx.op("setp.ge.u64 %s, %s, %s", past, at, start);
    ptx.opIf(past, "bra %s", single);
    units(c, arithmetic, places, at, step, 1);
    ptx.op("add.s64 %s, %s, %s", at, at, step);
    ptx.op("bra %s", few);
    ptx.place(single);
    elements(c, arithmetic, places, bytes, start);
  }

  private void units(
      MicroOperation.Copy c,
      AccumulatorCode arithmetic,
      Places places,
      String at,
      String step,
      int count) {
    List<String> offsets = new ArrayList<>();
    List<String[]> sums = new ArrayList<>();
    for (int u = 0; u < count; u++) {
      String offset = ptx.word();
      offsets.add(offset);
      ptx.op("mad.lo.s64 %s, %s, %d, %s", offset, step, u, at);
      sums.add(arithmetic.begin(arithmetic.elements(WORDS)));
    }
    String taken = ptx.word();
    String first = ptx.predicate();
    ptx.op("mov.b64 %s, 0", taken);
    eachSource(
        c.sources(),
        places,
        from -> {
          List<List<String>> read = new ArrayList<>();
          for (String offset : offsets) {
            List<String> words = words(WORDS);
            String address = ptx.word();
            ptx.op("add.s64 %s, %s, %s", address, from, offset);
            ptx.op("ld.global.v4.u32 {%s}, [%s]", String.join(", ", words), address);
            read.add(words);
          }
          ptx.op("setp.eq.u64 %s, %s, 0", first, taken);
          for (int u = 0; u < count; u++) {
            arithmetic.take(sums.get(u), read.get(u), first);
          }
          ptx.op("add.s64 %s, %s, 1", taken, taken);
        });
    List<List<String>> made = new ArrayList<>();
    for (int u = 0; u < count; u++) {
      List<String> words = words(WORDS);
      arithmetic.finish(sums.get(u), taken, words);
      made.add(words);
    }
    places.destinations(to -> {
      for (int u = 0; u < count; u++) {
        String address = ptx.word();
        ptx.op("add.s64 %s, %s, %s", address, to, offsets.get(u));
        ptx.op("st.global.v4.u32 [%s], {%s}", address, String.join(", ", made.get(u)));
      }
    });
  }

  /** Element by element from {@code start} on. */
  private void elements(
      MicroOperation.Copy c,
      AccumulatorCode arithmetic,
      Places places,
      String bytes,
      String start) {
    int width = arithmetic.bytes();
    String at = ptx.word();
    String head = ptx.label("element");
    String end = ptx.label("reduced");
    String past = ptx.predicate();
    String taken = ptx.word();
    ptx.op("mad.lo.s64 %s, %s, %d, %s", at, threads.self(), width, start);
    ptx.place(head);
    ptx.op("setp.ge.u64 %s, %s, %s", past, at, bytes);
    ptx.opIf(past, "bra %s", end);
    String[] sum = arithmetic.begin(1);
    ptx.op("mov.b64 %s, 0", taken);
    eachSource(
        c.sources(),
        places,
        from -> {
          String address = ptx.word();
          List<String> words = words(arithmetic.words(1));
          ptx.op("add.s64 %s, %s, %s", address, from, at);
          if (words.size() == 2) {
            ptx.op("ld.global.v2.u32 {%s}, [%s]", String.join(", ", words), address);
          } else {
            ptx.op("ld.global.u%d %s, [%s]", 8 * width, words.getFirst(), address);
          }
          take(arithmetic, sum, words, taken);
        });
    List<String> made = words(arithmetic.words(1));
    arithmetic.finish(sum, taken, made);
    places.destinations(to -> {
      String address = ptx.word();
      ptx.op("add.s64 %s, %s, %s", address, to, at);
      if (made.size() == 2) {
        ptx.op("st.global.v2.u32 [%s], {%s}", address, String.join(", ", made));
      } else {
        ptx.op("st.global.u%d [%s], %s", 8 * width, address, made.getFirst());
      }
    });
    ptx.op("mad.lo.s64 %s, %s, %d, %s", at, threads.count(), width, at);
    ptx.op("bra %s", head);
    ptx.place(end);
  }

  /**
   * Some sources or destinations are packets, all of one format. Each packet is its own await. Those of a run are
   * requested a few at a time before the first is awaited: their flight times do not add up.
   *
   * @param store stores a thread's words of an item everywhere
   */
  void packets(
      PacketCode packets,
      MicroOperation.Copy c,
      Combine.Reduce combine,
      String bytes,
      Places places,
      BiConsumer<List<String>, String> store) {
    AccumulatorCode arithmetic = new AccumulatorCode(ptx, combine);
    packets
        .sharers()
        .share(
            packets.items(bytes),
            item -> {
              String over = ptx.label("gone");
              String taken = ptx.word();
              String[] sum = arithmetic.begin(arithmetic.elements(packets.words()));
              ptx.op("mov.b64 %s, 0", taken);
              for (SourceSeries s : c.sources()) {
                if (!(s.region().access() instanceof Access.Packets)) {
                  eachSource(
                      List.of(s),
                      places,
                      from -> take(arithmetic, sum, packets.load(from, bytes, item), taken));
                  continue;
                }
                run(
                    s,
                    arithmetic,
                    places,
                    (from, flag) -> packets.ask(from, bytes, flag, item),
                    sum,
                    taken,
                    over);
              }
              List<String> made = words(packets.words());
              arithmetic.finish(sum, taken, made);
              store.accept(made, item);
              ptx.place(over);
            });
  }

  private void take(
      AccumulatorCode arithmetic, String[] sum, List<String> words, String taken) {
    String first = ptx.predicate();
    ptx.op("setp.eq.u64 %s, %s, 0", first, taken);
    arithmetic.take(sum, words, first);
    ptx.op("add.s64 %s, %s, 1", taken, taken);
  }

  private void run(
      SourceSeries s,
      AccumulatorCode arithmetic,
      Places places,
      BiFunction<String, String, PacketCode.LoadedPackets> ask,
      String[] sum,
      String taken,
      String over) {
    if (!(s.region().access() instanceof Access.Packets(var format, Expr flagged))) {
      throw new AssertionError(s);
    }
    int batch = s.single() ? 1 : SOURCES;
    String index = s.single() ? "" : places.name(s.variable());
    String head = ptx.label("packets");
    String end = ptx.label("taken");
    String base = ptx.word();
    String count = places.value(s.count());
    ptx.op("mov.b64 %s, 0", base);
    ptx.place(head);
    List<PacketCode.LoadedPackets> asked = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (int j = 0; j < batch; j++) {
      String beyond = ptx.predicate();
      String number = ptx.word();
      ptx.op("add.s64 %s, %s, %d", number, base, j);
      ptx.op("setp.ge.u64 %s, %s, %s", beyond, number, count);
      if (!index.isEmpty()) {
        ptx.op("min.u64 %s, %s, %s", index, number, last(count));
      }
      asked.add(ask.apply(places.source(s), places.value(flagged)));
      missing.add(beyond);
    }
    String first = ptx.predicate();
    for (int j = 0; j < batch; j++) {
      ptx.opIf(missing.get(j), "bra %s", end);
      List<String> words = asked.get(j).arrived(over);
      if (j == 0) {
        ptx.op("setp.eq.u64 %s, %s, 0", first, taken);
        arithmetic.take(sum, words, first);
      } else {
        arithmetic.take(sum, words);
      }
      ptx.op("add.s64 %s, %s, 1", taken, taken);
    }
    if (!s.single()) {
      String more = ptx.predicate();
      ptx.op("add.s64 %s, %s, %d", base, base, batch);
      ptx.op("setp.lt.u64 %s, %s, %s", more, base, count);
      ptx.opIf(more, "bra %s", head);
    }
    ptx.place(end);
  }

  /**
   * The index of a run's last source. An empty run requests the place of its first source, and uses
   * nothing of it.
   */
  private String last(String count) {
    String last = ptx.word();
    ptx.op("max.u64 %s, %s, 1", last, count);
    ptx.op("add.s64 %s, %s, -1", last, last);
    return last;
  }

  private void eachSource(List<SourceSeries> sources, Places places, Consumer<String> body) {
    for (SourceSeries s : sources) {
      if (s.single()) {
        body.accept(places.source(s));
        continue;
      }
      String index = places.name(s.variable());
      String count = places.value(s.count());
      String head = ptx.label("source");
      String end = ptx.label("sources");
      String done = ptx.predicate();
      ptx.op("mov.b64 %s, 0", index);
      ptx.place(head);
      ptx.op("setp.ge.u64 %s, %s, %s", done, index, count);
      ptx.opIf(done, "bra %s", end);
      body.accept(places.source(s));
      ptx.op("add.s64 %s, %s, 1", index, index);
      ptx.op("bra %s", head);
      ptx.place(end);
    }
  }

  private List<String> words(int count) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      words.add(ptx.half());
    }
    return words;
  }
}
