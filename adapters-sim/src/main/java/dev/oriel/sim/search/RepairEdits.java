package dev.oriel.sim.search;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Proxy;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.OperationRewrite;
import dev.oriel.domain.rewrite.PartTraversal;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.sim.machine.finding.ExecutionRecord.Place;
import dev.oriel.sim.machine.settings.SuppliedOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/** Changes of a form that give it an order which an advice names, at the places of a finding. */
final class RepairEdits {
  private static final Op SYNC = new Op.Sync();
  private static final Op ORDER = new Call.MemoryFence(false, Scope.SYS);
  private static final Op STRICT = new Call.MemoryFence(true, Scope.SYS);

  private final Form form;

  /** The operations of the finding, the earlier one first. */
  private final List<RewriteSite> named = new ArrayList<>();

  private final Set<String> lanes = new TreeSet<>();
  private final int contexts;

  RepairEdits(Form form, List<Place> places, int contexts) {
    this.form = form;
    this.contexts = contexts;
    List<RewriteSite> all = RewriteSite.of(form);
    for (Place place : places) {
      lanes.add(place.lane());
      all.stream()
          .filter(site -> site.lane().name().equals(place.lane()))
          .filter(site -> site.number() - 1 == place.operation())
          .forEach(named::add);
    }
  }

  /** Forms with that order, each at other places; most probable first. */
  List<Form> of(SuppliedOrder edge) {
    return switch (edge.remedy()) {
      case NONE -> List.of();
      case SYNC -> {
        List<Form> forms = around(List.of(SYNC));
        forms.addAll(around(quiets(SuppliedOrder.EVERY)));
        yield forms;
      }
      case BULK_ORDER -> ordered(new Call.OrderProxy(Proxy.BULK));
      case ALIAS_ORDER -> ordered(new Call.OrderProxy(Proxy.ALIAS));
      case BULK_END -> ordered(new Call.AwaitBulk());
      case ACQUIRE, CONSISTENCY -> ordering(OperationNames::waits, Order.ACQUIRE);
      case RELEASE -> ordering(RepairEdits::announces, Order.RELEASE);
      case ORDER_AFTER -> {
        List<Form> forms = ordering(OperationNames::waits, Order.ACQUIRE);
        forms.add(edited(lanes, op -> after(op, OperationNames.waits(op), List.of(ORDER))));
        yield forms;
      }
      case ORDER_BEFORE -> {
        List<Form> forms = ordering(RepairEdits::announces, Order.RELEASE);
        forms.add(edited(lanes, op -> before(op, announces(op), List.of(ORDER))));
        yield forms;
      }
      case ORDER_BETWEEN ->
          List.of(edited(all(), op -> after(op, OperationNames.waits(op), List.of(ORDER))));
      case SCOPE -> List.of(edited(all(), op -> List.of(widened(op))));
      case COMPLETION -> completed(edge.context(), Op.Flush.Reach.LOCAL);
      case PLACEMENT -> completed(edge.context(), Op.Flush.Reach.REMOTE);
      case ARRANGED -> ordered(fences(edge.context()));
    };
  }

  /**
   * The form in which plain loads that the finding names acquire, where their lane acts upon the
   * value; the same form if there is none.
   */
  Form acquiringLoad() {
    return edited(
        lanes,
        op ->
            op instanceof Op.Load load
                    && load.width() == Long.BYTES
                    && load.bound().isEmpty()
                    && named(op)
                    && decides(load.register())
                ? List.of(new Call.LoadStrong(load.register(), load.word(), Order.ACQUIRE))
                : List.of(op));
  }

  /**
   * The form with a fence after every change of a word; the same form if no lane also reads one.
   */
  Form fencedChanges(boolean strict) {
    boolean buffering =
        RewriteSite.of(form).stream().map(RewriteSite::op).anyMatch(OperationNames::waits);
    return edited(
        all(), op -> after(op, buffering && announces(op), List.of(strict ? STRICT : ORDER)));
  }

  /**
   * For each name of words that are both changed and read relaxed, the form in which every change
   * of them releases and every read of them acquires.
   */
  SortedMap<String, Form> bothEnds() {
    SortedMap<String, Form> forms = new TreeMap<>();
    RewriteSite.of(form).stream()
        .map(RewriteSite::op)
        .filter(RepairEdits::announces)
        .flatMap(op -> OperationNames.written(op).stream())
        .distinct()
        .forEach(name -> {
          Form released = ordered(form, op -> releases(op, name), Order.RELEASE);
          Form both = ordered(released, op -> acquires(op, name), Order.ACQUIRE);
          if (!released.equals(form) && !both.equals(released)) {
            forms.put(name, both);
          }
        });
    return forms;
  }

