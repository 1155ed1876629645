package dev.oriel.ibverbs.post;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.Lowering;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Parser;
import dev.oriel.domain.topology.PeerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Launches of programs in worlds where every peer is behind the network. */
public final class Launches {
  private Launches() {}

  public static PostedRequests requests(Program program) {
    return new PostedRequests(
        program, Lowering.lower(program.form(), Set.of(PeerKind.RDMA)), Links.ALL_RDMA);
  }

  /** That many launches of one rank, one after another. */
  public static List<Launch> of(Program program, int rank, int count, LoadedWords loaded) {
    List<Launch> launches = new ArrayList<>();
    Carried carried = Carried.NOTHING;
    for (int i = 0; i < count; i++) {
      Launch launch = requests(program).launch(rank, carried, loaded);
      launches.add(launch);
      carried = launch.after();
    }
    return launches;
  }

  /** A program of two ranks with one host lane of that text. */
  static Program program(String declarations, String lane) {
    Form form =
        Parser.parse("form test\n" + declarations + "\nlane main: sm(32) {\n" + lane + "\n}\n");
    return Program.bind(form, 2, Map.of());
  }

  /** The requests of rank 0's first launch, as printed. */
  static List<String> printed(Program program, LoadedWords loaded) {
    return of(program, 0, 1, loaded).getFirst().requests().stream()
        .map(RequestPrinter::print)
        .toList();
  }
}
