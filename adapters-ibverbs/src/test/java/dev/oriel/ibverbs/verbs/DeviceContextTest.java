package dev.oriel.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The errors for a missing device, permission, symbol or byte of locked memory. */
final class DeviceContextTest {
  private final FakeVerbs verbs = new FakeVerbs();

  private static void lacking(Runnable call, String... facts) {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(call::run)
        .withMessageContainingAll(facts)
        .satisfies(e -> assertThat(e.environment()).isTrue());
  }

  @Test
  void devicesAreListedAndOpenedByName() {
    assertThat(verbs.devices().names()).isEqualTo(List.of("fake0"));
    try (DeviceContext context = verbs.devices().open("")) {
      assertThat(context.name()).isEqualTo("fake0");
      assertThat(context.port(1).active()).isTrue();
      assertThat(context.gids(1)).extracting(Gid::index).containsExactly(0, 1);
      assertThat(context.gids(1)).extracting(Gid::routable).containsExactly(false, true);
      assertThat(context.event(Duration.ZERO)).isEmpty();
    }
    assertThat(verbs.live()).isEmpty();
  }

  @Test
  void aMissingDeviceIsReported() {
    lacking(() -> verbs.devices().open("mlx5_0"), "name=mlx5_0", "fake0", "rdma link");
    verbs.hideDevices();
    lacking(() -> verbs.devices().open(""), "name=any", "devices=[]");
    assertThat(verbs.live()).isEmpty();
  }

  @Test
  void aMissingPermissionOnTheDeviceIsReported() {
    verbs.failNext("ibv_open_device", Errno.EACCES);
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(verbs::open)
        .withMessageContainingAll("ibv_open_device", "device=fake0", "/dev/infiniband")
        .satisfies(e -> assertThat(e.environment()).isTrue());
    assertThat(verbs.live()).isEmpty();
  }

  @Test
  void missingLockedMemoryIsReported() {
    assertThat(ControlPathCalls.refusal(VerbsFunction.REG_MR, Errno.ENOMEM, "bytes=8"))
        .hasMessageContainingAll("ibv_reg_mr", "bytes=8", "ulimit -l")
        .satisfies(e -> assertThat(e.environment()).isTrue());
    try (DeviceContext context = verbs.open();
        ProtectionDomain domain = context.domain();
        HostMemory memory = HostMemory.allocate(8)) {
      verbs.failNext("ibv_reg_mr", Errno.ENOMEM);
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() ->
              domain.register(
                  memory, MemoryPurpose.BULK, EnumSet.of(RegistrationAccess.LOCAL_WRITE)))
          .withMessageContainingAll("ibv_reg_mr", "bytes=8");
    }
    assertThat(verbs.live()).isEmpty();
  }

  @Test
  void exhaustedRegistrationsAreReportedAndReusable() {
    try (DeviceContext context = verbs.open();
        ProtectionDomain domain = context.domain();
        HostMemory memory = HostMemory.allocate(8)) {
      List<MemoryRegion> regions = new ArrayList<>();
      String said = "";
      while (said.isEmpty()) {
        try {
          regions.add(
              domain.register(
                  memory, MemoryPurpose.BULK, EnumSet.of(RegistrationAccess.LOCAL_WRITE)));
        } catch (MachineException e) {
          said = String.valueOf(e.getMessage());
        }
      }
      assertThat(said).contains("ibv_reg_mr refused", "bytes=8", "; ");
      assertThat(regions).hasSize(context.limits().registrations());
      regions.removeLast().close();
      regions.add(
          domain.register(memory, MemoryPurpose.BULK, EnumSet.of(RegistrationAccess.LOCAL_WRITE)));
      regions.forEach(MemoryRegion::close);
    }
    assertThat(verbs.live()).isEmpty();
  }

  @Test
  void anEventNamesItsPortOrQueuePair() {
    try (DeviceContext context = verbs.open();
        ProtectionDomain domain = context.domain();
        CompletionQueue queue = context.completions(64);
        QueuePair pair = domain.queuePair(new QueueSizes(4, 4, 8), queue, queue)) {
      verbs.happens(10, 1);
      verbs.happens(1, pair.number());
      verbs.happens(8, 0);
      verbs.happens(77, 0);
      AsyncEvent first = context.event(Duration.ofSeconds(20)).orElseThrow();
      assertThat(first.portLost()).isTrue();
      assertThat(first.text()).isEqualTo("port down: port=1");
      List<String> rest = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        rest.add(context.event(Duration.ofSeconds(20)).orElseThrow().text());
      }
      assertThat(rest)
          .containsExactly("queue pair failed: pair=" + pair.number(), "device failed", "event 77");
      assertThat(context.event(Duration.ofMillis(5))).isEmpty();
      assertThat(verbs.unacknowledged()).isZero();
    }
    assertThat(verbs.live()).isEmpty();
  }

  @Test
  void aMissingSymbolIsNamed() {
    verbs.forget("ibv_alloc_pd");
    try (DeviceContext context = verbs.open()) {
      lacking(context::domain, "ibv_alloc_pd", "install rdma-core");
    }
  }

  @Test
  void anOldDriverIsRefused() {
    verbs.ageLibrary();
    lacking(verbs::open, "abi=0", "install rdma-core");
    assertThat(verbs.live()).isEmpty();
  }

  @Test
  void fullQueuesAreNamed() {
    try (DeviceContext context = verbs.open();
        ProtectionDomain domain = context.domain();
        CompletionQueue queue = context.completions(64);
        QueuePair pair = domain.queuePair(new QueueSizes(4, 4, 8), queue, queue)) {
      pair.init(1, EnumSet.noneOf(RegistrationAccess.class));
      PortState port = context.port(1);
      Gid gid = context.gids(1).getFirst();
      QueueEnd self = new QueueEnd(pair.number(), 1, 0, gid.high(), gid.low(), port.mtu());
      pair.connect(port, gid, 1, self, RetryLimits.USUAL);
      WorkRequest.Local nothing = new WorkRequest.Local(0, 0, 0);
      for (int i = 0; i < 4; i++) {
        pair.post(new WorkRequest.Write(i, false, false, nothing, WorkRequest.Remote.NOWHERE));
        pair.receive(i, nothing);
      }
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() ->
              pair.post(new WorkRequest.Write(4, true, false, nothing, WorkRequest.Remote.NOWHERE)))
          .withMessageContainingAll("what=send", "depth=4", "the queue is full");
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() -> pair.receive(4, nothing))
          .withMessageContainingAll("what=receive", "depth=4", "the queue is full");
    }
    assertThat(verbs.live()).isEmpty();
  }

  @Test
  void statusesAreInTheOrderOfTheHeaders() {
    assertThat(CompletionStatus.of(0)).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(CompletionStatus.of(4)).isEqualTo(CompletionStatus.LOCAL_PROTECTION);
    assertThat(CompletionStatus.of(5)).isEqualTo(CompletionStatus.FLUSHED);
    assertThat(CompletionStatus.of(10)).isEqualTo(CompletionStatus.REMOTE_ACCESS);
    assertThat(CompletionStatus.of(12)).isEqualTo(CompletionStatus.RETRIES);
    assertThat(CompletionStatus.of(13)).isEqualTo(CompletionStatus.RECEIVER_NOT_READY);
    assertThat(CompletionStatus.of(19)).isEqualTo(CompletionStatus.FATAL);
    assertThat(CompletionStatus.of(21)).isEqualTo(CompletionStatus.GENERAL);
    assertThatExceptionOfType(MachineException.class).isThrownBy(() -> CompletionStatus.of(99));
  }
}