  /**
   * For each addition that completes requests of one lane, in words, the forms that have it. A lane
   * that has no such requests is left out.
   */
  SequencedMap<String, List<Form>> completions() {
    SequencedMap<String, List<Form>> forms = new LinkedHashMap<>();
    for (LaneFamily lane : form.lanes()) {
      List<Op> ops =
          RewriteSite.of(form).stream()
              .filter(site -> site.lane().name().equals(lane.name()))
              .map(RewriteSite::op)
              .toList();
      if (ops.stream().anyMatch(op -> op instanceof Call.Put || op instanceof Call.Get)) {
        forms.put("a quiet " + places(lane), completed(lane, quiets(SuppliedOrder.EVERY)));
      }
      if (ops.stream().anyMatch(Op.Move.class::isInstance)) {
        for (Op.Flush.Reach reach : Op.Flush.Reach.values()) {
          forms.put(
              "a flush of the peer, %s, %s".formatted(FormPrinter.lower(reach), places(lane)),
              completed(lane, List.of(new Op.Flush(Peers.OTHERS, reach))));
        }
      }
    }
    return forms;
  }

  /**
   * For each signal before an access that the finding names, in words, the forms in which it
   * follows the access; for each wait after such an access, the form in which it comes first.
   */
  SequencedMap<String, List<Form>> moves() {
    SequencedMap<String, List<Form>> forms = new LinkedHashMap<>();
    // In a small world several signals may lead to one lane, so that moving another one helps, too.
    named.forEach(access -> laterSignals(access, signal -> isAwaited(signal.slot()), forms));
    for (RewriteSite access : named) {
      laterSignals(access, signal -> !isAwaited(signal.slot()), forms);
      for (int i = access.at() + 1; i < access.block().size(); i++) {
        Op wait = access.block().get(i);
        if (OperationNames.waits(wait)) {
          forms.put(
              "move '%s' before '%s'".formatted(FormPrinter.head(wait), head(access)),
              List.of(moved(access, i, access.at(), List.of())));
        }
      }
    }
    return forms;
  }

  /**
   * For each offset of an access that the finding names, and that has a loop's turn modulo the
   * number of slots, in words, the forms with a state in place of the turn: a turn begins anew in
   * each launch, while a credit may go on over launches.
   */
  SequencedMap<String, List<Form>> counted() {
    Set<String> turns = new TreeSet<>();
    RewriteSite.of(form)
        .forEach(site -> {
          if (site.op() instanceof Op.For loop) {
            turns.add(loop.variable());
          }
        });
    SequencedMap<String, List<Form>> forms = new LinkedHashMap<>();
    for (RewriteSite access : named) {
      for (LaneFamily.State state : access.lane().states()) {
        for (Op changed :
            PartTraversal.variants(
                access.op(),
                List.of(OperationPart.OFFSET),
                offset -> ExprEdits.variants(offset, part -> counted(part, state.name(), turns)))) {
          forms.put(
              "count the slots of every launch: '%s' in place of '%s'"
                  .formatted(FormPrinter.head(changed), head(access)),
              List.of(access.replaced(List.of(changed))));
        }
      }
    }
    return forms;
  }

  private static List<Expr> counted(Expr part, String state, Set<String> turns) {
    return part instanceof Expr.Binary(Operator operator, Expr.Name(String turn), Expr slots)
            && operator == Operator.MOD
            && turns.contains(turn)
        ? List.of(new Expr.Binary(operator, new Expr.Name(state), slots))
        : List.of();
  }

  /** For each wait before a named access, in words, the form in which it awaits one more. */
  SequencedMap<String, List<Form>> laterValues() {
    SequencedMap<String, List<Form>> forms = new LinkedHashMap<>();
    for (RewriteSite access : named) {
      for (int i = access.at() - 1; i >= 0; i--) {
        if (access.block().get(i) instanceof Op.Await wait) {
          Op later =
              new Op.Await(
                  wait.slot(),
                  wait.quantifier(),
                  wait.comparison(),
                  oneMore(wait.value()),
                  wait.order(),
                  wait.scope());
          List<Op> changed = new ArrayList<>(access.block());
          changed.set(i, later);
          forms.put(
              "await one more, unless the slot is wrong: '%s' in place of '%s'"
                  .formatted(FormPrinter.head(later), FormPrinter.head(wait)),
              List.of(access.with(changed)));
        }
      }
    }
    return forms;
  }

