package dev.oriel.it.check;

import dev.oriel.domain.certificate.Certificate;
import dev.oriel.domain.certificate.CertificateText;
import dev.oriel.domain.certificate.ProvedCase;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.release.ReleaseName;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.it.options.DistinctFiles;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.JsonOption;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.ProfileOption;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.ProgressReporter;
import dev.oriel.it.options.ReadTexts;
import dev.oriel.it.options.SourceText;
import dev.oriel.it.options.VerboseOption;
import dev.oriel.sim.file.AtomicFileWriter;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code oriel prove}: searches every order and any number of launches of a program, and keeps in a
 * certificate which worlds and sizes were covered completely.
 */
@Command(
    name = "prove",
    description =
        "Search every order and any number of launches of a program; keep what was covered completely in a certificate.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nMembers of the object that --json prints:%n",
    footer = {
      "  name, digest, model         the program, and the memory rules with all other settings",
      "  verdict                     proved, not proved or violation",
      "  combinations                for each that was searched: world, params, program (its",
      "                              digest), states, proved (1 or 0), reason (why not)",
      "  refused, left               those that cannot be: world, params, reason, line, column;",
      "                              the number of larger ones that were not searched",
      "  sampled                     the number of others that were only executed once",
      "  kept                        the file with the certificate, or nothing",
      "  violation                   at most one: kind, message, trace, token, waits, places",
      "    places                    operations: rank, lane, operation, line, column, text,",
      "                              executed"
    })
public final class ProveCommand implements Callable<Integer> {
  /** Launches that are searched first: failures in these have short traces. */
  private static final int LAUNCHES = 3;

  /** Profiles with more order than any machine of this project promises. */
  private static final Set<String> STRONGER = Set.of(Profile.L0.name(), Profile.L1.name());

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();
  @Mixin private ProfileOption hardware = new ProfileOption();
  @Mixin private VerboseOption verbose = new VerboseOption();

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--states",
      defaultValue = "1000000",
      description =
          "states after which the search of one world and size stops (default: ${DEFAULT-VALUE})")
  private long states;

  @Option(
      names = "--symmetry",
      description = "explore one of all states that differ in the names of ranks alone")
  private boolean symmetry;

  @Option(
      names = "--keep",
      converter = OptionSpellings.NewFile.class,
      paramLabel = "FILE",
      description =
          "write a certificate, which --proved of run, suite and bundle reads; nothing is written if nothing is proved")
  private @Nullable Path keep;

  @Override
  public Integer call() throws IOException {
    OptionNumbers.atLeast(spec, "--states", 1, states);
    requireWeakMemory();
    new DistinctFiles(spec).with("PROGRAM", options.file()).with("--keep", keep);
    options.preferNetwork();
    Form form = options.form();
    if (options.plan().isPresent()) {
      throw new ParameterException(
          spec.commandLine(),
          "no certificates for plans: program=%s; oriel check explores it, and explores any number of launches"
              .formatted(form.name()));
    }
    Optional<SourceText> source = options.source(form);
    ExecutionSettings settings = Checker.strict(profile(), LAUNCHES);
    Proof proof;
    try (ProgressReporter _ =
        new ProgressReporter(
            spec,
            "states=%d for each world and size; fewer, or --world and --set, end sooner"
                .formatted(states))) {
      proof = new Proof(CombinationSearch.all(checker(settings), brief(settings)).run(plan(form)));
    }
    PrintWriter out = spec.commandLine().getOut();
    Optional<Path> kept = Optional.ofNullable(keep).filter(_ -> !proof.proved().isEmpty());
    if (kept.isPresent()) {
      AtomicFileWriter.write(kept.get(), CertificateText.print(certificate(form, proof)));
    }
    if (json.on()) {
      json.print(ProofJson.of(form, proof, kept, source, ReadTexts.of(spec)), out);
      return proof.complete() ? ExitCodes.FINE : ExitCodes.VIOLATION;
    }
    UnreachedWords unreached =
        options
            .varied()
            .map(varied -> UnreachedWords.of(proof.coverage(), varied))
            .orElseGet(() -> UnreachedWords.of(proof.coverage(), source));
    new ProofLines(spec, proof, settings, unreached).print(kept, verbose.on());
    if (proof.coverage().failed()) {
      out.println();
      CheckReport report = proof.coverage().shown().report();
      new CheckLines(out, source, ReadTexts.of(spec))
          .violation(
              report.verdict().violation().orElseThrow(),
              report.found(),
              Optional.empty(),
              Optional.empty(),
              false);
    }
    return proof.complete() ? ExitCodes.FINE : ExitCodes.VIOLATION;
  }

  /** The least order by default: a proof under it holds on machines that keep more. */
  private Profile profile() {
    return hardware.or(Profile.L3);
  }

  private void requireWeakMemory() {
    String name = profile().name();
    String base = name.contains(",") ? name.substring(0, name.indexOf(',')) : name;
    if (STRONGER.contains(base)) {
      throw new ParameterException(
          spec.commandLine(),
          "no machine keeps so much order: option=--profile, profile=%s; use L2, L3 or a named machine"
              .formatted(name));
    }
  }

  private Checker checker(ExecutionSettings settings) {
    Budget budget = new Budget(1, states, Budget.DEFAULT.steps(), Budget.DEFAULT.work());
    Checker checker = new Checker(Strategy.SYNCHRONISATION, budget, 1, settings).anyLaunches();
    return symmetry ? checker.symmetric() : checker;
  }

  /** Worlds and sizes that are not searched may still fail. */
  private static Checker brief(ExecutionSettings settings) {
    Budget budget = new Budget(1, 1, Budget.DEFAULT.steps(), Budget.DEFAULT.work());
    return new Checker(Strategy.FIFO, budget, 1, settings);
  }

  private CombinationPlan plan(Form form) {
    String first = options.world();
    SmallWorlds worlds =
        options.worldGiven() ? SmallWorlds.only(first) : SmallWorlds.from(first, form);
    return new CombinationPlan(List.of(form), worlds, options.given(), false);
  }

  private Certificate certificate(Form form, Proof proof) {
    List<ProvedCase> cases =
        proof.proved().stream()
            .map(one ->
                ProvedCase.of(
                    one.combination().program(),
                    WorldShape.parse(one.combination().world()),
                    one.report().anyLaunches().orElseThrow().states()))
            .toList();
    return new Certificate(ReleaseName.NAME, form.name(), form.digest(), profile().name(), cases);
  }
}
