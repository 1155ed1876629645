package dev.oriel.domain.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormTape;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.PeerKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class LoweringProperties {
  /** All operations that lowering refuses, and only with network interfaces. */
  private static final String NO_RDMA_FORM =
      "(move has no RDMA form: lane=\\w+, operation=move .+"
          + "|bulk has no RDMA form: lane=\\w+, operation=bulk .+"
          + "|scope has no RDMA form: lane=\\w+, operation=(un)?lock .+); .+";

  @Provide
  Arbitrary<List<Integer>> tapes() {
    return Arbitraries.integers().between(0, 9_999).list().ofMinSize(60).ofMaxSize(600);
  }

  @Provide
  Arbitrary<Set<PeerKind>> kinds() {
    return Arbitraries.of(PeerKind.values()).set().ofMaxSize(3);
  }

  @Property(tries = 1_000)
  void everyJumpGoesToTheOnlyLabelOfItsNumber(
      @ForAll("tapes") List<Integer> tape, @ForAll("kinds") Set<PeerKind> kinds) {
    eachLane(
        tape,
        kinds,
        (lane, flow) -> {
          Set<Integer> labels = new HashSet<>();
          for (Step step : lane.steps()) {
            if (step.micro() instanceof Micro.Label(int id)) {
              assertThat(labels.add(id)).isTrue();
            }
          }
          for (Step step : lane.steps()) {
            switch (step.micro()) {
              case Micro.Jump(int label) -> assertThat(labels).contains(label);
              case Micro.Unless(var condition, int label) -> assertThat(labels).contains(label);
              case Micro.UnlessKind(var peer, var kind, int label) ->
                  assertThat(labels).contains(label);
              default -> {}
            }
          }
        });
  }

  @Property(tries = 1_000)
  void aBarrierPrecedesEveryHandOverAndNothingElse(
      @ForAll("tapes") List<Integer> tape, @ForAll("kinds") Set<PeerKind> kinds) {
    eachLane(
        tape,
        kinds,
        (lane, flow) -> {
          List<Step> steps = lane.steps();
          for (int at = 0; at < steps.size(); at++) {
            int i = at;
            Set<String> unordered = flow.before(i).unordered();
            switch (steps.get(i).micro()) {
              case Micro.WriteSlot w when w.order() == Order.RELEASE ->
                  assertThat(unordered).as(lane.steps().get(i).toString()).isEmpty();
              case Micro.Rmw m when m.order().releases() -> assertThat(unordered).isEmpty();
              case Micro.Rmw m when steps.get(i).why().startsWith("store ") ->
                  assertThat(unordered).doesNotContain("load");
              case Micro.LoadWord l -> assertThat(flow.before(i).strong()).isEmpty();
              case Micro.Post p when handsOver(p) && !relaxed(steps.get(i)) ->
                  assertThat(others(unordered, steps.get(i))).isEmpty();
              case Micro.AwaitQueue a when !steps.get(i).why().startsWith("lock ") ->
                  assertThat(unordered).isEmpty();
              case Micro.Fence f when steps.get(i).why().startsWith("fence") ->
                  assertThat(flow.before(i).changed()).isEmpty();
              case Micro.Bar b when flow.reached(i) && i < steps.size() - 2 ->
                  assertThat(
                          !unordered.isEmpty()
                              || !flow.before(i).changed().isEmpty()
                              || !flow.before(i).strong().isEmpty()
                              || makesAnEdge(steps, i))
                      .as("%d of %s", i, steps)
                      .isTrue();
              default -> {}
            }
          }
        });
  }

  @Property(tries = 1_000)
  void aFencePrecedesEveryRequestThatPublishesData(
      @ForAll("tapes") List<Integer> tape, @ForAll("kinds") Set<PeerKind> kinds) {
    eachLane(
        tape,
        kinds,
        (lane, flow) -> {
          for (int i = 0; i < lane.steps().size(); i++) {
            Step step = lane.steps().get(i);
            if (step.micro() instanceof Micro.Post p && handsOver(p) && !relaxed(step)) {
              assertThat(others(flow.before(i).unfenced(), step)).isEmpty();
            }
          }
        });
  }

  @Property(tries = 1_000)
  void everyAcquireIsFollowedByItsBarrierAndTheLaneByItsEnd(
      @ForAll("tapes") List<Integer> tape, @ForAll("kinds") Set<PeerKind> kinds) {
    eachLane(
        tape,
        kinds,
        (lane, flow) -> {
          List<Step> steps = lane.steps();
          for (int i = 0; i < steps.size(); i++) {
            if (acquires(steps.get(i).micro())) {
              int next = i + 1;
              while (polls(steps.get(next).micro())) {
                next++;
              }
              if (kinds.contains(PeerKind.RDMA)) {
                assertThat(steps.get(next++).micro()).isEqualTo(new Micro.Consist());
              }
              assertThat(steps.get(next).micro()).isEqualTo(new Micro.Bar());
            }
          }
          assertThat(steps.get(steps.size() - 2).micro()).isEqualTo(new Micro.Bar());
          assertThat(steps.getLast().micro()).isEqualTo(new Micro.End());
        });
  }

  @Property(tries = 1_000)
  void aWorldWithoutNetworkInterfacesHasNoRequests(@ForAll("tapes") List<Integer> tape) {
    eachLane(
        tape,
        Set.of(PeerKind.NVLINK),
        (lane, flow) ->
            assertThat(lane.steps())
                .noneMatch(s ->
                    s.micro() instanceof Micro.Post
                        || s.micro() instanceof Micro.AwaitQueue
                        || s.micro() instanceof Micro.Consist
                        || s.micro() instanceof Micro.UnlessKind));
  }

  @Property(tries = 1_000)
  void loweringIsAPureFunction(
      @ForAll("tapes") List<Integer> tape, @ForAll("kinds") Set<PeerKind> kinds) {
    Form form = FormTape.form(tape);
    try {
      LoweredForm lowered = Lowering.lower(form, kinds);
      assertThat(Lowering.lower(FormTape.form(tape), kinds).print()).isEqualTo(lowered.print());
      assertThat(lowered.digest()).isEqualTo(Lowering.lower(FormTape.form(tape), kinds).digest());
    } catch (ProgramException refused) {
      assertThat(kinds).contains(PeerKind.RDMA);
      assertThat(refused).hasMessageMatching(NO_RDMA_FORM);
    }
  }

  private static void eachLane(
      List<Integer> tape, Set<PeerKind> kinds, BiConsumer<LoweredLane, Flow> check) {
    Form form = FormTape.form(tape);
    try {
      LoweredForm lowered = Lowering.lower(form, kinds);
      lowered.lanes().forEach(lane -> check.accept(lane, new Flow(lane)));
    } catch (ProgramException refused) {
      assertThat(kinds).contains(PeerKind.RDMA);
      assertThat(refused).hasMessageMatching(NO_RDMA_FORM);
    }
  }

  private static boolean acquires(Micro micro) {
    return switch (micro) {
      case Micro.PollSlot p -> p.order() == Order.ACQUIRE;
      case Micro.PollWord p -> p.order() == Order.ACQUIRE;
      case Micro.ReadSlot r -> r.order() == Order.ACQUIRE;
      case Micro.Rmw m -> m.order() == Order.ACQUIRE;
      default -> false;
    };
  }

  /** The steps of a loop over the sources of one operation's polls. */
  private static boolean polls(Micro micro) {
    return micro instanceof Micro.PollSlot
        || micro instanceof Micro.Set
        || micro instanceof Micro.Jump
        || micro instanceof Micro.Label;
  }

  /**
   * Whether the interface reads or overwrites, for that request, bytes that the lane touched
   * before.
   */
  private static boolean handsOver(Micro.Post post) {
    return switch (post.request()) {
      case Micro.Request.ReadBack r -> false;
      case Micro.Request.Lock l -> false;
      case Micro.Request.ChangeWord c -> c.result().isPresent();
      default -> true;
    };
  }

  /** A move's own copies to peers over NVLink need no order with its own requests. */
  private static Set<String> others(Set<String> accesses, Step step) {
    Set<String> others = new HashSet<>(accesses);
    others.remove(step.why());
    return others;
  }

  private static boolean relaxed(Step step) {
    return step.why().contains(" relaxed");
  }

  /** Whether an operation needs that barrier itself, regardless of earlier operations. */
  private static boolean makesAnEdge(List<Step> steps, int bar) {
    Micro earlier = bar == 0 ? new Micro.End() : steps.get(bar - 1).micro();
    return steps.get(bar).why().startsWith("sync")
        || earlier instanceof Micro.PollSlot
        || earlier instanceof Micro.Consist
        || earlier instanceof Micro.AwaitLane
        || steps.get(bar).why().contains(": no thread goes on before ");
  }
}
