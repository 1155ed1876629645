package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.all;
import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.Bootstrap;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Strangers send arbitrary bytes to rank 0's port, some of them nearly right; the ranks still meet.
 */
class StrangerProperties {
  private static final Duration LONG = Duration.ofSeconds(50);

  /** Noise, or a truncated greeting, or one with a byte changed. */
  @Provide
  Arbitrary<List<byte[]>> packets() {
    Arbitrary<byte[]> noise = Arbitraries.bytes().array(byte[].class).ofMaxSize(200);
    byte[] hello = hello();
    Arbitrary<byte[]> changed =
        Arbitraries.integers()
            .between(0, hello.length * 256 - 1)
            .map(what -> {
              byte[] bytes = hello.clone();
              bytes[what / 256] ^= what.byteValue();
              return bytes;
            });
    Arbitrary<byte[]> cut =
        Arbitraries.integers()
            .between(0, hello.length)
            .map(length -> ByteBuffer.wrap(hello, 0, length).slice())
            .map(slice -> {
              byte[] bytes = new byte[slice.remaining()];
              slice.get(0, bytes);
              return bytes;
            });
    return Arbitraries.oneOf(noise, changed, cut).list().ofMinSize(1).ofMaxSize(8);
  }

  private static byte[] hello() {
    ByteBuffer body = ByteBuffer.allocate(FrameKind.HELLO_BYTES);
    body.put(RootHandshake.nonce()).putInt(2).flip();
    Frame frame = Frame.of(FrameKind.HELLO, 1, body);
    byte[] head = frame.head().array();
    return ByteBuffer.allocate(head.length + FrameKind.HELLO_BYTES)
        .put(head)
        .put(frame.body())
        .array();
  }

  @Property(tries = 60)
  void anyBytesBlockNoRank(@ForAll("packets") List<byte[]> packets) {
    TcpListener listener = TcpListener.open(TcpGroups.settings(0, 2, 0, LONG));
    int port = listener.address().getPort();
    CompletableFuture<TcpBootstrap> root = start(listener, TcpListener::join);
    List<RawPeer> strangers =
        packets.stream()
            .map(bytes -> {
              RawPeer stranger = RawPeer.connect(port);
              stranger.send(bytes);
              return stranger;
            })
            .toList();
    CompletableFuture<Bootstrap> other = TcpGroups.join(TcpGroups.settings(1, 2, port, LONG));
    List<Bootstrap> group = List.of(value(root), value(other));
    assertThat(all(group, r -> r.allGather("met", new byte[] {(byte) r.rank()})))
        .allSatisfy(result -> assertThat(result).containsExactly(new byte[] {0}, new byte[] {1}));
    group.forEach(Bootstrap::close);
    strangers.forEach(RawPeer::close);
  }
}