  private static Expr oneMore(Expr value) {
    return value instanceof Expr.Binary(Operator operator, Expr left, Expr.Const(long less))
            && operator == Operator.SUB
            && less == 1
        ? left
        : ExprEdits.plus(value, 1);
  }

  private void laterSignals(
      RewriteSite access, Predicate<Op.Signal> wanted, SequencedMap<String, List<Form>> forms) {
    for (int i = 0; i < access.at(); i++) {
      if (access.block().get(i) instanceof Op.Signal signal && wanted.test(signal)) {
        laterSignal(access, i, signal, forms);
      }
    }
  }

  /** Whether the last wait before one of the accesses is for that slot. */
  private boolean isAwaited(Slot slot) {
    return named.stream()
        .flatMap(access ->
            access.block().subList(0, access.at()).reversed().stream()
                .filter(Op.Await.class::isInstance)
                .limit(1))
        .map(wait -> ((Op.Await) wait).slot())
        .anyMatch(awaited ->
            awaited.signal().equals(slot.signal()) && awaited.index().equals(slot.index()));
  }

  private void laterSignal(
      RewriteSite access, int from, Op.Signal signal, SequencedMap<String, List<Form>> forms) {
    String words = "move '%s' after '%s'".formatted(FormPrinter.head(signal), head(access));
    forms.put(words, List.of(moved(access, from, access.at(), List.of())));
    int to = access.at() + 1;
    while (to < access.block().size() && completes(access.block().get(to))) {
      Op last = access.block().get(to);
      forms.put(
          words + " and '%s'".formatted(FormPrinter.head(last)),
          List.of(moved(access, from, to, List.of())));
      to++;
    }
    forms.put(
        words + ", with a fence between",
        List.of(moved(access, from, access.at(), fences(SuppliedOrder.EVERY))));
  }

  private static boolean completes(Op op) {
    return op instanceof Call.Fence
        || op instanceof Call.Quiet
        || op instanceof Op.Flush
        || op instanceof Op.Sync;
  }

  /** One operation of the access's block at another place, others before it. */
  private static Form moved(RewriteSite access, int from, int to, List<Op> before) {
    List<Op> changed = new ArrayList<>(access.block());
    Op one = changed.remove(from);
    changed.addAll(to, joined(before, List.of(one)));
    return access.with(changed);
  }

  private static String head(RewriteSite site) {
    return FormPrinter.head(site.op());
  }

  private static String places(LaneFamily lane) {
    return "before lane=%s signals others or ends".formatted(lane.name());
  }

  /** The lane completes its requests before it changes a word, or before it ends, or both. */
  private List<Form> completed(LaneFamily lane, List<Op> added) {
    Set<String> only = Set.of(lane.name());
    Form early = edited(only, op -> before(op, announces(op), added));
    return List.of(early, atEnd(form, only, added), atEnd(early, only, added));
  }

  private static Form atEnd(Form form, Set<String> lanes, List<Op> added) {
    return FormEdits.withLanes(
        form,
        form.lanes().stream()
            .map(lane -> lanes.contains(lane.name()) ? ended(lane, added) : lane)
            .toList());
  }

  private static boolean releases(Op op, String name) {
    return announces(op) && OperationNames.written(op).contains(name);
  }

  private static boolean acquires(Op op, String name) {
    return OperationNames.waits(op) && OperationNames.read(op).contains(name);
  }

  private Set<String> all() {
    Set<String> names = new TreeSet<>();
    form.lanes().forEach(lane -> names.add(lane.name()));
    return names;
  }

  /** Whether a condition tests the register. */
  private boolean decides(String register) {
    return RewriteSite.of(form).stream()
        .flatMap(site -> PartTraversal.all(site.op(), OperationPart.TERM).stream())
        .anyMatch(term -> ExprEdits.uses(term, register));
  }

  private boolean named(Op op) {
    return named.stream().anyMatch(site -> site.op().equals(op));
  }

  /** Whether the operation changes a word that others may wait for. */
  private static boolean announces(Op op) {
    return op instanceof Op.Signal
        || op instanceof Call.StoreStrong
        || op instanceof Call.Change
        || op instanceof Call.Unlock
        || (op instanceof Call.Put put && put.notice().isPresent());
  }

  private List<Op> quiets(int context) {
    return contexts(context).stream().<Op>map(c -> new Call.Quiet(Expr.of(c))).toList();
  }

