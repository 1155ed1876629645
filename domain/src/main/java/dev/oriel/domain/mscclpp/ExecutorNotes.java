package dev.oriel.domain.mscclpp;

import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Operations whose meaning is clear and which MSCCL++'s executor is known to execute otherwise. The
 * model has the meaning, so the notes say where the executor differs.
 */
final class ExecutorNotes {
  private ExecutorNotes() {}

  static List<String> of(List<Gpu> gpus) {
    List<Operation> all =
        gpus.stream()
            .flatMap(gpu -> gpu.blocks().stream())
            .flatMap(block -> block.operations().stream())
            .flatMap(Operation::all)
            .toList();
    List<String> notes = new ArrayList<>();
    all.stream()
        .filter(each -> each.type() == OperationType.FLUSH)
        .findFirst()
        .ifPresent(first ->
            notes.add(
                "%s: MSCCL++'s executor returns from flush at once (read at its commit 1f5f065). Here it waits for the proxy"
                    .formatted(first.ids())));
    all.stream()
        .filter(each -> each.type() == OperationType.GET)
        .filter(each -> {
          for (int i = 0; i < each.sources().size(); i++) {
            if (each.sources().get(i).index() != each.destinations().get(i).index()) {
              return true;
            }
          }
          return false;
        })
        .findFirst()
        .ifPresent(first ->
            notes.add(
                "%s: MSCCL++'s executor exchanges the offsets of source and destination of get (read at its commit 1f5f065). Here it does not"
                    .formatted(first.ids())));
    return notes;
  }
}
