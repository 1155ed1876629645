package dev.oriel.cuda.ptx;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Packets of 128 bytes: 120 of data, then the 64-bit flag. Eight adjacent threads store or load a
 * line in one instruction, 16 bytes each; the last thread has 8 bytes of data and the flag. NVLink
 * and the memory at its ends keep such a line whole, which no memory model promises: the flag thus
 * vouches for other threads' data.
 *
 * <p>An item is four lines and belongs to a warp. Its threads stay together: they poll, and give
 * up, by votes in which every one of them takes part.
 */
final class LineCopy implements PacketCode {
  private static final int DATA = 120;
  private static final int LINE = 128;
  private static final int PART = 16;
  private static final int UNITS = DATA / Long.BYTES;

  private final PtxBuilder ptx;
  private final WorkSharingCode threads;
  private final BoundedWaitCode waits;
  private final UnitCode data;

  LineCopy(PtxBuilder ptx, WorkSharingCode threads, BoundedWaitCode waits) {
    this.ptx = ptx;
    this.threads = threads;
    this.waits = waits;
    this.data = new UnitCode(ptx, 3);
  }

  @Override
  public WorkSharingCode sharers() {
    return threads.warps();
  }

  @Override
  public String items(String bytes) {
    String items = ptx.word();
    // After 480 bytes another item begins. A quotient by 15 is a product with 2^67 / 15, rounded
    // up.
    ptx.op("add.s64 %s, %s, %d", items, bytes, 4 * DATA - 1);
    ptx.op("shr.u64 %s, %s, 5", items, items);
    ptx.op("mul.hi.u64 %s, %s, 0x8888888888888889", items, items);
    ptx.op("shr.u64 %s, %s, 3", items, items);
    ptx.op("max.u64 %s, %s, 1", items, items);
    return items;
  }

  /**
   * A thread's part of an item.
   *
   * @param place its offset from the first line
   * @param unit the number of its first 8 bytes of data
   * @param inside whether there is such a line
   * @param last whether its upper 8 bytes are the flag
   */
  private record Part(String place, String unit, String inside, String last) {}

  private Part part(String bytes, String item) {
    String within = ptx.word();
    String line = ptx.word();
    String begin = ptx.word();
    String place = ptx.word();
    String unit = ptx.word();
    String first = ptx.predicate();
    String inside = ptx.predicate();
    String last = ptx.predicate();
    ptx.op("bfe.u64 %s, %s, 3, 2", line, threads.self());
    ptx.op("mad.lo.s64 %s, %s, 4, %s", line, item, line);
    ptx.op("and.b64 %s, %s, 7", within, threads.self());
    ptx.op("mul.lo.s64 %s, %s, %d", begin, line, DATA);
    ptx.op("setp.eq.u64 %s, %s, 0", first, line);
    ptx.op("setp.lt.or.u64 %s, %s, %s, %s", inside, begin, bytes, first);
    ptx.op("setp.eq.u64 %s, %s, 7", last, within);
    ptx.op("mul.lo.s64 %s, %s, %d", place, line, LINE);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", place, within, PART, place);
    ptx.op("mul.lo.s64 %s, %s, %d", unit, line, UNITS);
    ptx.op("mad.lo.s64 %s, %s, 2, %s", unit, within, unit);
    return new Part(place, unit, inside, last);
  }

  @Override
  public int unit() {
    return Long.BYTES;
  }

  @Override
  public Content plain(String from, String bytes) {
    return (content, unit) -> data.load(content, from, bytes, unit);
  }

  @Override
  public void pack(
      Content content,
      String bytes,
      String flag,
      String item,
      Consumer<Consumer<String>> everyPeer) {
    Part part = part(bytes, item);
    String low = ptx.word();
    String high = ptx.word();
    String flagged = ptx.label("flagged");
    content.load(low, part.unit());
    ptx.op("mov.b64 %s, %s", high, flag);
    ptx.opIf(part.last(), "bra %s", flagged);
    content.load(high, shifted(part));
    ptx.place(flagged);
    pack(part, low, high, everyPeer);
  }

  @Override
  public void pack(
      List<String> words,
      String bytes,
      String flag,
      String item,
      Consumer<Consumer<String>> everyPeer) {
    Part part = part(bytes, item);
    String high = joined(words.get(2), words.get(3));
    ptx.opIf(part.last(), "mov.b64 %s, %s", high, flag);
    pack(part, joined(words.get(0), words.get(1)), high, everyPeer);
  }

  private void pack(Part part, String low, String high, Consumer<Consumer<String>> everyPeer) {
    everyPeer.accept(to -> {
      String address = ptx.word();
      ptx.op("add.s64 %s, %s, %s", address, to, part.place());
      together();
      ptx.opIf(part.inside(), "st.relaxed.sys.global.v2.u64 [%s], {%s, %s}", address, low, high);
    });
  }

