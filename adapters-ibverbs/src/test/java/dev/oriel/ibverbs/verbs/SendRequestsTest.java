package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.post.WorkRequest.Remote;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SendRequestsTest {
  private static final int WRITE = 0;
  private static final int WORD = 1;
  private static final int ADD = 2;
  private static final Local LOCAL = new Local(0x10_0000, 64, 3);
  private static final Remote REMOTE = new Remote(0x20_0000, 4);

  private final SendRequests requests = SendRequests.allocate(Arena.ofAuto(), 3);

  SendRequestsTest() {
    requests.put(WRITE, new WorkRequest.Write(1, true, false, LOCAL, REMOTE));
    requests.put(WORD, new WorkRequest.WriteWord(2, true, true, 5, REMOTE));
    requests.put(
        ADD, new WorkRequest.FetchAdd(3, false, false, 5, new Local(0x10_0000, 8, 3), REMOTE));
  }

  @Test
  void patchingAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    patchMany(50_000);
    long before = threads.getCurrentThreadAllocatedBytes();
    patchMany(50_000);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    // What the measurement itself and a late compilation take, not what 50,000 patches would.
    assertThat(allocated).isLessThan(50_000);
  }

  @Test
  void aLengthThatNoEntryCanSayIsRefused() {
    refused(
        () -> requests.patchLength(WRITE, -1),
        "length out of range: bytes=-1, min=0, max=2147483647; split the move");
    refused(
        () -> requests.patchLength(WRITE, 1L << 31),
        "length out of range: bytes=2147483648, min=0, max=2147483647; split the move");
  }

  @Test
  void oneWordStaysOneWord() {
    refused(
        () -> requests.patchLength(WORD, 16),
        "request has no such field: index=1, field=length;"
            + " inline and atomic requests are one word long");
    refused(
        () -> requests.patchLength(ADD, 16),
        "request has no such field: index=2, field=length;"
            + " inline and atomic requests are one word long");
  }

  @Test
  void anInlineRequestHasNoLocalMemory() {
    refused(
        () -> requests.patchLocalAddress(WORD, 0),
        "request has no such field: index=1, field=local address;"
            + " an inline request carries its own word");
    refused(
        () -> requests.patchLocalKey(WORD, 0),
        "request has no such field: index=1, field=local key;"
            + " an inline request carries its own word");
  }

  @Test
  void aPlainWriteCarriesNoValue() {
    refused(
        () -> requests.patchValue(WRITE, 1),
        "request has no such field: index=0, field=value;"
            + " only inline and atomic requests carry one");
  }

  @Test
  void anAtomicStaysAligned() {
    refused(
        () -> requests.patchRemoteAddress(ADD, 0x20_0004),
        "atomic not aligned: address=0x200004, alignment=8; align the peer's word");
  }

  @Test
  void anAtomicSinkIsOneWord() {
    refused(
        () -> new WorkRequest.FetchAdd(3, false, false, 5, LOCAL, REMOTE),
        "atomic of another size: bytes=64, needed=8; give a sink of one word");
  }

  @Test
  void thereAreOnlySoManyRequests() {
    refused(
        () -> requests.patchId(3, 0), "request out of range: index=3, capacity=3; allocate more");
    refused(() -> requests.block(-1), "request out of range: index=-1, capacity=3; allocate more");
  }

  @Test
  void requestsLieAligned() {
    refused(
        () -> new SendRequests(MemorySegment.ofArray(new byte[1600])),
        "memory not aligned: what=work requests, alignment=1, needed=8; align it");
  }

  @Test
  void bytesThatNoRequestHasAreRefused() {
    MemorySegment block = requests.block(WORD);
    block.set(JAVA_INT, SendRequests.SGE + SgeLayout.LENGTH, 16);
    refused(
        () -> requests.get(WORD),
        "inline longer than a block holds: bytes=16, max=8; carry one word");
    block.set(JAVA_INT, SendWrLayout.OPCODE, Verbs.WR_RDMA_READ);
    refused(
        () -> requests.get(WORD),
        "work request not readable: field=send_flags, value=0xb; only a write may be inline");
    block.set(JAVA_INT, SendWrLayout.SEND_FLAGS, 0);
    block.set(JAVA_INT, SendWrLayout.OPCODE, 7);
    refused(
        () -> requests.get(WORD),
        "work request not readable: field=opcode, value=0x7;"
            + " use a write, read, send or atomic");
    block.set(JAVA_INT, SendWrLayout.SEND_FLAGS, 4);
    refused(
        () -> requests.get(WORD),
        "work request not readable: field=send_flags, value=0x4;"
            + " use fence, signalled and inline only");
    block = requests.block(WRITE);
    block.set(JAVA_INT, SendWrLayout.NUM_SGE, 2);
    refused(
        () -> requests.get(WRITE),
        "work request not readable: field=num_sge, value=0x2; give one entry, or none for no bytes");
    block.set(JAVA_LONG, SendWrLayout.SG_LIST, 0);
    refused(
        () -> requests.get(WRITE),
        "work request not readable: field=sg_list, value=0x0; read the block where it was written");
  }

  private void patchMany(int times) {
    for (int i = 0; i < times; i++) {
      requests.patchId(WRITE, i);
      requests.patchLocalAddress(WRITE, i);
      requests.patchLocalKey(WRITE, i);
      requests.patchLength(WRITE, i);
      requests.patchRemoteAddress(ADD, i * 8L);
      requests.patchRemoteKey(ADD, i);
      requests.patchValue(ADD, i);
      requests.patchValue(WORD, i);
    }
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(MachineException.class).hasMessage(message);
  }
}
