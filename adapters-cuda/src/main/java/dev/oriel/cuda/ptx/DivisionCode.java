package dev.oriel.cuda.ptx;

/**
 * Generates division of 64-bit words in registers. A program's 64-bit divisions took about a
 * quarter of a microsecond on an H200. Operands that fit 32 bits, as nearly all do, take a shorter
 * path.
 */
final class DivisionCode {
  private final PtxBuilder ptx;

  DivisionCode(PtxBuilder ptx) {
    this.ptx = ptx;
  }

  /** The floored quotient, in {@code result}. */
  void floor(String result, String a, String b) {
    String differ = differ(truncated(result, a, b), b, "lt");
    ptx.opIf(differ, "add.s64 %s, %s, -1", result, result);
  }

  /** The ceiling of the quotient. */
  void ceil(String result, String a, String b) {
    String alike = differ(truncated(result, a, b), b, "ge");
    ptx.opIf(alike, "add.s64 %s, %s, 1", result, result);
  }

  /** The remainder of the floored quotient. */
  void rest(String result, String a, String b) {
    String step = ptx.word();
    String raised = ptx.word();
    ptx.comment(
        "adding the divisor keeps the remainder; it makes -1 non-negative, so the 32-bit division applies");
    ptx.op("max.s64 %s, %s, 0", step, b);
    ptx.op("shr.s64 %s, %s, 63", raised, a);
    ptx.op("and.b64 %s, %s, %s", step, step, raised);
    ptx.op("add.s64 %s, %s, %s", raised, a, step);
    divide("rem", result, raised, b);
    ptx.opIf(differ(result, b, "lt"), "add.s64 %s, %s, %s", result, result, b);
  }

  /** The truncated quotient in {@code result}, and a register with its remainder. */
  private String truncated(String result, String a, String b) {
    String rest = ptx.word();
    divide("div", result, a, b);
    ptx.op("mul.lo.s64 %s, %s, %s", rest, result, b);
    ptx.op("sub.s64 %s, %s, %s", rest, a, rest);
    return rest;
  }

  /** A truncated division: of 32 bits if both operands fit them, which are then not negative. */
  private void divide(String instruction, String result, String a, String b) {
    String either = ptx.word();
    String small = ptx.predicate();
    String left = ptx.half();
    String right = ptx.half();
    ptx.op("or.b64 %s, %s, %s", either, a, b);
    ptx.op("setp.lt.u64 %s, %s, 0x100000000", small, either);
    ptx.op("cvt.u32.u64 %s, %s", left, a);
    ptx.op("cvt.u32.u64 %s, %s", right, b);
    String shorter = ptx.label("short");
    String done = ptx.label("divided");
    ptx.opIf(small, "bra %s", shorter);
    ptx.op("%s.s64 %s, %s, %s", instruction, result, a, b);
    ptx.op("bra %s", done);
    ptx.place(shorter);
    ptx.op("%s.u32 %s, %s, %s", instruction, left, left, right);
    ptx.op("cvt.u64.u32 %s, %s", result, left);
    ptx.place(done);
  }

  /**
   * Whether there is a remainder whose sign and the divisor's differ ({@code lt}) or do not ({@code
   * ge}). An inexact quotient is truncated up if the signs differ, and otherwise down.
   */
  private String differ(String rest, String b, String how) {
    String signs = ptx.word();
    String left = ptx.predicate();
    String answer = ptx.predicate();
    ptx.op("xor.b64 %s, %s, %s", signs, rest, b);
    ptx.op("setp.ne.s64 %s, %s, 0", left, rest);
    ptx.op("setp.%s.and.s64 %s, %s, 0, %s", how, answer, signs, left);
    return answer;
  }
}
