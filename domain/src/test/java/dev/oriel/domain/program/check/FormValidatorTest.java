package dev.oriel.domain.program.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Op.Signal.Cover;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.build.BlockBuilder;
import dev.oriel.domain.program.build.FormBuilder;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** Forms built in Java have no lines: their errors name lane and operation. */
class FormValidatorTest {
  private static final Expr ZERO = Expr.of(0);
  private static final Region IN = Region.of("a", ZERO);
  private static final Region OUT = Region.of("b", ZERO);
  private static final LaneFamily.Engine HOST = new LaneFamily.Engine.Host();

  @Test
  void namesLaneAndOperation() {
    refused(
        b -> b.sync().when(Cond.of(ZERO, Comparison.EQ, ZERO), t -> t.sync(), e -> e.join("x")),
        "unknown lane: lane=l, operation=4 (join x), name=x; known: l");
  }

  @Test
  void cutsAnOperationThatIsTooLongToShow() {
    List<Region> many = Collections.nCopies(40, OUT);
    assertThatThrownBy(() -> form(b -> b.move(many, Region.of("nope", ZERO), ZERO)))
        .hasMessageContaining(", b...)")
        .message()
        .hasSizeLessThan(300);
  }

  @Test
  void refusesMovesWithoutRegions() {
    String rest = "; name at least one destination and one source";
    refused(
        b -> b.op(Op.Move.copy("", List.of(), IN, ZERO)),
        "move without regions: lane=l, operation=1 (move  <- a[0] bytes 0)" + rest);
    refused(
        b -> b.op(new Op.Move("", List.of(OUT), Combine.COPY, List.of(), ZERO)),
        "move without regions: lane=l, operation=1 (move b[0] <-  bytes 0)" + rest);
  }

  @Test
  void refusesTicketsThatTheTextFormCannotName() {
    refused(
        b -> b.move("two words", OUT, IN, ZERO),
        "not a name: lane=l, operation=1 (move two words: b[0] <- a[0] bytes 0), name=two words;"
            + " use at most 64 letters, digits and _, and no reserved word");
    refused(
        b -> b.move("await", OUT, IN, ZERO),
        "not a name: lane=l, operation=1 (move await: b[0] <- a[0] bytes 0), name=await;"
            + " use at most 64 letters, digits and _, and no reserved word");
  }

  @Test
  void refusesOrdersThatHaveNoMeaning() {
    Slot slot = new Slot("D", ZERO, Peers.OTHERS);
    refused(
        b -> b.op(new Op.Signal(slot, Change.SET, ZERO, Order.ACQUIRE, Scope.SYS, Cover.LANE)),
        "a signal cannot acquire: lane=l, operation=1 (signal D[0]@peers set 0 acquire);"
            + " use release or relaxed");
    refused(
        b ->
            b.op(
                new Op.Await(
                    slot, Op.Await.Quantifier.EACH, Comparison.EQ, ZERO, Order.RELEASE, Scope.SYS)),
        "an await cannot release: lane=l, operation=1 (await D[0]@peers == 0 release);"
            + " use acquire or relaxed");
  }

  @Test
  void refusesCallsWhoseOrderHasNoMeaning() {
    refused(
        b -> b.op(new Call.Wait(OUT, Comparison.EQ, ZERO, Order.RELEASE)),
        "order without a meaning here: lane=l, operation=1 (wait b[0] == 0 release),"
            + " order=release; use acquire or relaxed");
    refused(
        b -> b.op(new Call.Read("x", new Slot("D", ZERO, Peers.SELF), Order.ACQ_REL)),
        "order without a meaning here: lane=l, operation=1 (read x <- D[0] acq_rel),"
            + " order=acq_rel; use acquire or relaxed");
    refused(
        b -> b.op(new Call.LoadStrong("x", OUT, Order.RELEASE)),
        "order without a meaning here: lane=l, operation=1 (load x <- b[0] release),"
            + " order=release; use acquire or relaxed");
    refused(
        b -> b.op(new Call.StoreStrong(OUT, ZERO, Order.ACQUIRE)),
        "order without a meaning here: lane=l, operation=1 (store b[0] <- 0 acquire),"
            + " order=acquire; use release or relaxed");
  }

