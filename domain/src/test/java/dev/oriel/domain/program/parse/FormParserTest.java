package dev.oriel.domain.program.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.build.FormBuilder;
import dev.oriel.domain.window.Comparison;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormParserTest {

  /** A form in which every kind of name is known; the operation under test is at its end. */
  private static final String FORM =
      """
      form f
      param B <= 64
      input a[B]
      output b[B]
      scratch c[B]
      shared h[B]
      signal D[4]
      lane l: sm(32) {
        state s
        move b[0] <- a[0] bytes 8
        %s
      }
      lane other: copy {}
      """;

  private static final String PLACE = "line=11, column=";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mve b[0] <- a[0] bytes 8     | unexpected text: line=11, column=3, found='mve'; did you mean move?
          move b[0] <- a[0]            | unexpected text: line=11, column=20, found=end of line; expected 'bytes'
          move b[0] a[0] bytes 8       | unexpected text: line=11, column=13, found='a'; expected '<-'
          move b 0 <- a[0] bytes 8     | unexpected text: line=11, column=10, found='0'; expected '['
          move b[0 <- a[0] bytes 8     | unexpected text: line=11, column=12, found='<-'; expected ']'
          move b[0] pkt8 <- a[0]       | unexpected text: line=11, column=18, found='<-'; expected '('
          move b[0] <- sum i32 in int32 (a[0]) bytes 8 | unexpected text: line=11, column=20, found='i32'; expected int8, int16, int32, int64, fp8_e4m3, fp8_e5m2, fp16, bf16, fp32 or fp64
          move b[0] <- sum 4 in int32 (a[0]) bytes 8   | unexpected text: line=11, column=20, found='4'; expected a data type
          move b[0] <- sum int32 (a[0]) bytes 8        | unexpected text: line=11, column=26, found='('; expected 'in'
          move b[0] <- sum int32 in int32 a[0] bytes 8 | unexpected text: line=11, column=35, found='a'; expected '('
          move 5[0] <- a[0] bytes 8    | unexpected text: line=11, column=8, found='5'; expected a buffer name
          move if[0] <- a[0] bytes 8   | not a name: line=11, column=8, found='if', a word of the language; choose another as a buffer name, such as if_1
          signal D[0] put 1 release    | unexpected text: line=11, column=15, found='put'; expected set or add
          signal D[0] set 1 acquire    | unexpected text: line=11, column=21, found='acquire'; expected release or relaxed
          signal D[0] set 1            | unexpected text: line=11, column=20, found=end of line; expected release or relaxed
          await D[0] = 1 acquire       | unexpected text: line=11, column=14, found='='; expected ==, !=, <, <=, >, >= or reached
          await D[0] == 1 release      | unexpected text: line=11, column=19, found='release'; expected acquire or relaxed
          await ticket 5               | unexpected text: line=11, column=16, found='5'; expected a ticket name
          flush all everywhere         | unexpected text: line=11, column=13, found='everywhere'; expected local or remote
          flush a local                | unexpected text: line=11, column=9, found='a'; expected peers, all, self or @rank
          each p of all {}             | unexpected text: line=11, column=10, found='of'; expected 'in'
          for t <= 4 {}                | unexpected text: line=11, column=9, found='<='; expected '<'
          if B {}                      | unexpected text: line=11, column=8, found='{'; expected ==, !=, <, <=, >, >= or reached
          check B == 1                 | unexpected text: line=11, column=15, found=end of line; expected 'else'
          check B == 1 else -1         | number out of range: line=11, column=21, value=-1; write 0 to 2147483647
          check B == 1 else 4294967296 | number out of range: line=11, column=21, value=4294967296; write 0 to 2147483647
          let x 5                      | unexpected text: line=11, column=9, found='5'; expected '='
          let x = *                    | unexpected text: line=11, column=11, found='*'; expected a number, a name, (, min, max, ceil or nz32
          let x = bytes                | unexpected text: line=11, column=11, found='bytes', a word of the language; expected a number, a name, (, min, max, ceil or nz32
          let x = (1                   | unexpected text: line=11, column=13, found=end of line; expected ')'
          let x = min(1)               | unexpected text: line=11, column=16, found=')'; expected ','
          let x = -B                   | unexpected text: line=11, column=12, found='B'; expected a number
          check B == 1 else 18446744073709551615 | number out of range: line=11, column=21, value=18446744073709551615; write 0 to 2147483647
          let x = 18446744073709551616 | not a 64-bit number: line=11, column=11, found='18446744073709551616'; write decimal or 0x digits, optionally with KiB, MiB or GiB
          let x = -9223372036854775809 | not a 64-bit number: line=11, column=12, found='9223372036854775809'; write decimal or 0x digits, optionally with KiB, MiB or GiB
          let x = 0x10000000000000000  | not a 64-bit number: line=11, column=11, found='0x10000000000000000'; write decimal or 0x digits, optionally with KiB, MiB or GiB
          let x = 1MiBKiB              | not a 64-bit number: line=11, column=11, found='1MiBKiB'; write decimal or 0x digits, optionally with KiB, MiB or GiB
          let x = 9223372036854775808KiB | not a 64-bit number: line=11, column=11, found='9223372036854775808KiB'; write decimal or 0x digits, optionally with KiB, MiB or GiB
          let x = 9007199254740992KiB  | not a 64-bit number: line=11, column=11, found='9007199254740992KiB'; write decimal or 0x digits, optionally with KiB, MiB or GiB
          read x <- S[0]@r acquire until == 1             | unexpected text: line=11, column=38, found=end of line; expected 'within'
          read x <- S[0]@r acquire until 1 within 1us     | unexpected text: line=11, column=34, found='1'; expected ==, !=, <, <=, >, >= or reached
          read x <- S[0]@r acquire until == 1 within 200  | not a time: line=11, column=46, found='200'; write a number and ns, us, ms or s, at most an hour: 200us
          read x <- S[0]@r acquire until == 1 within 0us  | not a time: line=11, column=46, found='0us'; write a number and ns, us, ms or s, at most an hour: 200us
          read x <- S[0]@r acquire until == 1 within 61m  | not a time: line=11, column=46, found='61m'; write a number and ns, us, ms or s, at most an hour: 200us
          read x <- S[0]@r acquire until == 1 within 3601s | not a time: line=11, column=46, found='3601s'; write a number and ns, us, ms or s, at most an hour: 200us
          let x = 12ab                 | not a 64-bit number: line=11, column=11, found='12ab'; write decimal or 0x digits, optionally with KiB, MiB or GiB
          load x <- a[0] < 8 else 1    | unexpected text: line=11, column=18, found='<'; expected move, signal, await, flush, sync, join, load, let, set, store, check, if, for, each, thread0, put, get, bulk, atomic, fence, quiet, order, wait, read, lock, unlock, barrier, meet or }
          load x <- a[0] width <= 1    | unexpected text: line=11, column=24, found='<='; expected a number
          load x <- a[0] release       | unexpected text: line=11, column=18, found='release'; expected move, signal, await, flush, sync, join, load, let, set, store, check, if, for, each, thread0, put, get, bulk, atomic, fence, quiet, order, wait, read, lock, unlock, barrier, meet or }
          store b[0] <- 1 acquire      | unexpected text: line=11, column=19, found='acquire'; expected move, signal, await, flush, sync, join, load, let, set, store, check, if, for, each, thread0, put, get, bulk, atomic, fence, quiet, order, wait, read, lock, unlock, barrier, meet or }
          store b[0] width 4 <- 1 release | unexpected text: line=11, column=27, found='release'; expected move, signal, await, flush, sync, join, load, let, set, store, check, if, for, each, thread0, put, get, bulk, atomic, fence, quiet, order, wait, read, lock, unlock, barrier, meet or }
          put b[0] <- a[0]             | unexpected text: line=11, column=19, found=end of line; expected 'bytes'
          put b[0] a[0] bytes 8        | unexpected text: line=11, column=12, found='a'; expected '<-'
          put b[0] <- a[0] bytes 8 count 2 | unexpected text: line=11, column=35, found=end of line; expected 'step'
          put b[0] <- a[0] bytes 8 count 2 step 8 | unexpected text: line=11, column=42, found=end of line; expected ','
          put b[0] <- a[0] bytes 8 notify D set 1 | unexpected text: line=11, column=37, found='set'; expected '['
          put b[0] <- a[0] bytes 8 notify D[0]@self set 1 | unexpected text: line=11, column=39, found='@'; expected set or add
          put b[0] <- a[0] bytes 8 nb via 1 | context after nb: line=11, column=31, found='via'; write via and the context before nb
          get b[0] <- a[0] bytes 8 nb via 1 | context after nb: line=11, column=31, found='via'; write via and the context before nb
          atomic b[0] <- a[0] add 1 nb via 1 | context after nb: line=11, column=32, found='via'; write via and the context before nb
          get b[0] <- a[0] bytes 8 notify D[0] set 1 | unexpected text: line=11, column=28, found='notify'; expected move, signal, await, flush, sync, join, load, let, set, store, check, if, for, each, thread0, put, get, bulk, atomic, fence, quiet, order, wait, read, lock, unlock, barrier, meet or }
          atomic b[0] sub 1            | unexpected text: line=11, column=15, found='sub'; expected fetch, set, add or cas
          atomic b[0] add 1 nb         | unexpected text: line=11, column=21, found='nb'; expected move, signal, await, flush, sync, join, load, let, set, store, check, if, for, each, thread0, put, get, bulk, atomic, fence, quiet, order, wait, read, lock, unlock, barrier, meet or }
          atomic c[0] <- b[0] cas 1    | unexpected text: line=11, column=28, found=end of line; expected ','
          wait b[0] reached 1          | unexpected text: line=11, column=22, found=end of line; expected acquire or relaxed
          read x <- D[0] release       | unexpected text: line=11, column=18, found='release'; expected acquire or relaxed
          fence via                    | unexpected text: line=11, column=12, found=end of line; expected a number, a name, (, min, max, ceil or nz32
          barrier 5                    | unexpected text: line=11, column=11, found='5'; expected a barrier name
          lock b                       | unexpected text: line=11, column=9, found=end of line; expected '['
          store b[0] = 8               | unexpected text: line=11, column=14, found='='; expected '<-'
          """)
  void namesThePlaceTheFindingAndWhatIsExpected(String operation, String message) {
    assertThatThrownBy(() -> FormParser.parse(FORM.formatted(operation)))
        .isInstanceOf(ProgramException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          move x[0] <- a[0] bytes 8       | 8  | unknown buffer | name=x; known: a, b, c, h
          move b[x] <- a[0] bytes 8       | 10 | unknown name | name=x; known here: n, r, B, epoch, s
          move b[0] <- a[0] bytes 8 + x   | 31 | unknown name | name=x; known here: n, r, B, epoch, s
          move c@x[0] <- a[0] bytes 8     | 10 | unknown name | name=x; known here: n, r, B, epoch, s
          put b@peers[0] <- a[0] bytes 8 | 7 | a call reaches one rank | buffer=b; loop with each p in peers, or name the rank
          move c[0] pkt8(x) <- a[0] bytes 8 | 18 | unknown name | name=x; known here: n, r, B, epoch, s
          move a[0] <- b[0] bytes 8       | 8  | an input is read only | buffer=a; write into an output, window, scratch or shared buffer
          move b[0] <- a[0], c[0] bytes 8 | 3  | copy of several sources | sources=2; name the reduction: sum, min, max, prod or avg
          move b[0] <- a@peers[0] bytes 8 | 16 | a source is one rank's memory | buffer=a; loop with each p in peers, or name the rank
          move b[0] <- a@all[0] bytes 8   | 16 | a source is one rank's memory | buffer=a; loop with each p in peers, or name the rank
          move b[0] <- c@(r)[0] pkt8(1) bytes 8 | 16 | packets are polled in the rank's own memory | buffer=c; let the sender push them here
          move h@peers[0] <- a[0] bytes 8 | 8  | shared memory of another rank | buffer=h; use scratch for what peers touch
          move b[0] <- h@(r)[0] bytes 8   | 16 | shared memory of another rank | buffer=h; use scratch for what peers touch
          move b[0] <- sum fp16 in int32 (a[0]) bytes 8 | 3 | unfit accumulator | element=fp16, accumulator=int32; use fp32
          move b[0] <- sum fp64 in fp32 (a[0]) bytes 8  | 3 | unfit accumulator | element=fp64, accumulator=fp32; use fp64
          t: move b[0] <- a[0] bytes 8    | 3  | | unexpected
          move t: b[0] <- a[0] bytes 8 move t: b[0] <- a[0] bytes 8 | 32 | duplicated ticket | ticket=t; give each move its own
          await ticket nope               | 3  | unknown ticket | ticket=nope; label an earlier move of this block with it
          signal D[0] set 1 release cover nope | 3 | unknown ticket | ticket=nope; label an earlier move of this block with it
          signal E[0] set 1 release       | 10 | unknown signal | name=E; known: D
          await E[0] == 1 acquire         | 9  | unknown signal | name=E; known: D
          signal D[x] set 1 release       | 12 | unknown name | name=x; known here: n, r, B, epoch, s
          signal D[0] set x release       | 19 | unknown name | name=x; known here: n, r, B, epoch, s
          await D[0]@x == 1 acquire       | 14 | unknown name | name=x; known here: n, r, B, epoch, s
          await D[0] == x acquire         | 17 | unknown name | name=x; known here: n, r, B, epoch, s
          flush @x local                  | 10 | unknown name | name=x; known here: n, r, B, epoch, s
          join nope                       | 3  | unknown lane | name=nope; known: l, other
          load x <- a@(r)[0] <= 8 else 1  | 13 | not a plain word of the rank's own | buffer=a; move it first
          load x <- a[0] pkt8(1) <= 8 else 1 | 13 | not a plain word of the rank's own | buffer=a; move it first
          load x <- a[0] <= y else 1      | 21 | unknown name | name=y; known here: n, r, B, epoch, s
          load x <- a[0] <= 8 else 0      | 3  | failure code out of range | code=0; use 1 to 255
          load B <- a[0] <= 8 else 1      | 3  | duplicated name | name=B; choose another: inner names hide nothing
          store a[0] <- 1                 | 9  | an input is read only | buffer=a; write into an output, window, scratch or shared buffer
          store b@(r)[0] <- 1             | 9  | not a plain word of the rank's own | buffer=b; move it first
          store b[0] <- x                 | 17 | unknown name | name=x; known here: n, r, B, epoch, s
          check x == 1 else 1             | 9  | unknown name | name=x; known here: n, r, B, epoch, s
          check 1 == x else 1             | 14 | unknown name | name=x; known here: n, r, B, epoch, s
          check 1 == 1 else 256           | 3  | failure code out of range | code=256; use 1 to 255
          let s = 1                       | 3  | duplicated name | name=s; to change the state, write set in place of let
          let x = x + 1                   | 11 | unknown name | name=x; known here: n, r, B, epoch, s
          let x = nz32(y)                 | 16 | unknown name | name=y; known here: n, r, B, epoch, s
          set B = 1                       | 3  | only a state can be set | name=B; declare it with state, or name a new value with let
          set s = x                       | 11 | unknown name | name=x; known here: n, r, B, epoch, s
          if x == 1 {}                    | 6  | unknown name | name=x; known here: n, r, B, epoch, s
          if 1 == 1 { let y = 1 } else { let z = y } | 42 | unknown name | name=y; known here: n, r, B, epoch, s
          for t < x {}                    | 11 | unknown name | name=x; known here: n, r, B, epoch, s
          for s < 4 {}                    | 3  | duplicated name | name=s; choose another: inner names hide nothing
          for t < 4 {} let y = t          | 24 | unknown name | name=t; known here: n, r, B, epoch, s
          each p in @x {}                 | 14 | unknown name | name=x; known here: n, r, B, epoch, s
          each s in all {}                | 3  | duplicated name | name=s; choose another: inner names hide nothing
          put a[0] <- b[0] bytes 8        | 7  | an input is read only | buffer=a; write into an output, window, scratch or shared buffer
          put b[0] pkt8(1) <- a[0] bytes 8 | 7 | packets in a call | buffer=b; move them
          put h[0] <- a[0] bytes 8        | 7  | shared memory in a call | buffer=h; use scratch or a window, which calls reach
          put b[0] <- a@(0)[0] bytes 8    | 15 | not the rank's own memory | buffer=a; leave out the rank
          put b[0] <- a[0] bytes 8 count 2 step 8, 8 notify D[0] set 1 | 3 | strided put that notifies | signal=D; fence and signal after it instead
          put b[0] <- a[0] bytes x        | 26 | unknown name | name=x; known here: n, r, B, epoch, s
          put b[0] <- a[0] bytes 8 via x  | 32 | unknown name | name=x; known here: n, r, B, epoch, s
          put b[0] <- a[0] bytes 8 count x step 8, 8 | 34 | unknown name | name=x; known here: n, r, B, epoch, s
          put b[0] <- a[0] bytes 8 notify D[0] set x | 44 | unknown name | name=x; known here: n, r, B, epoch, s
          get b@(0)[0] <- a[0] bytes 8    | 7  | not the rank's own memory | buffer=b; leave out the rank
          get a[0] <- b@(0)[0] bytes 8    | 7  | an input is read only | buffer=a; write into an output, window, scratch or shared buffer
          atomic b@all[0] add 1           | 10 | a call reaches one rank | buffer=b; loop with each p in peers, or name the rank
          atomic a@(0)[0] add 1           | 10 | an input is read only | buffer=a; write into an output, window, scratch or shared buffer
          atomic b@(0)[0] <- c[0] fetch   | 10 | not the rank's own memory | buffer=b; leave out the rank
          atomic b[0] fetch               | 3  | fetch without a result | buffer=b; name where it goes, before <-
          wait b@(0)[0] == 1 acquire      | 8  | not the rank's own memory | buffer=b; leave out the rank
          read x <- D[0]@peers acquire    | 13 | read of several slots | signal=D; name one source
          read s <- D[0] relaxed          | 3  | duplicated name | name=s; choose another: inner names hide nothing
          load x <- b@(0)[0] acquire      | 13 | not the rank's own memory | buffer=b; leave out the rank
          load x <- b[0] width 3          | 3  | width out of range | width=3; use 1, 2, 4 or 8 bytes
          store b[0] width 16 <- 1        | 3  | width out of range | width=16; use 1, 2, 4 or 8 bytes
          store a[0] <- 1 release         | 9  | an input is read only | buffer=a; write into an output, window, scratch or shared buffer
          lock a@(0)[0]                   | 8  | an input is read only | buffer=a; write into an output, window, scratch or shared buffer
          unlock b@peers[0]               | 10 | a call reaches one rank | buffer=b; loop with each p in peers, or name the rank
          barrier D                       | 3  | unknown barrier | name=D; known: none
          meet E                          | 3  | unknown barrier | name=E; known: none
          if 1 == 1 { move u: b[0] <- a[0] bytes 8 } await ticket u | 46 | unknown ticket | ticket=u; label an earlier move of this block with it
          """)
  void namesThePlaceOfAnInvalidValue(String operation, int column, String what, String facts) {
    String expected =
        what == null
            ? "unexpected text: line=11, column=3, found='t'; expected move, signal, await, flush,"
                + " sync, join, load, let, set, store, check, if, for, each, thread0, put, get, bulk, atomic, fence,"
                + " quiet, order, wait, read, lock, unlock, barrier, meet or }"
            : what + ": " + PLACE + column + ", lane=l, " + facts;
    assertThatThrownBy(() -> FormParser.parse(FORM.formatted(operation)))
        .isInstanceOf(ProgramException.class)
        .hasMessage(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                     | unexpected text: line=1, column=1, found=end of text; expected 'form'
          program f                              | unexpected text: line=1, column=1, found='program'; expected 'form'
          form                                   | unexpected text: line=1, column=5, found=end of text; expected a form name
          form 5                                 | unexpected text: line=1, column=6, found='5'; expected a form name
          form a-                                | not a form name: line=1, column=1, name=a-; use at most 64 letters, digits, _ and - in between, and no digit first
          form a-(                               | not a form name: line=1, column=1, name=a-(; use at most 64 letters, digits, _ and - in between, and no digit first
          form f                                 | no lane: line=1, column=1; add a lane that does the work
          form f what                            | unexpected text: line=1, column=8, found='what'; expected param, let, require, input, uniform, output, inout, window, scratch, shared, alias, signal, barrier, team, hook, ensure or lane
          form f param B < 5                     | unexpected text: line=1, column=16, found='<'; expected '<='
          form f param B <= -5                   | negative maximum: line=1, column=8, parameter=B, max=-5; give 0 or more
          form f param B <= 9223372036854775808  | maximum out of range: line=1, column=19, parameter=B, max=9223372036854775808; write 0 to 9223372036854775807
          form f param B <= 0xffffffffffffffff   | maximum out of range: line=1, column=19, parameter=B, max=18446744073709551615; write 0 to 9223372036854775807
          form f param B <= 5 param B <= 6       | duplicated name: line=1, column=21, name=B; choose another: inner names hide nothing
          form f param r <= 5                    | not a name: line=1, column=14, found='r', a word of the language; choose another as a parameter name, such as r_1
          form f let x = y                       | unknown name: line=1, column=16, name=y; known here: n, r
          form f let x = epoch                   | unknown name: line=1, column=16, name=epoch; known here: n, r
          form f input a[x]                      | unknown name: line=1, column=16, name=x; known here: n, r
          form f input a[1] output a[1]          | duplicated buffer: line=1, column=19, name=a; give every buffer its own name
          form f signal a[1] signal a[1]         | duplicated signal: line=1, column=20, name=a; give every signal its own name
          form f signal a[r]                     | not known at binding: line=1, column=17, the count of signal a=r; use parameters, definitions and n
          form f let x = r + 1 signal a[x]       | not known at binding: line=1, column=31, the count of signal a=x; use parameters, definitions and n
          form f barrier b of t lane l: copy {}  | unknown team: line=1, column=8, name=t; known: none
          form f barrier b signal b[1]           | duplicated signal: line=1, column=18, name=b; give every signal its own name
          form f team t = r == 0 team t = r == 1 | duplicated team: line=1, column=24, name=t; give every team its own name
          form f team t = epoch == 0             | unknown name: line=1, column=17, name=epoch; known here: n, r
          form f let h = r / 2 team t = h == 0   | not known at binding: line=1, column=31, a team's condition=h; use parameters, definitions and n
          form f barrier b lane l(i < 2): copy { meet b } | barrier in a lane with indices: line=1, column=40, lane=l, barrier=b; meet in a lane of which each rank has one
          form f barrier b lane l: copy { meet b } lane m: copy { barrier b } | barrier of two lanes: line=1, column=57, lane=m, barrier=b, other=l; declare one for each lane
          form f barrier b lane l: copy { signal b[0] set 1 release } | unknown signal: line=1, column=40, lane=l, name=b; known: none
          form f team t = r lane l: copy {}      | unexpected text: line=1, column=19, found='lane'; expected ==, !=, <, <=, >, >= or reached
          form f lane l: gpu {}                  | unexpected text: line=1, column=16, found='gpu'; expected sm(threads), copy, host or nic(queue)
          form f lane l: sm(33) {}               | thread count out of range: line=1, column=8, lane=l, threads=33; use 1, or a multiple of 32 from 32 to 1024
          form f lane l: sm(32) cluster(0) {}    | cluster size out of range: line=1, column=8, lane=l, blocks=0; use 1 to 8
          form f lane l: sm(32) cluster(9) {}    | cluster size out of range: line=1, column=8, lane=l, blocks=9; use 1 to 8
          form f lane l: sm(0) {}                | thread count out of range: line=1, column=8, lane=l, threads=0; use 1, or a multiple of 32 from 32 to 1024
          form f lane l: sm(1056) {}             | thread count out of range: line=1, column=8, lane=l, threads=1056; use 1, or a multiple of 32 from 32 to 1024
          form f lane l: nic(-1) {}              | number out of range: line=1, column=20, value=-1; write 0 to 2147483647
          form f lane l: copy {} lane l: copy {} | duplicated lane: line=1, column=24, lane=l, name=l; give every lane its own name
          form f lane l(i < r): copy {}          | not known at binding: line=1, column=19, lane=l, the count of index i=r; use parameters, definitions and n
          form f lane l(i < 2, j < i): copy {}   | not known at binding: line=1, column=26, lane=l, the count of index j=i; use parameters, definitions and n
          form f lane l(i < 2, i < 2): copy {}   | duplicated name: line=1, column=22, lane=l, name=i; choose another: inner names hide nothing
          form f lane l: copy { state s step r } | not known at binding: line=1, column=36, lane=l, the step of state s=r; use parameters, definitions and n
          form f lane l: copy { state s state s } | duplicated name: line=1, column=31, lane=l, name=s; choose another: inner names hide nothing
          form f lane l: copy { join l }         | cyclic joins: line=1, column=23, lane=l, lanes=l -> l; remove one join
          form f lane l: copy { join m } lane m: copy { if 1 == 1 { join l } } | cyclic joins: line=1, column=59, lane=m, lanes=l -> m -> l; remove one join
          form f lane l: copy { sync             | block is not closed: line=1, column=21, next=end of text; add } at its end
          form f output a[8] ensure if a@(0)[0] == 1: a[0] = a[0] bytes 1 lane l: copy {} | ensured bytes of another rank: line=1, column=30, buffer=a; state what holds of the rank's own memory
          form f input i[8] output a[8] ensure if i[0] == 1: a[0] = i[0] bytes 1 lane l: copy {} | condition on a word that a launch does not leave behind: line=1, column=41, buffer=i; name a word of an output or of scratch memory
          form f output a[8] ensure if a[0] == q: a[0] = a[0] bytes 1 lane l: copy {} | unknown name: line=1, column=38, name=q; known here: n, r
          form f output a[1] ensure a@(0)[0] = a[0] bytes 1 lane l: copy {} | ensured bytes of another rank: line=1, column=27, buffer=a; state what holds of the rank's own memory
          form f output a[1] ensure a[0] = a@all[0] bytes 1 lane l: copy {} | expected bytes of several ranks: line=1, column=34, buffer=a; name one rank, or state it for each p in peers
          form f output a[1] ensure a[0] = a@peers[0] bytes 1 lane l: copy {} | expected bytes of several ranks: line=1, column=34, buffer=a; name one rank, or state it for each p in peers
          form f output a[1] ensure a[0] pkt8(1) = a[0] bytes 1 lane l: copy {} | ensured packets: line=1, column=27, buffer=a; state what holds of plain bytes
          form f output a[1] ensure a[0] = a[0] pkt8(1) bytes 1 lane l: copy {} | ensured packets: line=1, column=34, buffer=a; state what holds of plain bytes
          form f shared a[1] ensure a[0] = a[0] bytes 1 lane l: copy {} | ensured shared memory: line=1, column=27, buffer=a; state what holds of memory that outlives the lanes
          form f output a[1] ensure each p in @q: a[0] = a[0] bytes 1 lane l: copy {} | unknown name: line=1, column=38, name=q; known here: n, r
          form f output a[1] ensure each r in all: a[0] = a[0] bytes 1 lane l: copy {} | not a name: line=1, column=32, found='r', a word of the language; choose another as a variable name, such as r_1
          form f output a[1] ensure each p in all a[0] = a[0] bytes 1 | unexpected text: line=1, column=41, found='a'; expected ':'
          form f output a[1] ensure a[0] = a[0] bytes epoch lane l: copy {} | unknown name: line=1, column=45, name=epoch; known here: n, r
          """)
  void namesThePlaceOfABadDeclaration(String text, String message) {
    assertThatThrownBy(() -> FormParser.parse(text))
        .isInstanceOf(ProgramException.class)
        .hasMessage(message);
  }

  @Test
  void namesACharacterThatNoTextHolds() {
    String allowed = "; write names, numbers or one of {}[]()<>=,:@+-*/%&|^";
    assertThatThrownBy(() -> FormParser.parse(FORM.formatted("let x = B $ 1")))
        .hasMessage("unknown character: line=11, column=13, character='$'" + allowed);
    assertThatThrownBy(() -> FormParser.parse(FORM.formatted("let x = B \u00DF 1")))
        .hasMessage("unknown character: line=11, column=13, character='U+00DF'" + allowed);
    assertThatThrownBy(() -> FormParser.parse("form f\n\u0000"))
        .hasMessage("unknown character: line=2, column=1, character='U+0000'" + allowed);
  }

  @Test
  void readsNumbersOfEveryKind() {
    assertThat(value("0")).isZero();
    assertThat(value("1_000")).isEqualTo(1000);
    assertThat(value("0xFF")).isEqualTo(255);
    assertThat(value("0xffff_ffff_ffff_fff0")).isEqualTo(-16);
    assertThat(value("-0x10")).isEqualTo(-16);
    assertThat(value("-0x8000000000000000")).isEqualTo(Long.MIN_VALUE);
    assertThat(value("3KiB")).isEqualTo(3 << 10);
    assertThat(value("0x10MiB")).isEqualTo(16 << 20);
    assertThat(value("-2GiB")).isEqualTo(-(2L << 30));
    assertThat(value("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
    assertThat(value("9223372036854775808")).isEqualTo(Long.MIN_VALUE);
    assertThat(value("18_446_744_073_709_551_615")).isEqualTo(-1);
    assertThat(value("9007199254740991KiB")).isEqualTo(9007199254740991L << 10);
  }

  @Test
  void omittedPartsHaveTheirDefaultValue() {
    Form form = FormParser.parse(FORM.formatted("signal D[1]@peers add 2 relaxed sys"));
    LaneFamily lane = form.lane("l").orElseThrow();
    assertThat(lane.states()).containsExactly(new LaneFamily.State("s", Expr.of(1)));
    assertThat(lane.body().getLast())
        .isEqualTo(
            new Op.Signal(
                new Slot("D", Expr.of(1), Peers.OTHERS),
                Op.Signal.Change.ADD,
                Expr.of(2),
                Order.RELAXED,
                Scope.SYS,
                Op.Signal.Cover.LANE));
  }

  @Test
  void namesTheSameFormWhetherReadOrBuilt() {
    Form read =
        FormParser.parse(
            "form f signal D[1] lane l: host { await sum D[0]@all reached 7 relaxed gpu }");
    Slot slot = new Slot("D", Expr.of(0), Peers.ALL);
    FormBuilder builder = FormBuilder.named("f");
    builder.signal("D", Expr.of(1));
    builder.lane(
        "l",
        List.of(),
        new LaneFamily.Engine.Host(),
        List.of(),
        b ->
            b.op(
                new Op.Await(
                    slot,
                    Op.Await.Quantifier.SUM,
                    Comparison.REACHED,
                    Expr.of(7),
                    Order.RELAXED,
                    Scope.GPU)));
    assertThat(read).isEqualTo(builder.build());
  }

  private static long value(String number) {
    MistakeList none = new MistakeList(m -> m);
    return new TokenCursor(FormLexer.tokens(number, none), none).number();
  }
}
