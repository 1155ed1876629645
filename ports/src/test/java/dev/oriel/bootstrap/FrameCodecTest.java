package dev.oriel.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import dev.oriel.ports.SetupStatus;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class FrameCodecTest {
  private static final FrameLimits ANY = kind -> 1 << 20;

  private static byte[] wire(Frame frame) {
    ByteBuffer head = frame.head();
    ByteBuffer body = frame.body();
    return ByteBuffer.allocate(head.remaining() + body.remaining()).put(head).put(body).array();
  }

  /** Gives a few bytes at a time, and none on every other call. */
  private static ReadableByteChannel dripping(byte[] bytes, int slice) {
    ReadableByteChannel all = Channels.newChannel(new ByteArrayInputStream(bytes));
    return new ReadableByteChannel() {
      private boolean pause;

      @Override
      public int read(ByteBuffer into) throws IOException {
        pause = !pause;
        if (pause) {
          return 0;
        }
        int end = into.limit();
        into.limit(Math.min(end, into.position() + slice));
        int count = all.read(into);
        into.limit(end);
        return count;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }

  @Property(tries = 300)
  void framesDecodeToThemselvesInPieces(
      @ForAll FrameKind kind,
      @ForAll CollectiveOperation operation,
      @ForAll @StringLength(max = 50) String name,
      @ForAll int rank,
      @ForAll int sequence,
      @ForAll int millis,
      @ForAll @Size(max = 300) byte[] body,
      @ForAll @IntRange(min = 1, max = 40) int slice)
      throws IOException {
    String step = kind.named() ? BoundedText.bounded(name, CollectiveCall.MAX_STEP_BYTES) : "";
    Frame frame = new Frame(kind, operation, step, rank, sequence, millis, ByteBuffer.wrap(body));
    byte[] twice =
        ByteBuffer.allocate(2 * wire(frame).length).put(wire(frame)).put(wire(frame)).array();
    ReadableByteChannel channel = dripping(twice, slice);
    FrameReader reader = new FrameReader();
    for (int i = 0; i < 2; i++) {
      Frame read = reader.read(channel, ANY);
      while (read == null) {
        read = reader.read(channel, ANY);
      }
      assertThat(read).isEqualTo(frame);
    }
  }

  @Property(tries = 300)
  void anyBytesGiveAViolationOrAnEnd(@ForAll @Size(max = 80) byte[] rubbish) {
    try {
      Frame read =
          new FrameReader()
              .read(Channels.newChannel(new ByteArrayInputStream(rubbish)), kind -> 16);
      assertThat(read).isNotNull();
    } catch (IOException e) {
      assertThat(e).isInstanceOfAny(ProtocolViolation.class, EOFException.class);
    }
  }

  @Property(tries = 200)
  void cutOrChangedRecordsAreViolations(@ForAll @Size(max = 40) byte[] rubbish) {
    try {
      FailureRecord.decode(ByteBuffer.wrap(rubbish));
      ResultRecord.decode(ByteBuffer.wrap(rubbish), 3);
      Contribution.decode(ByteBuffer.wrap(rubbish));
      StatusRecord.failureText(rubbish);
    } catch (ProtocolViolation e) {
      assertThat(e).hasMessageMatching("[^:]+: .+=.+");
    }
  }

  @Property(tries = 200)
  void resultsDecodeToThemselves(@ForAll @Size(max = 8) List<@Size(max = 20) byte[]> all)
      throws ProtocolViolation {
    List<ByteBuffer> contributions = all.stream().map(ByteBuffer::wrap).toList();
    ByteBuffer wire = ResultRecord.encode(contributions);
    assertThat(ResultRecord.decode(wire, all.size())).isEqualTo(contributions);
  }

  @Property(tries = 200)
  void boundedTextKeepsWholeCharactersOnOneLine(
      @ForAll String text, @ForAll @IntRange(max = 60) int bytes) {
    String bounded = BoundedText.bounded(text, bytes);
    assertThat(bounded.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(bytes);
    assertThat(bounded.codePoints()).noneMatch(Character::isISOControl);
    assertThat(new String(bounded.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .isEqualTo(bounded);
  }

  @Test
  void failuresDecodeToThemselves() throws ProtocolViolation {
    BootstrapException failure =
        new BootstrapException(Kind.PEER_LOST, "gone: rank=3; look", Map.of(3, "why", 1, ""), null);
    BootstrapException read = FailureRecord.decode(FailureRecord.encode(failure));
    assertThat(read.kind()).isEqualTo(Kind.PEER_LOST);
    assertThat(read).hasMessage("gone: rank=3; look");
    assertThat(read.details()).isEqualTo(failure.details());
  }

  @Test
  void aFailureOfManyRanksWithLongTextsFitsItsBound() throws ProtocolViolation {
    Map<Integer, String> many = new TreeMap<>();
    for (int rank = 0; rank < 1000; rank++) {
      many.put(rank, "é".repeat(1000));
    }
    BootstrapException failure =
        new BootstrapException(Kind.TIMEOUT, "m".repeat(100_000), many, null);
    ByteBuffer wire = FailureRecord.encode(failure);
    assertThat(wire.remaining()).isLessThanOrEqualTo(FailureRecord.MAX_BYTES);
    assertThat(FailureRecord.decode(wire).ranks()).hasSize(FailureRecord.MAX_DETAILS).contains(0);
  }

  @Test
  void theHeaderHasTheDocumentedLayout() {
    Frame frame =
        new Frame(
            FrameKind.CONTRIBUTION,
            CollectiveOperation.BARRIER,
            "ab",
            5,
            6,
            7,
            ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThat(wire(frame))
        .containsExactly(
            'O', 'R', 'I', 'L', 1, 7, 2, 2, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0, 3, 'a',
            'b', 1, 2, 3);
  }

  @Test
  void statusesDecodeToThemselves() throws ProtocolViolation {
    assertThat(StatusRecord.failureText(StatusRecord.encode(SetupStatus.ok()))).isEmpty();
    assertThat(StatusRecord.failureText(StatusRecord.encode(SetupStatus.failed("no disk"))))
        .hasValue("no disk");
    assertThatExceptionOfType(ProtocolViolation.class)
        .isThrownBy(() -> StatusRecord.failureText(new byte[0]));
  }
}
