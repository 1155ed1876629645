package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.post.WorkRequest.Remote;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SendRequestsTest {
  private static final int WRITE = 0;
  private static final int WORD = 1;
  private static final Local LOCAL = new Local(0x10_0000, 64, 3);
  private static final Remote REMOTE = new Remote(0x20_0000, 4);

  private final SendRequests requests = SendRequests.allocate(Arena.ofAuto(), 3);

  SendRequestsTest() {
    requests.put(WRITE, new WorkRequest.Write(1, true, false, LOCAL, REMOTE));
    requests.put(WORD, new WorkRequest.WriteWord(2, true, true, 5, REMOTE));
  }

  @Test
  void aLengthTooLargeForAnEntryIsRejected() {
    refused(
        () -> new Local(0, -1, 0),
        "length out of range: bytes=-1, min=0, max=2147483647; split the move");
    refused(
        () -> new Local(0, 1L << 31, 0),
        "length out of range: bytes=2147483648, min=0, max=2147483647; split the move");
  }

  @Test
  void anAtomicSinkIsOneWord() {
    refused(
        () -> new WorkRequest.FetchAdd(3, false, false, 5, LOCAL, REMOTE),
        "atomic of another size: bytes=64, needed=8; give a sink of one word");
  }

  @Test
  void requestsBeyondTheCapacityAreRejected() {
    refused(() -> requests.block(3), "request out of range: index=3, capacity=3; allocate more");
    refused(() -> requests.block(-1), "request out of range: index=-1, capacity=3; allocate more");
  }

  @Test
  void requestsAreAligned() {
    refused(
        () -> new SendRequests(MemorySegment.ofArray(new byte[1600])),
        "memory not aligned: what=work requests, alignment=1, needed=8; align it");
  }

  @Test
  void invalidBytesAreRejected() {
    MemorySegment block = requests.block(WORD);
    block.set(JAVA_INT, SendRequests.SGE + SgeLayout.LENGTH, 16);
    refused(
        () -> decoded(WORD), "inline longer than a block holds: bytes=16, max=8; carry one word");
    block.set(JAVA_INT, SendWrLayout.OPCODE, VerbsConstants.WR_RDMA_READ);
    refused(
        () -> decoded(WORD),
        "work request not readable: field=send_flags, value=0xb; only a write may be inline");
    block.set(JAVA_INT, SendWrLayout.SEND_FLAGS, 0);
    block.set(JAVA_INT, SendWrLayout.OPCODE, 7);
    refused(
        () -> decoded(WORD),
        "work request not readable: field=opcode, value=0x7;"
            + " use a write, read, send or atomic");
    block.set(JAVA_INT, SendWrLayout.SEND_FLAGS, 4);
    refused(
        () -> decoded(WORD),
        "work request not readable: field=send_flags, value=0x4;"
            + " use fence, signalled and inline only");
    block = requests.block(WRITE);
    block.set(JAVA_INT, SendWrLayout.NUM_SGE, 2);
    refused(
        () -> decoded(WRITE),
        "work request not readable: field=num_sge, value=0x2; give one entry, or none for no bytes");
    block.set(JAVA_LONG, SendWrLayout.SG_LIST, 0);
    refused(
        () -> decoded(WRITE),
        "work request not readable: field=sg_list, value=0x0; read the block where it was written");
  }

  private WorkRequest decoded(int index) {
    return SendDecoder.decode(requests.block(index));
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(MachineException.class).hasMessage(message);
  }
}
