package dev.oriel.cuda.ptx;

/**
 * The PTX of the kernels between the launches of a stress run. They write the inputs before a
 * launch and compare the outputs after it on the GPU: no host delays the next launch.
 *
 * <p>All share one counter, the turn, which {@code drill_turn} advances before each launch. The
 * others read it: in the stream they come after that kernel and before its next one.
 *
 * <pre>
 * report   wrong bytes in all 8 | the first of them 8: turn 20 bits, buffer 6, offset 30, found 8
 * </pre>
 */
public final class StressCode {
  /** Turns, buffers and offsets of these numbers or more do not fit into a report. */
  public static final int TURNS = 1 << 20;

  public static final int BUFFERS = 1 << 6;
  public static final int BYTES = 1 << 30;

  /** Before a launch: {@code turn, seed, longest}. */
  public static final String TURN = "drill_turn";

  /** Before a launch, for a buffer: {@code turn, sets, images, stride, buffer, bytes}. */
  public static final String FILL = "drill_fill";

  /**
   * After a launch, for a buffer: {@code turn, sets, images, stride, buffer, bytes, masks, report,
   * number}.
   */
  public static final String COMPARE = "drill_compare";

  private static final int TURN_SHIFT = 44;
  private static final int BUFFER_SHIFT = 38;
  private static final int OFFSET_SHIFT = 8;

  private StressCode() {}

  /**
   * The first wrong byte of a stress run.
   *
   * @param turn the number of the launch, from 1 on
   * @param buffer its number
   */
  public record FirstMismatch(int turn, int buffer, int offset, byte found) {
    /** Decodes the kernel's report. */
    public static FirstMismatch of(long word) {
      return new FirstMismatch(
          (int) (word >>> TURN_SHIFT),
          (int) (word >>> BUFFER_SHIFT) & (BUFFERS - 1),
          (int) (word >>> OFFSET_SHIFT) & (BYTES - 1),
          (byte) word);
    }
  }

  /** The text of one of the kernels; it runs on any GPU. */
  public static String text(String entry) {
    String head =
        """
        .version 8.0
        .target %s
        .address_size 64

        """
            .formatted(PtxTarget.SM_80.spelling());
    return head
        + switch (entry) {
          case TURN -> TURN_TEXT;
          case FILL -> START.formatted(entry, FILL_PARAMETERS) + FILL_TEXT;
          case COMPARE -> START.formatted(entry, COMPARE_PARAMETERS) + COMPARE_TEXT;
          default -> throw new IllegalArgumentException("no such kernel: entry=" + entry);
        };
  }

  /** Delays about half of the turns, by a time drawn from the seed and the turn. */
  private static final String TURN_TEXT =
      """
      .visible .entry drill_turn(
          .param .u64 turn, .param .u64 seed, .param .u64 longest
      )
      {
          .reg .b64 %at, %turn, %seed, %longest, %drawn, %high, %start, %now;
          .reg .pred %held, %early;
          ld.param.u64 %at, [turn];
          ld.param.u64 %seed, [seed];
          ld.param.u64 %longest, [longest];
          ld.global.u64 %turn, [%at];
          add.u64 %turn, %turn, 1;
          st.global.u64 [%at], %turn;
          // the finish of SplitMix64
          mad.lo.u64 %drawn, %turn, 0x9E3779B97F4A7C15, %seed;
          shr.u64 %high, %drawn, 30;
          xor.b64 %drawn, %drawn, %high;
          mul.lo.u64 %drawn, %drawn, 0xBF58476D1CE4E5B9;
          shr.u64 %high, %drawn, 27;
          xor.b64 %drawn, %drawn, %high;
          mul.lo.u64 %drawn, %drawn, 0x94D049BB133111EB;
          shr.u64 %high, %drawn, 31;
          xor.b64 %drawn, %drawn, %high;
          and.b64 %high, %drawn, 1;
          setp.ne.u64 %held, %high, 0;
          @!%held bra $over;
          shr.u64 %drawn, %drawn, 1;
          rem.u64 %drawn, %drawn, %longest;
          mov.u64 %start, %globaltimer;
      $again:
          mov.u64 %now, %globaltimer;
          sub.u64 %now, %now, %start;
          setp.lt.u64 %early, %now, %drawn;
          @%early bra $again;
      $over:
          ret;
      }
      """;

