package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.BoundHook;
import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.ElementArray;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.ExpressionTape;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookArray;
import dev.oriel.domain.hook.HookContext;
import dev.oriel.domain.hook.HookEvaluator;
import dev.oriel.domain.hook.HookExpr;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Random hooks that scatter, and that use the operands for peer and tile. A machine's move leaves
 * the same bytes in memory as {@link HookEvaluator}, and writes nothing else.
 */
class HookedMovesProperties {
  private static final int WORLD = 2;
  private static final int TILES = 3;

  /** For one choice of operands. */
  private record Case(HookForm hook, long bytes) {
    BoundHook at(long peer, long tile, int rank) {
      HookOperands operands =
          new HookOperands(
              Map.of(ContextField.PEER, Expr.of(peer), ContextField.TILE, Expr.of(tile)));
      return BoundHook.of(
          new Combine.Apply(hook, operands).boundHook().bound(n -> value(n), rank, WORLD));
    }

    private static long value(Expr number) {
      return dev.oriel.domain.binding.ExprEvaluator.value(
          number,
          name -> {
            throw new AssertionError(name);
          });
    }
  }

  private static Case made(List<Integer> tape, int outputs, int to, int where) {
    Hook hook = ExpressionTape.hook(tape);
    List<HookForm.Source> sources =
        hook.sources().stream()
            .map(s -> new HookForm.Source(s.type(), moved(MapForm.of(s.map()))))
            .toList();
    HookExpr value =
        hook.value()
            .replace(part ->
                part instanceof HookExpr.Field(ContextField f)
                        && HookOperands.mayBe(f)
                        && f != ContextField.PEER
                    ? HookExpr.field(ContextField.TILE)
                    : part);
    // Both operands have the type of the result, so the value contains the field in every case.
    HookExpr asking =
        HookExpr.select(
            HookExpr.field(ContextField.PEER),
            dev.oriel.domain.hook.Relation.EQ,
            HookExpr.field(ContextField.TILE),
            value,
            value);
    return new Case(
        new HookForm("h", sources, hook.result(), target(to, where, outputs), asking),
        (long) outputs * hook.result().bytes());
  }

  /** Moves elements further for each tile; none is before the start of an array. */
  private static MapForm moved(MapForm map) {
    return map instanceof MapForm.Affine(Expr.Const(long offset), Expr.Const(long stride))
        ? new MapForm.Affine(
            Expr.of(offset + (stride < 0 ? 40 : 0)).plus(Expr.name("tile").times(3)),
            Expr.of(stride))
        : map;
  }

  private static MapForm target(int to, int where, int outputs) {
    Expr peer = Expr.name("peer");
    return switch (to) {
      case 0 -> MapForm.identity();
      case 1 -> new MapForm.Affine(peer.plus(where), Expr.of(1));
      case 2 -> new MapForm.Affine(peer, Expr.of(1 + where % 4));
      case 3 -> new MapForm.Affine(peer.plus(5L * outputs), Expr.of(-1 - where % 3));
      case 4 -> new MapForm.Transpose(Expr.of(1 + where % 5), Expr.of(1 + where % 3));
      case 5 -> new MapForm.Blocks(Expr.of(1));
      default -> new MapForm.Permutation(List.of(3, 0, 2, 1));
    };
  }

  private static Form form(Case c, long[] sizes, long out) {
    String inputs =
        IntStream.range(0, sizes.length)
            .mapToObj(k -> "input a%d[%d]\n".formatted(k, sizes[k]))
            .collect(Collectors.joining());
    String sources =
        IntStream.range(0, sizes.length)
            .mapToObj(k -> "a%d[0]".formatted(k))
            .collect(Collectors.joining(", "));
    return FormParser.parse(
        """
        form hooked
        %soutput out[%d]
        %s
        ensure each p in all, for t < %d: out[(p * %d + t) * %d] = h (%s, peer=p, tile=t) bytes %d
        lane main: sm(32) {
          each p in all {
            for t < %d {
              move out[(p * %d + t) * %d] <- h (%s, peer=p, tile=t) bytes %d
            }
          }
        }
        """
            .formatted(
                inputs,
                WORLD * TILES * out,
                c.hook.text(),
                TILES,
                TILES,
                out,
                sources,
                c.bytes,
                TILES,
                TILES,
                out,
                sources,
                c.bytes));
  }

  @Property(tries = 150)
  void aMoveEqualsTheEvaluator(
      @ForAll @Size(max = 50) List<Integer> tape,
      @ForAll @IntRange(max = 24) int outputs,
      @ForAll @IntRange(max = 6) int to,
      @ForAll @IntRange(max = 11) int where,
      @ForAll long seed) {
    Case c = made(tape, outputs, to, where);
    BoundHook last = c.at(WORLD - 1, TILES - 1, 0);
    long[] sizes =
        IntStream.range(0, last.hook().sources().size())
            .mapToLong(k -> Math.max(8, last.taken(k, c.bytes)))
            .toArray();
    long out = 8 * (1 + last.written(c.bytes) / 8);
    Program program = Program.bind(form(c, sizes, out), WORLD, Map.of());
    SplittableRandom random = new SplittableRandom(seed);
    try (Executor executor = SequentialMachine.executor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(program, Topology.grid(1, WORLD))) {
      List<Map<String, byte[]>> inputs = InputWords.draw(program, random::nextLong);
      byte[] before = new byte[(int) (WORLD * TILES * out)];
      Arrays.fill(before, (byte) 0x5A);
      for (int rank = 0; rank < WORLD; rank++) {
        int owner = rank;
        inputs.get(rank).forEach((name, bytes) -> instance.write(owner, name, 0, bytes));
        instance.write(rank, "out", 0, before);
      }
      assertThat(instance.launch(Duration.ofSeconds(20))).allMatch(Outcome.Done.class::isInstance);
      for (int rank = 0; rank < WORLD; rank++) {
        assertThat(instance.read(rank, "out", 0, before.length))
            .as(c.hook.text())
            .isEqualTo(evaluated(c, inputs.get(rank), rank, before, out));
      }
    }
    Checker checker =
        new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 2));
    assertThat(checker.check(program, Topology.grid(1, WORLD)).violation())
        .as(c.hook.text())
        .isEmpty();
  }

  /** The slow reference: the evaluator stores into the array itself. */
  private static byte[] evaluated(
      Case c, Map<String, byte[]> inputs, int rank, byte[] before, long out) {
    byte[] after = before.clone();
    for (int peer = 0; peer < WORLD; peer++) {
      for (int tile = 0; tile < TILES; tile++) {
        int first = (int) ((peer * TILES + tile) * out);
        byte[] part = Arrays.copyOfRange(after, first, first + (int) out);
        Hook hook = c.at(peer, tile, rank).hook();
        List<HookArray> arrays = new ArrayList<>();
        for (int k = 0; k < hook.sources().size(); k++) {
          byte[] bytes = Objects.requireNonNull(inputs.get("a" + k));
          arrays.add(HookArray.of(ElementArray.of(hook.sources().get(k).type(), bytes)));
        }
        HookContext context =
            HookContext.ZERO.with(ContextField.COUNT, c.bytes / hook.result().bytes());
        HookEvaluator.apply(
            hook,
            context,
            arrays,
            HookArray.of(ElementArray.of(hook.result(), part)),
            0,
            c.bytes / hook.result().bytes());
        System.arraycopy(part, 0, after, first, part.length);
      }
    }
    return after;
  }
}
