package dev.oriel.sim.search;

import dev.oriel.sim.levels.SearchCluster;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.FaultPlan;
import java.util.List;
import java.util.Optional;

/**
 * What a {@link Checker} explores, and where.
 *
 * @param shard the part of a campaign; the other parts do the rest
 * @param pace the times that {@link Strategy#WINDOW} assumes
 */
record CheckOptions(
    Strategy strategy,
    Budget budget,
    long seed,
    ExecutionSettings settings,
    FaultPlan faults,
    CampaignShard shard,
    WindowTiming pace,
    Extent extent,
    Workers workers) {

  /**
   * How far one exploration reaches.
   *
   * @param symmetry whether one state represents all that differ only in the names of ranks
   * @param draws whether other input words follow where nothing was found
   * @param anyLaunches whether later launches follow where everything was explored
   */
  record Extent(boolean symmetry, boolean draws, boolean anyLaunches) {
    static final Extent ONCE = new Extent(false, false, false);

    Extent symmetric() {
      return new Extent(true, draws, anyLaunches);
    }

    Extent drawing() {
      return new Extent(symmetry, true, anyLaunches);
    }

    Extent everyLaunch() {
      return new Extent(symmetry, draws, true);
    }
  }

  /** What searches every order of every step, with the same verdict. */
  record Workers(SearchThreads threads, Optional<SearchCluster> cluster) {
    static final Workers ONE = new Workers(SearchThreads.ONE, Optional.empty());
  }

  CheckOptions with(ExecutionSettings other) {
    return new CheckOptions(strategy, budget, seed, other, faults, shard, pace, extent, workers);
  }

  CheckOptions with(WindowTiming other) {
    return new CheckOptions(
        strategy, budget, seed, settings, faults, shard, other, extent, workers);
  }

  CheckOptions with(Extent other) {
    return new CheckOptions(strategy, budget, seed, settings, faults, shard, pace, other, workers);
  }

  CheckOptions with(Workers other) {
    return new CheckOptions(strategy, budget, seed, settings, faults, shard, pace, extent, other);
  }

  /** One exploration more, on one thread and for the whole campaign. */
  CheckOptions oneMore(Strategy by, Budget within, ExecutionSettings of) {
    return new CheckOptions(
        by,
        within,
        seed,
        of,
        faults,
        CampaignShard.WHOLE,
        pace,
        new Extent(extent.symmetry, false, false),
        Workers.ONE);
  }

  /** The strategies that the one of the options consists of, in their order. */
  List<Strategy> strategies() {
    return strategy == Strategy.PORTFOLIO
        ? List.of(
            Strategy.FIFO,
            Strategy.SYNCHRONISATION,
            Strategy.RANDOM,
            Strategy.PCT,
            Strategy.POS,
            Strategy.WINDOW)
        : List.of(strategy);
  }

  /** Whether one of them explores every order of some kind of steps. */
  boolean visitsAll() {
    return strategies().stream().anyMatch(Strategy::visitsAll);
  }
}
