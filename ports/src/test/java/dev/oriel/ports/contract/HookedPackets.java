package dev.oriel.ports.contract;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;

/** An all-gather whose packets one hook produces and another consumes. */
public final class HookedPackets {
  private HookedPackets() {}

  /** With packets of that format; lines need mapped memory. */
  public static Form form(String format) {
    return FormParser.parse(
        """
        form hooked_packets
        param B <= 65536               -- elements of each rank
        let K = 2
        let C = 8 * max(1, ceil(B, 8 * K))
        let P = 128 * ceil(C, 60)      -- bytes of a lane's packets, whatever their format
        input in[2 * B]
        input factor[4]
        output out[n * 2 * B]
        scratch ll[2 * n * K * P]
        hook pack(in0: bf16) -> e4m3 = e4m3(f32(in0) / 3.0:f32)
        hook unpack(in0: e4m3, in1: f32 at affine(offset=0, stride=0)) -> bf16 = bf16(f32(in0) * in1)
        hook both(in0: bf16, in1: f32 at affine(offset=0, stride=0)) -> bf16 = bf16(f32(e4m3(f32(in0) / 3.0:f32)) * in1)
        ensure each p in all: out[p * 2 * B] = both (in@p[0], factor[0]) bytes 2 * B
        lane main(g < K): sm(128) {
          let e = nz32(epoch)
          let half = (epoch & 1) * n
          let o = min(g * C, B)
          let m = min(C, B - o)
          move ll@peers[((half + r) * K + g) * P] FORMAT(e) <- pack (in[2 * o]) bytes m
          move out[2 * (r * B + o)] <- both (in[2 * o], factor[0]) bytes 2 * m
          each p in peers {
            move out[2 * (p * B + o)] <- unpack (ll[((half + p) * K + g) * P] FORMAT(e), factor[0]) bytes 2 * m
          }
        }
        """
            .replace("FORMAT", format));
  }
}