  @Test
  void refusesABarrierThatTheTextFormCannotSay() {
    SignalArray wide = new SignalArray("g", Expr.of(2), new SignalArray.Use.Barrier(""));
    Form form =
        new Form(
            "f",
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(wide),
            List.of(),
            List.of(),
            List.of());
    assertThatThrownBy(() -> FormValidator.validate(form))
        .isInstanceOf(ProgramException.class)
        .hasMessage("barrier of several slots: form=f, name=g; declare several barriers");
  }

  @Test
  void aBuiltFormOfCallsIsTheOneThatItsTextDescribes() {
    FormBuilder builder = FormBuilder.named("f");
    FormBuilder.BufferRef box = builder.scratch("box", Expr.of(8));
    FormBuilder.BufferRef mine = builder.scratch("mine", Expr.of(8));
    builder.barrier("all_in").barrier("evens", "even");
    builder.team("even", Cond.of(Expr.rank().mod(Expr.of(2)), Comparison.EQ, ZERO));
    builder.lane(
        "main",
        List.of(),
        HOST,
        List.of(),
        b ->
            b.put(box.at(0).at(ZERO), mine.at(0), Expr.of(8))
                .fence()
                .get(mine.at(0), box.at(0).at(ZERO), Expr.of(8))
                .quiet()
                .barrier("all_in"));
    assertThat(FormPrinter.print(builder.build()))
        .isEqualTo(
            """
            form f
            scratch box[8]
            scratch mine[8]
            barrier all_in
            barrier evens of even
            team even = r % 2 == 0
            lane main: host {
              put box@(0)[0] <- mine[0] bytes 8
              fence
              get mine[0] <- box@(0)[0] bytes 8
              quiet
              barrier all_in
            }
            """);
    assertThat(FormParser.parse(FormPrinter.print(builder.build()))).isEqualTo(builder.build());
  }

  @Test
  void unusedOperandsOfAChangeMakeNoDifference() {
    Expr x = Expr.of(7);
    assertThat(new Call.Change(Optional.empty(), OUT, Atomic.FETCH, x, x, ZERO))
        .isEqualTo(new Call.Change(Optional.empty(), OUT, Atomic.FETCH, ZERO, ZERO, ZERO));
    assertThat(new Call.Change(Optional.empty(), OUT, Atomic.ADD, x, x, ZERO))
        .isEqualTo(new Call.Change(Optional.empty(), OUT, Atomic.ADD, x, ZERO, ZERO));
  }

  @Test
  void refusesAnAccumulatorThatNothingComputesIn() {
    refused(
        b ->
            b.reduce(
                ReduceOp.SUM,
                DataType.BF16,
                DataType.FP16,
                OUT,
                SourceSeries.of(List.of(IN, IN)),
                ZERO),
        "unfit accumulator: lane=l, operation=1 (move b[0] <- sum bf16 in fp16 (a[0], a[0]) bytes"
            + " 0), element=bf16, accumulator=fp16; use fp32");
  }

  @Test
  void refusesAQueueBelowZero() {
    assertThatThrownBy(() -> form(new LaneFamily.Engine.Nic(-1), b -> {}))
        .isInstanceOf(ProgramException.class)
        .hasMessage("queue out of range: lane=l, operation=0, queue=-1; use 0 or more");
  }

  @Test
  void refusesAPostConditionThatTheTextFormCannotSay() {
    Form form =
        new Form(
            "f",
            List.of(),
            List.of(),
            List.of(),
            List.of(new Buffer(Space.OUTPUT, "b", ZERO)),
            List.of(),
            List.of(),
            List.of(Ensure.copy(List.of(new EnsureBinder.Rank("", Peers.ALL)), OUT, OUT, ZERO)),
            List.of());
    assertThatThrownBy(() -> FormValidator.validate(form))
        .isInstanceOf(ProgramException.class)
        .hasMessage(
            "not a name: form=f, name=; use at most 64 letters, digits and _, and no reserved word");
  }

