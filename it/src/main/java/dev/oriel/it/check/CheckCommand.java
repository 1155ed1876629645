package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.it.options.DistinctFiles;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.OnOptions;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.PlanPrograms;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.ProgressReporter;
import dev.oriel.it.options.ReadTexts;
import dev.oriel.it.options.SearchOptions;
import dev.oriel.it.options.SourceText;
import dev.oriel.it.options.VerboseOption;
import dev.oriel.it.report.ReportOptions;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.file.AtomicFileWriter;
import dev.oriel.sim.levels.SearchCluster;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.ExecutionShrinker;
import dev.oriel.sim.trace.PictureFiles;
import dev.oriel.sim.trace.TraceRecording;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code oriel check}: explores a program's executions and prints a verdict. */
@Command(
    name = "check",
    description = "Search the executions of a program for races, deadlocks and wrong results.",
    mixinStandardHelpOptions = true)
public final class CheckCommand implements Callable<Integer> {
  /** More ranks than protocols are usually searched with. */
  private static final int MANY_RANKS = 64;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();
  @Mixin private SearchOptions search = new SearchOptions();
  @Mixin private PartOptions part = new PartOptions();
  @Mixin private OnOptions workers = new OnOptions();
  @Mixin private VerboseOption verbose = new VerboseOption();

  @Option(
      names = "--picture",
      converter = OptionSpellings.NewPicture.class,
      paramLabel = "FILE",
      description =
          "draw the failing execution, or one if none fails: .txt, .json (Perfetto), .shiviz, .html")
  private @Nullable Path picture;

  @Option(
      names = "--shrink",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "search for a smaller failing execution (default: ${DEFAULT-VALUE})")
  private boolean shrink;

  @Option(
      names = "--small",
      converter = OptionSpellings.NewFile.class,
      paramLabel = "FILE",
      description = "write the text of a smaller program that fails in the same way")
  private @Nullable Path small;

  @Option(
      names = "--json",
      paramLabel = "[FILE]",
      parameterConsumer = OptionSpellings.JsonFile.class,
      description = "print the verdict as JSON, or write it to a file whose name ends in .json")
  private @Nullable String json;

  @Mixin private ReportOptions reports = new ReportOptions();

  @Option(
      names = "--strict",
      description =
          "exit with 1 also if no ensure covers some output byte, if nothing executes some line, or"
              + " if the text may be wrong in a world or size that was refused; state with require"
              + " what it is meant for")
  private boolean strict;

  @Option(
      names = "--effort",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "multiplies the work for worlds and sizes that you did not request (default: ${DEFAULT-VALUE}, some seconds)")
  private int effort;

  @Option(
      names = "--matrix",
      description =
          "check all programs of the library in a grid of worlds, sizes and memory rules, and print one table; takes --json")
  private boolean matrix;

  @Override
  public Integer call() throws IOException {
    if (matrix) {
      return matrix();
    }
    try {
      return check();
    } catch (ProgramException refused) {
      if (reports.requested() && !options.nameless()) {
        String name = options.textName().orElseGet(options::program);
        reports.write(cases().of(name, refused));
      }
      throw refused;
    }
  }

  private CoverageCases cases() {
    return new CoverageCases(options.textName(), strictness(), ReadTexts.of(spec));
  }

