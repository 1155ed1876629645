package dev.oriel.it.check;

import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.it.options.PlanPrograms;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.SearchOptions;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The work that the parts of a campaign share: the executions of one combination.
 *
 * @param id is the same in every part
 */
public record DividedWork(String id, String name, String world, String values) {

  /** The work that a command line asks for; {@code option} divides it. */
  public static DividedWork of(
      CommandSpec spec, ProgramOptions options, SearchOptions search, String option) {
    List<MscclDefect> defects = options.plan().map(PlanPrograms::defects).orElse(List.of());
    if (!defects.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "a plan that needs no execution to fail: program=%s, mistakes=%d; run oriel check alone"
              .formatted(options.program(), defects.size()));
    }
    Combination one = plan(spec, options, option).asked().getFirst();
    return new DividedWork(
        id(search, one),
        one.program().form().name(),
        one.world(),
        Combination.values(one.program().params()));
  }

  /** The id of a campaign on a combination. */
  static String id(SearchOptions search, Combination one) {
    return CampaignFile.id(
        search.checker().identity(one.program(), one.topology()), search.campaign());
  }

  /** The only combination of a part. */
  static CombinationPlan plan(CommandSpec spec, ProgramOptions options, String option) {
    CombinationPlan plan =
        new CombinationPlan(
            options.forms(), SmallWorlds.only(options.world()), options.given(), true);
    if (plan.asked().size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          "several combinations in parts: option=%s, combinations=%d; give one value for each parameter, and no plan that several kinds of calls decide"
              .formatted(option, plan.asked().size()));
    }
    return plan;
  }
}