  @Test
  void refusesNamesThatTheTextFormCannotSay() {
    String fix = "; use at most 64 letters, digits and _, and no reserved word";
    for (String name : List.of("", "a b", "1a", "n", "epoch", "a-b", "x".repeat(65), "\u00E4")) {
      refusedForm(f -> f.param(name, 1), "not a name: form=f, name=" + name + fix);
      refusedForm(f -> f.input(name, ZERO), "not a name: form=f, name=" + name + fix);
      refusedForm(f -> f.signal(name, ZERO), "not a name: form=f, name=" + name + fix);
    }
    assertThatThrownBy(() -> FormBuilder.named("a b").build())
        .hasMessage(
            "not a form name: form=a b, name=a b; use at most 64 letters, digits, _ and - in between, and no digit first");
    assertThatThrownBy(() -> FormBuilder.named("x".repeat(65)).build())
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("not a form name");
    refusedForm(
        f -> f.lane("l l", List.of(), HOST, List.of(), b -> {}),
        "not a name: lane=l l, operation=0, name=l l" + fix);
  }

  @Test
  void acceptsTheLongestName() {
    FormBuilder builder = FormBuilder.named("x".repeat(64));
    builder.param("y".repeat(64), 1);
    builder.lane("z".repeat(64), List.of(), HOST, List.of(), b -> {});
    assertThat(builder.build().lanes()).hasSize(1);
  }

  @Test
  void findsACycleOfJoinsThatAChainOfLanesLeadsTo() {
    FormBuilder builder = FormBuilder.named("f");
    for (int i = 0; i < 4; i++) {
      String next = i == 3 ? "l1" : "l" + (i + 1);
      builder.lane(
          "l" + i,
          List.of(),
          HOST,
          List.of(),
          b -> b.each("p", Peers.ALL, (e, p) -> e.loop("t", ZERO, (f, t) -> f.join(next))));
    }
    assertThatThrownBy(builder::build)
        .isInstanceOf(ProgramException.class)
        .hasMessage(
            "cyclic joins: lane=l3, operation=3 (join l1), lanes=l1 -> l2 -> l3 -> l1;"
                + " remove one join");
  }

  @Test
  void acceptsLanesThatJoinTheSameLaneByTwoWays() {
    FormBuilder builder = FormBuilder.named("f");
    builder.lane("end", List.of(), HOST, List.of(), b -> b.join("left").join("right").join("left"));
    builder.lane("left", List.of(), HOST, List.of(), b -> b.join("start"));
    builder.lane("right", List.of(), HOST, List.of(), b -> b.join("start"));
    builder.lane("start", List.of(), HOST, List.of(), b -> {});
    assertThat(builder.build().lanes()).hasSize(4);
  }

  @Test
  void boundsBlocksInsideEachOther() {
    assertThat(form(b -> nested(b, 31)).digest()).hasSize(32);
    Form deepest = form(b -> nested(b, 31));
    assertThat(FormParser.parse(FormPrinter.print(deepest))).isEqualTo(deepest);
    refused(
        b -> nested(b, 32),
        "blocks nested too deeply: lane=l, operation=32, max=32; flatten the lane");
    List<Op> hostile = List.of();
    for (int i = 0; i < 100_000; i++) {
      hostile = List.of(new Op.For("t", ZERO, hostile));
    }
    List<Op> deep = hostile;
    assertThatThrownBy(() -> form(b -> deep.forEach(b::op)))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("blocks nested too deeply");
  }

  @Test
  void boundsTheOperationsOfALane() {
    assertThat(form(b -> syncs(b, 10_000)).lanes().getFirst().body()).hasSize(10_000);
    refused(
        b -> syncs(b, 10_001),
        "lane too long: lane=l, operation=10001, max=10000; use a loop or more lanes");
    List<Op> shared = List.of(new Op.Sync());
    for (int i = 0; i < 30; i++) {
      Cond condition = Cond.of(ZERO, Comparison.EQ, ZERO);
      shared = List.of(new Op.If(condition, shared, shared));
    }
    List<Op> tree = shared;
    assertThatThrownBy(() -> form(b -> tree.forEach(b::op)))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("lane too long");
  }

