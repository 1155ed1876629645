package dev.oriel.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;

/** Every call with any numbers: it succeeds, or its refusal names the number. */
class OutOfRangeProperties {
  private static final FakeVerbs VERBS = new FakeVerbs();
  private static final DeviceContext CONTEXT = VERBS.open();

  @AfterContainer
  static void nothingIsLeft() {
    CONTEXT.close();
    assertThat(VERBS.live()).isEmpty();
  }

  /** Near every limit, and anything. */
  @Provide
  Arbitrary<Integer> numbers() {
    return Arbitraries.oneOf(
        Arbitraries.integers(),
        Arbitraries.integers().between(-2, 40),
        Arbitraries.of(
            (1 << 8) + 1,
            (1 << 14) - 1,
            1 << 14,
            (1 << 16) - 1,
            1 << 16,
            (1 << 24) - 1,
            1 << 24,
            1 << 30));
  }

  /** A new object is closed at once. */
  private static void answered(Supplier<?> call) {
    try {
      if (call.get() instanceof NativeHandle made) {
        made.close();
      }
    } catch (MachineException | IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("=").hasMessageContaining("; ");
    }
  }

  private static Supplier<?> did(Runnable call) {
    return () -> {
      call.run();
      return "";
    };
  }

  /** Whether the call succeeded; otherwise its refusal named the number. */
  private static boolean does(Runnable call) {
    boolean[] done = new boolean[1];
    answered(
        did(() -> {
          call.run();
          done[0] = true;
        }));
    return done[0];
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void aDevice(@ForAll("numbers") int number) {
    answered(() -> CONTEXT.port(number));
    answered(() -> CONTEXT.gids(number));
    answered(() -> CONTEXT.completions(number));
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void aQueuePair(
      @ForAll("numbers") int sends,
      @ForAll("numbers") int receives,
      @ForAll("numbers") int inline,
      @ForAll("numbers") int port,
      @ForAll Set<RegistrationAccess> access,
      @ForAll("numbers") int bytes) {
    try (ProtectionDomain domain = CONTEXT.domain();
        CompletionQueue completions = CONTEXT.completions(8)) {
      answered(() ->
          domain.queuePair(new QueueSizes(sends, receives, inline), completions, completions));
      try (QueuePair pair = domain.queuePair(new QueueSizes(2, 2, 8), completions, completions)) {
        assertThat(does(() -> pair.init(port, access)))
            .isEqualTo(port == 1 && !access.contains(RegistrationAccess.RELAXED_ORDERING));
        answered(did(() -> pair.post(write(bytes))));
        answered(did(() -> pair.receive(1, new WorkRequest.Local(0, bytes, 0))));
      }
    }
  }

  /** A number with more bits than its field is not truncated. */
  @Property(tries = 1000)
  @Sampled(every = 10)
  void aConnection(
      @ForAll("numbers") int port,
      @ForAll("numbers") int mtu,
      @ForAll("numbers") int gid,
      @ForAll("numbers") int sequence,
      @ForAll @IntRange(max = 15) int usual) {
    int own = (usual & 1) == 0 ? port : 1;
    int packet = (usual & 2) == 0 ? mtu : 5;
    int place = (usual & 4) == 0 ? gid : 1;
    int first = (usual & 8) == 0 ? sequence : 7;
    try (ProtectionDomain domain = CONTEXT.domain();
        CompletionQueue completions = CONTEXT.completions(8);
        QueuePair pair = domain.queuePair(new QueueSizes(2, 2, 8), completions, completions)) {
      pair.init(1, Set.of());
      assertThat(
              does(() ->
                  pair.connect(
                      new PortState(own, true, packet, 1, 0, 1, true),
                      new Gid(place, 0, 0, true),
                      first,
                      new QueueEnd(1, 1, 0, 0, 0, 5),
                      RetryLimits.USUAL)))
          .isEqualTo(
              own == 1
                  && packet >= 1
                  && packet <= 5
                  && place >= 0
                  && place <= 255
                  && first >= 0
                  && first < 1 << 24);
    }
  }

  /** Any request of any kind, posted to itself: unregistered memory is never moved. */
  @Property(tries = 1000)
  @Sampled(every = 10)
  void aRequest(
      @ForAll("numbers") int bytes,
      @ForAll long here,
      @ForAll long there,
      @ForAll("numbers") int localKey,
      @ForAll("numbers") int remoteKey,
      @ForAll long value) {
    try (ProtectionDomain domain = CONTEXT.domain();
        CompletionQueue completions = CONTEXT.completions(64);
        QueuePair pair = domain.queuePair(new QueueSizes(16, 2, 8), completions, completions)) {
      List<Supplier<WorkRequest>> requests =
          List.of(
              () ->
                  new WorkRequest.Write(
                      1, true, false, local(here, bytes, localKey), at(there, remoteKey)),
              () ->
                  new WorkRequest.Read(
                      2, true, true, local(here, bytes, localKey), at(there, remoteKey)),
              () -> new WorkRequest.Send(3, true, false, local(here, bytes, localKey)),
              () ->
                  new WorkRequest.WriteImmediate(
                      4, true, false, local(here, bytes, localKey), at(there, remoteKey), bytes),
              () -> new WorkRequest.WriteWord(5, true, false, value, at(there, remoteKey)),
              () ->
                  new WorkRequest.FetchAdd(
                      6, true, false, value, local(here, bytes, localKey), at(there, remoteKey)),
              () ->
                  new WorkRequest.CompareSwap(
                      7, true, false, value, here, local(here, 8, localKey), at(there, remoteKey)));
      for (Supplier<WorkRequest> request : requests) {
        join(pair);
        pair.receive(9, local(here, 8, localKey));
        answered(did(() -> pair.post(request.get())));
        for (WorkCompletion end : completions.poll()) {
          // Nothing is registered: only requests without bytes can succeed.
          assertThat(end.succeeded() && (bytes != 0 || end.id() == 5)).isFalse();
        }
      }
    }
  }

  private static WorkRequest.Local local(long address, long bytes, int key) {
    return new WorkRequest.Local(address, bytes, key);
  }

  private static WorkRequest.Remote at(long address, int key) {
    return new WorkRequest.Remote(address, key);
  }

  private static void join(QueuePair pair) {
    pair.reset();
    pair.init(1, Set.of());
    PortState port = CONTEXT.port(1);
    Gid gid = CONTEXT.gids(1).getFirst();
    QueueEnd self = new QueueEnd(pair.number(), 1, 0, gid.high(), gid.low(), port.mtu());
    pair.connect(port, gid, 1, self, RetryLimits.USUAL);
  }

  /** Durations of any length, including those with too many milliseconds for a number. */
  @Property(tries = 200)
  void aTime(@ForAll long seconds) {
    VERBS.happens(9, 1);
    assertThat(CONTEXT.event(Duration.ofSeconds(seconds))).contains(new AsyncEvent(9, 1));
  }

  @Property(tries = 200)
  void aName(@ForAll String name) {
    answered(() -> VERBS.devices().open(name));
    answered(did(() -> VERBS.devices().open(List.of(name, name))));
  }

  private static WorkRequest write(long bytes) {
    return new WorkRequest.Write(
        1, true, false, new WorkRequest.Local(0, bytes, 0), WorkRequest.Remote.NOWHERE);
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void anEnd(
      @ForAll("numbers") int first,
      @ForAll("numbers") int second,
      @ForAll("numbers") int third,
      @ForAll("numbers") int mtu,
      @ForAll long id) {
    answered(() -> new QueueEnd(first, second, third, id, id, mtu));
    answered(() -> new RetryLimits(first, second, third));
    answered(() -> new WorkRequest.Local(id, first, second));
    for (long bytes : List.of(first, second, third)) {
      answered(() ->
          new WorkRequest.FetchAdd(
              id,
              true,
              false,
              1,
              new WorkRequest.Local(id, bytes, third),
              new WorkRequest.Remote(id, mtu)));
    }
  }

  @Property(tries = 500)
  @Sampled(every = 10)
  void memory(
      @ForAll("numbers") int bytes,
      @ForAll Set<RegistrationAccess> access,
      @ForAll MemoryPurpose purpose) {
    answered(() -> HostMemory.allocate(Math.min(bytes, 0)));
    try (ProtectionDomain domain = CONTEXT.domain();
        HostMemory memory = HostMemory.allocate(64)) {
      Set<RegistrationAccess> asked = EnumSet.noneOf(RegistrationAccess.class);
      asked.addAll(access);
      answered(() -> domain.register(memory, purpose, asked));
      answered(() -> domain.register(memory.address(), Math.min(bytes, 64), purpose, asked));
      answered(() -> domain.register(bytes, bytes, purpose, asked));
      answered(() -> domain.register(memory.address(), 64, bytes, purpose, asked));
      answered(() -> domain.registerFile(bytes, bytes, bytes, bytes, purpose, asked));
    }
  }
}
