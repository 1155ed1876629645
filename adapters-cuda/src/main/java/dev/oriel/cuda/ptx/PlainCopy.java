package dev.oriel.cuda.ptx;

/**
 * Generates copies of bytes by weak loads and stores, shared out among the block's threads.
 *
 * <p>The widest unit that divides both addresses is used: 16, 4 or 1 bytes. Bytes after the last
 * whole unit are copied one by one. A thread copies four wide units at a time, all loads before the
 * stores, to keep four requests under way.
 */
final class PlainCopy {
  private static final int UNROLL = 4;

  private final PtxBuilder ptx;
  private final WorkSharingCode threads;

  PlainCopy(PtxBuilder ptx, WorkSharingCode threads) {
    this.ptx = ptx;
    this.threads = threads;
  }

  /** Copies; all three operands are 64-bit registers. */
  void copy(String to, String from, String bytes) {
    String both = ptx.word();
    String low = ptx.word();
    String unaligned = ptx.predicate();
    String four = ptx.label("by4");
    String one = ptx.label("by1");
    String end = ptx.label("moved");
    String start = ptx.word();
    ptx.op("or.b64 %s, %s, %s", both, to, from);
    ptx.op("and.b64 %s, %s, 15", low, both);
    ptx.op("setp.ne.u64 %s, %s, 0", unaligned, low);
    ptx.opIf(unaligned, "bra %s", four);
    units(to, from, bytes, 4, start);
    ptx.op("bra %s", one);
    ptx.place(four);
    ptx.op("mov.b64 %s, 0", start);
    ptx.op("and.b64 %s, %s, 3", low, both);
    ptx.op("setp.ne.u64 %s, %s, 0", unaligned, low);
    ptx.opIf(unaligned, "bra %s", one);
    units(to, from, bytes, 2, start);
    ptx.place(one);
    rest(to, from, bytes, start);
    ptx.place(end);
  }

  /**
   * Copies the whole units of {@code 1 << shift} bytes; leaves the offset of their end in {@code
   * start}.
   */
  private void units(String to, String from, String bytes, int shift, String start) {
    String units = ptx.word();
    String at = ptx.word();
    String step = ptx.word();
    ptx.op("shr.u64 %s, %s, %d", units, bytes, shift);
    ptx.op("shl.b64 %s, %s, %d", start, units, shift);
    ptx.op("shl.b64 %s, %s, %d", at, threads.self(), shift);
    ptx.op("shl.b64 %s, %s, %d", step, threads.count(), shift);
    String wide = ptx.label("wide");
    String narrow = ptx.label("narrow");
    String done = ptx.label("done");
    String last = ptx.word();
    String past = ptx.predicate();
    ptx.place(wide);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", last, step, UNROLL - 1, at);
    ptx.op("setp.ge.u64 %s, %s, %s", past, last, start);
    ptx.opIf(past, "bra %s", narrow);
    move(to, from, at, step, shift, UNROLL);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", at, step, UNROLL, at);
    ptx.op("bra %s", wide);
    ptx.place(narrow);
    ptx.op("setp.ge.u64 %s, %s, %s", past, at, start);
    ptx.opIf(past, "bra %s", done);
    move(to, from, at, step, shift, 1);
    ptx.op("add.s64 %s, %s, %s", at, at, step);
    ptx.op("bra %s", narrow);
    ptx.place(done);
  }

  private void move(String to, String from, String at, String step, int shift, int count) {
    String[] place = new String[count];
    String[][] value = new String[count][shift == 4 ? 2 : 1];
    for (int i = 0; i < count; i++) {
      place[i] = ptx.word();
      if (i == 0) {
        ptx.op("mov.b64 %s, %s", place[i], at);
      } else {
        ptx.op("add.s64 %s, %s, %s", place[i], place[i - 1], step);
      }
      String source = ptx.word();
      ptx.op("add.s64 %s, %s, %s", source, from, place[i]);
      if (shift == 4) {
        value[i][0] = ptx.word();
        value[i][1] = ptx.word();
        ptx.op("ld.global.v2.u64 {%s, %s}, [%s]", value[i][0], value[i][1], source);
      } else {
        value[i][0] = ptx.half();
        ptx.op("ld.global.u32 %s, [%s]", value[i][0], source);
      }
    }
    for (int i = 0; i < count; i++) {
      String target = ptx.word();
      ptx.op("add.s64 %s, %s, %s", target, to, place[i]);
      if (shift == 4) {
        ptx.op("st.global.v2.u64 [%s], {%s, %s}", target, value[i][0], value[i][1]);
      } else {
        ptx.op("st.global.u32 [%s], %s", target, value[i][0]);
      }
    }
  }

  private void rest(String to, String from, String bytes, String start) {
    String at = ptx.word();
    String head = ptx.label("byte");
    String end = ptx.label("bytes");
    String past = ptx.predicate();
    String address = ptx.word();
    ptx.op("add.s64 %s, %s, %s", at, start, threads.self());
    ptx.place(head);
    ptx.op("setp.ge.u64 %s, %s, %s", past, at, bytes);
    ptx.opIf(past, "bra %s", end);
    ptx.op("add.s64 %s, %s, %s", address, from, at);
    ptx.op("ld.global.u8 %%h0, [%s]", address);
    ptx.op("add.s64 %s, %s, %s", address, to, at);
    ptx.op("st.global.u8 [%s], %%h0", address);
    ptx.op("add.s64 %s, %s, %s", at, at, threads.count());
    ptx.op("bra %s", head);
    ptx.place(end);
  }
}