  @Test
  void boundsOperands() {
    String finding =
        "operand too large: lane=l, operation=1, max depth=64, max parts=1024;"
            + " name a part of it with let";
    Form deepest = form(b -> b.let("x", chain(63)));
    assertThat(FormParser.parse(FormPrinter.print(deepest))).isEqualTo(deepest);
    Form leftDeepest = form(b -> b.let("x", leftChain(63)));
    assertThat(FormParser.parse(FormPrinter.print(leftDeepest))).isEqualTo(leftDeepest);
    Form deepestRank = form(b -> b.move(OUT.at(chain(63)), IN, ZERO));
    assertThat(FormParser.parse(FormPrinter.print(deepestRank))).isEqualTo(deepestRank);
    Form widest = form(b -> b.let("x", full(10)));
    assertThat(FormParser.parse(FormPrinter.print(widest))).isEqualTo(widest);
    refused(b -> b.let("x", chain(64)), finding);
    refused(b -> b.let("x", leftChain(64)), finding);
    refused(b -> b.let("x", full(11)), finding);
    refused(b -> b.let("x", chain(1_000_000)), finding);
    refused(b -> b.let("x", full(60)), finding);
    for (Expr hostile : List.of(chain(1_000_000), full(60))) {
      for (Op op : everywhere(hostile)) {
        refused(b -> b.op(op), finding);
      }
    }
  }

  @Test
  void boundsTheOperandsOfDeclarations() {
    Expr hostile = full(60);
    String finding =
        "operand too large: form=f, max depth=64, max parts=1024; name a part of it with let";
    refusedForm(f -> f.let("x", hostile), finding);
    refusedForm(f -> f.input("x", hostile), finding);
    refusedForm(f -> f.signal("x", hostile), finding);
    refusedForm(f -> f.ensure(IN, OUT, hostile), finding);
    refusedForm(f -> f.ensure(Region.of("a", hostile), OUT, ZERO), finding);
    refusedForm(f -> f.ensure(IN, Region.of("b", hostile), ZERO), finding);
    refusedForm(f -> f.ensureEach("p", Peers.one(hostile), IN, OUT, ZERO), finding);
    refusedForm(f -> f.team("t", Cond.of(hostile, Comparison.EQ, ZERO)), finding);
    String inLane = finding.replace("form=f", "lane=l, operation=0");
    refusedForm(
        f -> f.lane("l", List.of(FormBuilder.index("i", hostile)), HOST, List.of(), b -> {}),
        inLane);
    refusedForm(
        f -> f.lane("l", List.of(), HOST, List.of(FormBuilder.state("s", hostile)), b -> {}),
        inLane);
  }

  @Test
  void boundsDeclarationsOfEveryKind() {
    String rest = ", count=1025, max=1024; use fewer, with an index or a loop";
    refusedForm(f -> many(i -> f.param("x" + i, 1)), "too many parameters: form=f" + rest);
    refusedForm(f -> many(i -> f.let("x" + i, ZERO)), "too many definitions: form=f" + rest);
    refusedForm(f -> many(i -> f.input("x" + i, ZERO)), "too many buffers: form=f" + rest);
    refusedForm(f -> many(i -> f.signal("x" + i, ZERO)), "too many signals: form=f" + rest);
    Cond everyone = Cond.of(ZERO, Comparison.EQ, ZERO);
    refusedForm(f -> many(i -> f.team("x" + i, everyone)), "too many teams: form=f" + rest);
    refusedForm(f -> many(i -> f.ensure(IN, OUT, ZERO)), "too many post-conditions: form=f" + rest);
    refusedForm(
        f -> many(i -> f.lane("x" + i, List.of(), HOST, List.of(), b -> {})),
        "too many lanes: form=f" + rest);
    List<LaneFamily.Index> indices = new ArrayList<>();
    List<LaneFamily.State> states = new ArrayList<>();
    many(i -> indices.add(FormBuilder.index("x" + i, ZERO)));
    many(i -> states.add(FormBuilder.state("x" + i, ZERO)));
    refusedForm(
        f -> f.lane("l", indices, HOST, List.of(), b -> {}),
        "too many indices: lane=l, operation=0" + rest);
    refusedForm(
        f -> f.lane("l", List.of(), HOST, states, b -> {}),
        "too many states: lane=l, operation=0" + rest);
    List<Region> regions = Collections.nCopies(1025, OUT);
    refused(b -> b.move(regions, IN, ZERO), "too many destinations: lane=l, operation=1" + rest);
    refused(
        b ->
            b.reduce(
                ReduceOp.SUM, DataType.FP32, DataType.FP32, OUT, SourceSeries.of(regions), ZERO),
        "too many sources: lane=l, operation=1" + rest);
    Cond.Term term = new Cond.Term(ZERO, Comparison.EQ, ZERO);
    refused(
        b -> b.check(new Cond(Collections.nCopies(1025, term)), 1),
        "too many comparisons: lane=l, operation=1" + rest);
  }

