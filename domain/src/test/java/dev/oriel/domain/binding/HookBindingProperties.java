package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.ExpressionTape;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookExpr;
import dev.oriel.domain.hook.IndexMap;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.build.FormBuilder;
import dev.oriel.domain.program.parse.FormParser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A hook that binding accepts never leaves an array, and one that it refuses would. */
class HookBindingProperties {

  private static HookForm hook(List<Integer> tape) {
    Hook hook = ExpressionTape.hook(tape);
    List<HookForm.Source> sources =
        hook.sources().stream()
            .map(s -> new HookForm.Source(s.type(), MapForm.of(s.map())))
            .toList();
    HookExpr operands =
        hook.value()
            .replace(
                part -> part instanceof HookExpr.Field ? HookExpr.field(ContextField.COUNT) : part);
    return new HookForm("h", sources, hook.result(), MapForm.identity(), operands);
  }

  /** One move, of a buffer for each source, and the same as a post-condition. */
  private static Form form(HookForm hook, long bytes, List<Long> sizes) {
    FormBuilder form = FormBuilder.named("f");
    List<SourceSeries> sources = new ArrayList<>();
    for (int k = 0; k < sizes.size(); k++) {
      sources.add(SourceSeries.of(form.input("in" + k, Expr.of(sizes.get(k))).at(0)));
    }
    Region out = form.output("out", Expr.of(bytes)).at(0);
    Combine combine = new Combine.Apply(hook);
    return form.ensure(
            new Ensure(
                List.of(),
                Optional.empty(),
                out,
                combine,
                Grouping.AT_ONCE,
                sources,
                Expr.of(bytes)))
        .lane(
            "main",
            List.of(),
            FormBuilder.sm(32),
            List.of(),
            block -> block.op(new Op.Move("", List.of(out), combine, sources, Expr.of(bytes))))
        .build();
  }

  @Property(tries = 400)
  @Sampled(every = 5)
  void acceptedHooksStayInBoundsAndRejectedOnesWouldNot(
      @ForAll @Size(max = 60) List<Integer> tape, @ForAll @IntRange(max = 40) int outputs) {
    HookForm hook = hook(tape);
    BoundHook bound = BoundHook.of(hook);
    int bytes = outputs * hook.result().bytes();
    List<Long> sizes = new ArrayList<>();
    for (int k = 0; k < hook.sources().size(); k++) {
      sizes.add(bound.taken(k, bytes));
    }
    boolean leaves = outputs > 0 && hook.sources().stream().anyMatch(s -> least(s, outputs) < 0);
    Form form = form(hook, bytes, sizes);
    if (leaves) {
      assertThatThrownBy(() -> Program.bind(form, 1, Map.of()))
          .isInstanceOf(ProgramException.class)
          .hasMessageContaining("index map leaves its array: ")
          .hasMessageContaining("hook=h, source=in");
      return;
    }
    RankProgram rank = Program.bind(form, 1, Map.of()).rank(0);
    List<BoundPostCondition> claims = rank.claims(BoundPostCondition.InitialContents.UNKNOWN);
    if (outputs == 0) {
      assertThat(claims).isEmpty();
      return;
    }
    byte[] made = claims.getFirst().expected((source, length) -> new byte[length]);
    assertThat(made).hasSize(bytes);
    for (int k = 0; k < sizes.size(); k++) {
      int element = hook.sources().get(k).type().bytes();
      if (sizes.get(k) > 0 && tight(bound.hook().sources().get(k).map(), outputs)) {
        List<Long> short1 = new ArrayList<>(sizes);
        short1.set(k, sizes.get(k) - element);
        assertThatThrownBy(() -> Program.bind(form(hook, bytes, short1), 1, Map.of()))
            .isInstanceOf(ProgramException.class)
            .hasMessageMatching("region (not proved inside|outside) its buffer: .*")
            .hasMessageContaining(", end=" + sizes.get(k) + ", size=" + (sizes.get(k) - element));
      }
    }
  }

  /** Any map, including those that a target may not have, so that refusals occur too. */
  private static MapForm target(int kind, int a, int b) {
    return switch (kind) {
      case 0 -> new MapForm.Affine(Expr.of(a - 3L), Expr.of(b - 3L));
      case 1 -> new MapForm.Blocks(Expr.of(1 + b % 3));
      case 2 -> new MapForm.Transpose(Expr.of(1 + a), Expr.of(1 + b));
      case 3 -> new MapForm.Affine(Expr.name("tile").times(a).plus(b), Expr.of(1 + a % 3));
      default -> new MapForm.Permutation(List.of(2, 0, 3, 1));
    };
  }