  private List<Op> fences(int context) {
    return contexts(context).stream().<Op>map(c -> new Call.Fence(Expr.of(c))).toList();
  }

  private List<Integer> contexts(int context) {
    if (context != SuppliedOrder.EVERY) {
      return List.of(context);
    }
    List<Integer> every = new ArrayList<>();
    for (int c = 0; c < Math.max(1, contexts); c++) {
      every.add(c);
    }
    return every;
  }

  private List<Form> ordered(Op added) {
    return ordered(List.of(added));
  }

  private List<Form> ordered(List<Op> added) {
    List<Form> forms = around(added);
    forms.add(edited(lanes, op -> before(op, announces(op), added)));
    forms.add(edited(lanes, op -> after(op, OperationNames.waits(op), added)));
    return forms;
  }

  private List<Form> completed(int context, Op.Flush.Reach reach) {
    List<Form> forms = new ArrayList<>();
    Op flush = new Op.Flush(Peers.OTHERS, reach);
    for (List<Op> added : List.of(quiets(context), List.of(flush))) {
      forms.addAll(ordered(added));
      forms.add(atEnd(form, lanes, added));
    }
    return forms;
  }

  private static LaneFamily ended(LaneFamily lane, List<Op> added) {
    List<Op> body = new ArrayList<>(lane.body());
    body.addAll(added);
    return FormEdits.withBody(lane, body);
  }

  /** After or before each operation that the finding names. */
  private List<Form> around(List<Op> added) {
    List<Form> forms = new ArrayList<>();
    for (RewriteSite site : named) {
      Set<String> lane = Set.of(site.lane().name());
      forms.add(edited(lane, op -> after(op, op.equals(site.op()), added)));
      forms.add(edited(lane, op -> before(op, op.equals(site.op()), added)));
    }
    return forms;
  }

  /** Each such operation alone with that order, then all of the lanes. */
  private List<Form> ordering(Predicate<Op> which, Order order) {
    List<Form> forms = new ArrayList<>();
    for (RewriteSite site : RewriteSite.of(form)) {
      if (which.test(site.op())) {
        forms.add(site.replaced(List.of(with(site.op(), order))));
      }
    }
    forms.add(ordered(form, which, order));
    return new ArrayList<>(forms.stream().filter(other -> !other.equals(form)).distinct().toList());
  }

  /** All such operations with that order. */
  private Form ordered(Form form, Predicate<Op> which, Order order) {
    return edited(form, all(), op -> List.of(which.test(op) ? with(op, order) : op));
  }

  private static Op with(Op op, Order order) {
    return PartTraversal.rewrite(
        op,
        new OperationRewrite() {
          @Override
          public <T> T part(OperationPart<T> part, T value) {
            return value instanceof Order ? part.type().cast(order) : value;
          }
        });
  }

  private static Op widened(Op op) {
    return PartTraversal.rewrite(
        op,
        new OperationRewrite() {
          @Override
          public <T> T part(OperationPart<T> part, T value) {
            return value instanceof Scope ? part.type().cast(Scope.SYS) : value;
          }
        });
  }

  private static List<Op> after(Op op, boolean here, List<Op> added) {
    return here ? joined(List.of(op), added) : List.of(op);
  }

  private static List<Op> before(Op op, boolean here, List<Op> added) {
    return here ? joined(added, List.of(op)) : List.of(op);
  }

  private static List<Op> joined(List<Op> one, List<Op> two) {
    List<Op> both = new ArrayList<>(one);
    both.addAll(two);
    return both;
  }

  /** The form in which each operation of those lanes became others. */
  private Form edited(Set<String> which, Function<Op, List<Op>> change) {
    return edited(form, which, change);
  }

  private static Form edited(Form form, Set<String> which, Function<Op, List<Op>> change) {
    return FormEdits.withLanes(
        form,
        form.lanes().stream()
            .map(lane ->
                which.contains(lane.name())
                    ? FormEdits.withBody(lane, changed(lane.body(), change))
                    : lane)
            .toList());
  }

  private static List<Op> changed(List<Op> ops, Function<Op, List<Op>> change) {
    List<Op> result = new ArrayList<>();
    for (Op op : ops) {
      for (Op part : change.apply(op)) {
        result.add(
            PartTraversal.rewrite(
                part,
                new OperationRewrite() {
                  @Override
                  public List<Op> block(List<Op> inner) {
                    return changed(inner, change);
                  }
                }));
      }
    }
    return result;
  }
}