  @Override
  public List<String> load(String from, String bytes, String item) {
    Part part = part(bytes, item);
    String low = ptx.word();
    String high = ptx.word();
    String flagged = ptx.label("flagged");
    data.load(low, from, bytes, part.unit());
    ptx.op("mov.b64 %s, 0", high);
    ptx.opIf(part.last(), "bra %s", flagged);
    data.load(high, from, bytes, shifted(part));
    ptx.place(flagged);
    return halves(low, high);
  }

  @Override
  public void unpack(
      List<String> destinations, String from, String bytes, String flag, String item) {
    Part part = part(bytes, item);
    String over = ptx.label("gone");
    String low = ptx.word();
    String high = ptx.word();
    String address = address(from, part);
    String again = ptx.label("line");
    String here = ptx.label("arrived");
    BoundedWaitCode.WaitTimer watch = waits.start(address);
    ptx.place(again);
    look(part, address, low, high);
    check(part, high, flag, here);
    waits.againTogether(watch, again, over);
    ptx.place(here);
    destinations.forEach(to -> store(part, low, high, to, bytes));
    ptx.place(over);
  }

  @Override
  public LoadedPackets ask(String from, String bytes, String flag, String item) {
    Part part = part(bytes, item);
    String low = ptx.word();
    String high = ptx.word();
    String address = address(from, part);
    look(part, address, low, high);
    return over -> {
      String again = ptx.label("line");
      String check = ptx.label("check");
      String here = ptx.label("arrived");
      BoundedWaitCode.WaitTimer watch = waits.start(address);
      ptx.op("bra %s", check);
      ptx.place(again);
      look(part, address, low, high);
      ptx.place(check);
      check(part, high, flag, here);
      waits.againTogether(watch, again, over);
      ptx.place(here);
      return halves(low, high);
    };
  }

  private List<String> halves(String low, String high) {
    List<String> words = new ArrayList<>();
    for (String both : List.of(low, high)) {
      String first = ptx.half();
      String second = ptx.half();
      ptx.op("mov.b64 {%s, %s}, %s", first, second, both);
      words.add(first);
      words.add(second);
    }
    return words;
  }

  private String joined(String first, String second) {
    String both = ptx.word();
    ptx.op("mov.b64 %s, {%s, %s}", both, first, second);
    return both;
  }

  @Override
  public int words() {
    return PART / Integer.BYTES;
  }

  @Override
  public void eachUnit(String bytes, String item, BiConsumer<String, Integer> body) {
    Part part = part(bytes, item);
    String flagged = ptx.label("flagged");
    body.accept(part.unit(), 0);
    ptx.opIf(part.last(), "bra %s", flagged);
    body.accept(shifted(part), Long.BYTES / Integer.BYTES);
    ptx.place(flagged);
  }

  @Override
  public void store(List<String> words, String to, String bytes, String item) {
    String low = joined(words.get(0), words.get(1));
    String high = joined(words.get(2), words.get(3));
    store(part(bytes, item), low, high, to, bytes);
  }

  private void store(Part part, String low, String high, String to, String bytes) {
    String flagged = ptx.label("flagged");
    data.store(low, to, bytes, part.unit());
    ptx.opIf(part.last(), "bra %s", flagged);
    data.store(high, to, bytes, shifted(part));
    ptx.place(flagged);
  }

  private String address(String from, Part part) {
    String address = ptx.word();
    ptx.op("add.s64 %s, %s, %s", address, from, part.place());
    return address;
  }

  /** The whole warp polls its lines at once. */
  private void look(Part part, String address, String low, String high) {
    ptx.op("mov.b64 %s, 0", low);
    ptx.op("mov.b64 %s, 0", high);
    together();
    ptx.opIf(part.inside(), "ld.relaxed.sys.global.v2.u64 {%s, %s}, [%s]", low, high, address);
  }

  /** Branches to {@code here} once every line carries the flag. */
  private void check(Part part, String high, String flag, String here) {
    String missing = ptx.predicate();
    String any = ptx.predicate();
    ptx.op("setp.ne.and.u64 %s, %s, %s, %s", missing, high, flag, part.last());
    ptx.op("and.pred %s, %s, %s", missing, missing, part.inside());
    ptx.op("vote.sync.any.pred %s, %s, %s", any, missing, WorkSharingCode.WARP);
    ptx.op("not.pred %s, %s", any, any);
    ptx.opIf(any, "bra %s", here);
  }

  /** Reconverges threads of a warp that took different branches. */
  private void together() {
    ptx.comment("the warp's threads look again together: no other access is ordered");
    ptx.op("bar.warp.sync %s", WorkSharingCode.WARP);
  }

  private String shifted(Part part) {
    String unit = ptx.word();
    ptx.op("add.s64 %s, %s, 1", unit, part.unit());
    return unit;
  }
}
