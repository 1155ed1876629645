package dev.oriel.it.spark;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.levels.LevelCount;
import dev.oriel.sim.levels.LevelFolder;
import dev.oriel.sim.levels.LevelMessage;
import dev.oriel.sim.levels.LevelPart;
import dev.oriel.sim.levels.Levels;
import dev.oriel.sim.levels.SearchJob;
import dev.oriel.sim.search.LevelExpansion;
import dev.oriel.sim.search.LevelMerge;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * The levels of a search on Spark. Each part is one partition with one element. A level is one
 * shuffle, in which each part has a message for each. All results come from data, so what a lost
 * worker held is computed again and counts once. Every few levels all parts are kept in a folder,
 * and later levels follow from there.
 */
final class SparkLevels implements Levels {
  /** How many levels lie between two that are kept. */
  private static final int EVERY = 10;

  private static final long LOOK_MILLIS = 100;

  /** Seconds without a worker after which a search fails; Spark alone would wait for ever. */
  private static final String WAIT = "spark.oriel.wait";

  private static final long WAIT_SECONDS = 120;

  private final JavaSparkContext context;
  private final SearchJob job;
  private final LevelFolder folder;
  private final int parts;
  private final String goesOn;
  private final long wait;
  private int depth;
  private int keptDepth = -1;
  private LevelCount total;
  private long frontier;

  /** The parts now and one level before, from which lost ones follow soonest. */
  private JavaRDD<LevelPart> state;

  private Optional<JavaRDD<LevelPart>> before = Optional.empty();

  SparkLevels(
      JavaSparkContext context, SearchJob job, LevelFolder folder, int parts, String goesOn) {
    this.context = context;
    this.folder = folder;
    this.goesOn = goesOn;
    this.wait = context.getConf().getLong(WAIT, WAIT_SECONDS);
    Optional<LevelFolder.KeptLevel> kept = folder.last();
    this.job = kept.map(k -> job.with(k.rooms())).orElse(job);
    this.parts = kept.map(k -> k.parts().size()).orElse(parts);
    if (kept.isPresent()) {
      depth = kept.get().depth();
      keptDepth = depth;
      total = kept.get().total();
      state = read(kept.get());
      frontier = counted(state.map(part -> (long) part.frontier().count()));
    } else {
      LevelMessage[] first = LevelExpansion.of(this.job, this.parts).first();
      List<LevelPart> begun = new ArrayList<>();
      total = LevelCount.NONE;
      for (LevelMessage message : first) {
        LevelPart part = LevelMerge.next(LevelPart.EMPTY, List.of(message), 1);
        begun.add(part);
        total = total.and(part.count());
      }
      state = context.parallelize(begun, this.parts);
      frontier = total.states();
    }
  }

  private static long counted(JavaRDD<Long> counts) {
    return counts.collect().stream().mapToLong(Long::longValue).sum();
  }

