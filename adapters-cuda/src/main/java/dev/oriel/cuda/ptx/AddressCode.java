package dev.oriel.cuda.ptx;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.Slot;

/** Generates addresses of every rank's buffers and slots; see {@link PtxKernel} for the tables. */
final class AddressCode {
  private final PtxBuilder ptx;
  private final ExprCode exprs;
  private final Form form;

  /** The register that holds the address of the bases among the parameters. */
  private final String bases;

  AddressCode(PtxBuilder ptx, ExprCode exprs, Form form, String bases) {
    this.ptx = ptx;
    this.exprs = exprs;
    this.form = form;
    this.bases = bases;
  }

  /** The address {@code offset} bytes into that rank's buffer. */
  String buffer(String name, String rank, Expr offset) {
    String base = base(form.bufferIndex(name), rank);
    String address = ptx.word();
    ptx.op("add.s64 %s, %s, %s", address, base, exprs.of(offset));
    return address;
  }

  /** The address of a slot in {@code owner}'s memory, in the row that {@code source} writes. */
  String slot(Slot slot, String owner, String source) {
    Expr before = Expr.of(0);
    Expr row = Expr.of(0);
    boolean passed = false;
    for (SignalArray s : form.signals()) {
      passed |= s.name().equals(slot.signal());
      before = passed ? before : before.plus(s.count());
      row = row.plus(s.count());
    }
    String base = slots(owner);
    String place = ptx.word();
    ptx.op("mul.lo.s64 %s, %s, %s", place, source, exprs.of(row));
    ptx.op("add.s64 %s, %s, %s", place, place, exprs.of(before.plus(slot.index())));
    String address = ptx.word();
    ptx.op("mul.lo.s64 %s, %s, %s", address, place, Integer.toString(PtxKernel.LINE));
    ptx.op("add.s64 %s, %s, %s", address, address, base);
    return address;
  }

  /** The address of that rank's slots. */
  String slots(String rank) {
    return base(form.buffers().size(), rank);
  }

  private String base(int index, String rank) {
    String place = ptx.word();
    String base = ptx.word();
    ptx.op("mad.lo.s64 %s, %s, %d, %s", place, exprs.register("n"), index, rank);
    ptx.op("shl.b64 %s, %s, 3", place, place);
    ptx.op("add.s64 %s, %s, %s", place, place, bases);
    ptx.op("ld.param.u64 %s, [%s]", base, place);
    return base;
  }
}
