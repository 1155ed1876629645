package dev.oriel.it;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The options of a command in groups, each with a heading, in the help. */
final class HelpGroups {
  private static final String OTHERS = "Options";

  /** Options by what they are about; those of no group come first, under a heading of their own. */
  private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

  static {
    GROUPS.put(
        "The program",
        List.of(
            "--world",
            "--worlds",
            "--set",
            "--bytes",
            "--algorithm",
            "--tuning",
            "--type",
            "--op",
            "--in-place",
            "--offset",
            "--hook",
            "--hook-output",
            "--vary",
            "--as-written",
            "--graph-replay",
            "--plan"));
    GROUPS.put(
        "Executions, and what is assumed of them",
        List.of(
            "--strategy",
            "--profile",
            "--launches",
            "--executions",
            "--states",
            "--memory",
            "--time",
            "--threads",
            "--on",
            "--keep",
            "--effort",
            "--symmetry",
            "--no-races",
            "--faults",
            "--timeouts",
            "--start-epoch",
            "--seed",
            "--delta",
            "--links",
            "--word",
            "--parts",
            "--shard",
            "--campaign"));
    GROUPS.put(
        "The machine", List.of("--machine", "--network", "--share", "--proved", "--unproved"));
    GROUPS.put(
        "The cluster",
        List.of("--slurm", "--kubernetes", "--image", "--claim", "--oriel", "--submit"));
    GROUPS.put(
        "Results",
        List.of(
            "--verbose",
            "--json",
            "--sarif",
            "--junit",
            "--picture",
            "--shrink",
            "--small",
            "--keep",
            "--to"));
  }

  private HelpGroups() {}

  /** Lets the command and all its subcommands print their help so. */
  static void of(CommandLine line) {
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpGroups::options);
    line.getSubcommands().values().forEach(HelpGroups::of);
  }

  private static String options(Help help) {
    List<OptionSpec> left = new ArrayList<>(help.commandSpec().options());
    left.removeIf(OptionSpec::hidden);
    Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
    GROUPS.forEach((heading, names) -> {
      List<OptionSpec> members = new ArrayList<>();
      for (String name : names) {
        left.stream().filter(o -> o.longestName().equals(name)).forEach(members::add);
      }
      groups.put(heading, members);
      left.removeAll(members);
    });
    // A few options need no groups.
    if (groups.values().stream().filter(members -> !members.isEmpty()).count() < 2) {
      return help.optionList();
    }
    StringBuilder text = new StringBuilder(group(help, OTHERS, left));
    groups.forEach((heading, members) -> text.append(group(help, heading, members)));
    return text.toString();
  }

  private static String group(Help help, String heading, List<OptionSpec> options) {
    if (options.isEmpty()) {
      return "";
    }
    Help.Layout layout = help.createDefaultLayout();
    layout.addOptions(options, help.parameterLabelRenderer());
    return "%n%s:%n".formatted(heading) + layout;
  }
}
