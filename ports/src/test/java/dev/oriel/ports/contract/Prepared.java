package dev.oriel.ports.contract;

import static dev.oriel.ports.contract.RankThreads.all;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A program prepared on the executors that together host its world; collective calls on each. */
public final class Prepared implements AutoCloseable {
  final Program program;
  private final List<Executor.Instance> instances;

  /** Prepares the program on all of its ranks. */
  public Prepared(List<Executor> executors, Program program, Topology topology) {
    this.program = program;
    this.instances = all(executors, executor -> executor.prepare(program, topology));
  }

  Executor.Instance host(int rank) {
    return instances.stream().filter(i -> i.ranks().contains(rank)).findFirst().orElseThrow();
  }

  List<Executor.Instance> instances() {
    return instances;
  }

  void write(int rank, String buffer, byte[] bytes) {
    host(rank).write(rank, buffer, 0, bytes);
  }

  byte[] read(int rank, String buffer) {
    return host(rank).read(rank, buffer, 0, (int) program.rank(rank).bytes(buffer));
  }

  public SortedMap<Integer, Outcome> launch(Duration deadline) {
    List<List<Outcome>> ended = all(instances, instance -> instance.launch(deadline));
    SortedMap<Integer, Outcome> outcomes = new TreeMap<>();
    for (int i = 0; i < instances.size(); i++) {
      List<Integer> ranks = instances.get(i).ranks();
      for (int j = 0; j < ranks.size(); j++) {
        outcomes.put(ranks.get(j), ended.get(i).get(j));
      }
    }
    return outcomes;
  }

  void abort(String cause) {
    instances.forEach(instance -> instance.abort(cause));
  }

  @Override
  public void close() {
    all(
        instances,
        instance -> {
          instance.close();
          return instance;
        });
  }
}