  private JavaRDD<LevelPart> read(LevelFolder.KeptLevel kept) {
    LevelFolder from = folder;
    List<Integer> numbers = IntStream.range(0, kept.parts().size()).boxed().toList();
    return context
        .parallelize(numbers, numbers.size())
        .map(number -> from.read(kept, number))
        .persist(StorageLevel.MEMORY_AND_DISK());
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public LevelCount total() {
    return total;
  }

  @Override
  public long frontier() {
    return frontier;
  }

  /** Executors have limits of their own, and write to disk what they have no memory for. */
  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public Optional<LevelCount> next(BooleanSupplier over) {
    SearchJob all = job;
    int count = parts;
    int from = depth;
    JavaPairRDD<Integer, LevelMessage> sent =
        state
            .mapPartitionsWithIndex((number, one) -> expand(all, count, number, from, one), true)
            .mapToPair(message -> message)
            .partitionBy(new ByPart(count));
    JavaRDD<LevelPart> next =
        state
            .zipPartitions(sent, (one, messages) -> merge(one, messages, count))
            .persist(StorageLevel.MEMORY_AND_DISK());
    Optional<List<LevelCount>> counts = result(next.map(LevelPart::count), over);
    if (counts.isEmpty()) {
      next.unpersist(false);
      return Optional.empty();
    }
    LevelCount level = counts.get().stream().reduce(LevelCount.NONE, LevelCount::and);
    before.ifPresent(old -> old.unpersist(false));
    before = Optional.of(state);
    state = next;
    depth++;
    total = total.and(level);
    frontier = level.states();
    if (depth % EVERY == 0 && total.goesOn()) {
      keep();
    }
    return Optional.of(level);
  }

  private <T> Optional<List<T>> result(JavaRDD<T> of, BooleanSupplier over) {
    JavaFutureAction<List<T>> run = of.collectAsync();
    boolean interrupted = false;
    long seen = System.nanoTime();
    try {
      while (true) {
        try {
          return Optional.of(run.get(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
          if (over.getAsBoolean()) {
            run.cancel(true);
            return Optional.empty();
          }
          seen = workers() ? System.nanoTime() : seen;
          if (System.nanoTime() - seen > TimeUnit.SECONDS.toNanos(wait)) {
            run.cancel(true);
            throw MachineException.lacking(
                "no worker takes work: workers=%s, seconds=%d, level=%d, executor memory=%s; start workers, or ask them for less with -Dspark.executor.memory, then run again%s; -D%s=SECONDS waits longer"
                    .formatted(
                        context.master(),
                        wait,
                        depth,
                        context.getConf().get("spark.executor.memory", "1g"),
                        goesOn,
                        WAIT),
                e);
          }
        } catch (InterruptedException e) {
          // As on one core, an interrupt does not end a search, and is kept.
          interrupted = true;
        }
      }
    } catch (ExecutionException | CancellationException e) {
      throw SparkCluster.failed(e, depth, goesOn);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Whether there is a worker; on cores of this host the driver is one. */
  private boolean workers() {
    return context.isLocal() || context.statusTracker().getExecutorInfos().length > 1;
  }

  private static Iterator<Tuple2<Integer, LevelMessage>> expand(
      SearchJob job, int parts, int number, int depth, Iterator<LevelPart> one) {
    LevelExpansion expansion = ExpansionPool.take(job, parts);
    LevelMessage[] messages =
        expansion.next(number, one.next().frontier(), depth, () -> false).orElseThrow();
    ExpansionPool.give(job, parts, expansion);
    return IntStream.range(0, parts).mapToObj(to -> new Tuple2<>(to, messages[to])).iterator();
  }

  private static Iterator<LevelPart> merge(
      Iterator<LevelPart> one, Iterator<Tuple2<Integer, LevelMessage>> messages, int parts) {
    List<LevelMessage> all = new ArrayList<>();
    messages.forEachRemaining(message -> all.add(message._2()));
    return List.of(LevelMerge.next(one.next(), all, parts)).iterator();
  }

  /** The part that a message is for is its key. */
  private static final class ByPart extends Partitioner {
    private static final long serialVersionUID = 1L;
    private final int parts;

    ByPart(int parts) {
      this.parts = parts;
    }

    @Override
    public int numPartitions() {
      return parts;
    }

    @Override
    public int getPartition(Object key) {
      return (Integer) key;
    }
  }

  @Override
  public void keep() {
    if (depth == keptDepth) {
      return;
    }
    LevelFolder to = folder;
    int at = depth;
    List<LevelFolder.KeptPart> kept =
        result(
                state.mapPartitionsWithIndex(
                    (number, one) -> List.of(to.write(at, number, one.next())).iterator(), true),
                () -> false)
            .orElseThrow();
    folder.finish(depth, total, job.rooms(), kept);
    keptDepth = depth;
    JavaRDD<LevelPart> old = state;
    state = read(folder.last().orElseThrow(() -> new MachineException("a kept level is gone")));
    before.ifPresent(older -> older.unpersist(false));
    before = Optional.of(old);
  }

  @Override
  public void close() {
    before.ifPresent(old -> old.unpersist(false));
    state.unpersist(false);
  }
}