  private int check() throws IOException {
    search.validate();
    OptionNumbers.atLeast(spec, "--effort", 1, effort);
    part.pass(search, json);
    workers.validate(search);
    search.replay(options.planMode().graph());
    Optional<Path> folder = options.folder();
    if (folder.isPresent()) {
      return sweep(folder.get());
    }
    boolean machine = OptionSpellings.JsonFile.OUT.equals(json);
    reports.with(
        new DistinctFiles(spec)
            .with("PROGRAM", options.file())
            .with("--small", small)
            .with("--picture", picture)
            .with("--json", json == null || machine ? null : Path.of(json)));
    options.preferNetwork();
    warnOfManyRanks();
    options.showcase().ifPresent(search::prefer);
    Optional<PlanPrograms> plan = options.plan();
    List<MscclDefect> defects = plan.map(PlanPrograms::defects).orElse(List.of());
    if (plan.isPresent() && !defects.isEmpty()) {
      PlanDefectLines lines = new PlanDefectLines(plan.get().plan(), defects);
      if (!machine) {
        lines.print(spec.commandLine().getOut());
      }
      if (json != null) {
        json(lines.json());
      }
      reports.write(cases().of(plan.get().plan().name(), defects));
      return ExitCodes.VIOLATION;
    }
    if (part.folder().isPresent()) {
      json = result(part.folder().get());
    }
    CombinationPlan combinations = plan();
    Checker checker = search.checker();
    CheckCoverage coverage;
    Optional<ExecutionShrinker.Result> smaller;
    Optional<FailureSizes> sizes;
    Optional<ResidencyNeed> need;
    try (ProgressReporter _ = new ProgressReporter(spec, search.work());
        ConnectedWorkers connected = new ConnectedWorkers(workers.connect())) {
      CheckCoverage covered =
          new CombinationSearch(
                  plan.isPresent() ? search.deciding(true) : Optional.empty(),
                  connected.on(checker),
                  search.exhaustive(),
                  search.longer(),
                  search.smaller(),
                  search.brief(),
                  effort)
              .run(combinations);
      coverage =
          PlacedOutputs.of(
              covered, options.offsets(covered.shown().combination().program().form()));
      sizes =
          plan.filter(_ -> coverage.failed()).flatMap(of -> FailureSizes.of(of, coverage, search));
      need =
          plan.isPresent() || part.divided()
              ? Optional.empty()
              : ResidencyNeed.of(coverage, search);
    }
    try (ProgressReporter _ =
        new ProgressReporter(spec, "it fails, and is made smaller; --no-shrink leaves that out")) {
      smaller = smaller(coverage.shown());
    }
    Optional<SourceText> source = options.source(coverage.shown().combination().program().form());
    UnreachedWords unreached = unreached(coverage, source);
    PrintWriter out = spec.commandLine().getOut();
    if (!machine) {
      print(coverage, source, smaller, sizes, need, unreached);
    }
    if (json != null) {
      json(
          CheckJson.print(
              coverage,
              source,
              ReadTexts.of(spec),
              smaller,
              sizes,
              search,
              strictness(),
              unreached));
    }
    reports.write(cases().of(coverage, source, unreached));
    files(coverage.shown(), checker, source, smaller, machine ? null : out);
    return strictness().exit(coverage, unreached);
  }

  private void json(String text) throws IOException {
    if (json == null || OptionSpellings.JsonFile.OUT.equals(json)) {
      spec.commandLine().getOut().println(text);
    } else {
      AtomicFileWriter.write(Path.of(json), text + System.lineSeparator());
    }
  }

  /** The file for the result of a part, if the part belongs to the campaign in that folder. */
  private String result(Path folder) {
    DividedWork work = DividedWork.of(spec, options, search, "--shard");
    Optional<CampaignFile.Difference> other =
        CampaignFile.in(folder).difference(work.id(), part.shard());
    if (other.isPresent()) {
      throw new MachineException(
          "not of this campaign: folder=%s, %s; %s, or write a new campaign"
              .formatted(folder, other.get().words(), other.get().remedy()));
    }
    Path file = CampaignFile.result(folder, part.shard().index());
    try {
      return new OptionSpellings.NewFile().convert(file.toString()).toString();
    } catch (TypeConversionException e) {
      throw MachineException.lacking(String.valueOf(e.getMessage()), e);
    }
  }

  /** A part of the work belongs to a single combination, and so does the work of many workers. */
  private CombinationPlan plan() {
    if (part.divided()) {
      return DividedWork.plan(spec, options, "--shard");
    }
    if (workers.given()) {
      return DividedWork.plan(spec, options, "--on");
    }
    String first = options.world();
    SmallWorlds worlds =
        options.worldGiven()
            ? SmallWorlds.only(first)
            : SmallWorlds.from(first, options.forms().getFirst());
    return new CombinationPlan(options.forms(), worlds, options.given(), false);
  }

  private CoverageStrictness strictness() {
    return strict ? CoverageStrictness.FAILURE : CoverageStrictness.NAMED;
  }

  /** The blocks that no search executes; every step of a plan is executed. */
  private UnreachedWords unreached(CheckCoverage coverage, Optional<SourceText> source) {
    return coverage.failed() || options.plan().isPresent()
        ? UnreachedWords.NONE
        : options
            .varied()
            .map(varied -> UnreachedWords.of(coverage, varied))
            .orElseGet(() -> UnreachedWords.of(coverage, source));
  }

  private void print(
      CheckCoverage coverage,
      Optional<SourceText> source,
      Optional<ExecutionShrinker.Result> smaller,
      Optional<FailureSizes> sizes,
      Optional<ResidencyNeed> need,
      UnreachedWords unreached) {
    PrintWriter out = spec.commandLine().getOut();
    boolean holds = !coverage.failed();
    Program program = coverage.shown().combination().program();
    Optional<String> other =
        holds && options.plan().isEmpty()
            ? OtherWorld.of(
                coverage, t -> Program.bind(program.form(), t.world(), program.params()))
            : Optional.empty();
    List<String> unexplored =
        holds
            ? new UnexploredSummary(
                    coverage,
                    search.settings(),
                    unmodelled(),
                    other,
                    options.planMode().graph().replayed())
                .words()
            : List.of("anything after the first failure");
    VerdictBlock block =
        new VerdictBlock(coverage, search.settings(), strictness(), unreached, verbose.on());
    block
        .facts(
            unexplored,
            new NextStep(spec, options, search, part)
                .after(coverage, strictness(), unreached, other),
            need.map(ResidencyNeed::words))
        .print(out);
    if (holds) {
      options
          .plan()
          .flatMap(PlanPrograms::note)
          .ifPresent(note -> new LabelledFacts().add("note", List.of(note), 2).print(out));
    }
    CheckLines lines = new CheckLines(out, source, ReadTexts.of(spec));
    List<CheckCoverage.RefusedCombination> wrong = strictness().wrong(coverage);
    if (!holds || !wrong.isEmpty() || verbose.on()) {
      out.println();
    }
    if (holds && !wrong.isEmpty()) {
      lines.refused(wrong.getFirst());
    }
    if (verbose.on()) {
      lines.details(coverage, block.explored(), unexplored);
    }
    CheckReport report = coverage.shown().report();
    report
        .verdict()
        .violation()
        .ifPresent(found -> lines.violation(found, report.found(), smaller, sizes, small == null));
  }