  @Test
  void aConditionComparesSomething() {
    assertThatThrownBy(() -> new Cond(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("empty condition: terms=0; give at least one comparison");
  }

  /** Every place of an operation that can contain an operand. */
  private static List<Op> everywhere(Expr x) {
    Region placed = Region.of("b", x);
    Region ranked = OUT.at(x);
    Region packed = OUT.packets(PacketFormat.PKT8, x);
    Slot indexed = new Slot("D", x, Peers.OTHERS);
    Slot owned = new Slot("D", ZERO, Peers.one(x));
    List<Op> ops = new ArrayList<>();
    for (Region region : List.of(placed, ranked, packed)) {
      ops.add(Op.Move.copy("", List.of(region), IN, ZERO));
      ops.add(Op.Move.copy("", List.of(OUT), region, ZERO));
      ops.add(new Op.Load("y", region, ZERO, 1));
      ops.add(new Op.Store(region, ZERO));
    }
    for (Slot slot : List.of(indexed, owned)) {
      ops.add(new Op.Signal(slot, Change.SET, ZERO, Order.RELEASE, Scope.SYS, Cover.LANE));
      ops.add(
          new Op.Await(
              slot, Op.Await.Quantifier.EACH, Comparison.EQ, ZERO, Order.ACQUIRE, Scope.SYS));
    }
    Slot slot = new Slot("D", ZERO, Peers.OTHERS);
    ops.add(new Op.Signal(slot, Change.SET, x, Order.RELEASE, Scope.SYS, Cover.LANE));
    ops.add(
        new Op.Await(slot, Op.Await.Quantifier.EACH, Comparison.EQ, x, Order.ACQUIRE, Scope.SYS));
    ops.add(Op.Move.copy("", List.of(OUT), IN, x));
    ops.add(new Op.Load("y", OUT, x, 1));
    ops.add(new Op.Store(OUT, x));
    ops.add(new Op.Flush(Peers.one(x), Op.Flush.Reach.LOCAL));
    ops.add(new Op.Assign("s", x));
    ops.add(new Op.Check(Cond.of(x, Comparison.EQ, ZERO), 1));
    ops.add(new Op.If(Cond.of(ZERO, Comparison.EQ, x), List.of(), List.of()));
    ops.add(new Op.For("t", x, List.of()));
    ops.add(new Op.Each("p", Peers.one(x), List.of()));
    ops.addAll(calls(x));
    return ops;
  }

  private static List<Op> calls(Expr x) {
    Call.Extent whole = new Call.Extent(ZERO);
    Optional<Call.Notify> silent = Optional.empty();
    List<Op> ops = new ArrayList<>();
    for (Region far : List.of(Region.of("b", x), OUT.at(x))) {
      ops.add(new Call.Put(far, IN, whole, silent, ZERO, true));
      ops.add(new Call.Get(OUT, far, whole, ZERO, true));
      ops.add(new Call.Change(Optional.empty(), far, Atomic.ADD, ZERO, ZERO, ZERO));
      ops.add(new Call.Lock(far));
      ops.add(new Call.Unlock(far));
    }
    Region own = Region.of("b", x);
    ops.add(new Call.Wait(own, Comparison.EQ, ZERO, Order.ACQUIRE));
    ops.add(new Call.Wait(OUT, Comparison.EQ, x, Order.ACQUIRE));
    ops.add(new Call.LoadStrong("y", own, Order.ACQUIRE));
    ops.add(new Call.StoreStrong(own, ZERO, Order.RELEASE));
    ops.add(new Call.StoreStrong(OUT, x, Order.RELEASE));
    ops.add(new Call.Read("y", new Slot("D", x, Peers.SELF), Order.ACQUIRE));
    ops.add(new Call.Fence(x));
    ops.add(new Call.Quiet(x));
    for (Call.Extent extent :
        List.of(
            new Call.Extent(x),
            strided(x, ZERO, ZERO),
            strided(ZERO, x, ZERO),
            strided(ZERO, ZERO, x))) {
      ops.add(new Call.Put(OUT, IN, extent, silent, ZERO, true));
    }
    ops.add(new Call.Get(OUT, IN, whole, x, true));
    for (Call.Notify notice :
        List.of(
            new Call.Notify("D", x, Change.SET, ZERO), new Call.Notify("D", ZERO, Change.ADD, x))) {
      ops.add(new Call.Put(OUT, IN, whole, Optional.of(notice), ZERO, true));
    }
    Optional<Call.Result> result = Optional.of(new Call.Result(own, true));
    ops.add(new Call.Change(result, OUT, Atomic.FETCH, ZERO, ZERO, ZERO));
    ops.add(new Call.Change(Optional.empty(), OUT, Atomic.ADD, x, ZERO, ZERO));
    ops.add(new Call.Change(Optional.empty(), OUT, Atomic.CAS, ZERO, x, ZERO));
    ops.add(new Call.Change(Optional.empty(), OUT, Atomic.ADD, ZERO, ZERO, x));
    return ops;
  }

  private static Call.Extent strided(Expr count, Expr to, Expr from) {
    return new Call.Extent(ZERO, Optional.of(new Call.Stride(count, to, from)));
  }

  private static void nested(BlockBuilder b, int levels) {
    if (levels > 0) {
      b.each("p" + levels, Peers.ALL, (inner, p) -> nested(inner, levels - 1));
    }
  }

  private static void syncs(BlockBuilder b, int count) {
    for (int i = 0; i < count; i++) {
      b.sync();
    }
  }

  /** {@code levels} operators, each the right operand of the previous one. */
  private static Expr chain(int levels) {
    Expr chain = Expr.of(1);
    for (int i = 0; i < levels; i++) {
      chain = Expr.of(1).minus(chain);
    }
    return chain;
  }

  private static Expr leftChain(int levels) {
    Expr chain = Expr.of(1);
    for (int i = 0; i < levels; i++) {
      chain = chain.minus(Expr.of(1));
    }
    return chain;
  }

  /** A full tree of that many levels, each level one object in memory. */
  private static Expr full(int levels) {
    Expr tree = Expr.of(1);
    for (int i = 1; i < levels; i++) {
      tree = tree.plus(tree);
    }
    return tree;
  }

  private static void many(IntConsumer part) {
    for (int i = 0; i < 1025; i++) {
      part.accept(i);
    }
  }

  private static void refused(Consumer<BlockBuilder> body, String message) {
    assertThatThrownBy(() -> form(body)).isInstanceOf(ProgramException.class).hasMessage(message);
  }

  private static void refusedForm(Consumer<FormBuilder> parts, String message) {
    FormBuilder builder = FormBuilder.named("f");
    parts.accept(builder);
    assertThatThrownBy(builder::build).isInstanceOf(ProgramException.class).hasMessage(message);
  }

  private static Form form(Consumer<BlockBuilder> body) {
    return form(HOST, body);
  }

  private static Form form(LaneFamily.Engine engine, Consumer<BlockBuilder> body) {
    FormBuilder builder = FormBuilder.named("f");
    builder.input("a", Expr.of(8));
    builder.output("b", Expr.of(8));
    builder.signal("D", Expr.of(1));
    builder.lane("l", List.of(), engine, List.of(FormBuilder.state("s", Expr.of(1))), body);
    return builder.build();
  }
}
