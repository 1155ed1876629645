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

class FormLoweringProperties {
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
          for (LoweredStep step : lane.steps()) {
            if (step.micro() instanceof MicroOperation.Label(int id)) {
              assertThat(labels.add(id)).isTrue();
            }
          }
          for (LoweredStep step : lane.steps()) {
            switch (step.micro()) {
              case MicroOperation.Jump(int label) -> assertThat(labels).contains(label);
              case MicroOperation.Unless(var condition, int label) ->
                  assertThat(labels).contains(label);
              case MicroOperation.UnlessKind(var peer, var kind, int label) ->
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
          List<LoweredStep> steps = lane.steps();
          for (int at = 0; at < steps.size(); at++) {
            int i = at;
            if (flow.alone(i)) {
              assertThat(steps.get(i).micro()).isNotInstanceOf(MicroOperation.Bar.class);
              continue;
            }
            Set<String> unordered = flow.before(i).unordered();
            switch (steps.get(i).micro()) {
              case MicroOperation.WriteSlot w when w.order() == Order.RELEASE ->
                  assertThat(unordered).as(lane.steps().get(i).toString()).isEmpty();
              case MicroOperation.Rmw m when m.order().releases() ->
                  assertThat(unordered).isEmpty();
              case MicroOperation.Rmw m when steps.get(i).why().startsWith("store ") ->
                  assertThat(unordered).doesNotContain("load");
              case MicroOperation.LoadWord l -> assertThat(flow.before(i).strong()).isEmpty();
              case MicroOperation.Post p when handsOver(p) && !relaxed(steps.get(i)) ->
                  assertThat(others(unordered, steps.get(i))).isEmpty();
              case MicroOperation.AwaitQueue a when !steps.get(i).why().startsWith("lock ") ->
                  assertThat(unordered).isEmpty();
              case MicroOperation.Fence f when steps.get(i).why().startsWith("fence") ->
                  assertThat(flow.before(i).changed()).isEmpty();
              case MicroOperation.Bar b when flow.reached(i) && i < steps.size() - 2 ->
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
            LoweredStep step = lane.steps().get(i);
            if (step.micro() instanceof MicroOperation.Post p && handsOver(p) && !relaxed(step)) {
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
          List<LoweredStep> steps = lane.steps();
          for (int i = 0; i < steps.size(); i++) {
            if (acquires(steps.get(i).micro())) {
              int next = i + 1;
              while (polls(steps.get(next).micro())) {
                next++;
              }
              if (kinds.contains(PeerKind.RDMA)) {
                assertThat(steps.get(next++).micro())
                    .isEqualTo(new MicroOperation.VisibilityFence());
              }
              assertThat(steps.get(next).micro()).isEqualTo(new MicroOperation.Bar());
            }
          }
          assertThat(steps.get(steps.size() - 2).micro()).isEqualTo(new MicroOperation.Bar());
          assertThat(steps.getLast().micro()).isEqualTo(new MicroOperation.End());
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
                    s.micro() instanceof MicroOperation.Post
                        || s.micro() instanceof MicroOperation.AwaitQueue
                        || s.micro() instanceof MicroOperation.VisibilityFence
                        || s.micro() instanceof MicroOperation.UnlessKind));
  }

  @Property(tries = 1_000)
  void loweringIsAPureFunction(
      @ForAll("tapes") List<Integer> tape, @ForAll("kinds") Set<PeerKind> kinds) {
    Form form = FormTape.form(tape);
    try {
      LoweredForm lowered = FormLowering.lower(form, kinds);
      assertThat(FormLowering.lower(FormTape.form(tape), kinds).print()).isEqualTo(lowered.print());
      assertThat(lowered.digest())
          .isEqualTo(FormLowering.lower(FormTape.form(tape), kinds).digest());
    } catch (ProgramException refused) {
      assertThat(kinds).contains(PeerKind.RDMA);
      assertThat(refused).hasMessageMatching(NO_RDMA_FORM);
    }
  }

  private static void eachLane(
      List<Integer> tape, Set<PeerKind> kinds, BiConsumer<LoweredLane, Flow> check) {
    Form form = FormTape.form(tape);
    try {
      LoweredForm lowered = FormLowering.lower(form, kinds);
      lowered.lanes().forEach(lane -> check.accept(lane, new Flow(lane)));
    } catch (ProgramException refused) {
      assertThat(kinds).contains(PeerKind.RDMA);
      assertThat(refused).hasMessageMatching(NO_RDMA_FORM);
    }
  }

  private static boolean acquires(MicroOperation micro) {
    return switch (micro) {
      case MicroOperation.PollSlot p -> p.order() == Order.ACQUIRE;
      case MicroOperation.PollWord p -> p.order() == Order.ACQUIRE;
      case MicroOperation.ReadSlot r -> r.order() == Order.ACQUIRE;
      case MicroOperation.Rmw m -> m.order() == Order.ACQUIRE;
      default -> false;
    };
  }

  /** The steps of a loop over the sources of one operation's polls. */
  private static boolean polls(MicroOperation micro) {
    return micro instanceof MicroOperation.PollSlot
        || micro instanceof MicroOperation.Set
        || micro instanceof MicroOperation.Jump
        || micro instanceof MicroOperation.Label;
  }

  /**
   * Whether the interface reads or overwrites, for that request, bytes that the lane touched
   * before.
   */
  private static boolean handsOver(MicroOperation.Post post) {
    return switch (post.request()) {
      case MicroOperation.Request.ReadBack r -> false;
      case MicroOperation.Request.Lock l -> false;
      case MicroOperation.Request.ChangeWord c -> c.result().isPresent();
      default -> true;
    };
  }

  /** A move's own copies to peers over NVLink need no order with its own requests. */
  private static Set<String> others(Set<String> accesses, LoweredStep step) {
    Set<String> others = new HashSet<>(accesses);
    others.remove(step.why());
    return others;
  }

  private static boolean relaxed(LoweredStep step) {
    return step.why().contains(" relaxed");
  }

  /** Whether an operation needs that barrier itself, regardless of earlier operations. */
  private static boolean makesAnEdge(List<LoweredStep> steps, int bar) {
    MicroOperation earlier = bar == 0 ? new MicroOperation.End() : steps.get(bar - 1).micro();
    return steps.get(bar).why().startsWith("sync")
        || earlier instanceof MicroOperation.PollSlot
        || earlier instanceof MicroOperation.VisibilityFence
        || earlier instanceof MicroOperation.AwaitLane
        || steps.get(bar).why().contains(": all threads wait ")
        || steps.get(bar).why().contains(": every thread has executed its fence");
  }
}
