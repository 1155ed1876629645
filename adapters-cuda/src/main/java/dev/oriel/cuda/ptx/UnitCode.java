package dev.oriel.cuda.ptx;

/**
 * Generates loads and stores of units of 4 or 8 bytes, of data that begins and ends anywhere. Units
 * that are whole and aligned are one access, others go byte by byte. Bytes beyond the data read as
 * 0 and are not stored.
 */
final class UnitCode {
  private final PtxBuilder ptx;
  private final int shift;
  private final int width;

  /**
   * @param shift 2 or 3: a unit has {@code 1 << shift} bytes
   */
  UnitCode(PtxBuilder ptx, int shift) {
    this.ptx = ptx;
    this.shift = shift;
    this.width = 1 << shift;
  }

  /** Loads unit number {@code unit} into a 64-bit register. */
  void load(String data, String from, String bytes, String unit) {
    Place place = place(from, bytes, unit);
    String slow = ptx.label("slow");
    String end = ptx.label("loaded");
    ptx.op("mov.b64 %s, 0", data);
    ptx.opIf(place.slow(), "bra %s", slow);
    ptx.op("ld.global.u%d %s, [%s]", Byte.SIZE * width, data, place.address());
    ptx.op("bra %s", end);
    ptx.place(slow);
    for (int i = 0; i < width; i++) {
      ptx.op("setp.le.u64 %s, %s, %d", place.slow(), place.left(), i);
      ptx.opIf(place.slow(), "bra %s", end);
      String wide = ptx.word();
      ptx.op("ld.global.u8 %s, [%s+%d]", wide, place.address(), i);
      ptx.op("shl.b64 %s, %s, %d", wide, wide, 8 * i);
      ptx.op("or.b64 %s, %s, %s", data, data, wide);
    }
    ptx.place(end);
  }

  /** Stores the low bytes of a 64-bit register. */
  void store(String data, String to, String bytes, String unit) {
    Place place = place(to, bytes, unit);
    String slow = ptx.label("slow");
    String end = ptx.label("stored");
    ptx.opIf(place.slow(), "bra %s", slow);
    ptx.op("st.global.u%d [%s], %s", Byte.SIZE * width, place.address(), data);
    ptx.op("bra %s", end);
    ptx.place(slow);
    for (int i = 0; i < width; i++) {
      ptx.op("setp.le.u64 %s, %s, %d", place.slow(), place.left(), i);
      ptx.opIf(place.slow(), "bra %s", end);
      String low = ptx.word();
      ptx.op("shr.u64 %s, %s, %d", low, data, 8 * i);
      ptx.op("st.global.u8 [%s+%d], %s", place.address(), i, low);
    }
    ptx.place(end);
  }

  /** The address of a unit, the number of bytes left there, and whether to go byte by byte. */
  private record Place(String address, String left, String slow) {}

  private Place place(String base, String bytes, String unit) {
    String at = ptx.word();
    String address = ptx.word();
    String left = ptx.word();
    String low = ptx.word();
    String unaligned = ptx.predicate();
    String slow = ptx.predicate();
    ptx.op("shl.b64 %s, %s, %d", at, unit, shift);
    ptx.op("add.s64 %s, %s, %s", address, base, at);
    ptx.op("min.u64 %s, %s, %s", at, at, bytes);
    ptx.op("sub.s64 %s, %s, %s", left, bytes, at);
    ptx.op("and.b64 %s, %s, %d", low, address, width - 1);
    ptx.op("setp.ne.u64 %s, %s, 0", unaligned, low);
    ptx.op("setp.lt.or.u64 %s, %s, %d, %s", slow, left, width, unaligned);
    return new Place(address, left, slow);
  }
}
