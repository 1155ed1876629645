package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.measure.ProcessorTime;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.ShippedText;
import dev.oriel.domain.program.parse.FormParser;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BindingTest {

  /** Buffers of 64 bytes, a row of 4 slots, a loaded count x up to 8 and two cursors. */
  private static final String FORM =
      """
      form f
      param B <= 64
      let S = 8
      input a[64]
      output b[64]
      scratch c[64 + 16 * r]
      scratch words[512]
      signal D[4]
      lane l(g < 2): sm(32) {
        state s step S
        state w
        load x <- a[0] <= 8 else 1
        %s
      }
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          signal D[4]@self set 1 release         | slot outside its row | signal=D, index=4, low=4, high=4, count=4; declare more slots, or bound the index with min or if
          signal D[g - 1]@self set 1 release     | slot outside its row | signal=D, index=g - 1, low=-1, high=-1, count=4; declare more slots, or bound the index with min or if
          await D[x]@self == 1 acquire           | slot not proved inside its row | signal=D, index=x, low=0, high=8, count=4; declare more slots, or bound the index with min or if
          await D[w]@self == 1 acquire           | slot not proved inside its row | signal=D, index=w, low=unknown, high=unknown, count=4; declare more slots, or bound the index with min or if
          move b[1] <- a[0] bytes 64             | region outside its buffer | buffer=b, owner=0, offset=1, low=1, end=65, size=64; enlarge the buffer, or bound offset and length with min or check
          move b[0] <- a[1] bytes 64             | region outside its buffer | buffer=a, owner=0, offset=1, low=1, end=65, size=64; enlarge the buffer, or bound offset and length with min or check
          move b[65] <- a[0] bytes 0             | region not proved inside its buffer | buffer=b, owner=0, offset=65, low=65, end=65, size=64; enlarge the buffer, or bound offset and length with min or check
          move b[-8] <- a[0] bytes 8             | region outside its buffer | buffer=b, owner=0, offset=-8, low=-8, end=0, size=64; enlarge the buffer, or bound offset and length with min or check
          move b[w] <- a[0] bytes 8              | region not proved inside its buffer | buffer=b, owner=0, offset=w, low=unknown, end=unknown, size=64; enlarge the buffer, or bound offset and length with min or check
          move b[x * 8] <- a[0] bytes 8          | region not proved inside its buffer | buffer=b, owner=0, offset=x * 8, low=0, end=72, size=64; enlarge the buffer, or bound offset and length with min or check
          move c@((r + 1) % n)[0] <- words[0] bytes 81 | region outside its buffer | buffer=c, owner=1, offset=0, low=0, end=81, size=80; enlarge the buffer, or bound offset and length with min or check
          let p = min(x, n - 1) move c@p[0] <- words[0] bytes 80 | region not proved inside its buffer | buffer=c, owner=any, offset=0, low=0, end=80, size=64; enlarge the buffer, or bound offset and length with min or check
          move c@peers[72] pkt8(1) <- a[0] bytes 4 | region outside its buffer | buffer=c, owner=0, offset=72, low=72, end=80, size=64; enlarge the buffer, or bound offset and length with min or check
          move b[0] pkt16(1) <- a[0] bytes 33    | region outside its buffer | buffer=b, owner=0, offset=0, low=0, end=80, size=64; enlarge the buffer, or bound offset and length with min or check
          move b[0] pkt8(1) <- b[0] pkt8(1) bytes 9223372036854775807 | region not proved inside its buffer | buffer=b, owner=0, offset=0, low=0, end=unknown, size=64; enlarge the buffer, or bound offset and length with min or check
          move b[9223372036854775807] <- a[0] bytes 8 | region not proved inside its buffer | buffer=b, owner=0, offset=9223372036854775807, low=unknown, end=unknown, size=64; enlarge the buffer, or bound offset and length with min or check
          move b[0] <- a[0] bytes 0 - 8          | length is negative | bytes=0 - 8; bound it with min, or check it first
          move b[0] <- a[0] bytes 4 - x          | length may be negative | bytes=4 - x; bound it with min, or check it first
          move b[4] pkt8(1) <- a[0] bytes 4      | misaligned packets | buffer=b, offset=4, size=8; use a multiple of the size
          move b[8] pkt16(1) <- a[0] bytes 4     | misaligned packets | buffer=b, offset=8, size=16; use a multiple of the size
          move words[64] line128(1) <- a[0] bytes 4 | misaligned packets | buffer=words, offset=64, size=128; use a multiple of the size
          move b[min(w, 56)] pkt8(1) <- a[0] bytes 4 | packets not proved aligned | buffer=b, offset=min(w, 56), size=8; use a multiple of the size
          store b[4] <- 1                        | misaligned word | buffer=b, offset=4, size=8; use a multiple of the size
          load y <- a[60] <= 1 else 1            | region outside its buffer | buffer=a, owner=0, offset=60, low=60, end=68, size=64; enlarge the buffer, or bound offset and length with min or check
          load y <- a[8] <= 0 - 1 else 1         | limit may be negative | limit=0 - 1; give 0 to 2^63 - 1
          load y <- a[8] <= w else 1             | limit may be negative | limit=w; give 0 to 2^63 - 1
          move b[0] <- sum fp32 in fp32 (a[0]) bytes 6 | length is not whole elements | bytes=6, element=4; use a multiple of the element's size
          move b[0] <- sum fp32 in fp32 (a[2]) bytes 4 | misaligned elements | buffer=a, offset=2, size=4; use a multiple of the size
          move b[2] <- sum fp64 in fp64 (a[0]) bytes 8 | misaligned elements | buffer=b, offset=2, size=8; use a multiple of the size
          move b[4] <- b[0] bytes 8              | overlapping regions | buffer=b, owner=0; move through another buffer
          move b[0], b[7] <- a[0] bytes 8        | overlapping regions | buffer=b, owner=0; move through another buffer
          move b[0], b[0] <- a[0] bytes 8        | overlapping regions | buffer=b, owner=0; move through another buffer
          move b[0] pkt8(1), b[32] <- a[0] bytes 20 | overlapping regions | buffer=b, owner=0; move through another buffer
          move c@r[4] <- c[0] bytes 8            | overlapping regions | buffer=c, owner=0; move through another buffer
          flush @n local                         | peer is not a rank | peer=n, low=3, high=3, world=3; take it modulo n, or guard it with if
          flush @(r - 1) local                   | peer is not a rank | peer=r - 1, low=-1, high=-1, world=3; take it modulo n, or guard it with if
          move c@x[0] <- a[0] bytes 8            | peer not proved to be a rank | peer=x, low=0, high=8, world=3; take it modulo n, or guard it with if
          each p in @x {}                        | peer not proved to be a rank | peer=x, low=0, high=8, world=3; take it modulo n, or guard it with if
          set s = s + 4                          | state leaves its step | state=s, step=8, value=s + 4; add multiples of the step only
          set s = w                              | state leaves its step | state=s, step=8, value=w; add multiples of the step only
          move b[max(w, 1)] <- a[0] bytes 1      | region not proved inside its buffer | buffer=b, owner=0, offset=max(w, 1), low=unknown, end=unknown, size=64; enlarge the buffer, or bound offset and length with min or check
          for t < w {}                           | loop without a bound | variable=t, count=w; bound the count from 0 to a parameter or a loaded word's limit; a failed check bounds nothing
          for t < 0 - 1 {}                       | loop without a bound | variable=t, count=0 - 1; bound the count from 0 to a parameter or a loaded word's limit; a failed check bounds nothing
          for t < x - 4 {}                       | loop without a bound | variable=t, count=x - 4; bound the count from 0 to a parameter or a loaded word's limit; a failed check bounds nothing
          for t < 70 { store words[t * 8] <- 1 } | region not proved inside its buffer | buffer=words, owner=0, offset=t * 8, low=0, end=560, size=512; enlarge the buffer, or bound offset and length with min or check
          let y = 8 / x                          | divisor may be zero | operand=8 / x; keep it positive, for example with max(1, divisor)
          let y = 8 % (r - r)                    | divisor is zero | operand=8 % (r - r); keep it positive, for example with max(1, divisor)
          let y = ceil(8, w)                     | divisor may be zero | operand=ceil(8, w); keep it positive, for example with max(1, divisor)
          signal D[0]@self set 8 / x release     | divisor may be zero | operand=8 / x; keep it positive, for example with max(1, divisor)
          await D[0]@self == 8 / x acquire       | divisor may be zero | operand=8 / x; keep it positive, for example with max(1, divisor)
          store b[0] <- 8 / x                    | divisor may be zero | operand=8 / x; keep it positive, for example with max(1, divisor)
          check 8 / x == 1 else 1                | divisor may be zero | operand=8 / x; keep it positive, for example with max(1, divisor)
          move b[0] pkt8(8 / x) <- a[0] bytes 4  | divisor may be zero | operand=8 / x; keep it positive, for example with max(1, divisor)
          let y = nz32(8 / x)                    | divisor may be zero | operand=8 / x; keep it positive, for example with max(1, divisor)
          """)
  void rejectsUnsafePrograms(String operation, String what, String facts) {
    assertThatThrownBy(() -> bind(operation))
        .isInstanceOf(ProgramException.class)
        .message()
        .startsWith(what + ": rank=0, lane=l[0], operation=")
        .endsWith(", " + facts);
  }

  @Test
  void multiplesOfThreeAreNotPreservedByAWrap() {
    refused("let o = w * 24 % 48 store words[o * 16] <- 1", "end=648, size=512");
    accepted("let o = min(x * 24, 192) % 48 move words[464 + o] <- a[0] bytes 24");
  }

  @Test
  void aFailedLaneStillSignals() {
    refused(
        "check w < 4 else 1 signal D[w]@self set 1 release",
        "slot not proved inside its row: rank=0, lane=l[0], operation=signal D[w] set 1 release, after=a"
            + " failed check, signal=D");
    refused("check w < n else 1 signal D[0]@w set 1 release", "peer not proved to be a rank");
    refused("check w < n else 1 flush @w local", "peer not proved to be a rank");
    refused("check w < 9 else 1 for t < w {}", "loop without a bound");
    refused("check w < 9 else 1 for t < w { signal D[0]@self set 1 release }", "without a bound");
    refused("check x > 0 else 1 let y = 8 / x", "divisor may be zero");
    refused("check x < 4 else 1 each p in all { signal D[x]@p set 1 release }", "after=a failed");
    refused(
        "each p in all { check x < 4 else 1 } signal D[x]@self set 1 release", "after=a failed");
    refused("for t < 2 { check x < 4 else 1 } signal D[x]@self set 1 release", "after=a failed");
    refused("if x > 1 { check x < 4 else 1 signal D[x]@self set 1 release }", "after=a failed");
    refused(
        "if x < 1 {} else { check x < 4 else 1 signal D[x]@self set 1 release" + " }",
        "after=a failed");
    accepted("if x < 4 { check w < 4 else 1 signal D[x]@self set 1 release }");
    accepted("check x < 4 else 1 signal D[min(x, 3)]@self set 1 release");
    accepted("check x < 4 else 1 await D[0]@self == 1 acquire signal D[0]@self set 1 release");
    accepted("check w < 4 else 1 load y <- a[8 * w] <= 3 else 1 signal D[y]@self set 1 release");
    accepted(
        "check w < 4 else 1 load y <- a[0] <= min(w, 3) else 1 signal D[y]@self set 1 release");
    accepted("check w < 8 else 1 store words[w * 8] <- 1 move b[w] <- a[0] bytes 57");
  }

  @Test
  void factsOfABranchOrAnIterationEndWithIt() {
    refused("if w < 4 {} move b[w] <- a[0] bytes 1", "region not proved");
    refused("if w < 4 {} else { move b[w] <- a[0] bytes 1 }", "region not proved");
    refused("if w < 4 { set w = w + 61 move b[w] <- a[0] bytes 1 }", "region not proved");
    refused("if w < 4 { set w = w + 1 } move b[w] <- a[0] bytes 1", "region not proved");
    refused(
        "set w = 1 if x > 3 { set w = 99 } else { move b[w] <- a[0] bytes 1 } "
            + "move b[w] <- a[0] bytes 1",
        "region not proved");
    refused(
        "set w = 1 each p in all { move b[w] <- a[0] bytes 1 set w = 99 }", "region not proved");
    refused("set w = 1 for t < 2 { move b[w] <- a[0] bytes 1 set w = 99 }", "region outside");
    refused(
        "if x == 3 { let y = w % 64 } check x > 0 else 1 move b[w] <- a[0] bytes 1",
        "region not proved");
    refused(
        "check w < 8 else 1 for t < 100 { move b[w] <- a[0] bytes 1 set w = w + 1 }",
        "region not proved");
    refused("for t < x { check w < 4 else 1 } move b[w] <- a[0] bytes 1", "region not proved");
    refused("if x > 3 { set w = 1 } move b[w] <- a[0] bytes 1", "region not proved");
    accepted("check w < 8 else 1 if x > 3 { sync } move b[8] <- a[0] bytes 8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for t < ceil(B, S) { let m = min(S, B - t * S) move b[t * S] <- a[t * S] bytes m }",
        "let C = S * ceil(ceil(B, S), 2) let o = min(g * C, B) let m = min(C, B - o)"
            + " for t < ceil(m, S) { let k = min(S, m - t * S)"
            + " move b[o + t * S] <- a[o + t * S] bytes k }",
        "for t < ceil(x, 4) { let m = min(4, x - t * 4) move b[t * 4] <- a[t * 4] bytes m }",
        "for t < x / 4 { move b[t * 4] <- a[t * 4] bytes 4 }",
        "for t < 64 { store words[t * 8] <- t }",
        "for t < 65 { store words[t * 7 / 8 * 8] <- t }",
        "for t < 64 { for u < 8 { move words[t * 8 + u] <- a[u] bytes 1 } }",
        "move words[s % (4 * S)] <- a[0] bytes S",
        "move words[s % 512] <- a[0] bytes S",
        "move words[g * 4 * S + s % (4 * S)] <- a[0] bytes 8",
        "move words[(s - S) % 512] pkt8(1) <- a[0] bytes 4",
        "move words[w % 505] <- a[0] bytes 8",
        "move words[min(w, 504)] <- a[0] bytes 8",
        "move words[min(504, w)] <- a[0] bytes 8",
        "let y = min(w, x) move b[y] <- a[x - y] bytes 56",
        "move words[(epoch & 1) * 256] <- a[0] bytes 64",
        "move words[(epoch & 1) * 256] pkt16(nz32(epoch)) <- a[0] bytes 64",
        "load o <- a[8] <= 64 else 1 check o + x <= 64 else 2 move b[o] <- a[o] bytes x",
        "load o <- a[8] <= 512 else 1 check o <= 64 and o + x <= 64 else 2 move b[0] <- a[o] bytes x",
        "load o <- a[8] <= 512 else 1 if o + x <= 64 { move b[o] <- a[o] bytes x }",
        "load o <- a[8] <= 512 else 1 if o + x > 64 {} else { move b[o] <- a[o] bytes x }",
        "load o <- a[8] <= 512 else 1 if 64 < o {} else { move b[0] <- a[0] bytes o }",
        "load o <- a[8] <= 512 else 1 if o >= 65 {} else { move b[0] <- a[0] bytes o }",
        "load o <- a[8] <= 512 else 1 if 65 <= o {} else { move b[0] <- a[0] bytes o }",
        "load o <- a[8] <= 512 else 1 if o != 64 {} else { move b[0] <- a[0] bytes o }",
        "load o <- a[8] <= 512 else 1 if o == 64 { move b[0] <- a[0] bytes o }",
        "load o <- a[8] <= 512 else 1 check 64 >= o else 1 move b[0] <- a[0] bytes o",
        "load o <- a[8] <= 512 else 1 check 65 > o else 1 move b[0] <- a[0] bytes o",
        "if w <= 2 and w >= 1 { store b[8 * (w - 1)] <- 1 }",
        "if w >= 1 and w <= 2 { store b[8 * (w - 1)] <- 1 }",
        "if 2 >= w and 1 <= w { store b[8 * (w - 1)] <- 1 }",
        "if 0 < w and 3 > w { store b[8 * (w - 1)] <- 1 }",
        "if w >= 1 { if w <= 2 { store b[8 * (w - 1)] <- 1 } }",
        "if w <= 2 { if w >= 1 { store b[8 * (w - 1)] <- 1 } }",
        "if w < 1 {} else { if w > 2 {} else { store b[8 * (w - 1)] <- 1 } }",
        "if w != 0 and w <= 2 { store b[8 * (w - 1)] <- 1 }",
        "if w == 0 {} else { if w <= 2 { store b[8 * (w - 1)] <- 1 } }",
        "if w - 1 <= 1 { store b[8 * (w - 1)] <- 1 }",
        "if w - 1 < 2 and w != 1 { store b[8 * (w - 2)] <- 1 }",
        "if w + 5 <= 12 and w + 5 >= 5 { store b[8 * w] <- 1 }",
        "if w == 7 { store b[8 * w] <- 1 }",
        "if w - 3 == 4 { store b[8 * w] <- 1 }",
        "if w == x and x != 8 { store b[8 * w] <- 1 }",
        "if w == x and x >= 1 { store b[8 * (w - 1)] <- 1 }",
        "if x >= 1 and x <= 7 {} else { if x != 0 {} else { store b[8 * x] <- 1 } }",
        "if x <= 8 and x >= 4 {} else { store b[8 * (x + 4)] <- 1 }",
        "check w >= 2 and w <= 9 else 1 store b[8 * (w - 2)] <- 1",
        "check w >= 2 else 1 check w <= 9 else 1 store b[8 * (w - 2)] <- 1",
        "check w >= 2 else 1 sync let y = w - 2 if y < 8 { store b[8 * y] <- 1 }",
        "if w % 16 <= 7 { store b[8 * (w % 16)] <- 1 }",
        "if min(w, 9) < 8 { store b[8 * min(w, 9)] <- 1 }",
        "if x / 2 > 0 { store b[8 * (x / 2 - 1)] <- 1 }",
        "if w < 64 { if w / 8 > 0 { store b[8 * (w / 8 - 1)] <- 1 } }",
        "if w < 4 { if w reached 1 { store b[8 * (w - 1)] <- 1 } }",
        "if w < 4 { if w reached 1 {} else { store b[8 * (7 - w)] <- 1 } }",
        "if w reached 1 << 63 { sync } else { store b[0] <- 1 }",
        "if w reached 1 << 63 and x == 1 { sync } else { store b[8] <- 1 }",
        "if w < 3 { if w > 5 { store b[8 * w + 99] <- 1 } }",
        "set w = 7 store b[8 * w] <- 1",
        "set w = min(x, 6) if x > 3 { sync } set w = w + 1 store b[8 * w] <- 1",
        "if w < 4 { set w = w + 1 move b[w] <- a[0] bytes 1 }",
        "check w < 8 else 1 if x > 3 { sync } store b[8 * w] <- 1",
        "check w < 8 else 1 for t < 100 { store b[8 * w] <- 1 }",
        "if w < 3 { for t < w * w { move b[t * 4] <- a[0] bytes 4 } }",
        "for t < 2 { if r ^ (1 << t) < n { signal D[t]@(r ^ (1 << t)) set epoch release } }",
        "for t < 100 { signal D[t & 3]@(t % n) set 1 release }",
        "for t < 100 { if t < n { signal D[0]@t set 1 release } }",
        "each p in all { let q = (p + r) % n signal D[g]@q set 1 release }",
        "each p in peers { if p > r { move c@p[0] <- a[0] bytes 64 } }",
        "each p in @(x % n) { move c@p[0] <- a[0] bytes 64 }",
        "each p in @(x % n) { if p == 1 { move b[p * 60] <- a[0] bytes 4 } }",
        "move c@((r + 1) % n)[64] <- a[0] bytes 16 * ((r + 1) % n)",
        "move c@((r - 1) % n)[0] <- a[0] bytes 64",
        "let y = max(x, 3) move b[y] <- a[y] bytes 56",
        "let y = max(1, x) move b[64 / y] <- a[0] bytes 0",
        "let y = x % max(1, min(x, 4)) signal D[y]@self set 1 release",
        "let y = 24 / max(1, x) move b[y] <- a[y] bytes 40",
        "let y = x >> 1 signal D[min(y, 3)]@self set 1 release move b[y] <- a[y] bytes 60",
        "let y = x << 2 move b[y] <- a[y] bytes 32",
        "let y = x | 7 move b[y] <- a[y] bytes 49",
        "let y = x ^ 7 move b[y] <- a[y] bytes 49",
        "let y = x & 3 signal D[y]@self set 1 release",
        "let y = 3 & w signal D[y]@self set 1 release",
        "let y = x * x store words[y * 7 / 8 * 8] <- 1",
        "move b[0] <- sum fp32 in fp32 (a[0], a[4 * x], b[0]) bytes 32",
        "move b[0], c[0] <- a[0] bytes 64",
        "move b[0], b[8] <- a[0] bytes 8",
        "move b[8] <- b[0] bytes 8",
        "move b[0] <- b[0] bytes 8",
        "move b[0] <- b[4] bytes min(x, 8)",
        "move b[0] <- a[0] bytes x * 8",
        "move b[64] <- a[64] bytes 0",
        "move b[48] pkt16(1) <- a[64] bytes 0",
        "set s = 0 set s = s - 3 * S set w = w * 3 + x",
        "if n == 3 { signal D[3]@self set 1 release } else { signal D[99]@self set 1 release }",
        "if n != 3 { signal D[99]@self set 1 release }",
        "if r reached 0 and w reached 5 { signal D[0]@self set 1 release }",
        "for t < 0 { signal D[99]@self set 1 release }",
        "for t < min(x, 0) { signal D[99]@self set 1 release }",
        "store words[504] <- 1 / (0 - 1)",
        "load y <- a[8] <= 9223372036854775807 else 1"
      })
  void acceptsWhatIsRight(String operation) {
    accepted(operation);
  }

  @Test
  void doesNotWalkABranchThatNoRankTakes() {
    accepted("if r > n { move b[w] <- a[w] bytes w } else { sync }");
    accepted("if r <= n { sync } else { move b[w] <- a[w] bytes w }");
  }

  @Test
  void rejectsAnUnmatchedWait() {
    String waits = "lane l: host { %s }\n";
    String form = "form f\nsignal D[4]\nscratch c[64 * n]\n" + waits;
    assertThatThrownBy(() -> bindText(form.formatted("await D[0]@((r + 1) % n) == 1 acquire"), 4))
        .isInstanceOf(ProgramException.class)
        .hasMessage(
            "wait that nothing matches: rank=0, lane=l, operation=await D[0]@((r + 1) % n) == 1"
                + " acquire, signal=D, sender=1, receiver=0, slot=0; send it, or do not wait for"
                + " it");
    String sent = "signal D[0]@((r + 1) % n) set 1 release ";
    stuck(form.formatted(sent + "await D[0]@((r + 1) % n) == 1 acquire"), 4);
    stuck(form.formatted(sent + "await D[1]@((r - 1) % n) == 1 acquire"), 4);
    stuck(form.formatted(sent + "await sum D[1]@all == 1 acquire"), 4);
    stuck(form.formatted(sent + "await D[0]@peers == 1 acquire"), 3);
    stuck(form.formatted(sent + "await D[0]@self == 1 acquire"), 3);
    stuck(form.formatted("if r == 0 { signal D[0]@1 set 1 release } await D[0]@0 == 1 acquire"), 3);
    flows(form.formatted(sent + "await D[0]@((r - 1) % n) == 1 acquire"), 64);
    flows(form.formatted(sent + "await D[0]@((r + 1) % n) == 1 acquire"), 2);
    flows(form.formatted(sent + "await sum D[0]@all == 1 acquire"), 4);
    flows(
        form.formatted("signal D[epoch & 1]@peers set 1 release await D[1]@peers == 1 acquire"), 4);
    flows(form.formatted("signal D[3]@(epoch & 1) set 1 release await D[3]@all == 1 acquire"), 2);
    flows(form.formatted("await D[0]@peers == 1 acquire"), 1);
    flows(form.formatted("await D[0]@((r + 1) % n) == 1 acquire"), 65);
  }

  @Test
  void rejectsUnmatchedPackets() {
    String form = "form f\nscratch c[64 * n]\noutput b[64]\nlane l: host { %s }\n";
    String sent = "move c@((r + 1) %% n)[64 * r] pkt8(1) <- b[0] bytes 32 ";
    assertThatThrownBy(() ->
            bindText(
                form.replace("%s", sent + "move b[0] <- c[64 * r] pkt8(1) bytes 32")
                    .replace("%%", "%"),
                3))
        .hasMessageStartingWith("wait that nothing matches: rank=0, lane=l, operation=move b[0]")
        .hasMessageContaining("packets=c, sender=any, receiver=0, byte=0..63");
    flows(
        form.replace("%s", sent + "move b[0] <- c[(r - 1) %% n * 64] pkt8(1) bytes 32")
            .replace("%%", "%"),
        3);
  }

  @Test
  void checksPostConditions() {
    String form = "form f\nparam B <= 8\noutput b[64]\nensure %s\nlane l(i < 0): host {}\n";
    assertThatThrownBy(() -> bindText(form.formatted("b[60] = b[0] bytes B"), 2))
        .hasMessage(
            "region outside its buffer: rank=0, ensure=b[60], buffer=b, owner=0,"
                + " offset=60, low=60, end=68, size=64; enlarge the buffer, or bound offset and"
                + " length with min or check");
    assertThatThrownBy(() -> bindText(form.formatted("b[0] = b@(1 - r)[60] bytes B"), 2))
        .hasMessageStartingWith("region outside its buffer: rank=0, ensure=b[0]")
        .hasMessageContaining("owner=1");
    assertThatThrownBy(() -> bindText(form.formatted("b[0] = b[0] bytes B - 9"), 2))
        .hasMessage(
            "length is negative: rank=0, ensure=b[0], bytes=B - 9; bound it with min, or check"
                + " it first");
    assertThatThrownBy(() -> bindText(form.formatted("b[0] = b@(r + 1)[0] bytes B"), 2))
        .hasMessageStartingWith("peer is not a rank: rank=1, ensure=b[0], peer=r + 1");
    assertThatThrownBy(() -> bindText(form.formatted("each p in @n: b[0] = b[0] bytes B"), 2))
        .hasMessageStartingWith("peer is not a rank: rank=0, ensure=b[0], peer=n");
    assertThatThrownBy(
            () -> bindText(form.formatted("each p in all: b[p * 8] = b@p[0] bytes B"), 9))
        .hasMessageContaining("offset=p * 8, low=64, end=72");
    assertThatThrownBy(() -> bindText(form.formatted("each p in all: b[p] = b@p[0] bytes 1"), 100))
        .hasMessageContaining("offset=p, low=0, end=100");
    assertThatThrownBy(() -> bindText(form.formatted("each p in peers: b[p] = b[0] bytes 64"), 2))
        .hasMessageContaining("rank=0, ensure=b[p], buffer=b, owner=0, offset=p, low=1");
    flows(form.formatted("each p in @((r + 1) % n): b[p * 8] = b@p[0] bytes B"), 8);
    flows(form.formatted("each p in peers: b[0] = b@p[0] bytes B"), 100);
  }

  @Test
  void postConditionWithoutBytesPromisesNothing() {
    String form =
        "form f\nparam B <= 8\noutput b[B * n]\nensure b[8 * n] = b@(n + r)[99] bytes B\nlane l: host {}\n";
    Program empty = Program.bind(FormParser.parse(form), 2, Map.of("B", 0L));
    assertThat(empty.rank(0).claims(BoundPostCondition.InitialContents.UNKNOWN)).isEmpty();
    assertThatThrownBy(() -> Program.bind(FormParser.parse(form), 2, Map.of("B", 1L)))
        .hasMessageStartingWith("region outside its buffer: rank=0, ensure=b[8 * n]");
  }

  @Test
  void checksSizesAndCounts() {
    bad("input a[0 - 1]", "what=size of buffer a, rank=0, value=-1, max=70368744177664");
    bad("input a[(1 << 46) + 1]", "what=size of buffer a, rank=0, value=70368744177665");
    bad("output a[8 - 8 * r]", "what=size of buffer a, rank=2, value=-8");
    bad("signal D[(1 << 24) + 1]", "what=count of signal D, rank=0, value=16777217, max=16777216");
    bad("signal D[0 - 1]", "what=count of signal D, rank=0, value=-1");
    flows("form f input a[1 << 46] signal D[1 << 24] lane l: host {}", 3);
    lanes("i < 65537", "value out of range: what=count of lane l, rank=0, value=65537, max=65536");
    lanes("i < 0 - 1", "value out of range: what=count of lane l, rank=0, value=-1, max=65536");
    lanes("i < 65536, j < 2", "too many lanes: rank=0, lane=l, max=65536; use fewer lanes");
    lanes("i < 65536, j < 65536, k < 0", "too many lanes");
    assertThatThrownBy(() -> bindText("form f lane l(i < 2, j < 3): sm(32) cluster(4) {}", 1))
        .hasMessage(
            "lanes do not fill clusters: rank=0, lane=l, lanes=6, cluster=4; use a multiple");
    assertThat(bindText("form f lane l(i < 2, j < 2): sm(32) cluster(4) {}", 1).rank(0).lanes())
        .hasSize(4);
    assertThat(bindText("form f lane l(i < 256, j < 256): host {}", 1).rank(0).lanes())
        .hasSize(65_536);
    for (String step : new String[] {"0", "0 - 8", "24", "0x8000000000000000"}) {
      assertThatThrownBy(
              () -> bindText("form f lane l: host { state s step %s }".formatted(step), 1))
          .hasMessageStartingWith("step is no power of two: rank=0, lane=l, operation=start")
          .hasMessageEndingWith("; use one, so that the word stays a multiple of it when it wraps");
    }
  }

  @Test
  void namesADivisionByZeroInADeclaration() {
    assertThatThrownBy(() -> bindText("form f param B <= 9 let x = 1 / (B - B) lane l: host {}", 1))
        .isInstanceOf(ProgramException.class)
        .hasMessage("division by zero: operand=1 / (B - B); keep the divisor positive");
  }

  @Test
  void checksWorldAndParameters() {
    Form form = ShippedText.form("ring_send_recv");
    for (int world : new int[] {0, -1, (1 << 20) + 1, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> Program.bind(form, world, Map.of()))
          .isInstanceOf(ProgramException.class)
          .hasMessage(
              "world out of range: world=%d, min=1, max=1048576; give the number of ranks"
                  .formatted(world));
    }
    assertThatThrownBy(() -> Program.bind(form, 2, Map.of("C", 1L)))
        .isInstanceOf(ProgramException.class)
        .hasMessage("unknown parameter: name=C, form=ring_send_recv; known: B");
    for (long bytes : new long[] {-1, 16_777_217, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> Program.bind(form, 2, Map.of("B", bytes)))
          .isInstanceOf(ProgramException.class)
          .hasMessage(
              "parameter out of range: name=B, value=%d, min=0, max=16777216; give a value in"
                      .formatted(bytes)
                  + " between");
    }
    assertThat(Program.bind(form, 2, Map.of()).params())
        .containsExactly(Map.entry("B", 16_777_216L));
    assertThat(Program.bind(form, 2, Map.of("B", 3L)).params()).containsExactly(Map.entry("B", 3L));
  }

  @Test
  void checksALargeWorldRankByRank() {
    Form form =
        FormParser.parse(
            "form f output b[8] lane l: host { if r == 70 { move b[8] <- b[0] bytes 8 } }");
    Program program = Program.bind(form, 100, Map.of());
    assertThatCode(() -> program.rank(69)).doesNotThrowAnyException();
    assertThatThrownBy(() -> program.rank(70))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("region outside its buffer: rank=70");
    for (int rank : new int[] {-1, 100}) {
      assertThatThrownBy(() -> program.rank(rank))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("rank out of range: rank=%d, world=100; use 0 to 99".formatted(rank));
    }
  }

  @Test
  void provesForAnyPeerOfALargeWorld() {
    String form = "form f output b[8 * n] output c[8 + r] scratch d[8] lane l: host { state w %s }";
    flows(form.formatted("each p in peers { move b@p[r * 8] <- b[p * 8] bytes 8 }"), 70);
    flows(form.formatted("move b@all[r * 8] <- b[0] bytes 8"), 70);
    large(form, "each p in peers { move b@p[r * 8 + 8] <- b[p * 8 + 8] bytes 8 }", "end=568");
    large(form, "move c@all[0] <- b[0] bytes 8", "size differs by rank: rank=0");
    large(form, "check w < 7 else 1 each p in all { set w = w + 1 move d[w] <- b[0] bytes 1 }", "");
    large(
        form,
        "check w < 8 else 1 each p in all { move d[w] <- b[0] bytes 1 set w = w + 1 }",
        "region not proved");
    large(
        form,
        "each p in all { check w < 8 else 1 } move d[w] <- b[0] bytes 1",
        "region not proved");
    flows(
        form.formatted("check w < 8 else 1 each p in all { sync } move d[0] <- b[0] bytes 8"), 70);
  }

  @Test
  void endsQuicklyOnFormsThatAreHardToProve() {
    StringBuilder checks = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      checks.append("check x + w %% 5 <= ").append(i).append(" else 1\n");
    }
    String form = FORM.replace("%s", checks + "move b[x + w %% 9] <- a[0] bytes 60").formatted();
    Duration took =
        ProcessorTime.of(() ->
            assertThatThrownBy(() -> bindText(form, 64)).isInstanceOf(ProgramException.class));
    assertThat(took).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void boundsTheEffortOfABinding() {
    Program program =
        bindText("form f signal D[1] lane l: host { for t < 9 { flush self local } }", 1);
    RankProgram rank = program.rank(0);
    assertThatCode(() -> check(rank, new BindingBudget(10))).doesNotThrowAnyException();
    assertThatThrownBy(() -> check(rank, new BindingBudget(9)))
        .isInstanceOf(ProgramException.class)
        .hasMessage("binding too large to check: steps=9; use fewer ranks, lanes, turns or checks");
    InequalityProver hasty = new InequalityProver(new BindingBudget(3));
    LinearExpression any = hasty.anyWord(1);
    assertThat(hasty.nonNegative(any)).isFalse();
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 4; i++) {
                hasty.nonNegative(any);
              }
            })
        .hasMessageStartingWith("binding too large to check");
    int turns = 5_000_000;
    BindingBudget usual = new BindingBudget();
    for (int i = 0; i < 20_000_000 - turns; i++) {
      usual.spend();
    }
    assertThatCode(usual::spend).doesNotThrowAnyException();
  }

  private static void check(RankProgram rank, BindingBudget effort) {
    BindingMistakes mistakes = new BindingMistakes(effort);
    BindingCheck.rank(rank, r -> rank, LaneTrafficSink.IGNORED, effort, mistakes);
    mistakes.refuse();
  }

  static Stream<Arguments> bindings() {
    return ShippedText.NAMES.stream()
        .flatMap(name ->
            Stream.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 24, 64, 100, 65_536)
                .map(world -> Arguments.of(name, world)));
  }

  @ParameterizedTest
  @MethodSource("bindings")
  void shippedProgramsBindForEveryWorldAndSize(String name, int world) {
    Form form = ShippedText.form(name);
    long max = form.params().getFirst().max();
    for (long bytes : new long[] {0, 1, 7, 8, 9, 4095, 4096, 4097, max - 1, max}) {
      if (!Thorough.takes(world < 16 ? 5 : 14, name, world, bytes)) {
        continue;
      }
      Program program = Program.bind(form, world, Map.of("B", bytes));
      long lanes = name.startsWith("ll") ? Math.clamp(Math.ceilDiv(bytes, 512), 4, 128) : 8;
      assertThat(program.rank(world - 1).lanes().size()).isEqualTo((int) lanes);
    }
  }

  private static void accepted(String operation) {
    assertThatCode(() -> bind(operation)).doesNotThrowAnyException();
  }

  private static void refused(String operation, String message) {
    assertThatThrownBy(() -> bind(operation))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining(message);
  }

  private static void bad(String declaration, String message) {
    assertThatThrownBy(() -> bindText("form f " + declaration + " lane l: host {}", 3))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("value out of range: " + message)
        .hasMessageEndingWith("; choose smaller parameters");
  }

  private static void lanes(String indices, String message) {
    assertThatThrownBy(() -> bindText("form f lane l(" + indices + "): host {}", 1))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith(message);
  }

  private static void large(String form, String operation, String message) {
    assertThatThrownBy(() -> bindText(form.formatted(operation), 70))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining(message);
  }

  private static void stuck(String text, int world) {
    assertThatThrownBy(() -> bindText(text, world))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("wait that nothing matches: rank=");
  }

  private static void flows(String text, int world) {
    assertThatCode(() -> bindText(text, world)).doesNotThrowAnyException();
  }

  private static Program bind(String operation) {
    String matched = operation.contains("await") ? " signal D[min(g, 3)]@self set 1 release" : "";
    return bindText(FORM.replace("%s", operation + matched), 3);
  }

  private static Program bindText(String text, int world) {
    return Program.bind(FormParser.parse(text), world, Map.of());
  }

  /** A wait may end by the slot's initial value, so a slot that nobody sends is no mistake then. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          reached 0          | true
          reached 1          | false
          reached epoch      | false
          reached epoch - 1  | true
          reached epoch + B  | false
          reached B          | false
          reached B - 4      | true
          reached B - 5      | true
          reached s          | true
          reached s - 1      | true
          == 0               | true
          == 1               | false
          == epoch           | false
          != 0               | false
          != 1               | true
          >= 0               | true
          >= B               | false
          > 0                | false
          > s                | false
          <= 0               | true
          <= epoch           | true
          < 0                | false
          < 1                | true
          < s                | true
          """)
  void aWaitThatTheInitialValueMayEndNeedsNoSignal(String condition, boolean accepted) {
    Form form =
        FormParser.parse(
            "form f\nparam B <= 9\nsignal S[1]\nlane l: sm(32) {\nstate s\nawait S[0]@((r + 1) % n) "
                + condition
                + " acquire\nset s = s + 1\n}\n");
    if (accepted) {
      assertThat(Program.bind(form, 2, Map.of("B", 4L)).world()).isEqualTo(2);
    } else {
      assertThatThrownBy(() -> Program.bind(form, 2, Map.of("B", 4L)))
          .hasMessageStartingWith("wait that nothing matches");
    }
  }

  @Test
  void aFormIsBoundOnlyToWhatItRequires() {
    Form form =
        FormParser.parse(
            """
            form f
            param B <= 9
            let half = B / 2
            require half >= 2 and n != 3
            require B % 2 == 0
            lane l: sm(32) {}
            """);
    assertThat(Program.bind(form, 2, Map.of("B", 4L)).params()).containsEntry("B", 4L);
    for (var wrong :
        List.of(Map.entry(3, 4L), Map.entry(2, 3L), Map.entry(2, 5L), Map.entry(2, 2L))) {
      assertThatThrownBy(() -> Program.bind(form, wrong.getKey(), Map.of("B", wrong.getValue())))
          .hasMessageStartingWith(
              "not meant for these values: form=f, world=%d, B=%d, require="
                  .formatted(wrong.getKey(), wrong.getValue()));
    }
    assertThatThrownBy(() -> FormParser.parse("form f\nrequire r == 0\nlane l: sm(32) {}\n"))
        .hasMessageContaining("r");
  }
}
