package dev.oriel.domain.program;

import static dev.oriel.domain.program.build.FormBuilder.index;
import static dev.oriel.domain.program.build.FormBuilder.sm;
import static dev.oriel.domain.program.build.FormBuilder.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Op.Flush.Reach;
import dev.oriel.domain.program.build.FormBuilder;
import dev.oriel.domain.program.build.FormBuilder.BufferRef;
import dev.oriel.domain.program.build.FormBuilder.SignalRef;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.window.Comparison;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShippedProgramsTest {
  private static final Expr R = Expr.name("r");
  private static final Expr N = Expr.name("n");

  /** A verdict names a digest: a change of one of these invalidates every verdict on it. */
  @ParameterizedTest
  @CsvSource({
    "ll_all_gather, eaf3017f770a31debe5e328dfe03b521",
    "ring_send_recv, 5bec98791bc6cf0f0c5330c67c9ce689"
  })
  void keepTheirDigest(String name, String digest) {
    assertThat(ShippedText.form(name).digest()).isEqualTo(digest);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          form ring_send_recv      | form ring_send_recv2
          param B <= 16777216      | param B <= 16777217
          let S = 16384            | let S = 16385
          let D = 4                | let D = 5
          ceil(ceil(B, S), K)      | ceil(ceil(B, S), D)
          input in[B]              | window in[B]
          scratch stage[K * D * S] | scratch stage[K * (D * S)]
          signal FREE[K]           | signal FREE[K + 1]
          ensure out[0]            | ensure out[1]
          in@((r - 1) % n)[0]      | in@((r + 1) % n)[0]
          lane main(g < K)         | lane main(g < D)
          sm(256)                  | sm(512)
          state rcvd step S        | state rcvd step D
          for t < ceil(len, S)     | for t < len / S
          reached sent + S - D * S | >= sent + S - D * S
          D * S acquire            | D * S relaxed
          D * S acquire            | D * S acquire gpu
          signal DATA[g]@succ set  | signal DATA[g]@succ add
          sent + S release         | sent + S relaxed
          set sent = sent + S      | set sent = S + sent
          move out[o + t * S] <-   | move k: out[o + t * S] <-
          flush @succ local        | flush @succ remote
          flush @succ local        | flush peers local
          flush @succ local        | sync
          """)
  void changeTheirDigestWithEveryEdit(String part, String edit) {
    String text = ShippedText.of("ring_send_recv");
    assertThat(text).contains(part);
    assertThat(FormParser.parse(text.replace(part, edit)).digest())
        .isNotEqualTo(ShippedText.form("ring_send_recv").digest());
  }

  @Test
  void keepTheirDigestUnderAnotherLaneName() {
    String text = ShippedText.of("ring_send_recv");
    assertThat(FormParser.parse(text.replace("lane main", "lane tile")).digest())
        .isEqualTo(FormParser.parse(text).digest());
  }

  @Test
  void theAllGatherCanBeBuiltInJava() {
    FormBuilder f = FormBuilder.named("ll_all_gather");
    Expr bytes = f.param("B", 262_144);
    Expr lanes =
        f.let("K", Expr.min(Expr.of(128), Expr.max(Expr.of(4), Expr.ceil(bytes, Expr.of(512)))));
    Expr share =
        f.let(
            "C",
            Expr.of(8).times(Expr.max(Expr.of(1), Expr.ceil(Expr.ceil(bytes, Expr.of(8)), lanes))));
    Expr packets = f.let("P", Expr.of(2).times(share));
    BufferRef in = f.input("in", bytes);
    BufferRef out = f.output("out", N.times(bytes));
    BufferRef ll = f.scratch("ll", Expr.of(2).times(N).times(lanes).times(packets));
    Expr p = Expr.name("p");
    f.ensureEach("p", Peers.ALL, out.at(p.times(bytes)), in.at(0).at(p), bytes);
    f.lane(
        "main",
        List.of(index("g", lanes)),
        sm(128),
        List.of(),
        b -> {
          Expr g = Expr.name("g");
          Expr e = b.let("e", Expr.nz32(Expr.name("epoch")));
          Expr half = b.let("half", Expr.name("epoch").and(1).times(N));
          Expr o = b.let("o", Expr.min(g.times(share), bytes));
          Expr m = b.let("m", Expr.min(share, bytes.minus(o)));
          b.move(
              ll.at(half.plus(R).times(lanes).plus(g).times(packets))
                  .at(Peers.OTHERS)
                  .packets(PacketFormat.PKT16, e),
              in.at(o),
              m);
          b.move(out.at(R.times(bytes).plus(o)), in.at(o), m);
          b.each(
              "p",
              Peers.OTHERS,
              (body, q) ->
                  body.move(
                      out.at(q.times(bytes).plus(o)),
                      ll.at(half.plus(q).times(lanes).plus(g).times(packets))
                          .packets(PacketFormat.PKT16, e),
                      m));
        });
    assertThat(f.build()).isEqualTo(ShippedText.form("ll_all_gather"));
  }

  @Test
  void theRingCanBeBuiltInJava() {
    FormBuilder f = FormBuilder.named("ring_send_recv");
    Expr bytes = f.param("B", 16_777_216);
    Expr tile = f.let("S", Expr.of(16_384));
    Expr depth = f.let("D", Expr.of(4));
    Expr lanes = f.let("K", Expr.of(8));
    Expr share = f.let("C", tile.times(Expr.ceil(Expr.ceil(bytes, tile), lanes)));
    BufferRef in = f.input("in", bytes);
    BufferRef out = f.output("out", bytes);
    BufferRef stage = f.scratch("stage", lanes.times(depth).times(tile));
    SignalRef data = f.signal("DATA", lanes);
    SignalRef free = f.signal("FREE", lanes);
    f.ensure(out.at(0), in.at(0).at(R.minus(1).mod(N)), bytes);
    f.lane(
        "main",
        List.of(index("g", lanes)),
        sm(256),
        List.of(state("sent", tile), state("rcvd", tile)),
        b -> {
          Expr g = Expr.name("g");
          Expr sent = Expr.name("sent");
          Expr rcvd = Expr.name("rcvd");
          Expr succ = b.let("succ", R.plus(1).mod(N));
          Expr pred = b.let("pred", R.minus(1).mod(N));
          Expr o = b.let("o", Expr.min(g.times(share), bytes));
          Expr len = b.let("len", Expr.min(share, bytes.minus(o)));
          Expr ring = g.times(depth).times(tile);
          Expr room = depth.times(tile);
          b.loop(
              "t",
              Expr.ceil(len, tile),
              (body, t) -> {
                Expr m = body.let("m", Expr.min(tile, len.minus(t.times(tile))));
                body.await(free.at(g, succ), Comparison.REACHED, sent.plus(tile).minus(room));
                body.move(
                    stage.at(ring.plus(sent.mod(room))).at(succ), in.at(o.plus(t.times(tile))), m);
                body.signalSet(data.at(g, succ), sent.plus(tile));
                body.assign("sent", sent.plus(tile));
                body.await(data.at(g, pred), Comparison.REACHED, rcvd.plus(tile));
                body.move(out.at(o.plus(t.times(tile))), stage.at(ring.plus(rcvd.mod(room))), m);
                body.signalSet(free.at(g, pred), rcvd.plus(tile));
                body.assign("rcvd", rcvd.plus(tile));
              });
          b.flush(Peers.one(succ), Reach.LOCAL);
        });
    assertThat(f.build()).isEqualTo(ShippedText.form("ring_send_recv"));
  }
}
