package dev.oriel.sim.search;

import dev.oriel.sim.levels.KeepFolder;
import dev.oriel.sim.levels.LevelCount;
import dev.oriel.sim.levels.LevelFolder;
import dev.oriel.sim.levels.LevelMessage;
import dev.oriel.sim.levels.LevelPart;
import dev.oriel.sim.levels.Levels;
import dev.oriel.sim.levels.SearchCluster;
import dev.oriel.sim.levels.SearchJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Levels in parts on the caller's thread, as a cluster has them. */
final class LocalLevels implements Levels {
  private final LevelExpansion expansion;
  private final Optional<LevelFolder> folder;
  private final Map<String, Integer> rooms;
  private final int every;
  private final Consumer<LevelCount> ended;
  private final LevelPart[] parts;
  private int depth;
  private LevelCount total;

  private LocalLevels(
      SearchJob job,
      int parts,
      Optional<LevelFolder> folder,
      int every,
      Consumer<LevelCount> ended) {
    this.folder = folder;
    this.every = every;
    this.ended = ended;
    Optional<LevelFolder.KeptLevel> kept = folder.flatMap(LevelFolder::last);
    SearchJob whole = kept.map(k -> job.with(k.rooms())).orElse(job);
    rooms = whole.rooms();
    this.parts = new LevelPart[kept.map(k -> k.parts().size()).orElse(parts)];
    expansion = LevelExpansion.of(whole, this.parts.length);
    if (kept.isPresent()) {
      depth = kept.get().depth();
      total = kept.get().total();
      Arrays.setAll(this.parts, i -> folder.orElseThrow().read(kept.get(), i));
    } else {
      Arrays.fill(this.parts, LevelPart.EMPTY);
      total = merge(List.<LevelMessage[]>of(expansion.first()), 1);
    }
  }

  /**
   * A cluster of this process.
   *
   * @param folder for levels of a job, if they are kept
   * @param every how many levels lie between two that are kept
   */
  static SearchCluster cluster(int parts, Optional<KeepFolder> folder, int every) {
    return cluster(parts, folder, every, _ -> {});
  }

  /** The same, which reports the results of the levels of each search. */
  static SearchCluster cluster(
      int parts, Optional<KeepFolder> folder, int every, Consumer<LevelCount> ended) {
    return new SearchCluster() {
      @Override
      public Levels levels(SearchJob job) {
        return new LocalLevels(job, parts, folder.map(f -> f.of(job)), every, ended);
      }

      @Override
      public void close() {}
    };
  }

  private LevelCount merge(List<LevelMessage[]> sent, int expected) {
    LevelCount count = LevelCount.NONE;
    for (int i = 0; i < parts.length; i++) {
      int to = i;
      parts[i] = LevelMerge.next(parts[i], sent.stream().map(from -> from[to]).toList(), expected);
      count = count.and(parts[i].count());
    }
    return count;
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
    return Arrays.stream(parts).mapToLong(part -> part.frontier().count()).sum();
  }

  @Override
  public long bytes() {
    return Arrays.stream(parts).mapToLong(LevelPart::bytes).sum();
  }

  @Override
  public Optional<LevelCount> next(BooleanSupplier over) {
    List<LevelMessage[]> sent = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      Optional<LevelMessage[]> messages = expansion.next(i, parts[i].frontier(), depth, over);
      if (messages.isEmpty()) {
        return Optional.empty();
      }
      sent.add(messages.get());
    }
    LevelCount count = merge(sent, parts.length);
    depth++;
    total = total.and(count);
    if (depth % every == 0 && total.goesOn()) {
      keep();
    }
    return Optional.of(count);
  }

  @Override
  public void keep() {
    folder.ifPresent(f -> f.write(depth, total, rooms, List.of(parts)));
  }

  @Override
  public void close() {
    ended.accept(total);
  }
}