  /** One execution of many ranks may take minutes, before any other limit is looked at. */
  private void warnOfManyRanks() {
    int ranks = options.topology().world();
    if (ranks > MANY_RANKS) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "oriel: %d ranks: one execution may take minutes. Most mistakes show in worlds of 2 to 5 ranks: leave out --world, or limit the search with --time 60s"
              .formatted(ranks));
      err.flush();
    }
  }

  /** The workers of one check, if there are any. */
  private record ConnectedWorkers(Optional<SearchCluster> cluster) implements AutoCloseable {
    Checker on(Checker checker) {
      return cluster.map(checker::on).orElse(checker);
    }

    @Override
    public void close() {
      cluster.ifPresent(SearchCluster::close);
    }
  }

  private int sweep(Path folder) throws IOException {
    for (String option : FolderSweep.ELSEWHERE) {
      if (matched(option)) {
        throw new ParameterException(
            spec.commandLine(),
            "option of one program: option=%s, path=%s; name one file of the folder"
                .formatted(option, folder));
      }
    }
    boolean machine = OptionSpellings.JsonFile.OUT.equals(json);
    reports.with(
        new DistinctFiles(spec).with("--json", json == null || machine ? null : Path.of(json)));
    FolderSweep sweep = new FolderSweep(spec, search, options.planMode(), reports, strictness());
    int exit;
    try (ProgressReporter _ = new ProgressReporter(spec, search.work())) {
      exit = sweep.run(folder, !machine);
    }
    if (json != null) {
      json(sweep.json());
    }
    return exit;
  }

  private boolean matched(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private List<String> unmodelled() {
    return options.plan().map(PlanPrograms::unmodelled).orElse(List.of());
  }

  private int matrix() {
    boolean others =
        spec.commandLine().getParseResult().matchedOptions().stream()
            .anyMatch(
                o -> !o.longestName().equals("--matrix") && !o.longestName().equals("--json"));
    boolean file = json != null && !OptionSpellings.JsonFile.OUT.equals(json);
    if (others || file || !options.nameless()) {
      throw new ParameterException(
          spec.commandLine(),
          "the grid is fixed: option=--matrix; give no program and nothing else but --json");
    }
    PrintWriter out = spec.commandLine().getOut();
    MatrixReport report = new MatrixReport(CheckMatrix.shipped(spec), out);
    return (json != null ? report.json() : report.table()) ? ExitCodes.FINE : ExitCodes.VIOLATION;
  }

  private Optional<ExecutionShrinker.Result> smaller(CheckCoverage.CheckedCombination shown) {
    return shown
        .report()
        .found()
        .filter(found -> shrink && options.plan().isEmpty())
        .flatMap(CheckReport.Found::token)
        .map(token ->
            ExecutionShrinker.shrink(
                token, shown.combination().program().form(), ExecutionShrinker.BUDGET));
  }

  private void files(
      CheckCoverage.CheckedCombination shown,
      Checker checker,
      Optional<SourceText> source,
      Optional<ExecutionShrinker.Result> smaller,
      @Nullable PrintWriter out)
      throws IOException {
    if (picture != null) {
      Combination combination = shown.combination();
      TraceRecording drawn =
          shown
              .report()
              .found()
              .map(CheckReport.Found::recording)
              .orElseGet(() -> checker.first(combination.program(), combination.topology()));
      String name = options.textName().orElseGet(options::program);
      PictureFiles.write(source.map(text -> text.in(drawn, name)).orElse(drawn), picture);
      say(out, "picture  " + picture);
    }
    Optional<ExecutionShrinker.Small> cut = smaller.flatMap(ExecutionShrinker.Result::cut);
    if (small != null && cut.isPresent()) {
      AtomicFileWriter.write(small, FormPrinter.print(cut.get().form()));
      say(out, "program  " + small);
    }
  }

  private static void say(@Nullable PrintWriter out, String line) {
    if (out != null) {
      out.println(line);
    }
  }
}