  @Property(tries = 600)
  @Sampled(every = 5)
  void targetsHaveOnePlaceInsideForEachOutput(
      @ForAll @IntRange(max = 4) int kind,
      @ForAll @IntRange(max = 7) int a,
      @ForAll @IntRange(max = 7) int b,
      @ForAll @IntRange(max = 3) int tile,
      @ForAll @IntRange(min = 1, max = 40) int outputs,
      @ForAll DataType type,
      @ForAll @IntRange(min = -1, max = 1) int more) {
    MapForm target = target(kind, a, b);
    HookForm hook =
        new HookForm(
            "h",
            List.of(new HookForm.Source(type, MapForm.identity())),
            type,
            target,
            HookExpr.in(0, type));
    HookOperands operands =
        new HookOperands(
            hook.asked().isEmpty() ? Map.of() : Map.of(ContextField.TILE, Expr.of(tile)));
    IndexMap.Fixed map =
        (IndexMap.Fixed) target.map(n -> ExprEvaluator.value(operands.into(n), name -> 0));
    long[] places = LongStream.range(0, outputs).map(map::at).toArray();
    long least = Arrays.stream(places).min().orElseThrow();
    long most = Arrays.stream(places).max().orElseThrow();
    boolean once = LongStream.range(0, 400).map(map::at).distinct().count() == 400;
    long size = Math.max(1, (most + 1 + more) * type.bytes());
    String text =
        """
        form f
        input in[%d]
        output out[%d]
        %s
        lane main: sm(32) {
          move out[0] <- h (in[0]%s) bytes %d
        }
        """
            .formatted(
                outputs * type.bytes(), size, hook.text(), operands.text(), outputs * type.bytes());
    if (!once) {
      assertThatThrownBy(() -> Program.bind(FormParser.parse(text), 1, Map.of()))
          .hasMessageContaining("target writes an element twice: map=" + target.text());
    } else if (least < 0) {
      assertThatThrownBy(() -> Program.bind(FormParser.parse(text), 1, Map.of()))
          .hasMessageContaining("index map leaves its array: ")
          .hasMessageContaining("hook=h, target, map=")
          .hasMessageContaining("buffer=out, least=");
    } else if (size < (most + 1) * type.bytes()) {
      assertThatThrownBy(() -> Program.bind(FormParser.parse(text), 1, Map.of()))
          .hasMessageMatching("region (not proved inside|outside) its buffer: .*");
    } else if (kind != 2 && kind != 4) {
      assertThat(Program.bind(FormParser.parse(text), 1, Map.of()).world()).isEqualTo(1);
    }
  }

  private static long least(HookForm.Source source, int outputs) {
    return source.map().map(e -> ((Expr.Const) e).value()) instanceof IndexMap.Affine a
        ? Math.min(a.at(0), a.at(outputs - 1))
        : 0;
  }

  /**
   * Whether the map reads the last byte of the taken range; otherwise a begun group counts as a
   * whole.
   */
  private static boolean tight(IndexMap map, int outputs) {
    return switch (map) {
      case IndexMap.Affine _, IndexMap.Blocks _ -> outputs > 0;
      case IndexMap.Transpose(long rows, long _) -> outputs % rows == 0;
      case IndexMap.Permutation(List<Integer> order) -> outputs % order.size() == 0;
      case IndexMap.Gather _ -> true;
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          out[0] <- turn (in[0])          | 8 * R  | region outside its buffer: rank=0, lane=main, operation=move out[0] <- turn (in[0]) bytes 8 * R, buffer=in, owner=0, offset=0, low=0, end=64, size=48; enlarge the buffer, or bound offset and length with min or check
          out[0] <- pack (in[0], s[62])   | B / 2  | misaligned elements: rank=0, lane=main, operation=move out[0] <- pack (in[0], s[62]) bytes B / 2, buffer=s, offset=62, size=4; use a multiple of the size
          out[1] <- turn (in[0])          | 8      | misaligned elements: rank=0, lane=main, operation=move out[1] <- turn (in[0]) bytes 8, buffer=out, offset=1, size=2; use a multiple of the size
          out[0] <- turn (in[0])          | 3      | length is not whole elements: rank=0, lane=main, operation=move out[0] <- turn (in[0]) bytes 3, bytes=3, element=2; use a multiple of the element's size
          out[0] <- pick (in[0], s[0])    | 8      | region outside its buffer: rank=0, lane=main, operation=move out[0] <- pick (in[0], s[0]) bytes 8, buffer=in, owner=0, offset=0, low=0, end=64, size=48; enlarge the buffer, or bound offset and length with min or check
          out[0] <- back (in[0])          | 8      | index map leaves its array: rank=0, lane=main, operation=move out[0] <- back (in[0]) bytes 8, hook=back, source=in0, map=affine(offset=-1, stride=1), buffer=in, least=-1; keep every index from 0 on
          box[0] <- pack (box[0], s[0])   | 16     | overlapping regions: rank=0, lane=main, operation=move box[0] <- pack (box[0], s[0]) bytes 16, buffer=box, owner=0; move through another buffer
          """)
  void namesTheAccessBeyondAnArray(String move, String bytes, String message) {
    String kept = move.substring(move.indexOf("<- ") + 3, move.indexOf(" ("));
    String text =
        """
        form f
        param B <= 4096
        param R <= 64
        input in[B]
        input s[64]
        output out[2 * B]
        scratch box[B]
        hook turn = transpose(i16, R, 4)
        hook pack = quantise(bf16, e4m3, 128)
        hook pick = gather(f32, R, 2)
        hook back(in0: i16 at affine(offset=r - 1, stride=1)) -> i16 = in0
        lane main: sm(32) {
          move %s bytes %s
        }
        """
            .formatted(move, bytes)
            .lines()
            .filter(line -> !line.startsWith("hook ") || line.startsWith("hook " + kept))
            .reduce("", (a, b) -> a + b + "\n");
    Form form = FormParser.parse(text);
    assertThatThrownBy(() -> Program.bind(form, 1, Map.of("B", 48L, "R", 8L)))
        .isInstanceOf(ProgramException.class)
        .hasMessage(message);
  }
}