  private static final String FILL_PARAMETERS =
      """
      .param .u64 turn, .param .u64 sets, .param .u64 images, .param .u64 stride,
          .param .u64 buffer, .param .u64 bytes\
      """;

  private static final String COMPARE_PARAMETERS =
      FILL_PARAMETERS
          + """
          ,
              .param .u64 masks, .param .u64 report, .param .u64 number\
          """;

  /** Computes this turn's image, and each thread's first byte and step in it. */
  private static final String START =
      """
      .visible .entry %s(
          %s
      )
      {
          .reg .b64 %%at, %%turn, %%sets, %%image, %%stride, %%buffer, %%bytes, %%i, %%step;
          .reg .b64 %%mask, %%report, %%number, %%word, %%old;
          .reg .b32 %%a, %%b, %%c, %%id;
          .reg .pred %%in, %%wrong;
          ld.param.u64 %%at, [turn];
          ld.global.u64 %%turn, [%%at];
          ld.param.u64 %%sets, [sets];
          ld.param.u64 %%image, [images];
          ld.param.u64 %%stride, [stride];
          ld.param.u64 %%buffer, [buffer];
          ld.param.u64 %%bytes, [bytes];
          rem.u64 %%sets, %%turn, %%sets;
          mul.lo.u64 %%stride, %%stride, %%sets;
          add.u64 %%image, %%image, %%stride;
          mov.u32 %%a, %%ctaid.x;
          mov.u32 %%b, %%ntid.x;
          mov.u32 %%c, %%nctaid.x;
          mov.u32 %%id, %%tid.x;
          mad.lo.u32 %%id, %%a, %%b, %%id;
          cvt.u64.u32 %%i, %%id;
          mul.wide.u32 %%step, %%b, %%c;
      """;

  private static final String FILL_TEXT =
      """
      $next:
          setp.lt.u64 %in, %i, %bytes;
          @!%in bra $over;
          add.u64 %at, %image, %i;
          ld.global.u8 %a, [%at];
          add.u64 %at, %buffer, %i;
          st.global.u8 [%at], %a;
          add.u64 %i, %i, %step;
          bra $next;
      $over:
          ret;
      }
      """;

  private static final String COMPARE_TEXT =
      """
          ld.param.u64 %%mask, [masks];
          add.u64 %%mask, %%mask, %%stride;
          ld.param.u64 %%report, [report];
          ld.param.u64 %%number, [number];
          shl.b64 %%turn, %%turn, %s;
          shl.b64 %%number, %%number, %s;
          or.b64 %%turn, %%turn, %%number;
      $next:
          setp.lt.u64 %%in, %%i, %%bytes;
          @!%%in bra $over;
          add.u64 %%at, %%image, %%i;
          ld.global.u8 %%a, [%%at];
          add.u64 %%at, %%buffer, %%i;
          ld.global.u8 %%b, [%%at];
          add.u64 %%at, %%mask, %%i;
          ld.global.u8 %%c, [%%at];
          xor.b32 %%a, %%a, %%b;
          and.b32 %%a, %%a, %%c;
          setp.ne.u32 %%wrong, %%a, 0;
          @!%%wrong bra $right;
          atom.global.add.u64 %%old, [%%report], 1;
          shl.b64 %%word, %%i, %s;
          or.b64 %%word, %%word, %%turn;
          cvt.u64.u32 %%old, %%b;
          or.b64 %%word, %%word, %%old;
          atom.global.min.u64 %%old, [%%report + 8], %%word;
      $right:
          add.u64 %%i, %%i, %%step;
          bra $next;
      $over:
          ret;
      }
      """
          .formatted(TURN_SHIFT, BUFFER_SHIFT, OFFSET_SHIFT);
}
