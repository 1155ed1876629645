package dev.oriel.domain.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A generator without some operation would weaken every property on forms. */
class FormTapeTest {

  @Test
  void randomFormsHoldEveryOperationAndEngine() {
    TreeSet<String> seen = new TreeSet<>();
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<Integer> tape = IntStream.range(0, 500).mapToObj(i -> random.nextInt(10_000)).toList();
      for (LaneFamily lane : FormTape.form(tape).lanes()) {
        seen.add(lane.engine().getClass().getSimpleName());
        operations(lane.body()).forEach(op -> seen.add(op.getClass().getSimpleName()));
      }
    }
    assertThat(seen)
        .containsExactly(
            "Assign",
            "Await",
            "AwaitBulk",
            "AwaitTicket",
            "Bulk",
            "Change",
            "Check",
            "Copy",
            "Each",
            "Fence",
            "Flush",
            "For",
            "Get",
            "Host",
            "If",
            "Join",
            "Leader",
            "Let",
            "Load",
            "LoadStrong",
            "Lock",
            "Meet",
            "Move",
            "Nic",
            "OrderProxy",
            "Put",
            "Quiet",
            "Read",
            "Signal",
            "Sm",
            "Store",
            "StoreStrong",
            "Sync",
            "Unlock",
            "Wait");
  }

  private static Stream<Op> operations(List<Op> ops) {
    return ops.stream()
        .flatMap(op ->
            Stream.concat(
                Stream.of(op),
                switch (op) {
                  case Op.If branch ->
                      Stream.concat(operations(branch.then()), operations(branch.otherwise()));
                  case Op.For loop -> operations(loop.body());
                  case Op.Each each -> operations(each.body());
                  default -> Stream.empty();
                }));
  }
}
